/* functional.c: functionals: keeping, asking, and those that stand alone: linear, quadratic, norms, constants, callers'. */
#include "operator/functional.h"

#include <math.h>
#include <stdlib.h>

#include "operator/dense.h"

poy_status poyi_functional_new(poy_ctx *ctx, const poyi_functional_kind *kind, poy_space *space, int n_operands,
                               poy_functional **out)
{
    *out = NULL;
    poy_functional *f = calloc(1, sizeof *f);
    if (f && n_operands)
        f->f = calloc((size_t)n_operands, sizeof(void *));
    if (!f || (n_operands && !f->f)) {
        free(f);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a %s functional", kind->name);
    }
    f->holders = 1;
    f->kind = kind;
    f->n = n_operands;
    f->space = poy_space_keep(space);
    *out = f;
    return POY_OK;
}

poy_functional *poy_functional_keep(poy_functional *f)
{
    atomic_fetch_add(&f->holders, 1);
    return f;
}

void poy_functional_destroy(poy_functional **out)
{
    poy_functional *f = *out;
    *out = NULL;
    if (!f || atomic_fetch_sub(&f->holders, 1) != 1)
        return;
    if (f->user.release)
        f->user.release(f->user.user);
    for (int i = 0; i < f->n; i++)
        poy_functional_destroy(&f->f[i]);
    poy_array_destroy(&f->c);
    poy_linop_destroy(&f->op);
    poy_space_destroy(&f->space);
    free(f->f);
    free(f);
}

poy_space *poy_functional_space(const poy_functional *f)
{
    return f->space;
}

const char *poy_functional_kind(const poy_functional *f)
{
    return f->kind->name;
}

/* ---- asking ---- */

poy_status poyi_functional_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                    double *value, poy_array *gradient)
{
    POYI_TRY(ctx, f->kind->evaluate(ctx, f, work, x, value, gradient));
    return POY_OK;
}

poy_status poyi_functional_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                   const poy_array *h, poy_array *y)
{
    if (!f->kind->hessian || (f->user.size && !f->user.hessian))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "a %s functional has no second derivative here", f->kind->name);
    POYI_TRY(ctx, f->kind->hessian(ctx, f, work, x, h, y));
    return POY_OK;
}

poy_status poyi_functional_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                                poy_array *y)
{
    if (!f->kind->prox || (f->user.size && !f->user.prox))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "a %s functional has no proximal map in closed form", f->kind->name);
    POYI_TRY(ctx, f->kind->prox(ctx, f, work, t, x, y));
    return POY_OK;
}

static poy_status evaluate_all(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, double *value,
                               poy_array *gradient)
{
    poy_status status;
    poy_work *own;
    int64_t k, kg;
    double unasked;
    POYI_TRY(ctx, poyi_work_get(ctx, f->space->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, f->space, "x", x, &k));
    if (gradient)
        POYI_TO_DONE(ctx, poyi_space_takes(ctx, f->space, "the gradient", gradient, &kg));
    if (gradient && k != kg) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "x has %lld members, the gradient %lld", (long long)k, (long long)kg);
        goto done;
    }
    for (int64_t i = 0; i < (k ? k : 1); i++) {
        const poy_array xi = k ? poyi_member(x, i) : *x;
        poy_array gi = gradient ? (k ? poyi_member(gradient, i) : *gradient) : xi;
        POYI_TO_DONE(ctx,
                     poyi_functional_evaluate(ctx, f, work, &xi, value ? &value[i] : &unasked, gradient ? &gi : NULL));
    }
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_functional_value(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                double *value)
{
    return evaluate_all(ctx, f, work, x, value, NULL);
}

poy_status poy_functional_gradient(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                   double *value, poy_array *gradient)
{
    return evaluate_all(ctx, f, work, x, value, gradient);
}

/* All of them elements of f's space, or all batches of *k. */
static poy_status takes(poy_ctx *ctx, const poy_functional *f, int n, const poy_array *const *x, int64_t *k)
{
    for (int i = 0; i < n; i++) {
        int64_t members;
        POYI_TRY(ctx, poyi_space_takes(ctx, f->space, "an argument", x[i], &members));
        if (i && members != *k)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "a %s functional: one argument has %lld members, another %lld",
                             f->kind->name, (long long)*k, (long long)members);
        *k = members;
    }
    return POY_OK;
}

static poy_array member_of(const poy_array *x, int64_t k, int64_t i)
{
    return k ? poyi_member(x, i) : *x;
}

poy_status poy_functional_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                  const poy_array *h, poy_array *y)
{
    poy_status status;
    poy_work *own;
    int64_t k = 0;
    const poy_array *const all[] = {x, h, y};
    POYI_TRY(ctx, poyi_work_get(ctx, f->space->be, &work, &own));
    POYI_TO_DONE(ctx, takes(ctx, f, 3, all, &k));
    for (int64_t i = 0; i < (k ? k : 1); i++) {
        const poy_array xi = member_of(x, k, i), hi = member_of(h, k, i);
        poy_array yi = member_of(y, k, i);
        POYI_TO_DONE(ctx, poyi_functional_hessian(ctx, f, work, &xi, &hi, &yi));
    }
done:
    poy_work_destroy(&own);
    return status;
}

/* prox of the conjugate of one element: x - t prox_{f / t}(x / t). */
static poy_status conjugate(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                            poy_array *y)
{
    poy_status status;
    poy_array *p = NULL;
    const poy_scalar down = {1 / t, 0}, minus = {-t, 0};
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &p));
    POYI_TO_DONE(ctx, poyi_scale(ctx, work, 0, &down, x, p));
    POYI_TO_DONE(ctx, poyi_functional_prox(ctx, f, work, 1 / t, p, p));
    if (x != y)
        POYI_TO_DONE(ctx, poy_copy_into(ctx, x, y));
    POYI_TO_DONE(ctx, poyi_axpy(ctx, work, 0, &minus, p, y));
done:
    poyi_work_give(work, &p);
    return status;
}

typedef poy_status prox_fn(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                           poy_array *y);

/* One element or a batch. Kinds take x == y as a sign that y holds x already. */
static poy_status each_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, prox_fn *prox,
                            const poy_array *x, poy_array *y)
{
    poy_status status;
    poy_work *own;
    int64_t k = 0;
    const poy_array *const all[] = {x, y};
    if (!(t > 0) || !isfinite(t))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a proximal map of step %g: it is finite and above 0", t);
    POYI_TRY(ctx, poyi_work_get(ctx, f->space->be, &work, &own));
    POYI_TO_DONE(ctx, takes(ctx, f, 2, all, &k));
    for (int64_t i = 0; i < (k ? k : 1); i++) {
        const poy_array xi = member_of(x, k, i);
        poy_array yi = member_of(y, k, i);
        POYI_TO_DONE(ctx, prox(ctx, f, work, t, x == y ? &yi : &xi, &yi));
    }
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_functional_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                               poy_array *y)
{
    return each_prox(ctx, f, work, t, poyi_functional_prox, x, y);
}

poy_status poy_functional_conjugate_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t,
                                         const poy_array *x, poy_array *y)
{
    return each_prox(ctx, f, work, t, conjugate, x, y);
}

/* ---- linear: Re <c, x> ---- */

static poy_status linear_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                  double *value, poy_array *gradient)
{
    poy_scalar dot;
    POYI_TRY(ctx, poyi_inner(ctx, f->space, work, 0, f->c, x, &dot));
    *value = dot.re;
    if (gradient)
        POYI_TRY(ctx, poy_copy_into(ctx, f->c, gradient));
    return POY_OK;
}

static poy_status no_curvature(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                               const poy_array *h, poy_array *y)
{
    (void)f;
    (void)work;
    (void)x;
    (void)h;
    POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, y));
    return POY_OK;
}

static poy_status linear_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                              poy_array *y)
{
    const poy_scalar minus = {-t, 0};
    if (x != y)
        POYI_TRY(ctx, poy_copy_into(ctx, x, y));
    POYI_TRY(ctx, poyi_axpy(ctx, work, 0, &minus, f->c, y));
    return POY_OK;
}

const poyi_functional_kind poyi_functional_linear = {"linear", linear_evaluate, no_curvature, linear_prox};

/* c as a view that keeps it alive. */
static poy_status keep_element(poy_ctx *ctx, const poy_space *s, const poy_array *c, poy_array **out)
{
    int64_t k;
    POYI_TRY(ctx, poyi_space_takes(ctx, s, "c", c, &k));
    if (k)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "a functional is made of an element, not of a batch");
    POYI_TRY(ctx, poy_array_view(ctx, c, c->rank, c->extent, c->stride, 0, out));
    return POY_OK;
}

poy_status poy_functional_linear(poy_ctx *ctx, poy_space *space, const poy_array *c, poy_functional **out)
{
    POYI_TRY(ctx, poyi_functional_new(ctx, &poyi_functional_linear, space, 0, out));
    const poy_status status = keep_element(ctx, space, c, &(*out)->c);
    if (status != POY_OK)
        poy_functional_destroy(out);
    return status;
}

/* ---- quadratic ---- */

static poy_status quadratic_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                     double *value, poy_array *gradient)
{
    poy_status status;
    poy_array *q = NULL;
    poy_scalar xqx, cx = {0, 0};
    const poy_scalar one = {1, 0};
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &q));
    POYI_TO_DONE(ctx, poyi_apply(ctx, f->op, work, 0, x, q));
    POYI_TO_DONE(ctx, poyi_inner(ctx, f->space, work, 0, x, q, &xqx));
    if (f->c)
        POYI_TO_DONE(ctx, poyi_inner(ctx, f->space, work, 0, f->c, x, &cx));
    *value = 0.5 * xqx.re + cx.re + f->a;
    if (gradient)
        POYI_TO_DONE(ctx, poy_copy_into(ctx, q, gradient));
    if (gradient && f->c)
        POYI_TO_DONE(ctx, poyi_axpy(ctx, work, 0, &one, f->c, gradient));
done:
    poyi_work_give(work, &q);
    return status;
}

static poy_status quadratic_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                    const poy_array *h, poy_array *y)
{
    (void)x;
    POYI_TRY(ctx, poyi_apply(ctx, f->op, work, 0, h, y));
    return POY_OK;
}

const poyi_functional_kind poyi_functional_quadratic = {"quadratic", quadratic_evaluate, quadratic_hessian, NULL};

poy_status poy_functional_quadratic(poy_ctx *ctx, poy_linop *q, const poy_array *c, double a, poy_functional **out)
{
    poy_status status = POY_OK;
    *out = NULL;
    if (!poy_space_equal(q->domain, q->codomain) || q->hermitian == POY_NO)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a quadratic form of an operator (%s) that is not self-adjoint",
                         q->kind->name);
    POYI_TRY(ctx, poyi_functional_new(ctx, &poyi_functional_quadratic, q->domain, 0, out));
    (*out)->op = poy_linop_keep(q);
    (*out)->a = a;
    if (c)
        POYI_TO_DONE(ctx, keep_element(ctx, q->domain, c, &(*out)->c));
done:
    if (status != POY_OK)
        poy_functional_destroy(out);
    return status;
}

/* ---- 1/2 |x|^2 ---- */

static poy_status square_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                  double *value, poy_array *gradient)
{
    double norm;
    POYI_TRY(ctx, poyi_norm(ctx, f->space, work, 0, x, &norm));
    *value = 0.5 * norm * norm;
    if (gradient)
        POYI_TRY(ctx, poy_copy_into(ctx, x, gradient));
    return POY_OK;
}

static poy_status square_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                 const poy_array *h, poy_array *y)
{
    (void)f;
    (void)work;
    (void)x;
    POYI_TRY(ctx, poy_copy_into(ctx, h, y));
    return POY_OK;
}

static poy_status square_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                              poy_array *y)
{
    const poy_scalar shrink = {1 / (1 + t), 0};
    (void)f;
    POYI_TRY(ctx, poyi_scale(ctx, work, 0, &shrink, x, y));
    return POY_OK;
}

static const poyi_functional_kind square_kind = {"squared-norm", square_evaluate, square_hessian, square_prox};

poy_status poy_functional_squared_norm(poy_ctx *ctx, poy_space *space, poy_functional **out)
{
    POYI_TRY(ctx, poyi_functional_new(ctx, &square_kind, space, 0, out));
    return POY_OK;
}

/* ---- constant ---- */

static poy_status constant_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                    double *value, poy_array *gradient)
{
    (void)work;
    (void)x;
    *value = f->a;
    if (gradient)
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, gradient));
    return POY_OK;
}

static poy_status constant_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                                poy_array *y)
{
    (void)f;
    (void)work;
    (void)t;
    if (x != y)
        POYI_TRY(ctx, poy_copy_into(ctx, x, y));
    return POY_OK;
}

const poyi_functional_kind poyi_functional_constant = {"constant", constant_evaluate, no_curvature, constant_prox};

poy_status poy_functional_constant(poy_ctx *ctx, poy_space *space, double a, poy_functional **out)
{
    POYI_TRY(ctx, poyi_functional_new(ctx, &poyi_functional_constant, space, 0, out));
    (*out)->a = a;
    return POY_OK;
}

/* ---- a caller's ---- */

static poy_status user_failed(poy_ctx *ctx, poy_status status)
{
    if (status != POY_OK)
        return poyi_passed(ctx, status, "a caller's functional", __func__, __FILE__, __LINE__);
    return POY_OK;
}

static poy_status user_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                double *value, poy_array *gradient)
{
    poy_status status;
    poy_array *partials = NULL;
    const int maps = gradient && f->user.coordinate && f->space->geometry != POYI_EUCLIDEAN;
    if (maps)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &partials));
    poy_ctx_clear(ctx);
    POYI_TO_DONE(ctx, user_failed(ctx, f->user.evaluate(ctx, f->user.user, x, value, maps ? partials : gradient)));
    if (maps)
        POYI_TO_DONE(ctx, poyi_riesz_inverse(ctx, f->space, work, 0, partials, gradient));
done:
    poyi_work_give(work, &partials);
    return status;
}

static poy_status user_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                               const poy_array *h, poy_array *y)
{
    poy_status status;
    poy_array *partials = NULL;
    const int maps = f->user.coordinate && f->space->geometry != POYI_EUCLIDEAN;
    if (maps)
        POYI_TO_DONE(ctx, poyi_work_element(ctx, work, f->space, 0, &partials));
    poy_ctx_clear(ctx);
    POYI_TO_DONE(ctx, user_failed(ctx, f->user.hessian(ctx, f->user.user, x, h, maps ? partials : y)));
    if (maps)
        POYI_TO_DONE(ctx, poyi_riesz_inverse(ctx, f->space, work, 0, partials, y));
done:
    poyi_work_give(work, &partials);
    return status;
}

static poy_status user_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                            poy_array *y)
{
    (void)work;
    poy_ctx_clear(ctx);
    return user_failed(ctx, f->user.prox(ctx, f->user.user, t, x, y));
}

static const poyi_functional_kind user_kind = {"user", user_evaluate, user_hessian, user_prox};

poy_status poy_functional_create(poy_ctx *ctx, poy_space *space, const poy_functional_user *user, poy_functional **out)
{
    *out = NULL;
    if (user->size != sizeof *user || !user->evaluate)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a functional of %zu bytes (this library's has %zu) with%s evaluate",
                         user->size, sizeof *user, user->evaluate ? "" : "out");
    POYI_TRY(ctx, poyi_functional_new(ctx, &user_kind, space, 0, out));
    (*out)->user = *user;
    return POY_OK;
}
