/* incomplete.h: the integrals of which both parts of Ewald's sums are made. */
#ifndef POYI_INCOMPLETE_H
#define POYI_INCOMPLETE_H

#include "math/extended.h"

/* J_p(v, u) = int_1^infinity t^{-p} exp(-v t - u / (2 t)) dt for p = p0 + i step, i = 0 .. count - 1, with p0 = twice / 2 and
 * step 1 or -1; v not 0, Im v <= 0, the value on the negative axis that of arg v = -pi.
 * J_p(v, 0) = E_p(v), the exponential integral (DLMF 8.19.2); Kambe's I_{2l}(z, eta) = eta^{2l+1} / 2
 * J_{1/2-l}(z^2 eta^2 / 2, -1 / eta^2). Error: 1e-16 of the largest term of the
 * recurrence between three orders. */
void poyi_incomplete(int twice, int step, int count, poyi_xcomplex v, poyi_xcomplex u, poyi_xcomplex *out);

/* The integrals of one sum: nodes that all of its real arguments share, and the last ones found. */
enum { POYI_INCOMPLETE_COUNT = 72, POYI_INCOMPLETE_NODES = 320, POYI_INCOMPLETE_KEPT = 48 };
typedef struct poyi_incomplete_rule {
    int twice, step, count, nodes, kept, next;
    poyi_xreal h, x[POYI_INCOMPLETE_NODES], weight[POYI_INCOMPLETE_NODES]; /* at scale 1 */
    poyi_xcomplex u, v[POYI_INCOMPLETE_KEPT], value[POYI_INCOMPLETE_KEPT][POYI_INCOMPLETE_COUNT];
} poyi_incomplete_rule;

/* For one u; count <= POYI_INCOMPLETE_COUNT. */
void poyi_incomplete_start(poyi_incomplete_rule *rule, int twice, int step, int count, poyi_xcomplex u);
/* poyi_incomplete of v: of one that was asked for lately what was found then. Points of a lattice at one distance come in
 * fours, sixes, eights, and in pairs at least where it has a centre of inversion. The values stay until the next call. */
const poyi_xcomplex *poyi_incomplete_of(poyi_incomplete_rule *rule, poyi_xcomplex v);

#endif
