/* recipe_pulse.c: what the keys of a pulse recipe say together, and the defaults that follow from others. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "poynting/media.h"
#include "run/csv.h"
#include "run/store.h"

/* A value that passed its own check, else NULL: nothing is said twice about a bad one. */
static const poyi_node *good(const poy_recipe *r, const char *path)
{
    const poyi_node *node = poyi_node_find(r->root, path);
    return node && node->known ? node : NULL;
}

static int is_word(const poyi_node *node, const char *word)
{
    return node && node->kind == POYI_STRING && !strcmp(node->text, word);
}

static double value_at(poy_ctx *ctx, const poy_recipe *r, const char *path, poy_dimension dimension)
{
    return poyi_node_quantity(ctx, good(r, path), dimension);
}

static const poyi_node *pulse_key(const poy_recipe *r, int i, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "pulse.%d.%s", i, name);
    return good(r, path);
}

static int pulse_count(const poy_recipe *r)
{
    const poyi_node *list = poyi_node_child(r->root, "pulse");
    return list && list->kind == POYI_ARRAY ? list->count : 0;
}

/* The node that says the wavelength of pulse i: wavelength, frequency or photon_energy. */
static const poyi_node *carrier(const poy_recipe *r, int i)
{
    static const char *const names[] = {"wavelength", "frequency", "photon_energy"};
    for (int k = 0; k < 3; k++) {
        const poyi_node *node = pulse_key(r, i, names[k]);
        if (node)
            return node;
    }
    return NULL;
}

static int is_real_field(const poy_recipe *r)
{
    const poyi_node *field = good(r, "physics.field");
    return field ? is_word(field, "real") : r->type != POYI_TYPE_FIBRE && r->type != POYI_TYPE_STEP_INDEX;
}

/* ---- grid ---- */

static void check_carrier(poy_recipe *r, const poyi_node *limit, double value, const poyi_node *at, double wavelength,
                          int is_min)
{
    char needed[48];
    if (isnan(value) || isnan(wavelength) || (is_min ? value < wavelength : value > wavelength))
        return;
    poy_quantity_format(is_min ? 0.8 * wavelength : 1.25 * wavelength, POY_DIM_LENGTH, 2, sizeof needed, needed);
    poyi_fault(r, limit, NULL, "E_RANGE", "%s is %s the carrier %s (line %d)\n%s %s", limit->text,
               is_min ? "above" : "below", at->text, at->line, is_min ? "lower it below" : "raise it above", needed);
}

static void check_limits(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *min = good(r, "grid.wavelength_min"), *max = good(r, "grid.wavelength_max");
    const poyi_node *reference = good(r, "grid.reference");
    double shortest = poyi_node_quantity(ctx, min, POY_DIM_SPECTRAL),
           longest = poyi_node_quantity(ctx, max, POY_DIM_SPECTRAL);
    if (shortest >= longest) {
        poyi_fault(r, max, NULL, "E_RANGE", "%s is not above wavelength_min %s (line %d)\nraise it", max->text,
                   min->text, min->line);
        return;
    }
    for (int i = 0; i < pulse_count(r); i++) {
        const poyi_node *at = carrier(r, i);
        double wavelength = poyi_node_quantity(ctx, at, POY_DIM_SPECTRAL);
        if (min)
            check_carrier(r, min, shortest, at, wavelength, 1);
        if (max)
            check_carrier(r, max, longest, at, wavelength, 0);
    }
    double lambda0 = poyi_node_quantity(ctx, reference, POY_DIM_SPECTRAL);
    if (lambda0 < shortest || lambda0 > longest)
        poyi_fault(r, reference, NULL, "E_RANGE", "%s is outside the grid, %s to %s\nchoose one inside",
                   reference->text, min->text, max->text);
}

static void check_grid(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *samples = poyi_node_find(r->root, "grid.samples");
    int limits = poyi_node_find(r->root, "grid.wavelength_min") || poyi_node_find(r->root, "grid.wavelength_max");
    check_limits(ctx, r);
    if (is_real_field(r)) {
        if (!limits)
            poyi_missing(r, "grid.wavelength_min", "a real field needs its limits",
                         "wavelength_min = \"100 nm\", wavelength_max = \"4 um\"");
        if (samples)
            poyi_fault(r, samples, NULL, "E_CONFLICT",
                       "a real field takes its samples from the limits\nremove it, or use field = \"envelope\"");
    } else if (!limits && !samples) {
        poyi_missing(r, "grid.samples", "an envelope needs samples, or wavelength_min and wavelength_max",
                     "samples = 8192");
    }
}

/* ---- pulses ---- */

static void conflict(poy_recipe *r, const poyi_node *node, const char *shape, const char *hint)
{
    if (node)
        poyi_fault(r, node, NULL, "E_CONFLICT", "has no meaning for shape = \"%s\"\n%s", shape, hint);
}

static void check_shape(poy_recipe *r, int i)
{
    const poyi_node *shape = pulse_key(r, i, "shape");
    const char *name = shape ? shape->text : "gaussian";
    int is_file = !strcmp(name, "file"), is_cw = !strcmp(name, "cw");
    char path[64];
    if (is_file || is_cw) {
        conflict(r, pulse_key(r, i, "fwhm"), name, "remove it");
        conflict(r, pulse_key(r, i, "t0"), name, "remove it");
    }
    if (strcmp(name, "sech2") != 0 && !is_file && !is_cw)
        conflict(r, pulse_key(r, i, "t0"), name, "use fwhm, or shape = \"sech2\"");
    if (strcmp(name, "gaussian") != 0)
        conflict(r, pulse_key(r, i, "order"), name, "remove it, or use shape = \"gaussian\"");
    if (!is_file) {
        conflict(r, pulse_key(r, i, "file"), name, "remove it, or use shape = \"file\"");
        conflict(r, pulse_key(r, i, "phase_sign"), name, "remove it, or use shape = \"file\"");
        return;
    }
    conflict(r, pulse_key(r, i, "peak_power"), name, "give energy");
    static const char *const needed[][2] = {{"file", "file = \"spectrum.csv\""},
                                            {"phase_sign", "phase_sign = \"exp(+iwt)\""}};
    for (int k = 0; k < 2; k++) {
        snprintf(path, sizeof path, "pulse.%d.%s", i, needed[k][0]);
        if (!poyi_node_find(r->root, path))
            poyi_missing(r, path, "shape = \"file\" needs it", needed[k][1]);
    }
}

/* A window that is short for the pulse wraps it around (propagation.md 2.6). */
static void check_duration(poy_ctx *ctx, poy_recipe *r, int i)
{
    const poyi_node *window = good(r, "grid.window"), *node = pulse_key(r, i, "fwhm");
    const double sech2_fwhm = 1.7627471740390859; /* of sech^2(t) */
    double fwhm = poyi_node_quantity(ctx, node, POY_DIM_TIME), whole = poyi_node_quantity(ctx, window, POY_DIM_TIME);
    if (!node) {
        node = pulse_key(r, i, "t0");
        fwhm = sech2_fwhm * poyi_node_quantity(ctx, node, POY_DIM_TIME);
    }
    if (fwhm > whole / 4)
        poyi_fault(r, node, NULL, "E_RANGE", "%s is more than a quarter of the window %s (line %d)\nwiden the window",
                   node->text, window->text, window->line);
    else if (fwhm > whole / 8)
        poyi_warning(r, node, NULL, "E_RANGE", "%s is more than an eighth of the window %s (line %d)\nwiden the window",
                     node->text, window->text, window->line);
}

static void check_pulses(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *list = poyi_node_child(r->root, "pulse");
    if (!list || (list->kind == POYI_ARRAY && !list->count))
        poyi_fault(r, list ? list : r->root, "pulse", "E_MISSING",
                   "missing\na run needs a pulse: add [[pulse]] with wavelength, energy and fwhm");
    for (int i = 0; i < pulse_count(r); i++) {
        const poyi_node *delay = pulse_key(r, i, "delay"), *other = pulse_key(r, i, "phase.delay");
        check_shape(r, i);
        check_duration(ctx, r, i);
        if (delay && other)
            poyi_fault(r, delay, NULL, "E_CONFLICT", "already set by phase.delay (line %d)\nkeep one", other->line);
    }
}

/* ---- gas ---- */

static void check_gas_range(poy_ctx *ctx, poy_recipe *r, const char *name)
{
    char path[96], limit[48];
    const poyi_node *min = good(r, "grid.wavelength_min");
    double shortest = poyi_node_quantity(ctx, min, POY_DIM_SPECTRAL);
    poy_gas_info info;
    snprintf(path, sizeof path, "materials.%s.extrapolate", name);
    const poyi_node *extrapolate = good(r, path);
    int beyond = extrapolate && extrapolate->integer;
    for (int i = 0; i < poy_gas_count(); i++) {
        if (poy_gas_info_at(ctx, i, &info) != POY_OK || strcmp(info.name, name) != 0)
            continue;
        double edge = beyond ? info.lambda_pole : info.lambda_min;
        if (!(shortest < edge))
            return;
        poy_quantity_format(edge, POY_DIM_LENGTH, 4, sizeof limit, limit);
        if (beyond)
            poyi_fault(r, min, NULL, "E_RANGE", "%s has a resonance at %s\nraise it", name, limit);
        else
            poyi_fault(r, min, NULL, "E_RANGE",
                       "%s index data end at %s\nraise it, or set materials.%s.extrapolate = true", name, limit, name);
    }
}

static void check_gas(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *gas = poyi_node_child(r->root, "gas"), *fill = poyi_node_find(r->root, "gas.fill");
    const poyi_node *pressure = poyi_node_find(r->root, "gas.pressure");
    int hollow = (r->type & POYI_TYPE_HOLLOW) != 0, mixture = fill && fill->kind == POYI_TABLE;
    if (!fill && (hollow || gas))
        poyi_missing(r, "gas.fill", hollow ? "a hollow guide needs its gas" : "a gas cell needs its gas",
                     "fill = \"He\", or fill = \"vacuum\"");
    if (fill && !mixture && !is_word(fill, "vacuum") && !pressure)
        poyi_missing(r, "gas.pressure", "a filled guide needs its pressure", "pressure = \"1 bar\"");
    if (pressure && (mixture || is_word(fill, "vacuum")))
        poyi_fault(r, pressure, NULL, "E_CONFLICT", "%s (line %d)\nremove it",
                   mixture ? "fill has partial pressures already" : "vacuum has no pressure", fill->line);
    if (fill && fill->known && fill->kind == POYI_STRING)
        check_gas_range(ctx, r, fill->text);
    for (const poyi_node *part = mixture && fill->known ? fill->first : NULL; part; part = part->next)
        check_gas_range(ctx, r, part->key);
}

/* ---- physics, solver, output ---- */

static void check_physics(poy_recipe *r)
{
    const poyi_node *raman = good(r, "physics.raman"), *fraction = good(r, "physics.raman_fraction");
    int off = raman && (is_word(raman, "off") || (raman->kind == POYI_BOOL && !raman->integer));
    if (off && fraction)
        poyi_fault(r, fraction, NULL, "E_CONFLICT", "Raman is off (physics.raman, line %d)\nremove one of the two",
                   raman->line);
}

/* The accepted steps of a result, in the recipe's arena. */
static poy_status read_schedule(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const double **steps, int64_t *n)
{
    const char *path = poyi_source_path(r, node->text);
    POYI_TRY(ctx, poyi_store_schedule(ctx, path ? path : node->text, &r->arena, steps, n));
    return POY_OK;
}

static void check_schedule_file(poy_ctx *ctx, poy_recipe *r, const poyi_node *node)
{
    const double *steps;
    int64_t n;
    if (read_schedule(ctx, r, node, &steps, &n) != POY_OK)
        poyi_fault_from_ctx(ctx, r, node, NULL, "E_IO");
}

static void check_schedule(poy_ctx *ctx, poy_recipe *r, double length)
{
    const poyi_node *schedule = good(r, "solver.schedule");
    double sum = 0;
    char shown[48], wanted[48];
    if (schedule && schedule->kind == POYI_STRING) {
        check_schedule_file(ctx, r, schedule);
        return;
    }
    if (!schedule || isnan(length))
        return;
    for (const poyi_node *step = schedule->first; step; step = step->next)
        sum += poyi_node_quantity(ctx, step, POY_DIM_LENGTH);
    if (fabs(sum - length) <= 1e-9 * length)
        return;
    poy_quantity_format(sum, POY_DIM_LENGTH, 6, sizeof shown, shown);
    poy_quantity_format(length, POY_DIM_LENGTH, 6, sizeof wanted, wanted);
    poyi_fault(r, schedule, NULL, "E_VALUE", "the steps add up to %s, the length is %s\nlet them end there", shown,
               wanted);
}

static void check_solver(poy_ctx *ctx, poy_recipe *r, double length)
{
    const poyi_node *absorber = good(r, "solver.absorber"), *at = good(r, "solver.absorber_length");
    const poyi_node *min = good(r, "solver.dz_min"), *max = good(r, "solver.dz_max");
    int limits = poyi_node_find(r->root, "grid.wavelength_min") || poyi_node_find(r->root, "grid.wavelength_max");
    if (absorber && !is_word(absorber, "none") && !limits)
        poyi_fault(r, absorber, NULL, "E_CONFLICT",
                   "a grid without limits has no windows for an absorber\n"
                   "give wavelength_min and wavelength_max, or use \"none\"");
    if (at && is_word(absorber, "none"))
        poyi_fault(r, at, NULL, "E_CONFLICT", "there is no absorber (line %d)\nremove it", absorber->line);
    if (poyi_node_quantity(ctx, min, POY_DIM_LENGTH) > poyi_node_quantity(ctx, max, POY_DIM_LENGTH))
        poyi_fault(r, min, NULL, "E_RANGE", "%s is above dz_max %s (line %d)\nlower it", min->text, max->text,
                   max->line);
    check_schedule(ctx, r, length);
}

static void check_output(poy_ctx *ctx, poy_recipe *r, double length)
{
    static const char in_fibres[] = "energy photon_number omega_mean peak_power fwhm_t fwhm_t_max peak_time";
    const poyi_node *stats = good(r, "output.stats"), *planes = good(r, "output.plane_positions");
    for (const poyi_node *z = planes ? planes->first : NULL; z; z = z->next)
        if (poyi_node_quantity(ctx, z, POY_DIM_LENGTH) > length)
            poyi_fault(r, z, "output.plane_positions", "E_RANGE", "%s is beyond the length %s\nremove it", z->text,
                       poyi_node_find(r->root, "geometry.length")->text);
    for (const poyi_node *s = stats && r->type == POYI_TYPE_FIBRE ? stats->first : NULL; s; s = s->next)
        if (s->kind == POYI_STRING && !poyi_word_in(in_fibres, s->text))
            poyi_fault(r, s, "output.stats", "E_CONFLICT", "%s has no meaning in a fibre\nremove it", s->text);
}

static void check_fibre(poy_recipe *r)
{
    const poyi_node *field = good(r, "physics.field");
    if (is_word(field, "real"))
        poyi_fault(r, field, NULL, "E_CONFLICT",
                   "a fibre described by gamma and beta carries an envelope\n"
                   "use field = \"envelope\"");
}

/* The files that the recipe names, read once here, so that their faults are told with the others. */
static void check_files(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *index = good(r, "fibre.index_file");
    const double *x, *y, *z;
    int n;
    if (index)
        poyi_csv_index(ctx, r, index, &n, &x, &y);
    for (int i = 0; i < pulse_count(r); i++) {
        const poyi_node *file = pulse_key(r, i, "file");
        if (file)
            poyi_csv_spectrum(ctx, r, file, &n, &x, &y, &z);
    }
}

void poyi_check_pulse(poy_ctx *ctx, poy_recipe *r)
{
    double length = value_at(ctx, r, "geometry.length", POY_DIM_LENGTH);
    check_pulses(ctx, r);
    if (r->type & (POYI_TYPE_HOLLOW | POYI_TYPE_FREE))
        check_gas(ctx, r);
    if (r->type == POYI_TYPE_FIBRE)
        check_fibre(r);
    if (r->type)
        check_grid(ctx, r);
    check_physics(r);
    check_solver(ctx, r, length);
    check_output(ctx, r, length);
    check_files(ctx, r);
}

/* ---- defaults that follow from other keys ---- */

static int has(const poy_recipe *r, const char *path)
{
    return poyi_node_find(r->resolved, path) != NULL;
}

static void set_default(poy_recipe *r, const char *path, const char *toml)
{
    if (!has(r, path))
        poyi_resolved_set(r, path, toml);
}

static void default_length(poy_recipe *r, const char *path, double metres)
{
    char text[64], toml[80];
    poy_quantity_format(metres, POY_DIM_LENGTH, 0, sizeof text, text);
    snprintf(toml, sizeof toml, "\"%s\"", text);
    set_default(r, path, toml);
}

static void default_raman(poy_recipe *r)
{
    const poyi_node *raman = poyi_node_find(r->resolved, "physics.raman");
    int is_auto = !raman || is_word(raman, "auto") || (raman->kind == POYI_BOOL && raman->integer);
    if (raman && raman->kind == POYI_BOOL && !raman->integer)
        poyi_resolved_set(r, "physics.raman", "\"off\"");
    else if (is_auto)
        poyi_resolved_set(r, "physics.raman", r->type == POYI_TYPE_FIBRE ? "\"blow_wood\"" : "\"auto\"");
}

static void default_physics(poy_recipe *r)
{
    int real = r->type != POYI_TYPE_FIBRE && r->type != POYI_TYPE_STEP_INDEX;
    const poyi_node *fill = poyi_node_find(r->resolved, "gas.fill");
    set_default(r, "physics.field", real ? "\"real\"" : "\"envelope\"");
    real = is_word(poyi_node_find(r->resolved, "physics.field"), "real");
    set_default(r, "physics.thg", real ? "true" : "false");
    default_raman(r);
    if (r->type & (POYI_TYPE_HOLLOW | POYI_TYPE_FREE))
        set_default(r, "physics.plasma", real && fill && !is_word(fill, "vacuum") ? "true" : "false");
}

static void default_guide(poy_recipe *r)
{
    const poyi_node *modes = poyi_node_find(r->resolved, "geometry.modes");
    int one = !modes || modes->kind == POYI_STRING || (modes->kind == POYI_INTEGER && modes->integer == 1) ||
              (modes->kind == POYI_ARRAY && modes->count == 1);
    if (r->type & POYI_TYPE_HOLLOW)
        set_default(r, "geometry.averaged", one ? "true" : "false");
    if (r->type == POYI_TYPE_CAPILLARY)
        set_default(r, "geometry.model", "\"full\"");
    if (r->type == POYI_TYPE_ANTIRESONANT)
        set_default(r, "geometry.model", "\"thin_wall\"");
}

static void default_solver(poy_ctx *ctx, poy_recipe *r)
{
    double length = poyi_recipe_quantity(ctx, r, "geometry.length", POY_DIM_LENGTH, 1);
    double first = length / 100 < 1e-4 ? length / 100 : 1e-4;
    int windows = has(r, "grid.wavelength_min");
    double longest = poyi_recipe_quantity(ctx, r, "solver.dz_max", POY_DIM_LENGTH, length / 2);
    default_length(r, "solver.dz_max", longest);
    default_length(r, "solver.dz_first", first < longest ? first : longest);
    default_length(r, "solver.dz_min", 1e-14 * length);
    set_default(r, "solver.absorber", windows ? "\"in_stage\"" : "\"none\"");
    if (!is_word(poyi_node_find(r->resolved, "solver.absorber"), "none"))
        default_length(r, "solver.absorber_length", length / 50);
}

/* The first pulse's wavelength, as it was given. */
static void default_reference(poy_recipe *r, const char *path)
{
    char toml[96];
    const poyi_node *at = carrier(r, 0);
    snprintf(toml, sizeof toml, "\"%s\"", at ? at->text : "");
    set_default(r, path, toml);
}

/* A schedule that is named by a file becomes a list, so that the resolved recipe stands alone. */
static void resolve_schedule(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *node = poyi_node_find(r->resolved, "solver.schedule");
    const double *steps;
    int64_t n;
    char length[64];
    poyi_text list = {0};
    if (!node || node->kind != POYI_STRING || read_schedule(ctx, r, node, &steps, &n) != POY_OK)
        return;
    if (!has(r, "output.plane_positions"))
        set_default(r, "output.planes", "201"); /* those of the run that is replayed, unless it had others */
    poyi_text_add(&list, "[");
    for (int64_t i = 0; i < n; i++) {
        poy_quantity_format(steps[i], POY_DIM_LENGTH, 0, sizeof length, length);
        poyi_text_add(&list, "%s\"%s\"", i ? ", " : "", length);
    }
    poyi_text_add(&list, "]");
    if (list.failed)
        r->arena.failed = 1;
    else
        poyi_resolved_set(r, "solver.schedule", list.text);
    poyi_text_fini(&list);
}

void poyi_resolve_pulse(poy_ctx *ctx, poy_recipe *r)
{
    char path[64];
    resolve_schedule(ctx, r);
    default_guide(r);
    default_physics(r);
    default_solver(ctx, r);
    default_reference(r, "grid.reference");
    if (has(r, "fibre.beta") || has(r, "fibre.D"))
        default_reference(r, "fibre.beta_at");
    for (int i = 0; i < pulse_count(r); i++) {
        snprintf(path, sizeof path, "pulse.%d.order", i);
        const poyi_node *shape = pulse_key(r, i, "shape");
        if (!shape || is_word(shape, "gaussian"))
            set_default(r, path, "1");
    }
    const poyi_node *schedule = poyi_node_find(r->resolved, "solver.schedule");
    if (!has(r, "output.plane_positions")) /* the steps of a list need not end on other planes */
        set_default(r, "output.planes", schedule && schedule->kind == POYI_ARRAY ? "2" : "201");
    set_default(r, "output.stats", "[\"energy\", \"photon_number\", \"omega_mean\"]");
    set_default(r, "plots.kinds", "[\"evolution\", \"spectrum\", \"temporal\"]");
}
