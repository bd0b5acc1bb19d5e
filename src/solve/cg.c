/* cg.c: conjugate gradients of one system, and what decides a turn of them (cg.h). */
#include "solve/cg.h"

#include <math.h>

int64_t poyi_cg_maxiter(const poyi_run *run)
{
    const int64_t size = run->x_space->size;
    return run->o.maxiter ? run->o.maxiter : size > 10 ? 10 * size : 100;
}

poy_status poyi_cg_check_positive(const poyi_run *run)
{
    const poy_linop *k = run->o.precond;
    const int a = run->a->positive == POY_NO;
    if (!a && (!k || k->positive != POY_NO))
        return POY_OK;
    run->result->reason = POY_REASON_NEGATIVE_CURVATURE;
    return POYI_FAIL(run->ctx, POY_ERR_NOT_PD,
                     "%s: the %s (%s) is known not to be positive; minres takes a Hermitian one", run->name,
                     a ? "operator" : "preconditioner", a ? run->a->kind->name : k->kind->name);
}

/* ---- decisions ---- */

void poyi_cg_stop(poyi_cg_system *s, poy_solve_result *r, poy_solve_reason reason)
{
    s->active = 0;
    r->reason = reason;
    r->converged = reason == POY_REASON_CONVERGED;
}

void poyi_cg_begin(poyi_cg_system *s, poy_solve_result *r, poy_dtype dtype, double norm_r)
{
    s->active = 1;
    s->fresh = 1;
    s->scale = poyi_scale_of(dtype, norm_r);
    s->residual = norm_r / s->scale;
    s->threshold = r->threshold / s->scale;
    r->residual = norm_r;
    if (!isfinite(norm_r) || !isfinite(r->threshold))
        poyi_cg_stop(s, r, POY_REASON_NONFINITE);
    else if (norm_r <= r->threshold || norm_r == 0)
        poyi_cg_stop(s, r, POY_REASON_CONVERGED);
}

void poyi_cg_first(poyi_cg_system *s, poy_solve_result *r, double rho)
{
    s->rho = s->rho_start = rho;
    if (s->active && !(rho > 0))
        poyi_cg_stop(s, r, isfinite(rho) ? POY_REASON_NEGATIVE_CURVATURE : POY_REASON_NONFINITE);
}

void poyi_cg_advance(poyi_cg_system *s, poy_solve_result *r, double pi)
{
    s->last_alpha = s->alpha;
    s->alpha = 0;
    if (!s->active)
        return;
    if (!isfinite(pi) || !isfinite(s->rho))
        poyi_cg_stop(s, r, POY_REASON_NONFINITE);
    else if (!(pi > 0))
        poyi_cg_stop(s, r, POY_REASON_NEGATIVE_CURVATURE);
    else
        s->alpha = s->rho / pi;
    if (s->active && !isfinite(s->alpha))
        poyi_cg_stop(s, r, POY_REASON_BREAKDOWN);
    if (s->active)
        s->largest = fmax(s->largest, 1 / s->alpha + (s->fresh ? 0 : s->beta / s->last_alpha));
    else
        s->alpha = 0;
    s->fresh = 0;
}

void poyi_cg_turn(poyi_cg_system *s, poy_solve_result *r, double rho)
{
    s->beta = 0;
    if (!s->active)
        return;
    if (!isfinite(rho))
        poyi_cg_stop(s, r, POY_REASON_NONFINITE);
    else if (rho < 0)
        poyi_cg_stop(s, r, POY_REASON_NEGATIVE_CURVATURE);
    else
        s->beta = rho / s->rho;
    s->rho = rho;
}

int poyi_cg_has_fallen(const poyi_cg_system *s, double eps)
{
    return s->active && !(s->rho > eps * eps * s->rho_start);
}

void poyi_cg_judge(poyi_cg_system *s, poy_solve_result *r, double eps)
{
    if (!s->active)
        return;
    if (s->residual <= s->threshold)
        poyi_cg_stop(s, r, POY_REASON_CONVERGED);
    else if (poyi_cg_has_fallen(s, eps))
        poyi_cg_stop(s, r, POY_REASON_STAGNATED);
}

int poyi_cg_is_near_rounding(const poyi_run *run, const poyi_cg_system *s, int64_t step)
{
    return s->active && !run->o.precond && step % 16 == 0 && s->residual < sqrt(poyi_eps(run->x_space->dtype));
}

void poyi_cg_judge_rounding(poyi_cg_system *s, poy_solve_result *r, double eps, double norm_x)
{
    if (s->residual * s->scale <= eps * (s->norm_b + s->largest * norm_x))
        poyi_cg_stop(s, r, POY_REASON_STAGNATED);
}

/* ---- one system ---- */

/* One step of the recurrence, without the decisions on the residual. */
static poy_status step(poyi_run *run, poyi_cg_system *s, poyi_turn *t)
{
    poy_ctx *ctx = run->ctx;
    poy_scalar pi, rho;
    run->result->applies++;
    POYI_TRY(ctx, poyi_turn_apply(t, &pi));
    poyi_cg_advance(s, run->result, pi.re);
    if (!s->active)
        return POY_OK;
    const poy_scalar forward = {s->alpha * s->scale, 0}, back = {-s->alpha, 0};
    POYI_TRY(ctx, poyi_turn_descend(t, &back, &rho));
    poyi_cg_turn(s, run->result, rho.re);
    const poy_scalar beta = {s->beta, 0};
    POYI_TRY(ctx, poyi_turn_follow(t, &forward, &beta));
    return POY_OK;
}

/* The residual of step k, and whether it is small enough. */
static poy_status look(poyi_run *run, poyi_cg_system *s, const poyi_turn *t, int64_t k, int64_t maxiter)
{
    poy_ctx *ctx = run->ctx;
    const double eps = poyi_eps(run->x_space->dtype);
    const int check = k % run->o.check_every == 0 || k == maxiter || poyi_cg_has_fallen(s, eps);
    if (!run->o.precond)
        s->residual = sqrt(s->rho);
    else if (check)
        POYI_TRY(ctx, poyi_run_norm(run, run->x_space, t->r, &s->residual));
    if (poyi_run_step(run, k, s->residual * s->scale))
        poyi_cg_stop(s, run->result, POY_REASON_STOPPED);
    if (check)
        poyi_cg_judge(s, run->result, eps);
    if (check && poyi_cg_is_near_rounding(run, s, k)) {
        double norm_x;
        POYI_TRY(ctx, poyi_run_norm(run, run->x_space, t->x, &norm_x));
        poyi_cg_judge_rounding(s, run->result, eps, norm_x);
    }
    return POY_OK;
}

static poy_status iterate(poyi_run *run, poyi_cg_system *s, poyi_turn *t)
{
    poy_ctx *ctx = run->ctx;
    const int64_t maxiter = poyi_cg_maxiter(run);
    double complex inner;

    POYI_TRY(ctx, poyi_run_scale(run, 1 / s->scale, t->r, t->r));
    POYI_TRY(ctx, poyi_turn_precondition(t));
    POYI_TRY(ctx, poy_copy_into(ctx, t->z, t->p));
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, t->r, t->z, &inner));
    poyi_cg_first(s, run->result, creal(inner));
    if (s->active)
        POYI_TRY(ctx, poyi_turn_record(t));
    for (int64_t k = 1; s->active && k <= maxiter; k++) {
        POYI_TRY(ctx, step(run, s, t));
        if (s->active)
            POYI_TRY(ctx, look(run, s, t, k, maxiter));
        else
            run->result->iterations = k - 1;
    }
    return POY_OK;
}

poy_status poy_cg(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options, poy_array *x,
                  poy_solve_result *result)
{
    poy_status status;
    poyi_run run;
    poyi_turn t = {0};
    poyi_cg_system s = {0};
    double norm_r;

    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "cg", a, 1, 1, options, result, &run));
    POYI_TO_DONE(ctx, poyi_cg_check_positive(&run));
    POYI_TO_DONE(ctx, poyi_turn_open(&run, 0, x, &t));
    POYI_TO_DONE(ctx, poyi_run_start(&run, b, x, t.r, t.q, &s.norm_b));
    POYI_TO_DONE(ctx, poyi_run_norm(&run, run.x_space, t.r, &norm_r));
    poyi_cg_begin(&s, result, run.x_space->dtype, norm_r);
    if (poyi_run_step(&run, 0, norm_r) && s.active)
        poyi_cg_stop(&s, result, POY_REASON_STOPPED);
    if (s.active)
        POYI_TO_DONE(ctx, iterate(&run, &s, &t));
    POYI_TO_DONE(ctx, poyi_run_true(&run, b, x, t.r));
    poyi_run_confirm(&run, result->true_residual);
done:
    poyi_turn_free(&t);
    return poyi_run_end(&run, status);
}
