/* propagators.c: E_p = exp(sum over t of w_pt Phi_t), an exponential for each position. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_propagators *arg = step->arg;
    const double *w = scalars + step->scalar;
    const int64_t n = poyi_ref_slot(step, 0)->cols * poyi_ref_slot(step, 0)->len / arg->positions;
    double complex *E = poyi_ref_c128(step, 0);
    const double complex *Phi = poyi_ref_c128(step, 1);

    (void)ctx, (void)be;
    for (int64_t p = 0; p < arg->positions; p++)
        for (int64_t i = 0; i < n; i++) {
            double complex exponent = 0;
            for (int64_t t = 0; t < arg->n_term; t++)
                exponent += w[p * arg->n_term + t] * Phi[t * n + i];
            E[p * n + i] = cexp(exponent);
        }
    return POY_OK;
}

POYI_REF_ROW(propagators, run)
