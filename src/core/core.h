/* core.h: failure reports, named memory, the log and the engine, for every folder of src/. */
#ifndef POYI_CORE_H
#define POYI_CORE_H

#include <nettle/sha2.h>

#include "poynting/base.h"

/* ---- failures ---- */

/* Report a failure and return its code: return POYI_FAIL(ctx, POY_ERR_SHAPE, "...", ...); */
#ifdef __clang_analyzer__ /* which should know that what returns is a failure */
#define POYI_FAIL(ctx, status, ...)                                         \
    (poyi_fail((ctx), (status), __func__, __FILE__, __LINE__, __VA_ARGS__), \
     (status) != POY_OK ? (status) : POY_ERR_INTERNAL)
#else
#define POYI_FAIL(ctx, status, ...) poyi_fail((ctx), (status), __func__, __FILE__, __LINE__, __VA_ARGS__)
#endif

/* Pass a failure on to the caller, with one more line in the account of it. */
#define POYI_TRY(ctx, call)                                                        \
    do {                                                                           \
        poy_status poyi_status_ = (call);                                          \
        if (poyi_status_ != POY_OK) {                                              \
            poyi_passed((ctx), poyi_status_, #call, __func__, __FILE__, __LINE__); \
            return poyi_status_;                                                   \
        }                                                                          \
    } while (0)

/* The same in a function that has things to give back at its label done (and a variable status). */
#define POYI_TO_DONE(ctx, call)                                              \
    do {                                                                     \
        status = (call);                                                     \
        if (status != POY_OK) {                                              \
            poyi_passed((ctx), status, #call, __func__, __FILE__, __LINE__); \
            goto done;                                                       \
        }                                                                    \
    } while (0)

poy_status poyi_fail(poy_ctx *ctx, poy_status status, const char *func, const char *file, int line, const char *format,
                     ...) POY_PRINTF(6, 7);
/* Adds a caller's line to the account; where status is not the account's own (a third party's
 * bare code), a new account starts with the status's text and the call. Returns status. */
poy_status poyi_passed(poy_ctx *ctx, poy_status status, const char *call, const char *func, const char *file, int line);

/* ---- the engine: what forked contexts share ---- */

typedef struct poyi_engine poyi_engine;

poyi_engine *poyi_ctx_engine(const poy_ctx *ctx);

/* What calls on a context are written down in instead of being done (ops/capture.h): NULL but for programs that are being
 * recorded. drop gives it back where the context goes first. Calls in loops ask for it, so it is a context's first member. */
typedef struct poyi_capture poyi_capture;
typedef struct poyi_ctx_first {
    poyi_capture *capture;
    void (*drop)(poyi_capture *capture);
} poyi_ctx_first;
static inline poyi_capture *poyi_ctx_capture(const poy_ctx *ctx)
{
    return ((const poyi_ctx_first *)(const void *)ctx)->capture;
}
void poyi_ctx_set_capture(poy_ctx *ctx, poyi_capture *capture, void (*drop)(poyi_capture *capture));
poyi_engine *poyi_engine_ref(poyi_engine *engine);
void poyi_engine_unref(poyi_engine **engine);
/* The most bytes held since the last call to watch; contexts of one engine share the watch, as they share the peak. */
void poyi_ctx_watch_bytes(poy_ctx *ctx);
size_t poyi_ctx_bytes_recent(const poy_ctx *ctx);
/* One lock for opening, registering and preparing; never taken while a program runs. Recursive. */
void poyi_engine_lock(poyi_engine *engine);
void poyi_engine_unlock(poyi_engine *engine);
/* A place for a room's shared state (the registry of backends, caches): created once on demand,
 * destroyed with the engine, in reverse order. key: a static string, compared by address. The state itself must not
 * hold a reference to the engine, so nothing of poyi_alloc either: malloc, and poyi_ledger_take where it is large. */
typedef poy_status poyi_shared_create(poy_ctx *ctx, void **out);
poy_status poyi_engine_shared(poy_ctx *ctx, const char *key, poyi_shared_create *create, void (*destroy)(void *),
                              void **out);

/* ---- named memory ---- */

/* bytes of memory aligned to 64, in the ledger under name (a string of at most 39 characters).
 * Zero bytes give a valid pointer. Errors: POY_ERR_BUDGET, POY_ERR_MEMORY; *out is NULL then. */
poy_status poyi_alloc(poy_ctx *ctx, const char *name, size_t bytes, void **out);
/* The same, set to zero. */
poy_status poyi_alloc_zero(poy_ctx *ctx, const char *name, size_t bytes, void **out);
/* Gives it back and sets *p to NULL; needs no context. */
void poyi_free(void **p);
/* a * b into *out, or POY_ERR_MEMORY where it does not fit. */
poy_status poyi_mul_size(poy_ctx *ctx, size_t a, size_t b, size_t *out);
/* Only the ledger: for memory that others allocate (FFT plans, devices). */
poy_status poyi_ledger_take(poy_ctx *ctx, const char *name, size_t bytes);
void poyi_ledger_give(poyi_engine *engine, const char *name, size_t bytes);

/* ---- memory that was admitted in one piece ---- */

/* A share of the budget, taken before the work that needs it. What a context that draws on it allocates is part of it; where it is
 * used up, allocations count by themselves again. So threads hold, in the ledger, what was reserved for each, whenever each of
 * them is at its largest. */
typedef struct poyi_reserve poyi_reserve;
/* Errors: POY_ERR_BUDGET, POY_ERR_MEMORY; *out is NULL then. */
poy_status poyi_reserve_open(poy_ctx *ctx, const char *name, size_t bytes, poyi_reserve **out);
/* Gives it back; blocks that are still there count by themselves from then on. No context may draw on it any more. */
void poyi_reserve_close(poyi_reserve **reserve);
/* The most that was ever used of it. */
size_t poyi_reserve_most(const poyi_reserve *reserve);
/* From here on the context draws on it; NULL: on none. */
void poyi_ctx_draw_on(poy_ctx *ctx, poyi_reserve *reserve);
poyi_reserve *poyi_ctx_reserve(const poy_ctx *ctx);

/* ---- log, progress ---- */

void poyi_log(poy_ctx *ctx, poy_log_level level, const char *format, ...) POY_PRINTF(3, 4);
/* Tells the context's progress function; nonzero: stop. */
int poyi_progress(poy_ctx *ctx, const poy_progress *progress);

/* ---- text ---- */

/* A growing string; starts as {0}. When memory runs out, failed is set, what stood there stays,
 * and further appends do nothing: test failed once, at the end. text is NULL before the first append. */
typedef struct poyi_text {
    char *text;
    size_t length, capacity;
    int failed;
} poyi_text;
void poyi_text_add(poyi_text *t, const char *format, ...) POY_PRINTF(2, 3);
void poyi_text_fini(poyi_text *t);

/* "a length", "an energy": for messages. */
const char *poyi_dimension_with_article(poy_dimension dimension);
/* The unit that a message proposes for a bare number: "m", "fs", "bar". */
const char *poyi_dimension_write(poy_dimension dimension);

/* ---- digests ---- */

/* SHA-256; init again before a second use. */
typedef struct poyi_sha256 {
    struct sha256_ctx nettle;
} poyi_sha256;
void poyi_sha256_init(poyi_sha256 *s);
void poyi_sha256_add(poyi_sha256 *s, const void *data, size_t bytes);
void poyi_sha256_end(poyi_sha256 *s, unsigned char out[32]);
void poyi_sha256_hex(const unsigned char digest[32], char out[65]); /* lower case, ends with NUL */

#endif
