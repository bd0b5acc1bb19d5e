/* random_arrays.c: arrays of random numbers, drawn on the host, so that every backend has the same ones. */
#include <math.h>

#include "core/constants.h"
#include "ops/array.h"
#include "poynting/arrange.h"

typedef void draw(uint64_t seed, uint64_t stream, uint64_t i, double out[2]);

static void draw_normal(uint64_t seed, uint64_t stream, uint64_t i, double out[2])
{
    double u[2];
    poy_random_uniform2(seed, stream, i, u);
    const double r = sqrt(-2 * log1p(-u[0])), angle = 2 * POYI_PI * u[1];
    out[0] = r * cos(angle);
    out[1] = r * sin(angle);
}

/* Uniform numbers stay below 1 in fewer bits: what is left of them is cut off. */
static float narrowed(double x, int uniform)
{
    return (float)(uniform ? floor(x * 0x1p24) * 0x1p-24 : x);
}

static poy_status draw_all(poy_ctx *ctx, poy_backend *be, draw *f, uint64_t seed, uint64_t stream, poy_dtype dtype,
                           int rank, const int64_t *extent, poy_array **y)
{
    poy_status status = POY_OK;
    void *block = NULL;
    *y = NULL;
    if ((unsigned)dtype > POY_C128)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "random numbers are f32, f64, c64 or c128, not %s",
                         (unsigned)dtype < POY_DTYPE_COUNT ? poy_dtype_name(dtype) : "of an element type that is none");
    const int single = poy_dtype_real(dtype) == POY_F32, uniform = f == poy_random_uniform2;
    POYI_TO_DONE(ctx, poy_array_create(ctx, be, dtype, rank, extent, y));
    const int64_t parts = (*y)->size * (poy_dtype_is_complex(dtype) ? 2 : 1);
    POYI_TO_DONE(ctx,
                 poyi_alloc(ctx, "array.random", (size_t)parts * (single ? sizeof(float) : sizeof(double)), &block));
    for (int64_t i = 0; i < parts; i += 2) {
        double pair[2];
        f(seed, stream, (uint64_t)i / 2, pair);
        for (int64_t k = i; k < parts && k < i + 2; k++)
            if (single)
                ((float *)block)[k] = narrowed(pair[k - i], uniform);
            else
                ((double *)block)[k] = pair[k - i];
    }
    POYI_TO_DONE(ctx, poy_array_write(ctx, *y, block));
done:
    poyi_free(&block);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_random_uniform(poy_ctx *ctx, poy_backend *be, uint64_t seed, uint64_t stream, poy_dtype dtype, int rank,
                              const int64_t *extent, poy_array **y)
{
    return draw_all(ctx, be, poy_random_uniform2, seed, stream, dtype, rank, extent, y);
}

poy_status poy_random_normal(poy_ctx *ctx, poy_backend *be, uint64_t seed, uint64_t stream, poy_dtype dtype, int rank,
                             const int64_t *extent, poy_array **y)
{
    return draw_all(ctx, be, draw_normal, seed, stream, dtype, rank, extent, y);
}
