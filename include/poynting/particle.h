/* particle.h: how single layered spheres and infinite cylinders scatter.
 *
 * Conventions as in waves.h. A particle has layers >= 1 concentric interfaces and layers + 1 media from the inside to the
 * surroundings: epsilon, mu, kappa [layers + 1]. Coefficients c are of outgoing waves per regular wave of the same degree and
 * order, c[outgoing pol][incident pol], pol 0 first. Errors of all: POY_ERR_ARGUMENT (radii that do not rise from above 0, a
 * label out of range, not finite, epsilon or mu 0), POY_ERR_RANGE (|k r| outside 1e-100 .. 1e7; a coefficient beyond the
 * largest double, in absorbing surroundings). The checks come first; out is untouched where one fails.
 * Sources: Bohren and Huffman (1983), secs. 4.4, 8.1, 8.4; Bohren, Chem. Phys. Lett. 29, 458 (1974); Beutel,
 * Fernandez-Corbaton, Rockstuhl, Comput. Phys. Commun. 297, 109076 (2024). */
#ifndef POYNTING_PARTICLE_H
#define POYNTING_PARTICLE_H

#include "poynting/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n spheres, each of its own degree l [n], 1 <= l <= 128: x [n][layers] = k0 r; media [n][layers + 1]; out[n][2][2]. */
POY_API poy_status poy_mie(poy_ctx *ctx, size_t n, const int64_t *l, size_t layers, const double *x,
                           const poy_c128 *epsilon, const poy_c128 *mu, const poy_c128 *kappa, poy_c128 *out);
/* The same for all degrees 1 .. lmax <= 128 at once: out[n][lmax][2][2]. */
POY_API poy_status poy_mie_table(poy_ctx *ctx, size_t n, int64_t lmax, size_t layers, const double *x,
                                 const poy_c128 *epsilon, const poy_c128 *mu, const poy_c128 *kappa, poy_c128 *out);

/* n cylinders along z: waves e^{i kz z} of order m [n], |m| <= 128, at k0 [n]; radii [n][layers]. Also POY_ERR_ARGUMENT: kz is
 * the wavenumber of a medium, a branch point. */
POY_API poy_status poy_mie_cyl(poy_ctx *ctx, size_t n, const double *kz, const int64_t *m, const double *k0,
                               size_t layers, const double *radii, const poy_c128 *epsilon, const poy_c128 *mu,
                               const poy_c128 *kappa, poy_c128 *out);

/* Cross sections of a sphere without chirality over its geometrical one, in lossless surroundings, for any polarisation:
 * extinction, scattering, absorption (summed for itself, not as a difference), radar backscattering
 * |sum (2l + 1) (-1)^l (a_l - b_l)|^2 / x^2 (x = k r), and the asymmetry parameter <cos theta>. */
typedef struct poy_sphere_efficiency {
    double extinction, scattering, absorption, backscattering, asymmetry;
} poy_sphere_efficiency;

/* out[n]; degrees 1 .. lmax, or with lmax = 0 as many as x needs (x + 4.05 x^(1/3) + 8, Wiscombe (1980), and some more).
 * Errors: also POY_ERR_UNSUPPORTED (chirality; surroundings that absorb or do not carry waves). */
POY_API poy_status poy_sphere_efficiencies(poy_ctx *ctx, size_t n, int64_t lmax, size_t layers, const double *x,
                                           const poy_c128 *epsilon, const poy_c128 *mu, const poy_c128 *kappa,
                                           poy_sphere_efficiency *out);

/* ---- inside ---- */

/* Fields [3 n_points], as poy_wave_sample, inside of a sphere of layers with media [layers] at center, of the waves that excite
 * it: regular waves around it, in the order of poy_basis_sw_default(lmax). A point on a radius belongs to the layer within.
 * Source: continuity of the tangential fields, as Bohren and Huffman (1983), sec. 8.1, with both helicities.
 * Errors: also POY_ERR_ARGUMENT (a point outside), POY_ERR_RANGE (layers so lossy that waves fall by more than e^-700),
 * POY_ERR_UNSUPPORTED (media whose indices leave the principal branch). */
POY_API poy_status poy_sphere_interior(poy_ctx *ctx, const poy_embedding *embedding, int lmax, size_t layers,
                                       const double *radii, const poy_medium *media, const double center[3],
                                       const poy_c128 *exciting, poy_wave_field field, int pol, size_t n_points,
                                       const double *points, poy_c128 *out);
/* The same of a cylinder along z through center, of waves in the order of poy_basis_cw_default(kz, mmax). */
POY_API poy_status poy_cylinder_interior(poy_ctx *ctx, const poy_embedding *embedding, size_t n_kz, const double *kz,
                                         int mmax, size_t layers, const double *radii, const poy_medium *media,
                                         const double center[3], const poy_c128 *exciting, poy_wave_field field,
                                         int pol, size_t n_points, const double *points, poy_c128 *out);

#ifdef __cplusplus
}
#endif
#endif
