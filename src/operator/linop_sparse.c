/* linop_sparse.c: sparse matrices as linear operators. */
#include <math.h>
#include <stdlib.h>

#include "operator/dense.h"
#include "operator/operator.h"
#include "poynting/sparse.h"

/* Members of a batch as columns, which a sparse matrix takes at once. */
static poy_array columns_of(const poy_array *flat)
{
    poy_array a = *flat;
    a.extent[0] = flat->extent[1];
    a.extent[1] = flat->extent[0];
    a.stride[0] = flat->stride[1];
    a.stride[1] = flat->stride[0];
    a.contiguous = poyi_window_contiguous(2, a.extent, a.stride);
    return a;
}

static poy_status multiply_batch(poy_ctx *ctx, const poy_linop *op, poy_work *work, poy_sparse_side side,
                                 const poy_array *x, const poy_array *y)
{
    poy_status status;
    poy_array *from = NULL, *to = NULL;
    const poy_array x_columns = columns_of(x);
    poy_array y_columns = columns_of(y);
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, x->dtype, 2, x_columns.extent, &from));
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, y->dtype, 2, y_columns.extent, &to));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, &x_columns, from));
    POYI_TO_DONE(ctx, poy_spmm_into(ctx, op->own, side, from, to));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, to, &y_columns));
done:
    poyi_work_give(work, &from);
    poyi_work_give(work, &to);
    return status;
}

static poy_status multiply(poy_ctx *ctx, const poy_linop *op, poy_work *work, poy_sparse_side side, int64_t k,
                           const poy_array *x, poy_array *y)
{
    poy_status status;
    poy_array *tx = NULL, *ty = NULL, fx, fy;
    POYI_TO_DONE(ctx, poyi_flat(ctx, work, k, x, 1, &fx, &tx));
    POYI_TO_DONE(ctx, poyi_flat(ctx, work, k, y, 0, &fy, &ty));
    if (k)
        POYI_TO_DONE(ctx, multiply_batch(ctx, op, work, side, &fx, &fy));
    else
        POYI_TO_DONE(ctx, poy_spmm_into(ctx, op->own, side, &fx, &fy));
    POYI_TO_DONE(ctx, poyi_unflat(ctx, work, &ty, y));
done:
    poyi_work_give(work, &tx);
    poyi_work_give(work, &ty);
    return status;
}

static poy_status sparse_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    return multiply(ctx, op, work, POY_SPARSE_AS_IS, k, x, y);
}

static poy_status sparse_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    return multiply(ctx, op, work, POY_SPARSE_ADJOINT, k, x, y);
}

static void release(poy_linop *op)
{
    poy_sparse *a = op->own;
    poy_sparse_destroy(&a);
}

static const poyi_linop_kind sparse_kind = {"sparse", sparse_apply, sparse_adjoint, 1, release};

/* ---- is it Hermitian? ---- */

/* W a: rows times the weights. */
static poy_status weigh_rows(poy_ctx *ctx, const poy_sparse *a, const poy_array *w, poy_sparse **out)
{
    poy_status status;
    const int64_t n = poy_sparse_rows(a);
    poy_sparse *triples = NULL;
    poy_array *row = NULL, *column = NULL, *value = NULL, *flat = NULL, *factor = NULL, *scaled = NULL;
    POYI_TO_DONE(ctx, poy_sparse_convert(ctx, a, POY_SPARSE_COO, &triples));
    POYI_TO_DONE(ctx, poy_sparse_parts(ctx, triples, &row, &column, &value));
    POYI_TO_DONE(ctx, poy_array_reshape(ctx, w, 1, &n, &flat));
    POYI_TO_DONE(ctx, poy_take(ctx, flat, row, 0, &factor));
    POYI_TO_DONE(ctx, poy_mul(ctx, factor, value, &scaled));
    POYI_TO_DONE(ctx, poy_sparse_create(ctx, POY_SPARSE_COO, n, n, row, column, scaled, out));
done:
    poy_sparse_destroy(&triples);
    poy_array *all[] = {row, column, value, flat, factor, scaled};
    for (int i = 0; i < 6; i++)
        poy_array_destroy(&all[i]);
    return status;
}

/* Only for diagonal metrics; within the bounds that dense matrices have. */
static poy_status compare(poy_ctx *ctx, poy_linop *op)
{
    poy_status status;
    poy_sparse *weighed = NULL, *turned = NULL, *mirror = NULL;
    const poy_sparse *a = op->own;
    poy_array *diagonal = NULL, *first = NULL, *second = NULL, *values = NULL;
    double complex *d = NULL;
    int same = 0;
    if (op->hermitian == POY_NO || !(poy_space_can(op->domain) & POY_SPACE_DIAGONAL))
        return POY_OK;
    POYI_TO_DONE(ctx, poy_sparse_parts(ctx, a, &first, &second, &values));
    POYI_TO_DONE(ctx, poyi_dense_read(ctx, values, &d));
    if (poyi_facts_not_finite(op, d, values->size)) {
        status = POY_OK;
        goto done;
    }
    free(d);
    d = NULL;
    if (op->domain->w) {
        POYI_TO_DONE(ctx, weigh_rows(ctx, a, op->domain->w, &weighed));
        a = weighed;
    }
    POYI_TO_DONE(ctx, poy_sparse_transpose(ctx, a, &turned));
    POYI_TO_DONE(ctx, poy_sparse_conj(ctx, turned, &mirror));
    POYI_TO_DONE(ctx, poy_sparse_allclose(ctx, a, mirror, 1e-5, 1e-8, &same));
    op->hermitian = same ? POY_YES : POY_NO;
    POYI_TO_DONE(ctx, poy_sparse_diagonal(ctx, op->own, &diagonal));
    POYI_TO_DONE(ctx, poyi_dense_read(ctx, diagonal, &d));
    poyi_facts_of_matrix(op, d, diagonal->size);
done:
    free(d);
    poy_array_destroy(&first);
    poy_array_destroy(&second);
    poy_array_destroy(&values);
    poy_array_destroy(&diagonal);
    poy_sparse_destroy(&weighed);
    poy_sparse_destroy(&turned);
    poy_sparse_destroy(&mirror);
    return status;
}

/* ---- making ---- */

static poy_status check(poy_ctx *ctx, const poy_sparse *a, const poy_space *domain, const poy_space *codomain)
{
    if (poy_sparse_backend(a) != domain->be)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "sparse operator: the matrix is on '%s', the spaces on '%s'",
                         poy_backend_name(poy_sparse_backend(a)), poy_backend_name(domain->be));
    if (poy_result_type(poy_sparse_dtype(a), domain->dtype) != domain->dtype)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "sparse operator: the matrix is %s, which leads out of spaces of %s",
                         poy_dtype_name(poy_sparse_dtype(a)), poy_dtype_name(domain->dtype));
    if (poy_sparse_rows(a) != codomain->size || poy_sparse_columns(a) != domain->size)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "sparse operator: a matrix [%lld, %lld] from %lld coordinates to %lld",
                         (long long)poy_sparse_rows(a), (long long)poy_sparse_columns(a), (long long)domain->size,
                         (long long)codomain->size);
    return POY_OK;
}

poy_status poy_linop_sparse(poy_ctx *ctx, const poy_sparse *a, poy_space *domain, poy_space *codomain, poy_linop **out)
{
    poy_status status;
    poy_sparse *turned = NULL, *own = NULL;
    POYI_TRY(ctx, poyi_linop_new(ctx, &sparse_kind, domain, codomain, out));
    POYI_TO_DONE(ctx, check(ctx, a, domain, codomain));
    POYI_TO_DONE(ctx, poy_sparse_transpose(ctx, a, &turned)); /* twice: a handle of its own on the same entries */
    POYI_TO_DONE(ctx, poy_sparse_transpose(ctx, turned, &own));
    (*out)->own = own;
    POYI_TO_DONE(ctx, compare(ctx, *out));
done:
    poy_sparse_destroy(&turned);
    if (status != POY_OK)
        poy_linop_destroy(out);
    return status;
}
