/* test_array_threads.c: contexts of one engine on threads of their own: backends opened and closed, arrays, operations,
 * FFT plans and a shared array, all at once. Run under the thread sanitizer, too (preset tsan). */
#define _DEFAULT_SOURCE /* setenv */
#include <pthread.h>
#include <stdlib.h>

#include "poynting/poynting.h"
#include "tap.h"

enum { THREADS = 4, ROUNDS = 40 };

typedef struct worker {
    poy_ctx *ctx;
    const poy_array *shared; /* read by all */
    int number, failures;
} worker;

static int round_of(worker *w, int round)
{
    poy_backend *be = NULL;
    poy_array *x = NULL, *y = NULL, *z = NULL, *t = NULL, *view = NULL;
    int64_t shape[2] = {3, 8 + (w->number + round) % 5};
    double got[2] = {0};

    int good = poy_backend_open(w->ctx, round % 3 ? "cpu:fft=estimate" : "ref", &be) == POY_OK &&
               poy_fill(w->ctx, be, (poy_scalar){1, 0}, POY_F64, 2, shape, &x) == POY_OK &&
               poy_array_transpose(w->ctx, x, NULL, &view) == POY_OK;
    poy_backend_close(&be); /* its arrays keep it */
    good = good && poy_add(w->ctx, x, x, &y) == POY_OK && poy_fft(w->ctx, y, NULL, &z) == POY_OK &&
           poy_sum(w->ctx, view, POY_ALL_AXES, NULL, 0, &t) == POY_OK && poy_array_read(w->ctx, t, got) == POY_OK &&
           got[0] == (double)(shape[0] * shape[1]);
    poy_array_destroy(&t);
    poy_array_destroy(&x);
    good = good && poy_sum(w->ctx, w->shared, POY_ALL_AXES, NULL, 0, &t) == POY_OK &&
           poy_array_read(w->ctx, t, got) == POY_OK && got[0] == 1000;
    poy_array_destroy(&t);
    poy_array_destroy(&view);
    poy_array_destroy(&y);
    poy_array_destroy(&z);
    return good;
}

static void *work(void *argument)
{
    worker *w = argument;
    for (int round = 0; round < ROUNDS; round++)
        w->failures += !round_of(w, round);
    return NULL;
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;
    poy_array *shared = NULL;
    pthread_t thread[THREADS];
    worker w[THREADS] = {{0}};
    int64_t n = 1000;
    int failures = 0;

    setenv("XDG_CACHE_HOME", "/nonexistent", 1);
    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_open(ctx, "cpu", &be) == POY_OK &&
           poy_fill(ctx, be, (poy_scalar){1, 0}, POY_F64, 1, &n, &shared) == POY_OK,
       "an engine, and an array that all read");
    for (int i = 0; i < THREADS; i++) {
        w[i] = (worker){.shared = shared, .number = i};
        failures += poy_ctx_fork(ctx, &w[i].ctx) != POY_OK;
    }
    for (int i = 0; i < THREADS; i++)
        failures += pthread_create(&thread[i], NULL, work, &w[i]) != 0;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        failures += w[i].failures;
        if (w[i].failures)
            note("thread %d: %s", i, poy_ctx_message(w[i].ctx));
        poy_ctx_destroy(&w[i].ctx);
    }
    ok(failures == 0, "%d threads, %d rounds each", THREADS, ROUNDS);
    poy_array_destroy(&shared);
    poy_backend_close(&be);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
