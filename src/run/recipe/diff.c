/* diff.c: in which keys two resolved recipes differ, and the digest of what a run starts from. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/recipe/recipe.h"

/* Calls fn for each value of a, with its path: a node at which the schema has a key, or one without children. */
typedef void visit_fn(void *user, const char *path, const poyi_node *node);

static void visit(const poy_recipe *r, const poyi_node *node, const char *path, visit_fn *fn, void *user)
{
    char own[256], index[16];
    for (const poyi_node *child = node->first; child; child = child->next) {
        snprintf(index, sizeof index, "%d", child->index);
        poyi_join(sizeof own, own, path, child->key ? child->key : index);
        if (!child->first || poyi_schema_find(own, r->kind))
            fn(user, own, child);
        else
            visit(r, child, own, fn, user);
    }
}

typedef struct differ {
    const poy_recipe *other;
    poyi_text *out;
    const char *separator;
    int n, reverse; /* reverse: only what the other lacks, the other way round */
} differ;

static char *as_text(const poyi_node *node)
{
    poyi_text t = {0};
    if (node)
        poyi_node_write(node, &t);
    else
        poyi_text_add(&t, "none");
    return t.text;
}

static void compare(void *user, const char *path, const poyi_node *node)
{
    differ *d = user;
    const poyi_node *other = poyi_node_find(d->other->resolved, path);
    if (d->reverse && other)
        return;
    char *mine = as_text(node), *its = as_text(other);
    if (mine && its && strcmp(mine, its) != 0)
        poyi_text_add(d->out, "%s%s (%s -> %s)", d->n++ ? d->separator : "", path, d->reverse ? its : mine,
                      d->reverse ? mine : its);
    free(mine);
    free(its);
}

int poyi_recipe_diff(const poy_recipe *a, const poy_recipe *b, const char *separator, poyi_text *out)
{
    differ d = {.other = b, .out = out, .separator = separator};
    visit(a, a->resolved, "", compare, &d);
    d.other = a;
    d.reverse = 1;
    visit(b, b->resolved, "", compare, &d);
    return d.n;
}

/* ---- digest ---- */

typedef struct digester {
    const poy_recipe *recipe;
    unsigned char sum[32];
} digester;

/* The launch and its noise: what a problem, which is the same for every field, does not hold; of scattering everything. Keys add up in any order:
 * a recipe and its resolved text name them in different ones. */
static void digest(void *user, const char *path, const poyi_node *node)
{
    static const char *const launch[] = {"pulse.", "physics.", "seed", NULL};
    static const char *const scatter[] = {"medium.", "materials.", "sweep.",        "particle.", "lattice.",
                                          "stack.",  "numerics.",  "illumination.", "output.",   NULL};
    digester *d = user;
    const char *const *of = d->recipe->kind == POYI_KIND_SCATTER ? scatter : launch;
    unsigned char own[32];
    poyi_sha256 sum;
    int counts = 0;
    for (; *of; of++)
        counts |= !strncmp(path, *of, strlen(*of));
    char *value = counts ? as_text(node) : NULL;
    if (!value)
        return;
    poyi_sha256_init(&sum);
    poyi_sha256_add(&sum, path, strlen(path) + 1);
    poyi_sha256_add(&sum, value, strlen(value) + 1);
    for (const poyi_source_file *f = d->recipe->sources; f; f = f->next) {
        char name[256]; /* of a plane of a result without its place, "first.h5@0.5 m" */
        snprintf(name, sizeof name, "%.*s", (int)strcspn(f->name, "@"), f->name);
        if (strstr(value, name)) /* a measured pulse counts by what its file says */
            poyi_sha256_add(&sum, f->text, f->length);
    }
    poyi_sha256_end(&sum, own);
    for (size_t i = 0; i < sizeof own; i++)
        d->sum[i] ^= own[i];
    free(value);
}

void poyi_recipe_digest(const poy_recipe *r, const unsigned char problem[32], unsigned char out[32])
{
    poyi_sha256 sum;
    digester d = {.recipe = r};
    visit(r, r->resolved, "", digest, &d);
    poyi_sha256_init(&sum);
    poyi_sha256_add(&sum, problem, 32);
    poyi_sha256_add(&sum, d.sum, sizeof d.sum);
    poyi_sha256_end(&sum, out);
}

poy_status poy_recipe_diff(poy_ctx *ctx, poy_recipe *a, const poy_recipe *b, const char **out, int *n)
{
    poyi_text text = {0};
    *out = NULL;
    if (!a->resolved || !b->resolved)
        return POYI_FAIL(ctx, POY_ERR_STATE,
                         "both recipes have to be checked, without faults, before they are compared");
    *n = poyi_recipe_diff(a, b, "\n", &text);
    *out = text.failed ? NULL : poyi_arena_copy(&a->arena, text.text ? text.text : "", text.length);
    poyi_text_fini(&text);
    return *out ? POY_OK : POYI_FAIL(ctx, POY_ERR_MEMORY, "no memory to compare two recipes");
}
