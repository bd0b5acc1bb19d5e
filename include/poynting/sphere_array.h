/* sphere_array.h: plane arrays of layered spheres as functions of all their parameters: powers and gradients.
 *
 * Conventions as in periodic.h and spheres.h. */
#ifndef POYNTING_SPHERE_ARRAY_H
#define POYNTING_SPHERE_ARRAY_H

#include "poynting/smatrix.h"
#include "poynting/spheres.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The spheres of a cell repeat with the rows of lattice and the Bloch vector kpar. Orders [n_orders][2] = (i, j): the ports, pols 1
 * and 0 of each, are at kpar + i b_1 + j b_2 and move with the lattice. incident [2 n_orders]: light from below. */
typedef struct poy_sphere_array {
    poy_spheres spheres;
    double lattice[4], kpar[2];
    size_t n_orders;
    const int64_t *orders;
    const poy_c128 *incident;
} poy_sphere_array;

/* kpar at normal incidence (kpar = 0 with light in the order (0, 0)) has no derivative in waves of one pol: with_kpar 0 leaves it
 * fixed and kpar unwritten. */
typedef struct poy_sphere_array_gradient {
    poy_spheres_gradient spheres;
    double lattice[4], kpar[2];
    int with_kpar;
} poy_sphere_array_gradient;

/* The shares of the power of the light that go up and down, and the gradient of weight[0] transmission + weight[1] reflection +
 * weight[2] absorption (gradient NULL: the values alone). Errors: those of poy_spheres_cross_sections and poy_periodic_solve. */
POY_API poy_status poy_sphere_array_power(poy_ctx *ctx, const poy_sphere_array *s, poy_power_shares *out,
                                          const double weight[3], poy_sphere_array_gradient *gradient);

#ifdef __cplusplus
}
#endif
#endif
