/* march.h: the run object as the files of this room know it. */
#ifndef POYI_MARCH_H
#define POYI_MARCH_H

#include "poynting/run.h"
#include "pulse/geometry/geometry.h"
#include "pulse/march/controller.h"
#include "pulse/march/statistics/statistics.h"

/* ---- history.c: records that grow between steps, never inside one ---- */

/* A list of items of size bytes; its memory is named in the ledger. first: the first that was not observed yet. */
typedef struct poyi_list {
    const char *name;
    void *items;
    size_t size;
    int64_t n, first, capacity;
} poyi_list;

/* Room for capacity items. Errors: POY_ERR_MEMORY, POY_ERR_BUDGET. */
poy_status poyi_list_init(poy_ctx *ctx, poyi_list *list, const char *name, size_t size, int64_t capacity);
void poyi_list_fini(poyi_list *list);
/* Room for at least one more: doubled where it is full. */
poy_status poyi_list_reserve(poy_ctx *ctx, poyi_list *list);
/* The next item, to be written; there has to be room. */
void *poyi_list_add(poyi_list *list);
/* Items since the last call; they stay in place until poyi_list_drop. */
const void *poyi_list_observe(poyi_list *list, int64_t *n);
/* Forgets what was observed (all: everything); keeps the memory. */
void poyi_list_drop(poyi_list *list, int all);

/* ---- run.c ---- */

enum { POYI_SELECTION_MAX = 64, POYI_LIST_START = 512 };

struct poy_run {
    poy_problem *problem;
    poy_backend *be;
    poyi_stage_program stage;
    double *scalars; /* [stage.n_scalars] */
    double *report;  /* [stage.n_report], behind them */
    double *host;    /* c128 [n_c][max(n_w, n_t)], where the backend's memory is not the host's; on first use */
    double *power;   /* [n_t], for temporal statistics; on first use */
    poyi_statistic_memory memory;
    int open, loaded, stop; /* stop: an observer asked to */
    const char *name;       /* of the work, for observers; NULL: it has none */

    /* the march */
    double z;
    double norm_launch, atol; /* sqrt(W), both as the error norm weighs bins */
    int axis_written;         /* slot_axis of the stage is filled */
    int field_valid;          /* the field that seg_electrons reads is the state's */
    int k1_valid, k1_counted; /* counted: it is to be evaluated, and was already counted as asked for */
    poyi_limits limits;
    poyi_step_control control;
    int64_t index, attempts, logical, atomic;
    int held;                    /* a rate was held above its table, and that was told */
    double quadrature;           /* distance of two rules of integration at the end of the last step; 0 before */
    int quadrature_told;         /* that it is large */
    double bin_energy;           /* J per |A[k]|^2 */
    double energy, energy_start; /* of the signal band, J; NaN with error weights */

    poyi_list records, schedule, rows; /* poy_step_record; double; double [1 + n_selected] */
    poyi_statistic selected[POYI_SELECTION_MAX];
    int n_selected;
    int64_t period;

    poy_progress_fn *progress;
    void *progress_user;
};

/* The name that observers are told; it has to outlive the run. */
void poyi_run_set_name(poy_run *run, const char *name);
/* POY_ERR_STATE after close; with loaded also before set_initial. */
poy_status poyi_run_check(poy_ctx *ctx, const poy_run *run, int loaded);
/* A slot of at most max(n_w, n_t) n_c complex numbers in host memory: in place, or as a copy in run->host. */
poy_status poyi_run_view(poy_ctx *ctx, poy_run *run, int slot, const double **out);
/* Bytes that a run takes for statistics, beside what poy_run_estimate says. */
poy_status poyi_run_statistics_bytes(poy_ctx *ctx, const poy_problem *problem, const char *const *names, int n,
                                     size_t *bytes);
/* Their values of the present state. */
poy_status poyi_run_statistics(poy_ctx *ctx, poy_run *run, const poyi_statistic *list, int n, double *out);

/* ---- march.c ---- */

/* One attempt on the way to z_end, which is not behind the state. */
poy_status poyi_march_step(poy_ctx *ctx, poy_run *run, double z_end, poy_run_summary *summary);
/* Refuses an end behind the state or beyond the problem's; brings one that is the end, but for rounding, onto it. */
poy_status poyi_march_check_end(poy_ctx *ctx, const poy_run *run, double *z);

/* ---- batch.c ---- */

/* One of several runs in lockstep. */
typedef struct poyi_member {
    poy_ctx *ctx; /* of its own: an account, and no progress of its own */
    poy_run *run;
    poy_status status; /* of its last step */
} poyi_member;
/* Marches n runs, which have one schedule, until all are exactly at z: step k of all of them, then step k + 1; they share the
 * threads of ctx. Errors: those of poy_batch_propagate_to. */
poy_status poyi_march_together(poy_ctx *ctx, int n, poyi_member *members, double z);

/* ---- facts.c ---- */

enum { POYI_FOOTPRINT = 13 }; /* names, the same for every run */
/* The backend and the program of a run, unbound: nothing field-sized is in memory. */
poy_status poyi_run_prepare(poy_ctx *ctx, poy_problem *problem, const char *backend, poy_run **out);
/* Bytes by ledger name, as poy_run_open will take them, or (held) as they are. */
poy_status poyi_run_footprint(poy_ctx *ctx, const poy_run *run, int held, poy_ledger_entry out[POYI_FOOTPRINT],
                              size_t *total);
/* "drive, response, accept": rows of a trial that are not their own pushforward, at most size bytes. */
void poyi_run_nonlinear_rows(const poy_run *run, size_t size, char *out);
int poyi_by_bytes(const void *a, const void *b); /* for qsort of ledger entries, largest first */

/* After a trial that is not finite: which stage, column and bin were the first. Returns POY_ERR_NONFINITE. */
poy_status poyi_march_fault(poy_ctx *ctx, poy_run *run, double h, int64_t column);

#endif
