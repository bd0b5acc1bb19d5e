/* test_record_state.c: saved states as bytes: spoiled ones of every kind are refused; cut, joined, shared, borrowed; and used by
 * several threads at once. */
#include <pthread.h>

#include "core/core.h"
#include "record_fixture.h"

enum { N = 3, M = 2, ITEMS = 4 };

/* A X = B for a few items, with a cotangent each. */
typedef struct problem {
    double a[ITEMS][2 * N * N], b[ITEMS][2 * N * M], x[ITEMS][2 * N * M], g[ITEMS][2 * N * M];
    double ga[ITEMS][2 * N * N], gb[ITEMS][2 * N * M]; /* by a fresh state, one by one */
    poy_rec_batch batch;
    poy_rec_array in[2], out, cot;
    poy_record *r;
    size_t item; /* bytes of a state */
    _Alignas(64) unsigned char state[8192];
} problem;

static double uniform(uint64_t i)
{
    double u[2];
    poy_random_uniform2(11, 0, i, u);
    return 2.0 * u[0] - 1.0;
}

/* One item of an array of the batch. */
static poy_rec_array item(const poy_rec_array *a, int64_t k)
{
    poy_rec_array one = *a;
    one.data = (unsigned char *)a->data + k * a->batch_stride[0];
    one.batch_stride[0] = 0;
    return one;
}

static int same_gradient(poy_ctx *ctx, const problem *p, const poy_saved *s, int k)
{
    double ga[2 * N * N], gb[2 * N * M];
    const poy_rec_array cot = item(&p->cot, k), grad[2] = {array(POY_C128, 2, N, N, ga), array(POY_C128, 2, N, M, gb)};
    return poy_record_pullback(ctx, s, &cot, grad) == POY_OK && !memcmp(ga, p->ga[k], sizeof ga) &&
           !memcmp(gb, p->gb[k], sizeof gb);
}

static void set_up(poy_ctx *ctx, problem *p)
{
    poy_rec_spec in[2] = {{POY_C128, 2, {N, N}}, {POY_C128, 2, {N, M}}}, out;
    uint64_t next = 0;

    for (int k = 0; k < ITEMS; k++) {
        for (int i = 0; i < 2 * N * N; i++)
            p->a[k][i] = uniform(next++) + (i % 8 == 0 ? 3.0 : 0.0);
        for (int i = 0; i < 2 * N * M; i++) {
            p->b[k][i] = uniform(next++);
            p->g[k][i] = uniform(next++);
        }
    }
    p->batch = (poy_rec_batch){1, {ITEMS}};
    p->in[0] = (poy_rec_array){.spec = in[0], .data = p->a, .batch_stride = {sizeof p->a[0]}};
    p->in[1] = (poy_rec_array){.spec = in[1], .data = p->b, .batch_stride = {sizeof p->b[0]}};
    p->out = (poy_rec_array){.spec = in[1], .data = p->x, .batch_stride = {sizeof p->x[0]}};
    p->cot = (poy_rec_array){.spec = in[1], .data = p->g, .batch_stride = {sizeof p->g[0]}};
    poy_record_open(ctx, "poy.solve", NULL, &p->r);
    const poy_status status = poy_record_infer(ctx, p->r, in, &out, &p->item);
    ok(status == POY_OK && p->item == POY_REC_STATE_HEAD + 16 * (N * N + N * M) + 16,
       "the state of a solve: head, factors, solution, pivots: %zu bytes", p->item);
    for (int k = 0; k < ITEMS; k++) {
        const poy_rec_array one_in[2] = {item(&p->in[0], k), item(&p->in[1], k)}, one_out = item(&p->out, k);
        const poy_rec_array cot = item(&p->cot, k);
        const poy_rec_array grad[2] = {array(POY_C128, 2, N, N, p->ga[k]), array(POY_C128, 2, N, M, p->gb[k])};
        poy_saved *s = NULL;
        ok(poy_record_evaluate(ctx, p->r, NULL, one_in, &one_out, &s) == POY_OK &&
               poy_record_pullback(ctx, s, &cot, grad) == POY_OK && poy_saved_bytes(s) == p->item &&
               poy_saved_write(ctx, s, p->state + (size_t)k * p->item, p->item) == POY_OK,
           "item %d", k);
        poy_saved_destroy(&s);
    }
}

/* Restores one item from bytes; specs alone, since a solve needs no data. */
static poy_status restore(poy_ctx *ctx, const problem *p, const poy_record *r, void *bytes, size_t size, poy_saved **s)
{
    const poy_rec_state state = {.data = bytes, .size = size};
    const poy_rec_array in[2] = {{.spec = p->in[0].spec}, {.spec = p->in[1].spec}}, out = {.spec = p->out.spec};
    return poy_record_restore(ctx, r, NULL, in, &out, &state, 0, s);
}

/* ---- spoiled ---- */

static void spoiled_bytes(poy_ctx *ctx, problem *p)
{
    poy_saved *s = NULL;
    size_t refused = 0;

    for (size_t i = 0; i < p->item; i++)
        for (int bit = 0; bit < 8; bit += 7) {
            p->state[i] ^= (unsigned char)(1 << bit);
            refused += restore(ctx, p, p->r, p->state, p->item, &s) == POY_ERR_STATE && !s;
            p->state[i] ^= (unsigned char)(1 << bit);
        }
    ok(refused == 2 * p->item, "a state with one bit flipped anywhere is refused (%zu of %zu): %s", refused,
       2 * p->item, poy_ctx_cause(ctx));
    refused = 0;
    for (size_t n = 0; n < p->item; n++)
        refused += restore(ctx, p, p->r, p->state, n, &s) == POY_ERR_STATE && !s;
    ok(refused == p->item, "so is one that is cut short anywhere: %s", poy_ctx_cause(ctx));
    ok(restore(ctx, p, p->r, p->state, p->item + 8, &s) == POY_ERR_STATE && !s, "or too long: %s", poy_ctx_cause(ctx));
    ok(restore(ctx, p, p->r, NULL, p->item, &s) == POY_ERR_ARGUMENT && !s, "or missing: %s", poy_ctx_cause(ctx));
    ok(restore(ctx, p, p->r, p->state + 4, p->item, &s) == POY_ERR_ARGUMENT && !s, "or not aligned: %s",
       poy_ctx_cause(ctx));
    _Alignas(8) unsigned char zeros[512] = {0};
    ok(restore(ctx, p, p->r, zeros, p->item, &s) == POY_ERR_STATE && !s, "zeros are no state: %s", poy_ctx_cause(ctx));
    ok(restore(ctx, p, p->r, p->state, p->item, &s) == POY_OK && same_gradient(ctx, p, s, 0), "the good one is taken");
    poy_saved_destroy(&s);
}

/* Two records of one name in two engines, of one shape of state, but of two versions. */
static poy_status scale_state(poy_ctx *ctx, const char *options, int64_t n, void *bytes, size_t size)
{
    double a = 1.5, x[4] = {1, 2, 3, 4}, y[4];
    const poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &a), array(POY_F64, 1, n, 0, x)},
                        out = array(POY_F64, 1, n, 0, y);
    const poy_rec_state state = {.data = bytes, .size = size};
    poy_record *r = NULL;
    poy_saved *s = NULL;
    poy_status status = poy_record_open(ctx, "test.scale", options, &r);
    if (status == POY_OK)
        status = poy_record_restore(ctx, r, NULL, in, &out, &state, 0, &s);
    if (status == POY_OK)
        ok(s != NULL, "restored");
    poy_saved_destroy(&s);
    poy_record_close(&r);
    return status;
}

static void other_records(poy_ctx *ctx)
{
    double a = 1.5, x[4] = {1, 2, 3, 4}, y[4];
    const poy_rec_array in[2] = {array(POY_F64, 0, 0, 0, &a), array(POY_F64, 1, 4, 0, x)},
                        out = array(POY_F64, 1, 4, 0, y);
    _Alignas(8) unsigned char bytes[POY_REC_STATE_HEAD + 8];
    poy_rec_op newer = scale_op, twin = scale_op;
    poy_record *r = NULL, *other = NULL;
    poy_saved *s = NULL;
    poy_ctx *elsewhere = NULL;

    twin.name = "test.twin";
    newer.state_version++;
    poy_record_register(ctx, &scale_op);
    poy_record_register(ctx, &twin);
    poy_record_open(ctx, "test.scale", "", &r);
    poy_record_open(ctx, "test.twin", "", &other);
    ok(poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_OK &&
           poy_saved_write(ctx, s, bytes, sizeof bytes) == POY_OK,
       "a small state of %zu bytes", sizeof bytes);
    ok(poy_saved_write(ctx, s, bytes, sizeof bytes - 8) == POY_ERR_STATE, "it is not written to less room: %s",
       poy_ctx_cause(ctx));
    poy_saved_destroy(&s);
    ok(scale_state(ctx, "factor=2", 4, bytes, sizeof bytes) == POY_OK, "is taken by its record");
    ok(scale_state(ctx, "factor=3", 4, bytes, sizeof bytes) == POY_ERR_STATE, "not with other options: %s",
       poy_ctx_cause(ctx));
    ok(scale_state(ctx, "", 3, bytes, sizeof bytes) == POY_ERR_STATE, "nor for another shape: %s", poy_ctx_cause(ctx));
    const poy_rec_state state = {.data = bytes, .size = sizeof bytes};
    ok(poy_record_restore(ctx, other, NULL, in, &out, &state, 0, &s) == POY_ERR_STATE && !s,
       "nor by another record: %s", poy_ctx_cause(ctx));
    poy_ctx_create(&elsewhere);
    poy_record_register(elsewhere, &newer);
    ok(scale_state(elsewhere, "", 4, bytes, sizeof bytes) == POY_ERR_STATE &&
           strstr(poy_ctx_cause(elsewhere), "version 3"),
       "nor by another version of it: %s", poy_ctx_cause(elsewhere));
    poy_ctx_destroy(&elsewhere);
    poy_record_close(&r);
    poy_record_close(&other);
}

/* ---- transport ---- */

static void whole_batch(poy_ctx *ctx, problem *p)
{
    static _Alignas(64) unsigned char bytes[sizeof p->state];
    const size_t size = ITEMS * p->item;
    poy_rec_state state = {.data = bytes, .size = size, .batch_stride = {(int64_t)p->item}};
    poy_saved *s = NULL;

    ok(poy_record_evaluate_into(ctx, p->r, &p->batch, p->in, &p->out, &state) == POY_OK &&
           !memcmp(bytes, p->state, size),
       "a batch leaves the states of its items, byte for byte: %s", poy_ctx_cause(ctx));
    ok(poy_record_evaluate(ctx, p->r, &p->batch, p->in, &p->out, &s) == POY_OK && poy_saved_bytes(s) == size &&
           poy_saved_write(ctx, s, memset(bytes, 0, size), size) == POY_OK && !memcmp(bytes, p->state, size),
       "so does one that was saved and written");
    poy_saved_destroy(&s);
    state.size -= 8;
    ok(poy_record_evaluate_into(ctx, p->r, &p->batch, p->in, &p->out, &state) == POY_ERR_STATE, "room is checked: %s",
       poy_ctx_cause(ctx));
    state = (poy_rec_state){.data = bytes, .size = p->item};
    ok(poy_record_evaluate_into(ctx, p->r, &p->batch, p->in, &p->out, &state) == POY_ERR_ARGUMENT,
       "so is that each item has its own: %s", poy_ctx_cause(ctx));
    ok(restore(ctx, p, p->r, p->state + 2 * p->item, p->item, &s) == POY_OK && same_gradient(ctx, p, s, 2),
       "an item cut out of a batch stands alone");
    poy_saved_destroy(&s);
}

/* Cotangents [3, ITEMS] for states [ITEMS]: a Jacobian's rows, say. */
static void new_axis(poy_ctx *ctx, problem *p)
{
    const poy_rec_batch batch = {2, {3, ITEMS}};
    double ga[ITEMS][2 * N * N], gb[3][ITEMS][2 * N * M];
    poy_rec_array in[2] = {{.spec = p->in[0].spec}, {.spec = p->in[1].spec}}, out = {.spec = p->out.spec}, cot = p->cot;
    poy_rec_array grad[2] = {array(POY_C128, 2, N, N, ga), array(POY_C128, 2, N, M, gb)};
    poy_rec_state state = {.data = p->state, .size = ITEMS * p->item, .batch_stride = {0, (int64_t)p->item}};
    poy_saved *s = NULL;
    int good = 1;

    cot.batch_stride[0] = 0;
    cot.batch_stride[1] = sizeof p->g[0];
    poy_rec_pack(&batch, 1, sizeof ga[0], grad[0].batch_stride);
    poy_rec_pack(&batch, 0, sizeof gb[0][0], grad[1].batch_stride);
    ok(poy_record_restore(ctx, p->r, &batch, in, &out, &state, 0, &s) == POY_OK &&
           poy_saved_bytes(s) == ITEMS * p->item,
       "states are shared along a new axis: %s", poy_ctx_cause(ctx));
    ok(poy_record_pullback(ctx, s, &cot, grad) == POY_OK, "and pulled back: %s", poy_ctx_cause(ctx));
    for (int k = 0; k < ITEMS; k++)
        for (int i = 0; i < 2 * N * N; i++)
            good &= fabs(ga[k][i] - 3.0 * p->ga[k][i]) <= 4e-16 * fabs(3.0 * p->ga[k][i]);
    ok(good, "a gradient that is shared along it is the sum");
    good = 1;
    for (int j = 0; j < 3; j++)
        good &= !memcmp(gb[j], p->gb, sizeof p->gb);
    ok(good, "one that is not is each item's own");
    poy_saved_destroy(&s);
}

static void ownership(poy_ctx *ctx, problem *p)
{
    _Alignas(8) unsigned char mine[1024];
    const poy_rec_array in[2] = {{.spec = p->in[0].spec}, {.spec = p->in[1].spec}}, out = {.spec = p->out.spec};
    const poy_rec_state state = {.data = mine, .size = p->item};
    poy_ctx *passing = NULL;
    poy_record *r = NULL;
    poy_saved *s = NULL, *again = NULL;

    memcpy(mine, p->state, p->item);
    ok(poy_record_restore(ctx, p->r, NULL, in, &out, &state, 0, &s) == POY_OK, "a copy");
    memset(mine, 0, sizeof mine);
    ok(same_gradient(ctx, p, s, 0), "does not need the bytes any more");
    poy_saved_destroy(&s);
    memcpy(mine, p->state, p->item);
    const uint64_t before = poy_ctx_allocations(ctx);
    ok(poy_record_restore(ctx, p->r, NULL, in, &out, &state, POY_REC_BORROW, &s) == POY_OK &&
           poy_ctx_allocations(ctx) == before && same_gradient(ctx, p, s, 0),
       "borrowed bytes are not copied");
    poy_saved_destroy(&s);

    poy_ctx_fork(ctx, &passing);
    const poy_rec_array one[2] = {item(&p->in[0], 0), item(&p->in[1], 0)}, x = item(&p->out, 0);
    ok(poy_record_open(passing, "poy.solve", NULL, &r) == POY_OK &&
           poy_record_evaluate(passing, r, NULL, one, &x, &s) == POY_OK,
       "a state made with another context");
    again = poy_saved_keep(s);
    poy_record_close(&r);
    poy_ctx_destroy(&passing);
    poy_saved_destroy(&s);
    ok(again && same_gradient(ctx, p, again, 0), "outlives it, its record, and one of its holders");
    poy_saved_destroy(&again);
}

/* ---- threads ---- */

enum { THREADS = 4, ROUNDS = 100 };

typedef struct shared_work {
    problem *p;
    const poy_saved *saved;
    poy_ctx *ctx;
    int good;
} shared_work;

/* Pulls back the one saved state, makes and restores others of the same record, opens and closes records. */
static void *work(void *arg)
{
    shared_work *w = arg;
    problem *p = w->p;
    for (int round = 0; round < ROUNDS; round++) {
        const int k = round % ITEMS;
        double x[2 * N * M];
        const poy_rec_array in[2] = {item(&p->in[0], k), item(&p->in[1], k)}, out = array(POY_C128, 2, N, M, x);
        poy_record *r = NULL;
        poy_saved *s = NULL;
        w->good += same_gradient(w->ctx, p, w->saved, 0);
        w->good += restore(w->ctx, p, p->r, p->state + (size_t)k * p->item, p->item, &s) == POY_OK &&
                   same_gradient(w->ctx, p, s, k);
        poy_saved_destroy(&s);
        w->good += poy_record_evaluate(w->ctx, p->r, NULL, in, &out, &s) == POY_OK && same_gradient(w->ctx, p, s, k);
        poy_saved_destroy(&s);
        w->good += poy_record_open(w->ctx, "poy.sum", "axis=0", &r) == POY_OK;
        poy_record_close(&r);
    }
    return NULL;
}

static void threads(poy_ctx *ctx, problem *p)
{
    pthread_t thread[THREADS];
    shared_work w[THREADS];
    poy_saved *s = NULL;

    restore(ctx, p, p->r, p->state, p->item, &s);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (shared_work){.p = p, .saved = s};
        poy_ctx_fork(ctx, &w[i].ctx);
        pthread_create(&thread[i], NULL, work, &w[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        ok(w[i].good == 4 * ROUNDS, "thread %d: %d of %d results are the same bits as alone: %s", i, w[i].good,
           4 * ROUNDS, poy_ctx_cause(w[i].ctx));
        poy_ctx_destroy(&w[i].ctx);
    }
    poy_saved_destroy(&s);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    static problem p;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    set_up(ctx, &p);
    spoiled_bytes(ctx, &p);
    other_records(ctx);
    whole_batch(ctx, &p);
    new_axis(ctx, &p);
    ownership(ctx, &p);
    threads(ctx, &p);
    poy_record_close(&p.r);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
