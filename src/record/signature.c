/* signature.c: declarations of records, "A:p[n,n] B:p[n,m]": read once, then bound to the shapes of a call. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

/* ---- specs ---- */

int64_t poy_rec_count(const poy_rec_spec *spec)
{
    int64_t n = 1;
    for (int i = 0; i < spec->rank; i++)
        n *= spec->dims[i];
    return n;
}

size_t poy_rec_bytes(const poy_rec_spec *spec)
{
    return (size_t)poy_rec_count(spec) * poy_dtype_size(spec->dtype);
}

int poyi_spec_equal(const poy_rec_spec *a, const poy_rec_spec *b)
{
    if (a->dtype != b->dtype || a->rank != b->rank)
        return 0;
    for (int i = 0; i < a->rank; i++)
        if (a->dims[i] != b->dims[i])
            return 0;
    return 1;
}

void poyi_spec_text(const poy_rec_spec *spec, size_t size, char *out)
{
    size_t used = (size_t)snprintf(out, size, "%s[", poy_dtype_name(spec->dtype));
    for (int i = 0; i < spec->rank && i < POY_RANK_MAX && used < size; i++)
        used += (size_t)snprintf(out + used, size - used, "%s%lld", i ? "," : "", (long long)spec->dims[i]);
    if (used < size)
        snprintf(out + used, size - used, "]");
}

/* ---- reading ---- */

typedef struct reader {
    poy_ctx *ctx;
    const char *who, *text, *at;
    poyi_signature *signature;
    int is_output;
} reader;

static poy_status fail_at(const reader *r, const char *wanted)
{
    return POYI_FAIL(r->ctx, POY_ERR_ARGUMENT, "record '%s': declaration \"%s\": %s expected at \"%s\"", r->who,
                     r->text, wanted, r->at);
}

static int accept(reader *r, const char *token)
{
    if (strncmp(r->at, token, strlen(token)) != 0)
        return 0;
    r->at += strlen(token);
    return 1;
}

static poy_status read_name(reader *r, char name[POYI_REC_NAME])
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    size_t n = strspn(r->at, letters);
    if (n)
        n += strspn(r->at + n, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (n == 0 || n >= POYI_REC_NAME)
        return fail_at(r, "a name of up to 23 letters, digits and _");
    memcpy(name, r->at, n);
    name[n] = '\0';
    r->at += n;
    return POY_OK;
}

static poy_status read_dim(reader *r, poyi_dim *dim)
{
    poyi_signature *s = r->signature;
    char name[POYI_REC_NAME];

    if (r->is_output && accept(r, "?")) {
        *dim = (poyi_dim){.kind = POYI_DIM_FREE};
        return POY_OK;
    }
    if (*r->at >= '0' && *r->at <= '9') {
        char *end;
        *dim = (poyi_dim){.kind = POYI_DIM_FIXED, .extent = strtoll(r->at, &end, 10)};
        r->at = end;
        return POY_OK;
    }
    POYI_TRY(r->ctx, read_name(r, name));
    int k = 0;
    while (k < s->n_names && strcmp(s->name[k], name) != 0)
        k++;
    if (k == POYI_REC_NAMES_MAX)
        return fail_at(r, "no more than 32 different dimensions");
    if (k == s->n_names)
        memcpy(s->name[s->n_names++], name, sizeof name);
    *dim = (poyi_dim){.kind = POYI_DIM_NAMED, .name = k};
    return POY_OK;
}

static poy_status read_dims(reader *r, poyi_slot *slot)
{
    if (!accept(r, "["))
        return fail_at(r, "[");
    if (accept(r, r->is_output ? "*]" : "...]")) {
        slot->any = 1;
        return POY_OK;
    }
    if (r->is_output && accept(r, "...]")) {
        slot->any = slot->follows = 1;
        return POY_OK;
    }
    if (accept(r, "]"))
        return POY_OK;
    do {
        if (slot->rank == POY_RANK_MAX)
            return fail_at(r, "no more than 8 dimensions");
        POYI_TRY(r->ctx, read_dim(r, &slot->dim[slot->rank]));
        slot->rank++;
    } while (accept(r, ","));
    return accept(r, "]") ? POY_OK : fail_at(r, "] or ,");
}

static poy_status read_slots(reader *r, poyi_slot *slot, int *n)
{
    r->at = r->text;
    while (accept(r, " ")) {
    }
    while (*r->at) {
        if (*n == POY_REC_ARRAYS_MAX)
            return fail_at(r, "no more than 32 arrays");
        poyi_slot *s = &slot[*n];
        POYI_TRY(r->ctx, read_name(r, s->name));
        if (!accept(r, ":"))
            return fail_at(r, ":");
        s->constant = !r->is_output && accept(r, "#");
        if (!*r->at || !strchr("rcpa", *r->at))
            return fail_at(r, "one of r, c, p, a");
        s->kind = *r->at++;
        POYI_TRY(r->ctx, read_dims(r, s));
        if (*r->at && *r->at != ' ')
            return fail_at(r, "a blank");
        while (accept(r, " ")) {
        }
        ++*n;
    }
    return *n ? POY_OK : fail_at(r, "an array");
}

/* Each name of a dimension in the outputs has to be known from the inputs. */
static poy_status check_outputs(poy_ctx *ctx, const char *who, const poyi_signature *s, int known)
{
    for (int j = 0; j < s->n_out; j++) {
        const poyi_slot *o = &s->out[j];
        for (int k = 0; k < o->rank; k++)
            if (o->dim[k].kind == POYI_DIM_NAMED && o->dim[k].name >= known)
                return POYI_FAIL(
                    ctx, POY_ERR_ARGUMENT,
                    "record '%s': no input has the dimension %s of its output %s: write ? and set it in infer", who,
                    s->name[o->dim[k].name], o->name);
        int i = 0;
        while (o->follows && i < s->n_in && !s->in[i].any)
            i++;
        if (o->follows && i == s->n_in)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "record '%s': output %s is [...], but no input is: write [*]", who,
                             o->name);
    }
    return POY_OK;
}

poy_status poyi_signature_read(poy_ctx *ctx, const char *who, const char *in, const char *out, poyi_signature *s)
{
    *s = (poyi_signature){0};
    reader inputs = {ctx, who, in, in, s, 0}, outputs = {ctx, who, out, out, s, 1};
    POYI_TRY(ctx, read_slots(&inputs, s->in, &s->n_in));
    const int known = s->n_names;
    POYI_TRY(ctx, read_slots(&outputs, s->out, &s->n_out));
    POYI_TRY(ctx, check_outputs(ctx, who, s, known));
    return POY_OK;
}

static poy_status read_spec(reader *r, poy_rec_spec *spec)
{
    *spec = (poy_rec_spec){.dtype = POY_F64};
    if (accept(r, "c128["))
        spec->dtype = POY_C128;
    else if (!accept(r, "f64["))
        return fail_at(r, "f64[ or c128[");
    while (*r->at && *r->at != ']') {
        char *end;
        if (spec->rank == POY_RANK_MAX)
            return fail_at(r, "no more than 8 dimensions");
        spec->dims[spec->rank++] = strtoll(r->at, &end, 10);
        if (end == r->at || (*end != ',' && *end != ']'))
            return fail_at(r, "an extent");
        r->at = end + (*end == ',');
    }
    if (!accept(r, "]"))
        return fail_at(r, "]");
    while (accept(r, " ")) {
    }
    return POY_OK;
}

poy_status poyi_specs_read(poy_ctx *ctx, const char *who, const char *text, int n, poy_rec_spec *spec)
{
    reader r = {ctx, who, text, text, NULL, 0};
    for (int i = 0; i < n; i++)
        POYI_TRY(ctx, read_spec(&r, &spec[i]));
    return *r.at ? fail_at(&r, "the end") : POY_OK;
}

/* ---- binding ---- */

typedef struct binding {
    int64_t extent[POYI_REC_NAMES_MAX];
    int from[POYI_REC_NAMES_MAX]; /* input that gave it, -1: none yet */
} binding;

static poy_status check_numbers(poy_ctx *ctx, const char *who, const poyi_slot *slot, const poy_rec_spec *x)
{
    int64_t n = 1;
    if (x->dtype != POY_F64 && x->dtype != POY_C128)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s: %s is %s, needs f64 or c128", who, slot->name,
                         (unsigned)x->dtype < POY_DTYPE_COUNT ? poy_dtype_name(x->dtype) : "of no known type");
    if (x->rank < 0 || x->rank > POY_RANK_MAX)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: %s has rank %d, needs 0 to %d", who, slot->name, x->rank,
                         POY_RANK_MAX);
    for (int k = 0; k < x->rank; k++) {
        if (x->dims[k] < 0)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: axis %d of %s has extent %lld, needs 0 or more", who, k,
                             slot->name, (long long)x->dims[k]);
        if (x->dims[k] > 0 && n > INT64_MAX / 16 / x->dims[k])
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: %s has more elements than memory can hold", who, slot->name);
        n *= x->dims[k];
    }
    return POY_OK;
}

static poy_status fail_rank(poy_ctx *ctx, const char *who, const poyi_slot *slot, const poy_rec_spec *x)
{
    char text[POYI_SPEC_TEXT];
    poyi_spec_text(x, sizeof text, text);
    return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: %s is %s, of rank %d, needs rank %d", who, slot->name, text, x->rank,
                     slot->rank);
}

static poy_status bind_dims(poy_ctx *ctx, const char *who, const poyi_signature *s, int i, const poy_rec_spec *x,
                            binding *b)
{
    const poyi_slot *slot = &s->in[i];
    if (slot->any)
        return POY_OK;
    if (x->rank != slot->rank)
        return fail_rank(ctx, who, slot, x);
    for (int k = 0; k < slot->rank; k++) {
        const poyi_dim *d = &slot->dim[k];
        if (d->kind == POYI_DIM_FIXED && x->dims[k] != d->extent)
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: axis %d of %s has extent %lld, needs %lld", who, k, slot->name,
                             (long long)x->dims[k], (long long)d->extent);
        if (d->kind != POYI_DIM_NAMED)
            continue;
        if (b->from[d->name] < 0) {
            b->from[d->name] = i;
            b->extent[d->name] = x->dims[k];
        } else if (b->extent[d->name] != x->dims[k]) {
            return POYI_FAIL(ctx, POY_ERR_SHAPE, "%s: %s = %lld on axis %d of %s, but %lld from %s", who,
                             s->name[d->name], (long long)x->dims[k], k, slot->name, (long long)b->extent[d->name],
                             s->in[b->from[d->name]].name);
        }
    }
    return POY_OK;
}

static void bind_output(const poyi_signature *s, const poyi_slot *slot, const poy_rec_spec *in, poy_dtype common,
                        const binding *b, poy_rec_spec *out)
{
    *out = (poy_rec_spec){.dtype = slot->kind == 'c' ? POY_C128 : slot->kind == 'p' ? common : POY_F64};
    int i = 0;
    while (slot->kind == 'a' && i < s->n_in && s->in[i].kind != 'a')
        i++;
    if (slot->kind == 'a' && i < s->n_in)
        out->dtype = in[i].dtype;
    if (slot->any && !slot->follows) {
        out->rank = -1;
    } else if (slot->any) {
        i = 0;
        while (!s->in[i].any) /* there is one: check_outputs */
            i++;
        out->rank = in[i].rank;
        memcpy(out->dims, in[i].dims, sizeof out->dims);
    } else {
        out->rank = slot->rank;
        for (int k = 0; k < slot->rank; k++)
            out->dims[k] = slot->dim[k].kind == POYI_DIM_FIXED   ? slot->dim[k].extent
                           : slot->dim[k].kind == POYI_DIM_NAMED ? b->extent[slot->dim[k].name]
                                                                 : -1;
    }
}

poy_status poyi_signature_bind(poy_ctx *ctx, const char *who, const poyi_signature *s, const poy_rec_spec *given,
                               poy_rec_spec *in, poy_rec_spec *out)
{
    poy_dtype common = POY_F64;
    binding b;

    for (int k = 0; k < s->n_names; k++)
        b.from[k] = -1;
    for (int i = 0; i < s->n_in; i++) {
        const poyi_slot *slot = &s->in[i];
        POYI_TRY(ctx, check_numbers(ctx, who, slot, &given[i]));
        if (slot->kind == 'r' && given[i].dtype == POY_C128)
            return POYI_FAIL(ctx, POY_ERR_COMPLEX_TO_REAL, "%s: %s is complex, needs to be real", who, slot->name);
        POYI_TRY(ctx, bind_dims(ctx, who, s, i, &given[i], &b));
        if (slot->kind == 'p' && given[i].dtype == POY_C128)
            common = POY_C128;
    }
    for (int i = 0; i < s->n_in; i++) {
        in[i] = given[i];
        if (s->in[i].kind == 'c')
            in[i].dtype = POY_C128;
        else if (s->in[i].kind == 'p')
            in[i].dtype = common;
    }
    for (int j = 0; j < s->n_out; j++)
        bind_output(s, &s->out[j], in, common, &b, &out[j]);
    return POY_OK;
}

poy_status poyi_signature_check(poy_ctx *ctx, const char *who, const poyi_signature *s, const poy_rec_spec *bound,
                                const poy_rec_spec *out)
{
    for (int j = 0; j < s->n_out; j++) {
        const char *name = s->out[j].name;
        if (out[j].rank < 0 || out[j].rank > POY_RANK_MAX || (bound[j].rank >= 0 && out[j].rank != bound[j].rank))
            return POYI_FAIL(ctx, POY_ERR_CALLBACK, "%s: infer left output %s with rank %d", who, name, out[j].rank);
        if ((out[j].dtype != POY_F64 && out[j].dtype != POY_C128) ||
            (s->out[j].kind != 'a' && out[j].dtype != bound[j].dtype))
            return POYI_FAIL(ctx, POY_ERR_CALLBACK, "%s: infer changed the type of output %s", who, name);
        for (int k = 0; k < out[j].rank; k++)
            if (out[j].dims[k] < 0 ||
                (bound[j].rank >= 0 && bound[j].dims[k] >= 0 && out[j].dims[k] != bound[j].dims[k]))
                return POYI_FAIL(ctx, POY_ERR_CALLBACK, "%s: infer left axis %d of output %s with extent %lld", who, k,
                                 name, (long long)out[j].dims[k]);
    }
    return POY_OK;
}
