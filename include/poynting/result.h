/* result.h: result files: reading them, drawing them. Files are HDF5; every dataset says its units. */
#ifndef POYNTING_RESULT_H
#define POYNTING_RESULT_H

#include "poynting/base.h"
#include "poynting/media.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_result poy_result;

/* Opens a file for reading, also one whose run was killed. Errors: POY_ERR_IO, POY_ERR_MISMATCH (a newer format). */
POY_API poy_status poy_result_open(poy_ctx *ctx, const char *path, poy_result **out);
POY_API void poy_result_close(poy_result **result);

/* An attribute of the file as text: "format", "program", "version", "kind", "name", "created", "complete",
 * "config_sha256", "backend", "precision", "time_factor", "cite"; NULL if there is none. Valid until close. */
POY_API const char *poy_result_attribute(poy_result *result, const char *name);

typedef struct poy_dataset {
    char path[128], units[32];
    char text[256]; /* its long_name */
    int rank;       /* 0: a scalar */
    int64_t extent[8];
    int is_complex, is_text;
    char dims[400]; /* the names of its axes, separated by blanks; "" where the file does not say */
} poy_dataset;
/* Errors: POY_ERR_ARGUMENT (no such dataset). */
POY_API poy_status poy_result_find(poy_ctx *ctx, poy_result *result, const char *path, poy_dataset *out);
/* Dataset i of the file, sorted by path; 0 beyond the last, else 1. */
POY_API int poy_result_dataset_at(poy_result *result, int i, poy_dataset *out);

/* Rows first ... first + n - 1 along the first axis, as doubles (complex: pairs); a scalar is one row. Errors:
 * POY_ERR_ARGUMENT, POY_ERR_INDEX, POY_ERR_IO. */
POY_API poy_status poy_result_read(poy_ctx *ctx, poy_result *result, const char *path, int64_t first, int64_t n,
                                   double *out);
/* One number: of a row, counted from the end where row is negative (-1: the last). */
POY_API poy_status poy_result_scalar(poy_ctx *ctx, poy_result *result, const char *path, int64_t row, double *out);
/* A text: "recipe/text", "recipe/resolved", "provenance/execution". Valid until close. */
POY_API poy_status poy_result_text(poy_ctx *ctx, poy_result *result, const char *path, const char **out);

/* A list of texts, at most 4095: "grid/mode", "scan/axes/pulse.0.shape"; *n: how many. Valid until close. Errors:
 * POY_ERR_ARGUMENT. */
POY_API poy_status poy_result_texts(poy_ctx *ctx, poy_result *result, const char *path, const char *const **out,
                                    int *n);

/* ---- pictures ---- */

typedef struct poy_plot_options {
    size_t size;
    const char *kind;   /* "evolution"; see poy_plot_kind_at */
    const char *output; /* [the result's name, the kind and the format: "soliton_evolution.png"] */
    const char *format; /* png, svg, pdf, csv (the numbers), gp (the gnuplot script with the numbers) [png] */
    const char *axis;   /* wavelength, frequency, angular_frequency, photon_energy [wavelength] */
    double db;          /* floor of logarithmic scales, below 0 [-40] */
    double low, high;   /* range of the spectral axis as wavelengths (m); NaN: where there is light [NaN] */
    double at;          /* position (m) of spectrum, temporal, spectrogram; NaN: the end [NaN] */
    /* Of evolution, spectrum, temporal, spectrogram: "sum" over the modes, "all" of them one by one, or some, by number from 1
     * or by name: "1,3", "HE11 HE12" [sum] */
    const char *modes;
    const char *quantity; /* of map and lines: "final_energy", "stats.energy" [the first that there is] */
} poy_plot_options;
POY_API void poy_plot_options_init(poy_plot_options *o);
/* The options that a result's recipe asks for ([plots]). Strings are valid until close. */
POY_API void poy_plot_options_of(poy_result *result, poy_plot_options *o);

/* Kind i and one line about it; 0 beyond the last, else 1. */
POY_API int poy_plot_kind_at(int i, const char **kind, const char **text);
/* Can this kind be drawn from this result? */
POY_API int poy_plot_applies(poy_result *result, const char *kind);
/* The kinds that the result's recipe asks for, one after the other: kind i or NULL. Valid until close. */
POY_API const char *poy_plot_wanted(poy_result *result, int i);
/* Draws one picture; written (at least 1024 bytes, or NULL) receives its path. No display is needed. Errors:
 * POY_ERR_ARGUMENT (no such kind, format or axis, or it does not apply), POY_ERR_UNSUPPORTED (gnuplot is not installed),
 * POY_ERR_IO. */
POY_API poy_status poy_plot(poy_ctx *ctx, poy_result *result, const poy_plot_options *o, char *written);

/* What pictures say of a quantity, "distance (cm)", in print, and the factor from SI to that unit; bindings that draw by other means say
 * the same. key: a row of src/run/plots/captions.def, else a name of its own (underscores become blanks; keys of recipes stay), whose
 * numbers are in units si (NULL: the row's) and up to largest. Words after the first of key stay behind its name. about: the dataset's
 * long_name, or NULL: that of an energy within a band names the band. label has room for size bytes. */
POY_API void poy_plot_label(const char *key, const char *about, const char *si, double largest, double *factor,
                            size_t size, char *label);

/* n, k (if there is any) and, of a formula, beta_2 of a material over its data, or n - 1 and beta_2 of a gas at a pressure (Pa) and a
 * temperature (K), between the wavelengths from and to (m; NaN: as far as the data go, within 0.1 to 10 um, of gases to
 * 3 um), into output, whose ending is the format. Errors: as poy_plot; POY_ERR_RANGE (no data there). */
POY_API poy_status poy_plot_material(poy_ctx *ctx, const poy_material *material, double from, double to,
                                     const char *output);
POY_API poy_status poy_plot_gas(poy_ctx *ctx, const poy_gas *gas, double pressure, double temperature, double from,
                                double to, const char *output);

#ifdef __cplusplus
}
#endif
#endif
