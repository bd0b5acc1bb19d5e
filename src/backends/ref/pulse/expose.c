/* expose.c: what a field does to a species: its rate, integrated over the window by the trapezoid rule, and the largest. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_expose *arg = step->arg;
    const int64_t n = poyi_ref_slot(step, 1)->len, stride = poyi_ref_slot(step, 1)->dtype == POY_C128 ? 2 : 1;
    const double *X = poyi_ref_f64(step, 1), s = scalars[step->scalar];
    long double sum = 0;
    double largest = 0;

    (void)ctx, (void)be;
    for (int64_t t = 0; t < n; t++) {
        const double x = s * X[stride * t], field = arg->pol > 1 ? hypot(x, s * X[stride * (n + t)]) : fabs(x);
        const double w = poyi_ref_rate(arg, poyi_ref_f64(step, 2), field);
        sum += (long double)(t == 0 || t == n - 1 ? w / 2 : w); /* of many: without roundings of its own */
        largest = w > largest ? w : largest;
    }
    poyi_ref_f64(step, 0)[arg->flag] = (double)((long double)arg->dt * sum);
    poyi_ref_f64(step, 0)[arg->flag + 1] = largest;
    return POY_OK;
}

POYI_REF_ROW(expose, run)
