/* sparse_runs.c: runs of rows that follow one pattern, as matrices of stencils, bands and grids have them. A product that
 * knows them reads no places there, and one value for each entry of the pattern where the values repeat, too. */
#include "ops/sparse.h"

enum {
    SHORT = 16 /* entries of a row from which places are little beside what else is read and done */
};

/* Bytes of a value. */
typedef struct lines {
    const void *start, *index;
    const char *values;
    size_t size;
    int wide;
} lines;

static int64_t length_of(const lines *m, int64_t i)
{
    return poyi_place_at(m->start, m->wide, i + 1) - poyi_place_at(m->start, m->wide, i);
}

/* How row i + 1 goes on from row i: 0, in its places moved by one (1), and with its values (2). Values are compared as
 * bytes: a zero of the other sign, or a NaN, is another value. */
static int goes_on(const lines *m, int64_t i)
{
    const int64_t n = length_of(m, i), e = poyi_place_at(m->start, m->wide, i);
    if (n != length_of(m, i + 1) || !n || n >= SHORT)
        return 0;
    for (int64_t k = e; k < e + n; k++)
        if (poyi_place_at(m->index, m->wide, k + n) != poyi_place_at(m->index, m->wide, k) + 1)
            return 0;
    const size_t bytes = (size_t)n * m->size;
    return memcmp(m->values + (size_t)e * m->size, m->values + (size_t)(e + n) * m->size, bytes) ? 1 : 2;
}

/* Fills run [rows]; returns how many rows stand in runs that are long enough to be worth a kernel of their own. */
static int64_t find(const lines *m, int64_t rows, void *run)
{
    int64_t moved = 1, equal = 1, covered = 0;
    for (int64_t i = rows - 1; i >= 0; i--) {
        const int how = i + 1 < rows ? goes_on(m, i) : 0;
        moved = how >= 1 ? moved + 1 : 1;
        equal = how == 2 ? equal + 1 : 1;
        poyi_place_set(run, m->wide, i, equal >= POYI_SPARSE_RUN ? -equal : moved);
        covered += moved == POYI_SPARSE_RUN ? POYI_SPARSE_RUN : moved > POYI_SPARSE_RUN;
    }
    return covered;
}

/* The runs of a, or an empty vector. */
static poy_status make(poy_ctx *ctx, const poy_sparse *a, poy_array **out)
{
    const int64_t rows = poyi_sparse_starts(a) - 1;
    const lines m = {.start = (const char *)a->first->mem + a->first->offset * (int64_t)poy_dtype_size(a->places),
                     .index = (const char *)a->second->mem + a->second->offset * (int64_t)poy_dtype_size(a->places),
                     .values = (const char *)a->values->mem + a->values->offset * (int64_t)poy_dtype_size(a->dtype),
                     .size = poy_dtype_size(a->dtype),
                     .wide = a->places == POY_I64};
    POYI_TRY(ctx, poyi_sparse_vector(ctx, a, a->places, rows, out));
    if (find(&m, rows, (*out)->mem) >= rows / 2)
        return POY_OK;
    poy_array_destroy(out);
    POYI_TRY(ctx, poyi_sparse_vector(ctx, a, a->places, 0, out));
    return POY_OK;
}

poy_status poyi_sparse_runs(poy_ctx *ctx, const poy_sparse *a, const poy_array **out)
{
    poy_status status = POY_OK;
    *out = NULL;
    if (!poyi_backend_is_host(a->be) || poyi_sparse_starts(a) <= POYI_SPARSE_RUN)
        return POY_OK;
    poy_array *run = atomic_load(&a->kept->run);
    if (!run) {
        poyi_engine_lock(poyi_ctx_engine(ctx));
        run = atomic_load(&a->kept->run); /* perhaps another thread was first */
        if (!run) {
            status = make(ctx, a, &run);
            atomic_store(&a->kept->run, run);
        }
        poyi_engine_unlock(poyi_ctx_engine(ctx));
        POYI_TRY(ctx, status);
    }
    *out = run->size ? run : NULL;
    return POY_OK;
}
