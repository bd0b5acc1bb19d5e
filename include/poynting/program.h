/* program.h: programs: calls of the array layer recorded once and run many times, without dispatch and without memory.
 *
 * Between poy_program_begin and poy_program_end the calls of a context are written down and nothing is computed. What can be
 * recorded: the functions of ops.h and sparse.h whose names end in _into, on arrays of one backend, and everything that is
 * made of them (operators that apply themselves so). Views may be made. What cannot is refused by name with
 * POY_ERR_UNSUPPORTED and spoils the recording: making an array or a result, writing to one from the host's memory, reading
 * one back, and with it loops and branches on data (poy_while, poy_cond, poy_truth, indexing by a mask of b8). poy_fori is as
 * many rows as it has turns.
 *
 * A program holds the memory of all arrays that it works on: handles may be destroyed before it is run, and arrays with
 * whose handles one writes and reads between runs stay the ones that it works on. Memory of the caller (poy_array_wrap) has to
 * outlive it. Aliases are settled once, as a direct call would settle them: the same window is worked on in place, any other
 * overlap goes through a copy, for which the program has the memory.
 * A number that changes from run to run is an array of rank 0 that is written to between the runs (axpy, mul and the others
 * broadcast it); what a call takes by value (fill, the scale of fft, axes) stays as it was recorded. A sparse matrix never
 * changes, so its entries stay, too.
 *
 * A run gives the same bits as the calls themselves, and takes no memory but what a backend's function takes for itself and
 * gives back: sorting, transforms of strided lines, products of matrices that BLAS cannot take as they lie. A program belongs to an engine: any context of it may run it, one at a
 * time, as for the arrays. */
#ifndef POYNTING_PROGRAM_H
#define POYNTING_PROGRAM_H

#include "poynting/array.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_program poy_program;

/* From now on ctx records; be: the backend of all arrays; name: for messages, up to 31 characters. Errors: POY_ERR_STATE (it
 * records already), POY_ERR_ARGUMENT (the name), POY_ERR_MISMATCH (a backend of another engine). */
POY_API poy_status poy_program_begin(poy_ctx *ctx, poy_backend *be, const char *name);
/* The program, and the end of the recording, also where it fails. Errors: POY_ERR_STATE (nothing is recorded; a call failed
 * or was refused meanwhile, of which the account tells). */
POY_API poy_status poy_program_end(poy_ctx *ctx, poy_program **out);
/* Ends a recording without a program; nothing happens where there is none. */
POY_API void poy_program_cancel(poy_ctx *ctx);

/* All rows in order, so many times (0 or more). Where a row fails, by its name in the account, those before it are done.
 * Errors: those of the operations; POY_ERR_STATE (ctx is recording), POY_ERR_MISMATCH (a context of another engine),
 * POY_ERR_ARGUMENT (times < 0). */
POY_API poy_status poy_program_run(poy_ctx *ctx, poy_program *p, int64_t times);
POY_API int poy_program_rows(const poy_program *p);
/* Memory of its own, for copies on the way: in the ledger as "array.program". */
POY_API size_t poy_program_bytes(const poy_program *p);
POY_API void poy_program_destroy(poy_program **p);

#ifdef __cplusplus
}
#endif
#endif
