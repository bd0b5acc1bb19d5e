/* algebra.c: star and Jordan algebras: elementwise, Hermitian matrices with their spectra (on the host), and products part
 * by part. */
#include <stdlib.h>
#include <string.h>

#include "operator/dense.h"
#include "operator/operator.h"
#include "record/lapack.h"

static poy_status takes_algebra(poy_ctx *ctx, const poy_space *s, const char *who, const poy_array *x)
{
    int64_t k;
    if (!s->algebra)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "%s: the space has no algebra; make an elementwise or a Hermitian one, or a product of such",
                         who);
    POYI_TRY(ctx, poyi_space_takes(ctx, s, who, x, &k));
    if (k)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s takes an element, no batch", who);
    return POY_OK;
}

poy_status poy_space_star(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_array *y)
{
    POYI_TRY(ctx, takes_algebra(ctx, s, "star", x));
    POYI_TRY(ctx, takes_algebra(ctx, s, "star", y));
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++) {
        const poy_array from = poyi_part_of(s, x, 0, i);
        poy_array to = poyi_part_of(s, y, 0, i);
        POYI_TRY(ctx, poy_space_star(ctx, s->parts[i].space, &from, &to));
    }
    if (s->algebra == POYI_BY_PARTS)
        return POY_OK;
    if (s->algebra == POYI_HERMITIAN)
        POYI_TRY(ctx, poy_copy_into(ctx, x, y));
    else
        POYI_TRY(ctx, poy_conj_into(ctx, x, y));
    return POY_OK;
}

poy_status poy_space_unit(poy_ctx *ctx, const poy_space *s, poy_array *y)
{
    POYI_TRY(ctx, takes_algebra(ctx, s, "unit", y));
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++) {
        poy_array to = poyi_part_of(s, y, 0, i);
        POYI_TRY(ctx, poy_space_unit(ctx, s->parts[i].space, &to));
    }
    if (s->algebra == POYI_BY_PARTS)
        return POY_OK;
    if (s->algebra == POYI_ELEMENTWISE) {
        POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){1, 0}, y));
        return POY_OK;
    }
    poy_array diagonal = *y; /* a view of stride n + 1 */
    diagonal.rank = 1;
    diagonal.size = y->extent[0];
    diagonal.stride[0] = y->stride[0] + y->stride[1];
    diagonal.contiguous = diagonal.size < 2;
    POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, y));
    POYI_TRY(ctx, poy_fill_into(ctx, (poy_scalar){1, 0}, &diagonal));
    return POY_OK;
}

poy_status poy_space_jordan(poy_ctx *ctx, const poy_space *s, const poy_array *x, const poy_array *y, poy_array *z)
{
    poy_status status = POY_OK;
    poy_array *xy = NULL, *yx = NULL, *half = NULL;
    POYI_TRY(ctx, takes_algebra(ctx, s, "the Jordan product", x));
    POYI_TRY(ctx, takes_algebra(ctx, s, "the Jordan product", y));
    POYI_TRY(ctx, takes_algebra(ctx, s, "the Jordan product", z));
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++) {
        const poy_array left = poyi_part_of(s, x, 0, i), right = poyi_part_of(s, y, 0, i);
        poy_array to = poyi_part_of(s, z, 0, i);
        POYI_TRY(ctx, poy_space_jordan(ctx, s->parts[i].space, &left, &right, &to));
    }
    if (s->algebra == POYI_BY_PARTS)
        return POY_OK;
    if (s->algebra == POYI_ELEMENTWISE) {
        POYI_TRY(ctx, poy_mul_into(ctx, x, y, z));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poy_fill(ctx, s->be, (poy_scalar){0.5, 0}, s->dtype, 0, NULL, &half));
    POYI_TO_DONE(ctx, poy_matmul(ctx, x, y, &xy));
    POYI_TO_DONE(ctx, poy_matmul(ctx, y, x, &yx));
    POYI_TO_DONE(ctx, poy_add_into(ctx, xy, yx, z));
    POYI_TO_DONE(ctx, poy_mul_into(ctx, half, z, z));
done:
    poy_array_destroy(&xy);
    poy_array_destroy(&yx);
    poy_array_destroy(&half);
    return status;
}

/* ---- spectra ---- */

/* lambda [n], and in rows of *v the conjugates of the eigenvectors, of a Hermitian matrix; *v is to be freed. */
static poy_status eigen(poy_ctx *ctx, const poy_array *x, double *lambda, double complex **v)
{
    poy_status status = POY_OK;
    const int64_t n = x->extent[0];
    void *work = NULL;

    *v = NULL;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "spectrum", n));
    POYI_TO_DONE(ctx, poyi_dense_read(ctx, x, v));
    work = malloc(poyi_eigh_work(POY_C128, n) + 1);
    if (!work) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the spectrum of %lld", (long long)n);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_eigh(ctx, POY_C128, n, *v, lambda, work));
done:
    free(work);
    if (status != POY_OK) {
        free(*v);
        *v = NULL;
    }
    return status;
}

int64_t poy_space_spectrum_size(const poy_space *s)
{
    int64_t n = s->algebra == POYI_HERMITIAN ? s->extent[0] : s->algebra == POYI_ELEMENTWISE ? s->size : 0;
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++)
        n += poy_space_spectrum_size(s->parts[i].space);
    return n;
}

static int is_elementwise_somewhere(const poy_space *s)
{
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++)
        if (is_elementwise_somewhere(s->parts[i].space))
            return 1;
    return s->algebra == POYI_ELEMENTWISE;
}

static poy_status takes_spectrum(poy_ctx *ctx, const poy_space *s, const char *who, const poy_array *x)
{
    POYI_TRY(ctx, takes_algebra(ctx, s, who, x));
    if (poy_dtype_is_complex(s->dtype) && is_elementwise_somewhere(s))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s: the spectrum of a complex elementwise space is not real", who);
    return POY_OK;
}

poy_status poy_space_spectrum(poy_ctx *ctx, const poy_space *s, const poy_array *x, double *lambda)
{
    double complex *v = NULL;
    POYI_TRY(ctx, takes_spectrum(ctx, s, "spectrum", x));
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++) {
        const poy_array part = poyi_part_of(s, x, 0, i);
        POYI_TRY(ctx, poy_space_spectrum(ctx, s->parts[i].space, &part, lambda));
        lambda += poy_space_spectrum_size(s->parts[i].space);
    }
    if (s->algebra == POYI_BY_PARTS)
        return POY_OK;
    if (s->algebra == POYI_HERMITIAN) {
        POYI_TRY(ctx, eigen(ctx, x, lambda, &v));
    } else {
        POYI_TRY(ctx, poyi_dense_read(ctx, x, &v));
        for (int64_t i = 0; i < s->size; i++)
            lambda[i] = creal(v[i]);
    }
    free(v);
    return POY_OK;
}

/* y = U diag(f) U^H, of which v has the rows conj(u_k); exactly Hermitian. */
static void compose(int64_t n, const double *f, const double complex *v, double complex *y)
{
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            double complex sum = 0;
            for (int64_t k = 0; k < n; k++)
                sum += conj(v[k * n + i]) * f[k] * v[k * n + j];
            y[i * n + j] = i == j ? CMPLX(creal(sum), 0.0) : sum;
            y[j * n + i] = conj(y[i * n + j]);
        }
}

poy_status poy_space_spectral_apply(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_real_fn *f, void *user,
                                    poy_array *y)
{
    poy_status status = POY_OK;
    double complex *v = NULL, *image = NULL;
    double *lambda = NULL;

    POYI_TRY(ctx, takes_spectrum(ctx, s, "a function of the spectrum", x));
    POYI_TRY(ctx, takes_spectrum(ctx, s, "a function of the spectrum", y));
    for (int i = 0; s->algebra == POYI_BY_PARTS && i < s->n_parts; i++) {
        const poy_array from = poyi_part_of(s, x, 0, i);
        poy_array to = poyi_part_of(s, y, 0, i);
        POYI_TRY(ctx, poy_space_spectral_apply(ctx, s->parts[i].space, &from, f, user, &to));
    }
    if (s->algebra == POYI_BY_PARTS)
        return POY_OK;
    const int64_t n = poy_space_spectrum_size(s);
    lambda = malloc((size_t)(n + 1) * sizeof *lambda);
    image = malloc((size_t)(s->size + 1) * sizeof *image);
    if (!lambda || !image) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a function of the spectrum of %lld", (long long)n);
        goto done;
    }
    if (s->algebra == POYI_HERMITIAN)
        POYI_TO_DONE(ctx, eigen(ctx, x, lambda, &v));
    else
        POYI_TO_DONE(ctx, poy_space_spectrum(ctx, s, x, lambda));
    for (int64_t i = 0; i < n; i++)
        lambda[i] = f(user, lambda[i]);
    if (s->algebra == POYI_HERMITIAN)
        compose(n, lambda, v, image);
    for (int64_t i = 0; s->algebra == POYI_ELEMENTWISE && i < n; i++)
        image[i] = lambda[i];
    POYI_TO_DONE(ctx, poyi_dense_write(ctx, y, image));
done:
    free(v);
    free(image);
    free(lambda);
    return status;
}

/* Sum or product of the spectrum; of complex elementwise spaces refused as the spectrum is. */
static poy_status fold(poy_ctx *ctx, const poy_space *s, const poy_array *x, int product, double *out)
{
    poy_status status = POY_OK;
    const int64_t n = poy_space_spectrum_size(s);
    double *lambda = malloc((size_t)(n + 1) * sizeof *lambda);
    if (!lambda)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a spectrum of %lld", (long long)n);
    POYI_TO_DONE(ctx, poy_space_spectrum(ctx, s, x, lambda));
    *out = product;
    for (int64_t i = 0; i < n; i++)
        *out = product ? *out * lambda[i] : *out + lambda[i];
done:
    free(lambda);
    return status;
}

poy_status poy_space_trace(poy_ctx *ctx, const poy_space *s, const poy_array *x, double *out)
{
    double complex *host = NULL;
    POYI_TRY(ctx, takes_spectrum(ctx, s, "trace", x));
    if (s->algebra != POYI_HERMITIAN) {
        POYI_TRY(ctx, fold(ctx, s, x, 0, out));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_dense_read(ctx, x, &host));
    *out = 0;
    for (int64_t i = 0; i < s->extent[0]; i++)
        *out += creal(host[i * (s->extent[0] + 1)]);
    free(host);
    return POY_OK;
}

poy_status poy_space_determinant(poy_ctx *ctx, const poy_space *s, const poy_array *x, double *out)
{
    POYI_TRY(ctx, takes_spectrum(ctx, s, "determinant", x));
    POYI_TRY(ctx, fold(ctx, s, x, 1, out));
    return POY_OK;
}
