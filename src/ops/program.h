/* program.h: programs: straight-line lists of rows over named slots, recorded once and run many times.
 *
 * Life: create -> slots, segments, rows (nothing runs) -> needs (refusal by name, before memory) -> bytes (the
 * estimate equals what bind enters into the ledger) -> bind (one arena, plans, variants) -> write constants ->
 * run(segment, scalars) many times, without allocation, lookup or synchronisation -> read the report -> destroy.
 * Segments ("trial", "advance", "first", "finish") share the slots. */
#ifndef POYI_PROGRAM_H
#define POYI_PROGRAM_H

#include "poynting/backend.h"

typedef struct poyi_program poyi_program;
/* What runs a step: the type of poy_step.run. */
typedef poy_status poyi_step_run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars);

/* An empty program. name: for messages and ledger entries ("pulse"). */
poy_status poyi_program_create(poy_ctx *ctx, const char *name, poyi_program **out);
void poyi_program_destroy(poyi_program **p);

/* A slot of cols columns of len elements; returns its number through out. Names are unique, at most 31 characters; the
 * ledger has it as "<program>.<group>", where group is the part of the name before a '.' ("stage.K" -> "pulse.stage"). */
poy_status poyi_program_slot(poy_ctx *ctx, poyi_program *p, const char *name, poy_dtype dtype, int64_t cols,
                             int64_t len, int *out);
/* A window on a slot: cols columns from column first. It is an alias, without memory of its own. */
poy_status poyi_program_window(poy_ctx *ctx, poyi_program *p, int slot, int64_t first, int64_t cols, int *out);
/* Starts a segment; following rows belong to it. */
poy_status poyi_program_segment(poy_ctx *ctx, poyi_program *p, const char *name, int *out);
/* Adds a row: slots in the order of the row's signature, -1 for an absent one. arg is copied. scalar: index of the
 * row's first double in the scalar block. Errors: POY_ERR_ARGUMENT for an unknown row, a wrong count, a wrong dtype. */
poy_status poyi_program_row(poy_ctx *ctx, poyi_program *p, const char *row, int n_slots, const int *slots,
                            const void *arg, size_t arg_bytes, int scalar, int n_scalars);
/* Adds a row without slots that runs as it is, with nothing to prepare: run on a copy of arg, by a backend or its
 * reference. name: a static string. Errors: POY_ERR_SHAPE (more rows than a step can number). */
poy_status poyi_program_call(poy_ctx *ctx, poyi_program *p, const char *name, poyi_step_run *run, const void *arg,
                             size_t arg_bytes, poy_backend *by);

/* Whether backend be can run it: every row native or, in host memory, by the reference. Errors: POY_ERR_UNSUPPORTED,
 * which names the row and the backend. Allocates nothing field-sized. */
poy_status poyi_program_needs(poy_ctx *ctx, const poyi_program *p, poy_backend *be);
/* Bytes that bind will take, by ledger name (up to max entries; *n_entries: how many there are) and in total. */
poy_status poyi_program_bytes(poy_ctx *ctx, const poyi_program *p, poy_backend *be, size_t max,
                              poy_ledger_entry *entries, size_t *n_entries, size_t *total);
/* Memory (zeroed), plans and variants. After it the program is immutable. */
poy_status poyi_program_bind(poy_ctx *ctx, poyi_program *p, poy_backend *be);

/* Copies between host memory and a whole slot (cols * len elements). */
poy_status poyi_program_write(poy_ctx *ctx, poyi_program *p, int slot, const void *host);
poy_status poyi_program_read(poy_ctx *ctx, const poyi_program *p, int slot, void *host);
/* A slot's memory where the backend works in host memory, else NULL. */
void *poyi_program_host(const poyi_program *p, int slot);

/* Runs a segment. scalars: the block that the rows index. */
poy_status poyi_program_run(poy_ctx *ctx, poyi_program *p, int segment, const double *scalars);

/* The same so many times over, of rows that take no scalars. */
poy_status poyi_program_repeat(poy_ctx *ctx, poyi_program *p, int segment, int64_t times);

/* For tests and benchmarks: rows of a segment, and which backend does each ("cpu", "ref"). */
int poyi_program_rows(const poyi_program *p, int segment);
const char *poyi_program_row_name(const poyi_program *p, int segment, int i);
const char *poyi_program_row_backend(const poyi_program *p, int segment, int i);
/* Runs n rows of a segment from row i on (benchmarks). */
poy_status poyi_program_run_rows(poy_ctx *ctx, poyi_program *p, int segment, int i, int n, const double *scalars);

#endif
