/* periodic.h: particles that repeat on a lattice: chains, gratings, arrays, crystals.
 *
 * Conventions as in waves.h, lattice.h and tmatrix.h. The particles of a cluster are one cell; what scatters from an image at R
 * carries the phase exp(i kpar R). Errors of all: those of poy_embedding and of lattice sums (POY_ERR_THRESHOLD names the
 * diffraction order), POY_ERR_ARGUMENT (not finite, sizes that do not fit), POY_ERR_BUDGET, POY_ERR_MEMORY.
 * Sources: Beutel, Groner, Rockstuhl, Fernandez-Corbaton, J. Opt. Soc. Am. B 38, 1782 (2021); Beutel, Fernandez-Corbaton,
 * Rockstuhl, Comput. Phys. Commun. 297, 109076 (2024). */
#ifndef POYNTING_PERIODIC_H
#define POYNTING_PERIODIC_H

#include "poynting/smatrix.h"
#include "poynting/tmatrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows a[dim][dim]; their components, and those of kpar [dim], are along z (spherical waves, dim 1), x (cylindrical, dim 1), x and
 * y (dim 2) or x, y and z (dim 3, spherical). */
typedef struct poy_lattice {
    int dim;
    double a[9];
} poy_lattice;

/* Length, area or volume of the cell, positive. */
POY_API double poy_lattice_measure(const poy_lattice *lattice);
/* Rows b with a_i b_j = 2 pi delta_ij. Errors: POY_ERR_ARGUMENT (dim, a singular cell). */
POY_API poy_status poy_lattice_reciprocal(poy_ctx *ctx, const poy_lattice *lattice, poy_lattice *out);
/* The shortest of kpar + G, of equally short ones (to 1e-12) that which is larger in its first different component: kpar in the first
 * Brillouin zone, in one dimension (-b / 2, b / 2]. */
POY_API poy_status poy_lattice_brillouin(poy_ctx *ctx, const poy_lattice *lattice, const double *kpar, double *out);

/* Singular source waves of all images in regular waves of the destination, out[size of destination][size of source]: spherical or
 * cylindrical, all pairs of origins, a mode's own place left out of its own images. eta: as in lattice.h, 0 is automatic. */
POY_API poy_status poy_op_expand_lattice(poy_ctx *ctx, const poy_embedding *embedding, const poy_lattice *lattice,
                                         const double *kpar, double eta, const poy_basis *destination,
                                         const poy_basis *source, poy_c128 *out);

typedef struct poy_periodic poy_periodic; /* immutable, counted */

/* Factors of 1 - T C for the particles of a cell and all their images, C by poy_op_expand_lattice. Errors: also
 * POY_ERR_SINGULAR (the array guides a wave at this kpar and k0). */
POY_API poy_status poy_periodic_solve(poy_ctx *ctx, const poy_cluster *cell, const poy_lattice *lattice,
                                      const double *kpar, double eta, poy_periodic **out);
POY_API poy_periodic *poy_periodic_retain(poy_periodic *p);
POY_API void poy_periodic_destroy(poy_periodic **p);
POY_API const poy_cluster *poy_periodic_cell(const poy_periodic *p); /* borrowed */
POY_API const poy_lattice *poy_periodic_lattice(const poy_periodic *p);
POY_API const double *poy_periodic_kpar(const poy_periodic *p); /* [dim] */

/* X = (1 - T C)^-1 T: incident waves as the particles of the cell at the origin see them, to what these scatter. */
POY_API poy_status poy_periodic_response(poy_ctx *ctx, const poy_periodic *p, poy_tmatrix **out);
/* scattered[size][columns] = X incident[size][columns] */
POY_API poy_status poy_periodic_scatter(poy_ctx *ctx, const poy_periodic *p, size_t columns, const poy_c128 *incident,
                                        poy_c128 *scattered);
/* A plane array of spherical waves in ports xy, a grating of cylinders along x in ports zx (normal y), both about the plane through
 * the origin. Ports belong to kpar + G (POY_ERR_ARGUMENT else); to keep all power they contain all orders that propagate. */
POY_API poy_status poy_periodic_to_smatrix(poy_ctx *ctx, const poy_periodic *p, poy_basis *ports, poy_smatrix **out);
/* A chain along z as one scatterer of cylindrical waves of kz = kpar + 2 pi j / period about the positions of basis. */
POY_API poy_status poy_periodic_to_cylindrical(poy_ctx *ctx, const poy_periodic *p, poy_basis *basis,
                                               poy_tmatrix **out);
/* Fields [3 n_points] of the waves that all particles of the array scatter with these coefficients [size], as poy_wave_sample.
 * Errors: also POY_ERR_ARGUMENT (a point in a particle's centre or image). */
POY_API poy_status poy_periodic_sample(poy_ctx *ctx, const poy_periodic *p, const poy_c128 *scattered,
                                       poy_wave_field field, int pol, size_t n_points, const double *points,
                                       poy_c128 *out);
/* n_fields of them at once: out[n_fields][n_points][3], for little more than one. */
POY_API poy_status poy_periodic_sample_all(poy_ctx *ctx, const poy_periodic *p, const poy_c128 *scattered,
                                           size_t n_fields, const poy_wave_field *fields, int pol, size_t n_points,
                                           const double *points, poy_c128 *out);
/* The smallest singular value of 1 - T C, in waves scaled by sqrt|T|: 0 where the lattice carries a wave by itself, so that the bands
 * of crystals (dim 3) and guided waves of chains and arrays are its minima over k0 or kpar. */
POY_API poy_status poy_periodic_resonance(poy_ctx *ctx, const poy_cluster *cell, const poy_lattice *lattice,
                                          const double *kpar, double eta, double *out);

#ifdef __cplusplus
}
#endif
#endif
