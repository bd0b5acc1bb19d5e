/* laws_run.h: objects one after the other held to their laws, each a case. */
#ifndef POYI_LAWS_RUN_H
#define POYI_LAWS_RUN_H

#include "conform/laws/laws.h"

enum { POYI_LAW_CASES = 160 };

/* A list of n objects in element types, made and held to laws in the process of the work. */
typedef struct poyi_law_suite {
    int n;
    const char *starting; /* what happens to the backend in start, after "when it was": "given to blur" */
    void *user;
    poy_status (*start)(poy_ctx *ctx, void *user, poy_backend *be, uint64_t seed);
    /* What case i is; 0: there is none. To be called after start. */
    int (*name)(void *user, int i, const char **object, poy_dtype *dtype);
    /* Makes the object, which others of the type may share, and holds it to its laws. */
    poy_status (*hold)(void *user, int i, poy_conform_law_fn *fn, void *to, int *failed);
    void (*stop)(void *user);
} poyi_law_suite;

/* pattern: of names, with or without the first word; NULL: all. */
poy_status poyi_laws_run(poy_ctx *ctx, const poy_conform_options *options, const poyi_law_suite *suite,
                         const char *pattern, poy_conform_law_fn *fn, void *user, int *failed);

#endif
