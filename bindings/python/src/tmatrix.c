/* tmatrix.c: factors of clusters, and T-matrices in files. A T-matrix travels as (embedding, basis, values). */
#include "scatter.h"

#include <stdlib.h>

static void destroy_all(poy_tmatrix **t, size_t n)
{
    for (size_t i = 0; t && i < n; i++)
        poy_tmatrix_destroy(&t[i]);
    free(t);
}

/* One (embedding, basis, values) of Python; NULL with an exception. */
static poy_tmatrix *read_one(PyObject *row)
{
    poy_embedding e;
    poy_basis *basis;
    array_arg values;
    if (!row || !PyTuple_Check(row) ||
        !PyArg_ParseTuple(row, "O&O&O&", to_embedding, &e, to_basis, &basis, to_complex, &values)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a T-matrix is (embedding, basis, values)");
        return NULL;
    }
    const size_t n = poy_basis_size(basis);
    poy_tmatrix *t = NULL;
    engine_call call;
    if (array_of(&values, (int64_t)(n * n), "the T-matrix") && call_begin(&call))
        (void)call_done(&call, poy_tmatrix_create(call.ctx, &e, basis, n, n, values.w.data, &t));
    array_release(&values);
    return t;
}

/* A tuple of them. */
static poy_tmatrix **read_all(PyObject *rows, size_t *count)
{
    const Py_ssize_t n = PyTuple_Check(rows) ? PyTuple_Size(rows) : 0;
    poy_tmatrix **t = calloc(n > 0 ? (size_t)n : 1, sizeof *t);
    if (!t) {
        PyErr_NoMemory();
        return NULL;
    }
    for (*count = 0; *count < (size_t)n; ++*count) {
        t[*count] = read_one(PyTuple_GetItem(rows, (Py_ssize_t)*count));
        if (!t[*count]) {
            destroy_all(t, *count);
            return NULL;
        }
    }
    return t;
}

static PyObject *write_one(const poy_tmatrix *t)
{
    const poy_embedding *e = poy_tmatrix_embedding(t);
    const size_t n = poy_tmatrix_size(t), places = poy_basis_position_count(poy_tmatrix_basis(t));
    poy_c128 *values;
    double *positions;
    PyObject *array = complex_matrix(n, n, &values);
    PyObject *points = array ? real_array(2, (const int64_t[]){(int64_t)places, 3}, &positions) : NULL;
    PyObject *basis = points ? wrap_basis(poy_basis_retain(poy_tmatrix_basis(t))) : NULL;
    if (basis) {
        for (size_t i = 0; i < n * n; i++)
            values[i] = poy_tmatrix_values(t)[i];
        for (size_t i = 0; i < 3 * places; i++)
            positions[i] = poy_basis_positions(poy_tmatrix_basis(t))[i];
    }
    const poy_medium *m = &e->medium;
    PyObject *row = !basis ? NULL
                           : Py_BuildValue("(d(dddddd)iOOO)", e->k0, m->epsilon.re, m->epsilon.im, m->mu.re, m->mu.im,
                                           m->kappa.re, m->kappa.im, e->poltype == POY_PARITY, basis, points, array);
    Py_XDECREF(array);
    Py_XDECREF(points);
    Py_XDECREF(basis);
    return row;
}

/* factor(particles, positions) */
static PyObject *factor_new(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows;
    array_arg positions;
    if (!PyArg_ParseTuple(args, "OO&", &rows, to_real, &positions))
        return NULL;
    size_t n = 0;
    poy_tmatrix **particles = read_all(rows, &n);
    poy_cluster *cluster = NULL;
    poy_factor *factor = NULL;
    engine_call call;
    int failed = !particles || !array_of(&positions, 3 * (int64_t)n, "positions") || !call_begin(&call);
    if (!failed) {
        poy_status status = poy_cluster_create(call.ctx, n, particles, n, positions.w.data, &cluster);
        if (status == POY_OK)
            status = poy_factor_create(call.ctx, cluster, &factor);
        failed = call_done(&call, status);
    }
    poy_cluster_destroy(&cluster);
    destroy_all(particles, n);
    array_release(&positions);
    return failed ? NULL : wrap_factor(factor);
}

/* factor_scatter(factor, incident[size][columns]) */
static PyObject *factor_scatter(PyObject *self, PyObject *args)
{
    (void)self;
    poy_factor *factor;
    array_arg incident;
    if (!PyArg_ParseTuple(args, "O&O&", to_factor, &factor, to_complex, &incident))
        return NULL;
    poy_c128 *out;
    engine_call call;
    PyObject *array = NULL;
    if (incident.w.rank == 2)
        array = complex_matrix((size_t)incident.w.dims[0], (size_t)incident.w.dims[1], &out);
    else
        PyErr_SetString(PyExc_ValueError, "incident waves have to be columns");
    array = call_to_fill(&call, array);
    if (array)
        array = call_end(&call, poy_factor_scatter(call.ctx, factor, (size_t)incident.w.dims[1], incident.w.data, out),
                         array);
    array_release(&incident);
    return array;
}

static PyObject *convergences(const poy_convergence *c, size_t n)
{
    PyObject *list = PyList_New((Py_ssize_t)n);
    for (size_t i = 0; list && i < n; i++) {
        PyObject *row =
            Py_BuildValue("(Oidd)", c[i].converged ? Py_True : Py_False, c[i].iterations, c[i].residual, c[i].rhs);
        if (!row || PyList_SetItem(list, (Py_ssize_t)i, row))
            Py_CLEAR(list);
    }
    return list;
}

/* cluster_iterate(particles, positions, rtol, restart, max_iterations, incident[size][columns]) -> (scattered, convergence) */
static PyObject *cluster_iterate(PyObject *self, PyObject *args)
{
    (void)self;
    PyObject *rows, *array = NULL, *told = NULL;
    array_arg positions, incident;
    poy_iteration options;
    poy_iteration_init(&options);
    if (!PyArg_ParseTuple(args, "OO&diiO&", &rows, to_real, &positions, &options.rtol, &options.restart,
                          &options.max_iterations, to_complex, &incident))
        return NULL;
    size_t n = 0;
    const size_t columns = incident.w.rank == 2 ? (size_t)incident.w.dims[1] : 0;
    poy_tmatrix **particles = read_all(rows, &n);
    poy_cluster *cluster = NULL;
    poy_convergence *found = PyMem_Malloc((columns + 1) * sizeof *found);
    poy_c128 *out;
    engine_call call;
    if (incident.w.rank != 2)
        PyErr_SetString(PyExc_ValueError, "incident waves have to be columns");
    else if (found && particles && array_of(&positions, 3 * (int64_t)n, "positions"))
        array = complex_matrix((size_t)incident.w.dims[0], columns, &out);
    if (array && !call_begin(&call)) {
        Py_CLEAR(array);
    } else if (array) {
        poy_status status = poy_cluster_create(call.ctx, n, particles, n, positions.w.data, &cluster);
        if (status == POY_OK && poy_basis_size(poy_cluster_basis(cluster)) != (size_t)incident.w.dims[0])
            status = poy_ctx_fail(call.ctx, POY_ERR_SHAPE, __func__, __FILE__, __LINE__,
                                  "incident: %lld rows, the cluster has %zu modes", (long long)incident.w.dims[0],
                                  poy_basis_size(poy_cluster_basis(cluster)));
        if (status == POY_OK)
            status = poy_cluster_iterate(call.ctx, cluster, &options, columns, incident.w.data, out, found);
        if (call_done(&call, status))
            Py_CLEAR(array);
    }
    told = array ? convergences(found, columns) : NULL;
    PyMem_Free(found);
    poy_cluster_destroy(&cluster);
    destroy_all(particles, n);
    array_release(&positions);
    array_release(&incident);
    return told ? Py_BuildValue("NN", array, told) : NULL;
}

/* tmatrix_load(path, unit) -> list of (k0, medium as six numbers, parity, basis, positions, values) */
static PyObject *tmatrix_load(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path;
    double unit;
    if (!PyArg_ParseTuple(args, "sd", &path, &unit))
        return NULL;
    size_t count = 0, got = 0;
    poy_tmatrix **t = NULL;
    engine_call call;
    if (!call_in_turn(&call))
        return NULL;
    poy_status status = poy_tmatrix_load(call.ctx, path, unit, 0, NULL, &count);
    if (status == POY_OK) {
        t = calloc(count ? count : 1, sizeof *t);
        status = t ? poy_tmatrix_load(call.ctx, path, unit, count, t, &got) : POY_ERR_MEMORY;
    }
    if (call_done(&call, status)) {
        free(t);
        return NULL;
    }
    PyObject *list = PyList_New(0);
    for (size_t i = 0; list && i < count; i++) {
        PyObject *row = write_one(t[i]);
        if (!row || PyList_Append(list, row))
            Py_CLEAR(list);
        Py_XDECREF(row);
    }
    destroy_all(t, count);
    return list;
}

/* tmatrix_save(path, unit, matrices, name, description, keywords) */
static PyObject *tmatrix_save(PyObject *self, PyObject *args)
{
    (void)self;
    const char *path;
    double unit;
    PyObject *rows;
    poy_tmatrix_text text;
    if (!PyArg_ParseTuple(args, "sdOzzz", &path, &unit, &rows, &text.name, &text.description, &text.keywords))
        return NULL;
    size_t n = 0;
    poy_tmatrix **t = read_all(rows, &n);
    engine_call call;
    int failed = !t || !call_in_turn(&call);
    if (!failed)
        failed = call_done(&call, poy_tmatrix_save(call.ctx, path, unit, n, t, &text));
    destroy_all(t, n);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

int tmatrix_register(PyObject *module)
{
    static PyMethodDef functions[] = {
        {"factor", factor_new, METH_VARARGS, "factor(particles, positions) -> handle"},
        {"factor_scatter", factor_scatter, METH_VARARGS, "factor_scatter(factor, incident) -> [size, columns]"},
        {"cluster_iterate", cluster_iterate, METH_VARARGS,
         "cluster_iterate(particles, positions, rtol, restart, max_iterations, incident) -> (scattered, convergence)"},
        {"tmatrix_load", tmatrix_load, METH_VARARGS, "tmatrix_load(path, unit) -> list of T-matrices"},
        {"tmatrix_save", tmatrix_save, METH_VARARGS, "tmatrix_save(path, unit, matrices, name, description, keywords)"},
        {NULL, NULL, 0, NULL}};
    return PyModule_AddFunctions(module, functions);
}
