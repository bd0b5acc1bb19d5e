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
    poyi_claim *claim; /* NULL: none */
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
        if (h->claim)
            poyi_claim_renew(h->scan, h->claim);
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

static void heart_hold(heart *h, poyi_claim *claim)
{
    pthread_mutex_lock(&h->lock);
    h->claim = claim;
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

/* ---- all points ---- */

static poy_status try_point(poy_ctx *ctx, poy_recipe_scan *s, int64_t i, heart *h, poy_recipe_scan_report *report,
                            int *taken)
{
    char part[POYI_SCAN_PATH];
    poyi_claim claim;
    poyi_claim_outcome outcome;
    POYI_TRY(ctx, poyi_claim_take(ctx, s, i, &claim, &outcome));
    *taken = outcome == POYI_CLAIM_TAKEN || outcome == POYI_CLAIM_GIVEN_UP;
    report->busy += outcome == POYI_CLAIM_BUSY;
    if (outcome == POYI_CLAIM_GIVEN_UP)
        return give_up(ctx, s, &claim, report);
    if (outcome != POYI_CLAIM_TAKEN)
        return POY_OK;
    poyi_claim_part(s, &claim, claim.generation, part);
    heart_hold(h, &claim);
    poy_status status = run_point(ctx, s, &claim, part);
    heart_hold(h, NULL);
    return settle(ctx, s, &claim, part, status, report);
}

static poy_status work(poy_ctx *ctx, poy_recipe_scan *s, const poy_recipe_scan_options *o, heart *h,
                       poy_recipe_scan_report *report)
{
    for (int any = 1; any;) {
        any = 0;
        report->busy = 0;
        for (int64_t k = 0; k < o->n; k++) {
            int taken = 0;
            POYI_TRY(ctx, try_point(ctx, s, o->first + (o->start - o->first + k) % o->n, h, report, &taken));
            any |= taken;
        }
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
    heart_start(&h, s);
    poy_status status = work(ctx, s, &o, &h, report);
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
