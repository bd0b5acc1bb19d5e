/* plane_coupling.h: plane waves into multipoles, and what periodic multipoles radiate into plane waves. */
#ifndef POYI_PLANE_COUPLING_H
#define POYI_PLANE_COUPLING_H

#include "scatter/waves/basis.h"
#include "scatter/waves/expand/expand.h"

/* Incidence: out[size of multipoles][n], plane waves in regular multipoles. Emission: out[n][size of multipoles], singular
 * multipoles that repeat over cells of this measure (area of the xy lattice; period along x of cylinders) in plane waves.
 * Cylindrical modes couple where kz agrees to 32 ulp of the wavevector; that label is fixed in derivatives. */
typedef struct poyi_plane_call {
    const poy_basis *multipoles;
    size_t n;
    const poy_c128 *vectors; /* [3 n] */
    const int *pol;          /* [n] */
    poy_poltype poltype;
    int emission;
    double measure;
    poyi_expand_task task;
    poy_c128 *out;         /* VALUE, PUSHFORWARD */
    const poy_c128 *g_out; /* PULLBACK */
    /* PUSHFORWARD: NULL is 0 */
    const double *d_positions; /* [3 positions] */
    const poy_c128 *d_vectors; /* [3 n]; NULL also: the vectors are fixed, which may then lie on the axis */
    double d_measure;
    int fixed_directions; /* waves along z are not turned away from it: only the gradient along z is meant there */
    /* PULLBACK: added to; NULL: not wanted */
    double *g_positions;
    poy_c128 *g_vectors;
    double *g_measure;
} poyi_plane_call;

/* Errors: POY_ERR_ARGUMENT (a wavevector without polarisation), POY_ERR_THRESHOLD (emission along the array),
 * POY_ERR_NOT_DIFFERENTIABLE (the direction of a plane wave on the z axis), POY_ERR_RANGE. */
poy_status poyi_plane_coupling(poy_ctx *ctx, const poyi_plane_call *call);

#endif
