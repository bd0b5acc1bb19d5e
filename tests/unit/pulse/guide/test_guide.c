/* test_guide.c: effective indices, losses, areas and dispersion of guides against reference values and closed laws. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "math/math.h"
#include "pulse/guide/guide.h"
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

static poy_capillary_options capillary_options(double radius, const char *const *gas, double bar,
                                               const char *const *mode)
{
    poy_capillary_options o;
    poy_capillary_options_init(&o);
    o.core_radius.value = radius;
    o.wall = (poy_guide_material){.name = "SiO2", .extrapolate = 1};
    o.fill.n_gases = gas ? 1 : 0;
    o.fill.gases = gas;
    o.fill.pressure.value = bar * POYI_BAR;
    o.modes = mode;
    return o;
}

/* ---- reference values ---- */

typedef struct capillary {
    double radius;
    const char *gas;
    double bar;
    const char *mode;
    double lambda, re, im, reduced_re, reduced_im, alpha, area, u, beta[5], zdw;
} capillary;
typedef struct antiresonant {
    double radius, wall, lambda, n_core, n_clad;
    const char *mode;
    double re, im, luna_re, luna_im;
} antiresonant;
typedef struct step_index {
    double radius, n_core, n_clad, lambda;
    const char *mode;
    double n;
} step_index;
typedef struct rectangular {
    double x, y, lambda, n_core, n_clad;
    const char *mode;
    double re, im, area;
} rectangular;

/* clang-format off */
#define CAPILLARY(radius, gas, bar, mode, lambda, re, im, rre, rim, alpha, area, u, b0, b1, b2, b3, b4, zdw) \
    {radius, gas, bar, mode, lambda, re, im, rre, rim, alpha, area, u, {b0, b1, b2, b3, b4}, zdw},
#define ANTIRESONANT(...)
#define STEP_INDEX(...)
#define RECTANGULAR(...)
static const capillary capillaries[] = {
#include "golden/guide_modes.def"
};
#undef CAPILLARY
#undef ANTIRESONANT
#define CAPILLARY(...)
#define ANTIRESONANT(...) {__VA_ARGS__},
static const antiresonant antiresonants[] = {
#include "golden/guide_modes.def"
};
#undef ANTIRESONANT
#undef STEP_INDEX
#define ANTIRESONANT(...)
#define STEP_INDEX(...) {__VA_ARGS__},
static const step_index step_indices[] = {
#include "golden/guide_modes.def"
};
#undef STEP_INDEX
#undef RECTANGULAR
#define STEP_INDEX(...)
#define RECTANGULAR(...) {__VA_ARGS__},
static const rectangular rectangulars[] = {
#include "golden/guide_modes.def"
};
/* clang-format on */
#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static double worst_index, worst_alpha, worst_area, worst_zdw, worst_beta[5];

static void check_capillary(const capillary *r)
{
    poy_capillary_options o = capillary_options(r->radius, &r->gas, r->bar, &r->mode);
    poy_guide *full = NULL, *reduced = NULL;
    double n[2], alpha = 0.0, area = 0.0, beta[5], zdw[4];
    const double omega = omega_at(r->lambda);
    int found = 0;

    poy_guide_create_capillary(ctx, &o, &full);
    o.model = POY_CAPILLARY_REDUCED;
    poy_guide_create_capillary(ctx, &o, &reduced);
    poy_guide_index(ctx, full, 0, 0.0, omega, 0, n);
    worst_index = fmax(worst_index, fmax(fabs(n[0] - r->re), fabs(n[1] - r->im)));
    poy_guide_index(ctx, reduced, 0, 0.0, omega, 0, n);
    worst_index = fmax(worst_index, fmax(fabs(n[0] - r->reduced_re), fabs(n[1] - r->reduced_im)));
    poy_guide_attenuation(ctx, full, 0, 0.0, omega, &alpha);
    worst_alpha = fmax(worst_alpha, off(alpha, r->alpha));
    poy_guide_effective_area(ctx, full, 0, 0.0, omega, &area);
    worst_area = fmax(worst_area, off(area, r->area));
    poy_guide_beta(ctx, full, 0, 0.0, omega, 4, beta);
    for (int k = 0; k < 5 && r->beta[0] != 0.0; k++)
        worst_beta[k] = fmax(worst_beta[k], off(beta[k], r->beta[k]));
    if (r->zdw != 0.0) {
        poy_guide_zero_dispersion(ctx, full, 0, 0.0, 200e-9, 2e-6, 4, zdw, &found);
        worst_zdw = fmax(worst_zdw, found == 1 ? off(zdw[0], r->zdw) : 1.0);
    }
    poy_guide_destroy(&full);
    poy_guide_destroy(&reduced);
}

/* Tolerances of the reference file; beta_k those that it gives for analytic derivatives. */
static void check_capillaries(void)
{
    static const double tolerance[5] = {1e-14, 1e-13, 1e-9, 1e-8, 1e-7};
    for (int i = 0; i < COUNT(capillaries); i++)
        check_capillary(&capillaries[i]);
    ok(COUNT(capillaries) == 48 && worst_index <= 1e-13, "%d modes of capillaries, full and reduced: n off %.1e",
       COUNT(capillaries), worst_index);
    ok(worst_alpha <= 1e-10, "their loss: off %.1e", worst_alpha);
    ok(worst_area <= 1e-12, "their area: off %.1e", worst_area);
    ok(worst_zdw <= 1e-9, "their zero dispersion: off %.1e", worst_zdw);
    for (int k = 0; k < 5; k++)
        ok(worst_beta[k] <= tolerance[k], "their beta_%d: off %.1e", k, worst_beta[k]);
}

static poy_antiresonant_options antiresonant_options(double radius, double wall, double n_clad, const char *const *mode)
{
    poy_antiresonant_options o;
    poy_antiresonant_options_init(&o);
    o.core_radius.value = radius;
    o.wall_thickness = wall;
    o.wall = (poy_guide_material){.n = n_clad};
    o.modes = mode;
    return o;
}

static double antiresonant_error(const antiresonant *r, poy_antiresonant_model model, double re, double im)
{
    poy_antiresonant_options o = antiresonant_options(r->radius, r->wall, r->n_clad, &r->mode);
    poy_guide *guide = NULL;
    double n[2] = {0};
    o.model = model;
    poy_guide_create_antiresonant(ctx, &o, &guide);
    poy_guide_index(ctx, guide, 0, 0.0, omega_at(r->lambda), 0, n);
    poy_guide_destroy(&guide);
    return fmax(fabs(n[0] - re), fabs(n[1] - im));
}

static void check_antiresonant(void)
{
    double worst = 0.0;
    for (int i = 0; i < COUNT(antiresonants); i++) {
        const antiresonant *r = &antiresonants[i];
        worst = fmax(worst, antiresonant_error(r, POY_ANTIRESONANT_THIN_WALL, r->re, r->im));
        worst = fmax(worst, antiresonant_error(r, POY_ANTIRESONANT_THIN_WALL_LUNA, r->luna_re, r->luna_im));
    }
    ok(COUNT(antiresonants) == 12 && worst <= 1e-13, "%d modes of thin walls, corrected and Luna's: n off %.1e",
       COUNT(antiresonants), worst);

    /* A value of that program's tests: 20 um, 0.7 um wall, 2.5e15 rad/s, in vacuum. */
    const antiresonant pinned = {20e-6, 0.7e-6, 2.0 * POYI_PI * POYI_C / 2.5e15, 1.0, 1.45, "HE11", 0, 0, 0, 0};
    const double error =
        antiresonant_error(&pinned, POY_ANTIRESONANT_THIN_WALL_LUNA, 0.9999193518567425 - 1.0, 1.87925966056515e-6);
    ok(error <= 2e-16, "the pinned value of Luna's variant: off %.1e", error);
}

/* Half of the pinned imaginary part: that has alpha c/omega, but alpha = 2 omega Im n/c. The loss itself is 0.916 dB/m. */
static void check_tubes(void)
{
    poy_antiresonant_options o = antiresonant_options(12.5e-6 / sin(POYI_PI / 8.0) - 10e-6, 1e-6, 1.44, NULL);
    poy_guide *guide = NULL;
    double n[2] = {0}, alpha = 0.0, area = 0.0;
    const double omega = omega_at(1030e-9);
    o.model = POY_ANTIRESONANT_TUBES;
    o.tubes = 8;
    o.gap = 5e-6;
    ok(poy_guide_create_antiresonant(ctx, &o, &guide) == POY_OK, "eight tubes, 5 um apart");
    poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n);
    ok(fabs(n[0] - (0.9998598623672965 - 1.0)) <= 2e-16, "tubes: Re n off %.1e", n[0] - (0.9998598623672965 - 1.0));
    ok(off(2.0 * n[1], 3.4579455755137454e-8) <= 1e-12, "tubes: 2 Im n off %.1e",
       off(2.0 * n[1], 3.4579455755137454e-8));
    poy_guide_attenuation(ctx, guide, 0, 0.0, omega, &alpha);
    ok(off(alpha, 3.4579455755137454e-8 * omega / POYI_C) <= 1e-12, "tubes: loss %.4f dB/m", 10.0 / log(10.0) * alpha);
    poy_guide_effective_area(ctx, guide, 0, 0.0, omega, &area);
    const double u = poyi_bessel_zero(0, 1), l = 1030e-9;
    ok(off(area, 0.48 / (8.0 * POYI_PI) * u * u * l * l / (1.0 - 0.9998598623672965)) <= 1e-11, "tubes: area %.4g m2",
       area);
    poy_guide_destroy(&guide);

    o.gap = (double)NAN;
    o.tube_radius = 10e-6;
    double again[2] = {0};
    poy_guide_create_antiresonant(ctx, &o, &guide);
    poy_guide_index(ctx, guide, 0, 0.0, omega, 0, again);
    ok(fabs(again[0] - n[0]) <= 2e-16 && off(again[1], n[1]) <= 1e-10, "the tubes' radius instead of the gap");
    poy_guide_destroy(&guide);
}

static void check_step_index(void)
{
    double worst = 0.0;
    for (int i = 0; i < COUNT(step_indices); i++) {
        const step_index *r = &step_indices[i];
        poy_step_index_options o;
        poy_guide *guide = NULL;
        double n[2] = {0};
        poy_step_index_options_init(&o);
        o.core_radius.value = r->radius;
        o.core.n = r->n_core;
        o.cladding.n = r->n_clad;
        o.modes = &r->mode;
        if (poy_guide_create_step_index(ctx, &o, &guide) != POY_OK ||
            poy_guide_index(ctx, guide, 0, 0.0, omega_at(r->lambda), 0, n) != POY_OK)
            note("%s", poy_ctx_message(ctx));
        worst = fmax(worst, fabs(n[0] - (r->n - 1.0)));
        poy_guide_destroy(&guide);
    }
    ok(COUNT(step_indices) == 3 && worst <= 1e-12, "%d step-index fibres: n off %.1e", COUNT(step_indices), worst);
}

/* The reference has a core of constant index: a gas whose density gives it at this wavelength. */
static double bar_for_index(double n, double omega)
{
    poy_gas *gas = NULL;
    double gamma1 = 0.0;
    poy_gas_create(ctx, "He", &gas);
    poy_gas_polarisability(ctx, gas, omega, 0, &gamma1);
    poy_gas_destroy(&gas);
    return (n * n - 1.0) / gamma1 * POYI_KB * POYI_ROOM_TEMPERATURE / POYI_BAR;
}

static void check_rectangular(void)
{
    static const char *const helium[] = {"He"};
    double worst = 0.0, worst_a = 0.0;
    for (int i = 0; i < COUNT(rectangulars); i++) {
        const rectangular *r = &rectangulars[i];
        const double omega = omega_at(r->lambda);
        poy_rectangular_options o;
        poy_guide *guide = NULL;
        double n[2] = {0}, area = 0.0;
        poy_rectangular_options_init(&o);
        o.half_width_x = r->x;
        o.half_width_y = r->y;
        o.wall = (poy_guide_material){.n = r->n_clad};
        o.fill.n_gases = 1;
        o.fill.gases = helium;
        o.fill.eos = POY_EOS_IDEAL;
        o.fill.pressure.value = bar_for_index(r->n_core, omega) * POYI_BAR;
        o.modes = &r->mode;
        poy_guide_create_rectangular(ctx, &o, &guide);
        poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n);
        poy_guide_effective_area(ctx, guide, 0, 0.0, omega, &area);
        worst = fmax(worst, fmax(fabs(n[0] - r->re), fabs(n[1] - r->im)));
        worst_a = fmax(worst_a, off(area, r->area));
        poy_guide_destroy(&guide);
    }
    ok(COUNT(rectangulars) == 2 && worst <= 1e-13 && worst_a <= 1e-12, "%d modes of rectangles: n off %.1e, area %.1e",
       COUNT(rectangulars), worst, worst_a);
}

/* The closed form that a user compares with: vacuum, wall 1.45, radius and diameter told apart by a factor of 8 in the
 * loss. n^2 = 1 - (u/ka)^2; the power loss is 2 (u/2 pi)^2 lambda^2/a^3 (n^2 + 1)/(2 sqrt(n^2 - 1)). */
static void check_radius_and_diameter(void)
{
    static const double cases[3][4] = {{125e-6, 1, -3.00011584493389e-06, 0.14183383537644412},
                                       {62.5e-6, 1, -1.2000517384554142e-05, 1.134670683011553},
                                       {125e-6, 2, -1.5807532901856736e-05, 0.7473140297845854}};
    for (int i = 0; i < 3; i++) {
        static const char *const names[] = {"HE11", "HE12"};
        const double a = cases[i][0], omega = omega_at(800e-9), over = POYI_C / (omega * a);
        poy_capillary_options o = capillary_options(a, NULL, 0.0, &names[(int)cases[i][1] - 1]);
        poy_guide *guide = NULL;
        double n[2] = {0}, alpha = 0.0;
        o.wall = (poy_guide_material){.n = 1.45};
        o.model = POY_CAPILLARY_REDUCED;
        poy_guide_create_capillary(ctx, &o, &guide);
        poy_guide_index(ctx, guide, 0, 0.0, omega, 0, n);
        poy_guide_attenuation(ctx, guide, 0, 0.0, omega, &alpha);
        ok(off(alpha, cases[i][3]) <= 1e-8, "%g um, %s: loss %.9g/m", a * 1e6, names[(int)cases[i][1] - 1], alpha);
        /* the reduced n lacks (u/ka)^4/8 of the root */
        const double x = 2.0 * -n[0], closed = -x / (1.0 + sqrt(1.0 - x));
        ok(off(closed, cases[i][2]) <= 1e-8 && x < over * over * 31.0, "its n - 1: %.12g", closed);
        poy_guide_destroy(&guide);
    }
}

/* ---- laws ---- */

static void check_areas(void)
{
    static const char *const names[] = {"HE11", "HE12", "TE01", "TM01", "HE21"};
    static const double want[] = {1.4971689509094137, 1.1455327574498542, 2.0248297163667, 2.0248297163667,
                                  2.0248297163667};
    poy_capillary_options o = capillary_options(75e-6, NULL, 0.0, names);
    poy_guide *guide = NULL;
    double area = 0.0;
    o.n_modes = 5;
    poy_guide_create_capillary(ctx, &o, &guide);
    for (int i = 0; i < 5; i++) {
        poy_guide_effective_area(ctx, guide, i, 0.0, 1e15, &area);
        ok(off(area, want[i] * 75e-6 * 75e-6) <= 1e-13, "area of %s: %.14g a^2", names[i], area / (75e-6 * 75e-6));
    }
    poy_guide_effective_area(ctx, guide, 0, 0.0, 1e15, &area);
    ok(off(area, 8.42157534886545e-9) <= 1e-13, "75 um: %.15g m2", area);
    poy_guide_destroy(&guide);
}

/* Two gases of half the density each are one gas. */
static void check_mixture(void)
{
    static const char *const one[] = {"Ar"}, *const two[] = {"Ar", "Ar"};
    static const double halves[] = {0.5, 0.5};
    poy_capillary_options o = capillary_options(50e-6, one, 1.0, NULL);
    poy_guide *single = NULL, *mixed = NULL;
    double a[8], b[8], worst = 0.0;
    o.fill.eos = POY_EOS_IDEAL;
    poy_guide_create_capillary(ctx, &o, &single);
    o.fill.n_gases = 2;
    o.fill.gases = two;
    o.fill.shares = halves;
    ok(poy_guide_create_capillary(ctx, &o, &mixed) == POY_OK, "a mixture: %s", poy_ctx_cause(ctx));
    poy_guide_index(ctx, single, 0, 0.0, 2.3e15, 3, a);
    poy_guide_index(ctx, mixed, 0, 0.0, 2.3e15, 3, b);
    for (int i = 0; i < 8; i++)
        worst = fmax(worst, off(b[i], a[i]));
    ok(worst <= 1e-14, "two half-density gases are one: off %.1e", worst);
    poy_guide_destroy(&single);
    poy_guide_destroy(&mixed);
}

/* The derivatives of every kind of guide against central differences: h = 1e-3 omega leaves h^4 f^(5)/30, and rounding
 * eps f/h; both are below 1e-9 of the scale n^(k)/omega^k ~ |n - 1| k!/omega^k. */
static void check_derivatives(const char *what, const poy_guide *guide, int mode, double omega)
{
    double at[5][10], exact[10], worst = 0.0;
    const double h = 1e-3 * omega;
    for (int i = 0; i < 5; i++)
        poy_guide_index(ctx, guide, mode, 0.1, omega + (double)(i - 2) * h, 3, at[i]);
    poy_guide_index(ctx, guide, mode, 0.1, omega, 4, exact);
    for (int k = 0; k < 8; k++) {
        const double slope = (at[0][k] - 8.0 * at[1][k] + 8.0 * at[3][k] - at[4][k]) / (12.0 * h);
        const double scale = fabs(exact[k + 2]) + fabs(exact[k] / omega);
        if (scale > 0.0)
            worst = fmax(worst, fabs(slope - exact[k + 2]) / scale);
    }
    ok(worst <= 1e-8, "%s: derivatives 1 to 4 are difference quotients, off %.1e", what, worst);
}

static void check_all_derivatives(void)
{
    static const char *const ar[] = {"Ar"}, *const modes[] = {"HE12", "TM01", "EH11"};
    poy_guide *guide = NULL;
    poy_capillary_options c = capillary_options(50e-6, ar, 2.0, modes);
    c.n_modes = 3;
    poy_guide_create_capillary(ctx, &c, &guide);
    for (int i = 0; i < 3; i++)
        check_derivatives(modes[i], guide, i, omega_at(800e-9));
    poy_guide_destroy(&guide);
    c.model = POY_CAPILLARY_REDUCED;
    c.wall = (poy_guide_material){.name = "SiO2:table"};
    poy_guide_create_capillary(ctx, &c, &guide);
    check_derivatives("reduced", guide, 0, omega_at(790e-9));
    poy_guide_destroy(&guide);

    poy_antiresonant_options a = antiresonant_options(20e-6, 0.3e-6, 0.0, modes);
    a.wall = (poy_guide_material){.name = "SiO2"};
    a.fill = c.fill;
    a.n_modes = 3;
    poy_guide_create_antiresonant(ctx, &a, &guide);
    for (int i = 0; i < 3; i++)
        check_derivatives("thin wall", guide, i, omega_at(1000e-9));
    poy_guide_destroy(&guide);
    a.model = POY_ANTIRESONANT_TUBES;
    a.modes = NULL;
    a.n_modes = 1;
    a.tubes = 7;
    a.tube_radius = 8e-6;
    ok(poy_guide_create_antiresonant(ctx, &a, &guide) == POY_OK, "seven tubes: %s", poy_ctx_cause(ctx));
    check_derivatives("tubes", guide, 0, omega_at(1000e-9));
    poy_guide_destroy(&guide);

    poy_rectangular_options r;
    poy_rectangular_options_init(&r);
    r.half_width_x = 40e-6;
    r.half_width_y = 30e-6;
    r.fill = c.fill;
    r.n_modes = 2;
    r.wall = (poy_guide_material){.name = "SiO2"};
    poy_guide_create_rectangular(ctx, &r, &guide);
    check_derivatives("rectangle", guide, 1, omega_at(800e-9));
    poy_guide_destroy(&guide);

    static const double beta[] = {1.1e7, 4.9e-9, -1.2e-26, 8e-41, -1e-55};
    poy_simple_guide_options s;
    poy_simple_guide_options_init(&s);
    s.wavelength = 835e-9;
    s.beta = beta;
    s.n_beta = 5;
    s.effective_area = 5e-12;
    s.attenuation = 1e-3;
    ok(poy_guide_create_simple(ctx, &s, &guide) == POY_OK, "a fibre by its Taylor coefficients");
    check_derivatives("Taylor", guide, 0, omega_at(1000e-9));
    double got[5], alpha = 0.0, worst = 0.0;
    poy_guide_beta(ctx, guide, 0, 0.0, omega_at(835e-9), 4, got);
    for (int k = 0; k < 5; k++) /* beta_k from omega n/c: rounding of n against beta_0 k!/omega^k */
        worst = fmax(worst, fabs(got[k] - beta[k]) / (fabs(beta[k]) + 24.0 * 1.1e7 * pow(omega_at(835e-9), -k)));
    poy_guide_attenuation(ctx, guide, 0, 0.0, omega_at(700e-9), &alpha);
    ok(worst <= 4e-16 && off(alpha, 1e-3) <= 1e-14, "Taylor: beta_k come back, off %.1e; loss %.15g/m", worst, alpha);
    poy_guide_destroy(&guide);
}

/* A factor of the loss scales Im n alone; 0 removes it. */
static void check_loss_factor(void)
{
    static const char *const ar[] = {"Ar"};
    double n[3][2];
    for (int i = 0; i < 3; i++) {
        poy_guide *guide = NULL;
        poy_capillary_options o = capillary_options(50e-6, ar, 2.0, NULL);
        o.loss = 0.5 * i;
        poy_guide_create_capillary(ctx, &o, &guide);
        poy_guide_index(ctx, guide, 0, 0.0, 2.3e15, 0, n[i]);
        poy_guide_destroy(&guide);
    }
    ok(n[0][0] == n[2][0] && n[1][0] == n[2][0] && n[0][1] == 0.0 && off(n[1][1], 0.5 * n[2][1]) <= 1e-15,
       "the factor of the loss scales Im n alone");
}

/* Numbers are held before they are exponentiated, and counted. */
static void check_clamps(void)
{
    poy_guide *guide = NULL;
    poy_guide_clamps clamps = {0};
    poy_capillary_options o = capillary_options(5e-6, NULL, 0.0, NULL);
    double omega[3] = {omega_at(17e-6), omega_at(800e-9), omega_at(9e-6)}, beta[3], alpha[3], raw = 0.0;
    o.wall = (poy_guide_material){.name = "SiO2:table"};
    poy_guide_create_capillary(ctx, &o, &guide);
    ok(poy_guide_propagation(ctx, guide, 0, 0.0, 3, omega, beta, alpha, &clamps) == POY_OK, "numbers held");
    poy_guide_attenuation(ctx, guide, 0, 0.0, omega[0], &raw);
    ok(raw > 3000.0 && alpha[0] == 3000.0 && clamps.loss == 1, "a loss of %.3g/m is held at 3000/m", raw);
    poy_guide_attenuation(ctx, guide, 0, 0.0, omega[1], &raw);
    ok(alpha[1] == raw && clamps.gain == 0, "a loss of %.4g/m is as it is", raw);
    poy_guide_destroy(&guide);

    static const char *const te[] = {"TE01"};
    o.modes = te;
    o.wall = (poy_guide_material){.n = 1e6}; /* nearly a perfect wall: below the cut-off n^2 < 0 */
    clamps = (poy_guide_clamps){0};
    poy_guide_create_capillary(ctx, &o, &guide);
    poy_guide_propagation(ctx, guide, 0, 0.0, 1, omega, beta, alpha, &clamps);
    ok(clamps.index == 1 && off(beta[0], 1e-3 * omega[0] / POYI_C) <= 1e-15, "Re n is held at 1e-3");
    poy_guide_destroy(&guide);
    o.modes = NULL;

    /* k a below -Im v of the wall: the square of 1 - iv/ka turns over, and the formula gains */
    o.core_radius.value = 1e-6;
    o.wall = (poy_guide_material){.n = 0.46, .k = 0.109};
    clamps = (poy_guide_clamps){0};
    omega[0] = omega_at(10e-6);
    poy_guide_create_capillary(ctx, &o, &guide);
    poy_guide_attenuation(ctx, guide, 0, 0.0, omega[0], &raw);
    poy_guide_propagation(ctx, guide, 0, 0.0, 1, omega, NULL, alpha, &clamps);
    ok(raw < 0.0 && alpha[0] == 0.0 && clamps.gain == 1, "a gain of the formula, %.3g/m, is held at 0", raw);
    poy_guide_destroy(&guide);

    static const char *const mode[] = {"HE11"};
    poy_antiresonant_options a = antiresonant_options(20e-6, 0.7e-6, 1.45, mode);
    const double root = sqrt(1.45 * 1.45 - 1.0), resonance = omega_at(2.0 * 0.7e-6 * root);
    const double near[2] = {resonance * (1.0 + 0.01 / POYI_PI), resonance * (1.0 + 0.03 / POYI_PI)};
    clamps = (poy_guide_clamps){0};
    poy_guide_create_antiresonant(ctx, &a, &guide);
    poy_guide_propagation(ctx, guide, 0, 0.0, 2, near, NULL, NULL, &clamps);
    ok(clamps.resonance == 1, "|cot| of 100 is counted, of 33 is not: %ld", (long)clamps.resonance);
    poy_guide_destroy(&guide);
}

int main(void)
{
    poy_ctx_create(&ctx);
    check_capillaries();
    check_antiresonant();
    check_tubes();
    check_step_index();
    check_rectangular();
    check_radius_and_diameter();
    check_areas();
    check_mixture();
    check_all_derivatives();
    check_loss_factor();
    check_clamps();
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
