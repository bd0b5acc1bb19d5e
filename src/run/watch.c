/* watch.c: what a run looks out for at planes, and warns of at its end: light at the edges of the grid, responses that fold
 * back, beams that focus themselves, gas that is ionised. */
#include <math.h>

#include "core/constants.h"
#include "pulse/setup/setup.h"
#include "run/session.h"

/* Share of the energy below and above the samples from inner to outer, less what is there in any case. */
static double edge_share(const double *density, int64_t n, int64_t inner, int64_t outer, double always)
{
    double edge = -always, whole = 0;
    for (int64_t i = 0; i < n; i++) {
        whole += density[i];
        edge += i < inner || i >= outer ? density[i] : 0;
    }
    return whole > 0 ? edge / whole : 0;
}

/* The samples of the spectrum, omega rising, that are not at the edges of the band: those within its limits by more than 2.5 % of
 * a limit, which the taper leaves alone; of a grid without limits all but a twentieth. Shares of the samples would be none of
 * the band: of one from 100 nm to 4 um the last fortieth begins at 2.5 um. */
static void inner_band(const poy_grid *grid, const double *omega, int64_t *inner, int64_t *outer)
{
    const double margin = 0.025;
    const int64_t n = poy_grid_get(grid)->n_w;
    double low = omega[n / 40], high = omega[n - 1 - n / 40];
    if (poy_grid_get(grid)->windows) {
        poyi_grid_band(grid, &low, &high);
        low *= 1 + margin;
        high *= 1 - margin;
    }
    for (*inner = 0; *inner < n && omega[*inner] < low;)
        ++*inner;
    for (*outer = n; *outer > *inner && omega[*outer - 1] > high;)
        --*outer;
}

/* The noise of the launch at the edges, as a sum of |S|^2: a photon in each bin of the signal band, hbar omega = |S|^2 domega. */
static double noise_at_edges(const poyi_session *s, int64_t inner, int64_t outer)
{
    const poy_grid_info *g = poy_grid_get(s->settings.grid);
    const unsigned char *mask = poy_grid_mask(s->settings.grid);
    const int64_t shift = g->field == POY_FIELD_REAL ? 0 : g->n_w / 2;
    double sum = 0;
    if (!poyi_word_in("shot gaussian", poyi_recipe_word(s->recipe, "physics.noise", "off")))
        return 0;
    for (int64_t k = 0; k < g->n_w; k++) {
        const int64_t at = (k + shift) % g->n_w;
        if (mask[k] && (at < inner || at >= outer))
            sum += POYI_HBAR * fmax(0, s->omega[at]) / g->domega;
    }
    return s->settings.n_columns * sum;
}

static poy_status watch_edges(poyi_session *s)
{
    const poy_grid_info *g = poy_grid_get(s->settings.grid);
    const int64_t longest = g->n_w > g->n_t ? g->n_w : g->n_t, shift = g->field == POY_FIELD_REAL ? 0 : g->n_w / 2;
    const int64_t columns = s->settings.n_columns;
    double *density = NULL;
    int64_t first, last;
    poy_status status;
    POYI_TO_DONE(s->ctx, poyi_alloc(s->ctx, "run.edges", (size_t)longest * sizeof *density, (void **)&density));
    for (int64_t k = 0; k < g->n_w; k++) {
        int64_t at = (k + shift) % g->n_w;
        density[at] = 0;
        for (int64_t i = at; i < columns * g->n_w; i += g->n_w)
            density[at] += s->spectrum[2 * i] * s->spectrum[2 * i] + s->spectrum[2 * i + 1] * s->spectrum[2 * i + 1];
    }
    inner_band(s->settings.grid, s->omega, &first, &last);
    s->edge_w = fmax(s->edge_w, edge_share(density, g->n_w, first, last, noise_at_edges(s, first, last)));
    POYI_TO_DONE(s->ctx, poyi_field_power(s->ctx, columns, g->n_w, g->n_t, g->domega, s->spectrum, density));
    s->edge_t = fmax(s->edge_t, edge_share(density, g->n_t, g->n_t / 40, g->n_t - g->n_t / 40, 0));
done:
    poyi_free((void **)&density);
    return status;
}

/* What the band cuts off is missing: a share s of the energy moves the field by about sqrt(s) (2e-7 beyond 4 um of a dispersive
 * wave's run: 4e-4 of the field at its end, against a band to 8 um). */
static void warn_edges(poyi_session *s)
{
    const double most = 1e-6;
    if (s->edge_w > most)
        poyi_session_warn(s, "%.1e of the energy reached the edges of the band: %s", s->edge_w,
                          poy_grid_get(s->settings.grid)->windows ? "widen grid.wavelength_min and _max"
                                                                  : "raise grid.samples");
    if (s->edge_t > most)
        poyi_session_warn(s, "%.1e of the energy reached the outer 5 %% of the time window: widen grid.window",
                          s->edge_t);
}

/* ---- responses that fold back ---- */

int poyi_session_may_fold(const poy_recipe *r, const poy_grid *grid)
{
    const poy_grid_info *g = poy_grid_get(grid);
    return g->field != POY_FIELD_REAL && g->n_to == g->n_t && poyi_recipe_bool(r, "physics.kerr", 1);
}

/* data c128 [n], bin k times exp(sign i pi k / n): samples half a dt later, or those back at their place. */
static void turn_half(int64_t n, int sign, double *data)
{
    for (int64_t i = 0; i < n; i++) {
        const double angle = sign * POYI_PI * (double)(i < n / 2 ? i : i - n) / (double)n, c = cos(angle),
                     s = sin(angle);
        const double re = data[2 * i], im = data[2 * i + 1];
        data[2 * i] = c * re - s * im;
        data[2 * i + 1] = s * re + c * im;
    }
}

/* Of the envelope S [n]: P [n], the transform of |A|^2 A at the samples, or at those that lie half-way between them. */
static poy_status response(poyi_session *s, poy_backend *be, int64_t n, const double *S, int between, double *P)
{
    poyi_field_bins(n, n, S, P);
    if (between)
        turn_half(n, +1, P);
    POYI_TRY(s->ctx, poyi_field_transform(s->ctx, be, n, +1, 1.0 / (double)n, P));
    for (int64_t i = 0; i < n; i++) {
        const double power = P[2 * i] * P[2 * i] + P[2 * i + 1] * P[2 * i + 1];
        P[2 * i] *= power;
        P[2 * i + 1] *= power;
    }
    POYI_TRY(s->ctx, poyi_field_transform(s->ctx, be, n, -1, 1.0, P));
    if (between)
        turn_half(n, -1, P);
    return POY_OK;
}

/* P = |A|^2 A of an envelope reaches three times as far as A: a grid without room for it folds back what lies beyond its
 * band (docs/physics.md 2). Half the sum of P at the samples and at those between them is P on twice as fine a grid, where
 * nothing comes back into the band; half their difference is what was folded. Only what the band's window lets into the
 * equation counts: its edges remove the rest by design. */
static poy_status watch_folding(poyi_session *s)
{
    const int64_t n = poy_grid_get(s->settings.grid)->n_t;
    const double *window = poy_grid_window_w(s->settings.grid);
    double *P = NULL, folded = 0, whole = 0;
    poy_backend *be = NULL;
    poy_status status;
    if (!poyi_session_may_fold(s->recipe, s->settings.grid))
        return POY_OK;
    POYI_TO_DONE(s->ctx, poyi_alloc(s->ctx, "run.folding", (size_t)n * 4 * sizeof *P, (void **)&P));
    POYI_TO_DONE(s->ctx, poy_backend_open(s->ctx, "auto", &be));
    for (int c = 0; c < s->settings.n_columns; c++) {
        const double *S = s->spectrum + 2 * (int64_t)c * n;
        POYI_TO_DONE(s->ctx, response(s, be, n, S, 0, P));
        POYI_TO_DONE(s->ctx, response(s, be, n, S, 1, P + 2 * n));
        for (int64_t i = 0; i < 2 * n; i++) {
            const double w = window[i / 2], at = P[i], between = P[2 * n + i];
            whole += w * w * (at + between) * (at + between);
            folded += w * w * (at - between) * (at - between);
        }
    }
    s->folded = fmax(s->folded, whole > 0 ? folded / whole : 0);
done:
    poy_backend_close(&be);
    poyi_free((void **)&P);
    return status;
}

/* A share of 3e-7 of the squares moved the end of a supercontinuum by 2e-4 of its field, less than rtol = 1e-6 does (9e-4). */
static void warn_folding(poyi_session *s)
{
    if (s->folded > 1e-6)
        poyi_session_warn(s, "%.1e of the nonlinear response in the band is folded back from beyond the grid: %s",
                          s->folded,
                          poy_grid_get(s->settings.grid)->windows ? "lower grid.wavelength_min" : "raise grid.samples");
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
