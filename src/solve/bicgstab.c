/* bicgstab.c: stabilised biconjugate gradients, van der Vorst, SIAM J. Sci. Stat. Comput. 13, 631 (1992), preconditioned
 * from the right, for operators that are not self-adjoint; the adjoint is not needed. */
#include <math.h>

#include "solve/solve.h"

typedef struct vectors {
    poy_array *r, *shadow, *p, *v, *t, *kp, *ks; /* kp, ks: p and r, preconditioned */
} vectors;

typedef struct recurrence {
    double scale, norm_shadow;
    double complex rho, alpha, omega;
} recurrence;

static poy_status precondition(poyi_run *run, const poy_array *x, poy_array *kx)
{
    if (run->o.precond)
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, 0, x, kx));
    return POY_OK;
}

static poy_status axpy(poyi_run *run, double complex a, const poy_array *x, poy_array *y)
{
    return poyi_run_axpy(run, creal(a), cimag(a), x, y);
}

/* Is a product of two vectors of these norms nothing but rounding? */
static int negligible(double complex product, double norm_x, double norm_y, double eps)
{
    return !(cabs(product) > eps * eps * norm_x * norm_y) || !(cabs(product) > 0);
}

/* The half step of BiCG: alpha, s = r - alpha v. *residual = |s|; NAN: breakdown. */
static poy_status first_half(poyi_run *run, recurrence *c, const vectors *w, double *residual)
{
    poy_ctx *ctx = run->ctx;
    const double eps = poyi_eps(run->x_space->dtype);
    double complex product;
    double norm_v;
    POYI_TRY(ctx, precondition(run, w->p, w->kp));
    POYI_TRY(ctx, poyi_run_apply(run, w->kp, w->v));
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, w->shadow, w->v, &product));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, w->v, &norm_v));
    if (!isfinite(norm_v) || negligible(product, c->norm_shadow, norm_v, eps)) {
        poyi_run_stop(run, isfinite(norm_v) ? POY_REASON_BREAKDOWN : POY_REASON_NONFINITE);
        return POY_OK;
    }
    c->alpha = c->rho / product;
    POYI_TRY(ctx, poyi_run_axpy_norm(run, run->x_space, -c->alpha, w->v, w->r, residual));
    return POY_OK;
}

/* The minimising half step: omega, r = s - omega t, x. */
static poy_status second_half(poyi_run *run, recurrence *c, const vectors *w, poy_array *x, double *residual)
{
    poy_ctx *ctx = run->ctx;
    double complex ts;
    double norm_t;
    POYI_TRY(ctx, precondition(run, w->r, w->ks));
    POYI_TRY(ctx, poyi_run_apply(run, w->ks, w->t));
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, w->t, w->r, &ts));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, w->t, &norm_t));
    c->omega = norm_t > 0 ? ts / norm_t / norm_t : 0;
    POYI_TRY(ctx, axpy(run, c->alpha * c->scale, w->kp, x));
    POYI_TRY(ctx, axpy(run, c->omega * c->scale, w->ks, x));
    POYI_TRY(ctx, poyi_run_axpy_norm(run, run->x_space, -c->omega, w->t, w->r, residual));
    return POY_OK;
}

/* p = r + beta (p - omega v), for the next step. */
static poy_status turn(poyi_run *run, recurrence *c, const vectors *w, double residual)
{
    poy_ctx *ctx = run->ctx;
    const double complex old = c->rho;
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, w->shadow, w->r, &c->rho));
    if (negligible(c->rho, c->norm_shadow, residual, poyi_eps(run->x_space->dtype)) || !(cabs(c->omega) > 0)) {
        poyi_run_stop(run, POY_REASON_BREAKDOWN);
        return POY_OK;
    }
    const double complex beta = c->rho / old * (c->alpha / c->omega);
    const poy_scalar b = {creal(beta), cimag(beta)};
    POYI_TRY(ctx, axpy(run, -c->omega, w->v, w->p));
    POYI_TRY(ctx, poyi_xpby(ctx, run->work, 0, w->r, &b, w->p));
    return POY_OK;
}

static poy_status iterate(poyi_run *run, recurrence *c, const vectors *w, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    const int64_t n = run->x_space->size, maxiter = run->o.maxiter ? run->o.maxiter : n > 10 ? 10 * n : 100;
    const double threshold = run->result->threshold / c->scale;

    for (int64_t k = 1; k <= maxiter && run->result->reason == POY_REASON_MAXITER; k++) {
        double residual = 0;
        POYI_TRY(ctx, first_half(run, c, w, &residual));
        if (run->result->reason != POY_REASON_MAXITER)
            return POY_OK;
        if (residual <= threshold)
            POYI_TRY(ctx, axpy(run, c->alpha * c->scale, w->kp, x));
        else
            POYI_TRY(ctx, second_half(run, c, w, x, &residual));
        const int stop = poyi_run_step(run, k, residual * c->scale);
        if (residual <= threshold)
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else if (!isfinite(residual))
            poyi_run_stop(run, POY_REASON_NONFINITE);
        else if (stop)
            poyi_run_stop(run, POY_REASON_STOPPED);
        else
            POYI_TRY(ctx, turn(run, c, w, residual));
    }
    return POY_OK;
}

static poy_status solve(poyi_run *run, const poy_array *b, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    vectors w;
    recurrence c;
    double norm_b, norm_r;
    poy_array **all[] = {&w.r, &w.shadow, &w.p, &w.v, &w.t, &w.kp, &w.ks};

    for (int i = 0; i < (run->o.precond ? 7 : 5); i++)
        POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, all[i]));
    if (!run->o.precond) {
        w.kp = w.p;
        w.ks = w.r;
    }
    POYI_TRY(ctx, poyi_run_start(run, b, x, w.r, w.v, &norm_b));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, w.r, &norm_r));
    poyi_run_judge_start(run, norm_b, norm_r);
    if (run->result->reason == POY_REASON_MAXITER) {
        c.scale = poyi_scale_of(run->x_space->dtype, norm_r);
        c.norm_shadow = norm_r / c.scale;
        POYI_TRY(ctx, poyi_run_scale(run, 1 / c.scale, w.r, w.r));
        POYI_TRY(ctx, poy_copy_into(ctx, w.r, w.shadow));
        POYI_TRY(ctx, poy_copy_into(ctx, w.r, w.p));
        POYI_TRY(ctx, poyi_run_inner(run, run->x_space, w.shadow, w.r, &c.rho));
        POYI_TRY(ctx, iterate(run, &c, &w, x));
    }
    POYI_TRY(ctx, poyi_run_true(run, b, x, w.v));
    poyi_run_confirm(run, run->result->true_residual);
    return POY_OK;
}

poy_status poy_bicgstab(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                        poy_array *x, poy_solve_result *result)
{
    poy_status status;
    poyi_run run;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "bicgstab", a, 1, 0, options, result, &run));
    POYI_TO_DONE(ctx, solve(&run, b, x));
done:
    return poyi_run_end(&run, status);
}
