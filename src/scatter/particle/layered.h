/* layered.h: the boundary conditions of concentric spheres or cylinders, from the inside outwards, at one frequency. */
#ifndef POYI_LAYERED_H
#define POYI_LAYERED_H

#include "scatter/particle/wave_pair.h"

/* In each medium a field of helicity p has the radial value v = a F_k + b S_k and its partner e = a F_{k+1} + b S_{k+1}.
 * Across an interface v' = alpha v, e' = edge beta v + gamma e, with edge = poyi_pair_edge(k) and matrices in p, which the
 * continuity of the tangential fields gives. Without chirality M and N waves of a sphere stand in the two diagonals. */
typedef struct poyi_interface {
    double complex alpha[2][2], beta[2][2], gamma[2][2];
    /* Of cylinders whose kz is near the k of the medium outside, one helicity (near) has e' = (2 k / z') v' but for the square of k_rho / k.
     * It goes on by the functions of the order below: v' = a F_k + b S_k and 2 k / z' v' - e' = a F_{k-1} + b S_{k-1}, which is
     * edge below v - gamma e. */
    int near[2];
    double complex below[2][2];
} poyi_interface;

typedef struct poyi_matrix2 {
    double complex m[2][2];
} poyi_matrix2;

/* Tangents of one direction. */
typedef struct poyi_layered_tangent {
    double *x;             /* [layers] */
    double complex *k;     /* [layers + 1][2] */
    poyi_interface *faces; /* [layers] */
} poyi_layered_tangent;

typedef struct poyi_layered {
    poyi_wave_family family;
    size_t layers;
    double *x;             /* [layers], rising */
    poyi_xcomplex *k;      /* [layers + 1][2]: z = k x */
    poyi_interface *faces; /* [layers] */
    int64_t orders;        /* pairs of orders 0 .. orders */
    poyi_wave_pair *pairs; /* [layers][inside, outside][2][orders + 1] */
    size_t tangents;
    poyi_layered_tangent *tangent; /* [tangents] */
} poyi_layered;

/* Memory of one point; pols: wavenumbers that differ (1 or 2). NULL sizes of tangents: none. */
size_t poyi_layered_bytes(size_t layers, int64_t orders, size_t tangents);
void poyi_layered_place(poyi_layered *l, void *memory, poyi_wave_family family, size_t layers, int64_t orders,
                        size_t tangents);
/* Fills the pairs from x and k; pols = 1: both wavenumbers are equal, only the first is filled. */
void poyi_layered_pairs(poyi_layered *l, int pols);

static inline const poyi_wave_pair *poyi_layered_pair(const poyi_layered *l, size_t face, int outside, int pol,
                                                      int64_t k)
{
    return l->pairs + (((face * 2 + (size_t)outside) * 2 + (size_t)pol) * (size_t)(l->orders + 1)) + (size_t)k;
}

static inline double complex poyi_layered_z(const poyi_layered *l, size_t face, int outside, int pol)
{
    return (double complex)(l->k[2 * (face + (size_t)outside) + (size_t)pol] * (poyi_xreal)l->x[face]);
}

/* k (x' - x) of the layer outside an interface. */
static inline poyi_xcomplex poyi_layered_step(const poyi_layered *l, size_t face, int pol)
{
    return l->k[2 * (face + 1) + (size_t)pol] * ((poyi_xreal)l->x[face + 1] - (poyi_xreal)l->x[face]);
}

/* T[out p][in p] of order k, helicities coupled: H coefficients outside per unit F coefficients; and its derivatives
 * d_t[tangents]. */
void poyi_layered_coupled(const poyi_layered *l, int64_t k, poyi_matrix2 *t, poyi_matrix2 *d_t);
/* The same of one diagonal (channel 0 or 1) where nothing couples. absorbed, or NULL: -Re T - |T|^2, without a difference
 * of the two; outside has to be real. */
double complex poyi_layered_single(const poyi_layered *l, int channel, int64_t k, double *absorbed);

#endif
