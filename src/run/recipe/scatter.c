/* scatter.c: what the keys of a scattering recipe say together. */
#include <stdio.h>
#include <string.h>

#include "run/recipe/material.h"
#include "run/recipe/recipe.h"

/* What each shape needs beside its material. */
static const struct {
    const char *shape, *key, *example;
} shape_needs[] = {
    {"sphere", "radius", "\"40 nm\""},
    {"sphere", "material", "\"Au:Johnson\""},
    {"core_shell", "radii", "[\"40 nm\", \"50 nm\"]"},
    {"core_shell", "materials", "[\"Au:Johnson\", \"SiO2\"]"},
    {"cylinder", "radius", "\"40 nm\""},
    {"cylinder", "material", "\"SiO2\""},
    {"spheroid", "semi_axes", "[\"40 nm\", \"60 nm\"]"},
    {"spheroid", "material", "\"SiO2\""},
    {"chebyshev", "radius", "\"40 nm\""},
    {"chebyshev", "ripple", "0.1"},
    {"chebyshev", "waves", "4"},
    {"chebyshev", "material", "\"SiO2\""},
    {"superellipsoid", "semi_axes", "[\"40 nm\", \"60 nm\"]"},
    {"superellipsoid", "exponent", "0.8"},
    {"superellipsoid", "material", "\"SiO2\""},
    {"profile", "file", "\"profile.csv\""},
    {"profile", "material", "\"SiO2\""},
    {"tmatrix_file", "file", "\"particle.tmat.h5\""},
};

/* What each shape may have beside shape, unit and positions. */
static const struct {
    const char *shape, *keys;
} shape_keys[] = {
    {"sphere", "radius material radii materials"},
    {"core_shell", "radii materials"},
    {"cylinder", "radius material radii materials"},
    {"spheroid", "semi_axes material rotation"},
    {"chebyshev", "radius ripple waves material rotation"},
    {"superellipsoid", "semi_axes exponent material rotation"},
    {"profile", "file material rotation"},
    {"tmatrix_file", "file radius rotation"},
};
enum { SHAPES = sizeof shape_keys / sizeof shape_keys[0] };

static void check_shape_keys(poy_recipe *r, const poyi_node *particle, const poyi_node *shape)
{
    const char *own = "";
    for (int i = 0; i < SHAPES; i++)
        own = strcmp(shape->text, shape_keys[i].shape) ? own : shape_keys[i].keys;
    for (const poyi_node *child = particle->first; child; child = child->next) {
        char others[160] = "";
        size_t used = 0;
        if (poyi_word_in("shape unit positions", child->key) || poyi_word_in(own, child->key))
            continue;
        for (int i = 0; i < SHAPES && used < sizeof others; i++)
            if (poyi_word_in(shape_keys[i].keys, child->key))
                used += (size_t)snprintf(others + used, sizeof others - used, "%s%s", used ? ", " : "",
                                         shape_keys[i].shape);
        if (used) /* else an unknown key, told already */
            poyi_fault(r, child, NULL, "E_CONFLICT",
                       "has no meaning for shape = \"%s\" (line %d)\nremove it; it belongs to %s", shape->text,
                       shape->line, others);
    }
}

static void check_particle(poy_recipe *r, const poyi_node *particle)
{
    const poyi_node *shape = poyi_node_child(particle, "shape");
    const poyi_node *radii = poyi_node_child(particle, "radii"), *materials = poyi_node_child(particle, "materials");
    char path[256], own[64];
    if (!shape || !shape->known)
        return;
    poyi_node_path(particle, sizeof own, own);
    check_shape_keys(r, particle, shape);
    for (size_t i = 0; i < sizeof shape_needs / sizeof shape_needs[0]; i++) {
        const char *key = shape_needs[i].key;
        const int layers = radii && materials && (!strcmp(key, "radius") || !strcmp(key, "material"));
        if (strcmp(shape->text, shape_needs[i].shape) != 0 || poyi_node_child(particle, key) || layers)
            continue; /* layers: radii and materials say the same */
        snprintf(path, sizeof path, "%s.%s", own, shape_needs[i].key);
        poyi_fault(r, particle, path, "E_MISSING", "missing\na %s needs %s, e.g. %s = %s", shape->text,
                   shape_needs[i].key, shape_needs[i].key, shape_needs[i].example);
    }
    if (radii && materials && radii->known && materials->known && radii->count != materials->count)
        poyi_fault(r, materials, NULL, "E_SHAPE", "%d materials for %d radii (line %d)\ngive one for each layer",
                   materials->count, radii->count, radii->line);
}

/* Of a key: one, or a list; of layers those below "layers", too. */
static void check_materials(poy_ctx *ctx, poy_recipe *r, const poyi_node *node)
{
    static const char *const of_layers[] = {"material", "medium", "layers"};
    if (!node)
        return;
    if (node->kind == POYI_STRING)
        poyi_check_material_known(ctx, r, node);
    for (const poyi_node *child = node->kind == POYI_ARRAY ? node->first : NULL; child; child = child->next)
        check_materials(ctx, r, child);
    for (size_t i = 0; node->kind == POYI_TABLE && i < sizeof of_layers / sizeof *of_layers; i++)
        check_materials(ctx, r, poyi_node_child(node, of_layers[i]));
}

/* All that are named, so that each that nobody knows is told with the other faults. */
static void check_all_materials(poy_ctx *ctx, poy_recipe *r, const poyi_node *particles)
{
    static const char *const others[] = {"medium.material", "stack.layers"};
    for (const poyi_node *p = particles && particles->kind == POYI_ARRAY ? particles->first : NULL; p; p = p->next)
        for (const poyi_node *key = p->kind == POYI_TABLE ? p->first : NULL; key; key = key->next)
            if (key->known && poyi_word_in("material materials", key->key))
                check_materials(ctx, r, key);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const poyi_node *node = poyi_node_find(r->root, others[i]);
        if (node && node->known)
            check_materials(ctx, r, node);
    }
}

void poyi_check_scatter(poy_ctx *ctx, poy_recipe *r)
{
    static const char *const incidence[] = {"lattice.bloch", "illumination.direction", "illumination.angles"};
    const poyi_node *particles = poyi_node_child(r->root, "particle"), *first = NULL;
    char path[64];
    check_all_materials(ctx, r, particles);
    if (!particles && !poyi_node_find(r->root, "stack.layers"))
        poyi_fault(r, r->root, "particle", "E_MISSING",
                   "missing\na scattering run needs a particle or a stack: add [[particle]] or [stack]");
    for (const poyi_node *p = particles && particles->kind == POYI_ARRAY ? particles->first : NULL; p; p = p->next)
        check_particle(r, p);
    for (int i = 0; i < 3; i++) {
        const poyi_node *node = poyi_node_find(r->root, incidence[i]);
        if (node && first) {
            poyi_node_path(first, sizeof path, path);
            poyi_fault(r, node, NULL, "E_CONFLICT", "already set by %s (line %d)\nkeep one", path, first->line);
        } else if (node) {
            first = node;
        }
    }
}

/* Pictures: one for each quantity, and how far the results are from their limit. */
void poyi_resolve_scatter(poy_recipe *r)
{
    static const char *const names[] = {"cross_sections", "near_field", "far_field", "tmatrix",
                                        "transmission",   "orders",     "cd",        "bands"};
    const poyi_node *wanted = poyi_node_find(r->resolved, "output.quantities");
    poyi_text kinds = {0};
    if (poyi_node_find(r->resolved, "plots.kinds"))
        return;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        for (const poyi_node *node = wanted ? wanted->first : NULL; node; node = node->next) {
            const poyi_node *name = node->kind == POYI_TABLE ? poyi_node_child(node, "name") : node;
            if (!poyi_is_word(name, names[i]))
                continue;
            poyi_text_add(&kinds, "%s\"%s\"", kinds.length ? ", " : "", names[i]);
            break;
        }
    const char *list = poyi_arena_format(&r->arena, "[%s]", kinds.text ? kinds.text : "");
    if (kinds.failed || !list)
        r->arena.failed = 1;
    else
        poyi_resolved_set(r, "plots.kinds", list);
    poyi_text_fini(&kinds);
}
