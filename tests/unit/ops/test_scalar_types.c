/* test_scalar_types.c: values of the host beside arrays: they raise the kind of a result, never its precision. */
#include "array_fixture.h"
#include "poynting/arrange.h"

enum { f32 = POY_F32, f64 = POY_F64, c64 = POY_C64, c128 = POY_C128, i32 = POY_I32, i64 = POY_I64, b8 = POY_B8 };

/* By the rule of the Python array API for numbers of the language, with f64 as the type of reals and i64 of whole numbers. */
static const unsigned char table[POY_DTYPE_COUNT][4] = {
    /*            truth whole real  complex */
    [POY_F32] = {f32, f32, f32, c64},      [POY_F64] = {f64, f64, f64, c128}, [POY_C64] = {c64, c64, c64, c64},
    [POY_C128] = {c128, c128, c128, c128}, [POY_I32] = {i32, i32, f64, c128}, [POY_I64] = {i64, i64, f64, c128},
    [POY_B8] = {b8, i64, f64, c128},
};

static void types(void)
{
    const int64_t three = 3;
    for (int t = 0; t < POY_DTYPE_COUNT; t++)
        for (int k = 0; k < 4; k++) {
            const poy_dtype want = (poy_dtype)table[t][k];
            poy_array *x = NULL, *y = NULL, *z = NULL, *wide = NULL;
            double got[6] = {0};
            MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, (poy_dtype)t, 1, &three, &x));
            ok(poy_scalar_type((poy_dtype)t, (poy_kind)k) == want, "%s beside kind %d", poy_dtype_name((poy_dtype)t),
               k);
            MUST(poy_scalar_beside(ctx, x, (poy_scalar){1, k == 3 ? 2 : 0}, (poy_kind)k, &y));
            ok(poy_mul(ctx, x, y, &z) == POY_OK && poy_array_rank(y) == 0 && poy_array_dtype(z) == want,
               "and a product: %s", z ? poy_dtype_name(poy_array_dtype(z)) : poy_ctx_message(ctx));
            MUST(poy_copy(ctx, z, POY_C128, &wide));
            MUST(poy_array_read(ctx, wide, got));
            ok(got[4] == 1 && got[5] == (k == 3 ? 2 : 0), "of that value");
            poy_array_destroy(&wide);
            poy_array_destroy(&z);
            poy_array_destroy(&y);
            poy_array_destroy(&x);
        }
}

static void values(void)
{
    static const int32_t x[2] = {1, 2}, sevens[2] = {7, 7};
    poy_array *a = vector_of(POY_I32, 2, x), *y = NULL;
    ok(poy_scalar_beside(ctx, a, (poy_scalar){0.5, 0}, POY_KIND_WHOLE, &y) == POY_ERR_ARGUMENT && !y,
       "half is not whole");
    ok(poy_scalar_beside(ctx, a, (poy_scalar){2, 0}, POY_KIND_TRUTH, &y) == POY_ERR_ARGUMENT && !y, "2 is no truth");
    ok(poy_scalar_beside(ctx, a, (poy_scalar){1, 1}, POY_KIND_REAL, &y) == POY_ERR_ARGUMENT && !y, "1 + i is not real");
    ok(poy_scalar_beside(ctx, a, (poy_scalar){0x1p31, 0}, POY_KIND_WHOLE, &y) == POY_ERR_RANGE && !y,
       "2^31 is beyond i32");
    ok(poy_scalar_beside(ctx, a, (poy_scalar){-0x1p31, 0}, POY_KIND_WHOLE, &y) == POY_OK, "its opposite is not");
    poy_array_destroy(&y);
    ok(poy_fill_like(ctx, a, (poy_scalar){7, 0}, &y) == POY_OK && is_vector(y, POY_I32, 2, sevens), "as many sevens");
    poy_array_destroy(&y);
    ok(poy_fill_like(ctx, a, (poy_scalar){(double)NAN, 0}, &y) == POY_ERR_ARGUMENT && !y, "NaN does not go into i32");
    poy_array_destroy(&a);
}

static void all(void)
{
    types();
    values();
}

int main(void)
{
    return on_each_backend(all);
}
