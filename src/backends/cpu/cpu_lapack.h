/* cpu_lapack.h: what the files that call OpenBLAS's LAPACK share: names, stacks of matrices with work of their own, the gauge
 * of columns. Compiled once for each floating type (POY_DTYPE). LAPACK is column-major: it sees the transposes of our
 * matrices. It runs on one thread; threads share the matrices of a stack, so that the bits do not depend on their number. */
#ifndef POYI_CPU_LAPACK_H
#define POYI_CPU_LAPACK_H

#include <limits.h>
#include <string.h>

#include "backends/cpu/cpu_parts.h"
#include "backends/cpu/cpu_run.h"

#if POY_DTYPE == 0
#define LAPACK(name) s##name##_
#define LAPACK_HERMITIAN ssyevd_
#elif POY_DTYPE == 1
#define LAPACK(name) d##name##_
#define LAPACK_HERMITIAN dsyevd_
#elif POY_DTYPE == 2
#define LAPACK(name) c##name##_
#define LAPACK_HERMITIAN cheevd_
#else
#define LAPACK(name) z##name##_
#define LAPACK_HERMITIAN zheevd_
#endif

/* A stack of matrices in work: inputs and outputs are dense, inputs are the call's own. */
typedef struct job {
    const poy_linalg_arg *arg;
    const poy_tensor *in, *out;
    int m, n, k;    /* of the matrices; right sides, or min(m, n) */
    int64_t count;  /* matrices */
    size_t room[3]; /* bytes of T, real and int work for one matrix */
    int n_work, n_real, n_int;
} job;

static inline T *matrix(const poy_tensor *t, int64_t b)
{
    return (T *)t->mem + t->offset + b * t->stride[0];
}
static inline real *values(const poy_tensor *t, int64_t b)
{
    return (real *)t->mem + t->offset + b * t->stride[0];
}

/* Does one matrix with work of its own; nonzero: LAPACK's word. */
typedef int one_matrix(const job *j, int64_t b, T *work, real *rwork, int *iwork);

static inline size_t padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Matrices in parts, each with work of its own. */
typedef struct parts {
    const job *j;
    one_matrix *f;
    int64_t n;
    char *work;
    const size_t *sizes; /* bytes of T, real and int work of a part */
    int64_t *failed;
    int *info;
} parts;

static inline void do_parts(const void *all, int64_t begin, int64_t end)
{
    const parts *p = all;
    const size_t *size = p->sizes;
    for (int64_t part = begin; part < end; part++) {
        char *mine = p->work + (size_t)part * (size[0] + size[1] + size[2]);
        for (int64_t b = p->j->count * part / p->n; b < p->j->count * (part + 1) / p->n; b++) {
            const int said = p->f(p->j, b, (T *)(void *)mine, (real *)(void *)(mine + size[0]),
                                  (int *)(void *)(mine + size[0] + size[1]));
            if (!said)
                continue;
#pragma omp critical(poyi_cpu_lapack_failed)
            if (*p->failed < 0 || b < *p->failed) {
                *p->failed = b;
                *p->info = said;
            }
        }
    }
}

/* All matrices; *failed: the first that LAPACK would not do (-1: none), *info: what it said. */
static inline poy_status run(poy_ctx *ctx, job *j, one_matrix *f, int64_t *failed, int *info)
{
    const size_t sizes[3] = {padded((size_t)j->n_work * sizeof(T)), padded((size_t)j->n_real * sizeof(real)),
                             padded((size_t)j->n_int * sizeof(int))};
    const size_t each = sizes[0] + sizes[1] + sizes[2];
    /* A factorisation of n^3 takes as long as an element-by-element operation on a sixteenth of it. */
    double terms = (double)j->count * (double)j->m * (double)j->n * (double)(j->m > j->n ? j->m : j->n);
    int threads = j->count > 1 ? poyi_cpu_team(ctx, (int64_t)(terms / 16)) : 1;
    int team = j->count < threads ? (int)j->count : threads;
    void *block = NULL;
    size_t bytes;

    *failed = -1;
    *info = 0;
    POYI_TRY(ctx, poyi_mul_size(ctx, each, (size_t)team, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "cpu.lapack", bytes, &block));
    const parts p = {.j = j, .f = f, .n = team, .work = block, .sizes = sizes, .failed = failed, .info = info};
    poyi_cpu_share(team, team, do_parts, &p);
    poyi_free(&block);
    return POY_OK;
}

static inline poy_status check_sizes(poy_ctx *ctx, const char *what, const poy_tensor *a)
{
    if (a->extent[1] > INT_MAX / 128 || a->extent[2] > INT_MAX / 128)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: matrices of %lld by %lld, LAPACK takes up to %d", what,
                         (long long)a->extent[1], (long long)a->extent[2], INT_MAX / 128);
    return POY_OK;
}

static inline job make_job(const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    const int m = (int)in[0].extent[1], n = (int)in[0].extent[2];
    return (job){.arg = arg, .in = in, .out = out, .m = m, .n = n, .k = m < n ? m : n, .count = in[0].extent[0]};
}

/* Nonzero where an element is NaN or infinite; of a Hermitian matrix the lower triangle is looked at. */
static inline int has_wild(const T *a, int m, int n, int lower)
{
    int wild = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < (lower ? i + 1 : n); j++)
            wild |= !t_is_finite(a[(int64_t)i * n + j]);
    return wild;
}

enum { WILD = INT_MIN }; /* in the place of LAPACK's word */

/* ---- gauge ---- */

static inline T one(void)
{
#if POY_COMPLEX
    return t_make(1, 0);
#else
    return 1;
#endif
}

static inline real modulus_of(T z)
{
#if POY_COMPLEX
    return t_abs(z);
#else
    return r_abs(z);
#endif
}

/* The phase that makes the entry of largest modulus, the first of those that are as large, real and positive. */
static inline T gauge_of(const T *x, int n, int64_t step)
{
    const real slack = POY_SINGLE ? (real)1e-5 : (real)1e-13;
    real largest = 0;
    int at = 0;
    for (int i = 0; i < n; i++)
        largest = modulus_of(x[i * step]) > largest ? modulus_of(x[i * step]) : largest;
    while (at < n - 1 && modulus_of(x[at * step]) < largest * (1 - slack))
        at++;
    T z = x[at * step];
#if POY_COMPLEX
    return largest > 0 ? t_scale(1 / t_abs(z), t_conj(z)) : one();
#else
    return z < 0 ? -1 : 1;
#endif
}

static inline poy_status failed_factor(poy_ctx *ctx, int64_t failed, int info)
{
    if (failed < 0)
        return POY_OK;
    if (info == WILD)
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "matrix %lld has an element that is not finite", (long long)failed);
    return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "matrix %lld: LAPACK says %d", (long long)failed, info);
}

/* LAPACK's word on the work that it wants. */
static inline int wanted(T answer)
{
#if POY_COMPLEX
    const real size = answer.re;
#else
    const real size = answer;
#endif
    return (int)(size * (POY_SINGLE ? (real)1.0001 : (real)1)) + 1; /* single precision rounds it, perhaps down */
}

#endif
