/* describe.c: the numbers that follow from a recipe before anything is computed. */
#include <math.h>
#include <stdio.h>

#include "poynting/run.h"
#include "run/settings.h"

typedef struct list {
    poy_number *out;
    size_t max, n;
} list;

static void add(list *l, const char *key, poy_dimension dimension, const char *unit, double value, const char *text)
{
    if (l->n < l->max)
        l->out[l->n] = (poy_number){key, unit, text, dimension, value};
    l->n++;
}

static void add_grid(list *l, const poy_grid_info *g)
{
    add(l, "samples", POY_DIM_NONE, "", (double)g->n_t, "time samples of the state");
    add(l, "samples_fine", POY_DIM_NONE, "", (double)g->n_to, "time samples where the nonlinearity acts");
    add(l, "dt", POY_DIM_TIME, "s", g->dt, "sampling in time");
    add(l, "domega", POY_DIM_ANGULAR_FREQUENCY, "rad/s", g->domega, "sampling in angular frequency");
    add(l, "window", POY_DIM_TIME, "s", g->window, "time window");
}

static poy_status add_fibre(poy_ctx *ctx, const poyi_settings *s, list *l, double *L_NL)
{
    static const char *const zdw[] = {"zdw.0", "zdw.1", "zdw.2", "zdw.3", "zdw.4", "zdw.5", "zdw.6", "zdw.7"};
    poy_fibre_numbers n;
    POYI_TRY(ctx, poy_fibre_describe(ctx, s->problem, &s->pulses[0], &n));
    add(l, "energy", POY_DIM_ENERGY, "J", n.energy, "energy of the first pulse");
    add(l, "peak_power", POY_DIM_POWER, "W", n.peak_power, "peak power of the first pulse");
    add(l, "beta2", POY_DIM_NONE, "s2/m", n.beta2, "beta_2 at the first pulse");
    add(l, "beta3", POY_DIM_NONE, "s3/m", n.beta3, "beta_3 at the first pulse");
    add(l, "L_D", POY_DIM_LENGTH, "m", n.L_D, "dispersion length t0^2 / |beta_2|");
    add(l, "L_NL", POY_DIM_LENGTH, "m", n.L_NL, "nonlinear length 1 / (gamma P)");
    add(l, "N", POY_DIM_NONE, "", n.N_soliton, "soliton order sqrt(L_D / L_NL)");
    add(l, "L_fiss", POY_DIM_LENGTH, "m", n.L_fiss, "soliton fission length L_D / N");
    for (int i = 0; i < n.n_zdw && i < 8; i++)
        add(l, zdw[i], POY_DIM_LENGTH, "m", n.zdw[i], "zero-dispersion wavelength");
    *L_NL = n.L_NL;
    return POY_OK;
}

/* Steps turn the phase by about the same: 0.04 of a nonlinear length at rtol 1e-6 (supercontinuum and solitons), with
 * the power 1/5 of the method; and each plane takes one or two. */
static double guess_steps(const poy_recipe *r, const poyi_settings *s, double L_NL)
{
    const double rtol = poyi_recipe_number(r, "solver.rtol", 1e-6);
    double steps = isnan(L_NL) ? 0 : s->length / (0.04 * L_NL * pow(rtol / 1e-6, 0.2));
    return ceil(fmax(steps, 2.0 * (s->n_planes - 1)));
}

static poy_status add_cost(poy_ctx *ctx, const poy_recipe *r, const poyi_settings *s, double L_NL, list *l)
{
    size_t n = 0, bytes = 0;
    POYI_TRY(ctx, poy_run_estimate(ctx, s->problem, poyi_recipe_word(r, "run.backend", "auto"), 0, NULL, &n, &bytes));
    add(l, "steps", POY_DIM_NONE, "", guess_steps(r, s, L_NL), "accepted steps: a rough guess");
    add(l, "bytes", POY_DIM_BYTES, "B", (double)(bytes + poy_ctx_bytes(ctx)), "memory of a run");
    return POY_OK;
}

poy_status poy_recipe_describe(poy_ctx *ctx, poy_recipe *r, size_t max, poy_number *out, size_t *n)
{
    poyi_settings s;
    list l = {.out = out, .max = max};
    poy_status status;
    *n = 0;
    if (!r->resolved)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: not checked yet, or it has faults: check it first", r->file);
    POYI_TRY(ctx, poyi_settings_create(ctx, r, &s));
    add_grid(&l, poy_grid_get(s.grid));
    add(&l, "planes", POY_DIM_NONE, "", s.n_planes, "stored planes");
    double L_NL = 0;
    status = add_fibre(ctx, &s, &l, &L_NL);
    if (status != POY_OK)
        status = poyi_settings_refused(ctx, r, status, "pulse.0");
    if (status == POY_OK)
        status = add_cost(ctx, r, &s, L_NL, &l);
    if (status == POY_OK)
        *n = l.n;
    poyi_settings_fini(&s);
    return status;
}
