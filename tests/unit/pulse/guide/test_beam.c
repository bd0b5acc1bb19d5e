/* test_beam.c: beams out of focus, behind irises and apertures: what passes, and what goes into modes, against closed forms, sums over
 * complete sets of modes, and integrals done in another way. */
#define _XOPEN_SOURCE 700 /* j0 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "poynting/guide.h"
#include "pulse/guide/rule.h"
#include "tap.h"

enum { MODES = 76 };
static const double OMEGA = 2.0 * POYI_PI * POYI_C / 800e-9, CORE = 75e-6, WAIST = 48e-6;
static poy_ctx *ctx;
static poy_guide *guide; /* HE11 ... HE1,76 */

static double off(double got, double want)
{
    return fabs(got / want - 1.0);
}

static poy_beam beam_of(double distance, double iris, double aperture, double edge)
{
    poy_beam b;
    poy_beam_init(&b);
    b.waist = WAIST;
    b.distance = distance;
    b.iris = iris;
    b.aperture = aperture;
    b.aperture_edge = edge;
    return b;
}

static double passed(poy_beam b)
{
    double share = -1.0;
    if (poy_beam_passed(ctx, &b, OMEGA, &share) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    return share;
}

/* Share of the power in HE11 ... HE1M, which hold all of a beam on the axis, within the core, as M grows. */
static double in_modes(poy_beam b, int modes)
{
    double sum = 0.0, c[2];
    for (int m = 0; m < modes; m++) {
        if (poy_guide_couple_beam(ctx, guide, m, 0.0, OMEGA, 0.0, &b, c) != POY_OK)
            note("%s", poy_ctx_message(ctx));
        sum += c[0] * c[0] + c[1] * c[1];
    }
    return sum;
}

/* ---- what passes ---- */

static void check_apertures(void)
{
    const double a = 40e-6, z = 6e-3, range = 0.5 * OMEGA / POYI_C * WAIST * WAIST;
    const double wide = WAIST * sqrt(1.0 + z * z / (range * range));
    double got = passed(beam_of(0.0, 0.0, a, 0.0));
    ok(off(got, -expm1(-2.0 * a * a / (WAIST * WAIST))) < 1e-13, "a hard aperture: 1 - exp(-2 a^2/w^2) = %.6f", got);
    got = passed(beam_of(z, 0.0, a, 0.0));
    ok(off(got, -expm1(-2.0 * a * a / (wide * wide))) < 1e-13, "%g mm from the waist w is %.4g um: %.6f", z * 1e3,
       wide * 1e6, got);
    ok(off(passed(beam_of(-z, 0.0, a, 0.0)), got) < 1e-13, "on the other side, too");
    ok(passed(beam_of(z, 0.0, 0.0, 0.0)) == 1.0, "without one: all");

    /* beside the axis: integral (4 r/w^2) exp(-2 (r^2 + d^2)/w^2) I_0(4 r d/w^2) dr, by Simpson's rule */
    const double d = 30e-6;
    double sum = 0.0;
    for (int i = 0; i <= 2000; i++) {
        const double r = a * i / 2000, x = 2.0 * r * d / (WAIST * WAIST);
        double term = 1.0, bessel = 1.0;
        for (int k = 1; k < 60; k++)
            bessel += term *= x * x / ((double)k * k);
        sum += (i == 0 || i == 2000 ? 1.0
                : i % 2             ? 4.0
                                    : 2.0) *
               r * exp(-2.0 * (r * r + d * d) / (WAIST * WAIST)) * bessel;
    }
    poy_beam b = beam_of(0.0, 0.0, a, 0.0);
    b.x = 18e-6;
    b.y = -24e-6;
    got = passed(b);
    ok(off(got, sum * 4.0 / (WAIST * WAIST) * a / 6000.0) < 1e-10, "beside the axis: %.6f", got);

    /* a soft edge: the square of (1 + cos)/2 */
    const double edge = 25e-6;
    sum = 0.0;
    for (int i = 0; i <= 20000; i++) {
        const double r = (a + 0.5 * edge) * i / 20000, t = (r - a) / edge + 0.5;
        const double left = t > 0.0 ? 0.5 * (1.0 + cos(POYI_PI * t)) : 1.0;
        sum += (i == 0 || i == 20000 ? 1.0 : i % 2 ? 4.0 : 2.0) * r * left * left * exp(-2.0 * r * r / (WAIST * WAIST));
    }
    got = passed(beam_of(0.0, 0.0, a, edge));
    ok(off(got, sum * 4.0 / (WAIST * WAIST) * (a + 0.5 * edge) / 60000.0) < 1e-9, "a soft edge: %.6f", got);
}

static void check_iris(void)
{
    const double T = 1.5, all = -expm1(-2.0 * T * T), rho = 100.0 * WAIST;
    ok(off(passed(beam_of(0.0, T, 0.0, 0.0)), all) < 1e-15, "an iris: 1 - exp(-2 T^2) = %.6f", all);
    /* In focus the rings of its edge, 2 T exp(-T^2) J_1(2 T r/w0)/(2 r/w0), have (2 T/pi) exp(-2 T^2) w0/rho beyond rho. */
    const double outside = all - passed(beam_of(0.0, T, rho, 0.0));
    ok(off(outside, 2.0 * T / POYI_PI * exp(-2.0 * T * T) * WAIST / rho) < 0.02,
       "of that %.3e in rings beyond 100 waists", outside);
    ok(off(passed(beam_of(2e-3, 5.9, 40e-6, 0.0)), passed(beam_of(2e-3, 0.0, 40e-6, 0.0))) < 1e-12,
       "an open iris is none, out of focus as well");
}

/* ---- what goes into modes ---- */

/* Into HE11, by trapezoids with j0 of the C library: E ~ exp(-r^2/(w^2 (1 - i zeta)))/(1 - i zeta). */
static void check_defocus(void)
{
    const double u = 2.4048255576957728, zeta = 0.8, z = zeta * 0.5 * OMEGA / POYI_C * WAIST * WAIST;
    const int n = 40000;
    double re = 0.0, im = 0.0, norm = 0.0, c[2];
    for (int i = 0; i < n; i++) {
        const double r = (i + 0.5) / n, x = pow(r * CORE / WAIST, 2) / (1.0 + zeta * zeta), j = j0(u * r);
        const double size = exp(-x) / (1.0 + zeta * zeta) * j * r / n;
        re += size * (cos(x * zeta) + zeta * sin(x * zeta));
        im += size * (zeta * cos(x * zeta) - sin(x * zeta));
        norm += j * j * r / n;
    }
    /* of a beam of 1: integral |E|^2 2 pi r dr = pi w^2/2 */
    const double scale = 2.0 * CORE / (WAIST * sqrt(norm));
    const poy_beam b = beam_of(z, 0.0, 0.0, 0.0);
    poy_guide_couple_beam(ctx, guide, 0, 0.0, OMEGA, 0.0, &b, c);
    ok(hypot(c[0] - scale * re, c[1] - scale * im) < 1e-8, "out of focus by 0.8 Rayleigh lengths: %.6f into HE11",
       c[0] * c[0] + c[1] * c[1]);
}

static void check_complete(void)
{
    const double z = 5e-3, range = 0.5 * OMEGA / POYI_C * WAIST * WAIST,
                 w2 = WAIST * WAIST * (1.0 + z * z / (range * range));
    /* the field at the wall, exp(-2 a^2/w^2) of the peak, makes the coefficients fall as 1/m^2: 4 of it over M is left */
    const double wall = exp(-2.0 * CORE * CORE / w2), left = 4.0 * wall / MODES;
    ok(fabs(in_modes(beam_of(z, 0.0, 0.0, 0.0), MODES) - (1.0 - wall)) < left,
       "all modes have what is within the core: %.6f", 1.0 - wall);
    const poy_beam soft = beam_of(z, 0.0, 45e-6, 30e-6);
    const double rest = passed(soft) - in_modes(soft, MODES / 2);
    ok(rest > 0.0 && rest < 1e-6, "behind a soft aperture what it leaves: %.6f, but for %.1e", passed(soft), rest);
    const poy_beam hard = beam_of(z, 0.0, 45e-6, 0.0);
    /* a step of the size s at r: s^2 2/(pi^2 M) per radius, of the whole */
    const double step = exp(-2.0 * 45e-6 * 45e-6 / w2) * 4.0 * 45e-6 * CORE / (POYI_PI * POYI_PI * w2 * MODES) * 2.0;
    const double lacks = passed(hard) - in_modes(hard, MODES);
    ok(lacks > 0.0 && lacks < step, "behind a hard one, too, but for %.1e of %.1e in modes beyond %d", lacks, step,
       MODES);
    const poy_beam iris = beam_of(z, 0.9, 0.0, 0.0), core = beam_of(z, 0.9, CORE, 0.0);
    ok(off(in_modes(iris, MODES), passed(core)) < 4e-3 && passed(core) < passed(iris),
       "behind an iris what it leaves within the core: %.6f of %.6f", in_modes(iris, MODES), passed(core));
}

/* ---- the rule within a circle ---- */

static double half_segment(double R, double x) /* integral_0^x sqrt(R^2 - t^2) dt */
{
    return 0.5 * (x * sqrt(R * R - x * x) + R * R * asin(x / R));
}

static void check_rectangle(void)
{
    const double a = 50e-6, b = 30e-6, radii[] = {20e-6, 40e-6, 55e-6, 80e-6};
    poyi_profile field = {.half_x = a, .half_y = b};
    double worst = 0.0;
    for (int i = 0; i < 4; i++) {
        const double R = radii[i], x1 = R > b ? fmin(sqrt(R * R - b * b), a) : 0.0, x2 = fmin(a, R);
        const double want = i == 3 ? 4.0 * a * b : 4.0 * (x1 * b + half_segment(R, x2) - half_segment(R, x1));
        poyi_rule rule = {0};
        double area = 0.0, reach = 0.0;
        if (poyi_rule_create_within(ctx, &field, R, 24, 1, &rule) != POY_OK)
            note("%s", poy_ctx_message(ctx));
        for (int k = 0; k < rule.n; k++) {
            area += rule.weight[k];
            reach = fmax(reach, hypot(rule.x[k], rule.y[k]));
        }
        worst = fmax(worst, off(area, want));
        ok(i == 3 || reach < R, "points of a rectangle within a circle of %g um", R * 1e6);
        poyi_rule_fini(&rule);
    }
    ok(worst < 1e-13, "have its area to %.0e", worst);
}

/* ---- refusals ---- */

static void refused(poy_beam b, poy_status status, const char *text)
{
    double c[2];
    ok(poy_guide_couple_beam(ctx, guide, 0, 0.0, OMEGA, 0.0, &b, c) == status && strstr(poy_ctx_cause(ctx), text), "%s",
       poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
}

static void check_refusals(void)
{
    double share = 0.0;
    poy_beam b = beam_of(0.0, -1.0, 0.0, 0.0);
    refused(b, POY_ERR_ARGUMENT, "iris: -1");
    refused(beam_of(NAN, 0.0, 0.0, 0.0), POY_ERR_ARGUMENT, "distance: nan m");
    refused(beam_of(0.0, 0.0, -1e-6, 0.0), POY_ERR_ARGUMENT, "aperture: -1e-06 m");
    refused(beam_of(0.0, 0.0, 10e-6, 25e-6), POY_ERR_ARGUMENT, "aperture_edge: 2.5e-05 m");
    refused(beam_of(1.0, 4.0, 0.0, 0.0), POY_ERR_RANGE, "bring the waist to the entrance");
    b = beam_of(0.0, 0.0, 20.0, 0.0);
    ok(poy_beam_passed(ctx, &b, OMEGA, &share) == POY_ERR_RANGE && strstr(poy_ctx_cause(ctx), "200 and 20 waists"),
       "%s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
}

int main(void)
{
    poy_capillary_options o;
    poy_ctx_create(&ctx);
    poy_capillary_options_init(&o);
    o.core_radius.value = CORE;
    o.wall = (poy_guide_material){.name = "SiO2", .extrapolate = 1};
    o.n_modes = MODES;
    if (poy_guide_create_capillary(ctx, &o, &guide) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    check_apertures();
    check_iris();
    check_defocus();
    check_complete();
    check_rectangle();
    check_refusals();
    poy_guide_destroy(&guide);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
