/* ewald.h: the two parts of Ewald's sums, in extended precision. */
#ifndef POYI_EWALD_H
#define POYI_EWALD_H

#include "poynting/lattice.h"
#include "scatter/periodic/cell.h"
#include "scatter/periodic/incomplete.h"

enum { POYI_LATTICE_SIZE_MAX = (POY_LATTICE_DEGREE_MAX + 1) * (POY_LATTICE_DEGREE_MAX + 1) };

/* A sum made ready. Vectors are parted into components along the lattice and the rest, across it. kappa = |k| eta is the
 * split as an inverse length: real parts fall as exp(-(kappa d)^2 / 2), reciprocal ones as exp(-(q^2 - k^2) / (2 kappa^2)). */
typedef struct poyi_ewald {
    int dim, spherical, nmax; /* nmax: largest degree, or order of cylindrical waves */
    poyi_cell cell, dual;
    poyi_xcomplex k, k2;
    poyi_xreal kappa, kpar[3], along[3], across[2], r_length;
} poyi_ewald;

/* Entries of a table, and the place of one; degree: l, or |m| of a cylindrical wave. */
size_t poyi_ewald_size(const poyi_ewald *e);
size_t poyi_ewald_place(const poyi_ewald *e, int degree, int m);

/* Terms of a ring, and the sizes of these and of all terms before per degree: what decides where a sum ends. */
typedef struct poyi_ewald_sum {
    const poyi_ewald *e;
    poyi_incomplete_rule *rule;
    poyi_xcomplex *out, *d_out; /* d_out: d / d k at a fixed split in kappa; NULL: not wanted */
    poyi_xcomplex over_k, by_k; /* 1 / k; k / kappa^2 */
    int slope; /* the terms are those of integrals of one order less in t: by_k times them is a part of d / d k */
    poyi_xreal ring[POY_LATTICE_DEGREE_MAX + 1], total[POY_LATTICE_DEGREE_MAX + 1];
    poyi_xcomplex before[POY_LATTICE_DEGREE_MAX + 1]; /* powers of kappa / k with the constants of the geometry */
} poyi_ewald_sum;

static inline void poyi_ewald_add(poyi_ewald_sum *sum, int degree, int m, poyi_xcomplex term)
{
    const size_t place = poyi_ewald_place(sum->e, degree, m);
    if (sum->slope) {
        sum->d_out[place] += poyi_xmul(sum->by_k, term);
        return;
    }
    sum->out[place] += term;
    sum->ring[degree] += poyi_xsize(term);
    if (sum->d_out) /* terms go as k^-(l + 1), those of cylindrical waves as k^-|m|, besides */
        sum->d_out[place] -= (poyi_xreal)(degree + sum->e->spherical) * poyi_xmul(sum->over_k, term);
}

/* The integrals of a point or order; with derivatives, the one before the first is there too. */
static inline const poyi_xcomplex *poyi_ewald_integrals(const poyi_ewald_sum *sum, poyi_xcomplex v)
{
    return poyi_incomplete_of(sum->rule, v) + (sum->d_out != NULL);
}

/* A sum made ready, its integrals from p0 = twice / 2 on. */
void poyi_ewald_start(poyi_ewald_sum *sum, int twice, int step, poyi_xcomplex u);

/* Is shift + R, a point of the visit, the origin to the rounding of r? */
int poyi_ewald_coincident(const poyi_ewald *e, const poyi_xreal *point);
/* The vector -r - R of a visit's point, in Cartesian components (x and y of cylindrical waves). */
void poyi_ewald_away(const poyi_ewald *e, const poyi_xreal *point, poyi_xreal *d);
/* exp(i kpar R) with R the lattice vector of coordinates n. */
poyi_xcomplex poyi_ewald_bloch(const poyi_ewald *e, const int64_t *n);

/* Add a part to out, and its derivative to d_out; rule: memory for their integrals. */
poy_status poyi_ewald_real(poy_ctx *ctx, const poyi_ewald *e, poyi_incomplete_rule *rule, poyi_xcomplex *out,
                           poyi_xcomplex *d_out);
poy_status poyi_ewald_reciprocal(poy_ctx *ctx, const poyi_ewald *e, poyi_incomplete_rule *rule, poyi_xcomplex *out,
                                 poyi_xcomplex *d_out);
/* exp(-i q r) and q^2 - k^2 of an order. Errors: POY_ERR_THRESHOLD (the order is on its threshold). */
poy_status poyi_ewald_order(poy_ctx *ctx, const poyi_ewald *e, const poyi_xreal *q, const int64_t *n,
                            poyi_xcomplex *phase, poyi_xcomplex *difference);

/* ---- spectral.c: the whole sum by diffraction orders alone ---- */

/* Is the shift across long enough for it to be the shorter way? */
int poyi_spectral_serves(const poyi_ewald *e);
poy_status poyi_spectral(poy_ctx *ctx, const poyi_ewald *e, poyi_xcomplex *out, poyi_xcomplex *d_out);

/* Runs a visit over growing discs of cell until no degree changes any more; unit: what the exponent (distance unit)^2 / 2 is
 * measured in. */
poy_status poyi_ewald_rings(poy_ctx *ctx, poyi_ewald_sum *sum, const poyi_cell *cell, const poyi_xreal *shift,
                            poyi_xreal unit, poyi_cell_visit *visit);

/* The table of poy_lattice_sum_spherical or _cylindrical in extended precision, and its derivative by k (NULL: not wanted; of the
 * whole sum). Errors: theirs. */
poy_status poyi_lattice_table(poy_ctx *ctx, const poy_lattice_sum *sum, int spherical, int64_t nmax,
                              poyi_xcomplex *table, poyi_xcomplex *d_table);

#endif
