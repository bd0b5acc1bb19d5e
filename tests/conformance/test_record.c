/* test_record.c: every record that the library has, because it is in records.def, at each of its examples: adjoint identity,
 * central differences whose error falls as the step squared, one array at a time, restored state, batches. */
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

static const char *const rows[] = {
#define POY_RECORD(name, in, out, text) "poy." #name,
#include "poynting/records.def"
#undef POY_RECORD
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static void figures(const poy_rec_check *c)
{
    note("adjoint %.1e, forward %.1e %.1e %.1e, reverse %.1e %.1e %.1e, rounding %.1e, parts %.1e, restored %.1e, "
         "batch %.1e",
         c->adjoint, c->forward[0], c->forward[1], c->forward[2], c->reverse[0], c->reverse[1], c->reverse[2],
         c->rounding, c->parts, c->restored, c->batch);
}

static void check(poy_ctx *ctx, const char *name, int example, uint64_t seed)
{
    poy_rec_check c;
    poy_rec_spec specs[POY_REC_ARRAYS_MAX];
    const char *options = NULL;
    const poy_status status = poy_record_check_example(ctx, name, example, seed, &c);

    poy_record_example(ctx, name, example, &options, specs);
    if (!ok(status == POY_OK && c.fault == NULL, "%s{%s}, example %d, seed %llu%s%s", name, options ? options : "",
            example, (unsigned long long)seed, status == POY_OK ? "" : ": ",
            status == POY_OK ? "" : poy_ctx_cause(ctx))) {
        if (status == POY_OK)
            note("fault: %s", c.fault);
    }
    if (status == POY_OK)
        figures(&c);
}

static void check_record(poy_ctx *ctx, const char *name)
{
    poy_rec_info info;
    if (!ok(poy_record_describe(ctx, name, &info) == POY_OK && info.n_examples > 0, "%s has examples", name))
        return;
    ok(!info.reverse_only && *info.text, "%s has both derivatives, and says what it is: %s", name, info.text);
    for (int k = 0; k < info.n_examples; k++)
        for (uint64_t seed = 1; seed <= 3; seed++)
            check(ctx, name, k, seed);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < ROWS; i++) {
        const char *known = poy_record_known(ctx, i);
        ok(known && !strcmp(known, rows[i]), "%s is known", rows[i]);
        check_record(ctx, rows[i]);
    }
    ok(poy_record_known(ctx, ROWS) == NULL, "no other record is built in");
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu bytes", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}
