/* array_constants.c: pi, e, infinity and NaN as numbers of the array layer: windows on memory that is never written to. */
#include <math.h>
#include <string.h>

#include "ops/array.h"
#include "poynting/arrange.h"
#include "poynting/exchange.h"

#define PI_ 3.14159265358979323846
#define E_ 2.71828182845904523536

enum { CONSTANTS = POY_CONSTANT_NAN + 1 };
/* A complex one has an imaginary part of 0. */
static const double in_double[CONSTANTS][2] = {{PI_, 0}, {E_, 0}, {INFINITY, 0}, {NAN, 0}};
static const float in_single[CONSTANTS][2] = {{(float)PI_, 0}, {(float)E_, 0}, {INFINITY, 0}, {NAN, 0}};

poy_status poy_constant_array(poy_ctx *ctx, poy_backend *be, poy_constant which, poy_dtype dtype, poy_array **out)
{
    const int is_single = dtype == POY_F32 || dtype == POY_C64, is_double = dtype == POY_F64 || dtype == POY_C128;
    *out = NULL;
    if ((unsigned)which >= CONSTANTS)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "there is no constant %d", (int)which);
    if (!is_single && !is_double)
        return POYI_FAIL(ctx, POY_ERR_DTYPE, "a constant in element type %d: needs f32, f64, c64 or c128", (int)dtype);
    if (!poyi_backend_is_host(be)) {
        POYI_TRY(ctx, poy_fill(ctx, be, (poy_scalar){in_double[which][0], 0}, dtype, 0, NULL, out));
        return POY_OK;
    }
    const void *const value = is_single ? (const void *)in_single[which] : (const void *)in_double[which];
    void *host;
    memcpy(&host, &value, sizeof host); /* only read */
    POYI_TRY(ctx, poy_array_own(ctx, be, dtype, 0, NULL, NULL, host, POY_MEMORY_READ_ONLY, NULL, NULL, out));
    return POY_OK;
}
