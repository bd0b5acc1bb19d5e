/* ionise.c: the polarisation of free electrons at the points of a rule: each point's field from the modes, what the row
 * plasma makes of it, its sum with the weights of the modes. */
#include "backends/ref/pulse/rows.h"

/* The spec stands before the scratch, at the next multiple of its alignment: field, polarisation, and that of plasma. */
enum { NUMBERS = 8 };

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_ionise *arg = step->arg;
    const int64_t n = poyi_ref_slot(step, 0)->len, outs = poyi_ref_slot(step, 0)->cols,
                  modes = poyi_ref_slot(step, 2)->cols, points = poyi_ref_slot(step, 3)->cols,
                  weights = poyi_ref_slot(step, 4)->len;
    const double *A = poyi_ref_f64(step, 2), *S = poyi_ref_f64(step, 3), *Q = poyi_ref_f64(step, 4);
    double *X = poyi_ref_scratch(step), *Y = X + n, *P = poyi_ref_f64(step, 0);
    double largest = 0;

    (void)ctx, (void)be;
    for (int64_t q = 0; q < points; q++) {
        for (int64_t t = 0; t < n; t++) {
            X[t] = Y[t] = 0;
            for (int64_t a = 0; a < modes; a++)
                X[t] += S[q * modes + a] * A[a * n + t];
        }
        const poyi_ref_point p = {Y, X, n, 1};
        const double field = poyi_ref_electrons(arg, scalars + step->scalar, n, &p, poyi_ref_f64(step, 5), NULL, Y + n);
        largest = field > largest ? field : largest;
        for (int64_t m = 0; m < outs; m++)
            for (int64_t t = 0; t < n; t++)
                P[m * n + t] += Q[q * weights + m] * Y[t];
    }
    const double top = arg->field_min + arg->step * (double)(arg->points - 1);
    poyi_ref_f64(step, 1)[arg->flag] = largest > top ? largest : 0;
    return POY_OK;
}

poy_status poyi_ref_prepare_ionise(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                                   size_t *work_bytes)
{
    (void)ctx, (void)be;
    return poyi_ref_keep_scratch(run, NUMBERS * spec->slot[0].len, spec, work, step, work_bytes);
}
