/* material.c: pictures of materials and gases: index, absorption, group-velocity dispersion over the wavelength. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "poynting/media.h"
#include "poynting/result.h"
#include "run/plots/figure.h"

enum { POINTS = 1000 };

/* n + ik and its derivatives up to order 2 at omega, out[6]; gases: n - 1. */
typedef poy_status index_fn(poy_ctx *ctx, const void *what, double omega, double out[6]);

typedef struct matter {
    const char *name, *n_label;
    const void *what;
    index_fn *index;
    double from, to; /* m */
    double n_scale;
    int thin;   /* a gas */
    int smooth; /* derivatives mean something: no table */
} matter;

/* ---- curves ---- */

typedef struct curves {
    double *x, *n, *k, *beta;
    int64_t count;
    double k_most;
} curves;

/* Where the data end, or a resonance lies, the lines have gaps. */
static poy_status sample(poy_ctx *ctx, poyi_figure *f, const matter *m, curves *out)
{
    double index[6];
    int64_t good = 0;
    curves c = {.x = poyi_figure_numbers(f, POINTS),
                .n = poyi_figure_numbers(f, POINTS),
                .k = poyi_figure_numbers(f, POINTS),
                .beta = poyi_figure_numbers(f, POINTS),
                .count = POINTS};
    if (!c.x || !c.n || !c.k || !c.beta)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to draw it", m->name);
    for (int64_t i = 0; i < POINTS; i++) {
        const double lambda = m->from * pow(m->to / m->from, (double)i / (POINTS - 1));
        const double omega = 2 * POYI_PI * POYI_C / lambda;
        c.x[i] = 1e9 * lambda;
        c.n[i] = c.k[i] = c.beta[i] = (double)NAN;
        if (m->index(ctx, m->what, omega, index) != POY_OK) {
            poy_ctx_clear(ctx);
            continue;
        }
        c.n[i] = m->n_scale * index[0];
        c.k[i] = index[1];
        c.beta[i] = (2 * index[2] + omega * index[4]) / POYI_C; /* of omega n/c */
        c.k_most = fmax(c.k_most, c.k[i]);
        good++;
    }
    if (good < 2)
        return POYI_FAIL(ctx, POY_ERR_RANGE, "%s: has no index between %g and %g nm: choose another range", m->name,
                         1e9 * m->from, 1e9 * m->to);
    *out = c;
    return POY_OK;
}

static poyi_panel *add_panel(poyi_figure *f, const matter *m, const char *label, const double *x, const double *y,
                             int64_t n)
{
    poyi_panel *panel = poyi_figure_panel(f, m->name, "wavelength (nm)", label);
    panel->x_low = 1e9 * m->from;
    panel->x_high = 1e9 * m->to;
    poyi_panel_line(panel, "", x, y, n);
    return panel;
}

/* beta_2 with a line at 0. The middle of the values decides what is shown, for resonances run away. */
static void add_dispersion(poyi_figure *f, const matter *m, curves *c)
{
    static const struct {
        double factor;
        const char *label;
    } units[] = {{1e30, "beta_2 (fs2/m)"}, {1e27, "beta_2 (fs2/mm)"}, {1e24, "beta_2 (ps2/m)"}};
    double low = INFINITY, high = -INFINITY, *ends = poyi_figure_numbers(f, 4);
    for (int64_t i = c->count / 10; i < c->count - c->count / 10; i++)
        if (isfinite(c->beta[i])) {
            low = fmin(low, c->beta[i]);
            high = fmax(high, c->beta[i]);
        }
    int unit = m->thin ? 0 : 1;
    while (unit < 2 && fmax(fabs(low), fabs(high)) * units[unit].factor > 900)
        unit++;
    for (int64_t i = 0; i < c->count; i++)
        c->beta[i] *= units[unit].factor;
    poyi_panel *panel = add_panel(f, m, units[unit].label, c->x, c->beta, c->count);
    if (low < high) {
        panel->y_low = units[unit].factor * (low - 0.15 * (high - low));
        panel->y_high = units[unit].factor * (high + 0.15 * (high - low));
    }
    if (!ends)
        return;
    ends[0] = panel->x_low;
    ends[1] = panel->x_high;
    ends[2] = ends[3] = 0;
    poyi_panel_line(panel, "", ends, ends + 2, 2);
    panel->lines[panel->n_lines - 1].guide = 1;
}

static poy_status draw(poy_ctx *ctx, const matter *m, const char *footer, const char *output)
{
    const char *dot = strrchr(output, '.'), *format = dot ? dot + 1 : "";
    poyi_figure *f = NULL;
    curves c = {0};
    poy_status status;
    if (strcmp(format, "png") != 0 && strcmp(format, "svg") != 0 && strcmp(format, "pdf") != 0 &&
        strcmp(format, "csv") != 0 && strcmp(format, "gp") != 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a picture ends in .png, .svg, .pdf, .csv or .gp", output);
    if (!(m->from > 0) || !(m->to > m->from) || !isfinite(m->to))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: from %g m to %g m is no range of wavelengths", m->name, m->from,
                         m->to);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "plot.figure", sizeof *f, (void **)&f));
    f->columns = 1;
    f->footer = footer;
    status = sample(ctx, f, m, &c);
    if (status == POY_OK) {
        add_panel(f, m, m->n_label, c.x, c.n, c.count);
        if (c.k_most > 0)
            add_panel(f, m, "k", c.x, c.k, c.count)->y_log = 1;
        if (m->smooth)
            add_dispersion(f, m, &c);
        status = poyi_figure_write(ctx, f, format, output);
    }
    poyi_arena_fini(&f->arena);
    poyi_free((void **)&f);
    return status;
}

/* ---- what is drawn ---- */

static poy_status index_of_material(poy_ctx *ctx, const void *what, double omega, double out[6])
{
    return poy_material_index(ctx, what, omega, 2, out);
}

poy_status poy_plot_material(poy_ctx *ctx, const poy_material *material, double from, double to, const char *output)
{
    char footer[400];
    poy_material_row row;
    poy_material_info(material, &row);
    const matter m = {.name = row.name,
                      .n_label = "n",
                      .n_scale = 1,
                      .smooth = row.kind != POY_MATERIAL_TABLE,
                      .what = material,
                      .index = index_of_material,
                      .from = isnan(from) ? fmax(row.lambda_min, 100e-9) : from,
                      .to = isnan(to) ? fmin(row.lambda_max, 10e-6) : to};
    snprintf(footer, sizeof footer, "%s  ·  %.200s  ·  poynting %s", row.name, row.source, poy_version());
    return draw(ctx, &m, footer, output);
}

static poy_status index_of_gas(poy_ctx *ctx, const void *what, double omega, double out[6])
{
    double n[3] = {0};
    POYI_TRY(ctx, poy_gas_index(ctx, 1, what, omega, 2, n));
    for (int64_t i = 0; i < 3; i++) {
        out[2 * i] = n[i];
        out[2 * i + 1] = 0;
    }
    return POY_OK;
}

poy_status poy_plot_gas(poy_ctx *ctx, const poy_gas *gas, double pressure, double temperature, double from, double to,
                        const char *output)
{
    char footer[400], shown[2][32];
    poy_gas_info info = {.lambda_min = (double)NAN};
    poy_gas_part part = {.gas = gas};
    for (int i = 0; i < poy_gas_count(); i++)
        if (poy_gas_info_at(ctx, i, &info) == POY_OK && !strcmp(info.name, poy_gas_name(gas)))
            break;
    POYI_TRY(ctx, poy_gas_density(ctx, gas, POY_EOS_HELMHOLTZ, pressure, temperature, &part.density, NULL));
    const matter m = {.name = info.name,
                      .n_label = "n - 1 (1e-6)",
                      .n_scale = 1e6,
                      .thin = 1,
                      .smooth = 1,
                      .what = &part,
                      .index = index_of_gas,
                      .from = isnan(from) ? info.lambda_min : from,
                      .to = isnan(to) ? 3e-6 : to};
    poy_quantity_format(pressure, POY_DIM_PRESSURE, 4, sizeof shown[0], shown[0]);
    poy_quantity_format(temperature, POY_DIM_TEMPERATURE, 5, sizeof shown[1], shown[1]);
    snprintf(footer, sizeof footer, "%s at %s, %s  ·  %.200s  ·  poynting %s", info.name, shown[0], shown[1],
             info.index_source, poy_version());
    return draw(ctx, &m, footer, output);
}
