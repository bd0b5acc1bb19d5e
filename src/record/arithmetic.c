/* arithmetic.c: records add, sub, mul, div of two arrays whose shapes broadcast as NumPy's do: aligned at the last
 * axis, an extent of 1 repeats. A gradient is summed over the axes along which its input is repeated.
 *
 * dz = a dx + b dy, gx = conj(a) gz, gy = conj(b) gz, with (a, b) = (1, 1), (1, -1), (y, x), (1/y, -x/y^2). div has no
 * derivative where y is 0: POY_ERR_NOT_DIFFERENTIABLE, except where the cotangent or the tangents there are 0. */
#include <string.h>

#include "record/builtin.h"

typedef poyi_z z;
typedef enum operation { ADD, SUB, MUL, DIV } operation;

static poy_status infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    (void)config;
    out->rank = in[0].rank > in[1].rank ? in[0].rank : in[1].rank;
    for (int k = 0; k < out->rank; k++) {
        const int kx = k - (out->rank - in[0].rank), ky = k - (out->rank - in[1].rank);
        const int64_t x = kx < 0 ? 1 : in[0].dims[kx], y = ky < 0 ? 1 : in[1].dims[ky];
        if (x != y && x != 1 && y != 1) {
            char tx[POYI_SPEC_TEXT], ty[POYI_SPEC_TEXT];
            poyi_spec_text(&in[0], sizeof tx, tx);
            poyi_spec_text(&in[1], sizeof ty, ty);
            return POYI_FAIL(ctx, POY_ERR_BROADCAST, "x %s and y %s do not broadcast: %lld and %lld on axis %d", tx, ty,
                             (long long)x, (long long)y, k);
        }
        out->dims[k] = x == 1 ? y : x;
    }
    poy_rec_spec full = *out; /* a gradient before it is summed; the sum over no elements is one */
    for (int k = 0; k < out->rank; k++)
        full.dims[k] = out->dims[k] ? out->dims[k] : 1;
    size->scratch = poy_rec_bytes(&full);
    return POY_OK;
}

/* Walks the elements of z with the indices of x and y beside. */
typedef struct walk {
    int rank;
    int64_t count, at[POY_RANK_MAX], extent[POY_RANK_MAX], step[2][POY_RANK_MAX], index[2];
} walk;

static void start(walk *w, const poy_rec_spec *in, const poy_rec_spec *out)
{
    *w = (walk){.rank = out->rank, .count = poy_rec_count(out)};
    memcpy(w->extent, out->dims, sizeof w->extent);
    for (int i = 0; i < 2; i++) {
        int64_t step = 1;
        for (int k = in[i].rank; k-- > 0;) {
            w->step[i][k + out->rank - in[i].rank] = in[i].dims[k] == 1 ? 0 : step;
            step *= in[i].dims[k];
        }
    }
}

static void next(walk *w)
{
    for (int k = w->rank; k-- > 0;) {
        w->at[k]++;
        w->index[0] += w->step[0][k];
        w->index[1] += w->step[1][k];
        if (w->at[k] < w->extent[k])
            return;
        w->at[k] = 0;
        w->index[0] -= w->step[0][k] * w->extent[k];
        w->index[1] -= w->step[1][k] * w->extent[k];
    }
}

static z apply(operation op, z x, z y)
{
    switch (op) {
    case ADD: return x + y;
    case SUB: return x - y;
    case MUL: return x * y;
    case DIV: break;
    }
    return x / y;
}

/* Real numbers do not pass through complex arithmetic: x / 0 is an infinity, not a NaN. */
static double apply_real(operation op, double x, double y)
{
    switch (op) {
    case ADD: return x + y;
    case SUB: return x - y;
    case MUL: return x * y;
    case DIV: break;
    }
    return x / y;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const operation op = *(const operation *)item->config;
    const poy_rec_array *in = item->in, *out = item->out;
    const poy_rec_spec specs[2] = {in[0].spec, in[1].spec};
    const double *x = in[0].data, *y = in[1].data;
    double *real = out->data;
    walk w;

    (void)ctx;
    start(&w, specs, &out->spec);
    for (int64_t i = 0; i < w.count; i++, next(&w)) {
        if (out->spec.dtype == POY_F64)
            real[i] = apply_real(op, x[w.index[0]], y[w.index[1]]);
        else
            poyi_rec_put(out, i, apply(op, poyi_rec_get(&in[0], w.index[0]), poyi_rec_get(&in[1], w.index[1])));
    }
    return POY_OK;
}

/* The partial derivative by x (which 0) or y (which 1). */
static z slope(operation op, int which, z x, z y)
{
    switch (op) {
    case ADD: return 1.0;
    case SUB: return which ? -1.0 : 1.0;
    case MUL: return which ? x : y;
    case DIV: break;
    }
    return which ? -x / y / y : 1.0 / y;
}

static poy_status fail_at(poy_ctx *ctx, const poy_rec_array *y, int64_t i)
{
    char where[POYI_INDEX_TEXT];
    poyi_rec_index(&y->spec, i, sizeof where, where);
    return POYI_FAIL(ctx, POY_ERR_NOT_DIFFERENTIABLE, "div has no derivative where %s of y is 0", where);
}

/* What the derivatives see of x and y: nothing where they do not depend on them. */
static z value_at(const poy_rec_array *a, int64_t i)
{
    return a->data ? poyi_rec_get(a, i) : 1.0;
}

/* The gradient of one input, as large as z, in full. */
static poy_status full_gradient(poy_ctx *ctx, const poy_rec_item *item, int which, const poy_rec_array *cot,
                                const poy_rec_array *full)
{
    const operation op = *(const operation *)item->config;
    const poy_rec_array *in = item->in;
    const poy_rec_spec specs[2] = {in[0].spec, in[1].spec};
    walk w;

    start(&w, specs, &cot->spec);
    for (int64_t i = 0; i < w.count; i++, next(&w)) {
        const z x = value_at(&in[0], w.index[0]), y = value_at(&in[1], w.index[1]), g = poyi_rec_get(cot, i);
        if (op == DIV && y == 0.0 && g != 0.0)
            return fail_at(ctx, &in[1], w.index[1]);
        poyi_rec_put(full, i, op == DIV && y == 0.0 ? 0.0 : conj(slope(op, which, x, y)) * g);
    }
    return POY_OK;
}

/* Sums the full gradient over the axes along which the input is repeated, in place, then copies it. */
static void reduce(poy_rec_array *full, const poy_rec_array *grad)
{
    poy_rec_spec *s = &full->spec;
    const int missing = s->rank - grad->spec.rank;
    for (int k = 0; k < s->rank; k++) {
        poyi_axis axis;
        if (k >= missing && grad->spec.dims[k - missing] == s->dims[k])
            continue;
        poyi_rec_split(s, k, &axis);
        poyi_rec_sum(s->dtype, &axis, full->data, full->data);
        s->dims[k] = 1;
    }
    if (full->data != grad->data)
        memcpy(grad->data, full->data, poy_rec_bytes(&grad->spec));
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    for (int which = 0; which < 2; which++) {
        if (!grad[which].data)
            continue;
        poy_rec_array full = *cot;
        const int repeated = poy_rec_count(&cot->spec) != poy_rec_count(&grad[which].spec);
        full.data = repeated ? item->scratch : grad[which].data;
        POYI_TRY(ctx, full_gradient(ctx, item, which, cot, &full));
        reduce(&full, &grad[which]);
    }
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const operation op = *(const operation *)item->config;
    const poy_rec_array *in = item->in;
    const poy_rec_spec specs[2] = {in[0].spec, in[1].spec};
    walk w;

    start(&w, specs, &out_tan->spec);
    for (int64_t i = 0; i < w.count; i++, next(&w)) {
        const z x = value_at(&in[0], w.index[0]), y = value_at(&in[1], w.index[1]);
        const z dx = tan[0].data ? poyi_rec_get(&tan[0], w.index[0]) : 0.0;
        const z dy = tan[1].data ? poyi_rec_get(&tan[1], w.index[1]) : 0.0;
        const int pole = op == DIV && y == 0.0;
        if (pole && (dx != 0.0 || dy != 0.0))
            return fail_at(ctx, &in[1], w.index[1]);
        z dz = 0.0;
        if (!pole && tan[0].data)
            dz += slope(op, 0, x, y) * dx;
        if (!pole && tan[1].data)
            dz += slope(op, 1, x, y) * dy;
        poyi_rec_put(out_tan, i, dz);
    }
    return POY_OK;
}

static const operation add_op = ADD, sub_op = SUB, mul_op = MUL, div_op = DIV;
static const poy_rec_example examples[] = {{"", "f64[2,3] f64[2,3]"},
                                           {"", "c128[2,3] f64[3]"},
                                           {"", "f64[] c128[4]"},
                                           {"", "c128[2,1,3] c128[4,1]"},
                                           {"", "f64[0,3] f64[3]"}};

#define ARITHMETIC(f, flag)                                                                 \
    const poy_rec_op poyi_record_##f = {.state_version = 1,                                 \
                                        .flags = flag,                                      \
                                        .examples = examples,                               \
                                        .n_examples = sizeof examples / sizeof examples[0], \
                                        .user = &f##_op,                                    \
                                        .infer = infer,                                     \
                                        .evaluate = evaluate,                               \
                                        .pullback = pullback,                               \
                                        .pushforward = pushforward,                         \
                                        .sample = poyi_rec_sample_two}

ARITHMETIC(add, 0);
ARITHMETIC(sub, 0);
ARITHMETIC(mul, POY_REC_NEEDS_INPUTS);
ARITHMETIC(div, POY_REC_NEEDS_INPUTS);
