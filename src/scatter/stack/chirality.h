/* chirality.h: densities of optical chirality of plane waves: means along the normal, and the forms of single modes with derivatives. */
#ifndef POYI_CHIRALITY_H
#define POYI_CHIRALITY_H

#include "scatter/waves/waves.h"

/* Mean of e^{i w z} over z[0] .. z[1], at equal ends the value there. */
double complex poyi_mean_phase(double complex w, const double z[2]);

/* One wave of helicity up and its mirror image down: up 2 |E_u|^2, down 2 |E_d|^2 and cross 4 conj(E_d) . E_u at z = 0. */
typedef struct poyi_chirality_forms {
    double up, down;
    double complex cross;
} poyi_chirality_forms;

/* Of normal wavenumber kn, q^2 of the real components across and |k|^2: up = down = 1 + (|kn|^2 + q^2) / |k|^2,
 * cross = 2 (1 + (q^2 - |kn|^2) / |k|^2), the phases of both waves taken from the same polarisation vectors. */
typedef struct poyi_chirality_inputs {
    double complex kn;
    double q2, k2;
} poyi_chirality_inputs;
poyi_chirality_forms poyi_chirality_upright(const poyi_chirality_inputs *x);
/* Written. */
void poyi_chirality_upright_pull(const poyi_chirality_inputs *x, const poyi_chirality_forms *g,
                                 poyi_chirality_inputs *to);
poyi_chirality_forms poyi_chirality_upright_push(const poyi_chirality_inputs *x, const poyi_chirality_inputs *d);

/* Means over z of the forms: out[3] up, down, cross, of waves e^{+-i kn z}. */
void poyi_chirality_mean(const poyi_chirality_forms *f, double complex kn, const double z[2], double complex out[3]);
/* g_f written, g_kn and g_z added to. */
void poyi_chirality_mean_pull(const poyi_chirality_forms *f, double complex kn, const double z[2],
                              const double complex g[3], poyi_chirality_forms *g_f, double complex *g_kn,
                              double g_z[2]);
void poyi_chirality_mean_push(const poyi_chirality_forms *f, double complex kn, const double z[2],
                              const poyi_chirality_forms *d_f, double complex d_kn, const double d_z[2],
                              double complex out[3]);

#endif
