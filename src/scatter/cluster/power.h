/* power.h: scattered and extinguished power of coefficients, with both directions of the derivative. */
#ifndef POYI_POWER_H
#define POYI_POWER_H

#include "scatter/waves/basis.h"

/* scattering = scale sum w Re p^* (C p), extinction = -scale sum w Re a^* p; w = 1 / k^2 of the mode's pol, of cylinders 1 / k
 * or, where they are evanescent, 0; C the regular expansion of the basis in itself, of real k. */
typedef struct poyi_power {
    const poy_basis *basis;
    double ks[2];                                    /* of pol 0 and 1 */
    double scale;                                    /* 0.5 / flux, of cylinders 2 / flux */
    const poy_c128 *incident, *scattered, *weighted; /* [n]: a, p, C p */
} poyi_power;

double poyi_power_scale(const poy_basis *basis, double flux);
/* w of mode i; and by the wavenumbers of a medium. */
double poyi_power_of(const poyi_power *x, size_t i);
double poyi_power_weight(const poyi_optics *optics, const poy_basis *basis, size_t i);
void poyi_power_sums(const poyi_power *x, double out[2]);

/* From the cotangents of both sums: g_scattered and g_incident [n] are written, g_ks added to, all but what comes through C. C is
 * Hermitian and does not couple different k, so that C^H w p = w C p. */
void poyi_power_pull(const poyi_power *x, const double g_out[2], poy_c128 *g_scattered, poy_c128 *g_incident,
                     double g_ks[2]);
/* The cotangent of C, [n][n]: g w p p^H. */
void poyi_power_pull_overlap(const poyi_power *x, double g_scattering, poy_c128 *g_overlap);
/* moved [n]: dC p. NULL: 0. */
void poyi_power_push(const poyi_power *x, const poy_c128 *d_scattered, const poy_c128 *d_incident, const double d_ks[2],
                     const poy_c128 *moved, double d_out[2]);

#endif
