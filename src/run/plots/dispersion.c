/* dispersion.c: the dispersion of a fibre or a guide, from the recipe that the result holds: beta_2 with its zeros,
 * and the phase mismatch of dispersive waves. */
#include <math.h>
#include <stdio.h>

#include "pulse/setup/setup.h"
#include "run/plots/plot.h"
#include "run/recipe/settings.h"

enum { POINTS = 1200 };

typedef struct guide {
    poyi_settings settings;
    poy_problem_numbers numbers;
    double z;         /* where it is looked at */
    double omega;     /* of the first pulse */
    double low, high; /* of the axis */
} guide;

/* Narrows the band to where the result has light; to half and double the pulse's frequency without fields. */
static poy_status find_axis(poyi_plot *p, guide *f, double band_low, double band_high)
{
    poy_dataset d;
    const double a = poyi_axis_value(p->axis, band_low), b = poyi_axis_value(p->axis, band_high);
    double from = poyi_axis_value(p->axis, f->omega / 2), to = poyi_axis_value(p->axis, 2 * f->omega);
    if (poy_result_find(p->ctx, p->result, "field/spectrum", &d) == POY_OK) {
        POYI_TRY(p->ctx, poyi_plot_density(p));
        poyi_plot_spectral_range(p, &from, &to);
    }
    poy_ctx_clear(p->ctx);
    f->low = fmax(fmin(a, b), fmin(from, to));
    f->high = fmin(fmax(a, b), fmax(from, to));
    return POY_OK;
}

static poy_status open_guide(poyi_plot *p, guide *f)
{
    poy_recipe *r = poyi_result_recipe(p->ctx, p->result);
    double band_low = 0, band_high = 0;
    POYI_TRY(p->ctx, poyi_settings_create(p->ctx, r, &f->settings));
    f->z = isnan(p->o.at) ? poyi_settings_place(&f->settings) : p->o.at;
    POYI_TRY(p->ctx, poy_problem_describe(p->ctx, f->settings.problem, &f->settings.pulses[0], f->z, &f->numbers));
    f->omega = 2 * POYI_PI * POYI_C / f->settings.pulses[0].wavelength;
    poyi_grid_band(f->settings.grid, &band_low, &band_high);
    POYI_TRY(p->ctx, find_axis(p, f, band_low, band_high));
    return POY_OK;
}

static double omega_at(const poyi_plot *p, const guide *f, int64_t i)
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

static poyi_panel *add_panel(poyi_plot *p, const guide *f, const char *title, const char *y, double **px, double **py)
{
    poyi_panel *panel = poyi_figure_panel(p->figure, title, poyi_axis_label(p), y);
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

/* The dispersion of a hollow guide runs away at the ends of its band, which would hide the middle. */
static void focus(poyi_panel *panel, const guide *f)
{
    const poyi_line *line = &panel->lines[0];
    double most = 0;
    for (int64_t i = line->n / 8; i < line->n - line->n / 8; i++)
        most = fmax(most, fabs(line->y[i]));
    panel->y_low = f->settings.guide ? -1.2 * most : (double)NAN;
    panel->y_high = -panel->y_low;
}

/* beta_k, in SI, at the points of the axis; NaN where the guide has no index. */
static void sample_beta(poyi_plot *p, const guide *f, int order, double *out)
{
    double beta[POY_BETAS];
    for (int64_t i = 0; out && i < POINTS; i++) {
        const poy_status status = poyi_problem_beta(p->ctx, f->settings.problem, f->z, omega_at(p, f, i), order, beta);
        out[i] = status == POY_OK ? beta[order] : (double)NAN;
        poy_ctx_clear(p->ctx);
    }
}

/* The title with the place, in a guide that changes. */
static const char *title_of(poyi_plot *p, const guide *f, const char *text)
{
    if (!f->settings.guide || !poy_guide_varies(f->settings.guide))
        return text;
    const char *title = poyi_arena_format(&p->figure->arena, "%s at z = %s", text, poyi_plot_length(p, f->z));
    return title ? title : text;
}

static void draw_dispersion(poyi_plot *p, const guide *f)
{
    double *x, *y, *bx, *by;
    const double si = f->settings.guide ? 1e30 : 1e27;
    const char *unit = f->settings.guide ? "beta_2 (fs2/m)" : "beta_2 (ps2/km)";
    poyi_panel *beta = add_panel(p, f, title_of(p, f, "group-velocity dispersion"), unit, &bx, &by);
    sample_beta(p, f, 2, by);
    poyi_panel *parameter = add_panel(p, f, "dispersion parameter", "D (ps/(nm km))", &x, &y);
    for (int64_t i = 0; y && by && i < POINTS; i++) {
        double omega = omega_at(p, f, i);
        y[i] = -1e6 * omega * omega / (2 * POYI_PI * POYI_C) * by[i];
        by[i] *= si;
    }
    poyi_panel_line(beta, "", bx, by, POINTS);
    poyi_panel_line(parameter, "", x, y, POINTS);
    focus(beta, f);
    focus(parameter, f);
    add_zero(p, beta);
    add_zero(p, parameter);
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < f->numbers.n_zdw; i++)
            mark(p, &p->figure->panels[k], 2 * POYI_PI * POYI_C / f->numbers.zdw[i], "zero");
        mark(p, &p->figure->panels[k], f->omega, "pulse");
    }
}

poy_status poyi_plot_dispersion(poyi_plot *p)
{
    guide f = {0};
    poy_status status = open_guide(p, &f);
    if (status == POY_OK)
        draw_dispersion(p, &f);
    poyi_settings_fini(&f.settings);
    return status;
}

/* Of the soliton: the strongest one that the pulse breaks into; where it breaks into none, its own peak power. */
static double soliton_power(const guide *f)
{
    return f->numbers.soliton_power > 0 ? f->numbers.soliton_power : f->numbers.peak_power;
}

/* beta(omega) - beta(omega_s) - beta_1(omega_s) (omega - omega_s) - (gamma P / 2) omega / omega_s, in 1/m: where it vanishes,
 * a soliton at the pulse's frequency feeds a dispersive wave (poy_guide_soliton_waves). */
static poy_status sample_mismatch(poyi_plot *p, const guide *f, double *out)
{
    const double self = f->numbers.gamma * soliton_power(f) / 2;
    double pulse[2];
    POYI_TRY(p->ctx, poyi_problem_beta(p->ctx, f->settings.problem, f->z, f->omega, 1, pulse));
    sample_beta(p, f, 0, out);
    for (int64_t i = 0; out && i < POINTS; i++)
        out[i] -= pulse[0] + pulse[1] * (omega_at(p, f, i) - f->omega) + self * omega_at(p, f, i) / f->omega;
    return POY_OK;
}

static double clip(double x, double most)
{
    return isnan(x) ? x : fmax(-most, fmin(most, x));
}

static poy_status draw_mismatch(poyi_plot *p, const guide *f)
{
    double *x, *y, last = 0, most = 0;
    const double si = f->settings.guide ? 1 : 1e-3;
    char power[32];
    poy_quantity_format(soliton_power(f), POY_DIM_POWER, 3, sizeof power, power);
    const char *against =
        poyi_arena_format(&p->figure->arena, "phase mismatch of dispersive waves to a soliton of %s", power);
    poyi_panel *panel = add_panel(p, f, title_of(p, f, against ? against : ""),
                                  f->settings.guide ? "phase mismatch (1/m)" : "phase mismatch (1/mm)", &x, &y);
    POYI_TRY(p->ctx, sample_mismatch(p, f, y));
    for (int64_t i = 0; y && i < POINTS; i++) {
        const double omega = omega_at(p, f, i);
        y[i] *= si;
        if (fabs(omega - f->omega) < 0.35 * f->omega)
            most = fmax(most, fabs(y[i]));
        if (i && last * y[i] < 0) /* between the points, as on a straight line */
            mark(p, panel, omega + (omega_at(p, f, i - 1) - omega) * y[i] / (y[i] - last), "dispersive wave");
        last = isnan(y[i]) ? last : y[i];
    }
    for (int64_t i = 0; y && i < POINTS; i++)
        y[i] = clip(y[i], 1.5 * most); /* the ends would hide the middle */
    panel->y_low = -most;
    panel->y_high = most;
    poyi_panel_line(panel, "", x, y, POINTS);
    add_zero(p, panel);
    mark(p, panel, f->omega, "pulse");
    return POY_OK;
}

poy_status poyi_plot_phase_matching(poyi_plot *p)
{
    guide f = {0};
    poy_status status = open_guide(p, &f);
    if (status == POY_OK)
        status = draw_mismatch(p, &f);
    poyi_settings_fini(&f.settings);
    return status;
}
