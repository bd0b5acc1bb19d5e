/* unbuilt.c: what a recipe may say but this program cannot compute yet. Refused by name; an empty word stands for
 * any value. */
#include <stdio.h>
#include <string.h>

#include "run/recipe/recipe.h"

/* No guide stands for a beam that is free: whoever asks for one is told what there is. */
#define FREE_SPACE                                                                                              \
    "use a guide: fibre, capillary, antiresonant, step_index, rectangular, tabulated; beams in free space are " \
    "planned, "                                                                                                 \
    "as radial, cartesian, line, slab"

static const struct {
    const char *pattern, *word, *advice;
} unbuilt[] = {
    {"geometry.type", "radial", FREE_SPACE},         {"geometry.type", "cartesian", FREE_SPACE},
    {"geometry.type", "line", FREE_SPACE},           {"geometry.type", "slab", FREE_SPACE},
    {"solver.method", "adams", "use dopri5"},        {"solver.method", "rk4ip", "use dopri5"},
    {"illumination.type", "spherical", "use plane"}, {"illumination.type", "dipole", "use plane"},
    {"illumination.type", "gaussian", "use plane"},
};
enum { UNBUILT = sizeof unbuilt / sizeof unbuilt[0] };

/* Other names of it. */
static const struct {
    const char *pattern, *words, *advice;
} planned[] = {
    {"geometry.type", "free_space freespace free-space free air vacuum bulk beam filament gas_cell cell multipass",
     FREE_SPACE},
};

const char *poyi_planned(const char *path, const char *word)
{
    for (size_t i = 0; i < sizeof planned / sizeof planned[0]; i++)
        if (poyi_schema_matches(planned[i].pattern, path) && poyi_word_in(planned[i].words, word))
            return planned[i].advice;
    return NULL;
}

const char *poy_recipe_unbuilt(const char *key, const char *word)
{
    for (int i = 0; i < UNBUILT; i++)
        if (poyi_schema_matches(unbuilt[i].pattern, key) && (!unbuilt[i].word[0] || !strcmp(unbuilt[i].word, word)))
            return unbuilt[i].advice;
    return NULL;
}

static void check_node(poy_recipe *r, const poyi_node *node)
{
    char path[256];
    const char *advice = NULL;
    for (const poyi_node *child = node->first; child; child = child->next)
        check_node(r, child);
    if (node->first)
        return;
    poyi_node_path(node, sizeof path, path);
    advice = poy_recipe_unbuilt(path, node->kind == POYI_STRING ? node->text : "");
    if (advice)
        poyi_warning(r, node, path, "E_UNSUPPORTED", "%s is not built yet\n%s",
                     node->kind == POYI_STRING ? node->text : node->key, advice);
}

/* What the equation of a fibre that is known by numbers has not: polarisations. */
static void check_fibre(poy_recipe *r)
{
    const poyi_node *pulses = poyi_node_child(r->root, "pulse");
    for (const poyi_node *pulse = pulses ? pulses->first : NULL; pulse; pulse = pulse->next) {
        const poyi_node *node = poyi_node_child(pulse, "polarisation");
        const char *word = node && node->kind == POYI_STRING ? node->text : "ellipticity";
        if (node && strcmp(word, "y") != 0)
            poyi_warning(r, node, NULL, "E_UNSUPPORTED",
                         "%s is not built yet\nuse \"y\" in a fibre that is known by gamma, or type = \"step_index\"",
                         word);
    }
}

void poyi_check_built(poy_recipe *r)
{
    check_node(r, r->root);
    if (r->type == POYI_TYPE_FIBRE)
        check_fibre(r);
}

poy_status poyi_recipe_built(poy_ctx *ctx, const poy_recipe *r)
{
    char text[700];
    for (int i = 0; i < r->faults.count; i++) {
        poy_fault fault = r->faults.list[i];
        if (strcmp(fault.code, "E_UNSUPPORTED") != 0)
            continue;
        fault.warning = 0;
        poy_fault_format(&fault, sizeof text, text);
        return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED, "%s", text);
    }
    return POY_OK;
}
