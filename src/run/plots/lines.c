/* lines.c: pictures of lines: spectra, pulses, steps. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pulse/march/statistics/statistics.h"
#include "run/plots/plot.h"

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
        if (!p->raw && (value < panel->x_low || value > panel->x_high))
            continue;
        const double density = row[i] * poyi_axis_jacobian(p->axis, p->omega[i]);
        x[n] = value;
        y[n++] = p->raw ? density * poyi_axis_density(p->axis) : poyi_db(density, largest, floor_db);
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
    const int64_t plane = poyi_plot_plane(p);
    POYI_TRY(p->ctx, poyi_plot_density(p));
    const double in = largest_of(p, 0), out = largest_of(p, plane), largest = in > out ? in : out;
    const char *key = poyi_arena_format(&p->figure->arena, "density_%s", poyi_axis_names[p->axis]);
    poyi_panel *panel = poyi_figure_panel(p->figure, "spectrum", poyi_axis_label(p),
                                          p->raw ? poyi_axis_density_label(p->axis)
                                                 : poyi_plot_caption(p, key ? key : "", "", 1).label);
    panel->tag = p->tag;
    poyi_plot_spectral_range(p, &panel->x_low, &panel->x_high);
    panel->y_low = p->o.db;
    panel->y_high = 5;
    if (plane != 0)
        add_spectrum(p, panel, plane, largest);
    if (in > 0 || plane == 0 || p->raw) { /* a mode may be dark at the launch */
        add_spectrum(p, panel, 0, largest);
        panel->lines[panel->n_lines - 1].dashed = plane != 0; /* both are seen where one lies on the other */
    }
    return POY_OK;
}

/* ---- power over time ---- */

/* A double arrow at half the maximum, where the power crosses it on both sides. */
static void mark_width(poyi_plot *p, poyi_panel *panel, const double *row, int64_t peak, poyi_caption time,
                       double factor)
{
    double left, right, dt = p->t[1] - p->t[0];
    char width[48];
    poyi_stat_half_maximum(row, p->n_t, peak, &left, &right);
    if (isnan(left) || isnan(right) || panel->n_marks == POYI_MARKS_MAX)
        return;
    poy_quantity_format((right - left) * dt, POY_DIM_TIME, 3, sizeof width, width);
    const char *label = poyi_arena_format(&p->figure->arena, "FWHM %s", width);
    panel->marks[panel->n_marks++] = (poyi_mark){.x = (p->t[0] + (left + right) / 2 * dt) * time.factor,
                                                 .y = row[peak] / 2 * factor,
                                                 .width = (right - left) * dt * time.factor,
                                                 .label = label ? label : ""};
}

static void add_power(poyi_plot *p, poyi_panel *panel, int64_t plane, poyi_caption time, poyi_caption power)
{
    const double *row = p->power + plane * p->n_t;
    double *x = poyi_figure_numbers(p->figure, p->n_t), *y = poyi_figure_numbers(p->figure, p->n_t);
    int64_t n = 0, peak = 0;
    for (int64_t i = 0; x && y && i < p->n_t; i++) {
        double t = p->t[i] * time.factor;
        peak = row[i] > row[peak] ? i : peak;
        if (!p->raw && (t < panel->x_low || t > panel->x_high))
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
    poyi_plot_range(p->power, 1, p->n_t, -25, &first[0], &last[0]);
    poyi_plot_range(p->power + plane * p->n_t, 1, p->n_t, -25, &first[1], &last[1]);
    for (int64_t i = 0; i < p->n_t; i++)
        largest = fmax(largest, fmax(p->power[i], p->power[plane * p->n_t + i]));
    const double low = fmin(p->t[first[0]], p->t[first[1]]), high = fmax(p->t[last[0]], p->t[last[1]]);
    const poyi_caption time = poyi_plot_caption(p, "t", NULL, fmax(fabs(low), fabs(high))),
                       power = poyi_plot_caption(p, "power", NULL, largest);
    poyi_panel *panel = poyi_figure_panel(p->figure, "power", time.label, power.label);
    panel->tag = p->tag;
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

/* Who chose the length of an attempt: the column cause of a file. */
enum { CONTROLLER, LANDING, KINK, REPLAY };

/* Attempts of one sort, as points: kept and of lengths that the controller chose; kept and cut to end on a plane or a kink; rejected. */
typedef enum sort { KEPT, CUT, REJECTED, SORTS } sort;

static sort sort_of(double accepted, double cause)
{
    return accepted == 0 ? REJECTED : cause == LANDING || cause == KINK ? CUT : KEPT;
}

typedef struct steps {
    int64_t n;
    double *z, *dz, *error, *accepted, *cause;
} steps;

static void add_steps(poyi_plot *p, poyi_panel *panel, const steps *s, const double *y, sort which, const char *title)
{
    double *px = poyi_figure_numbers(p->figure, s->n), *py = poyi_figure_numbers(p->figure, s->n);
    int64_t count = 0;
    for (int64_t i = 0; px && py && i < s->n; i++)
        if (sort_of(s->accepted[i], s->cause[i]) == which && y[i] > 0) {
            px[count] = s->z[i];
            py[count++] = y[i];
        }
    if (!count)
        return;
    poyi_panel_line(panel, title, px, py, count);
    panel->lines[panel->n_lines - 1].points = 1;
    panel->lines[panel->n_lines - 1].dots = which != REJECTED;
}

poy_status poyi_plot_steps(poyi_plot *p)
{
    static const char *const keys[SORTS] = {"step_kept", "step_cut", "step_rejected"};
    poy_dataset d;
    steps s;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "steps/dz", &d));
    s.n = d.extent[0];
    POYI_TRY(p->ctx, read_steps(p, "z", s.n, &s.z));
    POYI_TRY(p->ctx, read_steps(p, "dz", s.n, &s.dz));
    POYI_TRY(p->ctx, read_steps(p, "error", s.n, &s.error));
    POYI_TRY(p->ctx, read_steps(p, "accepted", s.n, &s.accepted));
    POYI_TRY(p->ctx, read_steps(p, "cause", s.n, &s.cause));
    const double end = s.z[s.n - 1] + s.dz[s.n - 1];
    const poyi_caption along = poyi_plot_caption(p, "z", NULL, end),
                       length = poyi_plot_caption(p, "step", NULL, poyi_plot_largest(s.dz, s.n));
    for (int64_t i = 0; i < s.n; i++) {
        s.z[i] *= along.factor;
        s.dz[i] *= length.factor;
    }
    poyi_panel *lengths = poyi_figure_panel(p->figure, length.name, along.label, length.label);
    poyi_panel *errors = poyi_figure_panel(p->figure, "error estimate over tolerance", along.label,
                                           poyi_plot_caption(p, "error", NULL, 1).label);
    lengths->y_log = errors->y_log = 1;
    lengths->x_low = errors->x_low = 0;
    lengths->x_high = errors->x_high = end * along.factor;
    errors->y_low = 1e-3; /* the first steps are far more careful than they need to be */
    for (int which = 0; which < SORTS; which++) {
        add_steps(p, lengths, &s, s.dz, (sort)which, poyi_plot_caption(p, keys[which], NULL, 1).label);
        add_steps(p, errors, &s, s.error, (sort)which, "");
    }
    return POY_OK;
}
