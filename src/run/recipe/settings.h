/* settings.h: a resolved pulse recipe as the options of the physics. */
#ifndef POYI_SETTINGS_H
#define POYI_SETTINGS_H

#include "poynting/pulse.h"
#include "run/recipe/origin.h"
#include "run/recipe/recipe.h"

typedef struct poyi_settings {
    poyi_arena arena; /* of the lists below */
    poy_grid *grid;
    double grid_min, grid_max; /* wavelengths (m) that the grid was asked for; 0: none */
    poy_guide *guide;          /* NULL: a fibre that is known by numbers */
    /* The state: modes, each with all polarisations. */
    int n_columns, n_modes;
    const char **mode_names, *polarisations[2];
    poy_problem *problem;
    poy_pulse_options *pulses;
    poyi_origin *origins; /* [n_pulses]; n_columns 0: a pulse that starts from no other run */
    int n_pulses;
    double length, *planes;
    int n_planes;
    size_t bytes_peak; /* the most that was held while all this was made: plans of transforms on fine grids */
} poyi_settings;

/* Builds grid and problem of a checked recipe. Where the physics refuses, the fault names the key and its line: one more
 * fault of the recipe, POY_ERR_RECIPE. Errors: also POY_ERR_UNSUPPORTED, POY_ERR_BUDGET, POY_ERR_MEMORY. */
poy_status poyi_settings_create(poy_ctx *ctx, poy_recipe *r, poyi_settings *out);
void poyi_settings_fini(poyi_settings *s);
/* The failure in the context, "key: problem: hint", as a fault of the recipe; passes other statuses on. */
poy_status poyi_settings_refused(poy_ctx *ctx, poy_recipe *r, poy_status status, const char *key);
/* What stands before the problem: length, pulses, planes, grid. */
poy_status poyi_settings_basis(poy_ctx *ctx, poy_recipe *r, poyi_settings *out);

/* ---- pulses, materials (settings_launch.c) ---- */

/* The pulses, into the settings. */
void poyi_settings_pulses(poy_ctx *ctx, poy_recipe *r, poyi_settings *s);
/* Has any of their states light along x? */
int poyi_settings_origins_turn(const poyi_settings *s);
/* Which columns of the problem those of the states go into: by names of modes and polarisations. Errors: POY_ERR_ARGUMENT,
 * naming pulse.N.from. */
poy_status poyi_settings_origins_place(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s);
/* A list of quantities, in the arena of the settings. */
const double *poyi_settings_quantities(poy_ctx *ctx, poyi_settings *s, const poyi_node *list, poy_dimension dimension,
                                       int *n);
/* The material of a value: a name, which [materials] may explain, or { n, k } or { re, im }. */
poy_guide_material poyi_settings_material(poy_recipe *r, const poyi_node *node);

/* Where a guide is looked at for numbers: the launch, or, where there is no gas at the launch, the end. */
double poyi_settings_place(const poyi_settings *s);

/* ---- guides (settings_guide.c) ---- */

/* The guide of geometry, gas and materials; lists go into the arena. */
poy_status poyi_settings_guide(poy_ctx *ctx, poy_recipe *r, poyi_arena *arena, poy_guide **out);
/* Guide and problem of a hollow guide. */
poy_status poyi_settings_gas_problem(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poy_physics_options *physics,
                                     const poy_solver_options *solver);
/* Guide and problem of a glass fibre: index, effective area and n2, where they are not given, from it. */
poy_status poyi_settings_glass_problem(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, poy_fibre_options *fibre,
                                       const poy_physics_options *physics, const poy_solver_options *solver);

/* ---- pins (settings_pin.c) ---- */

/* Path i of what a target { pin, wavelength | value } may pin; NULL beyond the last. */
const char *poyi_settings_pin_path(int i);
/* Puts values in the place of pins in the resolved recipe; what cannot be met is a fault, what the pulse is too weak for a
 * warning. */
void poyi_settings_pins(poy_ctx *ctx, poy_recipe *r);

#endif
