/* plot_lines.c: pictures of lines: spectra, pulses, steps, statistics. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pulse/march/statistics/statistics.h"
#include "run/plot.h"

/* ---- spectrum ---- */

static void add_spectrum(poyi_plot *p, poyi_panel *panel, int64_t plane, double largest)
{
    double *x = poyi_figure_numbers(p->figure, p->n), *y = poyi_figure_numbers(p->figure, p->n);
    const double *row = p->density + plane * p->n;
    const double floor_db = p->o.db - 20; /* lines leave the frame at its lower edge */
    int64_t n = 0;
    for (int64_t i = 0; x && y && i < p->n; i++) {
        if (p->omega[i] <= 0)
            continue;
        double value = poyi_axis_value(p->axis, p->omega[i]);
        if (value < panel->x_low || value > panel->x_high)
            continue;
        x[n] = value;
        y[n++] = poyi_db(row[i] * poyi_axis_jacobian(p->axis, p->omega[i]), largest, floor_db);
    }
    const char *title = poyi_arena_format(&p->figure->arena, "z = %s", poyi_plot_length(p, p->z[plane]));
    poyi_panel_line(panel, title ? title : "", x, y, n);
}

static double largest_of(const poyi_plot *p, int64_t plane)
{
    double largest = 0;
    for (int64_t i = 0; i < p->n; i++) {
        double value = p->omega[i] > 0 ? p->density[plane * p->n + i] * poyi_axis_jacobian(p->axis, p->omega[i]) : 0;
        largest = value > largest ? value : largest;
    }
    return largest;
}

poy_status poyi_plot_spectrum(poyi_plot *p)
{
    static const char *const per[] = {"nm", "THz", "rad/fs", "eV"};
    const int64_t plane = poyi_plot_plane(p);
    POYI_TRY(p->ctx, poyi_plot_density(p));
    const double in = largest_of(p, 0), out = largest_of(p, plane), largest = in > out ? in : out;
    poyi_panel *panel = poyi_figure_panel(p->figure, "spectrum", poyi_axis_label(p->axis),
                                          poyi_plot_label(p, "spectral energy density per", per[p->axis]));
    const char *label = poyi_arena_format(&p->figure->arena, "energy density per %s (dB)", per[p->axis]);
    panel->y_label = label ? label : "";
    poyi_plot_spectral_range(p, &panel->x_low, &panel->x_high);
    panel->y_low = p->o.db;
    panel->y_high = 5;
    if (plane != 0)
        add_spectrum(p, panel, plane, largest);
    add_spectrum(p, panel, 0, largest);
    panel->lines[panel->n_lines - 1].dashed = plane != 0; /* both are seen where one lies on the other */
    return POY_OK;
}

/* ---- power over time ---- */

/* A double arrow at half the maximum, where the power crosses it on both sides. */
static void mark_width(poyi_plot *p, poyi_panel *panel, const double *row, int64_t peak, poyi_scale time, double factor)
{
    double left, right, dt = p->t[1] - p->t[0];
    char width[48];
    poyi_stat_half_maximum(row, p->n, peak, &left, &right);
    if (isnan(left) || isnan(right) || panel->n_marks == POYI_MARKS_MAX)
        return;
    poy_quantity_format((right - left) * dt, POY_DIM_TIME, 3, sizeof width, width);
    const char *label = poyi_arena_format(&p->figure->arena, "FWHM %s", width);
    panel->marks[panel->n_marks++] = (poyi_mark){.x = (p->t[0] + (left + right) / 2 * dt) * time.factor,
                                                 .y = row[peak] / 2 * factor,
                                                 .width = (right - left) * dt * time.factor,
                                                 .label = label ? label : ""};
}

static void add_power(poyi_plot *p, poyi_panel *panel, int64_t plane, poyi_scale time, poyi_scale power)
{
    const double *row = p->power + plane * p->n;
    double *x = poyi_figure_numbers(p->figure, p->n), *y = poyi_figure_numbers(p->figure, p->n);
    int64_t n = 0, peak = 0;
    for (int64_t i = 0; x && y && i < p->n; i++) {
        double t = p->t[i] * time.factor;
        peak = row[i] > row[peak] ? i : peak;
        if (t < panel->x_low || t > panel->x_high)
            continue;
        x[n] = t;
        y[n++] = row[i] * power.factor;
    }
    const char *title = poyi_arena_format(&p->figure->arena, "z = %s", poyi_plot_length(p, p->z[plane]));
    poyi_panel_line(panel, title ? title : "", x, y, n);
    mark_width(p, panel, row, peak, time, power.factor);
}

poy_status poyi_plot_temporal(poyi_plot *p)
{
    const int64_t plane = poyi_plot_plane(p);
    int64_t first[2], last[2];
    double largest = 0;
    POYI_TRY(p->ctx, poyi_plot_power(p));
    poyi_plot_range(p->power, 1, p->n, -25, &first[0], &last[0]);
    poyi_plot_range(p->power + plane * p->n, 1, p->n, -25, &first[1], &last[1]);
    for (int64_t i = 0; i < p->n; i++)
        largest = fmax(largest, fmax(p->power[i], p->power[plane * p->n + i]));
    const double low = fmin(p->t[first[0]], p->t[first[1]]), high = fmax(p->t[last[0]], p->t[last[1]]);
    const poyi_scale time = poyi_scale_time(fmax(fabs(low), fabs(high))), power = poyi_scale_power(largest);
    poyi_panel *panel = poyi_figure_panel(p->figure, "power", poyi_plot_label(p, "time", time.unit),
                                          poyi_plot_label(p, "power", power.unit));
    panel->x_low = low * time.factor;
    panel->x_high = high * time.factor;
    panel->y_low = 0;
    panel->y_high = 1.1 * largest * power.factor;
    if (plane != 0)
        add_power(p, panel, plane, time, power);
    add_power(p, panel, 0, time, power);
    panel->lines[panel->n_lines - 1].dashed = plane != 0;
    return POY_OK;
}

/* ---- steps ---- */

static poy_status read_steps(poyi_plot *p, const char *name, int64_t n, double **out)
{
    char path[64];
    poy_dataset d;
    snprintf(path, sizeof path, "steps/%s", name);
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, path, &d));
    if (d.rank != 1 || d.is_complex)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: %s is no line of numbers", p->result->path, path);
    *out = poyi_figure_numbers(p->figure, n);
    if (!*out)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, path, 0, n, *out));
    return POY_OK;
}

/* Those of kept (or rejected) steps, moved to the front of copies. */
static void add_steps(poyi_plot *p, poyi_panel *panel, const char *title, int64_t n, const double *z, const double *y,
                      const double *accepted, int kept)
{
    double *px = poyi_figure_numbers(p->figure, n), *py = poyi_figure_numbers(p->figure, n);
    int64_t count = 0;
    for (int64_t i = 0; px && py && i < n; i++)
        if ((accepted[i] != 0) == kept && y[i] > 0) {
            px[count] = z[i];
            py[count++] = y[i];
        }
    if (!count)
        return;
    poyi_panel_line(panel, title, px, py, count);
    panel->lines[panel->n_lines - 1].points = !kept;
    panel->lines[panel->n_lines - 1].thin = 1;
}

poy_status poyi_plot_steps(poyi_plot *p)
{
    poy_dataset d;
    double *z, *dz, *error, *accepted;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "steps/dz", &d));
    POYI_TRY(p->ctx, read_steps(p, "z", d.extent[0], &z));
    POYI_TRY(p->ctx, read_steps(p, "dz", d.extent[0], &dz));
    POYI_TRY(p->ctx, read_steps(p, "error", d.extent[0], &error));
    POYI_TRY(p->ctx, read_steps(p, "accepted", d.extent[0], &accepted));
    const poyi_scale along = poyi_scale_length(z[d.extent[0] - 1] + dz[d.extent[0] - 1]);
    for (int64_t i = 0; i < d.extent[0]; i++) {
        z[i] *= along.factor;
        dz[i] *= 1e6;
    }
    const char *distance = poyi_plot_label(p, "distance", along.unit);
    poyi_panel *steps = poyi_figure_panel(p->figure, "step length", distance, "dz (um)");
    steps->y_log = 1;
    add_steps(p, steps, "accepted", d.extent[0], z, dz, accepted, 1);
    add_steps(p, steps, "rejected", d.extent[0], z, dz, accepted, 0);
    poyi_panel *errors = poyi_figure_panel(p->figure, "error estimate over tolerance", distance, "error / tolerance");
    errors->y_log = 1;
    add_steps(p, errors, "", d.extent[0], z, error, accepted, 1);
    add_steps(p, errors, "", d.extent[0], z, error, accepted, 0);
    for (int i = 0; i < 2; i++) {
        p->figure->panels[i].x_low = 0;
        p->figure->panels[i].x_high = z[d.extent[0] - 1] + dz[d.extent[0] - 1] * 1e-6 * along.factor;
    }
    return POY_OK;
}

/* ---- statistics ---- */

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
