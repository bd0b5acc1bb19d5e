/* saved.c: Saved, the state of one evaluation on NumPy arrays: its derivatives, for Python. */
#include "record.h"

typedef struct {
    PyObject_HEAD poy_saved *saved;
    shapes *shapes;
} saved_object;

static PyTypeObject *saved_type;

PyObject *saved_new(poy_saved *saved, shapes *s)
{
    saved_object *self = (saved_object *)PyType_GenericAlloc(saved_type, 0);
    if (!self) {
        poy_saved_destroy(&saved);
        return NULL;
    }
    self->saved = saved;
    self->shapes = shapes_keep(s);
    return (PyObject *)self;
}

static void saved_free(PyObject *object)
{
    saved_object *self = (saved_object *)object;
    poy_saved_destroy(&self->saved);
    shapes_drop(&self->shapes);
    object_free(object);
}

static PyObject *apply(saved_object *self, int forward, PyObject *const *args, Py_ssize_t n)
{
    static const poy_rec_batch one = {0};
    const char *name = forward ? "pushforward" : "pullback";
    const shapes *s = self->shapes;
    const port *ins = s->port, *outs = s->port + s->n_in, *from = forward ? ins : outs;
    const int n_from = forward ? s->n_in : s->n_out, n_to = forward ? s->n_out : s->n_in;
    arrays direction;
    poy_rec_array result[MAX];
    if (arrays_acquire(args, n, n_from, 1, name, forward ? "tangents" : "cotangents", &direction))
        return NULL;
    PyObject *results = NULL;
    for (int i = 0; i < n_from; i++)
        if (numpy_retype(&direction.v[i], &direction.w[i], from[i].spec.dtype, forward)) {
            PyErr_Format(PyExc_TypeError, "pushforward: tangent %d is complex, its input is real", i);
            goto done;
        }
    for (int i = 0; forward && i < n_from; i++)
        whole_promote(&direction.w[i], 0, direction.w[i].data ? from[i].added : 0);
    if (arrays_split(name, &direction, 0, &one))
        goto done;
    for (int i = 0; i < n_from; i++)
        if (!direction.w[i].data)
            direction.a[i].spec = from[i].spec;
    results = fresh(forward ? outs : ins, n_to, &one, NULL, result);
    poy_ctx *ctx = results ? lease_or_error() : NULL;
    if (!ctx)
        goto done;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = forward ? poy_record_pushforward(ctx, self->saved, direction.a, result)
                     : poy_record_pullback(ctx, self->saved, direction.a, result);
    Py_END_ALLOW_THREADS;
    results = lease_result(ctx, status, results);
done:
    arrays_release(&direction);
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

int saved_register(PyObject *module)
{
    static PyType_Slot slots[] = {
        {Py_tp_dealloc, (void *)saved_free},
        {Py_tp_methods, (void *)saved_methods},
        {Py_tp_doc,
         (void *)"The state of one evaluation: pullback and pushforward, as often as you like, from any thread."},
        {0, NULL}};
    static PyType_Spec spec = {"poynting._core.Saved", sizeof(saved_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, slots};
    saved_type = (PyTypeObject *)PyType_FromSpec(&spec);
    return saved_type ? PyModule_AddObjectRef(module, "Saved", (PyObject *)saved_type) : -1;
}
