/* record.c: Record, a configured derivative record, for Python.
 *
 * Two ways lead through a record. record(x, ...) -> (value, Saved) is for NumPy: the library holds the state. evaluate and
 * derive hand the state around as an array of bytes, so that a framework owns it; every array has `lead` batch axes in
 * front, each of extent 1 (shared) or that of the batch. */
#include "record.h"

#include <string.h>

typedef struct {
    PyObject_HEAD poy_record *record;
    poy_rec_info info;
    shapes *last; /* of the last call */
} record_object;

/* Numbers among the inputs, or among tangents of them. */
static void promote(const record_object *self, arrays *in, int lead)
{
    for (int i = 0; i < in->n; i++)
        if (in->w[i].data)
            whole_promote(&in->w[i], lead, self->info.in_slot[i].rank);
}

static PyObject *record_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"name", "options", NULL};
    const char *name, *options = "";
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|s", words, &name, &options) || numpy_open())
        return NULL;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    record_object *self = (record_object *)PyType_GenericNew(type, NULL, NULL);
    poy_status status = self ? poy_record_open(ctx, name, options, &self->record) : POY_OK;
    if (self && status == POY_OK)
        status = poy_record_describe(ctx, name, &self->info);
    if (status != POY_OK) {
        Py_DECREF(self);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    return (PyObject *)self;
}

static void record_free(PyObject *object)
{
    poy_record_close(&((record_object *)object)->record);
    shapes_drop(&((record_object *)object)->last);
    object_free(object);
}

/* record(x, ...) -> (value, Saved): no batch axes. */
static PyObject *record_call(PyObject *object, PyObject *args, PyObject *kwargs)
{
    record_object *self = (record_object *)object;
    const char *name = self->info.name;
    static const poy_rec_batch one = {0};
    arrays in;
    poy_rec_array out[MAX];
    if (kwargs) {
        PyErr_Format(PyExc_TypeError, "%s takes arrays by position; options belong to Record(name, options)", name);
        return NULL;
    }
    if (arrays_acquire_tuple(args, self->info.n_in, 0, name, "inputs", &in))
        return NULL;
    PyObject *values = NULL, *saved = NULL, *pair = NULL;
    promote(self, &in, 0);
    shapes *s = arrays_split(name, &in, 0, &one) ? NULL : shapes_meet(self->record, &in, self->info.n_out, &self->last);
    values = s ? fresh(s->port + s->n_in, s->n_out, &one, NULL, out) : NULL;
    poy_ctx *ctx = values ? lease_or_error() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    poy_saved *state = NULL;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_record_evaluate(ctx, self->record, NULL, in.a, out, &state);
    Py_END_ALLOW_THREADS;
    if (lease_settle(ctx, status))
        goto done;
    saved = saved_new(state, s);
    values = unwrap(values);
    pair = saved ? PyTuple_Pack(2, values, saved) : NULL;
done:
    shapes_drop(&s);
    arrays_release(&in);
    Py_XDECREF(values);
    Py_XDECREF(saved);
    return pair;
}

/* (is complex, shape) of each input -> the same of each output, and the bytes of a state. */
static PyObject *record_infer(PyObject *object, PyObject *specs)
{
    record_object *self = (record_object *)object;
    poy_rec_spec in[MAX], out[MAX];
    if (!PyTuple_Check(specs) || PyTuple_Size(specs) != self->info.n_in)
        return PyErr_Format(PyExc_ValueError, "%s: %d inputs wanted", self->info.name, self->info.n_in);
    for (int i = 0; i < self->info.n_in; i++) {
        int is_complex;
        PyObject *shape;
        if (!PyArg_ParseTuple(PyTuple_GetItem(specs, i), "pO!", &is_complex, &PyTuple_Type, &shape))
            return NULL;
        in[i].dtype = is_complex ? POY_C128 : POY_F64;
        in[i].rank = (int)PyTuple_Size(shape);
        if (in[i].rank > POY_RANK_MAX)
            return PyErr_Format(PyExc_ValueError, "%s: input %d has more than 8 axes", self->info.name, i);
        for (int k = 0; k < in[i].rank; k++)
            in[i].dims[k] = PyLong_AsLongLong(PyTuple_GetItem(shape, k));
        for (int k = in[i].rank; !PyTuple_Size(shape) && k < self->info.in_slot[i].rank; k++)
            in[i].dims[in[i].rank++] = 1; /* a number */
    }
    size_t bytes = 0;
    poy_ctx *ctx = PyErr_Occurred() ? NULL : lease_or_error();
    if (!ctx)
        return NULL;
    const poy_status status = poy_record_infer(ctx, self->record, in, out, &bytes);
    if (lease_settle(ctx, status))
        return NULL;
    PyObject *list = PyTuple_New(self->info.n_out);
    for (int i = 0; list && i < self->info.n_out; i++) {
        PyObject *shape = PyTuple_New(out[i].rank);
        for (int k = 0; shape && k < out[i].rank; k++)
            PyTuple_SetItem(shape, k, PyLong_FromLongLong(out[i].dims[k]));
        PyObject *row = shape ? Py_BuildValue("(NN)", PyBool_FromLong(out[i].dtype == POY_C128), shape) : NULL;
        if (!row || PyTuple_SetItem(list, i, row))
            Py_CLEAR(list);
    }
    return list ? Py_BuildValue("(Nn)", list, (Py_ssize_t)bytes) : NULL;
}

/* evaluate(lead, inputs, keep) -> (outputs, state or None) */
static PyObject *record_evaluate(PyObject *object, PyObject *const *args, Py_ssize_t n)
{
    record_object *self = (record_object *)object;
    const char *name = self->info.name;
    arrays in;
    poy_rec_array out[MAX];
    poy_rec_batch batch;
    if (n != 3)
        return PyErr_Format(PyExc_TypeError, "evaluate(lead, inputs, keep)");
    const int lead = (int)PyLong_AsLong(args[0]), keep = PyObject_IsTrue(args[2]);
    if (PyErr_Occurred() || arrays_acquire_tuple(args[1], self->info.n_in, 0, name, "inputs", &in))
        return NULL;
    PyObject *values = NULL, *state = NULL, *pair = NULL;
    shapes *s = NULL;
    promote(self, &in, lead);
    const char *why = batch_of(in.w, in.n, lead, &batch);
    if (why) {
        refuse(name, why);
        goto done;
    }
    s = arrays_split(name, &in, lead, &batch) ? NULL : shapes_meet(self->record, &in, self->info.n_out, &self->last);
    if (!s)
        goto done;
    const size_t bytes = s->bytes;
    values = fresh(s->port + s->n_in, s->n_out, &batch, NULL, out);
    poy_rec_state kept = {0};
    if (values && keep) {
        int64_t dims[WHOLE_RANK_MAX];
        memcpy(dims, batch.extent, sizeof batch.extent);
        dims[lead] = (int64_t)bytes;
        state = numpy_bytes(lead + 1, dims, &kept.data);
        kept.size = poy_rec_pack(&batch, 0, bytes, kept.batch_stride);
    }
    poy_ctx *ctx = values && (state || !keep) ? lease_or_error() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = state && bytes ? poy_record_evaluate_into(ctx, self->record, &batch, in.a, out, &kept)
                            : poy_record_evaluate(ctx, self->record, &batch, in.a, out, NULL);
    Py_END_ALLOW_THREADS;
    if (lease_settle(ctx, status))
        goto done;
    pair = PyTuple_Pack(2, values, state ? state : Py_None);
done:
    shapes_drop(&s);
    arrays_release(&in);
    Py_XDECREF(values);
    Py_XDECREF(state);
    return pair;
}

static int state_view(const char *name, PyObject *object, int lead, const poy_rec_batch *batch, Py_buffer *buffer,
                      poy_rec_state *state)
{
    if (PyObject_GetBuffer(object, buffer, PyBUF_ND | PyBUF_C_CONTIGUOUS))
        return -1;
    if (buffer->ndim != lead + 1 || buffer->itemsize != 1) {
        PyBuffer_Release(buffer);
        return refuse(name, "the state has to be the array of bytes that evaluate gave");
    }
    state->data = buffer->buf ? buffer->buf : batch_nowhere();
    state->size = (size_t)buffer->len;
    int64_t step = buffer->shape[lead];
    for (int k = lead - 1; k >= 0; k--) {
        state->batch_stride[k] = buffer->shape[k] == 1 && batch->extent[k] != 1 ? 0 : step;
        step *= buffer->shape[k];
    }
    return 0;
}

/* The arrays of one derivative, with their batch. */
typedef struct derivative {
    int forward, lead;
    arrays in, kept, direction; /* n 0: not there */
    poy_rec_batch batch;
    Py_buffer bytes;
    int have_bytes;
    poy_rec_state state;
} derivative;

static void derivative_close(derivative *d)
{
    if (d->have_bytes)
        PyBuffer_Release(&d->bytes);
    arrays_release(&d->in);
    arrays_release(&d->kept);
    arrays_release(&d->direction);
}

/* The batch that inputs and directions span. */
static int derivative_batch(const char *name, derivative *d)
{
    whole every[2 * MAX];
    int n = 0;
    for (int i = 0; i < d->in.n; i++)
        every[n++] = d->in.w[i];
    for (int i = 0; i < d->direction.n; i++)
        if (d->direction.w[i].data)
            every[n++] = d->direction.w[i];
    const char *why = batch_of(every, n, d->lead, &d->batch);
    return why ? refuse(name, why) : 0;
}

/* From the arguments inputs, outputs, state, directions. -1 with an exception; d is closed in any case. */
static int derivative_open(const record_object *self, PyObject *const *args, derivative *d)
{
    const poy_rec_info *info = &self->info;
    const char *name = info->name;
    d->in.n = d->kept.n = d->direction.n = d->have_bytes = 0; /* all as zeros would take longer than a small record */
    if (arrays_acquire_tuple(args[0], info->n_in, 0, name, "inputs", &d->in) ||
        (args[1] != Py_None && arrays_acquire_tuple(args[1], info->n_out, 0, name, "outputs", &d->kept)) ||
        arrays_acquire_tuple(args[3], d->forward ? info->n_in : info->n_out, 1, name,
                             d->forward ? "tangents" : "cotangents", &d->direction))
        return -1;
    promote(self, &d->in, d->lead);
    if (d->forward)
        promote(self, &d->direction, d->lead);
    if (derivative_batch(name, d) || arrays_split(name, &d->in, d->lead, &d->batch) ||
        arrays_split(name, &d->kept, d->lead, &d->batch) || arrays_split(name, &d->direction, d->lead, &d->batch) ||
        state_view(name, args[2], d->lead, &d->batch, &d->bytes, &d->state))
        return -1;
    d->have_bytes = 1;
    return 0;
}

/* What is absent has the shapes of the record: outputs that nobody kept, directions that are zero. */
static void derivative_absent(derivative *d, const shapes *s, poy_rec_array *out)
{
    const port *ins = s->port, *outs = s->port + s->n_in;
    for (int i = 0; i < s->n_out; i++)
        if (d->kept.n)
            out[i] = d->kept.a[i];
        else
            out[i] = (poy_rec_array){.spec = outs[i].spec};
    for (int i = 0; i < d->direction.n; i++)
        if (!d->direction.w[i].data)
            d->direction.a[i] = (poy_rec_array){.spec = d->forward ? ins[i].spec : outs[i].spec};
}

static poy_status derivative_run(poy_ctx *ctx, const poy_record *record, const derivative *d, const poy_rec_array *out,
                                 const poy_rec_array *result)
{
    poy_saved *saved = NULL;
    poy_status status = poy_record_restore(ctx, record, &d->batch, d->in.a, out, d->state.size ? &d->state : NULL,
                                           POY_REC_BORROW, &saved);
    if (status == POY_OK)
        status = d->forward ? poy_record_pushforward(ctx, saved, d->direction.a, result)
                            : poy_record_pullback(ctx, saved, d->direction.a, result);
    poy_saved_destroy(&saved);
    return status;
}

/* derive(forward, lead, inputs, outputs, state, directions, wanted) -> tuple of gradients or tangents.
 * inputs: arrays, whose numbers count only where `needs` says so; outputs: a tuple, or None. Gradients have all items of
 * the batch. */
static PyObject *record_derive(PyObject *object, PyObject *const *args, Py_ssize_t n)
{
    record_object *self = (record_object *)object;
    poy_rec_array out[MAX], result[MAX];
    derivative d;
    PyObject *results = NULL;
    shapes *s = NULL;
    if (n != 7)
        return PyErr_Format(PyExc_TypeError, "derive(forward, lead, inputs, outputs, state, directions, wanted)");
    d.forward = PyObject_IsTrue(args[0]);
    d.lead = (int)PyLong_AsLong(args[1]);
    if (PyErr_Occurred())
        return NULL;
    if (derivative_open(self, args + 2, &d))
        goto done;
    s = shapes_meet(self->record, &d.in, self->info.n_out, &self->last);
    if (!s)
        goto done;
    derivative_absent(&d, s, out);
    results = fresh(d.forward ? s->port + s->n_in : s->port, d.forward ? s->n_out : s->n_in, &d.batch,
                    args[6] == Py_None ? NULL : args[6], result);
    poy_ctx *ctx = results ? lease_or_error() : NULL;
    if (!ctx) {
        Py_CLEAR(results);
        goto done;
    }
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = derivative_run(ctx, self->record, &d, out, result);
    Py_END_ALLOW_THREADS;
    results = lease_result(ctx, status, results);
done:
    shapes_drop(&s);
    derivative_close(&d);
    return results;
}

/* example(name, k, seed) -> (options, inputs): the point k at which the record named is checked; IndexError past the last. */
static PyObject *record_example(PyObject *module, PyObject *args)
{
    static const poy_rec_batch one = {0};
    const char *name, *options;
    int k;
    unsigned long long seed;
    (void)module;
    if (!PyArg_ParseTuple(args, "siK", &name, &k, &seed) || numpy_open())
        return NULL;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    poy_rec_spec specs[MAX];
    poy_rec_array in[MAX];
    poy_rec_info info;
    poy_record *record = NULL;
    PyObject *inputs = NULL;
    poy_status status = poy_record_describe(ctx, name, &info);
    if (status == POY_OK)
        status = poy_record_example(ctx, name, k, &options, specs);
    if (status == POY_OK)
        status = poy_record_open(ctx, name, options, &record);
    if (status == POY_OK) {
        port ports[MAX];
        for (int i = 0; i < info.n_in; i++)
            ports[i] = (port){.spec = specs[i]};
        inputs = fresh(ports, info.n_in, &one, NULL, in);
        if (inputs)
            status = poy_record_sample(ctx, record, seed, in);
    }
    poy_record_close(&record);
    if (status != POY_OK) {
        Py_XDECREF(inputs);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    return inputs ? Py_BuildValue("(sN)", options, inputs) : NULL;
}

static PyObject *slot_tuple(const poy_rec_slot *slot, int n)
{
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple && i < n; i++) {
        PyObject *row = Py_BuildValue("(sCii)", slot[i].name, (int)slot[i].kind, slot[i].constant, slot[i].rank);
        if (!row || PyTuple_SetItem(tuple, i, row))
            Py_CLEAR(tuple);
    }
    return tuple;
}

static PyObject *record_get(PyObject *object, void *which)
{
    record_object *self = (record_object *)object;
    const poy_rec_info *info = &self->info;
    switch (*(const char *)which) {
    case 'n': return PyUnicode_FromString(info->name);
    case 'o': return PyUnicode_FromString(poy_record_options(self->record));
    case 'd': return PyUnicode_FromString(poy_record_identity(self->record));
    case 't': return PyUnicode_FromString(info->text);
    case 'i': return slot_tuple(info->in_slot, info->n_in);
    case 'u': return slot_tuple(info->out_slot, info->n_out);
    case 'p': return PyBool_FromLong((info->flags & POY_REC_NEEDS_INPUTS) != 0);
    case 'q': return PyBool_FromLong((info->flags & POY_REC_NEEDS_OUTPUTS) != 0);
    default: return PyBool_FromLong(info->reverse_only);
    }
}

static PyMethodDef record_methods[] = {
    {"infer", record_infer, METH_O, "infer(((is_complex, shape), ...)) -> (((is_complex, shape), ...), state bytes)"},
    {"evaluate", (PyCFunction)(void (*)(void))record_evaluate, METH_FASTCALL,
     "evaluate(lead, inputs, keep) -> (outputs, state)"},
    {"derive", (PyCFunction)(void (*)(void))record_derive, METH_FASTCALL,
     "derive(forward, lead, inputs, outputs, state, directions, wanted) -> tuple"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef record_fields[] = {
    {"name", record_get, NULL, "its name, 'poy.solve'", "n"},
    {"options", record_get, NULL, "canonical text of its options", "o"},
    {"identity", record_get, NULL, "name@version{options}", "d"},
    {"text", record_get, NULL, "what it computes, one line", "t"},
    {"inputs", record_get, NULL, "(name, kind, constant, rank) of each input; rank -1: any", "i"},
    {"outputs", record_get, NULL, "the same of each output", "u"},
    {"needs_inputs", record_get, NULL, "its derivatives look at the inputs", "p"},
    {"needs_outputs", record_get, NULL, "its derivatives look at the outputs", "q"},
    {"reverse_only", record_get, NULL, "there is no pushforward", "r"},
    {NULL, NULL, NULL, NULL, NULL}};

int record_register(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"example", record_example, METH_VARARGS, "example(name, k, seed) -> (options, inputs)"},
        {NULL, NULL, 0, NULL}};
    static PyType_Slot record_slots[] = {
        {Py_tp_new, (void *)record_new},
        {Py_tp_dealloc, (void *)record_free},
        {Py_tp_call, (void *)record_call},
        {Py_tp_methods, (void *)record_methods},
        {Py_tp_getset, (void *)record_fields},
        {Py_tp_doc, (void *)"Record(name, options='') - a derivative record; call it for a value and its Saved state."},
        {0, NULL}};
    static PyType_Spec record_spec = {"poynting._core.Record", sizeof(record_object), 0, Py_TPFLAGS_DEFAULT,
                                      record_slots};
    PyObject *record = PyType_FromSpec(&record_spec);
    if (!record || PyModule_AddFunctions(module, functions) || PyModule_AddObjectRef(module, "Record", record))
        return -1;
    Py_DECREF(record);
    return saved_register(module);
}
