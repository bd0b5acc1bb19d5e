/* electrons.h: free electrons of one species at one point, strip by strip, by the plain trapezoidal rule: through buffers
 * of the first cache, eight stretches of a strip side by side; a strip whose rates are nothing beside the largest one needs
 * none, and one before the first ionisation nothing at all. */
#ifndef POYI_CPU_ELECTRONS_H
#define POYI_CPU_ELECTRONS_H

#include "backends/cpu/pulse/rates.h"

/* Running integrals with the integrands of the last sample: of the rate; of each component the free current, all current. */
typedef struct currents_sum {
    double current, drive, polarisation, total;
} currents_sum;
typedef struct sums {
    double exposure, rate;
    double fraction; /* free, in strips without rates */
    int known;       /* it is that of the exposure */
    currents_sum of[2];
} sums;

static inline void add(const column *c, int component, int64_t from, int64_t n, const double *polarisation)
{
    k_add_electrons(0, n, c->W != NULL, c->density, c->y[component] + (from - c->base), polarisation,
                    c->W ? c->W + from : NULL);
}

/* From the rate to exp(-x) - 1 of the exposure x. s starts at a strip. */
static inline void expose(const column *c, const double *rate, double *drive, sums *s)
{
    const double half = 0.5 * c->arg->dt, before = s->exposure;
    double end[LANES], last[LANES], offset[LANES], gain = half * s->rate;

    lanes_integrate(half, rate, drive, end, last);
    for (int l = 0; l < LANES; l++) {
        offset[l] = gain;
        s->exposure = before + (gain + end[l]);
        gain += end[l] + half * last[l];
    }
    s->rate = last[LANES - 1];
    s->known = 0;
    if (s->exposure - before <= LANES_EXPM1_MOST) {
        lanes_expm1(expm1(-before), offset, drive);
        return;
    }
    for (int i = 0; i < STRIP; i++)
        drive[i] = -(before + (offset[i % LANES] + drive[i]));
    vector_map(vector_expm1, STRIP, drive, drive);
}

/* The same up to the current, which is added. */
static inline void integrate_once(const column *c, int component, int64_t from, int64_t n, double *drive,
                                  const double *loss, currents_sum *s)
{
    static const double level[LANES];
    const double half = 0.5 * c->arg->dt;
    double end[LANES], last[LANES], offset[LANES], J[STRIP], j = s->current + half * s->drive;

    lanes_integrate(half, drive, drive, end, last);
    for (int i = 0; loss && i < STRIP; i++)
        drive[i] += loss[i];
    for (int l = 0; l < LANES; l++) {
        offset[l] = j;
        s->current = j + end[l];
        j = s->current + half * last[l];
    }
    s->drive = last[LANES - 1];
    lanes_in_order(offset, level, drive, J);
    add(c, component, from, n, J);
}

/* From drive and loss, which may be NULL, of a component to its polarisation, added to n samples of Y. */
static inline void integrate(const column *c, int component, int64_t from, int64_t n, double *drive, const double *loss,
                             currents_sum *s)
{
    const double dt = c->arg->dt, half = 0.5 * dt;
    double current[LANES], last[LANES], end[LANES], total[LANES], slope[LANES], offset[LANES], P[STRIP];
    double j = s->current + half * s->drive, p = s->polarisation + half * s->total;

    lanes_integrate_twice(half, loss, drive, current, last, end, total);
    for (int l = 0; l < LANES; l++) { /* what the lanes before add: a current, and a polarisation that it makes grow */
        slope[l] = dt * j;
        offset[l] = p;
        s->current = j + current[l];
        s->total = j + total[l];
        s->polarisation = p + (end[l] + slope[l] * (STEPS - 0.5));
        j = s->current + half * last[l];
        p = s->polarisation + half * s->total;
    }
    s->drive = last[LANES - 1];
    lanes_in_order(offset, slope, drive, P);
    add(c, component, from, n, P);
}

/* A component from its derivative of the free current and its loss. Integrals start at 0 with the first sample: its
 * integrand is taken off once. */
static inline void active_component(const column *c, int component, int64_t from, int64_t n, double *drive,
                                    const double *loss, sums *s)
{
    if (from == 0) {
        s->of[component].drive = -drive[0];
        s->of[component].total = -loss[0]; /* the loss, since the current is 0 */
    }
    if (c->arg->held)
        integrate_once(c, component, from, n, drive, loss, &s->of[component]);
    else
        integrate(c, component, from, n, drive, loss, &s->of[component]);
}

static inline void load(const column *c, int component, int64_t from, int64_t n, double scale, double *field)
{
    const int64_t at = from - c->base;
    const double *x = c->x[component] + (c->pairs ? 2 * at : at);
    if (c->pairs)
        lanes_load_part(n, scale, x, field);
    else
        lanes_load(n, scale, x, field);
}

/* Rates of |E|, and exp(-x) - 1 of the exposure. */
static inline void free_strip(const column *c, double floor, int64_t from, const double *modulus, double *rate,
                              double *drive, sums *s)
{
    rates(c, floor, STRIP, modulus, rate);
    if (from == 0)
        s->rate = -rate[0];
    expose(c, rate, drive, s);
}

static inline void active_strip(const column *c, double floor, int64_t from, int64_t n, sums *s)
{
    double field[STRIP], rate[STRIP], drive[STRIP];
    load(c, 0, from, n, c->scale, field);
    free_strip(c, floor, from, field, rate, drive, s);
    k_currents(0, STRIP, c->free, c->arg->drude, c->arg->potential, field, rate, drive);
    active_component(c, 0, from, n, drive, rate, s);
}

/* Of two components. */
static inline void active_pair(const column *c, double floor, int64_t from, int64_t n, sums *s)
{
    double field[2][STRIP], modulus[STRIP], rate[STRIP], drive[STRIP], part[STRIP];
    load(c, 0, from, n, c->scale, field[0]);
    load(c, 1, from, n, c->scale, field[1]);
    k_modulus(0, STRIP, field[0], field[1], modulus);
    free_strip(c, floor, from, modulus, rate, drive, s);
    k_shares(0, STRIP, c->free, c->arg->drude, c->arg->potential, modulus, rate, drive);
    for (int i = 0; i < 2; i++) {
        k_component(0, STRIP, drive, rate, part, field[i]);
        active_component(c, i, from, n, part, field[i], s);
    }
}

static inline void quiet_component(const column *c, int component, int64_t from, int64_t n, double factor,
                                   currents_sum *s)
{
    double drive[STRIP];
    if (factor == 0 && s->drive == 0 && s->current == 0 && s->polarisation == 0 && s->total == 0)
        return;
    load(c, component, from, n, factor * c->scale, drive);
    if (from == 0)
        s->drive = -drive[0];
    if (c->arg->held)
        integrate_once(c, component, from, n, drive, NULL, s);
    else
        integrate(c, component, from, n, drive, NULL, s);
}

/* The free fraction where no rates are any more. */
static inline double settled(const column *c, sums *s)
{
    if (!s->known) {
        s->exposure += 0.5 * c->arg->dt * s->rate;
        s->rate = 0;
        s->fraction = c->free - (1 - c->free) * expm1(-s->exposure);
        s->known = 1;
    }
    return s->fraction;
}

static inline void quiet_strip(const column *c, int64_t from, int64_t n, sums *s)
{
    for (int i = 0; i < c->pol; i++)
        quiet_component(c, i, from, n, c->arg->drude * settled(c, s), &s->of[i]);
}

/* largest: the logarithm of the strip's largest rate; below the floor it has none. */
static inline void plain_strip(const column *c, double floor, double largest, int64_t from, int64_t n, sums *s)
{
    if (largest < floor)
        quiet_strip(c, from, n, s);
    else if (c->pol > 1)
        active_pair(c, floor, from, n, s);
    else
        active_strip(c, floor, from, n, s);
}

#endif
