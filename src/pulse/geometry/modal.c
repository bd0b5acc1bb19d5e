/* modal.c: the stage program of guided modes: today of a fibre's single envelope. A stage is
 *   combine -> to time -> [intensity, convolution with the Raman response] -> response -> to frequency -> finish
 * with, where the absorber acts inside the stages, the spectrum of -alpha_t A / 2 beside it. */
#include <string.h>

#include "core/core.h"
#include "pulse/geometry/geometry.h"

/* What the recording of one program needs to know. */
typedef struct recorder {
    poyi_program *p;
    const poy_problem *problem;
    poyi_stage_program *sp;
    int A, B, I, S; /* fields on the fine grid: amplitude, absorber's part, intensity and its spectrum; -1: none */
    int kerr, raman, windows, absorber, noise, lossless;
} recorder;

#define ROW(r, name, slots, arg, scalar, n_scalars)                                                             \
    poyi_program_row(ctx, (r)->p, name, (int)(sizeof(slots) / sizeof(int)), slots, &(arg), sizeof(arg), scalar, \
                     n_scalars)
#define ROW_PLAIN(r, name, slots, scalar, n_scalars) \
    poyi_program_row(ctx, (r)->p, name, (int)(sizeof(slots) / sizeof(int)), slots, NULL, 0, scalar, n_scalars)

/* ---- slots and scalars ---- */

static poy_status add_slot(poy_ctx *ctx, const recorder *r, int wanted, const char *name, poy_dtype dtype, int64_t cols,
                           int64_t len, int *out)
{
    *out = -1;
    if (wanted)
        POYI_TRY(ctx, poyi_program_slot(ctx, r->p, name, dtype, cols, len, out));
    return POY_OK;
}

/* Every group is there for every problem, so that a ledger always has the same names. */
static poy_status add_slots(poy_ctx *ctx, recorder *r)
{
    const poy_problem *q = r->problem;
    poyi_stage_program *sp = r->sp;
    const int stages = !sp->linear, split = r->absorber == POY_ABSORBER_SPLIT_STEP;
    const int in_stage = r->absorber == POY_ABSORBER_IN_STAGE, per_step = r->absorber == POY_ABSORBER_PER_STEP_WINDOW;
    const int64_t n_c = q->n_c, n_w = q->n_w, n_to = q->n_to;

    POYI_TRY(ctx, add_slot(ctx, r, 1, "state.u", POY_C128, n_c, n_w, &sp->slot_u));
    POYI_TRY(ctx, add_slot(ctx, r, 1, "state.un", POY_C128, n_c, n_w, &sp->slot_un));
    POYI_TRY(ctx, add_slot(ctx, r, r->noise, "state.noise", POY_C128, n_c, n_w, &sp->slot_noise));
    POYI_TRY(ctx, add_slot(ctx, r, 1, "propagators.E", POY_C128, (stages ? POY_POSITIONS : 1) * n_c, n_w, &sp->slot_E));
    POYI_TRY(ctx, add_slot(ctx, r, stages, "stage.K", POY_C128, POY_STAGES * n_c, n_w, &sp->slot_K));
    POYI_TRY(ctx, add_slot(ctx, r, stages || split, "transform.A", POY_C128, n_c, n_to, &r->A));
    POYI_TRY(ctx, add_slot(ctx, r, in_stage, "transform.B", POY_C128, n_c, n_to, &r->B));
    POYI_TRY(ctx, add_slot(ctx, r, r->raman, "transform.I", POY_F64, n_c, n_to, &r->I));
    POYI_TRY(ctx, add_slot(ctx, r, r->raman, "transform.S", POY_C128, n_c, n_to / 2 + 1, &r->S));
    if (r->A >= 0 && n_to == q->n_t)
        sp->slot_time = r->A; /* free between steps */
    else
        POYI_TRY(ctx, add_slot(ctx, r, 1, "transform.time", POY_C128, n_c, q->n_t, &sp->slot_time));
    POYI_TRY(ctx, add_slot(ctx, r, 1, "constant.Phi", POY_C128, q->n_term * n_c, n_w, &sp->slot_Phi));
    POYI_TRY(ctx, add_slot(ctx, r, stages, "constant.G", POY_F64, n_c, n_w, &sp->slot_G));
    POYI_TRY(ctx, add_slot(ctx, r, r->raman, "constant.H", POY_C128, 1, n_to / 2 + 1, &sp->slot_H));
    POYI_TRY(ctx, add_slot(ctx, r, stages && r->windows, "constant.Wto", POY_F64, 1, n_to, &sp->slot_Wto));
    POYI_TRY(ctx, add_slot(ctx, r, in_stage || split, "constant.rate", POY_F64, 1, n_to, &sp->slot_rate));
    POYI_TRY(ctx, add_slot(ctx, r, in_stage || split, "constant.crop", POY_F64, 1, n_w, &sp->slot_crop));
    POYI_TRY(ctx, add_slot(ctx, r, r->windows, "constant.mask", POY_F64, 1, n_w, &sp->slot_mask));
    POYI_TRY(ctx, add_slot(ctx, r, per_step, "constant.Ww", POY_F64, 1, n_w, &sp->slot_Ww));
    POYI_TRY(ctx, add_slot(ctx, r, per_step, "constant.Wt", POY_F64, 1, q->n_t, &sp->slot_Wt));
    POYI_TRY(ctx,
             add_slot(ctx, r, q->error_weights.data != NULL, "constant.weights", POY_F64, 1, n_w, &sp->slot_weights));
    POYI_TRY(ctx, add_slot(ctx, r, 1, "report", POY_F64, 1, POY_REPORT, &sp->slot_report));
    sp->slot_source = -1;
    if (stages)
        POYI_TRY(ctx, poyi_program_window(ctx, r->p, sp->slot_K, (POY_STAGES - 1) * n_c, n_c, &sp->slot_source));
    return POY_OK;
}

static void place_scalars(poyi_stage_program *sp, const poy_problem *problem)
{
    int at = 0;
    sp->at_w = at;
    at += POY_POSITIONS * (int)problem->n_term;
    for (int i = 0; i < POY_STAGES; i++) {
        sp->at_a[i] = at;
        at += poyi_dormand_prince.n[i];
    }
    sp->at_kerr = at++;
    sp->at_raman = at++;
    sp->at_b = at;
    sp->at_e = at + POY_ERROR_BLOCKS;
    sp->at_taper = at + 2 * POY_ERROR_BLOCKS;
    sp->n_scalars = sp->at_taper + 1;
}

/* ---- rows ---- */

static poy_status add_fft(poy_ctx *ctx, const recorder *r, poy_fft_kind kind, int sign, int out, int in)
{
    const poy_row_fft arg = {kind, sign};
    const int slots[] = {out, in};
    POYI_TRY(ctx, ROW(r, "fft", slots, arg, 0, 0));
    return POY_OK;
}

/* F = scale pad(u), without propagator and noise. */
static poy_status add_pad(poy_ctx *ctx, const recorder *r, int F, int u)
{
    const poy_row_combine arg = {.position = -1, .scale = 1.0 / (double)r->problem->n_t, .lossless = r->lossless};
    const int slots[] = {F, u, -1, -1, -1};
    POYI_TRY(ctx, ROW(r, "combine", slots, arg, 0, 0));
    return POY_OK;
}

/* The input of stage i from u and the stages before it, in A. */
static poy_status add_combine(poy_ctx *ctx, const recorder *r, int i, int u)
{
    const poyi_tableau *method = &poyi_dormand_prince;
    poy_row_combine arg = {.m = method->n[i],
                           .position = method->position[i],
                           .noise = r->noise,
                           .lossless = r->lossless,
                           .scale = 1.0 / (double)r->problem->n_t};
    memcpy(arg.k, method->blocks[i], sizeof arg.k);
    const int slots[] = {r->A, u, arg.m ? r->sp->slot_K : -1, arg.position < 0 ? -1 : r->sp->slot_E,
                         r->noise ? r->sp->slot_noise : -1};
    POYI_TRY(ctx, ROW(r, "combine", slots, arg, r->sp->at_a[i], arg.m));
    return POY_OK;
}

/* From the field's spectrum in A to that of the response, and of the absorber's part in B. */
static poy_status add_response(poy_ctx *ctx, const recorder *r)
{
    const poyi_stage_program *sp = r->sp;
    const poy_row_response arg = {.raman = r->raman, .window = r->windows};
    const int drive[] = {r->I, r->A}, convolve[] = {r->S, r->S, sp->slot_H}, absorb[] = {r->B, r->A, sp->slot_rate};
    const int response[] = {r->A, r->raman ? r->I : -1, r->windows ? sp->slot_Wto : -1};

    POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, +1, r->A, r->A));
    if (r->raman) {
        POYI_TRY(ctx, ROW_PLAIN(r, "drive", drive, 0, 0));
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_R2C, -1, r->S, r->I));
        POYI_TRY(ctx, ROW_PLAIN(r, "mul", convolve, 0, 0));
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2R, +1, r->I, r->S));
    }
    if (r->B >= 0)
        POYI_TRY(ctx, ROW_PLAIN(r, "absorb", absorb, 0, 0)); /* before the response, which overwrites A */
    POYI_TRY(ctx, ROW(r, "response", response, arg, sp->at_kerr, 2));
    if (r->B >= 0)
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, -1, r->B, r->B));
    POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, -1, r->A, r->A));
    return POY_OK;
}

/* The derivative at a position into a block of K. */
static poy_status add_finish(poy_ctx *ctx, const recorder *r, int block, int position)
{
    const poyi_stage_program *sp = r->sp;
    const poy_row_finish arg = {.stage = block, .position = position, .lossless = r->lossless, .absorb = r->B >= 0};
    const int slots[] = {
        sp->slot_K, r->A, sp->slot_G, position < 0 ? -1 : sp->slot_E, r->B, r->B >= 0 ? sp->slot_crop : -1};
    POYI_TRY(ctx, ROW(r, "finish", slots, arg, 0, 0));
    return POY_OK;
}

static poy_status add_stage(poy_ctx *ctx, const recorder *r, int i, int u, int block)
{
    POYI_TRY(ctx, add_combine(ctx, r, i, u));
    POYI_TRY(ctx, add_response(ctx, r));
    POYI_TRY(ctx, add_finish(ctx, r, block, poyi_dormand_prince.position[i]));
    return POY_OK;
}

/* ---- segments ---- */

/* Powers of one exponential where the operator allows and the problem has stages: a step without them has one
 * propagator only, which is then exact whatever the steps. */
static int use_powers(const recorder *r)
{
    return !r->sp->linear && r->problem->n_term == 1 && r->problem->propagators != POY_PROPAGATOR_DIRECT;
}

static poy_status add_trial(poy_ctx *ctx, const recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const int positions = sp->linear ? 1 : POY_POSITIONS, n_term = (int)r->problem->n_term;
    const poy_row_propagators propagators = {n_term, positions, use_powers(r), r->lossless};
    const poy_row_accept accept = {.weights = sp->slot_weights >= 0};
    const int exponentials[] = {sp->slot_E, sp->slot_Phi};
    const int ends[] = {sp->slot_un, sp->slot_report, sp->slot_u, sp->slot_K, sp->slot_E, sp->slot_weights};

    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "trial", &sp->seg_trial));
    POYI_TRY(ctx, ROW(r, "propagators", exponentials, propagators, sp->at_w + (POY_POSITIONS - positions) * n_term,
                      positions * n_term));
    for (int i = 1; i <= sp->stages; i++)
        POYI_TRY(ctx, add_stage(ctx, r, i, sp->slot_u, i));
    POYI_TRY(ctx, ROW(r, "accept", ends, accept, sp->at_b, sp->linear ? 0 : 2 * POY_ERROR_BLOCKS));
    return POY_OK;
}

/* What is done to the state at the end of a step. */
static poy_status add_end(poy_ctx *ctx, const recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const poy_row_crop crop = {.layout = POY_LAYOUT_ENVELOPE};
    const int taper[] = {r->A, sp->slot_rate}, to_state[] = {sp->slot_un, r->A, sp->slot_crop};
    const int window_w[] = {sp->slot_un, sp->slot_Ww}, window_t[] = {sp->slot_un, sp->slot_Wt};
    const int mask[] = {sp->slot_un, sp->slot_mask};

    sp->seg_finish = -1;
    if (!r->windows && r->absorber == POY_ABSORBER_NONE)
        return POY_OK;
    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "finish", &sp->seg_finish));
    if (r->absorber == POY_ABSORBER_SPLIT_STEP) { /* exp(-alpha_t h / 2) in time, then the mask with the crop */
        POYI_TRY(ctx, add_pad(ctx, r, r->A, sp->slot_un));
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, +1, r->A, r->A));
        POYI_TRY(ctx, ROW_PLAIN(r, "taper", taper, sp->at_taper, 1));
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, -1, r->A, r->A));
        POYI_TRY(ctx, ROW(r, "crop", to_state, crop, 0, 0));
    } else if (r->absorber == POY_ABSORBER_PER_STEP_WINDOW) { /* on the coarse grid, whose bins are the state's */
        POYI_TRY(ctx, ROW_PLAIN(r, "window", window_w, 0, 0));
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, +1, sp->slot_un, sp->slot_un));
        POYI_TRY(ctx, ROW_PLAIN(r, "window", window_t, 0, 0));
        POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, -1, sp->slot_un, sp->slot_un));
    }
    if (r->windows && r->absorber != POY_ABSORBER_SPLIT_STEP)
        POYI_TRY(ctx, ROW_PLAIN(r, "window", mask, 0, 0));
    return POY_OK;
}

static poy_status add_advance(poy_ctx *ctx, const recorder *r)
{
    poyi_stage_program *sp = r->sp;
    const poy_row_advance arg = {.noise = r->noise, .lossless = r->lossless};
    const int recycle = !sp->linear && sp->fsal;
    const int slots[] = {sp->slot_u, recycle ? sp->slot_K : -1, sp->slot_un, recycle || r->noise ? sp->slot_E : -1,
                         sp->slot_noise};

    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "advance", &sp->seg_advance));
    POYI_TRY(ctx, ROW(r, "advance", slots, arg, 0, 0));
    if (!sp->linear && !sp->fsal)
        POYI_TRY(ctx, add_stage(ctx, r, 0, sp->slot_u, 0));
    return POY_OK;
}

static poy_status add_others(poy_ctx *ctx, const recorder *r)
{
    poyi_stage_program *sp = r->sp;

    sp->seg_first = sp->seg_source = -1;
    if (!sp->linear) {
        POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "first", &sp->seg_first));
        POYI_TRY(ctx, add_stage(ctx, r, 0, sp->slot_u, 0));
        POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "source", &sp->seg_source));
        POYI_TRY(ctx, add_stage(ctx, r, 0, sp->slot_un, POY_STAGES - 1));
    }
    POYI_TRY(ctx, poyi_program_segment(ctx, r->p, "time", &sp->seg_time));
    POYI_TRY(ctx, add_pad(ctx, r, sp->slot_time, sp->slot_u));
    POYI_TRY(ctx, add_fft(ctx, r, POY_FFT_C2C, +1, sp->slot_time, sp->slot_time));
    return POY_OK;
}

static poy_status check_problem(poy_ctx *ctx, const poy_problem *problem)
{
    if (problem->field != POY_FIELD_ENVELOPE)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "a modal program of a real field is not built: problem.field is %lld",
                         (long long)problem->field);
    if (problem->method != 0)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "problem.method is %lld: only Dormand-Prince 5(4), 0, is built",
                         (long long)problem->method);
    return POY_OK;
}

static poy_status record(poy_ctx *ctx, recorder *r)
{
    POYI_TRY(ctx, add_slots(ctx, r));
    place_scalars(r->sp, r->problem);
    POYI_TRY(ctx, add_trial(ctx, r));
    POYI_TRY(ctx, add_end(ctx, r));
    POYI_TRY(ctx, add_advance(ctx, r));
    POYI_TRY(ctx, add_others(ctx, r));
    return POY_OK;
}

poy_status poyi_modal_build(poy_ctx *ctx, const poy_problem *problem, poyi_stage_program *out)
{
    const int in_stage = problem->absorber == POY_ABSORBER_IN_STAGE;
    const int changes =
        problem->absorber == POY_ABSORBER_SPLIT_STEP || problem->absorber == POY_ABSORBER_PER_STEP_WINDOW;
    recorder r = {.problem = problem,
                  .sp = out,
                  .kerr = problem->kerr != 0,
                  .raman = problem->raman != 0,
                  .windows = problem->windows != 0,
                  .absorber = (int)problem->absorber,
                  .noise = problem->noise == POY_NOISE_MODIFIED,
                  .lossless = problem->lossless != 0};

    memset(out, 0, sizeof *out);
    POYI_TRY(ctx, check_problem(ctx, problem));
    out->linear = !r.kerr && !r.raman && !in_stage;
    out->fsal = !changes;
    out->stages = out->linear ? 0 : POY_STAGES - 1;
    POYI_TRY(ctx, poyi_program_create(ctx, "pulse", &r.p));
    poy_status status = record(ctx, &r);
    if (status != POY_OK) {
        poyi_program_destroy(&r.p);
        return status;
    }
    out->program = r.p;
    return POY_OK;
}
