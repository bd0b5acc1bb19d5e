/* cjet.h: truncated Taylor series with complex coefficients, for effective indices: as media/jet.h, whose real series
 * they take up. A series of f is c[k], k = 0 ... order, with f(omega (1 + x)) = sum_k c[k] x^k + O(x^(order + 1)). */
#ifndef POYI_CJET_H
#define POYI_CJET_H

#include "core/cmplx.h"
#include "media/jet.h"

typedef struct poyi_cjet {
    int order;
    double complex c[POYI_JET_MAX + 1];
} poyi_cjet;

poyi_cjet poyi_cjet_constant(int order, double complex value);
/* value (1 + x)^power: the frequency itself (power 1), the wavelength (-1). */
poyi_cjet poyi_cjet_power_of_frequency(int order, double complex value, double power);
/* re + i im; im may be NULL. */
poyi_cjet poyi_cjet_from(const poyi_jet *re, const poyi_jet *im);

poyi_cjet poyi_cjet_add(poyi_cjet a, poyi_cjet b);
poyi_cjet poyi_cjet_add_scaled(poyi_cjet a, double complex s, poyi_cjet b); /* a + s b */
poyi_cjet poyi_cjet_scale(poyi_cjet a, double complex s);
poyi_cjet poyi_cjet_offset(poyi_cjet a, double complex s); /* a + s */
poyi_cjet poyi_cjet_mul(poyi_cjet a, poyi_cjet b);
poyi_cjet poyi_cjet_div(poyi_cjet a, poyi_cjet b);
/* a^p, principal branch, a.c[0] != 0. */
poyi_cjet poyi_cjet_pow(poyi_cjet a, double p);
poyi_cjet poyi_cjet_sqrt(poyi_cjet a);
poyi_cjet poyi_cjet_exp(poyi_cjet a);
poyi_cjet poyi_cjet_cot(poyi_cjet a);

/* sqrt(1 + a) - 1 without cancellation: a / (1 + sqrt(1 + a)). */
poyi_cjet poyi_cjet_sqrt1p_minus_1(poyi_cjet a);

/* out[k] = Re or Im of d^k f/d omega^k, k = 0 ... order; either may be NULL. */
void poyi_cjet_derivatives(const poyi_cjet *a, double omega, double *re, double *im);

#endif
