/* test_pulse_rows.c: every row of programs on one backend against the reference: usage: test_pulse_rows BACKEND [row]. */
#include "poynting/conform_rows.h"
#include "tap.h"

static void tell(void *user, const poy_conform_row *row)
{
    const char *spec = user;
    if (row->origin != POY_NATIVE) {
        note("%s %s: %s", spec, row->row, row->origin == POY_DELEGATED ? "delegated to the reference" : "absent");
        return;
    }
    ok(row->failed == 0 && row->cases > 0, "%s %s: %d cases, largest error %.2f of %g eps sum |terms| (%s)", spec,
       row->row, row->cases, row->worst, row->tolerance, row->worst_case);
    if (row->failed)
        note("%d failed, first %s", row->failed, row->failure);
    if (row->absent_variants)
        note("%s %s: %d cases of variants that it lacks", spec, row->row, row->absent_variants);
}

int main(int argc, char **argv)
{
    char spec[64] = "cpu";
    poy_ctx *ctx = NULL;
    int failed = 0;
    poy_conform_options o;

    if (argc > 1)
        snprintf(spec, sizeof spec, "%s", argv[1]);
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_conform_options_init(&o);
    o.backend = spec;
    poy_status status = poy_conform_rows(ctx, &o, argc > 2 ? argv[2] : NULL, tell, spec, &failed);
    if (status == POY_ERR_UNSUPPORTED) {
        printf("1..0 # SKIP %s\n", poy_ctx_cause(ctx));
        poy_ctx_destroy(&ctx);
        return 77;
    }
    ok(status == POY_OK, "conformance ran: %s", status == POY_OK ? "to its end" : poy_ctx_message(ctx));
    ok(failed == 0, "%d cases failed", failed);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
