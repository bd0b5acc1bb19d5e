/* sphere_array.h: powers of a plane array of spheres as a function of everything: their value, what that leaves as plain bytes, and
 * both directions of their derivative. */
#ifndef POYI_SPHERE_ARRAY_H
#define POYI_SPHERE_ARRAY_H

#include "poynting/sphere_array.h"
#include "scatter/cluster/spheres.h"
#include "scatter/periodic/images.h"

enum { POYI_ARRAY_UP, POYI_ARRAY_DOWN, POYI_ARRAY_LIGHT, POYI_ARRAY_POWERS };

/* What the value leaves for derivatives: factors, coupling and waves in the state, the rest made again. */
typedef struct poyi_sphere_array {
    const poy_sphere_array *array;
    poyi_optics optics;
    poy_cluster *cluster;
    poy_factor *factor;
    const poy_basis *basis;
    poyi_bloch bloch;
    poyi_channels channels;
    size_t n, m; /* modes, ports */
    /* the state */
    poy_c128 *coupling;             /* [n][n] */
    poy_c128 *incident, *scattered; /* [n] */
    poy_c128 *leaving[2];           /* [m] up, down */
    double *power;                  /* [POYI_ARRAY_POWERS]: of what leaves, and of the light */
    /* made again */
    double *q, *weight; /* [2 m]; [m]: kz / k of a port that propagates, else 0 */
    int *pol;           /* [m] */
    poy_c128 *matrices; /* [role][side][n][m] */
    void *memory;
} poyi_sphere_array;

/* Of a state, aligned to 8. */
size_t poyi_sphere_array_bytes(size_t spheres, int lmax, size_t orders);
/* Solves into state, or takes what such a call has left there. */
poy_status poyi_sphere_array_open(poy_ctx *ctx, const poy_sphere_array *s, void *state, poyi_sphere_array *v);
poy_status poyi_sphere_array_restore(poy_ctx *ctx, const poy_sphere_array *s, const void *state, poyi_sphere_array *v);
void poyi_sphere_array_close(poyi_sphere_array *v);
poy_power_shares poyi_sphere_array_shares(const poyi_sphere_array *v);

/* One of the four blocks [n][m] of channels. */
static inline poy_c128 *poyi_array_block(const poyi_sphere_array *v, poy_c128 *blocks, int role, int side)
{
    return blocks + (size_t)(2 * role + side) * v->n * v->m;
}

/* Gradient of g[0] transmission + g[1] reflection + g[2] absorption, written; its arrays have to be there; g_incident [m] or NULL.
 * Errors: POY_ERR_NOT_DIFFERENTIABLE (a port without an order normal to the array, where kpar is wanted). */
poy_status poyi_sphere_array_pull(poy_ctx *ctx, const poyi_sphere_array *v, const double g[3],
                                  poy_sphere_array_gradient *to, poy_c128 *g_incident);
/* Tangents of the shares; arrays of d may be NULL: 0. kpar is held where it is 0 in d. */
poy_status poyi_sphere_array_push(poy_ctx *ctx, const poyi_sphere_array *v, const poy_sphere_array_gradient *d,
                                  const poy_c128 *d_incident, double out[3]);

#endif
