/* record_broken.c: a plug-in of records y = 2 x: one that is good, one with a wrong gradient, and some whose evaluation ends the
 * process or never returns. */
#define _POSIX_C_SOURCE 200809L /* pause */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "poynting/record.h"

static poy_status evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const char *how = item->config;
    const double *x = item->in[0].data;
    double *y = item->out[0].data;
    (void)ctx;
    if (!strcmp(how, "abort"))
        abort();
    while (!strcmp(how, "sleep"))
        pause();
    for (int64_t i = 0; i < poy_rec_count(&item->in[0].spec); i++)
        y[i] = 2 * x[i];
    return POY_OK;
}

static poy_status pullback(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot, const poy_rec_array *grad)
{
    const double *g = cot[0].data, slope = strcmp(item->config, "wrong") != 0 ? 2 : 3;
    double *to = grad[0].data;
    (void)ctx;
    for (int64_t i = 0; to && i < poy_rec_count(&item->in[0].spec); i++)
        to[i] = g ? slope * g[i] : 0;
    return POY_OK;
}

static poy_status pushforward(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                              const poy_rec_array *out_tan)
{
    const double *t = tan[0].data;
    double *to = out_tan[0].data;
    (void)ctx;
    for (int64_t i = 0; i < poy_rec_count(&item->in[0].spec); i++)
        to[i] = t ? 2 * t[i] : 0;
    return POY_OK;
}

static const poy_rec_example examples[] = {{"", "f64[4]"}, {"", "f64[3]"}};

#define RECORD(how)                                                                                             \
    {                                                                                                           \
        .abi = POY_REC_ABI, .size = sizeof(poy_rec_op), .name = "broken." how, .in = "x:r[n]", .out = "y:r[n]", \
        .text = "y = 2 x", .n_examples = 2, .examples = examples, .user = how, .evaluate = evaluate,            \
        .pullback = pullback, .pushforward = pushforward                                                        \
    }
static const poy_rec_op good = RECORD("good"), wrong = RECORD("wrong"), aborting = RECORD("abort"),
                        sleeping = RECORD("sleep");

POY_API const poy_rec_op *const *poy_record_entry(uint32_t abi, int *n);

const poy_rec_op *const *poy_record_entry(uint32_t abi, int *n)
{
    static const poy_rec_op *const ops[] = {&aborting, &sleeping, &wrong, &good};
    *n = 4;
    return abi == POY_REC_ABI ? ops : NULL;
}
