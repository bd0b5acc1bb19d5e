/* laws_functional.c: the laws of a functional: its derivatives against differences, Moreau's identity of its proximal map. */
#include <math.h>

#include "conform/laws/laws.h"

/* Df[h] = Re <grad f, h> by a central difference of step u^(1/3), of which truncation and rounding are u^(2/3). */
static poy_status gradient_law(poyi_laws *l, const poy_functional *f, const poy_array *x, const poy_array *h,
                               poy_array *g, poy_array *t, double step)
{
    poy_ctx *ctx = l->ctx;
    const poy_space *s = poy_functional_space(f);
    const poy_scalar up = {step, 0}, down = {-step, 0};
    double value, plus, minus;
    poy_scalar slope;
    POYI_TRY(ctx, poy_functional_gradient(ctx, f, NULL, x, &value, g));
    POYI_TRY(ctx, poyi_laws_combine(l, x, up, h, t));
    POYI_TRY(ctx, poy_functional_value(ctx, f, NULL, t, &plus));
    POYI_TRY(ctx, poyi_laws_combine(l, x, down, h, t));
    POYI_TRY(ctx, poy_functional_value(ctx, f, NULL, t, &minus));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, g, h, &slope));
    poyi_laws_judge(l, "D f [h] = Re <grad f, h>", fabs((plus - minus) / (2 * step) - slope.re),
                    100 * step * step * (1 + fabs(value) + fabs(slope.re)));
    return POY_OK;
}

static poy_status hessian_laws(poyi_laws *l, const poy_functional *f, const poy_array *x, const poy_array *h,
                               const poy_array *k, poy_array *g, poy_array *t, double step)
{
    poy_ctx *ctx = l->ctx;
    const poy_space *s = poy_functional_space(f);
    const poy_scalar up = {step, 0}, down = {-step, 0}, minus = {-1, 0}, scale = {1 / (2 * step), 0};
    poy_array *hh, *hk, *zero;
    poy_scalar left, right;
    double apart, norm, size;
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &hh));
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &hk));
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &zero));
    if (poy_functional_hessian(ctx, f, NULL, x, h, hh) == POY_ERR_UNSUPPORTED) {
        poy_ctx_clear(ctx); /* it has none, and says so */
        return POY_OK;
    }
    POYI_TRY(ctx, poy_functional_hessian(ctx, f, NULL, x, h, hh));
    POYI_TRY(ctx, poy_functional_hessian(ctx, f, NULL, x, k, hk));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, hh, k, &left));
    POYI_TRY(ctx, poy_space_inner(ctx, s, NULL, h, hk, &right));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, hh, &norm));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, k, &size));
    poyi_laws_judge(l, "the Hessian is self-adjoint", fabs(left.re - right.re), 16 * l->n_u * (norm * size + 1));
    POYI_TRY(ctx, poyi_laws_combine(l, x, down, h, t));
    POYI_TRY(ctx, poy_functional_gradient(ctx, f, NULL, t, NULL, g));
    POYI_TRY(ctx, poyi_laws_combine(l, x, up, h, t));
    POYI_TRY(ctx, poy_functional_gradient(ctx, f, NULL, t, NULL, hk));
    POYI_TRY(ctx, poyi_laws_combine(l, hk, minus, g, hk));
    POYI_TRY(ctx, poyi_laws_combine(l, zero, scale, hk, hk));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, g, &size));
    POYI_TRY(ctx, poyi_laws_apart(l, s, hk, hh, hk, &apart));
    poyi_laws_judge(l, "the Hessian is the gradient's derivative", apart, 400 * step * step * (1 + norm + size));
    return POY_OK;
}

/* x = prox_t f (x) + t prox_{f* / t}(x / t) */
static poy_status moreau_law(poyi_laws *l, const poy_functional *f, const poy_array *x, poy_array *p, poy_array *q)
{
    poy_ctx *ctx = l->ctx;
    const poy_space *s = poy_functional_space(f);
    const double t = 0.6;
    const poy_scalar down = {1 / t, 0}, up = {t, 0};
    poy_array *zero, *y;
    double apart, norm;
    const poy_status status = poy_functional_prox(ctx, f, NULL, t, x, p);
    if (status == POY_ERR_UNSUPPORTED) {
        poy_ctx_clear(ctx);
        return POY_OK;
    }
    POYI_TRY(ctx, status);
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &zero));
    POYI_TRY(ctx, poyi_laws_zeros(l, s, &y));
    POYI_TRY(ctx, poyi_laws_combine(l, zero, down, x, y));
    POYI_TRY(ctx, poy_functional_conjugate_prox(ctx, f, NULL, 1 / t, y, q));
    POYI_TRY(ctx, poyi_laws_combine(l, p, up, q, y));
    POYI_TRY(ctx, poy_space_norm(ctx, s, NULL, x, &norm));
    POYI_TRY(ctx, poyi_laws_apart(l, s, y, x, y, &apart));
    poyi_laws_judge(l, "Moreau's identity", apart, 4 * l->n_u * norm);
    return POY_OK;
}

poy_status poy_conform_functional(poy_ctx *ctx, const poy_functional *f, const char *name, uint64_t seed,
                                  poy_conform_law_fn *fn, void *user, int *failed)
{
    poy_status status = POY_OK;
    poyi_laws l;
    const poy_space *s = poy_functional_space(f);
    poy_array *x, *h, *k, *g, *t;
    poyi_laws_begin(ctx, name, s, poy_space_size(s), seed, &l);
    const double step = cbrt(l.n_u / 64 / (double)(poy_space_size(s) > 0 ? poy_space_size(s) : 1));
    POYI_TO_DONE(ctx, poyi_laws_random(&l, s, seed, &x));
    POYI_TO_DONE(ctx, poyi_laws_random(&l, s, seed + 1, &h));
    POYI_TO_DONE(ctx, poyi_laws_random(&l, s, seed + 2, &k));
    POYI_TO_DONE(ctx, poyi_laws_zeros(&l, s, &g));
    POYI_TO_DONE(ctx, poyi_laws_zeros(&l, s, &t));
    if (poy_functional_gradient(ctx, f, NULL, x, NULL, g) == POY_ERR_NOT_DIFFERENTIABLE) {
        poy_ctx_clear(ctx); /* an indicator: its map alone */
    } else {
        POYI_TO_DONE(ctx, gradient_law(&l, f, x, h, g, t, step));
        POYI_TO_DONE(ctx, hessian_laws(&l, f, x, h, k, g, t, step));
    }
    POYI_TO_DONE(ctx, moreau_law(&l, f, x, g, t));
done:
    return poyi_laws_end(&l, status, fn, user, failed);
}
