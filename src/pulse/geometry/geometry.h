/* geometry.h: stage programs: what a step of the march runs, built from a problem by its geometry.
 *
 * A stage program is a program (ops/program.h) with its slots, segments and the places of its scalars. The march
 * writes the state into slot_u, runs the segments, and reads slot_report after each trial. One step of length h:
 *   poyi_stage_translate -> run(seg_trial) -> read slot_report -> accepted: [run(seg_finish)] -> run(seg_advance)
 *                                                                rejected: a shorter h; u and k_1 are as they were
 * Before the first step, and whenever the march has written slot_u: run(seg_first).
 * Segments and slots that a problem has no use for are -1. */
#ifndef POYI_GEOMETRY_H
#define POYI_GEOMETRY_H

#include "ops/program.h"
#include "poynting/pulse_rows.h"
#include "pulse/problem.h"

enum { POYI_SPECIES_MAX = 8, POYI_RULE = 16 };

typedef struct poyi_stage_program {
    poyi_program *program;
    int linear; /* 1: nothing nonlinear: a step is un = E_h u, with zero error, and there are no stages */
    int fsal; /* 1: advance carries k_7 over as k_1; 0: seg_finish changes the state, so advance evaluates k_1 afresh */
    int stages; /* source evaluations of a trial: 6, or 0 */

    /* Slots; c128 unless said otherwise, columns of n_w bins. */
    int slot_u;      /* [n_c] the state at the anchor of the step */
    int slot_un;     /* [n_c] the state at its end, after a trial */
    int slot_K;      /* [7 n_c] k_1 .. k_7, block by block; -1 if linear */
    int slot_E;      /* [5 n_c] propagators to h/5, 3h/10, 4h/5, 8h/9, h; [n_c], to h alone, if linear */
    int slot_report; /* f64 [1][n_report]: sum |u|^2, sum |un|^2, sum |e|^2 (weighted), fault (pulse_rows.h, accept); then
                      * for each stage, species of a plasma and part of the points the field above its table, V/m,
                      * or 0; then, at at_score, what tells of the rule of integration (score) */
    int n_report, n_flags; /* n_flags: fields above tables */
    int at_score;          /* -1: mode-averaged */
    int at_electrons; /* results of seg_electrons: exposure and largest rate of each species; -1 without a plasma */
    int keeps_field;  /* after an accepted step the field that seg_electrons reads is there already */
    int n_parts;      /* of the points */
    int slot_noise;   /* [n_c] the modified noise at the anchor; -1 without it */
    int slot_source;  /* [n_c] result of seg_source: a window on k_7; -1 if linear */
    int slot_time;    /* [n_c][n_t] result of seg_time */
    int slot_Phi, slot_G, slot_H, slot_T, slot_carrier, slot_Wto, slot_rate, slot_mask, slot_crop, slot_Wt, slot_Ww,
        slot_weights, slot_synthesis, slot_cube, slot_slope, slot_once, slot_twice,
        slot_projection; /* constants; G, H and T have the terms that they are made of where the guide changes */
    int slot_rates[POYI_SPECIES_MAX]; /* rate tables */
    int slot_axis; /* f64 [2][n_c] fields of the columns on the axis along x and y, which statistics write; -1 where the
                    * mode is averaged or nothing is ionised */

    /* Segments. */
    int seg_trial;   /* u, k_1 -> E, k_2 .. k_7, un, report */
    int seg_finish;  /* un -> un: split-step absorber, per-step windows or hard mask; -1 without them */
    int seg_advance; /* un, k_7 -> u, k_1: moves the anchor; noise with it */
    int seg_first;   /* u -> k_1: stage 1 alone; -1 if linear */
    int seg_source; /* un (any field) -> slot_source: dA/dz of all that is not in the linear operator (with the in-stage
                      * absorber, with the noise at the anchor); leaves u and k_1 alone; -1 if linear */
    int seg_time;   /* u -> slot_time: A(t) on the coarse grid (sqrt(W), samples as in poy_grid_time) */
    int seg_field;  /* u -> the field on the fine grid, as a stage sees it; -1 without a plasma */
    int seg_electrons; /* that field, and slot_axis -> the report from at_electrons on; -1 without a plasma */

    /* Places in the scalar block of n_scalars doubles. */
    int n_scalars;
    int at_w;                 /* w[5][n_term]: weights of the terms of the operator */
    int at_a[POY_STAGES];     /* h a_ij of stage i (0-based, from 1), over the blocks of poyi_tableau.blocks */
    int at_along[POY_STAGES]; /* Chebyshev polynomials of the coordinate at stage i: [poyi_terms_count] */
    int at_kerr[POY_STAGES];  /* factors of the Kerr and the Raman response */
    int at_plasma[POY_STAGES][POYI_SPECIES_MAX]; /* field per amplitude, response, fraction before the pulse */
    int at_b, at_e;                              /* h b_j, h e_j over the blocks 0, 2, 3, 4, 5, 6 */
    int at_taper;                                /* -h/2, of the split-step absorber */
    int at_ones;                                 /* 1, 1, 1 */
    int at_unit;                                 /* V/m per unit of the field where seg_electrons looks */

    double rule_x[POYI_RULE], rule_w[POYI_RULE]; /* Gauss-Legendre, for integrals along a guide that changes */
} poyi_stage_program;

/* The stage program of a fibre or of a mode of a gas-filled guide (docs/physics.md 3), unbound: nothing field-sized
 * is allocated, so that poyi_program_needs and poyi_program_bytes may be asked first. */
poy_status poyi_modal_build(poy_ctx *ctx, const poy_problem *problem, poyi_stage_program *out);
/* Binds it to a backend and writes the constants of the problem. Errors: those of poyi_program_bind. */
poy_status poyi_stage_bind(poy_ctx *ctx, poyi_stage_program *sp, const poy_problem *problem, poy_backend *be);
/* Fills scalars [n_scalars] for a trial of length h (m) from z on; no step goes across a point of the path. */
void poyi_stage_translate_at(const poyi_stage_program *sp, const poy_problem *problem, double z, double h,
                             double *scalars);
/* The same from the start on: for problems that do not change along z. */
void poyi_stage_translate(const poyi_stage_program *sp, const poy_problem *problem, double h, double *scalars);
/* What changes along the guide, at z: in Pa or m; 0 where nothing does. */
double poyi_problem_coordinate(const poy_problem *problem, double z);
/* A series over it, of n_along terms. */
double poyi_problem_along(const poy_problem *problem, const double *series, double z);
/* Gives everything back; the struct may be built again. */
void poyi_stage_fini(poyi_stage_program *sp);

/* The Dormand-Prince 5(4) method (Dormand and Prince, J. Comput. Appl. Math. 6, 19 (1980), table 2): b is the
 * fifth-order solution, e = b - b^, and stage 7 is evaluated at the solution. */
typedef struct poyi_tableau {
    double c[POY_STAGES];
    int n[POY_STAGES];                   /* terms of stage i */
    int blocks[POY_STAGES][POY_STAGES];  /* their blocks of K, 0-based */
    double a[POY_STAGES][POY_STAGES];    /* and coefficients */
    double b[POY_STAGES], e[POY_STAGES]; /* by block */
    int position[POY_STAGES];            /* propagator of stage i: -1 (none), 0 .. 4 */
} poyi_tableau;
extern const poyi_tableau poyi_dormand_prince;

#endif
