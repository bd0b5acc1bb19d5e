/* host_matrix.c: a dense matrix of the host as an operator, and solves with it, for records. */
#include <stdlib.h>

#include "solve/host_matrix.h"

#include <string.h>

poy_status poyi_host_matrix_open(poy_ctx *ctx, const char *who, poy_dtype dtype, int64_t m, int64_t n, void *data,
                                 poyi_host_matrix *out)
{
    const int64_t shape[2] = {m, n};
    *out = (poyi_host_matrix){.ctx = ctx, .who = who, .dtype = dtype, .m = m, .n = n};
    POYI_TRY(ctx, poy_backend_open(ctx, "cpu", &out->be));
    POYI_TRY(ctx, poy_space_dense(ctx, out->be, dtype, 1, &n, &out->x));
    POYI_TRY(ctx, poy_space_dense(ctx, out->be, dtype, 1, &m, &out->y));
    POYI_TRY(ctx, poy_array_wrap(ctx, out->be, dtype, 2, shape, NULL, data, &out->matrix));
    POYI_TRY(ctx, poy_linop_dense(ctx, out->matrix, out->x, out->y, &out->a));
    POYI_TRY(ctx, poy_linop_adjoint(ctx, out->a, &out->h));
    return POY_OK;
}

void poyi_host_matrix_close(poyi_host_matrix *a)
{
    poy_linop_destroy(&a->h);
    poy_linop_destroy(&a->a);
    poy_array_destroy(&a->matrix);
    poy_space_destroy(&a->x);
    poy_space_destroy(&a->y);
    poy_backend_close(&a->be);
}

poy_status poyi_host_vector(const poyi_host_matrix *a, int64_t n, void *data, poy_array **out)
{
    POYI_TRY(a->ctx, poy_array_wrap(a->ctx, a->be, a->dtype, 1, &n, NULL, data, out));
    return POY_OK;
}

poy_status poyi_host_solve(const poyi_host_matrix *a, poyi_solver_fn *solve, int adjoint, int may_stagnate,
                           const poy_solve_options *options, void *b, void *x, poy_solve_result *result)
{
    poy_status status = POY_OK;
    poy_array *ab = NULL, *ax = NULL;
    POYI_TO_DONE(a->ctx, poyi_host_vector(a, adjoint ? a->n : a->m, b, &ab));
    POYI_TO_DONE(a->ctx, poyi_host_vector(a, adjoint ? a->m : a->n, x, &ax));
    POYI_TO_DONE(a->ctx, solve(a->ctx, adjoint ? a->h : a->a, ab, options, ax, result));
    if (!result->converged && !(may_stagnate && result->reason == POY_REASON_STAGNATED))
        status = POYI_FAIL(a->ctx, POY_ERR_NO_CONVERGENCE, "%s: %s after %lld steps, residual %.3g, threshold %.3g",
                           a->who, poy_solve_reason_name(result->reason), (long long)result->iterations,
                           result->true_residual, result->threshold);
done:
    poy_array_destroy(&ab);
    poy_array_destroy(&ax);
    return status;
}

void poyi_host_multiply(const poy_rec_array *a, int adjoint, const poy_rec_array *x, const poy_rec_array *z)
{
    const int64_t m = a->spec.dims[0], n = a->spec.dims[1];
    memset(z->data, 0, poy_rec_bytes(&z->spec));
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            const poyi_z e = poyi_rec_get(a, i * n + j);
            if (adjoint)
                poyi_rec_put(z, j, poyi_rec_get(z, j) + conj(e) * poyi_rec_get(x, i));
            else
                poyi_rec_put(z, i, poyi_rec_get(z, i) + e * poyi_rec_get(x, j));
        }
}

poy_status poyi_host_limits_read(poy_ctx *ctx, const char *who, const poy_rec_value *tol, const poy_rec_value *maxiter,
                                 poyi_host_limits *out)
{
    *out = (poyi_host_limits){tol->real, maxiter->integer};
    if (!(out->tol > 0) || out->maxiter < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: tol %s, maxiter %s: above 0, and at least 0", who, tol->text,
                         maxiter->text);
    return POY_OK;
}

poy_status poyi_host_limits_open(poy_ctx *ctx, const char *who, const poy_rec_value *values, void **out)
{
    poyi_host_limits *c = malloc(sizeof *c);
    *out = NULL;
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its options", who);
    const poy_status status = poyi_host_limits_read(ctx, who, &values[0], &values[1], c);
    if (status == POY_OK)
        *out = c;
    else
        free(c);
    return status;
}

poy_solve_options poyi_host_options(const poyi_host_limits *limits)
{
    poy_solve_options o;
    poy_solve_options_init(&o);
    o.tol = limits->tol;
    o.maxiter = limits->maxiter;
    return o;
}

poy_rec_array poyi_host_array(poy_dtype dtype, int64_t n, void *data)
{
    return (poy_rec_array){.spec = {.dtype = dtype, .rank = 1, .dims = {n}}, .data = data};
}
