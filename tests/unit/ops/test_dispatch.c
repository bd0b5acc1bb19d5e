/* test_dispatch.c: what the front end does for every operation, on both backends: promotion, broadcasting, axes, output
 * checks, overlap, empty arrays, fft lengths, and the account of each refusal. */
#include <math.h>
#include <string.h>

#include "ops/array.h"
#include "poynting/poynting.h"
#include "tap.h"

#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})

static poy_ctx *ctx;
static poy_backend *be;

/* A dense array of the values, which are of its type. */
static poy_array *make(poy_dtype dtype, int rank, const int64_t *extent, const void *values)
{
    poy_array *a = NULL;
    if (poy_array_create(ctx, be, dtype, rank, extent, &a) != POY_OK ||
        (values && poy_array_write(ctx, a, values) != POY_OK))
        note("%s", poy_ctx_message(ctx));
    return a;
}
#define F64(rank, extent, ...) make(POY_F64, rank, extent, (const double[]){__VA_ARGS__})

/* dtype, shape and values of a result as doubles, complex as pairs; destroys it. */
static int is(poy_array **a, poy_dtype dtype, int rank, const int64_t *extent, int n, const double *want)
{
    unsigned char bytes[512];
    double got[64];
    int good = *a && (*a)->dtype == dtype && poyi_shape_equal((*a)->rank, (*a)->extent, rank, extent) &&
               poy_array_read(ctx, *a, bytes) == POY_OK;
    for (int i = 0; good && i < n; i++) {
        switch (dtype) {
        case POY_F32:
        case POY_C64: got[i] = (double)((const float *)(const void *)bytes)[i]; break;
        case POY_F64:
        case POY_C128: got[i] = ((const double *)(const void *)bytes)[i]; break;
        case POY_I32: got[i] = ((const int32_t *)(const void *)bytes)[i]; break;
        case POY_I64: got[i] = (double)((const int64_t *)(const void *)bytes)[i]; break;
        default: got[i] = bytes[i];
        }
        if (!(fabs(got[i] - want[i]) <= 1e-14 * fabs(want[i])) && !(isnan(got[i]) && isnan(want[i]))) {
            note("element %d is %.17g, not %.17g", i, got[i], want[i]);
            good = 0;
        }
    }
    if (!good && *a)
        note("%s of rank %d; %s", poy_dtype_name((*a)->dtype), (*a)->rank, poy_ctx_message(ctx));
    poy_array_destroy(a);
    return good;
}
#define IS(a, dtype, rank, extent, ...) \
    is(a, dtype, rank, extent, sizeof((double[]){__VA_ARGS__}) / sizeof(double), (const double[]){__VA_ARGS__})

static void destroy_all(int n, poy_array **const *a)
{
    for (int i = 0; i < n; i++)
        poy_array_destroy(a[i]);
}
#define DESTROY(...) \
    destroy_all(sizeof((poy_array **[]){__VA_ARGS__}) / sizeof(poy_array **), (poy_array * *[]){__VA_ARGS__})

static void promotion(void)
{
    int symmetric = 1, rising = 1;
    for (int a = 0; a < POY_DTYPE_COUNT; a++)
        for (int b = 0; b < POY_DTYPE_COUNT; b++) {
            poy_dtype r = poy_result_type((poy_dtype)a, (poy_dtype)b);
            symmetric = symmetric && r == poy_result_type((poy_dtype)b, (poy_dtype)a);
            rising = rising && poy_result_type(r, (poy_dtype)a) == r;
        }
    ok(symmetric && rising, "the table is symmetric, and a result absorbs its parts");
    ok(poy_result_type(POY_I64, POY_F32) == POY_F64 && poy_result_type(POY_I32, POY_C64) == POY_C128 &&
           poy_result_type(POY_C64, POY_F64) == POY_C128 && poy_result_type(POY_B8, POY_B8) == POY_B8,
       "the cases on which other libraries differ");

    poy_array *f = make(POY_F32, 1, EXTENT(2), (const float[]){1, 2}), *z = NULL;
    poy_array *d = F64(2, EXTENT(2, 1), 1e-9, 1), *i = make(POY_I32, 1, EXTENT(2), (const int32_t[]){3, -4});
    poy_array *c = make(POY_C64, 0, NULL, (const float[]){0, 1}), *b = make(POY_B8, 1, EXTENT(2), "\1");
    ok(poy_add(ctx, f, d, &z) == POY_OK && IS(&z, POY_F64, 2, EXTENT(2, 2), 1.000000001, 2.000000001, 2, 3),
       "f32 and f64, broadcast both ways");
    ok(poy_mul(ctx, i, c, &z) == POY_OK && IS(&z, POY_C128, 1, EXTENT(2), 0, 3, 0, -4), "i32 and c64");
    ok(poy_div(ctx, i, i, &z) == POY_OK && IS(&z, POY_F64, 1, EXTENT(2), 1, 1), "integers are divided as f64");
    ok(poy_sqrt(ctx, b, &z) == POY_OK && IS(&z, POY_F64, 1, EXTENT(2), 1, 0), "the root of b8 is f64");
    ok(poy_sin(ctx, f, &z) == POY_OK && poy_array_dtype(z) == POY_F32, "the sine of f32 is f32");
    poy_array_destroy(&z);
    ok(poy_sum(ctx, i, POY_ALL_AXES, NULL, 0, &z) == POY_OK && IS(&z, POY_I64, 0, NULL, -1), "i32 is added as i64");
    ok(poy_sum(ctx, b, POY_ALL_AXES, NULL, 1, &z) == POY_OK && IS(&z, POY_I64, 1, EXTENT(1), 1), "b8, too");
    ok(poy_abs(ctx, c, &z) == POY_OK && IS(&z, POY_F32, 0, NULL, 1), "the modulus of c64 is f32");
    ok(poy_sub(ctx, b, b, &z) == POY_ERR_DTYPE && !z, "b8 and b8 have no difference: %s", poy_ctx_cause(ctx));
    ok(poy_add(ctx, b, b, &z) == POY_OK && IS(&z, POY_B8, 1, EXTENT(2), 1, 0), "their sum is or");
    ok(poy_mul(ctx, b, b, &z) == POY_OK && IS(&z, POY_B8, 1, EXTENT(2), 1, 0), "their product and");
    ok(poy_maximum(ctx, c, f, &z) == POY_ERR_DTYPE, "complex numbers have no order: %s", poy_ctx_cause(ctx));
    ok(poy_cos(ctx, c, &z) == POY_ERR_DTYPE, "nor is there a complex cosine yet: %s", poy_ctx_cause(ctx));
    ok(poy_matmul(ctx, i, i, &z) == POY_OK && IS(&z, POY_I32, 0, NULL, 25), "products of i32 are i32");
    DESTROY(&f, &d, &i, &c, &b);
}

static void broadcasting(void)
{
    poy_array *x = F64(2, EXTENT(3, 1), 1, 2, 3), *y = F64(1, EXTENT(2), 10, 20), *z = NULL;
    poy_array *e = make(POY_F64, 2, EXTENT(1, 0), NULL), *three = F64(1, EXTENT(3), 1, 2, 3);

    ok(poy_sub(ctx, x, y, &z) == POY_OK && IS(&z, POY_F64, 2, EXTENT(3, 2), -9, -19, -8, -18, -7, -17), "3 1 with 2");
    ok(poy_add(ctx, x, e, &z) == POY_OK && is(&z, POY_F64, 2, EXTENT(3, 0), 0, NULL), "1 with 0 is 0");
    ok(poy_add(ctx, y, three, &z) == POY_ERR_BROADCAST && !z &&
           !strcmp(poy_ctx_cause(ctx), "add: shapes [2] and [3] do not broadcast") &&
           strstr(poy_ctx_message(ctx), "\n  in poy_add (") != NULL,
       "2 with 3 is refused in the name of the public function: %s", poy_ctx_message(ctx));
    ok(poy_add(ctx, three, e, &z) == POY_ERR_BROADCAST, "3 with 0, too");
    DESTROY(&x, &y, &e, &three);
}

static void outputs(void)
{
    poy_array *x = F64(1, EXTENT(3), 1, 2, 3), *f = make(POY_F32, 1, EXTENT(3), NULL), *z = NULL, *v = NULL;
    poy_array *two = F64(1, EXTENT(2), 1, 2), *far = NULL;
    poy_backend *other = NULL;

    ok(poy_add_into(ctx, x, x, f) == POY_ERR_DTYPE, "another type: %s", poy_ctx_cause(ctx));
    ok(poy_add_into(ctx, x, x, two) == POY_ERR_SHAPE, "another shape: %s", poy_ctx_cause(ctx));
    ok(poy_array_broadcast_to(ctx, two, 2, EXTENT(3, 2), &v) == POY_OK && poy_exp_into(ctx, v, v) == POY_ERR_ARGUMENT,
       "a broadcast output: %s", poy_ctx_cause(ctx));
    ok(poy_fill_into(ctx, (poy_scalar){1, 0}, v) == POY_ERR_ARGUMENT, "not filled either");
    ok(poy_backend_open(ctx, strcmp(poy_backend_name(be), "ref") ? "ref" : "cpu", &other) == POY_OK &&
           poy_array_create(ctx, other, POY_F64, 1, EXTENT(3), &far) == POY_OK &&
           poy_add(ctx, x, far, &z) == POY_ERR_BACKEND && !z,
       "two backends: %s", poy_ctx_cause(ctx));
    ok(poy_neg_into(ctx, x, far) == POY_ERR_BACKEND, "also as output: %s", poy_ctx_cause(ctx));
    poy_array_destroy(&far);
    poy_backend_close(&other);
    DESTROY(&x, &f, &v, &two);
}

static void in_place(void)
{
    poy_array *a = F64(1, EXTENT(6), 1, 2, 3, 4, 5, 6), *low = NULL, *high = NULL, *back = NULL, *t = NULL;
    double got[9];

    ok(poy_array_slice(ctx, a, 0, 0, 5, 1, &low) == POY_OK && poy_array_slice(ctx, a, 0, 1, 6, 1, &high) == POY_OK &&
           poy_add_into(ctx, low, high, high) == POY_OK && poy_array_read(ctx, a, got) == POY_OK && got[1] == 3 &&
           got[2] == 5 && got[5] == 11,
       "an input that overlaps the output is read before it is written");
    ok(poy_array_slice(ctx, a, 0, INT64_MIN, INT64_MIN, -1, &back) == POY_OK && poy_copy_into(ctx, back, a) == POY_OK &&
           poy_array_read(ctx, a, got) == POY_OK && got[0] == 11 && got[5] == 1,
       "an array is turned round in itself");
    uint64_t allocations = poy_ctx_allocations(ctx);
    ok(poy_mul_into(ctx, a, a, a) == POY_OK && poy_array_read(ctx, a, got) == POY_OK && got[0] == 121 &&
           poy_ctx_allocations(ctx) == allocations,
       "the same window is worked on in place, without memory");
    poy_array *m = F64(2, EXTENT(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9);
    ok(poy_array_transpose(ctx, m, NULL, &t) == POY_OK && poy_copy_into(ctx, t, m) == POY_OK &&
           poy_array_read(ctx, m, got) == POY_OK && got[1] == 4 && got[3] == 2 && got[8] == 9,
       "a matrix is transposed in itself");
    ok(poy_matmul_into(ctx, m, m, m) == POY_OK && poy_array_read(ctx, m, got) == POY_OK && got[0] == 30 &&
           got[8] == 150,
       "and squared in itself");
    DESTROY(&a, &low, &high, &back, &t, &m);
}

/* A scalar operand apart from the output, and one that is an element of it; a dot product into an operand. */
static void scalars(void)
{
    const int64_t place = 1, end = 0;
    poy_array *y = F64(1, EXTENT(3), 1, 2, 3), *x = F64(1, EXTENT(3), 4, 5, 6), *two = F64(0, NULL, 2), *in = NULL,
              *first = NULL;
    ok(poy_mul_into(ctx, two, x, y) == POY_OK && poy_axpy_into(ctx, two, x, y, y) == POY_OK &&
           IS(&y, POY_F64, 1, EXTENT(3), 16, 20, 24),
       "a scalar goes with each element");
    y = F64(1, EXTENT(3), 1, 2, 3);
    ok(poy_array_view(ctx, y, 0, NULL, NULL, place, &in) == POY_OK && poy_mul_into(ctx, in, y, y) == POY_OK &&
           poy_axpy_into(ctx, in, x, y, y) == POY_OK && IS(&y, POY_F64, 1, EXTENT(3), 18, 24, 30),
       "one of the output's own elements is taken as it was");
    ok(poy_array_view(ctx, x, 0, NULL, NULL, end, &first) == POY_OK && poy_vdot_into(ctx, x, x, first) == POY_OK &&
           IS(&x, POY_F64, 1, EXTENT(3), 77, 5, 6),
       "a dot product into one of its operands");
    DESTROY(&two, &in, &first);
}

static void fills_and_copies(void)
{
    poy_array *z = NULL;
    double x[4] = {NAN, INFINITY, -INFINITY, 1e30};

    ok(poy_fill(ctx, be, (poy_scalar){2.5, 0}, POY_F32, 1, EXTENT(2), &z) == POY_OK &&
           IS(&z, POY_F32, 1, EXTENT(2), 2.5, 2.5),
       "fill");
    ok(poy_fill(ctx, be, (poy_scalar){1, -2}, POY_C128, 0, NULL, &z) == POY_OK && IS(&z, POY_C128, 0, NULL, 1, -2),
       "with a pair");
    ok(poy_fill(ctx, be, (poy_scalar){1, -2}, POY_F64, 0, NULL, &z) == POY_ERR_COMPLEX_TO_REAL && !z,
       "not into a real array: %s", poy_ctx_cause(ctx));
    ok(poy_fill(ctx, be, (poy_scalar){NAN, 0}, POY_I32, 0, NULL, &z) == POY_ERR_ARGUMENT, "NaN not into integers: %s",
       poy_ctx_cause(ctx));
    ok(poy_fill(ctx, be, (poy_scalar){0, 0}, POY_F64, 1, EXTENT(-1), &z) == POY_ERR_SHAPE, "no negative extent");
    poy_array *a = make(POY_F64, 1, EXTENT(4), x), *c = make(POY_C128, 1, EXTENT(1), (const double[]){1, 0});
    ok(poy_copy(ctx, a, POY_I32, &z) == POY_OK && IS(&z, POY_I32, 1, EXTENT(4), 0, INT32_MAX, INT32_MIN, INT32_MAX),
       "a cast to integers saturates, NaN becomes 0");
    ok(poy_copy(ctx, a, POY_B8, &z) == POY_OK && IS(&z, POY_B8, 1, EXTENT(4), 1, 1, 1, 1), "NaN is true");
    ok(poy_copy(ctx, c, POY_F64, &z) == POY_ERR_COMPLEX_TO_REAL && !z, "complex never goes into real: %s",
       poy_ctx_cause(ctx));
    ok(poy_copy_into(ctx, a, c) == POY_ERR_BROADCAST, "4 not into 1: %s", poy_ctx_cause(ctx));
    ok(poy_copy(ctx, a, (poy_dtype)9, &z) == POY_ERR_DTYPE, "there is no type 9");
    DESTROY(&a, &c);
}

static void reductions(void)
{
    poy_array *a = F64(3, EXTENT(2, 3, 2), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11), *z = NULL;
    poy_array *e = make(POY_F64, 2, EXTENT(0, 3), NULL), *s = F64(0, NULL, 7), *into = F64(2, EXTENT(2, 1), 0, 0);

    ok(poy_sum(ctx, a, 2, (const int[]){0, -1}, 0, &z) == POY_OK && IS(&z, POY_F64, 1, EXTENT(3), 14, 22, 30),
       "the first and the last axis");
    ok(poy_sum(ctx, a, 1, (const int[]){1}, 1, &z) == POY_OK && IS(&z, POY_F64, 3, EXTENT(2, 1, 2), 6, 9, 24, 27),
       "the middle one, kept as 1");
    ok(poy_max(ctx, a, POY_ALL_AXES, NULL, 0, &z) == POY_OK && IS(&z, POY_F64, 0, NULL, 11), "all");
    ok(poy_sum(ctx, a, 0, NULL, 0, &z) == POY_OK && poy_array_rank(z) == 3, "none");
    poy_array_destroy(&z);
    ok(poy_sum(ctx, s, 1, (const int[]){-1}, 0, &z) == POY_OK && IS(&z, POY_F64, 0, NULL, 7), "rank 0 takes axis -1");
    ok(poy_sum(ctx, e, 1, (const int[]){0}, 0, &z) == POY_OK && IS(&z, POY_F64, 1, EXTENT(3), 0, 0, 0),
       "the sum of nothing is 0");
    ok(poy_max(ctx, e, 1, (const int[]){1}, 0, &z) == POY_OK && poy_array_size(z) == 0, "no result, no question");
    poy_array_destroy(&z);
    ok(poy_min(ctx, e, 1, (const int[]){0}, 0, &z) == POY_ERR_EMPTY && !z, "the least of nothing: %s",
       poy_ctx_cause(ctx));
    ok(poy_sum(ctx, a, 1, (const int[]){3}, 0, &z) == POY_ERR_AXIS, "no axis 3: %s", poy_ctx_cause(ctx));
    ok(poy_sum(ctx, a, 2, (const int[]){1, -2}, 0, &z) == POY_ERR_AXIS, "twice: %s", poy_ctx_cause(ctx));
    ok(poy_sum(ctx, a, -2, NULL, 0, &z) == POY_ERR_AXIS, "-2 axes: %s", poy_ctx_cause(ctx));
    ok(poy_sum_into(ctx, a, 2, (const int[]){1, 2}, 1, into) == POY_ERR_SHAPE, "the output's rank counts: %s",
       poy_ctx_cause(ctx));
    DESTROY(&a, &e, &s, &into);
}

static void products(void)
{
    poy_array *m = F64(2, EXTENT(2, 3), 1, 2, 3, 4, 5, 6), *v = F64(1, EXTENT(3), 1, 0, -1), *z = NULL, *t = NULL;
    poy_array *b = F64(3, EXTENT(2, 1, 2), 1, 2, 3, 4), *s = F64(0, NULL, 2), *e = make(POY_F64, 2, EXTENT(3, 0), NULL);

    ok(poy_matmul(ctx, m, v, &z) == POY_OK && IS(&z, POY_F64, 1, EXTENT(2), -2, -2), "matrix by vector");
    ok(poy_matmul(ctx, v, v, &z) == POY_OK && IS(&z, POY_F64, 0, NULL, 2), "vector by vector");
    ok(poy_array_transpose(ctx, m, NULL, &t) == POY_OK && poy_matmul(ctx, v, t, &z) == POY_OK &&
           IS(&z, POY_F64, 1, EXTENT(2), -2, -2),
       "vector by transposed matrix");
    ok(poy_matmul(ctx, b, m, &z) == POY_OK && IS(&z, POY_F64, 3, EXTENT(2, 1, 3), 9, 12, 15, 19, 26, 33),
       "a batch by a matrix");
    ok(poy_matmul(ctx, m, e, &z) == POY_OK && poy_array_size(z) == 0, "by nothing");
    poy_array_destroy(&z);
    poy_array *k0 = make(POY_F64, 2, EXTENT(2, 0), NULL), *k1 = make(POY_F64, 2, EXTENT(0, 2), NULL);
    ok(poy_matmul(ctx, k0, k1, &z) == POY_OK && IS(&z, POY_F64, 2, EXTENT(2, 2), 0, 0, 0, 0), "sums of nothing are 0");
    ok(poy_matmul(ctx, m, m, &z) == POY_ERR_SHAPE && !z, "3 and 2: %s", poy_ctx_cause(ctx));
    ok(poy_matmul(ctx, s, v, &z) == POY_ERR_SHAPE, "rank 0: %s", poy_ctx_cause(ctx));
    poy_array *p = make(POY_F64, 3, EXTENT(2, 1, 1), NULL), *q = make(POY_F64, 3, EXTENT(3, 1, 1), NULL);
    ok(poy_matmul(ctx, p, q, &z) == POY_ERR_BROADCAST, "batches of 2 and 3: %s", poy_ctx_cause(ctx));
    DESTROY(&m, &v, &t, &b, &s, &e, &k0, &k1, &p, &q);
}

static void transforms(void)
{
    poy_fft_options o;
    poy_array *x = F64(2, EXTENT(2, 4), 1, 2, 3, 4, 1, 0, 0, 0), *z = NULL, *h = NULL;
    poy_array *c = make(POY_C64, 1, EXTENT(1), (const float[]){1, 1}), *s = F64(0, NULL, 1);

    poy_fft_options_init(&o);
    ok(poy_fft(ctx, x, NULL, &z) == POY_OK &&
           IS(&z, POY_C128, 2, EXTENT(2, 4), 10, 0, -2, 2, -2, 0, -2, -2, 1, 0, 1, 0, 1, 0, 1, 0),
       "real values are promoted");
    o.axis = 0;
    ok(poy_fft(ctx, x, &o, &z) == POY_OK &&
           IS(&z, POY_C128, 2, EXTENT(2, 4), 2, 0, 2, 0, 3, 0, 4, 0, 0, 0, 2, 0, 3, 0, 4, 0),
       "along the first axis");
    o.axis = -1;
    o.kind = POY_FFT_R2C;
    ok(poy_fft(ctx, x, &o, &h) == POY_OK && poy_array_extent(h, 1) == 3, "half a spectrum");
    o.kind = POY_FFT_C2R;
    o.sign = 1;
    o.scale = 0.25;
    ok(poy_fft(ctx, h, &o, &z) == POY_OK && IS(&z, POY_F64, 2, EXTENT(2, 4), 1, 2, 3, 4, 1, 0, 0, 0), "and back");
    o.n = 3;
    ok(poy_fft(ctx, h, &o, &z) == POY_OK && poy_array_extent(z, 1) == 3, "to an odd length");
    poy_array_destroy(&z);
    poy_array_destroy(&h);
    poy_fft_options_init(&o);
    o.n = 2;
    ok(poy_fft(ctx, x, &o, &z) == POY_OK && IS(&z, POY_C128, 2, EXTENT(2, 2), 3, 0, -1, 0, 1, 0, 1, 0), "cropped");
    o.n = 6;
    o.axis = 0;
    ok(poy_fft(ctx, x, &o, &z) == POY_OK && poy_array_extent(z, 0) == 6, "lengthened with zeros");
    double got[48];
    ok(poy_array_read(ctx, z, got) == POY_OK && fabs(got[8] - 1.5) < 1e-15 && fabs(got[9] + sqrt(0.75)) < 1e-15,
       "bin 1 of 1, 1, 0, 0, 0, 0");
    poy_array_destroy(&z);
    o.n = -5;
    ok(poy_fft(ctx, x, &o, &z) == POY_ERR_EMPTY && !z, "no length -5: %s", poy_ctx_cause(ctx));
    poy_fft_options_init(&o);
    o.axis = 2;
    ok(poy_fft(ctx, x, &o, &z) == POY_ERR_AXIS, "no axis 2: %s", poy_ctx_cause(ctx));
    ok(poy_fft(ctx, s, NULL, &z) == POY_ERR_AXIS, "no axis at all: %s", poy_ctx_cause(ctx));
    o.axis = 0;
    o.sign = 0;
    ok(poy_fft(ctx, x, &o, &z) == POY_ERR_ARGUMENT, "no sign 0: %s", poy_ctx_cause(ctx));
    o.sign = 1;
    o.kind = POY_FFT_R2C;
    ok(poy_fft(ctx, x, &o, &z) == POY_ERR_ARGUMENT, "real values go forward: %s", poy_ctx_cause(ctx));
    o.sign = -1;
    ok(poy_fft(ctx, c, &o, &z) == POY_ERR_COMPLEX_TO_REAL, "complex ones are not real: %s", poy_ctx_cause(ctx));
    o.kind = POY_FFT_C2R;
    o.sign = 1;
    ok(poy_fft(ctx, c, &o, &z) == POY_ERR_EMPTY, "2 (1 - 1) is no length: %s", poy_ctx_cause(ctx));
    o.kind = (poy_fft_kind)3;
    ok(poy_fft(ctx, c, &o, &z) == POY_ERR_ARGUMENT, "no kind 3: %s", poy_ctx_cause(ctx));
    DESTROY(&x, &c, &s);
}

int main(void)
{
    static const char *const specs[] = {"ref", "cpu", "cpu:isa=base"};
    ok(poy_ctx_create(&ctx) == POY_OK, "context");
    for (int i = 0; i < 3; i++) {
        ok(poy_backend_open(ctx, specs[i], &be) == POY_OK, "%s", specs[i]);
        promotion();
        broadcasting();
        outputs();
        in_place();
        scalars();
        fills_and_copies();
        reductions();
        products();
        transforms();
        poy_backend_close(&be);
        ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    }
    poy_ctx_destroy(&ctx);
    return tap_done();
}
