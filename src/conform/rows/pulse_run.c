/* pulse_run.c: runs the cases of the rows of programs on a backend and on the reference, and judges them. The sum of |terms|
 * of an element is what the reference makes of the moduli of all inputs, where a row is a sum of products. */
#define _POSIX_C_SOURCE 200809L /* fnmatch */
#include <complex.h>
#include <float.h>
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conform/isolate.h"
#include "conform/part.h"
#include "conform/rows/pulse.h"
#include "core/core.h"
#include "ops/ops.h"

/* What a run leaves in each buffer. */
typedef struct outcome {
    double *data[POY_STEP_BUFFERS];
    int native; /* the backend itself did it */
} outcome;

static void outcome_fini(outcome *o)
{
    for (int i = 0; i < POY_STEP_BUFFERS; i++)
        poyi_free((void **)&o->data[i]);
}

static int owner(const poyi_pulse_case *c, int i)
{
    return c->same[i] >= 0 ? c->same[i] : i;
}

/* ---- running ---- */

static poy_status record_case(poy_ctx *ctx, const poyi_pulse_case *c, poyi_program *p, int slots[POY_STEP_BUFFERS])
{
    int segment = 0;
    for (int i = 0; i < c->n_slots; i++) {
        char name[16];
        slots[i] = c->same[i] >= 0 ? slots[c->same[i]] : -1;
        if (!c->slot[i].cols || c->same[i] >= 0)
            continue;
        snprintf(name, sizeof name, "slot.%d", i);
        POYI_TRY(ctx, poyi_program_slot(ctx, p, name, c->slot[i].dtype, c->slot[i].cols, c->slot[i].len, &slots[i]));
    }
    POYI_TRY(ctx, poyi_program_segment(ctx, p, "case", &segment));
    POYI_TRY(ctx, poyi_program_row(ctx, p, c->row, c->n_slots, slots, c->arg_bytes ? c->arg : NULL, c->arg_bytes, 0,
                                   c->n_scalars));
    return POY_OK;
}

static poy_status run_case(poy_ctx *ctx, poy_backend *be, const poyi_pulse_case *c, outcome *out)
{
    poy_status status = POY_OK;
    poyi_program *p = NULL;
    int slots[POY_STEP_BUFFERS] = {0};

    POYI_TO_DONE(ctx, poyi_program_create(ctx, "conform", &p));
    POYI_TO_DONE(ctx, record_case(ctx, c, p, slots));
    POYI_TO_DONE(ctx, poyi_program_bind(ctx, p, be));
    out->native = !strcmp(poyi_program_row_backend(p, 0, 0), poy_backend_name(be));
    for (int i = 0; i < c->n_slots; i++)
        if (c->data[i])
            POYI_TO_DONE(ctx, poyi_program_write(ctx, p, slots[i], c->data[i]));
    const uint64_t allocations = poy_ctx_allocations(ctx);
    POYI_TO_DONE(ctx, poyi_program_run(ctx, p, 0, c->scalars));
    if (poy_ctx_allocations(ctx) != allocations) {
        status = POYI_FAIL(ctx, POY_ERR_INTERNAL, "%s allocates while it runs", c->name);
        goto done;
    }
    for (int i = 0; i < c->n_slots; i++)
        if (c->data[i]) {
            const size_t bytes = (size_t)poyi_pulse_parts(&c->slot[i]) * sizeof(double);
            POYI_TO_DONE(ctx, poyi_alloc(ctx, "conform", bytes, (void **)&out->data[i]));
            POYI_TO_DONE(ctx, poyi_program_read(ctx, p, slots[i], out->data[i]));
        }
done:
    poyi_program_destroy(&p);
    return status;
}

/* ---- scales ---- */

/* Whether a row reads real fields, the real parts of complex ones, and a table of rates. */
static int sees_rates(const poyi_pulse_case *c, int *table)
{
    *table = !strcmp(c->row, "plasma") ? 3 : !strcmp(c->row, "ionise") ? 5 : 2;
    return *table > 2 || !strcmp(c->row, "expose");
}

/* The same case with all inputs and scalars replaced by their moduli. */
static poy_status moduli_of(poy_ctx *ctx, const poyi_pulse_case *c, poyi_pulse_case *moduli)
{
    int table;
    const int rates = sees_rates(c, &table);
    *moduli = *c;
    memset(moduli->data, 0, sizeof moduli->data);
    for (int i = 0; i < c->n_scalars; i++)
        moduli->scalars[i] = fabs(c->scalars[i]);
    for (int i = 0; i < c->n_slots; i++) {
        const int64_t parts = poyi_pulse_parts(&c->slot[i]);
        const int pair = c->slot[i].dtype == POY_C128 ? 2 : 1;
        if (!c->data[i])
            continue;
        POYI_TRY(ctx, poyi_alloc(ctx, "conform", (size_t)parts * sizeof(double), (void **)&moduli->data[i]));
        if (rates && i == table) { /* a table of logarithms is no term of a sum */
            memcpy(moduli->data[i], c->data[i], (size_t)parts * sizeof(double));
            continue;
        }
        for (int64_t k = 0; k < parts; k += pair) {
            moduli->data[i][k] = pair == 2 ? hypot(c->data[i][k], c->data[i][k + 1]) : fabs(c->data[i][k]);
            if (rates && pair == 2) /* of whose parts one counts */
                moduli->data[i][k] = fabs(c->data[i][k]);
            if (pair == 2)
                moduli->data[i][k + 1] = 0.0;
        }
    }
    return POY_OK;
}

/* Moduli of a difference's terms add up: of both projections of score, of the first two parts of a tensor. */
static void add_terms(const poyi_pulse_case *c, poyi_pulse_case *moduli)
{
    if (!strcmp(c->row, "polarise") && ((const poy_row_polarise *)(const void *)c->arg)->tensor) {
        const int64_t block = poyi_pulse_parts(&c->slot[2]) / 3;
        for (int64_t k = 0; k < block; k++) {
            moduli->data[2][k] += moduli->data[2][block + k];
            moduli->data[2][block + k] = 0.0;
        }
    }
    if (!strcmp(c->row, "score")) {
        const int64_t block = poyi_pulse_parts(&c->slot[1]) / 2;
        for (int64_t k = 0; k < block; k++) {
            moduli->data[1][k] += moduli->data[1][block + k];
            moduli->data[1][block + k] = 0.0;
        }
    }
}

/* The difference of what drives a tensor has the terms of the sum. */
static void add_differences(const poyi_pulse_case *c, outcome *scale)
{
    if (!scale->data[0] || strcmp(c->row, "drive") != 0 || !((const poy_row_drive *)(const void *)c->arg)->tensor)
        return;
    const size_t block = (size_t)poyi_pulse_parts(&c->slot[0]) / 3;
    memcpy(scale->data[0] + block, scale->data[0], block * sizeof(double));
}

/* What is rounded of a held current, over its terms: a rate is the exponential of a logarithm, whose rounding is one of the
 * rate itself; and the taps of a filter have signs, their moduli add up to 1.96 for the longest.
 * (A second integral averages both.) */
static void add_roundings(const poyi_pulse_case *c, outcome *scale)
{
    static const double moduli[POY_TAPS_MAX + 1] = {1.0, 4.0 / 3.0, 71.0 / 45.0, 1.7799, 1.9561};
    const poy_row_plasma *arg = (const void *)c->arg;
    if (strcmp(c->row, "plasma") != 0 || !arg->held || !scale->data[0])
        return;
    const double factor =
        moduli[arg->taps] * (1.0 + fmax(fabs(c->data[3][0]), fabs(c->data[3][2 * (arg->points - 1)])));
    for (int64_t i = 0; i < poyi_pulse_parts(&c->slot[0]); i++)
        scale->data[0][i] *= factor;
}

/* |E| (1 + sum |w Phi|): a relative rounding of the exponent is an absolute one of its exponential. */
static double propagator_scale(const poyi_pulse_case *c, const outcome *want, int64_t i)
{
    const poy_row_propagators *arg = (const void *)c->arg;
    const int64_t n = c->slot[1].cols * c->slot[1].len / arg->n_term, p = i / n;
    double sum = 1.0;
    for (int t = 0; t < arg->n_term; t++) {
        const double *phi = c->data[1] + 2 * (t * n + i % n);
        sum += fabs(c->scalars[p * arg->n_term + t]) * hypot(phi[0], phi[1]);
    }
    return sum * hypot(want->data[0][2 * i], want->data[0][2 * i + 1]);
}

/* (log2 n + 4) times the sum of |x| of the column: log2 n roundings on the way of each term. */
static double transform_scale(const poyi_pulse_case *c, int64_t i)
{
    const poy_row_fft *arg = (const void *)c->arg;
    const poy_slot *in = &c->slot[owner(c, 1)];
    const double *x = c->data[owner(c, 1)];
    const int64_t column = i / c->slot[0].len;
    const int pair = in->dtype == POY_C128 ? 2 : 1;
    double sum = 0.0;
    for (int64_t k = column * in->len; k < (column + 1) * in->len; k++)
        sum += pair == 2 ? hypot(x[2 * k], x[2 * k + 1]) : fabs(x[k]);
    return (log2((double)(arg->kind == POY_FFT_C2R ? c->slot[0].len : in->len)) + 4.0) * sum *
           (arg->kind == POY_FFT_C2R ? 2.0 : 1.0);
}

/* Whether the scale of a row comes from its moduli. */
static int sums_products(const poyi_pulse_case *c)
{
    return strcmp(c->row, "propagators") != 0 && strcmp(c->row, "fft") != 0;
}

/* ---- judging ---- */

static int same_kind(double a, double b)
{
    return isnan(a) ? isnan(b) : a == b;
}

/* One output buffer against the reference's; the largest error in units of the bound. text: the first fault. */
static double judge_buffer(const poyi_pulse_case *c, double tolerance, int b, const outcome *got, const outcome *want,
                           const outcome *scale, size_t size, char *text)
{
    const int pair = c->slot[b].dtype == POY_C128 ? 2 : 1;
    double worst = 0.0, column_scale = 0.0;
    for (int64_t i = 0; i < c->slot[b].cols * c->slot[b].len; i++) {
        const double *g = got->data[b] + pair * i, *w = want->data[b] + pair * i;
        if (!strcmp(c->row, "fft") && i % c->slot[b].len == 0)
            column_scale = transform_scale(c, i);
        double terms = column_scale;
        if (scale->data[b])
            terms = hypot(scale->data[b][pair * i], pair == 2 ? scale->data[b][pair * i + 1] : 0.0);
        else if (!strcmp(c->row, "propagators"))
            terms = propagator_scale(c, want, i);
        const double error = pair == 2 ? hypot(g[0] - w[0], g[1] - w[1]) : fabs(g[0] - w[0]);
        const double bound = DBL_EPSILON * tolerance * terms;
        /* What is not finite has to be so in both, part by part or not. */
        const int finite = isfinite(w[0]) && isfinite(w[pair - 1]);
        const int exact = same_kind(g[0], w[0]) && same_kind(g[pair - 1], w[pair - 1]);
        const int blurred = !finite && !(isfinite(g[0]) && isfinite(g[pair - 1]));
        if (exact || blurred)
            continue;
        const double ratio = bound > 0.0 && finite ? error / bound : (double)INFINITY;
        if (!(ratio <= 1.0) && !*text)
            snprintf(text, size,
                     "%s: buffer %d, element %lld is %.17g %.17g, reference %.17g %.17g, off by %.3g of %.3g", c->name,
                     b, (long long)i, g[0], pair == 2 ? g[1] : 0.0, w[0], pair == 2 ? w[1] : 0.0, error, bound);
        worst = ratio > worst ? ratio : worst;
    }
    return worst;
}

static void check_inputs(const poyi_pulse_case *c, const outcome *got, size_t size, char *text)
{
    for (int i = 0; i < c->n_slots; i++)
        if (c->data[i] && !((c->outputs | c->spoiled) >> i & 1u) &&
            memcmp(c->data[i], got->data[i], (size_t)poyi_pulse_parts(&c->slot[i]) * sizeof(double)) != 0 && !*text)
            snprintf(text, size, "%s: buffer %d, an input, is changed", c->name, i);
}

/* The same bits on other numbers of threads. */
static poy_status check_threads(poy_ctx *ctx, poy_backend *be, const poyi_pulse_case *c, const outcome *got,
                                size_t size, char *text)
{
    enum { THREADED = 30000, MOST = 3 };
    int64_t largest = 0;
    for (int i = 0; i < c->n_slots; i++)
        largest = c->slot[i].cols * c->slot[i].len > largest ? c->slot[i].cols * c->slot[i].len : largest;
    for (int threads = 2; threads <= MOST && largest >= THREADED && !*text; threads++) {
        outcome again = {{NULL}, 0};
        poy_ctx_set_threads(ctx, threads);
        poy_status status = run_case(ctx, be, c, &again);
        poy_ctx_set_threads(ctx, 1);
        for (int i = 0; i < c->n_slots && status == POY_OK && !*text; i++)
            if (c->data[i] && !(c->spoiled >> i & 1u) &&
                memcmp(again.data[i], got->data[i], (size_t)poyi_pulse_parts(&c->slot[i]) * sizeof(double)) != 0)
                snprintf(text, size, "%s: buffer %d has other bits on %d threads", c->name, i, threads);
        outcome_fini(&again);
        POYI_TRY(ctx, status);
    }
    return POY_OK;
}

typedef struct session {
    poy_backend *be, *ref;
    uint64_t seed;
} session;

/* A case on both; what keeps it from being judged is an error. */
static poy_status judge_case(poy_ctx *ctx, const session *s, const poyi_pulse_case *c, poy_conform_row *row)
{
    poy_status status = POY_OK;
    outcome got = {{NULL}, 0}, want = {{NULL}, 0}, scale = {{NULL}, 0};
    poyi_pulse_case moduli = {0};
    char text[sizeof row->failure] = "";

    row->cases++;
    status = run_case(ctx, s->be, c, &got);
    if (status == POY_ERR_UNSUPPORTED || (status == POY_OK && !got.native)) {
        row->cases--;
        row->absent_variants++;
        status = POY_OK;
        goto done;
    }
    if (status != POY_OK) { /* as a cell that says no where it should not */
        poyi_conform_fail(&row->failed, sizeof row->failure, row->failure, c->name, poy_ctx_cause(ctx));
        status = POY_OK;
        goto done;
    }
    POYI_TO_DONE(ctx, run_case(ctx, s->ref, c, &want));
    if (sums_products(c)) {
        POYI_TO_DONE(ctx, moduli_of(ctx, c, &moduli));
        add_terms(c, &moduli);
        POYI_TO_DONE(ctx, run_case(ctx, s->ref, &moduli, &scale));
        add_differences(c, &scale);
        add_roundings(c, &scale);
    }
    for (int b = 0; b < c->n_slots; b++)
        if (c->data[b] && c->outputs >> b & 1u) {
            const double worst = judge_buffer(c, row->tolerance, b, &got, &want, &scale, sizeof text, text);
            if (worst > row->worst) {
                row->worst = worst;
                snprintf(row->worst_case, sizeof row->worst_case, "%s", c->name);
            }
        }
    check_inputs(c, &got, sizeof text, text);
    POYI_TO_DONE(ctx, check_threads(ctx, s->be, c, &got, sizeof text, text));
    if (*text && !row->failed++)
        memcpy(row->failure, text, sizeof text);
done:
    poyi_pulse_case_fini(&moduli);
    outcome_fini(&scale);
    outcome_fini(&want);
    outcome_fini(&got);
    return status;
}

/* ---- the way through the rows, which a process goes on with where another one died ---- */

enum { ROWS_MAX = 64 };

typedef struct way {
    poyi_watch watch; /* first: isolate.h */
    int n;            /* rows asked for; 0: not yet known */
    int at, next;     /* the row under way, its next case */
    int number[ROWS_MAX];
    unsigned char is_given_up[ROWS_MAX];
    poy_conform_row row[ROWS_MAX];
} way;

typedef struct run {
    const poy_conform_options *options;
    const char *pattern;
    int index; /* of the one case; -1: all */
    uint64_t seed;
    way *way;
    poy_conform_row_fn *fn;
    void *user;
    int told, *failed;
} run;

static void tell_row(void *user)
{
    run *r = user;
    const poy_conform_row *row = &r->way->row[r->told++];
    *r->failed += row->failed;
    if (r->fn)
        r->fn(r->user, row);
}

/* As the cells of conform.c. */
static void end_case(void *shared, const char *how, int is_late)
{
    way *w = shared;
    poy_conform_row *row = &w->row[w->at];
    w->next++;
    row->crashed++;
    row->hung += is_late;
    w->is_given_up[w->at] = is_late || row->crashed >= POYI_CRASHES_MAX;
    poyi_conform_fail(&row->failed, sizeof row->failure, row->failure, w->watch.name, how);
    if (w->is_given_up[w->at])
        poyi_conform_give_up(sizeof row->failure, row->failure, w->watch.name);
}

static poy_status list_rows(poy_ctx *ctx, const session *s, const run *r)
{
    way *w = r->way;
    for (int i = 0; i < poyi_pulse_row_count(); i++) {
        const char *name = poyi_pulse_row_name(i);
        if (r->index >= 0 ? strcmp(r->pattern, name) != 0 : r->pattern && fnmatch(r->pattern, name, 0) != 0)
            continue;
        if (w->n == ROWS_MAX)
            return POYI_FAIL(ctx, POY_ERR_INTERNAL, "conform: more than %d rows", ROWS_MAX);
        w->number[w->n] = i;
        w->row[w->n++] = (poy_conform_row){
            .row = name, .tolerance = poyi_pulse_row_tolerance(i), .origin = poy_backend_row_origin(s->be, name)};
    }
    if (!w->n)
        return poyi_conform_no_such(ctx, "row", r->pattern, poyi_pulse_row_name, poyi_pulse_row_count());
    return POY_OK;
}

/* The cases of the row under way, from where w stands. */
static poy_status run_row(poy_ctx *ctx, const session *s, const run *r)
{
    way *w = r->way;
    if (r->index >= 0 && w->next <= r->index)
        w->next = r->index;
    for (int made = 1; made && !w->is_given_up[w->at] && (r->index < 0 || w->next == r->index); w->next++) {
        poyi_pulse_case c;
        POYI_TRY(ctx, poyi_conform_goes_on(ctx));
        POYI_TRY(ctx, poyi_pulse_case_make(ctx, w->number[w->at], w->next, s->seed, &c, &made));
        if (made)
            poyi_watch_begin(&w->watch, 1, c.name);
        poy_status status = made ? judge_case(ctx, s, &c, &w->row[w->at]) : POY_OK;
        poyi_pulse_case_fini(&c);
        POYI_TRY(ctx, status);
        if (!made && r->index >= 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: row %s has no case %d", r->pattern, r->index);
    }
    return POY_OK;
}

static poy_status work(poy_ctx *ctx, void *shared)
{
    way *w = shared;
    const run *r = w->watch.user;
    poy_status status = POY_OK;
    session s = {.seed = r->seed};
    poyi_watch_begin(&w->watch, 0, "opened");
    poy_ctx_set_threads(ctx, 1);
    POYI_TO_DONE(ctx, poy_backend_open(ctx, r->options->backend, &s.be));
    POYI_TO_DONE(ctx, poy_backend_open(ctx, "ref", &s.ref));
    if (!w->n)
        POYI_TO_DONE(ctx, list_rows(ctx, &s, r));
    for (; w->at < w->n; w->at++, w->next = 0) {
        if (w->row[w->at].origin == POY_NATIVE)
            POYI_TO_DONE(ctx, run_row(ctx, &s, r));
        poyi_watch_tell(&w->watch);
    }
done:
    poyi_watch_begin(&w->watch, 0, "closed");
    poy_backend_close(&s.ref);
    poy_backend_close(&s.be);
    return status;
}

poy_status poy_conform_rows(poy_ctx *ctx, const poy_conform_options *options, const char *rows, poy_conform_row_fn *fn,
                            void *user, int *failed)
{
    poy_conform_options o;
    poyi_case_id only;
    void *shared = NULL;

    *failed = 0;
    POYI_TRY(ctx, poyi_conform_options_read(ctx, options, &o));
    run r = {.options = &o, .pattern = rows, .index = -1, .seed = o.seed, .fn = fn, .user = user, .failed = failed};
    if (o.only) {
        POYI_TRY(ctx, poyi_case_id_read(ctx, o.only, "row", 2, "row:combine.17.1", &only));
        r.pattern = only.of;
        r.index = only.number[0] < INT32_MAX ? (int)only.number[0] : INT32_MAX - 1;
        r.seed = only.number[1];
    }
    POYI_TRY(ctx, poyi_watch_create(ctx, sizeof(way), &shared));
    r.way = shared;
    const poyi_task task = {.work = work, .died = end_case, .told = tell_row, .user = &r, .seconds = o.case_seconds};
    const int threads = poy_ctx_threads(ctx);
    const poy_status status = poyi_task_run(ctx, &task, o.isolated, shared);
    poy_ctx_set_threads(ctx, threads);
    poyi_watch_destroy(sizeof(way), &shared);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poyi_task_run", __func__, __FILE__, __LINE__);
    return POY_OK;
}
