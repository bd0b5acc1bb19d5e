/* dispatch_factors.c: factors of general matrices: LU, QR, eigenvalues, which come in one order whatever the backend. */
#include <math.h>
#include <string.h>

#include "ops/dispatch.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

typedef struct stack {
    int rank; /* of the batch */
    int64_t extent[POY_RANK_MAX], count, m, n, k;
} stack;

static poy_status read_stack(const poyi_call *call, const poy_array *a, int square, stack *s)
{
    *s = (stack){.rank = a->rank - 2, .count = 1};
    if (a->rank < 2)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: shape %s has no matrix, needs two axes", call->row->name,
                            poyi_shape_print(a->rank, a->extent).text);
    s->m = a->extent[a->rank - 2];
    s->n = a->extent[a->rank - 1];
    s->k = s->m < s->n ? s->m : s->n;
    if (square && s->m != s->n)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "%s: the matrices of shape %s are not square", call->row->name,
                            poyi_shape_print(a->rank, a->extent).text);
    for (int i = 0; i < s->rank; i++) {
        s->extent[i] = a->extent[i];
        s->count *= a->extent[i];
    }
    return POY_OK;
}

/* Matrices (rows -1: vectors) of a stack, and the tensor of rank 3 that a backend writes to. */
static poy_status make(poyi_call *call, const stack *s, poy_dtype dtype, int64_t rows, int64_t columns, poy_array **out,
                       poy_tensor *t)
{
    int64_t extent[POY_RANK_MAX];
    int rank = s->rank;
    memcpy(extent, s->extent, sizeof extent);
    if (rows >= 0)
        extent[rank++] = rows;
    extent[rank++] = columns;
    POYI_TRY(call->ctx, poyi_array_create(call->ctx, call->be, "array", dtype, rank, extent, out));
    rows = rows < 0 ? 1 : rows;
    *t = (poy_tensor){.mem = (*out)->mem,
                      .dtype = dtype,
                      .rank = 3,
                      .extent = {s->count, rows, columns},
                      .stride = {rows * columns, columns, 1}};
    return POY_OK;
}

/* The backend's function on a copy of a. */
static poy_status run(poyi_call *call, const stack *s, const poy_array *a, const poy_tensor *out)
{
    poy_array *packed = NULL;
    const poy_linalg_arg arg = {0};
    poy_cell cell;
    void *state;
    POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, a->rank, a->extent, &packed));
    POYI_TRY(call->ctx, poyi_call_copy(call, a, packed));
    POYI_TRY(call->ctx, poyi_backend_cell(call->ctx, call->be, call->op, call->dtype, &cell, &state));
    if (poyi_backend_is_foreign(call->be))
        poy_ctx_clear(call->ctx);
    const poy_tensor in = {.mem = packed->mem,
                           .dtype = call->dtype,
                           .rank = 3,
                           .extent = {s->count, s->m, s->n},
                           .stride = {s->m * s->n, s->n, 1}};
    poy_status status = cell.linalg(call->ctx, state, &arg, &in, out);
    if (status != POY_OK)
        return poyi_op_failed(call->ctx, status, call->be, call->row->name, call->row->function, __FILE__, __LINE__);
    return POY_OK;
}

/* Ends a call; all outputs go with a failure. */
static poy_status end(poyi_call *call, poy_status status, int n, poy_array **const *out)
{
    for (int i = 0; i < n && status != POY_OK; i++)
        poy_array_destroy(out[i]);
    return poyi_call_end(call, status, NULL);
}

poy_status poy_lu(poy_ctx *ctx, const poy_array *a, poy_array **l, poy_array **u, poy_array **perm)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_tensor t[3];
    stack s;
    poy_array **const all[3] = {l, u, perm};

    *l = *u = *perm = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_lu, 1, &a, &call));
    POYI_TO_DONE(ctx, read_stack(&call, a, 0, &s));
    POYI_TO_DONE(ctx, make(&call, &s, call.dtype, s.m, s.k, l, &t[0]));
    POYI_TO_DONE(ctx, make(&call, &s, call.dtype, s.k, s.n, u, &t[1]));
    POYI_TO_DONE(ctx, make(&call, &s, POY_I64, -1, s.m, perm, &t[2]));
    if (a->size) {
        POYI_TO_DONE(ctx, run(&call, &s, a, t));
    } else if ((*perm)->size) { /* columns of nothing: no row is moved */
        poy_array *range = NULL;
        status = poy_arange(ctx, call.be, 0, (double)s.m, 1, POY_I64, &range);
        status = status == POY_OK ? poy_copy_into(ctx, range, *perm) : status;
        poy_array_destroy(&range);
    }
done:
    return end(&call, status, 3, all);
}

poy_status poy_qr(poy_ctx *ctx, const poy_array *a, poy_array **q, poy_array **r)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_tensor t[2];
    stack s;
    poy_array **const all[2] = {q, r};

    *q = *r = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_qr, 1, &a, &call));
    POYI_TO_DONE(ctx, read_stack(&call, a, 0, &s));
    POYI_TO_DONE(ctx, make(&call, &s, call.dtype, s.m, s.k, q, &t[0]));
    POYI_TO_DONE(ctx, make(&call, &s, call.dtype, s.k, s.n, r, &t[1]));
    if (a->size)
        POYI_TO_DONE(ctx, run(&call, &s, a, t));
done:
    return end(&call, status, 2, all);
}

/* ---- eig ---- */

/* By real parts, those within rounding of each other by imaginary parts. w: pairs. */
static void order_of(const double *w, int64_t n, double slack, int64_t *order)
{
    for (int64_t i = 0; i < n; i++) {
        int64_t at = i;
        for (; at > 0; at--) {
            const double *a = &w[2 * order[at - 1]], *b = &w[2 * i];
            const int before = fabs(a[0] - b[0]) > slack ? a[0] < b[0] : a[1] <= b[1];
            if (before)
                break;
            order[at] = order[at - 1];
        }
        order[at] = i;
    }
}

/* Rows of n elements of size bytes, each in an order of its own; count orders of n, rows_each rows to an order. */
static void permute(char *rows, int64_t count, int64_t rows_each, int64_t n, size_t size, const int64_t *order,
                    char *room)
{
    for (int64_t b = 0; b < count; b++)
        for (int64_t r = 0; r < rows_each; r++) {
            char *row = rows + (size_t)((b * rows_each + r) * n) * size;
            for (int64_t i = 0; i < n; i++)
                memcpy(room + (size_t)i * size, row + (size_t)order[b * n + i] * size, size);
            memcpy(row, room, (size_t)n * size);
        }
}

/* The largest modulus of n numbers times what rounding does to them. */
static double slack_of(const double *w, int64_t n, poy_dtype dtype)
{
    double largest = 0;
    for (int64_t i = 0; i < n; i++)
        largest = fmax(largest, hypot(w[2 * i], w[2 * i + 1]));
    return 64 * (double)n * (dtype == POY_C64 ? 0x1p-23 : 0x1p-52) * largest;
}

static poy_status reorder(poyi_call *call, const stack *s, poy_array *w, poy_array *v)
{
    poy_ctx *ctx = call->ctx;
    poy_status status = POY_OK;
    poy_array *wide = NULL;
    void *values = NULL, *order = NULL, *room = NULL, *host = NULL;
    const size_t size = poy_dtype_size(w->dtype);
    POYI_TO_DONE(ctx, poy_copy(ctx, w, POY_C128, &wide));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.eig", (size_t)w->size * 16, &values));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.eig", (size_t)w->size * sizeof(int64_t), &order));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.eig", (size_t)s->n * 16, &room));
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "array.eig", (size_t)(v ? v->size : w->size) * size, &host));
    POYI_TO_DONE(ctx, poy_array_read(ctx, wide, values));
    for (int64_t b = 0; b < s->count; b++) {
        const double *one = (const double *)values + 2 * b * s->n;
        order_of(one, s->n, slack_of(one, s->n, w->dtype), (int64_t *)order + b * s->n);
    }
    for (int k = 0; k < (v ? 2 : 1); k++) {
        poy_array *a = k ? v : w;
        POYI_TO_DONE(ctx, poy_array_read(ctx, a, host));
        permute(host, s->count, k ? s->n : 1, s->n, size, order, room);
        POYI_TO_DONE(ctx, poy_array_write(ctx, a, host));
    }
done:
    poyi_free(&host);
    poyi_free(&room);
    poyi_free(&order);
    poyi_free(&values);
    poy_array_destroy(&wide);
    return status;
}

poy_status poy_eig(poy_ctx *ctx, const poy_array *a, poy_array **w, poy_array **v)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    poy_array *vectors = NULL;
    poy_tensor t[2];
    stack s;
    poy_array **const all[3] = {w, v ? v : &vectors, &vectors};

    *w = NULL;
    if (v)
        *v = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_eig, 1, &a, &call));
    POYI_TO_DONE(ctx, read_stack(&call, a, 1, &s));
    const poy_dtype dtype = poyi_call_result_type(&call);
    POYI_TO_DONE(ctx, make(&call, &s, dtype, -1, s.n, w, &t[0]));
    POYI_TO_DONE(ctx, make(&call, &s, dtype, s.n, s.n, v ? v : &vectors, &t[1]));
    if (a->size) {
        POYI_TO_DONE(ctx, run(&call, &s, a, t));
        POYI_TO_DONE(ctx, reorder(&call, &s, *w, v ? *v : NULL));
    }
done:
    poy_array_destroy(&vectors);
    return end(&call, status, 2, all);
}
