/* march.c: the one step loop: trial, decision, record, finish, advance, statistics, progress. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "core/core.h"
#include "core/warn.h"
#include "media/media.h"
#include "pulse/march/march.h"

/* Positions closer than this share of the length are one; those of a given schedule, sums of rounded steps, are too
 * within the second. */
static const double SAME = 1e-12, SAME_OF_SUMS = 1e-10;

typedef enum cause { CAUSE_CONTROLLER, CAUSE_LANDING, CAUSE_KINK, CAUSE_REPLAY } cause;

/* A step about to be tried. */
typedef struct trial {
    double target, h; /* the next position that a step has to end on; the length */
    int lands;        /* the step ends on it */
    int truncated;    /* h is less than the controller asked for */
    int kink;         /* the target is one */
    cause cause;
    double err;
    double energy; /* J, in the signal band after the step; NaN where the norm weighs otherwise */
    int64_t fault; /* 1 + column of a value that is not finite; 0: none */
} trial;

/* ---- where a step ends ---- */

static double first_beyond(const double *positions, int64_t n, double z, double close)
{
    for (int64_t i = 0; i < n; i++)
        if (positions[i] > z + close)
            return positions[i];
    return INFINITY;
}

/* The next plane, kink or end of the call; those that are one position count as the last of these. */
static void find_target(const poy_run *run, double z_end, trial *t)
{
    const poy_problem *p = run->problem;
    double close = SAME * p->length;
    double plane = first_beyond(POYI_F64(p->planes), p->n_planes, run->z, close);
    double kink = first_beyond(POYI_F64(p->kinks), p->n_kinks, run->z, close);
    t->target = plane < z_end - close ? plane : z_end;
    t->kink = kink <= t->target + close;
    if (kink < t->target - close)
        t->target = kink;
}

/* Exactly onto the target where the step reaches it; in two equal halves where a sliver would be left (A8). */
static void land(const poy_run *run, trial *t)
{
    double wanted = run->control.h, rest = t->target - run->z;
    t->h = wanted;
    if (wanted >= rest - SAME * run->problem->length) {
        t->h = rest;
        t->lands = 1;
    } else if (rest < 2.0 * wanted) {
        t->h = 0.5 * rest;
    }
    t->truncated = t->h < wanted;
    t->cause = !t->lands && !t->truncated ? CAUSE_CONTROLLER : t->kink ? CAUSE_KINK : CAUSE_LANDING;
}

static poy_status next_of_schedule(poy_ctx *ctx, const poy_run *run, trial *t)
{
    const poy_problem *p = run->problem;
    if (run->index >= p->n_schedule)
        return POYI_FAIL(ctx, POY_ERR_MISMATCH,
                         "the schedule has %" PRId64
                         " steps and ends at z = %.17g m; the next position to reach is %.17g m",
                         p->n_schedule, run->z, t->target);
    t->h = POYI_F64(p->schedule)[run->index];
    double rest = t->target - run->z, close = SAME_OF_SUMS * p->length;
    if (t->h > rest + close)
        return POYI_FAIL(ctx, POY_ERR_MISMATCH,
                         "step %" PRId64 " of the schedule goes from %.17g m to %.17g m, beyond the %s at %.17g m",
                         run->index, run->z, run->z + t->h, t->kink ? "kink" : "plane", t->target);
    t->lands = t->h >= rest - close;
    t->cause = CAUSE_REPLAY;
    return POY_OK;
}

static poy_status choose(poy_ctx *ctx, const poy_run *run, double z_end, trial *t)
{
    *t = (trial){0};
    find_target(run, z_end, t);
    if (run->problem->n_schedule)
        POYI_TRY(ctx, next_of_schedule(ctx, run, t));
    else
        land(run, t);
    return POY_OK;
}

/* ---- one attempt ---- */

/* k_1 at the anchor, where it is not carried over. */
static poy_status ensure_k1(poy_ctx *ctx, poy_run *run)
{
    if (run->k1_valid || run->stage.seg_first < 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_run(ctx, run->stage.program, run->stage.seg_first, run->scalars));
    run->k1_valid = 1;
    run->atomic++;
    run->logical += !run->k1_counted;
    run->k1_counted = 0;
    return POY_OK;
}

static poy_status attempt(poy_ctx *ctx, poy_run *run, trial *t)
{
    const poy_problem *p = run->problem;
    double *report = run->report;

    poyi_stage_translate_at(&run->stage, p, run->z, t->h, run->scalars);
    run->field_valid = 0;
    POYI_TRY(ctx, ensure_k1(ctx, run));
    POYI_TRY(ctx, poyi_program_run(ctx, run->stage.program, run->stage.seg_trial, run->scalars));
    POYI_TRY(ctx, poyi_program_read(ctx, run->stage.program, run->stage.slot_report, report)); /* the only wait */
    run->attempts++;
    run->logical += run->stage.stages;
    run->atomic += run->stage.stages;
    t->fault = (int64_t)report[3];
    t->err = t->fault ? (double)NAN : poyi_step_error(report, p->rtol, run->atol);
    t->energy = isnan(run->energy_start) ? (double)NAN : report[1] * run->bin_energy;
    return POY_OK;
}

static void record(poy_run *run, const trial *t, double z, int accepted)
{
    *(poy_step_record *)poyi_list_add(&run->records) = (poy_step_record){
        .z = z,
        .h = t->h,
        .err = t->err,
        .accepted = accepted,
        .cause = (int)t->cause,
        .logical = run->logical,
        .atomic = run->atomic,
    };
    if (accepted)
        *(double *)poyi_list_add(&run->schedule) = t->h;
}

/* Boundary treatments, then the new anchor. */
static poy_status move_on(poy_ctx *ctx, poy_run *run, const trial *t)
{
    const poyi_stage_program *stage = &run->stage;
    if (stage->seg_finish >= 0)
        POYI_TRY(ctx, poyi_program_run(ctx, stage->program, stage->seg_finish, run->scalars));
    POYI_TRY(ctx, poyi_program_run(ctx, stage->program, stage->seg_advance, run->scalars));
    if (!stage->fsal && stage->stages) { /* advance has evaluated k_1 of the treated state */
        run->atomic++;
        run->logical++;
    }
    run->field_valid = stage->keeps_field; /* the last stage, or stage 1 of the treated state, has left it there */
    run->energy = t->energy;
    if (t->lands && t->kink && stage->stages) { /* the equation is another one right of it */
        run->k1_valid = 0;
        run->k1_counted = 1;
        run->logical++;
    }
    run->z = t->lands ? t->target : run->z + t->h;
    run->index++;
    return POY_OK;
}

static poy_status periodic_row(poy_ctx *ctx, poy_run *run)
{
    if (!run->period || run->index % run->period)
        return POY_OK;
    double *row = poyi_list_add(&run->rows);
    row[0] = run->z;
    POYI_TRY(ctx, poyi_run_statistics(ctx, run, run->selected, run->n_selected, row + 1));
    return POY_OK;
}

/* ---- the loop ---- */

enum { STOP_RUN = 1, STOP_CONTEXT = 2 }; /* whose observer asks to stop */

/* Tells the observers; nonzero: stop. */
static int tell(poy_ctx *ctx, const poy_run *run, const trial *t)
{
    poy_progress progress = {
        .what = run->name ? run->name : "propagation",
        .unit = "m",
        .done = run->z,
        .total = run->problem->length,
        .step = t->h,
        .accepted = run->index,
        .rejected = run->attempts - run->index,
        .energy = run->energy,
        .energy_start = run->energy_start,
    };
    int stop = run->progress && run->progress(run->progress_user, &progress) ? STOP_RUN : 0;
    return stop | (poyi_progress(ctx, &progress) ? STOP_CONTEXT : 0);
}

static poy_status reserve(poy_ctx *ctx, poy_run *run)
{
    POYI_TRY(ctx, poyi_list_reserve(ctx, &run->records));
    POYI_TRY(ctx, poyi_list_reserve(ctx, &run->schedule));
    if (run->period)
        POYI_TRY(ctx, poyi_list_reserve(ctx, &run->rows));
    return POY_OK;
}

static poy_status reject(poy_ctx *ctx, poy_run *run, const trial *t)
{
    double h_min = run->limits.h_min;
    switch (poyi_step_rejected(&run->control, &run->limits, t->h, t->err)) {
    case POYI_RETRY: return POY_OK;
    case POYI_RETRY_AT_MINIMUM:
        if (t->fault)
            return poyi_march_fault(ctx, run, t->h, t->fault - 1);
        return POYI_FAIL(ctx, POY_ERR_STEP,
                         "z = %.9g m: a step of %.3g m has an error of %.3g times the tolerance, and the shortest step "
                         "is %.3g m: raise solver.rtol, or lower solver.dz_min",
                         run->z, t->h, t->err, h_min);
    case POYI_RETRY_TOO_OFTEN: break;
    }
    if (t->fault)
        return poyi_march_fault(ctx, run, t->h, t->fault - 1);
    return POYI_FAIL(ctx, POY_ERR_STEP,
                     "z = %.9g m: %d steps in a row were rejected, the last of %.3g m with an error of %.3g times the "
                     "tolerance",
                     run->z, POYI_REJECTIONS_MAX, t->h, t->err);
}

/* A field above the table of a rate: the step would be accepted with a rate that is not known, or held. */
static poy_status check_rates(poy_ctx *ctx, poy_run *run)
{
    const poy_problem *p = run->problem;
    const double *above = run->report + POY_REPORT;
    for (int64_t i = 0; i < run->stage.n_flags; i++) {
        const int64_t j = i / run->stage.n_parts % p->n_plasma;
        if (above[i] == 0.0)
            continue;
        if (POYI_F64(p->rate_hold)[j] == 0.0) {
            char text[256];
            const poy_status status = poyi_ionisation_table_above(ctx, poyi_problem_rates(p, j), above[i]);
            snprintf(text, sizeof text, "%s", poy_ctx_cause(ctx));
            return POYI_FAIL(ctx, status, "z = %.9g m: %s", run->z, text);
        }
        if (!run->held)
            poyi_warn(ctx, "z = %.9g m: |E| %.3g V/m above a table of rates: held at its last", run->z, above[i]);
        run->held = 1;
    }
    return POY_OK;
}

/* How far the integrals of the embedded rule are from those of the rule, at the end of an accepted step. */
static poy_status check_quadrature(poy_ctx *ctx, poy_run *run)
{
    const poy_problem *p = run->problem;
    if (run->stage.at_score < 0)
        return POY_OK;
    const double *sums = run->report + run->stage.at_score;
    run->quadrature = sums[1] > 0.0 ? sqrt(sums[0] / sums[1]) : 0.0;
    if (run->quadrature > p->quadrature_fail)
        return POYI_FAIL(ctx, POY_ERR_NO_CONVERGENCE,
                         "z = %.9g m: integrals over the cross-section differ by %.3g between two rules, and the limit "
                         "is %.3g: %lld points are too few for this field: use more",
                         run->z, run->quadrature, p->quadrature_fail, (long long)p->n_nodes);
    if (run->quadrature > p->quadrature_warn && !run->quadrature_told) {
        poyi_warn(
            ctx,
            "z = %.9g m: integrals over the cross-section differ by %.3g between two rules: %lld points may be too "
            "few",
            run->z, run->quadrature, (long long)p->n_nodes);
        run->quadrature_told = 1;
    }
    return POY_OK;
}

/* In the adaptive march an attempt is recorded before its step is finished, in a replay after (A8). */
static poy_status accept(poy_ctx *ctx, poy_run *run, const trial *t)
{
    double z = run->z;
    if (t->cause != CAUSE_REPLAY) {
        record(run, t, z, 1);
        poyi_step_accepted(&run->control, &run->limits, t->h, t->err, t->truncated);
    }
    POYI_TRY(ctx, move_on(ctx, run, t));
    if (t->cause == CAUSE_REPLAY)
        record(run, t, z, 1);
    POYI_TRY(ctx, periodic_row(ctx, run));
    return POY_OK;
}

poy_status poyi_march_step(poy_ctx *ctx, poy_run *run, double z_end, poy_run_summary *s)
{
    trial t;
    int64_t steps_max = run->problem->steps_max;
    if (steps_max && run->index >= steps_max)
        return POYI_FAIL(ctx, POY_ERR_STEP,
                         "z = %.9g m of %.9g m: %" PRId64 " steps are taken, and solver.steps_max is %" PRId64, run->z,
                         run->problem->length, run->index, steps_max);
    POYI_TRY(ctx, choose(ctx, run, z_end, &t));
    POYI_TRY(ctx, reserve(ctx, run));
    POYI_TRY(ctx, attempt(ctx, run, &t));
    int replay = t.cause == CAUSE_REPLAY;
    if (replay && t.fault)
        return poyi_march_fault(ctx, run, t.h, t.fault - 1);
    if (replay || t.err <= 1.0) {
        POYI_TRY(ctx, check_rates(ctx, run));
        POYI_TRY(ctx, check_quadrature(ctx, run));
        POYI_TRY(ctx, accept(ctx, run, &t));
        s->accepted++;
        run->stop |= tell(ctx, run, &t);
        return POY_OK;
    }
    record(run, &t, run->z, 0);
    s->rejected++;
    run->stop |= tell(ctx, run, &t);
    return reject(ctx, run, &t);
}

poy_status poyi_march_check_end(poy_ctx *ctx, const poy_run *run, double *z)
{
    double length = run->problem->length, close = SAME * length;
    if (!(*z >= run->z - close))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "propagate_to: %.17g m lies behind the state, which is at %.17g m", *z,
                         run->z);
    if (*z > length + close)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "propagate_to: %.17g m lies beyond the end at %.17g m", *z, length);
    *z = fmin(*z, length);
    return POY_OK;
}

/* A wish to stop that came with the last step of a call is granted by the next call, so that planes are kept. Where both
 * observers asked, each is granted its own stop. */
static poy_status stopped(poy_ctx *ctx, poy_run *run)
{
    run->stop = run->stop == (STOP_RUN | STOP_CONTEXT) ? STOP_CONTEXT : 0;
    return POYI_FAIL(ctx, POY_ERR_INTERRUPTED, "stopped on request at z = %.9g m of %.9g m", run->z,
                     run->problem->length);
}

poy_status poy_run_propagate_to(poy_ctx *ctx, poy_run *run, double z, poy_run_summary *summary)
{
    poy_run_summary s = {0};

    POYI_TRY(ctx, poyi_run_check(ctx, run, 1));
    POYI_TRY(ctx, poyi_march_check_end(ctx, run, &z));
    poyi_list_drop(&run->records, 0);
    poyi_list_drop(&run->rows, 0);
    int64_t before = -1; /* a rejected step is not a place to stop at */
    while (run->z < z && !(run->stop && run->index > before)) {
        before = run->index;
        POYI_TRY(ctx, poyi_march_step(ctx, run, z, &s));
    }
    s.z = run->z;
    s.h_next = run->control.h;
    if (summary)
        *summary = s;
    return run->z < z ? stopped(ctx, run) : POY_OK;
}
