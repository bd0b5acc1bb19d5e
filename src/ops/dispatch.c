/* dispatch.c: the public functions of fill, copy and the element-by-element operations of ops.def. */
#include <math.h>

#include "ops/dispatch.h"

/* ---- nests of element-by-element work ---- */

static int all_dense(int n, const poy_array *const *a)
{
    for (int k = 0; k < n; k++)
        if (!a[k]->contiguous || !poyi_shape_equal(a[k]->rank, a[k]->extent, a[n - 1]->rank, a[n - 1]->extent))
            return 0;
    return 1;
}

void poyi_call_tensors(int n, const poy_array *const *a, poy_tensor *t)
{
    const poy_array *out = a[n - 1];
    if (all_dense(n, a)) { /* one axis */
        for (int k = 0; k < n; k++) {
            t[k].mem = a[k]->mem;
            t[k].offset = a[k]->offset;
            t[k].dtype = a[k]->dtype;
            t[k].rank = 1;
            t[k].extent[0] = out->size;
            t[k].stride[0] = 1;
        }
        return;
    }
    poyi_nest nest = {.n = n, .rank = out->rank};
    for (int i = 0; i < out->rank; i++)
        nest.extent[i] = out->extent[i];
    for (int k = 0; k < n; k++)
        poyi_shape_broadcast_strides(a[k]->rank, a[k]->extent, a[k]->stride, out->rank, out->extent, nest.stride[k]);
    if (!poyi_nest_normalise(&nest, 0, out->rank, n - 1)) {
        nest.extent[0] = 1; /* one element is an axis, too */
        for (int k = 0; k < n; k++)
            nest.stride[k][0] = 1;
        nest.rank = 1;
    }
    for (int k = 0; k < n; k++)
        poyi_nest_tensor(&nest, k, a[k], &t[k]);
}

poy_dtype poyi_call_result_type(const poyi_call *call)
{
    return poyi_call_result_of(call->row->out, call->dtype);
}

/* ---- fill ---- */

static poy_status run_fill(poyi_call *call, poy_scalar value, poy_array *out)
{
    poyi_work work;
    poy_array *y;

    if (!out->size)
        return POY_OK;
    POYI_TRY(call->ctx, poyi_call_stand_in(call, out, &y));
    const poy_array *const only[1] = {y};
    poyi_call_tensors(1, only, work.t);
    POYI_TRY(call->ctx, poyi_call_find(call, POYI_OP_fill, out->dtype, &work));
    work.arg.value = value;
    POYI_TRY(call->ctx, poyi_call_work(call, &work, 1, only));
    return poyi_call_deliver(call, y, out);
}

poy_status poyi_call_fill(poyi_call *call, poy_scalar value, poy_array *out)
{
    return run_fill(call, value, out);
}

poy_status poyi_call_zero(poyi_call *call, poy_array *out)
{
    return run_fill(call, (poy_scalar){0, 0}, out);
}

static poy_status check_value(const poyi_call *call, poy_scalar value, poy_dtype dtype)
{
    if (!poy_dtype_is_complex(dtype) && value.im != 0)
        return POYI_OP_FAIL(call, POY_ERR_COMPLEX_TO_REAL, "fill: the value %g%+gi does not go into %s", value.re,
                            value.im, poy_dtype_name(dtype));
    if ((dtype == POY_I32 || dtype == POY_I64) && !isfinite(value.re))
        return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "fill: the value %g does not go into %s", value.re,
                            poy_dtype_name(dtype));
    return POY_OK;
}

static poyi_call fill_call(poy_ctx *ctx, poy_backend *be, poy_dtype dtype)
{
    return (poyi_call){
        .ctx = ctx, .op = POYI_OP_fill, .row = &poyi_op_rows[POYI_OP_fill], .be = be, .dtype = dtype, .n_temps = 0};
}

poy_status poy_fill(poy_ctx *ctx, poy_backend *be, poy_scalar value, poy_dtype dtype, int rank, const int64_t *extent,
                    poy_array **y)
{
    poy_status status = POY_OK;
    poyi_call call = fill_call(ctx, be, dtype);

    *y = NULL;
    POYI_TRY(ctx, poyi_array_create(ctx, be, "array", dtype, rank, extent, y));
    POYI_TO_DONE(ctx, check_value(&call, value, dtype));
    POYI_TO_DONE(ctx, run_fill(&call, value, *y));
done:
    return poyi_call_end(&call, status, y);
}

static __attribute__((noinline)) poy_status fill_into(poy_ctx *ctx, poy_scalar value, poy_array *y)
{
    poy_status status = POY_OK;
    poyi_call call = fill_call(ctx, y->be, y->dtype);
    poy_array *out;

    POYI_TO_DONE(ctx, check_value(&call, value, y->dtype));
    POYI_TO_DONE(ctx, poyi_call_output(&call, y->dtype, y->rank, y->extent, y, NULL, &out));
    POYI_TO_DONE(ctx, run_fill(&call, value, out));
done:
    return poyi_call_end(&call, status, NULL);
}

poy_status poy_fill_into(poy_ctx *ctx, poy_scalar value, poy_array *y)
{
    poyi_call_short s;
    if (value.im == 0 && isfinite(value.re) && poyi_call_short_count(y->size) &&
        poyi_call_short_to(ctx, POYI_OP_fill, y->dtype, y->dtype, y, &s)) { /* the long way judges other values */
        s.p[0] = &value;
        s.p[1] = s.to;
        s.run(s.p, s.stride, y->size);
        return POY_OK;
    }
    return fill_into(ctx, value, y);
}

/* ---- copy ---- */

static poy_status begin_copy(poy_ctx *ctx, const poy_array *x, poy_dtype to, poyi_call *call)
{
    POYI_TRY(ctx, poyi_call_begin(ctx, POYI_OP_copy, 1, &x, call));
    if (poy_dtype_is_complex(x->dtype) && !poy_dtype_is_complex(to))
        return POYI_OP_FAIL(call, POY_ERR_COMPLEX_TO_REAL,
                            "copy: %s does not go into %s, whatever its imaginary parts are; take real or abs first",
                            poy_dtype_name(x->dtype), poy_dtype_name(to));
    return POY_OK;
}

poy_status poy_copy(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, poy_array **y)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};

    *y = NULL;
    if ((unsigned)dtype >= POY_DTYPE_COUNT)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "copy: there is no element type %d", (int)dtype);
    POYI_TO_DONE(ctx, begin_copy(ctx, x, dtype, &call));
    POYI_TO_DONE(ctx, poyi_array_create(ctx, x->be, "array", dtype, x->rank, x->extent, y));
    POYI_TO_DONE(ctx, poyi_call_copy(&call, x, *y));
done:
    return poyi_call_end(&call, status, y);
}

static __attribute__((noinline)) poy_status copy_into(poy_ctx *ctx, const poy_array *x, poy_array *y)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out;
    int rank = y->rank;
    int64_t extent[POY_RANK_MAX];

    POYI_TO_DONE(ctx, begin_copy(ctx, x, y->dtype, &call));
    for (int i = 0; i < rank; i++)
        extent[i] = y->extent[i];
    if (!poyi_shape_join(&rank, extent, x->rank, x->extent) || !poyi_shape_equal(rank, extent, y->rank, y->extent)) {
        status = POYI_OP_FAIL(&call, POY_ERR_BROADCAST, "copy: shape %s does not broadcast to %s",
                              poyi_shape_print(x->rank, x->extent).text, poyi_shape_print(y->rank, y->extent).text);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_call_output(&call, y->dtype, y->rank, y->extent, y, NULL, &out));
    if (y->size) {
        POYI_TO_DONE(ctx, poyi_call_input(&call, &x, y, 1, y->rank, y->extent));
        POYI_TO_DONE(ctx, poyi_call_copy(&call, x, y));
    }
done:
    return poyi_call_end(&call, status, NULL);
}

poy_status poy_copy_into(poy_ctx *ctx, const poy_array *x, poy_array *y)
{
    poyi_call_short s;
    if (poyi_call_short_count(y->size) && (!poy_dtype_is_complex(x->dtype) || poy_dtype_is_complex(y->dtype)) &&
        poyi_call_short_to(ctx, POYI_OP_copy, x->dtype, y->dtype, y, &s) && poyi_call_short_each(&s, 0, x->dtype, x)) {
        poy_dtype to = y->dtype;
        s.p[1] = s.to;
        s.p[2] = &to;
        s.stride[1] = 1;
        s.run(s.p, s.stride, y->size);
        return POY_OK;
    }
    return copy_into(ctx, x, y);
}

/* ---- unary, binary ---- */

static __attribute__((noinline)) poy_status unary(poy_ctx *ctx, poyi_op op, const poy_array *x, poy_array *into,
                                                  poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out, *y;
    poyi_work work;

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, op, 1, &x, &call));
    POYI_TO_DONE(ctx, poyi_call_find(&call, op, call.dtype, &work));
    POYI_TO_DONE(ctx, poyi_call_output(&call, poyi_call_result_type(&call), x->rank, x->extent, into, made, &out));
    if (!out->size)
        goto done;
    POYI_TO_DONE(ctx, poyi_call_input(&call, &x, out, 1, out->rank, out->extent));
    POYI_TO_DONE(ctx, poyi_call_stand_in(&call, out, &y));
    const poy_array *const both[2] = {x, y};
    poyi_call_tensors(2, both, work.t);
    POYI_TO_DONE(ctx, poyi_call_work(&call, &work, 2, both));
    status = poyi_call_deliver(&call, y, out);
done:
    return poyi_call_end(&call, status, made);
}

static poy_status join(poyi_call *call, const poy_array *x, const poy_array *y, int *rank, int64_t *extent)
{
    *rank = x->rank;
    for (int i = 0; i < x->rank; i++)
        extent[i] = x->extent[i];
    if (!poyi_shape_join(rank, extent, y->rank, y->extent))
        return POYI_OP_FAIL(call, POY_ERR_BROADCAST, "%s: shapes %s and %s do not broadcast", call->row->name,
                            poyi_shape_print(x->rank, x->extent).text, poyi_shape_print(y->rank, y->extent).text);
    return POY_OK;
}

static __attribute__((noinline)) poy_status binary(poy_ctx *ctx, poyi_op op, const poy_array *x, const poy_array *y,
                                                   poy_array *into, poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *out, *z;
    poyi_work work;
    int rank;
    int64_t extent[POY_RANK_MAX];
    const poy_array *const in[2] = {x, y};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, op, 2, in, &call));
    const poy_dtype second = op == POYI_OP_cis_mul ? poy_dtype_real(call.dtype) : call.dtype;
    if (poy_dtype_is_complex(y->dtype) && !poy_dtype_is_complex(second)) {
        status = POYI_OP_FAIL(&call, POY_ERR_COMPLEX_TO_REAL, "%s: y is %s, needs a real type", call.row->name,
                              poy_dtype_name(y->dtype));
        goto done;
    }
    POYI_TO_DONE(ctx, join(&call, x, y, &rank, extent));
    POYI_TO_DONE(ctx, poyi_call_find(&call, op, call.dtype, &work));
    POYI_TO_DONE(ctx, poyi_call_output(&call, poyi_call_result_type(&call), rank, extent, into, made, &out));
    if (!out->size)
        goto done;
    POYI_TO_DONE(ctx, poyi_call_input(&call, &x, out, 1, rank, extent));
    POYI_TO_DONE(ctx, poyi_call_input_as(&call, second, &y, out, 1, rank, extent));
    POYI_TO_DONE(ctx, poyi_call_stand_in(&call, out, &z));
    const poy_array *const all[3] = {x, y, z};
    poyi_call_tensors(3, all, work.t);
    POYI_TO_DONE(ctx, poyi_call_work(&call, &work, 3, all));
    status = poyi_call_deliver(&call, z, out);
done:
    return poyi_call_end(&call, status, made);
}

static inline __attribute__((always_inline)) poy_status unary_into(poy_ctx *ctx, poyi_op op, poyi_out result,
                                                                   const poy_array *x, poy_array *y)
{
    return poyi_call_at_once(ctx, op, result, x->dtype, x->dtype, x->dtype, 1, &x, y) ? POY_OK
                                                                                      : unary(ctx, op, x, y, NULL);
}

static inline __attribute__((always_inline)) poy_status
binary_into(poy_ctx *ctx, poyi_op op, poyi_out result, const poy_array *x, const poy_array *y, poy_array *z)
{
    const poy_array *const in[2] = {x, y};
    const poy_dtype second = op == POYI_OP_cis_mul ? poyi_call_result_of(POYI_OUT_REAL, x->dtype) : x->dtype;
    return poyi_call_at_once(ctx, op, result, x->dtype, x->dtype, second, 2, in, z) ? POY_OK
                                                                                    : binary(ctx, op, x, y, z, NULL);
}

/* ---- the public functions: a row without its declaration in poynting/ops.h fails to compile, a declaration without its
 * row fails to link ---- */

#define DEFINE_unary(name, result)                                               \
    poy_status poy_##name(poy_ctx *ctx, const poy_array *x, poy_array **y)       \
    {                                                                            \
        return unary(ctx, POYI_OP_##name, x, NULL, y);                           \
    }                                                                            \
    poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, poy_array *y) \
    {                                                                            \
        return unary_into(ctx, POYI_OP_##name, POYI_OUT_##result, x, y);         \
    }
#define DEFINE_binary(name, result)                                                                  \
    poy_status poy_##name(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z)       \
    {                                                                                                \
        return binary(ctx, POYI_OP_##name, x, y, NULL, z);                                           \
    }                                                                                                \
    poy_status poy_##name##_into(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array *z) \
    {                                                                                                \
        return binary_into(ctx, POYI_OP_##name, POYI_OUT_##result, x, y, z);                         \
    }
#define DEFINE_fill(name, result)
#define DEFINE_copy(name, result)
#define DEFINE_reduce(name, result) /* dispatch_axes.c */
#define DEFINE_matmul(name, result)
#define DEFINE_fft(name, result)
#define DEFINE_ternary(name, result) /* dispatch_ternary.c */
#define DEFINE_line(name, result)    /* dispatch_lines.c */
#define DEFINE_take(name, result)
#define DEFINE_put(name, result)
#define DEFINE_dot(name, result)
#define DEFINE_linalg(name, result)
#define DEFINE_sparse(name, result)
#define POY_OP(name, family, dtypes, out, tol, scale, text) DEFINE_##family(name, out)
#include "poynting/ops.def"
#undef POY_OP
