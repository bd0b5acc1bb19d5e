/* core.h: what the files of the extension module share. CPython limited API of 3.11, so one wheel serves every later
 * version; NumPy is met at run time only. */
#ifndef POYNTING_PYTHON_CORE_H
#define POYNTING_PYTHON_CORE_H

#ifndef Py_LIMITED_API
#define Py_LIMITED_API 0x030B0000
#endif
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <poynting/poynting.h>

/* ---- contexts (lease.c): one for each call in progress, all on the engine of the process ---- */

poy_ctx *lease_take(void);     /* NULL: no memory. Needs no GIL. */
poy_ctx *lease_or_error(void); /* the same; NULL with an exception */
void lease_give(poy_ctx *ctx);
int lease_open(void); /* once, from the module's start; -1 with an exception */

/* ---- exceptions (module.c) ---- */

/* Raises the class of status with the account of ctx, gives ctx back, and returns NULL. */
PyObject *raise_from(poy_ctx *ctx, poy_status status);
/* Raises what stopped a run, the exception of its progress function or Ctrl-C, else the class of POY_ERR_INTERRUPTED; each tells the
 * cause in ctx and has the path of the result file. Gives ctx back, and returns NULL. */
PyObject *raise_stopped(poy_ctx *ctx, const char *path);
/* After a call: gives ctx back; not 0 with an exception, of the call's failure or of the progress function. */
int lease_settle(poy_ctx *ctx, poy_status status);
/* The same at the end of a function: result, which may be NULL with an exception, or NULL with that of the call. */
PyObject *lease_result(poy_ctx *ctx, poy_status status, PyObject *result);

/* ---- progress (module.c) ---- */

/* A function of progress (what, unit, done, total, accepted, rejected, energy, energy at the start), or None; and what it raised, maybe on a
 * thread of the engine: kept for the thread that called. */
typedef struct watcher {
    PyObject *function, *type, *error, *traceback;
} watcher;
/* As the progress function of a context, user: a watcher. Asks to stop where the function answers with something true, at an exception
 * in it, and at Ctrl-C. Takes the GIL. */
int call_progress(void *user, const poy_progress *p);
/* Before and after a call with it, under the GIL; the second puts back what was raised. */
void watch_begin(poy_ctx *ctx, watcher *w, PyObject *function);
void watch_end(poy_ctx *ctx, watcher *w);

/* ---- arrays with batch axes in front (batch.c) ---- */

enum { WHOLE_RANK_MAX = POY_RANK_MAX + POY_REC_BATCH_MAX };

/* An array as a framework hands it over: batch axes first, then those of the record. */
typedef struct whole {
    poy_dtype dtype;
    int rank;
    int added; /* axes of extent 1 at the end that the array itself lacks */
    int64_t dims[WHOLE_RANK_MAX];
    void *data; /* NULL: absent; its dims still count */
} whole;

/* The extents of the first lead axes of the n arrays, where each is 1 or common to all. Returns what is wrong, or NULL. */
const char *batch_of(const whole *arrays, int n, int lead, poy_rec_batch *out);
/* The same array for the library: an axis of extent 1 is shared by all items. */
const char *batch_split(const whole *array, int lead, const poy_rec_batch *batch, poy_rec_array *out);
/* An array of all items of a batch, each as spec. */
void batch_join(const poy_rec_spec *spec, const poy_rec_batch *batch, whole *out);
int64_t whole_count(const whole *array);
/* A number in the place of an array of this rank (below 0: any) is an array of one element. */
void whole_promote(whole *array, int lead, int rank);
/* An address for arrays without elements, which may come without one. */
void *batch_nowhere(void);

/* ---- NumPy (numpy.c) ---- */

int numpy_open(void); /* at the first need; -1 with an exception */
/* A new array of the shape and type of w, C order; w->data receives its memory, which the array keeps. */
PyObject *numpy_new(whole *w);
/* The same in two steps, of which the first can be kept for several arrays: the arguments of numpy.empty, and an array by them. */
PyObject *numpy_request(const whole *w);
PyObject *numpy_answer(PyObject *request, void **data);
PyObject *numpy_bytes(int rank, const int64_t *dims, void **data); /* uint8 */

/* Memory of an argument. */
typedef struct view {
    Py_buffer buffer;
    PyObject *owner; /* the array made where the argument itself would not do */
} view;
/* object as f64 or c128 in C order; a number is an array of rank 0. Exceptions: TypeError, what was got and what would do. */
int numpy_view(PyObject *object, view *v, whole *w);
/* A real array in the place of a complex one is widened; of a complex one in the place of a real one the real part
 * counts (cotangents), or, if strict, it is refused (-1; tangents). */
int numpy_retype(view *v, whole *w, poy_dtype wanted, int strict);
void numpy_release(view *v);

/* ---- types ---- */

/* The end of every dealloc: gives the memory back as its type (maybe a Python subclass) asks for. */
static inline void object_free(PyObject *object)
{
    PyTypeObject *type = Py_TYPE(object);
    const freefunc release = (freefunc)PyType_GetSlot(type, Py_tp_free);
    release(object);
    Py_DECREF(type);
}

/* A context for a call and the recipe of a Python object, which no other call may have before recipe_give: one may run without the GIL.
 * NULL with an exception: TypeError, RuntimeError (in use), MemoryError. */
poy_ctx *recipe_take(PyObject *object, poy_recipe **recipe);
void recipe_give(PyObject *object);

PyObject *recipe_resume(PyObject *module, PyObject *args);    /* functions of the module (recipe.c, */
PyObject *objective_gradient(PyObject *self, PyObject *args); /* objective.c) */
PyObject *objective_check(PyObject *self, PyObject *args);

int record_register(PyObject *module); /* Record, Saved (record.c) */
int recipe_register(PyObject *module); /* Recipe (recipe.c) */
int result_register(PyObject *module); /* Result (result.c) */
int scan_register(PyObject *module);   /* Scan (scan.c) */
int xla_register(PyObject *module);    /* the handlers' capsules (xla.c) */
#endif
