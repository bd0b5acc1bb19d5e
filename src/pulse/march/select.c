/* select.c: statistics of a run, at planes and after every period-th step. */
#include <inttypes.h>
#include <math.h>

#include "core/core.h"
#include "pulse/march/march.h"

static int any_of(poyi_statistic_cost cost, const poyi_statistic *list, int n)
{
    for (int i = 0; i < n; i++)
        if (poyi_statistic_costs(&list[i]) == cost)
            return 1;
    return 0;
}

/* Free electrons are known of real fields alone. */
static int any_fine(const poy_run *run, const poyi_statistic *list, int n)
{
    return run->problem->n_plasma > 0 && any_of(POYI_COST_FINE, list, n);
}

static poy_status parse(poy_ctx *ctx, const char *const *names, int n, int64_t columns, poyi_statistic *out)
{
    if (n < 0 || n > POYI_SELECTION_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%d statistics are asked for at once; at most %d", n,
                         POYI_SELECTION_MAX);
    for (int i = 0; i < n; i++) {
        POYI_TRY(ctx, poyi_statistic_parse(ctx, names[i], &out[i]));
        if (out[i].column >= columns)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "statistic '%s': the state has columns 0 to %" PRId64, names[i],
                             columns - 1);
    }
    return POY_OK;
}

/* Both are held by the run from the first time on. */
poy_status poyi_run_statistics_bytes(poy_ctx *ctx, poy_problem *problem, const char *backend, const char *const *names,
                                     int n, size_t *bytes)
{
    poyi_statistic list[POYI_SELECTION_MAX];
    poy_run *run = NULL;
    poy_status status = POY_OK;
    *bytes = 0;
    POYI_TRY(ctx, parse(ctx, names, n, problem->n_c, list));
    POYI_TRY(ctx, poyi_run_prepare(ctx, problem, backend, &run));
    if (any_of(POYI_COST_TEMPORAL, list, n))
        *bytes += sizeof(double) * (size_t)problem->n_t;
    if (any_fine(run, list, n)) {
        size_t fine = 0;
        status = poyi_fine_bytes(ctx, problem, run->be, &fine);
        *bytes += fine;
    }
    poy_run_destroy(&run);
    return status;
}

poy_status poyi_run_prepare_statistics(poy_ctx *ctx, poy_run *run, const poyi_statistic *list, int n)
{
    const double *view = NULL;
    if (!run->power && any_of(POYI_COST_TEMPORAL, list, n)) {
        void *power = NULL;
        POYI_TRY(ctx, poyi_alloc_zero(ctx, "run.power", sizeof(double) * (size_t)run->problem->n_t, &power));
        run->power = power;
    }
    if (!run->fine.program && any_fine(run, list, n))
        POYI_TRY(ctx, poyi_fine_create(ctx, run->problem, run->be, &run->fine));
    POYI_TRY(ctx, poyi_run_view(ctx, run, run->stage.slot_u, &view)); /* its memory is taken now */
    return POY_OK;
}

/* Those that are of the field in time, or the others. */
static void measure(const poyi_statistic *list, int n, int temporal, const poyi_sample *sample, double *out)
{
    for (int i = 0; i < n; i++)
        if ((poyi_statistic_costs(&list[i]) == POYI_COST_TEMPORAL) == temporal)
            out[i] = poyi_statistic_value(&list[i], sample);
}

poy_status poyi_run_statistics(poy_ctx *ctx, poy_run *run, const poyi_statistic *list, int n, double *out)
{
    const poyi_stage_program *stage = &run->stage;
    poyi_statistic_found found = {0};
    poyi_sample sample = {
        .ctx = ctx, .problem = run->problem, .z = run->z, .memory = &run->memory, .found = &found, .column = -1};
    const double *time = NULL;

    sample.quadrature = stage->at_score < 0 ? (double)NAN : run->quadrature;
    if (any_of(POYI_COST_TEMPORAL, list, n)) {
        POYI_TRY(ctx, poyi_program_run(ctx, stage->program, stage->seg_time, run->scalars));
        POYI_TRY(ctx, poyi_run_view(ctx, run, stage->slot_time, &time));
        sample.time = time;
        sample.power = run->power;
        measure(list, n, 1, &sample, out);
        sample.time = NULL; /* the next view may take its place */
    }
    POYI_TRY(ctx, poyi_run_view(ctx, run, stage->slot_u, &sample.field));
    if (any_fine(run, list, n))
        POYI_TRY(ctx, poyi_fine_run(ctx, &run->fine, sample.field, &sample.fine));
    measure(list, n, 0, &sample, out);
    return POY_OK;
}

poy_status poy_run_stats(poy_ctx *ctx, poy_run *run, const char *const *names, int n, double *out)
{
    poyi_statistic list[POYI_SELECTION_MAX];
    POYI_TRY(ctx, poyi_run_check(ctx, run, 1));
    POYI_TRY(ctx, parse(ctx, names, n, run->problem->n_c, list));
    POYI_TRY(ctx, poyi_run_prepare_statistics(ctx, run, list, n));
    POYI_TRY(ctx, poyi_run_statistics(ctx, run, list, n, out));
    return POY_OK;
}

poy_status poy_run_select_stats(poy_ctx *ctx, poy_run *run, const char *const *names, int n, int64_t period)
{
    poyi_statistic list[POYI_SELECTION_MAX];
    poyi_list rows = {0};

    POYI_TRY(ctx, poyi_run_check(ctx, run, 0));
    if (period < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "statistics after every %" PRId64 "th step: the period is 0 (none) or more", period);
    POYI_TRY(ctx, parse(ctx, names, n, run->problem->n_c, list));
    POYI_TRY(ctx, poyi_run_prepare_statistics(ctx, run, list, n));
    if (period)
        POYI_TRY(ctx, poyi_list_init(ctx, &rows, "run.rows", sizeof(double) * (size_t)(1 + n), POYI_LIST_START));
    poyi_list_fini(&run->rows);
    run->rows = rows;
    for (int i = 0; i < n; i++)
        run->selected[i] = list[i];
    run->n_selected = n;
    run->period = period;
    return POY_OK;
}
