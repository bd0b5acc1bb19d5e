/* reduce_as.c: sums and products in a type of the caller's: x is cast first, as poy_copy casts, then added or multiplied in
 * that type. Composed of the rows of ops.def, which add integers as i64. */
#include <stdio.h>

#include "ops/array.h"
#include "ops/capture.h"
#include "poynting/arrange.h"

typedef poy_status reduce_fn(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims,
                             poy_array **y);
typedef poy_status reduce_into_fn(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims,
                                  poy_array *y);

/* A reduction as a row does it, and what it is of b8, where sums are "or" and products "and". */
typedef struct reduction {
    const char *name;
    reduce_fn *make, *make_truth;
    reduce_into_fn *write, *write_truth;
} reduction;

static const reduction sums = {"sum", poy_sum, poy_any, poy_sum_into, poy_any_into};
static const reduction products = {"prod", poy_prod, poy_all, poy_prod_into, poy_all_into};

static poy_status temporary(poy_ctx *ctx, const poy_array *like, poy_dtype dtype, poy_array **out)
{
    return poyi_array_create(ctx, like->be, poyi_array_copies(ctx), dtype, like->rank, like->extent, out);
}

/* *in: x in dtype, which is *cast where it is not x itself. */
static poy_status cast_first(poy_ctx *ctx, const reduction *r, const poy_array *x, poy_dtype dtype, poy_array **cast,
                             const poy_array **in)
{
    *in = x;
    if ((unsigned)dtype >= POY_DTYPE_COUNT)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s: there is no element type %d", r->name, (int)dtype);
    if (poy_dtype_is_complex(x->dtype) && !poy_dtype_is_complex(dtype) && dtype != POY_B8)
        return POYI_FAIL(ctx, POY_ERR_COMPLEX_TO_REAL, "%s: x is %s, and %s has no imaginary part; take its real part",
                         r->name, poy_dtype_name(x->dtype), poy_dtype_name(dtype));
    if (x->dtype == dtype || dtype == POY_B8) /* any and all look at all types */
        return POY_OK;
    POYI_TRY(ctx, temporary(ctx, x, dtype, cast));
    POYI_TRY(ctx, poy_copy_into(ctx, x, *cast));
    *in = *cast;
    return POY_OK;
}

/* y, i32, = x, i64, modulo 2^32: x 2^32 wraps and leaves the lower half above the upper one; f64 holds that exactly, since
 * 32 of its digits are 0, and so is the quotient by 2^32. */
static poy_status wrap_into(poy_ctx *ctx, const poy_array *x, poy_array *y)
{
    poy_status status = POY_OK;
    const poy_scalar unit = {0x1p32, 0};
    poy_array *whole = NULL, *lifted = NULL, *quotient = NULL;

    POYI_TO_DONE(ctx, poyi_array_create(ctx, x->be, poyi_array_copies(ctx), POY_I64, 0, NULL, &whole));
    POYI_TO_DONE(ctx, poy_fill_into(ctx, unit, whole));
    POYI_TO_DONE(ctx, temporary(ctx, x, POY_I64, &lifted));
    POYI_TO_DONE(ctx, poy_mul_into(ctx, x, whole, lifted));
    POYI_TO_DONE(ctx, temporary(ctx, x, POY_F64, &quotient));
    POYI_TO_DONE(ctx, poy_div_into(ctx, lifted, whole, quotient));
    POYI_TO_DONE(ctx, poy_copy_into(ctx, quotient, y));
done:
    poy_array_destroy(&quotient);
    poy_array_destroy(&lifted);
    poy_array_destroy(&whole);
    return status;
}

static poy_status make_as(poy_ctx *ctx, const reduction *r, const poy_array *x, poy_dtype dtype, int n_axes,
                          const int *axes, int keepdims, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *cast = NULL, *sum = NULL;
    const poy_array *in = NULL;

    *y = NULL;
    if (poyi_ctx_capture(ctx)) {
        char what[64], hint[64];
        snprintf(what, sizeof what, "poy_%s_as makes its result", r->name);
        snprintf(hint, sizeof hint, "poy_%s_as_into writes to an array that is there", r->name);
        return poyi_capture_refuse(ctx, what, hint);
    }
    POYI_TO_DONE(ctx, cast_first(ctx, r, x, dtype, &cast, &in));
    if (dtype != POY_I32) {
        POYI_TO_DONE(ctx, (dtype == POY_B8 ? r->make_truth : r->make)(ctx, in, n_axes, axes, keepdims, y));
        goto done;
    }
    POYI_TO_DONE(ctx, r->make(ctx, in, n_axes, axes, keepdims, &sum));
    POYI_TO_DONE(ctx, poy_array_create(ctx, x->be, POY_I32, sum->rank, sum->extent, y));
    POYI_TO_DONE(ctx, wrap_into(ctx, sum, *y));
done:
    poy_array_destroy(&sum);
    poy_array_destroy(&cast);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

static poy_status write_as(poy_ctx *ctx, const reduction *r, const poy_array *x, int n_axes, const int *axes,
                           int keepdims, poy_array *y)
{
    poy_status status = POY_OK;
    poy_array *cast = NULL, *sum = NULL;
    const poy_array *in = NULL;

    POYI_TO_DONE(ctx, cast_first(ctx, r, x, y->dtype, &cast, &in));
    if (y->dtype != POY_I32) {
        POYI_TO_DONE(ctx, (y->dtype == POY_B8 ? r->write_truth : r->write)(ctx, in, n_axes, axes, keepdims, y));
        goto done;
    }
    POYI_TO_DONE(ctx, temporary(ctx, y, POY_I64, &sum));
    POYI_TO_DONE(ctx, r->write(ctx, in, n_axes, axes, keepdims, sum));
    POYI_TO_DONE(ctx, wrap_into(ctx, sum, y));
done:
    poy_array_destroy(&sum);
    poy_array_destroy(&cast);
    return status;
}

poy_status poy_sum_as(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, int n_axes, const int *axes, int keepdims,
                      poy_array **y)
{
    return make_as(ctx, &sums, x, dtype, n_axes, axes, keepdims, y);
}

poy_status poy_sum_as_into(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims, poy_array *y)
{
    return write_as(ctx, &sums, x, n_axes, axes, keepdims, y);
}

poy_status poy_prod_as(poy_ctx *ctx, const poy_array *x, poy_dtype dtype, int n_axes, const int *axes, int keepdims,
                       poy_array **y)
{
    return make_as(ctx, &products, x, dtype, n_axes, axes, keepdims, y);
}

poy_status poy_prod_as_into(poy_ctx *ctx, const poy_array *x, int n_axes, const int *axes, int keepdims, poy_array *y)
{
    return write_as(ctx, &products, x, n_axes, axes, keepdims, y);
}
