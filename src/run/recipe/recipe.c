/* recipe.c: a recipe: reading it, overriding values, collecting its faults, handing it out. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/recipe/material.h"

/* ---- faults ---- */

static const char origin_override[] = "override";

static poy_fault *add_fault(poy_recipe *r, poyi_faults *faults)
{
    if (faults->count == faults->capacity) {
        int capacity = faults->capacity ? 2 * faults->capacity : 16;
        poy_fault *list = realloc(faults->list, (size_t)capacity * sizeof *list);
        if (!list) {
            r->arena.failed = 1;
            return NULL;
        }
        faults->list = list;
        faults->capacity = capacity;
    }
    poy_fault *fault = &faults->list[faults->count++];
    *fault = (poy_fault){.file = r->file, .key = "", .code = "", .problem = "", .hint = ""};
    return fault;
}

/* text: "problem\nhint" */
static void fill_fault(poy_recipe *r, poy_fault *f, const poyi_node *at, const char *key, const char *code,
                       const char *text)
{
    char path[256];
    const char *split = strchr(text, '\n');
    if (!key) {
        poyi_node_path(at, sizeof path, path);
        key = path;
    }
    f->line = at ? at->line : 0;
    f->column = at ? at->column : 0;
    f->file = at && at->line == 0 ? origin_override : r->file;
    f->code = code;
    const char *kept = poyi_arena_copy(&r->arena, key, strlen(key));
    const char *problem = poyi_arena_copy(&r->arena, text, split ? (size_t)(split - text) : strlen(text));
    const char *hint = poyi_arena_copy(&r->arena, split ? split + 1 : "", split ? strlen(split + 1) : 0);
    f->key = kept ? kept : "";
    f->problem = problem ? problem : "";
    f->hint = hint ? hint : "";
}

/* What another value's line is where -s gave that value: messages say "(line N)". */
static void name_overrides(size_t size, char *text)
{
    static const char line[] = "(line 0)", set[] = "(an override)";
    char rest[1024];
    for (char *at = strstr(text, line); at; at = strstr(at, line)) {
        snprintf(rest, sizeof rest, "%s", at + strlen(line));
        snprintf(at, size - (size_t)(at - text), "%s%s", set, rest);
    }
}

static void report(poy_recipe *r, int warning, const poyi_node *at, const char *key, const char *code,
                   const char *format, va_list args)
{
    char text[1024];
    vsnprintf(text, sizeof text, format, args);
    name_overrides(sizeof text, text);
    poy_fault *f = add_fault(r, &r->faults);
    if (!f)
        return;
    fill_fault(r, f, at, key, code, text);
    f->warning = warning;
}

void poyi_fault(poy_recipe *r, const poyi_node *at, const char *key, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, 0, at, key, code, format, args);
    va_end(args);
}

void poyi_warning(poy_recipe *r, const poyi_node *at, const char *key, const char *code, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    report(r, 1, at, key, code, format, args);
    va_end(args);
}

void poyi_fault_in(poy_recipe *r, const char *file, int line, const char *key, const char *code, const char *format,
                   ...)
{
    poyi_node at = {.line = line};
    va_list args;
    va_start(args, format);
    report(r, 0, &at, key ? key : "", code, format, args);
    va_end(args);
    if (r->faults.count && !r->arena.failed)
        r->faults.list[r->faults.count - 1].file = file;
}

/* Is there a fault that is no warning? */
static int fault_any(const poy_recipe *r)
{
    for (int i = 0; i < r->faults.count; i++)
        if (!r->faults.list[i].warning)
            return 1;
    return 0;
}

/* A cause without the "KEY: " before it, where that is the fault's own: it says it already. A diameter is a radius inside. */
static const char *without_key(const char *cause, const char *key)
{
    const char *inside = !strcmp(key, "geometry.core_diameter") ? "geometry.core_radius" : key;
    const size_t n = strlen(inside);
    return n && !strncmp(cause, inside, n) && !strncmp(cause + n, ": ", 2) ? cause + n + 2 : cause;
}

void poyi_fault_from_text(poy_recipe *r, const poyi_node *at, const char *key, const char *code, const char *cause)
{
    char text[512], path[256] = "";
    if (!key && at)
        poyi_node_path(at, sizeof path, path);
    snprintf(text, sizeof text, "%s", without_key(cause, key ? key : path));
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '\r')
            *c = ' ';
    char *hint = NULL; /* behind the last ": " */
    for (char *c = strstr(text, ": "); c; c = strstr(c + 1, ": "))
        hint = c;
    if (hint)
        *hint = '\0';
    poyi_fault(r, at, key, code, "%s\n%s", text, hint ? hint + 2 : "change it");
}

void poyi_fault_from_ctx(poy_ctx *ctx, poy_recipe *r, const poyi_node *at, const char *key, const char *code)
{
    poyi_fault_from_text(r, at, key, code, poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
}

static int by_line(const void *a, const void *b)
{
    const poy_fault *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    if (x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return strcmp(x->key, y->key);
}

int poy_recipe_fault_count(const poy_recipe *r)
{
    return r->faults.count;
}

const poy_fault *poy_recipe_fault(const poy_recipe *r, int i)
{
    return i >= 0 && i < r->faults.count ? &r->faults.list[i] : NULL;
}

void poy_fault_format(const poy_fault *f, size_t size, char *out)
{
    char place[300], line[24] = "";
    if (f->line)
        snprintf(line, sizeof line, ":%d", f->line);
    snprintf(place, sizeof place, "%.250s%s", f->file, line);
    snprintf(out, size, "%s: %s%s%s%s%s%s", place, f->warning ? "warning: " : "", f->key, f->key[0] ? ": " : "",
             f->problem, f->hint[0] ? ": " : "", f->hint);
}

/* ---- reading ---- */

/* Blanks out lines first to last of a text. */
static void blank_lines(char *text, int first, int last)
{
    int line = 1;
    for (char *c = text; *c; c++) {
        if (*c == '\n')
            line++;
        else if (line >= first && line <= last)
            *c = ' ';
    }
}

static void syntax_fault(poy_recipe *r, const poyi_toml_error *e)
{
    poyi_node at = {.line = e->line, .column = e->column};
    char text[512];
    poy_fault *f = add_fault(r, &r->syntax);
    if (!f)
        return;
    if (e->first_line)
        snprintf(text, sizeof text, "already set at line %d\nkeep one", e->first_line);
    else
        snprintf(text, sizeof text, "not TOML (%s)\nsee toml.io; texts and quantities stand in quotes", e->text);
    fill_fault(r, f, &at, e->first_line ? e->key : "toml", "E_SYNTAX", text);
}

enum { DUPLICATES_MAX = 50 }; /* each of them takes a reading of the whole text */

/* A key set twice is one fault of many: its second place is left out and reading goes on. */
static void read_tree(poy_recipe *r, size_t length)
{
    poyi_toml_error error;
    char *text = poyi_arena_copy(&r->arena, r->text, length);
    if (!text)
        return;
    while (!poyi_toml_parse(&r->arena, text, length, &r->root, &error)) {
        if (r->arena.failed)
            return;
        syntax_fault(r, &error);
        if (!error.first_line || r->syntax.count == DUPLICATES_MAX)
            return;
        blank_lines(text, error.line, error.last_line);
    }
}

static poy_status create(poy_ctx *ctx, const char *text, size_t length, const char *file, poy_recipe **out)
{
    poy_recipe *r = calloc(1, sizeof *r);
    *out = NULL;
    if (!r)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a recipe");
    r->text = poyi_arena_copy(&r->arena, text, length);
    r->file = poyi_arena_copy(&r->arena, file, strlen(file));
    if (r->text && r->file)
        read_tree(r, length);
    if (r->arena.failed) {
        poy_recipe_destroy(&r);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to read it", file);
    }
    *out = r;
    return POY_OK;
}

poy_status poy_recipe_parse(poy_ctx *ctx, const char *text, const char *file, poy_recipe **out)
{
    POYI_TRY(ctx, create(ctx, text, strlen(text), file, out));
    return POY_OK;
}

static const long LONGEST_RECIPE = 1L << 24; /* bytes: anything larger is no recipe */

poy_status poy_recipe_load(poy_ctx *ctx, const char *path, poy_recipe **out)
{
    poy_status status = POY_OK;
    char *text = NULL;
    *out = NULL;
    FILE *file = fopen(path, "rb");
    if (!file)
        return POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
    text = malloc((size_t)LONGEST_RECIPE + 1);
    if (!text) {
        status = POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to read it", path);
        goto done;
    }
    size_t length = fread(text, 1, (size_t)LONGEST_RECIPE + 1, file);
    if (ferror(file)) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: cannot be read: %s", path, strerror(errno));
        goto done;
    }
    if (length > (size_t)LONGEST_RECIPE) {
        status = POYI_FAIL(ctx, POY_ERR_IO, "%s: longer than 16 MiB: this is no recipe", path);
        goto done;
    }
    status = create(ctx, text, length, path, out);
done:
    free(text);
    fclose(file);
    return status;
}

poy_status poyi_recipe_copy(poy_ctx *ctx, const poy_recipe *r, poy_recipe **out)
{
    poy_recipe *copy = calloc(1, sizeof *copy);
    *out = NULL;
    if (!copy)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory for a recipe");
    copy->text = r->text;
    copy->file = r->file;
    copy->overrides = r->overrides;
    copy->n_set = r->n_set;
    copy->root = r->root ? poyi_node_copy(&copy->arena, r->root) : NULL;
    if (copy->arena.failed || !copy->root) {
        poy_recipe_destroy(&copy);
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for a copy", r->file);
    }
    *out = copy;
    return POY_OK;
}

void poy_recipe_destroy(poy_recipe **recipe)
{
    poy_recipe *r = *recipe;
    if (!r)
        return;
    free(r->faults.list);
    free(r->syntax.list);
    poyi_arena_fini(&r->arena);
    free(r);
    *recipe = NULL;
}

const char *poy_recipe_text(const poy_recipe *r)
{
    return r->text;
}

const char *poy_recipe_name(const poy_recipe *r)
{
    return r->name;
}

const char *poy_recipe_resolved(const poy_recipe *r)
{
    return r->resolved_text;
}

/* ---- overriding ---- */

static void mark_override(poyi_node *node)
{
    node->line = node->column = 0;
    for (poyi_node *child = node->first; child; child = child->next)
        mark_override(child);
}

static int is_index(const char *part)
{
    return strspn(part, "0123456789") == strcspn(part, ".") && *part;
}

/* The child of node named part, made if it is not there; next: what is to follow. NULL where none can be. Below [scan] the
 * numbers of "pulse.0.energy" are names, as TOML reads dotted keys: there are no lists. */
static poyi_node *descend(poy_recipe *r, poyi_node *node, const char *part, const char *next, int in_scan)
{
    poyi_node *child = poyi_node_find(node, part);
    poyi_node_kind kind = is_index(next) && !in_scan ? POYI_ARRAY : POYI_TABLE;
    if (child)
        return child;
    if (node->kind == POYI_TABLE && (in_scan || !is_index(part)))
        child = poyi_node_create(&r->arena, kind, part);
    else if (node->kind == POYI_ARRAY && is_index(part) && strtol(part, NULL, 10) == node->count)
        child = poyi_node_create(&r->arena, kind, NULL);
    poyi_node_append(node, child);
    return child;
}

poy_status poy_recipe_set(poy_ctx *ctx, poy_recipe *r, const char *key, const char *value)
{
    char part[128];
    const char *at = key;
    poyi_node *node = r->root;
    r->resolved = NULL;
    r->resolved_text = r->name = NULL;
    if (!node)
        return POY_OK; /* the text has faults that the check will tell */
    for (;;) {
        size_t n = strcspn(at, ".");
        if (!n || n >= sizeof part)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "override %s: not a key: write section.key=value", key);
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        at += n + (at[n] == '.');
        poyi_node *child = descend(r, node, part, at, !strncmp(key, "scan.", 5));
        if (!child)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "override %s: the recipe has no place for '%s': %s", key, part,
                             node->kind != POYI_ARRAY ? "check the path"
                             : is_index(part)         ? "the list is shorter"
                                                      : "it is a list: write a number first, pulse.0.energy");
        node = child;
        if (!*at)
            break;
    }
    poyi_node *set = poyi_node_from_text(&r->arena, value);
    if (!set)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "override %s: no memory", key);
    set->key = node->key;
    mark_override(set);
    set->order = ++r->n_set;
    poyi_node_replace(node, set);
    if (strncmp(key, "run.", 4) != 0) /* how it is run does not change what it gives */
        r->overrides = poyi_arena_format(&r->arena, "%s%s = %s\n", r->overrides ? r->overrides : "", key, value);
    return POY_OK;
}

/* ---- checking ---- */

poy_status poyi_recipe_faulty(poy_ctx *ctx, const poy_recipe *r)
{
    char first[700];
    for (int i = 0; i < r->faults.count; i++)
        if (!r->faults.list[i].warning) {
            poy_fault_format(&r->faults.list[i], sizeof first, first);
            return POYI_FAIL(ctx, POY_ERR_RECIPE, "%s", first);
        }
    return POY_OK;
}

poy_status poy_recipe_check(poy_ctx *ctx, poy_recipe *r)
{
    r->faults.count = 0;
    r->resolved = NULL;
    r->resolved_text = r->name = NULL;
    for (int i = 0; i < r->syntax.count; i++) {
        poy_fault *f = add_fault(r, &r->faults);
        if (f)
            *f = r->syntax.list[i];
    }
    if (r->root) {
        poyi_check_structure(ctx, r);
        poyi_check_own_materials(ctx, r);
        if (r->kind == POYI_KIND_PULSE)
            poyi_check_pulse(ctx, r);
        if (r->kind == POYI_KIND_SCATTER)
            poyi_check_scatter(ctx, r);
        poyi_check_scan(ctx, r);
        poyi_check_built(r);
        if (r->kind == POYI_KIND_SCATTER && fault_any(r))
            poyi_scatter_tell_overlaps(ctx, r);
    }
    poy_ctx_clear(ctx);
    if (r->faults.count)
        qsort(r->faults.list, (size_t)r->faults.count, sizeof r->faults.list[0], by_line);
    if (!fault_any(r))
        POYI_TRY(ctx, poyi_recipe_resolve(ctx, r));
    if (r->arena.failed)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to check it", r->file);
    return poyi_recipe_faulty(ctx, r);
}
