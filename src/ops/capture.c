/* capture.c: recording of array calls as programs (poynting/program.h), on their recorder and executor (program.h). */
#include "ops/capture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/program.h"
#include "poynting/program.h"

enum { NAME_MAX_ = 32, CAUSE_MAX = 512 };

struct poy_program {
    poyi_program *rows;
    poyi_engine *engine;
    poyi_buffer **held; /* the memory that the rows work on, each once */
    int n_held, room;
    int n_rows;
    size_t bytes;
};

struct poyi_capture {
    char name[NAME_MAX_];
    poy_program *program;
    poy_backend *be;       /* counted */
    poy_status status;     /* of the first call that failed */
    char cause[CAUSE_MAX]; /* what it said */
};

/* ---- the program ---- */

static poy_status create_program(poy_ctx *ctx, const char *name, poy_program **out)
{
    poy_status status = POY_OK;
    int segment = 0;
    poy_program *p = calloc(1, sizeof *p);
    *out = NULL;
    if (!p)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for program '%s'", name);
    p->engine = poyi_engine_ref(poyi_ctx_engine(ctx));
    POYI_TO_DONE(ctx, poyi_program_create(ctx, name, &p->rows));
    POYI_TO_DONE(ctx, poyi_program_segment(ctx, p->rows, name, &segment));
    *out = p;
    return POY_OK;
done:
    poy_program_destroy(&p);
    return status;
}

void poy_program_destroy(poy_program **p_)
{
    poy_program *p = *p_;
    *p_ = NULL;
    if (!p)
        return;
    poyi_program_destroy(&p->rows);
    for (int i = 0; i < p->n_held; i++)
        poyi_buffer_drop(p->held[i]);
    free(p->held);
    poyi_engine_unref(&p->engine);
    free(p);
}

static poy_status hold(poy_ctx *ctx, poy_program *p, poyi_buffer *buffer)
{
    for (int i = p->n_held; i-- > 0;)
        if (p->held[i] == buffer)
            return POY_OK;
    if (p->n_held == p->room) {
        const int room = p->room ? 2 * p->room : 8;
        poyi_buffer **held = realloc(p->held, (size_t)room * sizeof(void *));
        if (!held)
            return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a program on %d arrays", room);
        p->held = held;
        p->room = room;
    }
    p->held[p->n_held++] = poyi_buffer_keep(buffer);
    p->bytes += poyi_buffer_program_bytes(buffer);
    return POY_OK;
}

/* ---- recording ---- */

static void drop_capture(poyi_capture *c)
{
    poy_program_destroy(&c->program);
    poy_backend_close(&c->be);
    free(c);
}

poy_status poy_program_begin(poy_ctx *ctx, poy_backend *be, const char *name)
{
    if (poyi_ctx_capture(ctx))
        return POYI_FAIL(ctx, POY_ERR_STATE, "program '%s': the context records program '%s' already", name,
                         poyi_ctx_capture(ctx)->name);
    if (!*name || strlen(name) >= NAME_MAX_)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s': a name has 1 to %d characters", name, NAME_MAX_ - 1);
    if (poyi_backend_engine(be) != poyi_ctx_engine(ctx))
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "program '%s': backend '%s' is one of another engine", name,
                         poy_backend_name(be));
    poyi_capture *c = calloc(1, sizeof *c);
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory to record program '%s'", name);
    memcpy(c->name, name, strlen(name) + 1);
    c->be = poyi_backend_keep(be);
    poy_status status = create_program(ctx, name, &c->program);
    if (status != POY_OK)
        drop_capture(c);
    else
        poyi_ctx_set_capture(ctx, c, drop_capture);
    return status;
}

void poy_program_cancel(poy_ctx *ctx)
{
    if (poyi_ctx_capture(ctx))
        drop_capture(poyi_ctx_capture(ctx));
    poyi_ctx_set_capture(ctx, NULL, NULL);
}

poy_status poy_program_end(poy_ctx *ctx, poy_program **out)
{
    poy_status status = POY_OK;
    poyi_capture *c = poyi_ctx_capture(ctx);

    *out = NULL;
    if (!c)
        return POYI_FAIL(ctx, POY_ERR_STATE, "no program is being recorded: poy_program_begin starts one");
    poyi_ctx_set_capture(ctx, NULL, NULL);
    if (c->status != POY_OK) {
        status = POYI_FAIL(ctx, POY_ERR_STATE, "program '%s' is not whole: a call failed while it was recorded (%s)",
                           c->name, c->cause);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_program_bind(ctx, c->program->rows, c->be));
    c->program->n_rows = poyi_program_rows(c->program->rows, 0);
    *out = c->program;
    c->program = NULL;
done:
    drop_capture(c);
    return status;
}

/* ---- rows that are done at once: one line of each operand, as the short way of a call takes them ---- */

enum { OPERANDS = 4 };

typedef struct short_row {
    poyi_at_once *run;
    void *p[OPERANDS];
    int64_t stride[OPERANDS], n;
} short_row;

static poy_status run_short(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const short_row *r = step->arg;
    (void)ctx, (void)be, (void)scalars;
    r->run(r->p, r->stride, r->n);
    return POY_OK;
}

/* Whether work is of one short line of each operand, and into one of those or one number. */
static int is_short(const poyi_work *work, int n, const poy_tensor *out)
{
    const int64_t count = work->t[0].extent[0];
    if (!work->at_once || n > OPERANDS || work->t[0].rank != 1 || !poyi_call_short_count(count))
        return 0;
    switch (poyi_op_rows[work->op].family) {
    case POY_FAMILY_copy: return out->dtype == work->t[0].dtype && out->rank == 1;
    case POY_FAMILY_unary:
    case POY_FAMILY_binary:
    case POY_FAMILY_ternary: return out->rank == 1;
    case POY_FAMILY_reduce: return work->arg.n_reduced == 1 && work->t[0].stride[0] == 1;
    case POY_FAMILY_dot: return work->t[0].stride[0] == 1 && work->t[1].stride[0] == 1;
    default: return 0;
    }
}

/* The row of such work; 0: it goes by tensors. */
static int as_short(const poyi_work *work, int n, short_row *row)
{
    const poy_tensor *out = &work->t[n - 1];
    if (!is_short(work, n, out))
        return 0;
    *row = (short_row){.run = work->at_once, .n = work->t[0].extent[0]};
    for (int k = 0; k < n; k++) {
        const poy_tensor *t = &work->t[k];
        row->p[k] = (unsigned char *)t->mem + t->offset * (int64_t)poy_dtype_size(t->dtype);
        row->stride[k] = t->rank ? t->stride[0] : 1;
        if (row->stride[k] != 1 && (row->stride[k] != 0 || k == n - 1))
            return 0;
    }
    return 1;
}

poy_status poyi_capture_work(const poyi_call *call, const poyi_work *work, int n, const poy_array *const *a)
{
    poy_ctx *ctx = call->ctx;
    poyi_capture *c = poyi_ctx_capture(ctx);
    const char *name = poyi_op_rows[work->op].name;

    if (call->be != c->be)
        return POYI_OP_FAIL(call, POY_ERR_BACKEND, "%s: program '%s' is one of backend '%s', the arrays are on '%s'",
                            name, c->name, poy_backend_name(c->be), poy_backend_name(call->be));
    for (int i = 0; i < n; i++)
        POYI_TRY(ctx, hold(ctx, c->program, a[i]->buffer));
    poy_backend *by = work->state == poyi_backend_state(c->be) ? c->be : poyi_backend_ref(c->be);
    short_row row;
    if (as_short(work, n, &row)) {
        POYI_TRY(ctx, poyi_program_call(ctx, c->program->rows, name, run_short, &row, sizeof row, by));
        return POY_OK;
    }
    POYI_TRY(ctx, poyi_program_call(ctx, c->program->rows, name, poyi_work_runner(work), work,
                                    offsetof(poyi_work, t) + (size_t)n * sizeof work->t[0], by));
    return POY_OK;
}

poy_status poyi_capture_refuse(poy_ctx *ctx, const char *what, const char *hint)
{
    const poy_status status = POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "program '%s' is being recorded: %s; %s",
                                        poyi_ctx_capture(ctx)->name, what, hint);
    poyi_capture_spoil(ctx, status);
    return status;
}

void poyi_capture_spoil(poy_ctx *ctx, poy_status status)
{
    poyi_capture *c = poyi_ctx_capture(ctx);
    if (!c || c->status != POY_OK)
        return;
    c->status = status;
    snprintf(c->cause, sizeof c->cause, "%.*s", (int)sizeof c->cause - 1, poy_ctx_cause(ctx));
}

poyi_ctx_first poyi_capture_pause(poy_ctx *ctx)
{
    const poyi_ctx_first before = {poyi_ctx_capture(ctx), drop_capture};
    poyi_ctx_set_capture(ctx, NULL, NULL);
    return before;
}

void poyi_capture_resume(poy_ctx *ctx, poyi_ctx_first before)
{
    poyi_ctx_set_capture(ctx, before.capture, before.drop);
}

/* ---- running ---- */

poy_status poy_program_run(poy_ctx *ctx, poy_program *p, int64_t times)
{
    if (poyi_ctx_capture(ctx))
        return poyi_capture_refuse(ctx, "a program cannot be run", "end the recording first");
    if (poyi_ctx_engine(ctx) != p->engine)
        return POYI_FAIL(ctx, POY_ERR_MISMATCH, "run: the program is one of another engine");
    if (times < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "run: %lld times, needs 0 at least", (long long)times);
    POYI_TRY(ctx, poyi_program_repeat(ctx, p->rows, 0, times));
    return POY_OK;
}

int poy_program_rows(const poy_program *p)
{
    return p->n_rows;
}

size_t poy_program_bytes(const poy_program *p)
{
    return p->bytes;
}
