/* matmul.c: columns of Y as sums of columns of X with the weights of a matrix. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_matmul *arg = step->arg;
    const poy_slot *to = poyi_ref_slot(step, 0), *from = poyi_ref_slot(step, 1);
    const int64_t n = to->len * (to->dtype == POY_C128 ? 2 : 1), row = poyi_ref_slot(step, 2)->len;
    const double *X = poyi_ref_data(step, 1), *M = poyi_ref_f64(step, 2);
    double *Y = poyi_ref_data(step, 0);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t i = 0; i < to->cols; i++)
        for (int64_t t = 0; t < n; t++) {
            double sum = arg->accumulate ? Y[i * n + t] : 0;
            for (int64_t j = 0; j < from->cols; j++)
                sum += (arg->transposed ? M[j * row + i] : M[i * row + j]) * X[j * n + t];
            Y[i * n + t] = sum;
        }
    return POY_OK;
}

POYI_REF_ROW(matmul, run)
