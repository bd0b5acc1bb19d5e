/* test_wave_basis.c: media, bases of every order, ports and their wavevectors. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "math/batch.h"
#include "poynting/waves.h"
#include "tap.h"

static const poy_embedding vacuum = {2.0, {{1.0, 0.0}, {1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};

static int near(poy_c128 got, double complex want, double tolerance)
{
    return cabs(poyi_c(got) - want) <= tolerance * (1.0 + cabs(want));
}

static void test_media(poy_ctx *ctx)
{
    const poy_c128 n = {1.5, 0.2}, z = {0.8, -0.1}, kappa = {0.1, 0.01};
    poy_medium m;
    poy_c128 got[2], one;

    ok(poy_medium_from_index(ctx, n, &z, kappa, &m) == POY_OK && near(m.epsilon, poyi_c(n) / poyi_c(z), 1e-15) &&
           near(m.mu, poyi_c(n) * poyi_c(z), 1e-15),
       "epsilon = n / Z, mu = n Z");
    ok(poy_medium_index(ctx, &m, &one) == POY_OK && near(one, poyi_c(n), 1e-15), "the index comes back");
    ok(poy_medium_impedance(ctx, &m, &one) == POY_OK && near(one, poyi_c(z), 1e-15), "the impedance comes back");
    ok(poy_medium_indices(ctx, &m, got) == POY_OK && near(got[0], poyi_c(n) - poyi_c(kappa), 1e-15) &&
           near(got[1], poyi_c(n) + poyi_c(kappa), 1e-15),
       "n -+ kappa");
    const poy_c128 ns[2] = {{1.3, 0.0}, {1.6, 0.1}};
    ok(poy_medium_from_helicity_indices(ctx, ns, NULL, &m) == POY_OK && poy_medium_indices(ctx, &m, got) == POY_OK &&
           near(got[0], poyi_c(ns[0]), 1e-15) && near(got[1], poyi_c(ns[1]), 1e-15) && near(m.mu, 1.0, 1e-15),
       "from two helicity indices");
    ok(poy_medium_is_chiral(&m) && !poy_medium_is_real(&m), "it is chiral and not real");
    const poy_medium metal = poy_medium_dielectric((poy_c128){-4.0, 0.0});
    ok(poy_medium_ks(ctx, &metal, 3.0, got) == POY_OK && near(got[0], CMPLX(0.0, 6.0), 1e-15) &&
           near(got[1], CMPLX(0.0, 6.0), 1e-15),
       "the root of a metal decays");
    const poy_medium gain = poy_medium_dielectric((poy_c128){4.0, -0.4});
    ok(poy_medium_index(ctx, &gain, &one) == POY_OK && one.im >= 0.0, "Im n is never below 0");
    ok(poy_medium_ks(ctx, &metal, -1.0, got) == POY_ERR_ARGUMENT, "k0 = -1 is refused: %s", poy_ctx_cause(ctx));
    const poy_medium nothing = poy_medium_dielectric((poy_c128){0.0, 0.0});
    ok(poy_medium_impedance(ctx, &nothing, &one) == POY_ERR_ARGUMENT, "epsilon = 0 is refused: %s", poy_ctx_cause(ctx));

    const poy_c128 kx = {0.6, 0.0}, far = {3.0, 0.0}, nought = {0.0, 0.0}, k = {1.0, 0.0}, near_k = {1.0 - 1e-12, 0.0};
    ok(poy_wave_vec_z(ctx, 1, &kx, &nought, &k, &one) == POY_OK && near(one, 0.8, 1e-15) && one.im == 0.0,
       "kz of a propagating wave is real and positive");
    ok(poy_wave_vec_z(ctx, 1, &far, &nought, &k, &one) == POY_OK && near(one, CMPLX(0.0, sqrt(8.0)), 1e-15),
       "kz of an evanescent wave is positive imaginary");
    const double below = 1.0 - near_k.re; /* exact */
    ok(poy_wave_vec_z(ctx, 1, &near_k, &nought, &k, &one) == POY_OK &&
           fabs(one.re / sqrt(below * (2.0 - below)) - 1.0) < 1e-15,
       "kz near grazing keeps its digits");
}

/* ---- multipoles ---- */

static int is_mode(const poy_basis *b, size_t i, int particle, int l, int m, int pol)
{
    const poy_wave_mode *mode = poy_basis_modes(b) + i;
    return mode->particle == particle && mode->l == l && mode->m == m && mode->pol == pol &&
           poy_basis_find(b, mode) == (int64_t)i;
}

static void test_spherical(poy_ctx *ctx)
{
    const double positions[6] = {0.0, 0.0, 0.0, 1.0, 2.0, 3.0};
    poy_basis *b = NULL, *c = NULL;
    size_t i = 0;
    int good = 1;

    ok(poy_basis_sw_default(ctx, 3, 2, positions, &b) == POY_OK && poy_basis_size(b) == 60 &&
           poy_basis_sw_default_size(3, 2) == 60 && poy_basis_sw_default_lmax(60, 2) == 3 &&
           poy_basis_sw_default_lmax(58, 2) == -1,
       "a default basis has 2 N lmax (lmax + 2) modes");
    for (int p = 0; p < 2; p++)
        for (int l = 1; l <= 3; l++)
            for (int m = -l; m <= l; m++)
                for (int pol = 1; pol >= 0; pol--)
                    good &= is_mode(b, i++, p, l, m, pol);
    ok(good, "in the order particle, l, m, then pol 1 before 0; each is found");
    ok(!poy_basis_is_global(b) && poy_basis_positions(b)[5] == 3.0 && poy_basis_position_count(b) == 2,
       "it has two origins");
    ok(poy_basis_sw_ebcm(ctx, 3, 2, 1, NULL, &c) == POY_OK && poy_basis_size(c) == 26, "an EBCM basis to mmax 2");
    i = 0;
    good = 1;
    for (int m = -2; m <= 2; m++)
        for (int l = abs(m) > 1 ? abs(m) : 1; l <= 3; l++)
            for (int pol = 1; pol >= 0; pol--)
                good &= is_mode(c, i++, 0, l, m, pol);
    ok(good && i == 26 && poy_basis_is_global(c), "in the order m, l, pol");
    ok(!poy_basis_is_disjoint(b, c), "the two share modes");
    poy_basis_destroy(&b);
    poy_basis_destroy(&c);

    const poy_wave_mode twice[2] = {{.l = 2, .m = 1, .pol = 1}, {.l = 2, .m = 1, .pol = 1}};
    ok(poy_basis_sw_create(ctx, 2, twice, 0, NULL, &b) == POY_ERR_ARGUMENT && !b, "a mode twice is refused: %s",
       poy_ctx_cause(ctx));
    const poy_wave_mode high = {.l = 129}, lost = {.particle = 1, .l = 1}, wrong = {.l = 1, .m = 2},
                        odd = {.l = 1, .pol = 2};
    ok(poy_basis_sw_create(ctx, 1, &high, 0, NULL, &b) == POY_ERR_ARGUMENT, "l = 129: %s", poy_ctx_cause(ctx));
    ok(poy_basis_sw_create(ctx, 1, &lost, 0, NULL, &b) == POY_ERR_ARGUMENT, "no such particle: %s", poy_ctx_cause(ctx));
    ok(poy_basis_sw_create(ctx, 1, &wrong, 0, NULL, &b) == POY_ERR_ARGUMENT, "|m| > l: %s", poy_ctx_cause(ctx));
    ok(poy_basis_sw_create(ctx, 1, &odd, 0, NULL, &b) == POY_ERR_ARGUMENT, "pol 2: %s", poy_ctx_cause(ctx));
    ok(poy_basis_sw_default(ctx, 129, 0, NULL, &b) == POY_ERR_ARGUMENT, "lmax 129: %s", poy_ctx_cause(ctx));
    const double bad[3] = {0.0, (double)NAN, 0.0};
    ok(poy_basis_sw_default(ctx, 1, 1, bad, &b) == POY_ERR_ARGUMENT, "a NaN position: %s", poy_ctx_cause(ctx));
}

static void test_cylindrical(poy_ctx *ctx)
{
    const double kz[2] = {0.3, -0.1};
    poy_basis *b = NULL;
    size_t i = 0;
    int good = 1;
    ok(poy_basis_cw_default(ctx, 2, kz, 2, 2, NULL, &b) == POY_OK && poy_basis_size(b) == 40 &&
           poy_basis_cw_default_size(2, 2, 2) == 40 && poy_basis_cw_default_mmax(40, 2, 2) == 2,
       "a default cylindrical basis");
    for (int p = 0; p < 2; p++)
        for (int k = 0; k < 2; k++)
            for (int m = -2; m <= 2; m++)
                for (int pol = 1; pol >= 0; pol--)
                    good &= poy_basis_modes(b)[i].kz == kz[k] && is_mode(b, i, p, 0, m, pol), i++;
    ok(good, "in the order particle, kz as given, m, pol");
    poy_basis_destroy(&b);
    ok(poy_basis_cw_diffr_orders(ctx, 0.2, 1, 2.0 * POYI_PI, 2.0, 0, NULL, &b) == POY_OK && poy_basis_size(b) == 30 &&
           fabs(poy_basis_modes(b)[0].kz + 1.8) < 1e-15 && fabs(poy_basis_modes(b)[24].kz - 2.2) < 1e-15,
       "axial diffraction orders -2 .. 2 of period 2 pi");
    poy_basis_destroy(&b);
    ok(poy_basis_cw_diffr_orders(ctx, 0.2, 1, 0.0, 2.0, 0, NULL, &b) == POY_ERR_ARGUMENT, "period 0: %s",
       poy_ctx_cause(ctx));
    ok(poy_basis_cw_default(ctx, 2, kz, 129, 0, NULL, &b) == POY_ERR_ARGUMENT, "mmax 129: %s", poy_ctx_cause(ctx));
}

/* ---- plane waves ---- */

static int count_orders(const double a[2][2], double bmax)
{
    const double area = a[0][0] * a[1][1] - a[0][1] * a[1][0], s = 2.0 * POYI_PI / area;
    int count = 0;
    for (int i = -200; i <= 200; i++)
        for (int j = -200; j <= 200; j++)
            count += hypot(s * (i * a[1][1] - j * a[0][1]), s * (j * a[0][0] - i * a[1][0])) <= bmax;
    return count;
}

static void test_ports(poy_ctx *ctx)
{
    const double kpar[2] = {0.1, -0.2}, skew[2][2] = {{0.0, 1.0}, {0.5, 1.2}}, square[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    const double flat[2][2] = {{1.0, 2.0}, {2.0, 4.0}};
    static const double order[13][2] = {{0, 0}, {0, 1},   {0, -1}, {0, 2},  {0, -2}, {1, 0}, {-1, 0},
                                        {1, 1}, {-1, -1}, {1, -1}, {-1, 1}, {2, 0},  {-2, 0}};
    poy_basis *b = NULL, *c = NULL, *d = NULL;
    poy_c128 k[26 * 3];
    int good = 1;

    ok(poy_ports_diffr_orders(ctx, POY_XY, kpar, skew, 31.0, &b) == POY_OK &&
           poy_basis_size(b) == 2 * (size_t)count_orders(skew, 31.0),
       "a skew cell loses no diffraction order, %d of them", count_orders(skew, 31.0));
    poy_basis_destroy(&b);
    ok(poy_ports_diffr_orders(ctx, POY_XY, kpar, square, 13.0, &b) == POY_OK && poy_basis_size(b) == 26,
       "a square cell");
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 2; j++)
            good &= fabs(poy_basis_modes(b)[2 * i].component[j] - kpar[j] - 2.0 * POYI_PI * order[i][j]) < 1e-14 &&
                    poy_basis_modes(b)[2 * i].pol == 1 && poy_basis_modes(b)[2 * i + 1].pol == 0;
    ok(good, "in the stated order, pol 1 before 0");
    ok(poy_ports_diffr_orders(ctx, POY_XY, kpar, flat, 13.0, &c) == POY_ERR_ARGUMENT, "a cell without area: %s",
       poy_ctx_cause(ctx));

    ok(poy_basis_kvecs(ctx, &vacuum, b, POY_DOWN, k) == POY_OK && near(k[0], 0.1, 1e-15) && near(k[1], -0.2, 1e-15) &&
           near(k[2], -sqrt(4.0 - 0.05), 1e-15),
       "the missing component follows from k and the side");
    ok(poy_basis_kvecs(ctx, &vacuum, b, POY_REGULAR, k) == POY_ERR_ARGUMENT, "ports are up or down: %s",
       poy_ctx_cause(ctx));
    ok(poy_basis_permuted(ctx, b, 1, &c) == POY_OK && poy_basis_alignment(c) == POY_YZ &&
           poy_basis_kvecs(ctx, &vacuum, c, POY_UP, k) == POY_OK && near(k[1], 0.1, 1e-15) && near(k[2], -0.2, 1e-15) &&
           near(k[0], sqrt(4.0 - 0.05), 1e-15),
       "permuted ports keep their components");
    poy_basis_destroy(&c);
    ok(poy_basis_rotated(ctx, b, 0.5 * POYI_PI, &c) == POY_OK && poy_basis_modes(c)[0].component[0] == 0.2 &&
           poy_basis_modes(c)[0].component[1] == 0.1,
       "a quarter turn is exact");
    ok(poy_basis_by_unit_vector(ctx, &vacuum, b, POY_UP, &d) == POY_OK && poy_basis_get_kind(d) == POY_BASIS_PLANE,
       "ports as directions");
    poy_basis_destroy(&c);
    ok(poy_basis_by_component(ctx, &vacuum, d, POY_XY, &c) == POY_OK, "and back");
    good = c != NULL;
    for (int i = 0; good && i < 26; i++)
        good &= fabs(poy_basis_modes(c)[i].component[0] - poy_basis_modes(b)[i].component[0]) < 1e-14;
    ok(good, "with the same components");
    poy_basis_destroy(&c);
    ok(poy_basis_by_component(ctx, &vacuum, d, POY_ZX, &c) == POY_ERR_ARGUMENT,
       "evanescent directions have no real kz: %s", poy_ctx_cause(ctx));
    poy_basis_destroy(&d);

    const poy_embedding negative = {2.0, {{-1.0, 0.0}, {-1.0, 0.0}, {0.0, 0.0}}, POY_HELICITY};
    const poy_embedding chiral = {2.0, {{2.0, 0.0}, {1.0, 0.0}, {0.1, 0.0}}, POY_PARITY};
    const poy_embedding branch = {2.0, {{2.0, 0.0}, {1.0, 0.0}, {2.0, 0.0}}, POY_HELICITY};
    ok(poy_basis_kvecs(ctx, &negative, b, POY_UP, k) == POY_ERR_UNSUPPORTED, "a double negative medium: %s",
       poy_ctx_cause(ctx));
    ok(poy_basis_kvecs(ctx, &branch, b, POY_UP, k) == POY_ERR_UNSUPPORTED, "n - kappa < 0: %s", poy_ctx_cause(ctx));
    ok(poy_basis_kvecs(ctx, &chiral, b, POY_UP, k) == POY_ERR_UNSUPPORTED, "parity in a chiral medium: %s",
       poy_ctx_cause(ctx));
    poy_basis_destroy(&b);

    const poy_c128 none[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, null[3] = {{1.0, 0.0}, {0.0, 1.0}, {0.0, 0.0}};
    ok(poy_basis_pw_default(ctx, 1, none, &b) == POY_ERR_ARGUMENT, "no direction: %s", poy_ctx_cause(ctx));
    ok(poy_basis_pw_default(ctx, 1, null, &b) == POY_ERR_ARGUMENT, "a null direction: %s", poy_ctx_cause(ctx));
    const poy_c128 both[6] = {{3.0, 0.0}, {0.0, 0.0}, {4.0, 0.0}, {6.0, 0.0}, {0.0, 0.0}, {8.0, 0.0}};
    ok(poy_basis_pw_default(ctx, 1, both, &b) == POY_OK && near(poy_basis_modes(b)[0].q[2], 0.8, 1e-15), "normalised");
    poy_basis_destroy(&b);
    ok(poy_basis_pw_default(ctx, 2, both, &b) == POY_ERR_ARGUMENT, "one direction twice: %s", poy_ctx_cause(ctx));
}

static void test_lifetime(poy_ctx *ctx)
{
    poy_basis *b = NULL, *other;
    ok(poy_basis_sw_default(ctx, 2, 0, NULL, &b) == POY_OK, "a basis of one origin without positions");
    other = poy_basis_retain(b);
    poy_basis_destroy(&b);
    ok(!b && poy_basis_size(other) == 16 && poy_ctx_bytes(ctx) > 0, "a retained basis lives on");
    poy_basis_destroy(&other);
    poy_basis_destroy(&other);
    ok(poy_ctx_bytes(ctx) == 0, "and leaves the ledger empty");
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_media(ctx);
    test_spherical(ctx);
    test_cylindrical(ctx);
    test_ports(ctx);
    test_lifetime(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
