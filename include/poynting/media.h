/* media.h: what light meets: gases (density, index, Kerr effect, Raman lines, ionisation) and materials whose complex
 * index is known as a function of frequency.
 *
 * Units are SI: wavelengths are those in vacuum, in m, angular frequencies in rad/s, pressures in Pa, temperatures in K,
 * densities in particles per m^3. Indices are n + ik with k > 0 absorbing. Derivatives are those with respect to the
 * angular frequency, order by order: out[m] = d^m/d omega^m, m = 0 ... order, order at most POY_DERIVATIVES_MAX.
 * A function that refuses leaves its outputs untouched. */
#ifndef POYNTING_MEDIA_H
#define POYNTING_MEDIA_H

#include "poynting/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { POY_DERIVATIVES_MAX = 12 };

/* ---- gases ---- */

typedef struct poy_gas poy_gas;

/* How a density follows from pressure and temperature. The ideal gas is used only where it is asked for by name. */
typedef enum poy_eos { POY_EOS_HELMHOLTZ, POY_EOS_IDEAL } poy_eos;

/* A row of the list of gases. Strings live as long as the library. */
typedef struct poy_gas_info {
    const char *name;        /* "Ar"; "ArB": the same species with another index formula */
    const char *species;     /* "Ar" */
    double lambda_min;       /* m: shorter waves are outside the index data */
    double lambda_pole;      /* m: the formula's longest resonance; there it means nothing */
    double fit_min, fit_max; /* m: the published range of the fit; NaN where the source states none */
    double temperature_min, temperature_max, pressure_max; /* of the equation of state */
    const char *index_source, *density_source;
    const char *kerr_source, *ionisation_source, *raman_source; /* NULL: no such data */
    int raman; /* 1: the Raman response belongs to the default model of the gas */
} poy_gas_info;

POY_API int poy_gas_count(void);
/* Row i of the list, 0 <= i < poy_gas_count(); *out is filled. Errors: POY_ERR_INDEX. */
POY_API poy_status poy_gas_info_at(poy_ctx *ctx, int i, poy_gas_info *out);

/* What a gas that goes by this name is called here: "Ar" of "argon" or "ar", "SF6" of "sulfur hexafluoride"; NULL: nothing. */
POY_API const char *poy_gas_formula(const char *name);
/* The gas of that name, for the caller to destroy. Errors: POY_ERR_ARGUMENT (unknown; the message lists the gases). */
POY_API poy_status poy_gas_create(poy_ctx *ctx, const char *name, poy_gas **out);
POY_API void poy_gas_destroy(poy_gas **gas);
POY_API const char *poy_gas_name(const poy_gas *gas);
POY_API const char *poy_gas_species(const poy_gas *gas);

/* *density at a pressure and a temperature; *slope = d density/d pressure, 1/(m^3 Pa), if slope is not NULL.
 * POY_EOS_HELMHOLTZ: p = rho R T (1 + delta d alpha_r/d delta) with the reference equation of the fluid, solved from the
 * low-density side; POY_EOS_IDEAL: p/(k_B T). Pressure 0 gives density 0.
 * Errors: POY_ERR_ARGUMENT (pressure below 0, temperature not above 0, not a number), POY_ERR_RANGE (outside the range
 * of the equation; the state is liquid). */
POY_API poy_status poy_gas_density(poy_ctx *ctx, const poy_gas *gas, poy_eos eos, double pressure, double temperature,
                                   double *density, double *slope);
/* The inverse. Errors: POY_ERR_ARGUMENT, POY_ERR_RANGE (temperature). */
POY_API poy_status poy_gas_pressure(poy_ctx *ctx, const poy_gas *gas, poy_eos eos, double density, double temperature,
                                    double *pressure);

/* out[order + 1]: gamma1 in m^3 and its derivatives; the susceptibility is chi1 = gamma1 x density.
 * Errors: POY_ERR_RANGE (at or beyond the first resonance: the message names the shortest valid wavelength),
 * POY_ERR_ARGUMENT (order, omega not above 0). */
POY_API poy_status poy_gas_polarisability(poy_ctx *ctx, const poy_gas *gas, double omega, int order, double *out);
/* May the gas be used down to this wavelength? POY_OK if lambda_min >= that of poy_gas_info, or extrapolate is not 0 and
 * lambda_min is above the first resonance. Errors: POY_ERR_RANGE. */
POY_API poy_status poy_gas_check_range(poy_ctx *ctx, const poy_gas *gas, double lambda_min, int extrapolate);

/* *gamma3 in m^5/V^2: P = eps0 density gamma3 E^3. Errors: POY_ERR_UNSUPPORTED (no value is known: air). */
POY_API poy_status poy_gas_hyperpolarisability(poy_ctx *ctx, const poy_gas *gas, double *gamma3);

/* ---- mixtures: susceptibilities and responses add, each with its own density ---- */

typedef struct poy_gas_part {
    const poy_gas *gas;
    double density; /* of this species, 1/m^3, from its partial pressure */
} poy_gas_part;

/* out[order + 1]: chi1 = sum gamma1_i density_i and its derivatives. Errors: as poy_gas_polarisability;
 * POY_ERR_ARGUMENT (a density below 0). */
POY_API poy_status poy_gas_susceptibility(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, int order,
                                          double *out);
/* out[order + 1]: n - 1 = chi1/(1 + sqrt(1 + chi1)), without the cancellation of n - 1, and its derivatives (which are
 * those of n). Errors: as poy_gas_susceptibility. */
POY_API poy_status poy_gas_index(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, int order,
                                 double *out);
/* *chi3 = sum gamma3_i density_i, m^2/V^2. Errors: as poy_gas_hyperpolarisability. */
POY_API poy_status poy_gas_chi3(poy_ctx *ctx, int count, const poy_gas_part *parts, double *chi3);
/* *n2 = (3/4) chi3/(eps0 c n^2), m^2/W. */
POY_API poy_status poy_gas_n2(poy_ctx *ctx, int count, const poy_gas_part *parts, double omega, double *n2);

/* ---- Raman response of molecules ---- */

typedef struct poy_gas_raman poy_gas_raman; /* the lines of one gas at one temperature */

typedef enum poy_raman_kind { POY_RAMAN_ROTATION, POY_RAMAN_VIBRATION } poy_raman_kind;

/* A line of h = sum K sin(omega tau) exp(-tau/tau_2), P = density E(t) int_0^inf h(tau) E^2(t - tau) dtau. */
typedef struct poy_raman_line {
    double strength; /* K, SI */
    double omega;    /* rad/s */
    poy_raman_kind kind;
} poy_raman_line;

typedef struct poy_gas_raman_options {
    size_t size;               /* of this struct; set by poy_gas_raman_options_init */
    int rotation, vibration;   /* [1] */
    double rotation_lifetime;  /* tau_2 in s; NaN: from the linewidths of the data [NaN] */
    double vibration_lifetime; /* [NaN] */
} poy_gas_raman_options;

POY_API void poy_gas_raman_options_init(poy_gas_raman_options *options);
/* Rotation: rigid but for the centrifugal constant, E_J = 2 pi hbar c (B J(J + 1) - D (J(J + 1))^2), J = 0 ... 50 up to
 * the first fall of E_J, populations rho_J ~ q_J (2J + 1) exp(-E_J/kT); lines J -> J + 2,
 *   K_J = -(4 pi eps0)^2 (2/15) (dalpha^2/hbar) ((J + 1)(J + 2)/(2J + 3)) (rho_(J+2)/(2J + 5) - rho_J/(2J + 1)).
 * Vibration: K = (4 pi eps0)^2 (d alpha/dQ)^2/(4 mu omega). options may be NULL: the defaults.
 * Errors: POY_ERR_UNSUPPORTED (no Raman lines; no linewidth is published and no lifetime is given: O2),
 * POY_ERR_ARGUMENT. Source: the row in raman_gas.def. */
POY_API poy_status poy_gas_raman_create(poy_ctx *ctx, const poy_gas *gas, double temperature,
                                        const poy_gas_raman_options *options, poy_gas_raman **out);
POY_API void poy_gas_raman_destroy(poy_gas_raman **raman);
/* Up to max lines into out; returns how many there are. */
POY_API int poy_gas_raman_lines(const poy_gas_raman *raman, int max, poy_raman_line *out);
/* tau_2 = 1/(pi (C + A/r + B r)) in s, r = density in amagat; a constant where the data say so. Infinite where no width is
 * left at density 0; 0 where A > 0 makes it diverge there: the response is then 0. */
POY_API double poy_gas_raman_lifetime(const poy_gas_raman *raman, poy_raman_kind kind, double density);
/* h(t) in SI at that density; 0 for t <= 0. */
POY_API double poy_gas_raman_response(const poy_gas_raman *raman, double density, double t);

/* ---- ionisation by strong fields ---- */

typedef enum poy_ionisation_model {
    POY_IONISATION_AUTO, /* PPT where orbital and charge are known, else ADK */
    POY_IONISATION_ADK,  /* static tunnelling: Ammosov, Delone, Krainov, Sov. Phys. JETP 64, 1191 (1986) */
    POY_IONISATION_PPT   /* Perelomov, Popov, Terentev; as Ilkov et al., J. Phys. B 25, 4005 (1992) */
} poy_ionisation_model;

typedef struct poy_ionisation_options {
    size_t size; /* of this struct; set by poy_ionisation_options_init */
    poy_ionisation_model model;
    double wavelength;  /* m; PPT needs it */
    int stark;          /* I_p + (alpha_neutral - alpha_ion) E^2/2 where the polarisabilities are known [1] */
    int dipole;         /* factor exp(-2 alpha_ion E) in atomic units, where known [1] */
    int sum_m;          /* over m = -l ... l; else m = 0 alone [1] */
    int cycle_averaged; /* over the cycle of a linearly polarised carrier [0] */
    int sum_integral;   /* replace the sum over photon numbers by an integral: thresholds averaged out [0] */
    double occupancy;   /* electrons in each orbital [2] */
    double coefficient; /* C_nl^2; NaN: 2^(2n*)/(n* Gamma(2 n*)) of PPT, with n* for ADK [NaN] */
    double tolerance;   /* of the sum, relative [1e-12] */
    double potential;   /* J; NaN: the species' own [NaN] */
    int orbital;        /* l; -1: the species' own [-1] */
    double charge;      /* Z; NaN: the species' own [NaN] */
} poy_ionisation_options;

typedef struct poy_ionisation poy_ionisation;

POY_API void poy_ionisation_options_init(poy_ionisation_options *options);
/* The rate of one species at one wavelength; nothing of gas or options is kept. gas may be NULL if the potential is
 * given (ADK), and orbital, charge, potential (PPT).
 * Errors: POY_ERR_UNSUPPORTED (no ionisation potential is known; PPT where orbital and charge are not: ADK needs
 * neither), POY_ERR_ARGUMENT. */
POY_API poy_status poy_ionisation_create(poy_ctx *ctx, const poy_gas *gas, const poy_ionisation_options *options,
                                         poy_ionisation **out);
POY_API void poy_ionisation_destroy(poy_ionisation **ionisation);
/* *rate in 1/s at the field (V/m; its sign does not matter). 0 at field 0, and where the rate is below 1e-308.
 * ADK: W = w_p C^2 (4 w_p/w_t)^(2n* - 1) exp(-4 w_p/(3 w_t)), w_p = I_p/hbar, w_t = e|E|/sqrt(2 m_e I_p),
 *      n* = Z (I_H/I_p)^(1/2) with Z = 1, C^2 = 2^(2n*)/(n* Gamma(n* + 1) Gamma(n*)); averaged: x sqrt(3E/(pi E_0)).
 * PPT, atomic units, I = I_p + stark E^2, n* = Z/sqrt(2I), E0 = (2I)^(3/2), g = w sqrt(2I)/E, r = sqrt(1 + g^2),
 *      v = (I + E^2/(4w^2))/w, a = 2 (asinh g - g/r), b = 2g/r:
 *      W = sum_m occ (4 sqrt2/pi) C^2 (2 E0/(E r))^(2n* - |m| - 3/2) f_lm/|m|! exp(-2v (asinh g - g r/(1 + 2g^2)))
 *          I g^2/r^2 sqrt(pi E0/(3E)) [1 if averaged] S_m exp(-2 alpha_ion E),
 *      S_m = sum_{q >= ceil v} exp(-a (q - v)) phi_m(sqrt(b (q - v))), phi_m(x) = exp(-x^2) int_0^x (x^2 - y^2)^m
 *      exp(y^2) dy, f_lm = (2l + 1)(l + |m|)!/(2^|m| |m|! (l - |m|)!).
 *      Source: Ilkov, Decker, Chin, J. Phys. B 25, 4005 (1992); Berge et al., Rep. Prog. Phys. 70, 1633 (2007), app. A.
 * Errors: POY_ERR_NONFINITE (the field, or a rate at a field beyond all sense). */
POY_API poy_status poy_ionisation_rate(poy_ctx *ctx, const poy_ionisation *ionisation, double field, double *rate);
POY_API poy_ionisation_model poy_ionisation_model_of(const poy_ionisation *ionisation); /* never AUTO */
POY_API double poy_ionisation_potential(const poy_ionisation *ionisation);              /* I_p, J */
/* Z^3/(16 n*^4) atomic units in V/m: above this field the barrier is gone. */
POY_API double poy_ionisation_barrier_field(const poy_ionisation *ionisation);
/* omega sqrt(2 m_e I_p)/(e |E|) at the model's wavelength (NaN without one). */
POY_API double poy_ionisation_keldysh(const poy_ionisation *ionisation, double field);

/* What a table does above its last field. */
typedef enum poy_ionisation_above { POY_IONISATION_ERROR, POY_IONISATION_HOLD } poy_ionisation_above;

typedef struct poy_ionisation_table poy_ionisation_table;

/* ln W at equidistant fields from field_max/5000 to field_max (0: twice the barrier field), a cubic spline between them
 * (points: 0 for 2^16); points at the low end where W is 0 are dropped, below the first W is 0. The spline is good to
 * about 1e-6; in the cells around the channel closings of PPT, where W has kinks, to 1e-3 (l = 1) or 2e-2 (l = 0).
 * Tables are kept in the user's cache folder ($XDG_CACHE_HOME/poynting, else ~/.cache/poynting) under the digest of all
 * parameters, if cache is not 0; a folder that cannot be used only costs the time to compute them again.
 * Errors: POY_ERR_ARGUMENT, POY_ERR_MEMORY, POY_ERR_BUDGET. */
POY_API poy_status poy_ionisation_table_create(poy_ctx *ctx, const poy_ionisation *ionisation, double field_max,
                                               size_t points, poy_ionisation_above above, int cache,
                                               poy_ionisation_table **out);
POY_API void poy_ionisation_table_destroy(poy_ionisation_table **table);
/* *rate in 1/s, and, if slope is not NULL, *slope = d rate/d field with the sign of the field; above the last field the
 * slope of a held rate is 0.
 * Errors: POY_ERR_RANGE (above the table, unless held: the message names field and limit), POY_ERR_NONFINITE. */
POY_API poy_status poy_ionisation_table_rate(poy_ctx *ctx, const poy_ionisation_table *table, double field,
                                             double *rate, double *slope);
/* First and last field of the table in V/m. */
POY_API void poy_ionisation_table_range(const poy_ionisation_table *table, double *field_min, double *field_max);

/* ---- materials: a complex index as a function of frequency ---- */

typedef struct poy_material poy_material;

typedef enum poy_material_kind {
    POY_MATERIAL_CONSTANT, /* one index at every frequency */
    POY_MATERIAL_FORMULA,  /* a dispersion formula of refractiveindex.info, 1 to 9; real, imaginary where n^2 < 0 */
    POY_MATERIAL_TABLE,    /* n and k between points, as cubics in the wavelength */
} poy_material_kind;

/* A row of the list of materials, or what poy_material_info tells of one. Strings live as long as the library or the
 * material. */
typedef struct poy_material_row {
    const char *name; /* "SiO2", "Au:Johnson" */
    poy_material_kind kind;
    double lambda_min, lambda_max; /* m: where the data were taken */
    double n2;                     /* m^2/W; NaN: not known */
    const char *source, *comment;  /* publication; conditions ("" if none are known) */
} poy_material_row;

POY_API int poy_material_count(void);
/* Row i of the list of built-in materials, 0 <= i < poy_material_count(). Errors: POY_ERR_INDEX. */
POY_API poy_status poy_material_row_at(poy_ctx *ctx, int i, poy_material_row *out);

/* The built-in material of that name. "SiO2" is Malitson's formula, "SiO2:table" the complex table; "water" the real
 * formula of Daimon, "water:Hale" the absorbing table. Errors: POY_ERR_ARGUMENT (unknown; the message has the names). */
POY_API poy_status poy_material_create(poy_ctx *ctx, const char *name, poy_material **out);
/* n + ik at every frequency. Errors: POY_ERR_ARGUMENT (not finite). */
POY_API poy_status poy_material_create_constant(poy_ctx *ctx, double n, double k, poy_material **out);
/* n(angle) = (cos^2/n_o^2 + sin^2/n_e^2)^(-1/2) of a uniaxial crystal with rows "NAME:o" and "NAME:e" (ADP, KDP, BBO);
 * angle between the wave vector and the axis, rad. Errors: POY_ERR_ARGUMENT. */
POY_API poy_status poy_material_create_uniaxial(poy_ctx *ctx, const char *name, double angle, poy_material **out);
/* lambda[count] rising, n[count], k[count] or NULL for a lossless material; copied. Between the points: monotone cubics
 * (Fritsch and Butland, SIAM J. Sci. Stat. Comput. 5, 300 (1984)), which never pass the data.
 * Errors: POY_ERR_ARGUMENT (fewer than 2 points, not rising, not finite, k below 0). */
POY_API poy_status poy_material_create_table(poy_ctx *ctx, const char *name, size_t count, const double *lambda,
                                             const double *n, const double *k, poy_material **out);
/* A file, or bytes of text, in the format of refractiveindex.info: DATA of type "formula 1" to "formula 9", "tabulated
 * nk", "tabulated n", "tabulated k" (beside a formula or tabulated n). name is for messages and for poy_material_info.
 * Errors: POY_ERR_IO; POY_ERR_ARGUMENT, with file and line; POY_ERR_UNSUPPORTED (another type, by name). */
POY_API poy_status poy_material_load(poy_ctx *ctx, const char *path, poy_material **out);
POY_API poy_status poy_material_parse(poy_ctx *ctx, const char *name, const char *text, size_t bytes,
                                      poy_material **out);
POY_API void poy_material_destroy(poy_material **material);

POY_API void poy_material_info(const poy_material *material, poy_material_row *out);
/* Allow wavelengths outside the data: formulas are then evaluated anyway, tables keep their end values. Default 0. */
POY_API void poy_material_set_extrapolate(poy_material *material, int on);
/* POY_OK if the data cover the wavelengths (m), or extrapolation is allowed. Errors: POY_ERR_RANGE. */
POY_API poy_status poy_material_check_range(poy_ctx *ctx, const poy_material *material, double lambda_min,
                                            double lambda_max);
/* out[2 (order + 1)]: re and im of n + ik and of its derivatives. A table's third derivative jumps at its points, the
 * second of a monotone one too; k of a spline that swings below 0 is 0.
 * Errors: POY_ERR_RANGE (outside the data, and extrapolation is not allowed), POY_ERR_ARGUMENT (order, omega not above
 * 0), POY_ERR_NONFINITE (a formula's pole). */
POY_API poy_status poy_material_index(poy_ctx *ctx, const poy_material *material, double omega, int order, double *out);
/* *n2 in m^2/W. Errors: POY_ERR_UNSUPPORTED (not known: give it). */
POY_API poy_status poy_material_n2(poy_ctx *ctx, const poy_material *material, double *n2);

#ifdef __cplusplus
}
#endif

#endif
