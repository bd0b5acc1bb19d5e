/* sparse_convert.c: entries in host memory, sorted by counting: O(entries + rows + columns), in a stable order. */
#include "ops/sparse.h"

poy_status poyi_sparse_host(poy_ctx *ctx, const poy_array *a, const void **host, void **owned)
{
    *owned = NULL;
    if (poyi_backend_is_host(a->be)) {
        *host = (const char *)a->mem + a->offset * (int64_t)poy_dtype_size(a->dtype);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_alloc(ctx, "sparse.host", (size_t)a->size * poy_dtype_size(a->dtype), owned));
    *host = *owned;
    POYI_TRY(ctx, poy_array_read(ctx, a, *owned));
    return POY_OK;
}

/* ---- entries of a matrix ---- */

static poy_status alloc_places(poy_ctx *ctx, int wide, int64_t n, void **out)
{
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)n, wide ? 8 : 4, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "sparse.sorting", bytes, out));
    return POY_OK;
}

/* The row of each entry from where rows start. */
static void expand(int wide, int64_t rows, const void *starts, void *out)
{
    for (int64_t row = 0; row < rows; row++)
        for (int64_t i = poyi_place_at(starts, wide, row), end = poyi_place_at(starts, wide, row + 1); i < end; i++)
            poyi_place_set(out, wide, i, row);
}

poy_status poyi_entries_read(poy_ctx *ctx, const poy_sparse *a, poyi_entries *e)
{
    poy_status status = POY_OK;
    const void *first = NULL, *second = NULL;
    void *starts = NULL;
    *e = (poyi_entries){.wide = a->places == POY_I64, .n = a->entries, .dtype = a->dtype};
    POYI_TO_DONE(ctx, poyi_sparse_host(ctx, a->first, &first, &starts));
    POYI_TO_DONE(ctx, poyi_sparse_host(ctx, a->second, &second, &e->owned[1]));
    POYI_TO_DONE(ctx, poyi_sparse_host(ctx, a->values, &e->values, &e->owned[2]));
    if (a->format == POY_SPARSE_COO) {
        e->owned[0] = starts;
        starts = NULL;
    } else {
        POYI_TO_DONE(ctx, alloc_places(ctx, e->wide, e->n, &e->owned[0]));
        expand(e->wide, poyi_sparse_starts(a) - 1, first, e->owned[0]);
        first = e->owned[0];
    }
    e->row = a->format == POY_SPARSE_CSC ? second : first;
    e->column = a->format == POY_SPARSE_CSC ? first : second;
done:
    poyi_free(&starts);
    return status;
}

void poyi_entries_fini(poyi_entries *e)
{
    for (int k = 0; k < 3; k++)
        poyi_free(&e->owned[k]);
}

/* ---- sorting by one of the two places ---- */

/* Entries by their major place, in the order in which they came: starts [majors + 1], minors and values. */
typedef struct packed {
    int wide;
    int64_t majors, n;
    poy_dtype dtype;
    void *starts, *minor, *values;
} packed;

static void packed_fini(packed *p)
{
    poyi_free(&p->starts);
    poyi_free(&p->minor);
    poyi_free(&p->values);
}

static poy_status packed_init(poy_ctx *ctx, int wide, int64_t majors, int64_t n, poy_dtype dtype, packed *p)
{
    *p = (packed){.wide = wide, .majors = majors, .n = n, .dtype = dtype};
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "sparse.sorting", (size_t)(majors + 1) * (wide ? 8 : 4), &p->starts));
    POYI_TRY(ctx, alloc_places(ctx, wide, n, &p->minor));
    POYI_TRY(ctx, poyi_alloc(ctx, "sparse.sorting", (size_t)n * poy_dtype_size(dtype), &p->values));
    return POY_OK;
}

static poy_status pack(poy_ctx *ctx, const poyi_entries *e, const void *major, const void *minor, int64_t majors,
                       packed *p)
{
    const int wide = e->wide;
    POYI_TRY(ctx, packed_init(ctx, wide, majors, e->n, e->dtype, p));
    for (int64_t i = 0; i < e->n; i++) { /* how many there are of each, one place further */
        int64_t at = poyi_place_at(major, wide, i) + 1;
        poyi_place_set(p->starts, wide, at, poyi_place_at(p->starts, wide, at) + 1);
    }
    for (int64_t m = 0; m < majors; m++)
        poyi_place_set(p->starts, wide, m + 1,
                       poyi_place_at(p->starts, wide, m + 1) + poyi_place_at(p->starts, wide, m));
    for (int64_t i = 0; i < e->n; i++) {
        int64_t m = poyi_place_at(major, wide, i), at = poyi_place_at(p->starts, wide, m);
        poyi_place_set(p->minor, wide, at, poyi_place_at(minor, wide, i));
        poyi_value_copy(e->dtype, p->values, at, e->values, i);
        poyi_place_set(p->starts, wide, m, at + 1);
    }
    for (int64_t m = majors; m > 0; m--) /* each start has moved to its end, which is the next one's start */
        poyi_place_set(p->starts, wide, m, poyi_place_at(p->starts, wide, m - 1));
    poyi_place_set(p->starts, wide, 0, 0);
    return POY_OK;
}

static void add_value(poy_dtype dtype, void *to, int64_t at, const void *from, int64_t i)
{
    const int parts = poy_dtype_is_complex(dtype) ? 2 : 1;
    for (int64_t k = 0; k < parts; k++)
        if (dtype == POY_F32 || dtype == POY_C64)
            ((float *)to)[at * parts + k] += ((const float *)from)[i * parts + k];
        else
            ((double *)to)[at * parts + k] += ((const double *)from)[i * parts + k];
}

/* Neighbours with one place become one, in place. */
static void merge(packed *p)
{
    int64_t to = 0, i = 0;
    for (int64_t m = 0; m < p->majors; m++) {
        const int64_t end = poyi_place_at(p->starts, p->wide, m + 1), first = to;
        poyi_place_set(p->starts, p->wide, m, first);
        for (; i < end; i++) {
            int64_t minor = poyi_place_at(p->minor, p->wide, i);
            if (to > first && poyi_place_at(p->minor, p->wide, to - 1) == minor) {
                add_value(p->dtype, p->values, to - 1, p->values, i);
                continue;
            }
            poyi_place_set(p->minor, p->wide, to, minor);
            poyi_value_copy(p->dtype, p->values, to, p->values, i);
            to++;
        }
    }
    poyi_place_set(p->starts, p->wide, p->majors, to);
    p->n = to;
}

/* ---- matrices from entries ---- */

static poy_status write_vector(poy_ctx *ctx, const poy_sparse *a, poy_dtype dtype, int64_t n, const void *host,
                               poy_array **out)
{
    POYI_TRY(ctx, poyi_sparse_vector(ctx, a, dtype, n, out));
    POYI_TRY(ctx, poy_array_write(ctx, *out, host));
    return POY_OK;
}

/* The places of p are of the type that its entries came in, which is wide enough for what is made of them. */
static poy_status from_packed(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows, int64_t columns,
                              const packed *p, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_sparse *s = NULL;
    void *majors = NULL;
    const void *first = p->starts;
    POYI_TO_DONE(ctx, poyi_sparse_new(ctx, be, format, rows, columns, p->n, p->dtype, &s));
    s->places = p->wide ? POY_I64 : POY_I32;
    if (format == POY_SPARSE_COO) {
        POYI_TO_DONE(ctx, alloc_places(ctx, p->wide, p->n, &majors));
        expand(p->wide, p->majors, p->starts, majors);
        first = majors;
    }
    POYI_TO_DONE(ctx, write_vector(ctx, s, s->places, poyi_sparse_starts(s), first, &s->first));
    POYI_TO_DONE(ctx, write_vector(ctx, s, s->places, p->n, p->minor, &s->second));
    POYI_TO_DONE(ctx, write_vector(ctx, s, p->dtype, p->n, p->values, &s->values));
    *out = s;
    s = NULL;
done:
    poyi_free(&majors);
    poy_sparse_destroy(&s);
    return status;
}

static poy_status triples(poy_ctx *ctx, poy_backend *be, int64_t rows, int64_t columns, const poyi_entries *e,
                          poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_sparse *s = NULL;
    POYI_TO_DONE(ctx, poyi_sparse_new(ctx, be, POY_SPARSE_COO, rows, columns, e->n, e->dtype, &s));
    s->places = e->wide ? POY_I64 : POY_I32;
    POYI_TO_DONE(ctx, write_vector(ctx, s, s->places, e->n, e->row, &s->first));
    POYI_TO_DONE(ctx, write_vector(ctx, s, s->places, e->n, e->column, &s->second));
    POYI_TO_DONE(ctx, write_vector(ctx, s, e->dtype, e->n, e->values, &s->values));
    *out = s;
    return POY_OK;
done:
    poy_sparse_destroy(&s);
    return status;
}

poy_status poyi_sparse_from_entries(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows,
                                    int64_t columns, const poyi_entries *e, poy_sparse **out)
{
    poy_status status = POY_OK;
    packed p = {0};
    int by_columns = format == POY_SPARSE_CSC;
    *out = NULL;
    if (format == POY_SPARSE_COO)
        return triples(ctx, be, rows, columns, e, out);
    POYI_TO_DONE(ctx, pack(ctx, e, by_columns ? e->column : e->row, by_columns ? e->row : e->column,
                           by_columns ? columns : rows, &p));
    POYI_TO_DONE(ctx, from_packed(ctx, be, format, rows, columns, &p, out));
done:
    packed_fini(&p);
    return status;
}

poy_status poyi_sparse_sorted(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows, int64_t columns,
                              const poyi_entries *e, poy_sparse **out)
{
    poy_status status = POY_OK;
    packed once = {0}, twice = {0};
    void *expanded = NULL;
    int by_columns = format == POY_SPARSE_CSC;
    int64_t majors = by_columns ? columns : rows, minors = by_columns ? rows : columns;
    *out = NULL;
    /* By the minor place first: the second sort keeps that order within a major one. */
    POYI_TO_DONE(ctx, pack(ctx, e, by_columns ? e->row : e->column, by_columns ? e->column : e->row, minors, &once));
    POYI_TO_DONE(ctx, alloc_places(ctx, e->wide, e->n, &expanded));
    expand(e->wide, minors, once.starts, expanded);
    const poyi_entries half = {.wide = e->wide, .n = e->n, .dtype = e->dtype, .values = once.values};
    POYI_TO_DONE(ctx, pack(ctx, &half, once.minor, expanded, majors, &twice));
    merge(&twice);
    POYI_TO_DONE(ctx, from_packed(ctx, be, format, rows, columns, &twice, out));
done:
    poyi_free(&expanded);
    packed_fini(&twice);
    packed_fini(&once);
    return status;
}
