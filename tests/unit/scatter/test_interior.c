/* test_interior.c: fields inside of layered spheres and cylinders: published values on the surface, continuity with the field around
 * and between layers, the power that is lost inside against the cross section; the far field of cylinders. */
#include "poynting/farfield.h"
#include "poynting/particle.h"
#include "poynting/tmatrix.h"
#include "wave_fixture.h"

static const double pi = 3.14159265358979323846;

static double between(double low, double high)
{
    return low + 0.5 * (high - low) * (draw() + 1.0);
}

/* ---- published fields ---- */

/* sphere_field.json: E_x on the axis of a sphere of m = 1.3, k = 1, radius 2, light along z with E along x; by arithmetic of 60
 * digits. */
static void test_published(poy_ctx *ctx)
{
    enum { LMAX = 22, SIZE = 2 * LMAX * (LMAX + 2), N = 8 };
    static const double at[N] = {-10.0, 10.0, -2.5, 2.5, -200.0, 200.0, -2.0, 2.0};
    static const poy_c128 want[N] = {
        {-0.8282016535450655, 0.5545708907170864},  {-0.9235181660439985, -0.7025776356782891},
        {-0.7504339224550385, -0.561212392244654},  {-1.366480208165831, 0.35817002293478445},
        {0.48686572147082224, 0.8740408279455403},  {0.49388177006233425, -0.8792227387860836},
        {-0.33546477603808694, -0.860968425672196}, {-1.0840378636481869, 0.858203735097435}};
    const poy_embedding e = {1.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY};
    const poy_medium m = poy_medium_dielectric((poy_c128){1.69, 0.0});
    const poy_c128 q[3] = {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}},
                   light[2] = {{-1.0, 0.0}, {0.0, 0.0}}; /* N along z is -x */
    const double radius = 2.0, origin[3] = {0.0, 0.0, 0.0};
    double points[3 * N] = {0}, outside = 0.0, surface = 0.0;
    poy_tmatrix *t = NULL;
    poy_basis *wave = NULL;
    poy_c128 *columns = matrix(SIZE, 2), *a = matrix(SIZE, 1), *p = matrix(SIZE, 1), incident[3 * N], scattered[3 * N],
             inside[6];
    for (int i = 0; i < N; i++)
        points[3 * i + 2] = at[i];
    int good = poy_tmatrix_sphere(ctx, &e, LMAX, 1, &radius, &m, &t) == POY_OK &&
               poy_basis_pw_default(ctx, 1, q, &wave) == POY_OK &&
               poy_op_expand(ctx, &e, poy_tmatrix_basis(t), POY_REGULAR, wave, POY_REGULAR, columns) == POY_OK;
    multiply(SIZE, 2, 1, columns, light, a);
    multiply(SIZE, SIZE, 1, poy_tmatrix_values(t), a, p);
    good &=
        poy_wave_sample(ctx, &e, wave, POY_REGULAR, light, POY_WAVE_E, 0, N, points, incident) == POY_OK &&
        poy_wave_sample(ctx, &e, poy_tmatrix_basis(t), POY_SINGULAR, p, POY_WAVE_E, 0, N, points, scattered) ==
            POY_OK &&
        poy_sphere_interior(ctx, &e, LMAX, 1, &radius, &m, origin, a, POY_WAVE_E, 0, 2, points + 18, inside) == POY_OK;
    if (!good)
        note("%s", poy_ctx_message(ctx));
    for (int i = 0; i < N; i++) {
        const double complex got = poyi_c(incident[3 * i]) + poyi_c(scattered[3 * i]);
        outside = fmax(outside, cabs(got - poyi_c(want[i])) / cabs(poyi_c(want[i])));
    }
    for (int i = 0; i < 2; i++)
        surface = fmax(surface, cabs(poyi_c(inside[3 * i]) - poyi_c(want[6 + i])) / cabs(poyi_c(want[6 + i])));
    ok(good && outside < 1e-11 && surface < 1e-11,
       "published fields: %.1e around, %.1e on the inner side of the surface", outside, surface);
    poy_tmatrix_destroy(&t);
    /* tm-1 of the same file */
    const poy_embedding vacuum6 = {6.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY};
    const poy_medium three = poy_medium_dielectric((poy_c128){3.0, 0.0});
    const double one = 1.0;
    const double complex electric = CMPLX(-0.6421397569243869, 0.4793707224074873),
                         magnetic = CMPLX(-0.9652402322860755, 0.18317075711586323);
    good = poy_tmatrix_sphere(ctx, &vacuum6, 1, 1, &one, &three, &t) == POY_OK;
    const double off = good ? fmax(cabs(poyi_c(poy_tmatrix_values(t)[0]) - electric),
                                   cabs(poyi_c(poy_tmatrix_values(t)[7]) - magnetic))
                            : 1.0;
    ok(good && off < 1e-12, "published dipole coefficients of a sphere of radius 1 at k0 = 6: %.1e", off);
    free(columns), free(a), free(p);
    poy_tmatrix_destroy(&t);
    poy_basis_destroy(&wave);
}

/* E_x on the axis in spheres that amplify light, k = 1 and radius 2, light along z with E along x: the series of Bohren and Huffman
 * (1983), eq. 4.40 and 4.52, by arithmetic of 50 digits. */
static void test_published_gain(poy_ctx *ctx)
{
    enum { LMAX = 22, SIZE = 2 * LMAX * (LMAX + 2) };
    static const struct {
        poy_c128 epsilon, want[2];
    } cases[3] = {
        {{1.69, -0.5}, {{-0.25819630638808606, -1.2786135080534955}, {0.56759296899290633, 2.0335634430006384}}},
        {{3.0, -2.0}, {{-0.87767556747686194, 1.3836942043241331}, {0.21886287954421732, 0.74158556780081664}}},
        {{-3.0, -0.4}, {{0.75974458886525379, -0.81321358716119309}, {0.50936804458760024, -0.012957523820219214}}}};
    const poy_embedding e = {1.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY};
    const poy_c128 q[3] = {{0.0, 0.0}, {0.0, 0.0}, {1.0, 0.0}}, light[2] = {{-1.0, 0.0}, {0.0, 0.0}};
    const double radius = 2.0, origin[3] = {0.0, 0.0, 0.0}, points[6] = {0.0, 0.0, -1.7, 0.0, 0.0, 0.9};
    poy_basis *wave = NULL, *basis = NULL;
    poy_c128 *columns = matrix(SIZE, 2), *a = matrix(SIZE, 1), inside[6];
    double worst = 0.0;
    int good = poy_basis_pw_default(ctx, 1, q, &wave) == POY_OK &&
               poy_basis_sw_default(ctx, LMAX, 1, origin, &basis) == POY_OK &&
               poy_op_expand(ctx, &e, basis, POY_REGULAR, wave, POY_REGULAR, columns) == POY_OK;
    multiply(SIZE, 2, 1, columns, light, a);
    for (int k = 0; k < 3; k++) {
        const poy_medium m = poy_medium_dielectric(cases[k].epsilon);
        good &=
            poy_sphere_interior(ctx, &e, LMAX, 1, &radius, &m, origin, a, POY_WAVE_E, 0, 2, points, inside) == POY_OK;
        for (int i = 0; i < 2; i++)
            worst =
                fmax(worst, cabs(poyi_c(inside[3 * i]) - poyi_c(cases[k].want[i])) / cabs(poyi_c(cases[k].want[i])));
    }
    ok(good && worst < 1e-13, "fields in spheres that amplify light: %.1e", worst);
    free(columns), free(a);
    poy_basis_destroy(&wave);
    poy_basis_destroy(&basis);
}

/* ---- continuity ---- */

enum { MOST = 3, DEGREE = 9, POINTS = 7 };

typedef struct body {
    int cylinder;
    size_t layers;
    double radii[MOST], center[3], kz;
    poy_medium media[MOST];
    poy_embedding e;
} body;

static poy_status interior(poy_ctx *ctx, const body *b, const poy_c128 *a, poy_wave_field f, size_t n,
                           const double *points, poy_c128 *out)
{
    if (b->cylinder)
        return poy_cylinder_interior(ctx, &b->e, 1, &b->kz, DEGREE, b->layers, b->radii, b->media, b->center, a, f, 0,
                                     n, points, out);
    return poy_sphere_interior(ctx, &b->e, DEGREE, b->layers, b->radii, b->media, b->center, a, f, 0, n, points, out);
}

/* Parts of a field along the normal and across. */
static void part(const double normal[3], int across, poy_c128 *v)
{
    double complex along = 0.0;
    for (int i = 0; i < 3; i++)
        along += normal[i] * poyi_c(v[i]);
    for (int i = 0; i < 3; i++)
        v[i] = poyi_pair(across ? poyi_c(v[i]) - normal[i] * along : normal[i] * along);
}

/* The tangential E and H and the normal D and B on both sides of all interfaces: worst difference over the largest field. Those of the
 * normal are not among the conditions from which the waves are found. */
static double jump(poy_ctx *ctx, const body *b)
{
    static const poy_wave_field fields[4] = {POY_WAVE_E, POY_WAVE_H, POY_WAVE_D, POY_WAVE_B};
    poy_tmatrix *t = NULL;
    double worst = 0.0;
    int good = b->cylinder
                   ? poy_tmatrix_cylinder(ctx, &b->e, 1, &b->kz, DEGREE, b->layers, b->radii, b->media, &t) == POY_OK
                   : poy_tmatrix_sphere(ctx, &b->e, DEGREE, b->layers, b->radii, b->media, &t) == POY_OK;
    const size_t n = good ? poy_tmatrix_size(t) : 0;
    poy_basis *basis = NULL;
    poy_c128 *a = draw_coefficients(n), *p = matrix(n, 1);
    good &= b->cylinder ? poy_basis_cw_default(ctx, 1, &b->kz, DEGREE, 1, b->center, &basis) == POY_OK
                        : poy_basis_sw_default(ctx, DEGREE, 1, b->center, &basis) == POY_OK;
    for (size_t i = 0; i < n; i++) { /* high degrees weakly, as a plane wave has them: all fields of one size */
        const poy_wave_mode *m = poy_basis_modes(basis) + i;
        const double weight = exp(-1.5 * (double)(b->cylinder ? abs(m->m) : m->l));
        a[i] = poyi_pair(weight * poyi_c(a[i]));
    }
    if (good)
        multiply(n, n, 1, poy_tmatrix_values(t), a, p);
    for (size_t face = 0; face < b->layers && good; face++)
        for (int trial = 0; trial < POINTS; trial++) {
            const double z = b->cylinder ? 0.0 : between(-1.0, 1.0), phi = between(-pi, pi), s = sqrt(1.0 - z * z);
            const double normal[3] = {s * cos(phi), s * sin(phi), z};
            double on[2][3]; /* just within; just outside */
            for (int side = 0; side < 2; side++)
                for (int i = 0; i < 3; i++)
                    on[side][i] = b->center[i] + b->radii[face] * (side ? 1.0 + 4e-15 : 1.0 - 4e-15) * normal[i];
            for (int f = 0; f < 4 && good; f++) {
                poy_c128 in[3], out[3] = {{0}}, more[3] = {{0}};
                double size = 0.0, off = 0.0;
                good &= interior(ctx, b, a, fields[f], 1, on[0], in) == POY_OK;
                if (face + 1 < b->layers) {
                    good &= interior(ctx, b, a, fields[f], 1, on[1], out) == POY_OK;
                } else {
                    good &= poy_wave_sample(ctx, &b->e, basis, POY_REGULAR, a, fields[f], 0, 1, on[1], out) == POY_OK &&
                            poy_wave_sample(ctx, &b->e, basis, POY_SINGULAR, p, fields[f], 0, 1, on[1], more) == POY_OK;
                }
                for (int i = 0; i < 3; i++)
                    out[i] = poyi_pair(poyi_c(out[i]) + poyi_c(more[i]));
                for (int i = 0; i < 3; i++)
                    size = fmax(size, fmax(cabs(poyi_c(in[i])), cabs(poyi_c(out[i]))));
                part(normal, f < 2, in);
                part(normal, f < 2, out);
                for (int i = 0; i < 3; i++)
                    off = fmax(off, cabs(poyi_c(in[i]) - poyi_c(out[i])));
                worst = fmax(worst, off / size);
            }
        }
    if (!good)
        note("%s", poy_ctx_message(ctx));
    free(a), free(p);
    poy_tmatrix_destroy(&t);
    poy_basis_destroy(&basis);
    return good ? worst : (double)INFINITY;
}

static body random_body(int cylinder, int trial)
{
    body b = {.cylinder = cylinder, .layers = 1 + (size_t)trial % MOST, .kz = cylinder ? between(-0.6, 0.6) : 0.0};
    for (size_t i = 0; i < b.layers; i++) {
        const int metal = trial % 5 == 4 && i == 0;
        b.radii[i] = 0.4 * ((double)i + between(0.3, 1.0));
        b.media[i] =
            (poy_medium){{metal ? between(-9.0, -2.0) : between(1.2, 5.0), trial % 2 ? between(0.0, 1.0) : 0.0},
                         {metal ? 1.0 : between(0.8, 1.5), 0.0},
                         {metal ? 0.0 : between(-0.3, 0.3), 0.0}};
    }
    for (int i = 0; i < 3; i++)
        b.center[i] = between(-1.0, 1.0);
    b.e = (poy_embedding){1.3,
                          {{1.4, 0.0}, {1.1, 0.0}, {trial % 4 == 3 ? 0.1 : 0.0, 0.0}},
                          trial % 4 == 3 ? POY_HELICITY
                          : trial % 2    ? POY_PARITY
                                         : POY_HELICITY};
    return b;
}

static void test_continuity(poy_ctx *ctx)
{
    double worst[2] = {0.0, 0.0};
    for (int cylinder = 0; cylinder < 2; cylinder++)
        for (int trial = 0; trial < 20; trial++) {
            const body b = random_body(cylinder, trial);
            worst[cylinder] = fmax(worst[cylinder], jump(ctx, &b));
        }
    /* waves of degree 9 in a core of k r = 0.1 fall by 10^-9 a layer; the fields next to it lose the digits of their cancellation,
     * a few of them, beside the 4e-15 between the two points */
    ok(worst[0] < 1e-11 && worst[1] < 1e-11, "fields are continuous: spheres %.1e, cylinders %.1e", worst[0], worst[1]);
}

/* The same where the particle amplifies light, in all of its layers or one helicity of them, and where its surroundings do: k grows away
 * from the origin there, and what T, the waves inside and those around take for the index has to be the same root. */
static void test_amplification(poy_ctx *ctx)
{
    static const char *const names[3] = {"layers", "one helicity", "surroundings"};
    for (int sort = 0; sort < 3; sort++) {
        double worst[2] = {0.0, 0.0};
        for (int cylinder = 0; cylinder < 2; cylinder++)
            for (int trial = 0; trial < 12; trial++) {
                body b = random_body(cylinder, trial);
                for (size_t i = 0; i < b.layers && sort < 2; i++) {
                    b.media[i].epsilon.im = sort ? 0.02 : -fabs(b.media[i].epsilon.im) - 0.05;
                    b.media[i].mu.im = sort || b.media[i].epsilon.re < 0.0 ? 0.0 : i % 2 ? -0.1 : 0.05;
                    b.media[i].kappa.im = sort ? (trial % 2 ? 0.3 : -0.3) : 0.0;
                }
                if (sort == 2)
                    b.e.medium.epsilon.im = -0.3;
                worst[cylinder] = fmax(worst[cylinder], jump(ctx, &b));
            }
        ok(worst[0] < 1e-11 && worst[1] < 1e-11,
           "fields are continuous where light is amplified by %s: spheres %.1e, cylinders %.1e", names[sort], worst[0],
           worst[1]);
    }
}

static void test_no_contrast(poy_ctx *ctx)
{
    double worst = 0.0;
    for (int cylinder = 0; cylinder < 2; cylinder++) {
        body b = random_body(cylinder, 2);
        const double point[3] = {b.center[0] + 0.1, b.center[1] - 0.2, b.center[2] + 0.05};
        poy_basis *basis = NULL;
        poy_c128 got[3], want[3];
        for (size_t i = 0; i < b.layers; i++)
            b.media[i] = b.e.medium;
        int good = cylinder ? poy_basis_cw_default(ctx, 1, &b.kz, DEGREE, 1, b.center, &basis) == POY_OK
                            : poy_basis_sw_default(ctx, DEGREE, 1, b.center, &basis) == POY_OK;
        poy_c128 *a = draw_coefficients(poy_basis_size(basis));
        good &= interior(ctx, &b, a, POY_WAVE_H, 1, point, got) == POY_OK &&
                poy_wave_sample(ctx, &b.e, basis, POY_REGULAR, a, POY_WAVE_H, 0, 1, point, want) == POY_OK;
        worst = fmax(worst, good ? apart(3, got, want) : 1.0);
        free(a);
        poy_basis_destroy(&basis);
    }
    ok(worst < 1e-13, "without contrast the field inside is that of the exciting waves: %.1e", worst);
}

/* ---- absorption: k0 Im epsilon / n times the integral of |E|^2 over the sphere is its cross section ---- */

/* Nodes and weights of Gauss and Legendre on [-1, 1], by Newton's method. */
static void gauss(int n, double *x, double *w)
{
    for (int i = 0; i < n; i++) {
        double t = cos(pi * (i + 0.75) / (n + 0.5)), slope = 1.0;
        for (int step = 0; step < 50; step++) {
            double before = 1.0, here = t;
            for (int k = 2; k <= n; k++) {
                const double next = ((2 * k - 1) * t * here - (k - 1) * before) / k;
                before = here;
                here = next;
            }
            slope = n * (t * here - before) / (t * t - 1.0);
            t -= here / slope;
        }
        x[i] = t;
        w[i] = 2.0 / ((1.0 - t * t) * slope * slope);
    }
}

static void test_absorption(poy_ctx *ctx)
{
    enum { LMAX = 7, SIZE = 2 * LMAX * (LMAX + 2), N = 16, TURNS = 24, COUNT = N * N * TURNS };
    const poy_embedding e = {1.0, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_medium media[2] = {{{2.0, 0.5}, {1.0, 0.0}, {0.0, 0.0}}, {{3.5, 0.2}, {1.0, 0.0}, {0.0, 0.0}}};
    const double radii[2] = {0.5, 0.9}, center[3] = {0.3, -0.2, 0.1}, low[2] = {0.0, 0.5};
    const poy_c128 q[3] = {{0.3, 0.0}, {-0.5, 0.0}, {0.7, 0.0}}, light[2] = {{0.6, 0.2}, {-0.4, 0.3}};
    double x[N], w[N], sum = 0.0, norm = 0.0;
    poy_tmatrix *t = NULL, *moved = NULL;
    poy_basis *wave = NULL, *basis = NULL;
    poy_cross_sections s;
    poy_c128 *columns = matrix(SIZE, 2), *a = matrix(SIZE, 1), *E = matrix(COUNT, 3);
    double *points = calloc(3 * (size_t)COUNT, sizeof *points);
    gauss(N, x, w);
    int good = poy_tmatrix_sphere(ctx, &e, LMAX, 2, radii, media, &t) == POY_OK &&
               poy_basis_sw_default(ctx, LMAX, 1, center, &basis) == POY_OK &&
               poy_tmatrix_create(ctx, &e, basis, SIZE, SIZE, poy_tmatrix_values(t), &moved) == POY_OK &&
               poy_basis_pw_default(ctx, 1, q, &wave) == POY_OK &&
               poy_op_expand(ctx, &e, basis, POY_REGULAR, wave, POY_REGULAR, columns) == POY_OK;
    multiply(SIZE, 2, 1, columns, light, a);
    good &= poy_tmatrix_cross_sections(ctx, moved, a, 0.5, &s) == POY_OK;
    for (int layer = 0; layer < 2 && good; layer++) {
        size_t count = 0;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < TURNS; k++, count++) {
                    const double r = low[layer] + (radii[layer] - low[layer]) * (x[i] + 1.0) / 2.0,
                                 sine = sqrt(1.0 - x[j] * x[j]);
                    points[3 * count] = center[0] + r * sine * cos(2.0 * pi * k / TURNS);
                    points[3 * count + 1] = center[1] + r * sine * sin(2.0 * pi * k / TURNS);
                    points[3 * count + 2] = center[2] + r * x[j];
                }
        good &=
            poy_sphere_interior(ctx, &e, LMAX, 2, radii, media, center, a, POY_WAVE_E, 0, COUNT, points, E) == POY_OK;
        for (size_t i = 0; i < COUNT && good; i++) {
            const size_t ring = i / (N * TURNS), row = i / TURNS % N;
            const double half = (radii[layer] - low[layer]) / 2.0, r = low[layer] + half * (x[ring] + 1.0);
            for (int d = 0; d < 3; d++)
                norm = pow(cabs(poyi_c(E[3 * i + (size_t)d])), 2.0), sum += e.k0 * media[layer].epsilon.im /
                                                                            sqrt(1.77) * norm * half * w[ring] * r * r *
                                                                            w[row] * 2.0 * pi / TURNS;
        }
    }
    if (!good)
        note("%s", poy_ctx_message(ctx));
    /* both per |E|^2 = 1 of the light's amplitude vector (not of norm 1): equal flux */
    ok(good && fabs(sum / s.absorption - 1.0) < 1e-10, "power lost inside is the absorption: %.1e of it apart",
       sum / s.absorption - 1.0);
    free(columns), free(a), free(E), free(points);
    poy_tmatrix_destroy(&t);
    poy_tmatrix_destroy(&moved);
    poy_basis_destroy(&basis);
    poy_basis_destroy(&wave);
}

/* ---- far field of cylinders ---- */

static void test_far_cylinders(poy_ctx *ctx)
{
    enum { MMAX = 12, TURNS = 256 };
    const poy_embedding e = {1.2, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_medium m = {{4.0, 0.3}, {1.0, 0.0}, {0.1, 0.0}};
    const double radius = 0.4, positions[6] = {-0.3, 0.2, 0.0, 0.8, -0.1, 0.4}, k = 1.2 * sqrt(1.77), kz = 0.5;
    const double radial = sqrt(k * k - kz * kz), azimuth = 0.7;
    const poy_c128 q[3] = {{radial / k * cos(azimuth), 0.0}, {radial / k * sin(azimuth), 0.0}, {kz / k, 0.0}};
    poy_tmatrix *t = NULL, *x = NULL;
    poy_cluster *c = NULL;
    poy_basis *wave = NULL;
    poy_cross_sections s;
    int good = poy_tmatrix_cylinder(ctx, &e, 1, &kz, MMAX, 1, &radius, &m, &t) == POY_OK;
    poy_tmatrix *const two[2] = {t, t};
    good = good && poy_cluster_create(ctx, 2, two, 2, positions, &c) == POY_OK &&
           poy_cluster_solve(ctx, c, &x) == POY_OK && poy_basis_pw_default(ctx, 1, q, &wave) == POY_OK;
    const size_t n = good ? poy_tmatrix_size(x) : 0;
    poy_c128 *columns = matrix(n, 2), *a = matrix(n, 1), *p = matrix(n, 1), f[2 * TURNS], forward[2];
    double phi[TURNS], width = 0.0;
    const poy_basis *basis = good ? poy_tmatrix_basis(x) : NULL;
    good = good && poy_op_expand(ctx, &e, basis, POY_REGULAR, wave, POY_REGULAR, columns) == POY_OK;
    for (size_t i = 0; i < n; i++)
        a[i] = columns[2 * i]; /* helicity 1 alone */
    if (good)
        multiply(n, n, 1, poy_tmatrix_values(x), a, p);
    for (int i = 0; i < TURNS; i++)
        phi[i] = 2.0 * pi * i / TURNS;
    good = good && poy_scattered_cross_sections(ctx, &e, basis, a, p, 0.5, &s) == POY_OK &&
           poy_far_field_cylindrical(ctx, &e, basis, p, kz, TURNS, phi, f) == POY_OK &&
           poy_far_field_cylindrical(ctx, &e, basis, p, kz, 1, &azimuth, forward) == POY_OK;
    for (size_t i = 0; i < 2 * TURNS && good; i++)
        width += 2.0 * pi / TURNS * radial / k * pow(cabs(poyi_c(f[i])), 2.0);
    ok(good && fabs(width / s.scattering - 1.0) < 1e-12, "cylinders: the far field carries the scattered power: %.1e",
       width / s.scattering - 1.0);
    const double complex turn = CMPLX(sqrt(0.5), sqrt(0.5));
    const double extinction = good ? -4.0 / k * sqrt(pi * radial / 2.0) * creal(turn * poyi_c(forward[1])) : 0.0;
    ok(good && fabs(extinction / s.extinction - 1.0) < 1e-12, "and the forward amplitude the extinction: %.1e",
       extinction / s.extinction - 1.0);
    /* the field itself at two distances: the rest falls as 1 / rho */
    double rest[2] = {0.0, 0.0};
    for (int far = 0; far < 2 && good; far++) {
        const double rho = far ? 2e5 : 2e4, angle = 2.1, point[3] = {rho * cos(angle), rho * sin(angle), 0.3};
        poy_c128 field[3], amplitude[2], unit[2][3];
        const poy_c128 kx = {radial * cos(angle), 0.0}, ky = {radial * sin(angle), 0.0}, along = {kz, 0.0};
        const double zero = 0.0;
        good = poy_wave_sample(ctx, &e, basis, POY_SINGULAR, p, POY_WAVE_E, 0, 1, point, field) == POY_OK &&
               poy_far_field_cylindrical(ctx, &e, basis, p, kz, 1, &angle, amplitude) == POY_OK;
        for (int64_t pol = 0; pol < 2; pol++)
            good &= poy_sf_vpw_A(ctx, 1, &kx, &ky, &along, &zero, &zero, &zero, &pol, unit[pol]) == POY_OK;
        for (int i = 0; i < 3 && good; i++) {
            const double complex want =
                cexp(CMPLX(0.0, kz * 0.3 + radial * rho)) *
                (poyi_c(amplitude[0]) * poyi_c(unit[0][i]) + poyi_c(amplitude[1]) * poyi_c(unit[1][i]));
            rest[far] = fmax(rest[far], cabs(sqrt(rho) * poyi_c(field[i]) - want));
        }
    }
    ok(good && rest[0] < 1e-3 && rest[1] < 0.11 * rest[0], "and is what the field becomes: %.1e, ten times as far %.1e",
       rest[0], rest[1]);
    ok(poy_far_field_cylindrical(ctx, &e, basis, p, 0.4, 1, &azimuth, forward) == POY_ERR_ARGUMENT,
       "a kz that no mode has");
    ok(poy_far_field_cylindrical(ctx, &e, basis, p, 2.0, 1, &azimuth, forward) == POY_ERR_ARGUMENT,
       "a kz that does not leave");
    ok(poy_far_field(ctx, &e, basis, p, 1, positions, forward) == POY_ERR_UNSUPPORTED, "the far field of spheres");
    free(columns), free(a), free(p);
    poy_tmatrix_destroy(&t);
    poy_tmatrix_destroy(&x);
    poy_cluster_destroy(&c);
    poy_basis_destroy(&wave);
}

static int refused(poy_ctx *ctx, poy_status got, poy_status want, const char *word)
{
    const int good = got == want && strstr(poy_ctx_message(ctx), word);
    if (!good)
        note("status %d: %s", (int)got, poy_ctx_message(ctx));
    return good;
}

static void test_refusals(poy_ctx *ctx)
{
    body b = random_body(0, 0);
    poy_c128 *a = draw_coefficients(2 * DEGREE * (DEGREE + 2)), out[3];
    const double outside[3] = {b.center[0] + 2.0, b.center[1], b.center[2]};
    ok(refused(ctx, interior(ctx, &b, a, POY_WAVE_E, 1, outside, out), POY_ERR_ARGUMENT, "outside"), "a point outside");
    b.radii[0] = 1000.0;
    b.media[0] = (poy_medium){{-20.0, 1.0}, {1.0, 0.0}, {0.0, 0.0}};
    ok(refused(ctx, interior(ctx, &b, a, POY_WAVE_E, 1, b.center, out), POY_ERR_RANGE, "range") ||
           fabs(out[0].re) < 1e-300,
       "the core of a metal sphere of 4000 skin depths");
    b.media[0] = (poy_medium){{-1.0, 0.0}, {-1.0, 0.0}, {0.0, 0.0}};
    ok(refused(ctx, interior(ctx, &b, a, POY_WAVE_E, 1, b.center, out), POY_ERR_UNSUPPORTED, ""),
       "a double negative medium");
    b.radii[0] = -1.0;
    ok(refused(ctx, interior(ctx, &b, a, POY_WAVE_E, 1, b.center, out), POY_ERR_ARGUMENT, "radius[0]"),
       "a radius below 0");
    free(a);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_published(ctx);
    test_published_gain(ctx);
    test_continuity(ctx);
    test_amplification(ctx);
    test_no_contrast(ctx);
    test_absorption(ctx);
    test_far_cylinders(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
