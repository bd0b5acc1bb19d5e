/* test_guide_step.c: exact modes of step-index fibres: reference values, counts, fields, weakly guiding limit. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "math/math.h"
#include "pulse/guide/kinds/bessel_k.h"
#include "pulse/guide/kinds/step_index.h"
#include "tap.h"

static poy_ctx *ctx;

static double omega_at(double wavelength)
{
    return 2.0 * POYI_PI * POYI_C / wavelength;
}

static double off(double got, double want)
{
    return fabs(got / want - 1.0);
}

/* modes NULL: HE11. */
static poy_guide *fibre_of(double radius, double n_core, double n_clad, const char *const *modes, int n_modes)
{
    poy_step_index_options o;
    poy_guide *guide = NULL;
    poy_step_index_options_init(&o);
    o.core_radius.value = radius;
    o.core.n = n_core;
    o.cladding.n = n_clad;
    o.modes = modes;
    o.n_modes = n_modes;
    ok(poy_guide_create_step_index(ctx, &o, &guide) == POY_OK, "a fibre of %g um", radius * 1e6);
    return guide;
}

/* ---- reference values ---- */

/* n to a few eps: U^2/(ak)^2 is below n^2. Each derivative of K_{n-1}/K_n, which is near 1, is of order 1/V of the terms
 * that it is the sum of: a factor V in the error for each. The reference has decimal indices: their rounding is
 * eps n/(n_core - n_clad) of V^2, and ten times that of a weakly bound mode's W. */
static void check_mode(const char *name, double radius, double n_core, double n_clad, double lambda,
                       const double want[5])
{
    poy_guide *guide = fibre_of(radius, n_core, n_clad, &name, 1);
    double n[10], error[5];
    const poy_status status = poy_guide_index(ctx, guide, 0, 0.0, omega_at(lambda), 4, n);
    error[0] = fabs(n[0] - (want[0] - 1.0));
    for (int k = 1; k < 5; k++)
        error[k] = off(n[2 * k], want[k]);
    ok(status == POY_OK && error[0] <= 1e-15, "%s, %g um: n off %.1e", name, radius * 1e6, error[0]);
    const double v = omega_at(lambda) / POYI_C * radius * sqrt(n_core * n_core - n_clad * n_clad), scale = 1.0 + v;
    const double base = 1e-14 + 10.0 * DBL_EPSILON * n_core / (n_core - n_clad);
    ok(error[1] <= base && error[2] <= base * scale && error[3] <= base * scale * scale &&
           error[4] <= base * scale * scale * scale,
       "its derivatives: off %.1e, %.1e, %.1e, %.1e", error[1], error[2], error[3], error[4]);
    poy_guide_destroy(&guide);
}

static void check_reference(void)
{
#define MODE(name, radius, n_core, n_clad, lambda, ...) \
    check_mode(name, radius, n_core, n_clad, lambda, (const double[5]){__VA_ARGS__});
#define KRATIO(n, x, want)                                                                         \
    ok(off(poyi_bessel_k_ratio(n, x), want) <= 4e-15, "K ratio of order %d at %g: off %.1e", n, x, \
       off(poyi_bessel_k_ratio(n, x), want));
#include "golden/guide_step.def"
}

/* HE11 of silica + 0.03 in silica, from bisection: 13 decimals; its beta_k from a Chebyshev fit in double precision. */
static void check_silica(void)
{
    poy_step_index_options o;
    poy_guide *guide = NULL;
    double worst = 0.0, n[2], beta[4];
    poy_step_index_options_init(&o);
    o.core_radius.value = 1.9e-6;
    o.core = (poy_guide_material){.name = "SiO2", .offset = 0.03};
    o.cladding = (poy_guide_material){.name = "SiO2"};
    ok(poy_guide_create_step_index(ctx, &o, &guide) == POY_OK, "silica + 0.03 in silica");
#define SAMPLE(omega, want)                           \
    poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n); \
    worst = fmax(worst, fabs(n[0] - (want - 1.0)));
#define BETA(b0, b1, b2, b3)                                                                                           \
    poy_guide_beta(ctx, guide, 0, 0.0, omega_at(1550e-9), 3, beta);                                                    \
    ok(off(beta[0], b0) <= 1e-14 && off(beta[1], b1) <= 1e-13 && off(beta[2], b2) <= 2e-6 && off(beta[3], b3) <= 5e-4, \
       "beta at 1550 nm: off %.1e, %.1e, %.1e, %.1e", off(beta[0], b0), off(beta[1], b1), off(beta[2], b2),            \
       off(beta[3], b3));
#include "golden/guide_fibre.def"
    ok(worst <= 6e-14, "25 frequencies: n off %.1e", worst);
    poy_guide_destroy(&guide);
}

/* ---- counts: changes of sign of the characteristic equation as Snyder and Love have it, over all of (0, V) ---- */

/* f[0]: HE, or TE (n = 0); f[1]: EH, or TM. */
static void snyder_love(int order, double v, double r, double u, double w, double f[2])
{
    const double n = order, k = poyi_bessel_k_ratio(order ? order : 1, w), here = poyi_bessel_jn(order, u);
    const double upper = poyi_bessel_jn(order + 1, u), lower = order ? poyi_bessel_jn(order - 1, u) : -upper;
    if (order == 0) { /* J_1/(U J_0) + K_1/(W K_0) = 0, n_co^2 J_1/(U J_0) + n_cl^2 K_1/(W K_0) = 0 */
        f[0] = upper * w * k + u * here;
        f[1] = upper * w * k + r * u * here;
        return;
    }
    /* n_eff^2/n_co^2 = 1 - (1 - r) U^2/V^2; times U J_n(U) */
    const double q = -(n / (w * w) + k / w), d = 0.5 * (1.0 - r), s = n * (1.0 / (u * u) + 1.0 / (w * w));
    const double root = sqrt(d * d * q * q + (1.0 - 2.0 * d * u * u / (v * v)) * s * s);
    const double both = 0.5 * (lower - upper) + u * here * 0.5 * (1.0 + r) * q;
    f[0] = both + u * here * root;
    f[1] = both - u * here * root;
}

/* Samples in the angle of U = V cos, W = V sin: 20 V/pi of them at least everywhere, dense towards W = 0. */
static void changes(int n, double v, double r, int count[2])
{
    const int samples = (int)(40.0 * v / POYI_PI) + 2000;
    double before[2] = {0}, f[2];
    count[0] = count[1] = 0;
    for (int i = 0; i <= samples; i++) {
        const double t = (double)i / samples, angle = 1e-6 + (0.5 * POYI_PI - 2e-6) * t * (0.5 + 0.5 * t);
        snyder_love(n, v, r, v * cos(angle), v * sin(angle), f);
        for (int side = 0; side < 2; side++) {
            count[side] += i > 0 && f[side] * before[side] < 0.0;
            before[side] = f[side];
        }
    }
}

static void check_counts(void)
{
    static const double silica = 0.22 * 0.22; /* NA 0.22 in silica at 250 nm: V = 1659 for 300 um */
    const double n_core = 1.5074, vs[] = {1.3, 2.6, 3.9, 12.3, 60.4, 313.7, 2.0 * POYI_PI * 300e-6 / 250e-9 * 0.22};
    const double ratios[] = {1.0 - silica / (n_core * n_core), 1.0 / (1.45 * 1.45), 1.0 - 1e-6};
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < (i < 6 ? 3 : 1); j++) {
            const double v = vs[i], r = ratios[j];
            int wrong = 0, all = 0;
            for (int n = 0; n <= 40; n = n < 3 ? n + 1 : 3 * n - 2) { /* 0 1 2 3 7 19 */
                const poy_mode_family one = n ? POY_MODE_HE : POY_MODE_TE, two = n ? POY_MODE_EH : POY_MODE_TM;
                const int a = poyi_step_count(one, n, v, r), b = poyi_step_count(two, n, v, r);
                int count[2];
                changes(n, v, r, count);
                wrong += a != count[0] || b != count[1];
                all += a + b;
            }
            ok(wrong == 0, "V = %.6g, r = %.6g: %d modes of n = 0, 1, 2, 3, 7, 19", v, r, all);
        }
}

/* Every mode that is counted is found, in order, where the equation is zero; the next is refused by the count. */
static void check_all_modes(void)
{
    const double radius = 6e-6, lambda = 0.5e-6, n_core = 1.46, n_clad = 1.42;
    const double omega = omega_at(lambda), r = n_clad * n_clad / (n_core * n_core);
    const double v = omega / POYI_C * radius * sqrt(n_core * n_core - n_clad * n_clad);
    int found = 0, unordered = 0;
    double worst = 0.0;
    for (int n = 0; n <= 30; n++)
        for (int side = 0; side < 2; side++) {
            const poy_mode_family family = n ? (side ? POY_MODE_EH : POY_MODE_HE) : side ? POY_MODE_TM : POY_MODE_TE;
            double before = 0.0, u = 0.0, w = 0.0;
            const int count = poyi_step_count(family, n, v, r);
            for (int m = 1; m <= count; m++) {
                const poy_mode mode = {family, n, m};
                if (poyi_step_root(ctx, mode, v, r, &u, &w) != POY_OK)
                    break;
                double f[2], g[2];
                const double h = 1e-6;
                snyder_love(n, v, r, u, w, f);
                snyder_love(n, v, r, u + h, sqrt(w * w - 2.0 * u * h), g);
                worst = fmax(worst, fabs(f[side] / (g[side] - f[side]) * h) / u);
                unordered += u <= before;
                before = u;
                found++;
            }
        }
    int all = 0;
    for (int n = 0; n <= 30; n++)
        all += poyi_step_count(n ? POY_MODE_HE : POY_MODE_TE, n, v, r) +
               poyi_step_count(n ? POY_MODE_EH : POY_MODE_TM, n, v, r);
    ok(found == all && unordered == 0, "V = %.4g: all %d modes are found, in order", v, all);
    ok(worst <= 1e-13, "they solve the equation: U off %.1e", worst);
}

static void check_refusal(void)
{
    static const char *const name[] = {"HE1,600"};
    poy_guide *guide = fibre_of(300e-6, 1.5074, sqrt(1.5074 * 1.5074 - 0.22 * 0.22), name, 1);
    double n[2];
    int count = 0;
    const double omega = omega_at(250e-9);
    const poy_status status = poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n);
    ok(status == POY_ERR_RANGE && strstr(poy_ctx_cause(ctx), "it needs 1883") &&
           strstr(poy_ctx_cause(ctx), "guided there are HE11 (LP01); TE01, HE21, TM01 (LP11); HE12 (LP02)"),
       "%s", poy_ctx_cause(ctx));
    poy_guide_guided_count(ctx, guide, POY_MODE_HE, 1, 0.0, omega, &count);
    ok(count == 528, "%d modes HE1m of a core of 300 um", count);
    ok(poy_guide_guided_count(ctx, guide, POY_MODE_HE, 0, 0.0, omega, &count) == POY_ERR_ARGUMENT, "%s",
       poy_ctx_cause(ctx));
    poy_guide_destroy(&guide);
    guide = fibre_of(2e-6, 1.44, 1.45, NULL, 1);
    ok(poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    poy_guide_destroy(&guide);
}

/* ---- groups ---- */

/* In weak guidance the members of a group are degenerate: their indices differ by the square of the step, groups by the step.
 * Cut-offs are zeros of J_{l-1}, of LP0m of J_1. */
static void check_groups(void)
{
    static const char *const names[] = {"HE11", "TE01", "HE21", "TM01", "EH11", "HE31", "HE12"};
    const double core = 1.45, step = 2e-3, v = 5.0, omega = omega_at(1e-6);
    const double aperture = sqrt(step * (2.0 * core - step));
    poy_guide *guide = fibre_of(v / (omega / POYI_C * aperture), core, core - step, names, 7);
    double n[7], one[2], got = 0.0;
    int count = 0;
    for (int i = 0; i < 7; i++) {
        poy_guide_index(ctx, guide, i, 0.0, omega, 0, one);
        n[i] = one[0];
    }
    const double within = fmax(n[1] - n[3], fabs(n[4] - n[5])),
                 between = fmin(n[0] - n[1], fmin(n[3] - n[4], n[3] - n[6]));
    ok(within < 4.0 * step * step && between > 0.1 * step, "members of a group within %.1e, groups %.1e apart", within,
       between);
    ok(n[1] > n[2] && n[2] > n[3], "LP11 in the order TE01, HE21, TM01");
    /* j_{0,1} = 2.405, j_{1,1} = 3.832, j_{2,1} = 5.136: 2 + 4 + 2 + 4 directions */
    ok(poy_guide_guided(ctx, guide, 0.0, omega, &got, &count) == POY_OK && off(got, v) < 1e-12 && count == 12,
       "at V = %.6g there are %d modes", v, count);
    poy_guide_destroy(&guide);
    guide = fibre_of(2.4 / (omega / POYI_C * aperture), core, core - step, names, 1);
    poy_guide_guided(ctx, guide, 0.0, omega, &got, &count);
    ok(count == 2, "at V = 2.4 one, in two directions");
    poy_guide_destroy(&guide);
}

/* ---- limits ---- */

/* LP_{l,m} of weak guidance: U J_{l+1}/J_l = W K_{l+1}/K_l (Gloge, Appl. Opt. 10, 2252 (1971)). */
typedef struct linear {
    int l;
    double v;
} linear;

static double gloge(void *user, double u)
{
    const linear *p = user;
    const double w = sqrt(p->v * p->v - u * u);
    return u * poyi_bessel_jn(p->l + 1, u) * poyi_bessel_k_ratio(p->l + 1, w) - w * poyi_bessel_jn(p->l, u);
}

static void check_weakly_guiding(void)
{
    /* HE_{l+1,m} and EH_{l-1,m} (l = 1: TE and TM) become LP_{l,m}; the difference is of order 1 - r */
    static const poy_mode modes[] = {{POY_MODE_HE, 1, 1}, {POY_MODE_HE, 1, 2}, {POY_MODE_HE, 2, 1},
                                     {POY_MODE_TE, 0, 1}, {POY_MODE_TM, 0, 1}, {POY_MODE_EH, 1, 1},
                                     {POY_MODE_HE, 3, 1}, {POY_MODE_EH, 2, 2}};
    static const int l[] = {0, 0, 1, 1, 1, 2, 2, 3};
    const double v = 12.0, step = 1e-7;
    for (int i = 0; i < 8; i++) {
        double u = 0.0, w = 0.0, want = 0.0, low = 0.0;
        linear p = {l[i], v};
        const int m = modes[i].m;
        poyi_step_root(ctx, modes[i], v, 1.0 - step, &u, &w);
        low = l[i] ? poyi_bessel_zero(l[i] - 1, m) : m > 1 ? poyi_bessel_zero(1, m - 1) : 1e-3;
        poyi_root_brent(ctx, gloge, &p, low, poyi_bessel_zero(l[i], m), 0.0, &want);
        ok(fabs(u - want) <= step * want, "family %d, n = %d, m = %d is LP%d%d: U off %.1e", (int)modes[i].family,
           modes[i].n, m, l[i], m, u - want);
    }
}

/* HE11 has no cut-off: towards V = 0 n_eff goes to n_cl, and never below. */
static void check_small_v(void)
{
    poy_guide *guide = fibre_of(0.2e-6, 1.45, 1.0, NULL, 1);
    double n[2 * (2 + 1)], before = 1.0;
    int rising = 1;
    for (double lambda = 0.4e-6; lambda < 40e-6; lambda *= 1.1) {
        rising &= poy_guide_index(ctx, guide, 0, 0.0, omega_at(lambda), 1, n) == POY_OK && n[0] <= before &&
                  n[0] >= 0.0 && isfinite(n[2]);
        before = n[0];
    }
    ok(rising && before == 0.0, "n of HE11 falls to that of the cladding");
    ok(poy_guide_field(ctx, guide, 0, 0.0, omega_at(40e-6), 0.0, 0.0, 0.0, n) == POY_ERR_RANGE, "%s",
       poy_ctx_cause(ctx));
    poy_guide_destroy(&guide);
    /* V where W falls through the least number: no jump */
    guide = fibre_of(1e-6, 1.45, 1.44, NULL, 1);
    for (double lambda = 1e-6; lambda < 200e-6; lambda *= 1.05)
        rising &= poy_guide_index(ctx, guide, 0, 0.0, omega_at(lambda), 2, n) == POY_OK;
    ok(rising, "weakly guiding, down to V = 0.005");
    poy_guide_destroy(&guide);
}

/* ---- fields ---- */

/* Across the core's edge e_theta is continuous, and so is n^2 e_r. */
static void check_edge(const char *name, poy_mode_family family)
{
    const double a = 1.2e-6, n_core = 1.45, n_clad = 1.0, omega = omega_at(700e-9);
    poy_guide *guide = fibre_of(a, n_core, n_clad, &name, 1);
    double worst = 0.0, size = 0.0;
    for (int i = 0; i < 7; i++) {
        const double theta = 0.3 + 0.9 * i;
        double e[2][2], radial[2], azimuthal[2];
        for (int side = 0; side < 2; side++) {
            const double radius = a * (1.0 + (side ? 1e-13 : -1e-13));
            poy_guide_field(ctx, guide, 0, 0.0, omega, 0.7, radius * cos(theta), radius * sin(theta), e[side]);
            radial[side] = e[side][0] * cos(theta) + e[side][1] * sin(theta);
            azimuthal[side] = e[side][1] * cos(theta) - e[side][0] * sin(theta);
            size = fmax(size, hypot(e[side][0], e[side][1]));
        }
        worst = fmax(worst, fabs(n_core * n_core * radial[0] - n_clad * n_clad * radial[1]));
        worst = fmax(worst, fabs(azimuthal[0] - azimuthal[1]));
    }
    /* slopes of a few per radius times the 2e-13 between both sides, and rounding */
    ok(worst <= 2e-11 * size, "%s (family %d): continuous across the edge to %.1e of its size", name, (int)family,
       worst / size);
    poy_guide_destroy(&guide);
}

/* (1/2) sqrt(eps0/mu0) integral |e|^2 dA = 1 and the area, by rules of their own: the trapezoidal rule in the angle and
 * in t of r = a exp(t), which converge exponentially for what falls as these do. */
static void check_norm(const char *name)
{
    const double a = 1.2e-6, omega = omega_at(900e-9);
    poy_guide *guide = fibre_of(a, 1.45, 1.0, &name, 1);
    double second = 0.0, fourth = 0.0, area = 0.0, x[64], w[64];
    poyi_gauss_legendre(ctx, 64, x, w);
    for (int panel = 0; panel < 12; panel++) { /* core, then panels of growing radius */
        const double from = panel ? a * (1.0 + 0.05 * (pow(2.0, panel - 1) - 1.0)) : 0.0;
        const double to = a * (1.0 + 0.05 * (pow(2.0, panel) - 1.0));
        for (int i = 0; i < 64; i++)
            for (int j = 0; j < 32; j++) {
                const double r = 0.5 * (from + to + (to - from) * x[i]), theta = 2.0 * POYI_PI * j / 32.0;
                double e[2];
                poy_guide_field(ctx, guide, 0, 0.0, omega, 0.2, r * cos(theta), r * sin(theta), e);
                const double e2 = e[0] * e[0] + e[1] * e[1], da = 0.5 * (to - from) * w[i] * r * 2.0 * POYI_PI / 32.0;
                second += e2 * da;
                fourth += e2 * e2 * da;
            }
    }
    poy_guide_effective_area(ctx, guide, 0, 0.0, omega, &area);
    ok(off(second, 2.0 * POYI_Z0) <= 1e-12 && off(area, second * second / fourth) <= 1e-12,
       "%s: norm off %.1e, area off %.1e", name, off(second, 2.0 * POYI_Z0), off(area, second * second / fourth));
    poy_guide_destroy(&guide);
}

int main(void)
{
    static const char *const names[] = {"HE11", "HE21", "EH11", "TE01", "TM01", "HE12"};
    poy_ctx_create(&ctx);
    check_reference();
    check_silica();
    check_counts();
    check_all_modes();
    check_refusal();
    check_groups();
    check_weakly_guiding();
    check_small_v();
    for (int i = 0; i < 6; i++) {
        check_edge(names[i], (poy_mode_family)i);
        check_norm(names[i]);
    }
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
