/* work.c: taking points and running them. */
#define _XOPEN_SOURCE 700
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "pulse/setup/setup.h"
#include "run/scan/scan.h"
#include "run/session.h"

void poy_recipe_scan_options_init(poy_recipe_scan_options *o)
{
    *o = (poy_recipe_scan_options){.size = sizeof *o};
}

/* ---- the beat of a heart: a thread renews the claim, whatever the run is doing ---- */

typedef struct heart {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t rest;
    int stop, started;
    const poy_recipe_scan *scan;
    const poyi_claim *claims;
    int n;
} heart;

static void *beat(void *user)
{
    heart *h = user;
    pthread_mutex_lock(&h->lock);
    while (!h->stop) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_sec += (time_t)poyi_claim_interval;
        until.tv_nsec += (long)(1e9 * (poyi_claim_interval - (double)(time_t)poyi_claim_interval));
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&h->rest, &h->lock, &until);
        for (int i = 0; i < h->n; i++)
            poyi_claim_renew(h->scan, &h->claims[i]);
    }
    pthread_mutex_unlock(&h->lock);
    return NULL;
}

static void heart_start(heart *h, const poy_recipe_scan *s)
{
    *h = (heart){.scan = s};
    pthread_mutex_init(&h->lock, NULL);
    pthread_cond_init(&h->rest, NULL);
    h->started = !pthread_create(&h->thread, NULL, beat, h); /* without it others wait less long for this process */
}

static void heart_hold(heart *h, int n, const poyi_claim *claims)
{
    pthread_mutex_lock(&h->lock);
    h->claims = claims;
    h->n = n;
    pthread_mutex_unlock(&h->lock);
}

static void heart_stop(heart *h)
{
    pthread_mutex_lock(&h->lock);
    h->stop = 1;
    pthread_cond_signal(&h->rest);
    pthread_mutex_unlock(&h->lock);
    if (h->started)
        pthread_join(h->thread, NULL);
    pthread_cond_destroy(&h->rest);
    pthread_mutex_destroy(&h->lock);
}

/* ---- one point ---- */

/* What a dead process left of the point becomes this one's; 1 if there is something. */
static int inherit(const poy_recipe_scan *s, const poyi_claim *c, const char *part)
{
    char old[POYI_SCAN_PATH], journals[2][POYI_SCAN_PATH + 16];
    if (!c->continues || !c->generation)
        return 0;
    for (int g = c->generation - 1; g >= 0; g--) {
        poyi_claim_part(s, c, g, old);
        if (access(old, F_OK))
            continue;
        snprintf(journals[0], sizeof journals[0], "%s.journal", old);
        snprintf(journals[1], sizeof journals[1], "%s.journal", part);
        if (rename(journals[0], journals[1]) && errno != ENOENT)
            return 0;
        return !rename(old, part);
    }
    return 0;
}

/* Every failure of a resume but a wish to stop means: from the beginning. */
static poy_status run_point(poy_ctx *ctx, poy_recipe_scan *s, const poyi_claim *c, const char *part)
{
    poy_recipe *r = NULL;
    poy_recipe_options o;
    if (inherit(s, c, part)) {
        poy_status status = poy_result_resume(ctx, part, NULL, NULL);
        if (status == POY_OK || status == POY_ERR_INTERRUPTED)
            return status;
        poy_ctx_clear(ctx);
        unlink(part);
    }
    POYI_TRY(ctx, poy_recipe_scan_recipe(ctx, s, c->point, &r));
    poy_recipe_options_init(&o);
    o.output = part;
    o.force = 1;
    poy_status status = poy_recipe_run(ctx, r, &o, NULL);
    poy_recipe_destroy(&r);
    return status;
}

/* The first result of a point stays, whoever else had the point. */
static poy_status publish(poy_ctx *ctx, const poy_recipe_scan *s, const poyi_claim *c, const char *part)
{
    char final[POYI_SCAN_PATH];
    poyi_scan_path(s, c->point, "h5", final);
    if (link(part, final) && errno != EEXIST && access(final, F_OK)) {
        if ((errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) || rename(part, final))
            return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be made: %s", final, strerror(errno));
    }
    return POY_OK;
}

static poy_status settle(poy_ctx *ctx, const poy_recipe_scan *s, poyi_claim *c, const char *part, poy_status status,
                         poy_recipe_scan_report *report)
{
    char text[1024];
    if (status == POY_OK)
        status = publish(ctx, s, c, part);
    if (status == POY_OK) {
        report->done++;
    } else if (status == POY_ERR_INTERRUPTED || status == POY_ERR_IO) {
        poyi_claim_free(s, c);
        return status;
    } else {
        snprintf(text, sizeof text, "%s\n", poy_ctx_cause(ctx));
        poy_ctx_clear(ctx);
        POYI_TRY(ctx, poyi_scan_fail(ctx, s, c->point, text));
        report->failed++;
    }
    poyi_claim_clear(s, c);
    return POY_OK;
}

static poy_status give_up(poy_ctx *ctx, const poy_recipe_scan *s, const poyi_claim *c, poy_recipe_scan_report *report)
{
    char text[128];
    snprintf(text, sizeof text, "%d processes died one after the other while they ran it\n", c->generation);
    POYI_TRY(ctx, poyi_scan_fail(ctx, s, c->point, text));
    poyi_claim_clear(s, c);
    report->failed++;
    return POY_OK;
}

/* ---- several points in lockstep ---- */

enum { TOGETHER_MAX = 256 };

/* Points that a process took to run them together. */
typedef struct hand {
    poyi_claim claims[TOGETHER_MAX];
    int n, most;
} hand;

static poy_status run_alone(poy_ctx *ctx, poy_recipe_scan *s, poyi_claim *c, poy_recipe_scan_report *report)
{
    char part[POYI_SCAN_PATH];
    poyi_claim_part(s, c, c->generation, part);
    const poy_status status = run_point(ctx, s, c, part);
    return settle(ctx, s, c, part, status, report);
}

static poy_status run_side_by_side(poy_ctx *ctx, poy_recipe_scan *s, const hand *h, char (*parts)[POYI_SCAN_PATH])
{
    poy_recipe *recipes[TOGETHER_MAX] = {NULL};
    const char *paths[TOGETHER_MAX];
    poy_status status = POY_OK;
    for (int i = 0; i < h->n && status == POY_OK; i++) {
        paths[i] = parts[i];
        poyi_claim_part(s, &h->claims[i], h->claims[i].generation, parts[i]);
        status = poy_recipe_scan_recipe(ctx, s, h->claims[i].point, &recipes[i]);
    }
    if (status == POY_OK)
        status = poyi_recipe_run_together(ctx, h->n, recipes, paths);
    for (int i = 0; i < h->n; i++)
        poy_recipe_destroy(&recipes[i]);
    return status;
}

/* Where one of them fails, or memory is there for fewer, each is run alone: the failure is then that of its own point. */
static poy_status run_hand(poy_ctx *ctx, poy_recipe_scan *s, hand *h, poy_recipe_scan_report *report)
{
    char(*parts)[POYI_SCAN_PATH] = h->n > 1 ? malloc((size_t)h->n * sizeof *parts) : NULL;
    poy_status status = parts ? run_side_by_side(ctx, s, h, parts) : POY_ERR_MEMORY, first = POY_OK;
    const int is_whole = status == POY_OK, stops = status == POY_ERR_INTERRUPTED || status == POY_ERR_IO;
    if (parts && !is_whole && !stops)
        poy_ctx_clear(ctx);
    for (int i = 0; i < h->n; i++) {
        if (stops || first != POY_OK)
            poyi_claim_free(s, &h->claims[i]);
        else
            first = is_whole ? settle(ctx, s, &h->claims[i], parts[i], POY_OK, report)
                             : run_alone(ctx, s, &h->claims[i], report);
    }
    free(parts);
    h->n = 0;
    return stops ? status : first;
}

/* Lockstep needs a schedule, and axes that leave it where it is. */
static poy_status check_together(poy_ctx *ctx, const poy_recipe_scan *s, int64_t together)
{
    static const char *const fixed[] = {"solver.", "geometry.length", "output.plane", "run."};
    if (together <= 1)
        return POY_OK;
    if (together > TOGETHER_MAX)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "scan: %lld points together: at most %d", (long long)together,
                         TOGETHER_MAX);
    if (s->recipe->kind != POYI_KIND_PULSE || !poyi_recipe_at(s->recipe, "solver.schedule"))
        return POYI_FAIL(
            ctx, POY_ERR_UNSUPPORTED,
            "scan: points together march on one fixed schedule: give solver.schedule, e.g. the steps of one run, "
            "or run each alone");
    for (int a = 0; a < s->n_axes; a++)
        for (int k = 0; k < s->axes[a].n_keys; k++)
            for (size_t i = 0; i < sizeof fixed / sizeof fixed[0]; i++)
                if (!strncmp(s->axes[a].keys[k].path, fixed[i], strlen(fixed[i])))
                    return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                                     "scan: points together have the same steps, and %s is an axis: run each alone",
                                     s->axes[a].keys[k].path);
    return POY_OK;
}

/* ---- all points ---- */

/* Takes point i into the hand, and runs what is there when it is full. What others left unfinished goes on alone. */
static poy_status try_point(poy_ctx *ctx, poy_recipe_scan *s, int64_t i, heart *h, hand *held,
                            poy_recipe_scan_report *report, int *taken)
{
    poyi_claim claim;
    poyi_claim_outcome outcome;
    POYI_TRY(ctx, poyi_claim_take(ctx, s, i, &claim, &outcome));
    *taken = outcome == POYI_CLAIM_TAKEN || outcome == POYI_CLAIM_GIVEN_UP;
    report->busy += outcome == POYI_CLAIM_BUSY;
    if (outcome == POYI_CLAIM_GIVEN_UP)
        return give_up(ctx, s, &claim, report);
    if (outcome != POYI_CLAIM_TAKEN)
        return POY_OK;
    if (held->most > 1 && !(claim.generation && claim.continues)) {
        heart_hold(h, 0, NULL);
        held->claims[held->n++] = claim;
        heart_hold(h, held->n, held->claims);
        if (held->n < held->most)
            return POY_OK;
        poy_status status = run_hand(ctx, s, held, report);
        heart_hold(h, 0, NULL);
        return status;
    }
    heart_hold(h, 1, &claim);
    poy_status status = run_alone(ctx, s, &claim, report);
    heart_hold(h, held->n, held->claims);
    return status;
}

static poy_status work(poy_ctx *ctx, poy_recipe_scan *s, const poy_recipe_scan_options *o, heart *h, hand *held,
                       poy_recipe_scan_report *report)
{
    for (int any = 1; any;) {
        any = 0;
        report->busy = 0;
        for (int64_t k = 0; k < o->n; k++) {
            int taken = 0;
            POYI_TRY(ctx, try_point(ctx, s, o->first + (o->start - o->first + k) % o->n, h, held, report, &taken));
            any |= taken;
        }
        if (held->n)
            POYI_TRY(ctx, run_hand(ctx, s, held, report));
        heart_hold(h, 0, NULL);
    }
    return POY_OK;
}

poy_status poy_recipe_scan_work(poy_ctx *ctx, poy_recipe_scan *s, const poy_recipe_scan_options *options,
                                poy_recipe_scan_report *report)
{
    poy_recipe_scan_options o;
    poy_recipe_scan_report own;
    heart h;
    poy_recipe_scan_options_init(&o);
    if (options)
        POYI_TRY(ctx, poyi_options_copy(ctx, "poy_recipe_scan_options", options, sizeof o, sizeof o, &o));
    report = report ? report : &own;
    *report = (poy_recipe_scan_report){0};
    o.n = o.n > 0 ? o.n : s->n_points - o.first;
    if (o.first < 0 || o.n < 0 || o.n > s->n_points - o.first)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "scan: points %lld to %lld are asked for, there are %lld",
                         (long long)o.first, (long long)(o.first + o.n), (long long)s->n_points);
    o.start = o.start < o.first || o.start >= o.first + o.n ? o.first : o.start;
    POYI_TRY(ctx, check_together(ctx, s, o.together));
    hand held = {.most = (int)o.together};
    heart_start(&h, s);
    poy_status status = work(ctx, s, &o, &h, &held, report);
    for (int i = 0; i < held.n; i++) /* a failure of the disk came before they were run */
        poyi_claim_free(s, &held.claims[i]);
    heart_stop(&h);
    return status;
}

poy_status poy_recipe_scan_crashed(poy_ctx *ctx, poy_recipe_scan *s, long pid, const char *text)
{
    poyi_claim claim;
    for (int64_t i = 0; i < s->n_points; i++) {
        if (poyi_scan_is_over(s, i) || !poyi_claim_is_of(s, i, pid, &claim))
            continue;
        POYI_TRY(ctx, poyi_scan_fail(ctx, s, i, text));
        poyi_claim_clear(s, &claim);
    }
    return POY_OK;
}
