/* scan.c: Scan, the points of a recipe's [scan] and their folder: taking points, how they stand, collecting them. */
#include "core.h"

#include <string.h>

typedef struct {
    PyObject_HEAD poy_recipe_scan *scan;
    PyObject *recipe; /* has to outlive the scan */
} scan_object;

static poy_recipe_scan *of(PyObject *object)
{
    return ((scan_object *)object)->scan;
}

/* Scan(recipe, folder or None): the recipe must not change afterwards. */
static PyObject *scan_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"recipe", "folder", NULL};
    PyObject *recipe;
    const char *folder = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O|z", words, &recipe, &folder))
        return NULL;
    poy_recipe *given;
    poy_ctx *ctx = recipe_take(recipe, &given);
    if (!ctx)
        return NULL;
    scan_object *self = (scan_object *)PyType_GenericNew(type, NULL, NULL);
    if (!self) {
        recipe_give(recipe);
        lease_give(ctx);
        return NULL;
    }
    Py_INCREF(recipe);
    self->recipe = recipe; /* taken as long as there is the scan */
    const poy_status status = poy_recipe_scan_open(ctx, given, folder, &self->scan);
    if (status != POY_OK) {
        Py_DECREF(self);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    return (PyObject *)self;
}

static void scan_free(PyObject *object)
{
    scan_object *self = (scan_object *)object;
    poy_recipe_scan_close(&self->scan);
    if (self->recipe)
        recipe_give(self->recipe);
    Py_XDECREF(self->recipe);
    object_free(object);
}

/* states(first, n) -> [0 waiting, 1 running, 2 done, 3 failed, ...] */
static PyObject *scan_states(PyObject *self, PyObject *args)
{
    long long first, n;
    if (!PyArg_ParseTuple(args, "LL", &first, &n))
        return NULL;
    if (first < 0 || n < 0 || first + n > poy_recipe_scan_points(of(self)))
        return PyErr_Format(PyExc_IndexError, "points %lld to %lld: there are %lld", first, first + n,
                            (long long)poy_recipe_scan_points(of(self)));
    poy_recipe_scan_state *states = PyMem_Calloc((size_t)n + 1, sizeof *states);
    poy_ctx *ctx = states ? lease_take() : NULL;
    if (!ctx) {
        PyMem_Free(states);
        return PyErr_NoMemory();
    }
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_recipe_scan_states(ctx, of(self), first, n, states);
    Py_END_ALLOW_THREADS;
    PyObject *list = status == POY_OK ? PyList_New(0) : raise_from(ctx, status);
    if (status == POY_OK)
        lease_give(ctx);
    for (long long i = 0; list && i < n; i++) {
        PyObject *state = PyLong_FromLong((long)states[i]);
        if (!state || PyList_Append(list, state))
            Py_CLEAR(list);
        Py_XDECREF(state);
    }
    PyMem_Free(states);
    return list;
}

static PyObject *scan_text(PyObject *self, PyObject *point,
                           void (*write)(const poy_recipe_scan *, int64_t, size_t, char *))
{
    char text[1024] = "";
    const long long i = PyLong_AsLongLong(point);
    if (PyErr_Occurred())
        return NULL;
    write(of(self), i, sizeof text, text);
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)strlen(text), "replace");
}

static PyObject *scan_describe(PyObject *self, PyObject *point)
{
    return scan_text(self, point, poy_recipe_scan_describe);
}

static PyObject *scan_failure(PyObject *self, PyObject *point)
{
    return scan_text(self, point, poy_recipe_scan_failure);
}

static PyObject *scan_judge(PyObject *self, PyObject *unused)
{
    (void)unused;
    poy_ctx *ctx = lease_take();
    if (!ctx)
        return PyErr_NoMemory();
    if (lease_settle(ctx, poy_recipe_scan_judge(ctx, of(self))))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *scan_retry(PyObject *self, PyObject *unused)
{
    (void)unused;
    int64_t n = 0;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    const poy_status status = poy_recipe_scan_retry(ctx, of(self), &n);
    if (lease_settle(ctx, status))
        return NULL;
    return PyLong_FromLongLong(n);
}

/* work(first, n, start, together, progress or None) -> (done, failed, busy) */
static PyObject *scan_work(PyObject *self, PyObject *args)
{
    long long first, n, start, together;
    PyObject *progress;
    if (!PyArg_ParseTuple(args, "LLLLO", &first, &n, &start, &together, &progress))
        return NULL;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    poy_recipe_scan_options o;
    poy_recipe_scan_report report = {0};
    poy_recipe_scan_options_init(&o);
    o.first = first;
    o.n = n;
    o.start = start;
    o.together = together;
    poy_status status;
    watcher watch;
    watch_begin(ctx, &watch, progress);
    Py_BEGIN_ALLOW_THREADS;
    status = poy_recipe_scan_work(ctx, of(self), &o, &report);
    Py_END_ALLOW_THREADS;
    watch_end(ctx, &watch);
    if (lease_settle(ctx, status))
        return NULL;
    return Py_BuildValue("(LLL)", (long long)report.done, (long long)report.failed, (long long)report.busy);
}

/* crashed(pid, text): the point that this process had is recorded as failed. */
static PyObject *scan_crashed(PyObject *self, PyObject *args)
{
    long pid;
    const char *text;
    if (!PyArg_ParseTuple(args, "ls", &pid, &text))
        return NULL;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    const poy_status status = poy_recipe_scan_crashed(ctx, of(self), pid, text);
    if (lease_settle(ctx, status))
        return NULL;
    Py_RETURN_NONE;
}

/* collect(path or None) -> the path that was written */
static PyObject *scan_collect(PyObject *self, PyObject *args)
{
    const char *path = NULL;
    char written[1024] = "";
    if (!PyArg_ParseTuple(args, "z", &path))
        return NULL;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_recipe_scan_collect(ctx, of(self), path, written);
    Py_END_ALLOW_THREADS;
    if (lease_settle(ctx, status))
        return NULL;
    return PyUnicode_DecodeFSDefault(written);
}

static PyObject *scan_folder(PyObject *self, void *unused)
{
    (void)unused;
    return PyUnicode_DecodeFSDefault(poy_recipe_scan_folder(of(self)));
}

static PyObject *scan_shape(PyObject *self, void *unused)
{
    (void)unused;
    int64_t extent[5];
    const int n = poy_recipe_scan_axes(of(self), extent);
    PyObject *shape = PyTuple_New(n);
    for (int i = 0; shape && i < n; i++)
        PyTuple_SetItem(shape, i, PyLong_FromLongLong(extent[i]));
    return shape;
}

static PyMethodDef methods[] = {
    {"states", scan_states, METH_VARARGS, "states(first, n): 0 waiting, 1 running, 2 done, 3 failed"},
    {"describe", scan_describe, METH_O, "describe(point): its keys and values"},
    {"failure", scan_failure, METH_O, "failure(point): why it failed; empty where it did not"},
    {"judge", scan_judge, METH_NOARGS, "refuses names in [scan] collect that no point will have"},
    {"retry", scan_retry, METH_NOARGS, "forgets that points failed -> how many"},
    {"work", scan_work, METH_VARARGS, "work(first, n, start, together, progress) -> (done, failed, busy)"},
    {"crashed", scan_crashed, METH_VARARGS, "crashed(pid, text): its point failed"},
    {"collect", scan_collect, METH_VARARGS, "collect(path or None) -> path"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef fields[] = {{"folder", scan_folder, NULL, "where its points are", NULL},
                               {"shape", scan_shape, NULL, "values of each axis, the slowest first", NULL},
                               {NULL, NULL, NULL, NULL, NULL}};

int scan_register(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_new, (void *)scan_new},
                                  {Py_tp_dealloc, (void *)scan_free},
                                  {Py_tp_methods, (void *)methods},
                                  {Py_tp_getset, (void *)fields},
                                  {0, NULL}};
    static PyType_Spec spec = {"poynting._core.Scan", sizeof(scan_object), 0, Py_TPFLAGS_DEFAULT, slots};
    PyObject *type = PyType_FromSpec(&spec);
    const int failed = !type || PyModule_AddObjectRef(module, "Scan", type);
    Py_XDECREF(type);
    return failed ? -1 : 0;
}
