/* bessel_k.h: modified Bessel functions K_n of real argument and their Taylor series, as the cladding of a fibre needs. */
#ifndef POYI_BESSEL_K_H
#define POYI_BESSEL_K_H

/* K_{n-1}(x)/K_n(x), n >= 0, x > 0, relative error a few eps; 0 at x = 0 (n = 1: its limit, too). */
double poyi_bessel_k_ratio(int n, double x);
/* log K_n(x), absolute error a few eps times its size. */
double poyi_bessel_k_log(int n, double x);

#endif
