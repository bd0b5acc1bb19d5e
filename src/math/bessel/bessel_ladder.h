/* bessel_ladder.h: from start values at an order mu to Bessel functions at mu + n, in the closed first quadrant, where
 * H^(1) is the solution that grows with the order and J the one that falls. Cylindrical and spherical functions share
 * it: both obey F_{k+1} = (2 k / z) F_k - F_{k-1}, k the cylindrical order. */
#ifndef POYI_BESSEL_LADDER_H
#define POYI_BESSEL_LADDER_H

#include "math/extended.h"

/* Hats are scaled functions: H^(1) = exp(iz) h, J = exp(Im z) j. */
typedef struct poyi_ladder {
    poyi_xcomplex z;         /* not 0, 0 <= arg z <= pi / 2 */
    poyi_xreal mu;           /* order of the first start value */
    poyi_xcomplex h[2];      /* hats of H^(1) at mu, mu + 1 */
    poyi_xcomplex j[2];      /* hats of J at mu, mu + 1, accurate where |z| >= POYI_LADDER_FAR, else unused */
    poyi_xcomplex wronskian; /* J_{k+1} H_k - J_k H_{k+1} of the functions themselves */
} poyi_ladder;

enum { POYI_LADDER_FAR = 25 };

/* Hats at the orders mu + n and mu + n + 1, n >= 0. Error about n 1e-19 of each function's size around, so that beside a
 * zero it is relative to the slope times the distance from it. */
void poyi_ladder_climb(const poyi_ladder *start, int n, poyi_big h[2], poyi_big j[2]);

/* The same for all orders mu .. mu + n at once: h[n + 1], j[n + 1]. */
void poyi_ladder_all(const poyi_ladder *start, int n, poyi_big *h, poyi_big *j);

#endif
