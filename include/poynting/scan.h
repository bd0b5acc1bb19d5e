/* scan.h: many runs of one recipe: [scan] expanded into points, a folder from which any number of processes on any
 * number of machines take them, and one file that collects what they gave.
 *
 * The folder (NAME.scan) holds a result file for each point that is done, 00017.h5, a text 00017.failed for each that
 * failed, and claims: 00017.claim.0 says which process works on a point. A claim is made by an atomic link, so that no
 * point is worked on twice; one whose process died is taken over, and its run goes on where it was. */
#ifndef POYNTING_SCAN_H
#define POYNTING_SCAN_H

#include "poynting/recipe.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_recipe_scan poy_recipe_scan;

/* The scan of a recipe that has a [scan]; folder NULL: NAME.scan. The folder is made where it is not there; it belongs to
 * its recipe. The recipe has to outlive the scan and must not change. Errors: POY_ERR_RECIPE, POY_ERR_ARGUMENT (no [scan],
 * too many axes), POY_ERR_MISMATCH (the folder is another recipe's: names the keys), POY_ERR_IO. */
POY_API poy_status poy_recipe_scan_open(poy_ctx *ctx, poy_recipe *recipe, const char *folder, poy_recipe_scan **out);
POY_API void poy_recipe_scan_close(poy_recipe_scan **scan);
POY_API const char *poy_recipe_scan_folder(const poy_recipe_scan *scan);
POY_API int64_t poy_recipe_scan_points(const poy_recipe_scan *scan);

/* The axes, slowest first: extents into extent (or NULL); how many there are, at most 5. */
POY_API int poy_recipe_scan_axes(const poy_recipe_scan *scan, int64_t extent[5]);
/* "gas.pressure = \"1 bar\", seed = 3" of point i, at most size bytes. */
POY_API void poy_recipe_scan_describe(const poy_recipe_scan *scan, int64_t i, size_t size, char *out);
/* The recipe of point i, to be destroyed by the caller before the scan's own. Errors: POY_ERR_INDEX, POY_ERR_MEMORY. */
POY_API poy_status poy_recipe_scan_recipe(poy_ctx *ctx, poy_recipe_scan *scan, int64_t i, poy_recipe **out);

/* Holds what [scan] collect names to what the files of the points will have, as far as it can be told before they run: set-up
 * of the first and, for spectra, of the last point that can be set up; what is wrong becomes a fault of the recipe. Errors:
 * POY_ERR_RECIPE. */
POY_API poy_status poy_recipe_scan_judge(poy_ctx *ctx, poy_recipe_scan *scan);

/* ---- states ---- */

typedef enum poy_recipe_scan_state {
    POY_SCAN_WAITING,
    POY_SCAN_RUNNING,
    POY_SCAN_DONE,
    POY_SCAN_FAILED
} poy_recipe_scan_state;
/* The states of points first ... first + n - 1 as the folder has them now; running: by a process that is
 * alive as far as one can tell. Errors:
 * POY_ERR_IO. */
POY_API poy_status poy_recipe_scan_states(poy_ctx *ctx, const poy_recipe_scan *scan, int64_t first, int64_t n,
                                          poy_recipe_scan_state *out);
/* Why point i failed; "" where it did not. At most size bytes. */
POY_API void poy_recipe_scan_failure(const poy_recipe_scan *scan, int64_t i, size_t size, char *out);
/* Forgets that points failed, so that they are run again. *n: how many. Errors: POY_ERR_IO. */
POY_API poy_status poy_recipe_scan_retry(poy_ctx *ctx, poy_recipe_scan *scan, int64_t *n);

/* ---- working ---- */

typedef struct poy_recipe_scan_options {
    size_t size;
    int64_t first, n; /* the points that are worked on [all] */
    int64_t start;    /* the one to begin with: workers that begin apart meet less often [first] */
    /* Pulses with a solver.schedule: as many points are run in lockstep (poynting/batch.h), each to the bit as alone, sharing the
     * context's threads [1] */
    int64_t together;
} poy_recipe_scan_options;
POY_API void poy_recipe_scan_options_init(poy_recipe_scan_options *o);

typedef struct poy_recipe_scan_report {
    int64_t done, failed; /* by this call */
    int64_t busy;         /* left to other processes */
} poy_recipe_scan_report;
/* Takes points and runs them until none is left that nobody has. A point that fails is recorded and stops nothing. Errors:
 * POY_ERR_INTERRUPTED (the context's progress function asked to stop: the point can go on later), POY_ERR_IO (of the
 * disk: the point is not lost), POY_ERR_UNSUPPORTED (together, of what has no schedule, or of axes that change where its steps
 * are). */
POY_API poy_status poy_recipe_scan_work(poy_ctx *ctx, poy_recipe_scan *scan, const poy_recipe_scan_options *o,
                                        poy_recipe_scan_report *report);
/* Records the point that process pid of this machine worked on, if any, as failed with this text; for who started the
 * process and saw it crash. */
POY_API poy_status poy_recipe_scan_crashed(poy_ctx *ctx, poy_recipe_scan *scan, long pid, const char *text);

/* ---- collecting ---- */

/* What [scan] collect names, of all points, into one HDF5 file at path (NULL: NAME.scan.h5), whose datasets have an axis
 * for each of the scan's, by name. Points that are missing are NaN and have a status. An old file is replaced, atomically.
 * written (at least 1024 bytes, or NULL) receives the path. Errors: POY_ERR_ARGUMENT (no such quantity, or nothing is done
 * yet), POY_ERR_IO. */
POY_API poy_status poy_recipe_scan_collect(poy_ctx *ctx, poy_recipe_scan *scan, const char *path, char *written);

#ifdef __cplusplus
}
#endif
#endif
