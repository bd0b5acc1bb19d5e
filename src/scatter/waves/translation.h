/* translation.h: the terms of translation coefficients, one by one and as plans shared by all pairs of origins. */
#ifndef POYI_TRANSLATION_H
#define POYI_TRANSLATION_H

#include "math/wigner.h"
#include "scatter/waves/radial.h"
#include "scatter/waves/waves.h"

/* A = sum_i a[i] D_{first_a + 2 i, m - mu}, B = i sum_i b[i] D_{first_b + 2 i, m - mu}, where D_{p,q} = z_p(kr) Y_{pq} of
 * the displacement from (l, m) to (lambda, mu). */
typedef struct poyi_translation_terms {
    int first_a, count_a, first_b, count_b;
    double a[POY_DEGREE_MAX + 2], b[POY_DEGREE_MAX + 2];
} poyi_translation_terms;

/* Source: Cruzan (1962), with the 3j symbols of (l, lambda, p). */
void poyi_translation_terms_of(int lambda, int mu, int l, int m, poyi_translation_terms *t);

/* A and B of one pair of modes. */
void poyi_translation_pair(int lambda, int mu, int l, int m, int singular, double complex kr, poyi_direction d,
                           poyi_xcomplex ab[2]);
/* D^l_{mk}(phi, theta, psi) */
poyi_xcomplex poyi_rotation_element(int l, int m, int k, const double angles[3]);
/* F_order(krr) e^{i (order phi + kz z)}, singular: krr not 0 */
poyi_big poyi_cylindrical_translation(int order, int singular, double complex krr, poyi_xcomplex phi,
                                      poyi_xcomplex kz_z);

/* Below this |kr| singular waves are those of coincident origins, and do not couple. */
#define POYI_COINCIDENT 1e-16

#endif
