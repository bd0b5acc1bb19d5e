/* space_map.c: what a space does with elements: membership, inner products, norms, Riesz maps. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "core/cmplx.h"
#include "operator/dense.h"
#include "operator/operator.h"

/* ---- membership ---- */

/* Is x finite and, on Hermitian matrices, Hermitian? Numbers are looked at on the host. */
static poy_status check_numbers(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_check_level level)
{
    poy_status status = POY_OK;
    double complex *host = NULL;
    POYI_TO_DONE(ctx, poyi_dense_read(ctx, x, &host));
    for (int64_t i = 0; level >= POY_CHECK_FINITE && i < x->size; i++)
        if (!isfinite(creal(host[i])) || !isfinite(cimag(host[i]))) {
            status = POYI_FAIL(ctx, POY_ERR_NONFINITE, "coordinate %lld is %g%+gi", (long long)i, creal(host[i]),
                               cimag(host[i]));
            goto done;
        }
    if (s->algebra != POYI_HERMITIAN)
        goto done;
    const int64_t n = s->extent[0], members = n ? x->size / (n * n) : 0;
    for (int64_t e = 0; e < members * n * n; e++) {
        const int64_t m = e / (n * n), i = e / n % n, j = e % n;
        const double complex a = host[e], b = conj(host[(m * n + j) * n + i]);
        if (!(cabs(a - b) <= s->atol + s->rtol * cabs(a))) {
            status = POYI_FAIL(ctx, POY_ERR_MISMATCH,
                               "element [%lld, %lld] is %.17g%+.17gi, its mirror image %.17g%+.17gi: not Hermitian",
                               (long long)i, (long long)j, creal(a), cimag(a), creal(b), cimag(b));
            goto done;
        }
    }
done:
    free(host);
    return status;
}

poy_status poy_space_check(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_check_level level)
{
    int64_t k;
    POYI_TRY(ctx, poyi_space_takes(ctx, s, "x", x, &k));
    if (level > POY_CHECK_SHAPE && (level >= POY_CHECK_FINITE || s->algebra == POYI_HERMITIAN))
        POYI_TRY(ctx, check_numbers(ctx, s, x, level));
    if (level > POY_CHECK_SHAPE && s->user.member)
        POYI_TRY(ctx, poyi_space_user_member(ctx, s, k, x));
    for (int i = 0; level > POY_CHECK_SHAPE && i < s->n_parts; i++) {
        poy_array *part = NULL;
        POYI_TRY(ctx, poy_space_view(ctx, s, x, i, &part));
        const poy_status status = poy_space_check(ctx, s->parts[i].space, part, level);
        poy_array_destroy(&part);
        if (status != POY_OK)
            return status;
    }
    return POY_OK;
}

/* Coordinates of s at host; stream numbers the parts of products. */
static void fill_random(const poy_space *s, uint64_t seed, uint64_t stream, double complex *host)
{
    for (int i = 0; i < s->n_parts; i++)
        fill_random(s->parts[i].space, seed, 31 * stream + (uint64_t)i + 1, host + s->parts[i].at);
    for (int64_t i = 0; !s->n_parts && i < s->size; i++) {
        double u[2];
        poy_random_uniform2(seed, stream, (uint64_t)i, u);
        host[i] = CMPLX(2 * u[0] - 1, poy_dtype_is_complex(s->dtype) ? 2 * u[1] - 1 : 0.0);
    }
    const int64_t n = s->algebra == POYI_HERMITIAN ? s->extent[0] : 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            const double complex mean = (host[i * n + j] + conj(host[j * n + i])) / 2;
            host[i * n + j] = mean;
            host[j * n + i] = conj(mean);
        }
}

poy_status poyi_space_randomise(poy_ctx *ctx, const poy_space *s, uint64_t seed, poy_array *x)
{
    double complex *host = malloc((size_t)(s->size ? s->size : 1) * sizeof *host);
    if (!host)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %lld coordinates", (long long)s->size);
    fill_random(s, seed, 0, host);
    const poy_status status = poyi_dense_write(ctx, x, host);
    free(host);
    return status;
}

poy_status poy_space_random(poy_ctx *ctx, const poy_space *s, uint64_t seed, poy_array **x)
{
    POYI_TRY(ctx, poy_array_create(ctx, s->be, s->dtype, s->rank, s->extent, x));
    const poy_status status = poyi_space_randomise(ctx, s, seed, *x);
    if (status != POY_OK)
        poy_array_destroy(x);
    return status;
}

/* ---- Riesz maps ---- */

static poy_status riesz(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, int inverse, const poy_array *x,
                        poy_array *y)
{
    switch (s->geometry) {
    case POYI_EUCLIDEAN: POYI_TRY(ctx, poy_copy_into(ctx, x, y)); break;
    case POYI_WEIGHTED: POYI_TRY(ctx, poy_mul_into(ctx, inverse ? s->w_inverse : s->w, x, y)); break;
    case POYI_METRIC:
        if (inverse && !s->inverse)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "the metric was given without its inverse, which this needs");
        POYI_TRY(ctx, poyi_apply(ctx, inverse ? s->inverse : s->metric, work, k, x, y));
        break;
    case POYI_USER: POYI_TRY(ctx, poyi_space_user_riesz(ctx, s, k, inverse, x, y)); break;
    case POYI_PARTS:
        for (int i = 0; i < s->n_parts; i++) {
            const poy_array from = poyi_part_of(s, x, k, i);
            poy_array to = poyi_part_of(s, y, k, i);
            POYI_TRY(ctx, riesz(ctx, s->parts[i].space, work, k, inverse, &from, &to));
        }
        break;
    }
    return POY_OK;
}

poy_status poyi_riesz(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x, poy_array *y)
{
    return riesz(ctx, s, work, k, 0, x, y);
}

poy_status poyi_riesz_inverse(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x,
                              poy_array *y)
{
    return riesz(ctx, s, work, k, 1, x, y);
}

static poy_status public_riesz(poy_ctx *ctx, const poy_space *s, poy_work *work, int inverse, const poy_array *x,
                               poy_array *y)
{
    poy_status status;
    poy_work *own;
    int64_t k, ky;
    POYI_TRY(ctx, poyi_work_get(ctx, s->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "x", x, &k));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "y", y, &ky));
    POYI_TO_DONE(ctx, riesz(ctx, s, work, k, inverse, x, y));
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_space_riesz(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, poy_array *y)
{
    return public_riesz(ctx, s, work, 0, x, y);
}

poy_status poy_space_riesz_inverse(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, poy_array *y)
{
    return public_riesz(ctx, s, work, 1, x, y);
}

/* ---- inner products ---- */

poy_status poyi_inner(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x,
                      const poy_array *y, poy_scalar *out)
{
    poy_status status = POY_OK;
    poy_array *ry = NULL;
    if (s->geometry == POYI_EUCLIDEAN) {
        POYI_TRY(ctx, poyi_dot(ctx, work, k, x, y, out));
        return POY_OK;
    }
    if (s->user.inner) {
        POYI_TRY(ctx, poyi_space_user_inner(ctx, s, k, x, y, out));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, s, k, &ry));
    POYI_TO_DONE(ctx, poyi_riesz(ctx, s, work, k, y, ry));
    POYI_TO_DONE(ctx, poyi_dot(ctx, work, k, x, ry, out));
done:
    poyi_work_give(work, &ry);
    return status;
}

poy_status poyi_axpy_inner(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_scalar *a,
                           const poy_array *x, poy_array *y, poy_scalar *out)
{
    if (s->geometry == POYI_EUCLIDEAN) {
        POYI_TRY(ctx, poyi_axpy_square(ctx, work, k, a, x, y, out));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_axpy(ctx, work, k, a, x, y));
    POYI_TRY(ctx, poyi_inner(ctx, s, work, k, y, y, out));
    return POY_OK;
}

/* Is a sum of squares too near to the ends of the element type's range to be trusted? Terms below the smallest normal
 * number are lost: that is nothing where the sum is larger by 1/eps for each of them. */
static int out_of_range(poy_dtype dtype, double square, int64_t n)
{
    const double least = poy_dtype_real(dtype) == POY_F32 ? (double)FLT_MIN : DBL_MIN;
    return !isfinite(square) || square < least / poyi_eps(dtype) * (double)n;
}

/* The norm of one element, scaled by a power of two so that its largest coordinate is near 1. */
static poy_status scaled_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, double *out)
{
    poy_status status = POY_OK;
    poy_array *t = NULL;
    poy_scalar square;
    double largest;

    POYI_TRY(ctx, poyi_max_abs(ctx, work, 0, x, &largest));
    *out = largest;
    if (largest == 0 || !isfinite(largest))
        return POY_OK;
    const double scale = poyi_scale_of(s->dtype, largest);
    const poy_scalar a = {1 / scale, 0};
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, s, 0, &t));
    POYI_TO_DONE(ctx, poyi_scale(ctx, work, 0, &a, x, t));
    POYI_TO_DONE(ctx, poyi_inner(ctx, s, work, 0, t, t, &square));
    *out = scale * sqrt(square.re);
done:
    poyi_work_give(work, &t);
    return status;
}

poy_status poyi_norm_from(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, double square,
                          double *out)
{
    *out = sqrt(square);
    if (out_of_range(s->dtype, square, s->size))
        POYI_TRY(ctx, scaled_norm(ctx, s, work, x, out));
    return POY_OK;
}

poy_status poyi_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x, double *out)
{
    enum { MOST = 64 };
    poy_scalar square[MOST];
    for (int64_t first = 0; first < (k ? k : 1); first += MOST) {
        const int64_t m = k && k - first < MOST ? k - first : k ? MOST : 0;
        poy_array part = *x;
        if (k) {
            part.offset += first * x->stride[0];
            part.extent[0] = m;
            part.size = m * s->size;
        }
        POYI_TRY(ctx, poyi_inner(ctx, s, work, m, &part, &part, square));
        for (int64_t i = 0; i < (k ? m : 1); i++) {
            out[first + i] = sqrt(square[i].re);
            if (out_of_range(s->dtype, square[i].re, s->size)) {
                const poy_array one = k ? poyi_member(x, first + i) : *x;
                POYI_TRY(ctx, scaled_norm(ctx, s, work, &one, &out[first + i]));
            }
        }
    }
    return POY_OK;
}

poy_status poyi_axpy_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_scalar *a, const poy_array *x,
                          poy_array *y, double *out)
{
    poy_scalar square;
    POYI_TRY(ctx, poyi_axpy_inner(ctx, s, work, 0, a, x, y, &square));
    POYI_TRY(ctx, poyi_norm_from(ctx, s, work, y, square.re, out));
    return POY_OK;
}

poy_status poy_space_inner(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, const poy_array *y,
                           poy_scalar *out)
{
    poy_status status;
    poy_work *own;
    int64_t k, ky;
    POYI_TRY(ctx, poyi_work_get(ctx, s->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "x", x, &k));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "y", y, &ky));
    if (k != ky) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "x has %lld members, y %lld", (long long)k, (long long)ky);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_inner(ctx, s, work, k, x, y, out));
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_space_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, double *out)
{
    poy_status status;
    poy_work *own;
    int64_t k;
    POYI_TRY(ctx, poyi_work_get(ctx, s->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "x", x, &k));
    POYI_TO_DONE(ctx, poyi_norm(ctx, s, work, k, x, out));
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_space_pair(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *xi, const poy_array *x,
                          double *out)
{
    poy_status status;
    poy_work *own;
    poy_scalar sum;
    int64_t k, kx;
    POYI_TRY(ctx, poyi_work_get(ctx, s->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "xi", xi, &k));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "x", x, &kx));
    if (k || kx) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "the pairing takes two elements, no batches");
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_dot(ctx, work, 0, xi, x, &sum));
    *out = sum.re;
done:
    poy_work_destroy(&own);
    return status;
}

poy_status poy_space_dual_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *xi, double *out)
{
    poy_status status;
    poy_work *own;
    poy_array *v = NULL;
    int64_t k;
    POYI_TRY(ctx, poyi_work_get(ctx, s->be, &work, &own));
    POYI_TO_DONE(ctx, poyi_space_takes(ctx, s, "xi", xi, &k));
    if (k) {
        status = POYI_FAIL(ctx, POY_ERR_SHAPE, "the dual norm takes one element, no batch");
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_work_element(ctx, work, s, 0, &v));
    POYI_TO_DONE(ctx, poyi_riesz_inverse(ctx, s, work, 0, xi, v));
    POYI_TO_DONE(ctx, poyi_norm(ctx, s, work, 0, v, out));
done:
    poyi_work_give(work, &v);
    poy_work_destroy(&own);
    return status;
}
