/* csv.h: measured spectra and index tables: columns of numbers whose units stand in the header. */
#ifndef POYI_CSV_H
#define POYI_CSV_H

#include "run/recipe/recipe.h"

enum { POYI_CSV_COLUMNS = 4 };

typedef struct poyi_csv {
    int n; /* rows */
    int columns;
    char name[POYI_CSV_COLUMNS][32]; /* "wavelength" */
    char unit[POYI_CSV_COLUMNS][24]; /* "nm"; "" where the header has none */
    int first_line;                  /* of the numbers */
    double *value[POYI_CSV_COLUMNS]; /* as they stand in the file; in the recipe's arena */
    int *line;
} poyi_csv;

/* The place of a file that a recipe names: relative to the recipe. */
const char *poyi_source_path(poy_recipe *r, const char *name);
/* The text of a file that a key names, from beside the recipe; it is kept, so that a result can hold it. 1 if it is
 * there; 0 after a fault (E_IO). */
int poyi_source(poy_recipe *r, const poyi_node *node, const char **text);

/* A spectrum: columns wavelength, frequency, omega or photon_energy; density (of energy, per unit of the first column,
 * any scale); phase (rad), if there is one. Out: rising frequency (Hz), density per Hz, phase. 1 if it is good. */
int poyi_csv_spectrum(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                      const double **density, const double **phase);
/* Does the header of the file that a node names begin with a time? Nothing is told about a file that cannot be read. */
int poyi_csv_is_in_time(poy_recipe *r, const poyi_node *node);
/* A power in time: columns time; intensity or power (any scale); phase (rad), if there is one, else NULL. Out: rising time
 * (s), power, phase. 1 if it is good. */
int poyi_csv_power(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **time,
                   const double **power, const double **phase);
/* An index table: columns wavelength (or frequency ...) and n. Out: rising wavelength (m), index. */
int poyi_csv_index(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **wavelength,
                   const double **index);

/* A mirror: columns wavelength (or frequency ...), gdd, and reflectance, if there is one (a share, or in %). Out: rising
 * frequency (Hz), share of the power (NULL without a column), gdd (s2). */
int poyi_csv_mirror(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                    const double **power, const double **gdd);
/* A filter: columns wavelength (or frequency ...) and transmittance (a share, or in %). Out: rising frequency (Hz), share. */
int poyi_csv_filter(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                    const double **power);
/* A phase: columns wavelength (or frequency ...) and phase (rad). Out: rising frequency (Hz), phase. */
int poyi_csv_phase(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **frequency,
                   const double **phase);
/* A meridian: columns theta (rad unless the header says deg) from 0 to pi, rising, and r (m unless it names another unit
 * of length). 1 if it is good. */
int poyi_csv_profile(poy_ctx *ctx, poy_recipe *r, const poyi_node *node, int *n, const double **theta,
                     const double **radius);

#endif
