/* plot.h: what the pictures of a pulse share: planes in memory, axes in bench units, ranges where there is light. */
#ifndef POYI_PLOT_H
#define POYI_PLOT_H

#include "run/plots/figure.h"
#include "run/store/result.h"

enum { POYI_COLUMNS_MAX = 512 };

typedef enum poyi_axis {
    POYI_AXIS_WAVELENGTH,
    POYI_AXIS_FREQUENCY,
    POYI_AXIS_ANGULAR_FREQUENCY,
    POYI_AXIS_PHOTON_ENERGY
} poyi_axis;

/* A factor from SI and the name of the unit that it leads to. */
typedef struct poyi_scale {
    double factor;
    const char *unit;
} poyi_scale;

typedef struct poyi_plot {
    poy_ctx *ctx;
    poy_result *result;
    poy_plot_options o;
    poyi_axis axis;
    poyi_figure *figure;
    int64_t n, n_t, n_z;                   /* bins, samples in time, planes */
    int64_t modes, polarisations, columns; /* columns: modes times polarisations */
    int raw;                               /* numbers to be read: physical and linear, as far as they go */
    int mode;                              /* that is drawn; -1: the sum over all */
    const char *tag;                       /* its name, on panels; NULL */
    const double *omega, *t, *z;
    double domega;
    double *density; /* [n_z][n] |S|^2, J/(rad/s); on first use */
    double *power;   /* [n_z][n_t] |A(t)|^2, W; on first use */
} poyi_plot;

/* Reads the grid. Errors: POY_ERR_IO, POY_ERR_ARGUMENT. */
poy_status poyi_plot_open(poy_ctx *ctx, poy_result *result, const poy_plot_options *o, poyi_figure *f, poyi_plot *p);
void poyi_plot_close(poyi_plot *p);
/* Density and power of another mode are to be read. */
void poyi_plot_forget(poyi_plot *p);
poy_status poyi_plot_density(poyi_plot *p);
poy_status poyi_plot_power(poyi_plot *p);
/* The plane nearest to o.at; the last one where that is NaN. */
int64_t poyi_plot_plane(const poyi_plot *p);

/* The axis: value (nm, THz, rad/fs, eV) at omega, and back; density per unit of the axis over density per rad/s (up to
 * a constant). */
double poyi_axis_value(poyi_axis axis, double omega);
double poyi_axis_omega(poyi_axis axis, double value);
double poyi_axis_jacobian(poyi_axis axis, double omega);
const char *poyi_axis_label(poyi_axis axis);
/* Joules per unit of the axis (nm, THz, rad/fs, eV) over density times jacobian, and its label. */
double poyi_axis_density(poyi_axis axis);
const char *poyi_axis_density_label(poyi_axis axis);

/* Where the largest value over all rows [rows][n] is above floor dB of the largest of all; index range [*first, *last]. */
void poyi_plot_range(const double *values, int64_t rows, int64_t n, double floor_db, int64_t *first, int64_t *last);
/* The same of the spectra on the axis: per unit of it. Needs the density. */
void poyi_plot_light(const poyi_plot *p, int64_t *first, int64_t *last);
/* The name of mode k: that of the recipe, or of a number of modes. */
const char *poyi_plot_mode_name(poyi_plot *p, int64_t k);
/* Is this column of the state part of what is drawn? */
int poyi_plot_shows(const poyi_plot *p, int64_t column);
/* The frame of the bins first to last, with a margin, or that of o.low, o.high. */
void poyi_plot_spectral_frame(const poyi_plot *p, int64_t first, int64_t last, double *low, double *high);
/* The spectral range to be shown, as values of the axis, low < high. */
void poyi_plot_spectral_range(const poyi_plot *p, double *low, double *high);
/* value in dB below the largest, not below floor. */
double poyi_db(double value, double largest, double floor_db);
poyi_scale poyi_scale_length(double metres);
poyi_scale poyi_scale_time(double seconds);
poyi_scale poyi_scale_power(double watts);
/* A power of a thousand that brings the largest of y [n], in a SI unit, near 1; its name goes into the arena. */
poyi_scale poyi_plot_scale(const double *y, int64_t n, const char *unit, poyi_arena *arena);
/* A label "distance (cm)" in the figure's arena. */
const char *poyi_plot_label(poyi_plot *p, const char *what, const char *unit);
/* "3.2 cm" */
const char *poyi_plot_length(poyi_plot *p, double metres);

/* Rows first .. first + rows - 1 (rows < 0: all) of a dataset, in the figure's arena (scatter.c). Errors: POY_ERR_IO, POY_ERR_MEMORY. */
poy_status poyi_plot_rows(poyi_plot *p, const char *path, int64_t first, int64_t rows, poy_dataset *d, double **out);
/* The same of the first light alone, where a dataset has an axis of several. */
poy_status poyi_plot_lit(poyi_plot *p, const char *path, int64_t first, int64_t rows, poy_dataset *d, double **out);
int64_t poyi_plot_lights(poyi_plot *p);
/* Where one wavelength meets several thetas: how many, each *step lights behind the one before; *out (or out NULL): they, in
 * degrees, to be freed. 0: it does not. */
int64_t poyi_plot_thetas(poy_ctx *ctx, poy_result *result, int64_t *step, double **out);

typedef poy_status poyi_plot_fn(poyi_plot *p);
poyi_plot_fn poyi_plot_transmission, poyi_plot_orders, poyi_plot_cd, poyi_plot_bands;
poyi_plot_fn poyi_plot_sections, poyi_plot_near_field, poyi_plot_far_field, poyi_plot_tmatrix, poyi_plot_convergence;
poyi_plot_fn poyi_plot_evolution, poyi_plot_spectrum, poyi_plot_temporal, poyi_plot_steps, poyi_plot_spectrogram,
    poyi_plot_stats, poyi_plot_energy_per_mode, poyi_plot_dispersion, poyi_plot_phase_matching, poyi_plot_map,
    poyi_plot_scan_lines, poyi_plot_coherence;

#endif
