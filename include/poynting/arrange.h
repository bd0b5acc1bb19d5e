/* arrange.h: arrays made of others by moving elements, and what is composed of the operations of ops.h.
 *
 * Nothing here is a backend's: copies into views and calls of ops.h do the work. Functions named poy_array_* give views
 * that share memory; the others make arrays, C-contiguous, on the inputs' backend. Errors of all: those of ops.h. */
#ifndef POYNTING_ARRANGE_H
#define POYNTING_ARRANGE_H

#include "poynting/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- views ---- */

/* Axes source [n] moved to the places destination [n], the others in order. Errors: POY_ERR_AXIS. */
POY_API poy_status poy_array_move_axes(poy_ctx *ctx, const poy_array *a, int n, const int *source,
                                       const int *destination, poy_array **out);
POY_API poy_status poy_array_swap_axes(poy_ctx *ctx, const poy_array *a, int axis1, int axis2, poy_array **out);
/* New axes of extent 1 at the places axes [n] of the result. Errors: POY_ERR_AXIS, POY_ERR_SHAPE (too many). */
POY_API poy_status poy_array_expand_dims(poy_ctx *ctx, const poy_array *a, int n, const int *axes, poy_array **out);
/* Without the axes named, which must have extent 1 (POY_ERR_SHAPE); n POY_ALL_AXES: without all that have. */
POY_API poy_status poy_array_squeeze(poy_ctx *ctx, const poy_array *a, int n, const int *axes, poy_array **out);
/* An axis in reverse order. */
POY_API poy_status poy_array_flip(poy_ctx *ctx, const poy_array *a, int axis, poy_array **out);
/* Diagonal k of the last two axes (k > 0: above the main one) as the last axis. Errors: POY_ERR_SHAPE (rank < 2). */
POY_API poy_status poy_array_diagonal(poy_ctx *ctx, const poy_array *a, int64_t k, poy_array **out);

/* arrays [n] broadcast to the shape of them all: out [n]. Errors: POY_ERR_BROADCAST, POY_ERR_EMPTY (n < 1); out is NULL
 * then. */
POY_API poy_status poy_array_broadcast_together(poy_ctx *ctx, int n, const poy_array *const *arrays, poy_array **out);

/* ---- arrays side by side: parts [n], promoted together ---- */

/* Along an axis that they have; POY_FLAT: each as one line. Errors: POY_ERR_EMPTY (n 0), POY_ERR_SHAPE (other axes
 * differ, rank 0), POY_ERR_AXIS. */
POY_API poy_status poy_concatenate(poy_ctx *ctx, int n, const poy_array *const *parts, int axis, poy_array **y);
/* The same in a type of the caller's, as which each part is cast (poy_copy). Errors: also POY_ERR_COMPLEX_TO_REAL. */
POY_API poy_status poy_concatenate_as(poy_ctx *ctx, poy_dtype dtype, int n, const poy_array *const *parts, int axis,
                                      poy_array **y);
/* Along a new axis. */
POY_API poy_status poy_stack(poy_ctx *ctx, int n, const poy_array *const *parts, int axis, poy_array **y);
/* Vectors end to end, others along axis 1. */
POY_API poy_status poy_hstack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y);
/* Along axis 0, vectors as rows. */
POY_API poy_status poy_vstack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y);
/* Along axis 2, vectors as [1, n, 1], matrices as [m, n, 1]. */
POY_API poy_status poy_dstack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y);
/* Along axis 1, vectors as columns. */
POY_API poy_status poy_column_stack(poy_ctx *ctx, int n, const poy_array *const *parts, poy_array **y);

/* ---- elements moved ---- */

/* x repeated, repeats [rank] times along each axis. Errors: POY_ERR_SHAPE (a negative number). */
POY_API poy_status poy_tile(poy_ctx *ctx, const poy_array *x, const int64_t *repeats, poy_array **y);
/* y[i] = x[i - shift] along an axis, what leaves at one end comes back at the other. */
POY_API poy_status poy_roll(poy_ctx *ctx, const poy_array *x, int64_t shift, int axis, poy_array **y);
/* x with before [rank] and after [rank] elements of a value around. Errors: POY_ERR_SHAPE (a negative number). */
POY_API poy_status poy_pad(poy_ctx *ctx, const poy_array *x, const int64_t *before, const int64_t *after,
                           poy_scalar value, poy_array **y);
/* x[i + 1] - x[i] along an axis. */
POY_API poy_status poy_diff(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y);

/* ---- matrices ---- */

/* 1 on diagonal k of an n by m matrix. */
POY_API poy_status poy_eye(poy_ctx *ctx, poy_backend *be, int64_t n, int64_t m, int64_t k, poy_dtype dtype,
                           poy_array **y);
/* Of a vector the square matrix with it on diagonal k; of a matrix its diagonal k. Errors: POY_ERR_SHAPE (other ranks). */
POY_API poy_status poy_diag(poy_ctx *ctx, const poy_array *x, int64_t k, poy_array **y);
/* The last two axes with zeros above (tril), below (triu) diagonal k. Errors: POY_ERR_SHAPE (rank < 2). */
POY_API poy_status poy_tril(poy_ctx *ctx, const poy_array *x, int64_t k, poy_array **y);
POY_API poy_status poy_triu(poy_ctx *ctx, const poy_array *x, int64_t k, poy_array **y);
/* Sum of the diagonal of the last two axes. */
POY_API poy_status poy_trace(poy_ctx *ctx, const poy_array *x, poy_array **y);
/* Kronecker product: shapes multiply after the shorter one is lengthened with 1. Errors: POY_ERR_SHAPE (rank > 4). */
POY_API poy_status poy_kron(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z);

/* ---- Fourier transforms, composed of poy_fft ---- */

/* Where a transform is scaled: the backward one by 1/n, both by 1/sqrt(n), the forward one by 1/n. */
typedef enum poy_fft_norm { POY_FFT_NORM_BACKWARD, POY_FFT_NORM_ORTHO, POY_FFT_NORM_FORWARD } poy_fft_norm;
/* The scale of a transform of length n with that sign, for poy_fft_options. */
POY_API double poy_fft_norm_scale(poy_fft_norm norm, int sign, double n);
/* Along several axes, one after the other; n_axes POY_ALL_AXES: all of them. sign -1: forward. Errors: those of poy_fft. */
POY_API poy_status poy_fftn(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int sign, poy_fft_norm norm,
                            poy_array **y);
/* Frequency 0 from the first place of an axis to the middle, and back. */
POY_API poy_status poy_fftshift(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y);
POY_API poy_status poy_ifftshift(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y);
/* f64 frequencies of n samples a distance apart, in cycles per unit of it, as transforms order them: of c2c [n]; of r2c
 * [n/2 + 1]. Errors: POY_ERR_EMPTY (n < 1), POY_ERR_ARGUMENT (distance 0 or not finite). */
POY_API poy_status poy_fftfreq(poy_ctx *ctx, poy_backend *be, int64_t n, double spacing, poy_array **y);
POY_API poy_status poy_rfftfreq(poy_ctx *ctx, poy_backend *be, int64_t n, double spacing, poy_array **y);

/* ---- values of the host ---- */

typedef enum poy_constant { POY_CONSTANT_PI, POY_CONSTANT_E, POY_CONSTANT_INFINITY, POY_CONSTANT_NAN } poy_constant;
/* A constant as a number (rank 0) of type f32, f64, c64 or c128, for reading. In the host's memory it is a window on the library's
 * own and takes none; it may be made while a program is recorded, too. Errors: POY_ERR_DTYPE, POY_ERR_ARGUMENT (there is no such
 * constant). */
POY_API poy_status poy_constant_array(poy_ctx *ctx, poy_backend *be, poy_constant which, poy_dtype dtype,
                                      poy_array **out);

/* value everywhere in an array of x's shape and type. Errors: those of poy_fill. */
POY_API poy_status poy_fill_like(poy_ctx *ctx, const poy_array *x, poy_scalar value, poy_array **y);
/* A value of that kind as a number (rank 0) on x's backend, of the type in which it is an operand beside x without raising the
 * precision: a result of x and y has the type poy_scalar_type(type of x, kind). Errors: POY_ERR_ARGUMENT (a value
 * that is not of the kind), POY_ERR_RANGE (a whole one beyond x's integers). */
POY_API poy_status poy_scalar_beside(poy_ctx *ctx, const poy_array *x, poy_scalar value, poy_kind kind, poy_array **y);

/* ---- ranges ---- */

/* start + i step for i = 0 .. ceil((stop - start) / step) - 1, one product and one sum each. dtype: i32, i64, f32, f64.
 * Errors: POY_ERR_ARGUMENT (step 0; what is not finite). */
POY_API poy_status poy_arange(poy_ctx *ctx, poy_backend *be, double start, double stop, double step, poy_dtype dtype,
                              poy_array **y);
/* n numbers from start to stop, both among them. */
POY_API poy_status poy_linspace(poy_ctx *ctx, poy_backend *be, double start, double stop, int64_t n, poy_dtype dtype,
                                poy_array **y);

/* ---- random numbers: those of the stream (seed, stream) of poy_random_uniform2, the same ones on every backend ---- */

/* Uniform in [0, 1): parts 2 i and 2 i + 1, in C order, are block i; f32 and c64 take the upper 24 bits. Errors: POY_ERR_DTYPE
 * (integers, b8). */
POY_API poy_status poy_random_uniform(poy_ctx *ctx, poy_backend *be, uint64_t seed, uint64_t stream, poy_dtype dtype,
                                      int rank, const int64_t *extent, poy_array **y);
/* Of mean 0 and variance 1 in each part: sqrt(-2 ln(1 - u)) (cos, sin)(2 pi v) of a block (u, v) (Box and Muller, Ann. Math.
 * Stat. 29, 610 (1958)), computed in f64. Errors: likewise. */
POY_API poy_status poy_random_normal(poy_ctx *ctx, poy_backend *be, uint64_t seed, uint64_t stream, poy_dtype dtype,
                                     int rank, const int64_t *extent, poy_array **y);

/* ---- what is where; indices of several axes ---- */

/* Places of the elements that are not 0, i64 [n, rank] in C order. */
POY_API poy_status poy_nonzero(poy_ctx *ctx, const poy_array *x, poy_array **y);
/* The different elements of x, rising, as a vector; NaN, if there is one, is last, once. counts [n] i64 (or NULL): how often
 * each is there. Errors: POY_ERR_DTYPE (complex values have no order). */
POY_API poy_status poy_unique(poy_ctx *ctx, const poy_array *x, poy_array **values, poy_array **counts);
/* For each element of x its place in a rising vector: before those that are equal (right 0) or behind them; i64, of x's shape.
 * NaN stands behind all numbers. Errors: POY_ERR_SHAPE (sorted is no vector), POY_ERR_DTYPE. */
POY_API poy_status poy_searchsorted(poy_ctx *ctx, const poy_array *sorted, const poy_array *x, int right,
                                    poy_array **y);
/* Open mesh: of n vectors arrays out [n] of rank n that broadcast to all combinations, vector k along axis k. */
POY_API poy_status poy_mesh(poy_ctx *ctx, int n, const poy_array *const *vectors, poy_array **out);
/* y = x at index[0 .. n-1] of axes[0 .. n-1]: integer arrays that broadcast together, whose shape stands first in y, before
 * the other axes of x. Errors: POY_ERR_AXIS, POY_ERR_INDEX, POY_ERR_BROADCAST, POY_ERR_DTYPE (an index that is not i32 or
 * i64), POY_ERR_SHAPE (too many axes). */
POY_API poy_status poy_take_at(poy_ctx *ctx, const poy_array *x, int n, const int *axes, const poy_array *const *index,
                               poy_array **y);
/* y = x with v, which broadcasts to what poy_take_at would give, put there: the last of those that repeat, in C order; or
 * added, as often as they repeat. Errors: also POY_ERR_COMPLEX_TO_REAL. */
POY_API poy_status poy_put_at(poy_ctx *ctx, const poy_array *x, int n, const int *axes, const poy_array *const *index,
                              const poy_array *v, int adds, poy_array **y);

/* ---- composed ---- */

/* Sum and product in a type of the caller's, of the output's by _into: x is cast to it first (poy_copy: towards zero,
 * saturated), then added or multiplied in it. Integers wrap in it; of b8 sums are "or", products "and". Arguments and other
 * errors: those of poy_sum. Errors: POY_ERR_COMPLEX_TO_REAL, POY_ERR_DTYPE (there is no such type). */
POY_API poy_status poy_sum_as(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, int n_axes, const int *axes,
                              int keepdims, poy_array **y);
POY_API poy_status poy_sum_as_into(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims,
                                   poy_array *y);
POY_API poy_status poy_prod_as(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, int n_axes, const int *axes,
                               int keepdims, poy_array **y);
POY_API poy_status poy_prod_as_into(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims,
                                    poy_array *y);

/* x to the power y, also of complex ones: the principal e^(y log x); 0^0 = 1, 0^y = 0 for a y with a positive real part, else
 * NaN. Others are poy_pow's. The error grows with |y log x|. */
POY_API poy_status poy_power_of(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z);

/* log |sum b e^x| over the axes, as reductions take them, without overflow on the way; b NULL: 1. Weights 0 drop their
 * element, whatever it is. A negative sum: NaN, or with sign its sign there (-1, 0, 1). x may be complex where b and sign are NULL. */
POY_API poy_status poy_logsumexp(poy_ctx *ctx, const poy_array *x, const poy_array *b, int n_axes, const int *axes,
                                 int keepdims, poy_array **y, poy_array **sign);
/* The p-norm of x over one axis (or of a vector): 0 counts what is not 0, +-INFINITY the largest and smallest |x|; of nothing 0. Errors:
 * POY_ERR_SHAPE (several axes; poy_norm is the 2-norm of any), POY_ERR_ARGUMENT (p NaN), POY_ERR_EMPTY (the smallest |x| of nothing). */
POY_API poy_status poy_vector_norm(poy_ctx *ctx, const poy_array *x, double p, int axis, int keepdims, poy_array **y);
/* *out: whether |a - b| <= atol + rtol |b| everywhere, broadcast; infinities of one sign are close, NaN if equal_nan. */
POY_API poy_status poy_allclose(poy_ctx *ctx, const poy_array *a, const poy_array *b, double rtol, double atol,
                                int equal_nan, int *out);

#ifdef __cplusplus
}
#endif
#endif
