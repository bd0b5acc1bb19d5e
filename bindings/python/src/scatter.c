/* scatter.c: objects of the library as capsules, arguments and results of the scattering calls. */
#include "scatter.h"

#include <string.h>

static const char basis_name[] = "poynting.basis", smatrix_name[] = "poynting.smatrix",
                  factor_name[] = "poynting.factor";

static void free_basis(PyObject *capsule)
{
    poy_basis *basis = PyCapsule_GetPointer(capsule, basis_name);
    poy_basis_destroy(&basis);
}

static void free_smatrix(PyObject *capsule)
{
    poy_smatrix *smatrix = PyCapsule_GetPointer(capsule, smatrix_name);
    poy_smatrix_destroy(&smatrix);
}

static void free_factor(PyObject *capsule)
{
    poy_factor *factor = PyCapsule_GetPointer(capsule, factor_name);
    poy_factor_destroy(&factor);
}

PyObject *wrap_basis(poy_basis *basis)
{
    PyObject *capsule = PyCapsule_New(basis, basis_name, free_basis);
    if (!capsule)
        poy_basis_destroy(&basis);
    return capsule;
}

PyObject *wrap_smatrix(poy_smatrix *smatrix)
{
    PyObject *capsule = PyCapsule_New(smatrix, smatrix_name, free_smatrix);
    if (!capsule)
        poy_smatrix_destroy(&smatrix);
    return capsule;
}

PyObject *wrap_factor(poy_factor *factor)
{
    PyObject *capsule = PyCapsule_New(factor, factor_name, free_factor);
    if (!capsule)
        poy_factor_destroy(&factor);
    return capsule;
}

static int unwrap(PyObject *object, const char *name, void *out)
{
    if (!PyCapsule_IsValid(object, name)) {
        PyErr_Format(PyExc_TypeError, "a handle of %s is wanted", name);
        return 0;
    }
    void *pointer = PyCapsule_GetPointer(object, name);
    memcpy(out, &pointer, sizeof pointer);
    return 1;
}

int to_basis(PyObject *object, void *basis)
{
    return unwrap(object, basis_name, basis);
}

int to_smatrix(PyObject *object, void *smatrix)
{
    return unwrap(object, smatrix_name, smatrix);
}

int to_factor(PyObject *object, void *factor)
{
    return unwrap(object, factor_name, factor);
}

/* ---- numbers ---- */

static int to_number(PyObject *object, void *number)
{
    const poy_c128 z = {PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)};
    memcpy(number, &z, sizeof z);
    return !PyErr_Occurred();
}

int to_medium(PyObject *object, void *medium)
{
    poy_medium *m = medium;
    return PyTuple_Check(object) &&
           PyArg_ParseTuple(object, "O&O&O&", to_number, &m->epsilon, to_number, &m->mu, to_number, &m->kappa);
}

int to_embedding(PyObject *object, void *embedding)
{
    poy_embedding *e = embedding;
    int poltype;
    if (!PyTuple_Check(object) || !PyArg_ParseTuple(object, "dO&O&O&i", &e->k0, to_number, &e->medium.epsilon,
                                                    to_number, &e->medium.mu, to_number, &e->medium.kappa, &poltype))
        return 0;
    e->poltype = poltype ? POY_PARITY : POY_HELICITY;
    return 1;
}

int to_vector(PyObject *object, void *three)
{
    double *v = three;
    return PyTuple_Check(object) && PyArg_ParseTuple(object, "ddd", &v[0], &v[1], &v[2]);
}

/* ---- arrays ---- */

/* PyArg_ParseTuple calls with NULL to give back what it had converted before another argument failed. */
static int to_array(PyObject *object, array_arg *a, poy_dtype dtype)
{
    if (!object) {
        array_release(a);
        return 1;
    }
    a->w.data = NULL;
    if (numpy_view(object, &a->v, &a->w))
        return 0;
    if (numpy_retype(&a->v, &a->w, dtype, 1)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a complex array where a real one is wanted");
        array_release(a);
        return 0;
    }
    return Py_CLEANUP_SUPPORTED;
}

int to_real(PyObject *object, void *a)
{
    return to_array(object, a, POY_F64);
}

int to_complex(PyObject *object, void *a)
{
    return to_array(object, a, POY_C128);
}

void array_release(array_arg *a)
{
    if (a->w.data)
        numpy_release(&a->v);
    a->w.data = NULL;
}

const void *array_of(const array_arg *a, int64_t count, const char *what)
{
    if (whole_count(&a->w) == count)
        return a->w.data;
    PyErr_Format(PyExc_ValueError, "%s: %lld numbers are wanted, %lld given", what, (long long)count,
                 (long long)whole_count(&a->w));
    return NULL;
}

static PyObject *new_array(poy_dtype dtype, int rank, const int64_t *dims, void **data)
{
    whole w = {.dtype = dtype, .rank = rank};
    memcpy(w.dims, dims, (size_t)rank * sizeof *dims);
    PyObject *array = numpy_new(&w);
    *data = w.data;
    return array;
}

PyObject *complex_array(int rank, const int64_t *dims, poy_c128 **data)
{
    void *memory = NULL;
    PyObject *array = new_array(POY_C128, rank, dims, &memory);
    *data = memory;
    return array;
}

PyObject *complex_matrix(size_t rows, size_t columns, poy_c128 **data)
{
    return complex_array(2, (const int64_t[]){(int64_t)rows, (int64_t)columns}, data);
}

PyObject *real_array(int rank, const int64_t *dims, double **data)
{
    void *memory = NULL;
    PyObject *array = new_array(POY_F64, rank, dims, &memory);
    *data = memory;
    return array;
}

/* ---- calls ---- */

int call_in_turn(engine_call *call)
{
    call->thread = NULL;
    call->ctx = lease_or_error();
    return call->ctx != NULL;
}

int call_begin(engine_call *call)
{
    if (!call_in_turn(call))
        return 0;
    call->thread = PyEval_SaveThread();
    return 1;
}

PyObject *call_to_fill(engine_call *call, PyObject *result)
{
    if (result && !call_begin(call))
        Py_CLEAR(result);
    return result;
}

int call_done(engine_call *call, poy_status status)
{
    if (call->thread)
        PyEval_RestoreThread(call->thread);
    if (status == POY_OK) {
        lease_give(call->ctx);
        return 0;
    }
    raise_from(call->ctx, status);
    return -1;
}

PyObject *call_end(engine_call *call, poy_status status, PyObject *result)
{
    if (call_done(call, status))
        Py_CLEAR(result);
    return result;
}
