/* result.c: Result, an open result file: its attributes, datasets and pictures. */
#include "core.h"

#include <math.h>
#include <string.h>

typedef struct {
    PyObject_HEAD poy_result *result;
} result_object;

/* The file, or NULL with an exception once it is closed. */
static poy_result *of(PyObject *object)
{
    poy_result *result = ((result_object *)object)->result;
    if (!result)
        PyErr_SetString(PyExc_ValueError, "the result is closed");
    return result;
}

static PyObject *result_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"path", NULL};
    const char *path;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "s", words, &path) || numpy_open())
        return NULL;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    result_object *self = (result_object *)PyType_GenericNew(type, NULL, NULL);
    const poy_status status = self ? poy_result_open(ctx, path, &self->result) : POY_OK;
    if (status != POY_OK) {
        Py_DECREF(self);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    return (PyObject *)self;
}

static PyObject *result_close(PyObject *object, PyObject *unused)
{
    (void)unused;
    poy_result_close(&((result_object *)object)->result);
    Py_RETURN_NONE;
}

static void result_free(PyObject *object)
{
    poy_result_close(&((result_object *)object)->result);
    object_free(object);
}

static PyObject *result_attribute(PyObject *self, PyObject *name)
{
    const char *text = PyUnicode_AsUTF8AndSize(name, NULL);
    poy_result *result = text ? of(self) : NULL;
    if (!result)
        return NULL;
    const char *value = poy_result_attribute(result, text);
    if (value)
        return PyUnicode_FromString(value);
    Py_RETURN_NONE;
}

/* datasets() -> {path: (units, long name, shape, is complex, is text, dims)} */
static PyObject *result_datasets(PyObject *self, PyObject *unused)
{
    (void)unused;
    poy_result *result = of(self);
    PyObject *dict = result ? PyDict_New() : NULL;
    poy_dataset d;
    for (int i = 0; dict && poy_result_dataset_at(result, i, &d); i++) {
        PyObject *shape = PyTuple_New(d.rank);
        for (int k = 0; shape && k < d.rank; k++)
            PyTuple_SetItem(shape, k, PyLong_FromLongLong(d.extent[k]));
        PyObject *row = shape ? Py_BuildValue("(ssNOOs)", d.units, d.text, shape, d.is_complex ? Py_True : Py_False,
                                              d.is_text ? Py_True : Py_False, d.dims)
                              : NULL;
        if (!row || PyDict_SetItemString(dict, d.path, row))
            Py_CLEAR(dict);
        Py_XDECREF(row);
    }
    return dict;
}

/* A list of texts as a list of str. */
static PyObject *texts(poy_ctx *ctx, poy_result *result, const char *path)
{
    const char *const *text = NULL;
    int n = 0;
    const poy_status status = poy_result_texts(ctx, result, path, &text, &n);
    if (lease_settle(ctx, status))
        return NULL;
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < n; i++) {
        PyObject *element = PyUnicode_DecodeUTF8(text[i], (Py_ssize_t)strlen(text[i]), "replace");
        if (!element || PyList_Append(list, element))
            Py_CLEAR(list);
        Py_XDECREF(element);
    }
    return list;
}

/* read(path, first, n) -> array; n < 0: all rows. A text is a str, a list of texts a list of str. */
static PyObject *result_read(PyObject *self, PyObject *args)
{
    const char *path;
    long long first, n;
    if (!PyArg_ParseTuple(args, "sLL", &path, &first, &n))
        return NULL;
    poy_result *result = of(self);
    poy_ctx *ctx = result ? lease_or_error() : NULL;
    if (!ctx)
        return NULL;
    poy_dataset d;
    poy_status status = poy_result_find(ctx, result, path, &d);
    if (status == POY_OK && d.is_text && d.rank == 1)
        return texts(ctx, result, path);
    if (status == POY_OK && d.is_text) {
        const char *text = NULL;
        status = poy_result_text(ctx, result, path, &text);
        if (status == POY_OK) {
            lease_give(ctx);
            return PyUnicode_FromString(text);
        }
    }
    if (status != POY_OK)
        return raise_from(ctx, status);
    whole w = {.dtype = d.is_complex ? POY_C128 : POY_F64, .rank = d.rank};
    for (int k = 0; k < d.rank; k++)
        w.dims[k] = d.extent[k];
    if (d.rank && n >= 0)
        w.dims[0] = n;
    const int64_t rows = d.rank ? w.dims[0] : 1;
    PyObject *array = numpy_new(&w);
    if (array && whole_count(&w) > 0) {
        Py_BEGIN_ALLOW_THREADS;
        status = poy_result_read(ctx, result, path, first, rows, w.data);
        Py_END_ALLOW_THREADS;
    }
    if (status != POY_OK) {
        Py_XDECREF(array);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    return array;
}

/* plot(kind, output, format, axis, db, low, high, at) -> the path written */
static PyObject *result_plot(PyObject *self, PyObject *args)
{
    poy_plot_options o;
    poy_result *result = of(self);
    if (!result)
        return NULL;
    poy_plot_options_of(result, &o);
    const char *kind, *output = NULL, *format = NULL, *axis = NULL;
    double db, low, high, at;
    if (!PyArg_ParseTuple(args, "szzzdddd", &kind, &output, &format, &axis, &db, &low, &high, &at))
        return NULL;
    o.kind = kind;
    if (output)
        o.output = output;
    if (format)
        o.format = format;
    if (axis)
        o.axis = axis;
    if (!isnan(db))
        o.db = db;
    if (!isnan(low))
        o.low = low;
    if (!isnan(high))
        o.high = high;
    o.at = at;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    char written[4096];
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_plot(ctx, result, &o, written);
    Py_END_ALLOW_THREADS;
    if (lease_settle(ctx, status))
        return NULL;
    return PyUnicode_FromString(written);
}

/* kinds() -> [(kind, text, can it be drawn from this result), ...] */
static PyObject *result_kinds(PyObject *self, PyObject *unused)
{
    (void)unused;
    poy_result *result = of(self);
    PyObject *list = result ? PyList_New(0) : NULL;
    const char *kind, *text;
    for (int i = 0; list && poy_plot_kind_at(i, &kind, &text); i++) {
        PyObject *row = Py_BuildValue("(ssO)", kind, text, poy_plot_applies(result, kind) ? Py_True : Py_False);
        if (!row || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyMethodDef methods[] = {
    {"attribute", result_attribute, METH_O, "attribute(name) -> text or None"},
    {"datasets", result_datasets, METH_NOARGS, "{path: (units, long name, shape, is complex, is text)}"},
    {"read", result_read, METH_VARARGS, "read(path, first, n) -> array or text; n < 0: all rows"},
    {"plot", result_plot, METH_VARARGS, "plot(kind, output, format, axis, db, low, high, at) -> path"},
    {"kinds", result_kinds, METH_NOARGS, "[(kind, text, applies), ...]"},
    {"close", result_close, METH_NOARGS, "closes the file"},
    {NULL, NULL, 0, NULL}};

int result_register(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_new, (void *)result_new},
                                  {Py_tp_dealloc, (void *)result_free},
                                  {Py_tp_methods, (void *)methods},
                                  {0, NULL}};
    static PyType_Spec spec = {"poynting._core.Result", sizeof(result_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromSpec(&spec);
    const int failed = !type || PyModule_AddObjectRef(module, "Result", type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
