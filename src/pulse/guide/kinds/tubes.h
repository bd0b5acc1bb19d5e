/* tubes.h: the empirical model of a hollow core within a ring of tubes. L. Vincetti, Opt. Express 24, 10313 (2016) [1];
 * L. Vincetti, L. Rosa, Opt. Express 27, 5230 (2019) [2]; L. Rosa, F. Melli, L. Vincetti, Fibers 9, 58 (2021) [3]. */
#ifndef POYI_TUBES_H
#define POYI_TUBES_H

#include "poynting/base.h"
#include "pulse/guide/cjet.h"

typedef struct poyi_tubes {
    int tubes;
    double core, thickness, radius, gap; /* m; radius: outer radius of a tube */
} poyi_tubes;

/* One of radius and gap may be NaN: gap = 2 (sin(pi/N)(R + r) - r) ([1] eq. 1) gives it; both have to agree to 1e-6.
 * Errors: POY_ERR_ARGUMENT, naming the key. */
poy_status poyi_tubes_set(poy_ctx *ctx, double core, double thickness, int tubes, double radius, double gap,
                          poyi_tubes *out);
/* n_eff - 1 of HE11: real part [3] eq. 21, imaginary part c/(2 omega) times the power loss, [2] eq. 6. gas: n_g - 1;
 * wall: n, real. u: zero of J_0. */
poyi_cjet poyi_tubes_index(const poyi_tubes *tubes, double u, double omega, poyi_cjet gas, poyi_cjet wall);

#endif
