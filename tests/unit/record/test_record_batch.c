/* test_record_batch.c: batches of records: axes, strides, shared arrays, none at all, threads, failing items, memory. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include <pthread.h>
#include <time.h>

#include "core/core.h"
#include "record_fixture.h"

/* A batch [2,3] of x [2]; a is shared along the first axis. y = 2 a x. */
static void axes(poy_ctx *ctx)
{
    const poy_rec_batch batch = {2, {2, 3}};
    double a[3] = {1, 10, 100}, x[12], y[12], g[12], gx[12], ga[3], ga_all = 99, want_y[12], want_ga[3] = {0};
    poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, a), array(POY_F64, 1, 2, 0, x)}, out = array(POY_F64, 1, 2, 0, y);
    poy_record *r = NULL;
    poy_saved *s = NULL;

    for (int i = 0; i < 12; i++) {
        x[i] = i + 1;
        g[i] = 1 + i % 5;
        want_y[i] = 2 * a[i / 2 % 3] * x[i];
        want_ga[i / 2 % 3] += 2 * x[i] * g[i];
    }
    ok(poy_rec_pack(&batch, 1, 8, in[0].batch_stride) == 24 && in[0].batch_stride[0] == 0 && in[0].batch_stride[1] == 8,
       "strides of an array that is shared along the first axis");
    ok(poy_rec_pack(&batch, 0, 16, in[1].batch_stride) == 96 && in[1].batch_stride[0] == 48 &&
           in[1].batch_stride[1] == 16,
       "strides of one that is not");
    memcpy(out.batch_stride, in[1].batch_stride, sizeof out.batch_stride);
    poy_rec_array cot = out, grad[2] = {in[0], in[1]};
    cot.data = g;
    grad[0].data = ga;
    grad[1].data = gx;
    poy_record_open(ctx, "test.scale", "", &r);
    ok(poy_record_evaluate(ctx, r, &batch, in, &out, &s) == POY_OK && off(y, want_y, 12) == 0.0,
       "a batch of two axes: %s", poy_ctx_cause(ctx));
    memset(x, 0, sizeof x); /* what was saved is a copy */
    ok(poy_record_pullback(ctx, s, &cot, grad) == POY_OK && off(ga, want_ga, 3) == 0.0,
       "a gradient is summed along the axis that it is shared along: %g %g %g", ga[0], ga[1], ga[2]);
    grad[0].data = &ga_all;
    memset(grad[0].batch_stride, 0, sizeof grad[0].batch_stride);
    ok(poy_record_pullback(ctx, s, &cot, grad) == POY_OK && ga_all == want_ga[0] + want_ga[1] + want_ga[2],
       "or along all of them, as the caller likes");
    poy_saved_destroy(&s);
    poy_record_close(&r);
}

static void nothing(poy_ctx *ctx)
{
    const poy_rec_batch none = {2, {3, 0}};
    double a = 1, y = 5, ga = 7;
    poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &a), array(POY_F64, 1, 2, 0, NULL)},
                  out = array(POY_F64, 1, 2, 0, NULL);
    poy_rec_array grad[2] = {array(POY_F64, 0, 0, 0, &ga), absent()};
    poy_record *r = NULL;
    poy_saved *s = NULL;

    poy_record_open(ctx, "test.scale", "", &r);
    poy_rec_pack(&none, 0, 16, in[1].batch_stride);
    poy_rec_pack(&none, 0, 16, out.batch_stride);
    ok(poy_record_evaluate(ctx, r, &none, in, &out, &s) == POY_OK && poy_saved_bytes(s) == 0,
       "a batch without items: %s", poy_ctx_cause(ctx));
    out.data = &y;
    ok(poy_record_pullback(ctx, s, &out, grad) == POY_OK && ga == 0.0, "gives sums of nothing");
    poy_saved_destroy(&s);
    in[1] = array(POY_F64, 2, 0, 3, NULL);
    out = array(POY_F64, 2, 0, 3, NULL);
    ga = 7;
    ok(poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_OK, "an item without elements: %s", poy_ctx_cause(ctx));
    out.data = &y;
    ok(poy_record_pullback(ctx, s, &out, grad) == POY_OK && ga == 0.0, "has the gradient 0");
    poy_saved_destroy(&s);
    poy_record_close(&r);
}

/* ---- many items ---- */

enum { ITEMS = 300, LENGTH = 4000 };

typedef struct many {
    double a[ITEMS], *x, *y, *gx;
    poy_rec_batch batch;
    poy_rec_array in[2], out;
} many;

static void fill(many *m)
{
    double u[2];
    m->batch = (poy_rec_batch){1, {ITEMS}};
    m->x = malloc(sizeof(double) * ITEMS * LENGTH);
    m->y = malloc(sizeof(double) * ITEMS * LENGTH);
    m->gx = malloc(sizeof(double) * ITEMS * LENGTH);
    for (uint64_t i = 0; i < (uint64_t)ITEMS * LENGTH; i++) {
        poy_random_uniform2(5, 0, i, u);
        m->x[i] = 1.0 + u[0];
        m->y[i] = 0.0;
    }
    for (int i = 0; i < ITEMS; i++)
        m->a[i] = 1.0 + 1.0 / (i + 1);
    m->in[0] = array(POY_F64, 0, 0, 0, m->a);
    m->in[1] = array(POY_F64, 1, LENGTH, 0, m->x);
    m->out = array(POY_F64, 1, LENGTH, 0, m->y);
    poy_rec_pack(&m->batch, 0, sizeof(double), m->in[0].batch_stride);
    poy_rec_pack(&m->batch, 0, sizeof(double) * LENGTH, m->in[1].batch_stride);
    poy_rec_pack(&m->batch, 0, sizeof(double) * LENGTH, m->out.batch_stride);
}

static void empty(many *m)
{
    free(m->x);
    free(m->y);
    free(m->gx);
}

/* Sums of 300 gradients of 4000 elements with any number of threads: 9.6 MB of them at once, and 16 MiB are a wave. */
static void same_bits(poy_ctx *ctx, many *m)
{
    double *first = malloc(sizeof(double) * LENGTH), *sum = malloc(sizeof(double) * LENGTH);
    poy_record *r = NULL;
    poy_saved *s = NULL;
    poy_rec_array grad[2] = {absent(), array(POY_F64, 1, LENGTH, 0, first)};

    poy_record_open(ctx, "test.scale", "", &r);
    poy_ctx_set_threads(ctx, 1);
    ok(poy_record_evaluate(ctx, r, &m->batch, m->in, &m->out, &s) == POY_OK &&
           poy_record_pullback(ctx, s, &m->out, grad) == POY_OK,
       "%d items of %d elements: %s", ITEMS, LENGTH, poy_ctx_cause(ctx));
    double exact = 0.0;
    for (int i = 0; i < ITEMS; i++) /* gx = 2 a y, y = 2 a x */
        exact += 2.0 * m->a[i] * (2.0 * m->a[i] * m->x[(size_t)i * LENGTH]);
    ok(fabs(first[0] - exact) <= ITEMS * 2.3e-16 * exact, "their sum is right: %.17g", first[0]);
    grad[1].data = sum;
    for (int threads = 2; threads <= 4; threads++) {
        poy_ctx_set_threads(ctx, threads);
        const poy_status status = poy_record_pullback(ctx, s, &m->out, grad);
        ok(status == POY_OK && !memcmp(first, sum, sizeof(double) * LENGTH), "the same bits with %d threads", threads);
    }
    poy_saved_destroy(&s);
    poy_record_close(&r);
    free(first);
    free(sum);
}

static void failing_items(poy_ctx *ctx, many *m)
{
    char text[32];
    int good = 0;
    poy_record *r = NULL;
    poy_saved *s = NULL;
    static const int bad[] = {299, 133, 250, 134};
    double kept[4];

    snprintf(text, sizeof text, "fault=%d", FAULT_ITEM);
    poy_record_open(ctx, "test.scale", text, &r);
    poy_ctx_set_threads(ctx, 4);
    for (int k = 0; k < 4; k++) {
        kept[k] = m->x[(size_t)bad[k] * LENGTH];
        m->x[(size_t)bad[k] * LENGTH] = -bad[k];
    }
    for (int k = 0; k < 20; k++)
        good += poy_record_evaluate(ctx, r, &m->batch, m->in, &m->out, &s) == POY_ERR_RANGE && !s &&
                !strcmp(poy_ctx_cause(ctx), "item 133 of a batch of 300: x is -133, needs 0 or more");
    ok(good == 20, "of several items that fail the first is told, always: %s", poy_ctx_cause(ctx));
    for (int k = 0; k < 4; k++)
        m->x[(size_t)bad[k] * LENGTH] = kept[k];
    ok(poy_record_evaluate(ctx, r, &m->batch, m->in, &m->out, NULL) == POY_OK, "the record is as good as before");
    poy_record_close(&r);
}

/* ---- a record for one thread ---- */

static pthread_t caller;
static _Atomic int elsewhere;

static poy_status watch_evaluate(poy_ctx *ctx, const poy_rec_item *item)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL); /* so that other threads come to their turn */
    elsewhere += !pthread_equal(caller, pthread_self());
    return scale_evaluate(ctx, item);
}

/* Calls on other threads than the caller's, for 20 items. */
static int calls_elsewhere(poy_ctx *ctx, const char *name, uint32_t flags, const many *m)
{
    const poy_rec_batch batch = {1, {20}};
    poy_rec_op op = scale_op;
    poy_record *r = NULL;
    op.name = name;
    op.flags |= flags;
    op.evaluate = watch_evaluate;
    poy_record_register(ctx, &op);
    poy_record_open(ctx, name, "", &r);
    caller = pthread_self();
    elsewhere = 0;
    poy_ctx_set_threads(ctx, 4);
    ok(poy_record_evaluate(ctx, r, &batch, m->in, &m->out, NULL) == POY_OK, "%s", name);
    poy_record_close(&r);
    return elsewhere;
}

static void one_thread(poy_ctx *ctx, const many *m)
{
#ifdef _OPENMP
    ok(calls_elsewhere(ctx, "test.threads", 0, m) > 0, "threads share the items of a batch");
#endif
    ok(calls_elsewhere(ctx, "test.one_thread", POY_REC_ONE_THREAD, m) == 0,
       "but a record may ask for the caller's thread");
}

/* ---- memory ---- */

static void memory(poy_ctx *ctx, const many *m)
{
    poy_record *r = NULL;
    poy_saved *s = NULL;

    poy_record_open(ctx, "test.scale", "", &r);
    poy_ctx_set_threads(ctx, 1);
    const uint64_t before = poy_ctx_allocations(ctx);
    ok(poy_record_evaluate(ctx, r, &m->batch, m->in, &m->out, NULL) == POY_OK && poy_ctx_allocations(ctx) == before,
       "a value with little scratch allocates nothing");
    poy_ctx_set_budget(ctx, 1000000);
    ok(poy_record_evaluate(ctx, r, &m->batch, m->in, &m->out, &s) == POY_ERR_BUDGET && !s, "the budget holds: %s",
       poy_ctx_cause(ctx));
    ok(poy_ctx_bytes(ctx) == 0, "what was refused leaves nothing behind");
    poy_ctx_set_budget(ctx, 0);
    ok(poy_record_evaluate(ctx, r, &m->batch, m->in, &m->out, &s) == POY_OK &&
           poy_ctx_bytes(ctx) >= sizeof(double) * ITEMS * LENGTH,
       "a saved state is in the ledger: %zu bytes", poy_ctx_bytes(ctx));
    poy_saved_destroy(&s);
    poy_record_close(&r);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    static many m;
    if (poy_ctx_create(&ctx) != POY_OK || poy_record_register(ctx, &scale_op) != POY_OK)
        return 1;
    axes(ctx);
    nothing(ctx);
    fill(&m);
    same_bits(ctx, &m);
    failing_items(ctx, &m);
    one_thread(ctx, &m);
    memory(ctx, &m);
    empty(&m);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
