/* pulse.c: what the keys of a pulse recipe say together. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/recipe/csv.h"
#include "run/recipe/material.h"
#include "run/recipe/origin.h"
#include "run/recipe/pulse.h"
#include "run/store/store.h"

/* A value that passed its own check, else NULL: nothing is said twice about a bad one. */
const poyi_node *poyi_good(const poy_recipe *r, const char *path)
{
    const poyi_node *node = poyi_node_find(r->root, path);
    return node && node->known ? node : NULL;
}

int poyi_is_word(const poyi_node *node, const char *word)
{
    return node && node->kind == POYI_STRING && !strcmp(node->text, word);
}

/* In SI, or NaN where it is absent or bad. */
static double value_at(poy_ctx *ctx, const poy_recipe *r, const char *path, poy_dimension dimension)
{
    return poyi_node_quantity(ctx, poyi_good(r, path), dimension);
}

const poyi_node *poyi_recipe_pulse_key(const poy_recipe *r, int i, const char *name)
{
    char path[96];
    snprintf(path, sizeof path, "pulse.%d.%s", i, name);
    return poyi_good(r, path);
}

int poyi_pulse_count(const poy_recipe *r)
{
    const poyi_node *list = poyi_node_child(r->root, "pulse");
    return list && list->kind == POYI_ARRAY ? list->count : 0;
}

/* The node that says the wavelength of pulse i: wavelength, frequency or photon_energy. */
const poyi_node *poyi_pulse_carrier(const poy_recipe *r, int i)
{
    static const char *const names[] = {"wavelength", "frequency", "photon_energy"};
    for (int k = 0; k < 3; k++) {
        const poyi_node *node = poyi_recipe_pulse_key(r, i, names[k]);
        if (node)
            return node;
    }
    return NULL;
}

int poyi_is_real_field(const poy_recipe *r)
{
    const poyi_node *field = poyi_good(r, "physics.field");
    return field ? poyi_is_word(field, "real") : r->type != POYI_TYPE_FIBRE && r->type != POYI_TYPE_STEP_INDEX;
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
    const poyi_node *min = poyi_good(r, "grid.wavelength_min"), *max = poyi_good(r, "grid.wavelength_max");
    const poyi_node *reference = poyi_good(r, "grid.reference");
    double shortest = poyi_node_quantity(ctx, min, POY_DIM_SPECTRAL),
           longest = poyi_node_quantity(ctx, max, POY_DIM_SPECTRAL);
    if (shortest >= longest) {
        poyi_fault(r, max, NULL, "E_RANGE", "%s is not above wavelength_min %s (line %d)\nraise it", max->text,
                   min->text, min->line);
        return;
    }
    for (int i = 0; i < poyi_pulse_count(r); i++) {
        const poyi_node *at = poyi_pulse_carrier(r, i);
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
    if (poyi_is_real_field(r)) {
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

/* The band of the grid, m; 0 where its keys are not good: from limits, or from window and samples about the carrier. */
static int grid_reach(poy_ctx *ctx, const poy_recipe *r, double *from, double *to)
{
    const poyi_node *samples = poyi_good(r, "grid.samples"), *reference = poyi_good(r, "grid.reference");
    *from = value_at(ctx, r, "grid.wavelength_min", POY_DIM_SPECTRAL);
    *to = value_at(ctx, r, "grid.wavelength_max", POY_DIM_SPECTRAL);
    if (!isnan(*from) && !isnan(*to))
        return 1;
    const double carrier = poyi_node_quantity(ctx, reference ? reference : poyi_pulse_carrier(r, 0), POY_DIM_SPECTRAL);
    const double half =
        samples ? 0.5 * (double)samples->integer / value_at(ctx, r, "grid.window", POY_DIM_TIME) : (double)NAN; /* Hz */
    *from = POYI_C / (POYI_C / carrier + half);
    *to = POYI_C / carrier > half ? POYI_C / (POYI_C / carrier - half) : (double)INFINITY;
    return !isnan(*from) && !isnan(*to);
}

void poyi_check_inside(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *path, const char *text)
{
    const poyi_node *grid = poyi_node_child(r->root, "grid");
    char low[48], high[48];
    double from, to;
    poy_quantity q;
    if (poy_quantity_parse_as(ctx, text, POY_DIM_SPECTRAL, &q) != POY_OK) {
        poy_ctx_clear(ctx);
        return;
    }
    if (!grid_reach(ctx, r, &from, &to) || (q.value >= from * (1 - 1e-9) && q.value <= to * (1 + 1e-9)))
        return;
    poy_quantity_format(from, POY_DIM_LENGTH, 4, sizeof low, low);
    poy_quantity_format(to, POY_DIM_LENGTH, 4, sizeof high, high);
    poyi_fault(r, node, path, "E_RANGE",
               "%s is outside the grid, %s to %s (line %d)\nwiden the grid, or choose one inside", text, low,
               isinf(to) ? "any longer one" : high, grid ? grid->line : 0);
}

/* ---- pulses ---- */

static void conflict(poy_recipe *r, const poyi_node *node, const char *shape, const char *hint)
{
    if (node)
        poyi_fault(r, node, NULL, "E_CONFLICT", "has no meaning for shape = \"%s\"\n%s", shape, hint);
}

/* A state of another run has its shape, strength and polarisation. */
static void check_state(poy_recipe *r, int i)
{
    static const char *const others[] = {"order",     "fwhm",       "t0",         "peak_power", "average_power",
                                         "linewidth", "phase_sign", "beam.waist", "file",       "sideband.offset"};
    const poyi_node *from = poyi_recipe_pulse_key(r, i, "from"), *shape = poyi_recipe_pulse_key(r, i, "shape");
    const poyi_node *polarisation = poyi_recipe_pulse_key(r, i, "polarisation");
    for (size_t k = 0; k < sizeof others / sizeof *others; k++)
        conflict(r, poyi_recipe_pulse_key(r, i, others[k]), "result", "remove it: from has it");
    if (polarisation && !poyi_is_word(polarisation, "y"))
        conflict(r, polarisation, "result", "remove it: from has it");
    if (from && shape && !poyi_is_word(shape, "result"))
        poyi_fault(r, shape, NULL, "E_CONFLICT", "from (line %d) has a shape\nremove one of the two", from->line);
    if (!from) {
        char path[64];
        snprintf(path, sizeof path, "pulse.%d.from", i);
        poyi_missing(r, path, "shape = \"result\" needs it", "from = \"first.h5\"");
    }
}

/* What a constant wave alone has, and what it has not. */
static void check_wave(poy_recipe *r, int i, const char *name, int is_cw)
{
    static const char *const of_waves[][2] = {{"linewidth", "remove it, or use shape = \"cw\""},
                                              {"line", "remove it, or use shape = \"cw\""},
                                              {"average_power", "give energy: average power over repetition rate"}};
    const poyi_node *width = poyi_recipe_pulse_key(r, i, "linewidth"), *line = poyi_recipe_pulse_key(r, i, "line");
    const poyi_node *peak = poyi_recipe_pulse_key(r, i, "peak_power");
    const int told = peak || poyi_recipe_pulse_key(r, i, "energy"); /* that only one of them may stand there */
    for (int k = 0; k < (told ? 2 : 3) && !is_cw; k++)
        conflict(r, poyi_recipe_pulse_key(r, i, of_waves[k][0]), name, of_waves[k][1]);
    if (is_cw && width && peak && !poyi_is_word(line, "phase_diffusion"))
        poyi_fault(r, peak, NULL, "E_CONFLICT",
                   "the power of a line with random phases (linewidth, line %d) fluctuates\ngive average_power",
                   width->line);
}

/* A spectrum has its carrier and phases; a power in time lies on the carrier of the pulse. */
static void check_file(poy_recipe *r, int i)
{
    const poyi_node *file = poyi_recipe_pulse_key(r, i, "file");
    const int in_time = file && poyi_csv_is_in_time(r, file);
    char path[64];
    if (!in_time)
        conflict(r, poyi_recipe_pulse_key(r, i, "peak_power"), "file", "give energy");
    snprintf(path, sizeof path, "pulse.%d.file", i);
    if (!poyi_node_find(r->root, path))
        poyi_missing(r, path, "shape = \"file\" needs it", "file = \"spectrum.csv\"");
    snprintf(path, sizeof path, "pulse.%d.phase_sign", i);
    if (!in_time && !poyi_node_find(r->root, path))
        poyi_missing(r, path, "shape = \"file\" needs it", "phase_sign = \"exp(+iwt)\"");
    snprintf(path, sizeof path, "pulse.%d.wavelength", i);
    if (in_time && !poyi_pulse_carrier(r, i))
        poyi_missing(r, path, "a power in time needs its carrier", "wavelength = \"800 nm\"");
}

static void check_shape(poy_recipe *r, int i)
{
    const poyi_node *shape = poyi_recipe_pulse_key(r, i, "shape");
    const char *name = shape ? shape->text : "gaussian";
    int is_file = !strcmp(name, "file"), is_cw = !strcmp(name, "cw");
    if (!strcmp(name, "result") || poyi_recipe_pulse_key(r, i, "from")) {
        check_state(r, i);
        return;
    }
    check_wave(r, i, name, is_cw);
    if (is_file || is_cw) {
        conflict(r, poyi_recipe_pulse_key(r, i, "fwhm"), name, "remove it");
        conflict(r, poyi_recipe_pulse_key(r, i, "t0"), name, "remove it");
    }
    if (strcmp(name, "sech2") != 0 && !is_file && !is_cw)
        conflict(r, poyi_recipe_pulse_key(r, i, "t0"), name, "use fwhm, or shape = \"sech2\"");
    if (strcmp(name, "gaussian") != 0)
        conflict(r, poyi_recipe_pulse_key(r, i, "order"), name, "remove it, or use shape = \"gaussian\"");
    if (is_file) {
        check_file(r, i);
        return;
    }
    conflict(r, poyi_recipe_pulse_key(r, i, "file"), name, "remove it, or use shape = \"file\"");
    conflict(r, poyi_recipe_pulse_key(r, i, "phase_sign"), name, "remove it, or use shape = \"file\"");
}

/* A window that is short for the pulse wraps it around (docs/physics.md 2). */
static void check_duration(poy_ctx *ctx, poy_recipe *r, int i)
{
    const poyi_node *window = poyi_good(r, "grid.window"), *node = poyi_recipe_pulse_key(r, i, "fwhm");
    const double sech2_fwhm = 1.7627471740390859; /* of sech^2(t) */
    double fwhm = poyi_node_quantity(ctx, node, POY_DIM_TIME), whole = poyi_node_quantity(ctx, window, POY_DIM_TIME);
    if (!node) {
        node = poyi_recipe_pulse_key(r, i, "t0");
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
    for (int i = 0; i < poyi_pulse_count(r); i++) {
        const poyi_node *delay = poyi_recipe_pulse_key(r, i, "delay"),
                        *other = poyi_recipe_pulse_key(r, i, "phase.delay");
        check_shape(r, i);
        check_duration(ctx, r, i);
        if (delay && other)
            poyi_fault(r, delay, NULL, "E_CONFLICT", "already set by phase.delay (line %d)\nkeep one", other->line);
        const poyi_node *mode = poyi_recipe_pulse_key(r, i, "mode"), *waist = poyi_recipe_pulse_key(r, i, "beam.waist");
        if (mode && waist)
            poyi_fault(r, mode, NULL, "E_CONFLICT", "a beam (line %d) goes into all modes\nkeep one", waist->line);
    }
}

/* ---- physics, solver, output ---- */

static void check_physics(poy_recipe *r)
{
    const poyi_node *raman = poyi_good(r, "physics.raman"), *fraction = poyi_good(r, "physics.raman_fraction");
    int off = raman && (poyi_is_word(raman, "off") || (raman->kind == POYI_BOOL && !raman->integer));
    if (off && fraction)
        poyi_fault(r, fraction, NULL, "E_CONFLICT", "Raman is off (physics.raman, line %d)\nremove one of the two",
                   raman->line);
}

/* The accepted steps of a result, in the recipe's arena. */
poy_status poyi_read_schedule(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const double **steps, int64_t *n)
{
    const char *path = poyi_source_path(r, node->text);
    POYI_TRY(ctx, poyi_store_schedule(ctx, path ? path : node->text, &r->arena, steps, n));
    return POY_OK;
}

static void check_schedule_file(poy_ctx *ctx, poy_recipe *r, const poyi_node *node)
{
    const double *steps;
    int64_t n;
    if (poyi_read_schedule(ctx, r, node, &steps, &n) != POY_OK)
        poyi_fault_from_ctx(ctx, r, node, NULL, "E_IO");
}

static void check_schedule(poy_ctx *ctx, poy_recipe *r, double length)
{
    const poyi_node *schedule = poyi_good(r, "solver.schedule");
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
    const poyi_node *absorber = poyi_good(r, "solver.absorber"), *at = poyi_good(r, "solver.absorber_length");
    const poyi_node *min = poyi_good(r, "solver.dz_min"), *max = poyi_good(r, "solver.dz_max");
    int limits = poyi_node_find(r->root, "grid.wavelength_min") || poyi_node_find(r->root, "grid.wavelength_max");
    if (absorber && !poyi_is_word(absorber, "none") && !limits)
        poyi_fault(r, absorber, NULL, "E_CONFLICT",
                   "a grid without limits has no windows for an absorber\n"
                   "give wavelength_min and wavelength_max, or use \"none\"");
    if (at && poyi_is_word(absorber, "none"))
        poyi_fault(r, at, NULL, "E_CONFLICT", "there is no absorber (line %d)\nremove it", absorber->line);
    if (poyi_node_quantity(ctx, min, POY_DIM_LENGTH) > poyi_node_quantity(ctx, max, POY_DIM_LENGTH))
        poyi_fault(r, min, NULL, "E_RANGE", "%s is above dz_max %s (line %d)\nlower it", min->text, max->text,
                   max->line);
    check_schedule(ctx, r, length);
}

/* Are fields taken at points of the cross-section? */
static int is_multimode(poy_ctx *ctx, const poy_recipe *r)
{
    const poyi_node *averaged = poyi_good(r, "geometry.averaged");
    return poyi_mode_count(ctx, r, poyi_good(r, "geometry.modes")) > 1 ||
           (averaged && averaged->kind == POYI_BOOL && !averaged->integer);
}

/* Statistics that have no meaning in this geometry, or without what they measure. */
static void check_stat(poy_ctx *ctx, poy_recipe *r, const poyi_node *stat)
{
    static const char in_fibres[] =
        "energy energy_per_mode photon_number omega_mean peak_power fwhm_t fwhm_t_max peak_time";
    static const char at_points[] = "peak_intensity fwhm_r core_radius quadrature_error"; /* of a step-index fibre */
    const poyi_node *plasma = poyi_good(r, "physics.plasma"), *fill = poyi_good(r, "gas.fill");
    const int ionises = (r->type & (POYI_TYPE_HOLLOW | POYI_TYPE_FREE)) && poyi_is_real_field(r) &&
                        !(plasma && !plasma->integer) && !poyi_is_word(fill, "vacuum");
    if ((r->type & (POYI_TYPE_FIBRE | POYI_TYPE_STEP_INDEX)) && !poyi_word_in(in_fibres, stat->text) &&
        !(is_multimode(ctx, r) && poyi_word_in(at_points, stat->text)))
        poyi_fault(r, stat, "output.stats", "E_CONFLICT", "%s has no meaning in a fibre\nremove it", stat->text);
    else if (!ionises && poyi_word_in("electron_density peak_rate", stat->text))
        poyi_fault(r, stat, "output.stats", "E_CONFLICT", "%s has no meaning without a plasma\nremove it", stat->text);
    else if ((r->type & POYI_TYPE_GUIDE) && poyi_is_word(stat, "quadrature_error") && !is_multimode(ctx, r))
        poyi_fault(r, stat, "output.stats", "E_CONFLICT",
                   "quadrature_error has no meaning for one mode with its effective area\nremove it");
}

/* "600 nm:700 nm" of a statistic: light that the grid does not hold would be counted as none. */
static void check_band(poy_ctx *ctx, poy_recipe *r, const poyi_node *band)
{
    const char *colon = band && band->kind == POYI_STRING ? strchr(band->text, ':') : NULL;
    char from[64];
    const int before = r->faults.count;
    if (!colon)
        return;
    snprintf(from, sizeof from, "%.*s", (int)(colon - band->text), band->text);
    poyi_check_inside(ctx, r, band, "output.stats", from);
    if (r->faults.count == before)
        poyi_check_inside(ctx, r, band, "output.stats", colon + 1 + strspn(colon + 1, " "));
}

static void check_output(poy_ctx *ctx, poy_recipe *r, double length)
{
    const poyi_node *stats = poyi_good(r, "output.stats"), *planes = poyi_good(r, "output.plane_positions");
    for (const poyi_node *z = planes ? planes->first : NULL; z; z = z->next)
        if (poyi_node_quantity(ctx, z, POY_DIM_LENGTH) > length)
            poyi_fault(r, z, "output.plane_positions", "E_RANGE", "%s is beyond the length %s\nremove it", z->text,
                       poyi_node_find(r->root, "geometry.length")->text);
    for (const poyi_node *s = stats ? stats->first : NULL; s; s = s->next) {
        if (s->kind == POYI_STRING)
            check_stat(ctx, r, s);
        else
            check_band(ctx, r, poyi_node_child(s, "band"));
    }
}

static void check_fibre(poy_recipe *r)
{
    const poyi_node *field = poyi_good(r, "physics.field"), *thg = poyi_good(r, "physics.thg");
    if (poyi_is_word(field, "real"))
        poyi_fault(r, field, NULL, "E_CONFLICT",
                   "the equation of a glass fibre is one of envelopes\n"
                   "use field = \"envelope\"");
    if (thg && thg->kind == POYI_BOOL && thg->integer)
        poyi_fault(r, thg, NULL, "E_CONFLICT", "the equation of a glass fibre has no third harmonic\nremove it");
}

/* What the pulse went through: its tables, and materials that nobody knows. */
static void check_passage_files(poy_ctx *ctx, poy_recipe *r, const poyi_node *entry)
{
    const poyi_node *mirror = poyi_node_child(entry, "mirror"), *phase = poyi_node_child(entry, "phase");
    const poyi_node *material = poyi_node_child(entry, "material"), *filter = poyi_node_child(entry, "filter");
    const double *x, *y, *z;
    int n;
    if (filter)
        poyi_csv_filter(ctx, r, filter, &n, &x, &y);
    if (mirror)
        poyi_csv_mirror(ctx, r, mirror, &n, &x, &y, &z);
    if (phase)
        poyi_csv_phase(ctx, r, phase, &n, &x, &y);
    if (material) {
        poyi_check_plain_material(r, material);
        poyi_check_material_known(ctx, r, material);
    }
}

/* A power in time, whose phase needs its sign, and which has none to say without. */
static void check_power(poy_ctx *ctx, poy_recipe *r, int i, const poyi_node *file)
{
    const poyi_node *sign = poyi_recipe_pulse_key(r, i, "phase_sign");
    const double *t, *power, *phase;
    char path[64];
    int n;
    if (!poyi_csv_power(ctx, r, file, &n, &t, &power, &phase))
        return;
    snprintf(path, sizeof path, "pulse.%d.phase_sign", i);
    if (phase && !poyi_node_find(r->root, path))
        poyi_missing(r, path, "the phase of file needs it", "phase_sign = \"exp(+iwt)\"");
    if (!phase && sign)
        poyi_fault(r, sign, NULL, "E_CONFLICT", "file (line %d) has no phase\nremove it", file->line);
}

/* The files that the recipe names, read once here, so that their faults are told with the others. */
static void check_files(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *fibre = poyi_good(r, "fibre.index_file"), *guide = poyi_good(r, "geometry.index_file");
    const poyi_node *index = fibre ? fibre : r->type == POYI_TYPE_TABULATED ? guide : NULL;
    const double *x, *y, *z;
    poyi_origin state;
    int n;
    if (index)
        poyi_csv_index(ctx, r, index, &n, &x, &y);
    for (int i = 0; i < poyi_pulse_count(r); i++) {
        const poyi_node *file = poyi_recipe_pulse_key(r, i, "file");
        if (file && poyi_csv_is_in_time(r, file))
            check_power(ctx, r, i, file);
        else if (file)
            poyi_csv_spectrum(ctx, r, file, &n, &x, &y, &z);
        if (poyi_recipe_pulse_key(r, i, "from"))
            poyi_origin_read(ctx, r, poyi_recipe_pulse_key(r, i, "from")->parent, &state);
        const poyi_node *through = poyi_recipe_pulse_key(r, i, "through");
        for (const poyi_node *entry = through ? through->first : NULL; entry; entry = entry->next)
            check_passage_files(ctx, r, entry);
    }
}

void poyi_check_pulse(poy_ctx *ctx, poy_recipe *r)
{
    double length = value_at(ctx, r, "geometry.length", POY_DIM_LENGTH);
    check_pulses(ctx, r);
    poyi_check_guide(ctx, r);
    if (r->type & (POYI_TYPE_FIBRE | POYI_TYPE_STEP_INDEX))
        check_fibre(r);
    if (r->type)
        check_grid(ctx, r);
    check_physics(r);
    check_solver(ctx, r, length);
    check_output(ctx, r, length);
    check_files(ctx, r);
    poyi_check_idle(r);
}
