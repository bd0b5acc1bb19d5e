/* medium.c: a pulse in a mode of a guide that a gas fills, as a problem record: options to numbers and arrays. */
#include <stddef.h>
#include <string.h>

#include "poynting/pulse_rows.h"
#include "pulse/setup/medium.h"

void poy_gas_options_init(poy_gas_options *o)
{
    *o = (poy_gas_options){.size = sizeof *o,
                           .raman = -1,
                           .raman_rotation = 1,
                           .raman_vibration = 1,
                           .rotation_lifetime = (double)NAN,
                           .vibration_lifetime = (double)NAN,
                           .plasma = -1,
                           .plasma_taps = -1,
                           .rate_cache = 1,
                           .fold = 1,
                           .averaged = -1,
                           .quadrature_warn = 1e-3,
                           .quadrature_fail = 0.1};
    poy_ionisation_options_init(&o->rate);
}

/* ---- checks ---- */

static poy_status check_physics(poy_ctx *ctx, const poy_physics_options *given, const poy_guide *guide,
                                poy_physics_options *out)
{
    poy_physics_options_init(out);
    out->raman = POY_RAMAN_OFF;
    if (given)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_physics_options", given, sizeof *out, sizeof *out, out));
    if (out->raman != POY_RAMAN_OFF || !isnan(out->raman_fraction))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "physics.raman: a model of silica (number %d) or its fraction, but the guide is filled with gas: "
            "use off; the gas's own response is chosen by its options",
            (int)out->raman);
    POYI_TRY(ctx, poyi_check_choice(ctx, "physics.noise", (int)out->noise, 4, "off, shot, gaussian, modified"));
    if (out->kerr && poy_guide_gas_count(guide) == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "physics.kerr: true, but there is no gas in this %s that could respond: give gas.fill, or "
                         "physics.kerr = false",
                         poy_guide_type(guide));
    return POY_OK;
}

static poy_status check_gas(poy_ctx *ctx, const poy_gas_options *given, const poy_grid *grid, const poy_guide *guide,
                            poy_gas_options *out)
{
    const int real = grid->info.field == POY_FIELD_REAL, gases = poy_guide_gas_count(guide);
    poy_gas_options_init(out);
    if (given)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_gas_options", given, offsetof(poy_gas_options, n_columns),
                                        sizeof *out, out));
    if (out->mode < 0 || out->mode >= poy_guide_mode_count(guide))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "gas options: mode %d: the guide has modes 0 to %d", out->mode,
                         poy_guide_mode_count(guide) - 1);
    if (out->plasma > 0 && !real)
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "physics.plasma: true, but free electrons are built for real fields alone: use physics.field = "
            "real, or physics.plasma = false");
    if (out->plasma > 0 && gases == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "physics.plasma: true, but there is no gas to ionise: give gas.fill");
    if (out->raman > 0 && gases == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "physics.raman: on, but there is no gas that could respond: give gas.fill");
    if (out->plasma < 0)
        out->plasma = real && gases > 0;
    if (!(out->preionised >= 0.0 && out->preionised <= 1.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "physics.preionised: %g is outside 0 to 1", out->preionised);
    if (out->preionised > 0.0 && !out->plasma)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "physics.preionised: %g beside physics.plasma = false: leave it out",
                         out->preionised);
    if (out->preionised > 0.0)
        poyi_log(ctx, POY_LOG_INFO, "physics.preionised: %g: a crude model: the same electrons at every place and time",
                 out->preionised);
    if (out->plasma_taps < -1 || out->plasma_taps > POY_TAPS_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "physics.plasma_rule: band:%d: there are trapezoid and band:1 to band:%d", out->plasma_taps,
                         POY_TAPS_MAX);
    if (out->plasma_taps < 0)
        out->plasma_taps = out->preionised > 0.0 ? 2 : 0;
    if (isnan(out->rate.wavelength))
        out->rate.wavelength = grid->reference;
    return POY_OK;
}

/* ---- numbers ---- */

static int64_t family_of(const poy_grid_info *g)
{
    if (g->field == POY_FIELD_REAL)
        return g->thg ? POY_RESPONSE_REAL : POY_RESPONSE_ANALYTIC;
    return g->thg ? POY_RESPONSE_HARMONIC : POY_RESPONSE_ENVELOPE;
}

static void set_numbers(poy_problem *p, const poy_physics_options *physics, const poy_gas_options *gas)
{
    uint64_t seed = physics->seed;
    p->equation = POYI_EQUATION_GUIDE;
    p->kerr = physics->kerr != 0;
    p->kerr_scale = p->kerr ? 1.0 : 0.0;
    p->noise = physics->noise;
    memcpy(&p->seed, &seed, sizeof p->seed); /* the same 64 bits */
    p->response = family_of(&p->grid->info);
    p->fold = p->response == POY_RESPONSE_HARMONIC && gas->fold;
    p->plasma_taps = gas->plasma ? gas->plasma_taps : 0;
    p->plasma_held = gas->plasma && gas->plasma_held;
    p->preionised = gas->preionised;
}

/* exp(2 i omega0 t) on the fine grid. */
static poy_status make_carrier(poy_ctx *ctx, poy_problem *p)
{
    if (p->response != POY_RESPONSE_HARMONIC)
        return POY_OK;
    POYI_TRY(ctx, poyi_problem_array(ctx, "carrier", POY_C128, 1, p->n_to, &p->carrier));
    double *c = p->carrier.data;
    for (int64_t i = 0; i < p->n_to; i++) {
        const double t = ((double)i - 0.5 * (double)p->n_to) * p->dt_fine, phase = 2.0 * p->omega0 * t;
        c[2 * i] = cos(phase);
        c[2 * i + 1] = sin(phase);
    }
    return POY_OK;
}

/* ---- ionisation ---- */

static poy_status make_table(poy_ctx *ctx, poy_problem *p, const poy_gas_options *o, int j, double *potential)
{
    poyi_medium *m = p->medium;
    poy_ionisation *rate = NULL;
    POYI_TRY(ctx, poy_ionisation_create(ctx, poy_guide_gas(m->guide, j), &o->rate, &rate));
    *potential = poy_ionisation_potential(rate);
    poy_status status = poy_ionisation_table_create(ctx, rate, o->rate_field_max, o->rate_points, o->rate_above,
                                                    o->rate_cache, &m->tables[j]);
    poy_ionisation_destroy(&rate);
    POYI_TRY(ctx, status);
    return POY_OK;
}

/* The first point of a table that counts: below it no atom in 1e24 would be ionised if the field held for all of the
 * window, which is far below the rounding of what follows. */
static size_t first_point(const poyi_rate_view *table, double window)
{
    const double least = log(1e-24 / window);
    size_t first = 0;
    while (first + 2 < table->points && table->nodes[2 * first] < least)
        first++;
    return first;
}

static poy_status make_rates(poy_ctx *ctx, poy_problem *p, const poy_gas_options *o)
{
    poyi_medium *m = p->medium;
    double potential[POY_GUIDE_GASES_MAX] = {0.0}, *list[6];
    poyi_rate_view view[POY_GUIDE_GASES_MAX];
    size_t first[POY_GUIDE_GASES_MAX];
    poyi_data *const arrays[6] = {&p->rate_first, &p->rate_points, &p->rate_min,
                                  &p->rate_step,  &p->rate_hold,   &p->plasma_potential};
    static const char *const names[6] = {"rate_first", "rate_points", "rate_min",
                                         "rate_step",  "rate_hold",   "plasma_potential"};

    p->n_plasma = o->plasma ? poy_guide_gas_count(m->guide) : 0;
    for (int j = 0; j < p->n_plasma; j++) {
        POYI_TRY(ctx, make_table(ctx, p, o, j, &potential[j]));
        view[j] = poyi_ionisation_table_view(m->tables[j]);
        first[j] = first_point(&view[j], p->grid->info.window);
        p->n_rate += 2 * (int64_t)(view[j].points - first[j]);
    }
    if (p->n_plasma == 0)
        return POY_OK;
    for (int i = 0; i < 6; i++) {
        POYI_TRY(ctx, poyi_problem_array(ctx, names[i], POY_F64, 1, p->n_plasma, arrays[i]));
        list[i] = arrays[i]->data;
    }
    POYI_TRY(ctx, poyi_problem_array(ctx, "rates", POY_F64, 1, p->n_rate, &p->rates));
    int64_t next = 0;
    for (int j = 0; j < p->n_plasma; j++) {
        const size_t points = view[j].points - first[j];
        const double row[6] = {(double)next, (double)points, view[j].field_min + (double)first[j] * view[j].step,
                               view[j].step, view[j].hold,   potential[j]};
        for (int i = 0; i < 6; i++)
            list[i][j] = row[i];
        memcpy((double *)p->rates.data + next, view[j].nodes + 2 * first[j], 2 * points * sizeof(double));
        next += 2 * (int64_t)points;
    }
    return POY_OK;
}

const poy_ionisation_table *poyi_problem_rates(const poy_problem *problem, int64_t j)
{
    return problem->medium->tables[j];
}

/* ---- the object ---- */

void poyi_medium_destroy(poyi_medium **medium)
{
    poyi_medium *m = *medium;
    if (!m)
        return;
    for (int j = 0; j < POY_GUIDE_GASES_MAX; j++) {
        poy_ionisation_table_destroy(&m->tables[j]);
        poy_gas_raman_destroy(&m->raman[j]);
    }
    poy_guide_destroy(&m->guide);
    poyi_free((void **)medium);
}

poy_status poyi_medium_new(poy_ctx *ctx, poy_problem *p, poy_guide *guide, int mode)
{
    poyi_medium *m = NULL;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "guide", sizeof *m, (void **)&m));
    m->guide = poy_guide_retain(guide);
    m->mode = mode;
    p->medium = m;
    return POY_OK;
}

/* Positions where the guide changes otherwise than before, beside those that the caller gave: in both, sorted. */
static poy_status merge_kinks(poy_ctx *ctx, const poy_guide *guide, double length, poy_solver_options *o,
                              double **kinks)
{
    poyi_guide_path_points path;
    POYI_TRY(ctx, poyi_guide_path(ctx, guide, &path));
    if (path.coordinate == POYI_ALONG_NOTHING)
        return POY_OK;
    POYI_TRY(ctx, poyi_check_list(ctx, "solver.kinks", o->kinks, o->n_kinks, "m"));
    POYI_TRY(ctx, poyi_alloc(ctx, "pulse.setup", (size_t)(o->n_kinks + path.n) * sizeof **kinks, (void **)kinks));
    const double close = 1e-12 * length;
    int n = 0, i = 0, j = 0;
    while (i < o->n_kinks || j < path.n) {
        const int own = i < o->n_kinks && (j >= path.n || o->kinks[i] <= path.z[j]);
        const double z = own ? o->kinks[i++] : path.z[j++];
        if (own || (z > close && z < length - close && (n == 0 || z > (*kinks)[n - 1] + close)))
            (*kinks)[n++] = z;
    }
    o->kinks = *kinks;
    o->n_kinks = n;
    return POY_OK;
}

poy_status poy_problem_create_guide(poy_ctx *ctx, poy_grid *grid, poy_guide *guide, const poy_gas_options *gas_,
                                    const poy_physics_options *physics_, const poy_solver_options *solver_,
                                    double length, const double *planes, int n_planes, poy_problem **out)
{
    poy_physics_options physics;
    poy_gas_options gas;
    poy_solver_options solver;
    poy_problem *p = NULL;
    double *kinks = NULL;
    poy_status status;

    *out = NULL;
    if (!grid || !guide)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: NULL given: create one by %s", grid ? "guide" : "grid",
                         grid ? "poy_guide_create_capillary or another" : "poy_grid_create");
    POYI_TRY(ctx, check_physics(ctx, physics_, guide, &physics));
    POYI_TRY(ctx, check_gas(ctx, gas_, grid, guide, &gas));
    poy_solver_options_init(&solver);
    if (solver_)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_solver_options", solver_, sizeof solver, sizeof solver, &solver));
    POYI_TO_DONE(ctx, merge_kinks(ctx, guide, length, &solver, &kinks));
    POYI_TO_DONE(ctx, poyi_solver_resolve(ctx, &solver, grid, length, planes, n_planes, &solver));

    POYI_TO_DONE(ctx, poyi_problem_new(ctx, grid, length, &p));
    POYI_TO_DONE(ctx, poyi_medium_new(ctx, p, guide, gas.mode));
    p->medium->prefactor_omega = gas.prefactor_omega != 0;
    set_numbers(p, &physics, &gas);
    POYI_TO_DONE(ctx, poyi_medium_make_columns(ctx, p, &gas));
    POYI_TO_DONE(ctx, make_carrier(ctx, p));
    POYI_TO_DONE(ctx, make_rates(ctx, p, &gas));
    POYI_TO_DONE(ctx, poyi_medium_make_nodes(ctx, p, &gas));
    POYI_TO_DONE(ctx, poyi_medium_make_raman(ctx, p, &gas));
    poyi_medium_set_chunk(p, gas.node_bytes);
    POYI_TO_DONE(ctx, poyi_medium_make_course(ctx, p, physics.shock != 0));
    POYI_TO_DONE(ctx, poyi_problem_set_solver(ctx, p, &solver, planes, n_planes));
    POYI_TO_DONE(ctx, poyi_problem_check(ctx, p));
    poyi_problem_hash(p, p->digest);
    *out = p;
    p = NULL;
done:
    poyi_free((void **)&kinks);
    poy_problem_destroy(&p);
    return status;
}
