/* cube.c: the cube of a sum of modes, projected on modes: a sum over all products of three. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const int64_t n = poyi_ref_slot(step, 0)->len, modes = poyi_ref_slot(step, 1)->cols,
                  products = poyi_ref_slot(step, 2)->len;
    const double *A = poyi_ref_f64(step, 1), *K = poyi_ref_f64(step, 2);
    double *P = poyi_ref_f64(step, 0);

    (void)ctx, (void)be;
    for (int64_t m = 0; m < poyi_ref_slot(step, 0)->cols; m++)
        for (int64_t t = 0; t < n; t++) {
            const double *k = K + m * products;
            double sum = 0;
            for (int64_t a = 0; a < modes; a++)
                for (int64_t b = a; b < modes; b++)
                    for (int64_t c = b; c < modes; c++)
                        sum += *k++ * (A[a * n + t] * A[b * n + t] * A[c * n + t]);
            P[m * n + t] = scalars[step->scalar] * sum;
        }
    return POY_OK;
}

POYI_REF_ROW(cube, run)
