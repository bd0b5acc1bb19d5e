/* test_edges.c: what the operations do at the edges of their ranges, by the rules of the array layer: casts, signs of zero,
 * NaN, empty extents, axes of a number, integers that wrap, what is refused. Values are those of C99, IEEE 754 and NumPy. */
#include <float.h>
#include <limits.h>

#include "array_fixture.h"
#include "core/cmplx.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

#define INF ((double)INFINITY)
#define NOT ((double)NAN)

typedef poy_status unary(poy_ctx *ctx, const poy_array *x, poy_array **y);
typedef poy_status reduce(poy_ctx *ctx, const poy_array *x, int n, const int *axes, int keepdims, poy_array **y);

/* Equal with the signs of zeros; NaN is NaN. */
static int same(double x, double y)
{
    return isnan(x) ? isnan(y) : x == y && signbit(x) == signbit(y);
}

/* What is given back is destroyed. */
static int gives(poy_status status, poy_array *y, poy_dtype dtype, int rank, const int64_t *extent, const void *want)
{
    const int good = status == POY_OK && is(y, dtype, rank, extent, want);
    if (status != POY_OK)
        note("%s", poy_ctx_message(ctx));
    poy_array_destroy(&y);
    return good;
}

static int refuses(poy_status status, poy_status want, poy_array *y)
{
    const int good = status == want && !y;
    if (!good)
        note("%s instead of %s", poy_status_name(status), poy_status_name(want));
    poy_ctx_clear(ctx);
    return good;
}

/* ---- element by element ---- */

static void functions(void)
{
    static const struct {
        unary *f;
        const char *text;
        double re, im, want_re, want_im; /* of abs: want_re alone */
    } cases[] = {
        {poy_abs, "|inf + i NaN|", INFINITY, NAN, INFINITY, 0},
        {poy_abs, "|NaN - i inf|", NAN, -INFINITY, INFINITY, 0},
        {poy_abs, "|NaN + i|", NAN, 1, NAN, 0},
        {poy_abs, "|3e300 + 4e300 i|", 3e300, 4e300, 5e300, 0},
        {poy_sqrt, "sqrt(-4 + 0 i)", -4, 0.0, 0.0, 2},
        {poy_sqrt, "sqrt(-4 - 0 i)", -4, -0.0, 0.0, -2},
        {poy_sqrt, "sqrt(0 - 0 i)", 0.0, -0.0, 0.0, -0.0},
        {poy_log, "log(-1 + 0 i)", -1, 0.0, 0, 3.14159265358979323846},
        {poy_log, "log(-1 - 0 i)", -1, -0.0, 0, -3.14159265358979323846},
        {poy_log, "log(0 + 0 i)", 0.0, 0.0, -INFINITY, 0},
        {poy_exp, "exp(-inf + i)", -INFINITY, 1, 0.0, 0.0},
        {poy_exp, "exp(inf + 0 i)", INFINITY, 0.0, INFINITY, 0.0},
        {poy_sign, "sign(0 + 0 i)", 0.0, 0.0, 0.0, 0.0},
        {poy_conj, "conj(1 + 0 i)", 1, 0.0, 1, -0.0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double in[2] = {cases[i].re, cases[i].im};
        double out[2] = {NOT, 0};
        poy_array *x = make(POY_C128, 0, NULL, in), *y = NULL;
        MUST(cases[i].f(ctx, x, &y));
        MUST(poy_array_read(ctx, y, out));
        const int is_real = cases[i].f == poy_abs;
        ok(same(out[0], cases[i].want_re) && (is_real || same(out[1], cases[i].want_im)), "%s: %g, %g", cases[i].text,
           out[0], is_real ? 0 : out[1]);
        poy_array_destroy(&y);
        poy_array_destroy(&x);
    }
    const double large[2] = {1e308, 1e308}, root = sqrt(0.5);
    double out[2] = {0, 0};
    poy_array *x = make(POY_C128, 0, NULL, large), *y = NULL;
    MUST(poy_sign(ctx, x, &y));
    MUST(poy_array_read(ctx, y, out));
    ok(fabs(out[0] - root) < 4 * DBL_EPSILON && fabs(out[1] - root) < 4 * DBL_EPSILON, "sign of what has no |z|");
    poy_array_destroy(&y);
    poy_array_destroy(&x);
}

static void real_functions(void)
{
    static const struct {
        unary *f;
        const char *text;
        double x, want;
    } cases[] = {
        {poy_sqrt, "sqrt(-1)", -1, NAN},
        {poy_sqrt, "sqrt(-0)", -0.0, -0.0},
        {poy_log, "log(0)", 0, -INFINITY},
        {poy_log, "log(-1)", -1, NAN},
        {poy_log, "log(2^-1074)", 0x1p-1074, -744.44007192138126},
        {poy_exp, "exp(1000)", 1000, INFINITY},
        {poy_exp, "exp(-1000)", -1000, 0.0},
        {poy_exp, "exp(-745)", -745, 0x1p-1074},
        {poy_expm1, "expm1(1e-300)", 1e-300, 1e-300},
        {poy_log1p, "log1p(-1)", -1, -INFINITY},
        {poy_floor, "floor(-0.5)", -0.5, -1},
        {poy_sign, "sign(NaN)", NAN, NAN},
        {poy_sign, "sign(-2^-1074)", -0x1p-1074, -1},
        {poy_abs, "|-0|", -0.0, 0.0},
        {poy_imag, "imag of a real number", -3, 0.0},
        {poy_tanh, "tanh(-inf)", -INFINITY, -1},
        {poy_sin, "sin(inf)", INFINITY, NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double out = 0;
        poy_array *x = make(POY_F64, 0, NULL, &cases[i].x), *y = NULL;
        MUST(cases[i].f(ctx, x, &y));
        MUST(poy_array_read(ctx, y, &out));
        ok(poy_array_rank(y) == 0 && same(out, cases[i].want), "%s: %.17g", cases[i].text, out);
        poy_array_destroy(&y);
        poy_array_destroy(&x);
    }
}

static void integers(void)
{
    const int32_t least[2] = {INT32_MIN, INT32_MAX}, one[2] = {1, 1}, wrapped[2] = {INT32_MIN + 1, INT32_MIN},
                  two[2] = {65536, -3}, squares[2] = {0, 9};
    const double third[2] = {(double)INT32_MIN, (double)INT32_MAX};
    const int64_t n = 2;
    poy_array *x = vector_of(POY_I32, 2, least), *e = vector_of(POY_I32, 2, one), *t = vector_of(POY_I32, 2, two),
              *y = NULL;
    poy_status s = poy_abs(ctx, x, &y);
    ok(gives(s, y, POY_I32, 1, &n, (int32_t[]){INT32_MIN, INT32_MAX}), "|-2^31| wraps");
    s = poy_add(ctx, x, e, &y);
    ok(gives(s, y, POY_I32, 1, &n, wrapped), "sums of integers wrap");
    s = poy_mul(ctx, t, t, &y);
    ok(gives(s, y, POY_I32, 1, &n, squares), "products likewise");
    s = poy_div(ctx, x, e, &y);
    ok(gives(s, y, POY_F64, 1, &n, third), "quotients of integers are f64");
    s = poy_mean(ctx, x, POY_ALL_AXES, NULL, 0, &y);
    ok(gives(s, y, POY_F64, 0, NULL, (double[]){-0.5}), "and so are means");
    s = poy_sum(ctx, x, POY_ALL_AXES, NULL, 0, &y);
    ok(gives(s, y, POY_I64, 0, NULL, (int64_t[]){-1}), "sums are i64");
    poy_array_destroy(&t);
    poy_array_destroy(&e);
    poy_array_destroy(&x);
}

/* float to int: towards zero, saturated, NaN to 0; to b8: what is not 0; f64 to f32: to nearest even, beyond it infinite. */
static void casts(void)
{
    const double from[8] = {-1.9, 1.9, NOT, INF, -INF, 1e300, -0.0, 0x1p-1074};
    const int32_t whole[8] = {-1, 1, 0, INT32_MAX, INT32_MIN, INT32_MAX, 0, 0};
    const int64_t longer[8] = {-1, 1, 0, INT64_MAX, INT64_MIN, INT64_MAX, 0, 0}, n = 8, two = 2;
    const unsigned char truth[8] = {1, 1, 1, 1, 1, 1, 0, 1};
    const double halfway[2] = {1 + 0x1p-24, 1 + 3 * 0x1p-24}, beyond[2] = {3.5e38, -3.5e38}, z[4] = {1, 0, 2, 0};
    poy_array *x = vector_of(POY_F64, 8, from), *h = vector_of(POY_F64, 2, halfway), *b = vector_of(POY_F64, 2, beyond),
              *c = vector_of(POY_C128, 2, z), *y = NULL;
    poy_status s = poy_copy(ctx, x, POY_I32, &y);
    ok(gives(s, y, POY_I32, 1, &n, whole), "f64 as i32");
    s = poy_copy(ctx, x, POY_I64, &y);
    ok(gives(s, y, POY_I64, 1, &n, longer), "f64 as i64");
    s = poy_copy(ctx, x, POY_B8, &y);
    ok(gives(s, y, POY_B8, 1, &n, truth), "f64 as b8: NaN is not 0");
    s = poy_copy(ctx, h, POY_F32, &y);
    ok(gives(s, y, POY_F32, 1, &two, (float[]){1, 1 + 0x1p-22f}), "f64 as f32: to even");
    s = poy_copy(ctx, b, POY_F32, &y);
    ok(gives(s, y, POY_F32, 1, &two, (float[]){INFINITY, -INFINITY}), "and infinite");
    y = NULL;
    s = poy_copy(ctx, c, POY_F64, &y);
    ok(refuses(s, POY_ERR_COMPLEX_TO_REAL, y), "complex numbers without imaginary parts are complex");
    s = poy_fill(ctx, be, (poy_scalar){NOT, 0}, POY_I32, 1, &two, &y);
    ok(refuses(s, POY_ERR_ARGUMENT, y), "NaN is no integer");
    s = poy_fill(ctx, be, (poy_scalar){1, 2}, POY_F64, 1, &two, &y);
    ok(refuses(s, POY_ERR_COMPLEX_TO_REAL, y), "nor 1 + 2 i real");
    s = poy_fill(ctx, be, (poy_scalar){1, 0}, POY_F64, 1, (int64_t[]){-1}, &y);
    ok(refuses(s, POY_ERR_SHAPE, y), "nor -1 an extent");
    poy_array_destroy(&c);
    poy_array_destroy(&b);
    poy_array_destroy(&h);
    poy_array_destroy(&x);
}

static void choices(void)
{
    const double values[3] = {NOT, 5, -5}, low = 2, high = 1;
    const int32_t cond[3] = {0, -7, 1};
    const int64_t n = 3;
    poy_array *x = vector_of(POY_F64, 3, values), *lo = make(POY_F64, 0, NULL, &low),
              *hi = make(POY_F64, 0, NULL, &high), *c = vector_of(POY_I32, 3, cond),
              *z = vector_of(POY_C128, 1, values), *y = NULL;
    poy_status s = poy_clip(ctx, x, lo, hi, &y);
    ok(gives(s, y, POY_F64, 1, &n, (double[]){NOT, 1, 1}), "between 2 and 1 is 1, NaN stays");
    s = poy_clip(ctx, x, NULL, NULL, &y);
    ok(gives(s, y, POY_F64, 1, &n, values), "no bounds: a copy");
    s = poy_clip(ctx, x, lo, NULL, &y);
    ok(gives(s, y, POY_F64, 1, &n, (double[]){NOT, 5, 2}), "one bound");
    s = poy_maximum(ctx, x, lo, &y);
    ok(gives(s, y, POY_F64, 1, &n, (double[]){NOT, 5, 2}), "the larger one, or NaN");
    s = poy_where(ctx, c, x, lo, &y);
    ok(gives(s, y, POY_F64, 1, &n, (double[]){2, 5, -5}), "an integer chooses by what is not 0");
    s = poy_eq(ctx, x, x, &y);
    ok(gives(s, y, POY_B8, 1, &n, (unsigned char[]){0, 1, 1}), "NaN equals nothing");
    y = NULL;
    s = poy_lt(ctx, z, z, &y);
    ok(refuses(s, POY_ERR_DTYPE, y), "complex numbers have no order");
    s = poy_minimum(ctx, z, x, &y);
    ok(refuses(s, POY_ERR_DTYPE, y), "nor a smaller one");
    poy_array_destroy(&z);
    poy_array_destroy(&c);
    poy_array_destroy(&hi);
    poy_array_destroy(&lo);
    poy_array_destroy(&x);
}

/* ---- axes and empty extents ---- */

static void axes(void)
{
    static reduce *const both[2] = {poy_sum, poy_max};
    const double seven = 7, values[4] = {1, NOT, 3, NOT};
    const int zero[2] = {0, 0}, last[2] = {-1, 0}, twice[2] = {0, -2}, one = 1;
    const int64_t flat[2] = {0, 3}, high[2] = {3, 0}, three = 3, square[2] = {2, 2}, kept[2] = {1, 1};
    poy_array *x = make(POY_F64, 0, NULL, &seven), *none = make(POY_F64, 2, flat, NULL),
              *nothing = make(POY_F64, 2, high, NULL), *m = make(POY_F64, 2, square, values), *y = NULL;
    for (int i = 0; i < 2; i++) {
        poy_status s = both[i](ctx, x, 1, zero, 0, &y);
        ok(gives(s, y, POY_F64, 0, NULL, &seven), "axis 0 of a number is itself");
        s = both[i](ctx, x, 1, last, 1, &y);
        ok(gives(s, y, POY_F64, 0, NULL, &seven), "and so is -1");
        s = both[i](ctx, m, 0, NULL, 0, &y);
        ok(gives(s, y, POY_F64, 2, square, values), "no axes: as it is");
        y = NULL;
        s = both[i](ctx, m, 2, twice, 0, &y);
        ok(refuses(s, POY_ERR_AXIS, y), "axes 0 and -2 are one");
        s = both[i](ctx, x, 1, &one, 0, &y);
        ok(refuses(s, POY_ERR_AXIS, y), "a number has no axis 1");
    }
    poy_status s = poy_max(ctx, none, 1, zero, 0, &y);
    ok(refuses(s, POY_ERR_EMPTY, y), "nothing has no largest element");
    s = poy_argmax(ctx, none, 1, zero, 0, &y);
    ok(refuses(s, POY_ERR_EMPTY, y), "nor its place");
    s = poy_max(ctx, nothing, 1, zero, 0, &y);
    ok(gives(s, y, POY_F64, 1, (int64_t[]){0}, NULL), "but where there is no result there is nothing to refuse");
    s = poy_sum(ctx, none, 1, zero, 0, &y);
    ok(gives(s, y, POY_F64, 1, &three, (double[]){0, 0, 0}), "sums of nothing");
    s = poy_prod(ctx, none, 1, zero, 0, &y);
    ok(gives(s, y, POY_F64, 1, &three, (double[]){1, 1, 1}), "products of nothing");
    s = poy_argmax(ctx, m, POY_ALL_AXES, NULL, 0, &y);
    ok(gives(s, y, POY_I64, 0, NULL, (int64_t[]){1}), "the first NaN is the largest, flat");
    s = poy_argmin(ctx, m, POY_ALL_AXES, NULL, 1, &y);
    ok(gives(s, y, POY_I64, 2, kept, (int64_t[]){1}), "and the smallest; axes kept");
    s = poy_add(ctx, none, m, &y);
    ok(refuses(s, POY_ERR_BROADCAST, y), "0 broadcasts with 0 and 1 only");
    poy_array_destroy(&m);
    poy_array_destroy(&nothing);
    poy_array_destroy(&none);
    poy_array_destroy(&x);
}

static void order(void)
{
    const double values[6] = {NOT, 0.0, -0.0, INF, -INF, 0.0}, sorted[6] = {-INF, 0.0, -0.0, 0.0, INF, NOT};
    const int64_t places[6] = {4, 1, 2, 5, 3, 0}, n = 6;
    poy_array *x = vector_of(POY_F64, 6, values), *y = NULL;
    poy_status s = poy_argsort(ctx, x, -1, &y);
    ok(gives(s, y, POY_I64, 1, &n, places), "zeros tie and keep their order, NaN is last");
    s = poy_sort(ctx, x, 0, &y);
    ok(gives(s, y, POY_F64, 1, &n, sorted), "with their signs");
    poy_array_destroy(&x);
}

/* ---- products, places, lines ---- */

static void products(void)
{
    const int64_t wide[2] = {2, 0}, tall[2] = {0, 3}, result[2] = {2, 3}, square[2] = {2, 2};
    const unsigned char a[4] = {1, 0, 1, 1}, b[4] = {0, 1, 1, 0}, ab[4] = {0, 1, 1, 1};
    const double zeros[6] = {0}, two = 2, h[8] = {1, 5, 9, 9, 2, 3, 4, -5};
    poy_array *x = make(POY_F64, 2, wide, NULL), *y = make(POY_F64, 2, tall, NULL), *p = make(POY_B8, 2, square, a),
              *q = make(POY_B8, 2, square, b), *number = make(POY_F64, 0, NULL, &two),
              *m = make(POY_C128, 2, square, h), *z = NULL, *v = NULL;
    poy_status s = poy_matmul(ctx, x, y, &z);
    ok(gives(s, z, POY_F64, 2, result, zeros), "products over nothing are 0");
    s = poy_matmul(ctx, p, q, &z);
    ok(gives(s, z, POY_B8, 2, square, ab), "of b8 sums are or, products and");
    z = NULL;
    s = poy_matmul(ctx, number, number, &z);
    ok(refuses(s, POY_ERR_SHAPE, z), "numbers are no matrices");
    s = poy_matmul(ctx, y, x, &z);
    ok(refuses(s, POY_ERR_SHAPE, z), "[0, 3] times [2, 0]");
    s = poy_vdot(ctx, p, number, &z);
    ok(refuses(s, POY_ERR_SHAPE, z), "4 elements and 1");
    s = poy_einsum(ctx, "ij->k", 1, (const poy_array *const[]){p}, &z);
    ok(refuses(s, POY_ERR_ARGUMENT, z), "einsum: a letter from nowhere");
    s = poy_einsum(ctx, "ij,jk", 2, (const poy_array *const[]){y, p}, &z);
    ok(refuses(s, POY_ERR_ARGUMENT, z), "einsum: 3 is not 2");
    double values[2] = {NOT, NOT};
    MUST(poy_eigh(ctx, m, &z, &v)); /* [[1, .], [2 + 3i, 4]]: the upper part and imaginary diagonal are not read */
    MUST(poy_array_read(ctx, z, values));
    const double mean = 2.5, half = sqrt(2.25 + 13);
    ok(fabs(values[0] - (mean - half)) < 1e-14 && fabs(values[1] - (mean + half)) < 1e-14, "eigh: %.17g, %.17g",
       values[0], values[1]);
    poy_array_destroy(&v);
    poy_array_destroy(&z);
    poy_array_destroy(&m);
    poy_array_destroy(&number);
    poy_array_destroy(&q);
    poy_array_destroy(&p);
    poy_array_destroy(&y);
    poy_array_destroy(&x);
}

/* x[i][j][k] = 100 i + 10 j + k, matrices of rows k and columns i: norms are sums of known numbers. */
static void norms(void)
{
    static const int axes[2] = {2, 0}, rows[2] = {-1, -1}, none[2] = {0, 3};
    const int64_t shape[3] = {2, 2, 2}, vector = 2, kept[3] = {1, 2, 1};
    const double values[8] = {0, 1, 10, 11, 100, 101, 110, 111}, columns[2] = {201, 221}, least[2] = {100, 120};
    poy_array *x = make(POY_F64, 3, shape, values), *y = NULL;
    poy_status s = poy_matrix_norm(ctx, x, 1, axes, 0, &y);
    ok(gives(s, y, POY_F64, 1, &vector, columns), "columns of axis 0: 100 + 101, 110 + 111");
    s = poy_matrix_norm(ctx, x, -INF, axes, 1, &y);
    ok(gives(s, y, POY_F64, 3, kept, least), "rows of axis 2: 0 + 100, 10 + 110; axes kept");
    y = NULL;
    s = poy_matrix_norm(ctx, x, 1, rows, 0, &y);
    ok(refuses(s, POY_ERR_AXIS, y), "one axis twice");
    s = poy_nuclear_norm(ctx, x, none, 0, &y);
    ok(refuses(s, POY_ERR_AXIS, y), "no such axis");
    /* of 2 by 2 matrices s1 + s2 = sqrt(|x|^2 + 2 |det x|) */
    double got[2] = {0, 0},
           both[2] = {sqrt(0 + 1 + 10000 + 10201 + 2 * 100), sqrt(100 + 121 + 12100 + 12321 + 2 * 100)};
    MUST(poy_nuclear_norm(ctx, x, axes, 0, &y));
    MUST(poy_array_read(ctx, y, got));
    ok(fabs(got[0] - both[0]) < 1e-12 && fabs(got[1] - both[1]) < 1e-12, "sums of singular values: %.15g, %.15g",
       got[0], got[1]);
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    for (int i = 0; i < 6; i++) {
        static const double powers[3] = {1, 2, INFINITY}, zero = 0;
        const int64_t empty[2][2] = {{2, 0}, {0, 2}};
        x = make(POY_F64, 2, empty[i % 2], NULL);
        s = poy_matrix_norm(ctx, x, powers[i / 2], NULL, 0, &y);
        ok(gives(s, y, POY_F64, 0, NULL, &zero), "norm %g of nothing", powers[i / 2]);
        poy_array_destroy(&x);
    }
}

static void places(void)
{
    const double values[6] = {0, 1, 2, 10, 11, 12}, fresh[3] = {7, 8, 9};
    const int64_t shape[2] = {2, 3}, index[4] = {-1, 0, 1, -3}, mesh[2] = {2, 2}, taken[3] = {2, 2, 2}, out = 3,
                  repeats[3] = {1, 1, 1};
    const double want[8] = {2, 0, 1, 0, 12, 10, 11, 10};
    poy_array *x = make(POY_F64, 2, shape, values), *i = make(POY_I64, 2, mesh, index),
              *bad = vector_of(POY_I64, 1, &out), *r = vector_of(POY_I64, 3, repeats),
              *v = vector_of(POY_F64, 3, fresh), *t = NULL, *y = NULL;
    poy_status s = poy_take(ctx, x, i, 1, &y);
    ok(gives(s, y, POY_F64, 3, taken, want), "places of a shape of their own, from the end, too");
    y = NULL;
    s = poy_take(ctx, x, bad, 1, &y);
    ok(refuses(s, POY_ERR_INDEX, y), "3 is out of range");
    s = poy_put(ctx, x, bad, bad, 1, &y);
    ok(refuses(s, POY_ERR_INDEX, y), "to be written, too");
    s = poy_put(ctx, x, r, v, 1, &y);
    ok(gives(s, y, POY_F64, 2, shape, (double[]){0, 9, 2, 10, 9, 12}), "the last of them stays");
    s = poy_put_add(ctx, x, r, v, -1, &y);
    ok(gives(s, y, POY_F64, 2, shape, (double[]){0, 25, 2, 10, 35, 12}), "all of them add up");
    MUST(poy_array_transpose(ctx, x, NULL, &t));
    s = poy_array_reshape(ctx, t, 1, (int64_t[]){-1}, &y);
    ok(gives(s, y, POY_F64, 1, (int64_t[]){6}, (double[]){0, 10, 1, 11, 2, 12}), "a transpose in its own order");
    poy_fft_options o;
    poy_fft_options_init(&o);
    poy_array *none = NULL;
    y = NULL;
    MUST(poy_array_slice(ctx, x, 1, 0, 0, 1, &none));
    s = poy_fft(ctx, none, &o, &y);
    ok(refuses(s, POY_ERR_EMPTY, y), "a transform of no length");
    poy_array_destroy(&none);
    poy_array_destroy(&t);
    poy_array_destroy(&v);
    poy_array_destroy(&r);
    poy_array_destroy(&bad);
    poy_array_destroy(&i);
    poy_array_destroy(&x);
}

static void all(void)
{
    functions();
    real_functions();
    integers();
    casts();
    choices();
    axes();
    order();
    products();
    norms();
    places();
}

int main(void)
{
    return on_each_backend(all);
}
