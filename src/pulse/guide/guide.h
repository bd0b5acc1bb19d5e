/* guide.h: what the rooms of pulse know of guides beside poynting/guide.h: the linear operator along z as terms and
 * weights, or as a table in z, and the matrices of modal synthesis and projection. */
#ifndef POYI_GUIDE_H
#define POYI_GUIDE_H

#include "core/cmplx.h"
#include "poynting/guide.h"

/* The material of a name, a file or an index, which may extrapolate; its offset is left to the caller. key: of messages.
 * Errors: POY_ERR_ARGUMENT, and those of poy_material_create and its kin (wall.c). */
poy_status poyi_guide_material_create(poy_ctx *ctx, const char *key, const poy_guide_material *from,
                                      poy_material **out);

/* ---- along z (linear.c): L(omega, z) = -i (beta - frame) - alpha/2 of each column ---- */

typedef enum poyi_frame {
    POYI_FRAME_GROUP,  /* beta_1(z) omega: real fields, and envelopes that keep their carrier */
    POYI_FRAME_CARRIER /* beta_0(z) + beta_1(z) (omega - omega_0) */
} poyi_frame;

typedef struct poyi_linear_options {
    int64_t n_w;
    const double *omega;       /* [n_w] rad/s, any order */
    const unsigned char *mask; /* [n_w] bins that count; NULL: those with omega > 0. Elsewhere everything is 0 */
    int n_c;
    const int *modes; /* [n_c] numbers of the guide's modes */
    double omega0;    /* rad/s: where the frame's beta_0(z), beta_1(z) are taken */
    int reference;    /* and of which mode */
    poyi_frame frame;
    double length; /* m: z goes from 0 to it */
} poyi_linear_options;

typedef enum poyi_along_form {
    POYI_ALONG_TERMS, /* sum over t of weight_t(z) term_t: exact, or to rounding */
    POYI_ALONG_TABLE  /* Chebyshev series in z, section by section */
} poyi_along_form;

/* A quantity of n doubles that depends on z. */
typedef struct poyi_expansion {
    poyi_along_form form;
    int64_t n;      /* doubles of a term: 2 n_c n_w of the phase, n_c n_w of the reciprocal index */
    int n_term;     /* terms; of a table: terms of a section's series, degree + 1 */
    int n_section;  /* 0 of terms */
    double *values; /* [n_term][n]; [n_section][n_term][n] */
} poyi_expansion;

typedef struct poyi_linear poyi_linear;
/* Phi(z) = integral_0^z L dz', c128 [n_c][n_w], and 1/Re n(omega, z), f64 [n_c][n_w], from which the prefactor of the
 * source comes. Re n and alpha are held to the limits of poy_guide_clamps; along z, where alpha passes 3000/m within a
 * bin, it goes there smoothly, as alpha (1 + (alpha/3000)^4)^(-1/4), and a bin with Re n below 1e-3 anywhere is held
 * at both limits throughout: nothing is left of it, and the others keep few terms.
 * Terms: constant guides (one), reduced capillaries (of 1, density, 1/a^2, 1/a^3), tables of n (one a plane), and
 * whatever changes with pressure alone or with radius alone (Chebyshev polynomials of pressure, or of 1/a); else tables.
 * Errors: those of poy_guide_index; POY_ERR_NO_CONVERGENCE, POY_ERR_ARGUMENT, POY_ERR_MEMORY, POY_ERR_BUDGET. */
poy_status poyi_linear_create(poy_ctx *ctx, poy_guide *guide, const poyi_linear_options *o, poyi_linear **out);
void poyi_linear_destroy(poyi_linear **linear);
const poyi_expansion *poyi_linear_phase(const poyi_linear *linear);
const poyi_expansion *poyi_linear_reciprocal(const poyi_linear *linear);
/* Bins (of all columns) that are held somewhere along z. */
poy_guide_clamps poyi_linear_clamps(const poyi_linear *linear);

/* out[n] = sum_k c_k T_k(x) by Clenshaw's sum, rounded operation by operation; c[terms][n] (linear_strict.c). */
void poyi_clenshaw(int terms, int64_t n, const double *c, double x, double *out);
/* Phi(z), c128 [n_c][n_w], and 1/Re n, f64 [n_c][n_w], whatever the form. */
void poyi_linear_phase_at(const poyi_linear *linear, double z, double *out);
void poyi_linear_reciprocal_at(const poyi_linear *linear, double z, double *out);

/* ---- modal synthesis and projection (modal.c) ---- */

typedef struct poyi_modal_options {
    int n_c;
    const int *modes;     /* [n_c] numbers of the guide's modes */
    const double *angles; /* [n_c] rad, as in poy_guide_field; NULL: all 0 */
    double omega;         /* rad/s: where fields that depend on it are taken */
    double z;             /* m: where S and Q are taken; elsewhere they scale with the core's radius */
    int finer;            /* this times as many radii as by themselves; 0: once */
    int n_r, n_theta; /* 0: 4 m + 8, m = u/pi rounded up, and 4 h + 4, h the highest harmonic (1 where there is none) */
} poyi_modal_options;

/* E = S A at the nodes, dA = Q P: Q_mq = weight_q e_m(q). Rows of S: polarisations one after the other, nodes within. */
typedef struct poyi_modal {
    int n_c, n_nodes, n_pol; /* n_pol 1: all fields along one direction; 2: along x and y */
    double direction[2];     /* of n_pol 1 */
    double radius;           /* m: at another radius a S is S radius/a, Q is Q a/radius */
    double *x, *y, *weight;  /* [n_nodes] m, m^2 */
    double *S;               /* [n_pol n_nodes][n_c] sqrt(V/A)/m */
    double *Q;               /* [n_c][n_pol n_nodes] */
    double *Q_coarse;        /* [n_c][n_pol n_nodes]: of the embedded rule, for the alarm */
    double error;            /* largest |<m|n> - delta_mn|; of fibres <m|n> of two modes is (1/2) integral (e_m x h_n)_z
                              * over the powers of both */
} poyi_modal;

/* Errors: POY_ERR_ARGUMENT: columns that stand twice, or are not orthonormal to 1e-6, by name; POY_ERR_UNSUPPORTED (no
 * profile), POY_ERR_MEMORY, POY_ERR_BUDGET. */
poy_status poyi_modal_create(poy_ctx *ctx, const poy_guide *guide, const poyi_modal_options *o, poyi_modal *out);
void poyi_modal_fini(poyi_modal *modal);

/* ---- for setting up propagation (path.c) ---- */

/* What changes along z; the radius with the pressure, where both go from one value to another between the same points. */
typedef enum poyi_guide_coordinate { POYI_ALONG_NOTHING, POYI_ALONG_PRESSURE, POYI_ALONG_RADIUS } poyi_guide_coordinate;
/* Its points, constant outside; between them it, or its square, is linear in z. Borrowed from the guide. */
typedef struct poyi_guide_path_points {
    poyi_guide_coordinate coordinate;
    int square, n;
    const double *z, *values; /* m; Pa or m */
} poyi_guide_path_points;
/* Errors: POY_ERR_UNSUPPORTED, by name, of what changes otherwise. */
poy_status poyi_guide_path(poy_ctx *ctx, const poy_guide *guide, poyi_guide_path_points *out);
/* The guide where the coordinate has a value; densities from the equation of state. */
poy_status poyi_guide_at_coordinate(poy_ctx *ctx, const poy_guide *guide, poyi_guide_coordinate coordinate,
                                    double value, poy_guide_place *out);
poy_mode poyi_guide_mode(const poy_guide *guide, int mode);
/* Re n - 1 and alpha (1/m) of modes at places, [places][modes] as work is, held to their limits; what was held is added to
 * *clamps. */
poy_status poyi_guide_modes_at(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                               int n_modes, const int *modes, double omega, double complex *work, double *excess,
                               double *alpha, poy_guide_clamps *clamps);
/* The same again at a frequency where something is held at some places: no kink from one to another. A bin whose index is
 * held, or whose loss is held in a resonance of the wall, at any place has the highest loss at all, and index 1; a loss that
 * passes the highest goes there as poyi_soft_loss; one that is below 0 at any is 0 at all. dead [n_modes]: 1 where the loss
 * is held. */
poy_status poyi_guide_soften(poy_ctx *ctx, const poy_guide *guide, int n_places, const poy_guide_place *places,
                             int n_modes, const int *modes, double omega, double *excess, double *alpha, int *dead);
/* out: omega (Re n - 1)/c and its derivative. */
poy_status poyi_guide_frame_at(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                               double omega, double out[2]);
poy_status poyi_guide_area_at(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_guide_place *place,
                              double omega, double *area);
/* Power of the strongest soliton that a pulse of peak power and order N breaks into, after the fission length in a guide
 * with loss (poy_soliton); 0 below N = 1/2 and where N is NaN. */
double poyi_soliton_power(double peak_power, double order, double fission, double alpha);
double poyi_guide_temperature(const poy_guide *guide); /* K */

#endif
