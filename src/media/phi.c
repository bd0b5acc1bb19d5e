/* phi.c: phi_m by Taylor series about equidistant nodes, and its asymptotic series beyond. */
#include "media/phi.h"

#include <math.h>
#include <string.h>

static const double spacing = 1.0 / 16.0, tail_from = 8.0;

/* phi_m(x) = x^(2m+1) K exp(-x^2) 1F1(1/2; m + 3/2; x^2), K = int_0^1 (1 - t^2)^m dt: a sum of positive terms (DLMF
 * 13.4.1). For x <= 8.1 it ends within 300 terms. */
static long double phi_by_series(int m, long double x)
{
    long double front = x, term = 1.0L, sum = 1.0L;
    for (int i = 1; i <= m; i++)
        front *= x * x * (2.0L * i) / (2.0L * i + 1.0L);
    for (int j = 0; j < 400 && term > 1e-22L * sum; j++) {
        term *= (j + 0.5L) * x * x / ((m + 1.5L + j) * (j + 1.0L));
        sum += term;
    }
    return front * expl(-x * x) * sum;
}

/* phi_m' = -2 x phi_m + 2 m x phi_(m-1) for m > 0, phi_0' = 1 - 2 x phi_0, coefficient by coefficient about x; lower
 * holds those of phi_(m-1). */
static void taylor(int m, long double x, const long double *lower, long double *out)
{
    out[0] = phi_by_series(m, x);
    for (int k = 0; k + 1 < POYI_PHI_TERMS; k++) {
        long double rhs = -2.0L * (x * out[k] + (k ? out[k - 1] : 0.0L));
        if (m)
            rhs += 2.0L * m * (x * lower[k] + (k ? lower[k - 1] : 0.0L));
        else
            rhs += k ? 0.0L : 1.0L;
        out[k + 1] = rhs / (k + 1);
    }
}

void poyi_phi_init(poyi_phi *phi, int m)
{
    *phi = (poyi_phi){.m = m};
    for (int i = 0; i < POYI_PHI_NODES; i++) {
        long double lower[POYI_PHI_TERMS] = {0}, here[POYI_PHI_TERMS] = {0};
        const long double x = (long double)(i * spacing);
        for (int j = 0; j <= m; j++) {
            taylor(j, x, lower, here);
            memcpy(lower, here, sizeof lower);
        }
        for (int k = 0; k < POYI_PHI_TERMS; k++)
            phi->node[i][k] = (double)here[k];
        if (phi->node[i][0] > phi->top) {
            phi->top = phi->node[i][0];
            phi->top_at = (i + 1) * spacing;
        }
    }
    /* Between two nodes the maximum exceeds the larger by less than max |phi''| spacing^2/8 < 2e-3 of it. */
    phi->top *= 1.01;
    long double coefficient = 1.0L;
    for (int i = 2; i <= m; i++)
        coefficient *= i;
    for (int j = 0; j < POYI_PHI_TAIL; j++) { /* (1/2)_j (m + j)!/j! */
        phi->tail[j] = (double)coefficient;
        coefficient *= (j + 0.5L) * (m + j + 1.0L) / (j + 1.0L);
    }
}

double poyi_phi_at(const poyi_phi *phi, double x)
{
    if (x < tail_from) {
        const int i = (int)(x / spacing + 0.5);
        const double *c = phi->node[i], t = x - i * spacing;
        if (i == 0) { /* odd: t (c1 + c3 t^2 + ...), relative accuracy near 0 */
            double sum = c[POYI_PHI_TERMS - 1], t2 = t * t;
            for (int k = POYI_PHI_TERMS - 3; k > 0; k -= 2)
                sum = sum * t2 + c[k];
            return sum * t;
        }
        double sum = c[POYI_PHI_TERMS - 1];
        for (int k = POYI_PHI_TERMS - 2; k >= 0; k--)
            sum = sum * t + c[k];
        return sum;
    }
    const double u = 1.0 / (x * x);
    double sum = phi->tail[POYI_PHI_TAIL - 1];
    for (int j = POYI_PHI_TAIL - 2; j >= 0; j--)
        sum = sum * u + phi->tail[j];
    return 0.5 * sum / x;
}
