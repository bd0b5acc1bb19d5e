/* conform.h: conformance of a backend: generated cases for every row of ops.def, judged by the tolerance that it states.
 *
 * Cases come from the table: shapes from rank 0 to 8, empty ones, ones above the size from which threads take part;
 * windows of all kinds; ordinary, extreme and special values; in place, creating and writing forms; promoted types.
 * Backend "ref" is held to the same formulas in extended precision, every other backend to "ref". Of each case also:
 * inputs unchanged, nothing written around the output, the same bits for any number of threads, the ledger balanced. */
#ifndef POYNTING_CONFORM_H
#define POYNTING_CONFORM_H

#include "poynting/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum poy_conform_level { POY_CONFORM_QUICK, POY_CONFORM_FULL, POY_CONFORM_SOAK } poy_conform_level;

typedef struct poy_conform_options {
    size_t size;             /* sizeof(poy_conform_options) */
    const char *backend;     /* ["cpu"] a spec, as for poy_backend_open */
    const char *ops;         /* [NULL: all] a shell pattern, "*", "s*", "add" */
    unsigned dtypes;         /* [0: all] bit 1 << dtype */
    poy_conform_level level; /* [QUICK: about 50 cases a cell; FULL: 312; SOAK: new ones until the time is over] */
    uint64_t seed;           /* [1] */
    const char *only; /* [NULL] one case, as it was printed: "exp.c128.17.1"; names and types are not looked at then */
    double seconds;   /* [600] of SOAK; each cell has some cases at least */
    const char *against;    /* ["ref"] the backend whose results are right, within the bounds of the rows */
    int list;               /* [0] tell of the cells and of the number of their cases, and run none */
    double tolerance_scale; /* [1] all bounds are this many times as wide */
    int isolated;           /* [0] cases run in a process of their own: one that crashes or never returns is told by its
                              * name and counted, and the rest goes on. To be asked for before this process has threads of OpenMP, which
                              * do not survive a fork */
    double case_seconds;    /* [30] that a case may take where cases are isolated */
} poy_conform_options;
POY_API void poy_conform_options_init(poy_conform_options *options);

/* The other parts of conformance (conform_rows.h, conform_golden.h, conform_laws.h, conform_records.h) take the same options,
 * NULL for their defaults. All of them look at backend (records, which work on the host, do not), seed, only, isolated and
 * case_seconds, laws at dtypes too; the rest is of array operations. What a failure prints first is the name of its case for
 * only: "row:combine.17.1", "golden:g042_exp_f32", "law:operator-block.f64.1", "record:poy.solve.0.1". */

/* What came of one operation in one element type. */
typedef struct poy_conform_cell {
    const char *op;
    poy_dtype dtype;
    poy_origin origin; /* DELEGATED and ABSENT cells have no cases */
    int cases, failed;
    double worst;        /* largest error in units of the row's bound */
    char worst_case[64]; /* where that was */
    char failure[1024];  /* the first failure: its case, and what was got and wanted; "" */
    double
        row_tolerance; /* allowed, in units of eps times the row's scale: that of the row, half of it where the reference
                           * has one rounding to do, times tolerance_scale */
    double multiplier; /* what the backend declares, in row_tolerance already; 1 mostly */
    int crashed; /* of the failed: those that crashed or did not return in time. After three crashes, or one that does not
                        * return, the cases left are not run */
    int hung;    /* of the crashed: those that did not return in time */
} poy_conform_cell;
typedef void poy_conform_fn(void *user, const poy_conform_cell *cell);

typedef struct poy_conform_report {
    int64_t cases, failed;
    int native, delegated, absent; /* cells */
    double worst;
    int64_t crashed; /* of the failed */
} poy_conform_report;

/* Runs the cases, telling of each cell when it is done. A failed case is a finding, not an error: report->failed counts
 * them. Errors: POY_ERR_ARGUMENT (a case that cannot be read; no such operation), POY_ERR_BACKEND (it declares more than four times
 * a bound, or it crashes while it is opened or closed), POY_ERR_INTERRUPTED (by the context's progress function, asked before
 * each case), those of poy_backend_open, memory. */
POY_API poy_status poy_conform_run(poy_ctx *ctx, const poy_conform_options *options, poy_conform_fn *fn, void *user,
                                   poy_conform_report *report);

#ifdef __cplusplus
}
#endif
#endif
