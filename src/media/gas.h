/* gas.h: what a poy_gas holds. */
#ifndef POYI_GAS_H
#define POYI_GAS_H

#include "media/density.h"
#include "media/jet.h"
#include "poynting/media.h"

typedef enum poyi_gas_form { POYI_GAS_SELLMEIER, POYI_GAS_RESONANCE, POYI_GAS_WAVENUMBER } poyi_gas_form;

/* A row of gas.def. */
typedef struct poyi_gas_row {
    const char *name, *species, *fluid;
    poyi_gas_form form;
    double pressure, temperature;     /* of the reference density */
    double fit_min, fit_max, use_min; /* um; 0: not stated */
    const char *source;
    double coefficient[6];
} poyi_gas_row;

struct poy_gas {
    const poyi_gas_row *row;
    const poyi_fluid *fluid;
    double reference_density; /* 1/m^3 */
    double pole;              /* um */
};

#endif
