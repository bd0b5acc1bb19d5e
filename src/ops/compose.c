/* compose.c: what is composed of operations: triangles, traces, Kronecker products, ranges, sums of exponentials, norms,
 * comparisons of arrays. */
#include <math.h>
#include <string.h>

#include "ops/pool.h"
#include "poynting/arrange.h"

/* ---- matrices ---- */

poy_status poy_eye(poy_ctx *ctx, poy_backend *be, int64_t n, int64_t m, int64_t k, poy_dtype dtype, poy_array **y)
{
    const int64_t extent[2] = {n, m};
    poy_status status = POY_OK;
    poy_array *diagonal = NULL;

    *y = NULL;
    POYI_TRY(ctx, poy_fill(ctx, be, (poy_scalar){0, 0}, dtype, 2, extent, y));
    POYI_TO_DONE(ctx, poy_array_diagonal(ctx, *y, k, &diagonal));
    POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){1, 0}, diagonal));
done:
    poy_array_destroy(&diagonal);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_diag(poy_ctx *ctx, const poy_array *x, int64_t k, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *diagonal = NULL;

    *y = NULL;
    if (x->rank != 1 && x->rank != 2)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "diag: shape %s is neither a vector nor a matrix",
                         poyi_shape_print(x->rank, x->extent).text);
    if (x->rank == 2) {
        POYI_TO_DONE(ctx, poy_array_diagonal(ctx, x, k, &diagonal));
        POYI_TO_DONE(ctx, poy_copy(ctx, diagonal, x->dtype, y));
    } else {
        const uint64_t far = k < 0 ? 0 - (uint64_t)k : (uint64_t)k;
        if (far > (uint64_t)(INT64_MAX - x->extent[0]))
            return POYI_FAIL(ctx, POY_ERR_MEMORY, "diag: a matrix with diagonal %lld is more than memory can hold",
                             (long long)k);
        const int64_t n = x->extent[0] + (int64_t)far, extent[2] = {n, n};
        POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, x->dtype, 2, extent, y));
        POYI_TO_DONE(ctx, poy_array_diagonal(ctx, *y, k, &diagonal));
        POYI_TO_DONE(ctx, poy_copy_into(ctx, x, diagonal));
    }
done:
    poy_array_destroy(&diagonal);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

/* x where column - row has the sign wanted (1: not above k; -1: not below), else 0. */
static poy_status triangle(poy_ctx *ctx, const char *what, const poy_array *x, int64_t k, int lower, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *mask = NULL, *zero = NULL;
    void *bytes = NULL;

    *y = NULL;
    if (x->rank < 2)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: shape %s has no matrix, needs two axes", what,
                         poyi_shape_print(x->rank, x->extent).text);
    const int64_t *shape = &x->extent[x->rank - 2];
    POYI_TO_DONE(ctx, poy_array_create(ctx, x->be, POY_B8, 2, shape, &mask));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.mask", (size_t)mask->size, &bytes));
    for (int64_t i = 0; i < shape[0]; i++)
        for (int64_t j = 0; j < shape[1]; j++)
            ((unsigned char *)bytes)[i * shape[1] + j] = lower ? j - i <= k : j - i >= k;
    POYI_TO_DONE(ctx, poy_array_write(ctx, mask, bytes));
    POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, x->dtype, 0, NULL, &zero));
    POYI_TO_DONE(ctx, poy_where(ctx, mask, x, zero, y));
done:
    poyi_free(&bytes);
    poy_array_destroy(&zero);
    poy_array_destroy(&mask);
    return status;
}

poy_status poy_tril(poy_ctx *ctx, const poy_array *x, int64_t k, poy_array **y)
{
    return triangle(ctx, "tril", x, k, 1, y);
}

poy_status poy_triu(poy_ctx *ctx, const poy_array *x, int64_t k, poy_array **y)
{
    return triangle(ctx, "triu", x, k, 0, y);
}

poy_status poy_trace(poy_ctx *ctx, const poy_array *x, poy_array **y)
{
    poy_array *diagonal = NULL;
    const int last = -1;

    *y = NULL;
    POYI_TRY(ctx, poy_array_diagonal(ctx, x, 0, &diagonal));
    poy_status status = poy_sum(ctx, diagonal, 1, &last, 0, y);
    poy_array_destroy(&diagonal);
    return status;
}

/* z_(i p + k, j q + l) = x_ij y_kl: a product of [.., m, 1, n, 1] and [.., 1, p, 1, q]. */
poy_status poy_kron(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z)
{
    poy_status status = POY_OK;
    const int rank = x->rank > y->rank ? x->rank : y->rank, more_x = rank - x->rank, more_y = rank - y->rank;
    int64_t ex[POY_RANK_MAX], sx[POY_RANK_MAX], ey[POY_RANK_MAX], sy[POY_RANK_MAX], extent[POY_RANK_MAX];
    poyi_pool p = {.n = 0};

    *z = NULL;
    if (rank > POY_RANK_MAX / 2)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "kron: %d axes, %d can be", rank, POY_RANK_MAX / 2);
    for (int i = 0; i < rank; i++) {
        const size_t own = 2 * (size_t)i, other = own + 1; /* axes of x and of y */
        ex[own] = i < more_x ? 1 : x->extent[i - more_x];
        sx[own] = i < more_x ? 1 : x->stride[i - more_x];
        ey[other] = i < more_y ? 1 : y->extent[i - more_y];
        sy[other] = i < more_y ? 1 : y->stride[i - more_y];
        ex[other] = sx[other] = ey[own] = sy[own] = 1;
        extent[i] = ex[own] * ey[other];
    }
    poy_array **vx = poyi_pool_next(&p), **vy = poyi_pool_next(&p), **wide = poyi_pool_next(&p);
    POYI_TO_DONE(ctx, poy_array_view(ctx, x, 2 * rank, ex, sx, 0, vx));
    POYI_TO_DONE(ctx, poy_array_view(ctx, y, 2 * rank, ey, sy, 0, vy));
    POYI_TO_DONE(ctx, poy_mul(ctx, *vx, *vy, wide));
    POYI_TO_DONE(ctx, poy_array_reshape(ctx, *wide, rank, extent, z));
done:
    poyi_pool_fini(&p);
    return status;
}

/* ---- values of the host ---- */

poy_status poy_fill_like(poy_ctx *ctx, const poy_array *x, poy_scalar value, poy_array **y)
{
    return poy_fill(ctx, x->be, value, x->dtype, x->rank, x->extent, y);
}

poy_status poy_scalar_beside(poy_ctx *ctx, const poy_array *x, poy_scalar value, poy_kind kind, poy_array **y)
{
    static const char *const kinds[] = {"truth", "whole", "real", "complex"};
    const poy_dtype result = poy_scalar_type(x->dtype, kind);
    const poy_dtype dtype = kind == POY_KIND_TRUTH     ? POY_B8
                            : kind == POY_KIND_COMPLEX ? result
                                                       : poy_dtype_real(result);
    const double end = dtype == POY_I32 ? 0x1p31 : 0x1p63;
    const int is_of_kind = kind == POY_KIND_TRUTH   ? value.re == 0 || value.re == 1
                           : kind == POY_KIND_WHOLE ? isfinite(value.re) && floor(value.re) == value.re
                                                    : 1;
    *y = NULL;
    if (!is_of_kind || (kind != POY_KIND_COMPLEX && value.im != 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "the value %g%+gi is not %s", value.re, value.im, kinds[kind]);
    if (kind == POY_KIND_WHOLE && (dtype == POY_I32 || dtype == POY_I64) && !(value.re >= -end && value.re < end))
        return POYI_FAIL(ctx, POY_ERR_RANGE, "the value %g is not within %s, the type of x", value.re,
                         poy_dtype_name(dtype));
    return poy_fill(ctx, x->be, value, dtype, 0, NULL, y);
}

/* ---- ranges ---- */

/* scale (start + i step), or for the last of them the end itself. */
static poy_status range(poy_ctx *ctx, poy_backend *be, double scale, double start, double step, int64_t n, double last,
                        poy_dtype dtype, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *wide = NULL;
    size_t bytes;
    void *block = NULL;

    if (poy_dtype_is_complex(dtype) || dtype == POY_B8)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "a range of %s, needs i32, i64, f32 or f64", poy_dtype_name(dtype));
    POYI_TO_DONE(ctx, poy_array_create(ctx, be, POY_F64, 1, &n, &wide));
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)n, sizeof(double), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.range", bytes, &block));
    double *x = block;
    for (int64_t i = 0; i < n; i++)
        x[i] = scale * (start + (double)i * step);
    if (n > 1 && !isnan(last))
        x[n - 1] = last;
    POYI_TO_DONE(ctx, poy_array_write(ctx, wide, x));
    POYI_TO_DONE(ctx, poy_copy(ctx, wide, dtype, y));
done:
    poyi_free(&block);
    poy_array_destroy(&wide);
    return status;
}

poy_status poy_arange(poy_ctx *ctx, poy_backend *be, double start, double stop, double step, poy_dtype dtype,
                      poy_array **y)
{
    *y = NULL;
    if (!isfinite(start) || !isfinite(stop) || !isfinite(step) || step == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "arange: from %g to %g by %g, needs finite numbers and a step", start,
                         stop, step);
    double n = ceil((stop - start) / step);
    if (n >= 0x1p53)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "arange: %g elements", n);
    return range(ctx, be, 1, start, step, n > 0 ? (int64_t)n : 0, NAN, dtype, y);
}

poy_status poy_linspace(poy_ctx *ctx, poy_backend *be, double start, double stop, int64_t n, poy_dtype dtype,
                        poy_array **y)
{
    *y = NULL;
    if (!isfinite(start) || !isfinite(stop) || n < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "linspace: %lld numbers from %g to %g", (long long)n, start, stop);
    const double part =
        isfinite(stop - start) ? 1 : 0.5; /* by halves where the way is longer than the largest number */
    const double way = part * stop - part * start;
    return range(ctx, be, 1 / part, part * start, n > 1 ? way / (double)(n - 1) : 0, n, stop, dtype, y);
}

/* ---- sums of exponentials ---- */

/* Where weights are 0, -infinity. */
static poy_status drop_unweighted(poy_ctx *ctx, poyi_pool *p, const poy_array *x, const poy_array *b, poy_array **out)
{
    poy_array **none = poyi_pool_next(p);
    POYI_TRY(ctx, poy_fill(ctx, x->be, (poy_scalar){-INFINITY, 0}, x->dtype, 0, NULL, none));
    POYI_TRY(ctx, poy_where(ctx, b, x, *none, out));
    return POY_OK;
}

/* m, the largest real part of x, with 0 in the place of infinities; terms: e^(x - m), times b. */
static poy_status shifted_terms(poy_ctx *ctx, poyi_pool *p, const poy_array *x, const poy_array *b, int n_axes,
                                const int *axes, poy_array **m, poy_array **terms)
{
    poy_array **largest = poyi_pool_next(p), **is_finite = poyi_pool_next(p), **zero = poyi_pool_next(p),
              **shifted = poyi_pool_next(p);
    poy_array **e = poyi_pool_next(p), **re = poyi_pool_next(p);
    POYI_TRY(ctx, poy_real(ctx, x, re));
    POYI_TRY(ctx, poy_max(ctx, *re, n_axes, axes, 1, largest));
    POYI_TRY(ctx, poy_isfinite(ctx, *largest, is_finite));
    POYI_TRY(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, (*re)->dtype, 0, NULL, zero));
    POYI_TRY(ctx, poy_where(ctx, *is_finite, *largest, *zero, m));
    POYI_TRY(ctx, poy_sub(ctx, x, *m, shifted));
    POYI_TRY(ctx, poy_exp(ctx, *shifted, b ? e : terms));
    if (b)
        POYI_TRY(ctx, poy_mul(ctx, *e, b, terms));
    return POY_OK;
}

poy_status poy_logsumexp(poy_ctx *ctx, const poy_array *x, const poy_array *b, int n_axes, const int *axes,
                         int keepdims, poy_array **y, poy_array **sign)
{
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};
    const int64_t one = 1;
    const poy_array *a = x;

    *y = NULL;
    if (sign)
        *sign = NULL;
    const int is_complex = poy_dtype_is_complex(x->dtype);
    if ((is_complex && (b || sign)) || (b && poy_dtype_is_complex(b->dtype)))
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "logsumexp: x is %s%s%s, needs real ones for weights and signs",
                         poy_dtype_name(x->dtype), b ? ", b " : "", b ? poy_dtype_name(b->dtype) : "");
    poy_array **kept = poyi_pool_next(&p), **m = poyi_pool_next(&p), **terms = poyi_pool_next(&p),
              **sum = poyi_pool_next(&p);
    poy_array **modulus = poyi_pool_next(&p), **log = poyi_pool_next(&p), **shift = poyi_pool_next(&p),
              **floating = poyi_pool_next(&p);
    poy_dtype dtype = is_complex || x->dtype == POY_F32 || x->dtype == POY_F64 ? x->dtype : POY_F64;
    if (x->dtype != dtype) {
        POYI_TO_DONE(ctx, poy_copy(ctx, x, dtype, floating));
        a = *floating;
    }
    if (b) {
        POYI_TO_DONE(ctx, drop_unweighted(ctx, &p, a, b, kept));
        a = *kept;
    }
    if (!a->size) { /* the sum of nothing is 0 */
        POYI_TO_DONE(ctx, poy_sum(ctx, a, n_axes, axes, keepdims, sum));
        POYI_TO_DONE(ctx, poy_log(ctx, *sum, y));
        if (sign)
            POYI_TO_DONE(ctx, poy_sign(ctx, *sum, sign));
        goto done;
    }
    POYI_TO_DONE(ctx, shifted_terms(ctx, &p, a, b, n_axes, axes, m, terms));
    POYI_TO_DONE(ctx, poy_sum(ctx, *terms, n_axes, axes, keepdims, sum));
    if (sign)
        POYI_TO_DONE(ctx, poy_abs(ctx, *sum, modulus));
    POYI_TO_DONE(ctx, poy_log(ctx, sign ? *modulus : *sum, log));
    POYI_TO_DONE(ctx, poy_array_reshape(ctx, *m, (*log)->rank, (*log)->rank ? (*log)->extent : &one, shift));
    POYI_TO_DONE(ctx, poy_add(ctx, *log, *shift, y));
    if (sign)
        POYI_TO_DONE(ctx, poy_sign(ctx, *sum, sign));
done:
    poyi_pool_fini(&p);
    if (status != POY_OK) {
        poy_array_destroy(y);
        if (sign)
            poy_array_destroy(sign);
    }
    return status;
}

/* ---- norms ---- */

/* What moduli are divided by, so that no power of them is above 1: the largest along the axis, for negative powers the
 * smallest; 1 where that is 0, infinite or NaN. Its axis stays. */
static poy_status norm_scale(poy_ctx *ctx, poyi_pool *p, const poy_array *modulus, double power, int axis,
                             poy_array **scale)
{
    poy_array **end = poyi_pool_next(p), **zero = poyi_pool_next(p), **one = poyi_pool_next(p),
              **is_finite = poyi_pool_next(p), **is_nonzero = poyi_pool_next(p), **is_usable = poyi_pool_next(p);
    POYI_TRY(ctx, (power > 0 ? poy_max : poy_min)(ctx, modulus, 1, &axis, 1, end));
    POYI_TRY(ctx, poy_fill(ctx, modulus->be, (poy_scalar){0, 0}, modulus->dtype, 0, NULL, zero));
    POYI_TRY(ctx, poy_fill(ctx, modulus->be, (poy_scalar){1, 0}, modulus->dtype, 0, NULL, one));
    POYI_TRY(ctx, poy_isfinite(ctx, *end, is_finite));
    POYI_TRY(ctx, poy_ne(ctx, *end, *zero, is_nonzero));
    POYI_TRY(ctx, poy_logical_and(ctx, *is_finite, *is_nonzero, is_usable));
    POYI_TRY(ctx, poy_where(ctx, *is_usable, *end, *one, scale));
    return POY_OK;
}

/* s (sum of (|x| / s)^p)^(1/p). */
static poy_status power_norm(poy_ctx *ctx, poyi_pool *p, const poy_array *modulus, double power, int axis, int keepdims,
                             poy_array **y)
{
    poy_array **exponent = poyi_pool_next(p), **inverse = poyi_pool_next(p), **powers = poyi_pool_next(p),
              **sum = poyi_pool_next(p), **scale = poyi_pool_next(p), **small = poyi_pool_next(p),
              **root = poyi_pool_next(p), **factor = poyi_pool_next(p);
    POYI_TRY(ctx, poy_fill(ctx, modulus->be, (poy_scalar){power, 0}, modulus->dtype, 0, NULL, exponent));
    POYI_TRY(ctx, poy_fill(ctx, modulus->be, (poy_scalar){1 / power, 0}, modulus->dtype, 0, NULL, inverse));
    const int at = poyi_shape_axis(modulus->rank, axis);
    if (at < 0 || !modulus->extent[at]) { /* nothing to scale by; no such axis: poy_sum tells */
        POYI_TRY(ctx, poy_sum(ctx, modulus, 1, &axis, keepdims, sum));
        return poy_pow(ctx, *sum, *inverse, y);
    }
    POYI_TRY(ctx, norm_scale(ctx, p, modulus, power, axis, scale));
    POYI_TRY(ctx, poy_div(ctx, modulus, *scale, small));
    POYI_TRY(ctx, poy_pow(ctx, *small, *exponent, powers));
    POYI_TRY(ctx, poy_sum(ctx, *powers, 1, &axis, 1, sum));
    POYI_TRY(ctx, poy_pow(ctx, *sum, *inverse, root));
    if (keepdims)
        return poy_mul(ctx, *root, *scale, y);
    POYI_TRY(ctx, poy_mul(ctx, *root, *scale, factor));
    return poy_sum(ctx, *factor, 1, &axis, 0, y); /* of one: the axis goes */
}

static int is_empty_axis(const poy_array *x, int axis)
{
    const int at = poyi_shape_axis(x->rank, axis);
    return at >= 0 && !x->extent[at];
}

poy_status poy_vector_norm(poy_ctx *ctx, const poy_array *x, double power, int axis, int keepdims, poy_array **y)
{
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};

    *y = NULL;
    if (isnan(power))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "vector norm: p is NaN");
    if (!x->rank)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "vector norm: x has rank 0, needs an axis");
    if (power == 2)
        return poy_norm(ctx, x, 1, &axis, keepdims, y);
    poy_array **modulus = poyi_pool_next(&p), **zero = poyi_pool_next(&p), **marks = poyi_pool_next(&p),
              **floating = poyi_pool_next(&p);
    poy_array **count = poyi_pool_next(&p);
    POYI_TO_DONE(ctx, poy_abs(ctx, x, modulus));
    poy_dtype dtype = (*modulus)->dtype == POY_F32 ? POY_F32 : POY_F64;
    POYI_TO_DONE(ctx, poy_copy(ctx, *modulus, dtype, floating));
    const poy_array *m = *floating;
    if (isinf(power) && power > 0) /* of nothing 0, as every norm but the least |x| */
        status =
            is_empty_axis(x, axis) ? poy_sum(ctx, m, 1, &axis, keepdims, y) : poy_max(ctx, m, 1, &axis, keepdims, y);
    else if (isinf(power))
        status = poy_min(ctx, m, 1, &axis, keepdims, y);
    else if (power == 1)
        status = poy_sum(ctx, m, 1, &axis, keepdims, y);
    else if (power == 0) {
        POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, dtype, 0, NULL, zero));
        POYI_TO_DONE(ctx, poy_ne(ctx, m, *zero, marks));
        POYI_TO_DONE(ctx, poy_sum(ctx, *marks, 1, &axis, keepdims, count));
        POYI_TO_DONE(ctx, poy_copy(ctx, *count, dtype, y));
    } else
        status = power_norm(ctx, &p, m, power, axis, keepdims, y);
done:
    poyi_pool_fini(&p);
    return status;
}

/* ---- close ---- */

static int is_close(double complex_a[2], double complex_b[2], double rtol, double atol, int equal_nan)
{
    double a = hypot(complex_a[0], complex_a[1]), b = hypot(complex_b[0], complex_b[1]);
    if (isnan(a) || isnan(b))
        return equal_nan && isnan(a) && isnan(b);
    if (isinf(a) || isinf(b))
        return complex_a[0] == complex_b[0] && complex_a[1] == complex_b[1];
    return hypot(complex_a[0] - complex_b[0], complex_a[1] - complex_b[1]) <= atol + rtol * b;
}

/* a as c128 on the host, broadcast to a shape. */
static poy_status read_wide(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent, void **out)
{
    poy_status status = POY_OK;
    poy_array *wide = NULL;
    size_t bytes;

    POYI_TO_DONE(ctx, poy_array_create(ctx, a->be, POY_C128, rank, extent, &wide));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, a, wide));
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)wide->size, 2 * sizeof(double), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.close", bytes, out));
    POYI_TO_DONE(ctx, poy_array_read(ctx, wide, *out));
done:
    poy_array_destroy(&wide);
    return status;
}

poy_status poy_allclose(poy_ctx *ctx, const poy_array *a, const poy_array *b, double rtol, double atol, int equal_nan,
                        int *out)
{
    poy_status status = POY_OK;
    int rank = a->rank;
    int64_t extent[POY_RANK_MAX], n = 1;
    void *x = NULL, *y = NULL;

    *out = 0;
    memcpy(extent, a->extent, sizeof extent);
    if (!poyi_shape_join(&rank, extent, b->rank, b->extent))
        return POYI_FAIL(ctx, POY_ERR_BROADCAST, "allclose: shapes %s and %s do not broadcast",
                         poyi_shape_print(a->rank, a->extent).text, poyi_shape_print(b->rank, b->extent).text);
    for (int i = 0; i < rank; i++)
        n *= extent[i];
    POYI_TO_DONE(ctx, read_wide(ctx, a, rank, extent, &x));
    POYI_TO_DONE(ctx, read_wide(ctx, b, rank, extent, &y));
    int close = 1;
    for (int64_t i = 0; i < n && close; i++)
        close = is_close((double *)x + 2 * i, (double *)y + 2 * i, rtol, atol, equal_nan);
    *out = close;
done:
    poyi_free(&y);
    poyi_free(&x);
    return status;
}
