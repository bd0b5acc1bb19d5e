/* test_misuse.c: arguments that are almost right: places out of range where nothing is moved, NULL in the place of an array,
 * numbers at the end of their range, norms of nothing. */
#include <float.h>

#include "array_fixture.h"
#include "poynting/poynting.h"

static int refused(poy_status status, poy_status want, const poy_array *y)
{
    const int good = status == want && !y;
    if (!good)
        note("%s instead of %s: %s", poy_status_name(status), poy_status_name(want), poy_ctx_message(ctx));
    poy_ctx_clear(ctx);
    return good;
}

/* NumPy raises IndexError for these, too. */
static void idle_places(void)
{
    const int64_t none[2] = {3, 0}, one = 1, high = 3, low = -4, last = -3, full[2] = {1, 0};
    poy_array *x = NULL, *over = vector_of(POY_I64, one, &high), *under = vector_of(POY_I64, one, &low),
              *within = vector_of(POY_I64, one, &last), *y = NULL, *v = NULL;
    poy_program *program = NULL;
    MUST(poy_array_create(ctx, be, POY_F64, 2, none, &x));
    MUST(poy_array_create(ctx, be, POY_F64, 2, full, &v));
    ok(refused(poy_take(ctx, x, over, 0, &y), POY_ERR_INDEX, y), "place 3 of 3 empty rows");
    ok(refused(poy_take(ctx, x, under, 0, &y), POY_ERR_INDEX, y), "place -4 of them");
    ok(refused(poy_put(ctx, x, over, v, 0, &y), POY_ERR_INDEX, y), "to be written to");
    ok(refused(poy_put_add(ctx, x, under, v, 0, &y), POY_ERR_INDEX, y), "to be added to");
    ok(poy_take(ctx, x, within, 0, &y) == POY_OK && is(y, POY_F64, 2, full, NULL), "place -3 is one of them");
    /* a recorded call's places may still change */
    MUST(poy_program_begin(ctx, be, "idle"));
    MUST(poy_take_into(ctx, x, over, 0, y));
    ok(poy_program_end(ctx, &program) == POY_OK && poy_program_run(ctx, program, 1) == POY_OK, "recorded");
    poy_program_destroy(&program);
    poy_array_destroy(&y);
    poy_array_destroy(&v);
    poy_array_destroy(&within);
    poy_array_destroy(&under);
    poy_array_destroy(&over);
    poy_array_destroy(&x);
}

static void nothing_given(void)
{
    const double values[2] = {1, 2};
    const int64_t first = 0;
    poy_array *x = vector_of(POY_F64, 2, values), *index = vector_of(POY_I64, 1, &first), *y = NULL;
    ok(refused(poy_exp(ctx, NULL, &y), POY_ERR_ARGUMENT, y), "exp of NULL");
    ok(refused(poy_add(ctx, x, NULL, &y), POY_ERR_ARGUMENT, y), "x + NULL");
    ok(refused(poy_add(ctx, NULL, x, &y), POY_ERR_ARGUMENT, y), "NULL + x");
    ok(refused(poy_where(ctx, x, NULL, x, &y), POY_ERR_ARGUMENT, y), "a choice of NULL");
    ok(refused(poy_sum(ctx, NULL, POY_ALL_AXES, NULL, 0, &y), POY_ERR_ARGUMENT, y), "a sum of NULL");
    ok(refused(poy_cumsum(ctx, NULL, 0, &y), POY_ERR_ARGUMENT, y), "a running sum");
    ok(refused(poy_matmul(ctx, x, NULL, &y), POY_ERR_ARGUMENT, y), "a product");
    ok(refused(poy_vdot(ctx, NULL, x, &y), POY_ERR_ARGUMENT, y), "an inner product");
    ok(refused(poy_take(ctx, x, NULL, 0, &y), POY_ERR_ARGUMENT, y), "places that are NULL");
    ok(refused(poy_put(ctx, x, index, NULL, 0, &y), POY_ERR_ARGUMENT, y), "values that are NULL");
    ok(refused(poy_array_wrap(ctx, be, POY_I64, 1, (int64_t[]){2}, NULL, NULL, &y), POY_ERR_ARGUMENT, y), "memory");
    ok(poy_array_wrap(ctx, be, POY_I64, 1, &first, NULL, NULL, &y) == POY_OK && !poy_array_size(y), "but for nothing");
    poy_array_destroy(&y);
    ok(poy_clip(ctx, x, NULL, NULL, &y) == POY_OK && is_vector(y, POY_F64, 2, values), "no bounds are none");
    poy_array_destroy(&y);
    poy_array_destroy(&index);
    poy_array_destroy(&x);
}

/* Backends of one name that are two. */
static void another_engine(void)
{
    const double values[2] = {1, 2};
    const int64_t n = 2;
    poy_ctx *other = NULL;
    poy_backend *there = NULL;
    poy_array *x = vector_of(POY_F64, 2, values), *y = NULL, *z = NULL;
    MUST(poy_ctx_create(&other));
    ok(poy_backend_open(other, poy_backend_name(be), &there) == POY_OK &&
           poy_fill(other, there, (poy_scalar){1, 0}, POY_F64, 1, &n, &y) == POY_OK,
       "the same of another engine");
    ok(poy_add(ctx, x, y, &z) == POY_ERR_BACKEND && strstr(poy_ctx_cause(ctx), "poy_ctx_fork"), "is told as that: %s",
       poy_ctx_cause(ctx));
    ok(poy_exp_into(ctx, x, y) == POY_ERR_BACKEND && strstr(poy_ctx_cause(ctx), "the output on another"), "%s",
       poy_ctx_cause(ctx));
    ok(poy_where(ctx, y, x, x, &z) == POY_ERR_BACKEND && refused(poy_where(ctx, NULL, x, x, &z), POY_ERR_ARGUMENT, z),
       "as a condition, too");
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    poy_backend_close(&there);
    poy_ctx_destroy(&other);
}

static void ends_of_ranges(void)
{
    const double wide[5] = {-DBL_MAX, -DBL_MAX / 2, 0, DBL_MAX / 2, DBL_MAX}, values[2] = {1, 2};
    const int64_t far = INT64_C(1) << 40, near = 0, zero = 0;
    double got[5] = {0};
    poy_array *x = vector_of(POY_F64, 2, values), *y = NULL, *row = vector_of(POY_I64, 1, &far),
              *column = vector_of(POY_I64, 1, &near), *value = vector_of(POY_F64, 1, values), *empty = NULL;
    poy_sparse *s = NULL;

    MUST(poy_linspace(ctx, be, -DBL_MAX, DBL_MAX, 5, POY_F64, &y));
    MUST(poy_array_read(ctx, y, got));
    int close = 1;
    for (int i = 0; i < 5; i++) /* three roundings of numbers up to DBL_MAX */
        close &= fabs(got[i] / 4 - wide[i] / 4) <= 3 * DBL_EPSILON / 4 * DBL_MAX;
    ok(close, "five numbers over the whole range: %g %g %g %g %g", got[0], got[1], got[2], got[3], got[4]);
    poy_array_destroy(&y);

    ok(refused(poy_diag(ctx, x, INT64_MAX, &y), POY_ERR_MEMORY, y), "a vector on the last of all diagonals");
    ok(refused(poy_diag(ctx, x, INT64_MIN, &y), POY_ERR_MEMORY, y), "on the first of all");

    ok(poy_sparse_create(ctx, POY_SPARSE_COO, 2, 2, row, column, value, &s) == POY_ERR_INDEX && !s &&
           strstr(poy_ctx_cause(ctx), "2147483647 or beyond"),
       "row 2^40 of 2 is told as what it is: %s", poy_ctx_cause(ctx));

    MUST(poy_array_create(ctx, be, POY_F64, 1, &zero, &empty));
    MUST(poy_vector_norm(ctx, empty, (double)INFINITY, 0, 0, &y));
    ok(is(y, POY_F64, 0, NULL, &(double){0}), "the largest norm of nothing is 0, as the others are");
    poy_array_destroy(&y);
    ok(refused(poy_vector_norm(ctx, empty, -(double)INFINITY, 0, 0, &y), POY_ERR_EMPTY, y), "there is no smallest");
    ok(refused(poy_vector_norm(ctx, empty, (double)INFINITY, 1, 0, &y), POY_ERR_AXIS, y), "nor another axis");
    poy_array_destroy(&empty);
    poy_array_destroy(&value);
    poy_array_destroy(&column);
    poy_array_destroy(&row);
    poy_array_destroy(&x);
}

static void all(void)
{
    idle_places();
    nothing_given();
    another_engine();
    ends_of_ranges();
}

int main(void)
{
    return on_each_backend(all);
}
