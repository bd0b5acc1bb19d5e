/* dispatch_ternary.c: the public functions of element-by-element operations on three inputs: where, clip, axpy. */
#include "ops/dispatch.h"

/* What the inputs broadcast to. */
static poy_status join(const poyi_call *call, const poy_array *const *in, int *rank, int64_t *extent)
{
    *rank = in[0]->rank;
    for (int i = 0; i < in[0]->rank; i++)
        extent[i] = in[0]->extent[i];
    for (int k = 1; k < 3; k++)
        if (!poyi_shape_join(rank, extent, in[k]->rank, in[k]->extent))
            return POYI_OP_FAIL(call, POY_ERR_BROADCAST, "%s: shapes %s, %s and %s do not broadcast", call->row->name,
                                poyi_shape_print(in[0]->rank, in[0]->extent).text,
                                poyi_shape_print(in[1]->rank, in[1]->extent).text,
                                poyi_shape_print(in[2]->rank, in[2]->extent).text);
    return POY_OK;
}

/* The inputs of where are y and z; x is asked for its backend only. */
static poy_status begin(poy_ctx *ctx, poyi_op op, const poy_array *const *in, poyi_call *call)
{
    int chooses = op == POYI_OP_where;
    POYI_TRY(ctx, poyi_call_begin(ctx, op, chooses ? 2 : 3, chooses ? in + 1 : in, call));
    if (!in[0])
        return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "%s: input 1 is NULL: was it made?", call->row->name);
    if (in[0]->be != call->be)
        return poyi_call_two_backends(call, in[0]->be, "y", call->be);
    if (chooses && poy_dtype_is_complex(in[0]->dtype))
        return POYI_OP_FAIL(call, POY_ERR_DTYPE, "where: x is %s, needs b8 or a real type; ne asks whether it is not 0",
                            poy_dtype_name(in[0]->dtype));
    return POY_OK;
}

static __attribute__((noinline)) poy_status ternary(poy_ctx *ctx, poyi_op op, const poy_array *x, const poy_array *y,
                                                    const poy_array *z, poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out, *w;
    poyi_work work;
    int rank;
    int64_t extent[POY_RANK_MAX];
    const poy_array *in[3] = {x, y, z};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, begin(ctx, op, in, &call));
    POYI_TO_DONE(ctx, join(&call, in, &rank, extent));
    POYI_TO_DONE(ctx, poyi_call_find(&call, op, call.dtype, &work));
    POYI_TO_DONE(ctx, poyi_call_output(&call, poyi_call_result_type(&call), rank, extent, into, made, &out));
    if (!out->size)
        goto done;
    for (int k = 0; k < 3; k++) {
        poy_dtype dtype = k == 0 && op == POYI_OP_where ? POY_B8 : call.dtype;
        POYI_TO_DONE(ctx, poyi_call_input_as(&call, dtype, &in[k], out, 1, rank, extent));
    }
    POYI_TO_DONE(ctx, poyi_call_stand_in(&call, out, &w));
    const poy_array *const all[4] = {in[0], in[1], in[2], w};
    poyi_call_tensors(4, all, work.t);
    POYI_TO_DONE(ctx, poyi_call_work(&call, &work, 4, all));
    status = poyi_call_deliver(&call, w, out);
done:
    return poyi_call_end(&call, status, made);
}

static inline __attribute__((always_inline)) poy_status
ternary_into(poy_ctx *ctx, poyi_op op, const poy_array *x, const poy_array *y, const poy_array *z, poy_array *w)
{
    const poy_array *const in[3] = {x, y, z};
    const poy_dtype first = op == POYI_OP_where ? POY_B8 : z->dtype;
    return poyi_call_at_once(ctx, op, POYI_OUT_SAME, z->dtype, first, z->dtype, 3, in, w)
               ? POY_OK
               : ternary(ctx, op, x, y, z, w, NULL);
}

#define DEFINE(name)                                                                                               \
    poy_status poy_##name(poy_ctx *ctx, const poy_array *x, const poy_array *y, const poy_array *z, poy_array **w) \
    {                                                                                                              \
        return ternary(ctx, POYI_OP_##name, x, y, z, NULL, w);                                                     \
    }                                                                                                              \
    poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, const poy_array *z,         \
                                 poy_array *w)                                                                     \
    {                                                                                                              \
        return ternary_into(ctx, POYI_OP_##name, x, y, z, w);                                                      \
    }
DEFINE(where)
DEFINE(axpy)

/* One bound is a maximum or a minimum. */
poy_status poy_clip(poy_ctx *ctx, const poy_array *x, const poy_array *y, const poy_array *z, poy_array **w)
{
    return y && z ? ternary(ctx, POYI_OP_clip, x, y, z, NULL, w)
           : y    ? poy_maximum(ctx, x, y, w)
           : z    ? poy_minimum(ctx, x, z, w)
                  : poy_copy(ctx, x, x->dtype, w);
}

poy_status poy_clip_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, const poy_array *z, poy_array *w)
{
    return y && z ? ternary_into(ctx, POYI_OP_clip, x, y, z, w)
           : y    ? poy_maximum_into(ctx, x, y, w)
           : z    ? poy_minimum_into(ctx, x, z, w)
                  : poy_copy_into(ctx, x, w);
}
