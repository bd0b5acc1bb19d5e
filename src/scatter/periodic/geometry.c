/* geometry.c: measures, reciprocal lattices and Brillouin zones for callers. */
#include <string.h>

#include "math/math.h"
#include "scatter/periodic/cell.h"
#include "scatter/periodic/images.h"

double poy_lattice_measure(const poy_lattice *l)
{
    const double *a = l->a;
    if (l->dim == 1)
        return fabs(a[0]);
    if (l->dim == 2)
        return fabs(a[0] * a[3] - a[1] * a[2]);
    return fabs(a[0] * (a[4] * a[8] - a[5] * a[7]) - a[1] * (a[3] * a[8] - a[5] * a[6]) +
                a[2] * (a[3] * a[7] - a[4] * a[6]));
}

static poy_status make_cell(poy_ctx *ctx, const poy_lattice *l, poyi_cell *out)
{
    if (l->dim < 1 || l->dim > 3)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice: %d dimensions; there are 1 to 3", l->dim);
    for (int i = 0; i < l->dim * l->dim; i++)
        if (!isfinite(l->a[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "lattice: a vector has the component %g", l->a[i]);
    POYI_TRY(ctx, poyi_cell_make(ctx, l->dim, l->a, out));
    return POY_OK;
}

poy_status poy_lattice_reciprocal(poy_ctx *ctx, const poy_lattice *lattice, poy_lattice *out)
{
    poyi_cell cell;
    POYI_TRY(ctx, make_cell(ctx, lattice, &cell));
    *out = (poy_lattice){.dim = lattice->dim};
    for (int i = 0; i < lattice->dim; i++)
        for (int c = 0; c < lattice->dim; c++)
            out->a[i * lattice->dim + c] = (double)(2.0L * POYI_PIL * cell.given_dual[i][c]);
    return POY_OK;
}

/* The best of kpar + G so far. */
typedef struct shortest {
    int dim;
    poyi_xreal point[3], squared;
} shortest;

static poy_status visit(poy_ctx *ctx, void *user, const poyi_xreal *point, const int64_t *n)
{
    shortest *s = user;
    poyi_xreal squared = 0.0L;
    int larger = 0;
    (void)ctx;
    (void)n;
    for (int c = 0; c < s->dim; c++)
        squared += point[c] * point[c];
    for (int c = 0; c < s->dim && !larger; c++)
        larger = point[c] > s->point[c] * (1.0L + 1e-12L) ? 1 : point[c] < s->point[c] * (1.0L - 1e-12L) ? -1 : 0;
    const int equal = fabsl(squared - s->squared) <= 1e-12L * squared;
    if (equal ? larger > 0 : squared < s->squared) {
        memcpy(s->point, point, sizeof s->point);
        s->squared = squared;
    }
    return POY_OK;
}

poy_status poy_lattice_brillouin(poy_ctx *ctx, const poy_lattice *lattice, const double *kpar, double *out)
{
    poyi_cell cell, dual;
    poyi_xreal start[3] = {0.0L, 0.0L, 0.0L}, n[3], diagonal = 0.0L;
    POYI_TRY(ctx, make_cell(ctx, lattice, &cell));
    poyi_cell_reciprocal(&cell, &dual);
    for (int c = 0; c < lattice->dim; c++) {
        if (!isfinite(kpar[c]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "Brillouin zone: kpar has the component %g", kpar[c]);
        start[c] = (poyi_xreal)kpar[c];
    }
    poyi_cell_coordinates(&dual, start, n);
    for (int i = 0; i < lattice->dim; i++)
        for (int c = 0; c < lattice->dim; c++)
            start[c] -= roundl(n[i]) * dual.given[i][c];
    for (int i = 0; i < lattice->dim; i++)
        for (int c = 0; c < lattice->dim; c++)
            diagonal +=
                dual.row[i][c] * dual.row[i][c]; /* the farthest point of a reduced cell is nearer than all rows */
    shortest s = {.dim = lattice->dim, .point = {start[0], start[1], start[2]}, .squared = (poyi_xreal)INFINITY};
    POYI_TRY(ctx, poyi_cell_points(ctx, &dual, start, 0.0L, 4.0L * diagonal, visit, &s));
    for (int c = 0; c < lattice->dim; c++)
        out[c] = (double)s.point[c];
    return POY_OK;
}
