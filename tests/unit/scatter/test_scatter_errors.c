/* test_scatter_errors.c: the published list of bad calls (errors.json), one by one: refused by name and nothing written, or legal although
 * it looks odd. Labels that C has no room for (an axis of another length, a wave of another k0) are told where they can be told. */
#include "poynting/lattice.h"
#include "poynting/particle.h"
#include "poynting/smatrix.h"
#include "poynting/special.h"
#include "poynting/tmatrix.h"
#include "wave_fixture.h"

static const poy_medium air = {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}};
static const poy_embedding around = {2.1, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};

static void refused(poy_ctx *ctx, const char *id, poy_status got, poy_status want, int untouched)
{
    if (!ok(got == want && untouched, "errors/%s: %s", id, poy_ctx_cause(ctx)))
        note("status %d, wanted %d", (int)got, (int)want);
    poy_ctx_clear(ctx);
}

static void legal(poy_ctx *ctx, const char *id, poy_status got)
{
    ok(got == POY_OK, "errors/%s is legal%s", id, got == POY_OK ? "" : poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
}

static void test_lattice(poy_ctx *ctx)
{
    static const double square[4] = {1.0, 0.0, 0.0, 1.0}, flat[4] = {1.0, 0.5, 2.0, 1.0}, zero[3] = {0.0, 0.0, 0.0};
    const poy_lattice_sum good = {.dim = 2, .k = {2.1, 0.0}, .kpar = zero, .a = square, .r = zero};
    poy_lattice_sum bad = good;
    poy_c128 out[9] = {{7.0, 0.0}};
    /* 001: |m| > l has no place in a table of degrees; a single label has one among the records */
    bad.k.re = 0.0;
    refused(ctx, "lsumsw/002", poy_lattice_sum_spherical(ctx, &bad, 2, out), POY_ERR_ARGUMENT, out[0].re == 7.0);
    bad = good;
    bad.a = flat;
    refused(ctx, "lsumsw/003", poy_lattice_sum_spherical(ctx, &bad, 2, out), POY_ERR_ARGUMENT, out[0].re == 7.0);
    bad = good;
    bad.k.re = 6.283185307179586;
    refused(ctx, "lsumsw/004", poy_lattice_sum_spherical(ctx, &bad, 2, out), POY_ERR_THRESHOLD, out[0].re == 7.0);
    bad = good;
    bad.k.im = -0.3;
    refused(ctx, "lsumsw/005", poy_lattice_sum_spherical(ctx, &bad, 2, out), POY_ERR_ARGUMENT, out[0].re == 7.0);
}

static void test_particles(poy_ctx *ctx)
{
    const poy_c128 epsilon[3] = {{4.0, 0.0}, {2.0, 0.0}, {1.0, 0.0}}, mu[3] = {{1.0, 0.0}, {1.0, 0.0}, {1.0, 0.0}},
                   kappa[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    const double x[2] = {1.0, 2.0}, zero = 0.0, falling[2] = {2.0, 1.0}, radius = 0.3, nan_radius = (double)NAN;
    const int64_t degree = 1, none = 0;
    const poy_medium m = poy_medium_dielectric((poy_c128){4.0, 0.0});
    const poy_embedding bad = {-1.0, air, POY_HELICITY};
    poy_c128 c[4] = {{7.0, 0.0}};
    poy_tmatrix *t = NULL;
    refused(ctx, "mie/006", poy_mie(ctx, 1, &none, 1, x, epsilon, mu, kappa, c), POY_ERR_ARGUMENT, c[0].re == 7.0);
    /* 007: lengths are one number here; the nearest to it is none at all */
    refused(ctx, "mie/007", poy_mie(ctx, 1, &degree, 0, x, epsilon, mu, kappa, c), POY_ERR_ARGUMENT, c[0].re == 7.0);
    refused(ctx, "mie/008", poy_mie(ctx, 1, &degree, 1, &zero, epsilon, mu, kappa, c), POY_ERR_ARGUMENT,
            c[0].re == 7.0);
    refused(ctx, "mie/009", poy_mie(ctx, 1, &degree, 2, falling, epsilon, mu, kappa, c), POY_ERR_ARGUMENT,
            c[0].re == 7.0);
    refused(ctx, "sphere_tmatrix/010", poy_tmatrix_sphere(ctx, &around, 0, 1, &radius, &m, &t), POY_ERR_ARGUMENT, !t);
    refused(ctx, "sphere_tmatrix/011", poy_tmatrix_sphere(ctx, &around, 129, 1, &radius, &m, &t), POY_ERR_ARGUMENT, !t);
    refused(ctx, "sphere_tmatrix/012", poy_tmatrix_sphere(ctx, &bad, 1, 1, &radius, &m, &t), POY_ERR_ARGUMENT, !t);
    refused(ctx, "sphere_tmatrix/013", poy_tmatrix_sphere(ctx, &around, 1, 1, &nan_radius, &m, &t), POY_ERR_ARGUMENT,
            !t);
}

static void test_clusters(poy_ctx *ctx)
{
    const double radius = 0.3, same[6] = {1.0, 2.0, 3.0, 1.0, 2.0, 3.0}, near[6] = {0.0, 0.0, 0.0, 0.3, 0.0, 0.0},
                 far[6] = {0.0, 0.0, 0.0, 2.0, 0.0, 0.0};
    const poy_medium m = poy_medium_dielectric((poy_c128){4.0, 0.0});
    const poy_embedding other = {2.2, air, POY_HELICITY},
                        lossy = {2.1, {{1.77, 0.1}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY},
                        handed = {2.1, {{1.77, 0.0}, {1.0, 0.0}, {0.1, 0.0}}, POY_PARITY};
    poy_tmatrix *t[3] = {NULL, NULL, NULL}, *x = NULL;
    poy_cluster *c = NULL;
    poy_cross_sections s = {7.0, 7.0, 7.0};
    poy_c128 values[49] = {{0.0, 0.0}};
    const int made = poy_tmatrix_sphere(ctx, &around, 2, 1, &radius, &m, t) == POY_OK &&
                     poy_tmatrix_sphere(ctx, &other, 2, 1, &radius, &m, t + 1) == POY_OK &&
                     poy_tmatrix_sphere(ctx, &lossy, 2, 1, &radius, &m, t + 2) == POY_OK;
    if (!ok(made, "three spheres"))
        return;
    poy_tmatrix *const twice[2] = {t[0], t[0]};
    refused(ctx, "cluster/014", poy_cluster_create(ctx, 2, twice, 2, same, &c), POY_ERR_ARGUMENT, !c);
    refused(ctx, "cluster/015", poy_cluster_create(ctx, 2, twice, 1, far, &c), POY_ERR_ARGUMENT, !c);
    refused(ctx, "cluster/016", poy_cluster_create(ctx, 2, t, 2, far, &c), POY_ERR_ARGUMENT, !c);
    legal(ctx, "cluster/017", poy_cluster_create(ctx, 2, twice, 2, near, &c));
    refused(ctx, "cross_sections/018", poy_tmatrix_cross_sections(ctx, t[2], values, 0.5, &s), POY_ERR_UNSUPPORTED,
            s.scattering == 7.0);
    /* 019: incident waves are numbers that carry no k0; what can differ is their flux */
    refused(ctx, "cross_sections/019", poy_tmatrix_cross_sections(ctx, t[0], values, -0.5, &s), POY_ERR_ARGUMENT,
            s.scattering == 7.0);
    refused(ctx, "parity_chiral/028", poy_tmatrix_sphere(ctx, &handed, 1, 1, &radius, &m, &x), POY_ERR_UNSUPPORTED, !x);
    refused(ctx, "tmatrix/029", poy_tmatrix_create(ctx, &around, NULL, 6, 5, values, &x), POY_ERR_ARGUMENT, !x);
    refused(ctx, "tmatrix/030", poy_tmatrix_create(ctx, &around, NULL, 7, 7, values, &x), POY_ERR_ARGUMENT, !x);
    poy_cluster_destroy(&c);
    for (int i = 0; i < 3; i++)
        poy_tmatrix_destroy(t + i);
}

static void test_waves(poy_ctx *ctx)
{
    const double zero = 0.0;
    const poy_c128 nothing = {0.0, 0.0}, q[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
    const int64_t one = 1, two = 2, three[6] = {300, 2, 300, 0, 0, 0};
    const double n = 0.3;
    poy_c128 out[1] = {{7.0, 0.0}};
    double number = 7.0;
    poy_basis *basis = NULL;
    refused(ctx, "hankel1/000", poy_sf_hankel1(ctx, 1, &zero, &nothing, out), POY_ERR_ARGUMENT, out[0].re == 7.0);
    refused(ctx, "plane_wave/020", poy_basis_pw_default(ctx, 1, q, &basis), POY_ERR_ARGUMENT, !basis);
    refused(ctx, "wigner3j/021",
            poy_sf_wigner3j(ctx, 1, three, three + 1, three + 2, three + 3, three + 4, three + 5, &number),
            POY_ERR_ARGUMENT, number == 7.0);
    refused(ctx, "incgamma/022", poy_sf_incgamma(ctx, 1, &n, &(poy_c128){1.0, 0.0}, out), POY_ERR_ARGUMENT,
            out[0].re == 7.0);
    refused(ctx, "sw_translate/023",
            poy_sw_translate(ctx, 1, &one, &one, &two, &one, &one, &two, &(poy_c128){1.0, 0.0}, &zero, &zero,
                             POY_HELICITY, 0, out),
            POY_ERR_ARGUMENT, out[0].re == 7.0);
    legal(ctx, "sw_translate/024",
          poy_sw_translate(ctx, 1, &one, &one, &one, &one, &one, &one, &nothing, &zero, &zero, POY_HELICITY, 1, out));
    ok(out[0].re == 0.0 && out[0].im == 0.0, "and 0");
}

static void test_stacks(poy_ctx *ctx)
{
    const double straight[2] = {0.0, 0.0}, graze[2] = {2.1, 0.0}, minus = -1.0;
    const poy_medium glass = poy_medium_dielectric((poy_c128){2.25, 0.0}),
                     negative = {{-1.0, 0.0}, {-1.0, 0.0}, {0.0, 0.0}}, media[3] = {air, glass, air};
    poy_stage stage = {2.1, POY_HELICITY, NULL};
    poy_smatrix *s = NULL;
    if (!ok(poy_ports_default(ctx, POY_XY, 1, straight, &stage.ports) == POY_OK, "ports"))
        return;
    refused(ctx, "slab/025", poy_smatrix_layers(ctx, &stage, 1, &minus, media, &s), POY_ERR_ARGUMENT, !s);
    refused(ctx, "interface/026", poy_smatrix_interface(ctx, &stage, &air, &negative, &s), POY_ERR_UNSUPPORTED, !s);
    poy_basis_destroy(&stage.ports);
    if (!ok(poy_ports_default(ctx, POY_XY, 1, graze, &stage.ports) == POY_OK, "ports that graze"))
        return;
    legal(ctx, "interface/027", poy_smatrix_interface(ctx, &stage, &air, &glass, &s));
    int finite = 1;
    for (int i = 0; s && i < 16; i++)
        finite &= isfinite(poy_smatrix_values(s)[i].re) && isfinite(poy_smatrix_values(s)[i].im);
    ok(s && finite, "and finite");
    poy_smatrix_destroy(&s);
    poy_basis_destroy(&stage.ports);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_lattice(ctx);
    test_particles(ctx);
    test_clusters(ctx);
    test_waves(ctx);
    test_stacks(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
