/* test_declared.c: a backend whose e^x is off by six eps, where four are allowed: found, unless it declares that it needs more. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/ref/ref.h"
#include "ops/ops.h"
#include "poynting/conform.h"
#include "tap.h"

static poy_status coarse_exp(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const both[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, both, 0, y->rank);
    (void)ctx, (void)be;
    while (poyi_ref_walk_next(&w)) {
        poyi_ref_value v = poyi_ref_load(x, w.at[0]);
        v.z = exp(creal(v.z)) * (1 - 6 * 0x1p-52);
        poyi_ref_store(y, w.at[1], v);
    }
    return POY_OK;
}

static poy_status open_coarse(poy_ctx *ctx, const char *settings, void **be)
{
    static double declared[8];
    const int k = atoi(settings) & 7;
    (void)ctx;
    declared[k] = k;
    *be = &declared[k];
    return POY_OK;
}

static void close_coarse(void *be)
{
    (void)be;
}

static double tolerance(void *be, const char *op, poy_dtype dtype)
{
    return !strcmp(op, "exp") && dtype == POY_F64 ? *(double *)be : 1;
}

static const poy_op_entry *ops(void *be, size_t *n)
{
    static const poy_op_entry entry = {
        .name = "exp", .family = POY_FAMILY_unary, .dtype = POY_F64, .cell.unary = coarse_exp};
    (void)be;
    *n = 1;
    return &entry;
}

static void keep(void *user, const poy_conform_cell *cell)
{
    *(poy_conform_cell *)user = *cell;
}

int main(void)
{
    static const poy_backend_api coarse = {.abi = POY_BACKEND_ABI,
                                           .size = sizeof coarse,
                                           .name = "coarse",
                                           .flags = POY_BACKEND_HOST | POY_BACKEND_STRIDED,
                                           .open = open_coarse,
                                           .close = close_coarse,
                                           .alloc = poyi_host_alloc,
                                           .release = poyi_host_release,
                                           .write = poyi_host_write,
                                           .read = poyi_host_read,
                                           .ops = ops,
                                           .tolerance = tolerance};
    poy_ctx *ctx = NULL;
    poy_conform_options o;
    poy_conform_report report;
    poy_conform_cell cell = {.op = NULL};

    poy_conform_options_init(&o);
    o.ops = "exp";
    o.dtypes = 1u << POY_F64;
    o.backend = "coarse:1";
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    ok(poy_backend_register(ctx, &coarse) == POY_OK, "a backend with a coarse exponential");
    ok(poy_conform_run(ctx, &o, keep, &cell, &report) == POY_OK && report.failed > 0 && cell.multiplier == 1,
       "is found: %s", cell.failure);
    o.backend = "coarse:2";
    ok(poy_conform_run(ctx, &o, keep, &cell, &report) == POY_OK && report.failed == 0 && cell.worst > 0.5,
       "passes where it declares twice the bound: %.2f of it", cell.worst);
    ok(cell.multiplier == 2 && cell.row_tolerance == 8, "which is told");
    o.backend = "coarse:5";
    ok(poy_conform_run(ctx, &o, keep, &cell, &report) == POY_ERR_BACKEND, "more than four times are refused: %s",
       poy_ctx_cause(ctx));
    o.backend = "coarse:0";
    ok(poy_conform_run(ctx, &o, keep, &cell, &report) == POY_ERR_BACKEND, "and less than once");
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
