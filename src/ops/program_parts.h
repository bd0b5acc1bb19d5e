/* program_parts.h: what a program consists of, for the files that record it and execute it (program.h). */
#ifndef POYI_PROGRAM_PARTS_H
#define POYI_PROGRAM_PARTS_H

#include "ops/ops.h"
#include "ops/program.h"

enum { POYI_PROGRAM_NAME = 32, POYI_PROGRAM_GROUPS = 16 };

typedef struct program_slot {
    char name[POYI_PROGRAM_NAME];
    poy_slot shape;
    int owner;      /* the slot whose memory it is: itself, or the one that it is a window on */
    int64_t within; /* bytes from the owner's start */
    int64_t offset; /* bytes from the arena's start, when bound */
    int group;
} program_slot;

typedef struct program_row {
    const char *name;
    int n_slots, slots[POY_STEP_BUFFERS];
    void *arg;
    size_t arg_bytes;
    int scalar, n_scalars;
    poyi_step_run *call; /* of a row that needs no preparation, and who does it; else NULL */
    poy_backend *by;
} program_row;

typedef struct program_segment {
    char name[POYI_PROGRAM_NAME];
    int first, n; /* rows */
    int native;   /* all rows are the backend's own */
} program_segment;

struct poyi_program {
    char name[POYI_PROGRAM_NAME];
    program_slot *slots;
    program_row *rows;
    program_segment *segments;
    int n_slots, n_rows, n_segments;
    char groups[POYI_PROGRAM_GROUPS]
               [POYI_PROGRAM_NAME]; /* parts of the ledger; the last one of a bound program is "work" */
    int n_groups;

    /* bound */
    poy_backend *be;
    poyi_engine *engine;
    void *arena;
    size_t bytes[POYI_PROGRAM_GROUPS]; /* entered into the ledger */
    int n_entered;
    poy_step *steps;
    struct choice *choices; /* one a program_row */
};

/* A failure where p is bound, and can no longer be changed. */
poy_status poyi_program_recording(poy_ctx *ctx, const poyi_program *p);
/* What a backend is told of a row. */
poy_row_spec poyi_program_spec(const poyi_program *p, const program_row *r);

#endif
