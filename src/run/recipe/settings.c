/* settings.c: a resolved pulse recipe as the options of the physics: grid, fibre, pulses, solver, planes. */
#include "run/recipe/settings.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/recipe/csv.h"

/* ---- refusals of the physics, as faults with a line ---- */

poy_status poyi_settings_refused(poy_ctx *ctx, poy_recipe *r, poy_status status, const char *key)
{
    char cause[512], name[128], text[700];
    const poyi_node *node = NULL;
    if (status != POY_ERR_ARGUMENT && status != POY_ERR_RANGE && status != POY_ERR_UNSUPPORTED &&
        status != POY_ERR_NO_CONVERGENCE && status != POY_ERR_NOT_DIFFERENTIABLE)
        return status;
    snprintf(cause, sizeof cause, "%s", poy_ctx_cause(ctx));
    size_t n = strcspn(cause, ":");
    snprintf(name, sizeof name, "%.*s", (int)n, cause);
    int names_key = cause[n] && poyi_schema_find(name, POYI_KIND_BOTH) != NULL;
    const char *rest = names_key ? cause + n + 2 : cause;
    key = names_key ? name : key;
    for (snprintf(text, sizeof text, "%s", key); !node && text[0];) { /* the key, or the nearest table above it */
        node = poyi_node_find(r->root, text);
        char *dot = strrchr(text, '.');
        if (dot)
            *dot = '\0';
        else
            break;
    }
    poyi_fault_from_text(r, node ? node : r->root, key, status == POY_ERR_UNSUPPORTED ? "E_UNSUPPORTED" : "E_RANGE",
                         rest);
    poy_fault_format(&r->faults.list[r->faults.count - 1], sizeof text, text);
    poy_ctx_clear(ctx);
    return POYI_FAIL(ctx, status == POY_ERR_UNSUPPORTED ? status : POY_ERR_RECIPE, "%s", text);
}

/* ---- grid ---- */

static poy_status make_grid(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s)
{
    poy_grid_options o;
    poy_grid_options_init(&o);
    o.field = !strcmp(poyi_recipe_word(r, "physics.field", "envelope"), "real") ? POY_FIELD_REAL : POY_FIELD_ENVELOPE;
    o.thg = poyi_recipe_bool(r, "physics.thg", 0);
    o.reference = poyi_recipe_quantity(ctx, r, "grid.reference", POY_DIM_SPECTRAL, 0);
    o.wavelength_min = poyi_recipe_quantity(ctx, r, "grid.wavelength_min", POY_DIM_SPECTRAL, 0);
    o.wavelength_max = poyi_recipe_quantity(ctx, r, "grid.wavelength_max", POY_DIM_SPECTRAL, 0);
    o.window = poyi_recipe_quantity(ctx, r, "grid.window", POY_DIM_TIME, 0);
    o.samples = poyi_recipe_integer(r, "grid.samples", 0);
    s->grid_min = o.wavelength_min;
    s->grid_max = o.wavelength_max;
    POYI_TRY(ctx, poy_grid_create(ctx, &o, &s->grid));
    return POY_OK;
}

/* ---- fibre ---- */

static void fibre_options(poy_ctx *ctx, poy_recipe *r, poyi_settings *s, poy_fibre_options *o)
{
    const double none = (double)NAN;
    const poyi_node *index = poyi_recipe_at(r, "fibre.index_file");
    poy_fibre_options_init(o);
    o->gamma = poyi_recipe_quantity(ctx, r, "fibre.gamma", POY_DIM_GAMMA, none);
    o->n2 = poyi_recipe_quantity(ctx, r, "fibre.n2", POY_DIM_N2, none);
    o->effective_area = poyi_recipe_quantity(ctx, r, "fibre.effective_area", POY_DIM_AREA, none);
    o->dispersion_at = poyi_recipe_quantity(ctx, r, "fibre.beta_at", POY_DIM_SPECTRAL, 0);
    o->beta = poyi_settings_quantities(ctx, s, poyi_recipe_at(r, "fibre.beta"), POY_DIM_BETA, &o->n_beta);
    o->D = poyi_recipe_quantity(ctx, r, "fibre.D", POY_DIM_D, none);
    o->S = poyi_recipe_quantity(ctx, r, "fibre.S", POY_DIM_S, none);
    o->attenuation = poyi_recipe_quantity(ctx, r, "fibre.attenuation", POY_DIM_ATTENUATION, 0);
    if (index)
        poyi_csv_index(ctx, r, index, &o->n_index, &o->index_wavelength, &o->index_n);
}

static void physics_options(const poy_recipe *r, poy_physics_options *o)
{
    static const char *const ramans[] = {"off", "blow_wood", "lin_agrawal", "hollenbeck_cantrell"};
    static const char *const noises[] = {"off", "shot", "gaussian", "modified"};
    const char *raman = poyi_recipe_word(r, "physics.raman", "off"),
               *noise = poyi_recipe_word(r, "physics.noise", "off");
    poy_physics_options_init(o);
    o->kerr = poyi_recipe_bool(r, "physics.kerr", 1);
    o->shock = poyi_recipe_bool(r, "physics.shock", 1);
    for (int i = 0; i < 4; i++) {
        if (!strcmp(ramans[i], raman))
            o->raman = (poy_raman_model)i;
        if (!strcmp(noises[i], noise))
            o->noise = (poy_noise_model)i;
    }
    o->raman_fraction = poyi_recipe_number(r, "physics.raman_fraction", (double)NAN);
    o->raman_start_full = !strcmp(poyi_recipe_word(r, "physics.raman_start", "half"), "full");
    if (!strcmp(poyi_recipe_word(r, "physics.raman_kernel", "sampled"), "analytic"))
        o->raman_kernel = POY_RAMAN_ANALYTIC;
    o->seed = (uint64_t)poyi_recipe_integer(r, "seed", 0);
}

/* ---- solver ---- */

static void solver_options(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s, poy_solver_options *o)
{
    static const char *const absorbers[] = {"none", "in_stage", "split_step", "per_step_window"};
    const char *absorber = poyi_recipe_word(r, "solver.absorber", "none");
    const poyi_node *schedule = poyi_recipe_at(r, "solver.schedule");
    int n = 0;
    poy_solver_options_init(o);
    o->rtol = poyi_recipe_number(r, "solver.rtol", 1e-6);
    o->atol = poyi_recipe_number(r, "solver.atol", (double)NAN);
    o->dz_first = poyi_recipe_quantity(ctx, r, "solver.dz_first", POY_DIM_LENGTH, 0);
    o->dz_max = poyi_recipe_quantity(ctx, r, "solver.dz_max", POY_DIM_LENGTH, 0);
    o->dz_min = poyi_recipe_quantity(ctx, r, "solver.dz_min", POY_DIM_LENGTH, 0);
    o->steps_max = poyi_recipe_integer(r, "solver.steps_max", 0);
    o->absorber_length = poyi_recipe_quantity(ctx, r, "solver.absorber_length", POY_DIM_LENGTH, 0);
    for (int i = 0; i < 4; i++)
        if (!strcmp(absorbers[i], absorber))
            o->absorber = (poy_absorber)i;
    o->schedule = schedule ? poyi_settings_quantities(ctx, s, schedule, POY_DIM_LENGTH, &n) : NULL;
    o->n_schedule = n;
}

/* ---- planes ---- */

static void make_planes(poy_ctx *ctx, const poy_recipe *r, poyi_settings *s)
{
    const poyi_node *list = poyi_recipe_at(r, "output.plane_positions");
    int n = list ? list->count + 2 : (int)poyi_recipe_integer(r, "output.planes", 201), k = 0;
    s->planes = poyi_arena_alloc(&s->arena, (size_t)n * sizeof *s->planes);
    if (!s->planes)
        return;
    if (!list) {
        for (int i = 0; i < n; i++)
            s->planes[i] = i == n - 1 ? s->length : s->length * i / (n - 1);
        s->n_planes = n;
        return;
    }
    s->planes[k++] = 0;
    for (const poyi_node *z = list->first; z; z = z->next) {
        double position = poyi_node_quantity(ctx, z, POY_DIM_LENGTH);
        if (position > 0 && position < s->length)
            s->planes[k++] = position;
    }
    s->planes[k++] = s->length;
    s->n_planes = k;
}

static poy_status make_problem(poy_ctx *ctx, poy_recipe *r, poyi_settings *s)
{
    poy_fibre_options fibre;
    poy_physics_options physics;
    poy_solver_options solver;
    physics_options(r, &physics);
    solver_options(ctx, r, s, &solver);
    static const char *fibre_mode[] = {"fibre"};
    s->n_columns = s->n_modes = 1;
    s->mode_names = fibre_mode;
    s->polarisations[0] = "y";
    if (r->type & POYI_TYPE_HOLLOW)
        return poyi_settings_gas_problem(ctx, r, s, &physics, &solver);
    fibre_options(ctx, r, s, &fibre);
    if (r->type == POYI_TYPE_STEP_INDEX)
        return poyi_settings_glass_problem(ctx, r, s, &fibre, &physics, &solver);
    POYI_TRY(ctx, poyi_settings_origins_place(ctx, r, s));
    POYI_TRY(ctx, poy_problem_create_fibre(ctx, s->grid, &fibre, &physics, &solver, s->length, s->planes, s->n_planes,
                                           &s->problem));
    return POY_OK;
}

poy_status poyi_settings_basis(poy_ctx *ctx, poy_recipe *r, poyi_settings *s)
{
    s->length = poyi_recipe_quantity(ctx, r, "geometry.length", POY_DIM_LENGTH, 0);
    poyi_settings_pulses(ctx, r, s);
    make_planes(ctx, r, s);
    if (s->arena.failed)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its settings", r->file);
    poy_ctx_clear(ctx);
    POYI_TRY(ctx, make_grid(ctx, r, s));
    return POY_OK;
}

poy_status poyi_settings_create(poy_ctx *ctx, poy_recipe *r, poyi_settings *out)
{
    poyi_settings s = {0};
    poy_status status;
    *out = s;
    poyi_ctx_watch_bytes(ctx);
    POYI_TRY(ctx, poyi_recipe_built(ctx, r));
    status = poyi_settings_basis(ctx, r, &s);
    if (status != POY_OK) {
        status = poyi_settings_refused(ctx, r, status, "grid");
        goto done;
    }
    status = make_problem(ctx, r, &s);
    if (status != POY_OK)
        status = poyi_settings_refused(ctx, r, status,
                                       r->type == POYI_TYPE_FIBRE ? "fibre"
                                       : status == POY_ERR_RANGE  ? "grid.wavelength_min" /* of what data there are */
                                                                  : "geometry");
done:
    s.bytes_peak = poyi_ctx_bytes_recent(ctx);
    if (status == POY_OK)
        *out = s;
    else
        poyi_settings_fini(&s);
    return status;
}

void poyi_settings_fini(poyi_settings *s)
{
    poy_problem_destroy(&s->problem);
    poy_guide_destroy(&s->guide);
    poy_grid_destroy(&s->grid);
    poyi_arena_fini(&s->arena);
}
