/* layered_tmatrix.h: T-matrices of layered spheres and cylinders as functions of all their parameters. */
#ifndef POYI_LAYERED_TMATRIX_H
#define POYI_LAYERED_TMATRIX_H

#include "scatter/particle/mie_diff.h"

/* A sphere with degrees 1 .. most, or a cylinder along z with orders |m| <= most for each kz, in the order of
 * poy_basis_sw_default and poy_basis_cw_default; epsilon, mu, kappa [layers + 1], inside to outside. */
typedef struct poyi_layered_particle {
    int cylinder;
    int64_t most;
    poy_poltype poltype;
    size_t layers, n_kz; /* n_kz: of cylinders */
    double k0;
    const double *radii, *kz;
    const poy_c128 *epsilon, *mu, *kappa;
} poyi_layered_particle;

/* Tangents or gradients; NULL: 0, or not wanted. */
typedef struct poyi_layered_inputs {
    double *k0, *radii, *kz;
    poy_c128 *epsilon, *mu, *kappa;
} poyi_layered_inputs;

/* Modes: the T-matrix is [modes][modes]. */
size_t poyi_layered_modes(const poyi_layered_particle *p);
/* Written whole. Errors: POY_ERR_ARGUMENT (most, no layers), those of poy_mie_table and poy_mie_cyl. */
poy_status poyi_layered_tmatrix(poy_ctx *ctx, const poyi_layered_particle *p, poy_c128 *t);

/* What both directions share: derivatives of the 2 x 2 blocks of all degrees or orders, of arrays that are NULL in wanted zeros
 * (wanted NULL: of all). */
size_t poyi_layered_jacobian_elements(const poyi_layered_particle *p);
poy_status poyi_layered_jacobian(poy_ctx *ctx, const poyi_layered_particle *p, const poyi_layered_inputs *wanted,
                                 poy_c128 *jacobian);
/* d_t[modes][modes], written whole. */
poy_status poyi_layered_push(poy_ctx *ctx, const poyi_layered_particle *p, const poy_c128 *jacobian,
                             const poyi_layered_inputs *d, poy_c128 *d_t);
/* Adds to g: dL = Re sum conj(g) dx. */
poy_status poyi_layered_pull(poy_ctx *ctx, const poyi_layered_particle *p, const poy_c128 *jacobian,
                             const poy_c128 *g_t, const poyi_layered_inputs *g);

#endif
