/* together.c: several pulse recipes in lockstep: each is a session of its own, all of them march step by step side by side. */
#include <stdlib.h>
#include <string.h>

#include "pulse/march/march.h"
#include "run/session.h"

typedef struct group {
    poy_ctx *ctx;
    int n, open; /* sessions asked for, sessions prepared */
    poyi_session *session;
    poyi_member *member;
} group;

/* One schedule, one length, the same planes. */
static poy_status check_same(const group *g, int i)
{
    const poyi_settings *a = &g->session[0].settings, *b = &g->session[i].settings;
    const poy_problem *p = a->problem, *q = b->problem;
    if (!q->n_schedule)
        return POYI_FAIL(g->ctx, POY_ERR_UNSUPPORTED,
                         "%s: runs in lockstep march on a fixed schedule, and this one chooses its steps itself: give "
                         "solver.schedule",
                         g->session[i].head.name);
    if (p->n_schedule != q->n_schedule ||
        memcmp(p->schedule.data, q->schedule.data, (size_t)p->n_schedule * sizeof(double)) != 0)
        return POYI_FAIL(g->ctx, POY_ERR_MISMATCH,
                         "runs in lockstep have one solver.schedule, those of 0 and %d differ", i);
    if (a->length != b->length || a->n_planes != b->n_planes ||
        memcmp(a->planes, b->planes, (size_t)a->n_planes * sizeof *a->planes) != 0)
        return POYI_FAIL(g->ctx, POY_ERR_MISMATCH,
                         "runs in lockstep have the same length and planes, those of 0 and %d differ", i);
    return POY_OK;
}

/* The failure of a member becomes that of the group. */
static poy_status hand_on(group *g, int i, poy_status status)
{
    if (status == POY_OK)
        return POY_OK;
    return POYI_FAIL(g->ctx, status, "%s", poy_ctx_cause(g->member[i].ctx));
}

/* Admitted one after the other, each beside what those before it have taken. */
static poy_status open_member(group *g, int i, poy_recipe *recipe, const char *path)
{
    size_t bytes = 0;
    poyi_session *s = &g->session[i];
    POYI_TRY(g->ctx, poy_recipe_check(g->ctx, recipe));
    POYI_TRY(g->ctx, poyi_recipe_built(g->ctx, recipe));
    if (recipe->kind != POYI_KIND_PULSE)
        return POYI_FAIL(g->ctx, POY_ERR_UNSUPPORTED, "%s: only pulses are run in lockstep", recipe->name);
    POYI_TRY(g->ctx, poy_ctx_fork(g->ctx, &g->member[i].ctx));
    POYI_TRY(g->ctx, hand_on(g, i, poyi_session_prepare(g->member[i].ctx, recipe, path, s)));
    g->open = i + 1;
    POYI_TRY(g->ctx, check_same(g, i));
    POYI_TRY(g->ctx, hand_on(g, i, poyi_session_admit(s, &bytes)));
    POYI_TRY(g->ctx, hand_on(g, i, poyi_session_start(s, 1)));
    poyi_session_listen(s); /* to a context that is its own, as long as both are there */
    g->member[i].run = s->run;
    return POY_OK;
}

static poy_status keep_all(group *g, int is_plane, int must)
{
    for (int i = 0; i < g->n; i++)
        POYI_TRY(g->ctx, hand_on(g, i, poyi_session_keep(&g->session[i], is_plane, must)));
    return POY_OK;
}

static int wants_to_pause(group *g)
{
    int pause = 0;
    for (int i = 0; i < g->n; i++) {
        pause |= g->session[i].pause;
        g->session[i].pause = 0;
    }
    return pause;
}

static poy_status march(group *g)
{
    const poyi_settings *p = &g->session[0].settings;
    for (int64_t k = 1; k < p->n_planes;) {
        wants_to_pause(g);
        poy_status status = poyi_march_together(g->ctx, g->n, g->member, p->planes[k]);
        if (status == POY_ERR_INTERRUPTED && wants_to_pause(g)) { /* states are to be stored, then it goes on */
            poy_ctx_clear(g->ctx);
            POYI_TRY(g->ctx, keep_all(g, 0, 1));
            continue;
        }
        POYI_TRY(g->ctx, status);
        POYI_TRY(g->ctx, keep_all(g, 1, k == p->n_planes - 1));
        k++;
    }
    for (int i = 0; i < g->n; i++)
        POYI_TRY(g->ctx, hand_on(g, i, poyi_session_end(&g->session[i])));
    return POY_OK;
}

/* Stopped on request all stand at the same step: each file can be resumed alone. */
static poy_status stop_all(group *g)
{
    for (int i = 0; i < g->n; i++) {
        poy_status status = poyi_session_end_early(&g->session[i], POY_ERR_INTERRUPTED);
        if (status != POY_ERR_INTERRUPTED)
            return hand_on(g, i, status);
    }
    return POY_ERR_INTERRUPTED;
}

static poy_status run_group(group *g, poy_recipe *const *recipes, const char *const *paths)
{
    for (int i = 0; i < g->n; i++)
        POYI_TRY(g->ctx, open_member(g, i, recipes[i], paths[i]));
    poy_status status = march(g);
    return status == POY_ERR_INTERRUPTED ? stop_all(g) : status;
}

poy_status poyi_recipe_run_together(poy_ctx *ctx, int n, poy_recipe *const *recipes, const char *const *paths)
{
    group g = {.ctx = ctx,
               .n = n,
               .session = calloc((size_t)n, sizeof *g.session),
               .member = calloc((size_t)n, sizeof *g.member)};
    poy_status status = g.session && g.member ? poy_recipe_check(ctx, recipes[0])
                                              : POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %d runs in lockstep", n);
    if (status == POY_OK) {
        const poyi_surroundings old = poyi_surroundings_enter(ctx, recipes[0]);
        status = run_group(&g, recipes, paths);
        poyi_surroundings_leave(ctx, &old);
    }
    for (int i = 0; i < g.open; i++)
        poyi_session_fini(&g.session[i]);
    for (int i = 0; g.member && i < n; i++)
        poy_ctx_destroy(&g.member[i].ctx);
    free(g.session);
    free(g.member);
    return status;
}
