/* linop_plugin.c: operators of a shared object, by public headers: one that obeys its laws, and three that do not. */
#include "poynting/conform_laws.h"

enum { N = 9 };

/* y[i] = i x[n - 1 - i], and its adjoint y[i] = (n - 1 - i) x[n - 1 - i]. */
static poy_status weigh(poy_ctx *ctx, const poy_array *x, poy_array *y, int adjoint)
{
    double in[N], out[N];
    poy_status status = poy_array_read(ctx, x, in);
    for (int i = 0; i < N; i++)
        out[i] = (adjoint ? N - 1 - i : i) * in[N - 1 - i];
    if (status == POY_OK)
        status = poy_array_write(ctx, y, out);
    return status;
}

static poy_status apply(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    (void)user;
    return weigh(ctx, x, y, 0);
}

static poy_status adjoint(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    (void)user;
    return weigh(ctx, x, y, 1);
}

static poy_status square(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    (void)user;
    return poy_mul_into(ctx, x, x, y);
}

static poy_status change_input(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    static const double zero[N];
    poy_array *view = NULL;
    int64_t extent = N, stride = 1;
    poy_status status = apply(ctx, user, x, y);
    if (status == POY_OK)
        status = poy_array_view(ctx, x, 1, &extent, &stride, 0, &view);
    if (status == POY_OK)
        status = poy_array_write(ctx, view, zero);
    poy_array_destroy(&view);
    return status;
}

static poy_status make(poy_ctx *ctx, poy_backend *be, poy_linop_fn *forward, poy_linop_fn *back, poy_linop **out)
{
    const int64_t n = N;
    poy_space *s = NULL;
    const poy_linop_user user = {sizeof user, forward, back, NULL, NULL, POY_LINOP_COORDINATE};
    poy_status status = poy_space_dense(ctx, be, POY_F64, 1, &n, &s);
    if (status == POY_OK)
        status = poy_linop_create(ctx, s, s, &user, out);
    poy_space_destroy(&s);
    return status;
}

POY_API poy_linop_entry_fn mirror, wrong_adjoint, not_linear, greedy;

poy_status mirror(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, apply, adjoint, out);
}

poy_status wrong_adjoint(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, apply, apply, out);
}

poy_status not_linear(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, square, square, out);
}

poy_status greedy(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, change_input, adjoint, out);
}
