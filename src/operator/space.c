/* space.c: vector spaces: how they are made, kept and compared, and what is an element of one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "operator/operator.h"

/* ---- making ---- */

poy_status poyi_space_new(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                          poy_space **out)
{
    int64_t size;
    *out = NULL;
    if ((unsigned)dtype > POY_C128)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "a space is over f32, f64, c64 or c128, not %s",
                         (unsigned)dtype < POY_DTYPE_COUNT ? poy_dtype_name(dtype) : "an unknown type");
    POYI_TRY(ctx, poyi_shape_size(ctx, dtype, rank, extent, &size));
    if (rank == POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "a space has %d axes at most: a batch has one more", POY_RANK_MAX - 1);
    poy_space *s = calloc(1, sizeof *s);
    if (!s)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a space");
    s->holders = 1;
    s->be = poyi_backend_keep(be);
    s->dtype = dtype;
    s->rank = rank;
    s->size = size;
    for (int i = 0; i < rank; i++)
        s->extent[i] = extent[i];
    *out = s;
    return POY_OK;
}

poy_space *poy_space_keep(poy_space *s)
{
    atomic_fetch_add(&s->holders, 1);
    return s;
}

void poy_space_destroy(poy_space **out)
{
    poy_space *s = *out;
    *out = NULL;
    if (!s || atomic_fetch_sub(&s->holders, 1) != 1)
        return;
    poy_array_destroy(&s->w);
    poy_array_destroy(&s->w_inverse);
    poy_linop_destroy(&s->metric);
    poy_linop_destroy(&s->inverse);
    for (int i = 0; i < s->n_parts; i++)
        poy_space_destroy(&s->parts[i].space);
    if (s->user.release)
        s->user.release(s->user.user);
    poy_backend_close(&s->be);
    free(s->parts);
    free(s->weights);
    free(s);
}

poy_status poy_space_dense(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                           poy_space **out)
{
    POYI_TRY(ctx, poyi_space_new(ctx, be, dtype, rank, extent, out));
    return POY_OK;
}

/* s->weights [size] as arrays on the backend, in the shape of the space. */
static poy_status place_weights(poy_ctx *ctx, poy_space *s)
{
    poy_status status = POY_OK;
    poy_array *host = NULL, *one = NULL;

    s->geometry = POYI_WEIGHTED;
    POYI_TO_DONE(ctx, poy_array_create(ctx, s->be, POY_F64, s->rank, s->extent, &host));
    POYI_TO_DONE(ctx, poy_array_write(ctx, host, s->weights));
    POYI_TO_DONE(ctx, poy_fill(ctx, s->be, (poy_scalar){1, 0}, POY_F64, 0, NULL, &one));
    POYI_TO_DONE(ctx, poy_copy(ctx, host, s->dtype, &s->w));
    POYI_TO_DONE(ctx, poy_div_into(ctx, one, host, host));
    POYI_TO_DONE(ctx, poy_copy(ctx, host, s->dtype, &s->w_inverse));
done:
    poy_array_destroy(&host);
    poy_array_destroy(&one);
    return status;
}

/* The weights w, broadcast, into s. */
static poy_status read_weights(poy_ctx *ctx, const poy_array *w, poy_space *s)
{
    poy_status status = POY_OK;
    poy_array *wide = NULL, *dense = NULL;

    if (poy_dtype_is_complex(w->dtype))
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "weights are real, not %s", poy_dtype_name(w->dtype));
    s->weights = malloc((size_t)(s->size ? s->size : 1) * sizeof(double));
    if (!s->weights)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %lld weights", (long long)s->size);
    POYI_TO_DONE(ctx, poy_array_broadcast_to(ctx, w, s->rank, s->extent, &wide));
    POYI_TO_DONE(ctx, poy_copy(ctx, wide, POY_F64, &dense));
    POYI_TO_DONE(ctx, poy_array_read(ctx, dense, s->weights));
    for (int64_t i = 0; i < s->size; i++)
        if (!(s->weights[i] > 0) || !isfinite(s->weights[i])) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "weight %lld is %g: weights are finite and above 0", (long long)i,
                               s->weights[i]);
            goto done;
        }
    POYI_TO_DONE(ctx, place_weights(ctx, s));
done:
    poy_array_destroy(&wide);
    poy_array_destroy(&dense);
    return status;
}

poy_status poy_space_weighted(poy_ctx *ctx, const poy_array *w, poy_dtype dtype, int rank, const int64_t *extent,
                              poy_space **out)
{
    poy_status status;
    POYI_TRY(ctx, poyi_space_new(ctx, w->be, dtype, rank, extent, out));
    POYI_TO_DONE(ctx, read_weights(ctx, w, *out));
done:
    if (status != POY_OK)
        poy_space_destroy(out);
    return status;
}

poy_status poy_space_elementwise(poy_ctx *ctx, poy_backend *be, const poy_array *w, poy_dtype dtype, int rank,
                                 const int64_t *extent, poy_space **out)
{
    if (w)
        POYI_TRY(ctx, poy_space_weighted(ctx, w, dtype, rank, extent, out));
    else
        POYI_TRY(ctx, poyi_space_new(ctx, be, dtype, rank, extent, out));
    (*out)->algebra = POYI_ELEMENTWISE;
    return POY_OK;
}

poy_status poy_space_hermitian(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int64_t n, double atol, double rtol,
                               poy_space **out)
{
    const int64_t extent[2] = {n, n};
    *out = NULL;
    if (!(atol >= 0) || !(rtol >= 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "Hermitian matrices to atol %g, rtol %g: neither is below 0", atol,
                         rtol);
    POYI_TRY(ctx, poyi_space_new(ctx, be, dtype, 2, extent, out));
    (*out)->algebra = POYI_HERMITIAN;
    (*out)->atol = atol;
    (*out)->rtol = rtol;
    return POY_OK;
}

poy_status poy_space_metric(poy_ctx *ctx, poy_linop *metric, poy_linop *inverse, poy_space **out)
{
    const poy_space *base = metric->domain;
    *out = NULL;
    if (base->geometry != POYI_EUCLIDEAN || base->algebra == POYI_HERMITIAN || !poy_space_equal(base, metric->codomain))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a metric takes a coordinate space with R = 1 to itself");
    if (poy_linop_hermitian(metric) == POY_NO)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a metric is self-adjoint: this %s operator is not",
                         poy_linop_kind(metric));
    if (inverse && (!poy_space_equal(base, inverse->domain) || !poy_space_equal(base, inverse->codomain)))
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "the metric's inverse is on another space");
    POYI_TRY(ctx, poyi_space_new(ctx, base->be, base->dtype, base->rank, base->extent, out));
    (*out)->geometry = POYI_METRIC;
    (*out)->metric = poy_linop_keep(metric);
    (*out)->inverse = inverse ? poy_linop_keep(inverse) : NULL;
    return POY_OK;
}

/* Parts whose metrics are all diagonal make a weighted space: its maps are one multiplication. */
static poy_status join_weights(poy_ctx *ctx, poy_space *s)
{
    int weighted = 0;
    for (int i = 0; i < s->n_parts; i++) {
        const poy_space *p = s->parts[i].space;
        if (p->geometry != POYI_EUCLIDEAN && p->geometry != POYI_WEIGHTED) {
            s->geometry = POYI_PARTS;
            return POY_OK;
        }
        weighted |= p->geometry == POYI_WEIGHTED;
    }
    if (!weighted)
        return POY_OK;
    s->weights = malloc((size_t)(s->size ? s->size : 1) * sizeof(double));
    if (!s->weights)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %lld weights", (long long)s->size);
    for (int i = 0; i < s->n_parts; i++) {
        const poyi_part *p = &s->parts[i];
        for (int64_t j = 0; j < p->space->size; j++)
            s->weights[p->at + j] = p->space->weights ? p->space->weights[j] : 1.0;
    }
    POYI_TRY(ctx, place_weights(ctx, s));
    return POY_OK;
}

poy_status poy_space_product(poy_ctx *ctx, int n, poy_space *const *parts, const char *const *names, poy_space **out)
{
    poy_status status = POY_OK;
    int64_t size = 0;

    *out = NULL;
    if (n < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a product of %d spaces: it has at least one", n);
    for (int i = 0; i < n; i++) {
        if (parts[i]->be != parts[0]->be)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "part %d is on '%s', part 0 on '%s'", i,
                             poy_backend_name(parts[i]->be), poy_backend_name(parts[0]->be));
        if (parts[i]->dtype != parts[0]->dtype)
            return POYI_FAIL(ctx, POY_ERR_DTYPE, "part %d is %s, part 0 %s: a product has one element type", i,
                             poy_dtype_name(parts[i]->dtype), poy_dtype_name(parts[0]->dtype));
        size += parts[i]->size;
    }
    POYI_TRY(ctx, poyi_space_new(ctx, parts[0]->be, parts[0]->dtype, 1, &size, out));
    poy_space *s = *out;
    s->parts = calloc((size_t)n, sizeof *s->parts);
    if (!s->parts) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a product of %d spaces", n);
        goto done;
    }
    size = 0;
    for (int i = 0; i < n; i++) {
        poyi_part *p = &s->parts[i];
        p->space = parts[i];
        (void)poy_space_keep(p->space);
        p->at = size;
        size += p->space->size;
        if (names && names[i])
            snprintf(p->name, sizeof p->name, "%s", names[i]);
        s->n_parts = i + 1;
    }
    s->algebra = POYI_BY_PARTS;
    for (int i = 0; i < n; i++)
        if (!parts[i]->algebra)
            s->algebra = POYI_NO_ALGEBRA;
    POYI_TO_DONE(ctx, join_weights(ctx, s));
done:
    if (status != POY_OK)
        poy_space_destroy(out);
    return status;
}

poy_status poy_space_stacked(poy_ctx *ctx, poy_space *base, int64_t k, poy_space **out)
{
    poy_status status = POY_OK;
    int64_t extent[POY_RANK_MAX] = {k};
    poy_array *w = NULL;

    *out = NULL;
    if (base->n_parts || base->geometry == POYI_METRIC || base->geometry == POYI_USER ||
        base->algebra == POYI_HERMITIAN)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "stacked copies of %s: make a product of them",
                         base->n_parts   ? "a product"
                         : base->algebra ? "Hermitian matrices"
                                         : "a space with a metric");
    if (base->rank + 1 >= POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "copies of a space with %d axes: %d are the most", base->rank,
                         POY_RANK_MAX - 1);
    for (int i = 0; i < base->rank; i++)
        extent[i + 1] = base->extent[i];
    if (base->w) {
        POYI_TO_DONE(ctx, poy_real(ctx, base->w, &w));
        POYI_TO_DONE(ctx, poy_space_weighted(ctx, w, base->dtype, base->rank + 1, extent, out));
    } else {
        POYI_TO_DONE(ctx, poyi_space_new(ctx, base->be, base->dtype, base->rank + 1, extent, out));
    }
    (*out)->algebra = base->algebra;
done:
    poy_array_destroy(&w);
    return status;
}

/* ---- asking ---- */

unsigned poy_space_can(const poy_space *s)
{
    unsigned can = POY_SPACE_RIESZ_INVERSE | POY_SPACE_DIAGONAL;
    if (s->geometry == POYI_METRIC)
        can = s->inverse ? POY_SPACE_RIESZ_INVERSE : 0;
    if (s->geometry == POYI_USER)
        can = s->user.riesz_inverse ? POY_SPACE_RIESZ_INVERSE : 0;
    if (s->geometry == POYI_PARTS)
        for (int i = 0; i < s->n_parts; i++)
            can &= poy_space_can(s->parts[i].space);
    can &= POY_SPACE_RIESZ_INVERSE | POY_SPACE_DIAGONAL;
    if (s->geometry == POYI_EUCLIDEAN)
        can |= POY_SPACE_EUCLIDEAN;
    if (s->algebra)
        can |= POY_SPACE_STAR | POY_SPACE_JORDAN;
    return can;
}

poy_dtype poy_space_dtype(const poy_space *s)
{
    return s->dtype;
}

int poy_space_rank(const poy_space *s)
{
    return s->rank;
}

int64_t poy_space_extent(const poy_space *s, int axis)
{
    return axis >= 0 && axis < s->rank ? s->extent[axis] : 0;
}

int64_t poy_space_size(const poy_space *s)
{
    return s->size;
}

poy_backend *poy_space_backend(const poy_space *s)
{
    return s->be;
}

int poy_space_parts(const poy_space *s)
{
    return s->n_parts;
}

poy_space *poy_space_part(const poy_space *s, int i)
{
    return i >= 0 && i < s->n_parts ? s->parts[i].space : NULL;
}

const char *poy_space_part_name(const poy_space *s, int i)
{
    return i >= 0 && i < s->n_parts ? s->parts[i].name : "";
}

int poy_space_equal(const poy_space *a, const poy_space *b)
{
    if (a == b)
        return 1;
    if (a->geometry == POYI_USER || a->be != b->be || a->dtype != b->dtype || a->geometry != b->geometry ||
        a->algebra != b->algebra || a->n_parts != b->n_parts || a->metric != b->metric || a->inverse != b->inverse ||
        !poyi_shape_equal(a->rank, a->extent, b->rank, b->extent))
        return 0;
    if (a->geometry == POYI_WEIGHTED && memcmp(a->weights, b->weights, (size_t)a->size * sizeof(double)) != 0)
        return 0;
    for (int i = 0; i < a->n_parts; i++)
        if (!poy_space_equal(a->parts[i].space, b->parts[i].space))
            return 0;
    return 1;
}

/* ---- elements ---- */

int poyi_space_shape(const poy_space *s, int64_t k, int64_t extent[POY_RANK_MAX])
{
    int rank = 0;
    if (k)
        extent[rank++] = k;
    for (int i = 0; i < s->rank; i++)
        extent[rank++] = s->extent[i];
    return rank;
}

poy_status poyi_space_takes(poy_ctx *ctx, const poy_space *s, const char *what, const poy_array *x, int64_t *k)
{
    int64_t extent[POY_RANK_MAX];
    *k = x->rank == s->rank + 1 ? x->extent[0] : 0;
    if (x->be != s->be)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "%s is on '%s', the space on '%s'", what, poy_backend_name(x->be),
                         poy_backend_name(s->be));
    if (x->dtype != s->dtype)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s is %s, the space %s", what, poy_dtype_name(x->dtype),
                         poy_dtype_name(s->dtype));
    if (x->rank == s->rank + 1 && !*k)
        return POYI_FAIL(ctx, POY_ERR_EMPTY, "%s is a batch without members", what);
    const int rank = poyi_space_shape(s, *k, extent);
    if (!poyi_shape_equal(rank, extent, x->rank, x->extent))
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s has shape %s, elements of the space have %s", what,
                         poyi_shape_print(x->rank, x->extent).text, poyi_shape_print(s->rank, s->extent).text);
    if (s->n_parts && x->rank && x->size && x->stride[x->rank - 1] != 1 && s->size > 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: elements of a product are dense, this one has stride %lld", what,
                         (long long)x->stride[x->rank - 1]);
    return POY_OK;
}

poy_array poyi_part_of(const poy_space *s, const poy_array *x, int64_t k, int i)
{
    int64_t extent[POY_RANK_MAX] = {0};
    const int rank = poyi_space_shape(s->parts[i].space, k, extent);
    poy_array a = poyi_window(x, s->parts[i].at, rank, extent);
    if (k) {
        a.stride[0] = x->stride[0];
        a.contiguous = poyi_window_contiguous(a.rank, a.extent, a.stride);
    }
    return a;
}

poy_status poy_space_view(poy_ctx *ctx, const poy_space *s, const poy_array *x, int i, poy_array **out)
{
    int64_t k, extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    *out = NULL;
    POYI_TRY(ctx, poyi_space_takes(ctx, s, "x", x, &k));
    if (i < 0 || i >= s->n_parts)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "no part %d in a product of %d", i, s->n_parts);
    const poyi_part *p = &s->parts[i];
    const int rank = poyi_space_shape(p->space, k, extent);
    poyi_shape_strides(rank, extent, stride);
    if (k)
        stride[0] = x->stride[0];
    POYI_TRY(ctx, poy_array_view(ctx, x, rank, extent, stride, p->at, out));
    return POY_OK;
}

poy_status poy_space_zeros(poy_ctx *ctx, const poy_space *s, poy_array **x)
{
    POYI_TRY(ctx, poy_fill(ctx, s->be, (poy_scalar){0, 0}, s->dtype, s->rank, s->extent, x));
    return POY_OK;
}
