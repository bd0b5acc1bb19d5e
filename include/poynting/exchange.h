/* exchange.h: arrays and memory of others: owned or lent, for writing or for reading only, DLPack, other backends.
 *
 * Three ways to take memory in: poy_array_wrap borrows it (the caller keeps it alive), poy_array_own takes it over (a function
 * gives it back with the last array on it), poy_array_write copies. An array on memory that is for reading refuses to be
 * written to, and so do its views. Functions that make something leave NULL on failure. */
#ifndef POYNTING_EXCHANGE_H
#define POYNTING_EXCHANGE_H

#include "poynting/array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { POY_MEMORY_READ_ONLY = 1 };

/* Host memory as an array without a copy, given back by free_memory(user, host) once no array is left on it, on whatever
 * thread that happens; on failure it stays the caller's. free_memory NULL: borrowed, as in poy_array_wrap. stride NULL:
 * C-contiguous. Errors: those of poy_array_wrap. */
POY_API poy_status poy_array_own(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                                 const int64_t *stride, void *host, unsigned flags,
                                 void (*free_memory)(void *user, void *host), void *user, poy_array **out);
/* Whether it may be written to: not on memory for reading, nor where elements share memory or axes fit into each other's gaps. */
POY_API int poy_array_writable(const poy_array *a);

/* A copy on another backend (or the same). */
POY_API poy_status poy_array_move(poy_ctx *ctx, const poy_array *a, poy_backend *be, poy_array **out);

/* ---- DLPack 1 ---- */

/* The layout of DLManagedTensorVersioned (dlpack.h of DLPack 1.0), under names of our own so that both headers can be
 * included; pointers to one are pointers to the other. */
typedef struct poy_dlpack {
    uint32_t major, minor;
    void *manager;
    void (*deleter)(struct poy_dlpack *self);
    uint64_t flags; /* POY_DLPACK_READ_ONLY */
    void *data;
    int32_t device_type, device_id; /* POY_DLPACK_CPU, 0 */
    int32_t rank;
    uint8_t code, bits;
    uint16_t lanes;
    int64_t *extent, *stride; /* in elements */
    uint64_t byte_offset;
} poy_dlpack;
enum {
    POY_DLPACK_READ_ONLY = 1,
    POY_DLPACK_CPU = 1,       /* device_type */
    POY_DLPACK_CUDA_HOST = 3, /* memory of the host that devices see, too */
    POY_DLPACK_INT = 0,       /* code */
    POY_DLPACK_FLOAT = 2,
    POY_DLPACK_COMPLEX = 5,
    POY_DLPACK_BOOL = 6
};

/* a's window without a copy: its memory lives until the consumer calls out->deleter(out), which it does once. Errors:
 * POY_ERR_UNSUPPORTED (not in the host's memory). */
POY_API poy_status poy_array_to_dlpack(poy_ctx *ctx, const poy_array *a, poy_dlpack **out);
/* A producer's memory without a copy; its deleter is called once no array is left on it, and not at all on failure.
 * Errors: POY_ERR_UNSUPPORTED (another major version, a device's memory, a backend that is not in the host's), POY_ERR_DTYPE
 * (an element type that there is not), POY_ERR_SHAPE (rank), POY_ERR_ARGUMENT (elements that are not aligned). */
POY_API poy_status poy_array_from_dlpack(poy_ctx *ctx, poy_backend *be, poy_dlpack *tensor, poy_array **out);

#ifdef __cplusplus
}
#endif
#endif
