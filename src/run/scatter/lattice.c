/* lattice.c: [lattice] of a scattering recipe: vectors, Bloch vectors and paths of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/stack.h"

/* ---- vectors ---- */

static poy_status read_row(poy_ctx *ctx, const poyi_node *row, const char *unit, double out[3])
{
    char text[80];
    for (int c = 0; c < row->count; c++) {
        poy_quantity q = {0};
        snprintf(text, sizeof text, "%.17g %s", poyi_node_element(row, c)->real, unit);
        POYI_TRY(ctx, poy_quantity_parse_as(ctx, text, POY_DIM_LENGTH, &q));
        out[c] = q.value;
    }
    return POY_OK;
}

/* The axes that a lattice of so many vectors lies in: first and number; what it is called. */
static poy_status choose_kind(poy_ctx *ctx, int rows, int cylinders, struct poyi_stack *a, int *first)
{
    a->lattice.dim = rows;
    *first = 0;
    if (cylinders && rows == 3)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "lattice.vectors: three of them: infinite cylinders repeat across their axis: give one along x, or two");
    if (cylinders && rows == 1) {
        a->alignment = POY_ZX;
        a->normal = 1;
    } else if (rows == 1) {
        a->kind = POYI_REPEATS_CHAIN;
        *first = 2;
    } else if (rows == 3 || cylinders) {
        a->kind = POYI_REPEATS_CRYSTAL;
    }
    return POY_OK;
}

static poy_status read_vectors(poy_ctx *ctx, const poy_recipe *r, const poyi_scatter *s, const poyi_node *rows,
                               struct poyi_stack *a)
{
    const poyi_node *unit = poyi_recipe_at(r, "lattice.unit");
    static const char *const where[] = {"x", "the plane z = 0", "space", "z"};
    int first;
    POYI_TRY(ctx, choose_kind(ctx, rows->count, s->cylinders, a, &first));
    const int dim = a->lattice.dim;
    for (int i = 0; i < dim; i++) {
        const poyi_node *row = poyi_node_element(rows, i);
        double v[3] = {0};
        POYI_TRY(ctx, read_row(ctx, row, unit ? unit->text : "m", v));
        if (row->count == 1 && first == 2) { /* one number of a chain */
            v[2] = v[0];
            v[0] = 0;
        } else if (row->count < dim || (first == 2 && row->count < 3)) {
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.vectors: a vector with %d components: give %d", row->count,
                             first == 2 ? 3 : dim);
        }
        for (int c = 0; c < 3; c++)
            if (c >= first && c < first + dim)
                a->lattice.a[i * dim + c - first] = v[c];
            else if (v[c] != 0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.vectors: leave %s: %s",
                                 where[first == 2 ? 3 : dim - 1],
                                 dim == 1 ? s->cylinders ? "gratings of cylinders repeat along x" : "chains lie along z"
                                          : "lay both in it");
    }
    if (poy_lattice_reciprocal(ctx, &a->lattice, &a->dual) != POY_OK)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.vectors: span no %s: give %s",
                         dim == 1   ? "length"
                         : dim == 2 ? "area"
                                    : "volume",
                         dim == 1   ? "one that is not 0"
                         : dim == 2 ? "two that are not parallel"
                                    : "three that leave a plane");
    return POY_OK;
}

/* ---- Bloch vectors ---- */

static poy_status read_bloch(poy_ctx *ctx, const poy_recipe *r, struct poyi_stack *a)
{
    const poyi_node *bloch = poyi_recipe_at(r, "lattice.bloch");
    a->has_bloch = bloch != NULL;
    if (bloch && bloch->count != a->lattice.dim)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.bloch: %d components, the lattice has %d", bloch->count,
                         a->lattice.dim);
    for (int c = 0; bloch && c < bloch->count; c++)
        a->bloch[c] = poyi_node_quantity(ctx, poyi_node_element(bloch, c), POY_DIM_WAVENUMBER);
    return POY_OK;
}

/* Corner i of the path in rad/m. */
static void corner(const poy_lattice *dual, const poyi_node *row, double out[3])
{
    out[0] = out[1] = out[2] = 0;
    for (int i = 0; i < dual->dim; i++)
        for (int c = 0; c < dual->dim; c++)
            out[c] += poyi_node_element(row, i)->real * dual->a[i * dual->dim + c];
}

static double apart(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

/* Evenly along the path; corners are met where the points allow it. */
static poy_status read_path(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, struct poyi_stack *a)
{
    const poyi_node *rows = poyi_recipe_at(r, "lattice.path");
    const int n = (int)poyi_recipe_integer(r, "lattice.path_points", 41), dim = a->lattice.dim;
    if (!rows && !(a->has_bloch && a->kind != POYI_REPEATS_PLANE))
        return POY_OK;
    const int corners = rows ? rows->count : 1;
    a->n_path = corners > 1 ? n : 1;
    a->n_corners = corners;
    a->path = poyi_arena_alloc(&s->arena, 3 * (size_t)a->n_path * sizeof *a->path);
    a->path_way = poyi_arena_alloc(&s->arena, (size_t)a->n_path * sizeof *a->path_way);
    a->path_corners = poyi_arena_alloc(&s->arena, (size_t)(corners + 1) * sizeof *a->path_corners);
    double *at = poyi_arena_alloc(&s->arena, 3 * (size_t)(corners + 1) * sizeof *at);
    if (!a->path || !a->path_way || !a->path_corners || !at)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its path", s->name);
    if (rows && corners < 2)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "lattice.path: %d corners make no path: give two or more; of chains and crystals one Bloch vector "
            "is lattice.bloch",
            corners);
    for (int i = 0; i < corners; i++) {
        if (rows && poyi_node_element(rows, i)->count != dim)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.path: corners with %d numbers, the lattice has %d vectors",
                             poyi_node_element(rows, i)->count, dim);
        if (rows)
            corner(&a->dual, poyi_node_element(rows, i), at + 3 * (ptrdiff_t)i);
        else
            memcpy(at, a->bloch, 3 * sizeof *at);
        a->path_corners[i] = i ? a->path_corners[i - 1] + apart(at + 3 * (ptrdiff_t)i, at + 3 * (ptrdiff_t)(i - 1)) : 0;
    }
    const double whole = a->path_corners[corners - 1];
    if (corners > 1 && !(whole > 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice.path: its corners are one point: give different ones");
    for (int k = 0, leg = 0; k < a->n_path; k++) {
        const double way = corners > 1 ? whole * k / (a->n_path - 1) : 0;
        while (leg + 2 < corners && way > a->path_corners[leg + 1])
            leg++;
        const double length = corners > 1 ? a->path_corners[leg + 1] - a->path_corners[leg] : 0;
        const double share = length > 0 ? fmin((way - a->path_corners[leg]) / length, 1) : 0;
        a->path_way[k] = way;
        for (int c = 0; c < 3; c++)
            a->path[3 * k + c] =
                at[3 * leg + c] + (corners > 1 ? share * (at[3 * (leg + 1) + c] - at[3 * leg + c]) : 0);
    }
    return POY_OK;
}

poy_status poyi_lattice_read(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, struct poyi_stack *a)
{
    const poyi_node *rows = poyi_recipe_at(r, "lattice.vectors");
    if (!rows)
        return POY_OK;
    a->periodic = 1;
    POYI_TRY(ctx, read_vectors(ctx, r, s, rows, a));
    POYI_TRY(ctx, read_bloch(ctx, r, a));
    return read_path(ctx, r, s, a);
}
