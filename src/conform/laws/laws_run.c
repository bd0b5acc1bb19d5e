/* laws_run.c: the way through the objects that are held to laws, on which a process goes on where another one died. An object that
 * cannot be made, or whose functions fail, is one that failed. */
#define _POSIX_C_SOURCE 200809L /* fnmatch */
#include "conform/laws/laws_run.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "conform/isolate.h"
#include "conform/part.h"

typedef struct way {
    poyi_watch watch; /* first: isolate.h */
    int at;           /* the case under way */
    int n, hung;      /* cases told of, of these those that hung */
    poy_conform_law told[POYI_LAW_CASES];
} way;

typedef struct run {
    const poy_conform_options *options;
    const poyi_law_suite *suite;
    const char *pattern;
    const char *only; /* "operator-block.f64"; NULL: all */
    uint64_t seed;
    way *way;
    poy_conform_law_fn *fn;
    void *user;
    int n_told, *failed;
} run;

static void tell_law(void *user)
{
    run *r = user;
    const poy_conform_law *law = &r->way->told[r->n_told++];
    *r->failed += law->failed;
    if (r->fn)
        r->fn(r->user, law);
}

static void keep_law(void *user, const poy_conform_law *law)
{
    way *w = user;
    w->told[w->n] = *law;
}

static void end_case(void *shared, const char *how, int is_late)
{
    way *w = shared;
    poy_conform_law *law = &w->told[w->n++];
    law->cases = law->crashed = 1;
    law->hung = is_late;
    law->failed = 0;
    poyi_conform_fail(&law->failed, sizeof law->failure, law->failure, w->watch.name, how);
    w->hung += is_late;
    if (w->hung == POYI_CRASHES_MAX)
        poyi_conform_give_up(sizeof law->failure, law->failure, w->watch.name);
    w->at++;
    w->watch.told(w->watch.user);
}

static int is_asked_for(const run *r, const char *object, poy_dtype dtype)
{
    const char *kind = strchr(object, ' ');
    char name[POYI_LAW_CASE];
    if (r->only) {
        const size_t n = strlen("law:"), of = strlen(r->only);
        poyi_law_case(object, dtype, r->seed, name);
        return !strncmp(name + n, r->only, of) && name[n + of] == '.' && !strchr(name + n + of + 1, '.');
    }
    if (r->options->dtypes && !(r->options->dtypes & 1u << dtype))
        return 0;
    return !r->pattern || !fnmatch(r->pattern, object, 0) || (kind && !fnmatch(r->pattern, kind + 1, 0));
}

/* One object; what keeps it from being judged is a finding, but for want of memory. */
static poy_status run_case(poy_ctx *ctx, const run *r, const char *object, poy_dtype dtype)
{
    way *w = r->way;
    poy_conform_law *law = &w->told[w->n];
    char name[POYI_LAW_CASE];
    int failed = 0;
    *law = (poy_conform_law){.dtype = dtype};
    snprintf(law->object, sizeof law->object, "%s", object);
    poyi_law_case(object, dtype, r->seed, name);
    poyi_watch_begin(&w->watch, 1, name);
    const poy_status status = r->suite->hold(r->suite->user, w->at, keep_law, w, &failed);
    if (status == POY_ERR_MEMORY || status == POY_ERR_INTERRUPTED)
        return status;
    if (status != POY_OK) {
        law->cases++;
        poyi_conform_fail(&law->failed, sizeof law->failure, law->failure, name, poy_ctx_cause(ctx));
        poy_ctx_clear(ctx);
    }
    return POY_OK;
}

static poy_status run_cases(poy_ctx *ctx, const run *r)
{
    way *w = r->way;
    const char *object;
    poy_dtype dtype;
    for (; w->at < r->suite->n && w->hung < POYI_CRASHES_MAX; w->at++) {
        if (!r->suite->name(r->suite->user, w->at, &object, &dtype) || !is_asked_for(r, object, dtype))
            continue;
        POYI_TRY(ctx, poyi_conform_goes_on(ctx));
        POYI_TRY(ctx, run_case(ctx, r, object, dtype));
        w->n++;
        poyi_watch_tell(&w->watch);
    }
    if (!w->n && r->only)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: there is no case '%s'", r->options->only);
    if (!w->n)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no space, operator or functional matches \"%s\"%s",
                         r->pattern ? r->pattern : "*", r->options->dtypes ? " in the element types named" : "");
    return POY_OK;
}

static poy_status work(poy_ctx *ctx, void *shared)
{
    way *w = shared;
    const run *r = w->watch.user;
    const poyi_law_suite *s = r->suite;
    poy_status status = POY_OK;
    poy_backend *be = NULL;
    poyi_watch_begin(&w->watch, 0, "opened");
    POYI_TRY(ctx, poy_backend_open(ctx, r->options->backend, &be));
    poyi_watch_begin(&w->watch, 0, s->starting);
    POYI_TO_DONE(ctx, s->start(ctx, s->user, be, r->seed));
    POYI_TO_DONE(ctx, run_cases(ctx, r));
done:
    poyi_watch_begin(&w->watch, 0, "closed");
    s->stop(s->user);
    poy_backend_close(&be);
    return status;
}

poy_status poyi_laws_run(poy_ctx *ctx, const poy_conform_options *options, const poyi_law_suite *suite,
                         const char *pattern, poy_conform_law_fn *fn, void *user, int *failed)
{
    poy_conform_options o;
    poyi_case_id only;
    void *shared = NULL;

    *failed = 0;
    POYI_TRY(ctx, poyi_conform_options_read(ctx, options, &o));
    run r = {
        .options = &o, .suite = suite, .pattern = pattern, .seed = o.seed, .fn = fn, .user = user, .failed = failed};
    if (o.only) {
        POYI_TRY(ctx, poyi_case_id_read(ctx, o.only, "law", 1, "law:operator-block.f64.1", &only));
        r.only = only.of;
        r.seed = only.number[0];
    }
    POYI_TRY(ctx, poyi_watch_create(ctx, sizeof(way), &shared));
    r.way = shared;
    const poyi_task task = {.work = work, .died = end_case, .told = tell_law, .user = &r, .seconds = o.case_seconds};
    const poy_status status = poyi_task_run(ctx, &task, o.isolated, shared);
    poyi_watch_destroy(sizeof(way), &shared);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poyi_task_run", __func__, __FILE__, __LINE__);
    return POY_OK;
}
