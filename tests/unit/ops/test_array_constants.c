/* test_array_constants.c: pi, e, infinity and NaN as arrays: their values, that they take no memory and cannot be spoiled. */
#include "array_fixture.h"
#include "poynting/poynting.h"

static poy_array *y;

static int is_value(poy_constant which, poy_dtype dtype, const void *value)
{
    const int good = poy_constant_array(ctx, be, which, dtype, &y) == POY_OK && is(y, dtype, 0, NULL, value);
    poy_array_destroy(&y);
    return good;
}

static void values(void)
{
    ok(is_value(POY_CONSTANT_PI, POY_F64, (const double[]){0x1.921fb54442d18p1}) &&
           is_value(POY_CONSTANT_PI, POY_F32, (const float[]){0x1.921fb6p1f}) &&
           is_value(POY_CONSTANT_PI, POY_C128, (const double[]){0x1.921fb54442d18p1, 0}),
       "pi, rounded to each type");
    ok(is_value(POY_CONSTANT_E, POY_F64, (const double[]){0x1.5bf0a8b145769p1}) &&
           is_value(POY_CONSTANT_E, POY_C64, (const float[]){0x1.5bf0a8p1f, 0}),
       "e");
    ok(is_value(POY_CONSTANT_INFINITY, POY_F32, (const float[]){INFINITY}), "infinity");
    double nan = 0;
    ok(poy_constant_array(ctx, be, POY_CONSTANT_NAN, POY_F64, &y) == POY_OK && poy_array_read(ctx, y, &nan) == POY_OK &&
           isnan(nan),
       "NaN");
    poy_array_destroy(&y);
}

static void memory(void)
{
    poy_array *two = vector_of(POY_F32, 2, (const float[]){1, 2}), *z = NULL;
    const size_t before = poy_ctx_bytes(ctx);
    MUST(poy_constant_array(ctx, be, POY_CONSTANT_PI, POY_F32, &y));
    ok(poy_ctx_bytes(ctx) == before, "a constant takes no memory");
    ok(poy_mul(ctx, two, y, &z) == POY_OK &&
           is(z, POY_F32, 1, (const int64_t[]){2}, (const float[]){0x1.921fb6p1f, 0x1.921fb6p2f}),
       "it is an operand like others");
    ok(!poy_array_writable(y) && poy_array_write(ctx, y, "abcd") == POY_ERR_ARGUMENT &&
           poy_fill_into(ctx, (poy_scalar){3, 0}, y) == POY_ERR_ARGUMENT,
       "that cannot be written to: %s", poy_ctx_cause(ctx));
    poy_array_destroy(&z);
    poy_array_destroy(&y);
    poy_array_destroy(&two);
}

static void refusals(void)
{
    ok(poy_constant_array(ctx, be, POY_CONSTANT_PI, POY_I64, &y) == POY_ERR_DTYPE && !y, "none is whole: %s",
       poy_ctx_cause(ctx));
    ok(poy_constant_array(ctx, be, (poy_constant)9, POY_F64, &y) == POY_ERR_ARGUMENT && !y, "there are four: %s",
       poy_ctx_cause(ctx));
}

static void all(void)
{
    values();
    memory();
    refusals();
}

int main(void)
{
    return on_each_backend(all);
}
