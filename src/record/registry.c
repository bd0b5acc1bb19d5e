/* registry.c: the records that an engine knows: the built-in ones of records.def, registered ones, plug-ins'. */
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

#include "record/builtin.h"
#include "record/record.h"

typedef struct place {
    poyi_known *known; /* a block of its own: records point to it */
} place;

typedef struct registry {
    place *places;
    int n_known, room;
    void **library; /* of plug-ins */
    int n_libraries;
} registry;

static const char registry_key[] = "records";

/* ---- built-in records: a row of records.def and the functions of its file ---- */

typedef struct builtin {
    const char *name, *in, *out, *text;
    const poy_rec_op *op;
} builtin;

static const builtin builtins[] = {
#define POY_RECORD(name, in, out, text) {"poy." #name, in, out, text, &poyi_record_##name},
#include "poynting/records.def"
#undef POY_RECORD
};

/* ---- registering ---- */

static int name_is_good(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_.";
    const size_t n = name ? strspn(name, letters) : 0;
    const char *dot = name ? strchr(name, '.') : NULL;
    return n > 2 && n < 64 && name[n] == '\0' && dot && dot > name && dot[1] && name[n - 1] != '.';
}

static poy_status check_options(poy_ctx *ctx, const poy_rec_op *op)
{
    if (op->n_options < 0 || op->n_options > POYI_OPTIONS_MAX || (op->n_options && (!op->options || !op->open)))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "record '%s' declares %d options: needs 0 to %d, a table and open",
                         op->name, op->n_options, POYI_OPTIONS_MAX);
    for (int i = 0; i < op->n_options; i++) {
        const poy_rec_option *o = &op->options[i];
        if (!o->name || !*o->name || strcspn(o->name, "=; ") != strlen(o->name))
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "record '%s': option %d has no good name", op->name, i);
        if (o->kind == POY_REC_WORD && !o->words)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "record '%s': option '%s' has no words", op->name, o->name);
    }
    return POY_OK;
}

static poy_status check_op(poy_ctx *ctx, const poy_rec_op *op)
{
    if (!name_is_good(op->name))
        return POYI_FAIL(
            ctx, POY_ERR_ARGUMENT,
            "a record cannot be named '%s': lower-case letters, digits and _, with a dot, as in acme.grating",
            op->name ? op->name : "");
    const char *missing = !op->in         ? "in"
                          : !op->out      ? "out"
                          : !op->evaluate ? "evaluate"
                          : !op->pullback ? "pullback"
                                          : NULL;
    if (missing)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "record '%s' has no member '%s'", op->name, missing);
    if (op->n_examples < 0 || (op->n_examples && !op->examples))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "record '%s' declares %d examples without a table", op->name,
                         op->n_examples);
    return check_options(ctx, op);
}

/* The caller's struct as far as it goes. */
static poy_status copy_op(poy_ctx *ctx, const poy_rec_op *from, poy_rec_op *to)
{
    *to = (poy_rec_op){0};
    if (from->abi != POY_REC_ABI)
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "the record is built for ABI %u, this library has ABI %u",
                         (unsigned)from->abi, POY_REC_ABI);
    if (from->size < offsetof(poy_rec_op, pushforward))
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "the record's struct has %u bytes, needs %zu at least",
                         (unsigned)from->size, offsetof(poy_rec_op, pushforward));
    memcpy(to, from, from->size < sizeof *to ? from->size : sizeof *to);
    return POY_OK;
}

static const poyi_known *find(const registry *r, const char *name)
{
    for (int i = 0; i < r->n_known; i++)
        if (!strcmp(r->places[i].known->op.name, name))
            return r->places[i].known;
    return NULL;
}

static int is_same(const poy_rec_op *a, const poy_rec_op *b)
{
    return a->in == b->in && a->out == b->out && a->state_version == b->state_version && a->flags == b->flags &&
           a->options == b->options && a->n_options == b->n_options && a->open == b->open && a->close == b->close &&
           a->user == b->user && a->infer == b->infer && a->evaluate == b->evaluate && a->pullback == b->pullback &&
           a->pushforward == b->pushforward;
}

static poy_status make_room(poy_ctx *ctx, registry *r)
{
    if (r->n_known < r->room)
        return POY_OK;
    const int room = r->room ? 2 * r->room : 64;
    place *places = realloc(r->places, (size_t)room * sizeof *places);
    if (!places)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for %d records", room);
    r->places = places;
    r->room = room;
    return POY_OK;
}

static poy_status add(poy_ctx *ctx, registry *r, const poy_rec_op *op)
{
    poy_rec_op mine;
    POYI_TRY(ctx, copy_op(ctx, op, &mine));
    POYI_TRY(ctx, check_op(ctx, &mine));
    const poyi_known *there = find(r, mine.name);
    if (there && is_same(&there->op, &mine))
        return POY_OK;
    if (there)
        return POYI_FAIL(ctx, POY_ERR_CONFLICT, "the name of record '%s' is taken", mine.name);
    POYI_TRY(ctx, make_room(ctx, r));
    poyi_known *k = malloc(sizeof *k);
    if (!k)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for record '%s'", mine.name);
    k->op = mine;
    poy_status status = poyi_signature_read(ctx, mine.name, mine.in, mine.out, &k->signature);
    if (status != POY_OK) {
        free(k);
        return status;
    }
    r->places[r->n_known++].known = k;
    return POY_OK;
}

/* ---- the registry of an engine ---- */

static void destroy_registry(void *state)
{
    registry *r = state;
    for (int i = 0; i < r->n_known; i++)
        free(r->places[i].known);
    for (int i = 0; i < r->n_libraries; i++)
        dlclose(r->library[i]);
    free(r->places);
    free(r->library);
    free(r);
}

static poy_status add_builtins(poy_ctx *ctx, registry *r)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        poy_rec_op op = *builtins[i].op;
        op.abi = POY_REC_ABI;
        op.size = sizeof op;
        op.name = builtins[i].name;
        op.in = builtins[i].in;
        op.out = builtins[i].out;
        op.text = builtins[i].text;
        POYI_TRY(ctx, add(ctx, r, &op));
    }
    return POY_OK;
}

static poy_status create_registry(poy_ctx *ctx, void **out)
{
    registry *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for the registry of records");
    poy_status status = add_builtins(ctx, r);
    if (status != POY_OK) {
        destroy_registry(r);
        return status;
    }
    *out = r;
    return POY_OK;
}

/* The registry, with the engine locked; unlock also after a failure. */
static poy_status lock_registry(poy_ctx *ctx, registry **out)
{
    void *state = NULL;
    poyi_engine_lock(poyi_ctx_engine(ctx));
    poy_status status = poyi_engine_shared(ctx, registry_key, create_registry, destroy_registry, &state);
    *out = state;
    return status;
}

poy_status poy_record_register(poy_ctx *ctx, const poy_rec_op *op)
{
    registry *r = NULL;
    poy_status status = lock_registry(ctx, &r);
    if (status == POY_OK)
        status = add(ctx, r, op);
    poyi_engine_unlock(poyi_ctx_engine(ctx));
    return status;
}

/* All records of a plug-in, or none. */
static poy_status add_library(poy_ctx *ctx, registry *r, const poy_rec_op *const *ops, int n, void *library)
{
    const int before = r->n_known;
    void **grown = realloc(r->library, (size_t)(r->n_libraries + 1) * sizeof *grown);
    if (!grown)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a plug-in");
    r->library = grown;
    for (int i = 0; i < n; i++) {
        const poy_status status = add(ctx, r, ops[i]);
        if (status == POY_OK)
            continue;
        while (r->n_known > before)
            free(r->places[--r->n_known].known);
        return status;
    }
    r->library[r->n_libraries++] = library;
    return POY_OK;
}

poy_status poy_record_load(poy_ctx *ctx, const char *path)
{
    poy_record_entry_fn *entry = NULL;
    registry *r = NULL;
    int n = 0;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        return POYI_FAIL(ctx, POY_ERR_IO, "cannot load records from '%s': %s", path, dlerror());

    void *symbol = dlsym(library, "poy_record_entry");
    memcpy(&entry, &symbol, sizeof entry); /* POSIX grants that this is a function; ISO C has no such cast */
    const poy_rec_op *const *ops = entry ? entry(POY_REC_ABI, &n) : NULL;
    poy_status status;
    if (!entry) {
        status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%s' does not export poy_record_entry", path);
    } else if (!ops || n < 1) {
        status = POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "'%s' offers no records for ABI %u", path, POY_REC_ABI);
    } else {
        status = lock_registry(ctx, &r);
        if (status == POY_OK)
            status = add_library(ctx, r, ops, n, library);
        poyi_engine_unlock(poyi_ctx_engine(ctx));
    }
    if (status != POY_OK)
        dlclose(library);
    return status;
}

/* ---- looking up ---- */

const char *poy_record_known(poy_ctx *ctx, int index)
{
    registry *r = NULL;
    const char *name = NULL;
    if (lock_registry(ctx, &r) == POY_OK && index >= 0 && index < r->n_known)
        name = r->places[index].known->op.name;
    poyi_engine_unlock(poyi_ctx_engine(ctx));
    return name;
}

static poy_status fail_unknown(poy_ctx *ctx, const registry *r, const char *name)
{
    const char *nearest = NULL;
    int least = 5; /* "solve" for "poy.solve" is 4 away */
    for (int i = 0; i < r->n_known; i++) {
        const int distance = poy_text_distance(name, r->places[i].known->op.name);
        if (distance < least) {
            least = distance;
            nearest = r->places[i].known->op.name;
        }
    }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "no record is named '%s'%s%s%s", name, nearest ? ": did you mean '" : "",
                     nearest ? nearest : "", nearest ? "'?" : "");
}

poy_status poyi_record_find(poy_ctx *ctx, const char *name, const poyi_known **out)
{
    registry *r = NULL;
    poy_status status = lock_registry(ctx, &r);
    *out = NULL;
    if (status == POY_OK) {
        *out = find(r, name);
        if (!*out)
            status = fail_unknown(ctx, r, name);
    }
    poyi_engine_unlock(poyi_ctx_engine(ctx));
    return status;
}

static void describe_slots(const poyi_slot *slot, int n, poy_rec_slot *out)
{
    for (int i = 0; i < n; i++) {
        out[i] =
            (poy_rec_slot){.kind = slot[i].kind, .constant = slot[i].constant, .rank = slot[i].any ? -1 : slot[i].rank};
        memcpy(out[i].name, slot[i].name, sizeof out[i].name);
    }
}

poy_status poy_record_describe(poy_ctx *ctx, const char *name, poy_rec_info *out)
{
    const poyi_known *k = NULL;
    POYI_TRY(ctx, poyi_record_find(ctx, name, &k));
    *out = (poy_rec_info){.name = k->op.name,
                          .in = k->op.in,
                          .out = k->op.out,
                          .text = k->op.text ? k->op.text : "",
                          .state_version = k->op.state_version,
                          .flags = k->op.flags,
                          .n_in = k->signature.n_in,
                          .n_out = k->signature.n_out,
                          .n_options = k->op.n_options,
                          .n_examples = k->op.n_examples,
                          .reverse_only = !k->op.pushforward,
                          .options = k->op.options};
    describe_slots(k->signature.in, k->signature.n_in, out->in_slot);
    describe_slots(k->signature.out, k->signature.n_out, out->out_slot);
    return POY_OK;
}
