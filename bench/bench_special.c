/* bench_special.c: processor time of special functions: tables of spherical Bessel functions (2e6 values of j and y), and
 * single functions, one thread. bench/peers/special.py compares them with SciPy's. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poynting/special.h"

enum { POINTS = 100000, LMAX = 20, SINGLE = 20000 };

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void bench_table(poy_ctx *ctx, const poy_c128 *z)
{
    const size_t values = (size_t)(LMAX + 1) * POINTS;
    poy_c128 *j = malloc(values * sizeof *j), *y = malloc(values * sizeof *y);
    double best = 1e9;
    for (int i = 0; j && y && i < 5; i++) {
        const double start = now();
        if (poy_sf_spherical_table(ctx, POINTS, LMAX, z, j, y, NULL) != POY_OK)
            break;
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("spherical_table l <= %d, %d points, j and y: %.1f ms\n", LMAX, POINTS, 1e3 * best);
    free(j);
    free(y);
}

static void bench_single(poy_ctx *ctx, const poy_c128 *z)
{
    poy_c128 *out = malloc(SINGLE * sizeof *out);
    double *v = malloc(SINGLE * sizeof *v);
    for (int i = 0; out && v && i < SINGLE; i++)
        v[i] = i % 40;
    for (int i = 0; out && v && i < 2; i++) {
        const double start = now();
        if ((i == 0 ? poy_sf_jv : poy_sf_hankel1)(ctx, SINGLE, v, z, out) != POY_OK)
            break;
        printf("%s: %.2f us a value\n", i == 0 ? "jv" : "hankel1", 1e6 * (now() - start) / SINGLE);
    }
    free(out);
    free(v);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    poy_c128 *z = malloc(POINTS * sizeof *z);
    if (!z || poy_ctx_create(&ctx) != POY_OK) {
        free(z);
        return 1;
    }
    poy_ctx_set_threads(ctx, 1);
    for (uint64_t i = 0; i < POINTS; i++) {
        double u[2];
        poy_random_uniform2(1, 0, i, u);
        z[i] = (poy_c128){0.1 + 50.0 * u[0], 5.0 * u[1] - 2.5};
    }
    bench_table(ctx, z);
    bench_single(ctx, z);
    free(z);
    poy_ctx_destroy(&ctx);
    return 0;
}
