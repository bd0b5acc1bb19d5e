/* density.c: pressure to density by the residual Helmholtz energy, and the refusal of liquids. */
#include "media/density.h"

#include <math.h>
#include <string.h>

#include "core/constants.h"

typedef struct term {
    double n;
    int d;
    double t;
    int l;
    double eta, beta, gamma, epsilon;
} term;

#define FLUID(name, first, terms, source, tr, rr, gas_constant, tmin, tmax, pmax, tc) \
    {name, first, terms, source, tr, rr, gas_constant, tmin, tmax, pmax, tc},
static const poyi_fluid fluids[] = {
#include "media/data/fluid.def"
};
#undef FLUID
#define TERM(n, d, t, l, eta, beta, gamma, epsilon) {n, d, t, l, eta, beta, gamma, epsilon},
static const term terms[] = {
#include "media/data/fluid_term.def"
};
#undef TERM

enum { FLUIDS = sizeof fluids / sizeof *fluids, TERMS_MAX = 64, POWER_MAX = 16 };

/* A fluid at one temperature: what depends on tau is done once. */
typedef struct isotherm {
    const poyi_fluid *fluid;
    const term *terms;
    double weight[TERMS_MAX]; /* n tau^t exp(-beta (tau - gamma)^2) */
    double rt;                /* R T, J/mol */
} isotherm;

/* alpha_r and what its derivatives give at one density. */
typedef struct state {
    double alpha;           /* alpha_r */
    double compressibility; /* Z = 1 + delta alpha_r' */
    double stiffness;       /* (dp/drho)/(R T) = 1 + 2 delta alpha_r' + delta^2 alpha_r'' */
} state;

const poyi_fluid *poyi_fluid_find(const char *name)
{
    for (int i = 0; i < FLUIDS; i++)
        if (!strcmp(fluids[i].name, name))
            return &fluids[i];
    return NULL;
}

static isotherm isotherm_of(const poyi_fluid *fluid, double temperature)
{
    isotherm out = {.fluid = fluid, .terms = terms + fluid->first, .rt = fluid->gas_constant * temperature};
    const double tau = fluid->temperature_reducing / temperature;
    for (int i = 0; i < fluid->terms; i++) {
        const term *m = &out.terms[i];
        double off = tau - m->gamma;
        out.weight[i] = m->n * pow(tau, m->t) * exp(-m->beta * off * off);
    }
    return out;
}

/* With D = delta d/d delta and E = D ln(term) = d - l delta^l - 2 eta delta (delta - epsilon): D(term) = term E and
 * D^2(term) = term (E^2 + D E); Z = 1 + D alpha_r, stiffness = 1 + D alpha_r + D^2 alpha_r. */
static state state_at(const isotherm *it, double density)
{
    const double delta = density / it->fluid->density_reducing;
    double power[POWER_MAX], alpha = 0.0, first = 0.0, second = 0.0;
    power[0] = 1.0;
    for (int i = 1; i < POWER_MAX; i++)
        power[i] = power[i - 1] * delta;
    for (int i = 0; i < it->fluid->terms; i++) {
        const term *m = &it->terms[i];
        double l = (double)m->l, shell = m->l > 0 ? power[m->l] : 0.0, off = delta - m->epsilon;
        double value = it->weight[i] * power[m->d] * exp(-shell - m->eta * off * off);
        double e = (double)m->d - l * shell - 2.0 * m->eta * delta * off;
        alpha += value;
        first += value * e;
        second += value * (e * e - l * l * shell - 2.0 * m->eta * delta * (delta + off));
    }
    return (state){alpha, 1.0 + first, 1.0 + first + second};
}

static double pressure_at(const isotherm *it, double density, state s)
{
    return density * it->rt * s.compressibility;
}

static poy_status check_temperature(poy_ctx *ctx, const poyi_fluid *fluid, double temperature)
{
    if (!(temperature > 0.0) || !isfinite(temperature))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: temperature %g K: it must be above 0", fluid->name, temperature);
    if (temperature < fluid->temperature_min || temperature > fluid->temperature_max)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: temperature %g K is outside its equation of state: %g to %g K",
                         fluid->name, temperature, fluid->temperature_min, fluid->temperature_max);
    return POY_OK;
}

static poy_status check_pressure(poy_ctx *ctx, const poyi_fluid *fluid, double pressure)
{
    if (!(pressure >= 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: pressure %g bar: it must be 0 or above", fluid->name,
                         pressure / POYI_BAR);
    if (pressure > fluid->pressure_max)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: pressure %g bar is above its equation of state, which ends at %g bar",
                         fluid->name, pressure / POYI_BAR, fluid->pressure_max / POYI_BAR);
    return POY_OK;
}

static poy_status liquid(poy_ctx *ctx, const isotherm *it, double pressure, double temperature)
{
    return POYI_FAIL(ctx, POY_ERR_RANGE,
                     "%s: %g bar at %g K is liquid, or vapour and liquid: lower the pressure, or raise the temperature "
                     "above %g K",
                     it->fluid->name, pressure / POYI_BAR, temperature, it->fluid->temperature_critical);
}

/* The lowest density at which the isotherm reaches the pressure: 0 if it turns down before. p(rho) of a vapour is
 * concave, so Newton's steps from the left never pass the root; above the critical temperature it may be convex further
 * on, where a bracket keeps them in. */
static double lowest_density(const isotherm *it, double pressure, state *s)
{
    double low = 0.0, high = INFINITY, rho = 1e-3 * pressure / it->rt;
    for (int i = 0; i < 200; i++) {
        *s = state_at(it, rho);
        double residual = pressure - pressure_at(it, rho, *s);
        if (s->stiffness <= 0.0)
            return 0.0;
        if (residual > 0.0)
            low = rho;
        else
            high = rho;
        double next = rho + residual / (it->rt * s->stiffness);
        if (next > 2.0 * rho)
            next = 2.0 * rho;
        if (next <= low || next >= high)
            next = fabs(next - rho) <= 8e-16 * rho ? rho : 0.5 * (low + fmin(high, 2.0 * rho));
        if (fabs(next - rho) <= 4e-16 * rho)
            break;
        rho = next;
    }
    return rho;
}

/* The density of the liquid at this pressure, 0 if there is none. Found from above, for in between multiparameter
 * equations may swing wildly; at 3.8 reducing densities all of them rise. Steps of a hundredth see the fall of the
 * isotherm from 1e-4 below the critical temperature on; closer to it both phases have nearly one density. */
static double liquid_density(const isotherm *it, double vapour, double pressure)
{
    const double step = 0.01 * it->fluid->density_reducing;
    double low = 0.0;
    for (int i = 380; low == 0.0; i--) {
        const double rho = (double)i * step;
        const state s = state_at(it, rho);
        if (rho <= vapour + step || s.stiffness <= 0.0)
            return 0.0; /* no liquid bears a pressure as low as this */
        if (pressure_at(it, rho, s) < pressure)
            low = rho;
    }
    double high = low + step;
    while (high - low > 1e-14 * high) {
        double middle = 0.5 * (low + high);
        if (pressure_at(it, middle, state_at(it, middle)) < pressure)
            low = middle;
        else
            high = middle;
    }
    return 0.5 * (low + high);
}

/* g/(R T) but for what depends on the temperature alone. */
static double gibbs(const isotherm *it, double density)
{
    state s = state_at(it, density);
    return s.alpha + s.compressibility + log(density);
}

poy_status poyi_fluid_density(poy_ctx *ctx, const poyi_fluid *fluid, double pressure, double temperature,
                              double *density, double *slope)
{
    POYI_TRY(ctx, check_temperature(ctx, fluid, temperature));
    POYI_TRY(ctx, check_pressure(ctx, fluid, pressure));
    const isotherm it = isotherm_of(fluid, temperature);
    state s = {0.0, 1.0, 1.0};
    double rho = 0.0;
    if (pressure > 0.0) {
        rho = lowest_density(&it, pressure, &s);
        if (rho == 0.0)
            return liquid(ctx, &it, pressure, temperature);
        if (temperature < fluid->temperature_critical) {
            double other = liquid_density(&it, rho, pressure);
            if (other > 0.0 && gibbs(&it, other) < gibbs(&it, rho))
                return liquid(ctx, &it, pressure, temperature);
        }
    }
    *density = rho;
    if (slope)
        *slope = 1.0 / (it.rt * s.stiffness);
    return POY_OK;
}

poy_status poyi_fluid_pressure(poy_ctx *ctx, const poyi_fluid *fluid, double density, double temperature,
                               double *pressure)
{
    POYI_TRY(ctx, check_temperature(ctx, fluid, temperature));
    if (!(density >= 0.0) || !isfinite(density))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: density %g mol/m3: it must be 0 or above", fluid->name, density);
    const isotherm it = isotherm_of(fluid, temperature);
    *pressure = pressure_at(&it, density, state_at(&it, density));
    return POY_OK;
}
