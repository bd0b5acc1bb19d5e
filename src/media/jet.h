/* jet.h: truncated Taylor series about a frequency: a formula written once gives its value and its derivatives exactly.
 * A jet of f is c[k], k = 0 ... order, with f(omega (1 + x)) = sum_k c[k] x^k + O(x^(order + 1)): the coefficients are
 * dimensionless in omega, so that no power of it over- or underflows. Source: Griewank and Walther (2008), ch. 13. */
#ifndef POYI_JET_H
#define POYI_JET_H

enum { POYI_JET_MAX = 12 }; /* highest order */

typedef struct poyi_jet {
    int order;
    double c[POYI_JET_MAX + 1];
} poyi_jet;

poyi_jet poyi_jet_constant(int order, double value);
/* value (1 + x)^power: the frequency itself (power 1), the wavelength (-1). */
poyi_jet poyi_jet_power_of_frequency(int order, double value, double power);

poyi_jet poyi_jet_add(poyi_jet a, poyi_jet b);
poyi_jet poyi_jet_add_scaled(poyi_jet a, double s, poyi_jet b); /* a + s b */
poyi_jet poyi_jet_scale(poyi_jet a, double s);
poyi_jet poyi_jet_offset(poyi_jet a, double s); /* a + s */
poyi_jet poyi_jet_mul(poyi_jet a, poyi_jet b);
poyi_jet poyi_jet_div(poyi_jet a, poyi_jet b);
/* a^p, a.c[0] > 0 (p = 0 gives 1). */
poyi_jet poyi_jet_pow(poyi_jet a, double p);
poyi_jet poyi_jet_sqrt(poyi_jet a);

/* out[k] = d^k f/d omega^k, k = 0 ... order. */
void poyi_jet_derivatives(const poyi_jet *a, double omega, double *out);

#endif
