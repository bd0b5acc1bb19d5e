/* absorb.c: B = -r A / 2, the temporal absorber's part of the derivative. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n = poyi_ref_slot(step, 0)->len;
    double complex *B = poyi_ref_c128(step, 0);
    const double complex *A = poyi_ref_c128(step, 1);
    const double *r = poyi_ref_f64(step, 2);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t t = 0; t < n; t++)
            B[c * n + t] = -r[t] / 2 * A[c * n + t];
    return POY_OK;
}

POYI_REF_ROW(absorb, run)
