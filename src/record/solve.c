/* solve.c: record X of A X = B by LU with partial pivoting. No inverse: dX = A^-1 (dB - dA X), gB = A^-H gX, gA = -gB
 * X^H, all with the factors that evaluating has left in the state. */
#include <string.h>

#include "record/builtin.h"
#include "record/lapack.h"

/* The state, and as much of scratch where there is none: factors, solution, pivots. */
typedef struct layout {
    int64_t n, m;
    poy_dtype dtype;
    size_t x, pivots, bytes; /* offsets; all of it */
} layout;

static layout lay_out(const poy_rec_spec *b)
{
    layout l = {.n = b->dims[0], .m = b->dims[1], .dtype = b->dtype};
    const size_t element = poy_dtype_size(b->dtype), n = (size_t)l.n;
    l.x = n * n * element;
    l.pivots = l.x + n * (size_t)l.m * element;
    l.bytes = l.pivots + n * sizeof(int32_t);
    return l;
}

static const void *at(const void *state, size_t offset)
{
    return (const unsigned char *)state + offset;
}

/* scratch: two arrays as large as X, then room for a state. */
static poy_status infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    (void)config;
    (void)out;
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "solve", in[0].dims[0]));
    POYI_TRY(ctx, poyi_lapack_fits(ctx, "solve", in[1].dims[1]));
    const layout l = lay_out(&in[1]);
    size->state = l.bytes;
    size->scratch = 2 * poy_rec_bytes(&in[1]) + l.bytes;
    return POY_OK;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_rec_array *a = &item->in[0], *b = &item->in[1];
    const layout l = lay_out(&b->spec);
    unsigned char *work = item->scratch, *state = item->state;

    if (!state)
        state = work + 2 * poy_rec_bytes(&b->spec);
    int32_t *pivots = (int32_t *)(void *)(state + l.pivots);
    POYI_TRY(ctx, poyi_rec_finite(ctx, "solve", "A", a));
    POYI_TRY(ctx, poyi_rec_finite(ctx, "solve", "B", b));
    memcpy(state, a->data, l.x);
    const int64_t zero = poyi_lu_factor(l.dtype, l.n, state, pivots);
    if (zero)
        return POYI_FAIL(ctx, POY_ERR_SINGULAR, "solve: A is singular: pivot %lld of %lld is 0", (long long)zero,
                         (long long)l.n);
    poyi_lu_solve(l.dtype, 0, l.n, l.m, state, pivots, b->data, item->out[0].data, work);
    memcpy(state + l.x, item->out[0].data, l.pivots - l.x);
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const layout l = lay_out(&cot->spec);
    unsigned char *work = item->scratch;
    void *gb = grad[1].data ? grad[1].data : work + poy_rec_bytes(&cot->spec);

    (void)ctx;
    poyi_lu_solve(l.dtype, 1, l.n, l.m, item->saved, at(item->saved, l.pivots), cot->data, gb, work);
    if (grad[0].data)
        poyi_gemm(l.dtype, 'n', 'c', l.n, l.n, l.m, -1.0, gb, at(item->saved, l.x), 0.0, grad[0].data);
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const layout l = lay_out(&out_tan->spec);
    (void)ctx;
    poyi_rec_copy(&tan[1], out_tan);
    if (tan[0].data)
        poyi_gemm(l.dtype, 'n', 'n', l.n, l.m, l.n, -1.0, tan[0].data, at(item->saved, l.x), 1.0, out_tan->data);
    poyi_lu_solve(l.dtype, 0, l.n, l.m, item->saved, at(item->saved, l.pivots), out_tan->data, out_tan->data,
                  item->scratch);
    return POY_OK;
}

/* Uniform in (-1, 1), and n added on the diagonal: far from singular. */
static poy_status sample(poy_ctx *ctx, const void *config, uint64_t seed, const poy_rec_array *in)
{
    const int64_t n = in[0].spec.dims[0];
    (void)ctx;
    (void)config;
    poyi_rec_sample(seed, 2, in);
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(&in[0], i * n + i, poyi_rec_get(&in[0], i * n + i) + (double)n);
    return POY_OK;
}

static const poy_rec_example examples[] = {{"", "f64[3,3] f64[3,2]"},   {"", "c128[4,4] c128[4,2]"},
                                           {"", "f64[3,3] c128[3,1]"},  {"", "c128[1,1] f64[1,1]"},
                                           {"", "c128[0,0] c128[0,2]"}, {"", "c128[40,40] c128[40,3]"}};

const poy_rec_op poyi_record_solve = {.state_version = 1,
                                      .examples = examples,
                                      .n_examples = sizeof examples / sizeof examples[0],
                                      .infer = infer,
                                      .evaluate = evaluate,
                                      .pullback = pullback,
                                      .pushforward = pushforward,
                                      .sample = sample};
