/* linop_algebra.c: the lazy algebra of operators: scaled, summed, composed, adjoint, simplified where it costs nothing. */
#include "operator/operator.h"

/* ---- scaled ---- */

static poy_status scaled_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    POYI_TRY(ctx, poyi_apply(ctx, op->ops[0], work, k, x, y));
    POYI_TRY(ctx, poy_mul_into(ctx, op->a, y, y));
    return POY_OK;
}

static poy_status scaled_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    POYI_TRY(ctx, poyi_adjoint(ctx, op->ops[0], work, k, x, y));
    POYI_TRY(ctx, poy_mul_into(ctx, op->a_h ? op->a_h : op->a, y, y));
    return POY_OK;
}

const poyi_linop_kind poyi_linop_scaled = {"scaled", scaled_apply, scaled_adjoint, 0, NULL};

poy_status poy_linop_scale(poy_ctx *ctx, poy_scalar a, poy_linop *op, poy_linop **out)
{
    poy_status status = POY_OK;
    *out = NULL;
    if (a.im != 0 && !poy_dtype_is_complex(op->domain->dtype))
        return POYI_FAIL(ctx, POY_ERR_COMPLEX_TO_REAL, "scaled operator: %g%+gi on a space of %s", a.re, a.im,
                         poy_dtype_name(op->domain->dtype));
    if (op->kind == &poyi_linop_scaled) {
        const poy_scalar b = op->scalar;
        a = (poy_scalar){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
        op = op->ops[0];
    }
    if (a.re == 1 && a.im == 0) {
        *out = poy_linop_keep(op);
        return POY_OK;
    }
    if ((a.re == 0 && a.im == 0) || op->kind == &poyi_linop_zero) {
        POYI_TRY(ctx, poy_linop_zero(ctx, op->domain, op->codomain, out));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_scaled, op->domain, op->codomain, out));
    POYI_TO_DONE(ctx, poyi_linop_operands(ctx, *out, 1));
    (*out)->ops[0] = poy_linop_keep(op);
    (*out)->scalar = a;
    POYI_TO_DONE(ctx, poy_fill(ctx, op->domain->be, a, op->domain->dtype, 0, NULL, &(*out)->a));
    if (a.im != 0)
        POYI_TO_DONE(
            ctx, poy_fill(ctx, op->domain->be, (poy_scalar){a.re, -a.im}, op->domain->dtype, 0, NULL, &(*out)->a_h));
    poyi_facts_of_scaled(*out);
done:
    if (status != POY_OK)
        poy_linop_destroy(out);
    return status;
}

/* ---- summed ---- */

typedef poy_status apply_fn(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                            poy_array *y);

static poy_status add_up(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, apply_fn *f, const poy_array *x,
                         poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *t = NULL;
    POYI_TO_DONE(ctx, poyi_work_like(ctx, work, y, &t));
    for (int i = 0; i < op->n_ops; i++) {
        POYI_TO_DONE(ctx, f(ctx, op->ops[i], work, k, x, i ? t : y));
        if (i)
            POYI_TO_DONE(ctx, poy_add_into(ctx, y, t, y));
    }
done:
    poyi_work_give(work, &t);
    return status;
}

static poy_status summed_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    return add_up(ctx, op, work, k, poyi_apply, x, y);
}

static poy_status summed_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    return add_up(ctx, op, work, k, poyi_adjoint, x, y);
}

const poyi_linop_kind poyi_linop_summed = {"sum", summed_apply, summed_adjoint, 0, NULL};

/* Operands of a flat sum or chain; out NULL: only their number. Those of kind drop are left out. */
static int flatten(int n, poy_linop *const *ops, const poyi_linop_kind *nest, const poyi_linop_kind *drop,
                   poy_linop **out)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        poy_linop *const *inner = ops[i]->kind == nest ? ops[i]->ops : &ops[i];
        const int m = ops[i]->kind == nest ? ops[i]->n_ops : 1;
        for (int j = 0; j < m; j++)
            if (inner[j]->kind != drop) {
                if (out)
                    out[count] = poy_linop_keep(inner[j]);
                count++;
            }
    }
    return count;
}

/* A sum or chain of what flatten left, at least one; made: it is a new operator, not the one that was left. */
static poy_status gather(poy_ctx *ctx, const poyi_linop_kind *kind, const poyi_linop_kind *drop, int n,
                         poy_linop *const *ops, poy_space *domain, poy_space *codomain, poy_linop **out, int *made)
{
    const int count = flatten(n, ops, kind, drop, NULL);
    *made = count > 1;
    if (count == 1) {
        (void)flatten(n, ops, kind, drop, out);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_linop_new(ctx, kind, domain, codomain, out));
    const poy_status status = poyi_linop_operands(ctx, *out, count);
    if (status != POY_OK) {
        poy_linop_destroy(out);
        return status;
    }
    (void)flatten(n, ops, kind, drop, (*out)->ops);
    return POY_OK;
}

poy_status poy_linop_sum(poy_ctx *ctx, int n, poy_linop *const *ops, poy_linop **out)
{
    int made = 0;
    *out = NULL;
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a sum of %d operators: it has at least one", n);
    for (int i = 1; i < n; i++) {
        POYI_TRY(ctx, poyi_linop_same(ctx, "sum, domains", ops[0]->domain, ops[i]->domain));
        POYI_TRY(ctx, poyi_linop_same(ctx, "sum, codomains", ops[0]->codomain, ops[i]->codomain));
    }
    if (!flatten(n, ops, &poyi_linop_summed, &poyi_linop_zero, NULL)) {
        *out = poy_linop_keep(ops[0]);
        return POY_OK;
    }
    POYI_TRY(ctx,
             gather(ctx, &poyi_linop_summed, &poyi_linop_zero, n, ops, ops[0]->domain, ops[0]->codomain, out, &made));
    if (made)
        poyi_facts_of_sum(*out);
    return POY_OK;
}

/* ---- composed ---- */

/* f of the operands in turn, the last one first or, adjoint, last; two scratch arrays at a time. */
static poy_status chain(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, int adjoint, const poy_array *x,
                        poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *from = NULL, *to = NULL;
    for (int i = 0; i < op->n_ops; i++) {
        const poy_linop *a = op->ops[adjoint ? i : op->n_ops - 1 - i];
        const int last = i == op->n_ops - 1;
        if (!last)
            POYI_TO_DONE(ctx, poyi_work_element(ctx, work, adjoint ? a->domain : a->codomain, k, &to));
        POYI_TO_DONE(ctx, (adjoint ? poyi_adjoint : poyi_apply)(ctx, a, work, k, from ? from : x, last ? y : to));
        poyi_work_give(work, &from);
        from = to;
        to = NULL;
    }
done:
    poyi_work_give(work, &from);
    poyi_work_give(work, &to);
    return status;
}

static poy_status composed_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    return chain(ctx, op, work, k, 0, x, y);
}

static poy_status composed_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                   poy_array *y)
{
    return chain(ctx, op, work, k, 1, x, y);
}

const poyi_linop_kind poyi_linop_composed = {"composed", composed_apply, composed_adjoint, 0, NULL};

/* Takes out what a unitary operator does and undoes next to it; returns how many are left. */
static int cancel(int n, poy_linop **ops)
{
    int left = 0;
    for (int i = 0; i < n; i++) {
        poy_linop *next = ops[i];
        ops[i] = NULL;
        if (left && next->unitary == POY_YES && poyi_linop_is_adjoint_of(ops[left - 1], next)) {
            poy_linop_destroy(&next);
            poy_linop_destroy(&ops[--left]);
        } else {
            ops[left++] = next;
        }
    }
    return left;
}

poy_status poy_linop_compose(poy_ctx *ctx, int n, poy_linop *const *ops, poy_linop **out)
{
    int zero = 0, made = 0;
    *out = NULL;
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a chain of %d operators: it has at least one", n);
    for (int i = 0; i < n; i++) {
        if (i)
            POYI_TRY(ctx, poyi_linop_same(ctx, "chain", ops[i - 1]->domain, ops[i]->codomain));
        zero |= ops[i]->kind == &poyi_linop_zero;
    }
    if (zero) {
        POYI_TRY(ctx, poy_linop_zero(ctx, ops[n - 1]->domain, ops[0]->codomain, out));
        return POY_OK;
    }
    if (!flatten(n, ops, &poyi_linop_composed, &poyi_linop_identity, NULL)) {
        *out = poy_linop_keep(ops[0]);
        return POY_OK;
    }
    POYI_TRY(ctx, gather(ctx, &poyi_linop_composed, &poyi_linop_identity, n, ops, ops[n - 1]->domain, ops[0]->codomain,
                         out, &made));
    if (!made)
        return POY_OK;
    (*out)->n_ops = cancel((*out)->n_ops, (*out)->ops);
    if ((*out)->n_ops > 1) {
        poyi_facts_of_chain(*out);
        return POY_OK;
    }
    poy_linop *chain = *out;
    *out = chain->n_ops ? poy_linop_keep(chain->ops[0]) : NULL;
    const poy_status status = *out ? POY_OK : poy_linop_identity(ctx, ops[n - 1]->domain, out);
    poy_linop_destroy(&chain);
    return status;
}

/* ---- adjoint ---- */

static poy_status adjoined_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    POYI_TRY(ctx, poyi_adjoint(ctx, op->ops[0], work, k, x, y));
    return POY_OK;
}

static poy_status adjoined_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                   poy_array *y)
{
    POYI_TRY(ctx, poyi_apply(ctx, op->ops[0], work, k, x, y));
    return POY_OK;
}

const poyi_linop_kind poyi_linop_adjoined = {"adjoint", adjoined_apply, adjoined_adjoint, 0, NULL};

poy_status poy_linop_adjoint(poy_ctx *ctx, poy_linop *op, poy_linop **out)
{
    *out = NULL;
    if (op->kind == &poyi_linop_adjoined || op->kind == &poyi_linop_identity) {
        *out = poy_linop_keep(op->kind == &poyi_linop_identity ? op : op->ops[0]);
        return POY_OK;
    }
    if (op->kind == &poyi_linop_zero) {
        POYI_TRY(ctx, poy_linop_zero(ctx, op->codomain, op->domain, out));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_linop_new(ctx, &poyi_linop_adjoined, op->codomain, op->domain, out));
    const poy_status status = poyi_linop_operands(ctx, *out, 1);
    if (status != POY_OK) {
        poy_linop_destroy(out);
        return status;
    }
    (*out)->ops[0] = poy_linop_keep(op);
    poyi_facts_of_adjoint(*out);
    return POY_OK;
}
