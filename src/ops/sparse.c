/* sparse.c: sparse matrices: made from vectors that are checked, shared, looked at, given back. */
#include <stdlib.h>

#include "ops/sparse.h"

static const char *const format_names[] = {
    [POY_SPARSE_COO] = "COO", [POY_SPARSE_CSR] = "CSR", [POY_SPARSE_CSC] = "CSC"};

poy_status poyi_sparse_new(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows, int64_t columns,
                           int64_t entries, poy_dtype dtype, poy_sparse **out)
{
    *out = NULL;
    if ((unsigned)format > POY_SPARSE_CSC)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "sparse: there is no format %d, there are COO, CSR, CSC", (int)format);
    if (rows < 0 || columns < 0)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "sparse: extents %lld and %lld, none may be negative", (long long)rows,
                         (long long)columns);
    poy_sparse *a = calloc(1, sizeof *a);
    poyi_sparse_kept *kept = calloc(1, sizeof *kept);
    if (!a || !kept) {
        free(a);
        free(kept);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a sparse matrix's handle");
    }
    a->kept = kept;
    int64_t largest = rows > columns ? rows : columns;
    largest = largest > entries ? largest : entries;
    a->be = poyi_backend_keep(be);
    a->format = format;
    a->rows = rows;
    a->columns = columns;
    a->entries = entries;
    a->dtype = dtype;
    a->places = largest >= INT32_MAX ? POY_I64 : POY_I32;
    *out = a;
    return POY_OK;
}

void poy_sparse_destroy(poy_sparse **a)
{
    poy_sparse *s = *a;
    *a = NULL;
    if (!s)
        return;
    for (int f = 0; f < 3; f++) {
        poy_sparse *other = atomic_load(&s->kept->other[f]);
        poy_sparse_destroy(&other);
    }
    poy_array *run = atomic_load(&s->kept->run);
    poy_array_destroy(&run);
    poy_array_destroy(&s->values);
    poy_array_destroy(&s->second);
    poy_array_destroy(&s->first);
    poy_backend_close(&s->be);
    free(s->kept);
    free(s);
}

poy_status poyi_sparse_vector(poy_ctx *ctx, const poy_sparse *a, poy_dtype dtype, int64_t length, poy_array **out)
{
    POYI_TRY(ctx, poyi_array_create(ctx, a->be, "sparse", dtype, 1, &length, out));
    return POY_OK;
}

poy_status poyi_sparse_share(poy_ctx *ctx, const poy_array *vector, poy_array **out)
{
    POYI_TRY(ctx, poy_array_view(ctx, vector, 1, vector->extent, vector->stride, 0, out));
    return POY_OK;
}

int64_t poyi_sparse_starts(const poy_sparse *a)
{
    return a->format == POY_SPARSE_COO ? a->entries : (a->format == POY_SPARSE_CSR ? a->rows : a->columns) + 1;
}

/* ---- checks ---- */

static poy_status check_vectors(poy_ctx *ctx, const poy_sparse *a, const poy_array *first, const poy_array *second,
                                const poy_array *values)
{
    const poy_array *const all[3] = {first, second, values};
    const int64_t length[3] = {poyi_sparse_starts(a), a->entries, a->entries};
    static const char *const names[3] = {"first", "second", "values"};
    for (int k = 0; k < 3; k++) {
        if (all[k]->rank != 1 || all[k]->extent[0] != length[k])
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "sparse: %s of %s has shape %s, needs [%lld]", names[k],
                             format_names[a->format], poyi_shape_print(all[k]->rank, all[k]->extent).text,
                             (long long)length[k]);
        if (k < 2 && all[k]->dtype != POY_I32 && all[k]->dtype != POY_I64)
            return POYI_FAIL(ctx, POY_ERR_DTYPE, "sparse: %s is %s, needs i32 or i64", names[k],
                             poy_dtype_name(all[k]->dtype));
        if (all[k]->be != a->be)
            return POYI_FAIL(ctx, POY_ERR_BACKEND, "sparse: values are on '%s', %s on '%s'", poy_backend_name(a->be),
                             names[k], poy_backend_name(all[k]->be));
    }
    return POY_OK;
}

static poy_status check_places(poy_ctx *ctx, const poy_array *places, int64_t extent, const char *what)
{
    poy_status status = POY_OK;
    const void *host = NULL;
    void *owned = NULL;
    POYI_TO_DONE(ctx, poyi_sparse_host(ctx, places, &host, &owned));
    for (int64_t i = 0; i < places->size; i++) {
        int64_t place = poyi_place_at(host, places->dtype == POY_I64, i);
        if (place < 0 || place >= extent) {
            const int is_clipped = places->dtype == POY_I32 && (place == INT32_MAX || place == INT32_MIN);
            status = POYI_FAIL(ctx, POY_ERR_INDEX, "sparse: entry %lld is in %s %lld%s of %lld", (long long)i, what,
                               (long long)place, is_clipped ? " or beyond" : "", (long long)extent);
            goto done;
        }
    }
done:
    poyi_free(&owned);
    return status;
}

static poy_status check_starts(poy_ctx *ctx, const poy_array *starts, int64_t entries)
{
    poy_status status = POY_OK;
    const void *host = NULL;
    void *owned = NULL;
    int64_t before = 0;
    POYI_TO_DONE(ctx, poyi_sparse_host(ctx, starts, &host, &owned));
    for (int64_t i = 0; i < starts->size; i++) {
        int64_t start = poyi_place_at(host, starts->dtype == POY_I64, i);
        int wrong = (i == 0 && start != 0) || start < before || (i == starts->size - 1 && start != entries);
        if (wrong) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                               "sparse: starts go from 0 to the %lld entries and never fall; number %lld is %lld after "
                               "%lld",
                               (long long)entries, (long long)i, (long long)start, (long long)before);
            goto done;
        }
        before = start;
    }
done:
    poyi_free(&owned);
    return status;
}

poy_status poy_sparse_create(poy_ctx *ctx, poy_sparse_format format, int64_t rows, int64_t columns,
                             const poy_array *first, const poy_array *second, const poy_array *values, poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_sparse *a = NULL;
    int is_float = values->dtype != POY_I32 && values->dtype != POY_I64 && values->dtype != POY_B8;

    *out = NULL;
    POYI_TO_DONE(ctx, poyi_sparse_new(ctx, values->be, format, rows, columns, values->size,
                                      is_float ? values->dtype : POY_F64, &a));
    POYI_TO_DONE(ctx, check_vectors(ctx, a, first, second, values));
    /* Copies are checked: nobody changes them afterwards. Places too large for i32 saturate, and are too large then. */
    POYI_TO_DONE(ctx, poyi_sparse_vector(ctx, a, a->places, first->extent[0], &a->first));
    POYI_TO_DONE(ctx, poyi_sparse_vector(ctx, a, a->places, a->entries, &a->second));
    POYI_TO_DONE(ctx, poyi_sparse_vector(ctx, a, a->dtype, a->entries, &a->values));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, first, a->first));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, second, a->second));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, values, a->values));
    if (format == POY_SPARSE_COO)
        POYI_TO_DONE(ctx, check_places(ctx, a->first, rows, "row"));
    else
        POYI_TO_DONE(ctx, check_starts(ctx, a->first, a->entries));
    POYI_TO_DONE(ctx, format == POY_SPARSE_CSC ? check_places(ctx, a->second, rows, "row")
                                               : check_places(ctx, a->second, columns, "column"));
    *out = a;
    return POY_OK;
done:
    poy_sparse_destroy(&a);
    return status;
}

/* ---- looked at ---- */

poy_sparse_format poy_sparse_format_of(const poy_sparse *a)
{
    return a->format;
}
poy_dtype poy_sparse_dtype(const poy_sparse *a)
{
    return a->dtype;
}
int64_t poy_sparse_rows(const poy_sparse *a)
{
    return a->rows;
}
int64_t poy_sparse_columns(const poy_sparse *a)
{
    return a->columns;
}
int64_t poy_sparse_entries(const poy_sparse *a)
{
    return a->entries;
}
poy_backend *poy_sparse_backend(const poy_sparse *a)
{
    return a->be;
}

poy_status poy_sparse_parts(poy_ctx *ctx, const poy_sparse *a, poy_array **first, poy_array **second,
                            poy_array **values)
{
    poy_status status = POY_OK;
    *first = *second = *values = NULL;
    POYI_TO_DONE(ctx, poy_copy(ctx, a->first, a->format == POY_SPARSE_COO ? a->places : POY_I64, first));
    POYI_TO_DONE(ctx, poy_copy(ctx, a->second, a->places, second));
    POYI_TO_DONE(ctx, poy_copy(ctx, a->values, a->dtype, values));
    return POY_OK;
done:
    poy_array_destroy(second);
    poy_array_destroy(first);
    return status;
}

/* ---- the same entries, another handle ---- */

static poy_status share_all(poy_ctx *ctx, const poy_sparse *a, poy_sparse *s)
{
    POYI_TRY(ctx, poyi_sparse_share(ctx, a->first, &s->first));
    POYI_TRY(ctx, poyi_sparse_share(ctx, a->second, &s->second));
    POYI_TRY(ctx, poyi_sparse_share(ctx, a->values, &s->values));
    return POY_OK;
}

poy_status poy_sparse_transpose(poy_ctx *ctx, const poy_sparse *a, poy_sparse **out)
{
    static const poy_sparse_format formats[] = {
        [POY_SPARSE_COO] = POY_SPARSE_COO, [POY_SPARSE_CSR] = POY_SPARSE_CSC, [POY_SPARSE_CSC] = POY_SPARSE_CSR};
    poy_status status = POY_OK;
    poy_sparse *s = NULL;
    *out = NULL;
    POYI_TO_DONE(ctx, poyi_sparse_new(ctx, a->be, formats[a->format], a->columns, a->rows, a->entries, a->dtype, &s));
    POYI_TO_DONE(ctx, share_all(ctx, a, s));
    if (a->format == POY_SPARSE_COO) {
        poy_array *rows = s->first;
        s->first = s->second;
        s->second = rows;
    }
    *out = s;
    return POY_OK;
done:
    poy_sparse_destroy(&s);
    return status;
}

poy_status poy_sparse_convert(poy_ctx *ctx, const poy_sparse *a, poy_sparse_format format, poy_sparse **out)
{
    poy_status status = POY_OK;
    poyi_entries e = {0};
    poy_sparse *s = NULL;
    *out = NULL;
    if (format == a->format) {
        POYI_TO_DONE(ctx, poyi_sparse_new(ctx, a->be, format, a->rows, a->columns, a->entries, a->dtype, &s));
        POYI_TO_DONE(ctx, share_all(ctx, a, s));
    } else {
        POYI_TO_DONE(ctx, poyi_entries_read(ctx, a, &e));
        POYI_TO_DONE(ctx, poyi_sparse_from_entries(ctx, a->be, format, a->rows, a->columns, &e, &s));
    }
    *out = s;
    s = NULL;
done:
    poy_sparse_destroy(&s);
    poyi_entries_fini(&e);
    return status;
}

poy_status poyi_sparse_in(poy_ctx *ctx, const poy_sparse *a, poy_sparse_format format, const poy_sparse **out)
{
    poy_status status = POY_OK;
    poy_sparse *other = NULL;
    *out = format == a->format ? a : atomic_load(&a->kept->other[format]);
    if (*out)
        return POY_OK;
    poyi_engine_lock(poyi_ctx_engine(ctx));
    other = atomic_load(&a->kept->other[format]); /* perhaps another thread was first */
    if (!other) {
        status = poy_sparse_convert(ctx, a, format, &other);
        atomic_store(&a->kept->other[format], other);
    }
    poyi_engine_unlock(poyi_ctx_engine(ctx));
    POYI_TRY(ctx, status);
    *out = other;
    return POY_OK;
}
