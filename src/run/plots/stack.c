/* stack.c: pictures of stacks and arrays: shares of power, diffraction orders, dichroism, Bloch waves. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "core/remedy.h"
#include "run/plots/plot.h"

static poy_status no_memory(poyi_plot *p)
{
    return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
}

/* Of pairs theta, phi with theta the slowest and the polarisation the fastest: how many thetas there are that rise or fall all the
 * way, each *step lights behind the one before. 0: they do not. */
static int64_t count_thetas(const double *angles, int64_t lights, int64_t *step)
{
    int64_t k = 1;
    while (k < lights && angles[2 * k] == angles[0])
        k++;
    if (k == lights || lights % k)
        return 0;
    for (int64_t i = k; i < lights; i += k) {
        const int on =
            angles[2 * k] > angles[0] ? angles[2 * i] > angles[2 * (i - k)] : angles[2 * i] < angles[2 * (i - k)];
        if (!on || angles[2 * i + 1] != angles[1])
            return 0;
    }
    *step = k;
    return lights / k;
}

int64_t poyi_plot_thetas(poy_ctx *ctx, poy_result *result, int64_t *step, double **out)
{
    poy_dataset d;
    double *angles = NULL;
    int64_t n = 0;
    if (poy_result_find(ctx, result, "sweep/k0", &d) == POY_OK && d.extent[0] == 1 &&
        poy_result_find(ctx, result, "illumination/angles", &d) == POY_OK && d.extent[0] > 1)
        angles = malloc((size_t)d.extent[0] * 2 * sizeof *angles);
    if (angles && poy_result_read(ctx, result, "illumination/angles", 0, d.extent[0], angles) == POY_OK)
        n = count_thetas(angles, d.extent[0], step);
    poy_ctx_clear(ctx);
    if (!n || !out) {
        free(angles);
        return n;
    }
    for (int64_t i = 0; i < n; i++)
        angles[i] = angles[2 * i * *step] * 180 / POYI_PI;
    *out = angles;
    return n;
}

static const char *caption(poyi_plot *p, const char *key)
{
    return poyi_plot_caption(p, key, NULL, 1).label;
}

/* The sweep on the axis of the picture, or the angles of one wavelength, and a panel over it. */
static poy_status open_panel(poyi_plot *p, const char *title, const char *key, double **x, int64_t *n, poyi_panel **out)
{
    poy_dataset d;
    double *angles = NULL;
    int64_t step;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "sweep/k0", 0, -1, &d, x));
    *n = d.extent[0];
    for (int64_t i = 0; i < *n; i++)
        (*x)[i] = poyi_axis_value(p->axis, (*x)[i] * POYI_C);
    const int64_t thetas = poyi_plot_thetas(p->ctx, p->result, &step, &angles);
    if (thetas) {
        *n = thetas;
        *x = poyi_figure_numbers(p->figure, thetas);
        if (*x)
            memcpy(*x, angles, (size_t)thetas * sizeof **x);
        free(angles);
        if (!*x)
            return no_memory(p);
    }
    *out = poyi_figure_panel(
        p->figure, title, thetas ? poyi_plot_caption(p, "theta", NULL, 1).label : poyi_axis_label(p), caption(p, key));
    (*out)->x_low = fmin((*x)[0], (*x)[*n - 1]);
    (*out)->x_high = fmax((*x)[0], (*x)[*n - 1]);
    if (!thetas && !isnan(p->o.low) && !isnan(p->o.high)) {
        const double a = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.low);
        const double b = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.high);
        (*out)->x_low = fmin(a, b);
        (*out)->x_high = fmax(a, b);
    }
    return POY_OK;
}

/* n points of the axis: rows, of the first light; or lights of one row, those of the first phi and polarisation. */
static poy_status read_points(poyi_plot *p, const char *path, int64_t n, poy_dataset *d, double **out)
{
    int64_t step, width = 1;
    if (!poyi_plot_thetas(p->ctx, p->result, &step, NULL))
        return poyi_plot_lit(p, path, 0, n, d, out);
    POYI_TRY(p->ctx, poyi_plot_rows(p, path, 0, 1, d, out));
    for (int i = 0; i + 1 < d->rank; i++) {
        d->extent[i] = d->extent[i + 1];
        width *= i ? d->extent[i] : 1;
    }
    d->rank--;
    d->extent[0] = n;
    for (int64_t i = 1; i < n; i++)
        memmove(*out + i * width, *out + i * step * width, (size_t)width * sizeof **out);
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

/* ---- transmission ---- */

poy_status poyi_plot_transmission(poyi_plot *p)
{
    static const char *const paths[] = {"transmission/T", "transmission/R", "transmission/A"};
    static const char *const keys[] = {"share_T", "share_R", "share_A"};
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
        POYI_TRY(p->ctx, read_points(p, paths[i], n, &d, &all));
        y = column(p, all, n, 2, 0);
        if (!y)
            return no_memory(p);
        for (int64_t k = 0; k < n; k++)
            sum[k] += y[k];
        poyi_panel_line(panel, caption(p, keys[i]), x, y, n);
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
    POYI_TRY(p->ctx, read_points(p, path, n, &d, &all));
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
        POYI_TRY(p->ctx, open_panel(p, titles[i], i ? "reflected_order" : "transmitted_order", &x, &n, &panel));
        POYI_TRY(p->ctx, add_orders(p, panel, paths[i], x, n));
    }
    return POY_OK;
}

/* ---- circular dichroism ---- */

poy_status poyi_plot_cd(poyi_plot *p)
{
    static const char *const paths[] = {"cd/transmission", "cd/outgoing", "cd/absorption"};
    static const char *const keys[] = {"cd_transmission", "cd_outgoing", "cd_absorption"};
    double *x;
    int64_t n;
    poyi_panel *panel;
    POYI_TRY(p->ctx, open_panel(p, "circular dichroism", "dichroism", &x, &n, &panel));
    for (int i = 0; i < 3; i++) {
        poy_dataset d;
        double *y;
        int known = 0;
        POYI_TRY(p->ctx, read_points(p, paths[i], n, &d, &y));
        for (int64_t k = 0; k < n; k++)
            known |= isfinite(y[k]);
        if (known)
            poyi_panel_line(panel, caption(p, keys[i]), x, y, n);
    }
    return POY_OK;
}

/* ---- bands ---- */

/* Does the file hold Bloch vectors of a path? */
static int has_path(poyi_plot *p)
{
    poy_dataset d;
    const int found = poy_result_find(p->ctx, p->result, "bands/resonance", &d) == POY_OK;
    poy_ctx_clear(p->ctx);
    return found;
}

/* Over the path of Bloch vectors and the energy how near the lattice is to carrying a wave by itself; rows of equal steps in energy,
 * each the nearest that was computed. */
static poy_status fill_map(poyi_plot *p, poyi_panel *panel, const double *energy, int64_t n, const double *all,
                           int64_t width)
{
    double *image = poyi_figure_numbers(p->figure, n * width);
    double low = (double)INFINITY, high = 0;
    if (!image)
        return no_memory(p);
    for (int64_t row = 0; row < n; row++) {
        const double at = panel->y_low + (panel->y_high - panel->y_low) * (n > 1 ? (double)row / (double)(n - 1) : 0);
        int64_t nearest = 0;
        for (int64_t i = 1; i < n; i++)
            nearest = fabs(energy[i] - at) < fabs(energy[nearest] - at) ? i : nearest;
        for (int64_t k = 0; k < width; k++) {
            const double v = all[nearest * width + k];
            image[row * width + k] = log10(v < 1e-12 ? 1e-12 : v); /* NaN: on a threshold */
            low = fmin(low, image[row * width + k]);
            high = fmax(high, image[row * width + k]);
        }
    }
    panel->image = image;
    panel->nx = width;
    panel->ny = n;
    panel->z_label = caption(p, "resonance");
    panel->z_low = isfinite(low) ? low : -1; /* all on thresholds */
    panel->z_high = high > panel->z_low ? high : panel->z_low + 1;
    return POY_OK;
}

/* The light line of vacuum, |k| = omega / c, and the corners of the path. */
static poy_status add_guides(poyi_plot *p, poyi_panel *panel, const double *way, int64_t width)
{
    poy_dataset d;
    double *path, *corners;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "bands/path", 0, -1, &d, &path));
    POYI_TRY(p->ctx, poyi_plot_rows(p, "bands/corners", 0, -1, &d, &corners));
    const int64_t inner = d.extent[0] > 2 ? d.extent[0] - 2 : 0;
    double *x = poyi_figure_numbers(p->figure, width + 1), *y = poyi_figure_numbers(p->figure, width + 1);
    double *cx = poyi_figure_numbers(p->figure, 3 * inner + 1), *cy = poyi_figure_numbers(p->figure, 3 * inner + 1);
    if (!x || !y || !cx || !cy)
        return no_memory(p);
    for (int64_t i = 0; i < width; i++) {
        const double k = hypot(hypot(path[3 * i], path[3 * i + 1]), path[3 * i + 2]);
        x[i] = way[i] * 1e-6;
        y[i] = poyi_axis_value(POYI_AXIS_PHOTON_ENERGY, k * POYI_C);
        if (!(y[i] >= panel->y_low && y[i] <= panel->y_high))
            y[i] = (double)NAN;
    }
    poyi_panel_line(panel, "light line of vacuum", x, y, width);
    panel->lines[panel->n_lines - 1].outline = 1;
    for (int64_t i = 0; i < inner; i++) {
        cx[3 * i] = cx[3 * i + 1] = corners[i + 1] * 1e-6;
        cy[3 * i] = panel->y_low;
        cy[3 * i + 1] = panel->y_high;
        cx[3 * i + 2] = cy[3 * i + 2] = (double)NAN;
    }
    if (inner) {
        poyi_panel_line(panel, "", cx, cy, 3 * inner);
        panel->lines[panel->n_lines - 1].hatch = 1;
    }
    return POY_OK;
}

static poy_status plot_map(poyi_plot *p)
{
    poy_dataset d;
    char advice[64];
    double *k0, *way, *all;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "sweep/k0", 0, -1, &d, &k0));
    const int64_t n = d.extent[0];
    POYI_TRY(p->ctx, poyi_plot_rows(p, "bands/way", 0, -1, &d, &way));
    const int64_t width = d.extent[0];
    POYI_TRY(p->ctx, poyi_plot_rows(p, "bands/resonance", 0, n, &d, &all));
    if (n < 2 || width < 2 || d.extent[1] != width)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT,
                         "%s: bands are drawn over two wavelengths and two Bloch vectors at least: %s", p->result->path,
                         poyi_remedy(p->ctx, POYI_REMEDY_TABLE, NULL, sizeof advice, advice));
    poyi_panel *panel = poyi_figure_panel(p->figure, "waves that the lattice carries by itself: dark",
                                          caption(p, "bloch_path"), caption(p, "photon_energy"));
    for (int64_t i = 0; i < n; i++)
        k0[i] = poyi_axis_value(POYI_AXIS_PHOTON_ENERGY, k0[i] * POYI_C);
    panel->x_low = way[0] * 1e-6;
    panel->x_high = way[width - 1] * 1e-6;
    panel->y_low = fmin(k0[0], k0[n - 1]);
    panel->y_high = fmax(k0[0], k0[n - 1]);
    POYI_TRY(p->ctx, fill_map(p, panel, k0, n, all, width));
    return add_guides(p, panel, way, width);
}

/* Waves that propagate, |Im kz| below a thousandth of the zone, as points, with the light line of vacuum. */
static poy_status plot_stack_bands(poyi_plot *p)
{
    poy_dataset d, sweep;
    double *all, *k0;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "sweep/k0", 0, -1, &sweep, &k0));
    POYI_TRY(p->ctx, poyi_plot_lit(p, "bands/kz", 0, -1, &d, &all));
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
    poyi_panel *panel = poyi_figure_panel(p->figure, "Bloch waves along the normal", caption(p, "bloch_kz"),
                                          caption(p, "photon_energy"));
    poyi_panel_line(panel, "propagating waves", x, y, count);
    panel->lines[panel->n_lines - 1].points = 1;
    poyi_panel_line(panel, "light line of vacuum", light, light + n + 1, n);
    panel->lines[panel->n_lines - 1].guide = 1;
    panel->x_low = 0;
    panel->x_high = edge * 1e-6 * 1.02;
    return POY_OK;
}

poy_status poyi_plot_bands(poyi_plot *p)
{
    return has_path(p) ? plot_map(p) : plot_stack_bands(p);
}
