/* extent.h: bytes of a result file that differ from the disk, for its driver (file.c). */
#ifndef POYI_STORE_EXTENT_H
#define POYI_STORE_EXTENT_H

#include <hdf5.h>

typedef struct poyi_extent {
    haddr_t at;
    size_t size;
    H5FD_mem_t type; /* what HDF5 keeps there */
    unsigned char *data;
} poyi_extent;

/* Disjoint, sorted by place. */
typedef struct poyi_extents {
    poyi_extent *list;
    size_t n, capacity;
} poyi_extents;

/* Lays data over what is there; what overlaps becomes one. 0, or -1: no memory. */
int poyi_extents_put(poyi_extents *e, haddr_t at, size_t size, H5FD_mem_t type, const void *data);
/* Lays the extents over a buffer that was read from the disk. */
void poyi_extents_overlay(const poyi_extents *e, haddr_t at, size_t size, unsigned char *buffer);
haddr_t poyi_extents_end(const poyi_extents *e); /* 0: none */
void poyi_extents_drop(poyi_extents *e);
void poyi_extents_fini(poyi_extents *e);

/* The order in which they go to the disk so that the file can be read between any two of them: what is referred to comes
 * before what refers to it, lengths last. Numbers of the extents [n]; NULL: no memory. The caller frees it. */
size_t *poyi_extents_order(const poyi_extents *e);

#endif
