/* score.c: how far apart two rules of integration over the cross-section are: sums of |G (P_0 - P_1)|^2 and |G P_0|^2. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_score *arg = step->arg;
    const int64_t n_c = poyi_ref_slot(step, 2)->cols, n_w = poyi_ref_slot(step, 2)->len;
    const int64_t n = poyi_ref_slot(step, 1)->len;
    const double complex *P = poyi_ref_c128(step, 1);
    const double *G = poyi_ref_f64(step, 2);
    long double apart = 0, all = 0;

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t w = 0; w < n_w; w++) {
            const int64_t at = poyi_ref_fine_bin(arg->layout, w, n_w, n);
            const double complex fine = P[c * n + at], coarse = P[(n_c + c) * n + at];
            apart += poyi_ref_abs2(G[c * n_w + w] * (fine - coarse));
            all += poyi_ref_abs2(G[c * n_w + w] * fine);
        }
    poyi_ref_f64(step, 0)[arg->at] = (double)apart;
    poyi_ref_f64(step, 0)[arg->at + 1] = (double)all;
    return POY_OK;
}

POYI_REF_ROW(score, run)
