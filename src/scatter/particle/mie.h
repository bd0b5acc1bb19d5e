/* mie.h: layered spheres and cylinders: from media to boundary conditions. */
#ifndef POYI_MIE_H
#define POYI_MIE_H

#include "poynting/particle.h"
#include "scatter/particle/layered.h"
#include "scatter/waves/waves.h"

/* A number and its tangent. */
typedef struct poyi_dual {
    double complex v, d;
} poyi_dual;

static inline poyi_dual poyi_dual_mul(poyi_dual a, poyi_dual b)
{
    return (poyi_dual){a.v * b.v, a.v * b.d + a.d * b.v};
}

static inline poyi_dual poyi_dual_div(poyi_dual a, poyi_dual b)
{
    const double complex q = a.v / b.v;
    return (poyi_dual){q, (a.d - q * b.d) / b.v};
}

static inline poyi_dual poyi_dual_sub(poyi_dual a, poyi_dual b)
{
    return (poyi_dual){a.v - b.v, a.d - b.d};
}

static inline poyi_dual poyi_dual_add(poyi_dual a, poyi_dual b)
{
    return (poyi_dual){a.v + b.v, a.d + b.d};
}

static inline poyi_dual poyi_dual_scale(double f, poyi_dual a)
{
    return (poyi_dual){f * a.v, f * a.d};
}

/* A medium with the tangent of one direction: index of each helicity, mean index, impedance; -1 where functions of -n stand for those
 * of n. */
typedef struct poyi_dual_medium {
    poyi_dual n[2], index, impedance;
    double sign[2];
} poyi_dual_medium;

/* What one point of a batch is made of: media [layers + 1], inside to outside. */
typedef struct poyi_particle_point {
    size_t layers;
    const double *x; /* [layers]: k0 r, of cylinders r */
    const poy_c128 *epsilon, *mu, *kappa;
    double kz, k0; /* cylinders */
} poyi_particle_point;

/* Errors: POY_ERR_ARGUMENT, POY_ERR_RANGE, as the public functions say. who and index: for messages. */
poy_status poyi_sphere_check(poy_ctx *ctx, const char *who, size_t index, const poyi_particle_point *p);
poy_status poyi_cylinder_check(poy_ctx *ctx, const char *who, size_t index, const poyi_particle_point *p);
int poyi_point_is_chiral(const poyi_particle_point *p);

/* Fills l but for the pairs. The first number of tangents of l: unit tangents of the inputs in this order: spheres x [layers],
 * epsilon, mu, kappa [layers + 1 each]; cylinders kz, k0, radii [layers], epsilon, mu, kappa. single: without chirality,
 * M and N in the diagonals (spheres). */
void poyi_sphere_fill(const poyi_particle_point *p, int single, poyi_layered *l);
void poyi_cylinder_fill(const poyi_particle_point *p, int sign_m, poyi_layered *l);
static inline size_t poyi_sphere_inputs(size_t layers)
{
    return 4 * layers + 3;
}
static inline size_t poyi_cylinder_inputs(size_t layers)
{
    return 4 * layers + 5;
}

#endif
