/* forms_launch.c: values of a pulse with a structure of their own: what it went through, its polarisation, widths of lines. */
#include <stdio.h>
#include <string.h>

#include "run/recipe/recipe.h"

/* ---- what a pulse went through: each entry is of the kind that its first key names ---- */

static const poyi_entry passage_members[] = {
    {"material", POYI_FORM_MATERIAL, POY_DIM_NONE, "", "", "\"SiO2\"", 0},
    {"thickness", POYI_FORM_QUANTITY, POY_DIM_LENGTH, "", "", "\"1 mm\"", 0},
    {"gas", POYI_FORM_TEXT, POY_DIM_NONE, "", "", "\"Air\"", 0},
    {"pressure", POYI_FORM_QUANTITY, POY_DIM_PRESSURE, ">= 0", "", "\"1 bar\"", 0},
    {"mirror", POYI_FORM_TEXT, POY_DIM_NONE, "", "", "\"gdd.csv\"", 0},
    {"filter", POYI_FORM_TEXT, POY_DIM_NONE, "", "", "\"filter.csv\"", 0},
    {"reflections", POYI_FORM_INTEGER, POY_DIM_NONE, ">= -1000 <= 1000", "", "4", 0},
    {"gdd", POYI_FORM_QUANTITY, POY_DIM_PHASE2, "", "", "\"-50 fs2\"", 0},
    {"tod", POYI_FORM_QUANTITY, POY_DIM_PHASE3, "", "", "\"10 fs3\"", 0},
    {"fod", POYI_FORM_QUANTITY, POY_DIM_PHASE4, "", "", "\"10 fs4\"", 0},
    {"phase", POYI_FORM_TEXT, POY_DIM_NONE, "", "", "\"phase.csv\"", 0},
    {"phase_sign", POYI_FORM_WORD, POY_DIM_NONE, "", "exp(+iwt) exp(-iwt)", "\"exp(+iwt)\"", 0},
    {"guide", POYI_FORM_QUANTITY, POY_DIM_LENGTH, "", "", "\"-0.5 m\"", 0},
    {"band", POYI_FORM_BAND, POY_DIM_SPECTRAL, "> 0", "", "\"600 nm:1 um\"", 0},
    {"edge", POYI_FORM_QUANTITY, POY_DIM_FREQUENCY, "> 0", "", "\"20 THz\"", 0},
};

/* needs: has to be there; may: can be; both separated by blanks. */
static const struct {
    const char *kind, *needs, *may;
} passage_kinds[] = {
    {"material", "thickness", ""},  {"gas", "pressure thickness", ""},
    {"mirror", "", "reflections"},  {"filter", "", ""},
    {"phase", "phase_sign", ""},    {"guide", "", ""},
    {"band", "", "edge"},           {"gdd", "", "tod fod reflections"},
    {"tod", "", "fod reflections"}, {"fod", "", "reflections"},
};
enum { PASSAGE_KINDS = sizeof passage_kinds / sizeof passage_kinds[0] };

static int passage_needs(poy_recipe *r, const poyi_node *node, const char *path, int kind)
{
    char own[256];
    for (size_t i = 0; i < sizeof passage_members / sizeof *passage_members; i++) {
        const poyi_entry *m = &passage_members[i];
        if (!poyi_word_in(passage_kinds[kind].needs, m->name) || poyi_node_child(node, m->name))
            continue;
        poyi_join(sizeof own, own, path, m->name);
        poyi_fault(r, node, own, "E_MISSING", "missing beside %s\nadd %s = %s", passage_kinds[kind].kind, m->name,
                   m->good);
        return 0;
    }
    for (const poyi_node *child = node->first; child; child = child->next) {
        if (!strcmp(child->key, passage_kinds[kind].kind) || poyi_word_in(passage_kinds[kind].needs, child->key) ||
            poyi_word_in(passage_kinds[kind].may, child->key))
            continue;
        poyi_join(sizeof own, own, path, child->key);
        poyi_fault(r, child, own, "E_CONFLICT", "has no meaning beside %s\nremove it, or make it an entry of its own",
                   passage_kinds[kind].kind);
        return 0;
    }
    return 1;
}

static int check_passage(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    char own[256];
    const poyi_node *gas = NULL, *times = NULL;
    int kind = 0;
    if (node->kind != POYI_TABLE)
        return poyi_check_failed(r, key, node, path, "a table");
    if (!poyi_check_entries(ctx, r, node, path, POYI_ENTRIES(passage_members)))
        return 0;
    while (kind < PASSAGE_KINDS && !poyi_node_child(node, passage_kinds[kind].kind))
        kind++;
    if (kind == PASSAGE_KINDS) {
        poyi_fault(r, node, path, "E_MISSING",
                   "does not say what it is\nadd one of material, gas, mirror, filter, gdd, "
                   "phase, guide, band");
        return 0;
    }
    gas = poyi_node_child(node, "gas");
    times = poyi_node_child(node, "reflections");
    if (times && !times->integer) {
        poyi_join(sizeof own, own, path, times->key);
        poyi_fault(r, times, own, "E_RANGE", "0 leaves the pulse as it is\nremove the entry, or give 1 or more");
        return 0;
    }
    if (gas && !poyi_check_gas_name(ctx, r, gas, path, gas->text))
        return 0;
    if (gas && !strcmp(gas->text, "vacuum")) {
        poyi_fault(r, gas, path, "E_VALUE", "vacuum leaves the pulse as it is\nremove the entry, or name a gas");
        return 0;
    }
    return passage_needs(r, node, path, kind);
}

int poyi_form_through(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    int good = 1;
    if (node->kind != POYI_ARRAY)
        return poyi_check_failed(r, key, node, path, poyi_form_says(key->form));
    for (const poyi_node *entry = node->first; entry; entry = entry->next)
        good &= check_passage(ctx, r, key, entry, path);
    return good;
}

/* ---- polarisation ---- */

int poyi_form_polarisation(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    static const poyi_entry elliptic[] = {
        {"ellipticity", POYI_FORM_NUMBER, POY_DIM_NONE, ">= -1 <= 1", "", "0.3", 1},
    };
    if (node->kind == POYI_TABLE)
        return poyi_check_entries(ctx, r, node, path, POYI_ENTRIES(elliptic));
    return poyi_form_word(ctx, r, key, node, path);
}

/* ---- widths ---- */

/* A width in frequency or in wavelength. */
int poyi_form_width(poy_ctx *ctx, poy_recipe *r, const poyi_key *key, const poyi_node *node, const char *path)
{
    poyi_key own = *key;
    poy_quantity q;
    const int wavelength =
        node->kind == POYI_STRING && poy_quantity_parse_as(ctx, node->text, POY_DIM_LENGTH, &q) == POY_OK;
    poy_ctx_clear(ctx);
    own.dimension = wavelength ? POY_DIM_LENGTH : POY_DIM_FREQUENCY;
    return poyi_check_quantity(ctx, r, &own, node, path, NULL);
}
