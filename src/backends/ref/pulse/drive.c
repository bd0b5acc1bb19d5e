/* drive.c: what drives a delayed response, |A|^2, of two components their sum, difference and product; zeros where it is
 * longer than A. */
#include "backends/ref/pulse/rows.h"

static double complex element(const poy_step *step, int64_t i)
{
    return poyi_ref_slot(step, 1)->dtype == POY_C128 ? poyi_ref_c128(step, 1)[i] : poyi_ref_f64(step, 1)[i];
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_drive *arg = step->arg;
    const poy_slot *to = poyi_ref_slot(step, 0), *from = poyi_ref_slot(step, 1);
    const int64_t points = from->cols / arg->pol;
    double *I_ = poyi_ref_f64(step, 0); /* I is the imaginary unit of C */

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < points; c++)
        for (int64_t t = 0; t < to->len; t++) {
            const int inside = t < from->len;
            const double complex x = inside ? element(step, c * from->len + t) : 0;
            const double complex y = inside && arg->pol > 1 ? element(step, (points + c) * from->len + t) : 0;
            I_[c * to->len + t] = poyi_ref_abs2(x) + poyi_ref_abs2(y);
            if (arg->tensor) {
                I_[(points + c) * to->len + t] = poyi_ref_abs2(x) - poyi_ref_abs2(y);
                I_[(2 * points + c) * to->len + t] = 2 * creal(x * conj(y));
            }
        }
    return POY_OK;
}

POYI_REF_ROW(drive, run)
