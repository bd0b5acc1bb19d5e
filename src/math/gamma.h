/* gamma.h: incomplete gamma functions and Kambe's integral, of which lattice sums are made. */
#ifndef POYI_GAMMA_H
#define POYI_GAMMA_H

#include "math/extended.h"

enum { POYI_GAMMA_TWICE_MAX = 256, POYI_KAMBE_ORDER_MAX = 512 };

/* Gamma(a, z) with a = twice / 2, |twice| <= POYI_GAMMA_TWICE_MAX, z != 0 finite; cut on the negative axis, where the
 * sign of a zero imaginary part chooses the side (+0: arg z = pi). */
poyi_big poyi_gamma_upper(int twice, double complex z);
/* Gamma(twice / 2), not at a pole (twice even and <= 0). */
poyi_big poyi_gamma_half(int twice);

/* z^(twice / 2), principal; z not 0 where twice < 0. */
poyi_big poyi_half_power(poyi_xcomplex z, int twice);

/* I_n(z, eta) = int_eta^infinity t^n exp(-z^2 t^2 / 2 + 1 / (2 t^2)) dt, |n| <= POYI_KAMBE_ORDER_MAX, the end of the path in
 * the direction 1 / z; z -> -z where Re z < 0; z = 0 only with n <= -2; eta != 0, also complex (principal logarithm). */
poyi_big poyi_kambe(int n, double complex z, double complex eta);

#endif
