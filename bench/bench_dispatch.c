/* bench_dispatch.c: what a call of the array layer costs on one element, for every row of ops.def but those of linear algebra,
 * beside what its function takes by itself (dispatch_kernels.c), and what views and arrays cost; what the pointwise operations,
 * sums, products and transforms take per element at 2^12 and 2^22, on each instruction set and number of threads.
 * usage: bench_dispatch [quick] [one]; one: no more than that element. Times are the least of repeats, on a machine that should be quiet. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dispatch_kernels.h"
#include "poynting/poynting.h"

static clockid_t the_clock = CLOCK_MONOTONIC;

static double now(void)
{
    struct timespec t;
    clock_gettime(the_clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Arrays of one type: x, y, z, w of n elements, numbers of rank 0, and, of one element alone, what other families want. */
typedef struct operands {
    poy_ctx *ctx;
    poy_backend *be;
    poy_array *x, *y, *z, *w, *real, *one, *total, *real_total, *b; /* totals of rank 0; b of b8 */
    poy_array *place, *places, *matrix, *product, *spectrum, *yes, *number;
    poy_sparse *sparse;
    dispatch_kernel *kernel;
    void *p[3]; /* the kernel's */
} operands;

typedef poy_status timed(const operands *o);

#define UNARY(op, out)                                \
    static poy_status run_##op(const operands *o)     \
    {                                                 \
        return poy_##op##_into(o->ctx, o->x, o->out); \
    }
#define BINARY(op, second, out)                                  \
    static poy_status run_##op(const operands *o)                \
    {                                                            \
        return poy_##op##_into(o->ctx, o->x, o->second, o->out); \
    }
#define REDUCE(op, out)                                                      \
    static poy_status run_##op(const operands *o)                            \
    {                                                                        \
        return poy_##op##_into(o->ctx, o->x, POY_ALL_AXES, NULL, 0, o->out); \
    }
#define LINE(op, out)                                    \
    static poy_status run_##op(const operands *o)        \
    {                                                    \
        return poy_##op##_into(o->ctx, o->x, 0, o->out); \
    }
static const int64_t one_long = 1;
#define MAKES(op, ...)                                   \
    static poy_status run_##op(const operands *o)        \
    {                                                    \
        poy_array *a = NULL;                             \
        const poy_status status = poy_##op(__VA_ARGS__); \
        poy_array_destroy(&a);                           \
        return status;                                   \
    }
/* clang-format off */
UNARY(copy, z) UNARY(neg, z) UNARY(conj, z) UNARY(real, real) UNARY(imag, real) UNARY(abs, real) UNARY(sign, z)
UNARY(square, z) UNARY(sqrt, z) UNARY(exp, z) UNARY(log, z) UNARY(expm1, z) UNARY(log1p, z) UNARY(sin, z) UNARY(cos, z)
UNARY(tan, z) UNARY(sinh, z) UNARY(cosh, z) UNARY(tanh, z) UNARY(floor, z) UNARY(isfinite, b) UNARY(isnan, b)
UNARY(logical_not, b)
BINARY(add, y, z) BINARY(sub, y, z) BINARY(mul, y, z) BINARY(div, y, z) BINARY(pow, y, z) BINARY(atan2, y, z)
BINARY(hypot, y, z) BINARY(cis_mul, real, z) BINARY(maximum, y, z) BINARY(minimum, y, z) BINARY(eq, y, b) BINARY(ne, y, b)
BINARY(lt, y, b) BINARY(le, y, b) BINARY(gt, y, b) BINARY(ge, y, b) BINARY(logical_and, y, b) BINARY(logical_or, y, b)
BINARY(logical_xor, y, b) BINARY(vdot, y, total)
REDUCE(sum, total) REDUCE(prod, total) REDUCE(mean, total) REDUCE(norm, real_total) REDUCE(any, yes) REDUCE(all, yes)
REDUCE(max, total) REDUCE(min, total) REDUCE(argmax, number) REDUCE(argmin, number)
LINE(cumsum, z) LINE(sort, z) LINE(argsort, places)
MAKES(array_create, o->ctx, o->be, POY_F64, 1, &one_long, &a)
MAKES(array_view, o->ctx, o->x, 1, &one_long, &one_long, 0, &a)
MAKES(array_reshape, o->ctx, o->x, 1, &one_long, &a)
MAKES(array_transpose, o->ctx, o->matrix, NULL, &a)
MAKES(array_slice, o->ctx, o->x, 0, 0, 1, 1, &a)
    /* clang-format on */
    static poy_status run_scale(const operands *o) /* x times one number, as in axpy */
{
    return poy_mul_into(o->ctx, o->x, o->one, o->z);
}
static poy_status run_cast(const operands *o)
{
    return poy_copy_into(o->ctx, o->real, o->z);
}
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
static poy_status run_take(const operands *o)
{
    return poy_take_into(o->ctx, o->x, o->place, 0, o->z);
}
static poy_status run_put(const operands *o)
{
    return poy_put_into(o->ctx, o->z, o->place, o->x, 0, o->z);
}
static poy_status run_put_add(const operands *o)
{
    return poy_put_add_into(o->ctx, o->z, o->place, o->x, 0, o->z);
}
static poy_status run_matmul(const operands *o)
{
    return poy_matmul_into(o->ctx, o->matrix, o->matrix, o->product);
}
static poy_status run_fft(const operands *o)
{
    return poy_fft_into(o->ctx, o->x, NULL, o->spectrum);
}
static poy_status run_spmm(const operands *o)
{
    return poy_spmm_into(o->ctx, o->sparse, POY_SPARSE_AS_IS, o->x, o->z);
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

static void must(poy_ctx *ctx, poy_status status)
{
    if (status != POY_OK) {
        fprintf(stderr, "%s\n", poy_ctx_message(ctx));
        exit(1);
    }
}

static operands make(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int64_t n)
{
    operands o = {.ctx = ctx, .be = be};
    const int64_t parts = n * (poy_dtype_is_complex(dtype) ? 2 : 1);
    const poy_dtype real = poy_dtype_real(dtype);
    const poy_scalar zero = {0, 0};
    poy_array **const lines[] = {&o.x, &o.y, &o.z, &o.w};
    for (int i = 0; i < 4; i++) {
        must(ctx, poy_array_create(ctx, be, dtype, 1, &n, lines[i]));
        fill(ctx, *lines[i], parts, dtype == POY_F32 || dtype == POY_C64);
    }
    must(ctx, poy_fill(ctx, be, (poy_scalar){0.7, 0}, real, 1, &n, &o.real));
    must(ctx, poy_fill(ctx, be, (poy_scalar){0.7, 0}, dtype, 0, NULL, &o.one));
    must(ctx, poy_fill(ctx, be, zero, dtype, 0, NULL, &o.total));
    must(ctx, poy_fill(ctx, be, zero, real, 0, NULL, &o.real_total));
    must(ctx, poy_fill(ctx, be, (poy_scalar){1, 0}, POY_B8, 1, &n, &o.b));
    return o;
}

/* What the other families take beside one element. */
static void make_more(operands *o)
{
    poy_ctx *ctx = o->ctx;
    const poy_dtype dtype = poy_array_dtype(o->x);
    const int64_t one[2] = {1, 1};
    const poy_scalar zero = {0, 0};
    must(ctx, poy_fill(ctx, o->be, zero, POY_I64, 1, one, &o->place));
    must(ctx, poy_fill(ctx, o->be, zero, POY_I64, 1, one, &o->places));
    must(ctx, poy_fill(ctx, o->be, zero, POY_I64, 0, NULL, &o->number));
    must(ctx, poy_fill(ctx, o->be, zero, POY_B8, 0, NULL, &o->yes));
    must(ctx, poy_fill(ctx, o->be, (poy_scalar){2, 0}, dtype, 2, one, &o->matrix));
    must(ctx, poy_fill(ctx, o->be, zero, dtype, 2, one, &o->product));
    must(ctx, poy_fill(ctx, o->be, zero, poy_dtype_complex(dtype), 1, one, &o->spectrum));
    must(ctx, poy_sparse_from_dense(ctx, o->matrix, POY_SPARSE_CSR, &o->sparse));
}

static void destroy(operands *o)
{
    poy_array **const all[] = {&o->x,       &o->y,          &o->z,     &o->w,     &o->real,   &o->one,
                               &o->total,   &o->real_total, &o->place, &o->b,     &o->places, &o->matrix,
                               &o->product, &o->spectrum,   &o->yes,   &o->number};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        poy_array_destroy(all[i]);
    poy_sparse_destroy(&o->sparse);
}

/* ---- one element ---- */

enum {
    F32 = 1 << POY_F32,
    F64 = 1 << POY_F64,
    C64 = 1 << POY_C64,
    C128 = 1 << POY_C128,
    R = F32 | F64,
    C = C64 | C128,
    ALL = R | C
};

typedef struct row {
    const char *name;
    int inputs; /* of its kernel, where it has one */
    int types;
    timed *f;
} row;

/* clang-format off */
#define ROW(op, inputs, types) {#op, inputs, types, run_##op}
static const row rows[] = {
    ROW(array_create, 0, F64), ROW(array_view, 0, F64), ROW(array_reshape, 0, F64), ROW(array_transpose, 0, F64),
    ROW(array_slice, 0, F64),
    ROW(fill, 0, ALL), ROW(copy, 1, ALL), ROW(cast, 1, C), ROW(neg, 1, ALL), ROW(conj, 1, ALL), ROW(real, 1, ALL), ROW(imag, 1, ALL),
    ROW(abs, 1, ALL), ROW(sign, 1, ALL), ROW(square, 1, ALL), ROW(sqrt, 1, ALL), ROW(exp, 1, ALL), ROW(log, 1, ALL),
    ROW(expm1, 1, R), ROW(log1p, 1, R), ROW(sin, 1, R), ROW(cos, 1, R), ROW(tan, 1, R), ROW(sinh, 1, R), ROW(cosh, 1, R),
    ROW(tanh, 1, R), ROW(floor, 1, R), ROW(isfinite, 1, ALL), ROW(isnan, 1, ALL), ROW(logical_not, 1, ALL),
    ROW(add, 2, ALL), ROW(sub, 2, ALL), ROW(mul, 2, ALL), ROW(scale, 2, ALL), ROW(div, 2, ALL), ROW(pow, 2, R), ROW(atan2, 2, R),
    ROW(hypot, 2, R), ROW(cis_mul, 2, C), ROW(maximum, 2, R), ROW(minimum, 2, R), ROW(eq, 2, ALL), ROW(ne, 2, ALL),
    ROW(lt, 2, R), ROW(le, 2, R), ROW(gt, 2, R), ROW(ge, 2, R), ROW(logical_and, 2, ALL), ROW(logical_or, 2, ALL),
    ROW(logical_xor, 2, ALL), ROW(where, 0, ALL), ROW(clip, 0, R), ROW(axpy, 0, ALL),
    ROW(sum, 0, ALL), ROW(prod, 0, ALL), ROW(mean, 0, ALL), ROW(norm, 0, ALL), ROW(any, 0, ALL), ROW(all, 0, ALL), ROW(max, 0, R),
    ROW(min, 0, R), ROW(argmax, 0, R), ROW(argmin, 0, R),
    ROW(cumsum, 0, ALL), ROW(sort, 0, R), ROW(argsort, 0, R), ROW(take, 0, ALL), ROW(put, 0, ALL), ROW(put_add, 0, ALL),
    ROW(vdot, 0, ALL), ROW(matmul, 0, ALL), ROW(fft, 0, ALL), ROW(spmm, 0, ALL),
};
#undef ROW
/* clang-format on */

/* A row's kernel on its operands. */
static poy_status run_kernel(const operands *o)
{
    o->kernel(o->p);
    return POY_OK;
}

static void find_kernel(operands *o, const row *r, int is_avx2)
{
    const poy_dtype dtype = poy_array_dtype(o->x);
#if defined(__x86_64__)
    o->kernel = (is_avx2 ? dispatch_kernel_avx2 : dispatch_kernel_base)(r->name, dtype);
#else
    (void)is_avx2;
    o->kernel = dispatch_kernel_base(r->name, dtype);
#endif
    o->p[0] = poy_array_memory(o->x);
    o->p[1] = poy_array_memory(r->inputs == 1 ? o->z : r->f == run_cis_mul ? o->real : o->y);
    o->p[2] = poy_array_memory(o->z);
}

/* What a call takes, what its kernel takes alone, and the rest, which is dispatch. */
static void one_element(poy_ctx *ctx, poy_backend *be, int is_avx2, int repeats)
{
    static const poy_dtype types[] = {POY_F32, POY_F64, POY_C64, POY_C128};
    operands o[4];
    double worst = 0;
    const char *worst_row = "";
    for (int t = 0; t < 4; t++) {
        o[t] = make(ctx, be, types[t], 1);
        make_more(&o[t]);
    }
    printf("one element, ns a call, less the kernel of the row: dispatch\n%16s", "");
    for (int t = 0; t < 4; t++)
        printf("%22s", poy_dtype_name(types[t]));
    the_clock = CLOCK_THREAD_CPUTIME_ID; /* one thread works, and others may want the processor */
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        printf("\n%16s", rows[i].name);
        for (int t = 0; t < 4; t++) {
            if (!(rows[i].types & 1 << types[t])) {
                printf("%22s", "");
                continue;
            }
            find_kernel(&o[t], &rows[i], is_avx2);
            const double call = 1e9 * least(rows[i].f, &o[t], repeats);
            const double kernel = o[t].kernel ? 1e9 * least(run_kernel, &o[t], repeats) : 0;
            if (o[t].kernel)
                printf("   %5.1f - %4.1f = %4.1f", call, kernel, call - kernel);
            else
                printf("%22.1f", call);
            if (call - kernel > worst) {
                worst = call - kernel;
                worst_row = rows[i].name;
            }
        }
        fflush(stdout);
    }
    printf("\nworst: %.1f ns (%s)\n", worst, worst_row);
    the_clock = CLOCK_MONOTONIC;
    for (int t = 0; t < 4; t++)
        destroy(&o[t]);
}

/* ---- many ---- */

typedef struct named {
    const char *name;
    timed *f;
} named;
static const named pointwise[] = {{"add", run_add},   {"mul", run_mul}, {"mul by one number", run_scale},
                                  {"div", run_div},   {"exp", run_exp}, {"abs", run_abs},
                                  {"copy", run_copy}, {"sum", run_sum}};
enum { POINTWISE = sizeof pointwise / sizeof pointwise[0] };

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
static poy_status run_lines(const operands *o)
{
    return poy_fft_into(o->ctx, o->x, NULL, o->z);
}
static poy_status run_square_matrix(const operands *o)
{
    return poy_matmul_into(o->ctx, o->x, o->y, o->z);
}

static operands make_square(poy_ctx *ctx, poy_backend *be, int64_t height, int64_t width)
{
    operands flat = make(ctx, be, POY_C128, height * width), o = {.ctx = ctx};
    const int64_t shape[2] = {height, width};
    if (poy_array_reshape(ctx, flat.x, 2, shape, &o.x) || poy_array_reshape(ctx, flat.y, 2, shape, &o.y) ||
        poy_array_reshape(ctx, flat.z, 2, shape, &o.z))
        exit(1);
    destroy(&flat);
    return o;
}

static void large(poy_ctx *ctx, poy_backend *be, int repeats)
{
    operands lines = make_square(ctx, be, 8, 1 << 16), square = make_square(ctx, be, 400, 400);
    printf("fft c128 8 x 2^16: %.2f ms", 1e3 * least(run_lines, &lines, repeats));
    double t = least(run_square_matrix, &square, repeats);
    printf("   matmul c128 400: %.2f ms, %.1f Gflop/s\n", 1e3 * t, 8e-9 * 400 * 400 * 400 / t);
    destroy(&lines);
    destroy(&square);
}

int main(int argc, char **argv)
{
    static const char *const specs[] = {"cpu:isa=base", "cpu:isa=avx2"};
    int repeats = 25, only_one = 0;
    poy_ctx *ctx = NULL;

    for (int i = 1; i < argc; i++) {
        repeats = strcmp(argv[i], "quick") ? repeats : 3;
        only_one |= !strcmp(argv[i], "one");
    }
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < 2; i++)
        for (int threads = 1; threads <= (only_one ? 1 : 2); threads++) {
            poy_backend *be = NULL;
            poy_ctx_set_threads(ctx, threads);
            if (poy_backend_open(ctx, specs[i], &be) != POY_OK) {
                printf("%s\n", poy_ctx_cause(ctx));
                continue;
            }
            printf("---- %s, %d thread%s\n", specs[i], threads, threads > 1 ? "s" : "");
            if (threads == 1)
                one_element(ctx, be, i, repeats);
            if (!only_one) {
                per_element(ctx, be, 1 << 12, repeats);
                per_element(ctx, be, 1 << 22, repeats);
                large(ctx, be, repeats);
            }
            poy_backend_close(&be);
        }
    poy_ctx_destroy(&ctx);
    return 0;
}
