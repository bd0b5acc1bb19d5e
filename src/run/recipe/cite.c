/* cite.c: what a recipe rests on: the program, the methods, the models and data that it uses. */
#include <stdio.h>
#include <string.h>

#include "poynting/media.h"
#include "run/recipe/recipe.h"

static void add_raman(const poy_recipe *r, poyi_text *out)
{
    static const struct {
        const char *model, *source;
    } models[] = {
        {"blow_wood", "Raman response: Blow and Wood, IEEE J. Quantum Electron. 25, 2665 (1989)"},
        {"lin_agrawal", "Raman response: Lin and Agrawal, Opt. Lett. 31, 3086 (2006)"},
        {"hollenbeck_cantrell", "Raman response: Hollenbeck and Cantrell, J. Opt. Soc. Am. B 19, 2886 (2002)"},
    };
    const char *raman = poyi_recipe_word(r, "physics.raman", "off");
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++)
        if (!strcmp(models[i].model, raman))
            poyi_text_add(out, "%s\n", models[i].source);
}

static void add_gas(poy_ctx *ctx, const char *name, poyi_text *out)
{
    poy_gas_info info;
    for (int i = 0; i < poy_gas_count(); i++)
        if (poy_gas_info_at(ctx, i, &info) == POY_OK && !strcmp(info.name, name)) {
            poyi_text_add(out, "%s, index: %s\n%s, density: %s\n", name, info.index_source, name, info.density_source);
            if (info.kerr_source)
                poyi_text_add(out, "%s, Kerr effect: %s\n", name, info.kerr_source);
        }
}

static void add_gases(poy_ctx *ctx, const poy_recipe *r, poyi_text *out)
{
    const poyi_node *fill = poyi_recipe_at(r, "gas.fill");
    if (fill && fill->kind == POYI_STRING)
        add_gas(ctx, fill->text, out);
    for (const poyi_node *part = fill && fill->kind == POYI_TABLE ? fill->first : NULL; part; part = part->next)
        add_gas(ctx, part->key, out);
}

/* The built-in materials that stand anywhere in the recipe, each once. */
static void add_materials(poy_ctx *ctx, const poy_recipe *r, poyi_text *out)
{
    poy_material_row row;
    char quoted[80];
    for (int i = 0; i < poy_material_count(); i++) {
        if (poy_material_row_at(ctx, i, &row) != POY_OK)
            continue;
        snprintf(quoted, sizeof quoted, "\"%s\"", row.name);
        if (strstr(r->resolved_text, quoted))
            poyi_text_add(out, "%s, index: %s\n", row.name, row.source);
    }
}

poy_status poy_recipe_cite(poy_ctx *ctx, poy_recipe *r, const char **out)
{
    poyi_text text = {0};
    *out = NULL;
    if (!r->resolved)
        return POYI_FAIL(ctx, POY_ERR_STATE, "%s: not checked yet, or it has faults: check it first", r->file);
    poyi_text_add(&text, "Poynting %s (CITATION.cff)\n", poy_version());
    if (r->kind == POYI_KIND_PULSE) {
        poyi_text_add(&text,
                      "Step: Dormand and Prince, J. Comput. Appl. Math. 6, 19 (1980), in the interaction picture\n");
        if (r->type == POYI_TYPE_FIBRE)
            poyi_text_add(&text, "Equation: Dudley, Genty and Coen, Rev. Mod. Phys. 78, 1135 (2006), eq. 3.13\n");
        add_raman(r, &text);
        add_gases(ctx, r, &text);
    }
    add_materials(ctx, r, &text);
    *out = text.failed ? NULL : poyi_arena_copy(&r->arena, text.text, text.length);
    poyi_text_fini(&text);
    return *out ? POY_OK : POYI_FAIL(ctx, POY_ERR_MEMORY, "%s: no memory for its sources", r->file);
}
