/* test_parity.c: backends against the reference, by rounding bounds that follow from operation counts, and one backend against itself: for other numbers of threads and for reruns, to the bit.
 * Arguments: the backend to judge; "digest", to print only that of an adaptive run. */
#include <float.h>

#include "lab.h"

enum { N = 2048, STEPS = 10 };

static const char *backend;
static poy_ctx *ctx;
static const double EPS = DBL_EPSILON;

/* One source evaluation, relative to the norm of what it returns, each backend against exact numbers; two backends
 * differ by twice that. An unnormalised FFT: log2(n) eps in the norm. There are two in a row of the field (inverse,
 * forward), and two of the intensity with Raman, which weigh as much; in |A|^2 A three factors carry the error of
 * the first, so it counts three times; |A|^2, products, the scale, G: 12 eps. */
static double source_bound(int n)
{
    double fft = log2(n) * EPS;
    return 2.0 * (3.0 * fft + 2.0 * fft + fft + 12.0 * EPS);
}

/* A step: combine, propagators (by powers 14 products of a complex number, 1.42 eps each) and accept: 40 eps of the
 * state; and its six sources, of which the norm of h sum |b_i k_i| counts: at most the nonlinear phase of the step times
 * the sum of |b_i|, 2.2, times the state. Errors then travel with the light; a factor e^(2 phase) covers their growth in
 * a medium that can amplify by at most exp(gamma P z) for each of the two quadratures. */
static double march_bound(int n, int steps, double phase)
{
    return (steps * 40.0 * EPS + 2.2 * phase * source_bound(n)) * exp(2.0 * phase);
}

typedef struct variant {
    const char *name;
    int raman, shock, windows;
    double loss;
    poy_absorber absorber;
    poy_propagator_mode mode;
    int linear;
} variant;

static const variant variants[] = {
    {.name = "Kerr"},
    {.name = "Kerr, shock, loss", .shock = 1, .loss = 0.3},
    {.name = "Raman, shock", .raman = 1, .shock = 1},
    {.name = "Raman, shock, direct propagators", .raman = 1, .shock = 1, .mode = POY_PROPAGATOR_DIRECT},
    {.name = "Raman, absorber in the stage", .raman = 1, .shock = 1, .windows = 1, .absorber = POY_ABSORBER_IN_STAGE},
    {.name = "Kerr, absorber split off", .shock = 1, .windows = 1, .absorber = POY_ABSORBER_SPLIT_STEP},
    {.name = "Kerr, windows on each step, loss",
     .shock = 1,
     .windows = 1,
     .loss = 0.2,
     .absorber = POY_ABSORBER_PER_STEP_WINDOW},
    {.name = "dispersion and loss alone", .loss = 0.3, .linear = 1},
};
enum { VARIANTS = sizeof variants / sizeof *variants };

/* A soliton of order 3, a tenth of the way to its narrowest. */
static lab fibre(const variant *v)
{
    static const double beta[] = {-1e-26, 3e-41};
    const double T = 100e-15;
    lab l = lab_make(835e-9, 6e-12, N, 0.1);
    l.fibre.gamma = 0.1;
    l.fibre.beta = beta;
    l.fibre.n_beta = 2;
    l.fibre.attenuation = v->loss;
    l.physics.kerr = !v->linear;
    l.physics.shock = v->shock;
    l.physics.raman = v->raman ? POY_RAMAN_BLOW_WOOD : POY_RAMAN_OFF;
    l.solver.absorber = v->absorber;
    l.solver.absorber_length = 1.0; /* long, so that few steps do */
    l.solver.propagators = v->mode;
    if (v->windows) {
        l.grid.samples = 0;
        l.grid.wavelength_min = 500e-9;
        l.grid.wavelength_max = 2000e-9;
    }
    l.pulse.t0 = T;
    l.pulse.peak_power = 9.0 * 1e-26 / (0.1 * T * T);
    return l;
}

static double phase_of(const lab *l)
{
    return l->fibre.gamma * l->pulse.peak_power * l->length;
}

static void source(const variant *v)
{
    lab l = fibre(v);
    poy_problem *p = lab_problem(ctx, &l);
    int64_t n = lab_bins(p);
    double *in = lab_launch(ctx, &l, p), *want = lab_field(p), *got = lab_field(p);
    poy_run *a = lab_open(ctx, p, "ref", in), *b = lab_open(ctx, p, backend, in);
    must(ctx, poy_run_source(ctx, a, in, want), "the source");
    must(ctx, poy_run_source(ctx, b, in, got), "the source");
    double error = lab_distance(got, want, n), bound = fmin(source_bound((int)n), 1e-13);
    ok(error < bound, "one source, %s: %.1e (bound %.1e)", v->name, error, bound);
    poy_run_destroy(&a);
    poy_run_destroy(&b);
    poy_problem_destroy(&p);
    free(in), free(want), free(got);
}

static void fixed_steps(lab *l, double *schedule, int steps)
{
    for (int i = 0; i < steps; i++)
        schedule[i] = l->length / steps;
    l->solver.schedule = schedule;
    l->solver.n_schedule = steps;
}

static void steps(const variant *v, int count)
{
    double schedule[STEPS];
    lab l = fibre(v);
    l.length *= (double)count / STEPS;
    fixed_steps(&l, schedule, count);
    poy_problem *p = lab_problem(ctx, &l);
    int64_t n = lab_bins(p);
    double *in = lab_launch(ctx, &l, p), *want = lab_field(p), *got = lab_field(p);
    lab_march(ctx, p, "ref", in, want, l.length);
    lab_march(ctx, p, backend, in, got, l.length);
    double error = lab_distance(got, want, n), bound = fmin(march_bound((int)n, count, phase_of(&l)), 1e-12);
    ok(error<bound, "%d fixed step%s, %s: %.1e (bound %.1e)", count, count> 1 ? "s" : "", v->name, error, bound);
    poy_problem_destroy(&p);
    free(in), free(want), free(got);
}

/* ---- statistics ---- */

static void statistics(void)
{
    static const char *const names[] = {"energy", "photon_number", "omega_mean", "peak_power",
                                        "fwhm_t", "fwhm_t_max",    "peak_time",  "energy:700e-9:800e-9"};
    enum { STATS = 8 };
    double schedule[STEPS], want[STATS], got[STATS];
    lab l = fibre(&variants[2]);
    fixed_steps(&l, schedule, STEPS);
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p);
    poy_run *a = lab_open(ctx, p, "ref", in), *b = lab_open(ctx, p, backend, in);
    must(ctx, poy_run_propagate_to(ctx, a, l.length, NULL), "the march");
    must(ctx, poy_run_propagate_to(ctx, b, l.length, NULL), "the march");
    must(ctx, poy_run_stats(ctx, a, names, STATS, want), "statistics");
    must(ctx, poy_run_stats(ctx, b, names, STATS, got), "statistics");
    /* Each is a smooth function of the field but for widths, which multiply its error by the flank's steepness. */
    double bound = 100.0 * march_bound(N, STEPS, phase_of(&l));
    for (int i = 0; i < STATS; i++)
        ok(fabs(got[i] - want[i]) <= bound * fabs(want[i]), "%s: relative difference %.1e", names[i],
           want[i] != 0.0 ? fabs(got[i] / want[i] - 1.0) : 0.0);
    poy_run_destroy(&a);
    poy_run_destroy(&b);
    poy_problem_destroy(&p);
    free(in);
}

/* ---- an adaptive run: accuracy envelopes only ---- */

static void adaptive(void)
{
    lab l = fibre(&variants[2]);
    l.solver.rtol = 1e-8;
    poy_run_summary a, b;
    double *want = lab_propagate(ctx, &l, "ref", &a), *got = lab_propagate(ctx, &l, backend, &b);
    double error = lab_distance(got, want, N);
    ok(error < 10.0 * l.solver.rtol, "an adaptive run: %.1e, %lld and %lld steps", error, (long long)b.accepted,
       (long long)a.accepted);
    ok(llabs(a.accepted - b.accepted) <= 1, "which are as many, but for one that rounding may move");
    free(want), free(got);
}

/* ---- the same bits ---- */

static double *with_threads(const lab *l, int threads)
{
    poy_ctx_set_threads(ctx, threads);
    double *out = lab_propagate(ctx, l, backend, NULL);
    poy_ctx_set_threads(ctx, 0);
    return out;
}

static void same_bits(const char *what, const lab *l, int64_t n)
{
    double *one = with_threads(l, 1), *two = with_threads(l, 2), *again = with_threads(l, 1);
    ok(!memcmp(one, two, sizeof(double) * 2 * (size_t)n), "%s: one thread and two give the same bits", what);
    ok(!memcmp(one, again, sizeof(double) * 2 * (size_t)n), "%s: a rerun gives the same bits", what);
    free(one), free(two), free(again);
}

/* For rerun.sh, which compares two processes. FNV-1a of the field's bytes. */
static int digest(void)
{
    lab l = fibre(&variants[2]);
    double *out = lab_propagate(ctx, &l, backend, NULL);
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < sizeof(double) * 2 * N; i++)
        hash = (hash ^ ((unsigned char *)out)[i]) * UINT64_C(1099511628211);
    printf("%016llx\n", (unsigned long long)hash);
    free(out);
    poy_ctx_destroy(&ctx);
    return 0;
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "cpu";
    ctx = lab_context();
    if (argc > 2 && !strcmp(argv[2], "digest"))
        return digest();
    for (int i = 0; i < VARIANTS; i++) {
        if (!variants[i].linear)
            source(&variants[i]);
        steps(&variants[i], 1);
        steps(&variants[i], STEPS);
    }
    statistics();
    adaptive();
    lab l = fibre(&variants[2]);
    l.solver.rtol = 1e-8;
    same_bits("2^11 bins", &l, N);
    /* Large enough that loops are shared among threads. */
    double schedule[2];
    l.grid.samples = 1 << 17;
    l.grid.window *= 64.0;
    fixed_steps(&l, schedule, 2);
    same_bits("2^17 bins", &l, 1 << 17);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
