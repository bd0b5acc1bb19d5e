/* mie_diff.h: derivatives of the coefficients of layered spheres and cylinders. */
#ifndef POYI_MIE_DIFF_H
#define POYI_MIE_DIFF_H

#include "scatter/particle/mie.h"

/* One particle and n of its degrees or orders. */
typedef struct poyi_mie_call {
    int cylinder;
    size_t n;
    const int64_t *label; /* [n] */
    size_t layers;
    const double *x; /* [layers]: k0 r, of cylinders r */
    const poy_c128 *epsilon, *mu, *kappa;
    double kz, k0; /* cylinders */
} poyi_mie_call;

/* Tangents or gradients of the inputs; NULL: 0, or not wanted. */
typedef struct poyi_mie_inputs_of {
    double *kz, *k0, *x;
    poy_c128 *epsilon, *mu, *kappa;
} poyi_mie_inputs_of;

static inline size_t poyi_mie_inputs(const poyi_mie_call *call)
{
    return call->cylinder ? poyi_cylinder_inputs(call->layers) : poyi_sphere_inputs(call->layers);
}

/* dc / d input, [n][inputs][2][2], inputs in the order of poyi_sphere_fill; of arrays that are NULL in wanted zeros, which cost
 * nothing (wanted NULL: of all). Errors: those of poy_mie and poy_mie_cyl. */
poy_status poyi_mie_jacobian(poy_ctx *ctx, const poyi_mie_call *call, const poyi_mie_inputs_of *wanted,
                             poy_c128 *jacobian);
/* d_out[n][2][2] = J d */
void poyi_mie_push(const poyi_mie_call *call, const poy_c128 *jacobian, const poyi_mie_inputs_of *d, poy_c128 *d_out);
/* g += J^H g_out: dL = Re sum conj(g) dx; gradients of real inputs are real. */
void poyi_mie_pull(const poyi_mie_call *call, const poy_c128 *jacobian, const poy_c128 *g_out,
                   const poyi_mie_inputs_of *g);

#endif
