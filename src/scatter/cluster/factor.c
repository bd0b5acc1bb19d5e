/* factor.c: the memory of a cluster's factors: their own, or plain bytes that somebody else keeps: m, scale, group, head, pivots. */
#include <string.h>

#include "record/lapack.h"
#include "scatter/cluster/cluster.h"

size_t poyi_factor_bytes(size_t n, size_t particles)
{
    return n * n * sizeof(poy_c128) + n * sizeof(double) + (particles + 1) * sizeof(size_t) +
           POYI_FACTOR_HEAD * sizeof(int64_t) + (n * sizeof(int32_t) + 7) / 8 * 8;
}

static void point_into(poy_factor *f, size_t particles, void *bytes)
{
    f->m = bytes;
    f->scale = (double *)(void *)(f->m + f->n * f->n);
    f->group = (size_t *)(void *)(f->scale + f->n);
    f->head = (int64_t *)(void *)(f->group + particles + 1);
    f->pivots = (int32_t *)(void *)(f->head + POYI_FACTOR_HEAD);
}

poy_status poyi_factor_new(poy_ctx *ctx, const poy_cluster *c, void *bytes, poy_factor **out)
{
    void *memory = NULL;
    const size_t n = c->n;
    *out = NULL;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "cluster", (int64_t)n));
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster",
                             sizeof(poy_factor) + 2 * n * sizeof(size_t) + poyi_factor_bytes(0, c->particles) +
                                 n * (sizeof(double) + sizeof(int32_t)),
                             &memory));
    poy_factor *f = memory;
    *f = (poy_factor){.references = 1, .n = n, .memory = memory};
    f->mirror = (size_t *)(void *)(f + 1);
    f->partner = f->mirror + n;
    if (bytes) {
        point_into(f, c->particles, bytes);
    } else {
        f->scale = (double *)(void *)(f->partner + n);
        f->group = (size_t *)(void *)(f->scale + n);
        f->head = (int64_t *)(void *)(f->group + c->particles + 1);
        f->pivots = (int32_t *)(void *)(f->head + POYI_FACTOR_HEAD);
    }
    *out = f;
    return POY_OK;
}

void poyi_factor_hold(poy_factor *f, const poy_cluster *c)
{
    memcpy(&f->cluster, &c, sizeof(void *)); /* without const: it is counted, not changed */
    atomic_fetch_add(&f->cluster->references, 1);
}

poy_factor *poy_factor_retain(poy_factor *f)
{
    if (f)
        atomic_fetch_add(&f->references, 1);
    return f;
}

void poy_factor_destroy(poy_factor **f)
{
    poy_factor *object = *f;
    *f = NULL;
    if (!object || atomic_fetch_sub(&object->references, 1) != 1)
        return;
    void *m = object->owned, *memory = object->memory;
    poy_cluster_destroy(&object->cluster);
    poyi_free(&m);
    poyi_free(&memory);
}
