/* cpu_lapack.c: linear algebra of the CPU backend by OpenBLAS's LAPACK. Compiled once for each floating type (POY_DTYPE); the
 * object's one symbol is poyi_cpu_lapack_base_<dtype>. LAPACK is column-major: it sees the transposes of our matrices, and
 * what follows from that is said at each call. It runs on one thread; threads share the matrices of a stack, so that the
 * bits do not depend on their number. */
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

/* OpenBLAS has LAPACK, but Debian's headers do not declare it; lengths of character arguments stand at the end. */
void LAPACK(getrf)(const int *m, const int *n, T *a, const int *lda, int *pivots, int *info);
void LAPACK(getrs)(const char *trans, const int *n, const int *nrhs, const T *a, const int *lda, const int *pivots,
                   T *b, const int *ldb, int *info, size_t);
void LAPACK(potrf)(const char *uplo, const int *n, T *a, const int *lda, int *info, size_t);
#if POY_COMPLEX
void LAPACK_HERMITIAN(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, real *w, T *work,
                      const int *lwork, real *rwork, const int *lrwork, int *iwork, const int *liwork, int *info,
                      size_t, size_t);
void LAPACK(gesdd)(const char *jobz, const int *m, const int *n, T *a, const int *lda, real *s, T *u, const int *ldu,
                   T *vt, const int *ldvt, T *work, const int *lwork, real *rwork, int *iwork, int *info, size_t);
#else
void LAPACK_HERMITIAN(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, real *w, T *work,
                      const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
void LAPACK(gesdd)(const char *jobz, const int *m, const int *n, T *a, const int *lda, real *s, T *u, const int *ldu,
                   T *vt, const int *ldvt, T *work, const int *lwork, int *iwork, int *info, size_t);
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

static T *matrix(const poy_tensor *t, int64_t b)
{
    return (T *)t->mem + t->offset + b * t->stride[0];
}
static real *values(const poy_tensor *t, int64_t b)
{
    return (real *)t->mem + t->offset + b * t->stride[0];
}

/* Does one matrix with work of its own; nonzero: LAPACK's word. */
typedef int one_matrix(const job *j, int64_t b, T *work, real *rwork, int *iwork);

static size_t padded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* All matrices; *failed: the first that LAPACK would not do (-1: none), *info: what it said. */
static poy_status run(poy_ctx *ctx, job *j, one_matrix *f, int64_t *failed, int *info)
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
    int64_t first = -1;
    int word = 0;

    POYI_TRY(ctx, poyi_mul_size(ctx, each, (size_t)team, &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, "cpu.lapack", bytes, &block));
    char *base = block;
#pragma omp parallel for schedule(static) num_threads(team) if (team > 1)
    for (int64_t part = 0; part < team; part++)
        for (int64_t b = j->count * part / team; b < j->count * (part + 1) / team; b++) {
            char *mine = base + (size_t)part * each;
            int said = f(j, b, (T *)(void *)mine, (real *)(void *)(mine + sizes[0]),
                         (int *)(void *)(mine + sizes[0] + sizes[1]));
            if (said) {
#pragma omp critical(poyi_cpu_lapack_failed)
                if (first < 0 || b < first) {
                    first = b;
                    word = said;
                }
            }
        }
    poyi_free(&block);
    *failed = first;
    *info = word;
    return POY_OK;
}

static poy_status check_sizes(poy_ctx *ctx, const char *what, const poy_tensor *a)
{
    if (a->extent[1] > INT_MAX / 128 || a->extent[2] > INT_MAX / 128)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: matrices of %lld by %lld, LAPACK takes up to %d", what,
                         (long long)a->extent[1], (long long)a->extent[2], INT_MAX / 128);
    return POY_OK;
}

static job make_job(const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    const int m = (int)in[0].extent[1], n = (int)in[0].extent[2];
    return (job){.arg = arg, .in = in, .out = out, .m = m, .n = n, .k = m < n ? m : n, .count = in[0].extent[0]};
}

/* Nonzero where an element is NaN or infinite; of a Hermitian matrix the lower triangle is looked at. */
static int has_wild(const T *a, int m, int n, int lower)
{
    int wild = 0;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < (lower ? i + 1 : n); j++)
            wild |= !t_is_finite(a[(int64_t)i * n + j]);
    return wild;
}

enum { WILD = INT_MIN }; /* in the place of LAPACK's word */

/* ---- solve: getrf factors a', getrs solves (a')' x = b, which is a x = b ---- */

static int solve_one(const job *j, int64_t b, T *work, real *rwork, int *pivots)
{
    const int n = j->n, k = j->k;
    const T *right = matrix(&j->in[1], b);
    T *x = matrix(&j->out[0], b);
    int info = 0;
    (void)rwork;
    LAPACK(getrf)(&n, &n, matrix(&j->in[0], b), &n, pivots, &info);
    if (info)
        return info;
    for (int c = 0; c < k; c++)
        for (int i = 0; i < n; i++)
            work[(int64_t)c * n + i] = right[(int64_t)i * k + c];
    LAPACK(getrs)("T", &n, &k, matrix(&j->in[0], b), &n, pivots, work, &n, &info, 1);
    for (int c = 0; c < k; c++)
        for (int i = 0; i < n; i++)
            x[(int64_t)i * k + c] = work[(int64_t)c * n + i];
    return info;
}

static poy_status op_solve(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                           const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    int64_t failed;
    int info;
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "solve", &in[0]));
    POYI_TRY(ctx, check_sizes(ctx, "solve", &in[1]));
    j.k = (int)in[1].extent[2];
    if ((int64_t)j.n * j.k > INT_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "solve: %d right sides of %d elements, LAPACK takes up to %d in all", j.k,
                         j.n, INT_MAX);
    j.n_work = j.n * j.k;
    j.n_int = j.n;
    POYI_TRY(ctx, run(ctx, &j, solve_one, &failed, &info));
    if (failed >= 0)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "matrix %lld: pivot %d is 0", (long long)failed, info - 1);
    return POY_OK;
}

/* ---- cholesky: a' = u^H u with upper u, so that a = u' conj(u), and u' read by rows is l ---- */

static int cholesky_one(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int n = j->n;
    T *l = matrix(&j->out[0], b);
    int info = 0;
    (void)work;
    (void)rwork;
    (void)iwork;
    memcpy(l, matrix(&j->in[0], b), (size_t)n * (size_t)n * sizeof *l);
    LAPACK(potrf)("U", &n, l, &n, &info, 1);
    for (int i = 0; i < n && !info; i++) /* it goes on where a pivot is NaN */
        info = t_re(l[(int64_t)i * n + i]) > 0 ? 0 : i + 1;
    for (int i = 0; i < n; i++)
        for (int c = i + 1; c < n; c++)
            l[(int64_t)i * n + c] = t_zero();
    return info;
}

static poy_status op_cholesky(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                              const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    int64_t failed;
    int info;
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "cholesky", &in[0]));
    POYI_TRY(ctx, run(ctx, &j, cholesky_one, &failed, &info));
    if (failed >= 0)
        return POYI_FAIL(ctx, POY_ERR_NOT_PD, "matrix %lld: the leading minor of order %d is not positive",
                         (long long)failed, info);
    return POY_OK;
}

/* ---- gauge ---- */

static real modulus_of(T z)
{
#if POY_COMPLEX
    return t_abs(z);
#else
    return r_abs(z);
#endif
}

/* The phase that makes the entry of largest modulus, the first of those that are as large, real and positive. */
static T gauge_of(const T *x, int n, int64_t step)
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
    return largest > 0 ? t_scale(1 / t_abs(z), t_conj(z)) : t_make(1, 0);
#else
    return z < 0 ? -1 : 1;
#endif
}

/* ---- eigh: the lower triangle by rows is the upper one by columns, of conj(a), whose eigenvectors are conjugate ---- */

static int eigh_one(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int n = j->n;
    T *a = matrix(&j->in[0], b), *v = matrix(&j->out[1], b);
    const char *jobz = j->arg->values_only ? "N" : "V";
    int info = 0;
    if (has_wild(a, n, n, 1))
        return WILD;
#if POY_COMPLEX
    LAPACK_HERMITIAN(jobz, "U", &n, a, &n, values(&j->out[0], b), work, &j->n_work, rwork, &j->n_real, iwork, &j->n_int,
                     &info, 1, 1);
#else
    (void)rwork;
    LAPACK_HERMITIAN(jobz, "U", &n, a, &n, values(&j->out[0], b), work, &j->n_work, iwork, &j->n_int, &info, 1, 1);
#endif
    if (info || j->arg->values_only)
        return info;
    for (int c = 0; c < n; c++) {
        T *column = a + (int64_t)c * n;
        for (int i = 0; i < n; i++)
            column[i] = t_conj(column[i]);
        const T phase = gauge_of(column, n, 1);
        for (int i = 0; i < n; i++)
            v[(int64_t)i * n + c] = t_mul(phase, column[i]);
    }
    return 0;
}

static poy_status failed_factor(poy_ctx *ctx, int64_t failed, int info)
{
    if (failed < 0)
        return POY_OK;
    if (info == WILD)
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "matrix %lld has an element that is not finite", (long long)failed);
    return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "matrix %lld: LAPACK says %d", (long long)failed, info);
}

/* LAPACK's word on the work that it wants. */
static int wanted(T answer)
{
#if POY_COMPLEX
    const real size = answer.re;
#else
    const real size = answer;
#endif
    return (int)(size * (POY_SINGLE ? (real)1.0001 : (real)1)) + 1; /* single precision rounds it, perhaps down */
}

static poy_status op_eigh(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                          const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    const char *jobz = arg->values_only ? "N" : "V";
    const int ask = -1, n = j.n;
    int64_t failed;
    int info = 0, integers = 0;
    T answer = t_zero();
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "eigh", &in[0]));
#if POY_COMPLEX
    real reals = 0;
    LAPACK_HERMITIAN(jobz, "U", &n, NULL, &n, NULL, &answer, &ask, &reals, &ask, &integers, &ask, &info, 1, 1);
    j.n_real = (int)(reals * (POY_SINGLE ? (real)1.0001 : (real)1)) + 1;
#else
    LAPACK_HERMITIAN(jobz, "U", &n, NULL, &n, NULL, &answer, &ask, &integers, &ask, &info, 1, 1);
#endif
    j.n_work = wanted(answer);
    j.n_int = integers;
    POYI_TRY(ctx, run(ctx, &j, eigh_one, &failed, &info));
    return failed_factor(ctx, failed, info);
}

/* ---- svd: a' = u1 s v1^H, so that a = conj(v1) s u1'; conj(v1) is v1^H by columns read by rows, u1' is u1 likewise ---- */

static int svd_one(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int m = j->m, n = j->n, k = j->k;
    T *a = matrix(&j->in[0], b), *u = matrix(&j->out[0], b), *vh = matrix(&j->out[2], b);
    const char *jobz = j->arg->values_only ? "N" : j->arg->full ? "A" : "S";
    const int u_width = j->arg->full ? m : k;
    int info = 0;
    if (has_wild(a, m, n, 0))
        return WILD;
#if POY_COMPLEX
    LAPACK(gesdd)
    (jobz, &n, &m, a, &n, values(&j->out[1], b), vh, &n, u, &u_width, work, &j->n_work, rwork, iwork, &info, 1);
#else
    (void)rwork;
    LAPACK(gesdd)(jobz, &n, &m, a, &n, values(&j->out[1], b), vh, &n, u, &u_width, work, &j->n_work, iwork, &info, 1);
#endif
    for (int c = 0; c < k && !info && !j->arg->values_only; c++) {
        const T phase = gauge_of(u + c, m, u_width);
        for (int i = 0; i < m; i++)
            u[(int64_t)i * u_width + c] = t_mul(phase, u[(int64_t)i * u_width + c]);
        for (int i = 0; i < n; i++)
            vh[(int64_t)c * n + i] = t_mul(t_conj(phase), vh[(int64_t)c * n + i]);
    }
    return info;
}

static poy_status op_svd(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    job j = make_job(arg, in, out);
    const char *jobz = arg->values_only ? "N" : arg->full ? "A" : "S";
    const int ask = -1, m = j.m, n = j.n, u_width = arg->full ? m : j.k;
    int64_t failed;
    int info = 0;
    T answer = t_zero();
    (void)be;
    POYI_TRY(ctx, check_sizes(ctx, "svd", &in[0]));
#if POY_COMPLEX
    LAPACK(gesdd)(jobz, &n, &m, NULL, &n, NULL, NULL, &n, NULL, &u_width, &answer, &ask, NULL, NULL, &info, 1);
    const int64_t tall = m > n ? m : n, k = j.k, reals = 5 * k * k + 5 * k, others = 2 * tall * k + 2 * k * k + k;
    const int64_t most = reals > others ? reals : others; /* as the manual of gesdd says, for either kind */
    if (most > INT_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "svd: matrices of %d by %d are more than LAPACK can count", m, n);
    j.n_real = (int)most + 1;
#else
    LAPACK(gesdd)(jobz, &n, &m, NULL, &n, NULL, NULL, &n, NULL, &u_width, &answer, &ask, NULL, &info, 1);
#endif
    j.n_work = wanted(answer);
    j.n_int = 8 * j.k;
    POYI_TRY(ctx, run(ctx, &j, svd_one, &failed, &info));
    return failed_factor(ctx, failed, info);
}

const poy_op_entry *CPU_OBJECT(lapack)(size_t *n)
{
    /* clang-format off */
    static const poy_op_entry entries[] = {
        ENTRY(solve, linalg), ENTRY(cholesky, linalg), ENTRY(eigh, linalg), ENTRY(svd, linalg),
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
