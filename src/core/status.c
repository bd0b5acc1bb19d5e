/* status.c: names and texts of status codes and element types; the version. */
#include <float.h>

#include "core/core.h"

typedef struct row {
    const char *name, *text, *python;
    int exit_code;
} row;

static const row rows[POY_STATUS_COUNT] = {
    [POY_OK] = {"OK", "no failure", "", 0},
#define POY_STATUS(name, exit_code, python, text) [POY_ERR_##name] = {#name, text, python, exit_code},
#include "poynting/status.def"
#undef POY_STATUS
};

/* A third party may return any number: it reads as an internal fault. */
static const row *row_of(poy_status status)
{
    return (unsigned)status < POY_STATUS_COUNT ? &rows[status] : &rows[POY_ERR_INTERNAL];
}

const char *poy_status_name(poy_status status)
{
    return row_of(status)->name;
}

const char *poy_status_text(poy_status status)
{
    return row_of(status)->text;
}

int poy_status_exit_code(poy_status status)
{
    return row_of(status)->exit_code;
}

const char *poy_status_python(poy_status status)
{
    return row_of(status)->python;
}

static const struct {
    const char *name;
    size_t size;
    poy_dtype real;
} dtypes[POY_DTYPE_COUNT] = {
    [POY_F32] = {"f32", 4, POY_F32},    [POY_F64] = {"f64", 8, POY_F64}, [POY_C64] = {"c64", 8, POY_F32},
    [POY_C128] = {"c128", 16, POY_F64}, [POY_I32] = {"i32", 4, POY_I32}, [POY_I64] = {"i64", 8, POY_I64},
    [POY_B8] = {"b8", 1, POY_B8},
};

size_t poy_dtype_size(poy_dtype dtype)
{
    return dtypes[dtype].size;
}

const char *poy_dtype_name(poy_dtype dtype)
{
    return dtypes[dtype].name;
}

int poy_dtype_is_complex(poy_dtype dtype)
{
    return dtypes[dtype].real != dtype;
}

poy_dtype poy_dtype_real(poy_dtype dtype)
{
    return dtypes[dtype].real;
}

poy_dtype poy_dtype_complex(poy_dtype dtype)
{
    return dtype == POY_F32 || dtype == POY_C64 ? POY_C64 : POY_C128;
}

poy_status poy_dtype_float_limits(poy_ctx *ctx, poy_dtype dtype, poy_float_limits *out)
{
    static const poy_float_limits of[2] = {{FLT_EPSILON, FLT_MIN, 0x1p-149, FLT_MAX},
                                           {DBL_EPSILON, DBL_MIN, 0x1p-1074, DBL_MAX}};
    *out = (poy_float_limits){0};
    if ((unsigned)dtype > POY_C128)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s is no floating type",
                         (unsigned)dtype < POY_DTYPE_COUNT ? poy_dtype_name(dtype) : "what is asked about");
    *out = of[poy_dtype_real(dtype) == POY_F64];
    return POY_OK;
}

poy_status poy_dtype_whole_limits(poy_ctx *ctx, poy_dtype dtype, int64_t *lowest, int64_t *highest)
{
    *lowest = *highest = 0;
    if (dtype != POY_I32 && dtype != POY_I64 && dtype != POY_B8)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "%s is no type of whole numbers",
                         (unsigned)dtype < POY_DTYPE_COUNT ? poy_dtype_name(dtype) : "what is asked about");
    *lowest = dtype == POY_I32 ? INT32_MIN : dtype == POY_I64 ? INT64_MIN : 0;
    *highest = dtype == POY_I32 ? INT32_MAX : dtype == POY_I64 ? INT64_MAX : 1;
    return POY_OK;
}

const char *poy_version(void)
{
    return "0.1.0";
}
