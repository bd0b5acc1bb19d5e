/* test_sparse.c: sparse matrices: what is refused, formats there and back, sums, comparisons; products are conformance's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "ops/array.h"
#include "poynting/sparse.h"
#include "tap.h"

/* Without this there is nothing to test. */
#define MUST(call)                                                       \
    do {                                                                 \
        if ((call) != POY_OK) {                                          \
            ok(0, "%s: %s", #call, ctx ? poy_ctx_message(ctx) : "none"); \
            exit(1);                                                     \
        }                                                                \
    } while (0)

static poy_ctx *ctx;
static poy_backend *be;

static poy_array *vector(poy_dtype dtype, int64_t n, const void *host)
{
    poy_array *a = NULL;
    MUST(poy_array_create(ctx, be, dtype, 1, &n, &a));
    MUST(poy_array_write(ctx, a, host));
    return a;
}

/* 3 x 4, with row 1 empty, a place twice, unsorted:   5 0 0 2
 *                                                    0 0 0 0
 *                                                    0 7 1 0 */
static poy_sparse *example(void)
{
    static const int32_t row[] = {2, 0, 2, 0, 0};
    static const int64_t column[] = {2, 3, 1, 0, 0};
    static const double values[] = {1, 2, 7, 4, 1};
    poy_array *r = vector(POY_I32, 5, row), *c = vector(POY_I64, 5, column), *v = vector(POY_F64, 5, values);
    poy_sparse *a = NULL;
    MUST(poy_sparse_create(ctx, POY_SPARSE_COO, 3, 4, r, c, v, &a));
    poy_array_destroy(&v);
    poy_array_destroy(&c);
    poy_array_destroy(&r);
    return a;
}

static int is_dense(const poy_sparse *a, const double *want)
{
    double got[64];
    poy_array *y = NULL;
    int same = a && poy_sparse_to_dense(ctx, a, &y) == POY_OK && y->size <= 64 && poy_array_read(ctx, y, got) == POY_OK;
    same = same && !memcmp(got, want, (size_t)y->size * sizeof *got);
    poy_array_destroy(&y);
    return same;
}

static const double dense[12] = {5, 0, 0, 2, 0, 0, 0, 0, 0, 7, 1, 0};
static const double flipped[12] = {5, 0, 0, 0, 0, 7, 0, 0, 1, 2, 0, 0};

static void formats(void)
{
    static const char *const names[] = {"COO", "CSR", "CSC"};
    poy_sparse *a = example();
    ok(is_dense(a, dense) && poy_sparse_entries(a) == 5, "triples add up");
    for (int from = 0; from < 3; from++)
        for (int to = 0; to < 3; to++) {
            poy_sparse *b = NULL, *c = NULL, *t = NULL, *s = NULL;
            int good = poy_sparse_convert(ctx, a, (poy_sparse_format)from, &b) == POY_OK &&
                       poy_sparse_convert(ctx, b, (poy_sparse_format)to, &c) == POY_OK &&
                       poy_sparse_transpose(ctx, c, &t) == POY_OK && poy_sparse_canonical(ctx, c, &s) == POY_OK;
            ok(good && is_dense(c, dense) && is_dense(t, flipped) && is_dense(s, dense) && poy_sparse_entries(c) == 5 &&
                   poy_sparse_entries(s) == 4 && poy_sparse_format_of(c) == (poy_sparse_format)to,
               "%s to %s, transposed, in order", names[from], names[to]);
            poy_sparse_destroy(&s);
            poy_sparse_destroy(&t);
            poy_sparse_destroy(&c);
            poy_sparse_destroy(&b);
        }
    poy_sparse_destroy(&a);
}

static void parts(void)
{
    poy_sparse *a = example(), *b = NULL, *s = NULL;
    poy_array *first = NULL, *second = NULL, *values = NULL;
    int64_t starts[4];
    int32_t columns[4];
    double v[4];
    ok(poy_sparse_convert(ctx, a, POY_SPARSE_CSR, &b) == POY_OK && poy_sparse_canonical(ctx, b, &s) == POY_OK &&
           poy_sparse_parts(ctx, s, &first, &second, &values) == POY_OK && first->dtype == POY_I64 &&
           second->dtype == POY_I32 && first->size == 4 && second->size == 4,
       "compressed rows are told");
    poy_array_read(ctx, first, starts);
    poy_array_read(ctx, second, columns);
    poy_array_read(ctx, values, v);
    ok(starts[0] == 0 && starts[1] == 2 && starts[2] == 2 && starts[3] == 4 && columns[0] == 0 && columns[1] == 3 &&
           columns[2] == 1 && columns[3] == 2 && v[0] == 5 && v[1] == 2 && v[2] == 7 && v[3] == 1,
       "sorted, repeated entries added");
    poy_array_destroy(&values);
    poy_array_destroy(&second);
    poy_array_destroy(&first);
    poy_sparse_destroy(&s);
    poy_sparse_destroy(&b);
    poy_sparse_destroy(&a);
}

static void sums(void)
{
    static const double twice[12] = {10, 0, 0, 4, 0, 0, 0, 0, 0, 14, 2, 0};
    poy_sparse *a = example(), *c = NULL, *t = NULL, *z = NULL, *f = NULL;
    poy_array *d = NULL;
    double got[3];
    int close = 1, far = 1, self = 0;
    ok(poy_sparse_add(ctx, a, a, &c) == POY_OK && is_dense(c, twice) && poy_sparse_entries(c) == 4, "a + a");
    ok(poy_sparse_diagonal(ctx, a, &d) == POY_OK && d->size == 3 && poy_array_read(ctx, d, got) == POY_OK &&
           got[0] == 5 && got[1] == 0 && got[2] == 1,
       "the diagonal");
    ok(poy_sparse_transpose(ctx, a, &t) == POY_OK && poy_sparse_add(ctx, a, t, &z) == POY_ERR_SHAPE && !z,
       "other extents cannot be added");
    ok(poy_sparse_allclose(ctx, a, a, 0, 0, &self) == POY_OK && self &&
           poy_sparse_allclose(ctx, a, c, 1e-5, 1e-8, &close) == POY_OK && !close &&
           poy_sparse_allclose(ctx, a, t, 1, 1e3, &far) == POY_OK && !far,
       "a is close to a alone");
    ok(poy_sparse_allclose(ctx, a, c, 0.5, 0, &close) == POY_OK && close, "relative to the larger of the two");
    ok(poy_sparse_cast(ctx, a, POY_C64, &z) == POY_OK && poy_sparse_dtype(z) == POY_C64 &&
           poy_sparse_cast(ctx, z, POY_F32, &f) == POY_ERR_COMPLEX_TO_REAL && !f &&
           poy_sparse_cast(ctx, a, POY_I64, &f) == POY_ERR_DTYPE && !f,
       "casts, never from complex to real");
    poy_array_destroy(&d);
    poy_sparse_destroy(&z);
    poy_sparse_destroy(&t);
    poy_sparse_destroy(&c);
    poy_sparse_destroy(&a);
}

static void nan_is_an_entry(void)
{
    const double host[4] = {0, NAN, -0.0, 1};
    const int64_t extent[2] = {2, 2}, stride[2] = {1, 2};
    poy_array *line = vector(POY_F64, 4, host), *x = NULL;
    poy_sparse *a = NULL;
    int close = 1;
    ok(poy_array_view(ctx, line, 2, extent, stride, 0, &x) == POY_OK &&
           poy_sparse_from_dense(ctx, x, POY_SPARSE_CSC, &a) == POY_OK && poy_sparse_entries(a) == 2,
       "of a dense matrix, read across, zeros are dropped and NaN is kept");
    ok(poy_sparse_allclose(ctx, a, a, 1, 1, &close) == POY_OK && !close, "NaN is close to nothing");
    poy_sparse_destroy(&a);
    ok(poy_sparse_from_dense(ctx, line, POY_SPARSE_CSR, &a) == POY_ERR_SHAPE && !a, "a vector is no matrix");
    poy_array_destroy(&x);
    poy_array_destroy(&line);
}

static poy_status create(poy_sparse_format format, int64_t n, const int64_t *first, int64_t n_second,
                         const int64_t *second, poy_dtype places)
{
    static const double values[4] = {1, 2, 3, 4};
    poy_array *a = vector(places == POY_F64 ? POY_F64 : POY_I64, n, first), *b = vector(POY_I64, n_second, second);
    poy_array *v = vector(POY_F64, 3, values);
    poy_sparse *s = NULL;
    poy_status status = poy_sparse_create(ctx, format, 3, 4, a, b, v, &s);
    ok(status == POY_OK || !s, "status %s", poy_status_name(status));
    poy_sparse_destroy(&s);
    poy_array_destroy(&v);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
    return status;
}

static void refusals(void)
{
    const int64_t starts[4] = {0, 1, 1, 3}, falls[4] = {0, 2, 1, 3}, late[4] = {1, 1, 1, 3}, short_of[4] = {0, 1, 1, 2};
    const int64_t rows[3] = {0, 1, 3}, below[3] = {0, -1, 2}, huge[3] = {0, 1, INT64_C(1) << 40},
                  columns[3] = {0, 3, 1};
    ok(create(POY_SPARSE_CSR, 4, starts, 3, columns, POY_I64) == POY_OK, "rows as they should be");
    ok(create(POY_SPARSE_CSR, 4, falls, 3, columns, POY_I64) == POY_ERR_ARGUMENT, "starts that fall");
    ok(create(POY_SPARSE_CSR, 4, late, 3, columns, POY_I64) == POY_ERR_ARGUMENT, "a first start that is not 0");
    ok(create(POY_SPARSE_CSR, 4, short_of, 3, columns, POY_I64) == POY_ERR_ARGUMENT,
       "a last start short of the entries");
    ok(create(POY_SPARSE_CSC, 4, starts, 3, columns, POY_I64) == POY_ERR_SHAPE, "starts of rows for columns");
    ok(create(POY_SPARSE_COO, 3, rows, 3, columns, POY_I64) == POY_ERR_INDEX, "a row past the end");
    ok(create(POY_SPARSE_COO, 3, below, 3, columns, POY_I64) == POY_ERR_INDEX, "a negative row");
    ok(create(POY_SPARSE_COO, 3, columns, 3, huge, POY_I64) == POY_ERR_INDEX, "a column beyond 32 bits");
    ok(create(POY_SPARSE_COO, 3, columns, 2, rows, POY_I64) == POY_ERR_SHAPE, "unequal lengths");
    ok(create(POY_SPARSE_COO, 3, columns, 3, columns, POY_F64) == POY_ERR_DTYPE, "places that are not whole");
    ok(create((poy_sparse_format)7, 3, columns, 3, columns, POY_I64) == POY_ERR_ARGUMENT, "an unknown format");
}

/* What a product keeps is counted, once, and gone with the matrix; x of another shape is refused. */
static void kept(void)
{
    const double x[4] = {1, 10, 100, 1000};
    poy_sparse *a = example();
    poy_array *v = vector(POY_F64, 4, x), *y = NULL;
    size_t before = poy_ctx_bytes(ctx);
    ok(poy_spmm(ctx, a, POY_SPARSE_TRANSPOSED, v, &y) == POY_ERR_SHAPE && !y, "x of four for three rows");
    ok(poy_spmm(ctx, a, POY_SPARSE_AS_IS, v, &y) == POY_OK, "a product of triples");
    size_t first = poy_ctx_bytes(ctx) - before;
    ok(first > 24, "keeps compressed rows: %zu bytes", first);
    ok(poy_spmm_into(ctx, a, POY_SPARSE_AS_IS, v, y) == POY_OK && poy_ctx_bytes(ctx) - before == first, "once");
    double got[3];
    ok(poy_array_read(ctx, y, got) == POY_OK && got[0] == 2005 && got[1] == 0 && got[2] == 170, "and is right");
    poy_array_destroy(&y);
    poy_array_destroy(&v);
    poy_sparse_destroy(&a);
}

/* A matrix of small whole numbers, so that sums are exact in any order: rows of n entries (of one more from 700 on) in
 * columns that move with the row, save every 300th, where they stand the other way round; values repeat from row to row up
 * to 500 and differ afterwards. Parts are those of the type, two of complex ones. */
enum { RUN_ROWS = 1300, RUN_MOST = 18, RUN_COLUMNS = RUN_ROWS + 3 * RUN_MOST };

static double run_value(int64_t i, int64_t k, int part)
{
    return (double)((k * 5 + (i < 500 ? 0 : i % 7) + 3 * part) % 9 - 4);
}

static int64_t run_column(int64_t i, int64_t k, int64_t n)
{
    return i + 3 * (i % 300 == 299 ? n - 1 - k : k);
}

static double run_x(int64_t j, int part)
{
    return (double)(j * (j + 1 + part) % 11 - 5);
}

static void put(poy_dtype dtype, void *host, int64_t i, double x)
{
    if (poy_dtype_real(dtype) == POY_F32)
        ((float *)host)[i] = (float)x;
    else
        ((double *)host)[i] = x;
}

static double at(poy_dtype dtype, const void *host, int64_t i)
{
    return poy_dtype_real(dtype) == POY_F32 ? (double)((const float *)host)[i] : ((const double *)host)[i];
}

/* The largest difference of a x (of conj(a) x) from the sums of its terms. */
static double run_error(poy_dtype dtype, int64_t n, poy_sparse_format format)
{
    static int32_t start[RUN_ROWS + 1], place[RUN_ROWS * RUN_MOST];
    static double value[2 * RUN_ROWS * RUN_MOST], x[2 * RUN_COLUMNS], y[2 * RUN_ROWS], want[2 * RUN_ROWS];
    const int parts = poy_dtype_is_complex(dtype) ? 2 : 1, adjoint = format == POY_SPARSE_CSC;
    int32_t e = 0;
    for (int64_t j = 0; j < RUN_COLUMNS; j++)
        for (int p = 0; p < parts; p++)
            put(dtype, x, parts * j + p, run_x(j, p));
    for (int64_t i = 0; i < RUN_ROWS; i++) {
        const int64_t count = i < 700 ? n : n + 1;
        start[i] = e;
        want[2 * i] = want[2 * i + 1] = 0;
        for (int64_t k = 0; k < count; k++, e++) {
            const int64_t j = run_column(i, k, count);
            const double re = run_value(i, k, 0), im = parts == 2 ? run_value(i, k, 1) : 0, turned = adjoint ? -im : im;
            const double xr = run_x(j, 0), xi = parts == 2 ? run_x(j, 1) : 0;
            place[e] = (int32_t)j;
            put(dtype, value, parts * e, re);
            if (parts == 2)
                put(dtype, value, parts * e + 1, im);
            want[2 * i] += re * xr - turned * xi;
            want[2 * i + 1] += re * xi + turned * xr;
        }
    }
    start[RUN_ROWS] = e;
    poy_array *s = vector(POY_I32, RUN_ROWS + 1, start), *c = vector(POY_I32, e, place), *v = vector(dtype, e, value);
    poy_array *vx = vector(dtype, RUN_COLUMNS, x), *vy = NULL;
    poy_sparse *a = NULL;
    double worst = 0;
    MUST(poy_sparse_create(ctx, format, adjoint ? RUN_COLUMNS : RUN_ROWS, adjoint ? RUN_ROWS : RUN_COLUMNS, s, c, v,
                           &a));
    MUST(poy_spmm(ctx, a, adjoint ? POY_SPARSE_ADJOINT : POY_SPARSE_AS_IS, vx, &vy));
    MUST(poy_array_read(ctx, vy, y));
    for (int64_t i = 0; i < RUN_ROWS; i++)
        for (int p = 0; p < parts; p++)
            worst = fmax(worst, fabs(at(dtype, y, parts * i + p) - want[2 * i + p]));
    poy_sparse_destroy(&a);
    poy_array *all[] = {s, c, v, vx, vy};
    for (int k = 0; k < 5; k++)
        poy_array_destroy(&all[k]);
    return worst;
}

static void runs(void)
{
    for (int64_t n = 1; n < RUN_MOST; n++) {
        double worst = 0;
        for (poy_dtype dtype = POY_F32; dtype <= POY_C128; dtype++)
            worst = fmax(worst, fmax(run_error(dtype, n, POY_SPARSE_CSR), run_error(dtype, n, POY_SPARSE_CSC)));
        ok(worst == 0, "rows of %d entries that follow one pattern, with breaks: off by %g", (int)n, worst);
    }
}

int main(void)
{
    static const char *const specs[] = {"ref", "cpu:isa=base", "cpu"};
    MUST(poy_ctx_create(&ctx));
    for (int i = 0; i < 3; i++) {
        MUST(poy_backend_open(ctx, specs[i], &be));
        formats();
        parts();
        sums();
        nan_is_an_entry();
        refusals();
        kept();
        runs();
        poy_backend_close(&be);
    }
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
