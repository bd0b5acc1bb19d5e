/* spectral.h: what the numbers of a spectrum mean in joules, watts and photons; the one place for it.
 *
 * A[k] = sum over n of A(t_n) exp(-2 pi i k n / N). Of an envelope, |A(t)|^2 in W: S = A s with s = dt / sqrt(2 pi).
 * Of a real field the analytic signal has that property, whose bins are twice those of the field: s = 2 dt / sqrt(2 pi).
 * |S|^2 is the spectral energy density in J/(rad/s), and the energy is sum |S|^2 domega over all bins of an envelope and
 * those between 0 and the Nyquist frequency of a real field (docs/physics.md 1). */
#ifndef POYI_SPECTRAL_H
#define POYI_SPECTRAL_H

#include <math.h>

#include "core/constants.h"
#include "poynting/pulse.h"

/* Width of the edges of a band of the spectrum, in bins (docs/physics.md 9, 10). */
static const double POYI_BAND_EDGE = 64.0;

/* s of S = A s, sqrt(J s) per unit of the raw spectrum. */
static inline double poyi_spectral_scale(const poy_grid_info *grid)
{
    return (grid->field == POY_FIELD_REAL ? 2.0 : 1.0) * grid->dt / sqrt(2.0 * POYI_PI);
}

/* Energy of one bin per |A[k]|^2, J: s^2 domega = dt / N, four times that of a real field. */
static inline double poyi_bin_energy(const poy_grid_info *grid)
{
    return (grid->field == POY_FIELD_REAL ? 4.0 : 1.0) * grid->dt / (double)grid->n_t;
}

/* Energy of the spectrum [n_w] of one column, J: equal to dt sum |A(t_n)|^2. */
static inline double poyi_spectrum_energy(const poy_grid_info *grid, const double *spectrum)
{
    const int64_t ends = grid->field == POY_FIELD_REAL;
    double sum = 0.0;
    for (int64_t k = ends; k < grid->n_w - ends; k++)
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

/* The signal A(t) of a spectrum [n_w] as the spectrum of a c128 field of n_t samples, before the inverse transform: an
 * envelope's as it is; of a real field the bins between 0 and the Nyquist frequency twice, and that of 0. */
static inline void poyi_spectrum_signal(const poy_grid_info *grid, const double *spectrum, double *signal)
{
    const int real = grid->field == POY_FIELD_REAL;
    for (int64_t k = 0; k < grid->n_t; k++) {
        const double factor = !real || k == 0 ? 1.0 : k < grid->n_w - 1 ? 2.0 : 0.0;
        signal[2 * k] = factor == 0.0 ? 0.0 : factor * spectrum[2 * k];
        signal[2 * k + 1] = factor == 0.0 ? 0.0 : factor * spectrum[2 * k + 1];
    }
}

#endif
