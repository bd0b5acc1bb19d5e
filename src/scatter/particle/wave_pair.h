/* wave_pair.h: radial functions of two neighbouring orders at one argument, without over- or underflow, for the boundary
 * conditions of layered spheres and cylinders. */
#ifndef POYI_WAVE_PAIR_H
#define POYI_WAVE_PAIR_H

#include <stdint.h>

#include "core/core.h"
#include "math/batch.h"
#include "math/extended.h"

/* Functions F_k: of spheres the Riccati functions psi_k = z j_k and xi_k = z h_k^(1), of cylinders J_k and H_k^(1); both obey
 * F_k' = (edge / z) F_k - F_{k+1} with edge k + 1 and k, and F_k' = F_{k-1} - (edge' / z) F_k with edge' k and k. */
typedef enum poyi_wave_family { POYI_WAVES_OF_SPHERES, POYI_WAVES_OF_CYLINDERS } poyi_wave_family;

/* Beyond these sizes |z| nothing is computed. */
#define POYI_PAIR_SMALLEST 1e-100
#define POYI_PAIR_LARGEST 1e7

/* The orders k and k + 1 at z:
 *   regular   F_k = A u, F_{k+1} = A up,  A = a 2^e exp(-i z) (z real: without exp(-i z), and a is real);
 *   singular  S_k = B s, S_{k+1} = B sp,  B from A B w = omega, w = up s - u sp.
 * S is H = xi or H^(1) and omega = i c; where z is real it is the real X of H = F - i X, omega = -c. c = 1 for spheres and
 * 2 / (pi z) for cylinders. The larger of (u, up), and of (s, sp), is 1: no quotient here has a pole. */
typedef struct poyi_wave_pair {
    double complex u, up, s, sp, w, a;
    int64_t e;
} poyi_wave_pair;

static inline int poyi_pair_is_real(poyi_xcomplex z)
{
    return cimagl(z) == 0.0L;
}

/* edge of F_k' = (edge / z) F_k - F_{k+1} */
static inline double poyi_pair_edge(poyi_wave_family family, int64_t k)
{
    return (double)(family == POYI_WAVES_OF_SPHERES ? k + 1 : k);
}

static inline double complex poyi_pair_c(poyi_wave_family family, double complex z)
{
    return family == POYI_WAVES_OF_SPHERES ? 1.0 : 0.63661977236758134308 / z; /* 2 / pi */
}

/* a b and a / b of numbers well within the range, without C's care for infinities. */
static inline double complex poyi_times(double complex a, double complex b)
{
    return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

static inline double complex poyi_over(double complex a, double complex b)
{
    const double scale = 1.0 / (creal(b) * creal(b) + cimag(b) * cimag(b));
    return CMPLX((creal(a) * creal(b) + cimag(a) * cimag(b)) * scale,
                 (cimag(a) * creal(b) - creal(a) * cimag(b)) * scale);
}

/* A number of extended precision as a sum of two doubles. */
typedef struct poyi_two {
    double complex high, low;
} poyi_two;

static inline poyi_two poyi_two_of(poyi_xcomplex z)
{
    const double complex high = (double complex)z;
    return (poyi_two){high, (double complex)(z - poyi_x(high))};
}

/* |re| + |im| */
static inline double poyi_size(double complex a)
{
    return fabs(creal(a)) + fabs(cimag(a));
}

/* Orders 0 .. n at z, Im z >= 0, |z| within the sizes above; pair[n + 1]. z comes in extended precision, since at 10^4 the
 * rounding of a double is a phase of 10^-12. */
void poyi_wave_pairs(poyi_wave_family family, poyi_xcomplex z, int64_t n, poyi_wave_pair *pair);

/* A / A' of one order at z and at z' = z + step (both real, or neither): the factor without its power of 2, which is
 * added to *e. */
double complex poyi_pair_ratio(const poyi_wave_pair *at, const poyi_wave_pair *to, poyi_xcomplex step, int64_t *e);

/* x 2^e, 0 below the range */
static inline double complex poyi_pair_ldexp(double complex x, int64_t e)
{
    const int n = e > 8000 ? 8000 : e < -8000 ? -8000 : (int)e;
    return CMPLX(ldexp(creal(x), n), ldexp(cimag(x), n));
}

#endif
