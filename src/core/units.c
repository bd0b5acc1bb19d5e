/* units.c: numbers with units, from text and to text. Decimal fractions are scaled by powers of ten as text, before
 * they are rounded to binary, so that "30 fs" is the double nearest to 30e-15. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "core/constants.h"
#include "core/core.h"

enum { DIGITS_MAX = 400, UNIT_MAX = 24, ORDER_MAX = 24 };

typedef struct dimension_row {
    const char *name, *with_article, *si, *write, *examples;
} dimension_row;

static const dimension_row dimensions[POY_DIM_COUNT] = {
#define POYI_DIMENSION(name, article, text, si, write, examples) \
    [POY_DIM_##name] = {text, article " " text, si, write, examples},
#include "core/units.def"
};

/* value in SI = (number * 10^power * scale + offset) / per */
typedef struct unit {
    const char *text;
    poy_dimension dimension;
    int power;
    long double scale, offset, per;
    int shown, order;
} unit;

static const unit units[] = {
#define POYI_UNIT(text, dimension, power, scale, offset, per, shown) \
    {text, POY_DIM_##dimension, power, scale, offset, per, shown, 0},
#include "core/units.def"
};
enum { UNITS = sizeof units / sizeof units[0] };

const char *poy_dimension_name(poy_dimension d)
{
    return dimensions[d].name;
}

const char *poy_dimension_si(poy_dimension d)
{
    return dimensions[d].si;
}

const char *poy_dimension_examples(poy_dimension d)
{
    return dimensions[d].examples;
}

const char *poyi_dimension_with_article(poy_dimension d)
{
    return dimensions[d].with_article;
}

const char *poyi_dimension_write(poy_dimension d)
{
    return dimensions[d].write;
}

/* ---- numbers: digits * 10^exponent, exact ---- */

typedef struct number {
    char digits[DIGITS_MAX + 1]; /* no leading zeros; empty for 0 */
    int n, negative;
    long exponent;
} number;

static int is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static void add_digit(number *x, char c, int fraction)
{
    if (x->n == DIGITS_MAX) { /* far beyond what can change a double */
        x->exponent += !fraction;
        return;
    }
    if (x->n || c != '0')
        x->digits[x->n++] = c;
    x->exponent -= fraction;
}

/* A run of digits, single underscores between them; returns its end, or NULL where there is none. */
static const char *read_digits(const char *s, number *x, int fraction)
{
    if (!is_digit(*s))
        return NULL;
    for (; is_digit(*s) || (*s == '_' && is_digit(s[1])); s++)
        if (*s != '_')
            add_digit(x, *s, fraction);
    return s;
}

/* A number by the grammar of TOML; returns its end, or NULL. "5 eV" and "5eV": an e without digits is no exponent. */
static const char *read_number(const char *s, number *x)
{
    *x = (number){0};
    x->negative = *s == '-';
    s += *s == '-' || *s == '+';
    if (*s == '0' && is_digit(s[1]))
        return NULL;
    s = read_digits(s, x, 0);
    if (s && *s == '.')
        s = read_digits(s + 1, x, 1);
    if (!s || (*s != 'e' && *s != 'E'))
        return s;
    const char *e = s + 1 + (s[1] == '+' || s[1] == '-');
    if (!is_digit(*e))
        return s;
    long exponent = 0;
    for (; is_digit(*e) || (*e == '_' && is_digit(e[1])); e++)
        if (*e != '_' && exponent < 100000)
            exponent = 10 * exponent + (*e - '0');
    x->exponent += s[1] == '-' ? -exponent : exponent;
    return e;
}

/* x * 10^power as text without a decimal point, which the locale could change. */
static void write_plain(const number *x, int power, size_t size, char *out)
{
    snprintf(out, size, "%s%se%ld", x->negative ? "-" : "", x->n ? x->digits : "0", x->exponent + power);
}

static double in_si(const number *x, const unit *u)
{
    char text[DIGITS_MAX + 32];
    write_plain(x, u->power, sizeof text, text);
    if (u->scale == 1 && u->offset == 0 && u->per == 1)
        return strtod(text, NULL);
    return (double)((strtold(text, NULL) * u->scale + u->offset) / u->per);
}

/* ---- units ---- */

/* text with either micro sign (U+00B5, U+03BC) as u; 0 where it is too long to be a unit. */
static int plain_unit(const char *text, size_t length, char out[UNIT_MAX])
{
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (i + 1 < length && (!strncmp(text + i, "\xC2\xB5", 2) || !strncmp(text + i, "\xCE\xBC", 2))) {
            c = 'u';
            i++;
        }
        if (n == UNIT_MAX - 1)
            return 0;
        out[n++] = c;
    }
    out[n] = '\0';
    return 1;
}

static const unit *row_of(const char *text)
{
    for (int i = 0; i < UNITS; i++)
        if (!strcmp(units[i].text, text))
            return &units[i];
    return NULL;
}

static poy_dimension phase_of_order(int order)
{
    static const poy_dimension named[] = {[2] = POY_DIM_PHASE2, [3] = POY_DIM_PHASE3, [4] = POY_DIM_PHASE4};
    return order <= 4 ? named[order] : POY_DIM_PHASE;
}

/* "psN" and "psN/km", N = 2 ... ORDER_MAX: a phase coefficient, or beta_N. */
static int compose(const char *text, unit *out)
{
    char time[UNIT_MAX], *end;
    size_t n = strcspn(text, "0123456789");
    if (!is_digit(text[n]) || text[n] == '0')
        return 0;
    memcpy(time, text, n);
    time[n] = '\0';
    long order = strtol(text + n, &end, 10);
    const unit *t = row_of(time), *l = *end == '/' ? row_of(end + 1) : NULL;
    if (!t || t->dimension != POY_DIM_TIME || order < 2 || order > ORDER_MAX)
        return 0;
    if (*end && (!l || l->dimension != POY_DIM_LENGTH))
        return 0;
    *out = (unit){.dimension = l ? POY_DIM_BETA : phase_of_order((int)order),
                  .power = (int)order * t->power - (l ? l->power : 0),
                  .scale = 1,
                  .per = 1,
                  .order = (int)order};
    return 1;
}

static int find_unit(const char *text, unit *out)
{
    const unit *row = row_of(text);
    if (compose(text, out))
        return 1;
    if (row)
        *out = *row;
    return row != NULL;
}

/* ---- one dimension where another is wanted ---- */

static const double two_pi = 2 * POYI_PI;

static double same(double x)
{
    return x;
}
static double to_frequency(double omega)
{
    return omega / two_pi;
}
static double to_angular(double frequency)
{
    return frequency * two_pi;
}
static double from_frequency(double frequency)
{
    return POYI_C / frequency;
}
static double from_angular(double omega)
{
    return two_pi * POYI_C / omega;
}
static double from_photon_energy(double energy)
{
    return POYI_PLANCK * POYI_C / energy;
}

static const struct {
    poy_dimension wanted, given;
    double (*map)(double);
} conversions[] = {
    {POY_DIM_ENERGY, POY_DIM_PHOTON_ENERGY, same},
    {POY_DIM_WALL_TIME, POY_DIM_TIME, same},
    {POY_DIM_ATTENUATION, POY_DIM_WAVENUMBER, same},
    {POY_DIM_PHASE, POY_DIM_PHASE2, same},
    {POY_DIM_PHASE, POY_DIM_PHASE3, same},
    {POY_DIM_PHASE, POY_DIM_PHASE4, same},
    {POY_DIM_FREQUENCY, POY_DIM_ANGULAR_FREQUENCY, to_frequency},
    {POY_DIM_ANGULAR_FREQUENCY, POY_DIM_FREQUENCY, to_angular},
    {POY_DIM_SPECTRAL, POY_DIM_LENGTH, same},
    {POY_DIM_SPECTRAL, POY_DIM_FREQUENCY, from_frequency},
    {POY_DIM_SPECTRAL, POY_DIM_ANGULAR_FREQUENCY, from_angular},
    {POY_DIM_SPECTRAL, POY_DIM_PHOTON_ENERGY, from_photon_energy},
};

/* The map from a unit's values to those of wanted, NULL where there is none. */
static double (*conversion(poy_dimension wanted, const unit *u, const char *text))(double)
{
    if (wanted == u->dimension)
        return same;
    if (wanted == POY_DIM_ATTENUATION && !strncmp(text, "rad", 3))
        return NULL; /* a phase per length is no loss */
    for (size_t i = 0; i < sizeof conversions / sizeof conversions[0]; i++)
        if (conversions[i].wanted == wanted && conversions[i].given == u->dimension)
            return conversions[i].map;
    return NULL;
}

/* ---- faults: "problem: hint" ---- */

static const poy_dimension ANY = POY_DIM_COUNT; /* as wanted: whatever the unit says */

typedef struct nearest {
    const char *typed; /* micro signs as u */
    poy_dimension wanted;
    int distance, same_start; /* of two at the same distance, the one that begins as typed is meant */
    char text[UNIT_MAX];
} nearest;

/* A slip of capitals is nearer than any other. */
static void consider(nearest *best, const char *candidate)
{
    unit u;
    int distance = strcasecmp(best->typed, candidate) ? poy_text_distance(best->typed, candidate) : 0;
    const int same_start = tolower((unsigned char)*candidate) == tolower((unsigned char)*best->typed);
    if (distance > best->distance || (distance == best->distance && !(same_start && !best->same_start)) ||
        !find_unit(candidate, &u))
        return;
    if (best->wanted != ANY && !conversion(best->wanted, &u, candidate))
        return;
    best->distance = distance;
    best->same_start = same_start;
    snprintf(best->text, sizeof best->text, "%s", candidate);
}

static void consider_composed(nearest *best)
{
    static const char *const times[] = {"fs", "ps", "s"}, *const lengths[] = {"", "/m", "/km", "/mm", "/cm"};
    char text[UNIT_MAX];
    for (int t = 0; t < 3; t++)
        for (int order = 2; order <= 12; order++)
            for (int l = 0; l < 5; l++) {
                snprintf(text, sizeof text, "%s%d%s", times[t], order, lengths[l]);
                consider(best, text);
            }
}

static poy_status fail_unknown(poy_ctx *ctx, const char *typed, size_t length, poy_dimension wanted)
{
    char plain[UNIT_MAX];
    int shown = length < 40 ? (int)length : 40;
    if (plain_unit(typed, length, plain)) {
        nearest best = {.typed = plain, .wanted = wanted, .distance = (int)strlen(plain), .same_start = 1};
        best.distance = best.distance < 4 ? best.distance : 4; /* four slips are another word */
        for (int i = 0; i < UNITS; i++)
            consider(&best, units[i].text);
        consider_composed(&best);
        if (best.text[0])
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "unknown unit '%.*s': did you mean %s?", shown, typed, best.text);
    }
    if (wanted == ANY)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "unknown unit '%.*s': units are written like nm, fs, uJ, bar, ps2/km",
                         shown, typed);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "unknown unit '%.*s': %s takes %s", shown, typed,
                     dimensions[wanted].with_article, dimensions[wanted].examples);
}

static poy_status fail_no_unit(poy_ctx *ctx, const char *text, poy_dimension wanted)
{
    if (wanted == ANY)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%.60s' has no unit: write it after the number, like \"30 fs\"", text);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s needs a unit: write \"%.60s %s\"", dimensions[wanted].with_article,
                     text, dimensions[wanted].write);
}

static poy_status fail_dimension(poy_ctx *ctx, const char *text, poy_dimension wanted, poy_dimension given)
{
    return POYI_FAIL(ctx, POY_ERR_MISMATCH, "expected %s, got %s (\"%.60s\"): use %s", dimensions[wanted].with_article,
                     dimensions[given].with_article, text, dimensions[wanted].examples);
}

static poy_status fail_number(poy_ctx *ctx, const char *text, poy_dimension wanted)
{
    const char *word = text + strspn(text, "+-");
    if (!strncmp(word, "inf", 3) || !strncmp(word, "nan", 3))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%.60s' is not finite: write a finite number", text);
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%.60s' has no readable number: write one like 30, 0.5 or 1e-3, then %s",
                     text, wanted == POY_DIM_NONE ? "nothing" : "a unit");
}

/* ---- parsing ---- */

/* The unit u of the quantity is known, x is its number. */
static poy_status finish(poy_ctx *ctx, const char *text, const number *x, const unit *u, poy_dimension wanted,
                         poy_quantity *out)
{
    double (*map)(double) = wanted == ANY ? same : conversion(wanted, u, out->unit);
    if (!map)
        return fail_dimension(ctx, text, wanted, u->dimension);
    double value = in_si(x, u);
    if (wanted == POY_DIM_SPECTRAL && !(value > 0))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%.60s' is not above 0: %s has to be", text,
                         dimensions[u->dimension].with_article);
    out->value = map(value);
    if (!isfinite(out->value))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%.60s' is too large for a double: write a finite number", text);
    if (value == 0 && x->n && u->offset == 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "'%.60s' is too small for a double: write 0 if you mean 0", text);
    out->dimension = wanted == ANY ? u->dimension : wanted;
    out->order = u->order;
    return POY_OK;
}

static poy_status parse(poy_ctx *ctx, const char *text, poy_dimension wanted, poy_quantity *out)
{
    static const char blanks[] = " \t";
    static const unit none = {.dimension = POY_DIM_NONE, .scale = 1, .per = 1};
    poy_quantity q = {0};
    char plain[UNIT_MAX];
    number x;
    unit u = none;

    text += strspn(text, blanks);
    const char *typed = read_number(text, &x);
    if (!typed || *typed == ',') /* a decimal comma would cut the number short */
        return fail_number(ctx, text, wanted);
    typed += strspn(typed, blanks);
    size_t length = strlen(typed);
    while (length && strchr(blanks, typed[length - 1]))
        length--;
    if (!length && wanted != POY_DIM_NONE)
        return fail_no_unit(ctx, text, wanted);
    snprintf(q.unit, sizeof q.unit, "%.*s", (int)(length < UNIT_MAX ? length : UNIT_MAX), typed);
    if (length && (!plain_unit(typed, length, plain) || !find_unit(plain, &u)))
        return fail_unknown(ctx, typed, length, wanted);
    POYI_TRY(ctx, finish(ctx, text, &x, &u, wanted, &q));
    *out = q;
    return POY_OK;
}

poy_status poy_quantity_parse(poy_ctx *ctx, const char *text, poy_quantity *out)
{
    POYI_TRY(ctx, parse(ctx, text, ANY, out));
    return POY_OK;
}

poy_status poy_quantity_parse_as(poy_ctx *ctx, const char *text, poy_dimension wanted, poy_quantity *out)
{
    POYI_TRY(ctx, parse(ctx, text, wanted, out));
    return POY_OK;
}

/* ---- writing ---- */

/* value rounded to so many significant digits */
static number digits_of(long double value, int digits)
{
    number x = {.negative = signbit(value) != 0};
    char text[64], *e;
    snprintf(text, sizeof text, "%.*Le", digits - 1, fabsl(value));
    e = strchr(text, 'e');
    for (const char *s = text; s < e; s++) /* skips the decimal point, whatever the locale makes it */
        if (is_digit(*s) && (x.n || *s != '0'))
            x.digits[x.n++] = *s;
    x.exponent = x.n ? strtol(e + 1, NULL, 10) - (x.n - 1) : 0;
    while (x.n && x.digits[x.n - 1] == '0') {
        x.digits[--x.n] = '\0';
        x.exponent++;
    }
    return x;
}

/* 0.00012, 800, 1.5e+21: plain where the point stands near the digits */
static void layout(const number *x, size_t size, char *out)
{
    const char *sign = x->negative ? "-" : "", *d = x->digits;
    long point = x->n + x->exponent; /* digits before the decimal point */
    if (!x->n)
        snprintf(out, size, "%s0", sign);
    else if (point > 16 || point < -3)
        snprintf(out, size, "%s%c%s%.16se%ld", sign, d[0], x->n > 1 ? "." : "", d + 1, point - 1);
    else if (point <= 0)
        snprintf(out, size, "%s0.%.*s%.17s", sign, (int)-point, "000", d);
    else if (point >= x->n)
        snprintf(out, size, "%s%.17s%.*s", sign, d, (int)(point - x->n), "0000000000000000");
    else
        snprintf(out, size, "%s%.*s.%.17s", sign, (int)point, d, d + point);
}

/* The largest shown unit of which value holds one, else the smallest; SI where none is shown. */
static unit unit_for(double value, poy_dimension dimension)
{
    static const number one = {.digits = "1", .n = 1};
    const unit *found = NULL;
    for (int i = 0; i < UNITS; i++)
        if (units[i].dimension == dimension && units[i].shown && (!found || fabs(value) >= in_si(&one, &units[i])))
            found = &units[i];
    const int lent = dimension == POY_DIM_PHOTON_ENERGY; /* its J would be read as an energy, even 0 of them */
    if (found && (value != 0 || lent) && isfinite(value))
        return *found;
    return (unit){.text = dimension == POY_DIM_NONE ? "" : dimensions[dimension].si, .scale = 1, .per = 1};
}

/* The number before the unit. Shown units have no offset. */
static number number_in(double value, const unit *u, int digits)
{
    number x;
    if (u->scale == 1 && u->per == 1) {
        x = digits_of(value, digits);
        x.exponent -= x.n ? u->power : 0;
        return x;
    }
    return digits_of((long double)value * u->per / u->scale / powl(10, u->power), digits);
}

void poy_quantity_format(double value, poy_dimension dimension, int digits, size_t size, char *out)
{
    unit u = unit_for(value, dimension == POY_DIM_SPECTRAL ? POY_DIM_LENGTH : dimension);
    number x = {0};
    char text[64];

    if (!isfinite(value)) {
        snprintf(out, size, "%g %s", value, u.text);
        return;
    }
    for (int n = digits > 0 ? digits : 1; n <= 17; n++) {
        x = number_in(value, &u, n);
        if (digits > 0 || in_si(&x, &u) == value)
            break;
    }
    layout(&x, sizeof text, text);
    snprintf(out, size, "%s%s%s", text, *u.text ? " " : "", u.text);
}
