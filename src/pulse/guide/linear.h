/* linear.h: what the files that make the linear operator along z share. */
#ifndef POYI_LINEAR_H
#define POYI_LINEAR_H

#include "pulse/guide/span.h"

/* ---- sampling (linear_sample.c) ---- */

/* What happens to an element (column, bin) somewhere along z. */
enum { POYI_MASKED = 1, POYI_CUT = 2, POYI_DEAD = 4, POYI_GAINS = 8, POYI_RESONANT = 16 };

typedef struct poyi_job {
    poy_ctx *ctx;
    const poy_guide *guide;
    poyi_linear_options o;
    int64_t n;            /* elements: n_c n_w */
    unsigned char *flags; /* [n] */
    double *scale;        /* [n] 1/m: size of what L is the difference of */
} poyi_job;

poy_status poyi_job_create(poy_ctx *ctx, const poy_guide *guide, const poyi_linear_options *o, poyi_job *out);
void poyi_job_fini(poyi_job *job);
/* Adds what a place does to flags and scale. */
poy_status poyi_job_survey(poyi_job *job, const poy_guide_place *place);
/* L times factor into phase [2 n], 1/Re n into reciprocal [n] (either may be NULL), held as the flags say; hard: at the
 * limits themselves, for a guide that is the same everywhere. */
poy_status poyi_job_sample(poyi_job *job, const poy_guide_place *place, int hard, double factor, double *phase,
                           double *reciprocal);
/* How far L (1/m) of an element may be off. */
double poyi_job_tolerance(const poyi_job *job, int64_t element);
poy_guide_clamps poyi_job_clamps(const poyi_job *job);
/* -i (Re b - frame) - Im b of each element, b = omega N/c, from excess indices N given as a function. */
typedef poy_status poyi_part(void *user, int mode, double omega, int order, poyi_cjet *out);
poy_status poyi_job_part(poyi_job *job, poyi_part *part, void *user, double *phase);

/* ---- weights (linear_basis.c) ---- */

typedef enum poyi_basis_kind {
    POYI_BASIS_ONE,    /* 1 */
    POYI_BASIS_PARTS,  /* 1, 1/a^2, 1/a^3, densities */
    POYI_BASIS_FAMILY, /* T_k of the pressure, or of 1/a */
    POYI_BASIS_PLANES  /* hats on the planes of a table */
} poyi_basis_kind;

/* What stands in front of the terms at a place. Parts: 0: 1, 1: 1/a^2, 2: 1/a^3, 3 + i: density i. */
typedef struct poyi_basis {
    poyi_basis_kind kind;
    int n;
    int part[POY_GUIDE_GASES_MAX + 3];
    int by_radius;
    double low, high; /* of the family's variable */
} poyi_basis;

void poyi_basis_at(const poyi_basis *basis, const poy_guide *guide, const poy_guide_place *place, double *weights);
/* The place of a family's variable: a pressure, or 1/radius; the rest is as it is at z = 0. */
void poyi_basis_place(const poyi_basis *basis, const poy_guide *guide, double variable, poy_guide_place *place);

/* Integrals from 0 of a basis over z. */
typedef struct poyi_integrals {
    int n_span, n;
    poyi_span *spans;
    int *terms;      /* [n_span] of the series of a span */
    double **series; /* [n_span] [n][terms] in t, 0 at the span's start */
    double *start;   /* [n_span][n] */
} poyi_integrals;
poy_status poyi_integrals_create(poy_ctx *ctx, const poy_guide *guide, const poyi_basis *basis, double length,
                                 poyi_integrals *out);
void poyi_integrals_fini(poyi_integrals *integrals);
void poyi_integrals_at(const poyi_integrals *integrals, const poy_guide *guide, double z, double *weights);

/* ---- the object ---- */

struct poyi_linear {
    poy_guide *guide;
    double length;
    poyi_expansion phase, reciprocal;
    poyi_basis phase_basis, reciprocal_basis; /* of terms */
    poyi_integrals integrals;                 /* of phase_basis */
    poyi_span *spans;                         /* of tables */
    poy_guide_clamps clamps;
};

/* ---- making (linear_make.c) ---- */

/* Each makes the phase, or the reciprocal, or both. */
poy_status poyi_make_constant(poyi_job *job, poyi_linear *out);
poy_status poyi_make_parts(poyi_job *job, poyi_linear *out);
poy_status poyi_make_planes(poyi_job *job, poyi_linear *out);
/* *made: 0 where the series needs more terms than are worth having. */
poy_status poyi_make_family(poyi_job *job, int phase, int reciprocal, poyi_linear *out, int *made);
poy_status poyi_make_table(poyi_job *job, int phase, int reciprocal, poyi_linear *out);
/* The variable of a family, or 0 if more than one thing changes. */
int poyi_family_of(const poy_guide *guide, poyi_basis *out);

#endif
