/* cpu_fft_plan.h: FFTW plans: made under one lock, chosen by one policy, kept in the engine.
 *
 * Policy: MEASURE, for long lines judged on cold memory (cpu_fft_choose.c), with what was learnt kept in the user's cache
 * folder for the next process; ESTIMATE without any
 * stored knowledge under poy_ctx_set_deterministic, so that a rerun gives the same bytes; ESTIMATE with cpu:fft=estimate.
 * Plans use one thread: callers share lines and batches among threads. */
#ifndef POYI_CPU_FFT_PLAN_H
#define POYI_CPU_FFT_PLAN_H

#include "backends/cpu/cpu.h"

/* howmany lines of length n, each of unit stride. R2C: n reals to n/2 + 1 pairs; C2R the reverse. Unnormalised. */
typedef struct poyi_fft_spec {
    poy_dtype real; /* POY_F32 or POY_F64 */
    poy_fft_kind kind;
    int sign; /* -1 or +1; R2C: -1, C2R: +1 */
    int64_t n, howmany;
    int64_t in_dist, out_dist; /* elements from line to line */
    int in_place;              /* a real line then has room for n/2 + 1 pairs */
    int may_destroy;           /* C2R may overwrite its input, which makes it faster; else inputs are kept */
} poyi_fft_spec;

typedef struct poyi_fft_plan poyi_fft_plan;

/* A plan for spec and for memory aligned as in and out are: found in the engine's cache, else made. Making one OVERWRITES
 * in and out (with MEASURE); where both are NULL it is made on scratch memory aligned to 64 bytes, for any memory
 * aligned to 16. Errors: POY_ERR_MEMORY. Counted: give it back with poyi_fft_plan_release. */
poy_status poyi_fft_plan_get(poy_ctx *ctx, const poyi_cpu *cpu, const poyi_fft_spec *spec, void *in, void *out,
                             poyi_fft_plan **plan);
/* Transforms in to out. May run on many threads at once; memory aligned as planned, in == out if and only if in_place. */
void poyi_fft_plan_run(const poyi_fft_plan *plan, void *in, void *out);
void poyi_fft_plan_release(poyi_fft_plan **plan);

/* "fft: fftw-3.3.10-sse2-avx (measure)" and the digest of the stored knowledge. */
void poyi_fft_describe(const poyi_cpu *cpu, size_t size, char *out);

/* ---- stored knowledge (cpu_fft_wisdom.c) ---- */

/* Reads what earlier processes stored, once per process and file. A damaged file is ignored, with a warning. */
void poyi_fft_wisdom_load(poy_ctx *ctx);
/* Adds what this process has learnt to the file; called under the planner's lock. Where the file cannot be written,
 * plans are measured anew in the next process; the log says so. */
void poyi_fft_wisdom_store(poy_ctx *ctx);
/* SHA-256 of the file as last read or written, in hexadecimal; "" where there is none. Under the planner's lock. */
const char *poyi_fft_wisdom_digest(void);

/* FFTW's planner is one for the process and serves one thread at a time. */
void poyi_fft_planner_lock(void);
void poyi_fft_planner_unlock(void);

/* ---- FFTW in one precision (cpu_fftw.c) ---- */

typedef enum poyi_fftw_effort {
    POYI_FFTW_ESTIMATE,
    POYI_FFTW_MEASURE, /* what is not known */
    POYI_FFTW_KNOWN    /* no plan where what was learnt does not say which */
} poyi_fftw_effort;

typedef struct poyi_fftw {
    void *(*plan)(const poyi_fft_spec *spec, void *in, void *out, poyi_fftw_effort effort,
                  int unaligned); /* NULL: none */
    void (*run)(void *plan, const poyi_fft_spec *spec, void *in, void *out);
    void (*destroy)(void *plan);
    char *(*export_wisdom)(void);           /* free it */
    int (*import_wisdom)(const char *text); /* nonzero: taken */
    void (*forget_wisdom)(void);
    const char *version;
} poyi_fftw;
extern const poyi_fftw poyi_fftw_f32, poyi_fftw_f64;

/* ---- the choice of a measured plan (cpu_fft_choose.c) ---- */

typedef struct poyi_fft_memory {
    void *in, *out;
    size_t bytes[2]; /* that a plan reads, writes */
} poyi_fft_memory;

/* The plan that is known, else one measured on m, which is OVERWRITTEN; for 1 to 64 MiB, up to
 * four are measured and the fastest on cold memory is taken. FFTW then knows the plan that is returned (NULL: none).
 * Under the planner's lock. Processors other than x86-64 take the first plan. */
void *poyi_fft_choose(const poyi_fftw *fftw, const poyi_fft_spec *spec, const poyi_fft_memory *m, int unaligned);

#endif
