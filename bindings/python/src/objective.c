/* objective.c: the [objective] of a recipe: its value, gradient and check. */
#include "scatter.h"

#include <string.h>

/* A new array of the numbers of a key. */
static PyObject *gradient_array(const poy_gradient_part *p)
{
    whole w = {.dtype = POY_F64, .rank = p->rank};
    for (int k = 0; k < p->rank; k++)
        w.dims[k] = p->extent[k];
    PyObject *array = numpy_new(&w);
    if (array)
        memcpy(w.data, p->gradient, (size_t)whole_count(&w) * sizeof(double));
    return array;
}

static PyObject *gradients(const poy_objective *o)
{
    PyObject *dict = PyDict_New();
    poy_gradient_part p;
    for (int k = 0; dict && poy_objective_part(o, k, &p); k++) {
        PyObject *array = gradient_array(&p);
        if (!array || PyDict_SetItemString(dict, p.key, array))
            Py_CLEAR(dict);
        Py_XDECREF(array);
    }
    return dict;
}

/* gradient(recipe, mode) -> (value, {key: array}); mode 0: the value alone, 1: reverse, 2: forward */
PyObject *objective_gradient(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *recipe;
    int mode;
    double value = 0;
    poy_objective *o = NULL;
    if (!PyArg_ParseTuple(args, "Oi", &recipe, &mode) || numpy_open())
        return NULL;
    poy_recipe *given;
    poy_ctx *ctx = recipe_take(recipe, &given);
    if (!ctx)
        return NULL;
    poy_status status;
    watcher watch;
    watch_begin(ctx, &watch, Py_None);
    Py_BEGIN_ALLOW_THREADS;
    status = poy_objective_open(ctx, given, &o);
    if (status == POY_OK)
        status = poy_objective_evaluate(ctx, o, (poy_objective_mode)mode, &value);
    Py_END_ALLOW_THREADS;
    watch_end(ctx, &watch);
    recipe_give(recipe);
    const int failed = lease_settle(ctx, status);
    PyObject *parts = !failed && mode ? gradients(o) : NULL;
    poy_objective_close(&o);
    if (failed)
        return NULL;
    if (mode)
        return parts ? Py_BuildValue("dN", value, parts) : NULL;
    return Py_BuildValue("d{}", value);
}

/* check(recipe, seed) -> {"adjoint", "modes", "difference", "worst", "passed"} */
PyObject *objective_check(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *recipe, *result = NULL;
    unsigned long long seed;
    poy_objective *o = NULL;
    poy_gradient_check c = {0};
    if (!PyArg_ParseTuple(args, "OK", &recipe, &seed))
        return NULL;
    poy_recipe *given;
    poy_ctx *ctx = recipe_take(recipe, &given);
    if (!ctx)
        return NULL;
    poy_status status;
    watcher watch;
    watch_begin(ctx, &watch, Py_None);
    Py_BEGIN_ALLOW_THREADS;
    status = poy_objective_open(ctx, given, &o);
    if (status == POY_OK)
        status = poy_objective_check(ctx, o, (uint64_t)seed, &c);
    Py_END_ALLOW_THREADS;
    watch_end(ctx, &watch);
    recipe_give(recipe);
    if (!lease_settle(ctx, status))
        result = Py_BuildValue("{s:d,s:d,s:d,s:s,s:O}", "adjoint", c.adjoint, "modes", c.modes, "difference",
                               c.difference, "worst", c.worst, "passed", c.passed ? Py_True : Py_False);
    poy_objective_close(&o);
    return result;
}
