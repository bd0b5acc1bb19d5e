/* front_end.h: who asks, so that failures advise in its words: a field or a call in C, an option of the command, an argument in Python. */
#ifndef POYNTING_FRONT_END_H
#define POYNTING_FRONT_END_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum poy_front_end { POY_FRONT_END_C, POY_FRONT_END_COMMAND, POY_FRONT_END_PYTHON } poy_front_end;
enum { POY_FRONT_END_COUNT = 3 };

/* Of a new context: POY_FRONT_END_C, as for values that are none; of a fork: that of the context it comes from. */
POY_API void poy_ctx_set_front_end(poy_ctx *ctx, poy_front_end front_end);
POY_API poy_front_end poy_ctx_front_end(const poy_ctx *ctx);

#ifdef __cplusplus
}
#endif
#endif
