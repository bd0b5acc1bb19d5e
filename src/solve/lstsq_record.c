/* lstsq_record.c: record x of least |A x - b| by lsqr, A of full column rank. With N = (A^H A)^-1 and r = b - A x:
 *   dx = N (dA^H r) + A^+ (db - dA x),   gb = A N gx =: y,   gA = r (N gx)^H - y x^H  (Golub, Pereyra 1973).
 * No normal equations: y is the shortest solution of A^H y = gx, and u = N gx solves A u = y; both are lsqr's. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/host_matrix.h"

static const poy_rec_option options[] = {
    {"tol", POY_REC_REAL, NULL, "1e-14", "of |A^H r| or |r|, relative to the right-hand side"},
    {"maxiter", POY_REC_INTEGER, NULL, "0", "steps; 0: as many as lsqr takes at most"},
};

static poy_status open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **out)
{
    (void)user;
    return poyi_host_limits_open(ctx, "lstsq", values, out);
}

/* scratch: three vectors [m], two [n]. */
static poy_status infer(poy_ctx *ctx, const void *c, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    const int64_t m = in[0].dims[0], n = in[0].dims[1];
    (void)c;
    if (m < n)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "lstsq: A is [%lld, %lld]: it needs at least as many rows as columns",
                         (long long)m, (long long)n);
    size->scratch = 3 * poy_rec_bytes(&in[1]) + 2 * poy_rec_bytes(&out[0]);
    return POY_OK;
}

typedef struct vectors {
    poy_rec_array r, y, rhs, u, c; /* [m], [m], [m], [n], [n] */
} vectors;

static vectors lay_out(const poy_rec_item *item, poy_dtype dtype, int64_t m, int64_t n)
{
    unsigned char *at = item->scratch;
    const size_t rows = (size_t)m * poy_dtype_size(dtype), columns = (size_t)n * poy_dtype_size(dtype);
    return (vectors){poyi_host_array(dtype, m, at), poyi_host_array(dtype, m, at + rows),
                     poyi_host_array(dtype, m, at + 2 * rows), poyi_host_array(dtype, n, at + 3 * rows),
                     poyi_host_array(dtype, n, at + 3 * rows + columns)};
}

/* to = from - A x */
static void residual(const poy_rec_array *a, const poy_rec_array *from, const poy_rec_array *x, const poy_rec_array *to)
{
    const int64_t m = a->spec.dims[0];
    poyi_host_multiply(a, 0, x, to);
    for (int64_t i = 0; i < m; i++)
        poyi_rec_put(to, i, (from ? poyi_rec_get(from, i) : 0) - poyi_rec_get(to, i));
}

static poy_status solve(const poyi_host_matrix *a, const void *config, int adjoint, void *b, void *x,
                        poy_solve_result *r)
{
    const poy_solve_options o = poyi_host_options(config);
    POYI_TRY(a->ctx, poyi_host_solve(a, poy_lsqr, adjoint, 1, &o, b, x, r));
    return POY_OK;
}

/* y = A N c, from A^H y = c. */
static poy_status lift(const poyi_host_matrix *a, const void *config, const poy_rec_array *c, const poy_rec_array *y)
{
    poy_solve_result r;
    double norm = 0;
    for (int64_t i = 0; i < a->n; i++)
        norm = hypot(norm, cabs(poyi_rec_get(c, i)));
    POYI_TRY(a->ctx, solve(a, config, 1, c->data, y->data, &r));
    if (!(r.true_residual <= 1e-8 * norm))
        return POYI_FAIL(a->ctx, POY_ERR_NOT_DIFFERENTIABLE,
                         "lstsq: the columns of A are not independent (%.3g of a cotangent is out of their reach)",
                         r.true_residual / norm);
    return POY_OK;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    poy_status status = POY_OK;
    const poy_rec_array *a = &item->in[0], *b = &item->in[1];
    poyi_host_matrix h;
    poy_solve_result r;
    POYI_TRY(ctx, poyi_rec_finite(ctx, "lstsq", "A", a));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "lstsq", "b", b));
    if (!a->spec.dims[1])
        return POY_OK;
    POYI_TO_DONE(ctx,
                 poyi_host_matrix_open(ctx, "lstsq", a->spec.dtype, a->spec.dims[0], a->spec.dims[1], a->data, &h));
    POYI_TO_DONE(ctx, solve(&h, item->config, 0, b->data, item->out[0].data, &r));
done:
    poyi_host_matrix_close(&h);
    return status;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    poy_status status = POY_OK;
    const poy_rec_array *a = &item->in[0], *b = &item->in[1], *x = &item->out[0];
    const int64_t m = a->spec.dims[0], n = a->spec.dims[1];
    const vectors v = lay_out(item, a->spec.dtype, m, n);
    poyi_host_matrix h;
    poy_solve_result r;
    if (!n) {
        for (int i = 0; i < 2; i++)
            if (grad[i].data)
                memset(grad[i].data, 0, poy_rec_bytes(&grad[i].spec));
        return POY_OK;
    }
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "lstsq", a->spec.dtype, m, n, a->data, &h));
    POYI_TO_DONE(ctx, lift(&h, item->config, cot, &v.y));
    if (grad[1].data)
        memcpy(grad[1].data, v.y.data, poy_rec_bytes(&v.y.spec));
    if (grad[0].data) {
        POYI_TO_DONE(ctx, solve(&h, item->config, 0, v.y.data, v.u.data, &r));
        residual(a, b, x, &v.r);
        for (int64_t i = 0; i < m; i++)
            for (int64_t j = 0; j < n; j++)
                poyi_rec_put(&grad[0], i * n + j,
                             poyi_rec_get(&v.r, i) * conj(poyi_rec_get(&v.u, j)) -
                                 poyi_rec_get(&v.y, i) * conj(poyi_rec_get(x, j)));
    }
done:
    poyi_host_matrix_close(&h);
    return status;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    poy_status status = POY_OK;
    const poy_rec_array *a = &item->in[0], *b = &item->in[1], *x = &item->out[0];
    const int64_t m = a->spec.dims[0], n = a->spec.dims[1];
    const vectors v = lay_out(item, a->spec.dtype, m, n);
    poyi_host_matrix h;
    poy_solve_result r;
    if (!n)
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "lstsq", a->spec.dtype, m, n, a->data, &h));
    if (tan[0].data) {
        residual(&tan[0], tan[1].data ? &tan[1] : NULL, x, &v.rhs); /* db - dA x */
        residual(a, b, x, &v.r);
        poyi_host_multiply(&tan[0], 1, &v.r, &v.c);
        POYI_TO_DONE(ctx, lift(&h, item->config, &v.c, &v.y));
        for (int64_t i = 0; i < m; i++)
            poyi_rec_put(&v.rhs, i, poyi_rec_get(&v.rhs, i) + poyi_rec_get(&v.y, i));
    } else {
        poyi_rec_copy(&tan[1], &v.rhs);
    }
    POYI_TO_DONE(ctx, solve(&h, item->config, 0, v.rhs.data, out_tan->data, &r));
done:
    poyi_host_matrix_close(&h);
    return status;
}

/* Uniform in (-1, 1), and 3 added on the diagonal: independent columns, and a residual that is not small. */
static poy_status sample(poy_ctx *ctx, const void *c, uint64_t seed, const poy_rec_array *in)
{
    const int64_t n = in[0].spec.dims[1];
    (void)ctx;
    (void)c;
    poyi_rec_sample(seed, 2, in);
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(&in[0], i * n + i, poyi_rec_get(&in[0], i * n + i) + 3.0);
    return POY_OK;
}

static const poy_rec_example examples[] = {
    {"", "f64[6,3] f64[6]"}, {"", "c128[7,4] c128[7]"}, {"", "f64[4,4] c128[4]"}, {"", "c128[3,0] f64[3]"}};

const poy_rec_op poyi_record_lstsq = {.state_version = 1,
                                      .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                      .options = options,
                                      .n_options = sizeof options / sizeof options[0],
                                      .examples = examples,
                                      .n_examples = sizeof examples / sizeof examples[0],
                                      .open = open,
                                      .close = free,
                                      .infer = infer,
                                      .evaluate = evaluate,
                                      .pullback = pullback,
                                      .pushforward = pushforward,
                                      .sample = sample};
