/* objective.h: [objective] of a scattering recipe inside the room: the parameters, and where each stands among the inputs of the
 * record that has the derivatives. */
#ifndef POYI_OBJECTIVE_H
#define POYI_OBJECTIVE_H

#include "poynting/objective.h"
#include "poynting/record.h"
#include "run/scatter/scatter.h"
#include "run/session.h"

typedef enum poyi_parameter {
    POYI_PARAMETER_RADII,
    POYI_PARAMETER_POSITIONS,
    POYI_PARAMETER_INDEX,       /* n, k of each layer */
    POYI_PARAMETER_PERMITTIVITY /* re, im of each layer */
} poyi_parameter;

/* A key of wrt. */
typedef struct poyi_variable {
    poyi_parameter kind;
    int body, first, n; /* its numbers: first ... first + n - 1 of the gradient */
    poy_gradient_part part;
} poyi_variable;

struct poy_objective {
    poyi_arena arena;
    poyi_scatter s;
    const char *name, *quantity;
    poyi_surroundings asked; /* threads and budget of the recipe */
    int maximise, layers;    /* layers: of the body with the most; the others have more of the same inside */
    double weight[2];        /* of scattering, of extinction */
    int n_points;
    double *k0;
    int *lmax;
    poyi_variable *variables;
    int n_variables, n; /* n: numbers of all keys */
    double *gradient;   /* [n] */
    double value;
};

/* n and k of a medium: (n + ik)^2 = epsilon mu, k >= 0. */
void poyi_index_of(const poy_medium *m, double n[2]);
/* The largest change that is tried of a number of a variable, for differences: a thousandth of a radius or an index. */
double poyi_variable_step(const poy_objective *o, const poyi_variable *v, int i);
/* Changes number i of a variable by h, in the settings of a run. */
void poyi_variable_move(poy_objective *o, const poyi_variable *v, int i, double h);

/* Solves one wavelength until the cross sections stand still (quantity.c); the degree into *lmax. */
poy_status poyi_scatter_stand_still(poy_ctx *ctx, const poyi_scatter *s, double k0, int *lmax, double *change);
/* The cross sections of a run at a degree, of the first light. */
poy_status poyi_scatter_sections(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poy_cross_sections *out);

#endif
