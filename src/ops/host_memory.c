/* host_memory.c: memory and copies for backends that work in the host's memory. */
#include <stdlib.h>
#include <string.h>

#include "core/memory.h"
#include "ops/ops.h"

poy_status poyi_host_alloc(poy_ctx *ctx, void *be, size_t bytes, void **mem)
{
    (void)be;
    *mem = NULL;
    *mem = poyi_block_new(bytes);
    if (!*mem)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %zu bytes", bytes);
    return POY_OK;
}

void poyi_host_release(void *be, void *mem)
{
    (void)be;
    free(mem);
}

poy_status poyi_host_write(poy_ctx *ctx, void *be, poy_buffer to, const void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    if (bytes)
        memcpy((unsigned char *)to.mem + to.offset, host, bytes);
    return POY_OK;
}

poy_status poyi_host_read(poy_ctx *ctx, void *be, poy_buffer from, void *host, size_t bytes)
{
    (void)ctx;
    (void)be;
    if (bytes)
        memcpy(host, (const unsigned char *)from.mem + from.offset, bytes);
    return POY_OK;
}
