/* cmplx.h: <complex.h> with CMPLX and CMPLXL, which glibc offers to gcc alone although clang has the builtin, too. */
#ifndef POYI_CMPLX_H
#define POYI_CMPLX_H

#include <complex.h>

#ifndef CMPLX
#define CMPLX(re, im) __builtin_complex((double)(re), (double)(im))
#endif
#ifndef CMPLXL
#define CMPLXL(re, im) __builtin_complex((long double)(re), (long double)(im))
#endif

#endif
