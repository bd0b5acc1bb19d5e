/* scatter.h: a scattering recipe as numbers: bodies, light, what is wanted of each wavelength, and the work that follows. */
#ifndef POYI_RUN_SCATTER_H
#define POYI_RUN_SCATTER_H

#include "media/curve.h"
#include "poynting/farfield.h"
#include "poynting/media.h"
#include "poynting/particle.h"
#include "poynting/tmatrix.h"
#include "run/recipe/recipe.h"
#include "run/scatter/room.h"
#include "run/store/store.h"

/* ---- materials (matter.c) ---- */

typedef struct poyi_matter {
    poy_material *material; /* NULL: constant */
    poy_medium constant;
} poyi_matter;

/* At a node of the resolved recipe; key: for messages. Errors: POY_ERR_ARGUMENT, "key: problem: hint". */
poy_status poyi_matter_create(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, const char *key, poyi_matter *out);
void poyi_matter_fini(poyi_matter *m);
/* Errors: POY_ERR_RANGE (beyond the data). */
poy_status poyi_matter_at(poy_ctx *ctx, const poyi_matter *m, double k0, poy_medium *out);
/* d epsilon / d k0: of data; 0 of constants. */
poy_status poyi_matter_slope(poy_ctx *ctx, const poyi_matter *m, double k0, poy_c128 *out);
int poyi_matter_absorbs(const poy_medium *m);

/* ---- bodies (body.c) ---- */

typedef enum poyi_shape {
    POYI_SHAPE_SPHERE, /* of any number of layers */
    POYI_SHAPE_CYLINDER,
    POYI_SHAPE_AXISYMMETRIC,
    POYI_SHAPE_FILE
} poyi_shape;

/* A [[particle]]. */
typedef struct poyi_body {
    poyi_shape shape;
    const char *word, *file; /* as in the recipe */
    int layers;
    double *radii; /* [layers] rising */
    poyi_matter *matter;
    poy_profile profile; /* of axisymmetric */
    poyi_curve *curve;   /* of a profile from a table */
    double around;       /* radius of the sphere (cylinder) around it; NaN: not known */
    double angles[3];
    int turned;
    poy_tmatrix **tmatrices; /* of a file */
    size_t n_tmatrices;
    int lmax; /* of a file */
} poyi_body;

poy_status poyi_body_create(poy_ctx *ctx, poy_recipe *r, poyi_arena *arena, int index, poyi_body *out);
void poyi_body_fini(poyi_body *b);
/* T-matrix in waves of helicity, turned, about its own centre; kz [n_kz]: of cylinders. */
poy_status poyi_body_tmatrix(poy_ctx *ctx, const poyi_body *b, const poy_embedding *e, int lmax, size_t n_kz,
                             const double *kz, poy_tmatrix **out);
/* Distance of the surface from the centre in a direction of the world; around where the shape is not known. */
double poyi_body_surface(const poyi_body *b, const double direction[3]);
/* Is the field inside computed: of spheres and cylinders whose waves fall by less than e^-300 across a layer. */
poy_status poyi_body_lets_in(poy_ctx *ctx, const poyi_body *b, double k0, int *out);

/* ---- light (light.c) ---- */

/* A plane wave of 1 V/m. */
typedef struct poyi_light {
    double direction[3], angles[2]; /* angles: theta and phi as in the recipe */
    double polarisation[2][2];      /* amplitudes of helicities 0 and 1: re, im */
    const char *word;               /* of its polarisation */
} poyi_light;

/* All lights of a recipe: every theta with every phi with every polarisation. normal: the axis along which light goes where
 * nothing is said; cylinders: no light along z. Errors: POY_ERR_ARGUMENT, "key: problem: hint"; POY_ERR_MEMORY. */
poy_status poyi_lights_create(poy_ctx *ctx, const poy_recipe *r, poyi_arena *arena, int normal, int cylinders, int *n,
                              poyi_light **out);
/* Unit vectors of rising theta and phi at a direction; at the poles those of phi = 0. */
void poyi_light_frame(const double direction[3], double theta[3], double phi[3]);

/* ---- settings (settings.c) ---- */

enum { POYI_VIEWS_MAX = 8, POYI_OUTSIDE = -1, POYI_UNKNOWN = -2 };
typedef enum poyi_view_kind {
    POYI_VIEW_SWEEP,
    POYI_VIEW_NEAR,
    POYI_VIEW_FAR,
    POYI_VIEW_CONVERGENCE,
    POYI_VIEW_ARRAY
} poyi_view_kind;

/* One series of the result: what is computed at each of some wavenumbers. */
typedef struct poyi_view {
    poyi_view_kind kind;
    const char *group; /* of the file: "near_field" */
    int n;
    double *k0;       /* [n] 1/m */
    int *lmax;        /* [n]; 0: chosen so that the results change by less than tol */
    int axis, pixels; /* near: normal of the plane; pixels along an edge; far: directions */
    double offset, size, centre[3];
    double *points; /* near [3 pixels^2], far [3 n_points]: directions */
    int *
        inside; /* near [pixels^2]: the particle that a point is in, POYI_OUTSIDE, or POYI_UNKNOWN: too near for expansions */
    int64_t n_points;
} poyi_view;

typedef struct poyi_scatter {
    poyi_arena arena;
    const char *name;
    poyi_matter medium;
    int n_bodies, n; /* bodies, and their copies */
    poyi_body *bodies;
    int *owner;        /* [n] body of a copy */
    double *positions; /* [n][3] m */
    int cylinders, files_only;
    int n_lights;
    poyi_light *lights;
    int lmax, lmax_parts; /* 0: automatic; degrees that are told apart */
    double tol;
    int solver; /* 0 automatic, 1 dense, 2 gmres */
    int cross_sections, tmatrix;
    int lmax_tmatrix;
    poyi_view views[POYI_VIEWS_MAX];
    int n_views;
    int64_t items;            /* of all views */
    struct poyi_stack *array; /* [lattice] and [stack] (stack.h); NULL: particles alone */
    poyi_room *room;          /* of who computes; NULL: memory is not reserved */
} poyi_scatter;

/* The settings of a checked recipe. What cannot be is a fault of the recipe with its line. Errors: POY_ERR_RECIPE,
 * POY_ERR_UNSUPPORTED, POY_ERR_MEMORY. */
poy_status poyi_scatter_create(poy_ctx *ctx, poy_recipe *r, poyi_scatter *out);
void poyi_scatter_fini(poyi_scatter *s);
enum { POYI_FAR_DIRECTIONS = 64 }; /* of a far field at once */
/* Faults of bodies that overlap (geometry.c); 0 where there are none. Needs bodies and positions. */
int poyi_scatter_overlaps(poy_recipe *r, const poyi_scatter *s);
/* Those of far fields where there are none, and so on; 0 where there are none. */
int poyi_scatter_faults(poy_ctx *ctx, poy_recipe *r, poyi_scatter *s);
/* Tells of keys without effect; the number of those that are faults (idle.c). */
int poyi_scatter_idle(poy_recipe *r, const poyi_scatter *s);
/* Largest k r of a body in the medium at k0, r of the sphere around it. */
poy_status poyi_scatter_size(poy_ctx *ctx, const poyi_scatter *s, double k0, double *out);
/* The degree (order of cylinders) that is tried first. */
poy_status poyi_scatter_degree(poy_ctx *ctx, const poyi_scatter *s, double k0, double tol, int *out);
/* Share of the amplitude that is left with each more degree, of the closest pair; 0: one body. */
double poyi_scatter_ratio(const poyi_scatter *s);

/* ---- one point (solve.c) ---- */

typedef struct poyi_solution {
    poy_embedding embedding;
    poy_cluster *cluster;
    poy_basis *owned, *basis; /* owned: without a cluster; basis: borrowed */
    size_t n;
    poy_c128 *incident, *scattered; /* [lights][n] */
    int lmax, iterations;           /* iterations: 0 by factors */
    int complete;                   /* cross sections are summed over all degrees, not only to lmax */
    void *memory;
} poyi_solution;

poy_status poyi_solution_create(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poyi_solution *out);
void poyi_solution_fini(poyi_solution *x);
/* Field of a light at points: out[n][3]. */
poy_status poyi_light_sample(poy_ctx *ctx, const poy_embedding *e, const poyi_light *light, poy_wave_field kind,
                             size_t n, const double *points, poy_c128 *out);
/* The light as regular waves of a basis [size]. */
poy_status poyi_light_expand(poy_ctx *ctx, const poy_embedding *e, const poyi_light *light, const poy_basis *basis,
                             poy_c128 *out);
/* Adds the field inside of particle k, of the exciting waves about it, at points; poyi_body_lets_in tells where it may be. */
poy_status poyi_body_interior(poy_ctx *ctx, const poyi_body *b, const poy_embedding *e, const poy_basis *basis, int k,
                              const poy_c128 *exciting, poy_wave_field kind, size_t n, const double *points,
                              poy_c128 *out);
/* The waves of a solution; the caller's. */
poy_status poyi_solution_basis(poy_ctx *ctx, const poyi_scatter *s, double k0, int lmax, poy_basis **out);
/* A sphere alone, whose degrees do not mix; a system so small that it is solved by factors. */
int poyi_scatter_is_lone_sphere(const poyi_scatter *s);
int poyi_scatter_is_dense(const poyi_scatter *s, size_t n);
size_t poyi_solution_size(const poyi_scatter *s, int lmax);
/* Degrees that are never exceeded in search of one: of particles, of lattices and stacks. */
enum { POYI_RISE_MOST = 125, POYI_STACK_DEGREE_MOST = 30 };

/* ---- memory beyond what was reserved (bytes.c) ---- */

/* Before a point of a view is computed at a degree above that which was tried first. Errors: POY_ERR_BUDGET. */
poy_status poyi_scatter_raise(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int lmax);
/* Before factors take over from an iteration. Errors: POY_ERR_BUDGET. */
poy_status poyi_scatter_give_way(poy_ctx *ctx, const poyi_scatter *s, int lmax);

/* ---- what a result holds (layout.c) ---- */

/* The datasets of all views, in the arena of s. Errors: POY_ERR_MEMORY. */
poy_status poyi_scatter_layout(poy_ctx *ctx, poyi_scatter *s, poyi_store_layout *out);
/* Doubles in a row of a view. */
int64_t poyi_scatter_width(const poyi_store_layout *layout, int view);

/* ---- what is computed (quantity.c) ---- */

/* Item i, 0 <= i < items, as view and row. */
const poyi_view *poyi_scatter_item(const poyi_scatter *s, int64_t item, int *row);
/* What of a row is left NaN: there a diffraction order is on its threshold, and the answer diverges. */
typedef struct poyi_gaps {
    int n;           /* lights, and Bloch vectors of a path */
    char first[500]; /* the first of them, and its order */
} poyi_gaps;
/* Computes an item into out: the columns of its view, one after the other. */
poy_status poyi_scatter_compute(poy_ctx *ctx, const poyi_scatter *s, int64_t item, double *out, poyi_gaps *gaps);

#endif
