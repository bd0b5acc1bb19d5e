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

/* w(z) = exp(-z^2) erfc(-iz) in double precision, relative error below 1e-14 in the upper half-plane. */
double complex poyi_faddeeva(double complex z);

/* I_0, I_2, .. I_{2 count - 2} and I_{-1}, I_1, .. I_{2 count - 3} for real eta > 0 and z != 0, in double precision: error
 * below 3e-13. eta < 0.3 and z far from the real axis take poyi_kambe one by one, 1000 times slower. */
void poyi_kambe_even(int count, double complex z, double eta, double complex *out);
void poyi_kambe_odd(int count, double complex z, double eta, double complex *out);

#endif
