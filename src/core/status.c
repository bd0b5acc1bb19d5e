/* status.c: names and texts of status codes and element types; the version. */
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

const char *poy_version(void)
{
    return "0.1.0";
}
