/* objective_keys.c: the keys of objective.wrt, and moving their numbers in the settings of a run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/objective.h"
#include "run/scatter/stack.h"

/* ---- the keys ---- */

static poy_status no_derivative(poy_ctx *ctx, const char *key)
{
    return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                     "objective.wrt: %s has no derivative: radius, radii, positions, material and materials of "
                     "particles, sweep.wavelength, and of arrays and stacks lattice.vectors, thickness, below, above, "
                     "material and medium have",
                     key);
}

/* The table that a constant material is written in, NULL for tables of data. */
static const poyi_node *numbers_of(const poy_recipe *r, const poyi_node *node)
{
    const poyi_node *materials = poyi_recipe_at(r, "materials");
    const poyi_node *own = node->kind == POYI_TABLE ? node : materials ? poyi_node_child(materials, node->text) : NULL;
    return own && (poyi_node_child(own, "n") || poyi_node_child(own, "re")) ? own : NULL;
}

static poy_status read_material(poy_ctx *ctx, const poy_recipe *r, const poy_objective *o, const char *key,
                                const poyi_node *node, int layers, poyi_variable *v)
{
    int by_index = 0, by_permittivity = 0;
    const poyi_node *layer = node->kind == POYI_ARRAY ? node->first : node;
    for (int i = 0; layer && i < layers; i++, layer = layer->next) {
        const poyi_node *numbers = numbers_of(r, layer);
        if (!numbers)
            return POYI_FAIL(
                ctx, POY_ERR_NOT_DIFFERENTIABLE,
                "objective.wrt: %s: %s is a table of data, without a number to vary: write { n = 1.5, k = 0.01 }", key,
                layer->typed ? layer->typed : "it");
        by_index += poyi_node_child(numbers, "n") != NULL;
        by_permittivity += poyi_node_child(numbers, "re") != NULL;
    }
    if (by_index && by_permittivity)
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "objective.wrt: %s: write all its layers as { n, k } or all as { re, im }", key);
    v->kind = by_index ? POYI_PARAMETER_INDEX : POYI_PARAMETER_PERMITTIVITY;
    v->part.units = o->units;
    v->part.axes = node->kind == POYI_ARRAY ? (by_index ? "layer n k" : "layer re im") : by_index ? "n k" : "re im";
    v->part.rank = node->kind == POYI_ARRAY ? 2 : 1;
    v->part.extent[0] = node->kind == POYI_ARRAY ? layers : 2;
    v->part.extent[1] = 2;
    v->n = 2 * layers;
    return POY_OK;
}

static int copies_of(const poyi_scatter *s, int body)
{
    int n = 0;
    for (int i = 0; i < s->n; i++)
        n += s->owner[i] == body;
    return n;
}

static void one_length(const poy_objective *o, poyi_parameter kind, poyi_variable *v)
{
    v->kind = kind;
    v->n = 1;
    v->part.units = !strcmp(o->units, "m2") ? "m" : "1/m";
}

/* "particle.N.radius" and the like. */
static poy_status read_particle(poy_ctx *ctx, const poy_recipe *r, const char *key, const poy_objective *o,
                                poyi_variable *v)
{
    char *end = NULL;
    const long body = strtol(key + 9, &end, 10);
    const char *what = *end == '.' ? end + 1 : "";
    if (body < 0 || body >= o->s.n_bodies)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s: there are %d particles", key, o->s.n_bodies);
    const int layers = o->s.bodies[body].layers;
    const poyi_node *node = poyi_recipe_at(r, key);
    v->body = (int)body;
    if (node && (!strcmp(what, "material") || !strcmp(what, "materials")))
        return read_material(ctx, r, o, key, node, layers, v);
    if (!strcmp(what, "radius") && node) {
        one_length(o, POYI_PARAMETER_RADII, v);
    } else if (!strcmp(what, "radii") && node) {
        one_length(o, POYI_PARAMETER_RADII, v);
        v->n = layers;
        v->part.rank = 1;
        v->part.extent[0] = layers;
        v->part.axes = "layer";
    } else if (!strcmp(what, "positions")) {
        one_length(o, POYI_PARAMETER_POSITIONS, v);
        v->part.rank = 2;
        v->part.extent[0] = copies_of(&o->s, (int)body);
        v->part.extent[1] = 3;
        v->part.axes = "position axis";
        v->n = 3 * (int)v->part.extent[0];
    } else if (!node) {
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s: the recipe has no such value", key);
    } else {
        return no_derivative(ctx, key);
    }
    return POY_OK;
}

/* "stack.layers.N.thickness" and the like; "medium.material" of an array without a stack. */
static poy_status read_part(poy_ctx *ctx, const poy_recipe *r, const char *key, const poy_objective *o,
                            poyi_variable *v)
{
    const struct poyi_stack *a = o->s.array;
    const char *what = strrchr(key, '.') + 1;
    const size_t length = (size_t)(what - 1 - key);
    const poyi_node *node = poyi_recipe_at(r, key);
    for (v->part_of = 0; v->part_of < a->n_parts; v->part_of++)
        if (strlen(a->parts[v->part_of].key) == length && !strncmp(a->parts[v->part_of].key, key, length))
            break;
    if (v->part_of == a->n_parts || !node)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s: the recipe has no such value", key);
    const int outer = v->part_of == 0 || v->part_of == a->n_parts - 1;
    if (!strcmp(what, "material") || !strcmp(what, "medium"))
        return read_material(ctx, r, o, key, node, 1, v);
    if (!strcmp(what, "thickness") && !outer)
        one_length(o, POYI_PARAMETER_THICKNESS, v);
    else if (!strcmp(what, "below"))
        one_length(o, POYI_PARAMETER_BELOW, v);
    else if (!strcmp(what, "above"))
        one_length(o, POYI_PARAMETER_ABOVE, v);
    else
        return no_derivative(ctx, key);
    return POY_OK;
}

static poy_status read_lattice(poy_ctx *ctx, const char *key, const poy_objective *o, poyi_variable *v)
{
    if (!o->s.array->periodic)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s: the recipe has no such value", key);
    one_length(o, POYI_PARAMETER_LATTICE, v);
    v->n = 4;
    v->part.rank = 2;
    v->part.extent[0] = v->part.extent[1] = 2;
    v->part.axes = "vector axis";
    return POY_OK;
}

static poy_status read_key(poy_ctx *ctx, const poy_recipe *r, const char *key, const poy_objective *o, poyi_variable *v)
{
    const struct poyi_stack *a = o->s.array;
    *v = (poyi_variable){.body = -1, .part_of = -1, .part = {.key = key, .axes = ""}};
    if (!strncmp(key, "particle.", 9))
        return read_particle(ctx, r, key, o, v);
    if (a && (!strncmp(key, "stack.layers.", 13) || (a->lone && !strcmp(key, "medium.material"))))
        return read_part(ctx, r, key, o, v);
    if (a && !strcmp(key, "lattice.vectors"))
        return read_lattice(ctx, key, o, v);
    if (strcmp(key, "sweep.wavelength") != 0)
        return no_derivative(ctx, key);
    one_length(o, POYI_PARAMETER_WAVELENGTH, v);
    return POY_OK;
}

poy_status poyi_objective_keys(poy_ctx *ctx, const poy_recipe *r, poy_objective *o)
{
    const poyi_node *wrt = poyi_recipe_at(r, "objective.wrt");
    if (!wrt || !wrt->count)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "objective.wrt: missing: name keys, e.g. wrt = [\"particle.0.radius\"]");
    o->variables = poyi_arena_alloc(&o->arena, (size_t)wrt->count * sizeof *o->variables);
    if (!o->variables)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "objective: no memory for its keys");
    for (const poyi_node *key = wrt->first; key; key = key->next) {
        const char *name = poyi_arena_copy(&o->arena, key->text, strlen(key->text));
        poyi_variable *v = &o->variables[o->n_variables];
        for (int i = 0; name && i < o->n_variables; i++)
            if (!strcmp(o->variables[i].part.key, name))
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s stands twice: keep one", name);
        POYI_TRY(ctx, name ? read_key(ctx, r, name, o, v) : POYI_FAIL(ctx, POY_ERR_MEMORY, "objective: no memory"));
        v->first = o->n;
        o->n += v->n;
        o->n_variables++;
    }
    o->gradient = poyi_arena_alloc(&o->arena, (size_t)o->n * sizeof *o->gradient);
    if (!o->gradient)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "objective: no memory for its gradient");
    for (int i = 0; i < o->n_variables; i++)
        o->variables[i].part.gradient = o->gradient + o->variables[i].first;
    return POY_OK;
}

/* ---- moving a parameter ---- */

void poyi_index_of(const poy_medium *m, double n[2])
{
    const double re = m->epsilon.re * m->mu.re, im = m->epsilon.im * m->mu.re, size = hypot(re, im);
    const double larger = sqrt((size + fabs(re)) / 2), smaller = larger > 0 ? im / (2 * larger) : 0;
    n[0] = re >= 0 ? larger : smaller;
    n[1] = re >= 0 ? smaller : larger;
}

static poy_medium *medium_of(const poy_objective *o, const poyi_variable *v, int i)
{
    return v->body >= 0 ? &o->s.bodies[v->body].matter[i / 2].constant : &o->s.array->parts[v->part_of].matter.constant;
}

static double *length_of(const poy_objective *o, const poyi_variable *v, int part)
{
    poyi_stack_part *p = &o->s.array->parts[part];
    return v->kind == POYI_PARAMETER_THICKNESS ? &p->thickness
           : v->kind == POYI_PARAMETER_BELOW   ? &p->below
                                               : &p->above;
}

double poyi_variable_step(const poy_objective *o, const poyi_variable *v, int i)
{
    const poyi_body *b = &o->s.bodies[v->body >= 0 ? v->body : 0]; /* of a stack of layers, none: not looked at */
    const double wavelength = 2 * POYI_PI / o->k0[0];
    const poy_c128 e = v->kind >= POYI_PARAMETER_INDEX ? medium_of(o, v, i)->epsilon : (poy_c128){0, 0};
    const double size = hypot(e.re, e.im);
    switch (v->kind) {
    case POYI_PARAMETER_RADII: return 1e-3 * b->radii[v->n == 1 ? b->layers - 1 : i];
    case POYI_PARAMETER_POSITIONS: return 1e-3 * b->radii[b->layers - 1];
    case POYI_PARAMETER_INDEX: return 1e-3 * sqrt(size);
    case POYI_PARAMETER_PERMITTIVITY: return 1e-3 * size;
    case POYI_PARAMETER_LATTICE: return 1e-4 * wavelength;
    default: return 1e-3 * wavelength;
    }
}

double poyi_variable_room(const poy_objective *o, const poyi_variable *v, int i)
{
    double n[2];
    switch (v->kind) {
    case POYI_PARAMETER_THICKNESS:
    case POYI_PARAMETER_BELOW:
    case POYI_PARAMETER_ABOVE: return *length_of(o, v, v->part_of);
    case POYI_PARAMETER_PERMITTIVITY: return i % 2 ? medium_of(o, v, i)->epsilon.im : (double)INFINITY;
    case POYI_PARAMETER_INDEX: poyi_index_of(medium_of(o, v, i), n); return i % 2 ? n[1] : (double)INFINITY;
    default: return (double)INFINITY;
    }
}

static void move_medium(const poyi_variable *v, poy_medium *m, int i, double h)
{
    double n[2];
    if (v->kind == POYI_PARAMETER_PERMITTIVITY) {
        *(i % 2 ? &m->epsilon.im : &m->epsilon.re) += h;
        return;
    }
    poyi_index_of(m, n); /* epsilon mu = (n + i k)^2 */
    n[i % 2] += h;
    m->epsilon = (poy_c128){(n[0] - n[1]) * (n[0] + n[1]) / m->mu.re, 2 * n[0] * n[1] / m->mu.re};
}

static void move_particle(poy_objective *o, const poyi_variable *v, int i, double h)
{
    poyi_body *b = &o->s.bodies[v->body];
    if (v->kind == POYI_PARAMETER_RADII)
        b->radii[v->n == 1 ? b->layers - 1 : i] += h;
    else if (v->kind != POYI_PARAMETER_POSITIONS)
        move_medium(v, &b->matter[i / 2].constant, i, h);
    for (int copy = 0, k = 0; copy < o->s.n && v->kind == POYI_PARAMETER_POSITIONS; copy++)
        if (o->s.owner[copy] == v->body && k++ == i / 3)
            o->s.positions[3 * copy + i % 3] += h;
}

poy_status poyi_variable_move(poy_ctx *ctx, poy_objective *o, const poyi_variable *v, int i, double h)
{
    struct poyi_stack *a = o->s.array;
    if (v->body >= 0)
        move_particle(o, v, i, h);
    for (int k = 0; k < o->n_points && v->kind == POYI_PARAMETER_WAVELENGTH; k++)
        o->k0[k] = 2 * POYI_PI / (2 * POYI_PI / o->k0[k] + h);
    for (int part = 0; v->part_of >= 0 && part < a->n_parts; part++) {
        if (a->parts[part].key != a->parts[v->part_of].key)
            continue;
        if (v->kind >= POYI_PARAMETER_INDEX)
            move_medium(v, &a->parts[part].matter.constant, i, h);
        else
            *length_of(o, v, part) += h;
    }
    if (v->kind != POYI_PARAMETER_LATTICE)
        return POY_OK;
    a->lattice.a[i] += h;
    return poy_lattice_reciprocal(ctx, &a->lattice, &a->dual);
}
