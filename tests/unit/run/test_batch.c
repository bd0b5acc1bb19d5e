/* test_batch.c: members of a batch against runs of their own, to the bit; lockstep, refusals, memory. */
#include <string.h>

#include "physics/lab.h"
#include "poynting/batch.h"

enum { N = 512, STEPS = 60, MEMBERS = 5 };

static double steps[STEPS];
static const double planes[] = {0.0, 0.012, 0.03};

/* Higher-order solitons with noise, on given steps; member i has a power of its own. */
static lab fibre(int replay)
{
    static const double beta[] = {-2e-26, 1e-40};
    lab l = lab_make(1550e-9, 4e-12, N, 0.03);
    l.fibre.gamma = 3e-3;
    l.fibre.beta = beta;
    l.fibre.n_beta = 2;
    l.physics.raman = POY_RAMAN_BLOW_WOOD;
    l.physics.shock = 1;
    l.physics.noise = POY_NOISE_MODIFIED;
    l.pulse.t0 = 60e-15;
    l.pulse.peak_power = 5e3;
    l.planes = planes;
    l.n_planes = 3;
    for (int i = 0; i < STEPS; i++)
        steps[i] = 0.03 / STEPS;
    l.solver.schedule = replay ? steps : NULL;
    l.solver.n_schedule = replay ? STEPS : 0;
    return l;
}

typedef struct launches {
    double *field[MEMBERS], *noise[MEMBERS];
} launches;

static launches make_launches(poy_ctx *ctx, poy_problem *p)
{
    launches all;
    for (int i = 0; i < MEMBERS; i++) {
        lab l = fibre(1);
        l.pulse.peak_power *= 1 + 0.2 * i;
        all.field[i] = lab_launch(ctx, &l, p);
        all.noise[i] = lab_field(p);
        must(ctx, poy_noise_create(ctx, p, all.noise[i]), "noise");
        for (int k = 0; k < 2 * N; k++)
            all.noise[i][k] *= 1 + i;
    }
    return all;
}

static void free_launches(launches *all)
{
    for (int i = 0; i < MEMBERS; i++)
        free(all->field[i]), free(all->noise[i]);
}

static int where_all_are; /* bit i: a step was told at which the members stood together */
static int watch(void *user, const poy_progress *p)
{
    poy_batch *b = *(poy_batch **)user;
    poy_ctx *ctx = lab_context();
    for (int i = 0; i < poy_batch_members(b); i++) {
        poy_observation seen;
        must(ctx, poy_run_observe(ctx, poy_batch_member(b, i), NULL, &seen), "a member");
        where_all_are += seen.z == p->done;
    }
    poy_ctx_destroy(&ctx);
    return 0;
}

static void test_members(const char *backend)
{
    poy_ctx *ctx = lab_context();
    lab l = fibre(1);
    poy_problem *p = lab_problem(ctx, &l);
    launches all = make_launches(ctx, p);
    double *alone = lab_field(p), *together = lab_field(p);
    poy_batch *b = NULL;
    size_t estimate = 0, before = poy_ctx_bytes(ctx);
    poy_ctx_set_threads(ctx, 2);
    must(ctx, poy_batch_estimate(ctx, p, backend, MEMBERS, &estimate), "an estimate");
    must(ctx, poy_batch_open(ctx, p, backend, MEMBERS, &b), "a batch");
    ok(poy_ctx_bytes(ctx) - before == estimate, "%s: estimated %zu bytes, taken %zu", backend, estimate,
       poy_ctx_bytes(ctx) - before);
    ok(poy_batch_propagate_to(ctx, b, 0.03) == POY_ERR_STATE, "without launches: %s", poy_ctx_cause(ctx));
    for (int i = 0; i < MEMBERS; i++)
        must(ctx, poy_batch_set_initial(ctx, b, i, all.field[i], all.noise[i]), "a launch");
    where_all_are = 0;
    poy_ctx_set_progress(ctx, watch, (void *)&b);
    must(ctx, poy_batch_propagate_to(ctx, b, 0.012), "to a plane");
    must(ctx, poy_batch_propagate_to(ctx, b, 0.03), "to the end");
    ok(where_all_are == STEPS * MEMBERS, "after every step all members are at one place: %d of %d", where_all_are,
       STEPS * MEMBERS);
    for (int i = 0; i < MEMBERS; i++) {
        poy_observation seen;
        poy_run *run = lab_open(ctx, p, backend, NULL);
        must(ctx, poy_run_set_initial(ctx, run, all.field[i], all.noise[i], 0, NULL), "alone");
        must(ctx, poy_run_propagate_to(ctx, run, 0.012, NULL), "alone to a plane");
        must(ctx, poy_run_propagate_to(ctx, run, 0.03, NULL), "alone to the end");
        must(ctx, poy_run_observe(ctx, run, alone, &seen), "what came of it");
        const int64_t calls = seen.controller.atomic;
        must(ctx, poy_run_observe(ctx, poy_batch_member(b, i), together, &seen), "what came of the member");
        ok(!memcmp(alone, together, (size_t)lab_size(p) * 2 * sizeof *alone) && seen.controller.atomic == calls,
           "%s: member %d is what it is alone, to the bit, with as many calls", backend, i);
        poy_run_destroy(&run);
    }
    ok(!poy_batch_member(b, MEMBERS) && !poy_batch_member(b, -1), "there are no other members");
    poy_batch_destroy(&b);
    poy_batch_destroy(&b);
    free_launches(&all);
    free(alone), free(together);
    poy_problem_destroy(&p);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
}

static int stop(void *user, const poy_progress *p)
{
    (void)user;
    return p->accepted == 7;
}

static void test_refusals(void)
{
    poy_ctx *ctx = lab_context();
    lab l = fibre(0), given = fibre(1);
    poy_problem *adaptive = lab_problem(ctx, &l), *p = lab_problem(ctx, &given);
    launches all = make_launches(ctx, p);
    poy_batch *b = NULL;
    poy_observation seen;
    ok(poy_batch_open(ctx, adaptive, "cpu", 2, &b) == POY_ERR_UNSUPPORTED && !b, "%s", poy_ctx_cause(ctx));
    ok(poy_batch_open(ctx, p, "cpu", 0, &b) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_batch_open(ctx, p, "cup", 2, &b) == POY_ERR_BACKEND, "%s", poy_ctx_cause(ctx));
    must(ctx, poy_batch_open(ctx, p, "cpu", 2, &b), "a batch");
    ok(poy_batch_set_initial(ctx, b, 2, all.field[0], NULL) == POY_ERR_INDEX, "%s", poy_ctx_cause(ctx));
    for (int k = 0; k < 2 * N; k++)
        all.field[1][k] *= 1e110;
    for (int i = 0; i < 2; i++)
        must(ctx, poy_batch_set_initial(ctx, b, i, all.field[i], all.noise[i]), "a launch");
    ok(poy_batch_propagate_to(ctx, b, 0.03) == POY_ERR_NONFINITE && !strncmp(poy_ctx_cause(ctx), "member 1: ", 10),
       "%s", poy_ctx_cause(ctx));
    ok(poy_batch_propagate_to(ctx, b, 0.03) == POY_ERR_STATE, "%s", poy_ctx_cause(ctx));
    for (int i = 0; i < 2; i++)
        must(ctx, poy_batch_set_initial(ctx, b, i, all.field[0], all.noise[i]), "a launch");
    poy_ctx_set_progress(ctx, stop, NULL);
    ok(poy_batch_propagate_to(ctx, b, 0.03) == POY_ERR_INTERRUPTED, "%s", poy_ctx_cause(ctx));
    must(ctx, poy_run_observe(ctx, poy_batch_member(b, 1), NULL, &seen), "a member");
    ok(seen.controller.index == 7, "all are at step 7");
    poy_ctx_set_progress(ctx, NULL, NULL);
    ok(poy_batch_propagate_to(ctx, b, 0.03) == POY_OK, "and go on");
    ok(poy_batch_propagate_to(ctx, b, 0.04) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    poy_batch_destroy(&b);
    free_launches(&all);
    poy_problem_destroy(&p);
    poy_problem_destroy(&adaptive);
    poy_ctx_destroy(&ctx);
}

int main(void)
{
    test_members("ref");
    test_members("cpu");
    test_refusals();
    return tap_done();
}
