/* settings.h: a resolved pulse recipe as the options of the physics. */
#ifndef POYI_SETTINGS_H
#define POYI_SETTINGS_H

#include "poynting/pulse.h"
#include "run/recipe.h"

typedef struct poyi_settings {
    poyi_arena arena; /* of the lists below */
    poy_grid *grid;
    poy_problem *problem;
    poy_pulse_options *pulses;
    int n_pulses;
    double length, *planes;
    int n_planes;
} poyi_settings;

/* Builds grid and problem of a checked recipe. Where the physics refuses, the fault names the key and its line: one more
 * fault of the recipe, POY_ERR_RECIPE. Errors: also POY_ERR_UNSUPPORTED, POY_ERR_BUDGET, POY_ERR_MEMORY. */
poy_status poyi_settings_create(poy_ctx *ctx, poy_recipe *r, poyi_settings *out);
void poyi_settings_fini(poyi_settings *s);
/* The failure in the context, "key: problem: hint", as a fault of the recipe; passes other statuses on. */
poy_status poyi_settings_refused(poy_ctx *ctx, poy_recipe *r, poy_status status, const char *key);

#endif
