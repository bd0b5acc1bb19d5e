/* radial.h: tables of spherical Bessel functions and harmonics, from which translations are made. */
#ifndef POYI_RADIAL_H
#define POYI_RADIAL_H

#include "math/extended.h"

/* j_0 .. j_n(x), or singular h_0^(1) .. h_n^(1)(x), x not 0 there; z[n + 1]. Values beyond the range of poyi_xreal come out
 * as infinities or NaN, below it as 0. Error: a few units of extended precision of the size of the neighbouring degrees. On the real axis the real part of h is j itself. */
void poyi_wave_radial_table(int singular, int n, poyi_xcomplex x, poyi_xcomplex *z);

/* J_0 .. J_n(x), or singular H_0^(1) .. H_n^(1)(x), x not 0 there; f[n + 1]. Im x >= 0 for singular ones. */
void poyi_cylindrical_table(int singular, int n, poyi_xcomplex x, poyi_xcomplex *f);

/* A direction: cosine of the polar angle, and its sine times exp(i phi), known without a difference near the poles. */
typedef struct poyi_direction {
    poyi_xreal cosine;
    poyi_xcomplex sine;
} poyi_direction;

/* Of a vector that is not 0, and its length; of angles. */
poyi_direction poyi_direction_of(const double d[3], poyi_xreal *length);
poyi_direction poyi_direction_of_angles(double theta, double phi);

/* Y_{p,order}, p = |order| .. n, into y[n - |order| + 1]. */
void poyi_harmonic_column(int order, int n, poyi_direction d, poyi_xcomplex *y);

#endif
