/* small.h: LU and products of host matrices that are too small for a call of LAPACK or BLAS to be worth its cost: in the layouts of
 * lapack.h, which decides by these sizes. */
#ifndef POYI_SMALL_H
#define POYI_SMALL_H

#include <stdint.h>

#include "core/core.h"

enum {
    POYI_SMALL_LU = 8,       /* rows */
    POYI_SMALL_COLUMNS = 16, /* right-hand sides */
    POYI_SMALL_PRODUCT = 64, /* multiplications */
};

/* lu [n,n], in place: what getrf leaves of the transpose, which is the matrix of LAPACK: row interchanges, L with a diagonal of ones,
 * U. pivots [n], from 1. Returns the number (from 1) of the first pivot that is 0, else 0. Golub & Van Loan (2013), alg. 3.4.1. */
int64_t poyi_small_factor(poy_dtype dtype, int64_t n, void *lu, int32_t *pivots);
/* x [n,m], in place: a^-1 x, or a^-H x, by such factors. */
void poyi_small_solve(poy_dtype dtype, int adjoint, int64_t n, int64_t m, const void *lu, const int32_t *pivots,
                      void *x);
/* c [m,n] = alpha op(a) op(b) + beta c; op: 'n', 't', 'c'; k: what is summed over. c is not read where beta is 0. */
void poyi_small_product(poy_dtype dtype, char op_a, char op_b, int64_t m, int64_t n, int64_t k, double alpha,
                        const void *a, const void *b, double beta, void *c);

#endif
