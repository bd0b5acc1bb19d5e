/* material.h: what a poy_material holds, and how one is put together. */
#ifndef POYI_MATERIAL_H
#define POYI_MATERIAL_H

#include "media/curve.h"
#include "media/formula.h"
#include "poynting/media.h"

struct poy_material {
    poy_material_kind kind;
    int extrapolate;
    double first, last;            /* um: the data */
    double n2;                     /* m^2/W or NaN */
    double constant[2];            /* n, k */
    poyi_formula formula;          /* number 0: none */
    poyi_formula extraordinary;    /* number 0: no crystal at an angle; else formula is the ordinary index */
    double ordinary_share;         /* cos^2 of the angle */
    poyi_curve *n, *k;             /* NULL: none */
    char *name, *source, *comment; /* owned */
};

/* An empty material; strings are copied, NULL counts as "". Errors: POY_ERR_MEMORY. */
poy_status poyi_material_new(poy_ctx *ctx, const char *name, const char *source, const char *comment,
                             poy_material **out);
/* Gives it the tables: wavelengths in um, columns of count values; n or k may be NULL. Errors: POY_ERR_ARGUMENT (k below
 * 0, the table's form). */
poy_status poyi_material_set_table(poy_ctx *ctx, poy_material *material, poyi_interpolation kind, size_t count,
                                   const double *lambda, const double *n, const double *k);
/* Gives it a formula with its range in um. Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED. */
poy_status poyi_material_set_formula(poy_ctx *ctx, poy_material *material, const poyi_formula *formula, double first,
                                     double last);

#endif
