/* batch.c: members of one problem in lockstep on its schedule: step k of all members, then step k + 1. A member is a run with
 * a workspace of its own, so that its numbers cannot depend on its neighbours; threads share out members. */
#include "poynting/batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/core.h"
#include "pulse/march/march.h"

struct poy_batch {
    poy_problem *problem;
    poyi_member *list;
    int n;
};

static poy_status check_batch(poy_ctx *ctx, const poy_problem *p, int members)
{
    if (members < 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "a batch of %d members: it needs one at least", members);
    if (!p->n_schedule)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                         "a batch marches on a fixed schedule, and this problem chooses its steps itself: give "
                         "solver.schedule, e.g. the steps of one run");
    return POY_OK;
}

poy_status poy_batch_estimate(poy_ctx *ctx, poy_problem *problem, const char *backend, int members, size_t *total)
{
    size_t n = 0, one = 0;
    POYI_TRY(ctx, check_batch(ctx, problem, members));
    POYI_TRY(ctx, poy_run_estimate(ctx, problem, backend, 0, NULL, &n, &one));
    POYI_TRY(ctx, poyi_mul_size(ctx, one, (size_t)members, total));
    return POY_OK;
}

poy_status poy_batch_open(poy_ctx *ctx, poy_problem *problem, const char *backend, int members, poy_batch **out)
{
    poy_status status = POY_OK;
    *out = NULL;
    POYI_TRY(ctx, check_batch(ctx, problem, members));
    poy_batch *b = calloc(1, sizeof *b);
    if (b)
        b->list = calloc((size_t)members, sizeof *b->list);
    if (!b || !b->list)
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a batch of %d members", members);
    for (int i = 0; i < members && status == POY_OK; i++) {
        b->n = i + 1;
        status = poy_ctx_fork(ctx, &b->list[i].ctx);
        if (status == POY_OK)
            status = poy_run_open(ctx, problem, backend, &b->list[i].run);
    }
    if (status == POY_OK) {
        b->problem = b->list[0].run->problem;
        *out = b;
    } else {
        poy_batch_destroy(&b);
    }
    return status;
}

void poy_batch_destroy(poy_batch **batch)
{
    poy_batch *b = *batch;
    for (int i = 0; b && i < b->n; i++) {
        poy_run_destroy(&b->list[i].run);
        poy_ctx_destroy(&b->list[i].ctx);
    }
    if (b)
        free(b->list);
    free(b);
    *batch = NULL;
}

int poy_batch_members(const poy_batch *b)
{
    return b->n;
}

poy_run *poy_batch_member(poy_batch *b, int i)
{
    return i >= 0 && i < b->n ? b->list[i].run : NULL;
}

poy_status poy_batch_set_initial(poy_ctx *ctx, poy_batch *b, int i, const double *field, const double *noise)
{
    if (i < 0 || i >= b->n)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "member %d of a batch of %d", i, b->n);
    POYI_TRY(ctx, poy_run_set_initial(ctx, b->list[i].run, field, noise, 0, NULL));
    return POY_OK;
}

/* ---- the march ---- */

static poy_status check_together(poy_ctx *ctx, int n, const poyi_member *m)
{
    for (int i = 0; i < n; i++) {
        if (!m[i].run->loaded)
            return POYI_FAIL(ctx, POY_ERR_STATE, "member %d of the batch has no launch yet", i);
        if (m[i].run->index != m[0].run->index)
            return POYI_FAIL(ctx, POY_ERR_STATE, "members 0 and %d are at different steps: load all of them again", i);
    }
    return POY_OK;
}

/* One step of every member. */
static poy_status step_all(poy_ctx *ctx, int n, poyi_member *m, double z)
{
    const int threads = poy_ctx_threads(ctx);
    (void)threads;
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && n > 1)
    for (int i = 0; i < n; i++) {
        poy_run_summary summary = {0};
        m[i].status = poyi_march_step(m[i].ctx, m[i].run, z, &summary);
    }
    for (int i = 0; i < n; i++)
        if (m[i].status != POY_OK)
            return POYI_FAIL(ctx, m[i].status, "member %d: %s", i, poy_ctx_cause(m[i].ctx));
    return POY_OK;
}

/* To the observer of all, and whether one of a member asked to stop. */
static int tell(poy_ctx *ctx, int n, poyi_member *m)
{
    const poy_run *run = m[0].run;
    int stop = 0;
    for (int i = 0; i < n; i++) {
        stop |= m[i].run->stop;
        m[i].run->stop = 0;
    }
    const poy_progress progress = {.what = run->name ? run->name : "propagation of a batch",
                                   .unit = "m",
                                   .done = run->z,
                                   .total = run->problem->length,
                                   .accepted = run->index,
                                   .energy = (double)NAN,
                                   .energy_start = (double)NAN};
    return poyi_progress(ctx, &progress) || stop;
}

poy_status poyi_march_together(poy_ctx *ctx, int n, poyi_member *m, double z)
{
    POYI_TRY(ctx, check_together(ctx, n, m));
    POYI_TRY(ctx, poyi_march_check_end(ctx, m[0].run, &z));
    for (int i = 0; i < n; i++) {
        poyi_list_drop(&m[i].run->records, 0);
        poyi_list_drop(&m[i].run->rows, 0);
    }
    while (m[0].run->z < z) {
        POYI_TRY(ctx, step_all(ctx, n, m, z));
        if (tell(ctx, n, m) && m[0].run->z < z)
            return POYI_FAIL(ctx, POY_ERR_INTERRUPTED, "the batch was stopped on request at z = %.9g m", m[0].run->z);
    }
    return POY_OK;
}

poy_status poy_batch_propagate_to(poy_ctx *ctx, poy_batch *b, double z)
{
    POYI_TRY(ctx, poyi_march_together(ctx, b->n, b->list, z));
    return POY_OK;
}
