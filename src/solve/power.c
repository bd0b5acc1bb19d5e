/* power.c: power iteration for the eigenvalue of largest modulus of a self-adjoint operator. */
#include <math.h>

#include "solve/solve.h"

enum { DEFAULT_MAXITER = 1000 };

/* x of norm 1 from x0, or random. */
static poy_status start(poyi_run *run, poy_array *x, double *norm)
{
    poy_status status = POY_OK;
    poy_ctx *ctx = run->ctx;
    poy_array *random = NULL;
    POYI_TO_DONE(ctx, poyi_run_takes(run, run->x_space, "x", x));
    if (run->o.x0)
        POYI_TO_DONE(ctx, poyi_run_takes(run, run->x_space, "x0", run->o.x0));
    else
        POYI_TO_DONE(ctx, poy_space_random(ctx, run->x_space, run->o.seed, &random));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, random ? random : run->o.x0, x));
    POYI_TO_DONE(ctx, poyi_run_norm(run, run->x_space, x, norm));
    if (*norm == 0) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the starting vector is 0", run->name);
        goto done;
    }
    if (isfinite(*norm)) {
        const double scale = poyi_scale_of(run->x_space->dtype, *norm);
        POYI_TO_DONE(ctx, poyi_run_scale(run, 1 / scale, x, x));
        POYI_TO_DONE(ctx, poyi_run_scale(run, scale / *norm, x, x));
    }
done:
    poy_array_destroy(&random);
    return status;
}

/* From y = A x: the Rayleigh quotient, and r = y - lambda x with its norm. */
static poy_status rayleigh(poyi_run *run, const poy_array *x, const poy_array *y, poy_array *r, double *lambda,
                           double *residual)
{
    poy_ctx *ctx = run->ctx;
    double complex inner;
    POYI_TRY(ctx, poyi_run_inner(run, run->x_space, x, y, &inner));
    *lambda = creal(inner);
    POYI_TRY(ctx, poy_copy_into(ctx, y, r));
    POYI_TRY(ctx, poyi_run_axpy_norm(run, run->x_space, -*lambda, x, r, residual));
    return POY_OK;
}

static poy_status iterate(poyi_run *run, poy_array *x)
{
    poy_ctx *ctx = run->ctx;
    poy_array *y, *r;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : DEFAULT_MAXITER;
    double norm, lambda = 0, residual = 0;

    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &y));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &r));
    POYI_TRY(ctx, start(run, x, &norm));
    if (!isfinite(norm)) {
        poyi_run_stop(run, POY_REASON_NONFINITE);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_run_apply(run, x, y));
    for (int64_t k = 1; k <= maxiter && run->result->reason == POY_REASON_MAXITER; k++) {
        const int check = k % run->o.check_every == 0 || k == maxiter;
        POYI_TRY(ctx, poyi_run_norm(run, run->x_space, y, &norm));
        if (!isfinite(norm)) {
            poyi_run_stop(run, POY_REASON_NONFINITE);
            break;
        }
        if (norm > 0) {
            POYI_TRY(ctx, poyi_run_scale(run, 1 / norm, y, x));
            POYI_TRY(ctx, poyi_run_apply(run, x, y));
        }
        if (check)
            POYI_TRY(ctx, rayleigh(run, x, y, r, &lambda, &residual));
        run->result->eigenvalue = lambda;
        run->result->threshold = fmax(run->o.atol, 0) + fmax(run->o.tol, 0) * fabs(lambda);
        const int stop = poyi_run_step(run, k, residual);
        if (check && residual <= run->result->threshold)
            poyi_run_stop(run, POY_REASON_CONVERGED);
        else if (stop)
            poyi_run_stop(run, POY_REASON_STOPPED);
    }
    run->result->true_residual = residual;
    if (run->result->reason == POY_REASON_MAXITER && fabs(lambda) < 0.5 * residual)
        poyi_run_stop(run, POY_REASON_STAGNATED); /* to and fro between lambda and -lambda */
    return POY_OK;
}

poy_status poy_power(poy_ctx *ctx, const poy_linop *a, const poy_solve_options *options, poy_array *x,
                     poy_solve_result *result)
{
    poy_status status;
    poyi_run run;
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "power", a, 1, 1, options, result, &run));
    POYI_TO_DONE(ctx, iterate(&run, x));
done:
    return poyi_run_end(&run, status);
}
