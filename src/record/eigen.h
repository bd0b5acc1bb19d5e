/* eigen.h: eigenvalues and vectors of a general c128 matrix with their derivatives, for records that are made of them. */
#ifndef POYI_EIGEN_H
#define POYI_EIGEN_H

#include "core/core.h"

/* Bytes that derivatives need, and of scratch for all three, aligned to 64. */
size_t poyi_eigen_state_bytes(int64_t n);
size_t poyi_eigen_scratch_bytes(int64_t n);
/* a v = v diag(w), [n][n]: w by real, then imaginary part; columns of v of length 1, the first of the largest entries real and
 * positive. state: NULL if there are to be no derivatives. Errors: POY_ERR_NONFINITE, POY_ERR_NO_CONVERGENCE. */
poy_status poyi_eigen_solve(poy_ctx *ctx, const char *who, int64_t n, const poy_c128 *a, poy_c128 *w, poy_c128 *v,
                            void *state, void *scratch);
/* g_w, g_v: NULL is 0. Errors: POY_ERR_NOT_DIFFERENTIABLE (values that are the same to rounding, vectors that are dependent). */
poy_status poyi_eigen_pull(poy_ctx *ctx, const char *who, int64_t n, const void *state, const poy_c128 *g_w,
                           const poy_c128 *g_v, poy_c128 *g_a, void *scratch);
poy_status poyi_eigen_push(poy_ctx *ctx, const char *who, int64_t n, const void *state, const poy_c128 *d_a,
                           poy_c128 *d_w, poy_c128 *d_v, void *scratch);

#endif
