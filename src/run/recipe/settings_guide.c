/* settings_guide.c: a resolved recipe of a guide as the options of the physics: materials, gas, modes, what changes along
 * it, and glass fibres. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "pulse/guide/guide.h"
#include "pulse/setup/setup.h"
#include "run/recipe/csv.h"
#include "run/recipe/material.h"
#include "run/recipe/pulse.h"
#include "run/recipe/settings.h"

/* What one recipe's guide is made of, while it is made. */
typedef struct parts {
    poy_ctx *ctx;
    poy_recipe *r;
    poyi_arena *arena;
    const char *modes[POY_GUIDE_MODES_MAX];
    int n_modes;
    const char *gases[POY_GUIDE_GASES_MAX];
    double shares[POY_GUIDE_GASES_MAX];
} parts;

/* ---- along z ---- */

/* From one value at the launch to another at the end. */
static poy_along along_between(parts *p, double from, double to)
{
    double *z = poyi_arena_alloc(p->arena, 4 * sizeof *z);
    if (!z || from == to)
        return (poy_along){.value = from};
    z[0] = 0;
    z[1] = poyi_recipe_quantity(p->ctx, p->r, "geometry.length", POY_DIM_LENGTH, 0);
    z[2] = from;
    z[3] = to;
    return (poy_along){.n = 2, .z = z, .values = z + 2};
}

/* "1 bar", "1 bar -> 0 bar" over the length, or [[z, value], ...], times factor. */
static poy_along along_of(parts *p, const poyi_node *node, poy_dimension dimension, double factor)
{
    poy_along out = {.value = 0};
    const int is_list = node && node->kind == POYI_ARRAY;
    const char *arrow = node && node->kind == POYI_STRING ? strstr(node->text, "->") : NULL;
    double ends[2];
    if (arrow) { /* of pressures alone */
        poyi_pressure_ends(p->ctx, node, ends);
        return along_between(p, factor * ends[0], factor * ends[1]);
    }
    if (!is_list) {
        out.value = factor * poyi_node_quantity(p->ctx, node, dimension);
        return out;
    }
    const int n = node->count;
    double *z = poyi_arena_alloc(p->arena, 2 * (size_t)n * sizeof *z);
    int i = 0;
    for (const poyi_node *point = z ? node->first : NULL; point; point = point->next, i++) {
        z[i] = poyi_node_quantity(p->ctx, point->first, POY_DIM_LENGTH);
        z[n + i] = factor * poyi_node_quantity(p->ctx, point->last, dimension);
    }
    return z ? (poy_along){.n = n, .z = z, .values = z + n} : out;
}

static poy_along radius_of(parts *p)
{
    const poyi_node *radius = poyi_recipe_at(p->r, "geometry.core_radius");
    const poyi_node *diameter = poyi_recipe_at(p->r, "geometry.core_diameter");
    return along_of(p, radius ? radius : diameter, POY_DIM_LENGTH, radius ? 1 : 0.5);
}

/* ---- gas ---- */

static poy_fill_options fill_of(parts *p)
{
    const poyi_node *fill = poyi_recipe_at(p->r, "gas.fill");
    poy_fill_options out = {
        .temperature = poyi_recipe_quantity(p->ctx, p->r, "gas.temperature", POY_DIM_TEMPERATURE, 293.15),
        .eos = !strcmp(poyi_recipe_word(p->r, "gas.eos", ""), "ideal") ? POY_EOS_IDEAL : POY_EOS_HELMHOLTZ,
        .gases = p->gases};
    if (!fill || (fill->kind == POYI_STRING && !strcmp(fill->text, "vacuum")))
        return out;
    if (fill->kind == POYI_STRING) {
        p->gases[0] = fill->text;
        out.n_gases = 1;
        out.pressure = along_of(p, poyi_recipe_at(p->r, "gas.pressure"), POY_DIM_PRESSURE, 1);
        out.extrapolate = poyi_material_extrapolates(p->r, fill->text);
        return out;
    }
    const int by_shares = poyi_fill_has_shares(fill);
    double ends[2], sums[2] = {0, 0}, shares = 0;
    for (const poyi_node *part = fill->first; part && out.n_gases < POY_GUIDE_GASES_MAX; part = part->next) {
        if (!by_shares)
            poyi_pressure_ends(p->ctx, part, ends);
        const double share = by_shares ? part->real : ends[0] + ends[1]; /* of the same composition at both */
        if (!(share > 0))
            continue; /* none of it */
        for (int i = 0; i < 2; i++)
            sums[i] += by_shares ? 0 : ends[i];
        p->gases[out.n_gases] = part->key;
        p->shares[out.n_gases++] = share;
        shares += share;
        out.extrapolate |= poyi_material_extrapolates(p->r, part->key);
    }
    for (int i = 0; i < out.n_gases; i++)
        p->shares[i] /= shares;
    out.shares = p->shares;
    out.pressure = by_shares ? along_of(p, poyi_recipe_at(p->r, "gas.pressure"), POY_DIM_PRESSURE, 1)
                             : along_between(p, sums[0], sums[1]);
    return out;
}

static void gas_options(const poy_recipe *r, poy_gas_options *o)
{
    const char *rule = poyi_recipe_word(r, "physics.plasma_rule", "trapezoid");
    const char *rate = poyi_recipe_word(r, "physics.rate", "auto");
    const char *raman = poyi_recipe_word(r, "physics.raman", "auto");
    poy_gas_options_init(o);
    o->raman = !strcmp(raman, "off") ? 0 : -1;
    o->plasma = poyi_recipe_bool(r, "physics.plasma", 0);
    o->plasma_taps = strncmp(rule, "band:", 5) != 0 ? 0 : rule[5] - '0';
    o->plasma_held = !strcmp(poyi_recipe_word(r, "physics.plasma_source", "polarisation"), "current");
    o->preionised = poyi_recipe_number(r, "physics.preionised", 0);
    o->rate.model = !strcmp(rate, "ppt")   ? POY_IONISATION_PPT
                    : !strcmp(rate, "adk") ? POY_IONISATION_ADK
                                           : POY_IONISATION_AUTO;
    o->rate_above = !strcmp(poyi_recipe_word(r, "physics.rate_above", "error"), "hold") ? POY_IONISATION_HOLD
                                                                                        : POY_IONISATION_ERROR;
}

/* ---- guides ---- */

static void add_mode(void *user, const char *name)
{
    parts *p = user;
    if (p->n_modes < POY_GUIDE_MODES_MAX)
        p->modes[p->n_modes++] = poyi_arena_copy(p->arena, name, strlen(name));
}

static const char *const *modes_of(parts *p)
{
    const poyi_node *modes = poyi_recipe_at(p->r, "geometry.modes");
    p->n_modes = 0;
    if (modes)
        poyi_each_mode(p->ctx, p->r, modes, add_mode, p);
    if (p->n_modes)
        return p->modes;
    p->n_modes = modes && modes->kind == POYI_INTEGER ? (int)modes->integer : 1;
    return NULL;
}

static double loss_of(const poy_recipe *r)
{
    const poyi_node *loss = poyi_recipe_at(r, "geometry.loss");
    return !loss ? 1 : loss->kind == POYI_BOOL ? loss->integer != 0 : loss->real;
}

static poy_status make_capillary(parts *p, poy_guide **out)
{
    poy_capillary_options o;
    poy_capillary_options_init(&o);
    o.core_radius = radius_of(p);
    o.model = !strcmp(poyi_recipe_word(p->r, "geometry.model", "full"), "reduced") ? POY_CAPILLARY_REDUCED
                                                                                   : POY_CAPILLARY_FULL;
    o.wall = poyi_settings_material(p->r, poyi_recipe_at(p->r, "geometry.wall"));
    o.fill = fill_of(p);
    o.modes = modes_of(p);
    o.n_modes = p->n_modes;
    o.loss = loss_of(p->r);
    return poy_guide_create_capillary(p->ctx, &o, out);
}

static poy_status make_antiresonant(parts *p, poy_guide **out)
{
    const double none = (double)NAN;
    const char *model = poyi_recipe_word(p->r, "geometry.model", "thin_wall");
    poy_antiresonant_options o;
    poy_antiresonant_options_init(&o);
    o.core_radius = radius_of(p);
    o.model = !strcmp(model, "tubes")            ? POY_ANTIRESONANT_TUBES
              : !strcmp(model, "thin_wall_luna") ? POY_ANTIRESONANT_THIN_WALL_LUNA
                                                 : POY_ANTIRESONANT_THIN_WALL;
    o.wall_thickness = poyi_recipe_quantity(p->ctx, p->r, "geometry.wall_thickness", POY_DIM_LENGTH, none);
    o.wall = poyi_settings_material(p->r, poyi_recipe_at(p->r, "geometry.wall"));
    o.tubes = (int)poyi_recipe_integer(p->r, "geometry.tubes", 0);
    o.tube_radius = poyi_recipe_quantity(p->ctx, p->r, "geometry.tube_radius", POY_DIM_LENGTH, none);
    o.gap = poyi_recipe_quantity(p->ctx, p->r, "geometry.gap", POY_DIM_LENGTH, none);
    o.fill = fill_of(p);
    o.modes = modes_of(p);
    o.n_modes = p->n_modes;
    o.loss = loss_of(p->r);
    return poy_guide_create_antiresonant(p->ctx, &o, out);
}

static poy_status make_rectangular(parts *p, poy_guide **out)
{
    poy_rectangular_options o;
    poy_rectangular_options_init(&o);
    o.half_width_x = poyi_recipe_quantity(p->ctx, p->r, "geometry.half_width_x", POY_DIM_LENGTH, 0);
    o.half_width_y = poyi_recipe_quantity(p->ctx, p->r, "geometry.half_width_y", POY_DIM_LENGTH, 0);
    o.wall = poyi_settings_material(p->r, poyi_recipe_at(p->r, "geometry.wall"));
    o.fill = fill_of(p);
    o.modes = modes_of(p);
    o.n_modes = p->n_modes;
    o.loss = loss_of(p->r);
    return poy_guide_create_rectangular(p->ctx, &o, out);
}

static poy_status make_step_index(parts *p, poy_guide **out)
{
    poy_step_index_options o;
    poy_step_index_options_init(&o);
    o.core_radius = radius_of(p);
    o.core = poyi_settings_material(p->r, poyi_recipe_at(p->r, "geometry.core_material"));
    o.cladding = poyi_settings_material(p->r, poyi_recipe_at(p->r, "geometry.cladding"));
    o.core.offset = poyi_recipe_number(p->r, "geometry.core_offset", 0);
    o.modes = modes_of(p);
    o.n_modes = p->n_modes;
    return poy_guide_create_step_index(p->ctx, &o, out);
}

static poy_status make_tabulated(parts *p, poy_guide **out)
{
    const double area = poyi_recipe_quantity(p->ctx, p->r, "geometry.effective_area", POY_DIM_AREA, 0);
    poy_tabulated_options o;
    poy_tabulated_options_init(&o);
    const poyi_node *modes = poyi_recipe_at(p->r, "geometry.modes");
    if (modes && modes->kind != POYI_INTEGER) {
        o.names = modes_of(p);
        o.n_modes = p->n_modes;
    }
    poyi_csv_index(p->ctx, p->r, poyi_recipe_at(p->r, "geometry.index_file"), &o.n_wavelengths, &o.wavelengths, &o.n);
    o.area = &area;
    o.fill = fill_of(p);
    return poy_guide_create_tabulated(p->ctx, &o, out);
}

poy_status poyi_settings_guide(poy_ctx *ctx, poy_recipe *r, poyi_arena *arena, poy_guide **out)
{
    parts p = {.ctx = ctx, .r = r, .arena = arena};
    *out = NULL;
    switch (r->type) {
    case POYI_TYPE_CAPILLARY: POYI_TRY(ctx, make_capillary(&p, out)); break;
    case POYI_TYPE_ANTIRESONANT: POYI_TRY(ctx, make_antiresonant(&p, out)); break;
    case POYI_TYPE_RECTANGULAR: POYI_TRY(ctx, make_rectangular(&p, out)); break;
    case POYI_TYPE_STEP_INDEX: POYI_TRY(ctx, make_step_index(&p, out)); break;
    case POYI_TYPE_TABULATED: POYI_TRY(ctx, make_tabulated(&p, out)); break;
    default:
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "geometry.type: %s is no guide: use fibre, capillary, antiresonant, step_index, rectangular or tabulated",
            poyi_recipe_word(r, "geometry.type", ""));
    }
    return POY_OK;
}

double poyi_settings_place(const poyi_settings *s)
{
    poy_guide_place place;
    if (!s->guide || !poy_guide_gas_count(s->guide))
        return 0;
    poy_guide_at(s->guide, 0, &place);
    return place.pressure > 0 ? 0 : s->length;
}

/* ---- the state ---- */

/* Polarisation of pulse i: the direction of its larger half axis from y towards x, and its ellipticity. "right" turns
 * clockwise for who looks into the light: y ~ cos(omega t), x ~ sin(omega t). */
static void polarisation_of(const poyi_node *pulse, poy_pulse_options *o)
{
    const poyi_node *node = poyi_node_child(pulse, "polarisation");
    const poyi_node *ellipticity = node && node->kind == POYI_TABLE ? poyi_node_child(node, "ellipticity") : NULL;
    const char *word = node && node->kind == POYI_STRING ? node->text : "y";
    o->direction = !strcmp(word, "x") ? 0.5 * POYI_PI : 0;
    o->ellipticity = ellipticity ? ellipticity->real : !strcmp(word, "right") ? 1 : !strcmp(word, "left") ? -1 : 0;
}

/* Where the pulses go; answers how many polarisations that takes. */
static poy_status place_pulses(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s, int *polarisations)
{
    const poyi_node *list = poyi_recipe_at(r, "pulse");
    int i = 0;
    *polarisations = 1;
    for (const poyi_node *pulse = list ? list->first : NULL; pulse; pulse = pulse->next, i++) {
        const poyi_node *mode = poyi_node_child(pulse, "mode");
        char key[32];
        snprintf(key, sizeof key, "pulse.%d.mode", i);
        polarisation_of(pulse, &s->pulses[i]);
        if (s->pulses[i].direction != 0 || s->pulses[i].ellipticity != 0)
            *polarisations = 2;
        if (mode && !s->origins[i].n_columns &&
            poy_guide_find_mode(ctx, s->guide, mode->text, &s->pulses[i].mode) != POY_OK)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s", key, poy_ctx_cause(ctx));
    }
    if (poyi_settings_origins_turn(s))
        *polarisations = 2;
    return POY_OK;
}

/* Modes and directions of the columns, mode by mode. */
static poy_status make_columns(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s, poy_gas_options *gas)
{
    int polarisations = 1;
    POYI_TRY(ctx, place_pulses(ctx, r, s, &polarisations));
    s->n_modes = poy_guide_mode_count(s->guide);
    s->n_columns = s->n_modes * polarisations;
    s->polarisations[0] = "y";
    s->polarisations[1] = "x";
    int *modes = poyi_arena_alloc(&s->arena, (size_t)s->n_columns * sizeof *modes);
    double *angles = poyi_arena_alloc(&s->arena, (size_t)s->n_columns * sizeof *angles);
    s->mode_names = poyi_arena_alloc(&s->arena, (size_t)s->n_modes * sizeof *s->mode_names);
    if (!modes || !angles || !s->mode_names)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.modes: no memory for %d columns", s->n_columns);
    for (int c = 0; c < s->n_columns; c++) {
        const poy_mode mode = poyi_guide_mode(s->guide, c / polarisations);
        modes[c] = c / polarisations;
        s->mode_names[modes[c]] = poy_guide_mode_name(s->guide, modes[c]);
        if (polarisations > 1 && (mode.family == POY_MODE_TE || mode.family == POY_MODE_TM))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "geometry.modes: %s has one polarisation, but there is light along x, too (pulse.N."
                             "polarisation): leave the mode out, or the polarisation",
                             s->mode_names[modes[c]]);
        if (polarisations > 1 && (mode.family == POY_MODE_EX || mode.family == POY_MODE_EY))
            return POYI_FAIL(
                ctx, POY_ERR_ARGUMENT,
                "geometry.modes: %s is polarised along %s alone, but a pulse is not (pulse.N.polarisation): "
                "name modes = [\"Ey11\", \"Ex11\"], and launch a pulse into each (pulse.N.mode)",
                s->mode_names[modes[c]], mode.family == POY_MODE_EX ? "x" : "y");
        /* the other one of a field that turns n times is a quarter of a turn of it further */
        angles[c] = c % polarisations ? 0.5 * POYI_PI / (mode.n > 1 && mode.family <= POY_MODE_EH ? mode.n : 1) : 0;
    }
    gas->n_columns = s->n_columns;
    gas->modes = modes;
    gas->angles = angles;
    gas->averaged = poyi_recipe_bool(r, "geometry.averaged", -1);
    return poyi_settings_origins_place(ctx, r, s);
}

/* ---- the problem ---- */

poy_status poyi_settings_gas_problem(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, const poy_physics_options *physics,
                                     const poy_solver_options *solver)
{
    poy_gas_options gas;
    poy_physics_options own = *physics;
    gas_options(r, &gas);
    own.raman = POY_RAMAN_OFF; /* that of silica */
    own.raman_fraction = (double)NAN;
    POYI_TRY(ctx, poyi_settings_guide(ctx, r, &s->arena, &s->guide));
    POYI_TRY(ctx, make_columns(ctx, r, s, &gas));
    if (s->grid_min > 0)
        POYI_TRY(ctx, poy_guide_check_range(ctx, s->guide, s->grid_min, s->grid_max));
    POYI_TRY(ctx, poy_problem_create_guide(ctx, s->grid, s->guide, &gas, &own, solver, s->length, s->planes,
                                           s->n_planes, &s->problem));
    return POY_OK;
}

/* ---- glass fibres ---- */

/* The core's, where neither gamma nor n2 is given. */
static poy_status find_n2(poy_ctx *ctx, const poy_recipe *r, poy_fibre_options *fibre)
{
    poy_material *core = NULL;
    const poyi_node *name = poyi_recipe_at(r, "geometry.core_material");
    if (!isnan(fibre->gamma) || !isnan(fibre->n2))
        return POY_OK;
    if (!name || name->kind != POYI_STRING)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "fibre.n2: the nonlinear index of the core is not known: give n2, or gamma");
    POYI_TRY(ctx, poy_material_create(ctx, name->text, &core));
    const poy_status status = poy_material_n2(ctx, core, &fibre->n2);
    poy_material_destroy(&core);
    POYI_TRY(ctx, status);
    return POY_OK;
}

/* One mode with its effective area: a fibre that is known by a table of n_eff. */
static poy_status one_mode(poy_ctx *ctx, poyi_settings *s, poy_fibre_options *fibre)
{
    const int points = poyi_mode_table_points();
    double *table = poyi_arena_alloc(&s->arena, 2 * (size_t)points * sizeof *table);
    if (!table)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "geometry.type: no memory for a table of the index");
    POYI_TRY(ctx, poyi_mode_table(ctx, s->guide, 0, s->grid, table, table + points));
    fibre->index_wavelength = table;
    fibre->index_n = table + points;
    fibre->n_index = points;
    if (isnan(fibre->gamma))
        POYI_TRY(ctx,
                 poy_guide_effective_area(ctx, s->guide, 0, 0, poy_grid_get(s->grid)->omega0, &fibre->effective_area));
    return POY_OK;
}

poy_status poyi_settings_glass_problem(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, poy_fibre_options *fibre,
                                       const poy_physics_options *physics, const poy_solver_options *solver)
{
    poy_gas_options columns;
    poy_gas_options_init(&columns);
    POYI_TRY(ctx, poyi_settings_guide(ctx, r, &s->arena, &s->guide));
    POYI_TRY(ctx, make_columns(ctx, r, s, &columns));
    POYI_TRY(ctx, find_n2(ctx, r, fibre));
    int beams = 0; /* which have to know the mode's field */
    for (int i = 0; i < s->n_pulses; i++)
        beams |= s->pulses[i].waist > 0;
    if (s->n_columns == 1 && columns.averaged && !beams) {
        POYI_TRY(ctx, one_mode(ctx, s, fibre));
        return poy_problem_create_fibre(ctx, s->grid, fibre, physics, solver, s->length, s->planes, s->n_planes,
                                        &s->problem);
    }
    columns.averaged = 0;
    return poy_problem_create_fibre_modes(ctx, s->grid, s->guide, fibre, &columns, physics, solver, s->length,
                                          s->planes, s->n_planes, &s->problem);
}
