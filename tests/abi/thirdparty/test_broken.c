/* test_broken.c: conformance of a backend whose cells crash or never return: each case is told by its name and counted, and
 * the other cells go on. */
#include <string.h>

#include "broken.h"
#include "poynting/conform_laws.h"
#include "poynting/conform_records.h"
#include "poynting/conform_rows.h"
#include "poynting/poynting.h"
#include "tap.h"

typedef struct seen {
    int cells;
    poy_conform_cell add; /* of f64 */
} seen;

static void keep(void *user, const poy_conform_cell *cell)
{
    seen *s = user;
    s->cells++;
    if (!strcmp(cell->op, "add") && cell->dtype == POY_F64)
        s->add = *cell;
}

static poy_status judge(poy_ctx *ctx, const char *spec, const char *only, double seconds, seen *s,
                        poy_conform_report *report)
{
    poy_conform_options o;
    poy_conform_options_init(&o);
    o.backend = spec;
    o.ops = "add";
    o.only = only;
    o.isolated = 1;
    o.case_seconds = seconds;
    *s = (seen){0};
    return poy_conform_run(ctx, &o, keep, s, report);
}

/* Under a sanitizer the process ends with its report. */
static int tells(const char *text, const char *how)
{
    return strstr(text, how) != NULL || strstr(text, "ended the process, with exit code") != NULL;
}

/* A crash in the two cases of 36 that are large. */
static void crashes(poy_ctx *ctx, const char *spec, const char *how)
{
    seen s;
    poy_conform_report report;
    const poy_status status = judge(ctx, spec, NULL, 30, &s, &report);
    char first[64] = "";
    ok(status == POY_OK && report.failed == 2 && report.crashed == 2 && s.add.crashed == 2 && s.add.cases == 36 &&
           tells(s.add.failure, how),
       "%s: %d of %d cases, %s", spec, s.add.crashed, s.add.cases, s.add.failure);
    ok(s.cells == 7 && report.native == 1 && report.delegated == 6, "%s: all %d cells are told of", spec, s.cells);
    snprintf(first, sizeof first, "%.*s", (int)strcspn(s.add.failure, ":"), s.add.failure);
    ok(judge(ctx, spec, first, 30, &s, &report) == POY_OK && report.cases == 1 && report.crashed == 1,
       "%s: '%s' reproduces it", spec, first);
}

static void hangs(poy_ctx *ctx, const char *spec)
{
    seen s;
    poy_conform_report report;
    const poy_status status = judge(ctx, spec, NULL, 3, &s, &report);
    ok(status == POY_OK && report.crashed == 1 && report.failed == 1 && s.add.cases == 1 && s.cells == 7 &&
           strstr(s.add.failure, "did not return within 3 s") != NULL,
       "%s: %s", spec, s.add.failure);
}

static void other_ends(poy_ctx *ctx)
{
    seen s;
    poy_conform_report report;
    poy_status status = judge(ctx, "broken:every-segv", NULL, 30, &s, &report);
    ok(status == POY_OK && report.crashed == 3 && report.failed == 3 && s.add.cases < 36 && s.cells == 7,
       "a cell that always crashes is given up after three: %s", s.add.failure);
    status = judge(ctx, "broken:opened", NULL, 30, &s, &report);
    ok(status == POY_ERR_BACKEND && s.cells == 0 && strstr(poy_ctx_cause(ctx), "when it was opened") != NULL,
       "a crash as it is opened is none of a case: %s", poy_ctx_cause(ctx));
    status = judge(ctx, "broken:closed", NULL, 30, &s, &report);
    ok(status == POY_ERR_BACKEND && report.failed == 0 && s.cells == 7 &&
           strstr(poy_ctx_cause(ctx), "when it was closed") != NULL,
       "nor is one at its end: %s", poy_ctx_cause(ctx));
    status = judge(ctx, "nobody", NULL, 30, &s, &report);
    ok(status == POY_ERR_BACKEND && strstr(poy_ctx_cause(ctx), "no backend named 'nobody'") != NULL,
       "refusals come through: %s", poy_ctx_cause(ctx));
    ok(judge(ctx, "broken", NULL, 0, &s, &report) == POY_ERR_ARGUMENT, "a time of 0 is refused: %s",
       poy_ctx_cause(ctx));
    status = judge(ctx, "broken", NULL, 30, &s, &report);
    ok(status == POY_OK && report.failed == 0 && report.crashed == 0 && report.cases == 36,
       "without a defect it conforms in %d cases", (int)report.cases);
}

static void keep_row(void *user, const poy_conform_row *row)
{
    *(poy_conform_row *)user = *row;
}

static void keep_law(void *user, const poy_conform_law *law)
{
    *(poy_conform_law *)user = *law;
}

static void keep_record(void *user, const poy_conform_record *record)
{
    *(poy_conform_record *)user = *record;
}

/* Rows, laws and records take the same options; the command's tests have all of them, and golden numbers. */
static void other_parts(poy_ctx *ctx)
{
    poy_conform_options o;
    poy_conform_row row = {.row = ""};
    poy_conform_law law = {.cases = 0};
    poy_conform_record record = {.cases = 0};
    int failed = 0;
    poy_conform_options_init(&o);
    o.isolated = 1;
    o.backend = "broken:row-segv";
    ok(poy_conform_rows(ctx, &o, "drive", keep_row, &row, &failed) == POY_OK && failed == 3 && row.crashed == 3 &&
           row.hung == 0 && !strncmp(row.failure, "row:drive.0.1: ", 15) && tells(row.failure, "crashed: SIGSEGV"),
       "a row of programs: %s", row.failure);
    o.only = "row:drive.2.1";
    ok(poy_conform_rows(ctx, &o, NULL, keep_row, &row, &failed) == POY_OK && failed == 1 && row.cases == 1 &&
           !strncmp(row.failure, o.only, strlen(o.only)),
       "one case of it: %s", row.failure);
    o.only = NULL;
    o.backend = "broken:every-segv";
    o.dtypes = 1u << POY_F64;
    ok(poy_conform_laws(ctx, &o, "space dense", keep_law, &law, &failed) == POY_OK && failed == 1 && law.crashed == 1 &&
           !strcmp(law.object, "space dense") && !strncmp(law.failure, "law:space-dense.f64.1: ", 23),
       "laws: %s", law.failure);
    o.only = "law:space-dense.f32.9";
    ok(poy_conform_laws(ctx, &o, NULL, keep_law, &law, &failed) == POY_OK && failed == 0 && law.cases > 5 &&
           law.dtype == POY_F32 && !law.crashed,
       "one object in another type is good: %d cases", law.cases);
    o.only = NULL;
    ok(poy_conform_records(ctx, &o, "eigh", keep_record, &record, &failed) == POY_OK && failed == 0 &&
           record.cases >= 3 && !record.crashed && !strcmp(record.record, "poy.eigh"),
       "a record, whatever the backend: %d cases", record.cases);
    o.case_seconds = 0;
    ok(poy_conform_records(ctx, &o, "eigh", NULL, NULL, &failed) == POY_ERR_ARGUMENT, "a time of 0 is refused: %s",
       poy_ctx_cause(ctx));
}

static int stop_at_once(void *user, const poy_progress *at)
{
    (void)user;
    (void)at;
    return 1;
}

static void interrupted(poy_ctx *ctx)
{
    seen s;
    poy_conform_report report;
    poy_conform_options o;
    poy_ctx_set_progress(ctx, stop_at_once, NULL);
    ok(judge(ctx, "broken:sleep", NULL, 3000, &s, &report) == POY_ERR_INTERRUPTED, "stopped while a case hangs: %s",
       poy_ctx_cause(ctx));
    poy_conform_options_init(&o);
    o.ops = "add";
    ok(poy_conform_run(ctx, &o, NULL, NULL, &report) == POY_ERR_INTERRUPTED, "and between cases of this process");
    poy_ctx_set_progress(ctx, NULL, NULL);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    ok(poy_backend_register(ctx, &broken_api) == POY_OK, "a backend that ends badly");
    crashes(ctx, "broken:segv", "crashed: SIGSEGV");
    crashes(ctx, "broken:fpe", "crashed: SIGFPE");
    crashes(ctx, "broken:bus", "crashed: SIGBUS");
    crashes(ctx, "broken:abort", "crashed: SIGABRT");
    crashes(ctx, "broken:exit", "ended the process, with exit code 3");
    hangs(ctx, "broken:sleep");
    hangs(ctx, "broken:loop");
    other_ends(ctx);
    other_parts(ctx);
    interrupted(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
