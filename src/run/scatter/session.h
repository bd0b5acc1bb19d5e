/* session.h: one run of a scattering recipe, from its settings to its file. */
#ifndef POYI_SCATTER_SESSION_H
#define POYI_SCATTER_SESSION_H

#include "run/budget.h"
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
    size_t most,
        highest; /* of a thread where factors take over from an iteration; and at the degree that it may rise to */
    size_t total_most; /* where factors take over in all threads at once */
    size_t needed;     /* a budget that is declared holds so much, or the run is refused */
    size_t share; /* what of the budget each thread may take beyond its workspace at any time; SIZE_MAX: no budget */
    size_t idle;  /* of a gradient: what is taken and never touched */
    int rises_to; /* the degree that numerics.lmax = "auto" may rise to */
    double file;
} poyi_scatter_memory;
/* budget: that was declared; 0: none. poyi_ctx_watch_bytes was called before the settings were made. */
poy_status poyi_scatter_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_store_layout *layout, size_t budget,
                              poyi_scatter_memory *out);

/* POY_ERR_BUDGET: what is needed is more than the budget. */
poy_status poyi_scatter_refuse(poy_ctx *ctx, const char *name, const poyi_scatter_memory *m, const poyi_budget *budget);
/* Bytes of the largest moment of a point of a view, with a lump for what is small; with_factors: those count that may take over from
 * an iteration. */
poy_status poyi_scatter_view_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int with_factors,
                                   size_t *out);
/* The largest degree of a view: given, or tried first. */
poy_status poyi_scatter_first_degree(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int *most);
/* The same of one at a degree above the first, with factors. */
poy_status poyi_scatter_raised_bytes(poy_ctx *ctx, const poyi_scatter *s, const poyi_view *v, int lmax, size_t *out);
enum { POYI_SCATTER_LUMP = 32 * 1024 }; /* handles, lists of particles and layers, ladders of degrees: of each thread */
/* Bytes that a record of spheres takes on the tape of a gradient while it is evaluated, pulled or pushed, beside its inputs, its state
 * and its scratch. moves: expansions of a lattice have a derivative, too, because origins, wavenumbers or the lattice move. */
double poyi_scatter_record_bytes(poy_ctx *ctx, const poyi_scatter *s, int lmax, int moves);

#endif
