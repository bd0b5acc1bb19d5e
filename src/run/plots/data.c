/* data.c: planes in memory, axes in bench units, ranges where there is light. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/plots/plot.h"
#include "run/session.h"

/* ---- reading ---- */

static poy_status read_line(poyi_plot *p, const char *path, int64_t *n, const double **out)
{
    poy_dataset d;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, path, &d));
    if (d.rank != 1 || d.is_complex || d.is_text)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: %s is no line of numbers", p->result->path, path);
    double *data = poyi_figure_numbers(p->figure, d.extent[0] + 1);
    if (!data)
        return POYI_FAIL(p->ctx, POY_ERR_MEMORY, "%s: no memory to draw it", p->result->path);
    POYI_TRY(p->ctx, poy_result_read(p->ctx, p->result, path, 0, d.extent[0], data));
    *n = d.extent[0];
    *out = data;
    return POY_OK;
}

/* How many entries a list of names has; 1 where there is none. */
static int64_t count(poyi_plot *p, const char *path)
{
    poy_dataset d;
    if (poy_result_find(p->ctx, p->result, path, &d) != POY_OK) {
        poy_ctx_clear(p->ctx);
        return 1;
    }
    return d.rank == 1 && d.extent[0] > 0 ? d.extent[0] : 1;
}

poy_status poyi_plot_open(poy_ctx *ctx, poy_result *result, const poy_plot_options *o, poyi_figure *f, poyi_plot *p)
{
    *p = (poyi_plot){.ctx = ctx, .result = result, .o = *o, .figure = f};
    for (int i = 0; i < 4; i++)
        if (!strcmp(poyi_axis_names[i], o->axis))
            p->axis = (poyi_axis)i;
    p->raw = !strcmp(o->format, "csv");
    p->mode = -1;
    const char *kind = poy_result_attribute(result, "kind");
    if (kind && !strcmp(kind, "scan")) { /* it has neither time nor planes, and may have no frequencies */
        if (read_line(p, "grid/omega", &p->n, &p->omega) != POY_OK)
            poy_ctx_clear(ctx);
        p->domega = p->n > 1 ? (p->omega[p->n - 1] - p->omega[0]) / (double)(p->n - 1) : 0;
        return POY_OK;
    }
    if (kind && !strcmp(kind, "scatter"))
        return POY_OK; /* no grid */
    POYI_TRY(ctx, read_line(p, "grid/omega", &p->n, &p->omega));
    POYI_TRY(ctx, read_line(p, "grid/t", &p->n_t, &p->t));
    POYI_TRY(ctx, read_line(p, "grid/z", &p->n_z, &p->z));
    if (p->n < 3 || (p->n_t != p->n && p->n_t != 2 * (p->n - 1)))
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: its axes have %lld frequencies and %lld times", result->path,
                         (long long)p->n, (long long)p->n_t);
    p->modes = count(p, "grid/mode");
    p->polarisations = count(p, "grid/polarisation");
    const double end = p->n_z ? p->z[p->n_z - 1] : 0.0;
    if (o->at < 0 || o->at > end * (1 + 1e-9))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g m lies outside of it: its planes go from 0 to %g m",
                         result->path, o->at, end);
    p->domega = (p->omega[p->n - 1] - p->omega[0]) / (double)(p->n - 1);
    return POY_OK;
}

void poyi_plot_close(poyi_plot *p)
{
    poyi_plot_forget(p);
}

void poyi_plot_forget(poyi_plot *p)
{
    poyi_free((void **)&p->density);
    poyi_free((void **)&p->power);
}

const char *poyi_plot_mode_name(poyi_plot *p, int64_t k)
{
    const poy_recipe *r = poyi_result_recipe(p->ctx, p->result);
    const poyi_node *modes = r ? poyi_recipe_at(r, "geometry.modes") : NULL;
    const poyi_node *named = modes && modes->kind == POYI_ARRAY ? poyi_node_element(modes, (int)k) : modes;
    const char *family = r && r->type == POYI_TYPE_RECTANGULAR ? "Ey1"
                         : r && r->type == POYI_TYPE_TABULATED ? ""
                                                               : "HE1";
    if (named && named->kind == POYI_STRING)
        return named->text;
    const char *name = poyi_arena_format(&p->figure->arena, "%s%lld", family, (long long)k + 1);
    return name ? name : "";
}

int poyi_plot_shows(const poyi_plot *p, int64_t column)
{
    const int64_t mode = column / p->polarisations;
    return p->mode < 0 || mode == p->mode;
}

/* Every plane through fn into rows [n_z][width]. */
static poy_status each_plane(poyi_plot *p, const char *name, int64_t width, double **out,
                             poy_status (*fn)(const poyi_plot *p, const double *S, double *row))
{
    double *S = NULL, *rows = NULL;
    poy_dataset d;
    poy_status status;
    POYI_TRY(p->ctx, poy_result_find(p->ctx, p->result, "field/spectrum", &d));
    if (p->n_z < 1)
        return POYI_FAIL(p->ctx, POY_ERR_ARGUMENT, "%s: holds no plane yet", p->result->path);
    if (d.rank != 4 || !d.is_complex || d.extent[0] < p->n_z || d.extent[3] != p->n || d.extent[1] < 1 ||
        d.extent[2] < 1 || d.extent[1] > POYI_COLUMNS_MAX || d.extent[2] > 2)
        return POYI_FAIL(p->ctx, POY_ERR_IO, "%s: its field has not the shape of its axes", p->result->path);
    p->columns = d.extent[1] * d.extent[2];
    POYI_TO_DONE(p->ctx, poyi_alloc(p->ctx, "plot.plane", (size_t)(p->columns * p->n) * 2 * sizeof *S, (void **)&S));
    POYI_TO_DONE(p->ctx, poyi_alloc(p->ctx, name, (size_t)(width * p->n_z) * sizeof *rows, (void **)&rows));
    for (int64_t k = 0; k < p->n_z; k++) {
        POYI_TO_DONE(p->ctx, poy_result_read(p->ctx, p->result, "field/spectrum", k, 1, S));
        POYI_TO_DONE(p->ctx, fn(p, S, rows + k * width));
    }
    *out = rows;
done:
    if (status != POY_OK)
        poyi_free((void **)&rows);
    poyi_free((void **)&S);
    return status;
}

static poy_status density_of(const poyi_plot *p, const double *S, double *row)
{
    for (int64_t i = 0; i < p->n; i++) {
        row[i] = 0;
        for (int64_t c = 0, k = i; c < p->columns; c++, k += p->n)
            if (poyi_plot_shows(p, c))
                row[i] += S[2 * k] * S[2 * k] + S[2 * k + 1] * S[2 * k + 1];
    }
    return POY_OK;
}

static poy_status power_of(const poyi_plot *p, const double *S, double *row)
{
    double *one = NULL;
    poy_status status = POY_OK;
    if (p->mode < 0)
        return poyi_field_power(p->ctx, p->columns, p->n, p->n_t, p->domega, S, row);
    POYI_TO_DONE(p->ctx, poyi_alloc(p->ctx, "plot.column", (size_t)p->n_t * sizeof *one, (void **)&one));
    for (int64_t i = 0; i < p->n_t; i++)
        row[i] = 0;
    for (int64_t c = 0; c < p->columns; c++) {
        if (!poyi_plot_shows(p, c))
            continue;
        POYI_TO_DONE(p->ctx, poyi_field_power(p->ctx, 1, p->n, p->n_t, p->domega, S + 2 * c * p->n, one));
        for (int64_t i = 0; i < p->n_t; i++)
            row[i] += one[i];
    }
done:
    poyi_free((void **)&one);
    return status;
}

poy_status poyi_plot_density(poyi_plot *p)
{
    if (!p->density)
        POYI_TRY(p->ctx, each_plane(p, "plot.density", p->n, &p->density, density_of));
    return POY_OK;
}

poy_status poyi_plot_power(poyi_plot *p)
{
    if (!p->power)
        POYI_TRY(p->ctx, each_plane(p, "plot.power", p->n_t, &p->power, power_of));
    return POY_OK;
}

int64_t poyi_plot_plane(const poyi_plot *p)
{
    int64_t best = p->n_z - 1;
    for (int64_t k = 0; k < p->n_z && !isnan(p->o.at); k++)
        if (fabs(p->z[k] - p->o.at) < fabs(p->z[best] - p->o.at))
            best = k;
    return best;
}

/* ---- axes ---- */

double poyi_axis_value(poyi_axis axis, double omega)
{
    switch (axis) {
    case POYI_AXIS_WAVELENGTH: return 1e9 * 2 * POYI_PI * POYI_C / omega;
    case POYI_AXIS_FREQUENCY: return 1e-12 * omega / (2 * POYI_PI);
    case POYI_AXIS_ANGULAR_FREQUENCY: return 1e-15 * omega;
    case POYI_AXIS_PHOTON_ENERGY: break;
    }
    return POYI_HBAR / POYI_E * omega;
}

double poyi_axis_omega(poyi_axis axis, double value)
{
    switch (axis) {
    case POYI_AXIS_WAVELENGTH: return 1e9 * 2 * POYI_PI * POYI_C / value;
    case POYI_AXIS_FREQUENCY: return 1e12 * value * (2 * POYI_PI);
    case POYI_AXIS_ANGULAR_FREQUENCY: return 1e15 * value;
    case POYI_AXIS_PHOTON_ENERGY: break;
    }
    return value * POYI_E / POYI_HBAR;
}

int poyi_plot_decades(const poyi_plot *p, double *low, double *high)
{
    if (p->raw || p->axis != POYI_AXIS_WAVELENGTH || !(*low > 0) || !(*high > 5 * *low))
        return 0;
    *low = log10(*low);
    *high = log10(*high);
    return 1;
}

double poyi_plot_omega(const poyi_plot *p, int decades, double value)
{
    return poyi_axis_omega(p->axis, decades ? pow(10, value) : value);
}

double poyi_axis_jacobian(poyi_axis axis, double omega)
{
    return axis == POYI_AXIS_WAVELENGTH ? omega * omega : 1;
}

double poyi_axis_density(poyi_axis axis)
{
    switch (axis) {
    case POYI_AXIS_WAVELENGTH: return 1e-9 / (2 * POYI_PI * POYI_C);
    case POYI_AXIS_FREQUENCY: return 1e12 * 2 * POYI_PI;
    case POYI_AXIS_ANGULAR_FREQUENCY: return 1e15;
    case POYI_AXIS_PHOTON_ENERGY: break;
    }
    return POYI_E / POYI_HBAR;
}

const char *poyi_axis_density_label(poyi_axis axis)
{
    static const char *const labels[] = {"energy density (J/nm)", "energy density (J/THz)",
                                         "energy density (J/(rad/fs))", "energy density (J/eV)"};
    return labels[axis];
}

const char *const poyi_axis_names[4] = {"wavelength", "frequency", "angular_frequency", "photon_energy"};

const char *poyi_axis_label(poyi_plot *p)
{
    return poyi_plot_caption(p, poyi_axis_names[p->axis], NULL, 1).label;
}

/* ---- ranges ---- */

/* weight [n]: of each value; NULL: 1. */
static void find_range(const double *values, const double *weight, int64_t rows, int64_t n, double floor_db,
                       int64_t *first, int64_t *last)
{
    double largest = 0;
    *first = n - 1;
    *last = 0;
    for (int64_t i = 0; i < rows * n; i++)
        largest = fmax(largest, values[i] * (weight ? weight[i % n] : 1));
    const double least = largest * pow(10, floor_db / 10);
    for (int64_t k = 0; k < rows; k++)
        for (int64_t i = 0; i < n; i++)
            if (values[k * n + i] * (weight ? weight[i] : 1) > least) {
                *first = i < *first ? i : *first;
                *last = i > *last ? i : *last;
            }
    if (*last < *first) { /* nothing: all of it */
        *first = 0;
        *last = n - 1;
    } else if (*last == *first) {
        *first = *first > 8 ? *first - 8 : 0;
        *last = *last + 8 < n ? *last + 8 : n - 1;
    }
}

void poyi_plot_range(const double *values, int64_t rows, int64_t n, double floor_db, int64_t *first, int64_t *last)
{
    find_range(values, NULL, rows, n, floor_db, first, last);
    int64_t margin = (*last - *first) / 20 + 1;
    *first = *first > margin ? *first - margin : 0;
    *last = *last + margin < n ? *last + margin : n - 1;
}

/* poyi_plot_range of the spectra, per unit of the axis. Needs the density. */
static void lit_range(const poyi_plot *p, int64_t *first, int64_t *last)
{
    double *weight = poyi_figure_numbers(p->figure, p->n);
    for (int64_t i = 0; weight && i < p->n; i++)
        weight[i] = p->omega[i] > 0 ? poyi_axis_jacobian(p->axis, p->omega[i]) : 0;
    find_range(p->density, weight, p->n_z, p->n, p->o.db, first, last);
    while (*first < *last && p->omega[*first] <= 0) /* an envelope's grid may reach beyond 0 */
        ++*first;
}

void poyi_plot_spectral_frame(const poyi_plot *p, int64_t first, int64_t last, double *low, double *high)
{
    const double one = poyi_axis_value(p->axis, p->omega[first]), other = poyi_axis_value(p->axis, p->omega[last]);
    const double end = poyi_axis_value(p->axis, p->omega[p->n - 1]), margin = 0.04 * fabs(other - one);
    *low = fmin(one, other) - margin;
    *high = fmax(one, other) + margin;
    *low = fmax(*low, p->axis == POYI_AXIS_WAVELENGTH ? end : 0.5 * fmin(one, other)); /* where there are bins */
    *high = p->axis == POYI_AXIS_WAVELENGTH ? *high : fmin(*high, end);
    if (!isnan(p->o.low)) {
        const double from = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.low);
        *(p->axis == POYI_AXIS_WAVELENGTH ? low : high) = from;
    }
    if (!isnan(p->o.high)) {
        const double to = poyi_axis_value(p->axis, 2 * POYI_PI * POYI_C / p->o.high);
        *(p->axis == POYI_AXIS_WAVELENGTH ? high : low) = to;
    }
}

void poyi_plot_spectral_range(const poyi_plot *p, double *low, double *high)
{
    int64_t first, last;
    lit_range(p, &first, &last);
    poyi_plot_spectral_frame(p, first, last, low, high);
}

double poyi_db(double value, double largest, double floor_db)
{
    double db = value > 0 && largest > 0 ? 10 * log10(value / largest) : floor_db;
    return db > floor_db ? db : floor_db;
}

/* ---- labels ---- */

const char *poyi_plot_label(poyi_plot *p, const char *what, const char *unit)
{
    const char *text = poyi_arena_format(&p->figure->arena, *unit ? "%s (%s)" : "%s", what, unit);
    return text ? text : "";
}

const char *poyi_plot_length(poyi_plot *p, double metres)
{
    const poyi_caption way = poyi_plot_caption(p, "z", "m", metres);
    const char *text =
        metres == 0 ? "0" : poyi_arena_format(&p->figure->arena, "%.4g %s", metres * way.factor, way.unit);
    return text ? text : "";
}
