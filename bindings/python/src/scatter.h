/* scatter.h: what the files for waves, stacks and T-matrices share: objects of the library as capsules, and arguments.
 *
 * The package checks and shapes what it hands over; here only what could reach beyond an array is checked. */
#ifndef POYNTING_PYTHON_SCATTER_H
#define POYNTING_PYTHON_SCATTER_H

#include "core.h"

/* ---- objects of the library, each in a capsule that gives it back (scatter.c) ---- */

PyObject *wrap_basis(poy_basis *basis);       /* takes over the reference; NULL with an exception */
PyObject *wrap_smatrix(poy_smatrix *smatrix); /* likewise */
PyObject *wrap_factor(poy_factor *factor);

/* ---- arguments, as converters for "O&" ---- */

/* An array; a real one is widened where c128 is wanted. To be given back by array_release. */
typedef struct array_arg {
    view v;
    whole w;
} array_arg;
int to_real(PyObject *object, void *array_arg);
int to_complex(PyObject *object, void *array_arg);
void array_release(array_arg *a);
/* The array's memory if it has count elements, else NULL with an exception that names what. */
const void *array_of(const array_arg *a, int64_t count, const char *what);

int to_basis(PyObject *object, void *basis);         /* poy_basis *, borrowed */
int to_smatrix(PyObject *object, void *smatrix);     /* poy_smatrix *, borrowed */
int to_factor(PyObject *object, void *factor);       /* poy_factor *, borrowed */
int to_medium(PyObject *object, void *medium);       /* (epsilon, mu, kappa) */
int to_embedding(PyObject *object, void *embedding); /* (k0, epsilon, mu, kappa, poltype) */
int to_vector(PyObject *object, void *three);        /* double[3] */

/* ---- results ---- */

/* A new c128 array in C order. */
PyObject *complex_array(int rank, const int64_t *dims, poy_c128 **data);
PyObject *complex_matrix(size_t rows, size_t columns, poy_c128 **data);
PyObject *real_array(int rank, const int64_t *dims, double **data);

/* A call into the library without the GIL: begin, then end with its status. end returns result (stolen), or NULL with the
 * exception of the status. */
typedef struct engine_call {
    poy_ctx *ctx;
    PyThreadState *thread;
} engine_call;
int call_begin(engine_call *call); /* 0 with an exception */
/* The same where the call is to fill result (stolen): result, or NULL with an exception, also where result is NULL. */
PyObject *call_to_fill(engine_call *call, PyObject *result);
int call_in_turn(engine_call *call); /* the same with the GIL kept: HDF5 serves one thread at a time */
PyObject *call_end(engine_call *call, poy_status status, PyObject *result);
/* The same for calls that have no result yet; 0, or -1 with the exception. */
int call_done(engine_call *call, poy_status status);

int waves_register(PyObject *module);    /* bases, operators, fields (waves.c) */
int stack_register(PyObject *module);    /* S-matrices (stack.c) */
int tmatrix_register(PyObject *module);  /* factors of clusters, files of T-matrices (tmatrix.c) */
int elements_register(PyObject *module); /* functions elementwise (elements.c) */
#endif
