/* launch.c: the spectrum that a run starts from: pulses of closed form, constant waves and measured pulses, with their
 * phases, scaled, added coherently; and states of other runs (docs/physics.md 9). */
#include <string.h>

#include "core/warn.h"
#include "math/fft.h"
#include "pulse/setup/setup.h"
#include "pulse/spectral.h"

int64_t poyi_launch_bin(const poy_grid_info *g, int64_t k)
{
    return g->field == POY_FIELD_REAL || k < g->n_w / 2 ? k : k - g->n_w;
}

double poyi_launch_middle(int64_t bin)
{
    return bin % 2 ? -1.0 : 1.0;
}

/* ---- shapes ---- */

/* I(t) / I(0). */
static double intensity(const poyi_pulse *p, double t)
{
    if (p->o.shape == POY_SHAPE_SECH2) {
        const double x = fabs(t / p->t0), c = x < 350.0 ? 1.0 / cosh(x) : 0.0; /* cosh(700)^2 overflows */
        return c * c;
    }
    if (p->o.shape == POY_SHAPE_GAUSSIAN) /* exp(-(t / t0)^(2 m)): t0 at 1/e */
        return exp(-pow(t * t / (p->t0 * p->t0), p->o.order));
    const double x = t / p->fwhm, y = 1.0 + 4.0 * (sqrt(2.0) - 1.0) * x * x;
    return 1.0 / (y * y);
}

/* sqrt(I) exp(i (omega_p - omega0) t) of an envelope, sqrt(I) cos(omega_p t) of a real field. a c128 [n_t]. */
static poy_status make_shape(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const int real = grid->info.field == POY_FIELD_REAL;
    const double offset = p->omega - (real ? 0.0 : grid->info.omega0);
    for (int64_t n = 0; n < grid->info.n_t; n++) {
        const double t = grid->time[n], amplitude = sqrt(intensity(p, t));
        a[2 * n] = amplitude * cos(offset * t);
        a[2 * n + 1] = real ? 0.0 : amplitude * sin(offset * t);
    }
    return poyi_fft(ctx, -1, grid->info.n_t, a);
}

/* ---- phases ---- */

/* phi(omega) = sum over j of phi_j x^j / j!, x = omega - omega_p, by Horner's rule. */
static double taylor_phase(const poy_pulse_options *o, double x)
{
    const double low[5] = {o->cep, o->delay, o->gdd, o->tod, o->fod};
    double sum = 0.0;
    for (int j = 4 + o->n_coefficients; j >= 0; j--)
        sum = (j < 5 ? low[j] : o->coefficients[j - 5]) + sum * x / (j + 1);
    return sum;
}

/* A <- A exp(-i phi); what lies outside the signal band goes, and its share of the energy is told. */
void poyi_launch_phases(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, double *a)
{
    double lost = 0.0, kept = 0.0;
    for (int64_t k = 0; k < grid->info.n_w; k++) {
        const double phi = taylor_phase(&p->o, grid->omega[k] - p->omega), c = cos(phi), s = sin(phi);
        const double re = a[2 * k], im = a[2 * k + 1];
        *(grid->mask[k] ? &kept : &lost) += re * re + im * im;
        a[2 * k] = grid->mask[k] ? re * c + im * s : 0.0;
        a[2 * k + 1] = grid->mask[k] ? im * c - re * s : 0.0;
    }
    if (lost > 1e-6 * kept)
        poyi_warn(ctx, "pulse.%d: %.2g of its energy lies outside the grid's signal band, and is cut off", p->index,
                  lost / (lost + kept));
}

/* ---- strength ---- */

/* Largest |A(t_n)|^2; warns where the pulse does not fit into the window. */
static poy_status launch_peak(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, const double *a, double *peak)
{
    const int64_t n = grid->info.n_t, edge = n / 40; /* the outer 5 % are 2.5 % at each end */
    double *work = NULL, outer = 0.0, all = 0.0;
    poy_status status;

    *peak = 0.0;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "launch.time", (size_t)n * 2 * sizeof *work, (void **)&work));
    poyi_spectrum_signal(&grid->info, a, work);
    POYI_TO_DONE(ctx, poyi_fft(ctx, +1, n, work));
    for (int64_t i = 0; i < n; i++) {
        const double power = (work[2 * i] * work[2 * i] + work[2 * i + 1] * work[2 * i + 1]) / ((double)n * (double)n);
        *peak = fmax(*peak, power);
        all += power;
        outer += i < edge || i >= n - edge ? power : 0.0;
    }
    if (p->o.shape != POY_SHAPE_CW && outer > 1e-6 * all)
        poyi_warn(ctx, "pulse.%d: %.2g of its energy lies in the outer 5 %% of the window: widen grid.window", p->index,
                  outer / all);
done:
    poyi_free((void **)&work);
    return status;
}

/* Scales to the energy, to the average power, or to the peak power after the phases. peak: what the peak has become. */
static poy_status scale(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, double *a, double *peak)
{
    const double energy = poyi_spectrum_energy(&grid->info, a);
    POYI_TRY(ctx, launch_peak(ctx, grid, p, a, peak));
    const double wanted = isnan(p->o.average_power) ? p->o.energy : poyi_cw_energy(grid, p);
    const double ratio = isnan(wanted) ? p->o.peak_power / *peak : wanted / energy, factor = sqrt(ratio);
    if (!isfinite(factor))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d: carries no light inside the grid's band", p->index);
    for (int64_t i = 0; i < 2 * grid->info.n_w; i++)
        a[i] *= factor;
    *peak *= ratio;
    return POY_OK;
}

/* ---- sum ---- */

/* spectrum += A (1 + 2 sqrt(r) cos 2 pi f t): every bin also m bins higher and lower, times sqrt(r) exp(-i pi m). */
static void add(const poy_grid *grid, const poyi_pulse *p, const double *a, double *spectrum)
{
    const int64_t n = grid->info.n_w, m = p->sideband_bin;
    const double side = m ? sqrt(p->o.sideband_power) * poyi_launch_middle(m) : 0.0;
    for (int64_t k = 0; k < n; k++) {
        const double *below = a + 2 * ((k - m + n) % n), *above = a + 2 * ((k + m) % n);
        if (!grid->mask[k])
            continue;
        spectrum[2 * k] += a[2 * k] + side * (below[0] + above[0]);
        spectrum[2 * k + 1] += a[2 * k + 1] + side * (below[1] + above[1]);
    }
}

/* Of a state the column with most of the energy. */
static poy_status add_strongest(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum,
                                double *peak)
{
    const int64_t n = grid->info.n_w;
    double *all = NULL, highest = 0.0;
    int column = 0;
    poy_status status;

    POYI_TO_DONE(
        ctx, poyi_alloc(ctx, "launch.state", (size_t)(pulse->o.state->n_columns * n) * 2 * sizeof *all, (void **)&all));
    POYI_TO_DONE(ctx, poyi_launch_state_columns(ctx, grid, pulse, all, &column));
    const double *a = all + 2 * (int64_t)column * n;
    POYI_TO_DONE(ctx, launch_peak(ctx, grid, pulse, a, &highest));
    for (int64_t k = 0; k < 2 * n; k++)
        spectrum[k] += a[k];
    if (peak)
        *peak = highest;
done:
    poyi_free((void **)&all);
    return status;
}

poy_status poyi_launch_add(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum, double *peak)
{
    if (pulse->o.shape == POY_SHAPE_STATE)
        return add_strongest(ctx, grid, pulse, spectrum, peak);
    double *a = NULL, highest = 0.0;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_alloc(ctx, "launch.pulse", (size_t)grid->info.n_t * 2 * sizeof *a, (void **)&a));
    poy_status (*const make)(poy_ctx *, const poy_grid *, const poyi_pulse *, double *) =
        pulse->o.shape == POY_SHAPE_CW        ? poyi_cw_make
        : pulse->o.shape == POY_SHAPE_DATA    ? poyi_measured_spectrum
        : pulse->o.shape == POY_SHAPE_PROFILE ? poyi_measured_profile
                                              : make_shape;
    POYI_TO_DONE(ctx, make(ctx, grid, pulse, a));
    poyi_launch_phases(ctx, grid, pulse, a);
    POYI_TO_DONE(ctx, poyi_passages_apply(ctx, grid, pulse, a));
    POYI_TO_DONE(ctx, scale(ctx, grid, pulse, a, &highest));
    add(grid, pulse, a, spectrum);
    if (peak)
        *peak = highest;
done:
    poyi_free((void **)&a);
    return status;
}

/* Warns where the spectrum reaches the outer 5 % of the signal band. */
static void check_band(poy_ctx *ctx, const poy_grid *grid, const double *spectrum)
{
    double low = INFINITY, high = -INFINITY, outer = 0.0, all = 0.0;
    for (int64_t k = 0; k < grid->info.n_w; k++)
        if (grid->mask[k]) {
            low = fmin(low, grid->omega[k]);
            high = fmax(high, grid->omega[k]);
        }
    const double edge = 0.025 * (high - low);
    for (int64_t k = 0; k < grid->info.n_w; k++) {
        const double square = spectrum[2 * k] * spectrum[2 * k] + spectrum[2 * k + 1] * spectrum[2 * k + 1];
        all += square;
        outer += grid->omega[k] < low + edge || grid->omega[k] > high - edge ? square : 0.0;
    }
    if (outer > 1e-6 * all)
        poyi_warn(ctx, "launch: %.2g of the energy lies in the outer 5 %% of the signal band", outer / all);
}

/* Each column of a state in that of the problem. */
static poy_status add_state(poy_ctx *ctx, const poy_problem *problem, const poyi_pulse *pulse, double *spectrum)
{
    const poy_launch_state *state = pulse->o.state;
    const int64_t n = problem->n_w;
    double *all = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_alloc(ctx, "launch.state", (size_t)(state->n_columns * n) * 2 * sizeof *all, (void **)&all));
    POYI_TO_DONE(ctx, poyi_launch_state_columns(ctx, problem->grid, pulse, all, NULL));
    for (int i = 0; i < state->n_columns; i++) {
        double *column = spectrum + 2 * (int64_t)state->columns[i] * n;
        if (state->columns[i] >= problem->n_c) {
            status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.from: column %d: the problem has %lld", pulse->index,
                               state->columns[i], (long long)problem->n_c);
            break;
        }
        for (int64_t k = 0; k < 2 * n && state->columns[i] >= 0; k++)
            column[k] += all[2 * (int64_t)i * n + k];
    }
done:
    poyi_free((void **)&all);
    return status;
}

/* The pulse in each column of spectrum. */
static poy_status add_columns(poy_ctx *ctx, const poy_problem *problem, const poyi_pulse *pulse, double *alone,
                              double *weights, double *spectrum)
{
    const int64_t n = problem->n_w;
    if (pulse->o.shape == POY_SHAPE_STATE)
        return add_state(ctx, problem, pulse, spectrum);
    memset(alone, 0, (size_t)n * 2 * sizeof *alone);
    POYI_TRY(ctx, poyi_launch_weights(ctx, problem, pulse, weights));
    POYI_TRY(ctx, poyi_launch_add(ctx, problem->grid, pulse, alone, NULL));
    for (int64_t c = 0; c < problem->n_c; c++) {
        const double re = weights[2 * c], im = weights[2 * c + 1];
        double *column = spectrum + 2 * c * n;
        for (int64_t k = 0; k < n; k++) {
            column[2 * k] += re * alone[2 * k] - im * alone[2 * k + 1];
            column[2 * k + 1] += re * alone[2 * k + 1] + im * alone[2 * k];
        }
    }
    return POY_OK;
}

poy_status poy_launch_create(poy_ctx *ctx, const poy_problem *problem, const poy_pulse_options *pulses, int n_pulses,
                             double *spectrum)
{
    const poy_grid *grid = problem->grid;
    const unsigned char *next = (const unsigned char *)pulses; /* structs of the caller's size */
    const int64_t n_c = problem->n_c, n_w = problem->n_w;
    poyi_pulse *list = NULL;
    double *sum = NULL;
    poy_status status;

    if (n_pulses < 1 || !pulses)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse: %d given: a launch needs at least one", pulses ? n_pulses : 0);
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "launch", (size_t)n_pulses * sizeof *list, (void **)&list));
    for (int i = 0; i < n_pulses; i++) { /* everything is refused before anything is done */
        const void *options = next + (size_t)i * pulses->size;
        POYI_TO_DONE(ctx, poyi_pulse_check(ctx, grid, i, options, &list[i]));
        list[i].problem = problem;
    }
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "launch.spectrum", (size_t)(2 * ((n_c + 1) * n_w + n_c)) * sizeof *sum,
                                      (void **)&sum));
    double *alone = sum + 2 * n_c * n_w, *weights = alone + 2 * n_w;
    for (int i = 0; i < n_pulses; i++)
        POYI_TO_DONE(ctx, add_columns(ctx, problem, &list[i], alone, weights, sum));
    for (int64_t c = 0; c < n_c; c++)
        check_band(ctx, grid, sum + 2 * c * n_w);
    if (problem->noise == POY_NOISE_SHOT || problem->noise == POY_NOISE_GAUSSIAN)
        poyi_noise_add(problem, sum);
    memcpy(spectrum, sum, (size_t)(2 * n_c * n_w) * sizeof *sum);
done:
    poyi_free((void **)&sum);
    poyi_free((void **)&list);
    return status;
}
