/* store_read.c: reading result files. */
#include "run/store.h"

poy_status poyi_store_schedule(poy_ctx *ctx, const char *path, poyi_arena *arena, const double **steps, int64_t *n)
{
    (void)arena;
    *steps = 0;
    *n = 0;
    return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be read", path);
}
