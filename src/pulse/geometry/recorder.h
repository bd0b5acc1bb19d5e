/* recorder.h: what recording the stage program of guided modes needs to know, shared by its files. */
#ifndef POYI_RECORDER_H
#define POYI_RECORDER_H

#include "core/core.h"
#include "pulse/geometry/geometry.h"

/* Slots that hold the field on its way through a stage; several of them may be one.
 *   envelopes        in = A = Y = out: c128 [n_to], all in place
 *   real             in = out: spectrum, c128 [n_to/2 + 1]; A: field, f64 [n_to]; Y: polarisation, f64 [n_to], A itself
 *                    without a plasma
 *   analytic signal  in = A: c128 [n_to]; Y and out as of a real field */
typedef struct poyi_recorder {
    poyi_program *p;
    const poy_problem *problem;
    poyi_stage_program *sp;
    int in, A, Y, out;
    int B, Bw;  /* absorber's part in time, and its spectrum; -1: none */
    int I, S;   /* what drives the delayed response, and its spectrum; -1: none */
    int G, H;   /* prefactor and Raman response as they are at a stage */
    int coarse; /* a real field on the coarse grid; -1: none */
    int kerr, raman, plasma, windows, absorber, noise, lossless;
    int real; /* the state is half a spectrum */
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

/* The derivative of stage i of the method, from u, into a block of K, with the scalars of stage `at` (rows.c). */
poy_status poyi_modal_stage(poy_ctx *ctx, const poyi_recorder *r, int i, int at, int u, int block);
poy_status poyi_modal_fft(poy_ctx *ctx, const poyi_recorder *r, poy_fft_kind kind, int sign, int out, int in);
/* F = scale pad(u), without propagator and noise. */
poy_status poyi_modal_pad(poy_ctx *ctx, const poyi_recorder *r, int F, int u, double scale);

#endif
