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

/* "distance", "cm", "distance (cm)", and the factor from SI to that unit. */
typedef struct poyi_caption {
    double factor;
    const char *name, *unit, *label;
} poyi_caption;

/* The names of poyi_axis, in its order. */
extern const char *const poyi_axis_names[4];

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
/* "wavelength (nm)" */
const char *poyi_axis_label(poyi_plot *p);
/* Joules per unit of the axis (nm, THz, rad/fs, eV) over density times jacobian, and its label. */
double poyi_axis_density(poyi_axis axis);
const char *poyi_axis_density_label(poyi_axis axis);

/* Where the largest value over all rows [rows][n] is above floor dB of the largest of all; index range [*first, *last]. */
void poyi_plot_range(const double *values, int64_t rows, int64_t n, double floor_db, int64_t *first, int64_t *last);
/* The name of mode k: that of the recipe, or of a number of modes. */
const char *poyi_plot_mode_name(poyi_plot *p, int64_t k);
/* Is this column of the state part of what is drawn? */
int poyi_plot_shows(const poyi_plot *p, int64_t column);
/* The frame of the bins first to last, with a margin, or that of o.low, o.high. */
void poyi_plot_spectral_frame(const poyi_plot *p, int64_t first, int64_t last, double *low, double *high);
/* Of an image over wavelengths that span a factor of more than five, where waves in the ultraviolet would be a thin line: 1, and low and
 * high become decadic logarithms; else 0. The frequency at a value of such an axis. */
int poyi_plot_decades(const poyi_plot *p, double *low, double *high);
double poyi_plot_omega(const poyi_plot *p, int decades, double value);
/* The spectral range to be shown, as values of the axis, low < high. */
void poyi_plot_spectral_range(const poyi_plot *p, double *low, double *high);
/* value in dB below the largest, not below floor. */
double poyi_db(double value, double largest, double floor_db);
/* What pictures say of a quantity, by its row of captions.def or by its own name, whose numbers are in units si (NULL: the row's) and up
 * to largest; in the figure's arena, in plain ASCII (poyi_label_print). */
poyi_caption poyi_plot_caption(poyi_plot *p, const char *key, const char *si, double largest);
/* The same where the file says something about the numbers, which names bands of wavelengths. */
poyi_caption poyi_plot_caption_about(poyi_plot *p, const char *key, const char *about, const char *si, double largest);
/* Of the magnitudes of y [n]. */
double poyi_plot_largest(const double *y, int64_t n);
/* A label "distance (cm)" in the figure's arena. */
const char *poyi_plot_label(poyi_plot *p, const char *what, const char *unit);
/* "3.2 cm" */
const char *poyi_plot_length(poyi_plot *p, double metres);

/* Rows first .. first + rows - 1 (rows < 0: all) of a dataset, in the figure's arena (scatter.c). Errors: POY_ERR_IO, POY_ERR_MEMORY. */
poy_status poyi_plot_rows(poyi_plot *p, const char *path, int64_t first, int64_t rows, poy_dataset *d, double **out);
/* The same of the first light alone, where a dataset has an axis of several. */
poy_status poyi_plot_lit(poyi_plot *p, const char *path, int64_t first, int64_t rows, poy_dataset *d, double **out);
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
