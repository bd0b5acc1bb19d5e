/* call.c: what calls of all operations have in common: one backend, promotion, outputs, copies of inputs. */
#include <stdio.h>
#include <string.h>

#include "ops/capture.h"

poy_dtype poy_result_type(poy_dtype a, poy_dtype b)
{
    enum { f32 = POY_F32, f64 = POY_F64, c64 = POY_C64, c128 = POY_C128, i32 = POY_I32, i64 = POY_I64, b8 = POY_B8 };
    /* clang-format off */
    static const unsigned char table[POY_DTYPE_COUNT][POY_DTYPE_COUNT] = {
        /*            f32   f64   c64   c128  i32   i64   b8 */
        [POY_F32]  = {f32,  f64,  c64,  c128, f64,  f64,  f32},
        [POY_F64]  = {f64,  f64,  c128, c128, f64,  f64,  f64},
        [POY_C64]  = {c64,  c128, c64,  c128, c128, c128, c64},
        [POY_C128] = {c128, c128, c128, c128, c128, c128, c128},
        [POY_I32]  = {f64,  f64,  c128, c128, i32,  i64,  i32},
        [POY_I64]  = {f64,  f64,  c128, c128, i64,  i64,  i64},
        [POY_B8]   = {f32,  f64,  c64,  c128, i32,  i64,  b8},
    };
    /* clang-format on */
    return (poy_dtype)table[a][b];
}

poy_dtype poy_scalar_type(poy_dtype a, poy_kind kind)
{
    const int is_whole = a == POY_I32 || a == POY_I64 || a == POY_B8;
    if (kind == POY_KIND_COMPLEX)
        return poy_dtype_complex(a);
    if (kind == POY_KIND_REAL && is_whole)
        return POY_F64;
    return kind == POY_KIND_WHOLE && a == POY_B8 ? POY_I64 : a;
}

/* The type in which a row computes what comes as dtype. */
static poy_dtype computing_type(const poyi_op_row *row, poy_dtype dtype)
{
    int whole = dtype == POY_I32 || dtype == POY_I64 || dtype == POY_B8;
    if (whole && (row->dtypes == POYI_DTYPES_FLOAT || row->dtypes == POYI_DTYPES_REAL))
        return POY_F64;
    if (row->dtypes == POYI_DTYPES_COMPLEX)
        return poy_dtype_complex(dtype);
    if (row->dtypes == POYI_DTYPES_SUM && (dtype == POY_I32 || dtype == POY_B8))
        return POY_I64;
    return dtype;
}

poy_status poyi_op_failed(poy_ctx *ctx, poy_status status, const poy_backend *be, const char *what, const char *func,
                          const char *file, int line)
{
    char call[96];
    snprintf(call, sizeof call, "%s.%s", poy_backend_name(be), what);
    return poyi_passed(ctx, status, call, func, file, line);
}

static poy_status refuse_type(const poyi_call *call)
{
    char types[64] = "";
    size_t used = 0;
    for (int t = 0; t < POY_DTYPE_COUNT && used < sizeof types; t++)
        if (poyi_op_takes(call->op, (poy_dtype)t))
            used += (size_t)snprintf(types + used, sizeof types - used, " %s", poy_dtype_name((poy_dtype)t));
    return POYI_OP_FAIL(call, POY_ERR_DTYPE, "%s: the inputs are %s together, needs one of%s", call->row->name,
                        poy_dtype_name(call->dtype), types);
}

poy_status poyi_call_two_backends(const poyi_call *call, const poy_backend *x, const char *what,
                                  const poy_backend *other)
{
    const char *name = poy_backend_name(x), *other_name = poy_backend_name(other);
    return POYI_OP_FAIL(call, POY_ERR_BACKEND, "%s: x is on '%s', %s on %s'%s'; %s", call->row->name, name, what,
                        strcmp(name, other_name) ? "" : "another ", other_name,
                        strcmp(name, other_name)
                            ? "poy_array_move copies one to the other"
                            : "its settings differ, or its context is no fork of the other (poy_ctx_fork)");
}

poy_status poyi_call_begin(poy_ctx *ctx, poyi_op op, int n, const poy_array *const *in, poyi_call *call)
{
    call->ctx = ctx;
    call->op = op;
    call->row = &poyi_op_rows[op];
    call->n_temps = 0;
    for (int i = 0; i < n; i++)
        if (!in[i])
            return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "%s: input %d is NULL: was it made?", call->row->name, i + 1);
    call->be = in[0]->be;
    poy_dtype dtype = in[0]->dtype;
    for (int i = 1; i < n; i++) {
        if (in[i]->be != call->be)
            return poyi_call_two_backends(call, call->be, "y", in[i]->be);
        dtype = poy_result_type(dtype, in[i]->dtype);
    }
    call->dtype = computing_type(call->row, dtype);
    if (!poyi_op_takes(op, call->dtype))
        return refuse_type(call);
    return POY_OK;
}

poy_status poyi_call_end(poyi_call *call, poy_status status, poy_array **made)
{
    while (call->n_temps > 0)
        poy_array_destroy(&call->temps[--call->n_temps]);
    if (status != POY_OK)
        poyi_capture_spoil(call->ctx, status);
    if (status != POY_OK && made)
        poy_array_destroy(made);
    return status;
}

/* ---- the backend's function ---- */

poy_status poyi_call_find(const poyi_call *call, poyi_op op, poy_dtype dtype, poyi_work *work)
{
    work->op = op;
    POYI_TRY(call->ctx, poyi_backend_cell(call->ctx, call->be, op, dtype, &work->cell, &work->state));
    work->at_once = poyi_backend_head_of(call->be)->at_once[op][dtype];
    return POY_OK;
}

/* One function a family, each a step's: its arg is the work. */
#define RUN(family, ...)                                                                                \
    static poy_status run_##family(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars) \
    {                                                                                                   \
        const poyi_work *w = step->arg;                                                                 \
        (void)scalars;                                                                                  \
        return w->cell.family(ctx, be, __VA_ARGS__);                                                    \
    }
RUN(fill, w->arg.value, &w->t[0])
RUN(copy, &w->t[0], &w->t[1])
RUN(unary, &w->t[0], &w->t[1])
RUN(binary, &w->t[0], &w->t[1], &w->t[2])
RUN(ternary, &w->t[0], &w->t[1], &w->t[2], &w->t[3])
RUN(reduce, w->arg.n_reduced, &w->t[0], &w->t[1])
RUN(line, &w->t[0], &w->t[1])
RUN(take, &w->t[0], &w->t[1], &w->t[2])
RUN(put, &w->t[0], &w->t[1], &w->t[2])
RUN(dot, &w->t[0], &w->t[1], &w->t[2])
RUN(matmul, &w->t[0], &w->t[1], &w->t[2])
RUN(fft, &w->arg.fft, &w->t[0], &w->t[1])
#undef RUN

static poy_status run_sparse(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poyi_work *w = step->arg;
    const poy_tensor *t = w->t;
    const poy_sparse_arg arg = {w->arg.sparse.conjugate, &t[0], &t[1], &t[2], w->arg.sparse.has_runs ? &t[5] : NULL};
    (void)scalars;
    return w->cell.sparse(ctx, be, &arg, &t[3], &t[4]);
}

poyi_step_run *poyi_work_runner(const poyi_work *work)
{
    static poyi_step_run *const runners[] = {
        [POY_FAMILY_fill] = run_fill,       [POY_FAMILY_copy] = run_copy,     [POY_FAMILY_unary] = run_unary,
        [POY_FAMILY_binary] = run_binary,   [POY_FAMILY_reduce] = run_reduce, [POY_FAMILY_matmul] = run_matmul,
        [POY_FAMILY_fft] = run_fft,         [POY_FAMILY_line] = run_line,     [POY_FAMILY_take] = run_take,
        [POY_FAMILY_ternary] = run_ternary, [POY_FAMILY_put] = run_put,       [POY_FAMILY_dot] = run_dot,
        [POY_FAMILY_sparse] = run_sparse};
    return runners[poyi_op_rows[work->op].family];
}

poy_status poyi_call_work(const poyi_call *call, const poyi_work *work, int n, const poy_array *const *a)
{
    poy_ctx *ctx = call->ctx;
    const poy_step step = {.arg = work};
    if (poyi_ctx_capture(ctx))
        return poyi_capture_work(call, work, n, a);
    if (poyi_backend_is_foreign(call->be))
        poy_ctx_clear(ctx);
    const poy_status status = poyi_work_runner(work)(ctx, &step, work->state, NULL);
    if (status != POY_OK)
        return poyi_op_failed(ctx, status, call->be, poyi_op_rows[work->op].name, call->row->function, __FILE__,
                              __LINE__);
    return POY_OK;
}

/* ---- outputs, temporaries ---- */

static poy_status check_output(const poyi_call *call, poy_dtype dtype, int rank, const int64_t *extent,
                               const poy_array *out)
{
    const char *name = call->row->name;
    if (out->be != call->be)
        return poyi_call_two_backends(call, call->be, "the output", out->be);
    if (out->dtype != dtype)
        return POYI_OP_FAIL(call, POY_ERR_DTYPE, "%s: the output is %s, the result %s", name,
                            poy_dtype_name(out->dtype), poy_dtype_name(dtype));
    if (!poyi_shape_equal(rank, extent, out->rank, out->extent))
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: the output has shape %s, the result %s", name,
                            poyi_shape_print(out->rank, out->extent).text, poyi_shape_print(rank, extent).text);
    if (!out->distinct)
        return POYI_OP_FAIL(
            call, POY_ERR_ARGUMENT,
            "%s: the output is for reading, or its elements share memory (a broadcast view): it cannot be written to",
            name);
    return POY_OK;
}

poy_status poyi_call_output(poyi_call *call, poy_dtype dtype, int rank, const int64_t *extent, poy_array *into,
                            poy_array **made, poy_array **out)
{
    if (into) {
        *out = into;
        return check_output(call, dtype, rank, extent, into);
    }
    if (poyi_ctx_capture(call->ctx)) {
        char what[64], hint[64];
        snprintf(what, sizeof what, "%s makes its result", call->row->function);
        snprintf(hint, sizeof hint, "%s_into writes to an array that is there", call->row->function);
        return poyi_capture_refuse(call->ctx, what, hint);
    }
    POYI_TRY(call->ctx, poyi_array_create(call->ctx, call->be, "array", dtype, rank, extent, made));
    *out = *made;
    return POY_OK;
}

poy_status poyi_call_keep(poyi_call *call, poy_array *view)
{
    if (call->n_temps == POYI_CALL_TEMPS) {
        poy_array_destroy(&view);
        return POYI_OP_FAIL(call, POY_ERR_INTERNAL, "%s: more than %d temporaries", call->row->name, POYI_CALL_TEMPS);
    }
    call->temps[call->n_temps++] = view;
    return POY_OK;
}

poy_status poyi_call_temp(poyi_call *call, poy_dtype dtype, int rank, const int64_t *extent, poy_array **out)
{
    POYI_TRY(call->ctx, poyi_array_create(call->ctx, call->be, poyi_array_copies(call->ctx), dtype, rank, extent, out));
    POYI_TRY(call->ctx, poyi_call_keep(call, *out));
    return POY_OK;
}

poy_status poyi_call_copy(poyi_call *call, const poy_array *x, poy_array *y)
{
    poyi_work work;
    const poy_array *const both[2] = {x, y};
    poyi_nest nest = {.n = 2, .rank = y->rank};

    if (!y->size)
        return POY_OK;
    POYI_TRY(call->ctx, poyi_call_find(call, POYI_OP_copy, x->dtype, &work));
    for (int i = 0; i < y->rank; i++) {
        nest.extent[i] = y->extent[i];
        nest.stride[1][i] = y->stride[i];
    }
    poyi_shape_broadcast_strides(x->rank, x->extent, x->stride, y->rank, y->extent, nest.stride[0]);
    if (!poyi_nest_normalise(&nest, 0, y->rank, 1))
        nest.extent[nest.rank++] = 1; /* one element is an axis, too */
    poyi_nest_tensor(&nest, 0, x, &work.t[0]);
    poyi_nest_tensor(&nest, 1, y, &work.t[1]);
    return poyi_call_work(call, &work, 2, both);
}

/* ---- overlap ---- */

static int same_window(const poy_array *a, const poy_array *b)
{
    if (a->mem != b->mem || a->offset != b->offset || a->dtype != b->dtype ||
        !poyi_shape_equal(a->rank, a->extent, b->rank, b->extent))
        return 0;
    for (int i = 0; i < a->rank; i++)
        if (a->extent[i] != 1 && a->stride[i] != b->stride[i])
            return 0;
    return 1;
}

/* The bytes from the first that an array touches to the last; from its handle, or addresses in host memory. */
static void byte_range(const poy_array *a, int host, uintptr_t *first, uintptr_t *end)
{
    int64_t low = 0, high = a->size - 1, size = (int64_t)poy_dtype_size(a->dtype);
    if (!a->contiguous)
        poyi_window_range(a->rank, a->extent, a->stride, &low, &high);
    uintptr_t base = host ? (uintptr_t)a->mem : 0; /* sums wrap as addresses do */
    *first = base + (uintptr_t)((a->offset + low) * size);
    *end = base + (uintptr_t)((a->offset + high + 1) * size);
}

static int may_overlap(const poy_array *a, const poy_array *b)
{
    int host = poyi_backend_is_host(a->be);
    uintptr_t a_first, a_end, b_first, b_end;
    if (!host && a->mem != b->mem)
        return 0;
    byte_range(a, host, &a_first, &a_end);
    byte_range(b, host, &b_first, &b_end);
    return a_first < b_end && b_first < a_end;
}

int poyi_call_wants_packed(const poyi_call *call, poyi_op op, poy_dtype dtype)
{
    return !(poyi_backend_api(call->be)->flags & POY_BACKEND_STRIDED) &&
           poy_backend_origin(call->be, poyi_op_rows[op].name, dtype) == POY_NATIVE;
}

static poy_status replace(poyi_call *call, const poy_array **x, poy_dtype dtype, int rank, const int64_t *extent)
{
    poy_array *copy = NULL;
    POYI_TRY(call->ctx, poyi_call_temp(call, dtype, rank, extent, &copy));
    POYI_TRY(call->ctx, poyi_call_copy(call, *x, copy));
    *x = copy;
    return POY_OK;
}

poy_status poyi_call_input_as(poyi_call *call, poy_dtype dtype, const poy_array **x, const poy_array *out, int in_place,
                              int rank, const int64_t *extent)
{
    const poy_array *a = *x;
    if (poyi_call_wants_packed(call, call->op, call->dtype)) {
        int packed = a->contiguous && a->dtype == dtype && poyi_shape_equal(rank, extent, a->rank, a->extent);
        if (!packed || (may_overlap(a, out) && !(in_place && same_window(a, out))))
            POYI_TRY(call->ctx, replace(call, x, dtype, rank, extent));
        return POY_OK;
    }
    if (a->dtype != dtype || (may_overlap(a, out) && !(in_place && same_window(a, out))))
        POYI_TRY(call->ctx, replace(call, x, dtype, a->rank, a->extent));
    return POY_OK;
}

poy_status poyi_call_input(poyi_call *call, const poy_array **x, const poy_array *out, int in_place, int rank,
                           const int64_t *extent)
{
    return poyi_call_input_as(call, call->dtype, x, out, in_place, rank, extent);
}

poy_status poyi_call_stand_in(poyi_call *call, poy_array *out, poy_array **stand_in)
{
    *stand_in = out;
    if (!out->contiguous && poyi_call_wants_packed(call, call->op, call->dtype))
        POYI_TRY(call->ctx, poyi_call_temp(call, out->dtype, out->rank, out->extent, stand_in));
    return POY_OK;
}

poy_status poyi_call_deliver(poyi_call *call, poy_array *stand_in, poy_array *out)
{
    if (stand_in != out)
        POYI_TRY(call->ctx, poyi_call_copy(call, stand_in, out));
    return POY_OK;
}

/* ---- lines ---- */

poy_status poyi_call_axis_last(poyi_call *call, const poy_array *a, int axis, poy_array **out)
{
    int order[POY_RANK_MAX], n = 0;
    for (int i = 0; i < a->rank; i++)
        if (i != axis)
            order[n++] = i;
    order[n] = axis;
    POYI_TRY(call->ctx, poy_array_transpose(call->ctx, a, order, out));
    POYI_TRY(call->ctx, poyi_call_keep(call, *out));
    return POY_OK;
}

void poyi_call_line_tensors(int n, const poy_array *const *a, poy_tensor *t)
{
    const int lines = a[0]->rank - 1;
    poyi_nest nest = {.n = n, .rank = lines};
    for (int i = 0; i < lines; i++) {
        nest.extent[i] = a[0]->extent[i];
        for (int k = 0; k < n; k++)
            nest.stride[k][i] = a[k]->stride[i];
    }
    const int left = poyi_nest_normalise(&nest, 0, lines, n - 1);
    for (int k = 0; k < n; k++) {
        poyi_nest_tensor(&nest, k, a[k], &t[k]);
        t[k].extent[left] = a[k]->extent[lines];
        t[k].stride[left] = a[k]->stride[lines];
        t[k].rank = left + 1;
    }
}
