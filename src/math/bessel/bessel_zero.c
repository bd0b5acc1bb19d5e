/* bessel_zero.c: the positive zeros of J_n, needed for modes and discrete Hankel transforms. */
#include <math.h>

#include "math/bessel/bessel_real.h"
#include "math/math.h"

/* Minus the m-th zero of Airy's Ai (DLMF 9.9.6 and 9.9.18), to 2e-4 and better with m: only a start. */
static double airy_zero(int m)
{
    const double pi = (double)POYI_PIL, t = 3.0 * pi / 8.0 * (4.0 * m - 1.0);
    return pow(t, 2.0 / 3.0) * (1.0 + 5.0 / (48.0 * t * t));
}

/* The z > 1 with sqrt(z^2 - 1) - acos(1 / z) = g (DLMF 10.20.3), by Newton's method in b = sqrt(z^2 - 1), where the
 * left side is b - atan b with slope b^2 / (1 + b^2). */
static double uniform_point(double g)
{
    double b = g < 1.0 ? cbrt(3.0 * g) : g + 0.5 * (double)POYI_PIL;
    for (int i = 0; i < 20; i++) {
        const double step = (b - atan(b) - g) * (1.0 + b * b) / (b * b);
        b -= step;
        if (fabs(step) <= 1e-12 * b)
            break;
    }
    return sqrt(1.0 + b * b);
}

/* First approximation: McMahon's for n = 0 (DLMF 10.21.19), Olver's uniform one otherwise (10.21.41). */
static double start(int n, int m)
{
    if (n == 0) {
        const double a = (m - 0.25) * (double)POYI_PIL;
        return a + 1.0 / (8.0 * a) - 31.0 / (384.0 * a * a * a);
    }
    /* (2/3) (-zeta)^(3/2) with zeta = -airy_zero / n^(2/3) */
    return n * uniform_point(2.0 / 3.0 * pow(airy_zero(m), 1.5) / n);
}

double poyi_bessel_zero(int n, int m)
{
    if (n < 0 || n > 10000 || m < 1 || m > 100000)
        return (double)NAN;
    long double x = (long double)start(n, m);
    for (int i = 0; i < 10; i++) {
        const long double j = poyi_bessel_jn_extended(n, x);
        const long double slope = (n == 0 ? 0.0L : n / x * j) - poyi_bessel_jn_extended(n + 1, x);
        const long double step = -j / slope;
        x += step;
        if (fabsl(step) < 1e-10L * x) /* the next step would be its square */
            break;
    }
    return (double)x;
}
