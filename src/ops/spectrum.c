/* spectrum.c: what is composed of fft: transforms along several axes, frequencies, and their order. */
#include <math.h>

#include "ops/array.h"
#include "poynting/arrange.h"

double poy_fft_norm_scale(poy_fft_norm norm, int sign, double n)
{
    const int is_scaled = norm == POY_FFT_NORM_FORWARD ? sign < 0 : sign > 0;
    return norm == POY_FFT_NORM_ORTHO ? 1 / sqrt(n) : is_scaled ? 1 / n : 1;
}

poy_status poy_fftn(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int sign, poy_fft_norm norm,
                    poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *from = NULL;
    unsigned seen = 0;

    *y = NULL;
    if (n_axes != POY_ALL_AXES && (n_axes < 1 || n_axes > x->rank))
        return POYI_FAIL(ctx, POY_ERR_AXIS, "fftn: %d axes of shape %s", n_axes,
                         poyi_shape_print(x->rank, x->extent).text);
    if ((unsigned)norm > POY_FFT_NORM_FORWARD)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "fftn: there is no norm %d", (int)norm);
    const int n = n_axes == POY_ALL_AXES ? x->rank : n_axes;
    if (!n)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "fftn: x has rank 0, needs an axis");
    for (int i = 0; i < n; i++) {
        const int axis = n_axes == POY_ALL_AXES ? i : axes[i], at = poyi_shape_axis(x->rank, axis);
        poy_fft_options o;
        if (at < 0 || seen & 1u << at) {
            status = POYI_FAIL(ctx, POY_ERR_AXIS, "fftn: axis %d %s in shape %s", axis,
                               at < 0 ? "is not there" : "is named twice", poyi_shape_print(x->rank, x->extent).text);
            goto done;
        }
        seen |= 1u << at;
        poy_fft_options_init(&o);
        o.axis = at;
        o.sign = sign;
        o.scale = poy_fft_norm_scale(norm, sign, (double)x->extent[at]);
        poy_array_destroy(&from);
        from = *y;
        *y = NULL;
        POYI_TO_DONE(ctx, poy_fft(ctx, from ? from : x, &o, y));
    }
done:
    poy_array_destroy(&from);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_fftshift(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y)
{
    const int at = poyi_shape_axis(x->rank, axis);
    return poy_roll(ctx, x, at < 0 || !x->rank ? 0 : x->extent[at] / 2, axis, y);
}

poy_status poy_ifftshift(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y)
{
    const int at = poyi_shape_axis(x->rank, axis);
    return poy_roll(ctx, x, at < 0 || !x->rank ? 0 : -(x->extent[at] / 2), axis, y);
}

/* k / (n spacing) for k = first .. end - 1, from 0 on; then those below 0. */
static poy_status frequencies(poy_ctx *ctx, poy_backend *be, int64_t n, double spacing, int64_t positive,
                              int64_t negative, poy_array **y)
{
    poy_status status = POY_OK;
    const int64_t all = positive + negative;
    size_t bytes;
    void *block = NULL;

    *y = NULL;
    if (n < 1 || !isfinite(spacing) || spacing == 0)
        return POYI_FAIL(ctx, n < 1 ? POY_ERR_EMPTY : POY_ERR_ARGUMENT,
                         "frequencies of %lld samples %g apart, needs a sample and a distance", (long long)n, spacing);
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)all, sizeof(double), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.range", bytes, &block));
    for (int64_t i = 0; i < all; i++)
        ((double *)block)[i] = (double)(i < positive ? i : i - all) / ((double)n * spacing);
    POYI_TO_DONE(ctx, poy_array_create(ctx, be, POY_F64, 1, &all, y));
    POYI_TO_DONE(ctx, poy_array_write(ctx, *y, block));
done:
    poyi_free(&block);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_fftfreq(poy_ctx *ctx, poy_backend *be, int64_t n, double spacing, poy_array **y)
{
    return frequencies(ctx, be, n, spacing, (n + 1) / 2, n / 2, y);
}

poy_status poy_rfftfreq(poy_ctx *ctx, poy_backend *be, int64_t n, double spacing, poy_array **y)
{
    return frequencies(ctx, be, n, spacing, n / 2 + 1, 0, y);
}
