/* session.c: a scattering recipe, computed: points shared among threads, each by one and always alike, written in their order. */
#define _POSIX_C_SOURCE 200809L /* nanosleep */
#include "run/scatter/session.h"
#include "core/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "core/constants.h"
#include "core/remedy.h"
#include "poynting/array.h"
#include "run/budget.h"
#include "run/limits.h"
#include "run/scatter/stack.h"

enum { WARNINGS_MAX = 24, GAPS_TOLD = 4, LEDGER_MAX = 64, SHARE_OF_WRITING = 20 };

/* A row that waits for those before it. */
typedef struct ready_row {
    poyi_gaps gaps;
    double values[];
} ready_row;

typedef struct session {
    poy_ctx *ctx;
    poy_recipe *recipe;
    const char *path;
    poyi_scatter s;
    poyi_store_layout layout;
    poyi_store_head head;
    poyi_store *store;
    poyi_scatter_memory memory;
    poy_ctx **fork;         /* [team] */
    poyi_reserve **reserve; /* [team] on which they draw */
    poyi_room room;         /* for what is more than that */
    int has_room;
    int team;
    pthread_mutex_t lock; /* of all that threads share; its own, since a progress function may run another recipe */
    char *rows;           /* [memory.rows] slots for rows that wait, each memory.row bytes */
    ready_row **ready;    /* [items] */
    int64_t next, written;
    int stop; /* on request, or after a failure */
    poy_status status;
    int64_t failed; /* the item that failed, the first of them */
    char cause[700];
    int64_t rough; /* points that did not converge; the worst of them: */
    double roughest, rough_k0;
    int rough_lmax;
    int64_t gaps; /* points that lie on a diffraction threshold */
    const char *warnings[WARNINGS_MAX];
    int n_warnings;
    double wall, cpu, kept, keeping;
    void *fork_memory, *ready_memory, *row_memory;
} session;

/* ---- before ---- */

poy_status poyi_scatter_digest(poy_ctx *ctx, poy_recipe *r, unsigned char out[32])
{
    poyi_scatter s;
    poyi_sha256 sum;
    unsigned char files[32];
    POYI_TRY(ctx, poyi_scatter_create(ctx, r, &s));
    poyi_sha256_init(&sum);
    for (int i = 0; i < s.n_bodies; i++)
        for (size_t k = 0; k < s.bodies[i].n_tmatrices; k++) {
            const poy_tmatrix *t = s.bodies[i].tmatrices[k];
            const size_t n = poy_tmatrix_size(t);
            poyi_sha256_add(&sum, &poy_tmatrix_embedding(t)->k0, sizeof(double));
            poyi_sha256_add(&sum, poy_tmatrix_values(t), n * n * sizeof(poy_c128));
        }
    poyi_sha256_end(&sum, files);
    poyi_scatter_fini(&s);
    poyi_recipe_digest(r, files, out);
    return POY_OK;
}

int poyi_scatter_team(poy_ctx *ctx, const poyi_scatter *s)
{
#if defined(_OPENMP)
    const int threads = poy_ctx_threads(ctx);
    return s->items < threads ? (int)s->items : threads;
#else
    (void)ctx;
    (void)s;
    return 1;
#endif
}

static void fill_head(session *s)
{
    poyi_store_head *h = &s->head;
    h->name = s->recipe->name;
    h->kind = "scatter";
    h->layout = &s->layout;
    h->text = s->recipe->text;
    h->resolved = s->recipe->resolved_text;
    h->overrides = s->recipe->overrides;
    h->sources = s->recipe->sources;
    h->backend = "cpu";
    h->threads = poy_ctx_threads(s->ctx);
    h->seed = (uint64_t)poyi_recipe_integer(s->recipe, "seed", 0);
}

static void warn(session *s, const char *text)
{
    if (!text || s->n_warnings == WARNINGS_MAX)
        return;
    poyi_log(s->ctx, POY_LOG_WARNING, "%s: %s", s->head.name, text);
    s->warnings[s->n_warnings++] = text;
}

/* What the check of the recipe said. */
static void warn_of_recipe(session *s)
{
    for (int i = 0; i < s->recipe->faults.count; i++) {
        const poy_fault *f = &s->recipe->faults.list[i];
        if (f->warning)
            warn(s, poyi_arena_format(&s->s.arena, "%s: %s: %s", f->key, f->problem, f->hint));
    }
}

/* A linear algebra of old kernels costs this machine's user several times over: a matter of the machine, so it is told and
 * not stored. */
static poy_status tell_of_kernels(const session *s)
{
    char text[2048];
    poy_backend *be = NULL;
    POYI_TRY(s->ctx, poy_backend_open(s->ctx, s->head.backend, &be));
    poy_backend_describe(be, sizeof text, text);
    poy_backend_close(&be);
    const char *advice = strstr(text, "blas advice: ");
    if (advice)
        poyi_log(s->ctx, POY_LOG_WARNING, "%s: %.*s", s->head.name, (int)strcspn(advice, "\n"), advice);
    return POY_OK;
}

static poy_status prepare(poy_ctx *ctx, poy_recipe *r, const char *path, session *s)
{
    *s = (session){.ctx = ctx, .recipe = r, .path = path, .failed = -1, .lock = PTHREAD_MUTEX_INITIALIZER};
    s->wall = poyi_seconds();
    s->cpu = poyi_cpu_seconds();
    poyi_ctx_watch_bytes(ctx);
    POYI_TRY(ctx, poyi_scatter_create(ctx, r, &s->s));
    POYI_TRY(ctx, poyi_scatter_layout(ctx, &s->s, &s->layout));
    fill_head(s);
    POYI_TRY(ctx, poyi_scatter_digest(ctx, r, s->head.digest));
    warn_of_recipe(s);
    return tell_of_kernels(s);
}

poy_status poyi_scatter_refuse(poy_ctx *ctx, const char *name, const poyi_scatter_memory *m, const poyi_budget *budget)
{
    char first[32], note[140] = "", threads[64], advice[128];
    poy_ledger_entry groups[2] = {{"run.workspace", (size_t)m->team * m->workspace, 0},
                                  {"run.rows", (size_t)m->rows * m->row, 0}};
    poy_quantity_format((double)m->total, POY_DIM_BYTES, 3, sizeof first, first);
    if (m->most > m->workspace)
        snprintf(note, sizeof note,
                 " where factors take over from an iteration (%s where none has to: numerics.solver = \"gmres\")",
                 first);
    snprintf(advice, sizeof advice, "a smaller numerics.lmax, %s",
             poyi_remedy(ctx, POYI_REMEDY_THREADS, NULL, sizeof threads, threads));
    return poyi_budget_refuse(ctx, name, m->needed, note, budget, 2, groups, advice);
}

static poy_status admit(session *s, size_t *bytes)
{
    poyi_budget budget;
    char needs[32];
    const double own = poyi_recipe_quantity(s->ctx, s->recipe, "run.memory", POY_DIM_BYTES, 0);
    const double asked = own > 0 ? own : (double)poy_ctx_budget(s->ctx);
    POYI_TRY(s->ctx, poyi_budget_find(s->ctx, "", asked, own > 0 ? "run.memory" : "the context", &budget));
    POYI_TRY(s->ctx, poyi_scatter_bytes(s->ctx, &s->s, &s->layout, budget.declared ? budget.bytes : 0, &s->memory));
    *bytes = s->memory.total;
    if (budget.declared && s->memory.needed > budget.bytes)
        return poyi_scatter_refuse(s->ctx, s->head.name, &s->memory, &budget);
    poy_quantity_format((double)s->memory.needed, POY_DIM_BYTES, 3, sizeof needs, needs);
    if (s->memory.needed > budget.bytes)
        warn(s, poyi_arena_format(&s->s.arena, "needs %s, more than %s: it may be stopped for want of memory", needs,
                                  budget.source));
    if (budget.declared)
        poy_ctx_set_budget(s->ctx, budget.bytes);
    return poyi_check_disk(s->ctx, s->path, s->memory.file, "use fewer points or pixels");
}

static void fini(session *s)
{
    poyi_store_close(&s->store);
    for (int i = 0; s->fork && i < s->team; i++)
        poy_ctx_destroy(&s->fork[i]);
    for (int i = 0; s->reserve && i < s->team; i++)
        poyi_reserve_close(&s->reserve[i]);
    if (s->has_room)
        poyi_room_fini(&s->room);
    poyi_free(&s->fork_memory);
    poyi_free(&s->ready_memory);
    poyi_free(&s->row_memory);
    poyi_scatter_fini(&s->s);
    pthread_mutex_destroy(&s->lock);
}

/* ---- rows ---- */

/* Has the row converged? It tells its degree and change behind the wavelength. */
static void look_at(session *s, const poyi_view *v, double k0, const double *row)
{
    const int at = v->kind == POYI_VIEW_SWEEP ? (s->s.tmatrix ? 7 : 2) : 0;
    const double tol = v->kind == POYI_VIEW_NEAR ? sqrt(s->s.tol) : s->s.tol, change = row[at + 2];
    if (!(change > tol))
        return;
    s->rough++;
    if (change > s->roughest) {
        s->roughest = change;
        s->rough_k0 = k0;
        s->rough_lmax = (int)row[at + 1];
    }
}

/* A point with gaps: the first of them are told one by one. */
static void tell_gaps(session *s, const poyi_view *v, double k0, const poyi_gaps *gaps)
{
    char at[48], more[60] = "";
    if (!gaps->n || s->gaps++ >= GAPS_TOLD)
        return;
    poy_quantity_format(2 * POYI_PI / k0, POY_DIM_LENGTH, 6, sizeof at, at);
    if (gaps->n > 1)
        snprintf(more, sizeof more, "the first of %d: ", gaps->n);
    warn(s, poyi_arena_format(&s->s.arena, "%s%s%s: left NaN: %s%s", v->kind == POYI_VIEW_NEAR ? v->group : "",
                              v->kind == POYI_VIEW_NEAR ? " at " : "", at, more, gaps->first));
}

static poy_status keep(session *s)
{
    const double start = poyi_seconds();
    if (start - s->kept < SHARE_OF_WRITING * s->keeping)
        return POY_OK;
    POYI_TRY(s->ctx, poyi_store_flush(s->ctx, s->store));
    s->kept = poyi_seconds();
    s->keeping = s->kept - start;
    return POY_OK;
}

/* Every row that is ready and whose predecessors are written. One thread at a time. */
static poy_status write_ready(session *s)
{
    int row;
    while (s->written < s->s.items && s->ready[s->written]) {
        const poyi_view *v = poyi_scatter_item(&s->s, s->written, &row);
        const ready_row *ready = s->ready[s->written];
        look_at(s, v, v->k0[row], ready->values);
        tell_gaps(s, v, v->k0[row], &ready->gaps);
        POYI_TRY(s->ctx, poyi_store_row(s->ctx, s->store, (int)(v - s->s.views), v->k0[row], ready->values));
        s->ready[s->written++] = NULL;
        const poy_progress progress = {.what = s->head.name,
                                       .unit = "points",
                                       .done = (double)s->written,
                                       .total = (double)s->s.items,
                                       .step = 1,
                                       .accepted = s->written,
                                       .energy = (double)NAN,
                                       .energy_start = (double)NAN};
        if (poyi_progress(s->ctx, &progress) && s->written < s->s.items)
            s->stop = 1;
    }
    return keep(s);
}

static void fail(session *s, int64_t item, poy_status status, const char *cause)
{
    if (s->failed >= 0 && s->failed <= item)
        return;
    s->failed = item;
    s->status = status;
    s->stop = 1;
    snprintf(s->cause, sizeof s->cause, "%s", cause);
}

static poy_status compute(session *s, poy_ctx *ctx, int64_t item, ready_row **out)
{
    ready_row *row = (ready_row *)(void *)(s->rows + (size_t)(item % s->memory.rows) * s->memory.row);
    memset(row, 0, s->memory.row);
    *out = row;
    const poy_status status = poyi_scatter_compute(ctx, &s->s, item, row->values, &row->gaps);
    poyi_room_leave(ctx, &s->room);
    return status;
}

/* Takes items as they come, so that slow ones hold up no others, but for memory: no more rows wait for an item before them than
 * there are slots. */
static void work(session *s, poy_ctx *ctx)
{
    enum { NONE = -1, LATER = -2, NAP = 200000 }; /* ns */
    for (;;) {
        int64_t item = NONE;
        ready_row *row = NULL;
        pthread_mutex_lock(&s->lock);
        if (!s->stop && s->next < s->s.items)
            item = s->next - s->written < s->memory.rows ? s->next++ : LATER;
        pthread_mutex_unlock(&s->lock);
        if (item == NONE)
            return;
        if (item == LATER) {
            const struct timespec nap = {0, NAP};
            nanosleep(&nap, NULL);
            continue;
        }
        poy_status status = compute(s, ctx, item, &row);
        pthread_mutex_lock(&s->lock);
        if (status != POY_OK) {
            fail(s, item, status, poy_ctx_cause(ctx));
        } else {
            s->ready[item] = row;
            status = s->status == POY_ERR_IO ? POY_ERR_IO : write_ready(s);
            if (status != POY_OK && s->status == POY_OK)
                fail(s, s->written, status, poy_ctx_cause(s->ctx));
        }
        pthread_mutex_unlock(&s->lock);
    }
}

/* All that the run will hold, before the first point: slots for rows, and for each thread what its largest point takes. */
static poy_status reserve(session *s)
{
    const poyi_scatter_memory *m = &s->memory;
    const size_t team = (size_t)m->team;
    POYI_TRY(s->ctx, poyi_alloc_zero(s->ctx, "run.threads", m->threads, &s->fork_memory));
    POYI_TRY(s->ctx, poyi_alloc_zero(s->ctx, "run.ready", m->ready, &s->ready_memory));
    POYI_TRY(s->ctx, poyi_alloc(s->ctx, "run.rows", (size_t)m->rows * m->row, &s->row_memory));
    s->team = m->team;
    s->fork = s->fork_memory;
    s->reserve = (poyi_reserve **)(void *)(s->fork + team);
    s->ready = s->ready_memory;
    s->rows = s->row_memory;
    poyi_room_init(&s->room, m->workspace, m->share, m->most, m->rises_to);
    s->has_room = 1;
    s->s.room = &s->room;
    for (size_t i = 0; i < team; i++) {
        POYI_TRY(s->ctx, poy_ctx_fork(s->ctx, &s->fork[i]));
        POYI_TRY(s->ctx, poyi_reserve_open(s->ctx, "run.workspace", m->workspace, &s->reserve[i]));
        poyi_ctx_draw_on(s->fork[i], s->reserve[i]);
    }
    return POY_OK;
}

static poy_status compute_all(session *s)
{
    POYI_TRY(s->ctx, reserve(s));
    s->next = s->written;
    s->kept = poyi_seconds();
#if defined(_OPENMP)
#pragma omp parallel num_threads(s->team) if (s->team > 1)
    work(s, s->fork[omp_get_thread_num()]);
#else
    work(s, s->fork[0]);
#endif
    if (s->status != POY_OK)
        return s->status;
    return s->written < s->s.items ? POY_ERR_INTERRUPTED : POY_OK;
}

/* ---- ends ---- */

/* Of what was reserved for a thread, the most that one of them needed. */
static size_t most_used(const session *s)
{
    size_t most = 0;
    for (int i = 0; i < s->team; i++)
        most = s->reserve[i] && poyi_reserve_most(s->reserve[i]) > most ? poyi_reserve_most(s->reserve[i]) : most;
    return most;
}

/* The estimate is of the degrees that are tried first, and of the solver that is; check tells of factors, too. */
static void tell_of_more(session *s)
{
    char taken[32], told[32];
    const size_t most = poyi_ctx_bytes_recent(s->ctx), slight = (size_t)4 << 20; /* less is no news */
    if (s->room.capped)
        warn(s, poyi_arena_format(
                    &s->s.arena,
                    "%d points stay at a degree below the one that numerics.tol wants: the budget has room up to %d: "
                    "raise run.memory",
                    s->room.capped, s->room.degree_most));
    if (most <= s->memory.total + slight)
        return;
    poy_quantity_format((double)most, POY_DIM_BYTES, 3, sizeof taken, taken);
    poy_quantity_format((double)s->memory.total, POY_DIM_BYTES, 3, sizeof told, told);
    warn(s, poyi_arena_format(
                &s->s.arena,
                "took %s, not %s as estimated: degrees were raised (numerics.lmax fixes them), or factors took over "
                "where an iteration did not converge (numerics.solver = \"dense\" counts them before)",
                taken, told));
}

static poy_status write_end(session *s, int complete)
{
    char execution[200];
    poy_ledger_entry ledger[LEDGER_MAX];
    size_t n = poy_ctx_ledger(s->ctx, LEDGER_MAX - 2, ledger);
    n = n < LEDGER_MAX - 2 ? n : LEDGER_MAX - 2;
    ledger[n++] = (poy_ledger_entry){"total", poy_ctx_bytes(s->ctx), poyi_ctx_bytes_recent(s->ctx)}; /* at once */
    ledger[n++] = (poy_ledger_entry){"run.workspace.used", 0, most_used(s)};
    tell_of_more(s);
    if (s->rough)
        warn(s, poyi_arena_format(
                    &s->s.arena,
                    "%lld points still change by more than numerics.tol with one more degree; most at %.5g nm, "
                    "by %.2g at lmax = %d: raise tol, or move the particles apart",
                    (long long)s->rough, 2e9 * POYI_PI / s->rough_k0, s->roughest, s->rough_lmax));
    if (s->gaps > GAPS_TOLD)
        warn(s,
             poyi_arena_format(&s->s.arena,
                               "%lld points in all lie on a diffraction threshold and are NaN: those whose number in "
                               "\"gaps\" is not 0",
                               (long long)s->gaps));
    snprintf(execution, sizeof execution, "backend: cpu\nthreads: %d\npoints: %lld\n", s->team, (long long)s->written);
    const poyi_store_end end = {.wall = poyi_seconds() - s->wall,
                                .cpu = poyi_cpu_seconds() - s->cpu,
                                .ledger = ledger,
                                .n_ledger = n,
                                .execution = execution,
                                .warnings = s->warnings,
                                .n_warnings = s->n_warnings,
                                .complete = complete};
    POYI_TRY(s->ctx, poyi_store_flush(s->ctx, s->store));
    return poyi_store_finish(s->ctx, s->store, &end);
}

static poy_status end_early(session *s, poy_status status)
{
    char at[48] = "", advice[1100];
    int row;
    if (status == POY_ERR_IO)
        return POYI_FAIL(s->ctx, status, "%s: make room, then %s", s->cause,
                         poyi_remedy(s->ctx, POYI_REMEDY_RESUME, s->path, sizeof advice, advice));
    POYI_TRY(s->ctx, write_end(s, 0));
    if (status == POY_ERR_INTERRUPTED)
        return POYI_FAIL(s->ctx, status, "%s: stopped on request after %lld of %lld points: continue with %s",
                         s->head.name, (long long)s->written, (long long)s->s.items,
                         poyi_remedy(s->ctx, POYI_REMEDY_RESUME, s->path, sizeof advice, advice));
    if (s->failed >= 0) {
        const poyi_view *v = poyi_scatter_item(&s->s, s->failed, &row);
        poy_quantity_format(2 * POYI_PI / v->k0[row], POY_DIM_LENGTH, 6, sizeof at, at);
    }
    return POYI_FAIL(s->ctx, status, "%s: %s: %s; %lld points are kept in %s", s->head.name, at, s->cause,
                     (long long)s->written, s->path);
}

static poy_status run_to_end(session *s)
{
    poy_status status = compute_all(s);
    if (status != POY_OK)
        return end_early(s, status);
    return write_end(s, 1);
}

static void report_on(const session *s, size_t bytes, int complete, poy_recipe_report *out)
{
    snprintf(out->output, sizeof out->output, "%s", s->path);
    snprintf(out->backend, sizeof out->backend, "cpu");
    out->bytes = bytes;
    out->points = s->written;
    out->points_total = s->s.items;
    for (int i = 0; i < s->s.n_views; i++)
        if (s->s.views[i].kind == POYI_VIEW_SWEEP || s->s.views[i].kind == POYI_VIEW_ARRAY)
            out->wavelengths = s->s.views[i].n;
    out->wall = poyi_seconds() - s->wall;
    out->cpu = poyi_cpu_seconds() - s->cpu;
    out->warnings = s->n_warnings;
    out->complete = complete;
}

poy_status poyi_scatter_run(poy_ctx *ctx, poy_recipe *r, const char *path, int force, int dry,
                            poy_recipe_report *report)
{
    session s;
    size_t bytes = 0;
    poy_status status;
    POYI_TO_DONE(ctx, prepare(ctx, r, path, &s));
    POYI_TO_DONE(ctx, admit(&s, &bytes));
    if (!dry) {
        POYI_TO_DONE(ctx, poyi_store_create(ctx, path, force, &s.head, &s.store));
        POYI_TO_DONE(ctx, run_to_end(&s));
    }
done:
    report_on(&s, bytes, status == POY_OK && !dry, report);
    fini(&s);
    return status;
}

poy_status poyi_scatter_resume(poy_ctx *ctx, poy_recipe *r, const poyi_store_state *state, int check,
                               poy_recipe_report *report)
{
    session s;
    size_t bytes = 0;
    poy_status status;
    POYI_TO_DONE(ctx, prepare(ctx, r, state->path, &s));
    POYI_TO_DONE(ctx, admit(&s, &bytes));
    if (check)
        goto done;
    POYI_TO_DONE(ctx, poyi_store_reopen(ctx, state->path, &s.head, &s.store));
    for (int i = 0; i < s.s.n_views; i++) {
        const int64_t rows = poyi_store_row_count(s.store, i);
        s.written += rows;
        if (rows > s.s.views[i].n ||
            (rows < s.s.views[i].n && i + 1 < s.s.n_views && poyi_store_row_count(s.store, i + 1)))
            status = POYI_FAIL(ctx, POY_ERR_IO, "%s: its points are not those of its recipe", state->path);
    }
    if (status == POY_OK)
        POYI_TO_DONE(ctx, run_to_end(&s));
done:
    report_on(&s, bytes, status == POY_OK && !check, report);
    fini(&s);
    return status;
}
