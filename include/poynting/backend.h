/* backend.h: all that the author of a backend includes.
 *
 * A backend is one poy_backend_api: memory, and two lists of functions bound by name when it is
 * opened: operations of ops.def (array layer), and rows of programs (pulse_rows.def, and fft,
 * matmul, ... where a program uses them). Where a backend in host memory lacks one, the reference
 * does the work; where a device backend lacks one, the call fails with POY_ERR_UNSUPPORTED and its
 * name. The front end does promotion, broadcasting, checks and output shapes, so that functions
 * see only valid, non-empty tensors of the dtype they are bound for. */
#ifndef POYNTING_BACKEND_H
#define POYNTING_BACKEND_H

#include "poynting/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

#define POY_BACKEND_ABI 1u

/* ---- the array layer ---- */

/* A normalised window on a backend's memory: rank >= 1, extents > 0, axes merged where possible and
 * ordered so that the last axis of the output has the smallest stride. Strides and offset in elements. */
typedef struct poy_tensor {
    void *mem;      /* the backend's handle; a pointer in host memory */
    int64_t offset; /* of the first element */
    poy_dtype dtype;
    int rank;
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
} poy_tensor;

/* A transform of length n along the last axis: sign -1 (forward) or +1. */
typedef struct poy_fft_arg {
    poy_fft_kind kind;
    int sign;
    int64_t n;
    double scale; /* multiplies the result */
} poy_fft_arg;

/* One function type for each family of operations. be: what open made. Outputs never overlap inputs
 * unless they are the same window and the row of ops.def allows it. */
typedef poy_status poy_fill_fn(poy_ctx *ctx, void *be, poy_scalar value, const poy_tensor *y);
typedef poy_status poy_copy_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y);
typedef poy_status poy_unary_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y);
typedef poy_status poy_binary_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z);
/* w from x, y, z; x is b8 for where. */
typedef poy_status poy_ternary_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z,
                                  const poy_tensor *w);
/* x has the kept axes first (those of y, perhaps none: y is one element then), then n_reduced >= 1 reduced ones,
 * which argmax and argmin get in the order of the places that they tell. */
typedef poy_status poy_reduce_fn(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y);
/* Along the last axis of x and y, which have the other axes in common. */
typedef poy_status poy_line_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y);
/* y[..., i] = x[..., index[i]]; index: i64, rank 1, negative places count from the end. POY_ERR_INDEX out of range. */
typedef poy_status poy_take_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *index,
                               const poy_tensor *y);
/* y[..., index[i]] from v[..., i], for i = 0, 1, ...; nothing is written if a place is out of range. */
typedef poy_status poy_put_fn(poy_ctx *ctx, void *be, const poy_tensor *index, const poy_tensor *v,
                              const poy_tensor *y);
/* z, one element, from two vectors. */
typedef poy_status poy_dot_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z);
/* Factors and solutions of stacks of matrices: tensors of rank 3, dense, [matrices, rows, columns]; vectors are one row.
 * in is the call's own and may be written to. solve: in a, b; out x. cholesky: in a; out l. eigh: in a; out w, v.
 * svd: in a; out u, s, vh. lu: in a; out l, u, perm (one row, i64). qr: in a; out q, r. eig: in a; out w, v, complex, in any
 * order. The gauge of linalg.h holds. */
typedef struct poy_linalg_arg {
    int values_only; /* v, u and vh may hold anything afterwards */
    int full;        /* svd: u and vh are square */
} poy_linalg_arg;
typedef poy_status poy_linalg_fn(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                 const poy_tensor *out);
/* z[..., i, j] = sum over k of x[..., i, k] y[..., k, j]; three tensors of equal rank >= 2. */
typedef poy_status poy_matmul_fn(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z);
/* Rows of a sparse matrix. start [rows + 1] and index are vectors of one type, i32 or i64, checked. run [rows], of the same
 * type, is what is known of their structure, NULL where that is not worth a look, and may be passed over: the |run[i]| rows
 * from i on have as many entries each, in the columns of the row before moved by one; run[i] < 0: and equal values. */
typedef struct poy_sparse_arg {
    int conjugate;
    const poy_tensor *start, *index, *v, *run;
} poy_sparse_arg;
/* y[i, :] = sum of v[e] x[index[e], :] over start[i] <= e < start[i + 1], of conj(v[e]) if conjugate; x and y dense
 * matrices. */
typedef poy_status poy_sparse_fn(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x,
                                 const poy_tensor *y);
typedef poy_status poy_fft_fn(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x, const poy_tensor *y);

typedef enum poy_family {
    POY_FAMILY_fill,
    POY_FAMILY_copy,
    POY_FAMILY_unary,
    POY_FAMILY_binary,
    POY_FAMILY_reduce,
    POY_FAMILY_matmul,
    POY_FAMILY_fft,
    POY_FAMILY_ternary,
    POY_FAMILY_line,
    POY_FAMILY_take,
    POY_FAMILY_put,
    POY_FAMILY_dot,
    POY_FAMILY_linalg,
    POY_FAMILY_sparse
} poy_family;

typedef union poy_cell {
    poy_fill_fn *fill;
    poy_copy_fn *copy; /* x and y may differ in dtype; any strides, whatever the backend's flags */
    poy_unary_fn *unary;
    poy_binary_fn *binary;
    poy_reduce_fn *reduce;
    poy_matmul_fn *matmul;
    poy_fft_fn *fft;
    poy_ternary_fn *ternary;
    poy_line_fn *line;
    poy_take_fn *take;
    poy_put_fn *put;
    poy_dot_fn *dot;
    poy_linalg_fn *linalg;
    poy_sparse_fn *sparse;
} poy_cell;

/* One operation for one dtype (that of its first input; of its output for fill, of y and z for where; cis_mul: of x and z, y
 * being of the real companion). */
typedef struct poy_op_entry {
    const char *name; /* as in ops.def */
    poy_family family;
    poy_dtype dtype;
    poy_cell cell;
} poy_op_entry;

/* ---- programs ---- */

/* What a step of a bound program may touch: handle and byte offset (a device's handle has no address arithmetic). */
typedef struct poy_buffer {
    void *mem;
    int64_t offset;
} poy_buffer;

enum { POY_STEP_BUFFERS = 8 };

/* One row of a bound program. Steps lie in one array and are run in order; a step enqueues its work and
 * never reads back. Rows have no state of their own but plan. */
typedef struct poy_step {
    poy_status (*run)(poy_ctx *ctx, const struct poy_step *step, void *be, const double *scalars);
    void *plan;      /* what prepare made: an FFT plan, a kernel with its constant arguments set */
    const void *arg; /* the row's constants, owned by the program */
    poy_buffer buf[POY_STEP_BUFFERS];
    uint32_t scalar; /* index of the row's first double in the scalar block */
    uint16_t row, group;
    uint8_t n_buf, flags;
} poy_step;

/* A contiguous buffer of a program: cols columns of len elements; column c starts at c * len. */
typedef struct poy_slot {
    poy_dtype dtype;
    int64_t cols, len;
} poy_slot;

/* What prepare is told of a row. */
typedef struct poy_row_spec {
    const char *row;
    int n_slots;
    poy_slot slot[POY_STEP_BUFFERS]; /* shapes of step->buf, in the order of the row's signature */
    const void *arg;                 /* the row's argument struct (pulse_rows.h) */
    int n_scalars;
} poy_row_spec;

/* A backend's implementation of one row.
 * prepare is called twice. First without memory (step->buf[0].mem is NULL): it sets step->run to the variant
 * that serves the spec, or leaves it NULL where it has none (the row is then delegated or refused by name), and
 * *work to the bytes of scratch that it needs; it allocates nothing. Then with the memory in place
 * (work: its scratch): it makes step->plan. release gives the plan back. */
typedef struct poy_row_entry {
    const char *row;
    poy_status (*prepare)(poy_ctx *ctx, void *be, const poy_row_spec *spec, poy_buffer work, poy_step *step,
                          size_t *work_bytes);
    void (*release)(void *be, poy_step *step); /* may be NULL */
} poy_row_entry;

/* ---- the backend ---- */

/* Bytes: what malloc gives on 64-bit systems. Backends may want more of their own memory, and see to it in alloc. */
enum { POY_BACKEND_ALIGN = 16 };

enum {
    POY_BACKEND_HOST = 1,    /* handles are pointers to host memory */
    POY_BACKEND_STRIDED = 2, /* operations take any strides; else inputs arrive packed */
};

typedef struct poy_backend_api {
    uint32_t abi;  /* POY_BACKEND_ABI */
    uint32_t size; /* sizeof(poy_backend_api) of the header it was built with */
    const char *name;
    uint32_t flags;
    /* settings: what follows ':' in the spec, or "". Opening allocates no field-sized memory. */
    poy_status (*open)(poy_ctx *ctx, const char *settings, void **be);
    void (*close)(void *be);
    /* With POY_BACKEND_HOST aligned to POY_BACKEND_ALIGN, or it is given back and refused. The library keeps the ledger. */
    poy_status (*alloc)(poy_ctx *ctx, void *be, size_t bytes, void **mem);
    void (*release)(void *be, void *mem);
    poy_status (*write)(poy_ctx *ctx, void *be, poy_buffer to, const void *host, size_t bytes);
    poy_status (*read)(poy_ctx *ctx, void *be, poy_buffer from, void *host, size_t bytes);
    /* The lists, which may depend on the state (instruction set, device). An entry without a name or a function, or one that
     * stands there twice, is POY_ERR_BACKEND when the backend is opened; names, families and element types that this library
     * does not know are left out, with a warning. */
    const poy_op_entry *(*ops)(void *be, size_t *n);
    const poy_row_entry *(*rows)(void *be, size_t *n);
    /* Optional: all steps at once (a queue, a graph); NULL: one after the other. */
    poy_status (*run_steps)(poy_ctx *ctx, void *be, const poy_step *steps, int n, const double *scalars);
    void (*describe)(void *be, size_t size, char *out); /* facts, one a line; may be NULL */
    /* Optional: how many times the bound of an operation's row this backend needs in that type, from 1 to 4, where its
     * processor has a coarser function. Conformance grants it, and shows it. NULL: 1 everywhere. */
    double (*tolerance)(void *be, const char *op, poy_dtype dtype);
} poy_backend_api;

/* Makes a backend known to the engine. Errors: POY_ERR_CONFLICT (name taken), POY_ERR_BACKEND (other abi). */
POY_API poy_status poy_backend_register(poy_ctx *ctx, const poy_backend_api *api);
/* The same from a shared object that exports poy_backend_entry. Errors: POY_ERR_IO, POY_ERR_BACKEND. */
POY_API poy_status poy_backend_load(poy_ctx *ctx, const char *path);
typedef const poy_backend_api *poy_backend_entry_fn(uint32_t abi);

/* Who does an operation or a row on this backend. */
typedef enum poy_origin { POY_ABSENT, POY_NATIVE, POY_DELEGATED } poy_origin;
POY_API poy_origin poy_backend_origin(const poy_backend *be, const char *op, poy_dtype dtype);
POY_API poy_origin poy_backend_row_origin(const poy_backend *be, const char *row);

#ifdef __cplusplus
}
#endif
#endif
