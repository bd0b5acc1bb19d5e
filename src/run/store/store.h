/* store.h: result files inside the room: writing planes, statistics, steps and resume slots of a propagation, or the rows of
 * series of points; taking a file up again. What is flushed stays, whatever happens later (file.h). */
#ifndef POYI_STORE_H
#define POYI_STORE_H

#include "core/core.h"
#include "poynting/run.h"
#include "run/recipe/arena.h"
#include "run/recipe/recipe.h"

enum { POYI_FILE_FORMAT = 1, POYI_STATS_MAX = 64 };

typedef struct poyi_store poyi_store;

typedef struct poyi_store_stat {
    char name[64], unit[16], text[160];
    int columns; /* numbers of a row: 1, or of each column of the state */
} poyi_store_stat;

/* ---- series: rows that are computed one by one, each at a wavenumber ---- */

enum { POYI_SERIES_MAX = 8, POYI_COLUMNS_MOST = 64 };

/* A dataset with one row for each point of a series. */
typedef struct poyi_column {
    const char *path, *units, *text, *dims; /* dims: of all axes */
    int rank;                               /* of a row */
    int64_t extent[4];
    const char *scale[4]; /* paths of lines that are the scales of these axes; NULL: none */
    int is_complex, series;
    int64_t width;      /* doubles in a row */
    const char *unit;   /* the attribute "unit" that readers of T-matrices want; NULL: none */
    int zero_if_absent; /* younger than files that may be resumed: rows of such a file are 0 */
} poyi_column;

/* A dataset that is written once: numbers or texts. */
typedef struct poyi_line_set {
    const char *path, *units, *text;
    int64_t n, width; /* width: of rows of numbers; 0: one number each, a scale for others */
    const double *numbers;
    const int64_t *integers; /* instead */
    const char *const *texts;
    const char *unit; /* as of a column */
} poyi_line_set;

typedef struct poyi_series {
    const char *group; /* GROUP/k0 (1/m), whose length counts the rows, is its axis */
} poyi_series;

typedef struct poyi_store_layout {
    const poyi_series *series;
    const poyi_column *columns; /* sorted by series */
    const poyi_line_set *lines;
    int n_series, n_columns, n_lines;
} poyi_store_layout;

/* What a file says about itself from its beginning on. */
typedef struct poyi_store_head {
    const char *name, *kind, *backend, *text, *resolved;
    int scatters;                    /* the file has no layout, but what it collects comes from scattering */
    const poyi_store_layout *layout; /* of a result that consists of series; NULL: a propagation, as follows */
    const char *overrides;           /* NULL: none */
    const poyi_source_file *sources;
    unsigned char digest[32]; /* of problem and launch */
    uint64_t seed;
    int threads;
    int64_t n_w, n_t;
    const double *omega, *t;                         /* omega rising */
    const char *const *modes, *const *polarisations; /* names */
    int n_modes, n_polarisations;
    int64_t n_state; /* of the state: n_modes n_polarisations n_w */
    poyi_store_stat stats[POYI_STATS_MAX];
    int n_stats;
    int fields, single, compress, noise;
} poyi_store_head;

/* A place from which a run can go on. */
typedef struct poyi_slot {
    double z;
    int64_t planes, rows, steps; /* stored when it was written */
    poy_controller controller;
    const double *field, *noise; /* c128 [n_state] in the grid's own order; noise NULL without it */
} poyi_slot;

/* Errors of all of these: POY_ERR_IO: "FILE: what: why"; after one the file stays as it was at the last flush, and every
 * later call fails the same way. */

/* A new file. force: in the place of an old one. Nothing is left where it fails. */
poy_status poyi_store_create(poy_ctx *ctx, const char *path, int force, const poyi_store_head *head, poyi_store **out);
/* S: c128 [n_state] (sqrt(J s)), omega rising; without fields only z is kept. */
poy_status poyi_store_plane(poy_ctx *ctx, poyi_store *s, double z, const double *S);
/* Rows of statistics [n][1 + all their columns], and attempts. */
poy_status poyi_store_rows(poy_ctx *ctx, poyi_store *s, const double *rows, int64_t n);
poy_status poyi_store_steps(poy_ctx *ctx, poyi_store *s, const poy_step_record *steps, int64_t n);
poy_status poyi_store_flush(poy_ctx *ctx, poyi_store *s);
/* The next row of a series: its columns one after the other (series.c). */
poy_status poyi_store_row(poy_ctx *ctx, poyi_store *s, int series, double k0, const double *row);
int64_t poyi_store_row_count(const poyi_store *s, int series);
/* Into the slot that is not current, flushed; then it is made the current one, flushed. planes, rows and steps are
 * filled in. */
poy_status poyi_store_slot(poy_ctx *ctx, poyi_store *s, const poyi_slot *slot);

typedef struct poyi_store_end {
    double wall, cpu; /* s, of this session: added */
    const poy_ledger_entry *ledger;
    size_t n_ledger;
    const char *execution; /* metadata of the run, lines "key: value" */
    const char *const *warnings;
    int n_warnings;
    int complete;
} poyi_store_end;
/* The end of a session. */
poy_status poyi_store_finish(poy_ctx *ctx, poyi_store *s, const poyi_store_end *end);
/* Flushes, unless a write failed before. */
void poyi_store_close(poyi_store **s);

/* ---- taking a file up again (resume.c) ---- */

typedef struct poyi_store_state {
    const char *path, *kind, *name, *text, *resolved, *backend; /* in arena */
    unsigned char digest[32];
    int complete;
    int64_t n_state; /* of a propagation, with */
    poyi_slot slot;  /* field and noise in arena */
} poyi_store_state;
/* Reads what a resume needs. Errors: also POY_ERR_MISMATCH (a newer format, no resume state), POY_ERR_MEMORY. */
poy_status poyi_store_state_read(poy_ctx *ctx, const char *path, poyi_arena *arena, poyi_store_state *out);
/* The files that its recipe names, as sources of the recipe. */
poy_status poyi_store_sources(poy_ctx *ctx, const char *path, poy_recipe *recipe);
/* Opens the file for more; what lies beyond its slot is dropped. head: as at its creation, with the new recipe. */
poy_status poyi_store_reopen(poy_ctx *ctx, const char *path, const poyi_store_head *head, poyi_store **out);

/* The accepted steps of a result file, in arena. */
poy_status poyi_store_schedule(poy_ctx *ctx, const char *path, poyi_arena *arena, const double **steps, int64_t *n);

/* ---- one plane of a result (plane.c) ---- */

typedef struct poyi_stored_plane {
    const char *digest, *reference; /* config_sha256; grid.reference as it was typed */
    int complete, single, real;
    double z; /* m */
    int n_modes, n_polarisations;
    const char **modes, **polarisations;
    int64_t n;            /* frequencies */
    int64_t first;        /* signed number of the first of them from the carrier: 0 of a real field */
    double omega, domega; /* rad/s: the first of them, their distance */
    double *S;            /* c128 [n_modes][n_polarisations][n] (sqrt(J s)), as the file holds them */
} poyi_stored_plane;
/* The plane at z (m; NaN: the last one), into arena. Errors: POY_ERR_ARGUMENT: no result of a pulse, no fields, no such
 * plane: "problem: hint". */
poy_status poyi_store_plane_read(poy_ctx *ctx, const char *path, double z, poyi_arena *arena, poyi_stored_plane *out);

#endif
