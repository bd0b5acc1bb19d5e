/* polarise.c: the response of a gas, Y = W (kerr X^3 + raman Q X): of a real field, of its analytic signal without third
 * harmonics, of an envelope with them. */
#include "backends/ref/pulse/rows.h"

/* X^3 of an envelope, in frequencies about the carrier: 3 |X|^2 X at it, C X^3 at three times, and what of the first
 * lies at negative frequencies, as the conjugate at positive ones. */
static double complex cube(double complex x, double complex c, int fold)
{
    double complex sum = 3 * poyi_ref_abs2(x) * x + c * x * x * x;
    if (fold)
        sum += 3 * conj(c) * poyi_ref_abs2(x) * conj(x);
    return sum;
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_polarise *arg = step->arg;
    const double kerr = scalars[step->scalar], raman = scalars[step->scalar + 1];
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n = poyi_ref_slot(step, 0)->len,
                  n_q = poyi_ref_slot(step, 2)->len;
    const double *Q = poyi_ref_f64(step, 2), *W = poyi_ref_f64(step, 3);

    (void)ctx, (void)be;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t t = 0; t < n; t++) {
            const int64_t i = c * n + t;
            const double window = arg->window ? W[t] : 1, delayed = arg->raman ? raman * Q[c * n_q + t] : 0;
            if (arg->family == POY_RESPONSE_HARMONIC) {
                const double complex x = poyi_ref_c128(step, 1)[i], carrier = poyi_ref_c128(step, 4)[t];
                poyi_ref_c128(step, 0)[i] = window * (kerr * cube(x, carrier, arg->fold) + delayed * x);
            } else if (arg->family == POY_RESPONSE_ANALYTIC) {
                const double complex x = poyi_ref_c128(step, 1)[i];
                poyi_ref_f64(step, 0)[i] = window * (kerr * poyi_ref_abs2(x) + delayed) * creal(x);
            } else {
                const double x = poyi_ref_f64(step, 1)[i];
                poyi_ref_f64(step, 0)[i] = window * (kerr * x * x + delayed) * x;
            }
        }
    return POY_OK;
}

POYI_REF_ROW(polarise, run)
