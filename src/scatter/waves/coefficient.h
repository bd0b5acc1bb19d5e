/* coefficient.h: coefficients between single modes of different families, for batches, matrices and derivatives. */
#ifndef POYI_COEFFICIENT_H
#define POYI_COEFFICIENT_H

#include "scatter/waves/waves.h"

/* The direction of a wave: cos = kz / k, sin = q / k (0 on the axis), turn = e^{i phi}, e^{-i phi} (1 on the axis). */
typedef struct poyi_wave_angles {
    poyi_xcomplex k, cosine, sine, turn[2];
} poyi_wave_angles;

poyi_wave_angles poyi_angles_of_wavevector(const poyi_xcomplex k[3]);

/* pol q in the axes (z, x, y), inverse: (y, z, x), as pol p */
poyi_xcomplex poyi_permutation(poy_poltype poltype, int64_t p, int64_t q, int inverse, const poyi_xcomplex k[3]);

#endif
