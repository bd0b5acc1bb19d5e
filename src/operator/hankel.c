/* hankel.c: Hankel matrices y[i] = sum over j of h[i + j] x[j], applied by transforms of length m + n - 1 = N: with the
 * x reversed this is a part of the convolution of h and x, and index i of y is index i + n - 1 of it, which does not
 * wrap: h has just N elements. */
#include <stdlib.h>

#include "operator/operator.h"

/* a: transform of h over N; a_h: of conj(h), for the adjoint, which is the Hankel matrix of conj(h), n x m. */
static poy_status convolve(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, int adjoint,
                           const poy_array *x, poy_array *y)
{
    poy_status status;
    const int64_t n = x->extent[x->rank - 1], m = y->extent[y->rank - 1], length = n + m - 1;
    const int64_t extent[2] = {k ? k : length, length};
    poy_array *p = NULL, *q = NULL;
    poy_fft_options o;

    poy_fft_options_init(&o);
    POYI_TO_DONE(ctx, poyi_work_take(ctx, work, x->dtype, k ? 2 : 1, extent, &p));
    POYI_TO_DONE(ctx, poyi_work_like(ctx, work, p, &q));
    POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){0, 0}, p));
    poy_array reversed = *p; /* the first n of p, the last one first */
    reversed.extent[p->rank - 1] = n;
    reversed.offset += n - 1;
    reversed.stride[p->rank - 1] = -1;
    reversed.size = (k ? k : 1) * n;
    reversed.contiguous = 0;
    POYI_TO_DONE(ctx, poy_copy_into(ctx, x, &reversed));
    POYI_TO_DONE(ctx, poy_fft_into(ctx, p, &o, q));
    POYI_TO_DONE(ctx, poy_mul_into(ctx, adjoint ? op->a_h : op->a, q, q));
    o.sign = 1;
    o.scale = 1.0 / (double)length;
    POYI_TO_DONE(ctx, poy_fft_into(ctx, q, &o, p));
    poy_array tail = *p;
    tail.extent[p->rank - 1] = m;
    tail.offset += n - 1;
    tail.size = (k ? k : 1) * m;
    tail.contiguous = poyi_window_contiguous(tail.rank, tail.extent, tail.stride);
    POYI_TO_DONE(ctx, poy_copy_into(ctx, &tail, y));
done:
    poyi_work_give(work, &p);
    poyi_work_give(work, &q);
    return status;
}

static poy_status hankel_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                               poy_array *y)
{
    return convolve(ctx, op, work, k, 0, x, y);
}

static poy_status hankel_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                                 poy_array *y)
{
    return convolve(ctx, op, work, k, 1, x, y);
}

static const poyi_linop_kind hankel_kind = {"hankel", hankel_apply, hankel_adjoint, 1, NULL};

poy_status poy_linop_hankel(poy_ctx *ctx, const poy_array *h, poy_space *domain, poy_space *codomain, poy_linop **out)
{
    poy_status status;
    poy_array *conjugate = NULL;
    poy_fft_options o;
    const int64_t wanted = domain->size + codomain->size - 1;

    *out = NULL;
    poy_fft_options_init(&o);
    if (domain->rank != 1 || codomain->rank != 1 || domain->size < 1 || codomain->size < 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "Hankel operator: its spaces have one axis, of at least one coordinate");
    if (!poy_dtype_is_complex(domain->dtype) || h->dtype != domain->dtype || h->be != domain->be)
        return POYI_FAIL(ctx, h->be != domain->be ? POY_ERR_BACKEND : POY_ERR_DTYPE,
                         "Hankel operator: h is %s on '%s', the spaces %s on '%s'; they are complex, of one type",
                         poy_dtype_name(h->dtype), poy_backend_name(h->be), poy_dtype_name(domain->dtype),
                         poy_backend_name(domain->be));
    if (h->rank != 1 || h->extent[0] != wanted)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "Hankel operator: h has shape %s, the spaces want [%lld]",
                         poyi_shape_print(h->rank, h->extent).text, (long long)wanted);
    POYI_TRY(ctx, poyi_linop_new(ctx, &hankel_kind, domain, codomain, out));
    POYI_TO_DONE(ctx, poy_fft(ctx, h, &o, &(*out)->a));
    POYI_TO_DONE(ctx, poy_conj(ctx, h, &conjugate));
    POYI_TO_DONE(ctx, poy_fft(ctx, conjugate, &o, &(*out)->a_h));
done:
    poy_array_destroy(&conjugate);
    if (status != POY_OK)
        poy_linop_destroy(out);
    return status;
}
