/* scan.c: [scan]: axes over keys of the recipe. Each value has to be one that its key accepts. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/recipe/recipe.h"

/* { start, stop, num, scale } of quantities, numbers or integers. */
static int check_range(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    const poyi_node *num = poyi_node_child(node, "num"), *scale = poyi_node_child(node, "scale");
    static const char *const ends[] = {"start", "stop"};
    for (const poyi_node *c = node->first; c; c = c->next)
        if (!poyi_word_in("start stop num scale", c->key)) {
            poyi_fault(r, c, path, "E_KEY", "unknown key %s\nknown here: start, stop, num, scale", c->key);
            return 0;
        }
    for (int i = 0; i < 2; i++) {
        const poyi_node *end = poyi_node_child(node, ends[i]);
        if (!end) {
            poyi_fault(r, node, path, "E_MISSING", "missing %s\nwrite { start = %s, stop = ..., num = 10 }", ends[i],
                       key->shown.good);
            return 0;
        }
        if (!poyi_form_check(ctx, r, key, end, path))
            return 0;
    }
    if (!num || num->kind != POYI_INTEGER || num->integer < 1) {
        poyi_fault(r, num ? num : node, path, num ? "E_TYPE" : "E_MISSING",
                   "num is not a count of values\nwrite num = 10");
        return 0;
    }
    if (!scale || (scale->kind == POYI_STRING && poyi_word_in("linear log", scale->text)))
        return 1;
    poyi_fault(r, scale, path, "E_VALUE", "%s is not known\nuse linear or log", scale->typed);
    return 0;
}

/* The values of one axis. How many, or 0 where one of them is bad. */
static int64_t check_axis(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, poyi_node *node, const char *path)
{
    int good = 1;
    if (node->kind == POYI_TABLE) {
        good = check_range(ctx, r, key, node, path);
        node->known = good;
        return good ? poyi_node_child(node, "num")->integer : 0;
    }
    if (node->kind != POYI_ARRAY || !node->count) {
        poyi_fault(r, node, path, node->kind == POYI_ARRAY ? "E_VALUE" : "E_TYPE",
                   "a scan needs a list of values\nwrite [%s, ...] or { start, stop, num }", key->shown.good);
        return 0;
    }
    for (const poyi_node *value = node->first; value; value = value->next)
        good &= poyi_form_check(ctx, r, key, value, path);
    node->known = good;
    return good ? node->count : 0;
}

typedef struct walk {
    int zip;
    const poyi_node *first; /* of zip: the first axis */
    char first_name[256];
    int64_t length;
} walk;

static void check_lengths(poy_recipe *r, walk *w, const poyi_node *node, const char *name, int64_t n)
{
    if (!w->first) {
        w->first = node;
        w->length = n;
        snprintf(w->first_name, sizeof w->first_name, "%s", name);
    } else if (n != w->length) {
        const char *a = strrchr(w->first_name, '.'), *b = strrchr(name, '.');
        poyi_fault(r, w->first, "scan.zip", "E_SHAPE", "lengths differ (%s %lld, %s %lld)\nmake them equal",
                   a ? a + 1 : w->first_name, (long long)w->length, b ? b + 1 : name, (long long)n);
    }
}

/* Below scan.grid the path of a key is spread over nested tables: "gas" { "pressure" [...] }. */
static void check_axes(poy_ctx *ctx, poy_recipe *r, poyi_node *node, const char *target, const char *path, walk *w)
{
    char own[256], name[256], advice[400];
    unsigned kinds = r->kind ? r->kind : POYI_KIND_BOTH;
    for (poyi_node *child = node->first; child; child = child->next) {
        poyi_join(sizeof name, name, target, child->key);
        poyi_join(sizeof own, own, path, child->key);
        const poyi_key *key = poyi_schema_find(name, kinds);
        if (key) {
            int64_t n = check_axis(ctx, r, key, child, own);
            if (w->zip && n)
                check_lengths(r, w, child, name, n);
        } else if (poyi_schema_is_section(name, kinds) && child->kind == POYI_TABLE) {
            check_axes(ctx, r, child, name, own, w);
        } else {
            poyi_schema_advise(name, kinds, r->type ? r->type : POYI_TYPE_ANY, sizeof advice, advice);
            poyi_fault(r, child, own, "E_KEY", "%s is no key of a recipe\n%s", name, advice);
        }
    }
}

void poyi_check_scan(poy_ctx *ctx, poy_recipe *r)
{
    static const char *const ways[] = {"grid", "zip", "list"};
    const poyi_node *scan = poyi_node_child(r->root, "scan");
    char path[32];
    for (int i = 0; i < 3; i++) {
        poyi_node *way = scan ? poyi_node_child(scan, ways[i]) : NULL;
        walk w = {.zip = i == 1};
        if (!way)
            continue;
        snprintf(path, sizeof path, "scan.%s", ways[i]);
        if (way->kind == POYI_TABLE)
            check_axes(ctx, r, way, "", path, &w);
        else
            poyi_fault(r, way, path, "E_TYPE", "expected keys and their values, got %s\nwrite %s.gas.pressure = [...]",
                       poyi_node_what(way->kind), ways[i]);
    }
}

/* ---- reading ---- */

/* The axes below a table, by their dotted names. */
static void collect(const poy_recipe *r, const poyi_node *node, const char *target, poyi_scan_leaves *out)
{
    char name[200];
    for (const poyi_node *child = node->first; child; child = child->next) {
        poyi_join(sizeof name, name, target, child->key);
        if (!poyi_schema_find(name, r->kind) && child->kind == POYI_TABLE) {
            collect(r, child, name, out);
        } else if (out->count < POYI_SCAN_LEAVES) {
            snprintf(out->list[out->count].path, sizeof out->list[0].path, "%s", name);
            out->list[out->count++].node = child;
        }
    }
}

static int by_place(const void *a, const void *b)
{
    const poyi_scan_leaf *p = a, *q = b;
    const poyi_node *x = p->node, *y = q->node;
    if (x->line != y->line || x->column != y->column)
        return x->line != y->line ? (x->line < y->line ? -1 : 1) : x->column < y->column ? -1 : 1;
    if (x->order != y->order) /* both were set */
        return x->order < y->order ? -1 : 1;
    return strcmp(p->path, q->path);
}

void poyi_scan_leaves_of(const poy_recipe *r, const poyi_node *way, poyi_scan_leaves *out)
{
    collect(r, way, "", out);
    qsort(out->list, (size_t)out->count, sizeof out->list[0], by_place);
}
