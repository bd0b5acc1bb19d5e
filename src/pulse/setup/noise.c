/* noise.c: vacuum noise as a field: one photon in every bin of the signal band (docs/physics.md 8). */
#include <string.h>

#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

/* The stream of random numbers of a mode and polarisation; its blocks are the bins. So a bin's number depends on
 * (seed, mode, polarisation, bin) and on nothing else. */
static uint64_t stream_of(uint64_t mode, uint64_t polarisation)
{
    return 2 * mode + polarisation;
}

/* Of a column: the mode that it is of (a fibre has one), and whether it is that mode's first or second. */
static uint64_t stream_of_column(const poy_problem *p, int64_t column)
{
    const double *modes = p->column_mode.data;
    uint64_t earlier = 0;
    for (int64_t c = 0; modes && c < column; c++)
        earlier += modes[c] == modes[column];
    return stream_of(modes ? (uint64_t)modes[column] : 0, earlier);
}

/* shot, modified: |S|^2 domega = hbar omega exactly, the phase uniform. gaussian: circular complex normal of the same
 * variance, so that |S|^2 domega / (hbar omega) is exponential with mean 1 (Box and Muller, 1958). */
static void add_column(const poy_problem *problem, uint64_t stream, double *spectrum)
{
    const poy_grid *grid = problem->grid;
    uint64_t seed;

    memcpy(&seed, &problem->seed, sizeof seed);
    for (int64_t k = 0; k < problem->n_w; k++) {
        double uniform[2];
        if (!grid->mask[k] || grid->omega[k] <= 0.0)
            continue;
        poy_random_uniform2(seed, stream, (uint64_t)k, uniform);
        const double phase = 2.0 * POYI_PI * uniform[0];
        const double modulus = poyi_photon_amplitude(&grid->info, grid->omega[k]) *
                               (problem->noise == POY_NOISE_GAUSSIAN ? sqrt(-log1p(-uniform[1])) : 1.0);
        spectrum[2 * k] += modulus * cos(phase);
        spectrum[2 * k + 1] += modulus * sin(phase);
    }
}

void poyi_noise_add(const poy_problem *problem, double *spectrum)
{
    for (int64_t c = 0; c < problem->n_c; c++)
        add_column(problem, stream_of_column(problem, c), spectrum + 2 * c * problem->n_w);
}

poy_status poy_noise_create(poy_ctx *ctx, const poy_problem *problem, double *spectrum)
{
    if (problem->noise == POY_NOISE_OFF)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "physics.noise: off: there is no noise to draw: choose shot, gaussian or "
                         "modified");
    memset(spectrum, 0, (size_t)(problem->n_c * problem->n_w) * 2 * sizeof *spectrum);
    poyi_noise_add(problem, spectrum);
    return POY_OK;
}
