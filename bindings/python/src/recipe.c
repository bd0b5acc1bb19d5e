/* recipe.c: Recipe, a recipe as a Python object: loading, changing, checking, running. */
#include "core.h"

#include <math.h>

typedef struct {
    PyObject_HEAD poy_recipe *recipe;
    int busy; /* a call has it: a run, a check, a scan. Under the GIL */
} recipe_object;

static PyObject *recipe_type; /* kept for the life of the process */

static poy_recipe *of(PyObject *object)
{
    return ((recipe_object *)object)->recipe;
}

poy_ctx *recipe_take(PyObject *object, poy_recipe **recipe)
{
    recipe_object *self = (recipe_object *)object;
    if (PyObject_IsInstance(object, recipe_type) != 1) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a Recipe is wanted");
        return NULL;
    }
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError,
                        "the recipe is in use, by a run or a check that is under way: use a copy()");
        return NULL;
    }
    poy_ctx *ctx = lease_or_error();
    self->busy = ctx != NULL;
    *recipe = self->recipe;
    return ctx;
}

void recipe_give(PyObject *object)
{
    ((recipe_object *)object)->busy = 0;
}

static PyObject *text_or_none(const char *text)
{
    if (text)
        return PyUnicode_FromString(text);
    Py_RETURN_NONE;
}

/* Recipe(text, file="recipe.toml") or Recipe(path=...). */
static PyObject *recipe_new(PyTypeObject *type, PyObject *args, PyObject *kwargs)
{
    static char *words[] = {"text", "file", "path", NULL};
    const char *text = NULL, *file = "recipe.toml", *path = NULL;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "|zzz", words, &text, &file, &path))
        return NULL;
    if (!text == !path)
        return PyErr_Format(PyExc_TypeError, "Recipe(text) or Recipe(path=...): one of them");
    poy_ctx *ctx = lease_or_error();
    if (!ctx)
        return NULL;
    recipe_object *self = (recipe_object *)PyType_GenericNew(type, NULL, NULL);
    poy_status status = POY_OK;
    if (self)
        status = path ? poy_recipe_load(ctx, path, &self->recipe) : poy_recipe_parse(ctx, text, file, &self->recipe);
    if (status != POY_OK) {
        Py_DECREF(self);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    return (PyObject *)self;
}

static void recipe_free(PyObject *object)
{
    poy_recipe_destroy(&((recipe_object *)object)->recipe);
    object_free(object);
}

static PyObject *recipe_set(PyObject *self, PyObject *const *args, Py_ssize_t n)
{
    const char *key = n == 2 ? PyUnicode_AsUTF8AndSize(args[0], NULL) : NULL;
    const char *value = key ? PyUnicode_AsUTF8AndSize(args[1], NULL) : NULL;
    if (!value) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "set(key, value): two texts");
        return NULL;
    }
    poy_recipe *recipe;
    poy_ctx *ctx = recipe_take(self, &recipe);
    if (!ctx)
        return NULL;
    const poy_status status = poy_recipe_set(ctx, recipe, key, value);
    recipe_give(self);
    if (lease_settle(ctx, status))
        return NULL;
    Py_RETURN_NONE;
}

/* check() -> [(is warning, file, line, column, key, code, problem, hint), ...] */
static PyObject *recipe_check(PyObject *self, PyObject *unused)
{
    (void)unused;
    poy_recipe *recipe;
    poy_ctx *ctx = recipe_take(self, &recipe);
    if (!ctx)
        return NULL;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_recipe_check(ctx, recipe);
    Py_END_ALLOW_THREADS;
    recipe_give(self);
    if (status != POY_OK && status != POY_ERR_RECIPE)
        return raise_from(ctx, status);
    lease_give(ctx);
    PyObject *list = PyList_New(0);
    for (int i = 0; list && i < poy_recipe_fault_count(recipe); i++) { /* the GIL is held: it does not change */
        const poy_fault *f = poy_recipe_fault(recipe, i);
        PyObject *row = Py_BuildValue("(Oziizzzz)", f->warning ? Py_True : Py_False, f->file, f->line, f->column,
                                      f->key, f->code, f->problem, f->hint);
        if (!row || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    return list;
}

static PyObject *recipe_get(PyObject *self, PyObject *key)
{
    const char *name = PyUnicode_AsUTF8AndSize(key, NULL), *value = NULL;
    poy_recipe *recipe;
    poy_ctx *ctx = name ? recipe_take(self, &recipe) : NULL;
    if (!ctx)
        return NULL;
    const poy_status status = poy_recipe_get(ctx, recipe, name, &value);
    recipe_give(self);
    if (lease_settle(ctx, status))
        return NULL;
    return text_or_none(value);
}

/* describe() -> {key: (value, unit, text)} */
static PyObject *recipe_describe(PyObject *self, PyObject *unused)
{
    (void)unused;
    enum { MANY = 512 };
    poy_number *numbers = PyMem_Calloc(MANY, sizeof *numbers);
    poy_recipe *recipe;
    if (!numbers)
        return PyErr_NoMemory();
    poy_ctx *ctx = recipe_take(self, &recipe);
    if (!ctx) {
        PyMem_Free(numbers);
        return NULL;
    }
    size_t n = 0;
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_recipe_describe(ctx, recipe, MANY, numbers, &n);
    Py_END_ALLOW_THREADS;
    recipe_give(self);
    if (status != POY_OK) {
        PyMem_Free(numbers);
        return raise_from(ctx, status);
    }
    lease_give(ctx);
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < n && i < MANY; i++) {
        PyObject *row = Py_BuildValue("(dzz)", numbers[i].value, numbers[i].unit, numbers[i].text);
        if (!row || PyDict_SetItemString(dict, numbers[i].key, row))
            Py_CLEAR(dict);
        Py_XDECREF(row);
    }
    PyMem_Free(numbers);
    return dict;
}

static PyObject *recipe_cite(PyObject *self, PyObject *unused)
{
    (void)unused;
    const char *text = NULL;
    poy_recipe *recipe;
    poy_ctx *ctx = recipe_take(self, &recipe);
    if (!ctx)
        return NULL;
    const poy_status status = poy_recipe_cite(ctx, recipe, &text);
    recipe_give(self);
    if (lease_settle(ctx, status))
        return NULL;
    return text_or_none(text);
}

/* ---- running ---- */

static PyObject *report_dict(const poy_recipe_report *r)
{
    return Py_BuildValue("{s:s,s:s,s:d,s:d,s:L,s:L,s:L,s:L,s:L,s:d,s:d,s:d,s:d,s:n,s:i,s:O}", "output", r->output,
                         "backend", r->backend, "z", r->z, "length", r->length, "planes", (long long)r->planes,
                         "accepted", (long long)r->accepted, "rejected", (long long)r->rejected, "points",
                         (long long)r->points, "points_total", (long long)r->points_total, "energy", r->energy,
                         "energy_start", r->energy_start, "wall", r->wall, "cpu", r->cpu, "bytes", (Py_ssize_t)r->bytes,
                         "warnings", r->warnings, "complete", r->complete ? Py_True : Py_False);
}

/* The end of a run or of its continuation: gives ctx back; the report, or NULL with the exception of what ended it. */
static PyObject *run_ended(poy_ctx *ctx, watcher *w, poy_status status, const poy_recipe_report *report)
{
    watch_end(ctx, w);
    if (status == POY_ERR_INTERRUPTED || PyErr_Occurred())
        return raise_stopped(ctx, report->output);
    if (lease_settle(ctx, status))
        return NULL;
    return report_dict(report);
}

/* run(output or None, force, dry, progress function or None) -> report */
static PyObject *recipe_run(PyObject *self, PyObject *args)
{
    const char *output = NULL;
    int force, dry;
    PyObject *progress;
    if (!PyArg_ParseTuple(args, "zppO", &output, &force, &dry, &progress))
        return NULL;
    poy_recipe *recipe;
    poy_ctx *ctx = recipe_take(self, &recipe);
    if (!ctx)
        return NULL;
    poy_recipe_options o;
    poy_recipe_options_init(&o);
    o.output = output;
    o.force = force;
    o.dry = dry;
    poy_recipe_report report = {{0}};
    watcher watch;
    watch_begin(ctx, &watch, progress);
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_recipe_run(ctx, recipe, &o, &report);
    Py_END_ALLOW_THREADS;
    recipe_give(self);
    return run_ended(ctx, &watch, status, &report);
}

enum { SET_MAX = 64 };

/* The texts of a list [key, value, key, value, ...]; how many pairs, or -1 with an exception. */
static int read_set(PyObject *list, const char **set)
{
    const Py_ssize_t n = PyList_Size(list);
    if (n < 0)
        return -1;
    if (n > 2 * SET_MAX) {
        PyErr_Format(PyExc_ValueError, "set: %zd keys, at most %d are changed", n / 2, SET_MAX);
        return -1;
    }
    for (Py_ssize_t i = 0; i < n; i++) {
        set[i] = PyUnicode_AsUTF8AndSize(PyList_GetItem(list, i), NULL);
        if (!set[i])
            return -1;
    }
    return (int)(n / 2);
}

/* resume(path, length to be added in m or 0, [key, value, ...], progress function or None) -> report */
PyObject *recipe_resume(PyObject *module, PyObject *args)
{
    (void)module;
    const char *path, *set[2 * SET_MAX];
    double extend;
    PyObject *list, *progress;
    if (!PyArg_ParseTuple(args, "sdOO", &path, &extend, &list, &progress))
        return NULL;
    poy_resume_options o;
    poy_resume_options_init(&o);
    o.extend = extend;
    o.set = set;
    o.n_set = read_set(list, set);
    poy_ctx *ctx = o.n_set < 0 ? NULL : lease_or_error();
    if (!ctx)
        return NULL;
    poy_recipe_report report = {{0}};
    watcher watch;
    watch_begin(ctx, &watch, progress);
    poy_status status;
    Py_BEGIN_ALLOW_THREADS;
    status = poy_result_resume(ctx, path, &o, &report);
    Py_END_ALLOW_THREADS;
    return run_ended(ctx, &watch, status, &report);
}

static PyObject *recipe_field(PyObject *self, void *which)
{
    switch (*(const char *)which) {
    case 't': return text_or_none(poy_recipe_text(of(self)));
    case 'n': return text_or_none(poy_recipe_name(of(self)));
    default: return text_or_none(poy_recipe_resolved(of(self)));
    }
}

static PyMethodDef methods[] = {
    {"set", (PyCFunction)(void (*)(void))recipe_set, METH_FASTCALL, "set(key, value as TOML text)"},
    {"check", recipe_check, METH_NOARGS, "faults as (warning, file, line, column, key, code, problem, hint)"},
    {"get", recipe_get, METH_O, "get(key) -> its value as TOML text"},
    {"describe", recipe_describe, METH_NOARGS, "derived numbers: {key: (value, SI unit, text)}"},
    {"cite", recipe_cite, METH_NOARGS, "what the recipe rests on, one source a line"},
    {"run", recipe_run, METH_VARARGS, "run(output, force, dry, progress) -> report"},
    {NULL, NULL, 0, NULL}};
static PyGetSetDef fields[] = {{"text", recipe_field, NULL, "the TOML text", "t"},
                               {"name", recipe_field, NULL, "after a check: its name", "n"},
                               {"resolved", recipe_field, NULL, "after a check: TOML with all defaults", "r"},
                               {NULL, NULL, NULL, NULL, NULL}};

int recipe_register(PyObject *module)
{
    static PyType_Slot slots[] = {{Py_tp_new, (void *)recipe_new},
                                  {Py_tp_dealloc, (void *)recipe_free},
                                  {Py_tp_methods, (void *)methods},
                                  {Py_tp_getset, (void *)fields},
                                  {0, NULL}};
    static PyType_Spec spec = {"poynting._core.Recipe", sizeof(recipe_object), 0,
                               Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, slots};
    PyObject *type = PyType_FromSpec(&spec);
    recipe_type = type;
    return !type || PyModule_AddObjectRef(module, "Recipe", type) ? -1 : 0;
}
