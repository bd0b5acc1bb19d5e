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

/* ---- a step, called or replayed ---- */

typedef struct power {
    poyi_run run;
    poy_array *x, *y, *r;                       /* y = A x */
    poy_array *scale, *square, *inner, *lambda; /* numbers of recorded steps: lambda is negative there */
    poy_array flat_x, flat_y, flat_r;
    poy_program *next, *look; /* NULL: not recorded */
} power;

/* x = scale y, y = A x, square = <y, y>, inner = <x, y> */
static poy_status call_next(const void *turn)
{
    const power *p = turn;
    poy_ctx *ctx = p->run.ctx;
    poy_array x = p->flat_x;
    POYI_TRY(ctx, poy_mul_into(ctx, p->scale, &p->flat_y, &x));
    POYI_TRY(ctx, poyi_apply(ctx, p->run.a, p->run.work, 0, p->x, p->y));
    POYI_TRY(ctx, poy_vdot_into(ctx, &p->flat_y, &p->flat_y, p->square));
    POYI_TRY(ctx, poy_vdot_into(ctx, &p->flat_x, &p->flat_y, p->inner));
    return POY_OK;
}

/* r = y - lambda x, square = <r, r> */
static poy_status call_look(const void *turn)
{
    const power *p = turn;
    poy_ctx *ctx = p->run.ctx;
    poy_array r = p->flat_r;
    POYI_TRY(ctx, poy_axpy_into(ctx, p->lambda, &p->flat_x, &p->flat_y, &r));
    POYI_TRY(ctx, poy_vdot_into(ctx, &r, &r, p->square));
    return POY_OK;
}

static poy_status record(power *p)
{
    poyi_run *run = &p->run;
    const int64_t n = run->x_space->size;
    poy_array **const numbers[] = {&p->scale, &p->square, &p->inner, &p->lambda};
    if (!poyi_run_can_record(run, 0, p->x))
        return POY_OK;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        POYI_TRY(run->ctx, poyi_run_numbers(run, 0, 0, numbers[i]));
    poyi_window_set(p->x, 0, 1, &n, &p->flat_x);
    poyi_window_set(p->y, 0, 1, &n, &p->flat_y);
    poyi_window_set(p->r, 0, 1, &n, &p->flat_r);
    POYI_TRY(run->ctx, poyi_run_record(run, "power next", call_next, p, &p->next));
    POYI_TRY(run->ctx, poyi_run_record(run, "power look", call_look, p, &p->look));
    return POY_OK;
}

/* x = y / norm, y = A x, *norm = |y|. */
static poy_status next(power *p, double *norm)
{
    poyi_run *run = &p->run;
    poy_ctx *ctx = run->ctx;
    poy_scalar square;
    if (!p->next) {
        POYI_TRY(ctx, poyi_run_scale(run, 1 / *norm, p->y, p->x));
        POYI_TRY(ctx, poyi_run_apply(run, p->x, p->y));
        POYI_TRY(ctx, poyi_run_norm(run, run->x_space, p->y, norm));
        return POY_OK;
    }
    const poy_scalar scale = {1 / *norm, 0};
    run->result->applies++;
    POYI_TRY(ctx, poyi_write_scalars(ctx, p->scale, 1, &scale));
    POYI_TRY(ctx, poy_program_run(ctx, p->next, 1));
    POYI_TRY(ctx, poyi_read_scalars(ctx, p->square, 1, &square));
    POYI_TRY(ctx, poyi_norm_from(ctx, run->x_space, run->work, p->y, square.re, norm));
    return POY_OK;
}

/* The Rayleigh quotient, and r = y - lambda x with its norm. */
static poy_status look(power *p, double *lambda, double *residual)
{
    poyi_run *run = &p->run;
    poy_ctx *ctx = run->ctx;
    double complex inner;
    poy_scalar number;
    if (!p->look) {
        POYI_TRY(ctx, poyi_run_inner(run, run->x_space, p->x, p->y, &inner));
        *lambda = creal(inner);
        POYI_TRY(ctx, poy_copy_into(ctx, p->y, p->r));
        POYI_TRY(ctx, poyi_run_axpy_norm(run, run->x_space, -*lambda, p->x, p->r, residual));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_read_scalars(ctx, p->inner, 1, &number));
    *lambda = number.re;
    number = (poy_scalar){-*lambda, 0};
    POYI_TRY(ctx, poyi_write_scalars(ctx, p->lambda, 1, &number));
    POYI_TRY(ctx, poy_program_run(ctx, p->look, 1));
    POYI_TRY(ctx, poyi_read_scalars(ctx, p->square, 1, &number));
    POYI_TRY(ctx, poyi_norm_from(ctx, run->x_space, run->work, p->r, number.re, residual));
    return POY_OK;
}

static poy_status iterate(power *p)
{
    poyi_run *run = &p->run;
    poy_ctx *ctx = run->ctx;
    const int64_t maxiter = run->o.maxiter ? run->o.maxiter : DEFAULT_MAXITER;
    double norm, lambda = 0, residual = 0;

    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &p->y));
    POYI_TRY(ctx, poyi_run_vector(run, run->x_space, 0, &p->r));
    POYI_TRY(ctx, start(run, p->x, &norm));
    if (!isfinite(norm)) {
        poyi_run_stop(run, POY_REASON_NONFINITE);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_run_apply(run, p->x, p->y));
    POYI_TRY(ctx, poyi_run_norm(run, run->x_space, p->y, &norm));
    POYI_TRY(ctx, record(p));
    for (int64_t k = 1; k <= maxiter && run->result->reason == POY_REASON_MAXITER; k++) {
        const int check = k % run->o.check_every == 0 || k == maxiter;
        if (!isfinite(norm)) {
            poyi_run_stop(run, POY_REASON_NONFINITE);
            break;
        }
        if (norm > 0)
            POYI_TRY(ctx, next(p, &norm));
        if (check)
            POYI_TRY(ctx, look(p, &lambda, &residual));
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
    power p = {.x = x};
    POYI_TO_DONE(ctx, poyi_run_begin(ctx, "power", a, 1, 1, options, result, &p.run));
    POYI_TO_DONE(ctx, iterate(&p));
done:
    if (p.next)
        poy_program_destroy(&p.next);
    if (p.look)
        poy_program_destroy(&p.look);
    return poyi_run_end(&p.run, status);
}
