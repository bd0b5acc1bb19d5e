/* test_special_places.c: NaN, infinities, zeros of both signs and subnormal numbers at every place of short lines and at some of
 * long ones: loops that take many elements at once find each of them, and what follows them. */
#include <float.h>
#include <stdint.h>

#include "array_fixture.h"
#include "poynting/poynting.h"

enum { MOST = 9000 };

static double special[] = {(double)NAN, -(double)NAN, (double)INFINITY, -(double)INFINITY, -0.0,
                           0.0,         4.9e-324,     -2e-310,          DBL_MAX,           -DBL_MAX};
enum { SPECIALS = sizeof special / sizeof *special };

static double value_of(int single, double x)
{
    return single ? (double)(float)x : x;
}

/* What the array says of x, for f64 and f32: questions, and extrema by their definition. */
static int is_right(poy_dtype dtype, const double *x, int64_t n)
{
    static unsigned char host[MOST * sizeof(double)], flags[3][MOST];
    const int single = dtype == POY_F32;
    double most = -(double)INFINITY, least = (double)INFINITY, got[2];
    float got_f[2];
    int any_nan = 0, right = 1;
    poy_array *a, *y[3] = {NULL}, *z[2] = {NULL};

    for (int64_t i = 0; i < n; i++) {
        if (single)
            ((float *)(void *)host)[i] = (float)x[i];
        else
            ((double *)(void *)host)[i] = x[i];
        const double v = value_of(single, x[i]);
        any_nan |= isnan(v);
        most = v > most ? v : most;
        least = v < least ? v : least;
    }
    a = vector_of(dtype, n, host);
    MUST(poy_isfinite(ctx, a, &y[0]));
    MUST(poy_isnan(ctx, a, &y[1]));
    MUST(poy_logical_not(ctx, a, &y[2]));
    MUST(poy_max(ctx, a, -1, NULL, 0, &z[0]));
    MUST(poy_min(ctx, a, -1, NULL, 0, &z[1]));
    for (int q = 0; q < 3; q++)
        MUST(poy_array_read(ctx, y[q], flags[q]));
    for (int e = 0; e < 2; e++) {
        MUST(poy_array_read(ctx, z[e], single ? (void *)&got_f[e] : (void *)&got[e]));
        got[e] = single ? (double)got_f[e] : got[e];
    }
    for (int64_t i = 0; i < n; i++) {
        const double v = value_of(single, x[i]);
        right &= flags[0][i] == (isfinite(v) ? 1 : 0) && flags[1][i] == (isnan(v) ? 1 : 0) && flags[2][i] == (v == 0);
    }
    right &= any_nan ? isnan(got[0]) && isnan(got[1]) : got[0] == most && got[1] == least;
    for (int q = 0; q < 3; q++)
        poy_array_destroy(&y[q]);
    poy_array_destroy(&z[0]);
    poy_array_destroy(&z[1]);
    poy_array_destroy(&a);
    return right;
}

static void test(const char *backend)
{
    static const int64_t lengths[] = {1, 31, 32, 33, 64, 127, 128, 129, 160, 255, 1024, 1151, 8999};
    static double x[MOST];
    MUST(poy_backend_open(ctx, backend, &be));
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++) {
        const int64_t n = lengths[l], step = n > 256 ? n / 61 : 1;
        int wrong = 0;
        for (int64_t at = 0; at < n; at += step)
            for (int s = 0; s < SPECIALS; s++) {
                for (int64_t i = 0; i < n; i++)
                    x[i] = (double)(i * 37 % 101) - 50.5;
                x[at] = special[s];
                if (n > 1)
                    x[n - 1] = special[(s + at) % SPECIALS];
                wrong += !is_right(s & 1 ? POY_F32 : POY_F64, x, n) || !is_right(s & 1 ? POY_F64 : POY_F32, x, n);
            }
        ok(wrong == 0, "%s, %lld elements: %d wrong", backend, (long long)n, wrong);
    }
    poy_backend_close(&be);
}

int main(void)
{
    MUST(poy_ctx_create(&ctx));
    test("ref");
    test("cpu:isa=base");
    if (poy_backend_open(ctx, "cpu:isa=avx2", &be) == POY_OK) {
        poy_backend_close(&be);
        test("cpu:isa=avx2");
    }
    poy_ctx_destroy(&ctx);
    return tap_done();
}
