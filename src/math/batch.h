/* batch.h: how the functions of poynting/special.h walk their elements. */
#ifndef POYI_BATCH_H
#define POYI_BATCH_H

#include <math.h>

#include "core/cmplx.h"
#include "core/core.h"

/* One element; nonzero: its value is not representable. */
typedef int poyi_batch_element(void *user, size_t i);

/* Runs f for i = 0 .. n - 1, shared among the context's threads; every element is independent of the others, so the
 * results do not depend on their number. Errors: POY_ERR_RANGE with the first element that f refused. */
poy_status poyi_batch(poy_ctx *ctx, const char *name, size_t n, poyi_batch_element *f, void *user);

/* Errors: POY_ERR_ARGUMENT, with the element, if a part of z[i] is not finite. */
poy_status poyi_batch_finite(poy_ctx *ctx, const char *name, const char *argument, size_t n, const poy_c128 *z);
poy_status poyi_batch_finite_real(poy_ctx *ctx, const char *name, const char *argument, size_t n, const double *x);

static inline double complex poyi_c(poy_c128 z)
{
    return CMPLX(z.re, z.im);
}

static inline poy_c128 poyi_pair(double complex z)
{
    return (poy_c128){creal(z), cimag(z)};
}

#endif
