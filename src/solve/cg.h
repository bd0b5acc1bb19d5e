/* cg.h: the decisions of conjugate gradients, from numbers alone: the same for one system (cg.c) and for each of a batch
 * (cg_batch.c). */
#ifndef POYI_CG_H
#define POYI_CG_H

#include "solve/turn.h"

/* What the recurrence of one system knows. All numbers are of the residual divided by scale. */
typedef struct poyi_cg_system {
    double norm_b; /* not divided */
    double scale, rho, rho_start, residual, threshold;
    double largest;                 /* of the diagonal of the Lanczos matrix: an estimate of |A| from below */
    double alpha, beta, last_alpha; /* of the last step */
    int active, fresh;
} poyi_cg_system;

int64_t poyi_cg_maxiter(const poyi_run *run);
/* What is known not to be positive is not tried. Errors: POY_ERR_NOT_PD. */
poy_status poyi_cg_check_positive(const poyi_run *run);

void poyi_cg_stop(poyi_cg_system *s, poy_solve_result *r, poy_solve_reason reason);
/* norm_r: |r| at first; r has the threshold. */
void poyi_cg_begin(poyi_cg_system *s, poy_solve_result *r, poy_dtype dtype, double norm_r);
/* rho = <r, K r> before the first step. */
void poyi_cg_first(poyi_cg_system *s, poy_solve_result *r, double rho);
/* pi = <p, A p>: the step's alpha, or why there is none. */
void poyi_cg_advance(poyi_cg_system *s, poy_solve_result *r, double pi);
/* rho = <r, K r> after the step: its beta. */
void poyi_cg_turn(poyi_cg_system *s, poy_solve_result *r, double rho);
/* Has rho fallen as far as rounding lets it? What comes then means nothing, so the residual is judged now. */
int poyi_cg_has_fallen(const poyi_cg_system *s, double eps);
void poyi_cg_judge(poyi_cg_system *s, poy_solve_result *r, double eps);
/* No residual is smaller than what rounding leaves of |A| |x|; only worth a norm of x when it is near, and now and then. */
int poyi_cg_is_near_rounding(const poyi_run *run, const poyi_cg_system *s, int64_t step);
void poyi_cg_judge_rounding(poyi_cg_system *s, poy_solve_result *r, double eps, double norm_x);

#endif
