/* test_matmul_bits.c: products of matrices have the same bits on any number of threads, which share rows: over shapes around
 * whole tiles of the kernels of BLAS, its small products and its blocks, all floating types, transposed factors and results,
 * batches. OPENBLAS_CORETYPE chooses the kernels; skipped where this processor cannot run them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/arrange.h"
#include "poynting/linalg.h"
#include "poynting/ops.h"

#include "unit/ops/array_fixture.h"

/* Whether this processor has what these kernels take. */
static int can_run(const char *kernels)
{
#if defined(__x86_64__)
    if (!strcmp(kernels, "SkylakeX"))
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
               __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
    if (!strcmp(kernels, "Haswell"))
        return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return !strcmp(kernels, "Prescott") && __builtin_cpu_supports("sse3");
#else
    (void)kernels;
    return 0;
#endif
}

/* b matrices [rows, columns] of random numbers, held transposed or not. */
static poy_array *factor(poy_dtype dtype, int64_t b, int64_t rows, int64_t columns, int transposed, uint64_t seed)
{
    const int64_t extent[3] = {b, transposed ? columns : rows, transposed ? rows : columns};
    const int order[3] = {0, 2, 1};
    const int64_t parts = b * rows * columns * (poy_dtype_is_complex(dtype) ? 2 : 1);
    const int single = dtype == POY_F32 || dtype == POY_C64;
    void *host = malloc((size_t)parts * sizeof(double));
    for (int64_t i = 0; i < parts; i++) {
        double u[2];
        poy_random_uniform2(seed, 0, (uint64_t)i, u);
        if (single)
            ((float *)host)[i] = (float)(u[0] - 0.5);
        else
            ((double *)host)[i] = u[0] - 0.5;
    }
    poy_array *held = make(dtype, 3, extent, host), *view = NULL;
    free(host);
    if (!transposed)
        return held;
    MUST(poy_array_transpose(ctx, held, order, &view));
    poy_array_destroy(&held);
    return view;
}

static const struct shape {
    int64_t b, m, n, k;
} shapes[] = {
    {1, 97, 150, 80},    /* one tile more than two */
    {1, 512, 512, 64},   /* whole tiles */
    {1, 503, 131, 257},  /* none, and a sum in two parts */
    {1, 1489, 5, 283},   /* pieces that are small products by themselves */
    {1, 211, 385, 401},  /* parts of sums of unequal lengths */
    {1, 9001, 17, 23},   /* several blocks */
    {1, 403, 256, 256},  /* some rows at a time by kernels for small products */
    {1, 403, 509, 401},  /* and some columns */
    {1, 307, 512, 250},  /* that are copied, as rows lie pages apart: f64 */
    {1, 203, 1024, 130}, /* and f32 */
    {1, 3, 700, 600},    /* rows too few to share */
    {5, 144, 96, 90},    /* a batch that threads share, and matrices, too */
    {1, 2000, 1, 700},   /* a vector */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Bytes of x y on so many threads, the result held transposed or not. */
static void *product(const struct shape *s, poy_dtype dtype, const poy_array *x, const poy_array *y, int transposed,
                     int threads, size_t *bytes)
{
    const int64_t extent[3] = {s->b, transposed ? s->n : s->m, transposed ? s->m : s->n};
    const int order[3] = {0, 2, 1};
    poy_array *held = NULL, *z = NULL;
    MUST(poy_array_create(ctx, be, dtype, 3, extent, &held));
    MUST(poy_array_transpose(ctx, held, order, &z));
    poy_ctx_set_threads(ctx, threads);
    MUST(poy_matmul_into(ctx, x, y, transposed ? z : held));
    *bytes = (size_t)(s->b * s->m * s->n) * poy_dtype_size(dtype);
    void *host = malloc(*bytes);
    MUST(poy_array_read(ctx, held, host));
    poy_array_destroy(&z);
    poy_array_destroy(&held);
    return host;
}

/* All ways to hold x, y and z. */
static int same_bits(const struct shape *s, poy_dtype dtype)
{
    const int threads[] = {2, 3};
    int good = 1;
    for (int way = 0; way < 8; way++) {
        poy_array *x = factor(dtype, s->b, s->m, s->k, way & 1, 1),
                  *y = factor(dtype, s->b, s->k, s->n, way >> 1 & 1, 2);
        size_t bytes = 0;
        void *one = product(s, dtype, x, y, way >> 2, 1, &bytes);
        for (int t = 0; t < 2; t++) {
            void *more = product(s, dtype, x, y, way >> 2, threads[t], &bytes);
            if (memcmp(one, more, bytes) != 0) {
                note("%s, x%s, y%s, z%s, %d threads", poy_dtype_name(dtype), way & 1 ? " transposed" : "",
                     way & 2 ? " transposed" : "", way & 4 ? " transposed" : "", threads[t]);
                good = 0;
            }
            free(more);
        }
        free(one);
        poy_array_destroy(&x);
        poy_array_destroy(&y);
    }
    return good;
}

static double at(const void *host, poy_dtype dtype, int64_t i)
{
    return dtype == POY_F32 ? (double)((const float *)host)[i] : ((const double *)host)[i];
}

static void *values_of(const poy_array *a, int64_t n, poy_dtype dtype)
{
    void *host = malloc((size_t)n * poy_dtype_size(dtype));
    MUST(poy_array_read(ctx, a, host));
    return host;
}

/* Elements all over the last matrix of the batch, against sums in long double: within k u sum |x| |y|. */
static int right_values(const struct shape *s, poy_dtype dtype)
{
    poy_array *x = factor(dtype, s->b, s->m, s->k, 0, 1), *y = factor(dtype, s->b, s->k, s->n, 0, 2);
    size_t bytes = 0;
    const double unit = dtype == POY_F32 ? 0x1p-23 : 0x1p-52;
    void *z = product(s, dtype, x, y, 0, 1, &bytes);
    void *hx = values_of(x, s->b * s->m * s->k, dtype), *hy = values_of(y, s->b * s->k * s->n, dtype);
    double worst = 0;
    for (int64_t e = 0; e < s->m * s->n; e += 101) {
        const int64_t i = (s->b - 1) * s->m + e / s->n, j = e % s->n;
        long double sum = 0, size = 0;
        for (int64_t l = 0; l < s->k; l++) {
            long double term =
                (long double)at(hx, dtype, i * s->k + l) * at(hy, dtype, ((s->b - 1) * s->k + l) * s->n + j);
            sum += term;
            size += fabsl(term);
        }
        worst = fmax(worst, (double)(fabsl(at(z, dtype, i * s->n + j) - sum) / size) / ((double)s->k * unit));
    }
    note("%s: %.2g of the bound", poy_dtype_name(dtype), worst);
    free(hx);
    free(hy);
    free(z);
    poy_array_destroy(&x);
    poy_array_destroy(&y);
    return worst < 1;
}

int main(void)
{
    const char *kernels = getenv("OPENBLAS_CORETYPE");
    if (kernels && !can_run(kernels))
        return tap_done();
    MUST(poy_ctx_create(&ctx));
    MUST(poy_backend_open(ctx, "cpu", &be));
    for (int i = 0; i < SHAPES; i++) {
        const struct shape *s = &shapes[i];
        int good = 1;
        for (int dtype = POY_F32; dtype <= POY_C128; dtype++)
            good &= same_bits(s, (poy_dtype)dtype);
        ok(good, "%lld x [%lld, %lld] [%lld, %lld]", (long long)s->b, (long long)s->m, (long long)s->k, (long long)s->k,
           (long long)s->n);
        ok(right_values(s, POY_F32) && right_values(s, POY_F64), "its values");
    }
    poy_backend_close(&be);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
