/* module.c: the module itself, statuses as exceptions, and what concerns the whole engine. */
#include "scatter.h"

#include <string.h>

/* A function of poynting._errors, kept from the first call on; NULL with an exception. */
static PyObject *maker(const char *name, PyObject **kept)
{
    if (!*kept) {
        PyObject *module = PyImport_ImportModule("poynting._errors");
        *kept = module ? PyObject_GetAttrString(module, name) : NULL;
        Py_XDECREF(module);
    }
    return *kept;
}

static PyObject *raise_object(PyObject *error)
{
    if (error) {
        PyErr_SetObject((PyObject *)Py_TYPE(error), error);
        Py_DECREF(error);
    }
    return NULL;
}

PyObject *raise_from(poy_ctx *ctx, poy_status status)
{
    static PyObject *kept;
    PyObject *make = maker("make", &kept);
    PyObject *error =
        make ? PyObject_CallFunction(make, "iss", (int)status, poy_ctx_cause(ctx), poy_ctx_message(ctx)) : NULL;
    lease_give(ctx);
    return raise_object(error);
}

PyObject *raise_stopped(poy_ctx *ctx, const char *path)
{
    static PyObject *kept;
    PyObject *type, *pending, *traceback;
    PyErr_Fetch(&type, &pending, &traceback);
    PyErr_NormalizeException(&type, &pending, &traceback);
    PyObject *make = maker("stopped", &kept);
    PyObject *error =
        make ? PyObject_CallFunction(make, "OissN", pending ? pending : Py_None, (int)POY_ERR_INTERRUPTED,
                                     poy_ctx_cause(ctx), poy_ctx_message(ctx), PyUnicode_DecodeFSDefault(path))
             : NULL;
    lease_give(ctx);
    if (error && error == pending) { /* with its traceback */
        Py_DECREF(error);
        PyErr_Restore(type, pending, traceback);
        return NULL;
    }
    Py_XDECREF(type);
    Py_XDECREF(pending);
    Py_XDECREF(traceback);
    return raise_object(error);
}

int lease_settle(poy_ctx *ctx, poy_status status)
{
    if (status != POY_OK && !PyErr_Occurred()) {
        raise_from(ctx, status);
        return 1;
    }
    lease_give(ctx);
    return PyErr_Occurred() != NULL;
}

PyObject *lease_result(poy_ctx *ctx, poy_status status, PyObject *result)
{
    if (lease_settle(ctx, status))
        Py_CLEAR(result);
    return result;
}

int call_progress(void *user, const poy_progress *p)
{
    watcher *w = user;
    const PyGILState_STATE gil = PyGILState_Ensure();
    int stop = w->type || PyErr_CheckSignals();
    if (!stop && w->function != Py_None) {
        PyObject *answer =
            PyObject_CallFunction(w->function, "ssddLLdd", p->what, p->unit, p->done, p->total, (long long)p->accepted,
                                  (long long)p->rejected, p->energy, p->energy_start);
        stop = !answer || PyObject_IsTrue(answer);
        Py_XDECREF(answer);
    }
    if (PyErr_Occurred() && !w->type)
        PyErr_Fetch(&w->type, &w->error, &w->traceback);
    PyErr_Clear();
    PyGILState_Release(gil);
    return stop;
}

void watch_begin(poy_ctx *ctx, watcher *w, PyObject *function)
{
    *w = (watcher){.function = function};
    poy_ctx_set_progress(ctx, call_progress, w);
}

void watch_end(poy_ctx *ctx, watcher *w)
{
    poy_ctx_set_progress(ctx, NULL, NULL);
    if (w->type)
        PyErr_Restore(w->type, w->error, w->traceback);
}

static PyObject *statuses(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *list = PyList_New(0);
    for (int s = 1; list && s < POY_STATUS_COUNT; s++) {
        const poy_status status = (poy_status)s;
        PyObject *row = Py_BuildValue("isiss", s, poy_status_name(status), poy_status_exit_code(status),
                                      poy_status_python(status), poy_status_text(status));
        if (!row || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *records(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    poy_ctx *ctx = lease_or_error();
    PyObject *list = ctx ? PyList_New(0) : NULL;
    for (int i = 0; list; i++) {
        const char *name = poy_record_known(ctx, i);
        if (!name)
            break;
        PyObject *text = PyUnicode_FromString(name);
        if (!text || PyList_Append(list, text))
            Py_CLEAR(list);
        Py_XDECREF(text);
    }
    if (ctx)
        lease_give(ctx);
    return list;
}

static PyObject *load_records(PyObject *self, PyObject *path)
{
    (void)self;
    const char *text = PyUnicode_AsUTF8AndSize(path, NULL);
    poy_ctx *ctx = text ? lease_or_error() : NULL;
    if (!ctx)
        return NULL;
    const poy_status status = poy_record_load(ctx, text);
    if (lease_settle(ctx, status))
        return NULL;
    Py_RETURN_NONE;
}

static PyObject *threads(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    (void)self;
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    if (n > 0) {
        const long wanted = PyLong_AsLong(args[0]);
        if (!PyErr_Occurred() && wanted >= 0 && wanted <= 4096)
            poy_ctx_set_threads(ctx, (int)wanted);
        else if (!PyErr_Occurred())
            PyErr_Format(PyExc_ValueError, "threads: %ld is not 0 (all) ... 4096", wanted);
    }
    const int now = poy_ctx_threads(ctx);
    lease_give(ctx);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(now);
}

static PyObject *quantity(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    (void)self;
    const char *text = n == 1 ? PyUnicode_AsUTF8AndSize(args[0], NULL) : NULL;
    if (!text) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "quantity(text): one text such as '30 fs'");
        return NULL;
    }
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    poy_quantity q;
    const poy_status status = poy_quantity_parse(ctx, text, &q);
    if (lease_settle(ctx, status))
        return NULL;
    return Py_BuildValue("dss", q.value, poy_dimension_name(q.dimension), poy_dimension_si(q.dimension));
}

/* plot_label(key, about, si, largest) -> (label of pictures, factor from SI to its unit); about, si: or None */
static PyObject *plot_label(PyObject *self, PyObject *args)
{
    const char *key, *about, *si;
    char label[256];
    double largest, factor;
    (void)self;
    if (!PyArg_ParseTuple(args, "szzd", &key, &about, &si, &largest))
        return NULL;
    poy_plot_label(key, about, si, largest, &factor, sizeof label, label);
    return Py_BuildValue("sd", label, factor);
}

/* recipe_keys() -> [(path, form, dimension, its SI unit), ...] */
static PyObject *recipe_keys(PyObject *self, PyObject *unused)
{
    (void)self;
    (void)unused;
    PyObject *list = PyList_New(0);
    poy_recipe_key key;
    for (int i = 0; list && poy_recipe_key_at(i, &key); i++) {
        int d = POY_DIM_COUNT;
        while (--d > POY_DIM_NONE && strcmp(poy_dimension_name((poy_dimension)d), key.dimension) != 0)
            ;
        PyObject *row = Py_BuildValue("(ssss)", key.path, key.form, key.dimension, poy_dimension_si((poy_dimension)d));
        if (!row || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyMethodDef functions[] = {
    {"statuses", statuses, METH_NOARGS, "Rows (code, name, exit code, Python class, text) of status.def."},
    {"records", records, METH_NOARGS, "Names of the derivative records that this process knows."},
    {"load_records", load_records, METH_O, "Makes the records of a shared object known, by its path."},
    {"threads", (PyCFunction)(void (*)(void))threads, METH_FASTCALL,
     "threads([n]): sets and tells the engine's threads."},
    {"quantity", (PyCFunction)(void (*)(void))quantity, METH_FASTCALL,
     "quantity('30 fs') -> (3e-14, 'time', 's'): a value with a unit, in SI."},
    {"resume", recipe_resume, METH_VARARGS, "resume(path, extend, set, progress) -> report of the whole run"},
    {"objective_gradient", objective_gradient, METH_VARARGS, "gradient(recipe, mode) -> (value, {key: array})"},
    {"objective_check", objective_check, METH_VARARGS, "check(recipe, seed) -> relative errors of its gradient"},
    {"plot_label", plot_label, METH_VARARGS, "plot_label(key, about, si, largest) -> (label, factor from SI)"},
    {"recipe_keys", recipe_keys, METH_NOARGS, "Rows (path, form, dimension, SI unit) of every key of a recipe."},
    {NULL, NULL, 0, NULL}};

static int start(PyObject *module)
{
    if (lease_open() || PyModule_AddStringConstant(module, "version", poy_version()))
        return -1;
    const int failed = record_register(module) || recipe_register(module) || result_register(module) ||
                       scan_register(module) || xla_register(module) || waves_register(module) ||
                       stack_register(module) || tmatrix_register(module) || elements_register(module);
    return failed ? -1 : 0;
}

static PyModuleDef_Slot slots[] = {{Py_mod_exec, (void *)start}, {0, NULL}};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT,
                                        "poynting._core",
                                        "The engine: records, recipes, results.",
                                        0,
                                        functions,
                                        slots,
                                        NULL,
                                        NULL,
                                        NULL};

PyMODINIT_FUNC PyInit__core(void);
PyMODINIT_FUNC PyInit__core(void)
{
    return PyModuleDef_Init(&definition);
}
