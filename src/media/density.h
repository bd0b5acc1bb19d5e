/* density.h: reference equations of state of pure fluids (and of air as one), in molar densities. */
#ifndef POYI_DENSITY_H
#define POYI_DENSITY_H

#include "core/core.h"

typedef struct poyi_fluid {
    const char *name;
    int first, terms; /* rows of fluid_term.def */
    const char *source;
    double temperature_reducing; /* K */
    double density_reducing;     /* mol/m^3 */
    double gas_constant;         /* J/(mol K), the one that the equation was fitted with */
    double temperature_min, temperature_max;
    double pressure_max;         /* Pa */
    double temperature_critical; /* K */
} poyi_fluid;

/* The fluid of that name, NULL if there is none. */
const poyi_fluid *poyi_fluid_find(const char *name);

/* *density in mol/m^3 of the vapour (or the fluid above its critical temperature) at pressure (Pa) and temperature (K),
 * and, if slope is not NULL, *slope = d density/d pressure in mol/(m^3 Pa). p = rho R T (1 + delta d alpha_r/d delta) is
 * solved by Newton's method from the low-density side.
 * Errors: POY_ERR_ARGUMENT (pressure below 0 or not a number), POY_ERR_RANGE (outside the range of the equation, or the
 * state is liquid, by the Gibbs energies of both phases). */
poy_status poyi_fluid_density(poy_ctx *ctx, const poyi_fluid *fluid, double pressure, double temperature,
                              double *density, double *slope);
/* *pressure in Pa of a state of that density (mol/m^3) and temperature.
 * Errors: POY_ERR_ARGUMENT, POY_ERR_RANGE (temperature). */
poy_status poyi_fluid_pressure(poy_ctx *ctx, const poyi_fluid *fluid, double density, double temperature,
                               double *pressure);

#endif
