/* slots.c: the slots of the stage program of guided modes, and the places of its scalars. */
#include <stdio.h>

#include "pulse/geometry/along.h"
#include "pulse/geometry/recorder.h"

poy_status poyi_modal_slot(poy_ctx *ctx, const poyi_recorder *r, int wanted, const char *name, poy_dtype dtype,
                           int64_t cols, int64_t len, int *out)
{
    *out = -1;
    if (wanted)
        POYI_TRY(ctx, poyi_program_slot(ctx, r->p, name, dtype, cols, len, out));
    return POY_OK;
}

/* Blocks of a held current and of what it is held beside, of one rule (both 0) or of two. */
static poy_status add_held(poy_ctx *ctx, poyi_recorder *r, int time, int spectrum, int both)
{
    const int64_t n = (both ? 2 : 1) * r->problem->n_c;
    poyi_held *h = &r->held[both];
    *h = (poyi_held){-1, -1, -1, -1, -1, -1};
    if (!r->holds)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, time, 0, r->holds * n, &h->time));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, spectrum, 0, r->holds * n, &h->spectrum));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, time, n, n, &h->J));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, spectrum, n, n, &h->JF));
    if (r->holds < 3)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, time, 2 * n, n, &h->slope));
    return poyi_program_window(ctx, r->p, spectrum, 2 * n, n, &h->slopeF);
}

/* Windows on the projections at points and on their spectra: of the rule alone. */
static poy_status add_projections(poy_ctx *ctx, poyi_recorder *r)
{
    const poy_problem *q = r->problem;
    const int64_t n_c = q->n_c, blocks = r->holds ? r->holds : 1;
    int time = -1, spectrum = -1;
    POYI_TRY(ctx,
             poyi_modal_slot(ctx, r, 1, "transform.P", r->real ? POY_F64 : POY_C128, blocks * 2 * n_c, q->n_to, &time));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, time, 0, 2 * n_c, &r->P_both));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, time, 0, n_c, &r->P));
    r->time = r->P;
    if (!r->real) {
        r->out_both = r->P_both;
        r->out = r->P;
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "transform.F", POY_C128, blocks * 2 * n_c, q->n_to / 2 + 1, &spectrum));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, spectrum, 0, 2 * n_c, &r->out_both));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, spectrum, 0, n_c, &r->out));
    POYI_TRY(ctx, add_held(ctx, r, time, spectrum, 0));
    return add_held(ctx, r, time, spectrum, 1);
}

/* Of a real field. */
static poy_status add_way_real(poy_ctx *ctx, poyi_recorder *r, int any)
{
    const poy_problem *q = r->problem;
    const int in_stage = r->absorber == POY_ABSORBER_IN_STAGE, analytic = q->response == POY_RESPONSE_ANALYTIC;
    const int64_t n_c = q->n_c, n_to = q->n_to, half = n_to / 2 + 1;

    const int64_t blocks = r->holds ? r->holds : 1;
    int time = -1, spectrum = -1;

    if (r->points)
        POYI_TRY(ctx, add_projections(ctx, r));
    else
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, any, "transform.F", POY_C128, blocks * n_c, half, &spectrum));
    if (!r->points)
        r->out = spectrum;
    if (!r->points && r->holds)
        POYI_TRY(ctx, poyi_program_window(ctx, r->p, spectrum, 0, n_c, &r->out));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, any, "transform.A", analytic ? POY_C128 : POY_F64, n_c, n_to, &r->A));
    r->in = analytic ? r->A : r->out;
    if (!r->points) {
        r->P = r->A;
        if (analytic || r->plasma)
            POYI_TRY(ctx, poyi_modal_slot(ctx, r, any, "transform.Y", POY_F64, blocks * n_c, n_to, &time));
        if (time >= 0)
            POYI_TRY(ctx, poyi_program_window(ctx, r->p, time, 0, n_c, &r->P));
        r->time = r->P;
        POYI_TRY(ctx, add_held(ctx, r, time, spectrum, 0));
    }
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, in_stage, "transform.B", POY_F64, n_c, n_to, &r->B));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, in_stage, "transform.Bw", POY_C128, n_c, half, &r->Bw));
    return poyi_modal_slot(ctx, r, r->absorber == POY_ABSORBER_PER_STEP_WINDOW, "transform.coarse", POY_F64, n_c,
                           q->n_t, &r->coarse);
}

/* The way of the field through a stage (recorder.h). */
static poy_status add_way(poy_ctx *ctx, poyi_recorder *r, int stages)
{
    const poy_problem *q = r->problem;
    const int split = r->absorber == POY_ABSORBER_SPLIT_STEP, in_stage = r->absorber == POY_ABSORBER_IN_STAGE;
    const int any = stages || split;
    const int64_t n_c = q->n_c, n_to = q->n_to;

    if (r->real)
        return add_way_real(ctx, r, any);
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, any, "transform.A", POY_C128, n_c, n_to, &r->A));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, in_stage, "transform.B", POY_C128, n_c, n_to, &r->B));
    r->in = r->P = r->time = r->out = r->A;
    r->Bw = r->B;
    return r->points ? add_projections(ctx, r) : POY_OK;
}

/* Blocks of S, of a tensor. */
static poy_status part_delayed(poy_ctx *ctx, const poyi_recorder *r, int64_t points, poyi_part *part)
{
    part->S_sum = part->S_rest = -1;
    if (!r->tensor)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, part->S, 0, points, &part->S_sum));
    return poyi_program_window(ctx, r->p, part->S, points, 2 * points, &part->S_rest);
}

poy_status poyi_modal_delayed(poy_ctx *ctx, const poyi_recorder *r, int64_t points, poyi_part *part)
{
    const poy_problem *q = r->problem;
    const int64_t cols = r->tensor ? 3 * points : points;
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->raman, "transform.I", POY_F64, cols, q->n_delay, &part->I));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->raman, "transform.S", POY_C128, cols, q->n_delay / 2 + 1, &part->S));
    return part_delayed(ctx, r, points, part);
}

poy_status poyi_modal_shrink_delayed(poy_ctx *ctx, const poyi_recorder *r, int64_t points, poyi_part *part)
{
    const int64_t cols = r->tensor ? 3 * points : points;
    if (!r->raman)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, part->I, 0, cols, &part->I));
    POYI_TRY(ctx, poyi_program_window(ctx, r->p, part->S, 0, cols, &part->S));
    return part_delayed(ctx, r, points, part);
}

/* The one part of a mode-averaged state. */
static poy_status add_part(poy_ctx *ctx, poyi_recorder *r)
{
    poyi_part *part = &r->parts[0];
    r->n_parts = 1;
    *part = (poyi_part){.X = r->A, .Y = r->P, .J = r->holds ? r->held[0].J : -1, .synthesis = -1, .projection = -1};
    return poyi_modal_delayed(ctx, r, 1, part);
}

static poy_status add_state(poy_ctx *ctx, const poyi_recorder *r, int stages)
{
    const poy_problem *q = r->problem;
    poyi_stage_program *sp = r->sp;
    const int64_t n_c = q->n_c, n_w = q->n_w;

    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "state.u", POY_C128, n_c, n_w, &sp->slot_u));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "state.un", POY_C128, n_c, n_w, &sp->slot_un));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->noise, "state.noise", POY_C128, n_c, n_w, &sp->slot_noise));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "propagators.E", POY_C128, (stages ? POY_POSITIONS : 1) * n_c, n_w,
                                  &sp->slot_E));
    return poyi_modal_slot(ctx, r, stages, "stage.K", POY_C128, POY_STAGES * n_c, n_w, &sp->slot_K);
}

/* Prefactor and Raman response: constants, or terms that are summed for each stage. */
static poy_status add_factors(poy_ctx *ctx, poyi_recorder *r, int stages)
{
    const poy_problem *q = r->problem;
    poyi_stage_program *sp = r->sp;
    const int64_t n_h = q->n_delay / 2 + 1;

    POYI_TRY(ctx, poyi_modal_slot(ctx, r, stages, "constant.G", POY_F64, q->n_along * q->n_c, q->n_w, &sp->slot_G));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->raman, "constant.H", POY_C128, q->n_delay_along, n_h, &sp->slot_H));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->tensor, "constant.T", POY_C128, q->n_delay_along, n_h, &sp->slot_T));
    r->G = sp->slot_G;
    r->H = sp->slot_H;
    r->T = sp->slot_T;
    if (q->n_along > 1)
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, stages, "transform.G", POY_F64, q->n_c, q->n_w, &r->G));
    if (q->n_delay_along > 1)
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->raman, "transform.H", POY_C128, 1, n_h, &r->H));
    if (q->n_delay_along > 1)
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->tensor, "transform.T", POY_C128, 1, n_h, &r->T));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, stages && r->kerr && q->response == POY_RESPONSE_HARMONIC, "constant.carrier",
                                  POY_C128, 1, q->n_to, &sp->slot_carrier));
    for (int j = 0; j < q->n_plasma; j++) {
        char name[24];
        snprintf(name, sizeof name, "constant.rates%d", j);
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, stages, name, POY_F64, 1, 2 * (int64_t)POYI_F64(q->rate_points)[j],
                                      &sp->slot_rates[j]));
    }
    return POY_OK;
}

/* The field that statistics of a plasma are of. */
static poy_status add_axis(poy_ctx *ctx, poyi_recorder *r)
{
    const poy_problem *q = r->problem;
    const poy_dtype dtype = q->response == POY_RESPONSE_ANALYTIC ? POY_C128 : POY_F64;
    const int wanted = r->points && r->plasma;
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, wanted, "constant.axis", POY_F64, 2, q->n_c, &r->sp->slot_axis));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, wanted, "transform.axis", dtype, 2, q->n_to, &r->axis));
    if (!r->points && r->plasma)
        r->axis = r->A;
    return POY_OK;
}

/* Every group is there for every problem, so that a ledger always has the same names. */
poy_status poyi_modal_slots(poy_ctx *ctx, poyi_recorder *r)
{
    const poy_problem *q = r->problem;
    poyi_stage_program *sp = r->sp;
    const int stages = !sp->linear, split = r->absorber == POY_ABSORBER_SPLIT_STEP;
    const int in_stage = r->absorber == POY_ABSORBER_IN_STAGE, per_step = r->absorber == POY_ABSORBER_PER_STEP_WINDOW;
    const int64_t n_c = q->n_c, n_w = q->n_w, n_to = q->n_to;

    r->B = r->Bw = r->coarse = r->out_both = r->P_both = r->axis = -1;
    sp->slot_synthesis = sp->slot_projection = sp->slot_cube = sp->slot_axis = -1;
    r->held[0] = r->held[1] = (poyi_held){-1, -1, -1, -1, -1, -1};
    POYI_TRY(ctx, add_state(ctx, r, stages));
    POYI_TRY(ctx, add_way(ctx, r, stages));
    if (r->points)
        POYI_TRY(ctx, poyi_modal_nodes(ctx, r));
    else
        POYI_TRY(ctx, add_part(ctx, r));
    POYI_TRY(ctx, add_axis(ctx, r));
    if (!r->real && r->A >= 0 && n_to == q->n_t)
        sp->slot_time = r->A; /* free between steps */
    else
        POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "transform.time", POY_C128, n_c, q->n_t, &sp->slot_time));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "constant.Phi", POY_C128, q->n_term * n_c, n_w, &sp->slot_Phi));
    POYI_TRY(ctx, add_factors(ctx, r, stages));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, stages && r->windows, "constant.Wto", POY_F64, 1, n_to, &sp->slot_Wto));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->holds > 2, "constant.slope", POY_F64, 1, n_to, &sp->slot_slope));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->holds > 1, "constant.once", POY_C128, 1, n_to / 2 + 1, &sp->slot_once));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->holds > 2, "constant.twice", POY_C128, 1, n_to / 2 + 1, &sp->slot_twice));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, in_stage || split, "constant.rate", POY_F64, 1, n_to, &sp->slot_rate));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, in_stage || split, "constant.crop", POY_F64, 1, n_w, &sp->slot_crop));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, r->windows, "constant.mask", POY_F64, 1, n_w, &sp->slot_mask));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, per_step, "constant.Ww", POY_F64, 1, n_w, &sp->slot_Ww));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, per_step, "constant.Wt", POY_F64, 1, q->n_t, &sp->slot_Wt));
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, q->error_weights.data != NULL, "constant.weights", POY_F64, 1, n_w,
                                  &sp->slot_weights));
    sp->n_parts = r->n_parts;
    sp->n_flags = (int)q->n_plasma * POY_STAGES * r->n_parts;
    sp->n_report = POY_REPORT + sp->n_flags + (r->points ? 2 : 0) + 2 * (int)q->n_plasma;
    sp->at_score = r->points ? POY_REPORT + sp->n_flags : -1;
    sp->at_electrons = r->plasma ? sp->n_report - 2 * (int)q->n_plasma : -1;
    POYI_TRY(ctx, poyi_modal_slot(ctx, r, 1, "report", POY_F64, 1, sp->n_report, &sp->slot_report));
    sp->slot_source = -1;
    if (stages)
        POYI_TRY(ctx, poyi_program_window(ctx, r->p, sp->slot_K, (POY_STAGES - 1) * n_c, n_c, &sp->slot_source));
    return POY_OK;
}

void poyi_modal_scalars(poyi_stage_program *sp, const poy_problem *problem)
{
    int at = 0;
    sp->at_w = at;
    at += POY_POSITIONS * (int)problem->n_term;
    for (int i = 0; i < POY_STAGES; i++) {
        sp->at_a[i] = at;
        at += poyi_dormand_prince.n[i];
        sp->at_along[i] = at;
        at += (int)poyi_terms_count(problem);
        sp->at_kerr[i] = at;
        at += 2;
        for (int j = 0; j < problem->n_plasma; j++, at += 3)
            sp->at_plasma[i][j] = at;
    }
    sp->at_b = at;
    sp->at_e = at + POY_ERROR_BLOCKS;
    sp->at_taper = at + 2 * POY_ERROR_BLOCKS;
    sp->at_ones = sp->at_taper + 1;
    sp->at_unit = sp->at_ones + 3;
    sp->n_scalars = sp->at_unit + 1;
}
