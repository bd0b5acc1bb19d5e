/* quadrature.c: Gauss-Legendre rules. */
#include "math/math.h"

#include <math.h>

#include "core/core.h"

/* P_n(x) and P_{n-1}(x). */
static void legendre_pair(int n, long double x, long double *p, long double *before)
{
    long double p0 = 1.0L, p1 = x;
    for (int k = 1; k < n; k++) {
        const long double p2 = ((2 * k + 1) * x * p1 - k * p0) / (k + 1);
        p0 = p1;
        p1 = p2;
    }
    *p = p1;
    *before = p0;
}

/* The k-th node from the right (k = 1 .. n / 2) and its weight. The last Newton step is kept apart from x, since the
 * weight needs 1 - x^2 to full relative accuracy at the ends, where it is of order 1 / n^2. */
static void node(int n, int k, double *node_x, double *node_w)
{
    const long double t = POYI_PIL * (4 * k - 1) / (4 * n + 2);
    long double x = (1.0L - (n - 1) / (8.0L * n * n * n)) * cosl(t), step = 0.0L, p, before, slope = 1.0L;

    for (int i = 0; i < 20; i++) {
        legendre_pair(n, x, &p, &before);
        slope = n * (before - x * p) / ((1.0L - x) * (1.0L + x));
        step = -p / slope;
        if (fabsl(step) < 1e-17L * (1.0L - x))
            break;
        x += step;
    }
    *node_x = (double)(x + step);
    const long double s = (1.0L - x) * (1.0L + x);
    /* (1 - x^2) P'^2 has the relative slope 2 x / (1 - x^2) at a node (Legendre's equation). */
    *node_w = (double)(2.0L / (s * slope * slope) * (1.0L - 2.0L * x * step / s));
}

poy_status poyi_gauss_legendre(poy_ctx *ctx, int n, double *x, double *w)
{
    if (n < 1 || n > POYI_GAUSS_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "Gauss-Legendre rule: %d nodes asked for, 1 to %d are possible", n,
                         POYI_GAUSS_MAX);
    for (int k = 1; k <= n / 2; k++) {
        node(n, k, &x[n - k], &w[n - k]);
        x[k - 1] = -x[n - k];
        w[k - 1] = w[n - k];
    }
    if (n % 2) {
        long double p, before;
        legendre_pair(n, 0.0L, &p, &before);
        x[n / 2] = 0.0;
        w[n / 2] = (double)(2.0L / ((long double)n * n * before * before));
    }
    return POY_OK;
}
