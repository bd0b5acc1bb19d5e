/* elements.c: the rows of elements.def for Python: element(row, n, poltype, flag, arguments, out). */
#include "scatter.h"

#include <string.h>

enum { ARGUMENTS_MAX = 9 };

#define POY_ELEMENT(module, name, arguments, result, call)                                                           \
    static poy_status module##_##name(poy_ctx *ctx, size_t n, const void *const *v, poy_poltype p, int s, void *out) \
    {                                                                                                                \
        (void)p, (void)s;                                                                                            \
        return call;                                                                                                 \
    }
#include "elements.def"
#undef POY_ELEMENT

typedef struct element {
    const char *module, *name, *arguments;
    int result;
    poy_status (*call)(poy_ctx *, size_t, const void *const *, poy_poltype, int, void *);
} element;

static const element table[] = {
#define POY_ELEMENT(module, name, arguments, result, call) {#module, #name, arguments, result, module##_##name},
#include "elements.def"
#undef POY_ELEMENT
};

enum { ROWS = sizeof table / sizeof *table };

static PyObject *rows(PyObject *self, PyObject *unused)
{
    (void)self, (void)unused;
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < ROWS; i++) {
        PyObject *row = Py_BuildValue("sssC", table[i].module, table[i].name, table[i].arguments, table[i].result);
        if (!row || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

/* Bytes of one element of a type letter; 0: no such letter. */
static Py_ssize_t width(int type)
{
    switch (type) {
    case 'i':
    case 'd': return 8;
    case 'c':
    case '2': return 16;
    case '3': return 24;
    case 'w': return 32;
    case 'v': return 48;
    default: return 0;
    }
}

/* The letters after the colons of a row's arguments. */
static int types_of(const char *arguments, char *types)
{
    int count = 0;
    for (const char *colon = strchr(arguments, ':'); colon; colon = strchr(colon + 1, ':'))
        types[count++] = colon[1];
    return count;
}

static int memory(PyObject *object, int flags, Py_ssize_t bytes, Py_buffer *buffer)
{
    if (!object || PyObject_GetBuffer(object, buffer, PyBUF_C_CONTIGUOUS | flags))
        return 0;
    if (buffer->len == bytes)
        return 1;
    PyErr_Format(PyExc_ValueError, "an argument of %zd bytes where %zd are wanted", buffer->len, bytes);
    PyBuffer_Release(buffer);
    return 0;
}

static PyObject *element_call(PyObject *self, PyObject *args)
{
    (void)self;
    int row, parity, flag;
    Py_ssize_t n;
    PyObject *inputs, *out;
    if (!PyArg_ParseTuple(args, "iniiO!O", &row, &n, &parity, &flag, &PyTuple_Type, &inputs, &out))
        return NULL;
    if (row < 0 || row >= ROWS || n < 0)
        return PyErr_Format(PyExc_ValueError, "no such function, or a negative number of elements");
    char types[ARGUMENTS_MAX];
    const int count = types_of(table[row].arguments, types);
    if (PyTuple_Size(inputs) != count)
        return PyErr_Format(PyExc_TypeError, "%s: %d arguments are wanted", table[row].name, count);
    Py_buffer buffers[ARGUMENTS_MAX + 1];
    const void *v[ARGUMENTS_MAX];
    int held = 0;
    for (; held < count; held++) {
        if (!memory(PyTuple_GetItem(inputs, held), 0, n * width(types[held]), &buffers[held]))
            break;
        v[held] = buffers[held].buf ? buffers[held].buf : batch_nowhere();
    }
    PyObject *result = NULL;
    if (held == count && memory(out, PyBUF_WRITABLE, n * width(table[row].result), &buffers[count])) {
        engine_call call;
        held++;
        if (call_begin(&call)) {
            void *to = buffers[count].buf ? buffers[count].buf : batch_nowhere();
            Py_INCREF(out);
            result = call_end(
                &call, table[row].call(call.ctx, (size_t)n, v, parity ? POY_PARITY : POY_HELICITY, flag, to), out);
        }
    }
    while (held > 0)
        PyBuffer_Release(&buffers[--held]);
    return result;
}

int elements_register(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"elements", rows, METH_NOARGS,
         "Rows (module, name, arguments, result) of functions that go element by element."},
        {"element", element_call, METH_VARARGS, "element(row, n, poltype, flag, arguments, out) -> out"},
        {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions);
}
