/* coupling_simd.c: translation coefficients of eight pairs times their sources; compiled per instruction set. */
#include "scatter/cluster/coupling.h"
#include "scatter/waves/simd.h"

#define W ((size_t)POYI_LANES)

/* Lanes are summed at the end, in pairs. */
static inline double total(const double *lane)
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

static inline void one_pol(int cols, int pol, const double *sums, const double *x, double *y)
{
    const double s = pol ? 1.0 : -1.0;
    double re[W] = {0.0}, im[W] = {0.0};
    for (int c = 0; c < cols; c++) {
        const double *t = sums + (size_t)c * 4 * W, *v = x + (size_t)(2 * c + pol) * 2 * W;
#pragma omp simd
        for (size_t w = 0; w < W; w++) { /* A + s i B' */
            const double a = t[w] - s * t[3 * W + w], b = t[W + w] + s * t[2 * W + w];
            re[w] += a * v[w] - b * v[W + w];
            im[w] += a * v[W + w] + b * v[w];
        }
    }
    y[0] += total(re);
    y[1] += total(im);
}

void POYI_ISA_NAME(couple_row)(int cols, int first, int pols, const double *sums, const double *x, double *y)
{
    for (int pol = first; pol < first + pols; pol++)
        one_pol(cols, pol, sums, x, y + 2 * (size_t)pol);
}
