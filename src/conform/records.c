/* records.c: derivative records held to their own examples; a process goes on where another one died. */
#define _POSIX_C_SOURCE 200809L /* fnmatch */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "conform/isolate.h"
#include "conform/part.h"
#include "poynting/conform_records.h"
#include "poynting/record.h"

enum { RECORDS_MAX = 1024, SEEDS = 3 };

typedef struct way {
    poyi_watch watch; /* first: isolate.h */
    int at, next;     /* the record under way, its next case */
    int is_given_up;  /* the one under way */
    int n;            /* records begun */
    poy_conform_record told[RECORDS_MAX];
} way;

typedef struct run {
    const poy_conform_options *options;
    const char *pattern;
    const poyi_case_id *only; /* of the one case; NULL: all */
    way *way;
    poy_conform_record_fn *fn;
    void *user;
    int n_told, *failed;
} run;

static void tell_record(void *user)
{
    run *r = user;
    const poy_conform_record *record = &r->way->told[r->n_told++];
    *r->failed += record->failed;
    if (r->fn)
        r->fn(r->user, record);
}

static void end_case(void *shared, const char *how, int is_late)
{
    way *w = shared;
    poy_conform_record *t = &w->told[w->n - 1];
    poyi_conform_fail(&t->failed, sizeof t->failure, t->failure, w->watch.name, how);
    t->crashed++;
    t->hung += is_late;
    w->next++;
    w->is_given_up = is_late || t->crashed >= POYI_CRASHES_MAX;
    if (w->is_given_up)
        poyi_conform_give_up(sizeof t->failure, t->failure, w->watch.name);
}

static void note_worst(double *most, double value)
{
    *most = value <= *most ? *most : value; /* a NaN stays */
}

static void check(poy_ctx *ctx, way *w, int example, uint64_t seed)
{
    poy_conform_record *t = &w->told[w->n - 1];
    poy_rec_check found;
    char name[sizeof w->watch.name];
    snprintf(name, sizeof name, "record:%s.%d.%llu", t->record, example, (unsigned long long)seed);
    poyi_watch_begin(&w->watch, 1, name);
    t->cases++;
    const poy_status status = poy_record_check_example(ctx, t->record, example, seed, &found);
    if (status != POY_OK || found.fault)
        poyi_conform_fail(&t->failed, sizeof t->failure, t->failure, name,
                          status == POY_OK ? found.fault : poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    if (status != POY_OK)
        return;
    note_worst(&t->adjoint, found.adjoint);
    note_worst(&t->restored, found.restored);
    note_worst(&t->batch, found.batch);
}

/* The cases of a record, from where w stands. */
static poy_status run_record(poy_ctx *ctx, const run *r, const poy_rec_info *info)
{
    way *w = r->way;
    const int cases = r->only ? 1 : info->n_examples * SEEDS;
    if (!w->next) {
        if (w->n == RECORDS_MAX)
            return POYI_FAIL(ctx, POY_ERR_INTERNAL, "conform: more than %d records", RECORDS_MAX);
        w->is_given_up = 0;
        w->told[w->n] = (poy_conform_record){.cases = 0};
        snprintf(w->told[w->n].record, sizeof w->told[0].record, "%s", info->name);
        w->n++;
    }
    if (r->only && r->only->number[0] >= (uint64_t)info->n_examples)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: record %s has no example %llu", info->name,
                         (unsigned long long)r->only->number[0]);
    for (; w->next < cases && !w->is_given_up; w->next++) {
        POYI_TRY(ctx, poyi_conform_goes_on(ctx));
        if (r->only)
            check(ctx, w, (int)r->only->number[0], r->only->number[1]);
        else
            check(ctx, w, w->next / SEEDS, r->options->seed + (uint64_t)(w->next % SEEDS));
    }
    poy_conform_record *t = &w->told[w->n - 1];
    if (!t->cases) { /* what cannot fail is not held to anything */
        t->failed = 1;
        snprintf(t->failure, sizeof t->failure, "it declares no examples, so nothing can be checked");
    }
    return POY_OK;
}

/* "poy.s*" and "s*" name the same records. */
static int is_asked_for(const run *r, const char *name)
{
    const char *dot = strchr(name, '.');
    if (r->only)
        return !strcmp(r->only->of, name);
    return !r->pattern || !fnmatch(r->pattern, name, 0) || (dot && !fnmatch(r->pattern, dot + 1, 0));
}

static poy_status work(poy_ctx *ctx, void *shared)
{
    way *w = shared;
    const run *r = w->watch.user;
    const char *name;
    for (; (name = poy_record_known(ctx, w->at)) != NULL; w->at++, w->next = 0) {
        poy_rec_info info;
        poyi_watch_begin(&w->watch, 0, "described");
        if (!is_asked_for(r, name) || poy_record_describe(ctx, name, &info) != POY_OK)
            continue;
        POYI_TRY(ctx, run_record(ctx, r, &info));
        poyi_watch_tell(&w->watch);
    }
    if (!w->n)
        return r->only ? POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: there is no record '%s'", r->only->of)
                       : POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no record matches \"%s\"", r->pattern ? r->pattern : "*");
    return POY_OK;
}

poy_status poy_conform_records(poy_ctx *ctx, const poy_conform_options *options, const char *records,
                               poy_conform_record_fn *fn, void *user, int *failed)
{
    poy_conform_options o;
    poyi_case_id only;
    void *shared = NULL;

    *failed = 0;
    POYI_TRY(ctx, poyi_conform_options_read(ctx, options, &o));
    run r = {.options = &o, .pattern = records, .fn = fn, .user = user, .failed = failed};
    if (o.only) {
        POYI_TRY(ctx, poyi_case_id_read(ctx, o.only, "record", 2, "record:poy.solve.0.1", &only));
        r.only = &only;
    }
    POYI_TRY(ctx, poyi_watch_create(ctx, sizeof(way), &shared));
    r.way = shared;
    const poyi_task task = {.work = work, .died = end_case, .told = tell_record, .user = &r, .seconds = o.case_seconds};
    const poy_status status = poyi_task_run(ctx, &task, o.isolated, shared);
    poyi_watch_destroy(sizeof(way), &shared);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poyi_task_run", __func__, __FILE__, __LINE__);
    return POY_OK;
}
