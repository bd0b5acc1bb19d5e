/* pulse.c: checks of what a pulse is asked to be, and the numbers that follow from its options alone. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "core/warn.h"
#include "pulse/setup/setup.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)

void poy_pulse_options_init(poy_pulse_options *o)
{
    const double none = (double)NAN;
    *o = (poy_pulse_options){.size = sizeof *o,
                             .shape = POY_SHAPE_GAUSSIAN,
                             .order = 1,
                             .energy = none,
                             .peak_power = none,
                             .fwhm = none,
                             .t0 = none,
                             .mode = -1,
                             .average_power = none};
}

const char *poyi_pulse_key(const poyi_pulse *pulse, const char *name, char key[64])
{
    snprintf(key, 64, "pulse.%d.%s", pulse->index, name);
    return key;
}

static int is_given(double x)
{
    return !isnan(x);
}

/* ---- strength ---- */

static poy_status check_strength(poy_ctx *ctx, const poyi_pulse *p)
{
    static const char *const names[] = {"energy", "peak_power", "average_power"}, *const units[] = {"J", "W", "W"};
    const poy_pulse_options *o = &p->o;
    const double values[] = {o->energy, o->peak_power, o->average_power};
    const int of_tables = o->shape == POY_SHAPE_DATA || o->shape == POY_SHAPE_STATE;
    int given = -1;
    char key[64];
    for (int i = 0; i < 3; i++) {
        if (is_given(values[i]) && given >= 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.%s: %g %s beside pulse.%d.%s, %g %s: keep one", p->index,
                             names[i], values[i], units[i], p->index, names[given], values[given], units[given]);
        if (is_given(values[i]))
            given = i;
    }
    if (of_tables && is_given(o->peak_power))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.peak_power: %g W beside %s: give pulse.%d.energy%s", p->index,
                         o->peak_power, o->shape == POY_SHAPE_DATA ? "a measured spectrum" : "the state of another run",
                         p->index, o->shape == POY_SHAPE_DATA ? "" : ", or nothing");
    if (given < 0)
        return o->shape == POY_SHAPE_STATE /* its own */
                   ? POY_OK
                   : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.energy: missing: give it, or pulse.%d.%s", p->index,
                               p->index, o->shape == POY_SHAPE_CW ? "average_power" : "peak_power");
    return poyi_check_positive(ctx, poyi_pulse_key(p, names[given], key), values[given], units[given]);
}

/* ---- carrier ---- */

static poy_status check_carrier(poy_ctx *ctx, const poy_grid *grid, poyi_pulse *p)
{
    const poy_grid_info *info = &grid->info;
    char key[64];
    double low = 0.0, high = 0.0;

    if ((p->o.shape == POY_SHAPE_DATA || p->o.shape == POY_SHAPE_STATE) && p->o.wavelength == 0.0)
        p->o.wavelength = grid->reference; /* only the phases refer to it */
    POYI_TRY(ctx, poyi_check_positive(ctx, poyi_pulse_key(p, "wavelength", key), p->o.wavelength, "m"));
    p->omega = TWO_PI_C / p->o.wavelength;
    poyi_grid_band(grid, &low, &high);
    /* the limits themselves belong to the band, whatever 2 pi c / lambda rounds to */
    if (info->windows ? p->o.wavelength < grid->wavelength_min || p->o.wavelength > grid->wavelength_max
                      : p->omega < low || p->omega > high)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %g m is outside the grid's band, %g to %g m: %s", key,
                         p->o.wavelength, TWO_PI_C / high, TWO_PI_C / low,
                         info->windows ? "widen grid.wavelength_min and grid.wavelength_max" : "raise grid.samples");
    return POY_OK;
}

/* ---- duration ---- */

static poy_status check_window(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p)
{
    const int profile = p->o.shape == POY_SHAPE_PROFILE;
    const char *what = profile ? "a full width at half maximum of " : "";
    char key[64];
    poyi_pulse_key(p, profile ? "file" : "fwhm", key);
    if (p->fwhm > 0.25 * grid->window)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s%g s is above a quarter of grid.window, %g s: widen it", key,
                         what, p->fwhm, grid->window);
    if (p->fwhm < 4.0 * grid->info.dt)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s%g s is below four samples of %g s: %s", key, what, p->fwhm,
                         grid->info.dt, grid->info.windows ? "lower grid.wavelength_min" : "raise grid.samples");
    if (p->fwhm > 0.125 * grid->window)
        poyi_warn(ctx, "%s: %s%g s is above an eighth of grid.window, %g s", key, what, p->fwhm, grid->window);
    return POY_OK;
}

static poy_status check_duration(poy_ctx *ctx, const poy_grid *grid, poyi_pulse *p)
{
    const poy_pulse_options *o = &p->o;
    const double sech_fwhm = 2.0 * log(1.0 + sqrt(2.0)); /* of sech^2(t), 1.7627 */
    const int pulsed = o->shape < POY_SHAPE_CW;
    static const char *const others[] = {"a constant wave", "a measured spectrum", "the state of another run",
                                         "a measured power"};
    char key[64];

    if (is_given(o->t0) && o->shape != POY_SHAPE_SECH2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.t0: %g s is of sech2 alone: give pulse.%d.fwhm", p->index,
                         o->t0, p->index);
    if (!pulsed && is_given(o->fwhm))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.fwhm: %g s, but %s has no duration: leave it out", p->index,
                         o->fwhm, others[o->shape - POY_SHAPE_CW]);
    if (!pulsed) /* of a measured power it is known */
        return isnan(p->fwhm) ? POY_OK : check_window(ctx, grid, p);
    if (is_given(o->fwhm) && is_given(o->t0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.t0: %g s beside pulse.%d.fwhm, %g s: keep one", p->index,
                         o->t0, p->index, o->fwhm);
    if (!is_given(o->fwhm) && !is_given(o->t0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.fwhm: missing: a pulse needs its duration%s", p->index,
                         o->shape == POY_SHAPE_SECH2 ? ", or t0" : "");
    if (is_given(o->t0))
        POYI_TRY(ctx, poyi_check_positive(ctx, poyi_pulse_key(p, "t0", key), o->t0, "s"));
    else
        POYI_TRY(ctx, poyi_check_positive(ctx, poyi_pulse_key(p, "fwhm", key), o->fwhm, "s"));
    p->fwhm = is_given(o->t0) ? o->t0 * sech_fwhm : o->fwhm;
    if (o->shape == POY_SHAPE_SECH2)
        p->t0 = is_given(o->t0) ? o->t0 : o->fwhm / sech_fwhm;
    else if (o->shape == POY_SHAPE_GAUSSIAN) /* (fwhm / (2 t0))^(2 m) = ln 2 */
        p->t0 = 0.5 * o->fwhm * pow(log(2.0), -0.5 / o->order);
    else /* (1 + 4 (sqrt 2 - 1) (t0 / fwhm)^2)^2 = e */
        p->t0 = 0.5 * o->fwhm * sqrt((sqrt(exp(1.0)) - 1.0) / (sqrt(2.0) - 1.0));
    return check_window(ctx, grid, p);
}

/* ---- phases, sidebands ---- */

static poy_status check_phases(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p)
{
    const poy_pulse_options *o = &p->o;
    const double phases[5] = {o->cep, o->delay, o->gdd, o->tod, o->fod};
    static const char *const names[5] = {"phase.cep", "phase.delay", "phase.gdd", "phase.tod", "phase.fod"};
    static const char *const units[5] = {"rad", "s", "s2", "s3", "s4"};
    char key[64];
    for (int i = 0; i < 5; i++)
        POYI_TRY(ctx, poyi_check_finite(ctx, poyi_pulse_key(p, names[i], key), phases[i], units[i]));
    POYI_TRY(ctx, poyi_check_list(ctx, poyi_pulse_key(p, "phase.coefficients", key), o->coefficients, o->n_coefficients,
                                  "s^n"));
    if (fabs(o->delay) >= 0.5 * grid->info.window)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.phase.delay: %g s is outside the window, -%g to %g s: widen it", p->index, o->delay,
                         0.5 * grid->info.window, 0.5 * grid->info.window);
    return POY_OK;
}

static poy_status check_sidebands(poy_ctx *ctx, const poy_grid *grid, poyi_pulse *p)
{
    const poy_pulse_options *o = &p->o;
    char key[64];

    p->sideband_bin = 0;
    if (o->sideband_offset == 0.0 && o->sideband_power == 0.0)
        return POY_OK;
    POYI_TRY(ctx, poyi_check_positive(ctx, poyi_pulse_key(p, "sideband.offset", key), o->sideband_offset, "Hz"));
    POYI_TRY(ctx, poyi_check_positive(ctx, poyi_pulse_key(p, "sideband.relative_power", key), o->sideband_power, ""));
    const double width = grid->info.domega / (2.0 * POYI_PI), bins = o->sideband_offset / width;
    if (bins >= 0.5 * (double)grid->info.n_w)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.sideband.offset: %g Hz is outside the grid, %g Hz wide to each side", p->index,
                         o->sideband_offset, 0.5 * (double)grid->info.n_w * width);
    if (nearbyint(bins) < 1.0 || fabs(bins - nearbyint(bins)) > 1e-6)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "pulse.%d.sideband.offset: %.12g Hz lies between two bins of %.15g Hz: use %.15g Hz", p->index,
                         o->sideband_offset, width, fmax(1.0, nearbyint(bins)) * width);
    p->sideband_bin = (int64_t)nearbyint(bins);
    return POY_OK;
}

/* ---- all of it ---- */

/* A real field has no carrier that a bin could be shifted against. */
static poy_status check_field(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *p)
{
    if (grid->info.field != POY_FIELD_REAL)
        return POY_OK;
    if (p->o.shape == POY_SHAPE_CW)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "pulse.%d.shape: cw is of envelopes alone: use physics.field = envelope", p->index);
    if (p->o.sideband_offset != 0.0 || p->o.sideband_power != 0.0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "pulse.%d.sideband: is of envelopes alone: use physics.field = envelope, or two pulses",
                         p->index);
    return POY_OK;
}

poy_status poyi_pulse_check(poy_ctx *ctx, const poy_grid *grid, int index, const poy_pulse_options *options,
                            poyi_pulse *out)
{
    poyi_pulse p = {.index = index, .fwhm = (double)NAN, .t0 = (double)NAN};
    char key[64];

    poy_pulse_options_init(&p.o);
    POYI_TRY(ctx,
             poyi_options_copy(ctx, "poy_pulse_options", options, offsetof(poy_pulse_options, mode), sizeof p.o, &p.o));
    POYI_TRY(ctx, poyi_check_choice(ctx, poyi_pulse_key(&p, "shape", key), (int)p.o.shape, 7,
                                    "gaussian, sech2, lorentzian, cw, file, result"));
    if (p.o.order < 1 || p.o.order > 100)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.order: %d is outside 1 to 100", index, p.o.order);
    if (p.o.order != 1 && p.o.shape != POY_SHAPE_GAUSSIAN)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "pulse.%d.order: %d is of gaussian alone: leave it out", index,
                         p.o.order);
    POYI_TRY(ctx, poyi_measured_check(ctx, &p));
    POYI_TRY(ctx, check_field(ctx, grid, &p));
    POYI_TRY(ctx, check_carrier(ctx, grid, &p));
    POYI_TRY(ctx, check_strength(ctx, &p));
    POYI_TRY(ctx, check_duration(ctx, grid, &p));
    POYI_TRY(ctx, check_phases(ctx, grid, &p));
    POYI_TRY(ctx, check_sidebands(ctx, grid, &p));
    POYI_TRY(ctx, poyi_passages_check(ctx, &p));
    POYI_TRY(ctx, poyi_cw_check(ctx, grid, &p));
    if (p.o.shape == POY_SHAPE_STATE)
        POYI_TRY(ctx, poyi_launch_state_check(ctx, &p));
    *out = p;
    return POY_OK;
}
