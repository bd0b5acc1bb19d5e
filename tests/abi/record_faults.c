/* record_faults.c: a plug-in whose records go wrong: a bare status, no status, an output of another type than declared. Compiled
 * with ABI_OF_IT=2, it has none for this library; with HALF, one of its records is refused. */
#include "poynting/record.h"

#ifndef ABI_OF_IT
#define ABI_OF_IT POY_REC_ABI
#endif

static poy_status bare(poy_ctx *ctx, const poy_rec_item *item)
{
    (void)ctx;
    (void)item;
    return POY_ERR_SINGULAR;
}

static poy_status no_status(poy_ctx *ctx, const poy_rec_item *item)
{
    (void)ctx;
    (void)item;
    return (poy_status)-7;
}

static poy_status never(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    (void)item;
    (void)cot;
    (void)grad;
    return poy_ctx_fail(ctx, POY_ERR_INTERNAL, "never called");
}

static poy_status wrong_type(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                             poy_rec_size *size)
{
    (void)ctx;
    (void)config;
    (void)in;
    (void)size;
    out[0].dtype = POY_C128;
    return POY_OK;
}

#define FAULTY(its_name, its_infer, its_evaluate)                                                          \
    {                                                                                                      \
        .abi = POY_REC_ABI, .size = sizeof(poy_rec_op), .name = its_name, .in = "x:r[n]", .out = "y:r[n]", \
        .infer = its_infer, .evaluate = its_evaluate, .pullback = never                                    \
    }

static const poy_rec_op bare_op = FAULTY("faults.bare", NULL, bare);
static const poy_rec_op no_status_op = FAULTY("faults.no_status", NULL, no_status);
#ifdef HALF
static const poy_rec_op last_op = FAULTY("Not a name", wrong_type, bare);
#else
static const poy_rec_op last_op = FAULTY("faults.wrong_type", wrong_type, bare);
#endif

POY_API const poy_rec_op *const *poy_record_entry(uint32_t abi, int *n);

const poy_rec_op *const *poy_record_entry(uint32_t abi, int *n)
{
    static const poy_rec_op *const ops[] = {&bare_op, &no_status_op, &last_op};
    *n = 3;
    return abi == ABI_OF_IT ? ops : NULL;
}
