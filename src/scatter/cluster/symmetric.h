/* symmetric.h: complex symmetric matrices (not Hermitian) in blocks: inverse, factors, solutions, at half the work of LU. */
#ifndef POYI_SYMMETRIC_H
#define POYI_SYMMETRIC_H

#include "core/core.h"

/* A matrix [n][n] of which the lower block triangle counts; block b has rows offset[b] .. offset[b + 1] - 1. Blocks are pivoted
 * inside, not against one another: meant for matrices whose diagonal blocks dominate. growth, in both: the largest entry met,
 * or infinite where a block is singular. The threads share columns of blocks: same bits for any number of them. */
typedef struct poyi_symmetric {
    size_t n, blocks;
    const size_t *offset; /* [blocks + 1] */
    poy_c128 *m;
} poyi_symmetric;

/* Modes of a block, at least, of the equations of a cluster. */
enum { POYI_SYMMETRIC_GROUP = 96 };
/* Bytes that an inversion and a factorisation take beside m [n][n], with widest rows in the widest block. */
size_t poyi_symmetric_scratch(size_t n, size_t widest);

/* m becomes its inverse, whole. */
poy_status poyi_symmetric_invert(poy_ctx *ctx, poyi_symmetric *s, double *growth);
/* m becomes L and, in the diagonal blocks, D^-1 of m = L D L^T. */
poy_status poyi_symmetric_factor(poy_ctx *ctx, poyi_symmetric *s, double *growth);
/* b [n][columns] becomes m^-1 b. work: columns elements for each row of the widest block. */
void poyi_symmetric_solve(const poyi_symmetric *s, size_t columns, poy_c128 *b, poy_c128 *work);

#endif
