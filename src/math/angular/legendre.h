/* legendre.h: associated Legendre functions and what angular functions are made of, at z = cos(theta), w = sin(theta). */
#ifndef POYI_LEGENDRE_H
#define POYI_LEGENDRE_H

#include "math/extended.h"

enum { POYI_DEGREE_MAX = 256 };
#define POYI_ANGLE_MAX 700.0 /* |Im theta| */

/* P_l^m, m P_l^m / sin(theta) and dP_l^m / d(theta), with Condon and Shortley's phase. */
typedef struct poyi_angular {
    poyi_big p, pi, tau;
} poyi_angular;

/* Degree l in 0..POYI_DEGREE_MAX, any order (0 where |m| > l). w^2 = 1 - z^2 has to hold as exactly as the caller can make
 * it; w may be 0: no function divides by it. */
poyi_angular poyi_angular_functions(int l, int m, poyi_xcomplex z, poyi_xcomplex w);
/* P_l^m / w^m, m >= 0, a polynomial in z (0 for m > l); its derivative is minus that of order m + 1. */
poyi_big poyi_legendre_reduced(int l, int m, poyi_xcomplex z);
/* The sine of theta for functions of cos(theta): the root of 1 - cos^2 with a positive real part; *sign: -1 where that is
 * -sin(theta), else 1. */
poyi_xcomplex poyi_principal_sine(poyi_xcomplex theta, poyi_xreal *sign);
/* sqrt((1 - z)(1 + z)), principal: exact where sqrt(1 - z^2) has lost its digits. */
poyi_xcomplex poyi_sine_of_cosine(double complex z);
/* (l - m)! / (l + m)!, |m| <= l */
poyi_xreal poyi_factorial_ratio(int l, int m);

/* sqrt((2l + 1) / 4 pi (l - m)! / (l + m)!) times P_l^m, m P_l^m / sin and dP_l^m / d(theta) for l = 0 .. lmax and m = 0 .. l
 * at [l (l + 1) / 2 + m], from z = cos(theta) and w = sin(theta), in double precision (error below 1e-13 of
 * |P| + |tau| / l). Orders -m: (-1)^m times p and tau, -(-1)^m times pi. */
void poyi_angular_table(int lmax, double complex z, double complex w, double complex *p, double complex *pi,
                        double complex *tau);

#endif
