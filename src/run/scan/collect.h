/* collect.h: what a scan collects: quantities of its points, by the names of [scan] collect. */
#ifndef POYI_COLLECT_H
#define POYI_COLLECT_H

#include "run/scan/scan.h"
#include "run/store/h5.h"
#include "run/store/result.h"

enum { POYI_QUANTITIES_MAX = 96, POYI_COLLECT_RANK = 8 };
#define POYI_SAME_GRID 1e-12 /* relative: omega of points that share a grid */
#define POYI_GRIDS_DIFFER "the points have different grids, so their spectra share no axis"
#define POYI_GRIDS_HINT "fix grid.wavelength_min, grid.wavelength_max and grid.window, or collect statistics"

/* A dataset of every point's file: whole, or its last row. */
typedef struct poyi_quantity {
    char path[128], name[128]; /* "stats/energy"; below /scan: "final_energy" */
    char units[32], text[256], dims[128];
    int last;
    int rank, is_complex, ragged;
    hsize_t extent[POYI_COLLECT_RANK]; /* the largest of all points */
    hid_t set;
} poyi_quantity;

typedef struct poyi_collection {
    poy_ctx *ctx;
    poy_recipe_scan *scan;
    hid_t file, group;
    poyi_quantity list[POYI_QUANTITIES_MAX];
    int n, same_grid, ensemble; /* ensemble: quantities over seeds are wanted */
    poy_recipe_scan_state *states;
    int64_t n_done, n_failed;
    hid_t scales[POYI_SCAN_AXES_MAX], omega;
    int64_t n_omega;
} poyi_collection;

/* The result of a point that is done. */
poy_status poyi_collect_open(const poyi_collection *c, int64_t i, poy_result **out);
/* Mean, standard deviation and coherence over the axis "seed" (ensemble.c). Errors: POY_ERR_ARGUMENT (no such axis). */
poy_status poyi_collect_ensemble(poyi_collection *c);
/* The quantities over seeds, by name; the axis on which the seed stands, or -1. */
int poyi_collect_is_ensemble(const char *name);
int poyi_collect_seed_axis(const poy_recipe_scan *scan);
/* The dataset of a point that a name of [scan] collect means: "stats/energy" for "final_energy". */
void poyi_collect_path(const char *name, size_t size, char *out);

#endif
