/* array.h: the array as the array layer knows it, windows, and the arithmetic of shapes. */
#ifndef POYI_ARRAY_H
#define POYI_ARRAY_H

#include "ops/ops.h"

typedef struct poyi_buffer poyi_buffer;

struct poy_array {
    poyi_buffer *buffer;
    poy_backend *be; /* the buffer's */
    void *mem;       /* the buffer's */
    int64_t offset, size;
    poy_dtype dtype;
    int rank;
    int contiguous; /* C order, no gaps */
    int distinct;   /* no two elements share memory: it may be written to */
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
};

/* One more holder of a buffer, who gives it back with poyi_buffer_drop. */
poyi_buffer *poyi_buffer_keep(poyi_buffer *buffer);
void poyi_buffer_drop(poyi_buffer *buffer);
/* What it enters into the ledger as the memory of a program; 0 for others. */
size_t poyi_buffer_program_bytes(const poyi_buffer *buffer);
/* The ledger's name for copies that calls make on the way: those of a program stay as long as it does. */
const char *poyi_array_copies(const poy_ctx *ctx);

/* An array under a ledger name (a static string), C-contiguous. Errors: also POY_ERR_UNSUPPORTED for an "array", one that
 * its user sees, while a program is recorded. */
poy_status poyi_array_create(poy_ctx *ctx, poy_backend *be, const char *ledger, poy_dtype dtype, int rank,
                             const int64_t *extent, poy_array **out);

/* ---- shapes ---- */

/* Room for a shape as text, "[2, 3, 4]". */
typedef struct poyi_shape_text {
    char text[POY_RANK_MAX * 22 + 4];
} poyi_shape_text;
poyi_shape_text poyi_shape_print(int rank, const int64_t *extent);

int poyi_shape_equal(int rank_a, const int64_t *a, int rank_b, const int64_t *b);
/* Joins the shape b to shape a by broadcasting; 0 where they do not fit. */
int poyi_shape_join(int *rank, int64_t *extent, int rank_b, const int64_t *b);
/* Number of elements, and whether the bytes of any contiguous part of it are countable. Errors: POY_ERR_SHAPE (rank,
 * negative extent), POY_ERR_MEMORY. */
poy_status poyi_shape_size(poy_ctx *ctx, poy_dtype dtype, int rank, const int64_t *extent, int64_t *size);
void poyi_shape_strides(int rank, const int64_t *extent, int64_t *stride);
/* axis counted from the end where negative; -1: there is none such. A shape of rank 0 takes 0 and -1 as axis 0. */
int poyi_shape_axis(int rank, int axis);

/* The strides with which a shape is read when it is broadcast to another. */
void poyi_shape_broadcast_strides(int rank, const int64_t *extent, const int64_t *stride, int rank_to,
                                  const int64_t *extent_to, int64_t *stride_to);
/* Lowest and highest element, relative to the window's first; size > 0. 0 where they cannot be represented. */
int poyi_window_range(int rank, const int64_t *extent, const int64_t *stride, int64_t *low, int64_t *high);
int poyi_window_contiguous(int rank, const int64_t *extent, const int64_t *stride);
int poyi_window_distinct(int rank, const int64_t *extent, const int64_t *stride);

/* The strides of a window on a's elements in another shape of as many; 0 where it has gaps that a new axis would have to
 * cross. */
int poyi_reshape_strides(const poy_array *a, int rank, const int64_t *extent, int64_t *stride);

/* ---- nests: up to four windows of one shape, walked together ---- */

enum { POYI_NEST_MAX = 4 };
typedef struct poyi_nest {
    int n, rank; /* windows, axes */
    int64_t extent[POY_RANK_MAX];
    int64_t stride[POYI_NEST_MAX][POY_RANK_MAX], offset[POYI_NEST_MAX];
} poyi_nest;

/* The axes first .. first + count - 1 of a nest in normal form: without extents of 1, running so that the strides of
 * window lead are positive and fall, neighbours merged where all windows allow. Returns how many axes are left there;
 * later axes move up. Extents > 0. */
int poyi_nest_normalise(poyi_nest *nest, int first, int count, int lead);
/* Window k of a nest on an array's memory. */
void poyi_nest_tensor(const poyi_nest *nest, int k, const poy_array *a, poy_tensor *out);

#endif
