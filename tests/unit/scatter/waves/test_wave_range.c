/* test_wave_range.c: vector waves, coefficients, matrices and fields at arguments of any size, far beyond those of physics:
 * never NaN, and a status that fits. */
#include "scatter/waves/diff.h"
#include "unit/scatter/wave_fixture.h"

enum { DRAWS = 400, PAIRS = 150 };

static double between(double low, double high)
{
    return low + 0.5 * (draw() + 1.0) * (high - low);
}

/* Any direction, often an axis; the modulus within 10^-size .. 10^size. */
static poy_c128 draw_argument(double size)
{
    const double r = pow(10.0, between(-size, size)), angle = between(-3.15, 3.15);
    switch ((int)between(0.0, 6.0)) {
    case 0: return (poy_c128){r, 0.0};
    case 1: return (poy_c128){-r, 0.0};
    case 2: return (poy_c128){0.0, r};
    default: return (poy_c128){r * cos(angle), r * sin(angle)};
    }
}

static double draw_real(double size)
{
    return draw_argument(size).re;
}

/* Finite where the status is POY_OK, infinite somewhere where it is POY_ERR_RANGE, NaN nowhere; refused: nothing written. */
static int sound(poy_status status, size_t n, const poy_c128 *value)
{
    int infinite = 0;
    for (size_t i = 0; i < n; i++) {
        if (isnan(value[i].re) || isnan(value[i].im))
            return 0;
        infinite |= isinf(value[i].re) || isinf(value[i].im);
    }
    return status == (infinite ? POY_ERR_RANGE : POY_OK);
}

static void report(poy_ctx *ctx, const char *name, int bad)
{
    ok(bad == 0, "%s: %d are unsound", name, bad);
    if (bad)
        note("%s", poy_ctx_message(ctx));
}

typedef struct labels {
    int64_t l, m, lambda, mu, pol;
} labels;

/* i: a fourth of them of any degree */
static labels draw_labels(int i)
{
    labels n = {.l = (int64_t)(i % 4 ? between(1.0, 20.9) : between(1.0, 128.9)),
                .lambda = (int64_t)(i % 4 ? between(1.0, 20.9) : between(1.0, 128.9)),
                .pol = draw() > 0.0};
    n.m = (int64_t)between(-(double)n.l, (double)n.l);
    n.mu = (int64_t)between(-(double)n.lambda, (double)n.lambda);
    return n;
}

static void test_waves(poy_ctx *ctx)
{
    int spherical = 0, cylindrical = 0, plane = 0;
    for (int i = 0; i < DRAWS; i++) {
        const labels n = draw_labels(i);
        const double size = i % 2 ? 300.0 : 4.0, phi = between(-1e3, 1e3);
        const poy_c128 x = draw_argument(size), theta = {between(-10.0, 10.0), i % 2 ? between(-700.0, 700.0) : 0.0};
        poy_c128 out[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        poy_status status = (i % 3 ? poy_sf_vsw_A : poy_sf_vsw_rA)(ctx, 1, &n.l, &n.m, &x, &theta, &phi, &n.pol, out);
        spherical += !sound(status, 3, out);
        const double kz = draw_real(size), z = draw_real(size);
        const poy_c128 k = draw_argument(size);
        memset(out, 0, sizeof out);
        status = (i % 3 ? poy_sf_vcw_N : poy_sf_vcw_rN)(ctx, 1, &kz, &n.m, &x, &phi, &z, &k, out);
        cylindrical += !sound(status, 3, out);
        const poy_c128 ky = draw_argument(size);
        memset(out, 0, sizeof out);
        status = poy_sf_vpw_A(ctx, 1, &x, &ky, &k, &phi, &z, &kz, &n.pol, out);
        plane += status != POY_ERR_ARGUMENT && !sound(status, 3, out); /* k.k = 0 by underflow has no direction */
    }
    report(ctx, "spherical waves", spherical);
    report(ctx, "cylindrical waves", cylindrical);
    report(ctx, "plane waves", plane);
}

static void test_coefficients(poy_ctx *ctx)
{
    int translated = 0, plane = 0, axial = 0;
    for (int i = 0; i < DRAWS; i++) {
        const labels n = draw_labels(i);
        const double size = i % 2 ? 300.0 : 4.0, theta = between(-4.0, 4.0), phi = between(-9.0, 9.0);
        const poy_c128 x = draw_argument(size), y = draw_argument(size), z = draw_argument(size);
        poy_c128 out = {0.0, 0.0};
        poy_status status = poy_sw_translate(ctx, 1, &n.lambda, &n.mu, &n.pol, &n.l, &n.m, &n.pol, &x, &theta, &phi,
                                             POY_HELICITY, i % 3 != 0, &out);
        translated += !sound(status, 1, &out);
        out = (poy_c128){0.0, 0.0};
        status = poy_pw_to_sw(ctx, 1, &n.l, &n.m, &n.pol, &x, &y, &z, &n.pol, (poy_poltype)(i % 2), &out);
        plane += status != POY_ERR_ARGUMENT && !sound(status, 1, &out);
        const double kz = draw_real(size);
        out = (poy_c128){0.0, 0.0};
        status = poy_cw_to_sw(ctx, 1, &n.l, &n.m, &n.pol, &kz, &n.m, &n.pol, &x, (poy_poltype)(i % 2), &out);
        axial += !sound(status, 1, &out);
    }
    report(ctx, "translations", translated);
    report(ctx, "plane waves in spherical ones", plane);
    report(ctx, "cylindrical waves in spherical ones", axial);
}

/* Two modes of any degree at places of any size, and their field anywhere. */
static void test_bases(poy_ctx *ctx, int cylindrical)
{
    poy_status (*const create)(poy_ctx *, size_t, const poy_wave_mode *, size_t, const double *, poy_basis **) =
        cylindrical ? poy_basis_cw_create : poy_basis_sw_create;
    int matrices = 0, fields = 0;
    for (int i = 0; i < PAIRS; i++) {
        const labels n = draw_labels(i);
        const double kz = draw_real(3.0);
        const poy_wave_mode modes[2] = {
            {.l = (int32_t)n.l, .m = (int32_t)n.m, .pol = (int32_t)n.pol, .kz = kz},
            {.l = (int32_t)n.lambda, .m = (int32_t)n.mu, .pol = 1 - (int32_t)n.pol, .kz = kz}};
        const double size = i % 2 ? 150.0 : 3.0, here[3] = {draw_real(size), draw_real(size), draw_real(size)},
                     there[3] = {draw_real(size), draw_real(size), draw_real(size)};
        const poy_embedding e = {pow(10.0, between(-3.0, 3.0)), {{2.0, i % 3 ? 0.0 : 0.3}, {1.0, 0.0}, {0.0, 0.0}}, 0};
        const poy_modetype type = i % 5 ? POY_SINGULAR : POY_REGULAR;
        const poy_c128 ones[2] = {{1.0, 0.0}, {0.0, 1.0}};
        poy_basis *a = NULL, *b = NULL;
        poy_c128 m[2] = {{0.0, 0.0}, {0.0, 0.0}}, f[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}};
        (void)create(ctx, 2, modes, 1, here, &a);
        (void)create(ctx, 1, modes, 1, there, &b);
        matrices += !sound(poy_op_expand(ctx, &e, b, POY_REGULAR, a, type, m), 2, m);
        fields += !sound(poy_wave_sample(ctx, &e, a, type, ones, POY_WAVE_E, 0, 1, there, f), 3, f);
        poy_basis_destroy(&a);
        poy_basis_destroy(&b);
    }
    report(ctx, cylindrical ? "cylindrical matrices" : "spherical matrices", matrices);
    report(ctx, cylindrical ? "cylindrical fields" : "spherical fields", fields);
}

/* Tangents and gradients of the same: finite, or refused. */
static void test_slopes(poy_ctx *ctx, int cylindrical)
{
    poy_status (*const create)(poy_ctx *, size_t, const poy_wave_mode *, size_t, const double *, poy_basis **) =
        cylindrical ? poy_basis_cw_create : poy_basis_sw_create;
    int matrices = 0, fields = 0;
    for (int i = 0; i < PAIRS / 10; i++) {
        const labels n = draw_labels(i + 1);
        const poy_wave_mode mode = {.l = (int32_t)n.l, .m = (int32_t)n.m, .pol = 1, .kz = draw_real(2.0)};
        const double size = i % 2 ? 150.0 : 3.0, here[3] = {draw_real(size), draw_real(size), draw_real(size)},
                     there[3] = {draw_real(size), draw_real(size), draw_real(size)};
        const poy_c128 one = {1.0, 0.0}, ks[2] = {draw_argument(3.0), {1.0, 0.0}};
        poy_basis *a = NULL, *b = NULL;
        double move[3] = {1.0, -1.0, 0.5};
        poy_c128 tangent[3] = {{0.0, 0.0}, {0.0, 0.0}, {0.0, 0.0}}, g_ks[2], d_ks[2] = {{1.0, 0.5}, {0.5, 1.0}};
        const poy_c128 cotangent[3] = {{1.0, 0.0}, {0.0, 1.0}, {1.0, 1.0}};
        (void)create(ctx, 1, &mode, 1, here, &a);
        (void)create(ctx, 1, &mode, 1, there, &b);
        const poyi_expansion e = {b, a, {ks[0], ks[0]}, POY_HELICITY, i % 3 != 0, 0.0};
        poy_status status =
            poyi_expansion_pushforward(ctx, &e, &(poyi_expansion_inputs){.destination = move, .ks = d_ks}, tangent);
        matrices += (status == POY_OK || status == POY_ERR_RANGE) && !sound(status, 1, tangent);
        status = poyi_expansion_pullback(ctx, &e, cotangent, &(poyi_expansion_inputs){.destination = move, .ks = g_ks});
        matrices += status == POY_OK && !(isfinite(move[0]) && isfinite(move[1]) && isfinite(move[2]) &&
                                          isfinite(g_ks[1].re) && isfinite(g_ks[1].im));
        const poyi_field_function f = {
            .basis = a, .ks = {ks[0], ks[0]}, .singular = i % 3 != 0, .coefficients = &one, .n = 1, .points = there};
        move[0] = move[1] = move[2] = 1.0;
        memset(tangent, 0, sizeof tangent);
        status = poyi_field_pushforward(ctx, &f, &(poyi_field_inputs){.points = move, .ks = d_ks}, tangent);
        fields += (status == POY_OK || status == POY_ERR_RANGE) && !sound(status, 3, tangent);
        status = poyi_field_pullback(ctx, &f, cotangent, &(poyi_field_inputs){.points = move, .ks = g_ks});
        fields += status == POY_OK && !(isfinite(move[0]) && isfinite(move[1]) && isfinite(move[2]) &&
                                        isfinite(g_ks[1].re) && isfinite(g_ks[1].im));
        poy_basis_destroy(&a);
        poy_basis_destroy(&b);
    }
    report(ctx, cylindrical ? "slopes of cylindrical matrices" : "slopes of spherical matrices", matrices);
    report(ctx, cylindrical ? "slopes of cylindrical fields" : "slopes of spherical fields", fields);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (!ok(poy_ctx_create(&ctx) == POY_OK, "a context"))
        return tap_done();
    test_waves(ctx);
    test_coefficients(ctx);
    test_bases(ctx, 0);
    test_bases(ctx, 1);
    test_slopes(ctx, 0);
    test_slopes(ctx, 1);
    ok(poy_ctx_bytes(ctx) == 0, "the ledger is empty");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
