/* gas.c: the list of gases, their densities and the polarisability of a particle. */
#include "media/gas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/constants.h"
#include "media/media.h"

#define GAS(name, species, fluid, form, pressure, temperature, fit_min, fit_max, use_min, source, ...) \
    {name, species, fluid, POYI_GAS_##form, pressure, temperature, fit_min, fit_max, use_min, source, {__VA_ARGS__}},
static const poyi_gas_row rows[] = {
#include "media/data/gas.def"
};
#undef GAS
enum { GASES = sizeof rows / sizeof *rows };

/* ---- the list ---- */

int poy_gas_count(void)
{
    return GASES;
}

/* The longest resonance of a row's formula in um. */
static double pole_of(const poyi_gas_row *row)
{
    const double *c = row->coefficient;
    double pole = 0.0;
    switch (row->form) {
    case POYI_GAS_SELLMEIER:
        for (int i = 1; i < 6; i += 2)
            pole = fmax(pole, sqrt(fmax(c[i], 0.0)));
        return pole;
    case POYI_GAS_RESONANCE:
        for (int i = 2; i < 6 && c[i] > 0.0; i += 2)
            pole = fmax(pole, 1.0 / sqrt(c[i]));
        return pole;
    case POYI_GAS_WAVENUMBER: return 1e4 / sqrt(c[2]);
    }
    return pole;
}

static double stated(double um)
{
    return um > 0.0 ? um * 1e-6 : (double)NAN;
}

poy_status poy_gas_info_at(poy_ctx *ctx, int i, poy_gas_info *out)
{
    if (i < 0 || i >= GASES)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "gas %d: there are gases 0 to %d", i, GASES - 1);
    const poyi_gas_row *row = &rows[i];
    const poyi_fluid *fluid = poyi_fluid_find(row->fluid);
    const double pole = pole_of(row) * 1e-6;
    *out = (poy_gas_info){
        .name = row->name,
        .species = row->species,
        .lambda_min = fmax(pole, row->use_min * 1e-6),
        .lambda_pole = pole,
        .fit_min = stated(row->fit_min),
        .fit_max = stated(row->fit_max),
        .temperature_min = fluid->temperature_min,
        .temperature_max = fluid->temperature_max,
        .pressure_max = fluid->pressure_max,
        .index_source = row->source,
        .density_source = fluid->source,
        .kerr_source = poyi_kerr_source(row->species),
        .ionisation_source = poyi_ionisation_source(row->species),
    };
    out->raman_source = poyi_raman_gas_source(row->species, &out->raman);
    return POY_OK;
}

const char *poy_gas_formula(const char *name)
{
    static const char *const names[][2] = {
        {"helium", "He"},
        {"neon", "Ne"},
        {"argon", "Ar"},
        {"krypton", "Kr"},
        {"xenon", "Xe"},
        {"nitrogen", "N2"},
        {"hydrogen", "H2"},
        {"deuterium", "D2"},
        {"oxygen", "O2"},
        {"methane", "CH4"},
        {"nitrous oxide", "N2O"},
        {"sulfur hexafluoride", "SF6"},
        {"sulphur hexafluoride", "SF6"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!strcasecmp(names[i][0], name))
            return names[i][1];
    for (int i = 0; i < GASES; i++)
        if (!strcasecmp(rows[i].name, name)) /* "ar" */
            return rows[i].name;
    return NULL;
}

static poy_status unknown(poy_ctx *ctx, const char *name)
{
    char list[256] = "";
    if (poy_gas_formula(name))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas \"%s\" is unknown: did you mean \"%s\"?", name,
                         poy_gas_formula(name));
    size_t used = 0;
    for (int i = 0; i < GASES; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", rows[i].name);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas \"%s\" is unknown: the gases are %s", name, list);
}

poy_status poy_gas_create(poy_ctx *ctx, const char *name, poy_gas **out)
{
    const poyi_gas_row *row = NULL;
    double density = 0.0;
    for (int i = 0; i < GASES; i++)
        if (!strcmp(rows[i].name, name))
            row = &rows[i];
    if (!row)
        return unknown(ctx, name);
    const poyi_fluid *fluid = poyi_fluid_find(row->fluid);
    POYI_TRY(ctx, poyi_fluid_density(ctx, fluid, row->pressure, row->temperature, &density, NULL));
    poy_gas *gas = malloc(sizeof *gas);
    if (!gas)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the gas %s", name);
    *gas = (poy_gas){row, fluid, density * POYI_NA, pole_of(row)};
    *out = gas;
    return POY_OK;
}

void poy_gas_destroy(poy_gas **gas)
{
    free(*gas);
    *gas = NULL;
}

const char *poy_gas_name(const poy_gas *gas)
{
    return gas->row->name;
}

const char *poy_gas_species(const poy_gas *gas)
{
    return gas->row->species;
}

/* ---- density ---- */

static poy_status check_ideal(poy_ctx *ctx, const poy_gas *gas, const char *what, double value, double temperature)
{
    if (!(value >= 0.0) || !isfinite(value))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s %g: it must be 0 or above", gas->row->name, what, value);
    if (!(temperature > 0.0) || !isfinite(temperature))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: temperature %g K: it must be above 0", gas->row->name,
                         temperature);
    return POY_OK;
}

poy_status poy_gas_density(poy_ctx *ctx, const poy_gas *gas, poy_eos eos, double pressure, double temperature,
                           double *density, double *slope)
{
    double molar = 0.0, molar_slope = 0.0;
    if (eos == POY_EOS_IDEAL) {
        POYI_TRY(ctx, check_ideal(ctx, gas, "pressure in Pa", pressure, temperature));
        *density = pressure / (POYI_KB * temperature);
        if (slope)
            *slope = 1.0 / (POYI_KB * temperature);
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_fluid_density(ctx, gas->fluid, pressure, temperature, &molar, &molar_slope));
    *density = molar * POYI_NA;
    if (slope)
        *slope = molar_slope * POYI_NA;
    return POY_OK;
}

poy_status poy_gas_pressure(poy_ctx *ctx, const poy_gas *gas, poy_eos eos, double density, double temperature,
                            double *pressure)
{
    if (eos == POY_EOS_IDEAL) {
        POYI_TRY(ctx, check_ideal(ctx, gas, "density in 1/m3", density, temperature));
        *pressure = density * POYI_KB * temperature;
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_fluid_pressure(ctx, gas->fluid, density / POYI_NA, temperature, pressure));
    return POY_OK;
}

/* ---- polarisability ---- */

/* gamma1 reference_density as a jet in the frequency; s2 = 1/u^2 in 1/um^2. */
static poyi_jet susceptibility_at_reference(const poyi_gas_row *row, poyi_jet s2)
{
    const double *c = row->coefficient;
    poyi_jet sum = poyi_jet_constant(s2.order, 0.0), one = poyi_jet_constant(s2.order, 1.0);
    switch (row->form) {
    case POYI_GAS_SELLMEIER: /* B u^2/(u^2 - C) = B/(1 - C/u^2) */
        for (int i = 0; i < 6 && c[i] != 0.0; i += 2)
            sum = poyi_jet_add_scaled(sum, c[i], poyi_jet_div(one, poyi_jet_add_scaled(one, -c[i + 1], s2)));
        return sum;
    case POYI_GAS_RESONANCE:
        sum.c[0] = c[0];
        for (int i = 1; i < 5 && c[i] != 0.0; i += 2) {
            poyi_jet distance = poyi_jet_add_scaled(poyi_jet_constant(s2.order, c[i + 1]), -1.0, s2);
            sum = poyi_jet_add_scaled(sum, c[i], poyi_jet_div(one, distance));
        }
        break;
    case POYI_GAS_WAVENUMBER: {
        poyi_jet distance = poyi_jet_add_scaled(poyi_jet_constant(s2.order, c[2]), -1e8, s2);
        sum = poyi_jet_scale(poyi_jet_div(poyi_jet_constant(s2.order, c[1]), distance), 1e-8);
        sum.c[0] += 1e-8 * c[0];
    } break;
    }
    return poyi_jet_mul(sum, poyi_jet_offset(sum, 2.0)); /* n^2 - 1 = (n - 1)(n - 1 + 2) */
}

poy_status poyi_gas_polarisability(poy_ctx *ctx, const poy_gas *gas, double omega, int order, poyi_jet *out)
{
    if (order < 0 || order > POY_DERIVATIVES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: derivative of order %d: orders 0 to %d are built", gas->row->name,
                         order, POY_DERIVATIVES_MAX);
    if (!(omega > 0.0) || !isfinite(omega))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: angular frequency %g rad/s: it must be above 0", gas->row->name,
                         omega);
    const double u = 2e6 * POYI_PI * POYI_C / omega;
    if (u <= gas->pole)
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "%s has no index at %.5g nm: its formula ends at the resonance at %.5g nm: keep all "
                         "wavelengths above it",
                         gas->row->name, u * 1e3, gas->pole * 1e3);
    poyi_jet s2 = poyi_jet_power_of_frequency(order, 1.0 / (u * u), 2.0);
    *out = poyi_jet_scale(susceptibility_at_reference(gas->row, s2), 1.0 / gas->reference_density);
    return POY_OK;
}

poy_status poy_gas_polarisability(poy_ctx *ctx, const poy_gas *gas, double omega, int order, double *out)
{
    poyi_jet jet;
    POYI_TRY(ctx, poyi_gas_polarisability(ctx, gas, omega, order, &jet));
    poyi_jet_derivatives(&jet, omega, out);
    return POY_OK;
}

poy_status poy_gas_check_range(poy_ctx *ctx, const poy_gas *gas, double lambda_min, int extrapolate)
{
    const char *name = gas->row->name;
    const double end = fmax(gas->pole, gas->row->use_min), u = lambda_min * 1e6;
    if (!(u > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: wavelength %g m: it must be above 0", name, lambda_min);
    if (u <= gas->pole)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s index data end at %.5g nm, above %.5g nm: raise it", name, end * 1e3,
                         u * 1e3);
    if (u < end && !extrapolate)
        return POYI_FAIL(
            ctx, POY_ERR_RANGE,
            "%s index data end at %.5g nm, above %.5g nm: raise it, or set materials.%s.extrapolate = true", name,
            end * 1e3, u * 1e3, name);
    return POY_OK;
}
