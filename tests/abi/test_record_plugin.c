/* test_record_plugin.c: records of others, from shared objects that were built with the public headers alone:
 *   test_record_plugin LORENTZ FAULTS OTHER_ABI HALF, the first of them the example of docs/records.md. */
#include <math.h>
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

static void example(poy_ctx *ctx, const char *path)
{
    double w[2] = {0.0, 2.0}, pole[3] = {2.0, 0.5, 3.0}, eps[4] = {0}, g[4] = {1, 0, 0, 1}, gw[2], gpole[3] = {0};
    const poy_rec_array in[2] = {{.spec = {POY_F64, 1, {2}}, .data = w}, {.spec = {POY_F64, 1, {3}}, .data = pole}};
    const poy_rec_array out = {.spec = {POY_C128, 1, {2}}, .data = eps}, cot = {.spec = out.spec, .data = g};
    const poy_rec_array grad[2] = {{.spec = in[0].spec, .data = gw}, {.spec = in[1].spec, .data = gpole}};
    poy_record *r = NULL;
    poy_saved *s = NULL;
    poy_rec_check c;

    ok(poy_record_load(ctx, path) == POY_OK, "the example of docs/records.md is loaded: %s", poy_ctx_message(ctx));
    ok(poy_record_load(ctx, path) == POY_OK, "once more is no failure");
    for (int k = 0; k < 2; k++) {
        const poy_status checked = poy_record_check_example(ctx, "acme.lorentz", k, 1, &c);
        ok(checked == POY_OK && !c.fault, "example %d passes the self-check: %s", k,
           checked == POY_OK ? c.fault ? c.fault : "" : poy_ctx_cause(ctx));
    }
    ok(poy_record_open(ctx, "acme.lorentz", "eps_inf=2.25", &r) == POY_OK &&
           poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_OK,
       "and works: %s", poy_ctx_message(ctx));
    /* At 0: eps_inf + f. On resonance: f w0^2 / (-i gamma w0) = i f w0 / gamma = 12 i. */
    ok(eps[0] == 5.25 && eps[1] == 0.0 && fabs(eps[2] - 2.25) < 1e-15 && fabs(eps[3] - 12.0) < 1e-14,
       "its values are right");
    /* L = Re eps(0) + Im eps(w0): dL/df = 1 + w0 / gamma = 5, dL/dgamma = -f w0 / gamma^2 = -24. */
    const poy_status status = poy_record_pullback(ctx, s, &cot, grad);
    ok(status == POY_OK && fabs(gpole[2] - 5.0) < 1e-14 && fabs(gpole[1] + 24.0) < 1e-13,
       "so are its gradients: %.17g %.17g", gpole[2], gpole[1]);
    poy_saved_destroy(&s);
    poy_record_close(&r);
    ok(poy_record_open(ctx, "acme.lorentz", "eps_inf=0", &r) == POY_ERR_ARGUMENT &&
           !strcmp(poy_ctx_cause(ctx), "lorentz: eps_inf is 0, needs to be above 0"),
       "it refuses in its own words: %s", poy_ctx_cause(ctx));
    pole[1] = 0.0;
    poy_record_open(ctx, "acme.lorentz", NULL, &r);
    ok(poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_ERR_THRESHOLD && !s, "of numbers, too: %s",
       poy_ctx_cause(ctx));
    poy_record_close(&r);
}

static poy_status evaluate(poy_ctx *ctx, const char *name)
{
    double x = 1.0, y;
    const poy_rec_array in = {.spec = {POY_F64, 1, {1}}, .data = &x}, out = {.spec = {POY_F64, 1, {1}}, .data = &y};
    poy_record *r = NULL;
    poy_status status = poy_record_open(ctx, name, NULL, &r);
    if (status == POY_OK)
        status = poy_record_evaluate(ctx, r, NULL, &in, &out, NULL);
    poy_record_close(&r);
    return status;
}

static void faults(poy_ctx *ctx, const char *path)
{
    ok(poy_record_load(ctx, path) == POY_OK, "a plug-in of faulty records");
    poy_ctx_fail(ctx, POY_ERR_SINGULAR, "an old text with the same status");
    ok(evaluate(ctx, "faults.bare") == POY_ERR_SINGULAR &&
           !strcmp(poy_ctx_cause(ctx), "faults.bare.evaluate failed: a singular matrix"),
       "a bare status is put into words: %s", poy_ctx_message(ctx));
    ok(evaluate(ctx, "faults.no_status") == POY_ERR_CALLBACK && strstr(poy_ctx_cause(ctx), "returned -7"),
       "what is no status is a fault of the callback: %s", poy_ctx_cause(ctx));
    ok(evaluate(ctx, "faults.wrong_type") == POY_ERR_CALLBACK, "so is what contradicts the declaration: %s",
       poy_ctx_cause(ctx));
}

static void refusals(poy_ctx *ctx, const char *other_abi, const char *half, const char *no_plugin)
{
    poy_record *r = NULL;
    ok(poy_record_load(ctx, other_abi) == POY_ERR_UNSUPPORTED, "a plug-in for another ABI: %s", poy_ctx_cause(ctx));
    ok(poy_record_load(ctx, half) == POY_ERR_ARGUMENT, "a plug-in with one record that is none: %s",
       poy_ctx_cause(ctx));
    ok(poy_record_open(ctx, "faults.bare", NULL, &r) == POY_ERR_ARGUMENT && !r, "leaves none of them: %s",
       poy_ctx_cause(ctx));
    ok(poy_record_load(ctx, no_plugin) == POY_ERR_IO, "a file that is none: %s", poy_ctx_cause(ctx));
    ok(poy_record_load(ctx, "libm.so.6") == POY_ERR_ARGUMENT, "a library without the entry: %s", poy_ctx_cause(ctx));
}

/* The record, and the state, hold the engine, and that the plug-in's code. */
static void outlive(const char *path)
{
    double w = 0.0, pole[3] = {2.0, 0.5, 3.0}, eps[2], g[2] = {1, 0}, gpole[3] = {0};
    const poy_rec_array in[2] = {{.spec = {POY_F64, 1, {1}}, .data = &w}, {.spec = {POY_F64, 1, {3}}, .data = pole}};
    const poy_rec_array out = {.spec = {POY_C128, 1, {1}}, .data = eps}, cot = {.spec = out.spec, .data = g};
    const poy_rec_array grad[2] = {{.data = NULL}, {.spec = in[1].spec, .data = gpole}};
    poy_ctx *ctx = NULL, *other = NULL;
    poy_record *r = NULL;
    poy_saved *s = NULL;

    poy_ctx_create(&ctx);
    poy_ctx_create(&other);
    ok(poy_record_load(ctx, path) == POY_OK && poy_record_open(ctx, "acme.lorentz", NULL, &r) == POY_OK &&
           poy_record_evaluate(ctx, r, NULL, in, &out, &s) == POY_OK,
       "a record in an engine of its own");
    poy_record_close(&r);
    poy_ctx_destroy(&ctx);
    ok(poy_record_pullback(other, s, &cot, grad) == POY_OK && fabs(gpole[2] - 1.0) < 1e-15,
       "works on when context and record are gone");
    poy_saved_destroy(&s);
    poy_ctx_destroy(&other);
}

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL, *strict = NULL;
    if (argc != 5 || poy_ctx_create(&ctx) != POY_OK || poy_ctx_create(&strict) != POY_OK)
        return 1;
    example(ctx, argv[1]);
    faults(ctx, argv[2]);
    refusals(strict, argv[3], argv[4], argv[0]);
    outlive(argv[1]);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&strict);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
