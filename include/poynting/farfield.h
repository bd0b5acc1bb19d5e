/* farfield.h: what scattered waves carry away: far field, Stokes parameters, momentum and angular momentum.
 *
 * Conventions as in tmatrix.h; spherical waves where nothing else is said, in lossless surroundings. Errors of all:
 * POY_ERR_UNSUPPORTED (surroundings that absorb or do not carry waves; the other family of waves), POY_ERR_ARGUMENT. */
#ifndef POYNTING_FARFIELD_H
#define POYNTING_FARFIELD_H

#include "poynting/tmatrix.h"

#ifdef __cplusplus
extern "C" {
#endif

/* E -> exp(i k r) / r sum over pol of f_pol e_pol for kr -> infinity in directions [3 n] (any length), e the polarisation vectors
 * of plane waves (poy_sf_vpw_*) and r from the origin of coordinates: out[n][2], pol 0 first, with the embedding's poltype. */
POY_API poy_status poy_far_field(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                 const poy_c128 *scattered, size_t n, const double *directions, poy_c128 *out);

/* The same of infinite cylinders, for the waves of one kz: E -> exp(i kz z) sum over pol of exp(i k_rho rho) / sqrt(rho) f_pol e_pol
 * for k_rho rho -> infinity at azimuths phi [n] (rad), e the polarisation vectors of plane waves along (k_rho cos phi,
 * k_rho sin phi, kz): out[n][2]. The scattered width per angle is |f_pol|^2 k_rho / k_pol, summed. Errors: also POY_ERR_ARGUMENT
 * (a kz that no mode has, or whose waves do not leave: |kz| >= k). */
POY_API poy_status poy_far_field_cylindrical(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                             const poy_c128 *scattered, double kz, size_t n, const double *phi,
                                             poy_c128 *out);

/* Stokes parameters of far amplitudes [n][2]: I = |E_theta|^2 + |E_phi|^2, Q = |E_theta|^2 - |E_phi|^2,
 * U = 2 Re(E_theta E_phi^*), V = positive minus negative helicity: out[n][4]. */
POY_API poy_status poy_stokes(poy_ctx *ctx, poy_poltype poltype, size_t n, const poy_c128 *amplitudes, double *out);

/* Mueller matrices out[n][4][4]: from the Stokes parameters of a plane wave from one direction, in its own theta and phi, to those
 * of r^2 times the scattered intensity in directions [3 n]. */
POY_API poy_status poy_cluster_mueller(poy_ctx *ctx, const poy_cluster *cluster, const double incident[3], size_t n,
                                       const double *directions, double *out);

/* The waves that excite each particle, spherical or cylindrical: incident + C scattered [size]. */
POY_API poy_status poy_cluster_exciting(poy_ctx *ctx, const poy_cluster *cluster, const poy_c128 *incident,
                                        const poy_c128 *scattered, poy_c128 *out);

/* Time-averaged force and torque on each particle, force[3 positions] and torque[3 positions] about its own origin, of the waves
 * that excite it and those it scatters: F = (n / c) S force and (n / c) S torque, S the intensity of a plane wave of amplitude 1
 * in these surroundings; areas and volumes. Of a plane wave along z on one particle force_z is extinction - <cos theta>
 * scattering. Either may be NULL. Source: momentum of the outgoing less that of the incoming waves, with the generators of
 * translations and rotations of spherical waves; e.g. Nieminen et al., J. Opt. A 9, S196 (2007). */
POY_API poy_status poy_scattered_forces(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                        const poy_c128 *exciting, const poy_c128 *scattered, double *force,
                                        double *torque);
/* The mean direction of the scattered power, sum over directions of f / |f| |E|^2 over that of |E|^2; one origin. Its part along
 * the incident direction is the asymmetry parameter. */
POY_API poy_status poy_scattered_asymmetry(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *basis,
                                           const poy_c128 *scattered, double out[3]);

#ifdef __cplusplus
}
#endif
#endif
