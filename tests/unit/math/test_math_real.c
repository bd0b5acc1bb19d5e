/* test_math_real.c: quadrature, real Bessel functions and zeros, the gamma family, against mpmath at 50 digits
 * (tests/golden/math/real.txt) and closed forms. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "math/math.h"
#include "tap.h"

enum { KINDS = 7 };
static const char *const kinds[KINDS] = {"gauss", "jn", "zero", "dawson", "lgamma", "gamma", "kummer"};
/* Relative error allowed: one rounding and a half, 2 where a published bound says so. */
static const double bars[KINDS] = {2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0};

static double worst[KINDS], worst_weight;
static int counts[KINDS];

static double relative(double got, double want)
{
    return want == 0.0 ? fabs(got) / DBL_EPSILON : fabs(got - want) / fabs(want) / DBL_EPSILON;
}

static double number(char **rest)
{
    return strtod(*rest, rest);
}

/* The error of one line in units of eps. */
static double judge(poy_ctx *ctx, int kind, char *rest)
{
    static double x[POYI_GAUSS_MAX], w[POYI_GAUSS_MAX];
    const double a = number(&rest), b = number(&rest);
    switch (kind) {
    case 0:
        if (poyi_gauss_legendre(ctx, (int)a, x, w) != POY_OK)
            return (double)INFINITY;
        {
            const double node = number(&rest), weight = number(&rest);
            worst_weight = fmax(worst_weight, relative(w[(int)b], weight));
            return relative(x[(int)b], node);
        }
    case 1: return relative(poyi_bessel_jn((int)a, b), number(&rest));
    case 2: return relative(poyi_bessel_zero((int)a, (int)b), number(&rest));
    case 3: return relative(poyi_dawson(a), b);
    case 4: return relative(poyi_lgamma(a), b);
    case 5: return relative(poyi_gamma(a), b);
    default: return relative(poyi_kummer_1(a, b), number(&rest));
    }
}

static void read_reference(poy_ctx *ctx)
{
    char line[256];
    FILE *file = fopen(POY_TESTS_DIR "/golden/math/real.txt", "r");
    if (!ok(file != NULL, "the reference is there"))
        return;
    while (fgets(line, sizeof line, file)) {
        char *space = strchr(line, ' ');
        if (!space)
            continue;
        *space = 0;
        for (int kind = 0; kind < KINDS; kind++)
            if (!strcmp(line, kinds[kind])) {
                const double error = judge(ctx, kind, space + 1);
                if (!(error <= bars[kind]))
                    note("%s %s", line, space + 1);
                worst[kind] = fmax(worst[kind], isnan(error) ? (double)INFINITY : error);
                counts[kind]++;
            }
    }
    (void)fclose(file);
    for (int kind = 0; kind < KINDS; kind++)
        ok(counts[kind] >= 30 && worst[kind] <= bars[kind], "%s: %d values, worst error %.2f eps", kinds[kind],
           counts[kind], worst[kind]);
    ok(worst_weight <= 2.0, "Gauss weights: worst error %.2f eps", worst_weight);
}

static void test_quadrature(poy_ctx *ctx)
{
    static double x[POYI_GAUSS_MAX], w[POYI_GAUSS_MAX];
    for (int n = 1; n <= POYI_GAUSS_MAX; n += n < 8 ? 1 : 63) {
        long double sum = 0.0L, power = 0.0L;
        int rising = 1;
        ok(poyi_gauss_legendre(ctx, n, x, w) == POY_OK, "a rule of %d nodes", n);
        for (int i = 0; i < n; i++) {
            sum += (long double)w[i];
            power += (long double)w[i] * powl((long double)x[i], 2 * n - 2);
            rising &= i == 0 || x[i] > x[i - 1];
        }
        /* sum of w: n roundings; power: x^(2n-2) has relative error (2n - 2) eps */
        ok(rising && fabsl(sum - 2.0L) < n * (long double)DBL_EPSILON, "n = %d: rising, weights sum to 2", n);
        ok(fabsl(power * (2 * n - 1) / 2.0L - 1.0L) < 4 * n * (long double)DBL_EPSILON, "n = %d: exact for x^%d", n,
           2 * n - 2);
    }
    ok(poyi_gauss_legendre(ctx, 0, x, w) == POY_ERR_ARGUMENT, "0 nodes: %s", poy_ctx_cause(ctx));
    ok(poyi_gauss_legendre(ctx, 513, x, w) == POY_ERR_ARGUMENT, "513 nodes: %s", poy_ctx_cause(ctx));
}

static void test_bessel(void)
{
    int ordered = 1, small = 1;
    for (int n = 0; n <= 256; n += 16)
        for (int m = 1; m <= 400; m += m < 20 ? 1 : 19) {
            const double z = poyi_bessel_zero(n, m), above = poyi_bessel_zero(n + (n < 256), m);
            ordered &= z > n && above >= z && poyi_bessel_zero(n, m + 1) - z > 2.9;
            /* J at the rounded zero: |J'| <= 1 times half an ulp of z */
            small &= fabs(poyi_bessel_jn(n, z)) <= z * DBL_EPSILON;
        }
    ok(ordered, "the zeros interlace and lie above n");
    ok(small, "J_n vanishes at its zeros");
    ok(poyi_bessel_jn(3, -2.0) == -poyi_bessel_jn(3, 2.0) && poyi_bessel_jn(-3, 2.0) == -poyi_bessel_jn(3, 2.0) &&
           poyi_bessel_jn(-4, -2.0) == poyi_bessel_jn(4, 2.0),
       "J_-n(x) = (-1)^n J_n(x) = J_n(-x)");
    ok(poyi_bessel_jn(0, 0.0) == 1.0 && poyi_bessel_jn(2, 0.0) == 0.0, "J_n(0)");
    ok(poyi_bessel_jn(256, 1e-6) == 0.0, "underflow gives 0");
    ok(isnan(poyi_bessel_jn(20000, 1.0)) && isnan(poyi_bessel_jn(0, (double)NAN)) && isnan(poyi_bessel_zero(0, 0)),
       "NaN outside the domain");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    read_reference(ctx);
    test_quadrature(ctx);
    test_bessel();
    ok(isinf(poyi_gamma(172.0)) && isnan(poyi_gamma(-2.0)) && poyi_gamma(5.0) == 24.0, "Gamma at special points");
    ok(poyi_lgamma(1.0) == 0.0 && poyi_lgamma(2.0) == 0.0 && isinf(poyi_lgamma(0.0)), "log Gamma at special points");
    ok(poyi_dawson(-0.7) == -poyi_dawson(0.7) && poyi_dawson(0.0) == 0.0, "Dawson's integral is odd");
    ok(poyi_kummer_1(1.0, 3.0) == exp(-3.0) && poyi_kummer_1(2.5, 0.0) == 1.0, "1F1(1; b; -x) at special points");
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
