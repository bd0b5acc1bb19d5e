/* plot_dispersion.c: the dispersion of a fibre, from the recipe that the result holds: beta_2 with its zeros, and the
 * phase mismatch of dispersive waves. */
#include <math.h>
#include <stdio.h>

#include "pulse/setup/setup.h"
#include "run/plot.h"
#include "run/settings.h"

enum { POINTS = 1200 };

typedef struct fibre {
    poyi_settings settings;
    poy_fibre_numbers numbers;
    double omega;     /* of the first pulse */
    double low, high; /* of the axis */
} fibre;

/* Narrows the band to where the result has light, a little wider; to half and double the pulse's frequency without fields. */
static poy_status where_light_is(poyi_plot *p, const fibre *f, double *low, double *high)
{
    poy_dataset d;
    double from = f->omega / 2, to = 2 * f->omega;
    int64_t first, last;
    if (poy_result_find(p->ctx, p->result, "field/spectrum", &d) == POY_OK) {
        POYI_TRY(p->ctx, poyi_plot_density(p));
        poyi_plot_range(p->density, p->n_z, p->n, p->o.db, &first, &last);
        from = 0.9 * p->omega[first];
        to = 1.1 * p->omega[last];
    }
    poy_ctx_clear(p->ctx);
    *low = fmax(*low, from);
    *high = fmin(*high, to);
    return POY_OK;
}

static poy_status open_fibre(poyi_plot *p, fibre *f)
{
    poy_recipe *r = poyi_result_recipe(p->ctx, p->result);
    double band_low = 0, band_high = 0;
    POYI_TRY(p->ctx, poyi_settings_create(p->ctx, r, &f->settings));
    POYI_TRY(p->ctx, poy_fibre_describe(p->ctx, f->settings.problem, &f->settings.pulses[0], &f->numbers));
    f->omega = 2 * POYI_PI * POYI_C / f->settings.pulses[0].wavelength;
    poyi_grid_band(f->settings.grid, &band_low, &band_high);
    POYI_TRY(p->ctx, where_light_is(p, f, &band_low, &band_high));
    double a = poyi_axis_value(p->axis, band_low), b = poyi_axis_value(p->axis, band_high);
    if (!isnan(p->o.low))
        a = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.high);
    if (!isnan(p->o.high))
        b = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.low);
    f->low = fmin(a, b);
    f->high = fmax(a, b);
    return POY_OK;
}

static double omega_at(const poyi_plot *p, const fibre *f, int64_t i)
{
    return poyi_axis_omega(p->axis, f->low + (f->high - f->low) * (double)i / (POINTS - 1));
}

static void mark(poyi_plot *p, poyi_panel *panel, double omega, const char *what)
{
    char length[48];
    double x = poyi_axis_value(p->axis, omega);
    if (panel->n_marks == POYI_MARKS_MAX || x < panel->x_low || x > panel->x_high)
        return;
    poy_quantity_format(2 * POYI_PI * POYI_C / omega, POY_DIM_LENGTH, 5, sizeof length, length);
    const char *label = poyi_arena_format(&p->figure->arena, "%s %s", what, length);
    panel->marks[panel->n_marks++] = (poyi_mark){.x = x, .label = label ? label : ""};
}

static poyi_panel *add_panel(poyi_plot *p, const fibre *f, const char *title, const char *y, double **px, double **py)
{
    poyi_panel *panel = poyi_figure_panel(p->figure, title, poyi_axis_label(p->axis), y);
    panel->x_low = f->low;
    panel->x_high = f->high;
    *px = poyi_figure_numbers(p->figure, POINTS);
    *py = poyi_figure_numbers(p->figure, POINTS);
    for (int64_t i = 0; *px && i < POINTS; i++)
        (*px)[i] = f->low + (f->high - f->low) * (double)i / (POINTS - 1);
    return panel;
}

/* A horizontal line at 0. */
static void add_zero(poyi_plot *p, poyi_panel *panel)
{
    double *x = poyi_figure_numbers(p->figure, 2), *y = poyi_figure_numbers(p->figure, 2);
    if (!x || !y)
        return;
    x[0] = panel->x_low;
    x[1] = panel->x_high;
    poyi_panel_line(panel, "", x, y, 2);
    panel->lines[panel->n_lines - 1].guide = 1;
}

static void draw_dispersion(poyi_plot *p, const fibre *f)
{
    double *x, *y;
    const poyi_fibre *glass = f->settings.problem->fibre;
    poyi_panel *beta = add_panel(p, f, "group-velocity dispersion", "beta_2 (ps2/km)", &x, &y);
    for (int64_t i = 0; y && i < POINTS; i++)
        y[i] = 1e27 * poyi_fibre_beta(glass, 2, omega_at(p, f, i));
    poyi_panel_line(beta, "", x, y, POINTS);
    add_zero(p, beta);
    poyi_panel *parameter = add_panel(p, f, "dispersion parameter", "D (ps/(nm km))", &x, &y);
    for (int64_t i = 0; y && i < POINTS; i++) {
        double omega = omega_at(p, f, i);
        y[i] = -1e6 * omega * omega / (2 * POYI_PI * POYI_C) * poyi_fibre_beta(glass, 2, omega);
    }
    poyi_panel_line(parameter, "", x, y, POINTS);
    add_zero(p, parameter);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < f->numbers.n_zdw; i++)
            mark(p, &p->figure->panels[k], 2 * POYI_PI * POYI_C / f->numbers.zdw[i], "zero");
        mark(p, &p->figure->panels[k], f->omega, "pulse");
    }
}

poy_status poyi_plot_dispersion(poyi_plot *p)
{
    fibre f = {0};
    poy_status status = open_fibre(p, &f);
    if (status == POY_OK)
        draw_dispersion(p, &f);
    poyi_settings_fini(&f.settings);
    return status;
}

/* beta(omega) - beta(omega_s) - beta_1(omega_s) (omega - omega_s) - gamma P / 2: where it vanishes, a soliton at the
 * pulse's frequency feeds a dispersive wave (Akhmediev and Karlsson, Phys. Rev. A 51, 2602 (1995)). */
static double mismatch(const fibre *f, double omega)
{
    const poyi_fibre *g = f->settings.problem->fibre;
    const double step = 1e-6 * f->omega;
    const double slope = (poyi_fibre_phase(g, f->omega + step) - poyi_fibre_phase(g, f->omega - step)) / (2 * step);
    return poyi_fibre_phase(g, omega) - poyi_fibre_phase(g, f->omega) - slope * (omega - f->omega) -
           g->gamma * f->numbers.peak_power / 2;
}

static double clip(double x, double most)
{
    return fmax(-most, fmin(most, x));
}

static void draw_mismatch(poyi_plot *p, const fibre *f)
{
    double *x, *y, last = 0, most = 0;
    poyi_panel *panel = add_panel(p, f, "phase mismatch of dispersive waves", "beta - beta_soliton (1/mm)", &x, &y);
    for (int64_t i = 0; y && i < POINTS; i++) {
        const double omega = omega_at(p, f, i);
        y[i] = 1e-3 * mismatch(f, omega);
        if (fabs(omega - f->omega) < 0.35 * f->omega)
            most = fmax(most, fabs(y[i]));
        if (i && last != 0 && (y[i] < 0) != (last < 0))
            mark(p, panel, omega, "dispersive wave");
        last = y[i];
    }
    for (int64_t i = 0; y && i < POINTS; i++)
        y[i] = clip(y[i], 1.5 * most); /* the ends would hide the middle */
    panel->y_low = -most;
    panel->y_high = most;
    poyi_panel_line(panel, "", x, y, POINTS);
    add_zero(p, panel);
    mark(p, panel, f->omega, "pulse");
}

poy_status poyi_plot_phase_matching(poyi_plot *p)
{
    fibre f = {0};
    poy_status status = open_fibre(p, &f);
    if (status == POY_OK)
        draw_mismatch(p, &f);
    poyi_settings_fini(&f.settings);
    return status;
}
