/* dense.c: arrays as double complex numbers of the host. */
#include "operator/dense.h"

#include <stdlib.h>

poy_status poyi_dense_read(poy_ctx *ctx, const poy_array *x, double complex **out)
{
    const size_t n = (size_t)(x->size ? x->size : 1);
    double complex *z = malloc(n * sizeof *z);

    *out = NULL;
    if (!z)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %lld numbers", (long long)x->size);
    /* raw numbers go to the end of the block and are widened from the front on */
    const size_t size = poy_dtype_size(x->dtype);
    unsigned char *raw = (unsigned char *)z + n * (sizeof *z - size);
    const poy_status status = poy_array_read(ctx, x, raw);
    if (status != POY_OK) {
        free(z);
        return status;
    }
    for (int64_t i = 0; i < x->size; i++) {
        const float *f = (const void *)(raw + (size_t)i * size);
        const double *d = (const void *)(raw + (size_t)i * size);
        switch (x->dtype) {
        case POY_F32: z[i] = CMPLX((double)f[0], 0.0); break;
        case POY_C64: z[i] = CMPLX((double)f[0], (double)f[1]); break;
        case POY_C128: z[i] = CMPLX(d[0], d[1]); break;
        default: z[i] = CMPLX(d[0], 0.0); break;
        }
    }
    *out = z;
    return POY_OK;
}

poy_status poyi_dense_write(poy_ctx *ctx, poy_array *x, const double complex *host)
{
    const size_t n = (size_t)(x->size ? x->size : 1);
    void *raw = malloc(n * poy_dtype_size(x->dtype));
    float *f = raw;
    double *d = raw;

    if (!raw)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %lld numbers", (long long)x->size);
    for (int64_t i = 0; i < x->size; i++)
        switch (x->dtype) {
        case POY_F32: f[i] = (float)creal(host[i]); break;
        case POY_C64:
            f[2 * i] = (float)creal(host[i]);
            f[2 * i + 1] = (float)cimag(host[i]);
            break;
        case POY_C128:
            d[2 * i] = creal(host[i]);
            d[2 * i + 1] = cimag(host[i]);
            break;
        default: d[i] = creal(host[i]); break;
        }
    const poy_status status = poy_array_write(ctx, x, raw);
    free(raw);
    return status;
}

poy_status poyi_dense_create(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                             const double complex *host, poy_array **out)
{
    POYI_TRY(ctx, poy_array_create(ctx, be, dtype, rank, extent, out));
    const poy_status status = poyi_dense_write(ctx, *out, host);
    if (status != POY_OK)
        poy_array_destroy(out);
    return status;
}
