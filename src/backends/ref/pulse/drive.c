/* drive.c: I = |A|^2. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const int64_t n = poyi_ref_slot(step, 0)->cols * poyi_ref_slot(step, 0)->len;
    double *I_ = poyi_ref_f64(step, 0); /* I is the imaginary unit of C */
    const double complex *A = poyi_ref_c128(step, 1);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t i = 0; i < n; i++)
        I_[i] = poyi_ref_abs2(A[i]);
    return POY_OK;
}

POYI_REF_ROW(drive, run)
