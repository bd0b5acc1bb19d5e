/* tmatrix.h: T-matrices, clusters of them, and what they scatter.
 *
 * Conventions as in waves.h. A T-matrix takes the coefficients of regular incident waves to those of outgoing waves in one basis
 * of multipoles: p = T a, row-major. A basis with several positions has the waves of each particle about its own origin: then a
 * holds the incident waves as each particle sees them, and T holds all scattering among the particles. Overlapping circumscribed
 * spheres are accepted: radii are not known here.
 * Errors of all: POY_ERR_ARGUMENT (not finite, k0 not above 0, sizes that do not fit), POY_ERR_UNSUPPORTED as poy_embedding
 * says, POY_ERR_BUDGET, POY_ERR_MEMORY. Source: Beutel, Fernandez-Corbaton, Rockstuhl, Comput. Phys. Commun. 297, 109076 (2024). */
#ifndef POYNTING_TMATRIX_H
#define POYNTING_TMATRIX_H

#include "poynting/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_tmatrix poy_tmatrix; /* immutable, counted */

/* Copies t[rows][cols]; basis NULL: the complete spherical one of this size at the origin. Errors: also POY_ERR_ARGUMENT (not
 * square, no complete basis of this size, a plane basis, not finite). */
POY_API poy_status poy_tmatrix_create(poy_ctx *ctx, const poy_embedding *embedding, poy_basis *basis, size_t rows,
                                      size_t cols, const poy_c128 *t, poy_tmatrix **out);
/* A sphere of layers >= 1 at the origin: rising radii, media [layers] from the inside. Errors: those of poy_mie_table. */
POY_API poy_status poy_tmatrix_sphere(poy_ctx *ctx, const poy_embedding *embedding, int lmax, size_t layers,
                                      const double *radii, const poy_medium *media, poy_tmatrix **out);
/* A cylinder along z for these kz, |m| <= mmax. Errors: those of poy_mie_cyl. */
POY_API poy_status poy_tmatrix_cylinder(poy_ctx *ctx, const poy_embedding *embedding, size_t n_kz, const double *kz,
                                        int mmax, size_t layers, const double *radii, const poy_medium *media,
                                        poy_tmatrix **out);

/* A surface r(theta) about the z axis, above 0 and smooth but for edges. */
typedef enum poy_profile_kind {
    POY_PROFILE_SPHEROID,       /* a across, c along z: r = a c / sqrt(c^2 sin^2 + a^2 cos^2); parameter a, c */
    POY_PROFILE_CHEBYSHEV,      /* r = a (1 + c cos(n theta)); parameter a, c, n */
    POY_PROFILE_SUPERELLIPSOID, /* (rho / a)^(2 / e) + (z / c)^(2 / e) = 1; parameter a, c, e */
    POY_PROFILE_FUNCTION,
} poy_profile_kind;
typedef struct poy_profile {
    poy_profile_kind kind;
    double parameter[3];
    /* of FUNCTION: r and dr / dtheta at theta in (0, pi) */
    void (*function)(void *user, double theta, double *r, double *slope);
    void *user;
    int nodes; /* of Gauss and Legendre over theta; 0: 96, or 6 lmax if that is more */
} poy_profile;
/* A homogeneous body of this surface by the extended boundary condition method (null field method), degrees up to lmax, orders
 * |m| <= mmax (below 0: lmax). Reliable for bodies that are not far from spheres: Q becomes singular to working precision as
 * lmax and the aspect ratio grow; compare two lmax. Order of modes: that of poy_basis_sw_default, with mmax < lmax of
 * poy_basis_sw_ebcm. Errors: also POY_ERR_ARGUMENT (a parameter or radius not above 0, nodes), POY_ERR_SINGULAR, POY_ERR_RANGE.
 * Source: Waterman, Phys. Rev. D 3, 825 (1971), with the radial factor of the surface element. */
POY_API poy_status poy_tmatrix_axisymmetric(poy_ctx *ctx, const poy_embedding *embedding, int lmax, int mmax,
                                            const poy_profile *profile, const poy_medium *inside, poy_tmatrix **out);

/* T-matrices of a file in the format tmat.h5 v1, one for each point of its sweep (the leading axes in row-major order), at most
 * most of them into out; *count is how many there are. Lengths come in metres / unit (1e-9: nanometres). Sets of incident and
 * scattered modes that differ become one basis with zeros; several positions stay. Errors: POY_ERR_IO (no such file, not
 * HDF5), POY_ERR_ARGUMENT (what the file lacks, or a unit, polarisation or shape that is unknown). */
POY_API poy_status poy_tmatrix_load(poy_ctx *ctx, const char *path, double unit, size_t most, poy_tmatrix **out,
                                    size_t *count);
/* Texts of a file; NULL: none. */
typedef struct poy_tmatrix_text {
    const char *name, *description, *keywords; /* keywords: "passive, reciprocal" and so on */
} poy_tmatrix_text;
/* Writes n T-matrices of the same modes and positions as a sweep, in units that have a name (1e-9: nm). text may be NULL. The
 * file appears when it is whole. Errors: POY_ERR_ARGUMENT (others; a unit without a name; cylindrical waves), POY_ERR_IO. */
POY_API poy_status poy_tmatrix_save(poy_ctx *ctx, const char *path, double unit, size_t n, poy_tmatrix *const *t,
                                    const poy_tmatrix_text *text);

POY_API poy_tmatrix *poy_tmatrix_retain(poy_tmatrix *t);
POY_API void poy_tmatrix_destroy(poy_tmatrix **t);

POY_API const poy_embedding *poy_tmatrix_embedding(const poy_tmatrix *t);
POY_API poy_basis *poy_tmatrix_basis(const poy_tmatrix *t); /* borrowed */
POY_API size_t poy_tmatrix_size(const poy_tmatrix *t);
POY_API const poy_c128 *poy_tmatrix_values(const poy_tmatrix *t); /* [size][size] */

/* The T-matrix in other waves, E T E' with the regular expansions E from and E' to its basis: of a cluster about one origin the
 * T-matrix of the whole, valid outside the sphere around all of it and complete only with degrees enough. */
POY_API poy_status poy_tmatrix_in_basis(poy_ctx *ctx, const poy_tmatrix *t, poy_basis *basis, poy_tmatrix **out);
/* R T R^-1, each particle turned about its own origin by z-y-z angles; cylinders about z only. */
POY_API poy_status poy_tmatrix_rotate(poy_ctx *ctx, const poy_tmatrix *t, const double angles[3], poy_tmatrix **out);
/* The same particle in waves about an origin displaced by r. */
POY_API poy_status poy_tmatrix_translate(poy_ctx *ctx, const poy_tmatrix *t, const double r[3], poy_tmatrix **out);
/* The same with helicity or parity waves. */
POY_API poy_status poy_tmatrix_changepoltype(poy_ctx *ctx, const poy_tmatrix *t, poy_poltype poltype,
                                             poy_tmatrix **out);

/* ---- clusters ---- */

typedef struct poy_cluster poy_cluster; /* particles that do not interact yet; immutable, counted */

/* n T-matrices, each about one origin, at positions [3 n_positions]. Errors: also POY_ERR_ARGUMENT (n is not n_positions; one
 * that has several origins; different k0, medium, poltype or kind of waves; coincident positions). */
POY_API poy_status poy_cluster_create(poy_ctx *ctx, size_t n, poy_tmatrix *const *particles, size_t n_positions,
                                      const double *positions, poy_cluster **out);
POY_API poy_cluster *poy_cluster_retain(poy_cluster *c);
POY_API void poy_cluster_destroy(poy_cluster **c);
POY_API poy_basis *poy_cluster_basis(const poy_cluster *c); /* borrowed */
POY_API const poy_embedding *poy_cluster_embedding(const poy_cluster *c);
/* The particles without interaction, block diagonal. */
POY_API poy_status poy_cluster_local(poy_ctx *ctx, const poy_cluster *c, poy_tmatrix **out);
/* X = (1 - T C)^-1 T, C the singular translations between the particles. Errors: also POY_ERR_SINGULAR. */
POY_API poy_status poy_cluster_solve(poy_ctx *ctx, const poy_cluster *c, poy_tmatrix **out);
/* scattered[size][columns] = X incident[size][columns], without X. */
POY_API poy_status poy_cluster_scatter(poy_ctx *ctx, const poy_cluster *c, size_t columns, const poy_c128 *incident,
                                       poy_c128 *scattered);

/* The factors of a cluster, for many calls. */
typedef struct poy_factor poy_factor; /* immutable, counted */
POY_API poy_status poy_factor_create(poy_ctx *ctx, const poy_cluster *c, poy_factor **out);
POY_API poy_factor *poy_factor_retain(poy_factor *f);
POY_API void poy_factor_destroy(poy_factor **f);
POY_API poy_status poy_factor_scatter(poy_ctx *ctx, const poy_factor *f, size_t columns, const poy_c128 *incident,
                                      poy_c128 *scattered);

/* The same without matrix or factors, for large clusters of spherical waves: GMRES with the particles' T-matrices as block
 * preconditioner; memory grows with the pairs of particles times (2 lmax + 1)^2. */
typedef struct poy_iteration {
    size_t size; /* sizeof(poy_iteration) */
    double rtol; /* of |T a - (1 - T C) p| / |T a| */
    int restart, max_iterations;
} poy_iteration;
typedef struct poy_convergence {
    int converged, iterations;
    double residual, rhs; /* norms; the residual is computed anew at the end */
} poy_convergence;
POY_API void poy_iteration_init(poy_iteration *options); /* 1e-10, 30, 300 */
/* scattered[size][columns], convergence[columns]; options NULL: the initial ones. Not converged is no failure: see there.
 * Errors: also POY_ERR_UNSUPPORTED (cylindrical waves), POY_ERR_RANGE (particles too close for their degrees). */
POY_API poy_status poy_cluster_iterate(poy_ctx *ctx, const poy_cluster *c, const poy_iteration *options, size_t columns,
                                       const poy_c128 *incident, poy_c128 *scattered, poy_convergence *convergence);

/* ---- cross sections ---- */

/* Areas, of cylinders widths (per length). */
typedef struct poy_cross_sections {
    double scattering, extinction, absorption; /* absorption: extinction - scattering */
} poy_cross_sections;

/* Of an incident wave a [size] with this flux (0.5: a plane wave of amplitude 1). Spheres: scattering 0.5 / flux Re sum p_i^*
 * C_ij p_j / k_j^2, extinction -0.5 / flux Re sum a_i^* p_i / k_i^2; cylinders: the same with 2 / flux and 1 / k, evanescent
 * waves apart; C the regular expansion of the basis in itself. Errors: also POY_ERR_UNSUPPORTED (surroundings that absorb or
 * do not carry waves: there is no far field). */
POY_API poy_status poy_tmatrix_cross_sections(poy_ctx *ctx, const poy_tmatrix *t, const poy_c128 *incident, double flux,
                                              poy_cross_sections *out);
/* The same of coefficients that are known already. */
POY_API poy_status poy_scattered_cross_sections(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                                const poy_c128 *incident, const poy_c128 *scattered, double flux,
                                                poy_cross_sections *out);
/* The mean over all directions (cylinders: azimuths of each kz) and polarisations of plane waves; one origin only. */
POY_API poy_status poy_tmatrix_average(poy_ctx *ctx, const poy_tmatrix *t, poy_cross_sections *out);

/* ---- handedness of a T-matrix of helicity about one origin; POY_ERR_UNSUPPORTED without these, POY_ERR_ARGUMENT where the
 * T-matrix is 0 ---- */

/* (A_1 - A_0) / (A_1 + A_0) of the mean absorption A_p of helicity p; one that absorbs nothing: POY_ERR_ARGUMENT. */
POY_API poy_status poy_tmatrix_circular_dichroism(poy_ctx *ctx, const poy_tmatrix *t, double *out);
/* The share of |T|^2 that changes the helicity. */
POY_API poy_status poy_tmatrix_duality_breaking(poy_ctx *ctx, const poy_tmatrix *t, double *out);
/* |sv(T_11), sv(T_10) - sv(T_00), sv(T_01)| / |T|: falling singular values of the blocks (T_pq: rows p), zero for what is equal
 * to its mirror image. Source: Fernandez-Corbaton, Fruhnert, Rockstuhl, Phys. Rev. X 6, 031013 (2016). */
POY_API poy_status poy_tmatrix_electromagnetic_chirality(poy_ctx *ctx, const poy_tmatrix *t, double *out);

/* valid[i] = 1 where a point [3 n] is farther from each position than its radius [positions]; distances of cylinders in xy. */
POY_API poy_status poy_basis_valid_points(poy_ctx *ctx, const poy_basis *basis, const double *radii, size_t n,
                                          const double *points, unsigned char *valid);

#ifdef __cplusplus
}
#endif
#endif
