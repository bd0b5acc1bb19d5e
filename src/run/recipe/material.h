/* material.h: a material of a recipe: a name, which [materials] may explain, or numbers. */
#ifndef POYI_RECIPE_MATERIAL_H
#define POYI_RECIPE_MATERIAL_H

#include "run/recipe/recipe.h"

/* Exactly one of constant, file, name holds it. */
typedef struct poyi_material_choice {
    int constant;                             /* by numbers: */
    double n, k;                              /* as given, or the root of epsilon with n > 0 */
    double epsilon_re, epsilon_im, mu, kappa; /* relative */
    const char *name;                         /* one of the list */
    const char *file, *text;                  /* in the format of refractiveindex.info, by content */
    int extrapolate;                          /* also outside its data */
    int missing;                              /* no such node, or its file cannot be read: a fault tells it */
} poyi_material_choice;

/* The material at a node of the resolved recipe; NULL: missing. */
poyi_material_choice poyi_material_choose(poy_recipe *r, const poyi_node *node);
/* materials.NAME.extrapolate */
int poyi_material_extrapolates(const poy_recipe *r, const char *name);

/* Does the name of a material name a file, NAME.yml or NAME.yaml? */
int poyi_material_is_file(const char *name);
/* Can the file that a node names be read as a material? 1; or 0 after a fault with its own line. */
int poyi_material_file_check(poy_ctx *ctx, poy_recipe *r, const poyi_node *node);
/* All [materials], their files too; a name that nothing uses is told. */
void poyi_check_own_materials(poy_ctx *ctx, poy_recipe *r);
/* What [materials] says of a name beyond the range of a known one, which poyi_check_own_materials has looked at. NULL: nothing. */
const poyi_node *poyi_material_explained(const poy_recipe *r, const char *name);
/* A material by a name that nobody knows is a fault. */
void poyi_check_material_known(poy_ctx *ctx, poy_recipe *r, const poyi_node *node);
/* A fault where the material that a key of a pulse recipe names is magnetic or chiral. */
void poyi_check_plain_material(poy_recipe *r, const poyi_node *node);

#endif
