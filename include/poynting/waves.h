/* waves.h: vector waves of scattering: media, bases of modes, fields, expansions from one basis into another.
 *
 * Conventions. Time factor exp(-i omega t): loss is Im epsilon > 0, outgoing waves are Hankel functions of the first kind.
 * One length unit throughout, k0 = omega / c in its inverse. epsilon, mu, kappa and impedances are relative to vacuum:
 * (D / epsilon_0, c B) = [[epsilon, i kappa], [-i kappa, mu]] (E, Z_0 H). pol is 0 or 1 and s = 2 pol - 1: negative and
 * positive helicity, or with POY_PARITY the transverse electric wave M (0) and the transverse magnetic wave N (1).
 * Helicity waves are A = (N + s M) / sqrt(2) in every family; curl A = s k A, curl N = k M, curl M = k N. Matrices are
 * row-major: row = destination, column = source.
 *
 * Elementwise functions take arrays of n elements: labels int64_t, angles and real coordinates double, the rest pairs.
 * Errors of all: POY_ERR_ARGUMENT (a label or argument outside the domain, not finite, a pole or branch point; the account
 * names the first element at fault and out is untouched), POY_ERR_RANGE (a value is beyond the largest double; below the
 * smallest it is 0).
 * Accuracy: docs/vector-waves.md.
 * Sources: Beutel, Fernandez-Corbaton, Rockstuhl, Comput. Phys. Commun. 297, 109076 (2024); Cruzan (1962). */
#ifndef POYNTING_WAVES_H
#define POYNTING_WAVES_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum poy_poltype { POY_HELICITY, POY_PARITY } poy_poltype;

/* ---- media ---- */

/* An isotropic reciprocal medium. */
typedef struct poy_medium {
    poy_c128 epsilon, mu, kappa;
} poy_medium;

/* epsilon alone: mu = 1, kappa = 0. */
POY_API poy_medium poy_medium_dielectric(poy_c128 epsilon);
/* From the mean index and the impedance (NULL: 1 / n, so mu = 1): epsilon = n / Z, mu = n Z.
 * Errors: POY_ERR_ARGUMENT (n or Z is 0 or not finite). */
POY_API poy_status poy_medium_from_index(poy_ctx *ctx, poy_c128 n, const poy_c128 *impedance, poy_c128 kappa,
                                         poy_medium *out);
/* From the indices of negative and positive helicity: n is their mean, kappa half their difference. */
POY_API poy_status poy_medium_from_helicity_indices(poy_ctx *ctx, const poy_c128 n[2], const poy_c128 *impedance,
                                                    poy_medium *out);
/* n = sqrt(epsilon mu), the root with Im n >= 0 (principal where Im n = 0). Errors here and below: POY_ERR_ARGUMENT
 * (epsilon or mu is 0, a part is not finite, k0 is not a finite number above 0). */
POY_API poy_status poy_medium_index(poy_ctx *ctx, const poy_medium *medium, poy_c128 *n);
/* n_pol = sqrt(epsilon mu) + s kappa with the principal root, each with the sign of Im n_pol >= 0. */
POY_API poy_status poy_medium_indices(poy_ctx *ctx, const poy_medium *medium, poy_c128 n[2]);
/* Z = sqrt(mu / epsilon), principal. */
POY_API poy_status poy_medium_impedance(poy_ctx *ctx, const poy_medium *medium, poy_c128 *impedance);
/* k_pol = k0 n_pol */
POY_API poy_status poy_medium_ks(poy_ctx *ctx, const poy_medium *medium, double k0, poy_c128 ks[2]);
POY_API int poy_medium_is_chiral(const poy_medium *medium); /* kappa != 0 */
POY_API int poy_medium_is_real(const poy_medium *medium);   /* no part is complex */

/* Normal wavenumbers: kz = sqrt(k^2 - kx^2 - ky^2) with Im kz >= 0, and Re kz >= 0 where kz is real. With ky = 0 it is
 * the radial wavenumber k_rho of an axial one kx. */
POY_API poy_status poy_wave_vec_z(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *k,
                                  poy_c128 *out);

/* ---- vector waves, three components each: out[3 n] ----
 * gamma_lm = i sqrt((2l + 1) / (4 pi l (l + 1)) (l - m)! / (l + m)!). Degrees 0 <= l <= 128, |m| <= l. */

/* Spherical harmonics (r, theta, phi): X = gamma e^{i m phi} (0, i pi_lm, -tau_lm), Y = gamma e^{i m phi} (0, tau_lm,
 * i pi_lm), Z = i Y_lm (1, 0, 0). */
#define POY_VSH(name)                                                                                \
    POY_API poy_status poy_sf_vsh_##name(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, \
                                         const poy_c128 *theta, const double *phi, poy_c128 *out)
POY_VSH(X);
POY_VSH(Y);
POY_VSH(Z);
#undef POY_VSH

/* Spherical waves (r, theta, phi) at x = k r: M = z_l X, N = (z_l' + z_l / x) Y + sqrt(l (l + 1)) z_l / x Z; z_l = h_l^(1),
 * with r in the name j_l. Pole at x = 0 without r. */
#define POY_VSW(name)                                                                                \
    POY_API poy_status poy_sf_vsw_##name(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, \
                                         const poy_c128 *x, const poy_c128 *theta, const double *phi, poy_c128 *out)
POY_VSW(M);
POY_VSW(N);
POY_VSW(rM);
POY_VSW(rN);
#undef POY_VSW
POY_API poy_status poy_sf_vsw_A(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *x,
                                const poy_c128 *theta, const double *phi, const int64_t *pol, poy_c128 *out);
POY_API poy_status poy_sf_vsw_rA(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const poy_c128 *x,
                                 const poy_c128 *theta, const double *phi, const int64_t *pol, poy_c128 *out);

/* Cylindrical waves (rho, phi, z) at x = k_rho rho, |m| <= 128: M = e^{i (m phi + kz z)} (i m F_m / x, -F_m', 0),
 * N = e^{i (m phi + kz z)} / k (i kz F_m', -m kz F_m / x, k_rho F_m), k_rho = sqrt(k^2 - kz^2) as poy_wave_vec_z;
 * F = H^(1), with r in the name J. Pole at x = 0 without r. */
POY_API poy_status poy_sf_vcw_M(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x,
                                const double *phi, const double *z, poy_c128 *out);
POY_API poy_status poy_sf_vcw_rM(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x,
                                 const double *phi, const double *z, poy_c128 *out);
POY_API poy_status poy_sf_vcw_N(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x,
                                const double *phi, const double *z, const poy_c128 *k, poy_c128 *out);
POY_API poy_status poy_sf_vcw_rN(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x,
                                 const double *phi, const double *z, const poy_c128 *k, poy_c128 *out);
POY_API poy_status poy_sf_vcw_A(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x,
                                const double *phi, const double *z, const poy_c128 *k, const int64_t *pol,
                                poy_c128 *out);
POY_API poy_status poy_sf_vcw_rA(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const poy_c128 *x,
                                 const double *phi, const double *z, const poy_c128 *k, const int64_t *pol,
                                 poy_c128 *out);

/* Plane waves, Cartesian: M = e^{i k.r} (i ky, -i kx, 0) / q, N = e^{i k.r} (-kx kz, -ky kz, q^2) / (k q),
 * q = sqrt(kx^2 + ky^2), k = sqrt(k.k), both principal. q = 0: M = (0, -i, 0) e^{i k.r}, N = (-sign, 0, 0) e^{i k.r}, sign
 * that of Re kz where kz is real, else that of Im kz. k.k = 0: POY_ERR_ARGUMENT. */
POY_API poy_status poy_sf_vpw_M(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                                const double *x, const double *y, const double *z, poy_c128 *out);
POY_API poy_status poy_sf_vpw_N(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                                const double *x, const double *y, const double *z, poy_c128 *out);
POY_API poy_status poy_sf_vpw_A(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                                const double *x, const double *y, const double *z, const int64_t *pol, poy_c128 *out);

/* ---- coefficients between single modes ----
 * Destination labels first. Spherical degrees 1 <= l <= 128, |m| <= l; cylindrical |m| <= 128. */

/* Translation of spherical waves by d = r_destination - r_source, kr = k |d|: the part A between equal parities and the
 * part B between different ones, singular (z = h^(1), pole at 0) or with r in the name regular (z = j). */
#define POY_TL_VSW(name)                                                                                      \
    POY_API poy_status poy_sf_tl_vsw_##name(poy_ctx *ctx, size_t n, const int64_t *lambda, const int64_t *mu, \
                                            const int64_t *l, const int64_t *m, const poy_c128 *kr,           \
                                            const double *theta, const double *phi, poy_c128 *out)
POY_TL_VSW(A);
POY_TL_VSW(B);
POY_TL_VSW(rA);
POY_TL_VSW(rB);
#undef POY_TL_VSW
/* Translation of cylindrical waves, order mu from m: F_{m - mu}(k_rho rho) e^{i ((m - mu) phi + kz z)} where kz = qz,
 * else 0; F = H^(1) (pole at 0) or with r J. */
POY_API poy_status poy_sf_tl_vcw(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const double *qz,
                                 const int64_t *m, const poy_c128 *krr, const double *phi, const double *z,
                                 poy_c128 *out);
POY_API poy_status poy_sf_tl_vcw_r(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const double *qz,
                                   const int64_t *m, const poy_c128 *krr, const double *phi, const double *z,
                                   poy_c128 *out);

/* Spherical to spherical by a displacement; singular nonzero: singular waves at the source into regular ones, else regular
 * into regular. Singular with |kr| < 1e-16: 0 (coincident modes). */
POY_API poy_status poy_sw_translate(poy_ctx *ctx, size_t n, const int64_t *lambda, const int64_t *mu,
                                    const int64_t *pol, const int64_t *l, const int64_t *m, const int64_t *qol,
                                    const poy_c128 *kr, const double *theta, const double *phi, poy_poltype poltype,
                                    int singular, poy_c128 *out);
/* D^l_{mu m}(phi, theta, psi) between equal degrees and polarisations, z-y-z angles; it turns the object. */
POY_API poy_status poy_sw_rotate(poy_ctx *ctx, size_t n, const int64_t *lambda, const int64_t *mu, const int64_t *pol,
                                 const int64_t *l, const int64_t *m, const int64_t *qol, const double *phi,
                                 const double *theta, const double *psi, poy_c128 *out);
/* Singular waves repeated on a plane lattice at z = 0 with cells of this area, as a plane wave (kx, ky, kz).
 * Also POY_ERR_THRESHOLD (kz = 0: grazing emission). */
POY_API poy_status poy_sw_periodic_to_pw(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky,
                                         const poy_c128 *kz, const int64_t *pol, const int64_t *l, const int64_t *m,
                                         const int64_t *qol, const double *area, poy_poltype poltype, poy_c128 *out);
/* Singular waves repeated along z with this period, as a singular cylindrical wave (kz, m). */
POY_API poy_status poy_sw_periodic_to_cw(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const int64_t *pol,
                                         const int64_t *l, const int64_t *mu, const int64_t *qol, const poy_c128 *k,
                                         const double *period, poy_poltype poltype, poy_c128 *out);
/* Cylindrical to cylindrical; singular with krr = 0: 0. */
POY_API poy_status poy_cw_translate(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const int64_t *pol,
                                    const double *qz, const int64_t *m, const int64_t *qol, const poy_c128 *krr,
                                    const double *phi, const double *z, int singular, poy_c128 *out);
POY_API poy_status poy_cw_rotate(poy_ctx *ctx, size_t n, const double *kz, const int64_t *mu, const int64_t *pol,
                                 const double *qz, const int64_t *m, const int64_t *qol, const double *phi,
                                 poy_c128 *out);
/* Regular cylindrical into regular spherical waves of one origin. */
POY_API poy_status poy_cw_to_sw(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *polsw,
                                const double *kz, const int64_t *mu, const int64_t *polcw, const poy_c128 *k,
                                poy_poltype poltype, poy_c128 *out);
/* Singular cylindrical waves repeated along x with this period, as a plane wave. Also POY_ERR_THRESHOLD (ky = 0). */
POY_API poy_status poy_cw_periodic_to_pw(poy_ctx *ctx, size_t n, const double *kx, const poy_c128 *ky, const double *kz,
                                         const int64_t *pol, const double *qz, const int64_t *m, const int64_t *qol,
                                         const double *period, poy_c128 *out);
/* e^{i k.r} */
POY_API poy_status poy_pw_translate(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz,
                                    const double *x, const double *y, const double *z, poy_c128 *out);
/* Plane into regular spherical waves about the origin. */
POY_API poy_status poy_pw_to_sw(poy_ctx *ctx, size_t n, const int64_t *l, const int64_t *m, const int64_t *polsw,
                                const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kz, const int64_t *polpw,
                                poy_poltype poltype, poy_c128 *out);
/* Plane into regular cylindrical waves about the z axis, where kz is the same. */
POY_API poy_status poy_pw_to_cw(poy_ctx *ctx, size_t n, const double *kzcw, const int64_t *m, const int64_t *polcw,
                                const poy_c128 *kx, const poy_c128 *ky, const poy_c128 *kzpw, const int64_t *polpw,
                                poy_c128 *out);
/* Amplitude of pol p in the axes (x', y', z') = (z, x, y) of a plane wave of pol q; inverse nonzero: (y, z, x). */
POY_API poy_status poy_pw_permute_xyz(poy_ctx *ctx, size_t n, const poy_c128 *kx, const poy_c128 *ky,
                                      const poy_c128 *kz, const int64_t *p, const int64_t *q, poy_poltype poltype,
                                      int inverse, poy_c128 *out);

/* ---- bases: ordered, distinct modes ---- */

typedef struct poy_basis poy_basis; /* immutable, counted */

typedef enum poy_basis_kind {
    POY_BASIS_SPHERICAL,
    POY_BASIS_CYLINDRICAL,
    POY_BASIS_PLANE, /* directions q, unit in the algebraic norm q.q = 1, may be complex */
    POY_BASIS_PORTS, /* two real components of the wavevector; the third follows from the medium and up or down */
} poy_basis_kind;

/* The stored components of ports, and the normal that is left. */
typedef enum poy_alignment { POY_XY, POY_YZ, POY_ZX } poy_alignment;

/* A mode; what its family does not name is 0. */
typedef struct poy_wave_mode {
    int32_t particle, l, m, pol;
    double kz;           /* cylindrical */
    poy_c128 q[3];       /* plane */
    double component[2]; /* ports, in the order of the alignment's letters */
} poy_wave_mode;

enum { POY_DEGREE_MAX = 128 };

/* n modes of a family at n_positions origins [3 n_positions] (NULL: one origin, or all zero). Copies. Order is kept.
 * Errors: POY_ERR_ARGUMENT (a label out of range: l in 1..128, |m| <= l, cylindrical |m| <= 128, pol 0 or 1, a particle
 * without a position; not finite; a mode twice). */
POY_API poy_status poy_basis_sw_create(poy_ctx *ctx, size_t n, const poy_wave_mode *modes, size_t n_positions,
                                       const double *positions, poy_basis **out);
POY_API poy_status poy_basis_cw_create(poy_ctx *ctx, size_t n, const poy_wave_mode *modes, size_t n_positions,
                                       const double *positions, poy_basis **out);
/* Directions are normalised. Errors: also a direction with q.q = 0. */
POY_API poy_status poy_basis_pw_create(poy_ctx *ctx, size_t n, const poy_wave_mode *modes, poy_basis **out);
POY_API poy_status poy_ports_create(poy_ctx *ctx, poy_alignment alignment, size_t n, const poy_wave_mode *modes,
                                    poy_basis **out);

/* particle, l = 1..lmax, m = -l..l, then pol 1 before pol 0: 2 lmax (lmax + 2) n_positions modes. */
POY_API poy_status poy_basis_sw_default(poy_ctx *ctx, int lmax, size_t n_positions, const double *positions,
                                        poy_basis **out);
/* particle, m = -mmax..mmax, l = max(1, |m|)..lmax, pol 1, 0; mmax < 0: lmax. */
POY_API poy_status poy_basis_sw_ebcm(poy_ctx *ctx, int lmax, int mmax, size_t n_positions, const double *positions,
                                     poy_basis **out);
/* particle, kz in the given order, m = -mmax..mmax, pol 1, 0. */
POY_API poy_status poy_basis_cw_default(poy_ctx *ctx, size_t n_kz, const double *kz, int mmax, size_t n_positions,
                                        const double *positions, poy_basis **out);
/* poy_basis_cw_default with kz + 2 pi j / period for all |2 pi j / period| <= bmax, rising in j. */
POY_API poy_status poy_basis_cw_diffr_orders(poy_ctx *ctx, double kz, int mmax, double period, double bmax,
                                             size_t n_positions, const double *positions, poy_basis **out);
/* Directions q [3 n], pol 1 and 0 of each. */
POY_API poy_status poy_basis_pw_default(poy_ctx *ctx, size_t n, const poy_c128 *q, poy_basis **out);
/* Components [2 n], pol 1 and 0 of each. */
POY_API poy_status poy_ports_default(poy_ctx *ctx, poy_alignment alignment, size_t n, const double *components,
                                     poy_basis **out);
/* kpar + G, G = i b_1 + j b_2 the reciprocal vectors |G| <= bmax (to 8 ulp) of the lattice with rows a[0], a[1]: every one,
 * also of skew cells. (0, 0), then (0, j), (0, -j) for j = 1, 2, ..., then for i = 1, 2, ... (i, 0), (i, 1), ..., (i, -1),
 * (i, -2), ..., each followed by its opposite; pol 1 and 0 of each. Errors: also a cell without area. */
POY_API poy_status poy_ports_diffr_orders(poy_ctx *ctx, poy_alignment alignment, const double kpar[2],
                                          const double a[2][2], double bmax, poy_basis **out);
/* The same with |kpar + G| <= kmax: all orders that propagate where k = kmax. (0, 0) first if it is one of them, then by rising
 * (i, j). dim 2: rows of a [4]; dim 1, a grating: a [1] is the period along the second component, and |kpar_2 + G| counts
 * (ports zx: kz is fixed, the period along x). Errors: also more than 10^4 orders along a row. */
POY_API poy_status poy_ports_within(poy_ctx *ctx, poy_alignment alignment, const double kpar[2], int dim,
                                    const double *a, double kmax, poy_basis **out);

POY_API poy_basis *poy_basis_retain(poy_basis *basis);
POY_API void poy_basis_destroy(poy_basis **basis);

POY_API poy_basis_kind poy_basis_get_kind(const poy_basis *basis);
POY_API poy_alignment poy_basis_alignment(const poy_basis *basis); /* of ports */
POY_API size_t poy_basis_size(const poy_basis *basis);
POY_API const poy_wave_mode *poy_basis_modes(const poy_basis *basis);
POY_API size_t poy_basis_position_count(const poy_basis *basis);
POY_API const double *poy_basis_positions(const poy_basis *basis); /* [3 position_count] */
POY_API int poy_basis_is_global(const poy_basis *basis);           /* every mode has the same particle */
POY_API int64_t poy_basis_find(const poy_basis *basis, const poy_wave_mode *mode); /* its index, -1: none */
POY_API int poy_basis_is_disjoint(const poy_basis *basis, const poy_basis *other); /* no label in common */
POY_API size_t poy_basis_sw_default_size(int lmax, size_t n_positions);
POY_API int poy_basis_sw_default_lmax(size_t size, size_t n_positions); /* -1: not a complete basis */
POY_API size_t poy_basis_cw_default_size(size_t n_kz, int mmax, size_t n_positions);
POY_API int poy_basis_cw_default_mmax(size_t size, size_t n_kz, size_t n_positions); /* -1 likewise */

/* Plane waves and ports turned about z by phi (ports: alignment xy), or with n cyclic permutations x -> y -> z; the
 * coefficients that go with it are those of poy_op_rotate and poy_op_permute. */
POY_API poy_status poy_basis_rotated(poy_ctx *ctx, const poy_basis *basis, double phi, poy_basis **out);
POY_API poy_status poy_basis_permuted(poy_ctx *ctx, const poy_basis *basis, int n, poy_basis **out);

/* ---- waves in an embedding ---- */

/* The frequency, what is around, and what pol means. Errors of all that follows: POY_ERR_ARGUMENT (k0 not a finite number
 * above 0, epsilon or mu 0), POY_ERR_UNSUPPORTED (parity in a chiral medium; plane waves in a medium whose indices leave
 * the principal branch, as with epsilon = mu = -1; families that no expansion joins). */
typedef struct poy_embedding {
    double k0;
    poy_medium medium;
    poy_poltype poltype;
} poy_embedding;

/* Regular or singular multipoles, up or down (along and against the normal) ports; plane bases ignore it. */
typedef enum poy_modetype { POY_REGULAR, POY_SINGULAR, POY_UP, POY_DOWN } poy_modetype;

/* Wavevectors [3 size] of a plane basis or of ports. */
POY_API poy_status poy_basis_kvecs(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                   poy_modetype modetype, poy_c128 *out);
/* Ports as a plane basis, and the reverse (the components have to be real). */
POY_API poy_status poy_basis_by_unit_vector(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *ports,
                                            poy_modetype modetype, poy_basis **out);
POY_API poy_status poy_basis_by_component(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *plane,
                                          poy_alignment alignment, poy_basis **out);

/* Coefficients of waves of a source basis in a destination basis, out[size of destination][size of source]:
 * spherical <- spherical and cylindrical <- cylindrical (regular <- regular, singular <- singular: the regular addition
 * theorem; regular <- singular: modes of coincident origins do not couple), spherical <- cylindrical (regular), multipoles
 * <- plane (regular), plane <- plane (1 where wavevector and pol agree). All pairs of origins.
 * Errors: also POY_ERR_RANGE where a factor h_p(k d) Y_pq of an entry is beyond the largest double. */
POY_API poy_status poy_op_expand(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *destination,
                                 poy_modetype destination_type, const poy_basis *source, poy_modetype source_type,
                                 poy_c128 *out);
/* The same waves about origins displaced by r, equal particles only; plane waves: e^{i k.r}. */
POY_API poy_status poy_op_translate(poy_ctx *ctx, const poy_embedding *embedding, const double r[3],
                                    const poy_basis *destination, const poy_basis *source, poy_modetype modetype,
                                    poy_c128 *out);
/* Rotation by z-y-z angles (phi, theta, psi) about each origin; cylindrical and plane waves: theta = 0. */
POY_API poy_status poy_op_rotate(poy_ctx *ctx, const double angles[3], const poy_basis *destination,
                                 const poy_basis *source, poy_c128 *out);
/* n cyclic permutations x -> y -> z of plane waves; the modes of the result are those of poy_basis_permuted. */
POY_API poy_status poy_op_permute(poy_ctx *ctx, const poy_embedding *embedding, int n, const poy_basis *basis,
                                  poy_modetype modetype, poy_c128 *out);
/* From helicity to parity and back: 1 / sqrt(2) between equal other labels, - 1 / sqrt(2) where both pol are 0. */
POY_API poy_status poy_op_changepoltype(poy_ctx *ctx, const poy_basis *destination, const poy_basis *source,
                                        double *out);
/* 1 where the labels are equal, else 0. */
POY_API poy_status poy_op_pickmodes(poy_ctx *ctx, const poy_basis *destination, const poy_basis *source, double *out);

/* Fields: E, Z_0 H, D / epsilon_0, c B; G = E +- i Z Z_0 H and F (each helicity weighted with n_pol / n) of a helicity,
 * scaled so that G of one wave of that helicity is its E (spherical waves: sqrt(2) E); twice that in parity. */
typedef enum poy_wave_field { POY_WAVE_E, POY_WAVE_H, POY_WAVE_D, POY_WAVE_B, POY_WAVE_G, POY_WAVE_F } poy_wave_field;

/* Cartesian samples [3 n_points] of the waves with these coefficients [size] at points [3 n_points]. pol: helicity 0 or 1
 * of G and F, else ignored. Also POY_ERR_ARGUMENT (a point in the origin or on the axis of singular waves). */
POY_API poy_status poy_wave_sample(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                   poy_modetype modetype, const poy_c128 *coefficients, poy_wave_field field, int pol,
                                   size_t n_points, const double *points, poy_c128 *out);
/* The same for each mode alone: out[n_points][3][size]. */
POY_API poy_status poy_op_field(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                poy_modetype modetype, poy_wave_field field, int pol, size_t n_points,
                                const double *points, poy_c128 *out);

/* Points origin + i step[0] + j step[1] + k step[2], k fastest. */
typedef struct poy_points {
    double origin[3], step[3][3];
    size_t count[3];
} poy_points;
/* poy_wave_sample on a grid: out[count[0]][count[1]][count[2]][3], without storing the points. */
POY_API poy_status poy_wave_sample_grid(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                        poy_modetype modetype, const poy_c128 *coefficients, poy_wave_field field,
                                        int pol, const poy_points *points, poy_c128 *out);

/* ---- periodic arrays: what an infinite array of multipoles radiates ---- */

/* Destination waves per singular source wave that repeats with the Bloch phase of the destination: spherical -> ports xy
 * (measure: area of the cell, positions enter by e^{-i k.r}), spherical -> cylindrical (singular; period along z),
 * cylindrical -> ports zx (period along x). side: up or down for ports. Errors: also POY_ERR_THRESHOLD (a port grazes). */
POY_API poy_status poy_op_radiate(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *destination,
                                  poy_modetype side, const poy_basis *source, double measure, poy_c128 *out);

#ifdef __cplusplus
}
#endif
#endif
