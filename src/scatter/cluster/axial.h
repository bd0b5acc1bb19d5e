/* axial.h: translations between all origins of a basis of spherical waves as a rotation, a translation along z and the rotation
 * back: some L^3 operations for a pair of degree L, where the coefficients themselves take L^5. */
#ifndef POYI_AXIAL_H
#define POYI_AXIAL_H

#include "scatter/waves/basis.h"

/* Degree from which a rotation to the axis and back costs less than eight pairs side by side. */
enum { POYI_AXIAL_FROM = 7 };

typedef struct poyi_axial poyi_axial;

/* Singular waves of each origin in regular waves of every other, or regular waves of each in regular waves of all.
 * Errors: POY_ERR_RANGE (origins too close for their degrees), POY_ERR_ARGUMENT (a mode of parity without its partner). */
poy_status poyi_axial_create(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis, int singular,
                             poyi_axial **out);
void poyi_axial_destroy(poyi_axial **a);
/* y[size] = C x in the basis' own waves; always the same bits. x and y may be one. */
void poyi_axial_apply(poyi_axial *a, const poy_c128 *x, poy_c128 *y);
/* Largest degree of a basis. */
int poyi_basis_lmax(const poy_basis *basis);

#endif
