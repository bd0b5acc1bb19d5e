/* test_special_diff.c: derivatives of the special functions against differences taken with Arb, the adjoint identity
 * Re <g, J dx> = Re <J* g, dx>, and where no derivative exists. */
#include <float.h>

#include "core/core.h"
#include "math/coordinates.h"
#include "unit/special_table.h"

static const poy_c128 one = {1.0, 0.0}, zero = {0.0, 0.0};

static double error_of(int status, poy_c128 got, poyi_big want)
{
    double complex exact;
    const int beyond = poyi_big_round(want, &exact);
    if (beyond || cabs(exact) > DBL_MAX / 4 || cabs(exact) < DBL_MIN / DBL_EPSILON)
        return isnan(got.re) || isnan(got.im) ? (double)INFINITY : 0.0;
    return status == POY_OK ? relative(CMPLX(got.re, got.im), exact) : (double)INFINITY;
}

/* ---- against Arb ---- */

static double bessel_line(poy_ctx *ctx, char **rest)
{
    const int spherical = (int)table_number(rest), kind = (int)table_number(rest);
    const double v = table_number(rest);
    const double complex z = table_complex(rest);
    const poy_c128 argument = {creal(z), cimag(z)};
    poy_c128 got = {0.0, 0.0};
    const int status = (int)poy_sf_bessel_jvp(ctx, 1, (poy_bessel_kind)kind, spherical, 1, &v, &argument, &one, &got);
    return error_of(status, got, table_big(rest));
}

static double angular_line(poy_ctx *ctx, char **rest)
{
    const int kind = (int)table_number(rest);
    const int64_t l = (int64_t)table_number(rest), m = (int64_t)table_number(rest);
    const double complex z = table_complex(rest);
    const double phi = table_number(rest), still = 0.0;
    const poy_c128 argument = {creal(z), cimag(z)};
    poy_c128 got = {0.0, 0.0};
    int status;
    if (kind < 3)
        status = (int)poy_sf_angular_jvp(ctx, 1, (poy_angular_kind)kind, &l, &m, &argument, &one, &got);
    else
        status = (int)poy_sf_sph_harm_jvp(ctx, 1, &m, &l, &phi, &argument, &still, &one, &got);
    return error_of(status, got, table_big(rest));
}

static double wigner_line(poy_ctx *ctx, char **rest)
{
    const int64_t l = (int64_t)table_number(rest), m = (int64_t)table_number(rest), k = (int64_t)table_number(rest);
    const double complex theta = table_complex(rest);
    const poy_c128 argument = {creal(theta), cimag(theta)};
    const double still = 0.0;
    poy_c128 got = {0.0, 0.0};
    const int status =
        (int)poy_sf_wignerd_jvp(ctx, 1, &l, &m, &k, &still, &argument, &still, &still, &one, &still, &got);
    return error_of(status, got, table_big(rest));
}

static double gamma_line(poy_ctx *ctx, char **rest)
{
    const int which = (int)table_number(rest);
    const int64_t order = (int64_t)table_number(rest);
    const double complex z = table_complex(rest), eta = table_complex(rest);
    const poy_c128 argument = {creal(z), cimag(z)}, split = {creal(eta), cimag(eta)};
    const double a = 0.5 * (double)order;
    poy_c128 got = {0.0, 0.0};
    int status;
    if (which == 0)
        status = (int)poy_sf_incgamma_jvp(ctx, 1, &a, &argument, &one, &got);
    else
        status = (int)poy_sf_intkambe_jvp(ctx, 1, &order, &argument, &split, which == 1 ? &one : &zero,
                                          which == 2 ? &one : &zero, &got);
    return error_of(status, got, table_big(rest));
}

typedef double table_test(poy_ctx *, char **);

static void test_tables(poy_ctx *ctx)
{
    worst_error worst[] = {{"d^2/dz^2 of Bessel functions", 1e-13, 0, 0, ""},
                           {"d/dz of P, pi, tau, d/d(theta) of Y", 1e-13, 0, 0, ""},
                           {"d/d(theta) of d^l_mk", 1e-13, 0, 0, ""},
                           {"d/dz of Gamma; d/dz, d/d(eta) of I_n", 1e-13, 0, 0, ""}};
    static const char *const names[] = {"special/bessel_diff.txt", "special/angular_diff.txt",
                                        "special/wigner_d_diff.txt", "special/gamma_diff.txt"};
    static table_test *const tests[] = {bessel_line, angular_line, wigner_line, gamma_line};
    char line[512];
    for (int i = 0; i < 4; i++) {
        FILE *file = table_open(names[i]);
        while (file && table_line(file, line, sizeof line)) {
            char *rest = line;
            worst_add(&worst[i], tests[i](ctx, &rest), line);
        }
        if (file)
            (void)fclose(file);
    }
    worst_report(worst, 4, 490);
}

/* ---- the adjoint identity ---- */

static uint64_t drawn;

static double draw(void)
{
    double u[2];
    poy_random_uniform2(19, 1, drawn++, u);
    return 2.0 * u[0] - 1.0;
}

static poy_c128 draw_pair(void)
{
    const double re = draw();
    return (poy_c128){re, draw()};
}

/* Re conj(a) b */
static double dot(poy_c128 a, poy_c128 b)
{
    return a.re * b.re + a.im * b.im;
}

/* The two sides of the identity against the sizes of their vectors. */
static double gap(double left, double right, double size)
{
    return fabs(left - right) / size;
}

static double adjoint_bessel(poy_ctx *ctx)
{
    const int kind = (int)(2.0 + 2.0 * draw()), spherical = draw() > 0.0, derivative = draw() > 0.0;
    const double v = spherical ? floor(10.0 + 10.0 * draw()) : 20.0 * draw();
    const poy_c128 z = {6.0 * draw(), 6.0 * draw()}, dz = draw_pair(), g = draw_pair();
    poy_c128 out = zero, bar = zero;
    (void)poy_sf_bessel_jvp(ctx, 1, (poy_bessel_kind)kind, spherical, derivative, &v, &z, &dz, &out);
    (void)poy_sf_bessel_vjp(ctx, 1, (poy_bessel_kind)kind, spherical, derivative, &v, &z, &g, &bar);
    return gap(dot(g, out), dot(bar, dz), hypot(out.re, out.im) * hypot(g.re, g.im));
}

static double adjoint_angular(poy_ctx *ctx)
{
    const int64_t l = (int64_t)(10.0 + 9.0 * draw()), m = (int64_t)((double)l * draw());
    const int kind = (int)(1.5 + 1.5 * draw());
    const poy_c128 z = {draw(), 0.3 * draw()}, dz = draw_pair(), g = draw_pair();
    poy_c128 out = zero, bar = zero;
    (void)poy_sf_angular_jvp(ctx, 1, (poy_angular_kind)kind, &l, &m, &z, &dz, &out);
    (void)poy_sf_angular_vjp(ctx, 1, (poy_angular_kind)kind, &l, &m, &z, &g, &bar);
    return gap(dot(g, out), dot(bar, dz), hypot(out.re, out.im) * hypot(g.re, g.im) + DBL_MIN);
}

static double adjoint_angles(poy_ctx *ctx)
{
    const int64_t l = (int64_t)(10.0 + 9.0 * draw()), m = (int64_t)((double)l * draw()),
                  k = (int64_t)((double)l * draw());
    const double phi = draw(), psi = draw(), d_phi = draw(), d_psi = draw();
    const poy_c128 theta = {1.5 + draw(), 0.2 * draw()}, d_theta = draw_pair(), g = draw_pair();
    poy_c128 out = zero, theta_bar = zero;
    double phi_bar = 0.0, psi_bar = 0.0;
    (void)poy_sf_wignerd_jvp(ctx, 1, &l, &m, &k, &phi, &theta, &psi, &d_phi, &d_theta, &d_psi, &out);
    (void)poy_sf_wignerd_vjp(ctx, 1, &l, &m, &k, &phi, &theta, &psi, &g, &phi_bar, &theta_bar, &psi_bar);
    double worst = gap(dot(g, out), phi_bar * d_phi + dot(theta_bar, d_theta) + psi_bar * d_psi,
                       fabs(phi_bar * d_phi) + fabs(dot(theta_bar, d_theta)) + fabs(psi_bar * d_psi));
    (void)poy_sf_sph_harm_jvp(ctx, 1, &m, &l, &phi, &theta, &d_phi, &d_theta, &out);
    (void)poy_sf_sph_harm_vjp(ctx, 1, &m, &l, &phi, &theta, &g, &phi_bar, &theta_bar);
    worst = fmax(worst, gap(dot(g, out), phi_bar * d_phi + dot(theta_bar, d_theta),
                            fabs(phi_bar * d_phi) + fabs(dot(theta_bar, d_theta))));
    return worst;
}

static double adjoint_gamma(poy_ctx *ctx)
{
    const double a = 0.5 * floor(20.0 * draw());
    const int64_t n = (int64_t)(10.0 * draw());
    const poy_c128 z = {2.1 + 2.0 * draw(), 2.0 * draw()}, eta = {1.0 + 0.5 * draw(), 0.3 * draw()};
    const poy_c128 dz = draw_pair(), d_eta = draw_pair(), g = draw_pair();
    poy_c128 out = zero, z_bar = zero, eta_bar = zero;
    (void)poy_sf_incgamma_jvp(ctx, 1, &a, &z, &dz, &out);
    (void)poy_sf_incgamma_vjp(ctx, 1, &a, &z, &g, &z_bar);
    double worst = gap(dot(g, out), dot(z_bar, dz), hypot(out.re, out.im) * hypot(g.re, g.im));
    (void)poy_sf_intkambe_jvp(ctx, 1, &n, &z, &eta, &dz, &d_eta, &out);
    (void)poy_sf_intkambe_vjp(ctx, 1, &n, &z, &eta, &g, &z_bar, &eta_bar);
    worst = fmax(worst, gap(dot(g, out), dot(z_bar, dz) + dot(eta_bar, d_eta),
                            fabs(dot(z_bar, dz)) + fabs(dot(eta_bar, d_eta))));
    return worst;
}

static double adjoint_coordinates(poy_ctx *ctx)
{
    const poy_transform t = (poy_transform)(drawn % POY_TRANSFORM_COUNT);
    const int d = poyi_transform_dimension(t);
    double p[3], dp[3], g[3] = {0.0}, out[3] = {0.0}, bar[3] = {0.0}, left = 0.0, right = 0.0, size = 0.0;
    poy_c128 v[3], dv[3], gv[3], out_v[3] = {zero, zero, zero}, v_bar[3] = {zero, zero, zero};
    for (int k = 0; k < 3; k++) {
        p[k] = 1.2 + draw();
        dp[k] = draw();
        g[k] = draw();
        v[k] = draw_pair();
        dv[k] = draw_pair();
        gv[k] = draw_pair();
    }
    (void)poy_sf_coordinates_jvp(ctx, 1, t, p, dp, out);
    (void)poy_sf_coordinates_vjp(ctx, 1, t, p, g, bar);
    for (int k = 0; k < d && k < 3; k++) {
        left += g[k] * out[k];
        right += bar[k] * dp[k];
        size += fabs(g[k] * out[k]) + fabs(bar[k] * dp[k]);
    }
    double worst = gap(left, right, size);
    (void)poy_sf_vector_coordinates_jvp(ctx, 1, t, v, p, dv, dp, out_v);
    (void)poy_sf_vector_coordinates_vjp(ctx, 1, t, v, p, gv, v_bar, bar);
    left = right = size = 0.0;
    for (int k = 0; k < d && k < 3; k++) {
        left += dot(gv[k], out_v[k]);
        right += dot(v_bar[k], dv[k]) + bar[k] * dp[k];
        size += fabs(dot(gv[k], out_v[k])) + fabs(bar[k] * dp[k]);
    }
    return fmax(worst, gap(left, right, size));
}

typedef double adjoint_test(poy_ctx *);

static void test_adjoint(poy_ctx *ctx)
{
    static adjoint_test *const tests[] = {adjoint_bessel, adjoint_angular, adjoint_angles, adjoint_gamma,
                                          adjoint_coordinates};
    static const char *const names[] = {"Bessel functions", "angular functions", "D and Y_lm", "Gamma and Kambe",
                                        "coordinates and vectors"};
    for (int k = 0; k < 5; k++) {
        double worst = 0.0;
        for (int i = 0; i < 200; i++) {
            const double error = tests[k](ctx);
            worst = isnan(error) ? (double)INFINITY : fmax(worst, error);
        }
        ok(worst < 1e-12, "adjoint identity, %s: %.1e", names[k], worst);
    }
}

/* ---- coordinates against differences ---- */

typedef poy_status point_batch(poy_ctx *, size_t, const double *, double *);
typedef poy_status vector_batch(poy_ctx *, size_t, const poy_c128 *, const double *, poy_c128 *);

static void test_coordinates(poy_ctx *ctx)
{
    static point_batch *const points[] = {poy_sf_car2cyl, poy_sf_car2pol, poy_sf_car2sph, poy_sf_cyl2car,
                                          poy_sf_cyl2sph, poy_sf_pol2car, poy_sf_sph2car, poy_sf_sph2cyl};
    static vector_batch *const vectors[] = {poy_sf_vcar2cyl, poy_sf_vcar2pol, poy_sf_vcar2sph, poy_sf_vcyl2car,
                                            poy_sf_vcyl2sph, poy_sf_vpol2car, poy_sf_vsph2car, poy_sf_vsph2cyl};
    const double p[3] = {0.9, 0.7, 1.3}, dp[3] = {0.3, -0.8, 0.5}, h = 1e-5;
    const poy_c128 v[3] = {{0.2, 1.0}, {-1.1, 0.4}, {0.6, -0.3}}, dv[3] = {{1.0, 0.1}, {0.2, -0.9}, {-0.4, 0.5}};
    for (int t = 0; t < POY_TRANSFORM_COUNT; t++) {
        double plus[3], minus[3], a[3] = {0.0}, b[3] = {0.0}, out[3] = {0.0}, worst = 0.0;
        poy_c128 v_plus[3], v_minus[3], c[3] = {zero, zero, zero}, e[3] = {zero, zero, zero}, w[3] = {zero, zero, zero};
        for (int k = 0; k < 3; k++) {
            plus[k] = p[k] + h * dp[k];
            minus[k] = p[k] - h * dp[k];
            v_plus[k] = (poy_c128){v[k].re + h * dv[k].re, v[k].im + h * dv[k].im};
            v_minus[k] = (poy_c128){v[k].re - h * dv[k].re, v[k].im - h * dv[k].im};
        }
        (void)points[t](ctx, 1, plus, a);
        (void)points[t](ctx, 1, minus, b);
        (void)vectors[t](ctx, 1, v_plus, plus, c);
        (void)vectors[t](ctx, 1, v_minus, minus, e);
        (void)poy_sf_coordinates_jvp(ctx, 1, (poy_transform)t, p, dp, out);
        (void)poy_sf_vector_coordinates_jvp(ctx, 1, (poy_transform)t, v, p, dv, dp, w);
        for (int k = 0; k < poyi_transform_dimension((poy_transform)t); k++) {
            worst = fmax(worst, fabs((a[k] - b[k]) / (2.0 * h) - out[k]));
            worst = fmax(worst,
                         hypot((c[k].re - e[k].re) / (2.0 * h) - w[k].re, (c[k].im - e[k].im) / (2.0 * h) - w[k].im));
        }
        /* h^2 times third derivatives below 10, eps / h */
        ok(worst < 2e-9, "%s against differences: %.1e", poyi_transform_name((poy_transform)t), worst);
    }
}

/* ---- where there is none ---- */

static void test_refusals(poy_ctx *ctx)
{
    const double half = 0.5, first = 1.0, axis[3] = {0.0, 0.0, 1.0}, still[3] = {0.0, 0.0, 0.0};
    const int64_t l = 3, m = 1, n = -2, none = 0;
    const poy_c128 v[3] = {one, one, one};
    poy_c128 out = {7.0, 7.0}, vector[3];
    double point[3] = {7.0, 7.0, 7.0};
    ok(poy_sf_bessel_jvp(ctx, 1, POY_BESSEL_J, 0, 0, &half, &zero, &one, &out) == POY_ERR_ARGUMENT && out.re == 7.0,
       "%s", poy_ctx_cause(ctx));
    ok(poy_sf_bessel_vjp(ctx, 1, POY_BESSEL_J, 0, 0, &half, &zero, &zero, &out) == POY_OK && out.re == 0.0,
       "no cotangent, no complaint");
    ok(poy_sf_bessel_vjp(ctx, 1, POY_BESSEL_H1, 0, 0, &first, &zero, &one, &out) == POY_ERR_ARGUMENT, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_bessel_jvp(ctx, 1, POY_BESSEL_J, 1, 0, &first, &zero, &one, &out) == POY_OK && out.re == 1.0 / 3.0,
       "j_1'(0) = 1/3");
    ok(poy_sf_angular_jvp(ctx, 1, POY_ANGULAR_LPMV, &l, &m, &one, &one, &out) == POY_ERR_ARGUMENT, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_angular_jvp(ctx, 1, POY_ANGULAR_PI, &l, &m, &one, &one, &out) == POY_OK && out.re == -15.0,
       "pi_31 has the slope -P_3''(1) = -15 at the pole");
    ok(poy_sf_angular_jvp(ctx, 1, POY_ANGULAR_LPMV, &l, &none, &one, &one, &out) == POY_OK && out.re == 6.0,
       "P_3'(1) = 6");
    ok(poy_sf_incgamma_jvp(ctx, 1, &half, &zero, &one, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_incgamma_jvp(ctx, 1, &first, &zero, &one, &out) == POY_OK && out.re == -1.0,
       "d/dz Gamma(1, z) = -1 at 0");
    ok(poy_sf_intkambe_jvp(ctx, 1, &n, &zero, &one, &one, &zero, &out) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_sf_coordinates_jvp(ctx, 1, POY_CAR2SPH, axis, axis, point) == POY_ERR_ARGUMENT && point[0] == 7.0, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_coordinates_jvp(ctx, 1, POY_CAR2SPH, axis, still, point) == POY_OK && point[0] == 0.0, "a point at rest");
    ok(poy_sf_vector_coordinates_vjp(ctx, 1, POY_CAR2CYL, v, axis, v, vector, point) == POY_ERR_ARGUMENT, "%s",
       poy_ctx_cause(ctx));
    ok(poy_sf_coordinates_jvp(ctx, 1, (poy_transform)99, axis, axis, point) == POY_ERR_ARGUMENT, "%s",
       poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_tables(ctx);
    test_adjoint(ctx);
    test_coordinates(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
