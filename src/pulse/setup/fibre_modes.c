/* fibre_modes.c: several modes of a glass fibre as a problem record: the generalised nonlinear Schroedinger equation of
 * each mode, coupled by the Kerr and the Raman response at points of the cross-section (docs/physics.md 3).
 * Source: F. Poletti, P. Horak, J. Opt. Soc. Am. B 25, 1645 (2008), with the fields of the modes at the reference
 * wavelength. With F_m = e_m/sqrt(2 Z0), integral |F|^2 = 1:
 *   dA_m/dz = (-i (beta_m - frame) - alpha/2) A_m
 *             - i (n2 omega/c) integral F_m . [(1 - f_R) (2/3 |E|^2 E + 1/3 (E.E) E^*) + f_R E (h * |E|^2)] dA,
 * E = sum over m of F_m A_m; for one mode gamma = n2 omega/(c A_eff). */
#include <stddef.h>
#include <string.h>

#include "poynting/pulse_rows.h"
#include "pulse/response/response.h"
#include "pulse/setup/medium.h"

#define TWO_PI_C (2.0 * POYI_PI * POYI_C)
enum { TABLE_POINTS = 2001 };

/* ---- the index of a mode ---- */

/* The positive frequencies of the signal band. */
static void grid_signal(const poy_grid *grid, double *low, double *high)
{
    *low = (double)INFINITY;
    *high = 0.0;
    for (int64_t k = 0; k < grid->info.n_w; k++)
        if (grid->mask[k] && grid->omega[k] > 0.0) {
            *low = fmin(*low, grid->omega[k]);
            *high = fmax(*high, grid->omega[k]);
        }
}

int poyi_mode_table_points(void)
{
    return TABLE_POINTS;
}

poy_status poyi_mode_table(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_grid *grid, double *wavelengths,
                           double *n)
{
    double low = 0.0, high = 0.0, index[2];
    if (poy_guide_varies(guide))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "geometry.core_radius: a glass fibre that changes along z is not built yet: give one radius");
    grid_signal(grid, &low, &high);
    for (int i = 0; i < TABLE_POINTS; i++) { /* equidistant in frequency, rising wavelength */
        const double omega = high + (low - high) * i / (TABLE_POINTS - 1);
        const poy_status status = poy_guide_index(ctx, guide, mode, 0.0, omega, 0, index);
        if (status == POY_ERR_RANGE && grid->info.windows)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s (the signal band goes beyond it, to %.4g nm)",
                             poy_ctx_cause(ctx), 1e9 * TWO_PI_C / low);
        POYI_TRY(ctx, status);
        wavelengths[i] = TWO_PI_C / omega;
        n[i] = 1.0 + index[0];
    }
    return POY_OK;
}

/* ---- operator and prefactor ---- */

/* beta_m - frame as a column of phi, from tables of this mode and of the one that the frame follows, so that the latter's
 * column is that of a fibre of one mode, bit by bit. */
static void fill_column(const poy_problem *p, const poyi_fibre *mode, const poyi_fibre *frame, int shock, int64_t c)
{
    const poy_grid *g = p->grid;
    const double ratio = (double)g->info.n_t / (double)g->info.n_to, w0 = frame->omega0;
    const double n = mode->n0 - frame->n0, slope = mode->slope0 - frame->slope0;
    double *phi = (double *)p->phi.data + 2 * c * p->n_w, *G = (double *)p->prefactor.data + c * p->n_w;
    for (int64_t k = 0; k < p->n_w; k++) {
        const double omega = g->omega[k], walk = (w0 * n + (n + w0 * slope) * (omega - w0)) / POYI_C;
        const int in = g->mask[k] && omega > 0.0;
        phi[2 * k] = in && !p->lossless ? -0.5 * frame->attenuation : 0.0;
        phi[2 * k + 1] = in ? -(poyi_fibre_phase(mode, omega) + walk) : 0.0;
        G[k] = in ? -(shock ? omega / w0 : 1.0) * g->window_w[k] * ratio : 0.0;
    }
}

/* The fibre that is known by the table of a mode's index. */
static poy_status fibre_of_mode(poy_ctx *ctx, const poy_problem *p, int mode, const poy_fibre_options *given, int shock,
                                poyi_fibre **out)
{
    poy_fibre_options o;
    double *table = NULL;
    poy_status status;
    poy_fibre_options_init(&o);
    o.gamma = 0.0; /* of no effect */
    o.attenuation = given->attenuation;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "fibre", (size_t)2 * TABLE_POINTS * sizeof *table, (void **)&table));
    POYI_TO_DONE(ctx, poyi_mode_table(ctx, p->medium->guide, mode, p->grid, table, table + TABLE_POINTS));
    o.index_wavelength = table;
    o.index_n = table + TABLE_POINTS;
    o.n_index = TABLE_POINTS;
    POYI_TO_DONE(ctx, poyi_fibre_create(ctx, &o, p->grid, shock, out));
done:
    poyi_free((void **)&table);
    return status;
}

static poy_status make_operator(poy_ctx *ctx, poy_problem *p, const poy_fibre_options *fibre, int shock)
{
    poyi_fibre *frame = NULL, *own = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poyi_problem_array(ctx, "phi", POY_C128, p->n_c, p->n_w, &p->phi));
    POYI_TO_DONE(ctx, poyi_problem_array(ctx, "prefactor", POY_F64, p->n_c, p->n_w, &p->prefactor));
    POYI_TO_DONE(ctx, fibre_of_mode(ctx, p, p->medium->mode, fibre, shock, &frame));
    p->lossless = frame->attenuation == 0.0;
    for (int64_t c = 0; c < p->n_c; c++) {
        POYI_TO_DONE(ctx, fibre_of_mode(ctx, p, p->medium->modes[c], fibre, shock, &own));
        fill_column(p, own, frame, shock, c);
        poyi_fibre_destroy(&own);
    }
done:
    poyi_fibre_destroy(&own);
    poyi_fibre_destroy(&frame);
    return status;
}

/* ---- responses ---- */

static poy_status make_factor(poy_ctx *ctx, const char *name, double value, poyi_data *a)
{
    POYI_TRY(ctx, poyi_problem_array(ctx, name, POY_F64, 1, 1, a));
    *(double *)a->data = value;
    return POY_OK;
}

/* n2 from what was given; of gamma that of the frame's mode. */
static poy_status find_n2(poy_ctx *ctx, const poy_problem *p, const poy_fibre_options *o, double *n2)
{
    double area = 0.0;
    if (isnan(o->gamma) == isnan(o->n2))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "fibre.gamma: give it or n2, one of the two");
    if (!isnan(o->effective_area) || o->n_beta > 0 || o->n_index > 0 || !isnan(o->D) || !isnan(o->S))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "fibre.effective_area: areas and dispersion are those of the guide's modes: leave them out");
    POYI_TRY(ctx, poyi_check_not_negative(ctx, "fibre.attenuation", o->attenuation, "1/m"));
    *n2 = o->n2;
    if (isnan(o->gamma))
        return poyi_check_finite(ctx, "fibre.n2", o->n2, "m2/W");
    POYI_TRY(ctx, poyi_check_finite(ctx, "fibre.gamma", o->gamma, "1/(W m)"));
    POYI_TRY(ctx, poy_guide_effective_area(ctx, p->medium->guide, p->medium->mode, 0.0, p->omega0, &area));
    *n2 = o->gamma * POYI_C * area / p->omega0;
    return POY_OK;
}

/* P = factor times |E|^2 E, E = sum e_m A_m: n2 omega0/c (2 Z0)^-2, as integral |e|^2 = 2 Z0. */
static poy_status make_responses(poy_ctx *ctx, poy_problem *p, const poy_fibre_options *fibre,
                                 const poy_physics_options *physics)
{
    double n2 = 0.0;
    POYI_TRY(ctx, find_n2(ctx, p, fibre, &n2));
    const double factor = n2 * p->omega0 / (POYI_C * 4.0 * POYI_Z0 * POYI_Z0);
    p->medium->n2 = n2;
    POYI_TRY(ctx, make_factor(ctx, "field_along", 1.0, &p->field_along));
    POYI_TRY(ctx, make_factor(ctx, "kerr_along", factor, &p->kerr_along));
    POYI_TRY(ctx, make_factor(ctx, "raman_along", factor, &p->raman_along));
    if (!p->raman)
        return POY_OK;
    POYI_TRY(ctx, poyi_problem_array(ctx, "raman_h", POY_C128, 1, p->n_to / 2 + 1, &p->raman_h));
    return poyi_raman_spectrum(ctx, physics, p->n_to, p->dt_fine, p->raman_h.data);
}

/* Fields of modes of a weakly guiding fibre are as good as orthogonal without the magnetic ones, which the equation takes
 * for granted. */
static poy_status check_weak(poy_ctx *ctx, const poy_problem *p)
{
    const double most = 1e-3;
    const poyi_medium *m = p->medium;
    const int64_t rows = p->n_pol * p->n_nodes;
    for (int i = 0; i < m->n_columns; i++)
        for (int j = 0; j < i; j++) {
            double sum = 0.0;
            for (int64_t q = 0; q < rows; q++)
                sum += POYI_F64(p->projection)[i * rows + q] * POYI_F64(p->synthesis)[q * p->n_c + j];
            if (fabs(sum) > most * 2.0 * POYI_Z0)
                return POYI_FAIL(
                    ctx, POY_ERR_UNSUPPORTED,
                    "geometry.modes: the fields of %s and %s overlap by %.2g: the equation is one of weakly "
                    "guiding fibres: leave one of them out, or lower the step of the index",
                    poy_guide_mode_name(m->guide, m->modes[j]), poy_guide_mode_name(m->guide, m->modes[i]),
                    fabs(sum) / (2.0 * POYI_Z0));
        }
    return POY_OK;
}

/* ---- the object ---- */

static poy_status check(poy_ctx *ctx, const poy_grid *grid, const poy_guide *guide, const poy_gas_options *columns)
{
    if (!grid || !guide)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: NULL given: create one by %s", grid ? "guide" : "grid",
                         grid ? "poy_guide_create_step_index" : "poy_grid_create");
    if (strcmp(poy_guide_type(guide), "step_index") != 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "geometry.type: %s is no glass fibre: use poy_problem_create_guide",
                         poy_guide_type(guide));
    if (grid->info.field == POY_FIELD_REAL)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "physics.field: real: the equation of a fibre is one of envelopes: use envelope");
    if (columns->averaged > 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "geometry.averaged: true: one mode with its effective area is what poy_problem_create_fibre "
                         "is for");
    return POY_OK;
}

static poy_status fill(poy_ctx *ctx, poy_problem *p, const poy_fibre_options *fibre, const poy_gas_options *columns,
                       const poy_physics_options *physics)
{
    poy_gas_options own = *columns;
    own.averaged = 0;
    poyi_problem_set_physics(p, physics);
    p->equation = POYI_EQUATION_GUIDE;
    p->response = POY_RESPONSE_ENVELOPE;
    POYI_TRY(ctx, poyi_medium_make_columns(ctx, p, &own));
    POYI_TRY(ctx, poyi_medium_make_nodes(ctx, p, &own));
    POYI_TRY(ctx, check_weak(ctx, p));
    poyi_medium_set_chunk(p, own.node_bytes);
    POYI_TRY(ctx, make_operator(ctx, p, fibre, physics->shock != 0));
    return make_responses(ctx, p, fibre, physics);
}

poy_status poy_problem_create_fibre_modes(poy_ctx *ctx, poy_grid *grid, poy_guide *guide,
                                          const poy_fibre_options *fibre_, const poy_gas_options *columns_,
                                          const poy_physics_options *physics_, const poy_solver_options *solver_,
                                          double length, const double *planes, int n_planes, poy_problem **out)
{
    poy_fibre_options fibre;
    poy_gas_options columns;
    poy_physics_options physics;
    poy_solver_options solver;
    poy_problem *p = NULL;
    poy_status status;

    *out = NULL;
    poy_gas_options_init(&columns);
    poy_physics_options_init(&physics);
    POYI_TRY(ctx, poyi_options_copy(ctx, "poy_fibre_options", fibre_, sizeof fibre, sizeof fibre, &fibre));
    if (columns_)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_gas_options", columns_, offsetof(poy_gas_options, n_columns),
                                        sizeof columns, &columns));
    if (physics_)
        POYI_TRY(ctx,
                 poyi_options_copy(ctx, "poy_physics_options", physics_, sizeof physics, sizeof physics, &physics));
    POYI_TRY(ctx, check(ctx, grid, guide, &columns));
    POYI_TRY(ctx, poyi_physics_check(ctx, &physics));
    POYI_TRY(ctx, poyi_solver_resolve(ctx, solver_, grid, length, planes, n_planes, &solver));

    POYI_TO_DONE(ctx, poyi_problem_new(ctx, grid, length, &p));
    POYI_TO_DONE(ctx, poyi_medium_new(ctx, p, guide, columns.mode));
    POYI_TO_DONE(ctx, fill(ctx, p, &fibre, &columns, &physics));
    POYI_TO_DONE(ctx, poyi_problem_set_solver(ctx, p, &solver, planes, n_planes));
    POYI_TO_DONE(ctx, poyi_problem_check(ctx, p));
    poyi_problem_hash(p, p->digest);
    *out = p;
    p = NULL;
done:
    poy_problem_destroy(&p);
    return status;
}
