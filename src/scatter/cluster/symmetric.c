/* symmetric.c: block elimination of complex symmetric matrices: the sweep that turns a matrix into its inverse in place
 * (Goodnight, Am. Stat. 33, 149 (1979)), and L D L^T. Nearly all work is in products of blocks. */
#include "scatter/cluster/symmetric.h"

#include <math.h>
#include <string.h>

#include "record/lapack.h"

typedef struct scratch {
    poy_c128 *column, *scaled; /* [n][widest] */
    poy_c128 *inverse, *work;
    int32_t *pivots;
    void *memory;
} scratch;

/* Rows of the widest block. */
static size_t widest_block(const poyi_symmetric *s)
{
    size_t widest = 0;
    for (size_t b = 0; b < s->blocks; b++)
        widest = s->offset[b + 1] - s->offset[b] > widest ? s->offset[b + 1] - s->offset[b] : widest;
    return widest;
}

size_t poyi_symmetric_scratch(size_t n, size_t widest)
{
    const size_t elements = 2 * n * widest + widest * widest + poyi_lu_invert_work((int64_t)widest);
    return elements * sizeof(poy_c128) + widest * sizeof(int32_t);
}

static poy_status scratch_create(poy_ctx *ctx, const poyi_symmetric *s, scratch *w)
{
    const size_t widest = widest_block(s);
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "cluster", (int64_t)s->n));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", poyi_symmetric_scratch(s->n, widest), &w->memory));
    w->column = w->memory;
    w->scaled = w->column + s->n * widest;
    w->inverse = w->scaled + s->n * widest;
    w->work = w->inverse + widest * widest;
    w->pivots = (int32_t *)(void *)(w->work + poyi_lu_invert_work((int64_t)widest));
    return POY_OK;
}

static double largest(size_t n, const poy_c128 *a)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(a[i].re) + fabs(a[i].im);
        most = size <= most ? most : size; /* NaN counts */
    }
    return most;
}

/* The inverse of a diagonal block; its largest entry. */
static double invert_block(const poyi_symmetric *s, size_t b, const scratch *w)
{
    const size_t from = s->offset[b], width = s->offset[b + 1] - from;
    for (size_t i = 0; i < width; i++)
        memcpy(w->inverse + i * width, s->m + (from + i) * s->n + from, width * sizeof *s->m);
    for (size_t i = 0; i < width; i++) /* the lower triangle counts */
        for (size_t j = i + 1; j < width; j++)
            w->inverse[i * width + j] = w->inverse[j * width + i];
    if (poyi_lu_factor(POY_C128, (int64_t)width, w->inverse, w->pivots) != 0)
        return (double)INFINITY;
    poyi_lu_invert((int64_t)width, w->inverse, w->pivots, w->work);
    for (size_t i = 0; i < width; i++)
        for (size_t j = i + 1; j < width; j++)
            w->inverse[i * width + j] = w->inverse[j * width + i];
    return largest(width * width, w->inverse);
}

/* Rows from row on of the block column b: itself below the diagonal, the transposed block row above. */
static void take_column(const poyi_symmetric *s, size_t b, size_t row, poy_c128 *column)
{
    const size_t from = s->offset[b], to = s->offset[b + 1], width = to - from;
    for (size_t i = row; i < from; i++)
        for (size_t j = 0; j < width; j++)
            column[i * width + j] = s->m[(from + j) * s->n + i];
    for (size_t i = row > from ? row : from; i < s->n; i++)
        memcpy(column + i * width, s->m + i * s->n + from, width * sizeof *column);
}

/* scaled = column inverse, rows from row on; the rows of blocks are shared among threads. */
static void scale_column(poy_ctx *ctx, const poyi_symmetric *s, size_t first, size_t width, const scratch *w)
{
    (void)ctx; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (s->blocks - first > 3)
    for (size_t j = first; j < s->blocks; j++) {
        const size_t at = s->offset[j], rows = s->offset[j + 1] - at;
        memset(w->scaled + at * width, 0, rows * width * sizeof *w->scaled);
        poyi_gemm_add('n', (int64_t)rows, (int64_t)width, (int64_t)width, 1.0, w->column + at * width, (int64_t)width,
                      w->inverse, (int64_t)width, w->scaled + at * width, (int64_t)width);
    }
}

/* m_ij -= scaled_i column_j^T for j from first on, i >= j; block skip is left alone where it is a column. */
static void update(poy_ctx *ctx, const poyi_symmetric *s, size_t first, size_t skip, size_t width, const scratch *w)
{
    (void)ctx; /* without OpenMP */
#pragma omp parallel for schedule(dynamic) num_threads(poy_ctx_threads(ctx)) if (s->blocks - first > 3)
    for (size_t j = first; j < s->blocks; j++) {
        const size_t at = s->offset[j], cols = s->offset[j + 1] - at;
        if (j == skip)
            continue;
        poyi_gemm_add('t', (int64_t)(s->n - at), (int64_t)cols, (int64_t)width, -1.0, w->scaled + at * width,
                      (int64_t)width, w->column + at * width, (int64_t)width, s->m + at * s->n + at, (int64_t)s->n);
    }
}

/* The block column b from rows of a scratch: below the diagonal as it is, above into the block row. */
static void put_column(const poyi_symmetric *s, size_t b, const poy_c128 *column)
{
    const size_t from = s->offset[b], to = s->offset[b + 1], width = to - from;
    for (size_t i = 0; i < from; i++)
        for (size_t j = 0; j < width; j++)
            s->m[(from + j) * s->n + i] = column[i * width + j];
    for (size_t i = to; i < s->n; i++)
        memcpy(s->m + i * s->n + from, column + i * width, width * sizeof *column);
}

static void put_diagonal(const poyi_symmetric *s, size_t b, double sign, const poy_c128 *block)
{
    const size_t from = s->offset[b], width = s->offset[b + 1] - from;
    for (size_t i = 0; i < width; i++)
        for (size_t j = 0; j < width; j++)
            s->m[(from + i) * s->n + from + j] =
                (poy_c128){sign * block[i * width + j].re, sign * block[i * width + j].im};
}

poy_status poyi_symmetric_invert(poy_ctx *ctx, poyi_symmetric *s, double *growth)
{
    scratch w;
    *growth = 0.0;
    POYI_TRY(ctx, scratch_create(ctx, s, &w));
    for (size_t b = 0; b < s->blocks && *growth < (double)INFINITY; b++) {
        const size_t width = s->offset[b + 1] - s->offset[b];
        const double size = invert_block(s, b, &w);
        *growth = size <= *growth ? *growth : size;
        take_column(s, b, 0, w.column);
        scale_column(ctx, s, 0, width, &w);
        update(ctx, s, 0, b, width, &w);
        put_column(s, b, w.scaled);
        put_diagonal(s, b, -1.0, w.inverse);
    }
    for (size_t i = 0; i < s->n; i++)
        for (size_t j = 0; j <= i; j++) {
            const poy_c128 v = {-s->m[i * s->n + j].re, -s->m[i * s->n + j].im};
            s->m[i * s->n + j] = s->m[j * s->n + i] = v;
        }
    poyi_free(&w.memory);
    return POY_OK;
}

poy_status poyi_symmetric_factor(poy_ctx *ctx, poyi_symmetric *s, double *growth)
{
    scratch w;
    *growth = 0.0;
    POYI_TRY(ctx, scratch_create(ctx, s, &w));
    for (size_t b = 0; b < s->blocks && *growth < (double)INFINITY; b++) {
        const size_t from = s->offset[b], to = s->offset[b + 1], width = to - from;
        const double size = invert_block(s, b, &w);
        *growth = size <= *growth ? *growth : size;
        take_column(s, b, to, w.column);
        scale_column(ctx, s, b + 1, width, &w);
        update(ctx, s, b + 1, s->blocks, width, &w);
        put_diagonal(s, b, 1.0, w.inverse);
        for (size_t i = to; i < s->n; i++)
            memcpy(s->m + i * s->n + from, w.scaled + i * width, width * sizeof *s->m);
    }
    poyi_free(&w.memory);
    return POY_OK;
}

/* to = D^-1 of block b times from */
static void apply_diagonal(const poyi_symmetric *s, size_t b, size_t columns, const poy_c128 *from, poy_c128 *to)
{
    const size_t at = s->offset[b], width = s->offset[b + 1] - at;
    memset(to, 0, width * columns * sizeof *to);
    poyi_gemm_add('n', (int64_t)width, (int64_t)columns, (int64_t)width, 1.0, s->m + at * s->n + at, (int64_t)s->n,
                  from, (int64_t)columns, to, (int64_t)columns);
}

void poyi_symmetric_solve(const poyi_symmetric *s, size_t columns, poy_c128 *b, poy_c128 *work)
{
    for (size_t k = 0; k < s->blocks; k++) { /* L y = b */
        const size_t at = s->offset[k], to = s->offset[k + 1];
        poyi_gemm_add('n', (int64_t)(s->n - to), (int64_t)columns, (int64_t)(to - at), -1.0, s->m + to * s->n + at,
                      (int64_t)s->n, b + at * columns, (int64_t)columns, b + to * columns, (int64_t)columns);
    }
    for (size_t k = s->blocks; k-- > 0;) { /* D z = y, L^T x = z */
        const size_t at = s->offset[k], to = s->offset[k + 1], width = to - at;
        apply_diagonal(s, k, columns, b + at * columns, work);
        for (size_t i = to; i < s->n; i++) {
            const poy_c128 *row = s->m + i * s->n + at, *x = b + i * columns;
            for (size_t j = 0; j < width; j++)
                for (size_t c = 0; c < columns; c++) {
                    work[j * columns + c].re -= row[j].re * x[c].re - row[j].im * x[c].im;
                    work[j * columns + c].im -= row[j].re * x[c].im + row[j].im * x[c].re;
                }
        }
        memcpy(b + at * columns, work, width * columns * sizeof *b);
    }
}
