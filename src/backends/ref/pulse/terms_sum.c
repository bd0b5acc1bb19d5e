/* terms_sum.c: Y = sum over t of s_t X_t: what moves along the guide, of terms that do not. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_slot *y = poyi_ref_slot(step, 0);
    const int64_t n = y->cols * y->len * (y->dtype == POY_C128 ? 2 : 1);
    const int64_t n_term = poyi_ref_slot(step, 1)->cols / y->cols;
    double *Y = poyi_ref_data(step, 0);
    const double *X = poyi_ref_data(step, 1);

    (void)ctx, (void)be;
    for (int64_t i = 0; i < n; i++) {
        double sum = 0;
        for (int64_t t = 0; t < n_term; t++)
            sum += scalars[step->scalar + t] * X[t * n + i];
        Y[i] = sum;
    }
    return POY_OK;
}

POYI_REF_ROW(terms_sum, run)
