/* turn.h: the vectors of conjugate gradients, of one system or of a batch, and what a turn does to them; between its three parts
 * the host decides. Turns of short vectors are replayed from programs, without dispatch and to the same bits. */
#ifndef POYI_TURN_H
#define POYI_TURN_H

#include "solve/solve.h"

typedef enum poyi_turn_part { POYI_TURN_APPLY, POYI_TURN_DESCEND, POYI_TURN_FOLLOW, POYI_TURN_PARTS } poyi_turn_part;

typedef struct poyi_turn {
    poyi_run *run;
    int64_t k;                                   /* 0: one system, else the members of a batch */
    poy_array *x, *r, *p, *q, *z;                /* z is r where there is no preconditioner */
    poy_array *pi, *rho, *back, *forward, *beta; /* a number for each member, of recorded turns */
    poy_program *part[POYI_TURN_PARTS];          /* NULL: not recorded */
} poyi_turn;

/* Lends the vectors from the run's scratch. x: the solution. Free it before the run ends. */
poy_status poyi_turn_open(poyi_run *run, int64_t k, poy_array *x, poyi_turn *t);
void poyi_turn_free(poyi_turn *t);
/* Records the parts, where this can be (poyi_run_can_record) and members are so few that a part has not too many rows. All
 * memory is taken here; nothing runs. */
poy_status poyi_turn_record(poyi_turn *t);

/* z = K r */
poy_status poyi_turn_precondition(poyi_turn *t);
/* q = A p, pi = <p, q> */
poy_status poyi_turn_apply(poyi_turn *t, poy_scalar *pi);
/* r += back q, z = K r, rho = <r, z> */
poy_status poyi_turn_descend(poyi_turn *t, const poy_scalar *back, poy_scalar *rho);
/* x += forward p, p = z + beta p */
poy_status poyi_turn_follow(poyi_turn *t, const poy_scalar *forward, const poy_scalar *beta);

#endif
