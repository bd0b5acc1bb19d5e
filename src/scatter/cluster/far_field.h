/* far_field.h: far amplitudes and both directions of their derivative. */
#ifndef POYI_FAR_FIELD_H
#define POYI_FAR_FIELD_H

#include "scatter/waves/basis.h"

/* f_pol = sum over modes of conj(W) p / (4 pi i k_pol), W what a plane wave along the direction excites: out[n][2]. */
typedef struct poyi_far_call {
    const poy_basis *basis; /* spherical */
    double ks[2];
    poy_poltype poltype;
    const poy_c128 *scattered;
    size_t n;
    const double *directions; /* [3 n], any length, held constant */
} poyi_far_call;

/* Errors: POY_ERR_ARGUMENT (a direction without length). who: for messages. */
poy_status poyi_direction_check(poy_ctx *ctx, const char *who, size_t i, const double *d, double *length);

poy_status poyi_far_value(poy_ctx *ctx, const poyi_far_call *call, poy_c128 *out);
/* NULL: 0. */
poy_status poyi_far_push(poy_ctx *ctx, const poyi_far_call *call, const poy_c128 *d_scattered,
                         const double *d_positions, const double d_ks[2], poy_c128 *d_out);
/* Written; NULL: not wanted. */
poy_status poyi_far_pull(poy_ctx *ctx, const poyi_far_call *call, const poy_c128 *g_out, poy_c128 *g_scattered,
                         double *g_positions, double g_ks[2]);

#endif
