/* test_units.c: numbers with units from text and to text. The wanted values are decimal literals, which the compiler
 * rounds once; conversions by constants are held to the definition of the unit. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/core.h"
#include "tap.h"

static poy_ctx *ctx;

/* ---- every unit of the recipe's table: exactly the nearest double ---- */

typedef struct row {
    const char *text;
    poy_dimension dimension;
    double value;
    int order;
} row;

static const row exact[] = {
    {"30 pm", POY_DIM_LENGTH, 30e-12, 0},
    {"800 nm", POY_DIM_LENGTH, 800e-9, 0},
    {"0.8 um", POY_DIM_LENGTH, 0.8e-6, 0},
    {"0.8 \xC2\xB5m", POY_DIM_LENGTH, 0.8e-6, 0},
    {"0.8 \xCE\xBCm", POY_DIM_LENGTH, 0.8e-6, 0},
    {"3.3 mm", POY_DIM_LENGTH, 3.3e-3, 0},
    {"15 cm", POY_DIM_LENGTH, 0.15, 0},
    {"3 m", POY_DIM_LENGTH, 3, 0},
    {"1.7 km", POY_DIM_LENGTH, 1700, 0},
    {"7 as", POY_DIM_TIME, 7e-18, 0},
    {"30 fs", POY_DIM_TIME, 30e-15, 0},
    {"-12 fs", POY_DIM_TIME, -12e-15, 0},
    {"12.5ps", POY_DIM_TIME, 12.5e-12, 0},
    {"2 ns", POY_DIM_TIME, 2e-9, 0},
    {"2 us", POY_DIM_TIME, 2e-6, 0},
    {"2 s", POY_DIM_TIME, 2, 0},
    {"3 aJ", POY_DIM_ENERGY, 3e-18, 0},
    {"3 fJ", POY_DIM_ENERGY, 3e-15, 0},
    {"3 pJ", POY_DIM_ENERGY, 3e-12, 0},
    {"3 nJ", POY_DIM_ENERGY, 3e-9, 0},
    {"120 uJ", POY_DIM_ENERGY, 120e-6, 0},
    {"120 \xC2\xB5J", POY_DIM_ENERGY, 120e-6, 0},
    {"1.1 mJ", POY_DIM_ENERGY, 1.1e-3, 0},
    {"1.1 J", POY_DIM_ENERGY, 1.1, 0},
    {"5 mW", POY_DIM_POWER, 5e-3, 0},
    {"5 W", POY_DIM_POWER, 5, 0},
    {"10 kW", POY_DIM_POWER, 1e4, 0},
    {"5 MW", POY_DIM_POWER, 5e6, 0},
    {"5 GW", POY_DIM_POWER, 5e9, 0},
    {"5 TW", POY_DIM_POWER, 5e12, 0},
    {"7 Pa", POY_DIM_PRESSURE, 7, 0},
    {"7.7 kPa", POY_DIM_PRESSURE, 7700, 0},
    {"0.1 MPa", POY_DIM_PRESSURE, 1e5, 0},
    {"7 mbar", POY_DIM_PRESSURE, 700, 0},
    {"0.35 bar", POY_DIM_PRESSURE, 35000, 0},
    {"1 atm", POY_DIM_PRESSURE, 101325, 0},
    {"760 torr", POY_DIM_PRESSURE, 101325, 0},
    {"1 Hz", POY_DIM_FREQUENCY, 1, 0},
    {"1 kHz", POY_DIM_FREQUENCY, 1e3, 0},
    {"1 MHz", POY_DIM_FREQUENCY, 1e6, 0},
    {"1 GHz", POY_DIM_FREQUENCY, 1e9, 0},
    {"374.74 THz", POY_DIM_FREQUENCY, 374.74e12, 0},
    {"1.2 PHz", POY_DIM_FREQUENCY, 1.2e15, 0},
    {"2.35 rad/fs", POY_DIM_ANGULAR_FREQUENCY, 2.35e15, 0},
    {"2.35e15 rad/s", POY_DIM_ANGULAR_FREQUENCY, 2.35e15, 0},
    {"4 1/m", POY_DIM_WAVENUMBER, 4, 0},
    {"40 rad/um", POY_DIM_WAVENUMBER, 40e6, 0},
    {"0.01 rad/nm", POY_DIM_WAVENUMBER, 0.01e9, 0},
    {"4 1/cm", POY_DIM_WAVENUMBER, 400, 0},
    {"1 eV", POY_DIM_PHOTON_ENERGY, 1.602176634e-19, 0},
    {"1 meV", POY_DIM_PHOTON_ENERGY, 1.602176634e-22, 0},
    {"1keV", POY_DIM_PHOTON_ENERGY, 1.602176634e-16, 0},
    {"293.15 K", POY_DIM_TEMPERATURE, 293.15, 0},
    {"20 degC", POY_DIM_TEMPERATURE, 293.15, 0},
    {"-273.15 degC", POY_DIM_TEMPERATURE, 0, 0},
    {"2 V/m", POY_DIM_FIELD, 2, 0},
    {"2.2 V/nm", POY_DIM_FIELD, 2.2e9, 0},
    {"1e14 W/cm2", POY_DIM_INTENSITY, 1e18, 0},
    {"1e14 W/m2", POY_DIM_INTENSITY, 1e14, 0},
    {"0.3 rad", POY_DIM_ANGLE, 0.3, 0},
    {"3 mrad", POY_DIM_ANGLE, 3e-3, 0},
    {"180 deg", POY_DIM_ANGLE, 3.14159265358979323846, 0},
    {"90 deg", POY_DIM_ANGLE, 1.57079632679489661923, 0},
    {"15 fs2", POY_DIM_PHASE2, 15e-30, 2},
    {"15 fs3", POY_DIM_PHASE3, 15e-45, 3},
    {"15 fs4", POY_DIM_PHASE4, 15e-60, 4},
    {"15 fs5", POY_DIM_PHASE, 15e-75, 5},
    {"2e-27 s2", POY_DIM_PHASE2, 2e-27, 2},
    {"20 fs2/mm", POY_DIM_BETA, 20e-27, 2},
    {"-11.830 ps2/km", POY_DIM_BETA, -11.83e-27, 2},
    {"-11.83 ps2/m", POY_DIM_BETA, -11.83e-24, 2},
    {"27.1 fs3/mm", POY_DIM_BETA, 27.1e-42, 3},
    {"1e-26 s2/m", POY_DIM_BETA, 1e-26, 2},
    {"8.1038e-2 ps3/km", POY_DIM_BETA, 8.1038e-41, 3},
    {"-9.5205e-5 ps4/km", POY_DIM_BETA, -9.5205e-56, 4},
    {"-1.7140e-21 ps10/km", POY_DIM_BETA, -1.7140e-144, 10},
    {"17 ps/(nm km)", POY_DIM_D, 17e-6, 0},
    {"0.06 ps/(nm2 km)", POY_DIM_S, 60, 0},
    {"4.4 um2", POY_DIM_AREA, 4.4e-12, 0},
    {"4.4e-12 m2", POY_DIM_AREA, 4.4e-12, 0},
    {"2.6e-20 m2/W", POY_DIM_N2, 2.6e-20, 0},
    {"2.6e-16 cm2/W", POY_DIM_N2, 2.6e-20, 0},
    {"30 min", POY_DIM_WALL_TIME, 1800, 0},
    {"2 h", POY_DIM_WALL_TIME, 7200, 0},
    {"0.11 1/(W m)", POY_DIM_GAMMA, 0.11, 0},
    {"1.3 1/(W km)", POY_DIM_GAMMA, 1.3e-3, 0},
    {"1 dB/m", POY_DIM_ATTENUATION, 0.230258509299404568, 0}, /* ln(10)/10 */
    {"0.2 dB/km", POY_DIM_ATTENUATION, 4.60517018598809136804e-5, 0},
    {"4 KiB", POY_DIM_BYTES, 4096, 0},
    {"1.5 MiB", POY_DIM_BYTES, 1572864, 0},
    {"8GiB", POY_DIM_BYTES, 8589934592, 0},
    /* the grammar of numbers */
    {"+1_000.5e-1_0 m", POY_DIM_LENGTH, 1000.5e-10, 0},
    {"1E3 m", POY_DIM_LENGTH, 1000, 0},
    {"0 m", POY_DIM_LENGTH, 0, 0},
    {"-0.0 m", POY_DIM_LENGTH, -0.0, 0},
    {"5eV", POY_DIM_PHOTON_ENERGY, 5 * 1.602176634e-19, 0},
    {"  3  fs ", POY_DIM_TIME, 3e-15, 0},
    {"0.000000000000000000000000000000123456789012345678901234567890 m", POY_DIM_LENGTH,
     0.000000000000000000000000000000123456789012345678901234567890, 0},
};

static void test_every_unit(void)
{
    for (size_t i = 0; i < sizeof exact / sizeof exact[0]; i++) {
        poy_quantity q = {.value = NAN};
        const row *r = &exact[i];
        poy_status status = poy_quantity_parse(ctx, r->text, &q);
        ok(status == POY_OK && q.value == r->value && q.dimension == r->dimension && q.order == r->order,
           "'%s' is %.17g %s of order %d (got %.17g %s, %d)", r->text, r->value, poy_dimension_si(r->dimension),
           r->order, q.value, poy_dimension_name(q.dimension), q.order);
    }
}

/* Powers of ten: every integer up to 1000 in every such unit is the double nearest to the decimal fraction. */
static void test_nearest_double(void)
{
    static const struct {
        const char *unit;
        int power;
    } decimal[] = {{"fs", -15}, {"nm", -9}, {"uJ", -6}, {"ps3/km", -39}, {"bar", 5}, {"W/cm2", 4}, {"cm", -2}};
    int wrong = 0;
    char text[64], literal[64];
    for (size_t u = 0; u < sizeof decimal / sizeof decimal[0]; u++)
        for (int i = 1; i <= 1000; i++) {
            poy_quantity q;
            snprintf(text, sizeof text, "%d.7 %s", i, decimal[u].unit);
            snprintf(literal, sizeof literal, "%d.7e%d", i, decimal[u].power);
            wrong += poy_quantity_parse(ctx, text, &q) != POY_OK || q.value != strtod(literal, NULL);
        }
    ok(wrong == 0, "7000 decimal fractions are rounded once (%d wrong)", wrong);
}

/* ---- where the dimension is known ---- */

static double read_as(const char *text, poy_dimension wanted)
{
    poy_quantity q = {.value = NAN};
    poy_status status = poy_quantity_parse_as(ctx, text, wanted, &q);
    return status == POY_OK && q.dimension == wanted ? q.value : (double)NAN;
}

static int within_ulps(double got, double want, double ulps)
{
    return fabs(got - want) <= ulps * 0x1p-52 * fabs(want);
}

static void test_conversions(void)
{
    poy_quantity q;
    /* c / 1 THz by definition of the metre; h c / e = 1239.841984332... eV nm (CODATA 2018) */
    ok(read_as("1 THz", POY_DIM_SPECTRAL) == 299792458e-12, "1 THz is a wavelength of 299.792458 um");
    ok(within_ulps(read_as("1 eV", POY_DIM_SPECTRAL), 1.2398419843320026e-6, 3), "1 eV is 1239.84... nm");
    ok(within_ulps(read_as("2 rad/fs", POY_DIM_SPECTRAL), 9.4182578365442664e-7, 3), "2 rad/fs is 941.8 nm");
    ok(read_as("800 nm", POY_DIM_SPECTRAL) == 800e-9, "a wavelength is itself");
    ok(poy_quantity_parse_as(ctx, "1.55 eV", POY_DIM_SPECTRAL, &q) == POY_OK && !strcmp(q.unit, "eV"),
       "the unit stays as typed");
    ok(poy_quantity_parse_as(ctx, "2 \xC2\xB5m", POY_DIM_LENGTH, &q) == POY_OK && !strcmp(q.unit, "\xC2\xB5m"),
       "the micro sign too");
    ok(within_ulps(read_as("6.283185307179586 rad/fs", POY_DIM_FREQUENCY), 1e15, 2), "2 pi rad/fs is 1 PHz");
    ok(within_ulps(read_as("1 PHz", POY_DIM_ANGULAR_FREQUENCY), 6.283185307179586e15, 2), "1 PHz is 2 pi rad/fs");
    ok(read_as("2 eV", POY_DIM_ENERGY) == 2 * 1.602176634e-19, "an energy in eV");
    ok(read_as("2 eV", POY_DIM_PHOTON_ENERGY) == 2 * 1.602176634e-19, "a photon energy in eV");
    ok(read_as("0.5 1/m", POY_DIM_ATTENUATION) == 0.5, "an attenuation in 1/m");
    ok(read_as("90 s", POY_DIM_WALL_TIME) == 90, "a wall time in s");
    ok(read_as("15 fs3", POY_DIM_PHASE) == 15e-45, "a phase coefficient of any order");
    ok(read_as("0.25", POY_DIM_NONE) == 0.25, "a plain number");
}

/* ---- refusals: status, the words of the problem, the words of the hint ---- */

static void refuses(const char *text, poy_dimension wanted, poy_status status, const char *cause)
{
    poy_quantity q = {.value = 42};
    poy_status got =
        wanted == POY_DIM_COUNT ? poy_quantity_parse(ctx, text, &q) : poy_quantity_parse_as(ctx, text, wanted, &q);
    if (!ok(got == status && !strcmp(poy_ctx_cause(ctx), cause) && q.value == 42, "'%s' is refused: %s", text, cause))
        note("got %s: %s", poy_status_name(got), poy_ctx_cause(ctx));
}

static void test_refusals(void)
{
    const poy_dimension any = POY_DIM_COUNT;
    const poy_status argument = POY_ERR_ARGUMENT, mismatch = POY_ERR_MISMATCH;

    refuses("3", POY_DIM_LENGTH, argument, "a length needs a unit: write \"3 m\"");
    refuses("3", POY_DIM_ENERGY, argument, "an energy needs a unit: write \"3 uJ\"");
    refuses("3", any, argument, "'3' has no unit: write it after the number, like \"30 fs\"");
    refuses("10 nm", POY_DIM_TIME, mismatch, "expected a time, got a length (\"10 nm\"): use fs, ps, ns");
    refuses("30 min", POY_DIM_TIME, mismatch, "expected a time, got a wall time (\"30 min\"): use fs, ps, ns");
    refuses("5 uJ", POY_DIM_SPECTRAL, mismatch,
            "expected a wavelength, frequency or photon energy, got an energy (\"5 uJ\"): use nm, THz, eV");
    refuses("1 rad/um", POY_DIM_ATTENUATION, mismatch,
            "expected an attenuation, got a wavenumber (\"1 rad/um\"): use dB/m, dB/km, 1/m");
    refuses("3 m", POY_DIM_NONE, mismatch,
            "expected a plain number, got a length (\"3 m\"): use a number without a unit");
    refuses("30 fS", any, argument, "unknown unit 'fS': did you mean fs?");
    refuses("30 FS", POY_DIM_TIME, argument, "unknown unit 'FS': did you mean fs?");
    refuses("1 Bar", POY_DIM_PRESSURE, argument, "unknown unit 'Bar': did you mean bar?");
    refuses("17 ps/nm/km", POY_DIM_D, argument, "unknown unit 'ps/nm/km': did you mean ps/(nm km)?");
    refuses("20 ps2/kn", POY_DIM_BETA, argument, "unknown unit 'ps2/kn': did you mean ps2/km?");
    refuses("1 ps/km", POY_DIM_BETA, argument, "unknown unit 'ps/km': did you mean ps2/km?");
    refuses("3 x", POY_DIM_LENGTH, argument, "unknown unit 'x': a length takes nm, um, mm, m");
    refuses("5 microns", POY_DIM_LENGTH, argument, "unknown unit 'microns': a length takes nm, um, mm, m");
    refuses("5 furlongs per fortnight squared", any, argument,
            "unknown unit 'furlongs per fortnight squared': units are written like nm, fs, uJ, bar, ps2/km");
    refuses("fs", POY_DIM_TIME, argument, "'fs' has no readable number: write one like 30, 0.5 or 1e-3, then a unit");
    refuses("", POY_DIM_TIME, argument, "'' has no readable number: write one like 30, 0.5 or 1e-3, then a unit");
    refuses("030 fs", POY_DIM_TIME, argument,
            "'030 fs' has no readable number: write one like 30, 0.5 or 1e-3, then a unit");
    refuses(".5 fs", POY_DIM_TIME, argument,
            "'.5 fs' has no readable number: write one like 30, 0.5 or 1e-3, then a unit");
    refuses("inf m", POY_DIM_LENGTH, argument, "'inf m' is not finite: write a finite number");
    refuses("-nan m", POY_DIM_LENGTH, argument, "'-nan m' is not finite: write a finite number");
    refuses("1e999 m", POY_DIM_LENGTH, argument, "'1e999 m' is too large for a double: write a finite number");
    refuses("1e-400 m", POY_DIM_LENGTH, argument, "'1e-400 m' is too small for a double: write 0 if you mean 0");
    refuses("0 THz", POY_DIM_SPECTRAL, argument, "'0 THz' is not above 0: a frequency has to be");
    refuses("-800 nm", POY_DIM_SPECTRAL, argument, "'-800 nm' is not above 0: a length has to be");
    refuses("1 ps1/km", any, argument, "unknown unit 'ps1/km': did you mean ps2/km?");
    refuses("1,5 nm", POY_DIM_LENGTH, argument,
            "'1,5 nm' has no readable number: write one like 30, 0.5 or 1e-3, then a unit");
}

/* ---- to text and back ---- */

static void formats(double value, poy_dimension dimension, int digits, const char *want)
{
    char got[64];
    poy_quantity_format(value, dimension, digits, sizeof got, got);
    ok(!strcmp(got, want), "%.17g %s is written \"%s\" (got \"%s\")", value, poy_dimension_si(dimension), want, got);
}

static void test_format(void)
{
    formats(8e-7, POY_DIM_LENGTH, 0, "800 nm");
    formats(8e-7, POY_DIM_SPECTRAL, 0, "800 nm");
    formats(0.15, POY_DIM_LENGTH, 0, "150 mm");
    formats(3, POY_DIM_LENGTH, 0, "3 m");
    formats(-12e-15, POY_DIM_TIME, 0, "-12 fs");
    formats(0, POY_DIM_TIME, 0, "0 s");
    formats(0, POY_DIM_PHOTON_ENERGY, 0, "0 eV"); /* 0 J would be an energy */
    formats(50000, POY_DIM_PRESSURE, 0, "500 mbar");
    formats(1.0 / 3, POY_DIM_LENGTH, 4, "333.3 mm");
    formats(1.0 / 3, POY_DIM_LENGTH, 0, "333.3333333333333 mm");
    formats(12239822848, POY_DIM_BYTES, 3, "11.4 GiB");
    formats(1.602176634e-19, POY_DIM_PHOTON_ENERGY, 0, "1 eV");
    formats(0.230258509299404568e-3, POY_DIM_ATTENUATION, 0, "1 dB/km");
    formats(-11.83e-27, POY_DIM_BETA, 0, "-1.183e-26 s^n/m");
    formats(2.5, POY_DIM_NONE, 0, "2.5");
    formats(2e-20, POY_DIM_LENGTH, 0, "2e-8 pm");
    formats(1.5e30, POY_DIM_LENGTH, 0, "1.5e27 km");
    formats(NAN, POY_DIM_LENGTH, 0, "nan m");

    char cut[6];
    poy_quantity_format(8e-7, POY_DIM_LENGTH, 0, sizeof cut, cut);
    ok(!strcmp(cut, "800 n"), "a short buffer is not overrun");
}

/* Random bits of sign, exponent and fraction: what is written with digits 0 reads back as the same double. */
static void test_round_trip(void)
{
    static const poy_dimension some[] = {POY_DIM_LENGTH, POY_DIM_TIME,  POY_DIM_ENERGY,   POY_DIM_PRESSURE,
                                         POY_DIM_PHASE2, POY_DIM_POWER, POY_DIM_AREA,     POY_DIM_D,
                                         POY_DIM_GAMMA,  POY_DIM_BYTES, POY_DIM_INTENSITY};
    int wrong = 0;
    for (size_t d = 0; d < sizeof some / sizeof some[0]; d++)
        for (uint64_t i = 0; i < 500; i++) {
            double u[2];
            char text[64];
            poy_quantity q;
            poy_random_uniform2(7, d, i, u);
            double value = (u[0] - 0.5) * pow(10, 60 * u[1] - 30);
            poy_quantity_format(value, some[d], 0, sizeof text, text);
            if (poy_quantity_parse_as(ctx, text, some[d], &q) != POY_OK || q.value != value) {
                note("%.17g is written %s: %s", value, text, poy_ctx_cause(ctx));
                wrong++;
            }
        }
    ok(wrong == 0, "5500 random values survive being written (%d wrong)", wrong);
}

static void test_dimensions(void)
{
    int unnamed = 0, unread = 0;
    for (int d = 1; d < POY_DIM_COUNT; d++) {
        poy_quantity q;
        char text[64];
        snprintf(text, sizeof text, "2 %s", poyi_dimension_write((poy_dimension)d));
        unnamed += !*poy_dimension_name((poy_dimension)d) || !*poy_dimension_examples((poy_dimension)d);
        unread += poy_quantity_parse_as(ctx, text, (poy_dimension)d, &q) != POY_OK;
    }
    ok(unnamed == 0 && unread == 0, "each dimension has a name, and the unit that it proposes is read");
    ok(!strcmp(poyi_dimension_with_article(POY_DIM_ENERGY), "an energy"), "an energy, not a energy");
}

int main(void)
{
    if (poy_ctx_create(&ctx) != POY_OK)
        return 1;
    test_every_unit();
    test_nearest_double();
    test_conversions();
    test_refusals();
    test_format();
    test_round_trip();
    test_dimensions();
    poy_ctx_destroy(&ctx);
    return tap_done();
}
