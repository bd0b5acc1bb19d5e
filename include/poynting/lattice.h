/* lattice.h: sums of outgoing waves over a lattice, by Ewald's method.
 *
 * The lattice is spanned by the rows of a, [dim][dim]; each row's components and those of the Bloch vector kpar, [dim], are
 * along z (spherical waves, dim 1), x (cylindrical, dim 1), x and y (dim 2) or x, y and z (dim 3, spherical only):
 *   D_lm = sum_R h_l(k |r + R|) Y_lm(-r - R) exp(i kpar R),  D_m = sum_R H_m(k |r + R|) exp(i m phi(-r - R)) exp(i kpar R),
 * without the term R = -r. Time factor exp(-i omega t); k in the closed first quadrant, not 0; lengths in one unit.
 * What is 0 by inversion or by the mirror plane of the lattice comes out as exactly 0.
 *
 * Errors of all: POY_ERR_ARGUMENT (labels, k, a singular cell, eta), POY_ERR_NONFINITE, POY_ERR_THRESHOLD (a diffraction
 * order |kpar + G| = k, which is named), POY_ERR_NO_CONVERGENCE, POY_ERR_UNSUPPORTED (a split that loses all digits, named);
 * POY_ERR_RANGE (a sum beyond double precision); out is untouched then.
 * Sources: K. Kambe, Z. Naturforsch. A 22, 322 (1967); C. M. Linton, SIAM Rev. 52, 630 (2010); D. Beutel, I.
 * Fernandez-Corbaton, C. Rockstuhl, Phys. Rev. A 107, 013508 (2023). */
#ifndef POYNTING_LATTICE_H
#define POYNTING_LATTICE_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { POY_LATTICE_DEGREE_MAX = 64 };

typedef enum poy_lattice_part {
    POY_LATTICE_FULL,      /* both parts */
    POY_LATTICE_REAL,      /* the sum over lattice points, and the self term where r is one of them */
    POY_LATTICE_RECIPROCAL /* the sum over diffraction orders */
} poy_lattice_part;

/* What is summed: dim 1..3 (1..2 for cylindrical waves), k, and arrays as above; r has 3 components (spherical) or 2. eta > 0
 * is the split in Kambe's form, his integrals starting at eta |k| / k, and 0 the automatic one,
 * sqrt(2 pi) / (|k| L) max(|k| L / 8, 1) with L^dim the measure of the cell. Parts need an eta. */
typedef struct poy_lattice_sum {
    int dim;
    poy_c128 k;
    const double *kpar, *a, *r;
    double eta;
    poy_lattice_part part;
} poy_lattice_sum;

/* D_lm for l = 0 .. lmax at out[l (l + 1) + m], (lmax + 1)^2 numbers; lmax in 0..POY_LATTICE_DEGREE_MAX. */
POY_API poy_status poy_lattice_sum_spherical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t lmax, poy_c128 *out);
/* D_m for m = -mmax .. mmax at out[mmax + m]; mmax in 0..POY_LATTICE_DEGREE_MAX. */
POY_API poy_status poy_lattice_sum_cylindrical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t mmax, poy_c128 *out);

/* The same tables, but the terms of the plain sum with max_i |n_i| = shell >= 0, R = sum n_i a_i; eta and part are not used. */
POY_API poy_status poy_lattice_shell_spherical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t shell, int64_t lmax,
                                               poy_c128 *out);
POY_API poy_status poy_lattice_shell_cylindrical(poy_ctx *ctx, const poy_lattice_sum *sum, int64_t shell, int64_t mmax,
                                                 poy_c128 *out);

#ifdef __cplusplus
}
#endif
#endif
