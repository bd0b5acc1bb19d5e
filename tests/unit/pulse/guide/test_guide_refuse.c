/* test_guide_refuse.c: every bad input of a guide is refused by name, with its value and what would be right. */
#include <math.h>
#include <string.h>

#include "core/constants.h"
#include "poynting/guide.h"
#include "tap.h"

static poy_ctx *ctx;

/* The call came to status, and its cause has the words. */
static void refused(poy_status got, poy_status want, const char *words)
{
    const char *cause = poy_ctx_cause(ctx);
    ok(got == want && strstr(cause, words), "%s: %s", poy_status_name(got), cause);
    if (got == POY_OK || !strstr(cause, words))
        note("wanted %s with \"%s\"", poy_status_name(want), words);
    poy_ctx_clear(ctx);
}

static const char *const argon[] = {"Ar"};

static poy_capillary_options good(void)
{
    poy_capillary_options o;
    poy_capillary_options_init(&o);
    o.core_radius.value = 100e-6;
    o.fill.n_gases = 1;
    o.fill.gases = argon;
    o.fill.pressure.value = 1e5;
    return o;
}

static poy_status try_capillary(const poy_capillary_options *o)
{
    poy_guide *guide = NULL;
    const poy_status status = poy_guide_create_capillary(ctx, o, &guide);
    if (status != POY_OK && guide)
        ok(0, "the output of a refusal is untouched");
    poy_guide_destroy(&guide);
    return status;
}

static double bad_function(void *user, double z)
{
    const int *kind = user;
    return *kind == 0 ? z - 0.05 : *kind == 1 ? sin(1e7 * z) + 2.0 : (double)NAN;
}

static void check_radius(void)
{
    poy_capillary_options o = good();
    static const double z[] = {0.0, 0.1, 0.1}, a[] = {1e-4, 8e-5, 5e-5}, shrunk[] = {1e-4, 0.0, 5e-5};
    o.core_radius.value = -125e-6;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.core_radius: -0.000125 m");
    o.core_radius.value = (double)NAN;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.core_radius");
    o.core_radius = (poy_along){.n = 3, .z = z, .values = a};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.core_radius: position 2, 0.1 m, is not above");
    o.core_radius = (poy_along){.n = 2, .z = z, .values = shrunk};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.core_radius: 0 m at z = 0.1 m");
    o.core_radius = (poy_along){.n = 2, .z = z};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.core_radius: 2 points");
    for (int kind = 0; kind < 3; kind++) {
        o.core_radius = (poy_along){.function = bad_function, .user = &kind, .from = 0.0, .to = 1.0};
        refused(try_capillary(&o), kind == 1 ? POY_ERR_NO_CONVERGENCE : POY_ERR_ARGUMENT, "geometry.core_radius: ");
    }
    o.core_radius.to = -1.0;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.core_radius: the function is given from");
    o.core_radius.n = 2;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "beside a function");
}

static void check_gas(void)
{
    static const char *const unobtainium[] = {"Unobtainium"}, *const both[] = {"Ar", "He"}, *const xenon[] = {"Xe"};
    static const double shares[] = {0.5, 0.6}, negative[] = {-0.5, 1.5}, z[] = {0.0, 1.0}, p[] = {1e5, -1.0};
    poy_capillary_options o = good();
    o.fill.gases = unobtainium;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "Unobtainium\" is unknown: the gases are He");
    o = good();
    o.fill.pressure.value = -1e5;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.pressure: -100000 Pa");
    o.fill.pressure.value = (double)NAN;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.pressure");
    o.fill.pressure = (poy_along){.n = 2, .z = z, .values = p};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.pressure: -1 Pa at z = 1 m");
    o = good();
    o.fill.gases = xenon;
    o.fill.pressure.value = 60e5;
    o.fill.temperature = 250.0;
    refused(try_capillary(&o), POY_ERR_RANGE, "liquid");
    o = good();
    o.fill.temperature = 5.0;
    refused(try_capillary(&o), POY_ERR_RANGE, "temperature 5 K is outside");
    o.fill.temperature = 0.0;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.temperature: 0 K");
    o = good();
    o.fill.n_gases = 2;
    o.fill.gases = both;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.fill: the shares of 2 gases add up to 2");
    o.fill.shares = shares;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "add up to 1.1");
    o.fill.shares = negative;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.fill: Ar has the share -0.5");
    o.fill.n_gases = 9;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.fill: 9 gases");
    o = good();
    o.fill.gases = NULL;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "gas.fill: gas 1 of 1 has no name");
}

static void check_wall(void)
{
    poy_capillary_options o = good();
    o.wall = (poy_guide_material){.name = "glas"};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "glas");
    o.wall = (poy_guide_material){.name = "SiO2", .n = 1.45};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.wall: more than one material");
    o.wall = (poy_guide_material){0};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.wall: no material");
    o.wall = (poy_guide_material){.n = -1.45};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.wall: -1.45");
    o.wall = (poy_guide_material){.n = 1.45, .k = -1.0};
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.wall: -1");
    o.wall = (poy_guide_material){.file = "/nowhere/glass.yml"};
    refused(try_capillary(&o), POY_ERR_IO, "glass.yml");
    o = good();
    o.loss = -1.0;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.loss: -1");
    o.model = (poy_capillary_model)7;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.model: there is no choice 7");
    o.size = 3;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "poy_capillary_options: its size says 3");
}

static void check_modes(void)
{
    static const struct {
        const char *name, *words;
    } bad[] = {{"HE111", "ambiguous: part its indices by a comma, as HE1,11 or HE11,1"},
               {"HE1", "has one index"},
               {"HE", "is unknown: modes are HEnm"},
               {"LP11", "is a group, of TE01, HE21, TM01: name one of them"},
               {"LP1", "has one index: modes have two, as LP11"},
               {"LP00", "the indices of LP modes are 0 to"},
               {"HE01", "the first index of HE modes is 1"},
               {"TE11", "the first index of TE modes is 0"},
               {"TM21", "the first index of TM modes is 0"},
               {"HE10", "the second index of modes is 1"},
               {"HE1,", "is unknown"},
               {"HE1,1x", "is unknown"},
               {"HE300,1", "the first index of HE modes is 1"},
               {"Ex11", "a guide of type capillary has no mode Ex11"},
               {"HE1,200", "is beyond what is built"}};
    poy_capillary_options o = good();
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        o.modes = &bad[i].name;
        refused(try_capillary(&o), i + 1 < sizeof bad / sizeof *bad ? POY_ERR_ARGUMENT : POY_ERR_UNSUPPORTED,
                bad[i].words);
    }
    static const char *const twice[] = {"HE11", "HE12", "HE1,1"};
    o.modes = twice;
    o.n_modes = 3;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "HE11 stands twice, as modes 1 and 3");
    o.n_modes = 0;
    refused(try_capillary(&o), POY_ERR_ARGUMENT, "geometry.modes: 0 modes");

    poy_mode mode;
    char name[24];
    static const char *const same[] = {"HE11", "EH12", "TE01", "TM09", "HE1,12", "HE10,1", "Ex12", "Ey31"};
    int wrong = 0;
    for (int i = 0; i < 8; i++) {
        wrong += poy_mode_parse(ctx, same[i], &mode) != POY_OK;
        poy_mode_format(mode, sizeof name, name);
        wrong += strcmp(name, same[i]) != 0;
    }
    ok(wrong == 0, "names come back");
    static const char *const groups[] = {"LP01", "LP11", "LP21", "LP03", "LP12", "LP5,11"};
    static const char *const members[] = {"HE11", "TE01 HE21 TM01", "EH11 HE31",
                                          "HE13", "TE02 HE22 TM02", "EH4,11 HE6,11"};
    for (int i = 0; i < 6; i++) {
        poy_mode group[3];
        char all[80] = "";
        int n = 0;
        wrong += poy_mode_group(ctx, groups[i], group, &n) != POY_OK;
        for (int k = 0; k < n; k++) {
            poy_mode_format(group[k], sizeof name, name);
            snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", k ? " " : "", name);
            poy_mode_format_group(group[k], sizeof name, name);
            wrong += strcmp(name, groups[i]) != 0;
        }
        wrong += strcmp(all, members[i]) != 0;
    }
    ok(wrong == 0 && poy_mode_parse(ctx, "LP02", &mode) == POY_OK && mode.family == POY_MODE_HE && mode.n == 1 &&
           mode.m == 2,
       "groups are known by their members, and members by their groups");
}

static void check_antiresonant(void)
{
    poy_antiresonant_options o;
    poy_guide *guide = NULL;
    poy_antiresonant_options_init(&o);
    o.core_radius.value = 15e-6;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.wall_thickness: 0 m");
    o.wall_thickness = 0.3e-6;
    o.model = POY_ANTIRESONANT_TUBES;
    o.tubes = 2;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.tubes: 2");
    o.tubes = 7;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.tube_radius: missing");
    o.tube_radius = 20e-6;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_ARGUMENT, "overlap by");
    o.tube_radius = 8e-6;
    o.gap = 1e-6;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.gap: 1e-06 m, but");
    o.gap = (double)NAN;
    o.wall_thickness = 9e-6;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_ARGUMENT, "is not below the tubes' radius");
    o.wall_thickness = 0.3e-6;
    o.n_modes = 2;
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_UNSUPPORTED, "the tube model describes HE11 alone");
    o.n_modes = 1;
    static const double z[] = {0.0, 1.0}, a[] = {15e-6, 12e-6};
    o.core_radius = (poy_along){.n = 2, .z = z, .values = a};
    refused(poy_guide_create_antiresonant(ctx, &o, &guide), POY_ERR_UNSUPPORTED, "the tube model has no taper");

    double n[2];
    o.core_radius = (poy_along){.value = 15e-6};
    o.wall = (poy_guide_material){.n = 1.45, .k = 1e-3};
    ok(poy_guide_create_antiresonant(ctx, &o, &guide) == POY_OK, "tubes of a glass that absorbs");
    refused(poy_guide_index(ctx, guide, 0, 0.0, 2e15, 0, n), POY_ERR_UNSUPPORTED, "geometry.wall: constant absorbs");
    poy_guide_destroy(&guide);
}

static void check_tables(void)
{
    static const double l[] = {0.5e-6, 0.7e-6, 0.9e-6, 1.2e-6}, n[] = {1.45, 1.449, 1.448, 1.446}, area[] = {1e-11};
    static const double wrong[] = {0.5e-6, 0.9e-6, 0.7e-6, 1.2e-6}, zero[] = {1.45, 0.0, 1.448, 1.446};
    static const double r[] = {0.1e-6, 1e-6, 2e-6, 3e-6}, e[] = {0.0, 0.0, 0.0, 0.0};
    poy_tabulated_options o;
    poy_guide *guide = NULL;
    double out[2];
    poy_tabulated_options_init(&o);
    o.wavelengths = l;
    o.n = n;
    o.area = area;
    o.n_wavelengths = 3;
    refused(poy_guide_create_tabulated(ctx, &o, &guide), POY_ERR_ARGUMENT, "a cubic spline needs 4 wavelengths");
    o.n_wavelengths = 4;
    o.wavelengths = wrong;
    refused(poy_guide_create_tabulated(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.index: number 2, 7e-07 m");
    o.wavelengths = l;
    o.n = zero;
    refused(poy_guide_create_tabulated(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.index: number 1 is 0");
    o.n = n;
    o.area = NULL;
    refused(poy_guide_create_tabulated(ctx, &o, &guide), POY_ERR_ARGUMENT, "geometry.effective_area");
    o.area = area;
    o.n_r = 4;
    o.r = r;
    o.amplitude = e;
    refused(poy_guide_create_tabulated(ctx, &o, &guide), POY_ERR_ARGUMENT, "the first radius is 1e-07 m");
    static const double from_zero[] = {0.0, 1e-6, 2e-6, 3e-6};
    o.r = from_zero;
    refused(poy_guide_create_tabulated(ctx, &o, &guide), POY_ERR_ARGUMENT, "0 everywhere");
    o.n_r = 0;
    ok(poy_guide_create_tabulated(ctx, &o, &guide) == POY_OK, "a table");
    refused(poy_guide_index(ctx, guide, 0, 0.0, 2.0 * POYI_PI * POYI_C / 1.3e-6, 0, out), POY_ERR_RANGE,
            "covers 500 to 1200 nm, not 1300 nm");
    refused(poy_guide_check_range(ctx, guide, 0.4e-6, 1e-6), POY_ERR_RANGE, "not 400 nm");
    refused(poy_guide_field(ctx, guide, 0, 0.0, 2e15, 0.0, 0.0, 0.0, out), POY_ERR_UNSUPPORTED, "has no profile");
    poy_guide_destroy(&guide);

    poy_simple_guide_options s;
    poy_simple_guide_options_init(&s);
    s.wavelength = 1e-6;
    s.effective_area = 1e-11;
    refused(poy_guide_create_simple(ctx, &s, &guide), POY_ERR_ARGUMENT, "fibre.beta: 0 coefficients");
    s.wavelength = 0.0;
    refused(poy_guide_create_simple(ctx, &s, &guide), POY_ERR_ARGUMENT, "fibre.beta_at: 0 m");
}

static void check_questions(void)
{
    poy_capillary_options o = good();
    poy_guide *guide = NULL;
    double out[64];
    int n = 0;
    o.wall = (poy_guide_material){.name = "SiO2"};
    poy_guide_create_capillary(ctx, &o, &guide);
    refused(poy_guide_index(ctx, guide, 1, 0.0, 2e15, 0, out), POY_ERR_INDEX, "mode number 1");
    refused(poy_guide_index(ctx, guide, 0, 0.0, -2e15, 0, out), POY_ERR_ARGUMENT, "-2e+15 rad/s");
    refused(poy_guide_index(ctx, guide, 0, 0.0, 2e15, 13, out), POY_ERR_ARGUMENT, "derivative of order 13");
    refused(poy_guide_index(ctx, guide, 0, 0.0, 2.0 * POYI_PI * POYI_C / 100e-9, 0, out), POY_ERR_RANGE,
            "resonance at 105.4");
    refused(poy_guide_index(ctx, guide, 0, 0.0, 2.0 * POYI_PI * POYI_C / 200e-9, 0, out), POY_ERR_RANGE,
            "SiO2 index data end at 210 nm");
    static const char *const helium[] = {"He"};
    poy_capillary_options h = good();
    poy_guide *beyond = NULL;
    h.fill.gases = helium;
    poy_guide_create_capillary(ctx, &h, &beyond);
    refused(poy_guide_check_range(ctx, beyond, 80e-9, 1e-6), POY_ERR_RANGE, "He index data end at 90 nm");
    poy_guide_destroy(&beyond);
    h.fill.extrapolate = 1;
    poy_guide_create_capillary(ctx, &h, &beyond);
    ok(poy_guide_check_range(ctx, beyond, 80e-9, 1e-6) == POY_OK, "unless extrapolation is asked for");
    refused(poy_guide_check_range(ctx, beyond, 71e-9, 1e-6), POY_ERR_RANGE, "He index data end at");
    poy_guide_destroy(&beyond);
    refused(poy_guide_check_range(ctx, guide, 104e-9, 1e-6), POY_ERR_RANGE, "Ar index data end at 105.4");
    refused(poy_guide_check_range(ctx, guide, 300e-9, 8e-6), POY_ERR_RANGE, "SiO2 index data end at 6700 nm");
    refused(poy_guide_check_range(ctx, guide, 3e-6, 1e-6), POY_ERR_ARGUMENT, "give a rising range");
    refused(poy_guide_zero_dispersion(ctx, guide, 0, 0.0, 1e-6, 0.5e-6, 4, out, &n), POY_ERR_ARGUMENT,
            "give a rising range");
    refused(poy_guide_find_mode(ctx, guide, "HE12", &n), POY_ERR_ARGUMENT, "not among the guide's modes: HE11");
    refused(poy_guide_guided_count(ctx, guide, POY_MODE_HE, 1, 0.0, 2e15, &n), POY_ERR_UNSUPPORTED, "only step_index");
    refused(poy_guide_couple(ctx, guide, 0, 0.0, 2e15, 0.0, -1e-6, 0.0, 0.0, 0.0, out), POY_ERR_ARGUMENT, "waist");

    poy_pin_options p;
    poy_pin_options_init(&p);
    refused(poy_guide_pin(ctx, guide, &p, out), POY_ERR_ARGUMENT, "pin.wavelength");
    p.wavelength = 500e-9;
    p.to = 1.0;
    refused(poy_guide_pin(ctx, guide, &p, out), POY_ERR_NO_CONVERGENCE,
            "gas.pressure: no pressure from 1e-06 to 1e-05 bar");
    p.target = POY_PIN_SOLITON_ORDER;
    p.pump = 800e-9;
    refused(poy_guide_pin(ctx, guide, &p, out), POY_ERR_ARGUMENT, "pin.value");
    poy_guide_destroy(&guide);
    o.fill.n_gases = 0;
    poy_guide_create_capillary(ctx, &o, &guide);
    p.target = POY_PIN_ZERO_DISPERSION;
    refused(poy_guide_pin(ctx, guide, &p, out), POY_ERR_UNSUPPORTED, "has no pressure to pin");
    poy_guide_destroy(&guide);
}

int main(void)
{
    poy_ctx_create(&ctx);
    check_radius();
    check_gas();
    check_wall();
    check_modes();
    check_antiresonant();
    check_tables();
    check_questions();
    ok(poy_ctx_bytes(ctx) == 0, "nothing is left in the ledger");
    poy_ctx_destroy(&ctx);
    return tap_done();
}
