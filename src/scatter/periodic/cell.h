/* cell.h: a lattice, its reciprocal, and the points of either in a shell. */
#ifndef POYI_CELL_H
#define POYI_CELL_H

#include "math/extended.h"
#include "poynting/base.h"

/* dim lattice vectors in rows and dual vectors, row_i dual_j = delta_ij; components beyond dim are not used. Rows are reduced:
 * any basis of one lattice gives short ones. */
typedef struct poyi_cell {
    int dim;
    poyi_xreal row[3][3], dual[3][3];
    poyi_xreal given[3][3]; /* the basis that the caller knows, and its dual */
    poyi_xreal given_dual[3][3];
    poyi_xreal measure; /* length, area or volume, positive */
} poyi_cell;

/* From the rows a[dim][dim], reduced by pairs. Errors: POY_ERR_ARGUMENT (singular to rounding). */
poy_status poyi_cell_make(poy_ctx *ctx, int dim, const double *a, poyi_cell *out);
/* The reciprocal lattice, with 2 pi. */
void poyi_cell_reciprocal(const poyi_cell *cell, poyi_cell *out);
/* n_i = point given_dual_i: coordinates along the caller's basis. */
void poyi_cell_coordinates(const poyi_cell *cell, const poyi_xreal *point, poyi_xreal *n);

/* point: shift + R. */
typedef poy_status poyi_cell_visit(poy_ctx *ctx, void *user, const poyi_xreal *point, const int64_t *n);
/* Every lattice point with inner <= |shift + R|^2 < outer, whatever the angles of the cell; n: its coordinates along the
 * caller's basis. Errors: POY_ERR_NO_CONVERGENCE (more than 10^7 candidates), those of visit. */
poy_status poyi_cell_points(poy_ctx *ctx, const poyi_cell *cell, const poyi_xreal *shift, poyi_xreal inner,
                            poyi_xreal outer, poyi_cell_visit *visit, void *user);

#endif
