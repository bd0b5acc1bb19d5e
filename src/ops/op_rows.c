/* op_rows.c: the rows of ops.def as a table. */
#include "ops/ops.h"

const poyi_op_row poyi_op_rows[POYI_OP_COUNT] = {
#define POY_OP(name, family, dtypes, out, tol, scale, text) \
    [POYI_OP_##name] = {#name, "poy_" #name, POY_FAMILY_##family, POYI_DTYPES_##dtypes, POYI_OUT_##out, text},
#include "poynting/ops.def"
#undef POY_OP
};

int poyi_op_takes(poyi_op op, poy_dtype dtype)
{
    int is_float = dtype == POY_F32 || dtype == POY_F64 || dtype == POY_C64 || dtype == POY_C128;
    switch (poyi_op_rows[op].dtypes) {
    case POYI_DTYPES_ALL: return 1;
    case POYI_DTYPES_NUMBER: return dtype != POY_B8;
    case POYI_DTYPES_FLOAT: return is_float;
    case POYI_DTYPES_REAL: return dtype == POY_F32 || dtype == POY_F64;
    case POYI_DTYPES_ORDER: return !poy_dtype_is_complex(dtype);
    case POYI_DTYPES_COMPLEX: return dtype == POY_C64 || dtype == POY_C128;
    case POYI_DTYPES_SUM: return is_float || dtype == POY_I64;
    }
    return 0;
}
