/* statistics.h: what is measured of a state: one implementation of every row of statistics.def, used at planes and
 * between them. */
#ifndef POYI_STATISTICS_H
#define POYI_STATISTICS_H

#include "poynting/guide.h"
#include "pulse/problem.h"

typedef enum poyi_statistic_kind {
#define POY_STATISTIC(name, unit, cost, text) POYI_STATISTIC_##name,
#include "poynting/statistics.def"
#undef POY_STATISTIC
    POYI_STATISTIC_COUNT
} poyi_statistic_kind;

typedef enum poyi_statistic_cost {
    POYI_COST_SPECTRAL,
    POYI_COST_TEMPORAL,
    POYI_COST_FINE,
    POYI_COST_HOST
} poyi_statistic_cost;

/* One that was asked for. band: wavelengths (m) of an energy, both 0: all of it. column: -1: all. */
typedef struct poyi_statistic {
    poyi_statistic_kind kind;
    double band[2];
    int column;
} poyi_statistic;

/* What does not change along a guide, found once. */
typedef struct poyi_statistic_memory {
    int has_zdw, has_width;
    double zdw, width; /* m; full width per core radius */
    int has_axis;
    double axis[2 * POY_GUIDE_MODES_MAX][2]; /* fields of the columns on the axis at z = 0, sqrt(V/A)/m */
} poyi_statistic_memory;

/* Sums over the bins k of |A_k|^2, of each as it is or with a weight. */
typedef struct poyi_spectral_sums {
    double power;   /* 1 */
    double photons; /* 1/omega where omega > 0 */
    double signal;  /* 1 in the signal band */
    double moment;  /* omega - omega0 there */
} poyi_spectral_sums;

/* What several statistics of one state need, found once for it. */
typedef struct poyi_statistic_found {
    int has_power, power_column; /* power is that of this column */
    int64_t peak;                /* its first largest sample */
    int has_sums, sums_column;
    poyi_spectral_sums sums;
} poyi_statistic_found;

/* The state that they are taken of. */
typedef struct poyi_sample {
    poy_ctx *ctx;
    const poy_problem *problem;
    double z; /* m */
    poyi_statistic_memory *memory;
    poyi_statistic_found *found; /* NULL: every statistic finds its own */
    const double *electrons; /* of each species: integral of its rate over the window, largest rate; NULL: not known */
    const double *field;     /* c128 [n_c][n_w] */
    const double *time;      /* c128 [n_c][n_t]; NULL unless a temporal one is asked for */
    double *power;           /* [n_t] W, summed over columns; with time */
    double quadrature;       /* NaN: mode-averaged */
    int column;              /* that is measured alone; -1: all */
} poyi_sample;

/* "energy", "energy:180e-9:320e-9". Errors: POY_ERR_ARGUMENT, which lists the names. */
poy_status poyi_statistic_parse(poy_ctx *ctx, const char *name, poyi_statistic *out);
poyi_statistic_cost poyi_statistic_costs(const poyi_statistic *s);
double poyi_statistic_value(const poyi_statistic *s, const poyi_sample *sample);

/* ---- spectral.c: sums over the bins, without a transform ---- */

double poyi_stat_energy(const poyi_sample *s, const double band[2]);        /* J */
double poyi_stat_photon_number(const poyi_sample *s, const double band[2]); /* 1 */
double poyi_stat_omega_mean(const poyi_sample *s, const double band[2]);    /* rad/s; NaN of a field that is 0 */

/* ---- temporal.c: of the power on the coarse grid, P_n = |A(t_n)|^2, without interpolation between samples but where
 * a crossing is sought ---- */

double poyi_stat_peak_power(const poyi_sample *s, const double band[2]); /* W */
double poyi_stat_peak_time(const poyi_sample *s, const double band[2]);  /* s; the first of equal ones */
double poyi_stat_fwhm_t(const poyi_sample *s, const double band[2]);     /* s */
double poyi_stat_fwhm_t_max(const poyi_sample *s, const double band[2]); /* s */

/* Where power [n_t] falls to half of its maximum at peak, on both sides nearest to it, in samples; NaN: nowhere. */
void poyi_stat_half_maximum(const double *power, int64_t n_t, int64_t peak, double *left, double *right);

/* ---- guide.c: of a guide, its gas and what the field does to it; NaN in a fibre ---- */

double poyi_stat_energy_per_mode(const poyi_sample *s, const double band[2]);  /* J, of the first mode */
double poyi_stat_peak_intensity(const poyi_sample *s, const double band[2]);   /* W/m2 */
double poyi_stat_quadrature_error(const poyi_sample *s, const double band[2]); /* 1 */
double poyi_stat_electron_density(const poyi_sample *s, const double band[2]); /* 1/m3 */
double poyi_stat_peak_rate(const poyi_sample *s, const double band[2]);        /* 1/s */
double poyi_stat_density(const poyi_sample *s, const double band[2]);          /* 1/m3, of all gases */
double poyi_stat_pressure(const poyi_sample *s, const double band[2]);         /* Pa */
double poyi_stat_core_radius(const poyi_sample *s, const double band[2]);      /* m */
double poyi_stat_fwhm_r(const poyi_sample *s, const double band[2]);           /* m */
double poyi_stat_zdw(const poyi_sample *s, const double band[2]);              /* m */

/* The first largest sample of the power, that is no NaN. */
int64_t poyi_stat_peak(const double *power, int64_t n_t);

/* time c128 [n_c][n_t] (sqrt(W)) -> power [n_t] (W), summed over columns, or of one. */
void poyi_stat_power(const poy_problem *problem, const double *time, int column, double *power);

/* ---- axis.c ---- */

/* Fields of each column along x and y, [n_c][2]: on the axis, or what stands for a mode that is averaged. Times unit they
 * are V/m per sqrt(W) at the sample's z. NULL: a fibre, or a guide without profiles. */
const double (*poyi_axis_fields(const poyi_sample *s, double *unit))[2];

#endif
