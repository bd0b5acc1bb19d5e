/* guide.c: statistics of a guide, its gas and what the field does to it. */
#include <math.h>

#include "pulse/geometry/geometry.h"
#include "pulse/march/statistics/statistics.h"
#include "pulse/setup/medium.h"

static const double none = (double)NAN;

/* ---- of the field ---- */

double poyi_stat_energy_per_mode(const poyi_sample *s, const double band[2])
{
    return poyi_stat_energy(s, band);
}

/* (1/2) eps0 c |E|^2 of the analytic signal where the columns' fields add up. */
double poyi_stat_peak_intensity(const poyi_sample *s, const double band[2])
{
    const poy_problem *p = s->problem;
    double largest = 0.0, unit = 0.0;
    const double(*axis)[2] = poyi_axis_fields(s, &unit);
    (void)band;
    if (!axis)
        return none;
    const double scale = 0.5 * POYI_EPS0 * POYI_C * unit * unit;
    if (p->n_c == 1 || s->column >= 0) {
        const double *e = axis[s->column < 0 ? 0 : s->column];
        return scale * (e[0] * e[0] + e[1] * e[1]) * poyi_stat_peak_power(s, band);
    }
    for (int64_t n = 0; n < p->n_t; n++) {
        double e[4] = {0.0};
        for (int64_t c = 0; c < p->n_c; c++)
            for (int i = 0; i < 4; i++)
                e[i] += axis[c][i / 2] * s->time[2 * (c * p->n_t + n) + i % 2];
        largest = fmax(largest, e[0] * e[0] + e[1] * e[1] + e[2] * e[2] + e[3] * e[3]);
    }
    return scale * largest;
}

double poyi_stat_quadrature_error(const poyi_sample *s, const double band[2])
{
    (void)band;
    return s->quadrature;
}

/* ---- of the plasma ---- */

double poyi_stat_electron_density(const poyi_sample *s, const double band[2])
{
    const poy_problem *p = s->problem;
    poy_guide_place place;
    double sum = 0.0;
    (void)band;
    if (!s->electrons)
        return none;
    poy_guide_at(p->medium->guide, s->z, &place);
    for (int j = 0; j < p->n_plasma; j++) /* f0 + (1 - f0)(1 - exp(-X)) */
        sum += place.density[j] * (p->preionised - (1.0 - p->preionised) * expm1(-s->electrons[2 * (ptrdiff_t)j]));
    return sum;
}

double poyi_stat_peak_rate(const poyi_sample *s, const double band[2])
{
    double largest = 0.0;
    (void)band;
    if (!s->electrons)
        return none;
    for (int j = 0; j < s->problem->n_plasma; j++)
        largest = fmax(largest, s->electrons[2 * j + 1]);
    return largest;
}

/* ---- of the guide ---- */

static int place_of(const poyi_sample *s, poy_guide_place *place)
{
    if (s->problem->medium)
        poy_guide_at(s->problem->medium->guide, s->z, place);
    return s->problem->medium != NULL;
}

double poyi_stat_density(const poyi_sample *s, const double band[2])
{
    poy_guide_place place;
    double sum = 0.0;
    (void)band;
    if (!place_of(s, &place))
        return none;
    for (int i = 0; i < place.n_gases; i++)
        sum += place.density[i];
    return sum;
}

double poyi_stat_pressure(const poyi_sample *s, const double band[2])
{
    poy_guide_place place;
    (void)band;
    return place_of(s, &place) ? place.pressure : none;
}

double poyi_stat_core_radius(const poyi_sample *s, const double band[2])
{
    poy_guide_place place;
    (void)band;
    return place_of(s, &place) ? place.core_radius : none;
}

/* Half of the intensity at the centre less than that at x; below 0 outside. */
typedef struct width_of {
    const poyi_sample *sample;
    double half;
} width_of;

static double intensity(const poyi_sample *s, double x)
{
    const poyi_medium *m = s->problem->medium;
    double e[2] = {none, none};
    if (poy_guide_field(s->ctx, m->guide, m->mode, s->z, s->problem->omega0, 0.0, x, 0.0, e) != POY_OK) {
        poy_ctx_clear(s->ctx);
        return none; /* a guide without profiles */
    }
    return e[0] * e[0] + e[1] * e[1];
}

static double above_half(void *user, double x)
{
    const width_of *w = user;
    return intensity(w->sample, x) - w->half;
}

/* Found once: hollow modes scale with the core. */
double poyi_stat_fwhm_r(const poyi_sample *s, const double band[2])
{
    enum { STEPS = 64 };
    poy_guide_place place;
    width_of w = {s, 0.0};
    double root = none;
    (void)band;
    if (!place_of(s, &place) || isnan(place.core_radius))
        return none;
    if (!s->memory->has_width) {
        w.half = 0.5 * intensity(s, 0.0);
        for (int i = 1; i <= STEPS && isnan(root) && w.half > 0.0; i++) {
            const double a = place.core_radius * (i - 1) / STEPS, b = place.core_radius * i / STEPS;
            if (above_half(&w, b) <= 0.0 && poyi_root_brent(s->ctx, above_half, &w, a, b, 0.0, &root) != POY_OK)
                poy_ctx_clear(s->ctx);
        }
        s->memory->width = 2.0 * root / place.core_radius;
        s->memory->has_width = 1;
    }
    return s->memory->width * place.core_radius;
}

static double nearest_zdw(const poyi_sample *s)
{
    enum { MOST = 16 };
    const poyi_medium *m = s->problem->medium;
    const double two_pi_c = 2.0 * POYI_PI * POYI_C, reference = two_pi_c / s->problem->omega0;
    double low = 0.0, high = 0.0, zdw[MOST], best = none;
    int n = 0;
    poyi_grid_band(s->problem->grid, &low, &high);
    if (poy_guide_zero_dispersion(s->ctx, m->guide, m->mode, s->z, two_pi_c / high, two_pi_c / low, MOST, zdw, &n) !=
        POY_OK) {
        poy_ctx_clear(s->ctx);
        return none;
    }
    for (int i = 0; i < n && i < MOST; i++)
        if (isnan(best) || fabs(zdw[i] - reference) < fabs(best - reference))
            best = zdw[i];
    return best;
}

double poyi_stat_zdw(const poyi_sample *s, const double band[2])
{
    const poyi_medium *m = s->problem->medium;
    (void)band;
    if (!m)
        return none;
    if (s->memory->has_zdw)
        return s->memory->zdw;
    s->memory->zdw = nearest_zdw(s);
    s->memory->has_zdw = !poy_guide_varies(m->guide);
    return s->memory->zdw;
}
