/* test_ops.c: every row of ops.def on one backend, by generated cases: usage: test_ops BACKEND [full|ops=GLOB|CASE].
 * Prints a line per operation and type with its largest error; a failure with the case that reproduces it. */
#include <string.h>

#include "poynting/conform.h"
#include "poynting/poynting.h"
#include "tap.h"

static void tell(void *user, const poy_conform_cell *cell)
{
    const char *spec = user;
    if (cell->origin != POY_NATIVE) {
        note("%s %s %s: %s", spec, cell->op, poy_dtype_name(cell->dtype),
             cell->origin == POY_DELEGATED ? "delegated to the reference" : "absent");
        return;
    }
    ok(cell->failed == 0 && cell->cases > 0, "%s %s %s: %d cases, largest error %.2f of the bound (%s)", spec, cell->op,
       poy_dtype_name(cell->dtype), cell->cases, cell->worst, cell->worst_case);
    if (cell->failed)
        note("%d failed, first %s", cell->failed, cell->failure);
}

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL;
    poy_conform_options options;
    poy_conform_report report;

    poy_conform_options_init(&options);
    options.backend = argc > 1 ? argv[1] : "cpu";
    if (argc > 2 && !strcmp(argv[2], "full"))
        options.level = POY_CONFORM_FULL;
    else if (argc > 2 && !strncmp(argv[2], "ops=", 4))
        options.ops = argv[2] + 4;
    else if (argc > 2)
        options.only = argv[2];
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_status status = poy_conform_run(ctx, &options, tell, argc > 1 ? argv[1] : "cpu", &report);
    if (status == POY_ERR_UNSUPPORTED) {
        printf("1..0 # SKIP %s\n", poy_ctx_cause(ctx));
        poy_ctx_destroy(&ctx);
        return 77;
    }
    ok(status == POY_OK, "conformance ran: %s", status == POY_OK ? "to its end" : poy_ctx_message(ctx));
    ok(report.failed == 0 && report.native > 0, "%lld cases of %d native cells, %d delegated, %d absent",
       (long long)report.cases, report.native, report.delegated, report.absent);
    /* The backends of this library leave nothing to others: a kernel that is lost is missed here. */
    if (!options.only)
        ok(report.delegated == 0 && report.absent == 0, "every cell of %s is its own", options.backend);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
