/* ops.h: what the array layer, programs and the built-in backends know of each other: opened backends, the rows of
 * ops.def as a table, host memory. */
#ifndef POYI_OPS_H
#define POYI_OPS_H

#include "core/core.h"
#include "poynting/backend.h"

/* ---- the rows of ops.def ---- */

typedef enum poyi_op {
#define POY_OP(name, family, dtypes, out, tol, scale, text) POYI_OP_##name,
#include "poynting/ops.def"
#undef POY_OP
    POYI_OP_COUNT
} poyi_op;

/* Which element types a computation takes, and what others are promoted to (see ops.def). */
typedef enum poyi_dtypes {
    POYI_DTYPES_ALL,
    POYI_DTYPES_NUMBER,
    POYI_DTYPES_FLOAT,
    POYI_DTYPES_REAL,
    POYI_DTYPES_ORDER,
    POYI_DTYPES_SUM,
    POYI_DTYPES_COMPLEX
} poyi_dtypes;
typedef enum poyi_out {
    POYI_OUT_SAME,
    POYI_OUT_REAL,
    POYI_OUT_BOOL,
    POYI_OUT_INDEX,
    POYI_OUT_COMPLEX,
    POYI_OUT_ANY
} poyi_out;

typedef struct poyi_op_row {
    const char *name, *function; /* "add", "poy_add" */
    poy_family family;
    poyi_dtypes dtypes;
    poyi_out out;
    const char *text;
} poyi_op_row;
extern const poyi_op_row poyi_op_rows[POYI_OP_COUNT];

/* Whether a row has a computation in this element type. */
int poyi_op_takes(poyi_op op, poy_dtype dtype);

/* ---- opened backends ---- */

extern const poy_backend_api poyi_ref_api; /* src/backends/ref */
extern const poy_backend_api poyi_cpu_api; /* src/backends/cpu */

/* An operation at once, without tensors: n elements of each operand from p[k], stride[k] = 1 or 0 elements apart, the
 * output last; of a reduction or an inner product that is one element, of fill the input is a poy_scalar, of copy p[2] points
 * to the output's poy_dtype (NULL: the input's). take and put take an index of i64, whose n places are within a line of
 * stride[3] elements, the one that is read or written by it. 1 <= n <= POYI_AT_ONCE_MAX, of sort and argsort POYI_SORT_AT_ONCE_MAX. It
 * cannot fail, and its bits are those of the same operation by tensors. */
enum { POYI_AT_ONCE_MAX = 8192, POYI_SORT_AT_ONCE_MAX = 64 };
typedef void poyi_at_once(void *const p[4], const int64_t stride[4], int64_t n);
/* Those of the state of an open cpu, one for each of its ops; NULL where it has none. */
poyi_at_once *const *poyi_cpu_at_once(const void *be);

void *poyi_backend_state(const poy_backend *be);
const poy_backend_api *poyi_backend_api(const poy_backend *be);
poyi_engine *poyi_backend_engine(const poy_backend *be);
int poyi_backend_is_host(const poy_backend *be);
/* Not one of this library: its codes may come without an account. */
int poyi_backend_is_foreign(const poy_backend *be);
/* The reference that stands in for what a backend in host memory lacks: be itself where it is the reference, NULL on a
 * device. It is open as long as be is. */
poy_backend *poyi_backend_ref(poy_backend *be);
/* Memory of the backend, back by its release; of the ledger the caller thinks. Errors: the backend's; POY_ERR_BACKEND: in host
 * memory none, or not aligned to POY_BACKEND_ALIGN. *mem is NULL then. */
poy_status poyi_backend_alloc(poy_ctx *ctx, poy_backend *be, size_t bytes, void **mem);
/* One more holder of an opened backend, who gives it back with poy_backend_close. */
poy_backend *poyi_backend_keep(poy_backend *be);

/* Who has a row of programs: the backend (POY_NATIVE), the reference for it (POY_DELEGATED), or nobody. *entry is that
 * one's, or NULL. */
poy_origin poyi_backend_find_row(poy_backend *be, const char *row, const poy_row_entry **entry);
/* The function that does op in dtype, and the state to give it. Errors: POY_ERR_UNSUPPORTED. Logs once, as information,
 * where the reference stands in. */
poy_status poyi_backend_cell(poy_ctx *ctx, poy_backend *be, poyi_op op, poy_dtype dtype, poy_cell *cell, void **state);

/* ---- memory of backends that work in the host's ---- */

poy_status poyi_host_alloc(poy_ctx *ctx, void *be, size_t bytes, void **mem);
void poyi_host_release(void *be, void *mem);
poy_status poyi_host_write(poy_ctx *ctx, void *be, poy_buffer to, const void *host, size_t bytes);
poy_status poyi_host_read(poy_ctx *ctx, void *be, poy_buffer from, void *host, size_t bytes);

#endif
