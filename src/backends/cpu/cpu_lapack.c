/* cpu_lapack.c: linear algebra of the CPU backend by OpenBLAS's LAPACK. Compiled once for each floating type (POY_DTYPE); the
 * object's one symbol is poyi_cpu_lapack_base_<dtype>. LAPACK is column-major: it sees the transposes of our matrices, and
 * what follows from that is said at each call. It runs on one thread; threads share the matrices of a stack, so that the
 * bits do not depend on their number. */
#include "backends/cpu/cpu_lapack.h"

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
void LAPACK(gesvj)(const char *joba, const char *jobu, const char *jobv, const int *m, const int *n, T *a,
                   const int *lda, real *s, const int *mv, T *v, const int *ldv, T *work, const int *lwork, real *rwork,
                   const int *lrwork, int *info, size_t, size_t, size_t);
#else
void LAPACK_HERMITIAN(const char *jobz, const char *uplo, const int *n, T *a, const int *lda, real *w, T *work,
                      const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
void LAPACK(gesdd)(const char *jobz, const int *m, const int *n, T *a, const int *lda, real *s, T *u, const int *ldu,
                   T *vt, const int *ldvt, T *work, const int *lwork, int *iwork, int *info, size_t);
void LAPACK(gesvj)(const char *joba, const char *jobu, const char *jobv, const int *m, const int *n, T *a,
                   const int *lda, real *s, const int *mv, T *v, const int *ldv, T *work, const int *lwork, int *info,
                   size_t, size_t, size_t);
#endif

// NOLINTBEGIN(readability-non-const-parameter): the type is one_matrix
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

/* ---- svd ---- */

/* gesdd neglects what lies off the diagonal up to 99 times the roundoff (dbdsqr's tolmul), 49 eps |a| in double precision, and
 * graded matrices show it: 2 in 100 of 3 by 3 have residuals above the 8 max(m, n) eps |a| that are promised. Where
 * 8 max(m, n) is not well above that, one-sided Jacobi rotations do it; in single precision gesdd neglects up to 5 eps. One
 * column has nothing off the diagonal, and of one that is large or small gesvj makes vectors that are not of length 1. */
enum { JACOBI_ROOM = 7, JACOBI_MOST = POY_SINGLE ? 0 : JACOBI_ROOM, JACOBI_WORK = 2 * JACOBI_ROOM };

/* Orthonormal columns c..width-1 of u, of the columns of a basis, beside those before them. Each is made of the axis that lies
 * farthest from their span, at least sqrt(1/tall), and made orthogonal twice. */
static void complete(T *u, int tall, int c, int width)
{
    for (; c < width; c++) {
        T *mine = u + (size_t)c * (size_t)tall;
        real least = 2;
        int axis = 0;
        for (int i = 0; i < tall; i++) {
            real within = 0;
            for (int l = 0; l < c; l++)
                within += modulus_of(u[l * tall + i]) * modulus_of(u[l * tall + i]);
            axis = within < least ? i : axis;
            least = within < least ? within : least;
        }
        for (int i = 0; i < tall; i++)
            mine[i] = i == axis ? one() : t_zero();
        for (int l = 0; l < 2 * c; l++) {
            const T *other = u + (size_t)(l % c) * (size_t)tall;
            T along = t_zero();
            for (int i = 0; i < tall; i++)
                along = t_add(along, t_mul(t_conj(other[i]), mine[i]));
            for (int i = 0; i < tall; i++)
                mine[i] = t_sub(mine[i], t_mul(along, other[i]));
        }
        real squares = 0;
        for (int i = 0; i < tall; i++)
            squares += modulus_of(mine[i]) * modulus_of(mine[i]);
        for (int i = 0; i < tall; i++)
            mine[i] = t_scale(1 / r_sqrt(squares), mine[i]);
    }
}

/* Of the taller of a and its transpose, by columns, x s y^H: a = x s y^H, or a = conj(y) s x'. */
static int svd_by_rotations(const job *j, int64_t b)
{
    const int m = j->m, n = j->n, k = j->k, is_tall = m >= n, tall = is_tall ? m : n, room = JACOBI_WORK,
              u_width = j->arg->full ? m : k, rows = j->arg->full ? n : k;
    const T *a = matrix(&j->in[0], b);
    T *u = matrix(&j->out[0], b), *vh = matrix(&j->out[2], b);
    T x[JACOBI_ROOM * JACOBI_ROOM], y[JACOBI_ROOM * JACOBI_ROOM], work[JACOBI_WORK];
    real *s = values(&j->out[1], b);
    int info = 0;

    for (int i = 0; i < m; i++)
        for (int l = 0; l < n; l++)
            x[is_tall ? l * m + i : i * n + l] = a[i * n + l];
    /* What is asked of the cosines between columns of x, in units of roundoff: an eighth of what is promised. Asked for
     * sqrt(tall), as "U" does, 1 in 30000 of 2 by 2 goes on for ever at twice the roundoff. */
    const real ask = (real)(2 * tall);
#if POY_COMPLEX
    real told[JACOBI_WORK] = {ask};
    LAPACK(gesvj)("G", "C", "V", &tall, &k, x, &tall, s, &k, y, &k, work, &room, told, &room, &info, 1, 1, 1);
#else
    const real *told = work;
    work[0] = ask;
    LAPACK(gesvj)("G", "C", "V", &tall, &k, x, &tall, s, &k, y, &k, work, &room, &info, 1, 1, 1);
#endif
    for (int i = 0; i < k; i++)
        s[i] *= told[0];
    /* gesvj leaves out what is of the singular value 0. Where rows are equal no rotation makes the last columns orthogonal, they
     * shrink by rounding alone, for longer than it waits: what is left of them is below an eighth of the bound. */
    int rank = (int)told[1];
    if (info)
        for (rank = 0; rank < k && s[rank] > (real)tall * (real)0x1p-52 * s[0];)
            rank++;
    complete(x, tall, rank, is_tall ? u_width : rows);
    for (int c = 0; c < u_width; c++)
        for (int i = 0; i < m; i++)
            u[i * u_width + c] = is_tall ? x[c * m + i] : t_conj(y[c * m + i]);
    for (int c = 0; c < rows; c++)
        for (int i = 0; i < n; i++)
            vh[c * n + i] = is_tall ? t_conj(y[c * n + i]) : x[c * n + i];
    return 0;
}

/* gesdd: a' = u1 s v1^H, so that a = conj(v1) s u1'; conj(v1) is v1^H by columns read by rows, u1' is u1 likewise. */
static int svd_by_bidiagonals(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int m = j->m, n = j->n, u_width = j->arg->full ? m : j->k;
    const char *jobz = j->arg->values_only ? "N" : j->arg->full ? "A" : "S";
    T *a = matrix(&j->in[0], b), *u = matrix(&j->out[0], b), *vh = matrix(&j->out[2], b);
    int info = 0;
#if POY_COMPLEX
    LAPACK(gesdd)
    (jobz, &n, &m, a, &n, values(&j->out[1], b), vh, &n, u, &u_width, work, &j->n_work, rwork, iwork, &info, 1);
#else
    (void)rwork;
    LAPACK(gesdd)(jobz, &n, &m, a, &n, values(&j->out[1], b), vh, &n, u, &u_width, work, &j->n_work, iwork, &info, 1);
#endif
    return info;
}

static int svd_one(const job *j, int64_t b, T *work, real *rwork, int *iwork)
{
    const int m = j->m, n = j->n, k = j->k, u_width = j->arg->full ? m : k,
              is_small = k > 1 && m <= JACOBI_MOST && n <= JACOBI_MOST && !j->arg->values_only;
    if (has_wild(matrix(&j->in[0], b), m, n, 0))
        return WILD;
    const int info = is_small ? svd_by_rotations(j, b) : svd_by_bidiagonals(j, b, work, rwork, iwork);
    if (info || j->arg->values_only)
        return info;
    T *u = matrix(&j->out[0], b), *vh = matrix(&j->out[2], b);
    for (int c = 0; c < k; c++) {
        const T phase = gauge_of(u + c, m, u_width);
        for (int i = 0; i < m; i++)
            u[(int64_t)i * u_width + c] = t_mul(phase, u[(int64_t)i * u_width + c]);
        for (int i = 0; i < n; i++)
            vh[(int64_t)c * n + i] = t_mul(t_conj(phase), vh[(int64_t)c * n + i]);
    }
    return 0;
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

// NOLINTEND(readability-non-const-parameter)

const poyi_cpu_entry *CPU_OBJECT(lapack)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
        ENTRY(solve, linalg), ENTRY(cholesky, linalg), ENTRY(eigh, linalg), ENTRY(svd, linalg),
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
