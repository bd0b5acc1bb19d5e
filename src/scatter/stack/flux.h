/* flux.h: power through a plane in waves of helicity, order by order, and shares of light, with derivatives.
 *
 * With cosines c = kz / k, y = 1 / Z, signs s of helicity and +- of the way, P = sum +-c a, Q = sum s a, V = sum +-s c a and
 * W = sum a over the four waves of an order: flux = Re[conj(y) (P conj(W) + Q conj(V))] / 4, which is Re(E x H*) / 2 along z. */
#ifndef POYI_FLUX_H
#define POYI_FLUX_H

#include "scatter/stack/turn.h"

/* The four waves of an order beside a plane: amplitudes a[way][pol], cosines, admittance. */
typedef struct poyi_order_waves {
    double complex a[2][2], c[2], y;
} poyi_order_waves;

/* ---- shares ---- */

/* Light from below (from 0) or above (1) on ports of helicity or parity that belong to groups of one pair of components each:
 * t and r [n] leave behind and before. ks, zs of the media above, then below. */
typedef struct poyi_shares {
    size_t n, groups;
    const int *group, *pol; /* [n] */
    const double *q;        /* [groups][2] */
    poy_poltype poltype;
    int from, turns; /* turns: the alignment of the ports */
    poy_c128 ks[2][2], zs[2];
    const poy_c128 *light, *t, *r; /* [n] */
} poyi_shares;

/* Transmission and reflection of each group, out[groups][2]. Errors: POY_ERR_ARGUMENT (light without power). */
poy_status poyi_shares_value(poy_ctx *ctx, const poyi_shares *s, double *out);

/* Gradients (added to) or tangents; NULL: not wanted, or 0. */
typedef struct poyi_shares_inputs {
    double complex *ks, *zs; /* [4], [2] */
    double *q;               /* [2 groups] */
    poy_c128 *light, *t, *r; /* [n] */
} poyi_shares_inputs;
/* Errors: also POY_ERR_NOT_DIFFERENTIABLE (an order that grazes). */
poy_status poyi_shares_pull(poy_ctx *ctx, const poyi_shares *s, const double *g, const poyi_shares_inputs *to);
poy_status poyi_shares_push(poy_ctx *ctx, const poyi_shares *s, const poyi_shares_inputs *d, double *out);

#endif
