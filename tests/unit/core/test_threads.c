/* test_threads.c: forked contexts at work in parallel on one engine: the ledger, the budget, accounts, shared state.
 * Its worth is greatest under the thread sanitizer (preset tsan). */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "core/core.h"
#include "tap.h"

enum { THREADS = 8, ROUNDS = 2000, HELD = 4, LARGEST = 4096 };

typedef struct worker {
    pthread_t thread;
    poy_ctx *ctx;
    int index;
    void (*work)(struct worker *);
    _Atomic int *start;
    int faults;
    uint64_t allocations, refusals;
} worker;

static void *run(void *arg)
{
    worker *w = arg;
    while (!atomic_load(w->start)) /* all at once */
        sched_yield();
    w->work(w);
    return NULL;
}

/* Runs work in THREADS threads, each with a fork of ctx; returns the sum of what they found wrong. */
static int in_parallel(poy_ctx *ctx, void (*work)(worker *), worker workers[THREADS])
{
    _Atomic int start = 0;
    int faults = 0;

    for (int i = 0; i < THREADS; i++) {
        workers[i] = (worker){.index = i, .work = work, .start = &start};
        faults += poy_ctx_fork(ctx, &workers[i].ctx) != POY_OK;
        faults += pthread_create(&workers[i].thread, NULL, run, &workers[i]) != 0;
    }
    atomic_store(&start, 1);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(workers[i].thread, NULL);
        poy_ctx_destroy(&workers[i].ctx);
        faults += workers[i].faults;
    }
    return faults;
}

/* ---- allocating ---- */

static size_t random_size(const worker *w, int round)
{
    uint32_t words[4];
    poy_random_words(1, (uint64_t)w->index, (uint64_t)round, words);
    return 1 + words[0] % LARGEST;
}

/* Up to HELD blocks at a time, each filled with the thread's mark: another thread's write would show. */
static void allocate_and_free(worker *w)
{
    void *blocks[HELD] = {NULL};
    size_t sizes[HELD] = {0};
    char name[16];

    for (int round = 0; round < ROUNDS; round++) {
        int slot = round % HELD;
        unsigned char *old = blocks[slot];
        for (size_t k = 0; old && k < sizes[slot]; k++)
            w->faults += old[k] != w->index;
        poyi_free(&blocks[slot]);
        sizes[slot] = random_size(w, round);
        snprintf(name, sizeof name, "thread.%d", round % 10); /* the same names everywhere */
        if (poyi_alloc(w->ctx, name, sizes[slot], &blocks[slot]) == POY_OK) {
            w->allocations++;
            memset(blocks[slot], w->index, sizes[slot]);
        } else {
            w->refusals++;
            w->faults += poy_ctx_status(w->ctx) != POY_ERR_BUDGET || blocks[slot];
        }
    }
    for (int slot = 0; slot < HELD; slot++)
        poyi_free(&blocks[slot]);
}

static uint64_t sum_allocations(const worker w[THREADS])
{
    uint64_t sum = 0;
    for (int i = 0; i < THREADS; i++)
        sum += w[i].allocations;
    return sum;
}

static void test_ledger(poy_ctx *ctx)
{
    worker w[THREADS];
    poy_ledger_entry entries[64];
    uint64_t before = poy_ctx_allocations(ctx);
    int faults = in_parallel(ctx, allocate_and_free, w);
    ok(faults == 0, "%d threads do not see each other's memory (%d faults)", THREADS, faults);
    ok(sum_allocations(w) == (uint64_t)THREADS * ROUNDS, "no allocation failed without a budget");
    ok(poy_ctx_allocations(ctx) - before == sum_allocations(w), "each allocation is counted once");
    size_t n = poy_ctx_ledger(ctx, 64, entries), held = 0;
    for (size_t i = 0; i < n; i++)
        held += entries[i].bytes;
    ok(n == 10 && held == 0 && poy_ctx_bytes(ctx) == 0, "ten names, entered once each; nothing is held at the end");
}

static void test_budget(poy_ctx *ctx)
{
    worker w[THREADS];
    /* half of what all may hold together on average */
    size_t budget = (size_t)THREADS * HELD * LARGEST / 4;
    uint64_t refusals = 0;
    poy_ctx_set_budget(ctx, budget);
    int faults = in_parallel(ctx, allocate_and_free, w);
    for (int i = 0; i < THREADS; i++)
        refusals += w[i].refusals;
    ok(faults == 0 && poy_ctx_bytes(ctx) == 0, "with a budget of %zu bytes nothing is lost (%llu refused)", budget,
       (unsigned long long)refusals);
    ok(refusals + sum_allocations(w) == (uint64_t)THREADS * ROUNDS, "each request was granted or refused");
    poy_ctx_set_budget(ctx, 0);
}

/* Even threads ask for what always fits, odd ones for what never does. */
static void fits_or_never_does(worker *w)
{
    for (int round = 0; round < ROUNDS; round++) {
        void *p = NULL;
        poy_status want = w->index % 2 ? POY_ERR_BUDGET : POY_OK;
        w->faults += poyi_alloc(w->ctx, "budget", w->index % 2 ? 10001 : 2500, &p) != want;
        poyi_free(&p);
    }
}

static void test_refusals_do_not_count(void)
{
    worker w[THREADS];
    poy_ctx *ctx = NULL;
    const size_t budget = (size_t)THREADS / 2 * 2500;
    poy_ctx_create(&ctx);
    poy_ctx_set_budget(ctx, budget);
    int faults = in_parallel(ctx, fits_or_never_does, w);
    ok(faults == 0, "a refused request does not make another one fail (%d wrong)", faults);
    ok(poy_ctx_bytes_peak(ctx) <= budget, "the peak stays within the budget: %zu", poy_ctx_bytes_peak(ctx));
    poy_ctx_destroy(&ctx);
}

/* ---- accounts and shared state ---- */

static void fail_in_own_words(worker *w)
{
    char want[32];
    for (int round = 0; round < ROUNDS; round++) {
        snprintf(want, sizeof want, "thread %d, round %d", w->index, round);
        poy_ctx_fail(w->ctx, POY_ERR_ARGUMENT, "thread %d, round %d", w->index, round);
        w->faults += strcmp(poy_ctx_cause(w->ctx), want) != 0;
    }
}

static _Atomic int made, destroyed;
static const char *const key = "test_threads";

static poy_status make_once(poy_ctx *ctx, void **out)
{
    static int state;
    (void)ctx;
    atomic_fetch_add(&made, 1);
    *out = &state;
    return POY_OK;
}

static void destroy_once(void *state)
{
    (void)state;
    atomic_fetch_add(&destroyed, 1);
}

static void ask_for_shared(worker *w)
{
    void *first = NULL, *p = NULL;
    w->faults += poyi_engine_shared(w->ctx, key, make_once, destroy_once, &first) != POY_OK;
    for (int round = 0; round < ROUNDS; round++)
        w->faults += poyi_engine_shared(w->ctx, key, make_once, destroy_once, &p) != POY_OK || p != first;
}

/* The last thread to finish destroys the engine, whichever it is. */
static void fork_and_destroy(worker *w)
{
    for (int round = 0; round < ROUNDS / 10; round++) {
        poy_ctx *other = NULL;
        void *p = NULL;
        w->faults += poy_ctx_fork(w->ctx, &other) != POY_OK || poyi_alloc(other, "outlives", 64, &p) != POY_OK;
        poy_ctx_destroy(&other);
        poyi_free(&p);
    }
    poy_ctx_destroy(&w->ctx);
}

int main(void)
{
    worker w[THREADS];
    poy_ctx *ctx = NULL;

    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_ledger(ctx);
    test_budget(ctx);
    test_refusals_do_not_count();
    ok(in_parallel(ctx, fail_in_own_words, w) == 0, "each context keeps its own account");
    ok(in_parallel(ctx, ask_for_shared, w) == 0 && made == 1, "shared state is made once (%d)", made);
    ok(in_parallel(ctx, fork_and_destroy, w) == 0, "contexts come and go in all threads");
    ok(destroyed == 0, "the engine lives as long as a context of it");
    poy_ctx_destroy(&ctx);
    ok(destroyed == 1, "and takes the shared state with it");
    return tap_done();
}
