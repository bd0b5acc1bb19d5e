/* curve.c: interpolation of tabulated indices. */
#include "media/curve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/math.h"

struct poyi_curve {
    size_t count;
    double *x, *y, *slope; /* in one block */
};

static poy_status check_points(poy_ctx *ctx, const char *name, size_t count, const double *x, const double *y)
{
    if (count < 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a table of %zu rows: it needs at least 2", name, count);
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: row %zu of the table is (%g, %g): it must be finite", name,
                             i + 1, x[i], y[i]);
        if (i > 0 && x[i] <= x[i - 1])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "%s: row %zu of the table has the wavelength %.10g, after %.10g: they must rise", name,
                             i + 1, x[i], x[i - 1]);
    }
    return POY_OK;
}

/* The slope at an end: the parabola's through three points, cut so that the curve stays monotone. h0, d0 belong to the
 * interval at the end, h1, d1 to the next. */
static double end_slope(double h0, double d0, double h1, double d1)
{
    const double slope = ((2.0 * h0 + h1) * d0 - h0 * d1) / (h0 + h1);
    if (slope * d0 <= 0.0)
        return 0.0;
    return d0 * d1 < 0.0 && fabs(slope) > 3.0 * fabs(d0) ? 3.0 * d0 : slope;
}

static void monotone_slopes(poyi_curve *c)
{
    const double *x = c->x, *y = c->y;
    const size_t last = c->count - 1;
#define STEP(i) (x[(i) + 1] - x[i])
#define CHORD(i) ((y[(i) + 1] - y[i]) / STEP(i))
    if (c->count == 2) {
        c->slope[0] = c->slope[1] = CHORD(0);
        return;
    }
    for (size_t i = 1; i < last; i++) {
        const double left = CHORD(i - 1), right = CHORD(i);
        const double w1 = 2.0 * STEP(i) + STEP(i - 1), w2 = STEP(i) + 2.0 * STEP(i - 1);
        c->slope[i] = left * right <= 0.0 ? 0.0 : (w1 + w2) / (w1 / left + w2 / right);
    }
    c->slope[0] = end_slope(STEP(0), CHORD(0), STEP(1), CHORD(1));
    c->slope[last] = end_slope(STEP(last - 1), CHORD(last - 1), STEP(last - 2), CHORD(last - 2));
#undef STEP
#undef CHORD
}

static poy_status spline_slopes(poy_ctx *ctx, poyi_curve *c)
{
    poyi_spline *spline = NULL;
    POYI_TRY(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, c->count, c->x, c->y, &spline));
    for (size_t i = 0; i < c->count; i++)
        c->slope[i] = poyi_spline_slope(spline, c->x[i]);
    poyi_spline_destroy(&spline);
    return POY_OK;
}

poy_status poyi_curve_create(poy_ctx *ctx, const char *name, poyi_interpolation kind, size_t count, const double *x,
                             const double *y, poyi_curve **out)
{
    POYI_TRY(ctx, check_points(ctx, name, count, x, y));
    size_t bytes = 0;
    void *block = NULL;
    POYI_TRY(ctx, poyi_mul_size(ctx, count, 3 * sizeof(double), &bytes));
    poyi_curve *curve = malloc(sizeof *curve);
    if (!curve)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its table", name);
    poy_status status = poyi_alloc(ctx, "media.table", bytes, &block);
    if (status == POY_OK) {
        double *values = block;
        *curve = (poyi_curve){count, values, values + count, values + 2 * count};
        memcpy(curve->x, x, count * sizeof *x);
        memcpy(curve->y, y, count * sizeof *y);
        if (kind == POYI_TABLE_SPLINE)
            status = spline_slopes(ctx, curve);
        else
            monotone_slopes(curve);
    }
    if (status != POY_OK) {
        poyi_free(&block);
        free(curve);
        return poyi_passed(ctx, status, "poyi_curve_create", __func__, __FILE__, __LINE__);
    }
    *out = curve;
    return POY_OK;
}

void poyi_curve_destroy(poyi_curve **curve)
{
    if (*curve) {
        void *block = (*curve)->x;
        poyi_free(&block);
    }
    free(*curve);
    *curve = NULL;
}

poyi_jet poyi_curve_at(const poyi_curve *curve, poyi_jet at)
{
    const double *x = curve->x, *y = curve->y, *slope = curve->slope;
    size_t low = 0, high = curve->count - 1;
    if (at.c[0] < x[low] || at.c[0] > x[high])
        return poyi_jet_constant(at.order, y[at.c[0] < x[low] ? low : high]);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (x[middle] <= at.c[0])
            low = middle;
        else
            high = middle;
    }
    const double h = x[high] - x[low], chord = (y[high] - y[low]) / h;
    const double second = (3.0 * chord - 2.0 * slope[low] - slope[high]) / h;
    const double third = (slope[low] + slope[high] - 2.0 * chord) / (h * h);
    const poyi_jet t = poyi_jet_offset(at, -x[low]);
    poyi_jet sum = poyi_jet_offset(poyi_jet_scale(t, third), second);
    sum = poyi_jet_offset(poyi_jet_mul(t, sum), slope[low]);
    return poyi_jet_offset(poyi_jet_mul(t, sum), y[low]);
}
