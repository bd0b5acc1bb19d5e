/* tape.c: derivative records one after the other, in both directions. */
#include "run/scatter/tape.h"

#include <string.h>

#include "core/core.h"
#include "record/record.h"

poy_status poyi_tape_open(poy_ctx *ctx, int room, poyi_tape *t)
{
    *t = (poyi_tape){.room = room};
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "objective.steps", (size_t)room * sizeof *t->steps, &t->memory));
    t->steps = t->memory;
    return POY_OK;
}

void poyi_tape_close(poyi_tape *t)
{
    for (int k = 0; k < t->n; k++) {
        poy_saved_destroy(&t->steps[k].saved);
        poy_record_close(&t->steps[k].record);
        poyi_free(&t->steps[k].memory);
    }
    poyi_free(&t->memory);
    *t = (poyi_tape){0};
}

/* ---- a step ---- */

/* Values of given inputs and of outputs, and what changes of all. */
static poy_status make_room(poy_ctx *ctx, const poyi_tape *t, const poy_rec_spec *in, const poy_rec_spec *out,
                            poyi_tape_step *s)
{
    size_t bytes = 0;
    for (int i = 0; i < s->n_in; i++)
        bytes += (s->from[i] < 0 ? 2 : 1) * poy_rec_bytes(&in[i]);
    for (int j = 0; j < s->n_out; j++)
        bytes += 2 * poy_rec_bytes(&out[j]);
    POYI_TRY(ctx, poyi_alloc_zero(ctx, "objective.inputs", bytes + 1, &s->memory));
    unsigned char *at = s->memory;
    for (int i = 0; i < s->n_in; i++) {
        const size_t size = poy_rec_bytes(&in[i]);
        s->value[i] = s->from[i] < 0 ? (poy_rec_array){.spec = in[i], .data = at} : t->steps[s->from[i]].out[0];
        at += s->from[i] < 0 ? size : 0;
        s->change[i] = (poy_rec_array){.spec = in[i], .data = at};
        at += size;
    }
    for (int j = 0; j < s->n_out; j++) {
        s->out[j] = (poy_rec_array){.spec = out[j], .data = at};
        at += poy_rec_bytes(&out[j]);
        s->out_change[j] = (poy_rec_array){.spec = out[j], .data = at};
        at += poy_rec_bytes(&out[j]);
    }
    return POY_OK;
}

poy_status poyi_tape_add(poy_ctx *ctx, poyi_tape *t, const char *record, const char *options, int n_in,
                         const poy_rec_spec *specs, const int *from, int *step)
{
    poy_rec_info info;
    poy_rec_spec in[POYI_TAPE_INPUTS], out[POYI_TAPE_OUTPUTS];
    poyi_tape_step *s = &t->steps[t->n];
    POYI_TRY(ctx, poy_record_describe(ctx, record, &info));
    if (t->n == t->room || info.n_in != n_in || n_in > POYI_TAPE_INPUTS || info.n_out > POYI_TAPE_OUTPUTS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: a step with %d inputs, it has %d", record, n_in, info.n_in);
    *s = (poyi_tape_step){.n_in = n_in, .n_out = info.n_out};
    *step = t->n++; /* close gives back what it has of here on */
    for (int i = 0; i < n_in; i++) {
        s->from[i] = from ? from[i] : -1;
        in[i] = s->from[i] < 0 ? specs[i] : t->steps[s->from[i]].out[0].spec;
    }
    POYI_TRY(ctx, poy_record_open(ctx, record, options, &s->record));
    POYI_TRY(ctx, poy_record_infer(ctx, s->record, in, out, NULL));
    return make_room(ctx, t, in, out, s);
}

/* ---- all steps ---- */

void poyi_tape_activate(poyi_tape *t)
{
    for (int k = 0; k < t->n; k++) {
        poyi_tape_step *s = &t->steps[k];
        s->active = 0;
        for (int i = 0; i < s->n_in; i++)
            s->active |= s->from[i] < 0 ? s->wanted[i] : t->steps[s->from[i]].active;
    }
}

static int moves(const poyi_tape *t, const poyi_tape_step *s, int input)
{
    return s->from[input] < 0 ? s->wanted[input] : t->steps[s->from[input]].active;
}

poy_status poyi_tape_evaluate(poy_ctx *ctx, poyi_tape *t, int derive)
{
    for (int k = 0; k < t->n; k++) {
        poyi_tape_step *s = &t->steps[k];
        poy_saved_destroy(&s->saved);
        POYI_TRY(ctx,
                 poy_record_evaluate(ctx, s->record, NULL, s->value, s->out, derive && s->active ? &s->saved : NULL));
    }
    return POY_OK;
}

/* An array of its own in a saved state, which is aligned. */
static size_t copied(const poy_rec_spec *spec)
{
    return (poy_rec_bytes(spec) + 63) / 64 * 64;
}

poy_status poyi_tape_bytes(poy_ctx *ctx, const poyi_tape *t, size_t *kept, size_t *scratch, size_t *idle)
{
    *kept = *scratch = *idle = 0;
    for (int k = 0; k < t->n; k++) {
        const poyi_tape_step *s = &t->steps[k];
        const uint32_t flags = s->record->known->op.flags;
        poy_rec_spec in[POYI_TAPE_INPUTS];
        poyi_shapes shapes;
        size_t own = 0;
        for (int i = 0; i < s->n_in; i++)
            in[i] = s->value[i].spec;
        POYI_TRY(ctx, poyi_record_shapes(ctx, s->record, in, &shapes));
        for (int i = 0; i < s->n_in; i++)
            own += flags & POY_REC_NEEDS_INPUTS ? copied(&in[i]) : 0;
        for (int j = 0; j < s->n_out; j++)
            own += flags & POY_REC_NEEDS_OUTPUTS ? copied(&s->out[j].spec) : 0;
        *kept += s->active ? own + shapes.item_bytes : 0;
        if (shapes.size.scratch <= *scratch)
            continue;
        *scratch = shapes.size.scratch;
        *idle = s->active && shapes.size.state < *scratch ? shapes.size.state : 0;
    }
    return POY_OK;
}

static void clear(const poy_rec_array *a)
{
    memset(a->data, 0, poy_rec_bytes(&a->spec));
}

void poyi_tape_clear(poyi_tape *t)
{
    for (int k = 0; k < t->n; k++)
        for (int i = 0; i < t->steps[k].n_in; i++)
            clear(&t->steps[k].change[i]);
}

static void add(const poy_rec_array *part, const poy_rec_array *sum)
{
    const double *a = part->data;
    double *b = sum->data;
    const size_t n = poy_rec_bytes(&sum->spec) / sizeof(double);
    for (size_t i = 0; i < n; i++)
        b[i] += a[i];
}

poy_status poyi_tape_pull(poy_ctx *ctx, poyi_tape *t)
{
    poyi_tape_clear(t);
    for (int k = 0; k + 1 < t->n; k++)
        clear(&t->steps[k].out_change[0]);
    for (int k = t->n - 1; k >= 0; k--) {
        poyi_tape_step *s = &t->steps[k];
        poy_rec_array grad[POYI_TAPE_INPUTS];
        if (!s->active)
            continue;
        for (int i = 0; i < s->n_in; i++) {
            grad[i] = s->change[i];
            grad[i].data = moves(t, s, i) ? grad[i].data : NULL;
        }
        POYI_TRY(ctx, poy_record_pullback(ctx, s->saved, s->out_change, grad));
        for (int i = 0; i < s->n_in; i++)
            if (s->from[i] >= 0 && grad[i].data)
                add(&grad[i], &t->steps[s->from[i]].out_change[0]);
    }
    return POY_OK;
}

poy_status poyi_tape_push(poy_ctx *ctx, poyi_tape *t)
{
    for (int k = 0; k < t->n; k++) {
        poyi_tape_step *s = &t->steps[k];
        poy_rec_array tan[POYI_TAPE_INPUTS];
        for (int i = 0; i < s->n_in; i++) {
            tan[i] = s->from[i] < 0 ? s->change[i] : t->steps[s->from[i]].out_change[0];
            tan[i].data = moves(t, s, i) ? tan[i].data : NULL;
        }
        if (s->active)
            POYI_TRY(ctx, poy_record_pushforward(ctx, s->saved, tan, s->out_change));
        for (int j = 0; j < s->n_out && !s->active; j++)
            clear(&s->out_change[j]);
    }
    return POY_OK;
}
