/* along.c: quantities along z: constants, points with a rule between them, and functions as piecewise Chebyshev series. */
#include <stdlib.h>
#include <string.h>

#include "pulse/guide/kind.h"

enum { TERMS = 33, SECTIONS_MAX = 128, LOOK = 64 };

typedef struct section {
    double from, to, c[TERMS];
} section;

struct poyi_series {
    int n;
    section sections[SECTIONS_MAX];
};

/* ---- points ---- */

static poy_status refuse_value(poy_ctx *ctx, const char *key, const char *unit, double value, double z, int positive)
{
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g %s at z = %g m: it must be finite and %s", key, value, unit, z,
                     positive ? "above 0" : "not below 0");
}

static poy_status from_points(poy_ctx *ctx, const char *key, const char *unit, int positive, const poy_along *from,
                              poyi_along *out)
{
    const size_t n = from->n ? (size_t)from->n : 1;
    if (from->n < 0 || (from->n > 0 && (!from->values || (from->n > 1 && !from->z))))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %d points at %s: give positions and values", key, from->n,
                         from->values ? "no positions" : "NULL");
    out->z = calloc(n, sizeof *out->z);
    out->v = calloc(n, sizeof *out->v);
    if (!out->z || !out->v)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for %zu points", key, n);
    out->n = (int)n;
    for (size_t i = 0; i < n; i++) {
        out->z[i] = n > 1 ? from->z[i] : 0.0;
        out->v[i] = from->n ? from->values[i] : from->value;
        if (!isfinite(out->z[i]) || (i > 0 && out->z[i] <= out->z[i - 1]))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: position %zu, %g m, is not above the one before it: sort them",
                             key, i, out->z[i]);
        if (!isfinite(out->v[i]) || out->v[i] < 0.0 || (positive && out->v[i] == 0.0))
            return n > 1 ? refuse_value(ctx, key, unit, out->v[i], out->z[i], positive)
                         : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g %s: it must be finite and %s", key, out->v[i], unit,
                                     positive ? "above 0" : "not below 0");
    }
    return POY_OK;
}

/* ---- functions ---- */

typedef struct watched {
    const poy_along *from;
    double least, largest, bad_z, bad;
    int positive, failed;
} watched;

static double watch(void *user, double z)
{
    watched *w = user;
    const double v = w->from->function(w->from->user, z);
    if (!w->failed && (!isfinite(v) || v < 0.0 || (w->positive && v == 0.0))) {
        w->failed = 1;
        w->bad_z = z;
        w->bad = v;
    }
    w->largest = fmax(w->largest, v);
    w->least = fmin(w->least, v);
    return v;
}

static double tail_of(const double *c)
{
    return fabs(c[TERMS - 1]) + fabs(c[TERMS - 2]) + fabs(c[TERMS - 3]);
}

/* The function's sections from left to right: halved until the last three coefficients are rounding. */
static poy_status approximate(poy_ctx *ctx, const char *key, const char *unit, watched *w, poyi_series *out)
{
    double left = w->from->from, right = w->from->to;
    while (left < w->from->to) {
        if (out->n == SECTIONS_MAX || right - left < 1e-9 * (w->from->to - w->from->from))
            return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                             "%s: the function is not smooth at z = %g m: give points, or a function with few kinks",
                             key, left);
        section *s = &out->sections[out->n];
        *s = (section){.from = left, .to = right};
        const poy_status status = poyi_chebyshev_fit(ctx, watch, w, left, right, TERMS, s->c);
        if (w->failed)
            return refuse_value(ctx, key, unit, w->bad, w->bad_z, w->positive);
        POYI_TRY(ctx, status);
        if (tail_of(s->c) > 1e-14 * w->largest) {
            right = left + 0.5 * (right - left);
            continue;
        }
        out->n++;
        left = right;
        right = w->from->to;
    }
    return POY_OK;
}

static double series_at(const poyi_series *series, double z)
{
    int low = 0, high = series->n - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (z < series->sections[middle].to)
            high = middle;
        else
            low = middle + 1;
    }
    const section *s = &series->sections[low];
    return poyi_chebyshev_eval(TERMS, s->c, s->from, s->to, fmin(fmax(z, s->from), s->to));
}

static poy_status from_function(poy_ctx *ctx, const char *key, const char *unit, int positive, const poy_along *from,
                                poyi_along *out)
{
    watched w = {.from = from, .positive = positive, .least = INFINITY};
    if (from->n != 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %d points beside a function: keep one", key, from->n);
    if (!isfinite(from->from) || !isfinite(from->to) || from->to <= from->from)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the function is given from z = %g m to %g m: that is no range",
                         key, from->from, from->to);
    out->series = calloc(1, sizeof *out->series);
    if (!out->series)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory", key);
    POYI_TRY(ctx, approximate(ctx, key, unit, &w, out->series));
    for (int i = 0; i <= LOOK * out->series->n; i++) { /* between the nodes, too */
        const section *s = &out->series->sections[i / LOOK < out->series->n ? i / LOOK : out->series->n - 1];
        const double z = s->from + (s->to - s->from) * (double)(i - LOOK * (i / LOOK)) / LOOK;
        const double v = watch(&w, i < LOOK * out->series->n ? z : from->to);
        if (w.failed)
            return refuse_value(ctx, key, unit, v, w.bad_z, positive);
    }
    if (w.least < w.largest)
        return POY_OK;
    free(out->series); /* a constant after all */
    out->series = NULL;
    return from_points(ctx, key, unit, positive, &(poy_along){.value = w.least}, out);
}

/* ---- use ---- */

poy_status poyi_along_create(poy_ctx *ctx, const char *key, const char *unit, poyi_between between, int may_be_zero,
                             const poy_along *from, poyi_along *out)
{
    *out = (poyi_along){.between = between};
    const poy_status status = from->function ? from_function(ctx, key, unit, !may_be_zero, from, out)
                                             : from_points(ctx, key, unit, !may_be_zero, from, out);
    if (status != POY_OK)
        poyi_along_fini(out);
    return status;
}

void poyi_along_fini(poyi_along *along)
{
    free(along->z);
    free(along->v);
    free(along->series);
    *along = (poyi_along){0};
}

double poyi_along_at(const poyi_along *along, double z)
{
    if (along->series)
        return series_at(along->series, z);
    const int n = along->n;
    if (n == 1 || z <= along->z[0])
        return along->v[0];
    if (z >= along->z[n - 1])
        return along->v[n - 1];
    int low = 0, high = n - 1; /* z[low] <= z < z[high] */
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        if (z < along->z[middle])
            high = middle;
        else
            low = middle;
    }
    const double v0 = along->v[low], v1 = along->v[high], t = (z - along->z[low]) / (along->z[high] - along->z[low]);
    if (along->between == POYI_BETWEEN_LINEAR)
        return v0 + t * (v1 - v0);
    return sqrt(fmax(v0 * v0 + t * (v1 - v0) * (v1 + v0), 0.0));
}

int poyi_along_varies(const poyi_along *along)
{
    if (along->series)
        return 1;
    for (int i = 1; i < along->n; i++)
        if (along->v[i] > along->v[0] || along->v[i] < along->v[0])
            return 1;
    return 0;
}

void poyi_along_range(const poyi_along *along, double *least, double *most)
{
    *least = INFINITY;
    *most = -INFINITY;
    for (int i = 0; i < along->n; i++) {
        *least = fmin(*least, along->v[i]);
        *most = fmax(*most, along->v[i]);
    }
    for (int s = 0; along->series && s < along->series->n; s++)
        for (int i = 0; i <= 8 * LOOK; i++) {
            const section *at = &along->series->sections[s];
            const double v = series_at(along->series, at->from + (at->to - at->from) * (double)i / (8 * LOOK));
            *least = fmin(*least, v);
            *most = fmax(*most, v);
        }
    if (along->series) { /* between the points that were looked at: the curvature of 33 terms leaves less than 1e-3 */
        const double slack = 1e-3 * (*most - *least);
        *most += slack;
        *least = fmax(*least - slack, 0.5 * *least);
    }
}

int poyi_along_breaks(const poyi_along *along, int max, double *out)
{
    int n = 0;
    if (!poyi_along_varies(along))
        return 0;
    for (int i = 0; i < along->n && n < max; i++)
        out[n++] = along->z[i];
    for (int s = 0; along->series && s < along->series->n && n < max; s++) {
        out[n++] = along->series->sections[s].from;
        if (s == along->series->n - 1 && n < max)
            out[n++] = along->series->sections[s].to;
    }
    return n;
}
