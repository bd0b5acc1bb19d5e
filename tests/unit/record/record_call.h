/* record_call.h: one call of a record, its pullback, and numbers against what they should be. */
#ifndef RECORD_CALL_H
#define RECORD_CALL_H

#include "record_fixture.h"

/* One call of a record with up to two inputs and outputs. */
typedef struct call {
    poy_record *r;
    poy_saved *s;
    poy_rec_array in[3], out[2], cot[2], grad[3];
    double y[2][64], gx[3][64];
} call;

/* Opens, infers and evaluates; in: as many inputs as the record has. */
static inline poy_status evaluate(poy_ctx *ctx, call *c, const char *name, const char *options, int n,
                                  const poy_rec_array *in)
{
    poy_rec_spec specs[3], outs[2] = {{POY_F64, 0, {0}}, {POY_F64, 0, {0}}};
    *c = (call){.r = NULL};
    for (int i = 0; i < n; i++) {
        c->in[i] = c->grad[i] = in[i];
        c->grad[i].data = c->gx[i];
        specs[i] = in[i].spec;
    }
    poy_status status = poy_record_open(ctx, name, options, &c->r);
    if (status == POY_OK)
        status = poy_record_infer(ctx, c->r, specs, outs, NULL);
    for (int j = 0; j < 2; j++) {
        c->out[j] = (poy_rec_array){.spec = outs[j], .data = c->y[j]};
        c->cot[j].spec = outs[j];
    }
    return status == POY_OK ? poy_record_evaluate(ctx, c->r, NULL, c->in, c->out, &c->s) : status;
}

static inline poy_status pull(poy_ctx *ctx, call *c, double *g0, double *g1)
{
    c->cot[0].data = g0;
    c->cot[1].data = g1;
    return poy_record_pullback(ctx, c->s, c->cot, c->grad);
}

static inline void done(call *c)
{
    poy_saved_destroy(&c->s);
    poy_record_close(&c->r);
}

static inline int close_to(const double *got, const double *want, size_t n, double rtol)
{
    double size = 0.0;
    for (size_t i = 0; i < n; i++)
        size = fmax(size, fabs(want[i]));
    const int good = off(got, want, n) <= rtol * size;
    for (size_t i = 0; !good && i < n; i++)
        note("%zu: got %.17g, want %.17g", i, got[i], want[i]);
    return good;
}

#endif
