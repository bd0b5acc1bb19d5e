/* moves.h: an objective at one wavelength as a tape of records, and what each number of its keys moves among their inputs.
 *
 * The unit of length of the records is 1/k0. */
#ifndef POYI_MOVES_H
#define POYI_MOVES_H

#include "run/scatter/objective.h"
#include "run/scatter/tape.h"

/* Inputs of layered spheres, first of those of their records, then of clusters in a plane wave and of arrays. */
enum {
    POYI_IN_K0,
    POYI_IN_RADII,
    POYI_IN_EPSILON,
    POYI_IN_MU,
    POYI_IN_KAPPA,
    POYI_IN_POSITIONS,
    POYI_IN_MEDIUM,
    POYI_IN_SPHERES
};

/* What a step of the tape is, of arrays and stacks. */
typedef enum poyi_step_kind { POYI_STEP_LAYERS, POYI_STEP_ARRAY, POYI_STEP_CASCADE, POYI_STEP_SHARES } poyi_step_kind;
typedef struct poyi_step_of {
    poyi_step_kind kind;
    int first, last; /* parts: of layers, the outer ones; of an array, itself */
} poyi_step_of;

/* A number x of the last step's outputs in the objective: offset + sum of weight x / (whole + sum of below x). */
typedef struct poyi_term {
    int output;
    size_t element;
    double weight, below;
} poyi_term;

typedef struct poyi_moment {
    const poy_objective *o;
    double k0;
    int lmax;
    poyi_tape tape;
    int n_terms;
    poyi_term terms[4];
    double offset, whole;
    /* arrays and stacks */
    poyi_step_of *steps; /* [tape.room] */
    double kpar[2];      /* over k0 */
    void *memory;
} poyi_moment;

/* Called for each element of an input of a step that moves, with its tangent. */
typedef void poyi_put(void *user, int step, int input, size_t element, poy_c128 tangent);

/* At wavelength i of the objective, ready to be evaluated. */
poy_status poyi_moment_open(poy_ctx *ctx, const poy_objective *o, int i, poyi_moment *p);
void poyi_moment_close(poyi_moment *p);
/* Before it is evaluated at a degree above that which was tried first. Errors: POY_ERR_BUDGET. */
poy_status poyi_objective_widen(poy_ctx *ctx, const poyi_moment *p);
/* What number i of v moves. Errors: those of its materials. */
poy_status poyi_moment_moves(poy_ctx *ctx, const poyi_moment *p, const poyi_variable *v, int i, poyi_put *put,
                             void *user);

/* ---- pieces ---- */

/* The specs of the spheres' inputs; their values of a step. */
void poyi_spheres_specs(const poy_objective *o, poy_rec_spec *specs);
poy_status poyi_spheres_fill(poy_ctx *ctx, const poyi_moment *p, int step);
/* What a key of a particle, or the wavelength, moves in the spheres of a step. */
poy_status poyi_spheres_moves(poy_ctx *ctx, const poyi_moment *p, int step, const poyi_variable *v, int i,
                              poyi_put *put, void *user);
/* d epsilon by number i of v, of the medium that it is about: n and k, or re and im. */
poy_c128 poyi_material_tangent(const poyi_variable *v, const poy_medium *m, int i);
/* The same arrays and stacks (array_moves.c). */
poy_status poyi_array_open(poy_ctx *ctx, poyi_moment *p);
poy_status poyi_array_moves(poy_ctx *ctx, const poyi_moment *p, const poyi_variable *v, int i, poyi_put *put,
                            void *user);

static inline poy_rec_spec poyi_spec(poy_dtype dtype, int rank, int64_t a, int64_t b)
{
    return (poy_rec_spec){.dtype = dtype, .rank = rank, .dims = {a, b}};
}

#endif
