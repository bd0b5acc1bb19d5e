/* legendre_table.c: normalised angular functions of all degrees and orders at one angle, in double precision. */
#include <math.h>
#include <stddef.h>

#include "math/angular/legendre.h"

static size_t at(int l, int m)
{
    return (size_t)l * (size_t)(l + 1) / 2 + (size_t)m;
}

/* P_l^m / w^{min(m, 1)} for one m, normalised, from its value at l = m (DLMF 14.10.3 with norms). */
static void column(int lmax, int m, double complex z, double complex first, double complex *out)
{
    double b = 0.0;
    double complex before = 0.0;
    out[at(m, m)] = first;
    for (int l = m + 1; l <= lmax; l++) {
        const double square = (double)l * l, a = sqrt((4.0 * square - 1.0) / (square - (double)m * m));
        const double complex here = out[at(l - 1, m)];
        out[at(l, m)] = a * (z * here - b * before);
        before = here;
        b = 1.0 / a;
    }
}

void poyi_angular_table(int lmax, double complex z, double complex w, double complex *p, double complex *pi,
                        double complex *tau)
{
    double complex corner = -0.345494149471335479; /* -sqrt(3 / 8 pi): P_1^1 / w */
    column(lmax, 0, z, 0.282094791773878143, p);   /* 1 / sqrt(4 pi) */
    for (int m = 1; m <= lmax; m++) {
        column(lmax, m, z, corner, p);
        corner *= -sqrt((2.0 * m + 3.0) / (2.0 * m + 2.0)) * w;
    }
    for (int l = 0; l <= lmax; l++) {
        pi[at(l, 0)] = 0.0;
        for (int m = 1; m <= l; m++) {
            pi[at(l, m)] = m * p[at(l, m)];
            p[at(l, m)] *= w;
        }
        /* 2 tau = P^{m+1} - (l + m)(l - m + 1) P^{m-1} (DLMF 14.10.5) with norms; dP_l / d(theta) = P_l^1 */
        tau[at(l, 0)] = l > 0 ? sqrt((double)l * (l + 1)) * p[at(l, 1)] : 0.0;
        for (int m = 1; m <= l; m++) {
            const double complex above = m < l ? sqrt((double)(l - m) * (l + m + 1)) * p[at(l, m + 1)] : 0.0;
            tau[at(l, m)] = 0.5 * (above - sqrt((double)(l + m) * (l - m + 1)) * p[at(l, m - 1)]);
        }
    }
}
