/* test_thirdparty.c: backends from outside, made from public headers alone: registered in process, loaded as a plug-in,
 * and one that stands for a device. usage: test_thirdparty PLUGIN.so */
#include <string.h>

#include "mine.h"
#include "poynting/conform.h"
#include "poynting/poynting.h"
#include "tap.h"

#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})

static char logged[512];

static void keep_log(void *user, poy_log_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(logged, sizeof logged, "%s", text);
}

static int cause_is(const poy_ctx *ctx, const char *text)
{
    if (strstr(poy_ctx_cause(ctx), text))
        return 1;
    note("the account is: %s", poy_ctx_message(ctx));
    return 0;
}

static void operations(poy_ctx *ctx, poy_backend *be)
{
    static const double hx[4] = {1, 2, 3, 4};
    double got[4] = {0};
    poy_array *x = NULL, *t = NULL, *row = NULL, *z = NULL;

    ok(poy_array_create(ctx, be, POY_F64, 2, EXTENT(2, 2), &x) == POY_OK && poy_array_write(ctx, x, hx) == POY_OK &&
           poy_array_transpose(ctx, x, NULL, &t) == POY_OK && poy_array_slice(ctx, x, 0, 0, 1, 1, &row) == POY_OK,
       "arrays and views in its memory");
    ok(poy_add(ctx, x, t, &z) == POY_OK && poy_array_read(ctx, z, got) == POY_OK && got[1] == 5 && got[2] == 5,
       "its addition is given packed tensors");
    poy_array_destroy(&z);
    ok(poy_add(ctx, x, row, &z) == POY_OK && poy_array_read(ctx, z, got) == POY_OK && got[2] == 4 && got[3] == 6,
       "broadcast ones, too");
    ok(poy_add_into(ctx, x, x, t) == POY_OK && poy_array_read(ctx, x, got) == POY_OK && got[1] == 6 && got[2] == 4,
       "and its output is brought home to a view: %g %g", got[1], got[2]);
    poy_array_destroy(&z);
    ok(poy_sum(ctx, x, 1, (const int[]){0}, 1, &z) == POY_OK && poy_array_read(ctx, z, got) == POY_OK && got[0] == 6 &&
           got[1] == 14,
       "a reduction gets the kept axes first: %g %g", got[0], got[1]);
    poy_array_destroy(&z);
    ok(poy_exp(ctx, x, &z) == POY_ERR_DEVICE && !z && cause_is(ctx, "mine.exp failed: a device failed") &&
           strstr(poy_ctx_message(ctx), "in poy_exp") != NULL,
       "a bare code is put into words: %s", poy_ctx_message(ctx));
    ok(poy_div(ctx, x, t, &z) == POY_OK, "an account of earlier does not come back");
    poy_array_destroy(&z);
    ok(poy_exp(ctx, x, &z) == POY_ERR_DEVICE && cause_is(ctx, "mine.exp failed"), "the second time, too");
    poy_array_destroy(&row);
    poy_array_destroy(&t);
    poy_array_destroy(&x);
}

static void in_process(void)
{
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL, *none = NULL;

    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_register(ctx, &mine_api) == POY_OK, "registered in process");
    poy_ctx_set_log(ctx, keep_log, NULL, POY_LOG_INFO);
    ok(poy_backend_open(ctx, "mine", &be) == POY_OK && strstr(logged, "'of_a_later_version'") != NULL,
       "opened; what this library does not know is left out: %s", logged);
    ok(poy_backend_open(ctx, "mine:fast", &none) == POY_ERR_ARGUMENT && cause_is(ctx, "'mine' has no settings"),
       "its refusal is its own");
    ok(poy_backend_origin(be, "add", POY_F64) == POY_NATIVE &&
           poy_backend_origin(be, "add", POY_F32) == POY_DELEGATED &&
           poy_backend_origin(be, "sin", POY_C64) == POY_ABSENT && poy_backend_row_origin(be, "fft") == POY_DELEGATED,
       "who does what");
    operations(ctx, be);
    ok(mine_calls == 3, "its addition was called %d times", mine_calls);
    poy_conform_options o;
    poy_conform_report report;
    poy_conform_options_init(&o);
    o.backend = "mine";
    o.ops = "add";
    poy_status status = poy_conform_run(ctx, &o, NULL, NULL, &report);
    ok(status == POY_OK && report.native == 1 && report.failed == 0 && report.cases > 30 && report.delegated == 6,
       "its addition conforms in %d cases", (int)report.cases);
    o.ops = "exp";
    status = poy_conform_run(ctx, &o, NULL, NULL, &report);
    ok(status == POY_OK && report.failed >= 30, "its exponential fails in %d of %d: the others are empty",
       (int)report.failed, (int)report.cases);
    poy_backend_close(&be);
    ok(mine_open == 0 && mine_held == 0 && poy_ctx_bytes(ctx) == 0, "nothing of it is left");
    poy_ctx_destroy(&ctx);
}

static void as_plug_in(const char *path)
{
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;
    poy_array *x = NULL;

    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_load(ctx, path) == POY_OK, "loaded");
    ok(poy_backend_load(ctx, path) == POY_ERR_CONFLICT, "not twice: %s", poy_ctx_cause(ctx));
    ok(poy_backend_open(ctx, "mine", &be) == POY_OK, "opened");
    operations(ctx, be);
    ok(poy_array_create(ctx, be, POY_F64, 1, EXTENT(3), &x) == POY_OK, "an array");
    poy_backend_close(&be);
    poy_ctx_destroy(&ctx);
    poy_array_destroy(&x);
    ok(1, "outlives the handles, and takes the plug-in down with it");
}

static void as_device(void)
{
    static const double hx[6] = {1, 2, 3, 4, 5, 6};
    double got[6] = {0}, memory[2];
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;
    poy_array *x = NULL, *t = NULL, *z = NULL, *w = NULL;

    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_register(ctx, &far_api) == POY_OK &&
           poy_backend_open(ctx, "far", &be) == POY_OK,
       "a backend with memory of its own");
    ok(poy_array_create(ctx, be, POY_F64, 2, EXTENT(2, 3), &x) == POY_OK && poy_array_write(ctx, x, hx) == POY_OK &&
           poy_array_transpose(ctx, x, NULL, &t) == POY_OK && poy_array_read(ctx, t, got) == POY_OK && got[1] == 4,
       "views are read by way of its copy");
    ok(poy_add_into(ctx, t, t, t) == POY_OK && poy_array_read(ctx, x, got) == POY_OK && got[5] == 12,
       "and added in place");
    ok(poy_mul(ctx, x, x, &z) == POY_ERR_UNSUPPORTED && !z &&
           cause_is(ctx, "mul: backend 'far' does not have it for f64"),
       "what it lacks is refused by name: %s", poy_ctx_cause(ctx));
    ok(poy_backend_origin(be, "mul", POY_F64) == POY_ABSENT && poy_backend_row_origin(be, "fft") == POY_ABSENT,
       "nobody stands in");
    ok(poy_array_wrap(ctx, be, POY_F64, 1, EXTENT(2), NULL, memory, &w) == POY_ERR_UNSUPPORTED && !w,
       "the host's memory is not its own: %s", poy_ctx_cause(ctx));
    ok(poy_fill(ctx, be, (poy_scalar){2, 0}, POY_F64, 1, EXTENT(4), &z) == POY_OK, "filled");
    poy_array_destroy(&z);
    poy_array_destroy(&t);
    poy_array_destroy(&x);
    poy_conform_options o;
    poy_conform_report report;
    poy_conform_options_init(&o);
    o.backend = "far";
    o.ops = "add";
    o.dtypes = 1u << POY_F64;
    poy_status status = poy_conform_run(ctx, &o, NULL, NULL, &report);
    ok(status == POY_OK && report.failed == 0 && report.cases > 30, "its addition conforms in %d cases",
       (int)report.cases);
    poy_backend_close(&be);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
}

int main(int argc, char **argv)
{
    in_process();
    if (argc > 1)
        as_plug_in(argv[1]);
    as_device();
    return tap_done();
}
