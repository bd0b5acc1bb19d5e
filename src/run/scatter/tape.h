/* tape.h: derivative records one after the other: inputs are given, or the first output of an earlier step. */
#ifndef POYI_TAPE_H
#define POYI_TAPE_H

#include <stddef.h>

#include "poynting/record.h"

enum { POYI_TAPE_INPUTS = 10, POYI_TAPE_OUTPUTS = 2 };

typedef struct poyi_tape_step {
    poy_record *record;
    poy_saved *saved;
    int n_in, n_out;
    int from[POYI_TAPE_INPUTS];   /* the step whose first output it is; -1: given */
    int wanted[POYI_TAPE_INPUTS]; /* of given inputs: it moves */
    int active;                   /* an input of it, or of a step before it, moves */
    poy_rec_array value[POYI_TAPE_INPUTS], out[POYI_TAPE_OUTPUTS];
    poy_rec_array change[POYI_TAPE_INPUTS], out_change[POYI_TAPE_OUTPUTS]; /* tangents, or gradients */
    void *memory;
} poyi_tape_step;

typedef struct poyi_tape {
    poyi_tape_step *steps; /* [room] */
    int n, room;
    void *memory;
} poyi_tape;

/* Place for so many steps. */
poy_status poyi_tape_open(poy_ctx *ctx, int room, poyi_tape *t);
void poyi_tape_close(poyi_tape *t);
/* A step of a record: specs [n_in]; from as above. Values of given inputs are zeros that the caller fills in. */
poy_status poyi_tape_add(poy_ctx *ctx, poyi_tape *t, const char *record, const char *options, int n_in,
                         const poy_rec_spec *specs, const int *from, int *step);

/* After wanted is set: which steps move. */
void poyi_tape_activate(poyi_tape *t);
poy_status poyi_tape_evaluate(poy_ctx *ctx, poyi_tape *t, int derive);
/* From out_change of the last step to the changes of all wanted inputs; the others are not computed. */
poy_status poyi_tape_pull(poy_ctx *ctx, poyi_tape *t);
/* From the changes of wanted inputs to out_change of the last step. */
poy_status poyi_tape_push(poy_ctx *ctx, poyi_tape *t);
/* Bytes that evaluation with derivatives leaves behind for them; the largest scratch of a record; what of that nobody touches, because
 * it stands for a state where none is wanted. After poyi_tape_activate. */
poy_status poyi_tape_bytes(poy_ctx *ctx, const poyi_tape *t, size_t *kept, size_t *scratch, size_t *idle);
/* Sets the changes of given inputs to 0. */
void poyi_tape_clear(poyi_tape *t);

static inline double *poyi_tape_reals(const poyi_tape *t, int step, int input)
{
    return t->steps[step].value[input].data;
}

static inline poy_c128 *poyi_tape_complexes(const poyi_tape *t, int step, int input)
{
    return t->steps[step].value[input].data;
}

#endif
