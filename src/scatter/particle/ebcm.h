/* ebcm.h: surface integrals of the extended boundary condition method over a meridian, with derivatives. */
#ifndef POYI_EBCM_H
#define POYI_EBCM_H

#include "poynting/tmatrix.h"
#include "scatter/waves/waves.h"

/* z_l, z_l' + z_l / x and sqrt(l (l + 1)) z_l / x of one degree; or their derivatives by x. */
typedef struct poyi_ebcm_radial {
    double complex z, w, q;
} poyi_ebcm_radial;

/* Inside regular, outside regular, outside singular; each followed by its derivatives by x = k r. */
enum { POYI_EBCM_INSIDE, POYI_EBCM_REGULAR = 2, POYI_EBCM_SINGULAR = 4, POYI_EBCM_KINDS = 6 };

/* Nodes of the meridian, the media on its sides, and radial functions there. */
typedef struct poyi_meridian {
    int nodes, lmax;
    const double *theta, *weight, *r, *slope; /* slope: dr / dtheta */
    double complex inside[2], outside[2], z_inside, z_outside;
    poyi_ebcm_radial
        *radial[POYI_EBCM_KINDS]; /* [node][pol][lmax + 1]; of derivatives only where they were asked for */
    void *memory;
} poyi_meridian;

/* Fills in radial; the caller frees memory. */
poy_status poyi_meridian_fill(poy_ctx *ctx, int derivatives, poyi_meridian *s);

/* The waves of one order for degrees first .. lmax: n = 2 (lmax - first + 1), pol 0 before pol 1. */
static inline int poyi_ebcm_first(int order)
{
    return order == 0 ? 1 : order < 0 ? -order : order;
}
static inline size_t poyi_ebcm_size(const poyi_meridian *s, int order)
{
    return 2 * (size_t)(s->lmax - poyi_ebcm_first(order) + 1);
}

/* Q[inner wave (l, p)][outer wave (l', q)] = sum over nodes of weight r sin n.(A_{l,-m,p} x W_{l',m,q}) (s_p Z_outside +
 * s_q Z_inside), n = (r, -r', 0); W singular or regular outside (kind). */
poy_status poyi_ebcm_integral(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, poy_c128 *q);

/* Tangents or gradients of what an integral depends on; [nodes] each. */
typedef struct poyi_ebcm_inputs {
    double *r, *slope;
    double complex inside[2], outside[2], z_inside, z_outside;
} poyi_ebcm_inputs;
/* d_q of all inputs; r and slope NULL: 0. */
poy_status poyi_ebcm_push(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, const poyi_ebcm_inputs *d,
                          poy_c128 *d_q);
/* Adds to g, whose arrays have to be there: dL = Re sum conj(g) dx. */
poy_status poyi_ebcm_pull(poy_ctx *ctx, const poyi_meridian *s, int kind, int order, const poy_c128 *g_q,
                          poyi_ebcm_inputs *g);

/* ---- a body (ebcm.c) ---- */

typedef struct poyi_body {
    poy_embedding embedding;
    poy_medium inside;
    int lmax, mmax; /* mmax below 0: lmax */
    const poy_profile *profile;
} poyi_body;

static inline int poyi_body_orders(const poyi_body *b)
{
    return b->mmax < 0 ? b->lmax : b->mmax;
}

/* Its meridian, filled in, and its basis: the caller frees s->memory, *memory and *basis. */
poy_status poyi_body_open(poy_ctx *ctx, const poyi_body *b, int derivatives, poyi_meridian *s, void **memory,
                          poy_basis **basis);
/* Where the waves of an order stand in the basis. */
void poyi_ebcm_places(const poy_basis *basis, int order, size_t n, size_t *place);

/* Q made of one size by rows and columns, and its factors. */
typedef struct poyi_ebcm_factors {
    poy_c128 *q, *work;   /* [n][n]: Q in, factors out */
    double *row, *column; /* [n] */
    int32_t *pivots;      /* [n] */
} poyi_ebcm_factors;

size_t poyi_ebcm_factor_bytes(size_t n);
poyi_ebcm_factors poyi_ebcm_factors_in(void *memory, size_t n);
/* Errors: POY_ERR_RANGE, POY_ERR_SINGULAR. */
poy_status poyi_ebcm_factor(poy_ctx *ctx, int order, size_t n, poyi_ebcm_factors *f);
/* x [n][n] becomes Q^-1 x, or Q^-H x. */
void poyi_ebcm_solve(size_t n, const poyi_ebcm_factors *f, int adjoint, poy_c128 *x);

/* ---- derivatives of the T-matrix of helicity (ebcm_diff.c), by k0, the first two parameters and both media ---- */

typedef struct poyi_body_inputs {
    double k0, parameter[2];
    poy_medium inside, outside;
} poyi_body_inputs;
/* t, d_t, g_t: [size][size] of the body's basis. */
poy_status poyi_body_push(poy_ctx *ctx, const poyi_body *b, const poy_c128 *t, const poyi_body_inputs *d,
                          poy_c128 *d_t);
poy_status poyi_body_pull(poy_ctx *ctx, const poyi_body *b, const poy_c128 *t, const poy_c128 *g_t,
                          poyi_body_inputs *g);

#endif
