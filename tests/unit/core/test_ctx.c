/* test_ctx.c: contexts, the account of a failure, log, progress, shared state, the ledger and the budget. */
#include <string.h>

#include "core/core.h"
#include "core/remedy.h"
#include "tap.h"

static poy_status fails(poy_ctx *ctx)
{
    return POYI_FAIL(ctx, POY_ERR_SHAPE, "y has %d elements, needs %d", 4, 3);
}

static poy_status passes_on(poy_ctx *ctx)
{
    POYI_TRY(ctx, fails(ctx));
    return POY_OK;
}

static poy_status bare_code(void)
{
    return POY_ERR_DEVICE;
}

static poy_status passes_bare_code_on(poy_ctx *ctx)
{
    POYI_TRY(ctx, bare_code());
    return POY_OK;
}

/* ---- log, progress ---- */

typedef struct heard {
    int lines[4];
    char last[64];
} heard;

static void listen(void *user, poy_log_level level, const char *text)
{
    heard *h = user;
    h->lines[level]++;
    snprintf(h->last, sizeof h->last, "%s", text);
}

static void say_all(poy_ctx *ctx)
{
    poyi_log(ctx, POY_LOG_ERROR, "error %d", 1);
    poyi_log(ctx, POY_LOG_WARNING, "warning %d", 2);
    poyi_log(ctx, POY_LOG_INFO, "info %d", 3);
    poyi_log(ctx, POY_LOG_DEBUG, "debug %d", 4);
}

static void test_log(void)
{
    poy_ctx *ctx = NULL, *fork = NULL;
    heard h = {0};
    static const char *const last[] = {"error 1", "warning 2", "info 3", "debug 4"};

    poy_ctx_create(&ctx);
    say_all(ctx); /* nowhere */
    for (int level = POY_LOG_ERROR; level <= POY_LOG_DEBUG; level++) {
        h = (heard){0};
        poy_ctx_set_log(ctx, listen, &h, (poy_log_level)level);
        say_all(ctx);
        int right = 1;
        for (int l = 0; l < 4; l++)
            right &= h.lines[l] == (l <= level);
        ok(right && !strcmp(h.last, last[level]), "log level %d hears itself and what is graver", level);
    }
    h = (heard){0};
    poy_ctx_fork(ctx, &fork);
    say_all(fork);
    ok(h.lines[POY_LOG_DEBUG] == 1, "a fork logs where its parent does");
    poy_ctx_set_log(ctx, NULL, NULL, POY_LOG_DEBUG);
    say_all(ctx);
    ok(h.lines[POY_LOG_DEBUG] == 1, "no function: nowhere");
    poy_ctx_destroy(&fork);
    poy_ctx_destroy(&ctx);
}

/* ---- what a failure advises ---- */

static void test_remedies(void)
{
    poy_ctx *ctx = NULL, *fork = NULL;
    char told[64], again[64];
    static const char *const memory[POY_FRONT_END_COUNT] = {"run.memory = \"2 GiB\"", "--memory \"2 GiB\"",
                                                            "run.memory = \"2 GiB\""};
    static const char *const overwrite[POY_FRONT_END_COUNT] = {
        "set force, or another output", "use --force, or -o another file", "pass force=True, or another output="};
    poy_ctx_create(&ctx);
    ok(poy_ctx_front_end(ctx) == POY_FRONT_END_C, "who asks is C until another says so");
    for (int f = 0; f < POY_FRONT_END_COUNT; f++) {
        poy_ctx_set_front_end(ctx, (poy_front_end)f);
        poy_ctx_fork(ctx, &fork);
        poyi_remedy(fork, POYI_REMEDY_MEMORY, "2 GiB", sizeof told, told);
        poyi_remedy(fork, POYI_REMEDY_OVERWRITE, "unused", sizeof again, again);
        ok(!strcmp(told, memory[f]) && !strcmp(again, overwrite[f]), "a fork advises %s and %s", told, again);
        poy_ctx_destroy(&fork);
    }
    poy_ctx_set_front_end(ctx, (poy_front_end)POY_FRONT_END_COUNT);
    ok(poy_ctx_front_end(ctx) == POY_FRONT_END_C, "a front end that is none is C");
    ok(strlen(poyi_remedy(ctx, POYI_REMEDY_RESUME, "a.h5", 8, told)) == 7, "advice is cut where there is no room");
    poy_ctx_destroy(&ctx);
}

static int stop_at_half(void *user, const poy_progress *progress)
{
    (void)user;
    return progress->done >= progress->total / 2;
}

static void test_progress(void)
{
    poy_ctx *ctx = NULL;
    poy_progress p = {.what = "test", .unit = "m", .done = 1, .total = 3};
    poy_ctx_create(&ctx);
    ok(!poyi_progress(ctx, &p), "nobody asks to stop");
    poy_ctx_set_progress(ctx, stop_at_half, NULL);
    ok(!poyi_progress(ctx, &p), "not at 1 of 3");
    p.done = 2;
    ok(poyi_progress(ctx, &p), "but at 2 of 3");
    poy_ctx_destroy(&ctx);
}

/* ---- shared state of rooms: made once, destroyed in reverse order ---- */

static char order[16];
static const char *const key_a = "a", *const key_b = "b";

static void destroy_note(void *state)
{
    strncat(order, state, 1);
}

static poy_status create_b(poy_ctx *ctx, void **out)
{
    (void)ctx;
    static char name[] = "b";
    *out = name;
    return POY_OK;
}

static poy_status create_a(poy_ctx *ctx, void **out)
{
    static char name[] = "a";
    void *b;
    POYI_TRY(ctx, poyi_engine_shared(ctx, key_b, create_b, destroy_note, &b)); /* a needs b */
    *out = name;
    return POY_OK;
}

static poy_status create_never(poy_ctx *ctx, void **out)
{
    (void)out;
    return POYI_FAIL(ctx, POY_ERR_DEVICE, "no device");
}

static void test_shared(void)
{
    poy_ctx *ctx = NULL;
    void *a = NULL, *again = NULL;
    poy_ctx_create(&ctx);
    ok(poyi_engine_shared(ctx, "never", create_never, destroy_note, &a) == POY_ERR_DEVICE && !a,
       "a failure leaves NULL");
    ok(poyi_engine_shared(ctx, key_a, create_a, destroy_note, &a) == POY_OK, "made on demand");
    ok(poyi_engine_shared(ctx, key_a, create_a, destroy_note, &again) == POY_OK && again == a, "once");
    poy_ctx_destroy(&ctx);
    ok(!strcmp(order, "ab"), "destroyed in reverse order of making: %s", order);
}

/* ---- ledger ---- */

static void test_ledger(void)
{
    poy_ctx *ctx = NULL;
    poy_ledger_entry entries[300];
    void *p = NULL;
    char name[16];

    poy_ctx_create(&ctx);
    for (int i = 0; i < 270; i++) { /* more names than the table holds */
        snprintf(name, sizeof name, "n.%03d", i);
        poyi_alloc(ctx, name, 10, &p);
        poyi_free(&p);
    }
    size_t n = poy_ctx_ledger(ctx, 300, entries), peaks = 0;
    for (size_t i = 0; i < n; i++)
        peaks += entries[i].peak;
    ok(n == 257 && peaks == 2570 && !strcmp(entries[0].name, "(other)"), "names beyond 256 share one: %zu names", n);
    ok(!strcmp(entries[1].name, "n.000") && !strcmp(entries[256].name, "n.255"), "sorted by name");
    ok(poy_ctx_allocations(ctx) == 270 && poy_ctx_bytes(ctx) == 0, "270 allocations, none held");
    ok(poyi_alloc(ctx, "huge", SIZE_MAX - 10, &p) == POY_ERR_MEMORY && !p, "refused: %s", poy_ctx_cause(ctx));
    ok(poyi_alloc(ctx, "none", 0, &p) == POY_OK && p, "zero bytes give a pointer");
    poyi_free(&p);
    ok(poyi_alloc_zero(ctx, "zero", 100, &p) == POY_OK && ((char *)p)[99] == 0, "set to zero");
    poyi_free(&p);
    poyi_free(&p);
    ok(!p, "freed twice by its handle: nothing happens");
    poy_ctx_destroy(&ctx);
}

static void test_settings(void)
{
    poy_ctx *ctx = NULL;
    poy_ctx_create(&ctx);
    ok(poy_ctx_threads(ctx) >= 1, "as many threads as the process may run on: %d", poy_ctx_threads(ctx));
    poy_ctx_set_threads(ctx, 3);
    ok(poy_ctx_threads(ctx) == 3, "three threads when asked for");
    poy_ctx_set_threads(ctx, 100000);
    ok(poy_ctx_threads(ctx) == 1024, "and no more than a process can start: %d", poy_ctx_threads(ctx));
    poy_ctx_set_deterministic(ctx, 7);
    ok(poy_ctx_deterministic(ctx) == 1, "deterministic is 0 or 1");
    poy_ctx_set_budget(ctx, 1 << 20);
    ok(poy_ctx_budget(ctx) == 1 << 20, "the budget is as set");
    poy_ctx_destroy(&ctx);
}

static void test_account(void)
{
    poy_ctx *ctx = NULL;
    char long_text[6000];
    poy_ctx_create(&ctx);
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    ok(poy_ctx_fail(ctx, POY_ERR_IO, "%s", long_text) == POY_ERR_IO && strlen(poy_ctx_message(ctx)) == 4095,
       "a long account is cut, not overrun");
    ok(poy_ctx_fail(ctx, POY_ERR_IO, "again: %s", poy_ctx_cause(ctx)) == POY_ERR_IO &&
           !strncmp(poy_ctx_cause(ctx), "again: xxx", 10),
       "a new account may quote the old one");
    poy_ctx_clear(ctx);
    ok(poy_ctx_status(ctx) == POY_OK && !*poy_ctx_message(ctx) && !*poy_ctx_cause(ctx), "cleared");
    ok(poy_status_exit_code((poy_status)12345) == poy_status_exit_code(POY_ERR_INTERNAL),
       "a number that is no status reads as an internal fault");
    poy_ctx_destroy(&ctx);
}

/* What was admitted in one piece is in the ledger as such, whoever uses how much of it when. */
static void test_reserve(void)
{
    poy_ctx *ctx = NULL, *fork = NULL;
    poyi_reserve *r = NULL;
    void *a = NULL, *b = NULL, *c = NULL;
    poy_ctx_create(&ctx);
    poy_ctx_fork(ctx, &fork);
    poy_ctx_set_budget(ctx, 3000);
    ok(poyi_reserve_open(ctx, "test.reserve", 3001, &r) == POY_ERR_BUDGET && !r, "a reserve is within the budget");
    ok(poyi_reserve_open(ctx, "test.reserve", 2000, &r) == POY_OK && poy_ctx_bytes(ctx) == 2000,
       "2000 bytes are reserved");
    poyi_ctx_draw_on(fork, r);
    ok(poyi_alloc(fork, "test.a", 1500, &a) == POY_OK && poy_ctx_bytes(ctx) == 2000,
       "a part of it is no more in the ledger");
    ok(poyi_alloc(fork, "test.b", 600, &b) == POY_OK && poy_ctx_bytes(ctx) == 2600,
       "what does not fit counts by itself");
    ok(poyi_alloc(fork, "test.c", 501, &c) == POY_ERR_BUDGET && !c, "within the budget, too");
    ok(poyi_alloc(ctx, "test.c", 400, &c) == POY_OK && poy_ctx_bytes(ctx) == 3000, "other contexts do not draw on it");
    poyi_free(&c);
    poyi_free(&a);
    ok(poyi_alloc(fork, "test.a", 2000, &a) == POY_OK && poy_ctx_bytes(ctx) == 2600, "it is used again");
    ok(poyi_reserve_most(r) == 2000, "the most of it was all of it");
    poyi_ctx_draw_on(fork, NULL);
    poyi_reserve_close(&r);
    ok(!r && poy_ctx_bytes(ctx) == 2600, "a block that is left counts by itself");
    poyi_free(&a);
    poyi_free(&b);
    ok(poy_ctx_bytes(ctx) == 0 && poy_ctx_bytes_peak(ctx) == 3000, "all is given back");
    poy_ctx_destroy(&fork);
    poy_ctx_destroy(&ctx);
}

int main(void)
{
    poy_ctx *ctx = NULL, *fork = NULL;
    void *p = NULL, *q = NULL;

    ok(poy_ctx_create(&ctx) == POY_OK, "a context is made");
    ok(passes_on(ctx) == POY_ERR_SHAPE, "a failure passes through a caller");
    ok(!strcmp(poy_ctx_cause(ctx), "y has 4 elements, needs 3"), "the cause is the first line: %s", poy_ctx_cause(ctx));
    ok(strstr(poy_ctx_message(ctx), "in passes_on") != NULL, "the caller is named: %s", poy_ctx_message(ctx));
    ok(passes_bare_code_on(ctx) == POY_ERR_DEVICE && strstr(poy_ctx_cause(ctx), "bare_code failed: a device failed"),
       "a bare code starts a new account: %s", poy_ctx_cause(ctx));

    ok(poyi_alloc(ctx, "test.a", 1000, &p) == POY_OK && poy_ctx_bytes(ctx) == 1000, "1000 bytes are in the ledger");
    ok((uintptr_t)p % 64 == 0, "aligned to 64");
    poy_ctx_set_budget(ctx, 1500);
    ok(poyi_alloc(ctx, "test.b", 501, &q) == POY_ERR_BUDGET && q == NULL, "over the budget: %s", poy_ctx_cause(ctx));
    ok(poyi_alloc(ctx, "test.b", 500, &q) == POY_OK, "just within it");
    ok(poy_ctx_fork(ctx, &fork) == POY_OK && poy_ctx_bytes(fork) == 1500, "a fork sees the same ledger");
    poy_ctx_destroy(&ctx);
    poyi_free(&p);
    poyi_free(&q);
    ok(poy_ctx_bytes(fork) == 0 && poy_ctx_bytes_peak(fork) == 1500,
       "memory outlives the context it was asked for with");
    poy_ctx_destroy(&fork);

    test_account();
    test_log();
    test_remedies();
    test_progress();
    test_shared();
    test_ledger();
    test_reserve();
    test_settings();
    return tap_done();
}
