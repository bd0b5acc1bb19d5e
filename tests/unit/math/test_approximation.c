/* test_approximation.c: Chebyshev series, cubic splines and Brent's root finder, against closed forms. */
#include <float.h>
#include <math.h>

#include "core/core.h"
#include "math/math.h"
#include "tap.h"

static double exponential(void *user, double x)
{
    return exp(*(double *)user * x);
}

static double cubic(void *user, double x)
{
    (void)user;
    return ((2.0 * x - 3.0) * x + 0.5) * x - 7.0;
}

static double broken(void *user, double x)
{
    (void)user;
    return x > 0.5 ? (double)NAN : 1.0;
}

static void test_chebyshev(poy_ctx *ctx)
{
    enum { N = 24 };
    double c[N], d[N], rate = 1.3, value = 0.0, slope = 0.0;
    const double a = -0.5, b = 2.5;

    ok(poyi_chebyshev_fit(ctx, exponential, &rate, a, b, N, c) == POY_OK, "a fit of exp");
    /* c_k = 2 exp(rate (a + b) / 2) I_k(rate (b - a) / 2), DLMF 10.35.2; I_0(1.95) and I_5(1.95) by mpmath */
    ok(fabs(c[0] / (exp(1.3) * 2.201883142709275) - 1.0) < 4 * DBL_EPSILON, "c_0 is known in closed form");
    ok(fabs(c[5] / (2.0 * exp(1.3) * 8.587990409296940e-3) - 1.0) < 1e-13, "c_5 is known in closed form");
    poyi_chebyshev_derivative(N, c, a, b, d);
    for (int i = 0; i <= 100; i++) {
        const double x = a + (b - a) * i / 100.0;
        value = fmax(value, fabs(poyi_chebyshev_eval(N, c, a, b, x) / exp(rate * x) - 1.0));
        slope = fmax(slope, fabs(poyi_chebyshev_eval(N, d, a, b, x) / (rate * exp(rate * x)) - 1.0));
    }
    /* values range over exp(3.9) = 50; each derivative costs a factor N^2 / 8 of the truncated tail */
    ok(value < 50 * 4 * DBL_EPSILON, "the fit returns exp: %.1e", value);
    ok(slope < 1e-12, "its derivative series too: %.1e", slope);
    poyi_chebyshev_derivative(N, c, a, b, c);
    ok(c[3] == d[3] && c[0] == d[0] && c[N - 1] == 0.0, "the derivative may overwrite the series");
    ok(poyi_chebyshev_fit(ctx, broken, NULL, 0.0, 1.0, 4, c) == POY_ERR_NONFINITE, "%s", poy_ctx_cause(ctx));
    ok(poyi_chebyshev_fit(ctx, cubic, NULL, 1.0, 1.0, 4, c) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poyi_chebyshev_fit(ctx, cubic, NULL, 0.0, 1.0, 0, c) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poyi_chebyshev_fit(ctx, cubic, NULL, 0.0, 1.0, 1, c) == POY_OK &&
           poyi_chebyshev_eval(1, c, 0.0, 1.0, 0.9) == c[0],
       "one coefficient is a constant");
}

static void test_spline_grid(poy_ctx *ctx, const char *name, size_t n, const double *x)
{
    double y[64], worst = 0.0, slope = 0.0;
    poyi_spline *s = NULL;
    for (size_t i = 0; i < n; i++)
        y[i] = cubic(NULL, x[i]);
    ok(poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, x, y, &s) == POY_OK, "%s: a spline", name);
    for (int i = -20; i <= 120; i++) {
        const double t = x[0] + (x[n - 1] - x[0]) * i / 100.0;
        worst = fmax(worst, fabs(poyi_spline_eval(s, t) - cubic(NULL, t)));
        slope = fmax(slope, fabs(poyi_spline_slope(s, t) - ((6.0 * t - 6.0) * t + 0.5)));
    }
    /* |y| < 100 on the extended range, condition of the system below 10 */
    ok(worst < 1e-12 && slope < 1e-11, "%s: not-a-knot reproduces a cubic, also outside: %.1e, slope %.1e", name, worst,
       slope);
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(poyi_spline_eval(s, x[i]) - y[i]));
    ok(worst < 1e-12, "%s: the points are met", name);
    poyi_spline_destroy(&s);
}

static void test_spline(poy_ctx *ctx)
{
    double even[33], uneven[12], y[33], error[2];
    poyi_spline *s = NULL;

    for (int i = 0; i < 33; i++)
        even[i] = -1.0 + 3.0 * i / 32.0;
    for (int i = 0; i < 12; i++)
        uneven[i] = -1.0 + 3.0 * pow(i / 11.0, 1.5);
    test_spline_grid(ctx, "equal spacing", 33, even);
    test_spline_grid(ctx, "unequal spacing", 12, uneven);
    test_spline_grid(ctx, "four points", 4, even);

    /* natural: exact answer for three points of |x|-like data: s'' = -3 at the middle (0, 1, 0 at -1, 0, 1) */
    const double three[3] = {-1.0, 0.0, 1.0}, hat[3] = {0.0, 1.0, 0.0};
    ok(poyi_spline_create(ctx, POYI_SPLINE_NATURAL, 3, three, hat, &s) == POY_OK &&
           fabs(poyi_spline_eval(s, 0.5) - 0.6875) < 4 * DBL_EPSILON,
       "natural spline of three points: 11/16 at 1/2");
    poyi_spline_destroy(&s);
    ok(poyi_spline_create(ctx, POYI_SPLINE_NATURAL, 2, three, hat, &s) == POY_OK && poyi_spline_eval(s, -0.25) == 0.75,
       "natural spline of two points is their chord");
    poyi_spline_destroy(&s);

    for (int round = 0; round < 2; round++) { /* sin on [-1, 2] with 17 and 33 points: order 4 */
        const size_t n = round ? 33 : 17;
        double x[33];
        error[round] = 0.0;
        for (size_t i = 0; i < n; i++) {
            x[i] = -1.0 + 3.0 * (double)i / (double)(n - 1);
            y[i] = sin(x[i]);
        }
        ok(poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, x, y, &s) == POY_OK, "sin on %zu points", n);
        for (int i = 0; i <= 1000; i++)
            error[round] = fmax(error[round], fabs(poyi_spline_eval(s, -1.0 + 0.003 * i) - sin(-1.0 + 0.003 * i)));
        poyi_spline_destroy(&s);
    }
    ok(error[1] < error[0] / 10.0 && error[1] > error[0] / 40.0, "fourth order: %.1e, then %.1e", error[0], error[1]);

    ok(poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, 3, three, hat, &s) == POY_ERR_ARGUMENT && !s, "%s",
       poy_ctx_cause(ctx));
    const double folded[4] = {0.0, 1.0, 1.0, 2.0};
    ok(poyi_spline_create(ctx, POYI_SPLINE_NATURAL, 4, folded, even, &s) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    y[1] = (double)NAN;
    ok(poyi_spline_create(ctx, POYI_SPLINE_NATURAL, 4, even, y, &s) == POY_ERR_NONFINITE, "%s", poy_ctx_cause(ctx));
}

static double decay(void *user, double x)
{
    (void)user;
    return exp(-x) - 0.25;
}

static double steep(void *user, double x)
{
    (void)user;
    return x < 1.0 / 3.0 ? -1.0 : 1e9;
}

static double ninth(void *user, double x)
{
    (void)user;
    return pow(x, 9.0);
}

static void test_root(poy_ctx *ctx)
{
    double x = 0.0;
    ok(poyi_root_brent(ctx, decay, NULL, 0.0, 10.0, 0.0, &x) == POY_OK && fabs(x - log(4.0)) <= 4 * DBL_EPSILON * x,
       "root of exp(-x) = 1/4: %.17g", x);
    ok(poyi_root_brent(ctx, steep, NULL, 0.0, 1.0, 1e-12, &x) == POY_OK && fabs(x - 1.0 / 3.0) < 2e-12,
       "a jump is found: %.17g", x);
    ok(poyi_root_brent(ctx, ninth, NULL, -1.0, 2.0, 1e-10, &x) == POY_OK && fabs(x) < 1e-10, "a flat root: %.3g", x);
    ok(poyi_root_brent(ctx, cubic, NULL, 0.0, 10.0, 0.0, &x) == POY_OK && fabs(cubic(NULL, x)) < 1e-13,
       "root of a cubic: %.17g", x);
    ok(poyi_root_brent(ctx, ninth, NULL, 0.0, 1.0, 0.0, &x) == POY_OK && x == 0.0, "a root at the end");
    ok(poyi_root_brent(ctx, decay, NULL, 2.0, 3.0, 0.0, &x) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poyi_root_brent(ctx, decay, NULL, 3.0, 2.0, 0.0, &x) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poyi_root_brent(ctx, broken, NULL, 0.0, 1.0, 0.0, &x) == POY_ERR_NONFINITE, "%s", poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_chebyshev(ctx);
    test_spline(ctx);
    test_root(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
