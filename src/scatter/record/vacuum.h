/* vacuum.h: homogeneous nonmagnetic spheres in vacuum, as records take them: inputs k0, radii, epsilon, positions, option lmax. */
#ifndef POYI_VACUUM_H
#define POYI_VACUUM_H

#include "scatter/cluster/spheres.h"
#include "scatter/record/common.h"

typedef struct poyi_vacuum_spheres {
    poy_spheres spheres;
    double *to, *from; /* [3 n]: gradients by destinations and sources */
    poy_medium *g_media;
    double *g_radii;
    void *memory;
} poyi_vacuum_spheres;

/* The caller frees v->memory. */
poy_status poyi_vacuum_open(poy_ctx *ctx, const poy_rec_item *item, poyi_vacuum_spheres *v);
/* From the cotangents of the T-matrices, of ks, and of destinations and sources in v: grad of the four inputs. */
poy_status poyi_vacuum_pull(poy_ctx *ctx, poyi_vacuum_spheres *v, const poy_c128 *g_blocks, const poy_c128 g_ks[2],
                            const poy_rec_array *grad);
/* The tangents of the T-matrices and of ks. */
poy_status poyi_vacuum_push(poy_ctx *ctx, poyi_vacuum_spheres *v, const poy_rec_array *tan, poy_c128 *d_blocks,
                            poy_c128 d_ks[2]);
poy_status poyi_vacuum_sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in);

#endif
