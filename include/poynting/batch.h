/* batch.h: several runs of one problem, its members, on one fixed schedule and in lockstep: after every step all of them are
 * at the same position. They differ in launch and noise; each gives, to the bit, what it gives alone. */
#ifndef POYNTING_BATCH_H
#define POYNTING_BATCH_H

#include "poynting/run.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_batch poy_batch;

/* Keeps the problem. Errors: POY_ERR_UNSUPPORTED (the problem chooses its steps itself: it has no schedule), and those of
 * poy_run_open. */
POY_API poy_status poy_batch_open(poy_ctx *ctx, poy_problem *problem, const char *backend, int members,
                                  poy_batch **out);
/* Bytes that open will take: those of poy_run_estimate for each member. */
POY_API poy_status poy_batch_estimate(poy_ctx *ctx, poy_problem *problem, const char *backend, int members,
                                      size_t *total);
POY_API void poy_batch_destroy(poy_batch **batch);
POY_API int poy_batch_members(const poy_batch *batch);

/* Loads a member at z = 0, as poy_run_set_initial. */
POY_API poy_status poy_batch_set_initial(poy_ctx *ctx, poy_batch *batch, int member, const double *field,
                                         const double *noise);
/* Marches all members until they are exactly at z; they share the threads of the context. Errors: POY_ERR_STATE (a member
 * was not loaded, or the members are at different places after a failure), POY_ERR_INTERRUPTED (the context's progress
 * function asked to stop: all are at the same step), those of poy_run_propagate_to with the member's number. */
POY_API poy_status poy_batch_propagate_to(poy_ctx *ctx, poy_batch *batch, double z);
/* A member, for poy_run_observe and poy_run_stats; do not march it alone. NULL: there is no such member. */
POY_API poy_run *poy_batch_member(poy_batch *batch, int member);

#ifdef __cplusplus
}
#endif
#endif
