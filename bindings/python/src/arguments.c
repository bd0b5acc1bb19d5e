/* arguments.c: the arrays of a call of a record: arguments as memory, results as new arrays, and the shapes that a record has met, so
 * that a call like the last one need not ask for them again. */
#include "record.h"

#include <stdlib.h>
#include <string.h>

void arrays_release(arrays *x)
{
    for (int i = 0; i < x->n; i++)
        if (x->w[i].data)
            numpy_release(&x->v[i]);
    x->n = 0;
}

int arrays_acquire(PyObject *const *items, Py_ssize_t n, int wanted, int none, const char *name, const char *what,
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
            arrays_release(x);
            return -1;
        }
    }
    return 0;
}

int arrays_acquire_tuple(PyObject *tuple, int wanted, int none, const char *name, const char *what, arrays *x)
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
    return arrays_acquire(items, n, wanted, none, name, what, x);
}

int refuse(const char *name, const char *why)
{
    PyErr_Format(PyExc_ValueError, "%s: %s", name, why);
    return -1;
}

int arrays_split(const char *name, arrays *x, int lead, const poy_rec_batch *batch)
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

/* ---- shapes ---- */

static int are_met(const shapes *s, const arrays *in)
{
    for (int i = 0; i < s->n_in; i++) {
        const poy_rec_spec *a = &s->port[i].spec, *b = &in->a[i].spec;
        if (a->dtype != b->dtype || a->rank != b->rank || s->port[i].added != in->w[i].added ||
            memcmp(a->dims, b->dims, (size_t)a->rank * sizeof *a->dims) != 0)
            return 0;
    }
    return 1;
}

shapes *shapes_keep(shapes *s)
{
    s->holders++;
    return s;
}

void shapes_drop(shapes **s_)
{
    shapes *s = *s_;
    *s_ = NULL;
    if (!s || --s->holders > 0)
        return;
    for (int i = 0; i < s->n_in + s->n_out; i++)
        Py_XDECREF(s->port[i].request);
    free(s);
}

static int infer(const poy_record *record, shapes *s)
{
    poy_rec_spec in[MAX], out[MAX];
    for (int i = 0; i < s->n_in; i++)
        in[i] = s->port[i].spec;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return -1;
    const poy_status status = poy_record_infer(ctx, record, in, out, &s->bytes);
    if (status != POY_OK) {
        raise_from(ctx, status);
        return -1;
    }
    lease_give(ctx);
    for (int j = 0; j < s->n_out; j++)
        s->port[s->n_in + j] = (port){.spec = out[j]};
    return 0;
}

/* The array of Python for one item. */
static whole item_of(const port *p)
{
    static const poy_rec_batch one = {0};
    whole w;
    batch_join(&p->spec, &one, &w);
    w.added = p->added;
    return w;
}

shapes *shapes_meet(const poy_record *record, const arrays *in, int n_out, shapes **last)
{
    if (*last && are_met(*last, in))
        return shapes_keep(*last);
    shapes *s = calloc(1, sizeof *s + (size_t)(in->n + n_out) * sizeof s->port[0]);
    if (!s) {
        PyErr_NoMemory();
        return NULL;
    }
    s->holders = 1;
    s->n_in = in->n;
    s->n_out = n_out;
    for (int i = 0; i < in->n; i++)
        s->port[i] = (port){.spec = in->a[i].spec, .added = in->w[i].added};
    int failed = infer(record, s);
    for (int i = 0; !failed && i < s->n_in + s->n_out; i++) {
        const whole w = item_of(&s->port[i]);
        s->port[i].request = numpy_request(&w);
        failed = !s->port[i].request;
    }
    if (failed) {
        shapes_drop(&s);
        return NULL;
    }
    shapes_drop(last);
    *last = shapes_keep(s);
    return s;
}

/* ---- results ---- */

/* A new array of a port for all items; NULL with an exception. */
static PyObject *fresh_array(const port *p, const poy_rec_batch *batch, poy_rec_array *a)
{
    if (batch->rank == 0 && p->request)
        return numpy_answer(p->request, &a->data);
    whole w;
    batch_join(&p->spec, batch, &w);
    w.added = p->added;
    PyObject *array = numpy_new(&w);
    if (array)
        (void)batch_split(&w, batch->rank, batch, a);
    return array;
}

PyObject *fresh(const port *ports, int n, const poy_rec_batch *batch, PyObject *wanted, poy_rec_array *a)
{
    PyObject *tuple = PyTuple_New(n);
    for (int i = 0; tuple && i < n; i++) {
        PyObject *array = Py_None;
        a[i].spec = ports[i].spec;
        a[i].data = NULL;
        if (wanted && !PyObject_IsTrue(PyTuple_GetItem(wanted, i)))
            Py_INCREF(array);
        else
            array = fresh_array(&ports[i], batch, &a[i]);
        if (!array || PyTuple_SetItem(tuple, i, array))
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *unwrap(PyObject *tuple)
{
    if (!tuple || PyTuple_Size(tuple) != 1)
        return tuple;
    PyObject *only = PyTuple_GetItem(tuple, 0);
    Py_INCREF(only);
    Py_DECREF(tuple);
    return only;
}
