/* coupled.h: X = (1 - T C)^-1 T of block-diagonal T, and its derivatives from X itself.
 *
 * With A = 1 - T C: A^-1 = 1 + X C. So dX = (1 + X C) dT (1 + C X) + X dC X, and with q = X^H g, h = A^-H g = g + C^H q:
 * g_T = h (1 + C X)^H in its blocks, g_C = q X^H. */
#ifndef POYI_COUPLED_H
#define POYI_COUPLED_H

#include "core/core.h"

/* T is blocks one after the other, row-major each; block b has the modes offset[b] .. offset[b + 1] - 1 of n. */
typedef struct poyi_blocks {
    size_t n, count;
    const size_t *offset; /* [count + 1] */
} poyi_blocks;

/* The factored equations S^-1 A S, S of powers of 2 about the square root of the largest entry of T's rows. */
typedef struct poyi_coupled {
    poy_c128 *lu;    /* [n][n] */
    double *scale;   /* [n] */
    int32_t *pivots; /* [n] */
} poyi_coupled;

size_t poyi_coupled_bytes(size_t n);
/* In memory of so many bytes, aligned to 8; not written to where that is a saved state. */
poyi_coupled poyi_coupled_in(const void *memory, size_t n);
/* Errors: POY_ERR_SINGULAR. */
poy_status poyi_coupled_factor(poy_ctx *ctx, const char *who, const poyi_blocks *b, const poy_c128 *t,
                               const poy_c128 *c, const poyi_coupled *f);
/* x [n][columns] becomes A^-1 x or, adjoint, A^-H x. work: as large. */
void poyi_coupled_solve(const poyi_coupled *f, size_t n, size_t columns, int adjoint, poy_c128 *x, poy_c128 *work);

/* op(T) a [n][columns], op 'n' or 'c' */
void poyi_blocks_times(char op, const poyi_blocks *b, const poy_c128 *t, size_t columns, const poy_c128 *a,
                       poy_c128 *out);
/* The blocks of h e^H, both [n][columns]. */
void poyi_blocks_outer(const poyi_blocks *b, size_t columns, const poy_c128 *h, const poy_c128 *e, poy_c128 *t);
/* T as a matrix [n][n]. */
void poyi_blocks_dense(const poyi_blocks *b, const poy_c128 *t, poy_c128 *out);

/* scratch: 3 n^2. NULL: not wanted, or 0. */
void poyi_coupled_pull(const poyi_blocks *b, const poy_c128 *c, const poy_c128 *x, const poy_c128 *g_x,
                       poy_c128 *scratch, poy_c128 *g_t, poy_c128 *g_c);
void poyi_coupled_push(const poyi_blocks *b, const poy_c128 *c, const poy_c128 *x, const poy_c128 *d_t,
                       const poy_c128 *d_c, poy_c128 *scratch, poy_c128 *d_x);

#endif
