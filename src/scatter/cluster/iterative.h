/* iterative.h: solutions without the matrix, either way, and the derivatives of the coupling that they need. */
#ifndef POYI_ITERATIVE_H
#define POYI_ITERATIVE_H

#include "scatter/cluster/coupling.h"

/* op(T) x [n][columns] of all particles. */
void poyi_cluster_local_columns(const poy_cluster *c, int adjoint, size_t columns, const poy_c128 *x, poy_c128 *y);

poy_status poyi_iteration_check(poy_ctx *ctx, const poy_iteration *o);
/* (1 - T C) out = rhs, or with adjoint (1 - T C)^H out = rhs; convergence [columns]. */
poy_status poyi_iterate(poy_ctx *ctx, const poy_cluster *c, poyi_coupling *coupling, const poy_iteration *o,
                        int adjoint, size_t columns, const poy_c128 *rhs, poy_c128 *out, poy_convergence *convergence);

/* ---- derivatives by positions and wavenumbers, a particle's rows at a time (coupling_diff.c) ---- */

/* Of g_C = q p^H, q and p [n][columns]: g_positions [3 particles] and g_ks [2] are written. */
poy_status poyi_coupling_pull(poy_ctx *ctx, const poy_cluster *c, size_t columns, const poy_c128 *q, const poy_c128 *p,
                              double *g_positions, poy_c128 g_ks[2]);
/* out [n][columns] = dC p; d_positions may be NULL. */
poy_status poyi_coupling_push(poy_ctx *ctx, const poy_cluster *c, const double *d_positions, const poy_c128 d_ks[2],
                              size_t columns, const poy_c128 *p, poy_c128 *out);

#endif
