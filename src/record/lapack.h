/* lapack.h: dense linear algebra of host arrays, f64 or c128, row-major: OpenBLAS held to one thread. */
#ifndef POYI_LAPACK_H
#define POYI_LAPACK_H

#include <stdint.h>

#include "core/core.h"

/* Fails where an extent is beyond what LAPACK's int holds. Errors: POY_ERR_RANGE. */
poy_status poyi_lapack_fits(poy_ctx *ctx, const char *who, int64_t n);

/* c [m,n] = alpha op(a) op(b) + beta c. op: 'n' as it is, 't' transposed, 'c' adjoint; k: what is summed over. */
void poyi_gemm(poy_dtype dtype, char op_a, char op_b, int64_t m, int64_t n, int64_t k, double alpha, const void *a,
               const void *b, double beta, void *c);

/* c [m,n] = alpha op(a) op(b) + beta c of c128, for extents in size_t. */
static inline void poyi_product(char op_a, char op_b, size_t m, size_t n, size_t k, double alpha, const poy_c128 *a,
                                const poy_c128 *b, double beta, poy_c128 *c)
{
    poyi_gemm(POY_C128, op_a, op_b, (int64_t)m, (int64_t)n, (int64_t)k, alpha, a, b, beta, c);
}

/* lu [n,n], in place: factors of a's transpose, as LAPACK sees a row-major a. pivots [n]. Returns the number (from 1)
 * of the first pivot that is 0, else 0. */
int64_t poyi_lu_factor(poy_dtype dtype, int64_t n, void *lu, int32_t *pivots);
/* x [n,m] = a^-1 b, or a^-H b. work: n m elements. b and x may be the same. */
void poyi_lu_solve(poy_dtype dtype, int adjoint, int64_t n, int64_t m, const void *lu, const int32_t *pivots,
                   const void *b, void *x, void *work);
/* 1 / (|a|_1 |a^-1|_1) of c128, from its factors and its 1-norm (of the transpose). work: 3 n elements. */
double poyi_lu_rcond(int64_t n, const void *lu, double norm, void *work);

/* a^-1 of c128 in place of its factors. work: poyi_lu_invert_work(n) elements. */
size_t poyi_lu_invert_work(int64_t n);
void poyi_lu_invert(int64_t n, void *lu, const int32_t *pivots, void *work);

/* c [m,n] += sign a [m,k] op(b) of c128, rows lda, ldb, ldc elements apart; op_b 'n' or 't'. */
void poyi_gemm_add(char op_b, int64_t m, int64_t n, int64_t k, double sign, const void *a, int64_t lda, const void *b,
                   int64_t ldb, void *c, int64_t ldc);

/* Falling singular values s [min(m,n)] of a c128 matrix a [m,n], which is destroyed. work: poyi_svd_work(m, n) bytes.
 * Errors: POY_ERR_NO_CONVERGENCE. */
size_t poyi_svd_work(int64_t m, int64_t n);
poy_status poyi_singular_values(poy_ctx *ctx, int64_t m, int64_t n, void *a, double *s, void *work);

/* The same with singular vectors: a = u diag(s) vh, u [m,k], vh [k,n], k = min(m,n). work: poyi_svd_full_work(m, n) bytes. */
size_t poyi_svd_full_work(int64_t m, int64_t n);
poy_status poyi_svd(poy_ctx *ctx, int64_t m, int64_t n, void *a, double *s, void *u, void *vh, void *work);

/* Eigenvalues w [n] and, as rows, right eigenvectors vt [n,n] of a c128 matrix; a [n,n] is destroyed.
 * work: poyi_eig_work(n) bytes. Errors: POY_ERR_NO_CONVERGENCE. */
size_t poyi_eig_work(int64_t n);
poy_status poyi_eig(poy_ctx *ctx, int64_t n, void *a, void *w, void *vt, void *work);
/* Rising eigenvalues w [n] (f64) and, as rows, the conjugates of the eigenvectors of a Hermitian matrix, in place of a.
 * Errors: POY_ERR_NO_CONVERGENCE. */
size_t poyi_eigh_work(poy_dtype dtype, int64_t n);
poy_status poyi_eigh(poy_ctx *ctx, poy_dtype dtype, int64_t n, void *a, double *w, void *work);

#endif
