/* search.c: what is where: places of what is not 0, different elements, places in a sorted vector, meshes, and indices of
 * several axes, which become places of one. */
#include <math.h>
#include <string.h>

#include "ops/pool.h"
#include "poynting/arrange.h"

/* x's elements of a type in host memory, in C order. */
static poy_status read_as(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, void **out)
{
    poy_status status = POY_OK;
    poy_array *cast = NULL;
    *out = NULL;
    POYI_TO_DONE(ctx, poy_copy(ctx, x, dtype, &cast));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.search", (size_t)x->size * poy_dtype_size(dtype), out));
    POYI_TO_DONE(ctx, poy_array_read(ctx, cast, *out));
done:
    poy_array_destroy(&cast);
    if (status != POY_OK)
        poyi_free(out);
    return status;
}

/* An i64 array of a shape with these elements. */
static poy_status write_places(poy_ctx *ctx, poy_backend *be, int rank, const int64_t *extent, const int64_t *host,
                               poy_array **y)
{
    POYI_TRY(ctx, poy_array_create(ctx, be, POY_I64, rank, extent, y));
    poy_status status = poy_array_write(ctx, *y, host);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_nonzero(poy_ctx *ctx, const poy_array *x, poy_array **y)
{
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};
    poy_array **zero = poyi_pool_next(&p), **mark = poyi_pool_next(&p);
    void *marks = NULL, *places = NULL;
    int64_t n = 0, at = 0, index[POY_RANK_MAX] = {0};

    *y = NULL;
    POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, x->dtype, 0, NULL, zero));
    POYI_TO_DONE(ctx, poy_ne(ctx, x, *zero, mark));
    POYI_TO_DONE(ctx, read_as(ctx, *mark, POY_B8, &marks));
    for (int64_t i = 0; i < x->size; i++)
        n += ((const unsigned char *)marks)[i];
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.search", (size_t)(n * x->rank) * sizeof(int64_t), &places));
    for (int64_t i = 0; i < x->size; i++) {
        if (((const unsigned char *)marks)[i])
            for (int k = 0; k < x->rank; k++)
                ((int64_t *)places)[at++] = index[k];
        for (int k = x->rank - 1; k >= 0 && ++index[k] == x->extent[k]; k--)
            index[k] = 0;
    }
    const int64_t extent[2] = {n, x->rank};
    POYI_TO_DONE(ctx, write_places(ctx, x->be, 2, extent, places, y));
done:
    poyi_free(&places);
    poyi_free(&marks);
    poyi_pool_fini(&p);
    return status;
}

/* ---- different elements ---- */

/* Which elements of a sorted vector are not what stands before them; NaN is NaN. */
static poy_status mark_first(poy_ctx *ctx, poyi_pool *p, const poy_array *sorted, poy_array **mark)
{
    poy_array **rest = poyi_pool_next(p), **before = poyi_pool_next(p), **differ = poyi_pool_next(p);
    poy_array **nan = poyi_pool_next(p), **nan_before = poyi_pool_next(p), **both = poyi_pool_next(p);
    poy_array **not_both = poyi_pool_next(p), **tail = poyi_pool_next(p), **first = poyi_pool_next(p);
    const int64_t one = 1;
    POYI_TRY(ctx, poy_array_slice(ctx, sorted, 0, 1, INT64_MIN, 1, rest));
    POYI_TRY(ctx, poy_array_slice(ctx, sorted, 0, 0, -1, 1, before));
    POYI_TRY(ctx, poy_ne(ctx, *rest, *before, differ));
    POYI_TRY(ctx, poy_isnan(ctx, *rest, nan));
    POYI_TRY(ctx, poy_isnan(ctx, *before, nan_before));
    POYI_TRY(ctx, poy_logical_and(ctx, *nan, *nan_before, both));
    POYI_TRY(ctx, poy_logical_not(ctx, *both, not_both));
    POYI_TRY(ctx, poy_logical_and(ctx, *differ, *not_both, tail));
    POYI_TRY(ctx, poy_fill(ctx, sorted->be, (poy_scalar){1, 0}, POY_B8, 1, &one, first));
    const poy_array *const parts[2] = {*first, *tail};
    POYI_TRY(ctx, poy_concatenate(ctx, 2, parts, 0, mark));
    return POY_OK;
}

/* How far it is from each place to the next, from the last one to the end. */
static poy_status count_runs(poy_ctx *ctx, poyi_pool *p, const poy_array *mark, poy_array **counts)
{
    poy_array **places = poyi_pool_next(p), **line = poyi_pool_next(p), **end = poyi_pool_next(p);
    poy_array **ends = poyi_pool_next(p);
    const int64_t one = 1, all = -1;
    POYI_TRY(ctx, poy_nonzero(ctx, mark, places));
    POYI_TRY(ctx, poy_array_reshape(ctx, *places, 1, &all, line));
    POYI_TRY(ctx, poy_fill(ctx, mark->be, (poy_scalar){(double)mark->size, 0}, POY_I64, 1, &one, end));
    const poy_array *const parts[2] = {*line, *end};
    POYI_TRY(ctx, poy_concatenate(ctx, 2, parts, 0, ends));
    POYI_TRY(ctx, poy_diff(ctx, *ends, 0, counts));
    return POY_OK;
}

poy_status poy_unique(poy_ctx *ctx, const poy_array *x, poy_array **values, poy_array **counts)
{
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};
    poy_array **line = poyi_pool_next(&p), **sorted = poyi_pool_next(&p), **mark = poyi_pool_next(&p);
    const int64_t all = x->size;

    *values = NULL;
    if (counts)
        *counts = NULL;
    POYI_TO_DONE(ctx, poy_array_reshape(ctx, x, 1, &all, line));
    POYI_TO_DONE(ctx, poy_sort(ctx, *line, 0, sorted));
    if (!x->size) {
        POYI_TO_DONE(ctx, poy_copy(ctx, *sorted, x->dtype, values));
        if (counts)
            POYI_TO_DONE(ctx, poy_array_create(ctx, x->be, POY_I64, 1, &all, counts));
        goto done;
    }
    POYI_TO_DONE(ctx, mark_first(ctx, &p, *sorted, mark));
    POYI_TO_DONE(ctx, poy_take(ctx, *sorted, *mark, 0, values));
    if (counts)
        POYI_TO_DONE(ctx, count_runs(ctx, &p, *mark, counts));
done:
    poyi_pool_fini(&p);
    if (status != POY_OK)
        poy_array_destroy(values);
    return status;
}

/* ---- places in a sorted vector ---- */

/* Element i of either, as integers where both are. */
typedef struct ordered {
    const void *host;
    int whole; /* int64_t, else double */
} ordered;

static int is_less(const ordered *a, int64_t i, const ordered *b, int64_t j)
{
    if (a->whole)
        return ((const int64_t *)a->host)[i] < ((const int64_t *)b->host)[j];
    double x = ((const double *)a->host)[i], y = ((const double *)b->host)[j];
    return x < y || (isnan(y) && !isnan(x));
}

static int64_t find(const ordered *sorted, int64_t n, const ordered *x, int64_t i, int right)
{
    int64_t low = 0, high = n; /* all before low are passed, none from high on */
    while (low < high) {
        int64_t middle = low + (high - low) / 2;
        if (right ? !is_less(x, i, sorted, middle) : is_less(sorted, middle, x, i))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

poy_status poy_searchsorted(poy_ctx *ctx, const poy_array *sorted, const poy_array *x, int right, poy_array **y)
{
    poy_status status = POY_OK;
    void *a = NULL, *b = NULL, *places = NULL;
    const poy_dtype dtype = poy_result_type(sorted->dtype, x->dtype);
    const int whole = dtype == POY_I32 || dtype == POY_I64 || dtype == POY_B8;

    *y = NULL;
    if (sorted->rank != 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "searchsorted: shape %s is no vector",
                         poyi_shape_print(sorted->rank, sorted->extent).text);
    if (poy_dtype_is_complex(dtype))
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "searchsorted: %s has no order, needs real elements",
                         poy_dtype_name(dtype));
    POYI_TO_DONE(ctx, read_as(ctx, sorted, whole ? POY_I64 : POY_F64, &a));
    POYI_TO_DONE(ctx, read_as(ctx, x, whole ? POY_I64 : POY_F64, &b));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.search", (size_t)x->size * sizeof(int64_t), &places));
    const ordered in = {a, whole}, of = {b, whole};
    for (int64_t i = 0; i < x->size; i++)
        ((int64_t *)places)[i] = find(&in, sorted->size, &of, i, right);
    POYI_TO_DONE(ctx, write_places(ctx, x->be, x->rank, x->extent, places, y));
done:
    poyi_free(&places);
    poyi_free(&b);
    poyi_free(&a);
    return status;
}

poy_status poy_mesh(poy_ctx *ctx, int n, const poy_array *const *vectors, poy_array **out)
{
    for (int k = 0; k < n; k++)
        out[k] = NULL;
    if (n < 1 || n > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "mesh: of %d vectors, needs 1 to %d", n, POY_RANK_MAX);
    for (int k = 0; k < n; k++) {
        int64_t extent[POY_RANK_MAX];
        poy_status status = POY_OK;
        if (vectors[k]->rank != 1)
            status = POYI_FAIL(ctx, POY_ERR_SHAPE, "mesh: array %d of shape %s is no vector", k,
                               poyi_shape_print(vectors[k]->rank, vectors[k]->extent).text);
        for (int i = 0; i < n; i++)
            extent[i] = i == k ? vectors[k]->size : 1;
        poy_array *view = NULL;
        if (status == POY_OK)
            status = poy_array_reshape(ctx, vectors[k], n, extent, &view);
        if (status == POY_OK)
            status = poy_copy(ctx, view, view->dtype, &out[k]);
        poy_array_destroy(&view);
        if (status == POY_OK)
            continue;
        while (k-- > 0)
            poy_array_destroy(&out[k]);
        return status;
    }
    return POY_OK;
}

/* ---- indices of several axes ---- */

typedef struct places {
    int n, at[POY_RANK_MAX]; /* axes of x */
    int order[POY_RANK_MAX]; /* these first, then the others */
    int rank;                /* of the index */
    int64_t extent[POY_RANK_MAX];
    int64_t first, rest; /* elements of the indexed axes together, of the others */
    int other_rank;
    int64_t other[POY_RANK_MAX];
} places;

static poy_status read_axes(poy_ctx *ctx, const poy_array *x, int n, const int *axes, const poy_array *const *index,
                            places *p)
{
    unsigned seen = 0;
    *p = (places){.n = n, .first = 1, .rest = 1};
    if (n < 1 || n > x->rank)
        return POYI_FAIL(ctx, POY_ERR_AXIS, "%d indices for an array of %d axes", n, x->rank);
    for (int k = 0; k < n; k++) {
        int at = poyi_shape_axis(x->rank, axes[k]);
        if (at < 0 || seen & 1u << at)
            return POYI_FAIL(ctx, POY_ERR_AXIS, "axis %d %s in shape %s", axes[k],
                             at < 0 ? "is not there" : "is named twice", poyi_shape_print(x->rank, x->extent).text);
        if (index[k]->dtype != POY_I32 && index[k]->dtype != POY_I64)
            return POYI_FAIL(ctx, POY_ERR_DTYPE, "index %d is %s, needs i32 or i64 (nonzero makes one of a mask)", k,
                             poy_dtype_name(index[k]->dtype));
        if (!poyi_shape_join(&p->rank, p->extent, index[k]->rank, index[k]->extent))
            return POYI_FAIL(ctx, POY_ERR_BROADCAST, "index %d of shape %s does not broadcast with %s", k,
                             poyi_shape_print(index[k]->rank, index[k]->extent).text,
                             poyi_shape_print(p->rank, p->extent).text);
        seen |= 1u << at;
        p->at[k] = p->order[k] = at;
        p->first *= x->extent[at];
    }
    for (int i = 0; i < x->rank; i++)
        if (!(seen & 1u << i)) {
            p->order[n + p->other_rank] = i;
            p->other[p->other_rank++] = x->extent[i];
            p->rest *= x->extent[i];
        }
    if (p->rank + p->other_rank > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "the result would have %d axes, %d can be", p->rank + p->other_rank,
                         POY_RANK_MAX);
    return POY_OK;
}

/* The places along all indexed axes as one. */
static poy_status join_places(poy_ctx *ctx, const poy_array *x, const poy_array *const *index, const places *p,
                              poy_array **out)
{
    poy_status status = POY_OK;
    poy_array *wide = NULL;
    void *host = NULL, *sum = NULL;
    int64_t size = 1;
    for (int i = 0; i < p->rank; i++)
        size *= p->extent[i];
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "array.search", (size_t)size * sizeof(int64_t), &sum));
    for (int k = 0; k < p->n; k++) {
        const int64_t n = x->extent[p->at[k]];
        POYI_TO_DONE(ctx, poy_array_broadcast_to(ctx, index[k], p->rank, p->extent, &wide));
        POYI_TO_DONE(ctx, read_as(ctx, wide, POY_I64, &host));
        for (int64_t i = 0; i < size; i++) {
            int64_t at = ((const int64_t *)host)[i];
            if (at < -n || at >= n) {
                status = POYI_FAIL(ctx, POY_ERR_INDEX, "the index %lld is not within axis %d of %lld elements",
                                   (long long)at, p->at[k], (long long)n);
                goto done;
            }
            ((int64_t *)sum)[i] = ((int64_t *)sum)[i] * n + (at < 0 ? at + n : at);
        }
        poyi_free(&host);
        poy_array_destroy(&wide);
    }
    POYI_TO_DONE(ctx, write_places(ctx, x->be, p->rank, p->extent, sum, out));
done:
    poyi_free(&sum);
    poyi_free(&host);
    poy_array_destroy(&wide);
    return status;
}

/* x as a copy [first, others...] whose first axis is all indexed ones. */
static poy_status gather_axes(poy_ctx *ctx, poyi_pool *pool, const poy_array *x, const places *p, poy_array **line)
{
    poy_array **turned = poyi_pool_next(pool), **copy = poyi_pool_next(pool);
    int64_t extent[POY_RANK_MAX];
    extent[0] = p->first;
    memcpy(extent + 1, p->other, (size_t)p->other_rank * sizeof *extent);
    POYI_TRY(ctx, poy_array_transpose(ctx, x, p->order, turned));
    POYI_TRY(ctx, poy_copy(ctx, *turned, x->dtype, copy));
    POYI_TRY(ctx, poy_array_reshape(ctx, *copy, 1 + p->other_rank, extent, line));
    return POY_OK;
}

poy_status poy_take_at(poy_ctx *ctx, const poy_array *x, int n, const int *axes, const poy_array *const *index,
                       poy_array **y)
{
    poy_status status = POY_OK;
    poyi_pool pool = {.n = 0};
    poy_array **line = poyi_pool_next(&pool), **joined = poyi_pool_next(&pool);
    places p;
    *y = NULL;
    POYI_TO_DONE(ctx, read_axes(ctx, x, n, axes, index, &p));
    POYI_TO_DONE(ctx, join_places(ctx, x, index, &p, joined));
    POYI_TO_DONE(ctx, gather_axes(ctx, &pool, x, &p, line));
    POYI_TO_DONE(ctx, poy_take(ctx, *line, *joined, 0, y));
done:
    poyi_pool_fini(&pool);
    return status;
}

poy_status poy_put_at(poy_ctx *ctx, const poy_array *x, int n, const int *axes, const poy_array *const *index,
                      const poy_array *v, int adds, poy_array **y)
{
    poy_status status = POY_OK;
    poyi_pool pool = {.n = 0};
    poy_array **line = poyi_pool_next(&pool), **joined = poyi_pool_next(&pool), **back = poyi_pool_next(&pool);
    poy_array **turned = poyi_pool_next(&pool);
    int64_t extent[POY_RANK_MAX];
    places p;
    int inverse[POY_RANK_MAX];
    *y = NULL;
    POYI_TO_DONE(ctx, read_axes(ctx, x, n, axes, index, &p));
    POYI_TO_DONE(ctx, join_places(ctx, x, index, &p, joined));
    POYI_TO_DONE(ctx, gather_axes(ctx, &pool, x, &p, line));
    POYI_TO_DONE(ctx, (adds ? poy_put_add_into : poy_put_into)(ctx, *line, *joined, v, 0, *line));
    for (int i = 0; i < x->rank; i++) {
        extent[i] = x->extent[p.order[i]];
        inverse[p.order[i]] = i;
    }
    POYI_TO_DONE(ctx, poy_array_reshape(ctx, *line, x->rank, extent, back));
    POYI_TO_DONE(ctx, poy_array_transpose(ctx, *back, inverse, turned));
    POYI_TO_DONE(ctx, poy_copy(ctx, *turned, x->dtype, y));
done:
    poyi_pool_fini(&pool);
    return status;
}
