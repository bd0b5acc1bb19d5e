/* test_concurrent.c: everything that contexts of one engine share, at work on several threads at once: each record of
 * records.def opened, evaluated, derived and restored, by a record of the thread's own and by one that all hold; programs
 * recorded and replayed on one backend; the ledger. Results are those of one thread, bit by bit. Its worth is greatest under
 * the thread sanitizer (preset tsan). */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

enum { THREADS = 4, REPLAYS = 50, N = 24 };

static const char *const rows[] = {
#define POY_RECORD(name, in, out, text) "poy." #name,
#include "poynting/records.def"
#undef POY_RECORD
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- a record at its first example ---- */

typedef struct trial {
    poy_rec_info info;
    poy_record *r;
    poy_saved *saved;
    poy_rec_array in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX], grad[POY_REC_ARRAYS_MAX],
        out_tan[POY_REC_ARRAYS_MAX];
} trial;

static void make(int n, const poy_rec_spec *spec, poy_rec_array *a)
{
    for (int i = 0; i < n; i++)
        a[i] = (poy_rec_array){.spec = spec[i], .data = calloc(1, poy_rec_bytes(&spec[i]) + 1)};
}

static void clear(int n, poy_rec_array *a)
{
    for (int i = 0; i < n; i++)
        free(a[i].data);
}

static int equal(int n, const poy_rec_array *a, const poy_rec_array *b)
{
    for (int i = 0; i < n; i++)
        if (memcmp(a[i].data, b[i].data, poy_rec_bytes(&a[i].spec)) != 0)
            return 0;
    return 1;
}

/* The values serve as cotangents, the inputs as tangents. */
static poy_status derive(poy_ctx *ctx, const poy_saved *saved, trial *t)
{
    const poy_status status = poy_record_pullback(ctx, saved, t->out, t->grad);
    return status == POY_OK ? poy_record_pushforward(ctx, saved, t->in, t->out_tan) : status;
}

/* held: a record that all hold; NULL: one of its own. */
static poy_status start(poy_ctx *ctx, const char *name, poy_record *held, trial *t)
{
    poy_rec_spec in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX];
    const char *options = NULL;

    memset(t, 0, sizeof *t);
    poy_status status = poy_record_describe(ctx, name, &t->info);
    if (status == POY_OK)
        status = poy_record_example(ctx, name, 0, &options, in);
    if (status == POY_OK && held)
        t->r = poy_record_keep(held);
    else if (status == POY_OK)
        status = poy_record_open(ctx, name, options, &t->r);
    if (status == POY_OK)
        status = poy_record_infer(ctx, t->r, in, out, NULL);
    if (status != POY_OK)
        return status;
    make(t->info.n_in, in, t->in);
    make(t->info.n_in, in, t->grad);
    make(t->info.n_out, out, t->out);
    make(t->info.n_out, out, t->out_tan);
    status = poy_record_sample(ctx, t->r, 17, t->in);
    if (status == POY_OK)
        status = poy_record_evaluate(ctx, t->r, NULL, t->in, t->out, &t->saved);
    return status == POY_OK ? derive(ctx, t->saved, t) : status;
}

static void end(trial *t)
{
    clear(t->info.n_in, t->in);
    clear(t->info.n_in, t->grad);
    clear(t->info.n_out, t->out);
    clear(t->info.n_out, t->out_tan);
    poy_saved_destroy(&t->saved);
    poy_record_close(&t->r);
}

static int same(const trial *a, const trial *b)
{
    return equal(a->info.n_out, a->out, b->out) && equal(a->info.n_in, a->grad, b->grad) &&
           equal(a->info.n_out, a->out_tan, b->out_tan);
}

/* The state as bytes and back, and derivatives from there. */
static int comes_back(poy_ctx *ctx, trial *t)
{
    const size_t bytes = poy_saved_bytes(t->saved);
    poy_rec_state state = {.data = malloc(bytes + 8), .size = bytes};
    poy_saved *s = NULL;
    const int good = poy_saved_write(ctx, t->saved, state.data, bytes) == POY_OK &&
                     poy_record_restore(ctx, t->r, NULL, t->in, t->out, &state, POY_REC_BORROW, &s) == POY_OK &&
                     derive(ctx, s, t) == POY_OK;
    poy_saved_destroy(&s);
    free(state.data);
    return good;
}

static trial alone[ROWS]; /* by one thread; their records and saved states are everybody's after that */

typedef struct worker {
    poy_ctx *ctx;
    poy_backend *be;
    int number, good, programs;
    char cause[256];
} worker;

/* One row: on a record and state of its own, then of all. */
static int row_of(worker *w, int k)
{
    trial t;
    int good = start(w->ctx, rows[k], w->number % 2 ? alone[k].r : NULL, &t) == POY_OK && same(&t, &alone[k]);
    good = good && comes_back(w->ctx, &t) && same(&t, &alone[k]);
    good = good && derive(w->ctx, alone[k].saved, &t) == POY_OK && same(&t, &alone[k]);
    end(&t);
    return good;
}

/* ---- programs ---- */

typedef struct turn {
    poy_array *a, *x, *y, *z, *spectrum, *sum;
} turn;

static poy_status step(poy_ctx *ctx, const turn *t)
{
    poy_status status = poy_matmul_into(ctx, t->a, t->x, t->y);
    if (status == POY_OK)
        status = poy_sum_as_into(ctx, t->y, POY_ALL_AXES, NULL, 0, t->sum);
    if (status == POY_OK)
        status = poy_div_into(ctx, t->y, t->sum, t->z);
    if (status == POY_OK)
        status = poy_fft_into(ctx, t->z, NULL, t->spectrum);
    return status == POY_OK ? poy_real_into(ctx, t->spectrum, t->x) : status;
}

static poy_status make_turn(poy_ctx *ctx, poy_backend *be, uint64_t seed, turn *t)
{
    static const int64_t square[2] = {N, N};
    const int64_t *const n = square;
    poy_status status = poy_random_uniform(ctx, be, seed, 0, POY_F64, 2, square, &t->a);
    if (status == POY_OK)
        status = poy_random_uniform(ctx, be, seed, 1, POY_F64, 1, n, &t->x);
    if (status == POY_OK)
        status = poy_array_create(ctx, be, POY_F64, 1, n, &t->y);
    if (status == POY_OK)
        status = poy_array_create(ctx, be, POY_F64, 1, n, &t->z);
    if (status == POY_OK)
        status = poy_array_create(ctx, be, POY_C128, 1, n, &t->spectrum);
    return status == POY_OK ? poy_array_create(ctx, be, POY_F64, 0, NULL, &t->sum) : status;
}

static void end_turn(turn *t)
{
    poy_array **const all[] = {&t->a, &t->x, &t->y, &t->z, &t->spectrum, &t->sum};
    for (int i = 0; i < 6; i++)
        poy_array_destroy(all[i]);
}

/* A program of the thread's own, recorded and run beside those of others, to the bits of the calls. */
static int replays(worker *w)
{
    turn by_calls = {.a = NULL}, by_program = {.a = NULL};
    poy_program *p = NULL;
    double want[N], got[N];
    const uint64_t seed = 100 + (uint64_t)w->number;
    int good =
        make_turn(w->ctx, w->be, seed, &by_calls) == POY_OK && make_turn(w->ctx, w->be, seed, &by_program) == POY_OK;
    for (int i = 0; i < REPLAYS && good; i++)
        good = step(w->ctx, &by_calls) == POY_OK;
    good = good && poy_program_begin(w->ctx, w->be, "turn") == POY_OK && step(w->ctx, &by_program) == POY_OK &&
           poy_program_end(w->ctx, &p) == POY_OK && poy_program_run(w->ctx, p, REPLAYS) == POY_OK &&
           poy_array_read(w->ctx, by_calls.x, want) == POY_OK && poy_array_read(w->ctx, by_program.x, got) == POY_OK &&
           !memcmp(want, got, sizeof want);
    poy_program_cancel(w->ctx);
    poy_program_destroy(&p);
    end_turn(&by_program);
    end_turn(&by_calls);
    return good;
}

/* ---- all at once ---- */

static void *work(void *argument)
{
    worker *w = argument;
    for (int i = 0; i < ROWS; i++) { /* each starts elsewhere: all kinds of pairs meet */
        const int k = (i + w->number * ROWS / THREADS) % ROWS;
        const int good = row_of(w, k);
        w->good += good;
        if (!good && !*w->cause)
            snprintf(w->cause, sizeof w->cause, "%s: %s", rows[k], poy_ctx_cause(w->ctx));
        if (i % 8 == 0)
            w->programs += replays(w);
    }
    return NULL;
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poy_backend *be = NULL;
    pthread_t thread[THREADS];
    static worker w[THREADS];
    int started = 0;

    if (poy_ctx_create(&ctx) != POY_OK || poy_backend_open(ctx, "cpu:fft=estimate", &be) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    for (int k = 0; k < ROWS; k++)
        started += start(ctx, rows[k], NULL, &alone[k]) == POY_OK;
    ok(started == ROWS, "%d records on one thread", started);
    for (int i = 0; i < THREADS; i++) {
        w[i] = (worker){.be = be, .number = i};
        if (poy_ctx_fork(ctx, &w[i].ctx) != POY_OK)
            return 1;
        poy_ctx_set_threads(w[i].ctx, 1);
    }
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, work, &w[i]) != 0)
            return 1;
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        ok(w[i].good == ROWS, "thread %d: %d of %d records give the bits of one thread%s%s", i, w[i].good, ROWS,
           *w[i].cause ? ": " : "", w[i].cause);
        ok(w[i].programs == (ROWS + 7) / 8, "its programs, too: %d", w[i].programs);
        poy_ctx_destroy(&w[i].ctx);
    }
    for (int k = 0; k < ROWS; k++)
        end(&alone[k]);
    poy_backend_close(&be);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu bytes", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}
