/* lapack.c: the calls to BLAS and LAPACK. LAPACK is column-major: it sees the transpose of a row-major matrix. */
#include <cblas.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

#include "core/cmplx.h"
#include "record/lapack.h"
#include "record/small.h"

/* OpenBLAS has LAPACK, but Debian's headers do not declare it. Complex arrays are passed as double, and the lengths of
 * the character arguments stand at the end, as Fortran wants them. */
void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void zgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivots, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda, const int *pivots,
             double *b, const int *ldb, int *info, size_t);
void zgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda, const int *pivots,
             double *b, const int *ldb, int *info, size_t);
void zgetri_(const int *n, double *a, const int *lda, const int *pivots, double *work, const int *lwork, int *info);
void zgesdd_(const char *jobz, const int *m, const int *n, double *a, const int *lda, double *s, double *u,
             const int *ldu, double *vt, const int *ldvt, double *work, const int *lwork, double *rwork, int *iwork,
             int *info, size_t);
void zgecon_(const char *norm, const int *n, const double *a, const int *lda, const double *anorm, double *rcond,
             double *work, double *rwork, int *info, size_t);
void zgeev_(const char *jobvl, const char *jobvr, const int *n, double *a, const int *lda, double *w, double *vl,
            const int *ldvl, double *vr, const int *ldvr, double *work, const int *lwork, double *rwork, int *info,
            size_t, size_t);
void dsyevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
             const int *lwork, int *iwork, const int *liwork, int *info, size_t, size_t);
void zheevd_(const char *jobz, const char *uplo, const int *n, double *a, const int *lda, double *w, double *work,
             const int *lwork, double *rwork, const int *lrwork, int *iwork, const int *liwork, int *info, size_t,
             size_t);

/* As in the CPU backend: threads share batches, not the inside of a product, so that the bits do not depend on their
 * number. */
static void hold_blas(void)
{
    openblas_set_num_threads(1); /* of the process */
}

static void hold_blas_once(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, hold_blas);
}

poy_status poyi_lapack_fits(poy_ctx *ctx, const char *who, int64_t n)
{
    if (n > INT_MAX / 128) /* leaves room for lengths of workspaces */
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: an extent of %lld, LAPACK takes up to %d", who, (long long)n,
                         INT_MAX / 128);
    return POY_OK;
}

static int at_least_1(int64_t n)
{
    return n > 1 ? (int)n : 1; /* leading dimensions */
}

void poyi_gemm(poy_dtype dtype, char op_a, char op_b, int64_t m, int64_t n, int64_t k, double alpha, const void *a,
               const void *b, double beta, void *c)
{
    const enum CBLAS_TRANSPOSE ta = op_a == 'n' ? CblasNoTrans : op_a == 't' ? CblasTrans : CblasConjTrans;
    const enum CBLAS_TRANSPOSE tb = op_b == 'n' ? CblasNoTrans : op_b == 't' ? CblasTrans : CblasConjTrans;
    const int lda = at_least_1(op_a == 'n' ? k : m), ldb = at_least_1(op_b == 'n' ? n : k), ldc = at_least_1(n);

    if (m == 0 || n == 0)
        return;
    if (k == 0) { /* an empty sum, which BLAS may refuse for its leading dimensions */
        double *x = c;
        const int64_t count = m * n * (dtype == POY_C128 ? 2 : 1);
        for (int64_t i = 0; i < count; i++)
            x[i] = beta == 0.0 ? 0.0 : beta * x[i];
        return;
    }
    if (m <= POYI_SMALL_PRODUCT && n <= POYI_SMALL_PRODUCT && k <= POYI_SMALL_PRODUCT &&
        m * n * k <= POYI_SMALL_PRODUCT) {
        poyi_small_product(dtype, op_a, op_b, m, n, k, alpha, a, b, beta, c);
        return;
    }
    hold_blas_once();
    if (dtype == POY_C128) {
        const double za[2] = {alpha, 0.0}, zb[2] = {beta, 0.0};
        cblas_zgemm(CblasRowMajor, ta, tb, (int)m, (int)n, (int)k, za, a, lda, b, ldb, zb, c, ldc);
    } else {
        cblas_dgemm(CblasRowMajor, ta, tb, (int)m, (int)n, (int)k, alpha, a, lda, b, ldb, beta, c, ldc);
    }
}

/* ---- LU ---- */

int64_t poyi_lu_factor(poy_dtype dtype, int64_t n, void *lu, int32_t *pivots)
{
    const int size = (int)n, lda = at_least_1(n);
    int info = 0;
    if (n <= POYI_SMALL_LU)
        return poyi_small_factor(dtype, n, lu, pivots);
    hold_blas_once();
    if (dtype == POY_C128)
        zgetrf_(&size, &size, lu, &lda, pivots, &info);
    else
        dgetrf_(&size, &size, lu, &lda, pivots, &info);
    return info;
}

/* to [cols, rows] = transpose of from [rows, cols], conjugated if asked. */
static void transpose(poy_dtype dtype, int64_t rows, int64_t cols, int conjugate, const double *from, double *to)
{
    if (dtype == POY_F64) {
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++)
                to[j * rows + i] = from[i * cols + j];
        return;
    }
    const double sign = conjugate ? -1.0 : 1.0;
    for (int64_t i = 0; i < rows; i++)
        for (int64_t j = 0; j < cols; j++) {
            to[2 * (j * rows + i)] = from[2 * (i * cols + j)];
            to[2 * (j * rows + i) + 1] = sign * from[2 * (i * cols + j) + 1];
        }
}

/* The factors are those of M = a^T: a x = b is M^T x = b, and a^H x = b is M conj(x) = conj(b). */
void poyi_lu_solve(poy_dtype dtype, int adjoint, int64_t n, int64_t m, const void *lu, const int32_t *pivots,
                   const void *b, void *x, void *work)
{
    const int size = (int)n, columns = (int)m, lda = at_least_1(n);
    const char *trans = adjoint ? "N" : "T";
    int info = 0;

    if (n == 0 || m == 0)
        return;
    if (n <= POYI_SMALL_LU && m <= POYI_SMALL_COLUMNS) {
        if (x != b)
            memcpy(x, b, (size_t)(n * m) * poy_dtype_size(dtype));
        poyi_small_solve(dtype, adjoint, n, m, lu, pivots, x);
        return;
    }
    hold_blas_once();
    transpose(dtype, n, m, adjoint, b, work);
    if (dtype == POY_C128)
        zgetrs_(trans, &size, &columns, lu, &lda, pivots, work, &lda, &info, 1);
    else
        dgetrs_(trans, &size, &columns, lu, &lda, pivots, work, &lda, &info, 1);
    transpose(dtype, m, n, adjoint, work, x);
}

enum { INVERT_BLOCK = 64 };

size_t poyi_lu_invert_work(int64_t n)
{
    return (size_t)at_least_1(n) * INVERT_BLOCK;
}

void poyi_lu_invert(int64_t n, void *lu, const int32_t *pivots, void *work)
{
    const int size = (int)n, lda = at_least_1(n), lwork = lda * INVERT_BLOCK;
    int info = 0;
    if (n == 0)
        return;
    hold_blas_once();
    zgetri_(&size, lu, &lda, pivots, work, &lwork, &info); /* of the transpose: its inverse is that of a, transposed */
}

void poyi_gemm_add(char op_b, int64_t m, int64_t n, int64_t k, double sign, const void *a, int64_t lda, const void *b,
                   int64_t ldb, void *c, int64_t ldc)
{
    const double alpha[2] = {sign, 0.0}, beta[2] = {1.0, 0.0};
    if (m == 0 || n == 0 || k == 0)
        return;
    hold_blas_once();
    cblas_zgemm(CblasRowMajor, CblasNoTrans, op_b == 't' ? CblasTrans : CblasNoTrans, (int)m, (int)n, (int)k, alpha, a,
                (int)lda, b, (int)ldb, beta, c, (int)ldc);
}

/* zgesdd with jobz N: doubles of its complex, real and integer work. */
static size_t svd_complex(int64_t m, int64_t n)
{
    const size_t small = (size_t)(m < n ? m : n), large = (size_t)(m < n ? n : m);
    return 2 * (2 * small + 65 * (small + large)) + 2;
}

size_t poyi_svd_work(int64_t m, int64_t n)
{
    const size_t small = (size_t)(m < n ? m : n);
    return (svd_complex(m, n) + 7 * small + 8) * sizeof(double) + 8 * small * sizeof(int);
}

/* zgesdd of the transpose; r: real work, then integer work. */
static poy_status divide_and_conquer(poy_ctx *ctx, const char *job, int64_t m, int64_t n, void *a, double *s, double *u,
                                     int ldu, double *vt, int ldvt, double *w, int lwork, double *r, int *iwork)
{
    const int rows = (int)n, cols = (int)m, lda = at_least_1(n);
    int info = 0;
    if (m == 0 || n == 0)
        return POY_OK;
    hold_blas_once();
    zgesdd_(job, &rows, &cols, a, &lda, s, u, &ldu, vt, &ldvt, w, &lwork, r, iwork, &info, 1);
    if (info != 0)
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "singular values: zgesdd did not converge (%d)", info);
    return POY_OK;
}

poy_status poyi_singular_values(poy_ctx *ctx, int64_t m, int64_t n, void *a, double *s, void *work)
{
    const int64_t small = m < n ? m : n;
    double *w = work, *r = w + svd_complex(m, n), unused[2];
    return divide_and_conquer(ctx, "N", m, n, a, s, unused, 1, unused, 1, w, (int)(svd_complex(m, n) / 2), r,
                              (int *)(void *)(r + 7 * small + 8));
}

/* zgesdd with jobz S: the same, and k^2 more. */
static size_t svd_full_complex(int64_t m, int64_t n)
{
    const size_t small = (size_t)(m < n ? m : n);
    return svd_complex(m, n) + 2 * (small * small + 2 * small);
}

static size_t svd_full_real(int64_t m, int64_t n)
{
    const size_t small = (size_t)(m < n ? m : n), large = (size_t)(m < n ? n : m);
    const size_t square = 5 * small * small + 5 * small, mixed = 2 * large * small + 2 * small * small + small;
    return (square > mixed ? square : mixed) + 8;
}

size_t poyi_svd_full_work(int64_t m, int64_t n)
{
    const size_t small = (size_t)(m < n ? m : n);
    return (svd_full_complex(m, n) + svd_full_real(m, n)) * sizeof(double) + 8 * small * sizeof(int);
}

/* Of the transpose u' s v'^H: u is what LAPACK's v'^H holds, by columns, and vh its u'. */
poy_status poyi_svd(poy_ctx *ctx, int64_t m, int64_t n, void *a, double *s, void *u, void *vh, void *work)
{
    const int64_t small = m < n ? m : n;
    double *w = work, *r = w + svd_full_complex(m, n);
    return divide_and_conquer(ctx, "S", m, n, a, s, vh, at_least_1(n), u, at_least_1(small), w,
                              (int)(svd_full_complex(m, n) / 2), r, (int *)(void *)(r + svd_full_real(m, n)));
}

double poyi_lu_rcond(int64_t n, const void *lu, double norm, void *work)
{
    const int size = (int)n, lda = at_least_1(n);
    double rcond = 1.0, *w = work;
    int info = 0;
    if (n == 0)
        return 1.0;
    hold_blas_once();
    zgecon_("1", &size, lu, &lda, &norm, &rcond, w, w + 4 * n, &info, 1);
    return rcond;
}

/* ---- eigenvalues ---- */

enum { EIG_BLOCKS = 66 }; /* zgeev: 2 n at least; blocks of up to 64 columns */

size_t poyi_eig_work(int64_t n)
{
    return (size_t)n * (2 * EIG_BLOCKS + 2) * sizeof(double);
}

poy_status poyi_eig(poy_ctx *ctx, int64_t n, void *a, void *w, void *vt, void *work)
{
    const int size = (int)n, lda = at_least_1(n), one = 1, lwork = EIG_BLOCKS * (int)n;
    double *complex_work = work, *real_work = complex_work + (size_t)2 * EIG_BLOCKS * (size_t)n;
    int info = 0;

    if (n == 0)
        return POY_OK;
    hold_blas_once();
    zgeev_("N", "V", &size, a, &lda, w, NULL, &one, vt, &lda, complex_work, &lwork, real_work, &info, 1, 1);
    if (info)
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "eig: the QR iteration found %d of %lld eigenvalues",
                         info > 0 ? size - info : 0, (long long)n);
    return POY_OK;
}

/* Lengths of the workspaces, from the manual pages of dsyevd and zheevd. */
static void eigh_lengths(poy_dtype dtype, int64_t n, int64_t *complex_work, int64_t *real_work, int64_t *int_work)
{
    *complex_work = dtype == POY_C128 ? 2 * n + n * n : 0;
    *real_work = dtype == POY_C128 ? 1 + 5 * n + 2 * n * n : 1 + 6 * n + 2 * n * n;
    *int_work = 3 + 5 * n;
}

size_t poyi_eigh_work(poy_dtype dtype, int64_t n)
{
    int64_t z, d, i;
    eigh_lengths(dtype, n, &z, &d, &i);
    return 2 * (size_t)z * sizeof(double) + (size_t)d * sizeof(double) + (size_t)i * sizeof(int);
}

poy_status poyi_eigh(poy_ctx *ctx, poy_dtype dtype, int64_t n, void *a, double *w, void *work)
{
    const int size = (int)n, lda = at_least_1(n);
    int64_t z, d, i;
    int info = 0;

    if (n == 0)
        return POY_OK;
    eigh_lengths(dtype, n, &z, &d, &i);
    if (d > INT_MAX)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "eigh: %lld rows need more workspace than LAPACK's int can say",
                         (long long)n);
    const int lz = (int)z, ld = (int)d, li = (int)i;
    double *complex_work = work, *real_work = complex_work + 2 * z;
    int *int_work = (int *)(void *)(real_work + d);
    hold_blas_once();
    if (dtype == POY_C128)
        zheevd_("V", "L", &size, a, &lda, w, complex_work, &lz, real_work, &ld, int_work, &li, &info, 1, 1);
    else
        dsyevd_("V", "L", &size, a, &lda, w, real_work, &ld, int_work, &li, &info, 1, 1);
    if (info)
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE, "eigh: LAPACK stopped with info = %d for %lld rows", info,
                         (long long)n);
    return POY_OK;
}
