/* bench_waves.c: processor time of waves, one thread: the translation matrix of lmax 6 from 40 particles to 25 others (1000
 * pairs), and the field of 120 modes at 2048 points. bench/peers/waves.py compares the values and the times with those of
 * treams-rs. Arguments: the number of repetitions. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poynting/waves.h"

enum { DESTINATIONS = 25, SOURCES = 40, PARTICLES = DESTINATIONS + SOURCES, LMAX = 6, POINTS = 2048, MODES = 120 };

static const poy_embedding vacuum = {1.3, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};

static double now(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A fixed sequence that the peer's script repeats: Philox, seed 1. */
static double draw(uint64_t i)
{
    double u[2];
    poy_random_uniform2(1u, 0u, i, u);
    return 2.0 * u[0] - 1.0;
}

static double complex_sum(size_t n, const poy_c128 *x)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += x[i].re * x[i].re + x[i].im * x[i].im;
    return sum;
}

/* A lattice of 5 x 13 x 1 sites of spacing 2, shaken by up to 0.2. */
static void place(double *positions)
{
    for (int i = 0; i < PARTICLES; i++) {
        const double cell[3] = {i / 13, i % 13, 0.0};
        for (int j = 0; j < 3; j++)
            positions[3 * i + j] = 2.0 * cell[j] + 0.2 * draw(3u * (uint64_t)i + (uint64_t)j);
    }
}

static void bench_translation(poy_ctx *ctx, int repetitions)
{
    double positions[3 * PARTICLES], best = 1e9;
    poy_basis *to = NULL, *from = NULL;
    place(positions);
    if (poy_basis_sw_default(ctx, LMAX, DESTINATIONS, positions, &to) != POY_OK ||
        poy_basis_sw_default(ctx, LMAX, SOURCES, positions + (size_t)3 * DESTINATIONS, &from) != POY_OK)
        return;
    const size_t n = poy_basis_size(to) * poy_basis_size(from);
    poy_c128 *out = malloc(n * sizeof *out);
    for (int i = 0; out && i < repetitions; i++) {
        const double start = now();
        if (poy_op_expand(ctx, &vacuum, to, POY_REGULAR, from, POY_SINGULAR, out) != POY_OK)
            break;
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    if (out)
        printf("translation of lmax %d, %d pairs: %.6f s, sum %.12e\n", LMAX, DESTINATIONS * SOURCES, best,
               complex_sum(n, out));
    free(out);
    poy_basis_destroy(&to);
    poy_basis_destroy(&from);
}

static void bench_field(poy_ctx *ctx, poy_modetype type, int repetitions)
{
    static double points[3 * POINTS];
    static poy_c128 out[3 * POINTS], coefficients[MODES];
    double best = 1e9;
    poy_basis *all = NULL, *b = NULL;
    for (uint64_t i = 0; i < 3 * (uint64_t)POINTS; i++)
        points[i] = 3.0 * draw(1000 + i);
    for (uint64_t i = 0; i < MODES; i++)
        coefficients[i] = (poy_c128){draw(10000 + 2 * i), draw(10001 + 2 * i)};
    /* the first 120 modes of lmax 7 */
    if (poy_basis_sw_default(ctx, 7, 0, NULL, &all) != POY_OK ||
        poy_basis_sw_create(ctx, MODES, poy_basis_modes(all), 0, NULL, &b) != POY_OK)
        return;
    for (int i = 0; i < repetitions; i++) {
        const double start = now();
        if (poy_wave_sample(ctx, &vacuum, b, type, coefficients, POY_WAVE_E, 0, POINTS, points, out) != POY_OK)
            break;
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    printf("%s field of %d modes, %d points: %.6f s, sum %.12e\n", type == POY_SINGULAR ? "singular" : "regular", MODES,
           POINTS, best, complex_sum((size_t)3 * POINTS, out));
    poy_basis_destroy(&b);
    poy_basis_destroy(&all);
}

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL;
    const int repetitions = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 5;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    bench_translation(ctx, repetitions);
    bench_field(ctx, POY_REGULAR, repetitions);
    bench_field(ctx, POY_SINGULAR, repetitions);
    poy_ctx_destroy(&ctx);
    return 0;
}
