/* settings_launch.c: the pulses of a resolved recipe as options of the physics: shapes, phases, beams, and what they went
 * through; and the materials that recipes name. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/recipe/csv.h"
#include "run/recipe/material.h"
#include "run/recipe/settings.h"

const double *poyi_settings_quantities(poy_ctx *ctx, poyi_settings *s, const poyi_node *list, poy_dimension dimension,
                                       int *n)
{
    *n = list ? list->count : 0;
    double *out = poyi_arena_alloc(&s->arena, ((size_t)*n + 1) * sizeof *out);
    int i = 0;
    for (const poyi_node *element = list ? list->first : NULL; out && element; element = element->next)
        out[i++] = poyi_node_quantity(ctx, element, dimension);
    return out;
}

/* ---- materials ---- */

poy_guide_material poyi_settings_material(poy_recipe *r, const poyi_node *node)
{
    const poyi_material_choice m = poyi_material_choose(r, node);
    poy_guide_material out = {.extrapolate = m.extrapolate};
    if (m.constant) {
        out.n = m.n;
        out.k = m.k;
    } else if (m.file && !m.missing) {
        out.file = m.file;
        out.text = m.text;
    } else {
        out.name = m.name;
    }
    return out;
}

/* ---- pulses ---- */

static poy_shape shape_of(const char *word)
{
    static const char *const words[] = {"gaussian", "sech2", "lorentzian", "cw", "file", "result"};
    for (int i = 0; i < 6; i++)
        if (!strcmp(words[i], word))
            return (poy_shape)i;
    return POY_SHAPE_GAUSSIAN;
}

static double pulse_quantity(poy_ctx *ctx, const poyi_node *pulse, const char *path, poy_dimension d, double missing)
{
    const poyi_node *node = poyi_node_find(pulse, path);
    return node ? poyi_node_quantity(ctx, node, d) : missing;
}

static void pulse_carrier(poy_ctx *ctx, const poyi_node *pulse, poy_pulse_options *o)
{
    static const char *const names[] = {"wavelength", "frequency", "photon_energy"};
    for (int i = 0; i < 3; i++)
        if (poyi_node_child(pulse, names[i]))
            o->wavelength = pulse_quantity(ctx, pulse, names[i], POY_DIM_SPECTRAL, 0);
}

/* A phase column given for exp(-iwt) has the other sign. */
static const double *with_sign(poyi_settings *s, const double *phase, int n, const char *sign)
{
    double *turned = strcmp(sign, "exp(-iwt)") != 0 ? NULL : poyi_arena_alloc(&s->arena, (size_t)n * sizeof *turned);
    for (int i = 0; turned && i < n; i++)
        turned[i] = -phase[i];
    return turned ? turned : phase;
}

/* ---- constant waves ---- */

/* The power and the line; a width in wavelength is one in frequency at the carrier, c d lambda/lambda^2. */
static void line_options(poy_ctx *ctx, const poy_recipe *r, const poyi_node *pulse, poy_pulse_options *o)
{
    static const char *const words[] = {"sech2", "gaussian", "lorentzian", "phase_diffusion"};
    const poyi_node *width = poyi_node_child(pulse, "linewidth"), *line = poyi_node_child(pulse, "line");
    o->average_power = pulse_quantity(ctx, pulse, "average_power", POY_DIM_POWER, (double)NAN);
    if (!width)
        return;
    const double in_wavelength = poyi_node_quantity(ctx, width, POY_DIM_LENGTH);
    poy_ctx_clear(ctx);
    o->linewidth = isnan(in_wavelength) ? poyi_node_quantity(ctx, width, POY_DIM_FREQUENCY)
                                        : POYI_C * in_wavelength / (o->wavelength * o->wavelength);
    o->line_seed = (uint64_t)poyi_recipe_integer(r, "seed", 0);
    for (int i = 0; line && i < 4; i++)
        if (!strcmp(words[i], line->text))
            o->line = (poy_line)i;
}

/* ---- beams ---- */

static void beam_options(poy_ctx *ctx, const poyi_node *pulse, poy_pulse_options *o)
{
    o->waist = pulse_quantity(ctx, pulse, "beam.waist", POY_DIM_LENGTH, 0);
    o->beam_x = pulse_quantity(ctx, pulse, "beam.x", POY_DIM_LENGTH, 0);
    o->beam_y = pulse_quantity(ctx, pulse, "beam.y", POY_DIM_LENGTH, 0);
    o->beam_distance = pulse_quantity(ctx, pulse, "beam.distance", POY_DIM_LENGTH, 0);
    const poyi_node *iris = poyi_node_find(pulse, "beam.iris");
    o->iris = iris ? iris->real : 0;
    o->aperture = pulse_quantity(ctx, pulse, "beam.aperture", POY_DIM_LENGTH, 0);
    o->aperture_edge = pulse_quantity(ctx, pulse, "beam.aperture_edge", POY_DIM_LENGTH, 0);
}

/* ---- what a pulse went through ---- */

static double entry_quantity(poy_ctx *ctx, const poyi_node *entry, const char *name, poy_dimension dimension)
{
    const poyi_node *node = poyi_node_child(entry, name);
    return node ? poyi_node_quantity(ctx, node, dimension) : 0;
}

static void table_of(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poyi_node *entry, poy_passage *out)
{
    const poyi_node *mirror = poyi_node_child(entry, "mirror"), *phase = poyi_node_child(entry, "phase");
    const poyi_node *sign = poyi_node_child(entry, "phase_sign"), *filter = poyi_node_child(entry, "filter");
    out->kind = mirror || filter ? POY_PASSAGE_MIRROR : POY_PASSAGE_TABLE;
    if (filter && poyi_csv_filter(ctx, r, filter, &out->n, &out->frequency, &out->power))
        out->values = poyi_arena_alloc(&s->arena, (size_t)out->n * sizeof *out->values); /* no dispersion */
    if (filter)
        return;
    if (mirror)
        poyi_csv_mirror(ctx, r, mirror, &out->n, &out->frequency, &out->power, &out->values);
    else if (poyi_csv_phase(ctx, r, phase, &out->n, &out->frequency, &out->values))
        out->values = with_sign(s, out->values, out->n, sign ? sign->text : "");
}

/* "600 nm:1 um" */
static void band_of(poy_ctx *ctx, const poyi_node *node, poy_passage *out)
{
    char from[64];
    const char *colon = strchr(node->text, ':');
    poy_quantity a = {0}, b = {0};
    out->kind = POY_PASSAGE_BAND;
    snprintf(from, sizeof from, "%.*s", (int)(colon - node->text), node->text);
    poy_quantity_parse_as(ctx, from, POY_DIM_SPECTRAL, &a);
    poy_quantity_parse_as(ctx, colon + 1, POY_DIM_SPECTRAL, &b);
    out->band[0] = a.value;
    out->band[1] = b.value;
}

static void passage_of(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poyi_node *entry, poy_passage *out)
{
    const poyi_node *material = poyi_node_child(entry, "material"), *gas = poyi_node_child(entry, "gas");
    const poyi_node *times = poyi_node_child(entry, "reflections");
    *out = (poy_passage){.times = times ? (int)times->integer : 1};
    if (material || gas) {
        out->kind = material ? POY_PASSAGE_MATERIAL : POY_PASSAGE_GAS;
        out->length = entry_quantity(ctx, entry, "thickness", POY_DIM_LENGTH);
        if (material)
            out->material = poyi_settings_material(r, material);
        out->gas = gas ? gas->text : NULL;
        out->pressure = entry_quantity(ctx, entry, "pressure", POY_DIM_PRESSURE);
        out->temperature = 293.15;
    } else if (poyi_node_child(entry, "mirror") || poyi_node_child(entry, "filter") ||
               poyi_node_child(entry, "phase")) {
        table_of(ctx, r, s, entry, out);
    } else if (poyi_node_child(entry, "guide")) {
        out->kind = POY_PASSAGE_GUIDE;
        out->length = entry_quantity(ctx, entry, "guide", POY_DIM_LENGTH);
    } else if (poyi_node_child(entry, "band")) {
        band_of(ctx, poyi_node_child(entry, "band"), out);
        out->edge = entry_quantity(ctx, entry, "edge", POY_DIM_FREQUENCY);
    } else {
        out->kind = POY_PASSAGE_PHASE;
        out->gdd = entry_quantity(ctx, entry, "gdd", POY_DIM_PHASE2);
        out->tod = entry_quantity(ctx, entry, "tod", POY_DIM_PHASE3);
        out->fod = entry_quantity(ctx, entry, "fod", POY_DIM_PHASE4);
    }
}

static void passages_of(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poyi_node *pulse, poy_pulse_options *o)
{
    const poyi_node *list = poyi_node_child(pulse, "through");
    poy_passage *out = list ? poyi_arena_alloc(&s->arena, ((size_t)list->count + 1) * sizeof *out) : NULL;
    int i = 0;
    for (const poyi_node *entry = out ? list->first : NULL; entry; entry = entry->next)
        passage_of(ctx, r, s, entry, &out[i++]);
    o->passages = out;
    o->n_passages = i;
}

static void pulse_options(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poyi_node *pulse, poy_pulse_options *o)
{
    const double none = (double)NAN;
    const poyi_node *shape = poyi_node_child(pulse, "shape"), *order = poyi_node_child(pulse, "order");
    const poyi_node *file = poyi_node_child(pulse, "file"), *sign = poyi_node_child(pulse, "phase_sign");
    const poyi_node *power = poyi_node_find(pulse, "sideband.relative_power");
    const int in_time = file && poyi_csv_is_in_time(r, file);
    poy_pulse_options_init(o);
    o->shape = shape ? shape_of(shape->text) : POY_SHAPE_GAUSSIAN;
    o->order = order ? (int)order->integer : 1;
    pulse_carrier(ctx, pulse, o);
    if (!(o->wavelength > 0)) /* of measured spectra and states */
        o->wavelength = poyi_recipe_quantity(ctx, r, "grid.reference", POY_DIM_SPECTRAL, 0);
    o->energy = pulse_quantity(ctx, pulse, "energy", POY_DIM_ENERGY, none);
    o->peak_power = pulse_quantity(ctx, pulse, "peak_power", POY_DIM_POWER, none);
    line_options(ctx, r, pulse, o);
    o->fwhm = pulse_quantity(ctx, pulse, "fwhm", POY_DIM_TIME, none);
    o->t0 = pulse_quantity(ctx, pulse, "t0", POY_DIM_TIME, none);
    o->cep = pulse_quantity(ctx, pulse, "phase.cep", POY_DIM_ANGLE, 0);
    o->delay = pulse_quantity(ctx, pulse, "delay", POY_DIM_TIME, 0) +
               pulse_quantity(ctx, pulse, "phase.delay", POY_DIM_TIME, 0);
    o->gdd = pulse_quantity(ctx, pulse, "phase.gdd", POY_DIM_PHASE2, 0);
    o->tod = pulse_quantity(ctx, pulse, "phase.tod", POY_DIM_PHASE3, 0);
    o->fod = pulse_quantity(ctx, pulse, "phase.fod", POY_DIM_PHASE4, 0);
    o->coefficients = poyi_settings_quantities(ctx, s, poyi_node_find(pulse, "phase.coefficients"), POY_DIM_PHASE,
                                               &o->n_coefficients);
    o->sideband_offset = pulse_quantity(ctx, pulse, "sideband.offset", POY_DIM_FREQUENCY, 0);
    o->sideband_power = power ? power->real : 0;
    if (in_time &&
        poyi_csv_power(ctx, r, file, &o->n_profile, &o->profile_time, &o->profile_power, &o->profile_phase)) {
        o->shape = POY_SHAPE_PROFILE;
        if (o->profile_phase)
            o->profile_phase = with_sign(s, o->profile_phase, o->n_profile, sign ? sign->text : "");
    }
    if (file && !in_time &&
        poyi_csv_spectrum(ctx, r, file, &o->n_data, &o->data_frequency, &o->data_density, &o->data_phase))
        o->data_phase = with_sign(s, o->data_phase, o->n_data, sign ? sign->text : "");
    beam_options(ctx, pulse, o);
    passages_of(ctx, r, s, pulse, o);
}

/* ---- the state of another run ---- */

static void state_options(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poyi_node *pulse, int i)
{
    poyi_origin *state = &s->origins[i];
    poy_launch_state *out = poyi_arena_alloc(&s->arena, sizeof *out);
    if (!poyi_origin_read(ctx, r, pulse, state) || !out) {
        state->n_columns = 0;
        return;
    }
    *out = (poy_launch_state){.n_columns = state->n_columns,
                              .columns = state->columns,
                              .n = state->n,
                              .omega = state->omega,
                              .domega = state->domega,
                              .spectrum = state->spectrum};
    s->pulses[i].state = out;
}

int poyi_settings_origins_turn(const poyi_settings *s)
{
    for (int i = 0; i < s->n_pulses; i++)
        for (int c = 0; c < s->origins[i].n_columns; c++)
            if (!strcmp(s->origins[i].polarisations[c], "x"))
                return 1;
    return 0;
}

static int is_one_mode(const poyi_origin *state)
{
    for (int c = 1; c < state->n_columns; c++)
        if (strcmp(state->modes[c], state->modes[0]) != 0)
            return 0;
    return 1;
}

/* The number of the mode that column c of a state belongs to: the one of its name, or the one that the recipe says (into)
 * where the state has but one; a fibre that is known by numbers has a mode without a name. -1: none. */
static int mode_of(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *s, const poyi_origin *state, int c,
                   const poyi_node *into)
{
    int found = -1;
    const char *name = into && is_one_mode(state) ? into->text : state->modes[c];
    if (s->guide && poy_guide_find_mode(ctx, s->guide, name, &found) == POY_OK)
        return found;
    poy_ctx_clear(ctx);
    for (int m = 0; m < s->n_modes; m++)
        if (!strcmp(s->mode_names[m], name))
            return m;
    return r->type == POYI_TYPE_FIBRE && is_one_mode(state) ? 0 : -1;
}

poy_status poyi_settings_origins_place(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s)
{
    const double trace = 1e-9; /* of the energy, that may be left out */
    char path[32];
    for (int i = 0; i < s->n_pulses; i++) {
        const poyi_origin *state = &s->origins[i];
        snprintf(path, sizeof path, "pulse.%d.mode", i);
        for (int c = 0; c < state->n_columns; c++) {
            const int along_x = !strcmp(state->polarisations[c], "x"), polarisations = s->n_columns / s->n_modes;
            const int mode = mode_of(ctx, r, s, state, c, poyi_recipe_at(r, path));
            state->columns[c] = mode < 0 || along_x >= polarisations ? -1 : mode * polarisations + along_x;
            if (state->columns[c] >= 0 || state->shares[c] <= trace)
                continue;
            if (mode < 0)
                return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                                 "pulse.%d.from: %.3g of its energy is in mode %s, which this guide has not: add it to "
                                 "geometry.modes%s",
                                 i, state->shares[c], state->modes[c],
                                 is_one_mode(state) ? ", or say into which with mode" : "");
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "pulse.%d.from: %.3g of its energy is polarised along x: a fibre carries light along y: "
                             "use a guide",
                             i, state->shares[c]);
        }
    }
    return POY_OK;
}

void poyi_settings_pulses(poy_ctx *ctx, poy_recipe *r, poyi_settings *s)
{
    const poyi_node *list = poyi_recipe_at(r, "pulse");
    s->n_pulses = list ? list->count : 0;
    s->pulses = poyi_arena_alloc(&s->arena, ((size_t)s->n_pulses + 1) * sizeof *s->pulses);
    s->origins = poyi_arena_alloc(&s->arena, ((size_t)s->n_pulses + 1) * sizeof *s->origins);
    int i = 0;
    for (const poyi_node *pulse = list ? list->first : NULL; s->pulses && s->origins && pulse;
         pulse = pulse->next, i++) {
        pulse_options(ctx, r, s, pulse, &s->pulses[i]);
        if (poyi_node_child(pulse, "from"))
            state_options(ctx, r, s, pulse, i);
    }
}
