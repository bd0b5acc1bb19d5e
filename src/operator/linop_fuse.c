/* linop_fuse.c: operators multiplied out where that is dense or diagonal algebra, or everything, by columns. */
#include <stdlib.h>

#include "operator/operator.h"

static int is_dense(const poy_linop *op)
{
    return op && op->kind == &poyi_linop_dense;
}

static int is_diagonal(const poy_linop *op)
{
    return op && op->kind == &poyi_linop_diagonal;
}

/* An operator with array a, made of that of its like. */
static poy_status remade(poy_ctx *ctx, int diagonal, const poy_array *a, poy_space *domain, poy_space *codomain,
                         poy_linop **out)
{
    if (diagonal)
        POYI_TRY(ctx, poy_linop_diagonal(ctx, a, domain, out));
    else
        POYI_TRY(ctx, poy_linop_dense(ctx, a, domain, codomain, out));
    return POY_OK;
}

static poy_status fuse_scaled(poy_ctx *ctx, poy_linop *inner, const poy_linop *op, poy_linop **out)
{
    poy_status status;
    poy_array *a = NULL;
    if (!is_dense(inner) && !is_diagonal(inner)) {
        POYI_TRY(ctx, poy_linop_scale(ctx, op->scalar, inner, out));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poy_mul(ctx, op->a, inner->a, &a));
    POYI_TO_DONE(ctx, remade(ctx, is_diagonal(inner), a, inner->domain, inner->codomain, out));
done:
    poy_array_destroy(&a);
    return status;
}

/* Product or sum of two neighbours; *out NULL where they are not of one kind. */
static poy_status fuse_pair(poy_ctx *ctx, int sum, const poy_linop *a, const poy_linop *b, poy_linop **out)
{
    poy_status status = POY_OK;
    poy_array *c = NULL;
    *out = NULL;
    if (a->kind != b->kind || (!is_dense(a) && !is_diagonal(a)))
        return POY_OK;
    if (sum)
        POYI_TO_DONE(ctx, poy_add(ctx, a->a, b->a, &c));
    else if (is_diagonal(a))
        POYI_TO_DONE(ctx, poy_mul(ctx, a->a, b->a, &c));
    else
        POYI_TO_DONE(ctx, poy_matmul(ctx, a->a, b->a, &c));
    POYI_TO_DONE(ctx, remade(ctx, is_diagonal(a), c, b->domain, a->codomain, out));
done:
    poy_array_destroy(&c);
    return status;
}

/* ops[i] and ops[j] become one, which takes the place of ops[i]; returns whether they did. */
static poy_status merge(poy_ctx *ctx, int sum, poy_linop **ops, int *n, int i, int j, int *merged)
{
    poy_linop *one = NULL;
    POYI_TRY(ctx, fuse_pair(ctx, sum, ops[i], ops[j], &one));
    *merged = one != NULL;
    if (!one)
        return POY_OK;
    poy_linop_destroy(&ops[i]);
    poy_linop_destroy(&ops[j]);
    ops[i] = one;
    for (int l = j; l + 1 < *n; l++)
        ops[l] = ops[l + 1];
    ops[--*n] = NULL;
    return POY_OK;
}

static poy_status fuse_list(poy_ctx *ctx, int sum, poy_linop **ops, int *n)
{
    for (int i = 0; i < *n; i++)
        for (int j = i + 1; j < (sum ? *n : i + 2) && j < *n;) {
            int merged = 0;
            POYI_TRY(ctx, merge(ctx, sum, ops, n, i, j, &merged));
            if (!merged)
                j++;
        }
    return POY_OK;
}

poy_status poy_linop_fuse(poy_ctx *ctx, poy_linop *op, int materialise, poy_linop **out)
{
    poy_status status = POY_OK;
    poy_array *matrix = NULL;
    int n = op->n_ops, list = op->kind == &poyi_linop_summed || op->kind == &poyi_linop_composed;

    *out = NULL;
    if (materialise) {
        if (is_dense(op)) {
            *out = poy_linop_keep(op);
            return POY_OK;
        }
        POYI_TO_DONE(ctx, poy_linop_matrix(ctx, op, &matrix));
        POYI_TO_DONE(ctx, poy_linop_dense(ctx, matrix, op->domain, op->codomain, out));
        poyi_facts_inherit(*out, op);
        goto done;
    }
    if (!list && op->kind != &poyi_linop_scaled) {
        *out = poy_linop_keep(op);
        return POY_OK;
    }
    poy_linop **ops = calloc((size_t)n, sizeof(void *));
    if (!ops)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %d operands", n);
    for (int i = 0; i < n && status == POY_OK; i++)
        status = poy_linop_fuse(ctx, op->ops[i], 0, &ops[i]);
    if (status == POY_OK && list)
        status = fuse_list(ctx, op->kind == &poyi_linop_summed, ops, &n);
    if (status == POY_OK && !list)
        status = fuse_scaled(ctx, ops[0], op, out);
    else if (status == POY_OK)
        status = op->kind == &poyi_linop_summed ? poy_linop_sum(ctx, n, ops, out) : poy_linop_compose(ctx, n, ops, out);
    for (int i = 0; i < op->n_ops; i++)
        poy_linop_destroy(&ops[i]);
    free(ops);
done:
    poy_array_destroy(&matrix);
    return status;
}
