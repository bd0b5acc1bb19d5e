/* handedness.h: how a T-matrix of helicity tells left from right, with derivatives. */
#ifndef POYI_HANDEDNESS_H
#define POYI_HANDEDNESS_H

#include "scatter/waves/waves.h"

typedef enum poyi_metric {
    POYI_CIRCULAR_DICHROISM, /* (A_1 - A_0) / (A_1 + A_0) of the mean absorption A_p of helicity p */
    POYI_DUALITY_BREAKING,   /* the share of |T|^2 that changes the helicity */
    POYI_CHIRALITY,          /* |sv(T_11), sv(T_10) - sv(T_00), sv(T_01)| / |T| */
} poyi_metric;

/* t [n][n]; pol [n] of the modes; weight [n]: 1 / k^2 of each, of dichroism alone. */
typedef struct poyi_metric_call {
    poyi_metric metric;
    size_t n;
    const poy_c128 *t;
    const int *pol;
    const double *weight;
} poyi_metric_call;

/* The value and, where they are not NULL, its gradients: dL = Re sum conj(g_t) dT + sum g_weight dw. A metric that has a value but
 * no gradient sets *smooth to 0 and the gradients to 0: chirality where it is 0, or with a singular value that is 0 or the same as
 * another to rounding while their parts differ. Errors: POY_ERR_ARGUMENT (0 / 0), POY_ERR_NO_CONVERGENCE. */
poy_status poyi_metric_value(poy_ctx *ctx, const poyi_metric_call *call, double *out, poy_c128 *g_t, double *g_weight,
                             int *smooth);

#endif
