/* krylov_record.c: record x of A x = b by an iteration. No inverse and no derivative of the iteration: dx solves A dx = db -
 * dA x, gb solves A^H gb = gx by the same method, gA = -gb x^H. cg and minres work on (A + A^H) / 2, as eigh does. */
#include <stdlib.h>
#include <string.h>

#include "solve/host_matrix.h"

typedef enum method { GMRES, CG, MINRES, BICGSTAB } method;

typedef struct config {
    method method;
    poyi_host_limits limits;
} config;

static const poy_rec_option options[] = {
    {"method", POY_REC_WORD, "gmres|cg|minres|bicgstab", "gmres", "the iteration; cg and minres take (A + A^H) / 2"},
    {"tol", POY_REC_REAL, NULL, "1e-13", "of the residual, relative to the right-hand side"},
    {"maxiter", POY_REC_INTEGER, NULL, "0", "steps; 0: as many as the method usually takes at most"},
};

static poy_status open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **out)
{
    config *c = malloc(sizeof *c);
    (void)user;
    *out = NULL;
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "krylov: no memory for its options");
    c->method = (method)values[0].integer;
    const poy_status status = poyi_host_limits_read(ctx, "krylov", &values[1], &values[2], &c->limits);
    if (status == POY_OK)
        *out = c;
    else
        free(c);
    return status;
}

static void close(void *c)
{
    free(c);
}

static int symmetric(const config *c)
{
    return c->method == CG || c->method == MINRES;
}

/* scratch: a matrix, then two vectors. */
static poy_status infer(poy_ctx *ctx, const void *c, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    (void)ctx;
    (void)c;
    (void)out;
    size->scratch = poy_rec_bytes(&in[0]) + 2 * poy_rec_bytes(&in[1]);
    return POY_OK;
}

static void *vector_in(void *scratch, const poy_rec_item *item, int i)
{
    return (unsigned char *)scratch + poy_rec_bytes(&item->in[0].spec) + (size_t)i * poy_rec_bytes(&item->in[1].spec);
}

/* The matrix that the method works on: A, or its Hermitian part in scratch. */
static void *matrix_of(const poy_rec_item *item)
{
    const poy_rec_array *a = &item->in[0];
    const poy_rec_array h = {.spec = a->spec, .data = item->scratch};
    if (!symmetric(item->config))
        return a->data;
    poyi_rec_hermitian_part(a, &h);
    return item->scratch;
}

/* x of A x = b, or of A^H x = b. */
static poy_status solve(poy_ctx *ctx, const config *c, int adjoint, int64_t n, poy_dtype dtype, void *matrix, void *b,
                        void *x)
{
    static poyi_solver_fn *const solvers[] = {poy_gmres, poy_cg, poy_minres, poy_bicgstab};
    const poy_solve_options o = poyi_host_options(&c->limits);
    poy_status status = POY_OK;
    poyi_host_matrix a;
    poy_solve_result r;
    if (!n)
        return POY_OK;
    POYI_TO_DONE(ctx, poyi_host_matrix_open(ctx, "krylov", dtype, n, n, matrix, &a));
    POYI_TO_DONE(ctx, poyi_host_solve(&a, solvers[c->method], adjoint, 0, &o, b, x, &r));
done:
    poyi_host_matrix_close(&a);
    return status;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_rec_array *b = &item->in[1];
    POYI_TRY(ctx, poyi_rec_finite(ctx, "krylov", "A", &item->in[0]));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "krylov", "b", b));
    POYI_TRY(ctx,
             solve(ctx, item->config, 0, b->spec.dims[0], b->spec.dtype, matrix_of(item), b->data, item->out[0].data));
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const int64_t n = cot->spec.dims[0];
    const poy_rec_array *x = &item->out[0];
    const poy_rec_array gb = {.spec = cot->spec, .data = vector_in(item->scratch, item, 0)};
    POYI_TRY(ctx, solve(ctx, item->config, 1, n, cot->spec.dtype, matrix_of(item), cot->data, gb.data));
    if (grad[1].data)
        memcpy(grad[1].data, gb.data, poy_rec_bytes(&gb.spec));
    for (int64_t i = 0; grad[0].data && i < n; i++)
        for (int64_t j = 0; j < n; j++) {
            const poyi_z direct = -poyi_rec_get(&gb, i) * conj(poyi_rec_get(x, j));
            const poyi_z mirror = -conj(poyi_rec_get(&gb, j)) * poyi_rec_get(x, i);
            poyi_rec_put(&grad[0], i * n + j, symmetric(item->config) ? (direct + mirror) / 2 : direct);
        }
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const int64_t n = out_tan->spec.dims[0];
    const poy_rec_array *x = &item->out[0];
    const poy_rec_array rhs = {.spec = out_tan->spec, .data = vector_in(item->scratch, item, 1)};
    for (int64_t i = 0; i < n; i++) {
        poyi_z sum = tan[1].data ? poyi_rec_get(&tan[1], i) : 0;
        for (int64_t j = 0; tan[0].data && j < n; j++) {
            const poyi_z a = poyi_rec_get(&tan[0], i * n + j), b = conj(poyi_rec_get(&tan[0], j * n + i));
            sum -= (symmetric(item->config) ? (a + b) / 2 : a) * poyi_rec_get(x, j);
        }
        poyi_rec_put(&rhs, i, sum);
    }
    POYI_TRY(ctx, solve(ctx, item->config, 0, n, rhs.spec.dtype, matrix_of(item), rhs.data, out_tan->data));
    return POY_OK;
}

/* Uniform in (-1, 1), and n added on the diagonal: far from singular, and positive. */
static poy_status sample(poy_ctx *ctx, const void *c, uint64_t seed, const poy_rec_array *in)
{
    const int64_t n = in[0].spec.dims[0];
    (void)ctx;
    (void)c;
    poyi_rec_sample(seed, 2, in);
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(&in[0], i * n + i, poyi_rec_get(&in[0], i * n + i) + (double)(n + 1));
    return POY_OK;
}

static const poy_rec_example examples[] = {{"", "f64[5,5] f64[5]"},
                                           {"method=cg", "f64[6,6] f64[6]"},
                                           {"method=cg", "c128[5,5] c128[5]"},
                                           {"method=minres", "c128[6,6] f64[6]"},
                                           {"method=bicgstab", "f64[4,4] c128[4]"},
                                           {"", "c128[0,0] c128[0]"},
                                           {"", "c128[12,12] c128[12]"}};

const poy_rec_op poyi_record_krylov = {.state_version = 1,
                                       .flags = POY_REC_NEEDS_INPUTS | POY_REC_NEEDS_OUTPUTS,
                                       .options = options,
                                       .n_options = sizeof options / sizeof options[0],
                                       .examples = examples,
                                       .n_examples = sizeof examples / sizeof examples[0],
                                       .open = open,
                                       .close = close,
                                       .infer = infer,
                                       .evaluate = evaluate,
                                       .pullback = pullback,
                                       .pushforward = pushforward,
                                       .sample = sample};
