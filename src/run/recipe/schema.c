/* schema.c: the rows of recipe.def as tables, and finding a row by a path. */
#include <stdio.h>
#include <string.h>

#include "run/recipe/recipe.h"

#define ANY POYI_TYPE_ANY
#define FIBRE POYI_TYPE_FIBRE
#define CAPILLARY POYI_TYPE_CAPILLARY
#define ANTIRESONANT POYI_TYPE_ANTIRESONANT
#define CORE POYI_TYPE_CORE
#define HOLLOW POYI_TYPE_HOLLOW
#define GUIDE POYI_TYPE_GUIDE
#define STEP_INDEX POYI_TYPE_STEP_INDEX
#define RECTANGULAR POYI_TYPE_RECTANGULAR
#define TABULATED POYI_TYPE_TABULATED
#define WALLED POYI_TYPE_WALLED
#define FREE POYI_TYPE_FREE

/* Each table is one reading of the rows, with the other kinds of row left out. */
#define POY_ONE(table, keys, types, need, example)
#define POY_WITH(path, other, text)
#define POY_HINT(path, hint)
#define POY_KEY(path, form, dim, range, words, types_, need, value, good, bad, code, text) \
    {{path, "", "", "", "", range, words, need, value, good, bad, code, text},             \
     POYI_FORM_##form,                                                                     \
     POY_DIM_##dim,                                                                        \
     POYI_ROW_KINDS,                                                                       \
     types_},
static const poyi_key rows[] = {
#include "run/recipe/recipe.def"
};
#undef POY_KEY
#define POY_KEY(path, form, dimension, range, words, types, need, value, good, bad, code, text)
#undef POY_ONE
#define POY_ONE(table, keys, types, need, example) {table, keys, POYI_ROW_KINDS, types, need, example},
static const poyi_one ones[] = {
#include "run/recipe/recipe.def"
};
#undef POY_ONE
#define POY_ONE(table, keys, types, need, example)
#undef POY_WITH
#define POY_WITH(path, other, text) {path, other, text, POYI_ROW_KINDS},
static const poyi_with withs[] = {
#include "run/recipe/recipe.def"
};
#undef POY_WITH
#define POY_WITH(path, other, text)
#undef POY_HINT
#define POY_HINT(path, hint) {path, hint, POYI_ROW_KINDS},
static const struct {
    const char *path, *hint;
    unsigned kinds;
} hints[] = {
#include "run/recipe/recipe.def"
};

enum {
    ROWS = sizeof rows / sizeof rows[0],
    ONES = sizeof ones / sizeof ones[0],
    WITHS = sizeof withs / sizeof withs[0],
    HINTS = sizeof hints / sizeof hints[0]
};

const poyi_key *poyi_schema_key(int i)
{
    return i >= 0 && i < ROWS ? &rows[i] : NULL;
}

const poyi_one *poyi_schema_one(int i)
{
    return i >= 0 && i < ONES ? &ones[i] : NULL;
}

const poyi_with *poyi_schema_with(int i)
{
    return i >= 0 && i < WITHS ? &withs[i] : NULL;
}

/* ---- paths ---- */

static int part_matches(const char *pattern, size_t p, const char *path, size_t n)
{
    if (p == 4 && !strncmp(pattern, "NAME", 4))
        return n > 0;
    if (p == 1 && *pattern == 'N')
        return n > 0 && strspn(path, "0123456789") >= n;
    return p == n && !strncmp(pattern, path, n);
}

/* 1: pattern describes path; 2: path is a beginning of it; 0: neither. */
static int match(const char *pattern, const char *path)
{
    for (;;) {
        size_t p = strcspn(pattern, "."), n = strcspn(path, ".");
        if (!part_matches(pattern, p, path, n))
            return 0;
        pattern += p;
        path += n;
        if (!*path)
            return *pattern ? 2 : 1;
        if (!*pattern)
            return 0;
        pattern++;
        path++;
    }
}

int poyi_schema_matches(const char *pattern, const char *path)
{
    return match(pattern, path) == 1;
}

const poyi_key *poyi_schema_find(const char *path, unsigned kinds)
{
    for (int i = 0; i < ROWS; i++)
        if ((rows[i].kinds & kinds) && match(rows[i].shown.path, path) == 1)
            return &rows[i];
    return NULL;
}

int poyi_schema_is_section(const char *path, unsigned kinds)
{
    for (int i = 0; i < ROWS; i++)
        if ((rows[i].kinds & kinds) && match(rows[i].shown.path, path) == 2)
            return 1;
    return 0;
}

/* ---- advice about unknown keys ---- */

static const char *leaf(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot ? dot + 1 : path;
}

/* Does the row lie in the same table as path? */
static int is_sibling(const poyi_key *row, const char *path)
{
    const char *row_leaf = leaf(row->shown.path), *path_leaf = leaf(path);
    size_t p = (size_t)(row_leaf - row->shown.path), n = (size_t)(path_leaf - path);
    char pattern[96], table[256];
    if (!p || !n)
        return p == n;
    if (p >= sizeof pattern || n >= sizeof table)
        return 0;
    snprintf(pattern, sizeof pattern, "%.*s", (int)p - 1, row->shown.path);
    snprintf(table, sizeof table, "%.*s", (int)n - 1, path);
    return match(pattern, table) == 1;
}

/* The first part of a row's path, for keys at the top ("geometry"). */
static void top(const poyi_key *row, size_t size, char *out)
{
    snprintf(out, size, "%.*s", (int)strcspn(row->shown.path, "."), row->shown.path);
}

typedef struct search {
    const char *path;
    unsigned kinds, types;
    int distance; /* of the best so far */
    char best[96];
} search;

static int slips_allowed(const char *word)
{
    size_t n = strlen(word);
    return n < 4 ? 1 : n < 8 ? 2 : 3;
}

static void consider(search *s, const char *name, const char *full)
{
    int distance = poy_text_distance(name, leaf(s->path));
    if (distance < s->distance) {
        s->distance = distance;
        snprintf(s->best, sizeof s->best, "%s", full);
    }
}

static void nearest_sibling(search *s)
{
    char section[96];
    s->distance = slips_allowed(leaf(s->path)) + 1;
    for (int i = 0; i < ROWS; i++) {
        if (!(rows[i].kinds & s->kinds) || !(rows[i].types & s->types))
            continue;
        if (is_sibling(&rows[i], s->path))
            consider(s, leaf(rows[i].shown.path), leaf(rows[i].shown.path));
        if (!strchr(s->path, '.')) {
            top(&rows[i], sizeof section, section);
            consider(s, section, section);
        }
    }
}

static void same_name_elsewhere(search *s)
{
    for (int i = 0; i < ROWS && !s->best[0]; i++)
        if ((rows[i].kinds & s->kinds) && (rows[i].types & s->types) &&
            !strcmp(leaf(rows[i].shown.path), leaf(s->path)))
            snprintf(s->best, sizeof s->best, "%s", rows[i].shown.path);
}

static void list_siblings(const search *s, size_t size, char *out)
{
    enum { SHOWN = 12 };
    size_t used = (size_t)snprintf(out, size, "known here:");
    int n = 0;
    for (int i = 0; i < ROWS && used < size; i++) {
        if (!(rows[i].kinds & s->kinds) || !(rows[i].types & s->types) || !is_sibling(&rows[i], s->path))
            continue;
        if (n == SHOWN) {
            snprintf(out + used, size - used, ", ...");
            return;
        }
        used += (size_t)snprintf(out + used, size - used, "%s %s", n ? "," : "", leaf(rows[i].shown.path));
        n++;
    }
    if (!n)
        snprintf(out, size, "remove it");
}

void poyi_schema_advise(const char *path, unsigned kinds, unsigned types, size_t size, char *advice)
{
    search s = {.path = path, .kinds = kinds, .types = types};
    for (int i = 0; i < HINTS; i++)
        if ((hints[i].kinds & kinds) && match(hints[i].path, path) == 1) {
            snprintf(advice, size, "%s", hints[i].hint);
            return;
        }
    nearest_sibling(&s);
    if (!s.best[0])
        same_name_elsewhere(&s);
    if (s.best[0])
        snprintf(advice, size, "did you mean %s?", s.best);
    else
        list_siblings(&s, size, advice);
}

/* ---- the public view ---- */

static const char *const type_words[] = {"fibre",     "capillary", "antiresonant", "step_index", "rectangular",
                                         "tabulated", "radial",    "cartesian",    "line",       "slab"};

unsigned poyi_schema_type(const char *word)
{
    for (unsigned i = 0; i < sizeof type_words / sizeof type_words[0]; i++)
        if (!strcmp(type_words[i], word))
            return 1u << i;
    return 0;
}

const char *poyi_schema_types(unsigned types)
{
    /* Every set of types that a row of recipe.def names. */
    static const struct {
        unsigned types;
        const char *text;
    } sets[] = {
        {POYI_TYPE_ANY, ""},
        {POYI_TYPE_FIBRE, "fibre"},
        {POYI_TYPE_FIBRE | POYI_TYPE_STEP_INDEX, "fibre step_index"},
        {POYI_TYPE_ANTIRESONANT, "antiresonant"},
        {POYI_TYPE_STEP_INDEX, "step_index"},
        {POYI_TYPE_RECTANGULAR, "rectangular"},
        {POYI_TYPE_TABULATED, "tabulated"},
        {POYI_TYPE_WALLED, "capillary antiresonant rectangular"},
        {POYI_TYPE_CAPILLARY | POYI_TYPE_ANTIRESONANT, "capillary antiresonant"},
        {POYI_TYPE_CORE, "capillary antiresonant step_index"},
        {POYI_TYPE_HOLLOW, "capillary antiresonant rectangular tabulated"},
        {POYI_TYPE_GUIDE, "capillary antiresonant step_index rectangular tabulated"},
        {POYI_TYPE_HOLLOW | POYI_TYPE_FREE, "capillary antiresonant rectangular tabulated radial cartesian line slab"},
    };
    for (unsigned i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (sets[i].types == types)
            return sets[i].text;
    return "?";
}

static const char *kinds_name(unsigned kinds)
{
    return kinds == POYI_KIND_BOTH ? "" : kinds == POYI_KIND_PULSE ? "pulse" : "scatter";
}

int poy_recipe_key_at(int i, poy_recipe_key *out)
{
    const poyi_key *row = poyi_schema_key(i);
    if (!row)
        return 0;
    *out = row->shown;
    out->kind = kinds_name(row->kinds);
    out->types = poyi_schema_types(row->types);
    out->form = poyi_form_says(row->form);
    out->dimension = row->dimension == POY_DIM_NONE ? "" : poy_dimension_name(row->dimension);
    return 1;
}
