/* bessel_k.c: K_0 and K_1 by the trapezoidal rule, which converges exponentially for them, and higher orders by upward
 * recurrence, in which every term is positive. Source: DLMF 10.32.9, 10.29.1; Trefethen and Weideman (2014). */
#include "pulse/guide/kinds/bessel_k.h"

#include <math.h>

/* exp(x) K_0 and exp(x) K_1: integral over t > 0 of exp(-x (cosh t - 1)) (1, cosh t). The integrand is analytic in
 * |Im t| < pi/2, where steps of 1/8 leave exp(-8 pi^2); near exp(-x t^2/2) for large x, where h leaves
 * exp(-2 pi^2/(x h^2)). Both are below 1e-17. */
static void start(double x, double *k0, double *k1)
{
    const double h = fmin(0.125, 0.5 / sqrt(x));
    double sum0 = 0.5, sum1 = 0.5;
    for (int i = 1;; i++) {
        const double half = sinh(0.5 * h * i), rise = 2.0 * half * half; /* cosh t - 1 */
        const double term = exp(-x * rise);
        sum0 += term;
        sum1 += term * (1.0 + rise);
        if (x * rise > 40.0 && term * (1.0 + rise) < 1e-18 * sum1)
            break;
    }
    *k0 = h * sum0;
    *k1 = h * sum1;
}

double poyi_bessel_k_ratio(int n, double x)
{
    double k0 = 0.0, k1 = 1.0;
    if (x > 0.0)
        start(x, &k0, &k1);
    if (n == 0)
        return k1 / k0; /* K_{-1} = K_1 */
    double ratio = k0 / k1;
    for (int j = 1; j < n; j++)
        ratio = x / (x * ratio + 2.0 * j); /* K_{j+1} = K_{j-1} + (2 j/x) K_j */
    return ratio;
}

double poyi_bessel_k_log(int n, double x)
{
    double k0 = 0.0, k1 = 0.0;
    start(x, &k0, &k1);
    double sum = log(k0) - x, ratio = k0 / k1; /* K_{j-1}/K_j */
    for (int j = 1; j <= n; j++) {
        sum -= log(ratio);
        ratio = x / (x * ratio + 2.0 * j);
    }
    return sum;
}
