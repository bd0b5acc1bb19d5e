/* call.c: one evaluation, pullback or pushforward of a batch: the author's function for each item, with real arrays
 * widened where complex ones are wanted, gradients of shared inputs summed, and the items shared among threads. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#ifdef _OPENMP
#include <omp.h>
#endif

#include "record/record.h"

/* An array of the call: what the caller gave, and how the author sees it. */
typedef struct port {
    const poy_rec_array *user;
    poy_rec_spec spec; /* as the author sees it */
    size_t bytes;      /* of that */
    int absent;        /* the author sees NULL */
    int widened;       /* the caller's is real, the author's complex */
    int summed;        /* a gradient that several items add to */
    int own;           /* the author works on memory of the worker ... */
    size_t at;         /* ... here; summed: in the slot of the item */
} port;

enum { IN, OUT, DIRECTION, RESULT, LISTS };
enum { SMALL_BYTES = 4096 }; /* scratch that fits the stack: an allocation costs as much as a 3 x 3 solve */

typedef struct job {
    const poyi_call *call;
    const poy_rec_op *op;
    port port[LISTS][POY_REC_ARRAYS_MAX];
    int n[LISTS];
    size_t worker_bytes; /* scratch first */
    size_t slot_bytes;   /* of an item's summed gradients */
    int64_t wave;        /* items that are worked on before their gradients are added */
    unsigned char *slots;
} job;

typedef struct worker {
    poy_ctx *ctx;
    void *memory;
    int64_t failed; /* the item */
    poy_status status;
    poy_rec_array view[LISTS][POY_REC_ARRAYS_MAX];
} worker;

static _Alignas(64) unsigned char empty_array[64]; /* where arrays without elements are */

/* ---- setting up ---- */

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

static void set_ports(job *j, int list, int n, const poy_rec_array *user, const poy_rec_spec *spec)
{
    j->n[list] = n;
    for (int i = 0; i < n; i++)
        j->port[list][i] = (port){.user = &user[i],
                                  .spec = spec[i],
                                  .bytes = poy_rec_bytes(&spec[i]),
                                  .absent = user[i].data == NULL && poy_rec_count(&spec[i]) > 0,
                                  .widened = user[i].spec.dtype != spec[i].dtype};
}

/* Directions and results: an array that is not there is absent even without elements, and so is what is constant. */
static void set_derivative_ports(job *j, int list, int of_inputs)
{
    const poyi_call *c = j->call;
    const poyi_signature *s = &c->record->known->signature;
    set_ports(j, list, of_inputs ? s->n_in : s->n_out, list == DIRECTION ? c->direction : c->result,
              of_inputs ? c->shapes->in : c->shapes->out);
    for (int i = 0; i < j->n[list]; i++) {
        port *p = &j->port[list][i];
        p->absent = p->user->data == NULL || (of_inputs && s->in[i].constant);
        p->widened = !p->absent && p->widened;
        p->summed = list == RESULT && c->kind == POYI_PULLBACK && !p->absent && c->items > 1 &&
                    poyi_batch_is_shared(&c->batch, p->user->batch_stride);
    }
}

/* A tangent of an output that the caller does not want is written all the same, to where nobody looks. */
static void place(job *j)
{
    size_t at = rounded(j->call->shapes->size.scratch);
    for (int list = 0; list < LISTS; list++)
        for (int i = 0; i < j->n[list]; i++) {
            port *p = &j->port[list][i];
            const int unwanted = list == RESULT && p->absent && j->call->kind == POYI_PUSHFORWARD;
            if (p->summed) {
                p->at = j->slot_bytes;
                j->slot_bytes += rounded(p->bytes);
            } else if (unwanted || (p->widened && !p->absent)) {
                p->own = 1;
                p->at = at;
                at += rounded(p->bytes);
            }
        }
    j->worker_bytes = at;
}

/* As many items at once as 16 MiB hold. Each item's gradient is added in the order of the items, so that neither this
 * number nor that of the threads changes a bit. */
static void set_wave(job *j)
{
    enum { WAVE_BYTES = 1 << 24 };
    j->wave = j->call->items;
    if (j->slot_bytes) {
        const int64_t fits = (int64_t)(WAVE_BYTES / j->slot_bytes);
        j->wave = fits < 1 ? 1 : fits < j->wave ? fits : j->wave;
    }
}

static void set_up(job *j, const poyi_call *call)
{
    const poyi_shapes *s = call->shapes;
    /* member by member: zeros for all ports would cost more than a small record's work */
    j->call = call;
    j->op = &call->record->known->op;
    j->n[DIRECTION] = j->n[RESULT] = 0;
    j->slot_bytes = 0;
    j->slots = NULL;
    set_ports(j, IN, s->n_in, call->in, s->in);
    set_ports(j, OUT, s->n_out, call->out, s->out);
    if (call->kind != POYI_EVALUATE) {
        for (int i = 0; i < s->n_in; i++)
            j->port[IN][i].absent |= !(j->op->flags & POY_REC_NEEDS_INPUTS);
        for (int i = 0; i < s->n_out; i++)
            j->port[OUT][i].absent |= !(j->op->flags & POY_REC_NEEDS_OUTPUTS);
        set_derivative_ports(j, DIRECTION, call->kind == POYI_PUSHFORWARD);
        set_derivative_ports(j, RESULT, call->kind == POYI_PULLBACK);
    }
    place(j);
    set_wave(j);
}

/* ---- one item ---- */

static void widen(const double *x, int64_t n, double *z)
{
    for (int64_t i = 0; i < n; i++) {
        z[2 * i] = x[i];
        z[2 * i + 1] = 0.0;
    }
}

static void narrow(const double *z, int64_t n, double *x)
{
    for (int64_t i = 0; i < n; i++)
        x[i] = z[2 * i];
}

static unsigned char *user_data(const job *j, const port *p, int64_t item)
{
    unsigned char *base = p->user->data;
    return base ? base + poyi_batch_offset(&j->call->batch, p->user->batch_stride, item) : empty_array;
}

static void set_views(const job *j, worker *w, int64_t item)
{
    unsigned char *memory = w->memory;
    for (int list = 0; list < LISTS; list++)
        for (int i = 0; i < j->n[list]; i++) {
            const port *p = &j->port[list][i];
            poy_rec_array *v = &w->view[list][i];
            v->spec = p->spec;
            if (p->summed)
                v->data = j->slots + (size_t)(item % j->wave) * j->slot_bytes + p->at;
            else if (p->own)
                v->data = memory + p->at;
            else
                v->data = p->absent ? NULL : user_data(j, p, item);
            if (p->own && !p->absent && list != RESULT && memory)
                widen((const double *)(const void *)user_data(j, p, item), poy_rec_count(&p->spec), v->data);
        }
}

/* A real input in a complex slot: the real part of its gradient. */
static void narrow_results(const job *j, const worker *w, int64_t item)
{
    for (int i = 0; i < j->n[RESULT]; i++) {
        const port *p = &j->port[RESULT][i];
        if (p->own && !p->absent)
            narrow(w->view[RESULT][i].data, poy_rec_count(&p->spec), (double *)(void *)user_data(j, p, item));
    }
}

static poy_status call_author(const job *j, worker *w, const poy_rec_item *item)
{
    switch (j->call->kind) {
    case POYI_EVALUATE: return j->op->evaluate(w->ctx, item);
    case POYI_PULLBACK: return j->op->pullback(w->ctx, item, w->view[DIRECTION], w->view[RESULT]);
    case POYI_PUSHFORWARD: return j->op->pushforward(w->ctx, item, w->view[DIRECTION], w->view[RESULT]);
    }
    return POY_ERR_INTERNAL;
}

/* Puts a bare code into words, and says which item it was. */
static poy_status tell(const job *j, poy_ctx *ctx, poy_status status, int64_t item)
{
    static const char *const function[] = {"evaluate", "pullback", "pushforward"};
    const char *name = function[j->call->kind];
    char call[128];

    if ((int)status < 0 || status >= POY_STATUS_COUNT)
        status =
            POYI_FAIL(ctx, POY_ERR_CALLBACK, "%s.%s returned %d, which is no status", j->op->name, name, (int)status);
    size_t length = strlen(j->op->name);
    length = length < 100 ? length : 100;
    memcpy(call, j->op->name, length);
    call[length] = '.';
    memcpy(call + length + 1, name, strlen(name) + 1);
    poyi_passed(ctx, status, call, __func__, __FILE__, __LINE__);
    if (j->call->items > 1)
        POYI_FAIL(ctx, status, "item %lld of a batch of %lld: %s", (long long)item, (long long)j->call->items,
                  poy_ctx_cause(ctx));
    return status;
}

static poy_status run_item(const job *j, worker *w, int64_t item)
{
    const poyi_call *c = j->call;
    set_views(j, w, item);
    poy_rec_item it = {.config = c->record->config, .in = w->view[IN], .out = w->view[OUT], .scratch = w->memory};
    unsigned char *states = c->state.data;
    unsigned char *state =
        states ? states + poyi_batch_offset(&c->batch, c->state.batch_stride, item) + POY_REC_STATE_HEAD : NULL;
    if (c->kind != POYI_EVALUATE)
        it.saved = state;
    else if (state) /* every byte of it is checked later, those between an author's members, too */
        it.state = memset(state, 0, c->shapes->item_bytes - POY_REC_STATE_HEAD);
    poy_ctx_clear(w->ctx); /* a bare code is then seen as such */
    poy_status status = call_author(j, w, &it);
    if (status != POY_OK)
        return tell(j, w->ctx, status, item);
    narrow_results(j, w, item);
    if (c->seal && state)
        poyi_state_seal(c->record, c->shapes, state - POY_REC_STATE_HEAD);
    return POY_OK;
}

/* ---- all items ---- */

static poy_status run_serial(const job *j, worker *w, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i++)
        POYI_TRY(w->ctx, run_item(j, w, i));
    return POY_OK;
}

#ifdef _OPENMP

static poy_status create_workers(poy_ctx *ctx, const job *j, int n, worker **out)
{
    worker *w = calloc((size_t)n, sizeof *w);
    *out = w;
    if (!w)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for %d threads", j->op->name, n);
    for (int i = 0; i < n; i++) {
        w[i].failed = INT64_MAX;
        POYI_TRY(ctx, poy_ctx_fork(ctx, &w[i].ctx));
        poy_ctx_set_log(w[i].ctx, NULL, NULL, POY_LOG_ERROR); /* whose function serves one thread at a time */
        POYI_TRY(ctx, poyi_alloc(ctx, "record.scratch", j->worker_bytes, &w[i].memory));
    }
    return POY_OK;
}

static void destroy_workers(worker *w, int n)
{
    for (int i = 0; w && i < n; i++) {
        poyi_free(&w[i].memory);
        if (w[i].ctx)
            poy_ctx_destroy(&w[i].ctx);
    }
    free(w);
}

static void lower_to(_Atomic int64_t *least, int64_t value)
{
    int64_t old = atomic_load(least);
    while (old > value && !atomic_compare_exchange_weak(least, &old, value)) {
    }
}

/* Items beyond a failed one are left out, those before it are not: so the failure told is that of the first. */
static void run_threads(const job *j, worker *w, int threads, int64_t chunk, int64_t first, int64_t end,
                        _Atomic int64_t *failed)
{
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, chunk)
    for (int64_t i = first; i < end; i++) {
        worker *mine = &w[omp_get_thread_num()];
        if (i > atomic_load(failed))
            continue;
        const poy_status status = run_item(j, mine, i);
        if (status != POY_OK) {
            mine->failed = i;
            mine->status = status;
            lower_to(failed, i);
        }
    }
}

static poy_status run_parallel(poy_ctx *ctx, const job *j, int threads, int64_t first, int64_t end)
{
    const int64_t share = (end - first) / (8 * (int64_t)threads); /* small enough to even out, not one by one */
    _Atomic int64_t failed = INT64_MAX;
    worker *w = NULL;
    poy_status status;

    POYI_TO_DONE(ctx, create_workers(ctx, j, threads, &w));
    run_threads(j, w, threads, share > 1 ? share : 1, first, end, &failed);
    for (int i = 0; i < threads; i++)
        if (w[i].failed == failed && failed != INT64_MAX)
            status = POYI_FAIL(ctx, w[i].status, "%s", poy_ctx_cause(w[i].ctx));
done:
    destroy_workers(w, threads);
    return status;
}

/* Threads for what is left of the batch, after one item has taken so many seconds. */
static int threads_for(poy_ctx *ctx, const job *j, int64_t left, double seconds)
{
    const double worth = 100e-6; /* starting threads and forking contexts costs some 10 us */
    const int threads = poy_ctx_threads(ctx);
    if (j->op->flags & POY_REC_ONE_THREAD || omp_in_parallel() || seconds * (double)left < worth)
        return 1;
    return left < threads ? (int)left : threads;
}

#endif

static poy_status run_range(const job *j, worker *w, int64_t first, int64_t end)
{
#ifdef _OPENMP
    if (end - first > 1) {
        const double start = omp_get_wtime();
        POYI_TRY(w->ctx, run_item(j, w, first++));
        const int threads = threads_for(w->ctx, j, end - first, omp_get_wtime() - start);
        if (threads > 1)
            return run_parallel(w->ctx, j, threads, first, end);
    }
#endif
    return run_serial(j, w, first, end);
}

static void add(double *to, const double *from, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        to[i] += from[i];
}

static void add_item(const job *j, int64_t item)
{
    for (int i = 0; i < j->n[RESULT]; i++) {
        const port *p = &j->port[RESULT][i];
        const int64_t n = poy_rec_count(&p->spec);
        if (!p->summed)
            continue;
        double *from = (double *)(void *)(j->slots + (size_t)(item % j->wave) * j->slot_bytes + p->at);
        double *to = (double *)(void *)user_data(j, p, item);
        if (p->widened) /* in place: an element moves to or before where it was */
            narrow(from, n, from);
        add(to, from, n * (p->user->spec.dtype == POY_C128 ? 2 : 1));
    }
}

/* ---- zeros ---- */

static void zero(const job *j, const port *p)
{
    const size_t bytes = poy_rec_bytes(&p->user->spec);
    poy_rec_batch distinct;
    const int64_t n = poyi_batch_distinct(&j->call->batch, p->user->batch_stride, &distinct);
    for (int64_t i = 0; bytes && i < n; i++)
        memset((unsigned char *)p->user->data + poyi_batch_offset(&distinct, p->user->batch_stride, i), 0, bytes);
}

/* Zeros where sums start, where nothing depends on the input, and, if all directions are absent, everywhere. Returns
 * whether anything is left for the author to do. */
static int zero_results(const job *j)
{
    int directions = 0, results = 0;
    for (int i = 0; i < j->n[DIRECTION]; i++)
        directions += !j->port[DIRECTION][i].absent;
    for (int i = 0; i < j->n[RESULT]; i++) {
        const port *p = &j->port[RESULT][i];
        if (p->user->data && (!directions || p->absent || p->summed || j->call->items == 0))
            zero(j, p);
        results += !p->absent;
    }
    return directions && results;
}

poy_status poyi_call_run(poy_ctx *ctx, const poyi_call *call)
{
    _Alignas(64) unsigned char small[SMALL_BYTES];
    job j;
    worker w;
    void *memory = NULL, *slots = NULL;
    size_t bytes;
    poy_status status = POY_OK;

    set_up(&j, call);
    if ((call->kind != POYI_EVALUATE && !zero_results(&j)) || call->items == 0)
        return POY_OK;
    if (j.worker_bytes > SMALL_BYTES)
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "record.scratch", j.worker_bytes, &memory));
    w.ctx = ctx;
    w.memory = memory ? memory : small;
    if (j.slot_bytes) {
        POYI_TO_DONE(ctx, poyi_mul_size(ctx, (size_t)j.wave, j.slot_bytes, &bytes));
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "record.sums", bytes, &slots));
        j.slots = slots;
    }
    for (int64_t first = 0; first < call->items; first += j.wave) {
        const int64_t end = first + j.wave < call->items ? first + j.wave : call->items;
        POYI_TO_DONE(ctx, run_range(&j, &w, first, end));
        for (int64_t i = first; j.slot_bytes && i < end; i++)
            add_item(&j, i);
    }
done:
    poyi_free(&slots);
    poyi_free(&memory);
    return status;
}
