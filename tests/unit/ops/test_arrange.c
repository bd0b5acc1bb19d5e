/* test_arrange.c: arrays moved about and composed: shapes, the elements of small ones by hand, and what is refused. */
#include <math.h>

#include "poynting/poynting.h"
#include "tap.h"

#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})
#define AXES(...) ((const int[]){__VA_ARGS__})

static poy_ctx *ctx;
static poy_backend *be;

/* f64 1, 2, 3, ... of a shape. */
static poy_array *counted(int rank, const int64_t *extent)
{
    poy_array *flat = NULL, *a = NULL;
    double n = 1;
    for (int i = 0; i < rank; i++)
        n *= (double)extent[i];
    ok(poy_arange(ctx, be, 1, n + 1, 1, POY_F64, &flat) == POY_OK &&
           poy_array_reshape(ctx, flat, rank, extent, &a) == POY_OK,
       "an array");
    poy_array_destroy(&flat);
    return a;
}

/* Whether *a, which goes, has a shape and elements. */
static int is(poy_status status, poy_array **a, int rank, const int64_t *extent, const double *want)
{
    double got[64] = {0};
    int64_t n = 1;
    int good = status == POY_OK && poy_array_rank(*a) == rank;
    for (int i = 0; i < rank; i++)
        n *= extent[i];
    good = good && n <= 64 && poy_array_size(*a) == n;
    if (!good)
        note("%s", poy_ctx_message(ctx));
    for (int i = 0; good && i < rank; i++)
        good = poy_array_extent(*a, i) == extent[i];
    good = good && (n == 0 || poy_array_read(ctx, *a, got) == POY_OK);
    for (int64_t i = 0; good && i < n; i++) {
        good = got[i] == want[i];
        if (!good)
            note("element %d is %g, not %g", (int)i, got[i], want[i]);
    }
    poy_array_destroy(a);
    return good;
}
#define IS(call, extents, ...) \
    is(call, &y, (int)(sizeof extents / sizeof(int64_t)), extents, (const double[]){__VA_ARGS__})

static int is_refused(poy_status got, poy_status wanted, poy_array **y)
{
    int good = got == wanted && !*y;
    poy_ctx_clear(ctx);
    poy_array_destroy(y);
    return good;
}

static void moved(void)
{
    poy_array *y = NULL, *a = counted(2, EXTENT(2, 3)), *v = counted(1, EXTENT(5));

    ok(IS(poy_array_flip(ctx, a, 1, &y), EXTENT(2, 3), 3, 2, 1, 6, 5, 4), "flip");
    ok(IS(poy_roll(ctx, v, 2, 0, &y), EXTENT(5), 4, 5, 1, 2, 3), "roll");
    ok(IS(poy_roll(ctx, v, -7, 0, &y), EXTENT(5), 3, 4, 5, 1, 2), "roll the other way, around more than once");
    ok(IS(poy_roll(ctx, a, 1, 0, &y), EXTENT(2, 3), 4, 5, 6, 1, 2, 3), "roll rows");
    ok(IS(poy_tile(ctx, a, EXTENT(2, 1), &y), EXTENT(4, 3), 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6), "tile down");
    ok(IS(poy_tile(ctx, a, EXTENT(1, 2), &y), EXTENT(2, 6), 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6), "tile across");
    ok(IS(poy_tile(ctx, a, EXTENT(1, 0), &y), EXTENT(2, 0), 0), "tile no times");
    ok(is_refused(poy_tile(ctx, a, EXTENT(1, -1), &y), POY_ERR_SHAPE, &y), "a negative number of times");
    ok(IS(poy_pad(ctx, a, EXTENT(1, 0), EXTENT(0, 1), (poy_scalar){9, 0}, &y), EXTENT(3, 4), 9, 9, 9, 9, 1, 2, 3, 9, 4,
          5, 6, 9),
       "pad");
    ok(IS(poy_diff(ctx, a, 0, &y), EXTENT(1, 3), 3, 3, 3), "diff");
    ok(is_refused(poy_diff(ctx, a, 2, &y), POY_ERR_AXIS, &y), "along no axis");
    ok(IS(poy_array_move_axes(ctx, a, 1, AXES(0), AXES(-1), &y), EXTENT(3, 2), 1, 4, 2, 5, 3, 6), "move axes");
    ok(is_refused(poy_array_move_axes(ctx, a, 2, AXES(0, 0), AXES(0, 1), &y), POY_ERR_AXIS, &y), "one axis twice");
    ok(is_refused(poy_array_swap_axes(ctx, a, 0, 2, &y), POY_ERR_AXIS, &y), "swap with no axis");
    ok(is_refused(poy_array_expand_dims(ctx, a, 2, AXES(0, 0), &y), POY_ERR_AXIS, &y), "two new axes in one place");
    poy_array_destroy(&v);
    poy_array_destroy(&a);
}

static void joined(void)
{
    poy_array *y = NULL, *a = counted(2, EXTENT(2, 2)), *v = counted(1, EXTENT(2)), *z = NULL;
    const poy_array *const parts[] = {a, a}, *const mixed[] = {a, v};

    ok(IS(poy_concatenate(ctx, 2, parts, -1, &y), EXTENT(2, 4), 1, 2, 1, 2, 3, 4, 3, 4), "concatenate");
    ok(IS(poy_concatenate(ctx, 2, mixed, POY_FLAT, &y), EXTENT(6), 1, 2, 3, 4, 1, 2), "concatenate flat");
    ok(IS(poy_stack(ctx, 2, parts, 0, &y), EXTENT(2, 2, 2), 1, 2, 3, 4, 1, 2, 3, 4), "stack");
    ok(IS(poy_stack(ctx, 2, parts, -1, &y), EXTENT(2, 2, 2), 1, 1, 2, 2, 3, 3, 4, 4), "stack last");
    ok(IS(poy_vstack(ctx, 2, mixed, &y), EXTENT(3, 2), 1, 2, 3, 4, 1, 2), "vstack of a matrix and a vector");
    ok(IS(poy_column_stack(ctx, 2, mixed, &y), EXTENT(2, 3), 1, 2, 1, 3, 4, 2), "column stack of both");
    ok(is_refused(poy_concatenate(ctx, 2, mixed, 0, &y), POY_ERR_SHAPE, &y), "ranks that differ");
    ok(is_refused(poy_concatenate(ctx, 0, parts, 0, &y), POY_ERR_EMPTY, &y), "nothing to concatenate");
    ok(is_refused(poy_stack(ctx, 2, mixed, 0, &y), POY_ERR_SHAPE, &y), "stack of two shapes");
    ok(is_refused(poy_concatenate(ctx, 2, parts, 2, &y), POY_ERR_AXIS, &y), "along no axis");
    ok(poy_fill(ctx, be, (poy_scalar){2, 0}, POY_F64, 0, NULL, &z) == POY_OK, "a number");
    const poy_array *const numbers[] = {z, z};
    ok(is_refused(poy_concatenate(ctx, 2, numbers, 0, &y), POY_ERR_SHAPE, &y), "numbers have no axis");
    ok(IS(poy_hstack(ctx, 2, numbers, &y), EXTENT(2), 2, 2), "hstack makes vectors of them");
    poy_array_destroy(&z);
    poy_array_destroy(&v);
    poy_array_destroy(&a);
}

static void matrices(void)
{
    poy_array *y = NULL, *a = counted(2, EXTENT(2, 3)), *v = counted(1, EXTENT(2));

    ok(IS(poy_array_diagonal(ctx, a, 1, &y), EXTENT(2), 2, 6), "a diagonal above");
    ok(IS(poy_array_diagonal(ctx, a, -1, &y), EXTENT(1), 4), "below");
    ok(IS(poy_array_diagonal(ctx, a, 5, &y), EXTENT(0), 0), "outside");
    ok(IS(poy_diag(ctx, v, -1, &y), EXTENT(3, 3), 0, 0, 0, 1, 0, 0, 0, 2, 0), "diag of a vector");
    ok(IS(poy_diag(ctx, a, 0, &y), EXTENT(2), 1, 5), "diag of a matrix");
    ok(IS(poy_tril(ctx, a, 1, &y), EXTENT(2, 3), 1, 2, 0, 4, 5, 6), "tril");
    ok(IS(poy_triu(ctx, a, 0, &y), EXTENT(2, 3), 1, 2, 3, 0, 5, 6), "triu");
    ok(is(poy_trace(ctx, a, &y), &y, 0, NULL, (const double[]){6}), "trace");
    ok(IS(poy_eye(ctx, be, 2, 3, 1, POY_F64, &y), EXTENT(2, 3), 0, 1, 0, 0, 0, 1), "eye");
    ok(IS(poy_kron(ctx, v, a, &y), EXTENT(2, 6), 1, 2, 3, 2, 4, 6, 4, 5, 6, 8, 10, 12), "kron");
    ok(is_refused(poy_tril(ctx, v, 0, &y), POY_ERR_SHAPE, &y), "a vector has no triangle");
    ok(is_refused(poy_trace(ctx, v, &y), POY_ERR_SHAPE, &y), "and no trace");
    ok(is(poy_matrix_norm(ctx, a, 1, NULL, 0, &y), &y, 0, NULL, (const double[]){9}), "largest column sum");
    ok(is(poy_matrix_norm(ctx, a, -HUGE_VAL, NULL, 0, &y), &y, 0, NULL, (const double[]){6}), "smallest row sum");
    ok(is_refused(poy_matrix_norm(ctx, a, 3, NULL, 0, &y), POY_ERR_ARGUMENT, &y), "no such matrix norm");
    ok(IS(poy_vector_norm(ctx, a, 0, 0, 1, &y), EXTENT(1, 3), 2, 2, 2), "count of what is not 0");
    ok(IS(poy_vector_norm(ctx, v, -HUGE_VAL, 0, 1, &y), EXTENT(1), 1), "smallest element");
    ok(is(poy_vector_norm(ctx, v, -1, 0, 0, &y), &y, 0, NULL, (const double[]){2.0 / 3}), "of a negative power");
    ok(poy_vector_norm(ctx, v, 3, 0, 0, &y) == POY_OK, "a 3-norm");
    double got = 0;
    ok(poy_array_read(ctx, y, &got) == POY_OK && fabs(got - cbrt(9)) < 1e-15, "is the cubic root of 9");
    poy_array_destroy(&y);
    poy_array_destroy(&v);
    poy_array_destroy(&a);
}

/* A 2-d transform against its double sum; there and back with each norm. */
static void transforms(void)
{
    enum { M = 3, N = 4 };
    const double pi = acos(-1);
    double x[2 * M * N], got[2 * M * N], back[2 * M * N], worst = 0;
    poy_array *a = NULL, *y = NULL, *z = NULL;

    for (int i = 0; i < 2 * M * N; i++)
        x[i] = sin(3.0 * i) + 0.1 * i;
    ok(poy_array_create(ctx, be, POY_C128, 2, EXTENT(M, N), &a) == POY_OK && poy_array_write(ctx, a, x) == POY_OK &&
           poy_fftn(ctx, a, POY_ALL_AXES, NULL, -1, POY_FFT_NORM_BACKWARD, &y) == POY_OK &&
           poy_array_read(ctx, y, got) == POY_OK,
       "a transform of two axes");
    for (int k = 0; k < M; k++)
        for (int l = 0; l < N; l++) {
            double re = 0, im = 0;
            for (int i = 0; i < M; i++)
                for (int j = 0; j < N; j++) {
                    double t = -2 * pi * ((double)(i * k) / M + (double)(j * l) / N), c = cos(t), s = sin(t);
                    re += x[2 * (i * N + j)] * c - x[2 * (i * N + j) + 1] * s;
                    im += x[2 * (i * N + j)] * s + x[2 * (i * N + j) + 1] * c;
                }
            worst = fmax(worst, hypot(got[2 * (k * N + l)] - re, got[2 * (k * N + l) + 1] - im));
        }
    ok(worst < 1e-13, "is the double sum: %.2g", worst);
    poy_array_destroy(&y);
    for (int norm = POY_FFT_NORM_BACKWARD; norm <= POY_FFT_NORM_FORWARD; norm++) {
        worst = 0;
        ok(poy_fftn(ctx, a, 2, AXES(1, 0), -1, (poy_fft_norm)norm, &y) == POY_OK &&
               poy_fftn(ctx, y, 2, AXES(0, -1), 1, (poy_fft_norm)norm, &z) == POY_OK &&
               poy_array_read(ctx, z, back) == POY_OK,
           "there and back, norm %d", norm);
        for (int i = 0; i < 2 * M * N; i++)
            worst = fmax(worst, fabs(back[i] - x[i]));
        ok(worst < 1e-14, "gives what was there: %.2g", worst);
        poy_array_destroy(&z);
        poy_array_destroy(&y);
    }
    ok(is_refused(poy_fftn(ctx, a, 2, AXES(0, 0), -1, POY_FFT_NORM_ORTHO, &y), POY_ERR_AXIS, &y), "one axis twice");
    ok(is_refused(poy_fftn(ctx, a, 1, AXES(2), -1, POY_FFT_NORM_ORTHO, &y), POY_ERR_AXIS, &y), "no such axis");
    poy_array_destroy(&a);
    ok(IS(poy_fftfreq(ctx, be, 4, 0.5, &y), EXTENT(4), 0, 0.5, -1, -0.5), "frequencies, even");
    ok(IS(poy_fftfreq(ctx, be, 5, 0.2, &y), EXTENT(5), 0, 1, 2, -2, -1), "odd");
    ok(IS(poy_rfftfreq(ctx, be, 5, 0.2, &y), EXTENT(3), 0, 1, 2), "of real samples");
    ok(is_refused(poy_fftfreq(ctx, be, 0, 1, &y), POY_ERR_EMPTY, &y), "of no samples");
    poy_array *v = counted(1, EXTENT(5));
    ok(IS(poy_fftshift(ctx, v, 0, &y), EXTENT(5), 4, 5, 1, 2, 3), "shift");
    ok(IS(poy_ifftshift(ctx, v, 0, &y), EXTENT(5), 3, 4, 5, 1, 2), "and back");
    ok(is_refused(poy_fftshift(ctx, v, 1, &y), POY_ERR_AXIS, &y), "along no axis");
    poy_array_destroy(&v);
}

static void ranges(void)
{
    poy_array *y = NULL;
    ok(IS(poy_linspace(ctx, be, 0, 1, 5, POY_F64, &y), EXTENT(5), 0, 0.25, 0.5, 0.75, 1), "linspace");
    ok(IS(poy_linspace(ctx, be, 3, 9, 1, POY_F64, &y), EXTENT(1), 3), "of one number");
    ok(IS(poy_arange(ctx, be, 0, -1, 0.5, POY_F64, &y), EXTENT(0), 0), "a range the other way is empty");
    ok(is_refused(poy_arange(ctx, be, 0, 1, 0, POY_F64, &y), POY_ERR_ARGUMENT, &y), "no step");
    ok(is_refused(poy_arange(ctx, be, 0, 1, 1, POY_C64, &y), POY_ERR_DTYPE, &y), "no complex range");
}

int main(void)
{
    static const char *const specs[] = {"ref", "cpu"};
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    for (int i = 0; i < 2; i++) {
        ok(poy_backend_open(ctx, specs[i], &be) == POY_OK, "on %s", specs[i]);
        moved();
        joined();
        matrices();
        transforms();
        ranges();
        poy_backend_close(&be);
        ok(poy_ctx_bytes(ctx) == 0, "the ledger is at zero");
    }
    poy_ctx_destroy(&ctx);
    return tap_done();
}
