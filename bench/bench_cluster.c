/* bench_cluster.c: times Mie sweeps and clusters as bench/peers/scatter.py does with treams-rs. One thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "poynting/particle.h"
#include "poynting/spheres.h"
#include "poynting/tmatrix.h"

enum { RUNS = 5 };

/* Processor time of the process: other work on the machine does not count. */
static double now(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(const char *name, double *seconds, double check)
{
    qsort(seconds, RUNS, sizeof *seconds, by_size);
    printf("%s %.5f %.5f %.15g\n", name, seconds[RUNS / 2], seconds[0], check);
}

static void fail(poy_ctx *ctx)
{
    fprintf(stderr, "%s\n", poy_ctx_message(ctx));
    exit(1);
}

/* 2000 frequencies x 10 degrees, core and shell with loss. */
static void sweep(poy_ctx *ctx)
{
    const int64_t N = 2000;
    const int LMAX = 10;
    double *x = malloc((size_t)(2 * N) * sizeof *x), seconds[RUNS];
    poy_c128 *media = malloc((size_t)(9 * N) * sizeof *media), *out = malloc((size_t)(4 * N * LMAX) * sizeof *out);
    if (!x || !media || !out)
        exit(1);
    for (int64_t i = 0; i < N; i++) {
        const double k = 0.5 + 5.5 * (double)i / (double)(N - 1);
        x[2 * i] = 0.4 * k;
        x[2 * i + 1] = 0.6 * k;
        for (int j = 0; j < 3; j++) {
            media[3 * i + j] = (poy_c128[3]){{4.0, 0.1}, {2.25, 0.0}, {1.0, 0.0}}[j];
            media[3 * (N + i) + j] = (poy_c128){1.0, 0.0};
            media[3 * (2 * N + i) + j] = (poy_c128){0.0, 0.0};
        }
    }
    for (int run = -1; run < RUNS; run++) {
        const double start = now();
        if (poy_mie_table(ctx, N, LMAX, 2, x, media, media + 3 * N, media + 6 * N, out) != POY_OK)
            fail(ctx);
        if (run >= 0)
            seconds[run] = now() - start;
    }
    report("mie_sweep_2000x10", seconds, out[(ptrdiff_t)4 * (LMAX * 1000 + 2)].re);
    free(x), free(media), free(out);
}

static double draw(uint64_t *state)
{
    double u[2];
    poy_random_uniform2(1, 0, (*state)++, u);
    return u[0];
}

static poy_cluster *cluster_of(poy_ctx *ctx, int n, int lmax)
{
    const poy_embedding e = {2.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_medium m = poy_medium_dielectric((poy_c128){4.0, 0.1});
    const int64_t side = (int64_t)ceil(cbrt(n) - 1e-9);
    double position[3 * 64];
    poy_tmatrix *t[64];
    poy_cluster *c = NULL;
    uint64_t state = 0;
    for (int64_t i = 0; i < n; i++) {
        const double radius = 0.2 + 0.1 * draw(&state);
        position[3 * i] = 0.8 * (double)(i / (side * side));
        position[3 * i + 1] = 0.8 * (double)(i / side % side);
        position[3 * i + 2] = 0.8 * (double)(i % side);
        if (poy_tmatrix_sphere(ctx, &e, lmax, 1, &radius, &m, t + i) != POY_OK)
            fail(ctx);
    }
    if (poy_cluster_create(ctx, (size_t)n, t, (size_t)n, position, &c) != POY_OK)
        fail(ctx);
    for (int64_t i = 0; i < n; i++)
        poy_tmatrix_destroy(t + i);
    return c;
}

static void cluster(poy_ctx *ctx, const char *name, int n, int lmax, int full)
{
    double seconds[RUNS], check = 0.0;
    for (int run = -1; run < RUNS; run++) {
        const double start = now();
        poy_cluster *c = cluster_of(ctx, n, lmax);
        poy_tmatrix *x = NULL;
        if (full) {
            if (poy_cluster_solve(ctx, c, &x) != POY_OK)
                fail(ctx);
            check = poy_tmatrix_values(x)[0].re;
        } else {
            poy_basis *plane = NULL, *basis = poy_cluster_basis(c);
            poy_wave_mode mode = {.pol = 1, .q = {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}}};
            const size_t size = poy_basis_size(basis);
            poy_c128 *a = malloc(2 * size * sizeof *a);
            if (!a || poy_basis_pw_create(ctx, 1, &mode, &plane) != POY_OK ||
                poy_op_expand(ctx, poy_cluster_embedding(c), basis, POY_REGULAR, plane, POY_UP, a) != POY_OK ||
                poy_cluster_scatter(ctx, c, 1, a, a + size) != POY_OK)
                fail(ctx);
            check = a[size].re;
            poy_basis_destroy(&plane);
            free(a);
        }
        poy_tmatrix_destroy(&x);
        poy_cluster_destroy(&c);
        if (run >= 0)
            seconds[run] = now() - start;
    }
    report(name, seconds, check);
}

/* The scattering cross section of 20 spheres, lmax 3; with its gradient by positions and radii (and all else). */
static void gradient(poy_ctx *ctx, const char *name, int with_gradient)
{
    enum { N = 20 };
    double seconds[RUNS], radii[N], positions[3 * N], g_radii[N], g_positions[3 * N];
    poy_medium media[N], g_media[N];
    uint64_t state = 0;
    for (int64_t i = 0; i < N; i++) {
        radii[i] = 0.2 + 0.1 * draw(&state);
        media[i] = poy_medium_dielectric((poy_c128){4.0, 0.1});
        positions[3 * i] = 0.8 * (double)(i / 9);
        positions[3 * i + 1] = 0.8 * (double)(i / 3 % 3);
        positions[3 * i + 2] = 0.8 * (double)(i % 3);
    }
    const poy_spheres s = {.embedding = {2.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY},
                           .lmax = 3,
                           .n = N,
                           .layers = 1,
                           .radii = radii,
                           .media = media,
                           .positions = positions};
    const poy_plane_incidence wave = {{0.0, 0.0, 1.0}, 1};
    const double weight[3] = {1.0, 0.0, 0.0};
    poy_spheres_gradient g = {.radii = g_radii, .media = g_media, .positions = g_positions};
    poy_cross_sections x;
    for (int run = -1; run < RUNS; run++) {
        const double start = now();
        if (poy_spheres_cross_sections(ctx, &s, &wave, &x, weight, with_gradient ? &g : NULL) != POY_OK)
            fail(ctx);
        if (run >= 0)
            seconds[run] = now() - start;
    }
    report(name, seconds, with_gradient ? g_radii[0] : x.scattering);
}

/* 100 spheres, lmax 3, by GMRES to 1e-8. */
static void iterate(poy_ctx *ctx, const char *name)
{
    enum { N = 100 };
    const poy_embedding e = {2.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_medium m = poy_medium_dielectric((poy_c128){2.25, 0.01});
    const double radius = 0.25;
    double seconds[RUNS], positions[3 * N], check = 0.0;
    for (int64_t i = 0; i < N; i++) {
        positions[3 * i] = 0.9 * (double)(i / 20);
        positions[3 * i + 1] = 0.9 * (double)(i / 4 % 5);
        positions[3 * i + 2] = 0.9 * (double)(i % 4);
    }
    for (int run = -1; run < RUNS; run++) {
        const double start = now();
        poy_tmatrix *t = NULL, *all[N];
        poy_cluster *c = NULL;
        poy_basis *plane = NULL;
        poy_wave_mode mode = {.pol = 1, .q = {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}}};
        poy_iteration o;
        poy_convergence convergence;
        poy_iteration_init(&o);
        o.rtol = 1e-8;
        if (poy_tmatrix_sphere(ctx, &e, 3, 1, &radius, &m, &t) != POY_OK)
            fail(ctx);
        for (int64_t i = 0; i < N; i++)
            all[i] = t;
        if (poy_cluster_create(ctx, N, all, N, positions, &c) != POY_OK)
            fail(ctx);
        poy_basis *basis = poy_cluster_basis(c);
        const size_t size = poy_basis_size(basis);
        poy_c128 *a = malloc(2 * size * sizeof *a);
        if (!a || poy_basis_pw_create(ctx, 1, &mode, &plane) != POY_OK ||
            poy_op_expand(ctx, &e, basis, POY_REGULAR, plane, POY_UP, a) != POY_OK ||
            poy_cluster_iterate(ctx, c, &o, 1, a, a + size, &convergence) != POY_OK || !convergence.converged)
            fail(ctx);
        check = a[size].re;
        free(a);
        poy_basis_destroy(&plane);
        poy_cluster_destroy(&c);
        poy_tmatrix_destroy(&t);
        if (run >= 0)
            seconds[run] = now() - start;
    }
    report(name, seconds, check);
}

int main(int argc, char **argv)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    printf("# name, median and least of %d runs in seconds, a number to compare\n", RUNS);
    if (argc < 2 || strstr("mie_sweep_2000x10", argv[1]))
        sweep(ctx);
    if (argc < 2 || strstr("cluster_20_lmax4_full_T", argv[1]))
        cluster(ctx, "cluster_20_lmax4_full_T", 20, 4, 1);
    if (argc < 2 || strstr("cluster_20_lmax4_one_illumination", argv[1]))
        cluster(ctx, "cluster_20_lmax4_one_illumination", 20, 4, 0);
    if (argc < 2 || strstr("cluster_50_lmax4_full_T", argv[1]))
        cluster(ctx, "cluster_50_lmax4_full_T", 50, 4, 1);
    if (argc < 2 || strstr("cluster_20_lmax3_value", argv[1]))
        gradient(ctx, "cluster_20_lmax3_value", 0);
    if (argc < 2 || strstr("cluster_20_lmax3_gradient_80_parameters", argv[1]))
        gradient(ctx, "cluster_20_lmax3_gradient_80_parameters", 1);
    if (argc < 2 || strstr("iterative_100_lmax3", argv[1]))
        iterate(ctx, "iterative_100_lmax3");
    poy_ctx_destroy(&ctx);
    return 0;
}
