/* waves.h: vector waves: what the files of this folder and the rooms of particles, clusters and arrays share. */
#ifndef POYI_WAVES_H
#define POYI_WAVES_H

#include "core/core.h"
#include "math/batch.h"
#include "math/extended.h"
#include "poynting/special.h"
#include "poynting/waves.h"

/* +1 or -1 */
static inline double poyi_pol_sign(int64_t pol)
{
    return pol ? 1.0 : -1.0;
}

/* exp(i x) of a real or complex angle, in extended precision; beyond its range infinite. */
static inline poyi_xcomplex poyi_xphase(poyi_xcomplex x)
{
    const poyi_xreal size = expl(-cimagl(x));
    return CMPLXL(size * cosl(creall(x)), size * sinl(creall(x)));
}

/* v in doubles; beyond their range, or lost on the way there, infinite in both parts, and *beyond is set. */
static inline poy_c128 poyi_round(poyi_xcomplex v, int *beyond)
{
    const poy_c128 x = {(double)creall(v), (double)cimagl(v)};
    if (isfinite(x.re) && isfinite(x.im))
        return x;
    *beyond = 1;
    return (poy_c128){(double)INFINITY, (double)INFINITY};
}

/* ---- media (medium.c) ---- */

/* A medium as physics sees it. */
typedef struct poyi_optics {
    double complex ks[2];     /* k0 n_pol */
    double complex n[2];      /* n_pol */
    double complex index;     /* n */
    double complex impedance; /* Z */
    double complex epsilon, mu, kappa;
} poyi_optics;

/* n = mu / Z and n_pol = n - kappa, n + kappa with Z principal, so that curl A_pol = -+ k0 n_pol A_pol and Z0 H = -+ i A_pol / Z go
 * together: all that is computed of waves in a medium has these. Where light is amplified
 * Im n < 0, a wave that goes away from its origin grows, and poy_medium_indices has the other sign. */
typedef struct poyi_indices {
    double complex n[2], index, impedance;
} poyi_indices;

/* Errors: POY_ERR_ARGUMENT. */
poy_status poyi_medium_waves(poy_ctx *ctx, const poy_medium *medium, poyi_indices *out);
/* Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED as poy_embedding says. */
poy_status poyi_embedding_optics(poy_ctx *ctx, const poy_embedding *embedding, poyi_optics *out);
/* Refuses a medium whose curl eigenvalues are not those of plane waves: mu / Z = sqrt(epsilon mu) and both n_pol principal.
 * Errors: POY_ERR_UNSUPPORTED. */
poy_status poyi_medium_check_plane(poy_ctx *ctx, const poy_medium *medium);
/* sqrt(k^2 - kx^2 - ky^2) with Im >= 0, and Re >= 0 where it is real. */
double complex poyi_normal_wavenumber(double complex kx, double complex ky, double complex k);

/* ---- one vector wave (vector_wave.c, vector_wave_diff.c) ---- */

/* Functions of three components, and of one from POYI_SPH_HARM on. */
typedef enum poyi_wave_function {
    POYI_VSH_X,
    POYI_VSH_Y,
    POYI_VSH_Z,
    POYI_VSW_M,
    POYI_VSW_N,
    POYI_VSW_A,
    POYI_VSW_RM,
    POYI_VSW_RN,
    POYI_VSW_RA,
    POYI_VCW_M,
    POYI_VCW_N,
    POYI_VCW_A,
    POYI_VCW_RM,
    POYI_VCW_RN,
    POYI_VCW_RA,
    POYI_VPW_M,
    POYI_VPW_N,
    POYI_VPW_A,
    POYI_SPH_HARM,
    POYI_WAVE_FUNCTION_COUNT
} poyi_wave_function;

enum { POYI_WAVE_ARGUMENTS = 6 };

/* Arguments in the order of the public functions: theta, phi | x, theta, phi | kz, x, phi, z, k | kx, ky, kz, x, y, z.
 * Here each may be complex: z [n], or real: x [n]. */
typedef struct poyi_wave_argument {
    const poy_c128 *z;
    const double *x;
} poyi_wave_argument;

typedef struct poyi_wave_call {
    poyi_wave_function function;
    size_t n;
    const int64_t *l, *m, *pol; /* [n] each; NULL: 0 */
    poyi_wave_argument argument[POYI_WAVE_ARGUMENTS];
} poyi_wave_call;

int poyi_wave_arguments(poyi_wave_function f);
int poyi_wave_components(poyi_wave_function f); /* 3, harmonics 1 */

/* out[components n]. Errors as the public functions. */
poy_status poyi_vector_wave(poy_ctx *ctx, const poyi_wave_call *call, poy_c128 *out);
/* d_out = J d_arguments; a NULL tangent is 0. Errors: also POY_ERR_NOT_DIFFERENTIABLE (the direction of a plane wave along
 * z, the wavenumbers of a cylindrical N with k_rho = 0) where such a tangent is not 0. */
poy_status poyi_vector_wave_pushforward(poy_ctx *ctx, const poyi_wave_call *call, const poy_c128 *const *d_argument,
                                        poy_c128 *d_out);
/* g_arguments = J^H g_out (dL = Re sum conj(g) dx), written; a NULL gradient is not wanted. Errors: as above where such a
 * gradient is wanted and g_out is not 0. */
poy_status poyi_vector_wave_pullback(poy_ctx *ctx, const poyi_wave_call *call, const poy_c128 *g_out,
                                     poy_c128 *const *g_argument);

#endif
