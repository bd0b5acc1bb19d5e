/* stack.c: [lattice] and [stack] of a scattering recipe: their parts, their diffraction orders, what cannot be. */
#include "run/scatter/stack.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"

enum { PARTS_MAX = 4096, ORDERS_MAX = 400 };

static poy_status no_memory(poy_ctx *ctx, const poy_recipe *r)
{
    return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its stack", r->file);
}

/* ---- the lattice ---- */

static poy_status read_lattice(poy_ctx *ctx, poy_recipe *r, struct poyi_stack *a)
{
    const poyi_node *rows = poyi_recipe_at(r, "lattice.vectors"), *unit = poyi_recipe_at(r, "lattice.unit");
    const poyi_node *bloch = poyi_recipe_at(r, "lattice.bloch");
    char text[80];
    if (!rows)
        return POY_OK;
    a->periodic = 1;
    if (rows->count != 2)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "lattice.vectors: %d of them: plane arrays, with two, are built: give two in the plane z = 0",
                         rows->count);
    a->lattice.dim = 2;
    for (int i = 0; i < 2; i++) {
        const poyi_node *row = poyi_node_element(rows, i);
        for (int c = 0; c < row->count; c++) {
            poy_quantity q = {0};
            snprintf(text, sizeof text, "%.17g %s", poyi_node_element(row, c)->real, unit ? unit->text : "m");
            POYI_TRY(ctx, poy_quantity_parse_as(ctx, text, POY_DIM_LENGTH, &q));
            if (c < 2)
                a->lattice.a[2 * i + c] = q.value;
            else if (q.value != 0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.vectors: leave the plane z = 0: lay both in it");
        }
        if (row->count < 2)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.vectors: two vectors with %d component: give x and y",
                             row->count);
    }
    poy_lattice dual;
    if (poy_lattice_reciprocal(ctx, &a->lattice, &dual) != POY_OK)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.vectors: span no area: give two that are not parallel");
    for (int c = 0; bloch && c < bloch->count && c < 2; c++)
        a->bloch[c] = poyi_node_quantity(ctx, poyi_node_element(bloch, c), POY_DIM_WAVENUMBER);
    a->has_bloch = bloch != NULL;
    if (bloch && bloch->count != 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.bloch: %d components: a plane array has two", bloch->count);
    return POY_OK;
}

/* ---- the stack ---- */

static double length(poy_ctx *ctx, const poyi_node *layer, const char *key)
{
    const poyi_node *node = poyi_node_child(layer, key);
    return node ? poyi_node_quantity(ctx, node, POY_DIM_LENGTH) : 0;
}

static poy_status add_part(poy_ctx *ctx, poy_recipe *r, struct poyi_stack *a, const poyi_node *layer, const char *path)
{
    const poyi_node *array = poyi_node_child(layer, "array"), *material = poyi_node_child(layer, "material");
    const poyi_node *medium = poyi_node_child(layer, "medium");
    char key[120];
    if (a->n_parts == PARTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "stack.layers: more than %d layers: repeat fewer", PARTS_MAX);
    poyi_stack_part *p = &a->parts[a->n_parts];
    *p = (poyi_stack_part){.is_array = array && array->integer, .thickness = length(ctx, layer, "thickness")};
    p->below = length(ctx, layer, "below");
    p->above = length(ctx, layer, "above");
    snprintf(key, sizeof key, "%s.%s", path, p->is_array ? "medium" : "material");
    if (!p->is_array && !material)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: missing: name a material, or say array = true", key);
    POYI_TRY(ctx,
             poyi_matter_create(ctx, r, p->is_array ? medium ? medium : poyi_recipe_at(r, "medium.material") : material,
                                key, &p->matter));
    a->has_particles |= p->is_array;
    a->n_parts++;
    return POY_OK;
}

/* Parts first .. n - 1 once more, with the matter of the first time. */
static poy_status again(poy_ctx *ctx, struct poyi_stack *a, int first, int end)
{
    if (a->n_parts + end - first > PARTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "stack.layers: more than %d layers: repeat fewer", PARTS_MAX);
    for (int i = first; i < end; i++) {
        a->parts[a->n_parts] = a->parts[i];
        a->parts[a->n_parts++].shared = 1;
    }
    return POY_OK;
}

static poy_status add_layers(poy_ctx *ctx, poy_recipe *r, struct poyi_stack *a, const poyi_node *list, const char *path)
{
    int index = 0;
    for (const poyi_node *layer = list->first; layer; layer = layer->next, index++) {
        char own[96];
        const poyi_node *inner = poyi_node_child(layer, "layers"), *repeat = poyi_node_child(layer, "repeat");
        const int first = a->n_parts;
        snprintf(own, sizeof own, "%.60s.%d", path, index);
        if (inner)
            POYI_TRY(ctx, add_layers(ctx, r, a, inner, own));
        else
            POYI_TRY(ctx, add_part(ctx, r, a, layer, own));
        const int end = a->n_parts;
        for (int64_t i = 1; repeat && i < repeat->integer; i++)
            POYI_TRY(ctx, again(ctx, a, first, end));
    }
    return POY_OK;
}

/* Without a stack: the medium, the particles, the medium. */
static poy_status lone_array(poy_ctx *ctx, poy_recipe *r, struct poyi_stack *a)
{
    const poyi_node *medium = poyi_recipe_at(r, "medium.material");
    for (int i = 0; i < 3; i++) {
        a->parts[i] = (poyi_stack_part){.is_array = i == 1};
        POYI_TRY(ctx, poyi_matter_create(ctx, r, medium, "medium.material", &a->parts[i].matter));
        a->n_parts++;
    }
    a->has_particles = 1;
    return POY_OK;
}

static poy_status read_parts(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, struct poyi_stack *a)
{
    const poyi_node *layers = poyi_recipe_at(r, "stack.layers");
    a->parts = poyi_arena_alloc(&s->arena, PARTS_MAX * sizeof *a->parts);
    if (!a->parts)
        return no_memory(ctx, r);
    if (layers)
        POYI_TRY(ctx, add_layers(ctx, r, a, layers, "stack.layers"));
    else
        POYI_TRY(ctx, lone_array(ctx, r, a));
    if (a->parts[0].is_array || a->parts[a->n_parts - 1].is_array)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "stack.layers: begins or ends with an array: the first and the last are half spaces of a material");
    if (a->has_particles && !a->periodic)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "stack.layers: has an array, but there is no [lattice]: say how it repeats");
    if (a->has_particles && s->n == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "stack.layers: has an array, but there is no [[particle]]: add one");
    if (!a->has_particles && s->n > 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "stack.layers: no layer holds the particles: add { array = true, medium = \"vacuum\" }");
    if (s->cylinders)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "lattice.vectors: gratings of cylinders are not built in recipes: use "
                         "poy_periodic_solve");
    return POY_OK;
}

static poy_status read_wanted(poy_ctx *ctx, poy_recipe *r, struct poyi_stack *a)
{
    const poyi_node *list = poyi_recipe_at(r, "output.quantities");
    for (const poyi_node *node = list->first; node; node = node->next) {
        const char *name = node->kind == POYI_TABLE ? poyi_node_child(node, "name")->text : node->text;
        a->transmission |= !strcmp(name, "transmission");
        a->amplitudes |= !strcmp(name, "orders");
        a->bands |= !strcmp(name, "bands");
        a->cd |= !strcmp(name, "cd");
        if (!strcmp(name, "cross_sections") || !strcmp(name, "far_field") || !strcmp(name, "tmatrix") ||
            !strcmp(name, "near_field"))
            return POYI_FAIL(
                ctx, POY_ERR_UNSUPPORTED,
                "output.quantities: %s of arrays and stacks is not built: ask for transmission, orders, cd or bands",
                name);
    }
    return POY_OK;
}

poy_status poyi_stack_create(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, struct poyi_stack **out)
{
    *out = NULL;
    if (!poyi_recipe_at(r, "lattice.vectors") && !poyi_recipe_at(r, "stack.layers"))
        return POY_OK;
    struct poyi_stack *a = poyi_arena_alloc(&s->arena, sizeof *a);
    if (!a)
        return no_memory(ctx, r);
    *a = (struct poyi_stack){.eta = poyi_recipe_number(r, "numerics.ewald_split", 0)};
    *out = a; /* half-made parts are given back with it */
    POYI_TRY(ctx, read_wanted(ctx, r, a));
    POYI_TRY(ctx, read_lattice(ctx, r, a));
    POYI_TRY(ctx, read_parts(ctx, r, s, a));
    if (!(s->direction[2] > 1e-9))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "illumination.%s: the light has to go up, from the first half space on: choose theta below 90 deg",
            poyi_recipe_at(r, "illumination.direction") ? "direction" : "angles.theta");
    return POY_OK;
}

void poyi_stack_fini(struct poyi_stack *a)
{
    for (int i = 0; a && i < a->n_parts; i++)
        if (!a->parts[i].shared)
            poyi_matter_fini(&a->parts[i].matter);
}

/* ---- orders ---- */

static poy_status real_wavenumber(poy_ctx *ctx, const poyi_matter *matter, double k0, int *absorbs, double *out)
{
    poy_medium m;
    poy_c128 n;
    POYI_TRY(ctx, poyi_matter_at(ctx, matter, k0, &m));
    POYI_TRY(ctx, poy_medium_index(ctx, &m, &n));
    *absorbs = poyi_matter_absorbs(&m);
    *out = k0 * n.re;
    return POY_OK;
}

poy_status poyi_stack_parallel(poy_ctx *ctx, const poyi_scatter *s, double k0, double out[2])
{
    const struct poyi_stack *a = s->array;
    double k;
    int absorbs;
    if (a->has_bloch) {
        memcpy(out, a->bloch, sizeof a->bloch);
        return POY_OK;
    }
    POYI_TRY(ctx, real_wavenumber(ctx, &a->parts[0].matter, k0, &absorbs, &k));
    if (absorbs && hypot(s->direction[0], s->direction[1]) > 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "oblique light from a half space that absorbs: choose theta = 0, or a material without loss");
    for (int c = 0; c < 2; c++)
        out[c] = k * s->direction[c];
    return POY_OK;
}

/* The largest |k| of all media, and what decays by tol over the least distance from the particles. */
static poy_status default_kmax(poy_ctx *ctx, const poyi_scatter *s, double k0, double *out)
{
    const struct poyi_stack *a = s->array;
    double most = 0, nearest = (double)INFINITY, k;
    int absorbs;
    for (int i = 0; i < a->n_parts; i++) {
        const poyi_stack_part *p = &a->parts[i];
        POYI_TRY(ctx, real_wavenumber(ctx, &p->matter, k0, &absorbs, &k));
        most = fmax(most, k);
        if (p->is_array && a->n_parts > 3)
            nearest = fmin(nearest, fmin(p->below, p->above));
    }
    const double decay = isfinite(nearest) && nearest > 0 ? log(1 / s->tol) / (2 * nearest) : 0;
    *out = hypot(most, decay) * (1 + 1e-12);
    return POY_OK;
}

static int has_order(const struct poyi_stack *a, int64_t i, int64_t j)
{
    for (int k = 0; k < a->n_orders; k++)
        if (a->orders[2 * (size_t)k] == i && a->orders[2 * (size_t)k + 1] == j)
            return 1;
    return 0;
}

/* Adds the orders within kmax of one point. */
static poy_status add_orders(poy_ctx *ctx, const poy_recipe *r, struct poyi_stack *a, const double kpar[2], double kmax)
{
    poy_status status = POY_OK;
    poy_basis *ports = NULL;
    POYI_TRY(ctx, poy_ports_within(ctx, POY_XY, kpar, 2, a->lattice.a, kmax, &ports));
    const poy_wave_mode *modes = poy_basis_modes(ports);
    for (size_t p = 0; p < poy_basis_size(ports); p += 2) {
        int64_t n[2];
        for (int c = 0; c < 2; c++) {
            const double *row = a->lattice.a + 2 * (size_t)c;
            const double turns =
                row[0] * (modes[p].component[0] - kpar[0]) + row[1] * (modes[p].component[1] - kpar[1]);
            n[c] = (int64_t)round(turns / (2 * POYI_PI));
        }
        if (has_order(a, n[0], n[1]))
            continue;
        if (a->n_orders == ORDERS_MAX) {
            status = POYI_FAIL(
                ctx, POY_ERR_UNSUPPORTED,
                "numerics.orders_kmax: more than %d diffraction orders within %.4g rad/um: choose a smaller one",
                ORDERS_MAX, kmax * 1e-6);
            break;
        }
        a->orders[2 * (size_t)a->n_orders] = n[0];
        a->orders[2 * (size_t)a->n_orders++ + 1] = n[1];
    }
    (void)r;
    poy_basis_destroy(&ports);
    return status;
}

poy_status poyi_stack_orders(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, const poyi_view *v)
{
    struct poyi_stack *a = s->array;
    const double given = poyi_recipe_quantity(ctx, r, "numerics.orders_kmax", POY_DIM_WAVENUMBER, 0);
    a->orders = poyi_arena_alloc(&s->arena, (size_t)2 * ORDERS_MAX * sizeof *a->orders);
    if (!a->orders)
        return no_memory(ctx, r);
    a->orders[0] = a->orders[1] = 0;
    a->n_orders = 1;
    for (int k = 0; a->periodic && k < v->n; k++) {
        double kpar[2], kmax = given;
        POYI_TRY(ctx, poyi_stack_parallel(ctx, s, v->k0[k], kpar));
        if (!(kmax > 0))
            POYI_TRY(ctx, default_kmax(ctx, s, v->k0[k], &kmax));
        POYI_TRY(ctx, add_orders(ctx, r, a, kpar, kmax));
    }
    return POY_OK;
}

/* ---- what cannot be ---- */

static int check_fit(poy_recipe *r, const poyi_scatter *s)
{
    const struct poyi_stack *a = s->array;
    char over[48], room[48];
    for (int k = 0; k < a->n_parts; k++)
        for (int i = 0; a->parts[k].is_array && i < s->n && a->n_parts > 3; i++)
            for (int side = 0; side < 2; side++) {
                const double reach = s->bodies[s->owner[i]].around + (side ? 1 : -1) * s->positions[3 * i + 2];
                const double have = side ? a->parts[k].above : a->parts[k].below;
                if (!(reach > have * (1 + 1e-12)))
                    continue;
                poy_quantity_format(reach, POY_DIM_LENGTH, 4, sizeof over, over);
                poy_quantity_format(have, POY_DIM_LENGTH, 4, sizeof room, room);
                poyi_fault(
                    r, poyi_node_find(r->root, "stack.layers"), "stack.layers", "E_GEOMETRY",
                    "particle %d reaches %s %s the plane z = 0 of the array, whose medium ends after %s\nmake %s "
                    "larger",
                    i, over, side ? "above" : "below", room, side ? "above" : "below");
                return 1;
            }
    return 0;
}

static int check_images(poy_recipe *r, const poyi_scatter *s)
{
    enum { REACH = 3 };
    const struct poyi_stack *a = s->array;
    char overlap[48];
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            for (int m = -REACH; m <= REACH; m++)
                for (int n = -REACH; n <= REACH; n++) {
                    double d[3];
                    for (int c = 0; c < 3; c++)
                        d[c] = s->positions[3 * j + c] - s->positions[3 * i + c] +
                               (c < 2 ? m * a->lattice.a[c] + n * a->lattice.a[2 + c] : 0);
                    const double gap = hypot(hypot(d[0], d[1]), d[2]);
                    const double least = s->bodies[s->owner[i]].around + s->bodies[s->owner[j]].around;
                    if ((m == 0 && n == 0) || !(gap < least * (1 - 1e-12)))
                        continue;
                    poy_quantity_format(least - gap, POY_DIM_LENGTH, 3, sizeof overlap, overlap);
                    poyi_fault(r, poyi_node_find(r->root, "lattice.vectors"), "lattice.vectors", "E_GEOMETRY",
                               "particle %d and an image of particle %d overlap by %s\nmake the cell larger", i, j,
                               overlap);
                    return 1;
                }
    return 0;
}

int poyi_stack_faults(poy_ctx *ctx, poy_recipe *r, const poyi_scatter *s)
{
    (void)ctx;
    if (!s->array || !s->array->has_particles)
        return 0;
    return check_fit(r, s) + check_images(r, s);
}

double poyi_stack_bytes(const poyi_scatter *s, int lmax)
{
    const double n = (double)poyi_solution_size(s, lmax), m = 2.0 * s->array->n_orders, l = 2.0 * lmax + 1;
    return 16 * (3 * n * n + 5 * n * m + 30 * m * m) + 32 * 2 * s->n * s->n * l * l;
}
