/* material.c: which material a recipe means at a place. */
#include "run/recipe/material.h"

#include <math.h>
#include <string.h>

#include "run/recipe/csv.h"

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
    } else {
        out.name = node->text;
    }
    return out;
}
