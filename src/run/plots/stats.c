/* stats.c: pictures of statistics along the way. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/plots/plot.h"

/* Does it stay within a hundredth of its start? */
static int is_constant(const double *y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(y[i] - y[0]) < 1e-2 * fabs(y[0])))
            return 0;
    return 1;
}

static int is_the_same(const double *y, int64_t n)
{
    for (int64_t i = 1; i < n; i++)
        if (!(fabs(y[i] - y[0]) <= 1e-12 * fabs(y[0])))
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

/* Positions along the way, in the unit of the picture. */
static poy_status read_z(poyi_plot *p, int64_t n, poyi_caption *along, double **out)
{
    double *z = poyi_figure_numbers(p->figure, n);
    if (!z)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, "stats/z", 0, n, z));
    *along = p->raw ? (poyi_caption){1, "z", "m", "z (m)"} : poyi_plot_caption(p, "z", NULL, z[n - 1]);
    for (int64_t i = 0; i < n; i++)
        z[i] *= along->factor;
    *out = z;
    return POY_OK;
}

static poy_status add_stat(poyi_plot *p, const poy_dataset *d, const double *z, poyi_caption along)
{
    double *y = poyi_figure_numbers(p->figure, d->extent[0]);
    if (!y)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, d->path, 0, d->extent[0], y));
    if (!p->raw && is_the_same(y, d->extent[0]))
        return POY_OK; /* of a pressure that does not change there is nothing to see */
    const char *key = strrchr(d->path, '/') + 1;
    const poyi_caption own = poyi_plot_caption_about(p, key, d->text, d->units, poyi_plot_largest(y, d->extent[0]));
    const char *label = p->raw ? poyi_plot_label(p, key, d->units) : own.label;
    if (!p->raw && is_constant(y, d->extent[0])) { /* what little there is, not five equal digits */
        int power = to_change(y, d->extent[0]);
        label = poyi_arena_format(&p->figure->arena, power ? "%s: change (10^%d)" : "%s: change", own.name, power);
    } else {
        for (int64_t i = 0; !p->raw && i < d->extent[0]; i++)
            y[i] *= own.factor;
    }
    poyi_panel *panel = poyi_figure_panel(p->figure, own.name, along.label, label ? label : "");
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
    poyi_caption along;
    double *z = NULL;
    POYI_TRY(p->ctx, read_z(p, n, &along, &z));
    for (int i = 0; poy_result_dataset_at(p->result, i, &d) && p->figure->n < POYI_PANELS_MAX; i++)
        if (!strncmp(d.path, "stats/", 6) && strcmp(d.path, "stats/z") != 0 && d.rank == 1 && !d.is_complex &&
            !d.is_text && d.extent[0] == n)
            POYI_TRY(p->ctx, add_stat(p, &d, z, along));
    if (p->raw && poy_plot_applies(p->result, "energy_per_mode")) /* columns of the same table */
        POYI_TRY(p->ctx, poyi_plot_energy_per_mode(p));
    if (!p->figure->n)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: holds no statistics that change", p->result->path);
    p->figure->columns = p->figure->n < 4 ? 1 : p->figure->n < 7 ? 2 : 3;
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

/* Of column k: its mode, and its polarisation where there are two. */
static const char *column_name(poyi_plot *p, int64_t k)
{
    const char *mode = poyi_plot_mode_name(p, k / p->polarisations);
    const char *name =
        p->polarisations > 1 ? poyi_arena_format(&p->figure->arena, "%s %s", mode, k % 2 ? "x" : "y") : mode;
    return name ? name : "";
}

poy_status poyi_plot_energy_per_mode(poyi_plot *p)
{
    poy_dataset d;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "stats/energy_per_mode", &d));
    const int64_t n = d.extent[0], all = d.rank > 1 ? d.extent[1] : 1;
    const int64_t columns = all < POYI_LINES_MAX ? all : POYI_LINES_MAX;
    double *z = NULL, *y[POYI_LINES_MAX] = {NULL}, largest = 0;
    poyi_caption along;
    POYI_TRY(p->ctx, read_z(p, n, &along, &z));
    for (int64_t k = 0; k < columns; k++) {
        y[k] = poyi_figure_numbers(p->figure, n);
        if (!y[k])
            return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
        POYI_TRY(p->ctx, read_column(p, &d, k, y[k]));
        for (int64_t i = 0; i < n; i++)
            largest = fmax(largest, y[k][i]);
    }
    const poyi_caption scale =
        p->raw ? (poyi_caption){1, "energy", "J", "energy (J)"} : poyi_plot_caption(p, "energy", "J", largest);
    const char *title = columns == all ? "energy of each mode"
                                       : poyi_arena_format(&p->figure->arena, "energy of the first %lld of %lld modes",
                                                           (long long)columns, (long long)all);
    poyi_panel *panel = poyi_figure_panel(p->figure, title ? title : "", along.label, scale.label);
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
        poyi_panel_line(panel, columns > 1 ? column_name(p, k) : "", z, y[k], n);
    }
    return POY_OK;
}
