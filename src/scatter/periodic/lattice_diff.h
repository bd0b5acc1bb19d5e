/* lattice_diff.h: derivatives of lattice sums by all that they depend on, and of what is made of them. */
#ifndef POYI_LATTICE_DIFF_H
#define POYI_LATTICE_DIFF_H

#include "poynting/lattice.h"
#include "scatter/periodic/images.h"

/* Tables of a jacobian: the sum, d / d k, d / d kpar [dim], d / d a [dim][dim], d / d r [3], of cylindrical waves [2]. */
static inline size_t poyi_lattice_tables(int dim)
{
    return 2 + (size_t)dim + (size_t)(dim * dim) + 3;
}

/* What is asked of a jacobian: the tables of the others are not written. */
enum { POYI_SLOPE_K = 1, POYI_SLOPE_CELL = 2 /* kpar and a */, POYI_SLOPE_SHIFT = 4, POYI_SLOPES = 7 };

/* Whole sums only; eta has no part. Errors: those of lattice sums to degree nmax + 2 (by k alone nmax, by r nmax + 1). Sources: the ladders of solid and of
 * cylindrical waves for r; with d / d k, x_j times a wave is a sum of waves and their d / d k of degrees (orders) one apart, which
 * makes d / d kpar and d / d a.
 * Spherical: out[poyi_lattice_tables(dim)][poyi_table_size(nmax)], places of poyi_table_place(nmax, ...). */
poy_status poyi_lattice_jacobian(poy_ctx *ctx, const poy_lattice_sum *sum, int nmax, unsigned slopes,
                                 poyi_xcomplex *out);
/* Cylindrical: out[poyi_lattice_tables(dim) - 1][2 nmax + 1], order m at nmax + m (lattice_axial_diff.c). */
poy_status poyi_lattice_jacobian_axial(poy_ctx *ctx, const poy_lattice_sum *sum, int nmax, poyi_xcomplex *out);

/* ---- matrices (bloch_diff.c) ---- */

/* Gradients, dL = Re sum conj(g) dx, added to, or tangents; NULL: not wanted, or 0. */
typedef struct poyi_bloch_inputs {
    double complex *ks;           /* [2] */
    double *kpar;                 /* [dim] */
    double *a;                    /* [dim][dim] */
    double *destination, *source; /* [3 n_positions] */
    double *axial;                /* [poyi_axial_labels] of both bases */
} poyi_bloch_inputs;

/* Errors: those of the sums, POY_ERR_NOT_DIFFERENTIABLE (a kz that is the wavenumber). */
poy_status poyi_bloch_pull(poy_ctx *ctx, const poyi_bloch_expansion *e, const poy_c128 *g_out,
                           const poyi_bloch_inputs *to);
poy_status poyi_bloch_push(poy_ctx *ctx, const poyi_bloch_expansion *e, const poyi_bloch_inputs *d, poy_c128 *d_out);

#endif
