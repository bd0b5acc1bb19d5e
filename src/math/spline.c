/* spline.c: interpolating cubic splines of scattered or equally spaced points. */
#include <math.h>
#include <string.h>

#include "core/core.h"
#include "math/math.h"

struct poyi_spline {
    size_t n;
    double *x, *y, *curve; /* curve: second derivatives at the points */
    double per_step;       /* 1 / spacing of equally spaced points, else 0 */
};

static poy_status check_points(poy_ctx *ctx, poyi_spline_ends ends, size_t n, const double *x, const double *y)
{
    const size_t least = ends == POYI_SPLINE_NATURAL ? 2 : 4;
    if (n < least)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spline: %zu points given, needs at least %zu", n, least);
    for (size_t i = 0; i < n; i++) {
        if (!isfinite(x[i]) || !isfinite(y[i]))
            return POYI_FAIL(ctx, POY_ERR_NONFINITE, "spline: point %zu is (%g, %g), needs finite numbers", i, x[i],
                             y[i]);
        if (i > 0 && !(x[i] > x[i - 1]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spline: x[%zu] = %.17g does not exceed x[%zu] = %.17g", i, x[i],
                             i - 1, x[i - 1]);
    }
    return POY_OK;
}

/* Second derivatives s of the C2 cubic: h_{i-1} s_{i-1} + 2 (h_{i-1} + h_i) s_i + h_i s_{i+1} = 6 (d_i - d_{i-1}) with
 * steps h and slopes d of the chords; diagonally dominant, so elimination needs no pivots. Not-a-knot replaces s_0 by
 * s_1 + h_0 / h_1 (s_1 - s_2), and likewise at the end. work: n doubles. */
static void second_derivatives(poyi_spline_ends ends, size_t n, const double *x, const double *y, double *s,
                               double *work)
{
    double *over = work; /* eliminated upper diagonal */
    s[0] = s[n - 1] = 0.0;
    for (size_t i = 1; i + 1 < n; i++) {
        const double left = x[i] - x[i - 1], right = x[i + 1] - x[i];
        double lower = left, diagonal = 2.0 * (left + right), upper = right;
        double rhs = 6.0 * ((y[i + 1] - y[i]) / right - (y[i] - y[i - 1]) / left);
        if (ends == POYI_SPLINE_NOT_A_KNOT && i == 1) {
            diagonal += left * (1.0 + left / right);
            upper -= left * left / right;
        }
        if (ends == POYI_SPLINE_NOT_A_KNOT && i + 2 == n) {
            diagonal += right * (1.0 + right / left);
            lower -= right * right / left;
        }
        if (i > 1) {
            diagonal -= lower * over[i - 1];
            rhs -= lower * s[i - 1];
        }
        over[i] = upper / diagonal;
        s[i] = rhs / diagonal;
    }
    for (size_t i = n - 2; i-- > 1;)
        s[i] -= over[i] * s[i + 1];
    if (ends == POYI_SPLINE_NOT_A_KNOT) {
        s[0] = s[1] + (x[1] - x[0]) / (x[2] - x[1]) * (s[1] - s[2]);
        s[n - 1] = s[n - 2] + (x[n - 1] - x[n - 2]) / (x[n - 2] - x[n - 3]) * (s[n - 2] - s[n - 3]);
    }
}

/* 1 / spacing where every point is within half a step's 1e-6 of an equal grid, else 0. */
static double equal_spacing(size_t n, const double *x)
{
    const double step = (x[n - 1] - x[0]) / (double)(n - 1);
    for (size_t i = 0; i < n; i++)
        if (fabs(x[0] + (double)i * step - x[i]) > 1e-6 * step)
            return 0.0;
    return 1.0 / step;
}

poy_status poyi_spline_create(poy_ctx *ctx, poyi_spline_ends ends, size_t n, const double *x, const double *y,
                              poyi_spline **out)
{
    poyi_spline *spline = NULL;
    double *block = NULL, *work = NULL;
    size_t bytes;
    poy_status status;

    *out = NULL;
    POYI_TRY(ctx, check_points(ctx, ends, n, x, y));
    POYI_TO_DONE(ctx, poyi_mul_size(ctx, n, 3 * sizeof *x, &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "math.spline", bytes, (void **)&block));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "math.spline", n * sizeof *x, (void **)&work));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "math.spline", sizeof *spline, (void **)&spline));
    *spline = (poyi_spline){.n = n, .x = block, .y = block + n, .curve = block + 2 * n};
    memcpy(spline->x, x, n * sizeof *x);
    memcpy(spline->y, y, n * sizeof *y);
    second_derivatives(ends, n, x, y, spline->curve, work);
    spline->per_step = equal_spacing(n, x);
    *out = spline;
    block = NULL;
done:
    poyi_free((void **)&work);
    poyi_free((void **)&block);
    return status;
}

void poyi_spline_destroy(poyi_spline **spline)
{
    if (*spline) {
        poyi_free((void **)&(*spline)->x);
        poyi_free((void **)spline);
    }
}

/* The interval [x_i, x_{i+1}] that holds x, or the end one nearest to it. */
static size_t interval(const poyi_spline *s, double x)
{
    size_t low = 0, high = s->n - 1;
    if (!(x > s->x[0])) /* NaN too */
        return 0;
    if (x >= s->x[high])
        return high - 1;
    if (s->per_step > 0.0) {
        low = (size_t)((x - s->x[0]) * s->per_step);
        low = low > s->n - 2 ? s->n - 2 : low;
        low -= low > 0 && x < s->x[low];
        low += low < s->n - 2 && x >= s->x[low + 1];
        return low;
    }
    while (high - low > 1) {
        const size_t middle = low + (high - low) / 2;
        if (x < s->x[middle])
            high = middle;
        else
            low = middle;
    }
    return low;
}

double poyi_spline_eval(const poyi_spline *s, double x)
{
    const size_t i = interval(s, x);
    const double h = s->x[i + 1] - s->x[i], b = (x - s->x[i]) / h, a = (s->x[i + 1] - x) / h;
    return a * s->y[i] + b * s->y[i + 1] +
           (a * (a * a - 1.0) * s->curve[i] + b * (b * b - 1.0) * s->curve[i + 1]) * (h * h / 6.0);
}

double poyi_spline_slope(const poyi_spline *s, double x)
{
    const size_t i = interval(s, x);
    const double h = s->x[i + 1] - s->x[i], b = (x - s->x[i]) / h, a = (s->x[i + 1] - x) / h;
    return (s->y[i + 1] - s->y[i]) / h +
           ((3.0 * b * b - 1.0) * s->curve[i + 1] - (3.0 * a * a - 1.0) * s->curve[i]) * (h / 6.0);
}

double poyi_spline_derivative(const poyi_spline *s, int order, double x)
{
    const size_t i = interval(s, x);
    const double h = s->x[i + 1] - s->x[i], b = (x - s->x[i]) / h, a = (s->x[i + 1] - x) / h;
    if (order == 2)
        return a * s->curve[i] + b * s->curve[i + 1];
    return order == 3 ? (s->curve[i + 1] - s->curve[i]) / h : (double)NAN;
}
