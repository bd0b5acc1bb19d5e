/* cg_batch.c: conjugate gradients of a batch of right-hand sides of one operator, in which each system stops by itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "solve/cg.h"

typedef struct batch {
    poyi_run run;
    int64_t k;
    poyi_turn t;
    poyi_cg_system *s;
    poy_solve_result *results;
    poy_scalar *inner, *scalar;
    double *norm;
} batch;

static int any_active(const batch *g)
{
    for (int64_t i = 0; i < g->k; i++)
        if (g->s[i].active)
            return 1;
    return 0;
}

/* r = b - A x, norms, thresholds, scales; the members that have ended, and NaNs, become 0 in r. */
static poy_status batch_start(batch *g, const poy_array *b, poy_array *x)
{
    poyi_run *run = &g->run;
    poy_ctx *ctx = run->ctx;
    POYI_TRY(ctx, poyi_norm(ctx, run->x_space, run->work, g->k, b, g->norm));
    for (int64_t i = 0; i < g->k; i++)
        g->results[i].threshold = poyi_run_threshold(run, g->s[i].norm_b = g->norm[i]);
    if (run->o.x0) {
        POYI_TRY(ctx, poy_copy_into(ctx, run->o.x0, x));
        POYI_TRY(ctx, poyi_apply(ctx, run->a, run->work, g->k, x, g->t.q));
        POYI_TRY(ctx, poy_sub_into(ctx, b, g->t.q, g->t.r));
    } else {
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, x));
        POYI_TRY(ctx, poy_copy_into(ctx, b, g->t.r));
    }
    POYI_TRY(ctx, poyi_norm(ctx, run->x_space, run->work, g->k, g->t.r, g->norm));
    for (int64_t i = 0; i < g->k; i++) {
        poyi_cg_begin(&g->s[i], &g->results[i], run->x_space->dtype, g->norm[i]);
        g->results[i].applies = run->o.x0 != NULL;
        g->scalar[i] = (poy_scalar){1 / g->s[i].scale, 0};
        if (!g->s[i].active) {
            poy_array row = poyi_member(g->t.r, i);
            POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, &row));
        }
    }
    POYI_TRY(ctx, poyi_scale(ctx, run->work, g->k, g->scalar, g->t.r, g->t.r));
    POYI_TRY(ctx, poyi_turn_precondition(&g->t));
    POYI_TRY(ctx, poy_copy_into(ctx, g->t.z, g->t.p));
    POYI_TRY(ctx, poyi_inner(ctx, run->x_space, run->work, g->k, g->t.r, g->t.z, g->inner));
    for (int64_t i = 0; i < g->k; i++)
        poyi_cg_first(&g->s[i], &g->results[i], g->inner[i].re);
    return POY_OK;
}

static poy_status batch_step(batch *g)
{
    poy_ctx *ctx = g->run.ctx;
    POYI_TRY(ctx, poyi_turn_apply(&g->t, g->inner));
    for (int64_t i = 0; i < g->k; i++) {
        g->results[i].applies += g->s[i].active;
        poyi_cg_advance(&g->s[i], &g->results[i], g->inner[i].re);
        g->scalar[i] = (poy_scalar){-g->s[i].alpha, 0};
    }
    POYI_TRY(ctx, poyi_turn_descend(&g->t, g->scalar, g->inner));
    for (int64_t i = 0; i < g->k; i++) {
        poyi_cg_turn(&g->s[i], &g->results[i], g->inner[i].re);
        g->scalar[i] = (poy_scalar){g->s[i].alpha * g->s[i].scale, 0};
        g->inner[i] = (poy_scalar){g->s[i].beta, 0};
    }
    POYI_TRY(ctx, poyi_turn_follow(&g->t, g->scalar, g->inner));
    return POY_OK;
}

/* The residuals of a step; those that are small enough, or as small as they get, end their system. *worst: the largest. */
static poy_status batch_look(batch *g, int64_t step, int64_t maxiter, double *worst)
{
    const poyi_run *run = &g->run;
    const double eps = poyi_eps(run->x_space->dtype);
    int check = step % run->o.check_every == 0 || step == maxiter, near_rounding = 0;
    for (int64_t i = 0; i < g->k; i++)
        check |= poyi_cg_has_fallen(&g->s[i], eps);
    if (run->o.precond && check)
        POYI_TRY(run->ctx, poyi_norm(run->ctx, run->x_space, run->work, g->k, g->t.r, g->norm));
    *worst = 0;
    for (int64_t i = 0; i < g->k; i++) {
        poyi_cg_system *s = &g->s[i];
        if (!s->active)
            continue;
        if (!run->o.precond)
            s->residual = sqrt(s->rho);
        else if (check)
            s->residual = g->norm[i];
        g->results[i].iterations = step;
        g->results[i].residual = s->residual * s->scale;
        *worst = fmax(*worst, g->results[i].residual);
        if (check)
            poyi_cg_judge(s, &g->results[i], eps);
        near_rounding |= check && poyi_cg_is_near_rounding(run, s, step);
    }
    if (near_rounding)
        POYI_TRY(run->ctx, poyi_norm(run->ctx, run->x_space, run->work, g->k, g->t.x, g->norm));
    for (int64_t i = 0; i < g->k && near_rounding; i++)
        if (poyi_cg_is_near_rounding(run, &g->s[i], step))
            poyi_cg_judge_rounding(&g->s[i], &g->results[i], eps, g->norm[i]);
    return POY_OK;
}

static poy_status batch_iterate(batch *g)
{
    const poyi_run *run = &g->run;
    const int64_t maxiter = poyi_cg_maxiter(run);
    if (any_active(g))
        POYI_TRY(run->ctx, poyi_turn_record(&g->t));
    for (int64_t step = 1; any_active(g) && step <= maxiter; step++) {
        double worst = 0;
        POYI_TRY(run->ctx, batch_step(g));
        POYI_TRY(run->ctx, batch_look(g, step, maxiter, &worst));
        if (!run->o.monitor || !run->o.monitor(run->o.user, step, worst))
            continue;
        for (int64_t i = 0; i < g->k; i++)
            if (g->s[i].active)
                poyi_cg_stop(&g->s[i], &g->results[i], POY_REASON_STOPPED);
    }
    return POY_OK;
}

static poy_status batch_true(batch *g, const poy_array *b, const poy_array *x)
{
    poyi_run *run = &g->run;
    POYI_TRY(run->ctx, poyi_apply(run->ctx, run->a, run->work, g->k, x, g->t.r));
    POYI_TRY(run->ctx, poy_sub_into(run->ctx, b, g->t.r, g->t.r));
    POYI_TRY(run->ctx, poyi_norm(run->ctx, run->x_space, run->work, g->k, g->t.r, g->norm));
    for (int64_t i = 0; i < g->k; i++) {
        poy_solve_result *r = &g->results[i];
        r->true_residual = g->norm[i];
        r->applies++;
        if (r->converged && poyi_has_missed(run->x_space->dtype, g->norm[i], r->threshold, g->s[i].norm_b))
            poyi_cg_stop(&g->s[i], r, POY_REASON_STAGNATED);
    }
    return POY_OK;
}

static poy_status batch_takes(batch *g, const poy_array *b, const poy_array *x)
{
    poy_ctx *ctx = g->run.ctx;
    int64_t kx, k0;
    POYI_TRY(ctx, poyi_space_takes(ctx, g->run.x_space, "b", b, &g->k));
    POYI_TRY(ctx, poyi_space_takes(ctx, g->run.x_space, "x", x, &kx));
    k0 = g->k;
    if (g->run.o.x0)
        POYI_TRY(ctx, poyi_space_takes(ctx, g->run.x_space, "x0", g->run.o.x0, &k0));
    if (!g->k || g->k != kx || g->k != k0)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "cg_batch: b, x and x0 are batches of %lld, %lld and %lld",
                         (long long)g->k, (long long)kx, (long long)k0);
    return POY_OK;
}

poy_status poy_cg_batch(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                        poy_array *x, poy_solve_result *results)
{
    poy_status status;
    batch g = {.results = results};
    poy_solve_result first, worst;
    size_t at = 0;
    char name[48];

    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "cg_batch", a, 1, 1, options, &first, &g.run));
    POYI_TO_DONE(ctx, poyi_cg_check_positive(&g.run));
    POYI_TO_DONE(ctx, batch_takes(&g, b, x));
    const size_t n = (size_t)g.k;
    g.s = calloc(n, sizeof *g.s);
    g.inner = calloc(2 * n, sizeof *g.inner);
    g.norm = calloc(n, sizeof *g.norm);
    if (!g.s || !g.inner || !g.norm) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "cg_batch: no memory for %lld systems", (long long)g.k);
        goto done;
    }
    g.scalar = g.inner + n;
    for (size_t i = 0; i < n; i++)
        results[i] = first;
    POYI_TO_DONE(ctx, poyi_turn_open(&g.run, g.k, x, &g.t));
    POYI_TO_DONE(ctx, batch_start(&g, b, x));
    POYI_TO_DONE(ctx, batch_iterate(&g));
    POYI_TO_DONE(ctx, batch_true(&g, b, x));
    for (size_t i = 1; i < n; i++)
        if (results[at].reason != POY_REASON_NONFINITE &&
            (results[i].reason == POY_REASON_NONFINITE || (results[i].reason == POY_REASON_NEGATIVE_CURVATURE &&
                                                           results[at].reason != POY_REASON_NEGATIVE_CURVATURE)))
            at = i;
    worst = results[at];
    snprintf(name, sizeof name, "cg_batch: system %zu", at);
    g.run.name = name;
    g.run.result = &worst;
done:
    poyi_turn_free(&g.t);
    free(g.s);
    free(g.inner);
    free(g.norm);
    return poyi_run_end(&g.run, status);
}
