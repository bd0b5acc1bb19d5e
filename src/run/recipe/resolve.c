/* resolve.c: the resolved recipe: every default filled in, written as TOML that reads back to itself. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/remedy.h"
#include "run/recipe/recipe.h"

/* ---- values from and to text ---- */

poyi_node *poyi_node_from_text(poyi_arena *arena, const char *text)
{
    poyi_toml_error error;
    poyi_node *root, *value;
    const char *document = poyi_arena_format(arena, "v = %s\n", text);
    if (document && poyi_toml_parse(arena, document, strlen(document), &root, &error) && root && root->count == 1)
        return root->first;
    value = poyi_node_create(arena, POYI_STRING, NULL);
    if (value) {
        value->text = poyi_arena_copy(arena, text, strlen(text));
        value->typed = value->text;
    }
    return value;
}

static void write_string(const char *text, poyi_text *out)
{
    poyi_text_add(out, "\"");
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            poyi_text_add(out, "\\%c", *c);
        else if (*c == '\n')
            poyi_text_add(out, "\\n");
        else if (*c == '\t')
            poyi_text_add(out, "\\t");
        else if (*c < 0x20 || *c == 0x7F)
            poyi_text_add(out, "\\u%04X", *c);
        else
            poyi_text_add(out, "%c", *c);
    }
    poyi_text_add(out, "\"");
}

static void write_key(const char *key, poyi_text *out)
{
    static const char bare[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    if (*key && strspn(key, bare) == strlen(key))
        poyi_text_add(out, "%s", key);
    else
        write_string(key, out);
}

void poyi_node_write(const poyi_node *node, poyi_text *out)
{
    int is_table = node->kind == POYI_TABLE;
    if (node->kind == POYI_STRING) {
        write_string(node->text, out);
    } else if (node->kind == POYI_BOOL) {
        poyi_text_add(out, node->integer ? "true" : "false");
    } else if (is_table || node->kind == POYI_ARRAY) {
        poyi_text_add(out, is_table ? "{" : "[");
        for (const poyi_node *child = node->first; child; child = child->next) {
            poyi_text_add(out, child == node->first ? (is_table ? " " : "") : ", ");
            if (is_table) {
                write_key(child->key, out);
                poyi_text_add(out, " = ");
            }
            poyi_node_write(child, out);
        }
        poyi_text_add(out, is_table ? (node->count ? " }" : "}") : "]");
    } else {
        poyi_text_add(out, "%s", node->typed);
    }
}

/* ---- filling in ---- */

void poyi_resolved_set(poy_recipe *r, const char *path, const char *toml)
{
    char part[128];
    poyi_node *node = r->resolved;
    for (const char *at = path; node;) {
        size_t n = strcspn(at, ".");
        snprintf(part, sizeof part, "%.*s", (int)n, at);
        poyi_node *child = poyi_node_find(node, part);
        if (!child && node->kind == POYI_TABLE) {
            child = poyi_node_create(&r->arena, POYI_TABLE, part);
            poyi_node_append(node, child);
        }
        node = child;
        if (!at[n])
            break;
        at += n + 1;
    }
    poyi_node *value = poyi_node_from_text(&r->arena, toml);
    if (!node || !value)
        return; /* memory ran out; the arena knows */
    value->key = node->key;
    poyi_node_replace(node, value);
}

/* The default of a row at one place, if nothing stands there and its table does. */
static void fill_at(poy_recipe *r, const poyi_key *key, const char *path, int table_needed)
{
    char table[256];
    const char *dot = strrchr(path, '.');
    snprintf(table, sizeof table, "%.*s", dot ? (int)(dot - path) : 0, path);
    if (table_needed && !poyi_node_find(r->resolved, table))
        return;
    if (!poyi_node_find(r->resolved, path))
        poyi_resolved_set(r, path, key->shown.value);
}

static void fill_row(poy_recipe *r, const poyi_key *key)
{
    char path[256];
    const char *pattern = key->shown.path, *n = strstr(pattern, ".N");
    if (!n) {
        fill_at(r, key, pattern, !strncmp(pattern, "gas.", 4) || !strncmp(pattern, "objective.", 10));
        return;
    }
    int is_name = !strncmp(n, ".NAME", 5);
    snprintf(path, sizeof path, "%.*s", (int)(n - pattern), pattern);
    const poyi_node *list = poyi_node_find(r->resolved, path);
    for (const poyi_node *child = list ? list->first : NULL; child; child = child->next) {
        if (is_name && (!child->key || strchr(child->key, '.')))
            continue;
        if (is_name)
            snprintf(path, sizeof path, "%.*s.%s%s", (int)(n - pattern), pattern, child->key, n + 5);
        else
            snprintf(path, sizeof path, "%.*s.%d%s", (int)(n - pattern), pattern, child->index, n + 2);
        fill_at(r, key, path, 1);
    }
}

static void fill_name(poy_recipe *r)
{
    char stem[256], quoted[300];
    const char *slash = strrchr(r->file, '/'), *name = slash ? slash + 1 : r->file;
    const char *dot = strrchr(name, '.');
    if (poyi_node_child(r->resolved, "name"))
        return;
    snprintf(stem, sizeof stem, "%.*s", dot && dot != name ? (int)(dot - name) : (int)strlen(name), name);
    snprintf(quoted, sizeof quoted, "\"%s\"", stem);
    poyi_resolved_set(r, "name", quoted);
}

/* ---- writing ---- */

/* The order of axes means something: they are written back in the order of the file. */
static void write_scan(const poy_recipe *r, poyi_text *out)
{
    static const char *const ways[] = {"grid", "zip", "list"};
    const poyi_node *scan = poyi_node_child(r->resolved, "scan"), *collected;
    if (!scan)
        return;
    poyi_text_add(out, "\n[scan]\n");
    for (int i = 0; i < 3; i++) {
        const poyi_node *way = poyi_node_child(scan, ways[i]);
        poyi_scan_leaves all = {.count = 0};
        if (!way)
            continue;
        poyi_scan_leaves_of(r, way, &all);
        for (int k = 0; k < all.count; k++) {
            poyi_text_add(out, "%s.%s = ", ways[i], all.list[k].path);
            poyi_node_write(all.list[k].node, out);
            poyi_text_add(out, "\n");
        }
    }
    collected = poyi_node_child(scan, "collect");
    if (collected) {
        poyi_text_add(out, "collect = ");
        poyi_node_write(collected, out);
        poyi_text_add(out, "\n");
    }
}

/* The keys of one table in the order of the schema; pattern is its path there ("pulse.N"). */
static void write_table(const poy_recipe *r, const char *pattern, const poyi_node *table, poyi_text *out)
{
    size_t n = strlen(pattern);
    char name[64], last[64] = "";
    for (int i = 0; poyi_schema_key(i); i++) {
        const poyi_key *key = poyi_schema_key(i);
        const char *path = key->shown.path;
        if (!(key->kinds & r->kind) || (n && (strncmp(path, pattern, n) != 0 || path[n] != '.')))
            continue;
        const char *rest = n ? path + n + 1 : path;
        if (!n && strchr(rest, '.'))
            continue;                                                       /* a section of its own */
        snprintf(name, sizeof name, "%.*s", (int)strcspn(rest, "."), rest); /* "phase" of "phase.gdd" */
        const poyi_node *value = poyi_node_child(table, name);
        if (!value || !strcmp(name, last))
            continue;
        snprintf(last, sizeof last, "%s", name);
        poyi_text_add(out, "%s = ", name);
        poyi_node_write(value, out);
        poyi_text_add(out, "\n");
    }
}

static void write_section(const poy_recipe *r, const char *section, poyi_text *out)
{
    char pattern[80];
    const poyi_node *node = poyi_node_child(r->resolved, section);
    if (!node)
        return;
    if (node->kind == POYI_ARRAY) {
        snprintf(pattern, sizeof pattern, "%s.N", section);
        for (const poyi_node *element = node->first; element; element = element->next) {
            poyi_text_add(out, "\n[[%s]]\n", section);
            write_table(r, pattern, element, out);
        }
    } else if (!strcmp(section, "materials")) {
        for (const poyi_node *material = node->first; material; material = material->next) {
            poyi_text_add(out, "\n[materials.");
            write_key(material->key, out);
            poyi_text_add(out, "]\n");
            write_table(r, "materials.NAME", material, out);
        }
    } else if (node->count) {
        poyi_text_add(out, "\n[%s]\n", section);
        write_table(r, section, node, out);
    }
}

/* The sections of the recipe's kind first, then those of every recipe. */
static void write_sections(const poy_recipe *r, unsigned kinds, poyi_text *out)
{
    char section[64], last[64] = "";
    for (int i = 0; poyi_schema_key(i); i++) {
        const poyi_key *key = poyi_schema_key(i);
        const char *dot = strchr(key->shown.path, '.');
        if (key->kinds != kinds || !dot)
            continue;
        snprintf(section, sizeof section, "%.*s", (int)(dot - key->shown.path), key->shown.path);
        if (!strcmp(section, last))
            continue;
        snprintf(last, sizeof last, "%s", section);
        if (strcmp(section, "scan") != 0)
            write_section(r, section, out);
        else
            write_scan(r, out);
    }
}

poy_status poyi_recipe_resolve(poy_ctx *ctx, poy_recipe *r)
{
    poyi_text out = {0};
    r->resolved = poyi_node_copy(&r->arena, r->root);
    if (!r->resolved)
        return POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory to resolve it", r->file);
    fill_name(r);
    for (int i = 0; poyi_schema_key(i); i++) {
        const poyi_key *key = poyi_schema_key(i);
        const char *value = key->shown.value;
        int types = key->types == POYI_TYPE_ANY || (key->types & r->type);
        if ((key->kinds & r->kind) && types && *value && strcmp(value, "=") != 0)
            fill_row(r, key);
    }
    if (r->kind == POYI_KIND_PULSE)
        poyi_resolve_pulse(ctx, r);
    else if (r->kind == POYI_KIND_SCATTER)
        poyi_resolve_scatter(r);
    write_table(r, "", r->resolved, &out);
    write_sections(r, r->kind, &out);
    write_sections(r, POYI_KIND_BOTH, &out);
    if (out.text)
        r->resolved_text = poyi_arena_copy(&r->arena, out.text, out.length);
    r->name = poyi_recipe_word(r, "name", "run");
    if (out.failed)
        r->arena.failed = 1;
    poyi_text_fini(&out);
    poy_ctx_clear(ctx);
    return POY_OK;
}

/* ---- reading ---- */

const poyi_node *poyi_recipe_at(const poy_recipe *r, const char *path)
{
    return r->resolved ? poyi_node_find(r->resolved, path) : NULL;
}

double poyi_node_quantity(poy_ctx *ctx, const poyi_node *node, poy_dimension dimension)
{
    poy_quantity q;
    if (!node || node->kind != POYI_STRING || poy_quantity_parse_as(ctx, node->text, dimension, &q) != POY_OK)
        return (double)NAN;
    return q.value;
}

double poyi_recipe_quantity(poy_ctx *ctx, const poy_recipe *r, const char *path, poy_dimension d, double missing)
{
    double value = poyi_node_quantity(ctx, poyi_recipe_at(r, path), d);
    return isnan(value) ? missing : value;
}

double poyi_recipe_number(const poy_recipe *r, const char *path, double missing)
{
    const poyi_node *node = poyi_recipe_at(r, path);
    return node && poyi_node_is_number(node) ? node->real : missing;
}

int64_t poyi_recipe_integer(const poy_recipe *r, const char *path, int64_t missing)
{
    const poyi_node *node = poyi_recipe_at(r, path);
    return node && node->kind == POYI_INTEGER ? node->integer : missing;
}

int poyi_recipe_bool(const poy_recipe *r, const char *path, int missing)
{
    const poyi_node *node = poyi_recipe_at(r, path);
    return node && node->kind == POYI_BOOL ? node->integer != 0 : missing;
}

const char *poyi_recipe_word(const poy_recipe *r, const char *path, const char *missing)
{
    const poyi_node *node = poyi_recipe_at(r, path);
    return node && node->kind == POYI_STRING ? node->text : missing;
}

poy_status poy_recipe_get(poy_ctx *ctx, poy_recipe *r, const char *key, const char **out)
{
    poyi_text text = {0};
    char advice[64];
    *out = NULL;
    if (!r->resolved)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: not checked yet, or it has faults: check it first", r->file);
    const poyi_node *node = poyi_node_find(r->resolved, key);
    if (!node)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s has no value: %s", r->file, key,
                         poyi_remedy(ctx, POYI_REMEDY_KEYS, NULL, sizeof advice, advice));
    poyi_node_write(node, &text);
    *out = text.failed ? NULL : poyi_arena_copy(&r->arena, text.text, text.length);
    poyi_text_fini(&text);
    return *out ? POY_OK : POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for %s", r->file, key);
}
