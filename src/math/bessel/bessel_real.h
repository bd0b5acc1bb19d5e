/* bessel_real.h: the extended form that the zeros are polished with. */
#ifndef POYI_BESSEL_REAL_H
#define POYI_BESSEL_REAL_H

/* J_n(x) as poyi_bessel_jn, error about 1e-19 of the amplitude. */
long double poyi_bessel_jn_extended(int n, long double x);

#endif
