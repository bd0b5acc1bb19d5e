/* watch.c: what a run looks out for at planes, and warns of at its end: light at the edges of the grid, responses that fold
 * back, beams that focus themselves, gas that is ionised. */
#include <math.h>

#include "run/session.h"

/* Share of the energy in the outer twentieth of the samples, half of it on each side. */
static double edge_share(const double *density, int64_t first, int64_t last)
{
    double edge = 0, whole = 0;
    int64_t width = (last - first) / 40;
    for (int64_t i = first; i < last; i++) {
        whole += density[i];
        if (i < first + width || i >= last - width)
            edge += density[i];
    }
    return whole > 0 ? edge / whole : 0;
}

static poy_status watch_edges(poyi_session *s)
{
    const poy_grid_info *g = poy_grid_get(s->settings.grid);
    const unsigned char *mask = poy_grid_mask(s->settings.grid);
    const int64_t longest = g->n_w > g->n_t ? g->n_w : g->n_t, shift = g->field == POY_FIELD_REAL ? 0 : g->n_w / 2;
    const int64_t columns = s->settings.n_columns;
    double *density = NULL;
    int64_t first = g->n_w, last = 0;
    poy_status status;
    POYI_TO_DONE(s->ctx, poyi_alloc(s->ctx, "run.edges", (size_t)longest * sizeof *density, (void **)&density));
    for (int64_t k = 0; k < g->n_w; k++) {
        int64_t at = (k + shift) % g->n_w;
        density[at] = 0;
        for (int64_t i = at; i < columns * g->n_w; i += g->n_w)
            density[at] += s->spectrum[2 * i] * s->spectrum[2 * i] + s->spectrum[2 * i + 1] * s->spectrum[2 * i + 1];
        if (mask[k] && at < first)
            first = at;
        if (mask[k] && at >= last)
            last = at + 1;
    }
    s->edge_w = fmax(s->edge_w, edge_share(density, first, last));
    POYI_TO_DONE(s->ctx, poyi_field_power(s->ctx, columns, g->n_w, g->n_t, g->domega, s->spectrum, density));
    s->edge_t = fmax(s->edge_t, edge_share(density, 0, g->n_t));
done:
    poyi_free((void **)&density);
    return status;
}

static void warn_edges(poyi_session *s)
{
    const double most = 1e-6;
    if (s->edge_w > most)
        poyi_session_warn(
            s, "%.1e of the energy reached the outer 5 %% of the band: widen grid.wavelength_min and _max", s->edge_w);
    if (s->edge_t > most)
        poyi_session_warn(s, "%.1e of the energy reached the outer 5 %% of the time window: widen grid.window",
                          s->edge_t);
}

/* Where P = |A|^2 A of an envelope reaches: a grid without room beyond the band folds what lies in the outer third of it
 * back (docs/physics.md 2). */
static poy_status watch_folding(poyi_session *s)
{
    const poy_grid_info *g = poy_grid_get(s->settings.grid);
    const int64_t n = g->n_t;
    double *P = NULL, outer = 0, whole = 0;
    poy_backend *be = NULL;
    poy_status status;
    if (g->field == POY_FIELD_REAL || g->n_to != n || !poyi_recipe_bool(s->recipe, "physics.kerr", 1))
        return POY_OK;
    POYI_TO_DONE(s->ctx, poyi_alloc(s->ctx, "run.folding", (size_t)n * 2 * sizeof *P, (void **)&P));
    POYI_TO_DONE(s->ctx, poy_backend_open(s->ctx, "auto", &be));
    for (int c = 0; c < s->settings.n_columns; c++) {
        poyi_field_bins(g->n_w, n, s->spectrum + 2 * (int64_t)c * g->n_w, P);
        POYI_TO_DONE(s->ctx, poyi_field_transform(s->ctx, be, n, +1, 1.0 / (double)n, P));
        for (int64_t i = 0; i < n; i++) {
            const double power = P[2 * i] * P[2 * i] + P[2 * i + 1] * P[2 * i + 1];
            P[2 * i] *= power;
            P[2 * i + 1] *= power;
        }
        POYI_TO_DONE(s->ctx, poyi_field_transform(s->ctx, be, n, -1, 1.0, P));
        for (int64_t k = 0; k < n; k++) {
            const double square = P[2 * k] * P[2 * k] + P[2 * k + 1] * P[2 * k + 1];
            whole += square;
            outer += k > n / 3 && k < n - n / 3 ? square : 0;
        }
    }
    s->folded = fmax(s->folded, whole > 0 ? outer / whole : 0);
done:
    poy_backend_close(&be);
    poyi_free((void **)&P);
    return status;
}

static void warn_folding(poyi_session *s)
{
    if (s->folded > 1e-6)
        poyi_session_warn(
            s, "%.1e of the nonlinear response lies in the outer third of the grid's band, and is folded back: %s",
            s->folded, poy_grid_get(s->settings.grid)->windows ? "lower grid.wavelength_min" : "raise grid.samples");
}

/* What the equation of one mode leaves out (docs/physics.md 5): a beam that focuses itself. */
poy_status poyi_session_judge_launch(poyi_session *s)
{
    poy_problem_numbers n;
    if (!s->settings.guide)
        return POY_OK;
    POYI_TRY(s->ctx, poy_problem_describe(s->ctx, s->settings.problem, &s->settings.pulses[0],
                                          poyi_settings_place(&s->settings), &n));
    if (n.peak_power > 0.5 * n.P_critical)
        poyi_session_warn(s,
                          "the peak power %.2e W is above half of the critical power of self-focusing %.2e W: one mode "
                          "does not tell what the beam does: lower the energy or gas.pressure",
                          n.peak_power, n.P_critical);
    return POY_OK;
}

/* The largest share of the gas that the pulse ionises, at planes. */
static poy_status watch_ionisation(poyi_session *s)
{
    static const char *const names[] = {"electron_density", "density"};
    double values[2];
    if (!poyi_recipe_bool(s->recipe, "physics.plasma", 0))
        return POY_OK;
    POYI_TRY(s->ctx, poy_run_stats(s->ctx, s->run, names, 2, values));
    if (values[1] > 0)
        s->ionised = fmax(s->ionised, values[0] / values[1]);
    return POY_OK;
}

static void warn_ionisation(poyi_session *s)
{
    if (s->ionised > 0.1)
        poyi_session_warn(s, "%.0f %% of the gas is ionised: the response of the ions is not part of the equation",
                          100 * s->ionised);
}

poy_status poyi_session_watch(poyi_session *s)
{
    POYI_TRY(s->ctx, watch_edges(s));
    POYI_TRY(s->ctx, watch_folding(s));
    POYI_TRY(s->ctx, watch_ionisation(s));
    return POY_OK;
}

void poyi_session_judge(poyi_session *s)
{
    warn_edges(s);
    warn_folding(s);
    warn_ionisation(s);
}
