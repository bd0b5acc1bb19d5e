/* spoil.h: an HDF5 file in which datasets, groups and attributes go, or become of another type or shape, as an input says. The
 * bytes of HDF5 itself are the library's matter. */
#ifndef SPOIL_H
#define SPOIL_H

#include <hdf5.h>

#include "fuzz.h"

enum { SPOIL_PATHS_MAX = 128 };

typedef struct spoil_file {
    char paths[SPOIL_PATHS_MAX][96];
    int n_paths;
    const char *const *attributes; /* names that are worth spoiling */
    int n_attributes;
    const char *text; /* what texts are made of; less than 2 KiB */
} spoil_file;

/* The objects of a whole file. */
void spoil_list(spoil_file *f, const char *path);
void spoil_copy(const char *from, const char *to);
/* One change. */
void spoil(const spoil_file *f, hid_t file, fuzz_bytes *b);

#endif
