/* result.h: an open result inside the room. */
#ifndef POYI_RESULT_H
#define POYI_RESULT_H

#include "poynting/result.h"
#include "run/recipe/recipe.h"
#include "run/store/h5.h"

struct poy_result {
    hid_t file;
    poyi_arena arena;
    const char *path;
    poy_recipe *recipe; /* the resolved one, checked; on first use */
    int recipe_tried;
    poy_dataset *list; /* on first use */
    int n_list, room;
};

/* The recipe of the result, checked; NULL where there is none that this version reads. */
poy_recipe *poyi_result_recipe(poy_ctx *ctx, poy_result *r);

#endif
