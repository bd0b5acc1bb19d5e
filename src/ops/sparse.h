/* sparse.h: sparse matrices as the array layer knows them, and their entries in host memory. */
#ifndef POYI_OPS_SPARSE_H
#define POYI_OPS_SPARSE_H

#include <stdatomic.h>
#include <string.h>

#include "ops/array.h"
#include "poynting/sparse.h"

/* What a matrix finds out about itself when a product first needs it: made once, under the engine's lock. */
typedef struct poyi_sparse_kept {
    _Atomic(poy_sparse *) other[3]; /* itself in another format */
    _Atomic(poy_array *) run;       /* runs of the rows of CSR, the columns of CSC; empty: none that are worth it */
} poyi_sparse_kept;

struct poy_sparse {
    poy_backend *be; /* counted */
    poy_sparse_format format;
    int64_t rows, columns, entries;
    poy_dtype dtype, places;            /* of the values; of places and starts: i32, or i64 where that is too small */
    poy_array *first, *second, *values; /* as poy_sparse_create takes them, C-contiguous, checked */
    poyi_sparse_kept *kept;
};

/* A handle without its vectors, for so many entries. Errors: POY_ERR_SHAPE, POY_ERR_ARGUMENT. */
poy_status poyi_sparse_new(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows, int64_t columns,
                           int64_t entries, poy_dtype dtype, poy_sparse **out);
/* One of its vectors; length elements of a type. */
poy_status poyi_sparse_vector(poy_ctx *ctx, const poy_sparse *a, poy_dtype dtype, int64_t length, poy_array **out);
/* A handle of other extents or type that shares a vector. */
poy_status poyi_sparse_share(poy_ctx *ctx, const poy_array *vector, poy_array **out);
/* Length of first. */
int64_t poyi_sparse_starts(const poy_sparse *a);
/* a itself in a format: a, or what it keeps for that. */
poy_status poyi_sparse_in(poy_ctx *ctx, const poy_sparse *a, poy_sparse_format format, const poy_sparse **out);

enum { POYI_SPARSE_RUN = 8 }; /* rows from which a run is worth a loop of its own */
/* *out: what poy_sparse_arg tells as run of a's lines (rows of CSR, columns of CSC), or NULL. */
poy_status poyi_sparse_runs(poy_ctx *ctx, const poy_sparse *a, const poy_array **out);

/* ---- entries in host memory ---- */

typedef struct poyi_entries {
    int wide; /* places are int64_t, else int32_t */
    int64_t n;
    poy_dtype dtype;
    const void *row, *column, *values;
    void *owned[3];
} poyi_entries;
poy_status poyi_entries_read(poy_ctx *ctx, const poy_sparse *a, poyi_entries *e);
void poyi_entries_fini(poyi_entries *e);
/* A vector's elements in host memory; *owned: what is to be freed. */
poy_status poyi_sparse_host(poy_ctx *ctx, const poy_array *a, const void **host, void **owned);
/* Entries as a matrix of a format; rows of CSR, columns of CSC keep the order that they come in. */
poy_status poyi_sparse_from_entries(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows,
                                    int64_t columns, const poyi_entries *e, poy_sparse **out);
/* The same, sorted, repeated ones added. */
poy_status poyi_sparse_sorted(poy_ctx *ctx, poy_backend *be, poy_sparse_format format, int64_t rows, int64_t columns,
                              const poyi_entries *e, poy_sparse **out);

static inline int64_t poyi_place_at(const void *places, int wide, int64_t i)
{
    return wide ? ((const int64_t *)places)[i] : ((const int32_t *)places)[i];
}
static inline void poyi_place_set(void *places, int wide, int64_t i, int64_t place)
{
    if (wide)
        ((int64_t *)places)[i] = place;
    else
        ((int32_t *)places)[i] = (int32_t)place;
}
static inline void poyi_value_copy(poy_dtype dtype, void *to, int64_t at, const void *from, int64_t i)
{
    size_t size = poy_dtype_size(dtype);
    memcpy((char *)to + (size_t)at * size, (const char *)from + (size_t)i * size, size);
}

#endif
