/* cpu_products.c: products of matrices of integers, modulo 2^32 or 2^64, and of b8, where + is or and * is and. BLAS has none
 * of these. Compiled once for each of the three types (POY_DTYPE 4, 5, 6) and instruction set (POY_ISA); the object's one
 * symbol is poyi_cpu_products_<isa>_<dtype>. Any order of the terms gives the same bits. */
#include <string.h>

#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"

#if POY_DTYPE == 6
typedef unsigned char wrapping;
#endif
enum { TILE = 256, ROWS = 4 }; /* of z that are summed up side by side: their sums stay in the first cache */

/* Sums of ROWS rows of z over a tile of columns. */
typedef struct tile {
    wrapping sum[ROWS][TILE];
} tile;

/* sum[j] += a y[j]. */
static inline void add_multiple(wrapping *restrict sum, wrapping a, const T *restrict y, int64_t n)
{
#if POY_DTYPE == 6
    for (int64_t j = 0; a && j < n; j++)
        sum[j] |= y[j] != 0;
#else
    for (int64_t j = 0; j < n; j++)
        sum[j] += a * (wrapping)y[j];
#endif
}

/* One matrix of a batch: strides of rows and columns in elements; y's columns are dense. */
typedef struct product {
    const T *x, *y;
    T *z;
    int64_t m, n, k, x_row, x_column, y_row, z_row, z_column;
} product;

static void multiply_rows(const product *p, int64_t first, int64_t rows)
{
    tile t;
    for (int64_t from = 0; from < p->n; from += TILE) {
        const int64_t columns = p->n - from < TILE ? p->n - from : TILE;
        memset(&t, 0, sizeof t);
        for (int64_t l = 0; l < p->k; l++)
            for (int64_t i = 0; i < rows; i++)
                add_multiple(t.sum[i], (wrapping)p->x[(first + i) * p->x_row + l * p->x_column],
                             p->y + l * p->y_row + from, columns);
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < columns; j++)
                p->z[(first + i) * p->z_row + (from + j) * p->z_column] = (T)t.sum[i][j];
    }
}

/* All matrices of y with dense rows, in memory of their own: one after the other, those that repeat once. */
static poy_status pack_columns(poy_ctx *ctx, const poy_tensor *y, poy_tensor *packed, void **memory)
{
    const int last = y->rank - 1;
    int64_t step = 1;
    size_t bytes = 0;
    *packed = *y;
    for (int i = last; i >= 0; i--) {
        const int repeats = i < last - 1 && !y->stride[i];
        packed->stride[i] = repeats ? 0 : step;
        packed->extent[i] = repeats ? 1 : y->extent[i];
        step *= packed->extent[i];
    }
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)step, sizeof(T), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "cpu.matmul", bytes, memory));
    T *to = *memory;
    for (int64_t i = 0; i < step; i += y->extent[last]) {
        poy_tensor once = *y; /* only the matrices that are kept are gone over */
        memcpy(once.extent, packed->extent, sizeof once.extent);
        const T *from = (const T *)y->mem + y->offset + poyi_cpu_place(&once, 0, last, i / y->extent[last]);
        for (int64_t j = 0; j < y->extent[last]; j++)
            to[i + j] = from[j * y->stride[last]];
    }
    packed->mem = to;
    packed->offset = 0;
    memcpy(packed->extent, y->extent, sizeof packed->extent);
    return POY_OK;
}

/* Matrices of a batch in blocks of ROWS rows. */
typedef struct batches {
    const poy_tensor *x, *y, *z;
    int64_t blocks; /* of a matrix */
} batches;

static void multiply_blocks(const void *work, int64_t begin, int64_t end)
{
    const batches *w = work;
    const poy_tensor *x = w->x, *y = w->y, *z = w->z;
    const int row = z->rank - 2, column = z->rank - 1;
    const int64_t m = z->extent[row];
    for (int64_t i = begin; i < end; i++) {
        const int64_t b = i / w->blocks, first = i % w->blocks * ROWS;
        const product p = {.x = (const T *)x->mem + x->offset + poyi_cpu_place(x, 0, row, b),
                           .y = (const T *)y->mem + y->offset + poyi_cpu_place(y, 0, row, b),
                           .z = (T *)z->mem + z->offset + poyi_cpu_place(z, 0, row, b),
                           .m = m,
                           .n = z->extent[column],
                           .k = x->extent[column],
                           .x_row = x->stride[row],
                           .x_column = x->stride[column],
                           .y_row = y->stride[row],
                           .z_row = z->stride[row],
                           .z_column = z->stride[column]};
        multiply_rows(&p, first, m - first < ROWS ? m - first : ROWS);
    }
}

static poy_status op_matmul(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const int row = z->rank - 2, column = z->rank - 1;
    const int64_t m = z->extent[row], n = z->extent[column], k = x->extent[column], blocks = (m + ROWS - 1) / ROWS;
    int64_t count = 1;
    void *memory = NULL;
    poy_tensor packed = *y;
    (void)be;
    if (n > 1 && y->stride[column] != 1)
        POYI_TRY(ctx, pack_columns(ctx, y, &packed, &memory));
    for (int i = 0; i < row; i++)
        count *= z->extent[i];
    /* A product of so many terms takes as long as an element-by-element operation on a quarter of them. */
    const double terms = (double)count * (double)m * (double)n * (double)k;
    const int threads = count * blocks > 1 ? poyi_cpu_team(ctx, terms < 0x1p62 ? (int64_t)(terms / 4) : INT64_MAX) : 1;
    const batches w = {.x = x, .y = &packed, .z = z, .blocks = blocks};
    poyi_cpu_share(threads, count * blocks, multiply_blocks, &w);
    poyi_free(&memory);
    return POY_OK;
}

const poyi_cpu_entry *CPU_OBJECT(products)(size_t *n)
{
    static const poyi_cpu_entry entries[] = {ENTRY(matmul, matmul)};
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
