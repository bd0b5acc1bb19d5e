/* node.c: trees of TOML values: making, joining, finding, naming. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/recipe/toml.h"

poyi_node *poyi_node_create(poyi_arena *arena, poyi_node_kind kind, const char *key)
{
    poyi_node *node = poyi_arena_alloc(arena, sizeof *node);
    if (!node)
        return NULL;
    node->kind = kind;
    if (key)
        node->key = poyi_arena_copy(arena, key, strlen(key));
    node->typed = "";
    return node;
}

void poyi_node_append(poyi_node *parent, poyi_node *child)
{
    if (!parent || !child)
        return; /* memory ran out; the arena knows */
    child->parent = parent;
    child->index = parent->count++;
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
}

void poyi_node_replace(poyi_node *old, poyi_node *child)
{
    poyi_node *parent = old->parent, **link = &parent->first;
    if (!child)
        return;
    while (*link != old)
        link = &(*link)->next;
    child->parent = parent;
    child->index = old->index;
    child->next = old->next;
    *link = child;
    if (parent->last == old)
        parent->last = child;
}

void poyi_node_remove(poyi_node *child)
{
    poyi_node *parent = child->parent, *before = NULL, **link = &parent->first;
    for (; *link != child; link = &(*link)->next)
        before = *link;
    *link = child->next;
    if (parent->last == child)
        parent->last = before;
    parent->count--;
    for (poyi_node *after = child->next; after; after = after->next)
        after->index--;
    child->parent = child->next = NULL;
}

poyi_node *poyi_node_copy(poyi_arena *arena, const poyi_node *node)
{
    poyi_node *copy = poyi_arena_alloc(arena, sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *node;
    copy->parent = copy->first = copy->last = copy->next = NULL;
    copy->count = 0;
    for (const poyi_node *child = node->first; child; child = child->next)
        poyi_node_append(copy, poyi_node_copy(arena, child));
    return copy;
}

poyi_node *poyi_node_child(const poyi_node *table, const char *key)
{
    if (table->kind != POYI_TABLE)
        return NULL;
    for (poyi_node *child = table->first; child; child = child->next)
        if (!strcmp(child->key, key))
            return child;
    return NULL;
}

poyi_node *poyi_node_element(const poyi_node *array, int index)
{
    poyi_node *child = array->kind == POYI_ARRAY ? array->first : NULL;
    while (child && index-- > 0)
        child = child->next;
    return child;
}

poyi_node *poyi_node_find(const poyi_node *node, const char *path)
{
    char part[128];
    poyi_node *at = NULL;
    while (node && *path) {
        size_t n = strcspn(path, ".");
        if (n >= sizeof part)
            return NULL;
        memcpy(part, path, n);
        part[n] = '\0';
        if (node->kind == POYI_ARRAY)
            at = strspn(part, "0123456789") == n && n ? poyi_node_element(node, (int)strtol(part, NULL, 10)) : NULL;
        else
            at = poyi_node_child(node, part);
        node = at;
        path += n + (path[n] == '.');
    }
    return at;
}

void poyi_node_path(const poyi_node *node, size_t size, char *out)
{
    const poyi_node *chain[32];
    int n = 0;
    size_t used = 0;
    for (; node->parent && n < 32; node = node->parent)
        chain[n++] = node;
    out[0] = '\0';
    while (n-- > 0 && used < size) {
        int written = chain[n]->key ? snprintf(out + used, size - used, "%s%s", used ? "." : "", chain[n]->key)
                                    : snprintf(out + used, size - used, "%s%d", used ? "." : "", chain[n]->index);
        used += (size_t)written;
    }
}

void poyi_join(size_t size, char *out, const char *table, const char *name)
{
    const char *const parts[] = {table, *table ? "." : "", name};
    size_t used = 0;
    for (int i = 0; i < 3; i++)
        for (const char *c = parts[i]; *c && used + 1 < size; c++)
            out[used++] = *c;
    out[used] = '\0';
}

const char *poyi_node_what(poyi_node_kind kind)
{
    static const char *const what[] = {
        [POYI_TABLE] = "a table", [POYI_ARRAY] = "a list", [POYI_STRING] = "a string", [POYI_INTEGER] = "an integer",
        [POYI_REAL] = "a number", [POYI_BOOL] = "a bool",  [POYI_DATE] = "a date"};
    return what[kind];
}

int poyi_node_is_number(const poyi_node *node)
{
    return node->kind == POYI_INTEGER || node->kind == POYI_REAL;
}

void poyi_node_echo(const poyi_node *node, size_t size, char *out)
{
    enum { SHOWN = 60 };
    size_t n = strlen(node->typed);
    int long_one = n > SHOWN;
    if (long_one)
        for (n = SHOWN; n && ((unsigned char)node->typed[n] & 0xC0) == 0x80;)
            n--;
    snprintf(out, size, "%.*s%s", (int)n, node->typed, long_one ? "..." : "");
}
