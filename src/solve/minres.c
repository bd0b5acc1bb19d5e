/* minres.c: minimal residuals for self-adjoint, perhaps indefinite systems, after Paige and Saunders, SIAM J. Numer. Anal.
 * 12, 617 (1975): a Lanczos recurrence whose tridiagonal matrix is taken to triangular form by one rotation a step. */
#include <math.h>

#include "solve/solve.h"

typedef struct recurrence {
    double scale, beta, old_beta, beta_start;
    double norm_start;                           /* |r| at the start, which the first phi_bar stands for */
    double dbar, epsilon, phi_bar, cosine, sine; /* of the rotations */
    double largest;                              /* entry of the tridiagonal matrix */
} recurrence;

typedef struct vectors {
    poy_array *r1, *r2, *y, *v, *w, *w1, *w2;
} vectors;

/* y = K r2, and beta = sqrt <r2, y>; *good 0 where that is not a real number. */
static poy_status turn(poyi_run *run, const vectors *v, double *beta)
{
    double complex square;
    const double low = poy_dtype_real(run->x_space->dtype) == POY_F32 ? 1e-30 : 1e-280;
    if (run->o.precond)
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, 0, v->r2, v->y));
    else
        POYI_TRY(run->ctx, poy_copy_into(run->ctx, v->r2, v->y));
    POYI_TRY(run->ctx, poyi_run_inner(run, run->x_space, v->r2, v->y, &square));
    *beta = creal(square) < 0 ? -1 : sqrt(creal(square));
    if (!run->o.precond && (!(creal(square) > low) || !(creal(square) < 1 / low))) /* the norm has its own scale */
        POYI_TRY(run->ctx, poyi_run_norm(run, run->x_space, v->r2, beta));
    return POY_OK;
}

/* y = A v, orthogonal to the last two; the new r1, r2, y and *alpha. */
static poy_status lanczos(poyi_run *run, recurrence *c, vectors *v, int64_t k, double *alpha)
{
    poy_ctx *ctx = run->ctx;
    double complex inner;
    POYI_TRY(ctx, poyi_run_scale(run, 1 / c->beta, v->y, v->v));
    POYI_TRY(ctx, poyi_run_apply(run, v->v, v->y));
    if (k > 1)
        POYI_TRY(ctx, poyi_run_axpy(run, -c->beta / c->old_beta, 0, v->r1, v->y));
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, v->v, v->y, &inner));
    *alpha = creal(inner);
    POYI_TRY(ctx, poyi_run_axpy(run, -*alpha / c->beta, 0, v->r2, v->y));
    poy_array *spare = v->r1;
    v->r1 = v->r2;
    v->r2 = v->y;
    v->y = spare;
    c->old_beta = c->beta;
    POYI_TRY(ctx, turn(run, v, &c->beta));
    return POY_OK;
}

/* The rotation of step k, and x += phi w. */
static poy_status update(poyi_run *run, recurrence *c, vectors *v, double alpha, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    const double old_epsilon = c->epsilon, delta = c->cosine * c->dbar + c->sine * alpha;
    const double gbar = c->sine * c->dbar - c->cosine * alpha;
    c->epsilon = c->sine * c->beta;
    c->dbar = -c->cosine * c->beta;
    const double gamma = hypot(gbar, c->beta);
    double norm_w = 0;
    const double normal =
        hypot(gbar, c->dbar); /* |A r| / |r| of the last x: none is left where b lies beside the range */
    c->largest = fmax(c->largest, fmax(fabs(alpha), c->beta));
    if (!(normal > 64 * poyi_eps(run->x_space->dtype) * c->largest)) {
        poyi_run_stop(run, isfinite(gamma) ? POY_REASON_BREAKDOWN : POY_REASON_NONFINITE);
        return POY_OK;
    }
    c->cosine = gbar / gamma;
    c->sine = c->beta / gamma;
    const double phi = c->cosine * c->phi_bar;
    c->phi_bar *= c->sine;
    poy_array *spare = v->w1;
    v->w1 = v->w2;
    v->w2 = v->w;
    v->w = spare;
    POYI_TRY(ctx, poyi_run_scale(run, 1 / gamma, v->v, v->w));
    POYI_TRY(ctx, poyi_run_axpy(run, -old_epsilon / gamma, 0, v->w1, v->w));
    POYI_TRY(ctx, poyi_run_axpy_norm(run, run->x_space, -delta / gamma, v->w2, v->w, &norm_w));
    if (!run->o.precond && 8 * poyi_eps(run->x_space->dtype) * c->largest * norm_w > 1) {
        poyi_run_stop(run, POY_REASON_BREAKDOWN); /* |A w| <= 1: A is singular within rounding, what comes is noise */
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_run_axpy(run, phi * c->scale, 0, v->w, x));
    return POY_OK;
}

/* What converged has to hold in truth; with a preconditioner in its norm, in units of the recurrence. v.y: b - A x. */
static poy_status confirm(poyi_run *run, const recurrence *c, const vectors *v)
{
    double residual = run->result->true_residual;
    double complex square;
    if (run->result->converged && run->o.precond && c->beta_start > 0) {
        POYI_TRY(run->ctx, poyi_run_scale(run, 1 / c->scale, v->y, v->y));
        POYI_TRY(run->ctx, poyi_apply(run->ctx, run->o.precond, run->work, 0, v->y, v->v));
        POYI_TRY(run->ctx, poyi_run_inner(run, run->x_space, v->y, v->v, &square));
        residual = sqrt(fmax(creal(square), 0)) / c->beta_start * c->norm_start;
    }
    poyi_run_confirm(run, residual);
    return POY_OK;
}

static poy_status iterate(poyi_run *run, recurrence *c, vectors *v, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    const double eps = poyi_eps(run->x_space->dtype);
    const int64_t n = run->x_space->size, maxiter = run->o.maxiter ? run->o.maxiter : n > 10 ? 10 * n : 100;
    int done = 0;

    for (int64_t k = 1; !done && k <= maxiter; k++) {
        double alpha;
        POYI_TRY(ctx, lanczos(run, c, v, k, &alpha));
        if (c->beta < 0 || !isfinite(alpha) || !isfinite(c->beta)) {
            poyi_run_stop(run, c->beta < 0 ? POY_REASON_NEGATIVE_CURVATURE : POY_REASON_NONFINITE);
            return POY_OK;
        }
        run->result->reason = POY_REASON_CONVERGED; /* unless update says otherwise */
        POYI_TRY(ctx, update(run, c, v, alpha, x));
        if (run->result->reason != POY_REASON_CONVERGED)
            return POY_OK;
        run->result->reason = POY_REASON_MAXITER;
        const double residual = fabs(c->phi_bar) / c->beta_start * c->norm_start;
        done = poyi_run_step(run, k, residual) != 0;
        if (residual <= run->result->threshold)
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else if (done)
            poyi_run_stop(run, POY_REASON_STOPPED);
        else if (!(c->beta >
                   8 * eps * c->largest)) /* an invariant subspace, in which x is as good as it gets, or is not */
            poyi_run_stop(run, c->sine * c->sine < eps ? POY_REASON_STAGNATED : POY_REASON_BREAKDOWN);
        else if (!(fabs(c->phi_bar) > eps * c->beta_start * 1e-2))
            poyi_run_stop(run, POY_REASON_STAGNATED);
        done = run->result->reason != POY_REASON_MAXITER;
    }
    return POY_OK;
}

static poy_status solve(poyi_run *run, const poy_array *b, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    vectors v;
    recurrence c = {.cosine = -1};
    double norm_b, norm_r;
    poy_array **all[] = {&v.r1, &v.r2, &v.y, &v.v, &v.w, &v.w1, &v.w2};

    for (int i = 0; i < 7; i++)
        POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, all[i]));
    for (int i = 4; i < 7; i++)
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, *all[i]));
    POYI_TRY(ctx, poyi_run_start(run, b, x, v.r2, v.y, &norm_b));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, v.r2, &norm_r));
    poyi_run_judge_start(run, norm_b, norm_r);
    if (run->result->reason == POY_REASON_MAXITER) {
        c.norm_start = norm_r;
        c.scale = poyi_scale_of(run->x_space->dtype, norm_r);
        POYI_TRY(ctx, poyi_run_scale(run, 1 / c.scale, v.r2, v.r2));
        POYI_TRY(ctx, turn(run, &v, &c.beta));
        c.beta_start = c.phi_bar = c.beta;
        if (!(c.beta > 0))
            poyi_run_stop(run, isfinite(c.beta) ? POY_REASON_NEGATIVE_CURVATURE : POY_REASON_NONFINITE);
        else
            POYI_TRY(ctx, iterate(run, &c, &v, x));
    }
    POYI_TRY(ctx, poyi_run_true(run, b, x, v.y));
    return confirm(run, &c, &v);
}

poy_status poy_minres(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                      poy_array *x, poy_solve_result *result)
{
    poy_status status;
    poyi_run run;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "minres", a, 1, 1, options, result, &run));
    POYI_TO_DONE(ctx, solve(&run, b, x));
done:
    return poyi_run_end(&run, status);
}
