/* material.c: which material a recipe means at a place. */
#include "run/recipe/material.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "poynting/media.h"
#include "run/recipe/csv.h"
#include "run/recipe/pulse.h"

int poyi_material_is_file(const char *name)
{
    const char *dot = strrchr(name, '.');
    return dot && (!strcmp(dot, ".yml") || !strcmp(dot, ".yaml"));
}

/* "FILE:LINE: problem: hint", as the reader of these files says it. */
static void tell(poy_ctx *ctx, poy_recipe *r, const poyi_node *node)
{
    char cause[512];
    const size_t n = strlen(node->text);
    snprintf(cause, sizeof cause, "%s", poy_ctx_cause(ctx));
    poy_ctx_clear(ctx);
    char *end = NULL;
    const char *at = !strncmp(cause, node->text, n) && cause[n] == ':' ? cause + n + 1 : NULL;
    const long line = at ? strtol(at, &end, 10) : 0;
    if (!at || end == at || strncmp(end, ": ", 2) != 0) {
        poyi_fault_from_text(r, node, NULL, "E_VALUE", cause);
        return;
    }
    char *hint = strstr(end + 2, ": ");
    if (hint)
        *hint = '\0';
    poyi_fault_in(r, node->text, (int)line, NULL, "E_VALUE", "%s\n%s", end + 2,
                  hint ? hint + 2 : "write it as refractiveindex.info does");
}

int poyi_material_file_check(poy_ctx *ctx, poy_recipe *r, const poyi_node *node)
{
    const char *text = NULL;
    poy_material *material = NULL;
    if (!poyi_source(r, node, &text))
        return 0;
    const poy_status status = poy_material_parse(ctx, node->text, text, strlen(text), &material);
    poy_material_destroy(&material);
    if (status != POY_OK)
        tell(ctx, r, node);
    return status == POY_OK;
}

/* A file, or an index, or a permittivity; and nothing beside it that would be passed over. */
static void check_own(poy_recipe *r, const poyi_node *own)
{
    static const char *const numbers[] = {"n", "k", "re", "im", "mu", "kappa"};
    const poyi_node *file = poyi_node_child(own, "file"), *wide = poyi_node_child(own, "extrapolate");
    const int index = poyi_node_child(own, "n") || poyi_node_child(own, "k");
    const int permittivity = poyi_node_child(own, "re") || poyi_node_child(own, "im");
    const int whole = poyi_node_child(own, "n") || poyi_node_child(own, "re");
    for (int i = 0; i < 6; i++) {
        const poyi_node *node = poyi_node_child(own, numbers[i]);
        if (node && file)
            poyi_fault(r, node, NULL, "E_CONFLICT", "has no meaning beside file (line %d)\nkeep one", file->line);
        else if (node && index && permittivity)
            poyi_fault(r, node, NULL, "E_CONFLICT", "both an index and a permittivity\nkeep n and k, or re and im");
        else if (node && !whole)
            poyi_fault(r, node, NULL, "E_MISSING", "without n or re it means nothing\nadd n = 1.5, or re = 2.25");
    }
    if (wide && whole && !file)
        poyi_fault(r, wide, NULL, "E_CONFLICT", "a constant has no range to leave\nremove it");
}

/* Does a value, or a gas of a mixture, have this name? */
static int is_named(const poyi_node *node, const char *name)
{
    if (node->kind == POYI_STRING)
        return !strcmp(node->text, name);
    for (const poyi_node *child = node->first; child; child = child->next)
        if ((child->key && !strcmp(child->key, name)) || is_named(child, name))
            return 1;
    return 0;
}

static void check_use(poy_recipe *r, const poyi_node *own)
{
    const char *wall = poyi_node_find(r->root, "geometry.wall") ? NULL : poyi_default_wall(r->type);
    if (r->kind == POYI_KIND_PULSE && wall && !strcmp(wall, own->key))
        return;
    for (const poyi_node *section = r->root->first; section; section = section->next)
        if (strcmp(section->key, "materials") != 0 && is_named(section, own->key))
            return;
    poyi_warning(r, own, NULL, "E_VALUE", "no key of this recipe names %s\nremove it, or name it where it belongs",
                 own->key);
}

void poyi_check_own_materials(poy_ctx *ctx, poy_recipe *r)
{
    const poyi_node *materials = poyi_node_child(r->root, "materials");
    for (const poyi_node *own = materials ? materials->first : NULL; own; own = own->next) {
        if (own->kind != POYI_TABLE)
            continue;
        const poyi_node *file = poyi_node_child(own, "file");
        check_own(r, own);
        check_use(r, own);
        if (file && file->known)
            poyi_material_file_check(ctx, r, file);
    }
}

const poyi_node *poyi_material_explained(const poy_recipe *r, const char *name)
{
    const poyi_node *materials = poyi_node_child(r->root, "materials");
    const poyi_node *own = name && materials ? poyi_node_child(materials, name) : NULL;
    for (const poyi_node *key = own ? own->first : NULL; key; key = key->next)
        if (strcmp(key->key, "extrapolate") != 0)
            return own;
    return NULL;
}

void poyi_check_material_known(poy_ctx *ctx, poy_recipe *r, const poyi_node *node)
{
    poy_material *material = NULL;
    if (node->kind != POYI_STRING || !strcmp(node->text, "vacuum") || poyi_material_explained(r, node->text) ||
        poyi_material_is_file(node->text))
        return;
    if (poy_material_create(ctx, node->text, &material) != POY_OK)
        poyi_fault_from_ctx(ctx, r, node, NULL, "E_VALUE");
    poy_material_destroy(&material);
}

void poyi_check_plain_material(poy_recipe *r, const poyi_node *node)
{
    const poyi_node *materials = poyi_node_child(r->root, "materials");
    const poyi_node *own = node->kind == POYI_TABLE                 ? node
                           : materials && node->kind == POYI_STRING ? poyi_node_child(materials, node->text)
                                                                    : NULL;
    const poyi_node *mu = own ? poyi_node_child(own, "mu") : NULL, *kappa = own ? poyi_node_child(own, "kappa") : NULL;
    const poyi_node *bad = mu && poyi_node_is_number(mu) && mu->real != 1            ? mu
                           : kappa && poyi_node_is_number(kappa) && kappa->real != 0 ? kappa
                                                                                     : NULL;
    if (bad && (poyi_node_child(own, "n") || poyi_node_child(own, "re")))
        poyi_fault(r, bad, NULL, "E_CONFLICT",
                   "has no meaning for a pulse (%s, line %d): guides and windows have mu = 1, kappa = 0\nremove it",
                   node->key, node->line);
}

int poyi_material_extrapolates(const poy_recipe *r, const char *name)
{
    const poyi_node *materials = poyi_recipe_at(r, "materials");
    const poyi_node *own = materials ? poyi_node_child(materials, name) : NULL;
    const poyi_node *flag = own ? poyi_node_child(own, "extrapolate") : NULL;
    return flag && flag->integer;
}

static double number_in(const poyi_node *table, const char *key, double missing)
{
    const poyi_node *node = poyi_node_child(table, key);
    return node ? node->real : missing;
}

/* { n, k } or { re, im }, both with mu and kappa: epsilon = (n + ik)^2 / mu. */
static void read_numbers(const poyi_node *table, poyi_material_choice *out)
{
    out->constant = 1;
    out->mu = number_in(table, "mu", 1);
    out->kappa = number_in(table, "kappa", 0);
    if (poyi_node_child(table, "re") || poyi_node_child(table, "im")) {
        const double re = number_in(table, "re", 1), im = number_in(table, "im", 0);
        out->epsilon_re = re;
        out->epsilon_im = im;
        out->n = sqrt(0.5 * (hypot(re, im) + re));
        out->k = im / (2 * out->n);
        return;
    }
    const double n = out->n = number_in(table, "n", 1), k = out->k = number_in(table, "k", 0);
    out->epsilon_re = (n - k) * (n + k) / out->mu;
    out->epsilon_im = 2 * n * k / out->mu;
}

poyi_material_choice poyi_material_choose(poy_recipe *r, const poyi_node *node)
{
    poyi_material_choice out = {0};
    const poyi_node *materials = poyi_recipe_at(r, "materials");
    if (!node) {
        out.missing = 1;
        return out;
    }
    if (node->kind == POYI_TABLE) {
        read_numbers(node, &out);
        return out;
    }
    const poyi_node *own = materials ? poyi_node_child(materials, node->text) : NULL;
    out.extrapolate = poyi_material_extrapolates(r, node->text);
    if (own && poyi_node_child(own, "file")) {
        const poyi_node *file = poyi_node_child(own, "file");
        out.file = file->text;
        out.missing = !poyi_source(r, file, &out.text);
    } else if (own && (poyi_node_child(own, "n") || poyi_node_child(own, "re"))) {
        read_numbers(own, &out);
    } else if (poyi_material_is_file(node->text)) {
        out.file = node->text;
        out.missing = !poyi_source(r, node, &out.text);
    } else {
        out.name = node->text;
    }
    return out;
}
