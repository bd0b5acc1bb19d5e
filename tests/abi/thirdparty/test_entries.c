/* test_entries.c: lists of a backend that cannot be meant, or that a later version may know, and memory that is not aligned. */
#include <stdlib.h>
#include <string.h>

#include "mine.h"
#include "poynting/poynting.h"
#include "tap.h"

static char logged[512];

static void keep_log(void *user, poy_log_level level, const char *text)
{
    (void)user;
    if (level <= POY_LOG_WARNING)
        snprintf(logged, sizeof logged, "%s", text);
}

static poy_status twice(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)ctx, (void)be;
    for (int64_t i = 0; i < y->extent[0]; i++)
        ((double *)y->mem)[y->offset + i] = 2 * ((const double *)x->mem)[x->offset + i];
    return POY_OK;
}

static poy_status prepare(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                          size_t *work_bytes)
{
    (void)ctx, (void)be, (void)spec, (void)work, (void)step;
    *work_bytes = 0;
    return POY_OK; /* it has no variant of anything */
}

/* What one spec offers: one or two entries, and what is said when it is opened. */
typedef struct offer {
    const char *spec;
    poy_op_entry ops[2];
    poy_row_entry rows[2];
    int n_ops, n_rows;
    poy_status status;
    const char *says;
} offer;
#define ENTRY(op, of, type, function)                                                \
    {                                                                                \
        .name = op, .family = POY_FAMILY_##of, .dtype = type, .cell.unary = function \
    }
static const offer offers[] = {
    {"good", {ENTRY("sin", unary, POY_F64, twice)}, {{"fft", prepare, NULL}}, 1, 1, POY_OK, ""},
    {"empty",
     {ENTRY("sin", unary, POY_F64, NULL)},
     {{NULL}},
     1,
     0,
     POY_ERR_BACKEND,
     "'lists' offers 'sin' in f64 without a function"},
    {"twice",
     {ENTRY("sin", unary, POY_F64, twice), ENTRY("sin", unary, POY_F64, twice)},
     {{NULL}},
     2,
     0,
     POY_ERR_BACKEND,
     "'lists' offers 'sin' in f64 twice: entry 1"},
    {"nameless",
     {ENTRY(NULL, unary, POY_F64, twice)},
     {{NULL}},
     1,
     0,
     POY_ERR_BACKEND,
     "entry 0 of its operations has no name"},
    {"unknown", {ENTRY("sinn", unary, POY_F64, twice)}, {{NULL}}, 1, 0, POY_OK, "'sinn', which is not an operation"},
    {"family", {ENTRY("add", unary, POY_F64, twice)}, {{NULL}}, 1, 0, POY_OK, "'add', which is of another family"},
    {"type",
     {ENTRY("tan", unary, POY_C128, twice)},
     {{NULL}},
     1,
     0,
     POY_OK,
     "'tan' in c128, in which it is never computed"},
    {"no-type", {ENTRY("tan", unary, (poy_dtype)77, twice)}, {{NULL}}, 1, 0, POY_OK, "'tan' in element type 77"},
    {"row-empty", {{NULL}}, {{"fft", NULL, NULL}}, 0, 1, POY_ERR_BACKEND, "offers row 'fft' without prepare"},
    {"row-twice",
     {{NULL}},
     {{"fft", prepare, NULL}, {"fft", prepare, NULL}},
     0,
     2,
     POY_ERR_BACKEND,
     "offers row 'fft' twice"},
    {"row-nameless", {{NULL}}, {{NULL, prepare, NULL}}, 0, 1, POY_ERR_BACKEND, "entry 0 of its rows has no name"},
    {"row-unknown", {{NULL}}, {{"fftt", prepare, NULL}}, 0, 1, POY_OK, "row 'fftt', which is not a row"},
    {"odd", {{NULL}}, {{NULL}}, 0, 0, POY_OK, ""},
};
enum { OFFERS = sizeof offers / sizeof offers[0] };
static int opened;

static poy_status open_lists(poy_ctx *ctx, const char *settings, void **be)
{
    static int indices[OFFERS];
    for (int i = 0; i < OFFERS; i++)
        if (!strcmp(offers[i].spec, settings)) {
            indices[i] = i;
            *be = &indices[i];
            opened++;
            return POY_OK;
        }
    return poy_ctx_fail(ctx, POY_ERR_ARGUMENT, "lists: no offer '%s'", settings);
}

static void close_lists(void *be)
{
    (void)be;
    opened--;
}

static const poy_op_entry *ops_of(void *be, size_t *n)
{
    *n = (size_t)offers[*(int *)be].n_ops;
    return offers[*(int *)be].ops;
}

static const poy_row_entry *rows_of(void *be, size_t *n)
{
    *n = (size_t)offers[*(int *)be].n_rows;
    return offers[*(int *)be].rows;
}

/* Eight bytes behind what malloc gives, where the spec is "odd". */
static int held;

static poy_status alloc(poy_ctx *ctx, void *be, size_t bytes, void **mem)
{
    const size_t by = strcmp(offers[*(int *)be].spec, "odd") != 0 ? 0 : 8;
    char *p = malloc(bytes + 16);
    if (!p)
        return poy_ctx_fail(ctx, POY_ERR_MEMORY, "lists: no memory");
    *mem = p + by;
    held++;
    return POY_OK;
}

static void release(void *be, void *mem)
{
    free((char *)mem - (strcmp(offers[*(int *)be].spec, "odd") != 0 ? 0 : 8));
    held--;
}

static void try_offer(poy_ctx *ctx, const offer *o)
{
    char spec[64];
    poy_backend *be = NULL;
    poy_ctx_clear(ctx);
    logged[0] = '\0';
    snprintf(spec, sizeof spec, "lists:%s", o->spec);
    const poy_status status = poy_backend_open(ctx, spec, &be);
    const char *said = status == POY_OK ? logged : poy_ctx_cause(ctx);
    ok(status == o->status && strstr(said, o->says) != NULL && (*o->says || !*said), "%s: %s", spec,
       *said ? said : "opened without a word");
    if (status == POY_OK && (!strcmp(o->spec, "type") || !strcmp(o->spec, "family") || !strcmp(o->spec, "unknown")))
        ok(poy_backend_origin(be, "tan", POY_F64) == POY_DELEGATED &&
               poy_backend_origin(be, "add", POY_F64) == POY_DELEGATED,
           "%s: and is left out", spec);
    poy_backend_close(&be);
    ok(opened == 0, "%s: its state is closed", spec);
}

static void memory(poy_ctx *ctx)
{
    poy_backend *be = NULL;
    poy_array *x = NULL;
    ok(poy_backend_open(ctx, "lists:good", &be) == POY_OK &&
           poy_array_create(ctx, be, POY_C128, 1, (const int64_t[]){5}, &x) == POY_OK,
       "malloc's memory will do");
    poy_array_destroy(&x);
    poy_backend_close(&be);
    ok(poy_backend_open(ctx, "lists:odd", &be) == POY_OK &&
           poy_array_create(ctx, be, POY_C128, 1, (const int64_t[]){5}, &x) == POY_ERR_BACKEND && !x && !held &&
           strstr(poy_ctx_cause(ctx), "lists.alloc gave memory at 0x") != NULL &&
           strstr(poy_ctx_cause(ctx), "not aligned to 16 bytes") != NULL,
       "memory that is not aligned is refused and given back: %s", poy_ctx_cause(ctx));
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_backend_close(&be);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poy_backend_api api = mine_api;
    api.name = "lists";
    api.open = open_lists;
    api.close = close_lists;
    api.alloc = alloc;
    api.release = release;
    api.ops = ops_of;
    api.rows = rows_of;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_log(ctx, keep_log, NULL, POY_LOG_INFO);
    ok(poy_backend_register(ctx, &api) == POY_OK, "a backend with lists of all kinds");
    for (int i = 0; i < OFFERS; i++)
        try_offer(ctx, &offers[i]);
    memory(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
