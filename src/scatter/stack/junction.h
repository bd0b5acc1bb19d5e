/* junction.h: two S-matrices upon one another, lit by columns of waves: what leaves, the waves between, and derivatives.
 *
 * Blocks a of the lower, b of the upper: [2 out][2 in][n][n]. With light U from below and D from above, the waves between rise,
 * R = a00 U + a01 F, and fall, F = b10 R + b11 D, so that (1 - a01 b10) R = a00 U + a01 b11 D; b00 R + b01 D and a11 F + a10 U
 * leave. Backwards, with cotangents g up and h down of what leaves, r and f of R and F: l = (1 - a01 b10)^-H (r + b00^H g +
 * b10^H (f + a11^H h)) belongs to R's equation, m = f + a11^H h + a01^H l to F's; then g_a00 = l U^H, g_a01 = l F^H,
 * g_a10 = h U^H, g_a11 = h F^H, g_b00 = g R^H, g_b01 = g D^H, g_b10 = m R^H, g_b11 = m D^H. */
#ifndef POYI_JUNCTION_H
#define POYI_JUNCTION_H

#include "core/core.h"

/* up, down [n][columns], either NULL: dark. whole: instead 1 in each port, first of up, then of down, columns 2 n, which makes
 * the cascade of both. partner (NULL: dense) with paired as in poyi_block_product. */
typedef struct poyi_junction {
    size_t n, columns;
    const poy_c128 *lower, *upper;
    const poy_c128 *up, *down;
    int whole;
    const size_t *partner;
    int paired[2];
    /* made by poyi_junction_solve, in memory of poyi_junction_bytes: what derivatives need, then scratch */
    poy_c128 *lu, *rising, *falling, *work; /* [n][n]; [n][columns] each */
    int32_t *pivots;                        /* [n] */
} poyi_junction;

/* Of a state that derivatives need; and with work. */
size_t poyi_junction_state_bytes(size_t n, size_t columns);
size_t poyi_junction_bytes(size_t n, size_t columns);
/* Places the arrays in memory aligned to 8; work apart or, NULL, behind. A saved state is not written to. */
void poyi_junction_in(poyi_junction *j, const void *memory, poy_c128 *work);

/* The waves between. Errors: POY_ERR_SINGULAR. */
poy_status poyi_junction_solve(poy_ctx *ctx, const poyi_junction *j);
/* What leaves, [n][columns]. */
void poyi_junction_leave(const poyi_junction *j, poy_c128 *up, poy_c128 *down);
/* A whole junction: blocks of the cascade. leaving: scratch [n][columns]. */
void poyi_junction_blocks(const poyi_junction *j, poy_c128 *leaving, poy_c128 *blocks);

/* ---- derivatives (junction_diff.c), of dense blocks ---- */

/* Cotangents or tangents of the waves, [n][columns]; NULL: 0, or not wanted. */
typedef struct poyi_junction_waves {
    poy_c128 *up, *down;        /* that leave */
    poy_c128 *rising, *falling; /* between */
} poyi_junction_waves;
/* Of the inputs: blocks, light. */
typedef struct poyi_junction_inputs {
    poy_c128 *lower, *upper, *up, *down;
} poyi_junction_inputs;

/* Elements of scratch. */
static inline size_t poyi_junction_scratch(size_t n, size_t columns)
{
    return 3 * n * columns;
}
/* Gradients are written. */
void poyi_junction_pull(const poyi_junction *j, const poyi_junction_waves *g, const poyi_junction_inputs *to,
                        poy_c128 *scratch);
/* out->up and out->down have to be there. */
void poyi_junction_push(const poyi_junction *j, const poyi_junction_inputs *d, const poyi_junction_waves *out,
                        poy_c128 *scratch);

/* Between two blocks [2 in][n][n] and rows [n][2 n] of both side by side. */
void poyi_rows_of_pair(size_t n, const poy_c128 *pair, poy_c128 *rows);
void poyi_pair_of_rows(size_t n, const poy_c128 *rows, poy_c128 *pair);
/* Between blocks [2][2][n][n] and rows [n][2 n] of what leaves up and down. */
void poyi_junction_gather(size_t n, const poy_c128 *blocks, poy_c128 *up, poy_c128 *down);
void poyi_junction_scatter(size_t n, const poy_c128 *up, const poy_c128 *down, poy_c128 *blocks);

#endif
