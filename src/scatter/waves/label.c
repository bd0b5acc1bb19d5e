/* label.c: checks of the labels and arguments of coefficient batches. */
#include "scatter/waves/label.h"

#include "scatter/waves/vector_wave.h"

poy_status poyi_check_spherical(poy_ctx *ctx, const char *name, size_t n, const int64_t *l, const int64_t *m)
{
    for (size_t i = 0; i < n; i++)
        if (l[i] < 1 || l[i] > POY_DEGREE_MAX || m[i] < -l[i] || m[i] > l[i])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: element %zu has l = %lld and m = %lld, needs l in 1..%d, |m| <= l", name, i,
                             (long long)l[i], (long long)m[i], POY_DEGREE_MAX);
    return POY_OK;
}

poy_status poyi_check_order(poy_ctx *ctx, const char *name, size_t n, const int64_t *m)
{
    for (size_t i = 0; i < n; i++)
        if (m[i] < -POY_DEGREE_MAX || m[i] > POY_DEGREE_MAX)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: element %zu has m = %lld, needs |m| <= %d", name, i,
                             (long long)m[i], POY_DEGREE_MAX);
    return POY_OK;
}

poy_status poyi_check_pol(poy_ctx *ctx, const char *name, size_t n, const int64_t *pol)
{
    for (size_t i = 0; i < n; i++)
        if (pol[i] != 0 && pol[i] != 1)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: element %zu has pol = %lld, needs 0 or 1", name, i,
                             (long long)pol[i]);
    return POY_OK;
}

poy_status poyi_check_poltype(poy_ctx *ctx, const char *name, poy_poltype poltype)
{
    if (poltype != POY_HELICITY && poltype != POY_PARITY)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: poltype %d: there are POY_HELICITY and POY_PARITY", name,
                         (int)poltype);
    return POY_OK;
}

poy_status poyi_check_wavevectors(poy_ctx *ctx, const char *name, size_t n, const poy_c128 *kx, const poy_c128 *ky,
                                  const poy_c128 *kz)
{
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "kx", n, kx));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "ky", n, ky));
    POYI_TRY(ctx, poyi_batch_finite(ctx, name, "kz", n, kz));
    for (size_t i = 0; i < n; i++) {
        const poyi_xcomplex k[3] = {poyi_x(poyi_c(kx[i])), poyi_x(poyi_c(ky[i])), poyi_x(poyi_c(kz[i]))};
        poyi_xcomplex electric[3], magnetic[3];
        if (!poyi_plane_polarisation(k, magnetic, electric))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: element %zu has k.k = 0 or kx^2 + ky^2 = 0 without kx = ky = 0, which have no "
                             "polarisation vectors",
                             name, i);
    }
    return POY_OK;
}

poy_status poyi_check_gradient(poy_ctx *ctx, const char *name, size_t n, const double *gradient)
{
    for (size_t i = 0; gradient && i < n; i++)
        if (!isfinite(gradient[i]))
            return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: a gradient is beyond the largest double", name);
    return POY_OK;
}
