/* test_gamma.c: incomplete gamma functions and Kambe's integral against Arb, published values, closed forms and
 * recurrences, and what bad input gets. */
#include <float.h>

#include "core/core.h"
#include "math/gamma/gamma.h"
#include "unit/special_table.h"

static double complex incgamma(poy_ctx *ctx, double a, double complex z)
{
    const poy_c128 argument = {creal(z), cimag(z)};
    poy_c128 out = {(double)NAN, 0.0};
    (void)poy_sf_incgamma(ctx, 1, &a, &argument, &out);
    return CMPLX(out.re, out.im);
}

static double complex kambe(poy_ctx *ctx, int64_t n, double complex z, double complex eta)
{
    const poy_c128 argument = {creal(z), cimag(z)}, split = {creal(eta), cimag(eta)};
    poy_c128 out = {(double)NAN, 0.0};
    (void)poy_sf_intkambe(ctx, 1, &n, &argument, &split, &out);
    return CMPLX(out.re, out.im);
}

/* The public value is the rounded one, or told to be out of range. */
static int rounded(int status, poy_c128 got, poyi_big exact)
{
    double complex want;
    const int beyond = poyi_big_round(exact, &want);
    return status == (beyond ? POY_ERR_RANGE : POY_OK) && got.re == creal(want) && got.im == cimag(want);
}

static void test_tables(poy_ctx *ctx)
{
    worst_error worst[] = {{"Gamma(n, z)", 1e-13, 0, 0, ""}, {"I_n(z, eta)", 1e-13, 0, 0, ""}};
    char line[512];
    int agree = 1;
    FILE *file = table_open("special/incgamma.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        const int twice = (int)table_number(&rest);
        const double complex z = table_complex(&rest);
        const double a = 0.5 * twice;
        const poy_c128 argument = {creal(z), cimag(z)};
        const poyi_big g = poyi_gamma_upper(twice, z);
        poy_c128 got;
        const int status = (int)poy_sf_incgamma(ctx, 1, &a, &argument, &got);
        agree &= rounded(status, got, g);
        worst_add(&worst[0], relative_big(g, table_big(&rest)), line);
    }
    if (file)
        (void)fclose(file);
    file = table_open("special/intkambe.txt");
    while (file && table_line(file, line, sizeof line)) {
        char *rest = line;
        const int n = (int)table_number(&rest);
        const double complex z = table_complex(&rest), eta = table_complex(&rest);
        const int64_t order = n;
        const poy_c128 argument = {creal(z), cimag(z)}, split = {creal(eta), cimag(eta)};
        const poyi_big integral = poyi_kambe(n, z, eta);
        poy_c128 got;
        const int status = (int)poy_sf_intkambe(ctx, 1, &order, &argument, &split, &got);
        agree &= rounded(status, got, integral);
        worst_add(&worst[1], relative_big(integral, table_big(&rest)), line);
    }
    if (file)
        (void)fclose(file);
    worst_report(worst, 2, 2900);
    ok(agree, "the public functions give these values, rounded");
}

static void test_published(poy_ctx *ctx)
{
    char line[1024];
    published_case c;
    int count = 0;
    FILE *file = table_open("scattering/special.txt");
    while (file && table_line(file, line, sizeof line) && published_read(line, &c)) {
        const double complex z = CMPLX(c.in[1], c.in[2]);
        const int is_gamma = !strcmp(c.op, "incgamma");
        if (!is_gamma && strcmp(c.op, "intkambe") != 0)
            continue;
        const double complex got = is_gamma ? incgamma(ctx, c.in[0], z) : kambe(ctx, (int64_t)c.in[0], z, c.in[3]);
        count++;
        ok(published_pass(&c, got), "published %s(%g, %g%+gi)", c.op, c.in[0], creal(z), cimag(z));
    }
    if (file)
        (void)fclose(file);
    ok(count == 16, "16 published cases");
}

static void test_identities(poy_ctx *ctx)
{
    double up = 0.0, kambe_step = 0.0, closed = 0.0;
    for (int i = 0; i < 300; i++) {
        double u[2], w[2];
        poy_random_uniform2(11, 1, (uint64_t)i, u);
        poy_random_uniform2(11, 2, (uint64_t)i, w);
        const double a = floor(40.0 * u[0] - 20.0) + (i % 2 ? 0.5 : 0.0);
        const double complex z = 12.0 * u[1] * cexp(CMPLX(0.0, 6.2 * w[0] - 3.1));
        /* Gamma(a + 1, z) = a Gamma(a, z) + z^a exp(-z) (DLMF 8.8.2), measured by its largest term */
        const double complex left = incgamma(ctx, a + 1.0, z), right = a * incgamma(ctx, a, z),
                             rest = cpow(z, a) * cexp(-z);
        up = fmax(up, cabs(left - right - rest) / (cabs(left) + cabs(right) + cabs(rest)));

        const int64_t n = (int64_t)floor(20.0 * u[0] - 8.0);
        const double complex y = 0.2 + 3.0 * w[1] + CMPLX(0.0, w[0] - 0.5), eta = 0.4 + w[0];
        const double complex e = cexp((1.0 / (eta * eta) - y * y * eta * eta) / 2.0);
        /* z^2 I_n = (n - 1) I_{n-2} - I_{n-4} + eta^{n-1} E (integration by parts) */
        const double complex terms[4] = {y * y * kambe(ctx, n, y, eta), (double)(n - 1) * kambe(ctx, n - 2, y, eta),
                                         kambe(ctx, n - 4, y, eta), cpow(eta, (double)(n - 1)) * e};
        kambe_step = fmax(kambe_step, cabs(terms[0] - terms[1] + terms[2] - terms[3]) /
                                          (cabs(terms[0]) + cabs(terms[1]) + cabs(terms[2]) + cabs(terms[3])));
        closed = fmax(closed, relative(incgamma(ctx, 3.0, z), (2.0 + 2.0 * z + z * z) * cexp(-z)));
    }
    /* cpow errs by |a| log|z| eps */
    ok(up < 60 * DBL_EPSILON, "recurrence of Gamma(a, z): %.1e", up);
    ok(kambe_step < 60 * DBL_EPSILON, "recurrence of Kambe's integral: %.1e", kambe_step);
    ok(closed < 400 * DBL_EPSILON, "Gamma(3, z) in closed form: %.1e", closed); /* exp(-z) (2 + 2z + z^2) cancels */

    ok(incgamma(ctx, 1.0, CMPLX(-2.0, 0.0)) == exp(2.0), "Gamma(1, z) = exp(-z)");
    ok(fabs(creal(incgamma(ctx, 0.5, 2.0)) - sqrt(acos(-1.0)) * erfc(sqrt(2.0))) < DBL_EPSILON,
       "Gamma(1/2, 2) is an erfc");
    ok(incgamma(ctx, 4.0, 0.0) == 6.0 && fabs(creal(incgamma(ctx, 0.5, 0.0)) - sqrt(acos(-1.0))) < 2 * DBL_EPSILON,
       "Gamma(n, 0) = Gamma(n)");
    const double complex above = incgamma(ctx, -1.5, CMPLX(-3.0, 0.0)), below = incgamma(ctx, -1.5, CMPLX(-3.0, -0.0));
    ok(above == conj(below) && cimag(above) != 0.0, "the sign of a zero chooses the side of the cut");
    ok(fabs(creal(kambe(ctx, -3, 0.0, 0.7)) - expm1(1.0 / (2.0 * 0.7 * 0.7))) < 4 * DBL_EPSILON,
       "I_{-3}(0, eta) = exp(1 / 2 eta^2) - 1");
    ok(relative(kambe(ctx, -3, 1e-12, 0.7), kambe(ctx, -3, 0.0, 0.7)) < 4 * DBL_EPSILON &&
           relative(kambe(ctx, -40, CMPLX(1e-12, 1e-13), CMPLX(0.0, -0.7)), kambe(ctx, -40, 0.0, CMPLX(0.0, -0.7))) <
               4 * DBL_EPSILON,
       "z -> 0 is smooth for n <= -2");
    ok(kambe(ctx, 2, CMPLX(-1.2, 0.3), 0.8) == kambe(ctx, 2, CMPLX(1.2, -0.3), 0.8), "the integral is even in z");
}

/* w by Gamma(1/2, s^2) = sqrt(pi) erfc(s), s = -iz; what the rounding of s^2 changes is put right by
 * w' = 2i / sqrt(pi) - 2 z w. */
static double complex exact_faddeeva(double complex z)
{
    const poyi_xcomplex s = poyi_xturn(poyi_x(z), -1), square = poyi_xmul(s, s);
    const double complex rounded_square = (double complex)square;
    const poyi_xcomplex shift = (square - poyi_x(rounded_square)) / (2.0L * s);
    const poyi_xreal root = sqrtl(acosl(-1.0L));
    const poyi_big g = poyi_big_mul(poyi_gamma_upper(1, rounded_square), poyi_big_exp(poyi_x(rounded_square)));
    double complex w;
    (void)poyi_big_round(poyi_big_times(g, 1.0L / root), &w);
    return w + (CMPLX(0.0, 2.0 / (double)root) - 2.0 * z * w) * (double complex)poyi_xturn(shift, 1);
}

static void test_double_precision(void)
{
    worst_error worst[] = {{"w(z), Im z >= 0, in double precision", 1e-14, 0, 0, ""},
                           {"I_n of a table, real eta", 3e-13, 0, 0, ""}};
    char where[160];
    for (uint64_t i = 0; i < 3000; i++) {
        double u[2];
        poy_random_uniform2(23, 1, i, u);
        const double r = i % 2 ? 8.0 * u[0] : pow(10.0, 8.0 * u[0] - 5.0);
        const double complex z = r * cexp(CMPLX(0.0, i % 7 ? 3.14159 * u[1] : 0.0));
        (void)snprintf(where, sizeof where, "w %.17g %.17g", creal(z), cimag(z));
        worst_add(&worst[0], relative(poyi_faddeeva(z), exact_faddeeva(z)), where);
    }
    const double complex z = CMPLX(0.7, 1.1); /* w(-z) = 2 exp(-z^2) - w(z) */
    ok(relative(poyi_faddeeva(-z), 2.0 * cexp(-z * z) - poyi_faddeeva(z)) < 1e-14, "w in the lower half-plane");
    for (uint64_t i = 0; i < 600; i++) {
        double u[2], v[2];
        double complex even[16], odd[16];
        poy_random_uniform2(23, 2, i, u);
        poy_random_uniform2(23, 3, i, v);
        const double eta = i % 20 ? 0.3 + u[0] : 0.1 + 0.2 * u[0];
        const double complex argument = pow(10.0, 4.0 * u[1] - 3.0) * cexp(CMPLX(0.0, i % 3 ? 0.0 : v[0] - 0.5));
        if (cabs(argument) * eta > 30.0)
            continue;
        poyi_kambe_even(16, argument, eta, even);
        poyi_kambe_odd(16, argument, eta, odd);
        for (int k = 0; k < 16; k += i % 5 ? 15 : 3) {
            double complex first, second;
            if (poyi_big_round(poyi_kambe(2 * k, argument, eta), &first) |
                poyi_big_round(poyi_kambe(2 * k - 1, argument, eta), &second))
                continue;
            (void)snprintf(where, sizeof where, "n = %d z = %.17g %.17g eta = %.17g", 2 * k, creal(argument),
                           cimag(argument), eta);
            worst_add(&worst[1], fmax(relative(even[k], first), relative(odd[k], second)), where);
        }
    }
    worst_report(worst, 2, 500);
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_c128 z = {1.0, 0.0}, zero = {0.0, 0.0}, far = {-800.0, 0.0};
    const double third = 0.3, many = 129.0, minus = -1.0, one = 1.0;
    const int64_t order = -1, high = 600;
    poy_c128 out = {7.0, 7.0};
    ok(poy_sf_incgamma(ctx, 1, &third, &z, &out) == POY_ERR_ARGUMENT && out.re == 7.0, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_incgamma(ctx, 1, &many, &z, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_incgamma(ctx, 1, &minus, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_incgamma(ctx, 1, &one, &far, &out) == POY_ERR_RANGE && isinf(out.re), "%s", poy_ctx_cause(ctx));
    ok(poy_sf_intkambe(ctx, 1, &order, &zero, &z, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_intkambe(ctx, 1, &order, &z, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_intkambe(ctx, 1, &high, &z, &z, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_tables(ctx);
    test_published(ctx);
    test_identities(ctx);
    test_double_precision();
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
