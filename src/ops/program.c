/* program.c: the executor of programs (program.h): bind lays all slots and the rows' scratch out in one block and lets each
 * row's backend prepare its step. They are recorded in program_record.c. */
#include "ops/program_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Slots start at different places of a page: loads that follow a store to the same place of another page wait for it. */
enum { ALIGN = 64, STAGGER = 9 * ALIGN };
enum { LEDGER_NAME = 40, ZEROS = 1 << 16 };

/* Who does a row, and with how much scratch. */
typedef struct choice {
    const poy_row_entry *entry;
    poy_backend *by;
    void *state; /* by's */
    size_t work;
    int prepared;
    int same_as; /* an earlier row that is the same one, whose plan and scratch it shares; -1: none */
} choice;

static size_t slot_bytes(const poy_slot *shape)
{
    return (size_t)(shape->cols * shape->len) * poy_dtype_size(shape->dtype);
}

/* Bytes from a slot to the next. */
static size_t slot_room(const poy_slot *shape)
{
    return (slot_bytes(shape) + ALIGN - 1) / ALIGN * ALIGN + STAGGER;
}

/* ---- who does what ---- */

/* The line of an account that tells whose row failed. */
static poy_status row_failed(poy_ctx *ctx, poy_status status, const char *what, const char *name, const poy_backend *be)
{
    char who[96];
    snprintf(who, sizeof who, "%srow %s of backend '%s'", what, name, poy_backend_name(be));
    return poyi_passed(ctx, status, who, who, __FILE__, __LINE__);
}

/* Asks one backend: *found tells whether it has a variant for the row. */
static poy_status ask(poy_ctx *ctx, const poy_row_entry *entry, poy_backend *by, const poy_row_spec *spec, size_t *work,
                      int *found)
{
    poy_step step = {.arg = spec->arg, .n_buf = (uint8_t)spec->n_slots};
    poy_ctx_clear(ctx);
    poy_status status = entry->prepare(ctx, poyi_backend_state(by), spec, (poy_buffer){NULL, 0}, &step, work);
    if (status != POY_OK)
        return row_failed(ctx, status, "prepare of ", spec->row, by);
    *found = step.run != NULL;
    return POY_OK;
}

/* The first row that does the same on the same slots (the transforms of all stages): they run one after the other, and a
 * row has no state but its plan. */
static int find_same(const poyi_program *p, int i)
{
    const program_row *r = &p->rows[i];
    for (int k = 0; k < i; k++) {
        const program_row *q = &p->rows[k];
        if (!r->call && q->name == r->name && q->n_slots == r->n_slots && q->scalar == r->scalar &&
            !memcmp(q->slots, r->slots, sizeof q->slots) && (!r->arg_bytes || !memcmp(q->arg, r->arg, r->arg_bytes)))
            return k;
    }
    return -1;
}

static poy_status choose(poy_ctx *ctx, const poyi_program *p, int i, poy_backend *be, choice *out)
{
    if (p->rows[i].call) {
        *out = (choice){.by = p->rows[i].by, .same_as = -1};
        return POY_OK;
    }
    const poy_row_spec spec = poyi_program_spec(p, &p->rows[i]);
    poy_backend *ref = poyi_backend_ref(be);
    const poy_origin origin = poyi_backend_find_row(be, spec.row, &out->entry);
    int found = 0;

    out->work = 0;
    out->prepared = 0;
    out->same_as = find_same(p, i);
    out->by = origin == POY_DELEGATED ? ref : be;
    if (origin != POY_ABSENT)
        POYI_TRY(ctx, ask(ctx, out->entry, out->by, &spec, &out->work, &found));
    if (!found && origin == POY_NATIVE && ref && ref != be) { /* it has the row, but not this variant */
        out->by = ref;
        if (poyi_backend_find_row(ref, spec.row, &out->entry) != POY_ABSENT)
            POYI_TRY(ctx, ask(ctx, out->entry, ref, &spec, &out->work, &found));
    }
    if (!found)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "backend '%s' cannot run program '%s': it has no %s '%s'",
                         poy_backend_name(be), p->name, origin == POY_ABSENT ? "row" : "such variant of row", spec.row);
    out->work = (out->work + ALIGN - 1) / ALIGN * ALIGN;
    return POY_OK;
}

poy_status poyi_program_needs(poy_ctx *ctx, const poyi_program *p, poy_backend *be)
{
    choice c;
    for (int i = 0; i < p->n_rows; i++)
        POYI_TRY(ctx, choose(ctx, p, i, be, &c));
    return POY_OK;
}

/* Bytes of each group of slots, and of the scratch behind them. */
static poy_status count_bytes(poy_ctx *ctx, const poyi_program *p, poy_backend *be, size_t bytes[POYI_PROGRAM_GROUPS])
{
    memset(bytes, 0, POYI_PROGRAM_GROUPS * sizeof *bytes);
    for (int i = 0; i < p->n_slots; i++)
        if (p->slots[i].owner == i)
            bytes[p->slots[i].group] += slot_room(&p->slots[i].shape);
    for (int i = 0; i < p->n_rows; i++) {
        choice c;
        POYI_TRY(ctx, choose(ctx, p, i, be, &c));
        bytes[p->n_groups] += c.same_as < 0 ? c.work : 0;
    }
    return POY_OK;
}

static void ledger_name(const poyi_program *p, int group, char out[LEDGER_NAME])
{
    snprintf(out, LEDGER_NAME, "%.19s.%.19s", p->name, group == p->n_groups ? "work" : p->groups[group]);
}

poy_status poyi_program_bytes(poy_ctx *ctx, const poyi_program *p, poy_backend *be, size_t max,
                              poy_ledger_entry *entries, size_t *n_entries, size_t *total)
{
    size_t bytes[POYI_PROGRAM_GROUPS];

    POYI_TRY(ctx, count_bytes(ctx, p, be, bytes));
    *n_entries = (size_t)p->n_groups + 1;
    *total = 0;
    for (int g = 0; g <= p->n_groups; g++) {
        *total += bytes[g];
        if ((size_t)g < max) {
            entries[g] = (poy_ledger_entry){.bytes = bytes[g], .peak = bytes[g]};
            ledger_name(p, g, entries[g].name);
        }
    }
    return POY_OK;
}

/* ---- binding ---- */

static void unbind(poyi_program *p)
{
    if (!p->be)
        return;
    for (int i = p->choices ? p->n_rows : 0; i-- > 0;)
        if (p->choices[i].prepared && p->choices[i].entry->release)
            p->choices[i].entry->release(poyi_backend_state(p->choices[i].by), &p->steps[i]);
    if (p->arena)
        poyi_backend_api(p->be)->release(poyi_backend_state(p->be), p->arena);
    for (int g = p->n_entered; g-- > 0;) {
        char name[LEDGER_NAME];
        ledger_name(p, g, name);
        poyi_ledger_give(p->engine, name, p->bytes[g]);
    }
    free(p->steps);
    free(p->choices);
    p->arena = NULL;
    p->steps = NULL;
    p->choices = NULL;
    p->n_entered = 0;
    poyi_engine_unref(&p->engine);
    poy_backend_close(&p->be);
}

/* Places of the slots in the arena; returns where the scratch starts. */
static int64_t lay_out(poyi_program *p)
{
    int64_t at = 0;
    for (int i = 0; i < p->n_slots; i++) {
        program_slot *s = &p->slots[i];
        if (s->owner != i) {
            s->offset = p->slots[s->owner].offset + s->within; /* owners come first */
            continue;
        }
        s->offset = at;
        at += (int64_t)slot_room(&s->shape);
    }
    return at;
}

static poy_status allocate(poy_ctx *ctx, poyi_program *p)
{
    size_t total = 0;
    for (int g = 0; g <= p->n_groups; g++, p->n_entered++) {
        if (!p->n_slots && !p->bytes[g])
            break;
        char name[LEDGER_NAME];
        ledger_name(p, g, name);
        POYI_TRY(ctx, poyi_ledger_take(ctx, name, p->bytes[g]));
        total += p->bytes[g];
    }
    if (!total) /* of calls alone, which have their memory */
        return POY_OK;
    POYI_TRY(ctx, poyi_backend_alloc(ctx, p->be, total, &p->arena));
    return POY_OK;
}

static poy_status prepare_row(poy_ctx *ctx, poyi_program *p, int i, int64_t *work_at)
{
    const program_row *r = &p->rows[i];
    const poy_row_spec spec = poyi_program_spec(p, r);
    poy_step *step = &p->steps[i];
    choice *c = &p->choices[i];
    size_t work = 0;

    POYI_TRY(ctx, choose(ctx, p, i, p->be, c));
    c->state = poyi_backend_state(c->by);
    if (c->same_as >= 0) {
        *step = p->steps[c->same_as];
        step->row = (uint16_t)i;
        return POY_OK;
    }
    if (!c->entry) { /* a call */
        *step = (poy_step){.run = r->call, .arg = r->arg, .row = (uint16_t)i};
        return POY_OK;
    }
    *step = (poy_step){.arg = r->arg, .scalar = (uint32_t)r->scalar, .row = (uint16_t)i, .n_buf = (uint8_t)r->n_slots};
    for (int b = 0; b < r->n_slots; b++)
        if (r->slots[b] >= 0)
            step->buf[b] = (poy_buffer){p->arena, p->slots[r->slots[b]].offset};
    poy_ctx_clear(ctx);
    poy_status status =
        c->entry->prepare(ctx, poyi_backend_state(c->by), &spec, (poy_buffer){p->arena, *work_at}, step, &work);
    if (status == POY_OK && !step->run)
        status = POYI_FAIL(ctx, POY_ERR_INTERNAL, "row %s has a variant without memory, but none with it", r->name);
    if (status != POY_OK)
        return row_failed(ctx, status, "prepare of ", r->name, c->by);
    c->prepared = 1; /* only what is prepared is given back */
    *work_at += (int64_t)c->work;
    return POY_OK;
}

/* Sets the slots to zero: planning has overwritten them. */
static poy_status clear_slots(poy_ctx *ctx, poyi_program *p, int64_t bytes)
{
    static const unsigned char zeros[ZEROS];
    for (int64_t at = 0; at < bytes; at += ZEROS) {
        const size_t n = bytes - at < ZEROS ? (size_t)(bytes - at) : ZEROS;
        POYI_TRY(ctx,
                 poyi_backend_api(p->be)->write(ctx, poyi_backend_state(p->be), (poy_buffer){p->arena, at}, zeros, n));
    }
    return POY_OK;
}

static void mark_native(poyi_program *p)
{
    for (int s = 0; s < p->n_segments; s++) {
        p->segments[s].native = 1;
        for (int i = p->segments[s].first; i < p->segments[s].first + p->segments[s].n; i++)
            p->segments[s].native &= p->choices[i].by == p->be && !p->rows[i].call;
    }
}

poy_status poyi_program_bind(poy_ctx *ctx, poyi_program *p, poy_backend *be)
{
    poy_status status = POY_OK;
    const size_t rows = (size_t)(p->n_rows ? p->n_rows : 1);

    POYI_TRY(ctx, poyi_program_recording(ctx, p));
    POYI_TRY(ctx, count_bytes(ctx, p, be, p->bytes));
    p->be = poyi_backend_keep(be);
    p->engine = poyi_engine_ref(poyi_ctx_engine(ctx));
    p->steps = calloc(rows, sizeof *p->steps);
    p->choices = calloc(rows, sizeof *p->choices);
    if (!p->steps || !p->choices) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the %d steps of program '%s'", p->n_rows, p->name);
        goto done;
    }
    POYI_TO_DONE(ctx, allocate(ctx, p));
    const int64_t slots = lay_out(p);
    int64_t work_at = slots;
    for (int i = 0; i < p->n_rows; i++)
        POYI_TO_DONE(ctx, prepare_row(ctx, p, i, &work_at));
    POYI_TO_DONE(ctx, clear_slots(ctx, p, slots));
    mark_native(p);
done:
    if (status != POY_OK)
        unbind(p);
    return status;
}

void poyi_program_destroy(poyi_program **p_)
{
    poyi_program *p = *p_;
    *p_ = NULL;
    if (!p)
        return;
    unbind(p);
    for (int i = 0; i < p->n_rows; i++)
        free(p->rows[i].arg);
    free(p->slots);
    free(p->rows);
    free(p->segments);
    free(p);
}

/* ---- running ---- */

static poy_status check_bound(poy_ctx *ctx, const poyi_program *p)
{
    return p->be ? POY_OK : POYI_FAIL(ctx, POY_ERR_STATE, "program '%s' is not bound to a backend", p->name);
}

static poy_status run_step(poy_ctx *ctx, const poyi_program *p, int i, const double *scalars)
{
    const choice *c = &p->choices[i];
    const poy_status status = p->steps[i].run(ctx, &p->steps[i], c->state, scalars);
    return status == POY_OK ? POY_OK : row_failed(ctx, status, "", p->rows[i].name, c->by);
}

/* n rows from row first on, which lie in one segment, so many times. */
static poy_status run_rows(poy_ctx *ctx, const poyi_program *p, const program_segment *s, int first, int n,
                           int64_t times, const double *scalars)
{
    const poy_backend_api *api = poyi_backend_api(p->be);
    const int at_once = s->native && api->run_steps;
    poy_ctx_clear(ctx); /* a row's bare code is then seen as such */
    for (int64_t k = 0; k < times && at_once; k++) {
        poy_status status = api->run_steps(ctx, poyi_backend_state(p->be), p->steps + first, n, scalars);
        if (status != POY_OK)
            return poyi_passed(ctx, status, "the backend's run_steps", s->name, __FILE__, __LINE__);
    }
    for (int64_t k = 0; k < times && !at_once; k++)
        for (int i = first; i < first + n; i++)
            POYI_TRY(ctx, run_step(ctx, p, i, scalars));
    return POY_OK;
}

static poy_status find_segment(poy_ctx *ctx, const poyi_program *p, int number, const program_segment **out)
{
    if (!p->be)
        return POYI_FAIL(ctx, POY_ERR_STATE, "program '%s' is not bound to a backend", p->name);
    if (number < 0 || number >= p->n_segments)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "program '%s' has segments 0 to %d, asked for %d", p->name,
                         p->n_segments - 1, number);
    *out = &p->segments[number];
    return POY_OK;
}

poy_status poyi_program_run(poy_ctx *ctx, poyi_program *p, int number, const double *scalars)
{
    const program_segment *s = NULL;
    POYI_TRY(ctx, find_segment(ctx, p, number, &s));
    POYI_TRY(ctx, run_rows(ctx, p, s, s->first, s->n, 1, scalars));
    return POY_OK;
}

poy_status poyi_program_repeat(poy_ctx *ctx, poyi_program *p, int number, int64_t times)
{
    const program_segment *s = NULL;
    POYI_TRY(ctx, find_segment(ctx, p, number, &s));
    POYI_TRY(ctx, run_rows(ctx, p, s, s->first, s->n, times, NULL));
    return POY_OK;
}

poy_status poyi_program_run_rows(poy_ctx *ctx, poyi_program *p, int number, int i, int n, const double *scalars)
{
    const program_segment *s = NULL;
    POYI_TRY(ctx, find_segment(ctx, p, number, &s));
    if (i < 0 || n < 0 || n > s->n - i)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "segment '%s' has %d rows, asked for %d from %d on", s->name, s->n, n, i);
    POYI_TRY(ctx, run_rows(ctx, p, s, s->first + i, n, 1, scalars));
    return POY_OK;
}

/* ---- what is in it ---- */

static poy_status find_slot(poy_ctx *ctx, const poyi_program *p, int i, poy_buffer *buffer, size_t *bytes)
{
    POYI_TRY(ctx, check_bound(ctx, p));
    if (i < 0 || i >= p->n_slots)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "program '%s' has slots 0 to %d, asked for %d", p->name, p->n_slots - 1,
                         i);
    *buffer = (poy_buffer){p->arena, p->slots[i].offset};
    *bytes = slot_bytes(&p->slots[i].shape);
    return POY_OK;
}

poy_status poyi_program_write(poy_ctx *ctx, poyi_program *p, int slot_number, const void *host)
{
    poy_buffer to = {NULL, 0};
    size_t bytes = 0;
    POYI_TRY(ctx, find_slot(ctx, p, slot_number, &to, &bytes));
    POYI_TRY(ctx, poyi_backend_api(p->be)->write(ctx, poyi_backend_state(p->be), to, host, bytes));
    return POY_OK;
}

poy_status poyi_program_read(poy_ctx *ctx, const poyi_program *p, int slot_number, void *host)
{
    poy_buffer from = {NULL, 0};
    size_t bytes = 0;
    POYI_TRY(ctx, find_slot(ctx, p, slot_number, &from, &bytes));
    POYI_TRY(ctx, poyi_backend_api(p->be)->read(ctx, poyi_backend_state(p->be), from, host, bytes));
    return POY_OK;
}

void *poyi_program_host(const poyi_program *p, int slot_number)
{
    if (!p->be || !poyi_backend_is_host(p->be) || slot_number < 0 || slot_number >= p->n_slots)
        return NULL;
    return (unsigned char *)p->arena + p->slots[slot_number].offset;
}

int poyi_program_rows(const poyi_program *p, int number)
{
    return p->segments[number].n;
}

const char *poyi_program_row_name(const poyi_program *p, int number, int i)
{
    return p->rows[p->segments[number].first + i].name;
}

const char *poyi_program_row_backend(const poyi_program *p, int number, int i)
{
    return p->be ? poy_backend_name(p->choices[p->segments[number].first + i].by) : "";
}
