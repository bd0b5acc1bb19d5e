/* store.h: result files inside the room (HDF5, interface.md 5). */
#ifndef POYI_STORE_H
#define POYI_STORE_H

#include "core/core.h"
#include "run/arena.h"

/* The accepted steps of a result file, in arena. Errors: POY_ERR_IO. */
poy_status poyi_store_schedule(poy_ctx *ctx, const char *path, poyi_arena *arena, const double **steps, int64_t *n);

#endif
