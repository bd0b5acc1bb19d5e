/* coefficient.h: coefficients between single modes of different families, for batches, matrices and derivatives. */
#ifndef POYI_COEFFICIENT_H
#define POYI_COEFFICIENT_H

#include "scatter/waves/waves.h"

/* The direction of a wave: cos = kz / k, sin = q / k (0 on the axis), turn = e^{i phi}, e^{-i phi} (1 on the axis). */
typedef struct poyi_wave_angles {
    poyi_xcomplex k, cosine, sine, turn[2];
} poyi_wave_angles;

poyi_wave_angles poyi_angles_of_wavevector(const poyi_xcomplex k[3]);

/* sqrt(pi (2l + 1) / (l (l + 1)) (l - m)! / (l + m)!) times tau + s pi (helicity, equal pol), tau (parity, equal pol) or
 * pi (parity, different pol). */
poyi_big poyi_wave_angular(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol, const poyi_wave_angles *a);

/* 2 i^l e^{-i m phi} times that */
poyi_big poyi_plane_to_spherical(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                 const poyi_wave_angles *a);
/* i^m e^{-i m phi}, equal pol and kz */
poyi_big poyi_plane_to_cylindrical(int m, const poyi_wave_angles *a);
/* 2 i^{l - m} times that, equal m */
poyi_big poyi_cylindrical_to_spherical(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                       const poyi_wave_angles *a);
/* (-i)^l e^{i m phi} / (area k kz_outward) times that */
poyi_big poyi_spherical_to_plane(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol, const poyi_wave_angles *a,
                                 poyi_xcomplex kz, poyi_xreal area);
/* (-i)^{l - m} / (2 period k) times that, equal m */
poyi_big poyi_spherical_to_cylindrical(poy_poltype poltype, int l, int m, int64_t pol, int64_t qol,
                                       const poyi_wave_angles *a, poyi_xreal period);
/* 2 (-i)^m e^{i m phi} / (|period| ky_outward), equal pol and kz */
poyi_big poyi_cylindrical_to_plane(int m, const poyi_wave_angles *a, poyi_xcomplex ky, poyi_xreal period);
/* pol q in the axes (z, x, y), inverse: (y, z, x), as pol p */
poyi_xcomplex poyi_permutation(poy_poltype poltype, int64_t p, int64_t q, int inverse, const poyi_xcomplex k[3]);

#endif
