/* rows.c: the rows of one stage of guided modes:
 *   combine -> to time -> [what drives the delayed response, its convolution] -> response -> [free electrons of each
 *   species] -> to frequency -> finish
 * with, where the absorber acts inside the stages, the spectrum of -alpha_t A / 2 beside it. */
#include <string.h>

#include "core/constants.h"
#include "pulse/geometry/recorder.h"

poy_status poyi_modal_fft(poy_ctx *ctx, const poyi_recorder *r, poy_fft_kind kind, int sign, int out, int in)
{
    const poy_row_fft arg = {kind, sign};
    const int slots[] = {out, in};
    POYI_TRY(ctx, POYI_ROW(r, "fft", slots, arg, 0, 0));
    return POY_OK;
}

poy_status poyi_modal_pad(poy_ctx *ctx, const poyi_recorder *r, int F, int u, double scale)
{
    const poy_row_combine arg = {.position = -1, .scale = scale, .lossless = r->lossless, .layout = r->layout};
    const int slots[] = {F, u, -1, -1, -1};
    POYI_TRY(ctx, POYI_ROW(r, "combine", slots, arg, 0, 0));
    return POY_OK;
}

/* The input of stage i from u and the stages before it. */
static poy_status add_combine(poy_ctx *ctx, const poyi_recorder *r, int i, int u)
{
    const poyi_tableau *method = &poyi_dormand_prince;
    poy_row_combine arg = {.m = method->n[i],
                           .position = method->position[i],
                           .noise = r->noise,
                           .lossless = r->lossless,
                           .scale = r->scale,
                           .layout = r->layout};
    memcpy(arg.k, method->blocks[i], sizeof arg.k);
    const int slots[] = {r->in, u, arg.m ? r->sp->slot_K : -1, arg.position < 0 ? -1 : r->sp->slot_E,
                         r->noise ? r->sp->slot_noise : -1};
    POYI_TRY(ctx, POYI_ROW(r, "combine", slots, arg, r->sp->at_a[i], arg.m));
    return POY_OK;
}

/* The delayed response as it is at a stage. */
static poy_status add_terms(poy_ctx *ctx, const poyi_recorder *r, int at)
{
    const int terms[] = {r->H, r->sp->slot_H}, tensor[] = {r->T, r->sp->slot_T}, n = (int)r->problem->n_delay_along;
    if (r->raman && r->H != r->sp->slot_H)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "terms_sum", terms, r->sp->at_along[at], n));
    if (r->tensor && r->T != r->sp->slot_T)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "terms_sum", tensor, r->sp->at_along[at], n));
    return POY_OK;
}

/* The convolution of what drives the delayed response with it, in I. */
static poy_status add_delayed(poy_ctx *ctx, const poyi_recorder *r, const poyi_part *part)
{
    const poy_row_drive arg = {.pol = r->pol, .tensor = r->tensor};
    const int S = r->tensor ? part->S_sum : part->S;
    const int drive[] = {part->I, part->X}, convolve[] = {S, S, r->H}, rest[] = {part->S_rest, part->S_rest, r->T};

    if (!r->raman)
        return POY_OK;
    POYI_TRY(ctx, POYI_ROW(r, "drive", drive, arg, 0, 0));
    POYI_TRY(ctx, poyi_modal_fft(ctx, r, POY_FFT_R2C, -1, part->S, part->I));
    POYI_TRY(ctx, POYI_ROW_PLAIN(r, "mul", convolve, 0, 0));
    if (r->tensor)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "mul", rest, 0, 0));
    return poyi_modal_fft(ctx, r, POY_FFT_C2R, +1, part->I, part->S);
}

/* Kerr and Raman, windowed where no points are: their sums are windowed after the projection. */
static poy_status add_polarisation(poy_ctx *ctx, const poyi_recorder *r, int at, const poyi_part *part)
{
    const poyi_stage_program *sp = r->sp;
    const int window = r->windows && !r->points;
    const int Q = r->raman ? part->I : -1, W = window ? sp->slot_Wto : -1;
    const poy_response_family own = (poy_response_family)r->problem->response;
    /* without a Kerr response there are no harmonics */
    const poy_response_family family =
        own == POY_RESPONSE_HARMONIC && sp->slot_carrier < 0 ? POY_RESPONSE_ENVELOPE : own;

    if (r->pol == 1 && family == POY_RESPONSE_ENVELOPE) {
        const poy_row_response arg = {.raman = r->raman, .window = window};
        const int slots[] = {part->X, Q, W};
        POYI_TRY(ctx, POYI_ROW(r, "response", slots, arg, sp->at_kerr[at], 2));
        return POY_OK;
    }
    const poy_row_polarise arg = {.family = family,
                                  .raman = r->raman,
                                  .window = window,
                                  .fold = (int)r->problem->fold,
                                  .pol = r->pol,
                                  .tensor = r->tensor};
    const int slots[] = {part->Y, part->X, Q, W, sp->slot_carrier};
    POYI_TRY(ctx, POYI_ROW(r, "polarise", slots, arg, sp->at_kerr[at], 2));
    return POY_OK;
}

poy_row_plasma poyi_modal_rates(const poyi_recorder *r, int species)
{
    const poy_problem *q = r->problem;
    return (poy_row_plasma){.points = (int64_t)POYI_F64(q->rate_points)[species],
                            .field_min = POYI_F64(q->rate_min)[species],
                            .step = POYI_F64(q->rate_step)[species],
                            .foot = POYI_F64(q->rate_min)[species],
                            .dt = q->dt_fine};
}

/* What rows of free electrons of a species have in common, of a stage and a part of the points. */
static poy_row_plasma species_of(const poyi_recorder *r, int at, int j, int part)
{
    static const double charge = POYI_E, mass = POYI_ME;
    poy_row_plasma arg = poyi_modal_rates(r, j);
    arg.pol = r->pol;
    arg.flag = POY_REPORT + (at * (int)r->problem->n_plasma + j) * r->n_parts + part;
    arg.drude = charge * charge / mass;
    arg.potential = POYI_F64(r->problem->plasma_potential)[j];
    return arg;
}

/* Free electrons of every species, each windowed like Kerr and Raman. */
static poy_status add_plasma(poy_ctx *ctx, const poyi_recorder *r, int at, int number)
{
    const poyi_stage_program *sp = r->sp;
    const poyi_part *part = &r->parts[number];
    const int species = r->plasma ? (int)r->problem->n_plasma : 0;

    for (int j = 0; j < species; j++) {
        const int window = r->windows && !r->points && !r->holds;
        poy_row_plasma arg = species_of(r, at, j, number);
        arg.taps = (int)r->problem->plasma_taps;
        arg.window = window;
        arg.held = !r->holds ? 0 : j == 0 ? 2 : 1;
        const int slots[] = {r->holds ? part->J : part->Y, sp->slot_report, part->X, sp->slot_rates[j],
                             window ? sp->slot_Wto : -1};
        POYI_TRY(ctx, POYI_ROW(r, "plasma", slots, arg, sp->at_plasma[at][j], 3));
    }
    return POY_OK;
}

/* The responses of all points, projected, from their sums. */
static poy_status add_sums(poy_ctx *ctx, const poyi_recorder *r, int at, int score)
{
    const poyi_stage_program *sp = r->sp;
    const int P = score ? r->P_both : r->P, species = r->plasma ? (int)r->problem->n_plasma : 0;
    const int cube[] = {P, r->A, score ? sp->slot_cube : r->cube};

    POYI_TRY(ctx, POYI_ROW_PLAIN(r, "cube", cube, sp->at_kerr[at], 1));
    for (int j = 0; j < species; j++) {
        const poy_row_ionise arg = species_of(r, at, j, 0);
        const int slots[] = {P, sp->slot_report, r->A, sp->slot_synthesis, sp->slot_projection, sp->slot_rates[j]};
        POYI_TRY(ctx, POYI_ROW(r, "ionise", slots, arg, sp->at_plasma[at][j], 3));
    }
    return POY_OK;
}

/* The response of each part of the points, projected. */
static poy_status add_parts(poy_ctx *ctx, const poyi_recorder *r, int at, int score)
{
    const int window[] = {score ? r->P_both : r->P, r->sp->slot_Wto};

    POYI_TRY(ctx, add_terms(ctx, r, at));
    if (r->summed)
        POYI_TRY(ctx, add_sums(ctx, r, at, score));
    for (int k = 0; k < r->n_parts && !r->summed; k++) {
        POYI_TRY(ctx, poyi_modal_synthesise(ctx, r, k));
        POYI_TRY(ctx, add_delayed(ctx, r, &r->parts[k]));
        POYI_TRY(ctx, add_polarisation(ctx, r, at, &r->parts[k]));
        POYI_TRY(ctx, add_plasma(ctx, r, at, k));
        POYI_TRY(ctx, poyi_modal_project(ctx, r, k, score));
    }
    if (r->points && r->windows) /* of few columns, and the same for all */
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "window", window, 0, 0));
    return POY_OK;
}

poy_status poyi_modal_to_time(poy_ctx *ctx, const poyi_recorder *r)
{
    const int c2r = r->real && r->in != r->A;
    return poyi_modal_fft(ctx, r, c2r ? POY_FFT_C2R : POY_FFT_C2C, +1, r->A, r->in);
}

/* The spectrum of the response with that of the polarisation of a held current J: by parts, with the window W,
 *   F[W int J] = F[W J]/(i omega) + F[W' J]/(i omega)^2 + F[W'' int J]/(i omega)^2,
 * of which the last, at the edges of the window alone, is left out. */
static poy_status add_held(poy_ctx *ctx, const poyi_recorder *r, int both)
{
    const poyi_stage_program *sp = r->sp;
    const poyi_held *h = &r->held[both];
    const int copy[] = {h->slope, h->J}, slope[] = {h->slope, sp->slot_slope}, window[] = {h->J, sp->slot_Wto};
    const int once[] = {h->JF, h->JF, sp->slot_once}, twice[] = {h->slopeF, h->slopeF, sp->slot_twice};
    const int sum[] = {both ? r->out_both : r->out, h->spectrum};

    if (r->holds > 2) {
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "copy", copy, 0, 0));
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "window", slope, 0, 0));
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "window", window, 0, 0));
    }
    POYI_TRY(ctx, poyi_modal_fft(ctx, r, POY_FFT_R2C, -1, h->spectrum, h->time));
    POYI_TRY(ctx, POYI_ROW_PLAIN(r, "mul", once, 0, 0));
    if (r->holds > 2)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "mul", twice, 0, 0));
    return POYI_ROW_PLAIN(r, "terms_sum", sum, sp->at_ones, r->holds);
}

/* From the field's spectrum to that of the response, and of the absorber's part. */
static poy_status add_response(poy_ctx *ctx, const poyi_recorder *r, int at, int score)
{
    const int absorb[] = {r->B, r->A, r->sp->slot_rate};

    POYI_TRY(ctx, poyi_modal_to_time(ctx, r));
    if (r->B >= 0)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "absorb", absorb, 0, 0)); /* before the response, which may overwrite A */
    POYI_TRY(ctx, add_parts(ctx, r, at, score));
    if (r->B >= 0)
        POYI_TRY(ctx, poyi_modal_fft(ctx, r, r->real ? POY_FFT_R2C : POY_FFT_C2C, -1, r->Bw, r->B));
    if (r->holds)
        return add_held(ctx, r, score);
    return poyi_modal_fft(ctx, r, r->real ? POY_FFT_R2C : POY_FFT_C2C, -1, score ? r->out_both : r->out,
                          score ? r->P_both : r->P);
}

/* The derivative at a position into a block of K. */
static poy_status add_finish(poy_ctx *ctx, const poyi_recorder *r, int block, int at, int position)
{
    const poyi_stage_program *sp = r->sp;
    const poy_row_finish arg = {
        .stage = block, .position = position, .lossless = r->lossless, .absorb = r->B >= 0, .layout = r->layout};
    const int terms[] = {r->G, sp->slot_G};
    const int slots[] = {
        sp->slot_K, r->out, r->G, position < 0 ? -1 : sp->slot_E, r->Bw, r->B >= 0 ? sp->slot_crop : -1};

    if (r->G != sp->slot_G)
        POYI_TRY(ctx, POYI_ROW_PLAIN(r, "terms_sum", terms, sp->at_along[at], (int)r->problem->n_along));
    POYI_TRY(ctx, POYI_ROW(r, "finish", slots, arg, 0, 0));
    return POY_OK;
}

poy_status poyi_modal_stage(poy_ctx *ctx, const poyi_recorder *r, int i, int at, int u, int block, int score)
{
    const poy_row_score arg = {.at = r->sp->at_score, .layout = r->layout};
    const int slots[] = {r->sp->slot_report, r->out_both, r->G};

    POYI_TRY(ctx, add_combine(ctx, r, i, u));
    POYI_TRY(ctx, add_response(ctx, r, at, score));
    POYI_TRY(ctx, add_finish(ctx, r, block, at, poyi_dormand_prince.position[i]));
    if (score)
        POYI_TRY(ctx, POYI_ROW(r, "score", slots, arg, 0, 0));
    return POY_OK;
}
