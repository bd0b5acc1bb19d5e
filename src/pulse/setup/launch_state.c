/* launch_state.c: the state of another run as the launch of this one: its columns on another grid, with phases, passages and energy
 * (docs/physics.md 9). */
#include <string.h>

#include "core/warn.h"
#include "math/fft.h"
#include "pulse/setup/medium.h"
#include "pulse/spectral.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)
static const double told = 1e-6, refused = 1e-3; /* shares of the energy that a grid leaves out */

poy_status poyi_launch_state_check(poy_ctx *ctx, const poyi_pulse *pulse)
{
    const poy_launch_state *s = pulse->o.state;
    char key[64];
    poyi_pulse_key(pulse, "from", key);
    if (!s || s->n_columns < 1 || !s->columns || s->n < 2 || !s->spectrum)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the state of another run needs columns and two or more bins", key);
    POYI_TRY(ctx, poyi_check_finite(ctx, key, s->omega, "rad/s"));
    POYI_TRY(ctx, poyi_check_positive(ctx, key, s->domega, "rad/s"));
    POYI_TRY(ctx, poyi_check_list(ctx, key, s->spectrum, (int64_t)2 * s->n_columns * s->n, "sqrt(J s)"));
    return POY_OK;
}

/* ---- the grid's bins, rising ---- */

/* Bins rise from the first positive one of a real field, from -n/2 of an envelope. */
static double first_omega(const poy_grid *grid)
{
    const poy_grid_info *g = &grid->info;
    return g->field == POY_FIELD_REAL ? 0.0 : g->omega0 - (double)(g->n_w / 2) * g->domega;
}

static int64_t fft_order(const poy_grid_info *g, int64_t rising)
{
    return g->field == POY_FIELD_REAL ? rising : (rising + (g->n_w + 1) / 2) % g->n_w;
}

/* Where the state's bins are the grid's: the number of its first one among those of the grid, rising. */
static int same_bins(const poy_grid *grid, const poy_launch_state *s, int64_t *first)
{
    const double d = grid->info.domega, offset = (s->omega - first_omega(grid)) / d, nearest = nearbyint(offset);
    *first = (int64_t)nearest;
    return fabs(s->domega - d) * (double)s->n <= 1e-9 * d && fabs(offset - nearest) <= 1e-6;
}

/* A of bin j, rising, from S about the middle of the window. */
static void put(const poy_grid *grid, int64_t j, double re, double im, double *a)
{
    const int64_t k = fft_order(&grid->info, j);
    const double factor = poyi_launch_middle(poyi_launch_bin(&grid->info, k)) / poyi_spectral_scale(&grid->info);
    a[2 * k] = factor * re;
    a[2 * k + 1] = factor * im;
}

/* ---- another grid ---- */

/* exp(sign i rate n^2/2), the angle in more digits than it has turns. */
static void chirp(long double rate, int64_t n, int sign, double out[2])
{
    const long double turns = 0.5L * rate * (long double)n * (long double)n;
    out[0] = (double)cosl(turns);
    out[1] = (double)(sign * sinl(turns));
}

static void times(double *x, const double y[2])
{
    const double re = x[0] * y[0] - x[1] * y[1];
    x[1] = x[0] * y[1] + x[1] * y[0];
    x[0] = re;
}

/* sum over n < count of x[n] exp(-i rate m n), m < wanted, into x (2 size doubles, size >= count + wanted): as a
 * convolution, m n = (m^2 + n^2 - (m - n)^2)/2. Source: L. Bluestein, IEEE Trans. Audio Electroacoust. 18, 451 (1970). */
static poy_status chirp_transform(poy_ctx *ctx, int64_t count, int64_t wanted, long double rate, int64_t size,
                                  double *x)
{
    double *kernel = NULL, factor[2];
    poy_status status;
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "launch.chirp", (size_t)size * 2 * sizeof *kernel, (void **)&kernel));
    for (int64_t n = 0; n < count; n++) {
        chirp(rate, n, -1, factor);
        times(x + 2 * n, factor);
    }
    memset(x + 2 * count, 0, (size_t)(size - count) * 2 * sizeof *x);
    for (int64_t n = -count + 1; n < wanted; n++)
        chirp(rate, n, 1, kernel + 2 * (n < 0 ? n + size : n));
    POYI_TO_DONE(ctx, poyi_fft(ctx, -1, size, x));
    POYI_TO_DONE(ctx, poyi_fft(ctx, -1, size, kernel));
    for (int64_t k = 0; k < size; k++)
        times(x + 2 * k, kernel + 2 * k);
    POYI_TO_DONE(ctx, poyi_fft(ctx, +1, size, x));
    for (int64_t m = 0; m < wanted; m++) {
        chirp(rate, m, -1, factor);
        factor[0] /= (double)size;
        factor[1] /= (double)size;
        times(x + 2 * m, factor);
    }
done:
    poyi_free((void **)&kernel);
    return status;
}

/* Energies (relative) of a column: all, and what the grid has no room for, in frequency and in time. */
typedef struct shares {
    double all, band, window;
} shares;

/* The signal at t = (n - N/2) 2 pi/(N domega), without exp(i omega_first t); what is outside of the grid's window goes. */
static poy_status to_time(poy_ctx *ctx, const poy_grid *grid, const poy_launch_state *s, const double *S, int64_t n,
                          double *x, shares *share)
{
    const double half = 0.5 * grid->info.window * (1.0 + 1e-9), dt = 2.0 * POYI_PI / ((double)n * s->domega);
    memset(x, 0, (size_t)n * 2 * sizeof *x);
    for (int64_t k = 0; k < s->n; k++) { /* t = 0 in the middle */
        x[2 * k] = S[2 * k] * poyi_launch_middle(k);
        x[2 * k + 1] = S[2 * k + 1] * poyi_launch_middle(k);
    }
    POYI_TRY(ctx, poyi_fft(ctx, +1, n, x));
    for (int64_t i = 0; i < n; i++) {
        const double t = dt * (double)(i - n / 2);
        if (fabs(t) <= half)
            continue;
        share->window += (x[2 * i] * x[2 * i] + x[2 * i + 1] * x[2 * i + 1]) / (double)n; /* Parseval: as sum |S|^2 */
        x[2 * i] = x[2 * i + 1] = 0.0;
    }
    return POY_OK;
}

/* The transform of that signal at the grid's frequencies from low to high, rising. */
static poy_status resample(poy_ctx *ctx, const poy_grid *grid, const poy_launch_state *s, const double *S, double *a,
                           shares *share)
{
    const double d = grid->info.domega, start = first_omega(grid);
    const int64_t from = (int64_t)fmax(0.0, ceil((s->omega - start) / d - 1e-9));
    const int64_t most = grid->info.field == POY_FIELD_REAL ? grid->info.n_w - 1 : grid->info.n_w; /* no Nyquist bin */
    const int64_t to =
        (int64_t)fmin((double)most - 1.0, floor((s->omega + (double)(s->n - 1) * s->domega - start) / d + 1e-9));
    const int64_t wanted = to - from + 1;
    int64_t n = 2, size = 2;
    double *x = NULL, factor[2];
    poy_status status;

    while (n < s->n)
        n *= 2;
    while (wanted > 0 && size < n + wanted)
        size *= 2;
    if (wanted <= 0)
        return POY_OK; /* the band says so */
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "launch.chirp", (size_t)size * 2 * sizeof *x, (void **)&x));
    POYI_TO_DONE(ctx, to_time(ctx, grid, s, S, n, x, share));
    /* omega - omega_first = w + m d, t = (i - n/2) dt */
    const long double dt = 2.0L * (long double)POYI_PI / ((long double)n * (long double)s->domega);
    const long double rate = (long double)d * dt;
    const long double w = (long double)start + (long double)from * (long double)d - (long double)s->omega;
    for (int64_t i = 0; i < n; i++) {
        const long double angle = w * dt * (long double)(i - n / 2);
        factor[0] = (double)cosl(angle) / (double)n;
        factor[1] = (double)-sinl(angle) / (double)n;
        times(x + 2 * i, factor);
    }
    POYI_TO_DONE(ctx, chirp_transform(ctx, n, wanted, rate, size, x));
    for (int64_t m = 0; m < wanted; m++) {
        const long double angle = rate * (long double)m * (long double)(n / 2);
        factor[0] = (double)cosl(angle);
        factor[1] = (double)sinl(angle);
        times(x + 2 * m, factor);
        put(grid, from + m, x[2 * m], x[2 * m + 1], a);
    }
done:
    poyi_free((void **)&x);
    return status;
}

/* ---- one column ---- */

static poy_status convert(poy_ctx *ctx, const poy_grid *grid, const poy_launch_state *s, int column, double *a,
                          shares *share)
{
    const double *S = s->spectrum + (int64_t)2 * column * s->n;
    double low = 0.0, high = 0.0;
    int64_t first = 0;
    const int64_t n = grid->info.n_w, ends = grid->info.field == POY_FIELD_REAL;

    memset(a, 0, (size_t)n * 2 * sizeof *a);
    poyi_grid_band(grid, &low, &high);
    if (grid->info.windows) { /* the signal band is wider than the limits (docs/physics.md 2) */
        low *= 0.5;
        high *= 1.1;
    }
    for (int64_t k = 0; k < s->n; k++) {
        const double omega = s->omega + (double)k * s->domega,
                     square = S[2 * k] * S[2 * k] + S[2 * k + 1] * S[2 * k + 1];
        share->all += square;
        share->band += omega < low - s->domega || omega > high + s->domega ? square : 0.0;
    }
    if (!same_bins(grid, s, &first))
        return resample(ctx, grid, s, S, a, share);
    for (int64_t k = 0; k < s->n; k++)
        if (first + k >= ends && first + k < n - ends)
            put(grid, first + k, S[2 * k], S[2 * k + 1], a);
    return POY_OK;
}

/* ---- all of them ---- */

static poy_status judge(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, const shares *share)
{
    const double band = share->band / share->all, window = share->window / share->all;
    int64_t first = 0;
    if (!(share->all > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.from: there is no light in it", pulse->index);
    if (band > refused)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.from: %.2g of its energy lies outside the band of this grid: give "
                         "grid.wavelength_min and grid.wavelength_max as it had them",
                         pulse->index, band);
    if (window > refused)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.from: %.2g of its energy lies outside the window of this grid, %.4g s: widen "
                         "grid.window to %.4g s",
                         pulse->index, window, grid->info.window, 2.0 * POYI_PI / pulse->o.state->domega);
    if (band > told || window > told)
        poyi_warn(ctx,
                  "pulse.%d.from: %.2g of its energy lies outside the band of this grid, %.2g outside its window, and "
                  "is cut off",
                  pulse->index, band, window);
    if (same_bins(grid, pulse->o.state, &first))
        poyi_log(ctx, POY_LOG_INFO, "pulse.%d.from: taken as it is: the grids have the same bins", pulse->index);
    else
        poyi_log(ctx, POY_LOG_INFO,
                 "pulse.%d.from: taken to another grid: of its energy %.2g lay outside the band, %.2g outside the "
                 "window",
                 pulse->index, band, window);
    return POY_OK;
}

/* The pulse in the mode of a column, for what it goes through. */
static poyi_pulse in_column(const poyi_pulse *pulse, int column)
{
    const poy_problem *problem = pulse->problem;
    poyi_pulse out = *pulse;
    if (problem && problem->medium && column >= 0 && column < problem->n_c)
        out.o.mode = problem->medium->modes[column];
    return out;
}

/* To the energy that was asked for, all columns together. */
static void scale(const poyi_pulse *pulse, double energy, int64_t n, double *spectra)
{
    const double factor = isnan(pulse->o.energy) ? 1.0 : sqrt(pulse->o.energy / energy);
    for (int64_t i = 0; i < 2 * n && factor != 1.0; i++)
        spectra[i] *= factor;
}

poy_status poyi_launch_state_columns(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectra,
                                     int *strongest)
{
    const poy_launch_state *s = pulse->o.state;
    const int64_t n = grid->info.n_w;
    double energy = 0.0, most = -1.0;
    shares share = {.all = 0.0};

    for (int c = 0; c < s->n_columns; c++)
        POYI_TRY(ctx, convert(ctx, grid, s, c, spectra + (int64_t)2 * c * n, &share));
    POYI_TRY(ctx, judge(ctx, grid, pulse, &share));
    for (int c = 0; c < s->n_columns; c++) {
        double *a = spectra + (int64_t)2 * c * n;
        const poyi_pulse own_mode = in_column(pulse, s->columns[c]);
        poyi_launch_phases(ctx, grid, pulse, a);
        POYI_TRY(ctx, poyi_passages_apply(ctx, grid, &own_mode, a));
        const double own = poyi_spectrum_energy(&grid->info, a);
        if (strongest && own > most)
            *strongest = c;
        most = fmax(most, own);
        energy += own;
    }
    if (!(energy > 0.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d: carries no light inside the grid's band", pulse->index);
    scale(pulse, energy, s->n_columns * n, spectra);
    return POY_OK;
}
