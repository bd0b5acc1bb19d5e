/* span.c: pieces of z in which a guide changes smoothly, and Chebyshev series on them. */
#include "pulse/guide/span.h"

#include <stdlib.h>

/* ---- pieces ---- */

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static poyi_span span_of(const poy_guide *guide, double z0, double z1)
{
    poyi_span s = {.z0 = z0, .z1 = z1};
    if (guide->fill.n > 0 && !guide->fill.pressure.series) {
        s.p0 = poyi_along_at(&guide->fill.pressure, z0);
        s.p1 = poyi_along_at(&guide->fill.pressure, z1);
        s.by_pressure = fmin(s.p0, s.p1) < 0.5 * fmax(s.p0, s.p1);
    }
    return s;
}

void poyi_span_halve(const poyi_span *span, poyi_span *left, poyi_span *right)
{
    const double z = span->by_pressure ? 0.0 : 0.5 * (span->z0 + span->z1);
    const poyi_span whole = *span;
    *left = *right = whole;
    left->z1 = right->z0 = z;
    if (whole.by_pressure) { /* half way in the pressure */
        const double p = 0.5 * (whole.p0 + whole.p1), share = (p - whole.p0) / (whole.p1 - whole.p0);
        left->z1 = right->z0 = whole.z0 + (whole.z1 - whole.z0) * share * (p + whole.p0) / (whole.p1 + whole.p0);
        left->p1 = right->p0 = p;
    }
}

static int radius_varies_much(const poy_guide *guide, const poyi_span *s)
{
    if (!guide->has_radius || !poyi_along_varies(&guide->radius))
        return 0;
    double least = INFINITY, most = 0.0;
    for (int i = 0; i <= 4; i++) {
        const double a = poyi_along_at(&guide->radius, s->z0 + 0.25 * i * (s->z1 - s->z0));
        least = fmin(least, a);
        most = fmax(most, a);
    }
    return most > 2.0 * least;
}

/* Adds a piece, or its halves. */
static int add(const poy_guide *guide, const poyi_span *s, poyi_span *out, int count)
{
    poyi_span left, right;
    if (count >= POYI_SPANS_MAX)
        return POYI_SPANS_MAX + 1;
    if (radius_varies_much(guide, s)) {
        poyi_span_halve(s, &left, &right);
        count = add(guide, &left, out, count);
        return count > POYI_SPANS_MAX ? count : add(guide, &right, out, count);
    }
    out[count] = *s;
    return count + 1;
}

static int breaks_of(const poy_guide *guide, double *z, int max)
{
    const double *planes = NULL;
    int n = 0;
    if (guide->fill.n > 0)
        n += poyi_along_breaks(&guide->fill.pressure, max, z);
    if (guide->has_radius)
        n += poyi_along_breaks(&guide->radius, max - n, z + n);
    const int n_planes = guide->kind->planes ? guide->kind->planes(guide, &planes) : 0;
    for (int i = 0; i < n_planes && n < max; i++)
        z[n++] = planes[i];
    return n;
}

poy_status poyi_spans_create(poy_ctx *ctx, const poy_guide *guide, double length, poyi_span *out, int *count)
{
    double z[POYI_SPANS_MAX + 1];
    const int n = breaks_of(guide, z, POYI_SPANS_MAX);
    double from = 0.0;
    int made = 0;
    z[n] = length;
    qsort(z, (size_t)n + 1, sizeof *z, compare);
    for (int i = 0; i <= n && made <= POYI_SPANS_MAX; i++) {
        if (z[i] <= from || z[i] > length)
            continue;
        const poyi_span s = span_of(guide, from, z[i]);
        made = add(guide, &s, out, made);
        from = z[i];
    }
    if (made > POYI_SPANS_MAX || n == POYI_SPANS_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "the profiles of the guide make more than %d sections along z: give fewer points",
                         POYI_SPANS_MAX);
    *count = made;
    return POY_OK;
}

int poyi_span_find(const poyi_span *spans, int count, double z)
{
    int low = 0, high = count - 1;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (z < spans[middle].z1)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

double poyi_span_t(const poyi_span *span, const poy_guide *guide, double z)
{
    double t = 0.0;
    if (span->by_pressure)
        t = 2.0 * (poyi_along_at(&guide->fill.pressure, z) - span->p0) / (span->p1 - span->p0) - 1.0;
    else
        t = ((z - span->z0) - (span->z1 - z)) / (span->z1 - span->z0);
    return fmin(fmax(t, -1.0), 1.0);
}

/* By pressure: p = p0 + (p1 - p0)(1 + t)/2, z - z0 = (z1 - z0)(p^2 - p0^2)/(p1^2 - p0^2), dz/dt = (z1 - z0) p/(p0 + p1). */
void poyi_span_place(const poyi_span *span, const poy_guide *guide, double t, poy_guide_place *place, double *slope)
{
    const double size = span->z1 - span->z0, up = 0.5 * (1.0 + t);
    if (!span->by_pressure) {
        poy_guide_at(guide, span->z0 + up * size, place);
        *slope = 0.5 * size;
        return;
    }
    const double p = span->p0 + up * (span->p1 - span->p0), sum = span->p0 + span->p1;
    poy_guide_at(guide, span->z0 + size * up * (p + span->p0) / sum, place);
    place->pressure = p;
    poyi_fill_density(&guide->fill, p, place->density);
    *slope = size * p / sum;
}

/* ---- series ---- */

double poyi_chebyshev_point(int i, int n)
{
    return (double)cosl(POYI_PIL * (long double)(2 * i + 1) / (long double)(2 * n));
}

void poyi_chebyshev_matrix(int n, double *cosines)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++) { /* the angle is reduced in integers */
            const int64_t turn = ((int64_t)(2 * i + 1) * k) % (4 * (int64_t)n);
            const long double value = cosl(POYI_PIL * (long double)turn / (long double)(2 * n));
            cosines[(ptrdiff_t)k * n + i] = (double)((k ? 2.0L : 1.0L) * value / (long double)n);
        }
}

void poyi_chebyshev_transform(int n, int64_t m, const double *cosines, double *values, double *column)
{
    for (int64_t j = 0; j < m; j++) {
        for (int i = 0; i < n; i++)
            column[i] = values[i * m + j];
        for (int k = 0; k < n; k++) {
            double sum = 0.0;
            for (int i = 0; i < n; i++)
                sum += cosines[(ptrdiff_t)k * n + i] * column[i];
            values[k * m + j] = sum;
        }
    }
}

/* integral T_0 = T_1, T_1 = T_2/4 + const, T_k = T_{k+1}/(2 (k + 1)) - T_{k-1}/(2 (k - 1)) + const (DLMF 18.9.21). */
void poyi_chebyshev_integral(int n, const double *c, double *out)
{
    double start = 0.0;
    for (int k = 1; k <= n; k++) {
        const double below = k == 1 ? 2.0 * c[0] : c[k - 1], above = k + 1 < n ? c[k + 1] : 0.0;
        out[k] = (below - above) / (2.0 * (double)k);
        start += k % 2 ? -out[k] : out[k];
    }
    out[0] = -start;
}
