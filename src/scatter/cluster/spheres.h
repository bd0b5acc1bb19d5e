/* spheres.h: cross sections of a cluster of spheres as a function of everything: its value, what that leaves as plain bytes, and
 * both directions of its derivative. */
#ifndef POYI_SPHERES_H
#define POYI_SPHERES_H

#include "poynting/spheres.h"
#include "scatter/cluster/cluster.h"
#include "scatter/cluster/power.h"
#include "scatter/particle/layered_tmatrix.h"
#include "scatter/waves/diff.h"

/* Both pols of a plane wave along direction (any length, held constant). */
typedef struct poyi_spheres_call {
    const poy_spheres *spheres;
    double direction[3];
    poy_c128 amplitude[2];
} poyi_spheres_call;

/* Gradients that are asked for; the others are left as zeros, unwritten or half done. Surroundings: k0 and the medium. */
enum {
    POYI_WANT_RADII = 1,
    POYI_WANT_EPSILON = 2,
    POYI_WANT_MU = 4,
    POYI_WANT_KAPPA = 8,
    POYI_WANT_SURROUNDINGS = 16,
    POYI_WANT_POSITIONS = 32,
    POYI_WANT_LATTICE = 64,
    POYI_WANT_KPAR = 128,
    POYI_WANT_PARTICLES = 31, /* of T-matrices */
    POYI_WANT_ALL = 255
};

/* What a value leaves: factors in the state, and vectors there. */
typedef struct poyi_spheres_solved {
    const poyi_spheres_call *call;
    poyi_optics optics;
    poy_cluster *cluster;
    poy_factor *factor;
    const poy_basis *basis;
    size_t n;                                  /* modes */
    unsigned wanted;                           /* by pulls [all] */
    double direction[3];                       /* unit */
    poy_c128 vectors[6];                       /* k direction of either pol */
    poy_c128 *incident, *scattered, *weighted; /* [n]: a, p, C_reg p */
} poyi_spheres_solved;

/* One sphere scatters into nobody: p = T a, without factors. */
static inline int poyi_spheres_single(const poyi_spheres_solved *v)
{
    return v->cluster->particles == 1;
}

size_t poyi_spheres_state_bytes(size_t spheres, int lmax);
/* Solves into state, aligned to 8; or takes what such a call has left there. */
poy_status poyi_spheres_open(poy_ctx *ctx, const poyi_spheres_call *call, void *state, poyi_spheres_solved *v);
poy_status poyi_spheres_restore(poy_ctx *ctx, const poyi_spheres_call *call, const void *state, poyi_spheres_solved *v);
void poyi_spheres_close(poyi_spheres_solved *v);
/* scattering, extinction */
void poyi_spheres_sums(const poyi_spheres_solved *v, double out[2]);
poyi_power poyi_spheres_power(const poyi_spheres_solved *v);

/* Bases, wavenumbers and media of the parts. */
poyi_expansion poyi_spheres_expansion(const poyi_spheres_solved *v, int singular);
/* Sphere i; media: scratch [3][layers + 1]. */
poyi_layered_particle poyi_spheres_particle(const poy_spheres *s, size_t i, poy_c128 *media);

poy_status poyi_spheres_cluster(poy_ctx *ctx, const poy_spheres *s, poy_cluster **out);

/* The T-matrices of all spheres, blocks one after the other. Pull: adds to k0 and medium of g, writes its radii and media. */
poy_status poyi_spheres_pull_blocks(poy_ctx *ctx, const poy_spheres *s, unsigned wanted, const poy_c128 *g_blocks,
                                    poy_spheres_gradient *g);
poy_status poyi_spheres_push_blocks(poy_ctx *ctx, const poy_spheres *s, const poy_spheres_gradient *d,
                                    poy_c128 *d_blocks);

/* The arrays of g have to be there and are written; g_amplitude may be NULL. */
poy_status poyi_spheres_pull(poy_ctx *ctx, const poyi_spheres_solved *v, const double g_out[2], poy_spheres_gradient *g,
                             poy_c128 g_amplitude[2]);
/* Arrays of d may be NULL: 0. */
poy_status poyi_spheres_push(poy_ctx *ctx, const poyi_spheres_solved *v, const poy_spheres_gradient *d,
                             const poy_c128 d_amplitude[2], double d_out[2]);

#endif
