/* ref.c: the reference backend: every operation and row in plain C from its formula, without threads and without
 * vector instructions; the oracle of the other backends, and their stand-in for what they lack. */
#include "backends/ref/ref.h"

static poy_status open_ref(poy_ctx *ctx, const char *settings, void **be)
{
    *be = NULL;
    if (*settings)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "backend 'ref' has no settings, got '%s'", settings);
    return POY_OK;
}

static void close_ref(void *be)
{
    (void)be;
}

static const poy_op_entry *ops(void *be, size_t *n)
{
    (void)be;
    *n = 0;
    return NULL;
}

static const poy_row_entry *rows(void *be, size_t *n)
{
    (void)be;
    return poyi_ref_rows(n);
}

const poy_backend_api poyi_ref_api = {
    .abi = POY_BACKEND_ABI,
    .size = sizeof poyi_ref_api,
    .name = "ref",
    .flags = POY_BACKEND_HOST | POY_BACKEND_STRIDED,
    .open = open_ref,
    .close = close_ref,
    .alloc = poyi_host_alloc,
    .release = poyi_host_release,
    .write = poyi_host_write,
    .read = poyi_host_read,
    .ops = ops,
    .rows = rows,
};
