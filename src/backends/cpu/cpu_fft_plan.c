/* cpu_fft_plan.c: makes FFTW plans under one lock and keeps them in the engine, the last used ones. */
#define _POSIX_C_SOURCE 200809L /* pthread mutexes */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cpu/cpu_fft_plan.h"

enum { KEPT_MAX = 64, ALIGNED = 16 }; /* FFTW's vectors want 16 bytes */

typedef struct cache cache;

struct poyi_fft_plan {
    poyi_fft_spec spec;
    int estimate, unaligned, deterministic;
    const poyi_fftw *fftw;
    void *plan;
    int holders; /* under the planner's lock, as all below */
    cache *cache;
    poyi_fft_plan *next; /* last used first */
};

struct cache {
    poyi_fft_plan *first;
};

static const char cache_key[] = "cpu.fft";
static pthread_mutex_t planner = PTHREAD_MUTEX_INITIALIZER;

void poyi_fft_planner_lock(void)
{
    pthread_mutex_lock(&planner);
}

void poyi_fft_planner_unlock(void)
{
    pthread_mutex_unlock(&planner);
}

/* ---- the cache ---- */

static poy_status create_cache(poy_ctx *ctx, void **out)
{
    *out = calloc(1, sizeof(cache));
    if (!*out)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the cache of FFT plans");
    return POY_OK;
}

static void destroy_plan(poyi_fft_plan *plan)
{
    plan->fftw->destroy(plan->plan);
    free(plan);
}

static void destroy_cache(void *state)
{
    cache *c = state;
    poyi_fft_planner_lock();
    while (c->first) {
        poyi_fft_plan *plan = c->first;
        c->first = plan->next;
        destroy_plan(plan);
    }
    poyi_fft_planner_unlock();
    free(c);
}

static int same_plan(const poyi_fft_plan *a, const poyi_fft_plan *b)
{
    const poyi_fft_spec *s = &a->spec, *t = &b->spec;
    return s->real == t->real && s->kind == t->kind && s->sign == t->sign && s->n == t->n && s->howmany == t->howmany &&
           s->in_dist == t->in_dist && s->out_dist == t->out_dist && s->in_place == t->in_place &&
           s->may_destroy == t->may_destroy && a->estimate == b->estimate && a->unaligned == b->unaligned &&
           a->deterministic == b->deterministic;
}

/* Takes the plan like wanted out of the list, and drops the ones unused for longest that are too many. */
static poyi_fft_plan *take_found(cache *c, const poyi_fft_plan *wanted)
{
    poyi_fft_plan *found = NULL;
    int kept = 0;
    for (poyi_fft_plan **link = &c->first; *link;) {
        poyi_fft_plan *plan = *link;
        if (!found && same_plan(plan, wanted)) {
            found = plan;
            *link = plan->next;
        } else if (++kept >= KEPT_MAX && plan->holders == 0) {
            *link = plan->next;
            destroy_plan(plan);
        } else {
            link = &plan->next;
        }
    }
    return found;
}

/* ---- making plans ---- */

/* Bytes that a plan reads, writes, from the first line's start to the last one's end. */
static poy_status memory_bytes(poy_ctx *ctx, const poyi_fft_spec *spec, size_t bytes[2])
{
    size_t real = poy_dtype_size(spec->real), half = (size_t)(spec->n / 2 + 1);
    size_t pairs = spec->kind == POY_FFT_C2C ? (size_t)spec->n : half;
    int complex_in = spec->kind != POY_FFT_R2C, complex_out = spec->kind != POY_FFT_C2R;
    size_t line[2] = {complex_in || spec->in_place ? 2 * pairs : (size_t)spec->n,
                      complex_out || spec->in_place ? 2 * pairs : (size_t)spec->n};
    size_t dist[2] = {(size_t)spec->in_dist * (complex_in ? 2 : 1), (size_t)spec->out_dist * (complex_out ? 2 : 1)};
    for (int i = 0; i < 2; i++) {
        POYI_TRY(ctx, poyi_mul_size(ctx, dist[i], (size_t)spec->howmany - 1, &bytes[i]));
        POYI_TRY(ctx, poyi_mul_size(ctx, bytes[i] + line[i], real, &bytes[i]));
    }
    return POY_OK;
}

static void *plan_with_fftw(poy_ctx *ctx, const poyi_fft_plan *p, const poyi_fft_memory *m)
{
    const poyi_fftw *fftw = p->fftw;
    if (!p->estimate) {
        void *plan = poyi_fft_choose(fftw, &p->spec, m, p->unaligned);
        if (plan)
            poyi_fft_wisdom_store(ctx);
        return plan;
    }
    if (!p->deterministic)
        return fftw->plan(&p->spec, m->in, m->out, POYI_FFTW_ESTIMATE, p->unaligned);
    char *known = fftw->export_wisdom(); /* set aside: it differs from run to run */
    fftw->forget_wisdom();
    void *plan = fftw->plan(&p->spec, m->in, m->out, POYI_FFTW_ESTIMATE, p->unaligned);
    fftw->forget_wisdom();
    if (known)
        fftw->import_wisdom(known);
    free(known);
    return plan;
}

static poy_status make_plan(poy_ctx *ctx, const poyi_fft_plan *wanted, void *in, void *out, poyi_fft_plan **made)
{
    const poyi_fft_spec *spec = &wanted->spec;
    poy_status status = POY_OK;
    poyi_fft_memory memory = {.in = in, .out = out};
    void *scratch[2] = {NULL, NULL};
    poyi_fft_plan *plan = malloc(sizeof *plan);

    if (!plan) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for an FFT plan");
        goto done;
    }
    *plan = *wanted;
    size_t *bytes = memory.bytes;
    POYI_TO_DONE(ctx, memory_bytes(ctx, spec, bytes));
    if (!in) {
        POYI_TO_DONE(ctx, poyi_alloc(ctx, "fft.planning", bytes[0] > bytes[1] ? bytes[0] : bytes[1], &scratch[0]));
        if (!spec->in_place)
            POYI_TO_DONE(ctx, poyi_alloc(ctx, "fft.planning", bytes[1], &scratch[1]));
        memory.in = scratch[0];
        memory.out = spec->in_place ? scratch[0] : scratch[1];
    }
    plan->plan = plan_with_fftw(ctx, plan, &memory);
    if (!plan->plan) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "FFTW makes no plan for %lld lines of length %lld",
                           (long long)spec->howmany, (long long)spec->n);
        goto done;
    }
    *made = plan;
    plan = NULL;
done:
    free(plan);
    poyi_free(&scratch[1]);
    poyi_free(&scratch[0]);
    return status;
}

poy_status poyi_fft_plan_get(poy_ctx *ctx, const poyi_cpu *cpu, const poyi_fft_spec *spec, void *in, void *out,
                             poyi_fft_plan **plan)
{
    poy_status status = POY_OK;
    void *state = NULL;
    int deterministic = poy_ctx_deterministic(ctx);

    *plan = NULL;
    POYI_TRY(ctx, poyi_engine_shared(ctx, cache_key, create_cache, destroy_cache, &state));
    cache *c = state;
    poyi_fft_plan wanted = {.spec = *spec,
                            .estimate = cpu->fft_estimate || deterministic,
                            .deterministic = deterministic,
                            .unaligned = (((uintptr_t)in | (uintptr_t)out) & (ALIGNED - 1)) != 0,
                            .fftw = spec->real == POY_F32 ? &poyi_fftw_f32 : &poyi_fftw_f64,
                            .cache = c};
    poyi_engine *engine = poyi_ctx_engine(ctx);
    poyi_engine_lock(engine); /* always before the planner's: opening a backend, too, takes both */
    poyi_fft_planner_lock();
    poyi_fft_plan *found = take_found(c, &wanted);
    if (!found)
        status = make_plan(ctx, &wanted, in, out, &found);
    if (status == POY_OK) {
        found->holders++;
        found->next = c->first;
        c->first = found;
    }
    poyi_fft_planner_unlock();
    poyi_engine_unlock(engine);
    *plan = found;
    return status;
}

void poyi_fft_plan_run(const poyi_fft_plan *plan, void *in, void *out)
{
    plan->fftw->run(plan->plan, &plan->spec, in, out);
}

void poyi_fft_plan_release(poyi_fft_plan **plan)
{
    if (*plan) {
        poyi_fft_planner_lock();
        (*plan)->holders--;
        poyi_fft_planner_unlock();
    }
    *plan = NULL;
}

void poyi_fft_describe(const poyi_cpu *cpu, size_t size, char *out)
{
    poyi_fft_planner_lock();
    const char *digest = poyi_fft_wisdom_digest();
    snprintf(out, size, "fft: %s (%s)\nfft wisdom: %s\n", poyi_fftw_f64.version,
             cpu->fft_estimate ? "estimate" : "measure", digest[0] ? digest : "none");
    poyi_fft_planner_unlock();
}
