/* session.h: one run of a scattering recipe, from its settings to its file. */
#ifndef POYI_SCATTER_SESSION_H
#define POYI_SCATTER_SESSION_H

#include "run/scatter/scatter.h"

/* From the first point, into a new file; dry: nothing but the checks. Errors: those of the settings; POY_ERR_BUDGET, POY_ERR_IO,
 * POY_ERR_INTERRUPTED (the file can be resumed), those of the computation. */
poy_status poyi_scatter_run(poy_ctx *ctx, poy_recipe *r, const char *path, int force, int dry,
                            poy_recipe_report *report);
/* The points that a file has not yet. Errors: also POY_ERR_MISMATCH. check: only whether it could be. */
poy_status poyi_scatter_resume(poy_ctx *ctx, poy_recipe *r, const poyi_store_state *state, int check,
                               poy_recipe_report *report);
/* What decides the numbers: recipe, files. */
poy_status poyi_scatter_digest(poy_ctx *ctx, poy_recipe *r, unsigned char out[32]);
/* Threads that share the points. */
int poyi_scatter_team(poy_ctx *ctx, const poyi_scatter *s);
/* What a run takes of memory and disk (bytes.c): all of it before its first point. */
typedef struct poyi_scatter_memory {
    int team;              /* threads */
    int64_t rows;          /* slots for rows that wait for those before them */
    size_t threads, ready; /* bytes of the lists of threads and of rows */
    size_t row, workspace; /* bytes of a slot; of what a thread computes in */
    size_t total;          /* with what is held already, and what set-up held for a moment: the peak of the ledger */
    double file;
} poyi_scatter_memory;
/* poyi_ctx_watch_bytes was called before the settings were made. */
poy_status poyi_scatter_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_store_layout *layout,
                              poyi_scatter_memory *out);

#endif
