/* pade.h: what approximates exp(A) by a ratio of polynomials. */
#ifndef POYI_PADE_H
#define POYI_PADE_H

enum { POYI_PADE_DEGREE = 13 };
/* Coefficients of 1, A, A^2, ... in the numerator of the [13/13] approximant; the denominator has those of -A (Higham, SIAM J.
 * Matrix Anal. Appl. 26, 1179 (2005), eq. (2.10)). */
extern const double poyi_expm_pade[POYI_PADE_DEGREE + 1];

#endif
