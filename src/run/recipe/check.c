/* check.c: a recipe against the schema: unknown keys, values of the wrong form, what is missing, what excludes
 * what. */
#include <stdio.h>
#include <string.h>

#include "run/recipe/recipe.h"

static const char *table_of(const char *path, size_t size, char *out)
{
    const char *dot = strrchr(path, '.');
    snprintf(out, size, "%.*s", dot ? (int)(dot - path) : 0, path);
    return dot ? dot + 1 : path;
}

/* ---- what kind of recipe it is ---- */

static void find_kind(poy_recipe *r)
{
    const poyi_node *kind = poyi_node_child(r->root, "kind"), *type = poyi_node_find(r->root, "geometry.type");
    r->kind = 0;
    r->type = 0;
    if (kind && kind->kind == POYI_STRING)
        r->kind = !strcmp(kind->text, "pulse")     ? POYI_KIND_PULSE
                  : !strcmp(kind->text, "scatter") ? POYI_KIND_SCATTER
                                                   : 0;
    if (type && type->kind == POYI_STRING)
        r->type = poyi_schema_type(type->text);
}

/* Where the kind or the type is unknown, nothing is said about what belongs to it. */
static unsigned kinds_of(const poy_recipe *r)
{
    return r->kind ? r->kind : POYI_KIND_BOTH;
}

static unsigned types_of(const poy_recipe *r)
{
    return r->type ? r->type : POYI_TYPE_ANY;
}

/* ---- keys ---- */

static void unknown_key(poy_recipe *r, const poyi_node *node, const char *path)
{
    char advice[400];
    const poyi_key *other = poyi_schema_find(path, POYI_KIND_BOTH);
    if (other || (poyi_schema_is_section(path, POYI_KIND_BOTH) && r->kind)) {
        const char *needed = r->kind == POYI_KIND_PULSE ? "scatter" : "pulse";
        poyi_fault(r, node, path, "E_KEY", "belongs to recipes of kind = \"%s\"\nremove it", needed);
        return;
    }
    poyi_schema_advise(path, kinds_of(r), types_of(r), sizeof advice, advice);
    poyi_fault(r, node, path, "E_KEY", "unknown key\n%s", advice);
}

static void no_meaning(poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    const poyi_node *type = poyi_node_find(r->root, "geometry.type");
    poyi_fault(r, node, path, "E_CONFLICT", "has no meaning for type = \"%s\" (line %d)\nremove it; it belongs to %s",
               type->text, type->line, poyi_schema_types(key->types));
}

static void check_tables(poy_ctx *ctx, poy_recipe *r, poyi_node *node, const char *path);

static void check_node(poy_ctx *ctx, poy_recipe *r, poyi_node *node, const char *path)
{
    const poyi_key *key = poyi_schema_find(path, kinds_of(r));
    if (!strcmp(path, "scan.grid") || !strcmp(path, "scan.zip") || !strcmp(path, "scan.list"))
        return; /* poyi_check_scan */
    if (key && !(key->types & types_of(r)))
        no_meaning(r, key, node, path);
    else if (key)
        node->known = poyi_form_check(ctx, r, key, node, path);
    else if (poyi_schema_is_section(path, kinds_of(r)))
        check_tables(ctx, r, node, path);
    else
        unknown_key(r, node, path);
}

static void check_children(poy_ctx *ctx, poy_recipe *r, poyi_node *table, const char *path)
{
    char own[256];
    for (poyi_node *child = table->first; child; child = child->next) {
        char index[16];
        snprintf(index, sizeof index, "%d", child->index);
        poyi_join(sizeof own, own, path, child->key ? child->key : index);
        check_node(ctx, r, child, own);
    }
}

/* A section: a table, or an array of tables where the schema has one. */
static void check_tables(poy_ctx *ctx, poy_recipe *r, poyi_node *node, const char *path)
{
    char first[260];
    poyi_join(sizeof first, first, path, "0");
    int many = poyi_schema_is_section(first, kinds_of(r)) && strcmp(path, "materials") != 0;
    if (many && node->kind != POYI_ARRAY)
        poyi_fault(r, node, path, "E_TYPE", "expected an array of tables, got %s\nwrite [[%s]]",
                   poyi_node_what(node->kind), path);
    else if (!many && node->kind != POYI_TABLE)
        poyi_fault(r, node, path, "E_TYPE", "expected a table, got %s\nwrite [%s]", poyi_node_what(node->kind), path);
    else
        check_children(ctx, r, node, path);
}

/* ---- what is missing ---- */

/* Is there a fault about an unknown key of the same table whose hint names this one? Then that says it all. */
static int is_hinted(const poy_recipe *r, const char *path)
{
    char table[256], other[256];
    const char *name = table_of(path, sizeof table, table);
    for (int i = 0; i < r->faults.count; i++) {
        const poy_fault *f = &r->faults.list[i];
        const char *at = strcmp(f->code, "E_KEY") != 0 ? NULL : strstr(f->hint, name);
        if (!at)
            continue;
        table_of(f->key, sizeof other, other);
        char after = at[strlen(name)];
        if (!strcmp(table, other) && !(after >= 'a' && after <= 'z') && after != '_')
            return 1;
    }
    return 0;
}

/* The table a key would stand in, or the nearest that exists; for the line. */
static const poyi_node *home_of(const poy_recipe *r, const char *path)
{
    char table[256];
    const poyi_node *node = NULL;
    table_of(path, sizeof table, table);
    while (*table && !(node = poyi_node_find(r->root, table))) {
        char *dot = strrchr(table, '.');
        *(dot ? dot : table) = '\0';
    }
    return *table ? node : r->root;
}

void poyi_missing(poy_recipe *r, const char *path, const char *need, const char *example)
{
    if (!is_hinted(r, path))
        poyi_fault(r, home_of(r, path), path, "E_MISSING", "missing\n%s, e.g. %s", need, example);
}

/* Calls fn for the table of a pattern, and for each element where it is "x.N". */
static void each_table(poy_ctx *ctx, poy_recipe *r, const char *pattern, const void *row,
                       void (*fn)(poy_ctx *, poy_recipe *, const void *, const char *))
{
    char path[256];
    const char *n = strstr(pattern, ".N");
    if (!n) {
        fn(ctx, r, row, pattern);
        return;
    }
    snprintf(path, sizeof path, "%.*s", (int)(n - pattern), pattern);
    const poyi_node *list = poyi_node_find(r->root, path);
    for (int i = 0; list && list->kind == POYI_ARRAY && i < list->count; i++) {
        snprintf(path, sizeof path, "%.*s.%d%s", (int)(n - pattern), pattern, i, n + 2);
        fn(ctx, r, row, path);
    }
}

static void check_needed(poy_ctx *ctx, poy_recipe *r, const void *row, const char *path)
{
    const poyi_key *key = row;
    char example[512];
    (void)ctx;
    if (poyi_node_find(r->root, path))
        return;
    snprintf(example, sizeof example, "%s = %s", strrchr(path, '.') ? strrchr(path, '.') + 1 : path, key->shown.good);
    poyi_missing(r, path, key->shown.need, example);
}

/* ---- what excludes what ---- */

/* A state of another run has all of it. */
static int no_duration(const poy_recipe *r, const poyi_one *one, const char *table)
{
    const poyi_node *node = poyi_node_find(r->root, table), *shape = node ? poyi_node_child(node, "shape") : NULL;
    if (!strcmp(one->table, "pulse.N") && node && poyi_node_child(node, "from"))
        return 1;
    return !strcmp(one->table, "pulse.N") && shape && shape->kind == POYI_STRING &&
           (!strcmp(shape->text, "cw") || !strcmp(shape->text, "file") || !strcmp(shape->text, "result"));
}

static void check_one(poy_ctx *ctx, poy_recipe *r, const void *row, const char *table)
{
    const poyi_one *one = row;
    const poyi_node *first = NULL;
    char name[64], path[256], first_key[256] = "";
    const char *at = one->keys;
    (void)ctx;
    while (*at) {
        size_t n = strcspn(at, " ");
        snprintf(name, sizeof name, "%.*s", (int)n, at);
        poyi_join(sizeof path, path, table, name);
        at += n + (at[n] == ' ');
        const poyi_node *node = poyi_node_find(r->root, path);
        if (!*first_key)
            snprintf(first_key, sizeof first_key, "%s", path);
        if (node && first)
            poyi_fault(r, node->line >= first->line ? node : first, NULL, "E_CONFLICT",
                       "already set by %s (line %d)\nkeep one", node->line >= first->line ? first->key : node->key,
                       node->line >= first->line ? first->line : node->line);
        else if (node)
            first = node;
        else if (is_hinted(r, path))
            return; /* a misspelt key stands for it */
    }
    if (!first && one->need[0] && !no_duration(r, one, table))
        poyi_missing(r, first_key, one->need, one->example);
}

static void check_with(poy_ctx *ctx, poy_recipe *r, const void *row, const char *path)
{
    const poyi_with *with = row;
    char table[256], other[256], example[200];
    table_of(path, sizeof table, table);
    const char *name = strrchr(with->other, '.') + 1;
    poyi_join(sizeof other, other, table, name);
    (void)ctx;
    if (!poyi_node_find(r->root, path) || poyi_node_find(r->root, other))
        return;
    const poyi_key *key = poyi_schema_find(other, kinds_of(r));
    if (!(key->types & types_of(r)))
        return;
    snprintf(example, sizeof example, "%s = %s", name, key->shown.good);
    poyi_missing(r, other, with->text, example);
}

static void check_schema(poy_recipe *r)
{
    const poyi_node *schema = poyi_node_child(r->root, "schema");
    if (schema && schema->kind == POYI_INTEGER && schema->integer != 1)
        poyi_fault(r, schema, NULL, "E_FORMAT", "written for schema %s, this program reads 1\n%s", schema->typed,
                   schema->integer > 1 ? "use a newer poynting" : "write schema = 1");
}

static void check_name(poy_recipe *r)
{
    const poyi_node *name = poyi_node_child(r->root, "name");
    if (name && name->kind == POYI_STRING && strchr(name->text, '/'))
        poyi_fault(r, name, NULL, "E_VALUE", "%s has a slash, but files are named after it\nleave the folder to -o",
                   name->typed);
}

void poyi_check_structure(poy_ctx *ctx, poy_recipe *r)
{
    find_kind(r);
    check_schema(r);
    check_name(r);
    check_children(ctx, r, r->root, "");
    for (int i = 0; poyi_schema_key(i); i++) {
        const poyi_key *key = poyi_schema_key(i);
        int applies = (key->kinds == POYI_KIND_BOTH || (key->kinds & r->kind)) &&
                      (key->types == POYI_TYPE_ANY || (key->types & r->type));
        if (key->shown.need[0] && applies)
            each_table(ctx, r, key->shown.path, key, check_needed);
    }
    for (int i = 0; poyi_schema_one(i); i++) {
        const poyi_one *one = poyi_schema_one(i);
        int optional_table = one->kinds == POYI_KIND_BOTH && !poyi_node_find(r->root, one->table);
        int applies = (one->kinds == POYI_KIND_BOTH || (one->kinds & r->kind)) &&
                      (one->types == POYI_TYPE_ANY || (one->types & r->type));
        if (applies && !optional_table)
            each_table(ctx, r, one->table, one, check_one);
    }
    for (int i = 0; poyi_schema_with(i); i++) {
        const poyi_with *with = poyi_schema_with(i);
        if (with->kinds == POYI_KIND_BOTH || (with->kinds & r->kind))
            each_table(ctx, r, with->path, with, check_with);
    }
}
