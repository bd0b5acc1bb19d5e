/* forms_physics.c: values with a structure of their own: pressures, profiles, materials, modes, dispersion, sweeps,
 * statistics, layers, points. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/guide.h"
#include "run/recipe/material.h"
#include "run/recipe/pulse.h"

/* ---- modes ---- */

/* A name that a guide reads, or of a group of modes; a table names its modes as it likes. */
static int mode_name(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *path)
{
    poy_mode modes[3];
    int n = 0;
    if (node->kind == POYI_STRING &&
        (r->type == POYI_TYPE_TABULATED || poy_mode_group(ctx, node->text, modes, &n) == POY_OK))
        return 1;
    if (node->kind == POYI_STRING)
        poyi_fault_from_ctx(ctx, r, node, path, "E_VALUE");
    else
        poyi_fault(r, node, path, "E_VALUE", "%s is no mode\nwrite a family and two indices, e.g. \"HE11\" or \"TE01\"",
                   node->typed);
    return 0;
}

int poyi_form_modes(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    if (node->kind == POYI_INTEGER)
        return poyi_check_number(r, key, node, path);
    if (node->kind == POYI_STRING)
        return mode_name(ctx, r, node, path);
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *a = node->first; a; a = a->next) {
        if (!mode_name(ctx, r, a, path))
            return 0;
        for (const poyi_node *b = node->first; b != a; b = b->next)
            if (!strcmp(a->text, b->text)) {
                poyi_fault(r, node, path, "E_CONFLICT", "%s stands twice\nname each mode once", a->text);
                return 0;
            }
    }
    if (node->count)
        return 1;
    poyi_fault(r, node, path, "E_VALUE", "names no mode\nname at least one, e.g. [\"HE11\"]");
    return 0;
}

/* ---- gases and pressures ---- */

/* Names of all gases and "vacuum", separated by blanks; up to size bytes. */
static void known_gases(poy_ctx *ctx, size_t size, char *out)
{
    size_t used = (size_t)snprintf(out, size, "vacuum");
    poy_gas_info info;
    for (int i = 0; i < poy_gas_count() && used < size; i++)
        if (poy_gas_info_at(ctx, i, &info) == POY_OK)
            used += (size_t)snprintf(out + used, size - used, " %s", info.name);
}

int poyi_check_gas_name(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *path, const char *name)
{
    char known[400], near[64];
    known_gases(ctx, sizeof known, known);
    if (poyi_word_in(known, name))
        return 1;
    poyi_word_nearest(known, name, sizeof near, near);
    if (poy_gas_formula(name))
        snprintf(near, sizeof near, "%s", poy_gas_formula(name));
    if (near[0])
        poyi_fault(r, node, path, "E_VALUE", "\"%s\" is no gas that is known\ndid you mean %s?", name, near);
    else
        poyi_fault(r, node, path, "E_VALUE", "\"%s\" is no gas that is known\nuse one of %s", name, known);
    return 0;
}

/* "p" or "p -> q" */
static int check_pressure(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char from[64];
    const char *arrow = node->kind == POYI_STRING ? strstr(node->text, "->") : NULL;
    if (node->kind == POYI_STRING && strstr(node->text, " to ")) {
        poyi_fault(r, node, path, "E_VALUE", "%s is no pressure\nwrite a gradient as \"3 bar -> 0 bar\"", node->typed);
        return 0;
    }
    if (!arrow || (size_t)(arrow - node->text) >= sizeof from)
        return poyi_check_quantity(ctx, r, key, node, path, NULL);
    snprintf(from, sizeof from, "%.*s", (int)(arrow - node->text), node->text);
    return poyi_check_part(ctx, r, key, node, path, from, NULL) &&
           poyi_check_part(ctx, r, key, node, path, arrow + 2, NULL);
}

/* The shares of a mixture add up to 1. */
static int check_shares(poy_recipe *r, const poyi_node *node, const char *path)
{
    double sum = 0;
    for (const poyi_node *part = node->first; part; part = part->next) {
        if (!poyi_node_is_number(part) || !(part->real >= 0 && part->real <= 1)) {
            poyi_fault(r, part, path, poyi_node_is_number(part) ? "E_RANGE" : "E_TYPE",
                       "%s is no share of the gas\ngive all shares, 0 to 1, and gas.pressure; or all partial pressures",
                       part->typed);
            return 0;
        }
        sum += part->real;
    }
    if (sum > 1 - 1e-6 && sum < 1 + 1e-6)
        return 1;
    poyi_fault(r, node, path, "E_VALUE", "the shares add up to %.6g\nmake it 1", sum);
    return 0;
}

int poyi_form_fill(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    int good = 1;
    if (node->kind == POYI_STRING)
        return poyi_check_gas_name(ctx, r, node, path, node->text);
    if (node->kind != POYI_TABLE)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    const int shares = poyi_fill_has_shares(node);
    for (const poyi_node *part = node->first; part; part = part->next)
        good &=
            poyi_check_gas_name(ctx, r, part, path, part->key) && (shares || check_pressure(ctx, r, key, part, path));
    if (node->count)
        return good && (!shares || check_shares(r, node, path));
    poyi_fault(r, node, path, "E_VALUE", "names no gas\nwrite { Ar = \"0.8 bar\" }, or \"vacuum\"");
    return 0;
}

/* [[z, value], ...], z rising from one point to the next. */
static int check_profile(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    poyi_key along = *key;
    double last = -1, z = 0;
    along.dimension = POY_DIM_LENGTH;
    along.shown.range = ">= 0";
    if (node->count < 2) {
        poyi_fault(r, node, path, "E_SHAPE", "a profile with %d points\ngive at least two, [[z, value], [z, value]]",
                   node->count);
        return 0;
    }
    for (const poyi_node *point = node->first; point; point = point->next, last = z) {
        if (point->kind != POYI_ARRAY || point->count != 2) {
            poyi_fault(r, point, path, "E_SHAPE", "%s is no point of a profile\nwrite %s", point->typed,
                       key->dimension == POY_DIM_PRESSURE
                           ? "\"3 bar -> 0 bar\", or points [[\"0 m\", \"3 bar\"], [\"1 m\", \"0 bar\"]]"
                           : "[\"0 m\", \"125 um\"]");
            return 0;
        }
        if (!poyi_check_quantity(ctx, r, &along, point->first, path, &z) ||
            !poyi_check_quantity(ctx, r, key, point->last, path, NULL))
            return 0;
        if (z <= last) {
            poyi_fault(r, point, path, "E_VALUE", "%s does not lie beyond the point before\nsort the points by z",
                       point->first->typed);
            return 0;
        }
    }
    return 1;
}

/* A target that a value is to meet. */
static int check_pin(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *path)
{
    static const poyi_entry pin[] = {
        {"pin", POYI_FORM_WORD, POY_DIM_NONE, "", "rdw rdw_soliton zdw soliton_order", "\"rdw\"", 1},
        {"wavelength", POYI_FORM_QUANTITY, POY_DIM_SPECTRAL, "> 0", "", "\"280 nm\"", 0},
        {"value", POYI_FORM_NUMBER, POY_DIM_NONE, "> 0", "", "3.0", 0},
    };
    return poyi_check_entries(ctx, r, node, path, POYI_ENTRIES(pin));
}

int poyi_form_profile(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    if (node->kind == POYI_TABLE)
        return check_pin(ctx, r, node, path);
    return node->kind == POYI_ARRAY ? check_profile(ctx, r, key, node, path)
                                    : poyi_check_quantity(ctx, r, key, node, path, NULL);
}

int poyi_form_pressure(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    if (node->kind == POYI_ARRAY)
        return check_profile(ctx, r, key, node, path);
    return node->kind == POYI_TABLE ? check_pin(ctx, r, node, path) : check_pressure(ctx, r, key, node, path);
}

/* ---- dispersion and phases: lists of coefficients whose order is in the unit ---- */

static int check_orders(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                        int first, const char *what)
{
    int order = first;
    poy_quantity q;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *element = node->first; element; element = element->next, order++) {
        if (!poyi_check_quantity(ctx, r, key, element, path, NULL))
            return 0;
        if (poy_quantity_parse(ctx, element->text, &q) != POY_OK || q.order != order) {
            poyi_fault(r, element, path, "E_DIM",
                       "expected %s_%d, got one of order %d (%s)\nlist them in order from "
                       "%d on; write 0 for one that vanishes, e.g. \"0 ps%d%s\"",
                       what, order, q.order, element->typed, first, order, key->dimension == POY_DIM_BETA ? "/km" : "");
            return 0;
        }
    }
    return 1;
}

int poyi_form_betas(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return check_orders(ctx, r, key, node, path, 2, "beta");
}

int poyi_form_phases(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    return check_orders(ctx, r, key, node, path, 5, "phi");
}

/* ---- materials ---- */

int poyi_form_material(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    static const poyi_entry optical[] = {
        {"n", POYI_FORM_NUMBER, POY_DIM_NONE, "> 0", "", "1.5", 0},
        {"k", POYI_FORM_NUMBER, POY_DIM_NONE, "", "", "0.01", 0},
        {"re", POYI_FORM_NUMBER, POY_DIM_NONE, "", "", "2.1", 0},
        {"im", POYI_FORM_NUMBER, POY_DIM_NONE, "", "", "0.1", 0},
        {"mu", POYI_FORM_NUMBER, POY_DIM_NONE, "", "", "1.0", 0},
        {"kappa", POYI_FORM_NUMBER, POY_DIM_NONE, "", "", "0.02", 0},
    };
    if (node->kind == POYI_STRING)
        return poyi_form_text(ctx, r, key, node, path) &&
               (!poyi_material_is_file(node->text) || poyi_material_file_check(ctx, r, node));
    if (node->kind != POYI_TABLE)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    if (!poyi_check_entries(ctx, r, node, path, POYI_ENTRIES(optical)))
        return 0;
    int index = poyi_node_child(node, "n") || poyi_node_child(node, "k");
    int permittivity = poyi_node_child(node, "re") || poyi_node_child(node, "im");
    if (index != permittivity)
        return 1;
    poyi_fault(r, node, path, index ? "E_CONFLICT" : "E_MISSING",
               index ? "both an index and a permittivity\nkeep { n, k } or { re, im }"
                     : "neither an index nor a permittivity\ngive { n = 1.5, k = 0.0 } or { re = 2.25, im = 0.0 }");
    return 0;
}

int poyi_form_materials(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    int good = 1;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *element = node->first; element; element = element->next)
        good &= poyi_form_material(ctx, r, key, element, path);
    return good;
}

/* ---- statistics, wanted quantities: names, or tables with a name ---- */

int poyi_form_stats(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    static const poyi_entry band[] = {
        {"name", POYI_FORM_TEXT, POY_DIM_NONE, "", "", "\"uv_energy\"", 1},
        {"band", POYI_FORM_BAND, POY_DIM_SPECTRAL, "> 0", "", "\"180 nm:320 nm\"", 1},
    };
    int good = 1;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *element = node->first; element; element = element->next) {
        const int of_band = element->kind == POYI_STRING && strstr(element->text, "_energy");
        if (of_band && !poyi_word_in(key->shown.words, element->text)) {
            poyi_fault(r, element, path, "E_VALUE", "%s is not known\nwrite { name = %s, band = \"180 nm:320 nm\" }",
                       element->typed, element->typed);
            good = 0;
            continue;
        }
        good &= element->kind == POYI_TABLE ? poyi_check_entries(ctx, r, element, path, POYI_ENTRIES(band))
                                            : poyi_form_word(ctx, r, key, element, path);
    }
    return good;
}

/* What only fields have. */
static int check_details(poy_recipe *r, const poyi_node *element, const char *path)
{
    const char *name = poyi_node_child(element, "name")->text;
    const char *own = !strcmp(name, "near_field")  ? "name plane size pixels wavelengths"
                      : !strcmp(name, "far_field") ? "name pixels wavelengths"
                                                   : "name";
    char at[256];
    for (const poyi_node *child = element->first; child; child = child->next) {
        if (poyi_word_in(own, child->key))
            continue;
        poyi_join(sizeof at, at, path, child->key);
        poyi_fault(r, child, at, "E_CONFLICT", "has no meaning for %s\nremove it; it belongs to near_field%s", name,
                   poyi_word_in("pixels wavelengths", child->key) ? " and far_field" : "");
        return 0;
    }
    return 1;
}

int poyi_form_wanted(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    const poyi_entry details[] = {
        {"name", POYI_FORM_WORD, POY_DIM_NONE, "", key->shown.words, "\"near_field\"", 1},
        {"plane", POYI_FORM_TEXT, POY_DIM_NONE, "", "", "\"z = 0 nm\"", 0},
        {"size", POYI_FORM_QUANTITY, POY_DIM_LENGTH, "> 0", "", "\"300 nm\"", 0},
        {"pixels", POYI_FORM_INTEGER, POY_DIM_NONE, ">= 1", "", "151", 0},
        {"wavelengths", POYI_FORM_QUANTITIES, POY_DIM_SPECTRAL, "> 0", "", "[\"650 nm\"]", 0},
    };
    int good = 1;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *element = node->first; element; element = element->next)
        good &= element->kind == POYI_TABLE ? poyi_check_entries(ctx, r, element, path, POYI_ENTRIES(details)) &&
                                                  check_details(r, element, path)
                                            : poyi_form_word(ctx, r, key, element, path);
    if (node->count)
        return good;
    poyi_fault(r, node, path, "E_VALUE", "names nothing to compute\nwrite %s", key->shown.good);
    return 0;
}

/* ---- sweeps ---- */

int poyi_form_sweep(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    const int angle = key->dimension == POY_DIM_ANGLE;
    const poyi_entry range[] = {
        {"start", POYI_FORM_QUANTITY, key->dimension, key->shown.range, "", angle ? "\"0 deg\"" : "\"450 nm\"", 1},
        {"stop", POYI_FORM_QUANTITY, key->dimension, key->shown.range, "", angle ? "\"60 deg\"" : "\"900 nm\"", 1},
        {"num", POYI_FORM_INTEGER, POY_DIM_NONE, ">= 1", "", "181", 1},
        {"scale", POYI_FORM_WORD, POY_DIM_NONE, "", "linear log", "\"log\"", 0},
    };
    int good = 1;
    if (node->kind == POYI_TABLE)
        return poyi_check_entries(ctx, r, node, path, POYI_ENTRIES(range));
    if (node->kind != POYI_ARRAY)
        return poyi_check_quantity(ctx, r, key, node, path, NULL);
    for (const poyi_node *element = node->first; element; element = element->next)
        good &= poyi_check_quantity(ctx, r, key, element, path, NULL);
    if (node->count)
        return good;
    poyi_fault(r, node, path, "E_VALUE", "an empty list\nlist at least one value");
    return 0;
}

/* ---- points and vectors of plain numbers ---- */

static int check_numbers(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char count[16];
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, "a list of numbers");
    for (const poyi_node *x = node->first; x; x = x->next)
        if (!poyi_node_is_number(x))
            return poyi_check_failed(r, key, x, path, "a number");
        else if (!poyi_check_number(r, key, x, path))
            return 0;
    snprintf(count, sizeof count, "%d", node->count);
    if (poyi_word_in(key->shown.words, count))
        return 1;
    poyi_fault(r, node, path, "E_SHAPE", "has %d numbers, needs %s\nwrite %s", node->count, key->shown.words,
               key->shown.good);
    return 0;
}

int poyi_form_vector(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    return check_numbers(r, key, node, path);
}

int poyi_form_points(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    (void)ctx;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *point = node->first; point; point = point->next) {
        if (!check_numbers(r, key, point, path))
            return 0;
        if (point->count != node->first->count) {
            poyi_fault(r, point, path, "E_SHAPE", "has %d numbers, the first has %d\ngive each the same", point->count,
                       node->first->count);
            return 0;
        }
    }
    return 1;
}

/* ---- layers of a stack ---- */

/* Where a layer lies: at an end of the stack, or between others. */
typedef enum layer_place { AT_AN_END, INSIDE } layer_place;

/* Layers that are repeated, the particles' plane, a half space, a layer: each has keys of its own. */
static int check_layer_kind(poy_recipe *r, const poyi_node *node, const char *path, layer_place place)
{
    const poyi_node *array = poyi_node_child(node, "array");
    const int group = poyi_node_child(node, "layers") != NULL, particles = array && array->integer;
    const char *what = group                ? "layers that are repeated"
                       : particles          ? "the layer of the particles"
                       : place == AT_AN_END ? "a half space"
                                            : "a layer";
    const char *own = group                ? "repeat layers"
                      : particles          ? "array medium above below repeat"
                      : place == AT_AN_END ? "material array"
                                           : "material thickness array repeat";
    char at[256];
    if (place == AT_AN_END && (group || particles)) {
        poyi_fault(r, node, path, "E_VALUE",
                   "begins or ends with %s\nthe first and the last are half spaces of a material", what);
        return 0;
    }
    for (const poyi_node *child = node->first; child; child = child->next) {
        if (poyi_word_in(own, child->key))
            continue;
        poyi_join(sizeof at, at, path, child->key);
        poyi_fault(r, child, at, "E_CONFLICT", "has no meaning for %s%s\nremove it", what,
                   place == AT_AN_END ? ": the first and the last layer are half spaces" : "");
        return 0;
    }
    if (group || particles || place == AT_AN_END || poyi_node_child(node, "thickness"))
        return 1;
    poyi_fault(r, node, path, "E_MISSING", "an inner layer needs its thickness\nadd thickness = \"200 nm\"");
    return 0;
}

static int check_layer(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path,
                       layer_place place)
{
    static const poyi_entry layer[] = {
        {"material", POYI_FORM_MATERIAL, POY_DIM_NONE, "", "", "\"SiO2\"", 0},
        {"thickness", POYI_FORM_QUANTITY, POY_DIM_LENGTH, "> 0", "", "\"200 nm\"", 0},
        {"array", POYI_FORM_BOOL, POY_DIM_NONE, "", "", "true", 0},
        {"medium", POYI_FORM_MATERIAL, POY_DIM_NONE, "", "", "\"vacuum\"", 0},
        {"above", POYI_FORM_QUANTITY, POY_DIM_LENGTH, ">= 0", "", "\"200 nm\"", 0},
        {"below", POYI_FORM_QUANTITY, POY_DIM_LENGTH, ">= 0", "", "\"200 nm\"", 0},
        {"repeat", POYI_FORM_INTEGER, POY_DIM_NONE, ">= 1", "", "10", 0},
        {"layers", POYI_FORM_LAYERS, POY_DIM_NONE, "", "", "[{ material = \"SiO2\", thickness = \"200 nm\" }]", 0},
    };
    if (node->kind != POYI_TABLE)
        return poyi_check_failed(r, key, node, path, "a table");
    return poyi_check_entries(ctx, r, node, path, POYI_ENTRIES(layer)) && check_layer_kind(r, node, path, place);
}

int poyi_form_layers(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    int good = 1, whole = !strcmp(key->shown.path, "stack.layers");
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *layer = node->first; layer; layer = layer->next)
        good &= check_layer(ctx, r, key, layer, path,
                            whole && (layer == node->first || layer == node->last) ? AT_AN_END : INSIDE);
    if (!whole || node->count >= 2)
        return good;
    poyi_fault(r, node, path, "E_VALUE", "has %d layers\na stack has at least its two half spaces", node->count);
    return 0;
}
