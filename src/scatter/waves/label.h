/* label.h: checks of the labels and arguments of coefficient batches, and of gradients. */
#ifndef POYI_LABEL_H
#define POYI_LABEL_H

#include "scatter/waves/waves.h"

/* l in 1..128, |m| <= l. Errors of all: POY_ERR_ARGUMENT with the element. */
poy_status poyi_check_spherical(poy_ctx *ctx, const char *name, size_t n, const int64_t *l, const int64_t *m);
/* |m| <= 128 */
poy_status poyi_check_order(poy_ctx *ctx, const char *name, size_t n, const int64_t *m);
poy_status poyi_check_pol(poy_ctx *ctx, const char *name, size_t n, const int64_t *pol);
poy_status poyi_check_poltype(poy_ctx *ctx, const char *name, poy_poltype poltype);
/* Finite wavevectors with k.k and, off the z axis, kx^2 + ky^2 not 0. */
poy_status poyi_check_wavevectors(poy_ctx *ctx, const char *name, size_t n, const poy_c128 *kx, const poy_c128 *ky,
                                  const poy_c128 *kz);

/* n parts of a gradient, or NULL. Errors: POY_ERR_RANGE (one is not finite). */
poy_status poyi_check_gradient(poy_ctx *ctx, const char *name, size_t n, const double *gradient);
static inline poy_status poyi_check_complex_gradient(poy_ctx *ctx, const char *name, size_t n, const poy_c128 *gradient)
{
    return poyi_check_gradient(ctx, name, 2 * n, (const double *)gradient);
}

#endif
