/* absorb.c: B = -r A / 2, the temporal absorber's part of the derivative; of a complex A into a real B, Re A. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n = poyi_ref_slot(step, 0)->len;
    const int real = poyi_ref_slot(step, 0)->dtype == POY_F64, from_real = poyi_ref_slot(step, 1)->dtype == POY_F64;
    const double *r = poyi_ref_f64(step, 2);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t t = 0; t < n; t++) {
            const int64_t i = c * n + t;
            const double complex a = from_real ? poyi_ref_f64(step, 1)[i] : poyi_ref_c128(step, 1)[i];
            if (real)
                poyi_ref_f64(step, 0)[i] = -r[t] / 2 * creal(a);
            else
                poyi_ref_c128(step, 0)[i] = -r[t] / 2 * a;
        }
    return POY_OK;
}

POYI_REF_ROW(absorb, run)
