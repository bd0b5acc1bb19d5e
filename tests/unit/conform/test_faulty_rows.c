/* test_faulty_rows.c: conformance of rows of programs itself: backends that are the reference with one defect in one row, all of
 * which have to be found, under names that find them again. */
#include <string.h>

#include "backends/ref/pulse/rows.h"
#include "poynting/conform_rows.h"
#include "tap.h"

typedef enum defect { OFF, NOT_A_NUMBER, INPUT, REFUSED, ALLOCATES, DEFECTS } defect;
static const char *const defect_names[DEFECTS] = {"off", "nan", "input", "refused", "allocates"};

static struct {
    const char *row;
    defect how;
    poyi_ref_run *right; /* of the row as it was prepared last; a case has one */
    void *kept;          /* of the ledger, by the defect */
} faulty;

static poy_status run_wrong(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    double *out = poyi_ref_data(step, 0), *in = poyi_ref_data(step, 1);
    if (faulty.how == REFUSED)
        return POY_ERR_DEVICE;
    const poy_status status = faulty.right(ctx, step, be, scalars);
    if (faulty.how == OFF)
        out[0] += 1e-3 * (1 + fabs(out[0]));
    if (faulty.how == NOT_A_NUMBER)
        out[0] = NAN;
    if (faulty.how == INPUT)
        in[0] += 1;
    if (faulty.how == ALLOCATES && !faulty.kept)
        return poyi_alloc(ctx, "faulty", 64, &faulty.kept);
    return status;
}

static const poy_row_entry *right_entry(const char *row)
{
    size_t n;
    const poy_row_entry *entries = poyi_ref_rows(&n);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(entries[i].row, row))
            return &entries[i];
    return NULL;
}

static poy_status prepare(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                          size_t *work_bytes)
{
    const poy_status status = right_entry(faulty.row)->prepare(ctx, be, spec, work, step, work_bytes);
    faulty.right = step->run;
    if (step->run)
        step->run = run_wrong;
    return status;
}

static poy_status open_faulty(poy_ctx *ctx, const char *settings, void **be)
{
    (void)ctx;
    (void)settings;
    *be = &faulty;
    return POY_OK;
}

static void close_faulty(void *be)
{
    (void)be;
}

static const poy_row_entry *rows(void *be, size_t *n)
{
    static poy_row_entry entry;
    (void)be;
    entry = (poy_row_entry){faulty.row, prepare, NULL};
    *n = 1;
    return &entry;
}

static const poy_backend_api api = {.abi = POY_BACKEND_ABI,
                                    .size = sizeof api,
                                    .name = "faulty",
                                    .flags = POY_BACKEND_HOST | POY_BACKEND_STRIDED,
                                    .open = open_faulty,
                                    .close = close_faulty,
                                    .alloc = poyi_host_alloc,
                                    .release = poyi_host_release,
                                    .write = poyi_host_write,
                                    .read = poyi_host_read,
                                    .rows = rows};

static void keep(void *user, const poy_conform_row *row)
{
    *(poy_conform_row *)user = *row;
}

/* The case of that index alone; what came of it. */
static poy_status run_case(poy_ctx *ctx, const char *name, poy_conform_row *found, int *failed)
{
    poy_conform_options o;
    poy_conform_options_init(&o);
    o.backend = "faulty";
    o.only = name;
    const poy_status status = poy_conform_rows(ctx, &o, NULL, keep, found, failed);
    poyi_free(&faulty.kept);
    return status;
}

/* Case by case up to the first that fails; that one once more by the name that its failure begins with. */
static void find(poy_ctx *ctx, const char *row, defect how)
{
    char name[96] = "", printed[96];
    poy_conform_row found = {.row = ""}, again = {.row = ""};
    int failed = 0, i = 0;
    poy_status status = POY_OK;
    faulty.row = row;
    faulty.how = how;
    for (; status == POY_OK && !failed; i++) {
        snprintf(name, sizeof name, "row:%s.%d.7", row, i);
        status = run_case(ctx, name, &found, &failed);
    }
    ok(status == POY_OK && failed == 1 && found.failed == 1 && found.cases == 1 && found.crashed == 0,
       "%s %s: found by case %d, %s", row, defect_names[how], i, found.failure);
    snprintf(printed, sizeof printed, "%.*s", (int)strlen(name), found.failure);
    ok(!strcmp(printed, name) && found.failure[strlen(name)] == ':' &&
           run_case(ctx, printed, &again, &failed) == POY_OK && failed == 1 && !strcmp(again.failure, found.failure),
       "%s says it again, word for word", printed);
}

static void names(poy_ctx *ctx)
{
    static const char *const bad[] = {"row:drive.1",
                                      "row:drive.-1.1",
                                      "row:.1.1",
                                      "drive.1.1",
                                      "row:drive.1.1.",
                                      "row:",
                                      "row:drive.1.18446744073709551616",
                                      "law:drive.1.1",
                                      "row:drive.1. 1"};
    poy_conform_row found;
    int failed;
    faulty.row = "drive";
    faulty.how = OFF;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        ok(run_case(ctx, bad[i], &found, &failed) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "names no case"),
           "'%s' is no name: %s", bad[i], poy_ctx_cause(ctx));
    ok(run_case(ctx, "row:drive.99999.1", &found, &failed) == POY_ERR_ARGUMENT &&
           strstr(poy_ctx_cause(ctx), "no case 99999"),
       "there are not so many: %s", poy_ctx_cause(ctx));
    ok(run_case(ctx, "row:d*.1.1", &found, &failed) == POY_ERR_ARGUMENT && strstr(poy_ctx_cause(ctx), "no row 'd*'"),
       "a case is not a pattern: %s", poy_ctx_cause(ctx));
}

int main(void)
{
    poy_ctx *ctx = NULL;
    size_t n;
    const poy_row_entry *all = poyi_ref_rows(&n);
    if (poy_ctx_create(&ctx) != POY_OK || poy_backend_register(ctx, &api) != POY_OK)
        return 1;
    for (size_t i = 0; i < n; i++) {
        find(ctx, all[i].row, OFF);
        find(ctx, all[i].row, NOT_A_NUMBER);
        find(ctx, all[i].row, REFUSED);
    }
    find(ctx, "drive", INPUT);
    find(ctx, "cube", INPUT);
    find(ctx, "absorb", ALLOCATES);
    names(ctx);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
