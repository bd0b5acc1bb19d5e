/* stats.c: pictures of statistics along the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/plots/plot.h"

/* A power of a thousand that brings the largest value near 1. */
static poyi_scale scale_of(const double *y, int64_t n, const char *unit, poyi_arena *arena)
{
    static const struct {
        double factor;
        const char *prefix;
    } prefixes[] = {{1e15, "f"}, {1e12, "p"}, {1e9, "n"},  {1e6, "u"},   {1e3, "m"},  {1, ""},
                    {1e-3, "k"}, {1e-6, "M"}, {1e-9, "G"}, {1e-12, "T"}, {1e-15, "P"}};
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fabs(y[i]) > largest ? fabs(y[i]) : largest;
    if (!strcmp(unit, "1") || largest <= 0)
        return (poyi_scale){1, !strcmp(unit, "1") ? "" : unit};
    if (!strcmp(unit, "rad/s"))
        return (poyi_scale){1e-15, "rad/fs"};
    if (strchr(unit, '/')) { /* no prefix belongs to it: a power of ten stands before it */
        const int inverse = !strncmp(unit, "1/", 2), power = 3 * (int)floor(log10(largest) / 3);
        const char *name = poyi_arena_format(arena, inverse ? "1e%d%s" : "1e%d %s", power, unit + inverse);
        return power ? (poyi_scale){pow(10, -power), name ? name : unit} : (poyi_scale){1, unit};
    }
    for (size_t i = 0; i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (largest * prefixes[i].factor < 1000) {
            const char *name = poyi_arena_format(arena, "%s%s", prefixes[i].prefix, unit);
            return (poyi_scale){prefixes[i].factor, name ? name : unit};
        }
    return (poyi_scale){1, unit};
}

/* Does it stay within a hundredth of its start? */
static int is_constant(const double *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(y[i] - y[0]) < 1e-2 * fabs(y[0])))
            return 0;
    return 1;
}

/* y / y[0] - 1 in units of 10^power; answers power, a multiple of 3. */
static int to_change(double *y, int64_t n)
{
    double most = 0;
    for (int64_t i = n; i-- > 0;) {
        y[i] = y[i] / y[0] - 1;
        most = fmax(most, fabs(y[i]));
    }
    int power = most > 0 ? 3 * (int)floor(log10(most) / 3) : 0;
    for (int64_t i = 0; i < n; i++)
        y[i] *= pow(10, -power);
    return power;
}

static poy_status add_stat(poyi_plot *p, const poy_dataset *d, const double *z, poyi_scale along)
{
    double *y = poyi_figure_numbers(p->figure, d->extent[0]);
    if (!y)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, d->path, 0, d->extent[0], y));
    const poyi_scale scale = scale_of(y, d->extent[0], d->units, &p->figure->arena);
    const char *name = strrchr(d->path, '/') + 1;
    const char *label = poyi_arena_format(&p->figure->arena, *scale.unit ? "%s (%s)" : "%s", name, scale.unit);
    if (is_constant(y, d->extent[0])) { /* what little there is, not five equal digits */
        int power = to_change(y, d->extent[0]);
        label = poyi_arena_format(&p->figure->arena, power ? "%s change (1e%d)" : "%s change", name, power);
    } else {
        for (int64_t i = 0; i < d->extent[0]; i++)
            y[i] *= scale.factor;
    }
    poyi_panel *panel =
        poyi_figure_panel(p->figure, name, poyi_plot_label(p, "distance", along.unit), label ? label : "");
    panel->x_low = 0;
    panel->x_high = z[d->extent[0] - 1];
    poyi_panel_line(panel, "", z, y, d->extent[0]);
    return POY_OK;
}

poy_status poyi_plot_stats(poyi_plot *p)
{
    poy_dataset d;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "stats/z", &d));
    const int64_t n = d.extent[0];
    double *z = poyi_figure_numbers(p->figure, n);
    if (!z)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, "stats/z", 0, n, z));
    const poyi_scale along = poyi_scale_length(z[n - 1]);
    for (int64_t i = 0; i < n; i++)
        z[i] *= along.factor;
    for (int i = 0; poy_result_dataset_at(p->result, i, &d) && p->figure->n < POYI_PANELS_MAX; i++)
        if (!strncmp(d.path, "stats/", 6) && strcmp(d.path, "stats/z") != 0 && d.rank == 1 && !d.is_complex &&
            !d.is_text && d.extent[0] == n)
            POYI_TRY(p->ctx, add_stat(p, &d, z, along));
    if (!p->figure->n)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: holds no statistics", p->result->path);
    p->figure->columns = p->figure->n < 4 ? 1 : p->figure->n < 9 ? 2 : 3;
    return POY_OK;
}

/* ---- energy of each mode ---- */

/* Column k of a dataset [n][columns]. */
static poy_status read_column(poyi_plot *p, const poy_dataset *d, int64_t k, double *y)
{
    const int64_t columns = d->rank > 1 ? d->extent[1] : 1;
    double *all = poyi_figure_numbers(p->figure, d->extent[0] * columns);
    if (!all)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, d->path, 0, d->extent[0], all));
    for (int64_t i = 0; i < d->extent[0]; i++)
        y[i] = all[i * columns + k];
    return POY_OK;
}

/* The name of mode k: that of the recipe, or of a number of modes. */
static const char *mode_name(poyi_plot *p, int64_t k)
{
    const poy_recipe *r = poyi_result_recipe(p->ctx, p->result);
    const poyi_node *modes = r ? poyi_recipe_at(r, "geometry.modes") : NULL;
    const poyi_node *named = modes && modes->kind == POYI_ARRAY ? poyi_node_element(modes, (int)k) : NULL;
    const char *name = named ? named->text : poyi_arena_format(&p->figure->arena, "HE1%lld", (long long)k + 1);
    return name ? name : "";
}

poy_status poyi_plot_energy_per_mode(poyi_plot *p)
{
    poy_dataset d;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "stats/energy_per_mode", &d));
    const int64_t n = d.extent[0], all = d.rank > 1 ? d.extent[1] : 1;
    const int64_t columns = all < POYI_LINES_MAX ? all : POYI_LINES_MAX;
    double *z = poyi_figure_numbers(p->figure, n), *y[POYI_LINES_MAX] = {NULL}, largest = 0;
    if (!z)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, "stats/z", 0, n, z));
    const poyi_scale along = poyi_scale_length(z[n - 1]);
    for (int64_t i = 0; i < n; i++)
        z[i] *= along.factor;
    for (int64_t k = 0; k < columns; k++) {
        y[k] = poyi_figure_numbers(p->figure, n);
        if (!y[k])
            return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
        POYI_TRY(p->ctx, read_column(p, &d, k, y[k]));
        for (int64_t i = 0; i < n; i++)
            largest = fmax(largest, y[k][i]);
    }
    const poyi_scale scale = scale_of(&largest, 1, "J", &p->figure->arena);
    poyi_panel *panel = poyi_figure_panel(p->figure, "energy of each mode", poyi_plot_label(p, "distance", along.unit),
                                          poyi_plot_label(p, "energy", scale.unit));
    panel->x_low = 0;
    panel->x_high = z[n - 1];
    panel->y_log = columns > 1;
    if (panel->y_log) { /* of modes that take part */
        panel->y_low = 1e-7 * largest * scale.factor;
        panel->y_high = 3 * largest * scale.factor;
    }
    for (int64_t k = 0; k < columns; k++) {
        for (int64_t i = 0; i < n; i++)
            y[k][i] *= scale.factor;
        poyi_panel_line(panel, columns > 1 ? mode_name(p, k) : "", z, y[k], n);
    }
    return POY_OK;
}
