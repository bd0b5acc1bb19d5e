/* test_gas_laws.c: laws of a pulse in a gas-filled capillary, each
 * against a closed form or another way to the same. Argument: backend. */
#include <complex.h>
#include <float.h>

#include "hollow.h"

#ifndef CMPLX /* as C11, where the C library has it for gcc alone */
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif

static const char *backend;
static poy_ctx *ctx;

/* 10 fs at 800 nm in a capillary of 125 um; of a real field with everything on. Samples are an 32nd of a cycle apart, so
 * that the bins of real fields and envelopes are the same frequencies. */
static void set_up(hollow *s, const char *gas)
{
    *s = hollow_make(gas, 125e-6, 1);
    s->length = 0.02;
    s->grid.wavelength_min = 200e-9;
    s->grid.dt_max = 800e-9 / (32.0 * LAB_C);
    s->guide.fill.eos = POY_EOS_IDEAL;
    s->pulse.energy = 100e-6;
}

/* ---- 11: two gases of half the density are one ---- */

static void check_halves(void)
{
    hollow one, two;
    set_up(&one, "Ar");
    one.guide.fill.pressure.value = 2e4;
    set_up(&two, "Ar");
    two.guide.fill.pressure.value = 2e4;
    two.gases[1] = "Ar";
    two.shares[0] = two.shares[1] = 0.5;
    two.guide.fill.n_gases = 2;
    poy_problem *p = hollow_problem(ctx, &one), *q = hollow_problem(ctx, &two);
    double *in = hollow_launch(ctx, &one, p), *a = hollow_source_on(ctx, backend, p, in),
           *b = hollow_source_on(ctx, backend, q, in);
    const double distance = lab_distance(b, a, lab_bins(p));
    ok(distance <= 1e-14, "law 11: Kerr and plasma: two half densities of argon are one, to %.1e", distance);
    free(in);
    free(a);
    free(b);
    poy_problem_destroy(&p);
    poy_problem_destroy(&q);
}

/* ---- 12, 8.1: real fields and envelopes ---- */

/* The spectrum of a real field as that of an envelope with the same bins, and back: 2 dt A = dt' A'. */
static int64_t same_bin(const poy_problem *field, const poy_problem *envelope, int64_t j)
{
    const poy_grid *g = poy_problem_grid(envelope);
    const int64_t k = (int64_t)nearbyint(poy_grid_omega(g)[j] / poy_grid_get(g)->domega);
    return k < 1 || k >= lab_bins(field) || !poy_grid_mask(g)[j] ? -1 : k;
}

/* Distance of the sources of a real field and of an envelope in their band, both in units of the analytic signal. */
static double compare_sources(hollow *field, hollow *envelope)
{
    poy_problem *p = hollow_problem(ctx, field), *q = hollow_problem(ctx, envelope);
    const poy_grid_info *gp = poy_grid_get(poy_problem_grid(p)), *gq = poy_grid_get(poy_problem_grid(q));
    double *in_p = hollow_launch(ctx, field, p), *in_q = lab_field(q), error = 0.0, size = 0.0;
    for (int64_t j = 0; j < gq->n_w; j++) {
        const int64_t k = same_bin(p, q, j);
        for (int part = 0; part < 2 && k > 0; part++)
            in_q[2 * j + part] = 2.0 * gp->dt / gq->dt * in_p[2 * k + part];
    }
    double *a = hollow_source_on(ctx, backend, p, in_p), *b = hollow_source_on(ctx, backend, q, in_q);
    for (int64_t j = 0; j < gq->n_w; j++) {
        const int64_t k = same_bin(p, q, j);
        for (int part = 0; part < 2 && k > 0; part++) {
            const double x = 2.0 * gp->dt * a[2 * k + part], y = gq->dt * b[2 * j + part];
            error += (x - y) * (x - y);
            size += x * x;
        }
    }
    free(in_p);
    free(in_q);
    free(a);
    free(b);
    poy_problem_destroy(&p);
    poy_problem_destroy(&q);
    return sqrt(error / size);
}

static void check_envelope(void)
{
    hollow field, envelope;
    set_up(&field, "N2");
    field.gas.plasma = 0;
    field.gas.raman = 1;
    field.grid.window = 400e-15;
    field.pulse.fwhm = 30e-15;
    envelope = field;
    envelope.grid.field = POY_FIELD_ENVELOPE;
    field.grid.thg = envelope.grid.thg = 0;
    const double same = compare_sources(&field, &envelope);
    ok(same <= 1e-12,
       "law 12: without third harmonics a real field and an envelope of 11 cycles have one source, to %.1e", same);
    field.pulse.fwhm = envelope.pulse.fwhm = 3e-15;
    field.gas.raman = envelope.gas.raman = 0;
    field.grid.thg = envelope.grid.thg = 1;
    const double folded = compare_sources(&field, &envelope);
    ok(folded <= 1e-12, "law 12: with them and folded negative frequencies of one cycle too, to %.1e", folded);
    envelope.gas.fold = 0;
    const double unfolded = compare_sources(&field, &envelope);
    ok(unfolded > 1e3 * folded && unfolded < 1e-1, "which are missed without folding: %.1e", unfolded);
}

/* ---- 8.6: free electrons ---- */

/* Every atom ionised: dA/dz = i w_p^2/(2 c^2 beta) A, with w_p^2 = density e^2/(eps0 m), times what the two running
 * integrals make of an oscillation: ((theta/2) cot(theta/2))^2 by trapezoids, theta = omega dt; of a held current one. */
static void check_drude(int taps, int held, double limit)
{
    const double e = 1.602176634e-19, m = 9.1093837015e-31, eps0 = 8.8541878128e-12;
    hollow s;
    set_up(&s, "Ar");
    s.pulse.energy = 1e-15;
    s.physics.kerr = 0;
    s.gas.preionised = 1.0;
    s.gas.plasma_taps = taps;
    s.gas.plasma_held = held;
    poy_problem *p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p), *a = hollow_source_on(ctx, backend, p, in), error = 0.0, size = 0.0;
    const poy_grid *grid = poy_problem_grid(p);
    const poy_grid_info *info = poy_grid_get(grid);
    poy_guide *guide = NULL;
    poy_guide_place place;
    must(ctx, poy_guide_create_capillary(ctx, &s.guide, &guide), "a capillary");
    poy_guide_at(guide, 0.0, &place);
    for (int64_t k = 0; k < info->n_w; k++) {
        const double omega = poy_grid_omega(grid)[k], theta = 0.5 * omega * info->dt_fine;
        double beta = 0.0;
        if (!poy_grid_mask(grid)[k])
            continue;
        must(ctx, poy_guide_propagation(ctx, guide, 0, 0.0, 1, &omega, &beta, NULL, NULL), "beta");
        const double rule = taps ? 1.0 : pow(theta / tan(theta), held ? 1 : 2);
        const double factor =
            rule * place.density[0] * e * e / (eps0 * m) / (2.0 * LAB_C * LAB_C * beta) * poy_grid_window_w(grid)[k];
        const double complex want = CMPLX(-factor * in[2 * k + 1], factor * in[2 * k]);
        const double complex got = CMPLX(a[2 * k], a[2 * k + 1]);
        error += cabs(got - want) * cabs(got - want);
        size += cabs(want) * cabs(want);
    }
    error = sqrt(error / size);
    ok(error <= limit, "free electrons, K = %d%s: Drude's law to %.1e (limit %.0e)", taps, held ? ", held current" : "",
       error, limit);
    poy_guide_destroy(&guide);
    free(in);
    free(a);
    poy_problem_destroy(&p);
}

/* How far a held current is from its integral, in a window of this length. */
static double held_distance(int thg, double window)
{
    hollow s;
    double *of[2];
    int64_t n = 0;
    set_up(&s, "Ar");
    s.grid.thg = thg;
    s.grid.window = window;
    s.physics.kerr = 0;
    s.gas.plasma_taps = 4;
    s.pulse.energy = 300e-6;
    for (int held = 0; held < 2; held++) {
        s.gas.plasma_held = held;
        of[held] = hollow_source(ctx, backend, &s, &n);
    }
    const double distance = lab_distance(of[1], of[0], n);
    free(of[0]);
    free(of[1]);
    return distance;
}

/* A gas that is ionised in the middle of the window: its current lasts to the end, where the window cuts it off. Held, it
 * lacks the integral of the current times the window's curvature, which is less the longer the edges: of 171 fs and of
 * 342 fs in all they have 10 fs and 81 fs. */
static void check_held(int thg)
{
    const double sharp = held_distance(thg, 150e-15), soft = held_distance(thg, 180e-15);
    ok(soft > 0.0 && soft <= 1e-6 && sharp <= 1e-3 && soft <= 0.01 * sharp,
       "thg %d: a held current acts as its integral to %.1e, with edges an eighth as long to %.1e", thg, soft, sharp);
}

static void check_table(void)
{
    hollow s;
    poy_problem *p;
    poy_run *run;
    set_up(&s, "Xe");
    s.gas.rate_field_max = 1e10;
    s.length = 1e-4;
    p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p);
    run = lab_open(ctx, p, backend, in);
    const poy_status status = poy_run_propagate_to(ctx, run, s.length, NULL);
    ok(status == POY_ERR_RANGE && strstr(poy_ctx_message(ctx), "table of Xe (1e+10 V/m)") &&
           strstr(poy_ctx_message(ctx), "z = 0 m"),
       "a field above the table: %s", poy_ctx_message(ctx));
    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    s.gas.rate_above = POY_IONISATION_HOLD;
    double *out = hollow_march(ctx, backend, &s, in, NULL);
    ok(out != NULL, "which a held rate lets through");
    free(out);
    free(in);
}

/* ---- 1: the operator along a gradient ---- */

static void check_gradient(void)
{
    static const double steps[7] = {0.05, 0.2, 0.1, 0.15, 0.3, 0.12, 0.08};
    const double z[3] = {0.0, 0.5, 1.0}, bar[3] = {0.0, 8e4, 5e4};
    hollow s;
    set_up(&s, "He");
    s.physics.kerr = 0;
    s.gas.plasma = 0;
    s.length = 1.0;
    s.guide.fill.eos = POY_EOS_HELMHOLTZ;
    s.guide.fill.pressure = (poy_along){.n = 3, .z = z, .values = bar};
    s.solver.schedule = steps;
    s.solver.n_schedule = 7;
    double *many = hollow_march(ctx, backend, &s, NULL, NULL);
    const double halves[2] = {0.5, 0.5};
    s.solver.schedule = halves;
    s.solver.n_schedule = 2;
    double *few = hollow_march(ctx, backend, &s, NULL, NULL);
    poy_problem *p = hollow_problem(ctx, &s);
    const int64_t n = lab_bins(p);
    const double distance = lab_distance(many, few, n);
    ok(distance <= 1e-12, "from nothing to 0.8 bar and down again: 7 steps are 2 steps, to %.1e", distance);
    poy_problem_destroy(&p);
    free(many);
    free(few);
}

/* ---- 13: a path that does not change is none ---- */

static void check_constant_path(void)
{
    static const double z[3] = {0.0, 0.013, 0.02}, bar[3] = {1e5, 1e5, 1e5}, radii[3] = {125e-6, 125e-6, 125e-6},
                        steps[4] = {4e-3, 6e-3, 3e-3, 7e-3}; /* one ends where the path bends */
    hollow s;
    set_up(&s, "Ar");
    s.solver.schedule = steps;
    s.solver.n_schedule = 4;
    double *plain = hollow_march(ctx, backend, &s, NULL, NULL), *along[2];
    s.guide.fill.pressure = (poy_along){.n = 3, .z = z, .values = bar};
    along[0] = hollow_march(ctx, backend, &s, NULL, NULL);
    s.guide.fill.pressure = (poy_along){.value = 1e5};
    s.guide.core_radius = (poy_along){.n = 3, .z = z, .values = radii};
    along[1] = hollow_march(ctx, backend, &s, NULL, NULL);
    poy_problem *p = hollow_problem(ctx, &s);
    for (int i = 0; i < 2; i++) {
        const double distance = lab_distance(along[i], plain, lab_bins(p));
        ok(distance <= 1e-12, "law 13: a %s along z that stays the same is a constant, to %.1e",
           i ? "radius" : "pressure", distance);
        free(along[i]);
    }
    poy_problem_destroy(&p);
    free(plain);
}

/* At a place of the gradient the response is that of the pressure there: z is rounded, so the square of the pressure is to
 * 4 eps of the first one's; of hydrogen's Raman response, whose lines widen as 1/pressure, a series in it leaves out some
 * 1e-9. */
static void check_place(hollow *s, double share)
{
    hollow there = *s;
    poy_problem *p = hollow_problem(ctx, s);
    double *in = hollow_launch(ctx, s, p), *out = lab_field(p);
    there.guide.fill.pressure = (poy_along){.value = 1e5 * share};
    poy_problem *q = hollow_problem(ctx, &there);
    double *want = hollow_source_on(ctx, backend, q, in);
    poy_run *run = lab_open(ctx, p, backend, NULL);
    must(ctx, poy_run_set_initial(ctx, run, in, NULL, s->length * (1.0 - share * share), NULL), "a place inside");
    must(ctx, poy_run_source(ctx, run, in, out), "the source there");
    const double distance = lab_distance(out, want, lab_bins(p));
    const int wide = !strcmp(s->gases[0], "H2") || !strcmp(s->gases[0], "D2");
    ok(distance <= 4.0 * DBL_EPSILON / (share * share) + (wide ? 1e-8 : 1e-14),
       "%s at %g bar of it: the response of that pressure to %.1e", s->gases[0], share, distance);
    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    poy_problem_destroy(&q);
    free(in);
    free(out);
    free(want);
}

/* From 1 bar to nothing, with every response that a gas has by default. */
static void check_to_vacuum(const char *gas)
{
    static const double z[2] = {0.0, 0.02}, bar[2] = {1e5, 0.0};
    hollow s;
    poy_problem *p = NULL;
    set_up(&s, gas);
    s.guide.fill.eos = POY_EOS_HELMHOLTZ;
    s.guide.fill.pressure = (poy_along){.n = 2, .z = z, .values = bar};
    s.grid.dt_max = 0.0;
    s.gas.raman = -1;
    s.pulse.energy = 50e-6;
    if (hollow_try(ctx, &s, &p) != POY_OK) {
        ok(0, "%s to vacuum: %s", gas, poy_ctx_message(ctx));
        return;
    }
    poy_problem_destroy(&p);
    double *out = hollow_march(ctx, backend, &s, NULL, NULL);
    p = hollow_problem(ctx, &s);
    const double norm = lab_norm2(out, lab_bins(p));
    ok(isfinite(norm) && norm > 0.0, "%s to vacuum: finite", gas);
    check_place(&s, 0.5);
    check_place(&s, 0.01);
    free(out);
    poy_problem_destroy(&p);
}

/* ---- 2.4: absorbers of real fields ---- */

static void check_absorbers(int thg)
{
    static const poy_absorber absorbers[] = {POY_ABSORBER_IN_STAGE, POY_ABSORBER_SPLIT_STEP,
                                             POY_ABSORBER_PER_STEP_WINDOW};
    hollow s;
    set_up(&s, "Ar");
    s.grid.thg = thg;
    s.grid.window = 150e-15;
    s.gas.plasma = 0;
    s.guide.fill.pressure.value = 1e4;
    s.pulse.energy = 1e-6;
    s.solver.rtol = 1e-8;
    poy_problem *p = hollow_problem(ctx, &s);
    const int64_t n = lab_bins(p);
    double *none = hollow_march(ctx, backend, &s, NULL, NULL), *late[2] = {NULL, NULL};
    for (int i = 0; i < 3; i++) {
        s.solver.absorber = absorbers[i];
        double *out = hollow_march(ctx, backend, &s, NULL, NULL);
        const double distance = lab_distance(out, none, n);
        ok(distance <= 1e-7, "thg %d: absorber %d leaves a pulse in the middle alone: %.1e", thg, (int)absorbers[i],
           distance);
        free(out);
    }
    s.pulse.delay = 70e-15; /* into the edge; thin gas, so that the absorber acts alone */
    s.guide.fill.pressure.value = 1.0;
    for (int i = 0; i < 2; i++) {
        s.solver.absorber = absorbers[i];
        s.solver.dz_max = s.length / 400;
        late[i] = hollow_march(ctx, backend, &s, NULL, NULL);
    }
    double *in = hollow_launch(ctx, &s, p);
    const double distance = lab_distance(late[0], late[1], n), lost = 1.0 - lab_norm2(late[0], n) / lab_norm2(in, n);
    ok(lost > 0.05 && distance < 0.01 * lost, "thg %d: at the edge both absorbers take %.3f of it, apart by %.1e", thg,
       lost, distance);
    free(in);
    free(none);
    free(late[0]);
    free(late[1]);
    poy_problem_destroy(&p);
}

/* ---- 18: dispersive waves ---- */

/* The wavelength of the largest |A| between two others. */
static double strongest(hollow *s, double from, double to)
{
    poy_problem *p = hollow_problem(ctx, s);
    const double *omega = poy_grid_omega(poy_problem_grid(p));
    const int64_t n = lab_bins(p);
    double *out = hollow_march(ctx, backend, s, NULL, NULL), largest = 0.0, at = (double)NAN;
    for (int64_t k = 1; k < n; k++) {
        const double wavelength = 2.0 * LAB_PI * LAB_C / omega[k], a = hypot(out[2 * k], out[2 * k + 1]);
        if (wavelength > from && wavelength < to && a > largest) {
            largest = a;
            at = wavelength;
        }
    }
    free(out);
    poy_problem_destroy(&p);
    return at;
}

/* A soliton's phase at its peak power moves the dispersive wave away from where the waves of the guide alone match; with
 * less energy it comes nearer, from one side. Helium without loss or electrons. */
static void check_dispersive_waves(void)
{
    static const double energies[] = {110e-6, 90e-6, 70e-6};
    hollow s;
    poy_guide *guide = NULL;
    double matched[8], last = 0.0;
    int n = 0;

    set_up(&s, "He");
    s.grid.wavelength_min = 150e-9;
    s.grid.window = 400e-15;
    s.grid.dt_max = 0.0;
    s.guide.loss = 0.0;
    s.gas.plasma = 0;
    s.solver.rtol = 1e-6;
    s.length = 6.0;
    guide = hollow_guide(ctx, &s);
    must(ctx, poy_guide_dispersive_waves(ctx, guide, 0, 0.0, 800e-9, 150e-9, 400e-9, 8, matched, &n), "matching");
    poy_guide_destroy(&guide);
    ok(n == 1 && matched[0] < 189e-9 && matched[0] > 188e-9, "law 18: a dispersive wave of no power matches at %.2f nm",
       1e9 * matched[0]);
    for (int i = 0; i < 3; i++) {
        s.pulse.energy = energies[i];
        const double wave = strongest(&s, 150e-9, 200e-9);
        ok(wave > last + 1e-9 && wave < matched[0], "law 18: with %.0f uJ it stands at %.2f nm, %s", 1e6 * energies[i],
           1e9 * wave, i ? "nearer" : "below that");
        last = wave;
    }
}

/* ---- 19: the same on the reference ---- */

static void check_parity(const char *gas, int thg, int envelope, int taps)
{
    hollow s;
    set_up(&s, gas);
    s.grid.thg = thg;
    s.gas.raman = -1;
    s.gas.plasma_taps = taps;
    if (envelope) {
        s.grid.field = POY_FIELD_ENVELOPE;
        s.gas.plasma = 0;
    }
    s.pulse.energy = 300e-6;
    poy_problem *p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p), *a = hollow_source_on(ctx, backend, p, in),
           *b = hollow_source_on(ctx, "ref", p, in);
    const double distance = lab_distance(a, b, lab_bins(p));
    ok(distance <= 1e-13 && lab_norm2(b, lab_bins(p)) > 0.0,
       "%s, %s, thg %d, K = %d: the source of the reference to %.1e", gas, envelope ? "envelope" : "real", thg, taps,
       distance);
    free(in);
    free(a);
    free(b);
    poy_problem_destroy(&p);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "ref";
    ctx = lab_context();
    check_halves();
    check_envelope();
    for (int held = 0; held < 2; held++) {
        check_drude(0, held, 1e-8);
        check_drude(4, held, 1e-8);
    }
    for (int thg = 0; thg < 2; thg++)
        check_held(thg);
    check_table();
    check_gradient();
    check_constant_path();
    static const char *const gases[] = {"H2", "He", "HeB", "Ne", "Ar",  "ArB", "Kr",
                                        "Xe", "N2", "D2",  "O2", "CH4", "N2O", "SF6"};
    const size_t n_gases = strcmp(backend, "ref") != 0 ? sizeof gases / sizeof *gases : 1; /* the slow one: the worst */
    for (size_t i = 0; i < n_gases; i++)
        check_to_vacuum(gases[i]);
    check_absorbers(0);
    check_absorbers(1);
    if (strcmp(backend, "ref") != 0) { /* where it is no matter of minutes */
        check_dispersive_waves();
        check_parity("He", 1, 0, 0);
        check_parity("N2", 1, 0, 2);
        check_parity("N2", 0, 0, 0);
        check_parity("H2", 1, 1, 0);
        check_parity("H2", 0, 1, 0);
    }
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
