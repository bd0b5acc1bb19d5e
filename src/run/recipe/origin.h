/* origin.h: the state of another run that a pulse starts from: a plane of a result, kept with the recipe as text, so that a
 * result that starts from another stands alone. */
#ifndef POYI_RECIPE_ORIGIN_H
#define POYI_RECIPE_ORIGIN_H

#include "run/recipe/recipe.h"

/* Columns that hold light, bins from the first to the last that does. */
typedef struct poyi_origin {
    int real, n_columns;
    double z;                            /* m, in that run */
    const char *reference;               /* wavelength, as it was typed */
    const char **modes, **polarisations; /* [n_columns] */
    double *shares;                      /* [n_columns] of the energy */
    int *columns;                        /* [n_columns] of this run that they go into (settings_launch.c) */
    int64_t n;
    double omega, domega;   /* rad/s */
    const double *spectrum; /* c128 [n_columns][n] (sqrt(J s)), phases about the middle of the window */
} poyi_origin;

/* The state that a pulse (a table with "from") names, in the recipe's arena. 1; or 0 after a fault of key pulse.N.from. */
int poyi_origin_read(poy_ctx *ctx, poy_recipe *r, const poyi_node *pulse, poyi_origin *out);

#endif
