/* test_record.c: every record that the library has, because it is in records.def, at each of its examples: adjoint identity,
 * central differences whose error falls as the step squared, one array at a time, restored state, batches; derivatives on
 * four threads at once; states that were cut, changed, or are another record's. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

static const char *const rows[] = {
#define POY_RECORD(name, in, out, text) "poy." #name,
#include "poynting/records.def"
#undef POY_RECORD
};
enum { ROWS = sizeof rows / sizeof rows[0] };

/* ---- the self-check ---- */

static void figures(const poy_rec_check *c)
{
    note("adjoint %.1e, forward %.1e %.1e %.1e, reverse %.1e %.1e %.1e, rounding %.1e, parts %.1e, restored %.1e, "
         "batch %.1e",
         c->adjoint, c->forward[0], c->forward[1], c->forward[2], c->reverse[0], c->reverse[1], c->reverse[2],
         c->rounding, c->parts, c->restored, c->batch);
}

static void self_check(poy_ctx *ctx, const char *name, int example, uint64_t seed)
{
    poy_rec_check c;
    const poy_status status = poy_record_check_example(ctx, name, example, seed, &c);
    if (!ok(status == POY_OK && c.fault == NULL, "%s, example %d, seed %llu: self-check %s", name, example,
            (unsigned long long)seed, status == POY_OK ? "" : poy_ctx_cause(ctx)) &&
        status == POY_OK)
        note("fault: %s", c.fault);
    if (status == POY_OK)
        figures(&c);
}

/* ---- one example, opened and evaluated ---- */

typedef struct trial {
    poy_rec_info info;
    poy_record *r;
    poy_saved *saved;
    poy_rec_array in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX], grad[POY_REC_ARRAYS_MAX],
        out_tan[POY_REC_ARRAYS_MAX];
    void *state;
    size_t bytes;
} trial;

static void make(int n, const poy_rec_spec *spec, poy_rec_array *a)
{
    for (int i = 0; i < n; i++)
        a[i] = (poy_rec_array){.spec = spec[i], .data = calloc(1, poy_rec_bytes(&spec[i]) + 1)};
}

static void clear(int n, poy_rec_array *a)
{
    for (int i = 0; i < n; i++) {
        free(a[i].data);
        a[i].data = NULL;
    }
}

static poy_status derive(poy_ctx *ctx, const trial *t, const poy_saved *s, poy_rec_array *grad, poy_rec_array *out_tan)
{
    const poy_status status = poy_record_pullback(ctx, s, t->out, grad); /* the values serve as cotangents, */
    return status == POY_OK ? poy_record_pushforward(ctx, s, t->in, out_tan) : status; /* the inputs as tangents */
}

static poy_status start(poy_ctx *ctx, const char *name, int example, trial *t)
{
    poy_rec_spec in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX];
    const char *options = NULL;

    memset(t, 0, sizeof *t);
    poy_status status = poy_record_describe(ctx, name, &t->info);
    if (status == POY_OK)
        status = poy_record_example(ctx, name, example, &options, in);
    if (status == POY_OK)
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
    if (status == POY_OK)
        status = derive(ctx, t, t->saved, t->grad, t->out_tan);
    if (status != POY_OK)
        return status;
    t->bytes = poy_saved_bytes(t->saved);
    t->state = malloc(t->bytes + 16);
    return poy_saved_write(ctx, t->saved, t->state, t->bytes);
}

static void end(trial *t)
{
    clear(t->info.n_in, t->in);
    clear(t->info.n_in, t->grad);
    clear(t->info.n_out, t->out);
    clear(t->info.n_out, t->out_tan);
    free(t->state);
    poy_saved_destroy(&t->saved);
    poy_record_close(&t->r);
}

/* ---- four threads ---- */

enum { THREADS = 4, ROUNDS = 4 };

typedef struct job {
    const trial *t;
    poy_ctx *ctx;
    int same;
} job;

static int equal(int n, const poy_rec_array *a, const poy_rec_array *b)
{
    for (int i = 0; i < n; i++)
        if (memcmp(a[i].data, b[i].data, poy_rec_bytes(&a[i].spec)) != 0)
            return 0;
    return 1;
}

static void *work(void *arg)
{
    job *j = arg;
    const trial *t = j->t;
    poy_rec_spec in[POY_REC_ARRAYS_MAX], out[POY_REC_ARRAYS_MAX];
    poy_rec_array grad[POY_REC_ARRAYS_MAX], out_tan[POY_REC_ARRAYS_MAX];

    for (int i = 0; i < t->info.n_in; i++)
        in[i] = t->in[i].spec;
    for (int i = 0; i < t->info.n_out; i++)
        out[i] = t->out[i].spec;
    make(t->info.n_in, in, grad);
    make(t->info.n_out, out, out_tan);
    for (int round = 0; round < ROUNDS; round++)
        j->same += derive(j->ctx, t, t->saved, grad, out_tan) == POY_OK && equal(t->info.n_in, grad, t->grad) &&
                   equal(t->info.n_out, out_tan, t->out_tan);
    clear(t->info.n_in, grad);
    clear(t->info.n_out, out_tan);
    return NULL;
}

static void threads(poy_ctx *ctx, const trial *t)
{
    pthread_t thread[THREADS];
    job jobs[THREADS];
    int same = 0;

    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){.t = t};
        poy_ctx_fork(ctx, &jobs[i].ctx);
        pthread_create(&thread[i], NULL, work, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        poy_ctx_destroy(&jobs[i].ctx);
        same += jobs[i].same;
    }
    ok(same == THREADS * ROUNDS, "%s: four threads on one saved state get the same bits (%d of %d)",
       poy_record_identity(t->r), same, THREADS * ROUNDS);
}

/* ---- spoiled states ---- */

static poy_status restore(poy_ctx *ctx, const trial *t, const void *bytes, size_t size)
{
    poy_saved *s = NULL;
    void *copy = malloc(size + 8);
    memcpy(copy, bytes, size);
    const poy_rec_state state = {.data = copy, .size = size};
    const poy_status status = poy_record_restore(ctx, t->r, NULL, t->in, t->out, &state, POY_REC_BORROW, &s);
    poy_saved_destroy(&s);
    free(copy);
    return status;
}

static void spoiled(poy_ctx *ctx, const trial *t, const trial *other)
{
    unsigned char *bytes = t->state;
    size_t tried = 0, refused = 0;

    ok(restore(ctx, t, bytes, t->bytes) == POY_OK, "%s: a state of %zu bytes is taken back", poy_record_identity(t->r),
       t->bytes);
    if (t->bytes == 0)
        return;
    for (size_t i = 0; i < t->bytes; i += i < POY_REC_STATE_HEAD + 8 ? 1 : 37, tried++) {
        bytes[i] ^= 4;
        refused += restore(ctx, t, bytes, t->bytes) == POY_ERR_STATE;
        bytes[i] ^= 4;
    }
    for (size_t n = 0; n < t->bytes; n += 41, tried++)
        refused += restore(ctx, t, bytes, n) == POY_ERR_STATE;
    ok(refused == tried, "flipped or cut, it is refused (%zu of %zu)", refused, tried);
    if (other->bytes)
        ok(restore(ctx, t, other->state, other->bytes) == POY_ERR_STATE, "so is that of %s: %s",
           poy_record_identity(other->r), poy_ctx_cause(ctx));
}

/* ---- a record ---- */

static void check_record(poy_ctx *ctx, const char *name, const trial *other)
{
    poy_rec_info info;
    trial t;
    if (!ok(poy_record_describe(ctx, name, &info) == POY_OK && info.n_examples > 0, "%s has examples", name))
        return;
    ok(!info.reverse_only && *info.text, "%s has both derivatives, and says what it is: %s", name, info.text);
    for (int k = 0; k < info.n_examples; k++) {
        for (uint64_t seed = 1; seed <= 3; seed++)
            self_check(ctx, name, k, seed);
        const poy_status status = start(ctx, name, k, &t);
        if (ok(status == POY_OK, "%s, example %d: %s", name, k, poy_ctx_cause(ctx))) {
            threads(ctx, &t);
            spoiled(ctx, &t, other);
        }
        end(&t);
    }
}

int main(void)
{
    poy_ctx *ctx = NULL;
    trial solve, eig;
    if (poy_ctx_create(&ctx) != POY_OK || start(ctx, "poy.solve", 1, &solve) != POY_OK ||
        start(ctx, "poy.eig", 1, &eig) != POY_OK)
        return 1;
    for (int i = 0; i < ROWS; i++) {
        const char *known = poy_record_known(ctx, i);
        ok(known && !strcmp(known, rows[i]), "%s is known", rows[i]);
        check_record(ctx, rows[i], strcmp(rows[i], "poy.solve") != 0 ? &solve : &eig);
    }
    ok(poy_record_known(ctx, ROWS) == NULL, "no other record is built in");
    end(&solve);
    end(&eig);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero: %zu bytes", poy_ctx_bytes(ctx));
    poy_ctx_destroy(&ctx);
    return tap_done();
}
