/* rows.c: operations that stream through memory, against the machine's own loops over as many bytes. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime, fnmatch */
#include <fnmatch.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/core.h"
#include "ops/ops.h"
#include "poynting/bench.h"
#include "poynting/ops.h"

enum { ARRAYS = 4, WARM_UP = 2, LEAST_ROUNDS = 5 };

/* Of one row: inputs in[0 .. n_in - 1], the output in in[3]; scalars for reductions have a place of their own. */
typedef struct bench {
    poy_ctx *ctx;
    poy_array *a[ARRAYS], *one;
    double *loop[3];
    int64_t n; /* elements of f64 in an array */
} bench;

typedef struct row {
    const char *name;
    poy_dtype dtype;
    int reads, writes; /* arrays */
    poy_status (*call)(const bench *b);
} row;

/* ---- calls ---- */

#define UNARY(op)                                         \
    static poy_status call_##op(const bench *b)           \
    {                                                     \
        return poy_##op##_into(b->ctx, b->a[0], b->a[3]); \
    }
#define BINARY(op)                                                 \
    static poy_status call_##op(const bench *b)                    \
    {                                                              \
        return poy_##op##_into(b->ctx, b->a[0], b->a[1], b->a[3]); \
    }
#define REDUCE(op)                                                              \
    static poy_status call_##op(const bench *b)                                 \
    {                                                                           \
        return poy_##op##_into(b->ctx, b->a[0], POY_ALL_AXES, NULL, 0, b->one); \
    }
UNARY(copy)
UNARY(neg)
UNARY(conj)
UNARY(square)
BINARY(add)
BINARY(sub)
BINARY(mul)
BINARY(maximum)
REDUCE(sum)
REDUCE(norm)
REDUCE(max)
static poy_status call_fill(const bench *b)
{
    return poy_fill_into(b->ctx, (poy_scalar){1, 0}, b->a[3]);
}
static poy_status call_axpy(const bench *b)
{
    return poy_axpy_into(b->ctx, b->one, b->a[0], b->a[1], b->a[3]);
}
static poy_status call_vdot(const bench *b)
{
    return poy_vdot_into(b->ctx, b->a[0], b->a[1], b->one);
}

static const row rows[] = {
    {"fill", POY_F64, 0, 1, call_fill},  {"copy", POY_F64, 1, 1, call_copy},       {"neg", POY_F64, 1, 1, call_neg},
    {"conj", POY_C128, 1, 1, call_conj}, {"square", POY_F64, 1, 1, call_square},   {"add", POY_F64, 2, 1, call_add},
    {"add", POY_C128, 2, 1, call_add},   {"sub", POY_F64, 2, 1, call_sub},         {"mul", POY_F64, 2, 1, call_mul},
    {"mul", POY_C128, 2, 1, call_mul},   {"maximum", POY_F64, 2, 1, call_maximum}, {"axpy", POY_F64, 2, 1, call_axpy},
    {"axpy", POY_C128, 2, 1, call_axpy}, {"sum", POY_F64, 1, 0, call_sum},         {"sum", POY_C128, 1, 0, call_sum},
    {"norm", POY_F64, 1, 0, call_norm},  {"max", POY_F64, 1, 0, call_max},         {"vdot", POY_F64, 2, 0, call_vdot},
    {"vdot", POY_C128, 2, 0, call_vdot},
};

/* ---- the machine's loops: as many arrays read and written, next to no arithmetic ---- */

static double sum_of(const double *x, const double *y, int64_t n)
{
    double s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++)
        s += x[i] + y[i];
    return s;
}

static double sum_one(const double *x, int64_t n)
{
    double s = 0;
#pragma omp simd reduction(+ : s)
    for (int64_t i = 0; i < n; i++)
        s += x[i];
    return s;
}

static void loop(const bench *b, const row *r)
{
    double *x = b->loop[0], *y = b->loop[1], *z = b->loop[2];
    if (!r->reads) {
#pragma omp simd
        for (int64_t i = 0; i < b->n; i++)
            z[i] = 1;
    } else if (r->writes && r->reads == 1) {
        memcpy(z, x, (size_t)b->n * sizeof *z);
    } else if (r->writes) {
#pragma omp simd
        for (int64_t i = 0; i < b->n; i++)
            z[i] = x[i] + y[i];
    } else {
        *(volatile double *)z = r->reads == 1 ? sum_one(x, b->n) : sum_of(x, y, b->n);
    }
}

/* ---- measuring ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static poy_status measure(const bench *b, const row *r, double seconds, poy_bench_row *out)
{
    const double bytes = (double)(r->reads + r->writes) * (double)b->n * sizeof(double), end = now() + seconds;
    double best = HUGE_VAL, best_loop = HUGE_VAL;
    int rounds = 0;
    for (; rounds < LEAST_ROUNDS + WARM_UP || now() < end; rounds++) {
        double start = now();
        POYI_TRY(b->ctx, r->call(b));
        double between = now();
        loop(b, r);
        double last = now();
        if (rounds < WARM_UP)
            continue;
        best = between - start < best ? between - start : best;
        best_loop = last - between < best_loop ? last - between : best_loop;
    }
    *out = (poy_bench_row){.row = r->name,
                           .dtype = r->dtype,
                           .rounds = rounds - WARM_UP,
                           .seconds = best,
                           .bytes_per_second = bytes / best,
                           .fraction = best_loop / best};
    return POY_OK;
}

/* Arrays of the row's type on the backend, as many bytes whatever the type. */
static poy_status make_arrays(bench *b, poy_backend *be, poy_dtype dtype)
{
    const int64_t n = b->n / (poy_dtype_is_complex(dtype) ? 2 : 1);
    for (int k = 0; k < ARRAYS; k++)
        POYI_TRY(b->ctx, poy_fill(b->ctx, be, (poy_scalar){1, 0}, dtype, 1, &n, &b->a[k]));
    POYI_TRY(b->ctx, poy_fill(b->ctx, be, (poy_scalar){0.5, 0}, dtype, 0, NULL, &b->one));
    return POY_OK;
}

static void destroy_arrays(bench *b)
{
    for (int k = 0; k < ARRAYS; k++)
        poy_array_destroy(&b->a[k]);
    poy_array_destroy(&b->one);
}

poy_status poy_bench_rows(poy_ctx *ctx, const char *backend, const char *pattern, int64_t bytes, double seconds,
                          poy_bench_row_fn *fn, void *user)
{
    poy_status status = POY_OK;
    poy_backend *be = NULL;
    bench b = {.ctx = ctx, .n = bytes / (int64_t)sizeof(double)};
    void *memory = NULL;
    poy_bench_row result;
    int threads = poy_ctx_threads(ctx), any = 0;

    if (b.n < 1024)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "bench: %lld bytes to an array, needs 8192", (long long)bytes);
    POYI_TO_DONE(ctx, poy_backend_open(ctx, backend, &be));
    poy_ctx_set_threads(ctx, 1);
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "bench", 3 * (size_t)b.n * sizeof(double), &memory));
    for (int k = 0; k < 3; k++)
        b.loop[k] = (double *)memory + k * b.n;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (pattern && fnmatch(pattern, rows[i].name, 0) != 0)
            continue;
        any = 1;
        POYI_TO_DONE(ctx, make_arrays(&b, be, rows[i].dtype));
        POYI_TO_DONE(ctx, measure(&b, &rows[i], seconds, &result));
        destroy_arrays(&b);
        if (fn)
            fn(user, &result);
    }
    if (!any)
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "bench: no operation that streams is called '%s'", pattern);
done:
    destroy_arrays(&b);
    poyi_free(&memory);
    poy_ctx_set_threads(ctx, threads);
    poy_backend_close(&be);
    return status;
}
