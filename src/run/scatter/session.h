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
/* Most memory that a run takes, and its file (bytes.c). */
poy_status poyi_scatter_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_store_layout *layout, double *memory,
                              double *file);

#endif
