/* spectral.c: statistics that are sums over the bins of the spectrum. */
#include <math.h>

#include "pulse/march/statistics/statistics.h"
#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

enum { BLOCK = 256 };

typedef double weight_fn(const poy_problem *p, int64_t bin, const double *arg);

/* Sum over columns and bins of weight |A_k|^2: blocks are summed one by one, then together, so that the error grows
 * with the block and not with the spectrum. Inlined, so that each weight stands in a loop of its own. */
static inline __attribute__((always_inline)) double weighted_sum(const poyi_sample *s, weight_fn *weight,
                                                                 const double *arg)
{
    const poy_problem *p = s->problem;
    double total = 0.0;
    for (int64_t c = 0; c < p->n_c; c++) {
        if (s->column >= 0 && c != s->column)
            continue;
        const double *field = s->field + 2 * c * p->n_w;
        for (int64_t first = 0; first < p->n_w; first += BLOCK) {
            int64_t end = first + BLOCK < p->n_w ? first + BLOCK : p->n_w;
            double block = 0.0;
            for (int64_t k = first; k < end; k++) {
                double power = field[2 * k] * field[2 * k] + field[2 * k + 1] * field[2 * k + 1];
                if (power != 0.0) /* a weight may have a pole where there is no field */
                    block += weight(p, k, arg) * power;
            }
            total += block;
        }
    }
    return total;
}

static double weight_one(const poy_problem *p, int64_t bin, const double *arg)
{
    (void)p, (void)bin, (void)arg;
    return 1.0;
}

static poy_grid_info grid_of(const poy_problem *p)
{
    return (poy_grid_info){.field = (poy_field)p->field, .n_t = p->n_t, .dt = p->dt};
}

static double weight_photons(const poy_problem *p, int64_t bin, const double *arg)
{
    (void)arg;
    poy_grid_info grid = grid_of(p);
    return poyi_bin_photons(&grid, POYI_F64(p->omega)[bin]);
}

static double weight_signal(const poy_problem *p, int64_t bin, const double *arg)
{
    (void)arg;
    return p->mask.data ? POYI_F64(p->mask)[bin] : 1.0;
}

static double weight_omega(const poy_problem *p, int64_t bin, const double *arg)
{
    return weight_signal(p, bin, arg) * (POYI_F64(p->omega)[bin] - p->omega0);
}

/* arg: angular frequencies of the band, rising. The square of a window on the field: 1 inside, with edges outside. */
static double weight_band(const poy_problem *p, int64_t bin, const double *arg)
{
    double width = POYI_BAND_EDGE * p->domega;
    double window = poyi_planck_taper(POYI_F64(p->omega)[bin], arg[0] - width, arg[0], arg[1], arg[1] + width);
    return window * window;
}

double poyi_stat_energy(const poyi_sample *s, const double band[2])
{
    poy_grid_info grid = grid_of(s->problem);
    double scale = poyi_bin_energy(&grid);
    if (band[0] == 0.0 && band[1] == 0.0)
        return scale * weighted_sum(s, weight_one, NULL);
    double limits[2] = {2.0 * POYI_PI * POYI_C / band[1], 2.0 * POYI_PI * POYI_C / band[0]};
    return scale * weighted_sum(s, weight_band, limits);
}

double poyi_stat_photon_number(const poyi_sample *s, const double band[2])
{
    (void)band;
    return weighted_sum(s, weight_photons, NULL);
}

/* Summed as a distance from the carrier, so that no digits of a small shift are lost. */
double poyi_stat_omega_mean(const poyi_sample *s, const double band[2])
{
    (void)band;
    double total = weighted_sum(s, weight_signal, NULL);
    if (total == 0.0)
        return NAN;
    return s->problem->omega0 + weighted_sum(s, weight_omega, NULL) / total;
}
