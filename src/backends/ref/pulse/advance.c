/* advance.c: moves the anchor to the end of the step: u = un, k_1 = E_h k_7, N = unit(E_h) N. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_advance *arg = step->arg;
    const int64_t n_w = poyi_ref_slot(step, 0)->len, n = poyi_ref_slot(step, 0)->cols * n_w;
    double complex *u = poyi_ref_c128(step, 0), *K = poyi_ref_c128(step, 1), *N = poyi_ref_c128(step, 4);
    const double complex *un = poyi_ref_c128(step, 2), *E = poyi_ref_c128(step, 3);

    (void)ctx, (void)be, (void)scalars;
    if (E)
        E += poyi_ref_slot(step, 3)->cols * n_w - n;
    for (int64_t i = 0; i < n; i++) {
        const double complex e = E ? E[i] : 1; /* E_h, where it is needed */
        u[i] = un[i];
        if (K)
            K[i] = e * K[(POY_STAGES - 1) * n + i];
        if (arg->noise)
            N[i] *= arg->lossless ? e : e / cabs(e);
    }
    return POY_OK;
}

POYI_REF_ROW(advance, run)
