/* window.c: A = w A in place. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n = poyi_ref_slot(step, 0)->len;
    const int64_t parts = poyi_ref_slot(step, 0)->dtype == POY_C128 ? 2 : 1; /* of an element */
    double *A = poyi_ref_data(step, 0);
    const double *w = poyi_ref_f64(step, 1);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t t = 0; t < n; t++)
            for (int64_t q = 0; q < parts; q++)
                A[parts * (c * n + t) + q] *= w[t];
    return POY_OK;
}

POYI_REF_ROW(window, run)
