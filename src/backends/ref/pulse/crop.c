/* crop.c: u = M crop(P): from the fine grid's spectrum back to the state's bins. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_crop *arg = step->arg;
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n_w = poyi_ref_slot(step, 0)->len,
                  n = poyi_ref_slot(step, 1)->len;
    double complex *u = poyi_ref_c128(step, 0);
    const double complex *P = poyi_ref_c128(step, 1);
    const double *M = poyi_ref_f64(step, 2);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t w = 0; w < n_w; w++)
            u[c * n_w + w] = M[w] * P[c * n + poyi_ref_fine_bin(arg->layout, w, n_w, n)];
    return POY_OK;
}

POYI_REF_ROW(crop, run)
