/* batch.c: loops over the elements of a batch of special functions. */
#include "math/batch.h"

enum { PARALLEL_FROM = 256 }; /* elements; one takes about a microsecond */

poy_status poyi_batch(poy_ctx *ctx, const char *name, size_t n, poyi_batch_element *f, void *user)
{
    size_t first = n;
#pragma omp parallel for schedule(static) reduction(min \
                                                    : first) num_threads(poy_ctx_threads(ctx)) if (n >= PARALLEL_FROM)
    for (size_t i = 0; i < n; i++)
        if (f(user, i) && i < first)
            first = i;
    if (first < n)
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "%s: element %zu is beyond the largest double, use the scaled or split form", name, first);
    return POY_OK;
}

poy_status poyi_batch_finite(poy_ctx *ctx, const char *name, const char *argument, size_t n, const poy_c128 *z)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(z[i].re) || !isfinite(z[i].im))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s[%zu] = %g%+gi, needs a finite number", name, argument, i,
                             z[i].re, z[i].im);
    return POY_OK;
}

poy_status poyi_batch_finite_real(poy_ctx *ctx, const char *name, const char *argument, size_t n, const double *x)
{
    for (size_t i = 0; i < n; i++)
        if (!isfinite(x[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s[%zu] = %g, needs a finite number", name, argument, i, x[i]);
    return POY_OK;
}
