/* stack.c: pictures of stacks and arrays: shares of power, diffraction orders, dichroism, Bloch waves. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/plots/plot.h"

/* The sweep on the axis of the picture, and a panel over it. */
static poy_status open_panel(poyi_plot *p, const char *title, const char *label, double **x, int64_t *n,
                             poyi_panel **out)
{
    poy_dataset d;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "sweep/k0", 0, -1, &d, x));
    *n = d.extent[0];
    for (int64_t i = 0; i < *n; i++)
        (*x)[i] = poyi_axis_value(p->axis, (*x)[i] * POYI_C);
    *out = poyi_figure_panel(p->figure, title, poyi_axis_label(p->axis), label);
    (*out)->x_low = fmin((*x)[0], (*x)[*n - 1]);
    (*out)->x_high = fmax((*x)[0], (*x)[*n - 1]);
    if (!isnan(p->o.low) && !isnan(p->o.high)) {
        const double a = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.low);
        const double b = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.high);
        (*out)->x_low = fmin(a, b);
        (*out)->x_high = fmax(a, b);
    }
    return POY_OK;
}

/* Column at of rows of width numbers. */
static double *column(poyi_plot *p, const double *all, int64_t n, int64_t width, int64_t at)
{
    double *y = poyi_figure_numbers(p->figure, n + 1);
    for (int64_t i = 0; y && i < n; i++)
        y[i] = all[i * width + at];
    return y;
}

static poy_status no_memory(poyi_plot *p)
{
    return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
}

/* ---- transmission ---- */

poy_status poyi_plot_transmission(poyi_plot *p)
{
    static const char *const paths[] = {"transmission/T", "transmission/R", "transmission/A"};
    static const char *const titles[] = {"transmitted T", "reflected R", "absorbed A"};
    double *x, *sum;
    int64_t n;
    poyi_panel *panel;
    POYI_TRY(p->ctx, open_panel(p, "shares of the power", "share", &x, &n, &panel));
    sum = poyi_figure_numbers(p->figure, n + 1);
    if (!sum)
        return no_memory(p);
    memset(sum, 0, (size_t)n * sizeof *sum);
    for (int i = 0; i < 3; i++) {
        poy_dataset d;
        double *all, *y;
        POYI_TRY(p->ctx, poyi_plot_rows(p, paths[i], 0, n, &d, &all));
        y = column(p, all, n, 2, 0);
        if (!y)
            return no_memory(p);
        for (int64_t k = 0; k < n; k++)
            sum[k] += y[k];
        poyi_panel_line(panel, titles[i], x, y, n);
    }
    poyi_panel_line(panel, "T + R + A", x, sum, n);
    panel->lines[panel->n_lines - 1].guide = 1;
    panel->y_low = 0;
    panel->y_high = 1.05;
    return POY_OK;
}

/* ---- orders ---- */

/* The orders that carry more than a thousandth somewhere, the strongest first, up to a panel's lines. */
static poy_status add_orders(poyi_plot *p, poyi_panel *panel, const char *path, const double *x, int64_t n)
{
    poy_dataset d, labels;
    double *all, *order;
    POYI_TRY(p->ctx, poyi_plot_rows(p, path, 0, n, &d, &all));
    POYI_TRY(p->ctx, poyi_plot_rows(p, "transmission/orders", 0, -1, &labels, &order));
    const int64_t count = d.extent[2];
    for (int line = 0; line < POYI_LINES_MAX - 1; line++) {
        double best = 1e-3;
        int64_t at = -1;
        for (int64_t k = 0; k < count; k++) {
            double most = 0;
            for (int64_t i = 0; i < n; i++)
                most = fmax(most, all[(i * 2) * count + k]);
            if (most > best) {
                best = most;
                at = k;
            }
        }
        if (at < 0)
            break;
        double *y = column(p, all, n, 2 * count, at);
        const char *title = poyi_arena_format(&p->figure->arena, "(%.0f, %.0f)", order[2 * at], order[2 * at + 1]);
        if (!y || !title)
            return no_memory(p);
        poyi_panel_line(panel, title, x, y, n);
        for (int64_t i = 0; i < n; i++)
            all[(i * 2) * count + at] = 0; /* drawn */
    }
    panel->y_low = 0;
    return POY_OK;
}

poy_status poyi_plot_orders(poyi_plot *p)
{
    static const char *const paths[] = {"transmission/T_order", "transmission/R_order"};
    static const char *const titles[] = {"transmitted orders", "reflected orders"};
    for (int i = 0; i < 2; i++) {
        double *x;
        int64_t n;
        poyi_panel *panel;
        POYI_TRY(p->ctx, open_panel(p, titles[i], i ? "reflected share" : "transmitted share", &x, &n, &panel));
        POYI_TRY(p->ctx, add_orders(p, panel, paths[i], x, n));
    }
    return POY_OK;
}

/* ---- circular dichroism ---- */

poy_status poyi_plot_cd(poyi_plot *p)
{
    static const char *const paths[] = {"cd/transmission", "cd/outgoing", "cd/absorption"};
    static const char *const titles[] = {"over T of both", "over T + R of both", "over A of both"};
    double *x;
    int64_t n;
    poyi_panel *panel;
    POYI_TRY(p->ctx, open_panel(p, "circular dichroism", "difference over sum", &x, &n, &panel));
    for (int i = 0; i < 3; i++) {
        poy_dataset d;
        double *y;
        int known = 0;
        POYI_TRY(p->ctx, poyi_plot_rows(p, paths[i], 0, n, &d, &y));
        for (int64_t k = 0; k < n; k++)
            known |= isfinite(y[k]);
        if (known)
            poyi_panel_line(panel, titles[i], x, y, n);
    }
    return POY_OK;
}

/* ---- bands ---- */

/* Waves that propagate, |Im kz| below a thousandth of the zone, as points, with the light line of vacuum. */
poy_status poyi_plot_bands(poyi_plot *p)
{
    poy_dataset d, sweep;
    double *all, *k0;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "sweep/k0", 0, -1, &sweep, &k0));
    POYI_TRY(p->ctx, poyi_plot_rows(p, "bands/kz", 0, -1, &d, &all));
    const int64_t n = d.extent[0], waves = d.extent[1];
    double edge = 0, most = 0;
    for (int64_t i = 0; i < n * waves; i++)
        edge = fmax(edge, isfinite(all[2 * i]) ? fabs(all[2 * i]) : 0);
    double *x = poyi_figure_numbers(p->figure, n * waves + 1), *y = poyi_figure_numbers(p->figure, n * waves + 1);
    double *light = poyi_figure_numbers(p->figure, 2 * (n + 1));
    if (!x || !y || !light)
        return no_memory(p);
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++) {
        const double energy = poyi_axis_value(POYI_AXIS_PHOTON_ENERGY, k0[i] * POYI_C);
        most = fmax(most, energy);
        light[i] = k0[i] * 1e-6;
        light[n + 1 + i] = energy;
        for (int64_t w = 0; w < waves; w++)
            if (fabs(all[2 * (i * waves + w) + 1]) < 1e-3 * edge && all[2 * (i * waves + w)] >= 0) {
                x[count] = all[2 * (i * waves + w)] * 1e-6;
                y[count++] = energy;
            }
    }
    poyi_panel *panel =
        poyi_figure_panel(p->figure, "Bloch waves along the normal", "Re kz (rad/um)", "photon energy (eV)");
    poyi_panel_line(panel, "propagating waves", x, y, count);
    panel->lines[panel->n_lines - 1].points = 1;
    poyi_panel_line(panel, "light line of vacuum", light, light + n + 1, n);
    panel->lines[panel->n_lines - 1].guide = 1;
    panel->x_low = 0;
    panel->x_high = edge * 1e-6 * 1.02;
    return POY_OK;
}
