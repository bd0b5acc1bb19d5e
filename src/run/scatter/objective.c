/* objective.c: reading [objective]: which number, at which wavelengths, by which keys. */
#include "run/scatter/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "pulse/march/march.h"
#include "run/recipe/settings.h"
#include "run/session.h"

/* ---- what has no derivative ---- */

/* The rows of a pulse's program that have none: all that are not their own pushforward. */
static poy_status refuse_pulse(poy_ctx *ctx, poy_recipe *r)
{
    poyi_settings p;
    poy_run *run = NULL;
    char rows[400] = "";
    const char *backend = poyi_recipe_word(r, "run.backend", "auto");
    POYI_TRY(ctx, poyi_settings_create(ctx, r, &p));
    poy_status status = poyi_run_prepare(ctx, p.problem, backend, &run);
    if (status == POY_OK)
        poyi_run_nonlinear_rows(run, sizeof rows, rows);
    poy_run_destroy(&run);
    poyi_settings_fini(&p);
    POYI_TRY(ctx, status);
    return POYI_FAIL(
        ctx, POY_ERR_UNSUPPORTED,
        "%s: a pulse has no gradient yet: the rows %s of its program have no derivative: scan the keys instead",
        r->name, rows);
}

static poy_status refuse_shapes(poy_ctx *ctx, const poyi_scatter *s, const poy_recipe *r)
{
    if (s->array)
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "objective: %s: lattices and stacks have no gradient by recipe: the record sphere_array_power has it",
            r->name);
    if (s->n_lights != 1)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "illumination: an objective has one direction and one polarisation, here are %d: choose one",
                         s->n_lights);
    for (int i = 0; i < s->n_bodies; i++)
        if (s->bodies[i].shape != POYI_SHAPE_SPHERE)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "particle.%d.shape: %s has no gradient: only spheres and core_shell have", i,
                             s->bodies[i].word);
    return POY_OK;
}

/* ---- the number ---- */

static poy_status read_quantity(poy_ctx *ctx, const poy_recipe *r, poy_objective *o)
{
    static const struct {
        const char *name;
        double weight[2];
    } known[] = {{"cross_sections.scattering", {1, 0}},
                 {"cross_sections.extinction", {0, 1}},
                 {"cross_sections.absorption", {-1, 1}}};
    const char *most = poyi_recipe_word(r, "objective.maximise", NULL),
               *least = poyi_recipe_word(r, "objective.minimise", NULL);
    if (!most && !least)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: has no [objective]: write e.g. [objective] and below it maximise = "
                         "\"cross_sections.absorption\", at = \"650 nm\", wrt = [\"particle.0.radius\"]",
                         r->file);
    o->maximise = most != NULL;
    o->quantity = poyi_arena_copy(&o->arena, most ? most : least, strlen(most ? most : least));
    for (size_t i = 0; i < sizeof known / sizeof known[0] && o->quantity; i++)
        if (!strcmp(known[i].name, o->quantity)) {
            memcpy(o->weight, known[i].weight, sizeof o->weight);
            return POY_OK;
        }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                     "objective.%s: %s has no derivative: use cross_sections.scattering, cross_sections.extinction or "
                     "cross_sections.absorption",
                     most ? "maximise" : "minimise", most ? most : least);
}

static const poyi_view *sweep_of(const poyi_scatter *s)
{
    for (int i = 0; i < s->n_views; i++)
        if (s->views[i].kind == POYI_VIEW_SWEEP)
            return &s->views[i];
    return NULL;
}

static poy_status keep_points(poy_ctx *ctx, poy_objective *o, int n, const double *k0)
{
    o->k0 = poyi_arena_alloc(&o->arena, (size_t)n * sizeof *o->k0);
    o->lmax = poyi_arena_alloc(&o->arena, (size_t)n * sizeof *o->lmax);
    if (!o->k0 || !o->lmax)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "objective: no memory for its wavelengths");
    memcpy(o->k0, k0, (size_t)n * sizeof *k0);
    o->n_points = n;
    return POY_OK;
}

/* "600 nm:700 nm", checked before, as wavelengths. */
static void band_of(poy_ctx *ctx, const char *text, double *low, double *high)
{
    const char *colon = strchr(text, ':');
    char from[64];
    poy_quantity a = {0}, b = {0};
    snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
    poy_quantity_parse_as(ctx, from, POY_DIM_SPECTRAL, &a);
    poy_quantity_parse_as(ctx, colon + 1, POY_DIM_SPECTRAL, &b);
    *low = fmin(a.value, b.value);
    *high = fmax(a.value, b.value);
}

/* One wavelength, or the points of the sweep that lie in the band. */
static poy_status read_points(poy_ctx *ctx, const poy_recipe *r, poy_objective *o)
{
    const double at = poyi_recipe_quantity(ctx, r, "objective.at", POY_DIM_SPECTRAL, 0);
    const char *band = poyi_recipe_word(r, "objective.band", NULL);
    const poyi_view *sweep = sweep_of(&o->s);
    const double k_at = at > 0 ? 2 * POYI_PI / at : 0;
    double low = 0, high = 0;
    int n = 0;
    if (at > 0 && band)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.band: at says one wavelength: keep one of them");
    if (at > 0)
        return keep_points(ctx, o, 1, &k_at);
    if (!sweep || (!band && sweep->n != 1))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "objective.at: missing: say the wavelength, at = \"650 nm\", or a band of the sweep%s",
                         sweep ? "" : ", with cross_sections in output.quantities");
    if (!band)
        return keep_points(ctx, o, 1, sweep->k0);
    band_of(ctx, band, &low, &high);
    POYI_TRY(ctx, keep_points(ctx, o, sweep->n, sweep->k0));
    for (int i = 0; i < sweep->n; i++) {
        const double wavelength = 2 * POYI_PI / sweep->k0[i];
        if (wavelength >= low * (1 - 1e-12) && wavelength <= high * (1 + 1e-12))
            o->k0[n++] = sweep->k0[i];
    }
    o->n_points = n;
    return n ? POY_OK
             : POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "objective.band: no wavelength of the sweep is in it: widen one of them");
}

/* ---- the keys ---- */

/* The table that a constant material is written in, NULL for tables of data. */
static const poyi_node *numbers_of(const poy_recipe *r, const poyi_node *node)
{
    const poyi_node *materials = poyi_recipe_at(r, "materials");
    const poyi_node *own = node->kind == POYI_TABLE ? node : materials ? poyi_node_child(materials, node->text) : NULL;
    return own && (poyi_node_child(own, "n") || poyi_node_child(own, "re")) ? own : NULL;
}

static poy_status read_material(poy_ctx *ctx, const poy_recipe *r, const char *key, const poyi_node *node, int layers,
                                poyi_variable *v)
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
    v->part.units = "m2";
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

/* "particle.N.radius" and the like. */
static poy_status read_key(poy_ctx *ctx, const poy_recipe *r, const char *key, poy_objective *o, poyi_variable *v)
{
    char *end = NULL;
    const int is_particle = !strncmp(key, "particle.", 9);
    const long body = is_particle ? strtol(key + 9, &end, 10) : -1;
    const char *what = end && *end == '.' ? end + 1 : "";
    if (is_particle && (body < 0 || body >= o->s.n_bodies))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s: there are %d particles", key, o->s.n_bodies);
    const int layers = is_particle ? o->s.bodies[body].layers : 0;
    *v = (poyi_variable){.body = (int)body, .part = {.key = key, .units = "m", .axes = ""}};
    const poyi_node *node = poyi_recipe_at(r, key);
    if (node && (!strcmp(what, "material") || !strcmp(what, "materials")))
        return read_material(ctx, r, key, node, layers, v);
    if (!strcmp(what, "radius") && node) {
        v->n = 1;
    } else if (!strcmp(what, "radii") && node) {
        v->n = layers;
        v->part.rank = 1;
        v->part.extent[0] = layers;
        v->part.axes = "layer";
    } else if (!strcmp(what, "positions")) {
        v->kind = POYI_PARAMETER_POSITIONS;
        v->part.rank = 2;
        v->part.extent[0] = copies_of(&o->s, (int)body);
        v->part.extent[1] = 3;
        v->part.axes = "position axis";
        v->n = 3 * (int)v->part.extent[0];
    } else if (is_particle && !node) {
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.wrt: %s: the recipe has no such value", key);
    } else {
        return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "objective.wrt: %s has no derivative: radius, radii, positions, material and materials of "
                         "particles have",
                         key);
    }
    return POY_OK;
}

static poy_status read_keys(poy_ctx *ctx, const poy_recipe *r, poy_objective *o)
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

/* ---- opening ---- */

static poy_status choose_degrees(poy_ctx *ctx, poy_objective *o)
{
    o->s.cross_sections = 1;
    for (int i = 0; i < o->n_points; i++) {
        double change = 0;
        o->lmax[i] = o->s.lmax;
        if (!o->lmax[i])
            POYI_TRY(ctx, poyi_scatter_stand_still(ctx, &o->s, o->k0[i], &o->lmax[i], &change));
        if (change > o->s.tol)
            poyi_log(
                ctx, POY_LOG_WARNING,
                "%s: the cross sections still change by %.2g with one more degree at lmax = %d: raise numerics.tol",
                o->name, change, o->lmax[i]);
    }
    return POY_OK;
}

static poy_status fill(poy_ctx *ctx, poy_recipe *r, poy_objective *o)
{
    o->name = poyi_arena_copy(&o->arena, r->name, strlen(r->name));
    POYI_TRY(ctx, read_quantity(ctx, r, o));
    POYI_TRY(ctx, poyi_scatter_create(ctx, r, &o->s));
    POYI_TRY(ctx, refuse_shapes(ctx, &o->s, r));
    POYI_TRY(ctx, read_points(ctx, r, o));
    POYI_TRY(ctx, read_keys(ctx, r, o));
    for (int i = 0; i < o->s.n_bodies; i++)
        o->layers = o->s.bodies[i].layers > o->layers ? o->s.bodies[i].layers : o->layers;
    return choose_degrees(ctx, o);
}

poy_status poy_objective_open(poy_ctx *ctx, poy_recipe *r, poy_objective **out)
{
    *out = NULL;
    POYI_TRY(ctx, poy_recipe_check(ctx, r));
    POYI_TRY(ctx, poyi_recipe_built(ctx, r));
    if (r->kind != POYI_KIND_SCATTER)
        return refuse_pulse(ctx, r);
    poy_objective *o = calloc(1, sizeof *o);
    if (!o)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for an objective");
    o->asked = poyi_surroundings_asked(ctx, r, 1);
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    poy_status status = fill(ctx, r, o);
    poyi_surroundings_leave(ctx, &old);
    if (status == POY_OK)
        *out = o;
    else
        poy_objective_close(&o);
    return status;
}

void poy_objective_close(poy_objective **objective)
{
    poy_objective *o = *objective;
    if (o) {
        poyi_scatter_fini(&o->s);
        poyi_arena_fini(&o->arena);
        free(o);
    }
    *objective = NULL;
}

/* ---- what it is ---- */

const char *poy_objective_quantity(const poy_objective *o)
{
    return o->quantity;
}

int poy_objective_maximises(const poy_objective *o)
{
    return o->maximise;
}

int poy_objective_point(const poy_objective *o, int i, double *wavelength, int *lmax)
{
    if (i < 0 || i >= o->n_points)
        return 0;
    *wavelength = 2 * POYI_PI / o->k0[i];
    *lmax = o->lmax[i];
    return 1;
}

int poy_objective_part(const poy_objective *o, int i, poy_gradient_part *out)
{
    if (i < 0 || i >= o->n_variables)
        return 0;
    *out = o->variables[i].part;
    return 1;
}

/* ---- moving a parameter ---- */

void poyi_index_of(const poy_medium *m, double n[2])
{
    const double re = m->epsilon.re * m->mu.re, im = m->epsilon.im * m->mu.re, size = hypot(re, im);
    const double larger = sqrt((size + fabs(re)) / 2), smaller = larger > 0 ? im / (2 * larger) : 0;
    n[0] = re >= 0 ? larger : smaller;
    n[1] = re >= 0 ? smaller : larger;
}

double poyi_variable_step(const poy_objective *o, const poyi_variable *v, int i)
{
    const poyi_body *b = &o->s.bodies[v->body];
    const poy_c128 e = v->kind >= POYI_PARAMETER_INDEX ? b->matter[i / 2].constant.epsilon : (poy_c128){0, 0};
    const double size = hypot(e.re, e.im);
    switch (v->kind) {
    case POYI_PARAMETER_RADII: return 1e-3 * b->radii[v->n == 1 ? b->layers - 1 : i];
    case POYI_PARAMETER_POSITIONS: return 1e-3 * b->radii[b->layers - 1];
    case POYI_PARAMETER_INDEX: return 1e-3 * sqrt(size);
    default: return 1e-3 * size;
    }
}

void poyi_variable_move(poy_objective *o, const poyi_variable *v, int i, double h)
{
    poyi_body *b = &o->s.bodies[v->body];
    if (v->kind == POYI_PARAMETER_RADII) {
        b->radii[v->n == 1 ? b->layers - 1 : i] += h;
    } else if (v->kind == POYI_PARAMETER_POSITIONS) {
        for (int copy = 0, k = 0; copy < o->s.n; copy++)
            if (o->s.owner[copy] == v->body && k++ == i / 3)
                o->s.positions[3 * copy + i % 3] += h;
    } else if (v->kind == POYI_PARAMETER_PERMITTIVITY) {
        *(i % 2 ? &b->matter[i / 2].constant.epsilon.im : &b->matter[i / 2].constant.epsilon.re) += h;
    } else { /* epsilon mu = (n + i k)^2 */
        poy_medium *m = &b->matter[i / 2].constant;
        double n[2];
        poyi_index_of(m, n);
        n[i % 2] += h;
        m->epsilon = (poy_c128){(n[0] - n[1]) * (n[0] + n[1]) / m->mu.re, 2 * n[0] * n[1] / m->mu.re};
    }
}
