/* caption.c: names and units of quantities in pictures, by the table captions.def. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"
#include "run/plots/plot.h"

/* ---- units ---- */

enum { SCALES = 6 };

/* A unit of a family: up to which number (in it) it is shown. */
typedef struct scale {
    const char *unit;
    double factor, below;
} scale;

typedef enum family {
    PREFIX,
    NONE,
    DECIBEL,
    WAVELENGTH,
    FREQUENCY,
    ANGULAR_FREQUENCY,
    PHOTON_ENERGY,
    WAY,
    TIME,
    POWER,
    SIZE,
    WIDTH,
    AREA,
    ANGLE,
    WAVENUMBER,
    FAMILIES
} family;

static const scale families[FAMILIES][SCALES] = {
    [NONE] = {{"", 1, INFINITY}},
    [DECIBEL] = {{"dB", 1, INFINITY}},
    [WAVELENGTH] = {{"nm", 1e9, INFINITY}},
    [FREQUENCY] = {{"THz", 1e-12, INFINITY}},
    [ANGULAR_FREQUENCY] = {{"rad/fs", 1e-15, INFINITY}},
    [PHOTON_ENERGY] = {{"eV", 1 / POYI_E, INFINITY}},
    [WAY] = {{"um", 1e6, 1e3}, {"mm", 1e3, 20}, {"cm", 1e2, 100}, {"m", 1, 1e3}, {"km", 1e-3, INFINITY}},
    [TIME] = {{"fs", 1e15, 1e3}, {"ps", 1e12, 1e3}, {"ns", 1e9, INFINITY}},
    [POWER] = {{"mW", 1e3, 1e3},
               {"W", 1, 1e3},
               {"kW", 1e-3, 1e3},
               {"MW", 1e-6, 1e3},
               {"GW", 1e-9, 1e3},
               {"TW", 1e-12, INFINITY}},
    [SIZE] = {{"nm", 1e9, 5e3}, {"um", 1e6, INFINITY}},
    [WIDTH] = {{"nm", 1e9, 1e4}, {"um", 1e6, INFINITY}},
    [AREA] = {{"nm2", 1e18, 1e4}, {"um2", 1e12, INFINITY}},
    [ANGLE] = {{"deg", 180 / POYI_PI, INFINITY}},
    [WAVENUMBER] = {{"rad/um", 1e-6, INFINITY}},
};

static const struct {
    const char *key, *name, *si;
    family units;
} rows[] = {
#define POYI_CAPTION(key, name, si, family) {key, name, si, family},
#include "run/plots/captions.def"
#undef POYI_CAPTION
};

/* Units of the bench: a factor from SI, and whether prefixes go with it. */
static const struct {
    const char *si, *unit;
    double factor;
    int prefixes;
} bench[] = {{"W/m2", "W/cm2", 1e-4, 1}, {"1/m3", "/cm3", 1e-6, 0},     {"Pa", "bar", 1e-5, 1},
             {"1/s", "/fs", 1e-15, 0},   {"rad/s", "rad/fs", 1e-15, 0}, {"1", "", 1, 0}};

/* A power of a thousand that brings the largest number near 1; where no prefix belongs to a unit, a power of ten. */
static void prefixed(double largest, const char *si, double *factor, size_t size, char *unit)
{
    static const struct {
        double factor;
        const char *prefix;
    } prefixes[] = {{1e15, "f"}, {1e12, "p"}, {1e9, "n"},  {1e6, "u"},   {1e3, "m"},  {1, ""},
                    {1e-3, "k"}, {1e-6, "M"}, {1e-9, "G"}, {1e-12, "T"}, {1e-15, "P"}};
    const char *own = si;
    int with_prefix = 1;
    *factor = 1;
    for (size_t i = 0; i < sizeof bench / sizeof bench[0]; i++)
        if (!strcmp(bench[i].si, si)) {
            own = bench[i].unit;
            *factor = bench[i].factor;
            with_prefix = bench[i].prefixes;
        }
    largest *= *factor;
    snprintf(unit, size, "%s", own);
    if (!(largest > 0) || !isfinite(largest))
        return;
    for (size_t i = 0; with_prefix && i < sizeof prefixes / sizeof prefixes[0]; i++)
        if (largest * prefixes[i].factor < 1000) {
            *factor *= prefixes[i].factor;
            snprintf(unit, size, "%s%s", prefixes[i].prefix, own);
            return;
        }
    const int power = with_prefix || (largest >= 0.01 && largest < 10000) ? 0 : (int)floor(log10(largest));
    if (power)
        snprintf(unit, size, "10^%d%s", power, own);
    *factor *= pow(10, -power);
}

/* The unit of a family, with what a quotient of SI is over: "m2/sr" as "nm2/sr". */
static void unit_of(family units, double largest, const char *si, double *factor, size_t size, char *unit)
{
    const char *over = units == AREA || units == WIDTH ? strchr(si, '/') : NULL;
    int i = 0;
    if (units == PREFIX) {
        prefixed(largest, si, factor, size, unit);
        return;
    }
    while (i + 1 < SCALES && families[units][i + 1].unit &&
           !(largest * families[units][i].factor < families[units][i].below))
        i++;
    *factor = families[units][i].factor;
    snprintf(unit, size, "%s%s", families[units][i].unit, over ? over : "");
}

/* ---- names ---- */

/* The row of the word that key starts with; -1. */
static int row_of(const char *key, size_t length)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (strlen(rows[i].key) == length && !strncmp(rows[i].key, key, length))
            return (int)i;
    return -1;
}

/* The band of wavelengths in "energy between 2e-07 and 3e-07 m". */
static int read_band(const char *about, double *from, double *to)
{
    static const char head[] = "energy between ", middle[] = " and ";
    char *end;
    if (!about || strncmp(about, head, sizeof head - 1) != 0)
        return 0;
    *from = strtod(about + sizeof head - 1, &end);
    if (strncmp(end, middle, sizeof middle - 1) != 0)
        return 0;
    *to = strtod(end + sizeof middle - 1, &end);
    return strncmp(end, " m", 2) == 0;
}

/* about: what the file says of the quantity, or NULL: that of an energy within a band tells the band. */
static void describe(const char *key, const char *about, const char *si, double largest, double *factor, size_t size,
                     char *name, size_t unit_size, char *unit)
{
    const size_t length = strcspn(key, " ");
    const int row = row_of(key, length);
    double from, to;
    largest = fabs(largest);
    if (read_band(about, &from, &to)) {
        snprintf(name, size, "energy, %.4g-%.4g nm", 1e9 * from, 1e9 * to);
        prefixed(largest, "J", factor, unit_size, unit);
        return;
    }
    if (row >= 0) {
        snprintf(name, size, "%s%s", rows[row].name, key + length);
        unit_of(si && rows[row].units == PREFIX ? PREFIX : rows[row].units, largest, si ? si : rows[row].si, factor,
                unit_size, unit);
        return;
    }
    snprintf(name, size, "%s", key);
    for (char *c = strchr(name, '.') ? NULL : name; c && *c; c++) /* a key of a recipe stays as it is written */
        *c = (char)(*c == '_' ? ' ' : *c);
    prefixed(largest, si ? si : "", factor, unit_size, unit);
}

void poy_plot_label(const char *key, const char *about, const char *si, double largest, double *factor, size_t size,
                    char *label)
{
    char name[128], unit[48], plain[192];
    describe(key, about, si, largest, factor, sizeof name, name, sizeof unit, unit);
    snprintf(plain, sizeof plain, *unit ? "%s (%s)" : "%s", name, unit);
    poyi_label_print(plain, size, label);
}

poyi_caption poyi_plot_caption_about(poyi_plot *p, const char *key, const char *about, const char *si, double largest)
{
    char name[128], unit[48];
    poyi_caption c = {.factor = 1, .name = "", .unit = "", .label = ""};
    describe(key, about, si, largest, &c.factor, sizeof name, name, sizeof unit, unit);
    const char *own_name = poyi_arena_copy(&p->figure->arena, name, strlen(name));
    const char *own_unit = poyi_arena_copy(&p->figure->arena, unit, strlen(unit));
    const char *label = poyi_arena_format(&p->figure->arena, *unit ? "%s (%s)" : "%s", name, unit);
    if (own_name && own_unit && label) {
        c.name = own_name;
        c.unit = own_unit;
        c.label = label;
    }
    return c;
}

poyi_caption poyi_plot_caption(poyi_plot *p, const char *key, const char *si, double largest)
{
    return poyi_plot_caption_about(p, key, NULL, si, largest);
}

double poyi_plot_largest(const double *y, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++)
        most = fabs(y[i]) > most ? fabs(y[i]) : most; /* NaN is passed over */
    return most;
}
