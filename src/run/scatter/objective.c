/* objective.c: reading [objective]: which number, at which wavelengths. */
#include "run/scatter/objective.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "pulse/march/march.h"
#include "run/limits.h"
#include "run/recipe/describe.h"
#include "run/recipe/settings.h"
#include "run/scatter/stack.h"
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
    if (s->array && s->array->kind != POYI_REPEATS_PLANE)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "objective: %s: %s have no gradient: arrays of spheres in a plane and stacks have, and what "
                         "poynting.solve_periodic of the Python package gives",
                         r->name, s->array->kind == POYI_REPEATS_CHAIN ? "chains" : "crystals");
    if (s->n_lights != 1)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "illumination: an objective has one direction and one polarisation, here are %d: choose one",
                         s->n_lights);
    for (int i = 0; i < s->n_bodies; i++)
        if (s->bodies[i].shape != POYI_SHAPE_SPHERE)
            return POYI_FAIL(
                ctx, POY_ERR_UNSUPPORTED, "particle.%d.shape: %s has no gradient: only spheres and core_shell have%s",
                i, s->bodies[i].word, s->cylinders ? ", and what cylinder_tmatrix of the Python package gives" : "");
    return POY_OK;
}

/* ---- the number ---- */

typedef struct known_quantity {
    const char *name;
    poyi_share share;
    double weight[2], offset;
} known_quantity;

static const known_quantity of_particles[] = {{"cross_sections.scattering", POYI_SHARE_ALL, {1, 0}, 0},
                                              {"cross_sections.extinction", POYI_SHARE_ALL, {0, 1}, 0},
                                              {"cross_sections.absorption", POYI_SHARE_ALL, {-1, 1}, 0}};
static const known_quantity of_stacks[] = {
    {"transmission.T", POYI_SHARE_ALL, {1, 0}, 0},         {"transmission.R", POYI_SHARE_ALL, {0, 1}, 0},
    {"transmission.A", POYI_SHARE_ALL, {-1, -1}, 1},       {"transmission.T_order", POYI_SHARE_ORDER, {1, 0}, 0},
    {"transmission.R_order", POYI_SHARE_ORDER, {0, 1}, 0}, {"cd.transmission", POYI_SHARE_DICHROISM, {1, 0}, 0},
    {"cd.outgoing", POYI_SHARE_DICHROISM, {0, 1}, 0},      {"cd.absorption", POYI_SHARE_ABSORBED, {1, 0}, 0}};

/* The diffraction order i, j of "transmission.T_order.i.j"; text: ".i.j". */
static poy_status read_order(poy_ctx *ctx, const char *key, const char *text, const struct poyi_stack *a,
                             poy_objective *o)
{
    char *end = NULL;
    const long long i = strtoll(text + 1, &end, 10), j = *end == '.' ? strtoll(end + 1, &end, 10) : 0;
    const char *tail = strrchr(text, '.');
    if (text[1] == '.' || tail == text || end == tail + 1 || *end || !a)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s names no order: say e.g. transmission.T_order.0.0", key,
                         o->quantity);
    for (o->order = 0; o->order < a->n_orders; o->order++) {
        const int64_t *order = a->orders + 2 * (ptrdiff_t)o->order;
        if (order[0] == i && order[1] == j)
            return POY_OK;
    }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                     "%s: the order (%lld, %lld) is none of the %d of the stack: raise numerics.orders_kmax", key, i, j,
                     a->n_orders);
}

static poy_status read_quantity(poy_ctx *ctx, const poy_recipe *r, poy_objective *o)
{
    const char *most = poyi_recipe_word(r, "objective.maximise", NULL),
               *least = poyi_recipe_word(r, "objective.minimise", NULL);
    const char *key = most ? "objective.maximise" : "objective.minimise", *word = most ? most : least;
    if (!word)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.maximise: missing: name a number, e.g. \"%s\"",
                         o->s.array ? "transmission.T" : "cross_sections.absorption");
    o->maximise = most != NULL;
    o->quantity = poyi_arena_copy(&o->arena, word, strlen(word));
    if (!o->quantity)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "objective: no memory");
    const known_quantity *known = o->s.array ? of_stacks : of_particles;
    const size_t n = o->s.array ? sizeof of_stacks / sizeof *of_stacks : sizeof of_particles / sizeof *of_particles;
    o->units = o->s.array ? "1" : "m2";
    for (size_t i = 0; i < n; i++) {
        const size_t length = strlen(known[i].name);
        const int is_order = known[i].share == POYI_SHARE_ORDER;
        if (strncmp(known[i].name, word, length) != 0 || (is_order ? word[length] != '.' : word[length] != '\0'))
            continue;
        o->share = known[i].share;
        o->offset = known[i].offset;
        memcpy(o->weight, known[i].weight, sizeof o->weight);
        return is_order ? read_order(ctx, key, word + length, o->s.array, o) : POY_OK;
    }
    return POYI_FAIL(
        ctx, POY_ERR_ARGUMENT, "%s: %s of %s has no derivative: use %s", key, word,
        o->s.array ? "an array or a stack" : "particles",
        o->s.array ? "transmission.T, .R, .A, .T_order.i.j, .R_order.i.j, cd.transmission, .outgoing or .absorption"
                   : "cross_sections.scattering, cross_sections.extinction or cross_sections.absorption");
}

static const poyi_view *sweep_of(const poyi_scatter *s)
{
    for (int i = 0; i < s->n_views; i++)
        if (s->views[i].kind == (s->array ? POYI_VIEW_ARRAY : POYI_VIEW_SWEEP))
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
    o->where = at > 0 ? "objective.at" : band ? "objective.band" : "sweep";
    if (at > 0 && band)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "objective.band: at says one wavelength: keep one of them");
    if (at > 0)
        return keep_points(ctx, o, 1, &k_at);
    if (!sweep || (!band && sweep->n != 1))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "objective.at: missing: say the wavelength, at = \"650 nm\", or a band of the sweep%s",
                         sweep        ? ""
                         : o->s.array ? ", with transmission in output.quantities"
                                      : ", with cross_sections in output.quantities");
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

/* ---- opening ---- */

/* Orders of all wavelengths, as a run at them would have. */
static poy_status find_orders(poy_ctx *ctx, const poy_recipe *r, poy_objective *o)
{
    const poyi_view v = {.n = o->n_points, .k0 = o->k0};
    return o->s.array ? poyi_stack_orders(ctx, r, &o->s, &v) : POY_OK;
}

static poy_status fill(poy_ctx *ctx, poy_recipe *r, poy_objective *o)
{
    o->name = poyi_arena_copy(&o->arena, r->name, strlen(r->name));
    POYI_TRY(ctx, poyi_scatter_create(ctx, r, &o->s));
    POYI_TRY(ctx, refuse_shapes(ctx, &o->s, r));
    POYI_TRY(ctx, read_points(ctx, r, o));
    POYI_TRY(ctx, find_orders(ctx, r, o));
    POYI_TRY(ctx, read_quantity(ctx, r, o));
    POYI_TRY(ctx, poyi_objective_keys(ctx, r, o));
    for (int i = 0; i < o->s.n_bodies; i++)
        o->layers = o->s.bodies[i].layers > o->layers ? o->s.bodies[i].layers : o->layers;
    o->s.cross_sections = !o->s.array; /* what degrees are judged by */
    if (o->s.array)
        o->s.array->transmission = 1;
    return POY_OK;
}

/* Of a checked scattering recipe. */
static poy_status open_checked(poy_ctx *ctx, poy_recipe *r, poy_objective **out)
{
    *out = NULL;
    poy_objective *o = calloc(1, sizeof *o);
    if (!o)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for an objective");
    o->asked = poyi_surroundings_asked(ctx, r, 1);
    o->budget_source = poyi_recipe_quantity(ctx, r, "run.memory", POY_DIM_BYTES, 0) > 0 ? "run.memory" : "the context";
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    poyi_ctx_watch_bytes(ctx);
    poy_status status = fill(ctx, r, o);
    o->setup = poyi_ctx_bytes_recent(ctx);
    poyi_surroundings_leave(ctx, &old);
    if (status == POY_OK)
        *out = o;
    else
        poy_objective_close(&o);
    return status;
}

poy_status poy_objective_open(poy_ctx *ctx, poy_recipe *r, poy_objective **out)
{
    *out = NULL;
    POYI_TRY(ctx, poy_recipe_check(ctx, r));
    POYI_TRY(ctx, poyi_recipe_built(ctx, r));
    if (r->kind != POYI_KIND_SCATTER)
        return refuse_pulse(ctx, r);
    if (!poyi_recipe_at(r, "objective"))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: has no [objective]: write e.g. [objective] and below it maximise = "
                         "\"cross_sections.absorption\", at = \"650 nm\", wrt = [\"particle.0.radius\"]",
                         r->file);
    return open_checked(ctx, r, out);
}

/* What the gradient needs, beside the numbers of a run. */
static poy_status describe(poy_ctx *ctx, poy_objective *o, poyi_numbers *l)
{
    size_t bytes, most;
    const double program = poyi_process_bytes(ctx, POYI_LIBRARIES_SCATTER);
    POYI_TRY(ctx, poy_objective_bytes(ctx, o, 0, &bytes, &most));
    poyi_number_add(l, "gradient_bytes", POY_DIM_BYTES, "B", (double)bytes, "memory of poynting grad");
    if (most > bytes)
        poyi_number_add(l, "gradient_bytes_most", POY_DIM_BYTES, "B", (double)most,
                        "of poynting grad, where factors have to take over from iterations");
    if (program > 0)
        poyi_number_add(l, "gradient_process", POY_DIM_BYTES, "B", program + (double)(bytes - o->idle),
                        "poynting grad with program and libraries, for a cluster's --mem");
    return POY_OK;
}

poy_status poyi_objective_judge(poy_ctx *ctx, poy_recipe *r, poyi_numbers *l)
{
    poy_objective *o;
    const poyi_node *node = poyi_recipe_at(r, "objective");
    if (!node)
        return POY_OK;
    if (r->kind != POYI_KIND_SCATTER) {
        poyi_warning(r, node, "objective", "E_VALUE", "a pulse has no gradient yet\nscan the keys instead");
        return POY_OK;
    }
    poy_status status = open_checked(ctx, r, &o);
    if (status == POY_OK)
        status = describe(ctx, o, l);
    poy_objective_close(&o);
    return status == POY_OK ? status : poyi_settings_refused(ctx, r, status, "objective");
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

const char *poy_objective_units(const poy_objective *o)
{
    return o->units;
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
