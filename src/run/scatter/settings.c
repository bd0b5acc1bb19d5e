/* settings.c: a resolved scattering recipe as numbers: wavelengths, bodies and their places, light, wanted quantities. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/recipe/settings.h"
#include "run/scatter/stack.h"

/* ---- wavelengths ---- */

static poy_status no_memory(poy_ctx *ctx, const poy_recipe *r)
{
    return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its settings", r->file);
}

static double wavenumber(double wavelength)
{
    return 2 * POYI_PI / wavelength;
}

/* Between start and stop, evenly in the quantity of the key; both ends exactly. */
static double between(double start, double stop, int i, int n, int by_frequency, int logarithmic)
{
    const double share = n > 1 ? (double)i / (n - 1) : 0;
    if (i == 0 || i == n - 1)
        return i ? stop : start;
    if (logarithmic)
        return start * pow(stop / start, share);
    return by_frequency ? 1 / (1 / start + (1 / stop - 1 / start) * share) : start + (stop - start) * share;
}

static int read_list(poy_ctx *ctx, poyi_scatter *s, const poyi_node *list, double **k0)
{
    int i = 0;
    *k0 = poyi_arena_alloc(&s->arena, (size_t)list->count * sizeof **k0);
    for (const poyi_node *x = list->first; x && *k0; x = x->next)
        (*k0)[i++] = wavenumber(poyi_node_quantity(ctx, x, POY_DIM_SPECTRAL));
    return i;
}

static poy_status read_sweep(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, int *n, double **k0)
{
    static const char *const keys[] = {"sweep.wavelength", "sweep.frequency", "sweep.photon_energy"};
    const poyi_node *node = NULL;
    int key = -1;
    while (!node && ++key < 3)
        node = poyi_recipe_at(r, keys[key]);
    if (!node)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "sweep.wavelength: missing: say at which wavelengths");
    if (node->kind == POYI_ARRAY) {
        *n = read_list(ctx, s, node, k0);
    } else if (node->kind == POYI_TABLE) {
        const double start = poyi_node_quantity(ctx, poyi_node_child(node, "start"), POY_DIM_SPECTRAL);
        const double stop = poyi_node_quantity(ctx, poyi_node_child(node, "stop"), POY_DIM_SPECTRAL);
        const poyi_node *scale = poyi_node_child(node, "scale");
        if (poyi_node_child(node, "num")->integer > 1000000)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: more than a million points: choose fewer", keys[key]);
        *n = (int)poyi_node_child(node, "num")->integer;
        *k0 = poyi_arena_alloc(&s->arena, (size_t)*n * sizeof **k0);
        for (int i = 0; *k0 && i < *n; i++)
            (*k0)[i] = wavenumber(between(start, stop, i, *n, key > 0, scale && poyi_is_word(scale, "log")));
    } else {
        *n = 1;
        *k0 = poyi_arena_alloc(&s->arena, sizeof **k0);
        if (*k0)
            **k0 = wavenumber(poyi_node_quantity(ctx, node, POY_DIM_SPECTRAL));
    }
    return *k0 ? POY_OK : no_memory(ctx, r);
}

/* ---- bodies ---- */

static poy_status read_bodies(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    const poyi_node *list = poyi_recipe_at(r, "particle");
    const int n = list ? list->count : 0;
    s->bodies = poyi_arena_alloc(&s->arena, ((size_t)n + 1) * sizeof *s->bodies);
    if (!s->bodies)
        return no_memory(ctx, r);
    s->files_only = n > 0;
    for (int i = 0; i < n; i++) {
        s->n_bodies = i + 1; /* also a half-made one is given back */
        POYI_TRY(ctx, poyi_body_create(ctx, r, &s->arena, i, &s->bodies[i]));
        s->cylinders |= s->bodies[i].shape == POYI_SHAPE_CYLINDER;
        s->files_only &= s->bodies[i].shape == POYI_SHAPE_FILE;
        const poyi_node *places = poyi_node_child(poyi_node_element(list, i), "positions");
        s->n += places ? places->count : 1;
    }
    for (int i = 0; i < n; i++)
        if (s->cylinders && s->bodies[i].shape != POYI_SHAPE_CYLINDER)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "particle.%d.shape: %s beside infinite cylinders is not built: use one or the other", i,
                             s->bodies[i].word);
    return POY_OK;
}

static poy_status read_positions(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    const poyi_node *list = poyi_recipe_at(r, "particle");
    int k = 0;
    s->positions = poyi_arena_alloc(&s->arena, ((size_t)s->n + 1) * 3 * sizeof *s->positions);
    s->owner = poyi_arena_alloc(&s->arena, ((size_t)s->n + 1) * sizeof *s->owner);
    if (!s->positions || !s->owner)
        return no_memory(ctx, r);
    for (int i = 0; i < s->n_bodies; i++) {
        const poyi_node *body = poyi_node_element(list, i), *places = poyi_node_child(body, "positions");
        const poyi_node *unit = poyi_node_child(body, "unit");
        poy_quantity one = {.value = 1};
        char text[64];
        if (unit) {
            snprintf(text, sizeof text, "1 %s", unit->text);
            POYI_TRY(ctx, poy_quantity_parse_as(ctx, text, POY_DIM_LENGTH, &one));
        }
        if (!places)
            s->owner[k++] = i;
        for (const poyi_node *point = places ? places->first : NULL; point; point = point->next, k++) {
            s->owner[k] = i;
            for (int d = 0; d < 3; d++) {
                /* as a quantity would be read: 90 nm is the double nearest to 90e-9 */
                poy_quantity q = {0};
                snprintf(text, sizeof text, "%.17g %s", poyi_node_element(point, d)->real, unit ? unit->text : "m");
                POYI_TRY(ctx, poy_quantity_parse_as(ctx, text, POY_DIM_LENGTH, &q));
                s->positions[3 * k + d] = q.value;
            }
            if (s->cylinders && s->positions[3 * k + 2] != 0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                 "particle.%d.positions: z = %.6g m: cylinders are infinite along z: leave it 0", i,
                                 s->positions[3 * k + 2]);
        }
    }
    return POY_OK;
}

/* Centre of the box around all centres. */
static void scatter_centre(const poyi_scatter *s, double out[3])
{
    for (int d = 0; d < 3; d++) {
        double low = (double)INFINITY, high = -(double)INFINITY;
        for (int i = 0; i < s->n; i++) {
            low = fmin(low, s->positions[3 * i + d]);
            high = fmax(high, s->positions[3 * i + d]);
        }
        out[d] = s->n ? (low + high) / 2 : 0;
    }
}

/* ---- what is wanted ---- */

/* "z = 0 nm" */
static poy_status read_plane(poy_ctx *ctx, const char *path, const poyi_node *node, poyi_view *v)
{
    const char *text = node->text, *equals = strchr(text, '=');
    poy_quantity q = {0};
    text += strspn(text, " ");
    if (!equals || *text < 'x' || *text > 'z' || strspn(text + 1, " ") != (size_t)(equals - text - 1))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: plane \"%s\" is none: write \"z = 0 nm\"", path, node->text);
    v->axis = *text - 'x';
    if (poy_quantity_parse_as(ctx, equals + 1, POY_DIM_LENGTH, &q) != POY_OK) {
        char cause[300];
        snprintf(cause, sizeof cause, "%s", poy_ctx_cause(ctx));
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: plane \"%s\": %s", path, node->text, cause);
    }
    v->offset = q.value;
    return POY_OK;
}

/* Which particle a point is in; POYI_UNKNOWN where its field is not computed. lets_in [bodies]. */
static int place_of(const poyi_scatter *s, const double p[3], const int *lets_in)
{
    for (int k = 0; k < s->n; k++) {
        const double *c = s->positions + 3 * (ptrdiff_t)k;
        const double distance = hypot(hypot(p[0] - c[0], p[1] - c[1]), s->cylinders ? 0 : p[2] - c[2]);
        if (!(distance > s->bodies[s->owner[k]].around) && !isnan(s->bodies[s->owner[k]].around))
            return lets_in[s->owner[k]] ? k : POYI_UNKNOWN;
    }
    return POYI_OUTSIDE;
}

static poy_status fill_near(poy_ctx *ctx, poyi_scatter *s, poyi_view *v)
{
    const int a = (v->axis + 1) % 3, b = (v->axis + 2) % 3, first = a < b ? a : b, second = a < b ? b : a;
    int *lets_in = poyi_arena_alloc(&s->arena, ((size_t)s->n_bodies + 1) * sizeof *lets_in);
    if (!lets_in)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its near field", s->name);
    for (int i = 0; i < s->n_bodies; i++) {
        lets_in[i] = 1;
        for (int k = 0; k < v->n && lets_in[i]; k++)
            if (poyi_body_lets_in(ctx, &s->bodies[i], v->k0[k], &lets_in[i]) != POY_OK) {
                poy_ctx_clear(ctx); /* beyond its data: told with the faults */
                lets_in[i] = 0;
            }
    }
    for (int row = 0; row < v->pixels; row++)
        for (int col = 0; col < v->pixels; col++) {
            const int64_t i = (int64_t)row * v->pixels + col;
            double *p = v->points + 3 * i;
            const double step = v->pixels > 1 ? v->size / (v->pixels - 1) : 0;
            p[v->axis] = v->offset;
            p[first] = v->centre[first] + step * (col - (v->pixels - 1) / 2.0);
            p[second] = v->centre[second] + step * (row - (v->pixels - 1) / 2.0);
            v->inside[i] = s->array ? POYI_OUTSIDE : place_of(s, p, lets_in); /* images are told apart later */
        }
    return POY_OK;
}

/* For each light: angles from its direction in the planes that theta and phi span with it, as directions; of cylinders azimuths from
 * its own. */
static void fill_far(const poyi_scatter *s, poyi_view *v)
{
    for (int light = 0; light < s->n_lights; light++) {
        const double *k = s->lights[light].direction;
        double side[2][3], *out = v->points + (s->cylinders ? 1 : 3) * v->n_points * light;
        poyi_light_frame(k, side[0], side[1]);
        for (int64_t i = 0; i < v->n_points; i++) {
            const double angle = 2 * POYI_PI * (double)(i % v->pixels) / (v->pixels - 1);
            if (s->cylinders)
                out[i] = atan2(k[1], k[0]) + angle;
            for (int d = 0; d < 3 && !s->cylinders; d++)
                out[3 * i + d] = cos(angle) * k[d] + sin(angle) * side[i / v->pixels][d];
        }
    }
}

static poy_status read_view(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, const poyi_node *node, poyi_view *v)
{
    char path[64];
    const int is_table = node->kind == POYI_TABLE, near = v->kind == POYI_VIEW_NEAR;
    const poyi_node *plane = is_table ? poyi_node_child(node, "plane") : NULL;
    const poyi_node *size = is_table ? poyi_node_child(node, "size") : NULL;
    const poyi_node *pixels = is_table ? poyi_node_child(node, "pixels") : NULL;
    const poyi_node *list = is_table ? poyi_node_child(node, "wavelengths") : NULL;
    double reach = 0;
    snprintf(path, sizeof path, "output.quantities.%d", node->index);
    scatter_centre(s, v->centre);
    for (int i = 0; i < s->n; i++)
        for (int d = 0; d < 3; d++)
            reach = fmax(reach, fabs(s->positions[3 * i + d] - v->centre[d]) +
                                    (isnan(s->bodies[s->owner[i]].around) ? 0 : s->bodies[s->owner[i]].around));
    v->axis = 2;
    v->offset = v->centre[2];
    if (plane)
        POYI_TRY(ctx, read_plane(ctx, path, plane, v));
    if (s->array && s->array->periodic) /* two cells */
        reach = fmax(reach, 2.0 / 3 * pow(poy_lattice_measure(&s->array->lattice), 1.0 / s->array->lattice.dim));
    v->size = size ? poyi_node_quantity(ctx, size, POY_DIM_LENGTH) : 3 * reach;
    v->pixels = pixels ? (int)fmin((double)pixels->integer, 1e9) : !near ? 361 : s->array ? 61 : 151;
    if (near && !(v->size > 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: size is missing: say how large the picture is, e.g. \"300 nm\"",
                         path);
    if (v->pixels < 2 || v->pixels > 20000)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %d pixels: choose 2 to 20000", path, v->pixels);
    if (list)
        v->n = read_list(ctx, s, list, &v->k0);
    else
        POYI_TRY(ctx, read_sweep(ctx, r, s, &v->n, &v->k0));
    v->n_points = near ? (int64_t)v->pixels * v->pixels : (s->cylinders ? 1 : 2) * (int64_t)v->pixels;
    v->points =
        poyi_arena_alloc(&s->arena, (size_t)v->n_points * 3 * sizeof *v->points * (near ? 1 : (size_t)s->n_lights));
    v->inside = poyi_arena_alloc(&s->arena, near ? (size_t)v->n_points * sizeof *v->inside : 1);
    if (!v->points || !v->inside || !v->k0)
        return no_memory(ctx, r);
    if (near)
        return fill_near(ctx, s, v);
    fill_far(s, v);
    return POY_OK;
}

static poyi_view *add_view(poyi_scatter *s, poyi_view_kind kind, const char *group)
{
    int same = 0;
    poyi_view *v = &s->views[s->n_views++];
    for (int i = 0; i < s->n_views - 1; i++)
        same += s->views[i].kind == kind;
    *v = (poyi_view){.kind = kind, .group = same ? poyi_arena_format(&s->arena, "%s_%d", group, same + 1) : group};
    return v;
}

static poy_status read_wanted(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    const poyi_node *list = poyi_recipe_at(r, "output.quantities");
    for (const poyi_node *node = list->first; node; node = node->next) {
        const char *name = node->kind == POYI_TABLE ? poyi_node_child(node, "name")->text : node->text;
        s->cross_sections |= !strcmp(name, "cross_sections");
        s->tmatrix |= !strcmp(name, "tmatrix");
        if (!s->array &&
            (!strcmp(name, "transmission") || !strcmp(name, "orders") || !strcmp(name, "cd") || !strcmp(name, "bands")))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "output.quantities: %s of particles alone: add a [lattice] or a [stack], or ask for "
                             "cross_sections",
                             name);
    }
    if (s->array && (poyi_stack_needs_light(s->array) || s->array->bands)) {
        poyi_view *v = add_view(s, POYI_VIEW_ARRAY, "sweep");
        POYI_TRY(ctx, read_sweep(ctx, r, s, &v->n, &v->k0));
        POYI_TRY(ctx, poyi_stack_orders(ctx, r, s, v));
    } else if (s->cross_sections || s->tmatrix) {
        poyi_view *v = add_view(s, POYI_VIEW_SWEEP, "sweep");
        POYI_TRY(ctx, read_sweep(ctx, r, s, &v->n, &v->k0));
    }
    for (const poyi_node *node = list->first; node; node = node->next) {
        const char *name = node->kind == POYI_TABLE ? poyi_node_child(node, "name")->text : node->text;
        const int near = !strcmp(name, "near_field");
        if (!near && strcmp(name, "far_field") != 0)
            continue;
        if (s->n_views == POYI_VIEWS_MAX - 1)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "output.quantities: more than %d fields: ask for fewer",
                             POYI_VIEWS_MAX - 2);
        poyi_view *v = add_view(s, near ? POYI_VIEW_NEAR : POYI_VIEW_FAR, name);
        POYI_TRY(ctx, read_view(ctx, r, s, node, v));
        if (s->array)
            POYI_TRY(ctx, poyi_stack_orders(ctx, r, s, v));
    }
    return POY_OK;
}

/* ---- numerics ---- */

static void read_numerics(const poy_recipe *r, poyi_scatter *s)
{
    static const char *const solvers[] = {"auto", "dense", "gmres"};
    const char *solver = poyi_recipe_word(r, "numerics.solver", "auto");
    s->lmax = (int)poyi_recipe_integer(r, s->cylinders ? "numerics.mmax" : "numerics.lmax", 0);
    if (s->cylinders && poyi_recipe_at(r, "numerics.mmax") && poyi_recipe_at(r, "numerics.mmax")->kind == POYI_INTEGER)
        s->lmax = s->lmax > 0 ? s->lmax : -1; /* order 0 alone */
    s->tol = poyi_recipe_number(r, "numerics.tol", 1e-10);
    for (int i = 0; i < 3; i++)
        if (!strcmp(solvers[i], solver))
            s->solver = i;
}

/* Degrees of each point: those of the recipe or the file; else 0: chosen on the way. With the T-matrix one for all. */
static poy_status choose_degrees(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    int fixed = s->lmax, file = 0, most = 0;
    for (int i = 0; i < s->n_bodies; i++)
        file = s->bodies[i].lmax > file ? s->bodies[i].lmax : file;
    if (s->files_only)
        fixed = file;
    for (int i = 0; i < s->n_views; i++) {
        poyi_view *v = &s->views[i];
        v->lmax = poyi_arena_alloc(&s->arena, ((size_t)v->n + 1) * sizeof *v->lmax);
        if (!v->lmax)
            return no_memory(ctx, r);
        for (int k = 0; k < v->n; k++) {
            int degree = fixed;
            if (!fixed || (s->tmatrix && v->kind == POYI_VIEW_SWEEP))
                POYI_TRY(ctx, poyi_scatter_degree(ctx, s, v->k0[k], s->tol, &degree));
            degree = fixed ? fixed : degree;
            most = v->kind == POYI_VIEW_SWEEP && degree > most ? degree : most;
            v->lmax[k] = fixed;
        }
    }
    s->lmax_tmatrix = most;
    for (int k = 0; s->tmatrix && k < s->views[0].n; k++)
        s->views[0].lmax[k] = most;
    s->lmax_parts = fixed > 0 ? fixed : 12;
    return POY_OK;
}

/* How the cross sections depend on the degree, at the wavelength that needs most of them, the middle one of equals. */
static poy_status add_convergence(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    int most = 0, first = 0, last = 0, degree;
    const poyi_view *sweep = &s->views[0];
    if (!s->cross_sections || s->files_only || s->cylinders || s->array)
        return POY_OK;
    for (int k = 0; k < sweep->n; k++) {
        POYI_TRY(ctx, poyi_scatter_degree(ctx, s, sweep->k0[k], s->tol, &degree));
        first = degree > most ? k : first;
        last = degree >= most ? k : last;
        most = degree > most ? degree : most;
    }
    most = s->lmax > 0 ? s->lmax : most + 2;
    poyi_view *v = add_view(s, POYI_VIEW_CONVERGENCE, "convergence");
    v->n = most;
    v->k0 = poyi_arena_alloc(&s->arena, (size_t)most * sizeof *v->k0);
    v->lmax = poyi_arena_alloc(&s->arena, (size_t)most * sizeof *v->lmax);
    if (!v->k0 || !v->lmax)
        return no_memory(ctx, r);
    for (int k = 0; k < most; k++) {
        v->k0[k] = sweep->k0[(first + last) / 2];
        v->lmax[k] = k + 1;
    }
    return POY_OK;
}

/* ---- all ---- */

/* Cylinders that repeat along x: light goes along y where nothing is said. */
static int is_grating(const poy_recipe *r, const poyi_scatter *s)
{
    return s->cylinders && poyi_recipe_at(r, "lattice.vectors");
}

static poy_status make(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s)
{
    s->name = r->name;
    POYI_TRY(ctx, poyi_matter_create(ctx, r, poyi_recipe_at(r, "medium.material"), "medium.material", &s->medium));
    POYI_TRY(ctx, read_bodies(ctx, r, s));
    POYI_TRY(ctx, read_positions(ctx, r, s));
    const int overlaps = poyi_scatter_overlaps(r, s); /* told with what the rest meets */
    POYI_TRY(ctx,
             poyi_lights_create(ctx, r, &s->arena, is_grating(r, s) ? 1 : 2, s->cylinders, &s->n_lights, &s->lights));
    read_numerics(r, s);
    POYI_TRY(ctx, poyi_stack_create(ctx, r, s, &s->array));
    POYI_TRY(ctx, read_wanted(ctx, r, s));
    if (overlaps + poyi_scatter_faults(ctx, r, s) + poyi_stack_faults(ctx, r, s))
        return poyi_recipe_faulty(ctx, r);
    POYI_TRY(ctx, choose_degrees(ctx, r, s));
    if (poyi_scatter_idle(r, s))
        return poyi_recipe_faulty(ctx, r);
    POYI_TRY(ctx, add_convergence(ctx, r, s));
    for (int i = 0; i < s->n_views; i++)
        s->items += s->views[i].n;
    return s->arena.failed ? no_memory(ctx, r) : POY_OK;
}

poy_status poyi_scatter_create(poy_ctx *ctx, poy_recipe *r, poyi_scatter *out)
{
    *out = (poyi_scatter){0};
    POYI_TRY(ctx, poyi_recipe_built(ctx, r));
    poy_status status = make(ctx, r, out);
    if (status != POY_OK && status != POY_ERR_RECIPE)
        status = poyi_settings_refused(ctx, r, status, "sweep");
    if (status != POY_OK)
        poyi_scatter_fini(out);
    return status;
}

void poyi_scatter_tell_overlaps(poy_ctx *ctx, poy_recipe *r)
{
    poyi_scatter s = {0};
    for (int i = 0; i < r->faults.count; i++)
        if (!r->faults.list[i].warning && !strncmp(r->faults.list[i].key, "particle", 8))
            return;
    if (poyi_recipe_resolve(ctx, r) == POY_OK && read_bodies(ctx, r, &s) == POY_OK &&
        read_positions(ctx, r, &s) == POY_OK)
        poyi_scatter_overlaps(r, &s);
    poy_ctx_clear(ctx); /* what else is wrong is told when the rest is mended */
    poyi_scatter_fini(&s);
    r->resolved = NULL; /* a recipe with faults has none */
    r->resolved_text = r->name = NULL;
}

void poyi_scatter_fini(poyi_scatter *s)
{
    poyi_matter_fini(&s->medium);
    poyi_stack_fini(s->array);
    for (int i = 0; i < s->n_bodies; i++)
        poyi_body_fini(&s->bodies[i]);
    poyi_arena_fini(&s->arena);
    *s = (poyi_scatter){0};
}
