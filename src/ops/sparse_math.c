/* sparse_math.c: sparse matrices from dense ones and back, sums, casts, comparison. */
#include <math.h>
#include <stdlib.h>

#include "ops/sparse.h"

/* ---- one by one ---- */

/* Element i of values as two numbers. */
static void value_at(poy_dtype dtype, const void *values, int64_t i, double out[2])
{
    out[1] = 0;
    switch (dtype) {
    case POY_F32: out[0] = (double)((const float *)values)[i]; break;
    case POY_C64:
        out[0] = (double)((const float *)values)[2 * i];
        out[1] = (double)((const float *)values)[2 * i + 1];
        break;
    case POY_C128:
        out[0] = ((const double *)values)[2 * i];
        out[1] = ((const double *)values)[2 * i + 1];
        break;
    default: out[0] = ((const double *)values)[i];
    }
}

static void value_add(poy_dtype dtype, void *values, int64_t i, const double x[2])
{
    switch (dtype) {
    case POY_F32: ((float *)values)[i] = (float)((double)((float *)values)[i] + x[0]); break;
    case POY_C64:
        ((float *)values)[2 * i] = (float)((double)((float *)values)[2 * i] + x[0]);
        ((float *)values)[2 * i + 1] = (float)((double)((float *)values)[2 * i + 1] + x[1]);
        break;
    case POY_C128:
        ((double *)values)[2 * i] += x[0];
        ((double *)values)[2 * i + 1] += x[1];
        break;
    default: ((double *)values)[i] += x[0];
    }
}

/* ---- dense and sparse ---- */

static int64_t count_entries(poy_dtype dtype, const void *host, int64_t n)
{
    int64_t count = 0;
    double x[2];
    for (int64_t i = 0; i < n; i++) {
        value_at(dtype, host, i, x);
        count += x[0] != 0 || x[1] != 0;
    }
    return count;
}

static poy_status dense_entries(poy_ctx *ctx, const poy_array *x, const void *host, poyi_entries *e)
{
    const int64_t n = count_entries(x->dtype, host, x->size), columns = x->extent[1];
    int64_t at = 0;
    double z[2];
    *e = (poyi_entries){
        .wide = x->extent[0] >= INT32_MAX || columns >= INT32_MAX || n >= INT32_MAX, .n = n, .dtype = x->dtype};
    const size_t size = e->wide ? 8 : 4;
    POYI_TRY(ctx, poyi_alloc(ctx, "sparse.host", (size_t)n * size, &e->owned[0]));
    POYI_TRY(ctx, poyi_alloc(ctx, "sparse.host", (size_t)n * size, &e->owned[1]));
    POYI_TRY(ctx, poyi_alloc(ctx, "sparse.host", (size_t)n * poy_dtype_size(x->dtype), &e->owned[2]));
    for (int64_t i = 0; i < x->size; i++) {
        value_at(x->dtype, host, i, z);
        if (z[0] == 0 && z[1] == 0)
            continue;
        poyi_place_set(e->owned[0], e->wide, at, i / columns);
        poyi_place_set(e->owned[1], e->wide, at, i % columns);
        poyi_value_copy(x->dtype, e->owned[2], at++, host, i);
    }
    e->row = e->owned[0];
    e->column = e->owned[1];
    e->values = e->owned[2];
    return POY_OK;
}

poy_status poy_sparse_from_dense(poy_ctx *ctx, const poy_array *x, poy_sparse_format format, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_array *packed = NULL;
    poyi_entries e = {0};
    const void *host = NULL;
    void *owned = NULL;
    int whole = x->dtype == POY_I32 || x->dtype == POY_I64 || x->dtype == POY_B8;

    *out = NULL;
    if (x->rank != 2)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "sparse: shape %s is no matrix, needs two axes",
                         poyi_shape_print(x->rank, x->extent).text);
    if (whole || !x->contiguous) {
        POYI_TO_DONE(ctx, poy_copy(ctx, x, whole ? POY_F64 : x->dtype, &packed));
        x = packed;
    }
    POYI_TO_DONE(ctx, poyi_sparse_host(ctx, x, &host, &owned));
    POYI_TO_DONE(ctx, dense_entries(ctx, x, host, &e));
    POYI_TO_DONE(ctx, poyi_sparse_from_entries(ctx, x->be, format, x->extent[0], x->extent[1], &e, out));
done:
    poyi_entries_fini(&e);
    poyi_free(&owned);
    poy_array_destroy(&packed);
    return status;
}

/* Entries added up: into a dense matrix, or its diagonal. */
static poy_status gather(poy_ctx *ctx, const poy_sparse *a, int diagonal, poy_array **y)
{
    poy_status status = POY_OK;
    poyi_entries e = {0};
    void *host = NULL;
    int64_t extent[2] = {a->rows, a->columns}, least = a->rows < a->columns ? a->rows : a->columns, size = least;
    double x[2];

    *y = NULL;
    if (diagonal)
        extent[0] = least;
    else
        POYI_TO_DONE(ctx, poyi_shape_size(ctx, a->dtype, 2, extent, &size));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "sparse.host", (size_t)size * poy_dtype_size(a->dtype), &host));
    POYI_TO_DONE(ctx, poyi_entries_read(ctx, a, &e));
    for (int64_t i = 0; i < e.n; i++) {
        int64_t row = poyi_place_at(e.row, e.wide, i), column = poyi_place_at(e.column, e.wide, i);
        value_at(e.dtype, e.values, i, x);
        if (!diagonal)
            value_add(e.dtype, host, row * a->columns + column, x);
        else if (row == column)
            value_add(e.dtype, host, row, x);
    }
    POYI_TO_DONE(ctx, poy_array_create(ctx, a->be, a->dtype, diagonal ? 1 : 2, extent, y));
    POYI_TO_DONE(ctx, poy_array_write(ctx, *y, host));
done:
    poyi_entries_fini(&e);
    poyi_free(&host);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

poy_status poy_sparse_to_dense(poy_ctx *ctx, const poy_sparse *a, poy_array **y)
{
    return gather(ctx, a, 0, y);
}

poy_status poy_sparse_diagonal(poy_ctx *ctx, const poy_sparse *a, poy_array **y)
{
    return gather(ctx, a, 1, y);
}

/* ---- the same places, other values ---- */

static poy_status with_values(poy_ctx *ctx, const poy_sparse *a, poy_array *values, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_sparse *s = NULL;
    *out = NULL;
    POYI_TO_DONE(ctx, poyi_sparse_new(ctx, a->be, a->format, a->rows, a->columns, a->entries, values->dtype, &s));
    s->places = a->places;
    POYI_TO_DONE(ctx, poyi_sparse_share(ctx, a->first, &s->first));
    POYI_TO_DONE(ctx, poyi_sparse_share(ctx, a->second, &s->second));
    POYI_TO_DONE(ctx, poyi_sparse_share(ctx, values, &s->values));
    *out = s;
    return POY_OK;
done:
    poy_sparse_destroy(&s);
    return status;
}

poy_status poy_sparse_conj(poy_ctx *ctx, const poy_sparse *a, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_array *values = NULL;
    *out = NULL;
    POYI_TO_DONE(ctx, poyi_sparse_vector(ctx, a, a->dtype, a->entries, &values));
    POYI_TO_DONE(ctx, poy_conj_into(ctx, a->values, values));
    POYI_TO_DONE(ctx, with_values(ctx, a, values, out));
done:
    poy_array_destroy(&values);
    return status;
}

poy_status poy_sparse_cast(poy_ctx *ctx, const poy_sparse *a, poy_dtype dtype, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_array *values = NULL;
    *out = NULL;
    if ((unsigned)dtype > POY_C128)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "sparse: no matrix of %s, there are f32, f64, c64, c128",
                         (unsigned)dtype < POY_DTYPE_COUNT ? poy_dtype_name(dtype) : "an unknown type");
    POYI_TO_DONE(ctx, poyi_sparse_vector(ctx, a, dtype, a->entries, &values));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, a->values, values));
    POYI_TO_DONE(ctx, with_values(ctx, a, values, out));
done:
    poy_array_destroy(&values);
    return status;
}

poy_status poy_sparse_canonical(poy_ctx *ctx, const poy_sparse *a, poy_sparse **out)
{
    poy_status status = POY_OK;
    poyi_entries e = {0};
    *out = NULL;
    POYI_TO_DONE(ctx, poyi_entries_read(ctx, a, &e));
    POYI_TO_DONE(ctx, poyi_sparse_sorted(ctx, a->be, a->format, a->rows, a->columns, &e, out));
done:
    poyi_entries_fini(&e);
    return status;
}

poy_status poy_sparse_move(poy_ctx *ctx, const poy_sparse *a, poy_backend *be, poy_sparse **out)
{
    poy_status status = POY_OK;
    poyi_entries e = {0};
    poy_sparse *coo = NULL;
    *out = NULL;
    POYI_TO_DONE(ctx, poyi_entries_read(ctx, a, &e));
    POYI_TO_DONE(ctx, poyi_sparse_from_entries(ctx, be, a->format, a->rows, a->columns, &e, out));
done:
    poy_sparse_destroy(&coo);
    poyi_entries_fini(&e);
    return status;
}

/* ---- two of them ---- */

/* The entries of both, of one type, one after the other; those of b negated if subtracts. */
static poy_status join(poy_ctx *ctx, const poy_sparse *a, const poy_sparse *b, poyi_entries *out)
{
    poy_status status = POY_OK;
    poy_sparse *typed[2] = {NULL, NULL};
    poyi_entries e[2] = {{0}, {0}};
    const poy_sparse *const both[2] = {a, b};
    poy_dtype dtype = poy_result_type(a->dtype, b->dtype);
    int64_t n = a->entries + b->entries, at = 0, largest = a->rows > a->columns ? a->rows : a->columns;

    *out = (poyi_entries){.wide = n >= INT32_MAX || largest >= INT32_MAX, .n = n, .dtype = dtype};
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "sparse.host", (size_t)n * (out->wide ? 8 : 4), &out->owned[0]));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "sparse.host", (size_t)n * (out->wide ? 8 : 4), &out->owned[1]));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "sparse.host", (size_t)n * poy_dtype_size(dtype), &out->owned[2]));
    for (int k = 0; k < 2; k++) {
        POYI_TO_DONE(ctx, poy_sparse_cast(ctx, both[k], dtype, &typed[k]));
        POYI_TO_DONE(ctx, poyi_entries_read(ctx, typed[k], &e[k]));
        for (int64_t i = 0; i < e[k].n; i++, at++) {
            poyi_place_set(out->owned[0], out->wide, at, poyi_place_at(e[k].row, e[k].wide, i));
            poyi_place_set(out->owned[1], out->wide, at, poyi_place_at(e[k].column, e[k].wide, i));
            poyi_value_copy(dtype, out->owned[2], at, e[k].values, i);
        }
    }
    out->row = out->owned[0];
    out->column = out->owned[1];
    out->values = out->owned[2];
done:
    for (int k = 0; k < 2; k++) {
        poyi_entries_fini(&e[k]);
        poy_sparse_destroy(&typed[k]);
    }
    return status;
}

poy_status poy_sparse_add(poy_ctx *ctx, const poy_sparse *a, const poy_sparse *b, poy_sparse **out)
{
    poy_status status = POY_OK;
    poyi_entries e = {0};
    *out = NULL;
    if (a->rows != b->rows || a->columns != b->columns)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "sparse: [%lld, %lld] and [%lld, %lld] cannot be added",
                         (long long)a->rows, (long long)a->columns, (long long)b->rows, (long long)b->columns);
    if (a->be != b->be)
        return POYI_FAIL(ctx, POY_ERR_BACKEND, "sparse: a is on '%s', b on '%s'", poy_backend_name(a->be),
                         poy_backend_name(b->be));
    POYI_TO_DONE(ctx, join(ctx, a, b, &e));
    POYI_TO_DONE(ctx, poyi_sparse_sorted(ctx, a->be, a->format, a->rows, a->columns, &e, out));
done:
    poyi_entries_fini(&e);
    return status;
}

/* Which of two entries stands first, -1, 0 or 1 as in qsort; past the end is last. */
static int order_of(const poyi_entries *a, int64_t i, const poyi_entries *b, int64_t j)
{
    if (i == a->n || j == b->n)
        return (i == a->n) - (j == b->n);
    int64_t p = poyi_place_at(a->row, a->wide, i), q = poyi_place_at(b->row, b->wide, j);
    if (p == q) {
        p = poyi_place_at(a->column, a->wide, i);
        q = poyi_place_at(b->column, b->wide, j);
    }
    return (p > q) - (p < q);
}

static int are_close(const double x[2], const double y[2], double rtol, double atol)
{
    double size = fmax(hypot(x[0], x[1]), hypot(y[0], y[1]));
    if (x[0] == y[0] && x[1] == y[1]) /* infinities, too */
        return 1;
    if (isinf(size))
        return 0;
    return hypot(x[0] - y[0], x[1] - y[1]) <= atol + rtol * size; /* not of NaN */
}

/* Both sorted by rows, each place once. */
static int all_close(const poyi_entries *a, const poyi_entries *b, double rtol, double atol)
{
    for (int64_t i = 0, j = 0; i < a->n || j < b->n;) {
        int order = order_of(a, i, b, j);
        double x[2] = {0, 0}, y[2] = {0, 0};
        if (order <= 0)
            value_at(a->dtype, a->values, i++, x);
        if (order >= 0)
            value_at(b->dtype, b->values, j++, y);
        if (!are_close(x, y, rtol, atol))
            return 0;
    }
    return 1;
}

poy_status poy_sparse_allclose(poy_ctx *ctx, const poy_sparse *a, const poy_sparse *b, double rtol, double atol,
                               int *out)
{
    poy_status status = POY_OK;
    const poy_sparse *const both[2] = {a, b};
    poy_sparse *sorted[2] = {NULL, NULL};
    poyi_entries e[2] = {{0}, {0}}, loose = {0};

    *out = 0;
    if (a->rows != b->rows || a->columns != b->columns)
        return POY_OK;
    for (int k = 0; k < 2; k++) {
        POYI_TO_DONE(ctx, poyi_entries_read(ctx, both[k], &loose));
        POYI_TO_DONE(ctx, poyi_sparse_sorted(ctx, a->be, POY_SPARSE_CSR, a->rows, a->columns, &loose, &sorted[k]));
        poyi_entries_fini(&loose);
        POYI_TO_DONE(ctx, poyi_entries_read(ctx, sorted[k], &e[k]));
    }
    *out = all_close(&e[0], &e[1], rtol, atol);
done:
    poyi_entries_fini(&loose);
    for (int k = 0; k < 2; k++) {
        poyi_entries_fini(&e[k]);
        poy_sparse_destroy(&sorted[k]);
    }
    return status;
}
