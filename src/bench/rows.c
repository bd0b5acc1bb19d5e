/* rows.c: operations that stream through memory, against the machine's own loops over as many bytes. */
#define _POSIX_C_SOURCE 200809L /* fnmatch */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "core/clock.h"
#include "core/core.h"
#include "ops/ops.h"
#include "poynting/bench.h"
#include "poynting/ops.h"

enum { ARRAYS = 3, WARM_UP = 2, LEAST_ROUNDS = 5 };

/* Of one row: inputs x, y, z of its type, a condition, the output; scalars have a place of their own. */
typedef struct bench {
    poy_ctx *ctx;
    poy_array *in[ARRAYS], *condition, *out, *factor, *total;
    double *loop[ARRAYS + 1]; /* the machine's */
    int64_t n;                /* of doubles in an array */
} bench;

typedef struct row {
    const char *name;
    poy_dtype dtype, out; /* of inputs; of what is written */
    int reads, writes;    /* arrays */
    poy_status (*call)(const bench *b);
} row;

/* ---- calls ---- */

#define UNARY(op)                                         \
    static poy_status call_##op(const bench *b)           \
    {                                                     \
        return poy_##op##_into(b->ctx, b->in[0], b->out); \
    }
#define BINARY(op)                                                  \
    static poy_status call_##op(const bench *b)                     \
    {                                                               \
        return poy_##op##_into(b->ctx, b->in[0], b->in[1], b->out); \
    }
#define REDUCE(op)                                                                 \
    static poy_status call_##op(const bench *b)                                    \
    {                                                                              \
        return poy_##op##_into(b->ctx, b->in[0], POY_ALL_AXES, NULL, 0, b->total); \
    }
/* clang-format off */
UNARY(copy) UNARY(neg) UNARY(conj) UNARY(real) UNARY(imag) UNARY(abs) UNARY(sign) UNARY(square) UNARY(sqrt) UNARY(floor)
UNARY(isfinite) UNARY(isnan) UNARY(logical_not)
BINARY(add) BINARY(sub) BINARY(mul) BINARY(div) BINARY(maximum) BINARY(minimum) BINARY(eq) BINARY(ne) BINARY(lt) BINARY(le)
BINARY(gt) BINARY(ge) BINARY(logical_and) BINARY(logical_or) BINARY(logical_xor)
REDUCE(sum) REDUCE(prod) REDUCE(mean) REDUCE(norm) REDUCE(any) REDUCE(all) REDUCE(max) REDUCE(min) REDUCE(argmax) REDUCE(argmin)
    /* clang-format on */
    static poy_status call_fill(const bench *b)
{
    return poy_fill_into(b->ctx, (poy_scalar){1, 0}, b->out);
}
static poy_status call_where(const bench *b)
{
    return poy_where_into(b->ctx, b->condition, b->in[0], b->in[1], b->out);
}
static poy_status call_clip(const bench *b)
{
    return poy_clip_into(b->ctx, b->in[0], b->in[1], b->in[2], b->out);
}
static poy_status call_axpy(const bench *b)
{
    return poy_axpy_into(b->ctx, b->factor, b->in[0], b->in[1], b->out);
}
static poy_status call_vdot(const bench *b)
{
    return poy_vdot_into(b->ctx, b->in[0], b->in[1], b->total);
}

/* Every row of ops.def that does little enough with an element for memory to set its pace. Not among them: functions, complex
 * division and roots, what goes along lines or by places, products of matrices, transforms. any looks at zeros here, all at
 * ones: both read everything. */
#define OF(op, type, result, reads, writes)                     \
    {                                                           \
#op, POY_##type, POY_##result, reads, writes, call_##op \
    }
static const row rows[] = {
    OF(fill, F64, F64, 0, 1),       OF(copy, F64, F64, 1, 1),       OF(neg, F64, F64, 1, 1),
    OF(conj, C128, C128, 1, 1),     OF(real, C128, F64, 1, 1),      OF(imag, C128, F64, 1, 1),
    OF(abs, F64, F64, 1, 1),        OF(sign, F64, F64, 1, 1),       OF(square, F64, F64, 1, 1),
    OF(sqrt, F64, F64, 1, 1),       OF(floor, F64, F64, 1, 1),      OF(isfinite, F64, B8, 1, 1),
    OF(isnan, F64, B8, 1, 1),       OF(logical_not, F64, B8, 1, 1), OF(add, F64, F64, 2, 1),
    OF(add, C128, C128, 2, 1),      OF(sub, F64, F64, 2, 1),        OF(mul, F64, F64, 2, 1),
    OF(mul, C128, C128, 2, 1),      OF(div, F64, F64, 2, 1),        OF(maximum, F64, F64, 2, 1),
    OF(minimum, F64, F64, 2, 1),    OF(eq, F64, B8, 2, 1),          OF(ne, F64, B8, 2, 1),
    OF(lt, F64, B8, 2, 1),          OF(le, F64, B8, 2, 1),          OF(gt, F64, B8, 2, 1),
    OF(ge, F64, B8, 2, 1),          OF(logical_and, F64, B8, 2, 1), OF(logical_or, F64, B8, 2, 1),
    OF(logical_xor, F64, B8, 2, 1), OF(where, F64, F64, 2, 1),      OF(clip, F64, F64, 3, 1),
    OF(axpy, F64, F64, 2, 1),       OF(axpy, C128, C128, 2, 1),     OF(sum, F64, F64, 1, 0),
    OF(sum, C128, C128, 1, 0),      OF(prod, F64, F64, 1, 0),       OF(mean, F64, F64, 1, 0),
    OF(norm, F64, F64, 1, 0),       OF(norm, C128, F64, 1, 0),      OF(any, F64, B8, 1, 0),
    OF(all, F64, B8, 1, 0),         OF(max, F64, F64, 1, 0),        OF(min, F64, F64, 1, 0),
    OF(argmax, F64, I64, 1, 0),     OF(argmin, F64, I64, 1, 0),     OF(vdot, F64, F64, 2, 0),
    OF(vdot, C128, C128, 2, 0),
};

/* Bytes that a row reads and writes, each once. */
static double bytes_of(const bench *b, const row *r)
{
    const double elements = (double)b->n * sizeof(double) / (double)poy_dtype_size(r->dtype);
    const double condition = r->call == call_where ? 1 : 0;
    return elements *
           (r->reads * (double)poy_dtype_size(r->dtype) + r->writes * (double)poy_dtype_size(r->out) + condition);
}

/* ---- the machine's loops: as many bytes read and written, next to no arithmetic, the output past the caches ---- */

enum { BLOCK = 256 }; /* doubles: the most that a processor reads ahead of so many writes */

/* The sum of n doubles of each of so many arrays, n a multiple of 32: in lanes, so that no addition waits for the one before. */
static inline double sum_of(double *const *x, int arrays, int64_t n)
{
    enum { LANES = 16 };
    double lane[LANES] = {0}, s = 0;
    for (int64_t i = 0; i < n; i += LANES)
        for (int k = 0; k < arrays; k++) /* known where this is inlined */
            for (int j = 0; j < LANES; j++)
                lane[j] += x[k][i + j];
    for (int j = 0; j < LANES; j++)
        s += lane[j];
    return s;
}

static void write_past_caches(double *to, double value, int64_t n)
{
    for (int64_t i = 0; i + 2 <= n; i += 2) {
#if defined(__x86_64__)
        _mm_stream_pd(to + i, _mm_set1_pd(value));
#else
        to[i] = to[i + 1] = value;
#endif
    }
}

static void loop(const bench *b, const row *r)
{
    const int64_t part = (int64_t)(BLOCK * poy_dtype_size(r->out) / poy_dtype_size(r->dtype)); /* of a block, written */
    double *out = b->loop[ARRAYS], s = 1; /* not 0: processors may write lines of zeros for less */
    for (int64_t i = 0; i + BLOCK <= b->n; i += BLOCK) {
        double *const x[ARRAYS] = {b->loop[0] + i, b->loop[1] + i, b->loop[2] + i};
        s += r->reads == 1   ? sum_of(x, 1, BLOCK)
             : r->reads == 2 ? sum_of(x, 2, BLOCK)
             : r->reads      ? sum_of(x, 3, BLOCK)
                             : 0;
        if (r->call == call_where) { /* a byte for each element */
            double *const condition[ARRAYS] = {b->loop[2] + i / 8, NULL, NULL};
            s += sum_of(condition, 1, BLOCK / 8);
        }
        if (r->writes)
            write_past_caches(out + i / BLOCK * part, s, part);
    }
    *(volatile double *)out = s;
}

/* n square roots of what the first cache holds, none of which waits for another. */
#if defined(__x86_64__)
__attribute__((target("avx"))) static void take_wide_roots(double *x, int64_t n)
{
    for (int64_t i = 0; i + 4 <= n; i += 4)
        _mm256_storeu_pd(x + i, _mm256_sqrt_pd(_mm256_loadu_pd(x + i)));
}
#endif

static void take_roots(const bench *b)
{
    enum { CACHED = 1024 };
    double *x = b->loop[0];
    for (int64_t i = 0; i < b->n; i += CACHED) {
#if defined(__x86_64__)
        if (__builtin_cpu_supports("avx")) {
            take_wide_roots(x, CACHED);
            continue;
        }
#endif
        for (int j = 0; j < CACHED; j++)
            x[j] = sqrt(x[j]);
    }
}

/* ---- measuring ---- */

static poy_status measure(const bench *b, const row *r, double seconds, poy_bench_row *out)
{
    const double bytes = bytes_of(b, r), end = poyi_thread_seconds() + seconds;
    double best = HUGE_VAL, best_loop = HUGE_VAL, best_roots = HUGE_VAL;
    int rounds = 0;
    for (; rounds < LEAST_ROUNDS + WARM_UP || poyi_thread_seconds() < end; rounds++) {
        double start = poyi_thread_seconds();
        POYI_TRY(b->ctx, r->call(b));
        double between = poyi_thread_seconds();
        loop(b, r);
        double last = poyi_thread_seconds();
        if (rounds < WARM_UP)
            continue;
        best = between - start < best ? between - start : best;
        best_loop = last - between < best_loop ? last - between : best_loop;
        if (r->call == call_sqrt) {
            take_roots(b);
            best_roots = fmin(best_roots, poyi_thread_seconds() - last);
        }
    }
    *out = (poy_bench_row){.row = r->name,
                           .dtype = r->dtype,
                           .rounds = rounds - WARM_UP,
                           .seconds = best,
                           .bytes_per_second = bytes / best,
                           .fraction = best_loop / best,
                           .instructions = r->call == call_sqrt ? best_roots / best : 0};
    return POY_OK;
}

/* Arrays of the row's types on the backend, inputs of as many bytes whatever the type. */
static poy_status make_arrays(bench *b, poy_backend *be, const row *r)
{
    const int64_t n = b->n * (int64_t)sizeof(double) / (int64_t)poy_dtype_size(r->dtype);
    const poy_scalar value = {r->call == call_any ? 0 : 1, 0};
    for (int k = 0; k < ARRAYS; k++)
        POYI_TRY(b->ctx, poy_fill(b->ctx, be, value, r->dtype, 1, &n, &b->in[k]));
    POYI_TRY(b->ctx, poy_fill(b->ctx, be, (poy_scalar){1, 0}, POY_B8, 1, &n, &b->condition));
    POYI_TRY(b->ctx, poy_fill(b->ctx, be, (poy_scalar){1, 0}, r->out, 1, &n, &b->out));
    POYI_TRY(b->ctx, poy_fill(b->ctx, be, (poy_scalar){0.5, 0}, r->dtype, 0, NULL, &b->factor));
    POYI_TRY(b->ctx, poy_fill(b->ctx, be, (poy_scalar){0, 0}, r->out, 0, NULL, &b->total));
    return POY_OK;
}

static void destroy_arrays(bench *b)
{
    for (int k = 0; k < ARRAYS; k++)
        poy_array_destroy(&b->in[k]);
    poy_array_destroy(&b->condition);
    poy_array_destroy(&b->out);
    poy_array_destroy(&b->factor);
    poy_array_destroy(&b->total);
}

static poy_status no_such_row(poy_ctx *ctx, const char *pattern)
{
    char names[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && used < sizeof names; i++)
        if (!i || strcmp(rows[i].name, rows[i - 1].name) != 0) /* one in several types */
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", i ? ", " : "", rows[i].name);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "bench: no operation that streams is called '%s'; there are %s", pattern,
                     names);
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
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "bench", (ARRAYS + 1) * (size_t)b.n * sizeof(double), &memory));
    for (int k = 0; k <= ARRAYS; k++)
        b.loop[k] = (double *)memory + k * b.n;
    for (int64_t i = 0; i < (ARRAYS + 1) * b.n; i++)
        b.loop[0][i] = 0x1p-20; /* likewise */
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (pattern && fnmatch(pattern, rows[i].name, 0) != 0)
            continue;
        any = 1;
        POYI_TO_DONE(ctx, make_arrays(&b, be, &rows[i]));
        POYI_TO_DONE(ctx, measure(&b, &rows[i], seconds, &result));
        destroy_arrays(&b);
        if (fn)
            fn(user, &result);
    }
    if (!any)
        status = no_such_row(ctx, pattern);
done:
    destroy_arrays(&b);
    poyi_free(&memory);
    poy_ctx_set_threads(ctx, threads);
    poy_backend_close(&be);
    return status;
}
