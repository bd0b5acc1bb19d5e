/* space_user.c: spaces with a caller's inner product. */
#include "operator/operator.h"

static poy_status passed(poy_ctx *ctx, poy_status status)
{
    return status == POY_OK ? POY_OK : poyi_passed(ctx, status, "a caller's space", __func__, __FILE__, __LINE__);
}

static poy_array one_of(const poy_array *x, int64_t k, int64_t i)
{
    return k ? poyi_member(x, i) : *x;
}

poy_status poyi_space_user_riesz(poy_ctx *ctx, const poy_space *s, int64_t k, int inverse, const poy_array *x,
                                 poy_array *y)
{
    const poy_space_user *u = &s->user;
    if (inverse && !u->riesz_inverse)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "a caller's space was given without R^-1, which this needs");
    for (int64_t i = 0; i < (k ? k : 1); i++) {
        const poy_array from = one_of(x, k, i);
        poy_array to = one_of(y, k, i);
        poy_ctx_clear(ctx); /* a bare code must not show an old account */
        POYI_TRY(ctx, passed(ctx, (inverse ? u->riesz_inverse : u->riesz)(ctx, u->user, &from, &to)));
    }
    return POY_OK;
}

poy_status poyi_space_user_inner(poy_ctx *ctx, const poy_space *s, int64_t k, const poy_array *x, const poy_array *y,
                                 poy_scalar *out)
{
    for (int64_t i = 0; i < (k ? k : 1); i++) {
        const poy_array left = one_of(x, k, i), right = one_of(y, k, i);
        poy_ctx_clear(ctx);
        POYI_TRY(ctx, passed(ctx, s->user.inner(ctx, s->user.user, &left, &right, &out[i])));
    }
    return POY_OK;
}

poy_status poyi_space_user_member(poy_ctx *ctx, const poy_space *s, int64_t k, const poy_array *x)
{
    for (int64_t i = 0; i < (k ? k : 1); i++) {
        const poy_array one = one_of(x, k, i);
        poy_ctx_clear(ctx);
        POYI_TRY(ctx, passed(ctx, s->user.member(ctx, s->user.user, &one)));
    }
    return POY_OK;
}

poy_status poy_space_create(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                            const poy_space_user *user, poy_space **out)
{
    *out = NULL;
    if (user->size != sizeof *user)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "space: a description of %zu bytes, this library's has %zu", user->size,
                         sizeof *user);
    if (!user->riesz)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "space: no function riesz");
    POYI_TRY(ctx, poyi_space_new(ctx, be, dtype, rank, extent, out));
    (*out)->geometry = POYI_USER;
    (*out)->user = *user;
    return POY_OK;
}
