/* array_moves.c: a stack with arrays of spheres as a tape of S-matrices, and what each number of the keys moves in it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/constants.h"
#include "run/scatter/moves.h"
#include "run/scatter/stack.h"

enum { LATTICE = POYI_IN_SPHERES, KPAR, ORDERS, ARRAY_INPUTS };
enum { THICKNESS = 1, LAYER_EPSILON, LAYER_MU, LAYER_KAPPA, LAYER_Q, LAYER_MODES, LAYER_INPUTS }; /* behind k0 */
enum { MATRICES, INCIDENT, KS, ZS, Q, MODES, SHARES_INPUTS };
enum { ABOVE, BELOW };

static const struct poyi_stack *stack_of(const poyi_moment *p)
{
    return p->o->s.array;
}

/* ---- layers between parts first and last: what an array has above and below of its medium is a layer, too ---- */

static int before(const poyi_moment *p, int step)
{
    return stack_of(p)->parts[p->steps[step].first].is_array;
}

static int behind(const poyi_moment *p, int step)
{
    return stack_of(p)->parts[p->steps[step].last].is_array;
}

static int layers_of(const poyi_moment *p, int step)
{
    const poyi_step_of *s = &p->steps[step];
    return before(p, step) + s->last - s->first - 1 + behind(p, step);
}

/* The part that medium k is of; layer k - 1 lies in it. */
static int part_of(const poyi_moment *p, int step, int k)
{
    const poyi_step_of *s = &p->steps[step];
    const int media = layers_of(p, step) + 2;
    if (k <= before(p, step))
        return s->first;
    return k >= media - 1 - behind(p, step) ? s->last : s->first + k - before(p, step);
}

static double thickness_of(const poyi_moment *p, int step, int layer)
{
    const poyi_stack_part *part = &stack_of(p)->parts[part_of(p, step, layer + 1)];
    if (!part->is_array)
        return part->thickness;
    return layer == 0 && before(p, step) ? part->above : part->below;
}

/* ---- building ---- */

/* Components of the ports over k0, [orders][2]. */
static void fill_q(const poyi_moment *p, double *q)
{
    const struct poyi_stack *a = stack_of(p);
    for (size_t i = 0; i < (size_t)a->n_orders; i++)
        for (size_t c = 0; c < 2; c++) {
            double sum = 0;
            for (size_t row = 0; row < 2 && a->periodic; row++)
                sum += (double)a->orders[2 * i + row] * a->dual.a[row * 2 + c];
            q[2 * i + c] = p->kpar[c] + sum / p->k0;
        }
}

/* Rows (order, pol), pol 1 first. */
static void fill_modes(const poyi_moment *p, double *modes)
{
    for (size_t i = 0; i < 2 * (size_t)stack_of(p)->n_orders; i++) {
        modes[2 * i] = (double)(i / 2);
        modes[2 * i + 1] = i % 2 == 0;
    }
}

static poy_status add_layers(poy_ctx *ctx, poyi_moment *p, int first, int last, int *step)
{
    const struct poyi_stack *a = stack_of(p);
    p->steps[p->tape.n] = (poyi_step_of){POYI_STEP_LAYERS, first, last};
    const int at = p->tape.n, layers = layers_of(p, at);
    const poy_rec_spec media = poyi_spec(POY_C128, 1, layers + 2, 0);
    const poy_rec_spec specs[LAYER_INPUTS] = {[POYI_IN_K0] = poyi_spec(POY_F64, 0, 0, 0),
                                              [THICKNESS] = poyi_spec(POY_F64, 1, layers, 0),
                                              [LAYER_EPSILON] = media,
                                              [LAYER_MU] = media,
                                              [LAYER_KAPPA] = media,
                                              [LAYER_Q] = poyi_spec(POY_F64, 2, a->n_orders, 2),
                                              [LAYER_MODES] = poyi_spec(POY_F64, 2, 2 * (int64_t)a->n_orders, 2)};
    POYI_TRY(ctx, poyi_tape_add(ctx, &p->tape, "poy.smatrix_layers", "", LAYER_INPUTS, specs, NULL, step));
    *poyi_tape_reals(&p->tape, at, POYI_IN_K0) = 1;
    for (int k = 0; k < layers + 2; k++) {
        poy_medium m;
        POYI_TRY(ctx, poyi_matter_at(ctx, &a->parts[part_of(p, at, k)].matter, p->k0, &m));
        poyi_tape_complexes(&p->tape, at, LAYER_EPSILON)[k] = m.epsilon;
        poyi_tape_complexes(&p->tape, at, LAYER_MU)[k] = m.mu;
        poyi_tape_complexes(&p->tape, at, LAYER_KAPPA)[k] = m.kappa;
        if (k < layers)
            poyi_tape_reals(&p->tape, at, THICKNESS)[k] = p->k0 * thickness_of(p, at, k);
    }
    fill_q(p, poyi_tape_reals(&p->tape, at, LAYER_Q));
    fill_modes(p, poyi_tape_reals(&p->tape, at, LAYER_MODES));
    return POY_OK;
}

/* An array that is repeated is computed once. */
static int same_array(const poyi_moment *p, int part)
{
    for (int k = 0; k < p->tape.n; k++)
        if (p->steps[k].kind == POYI_STEP_ARRAY &&
            stack_of(p)->parts[p->steps[k].first].key == stack_of(p)->parts[part].key)
            return k;
    return -1;
}

static poy_status add_array(poy_ctx *ctx, poyi_moment *p, int part, int *step)
{
    const struct poyi_stack *a = stack_of(p);
    poy_rec_spec specs[ARRAY_INPUTS];
    char options[32];
    poy_medium m;
    *step = same_array(p, part);
    if (*step >= 0)
        return POY_OK;
    poyi_spheres_specs(p->o, specs);
    specs[POYI_IN_MEDIUM] = poyi_spec(POY_C128, 1, 3, 0);
    specs[LATTICE] = poyi_spec(POY_F64, 2, 2, 2);
    specs[KPAR] = poyi_spec(POY_F64, 1, 2, 0);
    specs[ORDERS] = poyi_spec(POY_F64, 2, a->n_orders, 2);
    snprintf(options, sizeof options, "lmax=%d", p->lmax);
    p->steps[p->tape.n] = (poyi_step_of){POYI_STEP_ARRAY, part, part};
    POYI_TRY(ctx, poyi_tape_add(ctx, &p->tape, "poy.sphere_array_smatrix", options, ARRAY_INPUTS, specs, NULL, step));
    POYI_TRY(ctx, poyi_spheres_fill(ctx, p, *step));
    POYI_TRY(ctx, poyi_matter_at(ctx, &a->parts[part].matter, p->k0, &m));
    const poy_c128 parts[3] = {m.epsilon, m.mu, m.kappa};
    memcpy(poyi_tape_complexes(&p->tape, *step, POYI_IN_MEDIUM), parts, sizeof parts);
    for (int i = 0; i < 4; i++)
        poyi_tape_reals(&p->tape, *step, LATTICE)[i] = p->k0 * a->lattice.a[i];
    memcpy(poyi_tape_reals(&p->tape, *step, KPAR), p->kpar, sizeof p->kpar);
    for (int i = 0; i < 2 * a->n_orders; i++)
        poyi_tape_reals(&p->tape, *step, ORDERS)[i] = (double)a->orders[i];
    return POY_OK;
}

/* sum: the step with what lies below, -1: nothing yet; then with part upon it. */
static poy_status put_on(poy_ctx *ctx, poyi_moment *p, int part, int *sum)
{
    const int from[2] = {*sum, part};
    if (*sum < 0) {
        *sum = part;
        return POY_OK;
    }
    p->steps[p->tape.n] = (poyi_step_of){POYI_STEP_CASCADE, 0, 0};
    return poyi_tape_add(ctx, &p->tape, "poy.smatrix_add", "", 2, NULL, from, sum);
}

static poy_status outer_medium(poy_ctx *ctx, const poyi_moment *p, int below, poy_medium *out)
{
    const struct poyi_stack *a = stack_of(p);
    return poyi_matter_at(ctx, &a->parts[below ? 0 : a->n_parts - 1].matter, p->k0, out);
}

static poy_status add_shares(poy_ctx *ctx, poyi_moment *p, int sum)
{
    static const char *const records[] = {"poy.smatrix_tr", "poy.smatrix_orders", "poy.smatrix_cd", "poy.smatrix_tr"};
    const struct poyi_stack *a = stack_of(p);
    const int64_t ports = 2 * (int64_t)a->n_orders;
    const int lights = p->o->share == POYI_SHARE_ABSORBED ? 2 : 1; /* the other: with pols exchanged */
    int step, from[SHARES_INPUTS] = {sum, -1, -1, -1, -1, -1};
    const poy_rec_spec specs[SHARES_INPUTS] = {[INCIDENT] = poyi_spec(POY_C128, 2, ports, lights),
                                               [KS] = poyi_spec(POY_C128, 2, 2, 2),
                                               [ZS] = poyi_spec(POY_C128, 1, 2, 0),
                                               [Q] = poyi_spec(POY_F64, 2, a->n_orders, 2),
                                               [MODES] = poyi_spec(POY_F64, 2, ports, 2)};
    p->steps[p->tape.n] = (poyi_step_of){POYI_STEP_SHARES, 0, a->n_parts - 1};
    POYI_TRY(ctx, poyi_tape_add(ctx, &p->tape, records[p->o->share], "", SHARES_INPUTS, specs, from, &step));
    poy_c128 *light = poyi_tape_complexes(&p->tape, step, INCIDENT);
    for (int pol = 0; pol < 2; pol++) {
        const double *c = p->o->s.lights->polarisation[pol];
        light[(1 - pol) * lights] = (poy_c128){c[0], c[1]};
        if (lights == 2)
            light[pol * lights + 1] = (poy_c128){c[0], c[1]};
    }
    for (int below = 0; below < 2; below++) {
        poy_medium m;
        POYI_TRY(ctx, outer_medium(ctx, p, below, &m));
        POYI_TRY(ctx, poy_medium_ks(ctx, &m, 1, poyi_tape_complexes(&p->tape, step, KS) + 2 * (ptrdiff_t)below));
        POYI_TRY(ctx, poy_medium_impedance(ctx, &m, poyi_tape_complexes(&p->tape, step, ZS) + below));
    }
    fill_q(p, poyi_tape_reals(&p->tape, step, Q));
    fill_modes(p, poyi_tape_reals(&p->tape, step, MODES));
    return POY_OK;
}

static void set_terms(poyi_moment *p)
{
    const poy_objective *o = p->o;
    const double mean = 1.0 / o->n_points;
    p->offset = o->offset * mean;
    if (o->share == POYI_SHARE_ABSORBED) { /* (A_p - A_q) / (A_p + A_q), A = 1 - T - R: terms T_p, T_q, R_p, R_q */
        p->whole = 2;
        for (; p->n_terms < 4; p->n_terms++)
            p->terms[p->n_terms] = (poyi_term){0, (size_t)p->n_terms, p->n_terms % 2 ? mean : -mean, -1};
        return;
    }
    for (int j = 0; j < 2; j++) {
        const size_t element =
            o->share == POYI_SHARE_ORDER ? (size_t)(j * stack_of(p)->n_orders + o->order) : (size_t)j;
        if (o->weight[j] != 0)
            p->terms[p->n_terms++] = (poyi_term){0, element, o->weight[j] * mean, 0};
    }
}

poy_status poyi_array_open(poy_ctx *ctx, poyi_moment *p)
{
    const struct poyi_stack *a = stack_of(p);
    int arrays = 0, sum = -1, step;
    double kpar[2];
    for (int i = 0; i < a->n_parts; i++)
        arrays += a->parts[i].is_array;
    const int room = 4 * arrays + 3;
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "objective.steps", (size_t)room * sizeof *p->steps, &p->memory));
    p->steps = p->memory;
    POYI_TRY(ctx, poyi_tape_open(ctx, room, &p->tape));
    POYI_TRY(ctx, poyi_stack_parallel(ctx, &p->o->s, p->o->s.lights, p->k0, kpar));
    for (int c = 0; c < 2; c++)
        p->kpar[c] = kpar[c] / p->k0;
    for (int first = 0, i = 1; i < a->n_parts; i++) {
        if (!a->parts[i].is_array && i + 1 < a->n_parts)
            continue;
        if (!a->lone) {
            POYI_TRY(ctx, add_layers(ctx, p, first, i, &step));
            POYI_TRY(ctx, put_on(ctx, p, step, &sum));
        }
        if (a->parts[i].is_array) {
            POYI_TRY(ctx, add_array(ctx, p, i, &step));
            POYI_TRY(ctx, put_on(ctx, p, step, &sum));
        }
        first = i;
    }
    POYI_TRY(ctx, add_shares(ctx, p, sum));
    set_terms(p);
    return POY_OK;
}

/* ---- what moves ---- */

typedef struct mover {
    const poyi_moment *p;
    poyi_put *put;
    void *user;
} mover;

/* All ports along with kpar. */
static void kpar_moves(const mover *m, const double d[2])
{
    for (int k = 0; k < m->p->tape.n; k++) {
        const poyi_step_kind kind = m->p->steps[k].kind;
        for (size_t c = 0; c < 2 && kind == POYI_STEP_ARRAY; c++)
            m->put(m->user, k, KPAR, c, (poy_c128){d[c], 0});
        if (kind != POYI_STEP_LAYERS && kind != POYI_STEP_SHARES)
            continue;
        for (size_t i = 0; i < 2 * (size_t)stack_of(m->p)->n_orders; i++)
            m->put(m->user, k, kind == POYI_STEP_LAYERS ? LAYER_Q : Q, i, (poy_c128){d[i % 2], 0});
    }
}

/* Does the wavevector of the light along the planes follow from its direction and the first medium? */
static int kpar_follows(const poyi_moment *p)
{
    return !stack_of(p)->has_bloch && (p->kpar[0] != 0 || p->kpar[1] != 0);
}

/* d epsilon of an outer medium: k = n +- kappa, n = sqrt(epsilon mu), Z = sqrt(mu / epsilon). */
static poy_status outer_moves(poy_ctx *ctx, const mover *m, int below, poy_c128 by)
{
    const poyi_moment *p = m->p;
    const int step = p->tape.n - 1;
    poy_medium medium;
    poy_c128 n, z;
    POYI_TRY(ctx, outer_medium(ctx, p, below, &medium));
    POYI_TRY(ctx, poy_medium_index(ctx, &medium, &n));
    POYI_TRY(ctx, poy_medium_impedance(ctx, &medium, &z));
    const double size = n.re * n.re + n.im * n.im, mu = medium.mu.re;
    const poy_c128 dn = {mu * (by.re * n.re + by.im * n.im) / (2 * size),
                         mu * (by.im * n.re - by.re * n.im) / (2 * size)};
    const double e = medium.epsilon.re, f = medium.epsilon.im, square = e * e + f * f;
    const poy_c128 share = {(by.re * e + by.im * f) / square,
                            (by.im * e - by.re * f) / square}; /* d epsilon / epsilon */
    for (size_t pol = 0; pol < 2; pol++)
        m->put(m->user, step, KS, 2 * (size_t)below + pol, dn);
    m->put(m->user, step, ZS, (size_t)below,
           (poy_c128){-(z.re * share.re - z.im * share.im) / 2, -(z.re * share.im + z.im * share.re) / 2});
    if (below && kpar_follows(p)) {
        const double d[2] = {p->kpar[0] * dn.re / n.re, p->kpar[1] * dn.re / n.re};
        kpar_moves(m, d);
    }
    return POY_OK;
}

/* d epsilon of one part, wherever it is a medium. */
static poy_status part_moves(poy_ctx *ctx, const mover *m, int part, poy_c128 by)
{
    const poyi_moment *p = m->p;
    for (int k = 0; k < p->tape.n; k++) {
        if (p->steps[k].kind == POYI_STEP_ARRAY && p->steps[k].first == part)
            m->put(m->user, k, POYI_IN_MEDIUM, 0, by);
        for (int i = 0; p->steps[k].kind == POYI_STEP_LAYERS && i < layers_of(p, k) + 2; i++)
            if (part_of(p, k, i) == part)
                m->put(m->user, k, LAYER_EPSILON, (size_t)i, by);
    }
    if (part == 0)
        POYI_TRY(ctx, outer_moves(ctx, m, 1, by));
    if (part == stack_of(p)->n_parts - 1)
        POYI_TRY(ctx, outer_moves(ctx, m, 0, by));
    return POY_OK;
}

static poy_status wavelength_moves(poy_ctx *ctx, const mover *m)
{
    const poyi_moment *p = m->p;
    const struct poyi_stack *a = stack_of(p);
    const double by = -p->k0 / (2 * POYI_PI); /* d k0 / k0 */
    const double d[2] = {by * p->kpar[0], by * p->kpar[1]};
    const int last = p->tape.n - 1;
    for (int k = 0; k < last; k++)
        if (p->steps[k].kind == POYI_STEP_LAYERS)
            m->put(m->user, k, POYI_IN_K0, 0, (poy_c128){by, 0});
    for (size_t i = 0; i < 4; i++) {
        const poy_c128 k = poyi_tape_complexes(&p->tape, last, KS)[i];
        m->put(m->user, last, KS, i, (poy_c128){by * k.re, by * k.im});
    }
    if (kpar_follows(p))
        kpar_moves(m, d);
    for (int part = 0; part < a->n_parts; part++) {
        poy_c128 slope;
        if (!a->parts[part].matter.material)
            continue;
        POYI_TRY(ctx, poyi_matter_slope(ctx, &a->parts[part].matter, p->k0, &slope));
        POYI_TRY(ctx, part_moves(ctx, m, part, (poy_c128){by * p->k0 * slope.re, by * p->k0 * slope.im}));
    }
    return POY_OK;
}

/* dG = -b_row (da_row . G) / 2 pi */
static void lattice_moves(const mover *m, int element)
{
    const poyi_moment *p = m->p;
    const struct poyi_stack *a = stack_of(p);
    const size_t row = (size_t)element / 2, c = (size_t)element % 2;
    for (int k = 0; k < p->tape.n; k++) {
        const poyi_step_kind kind = p->steps[k].kind;
        if (kind == POYI_STEP_ARRAY)
            m->put(m->user, k, LATTICE, (size_t)element, (poy_c128){p->k0, 0});
        if (kind != POYI_STEP_LAYERS && kind != POYI_STEP_SHARES)
            continue;
        for (size_t i = 0; i < (size_t)a->n_orders; i++) {
            const double G = (double)a->orders[2 * i] * a->dual.a[c] + (double)a->orders[2 * i + 1] * a->dual.a[2 + c];
            for (size_t j = 0; j < 2 && G != 0; j++)
                m->put(m->user, k, kind == POYI_STEP_LAYERS ? LAYER_Q : Q, 2 * i + j,
                       (poy_c128){-a->dual.a[2 * row + j] * G / (2 * POYI_PI * p->k0), 0});
        }
    }
}

static void thickness_moves(const mover *m, const poyi_variable *v, int part)
{
    const poyi_moment *p = m->p;
    const poy_c128 by = {p->k0, 0};
    for (int k = 0; k < p->tape.n; k++) {
        if (p->steps[k].kind != POYI_STEP_LAYERS)
            continue;
        const int layers = layers_of(p, k);
        for (int layer = 0; layer < layers; layer++) {
            if (part_of(p, k, layer + 1) != part)
                continue;
            const int side = layer == 0 && before(p, k) ? POYI_PARAMETER_ABOVE : POYI_PARAMETER_BELOW;
            if (v->kind == POYI_PARAMETER_THICKNESS || (int)v->kind == side)
                m->put(m->user, k, THICKNESS, (size_t)layer, by);
        }
    }
}

poy_status poyi_array_moves(poy_ctx *ctx, const poyi_moment *p, const poyi_variable *v, int i, poyi_put *put,
                            void *user)
{
    const struct poyi_stack *a = stack_of(p);
    const mover m = {p, put, user};
    for (int k = 0; k < p->tape.n; k++)
        if (p->steps[k].kind == POYI_STEP_ARRAY)
            POYI_TRY(ctx, poyi_spheres_moves(ctx, p, k, v, i, put, user));
    if (v->kind == POYI_PARAMETER_WAVELENGTH)
        return wavelength_moves(ctx, &m);
    if (v->kind == POYI_PARAMETER_LATTICE)
        lattice_moves(&m, i);
    for (int part = 0; v->part_of >= 0 && part < a->n_parts; part++) {
        if (a->parts[part].key != a->parts[v->part_of].key)
            continue;
        if (v->kind == POYI_PARAMETER_INDEX || v->kind == POYI_PARAMETER_PERMITTIVITY)
            POYI_TRY(ctx, part_moves(ctx, &m, part, poyi_material_tangent(v, &a->parts[part].matter.constant, i)));
        else
            thickness_moves(&m, v, part);
    }
    return POY_OK;
}
