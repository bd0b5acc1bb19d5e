/* internal.h: an open result file, for the files store*.c. */
#ifndef POYI_STORE_INTERNAL_H
#define POYI_STORE_INTERNAL_H

#include "run/store/file.h"
#include "run/store/h5.h"
#include "run/store/store.h"

enum { POYI_STEP_COLUMNS = 7 };

#define POYI_OVERRIDES_TEXT "keys that were set beside the recipe: resolved has them, text has not"

struct poyi_store {
    char *path;
    hid_t file, complex_memory, complex_file, boolean;
    hid_t z, spectrum, stats_z, stats[POYI_STATS_MAX], steps[POYI_STEP_COLUMNS];
    int columns[POYI_STATS_MAX]; /* of each statistic */
    int n_stats, fields, single, broken;
    int64_t n_state;
    hsize_t planes, n_rows, n_steps;
    char current; /* 'a', 'b'; 0: no slot yet */
    /* of series */
    const poyi_store_layout *layout;
    hid_t key[POYI_SERIES_MAX], column[POYI_COLUMNS_MOST];
    hsize_t rows[POYI_SERIES_MAX];
};

/* The datasets of series (series.c). */
int poyi_store_series_write(poyi_store *s, const poyi_store_head *head);
/* Opens them; what lies beyond the rows that are whole is dropped. */
int poyi_store_series_open(poyi_store *s, const poyi_store_head *head);
void poyi_store_series_close(poyi_store *s);

/* One column of /steps: where it stands in poy_step_record, and what the file says about it. */
typedef struct poyi_step_column {
    const char *name;
    poyi_h5_about about;
} poyi_step_column;
extern const poyi_step_column poyi_step_columns[POYI_STEP_COLUMNS];

/* POY_ERR_IO with HDF5's or the disk's reason; the file is abandoned. */
poy_status poyi_store_failed(poy_ctx *ctx, poyi_store *s, const char *doing);
/* Opens a file that exists. Errors: POY_ERR_IO, with the reason. */
poy_status poyi_store_open(poy_ctx *ctx, const char *path, unsigned flags, hid_t *out);
/* A file of this program, in a format that it knows. Errors: POY_ERR_IO, POY_ERR_MISMATCH. */
poy_status poyi_store_check_format(poy_ctx *ctx, hid_t file, const char *path, poyi_arena *arena);
poyi_store *poyi_store_new(const char *path);
/* Attributes of the root; the group recipe (store.c). 0, or -1. */
int poyi_store_root(hid_t file, const poyi_store_head *head);
int poyi_store_recipe(hid_t file, const poyi_store_head *head);
/* /provenance at the beginning (provenance.c). */
int poyi_store_provenance(hid_t file, const poyi_store_head *head);

#endif
