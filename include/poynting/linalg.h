/* linalg.h: linear algebra on stacks of matrices: the last two axes are matrices, leading axes are a batch and broadcast.
 *
 * Integers and b8 are promoted to f64. Outputs are made, C-contiguous, on the inputs' backend; NULL on failure. Factors
 * are made unique by a gauge where a theorem leaves a phase open: in each column of eigenvectors, and of U, the entry of
 * largest modulus (the first of those that are equal) is real and positive.
 * Errors of all: those of ops.h; POY_ERR_SHAPE (rank < 2, not square where that is needed). */
#ifndef POYNTING_LINALG_H
#define POYNTING_LINALG_H

#include "poynting/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* x with a x = b. b of rank 1: a vector for all of the batch; else [..., n, k]. Errors: POY_ERR_SINGULAR (a pivot that is
 * exactly 0). */
POY_API poy_status poy_solve(poy_ctx *ctx, const poy_array *a, const poy_array *b, poy_array **x);
/* Lower triangular l with l l^H = a, of which the lower triangle and the real part of the diagonal are read. Errors:
 * POY_ERR_NOT_PD (not positive definite, or NaN). */
POY_API poy_status poy_cholesky(poy_ctx *ctx, const poy_array *a, poy_array **l);
/* Eigenvalues w [..., n], real, rising, and eigenvectors v [..., n, n] in columns (v NULL: without them) of Hermitian a, of
 * which the lower triangle and the real part of the diagonal are read. Errors: POY_ERR_NONFINITE (NaN or an infinity in
 * a), POY_ERR_NO_CONVERGENCE. */
POY_API poy_status poy_eigh(poy_ctx *ctx, const poy_array *a, poy_array **w, poy_array **v);
/* a = u diag(s) vh, s [..., k] real, falling, k = min(m, n). u [..., m, k], vh [..., k, n]; full: square ones, of which the
 * columns of u and rows of vh from k on are any that complete the basis. u and vh both NULL: s alone. Errors: as eigh. */
POY_API poy_status poy_svd(poy_ctx *ctx, const poy_array *a, int full, poy_array **u, poy_array **s, poy_array **vh);

/* a[perm] = l u by exchanges of rows: l [..., m, k] with ones on its diagonal, |l_ij| <= 1, u [..., k, n], perm [..., m] i64,
 * k = min(m, n). Singular matrices have a 0 on the diagonal of u. Errors: POY_ERR_NONFINITE. */
POY_API poy_status poy_lu(poy_ctx *ctx, const poy_array *a, poy_array **l, poy_array **u, poy_array **perm);
/* a = q r: q [..., m, k] with orthonormal columns, r [..., k, n] with a real diagonal that is not negative. Errors:
 * POY_ERR_NONFINITE. */
POY_API poy_status poy_qr(poy_ctx *ctx, const poy_array *a, poy_array **q, poy_array **r);
/* Eigenvalues w [..., n] and eigenvectors v [..., n, n] in columns of norm 1 (v NULL: without them) of any a, both complex. In
 * the order of real parts, those that are equal within rounding (64 n eps of the largest |w|) by imaginary parts. Vectors
 * of values that are not distinct may be dependent. Errors: POY_ERR_NONFINITE, POY_ERR_NO_CONVERGENCE. */
POY_API poy_status poy_eig(poy_ctx *ctx, const poy_array *a, poy_array **w, poy_array **v);
/* Norms of matrices. axes [2]: those of rows and of columns, NULL: the last two; keepdims: they stay, with extent 1.
 * Errors: POY_ERR_SHAPE (rank below 2), POY_ERR_AXIS, those of poy_svd where singular values are asked for. The root of the
 * sum of squares (Frobenius) is poy_norm over both axes. */
/* p 1: the largest column sum of moduli, -1: the smallest; +-INFINITY: those of rows; 2, -2: the largest and the smallest
 * singular value. Of nothing 0. Errors: POY_ERR_ARGUMENT (other p), POY_ERR_EMPTY (the smallest of nothing). */
POY_API poy_status poy_matrix_norm(poy_ctx *ctx, const poy_array *x, double p, const int *axes, int keepdims,
                                   poy_array **y);
/* The sum of the singular values. */
POY_API poy_status poy_nuclear_norm(poy_ctx *ctx, const poy_array *x, const int *axes, int keepdims, poy_array **y);
/* e to the power a, of square matrices: the Pade approximant of degree 13 of a / 2^s, squared s times (Higham, SIAM J. Matrix
 * Anal. Appl. 26, 1179 (2005)). Errors: POY_ERR_NONFINITE. */
POY_API poy_status poy_expm(poy_ctx *ctx, const poy_array *a, poy_array **y);

/* Sums of products: "ij,jk->ik" is a matrix product, "ii" a trace, "...ij->...ji" a transpose. Letters name axes; one that is
 * twice in an operand takes its diagonal; those that are not in the output are summed over. Without an arrow the output
 * has the letters that are there once, capitals first. "..." stands for leading axes that broadcast. Products are
 * matmul's, of the pair with the smallest result next, all in the operands' promoted type. operands [n], n <= 16. Errors: POY_ERR_ARGUMENT (subscripts that are
 * no such text, do not fit the operands or each other). */
POY_API poy_status poy_einsum(poy_ctx *ctx, const char *subscripts, int n, const poy_array *const *operands,
                              poy_array **y);

#ifdef __cplusplus
}
#endif
#endif
