/* solve.h: what all solvers share: a run with its options, counts and report; bases of vectors; small dense algebra. */
#ifndef POYI_SOLVE_H
#define POYI_SOLVE_H

#include "core/cmplx.h"
#include "operator/operator.h"
#include "poynting/program.h"
#include "poynting/solve.h"

/* ---- a run ---- */

enum { POYI_SOLVE_VECTORS = 16 };

typedef struct poyi_run {
    poy_ctx *ctx;
    const char *name;
    const poy_linop *a;
    const poy_space *x_space, *b_space;
    poy_solve_options o;
    poy_solve_result *result;
    double norm_b;
    poy_work *work, *own;
    poy_linop *identity; /* of minimisers, which have no operator */
    int n_vectors;
    poy_array *vector[POYI_SOLVE_VECTORS]; /* lent by work, given back at the end */
} poyi_run;

/* Checks the options (NULL: the usual ones), the operator (square: from its domain to itself; hermitian: not known to be
 * anything else), and clears the result. End it whatever comes. */
poy_status poyi_run_begin(poy_ctx *ctx, const char *name, const poy_linop *a, int square, int hermitian,
                          const poy_solve_options *options, poy_solve_result *result, poyi_run *run);
/* The same for a functional's minimum. */
poy_status poyi_run_begin_minimum(poy_ctx *ctx, const char *name, const poy_functional *f,
                                  const poy_solve_options *options, poy_solve_result *result, poyi_run *run);
/* Gives scratch back; a reason that is a failure becomes its status. Returns status where that is one already. */
poy_status poyi_run_end(poyi_run *run, poy_status status);
/* An element of s (a batch of k), lent until the end. */
poy_status poyi_run_vector(poyi_run *run, const poy_space *s, int64_t k, poy_array **out);
/* k numbers of the type of x, likewise, that go along the members of a batch of arrays of this rank: [k, 1, ..., 1]; [] for k
 * 0. */
poy_status poyi_run_numbers(poyi_run *run, int64_t k, int rank, poy_array **out);
/* x is an element of s, single. */
poy_status poyi_run_takes(const poyi_run *run, const poy_space *s, const char *what, const poy_array *x);

poy_status poyi_run_apply(poyi_run *run, const poy_array *x, poy_array *y);
poy_status poyi_run_adjoint(poyi_run *run, const poy_array *x, poy_array *y);
/* atol + tol |b| */
double poyi_run_threshold(const poyi_run *run, double norm_b);
/* x = x0 or 0; r = b - A x, q is scratch; |b| into *norm_b; the threshold into the result. */
poy_status poyi_run_start(poyi_run *run, const poy_array *b, poy_array *x, poy_array *r, poy_array *q, double *norm_b);
/* Is a true residual far beyond the threshold, by more than the rounding of b? Recurrences of ill-conditioned or singular
 * systems end there while they tell of convergence. */
int poyi_has_missed(poy_dtype dtype, double true_residual, double threshold, double norm_b);
/* What converged by its recurrence, but whose residual (the true one, or another that counts) has missed, has stagnated. */
void poyi_run_confirm(poyi_run *run, double residual);
/* The true residual from x, at the end. */
poy_status poyi_run_true(poyi_run *run, const poy_array *b, const poy_array *x, poy_array *r);
/* Writes the residual of a step into history and result and asks the monitor; nonzero: it says stop. */
int poyi_run_step(poyi_run *run, int64_t iteration, double residual);
/* Iteration 0: ends a run of norms that are not finite, whose start is the solution already, or that the monitor stops. */
void poyi_run_judge_start(poyi_run *run, double norm_b, double norm_r);
/* Sets the reason, and whether it is success. */
void poyi_run_stop(poyi_run *run, poy_solve_reason reason);

/* Shorthands for single elements. */
poy_status poyi_run_axpy(poyi_run *run, double re, double im, const poy_array *x, poy_array *y);
/* y += a x, and |y| after it. */
poy_status poyi_run_axpy_norm(poyi_run *run, const poy_space *s, double complex a, const poy_array *x, poy_array *y,
                              double *norm);
poy_status poyi_run_scale(poyi_run *run, double a, const poy_array *x, poy_array *y);
poy_status poyi_run_inner(poyi_run *run, const poy_space *s, const poy_array *x, const poy_array *y,
                          double complex *out);
poy_status poyi_run_norm(poyi_run *run, const poy_space *s, const poy_array *x, double *out);

/* ---- parts of a loop as programs, between whose runs the host decides: without dispatch, and to the same bits ---- */

/* Whether calls on vectors like x (k members) can be recorded, and are worth it: no caller's function takes part, the inner
 * product is the plain one, members are so short that they are not gone through in pieces, nobody records already. */
int poyi_run_can_record(const poyi_run *run, int64_t k, const poy_array *x);
/* The calls of a part, each one of the array layer; turn has its arrays. */
typedef poy_status poyi_part_fn(const void *turn);
/* Takes the memory that the calls take; nothing runs. */
poy_status poyi_run_record(const poyi_run *run, const char *name, poyi_part_fn *part, const void *turn,
                           poy_program **out);

/* ---- bases ---- */

/* m vectors of a space as one batch, and what projecting on them takes. */
typedef struct poyi_span {
    const poy_space *space;
    int64_t m;
    poy_array *v;                          /* [m, ...] */
    poy_array *coefficients, *row;         /* [m] */
    poy_array *metric, *conjugate, *image; /* elements: R w, its conjugate, V^T h */
    double complex *host;                  /* [m] */
} poyi_span;

poy_status poyi_span_create(poy_ctx *ctx, const poy_space *s, int64_t m, poyi_span *b);
void poyi_span_free(poyi_span *b);
poy_array poyi_span_at(const poyi_span *b, int64_t i);
/* w -= sum over i < j of v_i <v_i, w>, twice where the first pass cancels; h [j] the coefficients (or NULL). *norm: |w|
 * that is left; *before (or NULL): |w| at first. */
poy_status poyi_span_project(poyi_run *run, poyi_span *b, int64_t j, poy_array *w, double complex *h, double *before,
                             double *norm);
/* The three-term recurrence before that, of a self-adjoint A: w -= beta v_j-1, alpha = Re <v_j, w>, w -= alpha v_j. What is
 * left is small where w was large, so that one pass of projecting is enough. beta 0: there is no v_j-1. */
poy_status poyi_span_local(poyi_run *run, poyi_span *b, int64_t j, double beta, poy_array *w, double *alpha);
/* y = sum over i < j of c_i v_i */
poy_status poyi_span_combine(poyi_run *run, poyi_span *b, int64_t j, const double complex *c, poy_array *y);
/* The first p vectors become sum over i < j of c[i p + l] v_i; scratch [p, ...] of the space's type. */
poy_status poyi_span_rotate(poyi_run *run, poyi_span *b, int64_t j, int64_t p, const double complex *c,
                            poy_array *scratch, poy_array *matrix);
/* v_j: random, orthogonal to the first j, of norm 1; *norm 0 where there is none. */
poy_status poyi_span_random(poyi_run *run, poyi_span *b, int64_t j, uint64_t seed, double *norm);

/* ---- small dense algebra of the host ---- */

/* e = exp(a), a [n, n] row-major, by scaling, squaring and a Pade approximant (Higham 2005). work: 6 n n elements,
 * pivots [n]. */
void poyi_small_expm(int64_t n, const double complex *a, double complex *e, double complex *work, int32_t *pivots);
/* a [n, n] = u diag(s) v^H by one-sided Jacobi rotations; a becomes u; s falls. */
void poyi_small_svd(int64_t n, double complex *a, double *s, double complex *v);

#endif
