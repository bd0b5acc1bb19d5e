/* test_reduce_as.c: sums, products and concatenations in a type of the caller's, on both backends: what NumPy's dtype= does. */
#include "array_fixture.h"
#include "poynting/poynting.h"

#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})

static poy_array *y;

/* y is a number of that type and value; it goes. */
static int is_number(poy_status status, poy_dtype dtype, const void *value)
{
    const int good = status == POY_OK && is(y, dtype, 0, NULL, value);
    poy_array_destroy(&y);
    return good;
}

static int is_refused(poy_status status, poy_status want)
{
    const int good = status == want && !y;
    if (!good)
        note("%s, should be %s", poy_status_name(status), poy_status_name(want));
    poy_array_destroy(&y);
    return good;
}

static void wider(void)
{
    /* 2^24 + 1 + 1 + ... : in f32 each 1 is lost, in f64 none */
    float big[] = {0x1p24f, 1, 1, 1, 1, 1, 1};
    poy_array *x = vector_of(POY_F32, 7, big);
    ok(is_number(poy_sum_as(ctx, x, POY_F64, POY_ALL_AXES, NULL, 0, &y), POY_F64, (const double[]){0x1p24 + 6}),
       "f32 is added as f64");
    ok(is_number(poy_sum_as(ctx, x, POY_C128, POY_ALL_AXES, NULL, 0, &y), POY_C128, (const double[]){0x1p24 + 6, 0}),
       "and as c128");
    poy_array_destroy(&x);
    x = vector_of(POY_F32, 2, (const float[]){0x1p100f, 0x1p100f});
    ok(is_number(poy_prod_as(ctx, x, POY_F64, POY_ALL_AXES, NULL, 0, &y), POY_F64, (const double[]){0x1p200}),
       "products beyond f32");
    poy_array_destroy(&x);
    x = vector_of(POY_I32, 2, (const int32_t[]){7, 9});
    ok(is_number(poy_sum_as(ctx, x, POY_F32, POY_ALL_AXES, NULL, 0, &y), POY_F32, (const float[]){16}),
       "integers as f32");
    poy_array_destroy(&x);
}

/* What is cast is each element, not the result. */
static void narrower(void)
{
    poy_array *x = vector_of(POY_F64, 4, (const double[]){1.75, 1.75, -1.75, 1e300});
    ok(is_number(poy_sum_as(ctx, x, POY_I64, POY_ALL_AXES, NULL, 0, &y), POY_I64, (const int64_t[]){INT64_MIN}),
       "towards zero and saturated, then added, which wraps: 1 + 1 - 1 + INT64_MAX");
    ok(is_number(poy_sum_as(ctx, x, POY_I32, POY_ALL_AXES, NULL, 0, &y), POY_I32, (const int32_t[]){INT32_MIN}),
       "likewise in i32");
    ok(is_number(poy_sum_as(ctx, x, POY_F32, POY_ALL_AXES, NULL, 0, &y), POY_F32, (const float[]){INFINITY}),
       "1e300 is an infinity of f32");
    poy_array_destroy(&x);
}

static void of_i32(void)
{
    const int32_t values[] = {INT32_MAX, 2, 3, -5, 65536, 65536, 7, -1};
    poy_array *x = make(POY_I32, 2, EXTENT(2, 4), values), *out = NULL;
    const int first = 0, last = -1;
    ok(poy_sum_as(ctx, x, POY_I32, 1, &last, 0, &y) == POY_OK &&
           is(y, POY_I32, 1, EXTENT(2), (const int32_t[]){INT32_MAX, 131078}),
       "sums of i32 stay i32");
    poy_array_destroy(&y);
    ok(poy_prod_as(ctx, x, POY_I32, 1, &first, 1, &y) == POY_OK &&
           is(y, POY_I32, 2, EXTENT(1, 4), (const int32_t[]){-65536, 131072, 21, 5}),
       "products wrap: (2^31 - 1) 2^16 is -2^16 modulo 2^32; keepdims");
    poy_array_destroy(&y);
    MUST(poy_array_create(ctx, be, POY_I32, 1, EXTENT(4), &out));
    ok(poy_sum_as_into(ctx, x, 1, &first, 0, out) == POY_OK &&
           is(out, POY_I32, 1, EXTENT(4), (const int32_t[]){INT32_MIN + 65535, 65538, 10, -6}),
       "into an output, in its type");
    ok(poy_sum_as_into(ctx, x, POY_ALL_AXES, NULL, 0, out) == POY_ERR_SHAPE, "which has its shape: %s",
       poy_ctx_cause(ctx));
    poy_array_destroy(&out);
    MUST(poy_array_create(ctx, be, POY_F64, 1, EXTENT(4), &out));
    ok(poy_prod_as_into(ctx, x, 1, &first, 0, out) == POY_OK &&
           is(out, POY_F64, 1, EXTENT(4), (const double[]){(double)INT32_MAX * 65536, 131072, 21, 5}),
       "and in f64");
    poy_array_destroy(&out);
    poy_array_destroy(&x);
}

static void of_truth(void)
{
    poy_array *x = vector_of(POY_F64, 3, (const double[]){0, 0.25, 0}), *c = NULL, *none = NULL;
    ok(is_number(poy_sum_as(ctx, x, POY_B8, POY_ALL_AXES, NULL, 0, &y), POY_B8, "\1"), "a sum of b8 is or");
    ok(is_number(poy_prod_as(ctx, x, POY_B8, POY_ALL_AXES, NULL, 0, &y), POY_B8, "\0"), "a product and");
    poy_array_destroy(&x);
    c = vector_of(POY_C64, 1, (const float[]){0, 1});
    ok(is_number(poy_prod_as(ctx, c, POY_B8, POY_ALL_AXES, NULL, 0, &y), POY_B8, "\1"), "of complex ones, too");
    ok(is_refused(poy_sum_as(ctx, c, POY_F64, POY_ALL_AXES, NULL, 0, &y), POY_ERR_COMPLEX_TO_REAL),
       "no part is lost: %s", poy_ctx_cause(ctx));
    ok(is_refused(poy_prod_as(ctx, c, POY_I32, POY_ALL_AXES, NULL, 0, &y), POY_ERR_COMPLEX_TO_REAL), "nor in i32");
    ok(is_refused(poy_sum_as(ctx, c, (poy_dtype)99, POY_ALL_AXES, NULL, 0, &y), POY_ERR_DTYPE), "no such type");
    ok(is_refused(poy_sum_as(ctx, c, POY_C128, 1, (const int[]){1}, 0, &y), POY_ERR_AXIS), "no such axis");
    poy_array_destroy(&c);
    MUST(poy_array_create(ctx, be, POY_F64, 1, EXTENT(0), &none));
    ok(is_number(poy_sum_as(ctx, none, POY_I32, POY_ALL_AXES, NULL, 0, &y), POY_I32, (const int32_t[]){0}) &&
           is_number(poy_prod_as(ctx, none, POY_I32, POY_ALL_AXES, NULL, 0, &y), POY_I32, (const int32_t[]){1}),
       "of nothing 0 and 1");
    poy_array_destroy(&none);
}

static void recorded(void)
{
    const int32_t values[] = {INT32_MAX, 1}, later[] = {3, 4};
    poy_array *x = vector_of(POY_I32, 2, values), *out = NULL;
    poy_program *p = NULL;
    MUST(poy_array_create(ctx, be, POY_I32, 0, NULL, &out));
    MUST(poy_program_begin(ctx, be, "sum"));
    ok(poy_sum_as_into(ctx, x, POY_ALL_AXES, NULL, 0, out) == POY_OK && poy_program_end(ctx, &p) == POY_OK,
       "a program takes it");
    ok(poy_program_run(ctx, p, 1) == POY_OK && is(out, POY_I32, 0, NULL, (const int32_t[]){INT32_MIN}), "and runs it");
    MUST(poy_array_write(ctx, x, later));
    ok(poy_program_run(ctx, p, 1) == POY_OK && is(out, POY_I32, 0, NULL, (const int32_t[]){7}), "on other numbers");
    poy_program_destroy(&p);
    MUST(poy_program_begin(ctx, be, "sum"));
    ok(poy_sum_as(ctx, x, POY_I32, POY_ALL_AXES, NULL, 0, &y) == POY_ERR_UNSUPPORTED &&
           strstr(poy_ctx_cause(ctx), "poy_sum_as_into"),
       "what makes its result is refused: %s", poy_ctx_cause(ctx));
    poy_program_cancel(ctx);
    poy_array_destroy(&out);
    poy_array_destroy(&x);
}

static void concatenated(void)
{
    poy_array *i = vector_of(POY_I64, 1, (const int64_t[]){(INT64_C(1) << 53) + 1});
    poy_array *f = make(POY_F32, 2, EXTENT(1, 1), (const float[]){-2.5F}),
              *c = vector_of(POY_C64, 1, (const float[]){1, 1});
    const poy_array *const both[] = {i, f}, *const same[] = {i, i}, *const complex[] = {i, c};
    ok(poy_concatenate_as(ctx, POY_I64, 2, both, POY_FLAT, &y) == POY_OK &&
           is(y, POY_I64, 1, EXTENT(2), (const int64_t[]){(INT64_C(1) << 53) + 1, -2}),
       "each part is cast once: 2^53 + 1 does not go through f64");
    poy_array_destroy(&y);
    ok(poy_concatenate_as(ctx, POY_F32, 2, same, 0, &y) == POY_OK &&
           is(y, POY_F32, 1, EXTENT(2), (const float[]){0x1p53F, 0x1p53F}),
       "along an axis");
    poy_array_destroy(&y);
    ok(is_refused(poy_concatenate_as(ctx, POY_F64, 2, complex, 0, &y), POY_ERR_COMPLEX_TO_REAL), "c64 into f64: %s",
       poy_ctx_cause(ctx));
    ok(is_refused(poy_concatenate_as(ctx, (poy_dtype)-1, 2, same, 0, &y), POY_ERR_DTYPE), "no such type");
    ok(is_refused(poy_concatenate_as(ctx, POY_F64, 0, same, 0, &y), POY_ERR_EMPTY), "nothing");
    poy_array_destroy(&c);
    poy_array_destroy(&f);
    poy_array_destroy(&i);
}

static void all(void)
{
    wider();
    narrower();
    of_i32();
    of_truth();
    recorded();
    concatenated();
}

int main(void)
{
    return on_each_backend(all);
}
