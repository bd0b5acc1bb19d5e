/* conform.c: all cases of a backend, cell by cell. */
#define _POSIX_C_SOURCE 200809L /* fnmatch */
#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

#include "conform/conform.h"
#include "conform/isolate.h"
#include "conform/part.h"
#include "core/clock.h"

typedef struct session {
    poy_ctx *ctx;
    poy_backend *be, *ref; /* ref NULL: be is the reference, and is held to formulas */
    double scale;          /* of all bounds */
    poyi_watch *watch;
} session;

static void fail(poy_conform_cell *cell, const char *name, const char *text)
{
    poyi_conform_fail(&cell->failed, sizeof cell->failure, cell->failure, name, text);
}

/* A backend without casts refuses mixed types by name; such cases are not its own. */
static int is_open_to(const session *s, const poyi_case *c)
{
    for (int k = 0; k < c->n_in; k++) {
        const poyi_operand *o = &c->operand[k];
        int chooses = (c->op == POYI_OP_where && k == 0) || (c->places && k == 1); /* of a type of its own */
        if (o->dtype != c->dtype && !chooses && poy_backend_origin(s->be, "copy", o->dtype) == POY_ABSENT)
            return 0;
    }
    return 1;
}

/* Runs a case; only what keeps it from being judged is an error. */
static poy_status run_case(const session *s, const poyi_case *c, poy_conform_cell *cell)
{
    poy_ctx *ctx = s->ctx;
    poy_status status = POY_OK;
    char name[64], text[768] = "";
    double worst = 0, of_property = 0, of_reference = 0;
    void *got = NULL, *want = NULL;
    poyi_expected expected = {NULL, NULL};

    poyi_case_name(c, sizeof name, name);
    poyi_watch_begin(s->watch, 1, name);
    cell->cases++;
    if (poyi_case_run(ctx, s->be, c, &got, &of_property, sizeof text, text) != POY_OK) {
        fail(cell, name, poy_ctx_cause(ctx));
        goto done;
    }
    if (text[0]) {
        fail(cell, name, text);
        goto done;
    }
    if (s->ref) {
        POYI_TO_DONE(ctx, poyi_case_run(ctx, s->ref, c, &want, &of_reference, sizeof text, text));
        if (text[0]) {
            fail(cell, name, text);
            goto done;
        }
    }
    POYI_TO_DONE(ctx, poyi_oracle(ctx, c, want, &expected));
    if (!poyi_judge(c, &expected, got, &worst, sizeof text, text))
        fail(cell, name, text);
    worst = of_property > worst ? of_property : worst;
    if (worst > cell->worst) {
        cell->worst = worst;
        snprintf(cell->worst_case, sizeof cell->worst_case, "%s", name);
    }
done:
    poyi_expected_fini(&expected);
    poyi_free(&want);
    poyi_free(&got);
    return status;
}

/* Whether a result is one rounding away from its formula: the reference has to round it right. */
static int rounds_once(poyi_op op, poy_dtype dtype)
{
    return poyi_row_scales[op] == POYI_SCALE_EACH && poyi_row_tolerance((int)op, dtype) == 1;
}

/* How many times the bound of a row the backend declares that it needs. */
static double multiplier(const session *s, poyi_op op, poy_dtype dtype)
{
    const poy_backend_api *api = poyi_backend_api(s->be);
    return api->tolerance ? api->tolerance(poyi_backend_state(s->be), poyi_op_rows[op].name, dtype) : 1;
}

/* It has to be from 1 to 4, whatever is asked for. */
static poy_status check_multipliers(const session *s)
{
    for (int op = 0; op < POYI_OP_COUNT; op++)
        for (int t = 0; t < POY_DTYPE_COUNT; t++) {
            const double m = multiplier(s, (poyi_op)op, (poy_dtype)t);
            if (!(m >= 1 && m <= 4))
                return POYI_FAIL(s->ctx, POY_ERR_BACKEND,
                                 "conform: backend '%s' declares %g times the bound of %s in %s; 1 to 4 can be",
                                 poy_backend_name(s->be), m, poyi_op_rows[op].name, poy_dtype_name((poy_dtype)t));
        }
    return POY_OK;
}

/* How many times the bound of its row a result may be off. */
static double allowance(const session *s, poyi_op op, poy_dtype dtype)
{
    return s->scale * multiplier(s, op, dtype) * (!s->ref && rounds_once(op, dtype) ? 0.5 : 1);
}

static poyi_op op_of(const poy_conform_cell *cell)
{
    poyi_op op = 0;
    while (poyi_op_rows[op].name != cell->op)
        op++;
    return op;
}

static poy_status run_index(const session *s, int index, uint64_t seed, poy_conform_cell *cell)
{
    const poyi_op op = op_of(cell);
    poyi_case c;
    POYI_TRY(s->ctx, poyi_conform_goes_on(s->ctx));
    POYI_TRY(s->ctx, poyi_case_make(s->ctx, op, cell->dtype, index, seed, &c));
    c.allowance = allowance(s, op, cell->dtype);
    poy_status status = is_open_to(s, &c) ? run_case(s, &c, cell) : POY_OK;
    poyi_case_fini(&c);
    POYI_TRY(s->ctx, status);
    return POY_OK;
}

/* What is asked for: one case, or all cases of the operations and types named. */
typedef struct selection {
    const char *ops;
    unsigned dtypes;
    poyi_case_id only;
    int index; /* -1: all */
    uint64_t seed;
} selection;

static poy_status read_selection(poy_ctx *ctx, const poy_conform_options *o, selection *s)
{
    static const char example[] = "exp.c128.17.1";
    *s = (selection){.ops = o->ops ? o->ops : "*", .dtypes = o->dtypes ? o->dtypes : ~0u, .index = -1, .seed = o->seed};
    if (!o->only)
        return POY_OK;
    POYI_TRY(ctx, poyi_case_id_read(ctx, o->only, NULL, 2, example, &s->only));
    char *dot = strrchr(s->only.of, '.');
    s->dtypes = 0;
    for (int t = 0; dot && t < POY_DTYPE_COUNT; t++)
        if (!strcmp(poy_dtype_name((poy_dtype)t), dot + 1))
            s->dtypes = 1u << t;
    if (!s->dtypes || s->only.number[0] >= INT32_MAX || strpbrk(s->only.of, "*?[\\"))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: '%s' names no case, which reads %s", o->only, example);
    *dot = '\0';
    s->ops = s->only.of;
    s->index = (int)s->only.number[0];
    s->seed = s->only.number[1];
    return POY_OK;
}

/* Whether a cell is asked for; starts it. */
static int start_cell(const session *s, const selection *sel, int op, int dtype, poy_conform_cell *cell)
{
    const char *name = poyi_op_rows[op].name;
    *cell = (poy_conform_cell){.op = name, .dtype = (poy_dtype)dtype};
    cell->multiplier = multiplier(s, (poyi_op)op, cell->dtype);
    cell->row_tolerance = allowance(s, (poyi_op)op, cell->dtype) * poyi_row_tolerance(op, cell->dtype);
    if (fnmatch(sel->ops, name, 0) != 0 || !(sel->dtypes & 1u << dtype) || !poyi_op_takes((poyi_op)op, cell->dtype))
        return 0;
    cell->origin = poy_backend_origin(s->be, name, cell->dtype);
    return 1;
}

/* ---- the way through the cells, which a process goes on with where another one died ---- */

enum { CELLS = POYI_OP_COUNT * POY_DTYPE_COUNT };

typedef struct way {
    poyi_watch watch; /* first: isolate.h */
    int is_listed, n; /* cells that are asked for */
    int at, next;     /* the cell under way, its next case */
    int round;        /* of a soak */
    double end;       /* of a soak, s of the monotonic clock */
    unsigned char is_given_up[CELLS];
    poy_conform_cell cell[CELLS];
} way;

/* What the caller's process knows of it. */
typedef struct run {
    const poy_conform_options *options;
    const selection *sel;
    way *way;
    poy_conform_fn *fn;
    void *user;
    poy_conform_report *report;
    int told;
} run;

static void tell_cell(void *user)
{
    run *r = user;
    const poy_conform_cell *cell = &r->way->cell[r->told++];
    poy_conform_report *report = r->report;
    report->cases += cell->cases;
    report->failed += cell->failed;
    report->crashed += cell->crashed;
    report->native += cell->origin == POY_NATIVE;
    report->delegated += cell->origin == POY_DELEGATED;
    report->absent += cell->origin == POY_ABSENT;
    report->worst = cell->worst > report->worst ? cell->worst : report->worst;
    if (r->fn)
        r->fn(r->user, cell);
}

/* The case under way failed by its end. Each that never returns costs the time of a case, each crash a process: a cell is given up
 * after the first of these, and after a few of those. */
static void end_case(void *shared, const char *how, int is_late)
{
    way *w = shared;
    poy_conform_cell *cell = &w->cell[w->at];
    fail(cell, w->watch.name, how);
    cell->crashed++;
    cell->hung += is_late;
    w->next++;
    w->is_given_up[w->at] = is_late || cell->crashed >= POYI_CRASHES_MAX;
    if (w->is_given_up[w->at])
        poyi_conform_give_up(sizeof cell->failure, cell->failure, w->watch.name);
}

static const char *op_name(int op)
{
    return poyi_op_rows[op].name;
}

static poy_status no_cells(poy_ctx *ctx, const char *ops)
{
    for (int op = 0; op < POYI_OP_COUNT; op++)
        if (fnmatch(ops, op_name(op), 0) == 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: no operation '%s' takes the element types named", ops);
    return poyi_conform_no_such(ctx, "operation", ops, op_name, POYI_OP_COUNT);
}

/* Once, however many processes it takes. */
static poy_status list_cells(const session *s, const run *r)
{
    way *w = r->way;
    const poy_conform_options *o = r->options;
    if (w->is_listed)
        return POY_OK;
    for (int op = 0; op < POYI_OP_COUNT; op++)
        for (int t = 0; t < POY_DTYPE_COUNT; t++)
            w->n += start_cell(s, r->sel, op, t, &w->cell[w->n]);
    if (!w->n)
        return no_cells(s->ctx, r->sel->ops);
    w->end = poyi_seconds() + o->seconds;
    w->is_listed = 1;
    return POY_OK;
}

/* The cases first to end of each cell, from where w stands; until the time of a soak is over. */
static poy_status run_cells(const session *s, const run *r, int first, int end, int tells)
{
    way *w = r->way;
    const int is_soak = r->options->level == POY_CONFORM_SOAK;
    for (; w->at < w->n; w->at++, w->next = 0) {
        poy_conform_cell *cell = &w->cell[w->at];
        const int last = end > 0 ? end : poyi_case_count(op_of(cell), r->options->level);
        if (r->options->list)
            cell->cases = cell->origin == POY_NATIVE ? last - first : 0;
        else if (cell->origin == POY_NATIVE)
            for (w->next = w->next > first ? w->next : first; w->next < last && !w->is_given_up[w->at]; w->next++)
                POYI_TRY(s->ctx, run_index(s, w->next, r->sel->seed, cell));
        if (tells)
            poyi_watch_tell(&w->watch);
        else if (is_soak && w->round > 0 && poyi_seconds() >= w->end)
            break;
    }
    return POY_OK;
}

/* Rounds over all cells, each with cases that are new. */
static poy_status soak(const session *s, const run *r)
{
    enum { ROUND = 12 }; /* cases: each shape once */
    way *w = r->way;
    for (; w->round == 0 || poyi_seconds() < w->end; w->round++, w->at = 0)
        POYI_TRY(s->ctx, run_cells(s, r, w->round * ROUND, (w->round + 1) * ROUND, 0));
    for (int i = 0; i < w->n; i++)
        poyi_watch_tell(&w->watch);
    return POY_OK;
}

/* In the process of the work: opens what is to be judged, and goes on with the way. */
static poy_status work(poy_ctx *ctx, void *shared)
{
    way *w = shared;
    const run *r = w->watch.user;
    const poy_conform_options *o = r->options;
    const int index = r->sel->index;
    poy_status status = POY_OK;
    session s = {.ctx = ctx, .scale = o->tolerance_scale, .watch = &w->watch};
    poyi_watch_begin(s.watch, 0, "opened");
    POYI_TO_DONE(ctx, poy_backend_open(ctx, o->backend, &s.be));
    POYI_TO_DONE(ctx, check_multipliers(&s));
    if (strcmp(poy_backend_name(s.be), "ref") != 0 || strcmp(o->against, "ref") != 0)
        POYI_TO_DONE(ctx, poy_backend_open(ctx, o->against, &s.ref));
    POYI_TO_DONE(ctx, list_cells(&s, r));
    if (o->level == POY_CONFORM_SOAK && !o->only && !o->list)
        POYI_TO_DONE(ctx, soak(&s, r));
    else
        POYI_TO_DONE(ctx, run_cells(&s, r, index > 0 ? index : 0, index >= 0 ? index + 1 : 0, 1));
done:
    poyi_watch_begin(s.watch, 0, "closed");
    poy_backend_close(&s.ref);
    poy_backend_close(&s.be);
    return status;
}

poy_status poy_conform_run(poy_ctx *ctx, const poy_conform_options *options, poy_conform_fn *fn, void *user,
                           poy_conform_report *report)
{
    poy_conform_options o;
    selection sel;
    void *shared = NULL;

    *report = (poy_conform_report){0};
    POYI_TRY(ctx, poyi_conform_options_read(ctx, options, &o));
    POYI_TRY(ctx, read_selection(ctx, &o, &sel));
    POYI_TRY(ctx, poyi_watch_create(ctx, sizeof(way), &shared));
    run r = {.options = &o, .sel = &sel, .way = shared, .fn = fn, .user = user, .report = report};
    const poyi_task task = {.work = work, .died = end_case, .told = tell_cell, .user = &r, .seconds = o.case_seconds};
    const int threads = poy_ctx_threads(ctx);
    const poy_status status = poyi_task_run(ctx, &task, o.isolated, shared);
    poy_ctx_set_threads(ctx, threads);
    poyi_watch_destroy(sizeof(way), &shared);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "poyi_task_run", __func__, __FILE__, __LINE__);
    return POY_OK;
}
