/* options.c: "axis=0;keep=yes" by a record's table: parsed values, and the canonical text. */
#define _POSIX_C_SOURCE 200809L /* strdup */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

/* A part of a text. */
typedef struct span {
    const char *at;
    size_t n;
} span;

static span trimmed(const char *at, size_t n)
{
    while (n && (*at == ' ' || *at == '\t' || *at == '\n'))
        at++, n--;
    while (n && (at[n - 1] == ' ' || at[n - 1] == '\t' || at[n - 1] == '\n'))
        n--;
    return (span){at, n};
}

static int is(span s, const char *word)
{
    return strlen(word) == s.n && !strncmp(word, s.at, s.n);
}

static poy_status fail_name(poy_ctx *ctx, const char *who, const poy_rec_option *table, int n, span name)
{
    poyi_text names = {0};
    for (int i = 0; i < n; i++)
        poyi_text_add(&names, "%s%s", i ? ", " : "", table[i].name);
    poy_status status = POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s has no option '%.*s'; %s%s", who, (int)name.n, name.at,
                                  n ? "there are: " : "it has none", names.text ? names.text : "");
    poyi_text_fini(&names);
    return status;
}

/* "name=value" into its place. */
static poy_status read_part(poy_ctx *ctx, const char *who, const poy_rec_option *table, int n, span part, span *found)
{
    const char *equals = memchr(part.at, '=', part.n);
    if (!equals)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: option '%.*s' needs a value: name=value", who, (int)part.n,
                         part.at);
    const span name = trimmed(part.at, (size_t)(equals - part.at));
    int k = 0;
    while (k < n && !is(name, table[k].name))
        k++;
    if (k == n)
        return fail_name(ctx, who, table, n, name);
    if (found[k].at)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: option '%s' stands twice", who, table[k].name);
    found[k] = trimmed(equals + 1, part.n - (size_t)(equals + 1 - part.at));
    return POY_OK;
}

static poy_status split(poy_ctx *ctx, const char *who, const poy_rec_option *table, int n, const char *text,
                        span *found)
{
    while (*text) {
        const size_t length = strcspn(text, ";");
        const span part = trimmed(text, length);
        if (part.n)
            POYI_TRY(ctx, read_part(ctx, who, table, n, part, found));
        text += length + (text[length] == ';');
    }
    return POY_OK;
}

static poy_status read_word(poy_ctx *ctx, const char *who, const poy_rec_option *o, const char *text, poy_rec_value *v)
{
    const char *at = o->words;
    for (int k = 0;; k++) {
        const size_t length = strcspn(at, "|");
        if (strlen(text) == length && !strncmp(text, at, length)) {
            v->integer = k;
            return POY_OK;
        }
        if (!at[length])
            break;
        at += length + 1;
    }
    return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s is '%s', needs to be one of %s", who, o->name, text, o->words);
}

/* The value of one option, and its canonical text at the end of canonical. */
static poy_status read_value(poy_ctx *ctx, const char *who, const poy_rec_option *o, const char *text, poy_rec_value *v,
                             poyi_text *canonical)
{
    char number[64], *end;
    poy_quantity q;

    *v = (poy_rec_value){0};
    poyi_text_add(canonical, "%s%s=", canonical->length ? ";" : "", o->name);
    switch (o->kind) {
    case POY_REC_WORD: POYI_TRY(ctx, read_word(ctx, who, o, text, v)); break;
    case POY_REC_INTEGER:
        errno = 0;
        v->integer = strtoll(text, &end, 10);
        if (end == text || *end || errno)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s is '%s', needs to be an integer", who, o->name, text);
        poyi_text_add(canonical, "%lld", (long long)v->integer);
        return POY_OK;
    case POY_REC_REAL:
        if (poy_quantity_parse_as(ctx, text, POY_DIM_NONE, &q) != POY_OK)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s is '%s', needs to be a number", who, o->name, text);
        v->real = q.value;
        poy_quantity_format(v->real, POY_DIM_NONE, 0, sizeof number, number);
        poyi_text_add(canonical, "%s", number);
        return POY_OK;
    case POY_REC_TEXT: break;
    }
    poyi_text_add(canonical, "%s", text);
    return POY_OK;
}

/* Where each value's text begins in canonical, now that it does not move any more; the ends become NUL in a copy. */
static void point_values(char *block, int n, poy_rec_value *values)
{
    for (int i = 0; i < n; i++) {
        char *end = block + strcspn(block, ";");
        char *next = *end ? end + 1 : end;
        *end = '\0';
        values[i].text = block + strcspn(block, "=") + 1;
        block = next;
    }
}

static poy_status read_values(poy_ctx *ctx, const char *who, const poy_rec_option *table, int n, const span *found,
                              poy_rec_value *values, poyi_text *canonical)
{
    for (int i = 0; i < n; i++) {
        poyi_text text = {0};
        if (!found[i].at && !table[i].fallback)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: option '%s' has to be given: %s", who, table[i].name,
                             table[i].text ? table[i].text : "");
        if (found[i].at)
            poyi_text_add(&text, "%.*s", (int)found[i].n, found[i].at);
        else
            poyi_text_add(&text, "%s", table[i].fallback);
        poy_status status = text.failed ? POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its options", who)
                                        : read_value(ctx, who, &table[i], text.text, &values[i], canonical);
        poyi_text_fini(&text);
        POYI_TRY(ctx, status);
    }
    return POY_OK;
}

poy_status poyi_options_parse(poy_ctx *ctx, const char *who, const poy_rec_option *table, int n, const char *text,
                              poy_rec_value *values, char **block, char **canonical)
{
    span found[POYI_OPTIONS_MAX] = {{0}};
    poyi_text whole = {0};

    *block = *canonical = NULL;
    poyi_text_add(&whole, "%s", "");
    poy_status status = split(ctx, who, table, n, text ? text : "", found);
    if (status == POY_OK)
        status = read_values(ctx, who, table, n, found, values, &whole);
    if (status == POY_OK) {
        *block = whole.failed ? NULL : strdup(whole.text);
        if (!*block)
            status = POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its options", who);
    }
    if (status != POY_OK) {
        poyi_text_fini(&whole);
        return status;
    }
    point_values(*block, n, values);
    *canonical = whole.text;
    return POY_OK;
}
