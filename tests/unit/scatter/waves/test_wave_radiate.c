/* test_wave_radiate.c: what periodic arrays of multipoles radiate, against their waves summed one by one. */
#include "core/constants.h"
#include "unit/scatter/wave_fixture.h"

/* Singular waves on a lattice, with loss, summed directly, and as the waves that the array radiates. Loss e^{-Im k R} at the
 * last shell is below 1e-14. */
static void test_radiation_2d(poy_ctx *ctx, poy_poltype poltype)
{
    const poy_embedding lossy = {2.0, {{1.0, 0.9}, {1.0, 0.0}, {0.0, 0.0}}, poltype};
    const double a[2][2] = {{1.3, 0.0}, {0.4, 1.1}}, kpar[2] = {0.5, -0.3}, here[6] = {0.1, 0.2, 0.05, -0.2, 0.1, -0.1};
    poy_basis *s = NULL, *ports = NULL, *copy = NULL;
    ok(poy_basis_sw_default(ctx, 2, 2, here, &s) == POY_OK &&
           poy_ports_diffr_orders(ctx, POY_XY, kpar, a, 28.0, &ports) == POY_OK,
       "an array");
    const size_t n = poy_basis_size(s), k = poy_basis_size(ports);
    poy_c128 *c = draw_coefficients(n), *m = matrix(k, n), *out = matrix(k, 1);
    for (int side = 0; side < 2; side++) {
        const double r[3] = {0.3, 0.4, side ? -1.6 : 1.6};
        poy_c128 want[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, got[3];
        for (int i = -34; i <= 34; i++)
            for (int j = -34; j <= 34; j++) {
                const double x = i * a[0][0] + j * a[1][0], y = i * a[0][1] + j * a[1][1];
                const double shifted[3] = {r[0] - x, r[1] - y, r[2]};
                const double complex bloch = cexp(CMPLX(0.0, kpar[0] * x + kpar[1] * y));
                poy_c128 f[3];
                (void)poy_wave_sample(ctx, &lossy, s, POY_SINGULAR, c, POY_WAVE_E, 0, 1, shifted, f);
                for (int q = 0; q < 3; q++)
                    want[q] = poyi_pair(poyi_c(want[q]) + bloch * poyi_c(f[q]));
            }
        const double area = fabs(a[0][0] * a[1][1] - a[0][1] * a[1][0]);
        ok(poy_op_radiate(ctx, &lossy, ports, side ? POY_DOWN : POY_UP, s, area, m) == POY_OK, "what it radiates");
        multiply(k, n, 1, m, c, out);
        (void)poy_wave_sample(ctx, &lossy, ports, side ? POY_DOWN : POY_UP, out, POY_WAVE_E, 0, 1, r, got);
        ok(apart(3, got, want) < 1e-11, "%s of a lattice of spherical waves, poltype %d: %.1e",
           side ? "below" : "above", (int)poltype, apart(3, got, want));
    }
    free(c), free(m), free(out);
    poy_basis_destroy(&s);
    poy_basis_destroy(&ports);
    poy_basis_destroy(&copy);
}

/* A chain along z of spherical waves as cylindrical waves, a grating along x of cylinders as plane waves. */
static void test_radiation_1d(poy_ctx *ctx, poy_poltype poltype)
{
    const poy_embedding lossy = {2.0, {{1.0, 0.9}, {1.0, 0.0}, {0.0, 0.0}}, poltype};
    const double period = 1.2, kz = 0.4, here[6] = {0.1, 0.0, 0.05, -0.1, 0.05, -0.1}, r[3] = {1.5, 1.2, 0.2};
    poy_basis *s = NULL, *d = NULL, *ports = NULL;
    ok(poy_basis_sw_default(ctx, 2, 2, here, &s) == POY_OK &&
           poy_basis_cw_diffr_orders(ctx, kz, 13, period, 30.0, 0, NULL, &d) == POY_OK,
       "a chain");
    size_t n = poy_basis_size(s), k = poy_basis_size(d);
    poy_c128 *c = draw_coefficients(n), *m = matrix(k, n), *out = matrix(k, 1), want[3] = {{0, 0}, {0, 0}, {0, 0}},
             got[3], f[3];
    for (int i = -60; i <= 60; i++) {
        const double shifted[3] = {r[0], r[1], r[2] - i * period};
        (void)poy_wave_sample(ctx, &lossy, s, POY_SINGULAR, c, POY_WAVE_E, 0, 1, shifted, f);
        for (int q = 0; q < 3; q++)
            want[q] = poyi_pair(poyi_c(want[q]) + cexp(CMPLX(0.0, kz * i * period)) * poyi_c(f[q]));
    }
    ok(poy_op_radiate(ctx, &lossy, d, POY_SINGULAR, s, period, m) == POY_OK, "as cylindrical waves");
    multiply(k, n, 1, m, c, out);
    (void)poy_wave_sample(ctx, &lossy, d, POY_SINGULAR, out, POY_WAVE_E, 0, 1, r, got);
    /* orders above 13 of degrees 2 at 0.11 from the axis: (0.11 / 1.9)^11 of the field */
    ok(apart(3, got, want) < 1e-11, "a chain of spherical waves, poltype %d: %.1e", (int)poltype, apart(3, got, want));
    free(c), free(m), free(out);
    poy_basis_destroy(&s);
    poy_basis_destroy(&d);

    const double kx = 0.3;
    double components[2 * 21];
    for (int i = -10; i <= 10; i++) {
        components[2 * (i + 10)] = kz;
        components[2 * (i + 10) + 1] = kx + 2.0 * POYI_PI * i / period;
    }
    ok(poy_basis_cw_default(ctx, 1, &kz, 2, 2, here, &s) == POY_OK &&
           poy_ports_default(ctx, POY_ZX, 21, components, &ports) == POY_OK,
       "a grating");
    n = poy_basis_size(s), k = poy_basis_size(ports);
    c = draw_coefficients(n), m = matrix(k, n), out = matrix(k, 1);
    for (int side = 0; side < 2; side++) {
        const double at[3] = {0.2, side ? -1.4 : 1.4, 0.3};
        memset(want, 0, sizeof want);
        for (int i = -60; i <= 60; i++) {
            const double shifted[3] = {at[0] - i * period, at[1], at[2]};
            (void)poy_wave_sample(ctx, &lossy, s, POY_SINGULAR, c, POY_WAVE_E, 0, 1, shifted, f);
            for (int q = 0; q < 3; q++)
                want[q] = poyi_pair(poyi_c(want[q]) + cexp(CMPLX(0.0, kx * i * period)) * poyi_c(f[q]));
        }
        ok(poy_op_radiate(ctx, &lossy, ports, side ? POY_DOWN : POY_UP, s, period, m) == POY_OK, "as plane waves");
        multiply(k, n, 1, m, c, out);
        (void)poy_wave_sample(ctx, &lossy, ports, side ? POY_DOWN : POY_UP, out, POY_WAVE_E, 0, 1, at, got);
        ok(apart(3, got, want) < 1e-11, "%s of a grating of cylinders, poltype %d: %.1e", side ? "below" : "above",
           (int)poltype, apart(3, got, want));
    }
    free(c), free(m), free(out);
    poy_basis_destroy(&s);
    poy_basis_destroy(&ports);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    for (int poltype = 0; poltype < 2; poltype++) {
        test_radiation_2d(ctx, (poy_poltype)poltype);
        test_radiation_1d(ctx, (poy_poltype)poltype);
    }
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
