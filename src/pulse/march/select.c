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

/* Held by the run from the first time on. */
poy_status poyi_run_statistics_bytes(poy_ctx *ctx, const poy_problem *problem, const char *const *names, int n,
                                     size_t *bytes)
{
    poyi_statistic list[POYI_SELECTION_MAX];
    POYI_TRY(ctx, parse(ctx, names, n, problem->n_c, list));
    *bytes = any_of(POYI_COST_TEMPORAL, list, n) ? sizeof(double) * (size_t)problem->n_t : 0;
    return POY_OK;
}

/* Sets up what the statistics need; allocates, so not inside a step. */
static poy_status run_prepare_statistics(poy_ctx *ctx, poy_run *run, const poyi_statistic *list, int n)
{
    const double *view = NULL;
    if (!run->power && any_of(POYI_COST_TEMPORAL, list, n)) {
        void *power = NULL;
        POYI_TRY(ctx, poyi_alloc_zero(ctx, "run.power", sizeof(double) * (size_t)run->problem->n_t, &power));
        run->power = power;
    }
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

/* What the field does to each species, which the backend finds. */
static poy_status find_electrons(poy_ctx *ctx, poy_run *run, poyi_sample *sample)
{
    const poyi_stage_program *stage = &run->stage;
    const int64_t n_c = run->problem->n_c;
    const double(*axis)[2] = poyi_axis_fields(sample, &run->scalars[stage->at_unit]);
    double matrix[2 * 2 * POY_GUIDE_MODES_MAX]; /* [2][n_c] */
    if (!axis)
        return POY_OK;
    if (stage->slot_axis >= 0 && !run->axis_written) {
        for (int64_t i = 0; i < 2 * n_c; i++)
            matrix[i] = axis[i % n_c][i / n_c];
        POYI_TRY(ctx, poyi_program_write(ctx, stage->program, stage->slot_axis, matrix));
        run->axis_written = 1;
    }
    if (!run->field_valid)
        POYI_TRY(ctx, poyi_program_run(ctx, stage->program, stage->seg_field, run->scalars));
    run->field_valid = 1;
    POYI_TRY(ctx, poyi_program_run(ctx, stage->program, stage->seg_electrons, run->scalars));
    POYI_TRY(ctx, poyi_program_read(ctx, stage->program, stage->slot_report, run->report));
    sample->electrons = run->report + stage->at_electrons;
    return POY_OK;
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
        POYI_TRY(ctx, find_electrons(ctx, run, &sample));
    measure(list, n, 0, &sample, out);
    return POY_OK;
}

poy_status poy_run_stats(poy_ctx *ctx, poy_run *run, const char *const *names, int n, double *out)
{
    poyi_statistic list[POYI_SELECTION_MAX];
    POYI_TRY(ctx, poyi_run_check(ctx, run, 1));
    POYI_TRY(ctx, parse(ctx, names, n, run->problem->n_c, list));
    POYI_TRY(ctx, run_prepare_statistics(ctx, run, list, n));
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
    POYI_TRY(ctx, run_prepare_statistics(ctx, run, list, n));
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
