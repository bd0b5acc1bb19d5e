/* test_ctx.c: contexts, the account of a failure, the ledger and the budget. */
#include <string.h>

#include "core/core.h"
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
    return tap_done();
}
