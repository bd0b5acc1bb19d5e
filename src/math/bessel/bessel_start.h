/* bessel_start.h: start values of cylindrical Bessel functions. */
#ifndef POYI_BESSEL_START_H
#define POYI_BESSEL_START_H

#include "math/bessel/bessel_ladder.h"

/* The bottom of a ladder for real orders mu, mu + 1, |mu| <= 1/2; z not 0, 0 <= arg z <= pi / 2. */
void poyi_bessel_start(poyi_xcomplex z, poyi_xreal mu, poyi_ladder *out);

#endif
