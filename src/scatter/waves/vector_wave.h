/* vector_wave.h: what a vector wave and its derivatives share. */
#ifndef POYI_VECTOR_WAVE_H
#define POYI_VECTOR_WAVE_H

#include "scatter/waves/waves.h"

typedef enum poyi_wave_family {
    POYI_HARMONIC, /* X, Y, Z */
    POYI_SPHERICAL,
    POYI_CYLINDRICAL,
    POYI_PLANE,
    POYI_SCALAR_HARMONIC
} poyi_wave_family;

typedef enum poyi_wave_part { POYI_PART_M, POYI_PART_N, POYI_PART_A, POYI_PART_RADIAL } poyi_wave_part;

poyi_wave_family poyi_wave_family_of(poyi_wave_function f);
poyi_wave_part poyi_wave_part_of(poyi_wave_function f);
int poyi_wave_is_regular(poyi_wave_function f);

/* One element of a batch. */
typedef struct poyi_wave_element {
    int l, m, radial;
    poyi_xreal sign;
    poyi_xcomplex argument[POYI_WAVE_ARGUMENTS];
} poyi_wave_element;

poyi_wave_element poyi_wave_gather(const poyi_wave_call *call, size_t i);
/* Labels, finite arguments, poles. */
poy_status poyi_wave_check(poy_ctx *ctx, const poyi_wave_call *call);

/* The principal root; on the negative axis i sqrt(|square|), whatever the sign of the zero in square. */
poyi_xcomplex poyi_principal_root(poyi_xcomplex square);
/* sqrt((2l + 1) / 4 pi (l - m)! / (l + m)!) */
poyi_xreal poyi_harmonic_norm(int l, int m);
/* sqrt(k^2 - kz^2), Im >= 0, and Re >= 0 where it is real. */
poyi_xcomplex poyi_radial_wavenumber(poyi_xcomplex kz, poyi_xcomplex k);
/* The vectors of M and N without e^{i k.r}; 0 if k has none. */
int poyi_plane_polarisation(const poyi_xcomplex kvec[3], poyi_xcomplex m[3], poyi_xcomplex n[3]);
/* Their derivatives [component][k_a] (vector_wave_diff.c); 0 and zeros along z, where the direction has none. */
int poyi_plane_polarisation_slopes(const poyi_xcomplex k[3], poyi_xcomplex d_m[3][3], poyi_xcomplex d_n[3][3]);

#endif
