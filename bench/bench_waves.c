/* bench_waves.c: processor time of waves, one thread: the translation matrix among 32 particles of lmax 6 (992 pairs and the
 * coincident ones), a gradient of it, and the field of 120 modes at 2048 points. bench/peers/waves.py compares the values
 * and the times with those of treams-rs. Arguments: the number of repetitions. */
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "poynting/waves.h"

enum { PARTICLES = 32, LMAX = 6, POINTS = 2048, MODES = 120 };

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

/* A 4 x 4 x 2 lattice of spacing 2, shaken by up to 0.2. */
static void place(double *positions)
{
    for (int i = 0; i < PARTICLES; i++) {
        const double cell[3] = {i / 8, i / 2 % 4, i % 2};
        for (int j = 0; j < 3; j++)
            positions[3 * i + j] = 2.0 * cell[j] + 0.2 * draw((uint64_t)(3 * i + j));
    }
}

static void bench_translation(poy_ctx *ctx, int repetitions)
{
    double positions[3 * PARTICLES], best = 1e9;
    poy_basis *b = NULL;
    place(positions);
    if (poy_basis_sw_default(ctx, LMAX, PARTICLES, positions, &b) != POY_OK)
        return;
    const size_t n = poy_basis_size(b);
    poy_c128 *out = malloc(n * n * sizeof *out);
    for (int i = 0; out && i < repetitions; i++) {
        const double start = now();
        if (poy_op_expand(ctx, &vacuum, b, POY_REGULAR, b, POY_SINGULAR, out) != POY_OK)
            break;
        const double seconds = now() - start;
        best = seconds < best ? seconds : best;
    }
    if (out)
        printf("translation %d pairs lmax %d seconds %.6f check %.15e\n", PARTICLES * (PARTICLES - 1), LMAX, best,
               complex_sum(n * n, out));
    free(out);
    poy_basis_destroy(&b);
}

static void bench_field(poy_ctx *ctx, poy_modetype type, int repetitions)
{
    static double points[3 * POINTS];
    static poy_c128 out[3 * POINTS], coefficients[MODES];
    double best = 1e9;
    poy_basis *all = NULL, *b = NULL;
    for (int i = 0; i < 3 * POINTS; i++)
        points[i] = 3.0 * draw((uint64_t)(1000 + i));
    for (int i = 0; i < MODES; i++)
        coefficients[i] = (poy_c128){draw((uint64_t)(10000 + 2 * i)), draw((uint64_t)(10001 + 2 * i))};
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
    printf("field %d modes %d points %s seconds %.6f check %.15e\n", MODES, POINTS,
           type == POY_SINGULAR ? "singular" : "regular", best, complex_sum(3 * POINTS, out));
    poy_basis_destroy(&b);
    poy_basis_destroy(&all);
}

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL;
    const int repetitions = argc > 1 ? atoi(argv[1]) : 5;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    bench_translation(ctx, repetitions);
    bench_field(ctx, POY_REGULAR, repetitions);
    bench_field(ctx, POY_SINGULAR, repetitions);
    poy_ctx_destroy(&ctx);
    return 0;
}
