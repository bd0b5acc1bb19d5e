/* remedy.h: what failures advise. */
#ifndef POYI_REMEDY_H
#define POYI_REMEDY_H

#include "poynting/front_end.h"

/* The rows of remedies.def. */
typedef enum poyi_remedy_id {
#define POYI_REMEDY(name, c, command, python) POYI_REMEDY_##name,
#include "core/remedies.def"
#undef POYI_REMEDY
    POYI_REMEDY_COUNT
} poyi_remedy_id;

/* A row in the words of the context's front end, with value in the place of "{}". Writes at most size bytes; returns out, for the
 * arguments of POYI_FAIL. */
const char *poyi_remedy(const poy_ctx *ctx, poyi_remedy_id id, const char *value, size_t size, char *out);

#endif
