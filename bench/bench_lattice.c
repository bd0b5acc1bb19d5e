/* bench_lattice.c: times lattice sums and S-matrices of arrays as bench/peers/lattice.py does with treams-rs. One thread. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "poynting/lattice.h"
#include "poynting/periodic.h"
#include "poynting/sphere_array.h"

enum { RUNS = 5 };

/* Processor time of the process: other work on the machine does not count. */
static double now(void)
{
    struct rusage u;
    (void)getrusage(RUSAGE_SELF, &u);
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) + 1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static void fail(poy_ctx *ctx)
{
    fprintf(stderr, "%s\n", poy_ctx_message(ctx));
    exit(1);
}

/* All degrees to 8, 40 wavenumbers, a skew cell, a shift off the plane. */
static double sums(poy_ctx *ctx)
{
    static const double a[4] = {1.7, 0.0, 0.4, 1.8}, kpar[2] = {0.3, 0.2}, r[3] = {0.3, 0.1, 0.4};
    poy_c128 out[81] = {{0.0, 0.0}};
    for (int i = 0; i < 40; i++) {
        const poy_lattice_sum sum = {.dim = 2, .k = {1.0 + 2.2 * i / 39, 0.0}, .kpar = kpar, .a = a, .r = r};
        if (poy_lattice_sum_spherical(ctx, &sum, 8, out) != POY_OK)
            fail(ctx);
    }
    return out[10].re;
}

/* A square array of spheres, degree 4, zeroth order, 50 frequencies. */
static double arrays(poy_ctx *ctx)
{
    static const double kpar[2] = {0.0, 0.0}, radius = 0.4, origin[3] = {0.0, 0.0, 0.0};
    const poy_lattice lattice = {2, {1.5, 0.0, 0.0, 1.5}};
    const poy_medium m = poy_medium_dielectric((poy_c128){6.25, 0.05});
    poy_basis *ports = NULL;
    double check = 0.0;
    if (poy_ports_default(ctx, POY_XY, 1, kpar, &ports) != POY_OK)
        fail(ctx);
    for (int i = 0; i < 50; i++) {
        const poy_embedding e = {1.5 + 2.0 * i / 49, poy_medium_dielectric((poy_c128){1.0, 0.0}), POY_HELICITY};
        poy_tmatrix *t = NULL;
        poy_cluster *cell = NULL;
        poy_periodic *p = NULL;
        poy_smatrix *s = NULL;
        if (poy_tmatrix_sphere(ctx, &e, 4, 1, &radius, &m, &t) != POY_OK ||
            poy_cluster_create(ctx, 1, &t, 1, origin, &cell) != POY_OK ||
            poy_periodic_solve(ctx, cell, &lattice, kpar, 0.0, &p) != POY_OK ||
            poy_periodic_to_smatrix(ctx, p, ports, &s) != POY_OK)
            fail(ctx);
        check += poy_smatrix_values(s)[0].re;
        poy_smatrix_destroy(&s);
        poy_periodic_destroy(&p);
        poy_cluster_destroy(&cell);
        poy_tmatrix_destroy(&t);
    }
    poy_basis_destroy(&ports);
    return check;
}

/* Transmission of four spheres in a cell, degree 4, by all 34 parameters: with the gradient, and the value alone. */
static double shares(poy_ctx *ctx, int with_gradient)
{
    static const double radii[4] = {0.2, 0.18, 0.22, 0.19}, weight[3] = {1.0, 0.0, 0.0};
    static const double positions[12] = {0.0, 0.0, 0.0, 0.6, 0.5, 0.1, 0.1, 0.55, -0.1, 0.55, 0.05, 0.2};
    static const int64_t orders[2] = {0, 0};
    static const poy_c128 light[2] = {{1.0, 0.0}, {0.0, 0.0}};
    double by_radii[4], by_positions[12], check = 0.0;
    poy_medium media[4], by_media[4];
    poy_power_shares p;
    poy_sphere_array_gradient g = {.spheres = {.radii = by_radii, .media = by_media, .positions = by_positions},
                                   .with_kpar = 1};
    for (int i = 0; i < 4; i++)
        media[i] = poy_medium_dielectric((poy_c128){4.0 + i, 0.1});
    for (int i = 0; i < 5; i++) {
        const poy_sphere_array s = {
            .spheres = {.embedding = {2.0 + 0.1 * i, poy_medium_dielectric((poy_c128){1.0, 0.0}), POY_HELICITY},
                        .lmax = 4,
                        .n = 4,
                        .layers = 1,
                        .radii = radii,
                        .media = media,
                        .positions = positions},
            .lattice = {1.2, 0.0, 0.0, 1.2},
            .kpar = {0.3, 0.1},
            .n_orders = 1,
            .orders = orders,
            .incident = light};
        if (poy_sphere_array_power(ctx, &s, &p, weight, with_gradient ? &g : NULL) != POY_OK)
            fail(ctx);
        check += with_gradient ? g.spheres.k0 : p.transmission;
    }
    return check;
}

static double array_value(poy_ctx *ctx)
{
    return shares(ctx, 0);
}

static double array_gradient(poy_ctx *ctx)
{
    return shares(ctx, 1);
}

static void time_of(poy_ctx *ctx, const char *name, double work(poy_ctx *))
{
    double best = 1e300, check = 0.0;
    for (int run = 0; run <= RUNS; run++) {
        const double start = now();
        check = work(ctx);
        const double seconds = now() - start;
        best = run > 0 && seconds < best ? seconds : best;
    }
    printf("%s %.5f %.15g\n", name, best, check);
}

int main(int argc, char **argv)
{
    const char *only = argc > 1 ? argv[1] : "";
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    poy_ctx_set_threads(ctx, 1);
    printf("work, best of %d [s of one processor], a number of the result\n", RUNS);
    if (strstr("lattice_sum_2d_81x40", only))
        time_of(ctx, "lattice_sum_2d_81x40", sums);
    if (strstr("array_smatrix_50_frequencies_lmax4", only))
        time_of(ctx, "array_smatrix_50_frequencies_lmax4", arrays);
    if (strstr("array_gradient_4_spheres_lmax4", only)) {
        time_of(ctx, "array_value_4_spheres_lmax4", array_value);
        time_of(ctx, "array_gradient_4_spheres_lmax4", array_gradient);
    }
    poy_ctx_destroy(&ctx);
    return 0;
}
