/* cw.c: constant waves: one bin of the grid, or a line of a width with random phases (docs/physics.md 9). */
#include <string.h>

#include "core/warn.h"
#include "math/fft.h"
#include "pulse/setup/setup.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

/* Random numbers of lines: no column of noise has this one (noise.c). */
static const uint64_t LINE_STREAM = (uint64_t)1 << 32;

static double bin_width(const poy_grid *grid)
{
    return grid->info.domega / (2.0 * POYI_PI);
}

/* ---- checks ---- */

/* The bin of a wave without a width, which has to be periodic in the window. */
static poy_status find_bin(poy_ctx *ctx, const poy_grid *grid, poyi_pulse *p)
{
    const double bins = (p->omega - grid->info.omega0) / grid->info.domega, nearest = nearbyint(bins);
    if (fabs(bins - nearest) > 1e-6)
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "pulse.%d.wavelength: %.12g m lies between two bins, so that a constant wave would jump at the ends "
            "of the window: the nearest bin is %.15g m",
            p->index, p->o.wavelength, TWO_PI_C / (grid->info.omega0 + nearest * grid->info.domega));
    p->bin = (int64_t)nearest;
    return POY_OK;
}

static poy_status check_line(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p)
{
    const poy_pulse_options *o = &p->o;
    char key[64];
    POYI_TRY(ctx, poyi_check_choice(ctx, poyi_pulse_key(p, "line", key), (int)o->line, 4,
                                    "sech2, gaussian, lorentzian, phase_diffusion"));
    POYI_TRY(ctx, poyi_check_positive(ctx, poyi_pulse_key(p, "linewidth", key), o->linewidth, "Hz"));
    if (o->linewidth < bin_width(grid))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: %g Hz is below a bin of the grid, %g Hz: the wave is coherent over more than the window: "
                         "leave it out, or widen grid.window",
                         key, o->linewidth, bin_width(grid));
    double low, high;
    poyi_grid_band(grid, &low, &high);
    const double room = fmin(p->omega - low, high - p->omega) / (2.0 * POYI_PI);
    if (0.5 * o->linewidth > room)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: %g Hz, but the grid ends %g Hz from the carrier, before the line has fallen to a half: "
                         "narrow it, or widen the grid",
                         key, o->linewidth, room);
    if (o->line != POY_LINE_PHASE_DIFFUSION && !isnan(o->peak_power))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.peak_power: %g W, but the power of a line with random phases fluctuates: give "
                         "average_power",
                         p->index, o->peak_power);
    return POY_OK;
}

poy_status poyi_cw_check(poy_ctx *ctx, const poy_grid *grid, poyi_pulse *p)
{
    const poy_pulse_options *o = &p->o;
    if (o->shape != POY_SHAPE_CW && o->linewidth != 0.0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.linewidth: %g Hz is of cw alone: leave it out", p->index,
                         o->linewidth);
    if (o->shape != POY_SHAPE_CW && !isnan(o->average_power))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.average_power: %g W is of cw alone: give the energy of a pulse, which is this over "
                         "the repetition rate",
                         p->index, o->average_power);
    if (o->shape != POY_SHAPE_CW)
        return POY_OK;
    if (grid->info.windows)
        poyi_warn(ctx, "pulse.%d.shape: the time window of this grid cuts a constant wave off at its ends", p->index);
    if (o->linewidth != 0.0)
        return check_line(ctx, grid, p);
    return find_bin(ctx, grid, p);
}

/* ---- coherence ---- */

double poyi_cw_coherence(const poy_pulse_options *o)
{
    static const double sech_fwhm = 1.7627471740390859; /* of sech^2(x) */
    if (o->shape != POY_SHAPE_CW || !(o->linewidth > 0.0))
        return (double)NAN;
    switch (o->line) {
    case POY_LINE_SECH2: return sech_fwhm / (3.0 * o->linewidth);
    case POY_LINE_GAUSSIAN: return sqrt(2.0 * log(2.0) / POYI_PI) / o->linewidth;
    default: return 1.0 / (POYI_PI * o->linewidth);
    }
}

/* ---- spectra ---- */

/* A wave of power 1 in one bin. */
static void make_bin(const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const int64_t n = grid->info.n_w, k = p->bin < 0 ? p->bin + n : p->bin;
    memset(a, 0, (size_t)n * 2 * sizeof *a);
    a[2 * k] = (double)n * poyi_launch_middle(p->bin);
}

/* Of a line of full width 1 at half maximum, at the distance x from its middle. */
static double profile_of(poy_line line, double x)
{
    if (line == POY_LINE_GAUSSIAN)
        return exp(-4.0 * log(2.0) * x * x);
    if (line == POY_LINE_LORENTZIAN)
        return 1.0 / (1.0 + 4.0 * x * x);
    const double y = 2.0 * log(1.0 + sqrt(2.0)) * fabs(x), c = y < 350.0 ? 1.0 / cosh(y) : 0.0;
    return c * c;
}

/* The root of the line, with one random phase for each bin: as thermal light, whose power fluctuates. */
static void make_thermal(const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const double width = 2.0 * POYI_PI * p->o.linewidth;
    for (int64_t k = 0; k < grid->info.n_w; k++) {
        double uniform[2];
        poy_random_uniform2(p->o.line_seed, LINE_STREAM + (uint64_t)p->index, (uint64_t)k, uniform);
        const double size = sqrt(profile_of(p->o.line, (grid->omega[k] - p->omega) / width));
        a[2 * k] = size * cos(2.0 * POYI_PI * uniform[0]);
        a[2 * k + 1] = size * sin(2.0 * POYI_PI * uniform[0]);
    }
}

/* Power 1 with a phase that diffuses: normal steps of variance 2 pi linewidth dt make a Lorentzian line (Lax, Phys. Rev.
 * 160, 290 (1967)). The phase ends a whole number of turns from where it began, by less than half a turn spread over the
 * window: the wave is periodic as the grid is. a: its samples, c128 [n_t]. */
static void make_diffusion(const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const int64_t n = grid->info.n_t;
    const double step = sqrt(2.0 * POYI_PI * p->o.linewidth * grid->info.dt),
                 turn = (p->omega - grid->info.omega0) * grid->info.dt;
    double phase = 0.0, uniform[2];
    for (int64_t i = 0; i < n; i++) { /* Box and Muller, 1958 */
        poy_random_uniform2(p->o.line_seed, LINE_STREAM + (uint64_t)p->index, (uint64_t)i, uniform);
        a[2 * i] = phase;
        phase += turn + step * sqrt(-2.0 * log1p(-uniform[0])) * cos(2.0 * POYI_PI * uniform[1]);
    }
    const double excess = remainder(phase, 2.0 * POYI_PI) / (double)n;
    for (int64_t i = 0; i < n; i++) {
        phase = a[2 * i] - excess * (double)i;
        a[2 * i] = cos(phase);
        a[2 * i + 1] = sin(phase);
    }
}

poy_status poyi_cw_make(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const int64_t n = grid->info.n_t;
    if (p->o.linewidth == 0.0) {
        make_bin(grid, p, a);
        return POY_OK;
    }
    if (p->o.line == POY_LINE_PHASE_DIFFUSION) {
        make_diffusion(grid, p, a);
    } else {
        make_thermal(grid, p, a);
        if (!grid->info.windows)
            return POY_OK;
        POYI_TRY(ctx, poyi_fft(ctx, +1, n, a));
    }
    for (int64_t i = 0; i < n && grid->info.windows; i++) {
        a[2 * i] *= grid->window_t[i];
        a[2 * i + 1] *= grid->window_t[i];
    }
    POYI_TRY(ctx, poyi_fft(ctx, -1, n, a));
    return POY_OK;
}

double poyi_cw_energy(const poy_grid *grid, const poyi_pulse *p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < grid->info.n_t; i++)
        sum += p->o.linewidth != 0.0 && grid->info.windows ? grid->window_t[i] * grid->window_t[i] : 1.0;
    return p->o.average_power * grid->info.dt * sum;
}
