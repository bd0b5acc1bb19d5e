/* xla.c: handlers by which compiled JAX programs evaluate records and their derivatives, without Python.
 *
 * Three custom calls serve every record: the record stands in the string attributes "op" and "options", never as an
 * address, so compiled programs and exports stay valid. "lead" is the number of batch axes in front of each array.
 *   poy_eval         inputs                                    -> outputs [, state]
 *   poy_pullback     inputs, outputs, state, cotangents        -> gradients
 *   poy_pushforward  inputs, outputs, state, tangents          -> tangents
 * Numbers of inputs and outputs in the last two count only where the record needs them. f32 and c64 arrays are widened
 * to double and narrowed again. XLA's typed interface: xla/ffi/api/c_api.h of jaxlib, no symbol of it is linked. */
#include "core.h"

#ifdef POY_XLA
#include "xla/ffi/api/c_api.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MAX = POY_REC_ARRAYS_MAX };
enum { EVALUATE, PULL, PUSH };

/* ---- records by name ---- */

/* Records that programs have used, never closed: there are few, and programs keep naming them. */
typedef struct known {
    poy_record *record;
    poy_rec_info info;
    char *op, *options; /* as asked */
    size_t n_op, n_options;
    struct known *next;
} known;

static struct {
    pthread_mutex_t lock;
    known *first;
} registry = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int same(const XLA_FFI_ByteSpan *span, const char *text, size_t n)
{
    return span->len == n && !memcmp(span->ptr, text, n);
}

static char *copy_span(const XLA_FFI_ByteSpan *span)
{
    char *text = malloc(span->len + 1);
    if (text) {
        memcpy(text, span->ptr, span->len);
        text[span->len] = '\0';
    }
    return text;
}

static poy_status open_known(poy_ctx *ctx, const XLA_FFI_ByteSpan *op, const XLA_FFI_ByteSpan *options, known **out)
{
    known *k = calloc(1, sizeof *k);
    poy_status status = POY_ERR_MEMORY;
    if (k) {
        k->op = copy_span(op);
        k->options = copy_span(options);
        k->n_op = op->len;
        k->n_options = options->len;
    }
    if (k && k->op && k->options) {
        status = poy_record_open(ctx, k->op, k->options, &k->record);
        if (status == POY_OK)
            status = poy_record_describe(ctx, k->op, &k->info);
    }
    if (status == POY_OK) {
        k->next = registry.first;
        registry.first = k;
        *out = k;
        return POY_OK;
    }
    if (k) {
        poy_record_close(&k->record);
        free(k->op);
        free(k->options);
        free(k);
    }
    return status;
}

static poy_status find_known(poy_ctx *ctx, const XLA_FFI_ByteSpan *op, const XLA_FFI_ByteSpan *options,
                             const known **out)
{
    poy_status status = POY_OK;
    pthread_mutex_lock(&registry.lock);
    known *k = registry.first;
    while (k && !(same(op, k->op, k->n_op) && same(options, k->options, k->n_options)))
        k = k->next;
    if (!k)
        status = open_known(ctx, op, options, &k);
    pthread_mutex_unlock(&registry.lock);
    *out = k;
    return status;
}

/* ---- XLA's side ---- */

static XLA_FFI_Error *fail(XLA_FFI_CallFrame *frame, XLA_FFI_Error_Code code, const char *message)
{
    XLA_FFI_Error_Create_Args args = {XLA_FFI_Error_Create_Args_STRUCT_SIZE, NULL, message, code};
    return frame->api->XLA_FFI_Error_Create(&args);
}

static XLA_FFI_Error_Code code_of(poy_status status)
{
    switch (status) {
    case POY_ERR_BUDGET:
    case POY_ERR_MEMORY: return XLA_FFI_Error_Code_RESOURCE_EXHAUSTED;
    case POY_ERR_UNSUPPORTED: return XLA_FFI_Error_Code_UNIMPLEMENTED;
    case POY_ERR_STATE: return XLA_FFI_Error_Code_DATA_LOSS;
    case POY_ERR_CALLBACK:
    case POY_ERR_INTERNAL: return XLA_FFI_Error_Code_INTERNAL;
    case POY_ERR_MISMATCH:
    case POY_ERR_SINGULAR:
    case POY_ERR_NO_CONVERGENCE:
    case POY_ERR_THRESHOLD: return XLA_FFI_Error_Code_FAILED_PRECONDITION;
    default: return XLA_FFI_Error_Code_INVALID_ARGUMENT;
    }
}

/* XLA asks for the version before the first call. Versions of one major number only add to each other's structs, and nothing
 * that a later one added is used here: an older XLA than that of the header is told its own version. Minor 5 named the type of
 * the chain anew. */
static int answer_metadata(XLA_FFI_CallFrame *frame)
{
    const int running = frame->api ? frame->api->api_version.minor_version : XLA_FFI_API_MINOR;
    for (__typeof__(frame->extension_start) e = frame->extension_start; e; e = e->next) {
        if (e->type != XLA_FFI_Extension_Metadata)
            continue;
        XLA_FFI_Metadata *m = ((XLA_FFI_Metadata_Extension *)e)->metadata;
        m->api_version.major_version = XLA_FFI_API_MAJOR;
        m->api_version.minor_version = running < XLA_FFI_API_MINOR ? running : XLA_FFI_API_MINOR;
        return 1;
    }
    return 0;
}

typedef struct attributes {
    const XLA_FFI_ByteSpan *op, *options;
    int lead;
} attributes;

static int read_attributes(const XLA_FFI_CallFrame *frame, attributes *out)
{
    *out = (attributes){.lead = -1};
    for (int64_t i = 0; i < frame->attrs.size; i++) {
        const XLA_FFI_ByteSpan *name = frame->attrs.names[i];
        const void *value = frame->attrs.attrs[i];
        if (frame->attrs.types[i] == XLA_FFI_AttrType_STRING && same(name, "op", 2))
            out->op = value;
        if (frame->attrs.types[i] == XLA_FFI_AttrType_STRING && same(name, "options", 7))
            out->options = value;
        const XLA_FFI_Scalar *scalar = value;
        if (frame->attrs.types[i] == XLA_FFI_AttrType_SCALAR && same(name, "lead", 4) &&
            scalar->dtype == XLA_FFI_DataType_S64)
            out->lead = (int)*(const int64_t *)scalar->value;
    }
    return out->op && out->options && out->lead >= 0 ? 0 : -1;
}

/* ---- arrays ---- */

typedef struct argument {
    whole w;
    float *narrow; /* the buffer itself where w.data is a widened copy */
} argument;

static const char *take(const XLA_FFI_Buffer *buffer, int is_input, argument *out)
{
    *out = (argument){0};
    if (buffer->rank > WHOLE_RANK_MAX)
        return "an array with more than 16 axes";
    const int complex = buffer->dtype == XLA_FFI_DataType_C128 || buffer->dtype == XLA_FFI_DataType_C64;
    const int narrow = buffer->dtype == XLA_FFI_DataType_F32 || buffer->dtype == XLA_FFI_DataType_C64;
    if (!complex && !narrow && buffer->dtype != XLA_FFI_DataType_F64)
        return "arrays have to be float64, float32, complex128 or complex64";
    out->w.dtype = complex ? POY_C128 : POY_F64;
    out->w.rank = (int)buffer->rank;
    for (int i = 0; i < out->w.rank; i++)
        out->w.dims[i] = buffer->dims[i];
    out->w.data = buffer->data ? buffer->data : batch_nowhere();
    if (narrow) {
        const size_t n = (size_t)whole_count(&out->w) * (complex ? 2 : 1);
        double *wide = malloc((n + 1) * sizeof *wide);
        if (!wide)
            return "no memory for an array in double precision";
        out->narrow = out->w.data;
        for (size_t i = 0; is_input && i < n; i++)
            wide[i] = (double)out->narrow[i];
        out->w.data = wide;
    }
    return NULL;
}

static void finish(argument *a, int n, int is_output)
{
    for (int i = 0; i < n; i++) {
        if (!a[i].narrow)
            continue;
        const double *wide = a[i].w.data;
        const size_t count = (size_t)whole_count(&a[i].w) * (a[i].w.dtype == POY_C128 ? 2 : 1);
        for (size_t k = 0; is_output && k < count; k++)
            a[i].narrow[k] = (float)wide[k];
        free(a[i].w.data);
    }
}

/* One call, taken apart. args: inputs, outputs, directions; rets: results. */
typedef struct call {
    const known *k;
    int what, lead, n_arg, n_ret;
    argument arg[3 * MAX], ret[MAX];
    const XLA_FFI_Buffer *state; /* NULL: none asked for */
    poy_rec_batch batch;
    poy_rec_state saved;
} call;

static const char *gather(XLA_FFI_CallFrame *frame, call *c)
{
    const poy_rec_info *info = &c->k->info;
    const int n_in = info->n_in, n_out = info->n_out;
    const int n_direction = c->what == PULL ? n_out : c->what == PUSH ? n_in : 0;
    const int n_result = c->what == PULL ? n_in : n_out;
    const int before = c->what == EVALUATE ? n_in : n_in + n_out; /* the state stands after these */
    const int keeps = c->what == EVALUATE && frame->rets.size == n_result + 1;
    if (frame->args.size != before + n_direction + (c->what != EVALUATE) || frame->rets.size != n_result + keeps)
        return "the number of arrays does not fit the record";
    const char *why = NULL;
    for (int64_t i = 0; !why && i < frame->args.size; i++) {
        if (c->what != EVALUATE && i == before)
            c->state = frame->args.args[i];
        else
            why = take(frame->args.args[i], 1, &c->arg[c->n_arg++]);
    }
    for (int i = 0; !why && i < n_result; i++)
        why = take(frame->rets.rets[i], 0, &c->ret[c->n_ret++]);
    if (keeps)
        c->state = frame->rets.rets[n_result];
    whole every[4 * MAX];
    for (int i = 0; i < c->n_arg; i++)
        every[i] = c->arg[i].w;
    for (int i = 0; i < c->n_ret; i++)
        every[c->n_arg + i] = c->ret[i].w;
    return why ? why : batch_of(every, c->n_arg + c->n_ret, c->lead, &c->batch);
}

static const char *take_state(call *c)
{
    const XLA_FFI_Buffer *b = c->state;
    if (!b)
        return NULL;
    if (b->dtype != XLA_FFI_DataType_U8 || b->rank != c->lead + 1)
        return "the state has to be the bytes that the evaluation gave";
    c->saved.data = b->data ? b->data : batch_nowhere();
    int64_t step = b->dims[c->lead];
    for (int k = c->lead - 1; k >= 0; k--) {
        c->saved.batch_stride[k] = b->dims[k] == 1 && c->batch.extent[k] != 1 ? 0 : step;
        step *= b->dims[k];
    }
    c->saved.size = (size_t)step;
    return NULL;
}

static poy_status compute(poy_ctx *ctx, call *c)
{
    const poy_rec_info *info = &c->k->info;
    poy_record *record = c->k->record;
    poy_rec_array arg[3 * MAX], ret[MAX];
    const char *why = take_state(c);
    for (int i = 0; !why && i < c->n_arg; i++)
        why = batch_split(&c->arg[i].w, c->lead, &c->batch, &arg[i]);
    for (int i = 0; !why && i < c->n_ret; i++)
        why = batch_split(&c->ret[i].w, c->lead, &c->batch, &ret[i]);
    if (why)
        return poy_ctx_fail(ctx, POY_ERR_SHAPE, "%s: %s", info->name, why);
    if (c->what == EVALUATE)
        return c->state && c->saved.size ? poy_record_evaluate_into(ctx, record, &c->batch, arg, ret, &c->saved)
                                         : poy_record_evaluate(ctx, record, &c->batch, arg, ret, NULL);
    poy_rec_array *direction = arg + info->n_in + info->n_out;
    for (int i = 0; c->what == PUSH && i < info->n_in; i++)
        if (info->in_slot[i].constant)
            direction[i].data = NULL;
    poy_saved *saved = NULL;
    poy_status status = poy_record_restore(ctx, record, &c->batch, arg, arg + info->n_in,
                                           c->saved.size ? &c->saved : NULL, POY_REC_BORROW, &saved);
    if (status == POY_OK)
        status = c->what == PULL ? poy_record_pullback(ctx, saved, direction, ret)
                                 : poy_record_pushforward(ctx, saved, direction, ret);
    poy_saved_destroy(&saved);
    return status;
}

static XLA_FFI_Error *run(XLA_FFI_CallFrame *frame, int what)
{
    if (answer_metadata(frame) || frame->stage != XLA_FFI_ExecutionStage_EXECUTE)
        return NULL;
    attributes a;
    if (read_attributes(frame, &a))
        return fail(frame, XLA_FFI_Error_Code_INVALID_ARGUMENT, "attributes op, options and lead are wanted");
    poy_ctx *ctx = lease_take();
    if (!ctx)
        return fail(frame, XLA_FFI_Error_Code_RESOURCE_EXHAUSTED, "no memory for a context");
    call c = {.what = what, .lead = a.lead};
    poy_status status = find_known(ctx, a.op, a.options, &c.k);
    if (status == POY_OK) {
        const char *why = gather(frame, &c);
        status = why ? poy_ctx_fail(ctx, POY_ERR_SHAPE, "%s: %s", c.k->info.name, why) : compute(ctx, &c);
        finish(c.arg, c.n_arg, 0);
        finish(c.ret, c.n_ret, status == POY_OK);
    }
    XLA_FFI_Error *error = status == POY_OK ? NULL : fail(frame, code_of(status), poy_ctx_cause(ctx));
    lease_give(ctx);
    return error;
}

static XLA_FFI_Error *on_evaluate(XLA_FFI_CallFrame *frame)
{
    return run(frame, EVALUATE);
}
static XLA_FFI_Error *on_pullback(XLA_FFI_CallFrame *frame)
{
    return run(frame, PULL);
}
static XLA_FFI_Error *on_pushforward(XLA_FFI_CallFrame *frame)
{
    return run(frame, PUSH);
}

int xla_register(PyObject *module)
{
    static const struct {
        const char *name;
        XLA_FFI_Error *(*handler)(XLA_FFI_CallFrame *);
    } targets[] = {{"poy_eval", on_evaluate}, {"poy_pullback", on_pullback}, {"poy_pushforward", on_pushforward}};
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < sizeof targets / sizeof *targets; i++) {
        void *address;
        memcpy(&address, &targets[i].handler, sizeof address);
        PyObject *capsule = PyCapsule_New(address, NULL, NULL); /* jax.ffi wants one without a name */
        if (!capsule || PyDict_SetItemString(dict, targets[i].name, capsule))
            Py_CLEAR(dict);
        Py_XDECREF(capsule);
    }
    const int failed = !dict || PyModule_AddObjectRef(module, "xla_targets", dict);
    Py_XDECREF(dict);
    return failed ? -1 : 0;
}

#else

/* Built without jaxlib's header: poynting.jax says so. */
int xla_register(PyObject *module)
{
    return PyModule_AddObjectRef(module, "xla_targets", Py_None);
}

#endif
