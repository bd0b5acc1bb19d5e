/* smatrix.h: S-matrices of what lies between two planes: interfaces, layers, arrays, and stacks of them.
 *
 * Conventions as in waves.h. Ports are pairs of transverse components and a pol; up (0) is along their normal, down (1)
 * against it. S[out][in] takes amplitudes of waves that come in to those that go out: S[0][0] transmits up, S[1][0] reflects
 * what comes from below, S[0][1] reflects what comes from above, S[1][1] transmits down. Waves that go up come from the medium
 * below and leave into the one above. Amplitudes refer to the planes that bound the structure.
 * Errors of all: those of poy_embedding, POY_ERR_ARGUMENT (not finite, no ports, sizes and neighbours that do not fit),
 * POY_ERR_BUDGET, POY_ERR_MEMORY; POY_ERR_SINGULAR where a resonance has no unique answer.
 * Sources: Beutel, Groner, Rockstuhl, Rockstuhl, Fernandez-Corbaton, J. Opt. Soc. Am. B 38, 1782 (2021); Beutel,
 * Fernandez-Corbaton, Rockstuhl, Comput. Phys. Commun. 297, 109076 (2024); Redheffer, J. Math. Phys. 41, 1 (1962). */
#ifndef POYNTING_SMATRIX_H
#define POYNTING_SMATRIX_H

#include "poynting/waves.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_smatrix poy_smatrix; /* immutable, counted */

/* What the S-matrices of one stack share. Retains ports. */
typedef struct poy_stage {
    double k0;
    poy_poltype poltype;
    poy_basis *ports;
} poy_stage;

/* From blocks [2][2][n][n], between a medium below and one above. */
POY_API poy_status poy_smatrix_create(poy_ctx *ctx, const poy_stage *stage, const poy_medium *below,
                                      const poy_medium *above, const poy_c128 *blocks, poy_smatrix **out);
/* The plane between two media. Where a port lacks its other pol, what the complete ports give is cut to what is there. */
POY_API poy_status poy_smatrix_interface(poy_ctx *ctx, const poy_stage *stage, const poy_medium *below,
                                         const poy_medium *above, poy_smatrix **out);
/* The way d[3] through a medium, its component along the normal at least 0: e^{i k.d}, a shift of the axes across included. */
POY_API poy_status poy_smatrix_propagation(poy_ctx *ctx, const poy_stage *stage, const poy_medium *medium,
                                           const double d[3], poy_smatrix **out);
/* Plane layers of these thicknesses [layers] >= 0 between media [layers + 2], from below to above; layers may be 0. Ports are
 * completed before and cut after. */
POY_API poy_status poy_smatrix_layers(poy_ctx *ctx, const poy_stage *stage, size_t layers, const double *thickness,
                                      const poy_medium *media, poy_smatrix **out);

POY_API poy_smatrix *poy_smatrix_retain(poy_smatrix *s);
POY_API void poy_smatrix_destroy(poy_smatrix **s);

POY_API poy_basis *poy_smatrix_ports(const poy_smatrix *s); /* borrowed */
POY_API size_t poy_smatrix_size(const poy_smatrix *s);      /* ports */
POY_API double poy_smatrix_k0(const poy_smatrix *s);
POY_API poy_poltype poy_smatrix_poltype(const poy_smatrix *s);
/* The medium that waves leave into: up 0 (above) or down 1 (below). */
POY_API const poy_medium *poy_smatrix_medium(const poy_smatrix *s, int direction);
POY_API const poy_c128 *poy_smatrix_values(const poy_smatrix *s); /* [2][2][n][n] */

/* ---- stacks ---- */

/* Upper on lower: all waves between them (the star product). Errors: also POY_ERR_ARGUMENT (other ports, k0 or poltype; media
 * that differ where they meet: put an interface there). */
POY_API poy_status poy_smatrix_cascade(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper,
                                       poy_smatrix **out);
/* parts [n >= 1] from below to above. */
POY_API poy_status poy_smatrix_stack(poy_ctx *ctx, size_t n, poy_smatrix *const *parts, poy_smatrix **out);
/* 2^times of the same upon one another. */
POY_API poy_status poy_smatrix_double(poy_ctx *ctx, const poy_smatrix *s, int times, poy_smatrix **out);

/* Ports turned about z by phi (xy); n cyclic permutations of the axes x -> y -> z; amplitudes about an origin displaced by r;
 * helicity for parity or the reverse. */
POY_API poy_status poy_smatrix_rotate(poy_ctx *ctx, const poy_smatrix *s, double phi, poy_smatrix **out);
POY_API poy_status poy_smatrix_permute(poy_ctx *ctx, const poy_smatrix *s, int n, poy_smatrix **out);
POY_API poy_status poy_smatrix_translate(poy_ctx *ctx, const poy_smatrix *s, const double r[3], poy_smatrix **out);
POY_API poy_status poy_smatrix_changepoltype(poy_ctx *ctx, const poy_smatrix *s, poy_poltype poltype,
                                             poy_smatrix **out);

/* ---- fields ---- */

/* Amplitudes [n] that leave, for those that come: up from below, down from above (NULL: none). */
POY_API poy_status poy_smatrix_scatter(poy_ctx *ctx, const poy_smatrix *s, const poy_c128 *up, const poy_c128 *down,
                                       poy_c128 *out_up, poy_c128 *out_down);
/* The same of upper on lower without their product, and the waves between them (NULL: not wanted). */
POY_API poy_status poy_smatrix_illuminate(poy_ctx *ctx, const poy_smatrix *lower, const poy_smatrix *upper,
                                          const poy_c128 *up, const poy_c128 *down, poy_c128 *out_up,
                                          poy_c128 *out_down, poy_c128 *inner_up, poy_c128 *inner_down);

/* ---- periodic stacks ---- */

/* [2 n][2 n] of the state (up below, down above), one period on: [[S00, S01], [-S11^-1 S10 S00, S11^-1 (1 - S10 S01)]]. */
POY_API poy_status poy_smatrix_transfer(poy_ctx *ctx, const poy_smatrix *s, poy_c128 *out);
/* Bloch waves of the structure repeated along the normal: kz [2 n] = -i log(w) / period, real parts in (-pi, pi] / period, by
 * rising real, then imaginary part, and their states (up below, down above) as columns of vectors [2 n][2 n] (NULL: not
 * wanted), of norm 1, the largest entry real and positive. From the pencil ([[S00, S01], [0, 1]], [[1, 0], [S10, S11]]), which
 * has no large numbers where the transfer matrix has; error of w about 1e-15 (1 + |w|^2), so waves that fall by more than
 * e^-15 a period are known by their order of magnitude. Errors: also POY_ERR_NO_CONVERGENCE. */
POY_API poy_status poy_smatrix_bands(poy_ctx *ctx, const poy_smatrix *s, double period, poy_c128 *kz,
                                     poy_c128 *vectors);

/* ---- powers ---- */

/* Shares of the power of light [n] from below (POY_UP) or above (POY_DOWN). Where the medium there absorbs, or the light is
 * evanescent, the power that comes includes what it exchanges with the reflected waves; absorption = 1 - T - R. */
typedef struct poy_power_shares {
    double transmission, reflection, absorption;
} poy_power_shares;
/* Errors: also POY_ERR_ARGUMENT (light that carries no power). */
POY_API poy_status poy_smatrix_power(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from, const poy_c128 *incident,
                                     poy_power_shares *out);
/* Diffraction orders: the distinct pairs of components, in the order of the ports; order[n] of each port (may be NULL). */
POY_API size_t poy_smatrix_orders(const poy_smatrix *s, size_t *order);
/* The shares of each order, [poy_smatrix_orders]; their sums are those of poy_smatrix_power. */
POY_API poy_status poy_smatrix_order_powers(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from,
                                            const poy_c128 *incident, double *transmission, double *reflection);

/* With p the given light and q the same with each pol exchanged. */
typedef struct poy_dichroism {
    double transmission; /* (T_q - T_p) / (T_q + T_p): over the transmitted power */
    double outgoing;     /* (T_q + R_q - T_p - R_p) / (T_q + R_q + T_p + R_p): over the power that leaves */
    double absorption;   /* (A_p - A_q) / (A_p + A_q): over the absorbed power; NaN where nothing absorbs */
} poy_dichroism;
/* Errors: also POY_ERR_ARGUMENT (a port of the light without the other pol; nothing is transmitted). */
POY_API poy_status poy_smatrix_circular_dichroism(poy_ctx *ctx, const poy_smatrix *s, poy_modetype from,
                                                  const poy_c128 *incident, poy_dichroism *out);

/* Chirality density 2 Re(E* . i Z Z_0 H) of waves with amplitudes up u and down d, its mean over the plane and over z[0]..z[1]
 * along the normal (equal: at that place): u^H U u + d^H D d + 2 Re(u^H X d), U, D, X [n][n]. */
POY_API poy_status poy_chirality_density(poy_ctx *ctx, const poy_embedding *embedding, const poy_basis *ports,
                                         const double z[2], poy_c128 *up, poy_c128 *down, poy_c128 *cross);

/* ---- coefficients ---- */

/* Interfaces between media with k [2 sides][2 pols], kz likewise and impedances z [2]; side 0 is below. out[2 out][2 in][2 pol
 * out][2 pol in], helicity. n of them. */
POY_API poy_status poy_fresnel(poy_ctx *ctx, size_t n, const poy_c128 *k, const poy_c128 *kz, const poy_c128 *z,
                               poy_c128 *out);

#ifdef __cplusplus
}
#endif
#endif
