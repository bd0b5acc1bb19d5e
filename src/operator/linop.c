/* linop.c: linear operators: keeping, applying with the Riesz maps around, matrices, the adjoint test. */
#include <math.h>
#include <stdlib.h>

#include "operator/dense.h"
#include "operator/operator.h"

poy_status poyi_linop_new(poy_ctx *ctx, const poyi_linop_kind *kind, poy_space *domain, poy_space *codomain,
                          poy_linop **out)
{
    *out = NULL;
    if (domain->be != codomain->be)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "%s operator: the domain is on '%s', the codomain on '%s'", kind->name,
                         poy_backend_name(domain->be), poy_backend_name(codomain->be));
    if (domain->dtype != codomain->dtype)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s operator: the domain is %s, the codomain %s: they are of one type",
                         kind->name, poy_dtype_name(domain->dtype), poy_dtype_name(codomain->dtype));
    poy_linop *op = calloc(1, sizeof *op);
    if (!op)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a %s operator", kind->name);
    op->holders = 1;
    op->kind = kind;
    op->domain = poy_space_keep(domain);
    op->codomain = poy_space_keep(codomain);
    op->hermitian = op->positive = poy_space_equal(domain, codomain) ? POY_UNKNOWN : POY_NO;
    op->unitary = domain->size == codomain->size ? POY_UNKNOWN : POY_NO;
    *out = op;
    return POY_OK;
}

poy_status poyi_linop_operands(poy_ctx *ctx, poy_linop *op, int n)
{
    op->ops = calloc((size_t)(n ? n : 1), sizeof(void *));
    if (!op->ops)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %d operands", n);
    op->n_ops = n;
    return POY_OK;
}

poy_linop *poy_linop_keep(poy_linop *op)
{
    atomic_fetch_add(&op->holders, 1);
    return op;
}

void poy_linop_destroy(poy_linop **out)
{
    poy_linop *op = *out;
    *out = NULL;
    if (!op || atomic_fetch_sub(&op->holders, 1) != 1)
        return;
    if (op->kind->release)
        op->kind->release(op);
    for (int i = 0; i < op->n_ops; i++)
        poy_linop_destroy(&op->ops[i]);
    poy_array_destroy(&op->a);
    poy_array_destroy(&op->a_h);
    poy_space_destroy(&op->domain);
    poy_space_destroy(&op->codomain);
    free(op->ops);
    free(op);
}

poy_space *poy_linop_domain(const poy_linop *op)
{
    return op->domain;
}

poy_space *poy_linop_codomain(const poy_linop *op)
{
    return op->codomain;
}

const char *poy_linop_kind(const poy_linop *op)
{
    return op->kind->name;
}

poy_status poyi_linop_same(poy_ctx *ctx, const char *who, const poy_space *a, const poy_space *b)
{
    if (!poy_space_equal(a, b))
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "%s: the spaces %s of %s and %s of %s differ%s", who,
                         poyi_shape_print(a->rank, a->extent).text, poy_dtype_name(a->dtype),
                         poyi_shape_print(b->rank, b->extent).text, poy_dtype_name(b->dtype),
                         poyi_shape_equal(a->rank, a->extent, b->rank, b->extent) ? " in metric, algebra or backend"
                                                                                  : "");
    return POY_OK;
}

/* ---- applying ---- */

poy_status poyi_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x, poy_array *y)
{
    POYI_TRY(ctx, op->kind->apply(ctx, op, work, k, x, y));
    return POY_OK;
}

poy_status poyi_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x, poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *rx = NULL, *ry = NULL;
    const int before = op->codomain->geometry != POYI_EUCLIDEAN, after = op->domain->geometry != POYI_EUCLIDEAN;

    if (!op->kind->coordinate || op->metric_adjoint || (!before && !after)) {
        POYI_TRY(ctx, op->kind->adjoint(ctx, op, work, k, x, y));
        return POY_OK;
    }
    if (before) {
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, op->codomain, k, &rx));
        POYI_TO_DONE(ctx, poyi_riesz(ctx, op->codomain, work, k, x, rx));
    }
    if (after)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, op->domain, k, &ry));
    POYI_TO_DONE(ctx, op->kind->adjoint(ctx, op, work, k, rx ? rx : x, ry ? ry : y));
    if (after)
        POYI_TO_DONE(ctx, poyi_riesz_inverse(ctx, op->domain, work, k, ry, y));
done:
    poyi_work_give(work, &rx);
    poyi_work_give(work, &ry);
    return status;
}

static poy_status run(poy_ctx *ctx, const poy_linop *op, poy_work *work, int adjoint, const poy_array *x, poy_array *y)
{
    poy_status status;
    poy_work *own;
    int64_t k, ky;
    POYI_TRY(ctx, poyi_work_get(ctx, op->domain->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, adjoint ? op->codomain : op->domain, "x", x, &k));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, adjoint ? op->domain : op->codomain, "y", y, &ky));
    if (k != ky) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "x has %lld members, y %lld", (long long)k, (long long)ky);
        goto done;
    }
    if (adjoint)
        POYI_TO_DONE(ctx, poyi_adjoint(ctx, op, work, k, x, y));
    else
        POYI_TO_DONE(ctx, poyi_apply(ctx, op, work, k, x, y));
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, const poy_array *x, poy_array *y)
{
    return run(ctx, op, work, 0, x, y);
}

poy_status poy_adjoint_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, const poy_array *x, poy_array *y)
{
    return run(ctx, op, work, 1, x, y);
}

poy_status poy_linop_workspace(poy_ctx *ctx, const poy_linop *op, poy_work *work, size_t *bytes)
{
    poy_status status;
    poy_work *own = NULL;
    poy_array *x = NULL, *y = NULL;

    *bytes = 0;
    POYI_TRY(ctx, poyi_work_get(ctx, op->domain->be, &work, &own));
    const size_t before = work ? poy_work_bytes(work) : 0;
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, op->domain, &x));
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, op->codomain, &y));
    POYI_TO_DONE(ctx, poyi_apply(ctx, op, work, 0, x, y));
    POYI_TO_DONE(ctx, poyi_adjoint(ctx, op, work, 0, y, x));
    *bytes = poy_work_bytes(work) - before;
done:
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    poy_work_destroy(&own);
    return status;
}

/* ---- as a matrix ---- */

poy_status poy_linop_matrix(poy_ctx *ctx, const poy_linop *op, poy_array **out)
{
    poy_status status;
    poy_work *work = NULL;
    poy_array *x = NULL, *y = NULL;
    double complex *unit = NULL, *column = NULL, *all = NULL;
    const int64_t n = op->domain->size, m = op->codomain->size, extent[2] = {m, n};

    *out = NULL;
    POYI_TO_DONE(ctx, poy_work_create(ctx, op->domain->be, &work));
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, op->domain, &x));
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, op->codomain, &y));
    unit = calloc((size_t)n + 1, sizeof *unit);
    all = calloc((size_t)(n * m) + 1, sizeof *all);
    if (!unit || !all) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a matrix of %lld x %lld", (long long)m, (long long)n);
        goto done;
    }
    for (int64_t j = 0; j < n; j++) {
        unit[j] = 1;
        POYI_TO_DONE(ctx, poyi_dense_write(ctx, x, unit));
        unit[j] = 0;
        POYI_TO_DONE(ctx, poyi_apply(ctx, op, work, 0, x, y));
        POYI_TO_DONE(ctx, poyi_dense_read(ctx, y, &column));
        for (int64_t i = 0; i < m; i++)
            all[i * n + j] = column[i];
        free(column);
        column = NULL;
    }
    POYI_TO_DONE(ctx, poyi_dense_create(ctx, op->codomain->be, op->codomain->dtype, 2, extent, all, out));
done:
    free(unit);
    free(column);
    free(all);
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    poy_work_destroy(&work);
    return status;
}

/* ---- the adjoint test ---- */

static poy_status dottest_once(poy_ctx *ctx, const poy_linop *op, poy_work *work, uint64_t seed, double *error)
{
    poy_status status;
    poy_array *x = NULL, *y = NULL, *ax = NULL, *ay = NULL;
    poy_scalar left, right;
    double nx, ny, nax, nay;

    POYI_TO_DONE(ctx, poy_space_random(ctx, op->domain, seed, &x));
    POYI_TO_DONE(ctx, poy_space_random(ctx, op->codomain, seed + 1, &y));
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, op->codomain, &ax));
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, op->domain, &ay));
    POYI_TO_DONE(ctx, poyi_apply(ctx, op, work, 0, x, ax));
    POYI_TO_DONE(ctx, poyi_adjoint(ctx, op, work, 0, y, ay));
    POYI_TO_DONE(ctx, poyi_inner(ctx, op->codomain, work, 0, ax, y, &left));
    POYI_TO_DONE(ctx, poyi_inner(ctx, op->domain, work, 0, x, ay, &right));
    POYI_TO_DONE(ctx, poyi_norm(ctx, op->domain, work, 0, x, &nx));
    POYI_TO_DONE(ctx, poyi_norm(ctx, op->codomain, work, 0, y, &ny));
    POYI_TO_DONE(ctx, poyi_norm(ctx, op->codomain, work, 0, ax, &nax));
    POYI_TO_DONE(ctx, poyi_norm(ctx, op->domain, work, 0, ay, &nay));
    const double scale = nax * ny + nx * nay, gap = hypot(left.re - right.re, left.im - right.im);
    *error = scale > 0 || isnan(scale) ? gap / scale : gap > 0 ? HUGE_VAL : 0;
done:
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    poy_array_destroy(&ax);
    poy_array_destroy(&ay);
    return status;
}

poy_status poy_dottest(poy_ctx *ctx, const poy_linop *op, uint64_t seed, int n, double *worst)
{
    poy_status status = POY_OK;
    poy_work *work = NULL;
    *worst = 0;
    POYI_TO_DONE(ctx, poy_work_create(ctx, op->domain->be, &work));
    for (int i = 0; i < n; i++) {
        double error = 0;
        POYI_TO_DONE(ctx, dottest_once(ctx, op, work, seed + 2 * (uint64_t)i, &error));
        *worst = error > *worst || isnan(error) ? error : *worst;
        if (isnan(error))
            break;
    }
done:
    poy_work_destroy(&work);
    return status;
}
