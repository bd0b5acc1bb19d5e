/* objective.h: [objective] of a scattering recipe inside the room: the number, and the parameters. */
#ifndef POYI_OBJECTIVE_H
#define POYI_OBJECTIVE_H

#include "poynting/objective.h"
#include "run/scatter/session.h"
#include "run/session.h"

typedef enum poyi_parameter {
    POYI_PARAMETER_RADII,
    POYI_PARAMETER_POSITIONS,
    POYI_PARAMETER_WAVELENGTH,
    POYI_PARAMETER_LATTICE,
    POYI_PARAMETER_THICKNESS,
    POYI_PARAMETER_BELOW,
    POYI_PARAMETER_ABOVE,
    POYI_PARAMETER_INDEX,       /* n, k of each layer */
    POYI_PARAMETER_PERMITTIVITY /* re, im of each layer */
} poyi_parameter;

/* A key of wrt. */
typedef struct poyi_variable {
    poyi_parameter kind;
    int body, part_of; /* the particle; the first part of the stack that the key is of; -1: none */
    int first, n;      /* its numbers: first ... first + n - 1 of the gradient */
    poy_gradient_part part;
} poyi_variable;

/* Which record the shares of power of arrays and stacks come from. ABSORBED: those of ALL, of both kinds of light. */
typedef enum poyi_share { POYI_SHARE_ALL, POYI_SHARE_ORDER, POYI_SHARE_DICHROISM, POYI_SHARE_ABSORBED } poyi_share;

struct poy_objective {
    poyi_arena arena;
    poyi_scatter s;
    const char *name, *quantity, *units; /* units: m2, or 1 */
    poyi_surroundings asked;             /* threads and budget of the recipe */
    const char *budget_source;
    int maximise, layers; /* layers: of the body with the most; the others have more of the same inside */
    poyi_share share;
    int order;        /* of POYI_SHARE_ORDER, its place among those of the stack */
    double weight[2]; /* of scattering, of extinction; of transmission, of reflection; of both kinds of dichroism */
    double offset;
    int n_points, resolved; /* resolved: degrees are known */
    const char *where;      /* the key that says the wavelengths */
    double *k0;
    int *lmax;
    poyi_variable *variables;
    int n_variables, n; /* n: numbers of all keys */
    double *gradient;   /* [n] */
    double value;
    double done, work; /* of what is under way */
    /* memory: what set-up held, what is needed with checks or without, and the room while it is at work */
    size_t setup, used, idle; /* used: the most of the last evaluation's workspace; idle: of what was estimated last */
    poyi_scatter_memory memory;
    int with_checks;
    poyi_reserve *reserve;
    poyi_room room;
};

/* The keys of wrt (objective_keys.c). Errors: POY_ERR_ARGUMENT, POY_ERR_NOT_DIFFERENTIABLE, "key: problem: hint". */
poy_status poyi_objective_keys(poy_ctx *ctx, const poy_recipe *r, poy_objective *o);

/* n and k of a medium: (n + ik)^2 = epsilon mu, k >= 0. */
void poyi_index_of(const poy_medium *m, double n[2]);
/* The largest change that is tried of a number of a variable, for differences: a thousandth of a radius or an index. */
double poyi_variable_step(const poy_objective *o, const poyi_variable *v, int i);
/* How far it may fall: an imaginary part or a thickness to 0; infinite: as far as one likes. */
double poyi_variable_room(const poy_objective *o, const poyi_variable *v, int i);
/* Changes number i of a variable by h, in the settings of a run. */
poy_status poyi_variable_move(poy_ctx *ctx, poy_objective *o, const poyi_variable *v, int i, double h);

/* Admits it, and reserves that. Errors: POY_ERR_BUDGET. End: also where begin failed. */
poy_status poyi_objective_begin(poy_ctx *ctx, poy_objective *o, int checks);
void poyi_objective_end(poy_ctx *ctx, poy_objective *o);

/* Solves one wavelength until the cross sections stand still (quantity.c); the degree into *lmax. */
poy_status poyi_scatter_stand_still(poy_ctx *ctx, const poyi_scatter *s, double k0, int *lmax, double *change);
/* The cross sections of a run at a degree, of the first light. */
poy_status poyi_scatter_sections(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poy_cross_sections *out);

#endif
