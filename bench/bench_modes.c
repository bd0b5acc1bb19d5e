/* bench_modes.c: stages in several modes of a gas-filled capillary and where their time goes; beside them what the matrix
 * products take that lead to the points of the cross-section and back, by the rows of the cpu backend and by OpenBLAS, which
 * these stages do mostly without; processor time of one thread. bench_modes [backend] [seconds a line]. */
#define _POSIX_C_SOURCE 200809L /* clock_gettime */
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poynting/bench.h"

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Y [rows][n] = M [rows][terms] X [terms][n], block by block: by far the fastest way that OpenBLAS has for them. */
static void product(int rows, int terms, int n, const double *m, const double *x, double *y)
{
    enum { BLOCK = 2048 };
    for (int t = 0; t < n; t += BLOCK)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, rows, n - t < BLOCK ? n - t : BLOCK, terms, 1.0, m,
                    terms, x + t, n, 0.0, y + t, n);
}

/* Synthesis and projection of six stages, the last one's by two rules: the least of many. */
static double library_products(const poy_bench_modes_result *r)
{
    const int n = (int)r->samples;
    const size_t at_points = (size_t)r->points * (size_t)n, columns = 2 * (size_t)r->modes * (size_t)n;
    double *m = calloc(2 * (size_t)r->modes * (size_t)r->points, sizeof *m), *x = calloc(columns, sizeof *x),
           *y = calloc(at_points, sizeof *y), least = (double)INFINITY;
    if (!m || !x || !y)
        exit(1);
    for (int round = 0; round < 40; round++) {
        const double start = now();
        for (int i = 0; i < 6; i++) {
            product(r->points, r->modes, n, m, x, y);
            product((i == 5 ? 2 : 1) * r->modes, r->points, n, m, y, x);
        }
        least = fmin(least, now() - start);
    }
    free(m);
    free(x);
    free(y);
    return least;
}

int main(int argc, char **argv)
{
    const char *backend = argc > 1 ? argv[1] : "cpu";
    const double seconds = argc > 2 ? strtod(argv[2], NULL) : 2.0;
    poy_ctx *ctx = NULL;

    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    openblas_set_num_threads(1);
    printf("%s, one thread, us: six stages; their rows; the products of all points by themselves, by the rows of the "
           "backend and by\nOpenBLAS. Ratios: stages / (transforms + products), with the former, bar 1.6, and with the "
           "latter\n",
           backend);
    printf(
        "modes points samples plasma   stages  transforms  Kerr effect  electrons    rest  products  OpenBLAS  ratio  "
        "with OpenBLAS's  load\n");
    for (int modes = 1; modes <= 4; modes *= 4)
        for (int plasma = 0; plasma < 2; plasma++) {
            poy_bench_modes_result r;
            if (poy_bench_modes(ctx, backend, modes, plasma, seconds, &r) != POY_OK) {
                fprintf(stderr, "%s\n", poy_ctx_message(ctx));
                poy_ctx_destroy(&ctx);
                return 1;
            }
            const double library = library_products(&r);
            printf("%5d %6d %7lld %6d %8.0f  %10.0f  %11.0f  %9.0f  %6.0f  %8.0f  %8.0f  %5.2f  %15.2f  %4.1f\n", modes,
                   r.points, (long long)r.samples, plasma, 1e6 * r.stages, 1e6 * r.transforms, 1e6 * r.response,
                   1e6 * r.ionisation, 1e6 * r.rest, 1e6 * r.products, 1e6 * library, r.ratio,
                   r.stages / (r.transforms + library), r.load);
            fflush(stdout);
        }
    poy_ctx_destroy(&ctx);
    return 0;
}
