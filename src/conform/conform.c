/* conform.c: all cases of a backend, cell by cell. */
#define _POSIX_C_SOURCE 200809L /* fnmatch, clock_gettime */
#include <fnmatch.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conform/conform.h"

void poy_conform_options_init(poy_conform_options *options)
{
    *options = (poy_conform_options){.size = sizeof *options,
                                     .backend = "cpu",
                                     .level = POY_CONFORM_QUICK,
                                     .seed = 1,
                                     .seconds = 600,
                                     .against = "ref",
                                     .tolerance_scale = 1};
}

typedef struct session {
    poy_ctx *ctx;
    poy_backend *be, *ref; /* ref NULL: be is the reference, and is held to formulas */
    double scale;          /* of all bounds */
} session;

static void fail(poy_conform_cell *cell, const char *name, const char *text)
{
    if (!cell->failed++)
        snprintf(cell->failure, sizeof cell->failure, "%s: %s", name, text);
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
    cell->cases++;
    if (poyi_case_run(ctx, s->be, c, &got, &of_property, sizeof text, text) != POY_OK) {
        fail(cell, name, poy_ctx_message(ctx));
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

static poy_status run_cell(const session *s, poyi_op op, poy_dtype dtype, int first, int end, uint64_t seed,
                           poy_conform_cell *cell)
{
    for (int i = first; i < end; i++) {
        poyi_case c;
        POYI_TRY(s->ctx, poyi_case_make(s->ctx, op, dtype, i, seed, &c));
        c.allowance = allowance(s, op, dtype);
        poy_status status = is_open_to(s, &c) ? run_case(s, &c, cell) : POY_OK;
        poyi_case_fini(&c);
        POYI_TRY(s->ctx, status);
    }
    return POY_OK;
}

/* What is asked for: one case, or all cases of the operations and types named. */
typedef struct selection {
    const char *ops;
    unsigned dtypes;
    char op[32], dtype[8];
    int index; /* -1: all */
    uint64_t seed;
} selection;

static poy_status read_selection(poy_ctx *ctx, const poy_conform_options *o, selection *s)
{
    unsigned long long seed = o->seed;

    *s = (selection){.ops = o->ops ? o->ops : "*", .dtypes = o->dtypes ? o->dtypes : ~0u, .index = -1};
    if (o->only) {
        int used = 0;
        // NOLINTNEXTLINE(cert-err34-c): a number out of range names no case, or another one
        int n = sscanf(o->only, "%31[a-z0-9_].%7[a-z0-9].%d.%llu%n", s->op, s->dtype, &s->index, &seed, &used);
        if (n != 4 || o->only[used] || s->index < 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: '%s' names no case, which reads exp.c128.17.1", o->only);
        s->ops = s->op;
        s->dtypes = 0;
        for (int t = 0; t < POY_DTYPE_COUNT; t++)
            if (!strcmp(poy_dtype_name((poy_dtype)t), s->dtype))
                s->dtypes = 1u << t;
    }
    s->seed = seed;
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

static void report_cell(const poy_conform_cell *cell, poy_conform_fn *fn, void *user, poy_conform_report *report)
{
    report->cases += cell->cases;
    report->failed += cell->failed;
    report->native += cell->origin == POY_NATIVE;
    report->delegated += cell->origin == POY_DELEGATED;
    report->absent += cell->origin == POY_ABSENT;
    report->worst = cell->worst > report->worst ? cell->worst : report->worst;
    if (fn)
        fn(user, cell);
}

static poy_status run_all(const session *s, const selection *sel, const poy_conform_options *o, poy_conform_fn *fn,
                          void *user, poy_conform_report *report)
{
    int cells = 0;
    for (int op = 0; op < POYI_OP_COUNT; op++)
        for (int t = 0; t < POY_DTYPE_COUNT; t++) {
            poy_conform_cell cell;
            if (!start_cell(s, sel, op, t, &cell))
                continue;
            int first = sel->index >= 0 ? sel->index : 0;
            int end = sel->index >= 0 ? sel->index + 1 : poyi_case_count((poyi_op)op, o->level);
            if (o->list)
                cell.cases = cell.origin == POY_NATIVE ? end - first : 0;
            else if (cell.origin == POY_NATIVE)
                POYI_TRY(s->ctx, run_cell(s, (poyi_op)op, (poy_dtype)t, first, end, sel->seed, &cell));
            cells++;
            report_cell(&cell, fn, user, report);
        }
    if (!cells)
        return POYI_FAIL(s->ctx, POY_ERR_ARGUMENT, "conform: there is no operation '%s' in the element types named",
                         sel->ops);
    return POY_OK;
}

/* ---- soaking: rounds over all cells, each with cases that are new ---- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static poy_status soak(const session *s, const selection *sel, double seconds, poy_conform_cell *cells, int *asked)
{
    enum { ROUND = 12 }; /* cases: each shape once */
    const double end = now() + seconds;
    int any = 0;
    for (int op = 0; op < POYI_OP_COUNT; op++)
        for (int t = 0; t < POY_DTYPE_COUNT; t++)
            any |= asked[op * POY_DTYPE_COUNT + t] = start_cell(s, sel, op, t, &cells[op * POY_DTYPE_COUNT + t]);
    if (!any)
        return POYI_FAIL(s->ctx, POY_ERR_ARGUMENT, "conform: there is no operation '%s' in the element types named",
                         sel->ops);
    for (int round = 0; round == 0 || now() < end; round++)
        for (int i = 0; i < POYI_OP_COUNT * POY_DTYPE_COUNT && (round == 0 || now() < end); i++)
            if (asked[i] && cells[i].origin == POY_NATIVE)
                POYI_TRY(s->ctx, run_cell(s, (poyi_op)(i / POY_DTYPE_COUNT), cells[i].dtype, round * ROUND,
                                          (round + 1) * ROUND, sel->seed, &cells[i]));
    return POY_OK;
}

static poy_status run_soak(const session *s, const selection *sel, double seconds, poy_conform_fn *fn, void *user,
                           poy_conform_report *report)
{
    enum { CELLS = POYI_OP_COUNT * POY_DTYPE_COUNT };
    int asked[CELLS] = {0};
    poy_conform_cell *cells = calloc(CELLS, sizeof *cells);
    if (!cells)
        return POYI_FAIL(s->ctx, POY_ERR_MEMORY, "conform: no memory for %d cells", (int)CELLS);
    poy_status status = soak(s, sel, seconds, cells, asked);
    for (int i = 0; i < CELLS && status == POY_OK; i++)
        if (asked[i])
            report_cell(&cells[i], fn, user, report);
    free(cells);
    return status;
}

poy_status poy_conform_run(poy_ctx *ctx, const poy_conform_options *options, poy_conform_fn *fn, void *user,
                           poy_conform_report *report)
{
    poy_conform_options o;
    poy_status status = POY_OK;
    session s = {.ctx = ctx};
    selection sel;
    int threads = 0;

    *report = (poy_conform_report){0};
    poy_conform_options_init(&o);
    if (options)
        memcpy(&o, options, options->size < sizeof o ? options->size : sizeof o);
    POYI_TRY(ctx, read_selection(ctx, &o, &sel));
    if (!(o.tolerance_scale > 0) || isinf(o.tolerance_scale))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "conform: bounds times %g: needs a number above 0", o.tolerance_scale);
    s.scale = o.tolerance_scale;
    threads = poy_ctx_threads(ctx);
    POYI_TO_DONE(ctx, poy_backend_open(ctx, o.backend, &s.be));
    POYI_TO_DONE(ctx, check_multipliers(&s));
    if (strcmp(poy_backend_name(s.be), "ref") != 0 || strcmp(o.against, "ref") != 0)
        POYI_TO_DONE(ctx, poy_backend_open(ctx, o.against, &s.ref));
    if (o.level == POY_CONFORM_SOAK && !o.only && !o.list)
        POYI_TO_DONE(ctx, run_soak(&s, &sel, o.seconds, fn, user, report));
    else
        POYI_TO_DONE(ctx, run_all(&s, &sel, &o, fn, user, report));
done:
    poy_ctx_set_threads(ctx, threads);
    poy_backend_close(&s.ref);
    poy_backend_close(&s.be);
    return status;
}
