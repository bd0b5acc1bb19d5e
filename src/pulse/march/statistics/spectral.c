/* spectral.c: statistics that are sums over the bins of the spectrum. */
#include <math.h>

#include "pulse/march/statistics/statistics.h"
#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

enum { BLOCK = 256 };

/* The bins first .. end - 1 of a column, added to out. */
static void add_block(const poy_problem *p, const double *field, int64_t first, int64_t end, poyi_spectral_sums *out)
{
    const double *omega = POYI_F64(p->omega), *mask = POYI_F64(p->mask), omega0 = p->omega0;
    double power = 0.0, photons = 0.0, signal = 0.0, moment = 0.0;
#pragma omp simd reduction(+ : power, photons, signal, moment)
    for (int64_t k = first; k < end; k++) {
        const double own = field[2 * k] * field[2 * k] + field[2 * k + 1] * field[2 * k + 1];
        const double seen = mask ? mask[k] * own : own, place = omega[k] > 0.0 ? omega[k] : 1.0;
        power += own;
        photons += omega[k] > 0.0 ? own / place : 0.0;
        signal += seen;
        moment += seen * (omega[k] - omega0);
    }
    out->power += power;
    out->photons += photons;
    out->signal += signal;
    out->moment += moment;
}

/* Blocks are summed one by one, then together, so that the error grows with the block and not with the spectrum. */
static poyi_spectral_sums sums_of(const poyi_sample *s)
{
    const poy_problem *p = s->problem;
    poyi_spectral_sums sums = {0};
    if (s->found && s->found->has_sums && s->found->sums_column == s->column)
        return s->found->sums;
    for (int64_t c = 0; c < p->n_c; c++)
        for (int64_t first = 0; (s->column < 0 || c == s->column) && first < p->n_w; first += BLOCK)
            add_block(p, s->field + 2 * c * p->n_w, first, first + BLOCK < p->n_w ? first + BLOCK : p->n_w, &sums);
    if (s->found) {
        s->found->has_sums = 1;
        s->found->sums_column = s->column;
        s->found->sums = sums;
    }
    return sums;
}

static double bin_energy(const poy_problem *p)
{
    const poy_grid_info grid = {.field = (poy_field)p->field, .n_t = p->n_t, .dt = p->dt};
    return poyi_bin_energy(&grid);
}

/* low, high: angular frequencies of the band. The square of a window on the field: 1 inside, with edges outside. */
static double energy_between(const poyi_sample *s, double low, double high)
{
    const poy_problem *p = s->problem;
    const double *omega = POYI_F64(p->omega), width = POYI_BAND_EDGE * p->domega;
    double sum = 0.0;
    for (int64_t c = 0; c < p->n_c; c++) {
        const double *field = s->field + 2 * c * p->n_w;
        for (int64_t k = 0; (s->column < 0 || c == s->column) && k < p->n_w; k++) {
            if (omega[k] <= low - width || omega[k] >= high + width)
                continue;
            const double window = poyi_planck_taper(omega[k], low - width, low, high, high + width);
            sum += window * window * (field[2 * k] * field[2 * k] + field[2 * k + 1] * field[2 * k + 1]);
        }
    }
    return bin_energy(p) * sum;
}

double poyi_stat_energy(const poyi_sample *s, const double band[2])
{
    if (band[0] == 0.0 && band[1] == 0.0)
        return bin_energy(s->problem) * sums_of(s).power;
    return energy_between(s, 2.0 * POYI_PI * POYI_C / band[1], 2.0 * POYI_PI * POYI_C / band[0]);
}

double poyi_stat_photon_number(const poyi_sample *s, const double band[2])
{
    (void)band;
    return bin_energy(s->problem) / POYI_HBAR * sums_of(s).photons;
}

/* Summed as a distance from the carrier, so that no digits of a small shift are lost. */
double poyi_stat_omega_mean(const poyi_sample *s, const double band[2])
{
    const poyi_spectral_sums sums = sums_of(s);
    (void)band;
    return sums.signal == 0.0 ? (double)NAN : s->problem->omega0 + sums.moment / sums.signal;
}
