/* stack.h: stacks of plane layers and arrays of particles between two half spaces, from a scattering recipe. */
#ifndef POYI_RUN_STACK_H
#define POYI_RUN_STACK_H

#include "poynting/periodic.h"
#include "run/scatter/scatter.h"

/* A half space, a layer, or the plane of the particles in a medium that reaches below and above it. */
typedef struct poyi_stack_part {
    int is_array;
    poyi_matter matter;
    double thickness, below, above; /* m */
    int shared;                     /* the matter belongs to an earlier part, which this one repeats */
} poyi_stack_part;

struct poyi_stack {
    poy_lattice lattice;
    int periodic, has_particles; /* a lattice is given; a part is an array */
    int n_parts;
    poyi_stack_part *parts; /* from the side of the light up, [n_parts] */
    int has_bloch;
    double bloch[2];
    int n_orders;
    int64_t *orders; /* [n_orders][2], (0, 0) first */
    int transmission, cd, amplitudes, bands;
    double eta;
};

/* Of the recipe's [lattice] and [stack]; NULL into *out where it has neither. Errors: POY_ERR_ARGUMENT, "key: problem: hint". */
poy_status poyi_stack_create(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, struct poyi_stack **out);
void poyi_stack_fini(struct poyi_stack *a);
/* The orders of all points of the sweep, after its wavenumbers are known. */
poy_status poyi_stack_orders(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, const poyi_view *v);
/* The wavevector of the light along the planes. */
poy_status poyi_stack_parallel(poy_ctx *ctx, const poyi_scatter *s, double k0, double out[2]);
/* Particles that reach beyond their medium or touch their images, as faults; their number. */
int poyi_stack_faults(poy_ctx *ctx, poy_recipe *r, const poyi_scatter *s);
double poyi_stack_bytes(const poyi_scatter *s, int lmax);

/* One point: all columns of the view behind those that tell the point. change: with the last degrees, NaN where one was
 * computed; lmax: of the result. */
poy_status poyi_stack_compute(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, int *degree,
                              double *change);

#endif
