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

/* ---- the stack ---- */

static double length(poy_ctx *ctx, const poyi_node *layer, const char *key)
{
    const poyi_node *node = poyi_node_child(layer, key);
    return node ? poyi_node_quantity(ctx, node, POY_DIM_LENGTH) : 0;
}

static poy_status add_part(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, struct poyi_stack *a, const poyi_node *layer,
                           const char *path)
{
    const poyi_node *array = poyi_node_child(layer, "array"), *material = poyi_node_child(layer, "material");
    const poyi_node *medium = poyi_node_child(layer, "medium");
    char key[120];
    if (a->n_parts == PARTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "stack.layers: more than %d layers: repeat fewer", PARTS_MAX);
    poyi_stack_part *p = &a->parts[a->n_parts];
    *p = (poyi_stack_part){.key = poyi_arena_copy(&s->arena, path, strlen(path)),
                           .is_array = array && array->integer,
                           .thickness = length(ctx, layer, "thickness")};
    p->below = length(ctx, layer, "below");
    p->above = length(ctx, layer, "above");
    p->in_medium = p->is_array && !medium;
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

static poy_status add_layers(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, struct poyi_stack *a, const poyi_node *list,
                             const char *path)
{
    int index = 0;
    for (const poyi_node *layer = list->first; layer; layer = layer->next, index++) {
        char own[96], deeper[112];
        const poyi_node *inner = poyi_node_child(layer, "layers"), *repeat = poyi_node_child(layer, "repeat");
        const int first = a->n_parts;
        snprintf(own, sizeof own, "%.80s.%d", path, index);
        snprintf(deeper, sizeof deeper, "%s.layers", own);
        if (inner)
            POYI_TRY(ctx, add_layers(ctx, r, s, a, inner, deeper));
        else
            POYI_TRY(ctx, add_part(ctx, r, s, a, layer, own));
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
        a->parts[i] = (poyi_stack_part){.key = a->n_parts ? a->parts[0].key : "medium", .is_array = i == 1};
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
    a->lone = !layers;
    if (!a->parts)
        return no_memory(ctx, r);
    if (layers && a->kind != POYI_REPEATS_PLANE)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "stack.layers: %s fills no plane: give two vectors in the plane, or leave [stack] out",
                         a->kind == POYI_REPEATS_CHAIN ? "a chain" : "a crystal");
    if (layers && a->bands && a->n_path)
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "lattice.path: bands along it are those of particles in one medium, not in a [stack]: leave [stack] "
            "out, [medium] says what surrounds them");
    if (layers)
        POYI_TRY(ctx, add_layers(ctx, r, s, a, layers, "stack.layers"));
    else
        POYI_TRY(ctx, lone_array(ctx, r, a));
    if (a->has_particles && !a->periodic)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "stack.layers: has an array, but there is no [lattice]: say how it repeats");
    if (a->has_particles && s->n == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "stack.layers: has an array, but there is no [[particle]]: add one");
    if (!a->has_particles && s->n > 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "stack.layers: no layer holds the particles: add { array = true, medium = \"vacuum\" }");
    return POY_OK;
}

/* What may be asked of what repeats how; a blank on both sides of each. */
static poy_status read_wanted(poy_ctx *ctx, poy_recipe *r, struct poyi_stack *a)
{
    static const char *const built[] = {" transmission orders cd bands near_field ",
                                        " cross_sections bands near_field ", " bands "};
    static const char *const words[] = {"arrays and stacks", "chains", "crystals"};
    const poyi_node *list = poyi_recipe_at(r, "output.quantities");
    for (const poyi_node *node = list->first; node; node = node->next) {
        const char *name = node->kind == POYI_TABLE ? poyi_node_child(node, "name")->text : node->text;
        char padded[64];
        snprintf(padded, sizeof padded, " %s ", name);
        if (!strstr(built[a->kind], padded))
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "output.quantities: %s of %s is not built: ask for%s", name,
                             words[a->kind], built[a->kind]);
        a->transmission |= !strcmp(name, "transmission");
        a->amplitudes |= !strcmp(name, "orders");
        a->bands |= !strcmp(name, "bands");
        a->cd |= !strcmp(name, "cd");
        a->sections |= !strcmp(name, "cross_sections");
    }
    if (a->bands && a->kind != POYI_REPEATS_PLANE && !a->n_path)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "lattice.path: missing: bands of %s need Bloch vectors: give the corners of a path, e.g. [[0.0], "
            "[0.5]]",
            words[a->kind]);
    return POY_OK;
}

static poy_status check_lights(poy_ctx *ctx, const poy_recipe *r, const poyi_scatter *s, const struct poyi_stack *a)
{
    for (int i = 0; i < s->n_lights && a->kind == POYI_REPEATS_PLANE; i++)
        if (!(s->lights[i].direction[a->normal] > 1e-9))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "illumination.%s: the light has to go up, along %s, from the first half space on: choose another",
                poyi_recipe_at(r, "illumination.direction") ? "direction" : "angles.theta", a->normal == 1 ? "y" : "z");
    if (a->has_bloch && s->n_lights > 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "lattice.bloch: fixes one wavevector, but there are %d lights: keep one", s->n_lights);
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
    *a = (struct poyi_stack){.eta = poyi_recipe_number(r, "numerics.ewald_split", 0), .normal = 2, .alignment = POY_XY};
    *out = a; /* half-made parts are given back with it */
    POYI_TRY(ctx, poyi_lattice_read(ctx, r, s, a));
    POYI_TRY(ctx, read_wanted(ctx, r, a));
    POYI_TRY(ctx, read_parts(ctx, r, s, a));
    return check_lights(ctx, r, s, a);
}

int poyi_stack_needs_light(const struct poyi_stack *a)
{
    return a->transmission || a->cd || a->amplitudes || a->sections || (a->bands && !a->n_path);
}

static double thickness_of(const poyi_stack_part *p)
{
    return p->is_array ? p->below + p->above : p->thickness;
}

void poyi_stack_heights(const struct poyi_stack *a, double *low)
{
    double height = 0, zero = 0;
    int found = 0;
    for (int i = 0; i < a->n_parts; i++) {
        low[i] = height;
        if (a->parts[i].is_array && !found) {
            zero = height + a->parts[i].below;
            found = 1;
        }
        height += i > 0 && i + 1 < a->n_parts ? thickness_of(&a->parts[i]) : 0;
    }
    for (int i = 0; i < a->n_parts; i++)
        low[i] -= zero;
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

poy_status poyi_stack_parallel(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, double out[2])
{
    const struct poyi_stack *a = s->array;
    const double *d = light->direction;
    double k;
    int absorbs;
    if (a->has_bloch) { /* of gratings along x, the second component */
        out[0] = a->alignment == POY_ZX ? 0 : a->bloch[0];
        out[1] = a->alignment == POY_ZX ? a->bloch[0] : a->bloch[1];
        return POY_OK;
    }
    POYI_TRY(ctx, real_wavenumber(ctx, &a->parts[0].matter, k0, &absorbs, &k));
    out[0] = k * (a->alignment == POY_ZX ? d[2] : d[0]);
    out[1] = k * (a->alignment == POY_ZX ? d[0] : d[1]);
    if (absorbs && (out[0] != 0 || out[1] != 0))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "oblique light from a half space that absorbs: choose theta = 0, or a material without loss");
    return POY_OK;
}

/* About what the orders that decay faster than exp(-kappa z) add to T and R, with a particle of radius r its height h away from a plane. Each
 * degree l meets its own reflected waves, (kappa r)^(2 l) / l!^2 exp(-2 kappa h) of it, and takes (k r)^(2 l - 2) / (2 l - 1)!!^2 of the
 * light that a dipole takes, which is the share of all light. The sum over orders is an integral over the plane, of particles whose
 * polarisability is 3 r^3. */
static double left_out(double kappa, double h, double r, double k, double share)
{
    double sum = 0, reflected = 1, taken = 1;
    for (int l = 1; l <= 100; l++) {
        sum += reflected * reflected * fmin(taken * taken, 1);
        reflected *= kappa * r / (l + 1);
        taken *= k * r / (2 * l + 1);
    }
    return 3 * share * r * r * r * kappa * kappa / (2 * h) * exp(-2 * kappa * h) * sum;
}

/* The decay beyond which the orders of particle i change T and R by less than tol, its height h away from a plane. */
static double least_decay(const poyi_scatter *s, int i, double h, double k)
{
    const poy_lattice *cell = &s->array->lattice;
    const double r = s->bodies[s->owner[i]].around, *a = cell->a;
    const double share = cell->dim == 1 ? k * r * r / fabs(a[0]) : k * r * r * r / fabs(a[0] * a[3] - a[1] * a[2]);
    double kappa = log(1 / s->tol) / (2 * h);
    while (left_out(kappa, h, r, k, fmin(4 * POYI_PI * share, 1)) > s->tol)
        kappa *= 1.02;
    return kappa;
}

/* The largest |k| of all media, and what decays between the particles and the ends of their media less than tol allows. */
static poy_status default_kmax(poy_ctx *ctx, const poyi_scatter *s, double k0, double *out)
{
    const struct poyi_stack *a = s->array;
    double most = 0, decay = 0, k;
    int absorbs, fits = 1;
    for (int i = 0; i < a->n_parts; i++) {
        const poyi_stack_part *p = &a->parts[i];
        POYI_TRY(ctx, real_wavenumber(ctx, &p->matter, k0, &absorbs, &k));
        most = fmax(most, k);
        for (int j = 0; p->is_array && !a->lone && j < s->n; j++)
            for (int side = 0; side < 2; side++) {
                const double z = s->positions[3 * j + a->normal], h = side ? p->above - z : p->below + z;
                fits &= h > 0 && h >= s->bodies[s->owner[j]].around * (1 - 1e-12);
                decay = fits ? fmax(decay, least_decay(s, j, h, k)) : 0;
            }
    }
    *out = hypot(most, fits ? decay : 0) * (1 + 1e-12); /* poyi_stack_faults tells what does not fit */
    return POY_OK;
}

static int has_order(const struct poyi_stack *a, int64_t i, int64_t j)
{
    for (int k = 0; k < a->n_orders; k++)
        if (a->orders[2 * (size_t)k] == i && a->orders[2 * (size_t)k + 1] == j)
            return 1;
    return 0;
}

/* Whole numbers of reciprocal vectors between a port and kpar; a grating's stand second. */
static void order_of(const struct poyi_stack *a, const double component[2], const double kpar[2], int64_t n[2])
{
    n[0] = n[1] = 0;
    for (int c = 0; c < a->lattice.dim; c++) {
        double turns = 0;
        for (int d = 0; d < a->lattice.dim; d++) {
            const int at = a->alignment == POY_ZX ? 1 : d;
            turns += a->lattice.a[c * a->lattice.dim + d] * (component[at] - kpar[at]);
        }
        n[c] = (int64_t)round(turns / (2 * POYI_PI));
    }
}

static poy_status too_many_orders(poy_ctx *ctx, double kmax, double tol)
{
    return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                     "numerics.orders_kmax: more than %d diffraction orders within %.4g rad/um: %s", ORDERS_MAX,
                     kmax * 1e-6,
                     tol > 0 ? "all that propagate and what numerics.tol asks for: raise tol, or choose orders_kmax"
                             : "choose a smaller one");
}

/* About so many lie within kmax: a disc, or a line, over a cell of the reciprocal lattice. */
static double count_orders(const poy_lattice *l, double kmax)
{
    return poy_lattice_measure(l) * (l->dim == 2 ? kmax * kmax / (4 * POYI_PI) : kmax / POYI_PI);
}

/* Adds the orders within kmax of one point, which follows from tol, unless that is 0. */
static poy_status add_orders(poy_ctx *ctx, struct poyi_stack *a, const double kpar[2], double kmax, double tol)
{
    poy_status status = POY_OK;
    poy_basis *ports = NULL;
    if (count_orders(&a->lattice, kmax) > 4 * ORDERS_MAX) /* before memory is taken for them */
        return too_many_orders(ctx, kmax, tol);
    POYI_TRY(ctx, poy_ports_within(ctx, a->alignment, kpar, a->lattice.dim, a->lattice.a, kmax, &ports));
    const poy_wave_mode *modes = poy_basis_modes(ports);
    for (size_t p = 0; p < poy_basis_size(ports); p += 2) {
        int64_t n[2];
        order_of(a, modes[p].component, kpar, n);
        if (has_order(a, n[0], n[1]))
            continue;
        if (a->n_orders == ORDERS_MAX) {
            status = too_many_orders(ctx, kmax, tol);
            break;
        }
        a->orders[2 * (size_t)a->n_orders] = n[0];
        a->orders[2 * (size_t)a->n_orders++ + 1] = n[1];
    }
    poy_basis_destroy(&ports);
    return status;
}

poy_status poyi_stack_orders(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, const poyi_view *v)
{
    struct poyi_stack *a = s->array;
    if (a->kind != POYI_REPEATS_PLANE)
        return POY_OK;
    const double given = poyi_recipe_quantity(ctx, r, "numerics.orders_kmax", POY_DIM_WAVENUMBER, 0);
    if (!a->orders) {
        a->orders = poyi_arena_alloc(&s->arena, (size_t)2 * ORDERS_MAX * sizeof *a->orders);
        if (!a->orders)
            return no_memory(ctx, r);
        a->orders[0] = a->orders[1] = 0;
        a->n_orders = 1;
    }
    for (int k = 0; a->periodic && k < v->n; k++)
        for (int light = 0; light < s->n_lights; light++) {
            double kpar[2], kmax = given;
            POYI_TRY(ctx, poyi_stack_parallel(ctx, s, &s->lights[light], v->k0[k], kpar));
            if (!(kmax > 0))
                POYI_TRY(ctx, default_kmax(ctx, s, v->k0[k], &kmax));
            POYI_TRY(ctx, add_orders(ctx, a, kpar, kmax, given > 0 ? 0 : s->tol));
        }
    return POY_OK;
}

/* ---- what cannot be ---- */

static int check_fit(poy_recipe *r, const poyi_scatter *s)
{
    const struct poyi_stack *a = s->array;
    char over[48], room[48];
    for (int k = 0; k < a->n_parts; k++)
        for (int i = 0; a->parts[k].is_array && i < s->n && !a->lone; i++)
            for (int side = 0; side < 2; side++) {
                const double reach = s->bodies[s->owner[i]].around + (side ? 1 : -1) * s->positions[3 * i + a->normal];
                const double have = side ? a->parts[k].above : a->parts[k].below;
                if (!(reach > have * (1 + 1e-12)))
                    continue;
                poy_quantity_format(reach, POY_DIM_LENGTH, 4, sizeof over, over);
                poy_quantity_format(have, POY_DIM_LENGTH, 4, sizeof room, room);
                poyi_fault(
                    r, poyi_node_find(r->root, "stack.layers"), "stack.layers", "E_GEOMETRY",
                    "particle %d reaches %s %s the plane %c = 0 of the array, whose medium ends after %s\nmake %s "
                    "larger",
                    i, over, side ? "above" : "below", "xyz"[a->normal], room, side ? "above" : "below");
                return 1;
            }
    return 0;
}

/* Rows shortened by one another, so that near images have small multiples. */
static void shorten(int dim, double a[3][3])
{
    for (int pass = 0, on = 1; on && pass < 1000; pass++) {
        on = 0;
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) {
                const double square = a[i][0] * a[i][0] + a[i][1] * a[i][1] + a[i][2] * a[i][2];
                const double n =
                    i == j ? 0 : round((a[i][0] * a[j][0] + a[i][1] * a[j][1] + a[i][2] * a[j][2]) / square);
                for (int c = 0; c < 3; c++)
                    a[j][c] -= n * a[i][c];
                on |= n != 0;
            }
    }
}

/* The distance of particle i from the nearest image of j, j itself left out. */
static double nearest_image(const poyi_scatter *s, double a[3][3], int i, int j)
{
    enum { REACH = 2 };
    const int dim = s->array->lattice.dim;
    double d[3], turns[3] = {0}, nearest = (double)INFINITY;
    int count = 1;
    for (int c = 0; c < 3; c++)
        d[c] = s->cylinders && c == 2 ? 0 : s->positions[3 * j + c] - s->positions[3 * i + c];
    for (int row = 0; row < dim; row++, count *= 2 * REACH + 1) {
        const double square = a[row][0] * a[row][0] + a[row][1] * a[row][1] + a[row][2] * a[row][2];
        turns[row] = -round((d[0] * a[row][0] + d[1] * a[row][1] + d[2] * a[row][2]) / square);
        for (int c = 0; c < 3; c++)
            d[c] += turns[row] * a[row][c];
    }
    for (int image = 0; image < count; image++) {
        double at[3] = {d[0], d[1], d[2]};
        int away = 0;
        for (int row = 0, code = image; row < dim; row++, code /= 2 * REACH + 1) {
            const double n = code % (2 * REACH + 1) - REACH;
            away |= turns[row] + n != 0;
            for (int c = 0; c < 3; c++)
                at[c] += n * a[row][c];
        }
        if (away)
            nearest = fmin(nearest, hypot(hypot(at[0], at[1]), at[2]));
    }
    return nearest;
}

static int check_images(poy_recipe *r, const poyi_scatter *s)
{
    const struct poyi_stack *array = s->array;
    const int dim = array->lattice.dim, first = dim == 1 && !s->cylinders ? 2 : 0;
    double a[3][3] = {{0}};
    char overlap[48];
    for (int row = 0; row < dim; row++)
        for (int c = 0; c < dim; c++)
            a[row][first + c] = array->lattice.a[row * dim + c];
    shorten(dim, a);
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++) {
            const double gap = nearest_image(s, a, i, j);
            const double least = s->bodies[s->owner[i]].around + s->bodies[s->owner[j]].around;
            if (!(gap < least * (1 - 1e-12)))
                continue;
            poy_quantity_format(least - gap, POY_DIM_LENGTH, 3, sizeof overlap, overlap);
            poyi_fault(r, poyi_node_find(r->root, "lattice.vectors"), "lattice.vectors", "E_GEOMETRY",
                       "particle %d and an image of particle %d overlap by %s\nmake the cell larger", i, j, overlap);
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
