/* test_special_range.c: arguments of any size, far beyond those of physics: never NaN, and a status that fits. */
#include <math.h>

#include "core/core.h"
#include "poynting/special.h"
#include "tap.h"

static uint64_t drawn;

static double draw(double low, double high)
{
    double u[2];
    poy_random_uniform2(29, 1, drawn++, u);
    return low + (high - low) * u[0];
}

/* Any direction, often an axis; the modulus within 10^-size .. 10^size. */
static poy_c128 draw_argument(double size)
{
    const double r = pow(10.0, draw(-size, size)), angle = draw(-3.15, 3.15);
    switch (drawn % 7) {
    case 0: return (poy_c128){r, 0.0};
    case 1: return (poy_c128){-r, drawn % 2 ? 0.0 : -0.0};
    case 2: return (poy_c128){0.0, r};
    default: return (poy_c128){r * cos(angle), r * sin(angle)};
    }
}

static int sound(poy_status status, poy_c128 value)
{
    const int infinite = isinf(value.re) || isinf(value.im);
    return !isnan(value.re) && !isnan(value.im) && status == (infinite ? POY_ERR_RANGE : POY_OK);
}

static void report(const char *name, int bad, const poy_ctx *ctx)
{
    ok(bad == 0, "%s: %d of 2000 are unsound", name, bad);
    if (bad)
        note("%s", poy_ctx_message(ctx));
}

static void test_bessel(poy_ctx *ctx)
{
    int bad = 0, split = 0;
    for (int i = 0; i < 2000; i++) {
        const poy_c128 z = draw_argument(i % 2 ? 300.0 : 5.0);
        const int kind = i % 4, spherical = i % 3 == 0;
        const double v = spherical ? floor(draw(0.0, 300.0)) : i % 5 ? draw(-300.0, 300.0) : draw(-1e4, 1e4);
        poy_c128 out = {0.0, 0.0};
        int64_t e = 0;
        bad += !sound(kind < 2 ? poy_sf_jv_d(ctx, 1, &v, &z, &out) : poy_sf_hankel1(ctx, 1, &v, &z, &out), out);
        split += poy_sf_bessel_split(ctx, 1, (poy_bessel_kind)kind, spherical, i % 2, &v, &z, &out, &e) != POY_OK ||
                 !isfinite(out.re) || !isfinite(out.im);
    }
    report("J_v', H_v", bad, ctx);
    report("the split form has no limits", split, ctx);
}

static void test_angular(poy_ctx *ctx)
{
    int bad = 0;
    for (int i = 0; i < 2000; i++) {
        const int64_t l = (int64_t)draw(0.0, 256.9), m = (int64_t)draw(-(double)l, (double)l),
                      k = (int64_t)draw(-(double)l, (double)l);
        const poy_c128 z = draw_argument(i % 2 ? 300.0 : 3.0),
                       theta = {draw(-10.0, 10.0), i % 2 ? draw(-700.0, 700.0) : 0.0};
        const double phi = draw(-1e3, 1e3);
        poy_c128 out = {0.0, 0.0};
        poy_status status = POY_OK;
        switch (i % 5) {
        case 0: status = poy_sf_lpmv(ctx, 1, &m, &l, &z, &out); break;
        case 1: status = poy_sf_pi_fun(ctx, 1, &l, &m, &z, &out); break;
        case 2: status = poy_sf_tau_fun(ctx, 1, &l, &m, &z, &out); break;
        case 3: status = poy_sf_sph_harm(ctx, 1, &m, &l, &phi, &theta, &out); break;
        default: status = poy_sf_wignersmalld(ctx, 1, &l, &m, &k, &theta, &out);
        }
        bad += !sound(status, out);
    }
    report("angular functions", bad, ctx);
}

static void test_gamma(poy_ctx *ctx)
{
    int bad = 0, kambe = 0;
    for (int i = 0; i < 2000; i++) {
        const double a = 0.5 * floor(draw(-256.0, 257.0));
        const poy_c128 z = draw_argument(i % 2 ? 300.0 : 4.0), y = draw_argument(i % 2 ? 25.0 : 2.0);
        const poy_c128 eta = draw_argument(i % 4 == 3 ? 8.0 : 1.0);
        const int64_t n = (int64_t)(i % 3 ? draw(-30.0, 30.0) : draw(-512.0, 512.0));
        poy_c128 out = {0.0, 0.0};
        bad += !sound(poy_sf_incgamma(ctx, 1, &a, &z, &out), out);
        kambe += !sound(poy_sf_intkambe(ctx, 1, &n, &y, &eta, &out), out);
    }
    report("Gamma(n, z)", bad, ctx);
    report("Kambe's integral", kambe, ctx);
}

static void test_tables(poy_ctx *ctx)
{
    static poy_c128 j[41], y[41], h[41];
    int bad = 0;
    for (int i = 0; i < 2000; i++) {
        const poy_c128 z = draw_argument(i % 2 ? 300.0 : 4.0);
        const poy_status status =
            i % 3 ? poy_sf_spherical_table(ctx, 1, 40, &z, j, y, h) : poy_sf_cylindrical_table(ctx, 1, 40, &z, j, y, h);
        for (int l = 0; l <= 40; l++) {
            const double parts[6] = {j[l].re, j[l].im, y[l].re, y[l].im, h[l].re, h[l].im};
            for (int k = 0; k < 6; k++)
                bad += isnan(parts[k]) || (status == POY_OK && isinf(parts[k]));
        }
    }
    report("tables", bad, ctx);
}

int main(void)
{
    poy_ctx *ctx = NULL;
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_bessel(ctx);
    test_angular(ctx);
    test_gamma(ctx);
    test_tables(ctx);
    poy_ctx_destroy(&ctx);
    return tap_done();
}
