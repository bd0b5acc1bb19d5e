/* ref.c: the reference backend: every operation and row in plain C from its formula, without threads and without
 * vector instructions; the oracle of the other backends, and their stand-in for what they lack. */
#include "backends/ref/ref.h"

static poy_status open_ref(poy_ctx *ctx, const char *settings, void **be)
{
    *be = NULL;
    if (*settings)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "backend 'ref' has no settings, got '%s'", settings);
    return POY_OK;
}

static void close_ref(void *be)
{
    (void)be;
}

/* One function serves all element types of a row. */
#define ENTRY(op, fam, type) {.name = #op, .family = POY_FAMILY_##fam, .dtype = POY_##type, .cell.fam = poyi_ref_##op},
#define ENTRIES_REAL(op, fam) ENTRY(op, fam, F32) ENTRY(op, fam, F64)
#define ENTRIES_COMPLEX(op, fam) ENTRY(op, fam, C64) ENTRY(op, fam, C128)
#define ENTRIES_FLOAT(op, fam) ENTRIES_REAL(op, fam) ENTRY(op, fam, C64) ENTRY(op, fam, C128)
#define ENTRIES_SUM(op, fam) ENTRIES_FLOAT(op, fam) ENTRY(op, fam, I64)
#define ENTRIES_NUMBER(op, fam) ENTRIES_SUM(op, fam) ENTRY(op, fam, I32)
#define ENTRIES_ALL(op, fam) ENTRIES_NUMBER(op, fam) ENTRY(op, fam, B8)
#define ENTRIES_ORDER(op, fam) ENTRIES_REAL(op, fam) ENTRY(op, fam, I32) ENTRY(op, fam, I64) ENTRY(op, fam, B8)

static const poy_op_entry entries[] = {
#define POY_OP(name, family, dtypes, out, tol, scale, text) ENTRIES_##dtypes(name, family)
#include "poynting/ops.def"
#undef POY_OP
};

static const poy_op_entry *ops(void *be, size_t *n)
{
    (void)be;
    *n = sizeof entries / sizeof entries[0];
    return entries;
}

static const poy_row_entry *rows(void *be, size_t *n)
{
    (void)be;
    return poyi_ref_rows(n);
}

const poy_backend_api poyi_ref_api = {
    .abi = POY_BACKEND_ABI,
    .size = sizeof poyi_ref_api,
    .name = "ref",
    .flags = POY_BACKEND_HOST | POY_BACKEND_STRIDED,
    .open = open_ref,
    .close = close_ref,
    .alloc = poyi_host_alloc,
    .release = poyi_host_release,
    .write = poyi_host_write,
    .read = poyi_host_read,
    .ops = ops,
    .rows = rows,
};
