/* record.c: opened records: options parsed, shapes inferred, counted. */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

/* ---- opening ---- */

/* The author's function; a bare code is put into words. */
static poy_status open_config(poy_ctx *ctx, poy_record *r, const poy_rec_value *values)
{
    const poy_rec_op *op = &r->known->op;
    poyi_text call = {0};

    r->config = op->user;
    if (!op->open)
        return POY_OK;
    poy_ctx_clear(ctx);
    poy_status status = op->open(ctx, op->user, values, &r->opened);
    r->config = r->opened;
    if (status == POY_OK)
        return POY_OK;
    poyi_text_add(&call, "%s.open", op->name);
    if ((int)status < 0 || status >= POY_STATUS_COUNT)
        status = POYI_FAIL(ctx, POY_ERR_CALLBACK, "%s.open returned %d, which is no status", op->name, (int)status);
    poyi_passed(ctx, status, call.text ? call.text : op->name, __func__, __FILE__, __LINE__);
    poyi_text_fini(&call);
    return status;
}

static uint64_t digest_of(const char *text)
{
    unsigned char out[32];
    uint64_t first = 0;
    poyi_sha256 s;
    poyi_sha256_init(&s);
    poyi_sha256_add(&s, text, strlen(text));
    poyi_sha256_end(&s, out);
    for (int i = 0; i < 8; i++)
        first = first << 8 | out[i];
    return first;
}

/* "name@version{options}", and the digest of name and options: a version has its own place in a state's head. */
static poy_status identify(poy_ctx *ctx, poy_record *r)
{
    poyi_text identity = {0}, key = {0};
    const poy_rec_op *op = &r->known->op;

    poyi_text_add(&identity, "%s@%u{%s}", op->name, (unsigned)op->state_version, r->options);
    poyi_text_add(&key, "%s{%s}", op->name, r->options);
    if (identity.failed || key.failed) {
        poyi_text_fini(&identity);
        poyi_text_fini(&key);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the record %s", op->name);
    }
    r->identity = identity.text;
    r->digest = digest_of(key.text);
    poyi_text_fini(&key);
    return POY_OK;
}

poy_status poy_record_open(poy_ctx *ctx, const char *name, const char *options, poy_record **out)
{
    const poyi_known *known = NULL;
    poy_rec_value values[POYI_OPTIONS_MAX];
    char *block = NULL;
    poy_status status;

    *out = NULL;
    POYI_TRY(ctx, poyi_record_find(ctx, name, &known));
    poy_record *r = calloc(1, sizeof *r);
    if (!r)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the record %s", name);
    r->holders = 1;
    r->known = known;
    r->engine = poyi_engine_ref(poyi_ctx_engine(ctx)); /* and with it a plug-in's code */
    POYI_TO_DONE(ctx, poyi_options_parse(ctx, known->op.name, known->op.options, known->op.n_options, options, values,
                                         &block, &r->options));
    POYI_TO_DONE(ctx, identify(ctx, r));
    POYI_TO_DONE(ctx, open_config(ctx, r, values));
    *out = r;
    r = NULL;
done:
    free(block);
    if (r)
        r->known = NULL; /* nothing that close would have to close */
    poy_record_close(&r);
    return status;
}

poy_record *poy_record_keep(poy_record *r)
{
    atomic_fetch_add(&r->holders, 1);
    return r;
}

void poy_record_close(poy_record **r_)
{
    poy_record *r = *r_;
    *r_ = NULL;
    if (!r || atomic_fetch_sub(&r->holders, 1) != 1)
        return;
    if (r->known && r->known->op.open && r->known->op.close)
        r->known->op.close(r->opened);
    free(r->options);
    free(r->identity);
    poyi_engine_unref(&r->engine);
    free(r);
}

const char *poy_record_options(const poy_record *r)
{
    return r->options;
}

const char *poy_record_identity(const poy_record *r)
{
    return r->identity;
}

/* ---- shapes ---- */

static poy_status infer(poy_ctx *ctx, const poy_record *r, poyi_shapes *s)
{
    const poy_rec_op *op = &r->known->op;
    poy_rec_spec bound[POY_REC_ARRAYS_MAX];

    memcpy(bound, s->out, (size_t)s->n_out * sizeof bound[0]);
    if (op->infer) {
        poy_ctx_clear(ctx);
        poy_status status = op->infer(ctx, r->config, s->in, s->out, &s->size);
        if ((int)status < 0 || status >= POY_STATUS_COUNT)
            status =
                POYI_FAIL(ctx, POY_ERR_CALLBACK, "%s.infer returned %d, which is no status", op->name, (int)status);
        if (status != POY_OK)
            return poyi_passed(ctx, status, "infer", __func__, __FILE__, __LINE__);
    }
    return poyi_signature_check(ctx, op->name, &r->known->signature, bound, s->out);
}

poy_status poyi_record_shapes(poy_ctx *ctx, const poy_record *r, const poy_rec_spec *given, poyi_shapes *out)
{
    const poyi_signature *s = &r->known->signature;

    out->n_in = s->n_in;
    out->n_out = s->n_out;
    out->size = (poy_rec_size){0};
    memcpy(out->given, given, (size_t)s->n_in * sizeof *given);
    POYI_TRY(ctx, poyi_signature_bind(ctx, r->known->op.name, s, given, out->in, out->out));
    POYI_TRY(ctx, infer(ctx, r, out));
    if (out->size.state > SIZE_MAX / 4 || out->size.scratch > SIZE_MAX / 4)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: a state of %zu bytes with %zu of scratch", r->known->op.name,
                         out->size.state, out->size.scratch);
    out->item_bytes = out->size.state ? POY_REC_STATE_HEAD + (out->size.state + 7) / 8 * 8 : 0;
    return POY_OK;
}

poy_status poy_record_infer(poy_ctx *ctx, const poy_record *r, const poy_rec_spec *in, poy_rec_spec *out,
                            size_t *state_bytes)
{
    poyi_shapes shapes;
    POYI_TRY(ctx, poyi_record_shapes(ctx, r, in, &shapes));
    memcpy(out, shapes.out, (size_t)shapes.n_out * sizeof *out);
    if (state_bytes)
        *state_bytes = shapes.item_bytes;
    return POY_OK;
}
