/* test_raman_gas.c: Raman lines and responses of molecular gases against reference values, limits and refusals. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "media/media.h"
#include "tap.h"

static poy_ctx *ctx;

static const struct {
    const char *gas;
    double bar, temperature, density, rotation, vibration;
} gases[] = {
#define GAS(...) {__VA_ARGS__},
#define LINE(...)
#define POINT(...)
#include "golden/media_raman_gas.def"
#undef GAS
#undef LINE
};
static const struct {
    const char *gas;
    poy_raman_kind kind;
    double strength, omega;
} lines[] = {
#define GAS(...)
#define LINE(...) {__VA_ARGS__},
#include "golden/media_raman_gas.def"
#undef LINE
#undef POINT
};
static const struct {
    const char *gas;
    double t, h;
} points[] = {
#define LINE(...)
#define POINT(...) {__VA_ARGS__},
#include "golden/media_raman_gas.def"
#undef GAS
#undef LINE
#undef POINT
};
enum {
    GASES = sizeof gases / sizeof *gases,
    LINES = sizeof lines / sizeof *lines,
    POINTS = sizeof points / sizeof *points
};

static double off(double got, double want)
{
    return fabs(got / want - 1.0);
}

static int says(const char *words)
{
    return strstr(poy_ctx_cause(ctx), words) != NULL;
}

static poy_gas_raman *open_raman(const char *name, double temperature, const poy_gas_raman_options *o)
{
    poy_gas *gas = NULL;
    poy_gas_raman *raman = NULL;
    poy_gas_create(ctx, name, &gas);
    poy_gas_raman_create(ctx, gas, temperature, o, &raman);
    poy_gas_destroy(&gas);
    return raman;
}

static void check_reference(int g)
{
    poy_gas_raman *raman = open_raman(gases[g].gas, gases[g].temperature, NULL);
    poy_raman_line got[64];
    double line_error = 0.0, error = 0.0, scale = 0.0, strongest = 0.0, width_error = 0.0;
    const int count = poy_gas_raman_lines(raman, 64, got);
    int found = 0;
    for (int i = 0; i < LINES; i++)
        if (!strcmp(lines[i].gas, gases[g].gas))
            strongest = fmax(strongest, lines[i].strength);
    /* The reference leaves out rotational lines below 1e-6 of the strongest. */
    for (int i = 0; i < LINES; i++)
        if (!strcmp(lines[i].gas, gases[g].gas)) {
            while (found < count && got[found].kind != lines[i].kind && got[found].strength < 1e-6 * strongest)
                found++;
            if (found == count)
                break;
            line_error = fmax(line_error, fabs(got[found].strength - lines[i].strength) / strongest);
            line_error = fmax(line_error, off(got[found].omega, lines[i].omega));
            line_error = fmax(line_error, got[found].kind == lines[i].kind ? 0.0 : 1.0);
            found++;
        }
    while (found < count && got[found].strength < 1e-6 * strongest)
        found++;
    for (int i = 0; i < POINTS; i++)
        if (!strcmp(points[i].gas, gases[g].gas)) {
            error = fmax(error, fabs(poy_gas_raman_response(raman, gases[g].density, points[i].t) - points[i].h));
            scale = fmax(scale, fabs(points[i].h));
        }
    if (gases[g].rotation != 0.0)
        width_error = off(poy_gas_raman_lifetime(raman, POY_RAMAN_ROTATION, gases[g].density), gases[g].rotation);
    if (gases[g].vibration != 0.0)
        width_error = fmax(
            width_error, off(poy_gas_raman_lifetime(raman, POY_RAMAN_VIBRATION, gases[g].density), gases[g].vibration));
    ok(found == count && line_error <= 1e-12 && error <= 1e-10 * scale && width_error < 1e-13,
       "%s: %d lines off %.0e, h off %.0e of its largest (allowed 1e-10), lifetimes %.0e", gases[g].gas, count,
       line_error, error / scale, width_error);
    poy_gas_raman_destroy(&raman);
}

/* Published positions of hydrogen's first lines, and what must hold for every strength. */
static void check_lines(void)
{
    poy_gas_raman *raman = open_raman("H2", 293.15, NULL);
    poy_raman_line got[64];
    int positive = 1;
    const int count = poy_gas_raman_lines(raman, 64, got);
    ok(off(got[1].omega / (2.0 * POYI_PI), 17.4479e12) < 1e-5 && off(got[0].omega / (2.0 * POYI_PI), 10.5407e12) < 1e-5,
       "H2: %.4f THz (J = 1 to 3), %.4f THz (0 to 2)", got[1].omega / (2e12 * POYI_PI),
       got[0].omega / (2e12 * POYI_PI));
    for (int i = 0; i < count; i++)
        positive &= got[i].strength > 0.0;
    ok(positive, "every strength is positive");
    poy_gas_raman_destroy(&raman);
    /* Cold hydrogen is in J = 0 but for 9 exp(-2hcB/kT) = 1.9e-3 of it: K = (4 pi eps0)^2 (2/15) (2/3) dalpha^2/hbar. */
    raman = open_raman("H2", 20.0, NULL);
    poy_gas_raman_lines(raman, 64, got);
    const double alpha = 4.0 * POYI_PI * POYI_EPS0 * 3e-31, want = 4.0 / 45.0 * alpha * alpha / POYI_HBAR;
    ok(off(got[0].strength, want) < 2e-3 && got[1].strength < 4e-3 * want, "at 20 K one line is left, off %.0e of 4/45",
       off(got[0].strength, want));
    poy_gas_raman_destroy(&raman);
}

/* Towards vacuum: finite everywhere, 0 where the width diverges, undamped where it vanishes. */
static void check_vacuum(void)
{
    static const double densities[5] = {0.0, 5e-324, 1e-300, 1.0, 1e20};
    for (int g = 0; g < GASES; g++) {
        poy_gas_raman *raman = open_raman(gases[g].gas, 293.15, NULL);
        int finite = 1;
        for (int i = 0; i < 5; i++)
            for (double t = 0.0; t < 1e-11; t = 2.0 * t + 1e-15)
                finite &= isfinite(poy_gas_raman_response(raman, densities[i], t));
        ok(finite, "%s: the response is finite down to density 0", gases[g].gas);
        poy_gas_raman_destroy(&raman);
    }
    poy_gas_raman *h2 = open_raman("H2", 293.15, NULL), *n2 = open_raman("N2", 293.15, NULL);
    ok(poy_gas_raman_lifetime(h2, POY_RAMAN_ROTATION, 0.0) == 0.0 && poy_gas_raman_response(h2, 0.0, 1e-14) == 0.0,
       "H2, whose width grows as 1/density, has no response at density 0");
    ok(isinf(poy_gas_raman_lifetime(n2, POY_RAMAN_ROTATION, 0.0)) && poy_gas_raman_response(n2, 0.0, 1e-14) != 0.0,
       "N2, whose width falls with density, is undamped there");
    poy_gas_raman_destroy(&h2);
    poy_gas_raman_destroy(&n2);
}

static void check_refusals(void)
{
    poy_gas *o2 = NULL, *ar = NULL, *ch4 = NULL;
    poy_gas_raman *raman = NULL;
    poy_gas_raman_options o;
    poy_gas_info info;
    int on = 0;
    poy_gas_create(ctx, "O2", &o2);
    poy_gas_create(ctx, "Ar", &ar);
    poy_gas_create(ctx, "CH4", &ch4);
    ok(poy_gas_raman_create(ctx, o2, 293.15, NULL, &raman) == POY_ERR_UNSUPPORTED && !raman &&
           says("O2: no Raman linewidth of the rotation is published: give its lifetime"),
       "%s", poy_ctx_cause(ctx));
    poy_gas_raman_options_init(&o);
    o.rotation_lifetime = 30e-12;
    ok(poy_gas_raman_create(ctx, o2, 293.15, &o, &raman) == POY_ERR_UNSUPPORTED && says("of the vibration"), "%s",
       poy_ctx_cause(ctx));
    o.vibration_lifetime = 10e-12;
    ok(poy_gas_raman_create(ctx, o2, 293.15, &o, &raman) == POY_OK &&
           poy_gas_raman_lifetime(raman, POY_RAMAN_ROTATION, 1e25) == 30e-12,
       "O2 with lifetimes given");
    poy_gas_raman_destroy(&raman);
    o.vibration_lifetime = -1.0;
    ok(poy_gas_raman_create(ctx, o2, 293.15, &o, &raman) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    ok(poy_gas_raman_create(ctx, ar, 293.15, NULL, &raman) == POY_ERR_UNSUPPORTED && says("Ar has no Raman lines"),
       "%s", poy_ctx_cause(ctx));
    ok(poy_gas_raman_create(ctx, ch4, 0.0, NULL, &raman) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    poy_gas_raman_options_init(&o);
    o.vibration = 0;
    ok(poy_gas_raman_create(ctx, ch4, 293.15, &o, &raman) == POY_ERR_UNSUPPORTED && says("of the kinds asked for"),
       "%s", poy_ctx_cause(ctx));
    o.size = 1;
    ok(poy_gas_raman_create(ctx, ch4, 293.15, &o, &raman) == POY_ERR_ARGUMENT, "%s", poy_ctx_cause(ctx));
    for (int i = 0; i < poy_gas_count(); i++)
        if (poy_gas_info_at(ctx, i, &info) == POY_OK && info.raman)
            on++;
    ok(on == 6, "Raman belongs to the default model of %d gases", on);
    poy_gas_destroy(&o2);
    poy_gas_destroy(&ar);
    poy_gas_destroy(&ch4);
}

int main(void)
{
    poy_ctx_create(&ctx);
    for (int g = 0; g < GASES; g++)
        check_reference(g);
    check_lines();
    check_vacuum();
    check_refusals();
    poy_ctx_destroy(&ctx);
    return tap_done();
}
