/* facts.c: what a run needs and what it is: bytes, estimates, metadata, and where a trial first went wrong. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "pulse/march/march.h"

/* ---- bytes ---- */

int poyi_by_bytes(const void *a, const void *b)
{
    size_t x = ((const poy_ledger_entry *)a)->bytes, y = ((const poy_ledger_entry *)b)->bytes;
    return x < y ? 1 : x > y ? -1 : 0; /* largest first */
}

static size_t list_bytes(const poyi_list *list)
{
    return list->size * (size_t)list->capacity;
}

enum { GROUPS = 7, OWN = 6 };
/* The groups of slots of any stage program, so that the ledger of every run has the same names. */
static const char *const groups[GROUPS] = {"pulse.state",    "pulse.propagators", "pulse.stage", "pulse.transform",
                                           "pulse.constant", "pulse.report",      "pulse.work"};

static poy_ledger_entry entry(const char *name, size_t bytes)
{
    poy_ledger_entry e = {.bytes = bytes, .peak = bytes};
    snprintf(e.name, sizeof e.name, "%s", name);
    return e;
}

static poy_status program_bytes(poy_ctx *ctx, const poy_run *run, poy_ledger_entry out[GROUPS])
{
    poy_ledger_entry some[GROUPS];
    size_t n = 0, total = 0;
    POYI_TRY(ctx, poyi_program_bytes(ctx, run->stage.program, run->be, GROUPS, some, &n, &total));
    for (int g = 0; g < GROUPS; g++) {
        out[g] = entry(groups[g], 0);
        for (size_t i = 0; i < n && i < GROUPS; i++)
            if (!strcmp(some[i].name, groups[g]))
                out[g] = entry(groups[g], some[i].bytes);
        total -= out[g].bytes;
    }
    if (total)
        return POYI_FAIL(ctx, POY_ERR_INTERNAL,
                         "a stage program has %zu bytes in groups that the ledger of a run lacks", total);
    return POY_OK;
}

/* Buffers of the run itself; held: as they are, else as poy_run_open makes them. */
static void own_bytes(const poy_run *run, int held, poy_ledger_entry out[OWN])
{
    const poy_problem *p = run->problem;
    int64_t longest = p->n_w > p->n_t ? p->n_w : p->n_t;
    size_t host = run->host ? 2 * sizeof(double) * (size_t)(p->n_c * longest) : 0;

    out[0] = entry("run.scalars", sizeof(double) * (size_t)(run->stage.n_scalars + run->stage.n_report));
    out[1] = entry("run.records", held ? list_bytes(&run->records) : sizeof(poy_step_record) * POYI_LIST_START);
    out[2] = entry("run.schedule", held ? list_bytes(&run->schedule) : sizeof(double) * POYI_LIST_START);
    out[3] = entry("run.rows", held ? list_bytes(&run->rows) : 0);
    out[4] = entry("run.host", held ? host : 0);
    out[5] = entry("run.power", held && run->power ? sizeof(double) * (size_t)p->n_t : 0);
}

poy_status poyi_run_footprint(poy_ctx *ctx, const poy_run *run, int held, poy_ledger_entry out[POYI_FOOTPRINT],
                              size_t *total)
{
    _Static_assert(GROUPS + OWN == POYI_FOOTPRINT, "every name has its place");
    POYI_TRY(ctx, program_bytes(ctx, run, out));
    own_bytes(run, held, out + GROUPS);
    *total = 0;
    for (int i = 0; i < POYI_FOOTPRINT; i++)
        *total += out[i].bytes;
    return POY_OK;
}

static size_t copy_entries(const poy_ledger_entry all[POYI_FOOTPRINT], size_t max, poy_ledger_entry *out)
{
    for (size_t i = 0; i < POYI_FOOTPRINT && i < max; i++)
        out[i] = all[i];
    return POYI_FOOTPRINT;
}

poy_status poy_run_estimate(poy_ctx *ctx, poy_problem *problem, const char *backend, size_t max,
                            poy_ledger_entry *entries, size_t *n_entries, size_t *total)
{
    poy_ledger_entry all[POYI_FOOTPRINT];
    poy_run *run = NULL;
    POYI_TRY(ctx, poyi_run_prepare(ctx, problem, backend, &run));
    poy_status status = poyi_run_footprint(ctx, run, 0, all, total);
    poy_run_destroy(&run);
    POYI_TRY(ctx, status);
    *n_entries = copy_entries(all, max, entries);
    return POY_OK;
}

poy_status poy_run_memory_ledger(poy_ctx *ctx, poy_run *run, size_t max, poy_ledger_entry *out, size_t *n)
{
    poy_ledger_entry all[POYI_FOOTPRINT];
    size_t total = 0;
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    POYI_TRY(ctx, poyi_run_footprint(ctx, run, 1, all, &total));
    *n = copy_entries(all, max, out);
    return POY_OK;
}

/* ---- rows ---- */

void poyi_run_nonlinear_rows(const poy_run *run, size_t size, char *out)
{
    static const struct {
        const char *name;
        int linear;
    } rows[] = {
#define POY_PULSE_ROW(name, signature, linear, tol, text) {#name, linear},
#include "poynting/pulse_rows.def"
#undef POY_PULSE_ROW
    };
    size_t used = 0;
    out[0] = '\0';
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        int there = 0;
        for (int i = 0; i < poyi_program_rows(run->stage.program, run->stage.seg_trial); i++)
            there |= !strcmp(poyi_program_row_name(run->stage.program, run->stage.seg_trial, i), rows[k].name);
        if (there && !rows[k].linear && used < size)
            used += (size_t)snprintf(out + used, size - used, "%s%s", used ? ", " : "", rows[k].name);
    }
}

poy_status poy_run_available_device_memory(poy_ctx *ctx, poy_run *run, size_t *out)
{
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    *out = 0; /* every backend there is works in host memory, or does not say */
    return POY_OK;
}

/* ---- metadata ---- */

poy_status poy_run_metadata(poy_ctx *ctx, poy_run *run, size_t size, char *out)
{
    char facts[2048] = "";
    int n_rows;
    poyi_text text = {0};

    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    poy_backend_describe(run->be, sizeof facts, facts);
    size_t length = strlen(facts);
    poyi_text_add(&text, "%s%s", facts, /* begins with its name */
                  length && facts[length - 1] != '\n' ? "\n" : "");
    poyi_text_add(&text, "method: dopri5\nfsal: %s\n", run->stage.fsal ? "yes" : "no");
    poyi_text_add(&text, "propagators: %s\n", run->problem->propagators == POY_PROPAGATOR_DIRECT ? "direct" : "powers");
    poyi_text_add(&text, "threads: %d\ndeterministic: %s\nrows:", poy_ctx_threads(ctx),
                  poy_ctx_deterministic(ctx) ? "yes" : "no");
    n_rows = poyi_program_rows(run->stage.program, run->stage.seg_trial);
    for (int i = 0; i < n_rows; i++)
        poyi_text_add(&text, " %s=%s", poyi_program_row_name(run->stage.program, run->stage.seg_trial, i),
                      poyi_program_row_backend(run->stage.program, run->stage.seg_trial, i));
    poyi_text_add(&text, "\n");
    poy_status status = POY_OK;
    if (!text.text || text.failed)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the metadata of a run");
    else
        snprintf(out, size, "%s", text.text);
    poyi_text_fini(&text);
    return status;
}

/* ---- faults ---- */

/* The first value of x [n] (c128) that is not finite; -1: none. */
static int64_t first_fault(const double *x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        if (!isfinite(x[2 * i]) || !isfinite(x[2 * i + 1]))
            return i;
    return -1;
}

/* Looks through k_1 .. k_7, which a trial leaves behind. */
static poy_status find_stage(poy_ctx *ctx, poy_run *run, int *stage, int64_t *at)
{
    const poy_problem *p = run->problem;
    int64_t per_stage = p->n_c * p->n_w;
    void *copy = NULL;
    const double *K;

    *stage = -1;
    if (run->stage.slot_K < 0)
        return POY_OK;
    K = poyi_program_host(run->stage.program, run->stage.slot_K);
    if (!K) {
        POYI_TRY(ctx, poyi_alloc(ctx, "run.fault", 2 * sizeof(double) * (size_t)(POY_STAGES * per_stage), &copy));
        poy_status status = poyi_program_read(ctx, run->stage.program, run->stage.slot_K, copy);
        if (status != POY_OK) {
            poyi_free(&copy);
            return status;
        }
        K = copy;
    }
    for (int s = 0; s < POY_STAGES && *stage < 0; s++) {
        *at = first_fault(K + 2 * per_stage * s, per_stage);
        if (*at >= 0)
            *stage = s;
    }
    poyi_free(&copy);
    return POY_OK;
}

poy_status poyi_march_fault(poy_ctx *ctx, poy_run *run, double h, int64_t column)
{
    int stage = -1;
    int64_t at = -1, n_w = run->problem->n_w;
    POYI_TRY(ctx, find_stage(ctx, run, &stage, &at));
    if (stage < 0)
        return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                         "z = %.9g m: a step of %.3g m gives a value that is not finite in column %" PRId64
                         " of the solution",
                         run->z, h, column);
    return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                     "z = %.9g m: stage %d of a step of %.3g m is not finite: row finish, column %" PRId64
                     ", bin %" PRId64 " (omega = %.6g rad/s); the last good state is kept",
                     run->z, stage + 1, h, at / n_w, at % n_w, POYI_F64(run->problem->omega)[at % n_w]);
}
