/* rule.h: fixed rules of integration over the cross-section of a guide. */
#ifndef POYI_RULE_H
#define POYI_RULE_H

#include "pulse/guide/kind.h"

/* Points (x, y) in m and weights in m^2; coarse: weights of the embedded rule, on three of four radii (and every second
 * angle, where there are enough), 0 elsewhere. */
typedef struct poyi_rule {
    int n;
    double *x, *y, *weight, *coarse;
} poyi_rule;

/* The rule for fields like this one. Round: Gauss-Legendre in rho = r/a, n_r nodes, times the trapezoidal rule in
 * theta, n_theta nodes (1: fields whose integrands do not depend on it); beyond the core of a step-index fibre n_r more
 * in log rho. Rectangular: n_r by n_r Gauss-Legendre nodes in x and y.
 * Errors: POY_ERR_ARGUMENT (n_r outside 2 ... POYI_GAUSS_MAX, n_theta below 1), POY_ERR_MEMORY, POY_ERR_BUDGET. */
poy_status poyi_rule_create(poy_ctx *ctx, const poyi_profile *field, int n_r, int n_theta, poyi_rule *out);
/* A rule without the embedded one over what of the cross-section lies within a circle about the axis: exact at its edge. */
poy_status poyi_rule_create_within(poy_ctx *ctx, const poyi_profile *field, double radius, int n_r, int n_theta,
                                   poyi_rule *out);
void poyi_rule_fini(poyi_rule *rule);

#endif
