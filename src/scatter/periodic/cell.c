/* cell.c: reduction of lattice bases and enumeration of lattice points. */
#include "scatter/periodic/cell.h"

#include <string.h>

#include "core/core.h"
#include "math/math.h"

static poyi_xreal dot(int dim, const poyi_xreal *a, const poyi_xreal *b)
{
    poyi_xreal total = 0.0L;
    for (int i = 0; i < dim; i++)
        total += a[i] * b[i];
    return total;
}

/* Subtracts from each row the multiple of each other row that shortens it, until none does. */
static void reduce(int dim, poyi_xreal (*row)[3])
{
    for (int round = 0, changed = 1; changed && round < 1000; round++) {
        changed = 0;
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) {
                if (i == j)
                    continue;
                const poyi_xreal ratio = dot(dim, row[i], row[j]) / dot(dim, row[j], row[j]);
                if (fabsl(ratio) <= 0.5L + 1e-9L)
                    continue;
                const poyi_xreal n = roundl(ratio);
                for (int c = 0; c < dim; c++)
                    row[i][c] -= n * row[j][c];
                changed = 1;
            }
    }
}

/* Dual vectors by cofactors; returns the signed measure. */
static poyi_xreal dual_of(int dim, poyi_xreal (*a)[3], poyi_xreal (*b)[3])
{
    poyi_xreal whole = 0.0L;
    if (dim == 1) {
        b[0][0] = 1.0L / a[0][0];
        return a[0][0];
    }
    if (dim == 2) {
        whole = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        b[0][0] = a[1][1] / whole;
        b[0][1] = -a[1][0] / whole;
        b[1][0] = -a[0][1] / whole;
        b[1][1] = a[0][0] / whole;
        return whole;
    }
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++) {
            const poyi_xreal *p = a[(i + 1) % 3], *q = a[(i + 2) % 3];
            b[i][c] = p[(c + 1) % 3] * q[(c + 2) % 3] - p[(c + 2) % 3] * q[(c + 1) % 3];
        }
    whole = dot(3, a[0], b[0]);
    for (int i = 0; i < 3; i++)
        for (int c = 0; c < 3; c++)
            b[i][c] /= whole;
    return whole;
}

poy_status poyi_cell_make(poy_ctx *ctx, int dim, const double *a, poyi_cell *out)
{
    memset(out, 0, sizeof *out);
    out->dim = dim;
    poyi_xreal box = 1.0L;
    for (int i = 0; i < dim; i++) {
        for (int c = 0; c < dim; c++)
            out->given[i][c] = (poyi_xreal)a[i * dim + c];
        box *= sqrtl(dot(dim, out->given[i], out->given[i]));
    }
    out->measure = fabsl(dual_of(dim, out->given, out->given_dual));
    if (!(box > 0.0L) || !(out->measure > 1e-12L * box))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "the %d lattice vectors span %Lg where their lengths multiply to %Lg: the cell is singular; give "
            "independent vectors",
            dim, out->measure, box);
    memcpy(out->row, out->given, sizeof out->row);
    reduce(dim, out->row);
    (void)dual_of(dim, out->row, out->dual);
    return POY_OK;
}

void poyi_cell_reciprocal(const poyi_cell *cell, poyi_cell *out)
{
    const poyi_xreal two_pi = 2.0L * POYI_PIL;
    *out = *cell;
    for (int i = 0; i < cell->dim; i++)
        for (int c = 0; c < cell->dim; c++) {
            out->row[i][c] = two_pi * cell->dual[i][c];
            out->dual[i][c] = cell->row[i][c] / two_pi;
            out->given[i][c] = two_pi * cell->given_dual[i][c];
            out->given_dual[i][c] = cell->given[i][c] / two_pi;
        }
    out->measure = powl(two_pi, cell->dim) / cell->measure;
}

void poyi_cell_coordinates(const poyi_cell *cell, const poyi_xreal *point, poyi_xreal *n)
{
    for (int i = 0; i < cell->dim; i++)
        n[i] = dot(cell->dim, point, cell->given_dual[i]);
}

/* The point of reduced coordinates c, put together from the caller's basis, whose multiples are exact. */
static poy_status visit_one(poy_ctx *ctx, const poyi_cell *cell, const poyi_xreal *shift, const int64_t *c,
                            const poyi_xreal limits[2], poyi_cell_visit *visit, void *user)
{
    poyi_xreal point[3] = {0.0L, 0.0L, 0.0L}, rough[3] = {0.0L, 0.0L, 0.0L}, n[3] = {0.0L, 0.0L, 0.0L};
    int64_t label[3] = {0, 0, 0};
    for (int i = 0; i < cell->dim; i++)
        for (int k = 0; k < cell->dim; k++)
            rough[k] += (poyi_xreal)c[i] * cell->row[i][k];
    poyi_cell_coordinates(cell, rough, n);
    for (int i = 0; i < cell->dim; i++) {
        label[i] = (int64_t)roundl(n[i]);
        for (int k = 0; k < cell->dim; k++)
            point[k] += (poyi_xreal)label[i] * cell->given[i][k];
    }
    for (int k = 0; k < cell->dim; k++)
        point[k] += shift[k];
    const poyi_xreal squared = dot(cell->dim, point, point);
    if (squared < limits[0] || squared >= limits[1])
        return POY_OK;
    return visit(ctx, user, point, label);
}

poy_status poyi_cell_points(poy_ctx *ctx, const poyi_cell *cell, const poyi_xreal *shift, poyi_xreal inner,
                            poyi_xreal outer, poyi_cell_visit *visit, void *user)
{
    const poyi_xreal limits[2] = {inner, outer};
    int64_t low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
    poyi_xreal count = 1.0L;
    /* |coordinate of shift + R along row i| <= |dual_i| |shift + R| */
    for (int i = 0; i < cell->dim; i++) {
        const poyi_xreal reach = sqrtl(outer * dot(cell->dim, cell->dual[i], cell->dual[i]));
        const poyi_xreal centre = -dot(cell->dim, shift, cell->dual[i]);
        count *= 2.0L * reach + 1.0L;
        if (!(count < 1e7L) || fabsl(centre) > 1e15L)
            return POYI_FAIL(
                ctx, POY_ERR_NO_CONVERGENCE,
                "the lattice sum needs more than 10^7 terms: its cell is too small or too large against the "
                "wavelength for this split; leave eta automatic");
        low[i] = (int64_t)floorl(centre - reach);
        high[i] = (int64_t)ceill(centre + reach);
    }
    int64_t c[3];
    for (c[2] = low[2]; c[2] <= high[2]; c[2]++)
        for (c[1] = low[1]; c[1] <= high[1]; c[1]++)
            for (c[0] = low[0]; c[0] <= high[0]; c[0]++)
                POYI_TRY(ctx, visit_one(ctx, cell, shift, c, limits, visit, user));
    return POY_OK;
}
