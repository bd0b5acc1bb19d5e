/* sparse.h: sparse matrices on a backend, their products with vectors and matrices, and the ways between their formats.
 *
 * Three formats: triples (COO), compressed rows (CSR), compressed columns (CSC). Entries that stand for one place add up,
 * in every format; rows and columns may be empty. A matrix never changes once it is made, so several contexts may use
 * one at a time. Elements are f32, f64, c64 or c128 (integers and b8 become f64); a product with elements of another type
 * is computed in the promoted one, a real matrix times complex vectors without complex products.
 * Memory is counted under "sparse"; what a product needs besides (compressed rows of a matrix that has none) is made at
 * the first such product, kept, and counted too. Functions that make something leave NULL on failure. */
#ifndef POYNTING_SPARSE_H
#define POYNTING_SPARSE_H

#include "poynting/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_sparse poy_sparse;
typedef enum poy_sparse_format { POY_SPARSE_COO, POY_SPARSE_CSR, POY_SPARSE_CSC } poy_sparse_format;

/* ---- made and looked at ---- */

/* A copy of what three vectors tell, on their backend; first and second are i32 or i64:
 *   COO  row and column of each entry
 *   CSR  first [rows + 1]: where a row's entries start, from 0 to the number of entries; second: their columns
 *   CSC  the same with rows and columns exchanged
 * Errors: POY_ERR_SHAPE (ranks, lengths), POY_ERR_DTYPE, POY_ERR_BACKEND, POY_ERR_INDEX (a place outside of the matrix;
 * negative ones are), POY_ERR_ARGUMENT (starts that fall, or are not from 0 to the number of entries; no such format). */
POY_API poy_status poy_sparse_create(poy_ctx *ctx, poy_sparse_format format, int64_t rows, int64_t columns,
                                     const poy_array *first, const poy_array *second, const poy_array *values,
                                     poy_sparse **out);
/* What is not 0 of a matrix (NaN is not). Errors: POY_ERR_SHAPE (rank other than 2). */
POY_API poy_status poy_sparse_from_dense(poy_ctx *ctx, const poy_array *x, poy_sparse_format format, poy_sparse **out);
POY_API void poy_sparse_destroy(poy_sparse **a);

POY_API poy_sparse_format poy_sparse_format_of(const poy_sparse *a);
POY_API poy_dtype poy_sparse_dtype(const poy_sparse *a);
POY_API int64_t poy_sparse_rows(const poy_sparse *a);
POY_API int64_t poy_sparse_columns(const poy_sparse *a);
POY_API int64_t poy_sparse_entries(const poy_sparse *a); /* that are stored, zeros and repeated ones among them */
POY_API poy_backend *poy_sparse_backend(const poy_sparse *a);
/* Copies of the three vectors: starts are i64, places i32 (i64 where an extent or the number of entries needs it). */
POY_API poy_status poy_sparse_parts(poy_ctx *ctx, const poy_sparse *a, poy_array **first, poy_array **second,
                                    poy_array **values);

/* ---- ways between them ---- */

/* The same entries in another format, zeros kept; within a row (column) in the order that they had. */
POY_API poy_status poy_sparse_convert(poy_ctx *ctx, const poy_sparse *a, poy_sparse_format format, poy_sparse **out);
/* In a's format, sorted (COO by rows), each place once, repeated entries added in their order. */
POY_API poy_status poy_sparse_canonical(poy_ctx *ctx, const poy_sparse *a, poy_sparse **out);
/* Rows and columns exchanged: no entry is moved, CSR becomes CSC and the other way round. */
POY_API poy_status poy_sparse_transpose(poy_ctx *ctx, const poy_sparse *a, poy_sparse **out);
POY_API poy_status poy_sparse_conj(poy_ctx *ctx, const poy_sparse *a, poy_sparse **out);
/* Errors: POY_ERR_COMPLEX_TO_REAL, POY_ERR_DTYPE (integers, b8). */
POY_API poy_status poy_sparse_cast(poy_ctx *ctx, const poy_sparse *a, poy_dtype dtype, poy_sparse **out);
/* a + b in canonical form and a's format, of the promoted type. Errors: POY_ERR_SHAPE, POY_ERR_BACKEND. */
POY_API poy_status poy_sparse_add(poy_ctx *ctx, const poy_sparse *a, const poy_sparse *b, poy_sparse **out);
/* The same matrix on another backend. */
POY_API poy_status poy_sparse_move(poy_ctx *ctx, const poy_sparse *a, poy_backend *be, poy_sparse **out);

/* [rows, columns], zeros where there is no entry. */
POY_API poy_status poy_sparse_to_dense(poy_ctx *ctx, const poy_sparse *a, poy_array **y);
/* [min(rows, columns)]. */
POY_API poy_status poy_sparse_diagonal(poy_ctx *ctx, const poy_sparse *a, poy_array **y);
/* *out: whether |a - b| <= atol + rtol max(|a|, |b|) at every place where one has an entry; NaN is close to nothing, other
 * extents are not close. */
POY_API poy_status poy_sparse_allclose(poy_ctx *ctx, const poy_sparse *a, const poy_sparse *b, double rtol, double atol,
                                       int *out);

/* ---- products ---- */

typedef enum poy_sparse_side { POY_SPARSE_AS_IS, POY_SPARSE_TRANSPOSED, POY_SPARSE_ADJOINT } poy_sparse_side;
/* y = a x, its transpose times x, or its adjoint times x; x a vector [n] or a matrix [n, k], y likewise. A row's terms are
 * added in the order of its entries (as the first conversion put them), whatever the number of threads.
 * Errors: POY_ERR_SHAPE (rank, unequal n), POY_ERR_BACKEND. */
POY_API poy_status poy_spmm(poy_ctx *ctx, const poy_sparse *a, poy_sparse_side side, const poy_array *x, poy_array **y);
POY_API poy_status poy_spmm_into(poy_ctx *ctx, const poy_sparse *a, poy_sparse_side side, const poy_array *x,
                                 poy_array *y);

#ifdef __cplusplus
}
#endif
#endif
