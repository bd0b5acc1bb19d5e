/* solver.c: how a problem is marched: checks of the solver's options and of positions, and what they are in the record. */
#include <stdio.h>
#include <string.h>

#include "pulse/setup/setup.h"

void poy_solver_options_init(poy_solver_options *o)
{
    *o = (poy_solver_options){.size = sizeof *o, .rtol = 1e-6, .atol = (double)NAN, .absorber = POY_ABSORBER_IN_STAGE};
}

/* ---- checks ---- */

static poy_status check_planes(poy_ctx *ctx, double length, const double *planes, int n_planes)
{
    POYI_TRY(ctx, poyi_check_positive(ctx, "geometry.length", length, "m"));
    POYI_TRY(ctx, poyi_check_list(ctx, "output.planes", planes, n_planes, "m"));
    if (n_planes < 2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "output.planes: %d: needs at least 2, the start and the end", n_planes);
    if (planes[0] != 0.0 || planes[n_planes - 1] != length)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "output.planes: from %g to %g m: have to be from 0 to geometry.length, %g m", planes[0],
                         planes[n_planes - 1], length);
    for (int i = 1; i < n_planes; i++)
        if (planes[i] <= planes[i - 1])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "output.planes: number %d, %g m, is not above the one before, %g m",
                             i, planes[i], planes[i - 1]);
    return POY_OK;
}

static poy_status check_kinks(poy_ctx *ctx, const poy_solver_options *o, double length)
{
    POYI_TRY(ctx, poyi_check_list(ctx, "solver.kinks", o->kinks, o->n_kinks, "m"));
    for (int i = 0; i < o->n_kinks; i++) {
        if (o->kinks[i] <= 0.0 || o->kinks[i] >= length)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.kinks: number %d, %g m, is outside 0 to %g m", i,
                             o->kinks[i], length);
        if (i > 0 && o->kinks[i] <= o->kinks[i - 1])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.kinks: number %d, %g m, is not above the one before, %g m",
                             i, o->kinks[i], o->kinks[i - 1]);
    }
    return POY_OK;
}

/* Whether the steps of a schedule meet positions [n]; rounding of their sum is let through. */
static poy_status check_meets(poy_ctx *ctx, const poy_solver_options *o, const char *what, const double *positions,
                              int n, double length)
{
    const double slack = 1e-10 * length;
    double z = 0.0;
    int next = 0;
    while (next < n && positions[next] <= slack)
        next++;
    for (int64_t i = 0; i < o->n_schedule && next < n; i++) {
        z += o->schedule[i];
        if (z > positions[next] + slack)
            break;
        next += z >= positions[next] - slack;
    }
    if (next < n)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "solver.schedule: no step ends at the %s %d, %g m (the steps stand at %g m)", what, next,
                         positions[next], z);
    return POY_OK;
}

static poy_status check_schedule(poy_ctx *ctx, const poy_solver_options *o, double length, const double *planes,
                                 int n_planes)
{
    double z = 0.0;
    POYI_TRY(ctx, poyi_check_list(ctx, "solver.schedule", o->schedule, o->n_schedule, "m"));
    if (o->n_schedule == 0)
        return POY_OK;
    for (int64_t i = 0; i < o->n_schedule; i++) {
        if (o->schedule[i] <= 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.schedule: step %lld, %g m, is not above 0", (long long)i,
                             o->schedule[i]);
        z += o->schedule[i];
    }
    if (fabs(z - length) > 1e-10 * length)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.schedule: its steps end at %g m, geometry.length is %g m", z,
                         length);
    POYI_TRY(ctx, check_meets(ctx, o, "plane", planes, n_planes, length));
    return check_meets(ctx, o, "kink", o->kinks, o->n_kinks, length);
}

static poy_status check_solver(poy_ctx *ctx, const poy_solver_options *o, const poy_grid *grid, double length)
{
    POYI_TRY(ctx, poyi_check_finite(ctx, "solver.rtol", o->rtol, ""));
    if (o->rtol <= 1e-13 || o->rtol > 1e-2)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.rtol: %g is outside 1e-13 to 1e-2", o->rtol);
    if (!isnan(o->atol))
        POYI_TRY(ctx, poyi_check_positive(ctx, "solver.atol", o->atol, "sqrt(W)"));
    if (o->steps_max < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.steps_max: %lld is below 0 (0: no limit)",
                         (long long)o->steps_max);
    POYI_TRY(ctx, poyi_check_choice(ctx, "solver.absorber", (int)o->absorber, 4,
                                    "none, in_stage, split_step, per_step_window"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "solver.absorber_length", o->absorber_length, "m"));
    POYI_TRY(ctx, poyi_check_choice(ctx, "solver.propagators", (int)o->propagators, 3, "auto, powers, direct"));
    if (!grid->info.windows && o->absorber != POY_ABSORBER_NONE && o->absorber != POY_ABSORBER_IN_STAGE)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "solver.absorber: %s needs the windows of a grid with wavelength limits: give "
                         "grid.wavelength_min and grid.wavelength_max, or none",
                         o->absorber == POY_ABSORBER_SPLIT_STEP ? "split_step" : "per_step_window");
    if (o->error_weights)
        POYI_TRY(ctx, poyi_check_list(ctx, "solver.error_weights", o->error_weights, grid->info.n_w, ""));
    return check_kinks(ctx, o, length);
}

/* Step lengths left at 0 by their rules, and all of them in order. */
static poy_status resolve_steps(poy_ctx *ctx, poy_solver_options *o, double length)
{
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "solver.dz_first", o->dz_first, "m"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "solver.dz_max", o->dz_max, "m"));
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "solver.dz_min", o->dz_min, "m"));
    o->dz_min = o->dz_min > 0.0 ? o->dz_min : 1e-14 * length;
    o->dz_max = o->dz_max > 0.0 ? fmin(o->dz_max, length) : 0.5 * length;
    if (o->dz_min > o->dz_max)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "solver.dz_min: %g m is above solver.dz_max, %g m", o->dz_min,
                         o->dz_max);
    if (o->dz_first == 0.0)
        o->dz_first = fmax(o->dz_min, fmin(o->dz_max, fmin(1e-4, 0.01 * length)));
    if (o->dz_first < o->dz_min || o->dz_first > o->dz_max)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "solver.dz_first: %g m is outside solver.dz_min, %g m, to solver.dz_max, %g m", o->dz_first,
                         o->dz_min, o->dz_max);
    return POY_OK;
}

poy_status poyi_solver_resolve(poy_ctx *ctx, const poy_solver_options *given, const poy_grid *grid, double length,
                               const double *planes, int n_planes, poy_solver_options *out)
{
    poy_solver_options o;
    poy_solver_options_init(&o);
    if (given)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_solver_options", given, sizeof o, sizeof o, &o));
    POYI_TRY(ctx, check_planes(ctx, length, planes, n_planes));
    POYI_TRY(ctx, check_solver(ctx, &o, grid, length));
    POYI_TRY(ctx, resolve_steps(ctx, &o, length));
    POYI_TRY(ctx, check_schedule(ctx, &o, length, planes, n_planes));
    *out = o;
    return POY_OK;
}

/* ---- the record ---- */

static void set_solver(poy_problem *p, const poy_solver_options *o)
{
    p->method = 0;
    p->propagators = o->propagators;
    p->steps_max = o->steps_max;
    p->n_kinks = o->n_kinks;
    p->n_schedule = o->n_schedule;
    p->absorber = p->windows ? o->absorber : POY_ABSORBER_NONE;
    p->rtol = o->rtol;
    p->atol = isnan(o->atol) ? -1e-10 : o->atol;
    p->dz_min = o->dz_min;
    p->dz_max = o->dz_max;
    p->dz_first = o->dz_first;
}

poy_status poyi_problem_array(poy_ctx *ctx, const char *name, poy_dtype dtype, int64_t rows, int64_t cols, poyi_data *a)
{
    char label[40];
    size_t n, bytes;
    snprintf(label, sizeof label, "problem.%s", name);
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)rows, (size_t)cols, &n));
    POYI_TRY(ctx, poyi_mul_size(ctx, n, poy_dtype_size(dtype), &bytes));
    POYI_TRY(ctx, poyi_alloc(ctx, label, bytes, &a->data));
    a->rows = rows;
    a->cols = cols;
    return POY_OK;
}

/* An f64 row of n numbers. */
static poy_status copy(poy_ctx *ctx, const char *name, int64_t n, const double *from, poyi_data *a)
{
    POYI_TRY(ctx, poyi_problem_array(ctx, name, POY_F64, 1, n, a));
    memcpy(a->data, from, (size_t)n * sizeof *from);
    return POY_OK;
}

/* alpha_t(t) = -2 ln max(W(t), 1e-12) / l (docs/physics.md 2). */
static poy_status make_absorber(poy_ctx *ctx, poy_problem *p, double length)
{
    const double *window = poy_grid_window_to(p->grid);
    POYI_TRY(ctx, poyi_problem_array(ctx, "absorber_rate", POY_F64, 1, p->n_to, &p->absorber_rate));
    double *rate = p->absorber_rate.data;
    for (int64_t i = 0; i < p->n_to; i++)
        rate[i] = window[i] < 1.0 ? -2.0 * log(fmax(window[i], 1e-12)) / length : 0.0;
    return POY_OK;
}

static poy_status make_windows(poy_ctx *ctx, poy_problem *p)
{
    const poy_grid *g = p->grid;
    POYI_TRY(ctx, copy(ctx, "window_to", p->n_to, g->window_to, &p->window_to));
    POYI_TRY(ctx, copy(ctx, "window_t", p->n_t, g->window_t, &p->window_t));
    POYI_TRY(ctx, copy(ctx, "window_w", p->n_w, g->window_w, &p->window_w));
    if (p->plasma_held) {
        POYI_TRY(ctx, poyi_problem_array(ctx, "window_slope", POY_F64, 1, p->n_to, &p->window_slope));
        poyi_grid_window_slope(g, p->window_slope.data);
    }
    POYI_TRY(ctx, poyi_problem_array(ctx, "mask", POY_F64, 1, p->n_w, &p->mask));
    double *mask = p->mask.data;
    for (int64_t k = 0; k < p->n_w; k++)
        mask[k] = g->mask[k];
    return POY_OK;
}

poy_status poyi_problem_set_solver(poy_ctx *ctx, poy_problem *p, const poy_solver_options *o, const double *planes,
                                   int n_planes)
{
    set_solver(p, o);
    POYI_TRY(ctx, copy(ctx, "omega", p->n_w, p->grid->omega, &p->omega));
    if (p->windows)
        POYI_TRY(ctx, make_windows(ctx, p));
    if (p->absorber != POY_ABSORBER_NONE)
        POYI_TRY(ctx, make_absorber(ctx, p, o->absorber_length > 0.0 ? o->absorber_length : 0.02 * p->length));
    if (o->error_weights)
        POYI_TRY(ctx, copy(ctx, "error_weights", p->n_w, o->error_weights, &p->error_weights));
    else if (p->windows)
        POYI_TRY(ctx, copy(ctx, "error_weights", p->n_w, p->mask.data, &p->error_weights));
    p->n_planes = n_planes;
    POYI_TRY(ctx, copy(ctx, "planes", n_planes, planes, &p->planes));
    if (o->n_kinks > 0)
        POYI_TRY(ctx, copy(ctx, "kinks", o->n_kinks, o->kinks, &p->kinks));
    if (o->n_schedule > 0)
        POYI_TRY(ctx, copy(ctx, "schedule", o->n_schedule, o->schedule, &p->schedule));
    return POY_OK;
}
