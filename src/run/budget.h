/* budget.h: how much memory a run may take, and who says so. */
#ifndef POYI_BUDGET_H
#define POYI_BUDGET_H

#include "core/core.h"

typedef struct poyi_budget {
    size_t bytes;     /* SIZE_MAX: nothing is known */
    int declared;     /* by the user: more is refused; the default only warns */
    char source[160]; /* "POYNTING_MEMORY", "4/5 of the 16 GiB of this machine's memory" */
} poyi_budget;

/* The first of: asked (bytes; 0: none) with its source, the environment's POYNTING_MEMORY, 4/5 of the least of physical
 * memory, control groups (v1, v2, every level) and Slurm's allocation. root: the folder that holds proc and sys, "" for
 * this machine's own. Errors: POY_ERR_ARGUMENT (POYNTING_MEMORY is no size). */
poy_status poyi_budget_find(poy_ctx *ctx, const char *root, double asked, const char *source, poyi_budget *out);
/* POY_ERR_BUDGET with what was asked (note: more about it, or ""), what is allowed and by whom, where it goes (the largest of n
 * groups, which it sorts), what to change. */
poy_status poyi_budget_refuse(poy_ctx *ctx, const char *name, size_t bytes, const char *note, const poyi_budget *budget,
                              size_t n, poy_ledger_entry *groups, const char *advice);

#endif
