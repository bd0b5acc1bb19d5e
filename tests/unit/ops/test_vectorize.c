/* test_vectorize.c: functions of single elements and small arrays over arrays that broadcast together. */
#include "array_fixture.h"
#include "poynting/arrange.h"
#include "poynting/control.h"
#include "poynting/ops.h"

/* What poy_ctx_message tells of the last failure. */
static int says(const char *words)
{
    return strstr(poy_ctx_message(ctx), words) != NULL;
}

static int counted; /* calls of the functions below */

/* x[0] - 2 x[1], of single elements. */
static poy_status differs(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    poy_array *twice = NULL;
    (void)user;
    counted++;
    if (poy_array_rank(x[0]) || poy_array_rank(x[1]))
        return poy_ctx_fail(c, POY_ERR_INTERNAL, "no single elements");
    poy_status status = poy_add(c, x[1], x[1], &twice);
    if (status == POY_OK)
        status = poy_sub(c, x[0], twice, out);
    poy_array_destroy(&twice);
    return status;
}

static poy_status product(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    (void)user;
    counted++;
    return poy_matmul(c, x[0], x[1], out);
}

/* (m,n),(n)->(m),() : a x and |x|^2. */
static poy_status image_and_square(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    const poy_status status = product(c, user, x, out);
    return status == POY_OK ? poy_vdot(c, x[1], x[1], &out[1]) : status;
}

/* (n)->(m): numbers 0 .. x[0] - 1, as many as the element says. */
static poy_status ramp(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    double n = 0;
    (void)user;
    counted++;
    const poy_status status = poy_array_read(c, x[0], &n);
    return status == POY_OK ? poy_arange(c, poy_array_backend(x[0]), 0, n, 1, POY_F64, out) : status;
}

/* f64 of elements below 2, f32 of the others. */
static poy_status type_by_value(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    double at = 0;
    (void)user;
    counted++;
    const poy_status status = poy_array_read(c, x[0], &at);
    return status == POY_OK ? poy_copy(c, x[0], at < 2 ? POY_F64 : POY_F32, out) : status;
}

static poy_status makes_nothing(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    (void)c, (void)user, (void)x, (void)out;
    return POY_OK;
}
static poy_status makes_and_fails(poy_ctx *c, void *user, poy_array *const *x, poy_array **out)
{
    const poy_status status = differs(c, user, x, out);
    return counted == 3 ? POY_ERR_SINGULAR : status; /* a bare code, in the third call */
}

/* ---- single elements ---- */

static void elements(void)
{
    static const double column[2] = {10, 20}, row[3] = {1, 2, 3}, want[6] = {8, 6, 4, 18, 16, 14};
    const int64_t tall[2] = {2, 1}, wide[2] = {2, 3};
    const poy_dtype f64 = POY_F64;
    poy_array *xs[2] = {make(POY_F64, 2, tall, column), vector_of(POY_F64, 3, row)}, *y = NULL, *back = NULL;
    counted = 0;
    ok(poy_vectorize(ctx, differs, NULL, NULL, 2, xs, NULL, 1, NULL, &y) == POY_OK && counted == 6 &&
           is(y, POY_F64, 2, wide, want),
       "a column and a row");
    poy_array_destroy(&y);
    ok(poy_vectorize(ctx, differs, NULL, " ( ) ,()->( ) ", 2, xs, NULL, 1, &f64, &y) == POY_OK &&
           is(y, POY_F64, 2, wide, want),
       "as a signature tells, of a type that is told");
    poy_array_destroy(&y);
    static const double turned[6] = {4, 6, 8, 14, 16, 18};
    poy_array *backwards[2] = {xs[0], NULL};
    MUST(poy_array_slice(ctx, xs[1], 0, INT64_MIN, INT64_MIN, -1, &back));
    backwards[1] = back;
    ok(poy_vectorize(ctx, differs, NULL, NULL, 2, backwards, NULL, 1, NULL, &y) == POY_OK &&
           is(y, POY_F64, 2, wide, turned),
       "a row backwards");
    poy_array_destroy(&y);
    poy_array *single[2] = {NULL, NULL};
    const double five = 5, minus_five = -5;
    single[0] = single[1] = make(POY_F64, 0, NULL, &five);
    ok(poy_vectorize(ctx, differs, NULL, NULL, 2, single, NULL, 1, NULL, &y) == POY_OK &&
           is(y, POY_F64, 0, NULL, &minus_five),
       "numbers");
    poy_array_destroy(&y);
    counted = 0;
    const size_t bytes = poy_ctx_bytes(ctx);
    ok(poy_vectorize(ctx, makes_and_fails, NULL, NULL, 2, xs, NULL, 1, NULL, &y) == POY_ERR_SINGULAR && !y &&
           poy_ctx_bytes(ctx) == bytes,
       "a failure is passed on, and what was made is given back");
    ok(poy_vectorize(ctx, makes_nothing, NULL, NULL, 2, xs, NULL, 1, NULL, &y) == POY_ERR_CALLBACK && !y &&
           says("no result 0 at place [0, 0]"),
       "no result");
    poy_array_destroy(&single[0]);
    poy_array_destroy(&back);
    poy_array_destroy(&xs[1]);
    poy_array_destroy(&xs[0]);
}

/* ---- core axes ---- */

static void core_axes(void)
{
    static const double matrices[12] = {1, 2, 3, 4, 5, 6, 0, 1, 0, 0, 0, 1}, vectors[6] = {1, 0, -1, 1, 1, 1};
    static const double want[8] = {-2, -2, 6, 15, 0, -1, 1, 1}, squares[4] = {2, 3, 2, 3};
    const int64_t stack[4] = {2, 1, 2, 3}, list[2] = {2, 3}, images[3] = {2, 2, 2}, places[2] = {2, 2};
    poy_array *xs[2] = {make(POY_F64, 4, stack, matrices), make(POY_F64, 2, list, vectors)}, *ys[2] = {NULL, NULL};
    counted = 0;
    ok(poy_vectorize(ctx, image_and_square, NULL, "(m,n),(n)->(m),()", 2, xs, NULL, 2, NULL, ys) == POY_OK &&
           counted == 4 && is(ys[0], POY_F64, 3, images, want) && is(ys[1], POY_F64, 2, places, squares),
       "matrices by vectors, two results");
    poy_array_destroy(&ys[0]);
    poy_array_destroy(&ys[1]);
    poy_array *turned = NULL, *columns[2] = {NULL, xs[1]};
    const int order[4] = {0, 1, 3, 2};
    MUST(poy_array_transpose(ctx, xs[0], order, &turned)); /* [2, 1, 3, 2] */
    columns[0] = turned;
    ok(poy_vectorize(ctx, product, NULL, "(m,n),(n)->(m)", 2, columns, NULL, 1, NULL, ys) == POY_ERR_SHAPE && !ys[0] &&
           says("n is 2 in input 0 and 3 in input 1"),
       "a name for two lengths");
    static const double left[12] = {-3, -3, -3, 5, 7, 9, 0, 1, -1, 0, 1, 1};
    const int64_t left_shape[3] = {2, 2, 3};
    static const double pairs[4] = {1, -1, 1, 1};
    const int64_t pairs_shape[2] = {2, 2};
    columns[1] = make(POY_F64, 2, pairs_shape, pairs);
    ok(poy_vectorize(ctx, product, NULL, "(m,n),(n)->(m)", 2, columns, NULL, 1, NULL, ys) == POY_OK &&
           is(ys[0], POY_F64, 3, left_shape, left),
       "transposed ones");
    poy_array_destroy(&ys[0]);
    poy_array_destroy(&columns[1]);
    poy_array_destroy(&turned);
    poy_array_destroy(&xs[1]);
    poy_array_destroy(&xs[0]);
}

/* Names that only results have. */
static void new_names(void)
{
    static const double threes[2] = {3, 3}, unequal[2] = {3, 2}, want[6] = {0, 1, 2, 0, 1, 2};
    const int64_t shape[2] = {2, 3}, none = 0;
    const poy_dtype f64 = POY_F64;
    poy_array *x = vector_of(POY_F64, 2, threes), *other = vector_of(POY_F64, 2, unequal), *empty = NULL, *y = NULL;
    ok(poy_vectorize(ctx, ramp, NULL, "()->(count)", 1, &x, NULL, 1, &f64, &y) == POY_OK &&
           is(y, POY_F64, 2, shape, want),
       "as many as the first call makes");
    poy_array_destroy(&y);
    ok(poy_vectorize(ctx, ramp, NULL, "()->(count)", 1, &other, NULL, 1, NULL, &y) == POY_ERR_SHAPE && !y &&
           says("result 0 at place [1] has shape [2], but count is 3"),
       "another number in a later one");
    ok(poy_vectorize(ctx, ramp, NULL, NULL, 1, &x, NULL, 1, NULL, &y) == POY_ERR_SHAPE && !y && says("wants 0 axes"),
       "a vector where an element should be");
    MUST(poy_array_create(ctx, be, POY_F64, 1, &none, &empty));
    ok(poy_vectorize(ctx, ramp, NULL, "()->(count)", 1, &empty, NULL, 1, &f64, &y) == POY_ERR_EMPTY && !y &&
           says("no input has count"),
       "no call that could tell");
    poy_array_destroy(&empty);
    poy_array_destroy(&other);
    poy_array_destroy(&x);
}

/* ---- inputs that go to every call ---- */

static void excluded(void)
{
    static const double table[6] = {1, 2, 3, 4, 5, 6}, vectors[6] = {1, 0, 0, 0, 1, 0}, want[4] = {1, 4, 2, 5};
    const int64_t shape[2] = {2, 3}, square[2] = {2, 2};
    const int first[2] = {1, 0}, both[2] = {1, 1};
    poy_array *xs[2] = {make(POY_F64, 2, shape, table), make(POY_F64, 2, shape, vectors)}, *y = NULL;
    counted = 0;
    ok(poy_vectorize(ctx, product, NULL, "(n)->(m)", 2, xs, first, 1, NULL, &y) == POY_OK && counted == 2 &&
           is(y, POY_F64, 2, square, want),
       "a matrix for all, and the signature is without it");
    poy_array_destroy(&y);
    ok(poy_vectorize(ctx, product, NULL, "(m,n),(n)->(m)", 2, xs, first, 1, NULL, &y) == POY_ERR_ARGUMENT && !y &&
           says("more inputs than the 1"),
       "not with it");
    ok(poy_vectorize(ctx, product, NULL, NULL, 2, xs, both, 1, NULL, &y) == POY_ERR_ARGUMENT && !y && says("excluded"),
       "not all of them");
    poy_array_destroy(&xs[1]);
    poy_array_destroy(&xs[0]);
}

/* ---- no places, types ---- */

static void no_places(void)
{
    const int64_t none[2] = {2, 0}, row[2] = {1, 1}, stack[3] = {0, 2, 3}, list[2] = {0, 3}, images[2] = {0, 2},
                  flat[2] = {2, 0};
    const poy_dtype i32 = POY_I32;
    const double one = 1;
    poy_array *xs[2] = {NULL, make(POY_F64, 2, row, &one)}, *pair[2] = {NULL, NULL}, *y = NULL;
    MUST(poy_array_create(ctx, be, POY_F64, 2, none, &xs[0]));
    counted = 0;
    ok(poy_vectorize(ctx, differs, NULL, NULL, 2, xs, NULL, 1, &i32, &y) == POY_OK && !counted &&
           is(y, POY_I32, 2, none, NULL),
       "no place: no call, of the type that is told");
    poy_array_destroy(&y);
    ok(poy_vectorize(ctx, differs, NULL, NULL, 2, xs, NULL, 1, NULL, &y) == POY_ERR_EMPTY && !y && !counted &&
           says("type of result 0"),
       "which has to be told");
    MUST(poy_array_create(ctx, be, POY_F64, 3, stack, &pair[0]));
    MUST(poy_array_create(ctx, be, POY_F64, 2, list, &pair[1]));
    ok(poy_vectorize(ctx, product, NULL, "(m,n),(n)->(m)", 2, pair, NULL, 1, &i32, &y) == POY_OK && !counted &&
           is(y, POY_I32, 2, images, NULL),
       "core axes are those of the inputs");
    poy_array_destroy(&y);
    poy_array_destroy(&pair[1]);
    poy_array_destroy(&pair[0]);
    /* Core axes without elements are places to call at: sums of nothing. */
    static const double zeros[2] = {0, 0};
    const int64_t two = 2;
    MUST(poy_array_create(ctx, be, POY_F64, 2, flat, &pair[0]));
    pair[1] = pair[0];
    counted = 0;
    ok(poy_vectorize(ctx, product, NULL, "(n),(n)->()", 2, pair, NULL, 1, NULL, &y) == POY_OK && counted == 2 &&
           is(y, POY_F64, 1, &two, zeros),
       "sums over core axes without elements");
    poy_array_destroy(&y);
    poy_array_destroy(&pair[0]);
    poy_array_destroy(&xs[1]);
    poy_array_destroy(&xs[0]);
}

static void types(void)
{
    static const double x[3] = {0, 1, 2};
    const poy_dtype f32 = POY_F32;
    poy_array *a = vector_of(POY_F64, 3, x), *y = NULL;
    counted = 0;
    ok(poy_vectorize(ctx, type_by_value, NULL, NULL, 1, &a, NULL, 1, NULL, &y) == POY_ERR_DTYPE && !y && counted == 3 &&
           says("result 0 at place [2] is f32, should be f64 as in the first call"),
       "another type in a later call");
    ok(poy_vectorize(ctx, type_by_value, NULL, NULL, 1, &a, NULL, 1, &f32, &y) == POY_ERR_DTYPE && !y && counted == 4 &&
           says("is f64, should be f32 as the types tell"),
       "nothing is cast");
    poy_array_destroy(&a);
}

/* ---- refusals, before f is called ---- */

static void refusals(void)
{
    static const double rows[6] = {1, 2, 3, 4, 5, 6};
    static const char *const bad[] = {
        "",           "()",         "(),()",       "(),()->",      "()->()",       "(),(),()->()", "(),()->()x",
        "(m),(n->()", "(1),()->()", "(m,),()->()", "(m n),()->()", "(),()->(),()", "(-),()->()",   "(,n),()->()"};
    const int64_t shape[2] = {2, 3}, deep[8] = {1, 1, 1, 1, 1, 1, 2, 3};
    const double number = 1;
    poy_array *xs[2] = {make(POY_F64, 2, shape, rows), vector_of(POY_F64, 2, rows)}, *y = NULL;
    counted = 0;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ok(poy_vectorize(ctx, differs, NULL, bad[i], 2, xs, NULL, 1, NULL, &y) == POY_ERR_ARGUMENT && !y &&
               says("vectorize: signature '"),
           "no signature for two inputs and a result: '%s'", bad[i]);
    ok(poy_vectorize(ctx, differs, NULL, NULL, 2, xs, NULL, 1, NULL, &y) == POY_ERR_BROADCAST && !y &&
           says("the places of input 1, [2], do not broadcast with [2, 3]"),
       "shapes that do not broadcast");
    poy_array *flat[2] = {xs[0], make(POY_F64, 0, NULL, &number)};
    ok(poy_vectorize(ctx, product, NULL, "(m,n),(n)->(m)", 2, flat, NULL, 1, NULL, &y) == POY_ERR_SHAPE && !y &&
           says("input 1 has shape []"),
       "too few axes");
    poy_array *many[2] = {make(POY_F64, 8, deep, rows), xs[0]};
    ok(poy_vectorize(ctx, product, NULL, "(),(m,n)->()", 2, many, NULL, 1, NULL, &y) == POY_ERR_SHAPE && !y &&
           says("8 axes of places and 2 of input 1"),
       "too many axes");
    poy_array *too_many[POY_CARRY_MAX + 1] = {NULL};
    ok(poy_vectorize(ctx, differs, NULL, NULL, POY_CARRY_MAX + 1, too_many, NULL, 1, NULL, &y) == POY_ERR_ARGUMENT,
       "too many arrays");
    ok(!counted, "before the first call");
    poy_array_destroy(&many[0]);
    poy_array_destroy(&flat[1]);
    poy_array_destroy(&xs[1]);
    poy_array_destroy(&xs[0]);
}

static void all(void)
{
    elements();
    core_axes();
    new_names();
    excluded();
    no_places();
    types();
    refusals();
}

int main(void)
{
    return on_each_backend(all);
}
