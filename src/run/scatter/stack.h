/* stack.h: stacks of plane layers and arrays of particles between two half spaces, from a scattering recipe. */
#ifndef POYI_RUN_STACK_H
#define POYI_RUN_STACK_H

#include "poynting/periodic.h"
#include "run/scatter/scatter.h"

/* A half space, a layer, or the plane of the particles in a medium that reaches below and above it. */
typedef struct poyi_stack_part {
    const char *
        key; /* "stack.layers.1.layers.0"; "medium" of an array without a stack; the same pointer where it is repeated */
    int is_array;
    poyi_matter matter;
    double thickness, below, above; /* m */
    int in_medium;                  /* what [medium] says */
    int shared;                     /* the matter belongs to an earlier part, which this one repeats */
} poyi_stack_part;

typedef enum poyi_repeats {
    POYI_REPEATS_PLANE,  /* layers, arrays of spheres, gratings of cylinders: S-matrices */
    POYI_REPEATS_CHAIN,  /* spheres along z */
    POYI_REPEATS_CRYSTAL /* spheres in space, cylinders in the plane across them: bands alone */
} poyi_repeats;

struct poyi_stack {
    poyi_repeats kind;
    poy_lattice lattice, dual;   /* dual: rows b with a_i b_j = 2 pi delta_ij */
    int periodic, has_particles; /* a lattice is given; a part is an array */
    poy_alignment alignment;     /* of ports: xy, of gratings of cylinders zx */
    int normal;                  /* axis along which the parts lie */
    int n_parts, lone;           /* lone: without [stack] */
    poyi_stack_part *parts;      /* from the side of the light up, [n_parts] */
    int has_bloch;
    double bloch[3];
    int n_path;                             /* Bloch vectors among which bands are looked for */
    double *path, *path_way, *path_corners; /* [n_path][3] rad/m; [n_path] length so far; [n_corners] of the corners */
    int n_corners;
    int n_orders;
    int64_t *orders; /* [n_orders][2], (0, 0) first */
    int transmission, cd, amplitudes, bands, sections;
    double eta;
};

/* [lattice] (lattice.c). */
poy_status poyi_lattice_read(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, struct poyi_stack *a);
/* Of the recipe's [lattice] and [stack]; NULL into *out where it has neither. Errors: POY_ERR_ARGUMENT, "key: problem: hint". */
poy_status poyi_stack_create(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s, struct poyi_stack **out);
void poyi_stack_fini(struct poyi_stack *a);
/* The orders of all points of the sweep, after its wavenumbers are known. */
poy_status poyi_stack_orders(poy_ctx *ctx, const poy_recipe *r, poyi_scatter *s, const poyi_view *v);
/* The wavevector of a light along the planes: the two components of the ports. */
poy_status poyi_stack_parallel(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, double out[2]);
/* Particles that reach beyond their medium or touch their images, as faults; their number. */
int poyi_stack_faults(poy_ctx *ctx, poy_recipe *r, const poyi_scatter *s);

/* ---- a cell (cell.c): the particles at one wavelength, with their images ---- */

typedef struct poyi_cell {
    const poyi_scatter *s;
    poy_embedding embedding;
    double kpar[3]; /* [lattice.dim] */
    poy_cluster *cluster;
    poy_periodic *periodic; /* NULL: not solved */
} poyi_cell;

/* kz: of cylinders. solve 0: particles alone. */
poy_status poyi_cell_create(poy_ctx *ctx, const poyi_scatter *s, double k0, const poy_medium *medium, double kz,
                            const double *kpar, int lmax, int solve, poyi_cell *out);
void poyi_cell_fini(poyi_cell *c);
/* incident + what all images send: [size]. */
poy_status poyi_cell_exciting(poy_ctx *ctx, const poyi_cell *c, const poy_c128 *incident, const poy_c128 *scattered,
                              poy_c128 *out);
/* E and H at points [3 n] (of the cell's own coordinates) of incident waves: what the array scatters, is_whole[n] 0; inside of
 * particles all of it, is_whole 1; NaN where it is not known. */
poy_status poyi_cell_fields(poy_ctx *ctx, const poyi_cell *c, const poy_c128 *incident, const poy_c128 *scattered,
                            size_t n, const double *points, unsigned char *is_whole, poy_c128 *E, poy_c128 *H);
/* The particle, and the image of it (whole cells), that a point is in: POYI_OUTSIDE where in none. */
int poyi_cell_particle(const poyi_scatter *s, const double point[3], int cells[3]);

/* ---- S-matrices (stack_point.c) and fields (stack_field.c) of one light ---- */

/* A stack at one wavelength, light and degree. */
typedef struct poyi_stack_point {
    const poyi_scatter *s;
    const poyi_light *light;
    poy_stage stage;
    double kpar[2];    /* components of the ports */
    poy_medium *media; /* [n_parts] */
    poy_smatrix *whole;
    void *memory;
} poyi_stack_point;

/* whole 0: without the S-matrix. */
poy_status poyi_stack_point_create(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                                   int whole, poyi_stack_point *p);
void poyi_stack_point_fini(poyi_stack_point *p);
poy_status poyi_stack_cell(poy_ctx *ctx, const poyi_stack_point *p, const poy_medium *medium, int lmax, poyi_cell *out);
/* Amplitudes of the ports: the light, or the same with its helicities exchanged. */
void poyi_stack_light(const poyi_stack_point *p, int exchanged, poy_c128 *out);
/* E and H of one light at the points of a view: out[2][n_points][3]. */
poy_status poyi_stack_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                            const poyi_view *v, poy_c128 *E, poy_c128 *H);

/* ---- chains and crystals (chain.c) ---- */

/* Widths per length: out[3][lights]. */
poy_status poyi_chain_sections(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, poyi_gaps *gaps);
poy_status poyi_chain_field(poy_ctx *ctx, const poyi_scatter *s, const poyi_light *light, double k0, int lmax,
                            const poyi_view *v, poy_c128 *E, poy_c128 *H);
/* The smallest singular value at each Bloch vector of the path: out[n_path]. */
poy_status poyi_bands_map(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, poyi_gaps *gaps);

/* ---- points on a threshold (gaps.c) ---- */

/* Notes a light that a threshold stopped, and makes POY_OK of POY_ERR_THRESHOLD; any other status it passes on. */
poy_status poyi_gap_of_light(poy_ctx *ctx, poy_status status, const poyi_scatter *s, int light, poyi_gaps *gaps);
/* The same of Bloch vector i of the path. */
poy_status poyi_gap_of_bloch(poy_ctx *ctx, poy_status status, const poyi_scatter *s, int i, poyi_gaps *gaps);
void poyi_gap_fill(int64_t n, double *out);

/* ---- */

/* Are S-matrices or widths wanted, or bands along a path (or a near field) alone? */
int poyi_stack_needs_light(const struct poyi_stack *a);
/* The height of each part above the plane of the first array, without one above the first interface: low[n_parts], that of a
 * half space below its end. */
void poyi_stack_heights(const struct poyi_stack *a, double *low);
/* Doubles in a row of all columns that lights fill, of a plane. */
int64_t poyi_stack_lit_width(const poyi_scatter *s);
/* The degree at which the powers of a plane stack stand still, and how far they still change. */
poy_status poyi_stack_stand_still(poy_ctx *ctx, const poyi_scatter *s, double k0, int *lmax, double *change);
/* A near field of any of them. */
poy_status poyi_stack_near(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, double k0, int lmax, double *out,
                           int *degree, double *change, poyi_gaps *gaps);
/* One point: all columns of the view behind those that tell the point. change: with the last degrees, NaN where one was
 * computed; lmax: of the result. */
poy_status poyi_stack_compute(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, double *out, int *degree,
                              double *change, poyi_gaps *gaps);

#endif
