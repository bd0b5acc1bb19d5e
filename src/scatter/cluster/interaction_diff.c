/* interaction_diff.c: both directions of the derivative of a cluster with the factors of its value. */
#include "scatter/cluster/interaction_diff.h"

#include <string.h>

#include "record/lapack.h"

size_t poyi_cluster_block_elements(const poy_cluster *c)
{
    size_t sum = 0;
    for (size_t p = 0; p < c->particles; p++)
        sum += c->particle[p]->n * c->particle[p]->n;
    return sum;
}

/* out = from + op(C) x */
static void add_coupling(const poyi_scattered *s, char op, const poy_c128 *from, const poy_c128 *x, poy_c128 *out)
{
    const size_t n = s->factor->n;
    memcpy(out, from, n * s->columns * sizeof *out);
    poyi_gemm(POY_C128, op, 'n', (int64_t)n, (int64_t)s->columns, (int64_t)n, 1.0, s->coupling, x, 1.0, out);
}

poy_status poyi_scattered_push(poy_ctx *ctx, const poyi_scattered *s, const poy_c128 *d_blocks,
                               const poy_c128 *d_coupling, const poy_c128 *d_incident, poy_c128 *d_scattered)
{
    poy_status status;
    void *memory = NULL;
    const poy_cluster *c = s->factor->cluster;
    const size_t n = c->n, size = n * s->columns;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "scatter.cluster", 3 * size * sizeof(poy_c128), &memory));
    poy_c128 *exciting = memory, *v = exciting + size, *rhs = v + size;
    if (d_blocks) {
        add_coupling(s, 'n', s->incident, s->scattered, exciting);
        for (size_t p = 0; p < c->particles; p++) {
            const size_t np = c->particle[p]->n, at = c->offset[p] * s->columns;
            poyi_gemm(POY_C128, 'n', 'n', (int64_t)np, (int64_t)s->columns, (int64_t)np, 1.0, d_blocks, exciting + at,
                      0.0, v + at);
            d_blocks += np * np;
        }
    }
    if (d_incident)
        memcpy(rhs, d_incident, size * sizeof *rhs);
    poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)s->columns, (int64_t)n, 1.0, s->coupling, v, 1.0, rhs);
    if (d_coupling)
        poyi_gemm(POY_C128, 'n', 'n', (int64_t)n, (int64_t)s->columns, (int64_t)n, 1.0, d_coupling, s->scattered, 1.0,
                  rhs);
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, s->factor, 0, s->columns, rhs, d_scattered));
    for (size_t i = 0; i < size; i++) {
        d_scattered[i].re += v[i].re;
        d_scattered[i].im += v[i].im;
    }
done:
    poyi_free(&memory);
    return status;
}

poy_status poyi_scattered_pull(poy_ctx *ctx, const poyi_scattered *s, const poy_c128 *g_scattered, poy_c128 *g_blocks,
                               poy_c128 *g_coupling, poy_c128 *g_incident)
{
    poy_status status;
    void *memory = NULL;
    const poy_cluster *c = s->factor->cluster;
    const size_t n = c->n, size = n * s->columns;
    POYI_TRY(ctx, poyi_alloc(ctx, "scatter.cluster", 3 * size * sizeof(poy_c128), &memory));
    poy_c128 *q = memory, *h = q + size, *exciting = h + size;
    POYI_TO_DONE(ctx, poyi_factor_apply(ctx, s->factor, 1, s->columns, g_scattered, q));
    if (g_blocks) {
        add_coupling(s, 'c', g_scattered, q, h);
        add_coupling(s, 'n', s->incident, s->scattered, exciting);
        for (size_t p = 0; p < c->particles; p++) {
            const size_t np = c->particle[p]->n, at = c->offset[p] * s->columns;
            poyi_gemm(POY_C128, 'n', 'c', (int64_t)np, (int64_t)np, (int64_t)s->columns, 1.0, h + at, exciting + at,
                      0.0, g_blocks);
            g_blocks += np * np;
        }
    }
    if (g_coupling)
        poyi_gemm(POY_C128, 'n', 'c', (int64_t)n, (int64_t)n, (int64_t)s->columns, 1.0, q, s->scattered, 0.0,
                  g_coupling);
    if (g_incident)
        memcpy(g_incident, q, size * sizeof *q);
done:
    poyi_free(&memory);
    return status;
}
