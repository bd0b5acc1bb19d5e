/* dispatch_linalg.c: the public functions of linear algebra: stacks of matrices, packed and broadcast for the backends. */
#include <string.h>

#include "ops/dispatch.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

enum { MATRICES = 4 }; /* of one call, inputs and outputs */

typedef struct stack {
    int rank; /* of the batch */
    int64_t extent[POY_RANK_MAX], count;
} stack;

static poy_status check_matrix(const poyi_call *call, const poy_array *a, int square)
{
    if (a->rank < 2)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: shape %s has no matrix, needs two axes", call->row->name,
                            poyi_shape_print(a->rank, a->extent).text);
    if (square && a->extent[a->rank - 1] != a->extent[a->rank - 2])
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: the matrices of shape %s are not square", call->row->name,
                            poyi_shape_print(a->rank, a->extent).text);
    return POY_OK;
}

static void stack_of(const poy_array *a, stack *s)
{
    s->rank = a->rank - 2;
    s->count = 1;
    for (int i = 0; i < s->rank; i++) {
        s->extent[i] = a->extent[i];
        s->count *= a->extent[i];
    }
}

/* A dense stack of rows x columns matrices as a tensor of rank 3. */
static poy_tensor dense(const poy_array *a, const stack *s, int64_t rows, int64_t columns)
{
    return (poy_tensor){.mem = a->mem,
                        .offset = a->offset,
                        .dtype = a->dtype,
                        .rank = 3,
                        .extent = {s->count, rows, columns},
                        .stride = {rows * columns, columns, 1}};
}

/* An output of the stack: vectors (rows 0) or matrices. */
static poy_status make(poyi_call *call, const stack *s, poy_dtype dtype, int64_t rows, int64_t columns, poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    int rank = s->rank;
    memcpy(extent, s->extent, sizeof extent);
    if (rows)
        extent[rank++] = rows;
    extent[rank++] = columns;
    return poyi_array_create(call->ctx, call->be, "array", dtype, rank, extent, out);
}

/* a as a dense stack of its own, in the computation's type. */
static poy_status pack(poyi_call *call, const poy_array *a, const stack *s, int64_t rows, int64_t columns,
                       poy_array **out)
{
    int64_t extent[POY_RANK_MAX];
    memcpy(extent, s->extent, sizeof extent);
    extent[s->rank] = rows;
    extent[s->rank + 1] = columns;
    POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, s->rank + 2, extent, out));
    return poyi_call_copy(call, a, *out);
}

static poy_status run(poyi_call *call, const poy_linalg_arg *arg, const poy_tensor *in, const poy_tensor *out)
{
    poy_cell cell;
    void *state;
    POYI_TRY(call->ctx, poyi_backend_cell(call->ctx, call->be, call->op, call->dtype, &cell, &state));
    if (poyi_backend_is_foreign(call->be))
        poy_ctx_clear(call->ctx);
    poy_status status = cell.linalg(call->ctx, state, arg, in, out);
    if (status != POY_OK)
        return poyi_op_failed(call->ctx, status, call->be, call->row->name, call->row->function, __FILE__, __LINE__);
    return POY_OK;
}

/* ---- solve ---- */

static poy_status solve_shapes(const poyi_call *call, const poy_array *a, const poy_array *b, stack *s, int64_t *k)
{
    POYI_TRY(call->ctx, check_matrix(call, a, 1));
    int64_t n = a->extent[a->rank - 1];
    int is_vector = b->rank == 1;
    if (!b->rank || b->extent[is_vector ? 0 : b->rank - 2] != n)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "solve: the right side of shape %s has not %lld rows",
                            poyi_shape_print(b->rank, b->extent).text, (long long)n);
    *k = is_vector ? 1 : b->extent[b->rank - 1];
    stack_of(a, s);
    if (!is_vector && !poyi_shape_join(&s->rank, s->extent, b->rank - 2, b->extent))
        return POYI_OP_FAIL(call, POY_ERR_BROADCAST, "solve: the leading axes of %s and %s do not broadcast",
                            poyi_shape_print(a->rank, a->extent).text, poyi_shape_print(b->rank, b->extent).text);
    if (s->rank + 2 > POY_RANK_MAX)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "solve: %d axes, %d can be", s->rank + 2, POY_RANK_MAX);
    s->count = 1;
    for (int i = 0; i < s->rank; i++)
        s->count *= s->extent[i];
    return POY_OK;
}

poy_status poy_solve(poy_ctx *ctx, const poy_array *a, const poy_array *b, poy_array **x)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    const poy_array *const both[2] = {a, b};
    poy_array *packed_a, *packed_b, *column = NULL;
    stack s = {0};
    int64_t k = 0;
    poy_linalg_arg arg = {0};

    *x = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_solve, 2, both, &call));
    POYI_TO_DONE(ctx, solve_shapes(&call, a, b, &s, &k));
    int64_t n = a->extent[a->rank - 1];
    if (b->rank == 1) {
        const int64_t extent[2] = {n, 1}, stride[2] = {b->stride[0], 1};
        POYI_TO_DONE(ctx, poy_array_view(ctx, b, 2, extent, stride, 0, &column));
        POYI_TO_DONE(ctx, poyi_call_keep(&call, column));
        POYI_TO_DONE(ctx, make(&call, &s, call.dtype, 0, n, x));
    } else {
        POYI_TO_DONE(ctx, make(&call, &s, call.dtype, n, k, x));
        if (!n) /* rows of nothing: make would take 0 for vectors */
            poy_array_destroy(x);
        if (!n) {
            int64_t extent[POY_RANK_MAX];
            memcpy(extent, s.extent, sizeof extent);
            extent[s.rank] = 0;
            extent[s.rank + 1] = k;
            POYI_TO_DONE(ctx, poyi_array_create(ctx, call.be, "array", call.dtype, s.rank + 2, extent, x));
        }
    }
    if (!(*x)->size)
        goto done;
    POYI_TO_DONE(ctx, pack(&call, a, &s, n, n, &packed_a));
    POYI_TO_DONE(ctx, pack(&call, column ? column : b, &s, n, k, &packed_b));
    const poy_tensor in[2] = {dense(packed_a, &s, n, n), dense(packed_b, &s, n, k)}, out[1] = {dense(*x, &s, n, k)};
    status = run(&call, &arg, in, out);
done:
    return poyi_call_end(&call, status, x);
}

/* ---- factors ---- */

poy_status poy_cholesky(poy_ctx *ctx, const poy_array *a, poy_array **l)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *packed;
    stack s = {0};
    poy_linalg_arg arg = {0};

    *l = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_cholesky, 1, &a, &call));
    POYI_TO_DONE(ctx, check_matrix(&call, a, 1));
    stack_of(a, &s);
    int64_t n = a->extent[a->rank - 1];
    POYI_TO_DONE(ctx, poyi_array_create(ctx, call.be, "array", call.dtype, a->rank, a->extent, l));
    if (!a->size)
        goto done;
    POYI_TO_DONE(ctx, pack(&call, a, &s, n, n, &packed));
    const poy_tensor in[1] = {dense(packed, &s, n, n)}, out[1] = {dense(*l, &s, n, n)};
    status = run(&call, &arg, in, out);
done:
    return poyi_call_end(&call, status, l);
}

poy_status poy_eigh(poy_ctx *ctx, const poy_array *a, poy_array **w, poy_array **v)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *packed, *vectors = NULL;
    stack s = {0};
    poy_linalg_arg arg = {.values_only = v == NULL};

    *w = NULL;
    if (v)
        *v = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_eigh, 1, &a, &call));
    POYI_TO_DONE(ctx, check_matrix(&call, a, 1));
    stack_of(a, &s);
    int64_t n = a->extent[a->rank - 1];
    POYI_TO_DONE(ctx, make(&call, &s, poy_dtype_real(call.dtype), 0, n, w));
    if (v)
        POYI_TO_DONE(ctx, poyi_array_create(ctx, call.be, "array", call.dtype, a->rank, a->extent, v));
    if (!a->size)
        goto done;
    POYI_TO_DONE(ctx, pack(&call, a, &s, n, n, &packed));
    if (!v)
        POYI_TO_DONE(ctx, poyi_call_temp(&call, call.dtype, a->rank, a->extent, &vectors));
    const poy_tensor in[1] = {dense(packed, &s, n, n)};
    const poy_tensor out[2] = {dense(*w, &s, 1, n), dense(v ? *v : vectors, &s, n, n)};
    status = run(&call, &arg, in, out);
done:
    if (status != POY_OK && v)
        poy_array_destroy(v);
    return poyi_call_end(&call, status, w);
}

/* The three outputs of a singular value decomposition, u and vh perhaps for the call only. */
static poy_status make_svd(poyi_call *call, const stack *s, const poy_array *a, int full, poy_array **u, poy_array **sv,
                           poy_array **vh, poy_array **temp)
{
    int64_t m = a->extent[a->rank - 2], n = a->extent[a->rank - 1], k = m < n ? m : n, shape[POY_RANK_MAX];
    memcpy(shape, a->extent, sizeof shape);
    POYI_TRY(call->ctx, make(call, s, poy_dtype_real(call->dtype), 0, k, sv));
    for (int right = 0; right < 2; right++) {
        poy_array **out = right ? vh : u;
        shape[a->rank - 2] = right ? (full ? n : k) : m;
        shape[a->rank - 1] = right ? n : (full ? m : k);
        if (out)
            POYI_TRY(call->ctx, poyi_array_create(call->ctx, call->be, "array", call->dtype, a->rank, shape, out));
        else
            POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, a->rank, shape, &temp[right]));
        if (out)
            temp[right] = *out;
    }
    return POY_OK;
}

/* Of a matrix without elements any basis will do. */
static poy_status fill_identity(poyi_call *call, poy_array *a)
{
    poy_array *diagonal = NULL;
    POYI_TRY(call->ctx, poyi_call_zero(call, a));
    POYI_TRY(call->ctx, poy_array_diagonal(call->ctx, a, 0, &diagonal));
    POYI_TRY(call->ctx, poyi_call_keep(call, diagonal));
    return poyi_call_fill(call, (poy_scalar){1, 0}, diagonal);
}

poy_status poy_svd(poy_ctx *ctx, const poy_array *a, int full, poy_array **u, poy_array **sv, poy_array **vh)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *packed, *factor[2] = {NULL, NULL};
    stack s = {0};
    poy_linalg_arg arg = {.values_only = !u && !vh, .full = full != 0 && (u || vh)};

    *sv = NULL;
    if (u)
        *u = NULL;
    if (vh)
        *vh = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_svd, 1, &a, &call));
    POYI_TO_DONE(ctx, check_matrix(&call, a, 0));
    stack_of(a, &s);
    int64_t m = a->extent[a->rank - 2], n = a->extent[a->rank - 1], k = m < n ? m : n;
    POYI_TO_DONE(ctx, make_svd(&call, &s, a, arg.full, u, sv, vh, factor));
    if (!a->size) {
        for (int right = 0; right < 2 && arg.full; right++)
            POYI_TO_DONE(ctx, fill_identity(&call, factor[right]));
        goto done;
    }
    POYI_TO_DONE(ctx, pack(&call, a, &s, m, n, &packed));
    const poy_tensor in[1] = {dense(packed, &s, m, n)};
    const poy_tensor out[3] = {dense(factor[0], &s, m, arg.full ? m : k), dense(*sv, &s, 1, k),
                               dense(factor[1], &s, arg.full ? n : k, n)};
    status = run(&call, &arg, in, out);
done:
    if (status != POY_OK && u)
        poy_array_destroy(u);
    if (status != POY_OK && vh)
        poy_array_destroy(vh);
    return poyi_call_end(&call, status, sv);
}
