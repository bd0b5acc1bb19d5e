/* functional.h: real functions of the elements of a space, with their Riesz gradients, second derivatives and proximal
 * maps.
 *
 *   gradient  the g of the space with Df[h] = Re <g, h>: R^-1 of the partial derivatives of the coordinates (of complex
 *             ones: d/d re + i d/d im)
 *   Hessian   h -> D grad f [h], at x
 *   prox      of step t > 0: the y that minimises f(y) + |y - x|^2 / (2 t), in the space's norm; closed forms only
 *
 * Functionals are immutable and counted. Arguments may be batches, all of them: each member is taken by itself. Errors of all:
 * POY_ERR_UNSUPPORTED (this functional has no such derivative or map, by name), POY_ERR_NOT_DIFFERENTIABLE (an
 * indicator), those of operator.h. */
#ifndef POYNTING_FUNCTIONAL_H
#define POYNTING_FUNCTIONAL_H

#include "poynting/operator.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_functional poy_functional;

/* Re <c, x>. c is kept: it must not change. */
POY_API poy_status poy_functional_linear(poy_ctx *ctx, poy_space *space, const poy_array *c, poy_functional **out);
/* 1/2 Re <x, Q x> + Re <c, x> + a, c NULL: 0. Q self-adjoint. Errors: POY_ERR_ARGUMENT (it is known not to be). */
POY_API poy_status poy_functional_quadratic(poy_ctx *ctx, poy_linop *q, const poy_array *c, double a,
                                            poy_functional **out);
/* 1/2 |x|^2 */
POY_API poy_status poy_functional_squared_norm(poy_ctx *ctx, poy_space *space, poy_functional **out);
/* (sum |x_i|^p)^(1/p) of the coordinates, 1 <= p < infinity; gradient 0 where x is 0. prox: p = 1, diagonal metrics. */
POY_API poy_status poy_functional_lp(poy_ctx *ctx, poy_space *space, double p, poy_functional **out);
POY_API poy_status poy_functional_constant(poy_ctx *ctx, poy_space *space, double a, poy_functional **out);

/* a f (prox: a >= 0); f_1 + ... + f_n (prox: constants and linear ones beside one other); f g; f(x - shift); f(A x). */
POY_API poy_status poy_functional_scale(poy_ctx *ctx, double a, poy_functional *f, poy_functional **out);
POY_API poy_status poy_functional_sum(poy_ctx *ctx, int n, poy_functional *const *f, poy_functional **out);
POY_API poy_status poy_functional_product(poy_ctx *ctx, poy_functional *f, poy_functional *g, poy_functional **out);
POY_API poy_status poy_functional_shift(poy_ctx *ctx, poy_functional *f, const poy_array *shift, poy_functional **out);
POY_API poy_status poy_functional_compose(poy_ctx *ctx, poy_functional *f, poy_linop *a, poy_functional **out);

/* 0 on a convex set, infinite outside. */
typedef enum poy_set {
    POY_SET_NONNEGATIVE, /* coordinates >= 0: real spaces with a diagonal metric */
    POY_SET_POSITIVE,    /* Hermitian matrices without a negative eigenvalue (prox), or within rounding of it (value) */
    POY_SET_BALL         /* |x| <= radius */
} poy_set;
POY_API poy_status poy_functional_indicator(poy_ctx *ctx, poy_space *space, poy_set set, double radius,
                                            poy_functional **out);

/* A caller's. evaluate writes the value, and the gradient unless it is NULL; with coordinate set these are the partial
 * derivatives. hessian, prox, release: NULL where there is none. */
typedef struct poy_functional_user {
    size_t size; /* sizeof(poy_functional_user) */
    poy_status (*evaluate)(poy_ctx *ctx, void *user, const poy_array *x, double *value, poy_array *gradient);
    poy_status (*hessian)(poy_ctx *ctx, void *user, const poy_array *x, const poy_array *h, poy_array *y);
    poy_status (*prox)(poy_ctx *ctx, void *user, double t, const poy_array *x, poy_array *y);
    void (*release)(void *user);
    void *user;
    int coordinate;
} poy_functional_user;
POY_API poy_status poy_functional_create(poy_ctx *ctx, poy_space *space, const poy_functional_user *user,
                                         poy_functional **out);

POY_API poy_functional *poy_functional_keep(poy_functional *f);
POY_API void poy_functional_destroy(poy_functional **f);
POY_API poy_space *poy_functional_space(const poy_functional *f); /* not a new holder */
POY_API const char *poy_functional_kind(const poy_functional *f); /* "linear", "sum", ... */

/* Values of x, of each of a batch's members. */
POY_API poy_status poy_functional_value(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                        double *value);
/* Value (or NULL) and gradient in one; batches likewise. */
POY_API poy_status poy_functional_gradient(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                           double *value, poy_array *gradient);
POY_API poy_status poy_functional_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                          const poy_array *h, poy_array *y);
/* Errors: also POY_ERR_ARGUMENT (t not finite and above 0). y may be x. */
POY_API poy_status poy_functional_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t,
                                       const poy_array *x, poy_array *y);
/* prox of the convex conjugate: x - t prox_{f / t}(x / t) (Moreau). */
POY_API poy_status poy_functional_conjugate_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t,
                                                 const poy_array *x, poy_array *y);

#ifdef __cplusplus
}
#endif
#endif
