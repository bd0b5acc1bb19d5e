/* isolate.h: work in a process of its own, watched: what crashes or never returns in a case of another's backend is told by
 * the case's name, and the rest goes on. */
#ifndef POYI_CONFORM_ISOLATE_H
#define POYI_CONFORM_ISOLATE_H

#include <stdatomic.h>

#include "core/core.h"

/* What the one who works tells the one who watches; it lies in memory that both see. */
typedef struct poyi_watch {
    _Atomic double since; /* poyi_seconds: when what is named here began */
    int is_case;          /* name is one of a case; else it says what is done: "opened" */
    char name[96];
    int ended; /* with status, for the reason that cause tells */
    poy_status status;
    char cause[768];
    int tells; /* where poyi_watch_tell writes to; -1: the work is done in the watcher's process */
    void (*told)(void *user);
    void *user;
} poyi_watch;

typedef struct poyi_task {
    /* All that is left to do, as shared memory (which begins with a poyi_watch) knows it. */
    poy_status (*work)(poy_ctx *ctx, void *shared);
    /* The case named failed that way ("crashed: SIGSEGV"); shared goes on behind it. */
    void (*died)(void *shared, const char *how, int is_late);
    void (*told)(void *user); /* in the caller's process, once for each poyi_watch_tell */
    void *user;
    double seconds; /* that a case may take */
} poyi_task;

/* Memory of size bytes, set to zero, for a task. Errors: POY_ERR_MEMORY. */
poy_status poyi_watch_create(poy_ctx *ctx, size_t size, void **out);
void poyi_watch_destroy(size_t size, void **shared);

/* Does the work here, where a crash ends the process, or in processes of their own, one after the other, each going on
 * behind the case at which the one before died. Isolated work leaves the caller's process as it was: backends are opened in the
 * other. That has to be done before this process has threads of OpenMP. Errors: those of the work; POY_ERR_BACKEND: it died
 * outside of a case; POY_ERR_INTERRUPTED: the context's progress function asked for it; POY_ERR_IO: no process. */
poy_status poyi_task_run(poy_ctx *ctx, const poyi_task *task, int isolated, void *shared);

/* For the work: what is under way from here on; a piece is done (isolated: the watcher hears of it soon). */
void poyi_watch_begin(poyi_watch *w, int is_case, const char *name);
void poyi_watch_tell(poyi_watch *w);

#endif
