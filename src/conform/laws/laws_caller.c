/* laws_caller.c: an operator of a caller's, from a shared object, and the spaces that it maps between, as cases of laws. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "conform/laws/laws_run.h"

enum { DOMAIN, CODOMAIN, OPERATOR, CASES };

typedef struct caller {
    poy_ctx *ctx;
    poy_linop_entry_fn *entry;
    poy_backend *be;
    poy_linop *op;
    const char *symbol;
    uint64_t seed;
    char name[CASES][64];
} caller;

/* dlsym gives a pointer to an object; C has no cast from that to a function. */
static poy_linop_entry_fn *entry_in(void *library, const char *symbol)
{
    poy_linop_entry_fn *entry = NULL;
    void *address = dlsym(library, symbol);
    memcpy(&entry, &address, sizeof entry);
    return entry;
}

static poy_status start(poy_ctx *ctx, void *user, poy_backend *be, uint64_t seed)
{
    caller *t = user;
    t->ctx = ctx;
    t->be = be;
    t->seed = seed;
    snprintf(t->name[DOMAIN], sizeof t->name[0], "domain of %.40s", t->symbol);
    snprintf(t->name[CODOMAIN], sizeof t->name[0], "codomain of %.40s", t->symbol);
    snprintf(t->name[OPERATOR], sizeof t->name[0], "%.40s", t->symbol);
    const poy_status status = t->entry(ctx, be, &t->op);
    if (status != POY_OK || !t->op)
        return poyi_passed(ctx, status == POY_OK ? POY_ERR_CALLBACK : status, t->symbol, __func__, __FILE__, __LINE__);
    return POY_OK;
}

static int name_case(void *user, int i, const char **object, poy_dtype *dtype)
{
    const caller *t = user;
    const poy_space *from = poy_linop_domain(t->op), *to = poy_linop_codomain(t->op);
    *object = t->name[i];
    *dtype = poy_space_dtype(i == CODOMAIN ? to : from);
    return i != CODOMAIN || !poy_space_equal(from, to);
}

static poy_status hold(void *user, int i, poy_conform_law_fn *fn, void *to, int *failed)
{
    caller *t = user;
    if (i == OPERATOR)
        return poy_conform_linop(t->ctx, t->op, t->name[i], t->seed, fn, to, failed);
    return poy_conform_space(t->ctx, i == DOMAIN ? poy_linop_domain(t->op) : poy_linop_codomain(t->op), t->name[i],
                             t->seed, fn, to, failed);
}

static void stop(void *user)
{
    poy_linop_destroy(&((caller *)user)->op);
}

poy_status poy_conform_linop_load(poy_ctx *ctx, const poy_conform_options *options, const char *where,
                                  poy_conform_law_fn *fn, void *user, int *failed)
{
    char path[4096];
    const char *colon = strrchr(where, ':');
    char starting[80];
    caller t = {.ctx = ctx};
    const poyi_law_suite s = {
        .n = CASES, .starting = starting, .user = &t, .start = start, .name = name_case, .hold = hold, .stop = stop};

    *failed = 0;
    if (!colon || colon == where || !colon[1] || (size_t)(colon - where) >= sizeof path)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "\"%s\" is not LIBRARY:SYMBOL", where);
    snprintf(path, sizeof path, "%.*s", (int)(colon - where), where);
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* stays loaded: the operator's text is in it */
    if (!library)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s", dlerror());
    t.symbol = colon + 1;
    snprintf(starting, sizeof starting, "given to '%.60s'", t.symbol);
    t.entry = entry_in(library, t.symbol);
    if (!t.entry)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s has no symbol \"%s\"", path, t.symbol);
    POYI_TRY(ctx, poyi_laws_run(ctx, options, &s, NULL, fn, user, failed));
    return POY_OK;
}
