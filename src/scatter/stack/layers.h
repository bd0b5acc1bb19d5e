/* layers.h: plane layers for one pair of transverse components, and derivatives of their sheets. */
#ifndef POYI_LAYERS_H
#define POYI_LAYERS_H

#include "scatter/stack/turn.h"

/* layers + 2 media from below to above. Parts, 2 layers + 1 of them, are interfaces and ways by turns. */
typedef struct poyi_layers {
    size_t layers;
    const poy_c128 *ks;      /* [layers + 2][2] */
    const poy_c128 *zs;      /* [layers + 2] */
    const double *thickness; /* [layers] */
    double q[2];
    int turns; /* the alignment of the ports; parts are upright */
} poyi_layers;

/* kz of a wave: sqrt(k^2 - q^2) with Im >= 0, but where light is amplified and k^2 - q^2 has Re > 0 the root with Re > 0. It
 * goes on from media without gain, and of the two helicities along the normal each keeps its way. */
static inline double complex poyi_layers_kz(const double q[2], double complex k)
{
    const double complex kz = poyi_normal_wavenumber(q[0], q[1], k);
    return cimag(k) < 0.0 && creal(k * k) > q[0] * q[0] + q[1] * q[1] ? -kz : kz;
}

/* Principal ks [n][2] and zs [n] of media [n]. Errors: those of media, POY_ERR_UNSUPPORTED as poyi_medium_check_plane. */
poy_status poyi_layers_optics(poy_ctx *ctx, double k0, size_t n, const poy_medium *media, poy_c128 *ks, poy_c128 *zs);
/* Errors: POY_ERR_ARGUMENT (a thickness below 0, not finite). */
poy_status poyi_layers_check(poy_ctx *ctx, size_t layers, const double *thickness);
/* Errors: POY_ERR_SINGULAR (a wave guided along an interface, or between two). */
poy_status poyi_layers_part(poy_ctx *ctx, const poyi_layers *l, size_t part, poyi_sheet *out);
poy_status poyi_layers_sheet(poy_ctx *ctx, const poyi_layers *l, poyi_sheet *out);

/* The outer media's part in the pols of ports of another normal. */
poy_status poyi_layers_turned(poy_ctx *ctx, const poyi_layers *l, poyi_turned *out);

/* ---- derivatives (layers_diff.c) ---- */

/* An interface by its cosines c = kz / k and impedances z, [side][pol] and [side], side 0 below: with F = (+-c, s, +-s c / z, 1 / z)
 * the tangential E and Z0 H of a wave of helicity s that goes up or down, continuity is sum of +-F (amplitudes) = 0. Errors:
 * POY_ERR_NOT_DIFFERENTIABLE (all waves graze the interface). */
typedef struct poyi_fresnel_inputs {
    double complex c[2][2], z[2];
} poyi_fresnel_inputs;
poy_status poyi_fresnel_pull(poy_ctx *ctx, const poyi_fresnel_inputs *x, const poyi_sheet *value, const poyi_sheet *g,
                             poyi_fresnel_inputs *to);
poy_status poyi_fresnel_push(poy_ctx *ctx, const poyi_fresnel_inputs *x, const poyi_sheet *value,
                             const poyi_fresnel_inputs *d, poyi_sheet *out);

/* Gradients (added to) or tangents by the parts of poyi_layers; NULL: not wanted, or 0. */
typedef struct poyi_layers_inputs {
    double complex *ks, *zs;
    double *thickness, *q;
} poyi_layers_inputs;
/* Errors: also POY_ERR_NOT_DIFFERENTIABLE (kz = 0 in a medium). */
poy_status poyi_layers_pull(poy_ctx *ctx, const poyi_layers *l, const poyi_sheet *g, const poyi_layers_inputs *to);
poy_status poyi_layers_push(poy_ctx *ctx, const poyi_layers *l, const poyi_layers_inputs *d, poyi_sheet *out);

/* Of poyi_layers_optics: gradients by media written, by k0 added; d_media may be NULL. */
poy_status poyi_layers_optics_pull(poy_ctx *ctx, double k0, size_t n, const poy_medium *media,
                                   const double complex *g_ks, const double complex *g_zs, poy_medium *g_media,
                                   double *g_k0);
poy_status poyi_layers_optics_push(poy_ctx *ctx, double k0, size_t n, const poy_medium *media,
                                   const poy_medium *d_media, double d_k0, double complex *d_ks, double complex *d_zs);

#endif
