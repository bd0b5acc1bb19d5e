/* mine.c: a backend in host memory with one operation that works and one that fails with a bare code. It takes packed
 * tensors only; all else is left to the reference. Also a plug-in: built alone it exports poy_backend_entry. */
#include "mine.h"

#include <stdlib.h>
#include <string.h>

int mine_calls, mine_open, mine_held;

static poy_status add_f64(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const double *a = (const double *)x->mem + x->offset, *b = (const double *)y->mem + y->offset;
    double *c = (double *)z->mem + z->offset;
    (void)be;
    if (z->rank != 1 || x->stride[0] != 1 || y->stride[0] != 1 || z->stride[0] != 1)
        return poy_ctx_fail(ctx, POY_ERR_INTERNAL, "mine: the tensors are not packed");
    mine_calls++;
    for (int64_t i = 0; i < z->extent[0]; i++)
        c[i] = a[i] + b[i];
    return POY_OK;
}

static poy_status exp_f64(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)ctx;
    (void)be;
    (void)x;
    (void)y;
    return POY_ERR_DEVICE;
}

static poy_status sum_f64(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    int64_t kept = y->rank ? y->extent[0] : 1, reduced = x->extent[x->rank - 1];
    const double *a = (const double *)x->mem + x->offset;
    double *b = (double *)y->mem + y->offset;
    (void)be;
    if (n_reduced != 1 || y->rank > 1 || x->rank != y->rank + 1 || x->stride[x->rank - 1] != 1)
        return poy_ctx_fail(ctx, POY_ERR_INTERNAL, "mine: the tensors are not packed");
    for (int64_t i = 0; i < kept; i++) {
        b[i] = 0;
        for (int64_t j = 0; j < reduced; j++)
            b[i] += a[i * reduced + j];
    }
    return POY_OK;
}

static const poy_op_entry *ops(void *be, size_t *n)
{
    static const poy_op_entry entries[] = {
        {.name = "add", .family = POY_FAMILY_binary, .dtype = POY_F64, .cell.binary = add_f64},
        {.name = "exp", .family = POY_FAMILY_unary, .dtype = POY_F64, .cell.unary = exp_f64},
        {.name = "sum", .family = POY_FAMILY_reduce, .dtype = POY_F64, .cell.reduce = sum_f64},
        {.name = "of_a_later_version", .family = POY_FAMILY_unary, .dtype = POY_F64, .cell.unary = exp_f64},
    };
    (void)be;
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

static poy_status open_mine(poy_ctx *ctx, const char *settings, void **be)
{
    *be = NULL;
    if (*settings)
        return poy_ctx_fail(ctx, POY_ERR_ARGUMENT, "'mine' has no settings");
    mine_open++;
    return POY_OK;
}

static void close_mine(void *be)
{
    (void)be;
    mine_open--;
}

static poy_status alloc(poy_ctx *ctx, void *be, size_t bytes, void **mem)
{
    (void)ctx;
    (void)be;
    *mem = malloc(bytes + 1);
    mine_held += *mem != NULL;
    return *mem ? POY_OK : POY_ERR_MEMORY;
}

static void release(void *be, void *mem)
{
    (void)be;
    mine_held--;
    free(mem);
}

static poy_status write_host(poy_ctx *ctx, void *be, poy_buffer to, const void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    memcpy((char *)to.mem + to.offset, host, bytes);
    return POY_OK;
}

static poy_status read_host(poy_ctx *ctx, void *be, poy_buffer from, void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    memcpy(host, (const char *)from.mem + from.offset, bytes);
    return POY_OK;
}

const poy_backend_api mine_api = {.abi = POY_BACKEND_ABI,
                                  .size = sizeof mine_api,
                                  .name = "mine",
                                  .flags = POY_BACKEND_HOST,
                                  .open = open_mine,
                                  .close = close_mine,
                                  .alloc = alloc,
                                  .release = release,
                                  .write = write_host,
                                  .read = read_host,
                                  .ops = ops};

const poy_backend_api *poy_backend_entry(uint32_t abi)
{
    return abi == POY_BACKEND_ABI ? &mine_api : NULL;
}
