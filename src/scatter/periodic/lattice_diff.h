/* lattice_diff.h: derivatives of spherical lattice sums by all that they depend on, and of what is made of them. */
#ifndef POYI_LATTICE_DIFF_H
#define POYI_LATTICE_DIFF_H

#include "poynting/lattice.h"
#include "scatter/periodic/images.h"

/* Tables of a jacobian: the sum, d / d k, d / d kpar [dim], d / d a [dim][dim], d / d r [3]. */
static inline size_t poyi_lattice_tables(int dim)
{
    return 2 + (size_t)dim + (size_t)(dim * dim) + 3;
}

/* out[poyi_lattice_tables(dim)][poyi_table_size(nmax)], places of poyi_table_place(nmax, ...). Whole sums only; eta has no part.
 * Errors: those of lattice sums to degree nmax + 2. Source: the ladder of solid waves for r; with d / d k, x_j h_l(k x) Y_lm is a
 * sum of waves and their d / d k of degrees l +- 1, which makes d / d kpar and d / d a. */
poy_status poyi_lattice_jacobian(poy_ctx *ctx, const poy_lattice_sum *sum, int nmax, poyi_xcomplex *out);

/* Gradients, dL = Re sum conj(g) dx, added to; NULL: not wanted. */
typedef struct poyi_bloch_gradient {
    double complex *ks; /* [2] */
    double *kpar;       /* [dim] */
    double *a;          /* [dim][dim] */
    double *positions;  /* [3 n_positions] of the basis */
} poyi_bloch_gradient;

/* From g_coupling [n][n], of poyi_bloch_coupling of a spherical basis in a medium of these ks. */
poy_status poyi_bloch_coupling_pull(poy_ctx *ctx, const poyi_bloch *bloch, const poy_basis *basis,
                                    const double complex ks[2], poy_poltype poltype, const poy_c128 *g_coupling,
                                    const poyi_bloch_gradient *gradient);

#endif
