/* gradient.c: the value of an objective and its gradient, by the record spheres_cross_sections with 1/k0 as the unit of length; the
 * check of both; /gradient in a result file. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/scatter/objective.h"
#include "run/store/h5.h"
#include "run/store/internal.h"

/* ---- the record's inputs at one wavelength ---- */

enum { K0, RADII, EPSILON, MU, KAPPA, POSITIONS, MEDIUM, AMPLITUDE, DIRECTION, INPUTS };

/* Arrays of the record: of the values, and once more of tangents or gradients. */
typedef struct inputs {
    poy_rec_array value[INPUTS], change[INPUTS];
    void *memory;
} inputs;

static poy_rec_spec spec_of(poy_dtype dtype, int rank, int64_t a, int64_t b)
{
    return (poy_rec_spec){.dtype = dtype, .rank = rank, .dims = {a, b}};
}

static poy_status make_room(poy_ctx *ctx, const poy_objective *o, inputs *in)
{
    const int64_t n = o->s.n, layers = o->layers;
    const poy_rec_spec specs[INPUTS] = {[K0] = spec_of(POY_F64, 0, 0, 0),
                                        [RADII] = spec_of(POY_F64, 2, n, layers),
                                        [EPSILON] = spec_of(POY_C128, 2, n, layers),
                                        [MU] = spec_of(POY_C128, 2, n, layers),
                                        [KAPPA] = spec_of(POY_C128, 2, n, layers),
                                        [POSITIONS] = spec_of(POY_F64, 2, n, 3),
                                        [MEDIUM] = spec_of(POY_F64, 1, 3, 0),
                                        [AMPLITUDE] = spec_of(POY_C128, 1, 2, 0),
                                        [DIRECTION] = spec_of(POY_F64, 1, 3, 0)};
    size_t bytes = 0;
    for (int i = 0; i < INPUTS; i++)
        bytes += poy_rec_bytes(&specs[i]);
    *in = (inputs){.memory = NULL};
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "objective.inputs", 2 * bytes, &in->memory));
    unsigned char *at = in->memory;
    for (int i = 0; i < INPUTS; i++) {
        in->value[i] = (poy_rec_array){.spec = specs[i], .data = at};
        in->change[i] = (poy_rec_array){.spec = specs[i], .data = at + bytes};
        at += poy_rec_bytes(&specs[i]);
    }
    return POY_OK;
}

static double *reals(const poy_rec_array *a)
{
    return a->data;
}

static poy_c128 *complexes(const poy_rec_array *a)
{
    return a->data;
}

/* Bodies with fewer layers than others have more of the innermost material inside, at radii that divide its own. */
static int padding(const poy_objective *o, const poyi_body *b)
{
    return o->layers - b->layers;
}

static poy_status fill_sphere(poy_ctx *ctx, const poy_objective *o, double k0, int copy, inputs *in)
{
    const poyi_body *b = &o->s.bodies[o->s.owner[copy]];
    const int pad = padding(o, b);
    for (int j = 0; j < o->layers; j++) {
        const size_t at = (size_t)copy * (size_t)o->layers + (size_t)j;
        const int layer = j < pad ? 0 : j - pad;
        poy_medium m;
        POYI_TRY(ctx, poyi_matter_at(ctx, &b->matter[layer], k0, &m));
        reals(&in->value[RADII])[at] = k0 * (j < pad ? b->radii[0] * (j + 1) / (pad + 1) : b->radii[layer]);
        complexes(&in->value[EPSILON])[at] = m.epsilon;
        complexes(&in->value[MU])[at] = m.mu;
        complexes(&in->value[KAPPA])[at] = m.kappa;
    }
    return POY_OK;
}

static poy_status fill(poy_ctx *ctx, const poy_objective *o, double k0, inputs *in)
{
    poy_medium medium;
    POYI_TRY(ctx, poyi_matter_at(ctx, &o->s.medium, k0, &medium));
    *reals(&in->value[K0]) = 1;
    for (int i = 0; i < o->s.n; i++)
        POYI_TRY(ctx, fill_sphere(ctx, o, k0, i, in));
    for (int i = 0; i < 3 * o->s.n; i++)
        reals(&in->value[POSITIONS])[i] = k0 * o->s.positions[i];
    const double parts[3] = {medium.epsilon.re, medium.mu.re, medium.kappa.re};
    memcpy(in->value[MEDIUM].data, parts, sizeof parts);
    memcpy(in->value[AMPLITUDE].data, o->s.lights->polarisation, sizeof o->s.lights->polarisation); /* pol 0, pol 1 */
    memcpy(in->value[DIRECTION].data, o->s.lights->direction, sizeof o->s.lights->direction);
    return POY_OK;
}

/* ---- a number of a key among the inputs: its tangent ---- */

/* What number i of v changes: calls put for each element of an input, with the tangent. Materials: epsilon = N^2/mu. */
typedef void put_fn(void *user, int input, size_t element, poy_c128 tangent);

static poy_c128 material_tangent(const poyi_variable *v, const poyi_body *b, int i)
{
    const poy_medium *m = &b->matter[i / 2].constant;
    double n[2];
    if (v->kind == POYI_PARAMETER_PERMITTIVITY)
        return i % 2 ? (poy_c128){0, 1} : (poy_c128){1, 0};
    poyi_index_of(m, n);
    const poy_c128 slope = {2 * n[0] / m->mu.re, 2 * n[1] / m->mu.re};
    return i % 2 ? (poy_c128){-slope.im, slope.re} : slope;
}

static void each_element(const poy_objective *o, double k0, const poyi_variable *v, int i, put_fn *put, void *user)
{
    const poyi_body *b = &o->s.bodies[v->body];
    const int pad = padding(o, b);
    for (int copy = 0, k = 0; copy < o->s.n; copy++) {
        const size_t row = (size_t)copy * (size_t)o->layers;
        if (o->s.owner[copy] != v->body)
            continue;
        if (v->kind == POYI_PARAMETER_POSITIONS) {
            if (k++ == i / 3)
                put(user, POSITIONS, 3 * (size_t)copy + (size_t)(i % 3), (poy_c128){k0, 0});
        } else if (v->kind == POYI_PARAMETER_RADII) {
            put(user, RADII, row + (size_t)(pad + (v->n == 1 ? b->layers - 1 : i)), (poy_c128){k0, 0});
        } else {
            for (int j = i / 2 ? pad + i / 2 : 0; j <= pad + i / 2; j++)
                put(user, EPSILON, row + (size_t)j, material_tangent(v, b, i));
        }
    }
}

typedef struct element_user {
    inputs *in;
    double scale, sum;
} element_user;

/* change = tangent: adds scale times it. */
static void add_tangent(void *user, int input, size_t at, poy_c128 t)
{
    element_user *u = user;
    if (input == EPSILON) {
        poy_c128 *to = &complexes(&u->in->change[input])[at];
        *to = (poy_c128){to->re + u->scale * t.re, to->im + u->scale * t.im};
    } else {
        reals(&u->in->change[input])[at] += u->scale * t.re;
    }
}

/* change = gradient: Re conj(g) t. */
static void add_product(void *user, int input, size_t at, poy_c128 t)
{
    element_user *u = user;
    if (input == EPSILON) {
        const poy_c128 g = complexes(&u->in->change[input])[at];
        u->sum += g.re * t.re + g.im * t.im;
    } else {
        u->sum += reals(&u->in->change[input])[at] * t.re;
    }
}

static void clear_change(inputs *in)
{
    for (int i = 0; i < INPUTS; i++)
        memset(in->change[i].data, 0, poy_rec_bytes(&in->change[i].spec));
}

/* ---- one wavelength ---- */

typedef struct point {
    poy_record *record;
    poy_saved *saved;
    inputs in;
    double k0, weight[2]; /* weight: of both outputs in the objective */
    double value;
} point;

static void point_close(point *p)
{
    poy_saved_destroy(&p->saved);
    poy_record_close(&p->record);
    poyi_free(&p->in.memory);
}

static poy_status point_open(poy_ctx *ctx, const poy_objective *o, int i, int derive, point *p)
{
    char options[32];
    double sums[2];
    const double area = 1 / (o->k0[i] * o->k0[i] * o->n_points);
    *p = (point){.k0 = o->k0[i], .weight = {o->weight[0] * area, o->weight[1] * area}};
    POYI_TRY(ctx, make_room(ctx, o, &p->in));
    POYI_TRY(ctx, fill(ctx, o, p->k0, &p->in));
    snprintf(options, sizeof options, "lmax=%d", o->lmax[i]);
    POYI_TRY(ctx, poy_record_open(ctx, "poy.spheres_cross_sections", options, &p->record));
    const poy_rec_array out[2] = {{.spec = spec_of(POY_F64, 0, 0, 0), .data = &sums[0]},
                                  {.spec = spec_of(POY_F64, 0, 0, 0), .data = &sums[1]}};
    POYI_TRY(ctx, poy_record_evaluate(ctx, p->record, NULL, p->in.value, out, derive ? &p->saved : NULL));
    p->value = p->weight[0] * sums[0] + p->weight[1] * sums[1];
    return POY_OK;
}

/* Adds the gradient at this wavelength. */
static poy_status pull(poy_ctx *ctx, const poy_objective *o, point *p, double *gradient)
{
    const poy_rec_array cot[2] = {{.spec = spec_of(POY_F64, 0, 0, 0), .data = &p->weight[0]},
                                  {.spec = spec_of(POY_F64, 0, 0, 0), .data = &p->weight[1]}};
    POYI_TRY(ctx, poy_record_pullback(ctx, p->saved, cot, p->in.change));
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            element_user u = {.in = &p->in};
            each_element(o, p->k0, &o->variables[k], i, add_product, &u);
            gradient[o->variables[k].first + i] += u.sum;
        }
    return POY_OK;
}

/* The change of the objective along the tangents that stand in change. */
static poy_status push(poy_ctx *ctx, const point *p, double *out)
{
    double sums[2];
    const poy_rec_array tan[2] = {{.spec = spec_of(POY_F64, 0, 0, 0), .data = &sums[0]},
                                  {.spec = spec_of(POY_F64, 0, 0, 0), .data = &sums[1]}};
    poy_rec_array change[INPUTS];
    memcpy(change, p->in.change, sizeof change);
    change[DIRECTION].data = NULL; /* a constant */
    POYI_TRY(ctx, poy_record_pushforward(ctx, p->saved, change, tan));
    *out = p->weight[0] * sums[0] + p->weight[1] * sums[1];
    return POY_OK;
}

static poy_status push_each(poy_ctx *ctx, const poy_objective *o, point *p, double *gradient)
{
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            double slope;
            element_user u = {.in = &p->in, .scale = 1};
            clear_change(&p->in);
            each_element(o, p->k0, &o->variables[k], i, add_tangent, &u);
            POYI_TRY(ctx, push(ctx, p, &slope));
            gradient[o->variables[k].first + i] += slope;
        }
    return POY_OK;
}

/* The change along one direction [n] of all numbers. */
static poy_status push_along(poy_ctx *ctx, const poy_objective *o, point *p, const double *direction, double *out)
{
    clear_change(&p->in);
    for (int k = 0; k < o->n_variables; k++)
        for (int i = 0; i < o->variables[k].n; i++) {
            element_user u = {.in = &p->in, .scale = direction[o->variables[k].first + i]};
            each_element(o, p->k0, &o->variables[k], i, add_tangent, &u);
        }
    return push(ctx, p, out);
}

static poy_status evaluate(poy_ctx *ctx, const poy_objective *o, poy_objective_mode mode, double *gradient,
                           double *value)
{
    *value = 0;
    if (mode != POY_OBJECTIVE_VALUE)
        memset(gradient, 0, (size_t)o->n * sizeof *gradient);
    for (int i = 0; i < o->n_points; i++) {
        point p;
        poy_status status = point_open(ctx, o, i, mode != POY_OBJECTIVE_VALUE, &p);
        if (status == POY_OK && mode == POY_OBJECTIVE_REVERSE)
            status = pull(ctx, o, &p, gradient);
        if (status == POY_OK && mode == POY_OBJECTIVE_FORWARD)
            status = push_each(ctx, o, &p, gradient);
        *value += p.value;
        point_close(&p);
        POYI_TRY(ctx, status);
    }
    return POY_OK;
}

poy_status poy_objective_evaluate(poy_ctx *ctx, poy_objective *o, poy_objective_mode mode, double *value)
{
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    const poy_status status = evaluate(ctx, o, mode, o->gradient, &o->value);
    poyi_surroundings_leave(ctx, &old);
    *value = o->value;
    return status;
}

/* ---- the check ---- */

static const double bound_adjoint = 1e-11, bound_difference = 1e-6;

static double norm(int n, const double *x)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

/* In numbers that a step makes alike: lengths and indices would not add. */
static poy_status check_adjoint(poy_ctx *ctx, const poy_objective *o, uint64_t seed, double *direction, double *out)
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
        point p;
        double slope = 0;
        poy_status status = point_open(ctx, o, i, 1, &p);
        if (status == POY_OK)
            status = push_along(ctx, o, &p, direction, &slope);
        along += slope;
        point_close(&p);
        POYI_TRY(ctx, status);
    }
    const double scale = sqrt(scaled[0] * scaled[1]);
    *out = scale > 0 ? fabs(product - along) / scale : fabs(product - along);
    return POY_OK;
}

/* What a run of the recipe computes. */
static poy_status of_a_run(poy_ctx *ctx, const poy_objective *o, double *out)
{
    *out = 0;
    for (int i = 0; i < o->n_points; i++) {
        poy_cross_sections c;
        POYI_TRY(ctx, poyi_scatter_sections(ctx, &o->s, o->k0[i], o->lmax[i], &c));
        *out += (o->weight[0] * c.scattering + o->weight[1] * c.extinction) / o->n_points;
    }
    return POY_OK;
}

/* (8 (f(h) - f(-h)) - (f(2h) - f(-2h))) / 12h: its error falls with h^4. */
static poy_status difference(poy_ctx *ctx, poy_objective *o, const poyi_variable *v, int i, double h, double *out)
{
    static const double place[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    const double tol = o->s.tol;
    poy_status status = POY_OK;
    *out = 0;
    o->s.tol = fmin(tol, 1e-11); /* iterations would leave their tolerance */
    for (int k = 0; k < 4 && status == POY_OK; k++) {
        double f = 0;
        poyi_variable_move(o, v, i, place[k] * h);
        status = of_a_run(ctx, o, &f);
        poyi_variable_move(o, v, i, -place[k] * h);
        *out += weight[k] * f / (12 * h);
    }
    o->s.tol = tol;
    return status;
}

/* Of one key, with steps of a share of those that suit a smooth function. */
static poy_status difference_error(poy_ctx *ctx, poy_objective *o, const poyi_variable *v, double share, double *error)
{
    double largest = 1e-9 * fabs(o->value) / poyi_variable_step(o, v, 0), worst = 0; /* of a key without effect */
    for (int i = 0; i < v->n; i++) {
        double d;
        const double g = o->gradient[v->first + i];
        POYI_TRY(ctx, difference(ctx, o, v, i, share * poyi_variable_step(o, v, i), &d));
        worst = fmax(worst, fabs(d - g));
        largest = fmax(largest, fmax(fabs(d), fabs(g)));
    }
    *error = worst / largest;
    return POY_OK;
}

/* Resonances of large spheres are narrower than a thousandth: where differences do not agree, finer ones may. */
static poy_status check_differences(poy_ctx *ctx, poy_objective *o, poy_gradient_check *out)
{
    enum { FINER = 5 };
    for (int k = 0; k < o->n_variables; k++) {
        const poyi_variable *v = &o->variables[k];
        double least = (double)INFINITY, share = 1;
        for (int j = 0; j < FINER && !(least <= bound_difference); j++, share /= 8) {
            double error;
            POYI_TRY(ctx, difference_error(ctx, o, v, share, &error));
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
    double *memory = NULL, value;
    *out = (poy_gradient_check){.worst = ""};
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "objective.check", 2 * (size_t)o->n * sizeof *memory, (void **)&memory));
    const poyi_surroundings old = poyi_surroundings_change(ctx, &o->asked);
    double *direction = memory, *forward = memory + o->n;
    poy_status status = poy_objective_evaluate(ctx, o, POY_OBJECTIVE_REVERSE, &value);
    if (status == POY_OK)
        status = evaluate(ctx, o, POY_OBJECTIVE_FORWARD, forward, &value);
    if (status == POY_OK)
        status = check_adjoint(ctx, o, seed, direction, &out->adjoint);
    for (int k = 0; k < o->n_variables && status == POY_OK; k++) {
        const poyi_variable *v = &o->variables[k];
        const double scale = norm(v->n, forward + v->first);
        for (int i = v->first; i < v->first + v->n; i++)
            forward[i] -= o->gradient[i];
        out->modes = fmax(out->modes, scale > 0 ? norm(v->n, forward + v->first) / scale : 0);
    }
    if (status == POY_OK)
        status = check_differences(ctx, o, out);
    out->passed = status == POY_OK && out->adjoint <= bound_adjoint && out->modes <= bound_adjoint &&
                  out->difference <= bound_difference;
    poyi_surroundings_leave(ctx, &old);
    poyi_free((void **)&memory);
    return status;
}

/* ---- in a file ---- */

static int write_parts(hid_t group, const poy_objective *o)
{
    const poyi_h5_about about = {"m2", o->quantity, ""};
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
