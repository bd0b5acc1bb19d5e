/* response.c: A = W (kerr |A|^2 + raman Q) A, the instantaneous and the delayed response of an envelope, in place. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_response *arg = step->arg;
    const double kerr = scalars[step->scalar], raman = scalars[step->scalar + 1];
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n = poyi_ref_slot(step, 0)->len,
                  n_q = poyi_ref_slot(step, 1)->len;
    double complex *A = poyi_ref_c128(step, 0);
    const double *Q = poyi_ref_f64(step, 1), *W = poyi_ref_f64(step, 2);

    (void)ctx, (void)be;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t t = 0; t < n; t++) {
            const int64_t i = c * n + t;
            double factor = kerr * poyi_ref_abs2(A[i]);
            if (arg->raman)
                factor += raman * Q[c * n_q + t];
            if (arg->window)
                factor *= W[t];
            A[i] *= factor;
        }
    return POY_OK;
}

POYI_REF_ROW(response, run)
