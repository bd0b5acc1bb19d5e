/* dispatch_axes.c: the public functions of operations that work along axes: reductions, matmul, fft. */
#include <math.h>
#include <string.h>

#include "ops/dispatch.h"

/* ---- reductions ---- */

/* Bit i of *mask: axis i is reduced. */
static poy_status read_axes(const poyi_call *call, const poy_array *x, int n_axes, const int *axes, unsigned *mask)
{
    const char *name = call->row->name;

    *mask = 0;
    if (n_axes == POY_ALL_AXES) {
        *mask = (1u << x->rank) - 1;
        return POY_OK;
    }
    if (n_axes < 0 || n_axes > POY_RANK_MAX)
        return POYI_OP_FAIL(call, POY_ERR_AXIS, "%s: %d axes are named, 0 to %d can be", name, n_axes, POY_RANK_MAX);
    for (int i = 0; i < n_axes; i++) {
        int axis = poyi_shape_axis(x->rank, axes[i]);
        if (axis < 0)
            return POYI_OP_FAIL(call, POY_ERR_AXIS, "%s: no axis %d in shape %s", name, axes[i],
                                poyi_shape_print(x->rank, x->extent).text);
        if (*mask & 1u << axis)
            return POYI_OP_FAIL(call, POY_ERR_AXIS, "%s: axis %d is named twice", name, axes[i]);
        *mask |= 1u << axis;
    }
    return POY_OK;
}

/* Shape of the result. */
static void reduced_shape(const poy_array *x, unsigned mask, int keepdims, int *rank, int64_t *extent)
{
    *rank = 0;
    for (int i = 0; i < x->rank; i++)
        if (!(mask & 1u << i))
            extent[(*rank)++] = x->extent[i];
        else if (keepdims)
            extent[(*rank)++] = 1;
}

/* Window 0: x with kept axes, then reduced ones; window 1: y, strides 0 on the latter. */
static void reduction_nest(const poy_array *x, const poy_array *y, unsigned mask, int keepdims, poyi_nest *nest,
                           int *kept)
{
    int at = 0, in_y = 0;
    memset(nest, 0, sizeof *nest);
    nest->n = 2;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < x->rank; i++) {
            int is_reduced = (mask & 1u << i) != 0;
            if (is_reduced != pass)
                continue;
            nest->extent[at] = x->extent[i];
            nest->stride[0][at] = x->stride[i];
            nest->stride[1][at] = 0;
            at++;
        }
        if (pass == 0)
            *kept = at;
    }
    at = 0;
    for (int i = 0; i < x->rank; i++)
        if (!(mask & 1u << i))
            nest->stride[1][at++] = y->stride[in_y++];
        else if (keepdims)
            in_y++;
    nest->rank = x->rank;
}

/* x packed with the kept axes first, for a backend that wants packed tensors. */
static poy_status pack_for_reduction(poyi_call *call, const poy_array **x, unsigned *mask)
{
    int order[POY_RANK_MAX], n = 0, kept;
    poy_array *view = NULL, *packed = NULL;

    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < (*x)->rank; i++)
            if (((*mask & 1u << i) != 0) == pass)
                order[n++] = i;
        if (pass == 0)
            kept = n;
    }
    POYI_TRY(call->ctx, poy_array_transpose(call->ctx, *x, order, &view));
    POYI_TRY(call->ctx, poyi_call_keep(call, view));
    POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, view->rank, view->extent, &packed));
    POYI_TRY(call->ctx, poyi_call_copy(call, view, packed));
    *x = packed;
    *mask = ((1u << n) - 1) & ~((1u << kept) - 1);
    return POY_OK;
}

/* The backend's function on a nest of x and y with left kept axes and reduced ones behind them. */
static poy_status call_reduction(poyi_call *call, poyi_work *work, const poyi_nest *nest, int left, int reduced,
                                 const poy_array *x, const poy_array *y)
{
    const poy_array *const both[2] = {x, y};
    poyi_nest_tensor(nest, 0, x, &work->t[0]);
    poyi_nest_tensor(nest, 1, y, &work->t[1]);
    work->t[1].rank = left;
    work->arg.n_reduced = reduced;
    return poyi_call_work(call, work, 2, both);
}

/* Nothing is reduced but extents of 1: they are one axis behind the kept ones. Where these are as many as there can be,
 * the first is gone over here. */
static poy_status reduce_ones(poyi_call *call, poyi_work *work, poyi_nest *nest, int left, const poy_array *x,
                              const poy_array *y)
{
    poyi_nest rest = *nest;
    const int goes_over = left == POY_RANK_MAX;
    const int64_t turns = goes_over ? nest->extent[0] : 1;
    for (int i = 0; i + 1 < left && goes_over; i++) {
        rest.extent[i] = nest->extent[i + 1];
        for (int k = 0; k < 2; k++)
            rest.stride[k][i] = nest->stride[k][i + 1];
    }
    left -= goes_over;
    rest.rank = left + 1;
    rest.extent[left] = 1;
    rest.stride[0][left] = 1;
    rest.stride[1][left] = 0;
    for (int64_t i = 0; i < turns; i++) {
        POYI_TRY(call->ctx, call_reduction(call, work, &rest, left, 1, x, y));
        for (int k = 0; k < 2; k++)
            rest.offset[k] += nest->stride[k][0];
    }
    return POY_OK;
}

/* out has elements, and something is reduced in each. */
static poy_status run_reduction(poyi_call *call, const poy_array *x, unsigned mask, int keepdims, poy_array *out)
{
    poy_array *y;
    poyi_work work;
    poyi_nest nest;
    int kept;

    POYI_TRY(call->ctx, poyi_call_find(call, call->op, call->dtype, &work));
    int keepdims_x = keepdims;
    if (poyi_call_wants_packed(call, call->op, call->dtype)) {
        unsigned before = mask;
        POYI_TRY(call->ctx, pack_for_reduction(call, &x, &mask));
        if (keepdims && before != mask) { /* y's kept axes follow x's order: seen without the others */
            int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
            int n = 0;
            poy_array *view = NULL;
            for (int i = 0; i < out->rank; i++)
                if (!(before & 1u << i)) {
                    extent[n] = out->extent[i];
                    stride[n++] = out->stride[i];
                }
            POYI_TRY(call->ctx, poy_array_view(call->ctx, out, n, extent, stride, 0, &view));
            POYI_TRY(call->ctx, poyi_call_keep(call, view));
            out = view;
            keepdims_x = 0;
        }
    } else {
        POYI_TRY(call->ctx, poyi_call_input(call, &x, out, 0, x->rank, x->extent));
    }
    POYI_TRY(call->ctx, poyi_call_stand_in(call, out, &y));
    reduction_nest(x, y, mask, keepdims_x, &nest, &kept);
    int left = poyi_nest_normalise(&nest, 0, kept, 1);
    int tells_place = call->row->out == POYI_OUT_INDEX; /* in the order of the axes as they are */
    int reduced = tells_place ? nest.rank - left : poyi_nest_normalise(&nest, left, nest.rank - left, 0);
    if (reduced)
        POYI_TRY(call->ctx, call_reduction(call, &work, &nest, left, reduced, x, y));
    else
        POYI_TRY(call->ctx, reduce_ones(call, &work, &nest, left, x, y));
    return poyi_call_deliver(call, y, out);
}

/* What an operation gives for no elements. */
static poy_status reduce_nothing(poyi_call *call, const poy_array *x, poy_array *out)
{
    switch (call->op) {
    case POYI_OP_sum:
    case POYI_OP_norm:
    case POYI_OP_any: return poyi_call_zero(call, out);
    case POYI_OP_prod:
    case POYI_OP_all: return poyi_call_fill(call, (poy_scalar){1, 0}, out);
    case POYI_OP_mean: return poyi_call_fill(call, (poy_scalar){NAN, 0}, out);
    default:
        return POYI_OP_FAIL(call, POY_ERR_EMPTY, "%s: there is nothing to choose from in shape %s", call->row->name,
                            poyi_shape_print(x->rank, x->extent).text);
    }
}

static __attribute__((noinline)) poy_status reduce(poy_ctx *ctx, poyi_op op, const poy_array *x, int n_axes,
                                                   const int *axes, int keepdims, poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out;
    int rank;
    unsigned mask;
    int64_t extent[POY_RANK_MAX];

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, op, 1, &x, &call));
    POYI_TO_DONE(ctx, read_axes(&call, x, n_axes, axes, &mask));
    if (call.row->out == POYI_OUT_INDEX && mask != (1u << x->rank) - 1 && (mask & (mask - 1) || !mask)) {
        status = POYI_OP_FAIL(&call, POY_ERR_AXIS, "%s: %d axes are named, a place is along one or all", call.row->name,
                              n_axes);
        goto done;
    }
    reduced_shape(x, mask, keepdims, &rank, extent);
    POYI_TO_DONE(ctx, poyi_call_output(&call, poyi_call_result_type(&call), rank, extent, into, made, &out));
    if (!out->size)
        goto done;
    if (!x->size) {
        status = reduce_nothing(&call, x, out);
        goto done;
    }
    status = run_reduction(&call, x, mask, keepdims, out);
done:
    return poyi_call_end(&call, status, made);
}

/* ---- matmul ---- */

typedef struct matmul_shape {
    int rank, batch; /* of the three tensors, of which the first axes are batch */
    int64_t extent[POY_RANK_MAX], k;
    int drop_row, drop_column; /* x, y is a vector */
} matmul_shape;

static poy_status matmul_shapes(const poyi_call *call, const poy_array *x, const poy_array *y, matmul_shape *s)
{
    if (!x->rank || !y->rank)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "matmul: %s has rank 0, needs 1 at least; mul scales by a number",
                            x->rank ? "y" : "x");
    s->drop_row = x->rank == 1;
    s->drop_column = y->rank == 1;
    s->k = x->extent[x->rank - 1];
    int64_t k_y = y->extent[s->drop_column ? 0 : y->rank - 2];
    if (s->k != k_y)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "matmul: rows of x %s have %lld elements, columns of y %s have %lld",
                            poyi_shape_print(x->rank, x->extent).text, (long long)s->k,
                            poyi_shape_print(y->rank, y->extent).text, (long long)k_y);
    int batch_x = s->drop_row ? 0 : x->rank - 2, batch_y = s->drop_column ? 0 : y->rank - 2;
    s->batch = batch_x;
    for (int i = 0; i < batch_x; i++)
        s->extent[i] = x->extent[i];
    if (!poyi_shape_join(&s->batch, s->extent, batch_y, y->extent))
        return POYI_OP_FAIL(call, POY_ERR_BROADCAST, "matmul: the leading axes of %s and %s do not broadcast",
                            poyi_shape_print(x->rank, x->extent).text, poyi_shape_print(y->rank, y->extent).text);
    s->rank = s->batch + 2;
    s->extent[s->batch] = s->drop_row ? 1 : x->extent[x->rank - 2];
    s->extent[s->batch + 1] = s->drop_column ? 1 : y->extent[y->rank - 1];
    return POY_OK;
}

/* The shape that the user sees: without the axes that vectors were given. */
static int visible_shape(const matmul_shape *s, int64_t *extent)
{
    int rank = s->batch;
    memcpy(extent, s->extent, (size_t)s->batch * sizeof *extent);
    if (!s->drop_row)
        extent[rank++] = s->extent[s->batch];
    if (!s->drop_column)
        extent[rank++] = s->extent[s->batch + 1];
    return rank;
}

/* Strides of a on batch axes and its matrix axes (a vector is a row or a column). */
static void matrix_strides(const poy_array *a, const matmul_shape *s, int is_row, int is_column, int64_t *stride)
{
    int batch = a->rank - (is_row || is_column ? 1 : 2);
    if (batch < 0)
        batch = 0;
    poyi_shape_broadcast_strides(batch, a->extent, a->stride, s->batch, s->extent, stride);
    int at = batch;
    stride[s->batch] = is_row ? 0 : a->stride[at++];
    stride[s->batch + 1] = is_column ? 0 : a->stride[at];
}

static poy_status run_matmul(poyi_call *call, const matmul_shape *s, const poy_array *x, const poy_array *y,
                             poy_array *out)
{
    poy_array *z;
    poyi_work work;
    poy_tensor *const t = work.t;
    poyi_nest nest = {.n = 3, .rank = s->batch};

    POYI_TRY(call->ctx, poyi_call_find(call, call->op, call->dtype, &work));
    /* A packed matmul has its batches broadcast, too: the shapes of x and y with s's batch axes. */
    int64_t ex[POY_RANK_MAX], ey[POY_RANK_MAX];
    memcpy(ex, s->extent, sizeof ex);
    memcpy(ey, s->extent, sizeof ey);
    ex[s->batch] = s->extent[s->batch];
    ex[s->batch + 1] = ey[s->batch] = s->k;
    int rank_x = s->batch + 2, rank_y = s->batch + 2;
    if (s->drop_row) {
        ex[s->batch] = s->k;
        rank_x--;
    }
    if (s->drop_column)
        rank_y--;
    POYI_TRY(call->ctx, poyi_call_input(call, &x, out, 0, rank_x, ex));
    POYI_TRY(call->ctx, poyi_call_input(call, &y, out, 0, rank_y, ey));
    POYI_TRY(call->ctx, poyi_call_stand_in(call, out, &z));
    const poy_array *const a[3] = {x, y, z};
    int64_t stride[POYI_NEST_MAX][POY_RANK_MAX] = {{0}};
    matrix_strides(x, s, s->drop_row, 0, stride[0]);
    matrix_strides(y, s, 0, s->drop_column, stride[1]);
    int at = s->batch;
    memcpy(stride[2], z->stride, sizeof stride[2]);
    stride[2][s->batch] = s->drop_row ? 0 : z->stride[at++];
    stride[2][s->batch + 1] = s->drop_column ? 0 : z->stride[at];
    memcpy(nest.extent, s->extent, sizeof nest.extent);
    memcpy(nest.stride, stride, sizeof nest.stride);
    int batch = poyi_nest_normalise(&nest, 0, s->batch, 2);
    const int64_t rows[3] = {s->extent[s->batch], s->k, s->extent[s->batch]};
    const int64_t columns[3] = {s->k, s->extent[s->batch + 1], s->extent[s->batch + 1]};
    for (int k = 0; k < 3; k++) {
        poyi_nest_tensor(&nest, k, a[k], &t[k]);
        t[k].rank = batch + 2;
        t[k].extent[batch] = rows[k];
        t[k].extent[batch + 1] = columns[k];
        t[k].stride[batch] = stride[k][s->batch];
        t[k].stride[batch + 1] = stride[k][s->batch + 1];
    }
    POYI_TRY(call->ctx, poyi_call_work(call, &work, 3, a));
    return poyi_call_deliver(call, z, out);
}

static poy_status matmul(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out;
    matmul_shape s = {0};
    int64_t extent[POY_RANK_MAX];
    const poy_array *const in[2] = {x, y};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_matmul, 2, in, &call));
    POYI_TO_DONE(ctx, matmul_shapes(&call, x, y, &s));
    int rank = visible_shape(&s, extent);
    POYI_TO_DONE(ctx, poyi_call_output(&call, call.dtype, rank, extent, into, made, &out));
    if (!out->size)
        goto done;
    status = s.k == 0 ? poyi_call_zero(&call, out) : run_matmul(&call, &s, x, y, out);
done:
    return poyi_call_end(&call, status, made);
}

poy_status poy_matmul(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z)
{
    return matmul(ctx, x, y, NULL, z);
}

poy_status poy_matmul_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *z)
{
    return matmul(ctx, x, y, z, NULL);
}

/* All of a dense x into a number, by the short way. */
static inline __attribute__((always_inline)) poy_status reduce_into(poy_ctx *ctx, poyi_op op, poyi_out result,
                                                                    const poy_array *x, int n_axes, const int *axes,
                                                                    int keepdims, poy_array *y)
{
    return n_axes == POY_ALL_AXES && !keepdims && poyi_call_at_once_whole(ctx, op, result, 1, &x, y)
               ? POY_OK
               : reduce(ctx, op, x, n_axes, axes, keepdims, y, NULL);
}

#define DEFINE_reduce(name, result)                                                                                   \
    poy_status poy_##name(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims, poy_array **y) \
    {                                                                                                                 \
        return reduce(ctx, POYI_OP_##name, x, n_axes, axes, keepdims, NULL, y);                                       \
    }                                                                                                                 \
    poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims,         \
                                 poy_array *y)                                                                        \
    {                                                                                                                 \
        return reduce_into(ctx, POYI_OP_##name, POYI_OUT_##result, x, n_axes, axes, keepdims, y);                     \
    }
#define DEFINE_fill(name, result) /* dispatch.c */
#define DEFINE_copy(name, result)
#define DEFINE_unary(name, result)
#define DEFINE_binary(name, result)
#define DEFINE_ternary(name, result)
#define DEFINE_line(name, result)
#define DEFINE_take(name, result)
#define DEFINE_put(name, result)
#define DEFINE_dot(name, result)
#define DEFINE_linalg(name, result)
#define DEFINE_sparse(name, result)
#define DEFINE_matmul(name, result)
#define DEFINE_fft(name, result) /* dispatch_fft.c */
#define POY_OP(name, family, dtypes, out, tol, scale, text) DEFINE_##family(name, out)
#include "poynting/ops.def"
#undef POY_OP
