/* test_angular.c: Legendre functions, spherical harmonics, rotations and 3j symbols against Arb, published values,
 * identities, poles, and what bad input gets. */
#include <float.h>

#include "core/core.h"
#include "math/angular/legendre.h"
#include "math/angular/wigner.h"
#include "math/math.h"
#include "unit/special_table.h"

static int angular(poy_ctx *ctx, int kind, int64_t l, int64_t m, double complex z, double phi, poy_c128 *out)
{
    const poy_c128 argument = {creal(z), cimag(z)};
    switch (kind) {
    case 0: return (int)poy_sf_lpmv(ctx, 1, &m, &l, &argument, out);
    case 1: return (int)poy_sf_pi_fun(ctx, 1, &l, &m, &argument, out);
    case 2: return (int)poy_sf_tau_fun(ctx, 1, &l, &m, &argument, out);
    default: return (int)poy_sf_sph_harm(ctx, 1, &m, &l, &phi, &argument, out);
    }
}

/* The error of a public value against a table's, which may be out of range; 0 if that is told rightly. */
static double public_error(int status, poy_c128 got, poyi_big want)
{
    double complex exact;
    const int beyond = poyi_big_round(want, &exact);
    const double complex value = CMPLX(got.re, got.im);
    if (beyond || cabs(exact) > DBL_MAX / 4)
        return status == POY_ERR_RANGE ? 0.0 : relative(value, exact);
    if (status != POY_OK)
        return (double)INFINITY;
    return cabs(exact) < DBL_MIN / DBL_EPSILON ? cabs(value - exact) / DBL_MIN * 1e-14 : relative(value, exact);
}

static void test_angular_table(poy_ctx *ctx)
{
    worst_error worst[] = {{"P_l^m", 1e-13, 0, 0, ""},
                           {"pi_lm = m P_l^m / sin", 1e-13, 0, 0, ""},
                           {"tau_lm = dP_l^m / d(theta)", 1e-13, 0, 0, ""},
                           {"Y_lm", 1e-13, 0, 0, ""}};
    char line[512];
    FILE *file = table_open("special/angular.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        const int kind = (int)table_number(&rest);
        const int64_t l = (int64_t)table_number(&rest), m = (int64_t)table_number(&rest);
        const double complex z = table_complex(&rest);
        const double phi = table_number(&rest);
        const poyi_big want = table_big(&rest);
        poy_c128 got = {0.0, 0.0};
        const int status = angular(ctx, kind, l, m, z, phi, &got);
        worst_add(&worst[kind], public_error(status, got, want), line);
    }
    if (file)
        (void)fclose(file);
    worst_report(worst, 4, 800);
}

static void test_wigner_tables(poy_ctx *ctx)
{
    worst_error worst[] = {{"d^l_mk", 1e-13, 0, 0, ""}, {"3j symbols", 1e-13, 0, 0, ""}};
    char line[512];
    FILE *file = table_open("special/wigner_d.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        const int64_t l = (int64_t)table_number(&rest), m = (int64_t)table_number(&rest),
                      k = (int64_t)table_number(&rest);
        const double complex theta = table_complex(&rest);
        const poy_c128 argument = {creal(theta), cimag(theta)};
        const poyi_big want = table_big(&rest);
        poy_c128 got = {0.0, 0.0};
        const int status = (int)poy_sf_wignersmalld(ctx, 1, &l, &m, &k, &argument, &got);
        worst_add(&worst[0], public_error(status, got, want), line);
    }
    if (file)
        (void)fclose(file);
    file = table_open("special/threej.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        int64_t q[6];
        for (int i = 0; i < 6; i++)
            q[i] = (int64_t)table_number(&rest);
        const double m = table_number(&rest), want = ldexp(m, (int)table_number(&rest));
        double got = 1.0;
        const poy_status status = poy_sf_wigner3j(ctx, 1, &q[0], &q[1], &q[2], &q[3], &q[4], &q[5], &got);
        /* where the exact value is 0 by no symmetry the recurrence leaves its rounding, 1e-19 of the largest symbol */
        const double error = want == 0.0 ? (fabs(got) < 1e-18 ? 0.0 : 1.0) : fabs(got - want) / fabs(want);
        worst_add(&worst[1], status == POY_OK ? error : (double)INFINITY, line);
    }
    if (file)
        (void)fclose(file);
    worst_report(worst, 2, 2000);
}

static void test_published(poy_ctx *ctx)
{
    char line[1024];
    published_case c;
    int count = 0;
    FILE *file = table_open("scattering/special.txt");
    while (file && table_line(file, line, sizeof line) && published_read(line, &c)) {
        const int64_t a[6] = {(int64_t)c.in[0], (int64_t)c.in[1], (int64_t)c.in[2],
                              (int64_t)c.in[3], (int64_t)c.in[4], (int64_t)c.in[5]};
        const double complex z = CMPLX(c.in[2], c.in[3]);
        const poy_c128 theta = {c.in[3], 0.0}, beta = {c.in[4], 0.0};
        poy_c128 got = {0.0, 0.0};
        int status = POY_OK;
        if (!strcmp(c.op, "lpmv"))
            status = angular(ctx, 0, a[0], a[1], z, 0.0, &got);
        else if (!strcmp(c.op, "pi_fun"))
            status = angular(ctx, 1, a[0], a[1], z, 0.0, &got);
        else if (!strcmp(c.op, "tau_fun"))
            status = angular(ctx, 2, a[0], a[1], z, 0.0, &got);
        else if (!strcmp(c.op, "sph_harm"))
            status = angular(ctx, 3, a[0], a[1], z, c.in[4], &got);
        else if (!strcmp(c.op, "wignersmalld"))
            status = (int)poy_sf_wignersmalld(ctx, 1, &a[0], &a[1], &a[2], &theta, &got);
        else if (!strcmp(c.op, "wignerd"))
            status = (int)poy_sf_wignerd(ctx, 1, &a[0], &a[1], &a[2], &c.in[3], &beta, &c.in[5], &got);
        else if (!strcmp(c.op, "wigner3j"))
            status = (int)poy_sf_wigner3j(ctx, 1, &a[0], &a[1], &a[2], &a[3], &a[4], &a[5], &got.re);
        else
            continue;
        count++;
        ok(status == POY_OK && published_pass(&c, CMPLX(got.re, got.im)), "published %s(%g, %g, %g, %g)", c.op, c.in[0],
           c.in[1], c.in[2], c.in[3]);
    }
    if (file)
        (void)fclose(file);
    ok(count == 31, "31 published cases");
}

static void test_real_degree(poy_ctx *ctx)
{
    worst_error worst[] = {{"P_v^m of real degree", 1e-13, 0, 0, ""}};
    char line[512];
    FILE *file = table_open("special/legendre_real.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        const double v = table_number(&rest);
        const int64_t m = (int64_t)table_number(&rest);
        const double x = table_number(&rest), mantissa = table_number(&rest);
        const poyi_big want = poyi_big_make((poyi_xreal)mantissa, (int64_t)table_number(&rest));
        poy_c128 got = {0.0, 0.0};
        const int status = (int)poy_sf_lpmv_real(ctx, 1, &m, &v, &x, &got.re);
        worst_add(&worst[0], public_error(status, got, want), line);
    }
    if (file)
        (void)fclose(file);
    worst_report(worst, 1, 500);

    const double half = 0.5, one = 1.0, minus = -1.0, out_of = 1.5, three = 3.0;
    const int64_t none = 0, two = 2, odd = 1;
    double out = 7.0;
    ok(poy_sf_lpmv_real(ctx, 1, &none, &half, &one, &out) == POY_OK && out == 1.0, "P_1/2(1) = 1");
    ok(poy_sf_lpmv_real(ctx, 1, &two, &three, &out_of, &out) == POY_OK && fabs(out + 28.125) < 1e-13,
       "P_3^2(3/2) = 15 x (1 - x^2) = -28.125");
    out = 7.0;
    ok(poy_sf_lpmv_real(ctx, 1, &none, &half, &minus, &out) == POY_ERR_ARGUMENT && out == 7.0, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_lpmv_real(ctx, 1, &odd, &three, &out_of, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    const double high = 300.5;
    ok(poy_sf_lpmv_real(ctx, 1, &odd, &high, &half, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
}

/* ---- identities ---- */

static void test_orthogonality(void)
{
    /* sum_j (2j + 1) (j1 j2 j; m1 m2 m)(j1 j2 j; n1 n2 m) = delta (DLMF 34.3.16) */
    static double a[600], b[600];
    double off = 0.0, unit = 0.0;
    for (int j1 = 0; j1 <= 260; j1 += 52)
        for (int j2 = 7; j2 <= 260; j2 += 84)
            for (int m1 = -j1; m1 <= j1; m1 += 13) {
                const int m2 = j2 / 2 - j2 % 3, n1 = m1 + 1, n2 = m2 - 1;
                int first, second;
                const int count = poyi_threej_table(j1, j2, m1, m2, &first, a);
                const int other = poyi_threej_table(j1, j2, n1, n2, &second, b);
                double sum = 0.0, square = 0.0;
                for (int i = 0; i < count; i++) {
                    square += (2 * (first + i) + 1) * a[i] * a[i];
                    if (other > 0)
                        sum += (2 * (first + i) + 1) * a[i] * b[i];
                }
                off = fmax(off, fabs(sum));
                unit = fmax(unit, fabs(square - 1.0));
            }
    ok(off < 1e-14, "rows of 3j symbols are orthogonal: %.1e", off); /* 520 terms of eps, random */
    ok(unit < 4e-15, "and of length 1: %.1e", unit);
}

static double complex big_d(poy_ctx *ctx, int64_t l, int64_t m, int64_t k, const double angles[3])
{
    const poy_c128 theta = {angles[1], 0.0};
    poy_c128 out = {(double)NAN, 0.0};
    (void)poy_sf_wignerd(ctx, 1, &l, &m, &k, &angles[0], &theta, &angles[2], &out);
    return CMPLX(out.re, out.im);
}

/* The rotation of (phi, theta, psi), z-y-z, as a matrix. */
static void euler(const double a[3], double r[3][3])
{
    const double cp = cos(a[0]), sp = sin(a[0]), ct = cos(a[1]), st = sin(a[1]), cs = cos(a[2]), ss = sin(a[2]);
    const double m[3][3] = {{cp * ct * cs - sp * ss, -cp * ct * ss - sp * cs, cp * st},
                            {sp * ct * cs + cp * ss, -sp * ct * ss + cp * cs, sp * st},
                            {-st * cs, st * ss, ct}};
    memcpy(r, m, sizeof m);
}

static void test_rotations(poy_ctx *ctx)
{
    const double first[3] = {0.4, 1.1, -2.0}, second[3] = {2.5, 0.3, 0.9};
    double r[3][3], s[3][3], t[3][3] = {{0.0}}, worst = 0.0, unitary = 0.0;
    euler(first, r);
    euler(second, s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                t[i][j] += r[i][k] * s[k][j];
    const double both[3] = {atan2(t[1][2], t[0][2]), acos(t[2][2]), atan2(t[2][1], -t[2][0])};
    for (int64_t l = 1; l <= 24; l += 23)
        for (int64_t m = -l; m <= l; m += 3)
            for (int64_t k = -l; k <= l; k++) {
                double complex sum = 0.0, square = 0.0;
                for (int64_t q = -l; q <= l; q++) {
                    sum += big_d(ctx, l, m, q, first) * big_d(ctx, l, q, k, second);
                    square += big_d(ctx, l, m, q, first) * conj(big_d(ctx, l, k, q, first));
                }
                worst = fmax(worst, cabs(sum - big_d(ctx, l, m, k, both)));
                unitary = fmax(unitary, cabs(square - (m == k ? 1.0 : 0.0)));
            }
    ok(worst < 24 * 20 * DBL_EPSILON, "D matrices compose as rotations do: %.1e",
       worst); /* angles err by eps, times l */
    ok(unitary < 20 * DBL_EPSILON, "and are unitary: %.1e", unitary);
}

static void test_addition(poy_ctx *ctx)
{
    /* P_l(cos gamma) = 4 pi / (2l + 1) sum_m Y_lm Y_lm^* (DLMF 14.30.9) */
    double worst = 0.0;
    for (int64_t l = 0; l <= 60; l += 12) {
        const double t1 = 0.7, p1 = 0.3, t2 = 2.2, p2 = -1.1;
        const double cosine = cos(t1) * cos(t2) + sin(t1) * sin(t2) * cos(p1 - p2);
        double complex sum = 0.0;
        poy_c128 a, b, p;
        for (int64_t m = -l; m <= l; m++) {
            (void)angular(ctx, 3, l, m, t1, p1, &a);
            (void)angular(ctx, 3, l, m, t2, p2, &b);
            sum += CMPLX(a.re, a.im) * CMPLX(b.re, -b.im);
        }
        (void)angular(ctx, 0, l, 0, cosine, 0.0, &p);
        worst = fmax(worst, cabs(sum * 4.0 * acos(-1.0) / (double)(2 * l + 1) - p.re));
    }
    ok(worst < 60 * 60 * DBL_EPSILON, "addition theorem of spherical harmonics: %.1e", worst); /* P' <= l^2 / 2 */
}

static void test_poles(poy_ctx *ctx)
{
    int good = 1;
    for (int64_t l = 1; l <= 128; l += 7)
        for (int side = -1; side <= 1; side += 2)
            for (int64_t m = -2; m <= 2; m++) {
                const double z = side, power = l % 2 ? 1.0 : z; /* z^{l+1} */
                const double limit = m == 1 ? -power * (double)(l * (l + 1)) / 2.0 : m == -1 ? -power / 2.0 : 0.0;
                poy_c128 pi, tau;
                good &=
                    angular(ctx, 1, l, m, z, 0.0, &pi) == POY_OK && fabs(pi.re - limit) <= DBL_EPSILON * fabs(limit);
                /* tau = cos(theta) pi for |m| = 1 there, with the sign of m */
                good &= angular(ctx, 2, l, m, z, 0.0, &tau) == POY_OK &&
                        fabs(tau.re - z * (double)m * limit) <= DBL_EPSILON * fabs(limit);
            }
    ok(good, "pi and tau at the poles");

    const int64_t l = 1, zero = 0, one = 1;
    const poy_c128 small = {1e-10, 0.0}, none = {0.0, 0.0}, pi = {acos(-1.0), 0.0};
    poy_c128 out;
    ok(poy_sf_wignersmalld(ctx, 1, &l, &zero, &one, &small, &out) == POY_OK && fabs(out.re - 1e-10 / sqrt(2.0)) < 1e-25,
       "d^1_01(1e-10) keeps its digits");
    ok(poy_sf_wignersmalld(ctx, 1, &l, &one, &one, &none, &out) == POY_OK && out.re == 1.0, "d(0) is the identity");
    ok(poy_sf_wignersmalld(ctx, 1, &l, &one, &zero, &none, &out) == POY_OK && out.re == 0.0, "off its diagonal, too");
    const int64_t minus = -1;
    ok(poy_sf_wignersmalld(ctx, 1, &l, &one, &minus, &pi, &out) == POY_OK && fabs(out.re - 1.0) < DBL_EPSILON,
       "d^1_{1,-1}(pi) = 1");
    ok(angular(ctx, 0, 2, 5, 0.3, 0.0, &out) == POY_OK && out.re == 0.0, "P_2^5 = 0");
    ok(poyi_threej(3, 4, 5, 1, 1, 1) == 0.0 && poyi_threej(1, 1, 5, 0, 0, 0) == 0.0 &&
           poyi_threej(2, 3, 4, 0, 0, 0) == 0.0 && poyi_threej(5, 5, 7, 3, 3, -6) == 0.0 &&
           poyi_threej(4, 7, 4, -2, 4, -2) == 0.0,
       "selection rules and symmetries give exact zeros");
}

static double complex normalised(poyi_big f, int l, int m)
{
    double complex value;
    (void)poyi_big_round(poyi_big_times(f, sqrtl((2 * l + 1) / (4.0L * POYI_PIL) * poyi_factorial_ratio(l, m))),
                         &value);
    return value;
}

static void test_double_precision(void)
{
    enum { LMAX = 128, SIZE = (LMAX + 1) * (LMAX + 2) / 2 };
    static double complex p[SIZE], pi[SIZE], tau[SIZE];
    worst_error worst[] = {{"P, pi, tau of a table", 1e-13, 0, 0, ""}};
    for (int i = 0; i < 24; i++) {
        double u[2];
        char where[64];
        poy_random_uniform2(31, 1, (uint64_t)i, u);
        const double complex theta = i % 3 == 0   ? CMPLX(pow(10.0, -12.0 * u[0]), 0.0)
                                     : i % 3 == 1 ? CMPLX(3.14 * u[0], 0.0)
                                                  : CMPLX(3.14 * u[0], 0.3 * u[1]);
        const double complex z = ccos(theta), w = csin(theta);
        poyi_angular_table(LMAX, z, w, p, pi, tau);
        for (int l = 1; l <= LMAX; l += i % 2 ? 1 : 9)
            for (int m = 0; m <= l; m++) {
                const int at = l * (l + 1) / 2 + m;
                const poyi_angular a = poyi_angular_functions(l, m, poyi_x(z), poyi_x(w));
                const double complex exact[3] = {normalised(a.p, l, m), normalised(a.pi, l, m),
                                                 normalised(a.tau, l, m)};
                const double size = cabs(exact[0]) + cabs(exact[2]) / l;
                if (size < 1e-280)
                    continue;
                (void)snprintf(where, sizeof where, "l %d m %d theta %g %g", l, m, creal(theta), cimag(theta));
                worst_add(&worst[0], cabs(p[at] - exact[0]) / size, where);
                worst_add(&worst[0], cabs(tau[at] - exact[2]) / size / l, where);
                worst_add(&worst[0], cabs(pi[at] - exact[1]) / (cabs(exact[1]) + l * size), where);
            }
    }
    worst_report(worst, 1, 1000);
}

static void test_refusals(poy_ctx *ctx)
{
    const int64_t j = 300, one = 1, zero = 0, high = 257, minus = -1, two = 2;
    const poy_c128 z = {0.3, 0.0}, bad = {(double)INFINITY, 0.0};
    const double phi = (double)NAN;
    poy_c128 out = {7.0, 7.0};
    double symbol = 7.0;
    ok(poy_sf_wigner3j(ctx, 1, &j, &one, &one, &zero, &zero, &zero, &symbol) == POY_ERR_ARGUMENT && symbol == 7.0, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_wigner3j(ctx, 1, &minus, &one, &one, &zero, &zero, &zero, &symbol) == POY_ERR_ARGUMENT, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_lpmv(ctx, 1, &zero, &high, &z, &out) == POY_ERR_ARGUMENT && out.re == 7.0, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_tau_fun(ctx, 1, &one, &one, &bad, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_sph_harm(ctx, 1, &one, &one, &phi, &z, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_wignersmalld(ctx, 1, &one, &two, &zero, &z, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    const int64_t big = 128;
    const poy_c128 far = {1e5, 0.0};
    ok(poy_sf_lpmv(ctx, 1, &big, &big, &far, &out) == POY_ERR_RANGE && isinf(out.re) + isinf(out.im) > 0, "%s",
       poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_angular_table(ctx);
    test_wigner_tables(ctx);
    test_real_degree(ctx);
    test_published(ctx);
    test_orthogonality();
    test_rotations(ctx);
    test_addition(ctx);
    test_poles(ctx);
    test_double_precision();
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
