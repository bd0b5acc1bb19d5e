/* ops.h: the operations of the array layer, one pair of functions for each row of ops.def.
 *
 * poy_<op> makes its output, C-contiguous, on the inputs' backend; poy_<op>_into writes to an array of the right shape
 * and element type. Inputs are promoted by one table (poy_result_type), broadcast as in NumPy, and never changed. An
 * output may be one of the inputs: the same window is worked on in place where the operation goes element by element,
 * any other overlap goes through a copy.
 * Errors of all: POY_ERR_BACKEND (arrays of two backends), POY_ERR_DTYPE (an element type that the operation does not take; an
 * output of another type), POY_ERR_SHAPE (an output of another shape), POY_ERR_ARGUMENT (an output whose elements share memory
 * with each other, a broadcast view for one; an input that is NULL, where the output is made), POY_ERR_UNSUPPORTED (the backend
 * lacks the operation), POY_ERR_BUDGET, POY_ERR_MEMORY. On failure a created output is NULL. */
#ifndef POYNTING_OPS_H
#define POYNTING_OPS_H

#include "poynting/array.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A value of the host. It brings its kind, never its precision: it is cast to the element type of the output. */
typedef struct poy_scalar {
    double re, im;
} poy_scalar;

/* The element type of a result of a and b:
 *        b8    i32   i64   f32   f64   c64   c128
 *  b8    b8    i32   i64   f32   f64   c64   c128
 *  i32         i32   i64   f64   f64   c128  c128
 *  i64               i64   f64   f64   c128  c128
 *  f32                     f32   f64   c64   c128
 *  f64                           f64   c128  c128
 *  c64                                 c64   c128   (and its mirror image) */
POY_API poy_dtype poy_result_type(poy_dtype a, poy_dtype b);
/* The element type of a result of an array of type a and a value of the host, which raises the kind (truth, whole, real,
 * complex) where its own is the higher one, never the precision: f32 with a real value is f32, with a complex one c64; i32
 * with a whole one i32, with a real one f64; b8 with a whole one i64. */
typedef enum poy_kind { POY_KIND_TRUTH, POY_KIND_WHOLE, POY_KIND_REAL, POY_KIND_COMPLEX } poy_kind;
POY_API poy_dtype poy_scalar_type(poy_dtype a, poy_kind kind);

/* ---- fill, copy ---- */

/* y = value everywhere. Errors: POY_ERR_COMPLEX_TO_REAL (im != 0 into a real array), POY_ERR_ARGUMENT (a value that
 * is not finite into integers). */
POY_API poy_status poy_fill(poy_ctx *ctx, poy_backend *be, poy_scalar value, poy_dtype dtype, int rank,
                            const int64_t *extent, poy_array **y);
POY_API poy_status poy_fill_into(poy_ctx *ctx, poy_scalar value, poy_array *y);
/* y = x, cast: to integers towards zero, out of range saturates, NaN becomes 0; to b8, whatever is not 0 becomes 1;
 * f64 to f32 rounds to nearest. _into broadcasts x. Errors: POY_ERR_COMPLEX_TO_REAL, also where all imaginary parts
 * are 0; POY_ERR_BROADCAST. */
POY_API poy_status poy_copy(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, poy_array **y);
POY_API poy_status poy_copy_into(poy_ctx *ctx, const poy_array *x, poy_array *y);

/* ---- unary: y = f(x), element by element; the text of each row is in ops.def ---- */

#define POY_DECLARE_UNARY(name)                                                     \
    POY_API poy_status poy_##name(poy_ctx *ctx, const poy_array *x, poy_array **y); \
    POY_API poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, poy_array *y)
POY_DECLARE_UNARY(neg);
POY_DECLARE_UNARY(conj);
POY_DECLARE_UNARY(real); /* into f32, f64, ..., the real companion of x's type */
POY_DECLARE_UNARY(imag);
POY_DECLARE_UNARY(abs);
POY_DECLARE_UNARY(
    sqrt); /* negative real x: NaN; complex: the branch with a real part >= 0, sign of a zero im(x) kept */
POY_DECLARE_UNARY(sign);
POY_DECLARE_UNARY(square);
POY_DECLARE_UNARY(exp);
POY_DECLARE_UNARY(log); /* negative real x: NaN; complex: the imaginary part in -pi .. pi, its sign that of im(x) */
POY_DECLARE_UNARY(expm1);
POY_DECLARE_UNARY(log1p);
POY_DECLARE_UNARY(sin);
POY_DECLARE_UNARY(cos);
POY_DECLARE_UNARY(tan);
POY_DECLARE_UNARY(sinh);
POY_DECLARE_UNARY(cosh);
POY_DECLARE_UNARY(tanh);
POY_DECLARE_UNARY(floor);
POY_DECLARE_UNARY(isfinite); /* into b8, and so do the other questions */
POY_DECLARE_UNARY(isnan);
POY_DECLARE_UNARY(logical_not);
#undef POY_DECLARE_UNARY

/* ---- binary: z = f(x, y). Errors: POY_ERR_BROADCAST ---- */

#define POY_DECLARE_BINARY(name)                                                                        \
    POY_API poy_status poy_##name(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z); \
    POY_API poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *z)
POY_DECLARE_BINARY(add); /* integers wrap; of b8 sums are "or", products "and", and there is no difference */
POY_DECLARE_BINARY(sub);
POY_DECLARE_BINARY(mul);
POY_DECLARE_BINARY(div); /* integers are divided as f64 */
/* Of integers an integer, which wraps; 0^0 = 1; of b8 x or not y. An integer below 0 as an exponent of integers:
 * POY_ERR_ARGUMENT, z as it was; with x or y copied to f64 it is a quotient. */
POY_DECLARE_BINARY(pow);
POY_DECLARE_BINARY(atan2);
POY_DECLARE_BINARY(hypot);
POY_DECLARE_BINARY(cis_mul); /* x e^(i y) in one pass; complex y is refused: POY_ERR_COMPLEX_TO_REAL */
POY_DECLARE_BINARY(maximum);
POY_DECLARE_BINARY(minimum);
POY_DECLARE_BINARY(eq); /* into b8 */
POY_DECLARE_BINARY(ne);
POY_DECLARE_BINARY(lt); /* order is refused for complex values: POY_ERR_DTYPE */
POY_DECLARE_BINARY(le);
POY_DECLARE_BINARY(gt);
POY_DECLARE_BINARY(ge);
POY_DECLARE_BINARY(logical_and);
POY_DECLARE_BINARY(logical_or);
POY_DECLARE_BINARY(logical_xor);
#undef POY_DECLARE_BINARY

/* ---- ternary: w = f(x, y, z), broadcast together. Errors: POY_ERR_BROADCAST ---- */

#define POY_DECLARE_TERNARY(name)                                                                                  \
    POY_API poy_status poy_##name(poy_ctx *ctx, const poy_array *x, const poy_array *y, const poy_array *z,        \
                                  poy_array **w);                                                                  \
    POY_API poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, const poy_array *z, \
                                         poy_array *w)
POY_DECLARE_TERNARY(where); /* x chooses and takes no part in promotion */
POY_DECLARE_TERNARY(clip);  /* y or z NULL: no such bound */
POY_DECLARE_TERNARY(axpy);
#undef POY_DECLARE_TERNARY

/* ---- reduce: y = f over the axes named, the other axes in order; keepdims: the reduced ones stay with extent 1 ---- */

enum { POY_ALL_AXES = -1 };
/* axes [n_axes], negative ones count from the end; n_axes POY_ALL_AXES: all of them (axes is not read); 0: none.
 * Errors: POY_ERR_AXIS (no such axis, or twice); POY_ERR_EMPTY (max, min and their places of nothing). */
#define POY_DECLARE_REDUCE(name)                                                                                      \
    POY_API poy_status poy_##name(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims,        \
                                  poy_array **y);                                                                     \
    POY_API poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims, \
                                         poy_array *y)
POY_DECLARE_REDUCE(sum); /* b8 and i32 are added as i64 */
POY_DECLARE_REDUCE(max);
POY_DECLARE_REDUCE(min);
POY_DECLARE_REDUCE(prod);
POY_DECLARE_REDUCE(mean); /* integers as f64 */
POY_DECLARE_REDUCE(norm);
POY_DECLARE_REDUCE(any);    /* into b8; of nothing: 0 */
POY_DECLARE_REDUCE(all);    /* of nothing: 1 */
POY_DECLARE_REDUCE(argmax); /* into i64; one axis or all of them, of which it is the place in C order */
POY_DECLARE_REDUCE(argmin);
#undef POY_DECLARE_REDUCE

/* ---- along an axis, of which a number has one, too. Errors: POY_ERR_AXIS (no such axis) ---- */

#define POY_DECLARE_LINE(name)                                                                \
    POY_API poy_status poy_##name(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y); \
    POY_API poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, int axis, poy_array *y)
POY_DECLARE_LINE(cumsum); /* b8 and i32 are added as i64 */
POY_DECLARE_LINE(sort);   /* stable; complex values have no order: POY_ERR_DTYPE */
POY_DECLARE_LINE(argsort);
#undef POY_DECLARE_LINE

/* ---- by index. index: i32 or i64 of any shape, which stands in y in the place of the axis; negative places count from
 * the end; or a mask of b8 as long as the axis. Errors: POY_ERR_AXIS, POY_ERR_INDEX (out of range), POY_ERR_DTYPE ---- */

enum { POY_FLAT = -1000 }; /* as an axis of take and concatenate: of x as one line, in C order */
POY_API poy_status poy_take(poy_ctx *ctx, const poy_array *x, const poy_array *index, int axis, poy_array **y);
POY_API poy_status poy_take_into(poy_ctx *ctx, const poy_array *x, const poy_array *index, int axis, poy_array *y);
/* v broadcasts to what take would give and is cast to x's type. _into: y may be x, which is changed in place then.
 * Errors: POY_ERR_BROADCAST, POY_ERR_COMPLEX_TO_REAL (complex v into real x). */
#define POY_DECLARE_PUT(name)                                                                                          \
    POY_API poy_status poy_##name(poy_ctx *ctx, const poy_array *x, const poy_array *index, const poy_array *v,        \
                                  int axis, poy_array **y);                                                            \
    POY_API poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, const poy_array *index, const poy_array *v, \
                                         int axis, poy_array *y)
POY_DECLARE_PUT(put);
POY_DECLARE_PUT(put_add);
#undef POY_DECLARE_PUT

/* z = sum of conj(x) y over all elements in C order, rank 0; integers and b8 as matmul does them. Errors: POY_ERR_SHAPE (unequal numbers of elements). */
POY_API poy_status poy_vdot(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z);
POY_API poy_status poy_vdot_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *z);

/* ---- matmul, fft ---- */

/* z[..., i, j] = sum over k of x[..., i, k] y[..., k, j]. A vector x is a row, a vector y a column, and the axis of
 * length 1 that this makes is dropped from z. Integers wrap; of b8 a product is "and", a sum "or". Errors: POY_ERR_SHAPE (rank 0, unequal k), POY_ERR_BROADCAST. */
POY_API poy_status poy_matmul(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z);
POY_API poy_status poy_matmul_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *z);

typedef enum poy_fft_kind { POY_FFT_C2C, POY_FFT_R2C, POY_FFT_C2R } poy_fft_kind;
typedef struct poy_fft_options {
    size_t size; /* sizeof(poy_fft_options) */
    poy_fft_kind kind;
    int sign;     /* of the exponent: -1 forward, +1 backward; R2C is forward, C2R backward */
    int axis;     /* [-1] */
    int64_t n;    /* length of the transform; [0]: that of the axis, for C2R 2 (extent - 1). Other lengths crop x or
                   * lengthen it with zeros */
    double scale; /* [1] multiplies the result: 1/n makes a backward transform the inverse */
} poy_fft_options;
/* C2C, forward, last axis, whole length, scale 1. */
POY_API void poy_fft_options_init(poy_fft_options *options);
/* y[k] = scale sum over j of x[j] exp(sign 2 pi i j k / n), j, k = 0 .. n-1.
 * R2C: x real, y[k] for k = 0 .. n/2. C2R: x[k] for k = 0 .. n/2, the others by symmetry; the imaginary parts of x[0]
 * and, for even n, of x[n/2] are not read; y real. x is not changed.
 * Errors: POY_ERR_AXIS, POY_ERR_EMPTY (n < 1), POY_ERR_ARGUMENT (sign), POY_ERR_COMPLEX_TO_REAL (R2C of complex x). */
POY_API poy_status poy_fft(poy_ctx *ctx, const poy_array *x, const poy_fft_options *options, poy_array **y);
POY_API poy_status poy_fft_into(poy_ctx *ctx, const poy_array *x, const poy_fft_options *options, poy_array *y);

#ifdef __cplusplus
}
#endif
#endif
