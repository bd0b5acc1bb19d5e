/* accept.c: the end of a step: un = E_h (u + sum b_j k_j), the error e = E_h sum e_j k_j, their norms and faults. */
#include <math.h>

#include "backends/ref/pulse/rows.h"

static const int block[POY_ERROR_BLOCKS] = {0, 2, 3, 4, 5, 6};

static int is_finite(double complex z)
{
    return isfinite(creal(z)) && isfinite(cimag(z));
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const double *b = scalars + step->scalar, *e = b + POY_ERROR_BLOCKS;
    const int64_t n_c = poyi_ref_slot(step, 0)->cols, n_w = poyi_ref_slot(step, 0)->len, n = n_c * n_w;
    double complex *un = poyi_ref_c128(step, 0);
    double *rep = poyi_ref_f64(step, 1);
    const double complex *u = poyi_ref_c128(step, 2), *K = poyi_ref_c128(step, 3);
    const double complex *Eh = poyi_ref_c128(step, 4) + poyi_ref_slot(step, 4)->cols * n_w - n;
    const double *W = poyi_ref_f64(step, 5);

    (void)ctx, (void)be;
    long double norm = 0, norm_end = 0, norm_error = 0; /* a long sum would lose digits in double */
    rep[3] = 0;
    for (int64_t i = 0; i < n; i++) {
        double complex solution = u[i], error = 0;
        for (int j = 0; K && j < POY_ERROR_BLOCKS; j++) {
            solution += b[j] * K[block[j] * n + i];
            error += e[j] * K[block[j] * n + i];
        }
        un[i] = Eh[i] * solution;
        error *= Eh[i];

        const double weight = W ? W[i % n_w] : 1;
        norm += weight * poyi_ref_abs2(u[i]);
        norm_end += weight * poyi_ref_abs2(un[i]);
        norm_error += weight * poyi_ref_abs2(error);
        if (rep[3] == 0 && !(is_finite(un[i]) && is_finite(error)))
            rep[3] = 1 + (double)(i / n_w);
    }
    rep[0] = (double)norm;
    rep[1] = (double)norm_end;
    rep[2] = (double)norm_error;
    return POY_OK;
}

POYI_REF_ROW(accept, run)
