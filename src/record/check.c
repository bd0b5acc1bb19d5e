/* check.c: the self-check of a record: adjoint identity, central differences, single arrays, saved state, batches. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/builtin.h"

/* ---- sets of arrays: all inputs or all outputs, of one or several items ---- */

typedef struct set {
    int n;
    int64_t items;
    poy_rec_array a[POY_REC_ARRAYS_MAX];
    void *memory;
} set;

static poy_status create(poy_ctx *ctx, int n, const poy_rec_spec *spec, int64_t items, set *s)
{
    size_t at[POY_REC_ARRAYS_MAX], bytes = 0;
    *s = (set){.n = n, .items = items};
    for (int i = 0; i < n; i++) {
        at[i] = bytes;
        bytes += ((size_t)items * poy_rec_bytes(&spec[i]) + 63) / 64 * 64;
    }
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "record.check", bytes, &s->memory));
    for (int i = 0; i < n; i++) {
        s->a[i] = (poy_rec_array){.spec = spec[i], .data = (unsigned char *)s->memory + at[i]};
        s->a[i].batch_stride[0] = items > 1 ? (int64_t)poy_rec_bytes(&spec[i]) : 0;
    }
    return POY_OK;
}

/* Item k of a set, as a set that owns nothing. */
static set item_of(const set *s, int64_t k)
{
    set one = *s;
    one.items = 1;
    one.memory = NULL;
    for (int i = 0; i < s->n; i++) {
        one.a[i].data = (unsigned char *)s->a[i].data + (size_t)k * poy_rec_bytes(&s->a[i].spec);
        one.a[i].batch_stride[0] = 0;
    }
    return one;
}

static int64_t reals(const poy_rec_array *a)
{
    return poy_rec_count(&a->spec) * (a->spec.dtype == POY_C128 ? 2 : 1);
}

/* Re sum conj(a) b of one array; its square root of itself; its largest element. */
static double dot(const poy_rec_array *a, const poy_rec_array *b)
{
    const double *x = a->data, *y = b->data;
    const int64_t n = reals(a);
    double sum = 0.0, lost = 0.0; /* compensated (Neumaier): a check should not be judged by its own rounding */
    for (int64_t i = 0; i < n; i++) {
        const double term = x[i] * y[i], next = sum + term;
        lost += fabs(sum) >= fabs(term) ? sum - next + term : term - next + sum;
        sum = next;
    }
    return sum + lost;
}

static double length(const poy_rec_array *a)
{
    return sqrt(dot(a, a));
}

static double largest(const poy_rec_array *a)
{
    const int64_t n = poy_rec_count(&a->spec);
    double most = 0.0;
    for (int64_t i = 0; i < n; i++)
        most = fmax(most, cabs(poyi_rec_get(a, i)));
    return most > 0.0 ? most : 1.0;
}

/* to = x + h y. */
static void combine(const set *x, double h, const set *y, const set *to)
{
    for (int i = 0; i < x->n; i++) {
        const double *p = x->a[i].data, *q = y->a[i].data;
        double *r = to->a[i].data;
        const int64_t n = reals(&x->a[i]);
        for (int64_t k = 0; k < n; k++)
            r[k] = p[k] + h * q[k];
    }
}

/* Distance of two sets over the length of the second, each array in units of its scale. */
static double distance(const set *x, const set *y, const double *scale)
{
    double off = 0.0, all = 0.0;
    for (int i = 0; i < x->n; i++) {
        const double *p = x->a[i].data, *q = y->a[i].data;
        const int64_t n = reals(&x->a[i]);
        for (int64_t k = 0; k < n; k++) {
            const double d = (p[k] - q[k]) / scale[i], v = q[k] / scale[i];
            off += d * d;
            all += v * v;
        }
    }
    return off == 0.0 ? 0.0 : sqrt(off / all);
}

static double scaled_length(const set *x, const double *scale)
{
    double sum = 0.0;
    for (int i = 0; i < x->n; i++)
        sum += dot(&x->a[i], &x->a[i]) / scale[i] / scale[i];
    return sqrt(sum);
}

/* ---- the check ---- */

enum { ITEMS = 3, SETS = 16 };

typedef struct checker {
    const poy_record *r;
    poyi_shapes shapes;
    set x, dx, gx, part_gx, sum_gx;    /* inputs: point, direction, gradient, ... */
    set y, dy, g, diff, other, sum_dy; /* outputs: value, tangent, cotangent, ... */
    set batch_x, batch_gx, batch_y, batch_g, batch_dy;
    double scale[POY_REC_ARRAYS_MAX]; /* of the outputs */
    double grad_scale[POY_REC_ARRAYS_MAX];
    poy_saved *saved;
    int reverse_only;
} checker;

static poy_status create_sets(poy_ctx *ctx, checker *c)
{
    const poyi_shapes *s = &c->shapes;
    set *inputs[] = {&c->x, &c->dx, &c->gx, &c->part_gx, &c->sum_gx};
    set *outputs[] = {&c->y, &c->dy, &c->g, &c->diff, &c->other, &c->sum_dy};
    for (size_t k = 0; k < sizeof inputs / sizeof inputs[0]; k++)
        POYI_TRY(ctx, create(ctx, s->n_in, s->given, 1, inputs[k]));
    for (size_t k = 0; k < sizeof outputs / sizeof outputs[0]; k++)
        POYI_TRY(ctx, create(ctx, s->n_out, s->out, 1, outputs[k]));
    POYI_TRY(ctx, create(ctx, s->n_in, s->given, ITEMS, &c->batch_x));
    POYI_TRY(ctx, create(ctx, s->n_in, s->given, ITEMS, &c->batch_gx));
    POYI_TRY(ctx, create(ctx, s->n_out, s->out, ITEMS, &c->batch_y));
    POYI_TRY(ctx, create(ctx, s->n_out, s->out, ITEMS, &c->batch_g));
    POYI_TRY(ctx, create(ctx, s->n_out, s->out, ITEMS, &c->batch_dy));
    return POY_OK;
}

static void destroy_sets(checker *c)
{
    set *all[SETS] = {&c->x,        &c->dx,      &c->gx,      &c->part_gx, &c->sum_gx, &c->y,
                      &c->dy,       &c->g,       &c->diff,    &c->other,   &c->sum_dy, &c->batch_x,
                      &c->batch_gx, &c->batch_y, &c->batch_g, &c->batch_dy};
    for (int k = 0; k < SETS; k++)
        poyi_free(&all[k]->memory);
    poy_saved_destroy(&c->saved);
}

/* Uniform directions, each array as large as what it changes; what is constant is not changed. */
static void draw(const checker *c, uint64_t seed, uint64_t stream, const set *s, const double *scale, int of_inputs)
{
    const poyi_slot *slot = c->r->known->signature.in;
    double u[2];
    for (int i = 0; i < s->n; i++) {
        const int64_t n = reals(&s->a[i]);
        double *x = s->a[i].data;
        for (int64_t k = 0; k < n; k++) {
            poy_random_uniform2(seed, stream + (uint64_t)i, (uint64_t)k, u);
            x[k] = of_inputs && slot[i].constant ? 0.0 : (2.0 * u[0] - 1.0) * scale[i];
        }
    }
}

static poy_status start(poy_ctx *ctx, checker *c, const poy_rec_array *in, uint64_t seed)
{
    double inverse[POY_REC_ARRAYS_MAX] = {0}, scale[POY_REC_ARRAYS_MAX] = {0};
    for (int i = 0; i < c->x.n; i++) {
        memcpy(c->x.a[i].data, in[i].data, poy_rec_bytes(&in[i].spec));
        scale[i] = largest(&c->x.a[i]);
    }
    POYI_TRY(ctx, poy_record_evaluate(ctx, c->r, NULL, c->x.a, c->y.a, &c->saved));
    for (int j = 0; j < c->y.n; j++) {
        c->scale[j] = largest(&c->y.a[j]);
        inverse[j] = 1.0 / c->scale[j];
    }
    draw(c, seed, 500, &c->dx, scale, 1); /* not the numbers of the sample: a step along x itself sees little */
    draw(c, seed, 1000, &c->g, inverse, 0);
    if (!c->reverse_only)
        POYI_TRY(ctx, poy_record_pushforward(ctx, c->saved, c->dx.a, c->dy.a));
    POYI_TRY(ctx, poy_record_pullback(ctx, c->saved, c->g.a, c->gx.a));
    for (int i = 0; i < c->gx.n; i++)
        c->grad_scale[i] = largest(&c->gx.a[i]);
    return POY_OK;
}

static void check_adjoint(const checker *c, poy_rec_check *out)
{
    double left = 0.0, right = 0.0, size = 0.0;
    for (int j = 0; j < c->y.n; j++) {
        left += dot(&c->g.a[j], &c->dy.a[j]);
        size += length(&c->g.a[j]) * length(&c->dy.a[j]);
    }
    for (int i = 0; i < c->x.n; i++) {
        right += dot(&c->gx.a[i], &c->dx.a[i]);
        size += length(&c->gx.a[i]) * length(&c->dx.a[i]);
    }
    out->adjoint = left == right ? 0.0 : fabs(left - right) / size;
}

/* (f(x + h dx) - f(x - h dx)) / 2h into diff. */
static poy_status difference(poy_ctx *ctx, checker *c, double h)
{
    combine(&c->x, h, &c->dx, &c->part_gx);
    POYI_TRY(ctx, poy_record_evaluate(ctx, c->r, NULL, c->part_gx.a, c->diff.a, NULL));
    combine(&c->x, -h, &c->dx, &c->part_gx);
    POYI_TRY(ctx, poy_record_evaluate(ctx, c->r, NULL, c->part_gx.a, c->other.a, NULL));
    combine(&c->diff, -1.0, &c->other, &c->diff);
    for (int j = 0; j < c->diff.n; j++) {
        double *d = c->diff.a[j].data;
        const int64_t n = reals(&c->diff.a[j]);
        for (int64_t k = 0; k < n; k++)
            d[k] /= 2.0 * h;
    }
    return POY_OK;
}

static poy_status check_differences(poy_ctx *ctx, checker *c, double step, poy_rec_check *out)
{
    for (int k = 0; k < 3; k++, step /= 2.0) {
        double both = 0.0, size = 0.0;
        POYI_TRY(ctx, difference(ctx, c, step));
        out->forward[k] = c->reverse_only ? 0.0 : distance(&c->diff, &c->dy, c->scale);
        for (int j = 0; j < c->y.n; j++) {
            both += dot(&c->g.a[j], &c->diff.a[j]);
            size += length(&c->g.a[j]) * length(&c->diff.a[j]);
        }
        for (int i = 0; i < c->x.n; i++)
            both -= dot(&c->gx.a[i], &c->dx.a[i]);
        out->reverse[k] = both == 0.0 ? 0.0 : fabs(both) / size;
        const double change = scaled_length(&c->diff, c->scale), value = scaled_length(&c->y, c->scale);
        out->rounding = change > 0.0 ? 64.0 * DBL_EPSILON * (1.0 + value / change) / step : 0.0;
    }
    return POY_OK;
}

/* J dx = sum over i of J_i dx_i; each gradient alone; J^H g = sum over j of J_j^H g_j. */
static poy_status check_parts(poy_ctx *ctx, checker *c, poy_rec_check *out)
{
    poy_rec_array one[POY_REC_ARRAYS_MAX];
    for (int i = 0; i < c->x.n; i++) {
        if (!c->reverse_only) {
            for (int k = 0; k < c->x.n; k++)
                one[k] = k == i ? c->dx.a[k] : (poy_rec_array){.data = NULL};
            POYI_TRY(ctx, poy_record_pushforward(ctx, c->saved, one, c->other.a));
            combine(&c->sum_dy, 1.0, &c->other, &c->sum_dy);
        }
        for (int k = 0; k < c->x.n; k++)
            one[k] = k == i ? c->part_gx.a[k] : (poy_rec_array){.data = NULL};
        POYI_TRY(ctx, poy_record_pullback(ctx, c->saved, c->g.a, one));
    }
    out->parts = distance(&c->part_gx, &c->gx, c->grad_scale);
    if (!c->reverse_only)
        out->parts = fmax(out->parts, distance(&c->sum_dy, &c->dy, c->scale));
    for (int j = 0; j < c->y.n; j++) {
        for (int k = 0; k < c->y.n; k++)
            one[k] = k == j ? c->g.a[k] : (poy_rec_array){.data = NULL};
        POYI_TRY(ctx, poy_record_pullback(ctx, c->saved, one, c->part_gx.a));
        combine(&c->sum_gx, 1.0, &c->part_gx, &c->sum_gx);
    }
    out->parts = fmax(out->parts, distance(&c->sum_gx, &c->gx, c->grad_scale));
    return POY_OK;
}

/* Both derivatives from the state's bytes alone. */
static poy_status check_restored(poy_ctx *ctx, checker *c, poy_rec_check *out)
{
    const uint32_t flags = c->r->known->op.flags;
    const size_t size = poy_saved_bytes(c->saved);
    set in = c->x, given = c->y;
    poy_rec_state state = {.size = size};
    poy_saved *restored = NULL;
    poy_status status;

    for (int i = 0; i < in.n; i++)
        in.a[i].data = flags & POY_REC_NEEDS_INPUTS ? in.a[i].data : NULL;
    for (int j = 0; j < given.n; j++)
        given.a[j].data = flags & POY_REC_NEEDS_OUTPUTS ? given.a[j].data : NULL;
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "record.check", size, &state.data));
    POYI_TO_DONE(ctx, poy_saved_write(ctx, c->saved, state.data, size));
    POYI_TO_DONE(ctx, poy_record_restore(ctx, c->r, NULL, in.a, given.a, &state, 0, &restored));
    POYI_TO_DONE(ctx, poy_record_pullback(ctx, restored, c->g.a, c->part_gx.a));
    out->restored = distance(&c->part_gx, &c->gx, c->grad_scale);
    if (!c->reverse_only) {
        POYI_TO_DONE(ctx, poy_record_pushforward(ctx, restored, c->dx.a, c->other.a));
        out->restored = fmax(out->restored, distance(&c->other, &c->dy, c->scale));
    }
done:
    poy_saved_destroy(&restored);
    poyi_free(&state.data);
    return status;
}

static void worse(double *most, double value)
{
    *most = value <= *most ? *most : value; /* a NaN stays */
}

/* One item of the batch by itself, against its part of the batch. */
static poy_status compare_item(poy_ctx *ctx, checker *c, int64_t k, poy_rec_check *out)
{
    const set x = item_of(&c->batch_x, k), y = item_of(&c->batch_y, k), g = item_of(&c->batch_g, k);
    const set gx = item_of(&c->batch_gx, k), dy = item_of(&c->batch_dy, k);
    poy_saved *saved = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poy_record_evaluate(ctx, c->r, NULL, x.a, c->other.a, &saved));
    worse(&out->batch, distance(&y, &c->other, c->scale));
    POYI_TO_DONE(ctx, poy_record_pullback(ctx, saved, g.a, c->part_gx.a));
    worse(&out->batch, distance(&gx, &c->part_gx, c->grad_scale));
    if (!c->reverse_only) {
        POYI_TO_DONE(ctx, poy_record_pushforward(ctx, saved, c->dx.a, c->other.a));
        worse(&out->batch, distance(&dy, &c->other, c->scale));
    }
done:
    poy_saved_destroy(&saved);
    return status;
}

/* Items at x + k step dx, each with its own cotangents; the tangent is shared. */
static poy_status check_batch(poy_ctx *ctx, checker *c, uint64_t seed, double step, poy_rec_check *out)
{
    const poy_rec_batch batch = {.rank = 1, .extent = {ITEMS}};
    double inverse[POY_REC_ARRAYS_MAX];
    poy_saved *saved = NULL;
    poy_status status;

    for (int j = 0; j < c->y.n; j++)
        inverse[j] = 1.0 / c->scale[j];
    for (int64_t k = 0; k < ITEMS; k++) {
        const set x = item_of(&c->batch_x, k), g = item_of(&c->batch_g, k);
        combine(&c->x, (double)k * step, &c->dx, &x);
        draw(c, seed, 2000 + 100 * (uint64_t)k, &g, inverse, 0);
    }
    POYI_TO_DONE(ctx, poy_record_evaluate(ctx, c->r, &batch, c->batch_x.a, c->batch_y.a, &saved));
    POYI_TO_DONE(ctx, poy_record_pullback(ctx, saved, c->batch_g.a, c->batch_gx.a));
    if (!c->reverse_only)
        POYI_TO_DONE(ctx, poy_record_pushforward(ctx, saved, c->dx.a, c->batch_dy.a));
    for (int64_t k = 0; k < ITEMS; k++)
        POYI_TO_DONE(ctx, compare_item(ctx, c, k, out));
done:
    poy_saved_destroy(&saved);
    return status;
}

/* All items at x: gradients of shared inputs are sums. */
static poy_status check_shared(poy_ctx *ctx, checker *c, poy_rec_check *out)
{
    const poy_rec_batch batch = {.rank = 1, .extent = {ITEMS}};
    poy_saved *saved = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, poy_record_evaluate(ctx, c->r, &batch, c->x.a, c->batch_y.a, &saved));
    combine(&c->gx, -1.0, &c->gx, &c->sum_gx);
    for (int64_t k = 0; k < ITEMS; k++) {
        const set g = item_of(&c->batch_g, k);
        POYI_TO_DONE(ctx, poy_record_pullback(ctx, c->saved, g.a, c->part_gx.a));
        combine(&c->sum_gx, 1.0, &c->part_gx, &c->sum_gx);
    }
    POYI_TO_DONE(ctx, poy_record_pullback(ctx, saved, c->batch_g.a, c->part_gx.a));
    worse(&out->batch, distance(&c->part_gx, &c->sum_gx, c->grad_scale));
done:
    poy_saved_destroy(&saved);
    return status;
}

/* ---- the verdict ---- */

/* Each halving of the step takes an error that is not rounding to between 1/8 and 3/8 of it. */
static int falls(const double *e, double rounding)
{
    return fabs(e[1] - e[0] / 4.0) <= e[0] / 8.0 + rounding && fabs(e[2] - e[1] / 4.0) <= e[1] / 8.0 + rounding;
}

static const char *judge(const poy_rec_check *c)
{
    return !(c->adjoint <= 1e-12)            ? "adjoint"
           : !falls(c->forward, c->rounding) ? "forward"
           : !falls(c->reverse, c->rounding) ? "reverse"
           : !(c->parts <= 1e-12)            ? "parts"
           : !(c->restored <= 1e-11)         ? "restored"
           : !(c->batch <= 1e-12)            ? "batch"
                                             : NULL;
}

static poy_status run(poy_ctx *ctx, checker *c, const poy_rec_array *in, uint64_t seed, double step, poy_rec_check *out)
{
    POYI_TRY(ctx, create_sets(ctx, c));
    POYI_TRY(ctx, start(ctx, c, in, seed));
    if (!c->reverse_only)
        check_adjoint(c, out);
    POYI_TRY(ctx, check_differences(ctx, c, step, out));
    POYI_TRY(ctx, check_parts(ctx, c, out));
    POYI_TRY(ctx, check_restored(ctx, c, out));
    POYI_TRY(ctx, check_batch(ctx, c, seed, step, out));
    POYI_TRY(ctx, check_shared(ctx, c, out));
    out->fault = judge(out);
    return POY_OK;
}

poy_status poy_record_check(poy_ctx *ctx, const poy_record *r, const poy_rec_array *in, uint64_t seed, double step,
                            poy_rec_check *out)
{
    poy_rec_spec specs[POY_REC_ARRAYS_MAX];
    const int n_in = r->known->signature.n_in;

    *out = (poy_rec_check){.reverse_only = !r->known->op.pushforward};
    for (int i = 0; i < n_in; i++) {
        specs[i] = in[i].spec;
        if (!in[i].data && poy_rec_count(&in[i].spec))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the data of input %d is missing (NULL)", r->identity, i);
    }
    if (!(step >= 0.0 && step < 1.0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a step of %g, needs 0 (2^-10) to 1", r->identity, step);
    checker *c = calloc(1, sizeof *c);
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the check of %s", r->identity);
    c->r = r;
    c->reverse_only = out->reverse_only;
    poy_status status = poyi_record_shapes(ctx, r, specs, &c->shapes);
    if (status == POY_OK)
        status = run(ctx, c, in, seed, step > 0.0 ? step : 0x1p-10, out);
    destroy_sets(c);
    free(c);
    return status;
}

/* ---- examples ---- */

poy_status poy_record_example(poy_ctx *ctx, const char *name, int k, const char **options, poy_rec_spec *in)
{
    const poyi_known *known = NULL;
    POYI_TRY(ctx, poyi_record_find(ctx, name, &known));
    if (k < 0 || k >= known->op.n_examples)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "%s has no example %d: there are %d", name, k, known->op.n_examples);
    const poy_rec_example *e = &known->op.examples[k];
    *options = e->options ? e->options : "";
    POYI_TRY(ctx, poyi_specs_read(ctx, name, e->in ? e->in : "", known->signature.n_in, in));
    return POY_OK;
}

poy_status poy_record_sample(poy_ctx *ctx, const poy_record *r, uint64_t seed, const poy_rec_array *in)
{
    const poy_rec_op *op = &r->known->op;
    if (!op->sample) {
        poyi_rec_sample(seed, r->known->signature.n_in, in);
        return POY_OK;
    }
    poy_ctx_clear(ctx);
    POYI_TRY(ctx, op->sample(ctx, r->config, seed, in));
    return POY_OK;
}

poy_status poy_record_check_example(poy_ctx *ctx, const char *name, int k, uint64_t seed, poy_rec_check *out)
{
    poy_rec_spec specs[POY_REC_ARRAYS_MAX];
    const char *options = NULL;
    poy_record *r = NULL;
    set x = {0};
    poy_status status;

    POYI_TRY(ctx, poy_record_example(ctx, name, k, &options, specs));
    POYI_TO_DONE(ctx, poy_record_open(ctx, name, options, &r));
    POYI_TO_DONE(ctx, create(ctx, r->known->signature.n_in, specs, 1, &x));
    POYI_TO_DONE(ctx, poy_record_sample(ctx, r, seed, x.a));
    POYI_TO_DONE(ctx, poy_record_check(ctx, r, x.a, seed, 0.0, out));
done:
    poyi_free(&x.memory);
    poy_record_close(&r);
    return status;
}
