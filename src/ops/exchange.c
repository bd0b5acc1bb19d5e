/* exchange.c: memory of others: taken over, moved between backends, in and out by DLPack. */
#include <stdlib.h>

#include "ops/array.h"
#include "poynting/exchange.h"

poy_status poy_array_move(poy_ctx *ctx, const poy_array *a, poy_backend *be, poy_array **out)
{
    poy_status status = POY_OK;
    void *host = NULL;
    poy_array *made = NULL;
    const size_t bytes = (size_t)a->size * poy_dtype_size(a->dtype);

    *out = NULL;
    POYI_TO_DONE(ctx, poy_array_create(ctx, be, a->dtype, a->rank, a->extent, &made));
    if (be == a->be) {
        POYI_TO_DONE(ctx, poy_copy_into(ctx, a, made));
    } else if (poyi_backend_is_host(a->be) && a->contiguous) {
        POYI_TO_DONE(ctx, poy_array_write(ctx, made, poy_array_memory(a)));
    } else {
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.move", bytes, &host));
        POYI_TO_DONE(ctx, poy_array_read(ctx, a, host));
        POYI_TO_DONE(ctx, poy_array_write(ctx, made, host));
    }
    *out = made;
    made = NULL;
done:
    poyi_free(&host);
    poy_array_destroy(&made);
    return status;
}

/* ---- DLPack ---- */

static const struct {
    uint8_t code, bits;
} types[POY_DTYPE_COUNT] = {
    [POY_F32] = {POY_DLPACK_FLOAT, 32},     [POY_F64] = {POY_DLPACK_FLOAT, 64}, [POY_C64] = {POY_DLPACK_COMPLEX, 64},
    [POY_C128] = {POY_DLPACK_COMPLEX, 128}, [POY_I32] = {POY_DLPACK_INT, 32},   [POY_I64] = {POY_DLPACK_INT, 64},
    [POY_B8] = {POY_DLPACK_BOOL, 8}};

/* A tensor with what it points to. */
typedef struct export
{
    poy_dlpack tensor;
    poy_array *view; /* keeps the memory */
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
}
export;

static void delete_export(poy_dlpack *self)
{
    export *e = self->manager;
    poy_array_destroy(&e->view);
    free(e);
}

poy_status poy_array_to_dlpack(poy_ctx *ctx, const poy_array *a, poy_dlpack **out)
{
    *out = NULL;
    if (!poyi_backend_is_host(a->be))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "dlpack: the memory of backend '%s' is not the host's; move it first",
                         poy_backend_name(a->be));
    export *e = calloc(1, sizeof *e);
    if (!e)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a tensor's handle");
    poy_status status = poy_array_view(ctx, a, a->rank, a->extent, a->stride, 0, &e->view);
    if (status != POY_OK) {
        free(e);
        return status;
    }
    for (int i = 0; i < a->rank; i++) {
        e->extent[i] = a->extent[i];
        e->stride[i] = a->stride[i];
    }
    e->tensor = (poy_dlpack){.major = 1,
                             .manager = e,
                             .deleter = delete_export,
                             .flags = a->distinct ? 0 : POY_DLPACK_READ_ONLY,
                             .data = poy_array_memory(a),
                             .device_type = POY_DLPACK_CPU,
                             .rank = a->rank,
                             .code = types[a->dtype].code,
                             .bits = types[a->dtype].bits,
                             .lanes = 1,
                             .extent = e->extent,
                             .stride = e->stride};
    *out = &e->tensor;
    return POY_OK;
}

static poy_status read_type(poy_ctx *ctx, const poy_dlpack *t, poy_dtype *out)
{
    for (int k = 0; k < POY_DTYPE_COUNT; k++)
        if (types[k].code == t->code && types[k].bits == t->bits && t->lanes == 1) {
            *out = (poy_dtype)k;
            return POY_OK;
        }
    return POYI_FAIL(
        ctx, POY_ERR_DTYPE,
        "dlpack: no element type of code %d, %d bits, %d lanes; there are f32, f64, c64, c128, i32, i64, b8", t->code,
        t->bits, t->lanes);
}

static void delete_import(void *user, void *host)
{
    poy_dlpack *t = user;
    (void)host;
    if (t->deleter)
        t->deleter(t);
}

poy_status poy_array_from_dlpack(poy_ctx *ctx, poy_backend *be, poy_dlpack *tensor, poy_array **out)
{
    const poy_dlpack *t = tensor;
    poy_dtype dtype = POY_F64;

    *out = NULL;
    if (t->major != 1)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "dlpack: version %u.%u, needs 1", t->major, t->minor);
    if (t->device_type != POY_DLPACK_CPU && t->device_type != POY_DLPACK_CUDA_HOST)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "dlpack: memory of device %d:%d, needs the host's", t->device_type,
                         t->device_id);
    if (t->rank < 0 || t->rank > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "dlpack: %d axes, there can be up to %d", t->rank, POY_RANK_MAX);
    POYI_TRY(ctx, read_type(ctx, t, &dtype));
    char *data = (char *)t->data + t->byte_offset;
    if ((uintptr_t)data % (poy_dtype_size(dtype) > 8 ? 8 : poy_dtype_size(dtype)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "dlpack: elements of %s are not aligned at %p", poy_dtype_name(dtype),
                         (void *)data);
    POYI_TRY(ctx,
             poy_array_own(ctx, be, dtype, t->rank, t->extent, t->stride, data,
                           t->flags & POY_DLPACK_READ_ONLY ? POY_MEMORY_READ_ONLY : 0, delete_import, tensor, out));
    return POY_OK;
}
