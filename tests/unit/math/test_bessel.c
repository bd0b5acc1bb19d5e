/* test_bessel.c: Bessel functions against Arb over the whole range, published values and reports, identities, and what
 * bad input gets. */
#include <float.h>

#include "core/core.h"
#include "math/bessel/bessel.h"
#include "unit/special_table.h"

typedef poy_status cylindrical_batch(poy_ctx *, size_t, const double *, const poy_c128 *, poy_c128 *);
typedef poy_status spherical_batch(poy_ctx *, size_t, const int64_t *, const poy_c128 *, poy_c128 *);

static cylindrical_batch *const cylindrical[3][4] = {
    {poy_sf_jv, poy_sf_yv, poy_sf_hankel1, poy_sf_hankel2},
    {poy_sf_jv_scaled, poy_sf_yv_scaled, poy_sf_hankel1_scaled, poy_sf_hankel2_scaled},
    {poy_sf_jv_d_scaled, poy_sf_yv_d_scaled, poy_sf_hankel1_d_scaled, poy_sf_hankel2_d_scaled}};
static spherical_batch *const spherical[3][4] = {
    {poy_sf_spherical_jn, poy_sf_spherical_yn, poy_sf_spherical_hankel1, poy_sf_spherical_hankel2},
    {poy_sf_spherical_jn_scaled, poy_sf_spherical_yn_scaled, poy_sf_spherical_hankel1_scaled,
     poy_sf_spherical_hankel2_scaled},
    {poy_sf_spherical_jn_d_scaled, poy_sf_spherical_yn_d_scaled, poy_sf_spherical_hankel1_d_scaled,
     poy_sf_spherical_hankel2_d_scaled}};

/* One value by a public function. */
static poy_status value(poy_ctx *ctx, int is_spherical, int form, int kind, double v, double complex z,
                        double complex *out)
{
    const poy_c128 argument = {creal(z), cimag(z)};
    const int64_t l = (int64_t)v;
    poy_c128 got = {-1.0, -1.0};
    const poy_status status = is_spherical ? spherical[form][kind](ctx, 1, &l, &argument, &got)
                                           : cylindrical[form][kind](ctx, 1, &v, &argument, &got);
    *out = CMPLX(got.re, got.im);
    return status;
}

static poyi_big scaled_big(poyi_big f, poyi_xcomplex power, int kind, double complex z)
{
    return poyi_big_mul(f, poyi_big_exp(power - poyi_bessel_scale((poy_bessel_kind)kind, z)));
}

/* The public forms of a point of the table whose scaled value is f; 1 if they agree with it. */
static int public_forms(poy_ctx *ctx, int is_spherical, int kind, double v, double complex z, poyi_big f,
                        poyi_big slope)
{
    double complex want, got;
    int good = 1;
    for (int form = 0; form < 3; form++) {
        const poyi_big plain = poyi_big_mul(f, poyi_big_exp(poyi_bessel_scale((poy_bessel_kind)kind, z)));
        const poyi_big exact = form == 0 ? plain : form == 1 ? f : slope;
        const int beyond = poyi_big_round(exact, &want);
        const poy_status status = value(ctx, is_spherical, form, kind, v, z, &got);
        if (beyond)
            good &= status == POY_ERR_RANGE && (isinf(creal(got)) || isinf(cimag(got)));
        else if (cabs(want) > DBL_MIN / DBL_EPSILON && cabs(want) < DBL_MAX / 4)
            good &= status == POY_OK && cabs(got - want) <= 1e-13 * cabs(want);
        else
            good &= (status == POY_OK || status == POY_ERR_RANGE) && !isnan(creal(got)) && !isnan(cimag(got));
    }
    return good;
}

static void test_table(poy_ctx *ctx, int is_spherical)
{
    worst_error worst[8] = {{"J_v", 1e-13, 0, 0, ""},         {"Y_v", 1e-13, 0, 0, ""},
                            {"H^(1)_v", 1e-13, 0, 0, ""},     {"H^(2)_v", 1e-13, 0, 0, ""},
                            {"dJ_v/dz", 1e-13, 0, 0, ""},     {"dY_v/dz", 1e-13, 0, 0, ""},
                            {"dH^(1)_v/dz", 1e-13, 0, 0, ""}, {"dH^(2)_v/dz", 1e-13, 0, 0, ""}};
    static const char *const names[8] = {"j_n",     "y_n",     "h^(1)_n",     "h^(2)_n",
                                         "dj_n/dz", "dy_n/dz", "dh^(1)_n/dz", "dh^(2)_n/dz"};
    char line[512];
    int agree = 1;
    FILE *file = table_open(is_spherical ? "special/spherical.txt" : "special/bessel.txt");
    if (!file)
        return;
    for (int i = 0; is_spherical && i < 8; i++)
        worst[i].name = names[i];
    while (table_line(file, line, sizeof line)) {
        char *rest = line;
        const int kind = (int)table_number(&rest);
        const double v = table_number(&rest);
        const double complex z = table_complex(&rest);
        const poyi_big f = table_big(&rest), slope = table_big(&rest);
        const poyi_bessel b = is_spherical ? poyi_bessel_spherical((poy_bessel_kind)kind, (int)v, z)
                                           : poyi_bessel_cylindrical((poy_bessel_kind)kind, v, z);
        worst_add(&worst[kind], relative_big(scaled_big(b.value, b.power, kind, z), f), line);
        worst_add(&worst[kind + 4], relative_big(scaled_big(b.slope, b.power, kind, z), slope), line);
        if (!public_forms(ctx, is_spherical, kind, v, z, f, slope)) {
            agree = 0;
            note("public form at %s", line);
        }
    }
    (void)fclose(file);
    worst_report(worst, 8, 800);
    ok(agree, "the public forms agree with the table, infinities and zeros at the ends of the range");
}

/* ---- published values and reports ---- */

static void test_published(poy_ctx *ctx)
{
    static const char *const ops[] = {"jv", "yv", "hankel1", "hankel2"};
    char line[1024], name[64];
    published_case c;
    int count = 0;
    FILE *file = table_open("scattering/special.txt");
    if (!file)
        return;
    while (table_line(file, line, sizeof line) && published_read(line, &c))
        for (int kind = 0; kind < 4; kind++)
            for (int is_spherical = 0; is_spherical < 2; is_spherical++)
                for (int derivative = 0; derivative < 2; derivative++) {
                    const char *op = is_spherical && kind == 0 ? "jn" : is_spherical && kind == 1 ? "yn" : ops[kind];
                    (void)snprintf(name, sizeof name, "%s%s%s", is_spherical ? "spherical_" : "", op,
                                   derivative ? "_d" : "");
                    if (strcmp(name, c.op) != 0)
                        continue;
                    const double complex z = CMPLX(c.in[1], c.in[2]);
                    double complex got;
                    poy_status status = value(ctx, is_spherical, derivative ? 2 : 0, kind, c.in[0], z, &got);
                    if (derivative) /* the table of functions holds its scaled form */
                        got *= cexp((double complex)poyi_bessel_scale((poy_bessel_kind)kind, z));
                    count++;
                    ok(status == POY_OK && published_pass(&c, got), "published %s(%g, %g%+gi)", c.op, c.in[0], c.in[1],
                       c.in[2]);
                }
    (void)fclose(file);
    ok(count == 34, "34 published cases");
}

/* One line of bessel_reports.txt. */
static void test_report(poy_ctx *ctx, char *line)
{
    char area[64], judged[32], order[16], numbers[6][40];
    if (sscanf(line, "%63s %15s %39s %39s %31s %39s %39s %39s %39s", area, order, numbers[0], numbers[1], judged,
               numbers[2], numbers[3], numbers[4], numbers[5]) != 9) {
        ok(0, "a report can be read: %s", line);
        return;
    }
    const double n = strtod(order, NULL), rtol = strtod(numbers[2], NULL), atol = strtod(numbers[3], NULL);
    const double complex z = CMPLX(strtod(numbers[0], NULL), strtod(numbers[1], NULL));
    const double complex want = CMPLX(strtod(numbers[4], NULL), strtod(numbers[5], NULL));
    const int prime = strstr(area, "prime") != NULL, round = strstr(area, "cyl") == NULL;
    const int kind = strstr(area, "_y") ? 1 : strstr(area, "h1") || strstr(area, "hankel1") ? 2 : 0;
    const int64_t l = (int64_t)n;
    const poy_c128 argument = {creal(z), cimag(z)};
    poy_c128 pair = {0.0, 0.0};
    double complex got;
    int64_t e = 0;
    poy_status status = prime ? poy_sf_spherical_jn_d(ctx, 1, &l, &argument, &pair)
                              : value(ctx, round, !strcmp(judged, "scaled"), kind, n, z, &got);
    if (prime)
        got = CMPLX(pair.re, pair.im);
    if (!strcmp(judged, "zero")) {
        ok(status == POY_OK && got == 0.0, "report: %s(%g, %g) underflows to 0", area, n, creal(z));
    } else if (!strcmp(judged, "minus_infinity")) {
        ok(status == POY_ERR_RANGE && isinf(creal(got)) && creal(got) < 0.0 && cimag(got) == 0.0,
           "report: %s(%g, %g) is -inf with status %s", area, n, creal(z), poy_status_name(status));
    } else if (!strcmp(judged, "log")) {
        status = poy_sf_bessel_split(ctx, 1, (poy_bessel_kind)kind, round, 0, &n, &argument, &pair, &e);
        const double log10_abs = (log2(hypot(pair.re, pair.im)) + (double)e) * log10(2.0);
        ok(status == POY_OK && fabs(log10_abs - creal(want)) < 1e-12 * fabs(creal(want)) &&
               fabs(atan2(pair.im, pair.re) - cimag(want)) < 1e-12,
           "report: %s(%g, %g) in split form", area, n, creal(z));
    } else {
        ok(status == POY_OK && cabs(got - want) <= atol + rtol * cabs(want), "report: %s(%g, %g%+gi) %s", area, n,
           creal(z), cimag(z), judged);
    }
}

static void test_reports(poy_ctx *ctx)
{
    char line[1024];
    int count = 0;
    FILE *file = table_open("scattering/bessel_reports.txt");
    if (!file)
        return;
    for (; table_line(file, line, sizeof line); count++)
        test_report(ctx, line);
    (void)fclose(file);
    ok(count == 14, "14 reports");
}

/* ---- identities ---- */

static double complex one(poy_ctx *ctx, int form, int kind, double v, double complex z)
{
    double complex got = 0.0;
    (void)value(ctx, 0, form, kind, v, z, &got);
    return got;
}

static void test_identities(poy_ctx *ctx)
{
    double wronskian = 0.0, addition = 0.0, jacobi = 0.0, multiplication = 0.0;
    for (int i = 0; i < 200; i++) {
        double u[2];
        poy_random_uniform2(7, 1, (uint64_t)i, u);
        const double v = 100.0 * u[0] - 50.0;
        const double complex z = 30.0 * u[1] * cexp(CMPLX(0.0, 6.0 * u[0] - 3.0)) + 0.01;
        /* H1 H2' - H1' H2 = -4i / (pi z) (DLMF 10.5.5); scaled factors cancel */
        const double complex a = one(ctx, 1, 2, v, z), b = one(ctx, 1, 3, v, z);
        const double complex da = one(ctx, 2, 2, v, z), db = one(ctx, 2, 3, v, z);
        const double complex exact = CMPLX(0.0, -4.0 / acos(-1.0)) / z;
        wronskian = fmax(wronskian, cabs(a * db - da * b - exact) / (cabs(a * db) + cabs(da * b)));
    }
    ok(wronskian < 4 * DBL_EPSILON, "Wronskian of the Hankel functions: %.1e of its terms", wronskian);

    const double x = 7.3, r = 2.1, R = 5.4, angle = 0.7;
    double complex sum = 0.0, plane = 0.0;
    double squares = 0.0;
    for (int m = -60; m <= 60; m++) {
        /* Graf: H_0(|R - r|) = sum H_m(R) J_m(r) e^{i m angle} (DLMF 10.23.7) */
        sum += one(ctx, 0, 2, m, R) * one(ctx, 0, 0, m, r) * cexp(CMPLX(0.0, m * angle));
        plane += cpow(CMPLX(0.0, 1.0), m) * one(ctx, 0, 0, m, x) * cexp(CMPLX(0.0, m * angle));
        squares += creal(one(ctx, 0, 0, m, x) * one(ctx, 0, 0, m, x));
    }
    const double distance = sqrt(R * R + r * r - 2.0 * R * r * cos(angle));
    addition = cabs(sum - one(ctx, 0, 2, 0.0, distance));
    jacobi = cabs(plane - cexp(CMPLX(0.0, x * cos(angle))));
    multiplication = fabs(squares - 1.0);
    ok(addition < 40 * DBL_EPSILON, "Graf's addition theorem: %.1e", addition);
    ok(jacobi < 40 * DBL_EPSILON, "Jacobi and Anger's plane wave: %.1e", jacobi);
    ok(multiplication < 40 * DBL_EPSILON, "Neumann's sum of squares: %.1e", multiplication);

    double parity = 0.0, half = 0.0, small_order = 0.0;
    for (int n = -5; n <= 5; n++) {
        const double complex z = CMPLX(2.0, -0.7);
        parity = fmax(parity, cabs(one(ctx, 0, 0, -n, z) - (n % 2 ? -1.0 : 1.0) * one(ctx, 0, 0, n, z)));
    }
    half = cabs(one(ctx, 0, 0, 0.5, 2.0) - sqrt(1.0 / acos(-1.0)) * sin(2.0));
    small_order = cabs(one(ctx, 0, 1, 1e-310, 2.0) - one(ctx, 0, 1, 0.0, 2.0));
    ok(parity == 0.0, "J_-n = (-1)^n J_n to the bit");
    ok(half < DBL_EPSILON, "J_1/2 in closed form");
    ok(small_order == 0.0, "a subnormal order is 0");
}

/* ---- the cut, the origin, what is refused ---- */

static void test_cut(poy_ctx *ctx)
{
    for (int kind = 0; kind < 4; kind++) {
        const double complex above = one(ctx, 0, kind, 0.3, CMPLX(-2.0, 0.0)),
                             near = one(ctx, 0, kind, 0.3, CMPLX(-2.0, 1e-15));
        const double complex below = one(ctx, 0, kind, 0.3, CMPLX(-2.0, -0.0));
        const double complex nigh = one(ctx, 0, kind, 0.3, CMPLX(-2.0, -1e-15));
        ok(cabs(above - near) < 1e-14 && cabs(below - nigh) < 1e-14 && cabs(above - below) > 0.1,
           "kind %d: the sign of a zero chooses the side of the cut", kind);
    }
}

static void test_origin(poy_ctx *ctx)
{
    const poy_c128 zero = {0.0, 0.0};
    poy_c128 out = {5.0, 5.0};
    double v = 0.0;
    int64_t l = 0;
    ok(poy_sf_jv(ctx, 1, &v, &zero, &out) == POY_OK && out.re == 1.0, "J_0(0) = 1");
    v = -3.0;
    ok(poy_sf_jv(ctx, 1, &v, &zero, &out) == POY_OK && out.re == 0.0, "J_-3(0) = 0");
    v = -1.0;
    ok(poy_sf_jv_d(ctx, 1, &v, &zero, &out) == POY_OK && out.re == -0.5, "J_-1'(0) = -1/2");
    ok(poy_sf_spherical_jn(ctx, 1, &l, &zero, &out) == POY_OK && out.re == 1.0, "j_0(0) = 1");
    ok(poy_sf_spherical_jn_logd(ctx, 1, &l, &zero, &out) == POY_OK && out.re == 0.0, "j_0'/j_0 = 0 at 0");
    out.re = 7.0;
    v = 0.0;
    ok(poy_sf_hankel1(ctx, 1, &v, &zero, &out) == POY_ERR_ARGUMENT && out.re == 7.0, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_yv(ctx, 1, &v, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_spherical_hankel1(ctx, 1, &l, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_spherical_yn_d(ctx, 1, &l, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    v = -0.5;
    ok(poy_sf_jv(ctx, 1, &v, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    v = 0.5;
    ok(poy_sf_jv_d(ctx, 1, &v, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_jv(ctx, 1, &v, &zero, &out) == POY_OK && out.re == 0.0, "J_1/2(0) = 0");
    l = 1;
    ok(poy_sf_spherical_jn_logd(ctx, 1, &l, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_c128 z = {1.0, 1.0}, bad = {(double)NAN, 0.0};
    poy_c128 out[2] = {{7.0, 7.0}, {7.0, 7.0}};
    double v = 1e5;
    int64_t l = -1;
    ok(poy_sf_jv(ctx, 1, &v, &z, out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    v = (double)NAN;
    ok(poy_sf_jv(ctx, 1, &v, &z, out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    v = 1.0;
    ok(poy_sf_jv(ctx, 1, &v, &bad, out) == POY_ERR_ARGUMENT && out[0].re == 7.0, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_spherical_jn(ctx, 1, &l, &z, out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    const int64_t two[2] = {3, 3};
    const poy_c128 arguments[2] = {{1.0, 0.0}, {0.0, 800.0}};
    ok(poy_sf_spherical_jn(ctx, 2, two, arguments, out) == POY_ERR_RANGE && isinf(out[1].im) && out[0].re < 0.01, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_jv(ctx, 0, NULL, NULL, NULL) == POY_OK, "an empty batch is fine");
}

static void test_threads(poy_ctx *ctx)
{
    enum { N = 2000 };
    static double v[N];
    static poy_c128 z[N], first[N], second[N];
    for (int i = 0; i < N; i++) {
        v[i] = i % 60 - 30.0;
        z[i] = (poy_c128){0.01 * i + 0.1, 5.0 - 0.005 * i};
    }
    poy_ctx_set_threads(ctx, 1);
    ok(poy_sf_hankel1(ctx, N, v, z, first) == POY_OK, "one thread");
    poy_ctx_set_threads(ctx, 3);
    ok(poy_sf_hankel1(ctx, N, v, z, second) == POY_OK && !memcmp(first, second, sizeof first),
       "the same bits with three");
}

static void test_logarithmic(poy_ctx *ctx)
{
    /* h_n'/h_n for n >> |z| is -(n + 1) / z (1 + O(z^2 / n)); j_n'/j_n is n / z: both where the values are beyond range */
    const int64_t l = 256;
    const poy_c128 z = {1e-30, 0.0}, far = {0.0, 800.0};
    poy_c128 out;
    ok(poy_sf_spherical_hankel1_logd(ctx, 1, &l, &z, &out) == POY_OK && fabs(out.re / -257e30 - 1.0) < 4 * DBL_EPSILON,
       "h'/h at 1e-30, degree 256");
    ok(poy_sf_spherical_jn_logd(ctx, 1, &l, &z, &out) == POY_OK && fabs(out.re / 256e30 - 1.0) < 4 * DBL_EPSILON,
       "j'/j at 1e-30, degree 256");
    const int64_t zero = 0; /* j_0'/j_0 = cot z - 1 / z = -i coth 800 + i / 800 */
    ok(poy_sf_spherical_jn_logd(ctx, 1, &zero, &far, &out) == POY_OK && fabs(out.im + 1.0 - 1.0 / 800.0) < DBL_EPSILON,
       "j_0'/j_0 at 800 i");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_table(ctx, 0);
    test_table(ctx, 1);
    test_published(ctx);
    test_reports(ctx);
    test_identities(ctx);
    test_cut(ctx);
    test_origin(ctx);
    test_refusals(ctx);
    test_threads(ctx);
    test_logarithmic(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
