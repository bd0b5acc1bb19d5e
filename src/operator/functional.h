/* functional.h: functionals from within: kinds as tables of functions. */
#ifndef POYI_FUNCTIONAL_H
#define POYI_FUNCTIONAL_H

#include "operator/operator.h"
#include "poynting/functional.h"

typedef struct poyi_functional_kind {
    const char *name;
    /* gradient NULL: the value alone. x is one element. */
    poy_status (*evaluate)(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, double *value,
                           poy_array *gradient);
    poy_status (*hessian)(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x, const poy_array *h,
                          poy_array *y); /* NULL: none */
    poy_status (*prox)(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                       poy_array *y); /* NULL: none; y may be x */
} poyi_functional_kind;

struct poy_functional {
    _Atomic int holders;
    const poyi_functional_kind *kind;
    poy_space *space;
    double a;      /* a constant, a factor, a radius, p */
    poy_array *c;  /* of linear terms; a shift */
    poy_linop *op; /* Q; A */
    int n;
    poy_functional **f; /* operands */
    poy_set set;
    poy_functional_user user;
};

extern const poyi_functional_kind poyi_functional_linear, poyi_functional_quadratic, poyi_functional_constant,
    poyi_functional_scaled;

poy_status poyi_functional_new(poy_ctx *ctx, const poyi_functional_kind *kind, poy_space *space, int n_operands,
                               poy_functional **out);
/* The kinds' functions, or a refusal in the functional's name. */
poy_status poyi_functional_evaluate(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                    double *value, poy_array *gradient);
poy_status poyi_functional_hessian(poy_ctx *ctx, const poy_functional *f, poy_work *work, const poy_array *x,
                                   const poy_array *h, poy_array *y);
poy_status poyi_functional_prox(poy_ctx *ctx, const poy_functional *f, poy_work *work, double t, const poy_array *x,
                                poy_array *y);

#endif
