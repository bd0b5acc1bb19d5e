/* wall.c: the solid that a guide is made of: a material by name, from a file, or of constant index, and an offset. */
#include <string.h>

#include "pulse/guide/kind.h"

poy_status poyi_guide_material_create(poy_ctx *ctx, const char *key, const poy_guide_material *from, poy_material **out)
{
    const int given = (from->name != NULL) + (from->file != NULL) + (from->n != 0.0);
    if (given != 1)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "%s: %s: give a name, a file or an index", key,
                         given ? "more than one material" : "no material");
    if (from->name)
        POYI_TRY(ctx, poy_material_create(ctx, from->name, out));
    else if (from->file && from->text)
        POYI_TRY(ctx, poy_material_parse(ctx, from->file, from->text, strlen(from->text), out));
    else if (from->file)
        POYI_TRY(ctx, poy_material_load(ctx, from->file, out));
    else {
        POYI_TRY(ctx, poyi_check_positive(ctx, key, from->n, "(index)"));
        POYI_TRY(ctx, poyi_check_not_negative(ctx, key, from->k, "(imaginary part of the index)"));
        POYI_TRY(ctx, poy_material_create_constant(ctx, from->n, from->k, out));
    }
    poy_material_set_extrapolate(*out, from->extrapolate);
    return POY_OK;
}

poy_status poyi_wall_create(poy_ctx *ctx, const char *key, const poy_guide_material *from, poyi_wall *out)
{
    *out = (poyi_wall){.key = key, .offset = from->offset};
    POYI_TRY(ctx, poyi_check_finite(ctx, key, from->offset, "(offset of the index)"));
    POYI_TRY(ctx, poyi_guide_material_create(ctx, key, from, &out->material));
    return POY_OK;
}

void poyi_wall_fini(poyi_wall *wall)
{
    if (wall->material)
        poy_material_destroy(&wall->material);
}

/* n + ik as a series. */
static poy_status wall_index(poy_ctx *ctx, const poyi_wall *wall, double omega, int order, poyi_cjet *out)
{
    poyi_jet n, k;
    POYI_TRY(ctx, poyi_material_index(ctx, wall->material, omega, order, &n, &k));
    *out = poyi_cjet_offset(poyi_cjet_from(&n, &k), wall->offset);
    return POY_OK;
}

poy_status poyi_wall_index_hollow(poy_ctx *ctx, const poyi_wall *wall, double omega, int order, poyi_cjet *out)
{
    poy_material_row row;
    POYI_TRY(ctx, wall_index(ctx, wall, omega, order, out));
    if (out->c[0] != 1.0)
        return POY_OK;
    poy_material_info(wall->material, &row);
    return POYI_FAIL(
        ctx, POY_ERR_ARGUMENT,
        "%s: %s has the index 1 of empty space at %.5g nm, so that there is no wall: name another material", wall->key,
        row.name, 2e9 * POYI_PI * POYI_C / omega);
}

poy_status poyi_wall_index_real(poy_ctx *ctx, const poyi_wall *wall, double omega, int order, poyi_cjet *out)
{
    poyi_cjet index;
    poy_material_row row;
    POYI_TRY(ctx, wall_index(ctx, wall, omega, order, &index));
    poy_material_info(wall->material, &row);
    for (int i = 0; i <= order; i++)
        if (cimag(index.c[i]) != 0.0)
            return POYI_FAIL(ctx, POY_ERR_UNSUPPORTED,
                             "%s: %s absorbs at %.5g nm (k = %g): this guide needs a lossless index; give its loss as "
                             "an attenuation",
                             wall->key, row.name, 2e9 * POYI_PI * POYI_C / omega, cimag(index.c[0]));
    *out = index;
    return POY_OK;
}
