/* drive.c: I = |A|^2, and zeros where I is longer than A. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_slot *to = poyi_ref_slot(step, 0), *from = poyi_ref_slot(step, 1);
    double *I_ = poyi_ref_f64(step, 0); /* I is the imaginary unit of C */

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < to->cols; c++)
        for (int64_t t = 0; t < to->len; t++) {
            const int64_t i = c * from->len + t;
            double square = 0;
            if (t < from->len)
                square = from->dtype == POY_C128 ? poyi_ref_abs2(poyi_ref_c128(step, 1)[i])
                                                 : poyi_ref_f64(step, 1)[i] * poyi_ref_f64(step, 1)[i];
            I_[c * to->len + t] = square;
        }
    return POY_OK;
}

POYI_REF_ROW(drive, run)
