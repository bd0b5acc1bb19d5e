/* h5.h: short forms of what this room does with HDF5: datasets that say their units, strings, appending, reading. */
#ifndef POYI_H5_H
#define POYI_H5_H

#include <hdf5.h>
#include <stdint.h>

#include "core/core.h"
#include "run/recipe/arena.h"

/* Every call below answers 0, or -1 with HDF5's own error stack filled. */

/* HDF5 prints its errors unless told not to; between these two it does not, on this thread. */
typedef struct poyi_h5_quiet {
    H5E_auto2_t fn;
    void *data;
} poyi_h5_quiet;
void poyi_h5_begin(poyi_h5_quiet *q);
void poyi_h5_end(const poyi_h5_quiet *q);
/* The innermost entry of the error stack. */
void poyi_h5_cause(size_t size, char *out);

/* How a dataset describes itself. */
typedef struct poyi_h5_about {
    const char *units, *text, *dims; /* dims: "z mode polarisation omega" */
} poyi_h5_about;

hid_t poyi_h5_group(hid_t at, const char *name);
/* A list for H5Fcreate; the caller closes it. */
hid_t poyi_h5_new_file(void);
/* { r, i } of f64 or f32, as h5py's complex. */
hid_t poyi_h5_complex(int single);
hid_t poyi_h5_bool(void);

int poyi_h5_attribute(hid_t at, const char *name, const char *text);
int poyi_h5_attribute_int(hid_t at, const char *name, int64_t value);
/* Changes an integer attribute that exists. */
int poyi_h5_attribute_set(hid_t at, const char *name, int64_t value);
/* Scalars; text datasets have no units. */
int poyi_h5_text(hid_t at, const char *name, const char *text, const char *about);
int poyi_h5_texts(hid_t at, const char *name, const char *const *list, int n, const poyi_h5_about *about);
int poyi_h5_scalar(hid_t at, const char *name, double value, const poyi_h5_about *about);
int poyi_h5_integer(hid_t at, const char *name, int64_t value, const poyi_h5_about *about);
/* A whole one-dimensional dataset of doubles; the dataset into *out unless it is NULL. */
int poyi_h5_line(hid_t at, const char *name, const double *data, int64_t n, const poyi_h5_about *about, hid_t *out);

/* A dataset that grows along its first axis: rank axes, dims[0] = 0 now, chunks of chunk[]. */
hid_t poyi_h5_growing(hid_t at, const char *name, hid_t type, int rank, const hsize_t *dims, const hsize_t *chunk,
                      int compress, const poyi_h5_about *about);
/* Writes n rows from row first on; grows the dataset to hold them. type: of data in memory. */
int poyi_h5_rows(hid_t set, hid_t type, hsize_t first, hsize_t n, const void *data);
/* To so many rows, of which there are at least as many. */
int poyi_h5_shrink(hid_t set, hsize_t rows);
/* Overwrites a scalar that exists. */
int poyi_h5_put(hid_t at, const char *name, hid_t type, const void *value);

/* A dataset of a fixed size, doubles and pairs of them NaN, integers 0, until something is written. chunk NULL: in one piece. */
hid_t poyi_h5_filled(hid_t at, const char *name, hid_t type, int rank, const hsize_t *extent, const hsize_t *chunk,
                     const poyi_h5_about *about);
/* Writes a block of it; rank 0: the value. */
int poyi_h5_block(hid_t set, hid_t type, const hsize_t *start, const hsize_t *count, const void *data);

/* Makes set a dimension scale; attaches scales[k] to axis k of set (a negative id: none). */
int poyi_h5_make_scale(hid_t set, const char *name);
int poyi_h5_attach(hid_t set, const hid_t *scales, int n);

/* ---- reading ---- */

int poyi_h5_exists(hid_t at, const char *path);
/* Into arena; NULL where it is not there or no string. */
const char *poyi_h5_read_text(hid_t at, const char *path, poyi_arena *arena);
/* A list of strings of any length, as poyi_h5_texts writes it, into arena; its length, or -1. */
int poyi_h5_read_texts(hid_t at, const char *path, poyi_arena *arena, const char ***out);
const char *poyi_h5_read_attribute(hid_t at, const char *name, poyi_arena *arena);
int poyi_h5_read_attribute_int(hid_t at, const char *name, int64_t *out);
int poyi_h5_read_double(hid_t at, const char *path, double *out);
int poyi_h5_read_int(hid_t at, const char *path, int64_t *out);
/* Rank and extents of a dataset; rank at most 8, and not larger than what is stored for it could be. */
int poyi_h5_extent(hid_t at, const char *path, int *rank, hsize_t dims[8]);
int poyi_h5_extent_of(hid_t set, int *rank, hsize_t dims[8]);
/* Rows first ... first + n - 1 of a dataset as type, width numbers each; for a scalar first and n are ignored. */
int poyi_h5_read_rows(hid_t at, const char *path, hid_t type, hsize_t first, hsize_t n, int64_t width, void *out);

#endif
