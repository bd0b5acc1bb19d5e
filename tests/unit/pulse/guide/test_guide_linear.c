/* test_guide_linear.c: the linear operator along z: pressures, radii, the cumulative phase as terms and as a table. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "math/math.h"
#include "pulse/guide/linear.h"
#include "tap.h"

static poy_ctx *ctx;

static double off(double got, double want)
{
    return fabs(got / want - 1.0);
}

static double omega_at(double wavelength)
{
    return 2.0 * POYI_PI * POYI_C / wavelength;
}

static const char *const argon[] = {"Ar"}, *const helium[] = {"He"}, *const neon[] = {"Ne"};
static const char *const four[] = {"HE11", "HE12", "TE01", "HE13"};

static poy_capillary_options capillary(const char *const *gas, double radius, double pressure)
{
    poy_capillary_options o;
    poy_capillary_options_init(&o);
    o.core_radius.value = radius;
    o.wall = (poy_guide_material){.name = "SiO2", .extrapolate = 1};
    o.fill.n_gases = 1;
    o.fill.gases = gas;
    o.fill.pressure.value = pressure;
    o.modes = four;
    o.n_modes = 4;
    return o;
}

static poy_guide *make(const poy_capillary_options *o)
{
    poy_guide *guide = NULL;
    if (poy_guide_create_capillary(ctx, o, &guide) != POY_OK)
        ok(0, "a guide: %s", poy_ctx_message(ctx));
    return guide;
}

/* ---- grids ---- */

enum { BINS = 24, COLUMNS = 2, ALL = BINS * COLUMNS };
static double omega[BINS];
static const int columns[COLUMNS] = {0, 1};

static poyi_linear_options options(double length, double from, double to)
{
    for (int i = 0; i < BINS; i++)
        omega[i] = omega_at(to) + (omega_at(from) - omega_at(to)) * i / (BINS - 1);
    return (poyi_linear_options){
        .n_w = BINS, .omega = omega, .n_c = COLUMNS, .modes = columns, .omega0 = omega_at(800e-9), .length = length};
}

static poyi_linear *linear_of(poy_guide *guide, const poyi_linear_options *o)
{
    poyi_linear *linear = NULL;
    if (poyi_linear_create(ctx, guide, o, &linear) != POY_OK)
        ok(0, "a linear operator: %s", poy_ctx_message(ctx));
    return linear;
}

/* ---- reference: Gauss-Legendre panels between the kinks of the profiles, z ~ s^2 (3 - 2s) in each piece, which resolves
 * the root of a pressure that falls to 0 at an end; from public functions alone ---- */

static void add_integral(poy_guide *guide, const poyi_linear_options *o, double from, double to, double out[2 * ALL])
{
    enum { PANELS = 12, NODES = 24 };
    double x[NODES], w[NODES];
    poyi_gauss_legendre(ctx, NODES, x, w);
    for (int panel = 0; panel < PANELS; panel++)
        for (int j = 0; j < NODES; j++) {
            const double s = (panel + 0.5 * (1.0 + x[j])) / PANELS, z = from + (to - from) * s * s * (3.0 - 2.0 * s);
            const double weight = 0.5 * w[j] / PANELS * (to - from) * 6.0 * s * (1.0 - s), w0 = o->omega0;
            double frame[4], ref[2];
            poy_guide_index(ctx, guide, o->reference, z, w0, 1, frame); /* n - 1, n' */
            ref[0] = w0 / POYI_C * frame[0];
            ref[1] = (frame[0] + w0 * frame[2]) / POYI_C;
            for (int i = 0; i < ALL; i++) {
                double n[2];
                const double at = omega[i % BINS];
                poy_guide_index(ctx, guide, columns[i / BINS], z, at, 0, n);
                const double lag = o->frame == POYI_FRAME_GROUP ? ref[1] * at : ref[0] + ref[1] * (at - w0);
                out[2 * i] -= weight * at / POYI_C * n[1];
                out[2 * i + 1] -= weight * (at / POYI_C * n[0] - lag);
            }
        }
}

static const double kinks[] = {0.1, 0.4, 0.5, 0.9}; /* of all profiles here */

static void integral(poy_guide *guide, const poyi_linear_options *o, double from, double to, double out[2 * ALL])
{
    memset(out, 0, 2 * ALL * sizeof *out);
    for (int i = 0; i < 4; i++)
        if (kinks[i] > from && kinks[i] < to) {
            add_integral(guide, o, from, kinks[i], out);
            from = kinks[i];
        }
    add_integral(guide, o, from, to, out);
}

/* The largest difference of Phi(to) - Phi(from) from the reference, over what rounding allows: 1e-12 rad, and 4e-15 of
 * the length times what L is the difference of. */
static double worst_of(poy_guide *guide, const poyi_linear *linear, const poyi_linear_options *o, double from,
                       double to)
{
    static double want[2 * ALL], a[2 * ALL], b[2 * ALL];
    double worst = 0.0, n[2];
    integral(guide, o, from, to, want);
    poyi_linear_phase_at(linear, from, a);
    poyi_linear_phase_at(linear, to, b);
    for (int i = 0; i < 2 * ALL; i++) {
        poy_guide_index(ctx, guide, columns[i / 2 / BINS], from, omega[i / 2 % BINS], 0, n);
        const double scale = omega[i / 2 % BINS] / POYI_C * (fabs(n[0]) + 1e-4) * o->length;
        worst = fmax(worst, fabs(b[i] - a[i] - want[i]) / (1e-12 + 4e-15 * scale + 4e-16 * fabs(b[i])));
    }
    return worst;
}

static void check_against_integral(const char *what, const poy_capillary_options *c, double length, double from,
                                   double to, poyi_frame frame)
{
    poyi_linear_options o = options(length, from, to);
    poy_guide *guide = make(c);
    o.frame = frame;
    poyi_linear *linear = linear_of(guide, &o);
    const poyi_expansion *phase = poyi_linear_phase(linear), *reciprocal = poyi_linear_reciprocal(linear);
    const double worst =
        fmax(worst_of(guide, linear, &o, 0.0, length), worst_of(guide, linear, &o, 0.21 * length, 0.77 * length));
    ok(worst <= 1.0, "%s: %d %s%s, integral off %.2g of the bound", what, phase->n_term,
       phase->form == POYI_ALONG_TERMS ? "terms" : "terms a section of ", phase->n_section ? "a table" : "", worst);

    double error = 0.0, got[ALL], n[2];
    for (int k = 0; k <= 10; k++) {
        const double z = length * k / 10.0;
        poyi_linear_reciprocal_at(linear, z, got);
        for (int i = 0; i < ALL; i++) {
            poy_guide_index(ctx, guide, columns[i / BINS], z, omega[i % BINS], 0, n);
            error = fmax(error, fabs(got[i] * (1.0 + n[0]) - 1.0));
        }
    }
    ok(error <= 4e-15, "  and 1/n in %d terms, off %.1e", reciprocal->n_term, error);
    poyi_linear_destroy(&linear);
    poy_guide_destroy(&guide);
}

static double wavy(void *user, double z)
{
    const double *p = user;
    return p[0] * (1.0 + p[1] * sin(9.0 * z));
}

static void check_integrals(void)
{
    static const double z2[] = {0.0, 1.0}, down[] = {0.8e5, 0.0}, up[] = {0.0, 3e5}, little[] = {1e5, 1.2e5};
    static const double many[] = {1e5, 3e5, 3e5, 0.2e5}, taper[] = {60e-6, 25e-6};
    double wave[] = {40e-6, 0.2};
    poy_capillary_options c = capillary(helium, 125e-6, 1e5);
    check_against_integral("constant", &c, 1.0, 200e-9, 2e-6, POYI_FRAME_GROUP);
    check_against_integral("constant, carrier removed", &c, 1.0, 200e-9, 2e-6, POYI_FRAME_CARRIER);
    c.fill.pressure = (poy_along){.n = 2, .z = z2, .values = down};
    check_against_integral("0.8 bar to vacuum", &c, 1.0, 160e-9, 2e-6, POYI_FRAME_GROUP);
    c.fill.pressure.values = little;
    check_against_integral("1 to 1.2 bar", &c, 1.0, 200e-9, 2e-6, POYI_FRAME_CARRIER);
    c = capillary(argon, 60e-6, 1e5);
    c.fill.pressure = (poy_along){.n = 4, .z = kinks, .values = many};
    check_against_integral("four points", &c, 1.0, 200e-9, 2e-6, POYI_FRAME_GROUP);
    c = capillary(argon, 60e-6, 2e5);
    c.core_radius = (poy_along){.n = 2, .z = z2, .values = taper};
    check_against_integral("a taper", &c, 1.0, 250e-9, 1.5e-6, POYI_FRAME_GROUP);
    c.core_radius = (poy_along){.function = wavy, .user = wave, .from = 0.0, .to = 1.0};
    check_against_integral("a function", &c, 1.0, 250e-9, 1.5e-6, POYI_FRAME_CARRIER);
    c.fill.pressure = (poy_along){.n = 2, .z = z2, .values = up};
    check_against_integral("a function of z, and vacuum to 3 bar", &c, 1.0, 250e-9, 1.5e-6, POYI_FRAME_GROUP);
    c.model = POY_CAPILLARY_REDUCED;
    check_against_integral("the same, reduced", &c, 1.0, 250e-9, 1.5e-6, POYI_FRAME_GROUP);
    c = capillary(argon, 60e-6, 2e5);
    c.model = POY_CAPILLARY_REDUCED;
    c.core_radius = (poy_along){.n = 2, .z = z2, .values = taper};
    check_against_integral("a taper, reduced", &c, 1.0, 250e-9, 1.5e-6, POYI_FRAME_CARRIER);
    c.core_radius.n = 0;
    c.core_radius.value = 60e-6;
    c.fill.pressure = (poy_along){.n = 2, .z = z2, .values = up};
    check_against_integral("vacuum to 3 bar, reduced", &c, 1.0, 250e-9, 1.5e-6, POYI_FRAME_GROUP);
}

/* ---- the taper of the reference files ---- */

static void check_taper(void)
{
    static const double z[] = {0.0, 0.5}, a[] = {70e-6, 28e-6};
    static double w[64], want[128];
    static const int first[] = {0};
    int n = 0;
#define PHASE(omega, re, im) \
    w[n] = omega;            \
    want[2 * n] = re;        \
    want[2 * n + 1] = im;    \
    n++;
#include "golden/guide_taper.def"
    poy_capillary_options c = capillary(neon, 1.0, 1.5e5);
    c.core_radius = (poy_along){.n = 2, .z = z, .values = a};
    poy_guide *guide = make(&c);
    const poyi_linear_options o = {
        .n_w = n, .omega = w, .n_c = 1, .modes = first, .omega0 = omega_at(800e-9), .length = 0.5};
    poyi_linear *linear = linear_of(guide, &o);
    double got[128], loss = 0.0, lag = 0.0;
    poyi_linear_phase_at(linear, 0.5, got);
    for (int i = 0; i < n; i++) {
        loss = fmax(loss, fabs(got[2 * i] - want[2 * i]));
        lag = fmax(lag, fabs(got[2 * i + 1] - want[2 * i + 1]));
    }
    /* the file's beta_1 is a Chebyshev derivative in double precision: 3e-14 of omega integral beta_1 dz, 4e6 rad */
    ok(n == 44 && loss <= 2e-12 && lag <= 2e-7, "70 to 28 um: %d frequencies, loss off %.1e, phase off %.1e rad", n,
       loss, lag);
    poyi_linear_destroy(&linear);
    poy_guide_destroy(&guide);
}

/* ---- laws ---- */

/* A profile that is constant but for its last digits takes the way of those that vary, and gives what constant ones do. */
static void check_constant_profile(void)
{
    static const double z[] = {0.0, 1.0}, p[] = {2e5, 2e5 * (1.0 + 4e-15)}, r[] = {50e-6, 50e-6 * (1.0 + 4e-15)};
    static double got[2 * ALL], want[2 * ALL];
    poyi_linear_options o = options(1.0, 250e-9, 1.5e-6);
    poy_capillary_options c = capillary(argon, 50e-6, 2e5);
    poy_guide *constant = make(&c);
    poyi_linear *reference = linear_of(constant, &o);
    poyi_linear_phase_at(reference, 0.6, want);
    for (int way = 0; way < 3; way++) {
        c = capillary(argon, 50e-6, 2e5);
        if (way != 1)
            c.fill.pressure = (poy_along){.n = 2, .z = z, .values = p};
        if (way != 0)
            c.core_radius = (poy_along){.n = 2, .z = z, .values = r};
        poy_guide *guide = make(&c);
        poyi_linear *linear = linear_of(guide, &o);
        double worst = 0.0;
        poyi_linear_phase_at(linear, 0.6, got);
        for (int i = 0; i < 2 * ALL; i++)
            worst = fmax(worst, fabs(got[i] - want[i]));
        /* 4e-15 of beta - 1/c omega, which is up to 2e4/m, beside what rounding leaves of L */
        ok(poy_guide_varies(guide) && worst <= 2e-10, "constant %s: off %.1e rad",
           way == 0   ? "pressure"
           : way == 1 ? "radius"
                      : "both, as a table",
           worst);
        poyi_linear_destroy(&linear);
        poy_guide_destroy(&guide);
    }
    poyi_linear_destroy(&reference);
    poy_guide_destroy(&constant);
}

/* P0: the phases of steps, however chosen, add up to that of the whole. */
static void check_steps(const char *what, const poy_capillary_options *c)
{
    static double one[2 * ALL], before[2 * ALL], after[2 * ALL], sum[2 * ALL];
    poyi_linear_options o = options(1.0, 250e-9, 1.5e-6);
    poy_guide *guide = make(c);
    poyi_linear *linear = linear_of(guide, &o);
    double worst = 0.0, largest = 0.0;
    poyi_linear_phase_at(linear, 1.0, one);
    memset(sum, 0, sizeof sum);
    poyi_linear_phase_at(linear, 0.0, before);
    double at_start = 0.0;
    for (int i = 0; i < 2 * ALL; i++)
        at_start = fmax(at_start, fabs(before[i]));
    for (int step = 1; step <= 50; step++) {
        poyi_linear_phase_at(linear, pow(step / 50.0, 1.7), after);
        for (int i = 0; i < 2 * ALL; i++)
            sum[i] += after[i] - before[i];
        memcpy(before, after, sizeof after);
    }
    for (int i = 0; i < 2 * ALL; i++) {
        worst = fmax(worst, fabs(sum[i] - one[i]));
        largest = fmax(largest, fabs(one[i]));
    }
    ok(at_start <= 4e-16 * largest && worst <= 1e-13 + 4e-16 * 50.0 * largest,
       "%s: 50 steps add up to one of %.3g rad, off %.1e; Phi(0) = %.0e", what, largest, worst, at_start);
    poyi_linear_destroy(&linear);
    poy_guide_destroy(&guide);
}

/* The two ways to write one guide agree. */
static void check_two_forms(void)
{
    static const double z[] = {0.0, 1.0}, p[] = {3e5, 0.0};
    static double a[2 * ALL], b[2 * ALL];
    poyi_linear_options o = options(1.0, 250e-9, 1.5e-6);
    poy_capillary_options c = capillary(argon, 50e-6, 0.0);
    c.fill.pressure = (poy_along){.n = 2, .z = z, .values = p};
    poy_guide *guide = make(&c);
    poyi_linear *terms = linear_of(guide, &o), table = {.guide = guide, .length = 1.0};
    poyi_job job;
    double worst = 0.0;
    poyi_job_create(ctx, guide, &o, &job);
    for (int k = 0; k <= 4; k++) {
        poy_guide_place place;
        poy_guide_at(guide, 0.25 * k, &place);
        poyi_job_survey(&job, &place);
    }
    poyi_make_table(&job, 1, 1, &table);
    ok(table.phase.form == POYI_ALONG_TABLE && poyi_linear_phase(terms)->form == POYI_ALONG_TERMS,
       "a gradient as terms, and as a table of %d sections, %d terms", table.phase.n_section, table.phase.n_term);
    for (int k = 0; k <= 20; k++) {
        poyi_linear_phase_at(terms, k / 20.0, a);
        poyi_linear_phase_at(&table, k / 20.0, b);
        for (int i = 0; i < 2 * ALL; i++)
            worst = fmax(worst, fabs(a[i] - b[i]));
    }
    ok(worst <= 1e-11, "they agree to %.1e rad", worst);
    poyi_job_fini(&job);
    poyi_free((void **)&table.phase.values);
    poyi_free((void **)&table.reciprocal.values);
    poyi_free((void **)&table.spans);
    poyi_linear_destroy(&terms);
    poy_guide_destroy(&guide);
}

/* A table of planes: L is linear in z between them, so its integral is the trapezoidal rule's. */
static void check_planes(void)
{
    enum { W = 30 };
    static double l[W], n[3 * W], k[3 * W], a[2 * ALL], b[2 * ALL], L[3][2 * ALL];
    const double area[] = {1e-10}, z[] = {0.0, 0.3, 1.0};
    poy_tabulated_options t;
    poy_guide *guide = NULL;
    poyi_linear_options o = options(1.0, 400e-9, 1.5e-6);
    static const int both[] = {0, 0};
    o.modes = both;
    for (int i = 0; i < W; i++) {
        l[i] = 300e-9 + 50e-9 * i;
        for (int j = 0; j < 3; j++) {
            n[W * j + i] = 1.0 + 1e-4 * (1.0 + 0.2 * j) / (1.0 + 1e12 * l[i] * l[i]);
            k[W * j + i] = 1e-8 * (1.0 + j);
        }
    }
    poy_tabulated_options_init(&t);
    t.n_wavelengths = W;
    t.wavelengths = l;
    t.n_z = 3;
    t.z = z;
    t.n = n;
    t.k = k;
    t.area = area;
    poy_guide_create_tabulated(ctx, &t, &guide);
    poyi_linear *linear = linear_of(guide, &o);
    poyi_job job;
    poyi_job_create(ctx, guide, &o, &job);
    for (int j = 0; j < 3; j++) {
        poy_guide_place place;
        poy_guide_at(guide, z[j], &place);
        poyi_job_sample(&job, &place, 1, 1.0, L[j], NULL);
    }
    double worst = 0.0, largest = 0.0;
    poyi_linear_phase_at(linear, 0.1, a);
    poyi_linear_phase_at(linear, 0.8, b);
    for (int i = 0; i < 2 * ALL; i++) {
        const double at[2] = {L[0][i] + (L[1][i] - L[0][i]) / 3.0, L[1][i] + (L[2][i] - L[1][i]) * 5.0 / 7.0};
        const double want = 0.5 * 0.2 * (at[0] + L[1][i]) + 0.5 * 0.5 * (L[1][i] + at[1]);
        worst = fmax(worst, fabs(b[i] - a[i] - want));
        largest = fmax(largest, fabs(want));
    }
    ok(poyi_linear_phase(linear)->n_term == 3 && worst <= 1e-14 * largest,
       "three planes are three terms: off %.1e of %.3g", worst, largest);
    poyi_job_fini(&job);
    poyi_linear_destroy(&linear);
    poy_guide_destroy(&guide);
}

static void count_line(void *user, poy_log_level level, const char *text)
{
    int *lines = user;
    *lines += level == POY_LOG_WARNING && strstr(text, "passes 3000/m") != NULL;
}

/* Bins that die in a taper: their loss is capped smoothly, they gain nowhere, and the others do not notice. */
static void check_dark_bins(void)
{
    static const double z[] = {0.0, 0.1}, r[] = {40e-6, 6e-6};
    static double a[2 * ALL], b[2 * ALL];
    poyi_linear_options o = options(0.1, 250e-9, 4e-6);
    poy_capillary_options c = capillary(argon, 1.0, 1e5);
    c.core_radius = (poy_along){.n = 2, .z = z, .values = r};
    poy_guide *guide = make(&c);
    int lines = 0;
    poy_ctx_set_log(ctx, count_line, &lines, POY_LOG_WARNING);
    poyi_linear *linear = linear_of(guide, &o);
    poy_ctx_set_log(ctx, NULL, NULL, POY_LOG_ERROR);
    ok(lines == 1, "the log says once that bins are held");
    const poy_guide_clamps clamps = poyi_linear_clamps(linear);
    int gains = 0, above = 0;
    poyi_linear_phase_at(linear, 0.0, a);
    for (int k = 1; k <= 100; k++) {
        poyi_linear_phase_at(linear, 1e-3 * k, b);
        for (int i = 0; i < ALL; i++) {
            gains += b[2 * i] > a[2 * i] + 1e-9;
            above += a[2 * i] - b[2 * i] > 1500.0 * 1.0001e-3;
        }
        memcpy(a, b, sizeof a);
    }
    ok(clamps.loss > 0 && clamps.loss < ALL && gains == 0 && above == 0,
       "%ld of %d bins pass 3000/m in a taper: none gains, none loses faster, %d terms", (long)clamps.loss, ALL,
       poyi_linear_phase(linear)->n_term);
    ok(worst_of(guide, linear, &o, 0.0, 0.03) > 1.0,
       "there the capped phase is not the integral, which the test can tell");
    unsigned char mask[BINS];
    for (int i = 0; i < BINS; i++) {
        double n[2];
        poy_guide_index(ctx, guide, 1, 0.1, omega[i], 0, n);
        mask[i] = 2.0 * omega[i] / POYI_C * n[1] < 3000.0;
    }
    poyi_linear *rest = NULL;
    o.mask = mask;
    poyi_linear_create(ctx, guide, &o, &rest);
    double worst = 0.0;
    poyi_linear_phase_at(linear, 0.07, a);
    poyi_linear_phase_at(rest, 0.07, b);
    for (int i = 0; i < 2 * ALL; i++)
        worst = fmax(worst, mask[i / 2 % BINS] ? fabs(a[i] - b[i]) : fabs(b[i]));
    ok(worst <= 1e-11 && poyi_linear_clamps(rest).loss == 0,
       "the other bins do not notice: off %.1e; masked ones are 0", worst);
    poyi_linear_destroy(&rest);
    poyi_linear_destroy(&linear);
    poy_guide_destroy(&guide);
}

/* ---- profiles ---- */

static void check_pressures(void)
{
    static const double z[] = {0.5, 1.5, 2.0}, p[] = {4e5, 1e5, 0.0}, half[] = {0.5, 0.5};
    static const char *const mixture[] = {"Ar", "Kr"};
    poy_capillary_options c = capillary(mixture, 50e-6, 0.0);
    poy_guide_place at;
    double worst = 0.0, density = 0.0, rule = 0.0;
    c.fill.n_gases = 2;
    c.fill.shares = half;
    c.fill.pressure = (poy_along){.n = 3, .z = z, .values = p};
    poy_guide *guide = make(&c);
    for (int i = -10; i <= 250; i++) {
        const double x = 0.01 * i, first = 16e10 - 15e10 * (x - 0.5), second = 1e10 * (2.0 - x) / 0.5;
        const double want = x <= 0.5 ? 4e5 : sqrt(fmax(x < 1.5 ? first : second, 0.0));
        poy_guide_at(guide, x, &at);
        rule = fmax(rule, fabs(at.pressure - want) / 4e5);
        for (int g = 0; g < 2; g++) {
            poy_gas_density(ctx, poy_guide_gas(guide, g), POY_EOS_HELMHOLTZ, 0.5 * at.pressure, 293.15, &density, NULL);
            worst = fmax(worst, at.pressure > 0.0 ? off(at.density[g], density) : at.density[g]);
        }
    }
    ok(rule <= 1e-8 && worst <= 1e-13, "p^2 is linear between points (%.0e), densities are the EOS's, off %.1e", rule,
       worst);
    poy_guide_destroy(&guide);
    /* Xe at 16 C, a little above its critical temperature, up to near the critical pressure */
    static const char *const xenon[] = {"Xe"};
    static const double z2[] = {0.0, 1.0}, dense[] = {45e5, 0.0};
    c = capillary(xenon, 50e-6, 0.0);
    c.fill.temperature = 300.0;
    c.fill.pressure = (poy_along){.n = 2, .z = z2, .values = dense};
    guide = make(&c);
    worst = 0.0;
    for (int i = 0; i < 100; i++) {
        poy_guide_at(guide, 0.01 * i, &at);
        poy_gas_density(ctx, poy_guide_gas(guide, 0), POY_EOS_HELMHOLTZ, at.pressure, 300.0, &density, NULL);
        worst = fmax(worst, off(at.density[0], density));
    }
    ok(worst <= 1e-13, "45 bar of Xe at 300 K: off %.1e", worst);
    poy_guide_destroy(&guide);
}

static double kinked(void *user, double z)
{
    (void)user;
    return z < 0.25 ? 50e-6 : 50e-6 - 20e-6 * (z - 0.25);
}

static void check_functions(void)
{
    double wave[] = {40e-6, 0.2}, worst = 0.0;
    poy_capillary_options c = capillary(argon, 1.0, 1e5);
    poy_guide_place at;
    c.core_radius = (poy_along){.function = wavy, .user = wave, .from = 0.1, .to = 1.0};
    poy_guide *guide = make(&c);
    for (int i = 0; i <= 120; i++) {
        const double z = 0.01 * i, held = fmin(fmax(z, 0.1), 1.0);
        poy_guide_at(guide, z, &at);
        worst = fmax(worst, off(at.core_radius, wavy(wave, held)));
    }
    ok(worst <= 1e-13, "a radius by a function, constant outside: off %.1e", worst);
    poy_guide_destroy(&guide);
    c.core_radius.function = kinked;
    c.core_radius.from = 0.0;
    guide = make(&c);
    worst = 0.0;
    for (int i = 0; i <= 100; i++) {
        poy_guide_at(guide, 0.01 * i, &at);
        worst = fmax(worst, off(at.core_radius, kinked(NULL, 0.01 * i)));
    }
    ok(worst <= 1e-13, "one with a kink: off %.1e", worst);
    poy_guide_destroy(&guide);
    wave[1] = 0.0;
    c.core_radius.function = wavy;
    guide = make(&c);
    ok(!poy_guide_varies(guide), "a constant function makes a constant guide");
    poy_guide_destroy(&guide);
}

int main(void)
{
    static const double z[] = {0.0, 1.0}, p[] = {2e5, 0.0}, r[] = {60e-6, 25e-6};
    poy_ctx_create(&ctx);
    check_pressures();
    check_functions();
    check_integrals();
    check_taper();
    check_constant_profile();
    poy_capillary_options c = capillary(argon, 50e-6, 0.0);
    c.fill.pressure = (poy_along){.n = 2, .z = z, .values = p};
    check_steps("a gradient", &c);
    c.core_radius = (poy_along){.n = 2, .z = z, .values = r};
    check_steps("a gradient in a taper", &c);
    check_two_forms();
    check_planes();
    check_dark_bins();
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
