/* guide.h: guides of light: gas-filled hollow fibres, step-index fibres, tables. Effective index, dispersion, loss,
 * effective area, modes, and what they are good for: dispersive waves, coupling of beams, pressures for a target.
 *
 * Fields go as exp(i(omega t - beta z)); beta = omega Re n/c, and n + ik with k > 0 loses power: alpha = 2 omega k/c.
 * A mode is normalised to carry 1 W: (1/2) sqrt(eps0/mu0) integral |e|^2 dA = 1, E(x, y, t) = sum_m e_m(x, y) A_m(t),
 * |A_m|^2 in W (docs/physics.md 1). SI units throughout: m, rad/s, Pa, K.
 * Option structs: fill with *_init, then set what differs; their first member is their size. Whatever they point to is
 * copied. Guides are immutable and counted. */
#ifndef POYNTING_GUIDE_H
#define POYNTING_GUIDE_H

#include "poynting/base.h"
#include "poynting/media.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- modes ---- */

typedef enum poy_mode_family {
    POY_MODE_HE,
    POY_MODE_EH,
    POY_MODE_TE,
    POY_MODE_TM,
    POY_MODE_EX, /* of a rectangular guide, polarised along x, and along y */
    POY_MODE_EY,
    POY_MODE_OTHER /* of a table */
} poy_mode_family;

/* n: azimuthal index (0 for TE, TM, at least 1 for HE, EH), m: radial index from 1. Rectangular: numbers of half
 * periods along x and along y. */
typedef struct poy_mode {
    poy_mode_family family;
    int n, m;
} poy_mode;

/* "HE11", "TE01", "EH1,12", "Ex21" -> mode; also "LP01", the weakly guiding name of HE11. Indices above 9 are parted by a
 * comma, for "HE111" might be either. Errors: POY_ERR_ARGUMENT (a name of several modes, "LP11", among others). */
POY_API poy_status poy_mode_parse(poy_ctx *ctx, const char *name, poy_mode *out);
/* The name that poy_mode_parse reads; size 24 is enough. */
POY_API void poy_mode_format(poy_mode mode, size_t size, char *out);
/* The modes that a name stands for, as many as *n: one, or those of a linearly polarised group in the order of falling index:
 * LP1m is TE0m, HE2m, TM0m; LPlm with l > 1 is EH(l-1)m, HE(l+1)m. Errors: POY_ERR_ARGUMENT. Source: Gloge, Appl. Opt. 10,
 * 2252 (1971). */
POY_API poy_status poy_mode_group(poy_ctx *ctx, const char *name, poy_mode out[3], int *n);
/* The name of the group that a mode of a round guide belongs to, "LP01" of HE11; "" of a rectangular one. */
POY_API void poy_mode_format_group(poy_mode mode, size_t size, char *out);

/* ---- what guides are made of ---- */

typedef double poy_along_function(void *user, double z);

/* A quantity along z: constant, or points (z rising, constant outside), or a function, which is called while the guide
 * is made and never after. Between points a radius is linear and a pressure's square is, as in viscous flow. */
typedef struct poy_along {
    double value; /* where neither points nor a function are given */
    int n;
    const double *z, *values;
    poy_along_function *function; /* smooth, or smooth but for few kinks, on [from, to]; constant outside */
    void *user;
    double from, to;
} poy_along;

/* The gas in a hollow guide. n_gases 0: vacuum. Each gas has its partial pressure: its share of the pressure. */
typedef struct poy_fill_options {
    int n_gases;
    const char *const *gases; /* names, as in poy_gas_create */
    const double *shares;     /* of the pressure; sum 1; NULL for one gas */
    poy_along pressure;       /* Pa */
    double temperature;       /* K [293.15] */
    poy_eos eos;              /* [POY_EOS_HELMHOLTZ] */
    int extrapolate;          /* use indices below the wavelengths of their data, down to the first resonance [0] */
} poy_fill_options;

/* Glass or metal: one of name (poy_material_create), file (poy_material_load) or the index n + ik. */
typedef struct poy_guide_material {
    const char *name, *file;
    const char *text; /* what the file holds: then it is not read, and file is for messages [NULL] */
    double n, k;      /* n 0: not given */
    double offset;    /* added to n at every frequency [0] */
    int extrapolate;  /* use it outside its data [0] */
} poy_guide_material;

typedef struct poy_guide poy_guide;
POY_API poy_guide *poy_guide_retain(poy_guide *guide);
POY_API void poy_guide_destroy(poy_guide **guide);

/* Of all: Errors: POY_ERR_ARGUMENT, POY_ERR_RANGE (the state of a gas), POY_ERR_UNSUPPORTED, each naming the key.
 * modes: names; NULL: n_modes modes from the fundamental on, HE11, HE12, ... or Ey11, Ey12, ...
 * loss: factor of the guide's own loss, 0: none. */

/* A capillary. Source: E. A. J. Marcatili, R. A. Schmeltzer, Bell Syst. Tech. J. 43, 1783 (1964). */
typedef enum poy_capillary_model {
    POY_CAPILLARY_FULL,   /* n = sqrt(eps_co - (u/ka)^2 (1 - iv/ka)^2) */
    POY_CAPILLARY_REDUCED /* n = 1 + (eps_co - 1)/2 - u^2/(2 k^2 a^2) + i u^2 v/(ka)^3 */
} poy_capillary_model;

typedef struct poy_capillary_options {
    size_t size;
    poy_along core_radius; /* m: half of the core's diameter */
    poy_capillary_model model;
    poy_guide_material wall; /* ["SiO2:table"] */
    poy_fill_options fill;
    const char *const *modes;
    int n_modes; /* [1] */
    double loss; /* [1] */
} poy_capillary_options;
POY_API void poy_capillary_options_init(poy_capillary_options *o);
POY_API poy_status poy_guide_create_capillary(poy_ctx *ctx, const poy_capillary_options *o, poy_guide **out);

/* A hollow core within a thin wall, or within touching or separate tubes.
 * THIN_WALL: n = n_co (1 - A s^2 - B s^3 - C s^4 + i D s^4), s = 1/(k n_co a). M. Zeisberger, M. A. Schmidt, Sci. Rep. 7,
 * 11761 (2017), with B and C as the exact three-layer tube has them; THIN_WALL_LUNA: with those of Luna.jl, B of HE twice
 * and of TE, TM half as large, to compare with results of that program.
 * TUBES: empirical, HE11 alone, core_radius constant. L. Vincetti, Opt. Express 24, 10313 (2016); L. Vincetti, L. Rosa,
 * Opt. Express 27, 5230 (2019); L. Rosa, F. Melli, L. Vincetti, Fibers 9, 58 (2021). */
typedef enum poy_antiresonant_model {
    POY_ANTIRESONANT_THIN_WALL,
    POY_ANTIRESONANT_THIN_WALL_LUNA,
    POY_ANTIRESONANT_TUBES
} poy_antiresonant_model;

typedef struct poy_antiresonant_options {
    size_t size;
    poy_along core_radius; /* m */
    poy_antiresonant_model model;
    double wall_thickness;   /* m */
    poy_guide_material wall; /* ["SiO2"] */
    int tubes;               /* number of tubes, and one of the two: the other follows */
    double tube_radius;      /* m, outer; NaN */
    double gap;              /* m, between tubes; NaN */
    poy_fill_options fill;
    const char *const *modes;
    int n_modes; /* [1] */
    double loss; /* [1]: factor of D */
} poy_antiresonant_options;
POY_API void poy_antiresonant_options_init(poy_antiresonant_options *o);
POY_API poy_status poy_guide_create_antiresonant(poy_ctx *ctx, const poy_antiresonant_options *o, poy_guide **out);

/* A round core in an unbounded cladding, exact vector modes. A. W. Snyder, J. D. Love, Optical Waveguide Theory (1983),
 * ch. 12. Materials have to be lossless; attenuation is that of power. */
typedef struct poy_step_index_options {
    size_t size;
    poy_along core_radius; /* m */
    poy_guide_material core, cladding;
    const char *const *modes;
    int n_modes;        /* [1] */
    double attenuation; /* 1/m [0] */
} poy_step_index_options;
POY_API void poy_step_index_options_init(poy_step_index_options *o);
POY_API poy_status poy_guide_create_step_index(poy_ctx *ctx, const poy_step_index_options *o, poy_guide **out);

/* A hollow rectangle, |x| < a, |y| < b: n^2 = eps_co - (m lambda/4a)^2 (1 - i lambda a_c/(2 pi a))^2
 * - (n lambda/4b)^2 (1 - i lambda b_c/(2 pi b))^2. Source: K. D. Laakmann, W. H. Steier, Appl. Opt. 15, 1334 (1976). */
typedef struct poy_rectangular_options {
    size_t size;
    double half_width_x, half_width_y; /* m */
    poy_guide_material wall;           /* ["SiO2:table"] */
    poy_fill_options fill;
    const char *const *modes;
    int n_modes; /* [1] */
    double loss; /* [1] */
} poy_rectangular_options;
POY_API void poy_rectangular_options_init(poy_rectangular_options *o);
POY_API poy_status poy_guide_create_rectangular(poy_ctx *ctx, const poy_rectangular_options *o, poy_guide **out);

/* beta = sum_k beta_k (omega - omega_0)^k/k!, from beta_0 on; one effective area, one attenuation. */
typedef struct poy_simple_guide_options {
    size_t size;
    double wavelength; /* m, of omega_0 */
    const double *beta;
    int n_beta;            /* at least 2: the index must have a value */
    double effective_area; /* m2 */
    double attenuation;    /* 1/m, of power [0] */
} poy_simple_guide_options;
POY_API void poy_simple_guide_options_init(poy_simple_guide_options *o);
POY_API poy_status poy_guide_create_simple(poy_ctx *ctx, const poy_simple_guide_options *o, poy_guide **out);

/* n_eff from tables: cubic splines in omega, linear in z between planes, constant outside them; outside the wavelengths
 * every question is refused. */
typedef struct poy_tabulated_options {
    size_t size;
    int n_modes;                 /* [1] */
    const char *const *names;    /* NULL: "1", "2", ... */
    int n_wavelengths;           /* at least 4 */
    const double *wavelengths;   /* m, rising */
    int n_z;                     /* [1] */
    const double *z;             /* m, rising; NULL for one plane */
    const double *n, *k;         /* [n_modes][n_z][n_wavelengths]; k NULL: no loss */
    const double *area;          /* m2, [n_modes][n_wavelengths], or [n_modes] with area_constant */
    int area_constant;           /* [1] */
    int n_r;                     /* points of a profile that does not depend on the angle; 0: none */
    const double *r, *amplitude; /* m, rising from 0, [n_modes][n_r], any scale; 0 beyond; polarised along y */
    poy_fill_options fill;       /* the gas that responds; n has its index already [vacuum] */
} poy_tabulated_options;
POY_API void poy_tabulated_options_init(poy_tabulated_options *o);
POY_API poy_status poy_guide_create_tabulated(poy_ctx *ctx, const poy_tabulated_options *o, poy_guide **out);

/* ---- what a guide is ---- */

enum { POY_GUIDE_GASES_MAX = 8, POY_GUIDE_MODES_MAX = 256 };

POY_API const char *poy_guide_type(const poy_guide *guide); /* "capillary", ... as in recipes */
POY_API int poy_guide_mode_count(const poy_guide *guide);
POY_API const char *poy_guide_mode_name(const poy_guide *guide, int mode);
/* The number of the mode of that name. Errors: POY_ERR_ARGUMENT (the message lists the guide's modes). */
POY_API poy_status poy_guide_find_mode(poy_ctx *ctx, const poy_guide *guide, const char *name, int *mode);
/* Does anything change along z? */
POY_API int poy_guide_varies(const poy_guide *guide);
POY_API int poy_guide_gas_count(const poy_guide *guide);
POY_API const poy_gas *poy_guide_gas(const poy_guide *guide, int i); /* borrowed */

typedef struct poy_guide_place {
    double z;           /* m */
    double core_radius; /* m; NaN where the guide has none */
    double pressure;    /* Pa; 0 in vacuum */
    int n_gases;
    double density[POY_GUIDE_GASES_MAX]; /* 1/m^3 */
} poy_guide_place;
POY_API void poy_guide_at(const poy_guide *guide, double z, poy_guide_place *out);

/* ---- dispersion; mode: number from 0; z in m; omega in rad/s ----
 * Errors of all: POY_ERR_INDEX (no such mode), POY_ERR_ARGUMENT (omega not above 0), POY_ERR_RANGE (outside the data of
 * gas, wall or table; a mode that is cut off: the message has the count of guided ones). */

/* out[2 (order + 1)]: re and im of n_eff - 1 and of its derivatives d^k/d omega^k, order <= POY_DERIVATIVES_MAX. */
POY_API poy_status poy_guide_index(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, int order,
                                   double *out);
/* out[order + 1]: beta = omega Re n/c and its derivatives, 1/m, s/m, s^2/m, ... */
POY_API poy_status poy_guide_beta(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, int order,
                                  double *out);
/* *alpha = 2 omega Im n/c, 1/m, as the model has it. */
POY_API poy_status poy_guide_attenuation(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega,
                                         double *alpha);
/* *area in m2: (integral |e|^2 dA)^2 / integral |e|^4 dA. */
POY_API poy_status poy_guide_effective_area(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega,
                                            double *area);

/* Bins where numbers are held before they are exponentiated: Re n at least 1e-3, alpha from 0 to 3000/m. */
typedef struct poy_guide_clamps {
    int64_t index;     /* Re n below 1e-3 */
    int64_t loss;      /* alpha above 3000/m */
    int64_t gain;      /* alpha below 0: a wall with Re n < 1 */
    int64_t resonance; /* |cot| of a thin wall above 50: nothing is held, but the expansion has no meaning there */
} poy_guide_clamps;
/* beta [n] and alpha [n] at omega [n], held to those limits; either may be NULL, and clamps (added to) too. */
POY_API poy_status poy_guide_propagation(poy_ctx *ctx, const poy_guide *guide, int mode, double z, int64_t n,
                                         const double *omega, double *beta, double *alpha, poy_guide_clamps *clamps);
/* Do the data of gas, wall, core and tables cover the wavelengths? Errors: POY_ERR_RANGE, naming what and its limit. */
POY_API poy_status poy_guide_check_range(poy_ctx *ctx, const poy_guide *guide, double wavelength_min,
                                         double wavelength_max);
/* How many modes of this family and azimuthal index a step-index fibre guides: roots of Bessel functions below V.
 * Errors: POY_ERR_UNSUPPORTED (another guide), POY_ERR_ARGUMENT. */
POY_API poy_status poy_guide_guided_count(poy_ctx *ctx, const poy_guide *guide, poy_mode_family family, int n, double z,
                                          double omega, int *count);
/* V = k a sqrt(n_co^2 - n_cl^2) of a step-index fibre, and how many modes it guides, every direction of each counted
 * (V^2/2 from V = 100 on: Gloge, Appl. Opt. 10, 2252 (1971)).
 * Errors: POY_ERR_UNSUPPORTED (another guide), POY_ERR_ARGUMENT. */
POY_API poy_status poy_guide_guided(poy_ctx *ctx, const poy_guide *guide, double z, double omega, double *v,
                                    int *count);

/* Wavelengths in [from, to] (m) where beta_2 = 0, rising, at most max of them into out; *n: how many there are. */
POY_API poy_status poy_guide_zero_dispersion(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double from,
                                             double to, int max, double *out, int *n);
/* Wavelengths in [from, to] of dispersive waves phase matched to a soliton at the wavelength pump: roots of
 * beta(omega) - beta_0 - beta_1 (omega - omega_0) other than omega_0, rising. */
POY_API poy_status poy_guide_dispersive_waves(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double pump,
                                              double from, double to, int max, double *out, int *n);

/* The solitons of a pulse of peak power P0 and duration T0 of sech^2(t/T0) at the wavelength pump, in a gas. */
typedef struct poy_soliton {
    double beta2, gamma;   /* s2/m, 1/(W m) at the pump */
    double order, fission; /* N = sqrt(gamma P0 T0^2/|beta_2|); T0^2/(|beta_2| N), m; NaN in normal dispersion */
    double power; /* W, of the strongest one, where the pulse breaks up: P0 (2 - 1/N)^2 exp(-alpha fission); 0 below
                            * N = 1/2 and in normal dispersion. Source: Y. Kodama and A. Hasegawa, IEEE J. Quantum
                            * Electron. 23, 510 (1987), with the guide's loss */
} poy_soliton;
/* Errors: those of poy_guide_beta; POY_ERR_UNSUPPORTED (a guide without gas), POY_ERR_ARGUMENT. */
POY_API poy_status poy_guide_soliton(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double pump,
                                     double peak_power, double t0, poy_soliton *out);
/* poy_guide_dispersive_waves of that soliton with its own phase: roots of
 * beta(omega) - beta_0 - beta_1 (omega - omega_0) - (gamma power/2) omega/omega_0. None without a soliton.
 * Sources: N. Akhmediev and M. Karlsson, Phys. Rev. A 51, 2602 (1995); self-steepening: D. Novoa and others, Phys. Rev.
 * Lett. 115, 033901 (2015). */
POY_API poy_status poy_guide_soliton_waves(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double pump,
                                           double peak_power, double t0, double from, double to, int max, double *out,
                                           int *n);

/* A pressure, or a core radius, that meets a target. */
typedef enum poy_pin_target {
    POY_PIN_ZERO_DISPERSION, /* beta_2 = 0 at wavelength */
    POY_PIN_DISPERSIVE_WAVE, /* a soliton of no power at pump is phase matched to wavelength */
    POY_PIN_SOLITON_ORDER,   /* N at pump: N^2 = gamma P0 T0^2/|beta_2|, anomalous dispersion */
    POY_PIN_SOLITON_WAVE     /* the soliton that the pulse sheds is, with its own phase: poy_guide_soliton_waves */
} poy_pin_target;
typedef enum poy_pin_variable { POY_PIN_PRESSURE, POY_PIN_RADIUS } poy_pin_variable;
typedef struct poy_pin_options {
    size_t size;
    poy_pin_target target;
    poy_pin_variable variable;
    int mode;
    double z;                /* where the guide is looked at [0] */
    double wavelength, pump; /* m */
    double order;            /* N */
    double peak_power, t0;   /* W, s: of the soliton's targets; T0 of sech^2(t/T0) */
    double from, to;         /* search range in Pa or m; 0: 1e-6 bar to 100 bar, 1 um to 1 mm */
} poy_pin_options;
POY_API void poy_pin_options_init(poy_pin_options *o);
/* The lowest pressure (Pa), the smallest radius (m), that meets the target; the others are the guide's.
 * Errors: POY_ERR_NO_CONVERGENCE (none in the range), POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED (a guide without gas). */
POY_API poy_status poy_guide_pin(poy_ctx *ctx, const poy_guide *guide, const poy_pin_options *o, double *value);

/* ---- fields ---- */

/* e[2]: the transverse field (x, y) of a mode at the point (x, y) in m, sqrt(V/A)/m. angle: phi of
 * J_{n-1}(ur/a) (sin(n (theta + phi) - theta), cos(n (theta + phi) - theta)): 0 turns HE1m along y, pi/2 along x.
 * Errors: POY_ERR_UNSUPPORTED (no profile is known). */
POY_API poy_status poy_guide_field(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega, double angle,
                                   double x, double y, double e[2]);
/* A beam in front of a guide: E ~ exp(-r^2/waist^2) in its waist, of 1 W before iris and aperture, in vacuum. */
typedef struct poy_beam {
    size_t size;
    double waist;         /* m, 1/e2 radius of the intensity in the waist, without an iris */
    double x, y;          /* m: its centre [0] */
    double polarisation;  /* rad from y towards x [0] */
    double distance;      /* m: of the waist in front of the guide's entrance; below 0: behind it [0] */
    double iris;          /* at the lens that focuses it: radius over the 1/e2 radius of the beam there; 0: none [0] */
    double aperture;      /* m: radius of an aperture at the entrance, on the axis; 0: none [0] */
    double aperture_edge; /* m: the amplitude falls from 1 to 0 about it as (1 + cos)/2; 0: a hard edge [0] */
} poy_beam;
POY_API void poy_beam_init(poy_beam *beam);

/* amplitude = (1/2) sqrt(eps0/mu0) integral e.E dA, re and im, with E at the entrance: of a Gaussian beam
 * exp(-r^2/(w0^2 (1 - i zeta)))/(1 - i zeta), zeta = distance/(k w0^2/2); behind an iris of the relative radius T
 * 2 integral_0^T exp(-s^2 (1 - i zeta)) J_0(2 r s/w0) s ds. The share of the beam's power in the mode is its square.
 * Errors: POY_ERR_ARGUMENT, naming the member; POY_ERR_RANGE (a waist below 1/40 of the core's radius); those of
 * poy_guide_field. Source: Siegman, Lasers (1986), ch. 16, 18. */
POY_API poy_status poy_guide_couple_beam(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega,
                                         double angle, const poy_beam *beam, double amplitude[2]);
/* The share of a beam's power that iris and aperture leave: 1 - exp(-2 T^2) of the iris. */
POY_API poy_status poy_beam_passed(poy_ctx *ctx, const poy_beam *beam, double omega, double *share);
/* The amplitude of a beam that has its waist at the entrance, without iris and aperture: a real one. */
POY_API poy_status poy_guide_couple(poy_ctx *ctx, const poy_guide *guide, int mode, double z, double omega,
                                    double angle, double waist, double x, double y, double polarisation,
                                    double *amplitude);

#ifdef __cplusplus
}
#endif

#endif
