/* engine.c: what contexts share: a counted object with a lock, settings, the ledger, and the shared state of rooms. */
#define _GNU_SOURCE /* sched_getaffinity, recursive mutexes */
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

#if defined(_OPENMP)
#include <omp.h>
#endif

#include "core/engine.h"

enum { SHARED_MAX = 16 };

typedef struct shared {
    const char *key;
    void *state;
    void (*destroy)(void *);
} shared;

struct poyi_engine {
    _Atomic int references;
    pthread_mutex_t lock;
    poyi_settings settings;
    poyi_ledger *ledger;
    shared shared[SHARED_MAX];
    int n_shared;
};

/* A team of OpenMP does not survive fork: the child's first parallel region would wait for ever for threads that its parent has. So the
 * thread that forks ends its team before; the next region makes another. */
static void before_fork(void)
{
#if defined(_OPENMP)
    omp_pause_resource_all(omp_pause_soft);
#endif
}

static void watch_forks(void)
{
    pthread_atfork(before_fork, NULL, NULL);
}

poyi_engine *poyi_engine_create(void)
{
    static pthread_once_t watched = PTHREAD_ONCE_INIT;
    poyi_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return NULL;
    pthread_once(&watched, watch_forks);
    engine->ledger = poyi_ledger_create();
    if (!engine->ledger) {
        free(engine);
        return NULL;
    }
    pthread_mutexattr_t attributes;
    pthread_mutexattr_init(&attributes);
    pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
    pthread_mutex_init(&engine->lock, &attributes);
    pthread_mutexattr_destroy(&attributes);
    engine->references = 1;
    return engine;
}

poyi_engine *poyi_engine_ref(poyi_engine *engine)
{
    atomic_fetch_add(&engine->references, 1);
    return engine;
}

void poyi_engine_unref(poyi_engine **engine_)
{
    poyi_engine *engine = *engine_;
    *engine_ = NULL;
    if (!engine || atomic_fetch_sub(&engine->references, 1) != 1)
        return;
    for (int i = engine->n_shared; i-- > 0;) /* last made, first destroyed */
        engine->shared[i].destroy(engine->shared[i].state);
    poyi_ledger_destroy(&engine->ledger);
    pthread_mutex_destroy(&engine->lock);
    free(engine);
}

void poyi_engine_lock(poyi_engine *engine)
{
    pthread_mutex_lock(&engine->lock);
}

void poyi_engine_unlock(poyi_engine *engine)
{
    pthread_mutex_unlock(&engine->lock);
}

static shared *find_shared(poyi_engine *engine, const char *key)
{
    for (int i = 0; i < engine->n_shared; i++)
        if (engine->shared[i].key == key)
            return &engine->shared[i];
    return NULL;
}

poy_status poyi_engine_shared(poy_ctx *ctx, const char *key, poyi_shared_create *create, void (*destroy)(void *),
                              void **out)
{
    poyi_engine *engine = poyi_ctx_engine(ctx);
    poy_status status = POY_OK;
    void *state = NULL;

    *out = NULL;
    poyi_engine_lock(engine);
    shared *found = find_shared(engine, key);
    if (found) {
        *out = found->state;
    } else if (engine->n_shared == SHARED_MAX) {
        status = POYI_FAIL(ctx, POY_ERR_INTERNAL, "no room for the shared state '%s': %d are kept", key, SHARED_MAX);
    } else {
        status = create(ctx, &state);
        if (status == POY_OK) { /* create may itself have added one: look at n_shared only now */
            engine->shared[engine->n_shared++] = (shared){key, state, destroy};
            *out = state;
        }
    }
    poyi_engine_unlock(engine);
    return status;
}

poyi_settings *poyi_engine_settings(poyi_engine *engine)
{
    return &engine->settings;
}

poyi_ledger *poyi_engine_book(poyi_engine *engine)
{
    return engine->ledger;
}

int poyi_engine_processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0 && CPU_COUNT(&set) > 0)
        return CPU_COUNT(&set);
#endif
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (int)n : 1;
}
