/* copy.c: y = x as a row of a program. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_slot *y = poyi_ref_slot(step, 0);

    (void)ctx, (void)be, (void)scalars;
    memmove(poyi_ref_data(step, 0), poyi_ref_data(step, 1), (size_t)(y->cols * y->len) * poy_dtype_size(y->dtype));
    return POY_OK;
}

POYI_REF_ROW(copy, run)
