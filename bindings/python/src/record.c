/* record.c: Record, a configured derivative record, and Saved, one value's state, for Python.
 *
 * Two ways lead through a record. record(x, ...) -> (value, Saved) is for NumPy: the library holds the state. evaluate,
 * pullback and pushforward hand the state around as an array of bytes, so that a framework owns it; every array has
 * `lead` batch axes in front, each of extent 1 (shared) or that of the batch. */
#include "core.h"

#include <string.h>

enum { MAX = POY_REC_ARRAYS_MAX };

typedef struct {
    PyObject_HEAD poy_record *record;
    poy_rec_info info;
} record_object;

typedef struct {
    PyObject_HEAD poy_saved *saved;
    int n_in, n_out;
    poy_rec_spec in[MAX], out[MAX];
    int added[MAX]; /* axes that an input lacked */
} saved_object;

static PyTypeObject *saved_type;

/* ---- arguments ---- */

/* Arrays of one argument tuple. */
typedef struct arrays {
    int n;
    whole w[MAX];
    view v[MAX];
    poy_rec_array a[MAX];
} arrays;

static void release(arrays *x)
{
    for (int i = 0; i < x->n; i++)
        if (x->w[i].data)
            numpy_release(&x->v[i]);
    x->n = 0;
}

/* items [n] into x; None (where allowed) is an absent array. what: "inputs". */
static int acquire(PyObject *const *items, Py_ssize_t n, int wanted, int none, const char *name, const char *what,
                   arrays *x)
{
    x->n = 0;
    if (n != wanted) {
        PyErr_Format(PyExc_ValueError, "%s: %zd %s given, %d wanted", name, n, what, wanted);
        return -1;
    }
    for (int i = 0; i < wanted; i++) {
        x->w[i].data = NULL;
        x->n = i + 1;
        if (none && items[i] == Py_None)
            continue;
        if (numpy_view(items[i], &x->v[i], &x->w[i])) {
            x->n = i;
            release(x);
            return -1;
        }
    }
    return 0;
}

static int acquire_tuple(PyObject *tuple, int wanted, int none, const char *name, const char *what, arrays *x)
{
    PyObject *items[MAX];
    x->n = 0;
    if (!PyTuple_Check(tuple)) {
        PyErr_Format(PyExc_TypeError, "%s: %s have to be a tuple of arrays", name, what);
        return -1;
    }
    const Py_ssize_t n = PyTuple_Size(tuple);
    for (Py_ssize_t i = 0; i < n && i < MAX; i++)
        items[i] = PyTuple_GetItem(tuple, i);
    return acquire(items, n, wanted, none, name, what, x);
}

/* Numbers among the inputs, or among tangents of them. */
static void promote(const record_object *self, arrays *in, int lead)
{
    for (int i = 0; i < in->n; i++)
        if (in->w[i].data)
            whole_promote(&in->w[i], lead, self->info.in_slot[i].rank);
}

static int refuse(const char *name, const char *why)
{
    PyErr_Format(PyExc_ValueError, "%s: %s", name, why);
    return -1;
}

static int split(const char *name, arrays *x, int lead, const poy_rec_batch *batch)
{
    for (int i = 0; i < x->n; i++) {
        const char *why = x->w[i].data ? batch_split(&x->w[i], lead, batch, &x->a[i]) : NULL;
        if (why)
            return refuse(name, why);
        if (!x->w[i].data)
            x->a[i].data = NULL;
    }
    return 0;
}

/* New arrays of all items of a batch, as a tuple; a[i] tells the library where. wanted: NULL for all. added: axes at the end that
 * the arrays of Python lack, NULL for none. */
static PyObject *fresh(const poy_rec_spec *specs, int n, const poy_rec_batch *batch, const int *added, PyObject *wanted,
                       poy_rec_array *a)
{
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple && i < n; i++) {
        PyObject *array = NULL;
        a[i].spec = specs[i];
        a[i].data = NULL;
        if (wanted && !PyObject_IsTrue(PyTuple_GetItem(wanted, i))) {
            array = Py_None;
            Py_INCREF(array);
        } else {
            whole w;
            batch_join(&specs[i], batch, &w);
            w.added = added ? added[i] : 0;
            array = numpy_new(&w);
            if (array)
                (void)batch_split(&w, batch->rank, batch, &a[i]);
        }
        if (!array || PyTuple_SetItem(tuple, i, array))
            Py_CLEAR(tuple);
    }
    return tuple;
}

/* One result stands for itself. */
static PyObject *unwrap(PyObject *tuple)
{
    if (!tuple || PyTuple_Size(tuple) != 1)
        return tuple;
    PyObject *only = PyTuple_GetItem(tuple, 0);
    Py_INCREF(only);
    Py_DECREF(tuple);
    return only;
}

/* ---- Record ---- */

static PyObject *record_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"name", "options", NULL};
    const char *name, *options = "";
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s|s", words, &name, &options) || numpy_open())
        return NULL;
    poy_ctx *ctx = lease_take();
    if (!ctx)
        return PyErr_NoMemory();
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
    object_free(object);
}

static int infer(record_object *self, const arrays *in, poy_rec_spec *in_spec, poy_rec_spec *out, size_t *bytes)
{
    for (int i = 0; i < in->n; i++)
        in_spec[i] = in->a[i].spec;
    poy_ctx *ctx = lease_take();
    if (!ctx) {
        PyErr_NoMemory();
        return -1;
    }
    const poy_status status = poy_record_infer(ctx, self->record, in_spec, out, bytes);
    if (status != POY_OK) {
        raise_from(ctx, status);
        return -1;
    }
    lease_give(ctx);
    return 0;
}

/* record(x, ...) -> (value, Saved): no batch axes. */
static PyObject *record_call(PyObject *object, PyObject *args, PyObject *kwargs)
{
    record_object *self = (record_object *)object;
    const char *name = self->info.name;
    static const poy_rec_batch one = {0};
    arrays in;
    poy_rec_spec in_spec[MAX], out_spec[MAX];
    poy_rec_array out[MAX];
    if (kwargs) {
        PyErr_Format(PyExc_TypeError, "%s takes arrays by position; options belong to Record(name, options)", name);
        return NULL;
    }
    if (acquire_tuple(args, self->info.n_in, 0, name, "inputs", &in))
        return NULL;
    PyObject *values = NULL, *pair = NULL;
    saved_object *saved = NULL;
    promote(self, &in, 0);
    if (split(name, &in, 0, &one) || infer(self, &in, in_spec, out_spec, NULL))
        goto done;
    values = fresh(out_spec, self->info.n_out, &one, NULL, NULL, out);
    saved = values ? (saved_object *)PyType_GenericNew(saved_type, NULL, NULL) : NULL;
    poy_ctx *ctx = saved ? lease_take() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_record_evaluate(ctx, self->record, NULL, in.a, out, &saved->saved);
    Py_END_ALLOW_THREADS;
    if (status != POY_OK) {
        raise_from(ctx, status);
        goto done;
    }
    lease_give(ctx);
    saved->n_in = in.n;
    for (int i = 0; i < in.n; i++)
        saved->added[i] = in.w[i].added;
    saved->n_out = self->info.n_out;
    memcpy(saved->in, in_spec, sizeof *in_spec * (size_t)saved->n_in);
    memcpy(saved->out, out_spec, sizeof *out_spec * (size_t)saved->n_out);
    values = unwrap(values);
    pair = PyTuple_Pack(2, values, (PyObject *)saved);
done:
    release(&in);
    Py_XDECREF(values);
    Py_XDECREF((PyObject *)saved);
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
    poy_ctx *ctx = PyErr_Occurred() ? NULL : lease_take();
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
    poy_rec_spec in_spec[MAX], out_spec[MAX];
    poy_rec_array out[MAX];
    poy_rec_batch batch;
    if (n != 3)
        return PyErr_Format(PyExc_TypeError, "evaluate(lead, inputs, keep)");
    const int lead = (int)PyLong_AsLong(args[0]), keep = PyObject_IsTrue(args[2]);
    if (PyErr_Occurred() || acquire_tuple(args[1], self->info.n_in, 0, name, "inputs", &in))
        return NULL;
    PyObject *values = NULL, *state = NULL, *pair = NULL;
    size_t bytes = 0;
    promote(self, &in, lead);
    const char *why = batch_of(in.w, in.n, lead, &batch);
    if (why) {
        refuse(name, why);
        goto done;
    }
    if (split(name, &in, lead, &batch) || infer(self, &in, in_spec, out_spec, &bytes))
        goto done;
    values = fresh(out_spec, self->info.n_out, &batch, NULL, NULL, out);
    poy_rec_state kept = {0};
    if (values && keep) {
        int64_t dims[WHOLE_RANK_MAX];
        memcpy(dims, batch.extent, sizeof batch.extent);
        dims[lead] = (int64_t)bytes;
        state = numpy_bytes(lead + 1, dims, &kept.data);
        kept.size = poy_rec_pack(&batch, 0, bytes, kept.batch_stride);
    }
    poy_ctx *ctx = values && (state || !keep) ? lease_take() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = state && bytes ? poy_record_evaluate_into(ctx, self->record, &batch, in.a, out, &kept)
                            : poy_record_evaluate(ctx, self->record, &batch, in.a, out, NULL);
    Py_END_ALLOW_THREADS;
    if (status != POY_OK) {
        raise_from(ctx, status);
        goto done;
    }
    lease_give(ctx);
    pair = PyTuple_Pack(2, values, state ? state : Py_None);
done:
    release(&in);
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

/* derive(forward, lead, inputs, outputs, state, directions, wanted) -> tuple of gradients or tangents.
 * inputs: arrays, whose numbers count only where `needs` says so; outputs: a tuple, or None. Gradients have all items of
 * the batch. */
static PyObject *record_derive(PyObject *object, PyObject *const *args, Py_ssize_t n)
{
    record_object *self = (record_object *)object;
    const poy_rec_info *info = &self->info;
    const char *name = info->name;
    if (n != 7)
        return PyErr_Format(PyExc_TypeError, "derive(forward, lead, inputs, outputs, state, directions, wanted)");
    const int forward = PyObject_IsTrue(args[0]), lead = (int)PyLong_AsLong(args[1]);
    const int n_direction = forward ? info->n_in : info->n_out, n_result = forward ? info->n_out : info->n_in;
    arrays in, kept = {0}, direction = {0};
    poy_rec_spec in_spec[MAX], out_spec[MAX];
    poy_rec_array out[MAX], result[MAX];
    poy_rec_batch batch;
    Py_buffer bytes;
    poy_rec_state state;
    PyObject *results = NULL;
    int have_state = 0;
    if (PyErr_Occurred() || acquire_tuple(args[2], info->n_in, 0, name, "inputs", &in))
        return NULL;
    if ((args[3] != Py_None && acquire_tuple(args[3], info->n_out, 0, name, "outputs", &kept)) ||
        acquire_tuple(args[5], n_direction, 1, name, forward ? "tangents" : "cotangents", &direction))
        goto done;
    promote(self, &in, lead);
    if (forward)
        promote(self, &direction, lead);
    whole every[2 * MAX];
    int n_every = 0, added[MAX];
    for (int i = 0; i < in.n; i++)
        added[i] = in.w[i].added;
    for (int i = 0; i < in.n; i++)
        every[n_every++] = in.w[i];
    for (int i = 0; i < direction.n; i++)
        if (direction.w[i].data)
            every[n_every++] = direction.w[i];
    const char *why = batch_of(every, n_every, lead, &batch);
    if (why) {
        refuse(name, why);
        goto done;
    }
    if (split(name, &in, lead, &batch) || split(name, &kept, lead, &batch) || split(name, &direction, lead, &batch) ||
        infer(self, &in, in_spec, out_spec, NULL) || state_view(name, args[4], lead, &batch, &bytes, &state))
        goto done;
    have_state = 1;
    for (int i = 0; i < info->n_out; i++)
        if (kept.n)
            out[i] = kept.a[i];
        else
            out[i] = (poy_rec_array){.spec = out_spec[i]};
    for (int i = 0; i < direction.n; i++)
        if (!direction.w[i].data)
            direction.a[i] = (poy_rec_array){.spec = forward ? in_spec[i] : out_spec[i]};
    results = fresh(forward ? out_spec : in_spec, n_result, &batch, forward ? NULL : added,
                    args[6] == Py_None ? NULL : args[6], result);
    poy_ctx *ctx = results ? lease_take() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    poy_saved *saved = NULL;
    status =
        poy_record_restore(ctx, self->record, &batch, in.a, out, state.size ? &state : NULL, POY_REC_BORROW, &saved);
    if (status == POY_OK)
        status = forward ? poy_record_pushforward(ctx, saved, direction.a, result)
                         : poy_record_pullback(ctx, saved, direction.a, result);
    poy_saved_destroy(&saved);
    Py_END_ALLOW_THREADS;
    if (status == POY_OK) {
        lease_give(ctx);
    } else {
        Py_CLEAR(results);
        raise_from(ctx, status);
    }
done:
    if (have_state)
        PyBuffer_Release(&bytes);
    release(&in);
    release(&kept);
    release(&direction);
    if (PyErr_Occurred())
        Py_CLEAR(results);
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
    poy_ctx *ctx = lease_take();
    if (!ctx)
        return PyErr_NoMemory();
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
        inputs = fresh(specs, info.n_in, &one, NULL, NULL, in);
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

/* ---- Saved ---- */

static void saved_free(PyObject *object)
{
    poy_saved_destroy(&((saved_object *)object)->saved);
    object_free(object);
}

static PyObject *apply(saved_object *self, int forward, PyObject *const *args, Py_ssize_t n)
{
    static const poy_rec_batch one = {0};
    const char *name = forward ? "pushforward" : "pullback";
    const poy_rec_spec *from = forward ? self->in : self->out, *to = forward ? self->out : self->in;
    const int n_from = forward ? self->n_in : self->n_out, n_to = forward ? self->n_out : self->n_in;
    arrays direction;
    poy_rec_array result[MAX];
    if (acquire(args, n, n_from, 1, name, forward ? "tangents" : "cotangents", &direction))
        return NULL;
    PyObject *results = NULL;
    for (int i = 0; i < n_from; i++)
        if (numpy_retype(&direction.v[i], &direction.w[i], from[i].dtype, forward)) {
            PyErr_Format(PyExc_TypeError, "pushforward: tangent %d is complex, its input is real", i);
            goto done;
        }
    for (int i = 0; forward && i < n_from; i++)
        whole_promote(&direction.w[i], 0, direction.w[i].data ? self->added[i] : 0);
    if (split(name, &direction, 0, &one))
        goto done;
    for (int i = 0; i < n_from; i++)
        if (!direction.w[i].data)
            direction.a[i].spec = from[i];
    results = fresh(to, n_to, &one, forward ? NULL : self->added, NULL, result);
    poy_ctx *ctx = results ? lease_take() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = forward ? poy_record_pushforward(ctx, self->saved, direction.a, result)
                     : poy_record_pullback(ctx, self->saved, direction.a, result);
    Py_END_ALLOW_THREADS;
    if (status == POY_OK) {
        lease_give(ctx);
    } else {
        Py_CLEAR(results);
        raise_from(ctx, status);
    }
done:
    release(&direction);
    return results;
}

static PyObject *saved_pullback(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return apply((saved_object *)self, 0, args, n);
}

static PyObject *saved_pushforward(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    return apply((saved_object *)self, 1, args, n);
}

static PyMethodDef saved_methods[] = {{"pullback", (PyCFunction)(void (*)(void))saved_pullback, METH_FASTCALL,
                                       "pullback(cotangent, ...) -> a gradient for each input; None is zero"},
                                      {"pushforward", (PyCFunction)(void (*)(void))saved_pushforward, METH_FASTCALL,
                                       "pushforward(tangent, ...) -> a tangent for each output; None is zero"},
                                      {NULL, NULL, 0, NULL}};

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
    static PyType_Slot saved_slots[] = {
        {Py_tp_dealloc, (void *)saved_free},
        {Py_tp_methods, (void *)saved_methods},
        {Py_tp_doc,
         (void *)"The state of one evaluation: pullback and pushforward, as often as you like, from any thread."},
        {0, NULL}};
    static PyType_Spec record_spec = {"poynting._core.Record", sizeof(record_object), 0, Py_TPFLAGS_DEFAULT,
                                      record_slots};
    static PyType_Spec saved_spec = {"poynting._core.Saved", sizeof(saved_object), 0,
                                     Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, saved_slots};
    PyObject *record = PyType_FromSpec(&record_spec), *saved = PyType_FromSpec(&saved_spec);
    saved_type = (PyTypeObject *)saved;
    if (!record || !saved || PyModule_AddFunctions(module, functions) ||
        PyModule_AddObjectRef(module, "Record", record) || PyModule_AddObjectRef(module, "Saved", saved))
        return -1;
    Py_DECREF(record);
    return 0;
}
