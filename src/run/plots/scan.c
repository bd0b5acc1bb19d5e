/* scan.c: pictures of collected scans: a quantity over two axes in false colours, or as lines; an ensemble's mean spectrum
 * with its spread, and its coherence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/plots/plot.h"

enum { AXES_MAX = 5, PIXELS = 240, POINTS = 320, CELLS_MAX = 4 };

/* ---- axes ---- */

typedef struct scan_axis {
    const char *key, *label;
    int64_t n;
    const double *values; /* in the unit of its label; 1, 2, 3 ... where they are words */
    poyi_caption caption;
} scan_axis;

typedef struct scan_data {
    scan_axis axes[AXES_MAX];
    int n_axes;
    int64_t points;
} scan_data;

/* "fwhm" of "pulse.0.fwhm": for legends. */
static const char *short_name(const char *key)
{
    const char *dot = strrchr(key, '.');
    return dot ? dot + 1 : key;
}

/* The names of a dataset's axes are in its attribute dims; those of the scan come first, and are the extents of status. */
static const char *dims_of(poyi_plot *p, const char *path)
{
    hid_t set = H5Dopen2(p->result->file, path, H5P_DEFAULT);
    const char *dims = set < 0 ? NULL : poyi_h5_read_attribute(set, "dims", &p->figure->arena);
    if (set >= 0)
        H5Dclose(set);
    return dims ? dims : "";
}

/* CSV keeps names and SI. */
static poyi_caption caption_of(poyi_plot *p, const char *key, const double *values, int64_t n, const char *units)
{
    if (!p->raw)
        return poyi_plot_caption(p, key, units, poyi_plot_largest(values, n));
    const char *own = poyi_arena_copy(&p->figure->arena, units, strlen(units));
    const char *unit = own && strcmp(own, "1") != 0 ? own : "";
    return (poyi_caption){1, key, unit, poyi_plot_label(p, key, unit)};
}

static poy_status read_axis(poyi_plot *p, const char *key, int64_t n, scan_axis *out)
{
    char path[300];
    poy_dataset d;
    double *values = poyi_figure_numbers(p->figure, n);
    if (!values)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    snprintf(path, sizeof path, "scan/axes/%s", key);
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, path, &d));
    *out = (scan_axis){.key = key, .n = n, .values = values, .caption = {1, key, "", key}};
    if (d.is_text || d.rank != 1 || d.extent[0] != n) {
        for (int64_t i = 0; i < n; i++)
            values[i] = (double)i + 1;
        out->label = poyi_arena_format(&p->figure->arena, "%s, number", key);
        return POY_OK;
    }
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, path, 0, n, values));
    out->caption = caption_of(p, key, values, n, d.units);
    for (int64_t i = 0; i < n; i++)
        values[i] *= out->caption.factor;
    out->label = out->caption.label;
    return POY_OK;
}

/* The first n_axes names of dims, with their values. */
static poy_status read_axes(poyi_plot *p, const char *path, int n_axes, const int64_t *extent, scan_data *out)
{
    const char *at = dims_of(p, path);
    *out = (scan_data){.points = 1};
    for (int a = 0; a < n_axes && a < AXES_MAX; a++) {
        const size_t n = strcspn(at, " ");
        const char *key = poyi_arena_copy(&p->figure->arena, at, n);
        if (!n || !key)
            return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: %s does not name its axes", p->result->path, path);
        POYI_TRY(p->ctx, read_axis(p, key, extent[a], &out->axes[out->n_axes++]));
        out->points *= extent[a];
        at += n + (at[n] == ' ');
    }
    return POY_OK;
}

/* ---- a number for each point ---- */

/* One number of each point, or rows of which the last counts. */
static int is_value(const poy_dataset *d, int axes)
{
    static const char *const others[] = {"scan/status", "scan/members", "scan/axes/", "scan/omega"};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (!strncmp(d->path, others[i], strlen(others[i])))
            return 0;
    return !strncmp(d->path, "scan/", 5) && !d->is_complex && !d->is_text && !strstr(d->path, "valid_length") &&
           strcmp(d->path, "scan/stats/z") != 0 && (d->rank == axes || d->rank == axes + 1);
}

/* final_NAME is the last row of statistic NAME, too, where that was collected. */
static int is_chosen(const poyi_plot *p, const poy_dataset *d)
{
    char name[128];
    snprintf(name, sizeof name, "%s", p->o.quantity ? p->o.quantity : "");
    for (char *c = strchr(name, '.'); c; c = strchr(c, '.'))
        *c = '/';
    const char *stat = strncmp(d->path, "scan/stats/", 11) != 0 ? NULL : d->path + 11;
    const char *at_end = strncmp(name, "final_", 6) != 0 ? name : name + 6;
    return !*name || !strcmp(d->path + 5, name) || (stat && (!strcmp(stat, name) || !strcmp(stat, at_end)));
}

/* The quantity that is asked for; else the first with one number for each point, else the first whose last row counts. */
static poy_status find_value(poyi_plot *p, int axes, poy_dataset *out)
{
    poy_dataset d;
    poyi_text known = {0};
    int found = 0;
    for (int i = 0; poy_result_dataset_at(p->result, i, &d); i++) {
        if (!is_value(&d, axes))
            continue;
        poyi_text_add(&known, "%s%s", known.length ? ", " : "", d.path + 5);
        if (is_chosen(p, &d) && (!found || (d.rank == axes && out->rank != axes))) {
            *out = d;
            found = 1;
        }
    }
    poy_status status =
        found
            ? POY_OK
            : POYI_FAIL(p->ctx, POY_ERR_ARGUMENT,
                        "%s: has no quantity '%s' with a number for each point: it has %s; others have to be named in "
                        "[scan] collect: then poynting scan RECIPE --collect",
                        p->result->path, p->o.quantity ? p->o.quantity : "", known.text ? known.text : "none");
    poyi_text_fini(&known);
    return status;
}

/* Do rows of it that are NaN belong to no point? */
static int is_ragged(poyi_plot *p, const char *path)
{
    char beside[192];
    poy_dataset d;
    snprintf(beside, sizeof beside, "%.*s/valid_length", (int)(strrchr(path, '/') - path), path);
    const int found = poy_result_find(p->ctx, p->result, beside, &d) == POY_OK;
    poy_ctx_clear(p->ctx);
    return found;
}

static poy_status read_values(poyi_plot *p, scan_data *s, const double **values, const char **label)
{
    poy_dataset status, d;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "scan/status", &status));
    POYI_TRY(p->ctx, read_axes(p, "scan/status", status.rank, status.extent, s));
    POYI_TRY(p->ctx, find_value(p, status.rank, &d));
    const int64_t rows = d.rank > status.rank ? d.extent[status.rank] : 1;
    const int ragged = rows > 1 && is_ragged(p, d.path);
    double *all = poyi_figure_numbers(p->figure, s->points * rows), *out = poyi_figure_numbers(p->figure, s->points);
    if (!all || !out)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, d.path, 0, d.extent[0], all));
    for (int64_t i = 0; i < s->points; i++) {
        int64_t last = rows - 1;
        while (ragged && last > 0 && isnan(all[i * rows + last]))
            last--;
        out[i] = all[i * rows + last];
    }
    const char *name = strrchr(d.path, '/') + 1;
    const char *what = rows > 1 ? poyi_arena_format(&p->figure->arena, "%s at the end", name)
                                : poyi_arena_copy(&p->figure->arena, name, strlen(name));
    const poyi_caption own = caption_of(p, what ? what : "", out, s->points, d.units);
    for (int64_t i = 0; i < s->points; i++)
        out[i] *= own.factor;
    *values = out;
    *label = own.label;
    return POY_OK;
}

/* The axes with more than one value, slowest first; of the others the only value counts. */
static int wide_axes(const scan_data *s, int list[AXES_MAX], int64_t stride[AXES_MAX])
{
    int n = 0;
    int64_t step = s->points;
    for (int a = 0; a < s->n_axes; a++) {
        step /= s->axes[a].n;
        if (s->axes[a].n < 2)
            continue;
        list[n] = a;
        stride[n++] = step;
    }
    return n;
}

/* ---- map ---- */

static int64_t nearest(const scan_axis *a, double value)
{
    int64_t best = 0;
    for (int64_t i = 1; i < a->n; i++)
        best = fabs(a->values[i] - value) < fabs(a->values[best] - value) ? i : best;
    return best;
}

static void ends(const scan_axis *a, double *low, double *high)
{
    *low = *high = a->values[0];
    for (int64_t i = 1; i < a->n; i++) {
        *low = fmin(*low, a->values[i]);
        *high = fmax(*high, a->values[i]);
    }
}

/* The ends, and half a cell more. */
static void cells(const scan_axis *a, double *low, double *high)
{
    ends(a, low, high);
    const double from = *low, to = *high;
    double below = to - from, above = to - from;
    for (int64_t i = 0; i < a->n; i++) {
        below = a->values[i] > from ? fmin(below, a->values[i] - from) : below;
        above = a->values[i] < to ? fmin(above, to - a->values[i]) : above;
    }
    *low = from - below / 2;
    *high = to + above / 2;
}

/* The colours of values from low to high: what differs by rounding alone has one colour, in the middle of a range that can be told
 * from nothing in the few digits of a picture. */
static void colours(double low, double high, poyi_panel *panel)
{
    static const double told = 1e-5;
    const double size = fmax(fabs(low), fabs(high)), middle = (low + high) / 2;
    const int is_flat = !(high - low > told * size);
    const double half = size > 0 ? told * size : 0.5;
    panel->z_low = low > high ? 0 : is_flat ? middle - half : low;
    panel->z_high = low > high ? 1 : is_flat ? middle + half : high;
}

/* Pixels take the value of the nearest point: values need not be equally far apart, and nothing is made up between them. */
poy_status poyi_plot_map(poyi_plot *p)
{
    scan_data s;
    const double *values;
    const char *label;
    int wide[AXES_MAX];
    int64_t stride[AXES_MAX];
    POYI_TRY(p->ctx, read_values(p, &s, &values, &label));
    if (wide_axes(&s, wide, stride) < 2)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: a map needs two axes: draw lines", p->result->path);
    const scan_axis *y = &s.axes[wide[0]], *x = &s.axes[wide[1]];
    double *image = poyi_figure_numbers(p->figure, (int64_t)PIXELS * PIXELS);
    double low = INFINITY, high = -INFINITY;
    if (!image)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    poyi_panel *panel = poyi_figure_panel(p->figure, "", x->label, y->label);
    cells(x, &panel->x_low, &panel->x_high);
    cells(y, &panel->y_low, &panel->y_high);
    for (int64_t j = 0; j < PIXELS; j++)
        for (int64_t i = 0; i < PIXELS; i++) {
            const double u = panel->x_low + (panel->x_high - panel->x_low) * (double)i / (PIXELS - 1);
            const double v = panel->y_low + (panel->y_high - panel->y_low) * (double)j / (PIXELS - 1);
            const double value = values[nearest(y, v) * stride[0] + nearest(x, u) * stride[1]];
            image[j * PIXELS + i] = value;
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
    panel->image = image;
    panel->nx = panel->ny = PIXELS;
    panel->z_label = label;
    colours(low, high, panel);
    return POY_OK;
}

/* ---- lines ---- */

poy_status poyi_plot_scan_lines(poyi_plot *p)
{
    scan_data s;
    const double *values;
    const char *label;
    int wide[AXES_MAX];
    int64_t stride[AXES_MAX];
    POYI_TRY(p->ctx, read_values(p, &s, &values, &label));
    const int n = wide_axes(&s, wide, stride);
    if (!n)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: has one point, a line needs two", p->result->path);
    const scan_axis *x = &s.axes[wide[n - 1]], *each = n > 1 ? &s.axes[wide[n - 2]] : NULL;
    poyi_panel *panel = poyi_figure_panel(p->figure, "", x->label, label);
    ends(x, &panel->x_low, &panel->x_high);
    for (int64_t k = 0; k < (each ? each->n : 1) && k < POYI_LINES_MAX; k++) {
        double *y = poyi_figure_numbers(p->figure, x->n);
        if (!y)
            return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
        for (int64_t i = 0; i < x->n; i++)
            y[i] = values[i * stride[n - 1] + (each ? k * stride[n - 2] : 0)];
        const char *title = each ? poyi_arena_format(&p->figure->arena, "%s = %.4g %s", short_name(each->key),
                                                     each->values[k], each->caption.unit)
                                 : "";
        poyi_panel_line(panel, title ? title : "", x->values, y, x->n);
    }
    return POY_OK;
}

/* ---- coherence ---- */

typedef struct curves {
    double *x, *mean, *low, *high, *g12;
    int64_t n;
} curves;

/* Means of a pixel: of the bins in it, of the nearest one where there is none. */
static void pixel(const poyi_plot *p, double x, double step, const double *rows[3], double out[3])
{
    const double a = (poyi_axis_omega(p->axis, x - step / 2) - p->omega[0]) / p->domega;
    const double b = (poyi_axis_omega(p->axis, x + step / 2) - p->omega[0]) / p->domega;
    int64_t first = (int64_t)ceil(fmin(a, b)), last = (int64_t)floor(fmax(a, b));
    if (last < first)
        first = last = (int64_t)nearbyint((a + b) / 2);
    first = first < 0 ? 0 : first > p->n - 1 ? p->n - 1 : first;
    last = last < first ? first : last > p->n - 1 ? p->n - 1 : last;
    for (int k = 0; k < 3; k++) {
        out[k] = 0;
        for (int64_t i = first; i <= last; i++)
            out[k] += rows[k][i] / (double)(last - first + 1);
    }
}

/* One cell's curves on the shown range; mean and spread in dB below the largest mean. */
static int fill_curves(poyi_plot *p, const poyi_panel *panel, const double *rows[3], curves *c)
{
    double *memory = poyi_figure_numbers(p->figure, (int64_t)5 * POINTS), largest = 0;
    const double floor_db = p->o.db - 10, step = (panel->x_high - panel->x_low) / (POINTS - 1);
    if (!memory)
        return 0;
    double *part[5];
    for (size_t k = 0; k < 5; k++)
        part[k] = memory + k * POINTS;
    *c = (curves){part[0], part[1], part[2], part[3], part[4], POINTS};
    for (int64_t i = 0; i < POINTS; i++) {
        double values[3];
        c->x[i] = panel->x_low + step * (double)i;
        pixel(p, c->x[i], step, rows, values);
        const double weight = poyi_axis_jacobian(p->axis, poyi_axis_omega(p->axis, c->x[i]));
        c->mean[i] = values[0] * weight;
        c->low[i] = (values[0] - values[1]) * weight;
        c->high[i] = (values[0] + values[1]) * weight;
        c->g12[i] = values[2];
        largest = fmax(largest, c->mean[i]);
    }
    for (int64_t i = 0; i < POINTS; i++) {
        c->mean[i] = poyi_db(c->mean[i], largest, floor_db);
        c->low[i] = poyi_db(c->low[i], largest, floor_db);
        c->high[i] = poyi_db(c->high[i], largest, floor_db);
        c->g12[i] = c->mean[i] >= p->o.db ? c->g12[i] : (double)NAN; /* of noise alone it means nothing */
    }
    return 1;
}

static poy_status read_all(poyi_plot *p, const char *path, double **out, poy_dataset *d, int64_t *n)
{
    *n = 1;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, path, d));
    for (int k = 0; k < d->rank; k++)
        *n *= d->extent[k];
    if (d->is_complex || d->is_text)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: %s holds no plain numbers", p->result->path, path);
    *out = poyi_figure_numbers(p->figure, *n);
    if (!*out)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, path, 0, d->extent[0], *out));
    return POY_OK;
}

/* "fwhm = 50 fs" of cell k. */
static const char *cell_title(poyi_plot *p, const scan_data *s, int64_t k)
{
    const char *text = "";
    for (int a = s->n_axes; a-- > 0 && text; k /= s->axes[a].n) {
        const scan_axis *x = &s->axes[a];
        text = poyi_arena_format(&p->figure->arena, "%s = %.4g %s%s%s", short_name(x->key), x->values[k % x->n],
                                 x->caption.unit, *text ? ", " : "", text);
    }
    return text ? text : "";
}

/* The range in which any of the means has light, on all panels. */
static poy_status common_range(poyi_plot *p, const double *mean, int64_t n_cells, int64_t stride, double *low,
                               double *high)
{
    POYI_TRY(p->ctx, poyi_alloc(p->ctx, "plot.density", (size_t)(n_cells * p->n) * sizeof *mean, (void **)&p->density));
    for (int64_t k = 0; k < n_cells; k++) {
        double largest = 0;
        for (int64_t i = 0; i < p->n; i++)
            largest = fmax(largest, mean[k * stride + i]);
        for (int64_t i = 0; i < p->n; i++)
            p->density[k * p->n + i] = largest > 0 ? mean[k * stride + i] / largest : 0;
    }
    p->n_z = n_cells;
    poyi_plot_spectral_range(p, low, high);
    return POY_OK;
}

/* Above: mean with its spread; below: |g12|; a column for each of the first cells. Of several modes the first is shown. */
poy_status poyi_plot_coherence(poyi_plot *p)
{
    double *mean, *std, *g12, low, high;
    poy_dataset d;
    scan_data s;
    curves c[CELLS_MAX] = {{0}};
    int64_t n[3];
    POYI_TRY(p->ctx, read_all(p, "scan/spectrum_std", &std, &d, &n[0]));
    POYI_TRY(p->ctx, read_all(p, "scan/coherence_g12", &g12, &d, &n[1]));
    POYI_TRY(p->ctx, read_all(p, "scan/spectrum_mean", &mean, &d, &n[2]));
    if (d.rank < 3 || d.extent[d.rank - 1] != p->n || n[0] != n[2] || n[1] != n[2])
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: its ensemble has not the shape of its axes", p->result->path);
    POYI_TRY(p->ctx, read_axes(p, "scan/spectrum_mean", d.rank - 3, d.extent, &s));
    const int64_t n_cells = s.points < CELLS_MAX ? s.points : CELLS_MAX;
    const int64_t stride = d.extent[d.rank - 3] * d.extent[d.rank - 2] * p->n;
    POYI_TRY(p->ctx, common_range(p, mean, n_cells, stride, &low, &high));
    p->figure->columns = (int)n_cells;
    p->figure->title = "line: mean of the runs; band: one standard deviation on either side";
    const char *const labels[] = {poyi_plot_caption(p, "mean_spectrum", NULL, 1).label,
                                  poyi_plot_caption(p, "coherence", NULL, 1).label};
    for (int64_t k = 0; k < 2 * n_cells; k++) {
        const int64_t cell = k % n_cells;
        poyi_panel *panel = poyi_figure_panel(p->figure, n_cells > 1 ? "" : "ensemble", poyi_axis_label(p),
                                              cell > 0 ? "" : labels[k >= n_cells]);
        panel->x_low = low;
        panel->x_high = high;
        if (k >= n_cells) {
            panel->y_low = 0;
            panel->y_high = 1.05;
            panel->tag = p->raw ? cell_title(p, &s, cell) : NULL;
            poyi_panel_line(panel, "", c[cell].x, c[cell].g12, c[cell].n);
            continue;
        }
        panel->y_low = p->o.db;
        panel->y_high = 8;
        const double *rows[3] = {mean + cell * stride, std + cell * stride, g12 + cell * stride};
        if (!fill_curves(p, panel, rows, &c[cell]))
            return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
        panel->tag = cell_title(p, &s, cell);
        poyi_panel_line(panel, p->raw ? "less its deviation" : "", c[cell].x, c[cell].low, c[cell].n);
        if (p->raw)
            poyi_panel_line(panel, "and its deviation", c[cell].x, c[cell].high, c[cell].n);
        else
            panel->lines[0].upper = c[cell].high; /* the spread first, under its mean */
        poyi_panel_line(panel, "", c[cell].x, c[cell].mean, c[cell].n);
    }
    return POY_OK;
}
