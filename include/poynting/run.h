/* run.h: a propagation in progress: the run object, its ten operations and their contract.
 *
 * A run is built from a problem and a backend's name; buffers, layout and plans are its own. It refuses by name, before
 * any field-sized allocation, what the backend cannot do. The state is never an argument of propagate_to or observe. */
#ifndef POYNTING_RUN_H
#define POYNTING_RUN_H

#include "poynting/pulse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_run poy_run;

/* Errors: POY_ERR_BACKEND, POY_ERR_UNSUPPORTED (names the row), POY_ERR_BUDGET, POY_ERR_MEMORY. Keeps the problem. */
POY_API poy_status poy_run_open(poy_ctx *ctx, poy_problem *problem, const char *backend, poy_run **out);
/* Bytes that open will take, by ledger name, without taking them. */
POY_API poy_status poy_run_estimate(poy_ctx *ctx, poy_problem *problem, const char *backend, size_t max,
                                    poy_ledger_entry *entries, size_t *n_entries, size_t *total);
/* Frees everything; later calls fail with POY_ERR_STATE "used after close"; twice is harmless. */
POY_API void poy_run_close(poy_run *run);
POY_API void poy_run_destroy(poy_run **run);

/* What a resumed run takes up again (all zero: a fresh start). */
typedef struct poy_controller {
    double h_next, err_prev; /* m; error of the step that proposed h_next; 0: none yet */
    double norm;             /* of the launch, which a relative atol refers to; 0: of the field given */
    int64_t index;           /* accepted steps so far */
    int64_t attempts;
    int64_t logical, atomic; /* source calls asked for, and made */
} poy_controller;

/* 1. Loads the launch spectrum (c128 [n_c][n_w]) and one draw of noise (or NULL) at z, and forgets the history.
 * controller: NULL for a fresh start. Errors: POY_ERR_NONFINITE (names the first bin), POY_ERR_ARGUMENT. */
POY_API poy_status poy_run_set_initial(poy_ctx *ctx, poy_run *run, const double *field, const double *noise, double z,
                                       const poy_controller *controller);
/* 2. An observer of every attempt (also poy_ctx_set_progress); never changes an answer. */
POY_API poy_status poy_run_set_progress(poy_ctx *ctx, poy_run *run, poy_progress_fn *fn, void *user);

typedef struct poy_step_record {
    double z, h, err; /* start, length (m), error over tolerance */
    int accepted;
    int cause;               /* 0 controller, 1 landing on a plane, 2 kink, 3 replay */
    int64_t logical, atomic; /* totals after the attempt */
} poy_step_record;

typedef struct poy_run_summary {
    double z;
    int64_t accepted, rejected; /* in this call */
    double h_next;
} poy_run_summary;

/* 3. Marches until the state is exactly at z, landing on every plane and kink of the problem before it. A wish to stop
 * that comes with the last step of a call is granted by the next one. summary (or NULL) is filled on success and when
 * interrupted. Errors: POY_ERR_STEP (minimum step, step limit, 10 rejections in a row), POY_ERR_NONFINITE (stage, row,
 * column, bin), POY_ERR_INTERRUPTED (the state is good, at the last accepted step), POY_ERR_MISMATCH (a schedule that
 * does not end here), POY_ERR_ARGUMENT (z behind the state or beyond the end). After a failure the state is the last
 * good one. */
POY_API poy_status poy_run_propagate_to(poy_ctx *ctx, poy_run *run, double z, poy_run_summary *summary);

/* 4. What happened and where it stands: history since the last observe, periodic rows, controller; the field unless
 * field is NULL (c128 [n_c][n_w], at z). Pointers are valid until the next call with this run. */
typedef struct poy_observation {
    double z;
    poy_controller controller;
    const poy_step_record *history;
    int64_t n_history;
    const double *rows; /* [n_rows][1 + n_stats]: z, then the selected statistics */
    int64_t n_rows;
    const double *noise; /* c128 [n_c][n_w]: the modified noise at z; NULL without it */
} poy_observation;
POY_API poy_status poy_run_observe(poy_ctx *ctx, poy_run *run, double *field, poy_observation *out);

/* 5. Statistics of the present state, by name (statistics.def), into out [n]. */
POY_API poy_status poy_run_stats(poy_ctx *ctx, poy_run *run, const char *const *names, int n, double *out);
/* Which ones make a row after every period-th accepted step (0: none). Before propagating. A band energy is written
 * "energy:180e-9:320e-9" (wavelengths in m, Planck edges 64 domega wide). Errors: POY_ERR_ARGUMENT. */
POY_API poy_status poy_run_select_stats(poy_ctx *ctx, poy_run *run, const char *const *names, int n, int64_t period);

/* 6. Puts back the source-call counters on resume. */
POY_API poy_status poy_run_restore_call_ledgers(poy_ctx *ctx, poy_run *run, int64_t logical, int64_t atomic);
/* 7. What the execution was: "backend: cpu\nisa: avx2\n...", up to size bytes. */
POY_API poy_status poy_run_metadata(poy_ctx *ctx, poy_run *run, size_t size, char *out);
/* 8. Buffer names and bytes of this run; every name present, zero where unused. */
POY_API poy_status poy_run_memory_ledger(poy_ctx *ctx, poy_run *run, size_t max, poy_ledger_entry *out, size_t *n);
/* 9. Free bytes of the device; 0 on hosts. */
POY_API poy_status poy_run_available_device_memory(poy_ctx *ctx, poy_run *run, size_t *out);
/* The steps accepted since set_initial (m), for replay; up to max into out, *n: how many there are. */
POY_API poy_status poy_run_schedule(poy_ctx *ctx, poy_run *run, int64_t max, double *out, int64_t *n);

/* For laws and benchmarks: dA/dz of all but the linear operator at field (c128 [n_c][n_w]), with the noise where the
 * state is; the march is not disturbed. 0 where nothing is nonlinear. */
POY_API poy_status poy_run_source(poy_ctx *ctx, poy_run *run, const double *field, double *out);

#ifdef __cplusplus
}
#endif
#endif
