/* problem.c: a pulse in a fibre as a problem record: options to numbers and arrays, checked before anything runs. */
#include <stdio.h>
#include <string.h>

#include "pulse/response/response.h"
#include "pulse/setup/setup.h"

void poy_physics_options_init(poy_physics_options *o)
{
    *o = (poy_physics_options){
        .size = sizeof *o, .kerr = 1, .shock = 1, .raman = POY_RAMAN_BLOW_WOOD, .raman_fraction = (double)NAN};
}

/* ---- checks ---- */

poy_status poyi_physics_check(poy_ctx *ctx, const poy_physics_options *o)
{
    const double fraction = o->raman_fraction;
    POYI_TRY(ctx, poyi_check_choice(ctx, "physics.raman", (int)o->raman, 4,
                                    "off, blow_wood, lin_agrawal, hollenbeck_cantrell"));
    POYI_TRY(ctx, poyi_check_choice(ctx, "physics.raman_kernel", (int)o->raman_kernel, 2, "sampled, analytic"));
    POYI_TRY(ctx, poyi_check_choice(ctx, "physics.noise", (int)o->noise, 4, "off, shot, gaussian, modified"));
    if (o->raman == POY_RAMAN_OFF && !isnan(fraction))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "physics.raman_fraction: %g beside physics.raman = off: without Raman all of the response is Kerr: "
            "leave the fraction out, or choose a model",
            fraction);
    if (!isnan(fraction) && !(fraction >= 0.0 && fraction <= 1.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "physics.raman_fraction: %g is outside 0 to 1", fraction);
    return POY_OK;
}

/* ---- numbers ---- */

poy_status poyi_problem_new(poy_ctx *ctx, poy_grid *grid, double length, poy_problem **out)
{
    const poy_grid_info *g = poy_grid_get(grid);
    poy_problem *p = NULL;

    POYI_TRY(ctx, poyi_alloc_zero(ctx, "problem", sizeof *p, (void **)&p));
    p->references = 1;
    p->grid = poy_grid_retain(grid);
    p->length = length;
    p->schema = 4;
    p->field = g->field;
    p->n_w = g->n_w;
    p->n_t = g->n_t;
    p->n_to = g->n_to;
    p->n_c = p->n_pol = 1;
    p->n_term = p->n_along = p->n_delay_along = 1;
    p->n_delay = g->n_to;
    p->windows = g->windows;
    p->dt = g->dt;
    p->dt_fine = g->dt_fine;
    p->domega = g->domega;
    p->omega0 = g->omega0;
    *out = p;
    return POY_OK;
}

void poyi_problem_set_physics(poy_problem *p, const poy_physics_options *o)
{
    const int raman = o->raman != POY_RAMAN_OFF;
    const double fraction = isnan(o->raman_fraction) ? poyi_raman_model_fraction(o->raman) : o->raman_fraction;
    uint64_t seed = o->seed;

    p->kerr = o->kerr != 0;
    p->raman = raman;
    p->kerr_scale = o->kerr ? 1.0 - fraction : 0.0;
    p->raman_scale = fraction;
    p->noise = o->noise;
    memcpy(&p->seed, &seed, sizeof p->seed); /* the same 64 bits */
}

/* ---- arrays ---- */

/* phi = -i (beta - beta_0 - beta_1 Omega) - alpha/2 and G = -gamma omega/omega0 W N/N_o in the signal band, else 0. */
static poy_status make_operator(poy_ctx *ctx, poy_problem *p)
{
    const poyi_fibre *f = p->fibre;
    const poy_grid *g = p->grid;
    const double ratio = (double)g->info.n_t / (double)g->info.n_to;

    POYI_TRY(ctx, poyi_problem_array(ctx, "phi", POY_C128, 1, p->n_w, &p->phi));
    POYI_TRY(ctx, poyi_problem_array(ctx, "prefactor", POY_F64, 1, p->n_w, &p->prefactor));
    double *phi = p->phi.data, *G = p->prefactor.data;
    p->lossless = f->attenuation == 0.0;
    for (int64_t k = 0; k < p->n_w; k++) {
        const double omega = g->omega[k];
        const int in = g->mask[k];
        phi[2 * k] = in && !p->lossless ? -0.5 * f->attenuation : 0.0;
        phi[2 * k + 1] = in ? -poyi_fibre_phase(f, omega) : 0.0;
        G[k] = in ? -f->gamma * (f->shock ? omega / f->omega0 : 1.0) * g->window_w[k] * ratio : 0.0;
    }
    return POY_OK;
}

static poy_status make_raman(poy_ctx *ctx, poy_problem *p, const poy_physics_options *physics)
{
    if (!p->raman)
        return POY_OK;
    POYI_TRY(ctx, poyi_problem_array(ctx, "raman_h", POY_C128, 1, p->n_to / 2 + 1, &p->raman_h));
    return poyi_raman_spectrum(ctx, physics, p->n_to, p->dt_fine, p->raman_h.data);
}

/* ---- the object ---- */

poy_status poy_problem_create_fibre(poy_ctx *ctx, poy_grid *grid, const poy_fibre_options *fibre,
                                    const poy_physics_options *physics_, const poy_solver_options *solver_,
                                    double length, const double *planes, int n_planes, poy_problem **out)
{
    poy_physics_options physics;
    poy_solver_options solver;
    poyi_fibre *guide = NULL;
    poy_problem *p = NULL;
    poy_status status;

    *out = NULL;
    poy_physics_options_init(&physics);
    if (!grid)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "grid: NULL given: create one by poy_grid_create");
    if (grid->info.field == POY_FIELD_REAL)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "physics.field: real: the equation of a fibre is one of envelopes: use envelope");
    if (physics_)
        POYI_TRY(ctx,
                 poyi_options_copy(ctx, "poy_physics_options", physics_, sizeof physics, sizeof physics, &physics));
    POYI_TRY(ctx, poyi_physics_check(ctx, &physics));
    POYI_TRY(ctx, poyi_solver_resolve(ctx, solver_, grid, length, planes, n_planes, &solver));

    POYI_TO_DONE(ctx, poyi_fibre_create(ctx, fibre, grid, physics.shock != 0, &guide));
    POYI_TO_DONE(ctx, poyi_problem_new(ctx, grid, length, &p));
    poyi_problem_set_physics(p, &physics);
    p->fibre = guide;
    guide = NULL;
    POYI_TO_DONE(ctx, make_operator(ctx, p));
    POYI_TO_DONE(ctx, make_raman(ctx, p, &physics));
    POYI_TO_DONE(ctx, poyi_problem_set_solver(ctx, p, &solver, planes, n_planes));
    POYI_TO_DONE(ctx, poyi_problem_check(ctx, p));
    poyi_problem_hash(p, p->digest);
    *out = p;
    p = NULL;
done:
    poyi_fibre_destroy(&guide);
    poy_problem_destroy(&p);
    return status;
}

poy_problem *poy_problem_retain(poy_problem *problem)
{
    atomic_fetch_add(&problem->references, 1);
    return problem;
}

void poy_problem_destroy(poy_problem **problem)
{
    poy_problem *p = *problem;
    *problem = NULL;
    if (!p || atomic_fetch_sub(&p->references, 1) != 1)
        return;
#define POY_INT(name, text)
#define POY_REAL(name, unit, text)
#define POY_ARRAY(name, dtype, rows, cols, unit, text) poyi_free(&p->name.data);
#include "pulse/problem.def"
#undef POY_INT
#undef POY_REAL
#undef POY_ARRAY
    poyi_fibre_destroy(&p->fibre);
    poyi_medium_destroy(&p->medium);
    poy_grid_destroy(&p->grid);
    poyi_free((void **)&p);
}

int poy_problem_columns(const poy_problem *problem)
{
    return (int)problem->n_c;
}

poy_grid *poy_problem_grid(const poy_problem *problem)
{
    return problem->grid;
}
