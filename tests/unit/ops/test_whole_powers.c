/* test_whole_powers.c: powers of integers, which are integers whatever the exponents are, and of b8. */
#include "array_fixture.h"
#include "poynting/arrange.h"
#include "poynting/program.h"

/* By arithmetic: squares of 2^n - 1 are 1 modulo 2^(n+1); odd numbers to the power 2^62 are 1 modulo 2^64, since the order of
 * that group divides it; 3^40 = 12157665459056928801, 3^20 = 3486784401. */
static void closed_values(void)
{
    static const int64_t x[14] = {0, 0, -1, -1, 2, 2, 3, INT64_MIN, INT64_MIN, INT64_MAX, 7, 7, -3, INT64_MIN};
    static const int64_t y[14] = {0, 5, 7, 8, 63, 64, 40, 1, 2, 2, INT64_C(1) << 62, (INT64_C(1) << 62) + 1, 3, 0};
    static const int64_t want[14] = {1, 0, -1, 1, INT64_MIN, 0, -6289078614652622815, INT64_MIN, 0, 1, 1, 7, -27, 1};
    static const int32_t x32[8] = {0, 2, 2, 3, INT32_MIN, INT32_MAX, INT32_MAX, -2};
    static const int32_t y32[8] = {0, 31, 32, 20, 2, 2, INT32_MAX, 31};
    static const int32_t want32[8] = {1, INT32_MIN, 0, -808182895, 0, 1, INT32_MAX, INT32_MIN};
    static const unsigned char b[4] = {0, 0, 1, 1}, e[4] = {0, 1, 0, 1}, want_b8[4] = {1, 0, 1, 1};
    poy_array *a = vector_of(POY_I64, 14, x), *n = vector_of(POY_I64, 14, y), *z = NULL;
    ok(poy_pow(ctx, a, n, &z) == POY_OK && is_vector(z, POY_I64, 14, want), "modulo 2^64");
    poy_array_destroy(&z);
    poy_array_destroy(&n);
    poy_array_destroy(&a);
    a = vector_of(POY_I32, 8, x32);
    n = vector_of(POY_I32, 8, y32);
    ok(poy_pow(ctx, a, n, &z) == POY_OK && is_vector(z, POY_I32, 8, want32), "modulo 2^32");
    poy_array_destroy(&z);
    ok(poy_power_of(ctx, a, n, &z) == POY_OK && is_vector(z, POY_I32, 8, want32), "also among complex powers");
    poy_array_destroy(&z);
    poy_array_destroy(&n);
    poy_array_destroy(&a);
    a = vector_of(POY_B8, 4, b);
    n = vector_of(POY_B8, 4, e);
    ok(poy_pow(ctx, a, n, &z) == POY_OK && is_vector(z, POY_B8, 4, want_b8), "of b8");
    poy_array_destroy(&z);
    poy_array_destroy(&n);
    poy_array_destroy(&a);
}

/* x of one type to the power 3 of another: 8 in the type of the table. */
static void promotion(void)
{
    static const poy_dtype types[] = {POY_B8, POY_I32, POY_I64, POY_F32, POY_F64};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            const poy_dtype type = poy_result_type(types[i], types[k]);
            poy_array *x = NULL, *y = NULL, *z = NULL, *wide = NULL;
            double got = 0;
            MUST(poy_fill(ctx, be, (poy_scalar){2, 0}, types[i], 0, NULL, &x));
            MUST(poy_fill(ctx, be, (poy_scalar){3, 0}, types[k], 0, NULL, &y));
            ok(poy_pow(ctx, x, y, &z) == POY_OK && poy_array_dtype(z) == type, "%s to the power %s is %s",
               poy_dtype_name(types[i]), poy_dtype_name(types[k]), poy_dtype_name(type));
            MUST(poy_copy(ctx, z, POY_F64, &wide));
            MUST(poy_array_read(ctx, wide, &got));
            ok(got == (i ? k ? 8 : 2 : 1), "and %g", got); /* of b8, 2 and 3 are 1 */
            poy_array_destroy(&wide);
            poy_array_destroy(&z);
            poy_array_destroy(&y);
            poy_array_destroy(&x);
        }
    const double one[2] = {1, 1};
    poy_array *x = make(POY_C128, 0, NULL, one), *z = NULL;
    ok(poy_pow(ctx, x, x, &z) == POY_ERR_DTYPE && !z, "complex ones are poy_power_of's");
    poy_array_destroy(&x);
}

static void shapes(void)
{
    static const int64_t x[2] = {2, -3}, y[3] = {0, 1, 3}, table[6] = {1, 2, 8, 1, -3, -27}, cubes[3] = {0, 1, 27};
    static const int64_t own[3] = {1, 1, 27}, backwards[3] = {8, 2, 1};
    const int64_t tall[2] = {2, 1}, wide[2] = {2, 3}, none[2] = {0, 3}, three = 3, two = 2;
    poy_array *a = make(POY_I64, 2, tall, x), *n = vector_of(POY_I64, 3, y), *z = NULL,
              *e = make(POY_I64, 0, NULL, &three);
    ok(poy_pow(ctx, a, n, &z) == POY_OK && is(z, POY_I64, 2, wide, table), "a column and a row");
    poy_array_destroy(&z);
    MUST(poy_copy(ctx, n, POY_I64, &z));
    ok(poy_pow_into(ctx, z, e, z) == POY_OK && is_vector(z, POY_I64, 3, cubes), "in the place of x");
    poy_array_destroy(&z);
    MUST(poy_copy(ctx, n, POY_I64, &z));
    ok(poy_pow_into(ctx, z, z, z) == POY_OK && is_vector(z, POY_I64, 3, own), "of both");
    poy_array_destroy(&z);
    poy_array *base = make(POY_I64, 0, NULL, &two), *turned = NULL;
    MUST(poy_copy(ctx, n, POY_I64, &z));
    MUST(poy_array_flip(ctx, z, 0, &turned));
    ok(poy_pow_into(ctx, base, turned, z) == POY_OK && is_vector(z, POY_I64, 3, backwards), "of y, turned around");
    poy_array_destroy(&turned);
    poy_array_destroy(&z);
    poy_array *empty = NULL;
    MUST(poy_array_create(ctx, be, POY_I64, 2, none, &empty));
    ok(poy_pow(ctx, empty, n, &z) == POY_OK && is(z, POY_I64, 2, none, NULL), "of nothing");
    poy_array_destroy(&z);
    poy_array_destroy(&empty);
    poy_array_destroy(&base);
    poy_array_destroy(&e);
    poy_array_destroy(&n);
    poy_array_destroy(&a);
}

/* More than one thread and one block of them: 2^i is bit i, of every third element. */
static void many(void)
{
    enum { MANY = 60001 };
    static int64_t y[MANY], got[(MANY + 2) / 3];
    const int64_t two = 2;
    int good = 1;
    for (int i = 0; i < MANY; i++)
        y[i] = i % 3 ? -i : (i / 3) % 80; /* those between are not looked at */
    poy_array *x = make(POY_I64, 0, NULL, &two), *all = vector_of(POY_I64, MANY, y), *some = NULL, *z = NULL;
    MUST(poy_array_slice(ctx, all, 0, INT64_MIN, INT64_MIN, 3, &some));
    ok(poy_pow(ctx, x, some, &z) == POY_OK && poy_array_read(ctx, z, got) == POY_OK, "exponents among others");
    for (int i = 0; i < (MANY + 2) / 3; i++)
        good = good && got[i] == (i % 80 < 64 ? (int64_t)(UINT64_C(1) << i % 80) : 0);
    ok(good, "are bits");
    poy_array_destroy(&z);
    ok(poy_pow(ctx, x, all, &z) == POY_ERR_ARGUMENT && !z, "the others are below 0");
    poy_array_destroy(&some);
    poy_array_destroy(&all);
    poy_array_destroy(&x);
}

/* The type does not depend on the data, so there is no integer for an exponent below 0, whatever x is. */
static void below_zero(void)
{
    static const int64_t x[3] = {1, 2, 3}, y[3] = {0, -3, 2}, before[3] = {7, 8, 9};
    static const double quotients[3] = {1, 0.125, 9};
    poy_array *a = vector_of(POY_I64, 3, x), *n = vector_of(POY_I64, 3, y), *z = vector_of(POY_I64, 3, before),
              *made = NULL;
    ok(poy_pow(ctx, a, n, &made) == POY_ERR_ARGUMENT && !made && strstr(poy_ctx_message(ctx), "exponent -3") &&
           strstr(poy_ctx_message(ctx), "f64"),
       "refused, with what to do: %s", poy_ctx_message(ctx));
    ok(poy_pow_into(ctx, a, n, z) == POY_ERR_ARGUMENT && is_vector(z, POY_I64, 3, before), "z is as it was");
    ok(poy_pow_into(ctx, a, n, n) == POY_ERR_ARGUMENT && is_vector(n, POY_I64, 3, y), "also where it is y");
    poy_array *wide = NULL;
    MUST(poy_copy(ctx, a, POY_F64, &wide));
    ok(poy_pow(ctx, wide, n, &made) == POY_OK && is_vector(made, POY_F64, 3, quotients), "which is done");
    poy_array_destroy(&made);
    poy_array_destroy(&wide);
    /* In a program it is the run that fails. */
    static const int64_t good[3] = {3, 2, 1}, powers[3] = {1, 4, 3};
    poy_program *p = NULL;
    MUST(poy_program_begin(ctx, be, "powers"));
    MUST(poy_pow_into(ctx, a, n, z));
    MUST(poy_program_end(ctx, &p));
    ok(poy_program_run(ctx, p, 1) == POY_ERR_ARGUMENT && is_vector(z, POY_I64, 3, before),
       "a program that runs into one");
    MUST(poy_array_write(ctx, n, good));
    ok(poy_program_run(ctx, p, 1) == POY_OK && is_vector(z, POY_I64, 3, powers), "and on with others");
    poy_program_destroy(&p);
    poy_array_destroy(&z);
    poy_array_destroy(&n);
    poy_array_destroy(&a);
}

static void all(void)
{
    closed_values();
    promotion();
    shapes();
    many();
    below_zero();
}

int main(void)
{
    return on_each_backend(all);
}
