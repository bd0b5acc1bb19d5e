/* grid.c: time and frequency grids of a real field (docs/physics.md 2) and of an envelope (or a given number of
 * samples). */
#include <stdlib.h>

#include "pulse/setup/setup.h"

enum { SAMPLES_MAX = 1 << 26, FACTOR_MAX = 13 };

void poy_grid_options_init(poy_grid_options *o)
{
    *o = (poy_grid_options){.size = sizeof *o, .field = POY_FIELD_ENVELOPE};
}

/* ---- checks ---- */

static int has_limits(const poy_grid_options *o)
{
    return o->wavelength_min != 0.0 || o->wavelength_max != 0.0;
}

static poy_status check_limits(poy_ctx *ctx, const poy_grid_options *o)
{
    POYI_TRY(ctx, poyi_check_positive(ctx, "grid.wavelength_min", o->wavelength_min, "m"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "grid.wavelength_max", o->wavelength_max, "m"));
    if (o->wavelength_min >= o->wavelength_max)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid.wavelength_min: %g m is not below grid.wavelength_max, %g m",
                         o->wavelength_min, o->wavelength_max);
    if (o->reference <= o->wavelength_min)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid.wavelength_min: %g m is not below the carrier, %g m: lower it",
                         o->wavelength_min, o->reference);
    if (o->reference >= o->wavelength_max)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid.wavelength_max: %g m is not above the carrier, %g m: raise it",
                         o->wavelength_max, o->reference);
    return POY_OK;
}

static poy_status check_options(poy_ctx *ctx, const poy_grid_options *o)
{
    POYI_TRY(ctx, poyi_check_choice(ctx, "physics.field", (int)o->field, 2, "envelope, real"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "grid.reference", o->reference, "m"));
    POYI_TRY(ctx, poyi_check_positive(ctx, "grid.window", o->window, "s"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "grid.dt_max", o->dt_max, "s"));
    if (has_limits(o))
        POYI_TRY(ctx, check_limits(ctx, o));
    else if (o->samples == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "grid.samples: missing: give it, or grid.wavelength_min and grid.wavelength_max");
    if (o->field == POY_FIELD_REAL && (o->samples != 0 || !has_limits(o)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "grid.%s: a real field is sampled for its band: give grid.wavelength_min and "
                         "grid.wavelength_max alone, or physics.field = envelope",
                         o->samples != 0 ? "samples" : "wavelength_min");
    if (o->samples != 0 && o->thg)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "grid.samples: %lld leaves no room for third harmonics (physics.thg): "
                         "give grid.wavelength_min and grid.wavelength_max alone",
                         (long long)o->samples);
    return POY_OK;
}

/* ---- sizes ---- */

static int64_t largest_factor(int64_t n)
{
    int64_t largest = 1;
    for (int64_t p = 2; p * p <= n; p++)
        while (n % p == 0) {
            largest = p;
            n /= p;
        }
    return n > largest ? n : largest;
}

static int transforms_well(int64_t n)
{
    return n % 2 == 0 && largest_factor(n) <= FACTOR_MAX;
}

/* Whether a given number of samples spans the wavelength limits. */
static poy_status check_reach(poy_ctx *ctx, const poy_grid_options *o, const poy_grid_info *info)
{
    const double below = info->omega0 - 2.0 * POYI_PI * POYI_C / o->wavelength_max,
                 above = 2.0 * POYI_PI * POYI_C / o->wavelength_min - info->omega0,
                 needed = ceil(2.0 * fmax(below, above) / info->domega);
    if ((double)info->n_t < needed)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "grid.samples: %lld in %g s do not reach the wavelength limits, %g to %g m: %g or more do",
                         (long long)info->n_t, o->window, o->wavelength_min, o->wavelength_max, needed);
    return POY_OK;
}

/* dt = window / samples and N = samples, exactly. */
static poy_status plan_samples(poy_ctx *ctx, const poy_grid_options *o, poy_grid_info *info)
{
    const int64_t n = o->samples;
    if (n < 10 || n > SAMPLES_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid.samples: %lld is outside 10 to %d", (long long)n, SAMPLES_MAX);
    if (!transforms_well(n)) {
        int64_t below = n, above = n;
        while (below > 10 && !transforms_well(below))
            below--;
        while (!transforms_well(above))
            above++;
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "grid.samples: %lld is odd or has a prime factor above %d: use %lld or %lld", (long long)n,
                         FACTOR_MAX, (long long)below, (long long)above);
    }
    info->n_t = info->n_to = n;
    info->dt = info->dt_fine = o->window / (double)n;
    info->domega = 2.0 * POYI_PI / o->window;
    info->window = o->window;
    if (info->windows)
        POYI_TRY(ctx, check_reach(ctx, o, info));
    if (o->dt_max > 0.0 && info->dt > o->dt_max)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid.samples: %lld in %g s are %g s apart, above grid.dt_max, %g s",
                         (long long)n, o->window, info->dt, o->dt_max);
    return POY_OK;
}

/* Coarse bins of an oversampled grid, n_t / 2: a power of two that reaches 1.1 omega_max above the carrier
 * (docs/physics.md 2) and omega_min below it; at most n_to / 2. */
static int64_t half_coarse(const poy_grid_options *o, const poy_grid_info *info)
{
    const double top = 1.1 * 2.0 * POYI_PI * POYI_C / o->wavelength_min - info->domega;
    const double bottom = 2.0 * POYI_PI * POYI_C / o->wavelength_max;
    int64_t k = 0, half = 1;
    while (k < info->n_to / 2 &&
           (info->omega0 + (double)k * info->domega < top || info->omega0 - (double)(k + 1) * info->domega > bottom))
        k++;
    while (half < k + 1)
        half *= 2;
    return half < info->n_to / 2 ? half : info->n_to / 2;
}

/* Fine samples: a power of two of them, dt_fine apart, span the window; where that takes more, the window grows. */
static poy_status span_window(poy_ctx *ctx, const poy_grid_options *o, poy_grid_info *info)
{
    if (o->window < 10.0 * info->dt_fine)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid.window: %g s holds fewer than 10 samples of %g s: widen it",
                         o->window, info->dt_fine);
    const double octaves = ceil(log2(o->window / info->dt_fine));
    if (octaves > log2(SAMPLES_MAX))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "grid.window: %g s at %g s a sample needs 2^%g samples, above 2^26: narrow it, or the band",
                         o->window, info->dt_fine, octaves);
    info->n_to = INT64_C(1) << (int)octaves;
    info->window = info->dt_fine * (double)info->n_to;
    info->domega = 2.0 * POYI_PI / info->window;
    return POY_OK;
}

/* The rules of docs/physics.md 2: E^3 of a band up to f_max reaches 3 f_max, the fine grid's Nyquist frequency; the
 * state keeps a power of two of bins that goes beyond 1.1 omega_max. */
static poy_status plan_real(poy_ctx *ctx, const poy_grid_options *o, poy_grid_info *info)
{
    const double f_max = POYI_C / o->wavelength_min, top = 1.1 * 2.0 * POYI_PI * f_max;
    int64_t first = 0, half = 1;

    info->dt_fine = 1.0 / (6.0 * f_max);
    if (o->dt_max > 0.0)
        info->dt_fine = fmin(info->dt_fine, o->dt_max);
    POYI_TRY(ctx, span_window(ctx, o, info));
    while ((double)first * info->domega <= top)
        first++;
    while (half < first + 1)
        half *= 2;
    info->n_t = 2 * (half < info->n_to / 2 ? half : info->n_to / 2);
    info->dt = info->dt_fine * ((double)info->n_to / (double)info->n_t);
    return POY_OK;
}

/* The rules of docs/physics.md 2: N a power of two, the window grows, the sampling is fixed by the band. */
static poy_status plan_limits(poy_ctx *ctx, const poy_grid_options *o, poy_grid_info *info)
{
    const double f0 = POYI_C / o->reference, f_max = POYI_C / o->wavelength_min, f_min = POYI_C / o->wavelength_max;
    const double high = (o->thg ? f_max : 1.1 * f_max) - f0, low = f0 - f_min;
    int oversampled = o->thg != 0;

    info->dt_fine = 1.0 / ((o->thg ? 6.0 : 2.0) * fmax(low, high));
    if (low > high)
        poyi_log(ctx, POY_LOG_INFO, "grid: the long-wave side (%g Hz below the carrier) sets the sampling", low);
    if (o->dt_max > 0.0 && o->dt_max < info->dt_fine) {
        info->dt_fine = o->dt_max;
        oversampled = 1;
    }
    POYI_TRY(ctx, span_window(ctx, o, info));
    info->n_t = oversampled ? 2 * half_coarse(o, info) : info->n_to;
    info->dt = info->dt_fine * ((double)info->n_to / (double)info->n_t);
    return POY_OK;
}

/* ---- arrays ---- */

static double planned_time(int64_t i, int64_t n, double dt)
{
    return ((double)i - 0.5 * (double)n) * dt; /* n is even */
}

static void fill_window_t(const poy_grid *g, int64_t n, double dt, double *window)
{
    const double first = planned_time(0, n, dt), last = planned_time(n - 1, n, dt), edge = 0.5 * g->window;
    for (int64_t i = 0; i < n; i++)
        window[i] = g->info.windows ? poyi_planck_taper(planned_time(i, n, dt), first, -edge, edge, last) : 1.0;
}

void poyi_grid_window_slope(const poy_grid *g, double *out)
{
    const int64_t n = g->info.n_to;
    const double dt = g->info.dt_fine, edge = 0.5 * g->window;
    for (int64_t i = 0; i < n; i++)
        out[i] = g->info.windows ? poyi_planck_slope(planned_time(i, n, dt), planned_time(0, n, dt), -edge, edge,
                                                     planned_time(n - 1, n, dt))
                                 : 0.0;
}

static void fill(poy_grid *g)
{
    const poy_grid_info *info = &g->info;
    double low = 0.0, high = 0.0;

    poyi_grid_band(g, &low, &high);
    for (int64_t k = 0; k < info->n_w; k++) {
        const int64_t bin = info->field == POY_FIELD_REAL || k < info->n_w / 2 ? k : k - info->n_w;
        const double omega = (info->field == POY_FIELD_REAL ? 0.0 : info->omega0) + (double)bin * info->domega;
        g->omega[k] = omega;
        g->mask[k] = !info->windows || (omega > 0.5 * low && omega < 1.1 * high);
        g->window_w[k] = info->windows ? poyi_planck_taper(omega, 0.5 * low, low, high, 1.1 * high) : 1.0;
    }
    for (int64_t i = 0; i < info->n_t; i++)
        g->time[i] = planned_time(i, info->n_t, info->dt);
    fill_window_t(g, info->n_t, info->dt, g->window_t);
    fill_window_t(g, info->n_to, info->dt_fine, g->window_to);
}

static poy_status allocate(poy_ctx *ctx, poy_grid *g)
{
    const size_t n_w = (size_t)g->info.n_w, n_t = (size_t)g->info.n_t, n_to = (size_t)g->info.n_to; /* at most 2^26 */
    POYI_TRY(ctx, poyi_alloc(ctx, "grid.omega", n_w * sizeof *g->omega, (void **)&g->omega));
    POYI_TRY(ctx, poyi_alloc(ctx, "grid.time", n_t * sizeof *g->time, (void **)&g->time));
    POYI_TRY(ctx, poyi_alloc(ctx, "grid.window_w", n_w * sizeof *g->window_w, (void **)&g->window_w));
    POYI_TRY(ctx, poyi_alloc(ctx, "grid.window_t", n_t * sizeof *g->window_t, (void **)&g->window_t));
    POYI_TRY(ctx, poyi_alloc(ctx, "grid.window_to", n_to * sizeof *g->window_to, (void **)&g->window_to));
    POYI_TRY(ctx, poyi_alloc(ctx, "grid.mask", n_w * sizeof *g->mask, (void **)&g->mask));
    return POY_OK;
}

/* ---- the object ---- */

poy_status poy_grid_create(poy_ctx *ctx, const poy_grid_options *options, poy_grid **out)
{
    poy_grid_options o;
    poy_grid_info info = {0};
    poy_grid *g = NULL;
    poy_status status;

    *out = NULL;
    poy_grid_options_init(&o);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_grid_options", options, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, check_options(ctx, &o));
    info.field = o.field;
    info.thg = o.thg != 0;
    info.omega0 = 2.0 * POYI_PI * POYI_C / o.reference;
    info.windows = has_limits(&o);
    if (o.field == POY_FIELD_REAL)
        POYI_TRY(ctx, plan_real(ctx, &o, &info));
    else if (o.samples != 0)
        POYI_TRY(ctx, plan_samples(ctx, &o, &info));
    else
        POYI_TRY(ctx, plan_limits(ctx, &o, &info));
    info.n_w = o.field == POY_FIELD_REAL ? info.n_t / 2 + 1 : info.n_t;
    if (info.windows && info.window == o.window)
        poyi_log(ctx, POY_LOG_INFO, "grid: %lld samples fill the window of %g s: its taper has no room",
                 (long long)info.n_to, o.window);

    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "grid", sizeof *g, (void **)&g));
    g->references = 1;
    g->info = info;
    g->reference = o.reference;
    g->wavelength_min = o.wavelength_min;
    g->wavelength_max = o.wavelength_max;
    g->window = o.window;
    POYI_TO_DONE(ctx, allocate(ctx, g));
    fill(g);
    *out = g;
    g = NULL;
done:
    poy_grid_destroy(&g);
    return status;
}

poy_grid *poy_grid_retain(poy_grid *grid)
{
    atomic_fetch_add(&grid->references, 1);
    return grid;
}

void poy_grid_destroy(poy_grid **grid)
{
    poy_grid *g = *grid;
    *grid = NULL;
    if (!g || (g->references > 0 && atomic_fetch_sub(&g->references, 1) != 1))
        return;
    poyi_free((void **)&g->omega);
    poyi_free((void **)&g->time);
    poyi_free((void **)&g->window_w);
    poyi_free((void **)&g->window_t);
    poyi_free((void **)&g->window_to);
    poyi_free((void **)&g->mask);
    poyi_free((void **)&g);
}

const poy_grid_info *poy_grid_get(const poy_grid *grid)
{
    return &grid->info;
}

const double *poy_grid_omega(const poy_grid *grid)
{
    return grid->omega;
}

const double *poy_grid_time(const poy_grid *grid)
{
    return grid->time;
}

const double *poy_grid_window_w(const poy_grid *grid)
{
    return grid->window_w;
}

const double *poy_grid_window_t(const poy_grid *grid)
{
    return grid->window_t;
}

const double *poy_grid_window_to(const poy_grid *grid)
{
    return grid->window_to;
}

const unsigned char *poy_grid_mask(const poy_grid *grid)
{
    return grid->mask;
}

void poyi_grid_band(const poy_grid *grid, double *low, double *high)
{
    const double two_pi_c = 2.0 * POYI_PI * POYI_C, half = 0.5 * (double)grid->info.n_w * grid->info.domega;
    if (grid->info.windows) {
        *low = two_pi_c / grid->wavelength_max;
        *high = two_pi_c / grid->wavelength_min;
    } else {
        *low = fmax(grid->info.domega, grid->info.omega0 - half);
        *high = grid->info.omega0 + half - grid->info.domega;
    }
}
