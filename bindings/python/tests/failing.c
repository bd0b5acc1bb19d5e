/* failing.c: records y = x that fail in the ways in which records can, named after what comes of them. Compiled and loaded by
 * test_failures.py. */
#include <string.h>

#include "poynting/record.h"

/* What evaluating returns: the user data of a record, and so its configuration. */
static const poy_status stuck = POY_ERR_NO_CONVERGENCE, unlike = POY_ERR_MISMATCH, diverging = POY_ERR_THRESHOLD,
                        fine = POY_OK;

/* 256 PiB of scratch: more than any address space has. */
static poy_status infer_much(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                             poy_rec_size *size)
{
    (void)ctx, (void)config, (void)in, (void)out;
    size->scratch = (size_t)1 << 58;
    return POY_OK;
}

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const poy_status status = *(const poy_status *)item->config;
    if (status != POY_OK)
        return poy_ctx_fail(ctx, status, "failing: as it was told to");
    memcpy(item->out[0].data, item->in[0].data, poy_rec_bytes(&item->in[0].spec));
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    (void)ctx, (void)item;
    memcpy(grad[0].data, cot[0].data, poy_rec_bytes(&cot[0].spec));
    return POY_OK;
}

#define FAILING(its_name, its_status, its_infer)                                                                      \
    {                                                                                                                 \
        .abi = POY_REC_ABI, .size = sizeof(poy_rec_op), .name = "failing." its_name, .in = "x:r[n]", .out = "y:r[n]", \
        .text = "y = x", .state_version = 1, .user = &(its_status), .infer = (its_infer), .evaluate = evaluate,       \
        .pullback = pullback                                                                                          \
    }

static const poy_rec_op records[] = {FAILING("stuck", stuck, NULL), FAILING("unlike", unlike, NULL),
                                     FAILING("diverging", diverging, NULL), FAILING("hungry", fine, infer_much),
                                     FAILING("backward", fine, NULL)}; /* none has a pushforward */

POY_API const poy_rec_op *const *poy_record_entry(uint32_t abi, int *n);

const poy_rec_op *const *poy_record_entry(uint32_t abi, int *n)
{
    static const poy_rec_op *const ops[] = {&records[0], &records[1], &records[2], &records[3], &records[4]};
    *n = 5;
    return abi == POY_REC_ABI ? ops : NULL;
}
