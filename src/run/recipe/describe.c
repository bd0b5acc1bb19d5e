/* describe.c: the numbers that follow from a recipe before anything is computed. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "poynting/run.h"
#include "run/limits.h"
#include "run/recipe/describe.h"
#include "run/session.h"

void poyi_number_add(poyi_numbers *l, const char *key, poy_dimension dimension, const char *unit, double value,
                     const char *text)
{
    if (l->n < l->max)
        l->out[l->n] = (poy_number){key, unit, text, dimension, value};
    l->n++;
}

/* Windows grow to a power of two of samples: the text says so where it did. */
static const char *window_text(poy_ctx *ctx, poy_recipe *r, double window)
{
    char asked[48];
    const double given = poyi_recipe_quantity(ctx, r, "grid.window", POY_DIM_TIME, window);
    if (fabs(window - given) < 1e-9 * window)
        return "time window";
    poy_quantity_format(given, POY_DIM_TIME, 4, sizeof asked, asked);
    const char *text = poyi_arena_format(&r->arena, "time window: %s, grown to a power of two of samples", asked);
    return text ? text : "time window";
}

static void add_grid(poyi_numbers *l, const poy_grid_info *g, const char *window)
{
    poyi_number_add(l, "samples", POY_DIM_NONE, "", (double)g->n_t, "time samples of the state");
    poyi_number_add(l, "samples_fine", POY_DIM_NONE, "", (double)g->n_to, "time samples where the nonlinearity acts");
    poyi_number_add(l, "dt", POY_DIM_TIME, "s", g->dt, "sampling in time");
    poyi_number_add(l, "domega", POY_DIM_ANGULAR_FREQUENCY, "rad/s", g->domega, "sampling in angular frequency");
    poyi_number_add(l, "window", POY_DIM_TIME, "s", g->window, window);
}

static void add_pulse(poyi_numbers *l, const poy_problem_numbers *n)
{
    poyi_number_add(l, "energy", POY_DIM_ENERGY, "J", n->energy, "energy of the first pulse");
    poyi_number_add(l, "peak_power", POY_DIM_POWER, "W", n->peak_power, "peak power of the first pulse");
    if (!isnan(n->coherence_time))
        poyi_number_add(l, "coherence_time", POY_DIM_TIME, "s", n->coherence_time,
                        "coherence time of its line, integral |g_1|^2 d tau");
    if (n->passed != 1)
        poyi_number_add(l, "passed", POY_DIM_NONE, "", n->passed, "share of its beam that iris and aperture leave");
    if (n->coupled != 1)
        poyi_number_add(l, "coupled", POY_DIM_NONE, "", n->coupled, "share of its beam that goes into the modes");
}

static void add_dispersion(poyi_numbers *l, const poy_problem_numbers *n)
{
    static const char *const names[] = {"beta0", "beta1", "beta2", "beta3", "beta4", "beta5", "beta6"};
    static const char *const units[] = {"1/m", "s/m", "s2/m", "s3/m", "s4/m", "s5/m", "s6/m"};
    static const char *const texts[] = {"beta_0 at the first pulse", "beta_1 at the first pulse",
                                        "beta_2 at the first pulse", "beta_3 at the first pulse",
                                        "beta_4 at the first pulse", "beta_5 at the first pulse",
                                        "beta_6 at the first pulse"};
    static const char *const zdw[] = {"zdw.0", "zdw.1", "zdw.2", "zdw.3", "zdw.4", "zdw.5", "zdw.6", "zdw.7"};
    static const char *const solitons[] = {"rdw_soliton.0", "rdw_soliton.1", "rdw_soliton.2", "rdw_soliton.3",
                                           "rdw_soliton.4", "rdw_soliton.5", "rdw_soliton.6", "rdw_soliton.7"};
    static const char *const waves[] = {"rdw.0", "rdw.1", "rdw.2", "rdw.3", "rdw.4", "rdw.5", "rdw.6", "rdw.7"};
    for (int k = 0; k < POY_BETAS; k++)
        if (!isnan(n->beta[k]) && (k < 4 || n->beta[k] != 0))
            poyi_number_add(l, names[k], POY_DIM_NONE, units[k], n->beta[k], texts[k]);
    for (int i = 0; i < n->n_zdw; i++)
        poyi_number_add(l, zdw[i], POY_DIM_LENGTH, "m", n->zdw[i], "zero-dispersion wavelength");
    for (int i = 0; i < n->n_waves; i++)
        poyi_number_add(l, waves[i], POY_DIM_LENGTH, "m", n->waves[i],
                        "dispersive wave that dispersion alone matches to the first pulse");
    for (int i = 0; i < n->n_soliton_waves; i++)
        poyi_number_add(l, solitons[i], POY_DIM_LENGTH, "m", n->soliton_waves[i],
                        "dispersive wave of its strongest soliton, with the soliton's own phase");
}

static void add_lengths(poyi_numbers *l, const poy_problem_numbers *n)
{
    poyi_number_add(l, "L_D", POY_DIM_LENGTH, "m", n->L_D, "dispersion length t0^2 / |beta_2|");
    poyi_number_add(l, "L_NL", POY_DIM_LENGTH, "m", n->L_NL, "nonlinear length 1 / (gamma P)");
    poyi_number_add(l, "N", POY_DIM_NONE, "", n->N_soliton, "soliton order sqrt(L_D / L_NL)");
    poyi_number_add(l, "L_fiss", POY_DIM_LENGTH, "m", n->L_fiss, "soliton fission length L_D / N");
}

static void add_guide(poyi_numbers *l, const poyi_settings *s, const poy_problem_numbers *n)
{
    poy_guide_place place;
    poy_guide_at(s->guide, n->z, &place);
    if (poy_guide_varies(s->guide))
        poyi_number_add(l, "z", POY_DIM_LENGTH, "m", n->z, "where the numbers of the guide are taken");
    if (!isnan(place.core_radius))
        poyi_number_add(l, "core_radius", POY_DIM_LENGTH, "m", place.core_radius, "radius of the core");
    if (poy_guide_gas_count(s->guide))
        poyi_number_add(l, "pressure", POY_DIM_PRESSURE, "Pa", place.pressure, "pressure");
    if (!isnan(n->effective_area))
        poyi_number_add(l, "A_eff", POY_DIM_AREA, "m2", n->effective_area, "effective area");
    poyi_number_add(l, "attenuation", POY_DIM_ATTENUATION, "1/m", n->attenuation,
                    "attenuation of power at the first pulse");
    if (!isnan(n->n2))
        poyi_number_add(l, "n2", POY_DIM_N2, "m2/W", n->n2,
                        poy_guide_gas_count(s->guide) ? "nonlinear index of the gas" : "nonlinear index of the core");
    poyi_number_add(l, "gamma", POY_DIM_GAMMA, "1/(W m)", n->gamma, "nonlinear coefficient");
    if (!isnan(n->P_critical))
        poyi_number_add(l, "P_critical", POY_DIM_POWER, "W", n->P_critical, "critical power of self-focusing");
}

/* How many modes a step-index fibre has at the pulse. */
static poy_status add_guided(poy_ctx *ctx, const poyi_settings *s, poyi_numbers *l)
{
    double v = 0;
    int count = 0;
    POYI_TRY(ctx, poy_guide_guided(ctx, s->guide, 0, 2 * POYI_PI * POYI_C / s->pulses[0].wavelength, &v, &count));
    poyi_number_add(l, "V", POY_DIM_NONE, "", v, "normalised frequency of the fibre at the first pulse");
    poyi_number_add(l, "guided", POY_DIM_NONE, "", count, "modes that it guides there, each direction counted");
    return POY_OK;
}

/* A beam that focuses itself is told once, at its strength; runs of one mode keep it in their file (watch.c). */
static void tell_focusing(poy_recipe *r, const poyi_settings *s, const poy_problem_numbers *n)
{
    const poyi_node *energy = poyi_node_find(r->root, "pulse.0.energy");
    const poyi_node *at = energy ? energy : poyi_node_find(r->root, "pulse.0.peak_power");
    char critical[48];
    if (!at || s->n_modes > 1 || !(n->coupled * n->peak_power > 0.5 * n->P_critical))
        return;
    for (int i = 0; i < r->faults.count; i++)
        if (r->faults.list[i].line == at->line && !strcmp(r->faults.list[i].code, "E_PHYSICS"))
            return;
    poy_quantity_format(n->P_critical, POY_DIM_POWER, 3, sizeof critical, critical);
    poyi_warning(r, at, NULL, "E_PHYSICS",
                 "%.3g times the critical power of self-focusing, %s: one mode does not tell what the beam does\n"
                 "lower it, or gas.pressure, or take several modes",
                 n->coupled * n->peak_power / n->P_critical, critical);
}

/* Electrons that are there before the pulse delay it by their index, omega_p^2 L/(2 omega^2 c), against a frame that moves with the
 * gas alone: a window that it leaves shows nothing of it. */
static void tell_delay(poy_recipe *r, const poyi_settings *s)
{
    const double share = poyi_recipe_number(r, "physics.preionised", 0), window = poy_grid_get(s->grid)->window;
    const double omega = 2 * POYI_PI * POYI_C / s->pulses[0].wavelength;
    const double per_density = POYI_E * POYI_E / (POYI_EPS0 * POYI_ME * omega * omega);
    const poyi_node *at = poyi_node_find(r->root, "physics.preionised");
    poy_guide_place place;
    double density = 0;
    char shown[48], needed[48];
    if (!at || !s->guide || !(share > 0))
        return;
    poy_guide_at(s->guide, poyi_settings_place(s), &place);
    for (int i = 0; i < place.n_gases; i++)
        density += place.density[i];
    const double delay = 0.5 * share * density * per_density * s->length / POYI_C;
    if (delay < 0.25 * window)
        return;
    poy_quantity_format(delay, POY_DIM_TIME, 2, sizeof shown, shown);
    poy_quantity_format(4 * delay, POY_DIM_TIME, 2, sizeof needed, needed);
    poyi_warning(r, at, NULL, "E_PHYSICS",
                 "these electrons delay the first pulse by about %s along the guide, out of the time window\n"
                 "set grid.window to %s or more, or shorten the guide",
                 shown, needed);
}

static poy_status add_physics(poy_ctx *ctx, poy_recipe *r, const poyi_settings *s, poyi_numbers *l, double *L_NL)
{
    poy_problem_numbers n;
    POYI_TRY(ctx, poy_problem_describe(ctx, s->problem, &s->pulses[0], poyi_settings_place(s), &n));
    add_pulse(l, &n);
    if (s->guide)
        add_guide(l, s, &n);
    if (r->type == POYI_TYPE_STEP_INDEX)
        POYI_TRY(ctx, add_guided(ctx, s, l));
    add_dispersion(l, &n);
    add_lengths(l, &n);
    tell_focusing(r, s, &n);
    tell_delay(r, s);
    *L_NL = n.L_NL;
    return POY_OK;
}

/* Steps turn the phase by about the same: 0.04 of a nonlinear length at rtol 1e-6 (supercontinuum and solitons), with
 * the power 1/5 of the method; each plane takes one or two; and where the absorber acts inside the stages, its largest
 * rate, ln(1e12)/length, bounds them by the method's stability, 3.3. */
static double guess_steps(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *s, double L_NL)
{
    const double rtol = poyi_recipe_number(r, "solver.rtol", 1e-6);
    const int inside = !strcmp(poyi_recipe_word(r, "solver.absorber", "none"), "in_stage");
    const double absorber = poyi_recipe_quantity(ctx, r, "solver.absorber_length", POY_DIM_LENGTH, INFINITY);
    const double phase = isnan(L_NL) ? 0 : s->length / (0.04 * L_NL * pow(rtol / 1e-6, 0.2));
    const double stability = inside ? s->length * log(1e12) / (3.3 * absorber) : 0;
    return ceil(fmax(fmax(phase, stability), 2.0 * (s->n_planes - 1)));
}

static poy_status add_cost(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *s, double L_NL, poyi_numbers *l)
{
    size_t bytes = 0;
    POYI_TRY(ctx, poyi_session_estimate(ctx, r, s, &bytes));
    poyi_number_add(l, "steps", POY_DIM_NONE, "", guess_steps(ctx, r, s, L_NL), "accepted steps: a rough guess");
    poyi_number_add(l, "bytes", POY_DIM_BYTES, "B", (double)bytes, "memory of a run");
    poyi_number_add(l, "file_bytes", POY_DIM_BYTES, "B", poyi_session_file_bytes(r, s), "the file, before compression");
    return POY_OK;
}

static poy_status describe_pulse(poy_ctx *ctx, poy_recipe *r, poyi_numbers *l)
{
    poyi_settings s;
    poy_status status;
    POYI_TRY(ctx, poyi_settings_create(ctx, r, &s));
    add_grid(l, poy_grid_get(s.grid), window_text(ctx, r, poy_grid_get(s.grid)->window));
    poyi_number_add(l, "planes", POY_DIM_NONE, "", s.n_planes, "stored planes");
    double L_NL = 0;
    status = add_physics(ctx, r, &s, l, &L_NL);
    if (status != POY_OK)
        status = poyi_settings_refused(ctx, r, status, "pulse.0");
    if (status == POY_OK)
        status = add_cost(ctx, r, &s, L_NL, l);
    poyi_settings_fini(&s);
    return status;
}

static double value_of(const poyi_numbers *l, const char *key)
{
    for (size_t i = 0; i < l->n && i < l->max; i++)
        if (!strcmp(l->out[i].key, key))
            return l->out[i].value;
    return 0;
}

/* What the gradient needs, and what of either the whole process will have: program and libraries count there, and a cluster's limit is
 * of all of it. */
static void add_process(poy_ctx *ctx, const poy_recipe *r, poyi_numbers *l, const poyi_numbers *gradient)
{
    const double program =
        poyi_process_bytes(ctx, r->kind == POYI_KIND_SCATTER ? POYI_LIBRARIES_SCATTER : POYI_LIBRARIES_PULSE);
    const double run = value_of(l, "bytes");
    if (program > 0 && run > 0)
        poyi_number_add(l, "process", POY_DIM_BYTES, "B", program + run,
                        "a run with program and libraries, for a cluster's --mem");
    for (size_t i = 0; i < gradient->n; i++)
        poyi_number_add(l, gradient->out[i].key, gradient->out[i].dimension, gradient->out[i].unit,
                        gradient->out[i].value, gradient->out[i].text);
}

poy_status poy_recipe_describe(poy_ctx *ctx, poy_recipe *r, size_t max, poy_number *out, size_t *n)
{
    poyi_numbers l = {.out = out, .max = max};
    poy_number own[4];
    *n = 0;
    if (!r->resolved)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: not checked yet, or it has faults: check it first", r->file);
    poyi_numbers gradient = {.out = own, .max = sizeof own / sizeof own[0]};
    POYI_TRY(ctx, poyi_objective_judge(ctx, r, &gradient));
    const poyi_surroundings old = poyi_surroundings_enter(ctx, r); /* memory depends on run.threads */
    const poy_status status =
        r->kind == POYI_KIND_SCATTER ? poyi_scatter_describe(ctx, r, &l) : describe_pulse(ctx, r, &l);
    poyi_surroundings_leave(ctx, &old);
    add_process(ctx, r, &l, &gradient);
    *n = status == POY_OK ? l.n : 0;
    return status;
}
