/* functional_algebra.c: functionals made of others: scaled, summed, multiplied, shifted, composed with an operator. */
#include <math.h>

#include "operator/functional.h"

/* ---- scaled ---- */

static poy_status scaled_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                  double *value, poy_array *gradient)
{
    const poy_scalar a = {f->a, 0};
    POYI_TRY(ctx, poyi_functional_evaluate(ctx, f->f[0], work, x, value, gradient));
    *value *= f->a;
    if (gradient)
        POYI_TRY(ctx, poyi_scale(ctx, work, 0, &a, gradient, gradient));
    return POY_OK;
}

static poy_status scaled_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                 const poy_array *h, poy_array *y)
{
    const poy_scalar a = {f->a, 0};
    POYI_TRY(ctx, poyi_functional_hessian(ctx, f->f[0], work, x, h, y));
    POYI_TRY(ctx, poyi_scale(ctx, work, 0, &a, y, y));
    return POY_OK;
}

static poy_status scaled_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                              poy_array *y)
{
    if (f->a < 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%g times a functional has no proximal map: it is not convex", f->a);
    POYI_TRY(ctx, poyi_functional_prox(ctx, f->f[0], work, t * f->a, x, y));
    return POY_OK;
}

const poyi_functional_kind poyi_functional_scaled = {"scaled", scaled_evaluate, scaled_hessian, scaled_prox};

poy_status poy_functional_scale(poy_ctx *ctx, double a, poy_functional *f, poy_functional **out)
{
    *out = NULL;
    if (!isfinite(a))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a functional times %g", a);
    if (f->kind == &poyi_functional_scaled) {
        a *= f->a;
        f = f->f[0];
    }
    if (a == 0) {
        POYI_TRY(ctx, poy_functional_constant(ctx, f->space, 0, out));
        return POY_OK;
    }
    if (a == 1) {
        *out = poy_functional_keep(f);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_functional_new(ctx, &poyi_functional_scaled, f->space, 1, out));
    (*out)->f[0] = poy_functional_keep(f);
    (*out)->a = a;
    return POY_OK;
}

/* ---- summed ---- */

static poy_status sum_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, double *value,
                               poy_array *gradient)
{
    poy_status status = POY_OK;
    poy_array *g = NULL;
    double sum = 0;
    if (gradient)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &g));
    for (int i = 0; i < f->n; i++) {
        double v;
        POYI_TO_DONE(ctx, poyi_functional_evaluate(ctx, f->f[i], work, x, &v, i && gradient ? g : gradient));
        sum += v;
        if (i && gradient)
            POYI_TO_DONE(ctx, poy_add_into(ctx, gradient, g, gradient));
    }
    *value = sum;
done:
    poyi_work_give(work, &g);
    return status;
}

static poy_status sum_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                              const poy_array *h, poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *t = NULL;
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &t));
    for (int i = 0; i < f->n; i++) {
        POYI_TO_DONE(ctx, poyi_functional_hessian(ctx, f->f[i], work, x, h, i ? t : y));
        if (i)
            POYI_TO_DONE(ctx, poy_add_into(ctx, y, t, y));
    }
done:
    poyi_work_give(work, &t);
    return status;
}

/* prox of f + Re <c, .> + a: that of f from x - t c. */
static poy_status sum_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                           poy_array *y)
{
    const poy_functional *other = NULL;
    if (x != y)
        POYI_TRY(ctx, poy_copy_into(ctx, x, y));
    for (int i = 0; i < f->n; i++) {
        if (f->f[i]->kind == &poyi_functional_linear)
            POYI_TRY(ctx, poyi_functional_prox(ctx, f->f[i], work, t, y, y));
        else if (f->f[i]->kind != &poyi_functional_constant && other)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "a sum of a %s and a %s functional has no proximal map in closed form", other->kind->name,
                             f->f[i]->kind->name);
        else if (f->f[i]->kind != &poyi_functional_constant)
            other = f->f[i];
    }
    if (other)
        POYI_TRY(ctx, poyi_functional_prox(ctx, other, work, t, y, y));
    return POY_OK;
}

static const poyi_functional_kind sum_kind = {"sum", sum_evaluate, sum_hessian, sum_prox};

poy_status poy_functional_sum(poy_ctx *ctx, int n, poy_functional *const *f, poy_functional **out)
{
    *out = NULL;
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a sum of %d functionals: it has at least one", n);
    for (int i = 1; i < n; i++)
        POYI_TRY(ctx, poyi_linop_same(ctx, "sum of functionals", f[0]->space, f[i]->space));
    POYI_TRY(ctx, poyi_functional_new(ctx, &sum_kind, f[0]->space, n, out));
    for (int i = 0; i < n; i++)
        (*out)->f[i] = poy_functional_keep(f[i]);
    return POY_OK;
}

/* ---- multiplied ---- */

static poy_status product_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                   double *value, poy_array *gradient)
{
    poy_status status = POY_OK;
    poy_array *g = NULL;
    double a, b;
    if (gradient)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &g));
    POYI_TO_DONE(ctx, poyi_functional_evaluate(ctx, f->f[0], work, x, &a, gradient));
    POYI_TO_DONE(ctx, poyi_functional_evaluate(ctx, f->f[1], work, x, &b, g));
    *value = a * b;
    if (gradient) {
        const poy_scalar sa = {a, 0}, sb = {b, 0};
        POYI_TO_DONE(ctx, poyi_scale(ctx, work, 0, &sb, gradient, gradient));
        POYI_TO_DONE(ctx, poyi_axpy(ctx, work, 0, &sa, g, gradient));
    }
done:
    poyi_work_give(work, &g);
    return status;
}

/* g Hf h + f Hg h + Re <grad f, h> grad g + Re <grad g, h> grad f */
static poy_status product_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                  const poy_array *h, poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *g[2] = {NULL, NULL}, *t = NULL;
    double v[2];
    poy_scalar along[2];
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &t));
    POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, y));
    for (int i = 0; i < 2; i++) {
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &g[i]));
        POYI_TO_DONE(ctx, poyi_functional_evaluate(ctx, f->f[i], work, x, &v[i], g[i]));
        POYI_TO_DONE(ctx, poyi_inner(ctx, f->space, work, 0, g[i], h, &along[i]));
        along[i].im = 0;
    }
    for (int i = 0; i < 2; i++) {
        const poy_scalar other = {v[1 - i], 0};
        POYI_TO_DONE(ctx, poyi_functional_hessian(ctx, f->f[i], work, x, h, t));
        POYI_TO_DONE(ctx, poyi_axpy(ctx, work, 0, &other, t, y));
        POYI_TO_DONE(ctx, poyi_axpy(ctx, work, 0, &along[i], g[1 - i], y));
    }
done:
    poyi_work_give(work, &g[0]);
    poyi_work_give(work, &g[1]);
    poyi_work_give(work, &t);
    return status;
}

static const poyi_functional_kind product_kind = {"product", product_evaluate, product_hessian, NULL};

poy_status poy_functional_product(poy_ctx *ctx, poy_functional *f, poy_functional *g, poy_functional **out)
{
    *out = NULL;
    POYI_TRY(ctx, poyi_linop_same(ctx, "product of functionals", f->space, g->space));
    POYI_TRY(ctx, poyi_functional_new(ctx, &product_kind, f->space, 2, out));
    (*out)->f[0] = poy_functional_keep(f);
    (*out)->f[1] = poy_functional_keep(g);
    return POY_OK;
}

/* ---- shifted ---- */

static poy_status shift_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                 double *value, poy_array *gradient)
{
    poy_status status;
    poy_array *z = NULL;
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &z));
    POYI_TO_DONE(ctx, poy_sub_into(ctx, x, f->c, z));
    POYI_TO_DONE(ctx, poyi_functional_evaluate(ctx, f->f[0], work, z, value, gradient));
done:
    poyi_work_give(work, &z);
    return status;
}

static poy_status shift_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                const poy_array *h, poy_array *y)
{
    poy_status status;
    poy_array *z = NULL;
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &z));
    POYI_TO_DONE(ctx, poy_sub_into(ctx, x, f->c, z));
    POYI_TO_DONE(ctx, poyi_functional_hessian(ctx, f->f[0], work, z, h, y));
done:
    poyi_work_give(work, &z);
    return status;
}

static poy_status shift_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                             poy_array *y)
{
    POYI_TRY(ctx, poy_sub_into(ctx, x, f->c, y));
    POYI_TRY(ctx, poyi_functional_prox(ctx, f->f[0], work, t, y, y));
    POYI_TRY(ctx, poy_add_into(ctx, y, f->c, y));
    return POY_OK;
}

static const poyi_functional_kind shift_kind = {"shifted", shift_evaluate, shift_hessian, shift_prox};

poy_status poy_functional_shift(poy_ctx *ctx, poy_functional *f, const poy_array *shift, poy_functional **out)
{
    poy_functional *linear = NULL;
    *out = NULL;
    POYI_TRY(ctx, poy_functional_linear(ctx, f->space, shift, &linear)); /* which checks and keeps the shift */
    const poy_status status = poyi_functional_new(ctx, &shift_kind, f->space, 1, out);
    if (status == POY_OK) {
        (*out)->f[0] = poy_functional_keep(f);
        (*out)->c = linear->c;
        linear->c = NULL;
    }
    poy_functional_destroy(&linear);
    return status;
}

/* ---- composed: f(A x) ---- */

static poy_status composed_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                    double *value, poy_array *gradient)
{
    poy_status status;
    poy_array *ax = NULL, *g = NULL;
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->op->codomain, 0, &ax));
    if (gradient)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->op->codomain, 0, &g));
    POYI_TO_DONE(ctx, poyi_apply(ctx, f->op, work, 0, x, ax));
    POYI_TO_DONE(ctx, poyi_functional_evaluate(ctx, f->f[0], work, ax, value, g));
    if (gradient)
        POYI_TO_DONE(ctx, poyi_adjoint(ctx, f->op, work, 0, g, gradient));
done:
    poyi_work_give(work, &ax);
    poyi_work_give(work, &g);
    return status;
}

static poy_status composed_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                   const poy_array *h, poy_array *y)
{
    poy_status status;
    poy_array *v[3] = {NULL, NULL, NULL}; /* A x, A h, Hf A h */
    for (int i = 0; i < 3; i++)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->op->codomain, 0, &v[i]));
    POYI_TO_DONE(ctx, poyi_apply(ctx, f->op, work, 0, x, v[0]));
    POYI_TO_DONE(ctx, poyi_apply(ctx, f->op, work, 0, h, v[1]));
    POYI_TO_DONE(ctx, poyi_functional_hessian(ctx, f->f[0], work, v[0], v[1], v[2]));
    POYI_TO_DONE(ctx, poyi_adjoint(ctx, f->op, work, 0, v[2], y));
done:
    for (int i = 0; i < 3; i++)
        poyi_work_give(work, &v[i]);
    return status;
}

static const poyi_functional_kind composed_kind = {"composed", composed_evaluate, composed_hessian, NULL};

/* Re <c, A x> = Re <A# c, x> */
static poy_status compose_linear(poy_ctx *ctx, const poy_functional *f, poy_linop *a, poy_functional **out)
{
    poy_status status;
    poy_array *c = NULL;
    POYI_TO_DONE(ctx, poy_space_zeros(ctx, a->domain, &c));
    POYI_TO_DONE(ctx, poy_adjoint_apply(ctx, a, NULL, f->c, c));
    POYI_TO_DONE(ctx, poy_functional_linear(ctx, a->domain, c, out));
done:
    poy_array_destroy(&c);
    return status;
}

poy_status poy_functional_compose(poy_ctx *ctx, poy_functional *f, poy_linop *a, poy_functional **out)
{
    *out = NULL;
    POYI_TRY(ctx, poyi_linop_same(ctx, "functional of an operator", a->codomain, f->space));
    if (f->kind == &poyi_functional_linear) {
        POYI_TRY(ctx, compose_linear(ctx, f, a, out));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_functional_new(ctx, &composed_kind, a->domain, 1, out));
    (*out)->f[0] = poy_functional_keep(f);
    (*out)->op = poy_linop_keep(a);
    return POY_OK;
}
