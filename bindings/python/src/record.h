/* record.h: what the files of Record and Saved share: the arrays of a call, and the shapes that a record has met. */
#ifndef POYNTING_PYTHON_RECORD_H
#define POYNTING_PYTHON_RECORD_H

#include "core.h"

enum { MAX = POY_REC_ARRAYS_MAX };

/* ---- arguments (arguments.c) ---- */

/* Arrays of one argument tuple. */
typedef struct arrays {
    int n;
    whole w[MAX]; /* data NULL: absent */
    view v[MAX];
    poy_rec_array a[MAX];
} arrays;

/* items [n] into x; None (where allowed) is an absent array. what: "inputs". -1 with an exception, and nothing to release. */
int arrays_acquire(PyObject *const *items, Py_ssize_t n, int wanted, int none, const char *name, const char *what,
                   arrays *x);
int arrays_acquire_tuple(PyObject *tuple, int wanted, int none, const char *name, const char *what, arrays *x);
/* Each array for the library, in x->a. -1 with an exception. */
int arrays_split(const char *name, arrays *x, int lead, const poy_rec_batch *batch);
void arrays_release(arrays *x);
/* ValueError "name: why"; -1. */
int refuse(const char *name, const char *why);

/* ---- shapes (arguments.c) ---- */

typedef struct port {
    poy_rec_spec spec;
    int added;         /* axes that the array of Python lacks */
    PyObject *request; /* arguments of numpy.empty for one item; NULL: not made */
} port;

/* What infer says of inputs of these shapes. A record keeps the last that it met, and each Saved its own. */
typedef struct shapes {
    int holders; /* counted under the GIL */
    int n_in, n_out;
    size_t bytes; /* of a state */
    port port[];  /* inputs, then outputs */
} shapes;

/* Those of the inputs: *last if they are the same; else new ones, which replace *last. The caller holds them, too: another thread may
 * replace *last at any call of Python. NULL with an exception. */
shapes *shapes_meet(const poy_record *record, const arrays *in, int n_out, shapes **last);
shapes *shapes_keep(shapes *s);
void shapes_drop(shapes **s);

/* New arrays of all items of a batch, as a tuple; a[i] tells the library where. wanted: a tuple of flags, NULL for all. */
PyObject *fresh(const port *ports, int n, const poy_rec_batch *batch, PyObject *wanted, poy_rec_array *a);
/* One result stands for itself. */
PyObject *unwrap(PyObject *tuple);

/* ---- Saved (saved.c) ---- */

/* Takes over saved; keeps s. */
PyObject *saved_new(poy_saved *saved, shapes *s);
int saved_register(PyObject *module);
#endif
