/* guide.c: what the keys of a guide, its gas and the physics in it say together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "poynting/media.h"
#include "run/recipe/material.h"
#include "run/recipe/pulse.h"
#include "run/recipe/settings.h"

/* ---- wavelengths ---- */

static void check_gas_range(poy_ctx *ctx, poy_recipe *r, const char *name)
{
    char path[96], limit[48];
    const poyi_node *min = poyi_good(r, "grid.wavelength_min");
    double shortest = poyi_node_quantity(ctx, min, POY_DIM_SPECTRAL);
    poy_gas_info info;
    snprintf(path, sizeof path, "materials.%s.extrapolate", name);
    const poyi_node *extrapolate = poyi_good(r, path);
    int beyond = extrapolate && extrapolate->integer;
    for (int i = 0; i < poy_gas_count(); i++) {
        if (poy_gas_info_at(ctx, i, &info) != POY_OK || strcmp(info.name, name) != 0)
            continue;
        const double pole = 1.1 * info.lambda_pole; /* the signal band reaches a tenth beyond its limit */
        if (!beyond && shortest < info.lambda_min) {
            poy_quantity_format(info.lambda_min, POY_DIM_LENGTH, 4, sizeof limit, limit);
            poyi_fault(r, min, NULL, "E_RANGE",
                       "%s index data end at %s\nraise it, or set materials.%s.extrapolate = true", name, limit, name);
        } else if (shortest <= pole) {
            poy_quantity_format(pole, POY_DIM_LENGTH, 4, sizeof limit, limit);
            poyi_fault(r, min, NULL, "E_RANGE",
                       "%s has a resonance in the signal band, which reaches a tenth beyond it\nraise it above %s",
                       name, limit);
        }
    }
}

/* ---- pressures ---- */

static double largest(double a, double b)
{
    return isnan(a) || b > a ? b : a;
}

int poyi_fill_has_shares(const poyi_node *fill)
{
    return fill->kind == POYI_TABLE && fill->first && poyi_node_is_number(fill->first);
}

void poyi_pressure_ends(poy_ctx *ctx, const poyi_node *node, double out[2])
{
    const char *arrow = node->kind == POYI_STRING ? strstr(node->text, "->") : NULL;
    char from[64];
    poy_quantity q;
    out[0] = out[1] = (double)NAN;
    if (!arrow) {
        out[0] = out[1] = poyi_node_quantity(ctx, node, POY_DIM_PRESSURE);
        return;
    }
    snprintf(from, sizeof from, "%.*s", (int)(arrow - node->text), node->text);
    if (poy_quantity_parse_as(ctx, from, POY_DIM_PRESSURE, &q) == POY_OK)
        out[0] = q.value;
    if (poy_quantity_parse_as(ctx, arrow + 2, POY_DIM_PRESSURE, &q) == POY_OK)
        out[1] = q.value;
}

/* Of a value, a gradient or a profile, Pa; NaN where it is not known yet. */
static double highest_pressure(poy_ctx *ctx, const poyi_node *node)
{
    double most = (double)NAN, ends[2];
    if (!node || !node->known)
        return most;
    for (const poyi_node *point = node->kind == POYI_ARRAY ? node->first : NULL; point; point = point->next)
        most = largest(most, poyi_node_quantity(ctx, point->last, POY_DIM_PRESSURE));
    if (node->kind != POYI_STRING)
        return most;
    poyi_pressure_ends(ctx, node, ends);
    return largest(largest(most, ends[0]), ends[1]);
}

/* { pin = "rdw", "rdw_soliton" or "zdw", wavelength } or { pin = "soliton_order", value }. */
static void check_pin(poy_ctx *ctx, poy_recipe *r, const poyi_node *pin, const char *path)
{
    char key[96], other_key[96];
    const int order = poyi_is_word(poyi_node_child(pin, "pin"), "soliton_order");
    const char *needed = order ? "value" : "wavelength", *without = order ? "wavelength" : "value";
    const poyi_node *other = poyi_node_child(pin, without), *at = order ? NULL : poyi_node_child(pin, needed);
    snprintf(key, sizeof key, "%s.%s", path, needed);
    snprintf(other_key, sizeof other_key, "%s.%s", path, without);
    if (!poyi_node_child(pin, needed))
        poyi_fault(r, pin, key, "E_MISSING", "missing\nadd %s", order ? "value = 3.0" : "wavelength = \"280 nm\"");
    if (other)
        poyi_fault(r, other, other_key, "E_CONFLICT", "has no meaning for pin = \"%s\"\nremove it",
                   poyi_node_child(pin, "pin")->text);
    if (at && at->kind == POYI_STRING)
        poyi_check_inside(ctx, r, at, key, at->text);
}

/* Each for itself, and one at most: a target does not say how two values share it. */
static void check_pins(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *first = NULL;
    const char *first_path = "";
    for (int i = 0; poyi_settings_pin_path(i); i++) {
        const poyi_node *pin = poyi_good(r, poyi_settings_pin_path(i));
        if (!pin || pin->kind != POYI_TABLE)
            continue;
        check_pin(ctx, r, pin, poyi_settings_pin_path(i));
        if (first)
            poyi_fault(r, pin, NULL, "E_CONFLICT", "%s is pinned already (line %d)\ngive one of them a value",
                       first_path, first->line);
        first = pin;
        first_path = poyi_settings_pin_path(i);
    }
}

/* ---- one species ---- */

static int is_off(const poyi_node *node)
{
    return poyi_is_word(node, "off") || (node && node->kind == POYI_BOOL && !node->integer);
}

static int is_on(const poyi_node *node)
{
    return node && node->kind == POYI_BOOL && node->integer;
}

/* The key that the user can change: node, or else the fill. */
static void refused(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const poyi_node *fill, const char *key)
{
    poyi_fault_from_ctx(ctx, r, node ? node : fill, node ? NULL : key, "E_PHYSICS");
}

static void check_state(poy_ctx *ctx, poy_recipe *r, const poy_gas *gas, const poyi_node *at, double pressure)
{
    const poyi_node *temperature = poyi_good(r, "gas.temperature");
    const double kelvin = temperature ? poyi_node_quantity(ctx, temperature, POY_DIM_TEMPERATURE) : 293.15;
    double density = 0;
    if (!isnan(pressure) && !isnan(kelvin) &&
        poy_gas_density(ctx, gas, poyi_is_word(poyi_good(r, "gas.eos"), "ideal") ? POY_EOS_IDEAL : POY_EOS_HELMHOLTZ,
                        pressure, kelvin, &density, NULL) != POY_OK)
        poyi_fault_from_ctx(ctx, r, at, NULL, "E_RANGE");
}

static void check_rate(poy_ctx *ctx, poy_recipe *r, const poy_gas *gas, const poyi_node *fill)
{
    const poyi_node *plasma = poyi_good(r, "physics.plasma"), *rate = poyi_good(r, "physics.rate");
    poy_ionisation *ionisation = NULL;
    poy_ionisation_options o;
    if (is_off(plasma) || (!plasma && !poyi_is_real_field(r)))
        return;
    poy_ionisation_options_init(&o);
    o.wavelength = 800e-9; /* any: only the species is asked about */
    o.model = poyi_is_word(rate, "ppt")   ? POY_IONISATION_PPT
              : poyi_is_word(rate, "adk") ? POY_IONISATION_ADK
                                          : POY_IONISATION_AUTO;
    if (poy_ionisation_create(ctx, gas, &o, &ionisation) != POY_OK)
        refused(ctx, r, rate ? rate : plasma, fill, "physics.plasma");
    poy_ionisation_destroy(&ionisation);
}

static void check_molecule(poy_ctx *ctx, poy_recipe *r, const poy_gas *gas, const poyi_node *fill)
{
    const poyi_node *raman = poyi_good(r, "physics.raman");
    poy_gas_raman *lines = NULL;
    if (is_on(raman) && poy_gas_raman_create(ctx, gas, 293.15, NULL, &lines) != POY_OK)
        refused(ctx, r, raman, fill, "physics.raman");
    poy_gas_raman_destroy(&lines);
}

static void check_species(poy_ctx *ctx, poy_recipe *r, const char *name, const poyi_node *fill, const poyi_node *at,
                          double pressure)
{
    const poyi_node *kerr = poyi_good(r, "physics.kerr");
    poy_gas *gas = NULL;
    double gamma3 = 0;
    if (poy_gas_create(ctx, name, &gas) != POY_OK) {
        poy_ctx_clear(ctx);
        return; /* vacuum, or told already */
    }
    check_gas_range(ctx, r, name);
    check_state(ctx, r, gas, at, pressure);
    if (!is_off(kerr) && poy_gas_hyperpolarisability(ctx, gas, &gamma3) != POY_OK)
        refused(ctx, r, kerr, fill, "gas.fill");
    check_rate(ctx, r, gas, fill);
    check_molecule(ctx, r, gas, fill);
    poy_gas_destroy(&gas);
}

/* ---- gas ---- */

static void check_presence(poy_recipe *r, const poyi_node *fill)
{
    const poyi_node *gas = poyi_node_child(r->root, "gas"), *pressure = poyi_node_find(r->root, "gas.pressure");
    const int hollow = (r->type & POYI_TYPE_HOLLOW) != 0, vacuum = poyi_is_word(fill, "vacuum");
    const int partial = fill && fill->kind == POYI_TABLE && !poyi_fill_has_shares(fill);
    if (!fill && (hollow || gas))
        poyi_missing(r, "gas.fill", hollow ? "a hollow guide needs its gas" : "a gas cell needs its gas",
                     "fill = \"He\", or fill = \"vacuum\"");
    if (fill && !partial && !vacuum && !pressure)
        poyi_missing(r, "gas.pressure",
                     fill->kind == POYI_TABLE ? "shares need the pressure of all gases"
                                              : "a filled guide needs its pressure",
                     "pressure = \"1 bar\"");
    if (pressure && (partial || vacuum))
        poyi_fault(r, pressure, NULL, "E_CONFLICT", "%s (line %d)\n%s",
                   partial ? "fill has partial pressures already" : "vacuum has no pressure", fill->line,
                   partial ? "remove it, or give shares, e.g. fill = { Ar = 0.8, He = 0.2 }" : "remove it");
}

/* Gases in one tube flow together: what enters as a mixture stays one. */
static void check_composition(poy_ctx *ctx, poy_recipe *r, const poyi_node *fill)
{
    double sum[2] = {0, 0}, ends[2];
    for (const poyi_node *part = fill->first; part; part = part->next) {
        poyi_pressure_ends(ctx, part, ends);
        sum[0] += ends[0];
        sum[1] += ends[1];
    }
    if (!(sum[0] + sum[1] > 0))
        poyi_fault(r, fill, NULL, "E_VALUE", "its pressures add up to nothing\nwrite fill = \"vacuum\"");
    for (const poyi_node *part = fill->first; part; part = part->next) {
        poyi_pressure_ends(ctx, part, ends);
        if (fabs(ends[0] * sum[1] - ends[1] * sum[0]) <= 1e-9 * sum[0] * sum[1])
            continue;
        poyi_fault(r, part, "gas.fill", "E_CONFLICT",
                   "%s has another share of the gas at the end than at the launch: gases in one tube flow together\n"
                   "keep the shares, e.g. fill = { Ar = 0.8, He = 0.2 } with pressure = \"1 bar -> 0 bar\"",
                   part->key);
        return;
    }
}

static void check_gas(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *fill = poyi_node_find(r->root, "gas.fill"), *pressure = poyi_node_find(r->root, "gas.pressure");
    check_presence(r, fill);
    if (!fill || !fill->known)
        return;
    const double all = highest_pressure(ctx, pressure);
    if (fill->kind == POYI_STRING)
        check_species(ctx, r, fill->text, fill, pressure, all);
    else if (!poyi_fill_has_shares(fill))
        check_composition(ctx, r, fill);
    for (const poyi_node *part = fill->kind == POYI_TABLE ? fill->first : NULL; part; part = part->next) {
        double ends[2] = {part->real * all, part->real * all};
        if (part->kind == POYI_STRING)
            poyi_pressure_ends(ctx, part, ends);
        check_species(ctx, r, part->key, fill, part->kind == POYI_STRING || !pressure ? part : pressure,
                      largest(ends[0], ends[1]));
    }
}

/* ---- physics in a gas ---- */

static void check_responses(poy_recipe *r)
{
    static const char *const silica = "blow_wood lin_agrawal hollenbeck_cantrell";
    const poyi_node *fill = poyi_good(r, "gas.fill"), *raman = poyi_good(r, "physics.raman");
    const poyi_node *fraction = poyi_good(r, "physics.raman_fraction"), *plasma = poyi_good(r, "physics.plasma");
    const poyi_node *preionised = poyi_good(r, "physics.preionised");
    const char *const of_gas[] = {"physics.kerr", "physics.plasma", "physics.raman"};
    if (raman && raman->kind == POYI_STRING && poyi_word_in(silica, raman->text))
        poyi_fault(r, raman, NULL, "E_CONFLICT", "%s is a model of silica\nwrite true or false for the gas",
                   raman->text);
    if (fraction && !is_off(raman))
        poyi_fault(r, fraction, NULL, "E_CONFLICT", "belongs to the models of silica\nremove it");
    for (int i = 0; i < 3 && poyi_is_word(fill, "vacuum"); i++)
        if (is_on(poyi_good(r, of_gas[i])))
            poyi_fault(r, poyi_good(r, of_gas[i]), NULL, "E_CONFLICT",
                       "there is no gas (gas.fill, line %d)\nremove it, or fill the guide", fill->line);
    if (is_on(plasma) && !poyi_is_real_field(r))
        poyi_fault(r, plasma, NULL, "E_CONFLICT",
                   "free electrons need the field itself, not an envelope\nuse field = \"real\", or plasma = false");
    if (preionised && preionised->real > 0 && (is_off(plasma) || !poyi_is_real_field(r)))
        poyi_fault(r, preionised, NULL, "E_CONFLICT", "there is no plasma\nset plasma = true, or remove it");
}

/* ---- the guide ---- */

static void check_model(poy_recipe *r)
{
    const poyi_node *model = poyi_good(r, "geometry.model");
    const char *known = r->type == POYI_TYPE_CAPILLARY ? "full reduced" : "thin_wall thin_wall_luna tubes";
    static const char *const of_tubes[] = {"geometry.tubes", "geometry.tube_radius", "geometry.gap"};
    const int tubes = poyi_is_word(model, "tubes");
    if (model && !poyi_word_in(known, model->text))
        poyi_fault(r, model, NULL, "E_CONFLICT", "%s is no model of this type\nuse one of: %s", model->text, known);
    if (r->type != POYI_TYPE_ANTIRESONANT)
        return;
    for (int i = 0; i < 3; i++) {
        const poyi_node *key = poyi_good(r, of_tubes[i]);
        if (key && !tubes)
            poyi_fault(r, key, NULL, "E_CONFLICT", "belongs to model = \"tubes\"\nremove it, or choose that model");
    }
    if (tubes && !poyi_node_find(r->root, of_tubes[0]))
        poyi_missing(r, of_tubes[0], "the model of tubes needs their number", "tubes = 7");
    if (tubes && !poyi_node_find(r->root, of_tubes[1]) == !poyi_node_find(r->root, of_tubes[2]))
        poyi_missing(r, of_tubes[1], "the model of tubes needs their radius or their gap, one of the two",
                     "tube_radius = \"10 um\"");
}

/* The built-in material of a key, or of the wall that a guide has without it, over the grid's band. */
static void check_material(poy_ctx *ctx, poy_recipe *r, const char *path)
{
    const poyi_node *node = poyi_good(r, path), *materials = poyi_node_child(r->root, "materials");
    const poyi_node *min = poyi_good(r, "grid.wavelength_min"), *max = poyi_good(r, "grid.wavelength_max");
    const int absent = !poyi_node_find(r->root, path) && !strcmp(path, "geometry.wall");
    const char *name = node && node->kind == POYI_STRING ? node->text : absent ? poyi_default_wall(r->type) : NULL;
    const poyi_node *own = name && materials ? poyi_node_child(materials, name) : NULL;
    poy_material *material = NULL;
    if (node)
        poyi_check_plain_material(r, node);
    if (!name || poyi_material_explained(r, name) || poyi_material_is_file(name))
        return;
    if (poy_material_create(ctx, name, &material) != POY_OK) {
        poyi_fault_from_ctx(ctx, r, node, NULL, "E_VALUE");
        return;
    }
    const poyi_node *flag = own ? poyi_node_child(own, "extrapolate") : NULL;
    poy_material_set_extrapolate(material, flag && flag->integer);
    const double from = poyi_node_quantity(ctx, min, POY_DIM_SPECTRAL),
                 to = poyi_node_quantity(ctx, max, POY_DIM_SPECTRAL);
    if (from < to && poy_material_check_range(ctx, material, from, to) != POY_OK)
        poyi_fault_from_ctx(ctx, r, node ? node : max, NULL, "E_RANGE");
    poy_material_destroy(&material);
}

static void each_member(poy_ctx *ctx, const poy_recipe *r, const char *name, void (*fn)(void *, const char *),
                        void *user)
{
    poy_mode group[3];
    char member[24];
    int n = 0;
    if (r->type == POYI_TYPE_TABULATED) {
        fn(user, name);
        return;
    }
    if (poy_mode_group(ctx, name, group, &n) != POY_OK)
        poy_ctx_clear(ctx); /* told already */
    for (int i = 0; i < n; i++) {
        poy_mode_format(group[i], sizeof member, member);
        fn(user, member);
    }
}

void poyi_each_mode(poy_ctx *ctx, const poy_recipe *r, const poyi_node *modes, void (*fn)(void *user, const char *name),
                    void *user)
{
    if (modes->kind == POYI_STRING)
        each_member(ctx, r, modes->text, fn, user);
    for (const poyi_node *mode = modes->first; mode; mode = mode->next)
        if (mode->kind == POYI_STRING)
            each_member(ctx, r, mode->text, fn, user);
}

static void count_mode(void *user, const char *name)
{
    (void)name;
    ++*(int *)user;
}

int poyi_mode_count(poy_ctx *ctx, const poy_recipe *r, const poyi_node *modes)
{
    int n = 0;
    if (!modes)
        return 1;
    if (modes->kind == POYI_INTEGER)
        return (int)modes->integer;
    poyi_each_mode(ctx, r, modes, count_mode, &n);
    return n;
}

typedef struct wanted_mode {
    const char *name;
    int found;
} wanted_mode;

static void compare_mode(void *user, const char *name)
{
    wanted_mode *w = user;
    w->found |= !strcmp(w->name, name);
}

/* The mode of a pulse by the name that its guide has for it, "HE11" of "LP01". 1; or 0 after a fault. */
static int own_name(poy_ctx *ctx, poy_recipe *r, const poyi_node *mode, char out[24])
{
    poy_mode parsed;
    snprintf(out, 24, "%s", mode->text);
    if (r->type == POYI_TYPE_TABULATED)
        return 1;
    if (poy_mode_parse(ctx, mode->text, &parsed) != POY_OK) {
        poyi_fault_from_ctx(ctx, r, mode, NULL, "E_VALUE");
        return 0;
    }
    poy_mode_format(parsed, 24, out);
    return 1;
}

/* A pulse goes into a mode that is there. Of modes by number the names are the guide's. */
static void check_modes(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *modes = poyi_node_find(r->root, "geometry.modes");
    char name[24];
    for (int i = 0; i < poyi_pulse_count(r); i++) {
        const poyi_node *mode = poyi_recipe_pulse_key(r, i, "mode");
        if (!mode || (modes && !modes->known) || !own_name(ctx, r, mode, name))
            continue;
        const int named = modes && modes->kind != POYI_INTEGER, count = modes && !named ? (int)modes->integer : 1;
        wanted_mode wanted = {name, count > 1 || !strcmp(name, r->type == POYI_TYPE_RECTANGULAR ? "Ey11" : "HE11")};
        if (named) {
            wanted.found = 0;
            poyi_each_mode(ctx, r, modes, compare_mode, &wanted);
        }
        if (!wanted.found) /* of more the guide tells */
            poyi_fault(r, mode, NULL, "E_VALUE", "%s is not among the guide's modes (geometry.modes%s)\nadd it there",
                       mode->text, modes ? "" : " is 1");
    }
}

/* A table has an index and an area, but no field. */
static void check_table(poy_recipe *r)
{
    const poyi_node *averaged = poyi_good(r, "geometry.averaged"), *modes = poyi_good(r, "geometry.modes");
    const int several = modes && ((modes->kind == POYI_INTEGER && modes->integer > 1) ||
                                  (modes->kind == POYI_ARRAY && modes->count > 1));
    if (several)
        poyi_fault(r, modes, NULL, "E_CONFLICT", "a table describes one mode\nuse modes = 1, or another type");
    if (averaged && !averaged->integer)
        poyi_fault(r, averaged, NULL, "E_CONFLICT", "a table has no field at points of the cross-section\nremove it");
    for (int i = 0; i < poyi_pulse_count(r); i++)
        if (poyi_recipe_pulse_key(r, i, "beam.waist"))
            poyi_fault(r, poyi_recipe_pulse_key(r, i, "beam.waist"), NULL, "E_CONFLICT",
                       "a table has no field that a beam could overlap with\nremove it, or use another type");
}

void poyi_check_guide(poy_ctx *ctx, poy_recipe *r)
{
    static const char *const materials[] = {"geometry.wall", "geometry.core_material", "geometry.cladding"};
    if (r->type & (POYI_TYPE_HOLLOW | POYI_TYPE_FREE)) {
        check_gas(ctx, r);
        check_responses(r);
    }
    if (!(r->type & POYI_TYPE_GUIDE))
        return;
    check_modes(ctx, r);
    check_pins(ctx, r);
    if (r->type == POYI_TYPE_TABULATED)
        check_table(r);
    if (r->type & (POYI_TYPE_CAPILLARY | POYI_TYPE_ANTIRESONANT))
        check_model(r);
    for (int i = 0; i < 3; i++)
        check_material(ctx, r, materials[i]);
}
