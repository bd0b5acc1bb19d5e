/* pulse.h: cases of the rows of programs: what they are, how they are run and judged. */
#ifndef POYI_CONFORM_PULSE_H
#define POYI_CONFORM_PULSE_H

#include "ops/program.h"
#include "poynting/conform_rows.h"
#include "poynting/pulse_rows.h"

enum { POYI_PULSE_ARG = 128, POYI_PULSE_SCALARS = 64 };

/* One row on slots of its own. */
typedef struct poyi_pulse_case {
    const char *row;
    char name[96]; /* "row:combine.17.1: m 3, noise; 7 of 13, 2 columns" */
    int n_slots;
    poy_slot slot[POY_STEP_BUFFERS];   /* no columns: absent */
    int same[POY_STEP_BUFFERS];        /* the buffer that this one is (in place); -1: itself */
    unsigned outputs;                  /* bit i: buffer i is written to */
    unsigned spoiled;                  /* bit i: buffer i may hold anything afterwards */
    unsigned char arg[POYI_PULSE_ARG]; /* the argument struct */
    size_t arg_bytes;
    int n_scalars;
    double scalars[POYI_PULSE_SCALARS];
    double *data[POY_STEP_BUFFERS]; /* contents before the run, poyi_free each */
} poyi_pulse_case;

/* Rows with cases: number, name, and tolerance in units of eps times the sum of |terms|. */
int poyi_pulse_row_count(void);
const char *poyi_pulse_row_name(int row);
double poyi_pulse_row_tolerance(int row);
/* Case index of a row; *made is 0 past the last one. Errors: POY_ERR_MEMORY. */
poy_status poyi_pulse_case_make(poy_ctx *ctx, int row, int index, uint64_t seed, poyi_pulse_case *c, int *made);
void poyi_pulse_case_fini(poyi_pulse_case *c);

/* Parts of a buffer: two for each c128, one for each f64. */
static inline int64_t poyi_pulse_parts(const poy_slot *slot)
{
    return slot->cols * slot->len * (slot->dtype == POY_C128 ? 2 : 1);
}

#endif
