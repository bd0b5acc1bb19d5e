/* diff.h: derivatives of the waves' matrices and fields: tangents forwards and cotangents back.
 *
 * Pairing: dL = Re sum conj(g) dx; real inputs have real gradients. Tangents: NULL is 0. Gradients: written (not added), NULL
 * is not wanted. Errors of all: those of the function itself, and POY_ERR_NOT_DIFFERENTIABLE where an input that moves has no
 * derivative. Labels, orders and which axial wavenumbers agree are fixed. */
#ifndef POYI_WAVES_DIFF_H
#define POYI_WAVES_DIFF_H

#include "scatter/waves/waves.h"

/* ---- media (medium_diff.c) ---- */

/* ks[2] of (epsilon, mu, kappa), k0: d_medium NULL or a tangent. Where epsilon mu or n_pol is 0 the index has a branch
 * point. */
poy_status poyi_medium_ks_pushforward(poy_ctx *ctx, const poy_medium *medium, double k0, const poy_medium *d_medium,
                                      double d_k0, poy_c128 d_ks[2]);
poy_status poyi_medium_ks_pullback(poy_ctx *ctx, const poy_medium *medium, double k0, const poy_c128 g_ks[2],
                                   poy_medium *g_medium, double *g_k0);
/* Z of (epsilon, mu) */
poy_status poyi_medium_impedance_pushforward(poy_ctx *ctx, const poy_medium *medium, const poy_medium *d_medium,
                                             poy_c128 *d_impedance);
poy_status poyi_medium_impedance_pullback(poy_ctx *ctx, const poy_medium *medium, poy_c128 g_impedance,
                                          poy_medium *g_medium);

/* ---- single translations (translation_coefficient_diff.c) ---- */

/* poy_sw_translate as a function of kr, theta and phi. */
typedef struct poyi_translation_call {
    size_t n;
    const int64_t *lambda, *mu, *pol, *l, *m, *qol;
    poy_poltype poltype;
    int singular;
    const poy_c128 *kr;
    const double *theta, *phi;
} poyi_translation_call;

poy_status poyi_sw_translate_pushforward(poy_ctx *ctx, const poyi_translation_call *call, const poy_c128 *d_kr,
                                         const double *d_theta, const double *d_phi, poy_c128 *d_out);
poy_status poyi_sw_translate_pullback(poy_ctx *ctx, const poyi_translation_call *call, const poy_c128 *g_out,
                                      poy_c128 *g_kr, double *g_theta, double *g_phi);

/* F_order(krr) e^{i (order phi + kz z)}, singular with krr = 0: 0. */
typedef struct poyi_cylindrical_call {
    size_t n;
    const int64_t *order;
    int singular;
    const poy_c128 *krr;
    const double *phi, *z, *kz;
} poyi_cylindrical_call;

poy_status poyi_cw_translate_pushforward(poy_ctx *ctx, const poyi_cylindrical_call *call, const poy_c128 *d_krr,
                                         const double *d_phi, const double *d_z, const double *d_kz, poy_c128 *d_out);
poy_status poyi_cw_translate_pullback(poy_ctx *ctx, const poyi_cylindrical_call *call, const poy_c128 *g_out,
                                      poy_c128 *g_krr, double *g_phi, double *g_z, double *g_kz);

/* ---- rotations and permutations (rotate_diff.c) ---- */

/* poy_op_rotate of multipoles as a function of the angles [3]; cylindrical ones have no derivative by theta. */
poy_status poyi_rotate_pushforward(poy_ctx *ctx, const double angles[3], const poy_basis *destination,
                                   const poy_basis *source, const double d_angles[3], poy_c128 *d_out);
poy_status poyi_rotate_pullback(poy_ctx *ctx, const double angles[3], const poy_basis *destination,
                                const poy_basis *source, const poy_c128 *g_out, double g_angles[3]);

/* out[2][n]: the amplitudes of both pols, in axes that were permuted n_turns times, of waves of these pols. */
poy_status poyi_plane_permutation(poy_ctx *ctx, poy_poltype poltype, int n_turns, size_t n, const poy_c128 *vectors,
                                  const int *pol, poy_c128 *out);
poy_status poyi_plane_permutation_pushforward(poy_ctx *ctx, poy_poltype poltype, int n_turns, size_t n,
                                              const poy_c128 *vectors, const int *pol, const poy_c128 *d_vectors,
                                              poy_c128 *d_out);
poy_status poyi_plane_permutation_pullback(poy_ctx *ctx, poy_poltype poltype, int n_turns, size_t n,
                                           const poy_c128 *vectors, const int *pol, const poy_c128 *g_out,
                                           poy_c128 *g_vectors);

/* out[n_points][n]: e^{i k.r} */
poy_status poyi_plane_phases(poy_ctx *ctx, size_t n_points, const double *points, size_t n, const poy_c128 *vectors,
                             poy_c128 *out);
poy_status poyi_plane_phases_pushforward(poy_ctx *ctx, size_t n_points, const double *points, size_t n,
                                         const poy_c128 *vectors, const double *d_points, const poy_c128 *d_vectors,
                                         poy_c128 *d_out);
poy_status poyi_plane_phases_pullback(poy_ctx *ctx, size_t n_points, const double *points, size_t n,
                                      const poy_c128 *vectors, const poy_c128 *g_out, double *g_points,
                                      poy_c128 *g_vectors);

/* ---- expansions (expand_diff.c) ---- */

/* A matrix between bases of multipoles: spherical or cylindrical from their own, spherical from regular cylindrical, and
 * with a period singular cylindrical from periodic spherical waves. */
typedef struct poyi_expansion {
    const poy_basis *destination, *source;
    poy_c128 ks[2]; /* of pol 0 and 1; parity needs equal ones */
    poy_poltype poltype;
    int singular;  /* singular sources in regular waves */
    double period; /* 0, or the period along z */
} poyi_expansion;

/* The distinct kz of the cylindrical modes, rising, into kz[room for both sizes]; their number. Derivatives by them move
 * all modes with that kz together. */
size_t poyi_expansion_axial(const poyi_expansion *e, double *kz);

/* Tangents and gradients of the inputs; positions [3 n], ks [2], axial as above. */
typedef struct poyi_expansion_inputs {
    double *destination, *source;
    poy_c128 *ks;
    double *axial;
    double *period;
} poyi_expansion_inputs;

poy_status poyi_expansion_value(poy_ctx *ctx, const poyi_expansion *e, poy_c128 *out);
poy_status poyi_expansion_pushforward(poy_ctx *ctx, const poyi_expansion *e, const poyi_expansion_inputs *d,
                                      poy_c128 *d_out);
poy_status poyi_expansion_pullback(poy_ctx *ctx, const poyi_expansion *e, const poy_c128 *g_out,
                                   const poyi_expansion_inputs *g);

/* Plane waves in regular multipoles, out[size][n]; wavevectors [3 n], the kz of cylindrical modes fixed. */
typedef struct poyi_incidence {
    const poy_basis *multipoles;
    size_t n;
    const poy_c128 *vectors;
    const int *pol;
    poy_poltype poltype;
} poyi_incidence;

poy_status poyi_incidence_value(poy_ctx *ctx, const poyi_incidence *e, poy_c128 *out);
poy_status poyi_incidence_pushforward(poy_ctx *ctx, const poyi_incidence *e, const double *d_positions,
                                      const poy_c128 *d_vectors, poy_c128 *d_out);
poy_status poyi_incidence_pullback(poy_ctx *ctx, const poyi_incidence *e, const poy_c128 *g_out, double *g_positions,
                                   poy_c128 *g_vectors);

/* Incidence on and emission from a periodic array: out[role][side][size][n], role 0 incidence and 1 emission (there the
 * transpose of poy_op_radiate), side 0 up and 1 down. Spherical: ports q = (kx, ky), a lattice in xy of cells of this
 * measure; cylindrical: ports q = (kz, kx) with kz a fixed label, a period along x. */
typedef struct poyi_channels {
    const poy_basis *multipoles;
    poy_c128 ks[2];
    size_t n;
    const double *q; /* [2 n] */
    const int *pol;  /* [n] */
    double measure;
    poy_poltype poltype;
} poyi_channels;

typedef struct poyi_channels_inputs {
    double *positions;
    poy_c128 *ks;
    double *q; /* NULL also: the ports are fixed, which may then be normal to the array */
    double *measure;
} poyi_channels_inputs;

/* Errors: also POY_ERR_THRESHOLD (a port grazes). */
poy_status poyi_channels_value(poy_ctx *ctx, const poyi_channels *c, poy_c128 *out);
poy_status poyi_channels_pushforward(poy_ctx *ctx, const poyi_channels *c, const poyi_channels_inputs *d,
                                     poy_c128 *d_out);
poy_status poyi_channels_pullback(poy_ctx *ctx, const poyi_channels *c, const poy_c128 *g_out,
                                  const poyi_channels_inputs *g);

/* ---- fields (field_diff.c) ---- */

/* E at points of multipoles (ks) or of plane waves (vectors [3 size], the basis gives their pols); with coefficients
 * [size] out[n][3], without the operator out[n][3][size]. */
typedef struct poyi_field_function {
    const poy_basis *basis;
    poy_c128 ks[2];
    const poy_c128 *vectors;
    poy_poltype poltype;
    int singular;
    const poy_c128 *coefficients;
    size_t n;
    const double *points;
} poyi_field_function;

typedef struct poyi_field_inputs {
    poy_c128 *coefficients;
    double *points, *positions;
    poy_c128 *ks;
    double *axial;     /* [size], kz of each cylindrical mode */
    poy_c128 *vectors; /* NULL also: fixed */
} poyi_field_inputs;

poy_status poyi_field_value(poy_ctx *ctx, const poyi_field_function *f, poy_c128 *out);
poy_status poyi_field_pushforward(poy_ctx *ctx, const poyi_field_function *f, const poyi_field_inputs *d,
                                  poy_c128 *d_out);
poy_status poyi_field_pullback(poy_ctx *ctx, const poyi_field_function *f, const poy_c128 *g_out,
                               const poyi_field_inputs *g);

#endif
