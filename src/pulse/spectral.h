/* spectral.h: what the numbers of an envelope's spectrum mean in joules, watts and photons; the one place for it.
 *
 * A[k] = sum over n of A(t_n) exp(-2 pi i k n / N), |A(t)|^2 in W. S = A s with s = dt / sqrt(2 pi): |S|^2 is the
 * spectral energy density in J/(rad/s), and the energy is sum |S|^2 domega (propagation.md 1.3). */
#ifndef POYI_SPECTRAL_H
#define POYI_SPECTRAL_H

#include <math.h>

#include "core/constants.h"
#include "poynting/pulse.h"

/* s of S = A s, sqrt(J s) per unit of the raw spectrum. */
static inline double poyi_spectral_scale(const poy_grid_info *grid)
{
    return grid->dt / sqrt(2.0 * POYI_PI);
}

/* Energy of one bin per |A[k]|^2, J: s^2 domega = dt / N. */
static inline double poyi_bin_energy(const poy_grid_info *grid)
{
    return grid->dt / (double)grid->n_t;
}

/* Energy of the spectrum [n_w] of one column, J: (dt / N) sum |A[k]|^2, equal to dt sum |A(t_n)|^2. */
static inline double poyi_spectrum_energy(const poy_grid_info *grid, const double *spectrum)
{
    double sum = 0.0;
    for (int64_t k = 0; k < grid->n_w; k++)
        sum += spectrum[2 * k] * spectrum[2 * k] + spectrum[2 * k + 1] * spectrum[2 * k + 1];
    return sum * poyi_bin_energy(grid);
}

/* Photons of a bin per |A[k]|^2: its energy over hbar omega; 0 where omega <= 0, which is no light. */
static inline double poyi_bin_photons(const poy_grid_info *grid, double omega)
{
    return omega > 0.0 ? poyi_bin_energy(grid) / (POYI_HBAR * omega) : 0.0;
}

/* |A[k]| of one photon in a bin: |S|^2 domega = hbar omega; 0 where omega <= 0. */
static inline double poyi_photon_amplitude(const poy_grid_info *grid, double omega)
{
    return omega > 0.0 ? sqrt(POYI_HBAR * omega / poyi_bin_energy(grid)) : 0.0;
}

#endif
