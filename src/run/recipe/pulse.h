/* pulse.h: what the files that check and resolve pulse recipes share. */
#ifndef POYI_RECIPE_PULSE_H
#define POYI_RECIPE_PULSE_H

#include "run/recipe/recipe.h"

/* A value that passed its own check, else NULL: nothing is said twice about a bad one. */
const poyi_node *poyi_good(const poy_recipe *r, const char *path);

const poyi_node *poyi_recipe_pulse_key(const poy_recipe *r, int i, const char *name);
int poyi_pulse_count(const poy_recipe *r);
/* The node that says the wavelength of pulse i: wavelength, frequency or photon_energy. */
const poyi_node *poyi_pulse_carrier(const poy_recipe *r, int i);
int poyi_is_real_field(const poy_recipe *r);
/* The material of the wall where a recipe names none; NULL for guides without one. */
const char *poyi_default_wall(unsigned type);
/* The accepted steps of a result, in the recipe's arena. */
poy_status poyi_read_schedule(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const double **steps, int64_t *n);

/* A fault where the wavelength that text says for what node asks is outside of it. */
void poyi_check_inside(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *path, const char *text);

/* Calls fn with each mode that geometry.modes names, groups ("LP11") by their members; of a table by its own names. */
void poyi_each_mode(poy_ctx *ctx, const poy_recipe *r, const poyi_node *modes, void (*fn)(void *user, const char *name),
                    void *user);
/* How many they are; 1 of none. */
int poyi_mode_count(poy_ctx *ctx, const poy_recipe *r, const poyi_node *modes);
/* Is a mixture given by shares, { Ar = 0.8, He = 0.2 }, not by partial pressures? */
int poyi_fill_has_shares(const poyi_node *fill);
/* Of "p" or "p -> q", Pa: at the launch and at the end; NaN where it is no pressure. */
void poyi_pressure_ends(poy_ctx *ctx, const poyi_node *node, double out[2]);

/* Warnings about keys that have no effect (idle.c). */
void poyi_check_idle(poy_recipe *r);
/* The guide, its modes, its gas, and what the light does in it (guide.c). */
void poyi_check_guide(poy_ctx *ctx, poy_recipe *r);

#endif
