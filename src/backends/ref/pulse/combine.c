/* combine.c: F = scale pad(E_p (u + sum over j of a_j k_j) + unit(E_p) N). */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_combine *arg = step->arg;
    const double *a = scalars + step->scalar;
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n = poyi_ref_slot(step, 0)->len,
                  n_w = poyi_ref_slot(step, 1)->len;
    double complex *F = poyi_ref_c128(step, 0);
    const double complex *u = poyi_ref_c128(step, 1), *K = poyi_ref_c128(step, 2), *E = poyi_ref_c128(step, 3),
                         *N = poyi_ref_c128(step, 4);

    (void)ctx, (void)be;
    for (int64_t i = 0; i < n_c * n; i++)
        F[i] = 0;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t w = 0; w < n_w; w++) {
            const int64_t i = c * n_w + w;
            const double complex e = arg->position < 0 ? 1 : E[arg->position * n_c * n_w + i];
            double complex sum = u[i];
            for (int j = 0; j < arg->m; j++)
                sum += a[j] * K[arg->k[j] * n_c * n_w + i];
            sum *= e;
            if (arg->noise)
                sum += (arg->lossless ? e : e / cabs(e)) * N[i];
            F[c * n + poyi_ref_fine_bin(arg->layout, w, n_w, n)] = arg->scale * sum;
        }
    return POY_OK;
}

POYI_REF_ROW(combine, run)
