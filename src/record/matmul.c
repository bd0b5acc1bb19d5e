/* matmul.c: record C = A B. dC = dA B + A dB; gA = gC B^H, gB = A^H gC. */
#include "record/builtin.h"
#include "record/lapack.h"

static poy_status infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out, poy_rec_size *size)
{
    (void)config;
    (void)size;
    for (int k = 0; k < 2; k++) {
        POYI_TRY(ctx, poyi_lapack_fits(ctx, "matmul", in[k].dims[0]));
        POYI_TRY(ctx, poyi_lapack_fits(ctx, "matmul", in[k].dims[1]));
    }
    (void)out;
    return POY_OK;
}

/* c [m,n] = a [m,k] b [k,n] + beta c. */
static void product(const poy_rec_array *a, const poy_rec_array *b, double beta, const poy_rec_array *c)
{
    poyi_gemm(c->spec.dtype, 'n', 'n', c->spec.dims[0], c->spec.dims[1], a->spec.dims[1], 1.0, a->data, b->data, beta,
              c->data);
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    (void)ctx;
    product(&item->in[0], &item->in[1], 0.0, &item->out[0]);
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const poy_rec_array *a = &item->in[0], *b = &item->in[1];
    const int64_t m = a->spec.dims[0], k = a->spec.dims[1], n = b->spec.dims[1];
    (void)ctx;
    if (grad[0].data)
        poyi_gemm(cot->spec.dtype, 'n', 'c', m, k, n, 1.0, cot->data, b->data, 0.0, grad[0].data);
    if (grad[1].data)
        poyi_gemm(cot->spec.dtype, 'c', 'n', k, n, m, 1.0, a->data, cot->data, 0.0, grad[1].data);
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    (void)ctx;
    if (tan[0].data)
        product(&tan[0], &item->in[1], 0.0, out_tan);
    if (tan[1].data)
        product(&item->in[0], &tan[1], tan[0].data ? 1.0 : 0.0, out_tan);
    return POY_OK;
}

static const poy_rec_example examples[] = {{"", "f64[3,4] f64[4,2]"},
                                           {"", "c128[5,3] f64[3,1]"},
                                           {"", "c128[2,0] c128[0,3]"},
                                           {"", "c128[20,30] c128[30,10]"}};

const poy_rec_op poyi_record_matmul = {.state_version = 1,
                                       .flags = POY_REC_NEEDS_INPUTS,
                                       .examples = examples,
                                       .n_examples = sizeof examples / sizeof examples[0],
                                       .infer = infer,
                                       .evaluate = evaluate,
                                       .pullback = pullback,
                                       .pushforward = pushforward};
