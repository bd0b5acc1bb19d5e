/* sphere_sum.h: the sum over all spherical waves of one origin and wavenumber at points. */
#ifndef POYI_SPHERE_SUM_H
#define POYI_SPHERE_SUM_H

#include <stddef.h>

#include "math/extended.h"

/* E = sum of magnetic M + electric N over (l, m). For each m = 0 .. mmax and l = max(1, m) .. lmax eight numbers at
 * weight[8 poyi_sphere_place(...)]: re and im of the weights of M and N of +m, then of -m, with 1 / sqrt(l (l + 1)) and, for
 * -m, (-1)^m in them. */
typedef struct poyi_sphere_sum {
    int lmax, mmax, singular;
    double complex k;
    const double *weight;
    const double *ladder; /* recurrence factors, poyi_sphere_ladder */
} poyi_sphere_sum;

static inline size_t poyi_sphere_place(int lmax, int l, int m)
{
    return (size_t)m * (size_t)(lmax + 1) - (size_t)m * (size_t)(m > 0 ? m - 1 : 0) / 2 + (size_t)(l - m);
}

static inline size_t poyi_sphere_size(int lmax, int mmax)
{
    return poyi_sphere_place(lmax, lmax, mmax) + 1;
}

/* Four numbers a place for m <= mmax + 1 (and at most lmax): Q_{l+1} = [0] cos Q_l - [1] Q_{l-1}, and
 * tau_l^m = [2] Q_l^{m+1} - [3] Q_l^{m-1}. */
void poyi_sphere_ladder(int lmax, int mmax, double *ladder);

enum { POYI_FIELD_LANES = 8 };

/* Doubles that a kernel works in. */
size_t poyi_sphere_scratch(int lmax);

/* Adds the Cartesian field at displacements d[3][lane] from the origin to e[3][re, im][lane]. Returns a mask of lanes that it
 * could not do in double precision (a value beyond the range on the way, or a loss there): those are untouched and go to
 * poyi_sphere_exact. */
typedef unsigned poyi_sphere_kernel(const poyi_sphere_sum *sum, const double *d, double *scratch, double *e);
poyi_sphere_kernel poyi_waves_base_sphere_field, poyi_waves_avx2_sphere_field;

/* The same for one point in extended precision, not added; table has 3 (lmax + 1)^2 places. d = 0 only if regular. */
void poyi_sphere_exact(const poyi_sphere_sum *sum, const double d[3], poyi_xcomplex *table, poyi_xcomplex e[3]);

#endif
