/* defaults.c: the defaults of a pulse recipe that follow from its other keys, and pins. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/recipe/origin.h"
#include "run/recipe/pulse.h"
#include "run/recipe/settings.h"

static int has(const poy_recipe *r, const char *path)
{
    return poyi_node_find(r->resolved, path) != NULL;
}

static void set_default(poy_recipe *r, const char *path, const char *toml)
{
    if (!has(r, path))
        poyi_resolved_set(r, path, toml);
}

static void default_length(poy_recipe *r, const char *path, double metres)
{
    char text[64], toml[80];
    poy_quantity_format(metres, POY_DIM_LENGTH, 0, sizeof text, text);
    snprintf(toml, sizeof toml, "\"%s\"", text);
    set_default(r, path, toml);
}

static void default_raman(poy_recipe *r)
{
    const poyi_node *raman = poyi_node_find(r->resolved, "physics.raman");
    const int glass = r->type == POYI_TYPE_FIBRE || r->type == POYI_TYPE_STEP_INDEX;
    int is_auto = !raman || poyi_is_word(raman, "auto") || (raman->kind == POYI_BOOL && raman->integer);
    if (raman && raman->kind == POYI_BOOL && !raman->integer)
        poyi_resolved_set(r, "physics.raman", "\"off\"");
    else if (is_auto)
        poyi_resolved_set(r, "physics.raman", glass ? "\"blow_wood\"" : "\"auto\"");
}

static void default_physics(poy_recipe *r)
{
    int real = r->type != POYI_TYPE_FIBRE && r->type != POYI_TYPE_STEP_INDEX;
    const poyi_node *fill = poyi_node_find(r->resolved, "gas.fill");
    set_default(r, "physics.field", real ? "\"real\"" : "\"envelope\"");
    real = poyi_is_word(poyi_node_find(r->resolved, "physics.field"), "real");
    set_default(r, "physics.thg", real ? "true" : "false");
    default_raman(r);
    const int vacuum = poyi_is_word(fill, "vacuum");
    set_default(r, "physics.kerr", vacuum ? "false" : "true");
    if (!(r->type & (POYI_TYPE_HOLLOW | POYI_TYPE_FREE)))
        return;
    set_default(r, "physics.plasma", real && fill && !vacuum ? "true" : "false");
    const poyi_node *preionised = poyi_node_find(r->resolved, "physics.preionised");
    set_default(r, "physics.plasma_rule", preionised && preionised->real > 0 ? "\"band:2\"" : "\"trapezoid\"");
}

const char *poyi_default_wall(unsigned type)
{
    return type == POYI_TYPE_ANTIRESONANT ? "SiO2" : type & POYI_TYPE_WALLED ? "SiO2:table" : NULL;
}

static void default_guide(poy_ctx *ctx, poy_recipe *r)
{
    char wall[32];
    const int one = poyi_mode_count(ctx, r, poyi_node_find(r->resolved, "geometry.modes")) == 1;
    if (r->type & POYI_TYPE_GUIDE)
        set_default(r, "geometry.averaged", one ? "true" : "false");
    snprintf(wall, sizeof wall, "\"%s\"", poyi_default_wall(r->type) ? poyi_default_wall(r->type) : "");
    if (r->type & POYI_TYPE_WALLED)
        set_default(r, "geometry.wall", wall);
    if (r->type == POYI_TYPE_CAPILLARY)
        set_default(r, "geometry.model", "\"full\"");
    if (r->type == POYI_TYPE_ANTIRESONANT)
        set_default(r, "geometry.model", "\"thin_wall\"");
}

static void default_solver(poy_ctx *ctx, poy_recipe *r)
{
    double length = poyi_recipe_quantity(ctx, r, "geometry.length", POY_DIM_LENGTH, 1);
    double first = length / 100 < 1e-4 ? length / 100 : 1e-4;
    int windows = has(r, "grid.wavelength_min");
    double longest = poyi_recipe_quantity(ctx, r, "solver.dz_max", POY_DIM_LENGTH, length / 2);
    double shortest = poyi_recipe_quantity(ctx, r, "solver.dz_min", POY_DIM_LENGTH, 1e-14 * length);
    first = first < longest ? first : longest;
    default_length(r, "solver.dz_max", longest);
    default_length(r, "solver.dz_first", first > shortest ? first : shortest);
    default_length(r, "solver.dz_min", shortest);
    set_default(r, "solver.absorber", windows ? "\"in_stage\"" : "\"none\"");
    if (!poyi_is_word(poyi_node_find(r->resolved, "solver.absorber"), "none"))
        default_length(r, "solver.absorber_length", length / 50);
}

/* The first pulse's wavelength, as it was given; of a state that of its run. */
static void default_reference(poy_ctx *ctx, poy_recipe *r, const char *path)
{
    char toml[96];
    poyi_origin state = {.reference = NULL};
    const poyi_node *at = poyi_pulse_carrier(r, 0), *from = poyi_recipe_pulse_key(r, 0, "from");
    if (!at && from)
        poyi_origin_read(ctx, r, from->parent, &state);
    snprintf(toml, sizeof toml, "\"%s\"", at ? at->text : state.reference ? state.reference : "");
    set_default(r, path, toml);
}

/* A schedule that is named by a file becomes a list, so that the resolved recipe stands alone. */
static void resolve_schedule(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *node = poyi_node_find(r->resolved, "solver.schedule");
    const double *steps;
    int64_t n;
    char length[64];
    poyi_text list = {0};
    if (!node || node->kind != POYI_STRING || poyi_read_schedule(ctx, r, node, &steps, &n) != POY_OK)
        return;
    if (!has(r, "output.plane_positions"))
        set_default(r, "output.planes", "201"); /* those of the run that is replayed, unless it had others */
    poyi_text_add(&list, "[");
    for (int64_t i = 0; i < n; i++) {
        poy_quantity_format(steps[i], POY_DIM_LENGTH, 0, sizeof length, length);
        poyi_text_add(&list, "%s\"%s\"", i ? ", " : "", length);
    }
    poyi_text_add(&list, "]");
    if (list.failed)
        r->arena.failed = 1;
    else
        poyi_resolved_set(r, "solver.schedule", list.text);
    poyi_text_fini(&list);
}

static int is_profile(const poy_recipe *r, const char *path)
{
    const poyi_node *node = poyi_node_find(r->resolved, path);
    return node && node->kind == POYI_ARRAY;
}

static void default_stats(poy_recipe *r)
{
    const int tapered = is_profile(r, "geometry.core_radius") || is_profile(r, "geometry.core_diameter");
    if (!(r->type & POYI_TYPE_HOLLOW))
        set_default(r, "output.stats", "[\"energy\", \"photon_number\", \"omega_mean\"]");
    else if (tapered)
        set_default(r, "output.stats",
                    "[\"energy\", \"photon_number\", \"omega_mean\", \"pressure\", \"density\", \"core_radius\"]");
    else
        set_default(r, "output.stats", "[\"energy\", \"photon_number\", \"omega_mean\", \"pressure\", \"density\"]");
}

void poyi_resolve_pulse(poy_ctx *ctx, poy_recipe *r)
{
    char path[64];
    resolve_schedule(ctx, r);
    default_guide(ctx, r);
    default_physics(r);
    default_solver(ctx, r);
    default_reference(ctx, r, "grid.reference");
    if (has(r, "fibre.beta") || has(r, "fibre.D"))
        default_reference(ctx, r, "fibre.beta_at");
    for (int i = 0; i < poyi_pulse_count(r); i++) {
        snprintf(path, sizeof path, "pulse.%d.order", i);
        const poyi_node *shape = poyi_recipe_pulse_key(r, i, "shape");
        if (poyi_recipe_pulse_key(r, i, "from")) {
            snprintf(path, sizeof path, "pulse.%d.shape", i);
            poyi_resolved_set(r, path, "\"result\"");
        } else if (!shape || poyi_is_word(shape, "gaussian")) {
            set_default(r, path, "1");
        }
        snprintf(path, sizeof path, "pulse.%d.line", i);
        if (poyi_recipe_pulse_key(r, i, "linewidth"))
            set_default(r, path, "\"sech2\"");
    }
    const poyi_node *schedule = poyi_node_find(r->resolved, "solver.schedule");
    if (!has(r, "output.plane_positions")) /* the steps of a list need not end on other planes */
        set_default(r, "output.planes", schedule && schedule->kind == POYI_ARRAY ? "2" : "201");
    poyi_settings_pins(ctx, r);
    default_stats(r);
    set_default(r, "plots.kinds", "[\"evolution\", \"spectrum\", \"temporal\"]");
}
