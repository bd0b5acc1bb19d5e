/* describe.h: the list of numbers that follow from a recipe. */
#ifndef POYI_DESCRIBE_H
#define POYI_DESCRIBE_H

#include "run/recipe/recipe.h"

typedef struct poyi_numbers {
    poy_number *out;
    size_t max, n;
} poyi_numbers;

void poyi_number_add(poyi_numbers *l, const char *key, poy_dimension dimension, const char *unit, double value,
                     const char *text);
/* Of a scattering recipe (scatter/describe.c). */
poy_status poyi_scatter_describe(poy_ctx *ctx, poy_recipe *r, poyi_numbers *l);
/* Faults of [objective], where there is one: what poynting grad would refuse, of a pulse a warning; and what it needs, into l. Errors:
 * POY_ERR_RECIPE, POY_ERR_UNSUPPORTED. */
poy_status poyi_objective_judge(poy_ctx *ctx, poy_recipe *r, poyi_numbers *l);

#endif
