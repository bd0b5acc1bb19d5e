/* array.h: arrays on a backend: element type, shape, signed strides, views.
 *
 * An array is a window (dtype, extents, strides, offset; strides and offset in elements, strides
 * may be negative, or 0 on inputs) on a buffer that is counted: views keep it alive. Index order
 * is C order everywhere. Rank 0 to POY_RANK_MAX; a zero extent is an array without elements. */
#ifndef POYNTING_ARRAY_H
#define POYNTING_ARRAY_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_backend poy_backend;
typedef struct poy_array poy_array;

/* ---- backends by name ---- */

/* spec: a backend's name and settings, "ref", "cpu", "cpu:isa=base", "auto" (= cpu). The backend is
 * opened once per engine and spec, and counted. Errors: POY_ERR_BACKEND (no such backend; the
 * account lists those there are), POY_ERR_ARGUMENT (no such setting), POY_ERR_UNSUPPORTED (this
 * machine cannot run it, with the reason). */
POY_API poy_status poy_backend_open(poy_ctx *ctx, const char *spec, poy_backend **out);
POY_API void poy_backend_close(poy_backend **be);
POY_API const char *poy_backend_name(const poy_backend *be); /* "cpu" */
/* One line per fact, "fft: fftw-3.3.10 (measure)", up to size bytes into out. */
POY_API void poy_backend_describe(const poy_backend *be, size_t size, char *out);
/* Names of the backends that this engine knows, in order of registration; NULL past the end. */
POY_API const char *poy_backend_known(poy_ctx *ctx, int index);

/* ---- arrays ---- */

/* Not initialised, C-contiguous. extent [rank] >= 0. Errors: POY_ERR_SHAPE, POY_ERR_BUDGET, POY_ERR_MEMORY. */
POY_API poy_status poy_array_create(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                                    poy_array **out);
/* The caller's host memory as an array, without a copy; it has to outlive the array. stride NULL: C-contiguous.
 * Errors: POY_ERR_UNSUPPORTED on a backend whose memory is not the host's; POY_ERR_SHAPE; POY_ERR_ARGUMENT (host is NULL). */
POY_API poy_status poy_array_wrap(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                                  const int64_t *stride, void *host, poy_array **out);
/* Another window on the same buffer; offset in elements from a's first element. Errors: POY_ERR_INDEX
 * where any of its elements lies outside the buffer. */
POY_API poy_status poy_array_view(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent,
                                  const int64_t *stride, int64_t offset, poy_array **out);
/* Views: start:stop:step along an axis as in NumPy (negative indices count from the end, INT64_MIN = open end),
 * permuted axes (NULL: reversed), broadcast (read-only). Errors: POY_ERR_AXIS, POY_ERR_ARGUMENT (step 0),
 * POY_ERR_BROADCAST. */
POY_API poy_status poy_array_slice(poy_ctx *ctx, const poy_array *a, int axis, int64_t start, int64_t stop,
                                   int64_t step, poy_array **out);
POY_API poy_status poy_array_transpose(poy_ctx *ctx, const poy_array *a, const int *axes, poy_array **out);
POY_API poy_status poy_array_broadcast_to(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent,
                                          poy_array **out);
/* C-order reshape: a view where the strides permit, else a copy; one extent may be -1. Errors: POY_ERR_SHAPE. */
POY_API poy_status poy_array_reshape(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent,
                                     poy_array **out);
POY_API void poy_array_destroy(poy_array **a);

POY_API poy_dtype poy_array_dtype(const poy_array *a);
POY_API int poy_array_rank(const poy_array *a);
POY_API int64_t poy_array_extent(const poy_array *a, int axis);
POY_API int64_t poy_array_stride(const poy_array *a, int axis);
POY_API int64_t poy_array_size(const poy_array *a); /* number of elements; 1 for rank 0 */
POY_API poy_backend *poy_array_backend(const poy_array *a);

/* The first element in the host's memory (extents and strides tell of the others), for callbacks that compute by
 * themselves; NULL on a device. It lives no longer than the array. */
POY_API void *poy_array_memory(const poy_array *a);

/* All elements, in C order, from and to dense host memory. */
POY_API poy_status poy_array_write(poy_ctx *ctx, poy_array *a, const void *host);
POY_API poy_status poy_array_read(poy_ctx *ctx, const poy_array *a, void *host);

#ifdef __cplusplus
}
#endif
#endif
