/* array.c: arrays: counted buffers, windows on them, and the way between host memory and an array. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ops/array.h"
#include "ops/capture.h"
#include "ops/dispatch.h"
#include "poynting/exchange.h"

struct poyi_buffer {
    _Atomic int holders;
    poy_backend *be; /* counted */
    poyi_engine *engine;
    void *mem;
    const char *ledger; /* NULL: the caller's memory */
    size_t bytes;
    int64_t first, end; /* elements that there are: first .. end-1, from mem */
    int read_only;
    void (*free_memory)(void *user, void *host); /* of memory that was taken over; NULL otherwise */
    void *user, *host;
};

/* ---- buffers ---- */

static poy_status create_buffer(poy_ctx *ctx, poy_backend *be, poyi_buffer **out)
{
    poyi_buffer *b = calloc(1, sizeof *b);
    *out = NULL;
    if (!b)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for an array's buffer");
    b->holders = 1;
    b->be = poyi_backend_keep(be);
    b->engine = poyi_engine_ref(poyi_ctx_engine(ctx));
    *out = b;
    return POY_OK;
}

poyi_buffer *poyi_buffer_keep(poyi_buffer *b)
{
    atomic_fetch_add(&b->holders, 1);
    return b;
}

void poyi_buffer_drop(poyi_buffer *b)
{
    if (atomic_fetch_sub(&b->holders, 1) != 1)
        return;
    if (b->ledger) {
        poyi_backend_api(b->be)->release(poyi_backend_state(b->be), b->mem);
        poyi_ledger_give(b->engine, b->ledger, b->bytes);
    }
    if (b->free_memory)
        b->free_memory(b->user, b->host);
    poy_backend_close(&b->be);
    poyi_engine_unref(&b->engine);
    free(b);
}

static const char of_program[] = "array.program";

size_t poyi_buffer_program_bytes(const poyi_buffer *b)
{
    return b->ledger == of_program ? b->bytes : 0;
}

const char *poyi_array_copies(const poy_ctx *ctx)
{
    return poyi_ctx_capture(ctx) ? of_program : "array.packed";
}

/* ledger: a static string. */
static poy_status fill_buffer(poy_ctx *ctx, poyi_buffer *b, const char *ledger, size_t bytes)
{
    POYI_TRY(ctx, poyi_ledger_take(ctx, ledger, bytes));
    const poy_status status = poyi_backend_alloc(ctx, b->be, bytes, &b->mem);
    if (status != POY_OK) {
        poyi_ledger_give(b->engine, ledger, bytes);
        return poyi_passed(ctx, status, "poyi_backend_alloc", __func__, __FILE__, __LINE__);
    }
    b->ledger = ledger;
    b->bytes = bytes;
    return POY_OK;
}

/* ---- arrays ---- */

/* A window on a buffer, which it holds from now on. */
static poy_status create_window(poy_ctx *ctx, poyi_buffer *b, poy_dtype dtype, int rank, const int64_t *extent,
                                const int64_t *stride, int64_t offset, poy_array **out)
{
    poy_array *a = malloc(sizeof *a);
    *out = NULL;
    if (!a)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for an array's handle");
    *a = (poy_array){.buffer = b,
                     .be = b->be,
                     .mem = b->mem,
                     .offset = offset,
                     .size = 1,
                     .dtype = dtype,
                     .rank = rank,
                     .contiguous = poyi_window_contiguous(rank, extent, stride),
                     .distinct = !b->read_only && poyi_window_distinct(rank, extent, stride)};
    for (int i = 0; i < rank; i++) {
        a->extent[i] = extent[i];
        a->stride[i] = stride[i];
        a->size *= extent[i];
    }
    *out = a;
    return POY_OK;
}

static poy_status check_dtype(poy_ctx *ctx, poy_dtype dtype)
{
    if ((unsigned)dtype >= POY_DTYPE_COUNT)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "there is no element type %d", (int)dtype);
    return POY_OK;
}

poy_status poyi_array_create(poy_ctx *ctx, poy_backend *be, const char *ledger, poy_dtype dtype, int rank,
                             const int64_t *extent, poy_array **out)
{
    poy_status status = POY_OK;
    int64_t size, stride[POY_RANK_MAX];
    poyi_buffer *b = NULL;

    *out = NULL;
    if (poyi_ctx_capture(ctx) && !strcmp(ledger, "array"))
        return poyi_capture_refuse(ctx, "an array cannot be made",
                                   "make it before, and write to it with the function whose name ends in _into");
    POYI_TRY(ctx, check_dtype(ctx, dtype));
    POYI_TRY(ctx, poyi_shape_size(ctx, dtype, rank, extent, &size));
    POYI_TRY(ctx, create_buffer(ctx, be, &b));
    POYI_TO_DONE(ctx, fill_buffer(ctx, b, ledger, (size_t)size * poy_dtype_size(dtype)));
    b->end = size;
    poyi_shape_strides(rank, extent, stride);
    POYI_TO_DONE(ctx, create_window(ctx, b, dtype, rank, extent, stride, 0, out));
    return POY_OK;
done:
    poyi_buffer_drop(b);
    return status;
}

poy_status poy_array_create(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                            poy_array **out)
{
    POYI_TRY(ctx, poyi_array_create(ctx, be, "array", dtype, rank, extent, out));
    return POY_OK;
}

poy_status poy_array_wrap(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                          const int64_t *stride, void *host, poy_array **out)
{
    POYI_TRY(ctx, poy_array_own(ctx, be, dtype, rank, extent, stride, host, 0, NULL, NULL, out));
    return POY_OK;
}

poy_status poy_array_own(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                         const int64_t *stride, void *host, unsigned flags, void (*free_memory)(void *user, void *host),
                         void *user, poy_array **out)
{
    poy_status status = POY_OK;
    int64_t size, strides[POY_RANK_MAX], low = 0, high = -1;
    poyi_buffer *b = NULL;

    *out = NULL;
    POYI_TRY(ctx, check_dtype(ctx, dtype));
    if (!poyi_backend_is_host(be))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "wrap: the memory of backend '%s' is not the host's; create and write", poy_backend_name(be));
    POYI_TRY(ctx, poyi_shape_size(ctx, dtype, rank, extent, &size));
    if (size && !host)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "wrap: the memory of shape %s is NULL",
                         poyi_shape_print(rank, extent).text);
    if (!stride) {
        poyi_shape_strides(rank, extent, strides);
        stride = strides;
    }
    if (size && !poyi_window_range(rank, extent, stride, &low, &high))
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "wrap: the strides of shape %s reach beyond all memory",
                         poyi_shape_print(rank, extent).text);
    POYI_TRY(ctx, create_buffer(ctx, be, &b));
    b->mem = host;
    b->first = low;
    b->end = high + 1;
    b->read_only = (flags & POY_MEMORY_READ_ONLY) != 0;
    POYI_TO_DONE(ctx, create_window(ctx, b, dtype, rank, extent, stride, 0, out));
    b->free_memory = free_memory; /* it is ours from now on */
    b->user = user;
    b->host = host;
    return POY_OK;
done:
    poyi_buffer_drop(b);
    return status;
}

int poy_array_writable(const poy_array *a)
{
    return a->distinct;
}

poy_status poy_array_view(poy_ctx *ctx, const poy_array *a, int rank, const int64_t *extent, const int64_t *stride,
                          int64_t offset, poy_array **out)
{
    int64_t size, low, high, first = a->offset;

    *out = NULL;
    POYI_TRY(ctx, poyi_shape_size(ctx, a->dtype, rank, extent, &size));
    if (size) { /* else there is no element, and no place for it */
        if (__builtin_add_overflow(a->offset, offset, &first) ||
            !poyi_window_range(rank, extent, stride, &low, &high) || __builtin_add_overflow(first, low, &low) ||
            __builtin_add_overflow(first, high, &high))
            return POYI_FAIL(ctx, POY_ERR_INDEX, "view: the window lies beyond all memory");
        if (low < a->buffer->first || high >= a->buffer->end)
            return POYI_FAIL(
                ctx, POY_ERR_INDEX,
                "view: shape %s at %lld reaches from element %lld to %lld of a buffer that has %lld to %lld",
                poyi_shape_print(rank, extent).text, (long long)offset, (long long)low, (long long)high,
                (long long)a->buffer->first, (long long)a->buffer->end - 1);
    }
    POYI_TRY(ctx, create_window(ctx, a->buffer, a->dtype, rank, extent, stride, first, out));
    (void)poyi_buffer_keep(a->buffer);
    return POY_OK;
}

void poy_array_destroy(poy_array **a)
{
    if (*a) {
        poyi_buffer_drop((*a)->buffer);
        free(*a);
    }
    *a = NULL;
}

poy_dtype poy_array_dtype(const poy_array *a)
{
    return a->dtype;
}

int poy_array_rank(const poy_array *a)
{
    return a->rank;
}

int64_t poy_array_extent(const poy_array *a, int axis)
{
    return a->extent[axis];
}

int64_t poy_array_stride(const poy_array *a, int axis)
{
    return a->stride[axis];
}

int64_t poy_array_size(const poy_array *a)
{
    return a->size;
}

poy_backend *poy_array_backend(const poy_array *a)
{
    return a->be;
}

void *poy_array_memory(const poy_array *a)
{
    if (!poyi_backend_is_host(a->be))
        return NULL;
    return (char *)a->mem + a->offset * (int64_t)poy_dtype_size(a->dtype);
}

/* ---- host memory ---- */

static poy_buffer place_of(const poy_array *a)
{
    return (poy_buffer){a->mem, a->offset * (int64_t)poy_dtype_size(a->dtype)};
}

poy_status poy_array_write(poy_ctx *ctx, poy_array *a, const void *host)
{
    poy_status status = POY_OK;
    poy_array *packed = NULL;
    const poy_backend_api *api = poyi_backend_api(a->be);

    if (poyi_ctx_capture(ctx))
        return poyi_capture_refuse(ctx, "an array cannot be written to from the host's memory",
                                   "write before, or between two runs");
    if (!a->size)
        return POY_OK;
    if (!a->distinct)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "write: the array is for reading, or its elements share memory (a broadcast view)");
    if (!a->contiguous)
        POYI_TRY(ctx, poyi_array_create(ctx, a->be, "array.packed", a->dtype, a->rank, a->extent, &packed));
    poy_array *to = packed ? packed : a;
    status = api->write(ctx, poyi_backend_state(a->be), place_of(to), host, (size_t)a->size * poy_dtype_size(a->dtype));
    if (status != POY_OK)
        poyi_op_failed(ctx, status, a->be, "write", __func__, __FILE__, __LINE__);
    else if (packed)
        status = poy_copy_into(ctx, packed, a);
    poy_array_destroy(&packed);
    return status;
}

poy_status poy_array_read(poy_ctx *ctx, const poy_array *a, void *host)
{
    poy_status status = POY_OK;
    poy_array *packed = NULL;
    const poy_backend_api *api = poyi_backend_api(a->be);

    if (poyi_ctx_capture(ctx))
        return poyi_capture_refuse(ctx, "an array cannot be read back",
                                   "nothing in it is computed yet: read after a run");
    if (!a->size)
        return POY_OK;
    if (!a->contiguous) {
        POYI_TRY(ctx, poyi_array_create(ctx, a->be, "array.packed", a->dtype, a->rank, a->extent, &packed));
        POYI_TO_DONE(ctx, poy_copy_into(ctx, a, packed));
    }
    status = api->read(ctx, poyi_backend_state(a->be), place_of(packed ? packed : a), host,
                       (size_t)a->size * poy_dtype_size(a->dtype));
    if (status != POY_OK)
        poyi_op_failed(ctx, status, a->be, "read", __func__, __FILE__, __LINE__);
done:
    poy_array_destroy(&packed);
    return status;
}
