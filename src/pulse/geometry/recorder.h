/* recorder.h: what recording the stage program of guided modes needs to know, shared by its files. */
#ifndef POYI_RECORDER_H
#define POYI_RECORDER_H

#include "core/core.h"
#include "pulse/geometry/geometry.h"

/* Slots that hold the field on its way through a stage; several of them may be one.
 *   envelopes        in = A = Y = out: c128 [n_to], all in place
 *   real             in = out: spectrum, c128 [n_to/2 + 1]; A: field, f64 [n_to]; Y: polarisation, f64 [n_to], A itself
 *                    without a plasma
 *   analytic signal  in = A: c128 [n_to]; Y and out as of a real field
 * Responses act on parts: the one of a mode-averaged state, whose field X is A and whose response is Y; or the points of
 * the cross-section, so many at a time, from where the response is projected to P (in time; of envelopes also out). */
enum { POYI_PARTS_MAX = 64 };

typedef struct poyi_part {
    int X, Y;                  /* field and response, one block of columns for each component */
    int J;                     /* current of free electrons that is held, as Y; -1: none */
    int I, S;                  /* what drives the delayed response, and its spectrum; -1: none */
    int S_sum, S_rest;         /* of a tensor, blocks of S: of the sum of squares; of their difference and product */
    int synthesis, projection; /* windows on the matrices; -1: mode-averaged */
} poyi_part;

/* A held current beside the response: blocks of P, the current and, with windows, the current times their slope, of the
 * columns of one rule or of both, in time and in frequency. */
typedef struct poyi_held {
    int time, spectrum; /* all blocks */
    int J, slope;       /* in time */
    int JF, slopeF;     /* their spectra */
} poyi_held;

typedef struct poyi_recorder {
    poyi_program *p;
    const poy_problem *problem;
    poyi_stage_program *sp;
    int in, A, out;
    int B, Bw; /* absorber's part in time, and its spectrum; -1: none */
    int n_parts;
    poyi_part parts[POYI_PARTS_MAX];
    int P;                /* what is transformed to out: Y, or the projection at points */
    int P_both, out_both; /* with that of the embedded rule behind it; -1: mode-averaged */
    poyi_held held[2];    /* of the rule, of both */
    int time;             /* a field of the state in time, as the absorber at the end of a step needs it */
    int G, H, T;          /* prefactor and Raman response (and a tensor's other part) as they are at a stage */
    int coarse;           /* a real field on the coarse grid; -1: none */
    int axis;             /* the field that statistics of a plasma are of: A, or on the axis along x and y; -1: none */
    int holds;            /* blocks of a held current: 0 (none), 2, 3 */
    int kerr, raman, plasma, windows, absorber, noise, lossless;
    int pol; /* components of the field */
    int tensor;
    int points; /* responses are taken at points of the cross-section */
    int summed; /* their sums are known beforehand for every product of modes, and for electrons that only drift */
    int cube;   /* a window on the sums of one rule */
    int real;   /* the state is half a spectrum */
    poy_layout layout;
    double scale; /* of pad: 1/n and the ratio of the grids; twice that for an analytic signal */
} poyi_recorder;

#define POYI_ROW(r, name, slots, arg, scalar, n_scalars)                                                        \
    poyi_program_row(ctx, (r)->p, name, (int)(sizeof(slots) / sizeof(int)), slots, &(arg), sizeof(arg), scalar, \
                     n_scalars)
#define POYI_ROW_PLAIN(r, name, slots, scalar, n_scalars) \
    poyi_program_row(ctx, (r)->p, name, (int)(sizeof(slots) / sizeof(int)), slots, NULL, 0, scalar, n_scalars)

/* Every slot of the program, and the places of its scalars (slots.c). */
poy_status poyi_modal_slots(poy_ctx *ctx, poyi_recorder *r);
void poyi_modal_scalars(poyi_stage_program *sp, const poy_problem *problem);

/* What is delayed of a part of so many points, and the same of fewer in the same place (slots.c). */
poy_status poyi_modal_delayed(poy_ctx *ctx, const poyi_recorder *r, int64_t points, poyi_part *part);
poy_status poyi_modal_shrink_delayed(poy_ctx *ctx, const poyi_recorder *r, int64_t points, poyi_part *part);
/* Fields and responses of the points, and their matrices (nodes.c). */
poy_status poyi_modal_nodes(poy_ctx *ctx, poyi_recorder *r);
/* X of a part from A; P from Y, added to it but for the first part; both: with the embedded rule. */
poy_status poyi_modal_synthesise(poy_ctx *ctx, const poyi_recorder *r, int part);
poy_status poyi_modal_project(poy_ctx *ctx, const poyi_recorder *r, int part, int both);
/* Whether sums over the points that are made beforehand can serve, and cost less than going through them. */
int poyi_modal_summed(const poy_problem *problem);
/* Writes the matrices, sorted by parts, and the sums. */
poy_status poyi_modal_write_nodes(poy_ctx *ctx, poyi_stage_program *sp, const poy_problem *problem);

/* A slot, where it is wanted; else *out is -1 (slots.c). */
poy_status poyi_modal_slot(poy_ctx *ctx, const poyi_recorder *r, int wanted, const char *name, poy_dtype dtype,
                           int64_t cols, int64_t len, int *out);
/* The derivative of stage i of the method, from u, into a block of K, with the scalars of stage `at`;
 * score: the embedded rule projects too, and tells how far apart both are (rows.c). */
poy_status poyi_modal_stage(poy_ctx *ctx, const poyi_recorder *r, int i, int at, int u, int block, int score);
poy_status poyi_modal_fft(poy_ctx *ctx, const poyi_recorder *r, poy_fft_kind kind, int sign, int out, int in);
/* A from the padded spectrum. */
poy_status poyi_modal_to_time(poy_ctx *ctx, const poyi_recorder *r);
/* Of the argument of the rows of a species what is of its rates. */
poy_row_plasma poyi_modal_rates(const poyi_recorder *r, int species);
/* F = scale pad(u), without propagator and noise. */
poy_status poyi_modal_pad(poy_ctx *ctx, const poyi_recorder *r, int F, int u, double scale);

#endif
