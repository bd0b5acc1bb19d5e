/* test_ebcm.c: bodies of revolution: spheres, published norms, conservation of energy, reciprocity, and refusals. */
#include "poynting/tmatrix.h"
#include "wave_fixture.h"

static const poy_embedding water = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};

static double distance(const poy_tmatrix *a, const poy_tmatrix *b)
{
    const size_t n = poy_tmatrix_size(a);
    return n == poy_tmatrix_size(b) ? apart(n * n, poy_tmatrix_values(a), poy_tmatrix_values(b)) : (double)INFINITY;
}

static void test_sphere(poy_ctx *ctx)
{
    const poy_embedding parity = {1.7, {{1.77, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_PARITY}, *const es[] = {
                                                                                               &water, &parity, &chiral,
                                                                                               &lossy_parity};
    /* one that absorbs, a handed one, one that amplifies */
    const poy_medium media[3] = {{{3.0, 0.2}, {1.2, 0.0}, {0.0, 0.0}},
                                 {{2.5, 0.1}, {1.0, 0.0}, {0.2, 0.03}},
                                 {{2.5, -0.3}, {1.1, 0.0}, {0.1, 0.0}}};
    const double radius = 0.6;
    const poy_profile profile = {.kind = POY_PROFILE_SPHEROID, .parameter = {0.6, 0.6}};
    for (int i = 0; i < 12; i++) {
        poy_tmatrix *t = NULL, *want = NULL;
        const int lmax = i < 4 ? 2 : 6;
        const int good = poy_tmatrix_axisymmetric(ctx, es[i % 4], lmax, -1, &profile, media + i / 4, &t) == POY_OK &&
                         poy_tmatrix_sphere(ctx, es[i % 4], lmax, 1, &radius, media + i / 4, &want) == POY_OK;
        ok(good && distance(t, want) < 1e-12, "a sphere of lmax %d is Mie's: %.1e", lmax,
           good ? distance(t, want) : 1.0);
        if (!good)
            note("%s", poy_ctx_message(ctx));
        poy_tmatrix_destroy(&t);
        poy_tmatrix_destroy(&want);
    }
}

/* r = r0 (1 + a cos^2 theta) */
static void peanut(void *user, double theta, double *r, double *slope)
{
    const double *p = user;
    *r = p[0] * (1.0 + p[1] * cos(theta) * cos(theta));
    *slope = -2.0 * p[0] * p[1] * cos(theta) * sin(theta);
}

static void test_published(poy_ctx *ctx)
{
    double p[2] = {0.3, 0.23};
    const poy_embedding e = {1.3, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_medium m = poy_medium_dielectric((poy_c128){3.1, 0.0});
    const poy_profile profile = {.kind = POY_PROFILE_FUNCTION, .function = peanut, .user = p};
    poy_tmatrix *t = NULL;
    double square = 0.0;
    double complex trace = 0.0;
    const int good = poy_tmatrix_axisymmetric(ctx, &e, 4, -1, &profile, &m, &t) == POY_OK;
    const size_t n = good ? poy_tmatrix_size(t) : 0;
    for (size_t i = 0; i < n * n; i++)
        square += pow(poy_tmatrix_values(t)[i].re, 2.0) + pow(poy_tmatrix_values(t)[i].im, 2.0);
    for (size_t i = 0; i < n; i++)
        trace += poyi_c(poy_tmatrix_values(t)[i * n + i]);
    /* treams-rs 0.2.2, good to 1e-9 of the largest */
    ok(good && fabs(sqrt(square) - 0.036512945769701155) < 7e-11 &&
           cabs(trace - CMPLX(-0.001333195208697285, 0.06604671135009724)) < 7e-11,
       "norm and trace as published: %.1e, %.1e", sqrt(square) - 0.036512945769701155,
       cabs(trace - CMPLX(-0.001333195208697285, 0.06604671135009724)));
    poy_tmatrix_destroy(&t);
}

/* max |S^H S - 1|, S = 1 + 2 T, over the modes of degree up to l */
static double unitarity(const poy_tmatrix *t, int l)
{
    const size_t n = poy_tmatrix_size(t);
    const poy_c128 *v = poy_tmatrix_values(t);
    const poy_wave_mode *mode = poy_basis_modes(poy_tmatrix_basis(t));
    double worst = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            double complex sum = 0.0;
            if (mode[i].l > l || mode[j].l > l)
                continue;
            for (size_t k = 0; k < n; k++)
                sum += conj((k == i) + 2.0 * poyi_c(v[k * n + i])) * ((k == j) + 2.0 * poyi_c(v[k * n + j]));
            worst = fmax(worst, cabs(sum - (i == j)));
        }
    return worst;
}

static double asymmetry(const poy_tmatrix *t, int l)
{
    const size_t n = poy_tmatrix_size(t);
    poy_basis *basis = poy_tmatrix_basis(t);
    double worst = 0.0, most = 0.0;
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            poy_wave_mode a = poy_basis_modes(basis)[i], b = poy_basis_modes(basis)[j];
            const poy_c128 v = poy_tmatrix_values(t)[i * n + j];
            if (a.l > l || b.l > l)
                continue;
            const double s = (a.m + b.m) % 2 ? -1.0 : 1.0;
            a.m = -a.m;
            b.m = -b.m;
            const poy_c128 w =
                poy_tmatrix_values(t)[(size_t)poy_basis_find(basis, &b) * n + (size_t)poy_basis_find(basis, &a)];
            most = fmax(most, hypot(v.re, v.im));
            worst = fmax(worst, hypot(v.re - s * w.re, v.im - s * w.im));
        }
    return worst / most;
}

static void test_laws(poy_ctx *ctx)
{
    const poy_profile shapes[4] = {{.kind = POY_PROFILE_SPHEROID, .parameter = {0.5, 0.8}},
                                   {.kind = POY_PROFILE_SPHEROID, .parameter = {0.7, 0.5}},
                                   {.kind = POY_PROFILE_CHEBYSHEV, .parameter = {0.6, 0.03, 4.0}},
                                   {.kind = POY_PROFILE_SUPERELLIPSOID, .parameter = {0.6, 0.7, 0.8}, .nodes = 400}};
    const poy_medium m = poy_medium_dielectric((poy_c128){2.6, 0.0});
    const double angles[3] = {0.0, 3.14159265358979323846, 0.0};
    for (int i = 0; i < 4; i++) {
        poy_tmatrix *t[2] = {NULL, NULL}, *u = NULL;
        int good = 1;
        for (int j = 0; j < 2; j++)
            good &= poy_tmatrix_axisymmetric(ctx, &water, j ? 12 : 8, -1, shapes + i, &m, t + j) == POY_OK;
        good &= poy_tmatrix_rotate(ctx, t[1], angles, &u) == POY_OK;
        /* what the degrees beyond lmax take away: seen in how the law holds better with more of them */
        const double u8 = unitarity(t[0], 3), u12 = unitarity(t[1], 3), a8 = asymmetry(t[0], 3),
                     a12 = asymmetry(t[1], 3);
        ok(good && u12 < 1e-6 && u12 < u8,
           "shape %d without loss: 1 + 2 T is unitary to %.1e with lmax 8, %.1e with 12", i, u8, u12);
        ok(good && a12 < 1e-6 && a12 < fmax(a8, 1e-13), "reciprocity to %.1e and %.1e", a8, a12);
        ok(good && distance(u, t[1]) < 1e-9, "turned upside down it is the same: %.1e", good ? distance(u, t[1]) : 1.0);
        poy_tmatrix_destroy(t);
        poy_tmatrix_destroy(t + 1);
        poy_tmatrix_destroy(&u);
    }
    /* fewer orders are a part of all */
    poy_tmatrix *all = NULL, *part = NULL;
    int same = poy_tmatrix_axisymmetric(ctx, &water, 5, -1, shapes, &m, &all) == POY_OK &&
               poy_tmatrix_axisymmetric(ctx, &water, 5, 2, shapes, &m, &part) == POY_OK;
    for (size_t i = 0; same && i < poy_tmatrix_size(part); i++)
        for (size_t j = 0; j < poy_tmatrix_size(part); j++) {
            const poy_wave_mode *modes = poy_basis_modes(poy_tmatrix_basis(part));
            const size_t n = poy_tmatrix_size(all), row = (size_t)poy_basis_find(poy_tmatrix_basis(all), modes + i),
                         col = (size_t)poy_basis_find(poy_tmatrix_basis(all), modes + j);
            const poy_c128 a = poy_tmatrix_values(part)[i * poy_tmatrix_size(part) + j],
                           b = poy_tmatrix_values(all)[row * n + col];
            same &= a.re == b.re && a.im == b.im;
        }
    ok(same, "fewer orders are a part of all");
    poy_tmatrix_destroy(&all);
    poy_tmatrix_destroy(&part);
}

static void test_refusals(poy_ctx *ctx)
{
    const poy_medium m = poy_medium_dielectric((poy_c128){2.6, 0.0});
    const poy_profile flat = {.kind = POY_PROFILE_SPHEROID, .parameter = {0.5, 0.0}},
                      rough = {.kind = POY_PROFILE_CHEBYSHEV, .parameter = {0.5, 1.5, 3.0}},
                      part = {.kind = POY_PROFILE_CHEBYSHEV, .parameter = {0.5, 0.1, 2.5}},
                      none = {.kind = POY_PROFILE_FUNCTION},
                      box = {.kind = POY_PROFILE_SUPERELLIPSOID, .parameter = {1.0, 1.0, 0.0}},
                      good = {.kind = POY_PROFILE_SPHEROID, .parameter = {0.5, 0.6}};
    const poy_profile *const bad[5] = {&flat, &rough, &part, &none, &box};
    poy_tmatrix *t = NULL;
    for (int i = 0; i < 5; i++)
        ok(poy_tmatrix_axisymmetric(ctx, &water, 3, -1, bad[i], &m, &t) == POY_ERR_ARGUMENT && !t, "bad profile %d", i);
    ok(poy_tmatrix_axisymmetric(ctx, &water, 3, 4, &good, &m, &t) == POY_ERR_ARGUMENT, "mmax above lmax");
    ok(poy_tmatrix_axisymmetric(ctx, &water, 0, -1, &good, &m, &t) == POY_ERR_ARGUMENT, "lmax 0");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_sphere(ctx);
    test_published(ctx);
    test_laws(ctx);
    test_refusals(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
