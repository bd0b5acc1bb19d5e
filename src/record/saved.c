/* saved.c: saved states: made by evaluating or from bytes, pulled back, pushed forward, written. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

/* ---- counted ---- */

poy_saved *poy_saved_keep(poy_saved *saved)
{
    atomic_fetch_add(&saved->holders, 1);
    return saved;
}

void poy_saved_destroy(poy_saved **saved_)
{
    poy_saved *saved = *saved_;
    *saved_ = NULL;
    if (!saved || atomic_fetch_sub(&saved->holders, 1) != 1)
        return;
    poyi_free(&saved->owned_state);
    poyi_free(&saved->owned_arrays);
    poy_record_close(&saved->record);
    free(saved);
}

/* As many as there are: all of them would be most of the work of saving a small record. */
static void copy_shapes(const poyi_shapes *from, poyi_shapes *to)
{
    to->n_in = from->n_in;
    to->n_out = from->n_out;
    to->size = from->size;
    to->item_bytes = from->item_bytes;
    memcpy(to->given, from->given, (size_t)from->n_in * sizeof from->given[0]);
    memcpy(to->in, from->in, (size_t)from->n_in * sizeof from->in[0]);
    memcpy(to->out, from->out, (size_t)from->n_out * sizeof from->out[0]);
}

static poy_status create_saved(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch, int64_t items,
                               const poyi_shapes *shapes, poy_saved **out)
{
    poy_saved *s = malloc(sizeof *s);
    *out = s;
    if (!s)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for a saved state", r->identity);
    const union {
        const poy_record *in;
        poy_record *out;
    } record = {.in = r}; /* the count changes, the record does not */
    s->holders = 1;
    s->record = poy_record_keep(record.out);
    copy_shapes(shapes, &s->shapes);
    s->batch = *batch;
    s->items = items;
    s->state = (poy_rec_state){0};
    s->owned_state = s->owned_arrays = NULL;
    return POY_OK;
}

/* Whose data the derivatives need, of inputs and outputs together. */
static int is_needed(const poy_saved *s, int array)
{
    const uint32_t flags = s->record->known->op.flags;
    return (flags & (array < s->shapes.n_in ? POY_REC_NEEDS_INPUTS : POY_REC_NEEDS_OUTPUTS)) != 0;
}

static size_t rounded(size_t bytes)
{
    return (bytes + 63) / 64 * 64;
}

/* Copies what is distinct of an array to memory that was counted before. */
static void copy_distinct(const poy_rec_batch *batch, poy_rec_array *a, unsigned char *to)
{
    const size_t bytes = poy_rec_bytes(&a->spec);
    const unsigned char *from = a->data;
    int64_t stride[POY_REC_BATCH_MAX];
    poy_rec_batch distinct;
    const int64_t n = poyi_batch_distinct(batch, a->batch_stride, &distinct);

    poy_rec_pack(batch, poyi_batch_shared_axes(batch, a->batch_stride), bytes, stride);
    for (int64_t i = 0; i < n && bytes; i++)
        memcpy(to + poyi_batch_offset(&distinct, stride, i), from + poyi_batch_offset(&distinct, a->batch_stride, i),
               bytes);
    a->data = to;
    memcpy(a->batch_stride, stride, sizeof stride);
}

/* Notes the caller's arrays; copies what the derivatives need, in one piece. */
static poy_status keep_arrays(poy_ctx *ctx, poy_saved *s, const poy_rec_array *in, const poy_rec_array *out, int borrow)
{
    const int n_in = s->shapes.n_in, n = n_in + s->shapes.n_out;
    size_t total = 0, bytes[2 * POY_REC_ARRAYS_MAX] = {0};

    if (s->items == 0)
        borrow = 1; /* nothing to copy */
    for (int i = 0; i < n; i++) {
        poy_rec_array *mine = i < n_in ? &s->in[i] : &s->out[i - n_in];
        const poy_rec_array *theirs = i < n_in ? &in[i] : &out[i - n_in];
        *mine = *theirs;
        if (!is_needed(s, i)) {
            mine->data = NULL;
            continue;
        }
        poy_rec_batch distinct;
        const int64_t count = poyi_batch_distinct(&s->batch, mine->batch_stride, &distinct);
        size_t size;
        POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)count, poy_rec_bytes(&mine->spec), &size));
        bytes[i] = rounded(size);
        total += bytes[i];
    }
    if (borrow || total == 0)
        return POY_OK;
    POYI_TRY(ctx, poyi_alloc(ctx, "record.arrays", total, &s->owned_arrays));
    unsigned char *to = s->owned_arrays;
    for (int i = 0; i < n; to += bytes[i++])
        if (is_needed(s, i))
            copy_distinct(&s->batch, i < n_in ? &s->in[i] : &s->out[i - n_in], to);
    return POY_OK;
}

/* Memory of its own for the states of all items, packed; shared: a bit for each axis along which they are one. */
static poy_status own_state(poy_ctx *ctx, poy_saved *s, uint32_t shared)
{
    const size_t item = s->shapes.item_bytes;
    size_t bytes;

    if (!item)
        return POY_OK;
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)s->items, item, &bytes)); /* the most that packing can give */
    s->state.size = poy_rec_pack(&s->batch, shared, item, s->state.batch_stride);
    POYI_TRY(ctx, poyi_alloc(ctx, "record.state", s->state.size, &s->owned_state));
    s->state.data = s->owned_state;
    return POY_OK;
}

/* ---- evaluating ---- */

static poy_status check_data(poy_ctx *ctx, const poy_record *r, int64_t items, int n, const poy_rec_array *a,
                             const poyi_slot *slot)
{
    for (int i = 0; i < n; i++)
        if (!a[i].data && items && poy_rec_count(&a[i].spec))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the data of %s is missing (NULL)", r->identity, slot[i].name);
    return POY_OK;
}

/* Specs of the caller's arrays against what infer says; what is absent has no shape to be wrong. */
static poy_status check_specs(poy_ctx *ctx, const poy_record *r, int n, const poy_rec_array *a,
                              const poy_rec_spec *want, const poyi_slot *slot, int may_be_absent)
{
    char got[POYI_SPEC_TEXT], needs[POYI_SPEC_TEXT];
    for (int i = 0; i < n; i++) {
        if ((may_be_absent && !a[i].data) || poyi_spec_equal(&a[i].spec, &want[i]))
            continue;
        poyi_spec_text(&a[i].spec, sizeof got, got);
        poyi_spec_text(&want[i], sizeof needs, needs);
        return POYI_FAIL(ctx, a[i].spec.dtype != want[i].dtype ? POY_ERR_DTYPE : POY_ERR_SHAPE,
                         "%s: %s is %s, needs %s", r->identity, slot[i].name, got, needs);
    }
    return POY_OK;
}

/* What every evaluation and restoring checks first. */
static poy_status prepare(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch, const poy_rec_array *in,
                          const poy_rec_array *out, poyi_shapes *shapes, poy_rec_batch *read, int64_t *items)
{
    const poyi_signature *s = &r->known->signature;
    poy_rec_spec specs[POY_REC_ARRAYS_MAX];

    POYI_TRY(ctx, poyi_batch_read(ctx, r->identity, batch, read, items));
    for (int i = 0; i < s->n_in; i++)
        specs[i] = in[i].spec;
    POYI_TRY(ctx, poyi_record_shapes(ctx, r, specs, shapes));
    POYI_TRY(ctx, check_specs(ctx, r, s->n_out, out, shapes->out, s->out, 0));
    return POY_OK;
}

static poy_status check_outputs(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch, int64_t items,
                                const poy_rec_array *in, const poy_rec_array *out)
{
    const poyi_signature *s = &r->known->signature;
    POYI_TRY(ctx, check_data(ctx, r, items, s->n_in, in, s->in));
    POYI_TRY(ctx, check_data(ctx, r, items, s->n_out, out, s->out));
    for (int j = 0; j < s->n_out; j++)
        if (items > 1 && poy_rec_count(&out[j].spec) && poyi_batch_is_shared(batch, out[j].batch_stride))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: output %s cannot be shared by the items of a batch",
                             r->identity, s->out[j].name);
    return POY_OK;
}

poy_status poy_record_evaluate(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch, const poy_rec_array *in,
                               const poy_rec_array *out, poy_saved **saved)
{
    poyi_shapes shapes;
    poyi_call call = {.record = r, .shapes = &shapes, .in = in, .out = out, .kind = POYI_EVALUATE};
    poy_saved *s = NULL;
    poy_status status;

    if (saved)
        *saved = NULL;
    POYI_TRY(ctx, prepare(ctx, r, batch, in, out, &shapes, &call.batch, &call.items));
    POYI_TRY(ctx, check_outputs(ctx, r, &call.batch, call.items, in, out));
    if (saved) {
        POYI_TO_DONE(ctx, create_saved(ctx, r, &call.batch, call.items, &shapes, &s));
        POYI_TO_DONE(ctx, own_state(ctx, s, 0));
        call.state = s->state;
    }
    POYI_TO_DONE(ctx, poyi_call_run(ctx, &call));
    if (saved) {
        POYI_TO_DONE(ctx, keep_arrays(ctx, s, in, out, 0));
        *saved = s;
        s = NULL;
    }
done:
    poy_saved_destroy(&s);
    return status;
}

/* The caller's memory for states: as large as infer said, no more, no less. */
static poy_status check_state(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch, size_t item_bytes,
                              const poy_rec_state *state)
{
    size_t needs;
    POYI_TRY(ctx, poyi_batch_extent(ctx, r->identity, batch, state->batch_stride, item_bytes, &needs));
    if (state->size != needs)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: the state has %zu bytes, needs %zu", r->identity, state->size, needs);
    if (needs && (!state->data || (uintptr_t)state->data % 8))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the state's memory is %s", r->identity,
                         state->data ? "not aligned to 8 bytes" : "missing (NULL)");
    for (int k = 0; k < batch->rank; k++)
        if (state->batch_stride[k] % 8)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: states %lld bytes apart, needs a multiple of 8", r->identity,
                             (long long)state->batch_stride[k]);
    return POY_OK;
}

poy_status poy_record_evaluate_into(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch,
                                    const poy_rec_array *in, const poy_rec_array *out, const poy_rec_state *state)
{
    poyi_shapes shapes;
    poyi_call call = {.record = r, .shapes = &shapes, .in = in, .out = out, .kind = POYI_EVALUATE};

    POYI_TRY(ctx, prepare(ctx, r, batch, in, out, &shapes, &call.batch, &call.items));
    POYI_TRY(ctx, check_outputs(ctx, r, &call.batch, call.items, in, out));
    POYI_TRY(ctx, check_state(ctx, r, &call.batch, shapes.item_bytes, state));
    if (shapes.item_bytes && call.items > 1 && poyi_batch_is_shared(&call.batch, state->batch_stride))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a state to be written cannot be shared by the items of a batch",
                         r->identity);
    call.state = shapes.item_bytes ? *state : (poy_rec_state){0};
    call.seal = 1;
    POYI_TRY(ctx, poyi_call_run(ctx, &call));
    return POY_OK;
}

/* ---- as bytes ---- */

size_t poy_saved_bytes(const poy_saved *s)
{
    poy_rec_batch distinct;
    if (s->items == 0)
        return 0;
    return (size_t)poyi_batch_distinct(&s->batch, s->state.batch_stride, &distinct) * s->shapes.item_bytes;
}

poy_status poy_saved_write(poy_ctx *ctx, const poy_saved *s, void *bytes, size_t size)
{
    const size_t item = s->shapes.item_bytes;
    const unsigned char *from = s->state.data;
    unsigned char *to = bytes;
    poy_rec_batch distinct;

    if (size != poy_saved_bytes(s))
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: room for %zu bytes of state, needs %zu", s->record->identity, size,
                         poy_saved_bytes(s));
    const int64_t n = size ? poyi_batch_distinct(&s->batch, s->state.batch_stride, &distinct) : 0;
    for (int64_t i = 0; i < n; i++, to += item) {
        memcpy(to, from + poyi_batch_offset(&distinct, s->state.batch_stride, i), item);
        poyi_state_seal(s->record, &s->shapes, to);
    }
    return POY_OK;
}

/* Checks every distinct state; keeps them where they are, or copies them. */
static poy_status take_state(poy_ctx *ctx, poy_saved *s, const poy_rec_state *state, int borrow)
{
    const size_t item = s->shapes.item_bytes;
    const unsigned char *from = state->data;
    poy_rec_batch distinct;
    const int64_t n = s->items && item ? poyi_batch_distinct(&s->batch, state->batch_stride, &distinct) : 0;

    for (int64_t i = 0; i < n; i++)
        POYI_TRY(ctx, poyi_state_check(ctx, s->record, &s->shapes,
                                       from + poyi_batch_offset(&distinct, state->batch_stride, i)));
    if (borrow || n == 0) {
        s->state = n ? *state : (poy_rec_state){0};
        return POY_OK;
    }
    POYI_TRY(ctx, own_state(ctx, s, poyi_batch_shared_axes(&s->batch, state->batch_stride)));
    unsigned char *to = s->owned_state;
    for (int64_t i = 0; i < n; i++)
        memcpy(to + poyi_batch_offset(&distinct, s->state.batch_stride, i),
               from + poyi_batch_offset(&distinct, state->batch_stride, i), item);
    return POY_OK;
}

poy_status poy_record_restore(poy_ctx *ctx, const poy_record *r, const poy_rec_batch *batch, const poy_rec_array *in,
                              const poy_rec_array *out, const poy_rec_state *state, unsigned flags, poy_saved **saved)
{
    static const poy_rec_state none;
    const int borrow = (flags & POY_REC_BORROW) != 0;
    const uint32_t needs = r->known->op.flags;
    const poyi_signature *sig = &r->known->signature;
    poyi_shapes shapes;
    poy_rec_batch read;
    int64_t items;
    poy_saved *s = NULL;
    poy_status status;

    *saved = NULL;
    POYI_TRY(ctx, prepare(ctx, r, batch, in, out, &shapes, &read, &items));
    if (needs & POY_REC_NEEDS_INPUTS)
        POYI_TRY(ctx, check_data(ctx, r, items, sig->n_in, in, sig->in));
    if (needs & POY_REC_NEEDS_OUTPUTS)
        POYI_TRY(ctx, check_data(ctx, r, items, sig->n_out, out, sig->out));
    state = state ? state : &none;
    POYI_TRY(ctx, check_state(ctx, r, &read, shapes.item_bytes, state));
    POYI_TO_DONE(ctx, create_saved(ctx, r, &read, items, &shapes, &s));
    POYI_TO_DONE(ctx, take_state(ctx, s, state, borrow));
    POYI_TO_DONE(ctx, keep_arrays(ctx, s, in, out, borrow));
    *saved = s;
    s = NULL;
done:
    poy_saved_destroy(&s);
    return status;
}

/* ---- derivatives ---- */

static poyi_call derivative(const poy_saved *s, const poy_rec_array *direction, const poy_rec_array *result)
{
    return (poyi_call){.record = s->record,
                       .shapes = &s->shapes,
                       .batch = s->batch,
                       .items = s->items,
                       .in = s->in,
                       .out = s->out,
                       .state = s->state,
                       .direction = direction,
                       .result = result};
}

poy_status poy_record_pullback(poy_ctx *ctx, const poy_saved *saved, const poy_rec_array *cot,
                               const poy_rec_array *grad)
{
    const poyi_signature *s = &saved->record->known->signature;
    poyi_call call = derivative(saved, cot, grad);
    call.kind = POYI_PULLBACK;
    POYI_TRY(ctx, check_specs(ctx, saved->record, s->n_out, cot, saved->shapes.out, s->out, 1));
    POYI_TRY(ctx, check_specs(ctx, saved->record, s->n_in, grad, saved->shapes.given, s->in, 1));
    POYI_TRY(ctx, poyi_call_run(ctx, &call));
    return POY_OK;
}

poy_status poy_record_pushforward(poy_ctx *ctx, const poy_saved *saved, const poy_rec_array *tan,
                                  const poy_rec_array *out_tan)
{
    const poyi_signature *s = &saved->record->known->signature;
    poyi_call call = derivative(saved, tan, out_tan);
    call.kind = POYI_PUSHFORWARD;
    if (!saved->record->known->op.pushforward)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s is reverse-only: it has no pushforward",
                         saved->record->identity);
    POYI_TRY(ctx, check_specs(ctx, saved->record, s->n_in, tan, saved->shapes.given, s->in, 1));
    POYI_TRY(ctx, check_specs(ctx, saved->record, s->n_out, out_tan, saved->shapes.out, s->out, 1));
    for (int j = 0; j < s->n_out; j++)
        if (out_tan[j].data && saved->items > 1 && poy_rec_count(&out_tan[j].spec) &&
            poyi_batch_is_shared(&saved->batch, out_tan[j].batch_stride))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: the tangent of %s cannot be shared by the items of a batch",
                             saved->record->identity, s->out[j].name);
    POYI_TRY(ctx, poyi_call_run(ctx, &call));
    return POY_OK;
}
