/* test_run.c: the run object: statistics between planes, observers, boundaries, noise, memory,
 * refusals, closing. Argument: backend. */
#include <pthread.h>

#include "bench.h"

/* ---- rows between planes ---- */

static void rows(void)
{
    static const double planes[] = {0.0, 0.2, 0.5};
    static const char *const names[] = {"energy", "photon_number", "omega_mean", "peak_power",
                                        "fwhm_t", "fwhm_t_max",    "peak_time",  "energy:1530e-9:1570e-9"};
    enum { STATS = 8 };
    double at_plane[STATS], plain[2 * N];
    lab l = fibre();
    l.planes = planes;
    l.n_planes = 3;
    bench a = bench_open(&l), b = bench_open(&l);
    bench_go(&a, 0.5);
    memcpy(plain, a.out, sizeof plain);
    must(ctx, poy_run_select_stats(ctx, b.run, names, STATS, 1), "select");
    poy_observation seen = bench_go(&b, 0.2);
    const double *last = seen.rows + (seen.n_rows - 1) * (1 + STATS);
    ok(seen.n_rows == seen.controller.index, "a row for each accepted step: %lld", (long long)seen.n_rows);
    double kept[1 + STATS];
    memcpy(kept, last, sizeof kept);
    must(ctx, poy_run_stats(ctx, b.run, names, STATS, at_plane), "statistics");
    ok(kept[0] == 0.2 && !memcmp(kept + 1, at_plane, sizeof at_plane), "the row on a plane is what the plane records");
    ok(at_plane[7] > 0.5 * at_plane[0] && at_plane[7] < at_plane[0], "the band holds most of it: %g of %g J",
       at_plane[7], at_plane[0]);
    bench_go(&b, 0.5);
    ok(same_bits(b.out, plain), "measuring changes nothing");

    must(ctx, poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL), "again");
    must(ctx, poy_run_select_stats(ctx, b.run, names, 1, 3), "every third");
    seen = bench_go(&b, 0.5);
    ok(seen.n_rows == seen.controller.index / 3, "every third step: %lld of %lld", (long long)seen.n_rows,
       (long long)seen.controller.index);
    int rising = 1;
    for (int64_t i = 1; i < seen.n_rows; i++)
        rising &= seen.rows[2 * i] > seen.rows[2 * (i - 1)];
    ok(rising, "in order");
    const char *wrong = "colour";
    ok(poy_run_select_stats(ctx, b.run, &wrong, 1, 1) == POY_ERR_ARGUMENT, "an unknown one: %s", poy_ctx_cause(ctx));
    bench_close(&a);
    bench_close(&b);
}

/* ---- observers ---- */

typedef struct watcher {
    int calls, stop_at;
    double done;
    int64_t accepted, rejected;
    int sane;
} watcher;

static int watch(void *user, const poy_progress *p)
{
    watcher *w = user;
    w->calls++;
    w->sane &= p->total == 0.5 && p->done >= w->done && p->step > 0.0 && fabs(p->energy / p->energy_start - 1.0) < 0.1;
    w->done = p->done;
    w->accepted = p->accepted;
    w->rejected = p->rejected;
    return w->calls == w->stop_at;
}

static void observers(void)
{
    lab l = fibre();
    l.solver.dz_first = 0.1; /* has to be rejected */
    bench a = bench_open(&l), b = bench_open(&l);
    watcher w = {.sane = 1};
    poy_observation seen = bench_go(&a, 0.5);
    int64_t attempts = seen.controller.attempts;
    must(ctx, poy_run_set_progress(ctx, b.run, watch, &w), "an observer");
    bench_go(&b, 0.5);
    ok(same_bits(a.out, b.out), "an observer does not change a bit");
    ok(w.calls == attempts && w.accepted + w.rejected == attempts && w.rejected > 0, "it is told of every attempt: %d",
       w.calls);
    ok(w.sane && w.done == 0.5, "of the way and the energy");

    w = (watcher){.sane = 1, .stop_at = 7};
    poy_run_summary summary = {0};
    must(ctx, poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL), "again");
    poy_status status = poy_run_propagate_to(ctx, b.run, 0.5, &summary);
    ok(status == POY_ERR_INTERRUPTED && summary.z > 0.0 && summary.z < 0.5, "it may stop the march: %s",
       poy_ctx_cause(ctx));
    bench_go(&b, 0.5);
    ok(same_bits(a.out, b.out), "which goes on to the same bits");

    w = (watcher){.sane = 1, .stop_at = 1};
    must(ctx, poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL), "again");
    status = poy_run_propagate_to(ctx, b.run, 0.5, &summary);
    ok(status == POY_ERR_INTERRUPTED && summary.accepted == 1 && summary.rejected > 0,
       "a rejected step is no place to stop: %lld rejected before it", (long long)summary.rejected);

    w = (watcher){.sane = 1, .stop_at = (int)attempts};
    must(ctx, poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL), "again");
    poy_ctx_set_progress(ctx, watch, &w);
    must(ctx, poy_run_set_progress(ctx, b.run, NULL, NULL), "no observer");
    status = poy_run_propagate_to(ctx, b.run, 0.5, &summary);
    ok(status == POY_OK && summary.z == 0.5, "a wish that comes with the last step leaves the plane reached");
    poy_ctx_set_progress(ctx, NULL, NULL);
    bench_close(&a);
    bench_close(&b);
}

/* ---- boundaries, noise ---- */

static lab windowed(poy_absorber absorber)
{
    lab l = fibre();
    l.grid.samples = 0;
    l.grid.wavelength_min = 1200e-9;
    l.grid.wavelength_max = 2200e-9;
    l.grid.window = 3e-12;
    l.pulse.delay = 1.3e-12; /* at the edge: the absorber has work */
    l.solver.absorber = absorber;
    return l;
}

static void boundaries(void)
{
    double left[4];
    for (int a = POY_ABSORBER_NONE; a <= POY_ABSORBER_PER_STEP_WINDOW; a++) {
        lab l = windowed((poy_absorber)a);
        bench b = bench_open(&l);
        poy_observation seen = bench_go(&b, 0.5);
        int fsal = a == POY_ABSORBER_NONE || a == POY_ABSORBER_IN_STAGE;
        int64_t calls = 1 + 6 * seen.controller.attempts + (fsal ? 0 : seen.controller.index);
        ok(seen.controller.logical == calls && seen.controller.atomic == calls,
           "absorber %d: %lld calls; k_7 is %s as k_1", a, (long long)seen.controller.logical,
           fsal ? "carried over" : "not used");
        left[a] = lab_norm2(b.out, lab_bins(b.problem)) / lab_norm2(b.in, lab_bins(b.problem));
        bench_close(&b);
    }
    /* Without an absorber the window still acts on the response, so that a little is lost at the edge. */
    for (int a = POY_ABSORBER_IN_STAGE; a <= POY_ABSORBER_PER_STEP_WINDOW; a++)
        ok(left[a] < left[0] - 0.005, "absorber %d leaves %.4f, without one %.4f are left", a, left[a], left[0]);
    ok(fabs(left[1] - left[2]) < 1e-3, "in the stage or split off: the same absorber, to %.1e",
       fabs(left[1] - left[2]));
}

static void noise(void)
{
    lab l = fibre();
    bench plain = bench_open(&l);
    bench_go(&plain, 0.5);
    l.physics.noise = POY_NOISE_MODIFIED;
    l.physics.seed = 11;
    poy_problem *p = lab_problem(ctx, &l);
    double *draw = lab_field(p), *out = lab_field(p), *zero = lab_field(p);
    must(ctx, poy_noise_create(ctx, p, draw), "a draw");
    poy_run *run = NULL;
    poy_observation seen;
    must(ctx, poy_run_open(ctx, p, backend, &run), "a run");
    ok(poy_run_set_initial(ctx, run, plain.in, NULL, 0.0, NULL) == POY_ERR_ARGUMENT, "a draw is needed: %s",
       poy_ctx_cause(ctx));
    must(ctx, poy_run_set_initial(ctx, run, plain.in, zero, 0.0, NULL), "noise that is none");
    must(ctx, poy_run_propagate_to(ctx, run, 0.5, NULL), "the march");
    must(ctx, poy_run_observe(ctx, run, out, &seen), "observe");
    double none = lab_distance(out, plain.out, N);
    ok(none < 1e-3 * l.solver.rtol, "no noise is no noise: %.1e", none);
    must(ctx, poy_run_set_initial(ctx, run, plain.in, draw, 0.0, NULL), "noise");
    must(ctx, poy_run_propagate_to(ctx, run, 0.5, NULL), "the march");
    must(ctx, poy_run_observe(ctx, run, out, &seen), "observe");
    ok(lab_distance(out, plain.out, N) > 10.0 * none && lab_distance(out, plain.out, N) < 0.1,
       "some noise is some: %.1e", lab_distance(out, plain.out, N));
    double *moved = lab_field(p);
    poy_problem_field phi = {0};
    must(ctx, poy_problem_get(ctx, p, "phi", &phi), "the operator");
    const double *exponent = phi.data;
    for (int k = 0; k < N; k++) {
        double phase = exponent[2 * k + 1] * l.length;
        moved[2 * k] = draw[2 * k] * cos(phase) - draw[2 * k + 1] * sin(phase);
        moved[2 * k + 1] = draw[2 * k] * sin(phase) + draw[2 * k + 1] * cos(phase);
    }
    ok(lab_distance(seen.noise, moved, N) < 1e-12, "the noise itself moves as light alone would: %.1e",
       lab_distance(seen.noise, moved, N));
    ok(poy_run_set_initial(ctx, plain.run, plain.in, draw, 0.0, NULL) == POY_ERR_ARGUMENT,
       "and has no place elsewhere: %s", poy_ctx_cause(ctx));
    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    free(draw), free(out), free(zero), free(moved);
    bench_close(&plain);
}

/* ---- memory ---- */

static void memory(void)
{
    static const char *const names[] = {"energy", "fwhm_t"};
    poy_ledger_entry estimate[64], held[64];
    size_t n_estimate = 0, n_held = 0, total = 0;
    lab l = fibre();
    poy_problem *p = lab_problem(ctx, &l);
    double *in = lab_launch(ctx, &l, p);
    size_t before = poy_ctx_bytes(ctx);
    must(ctx, poy_run_estimate(ctx, p, backend, 64, estimate, &n_estimate, &total), "an estimate");
    ok(poy_ctx_bytes(ctx) == before, "an estimate holds nothing");
    poy_run *run = lab_open(ctx, p, backend, in);
    ok(poy_ctx_bytes(ctx) - before == total, "a run takes what was estimated, to the byte: %zu of %zu",
       poy_ctx_bytes(ctx) - before, total);
    must(ctx, poy_run_memory_ledger(ctx, run, 64, held, &n_held), "the ledger of the run");
    int equal = n_held == n_estimate;
    for (size_t i = 0; equal && i < n_held; i++)
        equal = !strcmp(held[i].name, estimate[i].name) && held[i].bytes == estimate[i].bytes;
    ok(equal, "name by name: %zu names", n_held);

    must(ctx, poy_run_select_stats(ctx, run, names, 2, 1), "statistics");
    must(ctx, poy_run_propagate_to(ctx, run, 0.1, NULL), "a few steps");
    uint64_t allocations = poy_ctx_allocations(ctx);
    poy_run_summary s;
    must(ctx, poy_run_propagate_to(ctx, run, 0.5, &s), "the others");
    ok(s.accepted >= 10 && poy_ctx_allocations(ctx) == allocations, "%lld warm steps with their rows allocate nothing",
       (long long)s.accepted);
    poy_run_destroy(&run);
    ok(poy_ctx_bytes(ctx) == before, "all of it is given back");

    poy_ledger_entry plain[64];
    size_t n_plain = 0, total_plain = 0;
    lab linear = fibre();
    linear.physics.kerr = 0;
    linear.physics.raman = POY_RAMAN_OFF;
    poy_problem *other = lab_problem(ctx, &linear);
    must(ctx, poy_run_estimate(ctx, other, backend, 64, plain, &n_plain, &total_plain), "another estimate");
    poy_problem_destroy(&other);
    equal = n_plain == n_estimate;
    for (size_t i = 0; equal && i < n_plain; i++)
        equal = !strcmp(plain[i].name, estimate[i].name);
    ok(equal && total_plain < total, "a linear fibre has the same names, and needs less: %zu", total_plain);

    allocations = poy_ctx_allocations(ctx);
    poy_ctx_set_budget(ctx, before + total - 1);
    poy_status status = poy_run_open(ctx, p, backend, &run);
    ok(status == POY_ERR_BUDGET && run == NULL && poy_ctx_bytes(ctx) == before &&
           poy_ctx_allocations(ctx) == allocations,
       "a byte over the budget: refused before anything is taken: %s", poy_ctx_cause(ctx));
    poy_ctx_set_budget(ctx, 0);
    poy_problem_destroy(&p);
    free(in);
}

/* ---- the object ---- */

static void refusals(void)
{
    lab l = fibre();
    bench b = bench_open(&l);
    poy_run *run = NULL;
    uint64_t allocations = poy_ctx_allocations(ctx);
    ok(poy_run_open(ctx, b.problem, "abacus", &run) == POY_ERR_BACKEND && strstr(poy_ctx_cause(ctx), "ref"),
       "an unknown backend: %s", poy_ctx_cause(ctx));
    ok(run == NULL && poy_ctx_allocations(ctx) == allocations, "before anything is allocated");
    ok(poy_run_propagate_to(ctx, b.run, 0.6, NULL) == POY_ERR_ARGUMENT, "beyond the end: %s", poy_ctx_cause(ctx));
    ok(poy_run_propagate_to(ctx, b.run, (double)NAN, NULL) == POY_ERR_ARGUMENT, "nowhere: %s", poy_ctx_cause(ctx));
    bench_go(&b, 0.1);
    ok(poy_run_propagate_to(ctx, b.run, 0.05, NULL) == POY_ERR_ARGUMENT, "backwards: %s", poy_ctx_cause(ctx));
    b.in[2 * 17 + 1] = (double)NAN;
    ok(poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL) == POY_ERR_NONFINITE &&
           strstr(poy_ctx_cause(ctx), "bin 17"),
       "a launch that is not finite: %s", poy_ctx_cause(ctx));
    poy_observation seen;
    ok(poy_run_observe(ctx, b.run, NULL, &seen) == POY_OK && seen.z == 0.1, "leaves the run as it was");
    bench_close(&b);

    b.problem = lab_problem(ctx, &l);
    must(ctx, poy_run_open(ctx, b.problem, backend, &b.run), "a run");
    ok(poy_run_propagate_to(ctx, b.run, 0.5, NULL) == POY_ERR_STATE, "no launch yet: %s", poy_ctx_cause(ctx));
    bench_close(&b);
}

static void closed(void)
{
    lab l = fibre();
    bench b = bench_open(&l);
    char text[4096];
    size_t n = 0;
    int64_t steps = 0;
    double x = 0.0;
    const char *name = "energy";
    poy_ledger_entry entry[1];
    poy_observation seen;
    must(ctx, poy_run_metadata(ctx, b.run, sizeof text, text), "metadata");
    ok(strstr(text, "backend: ") == text && strstr(text, "finish=") && strstr(text, "method: dopri5"), "metadata: %.*s",
       (int)strcspn(text, "\n"), text);
    must(ctx, poy_run_available_device_memory(ctx, b.run, &n), "device memory");
    ok(n == 0, "a host has no device memory");
    size_t before = poy_ctx_bytes(ctx);
    poy_run_close(b.run);
    poy_run_close(b.run);
    ok(poy_ctx_bytes(ctx) < before, "closing twice is harmless, and gives the memory back");
    poy_status statuses[] = {poy_run_set_initial(ctx, b.run, b.in, NULL, 0.0, NULL),
                             poy_run_set_progress(ctx, b.run, NULL, NULL),
                             poy_run_propagate_to(ctx, b.run, 0.5, NULL),
                             poy_run_observe(ctx, b.run, NULL, &seen),
                             poy_run_stats(ctx, b.run, &name, 1, &x),
                             poy_run_select_stats(ctx, b.run, &name, 1, 1),
                             poy_run_restore_call_ledgers(ctx, b.run, 0, 0),
                             poy_run_metadata(ctx, b.run, sizeof text, text),
                             poy_run_memory_ledger(ctx, b.run, 1, entry, &n),
                             poy_run_available_device_memory(ctx, b.run, &n),
                             poy_run_schedule(ctx, b.run, 0, NULL, &steps),
                             poy_run_source(ctx, b.run, b.in, b.out)};
    int all = 1;
    for (size_t i = 0; i < sizeof statuses / sizeof *statuses; i++)
        all &= statuses[i] == POY_ERR_STATE;
    ok(all && strstr(poy_ctx_cause(ctx), "used after close"), "each of the 12 calls then fails: %s",
       poy_ctx_cause(ctx));
    bench_close(&b);
}

static void source(void)
{
    double before[2 * N], after[2 * N];
    lab l = fibre();
    bench a = bench_open(&l), b = bench_open(&l);
    bench_go(&a, 0.1);
    bench_go(&b, 0.1);
    bench_go(&a, 0.5);
    memcpy(before, a.out, sizeof before);
    must(ctx, poy_run_source(ctx, b.run, b.in, after), "the source");
    ok(lab_norm2(after, N) > 0.0, "a source there is");
    bench_go(&b, 0.5);
    ok(same_bits(b.out, before), "asking for it does not disturb the march");
    bench_close(&a);
    bench_close(&b);
}

/* ---- many contexts ---- */

typedef struct worker {
    poy_ctx *ctx; /* a fork: it shares backends, plans and the ledger */
    const lab *lab;
    double out[2 * N];
    poy_status status;
} worker;

static void *work(void *user)
{
    worker *w = user;
    poy_problem *p = NULL;
    poy_grid *grid = NULL;
    poy_run *run = NULL;
    poy_observation seen;
    double ends[2] = {0.0, w->lab->length}, in[2 * N];
    w->status = poy_grid_create(w->ctx, &w->lab->grid, &grid);
    if (w->status == POY_OK)
        w->status = poy_problem_create_fibre(w->ctx, grid, &w->lab->fibre, &w->lab->physics, &w->lab->solver,
                                             w->lab->length, ends, 2, &p);
    if (w->status == POY_OK)
        w->status = poy_launch_create(w->ctx, p, &w->lab->pulse, 1, in);
    if (w->status == POY_OK)
        w->status = poy_run_open(w->ctx, p, backend, &run);
    if (w->status == POY_OK)
        w->status = poy_run_set_initial(w->ctx, run, in, NULL, 0.0, NULL);
    if (w->status == POY_OK)
        w->status = poy_run_propagate_to(w->ctx, run, w->lab->length, NULL);
    if (w->status == POY_OK)
        w->status = poy_run_observe(w->ctx, run, w->out, &seen);
    poy_run_destroy(&run);
    poy_problem_destroy(&p);
    poy_grid_destroy(&grid);
    return NULL;
}

static void parallel(void)
{
    enum { WORKERS = 4 };
    static worker workers[WORKERS];
    pthread_t threads[WORKERS];
    lab l = fibre();
    bench alone = bench_open(&l);
    int same = 1;
    bench_go(&alone, 0.5);
    for (int i = 0; i < WORKERS; i++) {
        workers[i] = (worker){.lab = &l};
        must(ctx, poy_ctx_fork(ctx, &workers[i].ctx), "a fork");
        if (pthread_create(&threads[i], NULL, work, &workers[i]))
            exit(1);
    }
    for (int i = 0; i < WORKERS; i++) {
        pthread_join(threads[i], NULL);
        same &= workers[i].status == POY_OK && same_bits(workers[i].out, alone.out);
        poy_ctx_destroy(&workers[i].ctx);
    }
    ok(same, "%d runs at once, each in a context of its own, give the same bits", WORKERS);
    bench_close(&alone);
}

int main(int argc, char **argv)
{
    backend = argc > 1 ? argv[1] : "cpu";
    ctx = lab_context();
    rows();
    observers();
    boundaries();
    noise();
    memory();
    refusals();
    closed();
    source();
    parallel();
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
