/* ref_lines.c: operations along lines, each as its formula: running sums, sorting, elements chosen and changed by index. */
#include <math.h>
#include <stdlib.h>

#include "backends/ref/ref.h"

typedef poyi_ref_value value;

/* y_i = sum over j <= i of x_j. */
poy_status poyi_ref_cumsum(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int last = x->rank - 1;
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, last);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&w)) {
        poyi_ref_total re = {0, 0}, im = {0, 0};
        uint64_t whole = 0;
        for (int64_t i = 0; i < x->extent[last]; i++) {
            value v = poyi_ref_load(x, w.at[0] + i * x->stride[last]);
            poyi_ref_total_add(&re, creal(v.z));
            poyi_ref_total_add(&im, cimag(v.z));
            whole += (uint64_t)v.i;
            value sum = {CMPLX(poyi_ref_total_end(&re), poyi_ref_total_end(&im)), (int64_t)whole};
            poyi_ref_store(y, w.at[1] + i * y->stride[last], sum);
        }
    }
    return POY_OK;
}

/* ---- sorting: by value, NaN last, equal ones in their order ---- */

typedef struct ranked {
    value v;
    int64_t place;
} ranked;

static int compare(const void *a, const void *b)
{
    const ranked *p = a, *q = b;
    double x = creal(p->v.z), y = creal(q->v.z);
    int by_nan = (isnan(x) != 0) - (isnan(y) != 0), by_place = (p->place > q->place) - (p->place < q->place);
    int by_value = isnan(x) || isnan(y) ? 0 : (x > y) - (x < y), by_whole = (p->v.i > q->v.i) - (p->v.i < q->v.i);
    return by_nan ? by_nan : by_value ? by_value : by_whole ? by_whole : by_place;
}

static poy_status sort_lines(poy_ctx *ctx, const poy_tensor *x, const poy_tensor *y, int places)
{
    const poy_tensor *const t[2] = {x, y};
    int last = x->rank - 1;
    int64_t n = x->extent[last];
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, last);
    void *block = NULL;

    POYI_TRY(ctx, poyi_alloc(ctx, "ref.sort", (size_t)n * sizeof(ranked), &block));
    ranked *line = block;
    while (poyi_ref_walk_next(&w)) {
        for (int64_t i = 0; i < n; i++)
            line[i] = (ranked){poyi_ref_load(x, w.at[0] + i * x->stride[last]), i};
        qsort(line, (size_t)n, sizeof *line, compare);
        for (int64_t i = 0; i < n; i++)
            poyi_ref_store(y, w.at[1] + i * y->stride[last], places ? (value){0, line[i].place} : line[i].v);
    }
    poyi_free(&block);
    return POY_OK;
}

poy_status poyi_ref_sort(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)be;
    return sort_lines(ctx, x, y, 0);
}

poy_status poyi_ref_argsort(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)be;
    return sort_lines(ctx, x, y, 1);
}

/* ---- by index ---- */

/* Number i of an index, counted from the end where negative. */
static poy_status read_index(poy_ctx *ctx, const poy_tensor *index, int64_t i, int64_t n, int64_t *out)
{
    int64_t at = ((const int64_t *)index->mem)[index->offset + i * index->stride[0]];
    *out = at < 0 ? at + n : at;
    if (*out < 0 || *out >= n)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "the index %lld is not within an axis of %lld elements", (long long)at,
                         (long long)n);
    return POY_OK;
}

/* Nothing is written if one of n_index places is out of range. */
static poy_status check_index(poy_ctx *ctx, const poy_tensor *index, int64_t n_index, int64_t n)
{
    int64_t at;
    for (int64_t i = 0; i < n_index; i++)
        POYI_TRY(ctx, read_index(ctx, index, i, n, &at));
    return POY_OK;
}

/* y_i = x_(index_i). */
poy_status poyi_ref_take(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int last = x->rank - 1;
    (void)be;
    POYI_TRY(ctx, check_index(ctx, index, y->extent[last], x->extent[last]));
    for (int64_t i = 0; i < y->extent[last]; i++) {
        int64_t at;
        POYI_TRY(ctx, read_index(ctx, index, i, x->extent[last], &at));
        poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, last);
        while (poyi_ref_walk_next(&w))
            poyi_ref_store(y, w.at[1] + i * y->stride[last], poyi_ref_load(x, w.at[0] + at * x->stride[last]));
    }
    return POY_OK;
}

/* y_(index_i) = v_i, or y_(index_i) + v_i, for i = 0, 1, ... */
static poy_status put(poy_ctx *ctx, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y, int add)
{
    const poy_tensor *const t[2] = {y, v};
    int last = y->rank - 1;
    int64_t at;
    POYI_TRY(ctx, check_index(ctx, index, v->extent[last], y->extent[last]));
    for (int64_t i = 0; i < v->extent[last]; i++) {
        POYI_TRY(ctx, read_index(ctx, index, i, y->extent[last], &at));
        poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, last);
        while (poyi_ref_walk_next(&w)) {
            value a = poyi_ref_load(v, w.at[1] + i * v->stride[last]);
            int64_t place = w.at[0] + at * y->stride[last];
            value b = poyi_ref_load(y, place);
            if (add)
                a = (value){b.z + a.z, (int64_t)((uint64_t)b.i + (uint64_t)a.i)};
            poyi_ref_store(y, place, a);
        }
    }
    return POY_OK;
}

poy_status poyi_ref_put(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y)
{
    (void)be;
    return put(ctx, index, v, y, 0);
}

poy_status poyi_ref_put_add(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v, const poy_tensor *y)
{
    (void)be;
    return put(ctx, index, v, y, 1);
}

/* ---- products of vectors ---- */

/* z = sum over k of conj(x_k) y_k. */
poy_status poyi_ref_vdot(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    poyi_ref_products sum = {{0, 0}, {0, 0}, 0};
    (void)ctx;
    (void)be;
    for (int64_t k = 0; k < x->extent[0]; k++) {
        value a = poyi_ref_load(x, x->offset + k * x->stride[0]);
        a.z = conj(a.z);
        poyi_ref_products_add(&sum, x->dtype, a, poyi_ref_load(y, y->offset + k * y->stride[0]));
    }
    poyi_ref_store(z, z->offset, poyi_ref_products_end(&sum));
    return POY_OK;
}
