/* expand.h: matrices between bases of multipoles, forwards and as derivatives. */
#ifndef POYI_EXPAND_H
#define POYI_EXPAND_H

#include "scatter/waves/basis.h"
#include "scatter/waves/kernels.h"
#include "scatter/waves/waves.h"

typedef enum poyi_expand_task { POYI_EXPAND_VALUE, POYI_EXPAND_PUSHFORWARD, POYI_EXPAND_PULLBACK } poyi_expand_task;

/* A matrix between bases of multipoles, [size of destination][size of source], row-major. */
typedef struct poyi_expand_call {
    const poyi_waves_kernels *kernels; /* of poyi_expand_spherical */
    const poy_basis *destination, *source;
    double complex ks[2];
    poy_poltype poltype;
    int singular;
    double period;       /* of spherical sources along z, poyi_expand_axial */
    const double *axial; /* distinct kz of the cylindrical modes, rising, [n_axial], poyi_expand_axial */
    size_t n_axial;
    /* Of singular sources that repeat: instead of one displacement's functions the sums over all images, for pol 0 and 1, pair
     * after pair (row-major: destination, source): spherical D_pq [poyi_table_size(sum of the largest degrees)], PUSHFORWARD:
     * their tangents instead, and other inputs have no part in derivatives; cylindrical, for each axial label D_M, |M| <= turns
     * = poyi_axial_turns, at M + turns, PUSHFORWARD: their tangents in d_image, and of other inputs z and kz have a part, by
     * e^{i kz z}. PULLBACK: their cotangents are added to g_image. NULL: one image. */
    const poyi_xcomplex *image[2];
    const poyi_xcomplex *d_image[2];
    poyi_xcomplex *g_image[2];
    poyi_expand_task task;
    poy_c128 *out;         /* VALUE: the matrix; PUSHFORWARD: its tangent */
    const poy_c128 *g_out; /* PULLBACK: its cotangent */
    /* PUSHFORWARD: NULL is 0 */
    const double *d_destination, *d_source; /* [3 positions] */
    const double complex *d_ks;             /* [2] */
    const double *d_axial;                  /* all modes of one kz move together */
    double d_period;
    /* PULLBACK: added to; NULL: not wanted */
    double *g_destination, *g_source;
    double complex *g_ks;
    double *g_axial, *g_period;
} poyi_expand_call;

/* Spherical from spherical waves. Errors: POY_ERR_RANGE (entries beyond the largest double; out is written). */
poy_status poyi_expand_spherical(poy_ctx *ctx, const poyi_expand_call *call);

/* Either family; kernels and axial may be NULL (the best; those of the bases). */
poy_status poyi_expand_multipoles(poy_ctx *ctx, poyi_expand_call call);

/* ---- cylindrical waves (expand_axial.c) ---- */

/* Cylindrical from cylindrical waves, spherical from regular cylindrical waves, singular cylindrical from spherical waves
 * that repeat along z. Errors: POY_ERR_RANGE; POY_ERR_NOT_DIFFERENTIABLE (a wavenumber where k_rho = 0). */
poy_status poyi_expand_axial(poy_ctx *ctx, const poyi_expand_call *call);
/* The largest |order| of a translation between two bases, and one more for derivatives. */
int poyi_axial_turns(const poy_basis *a, const poy_basis *b);
/* The distinct kz of the cylindrical ones of two bases, rising, into out[room for both sizes]; their number. */
size_t poyi_axial_labels(const poy_basis *a, const poy_basis *b, double *out);

#endif
