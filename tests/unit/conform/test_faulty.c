/* test_faulty.c: conformance itself: backends that are the reference with one defect each, all of which have to be found. */
#include <string.h>

#include "faulty.h"
#include "poynting/conform.h"
#include "tap.h"

enum { MOST = 128, CASES = 36 /* of the quick level */ };
static const faulty_defect *all[MOST];
static int defects;

static void gather(const faulty_defect *(*list)(size_t *n))
{
    size_t n;
    const faulty_defect *some = list(&n);
    for (size_t i = 0; i < n && defects < MOST; i++)
        all[defects++] = &some[i];
}

static poy_status open_faulty(poy_ctx *ctx, const char *settings, void **be)
{
    static int indices[MOST];
    *be = NULL;
    for (int i = 0; i < defects; i++)
        if (!strcmp(all[i]->name, settings)) {
            indices[i] = i;
            *be = &indices[i];
            return POY_OK;
        }
    return poy_ctx_fail(ctx, POY_ERR_ARGUMENT, "no defect '%s'", settings);
}

static void close_faulty(void *be)
{
    (void)be;
}

/* All else comes from the reference, as with any backend in host memory. */
static const poy_op_entry *ops(void *be, size_t *n)
{
    *n = 1;
    return &all[*(int *)be]->entry;
}

static const poy_backend_api faulty = {.abi = POY_BACKEND_ABI,
                                       .size = sizeof faulty,
                                       .name = "faulty",
                                       .flags = POY_BACKEND_HOST | POY_BACKEND_STRIDED,
                                       .open = open_faulty,
                                       .close = close_faulty,
                                       .alloc = poyi_host_alloc,
                                       .release = poyi_host_release,
                                       .write = poyi_host_write,
                                       .read = poyi_host_read,
                                       .ops = ops};

static void keep_first(void *user, const poy_conform_cell *cell)
{
    if (cell->failed)
        snprintf(user, 256, "%.255s", cell->failure);
}

/* Case by case, as the name of a case runs it, up to the first that fails. */
static void find(poy_ctx *ctx, const faulty_defect *d)
{
    char spec[64], name[64], first[256] = "nothing";
    poy_conform_options o;
    poy_conform_report report = {0};
    poy_status status = POY_OK;
    int i = 0;

    poy_conform_options_init(&o);
    snprintf(spec, sizeof spec, "faulty:%s", d->name);
    o.backend = spec;
    o.only = name;
    for (; i < CASES && status == POY_OK && !report.failed; i++) {
        snprintf(name, sizeof name, "%s.%s.%d.1", d->entry.name, poy_dtype_name(d->entry.dtype), i);
        status = poy_conform_run(ctx, &o, keep_first, first, &report);
        poyi_free(&faulty_kept);
    }
    ok(status == POY_OK && report.native == 1 && report.cases == 1 && report.failed == 1, "%s: found by case %d, %s",
       d->name, i, first);
}

int main(void)
{
    enum { AT_LEAST = 40 };
    poy_ctx *ctx = NULL;

    gather(faulty_pointwise);
    gather(faulty_axes);
    gather(faulty_functions);
    gather(faulty_lines);
    gather(faulty_products);
    int named_twice = 0; /* a backend is opened by its defect's name */
    for (int i = 0; i < defects; i++)
        for (int j = 0; j < i; j++)
            named_twice += !strcmp(all[i]->name, all[j]->name);
    ok(defects >= AT_LEAST && defects < MOST && !named_twice, "%d defects, each with a name of its own", defects);
    ok(poy_ctx_create(&ctx) == POY_OK && poy_backend_register(ctx, &faulty) == POY_OK, "the backends are registered");
    for (int i = 0; i < defects; i++)
        find(ctx, all[i]);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
