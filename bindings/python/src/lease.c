/* lease.c: a free list of contexts on one engine, so that calls without the GIL and XLA's threads each have their own. */
#include "core.h"

#include <pthread.h>
#include <stdlib.h>

static struct {
    pthread_mutex_t lock;
    poy_ctx *root; /* lives as long as the process */
    poy_ctx **idle;
    int n_idle, capacity;
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER};

int lease_open(void)
{
    if (!pool.root && poy_ctx_create(&pool.root) != POY_OK) {
        PyErr_NoMemory();
        return -1;
    }
    poy_ctx_set_front_end(pool.root, POY_FRONT_END_PYTHON);
    return 0;
}

poy_ctx *lease_take(void)
{
    poy_ctx *ctx = NULL;
    pthread_mutex_lock(&pool.lock);
    if (pool.n_idle > 0)
        ctx = pool.idle[--pool.n_idle];
    else if (poy_ctx_fork(pool.root, &ctx) != POY_OK)
        ctx = NULL;
    pthread_mutex_unlock(&pool.lock);
    return ctx;
}

poy_ctx *lease_or_error(void)
{
    poy_ctx *ctx = lease_take();
    if (!ctx)
        PyErr_NoMemory();
    return ctx;
}

void lease_give(poy_ctx *ctx)
{
    pthread_mutex_lock(&pool.lock);
    if (pool.n_idle == pool.capacity) {
        const int capacity = pool.capacity ? 2 * pool.capacity : 8;
        poy_ctx **grown = realloc(pool.idle, (size_t)capacity * sizeof *grown);
        if (grown) {
            pool.idle = grown;
            pool.capacity = capacity;
        }
    }
    if (pool.n_idle < pool.capacity)
        pool.idle[pool.n_idle++] = ctx;
    else
        poy_ctx_destroy(&ctx);
    pthread_mutex_unlock(&pool.lock);
}
