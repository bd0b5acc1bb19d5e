/* settings_pin.c: pressures and radii that a target pins, in a resolved recipe: their values take the place of the target, and
 * a target that the pulse is too weak for is told. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "pulse/setup/setup.h"
#include "run/recipe/pulse.h"
#include "run/recipe/settings.h"

/* What may be pinned: where, and what stands there while the guide is made that the search varies. */
static const struct {
    const char *path, *before;
    poy_pin_variable variable;
    poy_dimension dimension;
    double factor; /* of the value that poy_guide_pin finds */
} pins[] = {
    {"gas.pressure", "\"1 bar\"", POY_PIN_PRESSURE, POY_DIM_PRESSURE, 1},
    {"geometry.core_radius", "\"100 um\"", POY_PIN_RADIUS, POY_DIM_LENGTH, 1},
    {"geometry.core_diameter", "\"200 um\"", POY_PIN_RADIUS, POY_DIM_LENGTH, 2},
};
enum { PINS = sizeof pins / sizeof pins[0] };

const char *poyi_settings_pin_path(int i)
{
    return i < PINS ? pins[i].path : NULL;
}

/* Peak power and t0 of the first pulse as it is launched. */
static poy_status first_pulse(poy_ctx *ctx, const poyi_settings *s, poy_pin_options *o)
{
    const poy_grid_info *g = poy_grid_get(s->grid);
    poyi_pulse pulse;
    double *spectrum = NULL;
    poy_status status;
    POYI_TO_DONE(ctx, poyi_pulse_check(ctx, s->grid, 0, &s->pulses[0], &pulse));
    POYI_TO_DONE(ctx, poyi_alloc_zero(ctx, "run.pin", (size_t)g->n_w * 2 * sizeof *spectrum, (void **)&spectrum));
    POYI_TO_DONE(ctx, poyi_launch_add(ctx, s->grid, &pulse, spectrum, &o->peak_power));
    o->t0 = pulse.t0;
done:
    poyi_free((void **)&spectrum);
    return status;
}

static poy_status find(poy_ctx *ctx, const poyi_settings *s, const poyi_node *pin, poy_pin_variable variable,
                       double *value)
{
    const char *what = poyi_node_child(pin, "pin")->text;
    const poyi_node *order = poyi_node_child(pin, "value");
    poy_pin_options o;
    poy_pin_options_init(&o);
    o.target = !strcmp(what, "zdw")           ? POY_PIN_ZERO_DISPERSION
               : !strcmp(what, "rdw")         ? POY_PIN_DISPERSIVE_WAVE
               : !strcmp(what, "rdw_soliton") ? POY_PIN_SOLITON_WAVE
                                              : POY_PIN_SOLITON_ORDER;
    o.variable = variable;
    o.z = poyi_settings_place(s);
    o.wavelength = poyi_node_quantity(ctx, poyi_node_child(pin, "wavelength"), POY_DIM_SPECTRAL);
    o.pump = s->pulses[0].wavelength;
    o.order = order ? order->real : (double)NAN;
    if (o.target == POY_PIN_SOLITON_ORDER || o.target == POY_PIN_SOLITON_WAVE)
        POYI_TRY(ctx, first_pulse(ctx, s, &o));
    if ((o.target == POY_PIN_SOLITON_ORDER || o.target == POY_PIN_SOLITON_WAVE) && isnan(o.t0))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "pin = \"%s\" needs the duration of the first pulse, which has none by name: use pin = \"rdw\" or "
            "\"zdw\", or give the value",
            what);
    POYI_TRY(ctx, poy_guide_pin(ctx, s->guide, &o, value));
    return POY_OK;
}

/* ---- is the pulse strong enough for what the pin aims at? ---- */

/* Where the strongest soliton's own phase puts the wave that dispersion alone matches to wavelength: the root that is
 * nearest; wavelength itself where there is none. */
static poy_status wave_of_soliton(poy_ctx *ctx, const poyi_settings *s, const poy_pin_options *o, double wavelength,
                                  double *out)
{
    double waves[POY_WAVES_MAX] = {0};
    int n = 0;
    *out = wavelength;
    POYI_TRY(ctx,
             poy_guide_soliton_waves(ctx, s->guide, 0, o->z, o->pump, o->peak_power, o->t0,
                                     fmax(0.5 * wavelength, s->grid_min), 0.9 * o->pump, POY_WAVES_MAX, waves, &n));
    for (int i = 0; i < n && i < POY_WAVES_MAX; i++)
        if (i == 0 || fabs(waves[i] - wavelength) < fabs(*out - wavelength))
            *out = waves[i];
    return POY_OK;
}

/* Dispersion alone puts the wave where it was asked for; the pulse may not. */
static poy_status judge_place(poy_ctx *ctx, poy_recipe *r, const poyi_settings *s, const poyi_node *typed,
                              const poy_pin_options *o, double wavelength)
{
    const double tell = 0.02; /* of the wavelength */
    char there[48];
    double place = 0;
    if (!(wavelength < 0.9 * o->pump))
        return POY_OK;
    if (wave_of_soliton(ctx, s, o, wavelength, &place) != POY_OK) {
        poy_ctx_clear(ctx); /* beyond what is known of the gas */
        return POY_OK;
    }
    if (fabs(place - wavelength) < tell * wavelength)
        return POY_OK;
    poy_quantity_format(place, POY_DIM_LENGTH, 3, sizeof there, there);
    poyi_warning(r, typed, NULL, "E_PHYSICS",
                 "that is where dispersion alone puts the wave: the phase of the first pulse's strongest soliton moves "
                 "it to about %s\naim with pin = \"rdw_soliton\", which takes it into account",
                 there);
    return POY_OK;
}

/* What the first pulse is as a soliton where the pin puts it, and what a warning says about it. */
typedef struct strength {
    poy_soliton soliton;
    poy_pin_options o;
    double given, length, loss; /* energy (J) or peak power (W); of the guide (m); dB up to the fission */
    const char *key;            /* "energy" or "peak_power" */
    poy_dimension dimension;
} strength;

static poy_status find_strength(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *s, strength *w)
{
    const int energy = poyi_recipe_pulse_key(r, 0, "energy") != NULL;
    double alpha = 0;
    *w = (strength){.length = s->length,
                    .given = energy ? s->pulses[0].energy : s->pulses[0].peak_power,
                    .key = energy ? "energy" : "peak_power",
                    .dimension = energy ? POY_DIM_ENERGY : POY_DIM_POWER};
    poy_pin_options_init(&w->o);
    POYI_TRY(ctx, first_pulse(ctx, s, &w->o));
    if (isnan(w->o.t0)) /* of a measured spectrum or a state nothing is said */
        return POY_OK;
    w->o.pump = s->pulses[0].wavelength;
    w->o.z = poyi_settings_place(s);
    POYI_TRY(ctx, poy_guide_soliton(ctx, s->guide, 0, w->o.z, w->o.pump, w->o.peak_power, w->o.t0, &w->soliton));
    POYI_TRY(ctx, poy_guide_attenuation(ctx, s->guide, 0, w->o.z, 2 * POYI_PI * POYI_C / w->o.pump, &alpha));
    w->loss = 10 / log(10) * alpha * w->soliton.fission;
    return POY_OK;
}

/* Of two solitons and less next to nothing is shed. A sech pulse of order N is N solitons with amplitudes 1, 3, ..., 2 N - 1 in
 * units in which its energy is N^2: the strongest, which sheds the wave, has (2 N - 1)/N^2 of it, less than a quarter from
 * N = 8 on. */
static const double ORDER_LEAST = 2, ORDER_ENOUGH = 3, ORDER_MOST = 8;

/* The guide ends before the pulse is short: the fission length is L_D/N, and N^2 in proportion to the energy. */
static void tell_short(poy_recipe *r, const poyi_node *typed, const strength *w)
{
    char length[48], has[48], needed[48];
    const double share = w->soliton.fission / w->length, order = w->soliton.order * share;
    poy_quantity_format(w->soliton.fission, POY_DIM_LENGTH, 2, sizeof length, length);
    poy_quantity_format(w->length, POY_DIM_LENGTH, 2, sizeof has, has);
    poy_quantity_format(w->given * share * share, w->dimension, 2, sizeof needed, needed);
    if (order > ORDER_MOST)
        poyi_warning(
            r, typed, NULL, "E_PHYSICS",
            "a soliton of order %.3g sheds its dispersive wave after about %s, the guide has %s\n"
            "lengthen it, or shorten the pulse: a pulse.0.%s for this length would make it of order %.3g, which "
            "breaks up instead",
            w->soliton.order, length, has, w->key, order);
    else
        poyi_warning(r, typed, NULL, "E_PHYSICS",
                     "a soliton of order %.3g sheds its dispersive wave after about %s, the guide has %s\n"
                     "lengthen it, or raise pulse.0.%s to about %s (order %.3g)",
                     w->soliton.order, length, has, w->key, needed, order);
}

static void tell_strength(poy_recipe *r, const poyi_node *typed, const strength *w)
{
    const double order = w->soliton.order;
    char needed[48];
    if (order < ORDER_LEAST) {
        poy_quantity_format(w->given * (ORDER_ENOUGH / order) * (ORDER_ENOUGH / order), w->dimension, 2, sizeof needed,
                            needed);
        poyi_warning(r, typed, NULL, "E_PHYSICS",
                     "the first pulse is a soliton of order %.3g there, too weak for much of a dispersive wave\n"
                     "raise pulse.0.%s to about %s (order %g)",
                     order, w->key, needed, ORDER_ENOUGH);
    } else if (order > ORDER_MOST) {
        poy_quantity_format(w->given * (ORDER_MOST / order) * (ORDER_MOST / order), w->dimension, 2, sizeof needed,
                            needed);
        poyi_warning(r, typed, NULL, "E_PHYSICS",
                     "the first pulse is a soliton of order %.3g there: above about %g it breaks up instead of "
                     "compressing itself\n"
                     "lower pulse.0.%s below about %s, or shorten the pulse",
                     order, ORDER_MOST, w->key, needed);
    }
    if (order >= ORDER_LEAST && w->soliton.fission > w->length)
        tell_short(r, typed, w);
    if (order >= ORDER_LEAST && w->loss > 3)
        poyi_warning(r, typed, NULL, "E_PHYSICS",
                     "the guide takes %.2g dB of the pulse before it sheds its dispersive wave\n"
                     "widen the core: the loss falls with the third power of its radius; or shorten the pulse",
                     w->loss);
}

static poy_status judge(poy_ctx *ctx, poy_recipe *r, const poyi_settings *s, const poyi_node *typed,
                        const poyi_node *pin)
{
    const int told = r->faults.count;
    strength w;
    POYI_TRY(ctx, find_strength(ctx, r, s, &w));
    if (isnan(w.o.t0))
        return POY_OK;
    if (w.soliton.beta2 >= 0) {
        poyi_warning(r, typed, NULL, "E_PHYSICS",
                     "the first pulse is in normal dispersion there: it is no soliton, and sheds no dispersive wave\n"
                     "give it a longer wavelength, or aim at another");
        return POY_OK;
    }
    tell_strength(r, typed, &w);
    if (r->faults.count == told && poyi_is_word(poyi_node_child(pin, "pin"), "rdw"))
        return judge_place(ctx, r, s, typed, &w.o,
                           poyi_node_quantity(ctx, poyi_node_child(pin, "wavelength"), POY_DIM_SPECTRAL));
    return POY_OK;
}

/* ---- one pin ---- */

static poy_status resolve(poy_ctx *ctx, poy_recipe *r, int i, const poyi_node *pin)
{
    const poyi_node own = *pin; /* the tree changes under it */
    char text[64], toml[80];
    poyi_settings s = {0};
    double value = 0;
    poy_status status;
    poyi_resolved_set(r, pins[i].path, pins[i].before);
    POYI_TO_DONE(ctx, poyi_settings_basis(ctx, r, &s));
    POYI_TO_DONE(ctx, poyi_settings_guide(ctx, r, &s.arena, &s.guide));
    POYI_TO_DONE(ctx, find(ctx, &s, &own, pins[i].variable, &value));
    poy_quantity_format(pins[i].factor * value, pins[i].dimension, 0, sizeof text, text);
    snprintf(toml, sizeof toml, "\"%s\"", text);
    poyi_resolved_set(r, pins[i].path, toml);
    if (strncmp(poyi_node_child(&own, "pin")->text, "rdw", 3) != 0 || !poy_guide_gas_count(s.guide))
        goto done;
    poy_guide_destroy(&s.guide);
    POYI_TO_DONE(ctx, poyi_settings_guide(ctx, r, &s.arena, &s.guide));
    POYI_TO_DONE(ctx, judge(ctx, r, &s, poyi_node_find(r->root, pins[i].path), &own));
done:
    poyi_settings_fini(&s);
    return status;
}

void poyi_settings_pins(poy_ctx *ctx, poy_recipe *r)
{
    for (int i = 0; i < PINS; i++) {
        const poyi_node *pin = poyi_node_find(r->resolved, pins[i].path);
        if (pin && pin->kind == POYI_TABLE && resolve(ctx, r, i, pin) != POY_OK)
            poyi_fault_from_ctx(ctx, r, poyi_node_find(r->root, pins[i].path), NULL, "E_RANGE");
    }
}
