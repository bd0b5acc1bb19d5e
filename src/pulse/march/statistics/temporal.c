/* temporal.c: statistics of the power on the coarse time grid. */
#include <math.h>

#include "pulse/march/statistics/statistics.h"

enum { BLOCK = 64 };

void poyi_stat_power(const poy_problem *problem, const double *time, int column, double *power)
{
    const int64_t first = column < 0 ? 0 : column, end = column < 0 ? problem->n_c : first + 1, n_t = problem->n_t;
    for (int64_t c = first; c < end; c++) {
        const double *a = time + 2 * c * n_t;
        for (int64_t n = 0; n < n_t; n++) {
            const double own = a[2 * n] * a[2 * n] + a[2 * n + 1] * a[2 * n + 1];
            power[n] = c == first ? own : power[n] + own;
        }
    }
}

/* NaN does not count. */
static double largest_of(const double *power, int64_t n)
{
    double largest = -(double)INFINITY;
#pragma omp simd reduction(max : largest)
    for (int64_t i = 0; i < n; i++)
        largest = power[i] > largest ? power[i] : largest;
    return largest;
}

/* First the block, then the sample. */
int64_t poyi_stat_peak(const double *power, int64_t n_t)
{
    double best = -(double)INFINITY;
    int64_t at = 0;
    for (int64_t first = 0; first < n_t; first += BLOCK) {
        const double own = largest_of(power + first, first + BLOCK < n_t ? BLOCK : n_t - first);
        if (own > best) {
            best = own;
            at = first;
        }
    }
    while (at + 1 < n_t && !(power[at] >= best))
        at++;
    return at;
}

static int64_t peak_index(const poyi_sample *s)
{
    return s->found && s->found->has_power ? s->found->peak : poyi_stat_peak(s->power, s->problem->n_t);
}

double poyi_stat_peak_power(const poyi_sample *s, const double band[2])
{
    (void)band;
    return s->power[peak_index(s)];
}

double poyi_stat_peak_time(const poyi_sample *s, const double band[2])
{
    (void)band;
    return ((double)peak_index(s) - 0.5 * (double)s->problem->n_t) * s->problem->dt;
}

/* Where the line through samples n (at or above half) and n + step (below it) meets half, in samples. */
static double crossing(const double *power, int64_t n, int step, double half)
{
    double inside = power[n], outside = power[n + step];
    return (double)n + step * (inside - half) / (inside - outside);
}

/* From the peak outwards in steps of step: where the power first falls below half. NaN: the window ends before. */
static double first_fall(const double *power, int64_t n_t, int64_t peak, int step, double half)
{
    for (int64_t n = peak; n + step >= 0 && n + step < n_t; n += step)
        if (power[n] >= half && power[n + step] < half)
            return crossing(power, n, step, half);
    return (double)NAN;
}

/* From an edge of the window inwards in steps of step: where the power first reaches half. NaN: it is above half from
 * the edge to the peak. */
static double first_rise(const double *power, int64_t edge, int64_t peak, int step, double half)
{
    int64_t n = edge; /* whole blocks below half, but for their last sample, are passed */
    while ((peak - n) * step > BLOCK && largest_of(step > 0 ? power + n : power + n - BLOCK + 1, BLOCK) < half)
        n += (int64_t)step * (BLOCK - 1);
    for (; n != peak; n += step)
        if (power[n] < half && power[n + step] >= half)
            return crossing(power, n + step, -step, half);
    return (double)NAN;
}

void poyi_stat_half_maximum(const double *power, int64_t n_t, int64_t peak, double *left, double *right)
{
    double half = 0.5 * power[peak];
    *left = first_fall(power, n_t, peak, -1, half);
    *right = first_fall(power, n_t, peak, 1, half);
}

double poyi_stat_fwhm_t(const poyi_sample *s, const double band[2])
{
    double left, right;
    (void)band;
    poyi_stat_half_maximum(s->power, s->problem->n_t, peak_index(s), &left, &right);
    return (right - left) * s->problem->dt;
}

double poyi_stat_fwhm_t_max(const poyi_sample *s, const double band[2])
{
    (void)band;
    int64_t n_t = s->problem->n_t, peak = peak_index(s);
    double half = 0.5 * s->power[peak];
    return (first_rise(s->power, n_t - 1, peak, -1, half) - first_rise(s->power, 0, peak, 1, half)) * s->problem->dt;
}
