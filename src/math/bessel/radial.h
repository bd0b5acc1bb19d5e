/* radial.h: tables of spherical Bessel functions of all degrees for many arguments, in double precision. */
#ifndef POYI_RADIAL_H
#define POYI_RADIAL_H

#include "poynting/base.h"

enum { POYI_RADIAL_LANES = 8, POYI_RADIAL_MAX = 256, POYI_RADIAL_START_MAX = 600 };

/* Eight arguments in the upper half-plane and what is found for them, [degree][lane]. */
typedef struct poyi_radial_block {
    double z[2][POYI_RADIAL_LANES];    /* real and imaginary parts */
    double wave[2][POYI_RADIAL_LANES]; /* exp(iz) */
    double back[2][POYI_RADIAL_LANES]; /* exp(-iz) */
    double j[2][POYI_RADIAL_MAX + 1][POYI_RADIAL_LANES], h[2][POYI_RADIAL_MAX + 1][POYI_RADIAL_LANES];
} poyi_radial_block;

/* Fills j and h of a block up to lmax, start 0: j upwards, too (|z| well above lmax); else j from ratios that begin at
 * the degree start. */
typedef void poyi_radial_kernel(poyi_radial_block *block, int lmax, int start);
poyi_radial_kernel poyi_radial_base, poyi_radial_avx2;

/* poy_sf_spherical_table by a given kernel; NULL: the best of this processor. */
poy_status poyi_radial_table(poy_ctx *ctx, poyi_radial_kernel *kernel, size_t n, int64_t lmax, const poy_c128 *z,
                             poy_c128 *j, poy_c128 *y, poy_c128 *h1);

#endif
