/* dispatch_sparse.c: products of sparse matrices: the rows that a backend works on, types, shapes, packed operands. */
#include "ops/capture.h"
#include "ops/sparse.h"

typedef struct product {
    const poy_sparse *a;
    int transposed, conjugate;
    int64_t rows, inner, k; /* of what is multiplied; columns of x */
    int rank;               /* of x and y */
} product;

static poy_status read_shapes(const poyi_call *call, const poy_sparse *a, poy_sparse_side side, const poy_array *x,
                              product *p)
{
    if ((unsigned)side > POY_SPARSE_ADJOINT)
        return POYI_OP_FAIL(call, POY_ERR_ARGUMENT, "spmm: there is no side %d", (int)side);
    *p = (product){.a = a,
                   .transposed = side != POY_SPARSE_AS_IS,
                   .conjugate = side == POY_SPARSE_ADJOINT && poy_dtype_is_complex(a->dtype),
                   .rank = x->rank};
    p->rows = p->transposed ? a->columns : a->rows;
    p->inner = p->transposed ? a->rows : a->columns;
    if (x->rank < 1 || x->rank > 2 || x->extent[0] != p->inner)
        return POYI_OP_FAIL(call, POY_ERR_SHAPE, "spmm: x has shape %s, needs [%lld] or [%lld, k]",
                            poyi_shape_print(x->rank, x->extent).text, (long long)p->inner, (long long)p->inner);
    p->k = x->rank == 2 ? x->extent[1] : 1;
    return POY_OK;
}

static poy_tensor vector(const poy_array *a)
{
    return (poy_tensor){
        .mem = a->mem, .offset = a->offset, .dtype = a->dtype, .rank = 1, .extent = {a->size}, .stride = {1}};
}

/* A dense array as a matrix; as_real: its parts as columns. */
static poy_tensor matrix(const poy_array *a, int64_t rows, int64_t k, int as_real)
{
    const int64_t parts = as_real ? 2 : 1;
    return (poy_tensor){.mem = a->mem,
                        .offset = a->offset * parts,
                        .dtype = as_real ? poy_dtype_real(a->dtype) : a->dtype,
                        .rank = 2,
                        .extent = {rows, k * parts},
                        .stride = {k * parts, 1}};
}

/* The values of the rows in the computation's type, or real ones for complex vectors as they are. */
static poy_status choose_values(poyi_call *call, const poy_sparse *rows, int *as_real, const poy_array **values)
{
    poy_array *cast = NULL;
    *as_real = poy_dtype_is_complex(call->dtype) && rows->dtype == poy_dtype_real(call->dtype);
    *values = rows->values;
    if (*as_real || rows->dtype == call->dtype)
        return POY_OK;
    POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, 1, &rows->entries, &cast));
    POYI_TRY(call->ctx, poyi_call_copy(call, rows->values, cast));
    *values = cast;
    return POY_OK;
}

static poy_status multiply(poyi_call *call, const product *p, const poy_array *x, poy_array *y)
{
    const poy_sparse *rows = NULL;
    const poy_array *values = NULL, *runs = NULL;
    poy_array *packed = NULL;
    poyi_work work;
    int as_real = 0;

    const poyi_ctx_first before = poyi_capture_pause(call->ctx); /* the entries stay as they are */
    poy_status found = poyi_sparse_in(call->ctx, p->a, p->transposed ? POY_SPARSE_CSC : POY_SPARSE_CSR, &rows);
    if (found == POY_OK)
        found = poyi_sparse_runs(call->ctx, rows, &runs);
    poyi_capture_resume(call->ctx, before);
    POYI_TRY(call->ctx, found);
    POYI_TRY(call->ctx, choose_values(call, rows, &as_real, &values));
    POYI_TRY(call->ctx, poyi_call_input(call, &x, y, 0, x->rank, x->extent));
    if (!x->contiguous) {
        POYI_TRY(call->ctx, poyi_call_temp(call, call->dtype, x->rank, x->extent, &packed));
        POYI_TRY(call->ctx, poyi_call_copy(call, x, packed));
        x = packed;
    }
    poy_dtype dtype = as_real ? poy_dtype_real(call->dtype) : call->dtype;
    POYI_TRY(call->ctx, poyi_call_find(call, call->op, dtype, &work));
    const poy_array *const all[6] = {rows->first, rows->second, values, x, y, runs};
    work.arg.sparse.conjugate = p->conjugate;
    work.arg.sparse.has_runs = runs != NULL;
    for (int k = 0; k < 3; k++)
        work.t[k] = vector(all[k]);
    work.t[3] = matrix(x, p->inner, p->k, as_real);
    work.t[4] = matrix(y, p->rows, p->k, as_real);
    if (runs)
        work.t[5] = vector(runs);
    return poyi_call_work(call, &work, runs ? 6 : 5, all);
}

static poy_status spmm(poy_ctx *ctx, const poy_sparse *a, poy_sparse_side side, const poy_array *x, poy_array *into,
                       poy_array **made)
{
    poy_status status = POY_OK;
    poyi_call call = {.n_temps = 0};
    const poy_array *const both[2] = {a->values, x};
    poy_array *out = NULL, *y = NULL;
    product p = {.a = a};

    if (made)
        *made = NULL;
    POYI_TO_DONE(ctx, poyi_call_begin(ctx, POYI_OP_spmm, 2, both, &call));
    POYI_TO_DONE(ctx, read_shapes(&call, a, side, x, &p));
    const int64_t extent[2] = {p.rows, p.k};
    POYI_TO_DONE(ctx, poyi_call_output(&call, call.dtype, p.rank, extent, into, made, &out));
    if (!out->size)
        goto done;
    if (!p.inner || !a->entries) {
        POYI_TO_DONE(ctx, poyi_call_zero(&call, out));
        goto done;
    }
    y = out;
    if (!out->contiguous)
        POYI_TO_DONE(ctx, poyi_call_temp(&call, call.dtype, p.rank, extent, &y));
    POYI_TO_DONE(ctx, multiply(&call, &p, x, y));
    POYI_TO_DONE(ctx, poyi_call_deliver(&call, y, out));
done:
    return poyi_call_end(&call, status, made);
}

poy_status poy_spmm(poy_ctx *ctx, const poy_sparse *a, poy_sparse_side side, const poy_array *x, poy_array **y)
{
    return spmm(ctx, a, side, x, NULL, y);
}

poy_status poy_spmm_into(poy_ctx *ctx, const poy_sparse *a, poy_sparse_side side, const poy_array *x, poy_array *y)
{
    return spmm(ctx, a, side, x, y, NULL);
}
