/* program.c: the recorder and executor of programs (program.h): slots, segments and rows are collected in growing lists;
 * bind lays all slots and the rows' scratch out in one block and lets each row's backend prepare its step. */
#include "ops/program.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/ops.h"
#include "ops/row_check.h"

/* Slots start at different places of a page: loads that follow a store to the same place of another page wait for it. */
enum { ALIGN = 64, STAGGER = 9 * ALIGN };
enum { NAME_MAX_ = 32, LEDGER_NAME = 40, GROUPS_MAX = 16, ZEROS = 1 << 16 };

typedef struct slot {
    char name[NAME_MAX_];
    poy_slot shape;
    int owner;      /* the slot whose memory it is: itself, or the one that it is a window on */
    int64_t within; /* bytes from the owner's start */
    int64_t offset; /* bytes from the arena's start, when bound */
    int group;
} slot;

typedef struct row {
    const char *name;
    int n_slots, slots[POY_STEP_BUFFERS];
    void *arg;
    size_t arg_bytes;
    int scalar, n_scalars;
    poyi_step_run *call; /* of a row that needs no preparation, and who does it; else NULL */
    poy_backend *by;
} row;

typedef struct segment {
    char name[NAME_MAX_];
    int first, n; /* rows */
    int native;   /* all rows are the backend's own */
} segment;

struct poyi_program {
    char name[NAME_MAX_];
    slot *slots;
    row *rows;
    segment *segments;
    int n_slots, n_rows, n_segments;
    char groups[GROUPS_MAX][NAME_MAX_]; /* parts of the ledger; the last one of a bound program is "work" */
    int n_groups;

    /* bound */
    poy_backend *be;
    poyi_engine *engine;
    void *arena;
    size_t bytes[GROUPS_MAX]; /* entered into the ledger */
    int n_entered;
    poy_step *steps;
    struct choice *choices; /* one a row */
};

/* Who does a row, and with how much scratch. */
typedef struct choice {
    const poy_row_entry *entry;
    poy_backend *by;
    void *state; /* by's */
    size_t work;
    int prepared;
    int same_as; /* an earlier row that is the same one, whose plan and scratch it shares; -1: none */
} choice;

/* ---- recording ---- */

poy_status poyi_program_create(poy_ctx *ctx, const char *name, poyi_program **out)
{
    *out = calloc(1, sizeof **out);
    if (!*out)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for program '%s'", name);
    snprintf((*out)->name, sizeof(*out)->name, "%s", name);
    return POY_OK;
}

static poy_status check_recording(poy_ctx *ctx, const poyi_program *p)
{
    if (p->be)
        return POYI_FAIL(ctx, POY_ERR_STATE, "program '%s' is bound to backend '%s' and cannot be changed", p->name,
                         poy_backend_name(p->be));
    return POY_OK;
}

/* A list of n elements with room for one more; NULL, and the list as it was, where there is no memory. */
static void *grown(poy_ctx *ctx, void *list, int n, size_t size)
{
    if (n & (n - 1)) /* room is made at powers of two */
        return list;
    void *new = realloc(list, (size_t)(n ? 2 * n : 1) * size);
    if (!new)
        (void)POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a program of %d entries", n + 1);
    return new;
}

static poy_status find_group(poy_ctx *ctx, poyi_program *p, const char *name, int *out)
{
    const int length = (int)strcspn(name, ".");
    char group[NAME_MAX_];
    snprintf(group, sizeof group, "%.*s", length, name);
    for (*out = 0; *out < p->n_groups; ++*out)
        if (!strcmp(p->groups[*out], group))
            return POY_OK;
    if (p->n_groups == GROUPS_MAX - 1) /* one is for scratch */
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s' has more than %d groups of slots", p->name,
                         GROUPS_MAX - 1);
    memcpy(p->groups[p->n_groups++], group, sizeof group);
    return POY_OK;
}

static size_t slot_bytes(const poy_slot *shape)
{
    return (size_t)(shape->cols * shape->len) * poy_dtype_size(shape->dtype);
}

/* Bytes from a slot to the next. */
static size_t slot_room(const poy_slot *shape)
{
    return (slot_bytes(shape) + ALIGN - 1) / ALIGN * ALIGN + STAGGER;
}

poy_status poyi_program_slot(poy_ctx *ctx, poyi_program *p, const char *name, poy_dtype dtype, int64_t cols,
                             int64_t len, int *out)
{
    size_t bytes = 0;
    int group = 0;

    *out = -1;
    POYI_TRY(ctx, check_recording(ctx, p));
    if (strlen(name) >= NAME_MAX_)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "slot '%s': a name has %d characters at most", name, NAME_MAX_ - 1);
    for (int i = 0; i < p->n_slots; i++)
        if (!strcmp(p->slots[i].name, name))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s' has two slots named '%s'", p->name, name);
    if (cols < 1 || len < 1)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "slot '%s': %" PRId64 " columns of %" PRId64 ", needs at least 1 of 1",
                         name, cols, len);
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)cols, (size_t)len, &bytes));
    POYI_TRY(ctx,
             poyi_mul_size(ctx, bytes, 2 * poy_dtype_size(dtype), &bytes)); /* twice: sums of slots stay in range */
    POYI_TRY(ctx, find_group(ctx, p, name, &group));
    void *slots = grown(ctx, p->slots, p->n_slots, sizeof *p->slots);
    if (!slots)
        return POY_ERR_MEMORY;
    p->slots = slots;
    slot *s = &p->slots[p->n_slots];
    *s = (slot){.shape = {dtype, cols, len}, .owner = p->n_slots, .group = group};
    memcpy(s->name, name, strlen(name) + 1);
    *out = p->n_slots++;
    return POY_OK;
}

poy_status poyi_program_window(poy_ctx *ctx, poyi_program *p, int of, int64_t first, int64_t cols, int *out)
{
    *out = -1;
    POYI_TRY(ctx, check_recording(ctx, p));
    if (of < 0 || of >= p->n_slots || first < 0 || cols < 1 || cols > p->slots[of].shape.cols - first)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "program '%s': no columns %" PRId64 " to %" PRId64 " in slot %d", p->name,
                         first, first + cols - 1, of);
    void *slots = grown(ctx, p->slots, p->n_slots, sizeof *p->slots);
    if (!slots)
        return POY_ERR_MEMORY;
    p->slots = slots;
    slot *s = &p->slots[p->n_slots];
    *s = p->slots[of];
    s->name[0] = '\0';
    s->shape.cols = cols;
    s->within += first * s->shape.len * (int64_t)poy_dtype_size(s->shape.dtype);
    *out = p->n_slots++;
    return POY_OK;
}

poy_status poyi_program_segment(poy_ctx *ctx, poyi_program *p, const char *name, int *out)
{
    *out = -1;
    POYI_TRY(ctx, check_recording(ctx, p));
    void *segments = grown(ctx, p->segments, p->n_segments, sizeof *p->segments);
    if (!segments)
        return POY_ERR_MEMORY;
    p->segments = segments;
    p->segments[p->n_segments] = (segment){.first = p->n_rows};
    snprintf(p->segments[p->n_segments].name, NAME_MAX_, "%s", name);
    *out = p->n_segments++;
    return POY_OK;
}

/* What a backend is told of a row. */
static poy_row_spec spec_of(const poyi_program *p, const row *r)
{
    poy_row_spec spec = {.row = r->name, .n_slots = r->n_slots, .arg = r->arg, .n_scalars = r->n_scalars};
    for (int i = 0; i < r->n_slots; i++)
        if (r->slots[i] >= 0)
            spec.slot[i] = p->slots[r->slots[i]].shape;
    return spec;
}

/* r as the last row of the last segment, with a copy of its argument. */
static poy_status add_row(poy_ctx *ctx, poyi_program *p, row *r, const void *arg)
{
    if (p->n_rows > UINT16_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "program '%s' has %d rows, the most that there can be", p->name,
                         p->n_rows);
    void *rows = grown(ctx, p->rows, p->n_rows, sizeof *p->rows);
    if (!rows)
        return POY_ERR_MEMORY;
    p->rows = rows;
    if (r->arg_bytes) {
        r->arg = malloc(r->arg_bytes);
        if (!r->arg)
            return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the argument of row %s", r->name);
        memcpy(r->arg, arg, r->arg_bytes);
    }
    p->rows[p->n_rows++] = *r;
    p->segments[p->n_segments - 1].n++;
    return POY_OK;
}

poy_status poyi_program_row(poy_ctx *ctx, poyi_program *p, const char *name, int n_slots, const int *slots,
                            const void *arg, size_t arg_bytes, int scalar, int n_scalars)
{
    row r = {.name = poyi_row_name(name),
             .n_slots = n_slots,
             .arg_bytes = arg_bytes,
             .scalar = scalar,
             .n_scalars = n_scalars};

    POYI_TRY(ctx, check_recording(ctx, p));
    if (!p->n_segments)
        return POYI_FAIL(ctx, POY_ERR_STATE, "program '%s': row %s before the first segment", p->name, name);
    if (!r.name)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "program '%s': no row named '%s'", p->name, name);
    if (n_slots < 0 || n_slots > POY_STEP_BUFFERS || scalar < 0 || n_scalars < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "row %s: %d slots, %d scalars from %d on; a row has 0 to %d slots",
                         name, n_slots, n_scalars, scalar, POY_STEP_BUFFERS);
    for (int i = 0; i < n_slots; i++) {
        if (slots[i] < -1 || slots[i] >= p->n_slots)
            return POYI_FAIL(ctx, POY_ERR_INDEX, "row %s: slot %d is %d; program '%s' has %d", name, i, slots[i],
                             p->name, p->n_slots);
        r.slots[i] = slots[i];
    }
    poy_row_spec spec = spec_of(p, &r);
    spec.arg = arg;
    POYI_TRY(ctx, poyi_row_check(ctx, &spec, arg_bytes));
    POYI_TRY(ctx, add_row(ctx, p, &r, arg));
    return POY_OK;
}

poy_status poyi_program_call(poy_ctx *ctx, poyi_program *p, const char *name, poyi_step_run *run, const void *arg,
                             size_t arg_bytes, poy_backend *by)
{
    row r = {.name = name, .arg_bytes = arg_bytes, .call = run, .by = by};
    for (int i = 0; i < POY_STEP_BUFFERS; i++)
        r.slots[i] = -1;
    POYI_TRY(ctx, check_recording(ctx, p));
    POYI_TRY(ctx, add_row(ctx, p, &r, arg));
    return POY_OK;
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
    const row *r = &p->rows[i];
    for (int k = 0; k < i; k++) {
        const row *q = &p->rows[k];
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
    const poy_row_spec spec = spec_of(p, &p->rows[i]);
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
static poy_status count_bytes(poy_ctx *ctx, const poyi_program *p, poy_backend *be, size_t bytes[GROUPS_MAX])
{
    memset(bytes, 0, GROUPS_MAX * sizeof *bytes);
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
    size_t bytes[GROUPS_MAX];

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
        slot *s = &p->slots[i];
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
    poy_ctx_clear(ctx);
    poy_status status = poyi_backend_api(p->be)->alloc(ctx, poyi_backend_state(p->be), total, &p->arena);
    if (status != POY_OK)
        return poyi_passed(ctx, status, "the backend's alloc", p->name, __FILE__, __LINE__);
    return POY_OK;
}

static poy_status prepare_row(poy_ctx *ctx, poyi_program *p, int i, int64_t *work_at)
{
    const row *r = &p->rows[i];
    const poy_row_spec spec = spec_of(p, r);
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
    if (r->call) {
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

    POYI_TRY(ctx, check_recording(ctx, p));
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

/* n rows from row first on, which lie in one segment. */
static poy_status run_rows(poy_ctx *ctx, const poyi_program *p, const segment *s, int first, int n,
                           const double *scalars)
{
    const poy_backend_api *api = poyi_backend_api(p->be);
    poy_ctx_clear(ctx); /* a row's bare code is then seen as such */
    if (s->native && api->run_steps) {
        poy_status status = api->run_steps(ctx, poyi_backend_state(p->be), p->steps + first, n, scalars);
        if (status != POY_OK)
            return poyi_passed(ctx, status, "the backend's run_steps", s->name, __FILE__, __LINE__);
        return POY_OK;
    }
    for (int i = first; i < first + n; i++)
        POYI_TRY(ctx, run_step(ctx, p, i, scalars));
    return POY_OK;
}

static poy_status find_segment(poy_ctx *ctx, const poyi_program *p, int number, const segment **out)
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
    const segment *s = NULL;
    POYI_TRY(ctx, find_segment(ctx, p, number, &s));
    POYI_TRY(ctx, run_rows(ctx, p, s, s->first, s->n, scalars));
    return POY_OK;
}

poy_status poyi_program_run_rows(poy_ctx *ctx, poyi_program *p, int number, int i, int n, const double *scalars)
{
    const segment *s = NULL;
    POYI_TRY(ctx, find_segment(ctx, p, number, &s));
    if (i < 0 || n < 0 || n > s->n - i)
        return POYI_FAIL(ctx, POY_ERR_INDEX, "segment '%s' has %d rows, asked for %d from %d on", s->name, s->n, n, i);
    POYI_TRY(ctx, run_rows(ctx, p, s, s->first + i, n, scalars));
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
