/* warn.h: warnings of what a result is worth, and who keeps them. */
#ifndef POYI_WARN_H
#define POYI_WARN_H

#include "poynting/base.h"

/* To the log, and to the context's listener whatever the log's level. */
void poyi_warn(poy_ctx *ctx, const char *format, ...) POY_PRINTF(2, 3);

typedef struct poyi_listener {
    void (*hear)(void *user, const char *text); /* NULL: nobody listens */
    void *user;
} poyi_listener;
/* Changes the listener of this context, which its forks do not have; the one before. */
poyi_listener poyi_ctx_listen(poy_ctx *ctx, poyi_listener listener);

#endif
