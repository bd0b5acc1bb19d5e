/* selection.c: statistics by name. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "pulse/march/statistics/statistics.h"

typedef double statistic_fn(const poyi_sample *s, const double band[2]);

static const struct {
    const char *name;
    poyi_statistic_cost cost;
    statistic_fn *value;
} statistics[POYI_STATISTIC_COUNT] = {
#define POY_STATISTIC(name, unit, cost, text) {#name, POYI_COST_##cost, poyi_stat_##name},
#include "poynting/statistics.def"
#undef POY_STATISTIC
};

static poy_status unknown(poy_ctx *ctx, const char *name)
{
    poyi_text list = {0};
    for (int i = 0; i < POYI_STATISTIC_COUNT; i++)
        poyi_text_add(&list, "%s%s", i ? ", " : "", statistics[i].name);
    poy_status status =
        POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no statistic '%s'; there are %s, energy:FROM:TO (m), and NAME@COLUMN", name,
                  list.text ? list.text : "...");
    poyi_text_fini(&list);
    return status;
}

static poy_status parse_band(poy_ctx *ctx, const char *name, const char *text, double band[2])
{
    char *end = NULL;
    band[0] = strtod(text, &end);
    int good = end != text && *end == ':';
    if (good) {
        const char *second = end + 1;
        band[1] = strtod(second, &end);
        good = end != second && *end == '\0';
    }
    if (!good || !(band[0] > 0.0 && band[1] > band[0]) || !isfinite(band[1]))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "statistic '%s': a band is two rising wavelengths in m, as in energy:180e-9:320e-9", name);
    return POY_OK;
}

/* The number behind an '@', which only statistics of the field take. */
static poy_status parse_column(poy_ctx *ctx, const char *name, const char *text, poyi_statistic *out)
{
    char *end = NULL;
    const long column = strtol(text, &end, 10);
    if (end == text || *end || column < 0 || column >= 2L * POY_GUIDE_MODES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "statistic '%s': a column is a number from 0 on, as in energy@1", name);
    if (statistics[out->kind].cost != POYI_COST_SPECTRAL && statistics[out->kind].cost != POYI_COST_TEMPORAL)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "statistic '%s': is not of one column: leave the @ out", name);
    out->column = (int)column;
    return POY_OK;
}

poy_status poyi_statistic_parse(poy_ctx *ctx, const char *name, poyi_statistic *out)
{
    const size_t length = strcspn(name, ":@"), whole = strcspn(name, "@");
    char band[64];
    for (int i = 0; i < POYI_STATISTIC_COUNT; i++) {
        if (strlen(statistics[i].name) != length || strncmp(statistics[i].name, name, length) != 0)
            continue;
        *out = (poyi_statistic){.kind = (poyi_statistic_kind)i, .column = -1};
        if (name[whole])
            POYI_TRY(ctx, parse_column(ctx, name, name + whole + 1, out));
        if (length == whole)
            return POY_OK;
        if (i != POYI_STATISTIC_energy)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "statistic '%s': only energy takes a band", name);
        snprintf(band, sizeof band, "%.*s", (int)(whole - length - 1), name + length + 1);
        return parse_band(ctx, name, band, out->band);
    }
    return unknown(ctx, name);
}

poyi_statistic_cost poyi_statistic_costs(const poyi_statistic *s)
{
    return statistics[s->kind].cost;
}

double poyi_statistic_value(const poyi_statistic *s, const poyi_sample *sample)
{
    poyi_sample own = *sample;
    own.column = s->column;
    if (own.time && !(own.found && own.found->has_power && own.found->power_column == own.column)) {
        poyi_stat_power(own.problem, own.time, own.column, own.power);
        if (own.found) {
            own.found->has_power = 1;
            own.found->power_column = own.column;
            own.found->peak = poyi_stat_peak(own.power, own.problem->n_t);
        }
    }
    return statistics[s->kind].value(&own, s->band);
}
