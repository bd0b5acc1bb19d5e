/* interaction_diff.h: derivatives of scattered coefficients by what the particles' equations are made of. */
#ifndef POYI_INTERACTION_DIFF_H
#define POYI_INTERACTION_DIFF_H

#include "scatter/cluster/cluster.h"

/* p = X a [n][columns] of a factored cluster, with its coupling C [n][n] (singular expansion of the basis in itself). */
typedef struct poyi_scattered {
    const poy_factor *factor;
    const poy_c128 *coupling;
    size_t columns;
    const poy_c128 *incident, *scattered;
} poyi_scattered;

/* Elements of the blocks of T, particle after particle. */
size_t poyi_cluster_block_elements(const poy_cluster *c);

/* d_p of d_T (blocks one after the other), d_C, d_a; NULL is 0:
 * d_p = v + X (C v + d_C p + d_a), v = d_T (a + C p). */
poy_status poyi_scattered_push(poy_ctx *ctx, const poyi_scattered *s, const poy_c128 *d_blocks,
                               const poy_c128 *d_coupling, const poy_c128 *d_incident, poy_c128 *d_scattered);
/* Written, NULL is not wanted: with q = X^H g and h = g + C^H q, g_a = q, g_C = q p^H, g_T = h (a + C p)^H. */
poy_status poyi_scattered_pull(poy_ctx *ctx, const poyi_scattered *s, const poy_c128 *g_scattered, poy_c128 *g_blocks,
                               poy_c128 *g_coupling, poy_c128 *g_incident);

#endif
