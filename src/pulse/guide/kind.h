/* kind.h: what a guide holds, and what each kind of guide has to tell; the files of this room share it. */
#ifndef POYI_GUIDE_KIND_H
#define POYI_GUIDE_KIND_H

#include <math.h>
#include <stdatomic.h>

#include "core/constants.h"
#include "media/media.h"
#include "pulse/guide/cjet.h"
#include "pulse/guide/guide.h"
#include "pulse/setup/setup.h"

/* ---- quantities along z (along.c) ---- */

typedef enum poyi_between { POYI_BETWEEN_LINEAR, POYI_BETWEEN_SQUARE } poyi_between; /* points: v or v^2 is linear */

typedef struct poyi_series poyi_series; /* piecewise Chebyshev, from a function */
typedef struct poyi_along {
    poyi_between between;
    int n; /* 1: constant */
    double *z, *v;
    poyi_series *series;
} poyi_along;

/* Copies points, or approximates a function to 1e-14 of its largest value. key: for messages; may_be_zero: 0 where all
 * values have to be above 0. Errors: POY_ERR_ARGUMENT, POY_ERR_NO_CONVERGENCE (a function with too many kinks). */
poy_status poyi_along_create(poy_ctx *ctx, const char *key, const char *unit, poyi_between between, int may_be_zero,
                             const poy_along *from, poyi_along *out);
void poyi_along_fini(poyi_along *along);
double poyi_along_at(const poyi_along *along, double z);
int poyi_along_varies(const poyi_along *along);
void poyi_along_range(const poyi_along *along, double *least, double *most);
/* Positions where it is not smooth, into out [max], rising; returns how many there are. */
int poyi_along_breaks(const poyi_along *along, int max, double *out);

/* ---- gas (fill.c) ---- */

typedef struct poyi_fill {
    int n;
    poy_gas *gas[POY_GUIDE_GASES_MAX];
    double share[POY_GUIDE_GASES_MAX];
    poy_eos eos;
    int extrapolate;
    double temperature;
    poyi_along pressure;
    double pressure_max;
    double density[POY_GUIDE_GASES_MAX]; /* where the pressure is constant */
    int n_series[POY_GUIDE_GASES_MAX];
    double *series[POY_GUIDE_GASES_MAX]; /* density/pressure over 0 ... share pressure_max, where it is not */
} poyi_fill;

poy_status poyi_fill_create(poy_ctx *ctx, const poy_fill_options *o, poyi_fill *out);
void poyi_fill_fini(poyi_fill *fill);
/* Densities [n] at a pressure in the range of the profile. */
void poyi_fill_density(const poyi_fill *fill, double pressure, double *density);
/* The same at any pressure, from the equation of state. Errors: those of poy_gas_density. */
poy_status poyi_fill_density_at(poy_ctx *ctx, const poyi_fill *fill, double pressure, double *density);
/* n_co^2 - 1 = sum gamma1_i density_i as a series. */
poy_status poyi_fill_susceptibility(poy_ctx *ctx, const poyi_fill *fill, const double *density, double omega, int order,
                                    poyi_jet *out);

/* ---- glass (wall.c) ---- */

typedef struct poyi_wall {
    const char *key; /* "geometry.wall" */
    poy_material *material;
    double offset;
} poyi_wall;

poy_status poyi_wall_create(poy_ctx *ctx, const char *key, const poy_guide_material *from, poyi_wall *out);
void poyi_wall_fini(poyi_wall *wall);
/* The same of the wall of a hollow guide. Errors: POY_ERR_ARGUMENT (the index is 1). */
poy_status poyi_wall_index_hollow(poy_ctx *ctx, const poyi_wall *wall, double omega, int order, poyi_cjet *out);
/* The same of a material that may not absorb. Errors: POY_ERR_UNSUPPORTED (k is not 0). */
poy_status poyi_wall_index_real(poy_ctx *ctx, const poyi_wall *wall, double omega, int order, poyi_cjet *out);

/* ---- modes (mode.c) ---- */

typedef struct poyi_mode {
    poy_mode mode;
    char name[32];
    double u;             /* zero of J_order; round hollow guides */
    int order;            /* of the Bessel function */
    double area_fraction; /* A_eff/a^2 */
} poyi_mode;

/* ---- fields ---- */

typedef struct poyi_profile poyi_profile;
struct poyi_profile {
    /* e[2] at (x, y) in m */
    void (*at)(const poyi_profile *field, double x, double y, double e[2]);
    /* The transverse magnetic field there, in any unit; NULL: at right angles to e and proportional to it. */
    void (*magnetic)(const poyi_profile *field, double x, double y, double h[2]);
    double amplitude;      /* sqrt(V/A)/m */
    double radius;         /* m, of the core; scale of the rule */
    double extent;         /* m: beyond it the field is 0, or counts as 0 */
    double half_x, half_y; /* m, of a rectangle; 0: round */
    int harmonic;          /* highest azimuthal harmonic of the components */
    poy_mode mode;
    double angle, u, w;
    double a1, a2, cladding;  /* step index: shares of J_{n-1} and J_{n+1}, n_cl^2/n_co^2 */
    double a3, a4, a5, a6;    /* those of the magnetic field in core and cladding */
    const poyi_spline *table; /* borrowed from the guide */
};
/* The round hollow fields: J_o(ur/a) times (sin, cos)(nu theta + n phi), (-sin, cos)(theta), (cos, sin)(theta). */
void poyi_profile_hollow(const poyi_mode *mode, double radius, double angle, poyi_profile *out);

/* ---- kinds ---- */

typedef struct poyi_kind {
    const char *name;
    int round_hollow; /* order, u and area_fraction of modes are those of J_order */
    int fixed_radius; /* the radius is part of the model: no taper, no pin */
    /* n_eff - 1 as the model has it, with its loss. */
    poy_status (*index)(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                        int order, poyi_cjet *out);
    /* The same at many places and of many modes at once, out[places][modes]: what depends on omega alone is worked out
     * once. NULL: one by one. */
    poy_status (*index_of_many)(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                                int n_modes, const int *modes, double omega, double complex *out);
    poy_status (*area)(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                       double *area);
    poy_status (*field)(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                        double angle, poyi_profile *out);
    /* Is n - 1 a sum of functions of omega times 1, 1/a^2, 1/a^3 and the densities? Those functions: parts[3 + gases],
     * without the guide's factor of the loss. NULL: no. */
    int (*separable)(const poy_guide *guide);
    poy_status (*parts)(poy_ctx *ctx, const poy_guide *guide, int mode, double omega, int order, poyi_cjet *parts);
    /* Positions between which the index is linear in z: how many, at *z; NULL: none. */
    int (*planes)(const poy_guide *guide, const double **z);
    /* NULL: none beyond gas and walls. */
    poy_status (*check_range)(poy_ctx *ctx, const poy_guide *guide, double wavelength_min, double wavelength_max);
    /* |cot| of the wall, or NULL. */
    poy_status (*resonance)(poy_ctx *ctx, const poy_guide *guide, const poy_guide_place *place, double omega,
                            double *value);
    void (*fini)(void *own);
} poyi_kind;

struct poy_guide {
    _Atomic int references;
    const poyi_kind *kind;
    int model; /* poy_capillary_model, poy_antiresonant_model */
    int n_modes;
    poyi_mode *modes;
    poyi_fill fill;
    int has_radius;
    poyi_along radius;
    poyi_wall wall, core; /* wall: wall or cladding */
    double loss;          /* factor of Im n */
    double attenuation;   /* 1/m, of power, beside it */
    void *own;            /* of the kind */
};

/* An empty guide of a kind with one reference. Errors: POY_ERR_MEMORY. */
poy_status poyi_guide_new(poy_ctx *ctx, const poyi_kind *kind, poy_guide **out);
/* Its modes from names, or the first count of a family (NULL). Duplicates are refused.
 * allowed: families as bits 1 << family. */
poy_status poyi_guide_set_modes(poy_ctx *ctx, poy_guide *guide, const char *const *names, int count,
                                poy_mode_family first, unsigned allowed);
poy_status poyi_guide_check_mode(poy_ctx *ctx, const poy_guide *guide, int mode);

/* n_eff - 1 with the guide's factor of the loss and its attenuation. Errors: of poy_guide_index. */
poy_status poyi_guide_index(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                            int order, poyi_cjet *out);
/* Of many, excess and alpha [places][modes]; work as large. */
poy_status poyi_guide_held_many(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                                int n_modes, const int *modes, double omega, double complex *work, double *excess,
                                double *alpha, poy_guide_clamps *clamps);
/* alpha (1 + (alpha/3000)^4)^(-1/4): smooth, and within 2.5e-5 of alpha below 300/m; 0 below 0. */
double poyi_soft_loss(double alpha);
poy_status poyi_guide_field(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                            double angle, poyi_profile *out);
/* The same guide at another pressure or radius (NaN: as it is at z); densities from the equation of state. */
poy_status poyi_guide_place(poy_ctx *ctx, const poy_guide *guide, double z, double pressure, double radius,
                            poy_guide_place *out);
/* Radius (NULL: none), wall, gas and loss of a hollow guide; its area and field are those of round_hollow. */
poy_status poyi_guide_set_hollow(poy_ctx *ctx, poy_guide *guide, const poy_along *radius,
                                 const poy_guide_material *wall, const poy_fill_options *fill, double loss);
poy_status poyi_hollow_area(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                            double *area);
poy_status poyi_hollow_field(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place, double omega,
                             double angle, poyi_profile *out);
#define POYI_ROUND_MODES (1U << POY_MODE_HE | 1U << POY_MODE_EH | 1U << POY_MODE_TE | 1U << POY_MODE_TM)

/* out[order + 1]: derivatives of omega (n - 1)/c. */
void poyi_excess_beta(const poyi_cjet *excess, double omega, double *out);

#endif
