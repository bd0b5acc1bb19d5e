/* slices.h: windows on arrays that move along some of their axes, for loops that hand them to callbacks. */
#ifndef POYI_SLICES_H
#define POYI_SLICES_H

#include "ops/array.h"
#include "poynting/control.h"

typedef struct poyi_slices {
    int n;
    poy_array *at[POY_CARRY_MAX];
    int64_t step[POY_CARRY_MAX]
                [POY_RANK_MAX]; /* elements from a slice to the next along each axis that is gone; 0: the same one */
} poyi_slices;

/* One more window, at the first place of n axes of a, which it is without. */
poy_status poyi_slices_add(poy_ctx *ctx, poyi_slices *s, const poy_array *a, int n, const int *axes);
void poyi_slices_fini(poyi_slices *s);
/* Moves all of them along axis number axis of those that are gone. */
void poyi_slices_move(poyi_slices *s, int axis, int64_t by);

/* n_x arrays in and n_y out. Errors: POY_ERR_ARGUMENT (more than POY_CARRY_MAX). */
poy_status poyi_check_counts(poy_ctx *ctx, int n_x, int n_y);
/* Passes on what a callback returned: its own code may come without an account. */
poy_status poyi_callback_passed(poy_ctx *ctx, poy_status status, const char *what, const char *func, const char *file,
                                int line);
#define POYI_CALLBACK(ctx, status, what) poyi_callback_passed((ctx), (status), (what), __func__, __FILE__, __LINE__)

#endif
