/* base.h: status codes, element types, contexts, the memory ledger, the log, progress.
 *
 * Ownership: whatever a *_create or *_open function stores through its last argument
 * belongs to the caller, who gives it back to the matching *_destroy or *_close. Those
 * take the address of the handle, accept a handle that is NULL, leave it NULL, cannot
 * fail, may run on any thread, and may run after the context is gone. Other pointers are not NULL unless the function says so.
 *
 * Threads: one context serves one thread at a time; many contexts work in parallel.
 * Contexts forked from each other share an engine: backends, plans, tables, the ledger
 * and the budget. */
#ifndef POYNTING_BASE_H
#define POYNTING_BASE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define POY_API __attribute__((visibility("default")))
#define POY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define POY_API
#define POY_PRINTF(text, first)
#endif

#define POY_VERSION_MAJOR 0
#define POY_VERSION_MINOR 1
#define POY_VERSION_PATCH 0

/* Version of the library that runs, "0.1.0"; the macros are those of the header. */
POY_API const char *poy_version(void);

/* ---- status ---- */

/* What a call came to. POY_OK is 0; the others are the rows of status.def. */
typedef enum poy_status {
    POY_OK = 0,
#define POY_STATUS(name, exit_code, python, text) POY_ERR_##name,
#include "poynting/status.def"
#undef POY_STATUS
    POY_STATUS_COUNT
} poy_status;

POY_API const char *poy_status_name(poy_status status);   /* "SHAPE"; "OK" */
POY_API const char *poy_status_text(poy_status status);   /* the row's sentence */
POY_API int poy_status_exit_code(poy_status status);      /* exit code of the command */
POY_API const char *poy_status_python(poy_status status); /* exception class of the Python package */

/* ---- element types ---- */

/* c64 and c128 are (re, im) pairs of f32 and f64, laid out as in NumPy; b8 is one byte, 0 or 1. */
typedef enum poy_dtype { POY_F32, POY_F64, POY_C64, POY_C128, POY_I32, POY_I64, POY_B8 } poy_dtype;
enum { POY_DTYPE_COUNT = 7, POY_RANK_MAX = 8 };

typedef struct poy_c128 {
    double re, im;
} poy_c128;

POY_API size_t poy_dtype_size(poy_dtype dtype);      /* bytes of an element */
POY_API const char *poy_dtype_name(poy_dtype dtype); /* "c128" */
POY_API int poy_dtype_is_complex(poy_dtype dtype);
POY_API poy_dtype poy_dtype_real(poy_dtype dtype);    /* c64 -> f32, c128 -> f64, others unchanged */
POY_API poy_dtype poy_dtype_complex(poy_dtype dtype); /* f32 -> c64, all but c64 else -> c128 */

/* ---- context ---- */

typedef struct poy_ctx poy_ctx;

/* A context with an engine of its own. Errors: POY_ERR_MEMORY. */
POY_API poy_status poy_ctx_create(poy_ctx **out);
/* Another context on the same engine, for another thread. Errors: POY_ERR_MEMORY. */
POY_API poy_status poy_ctx_fork(poy_ctx *ctx, poy_ctx **out);
POY_API void poy_ctx_destroy(poy_ctx **ctx);

/* The numbers of a floating type; of a complex one those of its parts. */
typedef struct poy_float_limits {
    double eps;  /* from 1 to the next number */
    double tiny; /* the least that has all digits */
    double least, largest;
} poy_float_limits;
/* Errors: POY_ERR_DTYPE (not floating; not whole). b8 goes from 0 to 1. */
POY_API poy_status poy_dtype_float_limits(poy_ctx *ctx, poy_dtype dtype, poy_float_limits *out);
POY_API poy_status poy_dtype_whole_limits(poy_ctx *ctx, poy_dtype dtype, int64_t *lowest, int64_t *highest);

/* The account of the last failure in this context: one line for the cause, then one line
 * for each caller that it passed through. Empty if nothing failed. Valid until the next
 * call with this context. */
POY_API const char *poy_ctx_message(const poy_ctx *ctx);
/* The cause alone: the account's first line. */
POY_API const char *poy_ctx_cause(const poy_ctx *ctx);
POY_API poy_status poy_ctx_status(const poy_ctx *ctx);
POY_API void poy_ctx_clear(poy_ctx *ctx);

/* For backends, records and callbacks to say why they fail; returns status. */
POY_API poy_status poy_ctx_fail(poy_ctx *ctx, poy_status status, const char *format, ...) POY_PRINTF(3, 4);

/* ---- memory: every large buffer is in the engine's ledger, under a name ---- */

typedef struct poy_ledger_entry {
    char name[40]; /* "pulse.stage" */
    size_t bytes;  /* held now */
    size_t peak;   /* most ever held under this name */
} poy_ledger_entry;

POY_API size_t poy_ctx_bytes(const poy_ctx *ctx);         /* held now, all names */
POY_API size_t poy_ctx_bytes_peak(const poy_ctx *ctx);    /* most ever held at once */
POY_API uint64_t poy_ctx_allocations(const poy_ctx *ctx); /* ledger allocations ever made: a warm loop adds none */
/* Up to max entries into out, sorted by name; returns how many names there are. */
POY_API size_t poy_ctx_ledger(const poy_ctx *ctx, size_t max, poy_ledger_entry *out);
/* Allocations that would bring the total above bytes fail with POY_ERR_BUDGET; 0: no limit. */
POY_API void poy_ctx_set_budget(poy_ctx *ctx, size_t bytes);
POY_API size_t poy_ctx_budget(const poy_ctx *ctx);

/* ---- log and progress ---- */

typedef enum poy_log_level { POY_LOG_ERROR, POY_LOG_WARNING, POY_LOG_INFO, POY_LOG_DEBUG } poy_log_level;
typedef void poy_log_fn(void *user, poy_log_level level, const char *text);
/* Where this context's log lines of up to level go; fn NULL: nowhere (the default). */
POY_API void poy_ctx_set_log(poy_ctx *ctx, poy_log_fn *fn, void *user, poy_log_level level);

/* How far a piece of work is. done and total share the unit named by unit ("m", "points"). */
typedef struct poy_progress {
    const char *what; /* "pcf-sc" */
    const char *unit;
    double done, total;
    double step;                 /* length of the last step, same unit; 0 if there is none */
    int64_t accepted, rejected;  /* steps so far */
    double energy, energy_start; /* J; NaN if it has no meaning */
} poy_progress;
/* Called after each attempt; a nonzero answer asks to stop: the work ends cleanly after the
 * step, with POY_ERR_INTERRUPTED. It changes nothing else. */
typedef int poy_progress_fn(void *user, const poy_progress *progress);
POY_API void poy_ctx_set_progress(poy_ctx *ctx, poy_progress_fn *fn, void *user);

/* Restricted Damerau-Levenshtein distance of two short words (at most 63 characters are compared): for "did you mean". */
POY_API int poy_text_distance(const char *a, const char *b);

/* ---- threads and reproducibility ---- */

/* Threads that the engine's backends may use, 1024 at most; 0: as many as the process may run on (its
 * affinity). Results do not depend on it. */
POY_API void poy_ctx_set_threads(poy_ctx *ctx, int threads);
POY_API int poy_ctx_threads(const poy_ctx *ctx);
/* nonzero: plans are chosen without timing, so that a rerun gives the same bytes. */
POY_API void poy_ctx_set_deterministic(poy_ctx *ctx, int on);
POY_API int poy_ctx_deterministic(const poy_ctx *ctx);

/* ---- random numbers ---- */

/* Philox4x32-10 (Salmon et al., SC 2011): block i of the stream (seed, stream) as two doubles
 * uniform in [0, 1) with 53 random bits each. A pure function of its arguments. */
POY_API void poy_random_uniform2(uint64_t seed, uint64_t stream, uint64_t i, double out[2]);
/* The raw four words: counter = (i, stream), key = seed. */
POY_API void poy_random_words(uint64_t seed, uint64_t stream, uint64_t i, uint32_t out[4]);

/* ---- units ---- */

/* The physical dimensions that recipes and messages know; append only. */
typedef enum poy_dimension {
    POY_DIM_NONE,
    POY_DIM_LENGTH,
    POY_DIM_TIME,
    POY_DIM_ENERGY,
    POY_DIM_POWER,
    POY_DIM_PRESSURE,
    POY_DIM_FREQUENCY,
    POY_DIM_ANGULAR_FREQUENCY,
    POY_DIM_WAVENUMBER,
    POY_DIM_PHOTON_ENERGY,
    POY_DIM_TEMPERATURE,
    POY_DIM_FIELD,
    POY_DIM_INTENSITY,
    POY_DIM_ANGLE,
    POY_DIM_PHASE2,
    POY_DIM_PHASE3,
    POY_DIM_PHASE4,
    POY_DIM_BETA,
    POY_DIM_D,
    POY_DIM_S,
    POY_DIM_AREA,
    POY_DIM_N2,
    POY_DIM_WALL_TIME,
    POY_DIM_GAMMA,
    POY_DIM_ATTENUATION, /* of power: I(z) = I(0) exp(-value z); 1 dB/m is ln(10)/10 per metre */
    POY_DIM_BYTES,
    POY_DIM_SPECTRAL, /* only as what is wanted: a wavelength, frequency or photon energy */
    POY_DIM_PHASE,    /* s^n of any order n >= 2; from a text: n >= 5 */
    POY_DIM_COUNT
} poy_dimension;

typedef struct poy_quantity {
    double value;            /* in SI, see poy_dimension_si */
    poy_dimension dimension; /* of value */
    int order;               /* n of "ps^n/km" and of the phase "fs^n": 2, 3, ...; else 0 */
    char unit[24];           /* as typed */
} poy_quantity;

/* "30 fs" -> 30e-15, time. text: a number as TOML writes it, blanks if you like, a unit. The value is the double
 * nearest to the decimal fraction where the unit is a power of ten in SI, else within 1 ulp of it. Both micro signs
 * are read. Errors: POY_ERR_ARGUMENT (no number, no unit, an unknown unit: the account suggests the nearest; not
 * finite, or so small that it would read as 0). The cause reads "problem: hint". */
POY_API poy_status poy_quantity_parse(poy_ctx *ctx, const char *text, poy_quantity *out);

/* The same for a text of which the dimension is known; out->value is in the SI unit of wanted, out->dimension is
 * wanted. Read where wanted is:
 *   SPECTRAL       wavelength, frequency, angular frequency or photon energy; value: the vacuum wavelength (m), > 0
 *   ENERGY         also eV
 *   FREQUENCY      also angular ones ("2.4 rad/fs", value / 2 pi), and the reverse
 *   ATTENUATION    also "1/m"
 *   WALL_TIME      also a time
 *   PHASE          also fs2, fs3, fs4
 *   NONE           a number without a unit
 * Errors: also POY_ERR_MISMATCH ("expected a time, got a length ..."), POY_ERR_ARGUMENT (a wavelength of 0). */
POY_API poy_status poy_quantity_parse_as(poy_ctx *ctx, const char *text, poy_dimension wanted, poy_quantity *out);

/* value (SI) in the customary unit of the dimension and its size, "800 nm", with so many significant digits; digits 0:
 * as many as it takes to read the same value back. At most size bytes, ends with NUL. */
POY_API void poy_quantity_format(double value, poy_dimension dimension, int digits, size_t size, char *out);

POY_API const char *poy_dimension_name(poy_dimension dimension);     /* "time" */
POY_API const char *poy_dimension_si(poy_dimension dimension);       /* "s", the unit of value */
POY_API const char *poy_dimension_examples(poy_dimension dimension); /* "fs, ps, ns" */

#ifdef __cplusplus
}
#endif
#endif
