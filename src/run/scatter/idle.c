/* idle.c: keys that are good in themselves, but on which nothing that this recipe asks for depends. What would mislead about what
 * is computed is a fault, what merely is not needed a warning. */
#include <string.h>

#include "run/scatter/session.h"
#include "run/scatter/stack.h"

/* What the numbers of a recipe depend on. */
enum {
    LIT = 1,             /* directions of light */
    POLARISED = 2,       /* its polarisation */
    MEDIUM = 4,          /* [medium] */
    WITH_BANDS = 8,      /* Bloch vectors among which bands are looked for */
    AT_BLOCH = 16,       /* lattice.bloch */
    WITH_DEGREE = 32,    /* numerics.lmax */
    WITH_ORDER = 64,     /* numerics.mmax */
    WITH_CHANNELS = 128, /* diffraction orders of ports */
    WITH_SUMS = 256,     /* lattice sums */
    SOLVED = 512,        /* a system of particles, by the solver of one's choice */
    WITH_TOL = 1024
};

static const struct {
    const char *key;
    int needs; /* any of them; 0: it never has a meaning */
    int is_fault;
    const char *text; /* why, and what to do */
} rules[] = {
    {"medium", MEDIUM, 1, "[stack] says of each layer what it is made of\nremove it"},
    {"lattice.path", WITH_BANDS, 1, "bands are not asked for\nadd \"bands\" to output.quantities, or remove it"},
    {"lattice.bloch", AT_BLOCH, 1,
     "nothing that is asked for depends on it\nremove it; of chains and crystals it belongs to bands without a path"},
    {"illumination", LIT, 0, "nothing that is asked for depends on the light\nremove it"},
    {"illumination.polarisation", POLARISED, 0, "nothing that is asked for depends on it\nremove it"},
    {"numerics.lmax", WITH_DEGREE, 0,
     "there are no expansions in spherical waves to cut off\nremove it; cylinders have mmax"},
    {"numerics.mmax", WITH_ORDER, 0, "it belongs to infinite cylinders\nremove it; other particles have lmax"},
    {"numerics.orders_kmax", WITH_CHANNELS, 0, "there are no diffraction orders to choose\nremove it"},
    {"numerics.ewald_split", WITH_SUMS, 0, "there are no sums over a lattice\nremove it"},
    {"numerics.solver", SOLVED, 0, "it belongs to clusters of particles without a lattice\nremove it"},
    {"numerics.tol", WITH_TOL, 0, "degrees and orders are given\nremove it, or leave them to be chosen by it"},
    {"seed", 0, 0, "nothing is random here\nremove it"},
};
enum { RULES = sizeof rules / sizeof rules[0] };

/* ---- what counts ---- */

static int of_lattice(const poy_recipe *r, const struct poyi_stack *a)
{
    const int plane = a->kind == POYI_REPEATS_PLANE, has_path = poyi_recipe_at(r, "lattice.path") != NULL;
    int counts = a->bands ? WITH_BANDS : 0, fills = a->lone || !plane;
    for (int i = 0; i < a->n_parts && plane; i++)
        fills |= a->parts[i].in_medium;
    counts |= fills ? MEDIUM : 0;
    counts |= a->has_particles ? WITH_SUMS : 0;
    return counts | (!plane && a->bands && !has_path ? AT_BLOCH : 0);
}

static int of_views(const poyi_scatter *s)
{
    int counts = 0;
    for (int i = 0; i < s->n_views; i++) {
        const poyi_view *v = &s->views[i];
        counts |= v->kind == POYI_VIEW_NEAR || v->kind == POYI_VIEW_FAR ? LIT | POLARISED : 0;
        counts |= v->n && v->lmax[0] ? 0 : WITH_TOL;
    }
    return counts | (s->cross_sections && !s->array ? LIT | POLARISED : 0);
}

static int of_recipe(const poy_recipe *r, const poyi_scatter *s)
{
    const struct poyi_stack *a = s->array;
    int counts = of_views(s) | (s->cylinders ? WITH_ORDER : s->n_bodies && !s->files_only ? WITH_DEGREE : 0);
    if (poyi_recipe_at(r, "objective"))
        counts |= LIT | POLARISED | WITH_TOL;
    if (!s->n_bodies) /* nothing is expanded */
        counts &= ~WITH_TOL;
    counts |= a ? of_lattice(r, a) : MEDIUM | (s->n > 1 && !s->cylinders && (counts & LIT) ? SOLVED : 0);
    if (a && poyi_stack_needs_light(a))
        counts |= LIT | (a->transmission || a->cd || a->amplitudes || a->sections ? POLARISED : 0);
    if (a && a->kind == POYI_REPEATS_PLANE && (counts & LIT))
        counts |= AT_BLOCH | (a->periodic ? WITH_CHANNELS : 0);
    if ((counts & WITH_CHANNELS) && !poyi_recipe_at(r, "numerics.orders_kmax") && a->has_particles && !a->lone)
        counts |= WITH_TOL; /* what decays on the way is left out */
    if ((counts & SOLVED) && !poyi_scatter_is_dense(s, poyi_solution_size(s, s->lmax_parts)))
        counts |= WITH_TOL; /* iterations end by it */
    return counts;
}

/* ---- telling ---- */

/* Does a key, or each of a table, say no more than what holds without it? A resolved recipe writes these down. */
static int is_default(const poyi_node *node)
{
    char path[256];
    if (node->kind == POYI_TABLE && !node->is_inline) {
        int all = 1;
        for (const poyi_node *child = node->first; child; child = child->next)
            all &= is_default(child);
        return all;
    }
    poyi_node_path(node, sizeof path, path);
    const poyi_key *key = poyi_schema_find(path, POYI_KIND_SCATTER);
    return key && node->typed && !strcmp(node->typed, key->shown.value);
}

static void tell(poy_recipe *r, const poyi_node *node, int is_fault, const char *text)
{
    char path[256];
    poyi_node_path(node, sizeof path, path);
    for (int i = 0; i < r->faults.count; i++) /* the settings of a recipe are made more than once */
        if (!strcmp(r->faults.list[i].key, path) && !strcmp(r->faults.list[i].code, "E_CONFLICT"))
            return;
    if (is_fault)
        poyi_fault(r, node, NULL, "E_CONFLICT", "has no effect: %s", text);
    else
        poyi_warning(r, node, NULL, "E_CONFLICT", "has no effect: %s", text);
}

/* Does a string, or the name of a key, stand anywhere? */
static int mentions(const poyi_node *node, const char *name)
{
    if (node->kind == POYI_STRING && !strcmp(node->text, name))
        return 1;
    for (const poyi_node *child = node->first; child; child = child->next)
        if (mentions(child, name))
            return 1;
    return 0;
}

static void tell_materials(poy_recipe *r)
{
    const poyi_node *materials = poyi_node_child(r->root, "materials");
    for (const poyi_node *own = materials ? materials->first : NULL; own; own = own->next) {
        int used = 0;
        for (const poyi_node *part = r->resolved->first; part; part = part->next)
            used |= (!part->key || strcmp(part->key, "materials") != 0) && mentions(part, own->key);
        if (!used)
            tell(r, own, 0, "no part is made of it\nremove it, or check the name");
    }
}

/* Waves of particles are not programs of rows: no backend runs them. */
static int tell_backend(poy_recipe *r)
{
    const char *backend = poyi_recipe_word(r, "run.backend", "auto");
    if (!strcmp(backend, "auto") || !strcmp(backend, "cpu"))
        return 0;
    tell(r, poyi_node_find(r->root, "run.backend"), 1,
         "scattering is computed by the processor alone, in one way\nremove it, or write \"auto\"");
    return 1;
}

int poyi_scatter_idle(poy_recipe *r, const poyi_scatter *s)
{
    const int counts = of_recipe(r, s);
    int faults = tell_backend(r);
    for (int i = 0; i < RULES; i++) {
        const poyi_node *node = poyi_node_find(r->root, rules[i].key);
        if (!node || (counts & rules[i].needs) || is_default(node))
            continue;
        if (!strcmp(rules[i].key, "illumination.polarisation") && !(counts & LIT))
            continue; /* told with all of it */
        tell(r, node, rules[i].is_fault, rules[i].text);
        faults += rules[i].is_fault;
    }
    tell_materials(r);
    return faults;
}
