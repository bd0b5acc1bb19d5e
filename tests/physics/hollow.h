/* hollow.h: a pulse in a gas-filled guide in a few lines, for the physics tests: options of everything, filled with what they
 * have in common, to be changed and then made. Calls that must not fail go through must() of lab.h. */
#ifndef HOLLOW_H
#define HOLLOW_H

#include "lab.h"
#include "poynting/guide.h"

typedef struct hollow {
    poy_grid_options grid;
    poy_capillary_options guide;
    poy_gas_options gas;
    poy_physics_options physics;
    poy_solver_options solver;
    poy_pulse_options pulse;
    double length;
    const char *gases[2], *names[4]; /* gases with their shares; modes of the guide */
    double shares[2];
    int modes[4]; /* of the columns, with their angles */
    double angles[4];
} hollow;

/* 10 fs at 800 nm in HE11 of a capillary with 1 bar of a gas: a real field with third harmonics, Kerr and plasma, no
 * absorber. n_columns of its first modes. */
static inline hollow hollow_make(const char *gas, double core_radius, int n_columns)
{
    hollow h = {.length = 0.01,
                .gases = {gas},
                .names = {"HE11", "HE12", "HE13", "HE21"},
                .shares = {1.0},
                .modes = {0, 1, 2, 3}};
    poy_grid_options_init(&h.grid);
    poy_capillary_options_init(&h.guide);
    poy_gas_options_init(&h.gas);
    poy_physics_options_init(&h.physics);
    poy_solver_options_init(&h.solver);
    poy_pulse_options_init(&h.pulse);
    h.grid.field = POY_FIELD_REAL;
    h.grid.thg = 1;
    h.grid.reference = h.pulse.wavelength = 800e-9;
    h.grid.wavelength_min = 250e-9;
    h.grid.wavelength_max = 3e-6;
    h.grid.window = 100e-15;
    h.guide.core_radius.value = core_radius;
    h.guide.wall.name = "SiO2";
    h.guide.wall.extrapolate = 1;
    h.guide.n_modes = 4;
    h.guide.fill.n_gases = 1;
    h.guide.fill.pressure.value = 1e5;
    h.gas.raman = 0;
    h.gas.rate_cache = 0;
    h.gas.rate.model = POY_IONISATION_ADK;
    h.gas.n_columns = n_columns;
    h.physics.raman = POY_RAMAN_OFF;
    h.solver.absorber = POY_ABSORBER_NONE;
    h.pulse.fwhm = 10e-15;
    h.pulse.energy = 60e-6;
    return h;
}

/* Both polarisations of HE11, along x and along y. */
static inline void hollow_pair(hollow *h, int averaged)
{
    h->gas.n_columns = 2;
    h->modes[1] = 0;
    h->angles[0] = 0.5 * LAB_PI;
    h->gas.averaged = averaged;
}

/* Representations of the field: 0 real field, 1 analytic signal, 2 envelope with harmonics, 3 envelope. */
enum { HOLLOW_KINDS = 4 };
static const char *const hollow_kinds[HOLLOW_KINDS] = {"real field", "analytic signal", "envelope with harmonics",
                                                       "envelope"};
static inline void hollow_kind(hollow *h, int kind)
{
    h->grid.field = kind < 2 ? POY_FIELD_REAL : POY_FIELD_ENVELOPE;
    h->grid.thg = kind % 2 == 0;
}

/* The guide as the options have it. */
static inline poy_guide *hollow_guide(poy_ctx *ctx, hollow *h)
{
    poy_guide *guide = NULL;
    h->guide.fill.gases = h->gases;
    h->guide.fill.shares = h->guide.fill.n_gases > 1 ? h->shares : NULL;
    h->guide.modes = h->names;
    must(ctx, poy_guide_create_capillary(ctx, &h->guide, &guide), "a capillary");
    return guide;
}

/* In any guide. */
static inline poy_status hollow_try_in(poy_ctx *ctx, hollow *h, poy_guide *guide, poy_problem **out)
{
    const double ends[2] = {0.0, h->length};
    poy_grid *grid = NULL;
    h->gas.modes = h->modes;
    h->gas.angles = h->angles;
    must(ctx, poy_grid_create(ctx, &h->grid, &grid), "a grid");
    const poy_status status =
        poy_problem_create_guide(ctx, grid, guide, &h->gas, &h->physics, &h->solver, h->length, ends, 2, out);
    poy_grid_destroy(&grid);
    return status;
}

static inline poy_status hollow_try(poy_ctx *ctx, hollow *h, poy_problem **out)
{
    poy_guide *guide = hollow_guide(ctx, h);
    const poy_status status = hollow_try_in(ctx, h, guide, out);
    poy_guide_destroy(&guide);
    return status;
}

static inline poy_problem *hollow_problem(poy_ctx *ctx, hollow *h)
{
    poy_problem *p = NULL;
    must(ctx, hollow_try(ctx, h, &p), "a problem");
    return p;
}

static inline double *hollow_launch(poy_ctx *ctx, const hollow *h, const poy_problem *p)
{
    double *field = lab_field(p);
    must(ctx, poy_launch_create(ctx, p, &h->pulse, 1, field), "a launch");
    return field;
}

/* dA/dz beside the linear operator at z, of all columns. */
static inline double *hollow_source_at(poy_ctx *ctx, const char *backend, poy_problem *p, const double *field, double z)
{
    double *out = lab_field(p);
    poy_run *run = lab_open(ctx, p, backend, NULL);
    must(ctx, poy_run_set_initial(ctx, run, field, NULL, z, NULL), "a state at z");
    must(ctx, poy_run_source(ctx, run, field, out), "the source");
    poy_run_destroy(&run);
    return out;
}

static inline double *hollow_source_on(poy_ctx *ctx, const char *backend, poy_problem *p, const double *field)
{
    return hollow_source_at(ctx, backend, p, field, 0.0);
}

/* The same of the launch; n: complex numbers in it. */
static inline double *hollow_source(poy_ctx *ctx, const char *backend, hollow *h, int64_t *n)
{
    poy_problem *p = hollow_problem(ctx, h);
    double *in = hollow_launch(ctx, h, p), *out = hollow_source_on(ctx, backend, p, in);
    *n = lab_size(p);
    free(in);
    poy_problem_destroy(&p);
    return out;
}

/* Problem, launch (in NULL: that of the options), march. out has to be freed. */
static inline double *hollow_march(poy_ctx *ctx, const char *backend, hollow *h, const double *in,
                                   poy_run_summary *summary)
{
    poy_problem *p = hollow_problem(ctx, h);
    double *out = lab_field(p), *launched = in ? NULL : hollow_launch(ctx, h, p);
    const poy_run_summary r = lab_march(ctx, p, backend, in ? in : launched, out, h->length);
    if (summary)
        *summary = r;
    free(launched);
    poy_problem_destroy(&p);
    return out;
}

#endif
