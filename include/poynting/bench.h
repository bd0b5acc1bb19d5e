/* bench.h: timings of fixed work, for the command `poynting bench` and for those who port a backend. Each call measures
 * what it compares in turns in one run and takes minima, so that ratios mean something on a machine that is not idle. */
#ifndef POYNTING_BENCH_H
#define POYNTING_BENCH_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Times in s, minima over the rounds. */
typedef struct poy_bench_stage_result {
    int64_t samples;
    int raman;
    int rounds;
    double stages;       /* six consecutive stages of a trial */
    double transforms;   /* their Fourier transforms alone */
    double ratio;        /* stages / transforms, of the minima */
    double ratio_median; /* median over the rounds of the ratio in a round */
    double propagators;  /* exponentials of the linear operator for one step length */
    double accept;       /* solution, error and their norms */
    double step;         /* a whole step: trial and advance */
    double load;         /* mean number of running processes over the last minute; -1: not known */
} poy_bench_stage_result;

/* Stages of a fibre (50 fs, 10 kW, lossless, no windows, constant operator) on samples points, with or without Raman,
 * by one thread of the backend named, for about so many seconds (at least five rounds).
 * Errors: those of poy_backend_open, POY_ERR_UNSUPPORTED, POY_ERR_MEMORY; POY_ERR_ARGUMENT for samples. */
POY_API poy_status poy_bench_stage(poy_ctx *ctx, const char *backend, int64_t samples, int raman, double seconds,
                                   poy_bench_stage_result *out);

/* Processor times of one step's six stages in several modes, in s, minima over the rounds, by what the rows do. */
typedef struct poy_bench_modes_result {
    int modes, points; /* columns of the state; points of the cross-section */
    int plasma;
    int64_t samples; /* of the fine grid */
    int rounds;
    double stages;     /* all rows of six consecutive stages */
    double transforms; /* their Fourier transforms, row by row as the following */
    double products;   /* synthesis and projection at the points, which these stages do without, by themselves */
    double response;   /* Kerr effect */
    double ionisation; /* free electrons */
    double rest;       /* the other rows: combine, finish, window, score */
    double ratio;      /* stages / (transforms + products), of the minima */
    double load;       /* as above */
} poy_bench_modes_result;

/* Stages of a real field in modes HE11, HE12, ... of a capillary of 125 um with 1 bar of helium (800 nm, 10 fs, 120 uJ:
 * dispersive waves in the ultraviolet), with or without free electrons, by one thread of the backend named, for about so
 * many seconds (at least five rounds). Errors: those of poy_backend_open, POY_ERR_MEMORY; POY_ERR_ARGUMENT for modes. */
POY_API poy_status poy_bench_modes(poy_ctx *ctx, const char *backend, int modes, int plasma, double seconds,
                                   poy_bench_modes_result *out);

/* An operation that streams: how near it comes to the memory's speed. */
typedef struct poy_bench_row {
    const char *row;
    poy_dtype dtype;
    int rounds;
    double seconds;          /* of one call, the minimum */
    double bytes_per_second; /* read and written, each once */
    double fraction;         /* of the speed of a plain loop that reads and writes as many arrays */
    double instructions; /* of the speed of its instructions on what is in the first cache: sqrt; 0: memory is slower */
} poy_bench_row;
typedef void poy_bench_row_fn(void *user, const poy_bench_row *row);

/* Operations whose name matches the shell pattern (NULL: all that stream), on arrays of so many bytes, by one thread, each for
 * about so many seconds. Errors: those of poy_backend_open, memory; POY_ERR_ARGUMENT (no such operation, bytes < 8192). */
POY_API poy_status poy_bench_rows(poy_ctx *ctx, const char *backend, const char *pattern, int64_t bytes, double seconds,
                                  poy_bench_row_fn *fn, void *user);

#ifdef __cplusplus
}
#endif
#endif
