/* describe.c: the numbers by which a fibre and a pulse are known: dispersion, lengths, soliton order, zero-dispersion
 * wavelengths. */
#include <string.h>

#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

static double beta_2(void *user, double omega)
{
    return poyi_fibre_beta(user, 2, omega);
}

/* All zeros of beta_2 in the band that change its sign, by bracketing on a fine grid. */
static poy_status find_zeros(poy_ctx *ctx, const poy_problem *problem, poy_fibre_numbers *out)
{
    enum { CELLS = 4096 };
    double low = 0.0, high = 0.0;
    poyi_grid_band(problem->grid, &low, &high);
    const double width = (high - low) / CELLS;
    out->n_zdw = 0;
    for (int i = CELLS; i-- > 0 && out->n_zdw < (int)(sizeof out->zdw / sizeof *out->zdw);) { /* rising wavelength */
        const double left = low + i * width, right = i + 1 < CELLS ? low + (i + 1) * width : high;
        const double at_left = poyi_fibre_beta(problem->fibre, 2, left),
                     at_right = poyi_fibre_beta(problem->fibre, 2, right);
        double zero = right;
        if (at_right == 0.0 && at_left == 0.0)
            continue; /* no dispersion */
        if (at_right != 0.0) {
            if (at_left == 0.0 || (at_left < 0.0) == (at_right < 0.0))
                continue; /* a zero at left is the right end of the next cell */
            POYI_TRY(ctx, poyi_root_brent(ctx, beta_2, problem->fibre, left, right, 0.0, &zero));
        }
        out->zdw[out->n_zdw++] = 2.0 * POYI_PI * POYI_C / zero;
    }
    return POY_OK;
}

poy_status poy_fibre_describe(poy_ctx *ctx, const poy_problem *problem, const poy_pulse_options *options,
                              poy_fibre_numbers *out)
{
    const poy_grid *grid = problem->grid;
    const poyi_fibre *f = problem->fibre;
    const double none = (double)NAN;
    poy_fibre_numbers n = {.L_D = none, .L_NL = none, .N_soliton = none, .L_fiss = none};
    poyi_pulse pulse;
    double *spectrum = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_pulse_check(ctx, grid, 0, options, &pulse));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "launch.spectrum", (size_t)grid->info.n_w * 2 * sizeof *spectrum,
                                      (void **)&spectrum));
    POYI_TO_DONE(ctx, poyi_launch_add(ctx, grid, &pulse, spectrum, &n.peak_power));
    n.energy = poyi_spectrum_energy(&grid->info, spectrum);
    n.beta2 = poyi_fibre_beta(f, 2, pulse.omega);
    n.beta3 = poyi_fibre_beta(f, 3, pulse.omega);

    const double gamma =
        (problem->kerr || problem->raman) ? f->gamma * (f->shock ? pulse.omega / f->omega0 : 1.0) : 0.0;
    if (n.beta2 != 0.0 && !isnan(pulse.t0))
        n.L_D = pulse.t0 * pulse.t0 / fabs(n.beta2);
    if (gamma != 0.0)
        n.L_NL = 1.0 / (fabs(gamma) * n.peak_power);
    if (gamma * n.beta2 < 0.0 && !isnan(n.L_D)) { /* bright solitons: self-focusing against anomalous dispersion */
        n.N_soliton = sqrt(n.L_D / n.L_NL);
        n.L_fiss = n.L_D / n.N_soliton;
    }
    POYI_TO_DONE(ctx, find_zeros(ctx, problem, &n));
    *out = n;
done:
    poyi_free((void **)&spectrum);
    return status;
}
