/* run.c: the run object: opening, loading, observing, statistics, closing. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "pulse/march/march.h"
#include "pulse/spectral.h"

/* ---- opening and closing ---- */

/* Over a declared budget nothing is allocated: says what is needed, by whom, and what would need less. */
static poy_status admit(poy_ctx *ctx, const poy_run *run)
{
    size_t budget = poy_ctx_budget(ctx), held = poy_ctx_bytes(ctx), total = 0;
    poy_ledger_entry entries[POYI_FOOTPRINT];
    poyi_text list = {0};

    POYI_TRY(ctx, poyi_run_footprint(ctx, run, 0, entries, &total));
    if (!budget || (held <= budget && total <= budget - held))
        return POY_OK;
    qsort(entries, POYI_FOOTPRINT, sizeof *entries, poyi_by_bytes);
    for (int i = 0; i < 4 && entries[i].bytes; i++)
        poyi_text_add(&list, "%s%s %zu", i ? ", " : "", entries[i].name, entries[i].bytes);
    poy_status status =
        POYI_FAIL(ctx, POY_ERR_BUDGET,
                  "this run needs %zu bytes (%s); %zu of the budget of %zu, set for this engine, are held: raise the "
                  "budget, or choose fewer samples (a shorter grid.window, a longer grid.wavelength_min)",
                  total, list.text ? list.text : "", held, budget);
    poyi_text_fini(&list);
    return status;
}

static poy_status fill(poy_ctx *ctx, poy_run *run)
{
    const poy_problem *p = run->problem;
    size_t bytes = sizeof(double) * (size_t)(run->stage.n_scalars + run->stage.n_report);
    void *scalars = NULL;

    POYI_TRY(ctx, poyi_alloc_zero(ctx, "run.scalars", bytes, &scalars));
    run->scalars = scalars;
    run->report = run->scalars + run->stage.n_scalars;
    POYI_TRY(ctx, poyi_list_init(ctx, &run->records, "run.records", sizeof(poy_step_record), POYI_LIST_START));
    POYI_TRY(ctx, poyi_list_init(ctx, &run->schedule, "run.schedule", sizeof(double), POYI_LIST_START));
    POYI_TRY(ctx, poyi_stage_bind(ctx, &run->stage, p, run->be));
    run->bin_energy = poyi_bin_energy(poy_grid_get(p->grid));
    run->limits = (poyi_limits){.h_min = p->dz_min, .h_max = p->dz_max};
    run->open = 1;
    return POY_OK;
}

/* The backend and the program, with nothing field-sized in memory. */
poy_status poyi_run_prepare(poy_ctx *ctx, poy_problem *problem, const char *backend, poy_run **out)
{
    *out = NULL;
    poy_run *run = calloc(1, sizeof *run);
    if (!run)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a run");
    poy_status status = POY_OK;
    run->problem = poy_problem_retain(problem);
    POYI_TO_DONE(ctx, poy_backend_open(ctx, backend, &run->be));
    POYI_TO_DONE(ctx, poyi_modal_build(ctx, problem, &run->stage));
    POYI_TO_DONE(ctx, poyi_program_needs(ctx, run->stage.program, run->be));
done:
    if (status != POY_OK)
        poy_run_destroy(&run);
    *out = run;
    return status;
}

poy_status poy_run_open(poy_ctx *ctx, poy_problem *problem, const char *backend, poy_run **out)
{
    poy_run *run = NULL;
    poy_status status = POY_OK;

    *out = NULL;
    POYI_TRY(ctx, poyi_run_prepare(ctx, problem, backend, &run));
    POYI_TO_DONE(ctx, admit(ctx, run));
    POYI_TO_DONE(ctx, fill(ctx, run));
    poyi_log(ctx, POY_LOG_INFO, "pulse: backend %s, %" PRId64 " bins, %" PRId64 " columns", poy_backend_name(run->be),
             problem->n_w, problem->n_c);
done:
    if (status != POY_OK)
        poy_run_destroy(&run);
    *out = run;
    return status;
}

void poy_run_close(poy_run *run)
{
    if (!run)
        return;
    poyi_stage_fini(&run->stage);
    poyi_list_fini(&run->records);
    poyi_list_fini(&run->schedule);
    poyi_list_fini(&run->rows);
    void *memory[3] = {run->scalars, run->host, run->power};
    for (int i = 0; i < 3; i++)
        poyi_free(&memory[i]);
    poy_backend_close(&run->be);
    poy_problem_destroy(&run->problem);
    *run = (poy_run){0}; /* not open: every later call fails */
}

void poy_run_destroy(poy_run **run)
{
    poy_run_close(*run);
    free(*run);
    *run = NULL;
}

poy_status poyi_run_check(poy_ctx *ctx, const poy_run *run, int loaded)
{
    if (!run || !run->open)
        return POYI_FAIL(ctx, POY_ERR_STATE, "run: used after close");
    if (loaded && !run->loaded)
        return POYI_FAIL(ctx, POY_ERR_STATE, "run: no launch is loaded yet; call poy_run_set_initial first");
    return POY_OK;
}

/* ---- loading ---- */

static poy_status check_finite(poy_ctx *ctx, const poy_problem *p, const char *what, const double *field)
{
    for (int64_t i = 0; i < p->n_c * p->n_w; i++)
        if (!isfinite(field[2 * i]) || !isfinite(field[2 * i + 1]))
            return POYI_FAIL(ctx, POY_ERR_NONFINITE,
                             "%s: bin %" PRId64 " of column %" PRId64 " (omega = %.6g rad/s) is %g %+gi", what,
                             i % p->n_w, i / p->n_w, POYI_F64(p->omega)[i % p->n_w], field[2 * i], field[2 * i + 1]);
    return POY_OK;
}

/* sum of weight |x|^2, x c128 [n_c][n_w], as the error norm weighs bins. */
static double run_norm2(const poy_run *run, const double *field)
{
    const poy_problem *p = run->problem;
    const double *weights = p->error_weights.data ? POYI_F64(p->error_weights) : POYI_F64(p->mask);
    double total = 0.0;
    for (int64_t c = 0; c < p->n_c; c++) {
        for (int64_t k = 0; k < p->n_w; k++) {
            const double *a = field + 2 * (c * p->n_w + k);
            total += (weights ? weights[k] : 1.0) * (a[0] * a[0] + a[1] * a[1]);
        }
    }
    return total;
}

static poy_status check_initial(poy_ctx *ctx, const poy_run *run, const double *field, const double *noise, double z)
{
    const poy_problem *p = run->problem;
    int wants_noise = run->stage.slot_noise >= 0;
    if (!(z >= 0.0 && z <= p->length))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "set_initial: z is %.9g m, and the propagation goes from 0 to %.9g m",
                         z, p->length);
    if (wants_noise != (noise != NULL))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "set_initial: physics.noise is %s, so a draw of noise %s",
                         wants_noise ? "modified" : "not modified", wants_noise ? "is needed" : "has no place");
    POYI_TRY(ctx, check_finite(ctx, p, "set_initial: field", field));
    if (noise)
        POYI_TRY(ctx, check_finite(ctx, p, "set_initial: noise", noise));
    return POY_OK;
}

/* Whether the error norm counts bins of the signal as they are, so that its sums are energies too. */
static int weights_choose_bins(const poy_problem *p)
{
    const double *weights = POYI_F64(p->error_weights);
    for (int64_t k = 0; weights && k < p->n_w; k++)
        if (weights[k] != 0.0 && weights[k] != 1.0)
            return 0;
    return 1;
}

static void start(poy_run *run, const double *field, double z, const poy_controller *c)
{
    const poy_problem *p = run->problem;
    double norm2 = run_norm2(run, field);

    run->z = z;
    run->norm_launch = c && c->norm > 0.0 ? c->norm : sqrt(norm2);
    run->atol = p->atol < 0.0 ? -p->atol * run->norm_launch : p->atol;
    const double unit = weights_choose_bins(p) ? run->bin_energy : (double)NAN;
    run->energy_start = run->norm_launch * run->norm_launch * unit; /* of the launch, in a run that is resumed, too */
    run->energy = norm2 * unit;
    run->k1_valid = run->field_valid = 0;
    run->k1_counted = c && c->logical > 0;
    run->control = (poyi_step_control){
        .h = c && c->h_next > 0.0 ? c->h_next : fmin(p->dz_first, p->dz_max),
        .err_prev = c ? c->err_prev : 0.0,
    };
    run->index = c ? c->index : 0;
    run->attempts = c ? c->attempts : 0;
    run->logical = c ? c->logical : 0;
    run->atomic = c ? c->atomic : 0;
    run->stop = 0;
    run->quadrature = 0.0;
    run->held = run->quadrature_told = 0;
    poyi_list_drop(&run->records, 1);
    poyi_list_drop(&run->schedule, 1);
    poyi_list_drop(&run->rows, 1);
    run->loaded = 1;
}

poy_status poy_run_set_initial(poy_ctx *ctx, poy_run *run, const double *field, const double *noise, double z,
                               const poy_controller *controller)
{
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    POYI_TRY(ctx, check_initial(ctx, run, field, noise, z));
    run->loaded = 0; /* until all of it is in place */
    POYI_TRY(ctx, poyi_program_write(ctx, run->stage.program, run->stage.slot_u, field));
    if (noise)
        POYI_TRY(ctx, poyi_program_write(ctx, run->stage.program, run->stage.slot_noise, noise));
    start(run, field, z, controller);
    return POY_OK;
}

poy_status poy_run_set_progress(poy_ctx *ctx, poy_run *run, poy_progress_fn *fn, void *user)
{
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    run->progress = fn;
    run->progress_user = user;
    return POY_OK;
}

void poyi_run_set_name(poy_run *run, const char *name)
{
    run->name = name;
}

poy_status poy_run_restore_call_ledgers(poy_ctx *ctx, poy_run *run, int64_t logical, int64_t atomic)
{
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    if (logical < 0 || atomic < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "call ledgers: %" PRId64 " logical and %" PRId64 " atomic calls; neither may be negative",
                         logical, atomic);
    run->logical = logical;
    run->atomic = atomic;
    run->k1_counted = logical > 0 && !run->k1_valid;
    return POY_OK;
}

/* ---- observing ---- */

poy_status poyi_run_view(poy_ctx *ctx, poy_run *run, int slot, const double **out)
{
    const poy_problem *p = run->problem;
    *out = poyi_program_host(run->stage.program, slot);
    if (*out)
        return POY_OK;
    if (!run->host) {
        void *host = NULL;
        int64_t longest = p->n_w > p->n_t ? p->n_w : p->n_t;
        POYI_TRY(ctx, poyi_alloc(ctx, "run.host", 2 * sizeof(double) * (size_t)(p->n_c * longest), &host));
        run->host = host;
    }
    POYI_TRY(ctx, poyi_program_read(ctx, run->stage.program, slot, run->host));
    *out = run->host;
    return POY_OK;
}

poy_status poy_run_observe(poy_ctx *ctx, poy_run *run, double *field, poy_observation *out)
{
    const double *noise = NULL;

    POYI_TRY(ctx, poyi_run_check(ctx, run, 1));
    if (field)
        POYI_TRY(ctx, poyi_program_read(ctx, run->stage.program, run->stage.slot_u, field));
    if (run->stage.slot_noise >= 0)
        POYI_TRY(ctx, poyi_run_view(ctx, run, run->stage.slot_noise, &noise));
    poyi_list_drop(&run->records, 0);
    poyi_list_drop(&run->rows, 0);
    *out = (poy_observation){
        .z = run->z,
        .controller = {.h_next = run->control.h,
                       .err_prev = run->control.err_prev,
                       .norm = run->norm_launch,
                       .index = run->index,
                       .attempts = run->attempts,
                       .logical = run->logical,
                       .atomic = run->atomic},
        .noise = noise,
    };
    out->history = poyi_list_observe(&run->records, &out->n_history);
    if (run->period)
        out->rows = poyi_list_observe(&run->rows, &out->n_rows);
    return POY_OK;
}

poy_status poy_run_schedule(poy_ctx *ctx, poy_run *run, int64_t max, double *out, int64_t *n)
{
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    int64_t shown = run->schedule.n < max ? run->schedule.n : max;
    if (shown > 0)
        memcpy(out, run->schedule.items, sizeof(double) * (size_t)shown);
    *n = run->schedule.n;
    return POY_OK;
}

poy_status poy_run_source(poy_ctx *ctx, poy_run *run, const double *field, double *out)
{
    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    const poyi_stage_program *stage = &run->stage;
    if (stage->seg_source < 0) {
        memset(out, 0, 2 * sizeof(double) * (size_t)(run->problem->n_c * run->problem->n_w));
        return POY_OK;
    }
    poyi_stage_translate_at(stage, run->problem, run->z, 0.0, run->scalars);
    run->field_valid = 0;
    POYI_TRY(ctx, poyi_program_write(ctx, stage->program, stage->slot_un, field));
    POYI_TRY(ctx, poyi_program_run(ctx, stage->program, stage->seg_source, run->scalars));
    POYI_TRY(ctx, poyi_program_read(ctx, stage->program, stage->slot_source, out));
    return POY_OK;
}
