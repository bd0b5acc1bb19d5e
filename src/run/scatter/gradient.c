/* gradient.c: the value of an objective and its gradient by a tape of records; the check of both; /gradient in a result file. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/moves.h"
#include "run/scatter/stack.h"
#include "run/store/h5.h"
#include "run/store/internal.h"

/* ---- degrees, and how far the work is ---- */

static poy_status advance(poy_ctx *ctx, poy_objective *o, double pieces)
{
    o->done += pieces;
    const poy_progress progress = {.what = o->name,
                                   .unit = "solutions",
                                   .done = o->done,
                                   .total = fmax(o->work, o->done),
                                   .step = pieces,
                                   .accepted = (int64_t)o->done,
                                   .energy = (double)NAN,
                                   .energy_start = (double)NAN};
    if (poyi_progress(ctx, &progress) && o->done < o->work)
        return POYI_FAIL(ctx, POY_ERR_INTERRUPTED, "%s: the gradient was stopped on request", o->name);
    return POY_OK;
}

/* A diffraction threshold, which the lattice sum tells by its order alone, with the key and the wavelength. */
static poy_status at_wavelength(poy_ctx *ctx, const poy_objective *o, int i, poy_status status)
{
    char why[200];
    if (status != POY_ERR_THRESHOLD)
        return status;
    snprintf(why, sizeof why, "%s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    return POYI_FAIL(ctx, status, "%s: at %.6g nm there is no gradient: %s", o->where, 2e9 * POYI_PI / o->k0[i], why);
}

static poy_status resolve(poy_ctx *ctx, poy_objective *o)
{
    for (int i = 0; i < o->n_points && !o->resolved; i++) {
        double change = 0;
        o->lmax[i] = o->s.lmax;
        if (!o->lmax[i] && o->s.array)
            POYI_TRY(ctx, at_wavelength(ctx, o, i, poyi_stack_stand_still(ctx, &o->s, o->k0[i], &o->lmax[i], &change)));
        else if (!o->lmax[i])
            POYI_TRY(ctx, poyi_scatter_stand_still(ctx, &o->s, o->k0[i], &o->lmax[i], &change));
        if (change > o->s.tol)
            poyi_log(ctx, POY_LOG_WARNING,
                     "%s: the %s still change by %.2g with one more degree at lmax = %d: raise numerics.tol", o->name,
                     o->s.array ? "powers" : "cross sections", change, o->lmax[i]);
        POYI_TRY(ctx, advance(ctx, o, 1));
    }
    o->resolved = 1;
    return POY_OK;
}

/* ---- one wavelength ---- */

typedef struct mover {
    poyi_moment *p;
    double scale, sum;
} mover;

static int is_complex(const poy_rec_array *a)
{
    return a->spec.dtype == POY_C128;
}

/* change += scale times the tangent. */
static void add_tangent(void *user, int step, int input, size_t at, poy_c128 t)
{
    const mover *m = user;
    const poy_rec_array *a = &m->p->tape.steps[step].change[input];
    double *to = a->data;
    if (is_complex(a)) {
        to[2 * at] += m->scale * t.re;
        to[2 * at + 1] += m->scale * t.im;
    } else {
        to[at] += m->scale * t.re;
    }
}

/* sum += Re conj(gradient) tangent. */
static void add_product(void *user, int step, int input, size_t at, poy_c128 t)
{
    mover *m = user;
    const poy_rec_array *a = &m->p->tape.steps[step].change[input];
    const double *g = a->data;
    m->sum += is_complex(a) ? g[2 * at] * t.re + g[2 * at + 1] * t.im : g[at] * t.re;
}

/* Absorbed power, of the incident one, that is rounding. */
static const double none_absorbed = 1e-12;

static double *term_of(const poyi_moment *p, const poy_rec_array *outputs, int i)
{
    return (double *)outputs[p->terms[i].output].data + p->terms[i].element;
}

static poyi_tape_step *last_of(const poyi_moment *p)
{
    return &p->tape.steps[p->tape.n - 1];
}

static double sum_of(const poyi_moment *p, const poy_rec_array *outputs)
{
    double sum = 0;
    for (int i = 0; i < p->n_terms; i++)
        sum += p->terms[i].weight * *term_of(p, outputs, i);
    return sum;
}

/* The numbers of the tape, and the objective's share of this wavelength; from then on the terms' weights are its slopes. */
static poy_status evaluate_moment(poy_ctx *ctx, poyi_moment *p, int derive, double *value)
{
    double above = 0, below = p->whole;
    POYI_TRY(ctx, poyi_objective_widen(ctx, p));
    POYI_TRY(ctx, poyi_tape_evaluate(ctx, &p->tape, derive));
    for (int i = 0; i < p->n_terms; i++) {
        const double x = *term_of(p, last_of(p)->out, i);
        above += p->terms[i].weight * x;
        below += p->terms[i].below * x;
    }
    if (!(below > none_absorbed))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "%s: nothing absorbs at %.6g nm: there is no ratio: use cd.transmission", p->o->quantity,
                         2e9 * POYI_PI / p->k0);
    for (int i = 0; i < p->n_terms; i++)
        p->terms[i].weight = (p->terms[i].weight - above / below * p->terms[i].below) / below;
    *value = p->offset + above / below;
    return POY_OK;
}

/* Adds the gradient at this wavelength. */
static poy_status pull(poy_ctx *ctx, poyi_moment *p, double *gradient)
{
    const poy_objective *o = p->o;
    poyi_tape_step *last = last_of(p);
    for (int j = 0; j < last->n_out; j++)
        memset(last->out_change[j].data, 0, poy_rec_bytes(&last->out_change[j].spec));
    for (int i = 0; i < p->n_terms; i++)
        *term_of(p, last->out_change, i) += p->terms[i].weight;
    POYI_TRY(ctx, poyi_tape_pull(ctx, &p->tape));
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            mover m = {.p = p};
            POYI_TRY(ctx, poyi_moment_moves(ctx, p, &o->variables[k], i, add_product, &m));
            gradient[o->variables[k].first + i] += m.sum;
        }
    return POY_OK;
}

/* The change of the objective along the tangents that stand in change. */
static poy_status push(poy_ctx *ctx, poyi_moment *p, double *out)
{
    POYI_TRY(ctx, poyi_tape_push(ctx, &p->tape));
    *out = sum_of(p, last_of(p)->out_change);
    return POY_OK;
}

static poy_status push_each(poy_ctx *ctx, poyi_moment *p, double *gradient)
{
    const poy_objective *o = p->o;
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            double slope;
            mover m = {.p = p, .scale = 1};
            poyi_tape_clear(&p->tape);
            POYI_TRY(ctx, poyi_moment_moves(ctx, p, &o->variables[k], i, add_tangent, &m));
            POYI_TRY(ctx, push(ctx, p, &slope));
            gradient[o->variables[k].first + i] += slope;
        }
    return POY_OK;
}

/* The change along one direction [n] of all numbers. */
static poy_status push_along(poy_ctx *ctx, poyi_moment *p, const double *direction, double *out)
{
    const poy_objective *o = p->o;
    poyi_tape_clear(&p->tape);
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            mover m = {.p = p, .scale = direction[o->variables[k].first + i]};
            POYI_TRY(ctx, poyi_moment_moves(ctx, p, &o->variables[k], i, add_tangent, &m));
        }
    return push(ctx, p, out);
}

static poy_status evaluate(poy_ctx *ctx, poy_objective *o, poy_objective_mode mode, double *gradient, double *value)
{
    *value = 0;
    POYI_TRY(ctx, resolve(ctx, o));
    if (mode != POY_OBJECTIVE_VALUE)
        memset(gradient, 0, (size_t)o->n * sizeof *gradient);
    for (int i = 0; i < o->n_points; i++) {
        poyi_moment p;
        POYI_TRY(ctx, poyi_moment_open(ctx, o, i, &p));
        double share = 0;
        poy_status status = evaluate_moment(ctx, &p, mode != POY_OBJECTIVE_VALUE, &share);
        *value += share;
        if (status == POY_OK && mode == POY_OBJECTIVE_REVERSE)
            status = pull(ctx, &p, gradient);
        if (status == POY_OK && mode == POY_OBJECTIVE_FORWARD)
            status = push_each(ctx, &p, gradient);
        poyi_moment_close(&p);
        POYI_TRY(ctx, at_wavelength(ctx, o, i, status));
        POYI_TRY(ctx, advance(ctx, o, 1));
    }
    return POY_OK;
}

/* Pieces of work before an evaluation. */
static double to_resolve(const poy_objective *o)
{
    return o->resolved ? 0 : o->n_points;
}

poy_status poy_objective_evaluate(poy_ctx *ctx, poy_objective *o, poy_objective_mode mode, double *value)
{
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    o->done = 0;
    o->work = to_resolve(o) + o->n_points;
    poy_status status = poyi_objective_begin(ctx, o, 0);
    if (status == POY_OK)
        status = evaluate(ctx, o, mode, o->gradient, &o->value);
    poyi_objective_end(ctx, o);
    poyi_surroundings_leave(ctx, &old);
    *value = o->value;
    return status;
}

/* ---- the check ---- */

/* Shares of power of a stack, or its dichroism. */
static poy_status shares_of_a_run(poy_ctx *ctx, const poy_objective *o, const poyi_stack_point *x, poy_c128 *light,
                                  double out[2])
{
    poy_power_shares all;
    poy_dichroism cd;
    void *memory = NULL;
    const size_t n = (size_t)o->s.array->n_orders;
    poyi_stack_light(x, 0, light);
    if (o->share == POYI_SHARE_ALL) {
        POYI_TRY(ctx, poy_smatrix_power(ctx, x->whole, POY_UP, light, &all));
        out[0] = all.transmission;
        out[1] = all.reflection;
    } else if (o->share != POYI_SHARE_ORDER) {
        POYI_TRY(ctx, poy_smatrix_circular_dichroism(ctx, x->whole, POY_UP, light, &cd));
        out[0] = o->share == POYI_SHARE_ABSORBED ? cd.absorption : cd.transmission;
        out[1] = cd.outgoing;
    } else {
        POYI_TRY(ctx, poyi_alloc(ctx, "scatter.light", 2 * n * sizeof(double), &memory));
        double *t = memory, *r = t + n;
        const poy_status status = poy_smatrix_order_powers(ctx, x->whole, POY_UP, light, t, r);
        out[0] = t[o->order];
        out[1] = r[o->order];
        poyi_free(&memory);
        return status;
    }
    return POY_OK;
}

static poy_status stack_of_a_run(poy_ctx *ctx, const poy_objective *o, int i, double out[2])
{
    poyi_stack_point x;
    void *memory = NULL;
    POYI_TRY(ctx, poyi_stack_point_create(ctx, &o->s, o->s.lights, o->k0[i], o->lmax[i], 1, &x));
    poy_status status = poyi_alloc(ctx, "scatter.light", poy_smatrix_size(x.whole) * sizeof(poy_c128), &memory);
    if (status == POY_OK)
        status = shares_of_a_run(ctx, o, &x, memory, out);
    poyi_free(&memory);
    poyi_stack_point_fini(&x);
    return status;
}

/* What a run of the recipe computes. size: of the numbers that add up to it, of which it may be a small difference; shares of power
 * are those of 1. */
static poy_status of_a_run(poy_ctx *ctx, const poy_objective *o, double *out, double *size)
{
    *out = o->offset;
    *size = o->s.array ? 1 : fabs(o->offset);
    for (int i = 0; i < o->n_points; i++) {
        poy_cross_sections c;
        double part[2] = {0, 0};
        if (o->s.array) {
            POYI_TRY(ctx, at_wavelength(ctx, o, i, stack_of_a_run(ctx, o, i, part)));
        } else {
            POYI_TRY(ctx, poyi_scatter_sections(ctx, &o->s, o->k0[i], o->lmax[i], &c));
            part[0] = c.scattering;
            part[1] = c.extinction;
        }
        *out += (o->weight[0] * part[0] + o->weight[1] * part[1]) / o->n_points;
        *size += (fabs(o->weight[0] * part[0]) + fabs(o->weight[1] * part[1])) / o->n_points;
    }
    return POY_OK;
}

static const double bound_adjoint = 1e-11, bound_difference = 1e-6;

/* Shares of an objective's size, by the length of a step, below which a derivative is none: where symmetry leaves nothing but rounding,
 * it cannot be held to itself. Times its bound, each is above the rounding of what it is for: 1e-16 of sums of derivatives, 1e-15 of
 * differences of runs. */
static const double none_by_records = 1e-5, none_by_differences = 1e-9;

static double norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* In numbers that a step makes alike: lengths and indices would not add. */
static poy_status check_adjoint(poy_ctx *ctx, poy_objective *o, uint64_t seed, double size, double *direction,
                                double *out)
{
    double along = 0, product = 0, scaled[2] = {0, 0};
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            double u[2];
            const int at = o->variables[k].first + i;
            const double step = poyi_variable_step(o, &o->variables[k], i);
            poy_random_uniform2(seed, 0, (uint64_t)at, u);
            direction[at] = step * (2 * u[0] - 1);
            product += o->gradient[at] * direction[at];
            scaled[0] += o->gradient[at] * step * o->gradient[at] * step;
            scaled[1] += (2 * u[0] - 1) * (2 * u[0] - 1);
        }
    for (int i = 0; i < o->n_points; i++) {
        poyi_moment p;
        double slope = 0;
        POYI_TRY(ctx, poyi_moment_open(ctx, o, i, &p));
        double share;
        poy_status status = evaluate_moment(ctx, &p, 1, &share);
        if (status == POY_OK)
            status = push_along(ctx, &p, direction, &slope);
        along += slope;
        poyi_moment_close(&p);
        POYI_TRY(ctx, at_wavelength(ctx, o, i, status));
        POYI_TRY(ctx, advance(ctx, o, 1));
    }
    *out = fabs(product - along) / (fmax(sqrt(scaled[0]), none_by_records * size) * sqrt(scaled[1]));
    return POY_OK;
}

/* At whole steps from the point: weights of f in 12 h f'. Both errors fall with h^4; the second stays on one side. */
typedef struct stencil {
    int n;
    double place[5], weight[5];
} stencil;

static const stencil central = {4, {-2, -1, 1, 2}, {1, -8, 8, -1}},
                     one_sided = {5, {0, 1, 2, 3, 4}, {-25, 48, -36, 16, -3}};

/* A threshold that the step of a difference runs into, with the key that was moved. */
static poy_status moved(poy_ctx *ctx, const poyi_variable *v, double step, poy_status status)
{
    char why[300];
    if (status != POY_ERR_THRESHOLD || step == 0)
        return status;
    snprintf(why, sizeof why, "%s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    return POYI_FAIL(ctx, status, "%s: moved by %.3g (SI) for a difference: %s", v->part.key, step, why);
}

/* One-sided where the number would fall below what it may be: below an imaginary part of 0 the roots of a chiral medium turn. */
static poy_status difference(poy_ctx *ctx, poy_objective *o, const poyi_variable *v, int i, double h, double *out)
{
    const stencil *s = poyi_variable_room(o, v, i) < 2 * h ? &one_sided : &central;
    const double tol = o->s.tol;
    poy_status status = POY_OK;
    *out = 0;
    o->s.tol = fmin(tol, 1e-11); /* iterations would leave their tolerance */
    for (int k = 0; k < s->n && status == POY_OK; k++) {
        double f = 0, size;
        status = poyi_variable_move(ctx, o, v, i, s->place[k] * h);
        if (status == POY_OK)
            status = moved(ctx, v, s->place[k] * h, of_a_run(ctx, o, &f, &size));
        const poy_status back = poyi_variable_move(ctx, o, v, i, -s->place[k] * h);
        status = status == POY_OK ? back : status;
        *out += s->weight[k] * f / (12 * h);
    }
    o->s.tol = tol;
    return status;
}

/* Of one key, with steps of a share of those that suit a smooth function. */
static poy_status difference_error(poy_ctx *ctx, poy_objective *o, const poyi_variable *v, double size, double share,
                                   double *error)
{
    double largest = none_by_differences * size / poyi_variable_step(o, v, 0), worst = 0;
    for (int i = 0; i < v->n; i++) {
        double d;
        const double g = o->gradient[v->first + i];
        POYI_TRY(ctx, difference(ctx, o, v, i, share * poyi_variable_step(o, v, i), &d));
        POYI_TRY(ctx, advance(ctx, o, 4.0 * o->n_points));
        worst = fmax(worst, fabs(d - g));
        largest = fmax(largest, fmax(fabs(d), fabs(g)));
    }
    *error = worst / largest;
    return POY_OK;
}

/* Resonances of large spheres are narrower than a thousandth: where differences do not agree, finer ones may. */
static poy_status check_differences(poy_ctx *ctx, poy_objective *o, double size, poy_gradient_check *out)
{
    enum { FINER = 5 };
    for (int k = 0; k < o->n_variables; k++) {
        const poyi_variable *v = &o->variables[k];
        double least = (double)INFINITY, share = 1;
        for (int j = 0; j < FINER && !(least <= bound_difference); j++, share /= 8) {
            double error;
            POYI_TRY(ctx, difference_error(ctx, o, v, size, share, &error));
            least = error < least ? error : least;
        }
        if (!(least <= out->difference)) {
            out->difference = least;
            out->worst = v->part.key;
        }
    }
    return POY_OK;
}

poy_status poy_objective_check(poy_ctx *ctx, poy_objective *o, uint64_t seed, poy_gradient_check *out)
{
    double *memory = NULL, *direction = NULL, *forward = NULL, value, size = 0;
    *out = (poy_gradient_check){.worst = ""};
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    o->done = 0;
    o->work = to_resolve(o) + (3.0 + 4.0 * o->n) * o->n_points;
    poy_status status = poyi_objective_begin(ctx, o, 1);
    if (status == POY_OK)
        status = poyi_alloc_zero(ctx, "objective.check", 2 * (size_t)o->n * sizeof *memory, (void **)&memory);
    if (status == POY_OK) {
        direction = memory;
        forward = memory + o->n;
        status = evaluate(ctx, o, POY_OBJECTIVE_REVERSE, o->gradient, &o->value);
    }
    if (status == POY_OK)
        status = evaluate(ctx, o, POY_OBJECTIVE_FORWARD, forward, &value);
    if (status == POY_OK)
        status = of_a_run(ctx, o, &value, &size);
    if (status == POY_OK)
        status = check_adjoint(ctx, o, seed, size, direction, &out->adjoint);
    for (int k = 0; k < o->n_variables && status == POY_OK; k++) {
        const poyi_variable *v = &o->variables[k];
        const double scale = fmax(norm(v->n, forward + v->first), none_by_records * size / poyi_variable_step(o, v, 0));
        for (int i = v->first; i < v->first + v->n; i++)
            forward[i] -= o->gradient[i];
        out->modes = fmax(out->modes, norm(v->n, forward + v->first) / scale);
    }
    if (status == POY_OK)
        status = check_differences(ctx, o, size, out);
    out->passed = status == POY_OK && out->adjoint <= bound_adjoint && out->modes <= bound_adjoint &&
                  out->difference <= bound_difference;
    poyi_free((void **)&memory);
    poyi_objective_end(ctx, o);
    poyi_surroundings_leave(ctx, &old);
    return status;
}

/* ---- in a file ---- */

static int write_parts(hid_t group, const poy_objective *o)
{
    const poyi_h5_about about = {o->units, o->quantity, ""};
    int status = poyi_h5_scalar(group, "value", o->value, &about);
    for (int k = 0; k < o->n_variables && !status; k++) {
        const poy_gradient_part *p = &o->variables[k].part;
        const poyi_h5_about of = {p->units, "derivative of the objective by the key, in SI", p->axes};
        const hsize_t extent[2] = {(hsize_t)p->extent[0], (hsize_t)p->extent[1]}, start[2] = {0, 0};
        hid_t set = poyi_h5_filled(group, p->key, H5T_NATIVE_DOUBLE, p->rank, extent, NULL, &of);
        status = set < 0 || poyi_h5_block(set, H5T_NATIVE_DOUBLE, start, extent, p->gradient);
        if (set >= 0)
            H5Dclose(set);
    }
    return status;
}

poy_status poy_objective_store(poy_ctx *ctx, const poy_objective *o, const char *path)
{
    poyi_h5_quiet quiet;
    hid_t file = H5I_INVALID_HID;
    poyi_h5_begin(&quiet);
    poy_status status = poyi_store_open(ctx, path, H5F_ACC_RDWR, &file);
    if (status == POY_OK) {
        if (poyi_h5_exists(file, "gradient"))
            H5Ldelete(file, "gradient", H5P_DEFAULT);
        hid_t group = poyi_h5_group(file, "gradient");
        int failed = group < 0 || write_parts(group, o);
        if (group >= 0)
            H5Gclose(group);
        failed |= H5Fclose(file) < 0;
        if (failed)
            status = POYI_FAIL(ctx, POY_ERR_IO, "%s: the gradient cannot be written", path);
    }
    poyi_h5_end(&quiet);
    return status;
}
