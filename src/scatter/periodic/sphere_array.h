/* sphere_array.h: powers, or the S-matrix, of a plane array of spheres as a function of everything: their value, what that leaves as
 * plain bytes, and both directions of their derivative.
 *
 * Powers are those of one light; for the S-matrix every port shines from both sides, and the surroundings may absorb. */
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
    size_t n, m;     /* modes, ports */
    int whole;       /* the S-matrix is wanted */
    unsigned wanted; /* by pulls [all] */
    /* the state */
    poy_c128 *coupling;             /* [n][n] */
    poy_c128 *incident, *scattered; /* [n]; whole: [n][2 m] of ports that shine up, then down */
    poy_c128 *leaving[2];           /* [m] up, down; not of the whole */
    double *power;                  /* [POYI_ARRAY_POWERS]: of what leaves, and of the light; not of the whole */
    /* made again */
    double *q, *weight; /* [2 m]; [m]: kz / k of a port that propagates, else 0 */
    int *pol;           /* [m] */
    poy_c128 *matrices; /* [role][side][n][m] */
    void *memory;
} poyi_sphere_array;

/* Of a state, aligned to 8. */
size_t poyi_sphere_array_bytes(size_t spheres, int lmax, size_t orders, int whole);
/* Solves into state, or takes what such a call has left there. whole: incident of s is not looked at. */
poy_status poyi_sphere_array_open(poy_ctx *ctx, const poy_sphere_array *s, int whole, void *state,
                                  poyi_sphere_array *v);
poy_status poyi_sphere_array_restore(poy_ctx *ctx, const poy_sphere_array *s, int whole, const void *state,
                                     poyi_sphere_array *v);
void poyi_sphere_array_close(poyi_sphere_array *v);
poy_power_shares poyi_sphere_array_shares(const poyi_sphere_array *v);

/* One of the four blocks [n][m] of channels. */
static inline poy_c128 *poyi_array_block(const poyi_sphere_array *v, poy_c128 *blocks, int role, int side)
{
    return blocks + (size_t)(2 * role + side) * v->n * v->m;
}

/* Between what leaves on one side, [m][2 m] for light from below, then above, and blocks [2 out][2 in][m][m]. */
static inline void poyi_array_exchange(size_t m, int side, int gather, poy_c128 *leaving, poy_c128 *blocks)
{
    for (size_t from = 0; from < 2; from++)
        for (size_t i = 0; i < m; i++)
            for (size_t j = 0; j < m; j++) {
                poy_c128 *a = leaving + i * 2 * m + from * m + j;
                poy_c128 *b = blocks + (2 * (size_t)side + from) * m * m + i * m + j;
                *(gather ? a : b) = gather ? *b : *a;
            }
}

/* Columns of incident and scattered. */
static inline size_t poyi_array_columns(const poyi_sphere_array *v)
{
    return v->whole ? 2 * v->m : 1;
}

/* ---- of one light ---- */

/* Gradient of g[0] transmission + g[1] reflection + g[2] absorption, written; its arrays have to be there; g_incident [m] or NULL.
 * Errors: POY_ERR_NOT_DIFFERENTIABLE (a port without an order normal to the array, where kpar is wanted). */
poy_status poyi_sphere_array_pull(poy_ctx *ctx, const poyi_sphere_array *v, const double g[3],
                                  poy_sphere_array_gradient *to, poy_c128 *g_incident);
/* Tangents of the shares; arrays of d may be NULL: 0. kpar is held where it is 0 in d. */
poy_status poyi_sphere_array_push(poy_ctx *ctx, const poyi_sphere_array *v, const poy_sphere_array_gradient *d,
                                  const poy_c128 *d_incident, double out[3]);

/* ---- of the whole: blocks [2 out][2 in][m][m], S = 1 + E^T X I ---- */

poy_status poyi_sphere_array_smatrix(poy_ctx *ctx, const poyi_sphere_array *v, poy_c128 *out);
/* From the cotangent of the blocks; to as above. */
poy_status poyi_sphere_array_smatrix_pull(poy_ctx *ctx, const poyi_sphere_array *v, const poy_c128 *g,
                                          poy_sphere_array_gradient *to);
poy_status poyi_sphere_array_smatrix_push(poy_ctx *ctx, const poyi_sphere_array *v, const poy_sphere_array_gradient *d,
                                          poy_c128 *out);

#endif
