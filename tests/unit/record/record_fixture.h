/* record_fixture.h: what the tests of records share: arrays in a line, and a record y = k a x whose faults can be chosen. */
#ifndef RECORD_FIXTURE_H
#define RECORD_FIXTURE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cmplx.h"
#include "poynting/record.h"
#include "tap.h"

static inline poy_rec_array array(poy_dtype dtype, int rank, int64_t d0, int64_t d1, void *data)
{
    return (poy_rec_array){.spec = {.dtype = dtype, .rank = rank, .dims = {d0, d1}}, .data = data};
}

static inline poy_rec_array absent(void)
{
    return (poy_rec_array){.data = NULL};
}

/* The largest difference of n doubles. */
static inline double off(const double *x, const double *y, size_t n)
{
    double most = 0.0;
    for (size_t i = 0; i < n; i++) {
        const double d = fabs(x[i] - y[i]);
        most = d <= most ? most : d;
    }
    return most;
}

/* ---- a record of this file: y = factor a x, a a scalar of kind p, x any shape; state: factor a ---- */

enum {
    FAULT_NONE,
    FAULT_BARE,
    FAULT_NO_STATUS,
    FAULT_ITEM,
    FAULT_PULL,
    FAULT_PUSH,
    FAULT_PARTS,
    FAULT_BOTH,
    FAULT_GLOBAL
};

typedef struct scale_config {
    int64_t factor, fault;
} scale_config;

static const poy_rec_option scale_options[] = {
    {.name = "factor", .kind = POY_REC_INTEGER, .fallback = "2", .text = "an integer"},
    {.name = "fault", .kind = POY_REC_INTEGER, .fallback = "0", .text = "what goes wrong"},
};

static int scale_opened, scale_closed;
static double _Complex scale_global; /* what a record must not have */

static inline poy_status scale_open(poy_ctx *ctx, const void *user, const poy_rec_value *values, void **config)
{
    (void)user;
    if (values[0].integer == 0)
        return poy_ctx_fail(ctx, POY_ERR_ARGUMENT, "factor is 0, needs another number");
    if (values[0].integer == 13)
        return POY_ERR_RANGE; /* a bare code */
    scale_config *c = malloc(sizeof *c);
    if (!c)
        return POY_ERR_MEMORY;
    *c = (scale_config){.factor = values[0].integer, .fault = values[1].integer};
    scale_opened++;
    *config = c;
    return POY_OK;
}

static inline void scale_close(void *config)
{
    scale_closed++;
    free(config);
}

static inline poy_status scale_infer(poy_ctx *ctx, const void *config, const poy_rec_spec *in, poy_rec_spec *out,
                                     poy_rec_size *size)
{
    (void)ctx;
    (void)config;
    (void)out;
    *size = (poy_rec_size){.state = poy_dtype_size(in[0].dtype), .scratch = 24};
    return POY_OK;
}

static inline double _Complex scale_get(const poy_rec_array *a, int64_t i)
{
    const double *x = a->data;
    return a->spec.dtype == POY_C128 ? CMPLX(x[2 * i], x[2 * i + 1]) : x[i];
}

static inline void scale_put(const poy_rec_array *a, int64_t i, double _Complex z)
{
    double *x = a->data;
    if (a->spec.dtype == POY_C128) {
        x[2 * i] = creal(z);
        x[2 * i + 1] = cimag(z);
    } else {
        x[i] = creal(z);
    }
}

static inline poy_status scale_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    const scale_config *c = item->config;
    const poy_rec_array *a = &item->in[0], *x = &item->in[1], *y = &item->out[0];
    const double _Complex by = (double)c->factor * scale_get(a, 0);
    memset(item->scratch, 255, 24); /* it is there */
    if (c->fault == FAULT_BARE)
        return POY_ERR_THRESHOLD;
    if (c->fault == FAULT_NO_STATUS)
        return (poy_status)12345;
    if (c->fault == FAULT_ITEM && creal(scale_get(x, 0)) < 0.0)
        return poy_ctx_fail(ctx, POY_ERR_RANGE, "x is %g, needs 0 or more", creal(scale_get(x, 0)));
    for (int64_t i = 0; i < poy_rec_count(&x->spec); i++)
        scale_put(y, i, by * scale_get(x, i));
    scale_global = c->fault == FAULT_GLOBAL ? by : 0.0;
    if (item->state) {
        double *state = item->state;
        state[0] = creal(by);
        if (a->spec.dtype == POY_C128)
            state[1] = cimag(by);
    }
    return POY_OK;
}

/* Of the state, not of the input: as a restored state has to do. */
static inline double _Complex scale_by(const poy_rec_item *item)
{
    const scale_config *c = item->config;
    const double *state = item->saved;
    if (c->fault == FAULT_GLOBAL)
        return scale_global;
    if (c->fault == FAULT_BOTH)
        return (1.0 + 1e-6) * (item->in[0].spec.dtype == POY_C128 ? CMPLX(state[0], state[1]) : state[0]);
    return item->in[0].spec.dtype == POY_C128 ? CMPLX(state[0], state[1]) : state[0];
}

static inline poy_status scale_pull(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *cot,
                                    const poy_rec_array *grad)
{
    const scale_config *c = item->config;
    const poy_rec_array *x = &item->in[1];
    double _Complex sum = 0.0;
    (void)ctx;
    for (int64_t i = 0; i < poy_rec_count(&x->spec); i++) {
        sum += (double)c->factor * conj(scale_get(x, i)) * scale_get(cot, i);
        if (grad[1].data)
            scale_put(&grad[1], i,
                      (c->fault == FAULT_PULL ? scale_by(item) : conj(scale_by(item))) * scale_get(cot, i));
    }
    if (grad[0].data && !(c->fault == FAULT_PARTS && !grad[1].data))
        scale_put(&grad[0], 0, sum);
    return POY_OK;
}

static inline poy_status scale_push(poy_ctx *ctx, const poy_rec_item *item, const poy_rec_array *tan,
                                    const poy_rec_array *out_tan)
{
    const scale_config *c = item->config;
    const poy_rec_array *x = &item->in[1];
    (void)ctx;
    for (int64_t i = 0; i < poy_rec_count(&x->spec); i++) {
        double _Complex dy = 0.0;
        if (tan[0].data)
            dy += (double)c->factor * scale_get(&tan[0], 0) * scale_get(x, i);
        if (tan[1].data)
            dy += scale_by(item) * scale_get(&tan[1], i) * (c->fault == FAULT_PUSH ? 1.0 + 1e-6 : 1.0);
        scale_put(out_tan, i, dy);
    }
    return POY_OK;
}

static const poy_rec_op scale_op = {.abi = POY_REC_ABI,
                                    .size = sizeof(poy_rec_op),
                                    .name = "test.scale",
                                    .in = "a:p[] x:p[...]",
                                    .out = "y:p[...]",
                                    .text = "y = factor a x",
                                    .state_version = 3,
                                    .flags = POY_REC_NEEDS_INPUTS,
                                    .options = scale_options,
                                    .n_options = 2,
                                    .open = scale_open,
                                    .close = scale_close,
                                    .infer = scale_infer,
                                    .evaluate = scale_evaluate,
                                    .pullback = scale_pull,
                                    .pushforward = scale_push};

#endif
