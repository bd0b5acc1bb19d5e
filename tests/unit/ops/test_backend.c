/* test_backend.c: backends by name: what is known, opened once and counted, settings, refusals, plug-ins' api structs. */
#include <string.h>

#include "ops/ops.h"
#include "tap.h"

static int opened, closed;

static poy_status open_mine(poy_ctx *ctx, const char *settings, void **be)
{
    (void)ctx;
    *be = NULL;
    if (!strcmp(settings, "bare"))
        return POY_ERR_DEVICE;
    opened++;
    return POY_OK;
}

static void close_mine(void *be)
{
    (void)be;
    closed++;
}

static void never(void *be, size_t size, char *out)
{
    (void)be;
    ok(0, "a member beyond the end of the struct is called (%zu bytes)", size);
    out[0] = '\0';
}

static poy_backend_api mine(const char *name)
{
    return (poy_backend_api){.abi = POY_BACKEND_ABI,
                             .size = sizeof(poy_backend_api),
                             .name = name,
                             .flags = POY_BACKEND_HOST,
                             .open = open_mine,
                             .close = close_mine,
                             .alloc = poyi_host_alloc,
                             .release = poyi_host_release,
                             .write = poyi_host_write,
                             .read = poyi_host_read};
}

static void built_in(poy_ctx *ctx)
{
    poy_backend *be = NULL, *again = NULL;
    char text[256];

    ok(!strcmp(poy_backend_known(ctx, 0), "ref") && !strcmp(poy_backend_known(ctx, 1), "cpu") &&
           !poy_backend_known(ctx, 2) && !poy_backend_known(ctx, -1),
       "ref and cpu are known, nothing else");
    ok(poy_backend_open(ctx, "auto", &be) == POY_OK && !strcmp(poy_backend_name(be), "cpu"), "auto is cpu");
    ok(poy_backend_open(ctx, "cpu", &again) == POY_OK && again == be, "one spec is opened once");
    poy_backend_close(&again);
    ok(again == NULL && poyi_backend_state(be) != NULL, "and closed by its last holder");
    poy_backend_describe(be, sizeof text, text);
    ok(strstr(text, "backend: cpu\n") && strstr(text, "isa: "), "it says what it is: %s", text);
    poy_backend_describe(be, 12, text);
    ok(!strcmp(text, "backend: cp"), "in the room that it is given");
    poy_backend_close(&be);
    poy_backend_close(&be);
}

static void refusals(poy_ctx *ctx)
{
    poy_backend *be = NULL;
    char spec[400];

    ok(poy_backend_open(ctx, "cuda:0", &be) == POY_ERR_BACKEND && !be &&
           !strcmp(poy_ctx_cause(ctx), "no backend named 'cuda'; there are: ref, cpu"),
       "an unknown name is refused, with those there are: %s", poy_ctx_cause(ctx));
    ok(poy_backend_open(ctx, "cpu:isa=neon", &be) == POY_ERR_ARGUMENT && !be, "so is a setting: %s",
       poy_ctx_cause(ctx));
    ok(poy_backend_open(ctx, "cpu:fft=fast", &be) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "'fft=fast'"),
       "by name: %s", poy_ctx_cause(ctx));
    ok(poy_backend_open(ctx, "ref:x", &be) == POY_ERR_ARGUMENT, "ref has none: %s", poy_ctx_cause(ctx));
    ok(poy_backend_open(ctx, "cpu:fft=estimate,isa=base", &be) == POY_OK, "two settings");
    poy_backend_close(&be);
    memset(spec, 'x', sizeof spec - 1);
    spec[sizeof spec - 1] = '\0';
    ok(poy_backend_open(ctx, spec, &be) == POY_ERR_ARGUMENT, "a long spec: %s", poy_ctx_cause(ctx));
}

/* ---- backends that break their side ---- */

static poy_status alloc_none(poy_ctx *ctx, void *be, size_t bytes, void **mem)
{
    (void)ctx;
    (void)be;
    (void)bytes;
    *mem = NULL;
    return POY_OK;
}

static void release_none(void *be, void *mem)
{
    (void)be;
    (void)mem;
}

static poy_status nothing(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)ctx;
    (void)be;
    (void)x;
    (void)y;
    return POY_OK;
}

static const poy_op_entry *odd_ops(void *be, size_t *n)
{
    static const poy_op_entry entries[] = {
        {.name = "sum", .family = POY_FAMILY_unary, .dtype = POY_F64, .cell.unary = nothing},
        {.name = "exp", .family = POY_FAMILY_unary, .dtype = (poy_dtype)99, .cell.unary = nothing},
        {.name = "tomorrow", .family = POY_FAMILY_unary, .dtype = POY_F64, .cell.unary = nothing},
    };
    (void)be;
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

static const poy_op_entry *nameless_ops(void *be, size_t *n)
{
    static const poy_op_entry entries[] = {
        {.name = NULL, .family = POY_FAMILY_unary, .dtype = POY_F64, .cell.unary = nothing}};
    (void)be;
    *n = 1;
    return entries;
}

static const poy_op_entry *no_ops(void *be, size_t *n)
{
    (void)be;
    *n = 5;
    return NULL;
}

static void append(void *user, poy_log_level level, const char *text)
{
    char *all = user;
    (void)level;
    strncat(all, text, 1023 - strlen(all));
    strncat(all, "\n", 1023 - strlen(all));
}

static void broken(poy_ctx *ctx)
{
    static char log[1024];
    poy_backend_api odd = mine("odd"), none = mine("none"), nameless = mine("nameless");
    poy_backend *be = NULL;
    poy_array *a = NULL;
    const int64_t four = 4, zero = 0;
    const size_t held = poy_ctx_bytes(ctx);

    odd.ops = odd_ops;
    odd.alloc = alloc_none;
    odd.release = release_none;
    none.ops = no_ops;
    nameless.ops = nameless_ops;
    poy_ctx_set_log(ctx, append, log, POY_LOG_WARNING);
    ok(poy_backend_register(ctx, &odd) == POY_OK && poy_backend_open(ctx, "odd", &be) == POY_OK &&
           strstr(log, "'sum', which is of another family here") &&
           strstr(log, "'exp' in element type 99, which there is not") &&
           strstr(log, "'tomorrow', which is not an operation"),
       "what a list offers in vain is told, each with its reason: %s", log);
    poy_ctx_set_log(ctx, NULL, NULL, POY_LOG_ERROR);
    ok(poy_array_create(ctx, be, POY_F64, 1, &four, &a) == POY_ERR_BACKEND && !a &&
           strstr(poy_ctx_cause(ctx), "odd.alloc"),
       "no memory is refused: %s", poy_ctx_cause(ctx));
    ok(poy_array_create(ctx, be, POY_F64, 1, &zero, &a) == POY_OK, "which an empty array does without");
    poy_array_destroy(&a);
    ok(poy_ctx_bytes(ctx) == held, "the ledger is as before");
    poy_backend_close(&be);
    ok(poy_backend_register(ctx, &none) == POY_OK && poy_backend_open(ctx, "none", &be) == POY_OK,
       "a list that is not there has no entries");
    poy_backend_close(&be);
    ok(poy_backend_register(ctx, &nameless) == POY_OK && poy_backend_open(ctx, "nameless", &be) == POY_ERR_BACKEND &&
           !be && strstr(poy_ctx_cause(ctx), "entry 0 of its operations has no name"),
       "an entry without a name is refused: %s", poy_ctx_cause(ctx));
}

static void registering(poy_ctx *ctx)
{
    poy_backend_api api = mine("mine"), other = api;
    poy_backend *be = NULL;
    const poy_row_entry *entry = NULL;

    ok(poy_backend_register(ctx, &api) == POY_OK && !strcmp(poy_backend_known(ctx, 2), "mine"), "another's backend");
    ok(poy_backend_register(ctx, &api) == POY_ERR_CONFLICT, "a name is taken once: %s", poy_ctx_cause(ctx));
    other.name = "auto";
    ok(poy_backend_register(ctx, &other) == POY_ERR_CONFLICT, "auto is taken");
    other = mine("Mine!");
    ok(poy_backend_register(ctx, &other) == POY_ERR_BACKEND, "not every name is one: %s", poy_ctx_cause(ctx));
    other = mine("other");
    other.abi = POY_BACKEND_ABI + 1;
    ok(poy_backend_register(ctx, &other) == POY_ERR_BACKEND, "another ABI: %s", poy_ctx_cause(ctx));
    other = mine("other");
    other.size = 16;
    ok(poy_backend_register(ctx, &other) == POY_ERR_BACKEND, "too short a struct: %s", poy_ctx_cause(ctx));
    other = mine("other");
    other.read = NULL;
    ok(poy_backend_register(ctx, &other) == POY_ERR_BACKEND && strstr(poy_ctx_cause(ctx), "'read'"),
       "a function that is missing: %s", poy_ctx_cause(ctx));
    other = mine("older");
    other.size = offsetof(poy_backend_api, run_steps); /* members that a later header added are not read */
    other.describe = never;
    char text[64];
    ok(poy_backend_register(ctx, &other) == POY_OK && poy_backend_open(ctx, "older", &be) == POY_OK,
       "an older, shorter struct");
    poy_backend_describe(be, sizeof text, text);
    ok(!strcmp(text, "backend: older\n"), "is not read beyond its end");
    poy_backend_close(&be);
    ok(poy_backend_open(ctx, "mine:bare", &be) == POY_ERR_DEVICE && !be &&
           !strcmp(poy_ctx_cause(ctx), "mine.open failed: a device failed"),
       "a bare code is put into words: %s", poy_ctx_cause(ctx));
    ok(poy_backend_open(ctx, "mine", &be) == POY_OK && poy_backend_origin(be, "nothing", POY_F64) == POY_ABSENT &&
           poyi_backend_find_row(be, "nothing", &entry) == POY_ABSENT && !entry,
       "who has what nobody has");
    ok(poyi_backend_ref(be) && !strcmp(poy_backend_name(poyi_backend_ref(be)), "ref"),
       "the reference stands behind it");
    poy_backend_close(&be);
}

static void lives_on(void)
{
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;
    poy_backend_api api = mine("mine");
    int closed_before = closed;

    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_register(ctx, &api) == POY_OK &&
           poy_backend_open(ctx, "mine", &be) == POY_OK,
       "a backend in an engine of its own");
    poy_ctx_destroy(&ctx);
    ok(closed == closed_before, "stays open after the context");
    poy_backend_close(&be);
    ok(closed == closed_before + 1, "until it is closed");
}

int main(void)
{
    poy_ctx *ctx = NULL;

    ok(poy_ctx_create(&ctx) == POY_OK, "context");
    built_in(ctx);
    refusals(ctx);
    registering(ctx);
    broken(ctx);
    lives_on();
    ok(opened == closed, "whatever was opened is closed: %d, %d", opened, closed);
    ok(poy_backend_load(ctx, "/nonexistent.so") == POY_ERR_IO, "no such shared object: %s", poy_ctx_cause(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}
