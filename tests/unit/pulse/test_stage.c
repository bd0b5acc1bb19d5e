/* test_stage.c: the stage program of a fibre: its steps on every backend against each other, exact linear steps, the
 * source against its definition, refusals, memory. */
#include <complex.h>
#include <float.h>
#include <string.h>

#include "core/cmplx.h"
#include "fibre_fixture.h"
#include "ops/ops.h"
#include "pulse/geometry/geometry.h"

static const double beta[3] = {-1.2e-26, 8e-41, -1e-55};
static const double planes[2] = {0.0, 1.0};
static const char *const backends[] = {"ref", "cpu:isa=base", "cpu:isa=avx2"};

/* What a case is made of. */
typedef struct case_of {
    const char *name;
    int limits; /* a grid with windows */
    double dt_max, attenuation;
    int kerr;
    poy_raman_model raman;
    poy_absorber absorber;
    poy_noise_model noise;
    poy_propagator_mode propagators;
} case_of;

static const case_of cases[] = {
    {"Kerr", 0, 0.0, 0.0, 1, POY_RAMAN_OFF, POY_ABSORBER_NONE, POY_NOISE_OFF, POY_PROPAGATOR_AUTO},
    {"Kerr with loss", 0, 0.0, 0.3, 1, POY_RAMAN_OFF, POY_ABSORBER_NONE, POY_NOISE_OFF, POY_PROPAGATOR_AUTO},
    {"Raman", 0, 0.0, 0.0, 1, POY_RAMAN_BLOW_WOOD, POY_ABSORBER_NONE, POY_NOISE_OFF, POY_PROPAGATOR_DIRECT},
    {"Raman alone, loss, direct", 0, 0.0, 0.3, 0, POY_RAMAN_LIN_AGRAWAL, POY_ABSORBER_NONE, POY_NOISE_OFF,
     POY_PROPAGATOR_DIRECT},
    {"windows, in-stage absorber, Raman", 1, 0.0, 0.0, 1, POY_RAMAN_BLOW_WOOD, POY_ABSORBER_IN_STAGE, POY_NOISE_OFF,
     POY_PROPAGATOR_AUTO},
    {"the same oversampled, with loss", 1, 1e-15, 0.3, 1, POY_RAMAN_BLOW_WOOD, POY_ABSORBER_IN_STAGE, POY_NOISE_OFF,
     POY_PROPAGATOR_AUTO},
    {"split-step absorber, oversampled", 1, 1e-15, 0.0, 1, POY_RAMAN_OFF, POY_ABSORBER_SPLIT_STEP, POY_NOISE_OFF,
     POY_PROPAGATOR_AUTO},
    {"windows at each step", 1, 0.0, 0.0, 1, POY_RAMAN_OFF, POY_ABSORBER_PER_STEP_WINDOW, POY_NOISE_OFF,
     POY_PROPAGATOR_AUTO},
    {"noise", 0, 0.0, 0.0, 1, POY_RAMAN_BLOW_WOOD, POY_ABSORBER_NONE, POY_NOISE_MODIFIED, POY_PROPAGATOR_AUTO},
    {"noise with loss", 0, 0.0, 0.3, 1, POY_RAMAN_OFF, POY_ABSORBER_NONE, POY_NOISE_MODIFIED, POY_PROPAGATOR_AUTO},
    {"nothing nonlinear", 1, 0.0, 0.3, 0, POY_RAMAN_OFF, POY_ABSORBER_NONE, POY_NOISE_OFF, POY_PROPAGATOR_AUTO},
    {"nothing nonlinear, split-step absorber, noise", 1, 1e-15, 0.0, 0, POY_RAMAN_OFF, POY_ABSORBER_SPLIT_STEP,
     POY_NOISE_MODIFIED, POY_PROPAGATOR_AUTO},
};
enum { CASES = sizeof cases / sizeof *cases, SPECS = sizeof backends / sizeof *backends };

static poy_problem *problem_for(const case_of *c)
{
    poy_grid_options grid_options;
    poy_grid *grid = NULL;
    poy_fibre_options fibre = fibre_of(0.011, 3, beta);
    poy_physics_options physics = physics_of(1, c->raman, c->noise);
    poy_solver_options solver;
    poy_problem *problem = NULL;

    poy_grid_options_init(&grid_options);
    grid_options.reference = 1550e-9;
    grid_options.window = 4e-12;
    grid_options.dt_max = c->dt_max;
    if (c->limits) {
        grid_options.wavelength_min = 1000e-9;
        grid_options.wavelength_max = 2500e-9;
    } else {
        grid_options.samples = 1024;
    }
    poy_solver_options_init(&solver);
    solver.absorber = c->absorber;
    solver.propagators = c->propagators;
    physics.kerr = c->kerr;
    fibre.attenuation = c->attenuation;
    if (poy_grid_create(ctx, &grid_options, &grid) != POY_OK ||
        poy_problem_create_fibre(ctx, grid, &fibre, &physics, &solver, 1.0, planes, 2, &problem) != POY_OK)
        note("%s: %s", c->name, poy_ctx_message(ctx));
    poy_grid_destroy(&grid);
    return problem;
}

/* A pulse of some 60 fs, a little off the middle of the window, on a weak constant wave that reaches its edges. */
static double *launch_of(const poy_problem *problem, double peak)
{
    const int64_t n = problem->n_w;
    double *spectrum = calloc((size_t)n, 2 * sizeof *spectrum);
    const double *mask = POYI_F64(problem->mask);
    if (!spectrum)
        abort();
    for (int64_t k = 0; k < n; k++) {
        const double x = (double)(k < (n + 1) / 2 ? k : k - n) * problem->domega * 30e-15;
        const double r = (mask ? mask[k] : 1.0) * sqrt(peak) * 0.02 * (double)n * exp(-x * x) * (k % 2 ? -1.0 : 1.0);
        spectrum[2 * k] = r * cos(0.7 + 3.0 * x + 1.1 * x * x) + (k == 0 ? 0.01 * sqrt(peak) * (double)n : 0.0);
        spectrum[2 * k + 1] = r * sin(0.7 + 3.0 * x + 1.1 * x * x);
    }
    return spectrum;
}

/* A bound program with its scalars. */
typedef struct bound {
    poy_backend *be;
    poyi_stage_program sp;
    double *scalars;
} bound;

static int open_bound(bound *b, const char *spec, const poy_problem *problem)
{
    memset(b, 0, sizeof *b);
    if (poy_backend_open(ctx, spec, &b->be) != POY_OK || poyi_modal_build(ctx, problem, &b->sp) != POY_OK ||
        poyi_stage_bind(ctx, &b->sp, problem, b->be) != POY_OK) {
        note("%s: %s", spec, poy_ctx_message(ctx));
        return 0;
    }
    b->scalars = calloc((size_t)b->sp.n_scalars, sizeof *b->scalars);
    return 1;
}

static void close_bound(bound *b)
{
    free(b->scalars);
    poyi_stage_fini(&b->sp);
    poy_backend_close(&b->be);
}

static int run_segment(bound *b, int segment)
{
    if (segment < 0 || poyi_program_run(ctx, b->sp.program, segment, b->scalars) == POY_OK)
        return 1;
    note("%s", poy_ctx_message(ctx));
    return 0;
}

/* Takes steps of the lengths given; the last report. */
static int take_steps(bound *b, const poy_problem *problem, const double *spectrum, const double *noise, int n,
                      const double *h, double report[POY_REPORT])
{
    int good = poyi_program_write(ctx, b->sp.program, b->sp.slot_u, spectrum) == POY_OK;
    if (b->sp.slot_noise >= 0)
        good = good && poyi_program_write(ctx, b->sp.program, b->sp.slot_noise, noise) == POY_OK;
    poyi_stage_translate(&b->sp, problem, 0.0, b->scalars);
    good = good && run_segment(b, b->sp.seg_first);
    for (int i = 0; i < n && good; i++) {
        poyi_stage_translate(&b->sp, problem, h[i], b->scalars);
        good = run_segment(b, b->sp.seg_trial) &&
               poyi_program_read(ctx, b->sp.program, b->sp.slot_report, report) == POY_OK &&
               run_segment(b, b->sp.seg_finish) && run_segment(b, b->sp.seg_advance);
    }
    return good;
}

/* ||a - b|| and ||b|| of n complex numbers. */
static double distance(int64_t n, const double *a, const double *b)
{
    long double sum = 0;
    for (int64_t i = 0; i < 2 * n; i++)
        sum += ((long double)a[i] - b[i]) * ((long double)a[i] - b[i]);
    return (double)sqrtl(sum);
}

static double norm(int64_t n, const double *a)
{
    long double sum = 0;
    for (int64_t i = 0; i < 2 * n; i++)
        sum += (long double)a[i] * a[i];
    return (double)sqrtl(sum);
}

/* ---- backends against each other ---- */

/* Rounding of one stage, relative to the largest k that the field allows, ||G|| ||A||_max^2 ||A||: the tolerances of the
 * rows (pulse_rows.def) on the path, log2(n) eps for each transform, three times what enters the cubic response. The
 * propagators' 40 eps count the phase that they turn by. */
static double stage_bound(const poy_problem *problem, double phase)
{
    const double transform = log2((double)problem->n_to), input = 24.0 + 40.0 * (1.0 + phase) + transform;
    return DBL_EPSILON * (3.0 * input + 12.0 + 2.0 * transform + 16.0 + 40.0 * (1.0 + phase));
}

/* || Phi u || / || u ||, 1/m: the phase by which the field turns, bin by bin, weighed as a 2-norm weighs its error. */
static double mean_exponent(const poy_problem *problem, const double *u)
{
    const double *phi = POYI_F64(problem->phi);
    long double sum = 0;
    for (int64_t k = 0; k < problem->n_w; k++)
        sum += ((long double)phi[2 * k] * phi[2 * k] + (long double)phi[2 * k + 1] * phi[2 * k + 1]) *
               ((long double)u[2 * k] * u[2 * k] + (long double)u[2 * k + 1] * u[2 * k + 1]);
    return (double)sqrtl(sum) / norm(problem->n_w, u);
}

/* The largest norm that a k can have for the field of a bound program: G_max P_max ||u|| from the response, half the
 * absorber's largest rate times ||u||: roundings of the field, which transforms spread over all samples, grow by it. */
static double largest_k(bound *b, const poy_problem *problem, const double *u)
{
    const double *G = POYI_F64(problem->prefactor), *rate = POYI_F64(problem->absorber_rate);
    double *a = calloc((size_t)problem->n_t, 2 * sizeof *a), g_max = 0.0, p_max = 0.0, r_max = 0.0;
    if (!a || !run_segment(b, b->sp.seg_time) || poyi_program_read(ctx, b->sp.program, b->sp.slot_time, a) != POY_OK)
        abort();
    for (int64_t k = 0; k < problem->n_w; k++)
        g_max = fmax(g_max, fabs(G[k]));
    for (int64_t i = 0; i < problem->n_t; i++)
        p_max = fmax(p_max, power_at(a, i));
    for (int64_t i = 0; i < problem->n_to && rate && problem->absorber == POY_ABSORBER_IN_STAGE; i++)
        r_max = fmax(r_max, rate[i]);
    free(a);
    return (g_max * p_max + 0.5 * r_max) * norm(problem->n_w, u);
}

/* The k of a trial and the states after it, for two backends. */
static void check_against_ref(const case_of *c, const char *spec)
{
    static const double h[] = {1e-3, 1.7e-3, 0.6e-3};
    poy_problem *problem = problem_for(c);
    bound ref, other;
    double *spectrum = launch_of(problem, 300.0), *noise = launch_of(problem, 0.03), report[2][POY_REPORT] = {{0}};
    const int64_t n = problem->n_w;
    double *a = calloc((size_t)(7 * n), 2 * sizeof *a), *b = calloc((size_t)(7 * n), 2 * sizeof *b);

    if (!open_bound(&other, spec, problem)) {
        ok(poy_ctx_status(ctx) == POY_ERR_UNSUPPORTED, "%s: %s: skipped", c->name, spec);
        poy_backend_close(&other.be);
        goto done;
    }
    ok(open_bound(&ref, "ref", problem) && take_steps(&ref, problem, spectrum, noise, 3, h, report[0]) &&
           take_steps(&other, problem, spectrum, noise, 3, h, report[1]),
       "%s: %s: three steps", c->name, spec);
    poyi_program_read(ctx, ref.sp.program, ref.sp.slot_u, a);
    const double each = stage_bound(problem, 1.7e-3 * mean_exponent(problem, a));
    poyi_program_read(ctx, other.sp.program, other.sp.slot_u, b);
    double got = distance(n, b, a) / norm(n, a), want = 3.0 * each;
    ok(got <= want && got >= 0.0, "%s: %s: the state agrees with ref", c->name, spec);
    note("%.3g <= %.3g", got, want);
    ok(fabs(report[1][0] - report[0][0]) <= 6.0 * each * report[0][0] &&
           fabs(report[1][1] - report[0][1]) <= 6.0 * each * report[0][1] && report[1][3] == 0.0 && report[0][0] > 0.0,
       "%s: %s: so do the norms", c->name, spec);
    if (!ref.sp.linear) {
        want = 3.0 * each * largest_k(&ref, problem, a);
        got = 0.0;
        poyi_program_read(ctx, ref.sp.program, ref.sp.slot_K, a);
        poyi_program_read(ctx, other.sp.program, other.sp.slot_K, b);
        for (int i = 0; i < POY_STAGES; i++) {
            got = fmax(got, distance(n, b + 2 * i * n, a + 2 * i * n));
            want = norm(n, a + 2 * i * n) > 0.0 ? want : -1.0;
        }
        ok(got <= want, "%s: %s: and all seven stages", c->name, spec);
        note("%.3g <= %.3g", got, want);
    }
    if (ref.sp.slot_noise >= 0) {
        poyi_program_read(ctx, ref.sp.program, ref.sp.slot_noise, a);
        poyi_program_read(ctx, other.sp.program, other.sp.slot_noise, b);
        ok(distance(n, b, a) <= 3.0 * each * norm(n, a) && fabs(norm(n, a) / norm(n, noise) - 1.0) < 3.0 * each,
           "%s: %s: the noise turns, and keeps its power", c->name, spec);
    }
    close_bound(&ref);
    close_bound(&other);
done:
    free(a);
    free(b);
    free(noise);
    free(spectrum);
    poy_problem_destroy(&problem);
}

/* ---- steps without anything nonlinear ---- */

/* exp(phi z) u whatever the steps: each propagator is within 4u (1 + |phi h|), each product within 3u. */
static void check_linear(const char *spec)
{
    enum { STEPS = 40 };
    const case_of linear = {"linear",           1, 0.0, 0.7, 0, POY_RAMAN_OFF, POY_ABSORBER_NONE, POY_NOISE_OFF,
                            POY_PROPAGATOR_AUTO};
    poy_problem *problem = problem_for(&linear);
    const int64_t n = problem->n_w;
    const double *phi = POYI_F64(problem->phi);
    double *launch = launch_of(problem, 300.0), *u = calloc((size_t)n, 2 * sizeof *u), report[POY_REPORT] = {0};
    for (int steps = 1; steps <= STEPS; steps += STEPS - 1) {
        double h[STEPS], z = 0.0, worst = 0.0;
        bound b;
        if (!open_bound(&b, spec, problem)) {
            ok(poy_ctx_status(ctx) == POY_ERR_UNSUPPORTED, "%s: skipped", spec);
            poy_backend_close(&b.be);
            break;
        }
        for (int i = 0; i < steps; i++)
            h[i] = 1.0 / steps * (1.0 + (steps > 1 ? 0.3 * sin(i) : 0.0));
        long double length = 0;
        for (int i = 0; i < steps; i++)
            length += h[i];
        z = (double)length;
        ok(take_steps(&b, problem, launch, NULL, steps, h, report) && report[2] == 0.0 && report[3] == 0.0,
           "%s: %d linear steps have no error estimate", spec, steps);
        poyi_program_read(ctx, b.sp.program, b.sp.slot_u, u);
        for (int64_t k = 0; k < n; k++) {
            const long double complex exponent = CMPLXL((long double)phi[2 * k], (long double)phi[2 * k + 1]) * length;
            const long double complex want =
                cexpl(exponent) * CMPLXL((long double)launch[2 * k], (long double)launch[2 * k + 1]);
            const long double error = cabsl(want - CMPLXL((long double)u[2 * k], (long double)u[2 * k + 1]));
            const long double scale = 0.5 * DBL_EPSILON * (7.0L * steps + 4.0L * cabsl(exponent)) * cabsl(want);
            if (error > 0)
                worst = fmax(worst, (double)(error / scale));
        }
        ok(worst <= 1.0 && worst > 0.0, "%s: %d steps: exp(phi z) u to rounding over %g m", spec, steps, z);
        note("%.3f of the bound", worst);
        ok(b.sp.linear && b.sp.stages == 0 && b.sp.seg_first == -1 && b.sp.seg_source == -1 && b.sp.slot_K == -1,
           "%s: there are no stages", spec);
        close_bound(&b);
    }
    free(u);
    free(launch);
    poy_problem_destroy(&problem);
}

/* ---- the source by its definition ---- */

/* In place, c128 [n], unnormalised. */
static void transform(int sign, int64_t n, double *a)
{
    if (poyi_fft(ctx, sign, n, a) != POY_OK)
        abort();
}

/* The intensity's convolution with the Raman response, by the spectrum of the problem, which has dt and 1/n. */
static double *convolution_of(const poy_problem *problem, const double *a)
{
    const int64_t n = problem->n_to;
    const double *H = POYI_F64(problem->raman_h);
    double *q = calloc((size_t)n, 2 * sizeof *q);
    if (!q)
        abort();
    for (int64_t i = 0; i < n; i++)
        q[2 * i] = power_at(a, i);
    transform(-1, n, q);
    for (int64_t k = 0; k < n; k++) {
        const int64_t j = k <= n / 2 ? k : n - k; /* the other half is the conjugate */
        const double complex h = CMPLX(H[2 * j], k <= n / 2 ? H[2 * j + 1] : -H[2 * j + 1]);
        const double complex product = h * CMPLX(q[2 * k], q[2 * k + 1]);
        q[2 * k] = creal(product);
        q[2 * k + 1] = cimag(product);
    }
    transform(1, n, q);
    return q;
}

/* dA/dz of the equation without its linear operator. */
static double *source_of(const poy_problem *problem, const double *u)
{
    const int64_t n = problem->n_to, n_w = problem->n_w;
    const double *window = POYI_F64(problem->window_to), *rate = POYI_F64(problem->absorber_rate);
    const double *G = POYI_F64(problem->prefactor), *mask = POYI_F64(problem->mask);
    double *a = calloc((size_t)n, 2 * sizeof *a), *b = calloc((size_t)n, 2 * sizeof *b);
    double *out = calloc((size_t)n_w, 2 * sizeof *out);
    if (!a || !b || !out)
        abort();
    for (int64_t w = 0; w < n_w; w++)
        for (int part = 0; part < 2; part++) /* interpolation: the coarse spectrum times n/n_w, inverse with 1/n */
            a[2 * (w < n_w / 2 ? w : w + n - n_w) + part] = u[2 * w + part] / (double)n_w;
    transform(1, n, a);
    double *q = problem->raman ? convolution_of(problem, a) : NULL;
    for (int64_t i = 0; i < n; i++) {
        const double factor = problem->kerr_scale * power_at(a, i) + (q ? problem->raman_scale * q[2 * i] : 0.0);
        for (int part = 0; part < 2; part++) {
            b[2 * i + part] =
                rate && problem->absorber == POY_ABSORBER_IN_STAGE ? -0.5 * rate[i] * a[2 * i + part] : 0.0;
            a[2 * i + part] *= factor * (window ? window[i] : 1.0);
        }
    }
    transform(-1, n, a);
    transform(-1, n, b);
    for (int64_t w = 0; w < n_w; w++) {
        const int64_t k = w < n_w / 2 ? w : w + n - n_w;
        const double m = (mask ? mask[w] : 1.0) * (double)n_w / (double)n;
        out[2 * w] = -G[w] * a[2 * k + 1] + m * b[2 * k]; /* i G P: the problem's G is negative */
        out[2 * w + 1] = G[w] * a[2 * k] + m * b[2 * k + 1];
    }
    free(q);
    free(b);
    free(a);
    return out;
}

static void check_source(const case_of *c, const char *spec)
{
    poy_problem *problem = problem_for(c);
    const int64_t n = problem->n_w;
    double *launch = launch_of(problem, 300.0), *u = calloc((size_t)n, 2 * sizeof *u),
           *got = calloc((size_t)n, 2 * sizeof *got);
    const double h = 1e-3;
    double report[POY_REPORT];
    bound b;
    if (open_bound(&b, spec, problem) && !b.sp.linear && b.sp.slot_noise < 0) {
        double *want = source_of(problem, launch), *time = calloc((size_t)problem->n_t, 2 * sizeof *time);
        ok(take_steps(&b, problem, launch, NULL, 0, &h, report) &&
               poyi_program_write(ctx, b.sp.program, b.sp.slot_un, launch) == POY_OK &&
               run_segment(&b, b.sp.seg_source) &&
               poyi_program_read(ctx, b.sp.program, b.sp.slot_source, got) == POY_OK &&
               distance(n, got, want) <= stage_bound(problem, 0.0) * largest_k(&b, problem, launch) &&
               norm(n, want) > 0.0,
           "%s: %s: the source is that of the equation", c->name, spec);
        poyi_program_read(ctx, b.sp.program, b.sp.slot_u, u);
        double *k1 = calloc((size_t)(POY_STAGES * n), 2 * sizeof *k1);
        poyi_program_read(ctx, b.sp.program, b.sp.slot_K, k1);
        ok(!memcmp(u, launch, (size_t)n * 2 * sizeof *u) && !memcmp(k1, got, (size_t)n * 2 * sizeof *got),
           "%s: %s: k_1 is the source at the state, which stays", c->name, spec);
        double *wanted_time = time_of(launch, n);
        ok(run_segment(&b, b.sp.seg_time) && poyi_program_read(ctx, b.sp.program, b.sp.slot_time, time) == POY_OK &&
               distance(n, time, wanted_time) <= DBL_EPSILON * log2((double)n) * 2.0 * norm(n, wanted_time),
           "%s: %s: the field in time", c->name, spec);
        free(wanted_time);
        free(k1);
        free(time);
        free(want);
    }
    close_bound(&b);
    free(got);
    free(u);
    free(launch);
    poy_problem_destroy(&problem);
}

/* ---- first same as last, rejection, faults, threads ---- */

static void check_recycling(const char *spec)
{
    poy_problem *problem = problem_for(&cases[1]);
    const int64_t n = problem->n_w;
    const double h = 1e-3;
    double *launch = launch_of(problem, 300.0), *carried = calloc((size_t)(POY_STAGES * n), 2 * sizeof *carried);
    double *again = calloc((size_t)(POY_STAGES * n), 2 * sizeof *again), report[POY_REPORT];
    bound b;
    ok(open_bound(&b, spec, problem) && take_steps(&b, problem, launch, NULL, 1, &h, report), "%s: a step", spec);
    poyi_program_read(ctx, b.sp.program, b.sp.slot_K, carried);
    run_segment(&b, b.sp.seg_first);
    poyi_program_read(ctx, b.sp.program, b.sp.slot_K, again);
    ok(b.sp.fsal && distance(n, carried, again) <= 2.0 * stage_bound(problem, 0.1) * largest_k(&b, problem, launch),
       "%s: k_7 carried over is k_1 evaluated afresh", spec);

    double *before = calloc((size_t)n, 2 * sizeof *before), *after = calloc((size_t)n, 2 * sizeof *after);
    poyi_program_read(ctx, b.sp.program, b.sp.slot_u, before);
    run_segment(&b, b.sp.seg_trial);
    poyi_program_read(ctx, b.sp.program, b.sp.slot_u, after);
    poyi_program_read(ctx, b.sp.program, b.sp.slot_K, carried);
    ok(!memcmp(before, after, (size_t)n * 2 * sizeof *after) && !memcmp(carried, again, (size_t)n * 2 * sizeof *again),
       "%s: a trial that is not accepted leaves state and k_1", spec);

    launch[2 * (n / 3)] = (double)NAN;
    ok(take_steps(&b, problem, launch, NULL, 1, &h, report) && report[3] == 1.0 && !isfinite(report[1]),
       "%s: what is not a number is told", spec);
    for (int64_t k = 0; k < 2 * n; k++)
        launch[k] = k == 6 ? 1e200 : 0.0;
    ok(take_steps(&b, problem, launch, NULL, 1, &h, report) && report[3] == 1.0, "%s: so is an overflow", spec);
    close_bound(&b);
    free(after);
    free(before);
    free(again);
    free(carried);
    free(launch);
    poy_problem_destroy(&problem);
}

static void check_threads(void)
{
    const double beta2[1] = {-1e-26}, h[2] = {1e-4, 2e-4};
    poy_grid *grid = grid_of_samples(1550e-9, 400e-12, 1 << 17);
    const poy_fibre_options fibre = fibre_of(0.011, 1, beta2);
    const poy_physics_options physics = physics_of(1, POY_RAMAN_BLOW_WOOD, POY_NOISE_MODIFIED);
    poy_problem *problem = problem_of(grid, &fibre, &physics, 1.0);
    const size_t bytes = (size_t)problem->n_w * 2 * sizeof(double);
    double *launch = launch_of(problem, 300.0), *noise = launch_of(problem, 0.03), report[2][POY_REPORT];
    double *u[2] = {calloc(1, bytes), calloc(1, bytes)};
    bound b;
    poy_ctx_set_deterministic(ctx, 1); /* planning takes long */
    int good = open_bound(&b, "cpu", problem);
    for (int t = 0; t < 2 && good; t++) {
        poy_ctx_set_threads(ctx, t + 1);
        good = take_steps(&b, problem, launch, noise, 2, h, report[t]) &&
               poyi_program_read(ctx, b.sp.program, b.sp.slot_u, u[t]) == POY_OK;
    }
    poy_ctx_set_threads(ctx, 0);
    poy_ctx_set_deterministic(ctx, 0);
    ok(good && !memcmp(u[0], u[1], bytes) && !memcmp(report[0], report[1], sizeof report[0]) && report[0][1] > 0.0,
       "two threads give the bits of one");
    close_bound(&b);
    free(u[0]);
    free(u[1]);
    free(noise);
    free(launch);
    poy_problem_destroy(&problem);
    poy_grid_destroy(&grid);
}

int main(void)
{
    fixture_start();
    for (int i = 0; i < CASES; i++)
        for (int s = 1; s < SPECS; s++)
            check_against_ref(&cases[i], backends[s]);
    for (int s = 0; s < SPECS; s++)
        check_linear(backends[s]);
    for (int i = 0; i < CASES; i++)
        check_source(&cases[i], "ref");
    check_source(&cases[5], "cpu");
    check_recycling("ref");
    check_recycling("cpu");
    check_threads();
    return fixture_end();
}
