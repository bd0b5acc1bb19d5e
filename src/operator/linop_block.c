/* linop_block.c: block operators between product spaces; block-diagonal ones are blocks with zeros beside. */
#include <stdlib.h>

#include "operator/operator.h"

/* y_i = sum over j of A_ij x_j; adjoint: sum over i of A_ij# x_i, since the inner product of a product space is a sum. */
static poy_status blocks(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, int adjoint, const poy_array *x,
                         poy_array *y)
{
    poy_status status = POY_OK;
    const poy_space *to = adjoint ? op->domain : op->codomain, *from = adjoint ? op->codomain : op->domain;
    const int cols = op->domain->n_parts;
    poy_array *t = NULL;

    for (int i = 0; i < to->n_parts; i++) {
        poy_array yi = poyi_part_of(to, y, k, i);
        int written = 0;
        for (int j = 0; j < from->n_parts; j++) {
            const poy_linop *a = adjoint ? op->ops[j * cols + i] : op->ops[i * cols + j];
            if (!a)
                continue;
            const poy_array xj = poyi_part_of(from, x, k, j);
            if (written)
                POYI_TO_DONE(ctx, poyi_work_element(ctx, work, to->parts[i].space, k, &t));
            POYI_TO_DONE(ctx, (adjoint ? poyi_adjoint : poyi_apply)(ctx, a, work, k, &xj, written ? t : &yi));
            if (written)
                POYI_TO_DONE(ctx, poy_add_into(ctx, &yi, t, &yi));
            poyi_work_give(work, &t);
            written = 1;
        }
        if (!written)
            POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, &yi));
    }
done:
    poyi_work_give(work, &t);
    return status;
}

static poy_status blocks_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    return blocks(ctx, op, work, k, 0, x, y);
}

static poy_status blocks_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    return blocks(ctx, op, work, k, 1, x, y);
}

const poyi_linop_kind poyi_linop_blocks = {"block", blocks_apply, blocks_adjoint, 0, NULL};

poy_status poy_linop_block(poy_ctx *ctx, poy_space *domain, poy_space *codomain, poy_linop *const *ops, poy_linop **out)
{
    poy_status status = POY_OK;
    const int rows = codomain->n_parts, cols = domain->n_parts;

    *out = NULL;
    if (!rows || !cols)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "block operator: its domain and codomain are products of spaces");
    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_blocks, domain, codomain, out));
    POYI_TO_DONE(ctx, poyi_linop_operands(ctx, *out, rows * cols));
    for (int i = 0; i < rows * cols; i++) {
        if (!ops[i] || ops[i]->kind == &poyi_linop_zero)
            continue;
        POYI_TO_DONE(ctx, poyi_linop_same(ctx, "block, domain", domain->parts[i % cols].space, ops[i]->domain));
        POYI_TO_DONE(ctx, poyi_linop_same(ctx, "block, codomain", codomain->parts[i / cols].space, ops[i]->codomain));
        (*out)->ops[i] = poy_linop_keep(ops[i]);
    }
    poyi_facts_of_blocks(*out);
done:
    if (status != POY_OK)
        poy_linop_destroy(out);
    return status;
}

poy_status poy_linop_block_diagonal(poy_ctx *ctx, poy_space *domain, poy_space *codomain, poy_linop *const *ops,
                                    poy_linop **out)
{
    const int n = domain->n_parts;
    *out = NULL;
    if (!n || n != codomain->n_parts)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "block-diagonal operator: domain and codomain are products of equally many spaces, not %d and %d", n,
            codomain->n_parts);
    poy_linop **all = calloc((size_t)n * (size_t)n, sizeof(void *));
    if (!all)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %d blocks", n);
    for (int i = 0; i < n; i++)
        all[i * n + i] = ops[i];
    const poy_status status = poy_linop_block(ctx, domain, codomain, all, out);
    free(all);
    return status;
}
