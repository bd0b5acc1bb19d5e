/* measured.c: pulses that are known by tables: spectra with their phases, and powers in time (docs/physics.md 9). */
#include <string.h>

#include "core/warn.h"
#include "math/fft.h"
#include "pulse/setup/setup.h"

/* ---- checks ---- */

static poy_status check_rising(poy_ctx *ctx, const char *key, const double *x, int i, const char *unit)
{
    if (i > 0 && x[i] <= x[i - 1])
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: row %d: %g %s is not above the row before, %g %s: sort the rows",
                         key, i, x[i], unit, x[i - 1], unit);
    return POY_OK;
}

static void warn_of_jumps(poy_ctx *ctx, const char *key, const double *phase, int n)
{
    for (int i = 1; i < n; i++)
        if (fabs(phase[i] - phase[i - 1]) > POYI_PI)
            poyi_warn(ctx, "%s: row %d: the phase jumps by %g rad: it has to be unwrapped", key, i,
                      phase[i] - phase[i - 1]);
}

static poy_status check_spectrum(poy_ctx *ctx, const char *key, const poy_pulse_options *o)
{
    const double lowest = 1e10, highest = 1e18; /* Hz: from millimetre waves to X rays */
    if (!o->data_frequency || !o->data_density || !o->data_phase || o->n_data < 4)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: %d rows: a measured spectrum needs 4 or more of frequency, density and phase", key,
                         o->data_frequency && o->data_density && o->data_phase ? o->n_data : 0);
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->data_frequency, o->n_data, "Hz"));
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->data_density, o->n_data, "(density)"));
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->data_phase, o->n_data, "rad"));
    for (int i = 0; i < o->n_data; i++) {
        const double f = o->data_frequency[i];
        if (f < lowest || f > highest)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: row %d: %g Hz is no optical frequency: is the unit right?",
                             key, i, f);
        POYI_TRY(ctx, check_rising(ctx, key, o->data_frequency, i, "Hz"));
    }
    warn_of_jumps(ctx, key, o->data_phase, o->n_data);
    return POY_OK;
}

/* Width of the table where it crosses the level for the first and the last time, lines between rows; 0: never below it. */
static double width_at(const poy_pulse_options *o, double level)
{
    const double *t = o->profile_time, *p = o->profile_power;
    double first = t[0], last = t[0];
    int crossed = 0;
    for (int i = 1; i < o->n_profile; i++) {
        if ((p[i] >= level) == (p[i - 1] >= level))
            continue;
        last = t[i - 1] + (t[i] - t[i - 1]) * (level - p[i - 1]) / (p[i] - p[i - 1]);
        first = crossed++ ? first : last;
    }
    return last - first;
}

static poy_status check_profile(poy_ctx *ctx, const char *key, poyi_pulse *pulse)
{
    const poy_pulse_options *o = &pulse->o;
    const double slack = 0.01; /* of the highest power */
    double most = 0.0, least = 0.0;
    if (!o->profile_time || !o->profile_power || o->n_profile < 4)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %d rows: a measured power needs 4 or more of time and power", key,
                         o->profile_time && o->profile_power ? o->n_profile : 0);
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->profile_time, o->n_profile, "s"));
    POYI_TRY(ctx, poyi_check_list(ctx, key, o->profile_power, o->n_profile, "(power)"));
    if (o->profile_phase)
        POYI_TRY(ctx, poyi_check_list(ctx, key, o->profile_phase, o->n_profile, "rad"));
    for (int i = 0; i < o->n_profile; i++) {
        POYI_TRY(ctx, check_rising(ctx, key, o->profile_time, i, "s"));
        most = fmax(most, o->profile_power[i]);
        least = fmin(least, o->profile_power[i]);
    }
    if (!(most > 0.0) || least < -slack * most)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: powers from %g to %g: they cannot be below 0: is the background subtracted?", key, least,
                         most);
    if (fmax(o->profile_power[0], o->profile_power[o->n_profile - 1]) > slack * most)
        poyi_warn(ctx, "%s: the table ends at %.2g of the highest power: the pulse is cut off there", key,
                  fmax(o->profile_power[0], o->profile_power[o->n_profile - 1]) / most);
    if (o->profile_phase)
        warn_of_jumps(ctx, key, o->profile_phase, o->n_profile);
    const double fwhm = width_at(o, 0.5 * most), at_e = width_at(o, exp(-1.0) * most);
    pulse->fwhm = fwhm > 0.0 ? fwhm : (double)NAN;
    pulse->t0 = at_e > 0.0 ? 0.5 * at_e : (double)NAN;
    return POY_OK;
}

poy_status poyi_measured_check(poy_ctx *ctx, poyi_pulse *pulse)
{
    const poy_pulse_options *o = &pulse->o;
    char key[64];
    poyi_pulse_key(pulse, "file", key);
    if (o->shape != POY_SHAPE_DATA && (o->n_data || o->data_frequency || o->data_density || o->data_phase))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: given, but pulse.%d.shape is not file", key, pulse->index);
    if (o->shape != POY_SHAPE_PROFILE && (o->n_profile || o->profile_time || o->profile_power || o->profile_phase))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: given, but pulse.%d.shape is not file", key, pulse->index);
    if (o->shape == POY_SHAPE_DATA)
        return check_spectrum(ctx, key, o);
    return o->shape == POY_SHAPE_PROFILE ? check_profile(ctx, key, pulse) : POY_OK;
}

/* ---- spectra ---- */

/* sqrt(density) exp(-i phase) by splines over omega: nothing outside the rows, nor where the spline dips below 0. */
poy_status poyi_measured_spectrum(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const size_t n = (size_t)p->o.n_data;
    double *omega = NULL, sum = 0.0;
    poyi_spline *density = NULL, *phase = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_alloc(ctx, "launch.data", n * sizeof *omega, (void **)&omega));
    for (size_t i = 0; i < n; i++)
        omega[i] = 2.0 * POYI_PI * p->o.data_frequency[i];
    POYI_TO_DONE(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, omega, p->o.data_density, &density));
    POYI_TO_DONE(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, omega, p->o.data_phase, &phase));
    for (int64_t k = 0; k < grid->info.n_w; k++) {
        const double w = grid->omega[k];
        const int inside = w >= omega[0] && w <= omega[n - 1];
        const double S = inside ? fmax(0.0, poyi_spline_eval(density, w)) : 0.0,
                     phi = inside ? poyi_spline_eval(phase, w) : 0.0;
        const double amplitude = sqrt(S) * grid->window_w[k] * poyi_launch_middle(poyi_launch_bin(&grid->info, k));
        a[2 * k] = amplitude * cos(phi);
        a[2 * k + 1] = -amplitude * sin(phi);
        sum += S;
    }
    if (!(sum > 0.0))
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                           "pulse.%d.file: no light inside the grid's band: the rows go from %g to %g Hz", p->index,
                           p->o.data_frequency[0], p->o.data_frequency[n - 1]);
done:
    poyi_spline_destroy(&phase);
    poyi_spline_destroy(&density);
    poyi_free((void **)&omega);
    return status;
}

/* sqrt(power) exp(-i phase) on the carrier, by splines over t: nothing outside the rows, nor where the spline dips below 0. */
poy_status poyi_measured_profile(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p, double *a)
{
    const poy_pulse_options *o = &p->o;
    const size_t n = (size_t)o->n_profile;
    const int real = grid->info.field == POY_FIELD_REAL;
    const double carrier = p->omega - (real ? 0.0 : grid->info.omega0);
    poyi_spline *power = NULL, *phase = NULL;
    double sum = 0.0;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, o->profile_time, o->profile_power, &power));
    if (o->profile_phase)
        POYI_TO_DONE(ctx,
                     poyi_spline_create(ctx, POYI_SPLINE_NOT_A_KNOT, n, o->profile_time, o->profile_phase, &phase));
    for (int64_t i = 0; i < grid->info.n_t; i++) {
        const double t = grid->time[i];
        const int inside = t >= o->profile_time[0] && t <= o->profile_time[n - 1];
        const double amplitude = inside ? sqrt(fmax(0.0, poyi_spline_eval(power, t))) : 0.0;
        const double turned = carrier * t - (inside && phase ? poyi_spline_eval(phase, t) : 0.0);
        a[2 * i] = amplitude * cos(turned);
        a[2 * i + 1] = real ? 0.0 : amplitude * sin(turned);
        sum += amplitude;
    }
    status = sum > 0.0 ? poyi_fft(ctx, -1, grid->info.n_t, a)
                       : POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                   "pulse.%d.file: no light inside the window, %g to %g s: the rows go from %g to %g s",
                                   p->index, grid->time[0], grid->time[grid->info.n_t - 1], o->profile_time[0],
                                   o->profile_time[n - 1]);
done:
    poyi_spline_destroy(&phase);
    poyi_spline_destroy(&power);
    return status;
}
