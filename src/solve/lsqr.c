/* lsqr.c: least squares by Golub-Kahan bidiagonalisation, Paige and Saunders, ACM Trans. Math. Softw. 8, 43 (1982), in the
 * metrics of both spaces. */
#include <math.h>

#include "solve/solve.h"

typedef struct bidiagonal {
    double scale, alpha, beta, rho_bar, phi_bar, cosine, sine, theta, phi, rho;
    poy_array *u, *v, *w, *av, *au;
} bidiagonal;

/* y = A x - a y, normalised; *norm its norm: A v - alpha u, A# u - beta v. */
static poy_status advance(poyi_run *run, const poy_space *s, int adjoint, double a, const poy_array *x,
                          poy_array *image, poy_array *y, double *norm)
{
    poy_ctx *ctx = run->ctx;
    const poy_scalar minus = {-a, 0};
    POYI_TRY(ctx, adjoint ? poyi_run_adjoint(run, x, image) : poyi_run_apply(run, x, image));
    POYI_TRY(ctx, poyi_xpby(ctx, run->work, 0, image, &minus, y));
    POYI_TRY(ctx, poyi_run_norm(run, s, y, norm));
    if (*norm > 0 && isfinite(*norm))
        POYI_TRY(ctx, poyi_run_scale(run, 1 / *norm, y, y));
    return POY_OK;
}

static poy_status step(poyi_run *run, bidiagonal *d, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    POYI_TRY(ctx, advance(run, run->b_space, 0, d->alpha, d->v, d->av, d->u, &d->beta));
    POYI_TRY(ctx, advance(run, run->x_space, 1, d->beta, d->u, d->au, d->v, &d->alpha));
    d->rho = hypot(d->rho_bar, d->beta);
    d->cosine = d->rho_bar / d->rho;
    d->sine = d->beta / d->rho;
    d->theta = d->sine * d->alpha;
    d->rho_bar = -d->cosine * d->alpha;
    d->phi = d->cosine * d->phi_bar;
    d->phi_bar *= d->sine;
    if (!isfinite(d->rho) || !isfinite(d->alpha) || !(d->rho > 0))
        return POY_OK;
    const poy_scalar back = {-d->theta / d->rho, 0};
    POYI_TRY(ctx, poyi_run_axpy(run, d->phi / d->rho * d->scale, 0, d->w, x));
    POYI_TRY(ctx, poyi_xpby(ctx, run->work, 0, d->v, &back, d->w));
    return POY_OK;
}

static poy_status iterate(poyi_run *run, bidiagonal *d, poy_array *x)
{
    const int64_t n = run->x_space->size > run->b_space->size ? run->x_space->size : run->b_space->size;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : n > 10 ? 10 * n : 100;
    const double threshold = run->result->threshold, start = d->alpha * d->phi_bar * d->scale;
    for (int64_t k = 1; k <= maxiter && run->result->reason == POY_REASON_MAXITER; k++) {
        POYI_TRY(run->ctx, step(run, d, x));
        if (!isfinite(d->rho) || !isfinite(d->alpha) || !(d->rho > 0)) {
            poyi_run_stop(run, d->rho == 0 ? POY_REASON_BREAKDOWN : POY_REASON_NONFINITE);
            break;
        }
        const double residual = fabs(d->phi_bar) * d->scale;
        const double normal = fabs(d->alpha * d->cosine) * residual;
        run->result->normal_residual = normal;
        const int stop = poyi_run_step(run, k, residual);
        const int fallen = normal <= poyi_eps(run->x_space->dtype) * 1e-2 * start;
        if ((k % run->o.check_every == 0 || fallen) && (residual <= threshold || normal <= threshold))
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else if (stop)
            poyi_run_stop(run, POY_REASON_STOPPED);
        else if (fallen)
            poyi_run_stop(run, POY_REASON_STAGNATED);
    }
    return POY_OK;
}

static poy_status solve(poyi_run *run, const poy_array *b, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    bidiagonal d;
    double norm_b, norm_r;

    POYI_TRY(ctx, poyi_run_vector(run, run->b_space, 0, &d.u));
    POYI_TRY(ctx, poyi_run_vector(run, run->b_space, 0, &d.av));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &d.v));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &d.au));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &d.w));
    POYI_TRY(ctx, poyi_run_start(run, b, x, d.u, d.av, &norm_b));
    POYI_TRY(ctx, poyi_run_norm(run, run->b_space, d.u, &norm_r));
    poyi_run_judge_start(run, norm_b, norm_r);
    if (run->result->reason == POY_REASON_MAXITER) {
        d.scale = poyi_scale_of(run->b_space->dtype, norm_r);
        d.phi_bar = norm_r / d.scale;
        POYI_TRY(ctx, poyi_run_scale(run, 1 / d.scale, d.u, d.u));
        POYI_TRY(ctx, poyi_run_scale(run, 1 / d.phi_bar, d.u, d.u));
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, d.v));
        POYI_TRY(ctx, advance(run, run->x_space, 1, 0, d.u, d.au, d.v, &d.alpha));
        POYI_TRY(ctx, poy_copy_into(ctx, d.v, d.w));
        d.rho_bar = d.alpha;
        run->result->normal_residual = d.alpha * norm_r;
        if (!isfinite(d.alpha))
            poyi_run_stop(run, POY_REASON_NONFINITE);
        else if (d.alpha * norm_r <= run->result->threshold)
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else
            POYI_TRY(ctx, iterate(run, &d, x));
    }
    POYI_TRY(ctx, poyi_run_true(run, b, x, d.u));
    POYI_TRY(ctx, poyi_run_adjoint(run, d.u, d.v));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, d.v, &run->result->normal_residual));
    poyi_run_confirm(run, fmin(run->result->true_residual, run->result->normal_residual));
    return POY_OK;
}

poy_status poy_lsqr(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                    poy_array *x, poy_solve_result *result)
{
    poy_status status;
    poyi_run run;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "lsqr", a, 0, 0, options, result, &run));
    if (run.o.precond) {
        status = POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "lsqr: it takes no preconditioner; compose the operator with one");
        goto done;
    }
    POYI_TO_DONE(ctx, solve(&run, b, x));
done:
    return poyi_run_end(&run, status);
}
