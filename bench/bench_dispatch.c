/* bench_dispatch.c: what a call of the array layer costs on one element, and what the pointwise operations, sums, products
 * and transforms take per element at 2^12 and 2^22, on each instruction set and number of threads.
 * usage: bench_dispatch [quick]. Times are the least of repeats, on a machine that should be quiet. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "poynting/poynting.h"

static clockid_t the_clock = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec t;
    clock_gettime(the_clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct operands {
    poy_ctx *ctx;
    poy_array *x, *y, *z, *w, *real, *one, *total, *real_total, *b; /* totals of rank 0; b of b8 */
} operands;

typedef poy_status timed(const operands *o);

static poy_status run_add(const operands *o)
{
    return poy_add_into(o->ctx, o->x, o->y, o->z);
}
static poy_status run_mul(const operands *o)
{
    return poy_mul_into(o->ctx, o->x, o->y, o->z);
}
static poy_status run_scale(const operands *o) /* x times one number, as in axpy */
{
    return poy_mul_into(o->ctx, o->x, o->one, o->z);
}
static poy_status run_div(const operands *o)
{
    return poy_div_into(o->ctx, o->x, o->y, o->z);
}
static poy_status run_exp(const operands *o)
{
    return poy_exp_into(o->ctx, o->x, o->z);
}
static poy_status run_abs(const operands *o)
{
    return poy_abs_into(o->ctx, o->x, o->real);
}
static poy_status run_copy(const operands *o)
{
    return poy_copy_into(o->ctx, o->x, o->z);
}
static poy_status run_sum(const operands *o)
{
    return poy_sum_into(o->ctx, o->x, POY_ALL_AXES, NULL, 0, o->total);
}

/* ---- more of them, on one element alone ---- */

#define UNARY(op)                                   \
    static poy_status run_##op(const operands *o)   \
    {                                               \
        return poy_##op##_into(o->ctx, o->x, o->z); \
    }
#define BINARY(op, out)                                     \
    static poy_status run_##op(const operands *o)           \
    {                                                       \
        return poy_##op##_into(o->ctx, o->x, o->y, o->out); \
    }
#define REDUCE(op, out)                                                      \
    static poy_status run_##op(const operands *o)                            \
    {                                                                        \
        return poy_##op##_into(o->ctx, o->x, POY_ALL_AXES, NULL, 0, o->out); \
    }
UNARY(neg)
UNARY(sqrt)
UNARY(sin)
BINARY(pow, z)
BINARY(eq, b)
BINARY(maximum, z)
BINARY(vdot, total)
REDUCE(mean, total)
REDUCE(norm, real_total)
REDUCE(max, total)
static poy_status run_fill(const operands *o)
{
    return poy_fill_into(o->ctx, (poy_scalar){1, 0}, o->z);
}
static poy_status run_axpy(const operands *o)
{
    return poy_axpy_into(o->ctx, o->one, o->x, o->y, o->z);
}
static poy_status run_clip(const operands *o)
{
    return poy_clip_into(o->ctx, o->x, o->y, o->w, o->z);
}
static poy_status run_where(const operands *o)
{
    return poy_where_into(o->ctx, o->b, o->x, o->y, o->z);
}

/* Least time of a call (s): repeats of at least 2 ms each. */
static double least(timed *f, const operands *o, int repeats)
{
    double best = 1e9;
    int calls = 1;
    for (int r = 0; r < repeats;) {
        double start = now();
        for (int i = 0; i < calls; i++)
            if (f(o) != POY_OK) {
                fprintf(stderr, "%s\n", poy_ctx_message(o->ctx));
                exit(1);
            }
        double t = now() - start;
        if (t < 2e-3) {
            calls *= 2;
            continue;
        }
        best = t / calls < best ? t / calls : best;
        r++;
    }
    return best;
}

static void fill(poy_ctx *ctx, poy_array *a, int64_t parts, int single)
{
    void *host = malloc((size_t)parts * sizeof(double));
    for (int64_t i = 0; i < parts && host; i++) {
        double u[2];
        poy_random_uniform2(1, 0, (uint64_t)i, u);
        if (single)
            ((float *)host)[i] = (float)(u[0] - 0.3);
        else
            ((double *)host)[i] = u[0] - 0.3;
    }
    if (!host || poy_array_write(ctx, a, host) != POY_OK)
        exit(1);
    free(host);
}

static operands make(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int64_t n)
{
    operands o = {.ctx = ctx};
    int64_t parts = n * (poy_dtype_is_complex(dtype) ? 2 : 1);
    if (poy_array_create(ctx, be, dtype, 1, &n, &o.x) || poy_array_create(ctx, be, dtype, 1, &n, &o.y) ||
        poy_array_create(ctx, be, dtype, 1, &n, &o.z) || poy_array_create(ctx, be, dtype, 1, &n, &o.w) ||
        poy_array_create(ctx, be, poy_dtype_real(dtype), 1, &n, &o.real) ||
        poy_fill(ctx, be, (poy_scalar){0.7, 0}, dtype, 0, NULL, &o.one) ||
        poy_fill(ctx, be, (poy_scalar){0, 0}, dtype, 0, NULL, &o.total) ||
        poy_fill(ctx, be, (poy_scalar){0, 0}, poy_dtype_real(dtype), 0, NULL, &o.real_total) ||
        poy_fill(ctx, be, (poy_scalar){1, 0}, POY_B8, 1, &n, &o.b))
        exit(1);
    fill(ctx, o.x, parts, dtype == POY_F32 || dtype == POY_C64);
    fill(ctx, o.y, parts, dtype == POY_F32 || dtype == POY_C64);
    fill(ctx, o.w, parts, dtype == POY_F32 || dtype == POY_C64);
    return o;
}

static void destroy(operands *o)
{
    poy_array **const all[] = {&o->x, &o->y, &o->z, &o->w, &o->real, &o->one, &o->total, &o->real_total, &o->b};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        poy_array_destroy(all[i]);
}

typedef struct named {
    const char *name;
    timed *f;
} named;
/* Dispatch has 15 ns; sin and pow take most of theirs for the function itself. */
static const named more[] = {{"neg", run_neg},   {"sqrt", run_sqrt},          {"sin", run_sin},   {"pow", run_pow},
                             {"eq", run_eq},     {"max of two", run_maximum}, {"fill", run_fill}, {"axpy", run_axpy},
                             {"clip", run_clip}, {"where", run_where},        {"mean", run_mean}, {"norm", run_norm},
                             {"max", run_max},   {"vdot", run_vdot}};
static const named pointwise[] = {{"add", run_add},   {"mul", run_mul}, {"mul by one number", run_scale},
                                  {"div", run_div},   {"exp", run_exp}, {"abs", run_abs},
                                  {"copy", run_copy}, {"sum", run_sum}};
enum { POINTWISE = sizeof pointwise / sizeof pointwise[0] };

static void one_element(poy_ctx *ctx, poy_backend *be, int repeats)
{
    printf("one element, ns a call:");
    operands o = make(ctx, be, POY_F64, 1);
    the_clock = CLOCK_THREAD_CPUTIME_ID; /* one thread works, and others may want the processor */
    for (int i = 0; i < POINTWISE; i++)
        printf("  %s %.1f", pointwise[i].name, 1e9 * least(pointwise[i].f, &o, repeats));
    for (size_t i = 0; i < sizeof more / sizeof *more; i++)
        printf("  %s %.1f", more[i].name, 1e9 * least(more[i].f, &o, repeats));
    printf("\n");
    the_clock = CLOCK_MONOTONIC;
    destroy(&o);
}

static void per_element(poy_ctx *ctx, poy_backend *be, int64_t n, int repeats)
{
    static const poy_dtype types[] = {POY_F32, POY_F64, POY_C64, POY_C128};
    printf("%lld elements, ns an element:\n%20s", (long long)n, "");
    for (int t = 0; t < 4; t++)
        printf("%8s", poy_dtype_name(types[t]));
    printf("\n");
    operands o[4];
    for (int t = 0; t < 4; t++)
        o[t] = make(ctx, be, types[t], n);
    for (int i = 0; i < POINTWISE; i++) {
        printf("%20s", pointwise[i].name);
        for (int t = 0; t < 4; t++)
            printf("%8.3f", 1e9 * least(pointwise[i].f, &o[t], repeats) / (double)n);
        printf("\n");
    }
    for (int t = 0; t < 4; t++)
        destroy(&o[t]);
}

/* 8 lines of 2^16, and a product of 400 by 400. */
static poy_status run_fft(const operands *o)
{
    return poy_fft_into(o->ctx, o->x, NULL, o->z);
}
static poy_status run_matmul(const operands *o)
{
    return poy_matmul_into(o->ctx, o->x, o->y, o->z);
}

static operands make_square(poy_ctx *ctx, poy_backend *be, int64_t rows, int64_t columns)
{
    operands flat = make(ctx, be, POY_C128, rows * columns), o = {.ctx = ctx};
    const int64_t shape[2] = {rows, columns};
    if (poy_array_reshape(ctx, flat.x, 2, shape, &o.x) || poy_array_reshape(ctx, flat.y, 2, shape, &o.y) ||
        poy_array_reshape(ctx, flat.z, 2, shape, &o.z))
        exit(1);
    destroy(&flat);
    return o;
}

static void large(poy_ctx *ctx, poy_backend *be, int repeats)
{
    operands lines = make_square(ctx, be, 8, 1 << 16), square = make_square(ctx, be, 400, 400);
    printf("fft c128 8 x 2^16: %.2f ms", 1e3 * least(run_fft, &lines, repeats));
    double t = least(run_matmul, &square, repeats);
    printf("   matmul c128 400: %.2f ms, %.1f Gflop/s\n", 1e3 * t, 8e-9 * 400 * 400 * 400 / t);
    destroy(&lines);
    destroy(&square);
}

int main(int argc, char **argv)
{
    static const char *const specs[] = {"cpu:isa=base", "cpu:isa=avx2"};
    int repeats = argc > 1 && !strcmp(argv[1], "quick") ? 3 : 25;
    poy_ctx *ctx = NULL;

    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < 2; i++)
        for (int threads = 1; threads <= 2; threads++) {
            poy_backend *be = NULL;
            poy_ctx_set_threads(ctx, threads);
            if (poy_backend_open(ctx, specs[i], &be) != POY_OK) {
                printf("%s\n", poy_ctx_cause(ctx));
                continue;
            }
            printf("---- %s, %d thread%s\n", specs[i], threads, threads > 1 ? "s" : "");
            one_element(ctx, be, repeats);
            per_element(ctx, be, 1 << 12, repeats);
            per_element(ctx, be, 1 << 22, repeats);
            large(ctx, be, repeats);
            poy_backend_close(&be);
        }
    poy_ctx_destroy(&ctx);
    return 0;
}
