/* setup.h: what the files of this room share: checks of options, the inside of grids, fibres and pulses, the record as
 * a list of fields. */
#ifndef POYI_SETUP_H
#define POYI_SETUP_H

#include <math.h>
#include <stdatomic.h>

#include "core/constants.h"
#include "core/core.h"
#include "math/math.h"
#include "pulse/problem.h"

/* ---- checks of options (check.c) ---- */

/* Copies an option struct of the caller's size over one that holds the defaults: a caller built against an older
 * header keeps the defaults of what it does not know. name: "poy_grid_options"; least: the size it had at first.
 * Errors: POY_ERR_ARGUMENT (no struct, a size that *_init never wrote). */
poy_status poyi_options_copy(poy_ctx *ctx, const char *name, const void *from, size_t least, size_t size, void *to);
/* Errors: POY_ERR_ARGUMENT, "KEY: VALUE UNIT ..." (key as in recipes, "grid.window"). */
poy_status poyi_check_finite(poy_ctx *ctx, const char *key, double value, const char *unit);
poy_status poyi_check_positive(poy_ctx *ctx, const char *key, double value, const char *unit);
poy_status poyi_check_not_negative(poy_ctx *ctx, const char *key, double value, const char *unit);
poy_status poyi_check_choice(poy_ctx *ctx, const char *key, int value, int count, const char *choices);
/* values [n] all finite; the message names the first that is not. */
poy_status poyi_check_list(poy_ctx *ctx, const char *key, const double *values, int64_t n, const char *unit);

/* ---- grid (grid.c) ---- */

struct poy_grid {
    _Atomic int references;
    poy_grid_info info;
    double reference, wavelength_min, wavelength_max; /* m, as asked; 0: no limits */
    double window;                                    /* s, as asked; info.window is what it became */
    double *omega, *time, *window_w, *window_t, *window_to;
    unsigned char *mask;
};

/* Lowest and highest angular frequency of the band: the wavelength limits, else the positive bins. */
void poyi_grid_band(const poy_grid *grid, double *low, double *high);

/* ---- fibre (fibre.c) ---- */

/* beta(omega) - beta_0 - beta_1 (omega - omega0), the frame removed: a polynomial about omega0, or the spline of n_eff
 * over omega, beta = omega n_eff / c. */
typedef struct poyi_fibre {
    double omega0;      /* of the frame, rad/s */
    double gamma;       /* 1/(W m), at omega0 */
    double attenuation; /* of power, 1/m */
    int shock;
    int n_beta;         /* terms beta_2 ... about omega0 */
    double *beta;       /* s^2/m, s^3/m, ... */
    poyi_spline *index; /* NULL: the polynomial */
    double n0, slope0;  /* n_eff and its derivative at omega0 */
} poyi_fibre;

/* Checks the options and makes the fibre on a grid. Errors: POY_ERR_ARGUMENT, naming the key. */
poy_status poyi_fibre_create(poy_ctx *ctx, const poy_fibre_options *options, const poy_grid *grid, int shock,
                             poyi_fibre **out);
void poyi_fibre_destroy(poyi_fibre **fibre);
/* beta(omega) - beta_0 - beta_1 (omega - omega0), 1/m. */
double poyi_fibre_phase(const poyi_fibre *fibre, double omega);
/* d^order beta / d omega^order without the frame, s^order/m; order 1 ..., of a table to 3, which is constant between its
 * points. */
double poyi_fibre_beta(const poyi_fibre *fibre, int order, double omega);

struct poyi_medium; /* medium.h */
void poyi_medium_destroy(struct poyi_medium **medium);

/* ---- pulses (pulse.c, launch.c, cw.c, measured.c, launch_state.c, noise.c) ---- */

/* A pulse as asked for, checked: pulse.N of messages is index. */
typedef struct poyi_pulse {
    int index;
    const poy_problem *problem; /* whose guide it may have gone through; NULL: none */
    poy_pulse_options o;
    double omega;         /* carrier, rad/s */
    double fwhm, t0;      /* s, of power: full width at half maximum; sech^2's t0, else the half width at 1/e; NaN */
    int64_t bin;          /* of a constant wave, from the grid's carrier */
    int64_t sideband_bin; /* 0: none */
} poyi_pulse;

/* Errors: POY_ERR_ARGUMENT, naming the key. */
poy_status poyi_pulse_check(poy_ctx *ctx, const poy_grid *grid, int index, const poy_pulse_options *options,
                            poyi_pulse *out);
/* "pulse.2.fwhm" into key; returns key. */
const char *poyi_pulse_key(const poyi_pulse *pulse, const char *name, char key[64]);
/* Adds one pulse to spectrum, c128 [n_w]; peak: its largest power on the grid (W), or NULL. */
poy_status poyi_launch_add(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum, double *peak);
/* Constant waves (cw.c): what belongs to them alone, checked; spectrum of some power, c128 [n_t], of which [n_w] count;
 * energy of the average power, J; coherence time of the line, integral |g_1|^2 d tau, s, NaN without a line. */
poy_status poyi_cw_check(poy_ctx *ctx, const poy_grid *grid, poyi_pulse *pulse);
poy_status poyi_cw_make(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum);
double poyi_cw_energy(const poy_grid *grid, const poyi_pulse *pulse);
double poyi_cw_coherence(const poy_pulse_options *o);
/* Pulses by tables (measured.c): checked, with the duration of a measured power; spectra of any energy, as above.
 * Errors: POY_ERR_ARGUMENT, naming pulse.N.file. */
poy_status poyi_measured_check(poy_ctx *ctx, poyi_pulse *pulse);
poy_status poyi_measured_spectrum(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum);
poy_status poyi_measured_profile(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum);
/* A exp(-i phi) with the pulse's phases, cut to the signal band. */
void poyi_launch_phases(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum);
/* exp(-i bin pi): a pulse at t = 0 stands in the middle of the array, where transforms start at its beginning. */
double poyi_launch_middle(int64_t bin);
/* The signed number of bin k in FFT order. */
int64_t poyi_launch_bin(const poy_grid_info *info, int64_t k);
/* The state of another run (launch_state.c): its options; and all its columns on this grid, after phases and passages, with their
 * energy: spectra c128 [n_columns][n_w]. strongest: the column with most of the energy, or NULL.
 * Errors: POY_ERR_ARGUMENT (the grid does not hold it), those of poyi_passages_apply, naming pulse.N. */
poy_status poyi_launch_state_check(poy_ctx *ctx, const poyi_pulse *pulse);
poy_status poyi_launch_state_columns(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectra,
                                     int *strongest);
/* What the pulse has gone through (passage.c): checked without the grid, and done to its spectrum, c128 [n_w].
 * Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED, POY_ERR_RANGE, naming pulse.N.through. */
poy_status poyi_passages_check(poy_ctx *ctx, const poyi_pulse *pulse);
poy_status poyi_passages_apply(poy_ctx *ctx, const poy_grid *grid, const poyi_pulse *pulse, double *spectrum);
/* The share of the pulse's amplitude that goes into each column of the problem: weights c128 [n_c] (couple.c).
 * Errors: POY_ERR_ARGUMENT, POY_ERR_UNSUPPORTED, naming the key. */
poy_status poyi_launch_weights(poy_ctx *ctx, const poy_problem *problem, const poyi_pulse *pulse, double *weights);
/* The share of a beam's power that iris and aperture leave; 1 of what is no beam. */
poy_status poyi_launch_passed(poy_ctx *ctx, const poyi_pulse *pulse, double *share);
/* Adds one draw of the problem's noise to spectrum. */
void poyi_noise_add(const poy_problem *problem, double *spectrum);

/* ---- problems (problem.c, solver.c) ---- */

/* Checks the options (NULL: the defaults) against grid, length and planes, and fills in what they leave open.
 * Errors: POY_ERR_ARGUMENT, naming the key. */
poy_status poyi_solver_resolve(poy_ctx *ctx, const poy_solver_options *given, const poy_grid *grid, double length,
                               const double *planes, int n_planes, poy_solver_options *out);
/* A problem with the numbers of its grid, one column and one term, and nothing else. */
poy_status poyi_problem_new(poy_ctx *ctx, poy_grid *grid, double length, poy_problem **out);
/* What belongs to the march: resolved options, windows, weights, positions. */
poy_status poyi_problem_set_solver(poy_ctx *ctx, poy_problem *p, const poy_solver_options *o, const double *planes,
                                   int n_planes);
/* Memory of the array of that name. */
poy_status poyi_problem_array(poy_ctx *ctx, const char *name, poy_dtype dtype, int64_t rows, int64_t cols,
                              poyi_data *a);

/* Of silica: choices, and a fraction only where Raman acts. Errors: POY_ERR_ARGUMENT. */
poy_status poyi_physics_check(poy_ctx *ctx, const poy_physics_options *o);
/* Kerr, Raman and noise of silica, with the shares of both responses. */
void poyi_problem_set_physics(poy_problem *p, const poy_physics_options *o);

/* ---- modes of a glass fibre (fibre_modes.c) ---- */

/* n_eff of a mode over the signal band, equidistant in frequency: wavelengths (m, rising) and n, so many points.
 * Errors: those of poy_guide_index; POY_ERR_ARGUMENT, naming geometry.modes (a mode that is cut off within the band);
 * POY_ERR_UNSUPPORTED (a radius that changes along z). */
int poyi_mode_table_points(void);
poy_status poyi_mode_table(poy_ctx *ctx, const poy_guide *guide, int mode, const poy_grid *grid, double *wavelengths,
                           double *n);

/* ---- numbers (describe.c) ---- */

/* out[order + 1]: beta and its derivatives at omega, at z of a guide; of a fibre what its frame leaves, NaN above order 3
 * of a table. Errors: those of poy_guide_beta. */
poy_status poyi_problem_beta(poy_ctx *ctx, const poy_problem *p, double z, double omega, int order, double *out);

/* ---- the record (record.c) ---- */

/* One row of problem.def in a problem. */
typedef struct poyi_field {
    const char *name, *unit, *text;
    poy_dtype dtype;
    int rank;                       /* 0: a number; 1, 2: an array */
    int64_t rows, cols;             /* that it has */
    int64_t needs_rows, needs_cols; /* that the problem says it must have, if it has any */
    const void *data;               /* NULL: absent */
} poyi_field;

enum { POYI_FIELDS_MAX = 128 };
/* Shapes, finite numbers, ranges, and what belongs together. Errors: POY_ERR_ARGUMENT, POY_ERR_SHAPE,
 * POY_ERR_NONFINITE, naming the field. */
poy_status poyi_problem_check(poy_ctx *ctx, const poy_problem *problem);
/* SHA-256 of name, shape and value of every field, as little-endian numbers, -0 as 0. */
void poyi_problem_hash(const poy_problem *problem, unsigned char out[32]);

/* ---- windows (windows.c) ---- */

/* The Planck taper: 0 outside (l0, r0), 1 on [l1, r1], between them 1/(1 + exp(L/(x - l0) + L/(x - l1))), L = l1 - l0,
 * and its mirror image on the right. Without room (l0 = l1) only the end itself is 0.
 * Source: McKechan, Robinson, Sathyaprakash, arXiv:1003.2939, eq. (7). */
double poyi_planck_taper(double x, double l0, double l1, double r1, double r0);
/* Its derivative by x. */
double poyi_planck_slope(double x, double l0, double l1, double r1, double r0);
/* That of the temporal window on the fine grid, 1/s: out [n_to] (grid.c). */
void poyi_grid_window_slope(const poy_grid *grid, double *out);

#endif
