/* numpy.c: arguments as memory, results as NumPy arrays, by the buffer protocol and NumPy's own functions. */
#include "core.h"

#include <string.h>

static struct {
    PyObject *empty, *asarray;
    PyObject *f64, *c128, *u8; /* dtypes */
    PyObject *order;           /* "C" */
} np;

int numpy_open(void)
{
    if (np.empty)
        return 0;
    PyObject *module = PyImport_ImportModule("numpy");
    if (!module)
        return -1;
    np.asarray = PyObject_GetAttrString(module, "asarray");
    np.f64 = PyObject_CallMethod(module, "dtype", "s", "f8");
    np.c128 = PyObject_CallMethod(module, "dtype", "s", "c16");
    np.u8 = PyObject_CallMethod(module, "dtype", "s", "u1");
    np.order = PyUnicode_InternFromString("C");
    PyObject *empty = PyObject_GetAttrString(module, "empty");
    Py_DECREF(module);
    if (!np.asarray || !np.f64 || !np.c128 || !np.u8 || !np.order || !empty) {
        Py_XDECREF(empty);
        return -1;
    }
    np.empty = empty;
    return 0;
}

/* (shape, dtype) */
static PyObject *request(int rank, const int64_t *dims, PyObject *dtype)
{
    PyObject *shape = PyTuple_New(rank);
    for (int i = 0; shape && i < rank; i++) {
        PyObject *n = PyLong_FromLongLong(dims[i]);
        if (!n || PyTuple_SetItem(shape, i, n))
            Py_CLEAR(shape);
    }
    PyObject *pair = shape ? PyTuple_Pack(2, shape, dtype) : NULL;
    Py_XDECREF(shape);
    return pair;
}

PyObject *numpy_request(const whole *w)
{
    return numpy_open() ? NULL : request(w->rank - w->added, w->dims, w->dtype == POY_C128 ? np.c128 : np.f64);
}

PyObject *numpy_answer(PyObject *asked, void **data)
{
    PyObject *array = PyObject_Call(np.empty, asked, NULL);
    Py_buffer b;
    if (!array || PyObject_GetBuffer(array, &b, PyBUF_WRITABLE)) {
        Py_XDECREF(array);
        return NULL;
    }
    *data = b.buf ? b.buf : batch_nowhere();
    PyBuffer_Release(&b); /* NumPy does not move it */
    return array;
}

static PyObject *new_array(PyObject *asked, void **data)
{
    PyObject *array = asked ? numpy_answer(asked, data) : NULL;
    Py_XDECREF(asked);
    return array;
}

PyObject *numpy_new(whole *w)
{
    return new_array(numpy_request(w), &w->data);
}

PyObject *numpy_bytes(int rank, const int64_t *dims, void **data)
{
    return numpy_open() ? NULL : new_array(request(rank, dims, np.u8), data);
}

static int is_wide(const char *format, poy_dtype *dtype)
{
    if (!format)
        return 0;
    if (*format == '=' || *format == '@' || *format == '<')
        format++;
    if (!strcmp(format, "d")) {
        *dtype = POY_F64;
        return 1;
    }
    *dtype = POY_C128;
    return !strcmp(format, "Zd");
}

static int from_buffer(PyObject *object, view *v, whole *w)
{
    if (PyObject_GetBuffer(object, &v->buffer, PyBUF_FORMAT | PyBUF_C_CONTIGUOUS)) {
        PyErr_Clear();
        return 0;
    }
    if (!is_wide(v->buffer.format, &w->dtype) || v->buffer.ndim > WHOLE_RANK_MAX) {
        PyBuffer_Release(&v->buffer);
        return 0;
    }
    w->rank = v->buffer.ndim;
    w->added = 0;
    for (int i = 0; i < w->rank; i++)
        w->dims[i] = v->buffer.shape[i];
    w->data = v->buffer.buf ? v->buffer.buf : batch_nowhere();
    return 1;
}

/* asarray(object), then asarray(that, f64 or c128, order="C"); only the four floating types that are no guess. */
static PyObject *widened(PyObject *object)
{
    PyObject *array = numpy_open() ? NULL : PyObject_CallFunctionObjArgs(np.asarray, object, NULL);
    PyObject *dtype = array ? PyObject_GetAttrString(array, "dtype") : NULL;
    PyObject *letter = dtype ? PyObject_GetAttrString(dtype, "char") : NULL;
    const char *c = letter ? PyUnicode_AsUTF8AndSize(letter, NULL) : NULL;
    PyObject *wide = NULL;
    if (c && (*c == 'd' || *c == 'f' || PyLong_CheckExact(object)))
        wide = PyObject_CallFunctionObjArgs(np.asarray, array, np.f64, np.order, NULL);
    else if (c && (*c == 'D' || *c == 'F'))
        wide = PyObject_CallFunctionObjArgs(np.asarray, array, np.c128, np.order, NULL);
    else if (c)
        PyErr_Format(PyExc_TypeError,
                     "float64, float32, complex128 or complex64 arrays are needed; received %S: cast it first, e.g. "
                     "x.astype('float64')",
                     dtype);
    Py_XDECREF(array);
    Py_XDECREF(dtype);
    Py_XDECREF(letter);
    return wide;
}

int numpy_view(PyObject *object, view *v, whole *w)
{
    v->owner = NULL;
    if (from_buffer(object, v, w))
        return 0;
    v->owner = widened(object);
    if (v->owner && from_buffer(v->owner, v, w))
        return 0;
    if (v->owner)
        PyErr_SetString(PyExc_ValueError, "an array with more than 16 axes");
    Py_CLEAR(v->owner);
    return -1;
}

int numpy_retype(view *v, whole *w, poy_dtype wanted, int strict)
{
    if (!w->data || w->dtype == wanted)
        return 0;
    const int rank = w->rank, added = w->added;
    if ((strict && wanted == POY_F64) || numpy_open())
        return -1;
    PyObject *array = v->owner ? v->owner : v->buffer.obj, *other;
    if (wanted == POY_C128) {
        other = PyObject_CallFunctionObjArgs(np.asarray, array, np.c128, np.order, NULL);
    } else {
        PyObject *real = PyObject_GetAttrString(array, "real"); /* not contiguous */
        other = real ? PyObject_CallFunctionObjArgs(np.asarray, real, np.f64, np.order, NULL) : NULL;
        Py_XDECREF(real);
    }
    numpy_release(v);
    v->owner = other;
    if (other && from_buffer(other, v, w)) {
        for (; w->rank < rank; w->rank++)
            w->dims[w->rank] = 1;
        w->added = added;
        return 0;
    }
    w->data = NULL;
    Py_CLEAR(v->owner);
    return -1;
}

void numpy_release(view *v)
{
    PyBuffer_Release(&v->buffer);
    Py_CLEAR(v->owner);
}
