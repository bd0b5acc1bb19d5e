/* scatter.c: pictures of scattering: cross sections, near and far fields, T-matrices, convergence. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/plots/plot.h"

/* ---- reading ---- */

poy_status poyi_plot_rows(poyi_plot *p, const char *path, int64_t first, int64_t rows, poy_dataset *d, double **out)
{
    int64_t width = 1;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, path, d));
    for (int i = 1; i < d->rank; i++)
        width *= d->extent[i];
    rows = rows < 0 ? d->extent[0] : rows;
    *out = poyi_figure_numbers(p->figure, rows * width * (d->is_complex ? 2 : 1) + 1);
    if (!*out)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    return poy_result_read(p->ctx, p->result, path, first, rows, *out);
}

/* How many lights a file tells of. */
static int64_t count_lights(poyi_plot *p)
{
    poy_dataset d;
    const int found = poy_result_find(p->ctx, p->result, "illumination/angles", &d) == POY_OK;
    poy_ctx_clear(p->ctx);
    return found ? d.extent[0] : 1; /* older files have one light, and do not say so */
}

poy_status poyi_plot_lit(poyi_plot *p, const char *path, int64_t first, int64_t rows, poy_dataset *d, double **out)
{
    const int64_t lights = count_lights(p);
    int64_t width = 1;
    POYI_TRY(p->ctx, poyi_plot_rows(p, path, first, rows, d, out));
    if (lights < 2 || d->rank < 2 || d->extent[1] != lights)
        return POY_OK;
    for (int i = 1; i + 1 < d->rank; i++) {
        d->extent[i] = d->extent[i + 1];
        width *= d->extent[i];
    }
    d->rank--;
    width *= d->is_complex ? 2 : 1;
    rows = rows < 0 ? d->extent[0] : rows;
    for (int64_t i = 1; i < rows; i++)
        memmove(*out + i * width, *out + i * lights * width, (size_t)width * sizeof **out);
    return POY_OK;
}

/* The row whose wavelength is nearest to --at, else the middle one; what there is of it into *title. */
static poy_status choose_row(poyi_plot *p, const char *group, int64_t *row, const char **title)
{
    char path[96], at[48];
    poy_dataset d;
    double *k0;
    snprintf(path, sizeof path, "%s/k0", group);
    POYI_TRY(p->ctx, poyi_plot_rows(p, path, 0, -1, &d, &k0));
    *row = d.extent[0] / 2;
    for (int64_t i = 0; i < d.extent[0] && !isnan(p->o.at); i++)
        if (fabs(2 * POYI_PI / k0[i] - p->o.at) < fabs(2 * POYI_PI / k0[*row] - p->o.at))
            *row = i;
    poy_quantity_format(2 * POYI_PI / k0[*row], POY_DIM_LENGTH, 5, sizeof at, at);
    *title = poyi_arena_copy(&p->figure->arena, at, strlen(at));
    return *title ? POY_OK : POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
}

static void rescale(double *y, int64_t n, double factor)
{
    for (int64_t i = 0; i < n; i++)
        y[i] *= factor;
}

/* ---- cross sections ---- */

/* The multipoles that take more than a hundredth of the largest extinction, the largest of them. */
static poy_status add_parts(poyi_plot *p, poyi_panel *panel, const double *x, int64_t n, double least, double factor)
{
    static const char *const paths[] = {"cross_sections/extinction_electric", "cross_sections/extinction_magnetic"};
    static const char *const words[] = {"dipole", "quadrupole", "octupole"};
    for (int kind = 0; kind < 2; kind++) {
        poy_dataset d;
        double *all;
        POYI_TRY(p->ctx, poyi_plot_lit(p, paths[kind], 0, -1, &d, &all));
        for (int64_t l = 0; d.rank == 2 && l < d.extent[1] && panel->n_lines < POYI_LINES_MAX; l++) {
            double *y = poyi_figure_numbers(p->figure, n);
            for (int64_t i = 0; y && i < n; i++)
                y[i] = factor * all[i * d.extent[1] + l];
            if (!y || poyi_plot_largest(y, n) < least)
                continue;
            const char *sort = kind ? "magnetic" : "electric";
            const char *title = l < 3 ? poyi_arena_format(&p->figure->arena, "%s %s", sort, words[l])
                                      : poyi_arena_format(&p->figure->arena, "%s, degree %d", sort, (int)l + 1);
            poyi_panel_line(panel, title ? title : "", x, y, n);
            panel->lines[panel->n_lines - 1].dashed = kind;
        }
    }
    return POY_OK;
}

static int has_parts(poyi_plot *p)
{
    poy_dataset d;
    const int found = poy_result_find(p->ctx, p->result, "cross_sections/extinction_electric", &d) == POY_OK;
    poy_ctx_clear(p->ctx);
    return found;
}

poy_status poyi_plot_sections(poyi_plot *p)
{
    static const char *const names[] = {"extinction", "scattering", "absorption"};
    poy_dataset d;
    double *x, *y[3], largest = 0;
    char path[64];
    POYI_TRY(p->ctx, poyi_plot_rows(p, "sweep/k0", 0, -1, &d, &x));
    const int64_t n = d.extent[0];
    for (int64_t i = 0; i < n; i++)
        x[i] = poyi_axis_value(p->axis, x[i] * POYI_C);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "cross_sections/%s", names[i]);
        POYI_TRY(p->ctx, poyi_plot_lit(p, path, 0, n, &d, &y[i]));
        largest = fmax(largest, poyi_plot_largest(y[i], n));
    }
    const int is_area = !strcmp(d.units, "m2");
    const poyi_caption scale = poyi_plot_caption(p, is_area ? "cross_section" : "cross_width", NULL, largest);
    poyi_panel *panel = poyi_figure_panel(p->figure, "cross sections", poyi_axis_label(p), scale.label);
    panel->x_low = fmin(x[0], x[n - 1]);
    panel->x_high = fmax(x[0], x[n - 1]);
    if (!isnan(p->o.low) && !isnan(p->o.high)) {
        const double a = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.low);
        const double b = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.high);
        panel->x_low = fmin(a, b);
        panel->x_high = fmax(a, b);
    }
    for (int i = 0; i < 3; i++) {
        rescale(y[i], n, scale.factor);
        poyi_panel_line(panel, names[i], x, y[i], n);
    }
    if (!has_parts(p))
        return POY_OK;
    const char *label =
        poyi_plot_caption(p, is_area ? "extinction_part" : "extinction_part_width", NULL, largest).label;
    poyi_panel *parts = poyi_figure_panel(p->figure, "multipole parts of the extinction", poyi_axis_label(p), label);
    parts->x_low = panel->x_low;
    parts->x_high = panel->x_high;
    return add_parts(p, parts, x, n, 0.01 * largest * scale.factor, scale.factor);
}

/* ---- near field ---- */

/* Which coordinates run along rows and columns; the third is the plane's. */
static poy_status read_plane(poyi_plot *p, int *axis, double **first, double **second, int64_t *n, double *offset)
{
    static const char *const paths[] = {"near_field/x", "near_field/y", "near_field/z"};
    double *x[3];
    poy_dataset d[3];
    for (int i = 0; i < 3; i++)
        POYI_TRY(p->ctx, poyi_plot_rows(p, paths[i], 0, -1, &d[i], &x[i]));
    *axis = d[0].extent[0] == 1 ? 0 : d[1].extent[0] == 1 ? 1 : 2;
    const int a = *axis == 0 ? 1 : 0, b = *axis == 2 ? 1 : 2;
    *first = x[a];
    *second = x[b];
    *n = d[a].extent[0];
    *offset = x[*axis][0];
    if (d[b].extent[0] != *n || *n < 2)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: its near field has no square of pixels", p->result->path);
    return POY_OK;
}

/* Is the field missing in a disc: in any pixel whose middle is in it. */
static int is_missing(const double *E, int64_t n, const double *first, const double *second, const double c[2],
                      double r)
{
    for (int64_t row = 0; row < n; row++)
        for (int64_t col = 0; col < n; col++)
            if (hypot(first[col] - c[0], second[row] - c[1]) < r && isnan(E[6 * (row * n + col)]))
                return 1;
    return 0;
}

/* Slanted lines over the discs that the spheres around the particles cut out of the plane, where the field in them is not
 * known: E [n][n][3] pairs at first [n], second [n]. */
static poy_status add_hatch(poyi_plot *p, poyi_panel *panel, int axis, double offset, const double *E, int64_t n_pixels,
                            const double *first, const double *second, double factor)
{
    enum { LINES = 60 };
    poy_dataset d;
    double *centre, *radius;
    const double step = (first[n_pixels - 1] - first[0]) / LINES, half = sqrt(0.5);
    const int a = axis == 0 ? 1 : 0, b = axis == 2 ? 1 : 2;
    int64_t n = 0, room = 0;
    POYI_TRY(p->ctx, poyi_plot_rows(p, "particles/positions", 0, -1, &d, &centre));
    POYI_TRY(p->ctx, poyi_plot_rows(p, "particles/radius", 0, -1, &d, &radius));
    for (int64_t i = 0; i < d.extent[0]; i++)
        room += isnan(radius[i]) ? 0 : (int64_t)fmin(3 * (2 * radius[i] / step + 2), 1e6);
    double *x = poyi_figure_numbers(p->figure, room + 1), *y = poyi_figure_numbers(p->figure, room + 1);
    for (int64_t i = 0; x && y && i < d.extent[0]; i++) {
        const double *c = centre + 3 * i, height = offset - c[axis], square = radius[i] * radius[i] - height * height;
        const double foot[2] = {c[a], c[b]};
        if (!(square > 0) || !is_missing(E, n_pixels, first, second, foot, sqrt(square)))
            continue;
        const double r = sqrt(square), across = half * (c[a] - c[b]), along = half * (c[a] + c[b]);
        for (double t = step * ceil((across - r) / step); t < across + r && n + 3 <= room; t += step, n += 3) {
            const double chord = sqrt(fmax(square - (t - across) * (t - across), 0));
            for (int end = 0; end < 2; end++) {
                const double s = along + (end ? chord : -chord);
                x[n + end] = factor * half * (s + t);
                y[n + end] = factor * half * (s - t);
            }
            x[n + 2] = y[n + 2] = (double)NAN;
        }
    }
    if (!n)
        return POY_OK;
    poyi_panel_line(panel, "", x, y, n);
    panel->lines[panel->n_lines - 1].hatch = 1;
    return POY_OK;
}

static poy_status add_outlines(poyi_plot *p, poyi_panel *panel, double factor)
{
    poy_dataset d;
    double *both;
    if (poy_result_find(p->ctx, p->result, "near_field/outlines", &d) != POY_OK) {
        poy_ctx_clear(p->ctx);
        return POY_OK; /* the plane cuts nothing */
    }
    POYI_TRY(p->ctx, poyi_plot_rows(p, "near_field/outlines", 0, -1, &d, &both));
    double *x = poyi_figure_numbers(p->figure, d.extent[0]), *y = poyi_figure_numbers(p->figure, d.extent[0]);
    for (int64_t i = 0; x && y && i < d.extent[0]; i++) {
        x[i] = factor * both[2 * i];
        y[i] = factor * both[2 * i + 1];
    }
    poyi_panel_line(panel, "", x, y, d.extent[0]);
    panel->lines[panel->n_lines - 1].outline = 1;
    return POY_OK;
}

/* |E|^2, in decades where it spans more than two. */
static void fill_intensity(poyi_plot *p, poyi_panel *panel, const double *E, int64_t n, double *image)
{
    double low = (double)INFINITY, high = 0;
    for (int64_t i = 0; i < n; i++) {
        image[i] = 0;
        for (int64_t k = 6 * i; k < 6 * i + 6; k++)
            image[i] += E[k] * E[k];
        if (image[i] > 0) {
            low = fmin(low, image[i]);
            high = fmax(high, image[i]);
        }
    }
    const int decades = high > 100 * low && low > 0;
    for (int64_t i = 0; i < n && decades; i++)
        image[i] = log10(image[i]);
    panel->z_label = poyi_plot_caption(p, decades ? "intensity_log" : "intensity", NULL, 1).label;
    panel->z_low = decades ? log10(low) : 0;
    panel->z_high = decades ? log10(high) : high > 0 ? high : 1;
}

poy_status poyi_plot_near_field(poyi_plot *p)
{
    static const char *const keys[] = {"near_x", "near_y", "near_z"};
    int axis;
    int64_t n, row;
    poy_dataset d;
    double *first, *second, offset, *E;
    const char *at;
    POYI_TRY(p->ctx, choose_row(p, "near_field", &row, &at));
    POYI_TRY(p->ctx, read_plane(p, &axis, &first, &second, &n, &offset));
    POYI_TRY(p->ctx, poyi_plot_lit(p, "near_field/E", row, 1, &d, &E));
    if (d.extent[1] != n || d.extent[2] != n || d.extent[3] != 3)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: its near field has not the shape of its axes", p->result->path);
    const double size = fmax(poyi_plot_largest(first, n), poyi_plot_largest(second, n));
    const poyi_caption across = poyi_plot_caption(p, keys[axis == 0], NULL, size),
                       up = poyi_plot_caption(p, keys[axis == 2 ? 1 : 2], NULL, size),
                       plane = poyi_plot_caption(p, keys[axis], NULL, size);
    const double factor = across.factor;
    const char *title =
        poyi_arena_format(&p->figure->arena, "|E|² at %s, %s = %.4g %s", at, plane.name, factor * offset, plane.unit);
    poyi_panel *panel = poyi_figure_panel(p->figure, title ? title : "", across.label, up.label);
    double *image = poyi_figure_numbers(p->figure, n * n);
    if (!image)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    fill_intensity(p, panel, E, n * n, image);
    panel->image = image;
    panel->nx = panel->ny = n;
    panel->square = 1;
    panel->x_low = factor * first[0];
    panel->x_high = factor * first[n - 1];
    panel->y_low = factor * second[0];
    panel->y_high = factor * second[n - 1];
    POYI_TRY(p->ctx, add_hatch(p, panel, axis, offset, E, n, first, second, factor));
    return add_outlines(p, panel, factor);
}

/* ---- far field ---- */

static void add_circles(poyi_plot *p, poyi_panel *panel, double reach)
{
    enum { POINTS = 181 };
    const double rough = reach / 3, power = pow(10, floor(log10(rough)));
    const double step = rough / power >= 5 ? 5 * power : rough / power >= 2 ? 2 * power : power;
    const int circles = (int)(reach / step);
    const int64_t n = (int64_t)circles * (POINTS + 1);
    double *x = poyi_figure_numbers(p->figure, n + 1), *y = poyi_figure_numbers(p->figure, n + 1);
    for (int c = 0; x && y && c < circles; c++)
        for (int i = 0; i <= POINTS; i++) {
            const int64_t k = (int64_t)c * (POINTS + 1) + i;
            x[k] = i < POINTS ? step * (c + 1) * cos(2 * POYI_PI * i / (POINTS - 1)) : (double)NAN;
            y[k] = i < POINTS ? step * (c + 1) * sin(2 * POYI_PI * i / (POINTS - 1)) : (double)NAN;
        }
    poyi_panel_line(panel, "", x, y, n);
    panel->lines[panel->n_lines - 1].hatch = 1;
}

poy_status poyi_plot_far_field(poyi_plot *p)
{
    static const char *const keys[] = {"far_plane_0", "far_plane_1"};
    int64_t row;
    poy_dataset d;
    double *angle, *value;
    const char *at;
    POYI_TRY(p->ctx, choose_row(p, "far_field", &row, &at));
    POYI_TRY(p->ctx, poyi_plot_rows(p, "far_field/angle", 0, -1, &d, &angle));
    const int64_t n = d.extent[0];
    POYI_TRY(p->ctx, poyi_plot_lit(p, "far_field/differential", row, 1, &d, &value));
    const int is_width = d.rank == 2, planes = is_width ? 1 : 2; /* of cylinders, around their axis */
    if (d.extent[d.rank - 1] != n || (!is_width && d.extent[1] != 2))
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: its far field has not the shape of its axes", p->result->path);
    const double largest = poyi_plot_largest(value, planes * n);
    const poyi_caption scale =
        poyi_plot_caption(p, is_width ? "differential_width" : "differential_section", NULL, largest);
    const double reach = 1.08 * (largest > 0 ? largest * scale.factor : 1);
    const char *title = poyi_arena_format(&p->figure->arena, "%s at %s", scale.label, at);
    poyi_panel *panel =
        poyi_figure_panel(p->figure, title ? title : "",
                          poyi_plot_caption(p, is_width ? "along_light_width" : "along_light", NULL, largest).label,
                          poyi_plot_caption(p, is_width ? "across_light_width" : "across_light", NULL, largest).label);
    panel->square = 1;
    panel->x_low = panel->y_low = -reach;
    panel->x_high = panel->y_high = reach;
    for (int plane = 0; plane < planes; plane++) {
        double *x = poyi_figure_numbers(p->figure, n), *y = poyi_figure_numbers(p->figure, n);
        for (int64_t i = 0; x && y && i < n; i++) {
            x[i] = scale.factor * value[plane * n + i] * cos(angle[i]);
            y[i] = scale.factor * value[plane * n + i] * sin(angle[i]);
        }
        poyi_panel_line(panel, is_width ? "around the axis" : poyi_plot_caption(p, keys[plane], NULL, 1).name, x, y, n);
        panel->lines[panel->n_lines - 1].dashed = plane;
    }
    add_circles(p, panel, reach);
    return POY_OK;
}

/* ---- T-matrix ---- */

poy_status poyi_plot_tmatrix(poyi_plot *p)
{
    enum { PIXELS = 500 };
    int64_t row;
    poy_dataset d;
    double *t, most = -(double)INFINITY;
    const char *at;
    POYI_TRY(p->ctx, choose_row(p, "sweep", &row, &at));
    POYI_TRY(p->ctx, poyi_plot_rows(p, "tmatrix/tmatrix", row, 1, &d, &t));
    const int64_t n = d.extent[1], pixels = n < PIXELS ? n : PIXELS;
    if (d.extent[2] != n || n < 2)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: its T-matrix is not square", p->result->path);
    double *image = poyi_figure_numbers(p->figure, pixels * pixels);
    if (!image)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    for (int64_t i = 0; i < pixels * pixels; i++)
        image[i] = 0;
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j < n; j++) { /* of several elements in a pixel the largest */
            double *at_pixel = &image[i * pixels / n * pixels + j * pixels / n];
            *at_pixel = fmax(*at_pixel, hypot(t[2 * (i * n + j)], t[2 * (i * n + j) + 1]));
        }
    for (int64_t i = 0; i < pixels * pixels; i++) {
        image[i] = image[i] > 0 ? log10(image[i]) : (double)NAN;
        most = image[i] > most ? image[i] : most;
    }
    const char *title = poyi_arena_format(&p->figure->arena, "T-matrix at %s", at);
    poyi_panel *panel =
        poyi_figure_panel(p->figure, title ? title : "", poyi_plot_caption(p, "incident_mode", NULL, 1).label,
                          poyi_plot_caption(p, "scattered_mode", NULL, 1).label);
    panel->image = image;
    panel->nx = panel->ny = pixels;
    panel->square = 1;
    panel->x_low = panel->y_low = 0;
    panel->x_high = panel->y_high = (double)(n - 1);
    panel->z_label = poyi_plot_caption(p, "tmatrix", NULL, 1).label;
    panel->z_high = isfinite(most) ? most : 0;
    panel->z_low = panel->z_high - 12;
    for (int64_t i = 0; i < pixels * pixels; i++)
        image[i] = image[i] < panel->z_low ? panel->z_low : image[i];
    return POY_OK;
}

/* ---- convergence ---- */

poy_status poyi_plot_convergence(poyi_plot *p)
{
    static const char *const names[] = {"extinction", "scattering", "absorption"};
    poy_dataset d;
    double *x, *y[3], largest = 0;
    char path[64];
    const char *at;
    int64_t row;
    POYI_TRY(p->ctx, choose_row(p, "convergence", &row, &at));
    p->figure->title = poyi_arena_format(
        &p->figure->arena, "convergence at %s; below: distance from the last degree over its extinction", at);
    POYI_TRY(p->ctx, poyi_plot_rows(p, "convergence/lmax", 0, -1, &d, &x));
    int64_t n = d.extent[0];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "convergence/%s", names[i]);
        POYI_TRY(p->ctx, poyi_plot_lit(p, path, 0, n, &d, &y[i]));
        largest = fmax(largest, poyi_plot_largest(y[i], n));
    }
    const poyi_caption scale = poyi_plot_caption(p, "cross_section", NULL, largest),
                       degree = poyi_plot_caption(p, "degree", NULL, 1);
    poyi_panel *panel = poyi_figure_panel(p->figure, "cross sections", degree.label, scale.label);
    poyi_panel *error = poyi_figure_panel(p->figure, "distance from the last degree", degree.label,
                                          poyi_plot_caption(p, "degree_error", NULL, 1).label);
    double least = 1;
    error->y_log = 1;
    panel->y_low = 0;
    panel->y_high = 1.4 * largest * scale.factor; /* the legend has a place of its own */
    panel->x_low = error->x_low = x[0];
    panel->x_high = error->x_high = x[n - 1];
    for (int i = 0; i < 3; i++) {
        double *px = poyi_figure_numbers(p->figure, n), *py = poyi_figure_numbers(p->figure, n);
        int64_t count = 0;
        for (int64_t k = 0; px && py && k < n - 1; k++) {
            const double distance = fabs(y[i][k] - y[i][n - 1]) / fabs(y[0][n - 1]);
            if (!(distance > 1e-17))
                continue;
            px[count] = x[k];
            py[count++] = distance;
            least = fmin(least, distance);
        }
        if (count)
            poyi_panel_line(error, names[i], px, py, count);
    }
    error->y_low = pow(10, floor(log10(least)) - 1);
    error->y_high = fmax(1, 1e6 * error->y_low);
    for (int i = 0; i < 3; i++) {
        rescale(y[i], n, scale.factor);
        poyi_panel_line(panel, names[i], x, y[i], n);
    }
    return POY_OK;
}
