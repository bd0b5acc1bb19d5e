/* index_file.c: reads the files of refractiveindex.info. They are a small part of YAML: keys at the margin, whose texts
 * may be quoted or blocks, and under DATA a list of maps with numbers. A YAML library would refuse some of the
 * database's own files for the escapes in their comments; those are kept as they stand. */
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "media/material.h"

enum { DATASETS_MAX = 4, FILE_MAX_BYTES = 64 << 20 };

/* One entry of DATA. */
typedef struct dataset {
    char type[32];
    int line;
    double range[2]; /* um */
    int has_range, coefficients;
    poyi_formula formula;
    void *cells; /* rows x columns doubles, owned */
    size_t rows, columns;
} dataset;

typedef struct reader {
    poy_ctx *ctx;
    const char *name;
    const char *at, *end;        /* what is left of the text */
    const char *line, *line_end; /* the current line, comments and trailing blanks cut off */
    int number, indent;          /* of the current line */
    int done;                    /* there is no current line */
    poyi_text reference, comment;
    dataset sets[DATASETS_MAX];
    int count;
} reader;

#define WRONG(r, ...) wrong((r), (r)->number, __VA_ARGS__)

static poy_status wrong(reader *r, int line, const char *format, ...) POY_PRINTF(3, 4);
static poy_status wrong(reader *r, int line, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return POYI_FAIL(r->ctx, POY_ERR_ARGUMENT, "%s:%d: %s", r->name, line, text);
}

/* ---- lines ---- */

/* The next line, empty or not. */
static void next_raw(reader *r)
{
    if (r->at >= r->end) {
        r->done = 1;
        return;
    }
    const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
    r->line = r->at;
    r->line_end = stop ? stop : r->end;
    r->at = stop ? stop + 1 : r->end;
    r->number++;
    while (r->line_end > r->line && strchr(" \t\r", r->line_end[-1]))
        r->line_end--;
    r->indent = 0;
    while (r->line < r->line_end && *r->line == ' ') {
        r->line++;
        r->indent++;
    }
}

static size_t length(const reader *r)
{
    return (size_t)(r->line_end - r->line);
}

/* The next line that says something. */
static void next(reader *r)
{
    do
        next_raw(r);
    while (!r->done && (r->line == r->line_end || *r->line == '#' || (length(r) >= 3 && !memcmp(r->line, "---", 3))));
}

/* "KEY: value": *value is where value begins (line_end if there is none). 0 if the line is no such thing. */
static int split(const reader *r, const char *key, const char **value)
{
    const size_t n = strlen(key);
    if (length(r) < n + 1 || strncmp(r->line, key, n) != 0 || r->line[n] != ':')
        return 0;
    *value = r->line + n + 1;
    while (*value < r->line_end && **value == ' ')
        (*value)++;
    return 1;
}

/* ---- texts ---- */

/* Appends [from, to) with blanks, escapes of quotes and HTML-like line ends made plain. */
static void add_text(poyi_text *out, const char *from, const char *to)
{
    if (out->length && from < to)
        poyi_text_add(out, " ");
    for (; from < to; from++)
        if (!(*from == '\\' && from + 1 < to && from[1] == '"'))
            poyi_text_add(out, "%c", *from);
}

/* The text that begins at value on the current line, with its further lines; ends on the line after it. */
static poy_status read_text(reader *r, const char *value, poyi_text *out)
{
    const int indent = r->indent, first = r->number;
    char quote = '\0';
    if (value < r->line_end && (*value == '"' || *value == '\''))
        quote = *value;
    if (!quote) {
        if (value < r->line_end && *value != '|' && *value != '>')
            add_text(out, value, r->line_end);
        for (next(r); !r->done && r->indent > indent; next(r))
            add_text(out, r->line, r->line_end);
        return POY_OK;
    }
    for (const char *from = value + 1;; from = r->line) {
        const char *to = from;
        while (to < r->line_end && (*to != quote || (to > from && to[-1] == '\\')))
            to++;
        add_text(out, from, to);
        if (to < r->line_end) {
            if (to + 1 != r->line_end && to[1] != ' ')
                return WRONG(r, "text after the closing quote");
            next(r);
            return POY_OK;
        }
        next_raw(r);
        if (r->done)
            return wrong(r, first, "the quoted text has no end");
    }
}

/* ---- numbers ---- */

/* The exponent at *s, "e-5", which moves behind it; 0 if none is there or it is no number. */
static long read_exponent(const char **s, const char *end, int *fine)
{
    long value = 0;
    const char *at = *s;
    if (at == end || (*at != 'e' && *at != 'E'))
        return 0;
    at++;
    const int negative = at < end && *at == '-';
    at += at < end && (*at == '-' || *at == '+');
    *fine = at < end && *at >= '0' && *at <= '9';
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        value = value < 100000 ? 10 * value + (*at - '0') : value;
    *s = at;
    return negative ? -value : value;
}

/* A decimal number at *at, which moves behind it; whatever the locale's decimal point is. 0: none there. */
static int read_number(const char **at, const char *end, double *out)
{
    enum { DIGITS = 40 };
    char plain[DIGITS + 32];
    const char *s = *at;
    size_t n = 0;
    long power = 0; /* of ten that multiplies the digits kept */
    int digits = 0, point = 0, fine = 1;
    if (s < end && (*s == '+' || *s == '-'))
        plain[n++] = *s++;
    for (; s < end && ((*s >= '0' && *s <= '9') || (*s == '.' && !point)); s++) {
        if (*s == '.') {
            point = 1;
        } else {
            if (digits < DIGITS)
                plain[n++] = *s;
            power += (digits < DIGITS ? 0 : 1) - point;
            digits++;
        }
    }
    power += read_exponent(&s, end, &fine);
    if (!digits || !fine || (s < end && *s != ' ' && *s != '\t' && *s != ','))
        return 0;
    snprintf(plain + n, sizeof plain - n, "e%ld", power);
    *out = strtod(plain, NULL);
    *at = s;
    return 1;
}

/* Up to max numbers from [at, end); returns how many, -1 if something else stands there. */
static int read_numbers(const char *at, const char *end, int max, double *out)
{
    int count = 0;
    for (;;) {
        while (at < end && (*at == ' ' || *at == '\t' || *at == ','))
            at++;
        if (at == end)
            return count;
        if (count == max || !read_number(&at, end, &out[count]) || !isfinite(out[count]))
            return -1;
        count++;
    }
}

/* ---- the entries of DATA ---- */

/* Room for as many rows as there are lines left. */
static poy_status make_room(reader *r, dataset *set)
{
    size_t rows = 1, bytes = 0;
    void *cells = NULL;
    for (const char *s = r->at; s < r->end; s++)
        rows += *s == '\n';
    POYI_TRY(r->ctx, poyi_mul_size(r->ctx, rows, set->columns * sizeof(double), &bytes));
    POYI_TRY(r->ctx, poyi_alloc(r->ctx, "media.file", bytes, &cells));
    set->cells = cells;
    return POY_OK;
}

static poy_status read_table(reader *r, dataset *set, const char *value)
{
    const int indent = r->indent;
    if (value == r->line_end || *value != '|')
        return WRONG(r, "data: a block is expected: data: |");
    if (!strcmp(set->type, "tabulated nk"))
        set->columns = 3;
    else if (!strcmp(set->type, "tabulated n") || !strcmp(set->type, "tabulated k"))
        set->columns = 2;
    else
        return WRONG(r, "data: the entry's type must stand before it and be tabulated");
    if (set->cells)
        return WRONG(r, "data is given twice");
    POYI_TRY(r->ctx, make_room(r, set));
    for (next(r); !r->done && r->indent > indent; next(r)) {
        double *row = (double *)set->cells + set->rows * set->columns;
        if (read_numbers(r->line, r->line_end, (int)set->columns, row) != (int)set->columns)
            return WRONG(r, "a row of \"%s\" has %zu numbers: not \"%.*s\"", set->type, set->columns, (int)length(r),
                         r->line);
        if (!(row[0] > 0.0) || (set->rows > 0 && row[0] <= row[-(ptrdiff_t)set->columns]))
            return WRONG(r, "wavelength %g um: it must be above 0 and above the one before", row[0]);
        set->rows++;
    }
    return POY_OK;
}

/* One "key: value" of an entry; ends on the line after it. */
static poy_status read_field(reader *r, dataset *set)
{
    const char *value = NULL;
    if (split(r, "type", &value)) {
        const size_t n = (size_t)(r->line_end - value);
        if (n >= sizeof set->type)
            return WRONG(r, "type \"%.*s\" is unknown", (int)n, value);
        memcpy(set->type, value, n);
        set->type[n] = '\0';
        next(r);
        return POY_OK;
    }
    if (split(r, "data", &value))
        return read_table(r, set, value);
    if (split(r, "wavelength_range", &value) || split(r, "range", &value)) {
        if (read_numbers(value, r->line_end, 2, set->range) != 2)
            return WRONG(r, "a range has two wavelengths in um");
        set->has_range = 1;
        next(r);
        return POY_OK;
    }
    if (split(r, "coefficients", &value)) {
        set->formula.count = read_numbers(value, r->line_end, POYI_COEFFICIENTS_MAX, set->formula.c);
        if (set->formula.count < 1)
            return WRONG(r, "coefficients: 1 to %d numbers are expected", POYI_COEFFICIENTS_MAX);
        set->coefficients = 1;
        next(r);
        return POY_OK;
    }
    return WRONG(r, "\"%.*s\" is not understood: an entry has type, data, wavelength_range, coefficients",
                 (int)length(r), r->line);
}

static poy_status read_data(reader *r)
{
    next(r);
    while (!r->done && *r->line == '-') {
        if (r->count == DATASETS_MAX)
            return WRONG(r, "more than %d entries of DATA", DATASETS_MAX);
        dataset *set = &r->sets[r->count++];
        set->line = r->number;
        const int dash = r->indent;
        do { /* "- key: value": the key stands where the dash left room for it */
            r->line++;
            r->indent++;
        } while (r->line < r->line_end && *r->line == ' ');
        const int indent = r->indent;
        while (!r->done && r->indent == indent)
            POYI_TRY(r->ctx, read_field(r, set));
        if (!r->done && r->indent > dash)
            return WRONG(r, "this line is indented by %d, its entry by %d", r->indent, indent);
    }
    return r->count ? POY_OK : WRONG(r, "DATA has no entry");
}

static poy_status read_file(reader *r)
{
    next(r);
    while (!r->done) {
        const char *value = NULL;
        if (r->indent != 0)
            return WRONG(r, "\"%.*s\": a key was expected at the margin", (int)length(r), r->line);
        if (split(r, "DATA", &value)) {
            POYI_TRY(r->ctx, read_data(r));
        } else if (split(r, "REFERENCES", &value)) {
            POYI_TRY(r->ctx, read_text(r, value, &r->reference));
        } else if (split(r, "COMMENTS", &value)) {
            POYI_TRY(r->ctx, read_text(r, value, &r->comment));
        } else { /* conditions, properties: not about the index */
            if (!memchr(r->line, ':', length(r)))
                return WRONG(r, "\"%.*s\" is not \"KEY: value\"", (int)length(r), r->line);
            for (next(r); !r->done && r->indent > 0; next(r))
                continue;
        }
    }
    return r->count ? POY_OK : WRONG(r, "there is no DATA");
}

/* ---- a material of it ---- */

static poy_status use_table(reader *r, const dataset *set, poy_material *m)
{
    void *block = NULL;
    size_t bytes = 0;
    if (!set->rows)
        return wrong(r, set->line, "the table has no rows");
    POYI_TRY(r->ctx, poyi_mul_size(r->ctx, set->rows * set->columns, sizeof(double), &bytes));
    POYI_TRY(r->ctx, poyi_alloc(r->ctx, "media.table", bytes, &block));
    const double *cells = set->cells;
    double *column = block;
    for (size_t i = 0; i < set->rows; i++)
        for (size_t j = 0; j < set->columns; j++)
            column[j * set->rows + i] = cells[i * set->columns + j];
    const double *second = column + set->rows, *third = second + set->rows;
    const int is_k = !strcmp(set->type, "tabulated k");
    poy_status status = poyi_material_set_table(r->ctx, m, POYI_TABLE_MONOTONE, set->rows, column, is_k ? NULL : second,
                                                set->columns == 3 ? third
                                                : is_k            ? second
                                                                  : NULL);
    poyi_free(&block);
    return status;
}

static poy_status use(reader *r, dataset *set, poy_material *m)
{
    const int is_formula = !strncmp(set->type, "formula ", 8), is_k = !strcmp(set->type, "tabulated k");
    if (!is_formula && strcmp(set->type, "tabulated nk") != 0 && strcmp(set->type, "tabulated n") != 0 && !is_k)
        return POYI_FAIL(r->ctx, POY_ERR_UNSUPPORTED,
                         "%s:%d: type \"%s\" is not supported: formula 1 to 9, tabulated nk, tabulated n, tabulated k",
                         r->name, set->line, set->type);
    if (is_k || !strcmp(set->type, "tabulated nk") ? m->k != NULL : 0)
        return wrong(r, set->line, "k is given twice");
    if (!is_k && (m->n || m->formula.number))
        return wrong(r, set->line, "n is given twice");
    if (!is_formula)
        return use_table(r, set, m);
    if (!set->has_range || !set->coefficients)
        return wrong(r, set->line, "a formula needs wavelength_range and coefficients");
    char *end = NULL;
    set->formula.number = (int)strtol(set->type + 8, &end, 10);
    if (*end)
        return wrong(r, set->line, "type \"%s\": a number from 1 to 9 is expected", set->type);
    char at[256];
    snprintf(at, sizeof at, "%s:%d", r->name, set->line);
    POYI_TRY(r->ctx, poyi_formula_check(r->ctx, at, &set->formula));
    return poyi_material_set_formula(r->ctx, m, &set->formula, set->range[0], set->range[1]);
}

static poy_status build(reader *r, poy_material **out)
{
    poy_status status;
    poy_material *m = NULL;
    POYI_TO_DONE(r->ctx, poyi_material_new(r->ctx, r->name, r->reference.text, r->comment.text, &m));
    for (int i = 0; i < r->count; i++)
        POYI_TO_DONE(r->ctx, use(r, &r->sets[i], m));
    if (!m->n && !m->formula.number) {
        status = wrong(r, r->sets[0].line, "there is k, but neither a formula nor a table of n");
        goto done;
    }
    if (!(m->last > m->first)) {
        status = wrong(r, r->sets[0].line, "n and k have no wavelengths in common");
        goto done;
    }
    *out = m;
    m = NULL;
done:
    poy_material_destroy(&m);
    return status;
}

poy_status poy_material_parse(poy_ctx *ctx, const char *name, const char *text, size_t bytes, poy_material **out)
{
    reader r = {.ctx = ctx, .name = name, .at = text, .end = text + bytes};
    poy_status status =
        memchr(text, '\0', bytes) ? POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: not a text file", name) : read_file(&r);
    if (status == POY_OK && (r.reference.failed || r.comment.failed))
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its texts", name);
    if (status == POY_OK)
        status = build(&r, out);
    for (int i = 0; i < r.count; i++)
        poyi_free(&r.sets[i].cells);
    poyi_text_fini(&r.reference);
    poyi_text_fini(&r.comment);
    return status;
}

poy_status poy_material_load(poy_ctx *ctx, const char *path, poy_material **out)
{
    poy_status status;
    void *text = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be opened: %s", path, strerror(errno));
    long bytes = -1;
    if (fseek(file, 0, SEEK_END) == 0)
        bytes = ftell(file);
    if (bytes < 0 || bytes > FILE_MAX_BYTES || fseek(file, 0, SEEK_SET) != 0) {
        status =
            POYI_FAIL(ctx, POY_ERR_IO, "%s: %ld bytes: a file of at most %d is expected", path, bytes, FILE_MAX_BYTES);
        goto done;
    }
    POYI_TO_DONE(ctx, poyi_alloc(ctx, "media.file", (size_t)bytes, &text));
    if (fread(text, 1, (size_t)bytes, file) != (size_t)bytes) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    const char *slash = strrchr(path, '/');
    POYI_TO_DONE(ctx, poy_material_parse(ctx, slash ? slash + 1 : path, text, (size_t)bytes, out));
done:
    poyi_free(&text);
    fclose(file);
    return status;
}
