/* modal.c: the stage program of guided modes: a fibre's envelope, or one mode of a gas-filled guide as a real field or
 * an envelope. Its segments; what a stage is made of is in rows.c. */
#include <string.h>

#include "math/math.h"
#include "pulse/geometry/recorder.h"

/* ---- segments ---- */

/* Powers of one exponential where the operator allows and the problem has stages: a step without them has one
 * propagator only, which is then exact whatever the steps. */
static int use_powers(const poyi_recorder *r)
{
    return !r->sp->linear && r->problem->n_term == 1 && r->problem->propagators != POY_PROPAGATOR_DIRECT;
}

static poy_status add_trial(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const int positions = sp->linear ? 1 : POY_POSITIONS, n_term = (int)r->problem->n_term;
    const poy_row_propagators propagators = {n_term, positions, use_powers(r), r->lossless};
    const poy_row_accept accept = {.weights = sp->slot_weights >= 0};
    const int exponentials[] = {sp->slot_E, sp->slot_Phi};
    const int ends[] = {sp->slot_un, sp->slot_report, sp->slot_u, sp->slot_K, sp->slot_E, sp->slot_weights};

    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "trial", &sp->seg_trial));
    POYI_TRY(ctx, POYI_ROW(r, "propagators", exponentials, propagators, sp->at_w + (POY_POSITIONS - positions) * n_term,
                           positions * n_term));
    for (int i = 1; i <= sp->stages; i++)
        POYI_TRY(ctx, poyi_modal_stage(ctx, r, i, i, sp->slot_u, i, r->points && i == sp->stages));
    POYI_TRY(ctx, POYI_ROW(r, "accept", ends, accept, sp->at_b, sp->linear ? 0 : 2 * POY_ERROR_BLOCKS));
    return POY_OK;
}

/* exp(-alpha_t h / 2) in time, then the mask with the crop. */
static poy_status add_split_step(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const poy_row_crop crop = {.layout = r->layout};
    const poy_fft_kind back = r->real ? POY_FFT_C2R : POY_FFT_C2C, forth = r->real ? POY_FFT_R2C : POY_FFT_C2C;
    const int taper[] = {r->time, sp->slot_rate}, to_state[] = {sp->slot_un, r->out, sp->slot_crop};

    POYI_TRY(ctx, poyi_modal_pad(ctx, r, r->out, sp->slot_un, 1.0 / (double)r->problem->n_t));
    POYI_TRY(ctx, poyi_modal_fft(ctx, r, back, +1, r->time, r->out));
    POYI_TRY(ctx, POYI_ROW_PLAIN(r, "taper", taper, sp->at_taper, 1));
    POYI_TRY(ctx, poyi_modal_fft(ctx, r, forth, -1, r->out, r->time));
    POYI_TRY(ctx, POYI_ROW(r, "crop", to_state, crop, 0, 0));
    return POY_OK;
}

/* Windows on the coarse grid, whose bins are the state's. */
static poy_status add_windows(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const poy_fft_kind back = r->real ? POY_FFT_C2R : POY_FFT_C2C, forth = r->real ? POY_FFT_R2C : POY_FFT_C2C;
    const int time = r->real ? r->coarse : sp->slot_un;
    const int window_w[] = {sp->slot_un, sp->slot_Ww}, window_t[] = {time, sp->slot_Wt};

    POYI_TRY(ctx, POYI_ROW_PLAIN(r, "window", window_w, 0, 0));
    POYI_TRY(ctx, poyi_modal_fft(ctx, r, back, +1, time, sp->slot_un));
    POYI_TRY(ctx, POYI_ROW_PLAIN(r, "window", window_t, 0, 0));
    return poyi_modal_fft(ctx, r, forth, -1, sp->slot_un, time);
}

/* What is done to the state at the end of a step. */
static poy_status add_end(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const int mask[] = {sp->slot_un, sp->slot_mask};

    sp->seg_finish = -1;
    if (!r->windows && r->absorber == POY_ABSORBER_NONE)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "finish", &sp->seg_finish));
    if (r->absorber == POY_ABSORBER_SPLIT_STEP)
        return add_split_step(ctx, r);
    if (r->absorber == POY_ABSORBER_PER_STEP_WINDOW)
        POYI_TRY(ctx, add_windows(ctx, r));
    if (r->windows)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "window", mask, 0, 0));
    return POY_OK;
}

static poy_status add_advance(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const poy_row_advance arg = {.noise = r->noise, .lossless = r->lossless};
    const int recycle = !sp->linear && sp->fsal;
    const int slots[] = {sp->slot_u, recycle ? sp->slot_K : -1, sp->slot_un, recycle || r->noise ? sp->slot_E : -1,
                         sp->slot_noise};

    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "advance", &sp->seg_advance));
    POYI_TRY(ctx, POYI_ROW(r, "advance", slots, arg, 0, 0));
    if (!sp->linear && !sp->fsal) /* at the end of the step */
        POYI_TRY(ctx, poyi_modal_stage(ctx, r, 0, POY_STAGES - 1, sp->slot_u, 0, 0));
    return POY_OK;
}

/* What the field does to each species: that of an averaged mode itself, or on the axis. */
static poy_status add_electrons(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const poy_row_matmul synthesis = {0};
    const int field[] = {r->axis, r->A, sp->slot_axis};

    sp->seg_field = sp->seg_electrons = -1;
    if (!r->plasma)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "field", &sp->seg_field));
    POYI_TRY(ctx, poyi_modal_pad(ctx, r, r->in, sp->slot_u, r->scale));
    POYI_TRY(ctx, poyi_modal_to_time(ctx, r));
    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "electrons", &sp->seg_electrons));
    if (r->points)
        POYI_TRY(ctx, POYI_ROW(r, "matmul", field, synthesis, 0, 0));
    for (int j = 0; j < r->problem->n_plasma; j++) {
        poy_row_expose arg = poyi_modal_rates(r, j);
        const int slots[] = {sp->slot_report, r->axis, sp->slot_rates[j]};
        arg.pol = r->points ? 2 : r->pol;
        arg.flag = sp->at_electrons + 2 * j;
        POYI_TRY(ctx, POYI_ROW(r, "expose", slots, arg, sp->at_unit, 1));
    }
    return POY_OK;
}

static poy_status add_others(poy_ctx *ctx, const poyi_recorder *r)
{
    poyi_stage_program *sp = r->sp;

    sp->seg_first = sp->seg_source = -1;
    if (!sp->linear) {
        POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "first", &sp->seg_first));
        POYI_TRY(ctx, poyi_modal_stage(ctx, r, 0, 0, sp->slot_u, 0, 0));
        POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "source", &sp->seg_source));
        POYI_TRY(ctx, poyi_modal_stage(ctx, r, 0, 0, sp->slot_un, POY_STAGES - 1, 0));
    }
    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "time", &sp->seg_time));
    POYI_TRY(ctx, poyi_modal_pad(ctx, r, sp->slot_time, sp->slot_u,
                                 (r->real ? 2.0 : 1.0) / (double)r->problem->n_t)); /* the analytic signal */
    return poyi_modal_fft(ctx, r, POY_FFT_C2C, +1, sp->slot_time, sp->slot_time);
}

static poy_status check_problem(poy_ctx *ctx, const poy_problem *problem)
{
    if (problem->method != 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "problem.method is %lld: only Dormand-Prince 5(4), 0, is built",
                         (long long)problem->method);
    return POY_OK;
}

static poy_status record(poy_ctx *ctx, poyi_recorder *r)
{
    POYI_TRY(ctx, poyi_gauss_legendre(ctx, POYI_RULE, r->sp->rule_x, r->sp->rule_w));
    POYI_TRY(ctx, poyi_modal_slots(ctx, r));
    poyi_modal_scalars(r->sp, r->problem);
    POYI_TRY(ctx, add_trial(ctx, r));
    POYI_TRY(ctx, add_end(ctx, r));
    POYI_TRY(ctx, add_advance(ctx, r));
    POYI_TRY(ctx, add_others(ctx, r));
    POYI_TRY(ctx, add_electrons(ctx, r));
    return POY_OK;
}

poy_status poyi_modal_build(poy_ctx *ctx, const poy_problem *problem, poyi_stage_program *out)
{
    const int in_stage = problem->absorber == POY_ABSORBER_IN_STAGE;
    const int changes =
        problem->absorber == POY_ABSORBER_SPLIT_STEP || problem->absorber == POY_ABSORBER_PER_STEP_WINDOW;
    poyi_recorder r = {.problem = problem,
                       .sp = out,
                       .kerr = problem->kerr != 0,
                       .raman = problem->raman != 0,
                       .plasma = problem->n_plasma > 0,
                       .holds = !problem->plasma_held ? 0
                                : problem->windows    ? 3
                                                      : 2,
                       .points = problem->n_nodes > 0 && (problem->kerr || problem->raman || problem->n_plasma),
                       .pol = (int)problem->n_pol,
                       .tensor = problem->tensor != 0,
                       .windows = problem->windows != 0,
                       .absorber = (int)problem->absorber,
                       .noise = problem->noise == POY_NOISE_MODIFIED,
                       .lossless = problem->lossless != 0,
                       .real = problem->field == POY_FIELD_REAL,
                       .layout = problem->field == POY_FIELD_REAL ? POY_LAYOUT_HALF : POY_LAYOUT_ENVELOPE,
                       .scale = (problem->response == POY_RESPONSE_ANALYTIC ? 2.0 : 1.0) / (double)problem->n_t};

    r.summed = r.points && poyi_modal_summed(problem);
    memset(out, 0, sizeof *out);
    POYI_TRY(ctx, check_problem(ctx, problem));
    out->linear = !r.kerr && !r.raman && !r.plasma && !in_stage;
    out->fsal = !changes;
    out->stages = out->linear ? 0 : POY_STAGES - 1;
    out->keeps_field = r.plasma && !r.noise;
    POYI_TRY(ctx, poyi_program_create(ctx, "pulse", &r.p));
    poy_status status = record(ctx, &r);
    if (status != POY_OK) {
        poyi_program_destroy(&r.p);
        return status;
    }
    out->program = r.p;
    return POY_OK;
}
