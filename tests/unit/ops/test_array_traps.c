/* test_array_traps.c: where other array libraries go wrong: repeats that are lost, writes out of range that are dropped,
 * numbers that overflow on the way, types that surprise. Each on ref and cpu. */
#include <math.h>
#include <string.h>

#include "poynting/poynting.h"
#include "tap.h"

static poy_ctx *ctx;
static poy_backend *be;

static poy_array *make(poy_dtype dtype, int rank, const int64_t *extent, const void *host)
{
    poy_array *a = NULL;
    if (poy_array_create(ctx, be, dtype, rank, extent, &a) != POY_OK || poy_array_write(ctx, a, host) != POY_OK)
        note("no array: %s", poy_ctx_message(ctx));
    return a;
}

static poy_array *vector(int64_t n, const double *x)
{
    return make(POY_F64, 1, &n, x);
}

/* The first element of y, which goes. */
static double take_first(poy_status status, poy_array **y)
{
    double x[64] = {NAN};
    int good = status == POY_OK && poy_array_dtype(*y) == POY_F64 && poy_array_size(*y) <= 64 &&
               poy_array_read(ctx, *y, x) == POY_OK;
    poy_array_destroy(y);
    return good ? x[0] : (double)NAN;
}

static int is_type(poy_status status, poy_array **y, poy_dtype dtype)
{
    int good = status == POY_OK && poy_array_dtype(*y) == dtype;
    poy_array_destroy(y);
    return good;
}

static int is_refused(poy_status got, poy_status wanted, const poy_array *y)
{
    poy_ctx_clear(ctx);
    return got == wanted && !y;
}

static void repeats(void)
{
    const double zeros[3] = {0, 0, 0}, ones[4] = {1, 2, 4, 8};
    const int64_t places[4] = {1, -2, 1, 0}, n = 4, beyond[1] = {3}, one = 1;
    double got[3];
    poy_array *x = vector(3, zeros), *v = vector(4, ones), *index = make(POY_I64, 1, &n, places), *y = NULL;
    poy_array *far = make(POY_I64, 1, &one, beyond);

    ok(poy_put_add(ctx, x, index, v, 0, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[0] == 8 &&
           got[1] == 7 && got[2] == 0,
       "values added at one place add up");
    poy_array_destroy(&y);
    ok(poy_put(ctx, x, index, v, 0, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[0] == 8 &&
           got[1] == 4,
       "the last of values put at one place stays");
    poy_array_destroy(&y);
    ok(is_refused(poy_take(ctx, x, far, 0, &y), POY_ERR_INDEX, y), "nothing is taken from beyond the end");
    ok(is_refused(poy_put(ctx, x, far, v, 0, &y), POY_ERR_BROADCAST, y), "four values do not go to one place");
    poy_array *single = vector(1, ones);
    ok(is_refused(poy_put(ctx, x, far, single, 0, &y), POY_ERR_INDEX, y), "nothing is written beyond the end");
    ok(poy_put_into(ctx, x, far, single, 0, x) == POY_ERR_INDEX && poy_array_read(ctx, x, got) == POY_OK &&
           got[0] == 0 && got[1] == 0 && got[2] == 0,
       "and what was there is as it was");
    poy_ctx_clear(ctx);
    const double z[2] = {1, 1};
    poy_array *complex = make(POY_C128, 1, &one, z);
    const int64_t first[1] = {0};
    poy_array *at = make(POY_I64, 1, &one, first);
    ok(is_refused(poy_put(ctx, x, at, complex, 0, &y), POY_ERR_COMPLEX_TO_REAL, y), "imaginary parts are not dropped");
    ok(is_refused(poy_copy(ctx, complex, POY_F64, &y), POY_ERR_COMPLEX_TO_REAL, y), "nor by a cast");
    const unsigned char mask[3] = {1, 0, 1};
    const int64_t three = 3;
    poy_array *marks = make(POY_B8, 1, &three, mask);
    ok(poy_put(ctx, x, marks, single, 0, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[0] == 1 &&
           got[1] == 0 && got[2] == 1,
       "a mask chooses places");
    poy_array_destroy(&y);
    poy_array *const all[] = {x, v, index, far, single, complex, at, marks};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
}

static void ranges(void)
{
    const double large[2] = {3e200, 4e200}, small[2] = {3e-200, 4e-200}, least[2] = {5e-324, 5e-324};
    const double cut[2] = {-4, -0.0};
    double got[2];
    const int64_t one = 1, million = 1000000;
    poy_array *y = NULL, *x = vector(2, large);

    ok(fabs(take_first(poy_norm(ctx, x, POY_ALL_AXES, NULL, 0, &y), &y) / 5e200 - 1) < 1e-15, "norms do not overflow");
    poy_array_destroy(&x);
    x = vector(2, small);
    ok(fabs(take_first(poy_norm(ctx, x, POY_ALL_AXES, NULL, 0, &y), &y) / 5e-200 - 1) < 1e-15, "nor vanish");
    poy_array_destroy(&x);
    x = vector(2, least);
    ok(take_first(poy_sum(ctx, x, POY_ALL_AXES, NULL, 0, &y), &y) == 1e-323, "denormal numbers add up");
    ok(fabs(take_first(poy_log(ctx, x, &y), &y) + 744.44007192138122) < 1e-12, "and have logarithms");
    poy_array_destroy(&x);
    x = make(POY_C128, 1, &one, cut);
    ok(poy_sqrt(ctx, x, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[0] == 0 && got[1] == -2,
       "sqrt(-4 - 0i) = -2i");
    poy_array_destroy(&y);
    ok(poy_log(ctx, x, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[1] < -3.14,
       "log(-4 - 0i) likewise");
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    /* 10^6 times 0.1f: the norm is 1000 times it, and an f32 sum that loses digits shows */
    float norm = 0;
    ok(poy_fill(ctx, be, (poy_scalar){0.1, 0}, POY_F32, 1, &million, &x) == POY_OK &&
           poy_norm(ctx, x, POY_ALL_AXES, NULL, 0, &y) == POY_OK && poy_array_read(ctx, y, &norm) == POY_OK &&
           fabs((double)norm / (1000 * (double)0.1f) - 1) < 24 * 0x1p-23,
       "the f32 norm of 10^6 numbers: %.1f ulp off", ((double)norm / (1000 * (double)0.1f) - 1) * 0x1p23);
    poy_array_destroy(&y);
    poy_array_destroy(&x);
}

/* (3^p + 4^p)^(1/p) of numbers at both ends of the range, and with what has no scale. f64: some roundings, each of eps / 2. */
static void scaled_norms(void)
{
    static const double large[2] = {3e200, 4e200}, small[2] = {3e-200, -4e-200}, mixed[2] = {INFINITY, 2},
                        holed[2] = {0, 3}, lost[2] = {NAN, 1}, zeros[2] = {0, 0};
    static const struct {
        const double *x;
        double p, want;
    } cases[] = {
        {large, 3, 4.4979414452754145e200}, /* cbrt(91) */
        {small, 3, 4.4979414452754145e-200},
        {large, -1, 1.7142857142857142e200}, /* 12/7 */
        {small, -1, 1.7142857142857142e-200},
        {small, 0.5, 1.3928203230275509e-199}, /* 7 + 4 sqrt 3 */
        {mixed, 3, INFINITY},
        {mixed, -1, 2},
        {holed, 3, 3},
        {holed, -1, 0},
        {lost, 3, NAN},
        {zeros, 3, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        poy_array *x = vector(2, cases[i].x), *y = NULL;
        const double want = cases[i].want, got = take_first(poy_vector_norm(ctx, x, cases[i].p, 0, 0, &y), &y);
        ok(isnan(want) ? isnan(got) : got == want || fabs(got / want - 1) < 8 * 0x1p-52,
           "the %g-norm of %g and %g: %.17g", cases[i].p, cases[i].x[0], cases[i].x[1], got);
        poy_array_destroy(&x);
    }
    /* An axis of a matrix, the axis kept or gone; no elements. */
    const int64_t shape[2] = {2, 2}, none = 0;
    static const double rows[4] = {3e200, 4e200, 3, 4};
    double got[2];
    poy_array *x = NULL, *y = NULL;
    ok(poy_array_create(ctx, be, POY_F64, 2, shape, &x) == POY_OK && poy_array_write(ctx, x, rows) == POY_OK,
       "two rows");
    for (int keeps = 0; keeps < 2; keeps++) {
        ok(poy_vector_norm(ctx, x, 3, -1, keeps, &y) == POY_OK && poy_array_rank(y) == 1 + keeps &&
               poy_array_read(ctx, y, got) == POY_OK && fabs(got[0] / 4.4979414452754145e200 - 1) < 8 * 0x1p-52 &&
               fabs(got[1] / 4.4979414452754145 - 1) < 8 * 0x1p-52,
           "each by its own scale");
        poy_array_destroy(&y);
    }
    poy_array_destroy(&x);
    ok(poy_array_create(ctx, be, POY_F64, 1, &none, &x) == POY_OK &&
           take_first(poy_vector_norm(ctx, x, 3, 0, 0, &y), &y) == 0,
       "of nothing");
    poy_array_destroy(&x);
}

static void sums_of_exponentials(void)
{
    const double x[3] = {1, 2, INFINITY}, b[3] = {1, -1, 0}, none[2] = {-INFINITY, -INFINITY}, with[2] = {INFINITY, 1};
    double sign = 0, got = 0;
    poy_array *a = vector(3, x), *w = vector(3, b), *y = NULL, *s = NULL;

    ok(poy_logsumexp(ctx, a, w, POY_ALL_AXES, NULL, 0, &y, &s) == POY_OK && poy_array_read(ctx, y, &got) == POY_OK &&
           poy_array_read(ctx, s, &sign) == POY_OK && sign == -1 && fabs(got - log(exp(2) - exp(1))) < 1e-15,
       "log of a negative sum with its sign, a weight of 0 dropping an infinity");
    poy_array_destroy(&y);
    poy_array_destroy(&s);
    ok(isnan(take_first(poy_logsumexp(ctx, a, w, POY_ALL_AXES, NULL, 0, &y, NULL), &y)), "without the sign: NaN");
    poy_array_destroy(&w);
    poy_array_destroy(&a);
    a = vector(2, none);
    ok(take_first(poy_logsumexp(ctx, a, NULL, POY_ALL_AXES, NULL, 0, &y, NULL), &y) == -HUGE_VAL,
       "of nothing but -infinity");
    poy_array_destroy(&a);
    a = vector(2, with);
    ok(take_first(poy_logsumexp(ctx, a, NULL, POY_ALL_AXES, NULL, 0, &y, NULL), &y) == HUGE_VAL, "of +infinity");
    poy_array_destroy(&a);
}

static void types(void)
{
    const int64_t n = 2, whole[2] = {3, 4}, none[2] = {0, 3};
    const int32_t ints[2] = {1, 2};
    const unsigned char bits[2] = {0, 1};
    const float singles[2] = {1, 2};
    const double z[4] = {1, 2, 3, 4};
    double got[6];
    poy_array *i64 = make(POY_I64, 1, &n, whole), *i32 = make(POY_I32, 1, &n, ints), *b8 = make(POY_B8, 1, &n, bits);
    poy_array *f32 = make(POY_F32, 1, &n, singles), *c128 = make(POY_C128, 1, &n, z), *y = NULL, *empty = NULL;

    ok(is_type(poy_add(ctx, i64, f32, &y), &y, POY_F64), "i64 + f32 is f64");
    ok(is_type(poy_exp(ctx, b8, &y), &y, POY_F64), "exp of b8 is f64");
    ok(is_type(poy_conj(ctx, b8, &y), &y, POY_B8), "conj of b8 is b8");
    ok(is_type(poy_imag(ctx, f32, &y), &y, POY_F32), "real numbers have an imaginary part");
    ok(is_type(poy_matmul(ctx, i32, c128, &y), &y, POY_C128), "products of two types");
    ok(is_type(poy_vdot(ctx, f32, c128, &y), &y, POY_C128), "and dot products");
    ok(take_first(poy_mean(ctx, i64, POY_ALL_AXES, NULL, 0, &y), &y) == 3.5, "the mean of integers");
    ok(take_first(poy_norm(ctx, i64, POY_ALL_AXES, NULL, 0, &y), &y) == 5, "the norm of integers");
    ok(poy_sum(ctx, i64, 0, NULL, 0, &y) == POY_OK && poy_array_size(y) == 2, "a sum over no axes adds nothing");
    poy_array_destroy(&y);
    ok(is_refused(poy_maximum(ctx, c128, i64, &y), POY_ERR_DTYPE, y), "complex numbers have no order");
    ok(is_refused(poy_sort(ctx, c128, 0, &y), POY_ERR_DTYPE, y), "and are not sorted");
    ok(poy_array_create(ctx, be, POY_F64, 2, none, &empty) == POY_OK, "an array of nothing");
    const int first = 0;
    ok(is_refused(poy_argmax(ctx, empty, 1, &first, 0, &y), POY_ERR_EMPTY, y), "has no largest element");
    ok(poy_prod(ctx, empty, 1, &first, 0, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[0] == 1 &&
           got[2] == 1,
       "its product is 1");
    poy_array_destroy(&y);
    ok(poy_mean(ctx, empty, 1, &first, 0, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && isnan(got[1]),
       "its mean is NaN");
    poy_array_destroy(&y);
    poy_array *const all[] = {i64, i32, b8, f32, c128, empty};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
}

/* Eight axes that do not merge and none that is reduced leave no room for one more. */
static void eight_axes(void)
{
    enum { N = 6561, KEPT = 256 };
    static double host[N];
    static double sums[KEPT];
    const int64_t n = N, extent[8] = {2, 2, 2, 2, 2, 2, 2, 2}, stride[8] = {2187, 729, 243, 81, 27, 9, 3, 1};
    poy_array *base = NULL, *x = NULL, *y = NULL;
    int good = 1;
    for (int i = 0; i < N; i++)
        host[i] = i;
    ok(poy_array_create(ctx, be, POY_F64, 1, &n, &base) == POY_OK && poy_array_write(ctx, base, host) == POY_OK &&
           poy_array_view(ctx, base, 8, extent, stride, 0, &x) == POY_OK && poy_sum(ctx, x, 0, NULL, 0, &y) == POY_OK &&
           poy_array_read(ctx, y, sums) == POY_OK,
       "sums over no axis of eight");
    for (int i = 0; i < KEPT && good; i++) {
        double want = 0;
        for (int k = 0; k < 8; k++)
            want += (double)(i >> (7 - k) & 1) * (double)stride[k];
        good = sums[i] == want;
    }
    ok(good, "are the elements");
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    poy_array_destroy(&base);
}

/* The largest numbers are no infinities yet. */
static void largest_powers(void)
{
    const double x[3] = {-0x1.fffffffffffffp1023, 0x1p512, 2}, e[3] = {1, 2, 1024};
    double got[3] = {0};
    const int64_t n = 3;
    poy_array *a = NULL, *b = NULL, *y = NULL;
    ok(poy_array_create(ctx, be, POY_F64, 1, &n, &a) == POY_OK && poy_array_write(ctx, a, x) == POY_OK &&
           poy_array_create(ctx, be, POY_F64, 1, &n, &b) == POY_OK && poy_array_write(ctx, b, e) == POY_OK &&
           poy_pow(ctx, a, b, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK,
       "powers at the end of the range");
    ok(got[0] == x[0] && isinf(got[1]) && isinf(got[2]), "%.17g, %g, %g", got[0], got[1], got[2]);
    poy_array_destroy(&y);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
}

int main(void)
{
    static const char *const specs[] = {"ref", "cpu"};
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < 2; i++) {
        ok(poy_backend_open(ctx, specs[i], &be) == POY_OK, "on %s", specs[i]);
        repeats();
        ranges();
        scaled_norms();
        sums_of_exponentials();
        types();
        eight_axes();
        largest_powers();
        poy_backend_close(&be);
        ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    }
    poy_ctx_destroy(&ctx);
    return tap_done();
}
