/* coupling.h: products with the coupling C of a cluster without storing it. */
#ifndef POYI_COUPLING_H
#define POYI_COUPLING_H

#include "scatter/cluster/cluster.h"
#include "scatter/waves/kernels.h"

/* Tables of all pairs of particles, groups of POYI_LANES sources to a destination, and the plan that all share. */
typedef struct poyi_coupling poyi_coupling;

poy_status poyi_coupling_create(poy_ctx *ctx, const poy_cluster *c, poyi_coupling **out);
void poyi_coupling_destroy(poyi_coupling **c);
/* y[size] = C x, or with adjoint C^H x, in the cluster's own waves: C^T = J C J with the reversal J of interaction.c. Threads share destinations, so the bits do not depend on their number. */
void poyi_coupling_apply(poy_ctx *ctx, poyi_coupling *c, int adjoint, const poy_c128 *x, poy_c128 *y);

/* One row of a plan for eight pairs: y[pol][re, im] += sum over lanes and columns of (A + s B) x, with sums[col][4][lane] of
 * poyi_plan_row (POLS = 2: of both pols, else of pol first alone) and x[col][pol][re, im][lane]. */
typedef void poyi_couple_row(int cols, int first, int pols, const double *sums, const double *x, double *y);
poyi_couple_row poyi_waves_base_couple_row, poyi_waves_avx2_couple_row;

#endif
