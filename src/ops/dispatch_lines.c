/* dispatch_lines.c: the public functions of operations along lines: running sums, sorting, elements chosen and changed by
 * index, products of vectors. */
#include <string.h>

#include "ops/dispatch.h"

static poy_status find_axis(const poyi_call *call, const poy_array *x, int axis, int *at)
{
    *at = x->rank ? poyi_shape_axis(x->rank, axis) : -1;
    if (*at < 0)
        return POYI_OP_FAIL(call, POY_ERR_AXIS, "%s: no axis %d in shape %s", call->row->name, axis,
                            poyi_shape_print(x->rank, x->extent).text);
    return POY_OK;
}

/* ---- a line into a line ---- */

static poy_status run_line(poyi_call *call, int axis, const poy_array *x, poy_array *out)
{
    poy_array *moved_x, *moved_out, *y;
    poyi_work work;

    POYI_TRY(call->ctx, poyi_call_find(call, call->op, call->dtype, &work));
    POYI_TRY(call->ctx, poyi_call_axis_last(call, x, axis, &moved_x));
    POYI_TRY(call->ctx, poyi_call_axis_last(call, out, axis, &moved_out));
    x = moved_x;
    POYI_TRY(call->ctx, poyi_call_input(call, &x, moved_out, 0, x->rank, x->extent));
    POYI_TRY(call->ctx, poyi_call_stand_in(call, moved_out, &y));
    const poy_array *const both[2] = {x, y};
    poyi_call_line_tensors(2, both, work.t);
    POYI_TRY(call->ctx, poyi_call_work(call, &work, 2, both));
    return poyi_call_deliver(call, y, moved_out);
}

/* A number as a line of one element. */
static poy_status number_as_line(poyi_call *call, const poy_array *a, poy_array **out)
{
    const int64_t one = 1;
    POYI_TRY(call->ctx, poy_array_view(call->ctx, a, 1, &one, &one, 0, out));
    return poyi_call_keep(call, *out);
}

static __attribute__((noinline)) poy_status line(poy_ctx *ctx, poyi_op op, const poy_array *x, int axis,
                                                 poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out, *number = NULL;
    int at;

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, op, 1, &x, &call));
    at = poyi_shape_axis(x->rank, axis); /* of rank 0 it has one axis, too */
    if (at < 0)
        POYI_TO_DONE(ctx, find_axis(&call, x, axis, &at));
    POYI_TO_DONE(ctx, poyi_call_output(&call, poyi_call_result_type(&call), x->rank, x->extent, into, made, &out));
    if (!x->rank) {
        POYI_TO_DONE(ctx, number_as_line(&call, x, &number));
        x = number;
        POYI_TO_DONE(ctx, number_as_line(&call, out, &out));
    }
    if (out->size)
        status = run_line(&call, at, x, out);
done:
    return poyi_call_end(&call, status, made);
}

/* A short dense line by the short way. */
static inline __attribute__((always_inline)) poy_status line_into(poy_ctx *ctx, poyi_op op, poyi_out result,
                                                                  const poy_array *x, int axis, poy_array *y)
{
    const int64_t most = op == POYI_OP_cumsum ? POYI_AT_ONCE_MAX : POYI_SORT_AT_ONCE_MAX;
    const int is_line = x->rank == 1 && y->rank == 1 && (axis == 0 || axis == -1) && x->size <= most;
    return is_line && poyi_call_at_once(ctx, op, result, x->dtype, x->dtype, x->dtype, 1, &x, y)
               ? POY_OK
               : line(ctx, op, x, axis, y, NULL);
}

/* ---- by index ---- */

/* a in another shape of as many elements, for the call: a view where the strides permit, else a copy. */
static poy_status reshape(poyi_call *call, const poy_array *a, int rank, const int64_t *extent, poy_array **out)
{
    int64_t stride[POY_RANK_MAX];
    poy_array *packed = NULL;
    if (!poyi_reshape_strides(a, rank, extent, stride)) {
        POYI_TRY(call->ctx, poyi_call_temp(call, a->dtype, a->rank, a->extent, &packed));
        POYI_TRY(call->ctx, poyi_call_copy(call, a, packed));
        poyi_shape_strides(rank, extent, stride);
    }
    POYI_TRY(call->ctx, poy_array_view(call->ctx, packed ? packed : a, rank, extent, stride, 0, out));
    return poyi_call_keep(call, *out);
}

/* x without its axes, as one line. */
static poy_status flatten(poyi_call *call, const poy_array **x)
{
    poy_array *flat = NULL;
    POYI_TRY(call->ctx, reshape(call, *x, 1, &(*x)->size, &flat));
    *x = flat;
    return POY_OK;
}

/* The places of what a mask marks, as an index. */
static poy_status read_mask(poyi_call *call, const poy_array *mask, poy_array **index)
{
    poy_status status = POY_OK;
    void *bytes = NULL, *places = NULL;
    int64_t n = 0;

    POYI_TO_DONE(call->ctx, poyi_alloc(call->ctx, "index", (size_t)mask->size, &bytes));
    POYI_TO_DONE(call->ctx, poyi_alloc(call->ctx, "index", (size_t)mask->size * sizeof(int64_t), &places));
    POYI_TO_DONE(call->ctx, poy_array_read(call->ctx, mask, bytes));
    for (int64_t i = 0; i < mask->size; i++)
        if (((const unsigned char *)bytes)[i])
            ((int64_t *)places)[n++] = i;
    POYI_TO_DONE(call->ctx, poyi_call_temp(call, POY_I64, 1, &n, index));
    if (n)
        POYI_TO_DONE(call->ctx, poy_array_write(call->ctx, *index, places));
done:
    poyi_free(&places);
    poyi_free(&bytes);
    return status;
}

/* *index as a dense line of i64; rank, extent: the shape that stands in the place of the axis of x. */
static poy_status read_index(poyi_call *call, const poy_array *x, int axis, const poy_array **index, int *rank,
                             int64_t *extent)
{
    const char *name = call->row->name;
    poy_array *line = NULL;

    if (!*index)
        return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "%s: the index is NULL: was it made?", name);
    if ((*index)->be != call->be)
        return poyi_call_two_backends(call, call->be, "the index", (*index)->be);
    if ((*index)->dtype == POY_B8) {
        if ((*index)->rank != 1 || (*index)->extent[0] != x->extent[axis])
            return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: a mask of shape %s for an axis of %lld elements", name,
                                poyi_shape_print((*index)->rank, (*index)->extent).text, (long long)x->extent[axis]);
        POYI_TRY(call->ctx, read_mask(call, *index, &line));
        *index = line;
    }
    if ((*index)->dtype != POY_I64 && (*index)->dtype != POY_I32)
        return POYI_OP_FAIL(call, POY_ERR_DTYPE, "%s: the index is %s, needs i32, i64 or a mask of b8", name,
                            poy_dtype_name((*index)->dtype));
    *rank = (*index)->rank;
    memcpy(extent, (*index)->extent, sizeof(int64_t) * (size_t)*rank);
    if (!(*index)->contiguous || (*index)->dtype != POY_I64) {
        POYI_TRY(call->ctx, poyi_call_temp(call, POY_I64, *rank, extent, &line));
        POYI_TRY(call->ctx, poyi_call_copy(call, *index, line));
        *index = line;
    }
    return flatten(call, index);
}

/* The shape of x with that of an index in the place of an axis. */
static poy_status replaced_shape(const poyi_call *call, const poy_array *x, int axis, int n, const int64_t *by,
                                 int *rank, int64_t *extent)
{
    if (x->rank - 1 + n > POY_RANK_MAX)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: the result has %d axes, %d can be", call->row->name,
                            x->rank - 1 + n, POY_RANK_MAX);
    *rank = 0;
    for (int i = 0; i < axis; i++)
        extent[(*rank)++] = x->extent[i];
    for (int i = 0; i < n; i++)
        extent[(*rank)++] = by[i];
    for (int i = axis + 1; i < x->rank; i++)
        extent[(*rank)++] = x->extent[i];
    return POY_OK;
}

/* a with the axes that came in the place of x's as one of m elements, which is the last then. */
static poy_status join_axes(poyi_call *call, const poy_array *a, const poy_array *x, int axis, int64_t m,
                            poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    poy_array *joined = NULL;
    memcpy(extent, x->extent, sizeof extent);
    extent[axis] = m;
    POYI_TRY(call->ctx, reshape(call, a, x->rank, extent, &joined));
    return poyi_call_axis_last(call, joined, axis, out);
}

/* Whether all places lie within axis at of x, where nothing is to be moved and so no backend looks at them. While a program is
 * recorded there is nothing to look at yet. */
static poy_status check_idle_places(const poyi_call *call, const poy_array *x, int at, const poy_array *index)
{
    poy_status status = POY_OK;
    const int64_t n = x->extent[at];
    void *host = NULL;

    if (!index->size || poyi_ctx_capture(call->ctx))
        return POY_OK;
    POYI_TO_DONE(call->ctx, poyi_alloc(call->ctx, "index", (size_t)index->size * sizeof(int64_t), &host));
    POYI_TO_DONE(call->ctx, poy_array_read(call->ctx, index, host));
    for (int64_t i = 0; i < index->size && status == POY_OK; i++) {
        const int64_t place = ((const int64_t *)host)[i];
        if (place < -n || place >= n)
            status = POYI_OP_FAIL(call, POY_ERR_INDEX, "%s: the index %lld is not within axis %d of shape %s",
                                  call->row->name, (long long)place, at, poyi_shape_print(x->rank, x->extent).text);
    }
done:
    poyi_free(&host);
    return status;
}

static poy_status run_take(poyi_call *call, const poy_array *x, int axis, const poy_array *index, poy_array *out)
{
    poyi_work work;
    poy_array *moved_x, *moved_y, *y = out;
    poy_tensor t[2];

    POYI_TRY(call->ctx, poyi_call_find(call, call->op, call->dtype, &work));
    POYI_TRY(call->ctx, poyi_call_axis_last(call, x, axis, &moved_x));
    const poy_array *from = moved_x;
    POYI_TRY(call->ctx, poyi_call_input(call, &from, out, 0, from->rank, from->extent));
    if (!out->contiguous)
        POYI_TRY(call->ctx, poyi_call_temp(call, out->dtype, out->rank, out->extent, &y));
    POYI_TRY(call->ctx, join_axes(call, y, x, axis, index->size, &moved_y));
    const poy_array *const both[2] = {from, moved_y};
    poyi_call_line_tensors(2, both, t);
    work.t[0] = t[0];
    poyi_call_tensors(1, &index, &work.t[1]);
    work.t[2] = t[1];
    const poy_array *const all[3] = {from, index, moved_y};
    POYI_TRY(call->ctx, poyi_call_work(call, &work, 3, all));
    return poyi_call_deliver(call, y, out);
}

static poy_status take(poy_ctx *ctx, const poy_array *x, const poy_array *index, int axis, poy_array *into,
                       poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out;
    int at = 0, n = 0, rank = 0;
    int64_t by[POY_RANK_MAX] = {0}, extent[POY_RANK_MAX] = {0};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_take, 1, &x, &call));
    if (axis == POY_FLAT) {
        POYI_TO_DONE(ctx, flatten(&call, &x));
        axis = 0;
    }
    POYI_TO_DONE(ctx, find_axis(&call, x, axis, &at));
    POYI_TO_DONE(ctx, read_index(&call, x, at, &index, &n, by));
    POYI_TO_DONE(ctx, replaced_shape(&call, x, at, n, by, &rank, extent));
    POYI_TO_DONE(ctx, poyi_call_output(&call, call.dtype, rank, extent, into, made, &out));
    if (index->size && !x->extent[at])
        status = POYI_OP_FAIL(&call, POY_ERR_INDEX, "take: axis %d of shape %s has nothing to take", at,
                              poyi_shape_print(x->rank, x->extent).text);
    else
        status = out->size ? run_take(&call, x, at, index, out) : check_idle_places(&call, x, at, index);
done:
    return poyi_call_end(&call, status, made);
}

poy_status poy_take(poy_ctx *ctx, const poy_array *x, const poy_array *index, int axis, poy_array **y)
{
    return take(ctx, x, index, axis, NULL, y);
}

/* Whether index, as input k of a short call, has n places within a line of so many elements. */
static int index_is_short(poyi_call_short *s, int k, const poy_array *index, int64_t n, int64_t line)
{
    if (index->rank != 1 || index->size != n || !poyi_call_short_whole(s, k, POY_I64, index))
        return 0;
    const int64_t *at = s->p[k];
    int within = 1;
    for (int64_t i = 0; i < n; i++)
        within &= at[i] >= -line && at[i] < line;
    return within;
}

/* Short dense lines by the short way; 0: the long one. */
static int take_at_once(const poy_ctx *ctx, const poy_array *x, const poy_array *index, int axis, const poy_array *y)
{
    poyi_call_short s;
    if (x->rank != 1 || y->rank != 1 || (axis != 0 && axis != -1) || !poyi_call_short_count(y->size) ||
        !poyi_call_short_to(ctx, POYI_OP_take, x->dtype, x->dtype, y, &s) ||
        !poyi_call_short_whole(&s, 0, x->dtype, x) || !index_is_short(&s, 1, index, y->size, x->size))
        return 0;
    s.p[2] = s.to;
    s.stride[2] = 1;
    s.stride[3] = x->size;
    s.run(s.p, s.stride, y->size);
    return 1;
}

poy_status poy_take_into(poy_ctx *ctx, const poy_array *x, const poy_array *index, int axis, poy_array *y)
{
    return take_at_once(ctx, x, index, axis, y) ? POY_OK : take(ctx, x, index, axis, y, NULL);
}

/* ---- put: out holds x already ---- */

static poy_status run_put(poyi_call *call, int axis, const poy_array *index, int rank, const int64_t *extent,
                          const poy_array *v, poy_array *out)
{
    poyi_work work;
    poy_array *moved_v, *moved_out, *wide = NULL, *y;

    POYI_TRY(call->ctx, poyi_call_find(call, call->op, call->dtype, &work));
    POYI_TRY(call->ctx, poyi_call_input(call, &v, out, 0, v->rank, v->extent));
    POYI_TRY(call->ctx, poy_array_broadcast_to(call->ctx, v, rank, extent, &wide));
    POYI_TRY(call->ctx, poyi_call_keep(call, wide));
    POYI_TRY(call->ctx, join_axes(call, wide, out, axis, index->size, &moved_v));
    POYI_TRY(call->ctx, poyi_call_axis_last(call, out, axis, &moved_out));
    v = moved_v;
    POYI_TRY(call->ctx, poyi_call_input(call, &v, moved_out, 0, v->rank, v->extent)); /* packed where that is asked */
    POYI_TRY(call->ctx, poyi_call_stand_in(call, moved_out, &y));
    if (y != moved_out)
        POYI_TRY(call->ctx, poyi_call_copy(call, moved_out, y));
    const poy_array *const both[2] = {v, y};
    poyi_call_tensors(1, &index, &work.t[0]);
    poyi_call_line_tensors(2, both, &work.t[1]);
    const poy_array *const all[3] = {index, v, y};
    POYI_TRY(call->ctx, poyi_call_work(call, &work, 3, all));
    return poyi_call_deliver(call, y, moved_out);
}

/* What v has to broadcast to; v's type goes into x's. */
static poy_status check_values(const poyi_call *call, const poy_array *v, int rank, const int64_t *extent)
{
    int joined_rank = rank;
    int64_t joined[POY_RANK_MAX];
    memcpy(joined, extent, sizeof(int64_t) * (size_t)rank);
    if (v->rank > rank || !poyi_shape_join(&joined_rank, joined, v->rank, v->extent) ||
        !poyi_shape_equal(joined_rank, joined, rank, extent))
        return POYI_OP_FAIL(call, POY_ERR_BROADCAST, "%s: values of shape %s do not broadcast to %s", call->row->name,
                            poyi_shape_print(v->rank, v->extent).text, poyi_shape_print(rank, extent).text);
    if (poy_dtype_is_complex(v->dtype) && !poy_dtype_is_complex(call->dtype))
        return POYI_OP_FAIL(call, POY_ERR_COMPLEX_TO_REAL, "%s: values of %s do not go into %s", call->row->name,
                            poy_dtype_name(v->dtype), poy_dtype_name(call->dtype));
    return POY_OK;
}

static int is_same_window(const poy_array *a, const poy_array *b)
{
    int same = a->mem == b->mem && a->offset == b->offset && a->dtype == b->dtype;
    for (int i = 0; i < a->rank && same; i++)
        same = a->stride[i] == b->stride[i] || a->extent[i] == 1;
    return same;
}

static poy_status put(poy_ctx *ctx, poyi_op op, const poy_array *x, const poy_array *index, const poy_array *v,
                      int axis, poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out;
    const poy_array *values[2] = {x, v}, *whole = v;
    int at = 0, n = 0, rank = 0;
    int64_t by[POY_RANK_MAX] = {0}, extent[POY_RANK_MAX] = {0};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, op, 1, values, &call));
    if (!v) {
        status = POYI_OP_FAIL(&call, POY_ERR_ARGUMENT, "%s: the values are NULL: were they made?", call.row->name);
        goto done;
    }
    if (v->be != call.be) {
        status = poyi_call_two_backends(&call, call.be, "the values", v->be);
        goto done;
    }
    POYI_TO_DONE(ctx, find_axis(&call, x, axis, &at));
    POYI_TO_DONE(ctx, read_index(&call, x, at, &index, &n, by));
    POYI_TO_DONE(ctx, replaced_shape(&call, x, at, n, by, &rank, extent));
    POYI_TO_DONE(ctx, check_values(&call, v, rank, extent));
    POYI_TO_DONE(ctx, poyi_call_output(&call, call.dtype, x->rank, x->extent, into, made, &out));
    if (out->size && !(into && is_same_window(x, into))) {
        POYI_TO_DONE(ctx, poyi_call_input(&call, &whole, out, 0, v->rank, v->extent)); /* before it is written over */
        POYI_TO_DONE(ctx, poyi_call_input(&call, &x, out, 1, x->rank, x->extent));
        POYI_TO_DONE(ctx, poyi_call_copy(&call, x, out));
    }
    if (index->size && out->size)
        status = run_put(&call, at, index, rank, extent, whole, out);
    else if (index->size && !out->extent[at])
        status = POYI_OP_FAIL(&call, POY_ERR_INDEX, "%s: axis %d of shape %s has no place", call.row->name, at,
                              poyi_shape_print(out->rank, out->extent).text);
    else
        status = check_idle_places(&call, out, at, index);
done:
    return poyi_call_end(&call, status, made);
}

/* Into x itself, by the short way; 0: the long one. */
static int put_at_once(const poy_ctx *ctx, poyi_op op, const poy_array *x, const poy_array *index, const poy_array *v,
                       int axis, const poy_array *y)
{
    poyi_call_short s;
    if (x->rank != 1 || y->rank != 1 || (axis != 0 && axis != -1) || x->size != y->size || !is_same_window(x, y) ||
        v->rank != 1 || !poyi_call_short_count(v->size) || !poyi_call_short_to(ctx, op, y->dtype, y->dtype, y, &s) ||
        !poyi_call_short_whole(&s, 1, y->dtype, v) || !index_is_short(&s, 0, index, v->size, y->size))
        return 0;
    s.p[2] = s.to;
    s.stride[2] = 1;
    s.stride[3] = y->size;
    s.run(s.p, s.stride, v->size);
    return 1;
}

/* ---- vdot ---- */

static __attribute__((noinline)) poy_status vdot(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *into,
                                                 poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out, *z;
    poyi_work work;
    const poy_array *in[2] = {x, y};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_vdot, 2, in, &call));
    if (x->size != y->size) {
        status = POYI_OP_FAIL(&call, POY_ERR_SHAPE, "vdot: x %s has %lld elements, y %s has %lld",
                              poyi_shape_print(x->rank, x->extent).text, (long long)x->size,
                              poyi_shape_print(y->rank, y->extent).text, (long long)y->size);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_call_output(&call, call.dtype, 0, NULL, into, made, &out));
    if (!x->size) {
        status = poyi_call_zero(&call, out);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_call_find(&call, call.op, call.dtype, &work));
    for (int k = 0; k < 2; k++) {
        POYI_TO_DONE(ctx, flatten(&call, &in[k]));
        POYI_TO_DONE(ctx, poyi_call_input(&call, &in[k], out, 0, 1, in[k]->extent));
        poyi_call_line_tensors(1, &in[k], &work.t[k]);
    }
    POYI_TO_DONE(ctx, poyi_call_stand_in(&call, out, &z));
    const poy_array *const only[1] = {z};
    poyi_call_tensors(1, only, &work.t[2]);
    const poy_array *const all[3] = {in[0], in[1], z};
    POYI_TO_DONE(ctx, poyi_call_work(&call, &work, 3, all));
    status = poyi_call_deliver(&call, z, out);
done:
    return poyi_call_end(&call, status, made);
}

poy_status poy_vdot(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z)
{
    return vdot(ctx, x, y, NULL, z);
}

poy_status poy_vdot_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *z)
{
    const poy_array *const in[2] = {x, y};
    return poyi_call_at_once_whole(ctx, POYI_OP_vdot, POYI_OUT_SAME, 2, in, z) ? POY_OK : vdot(ctx, x, y, z, NULL);
}

#define DEFINE_line(name, result)                                                          \
    poy_status poy_##name(poy_ctx *ctx, const poy_array *x, int axis, poy_array **y)       \
    {                                                                                      \
        return line(ctx, POYI_OP_##name, x, axis, NULL, y);                                \
    }                                                                                      \
    poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, int axis, poy_array *y) \
    {                                                                                      \
        return line_into(ctx, POYI_OP_##name, POYI_OUT_##result, x, axis, y);              \
    }
#define DEFINE_put(name)                                                                                          \
    poy_status poy_##name(poy_ctx *ctx, const poy_array *x, const poy_array *index, const poy_array *v, int axis, \
                          poy_array **y)                                                                          \
    {                                                                                                             \
        return put(ctx, POYI_OP_##name, x, index, v, axis, NULL, y);                                              \
    }                                                                                                             \
    poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, const poy_array *index, const poy_array *v,    \
                                 int axis, poy_array *y)                                                          \
    {                                                                                                             \
        return put_at_once(ctx, POYI_OP_##name, x, index, v, axis, y)                                             \
                   ? POY_OK                                                                                       \
                   : put(ctx, POYI_OP_##name, x, index, v, axis, y, NULL);                                        \
    }
DEFINE_line(cumsum, SAME) DEFINE_line(sort, SAME) DEFINE_line(argsort, INDEX) DEFINE_put(put) DEFINE_put(put_add)
