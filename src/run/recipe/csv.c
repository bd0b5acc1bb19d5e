/* csv.c: reading columns of numbers, their units, and what is wrong with them, by file and line. */
#include "run/recipe/csv.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/constants.h"

/* ---- the text ---- */

static char *read_all(poy_recipe *r, const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    size_t room = 0, n = 0;
    if (!file)
        return NULL;
    for (;;) {
        if (n + 1 >= room) {
            char *grown = realloc(text, room = room ? 2 * room : 65536);
            if (!grown)
                break;
            text = grown;
        }
        size_t got = fread(text + n, 1, room - n - 1, file);
        n += got;
        if (!got)
            break;
    }
    char *kept = text && !ferror(file) ? poyi_arena_copy(&r->arena, text, n) : NULL;
    free(text);
    fclose(file);
    *length = n;
    return kept;
}

const char *poyi_source_path(poy_recipe *r, const char *name)
{
    const char *slash = strrchr(r->file, '/');
    if (name[0] == '/' || !slash)
        return name;
    return poyi_arena_format(&r->arena, "%.*s/%s", (int)(slash - r->file), r->file, name);
}

int poyi_source(poy_recipe *r, const poyi_node *node, const char **text)
{
    poyi_source_file *s = r->sources;
    for (; s; s = s->next)
        if (!strcmp(s->name, node->text)) {
            *text = s->text;
            return 1;
        }
    const char *path = poyi_source_path(r, node->text);
    s = poyi_arena_alloc(&r->arena, sizeof *s);
    if (!s || !path)
        return 0;
    s->name = node->text;
    s->text = read_all(r, path, &s->length);
    if (!s->text) {
        poyi_fault(r, node, NULL, "E_IO", "%s cannot be read (%s)\ncheck the path: it is relative to the recipe",
                   node->text, strerror(errno));
        return 0;
    }
    s->next = r->sources;
    r->sources = s;
    *text = s->text;
    return 1;
}

/* ---- the header: "omega [rad/fs], density, phase [rad]" ---- */

static int is_separator(char c)
{
    return c == ',' || c == ';' || c == '\t';
}

static void trim(const char *from, size_t n, size_t size, char *out)
{
    while (n && (*from == ' ' || *from == '"')) {
        from++;
        n--;
    }
    while (n && (from[n - 1] == ' ' || from[n - 1] == '"' || from[n - 1] == '\r'))
        n--;
    snprintf(out, size, "%.*s", (int)n, from);
}

static void read_header(const char *line, size_t length, poyi_csv *t)
{
    const char *end = line + length;
    for (t->columns = 0; line < end && t->columns < POYI_CSV_COLUMNS; t->columns++) {
        size_t n = 0;
        while (line + n < end && !is_separator(line[n]))
            n++;
        const char *open = memchr(line, '[', n), *close = open ? memchr(open, ']', (size_t)(line + n - open)) : NULL;
        trim(line, open ? (size_t)(open - line) : n, sizeof t->name[0], t->name[t->columns]);
        if (close)
            trim(open + 1, (size_t)(close - open - 1), sizeof t->unit[0], t->unit[t->columns]);
        line += n + 1;
    }
}

static int is_number(const char *word)
{
    char *end;
    strtod(word, &end);
    return end != word;
}

/* ---- rows ---- */

static int bad_cell(poy_recipe *r, const char *file, int line, int column)
{
    poyi_fault_in(r, file, line, poyi_arena_format(&r->arena, "column %d", column + 1), "E_VALUE",
                  "not a number\nremove the row");
    return 0;
}

static int read_row(poy_recipe *r, const char *file, const char *text, size_t length, int line, poyi_csv *t)
{
    char word[64];
    const char *end = text + length;
    for (int c = 0; c < t->columns; c++) {
        size_t n = 0;
        while (text + n < end && !is_separator(text[n]))
            n++;
        trim(text, n, sizeof word, word);
        char *stop;
        double value = strtod(word, &stop);
        if (stop == word || *stop || !isfinite(value) || text > end)
            return bad_cell(r, file, line, c);
        t->value[c][t->n] = value;
        text += n + 1;
    }
    t->line[t->n++] = line;
    return 1;
}

/* Behind the mark that some programs begin a file of UTF-8 with. */
static const char *skip_mark(const char *text)
{
    return text + (strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3);
}

static int count_lines(const char *text)
{
    int n = 1;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static int allocate(poy_recipe *r, int rows, poyi_csv *t)
{
    t->line = poyi_arena_alloc(&r->arena, (size_t)rows * sizeof *t->line);
    for (int c = 0; c < POYI_CSV_COLUMNS; c++)
        t->value[c] = poyi_arena_alloc(&r->arena, (size_t)rows * sizeof(double));
    return !r->arena.failed;
}

static int read_table(poy_recipe *r, const poyi_node *node, int least_columns, poyi_csv *t)
{
    const char *text;
    int line = 0, good = 1;
    *t = (poyi_csv){0};
    if (!poyi_source(r, node, &text) || !allocate(r, count_lines(text), t))
        return 0;
    for (const char *at = skip_mark(text); *at && good; line++) {
        size_t n = strcspn(at, "\n"), blank = strspn(at, " \t\r");
        if (blank < n && at[blank] != '#') {
            if (!t->columns && !is_number(at + blank)) {
                read_header(at, n, t);
            } else {
                if (!t->columns) { /* numbers without a header */
                    read_header(at, n, t);
                    memset(t->name, 0, sizeof t->name);
                }
                good = read_row(r, node->text, at, n, line + 1, t);
            }
        }
        at += n + (at[n] == '\n');
    }
    if (good && (t->columns < least_columns || t->n < 4)) {
        poyi_fault_in(r, node->text, 1, "table", "E_SHAPE", "%d columns and %d rows\nneeds at least %d columns, 4 rows",
                      t->columns, t->n, least_columns);
        return 0;
    }
    return good;
}

/* ---- the spectral axis ---- */

static const struct {
    const char *name, *unit, *what, *example;
    double low, high; /* optical values in unit */
} axes[] = {
    {"omega", "rad/s", "optical angular frequency", "omega [rad/fs]", 1e13, 1e18},
    {"frequency", "Hz", "optical frequency", "frequency [THz]", 1e12, 1e17},
    {"wavelength", "m", "optical wavelength", "wavelength [nm]", 1e-9, 1e-3},
    {"photon_energy", "J", "photon energy", "photon_energy [eV]", 1e-22, 1e-16},
};
enum { AXES = sizeof axes / sizeof axes[0] };

static int find_axis(const char *name)
{
    for (int i = 0; i < AXES; i++)
        if (!strcmp(axes[i].name, name))
            return i;
    return -1;
}

/* Column 0 in place: as vacuum wavelength (m); rows get their value's place. 1 if every value is optical. */
static int to_wavelength(poy_ctx *ctx, poy_recipe *r, const char *file, poyi_csv *t)
{
    poy_quantity q = {0};
    char text[80];
    int axis = find_axis(t->name[0]);
    if (axis < 0) {
        poyi_fault_in(r, file, 1, "column 1", "E_UNIT",
                      "the header does not say what it is\nstate name and unit, e.g. \"wavelength [nm]\"");
        return 0;
    }
    for (int i = 0; i < t->n; i++) {
        double x = t->value[0][i];
        snprintf(text, sizeof text, "%.17g %s", x, t->unit[0][0] ? t->unit[0] : axes[axis].unit);
        int known = poy_quantity_parse_as(ctx, text, POY_DIM_SPECTRAL, &q) == POY_OK;
        if (!t->unit[0][0] && (x < axes[axis].low || x > axes[axis].high))
            known = 0;
        if (!known || q.value < 1e-9 || q.value > 1e-3) {
            poyi_fault_in(r, file, t->line[i], "column 1", "E_UNIT",
                          "%g cannot be an %s in %s\nstate the unit in the header, e.g. \"%s\"", x, axes[axis].what,
                          t->unit[0][0] ? t->unit[0] : axes[axis].unit, axes[axis].example);
            poy_ctx_clear(ctx);
            return 0;
        }
        t->value[0][i] = q.value;
    }
    return 1;
}

/* Rows in the order of rising or falling column 0; 1 if it is strictly one of them. */
static int is_monotonic(poy_recipe *r, const char *file, const poyi_csv *t)
{
    int rising = t->value[0][1] > t->value[0][0];
    for (int i = 1; i < t->n; i++)
        if ((t->value[0][i] > t->value[0][i - 1]) != rising || t->value[0][i] == t->value[0][i - 1]) {
            poyi_fault_in(r, file, t->line[i], "column 1", "E_VALUE", "out of order\nsort the rows by column 1");
            return 0;
        }
    return 1;
}

static void reverse(poyi_csv *t)
{
    for (int c = 0; c < t->columns; c++)
        for (int i = 0, j = t->n - 1; i < j; i++, j--) {
            double keep = t->value[c][i];
            t->value[c][i] = t->value[c][j];
            t->value[c][j] = keep;
        }
}

int poyi_csv_index(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **wavelength,
                   const double **index)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t) || !to_wavelength(ctx, r, node->text, &t) || !is_monotonic(r, node->text, &t))
        return 0;
    if (t.value[0][1] < t.value[0][0])
        reverse(&t);
    *n = t.n;
    *wavelength = t.value[0];
    *index = t.value[1];
    return 1;
}

/* Column 0 as rising frequency (Hz), whatever it was. */
static int to_frequency(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, poyi_csv *t)
{
    if (!to_wavelength(ctx, r, node->text, t) || !is_monotonic(r, node->text, t))
        return 0;
    if (t->value[0][1] > t->value[0][0])
        reverse(t); /* falling wavelength is rising frequency */
    for (int i = 0; i < t->n; i++)
        t->value[0][i] = POYI_C / t->value[0][i];
    return 1;
}

static int phase_is_in_rad(poy_recipe *r, const poyi_node *node, const poyi_csv *t, int column)
{
    if (!t->unit[column][0] || !strcmp(t->unit[column], "rad"))
        return 1;
    poyi_fault_in(r, node->text, 1, poyi_arena_format(&r->arena, "column %d", column + 1), "E_UNIT",
                  "the phase is in %s\ngive it in rad", t->unit[column]);
    return 0;
}

int poyi_csv_spectrum(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                      const double **density, const double **phase)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t))
        return 0;
    const int per_wavelength = !strcmp(t.name[0], "wavelength");
    if (!to_frequency(ctx, r, node, &t) || (t.columns > 2 && !phase_is_in_rad(r, node, &t, 2)))
        return 0;
    for (int i = 0; per_wavelength && i < t.n; i++)
        t.value[1][i] *= POYI_C / (t.value[0][i] * t.value[0][i]); /* lambda^2/c */
    *n = t.n;
    *frequency = t.value[0];
    *density = t.value[1];
    *phase = t.columns > 2 ? t.value[2] : poyi_arena_alloc(&r->arena, (size_t)t.n * sizeof(double));
    return *phase != NULL;
}

/* ---- columns ---- */

/* The column of one of the names, separated by blanks; -1. */
static int column_of(const poyi_csv *t, const char *names)
{
    for (int c = 1; c < t->columns; c++)
        if (poyi_word_in(names, t->name[c]))
            return c;
    return -1;
}

static int column_missing(poy_recipe *r, const poyi_node *node, const char *example)
{
    poyi_fault_in(r, node->text, 1, "header", "E_MISSING", "no column says what is needed\nwrite a header, e.g. \"%s\"",
                  example);
    return 0;
}

/* A column in place, as SI of a dimension; unit: where the header has none. 1 if every value is one. */
static int to_si(poy_ctx *ctx, poy_recipe *r, const char *file, poyi_csv *t, int column, poy_dimension dimension,
                 const char *unit)
{
    char text[80];
    for (int i = 0; i < t->n; i++) {
        poy_quantity q = {0};
        snprintf(text, sizeof text, "%.17g %s", t->value[column][i], t->unit[column][0] ? t->unit[column] : unit);
        if (poy_quantity_parse_as(ctx, text, dimension, &q) != POY_OK) {
            poyi_fault_in(r, file, 1, poyi_arena_format(&r->arena, "column %d", column + 1), "E_UNIT",
                          "%s is no unit of %s\nstate one in the header, e.g. \"%s\"", t->unit[column],
                          poyi_dimension_with_article(dimension),
                          dimension == POY_DIM_ANGLE  ? "theta [deg]"
                          : dimension == POY_DIM_TIME ? "time [fs]"
                                                      : "r [nm]");
            poy_ctx_clear(ctx);
            return 0;
        }
        t->value[column][i] = q.value;
    }
    return 1;
}

/* ---- powers in time ---- */

int poyi_csv_is_in_time(poy_recipe *r, const poyi_node *node)
{
    char text[16384] = "";
    const char *kept = NULL;
    poyi_csv t = {0};
    for (const poyi_source_file *s = r->sources; s && !kept; s = s->next)
        kept = strcmp(s->name, node->text) != 0 ? NULL : s->text;
    const char *path = kept ? NULL : poyi_source_path(r, node->text);
    FILE *file = path ? fopen(path, "rb") : NULL;
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    for (const char *at = skip_mark(kept ? kept : text); *at && !t.columns;) {
        const size_t n = strcspn(at, "\n"), blank = strspn(at, " \t\r");
        if (blank < n && at[blank] != '#')
            read_header(at, n, &t);
        at += n + (at[n] == '\n');
    }
    return t.columns > 0 && !strcmp(t.name[0], "time");
}

int poyi_csv_power(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **time,
                   const double **power, const double **phase)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t))
        return 0;
    const int column = column_of(&t, "intensity power I P"), phases = column_of(&t, "phase");
    if (!t.unit[0][0]) {
        poyi_fault_in(r, node->text, 1, "column 1", "E_UNIT", "a time needs a unit\nwrite time [fs] in the header");
        return 0;
    }
    if (column < 0)
        return column_missing(r, node, "time [fs], intensity, phase [rad]");
    if (!to_si(ctx, r, node->text, &t, 0, POY_DIM_TIME, "s") || !is_monotonic(r, node->text, &t) ||
        (phases > 0 && !phase_is_in_rad(r, node, &t, phases)))
        return 0;
    if (t.value[0][1] < t.value[0][0])
        reverse(&t);
    *n = t.n;
    *time = t.value[0];
    *power = t.value[column];
    *phase = phases > 0 ? t.value[phases] : NULL;
    return 1;
}

/* ---- mirrors and phases ---- */

static int scale_gdd(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, poyi_csv *t, int column)
{
    char text[64];
    poy_quantity unit = {0};
    snprintf(text, sizeof text, "1 %s", t->unit[column]);
    if (!t->unit[column][0] || poy_quantity_parse_as(ctx, text, POY_DIM_PHASE2, &unit) != POY_OK) {
        poy_ctx_clear(ctx);
        poyi_fault_in(r, node->text, 1, "gdd", "E_UNIT", "\"%s\" is no unit of it\nwrite gdd [fs2] in the header",
                      t->unit[column]);
        return 0;
    }
    for (int i = 0; i < t->n; i++)
        t->value[column][i] *= unit.value;
    return 1;
}

static int scale_power(poy_recipe *r, const poyi_node *node, poyi_csv *t, int column)
{
    const double unit = !strcmp(t->unit[column], "%") ? 0.01 : 1;
    for (int i = 0; i < t->n; i++) {
        const double typed = t->value[column][i];
        t->value[column][i] = unit * typed;
        if (!(t->value[column][i] >= 0 && t->value[column][i] <= 1)) {
            poyi_fault_in(r, node->text, t->line[i],
                          poyi_arena_copy(&r->arena, t->name[column], strlen(t->name[column])), "E_RANGE",
                          "%g is no share of the power\ngive 0 to 1, or write %s [%%] in the header", typed,
                          t->name[column]);
            return 0;
        }
    }
    return 1;
}

int poyi_csv_mirror(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                    const double **power, const double **gdd)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t))
        return 0;
    const int phase = column_of(&t, "gdd GDD"), share = column_of(&t, "reflectance R transmittance T");
    if (phase < 0)
        return column_missing(r, node, "wavelength [nm], reflectance [%], gdd [fs2]");
    if (!to_frequency(ctx, r, node, &t) || !scale_gdd(ctx, r, node, &t, phase) ||
        (share > 0 && !scale_power(r, node, &t, share)))
        return 0;
    *n = t.n;
    *frequency = t.value[0];
    *power = share > 0 ? t.value[share] : NULL;
    *gdd = t.value[phase];
    return 1;
}

int poyi_csv_filter(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                    const double **power)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t))
        return 0;
    const int share = column_of(&t, "transmittance T");
    if (share < 0)
        return column_missing(r, node, "wavelength [nm], transmittance [%]");
    if (!to_frequency(ctx, r, node, &t) || !scale_power(r, node, &t, share))
        return 0;
    *n = t.n;
    *frequency = t.value[0];
    *power = t.value[share];
    return 1;
}

int poyi_csv_phase(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                   const double **phase)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t))
        return 0;
    const int column = column_of(&t, "phase");
    if (column < 0)
        return column_missing(r, node, "wavelength [nm], phase [rad]");
    if (!to_frequency(ctx, r, node, &t) || !phase_is_in_rad(r, node, &t, column))
        return 0;
    *n = t.n;
    *frequency = t.value[0];
    *phase = t.value[column];
    return 1;
}

/* ---- meridians ---- */

int poyi_csv_profile(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **theta,
                     const double **radius)
{
    poyi_csv t;
    if (!read_table(r, node, 2, &t) || !to_si(ctx, r, node->text, &t, 0, POY_DIM_ANGLE, "rad") ||
        !to_si(ctx, r, node->text, &t, 1, POY_DIM_LENGTH, "m") || !is_monotonic(r, node->text, &t))
        return 0;
    if (t.value[0][1] < t.value[0][0])
        reverse(&t);
    if (fabs(t.value[0][0]) > 1e-3 || fabs(t.value[0][t.n - 1] - POYI_PI) > 1e-3) {
        poyi_fault_in(r, node->text, t.line[0], "column 1", "E_RANGE",
                      "theta goes from %.4g to %.4g rad\nlet it go from 0 to pi, pole to pole", t.value[0][0],
                      t.value[0][t.n - 1]);
        return 0;
    }
    for (int i = 0; i < t.n; i++)
        if (!(t.value[1][i] > 0)) {
            poyi_fault_in(r, node->text, t.line[i], "column 2", "E_RANGE", "a radius of %g m\nlet it be above 0",
                          t.value[1][i]);
            return 0;
        }
    *n = t.n;
    *theta = t.value[0];
    *radius = t.value[1];
    return 1;
}
