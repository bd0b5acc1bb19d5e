/* test_radial.c: tables of spherical Bessel functions, by every kernel, against Arb and against bessel.c. */
#include <float.h>

#include "core/core.h"
#include "math/bessel/bessel.h"
#include "math/bessel/radial.h"
#include "unit/special_table.h"

static poy_c128 j[257], y[257], h[257];

static double complex at(const poy_c128 *table, int l)
{
    return CMPLX(table[l].re, table[l].im);
}

/* The last degree of a table against Arb's line; for real z against the size of (j, y). */
static void test_table(poy_ctx *ctx, poyi_radial_kernel *kernel, const char *name)
{
    worst_error worst[] = {{"j_n of a table", 1e-13, 0, 0, ""},
                           {"y_n of a table", 1e-13, 0, 0, ""},
                           {"h^(1)_n of a table", 1e-13, 0, 0, ""}};
    char line[512];
    int finite = 1;
    FILE *file = table_open("special/spherical.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        const int kind = (int)table_number(&rest), n = (int)table_number(&rest);
        const double complex z = table_complex(&rest);
        const poy_c128 argument = {creal(z), cimag(z)};
        const poyi_big scaled = table_big(&rest);
        double complex want;
        if (kind == POY_BESSEL_H2)
            continue;
        const poyi_big plain = poyi_big_mul(scaled, poyi_big_exp(poyi_bessel_scale((poy_bessel_kind)kind, z)));
        const int beyond = poyi_big_round(plain, &want);
        const poy_status status = poyi_radial_table(ctx, kernel, 1, n, &argument, j, y, h);
        const double complex got = at(kind == 0 ? j : kind == 1 ? y : h, n);
        finite &= !isnan(creal(got)) && !isnan(cimag(got));
        if (beyond)
            finite &= status == POY_ERR_RANGE;
        const double size = cimag(z) == 0.0 ? hypot(cabs(at(j, n)), cabs(at(y, n))) : cabs(want);
        if (!beyond && cabs(want) > DBL_MIN / DBL_EPSILON && cabs(want) < DBL_MAX / 16 && isfinite(size))
            worst_add(&worst[kind], cabs(got - want) / size, line);
    }
    if (file)
        (void)fclose(file);
    note("kernel %s", name);
    worst_report(worst, 3, 500);
    ok(finite, "%s: no NaN, and what is out of range is told", name);
}

/* Whole tables against the functions one by one. */
static void test_degrees(poy_ctx *ctx)
{
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        double u[2];
        poy_random_uniform2(5, 1, (uint64_t)i, u);
        const int lmax = i % 41;
        const double complex z = 40.0 * u[0] * u[0] * cexp(CMPLX(0.0, 6.28 * u[1])) + (i % 3 ? 0.0 : 60.0);
        const poy_c128 argument = {creal(z), cimag(z)};
        if (poy_sf_spherical_table(ctx, 1, lmax, &argument, j, y, h) != POY_OK)
            worst = (double)INFINITY;
        for (int l = 0; l <= lmax; l++)
            for (int kind = 0; kind < 3; kind++) {
                const poyi_bessel b = poyi_bessel_spherical((poy_bessel_kind)kind, l, z);
                double complex want;
                (void)poyi_big_round(poyi_big_mul(b.value, poyi_big_exp(b.power)), &want);
                worst = fmax(worst, relative(at(kind == 0 ? j : kind == 1 ? y : h, l), want));
            }
    }
    ok(worst < 1e-13, "every degree agrees with the functions one by one: %.1e", worst);
}

static void test_orders(poy_ctx *ctx)
{
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        double u[2];
        poy_random_uniform2(5, 2, (uint64_t)i, u);
        const int mmax = i % 60;
        double complex z = 60.0 * u[0] * u[0] * cexp(CMPLX(0.0, 6.28 * u[1] - 3.14));
        if (i % 5 == 0)
            z = CMPLX(creal(z), i % 2 ? 0.0 : -0.0);
        const poy_c128 argument = {creal(z), cimag(z)};
        if (poy_sf_cylindrical_table(ctx, 1, mmax, &argument, j, y, h) != POY_OK)
            worst = (double)INFINITY;
        for (int m = 0; m <= mmax; m++)
            for (int kind = 0; kind < 3; kind++) {
                const poyi_bessel b = poyi_bessel_cylindrical((poy_bessel_kind)kind, m, z);
                double complex want;
                (void)poyi_big_round(poyi_big_mul(b.value, poyi_big_exp(b.power)), &want);
                worst = fmax(worst, relative(at(kind == 0 ? j : kind == 1 ? y : h, m), want));
            }
    }
    ok(worst < 4 * DBL_EPSILON, "every order agrees with the cylindrical functions one by one: %.1e", worst);
    const poy_c128 zero = {0.0, 0.0};
    ok(poy_sf_cylindrical_table(ctx, 1, 3, &zero, j, NULL, NULL) == POY_OK && j[0].re == 1.0 && j[2].re == 0.0,
       "J_m(0)");
    ok(poy_sf_cylindrical_table(ctx, 1, 3, &zero, j, NULL, h) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_cylindrical_table(ctx, 1, -1, &zero, j, NULL, NULL) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
}

static void test_zeros(poy_ctx *ctx)
{
    /* beside and at zeros of j_0 (pi), j_1 and the sqrt(224) of a report: ratios are infinite there */
    const double arguments[] = {acos(-1.0), 4.493409457909064, sqrt(224.0), 7.725251836937707, 2.0 * acos(-1.0)};
    double worst = 0.0;
    for (int i = 0; i < 5; i++) {
        const poy_c128 z = {arguments[i], 0.0};
        (void)poy_sf_spherical_table(ctx, 1, 30, &z, j, y, h);
        for (int l = 0; l <= 30; l++) {
            double complex want;
            const poyi_bessel b = poyi_bessel_spherical(POY_BESSEL_J, l, z.re);
            (void)poyi_big_round(b.value, &want);
            worst = fmax(worst, cabs(at(j, l) - want) / hypot(j[l].re, y[l].re));
        }
    }
    ok(worst < 1e-14, "zeros of j_l do no harm: %.1e", worst);
}

static void test_batches(poy_ctx *ctx)
{
    enum { N = 3000, LMAX = 12 };
    static poy_c128 z[N], first[(LMAX + 1) * N], second[(LMAX + 1) * N];
    int same = 1;
    for (int i = 0; i < N; i++)
        z[i] = (poy_c128){0.02 * i - 20.0, 0.003 * (i % 700) - 1.0};
    poy_ctx_set_threads(ctx, 1);
    ok(poy_sf_spherical_table(ctx, N, LMAX, z, NULL, NULL, first) == POY_OK, "a batch on one thread");
    poy_ctx_set_threads(ctx, 3);
    ok(poy_sf_spherical_table(ctx, N, LMAX, z, NULL, NULL, second) == POY_OK && !memcmp(first, second, sizeof first),
       "the same bits on three");
    for (int i = 0; i < N; i += 37) {
        (void)poy_sf_spherical_table(ctx, 1, LMAX, &z[i], j, NULL, h);
        for (int l = 0; l <= LMAX; l++)
            same &= relative(at(h, l), CMPLX(first[l * N + i].re, first[l * N + i].im)) < 1e-13;
    }
    ok(same, "an element does not depend on its neighbours (but for rounding)");

    const poy_c128 zero = {0.0, 0.0}, tall = {1.0, 800.0}, bad = {(double)NAN, 0.0};
    ok(poy_sf_spherical_table(ctx, 1, 3, &zero, j, NULL, NULL) == POY_OK && j[0].re == 1.0 && j[3].re == 0.0, "j_l(0)");
    ok(poy_sf_spherical_table(ctx, 1, 3, &zero, j, y, NULL) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_spherical_table(ctx, 1, 257, &tall, j, y, NULL) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_spherical_table(ctx, 1, 3, &bad, j, y, NULL) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_spherical_table(ctx, 1, 3, &tall, j, NULL, NULL) == POY_ERR_RANGE && isinf(j[0].im), "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_spherical_table(ctx, 0, 3, NULL, NULL, NULL, NULL) == POY_OK, "an empty batch is fine");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_table(ctx, NULL, "best");
    test_table(ctx, poyi_radial_base, "base");
    test_degrees(ctx);
    test_orders(ctx);
    test_zeros(ctx);
    test_batches(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
