/* cpu_linalg.c: matmul of the CPU backend by OpenBLAS, which runs on one thread: threads share batches and pieces of rows
 * whose ends do not show in the bits, so that these do not depend on their number. */
#include <cblas.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "backends/cpu/cpu_parts.h"
#include "backends/cpu/cpu_walk.h"

/* A matrix as BLAS takes it: row-major with its leading dimension, or the transpose of such a one. */
typedef struct matrix {
    const char *mem;
    int64_t leading;
    int transposed;
} matrix;

typedef struct product {
    poy_dtype dtype;
    int64_t m, n, k;
} product;

enum { TILE = 48 };                                 /* rows: whole tiles of all kernels of BLAS */
enum { STRIP = 32, STRIP_BYTES = STRIP * 512 * 8 }; /* columns */
/* Of the processor's OpenBLAS, for products of few terms: set once when the backend is opened. */
static _Atomic int has_small_kernels;

/* z = x y, with z row-major: one call of BLAS. */
static void call_gemm(const product *p, const matrix *x, const matrix *y, char *z, int64_t z_leading)
{
    const CBLAS_TRANSPOSE tx = x->transposed ? CblasTrans : CblasNoTrans,
                          ty = y->transposed ? CblasTrans : CblasNoTrans;
    const int m = (int)p->m, n = (int)p->n, k = (int)p->k; /* op_matmul has seen that they fit */
    const int lx = (int)x->leading, ly = (int)y->leading, lz = (int)z_leading;
    const void *a = x->mem, *b = y->mem;
    void *c = z;
    switch (p->dtype) {
    case POY_F32: cblas_sgemm(CblasRowMajor, tx, ty, m, n, k, 1.0F, a, lx, b, ly, 0.0F, c, lz); break;
    case POY_F64: cblas_dgemm(CblasRowMajor, tx, ty, m, n, k, 1.0, a, lx, b, ly, 0.0, c, lz); break;
    case POY_C64: {
        const float one[2] = {1, 0}, zero[2] = {0, 0};
        cblas_cgemm(CblasRowMajor, tx, ty, m, n, k, one, a, lx, b, ly, zero, c, lz);
        break;
    }
    default: {
        const double one[2] = {1, 0}, zero[2] = {0, 0};
        cblas_zgemm(CblasRowMajor, tx, ty, m, n, k, one, a, lx, b, ly, zero, c, lz);
    }
    }
}

/* OpenBLAS has kernels for products of up to 10^6 terms that do not copy the factors first, for real types and processors with
 * AVX-512. On matrices as they lie they are faster than those for larger products, so such a one is made of them, some rows
 * at a time: 58 instead of 49 GFlop/s for 64 x 256 x 256, 46 instead of 29 for 9001 x 17 x 23. Where y has too many elements
 * for that but a cache holds it, some columns at a time, too: 2 % faster for 512 x 512 x 512. Of p, m does not count beyond
 * that, as threads divide it. */
static void piece_of(const product *p, const matrix *x, const matrix *y, int64_t *rows, int64_t *columns)
{
    static const int64_t of_tile[] = {TILE, TILE / 2, TILE / 4, TILE / 6}; /* ends at which do not show: see division */
    enum { CACHED = 2 << 20 };
    const double most = 1e6, least = 256, k = (double)p->k, of_row = (double)p->n * k;
    const int cached = of_row * (double)poy_dtype_size(p->dtype) <= CACHED;
    *rows = p->m;
    *columns = p->n;
    if (!has_small_kernels || poy_dtype_is_complex(p->dtype) || x->transposed || y->transposed ||
        (double)p->m * of_row <= most || of_row < least)
        return;
    for (int strips = 0; strips <= cached; strips++)
        for (size_t i = 0; i < sizeof of_tile / sizeof *of_tile; i++)
            if ((double)of_tile[i] * (strips ? STRIP * k : of_row) <= most) {
                *rows = of_tile[i];
                *columns = strips ? STRIP : p->n;
                return;
            }
}

static int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Rows of y that lie whole pages apart share a few sets of each cache: its strips are copied to dense memory then, which
 * makes 512 x 512 x 512 in f64 faster by 8 %. */
static int is_copied(const product *p, const matrix *y, int64_t columns)
{
    enum { PAGE = 4096 };
    const int64_t size = (int64_t)poy_dtype_size(p->dtype);
    return columns == STRIP && y->leading * size % PAGE == 0 && p->k * STRIP * size <= STRIP_BYTES;
}

static void copy_strip(const product *p, const matrix *y, int64_t columns, char *memory)
{
    const size_t size = poy_dtype_size(p->dtype), bytes = (size_t)columns * size;
    for (int64_t i = 0; i < p->k; i++)
        memcpy(memory + (size_t)i * bytes, y->mem + (size_t)(i * y->leading) * size, bytes);
}

/* z = x y, with z row-major. */
static void gemm(const product *p, const matrix *x, const matrix *y, char *z, int64_t z_leading)
{
    _Alignas(64) char memory[STRIP_BYTES];
    const int64_t size = (int64_t)poy_dtype_size(p->dtype);
    int64_t rows, columns;
    piece_of(p, x, y, &rows, &columns);
    const int copied = is_copied(p, y, columns);
    /* Rows of x that stay in a cache while the columns pass; more of them where each time costs copies. */
    const int64_t panel = columns == p->n ? p->m : copied ? 20 * TILE : 5 * TILE;
    for (int64_t first = 0; first < p->m; first += panel)
        for (int64_t j = 0; j < p->n; j += columns) {
            const int64_t width = least_of(columns, p->n - j);
            matrix strip = {y->mem + j * size, y->leading, y->transposed};
            if (copied) {
                copy_strip(p, &strip, width, memory);
                strip = (matrix){memory, width, 0};
            }
            for (int64_t i = first; i < least_of(first + panel, p->m); i += rows) {
                const product some = {p->dtype, least_of(rows, p->m - i), width, p->k};
                const matrix from = {x->mem + i * x->leading * size, x->leading, x->transposed};
                call_gemm(&some, &from, &strip, z + (i * z_leading + j) * size, z_leading);
            }
        }
}

/* z = a x or a^T x, one column or row of a product: without the packing of gemm. a is [rows, columns] as it lies in memory;
 * steps of the vectors in elements. BLAS adds to zeros: what lay in z might be NaN, which not all versions forget. */
static void gemv(poy_dtype dtype, const matrix *a, int64_t rows, int64_t columns, const char *x, int64_t x_step,
                 char *z, int64_t z_step)
{
    const CBLAS_TRANSPOSE t = a->transposed ? CblasTrans : CblasNoTrans;
    const int m = (int)rows, n = (int)columns, la = (int)a->leading, sx = (int)x_step, sz = (int)z_step;
    const float one_f[2] = {1, 0};
    const double one[2] = {1, 0};
    const void *am = a->mem, *xm = x;
    const size_t size = poy_dtype_size(dtype), length = (size_t)(a->transposed ? columns : rows);
    void *zm = z;
    for (size_t i = 0; z_step != 1 && i < length; i++)
        memset(z + i * (size_t)z_step * size, 0, size);
    if (z_step == 1)
        memset(z, 0, length * size);
    switch (dtype) {
    case POY_F32: cblas_sgemv(CblasRowMajor, t, m, n, 1.0F, am, la, xm, sx, 1.0F, zm, sz); break;
    case POY_F64: cblas_dgemv(CblasRowMajor, t, m, n, 1.0, am, la, xm, sx, 1.0, zm, sz); break;
    case POY_C64: cblas_cgemv(CblasRowMajor, t, m, n, one_f, am, la, xm, sx, one_f, zm, sz); break;
    default: cblas_zgemv(CblasRowMajor, t, m, n, one, am, la, xm, sx, one, zm, sz);
    }
}

/* z = x y, [m, k] and [k, n]: a product of matrices, or of a matrix and a vector. */
static void multiply(const product *p, const matrix *x, const matrix *y, char *z, int64_t z_leading)
{
    if (p->n == 1) {
        const int64_t rows = x->transposed ? p->k : p->m, columns = x->transposed ? p->m : p->k;
        gemv(p->dtype, x, rows, columns, y->mem, y->transposed ? 1 : y->leading, z, z_leading);
    } else if (p->m == 1) { /* z^T = y^T x^T */
        const int64_t rows = y->transposed ? p->n : p->k, columns = y->transposed ? p->k : p->n;
        const matrix t = {y->mem, y->leading, !y->transposed};
        gemv(p->dtype, &t, rows, columns, x->mem, x->transposed ? x->leading : 1, z, 1);
    } else {
        gemm(p, x, y, z, z_leading);
    }
}

/* ---- operands ---- */

/* The last two axes as a matrix; 0 where BLAS cannot take it. */
static int as_matrix(const poy_tensor *t, matrix *out)
{
    int row = t->rank - 2, column = t->rank - 1;
    int64_t rows = t->extent[row], columns = t->extent[column], sr = t->stride[row], sc = t->stride[column];
    if ((sc == 1 || columns == 1) && (rows == 1 || sr >= columns)) {
        out->transposed = 0;
        out->leading = rows == 1 ? columns : sr;
    } else if ((sr == 1 || rows == 1) && (columns == 1 || sc >= rows)) {
        out->transposed = 1;
        out->leading = columns == 1 ? rows : sc;
    } else {
        return 0;
    }
    return out->leading <= INT_MAX;
}

/* Copies between a tensor and the dense one that stands for it; batches that repeat (stride 0 there) once. */
static void move(const poy_tensor *t, const poy_tensor *dense, int back)
{
    size_t size = poy_dtype_size(t->dtype);
    int64_t elements = 1;
    poy_tensor from = *t, to = *dense;
    for (int i = 0; i < t->rank; i++) {
        from.extent[i] = to.extent[i] = dense->stride[i] ? t->extent[i] : 1;
        elements *= from.extent[i];
    }
    for (int64_t i = 0; i < elements; i++) {
        char *a = poyi_cpu_start(t) + poyi_cpu_place(&from, 0, t->rank, i) * (int64_t)size;
        char *b = poyi_cpu_start(dense) + poyi_cpu_place(&to, 0, t->rank, i) * (int64_t)size;
        memcpy(back ? a : b, back ? b : a, size);
    }
}

/* *t as BLAS takes it: as it is, or a dense stand-in in memory of its own, with its values if they are read. */
static poy_status make_operand(poy_ctx *ctx, poy_tensor *t, int is_read, void **memory, matrix *m)
{
    size_t bytes;
    poy_tensor dense = *t;
    int64_t step = 1;

    if (as_matrix(t, m)) {
        m->mem = poyi_cpu_start(t);
        return POY_OK;
    }
    for (int i = t->rank - 1; i >= 0; i--) {
        int once = i < t->rank - 2 && !t->stride[i]; /* a matrix axis that repeats is written out */
        dense.stride[i] = once ? 0 : step;
        step *= once ? 1 : t->extent[i];
    }
    POYI_TRY(ctx, poyi_mul_size(ctx, poy_dtype_size(t->dtype), (size_t)step, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "cpu.matmul", bytes, memory));
    dense.mem = *memory;
    dense.offset = 0;
    if (is_read)
        move(t, &dense, 0);
    *t = dense;
    if (!as_matrix(t, m))
        return POYI_FAIL(ctx, POY_ERR_RANGE, "matmul: rows of %lld elements are more than BLAS can count",
                         (long long)t->extent[t->rank - 1]);
    m->mem = *memory;
    return POY_OK;
}

/* ---- the product ---- */

typedef struct batch {
    product p;
    matrix x, y, z;
    const poy_tensor *tx, *ty, *tz;
} batch;

/* Rows of z from first to end of one matrix of the batch; z = x y, or where z is transposed, z' = y' x'. */
static void multiply_rows(const batch *b, int64_t index, int64_t first, int64_t end)
{
    int axes = b->tz->rank - 2;
    int64_t size = (int64_t)poy_dtype_size(b->p.dtype);
    matrix x = b->x, y = b->y;
    x.mem += poyi_cpu_place(b->tx, 0, axes, index) * size;
    y.mem += poyi_cpu_place(b->ty, 0, axes, index) * size;
    char *z = poyi_cpu_start(b->tz) + poyi_cpu_place(b->tz, 0, axes, index) * size;
    product p = b->p;
    if (b->z.transposed) {
        matrix t = x;
        x = y;
        y = t;
        x.transposed = !x.transposed;
        y.transposed = !y.transposed;
        p.n = b->p.m;
    }
    p.m = end - first;
    x.mem += first * (x.transposed ? 1 : x.leading) * size;
    multiply(&p, &x, &y, z + first * b->z.leading * size, b->z.leading);
}

/* How rows are divided: blocks at places that follow from the shape alone, and between these, ends that do not show in the
 * bits, unit rows apart. The last block, and the last piece of a block, take what is left over.
 *
 * That an end does not show rests on how OpenBLAS adds up an element of z: the terms in parts whose lengths follow from k,
 * each part in the registers of a tile, whatever rows stand above and below. Two things break it. Tiles that rows do not
 * fill have other kernels, with the terms in another order; so an end is at whole tiles, and TILE is a multiple of all (4,
 * 8, 12, 16, 24). And some processors have kernels for products of up to 10^6 terms; so no piece is that small, or it
 * is made of such products whose rows divide TILE. Rows from 40 000 on OpenBLAS divides by itself, by the size of its buffer;
 * blocks stay below. tests/unit/backends/test_matmul_bits.c holds it, for kernels of several processors. */
typedef struct division {
    int64_t rows, block, unit, blocks;
} division;

enum { BLOCK_ROWS = 4096, VECTOR_ROWS = 256 };
static const double least_terms = 0x1p20;

static division divide(const batch *b)
{
    const int64_t rows = b->z.transposed ? b->p.n : b->p.m, columns = b->z.transposed ? b->p.m : b->p.n;
    division d = {.rows = rows, .block = VECTOR_ROWS, .unit = VECTOR_ROWS}; /* of a matrix and a vector */
    if (columns > 1) {
        const double of_tile = TILE * (double)columns * (double)b->p.k;
        d.unit = of_tile < least_terms ? TILE * (int64_t)ceil(least_terms / fmax(of_tile, 1)) : TILE;
        d.block = d.unit > BLOCK_ROWS ? d.unit : BLOCK_ROWS / d.unit * d.unit;
    }
    d.blocks = rows < 2 * d.block ? 1 : rows / d.block;
    return d;
}

/* The first row of piece i of so many in a block. */
static int64_t piece_start(const division *d, int64_t block, int64_t i, int64_t pieces)
{
    const int64_t first = block * d->block, end = block + 1 == d->blocks ? d->rows : first + d->block;
    return i == pieces ? end : first + (end - first) / d->unit * i / pieces * d->unit;
}

/* A job is a block of one matrix of the batch. */
static void multiply_piece(const batch *b, const division *d, int64_t job, int64_t i, int64_t pieces)
{
    const int64_t block = job % d->blocks, first = piece_start(d, block, i, pieces),
                  end = piece_start(d, block, i + 1, pieces);
    if (first < end)
        multiply_rows(b, job / d->blocks, first, end);
}

typedef struct shares {
    const batch *b;
    const division *d;
    int64_t pieces; /* of a block */
} shares;

static void multiply_share(const void *work, int64_t begin, int64_t end)
{
    const shares *w = work;
    for (int64_t i = begin; i < end; i++)
        multiply_piece(w->b, w->d, i / w->pieces, i % w->pieces, w->pieces);
}

static void multiply_all(poy_ctx *ctx, const batch *b)
{
    const division d = divide(b);
    int64_t jobs = d.blocks;
    for (int i = 0; i < b->tz->rank - 2; i++)
        jobs *= b->tz->extent[i];
    /* A product of so many terms takes as long as an element-by-element operation on a sixteenth of them. */
    const double terms = (double)jobs / (double)d.blocks * (double)b->p.m * (double)b->p.n * (double)b->p.k;
    const int threads = jobs > 1 || d.rows >= 2 * d.unit ? poyi_cpu_team(ctx, (int64_t)(terms / 16)) : 1;
    const int64_t pieces = jobs % threads && jobs < 4 * (int64_t)threads ? threads : 1;
    const shares w = {.b = b, .d = &d, .pieces = pieces};
    poyi_cpu_share(threads, jobs * pieces, multiply_share, &w);
}

static poy_status op_matmul(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    poy_status status = POY_OK;
    int row = z->rank - 2, column = z->rank - 1;
    poy_tensor tx = *x, ty = *y, tz = *z;
    void *mx = NULL, *my = NULL, *mz = NULL;
    batch b = {.p = {z->dtype, z->extent[row], z->extent[column], x->extent[column]}, .tx = &tx, .ty = &ty, .tz = &tz};
    (void)be;

    if (b.p.m > INT_MAX || b.p.n > INT_MAX || b.p.k > INT_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "matmul: extents %lld, %lld, %lld are more than BLAS can count",
                         (long long)b.p.m, (long long)b.p.n, (long long)b.p.k);
    POYI_TO_DONE(ctx, make_operand(ctx, &tx, 1, &mx, &b.x));
    POYI_TO_DONE(ctx, make_operand(ctx, &ty, 1, &my, &b.y));
    POYI_TO_DONE(ctx, make_operand(ctx, &tz, 0, &mz, &b.z));
    multiply_all(ctx, &b);
    if (mz)
        move(z, &tz, 1);
done:
    poyi_free(&mz);
    poyi_free(&my);
    poyi_free(&mx);
    return status;
}

#define ENTRY(type)                                                                                           \
    {                                                                                                         \
        .op = {.name = "matmul", .family = POY_FAMILY_matmul, .dtype = POY_##type, .cell.matmul = op_matmul } \
    }

const poyi_cpu_entry *poyi_cpu_linalg(size_t *n)
{
    static const poyi_cpu_entry entries[] = {ENTRY(F32), ENTRY(F64), ENTRY(C64), ENTRY(C128)};
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

static int is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strcasecmp(name, names[i]))
            return 1;
    return 0;
}

void poyi_cpu_linalg_open(void)
{
    static const char *const with_small_kernels[] = {"SkylakeX", "Cooperlake", "SapphireRapids"};
    openblas_set_num_threads(1); /* of the process; see the head of this file */
    has_small_kernels =
        is_among(openblas_get_corename(), with_small_kernels, sizeof with_small_kernels / sizeof *with_small_kernels);
}

/* OpenBLAS chooses its kernels by the model of the processor, and takes those of 2004 for one that it does not know. */
static int kernels_are_old(void)
{
    static const char *const before_avx2[] = {"Prescott", "Core2", "Penryn", "Nehalem", "Sandybridge", "Generic"};
    return is_among(openblas_get_corename(), before_avx2, sizeof before_avx2 / sizeof *before_avx2) &&
           __builtin_cpu_supports("avx2");
}

void poyi_cpu_linalg_describe(size_t size, char *out)
{
    snprintf(out, size, "blas: %s\n%s", openblas_get_config(),
             kernels_are_old() ? "blas advice: these kernels are several times slower than this processor allows; set "
                                 "OPENBLAS_CORETYPE=Haswell (with AVX-512: SkylakeX)\n"
                               : "");
}
