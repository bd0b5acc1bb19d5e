/* run.c: the frame of a solve: options and operators checked, scratch lent, steps told, residuals at the end. */
#include <math.h>
#include <string.h>

#include "solve/solve.h"

static const char *const reason_names[] = {
    "converged", "maximum of iterations", "stagnated", "negative curvature", "breakdown", "not finite", "stopped",
};

const char *poy_solve_reason_name(poy_solve_reason reason)
{
    return (unsigned)reason < sizeof reason_names / sizeof reason_names[0] ? reason_names[reason] : "?";
}

void poy_solve_options_init(poy_solve_options *options)
{
    *options = (poy_solve_options){.size = sizeof *options, .tol = 1e-6, .check_every = 1, .seed = 1};
}

static poy_status check_options(const poyi_run *run)
{
    const poy_solve_options *o = &run->o;
    if (o->size != sizeof *o)
        return POYI_FAIL(run->ctx, POY_ERR_ARGUMENT, "%s: options of %zu bytes, this library's have %zu", run->name,
                         o->size, sizeof *o);
    if (isnan(o->tol) || isnan(o->atol))
        return POYI_FAIL(run->ctx, POY_ERR_ARGUMENT, "%s: tol %g, atol %g: neither may be NaN", run->name, o->tol,
                         o->atol);
    if (o->maxiter < 0 || o->check_every < 1 || o->restart < 0 || o->history_size < 0)
        return POYI_FAIL(run->ctx, POY_ERR_ARGUMENT,
                         "%s: maxiter %lld, check_every %lld, restart %lld: they are at least 0, 1 and 0", run->name,
                         (long long)o->maxiter, (long long)o->check_every, (long long)o->restart);
    if (o->precond)
        POYI_TRY(run->ctx, poyi_linop_same(run->ctx, "preconditioner", o->precond->domain, run->x_space));
    if (o->precond)
        POYI_TRY(run->ctx, poyi_linop_same(run->ctx, "preconditioner", o->precond->codomain, run->x_space));
    return POY_OK;
}

poy_status poyi_run_begin(poy_ctx *ctx, const char *name, const poy_linop *a, int square, int hermitian,
                          const poy_solve_options *options, poy_solve_result *result, poyi_run *run)
{
    memset(run, 0, sizeof *run);
    run->ctx = ctx;
    run->name = name;
    run->a = a;
    run->x_space = a->domain;
    run->b_space = a->codomain;
    run->result = result;
    poy_solve_options_init(&run->o);
    if (options)
        run->o = *options;
    *result = (poy_solve_result){.reason = POY_REASON_MAXITER, .residual = (double)NAN, .true_residual = (double)NAN};
    POYI_TRY(ctx, check_options(run));
    if (square && !poy_space_equal(a->domain, a->codomain))
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: the operator leads to another space than its domain", name);
    if (a->not_finite)
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "%s: the operator (%s) holds a number that is not finite", name,
                         a->kind->name);
    if (hermitian && a->hermitian == POY_NO)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the operator (%s) is not Hermitian", name, a->kind->name);
    run->work = run->o.work;
    POYI_TRY(ctx, poyi_work_get(ctx, a->domain->be, &run->work, &run->own));
    return POY_OK;
}

poy_status poyi_run_begin_minimum(poy_ctx *ctx, const char *name, const poy_functional *f,
                                  const poy_solve_options *options, poy_solve_result *result, poyi_run *run)
{
    poy_linop *identity = NULL;
    memset(run, 0, sizeof *run);
    *result = (poy_solve_result){.reason = POY_REASON_MAXITER};
    run->result = result;
    POYI_TRY(ctx, poy_linop_identity(ctx, poy_functional_space(f), &identity));
    const poy_status status = poyi_run_begin(ctx, name, identity, 1, 0, options, result, run);
    run->identity = identity; /* stands for the operator: its space is that of x */
    if (status != POY_OK)
        return status;
    if (run->o.precond)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: it takes no preconditioner", name);
    return POY_OK;
}

poy_status poyi_run_end(poyi_run *run, poy_status status)
{
    const poy_solve_result *r = run->result;
    for (int i = 0; i < run->n_vectors; i++)
        poyi_work_give(run->work, &run->vector[i]);
    poy_work_destroy(&run->own);
    poy_linop_destroy(&run->identity);
    if (status != POY_OK)
        return status;
    if (r->reason == POY_REASON_NEGATIVE_CURVATURE)
        return POYI_FAIL(run->ctx, POY_ERR_NOT_PD,
                         "%s: negative curvature at step %lld: the operator or its preconditioner is not positive",
                         run->name, (long long)r->iterations);
    if (r->reason == POY_REASON_NONFINITE)
        return POYI_FAIL(run->ctx, POY_ERR_NONFINITE, "%s: a value that is not finite at step %lld", run->name,
                         (long long)r->iterations);
    return POY_OK;
}

static poy_status lend(poyi_run *run, poy_dtype dtype, int rank, const int64_t *extent, poy_array **out)
{
    if (run->n_vectors == POYI_SOLVE_VECTORS)
        return POYI_FAIL(run->ctx, POY_ERR_INTERNAL, "%s: more than %d vectors", run->name, POYI_SOLVE_VECTORS);
    POYI_TRY(run->ctx, poyi_work_take(run->ctx, run->work, dtype, rank, extent, out));
    run->vector[run->n_vectors++] = *out;
    return POY_OK;
}

poy_status poyi_run_vector(poyi_run *run, const poy_space *s, int64_t k, poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    return lend(run, s->dtype, poyi_space_shape(s, k, extent), extent, out);
}

poy_status poyi_run_numbers(poyi_run *run, int64_t k, int rank, poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    for (int i = 0; i < rank; i++)
        extent[i] = i ? 1 : k;
    return lend(run, run->x_space->dtype, k ? rank : 0, extent, out);
}

double poyi_run_threshold(const poyi_run *run, double norm_b)
{
    return fmax(run->o.atol, 0) + fmax(run->o.tol, 0) * norm_b;
}

poy_status poyi_run_takes(const poyi_run *run, const poy_space *s, const char *what, const poy_array *x)
{
    int64_t k;
    POYI_TRY(run->ctx, poyi_space_takes(run->ctx, s, what, x, &k));
    if (k)
        return POYI_FAIL(run->ctx, POY_ERR_SHAPE, "%s: %s is a batch of %lld", run->name, what, (long long)k);
    return POY_OK;
}

poy_status poyi_run_apply(poyi_run *run, const poy_array *x, poy_array *y)
{
    run->result->applies++;
    return poyi_apply(run->ctx, run->a, run->work, 0, x, y);
}

poy_status poyi_run_adjoint(poyi_run *run, const poy_array *x, poy_array *y)
{
    run->result->applies++;
    return poyi_adjoint(run->ctx, run->a, run->work, 0, x, y);
}

poy_status poyi_run_start(poyi_run *run, const poy_array *b, poy_array *x, poy_array *r, poy_array *q, double *norm_b)
{
    poy_ctx *ctx = run->ctx;
    POYI_TRY(ctx, poyi_run_takes(run, run->b_space, "b", b));
    POYI_TRY(ctx, poyi_run_takes(run, run->x_space, "x", x));
    POYI_TRY(ctx, poyi_run_norm(run, run->b_space, b, norm_b));
    run->norm_b = *norm_b;
    run->result->threshold = poyi_run_threshold(run, *norm_b);
    if (run->o.x0) {
        POYI_TRY(ctx, poyi_run_takes(run, run->x_space, "x0", run->o.x0));
        POYI_TRY(ctx, poy_copy_into(ctx, run->o.x0, x));
        POYI_TRY(ctx, poyi_run_apply(run, x, q));
        POYI_TRY(ctx, poy_sub_into(ctx, b, q, r));
    } else {
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, x));
        POYI_TRY(ctx, poy_copy_into(ctx, b, r));
    }
    return POY_OK;
}

poy_status poyi_run_true(poyi_run *run, const poy_array *b, const poy_array *x, poy_array *r)
{
    POYI_TRY(run->ctx, poyi_run_apply(run, x, r));
    POYI_TRY(run->ctx, poy_sub_into(run->ctx, b, r, r));
    POYI_TRY(run->ctx, poyi_run_norm(run, run->b_space, r, &run->result->true_residual));
    return POY_OK;
}

int poyi_has_missed(poy_dtype dtype, double true_residual, double threshold, double norm_b)
{
    return !(true_residual <= 10 * threshold + 64 * poyi_eps(dtype) * norm_b);
}

void poyi_run_confirm(poyi_run *run, double residual)
{
    const poy_solve_result *r = run->result;
    if (r->converged && poyi_has_missed(run->x_space->dtype, residual, r->threshold, run->norm_b))
        poyi_run_stop(run, POY_REASON_STAGNATED);
}

int poyi_run_step(poyi_run *run, int64_t iteration, double residual)
{
    poy_solve_result *r = run->result;
    r->iterations = iteration;
    r->residual = residual;
    if (run->o.history && r->history_length < run->o.history_size)
        run->o.history[r->history_length++] = residual;
    return run->o.monitor ? run->o.monitor(run->o.user, iteration, residual) : 0;
}

void poyi_run_judge_start(poyi_run *run, double norm_b, double norm_r)
{
    const int stop = poyi_run_step(run, 0, norm_r);
    if (!isfinite(norm_r) || !isfinite(norm_b))
        poyi_run_stop(run, POY_REASON_NONFINITE);
    else if (norm_r == 0 || norm_r <= run->result->threshold)
        poyi_run_stop(run, POY_REASON_CONVERGED);
    else if (stop)
        poyi_run_stop(run, POY_REASON_STOPPED);
}

void poyi_run_stop(poyi_run *run, poy_solve_reason reason)
{
    run->result->reason = reason;
    run->result->converged = reason == POY_REASON_CONVERGED;
}

poy_status poyi_run_axpy(poyi_run *run, double re, double im, const poy_array *x, poy_array *y)
{
    const poy_scalar a = {re, im};
    return poyi_axpy(run->ctx, run->work, 0, &a, x, y);
}

poy_status poyi_run_axpy_norm(poyi_run *run, const poy_space *s, double complex a, const poy_array *x, poy_array *y,
                              double *norm)
{
    const poy_scalar factor = {creal(a), cimag(a)};
    return poyi_axpy_norm(run->ctx, s, run->work, &factor, x, y, norm);
}

poy_status poyi_run_scale(poyi_run *run, double re, const poy_array *x, poy_array *y)
{
    const poy_scalar a = {re, 0};
    return poyi_scale(run->ctx, run->work, 0, &a, x, y);
}

poy_status poyi_run_inner(poyi_run *run, const poy_space *s, const poy_array *x, const poy_array *y,
                          double complex *out)
{
    poy_scalar a = {0, 0};
    POYI_TRY(run->ctx, poyi_inner(run->ctx, s, run->work, 0, x, y, &a));
    *out = CMPLX(a.re, a.im);
    return POY_OK;
}

poy_status poyi_run_norm(poyi_run *run, const poy_space *s, const poy_array *x, double *out)
{
    return poyi_norm(run->ctx, s, run->work, 0, x, out);
}

int poyi_run_can_record(const poyi_run *run, int64_t k, const poy_array *x)
{
    const poy_linop *precond = run->o.precond;
    return run->x_space->geometry == POYI_EUCLIDEAN && poyi_vector_is_short(run->ctx, k, x) &&
           !poyi_ctx_capture(run->ctx) && !poyi_linop_calls_back(run->a) &&
           !(precond && poyi_linop_calls_back(precond));
}

poy_status poyi_run_record(const poyi_run *run, const char *name, poyi_part_fn *part, const void *turn,
                           poy_program **out)
{
    POYI_TRY(run->ctx, poy_program_begin(run->ctx, run->x_space->be, name));
    const poy_status status = part(turn);
    if (status != POY_OK) {
        poy_program_cancel(run->ctx);
        return status;
    }
    POYI_TRY(run->ctx, poy_program_end(run->ctx, out));
    return POY_OK;
}
