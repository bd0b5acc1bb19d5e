/* scan.h: scans inside the room: axes with their values, names of files, claims. */
#ifndef POYI_SCAN_H
#define POYI_SCAN_H

#include "poynting/scan.h"
#include "run/recipe/recipe.h"

enum { POYI_SCAN_AXES_MAX = 5, POYI_SCAN_PATH = 1200 };

/* One key of an axis: values as TOML text, [n] of the axis. */
typedef struct poyi_scan_key {
    const char *path;
    const char **values;
    poy_dimension dimension;
} poyi_scan_key;

typedef struct poyi_scan_axis {
    int64_t n;
    poyi_scan_key *keys; /* more than one: a zip */
    int n_keys;
} poyi_scan_axis;

struct poy_recipe_scan {
    poyi_arena arena;
    poy_recipe *recipe; /* the caller's; only judging adds faults to it */
    const char *folder, *name;
    poyi_scan_axis axes[POYI_SCAN_AXES_MAX];
    int n_axes;
    int64_t n_points;
};

/* ---- axes.c ---- */

/* Fills in axes and n_points. Errors: POY_ERR_ARGUMENT, POY_ERR_MEMORY. */
poy_status poyi_scan_expand(poy_ctx *ctx, poy_recipe_scan *scan);
/* Where point i stands on each axis. */
void poyi_scan_place(const poy_recipe_scan *scan, int64_t i, int64_t at[POYI_SCAN_AXES_MAX]);

/* ---- folder.c ---- */

/* "FOLDER/00017.h5" and the like; ending without its dot. */
void poyi_scan_path(const poy_recipe_scan *scan, int64_t i, const char *ending, char out[POYI_SCAN_PATH]);
/* Writes text into a new file at once: 1, 0 where path exists already, -1 on failure (errno). */
int poyi_scan_publish(const poy_recipe_scan *scan, const char *path, const char *text);
/* Removes what dead processes of this machine left half done. */
void poyi_scan_sweep(const poy_recipe_scan *scan);
/* Records a failure; one that is recorded stays. */
poy_status poyi_scan_fail(poy_ctx *ctx, const poy_recipe_scan *scan, int64_t i, const char *text);
/* Is it done or failed? */
int poyi_scan_is_over(const poy_recipe_scan *scan, int64_t i);

/* ---- claim.c ---- */

typedef enum poyi_claim_outcome {
    POYI_CLAIM_TAKEN,
    POYI_CLAIM_BUSY,
    POYI_CLAIM_OVER,
    POYI_CLAIM_GIVEN_UP
} poyi_claim_outcome;

typedef struct poyi_claim {
    int64_t point;
    int generation; /* how many processes had the point before */
    int continues;  /* what the last of them left may be continued: it is dead, or said so */
} poyi_claim;

/* Tries to get a point. A claim is dead when its process is (on this machine), or when it was not renewed for
 * poyi_claim_silence seconds (of others). Errors: POY_ERR_IO. */
poy_status poyi_claim_take(poy_ctx *ctx, const poy_recipe_scan *scan, int64_t i, poyi_claim *claim,
                           poyi_claim_outcome *outcome);
/* Tells others that the process is alive. */
void poyi_claim_renew(const poy_recipe_scan *scan, const poyi_claim *claim);
/* Gives it up, to be continued by anybody. */
void poyi_claim_free(const poy_recipe_scan *scan, const poyi_claim *claim);
/* After the point is over: removes all claims and what unfinished runs left. */
void poyi_claim_clear(const poy_recipe_scan *scan, const poyi_claim *claim);
/* "00017.2.part.h5": the file that the run of a claim of this generation writes. */
void poyi_claim_part(const poy_recipe_scan *scan, const poyi_claim *claim, int generation, char out[POYI_SCAN_PATH]);
/* Is the point held by process pid of this machine? */
int poyi_claim_is_of(const poy_recipe_scan *scan, int64_t i, long pid, poyi_claim *claim);
/* Does a process that is alive, as far as one can tell, hold the point? */
int poyi_claim_is_alive(const poy_recipe_scan *scan, int64_t i);
extern double poyi_claim_silence, poyi_claim_interval; /* s; tests change them */

#endif
