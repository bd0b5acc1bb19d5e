/* reserve.h: reserves (core.h) that change while work goes on. */
#ifndef POYI_RESERVE_H
#define POYI_RESERVE_H

#include "core/core.h"

/* What is used of it now; all of it. */
size_t poyi_reserve_used(const poyi_reserve *reserve);
size_t poyi_reserve_bytes(const poyi_reserve *reserve);
/* Makes it larger, before the work that needs it. Errors: POY_ERR_BUDGET; it stays as it is then. */
poy_status poyi_reserve_extend(poy_ctx *ctx, poyi_reserve *reserve, size_t more);
/* Gives back what is beyond bytes, or beyond what is used now. */
void poyi_reserve_shrink(poyi_reserve *reserve, size_t bytes);

#endif
