/* bessel.h: Bessel functions of real order and complex argument, and the spherical ones, one value at a time; the
 * batches of poynting/special.h and the physics call these. */
#ifndef POYI_BESSEL_H
#define POYI_BESSEL_H

#include "math/extended.h"
#include "poynting/special.h"

enum { POYI_BESSEL_ORDER_MAX = 10000, POYI_BESSEL_TABLE_MAX = 256 };

/* f = value exp(power) and df/dz = slope exp(power). */
typedef struct poyi_bessel {
    poyi_big value, slope;
    poyi_xcomplex power;
} poyi_bessel;

/* J, Y, H^(1) or H^(2) of real order |v| <= POYI_BESSEL_ORDER_MAX at a finite z != 0; principal branch, the sign of a zero
 * imaginary part of z < 0 chooses the side of the cut. Relative error below 1e-15 unless within 1e-3 / |v| of a zero
 * (1e-18 of the size of the neighbouring order is always met). */
poyi_bessel poyi_bessel_cylindrical(poy_bessel_kind kind, double v, double complex z);
/* The same for j_n, y_n, h_n^(1), h_n^(2), n >= 0. */
poyi_bessel poyi_bessel_spherical(poy_bessel_kind kind, int n, double complex z);

/* J, Y and H^(1) (out[0], out[1], out[2], each may be NULL) of the orders 0 .. nmax <= POYI_BESSEL_TABLE_MAX at z != 0,
 * order k at out[.][k * stride]; spherical nonzero: of the degrees. Nonzero if a part is infinite. */
int poyi_bessel_orders(int spherical, int nmax, double complex z, poy_c128 *const out[3], size_t stride);

/* The exponent that the scaled form leaves out: |Im z| for J and Y, iz for H^(1), -iz for H^(2). */
poyi_xcomplex poyi_bessel_scale(poy_bessel_kind kind, double complex z);

#endif
