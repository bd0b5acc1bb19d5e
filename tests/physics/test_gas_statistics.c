/* test_gas_statistics.c: statistics of what a pulse does to a gas: those that the march takes between planes, where it has the
 * field at hand, against those of the same state loaded afresh; and on the axis against an averaged mode. Argument: backend. */
#include "hollow.h"

enum { STATS = 6, STEPS = 3 };

static const char *backend;
static poy_ctx *ctx;
static const char *const names[STATS] = {"electron_density", "peak_rate", "energy",
                                         "omega_mean",       "fwhm_t",    "peak_intensity"};

/* ---- a state at hand and the same loaded ---- */

typedef struct variant {
    const char *name;
    int kind, columns, pair, averaged;
    poy_absorber absorber;
    int noise;
} variant;

static hollow make(const variant *v, const double *schedule)
{
    hollow s = hollow_make("Ar", 75e-6, v->columns);
    hollow_kind(&s, v->kind);
    if (v->pair)
        hollow_pair(&s, v->averaged);
    s.gas.averaged = v->averaged;
    s.pulse.ellipticity = v->pair ? 0.4 : 0.0;
    s.pulse.energy = 100e-6;
    s.grid.window = 150e-15;
    s.length = 6e-4;
    s.solver.absorber = v->absorber;
    s.solver.absorber_length = 0.01;
    s.solver.schedule = schedule;
    s.solver.n_schedule = STEPS;
    s.physics.noise = v->noise ? POY_NOISE_MODIFIED : POY_NOISE_OFF;
    return s;
}

/* The field of the last stage and the state differ by the rounding of one combination, some eps; a rate multiplies that by
 * d ln W/d ln E, at most some tens, and a width by the steepness of its flank: 1e-11. */
static void check_kept(const variant *v)
{
    static const double schedule[STEPS] = {2e-4, 3e-4, 1e-4};
    hollow s = make(v, schedule);
    poy_problem *p = hollow_problem(ctx, &s);
    double *in = hollow_launch(ctx, &s, p), *out = lab_field(p), *noise = v->noise ? lab_field(p) : NULL, fresh[STATS],
           worst = 0.0;
    poy_run *run = lab_open(ctx, p, backend, NULL), *other = lab_open(ctx, p, backend, NULL);
    poy_observation seen;
    if (noise)
        must(ctx, poy_noise_create(ctx, p, noise), "a draw");
    must(ctx, poy_run_set_initial(ctx, run, in, noise, 0.0, NULL), "a launch");
    must(ctx, poy_run_select_stats(ctx, run, names, STATS, 1), "statistics after every step");
    must(ctx, poy_run_propagate_to(ctx, run, s.length, NULL), "the march");
    must(ctx, poy_run_observe(ctx, run, out, &seen), "the end");
    must(ctx, poy_run_set_initial(ctx, other, out, noise, s.length, NULL), "the end as a launch");
    must(ctx, poy_run_stats(ctx, other, names, STATS, fresh), "its statistics");
    const double *row = seen.rows + (STEPS - 1) * (1 + STATS);
    for (int i = 0; i < STATS; i++) {
        const double off = fabs(row[1 + i] / fresh[i] - 1.0);
        worst = off <= worst ? worst : off; /* what is no number stays */
    }
    ok(seen.n_rows == STEPS && row[0] == s.length && fresh[0] > 1e20 && worst <= 1e-11,
       "%s, %s: between planes as of the state by itself, to %.1e", hollow_kinds[v->kind], v->name, worst);
    must(ctx, poy_run_source(ctx, run, in, out), "a source of another field");
    must(ctx, poy_run_stats(ctx, run, names, STATS, fresh), "statistics after it");
    ok(fabs(fresh[0] / row[1] - 1.0) <= 1e-11, "another field's source leaves them as they are");
    poy_run_destroy(&run);
    poy_run_destroy(&other);
    poy_problem_destroy(&p);
    free(in);
    free(out);
    free(noise);
}

static const variant variants[] = {
    {"averaged", 0, 1, 0, 1, POY_ABSORBER_NONE, 0},
    {"averaged", 1, 1, 0, 1, POY_ABSORBER_NONE, 0},
    {"absorber in the stages", 0, 1, 0, 1, POY_ABSORBER_IN_STAGE, 0},
    {"absorber split off", 0, 1, 0, 1, POY_ABSORBER_SPLIT_STEP, 0},
    {"windows on each step", 1, 1, 0, 1, POY_ABSORBER_PER_STEP_WINDOW, 0},
    {"noise that the stages see", 0, 1, 0, 1, POY_ABSORBER_NONE, 1},
    {"averaged pair", 0, 2, 1, 1, POY_ABSORBER_NONE, 0},
    {"points", 0, 2, 0, 0, POY_ABSORBER_IN_STAGE, 0},
    {"points", 1, 3, 0, 0, POY_ABSORBER_NONE, 0},
    {"points, pair", 0, 2, 1, 0, POY_ABSORBER_SPLIT_STEP, 0},
};

/* ---- on the axis ---- */

/* One mode at points has on the axis the field of an averaged one of another energy; then both ionise alike. */
static void check_axis(int direction)
{
    const variant averaged = {"averaged", 0, 1, 0, 1, POY_ABSORBER_NONE, 0};
    double of[2][STATS];
    for (int points = 0; points < 2; points++) {
        hollow s = make(&averaged, NULL);
        s.solver.n_schedule = 0;
        s.gas.averaged = !points;
        s.angles[0] = direction * 0.7;
        s.pulse.direction = s.angles[0];
        s.pulse.energy = 100e-6;
        if (points) { /* the intensity of an energy, then the energy of that intensity */
            poy_problem *p = hollow_problem(ctx, &s);
            double *in = hollow_launch(ctx, &s, p);
            poy_run *run = lab_open(ctx, p, backend, in);
            must(ctx, poy_run_stats(ctx, run, names, STATS, of[1]), "statistics");
            s.pulse.energy *= of[0][5] / of[1][5];
            poy_run_destroy(&run);
            poy_problem_destroy(&p);
            free(in);
        }
        poy_problem *p = hollow_problem(ctx, &s);
        double *in = hollow_launch(ctx, &s, p);
        poy_run *run = lab_open(ctx, p, backend, in);
        must(ctx, poy_run_stats(ctx, run, names, STATS, of[points]), "statistics");
        poy_run_destroy(&run);
        poy_problem_destroy(&p);
        free(in);
    }
    ok(of[0][0] > 1e20 && fabs(of[1][0] / of[0][0] - 1.0) <= 1e-11 && fabs(of[1][1] / of[0][1] - 1.0) <= 1e-11,
       "a mode on its axis ionises as an averaged one of the same field: %.4g and %.4g electrons in a m3", of[1][0],
       of[0][0]);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "ref";
    ctx = lab_context();
    for (size_t i = 0; i < sizeof variants / sizeof *variants; i++)
        check_kept(&variants[i]);
    check_axis(0);
    check_axis(1);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
