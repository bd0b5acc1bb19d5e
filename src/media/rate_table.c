/* rate_table.c: ionisation rates tabulated as cubics of ln W between equidistant fields. */
#include "media/rate_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/math.h"

enum { POINTS_DEFAULT = 1 << 16, POINTS_MIN = 16, POINTS_MAX = 1 << 24 };

void poyi_rate_digest(const poy_ionisation *it, double field_max, size_t points, char digest[65])
{
    const poy_ionisation_options *o = &it->options;
    char text[768];
    unsigned char bytes[32];
    poyi_sha256 sha;
    /* Every parameter that the values depend on, exactly; the number in front changes when the way to compute them does. */
    const int n =
        snprintf(text, sizeof text,
                 "rate table 1 model=%d potential=%a orbital=%d charge=%a stark=%a dipole=%a wavelength=%a "
                 "sum_m=%d averaged=%d integral=%d occupancy=%a coefficient=%a tolerance=%a max=%a points=%zu",
                 (int)o->model, o->potential, o->orbital, o->charge, it->stark, it->dipole,
                 o->model == POY_IONISATION_PPT ? o->wavelength : 0.0, o->sum_m != 0, o->cycle_averaged != 0,
                 o->sum_integral != 0, o->occupancy, isnan(o->coefficient) ? 0.0 : o->coefficient, o->tolerance,
                 field_max, points);
    poyi_sha256_init(&sha);
    poyi_sha256_add(&sha, text, (size_t)n);
    poyi_sha256_end(&sha, bytes);
    poyi_sha256_hex(bytes, digest);
}

/* ---- making ---- */

/* fields[] and ln W[] of the points; returns the first at which W is not 0. */
static size_t sample(poy_ctx *ctx, const poy_ionisation *it, double field_max, size_t points, double *fields,
                     double *log_rates)
{
    const double first = field_max / 5000.0, step = (field_max - first) / (double)(points - 1);
    const int64_t count = (int64_t)points;
#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic, 256) num_threads(poy_ctx_threads(ctx))
#else
    (void)ctx;
#endif
    for (int64_t i = 0; i < count; i++) {
        fields[i] = first + (double)i * step;
        log_rates[i] = poyi_ionisation_log_rate(it, fields[i]);
    }
    size_t begin = 0;
    while (begin < points && !(exp(log_rates[begin]) > 0.0))
        begin++;
    return begin;
}

static poy_status compute(poy_ctx *ctx, const poy_ionisation *it, double field_max, size_t points,
                          poy_ionisation_table *table)
{
    poy_status status;
    poyi_spline *spline = NULL;
    void *work = NULL, *nodes = NULL;
    size_t bytes = 0;

    POYI_TO_DONE(ctx, poyi_mul_size(ctx, points, 2 * sizeof(double), &bytes));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "media.rate_table", bytes, &work));
    double *fields = work, *log_rates = fields + points;
    const size_t begin = sample(ctx, it, field_max, points, fields, log_rates), count = points - begin;
    if (count < 4) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                           "rate table of %s up to %g V/m: the rate is 0 there: ask for stronger fields", it->species,
                           field_max);
        goto done;
    }
    POYI_TO_DONE(ctx,
                 poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, count, fields + begin, log_rates + begin, &spline));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "media.rate_table", count * 2 * sizeof(double), &nodes));
    table->points = count;
    table->field_min = fields[begin];
    table->step = (field_max - fields[begin]) / (double)(count - 1);
    table->nodes = nodes;
    for (size_t i = 0; i < count; i++) {
        table->nodes[2 * i] = log_rates[begin + i];
        table->nodes[2 * i + 1] = table->step * poyi_spline_slope(spline, fields[begin + i]);
    }
done:
    poyi_spline_destroy(&spline);
    poyi_free(&work);
    return status;
}

poy_status poy_ionisation_table_create(poy_ctx *ctx, const poy_ionisation *it, double field_max, size_t points,
                                       poy_ionisation_above above, int cache, poy_ionisation_table **out)
{
    poy_status status;
    poy_ionisation_table *table = NULL;
    char digest[65];

    if (field_max == 0.0)
        field_max = 2.0 * poy_ionisation_barrier_field(it);
    if (points == 0)
        points = POINTS_DEFAULT;
    if (!(field_max > 0.0) || !isfinite(field_max))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "rate table of %s up to %g V/m: it must be above 0", it->species,
                         field_max);
    if (points < POINTS_MIN || points > POINTS_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "rate table of %s with %zu points: %d to %d are built", it->species,
                         points, POINTS_MIN, POINTS_MAX);
    if (above != POY_IONISATION_ERROR && above != POY_IONISATION_HOLD)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "rate table of %s: above = %d: there are error and hold", it->species,
                         (int)above);
    table = calloc(1, sizeof *table);
    if (!table)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the rate table of %s", it->species);
    memcpy(table->species, it->species, sizeof table->species);
    snprintf(table->model, sizeof table->model, "%s", it->options.model == POY_IONISATION_PPT ? "ppt" : "adk");
    table->above = above;
    poyi_rate_digest(it, field_max, points, digest);
    if (!cache || !poyi_rate_cache_read(ctx, digest, table)) {
        POYI_TO_DONE(ctx, compute(ctx, it, field_max, points, table));
        if (cache)
            poyi_rate_cache_write(ctx, digest, table);
    }
    table->field_max = field_max;
    *out = table;
    table = NULL;
    status = POY_OK;
done:
    poy_ionisation_table_destroy(&table);
    return status;
}

void poy_ionisation_table_destroy(poy_ionisation_table **table)
{
    if (*table) {
        void *nodes = (*table)->nodes;
        poyi_free(&nodes);
    }
    free(*table);
    *table = NULL;
}

/* ---- asking ---- */

void poy_ionisation_table_range(const poy_ionisation_table *table, double *field_min, double *field_max)
{
    *field_min = table->field_min;
    *field_max = table->field_max;
}

poyi_rate_view poyi_ionisation_table_view(const poy_ionisation_table *table)
{
    return (poyi_rate_view){table->field_min, table->field_max, table->step,
                            table->points,    table->nodes,     table->above == POY_IONISATION_HOLD};
}

poy_status poyi_ionisation_table_above(poy_ctx *ctx, const poy_ionisation_table *table, double field)
{
    return POYI_FAIL(
        ctx, POY_ERR_RANGE,
        "|E| %.3g V/m above the %s table of %s (%.3g V/m): lower the energy, or physics.rate_above = \"hold\"",
        fabs(field), table->model, table->species, table->field_max);
}

poy_status poy_ionisation_table_rate(poy_ctx *ctx, const poy_ionisation_table *table, double field, double *rate,
                                     double *slope)
{
    double e = fabs(field), sign = field < 0.0 ? -1.0 : 1.0, d;
    if (!isfinite(field))
        return POYI_FAIL(ctx, POY_ERR_NONFINITE, "ionisation rate of %s at the field %g V/m: it must be finite",
                         table->species, field);
    if (e > table->field_max) {
        if (table->above == POY_IONISATION_ERROR)
            return poyi_ionisation_table_above(ctx, table, field);
        e = table->field_max;
        sign = 0.0; /* a held rate does not change */
    }
    const poyi_rate_view view = poyi_ionisation_table_view(table);
    *rate = poyi_rate_at(&view, e, &d);
    if (slope)
        *slope = sign * d;
    return POY_OK;
}
