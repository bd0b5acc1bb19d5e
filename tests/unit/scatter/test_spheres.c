/* test_spheres.c: gradients of cross sections of clusters of spheres against published values and differences, and the adjoint
 * identity of scattered coefficients by both routes. */
#include "poynting/spheres.h"
#include "scatter/cluster/interaction_diff.h"
#include "scatter/waves/diff.h"
#include "unit/special_table.h"
#include "wave_fixture.h"

enum { LINE = 1 << 15, PARTICLES = 16 };

/* ---- published gradients ---- */

static void test_golden_line(poy_ctx *ctx, char *rest)
{
    const double rel = table_number(&rest), absolute = table_number(&rest);
    (void)table_number(&rest);
    double radii[PARTICLES], positions[3 * PARTICLES], want[64] = {0}, got[64] = {0};
    poy_medium media[PARTICLES];
    poy_plane_incidence wave;
    poy_spheres s = {.embedding = {.k0 = table_number(&rest), .poltype = POY_HELICITY},
                     .layers = 1,
                     .radii = radii,
                     .media = media,
                     .positions = positions};
    s.lmax = (int)table_number(&rest);
    (void)table_number(&rest);
    s.embedding.medium = poy_medium_dielectric((poy_c128){table_number(&rest), 0.0});
    s.n = (size_t)table_number(&rest);
    for (size_t i = 0; i < s.n; i++)
        radii[i] = table_number(&rest);
    for (size_t i = 0; i < s.n; i++) {
        const double re = table_number(&rest);
        media[i] = poy_medium_dielectric((poy_c128){re, table_number(&rest)});
    }
    for (size_t i = 0; i < 3 * s.n; i++)
        positions[i] = table_number(&rest);
    for (size_t i = 0; i < 3; i++)
        wave.direction[i] = table_number(&rest);
    wave.pol = (int)table_number(&rest);
    (void)table_number(&rest);
    const int kind = (int)table_number(&rest), input = (int)table_number(&rest);
    (void)table_number(&rest);
    double g_radii[PARTICLES], g_positions[3 * PARTICLES];
    poy_medium g_media[PARTICLES];
    poy_spheres_gradient g = {.radii = g_radii, .media = g_media, .positions = g_positions};
    poy_cross_sections x;
    const double weight[3] = {kind == 0, kind == 1, 0.0};
    const poy_status status = poy_spheres_cross_sections(ctx, &s, &wave, &x, weight, &g);
    const size_t m = (size_t)table_number(&rest);
    double largest = 0.0, worst = 0.0;
    for (size_t i = 0; i < m && status == POY_OK; i++) {
        want[i] = table_number(&rest);
        got[i] = input == 0   ? g.k0
                 : input == 1 ? g_radii[i]
                 : input == 2 ? (i % 2 ? g_media[i / 2].epsilon.im : g_media[i / 2].epsilon.re)
                              : g_positions[i];
        largest = fmax(largest, fabs(want[i]));
        worst = fmax(worst, fabs(got[i] - want[i]));
    }
    static const char *const names[4] = {"k0", "radii", "epsilon", "positions"};
    if (!ok(status == POY_OK && worst <= rel * largest + absolute, "%s by %s: %.1e of %.1e",
            kind ? "extinction" : "scattering", names[input], worst, largest))
        note("%s %.17g %.17g", status == POY_OK ? "" : poy_ctx_message(ctx), got[0], want[0]);
}

static void test_golden(poy_ctx *ctx)
{
    static char line[LINE];
    char path[512];
    int count = 0;
    (void)snprintf(path, sizeof path, "%s/golden/scattering/cluster.txt", POY_TESTS_DIR);
    FILE *f = fopen(path, "r");
    while (f && fgets(line, sizeof line, f))
        if (strncmp(line, "grad_cluster_xs ", 16) == 0) {
            test_golden_line(ctx, line + 16);
            count++;
        }
    if (f)
        fclose(f);
    ok(count == 8, "%d published gradients", count);
}

/* ---- differences ---- */

enum { N = 3, L = 2 };

typedef struct problem {
    poy_spheres s;
    double radii[N * L], positions[3 * N];
    poy_medium media[N * L];
} problem;

static void set_problem(problem *p, const poy_embedding *e)
{
    p->s = (poy_spheres){*e, 2, N, L, p->radii, p->media, p->positions};
}

static problem random_problem(const poy_embedding *e)
{
    problem p;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < L; j++) {
            p.radii[L * i + j] = 0.15 + 0.15 * j + 0.04 * draw();
            p.media[L * i + j] =
                (poy_medium){{3.0 + draw(), 0.3 + 0.2 * draw()}, {1.1 + 0.1 * draw(), 0.05}, {0.1 * draw(), 0.01}};
        }
    for (int i = 0; i < 3 * N; i++)
        p.positions[i] = 0.9 * (i % 4 == 0) * (i / 3 + 1) + 0.1 * draw();
    set_problem(&p, e);
    return p;
}

/* x + step dx of everything */
static problem moved(const problem *p, const problem *d, double d_k0, const poy_medium *d_medium, double step)
{
    problem q = *p;
    for (int i = 0; i < N * L; i++)
        q.radii[i] += step * d->radii[i];
    for (int i = 0; i < 3 * N; i++)
        q.positions[i] += step * d->positions[i];
    for (int i = 0; i <= N * L; i++) {
        poy_medium *m = i < N * L ? q.media + i : &q.s.embedding.medium;
        const poy_medium *dm = i < N * L ? d->media + i : d_medium;
        poy_c128 *const to[3] = {&m->epsilon, &m->mu, &m->kappa};
        const poy_c128 by[3] = {dm->epsilon, dm->mu, dm->kappa};
        for (int part = 0; part < 3; part++)
            *to[part] = (poy_c128){to[part]->re + step * by[part].re, to[part]->im + step * by[part].im};
    }
    q.s.embedding.k0 += step * d_k0;
    return q;
}

static poy_medium random_medium(int imaginary, int chirality)
{
    const poy_medium m = {draw_complex(), draw_complex(), draw_complex()};
    return (poy_medium){{m.epsilon.re, imaginary * m.epsilon.im},
                        {m.mu.re, imaginary * m.mu.im},
                        {chirality * m.kappa.re, chirality * imaginary * m.kappa.im}};
}

static double dot(poy_medium a, poy_medium b)
{
    return a.epsilon.re * b.epsilon.re + a.epsilon.im * b.epsilon.im + a.mu.re * b.mu.re + a.mu.im * b.mu.im +
           a.kappa.re * b.kappa.re + a.kappa.im * b.kappa.im;
}

static double weighted(poy_ctx *ctx, problem *p, const poy_plane_incidence *wave, const double weight[3])
{
    poy_cross_sections x;
    p->s.radii = p->radii;
    p->s.media = p->media;
    p->s.positions = p->positions;
    if (poy_spheres_cross_sections(ctx, &p->s, wave, &x, NULL, NULL) != POY_OK) {
        note("%s", poy_ctx_message(ctx));
        return (double)NAN;
    }
    return weight[0] * x.scattering + weight[1] * x.extinction + weight[2] * x.absorption;
}

static void test_differences(poy_ctx *ctx)
{
    const poy_embedding real_chiral = {1.3, {{1.8, 0.0}, {1.1, 0.0}, {0.08, 0.0}}, POY_HELICITY};
    const poy_embedding *const es[] = {&vacuum, &vacuum_parity, &real_chiral};
    for (int trial = 0; trial < 6; trial++) {
        const poy_embedding *e = es[trial % 3];
        problem p = random_problem(e), d;
        set_problem(&p, e);
        for (int i = 0; i < N * L; i++)
            d.media[i] = random_medium(1, 1);
        for (int i = 0; i < N * L; i++)
            d.radii[i] = 0.3 * draw();
        draw_points(N, 1.0, d.positions);
        const double d_k0 = draw(), weight[3] = {draw(), draw(), draw()};
        const poy_medium d_medium = random_medium(0, e->poltype == POY_HELICITY);
        const poy_plane_incidence wave = {{trial < 3 ? 0.0 : draw(), trial < 3 ? 0.0 : draw(), 0.8}, trial % 2};
        double g_radii[N * L], g_positions[3 * N], exact, difference = 0.0;
        poy_medium g_media[N * L];
        poy_spheres_gradient g = {.radii = g_radii, .media = g_media, .positions = g_positions};
        poy_cross_sections x;
        const int good = poy_spheres_cross_sections(ctx, &p.s, &wave, &x, weight, &g) == POY_OK;
        exact = g.k0 * d_k0 + dot(g.medium, d_medium);
        for (int i = 0; i < N * L; i++)
            exact += g_radii[i] * d.radii[i] + dot(g_media[i], d.media[i]);
        for (int i = 0; i < 3 * N; i++)
            exact += g_positions[i] * d.positions[i];
        const double h = 2e-4, factor[4] = {1.0 / 12.0, -2.0 / 3.0, 2.0 / 3.0, -1.0 / 12.0};
        for (int i = 0; i < 4 && good; i++) {
            problem q = moved(&p, &d, d_k0, &d_medium, h * (i < 2 ? i - 2 : i - 1));
            difference += factor[i] / h * weighted(ctx, &q, &wave, weight);
        }
        /* h^4 times a fifth derivative of some hundreds, and 1e-16 / h */
        ok(good && fabs(difference / exact - 1.0) < 1e-8, "gradient against a difference, %s: %.1e",
           trial % 3 == 0   ? "helicity"
           : trial % 3 == 1 ? "parity"
                            : "chiral surroundings",
           difference / exact - 1.0);
        if (!good)
            note("%s", poy_ctx_message(ctx));
    }
}

/* ---- the adjoint identity ---- */

static double product(size_t n, const poy_c128 *a, const poy_c128 *b)
{
    double sum = 0.0;
    for (size_t i = 0; i < n; i++)
        sum += a[i].re * b[i].re + a[i].im * b[i].im;
    return sum;
}

static double length(size_t n, const poy_c128 *a)
{
    return sqrt(product(n, a, a));
}

static void test_adjoint(poy_ctx *ctx)
{
    enum { COLUMNS = 2 };
    for (int trial = 0; trial < 4; trial++) {
        const poy_embedding *e = trial / 2 ? &chiral : &vacuum;
        poy_tmatrix *t[N] = {NULL};
        poy_cluster *c = NULL;
        poy_factor *f = NULL;
        const problem p = random_problem(e);
        int good = 1;
        for (int i = 0; i < N; i++)
            good &= poy_tmatrix_sphere(ctx, e, 2, L, p.radii + L * i, p.media + L * i, t + i) == POY_OK;
        good &= poy_cluster_create(ctx, N, t, N, p.positions, &c) == POY_OK &&
                poyi_factor_create(ctx, c, trial % 2 ? POYI_ROUTE_GENERAL : POYI_ROUTE_AUTOMATIC, NULL, &f) == POY_OK;
        if (!ok(good && f, "a cluster"))
            continue;
        const size_t n = f->n, blocks = poyi_cluster_block_elements(c), size = n * COLUMNS;
        poy_c128 *coupling = matrix(n, n), *a = draw_coefficients(size), *scattered = matrix(size, 1),
                 *d_p = matrix(size, 1), *d_t = draw_coefficients(blocks), *d_c = draw_coefficients(n * n),
                 *d_a = draw_coefficients(size), *g = draw_coefficients(size), *g_t = matrix(blocks, 1),
                 *g_c = matrix(n, n), *g_a = matrix(size, 1);
        const poyi_scattered s = {f, coupling, COLUMNS, a, scattered};
        good = poy_op_expand(ctx, e, poy_cluster_basis(c), POY_REGULAR, poy_cluster_basis(c), POY_SINGULAR, coupling) ==
                   POY_OK &&
               poy_factor_scatter(ctx, f, COLUMNS, a, scattered) == POY_OK &&
               poyi_scattered_push(ctx, &s, d_t, d_c, d_a, d_p) == POY_OK &&
               poyi_scattered_pull(ctx, &s, g, g_t, g_c, g_a) == POY_OK;
        const double left = product(size, g, d_p),
                     right = product(blocks, g_t, d_t) + product(n * n, g_c, d_c) + product(size, g_a, d_a);
        const double scale = length(size, g) * length(size, d_p);
        ok(good && fabs(left - right) < 1e-12 * scale, "adjoint identity of scattered coefficients: %.1e",
           fabs(left - right) / scale);
        free(coupling), free(a), free(scattered), free(d_p), free(d_t), free(d_c), free(d_a), free(g), free(g_t),
            free(g_c), free(g_a);
        for (int i = 0; i < N; i++)
            poy_tmatrix_destroy(t + i);
        poy_factor_destroy(&f);
        poy_cluster_destroy(&c);
    }
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_embedding lossy = {1.3, {{1.8, 0.2}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    problem p = random_problem(&vacuum);
    set_problem(&p, &vacuum);
    poy_cross_sections x;
    const poy_plane_incidence up = {{0.0, 0.0, 1.0}, 1}, nowhere = {{0.0, 0.0, 0.0}, 1};
    ok(poy_spheres_cross_sections(ctx, &p.s, &nowhere, &x, NULL, NULL) == POY_ERR_ARGUMENT, "no direction");
    p.s.n = 0;
    ok(poy_spheres_cross_sections(ctx, &p.s, &up, &x, NULL, NULL) == POY_ERR_ARGUMENT, "no sphere");
    p.s.n = N;
    p.s.embedding = lossy;
    ok(poy_spheres_cross_sections(ctx, &p.s, &up, &x, NULL, NULL) == POY_ERR_UNSUPPORTED, "an absorbing medium");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_golden(ctx);
    test_adjoint(ctx);
    test_differences(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
