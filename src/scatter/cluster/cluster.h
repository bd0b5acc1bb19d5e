/* cluster.h: a cluster and its factors from the inside. */
#ifndef POYI_CLUSTER_H
#define POYI_CLUSTER_H

#include <stdatomic.h>

#include "scatter/cluster/symmetric.h"
#include "scatter/particle/tmatrix.h"

struct poy_cluster {
    _Atomic int references;
    poy_embedding embedding;
    poy_basis *basis; /* particle after particle */
    size_t n;         /* modes */
    size_t particles;
    size_t *offset;         /* [particles + 1] */
    poy_tmatrix **particle; /* [particles] */
};

/* ---- the system (interaction.c) ----
 * Symmetric: M = S [(J T)^-1 - C J] S with X = J S M^-1 S, J the reversal m -> -m with (-1)^m, S^2 about |T|, in waves of parity
 * where the medium allows. General: A = 1 - S^-1 T C S, X = S A^-1 S^-1 T. */
typedef enum poyi_route { POYI_ROUTE_AUTOMATIC, POYI_ROUTE_SYMMETRIC, POYI_ROUTE_GENERAL } poyi_route;

struct poy_factor {
    _Atomic int references;
    poy_cluster *cluster;
    poyi_route route;
    int parity;       /* the factors are in waves of parity, the cluster in helicity */
    size_t n, blocks; /* blocks of particles for the symmetric route */
    poy_c128 *m;      /* [n][n]: factors */
    int32_t *pivots;
    double *scale;                    /* S [n] */
    size_t *mirror, *partner, *group; /* J's place, other pol's place [n]; offsets of the blocks [blocks + 1] */
    int64_t *head;                    /* route, parity, blocks for those who restore */
    void *owned, *memory;             /* owned: m, where it is the factor's */
};

/* Places of head. */
enum { POYI_FACTOR_ROUTE, POYI_FACTOR_PARITY, POYI_FACTOR_BLOCKS, POYI_FACTOR_HEAD };
/* Empty factors of n modes in bytes or, without them, with room for all but the matrix (factor.c). */
poy_status poyi_factor_new(poy_ctx *ctx, const poy_cluster *c, void *bytes, poy_factor **out);
void poyi_factor_hold(poy_factor *f, const poy_cluster *c);

/* By one route; automatic: symmetric where T is symmetric and well conditioned. bytes: where its numbers are to be, aligned to
 * 8 (a saved state), and to stay; NULL: its own memory. Errors: also POY_ERR_SINGULAR. */
poy_status poyi_factor_create(poy_ctx *ctx, const poy_cluster *c, poyi_route route, void *bytes, poy_factor **out);
size_t poyi_factor_bytes(size_t n, size_t particles);
/* From such bytes, which have to stay, of an equal cluster. */
poy_status poyi_factor_restore(poy_ctx *ctx, const poy_cluster *c, const void *bytes, poy_factor **out);
/* m = C becomes 1 - S^-1 T C S; S into scale [n]. */
poy_status poyi_cluster_equations(poy_ctx *ctx, const poy_cluster *c, double *scale, poy_c128 *m);
/* With this coupling [n][n] in the place of C, the particles' images in it; bytes as above. Errors: also POY_ERR_SINGULAR. */
poy_status poyi_factor_coupled(poy_ctx *ctx, const poy_cluster *c, const poy_c128 *coupling, void *bytes,
                               poy_factor **out);
poy_status poyi_cluster_solve(poy_ctx *ctx, const poy_cluster *c, poyi_route route, poy_tmatrix **out);
/* out[n][columns] = X a, or its adjoint X^H a. */
poy_status poyi_factor_apply(poy_ctx *ctx, const poy_factor *f, int adjoint, size_t columns, const poy_c128 *a,
                             poy_c128 *out);

#endif
