/* far.c: a backend whose handles are no addresses (they number its blocks), as a device's are not: addition, copies and
 * fills of f64, nothing else, and no reference to stand in. */
#include "mine.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 64 };
static char *blocks[BLOCKS];

static char *block(const void *mem)
{
    return blocks[(uintptr_t)mem];
}

static double *elements(const poy_tensor *t)
{
    return (double *)(void *)block(t->mem) + t->offset;
}

static poy_status add_f64(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    (void)ctx;
    (void)be;
    for (int64_t i = 0; i < z->extent[0]; i++) /* packed: one axis */
        elements(z)[i] = elements(x)[i] + elements(y)[i];
    return POY_OK;
}

/* Any strides, axis by axis. */
static void copy_axis(const poy_tensor *x, int64_t from, const poy_tensor *y, int64_t to, int axis)
{
    if (axis == y->rank) {
        elements(y)[to] = elements(x)[from];
        return;
    }
    for (int64_t i = 0; i < y->extent[axis]; i++)
        copy_axis(x, from + i * x->stride[axis], y, to + i * y->stride[axis], axis + 1);
}

static poy_status copy_f64(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)be;
    if (y->dtype != POY_F64)
        return poy_ctx_fail(ctx, POY_ERR_UNSUPPORTED, "far: casts are not there yet");
    copy_axis(x, 0, y, 0, 0);
    return POY_OK;
}

static poy_status fill_f64(poy_ctx *ctx, void *be, poy_scalar value, const poy_tensor *y)
{
    (void)ctx;
    (void)be;
    for (int64_t i = 0; i < y->extent[0]; i++)
        elements(y)[i] = value.re;
    return POY_OK;
}

static const poy_op_entry *ops(void *be, size_t *n)
{
    static const poy_op_entry entries[] = {
        {.name = "add", .family = POY_FAMILY_binary, .dtype = POY_F64, .cell.binary = add_f64},
        {.name = "copy", .family = POY_FAMILY_copy, .dtype = POY_F64, .cell.copy = copy_f64},
        {.name = "fill", .family = POY_FAMILY_fill, .dtype = POY_F64, .cell.fill = fill_f64},
    };
    (void)be;
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

static poy_status open_far(poy_ctx *ctx, const char *settings, void **be)
{
    (void)ctx;
    (void)settings;
    *be = NULL;
    return POY_OK;
}

static void close_far(void *be)
{
    (void)be;
}

static poy_status alloc(poy_ctx *ctx, void *be, size_t bytes, void **mem)
{
    (void)be;
    for (uintptr_t i = 1; i < BLOCKS; i++)
        if (!blocks[i]) {
            blocks[i] = malloc(bytes + 1);
            *mem = (void *)i; // NOLINT(performance-no-int-to-ptr): a handle, no address
            return blocks[i] ? POY_OK : POY_ERR_MEMORY;
        }
    return poy_ctx_fail(ctx, POY_ERR_MEMORY, "far: no block is left");
}

static void release(void *be, void *mem)
{
    (void)be;
    free(blocks[(uintptr_t)mem]);
    blocks[(uintptr_t)mem] = NULL;
}

static poy_status write_host(poy_ctx *ctx, void *be, poy_buffer to, const void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    memcpy(block(to.mem) + to.offset, host, bytes);
    return POY_OK;
}

static poy_status read_host(poy_ctx *ctx, void *be, poy_buffer from, void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    memcpy(host, block(from.mem) + from.offset, bytes);
    return POY_OK;
}

const poy_backend_api far_api = {.abi = POY_BACKEND_ABI,
                                 .size = sizeof far_api,
                                 .name = "far",
                                 .flags = 0,
                                 .open = open_far,
                                 .close = close_far,
                                 .alloc = alloc,
                                 .release = release,
                                 .write = write_host,
                                 .read = read_host,
                                 .ops = ops};
