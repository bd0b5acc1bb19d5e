/* finish.c: k_s = (i G crop(P) + M crop(B)) / E_p: from the spectrum of the response to a stage's derivative. */
#include "backends/ref/pulse/rows.h"

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_row_finish *arg = step->arg;
    const int64_t n_c = poyi_ref_slot(step, 1)->cols, n = poyi_ref_slot(step, 1)->len,
                  n_w = poyi_ref_slot(step, 0)->len;
    double complex *k = poyi_ref_c128(step, 0) + arg->stage * n_c * n_w;
    const double complex *P = poyi_ref_c128(step, 1), *E = poyi_ref_c128(step, 3), *B = poyi_ref_c128(step, 4);
    const double *M = poyi_ref_f64(step, 5);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t c = 0; c < n_c; c++)
        for (int64_t w = 0; w < n_w; w++) {
            const int64_t i = c * n_w + w, fine = c * n + poyi_ref_fine_bin(arg->layout, w, n_w, n);
            const double complex G = arg->complex_g ? poyi_ref_c128(step, 2)[i] : poyi_ref_f64(step, 2)[i];
            double complex sum = (double complex)I * G * P[fine];
            if (arg->absorb)
                sum += M[w] * B[fine];
            if (arg->position >= 0) {
                const double complex e = E[arg->position * n_c * n_w + i];
                sum = arg->lossless ? sum * conj(e) : sum / e;
            }
            k[i] = sum;
        }
    return POY_OK;
}

POYI_REF_ROW(finish, run)
