/* wigner.h: rotation matrices and 3j symbols. */
#ifndef POYI_WIGNER_H
#define POYI_WIGNER_H

#include "math/extended.h"

enum { POYI_THREEJ_LABEL_MAX = 260 };

/* d^l_{mk}(theta), |m|, |k| <= l <= POYI_DEGREE_MAX, in the sign of Varshalovich: d^1_{10} = -sin(theta) / sqrt(2). */
poyi_big poyi_wigner_d(int l, int m, int k, poyi_xcomplex theta);
/* The same by s = sin(theta / 2) and c = cos(theta / 2); the sign of both together does not matter. */
poyi_big poyi_wigner_d_half(int l, int m, int k, poyi_xcomplex s, poyi_xcomplex c);

/* exp(i (m phi + k psi)) */
static inline poyi_xcomplex poyi_phase(int64_t m, double phi, int64_t k, double psi)
{
    /* the products of a label and a double are exact in extended precision or nearly so */
    const poyi_xreal angle = m * (poyi_xreal)phi + k * (poyi_xreal)psi;
    return CMPLXL(cosl(angle), sinl(angle));
}

/* The 3j symbols (j1 j2 j; m1 m2 -m1-m2) for all j from *first = max(|j1 - j2|, |m1 + m2|) to j1 + j2, into out[at least
 * 2 min(j1, j2) + 1]; returns their number, 0 if |m1| > j1 or |m2| > j2. Labels 0..POYI_THREEJ_LABEL_MAX. Zeros by
 * symmetry are exact; relative error below 1e-15 unless a symbol is within 1e-3 of its neighbours' scale of a zero.
 * Source: Schulten and Gordon, J. Math. Phys. 16, 1961 (1975), recurrence; the joint where both directions are largest. */
int poyi_threej_table(int j1, int j2, int m1, int m2, int *first, double *out);
/* One symbol; 0 where a selection rule is broken. */
double poyi_threej(int j1, int j2, int j3, int m1, int m2, int m3);

#endif
