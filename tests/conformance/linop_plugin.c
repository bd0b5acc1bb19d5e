/* linop_plugin.c: operators of a shared object, by public headers: those that obey their laws, some that do not, or whose
 * spaces do not, and some that end the process or never return. */
#define _POSIX_C_SOURCE 200809L /* pause */
#include <stdlib.h>
#include <unistd.h>

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

/* R x = x + the sum of its neighbours' halves: positive, and no inverse is given. */
static poy_status couple(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    double in[N], out[N];
    poy_status status = poy_array_read(ctx, x, in);
    (void)user;
    for (int i = 0; i < N; i++)
        out[i] = 2 * in[i] + (i ? 0.5 * in[i - 1] : 0) + (i + 1 < N ? 0.5 * in[i + 1] : 0);
    return status == POY_OK ? poy_array_write(ctx, y, out) : status;
}

/* Not the <x, y> of that R. */
static poy_status plain(poy_ctx *ctx, void *user, const poy_array *x, const poy_array *y, poy_scalar *out)
{
    double a[N], b[N];
    poy_status status = poy_array_read(ctx, x, a);
    (void)user;
    *out = (poy_scalar){0, 0};
    if (status == POY_OK)
        status = poy_array_read(ctx, y, b);
    for (int i = 0; status == POY_OK && i < N; i++)
        out->re += a[i] * b[i];
    return status;
}

static poy_status make_in_space(poy_ctx *ctx, poy_backend *be, int right, poy_linop **out)
{
    const int64_t n = N;
    poy_space *s = NULL;
    const poy_space_user space = {.size = sizeof space, .riesz = couple, .inner = right ? NULL : plain};
    poy_status status = poy_space_create(ctx, be, POY_F64, 1, &n, &space, &s);
    if (status == POY_OK)
        status = poy_linop_identity(ctx, s, out);
    poy_space_destroy(&s);
    return status;
}

POY_API poy_linop_entry_fn in_space, in_wrong_space;

poy_status in_space(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make_in_space(ctx, be, 1, out);
}

poy_status in_wrong_space(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make_in_space(ctx, be, 0, out);
}

/* An adjoint that ends the process, one that never returns, one that fails. */
static poy_status gives_up(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    (void)ctx, (void)user, (void)x, (void)y;
    abort();
}

static poy_status waits(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    (void)user, (void)x, (void)y;
    while (ctx)
        pause();
    return POY_OK;
}

static poy_status refuses(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y)
{
    (void)user, (void)x, (void)y;
    return poy_ctx_fail(ctx, POY_ERR_DEVICE, "out of order");
}

POY_API poy_linop_entry_fn aborting, waiting, refusing, crashing_entry;

poy_status aborting(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, apply, gives_up, out);
}

poy_status waiting(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, apply, waits, out);
}

poy_status refusing(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    return make(ctx, be, apply, refuses, out);
}

poy_status crashing_entry(poy_ctx *ctx, poy_backend *be, poy_linop **out)
{
    (void)ctx, (void)be, (void)out;
    abort();
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
