/* ctx.c: the context: account of the last failure, log, progress, threads, and its hold on an engine. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "core/engine.h"
#include "core/remedy.h"
#include "core/warn.h"

enum { MESSAGE_MAX = 4096 };

struct poy_ctx {
    poyi_ctx_first first;      /* the first member: poyi_ctx_capture */
    char message[MESSAGE_MAX]; /* fixed: a failed allocation can still be reported */
    char cause[MESSAGE_MAX];   /* its first line */
    size_t used;               /* characters of message, without the final NUL */
    poy_status status;
    poyi_engine *engine;
    poy_log_fn *log;
    void *log_user;
    poy_log_level log_level;
    poy_front_end front_end;
    poyi_listener listener;
    poy_progress_fn *progress;
    void *progress_user;
    poyi_reserve *reserve; /* NULL: none */
};

static poy_status create_on(poyi_engine *engine, poy_ctx **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return POY_ERR_MEMORY;
    (*out)->engine = engine;
    return POY_OK;
}

poy_status poy_ctx_create(poy_ctx **out)
{
    *out = NULL;
    poyi_engine *engine = poyi_engine_create();
    if (!engine)
        return POY_ERR_MEMORY;
    poy_status status = create_on(engine, out);
    if (status != POY_OK)
        poyi_engine_unref(&engine);
    return status;
}

poy_status poy_ctx_fork(poy_ctx *ctx, poy_ctx **out)
{
    poyi_engine *engine = poyi_engine_ref(ctx->engine);
    poy_status status = create_on(engine, out);
    if (status != POY_OK) {
        poyi_engine_unref(&engine);
        return POYI_FAIL(ctx, status, "no memory for a context");
    }
    (*out)->log = ctx->log;
    (*out)->log_user = ctx->log_user;
    (*out)->log_level = ctx->log_level;
    (*out)->front_end = ctx->front_end;
    return POY_OK;
}

void poy_ctx_destroy(poy_ctx **ctx)
{
    if (*ctx && (*ctx)->first.capture)
        (*ctx)->first.drop((*ctx)->first.capture);
    if (*ctx)
        poyi_engine_unref(&(*ctx)->engine);
    free(*ctx);
    *ctx = NULL;
}

poyi_engine *poyi_ctx_engine(const poy_ctx *ctx)
{
    return ctx->engine;
}

void poyi_ctx_draw_on(poy_ctx *ctx, poyi_reserve *reserve)
{
    ctx->reserve = reserve;
}

poyi_reserve *poyi_ctx_reserve(const poy_ctx *ctx)
{
    return ctx->reserve;
}

void poyi_ctx_set_capture(poy_ctx *ctx, poyi_capture *capture, void (*drop)(poyi_capture *capture))
{
    ctx->first = (poyi_ctx_first){capture, drop};
}

void poy_ctx_set_front_end(poy_ctx *ctx, poy_front_end front_end)
{
    ctx->front_end = (unsigned)front_end < POY_FRONT_END_COUNT ? front_end : POY_FRONT_END_C;
}

poy_front_end poy_ctx_front_end(const poy_ctx *ctx)
{
    return ctx->front_end;
}

/* ---- account ---- */

const char *poy_ctx_message(const poy_ctx *ctx)
{
    return ctx->message;
}

const char *poy_ctx_cause(const poy_ctx *ctx)
{
    return ctx->cause;
}

poy_status poy_ctx_status(const poy_ctx *ctx)
{
    return ctx->status;
}

void poy_ctx_clear(poy_ctx *ctx)
{
    ctx->status = POY_OK;
    ctx->used = 0;
    ctx->message[0] = ctx->cause[0] = '\0';
}

static void append(poy_ctx *ctx, const char *format, va_list args) POY_PRINTF(2, 0);
static void append(poy_ctx *ctx, const char *format, va_list args)
{
    size_t room = sizeof ctx->message - ctx->used;
    int n = vsnprintf(ctx->message + ctx->used, room, format, args);
    if (n > 0)
        ctx->used += (size_t)n < room ? (size_t)n : room - 1;
}

static void appendf(poy_ctx *ctx, const char *format, ...) POY_PRINTF(2, 3);
static void appendf(poy_ctx *ctx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    append(ctx, format, args);
    va_end(args);
}

/* The arguments may point into the old account, so the new one is formed beside it. */
static void start_account(poy_ctx *ctx, poy_status status, const char *format, va_list args) POY_PRINTF(3, 0);
static void start_account(poy_ctx *ctx, poy_status status, const char *format, va_list args)
{
    char text[MESSAGE_MAX];
    vsnprintf(text, sizeof text, format, args);
    poy_ctx_clear(ctx);
    ctx->status = status;
    appendf(ctx, "%s", text);
    memcpy(ctx->cause, ctx->message, sizeof ctx->cause);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

poy_status poy_ctx_fail(poy_ctx *ctx, poy_status status, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    start_account(ctx, status, format, args);
    va_end(args);
    return status;
}

poy_status poyi_fail(poy_ctx *ctx, poy_status status, const char *func, const char *file, int line, const char *format,
                     ...)
{
    va_list args;
    va_start(args, format);
    start_account(ctx, status, format, args);
    va_end(args);
    appendf(ctx, "\n  in %s (%s:%d)", func, base_name(file), line);
    return status;
}

poy_status poyi_passed(poy_ctx *ctx, poy_status status, const char *call, const char *func, const char *file, int line)
{
    if (status != ctx->status) {
        int length = (int)strcspn(call, "(");
        poy_ctx_fail(ctx, status, "%.*s failed: %s", length, call, poy_status_text(status));
    }
    appendf(ctx, "\n  in %s (%s:%d)", func, base_name(file), line);
    return status;
}

/* ---- log, progress ---- */

void poy_ctx_set_log(poy_ctx *ctx, poy_log_fn *fn, void *user, poy_log_level level)
{
    ctx->log = fn;
    ctx->log_user = user;
    ctx->log_level = level;
}

void poyi_log(poy_ctx *ctx, poy_log_level level, const char *format, ...)
{
    if (!ctx->log || level > ctx->log_level)
        return;
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    ctx->log(ctx->log_user, level, text);
}

void poyi_warn(poy_ctx *ctx, const char *format, ...)
{
    char text[MESSAGE_MAX];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    poyi_log(ctx, POY_LOG_WARNING, "%s", text);
    if (ctx->listener.hear)
        ctx->listener.hear(ctx->listener.user, text);
}

poyi_listener poyi_ctx_listen(poy_ctx *ctx, poyi_listener listener)
{
    const poyi_listener before = ctx->listener;
    ctx->listener = listener;
    return before;
}

void poy_ctx_set_progress(poy_ctx *ctx, poy_progress_fn *fn, void *user)
{
    ctx->progress = fn;
    ctx->progress_user = user;
}

int poyi_progress(poy_ctx *ctx, const poy_progress *progress)
{
    return ctx->progress ? ctx->progress(ctx->progress_user, progress) : 0;
}

/* ---- what belongs to the engine ---- */

size_t poy_ctx_bytes(const poy_ctx *ctx)
{
    return poyi_engine_bytes(ctx->engine);
}

size_t poy_ctx_bytes_peak(const poy_ctx *ctx)
{
    return poyi_engine_bytes_peak(ctx->engine);
}

uint64_t poy_ctx_allocations(const poy_ctx *ctx)
{
    return poyi_engine_allocations(ctx->engine);
}

size_t poy_ctx_ledger(const poy_ctx *ctx, size_t max, poy_ledger_entry *out)
{
    return poyi_engine_ledger(ctx->engine, max, out);
}

void poy_ctx_set_budget(poy_ctx *ctx, size_t bytes)
{
    poyi_engine_settings(ctx->engine)->budget = bytes;
}

size_t poy_ctx_budget(const poy_ctx *ctx)
{
    return poyi_engine_settings(ctx->engine)->budget;
}

void poy_ctx_set_threads(poy_ctx *ctx, int threads)
{
    enum { MOST = 1024 }; /* the stacks of some 10^5 exceed what a process may take, and OpenMP ends it then */
    poyi_engine_settings(ctx->engine)->threads = threads < 0 ? 0 : threads < MOST ? threads : MOST;
}

int poy_ctx_threads(const poy_ctx *ctx)
{
    int threads = poyi_engine_settings(ctx->engine)->threads;
    return threads ? threads : poyi_engine_processors();
}

void poy_ctx_set_deterministic(poy_ctx *ctx, int on)
{
    poyi_engine_settings(ctx->engine)->deterministic = on != 0;
}

int poy_ctx_deterministic(const poy_ctx *ctx)
{
    return poyi_engine_settings(ctx->engine)->deterministic;
}
