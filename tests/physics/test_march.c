/* test_march.c: the step loop: landing, kinks, limits, history, replay, resuming.
 * Argument: backend. */
#include <float.h>

#include "bench.h"

/* ---- landing ---- */

/* A pulse so weak that every step may be as long as it likes. */
static lab easy(void)
{
    lab l = fibre();
    l.pulse.peak_power = 1e-3;
    l.solver.rtol = 1e-2;
    return l;
}

static void landing(void)
{
    static const double planes[] = {0.0, 0.037, 0.0371, 0.1, 0.2, 0.5};
    lab l = easy();
    l.planes = planes;
    l.n_planes = 6;
    l.solver.dz_first = l.solver.dz_max = 0.02;
    bench b = bench_open(&l);
    int exact = 1, ends = 1, kept = 1;
    double shortest = 1.0;
    for (int i = 1; i < 6; i++) {
        poy_observation seen = bench_go(&b, planes[i]);
        exact &= seen.z == planes[i];
        const poy_step_record *last = &seen.history[seen.n_history - 1];
        ends &= last->accepted && last->cause == 1 && fabs(last->z + last->h - planes[i]) < 1e-15;
        kept &= seen.controller.h_next == 0.02;
        for (int64_t j = 0; j < seen.n_history && i != 2; j++)
            shortest = fmin(shortest, seen.history[j].h);
    }
    ok(exact, "z is the plane's, to the bit");
    ok(ends, "the last step of each plane ends on it, because of it");
    ok(kept, "no plane shrinks the step that is wanted next");
    ok(shortest > 0.4 * 0.02, "and none leaves a sliver before it: the shortest step is %g m", shortest);
    bench_close(&b);

    l.planes = NULL;
    l.solver.dz_first = l.solver.dz_max = 0.3;
    b = bench_open(&l);
    poy_observation seen = bench_go(&b, 0.5);
    ok(seen.n_history == 2 && seen.history[0].h == 0.25 && seen.history[1].h == 0.25 && seen.history[0].cause == 1,
       "what is left is less than two steps: two equal halves");
    bench_close(&b);
}

static void intermediate(void)
{
    static const double planes[] = {0.0, 0.1, 0.3, 0.5};
    lab l = fibre();
    l.planes = planes;
    l.n_planes = 4;
    bench a = bench_open(&l), b = bench_open(&l);
    for (int i = 1; i < 4; i++)
        bench_go(&a, planes[i]);
    bench_go(&b, 0.5);
    ok(same_bits(a.out, b.out), "planes are landed on whether each is asked for or only the end");
    bench_close(&a);
    bench_close(&b);
}

static void kinks(void)
{
    static const double kink[] = {0.123, 0.3};
    static const double planes[] = {0.0, 0.3, 0.5};
    lab l = fibre();
    l.planes = planes;
    l.n_planes = 3;
    l.solver.kinks = kink;
    l.solver.n_kinks = 2;
    bench b = bench_open(&l);
    poy_observation seen = bench_go(&b, 0.5);
    int met[2] = {0}, crossed = 0;
    for (int64_t i = 0; i < seen.n_history; i++) {
        const poy_step_record *r = &seen.history[i];
        for (int k = 0; k < 2; k++) {
            met[k] += r->accepted && r->cause == 2 && fabs(r->z + r->h - kink[k]) < 1e-15;
            crossed += r->z < kink[k] - 1e-12 && r->z + r->h > kink[k] + 1e-12;
        }
    }
    ok(met[0] == 1 && met[1] == 1 && !crossed, "each kink ends a step, also where it is a plane, and none is crossed");
    ok(seen.controller.logical == 1 + 6 * seen.controller.attempts + 2 &&
           seen.controller.atomic == seen.controller.logical,
       "right of a kink the first stage is evaluated afresh: %lld calls, %lld attempts",
       (long long)seen.controller.logical, (long long)seen.controller.attempts);
    bench_close(&b);
}

/* ---- limits ---- */

static void limits(void)
{
    lab l = fibre();
    l.solver.dz_min = l.solver.dz_first = l.solver.dz_max = 0.05;
    l.solver.rtol = 1e-10;
    bench b = bench_open(&l);
    poy_status status = poy_run_propagate_to(ctx, b.run, 0.5, NULL);
    ok(status == POY_ERR_STEP && strstr(poy_ctx_cause(ctx), "shortest step"), "never accepted at the shortest step: %s",
       poy_ctx_cause(ctx));
    poy_observation seen;
    must(ctx, poy_run_observe(ctx, b.run, b.out, &seen), "observe");
    ok(seen.z == 0.0 && same_bits(b.in, b.out) && seen.n_history == 1 && !seen.history[0].accepted,
       "the state is the last good one, and the attempt is in the history");
    bench_close(&b);

    l = fibre();
    l.solver.steps_max = 3;
    b = bench_open(&l);
    status = poy_run_propagate_to(ctx, b.run, 0.5, NULL);
    ok(status == POY_ERR_STEP && strstr(poy_ctx_cause(ctx), "steps_max"), "the limit of steps: %s", poy_ctx_cause(ctx));
    must(ctx, poy_run_observe(ctx, b.run, NULL, &seen), "observe");
    ok(seen.controller.index == 3 && seen.z > 0.0, "after three of them");
    bench_close(&b);
}

/* Light so strong that its square overflows. */
static void not_finite(void)
{
    lab l = fibre();
    bench b = bench_open(&l);
    for (int i = 0; i < 2 * N; i++)
        b.in[i] *= 1e110;
    must(ctx, poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL), "an absurd launch");
    poy_status status = poy_run_propagate_to(ctx, b.run, 0.5, NULL);
    ok(status == POY_ERR_NONFINITE && strstr(poy_ctx_cause(ctx), "stage") && strstr(poy_ctx_cause(ctx), "column 0"),
       "an overflow is named: %s", poy_ctx_cause(ctx));
    poy_observation seen;
    must(ctx, poy_run_observe(ctx, b.run, b.out, &seen), "observe");
    ok(seen.z == 0.0 && same_bits(b.in, b.out), "and the state is kept");
    bench_close(&b);
}

/* ---- history, replay, resume ---- */

static void history(void)
{
    lab l = fibre();
    bench b = bench_open(&l);
    poy_observation seen = bench_go(&b, 0.2);
    double z = 0.0;
    int chained = 1;
    int64_t accepted = 0, first = seen.n_history;
    for (int64_t i = 0; i < seen.n_history; i++) {
        chained &= fabs(seen.history[i].z - z) < 1e-14 && seen.history[i].err > 0.0;
        chained &= seen.history[i].logical == 1 + 6 * (i + 1) && seen.history[i].atomic == seen.history[i].logical;
        z += seen.history[i].accepted ? seen.history[i].h : 0.0;
        accepted += seen.history[i].accepted;
    }
    ok(chained && fabs(z - 0.2) < 1e-14, "the accepted steps of the history make the way");
    ok(seen.controller.index == accepted && seen.controller.attempts == first, "counts agree: %lld of %lld",
       (long long)accepted, (long long)first);
    ok(seen.controller.logical == 1 + 6 * seen.controller.attempts, "calls = 1 + 6 attempts");
    must(ctx, poy_run_observe(ctx, b.run, NULL, &seen), "observe");
    ok(seen.n_history == 0, "what was observed is not observed again");
    seen = bench_go(&b, 0.5);
    ok(fabs(seen.history[0].z - 0.2) < 1e-14 && seen.controller.attempts == first + seen.n_history,
       "the next observation begins where the last one ended");
    double few[2];
    int64_t n = 0;
    must(ctx, poy_run_schedule(ctx, b.run, 2, few, &n), "the schedule");
    ok(n == seen.controller.index, "the schedule has every accepted step since the launch: %lld", (long long)n);
    bench_close(&b);
}

/* The schedule of an adaptive run of the lab. */
static double *record_schedule(const lab *l, int64_t *n, double *out)
{
    bench b = bench_open(l);
    bench_go(&b, l->length);
    must(ctx, poy_run_schedule(ctx, b.run, 0, NULL, n), "its length");
    double *schedule = malloc(sizeof(double) * (size_t)*n);
    must(ctx, poy_run_schedule(ctx, b.run, *n, schedule, n), "the schedule");
    memcpy(out, b.out, sizeof(double) * 2 * N);
    bench_close(&b);
    return schedule;
}

static void replay_and_resume(void)
{
    static const double planes[] = {0.0, 0.11, 0.2, 0.5};
    double adaptive[2 * N], whole[2 * N], middle[2 * N];
    int64_t n = 0;
    lab l = fibre();
    l.planes = planes;
    l.n_planes = 4;
    double *schedule = record_schedule(&l, &n, adaptive);

    l.solver.schedule = schedule;
    l.solver.n_schedule = n;
    bench b = bench_open(&l);
    poy_observation seen = bench_go(&b, 0.2);
    poy_controller at = seen.controller;
    memcpy(middle, b.out, sizeof middle);
    int replayed = 1;
    for (int64_t i = 0; i < seen.n_history; i++)
        replayed &= seen.history[i].cause == 3 && seen.history[i].accepted && seen.history[i].h == schedule[i];
    seen = bench_go(&b, 0.5);
    memcpy(whole, b.out, sizeof whole);
    ok(replayed, "a replay takes the steps given, and says so");
    ok(same_bits(whole, adaptive), "and gives the bits of the adaptive run");
    ok(seen.z == 0.5 && seen.controller.index == n, "at the end, after all %lld of them", (long long)n);
    poy_controller end = seen.controller;

    must(ctx, poy_run_set_initial(ctx, b.run, middle, NULL, 0.2, &at), "resume");
    seen = bench_go(&b, 0.5);
    double error = lab_distance(b.out, whole, N);
    /* k_1 is N(u) instead of the last k_7: two roundings of the same number, which differ by the error of one source
     * call, 100 eps, times its share of the way, 0.1, grown by the propagation that follows, at most tenfold. */
    ok(error < 100.0 * DBL_EPSILON, "resumed at a plane it ends where the uninterrupted run does: %.1e", error);
    ok(seen.controller.index == end.index && seen.controller.attempts == end.attempts &&
           seen.controller.logical == end.logical,
       "with the same counts");
    ok(seen.controller.atomic == end.atomic + 1, "and one call more made than asked for");

    must(ctx, poy_run_set_initial(ctx, b.run, middle, NULL, 0.2, NULL), "a start without the index");
    poy_status status = poy_run_propagate_to(ctx, b.run, 0.5, NULL);
    ok(status == POY_ERR_MISMATCH, "a schedule that does not end here: %s", poy_ctx_cause(ctx));
    bench_close(&b);

    l.solver.n_schedule = n - 1;
    poy_problem *p = NULL;
    ok(lab_try(ctx, &l, &p) == POY_ERR_ARGUMENT, "one that is too short is refused early: %s", poy_ctx_cause(ctx));
    free(schedule);
}

static void resume_adaptive(void)
{
    static const double planes[] = {0.0, 0.2, 0.5};
    double whole[2 * N];
    lab l = fibre();
    l.planes = planes;
    l.n_planes = 3;
    bench b = bench_open(&l), c = bench_open(&l);
    poy_controller at = bench_go(&b, 0.2).controller;
    must(ctx, poy_run_set_initial(ctx, c.run, b.out, NULL, 0.2, &at), "resume");
    poy_controller end = bench_go(&b, 0.5).controller, resumed = bench_go(&c, 0.5).controller;
    memcpy(whole, b.out, sizeof whole);
    ok(end.index == resumed.index && end.attempts == resumed.attempts && end.norm == resumed.norm,
       "an adaptive run resumed takes the same number of steps: %lld", (long long)resumed.index);
    /* A rounding error of err moves the next step, and the solution by its part of the tolerance. */
    ok(lab_distance(c.out, whole, N) < 1e-3 * l.solver.rtol, "and ends at the same place: %.1e",
       lab_distance(c.out, whole, N));
    must(ctx, poy_run_restore_call_ledgers(ctx, c.run, 700, 800), "call ledgers");
    poy_observation seen;
    must(ctx, poy_run_observe(ctx, c.run, NULL, &seen), "observe");
    ok(seen.controller.logical == 700 && seen.controller.atomic == 800, "call ledgers are put back");
    ok(poy_run_restore_call_ledgers(ctx, c.run, -1, 0) == POY_ERR_ARGUMENT, "negative ones are not: %s",
       poy_ctx_cause(ctx));
    bench_close(&b);
    bench_close(&c);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "cpu";
    ctx = lab_context();
    landing();
    intermediate();
    kinks();
    limits();
    not_finite();
    history();
    replay_and_resume();
    resume_adaptive();
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
