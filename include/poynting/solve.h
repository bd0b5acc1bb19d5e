/* solve.h: solvers on spaces and linear operators: linear systems, eigenpairs, exponentials, traces, singular values.
 *
 * Inner products and norms are those of the operator's spaces. The threshold of a linear solve is max(atol, 0) +
 * max(tol, 0) |b|, its residual r = b - A x. Not to converge is no failure: the call returns POY_OK, and the result says
 * why it stopped. Failures are POY_ERR_NOT_PD (a direction of negative curvature, in cg or in the preconditioner),
 * POY_ERR_NONFINITE (a NaN or an infinity on the way), POY_ERR_MISMATCH and POY_ERR_ARGUMENT (operators, shapes, options
 * that do not fit); the result is filled in for the first two, and x holds the last iterate. Solvers judge by the residual of
 * their recurrence; where the true one is more than 10 thresholds + 64 eps |b| in the end, they have STAGNATED, not converged.
 *
 * Vectors are scaled by powers of two, so that |b| may lie anywhere in the range of the element type. A loop allocates
 * nothing. poy_cg, poy_cg_batch and poy_power record their turns before the first, where vectors are short (8192 elements) and
 * dense, the inner product is the plain one and no function of the caller takes part: what is replayed then has the bits of
 * the calls. */
#ifndef POYNTING_SOLVE_H
#define POYNTING_SOLVE_H

#include "poynting/functional.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum poy_solve_reason {
    POY_REASON_CONVERGED,
    POY_REASON_MAXITER,
    POY_REASON_STAGNATED,          /* rounding allows no smaller residual; a power iteration that goes to and fro */
    POY_REASON_NEGATIVE_CURVATURE, /* <p, A p> <= 0 */
    POY_REASON_BREAKDOWN,          /* the recurrence cannot go on: a singular operator, or orthogonal directions */
    POY_REASON_NONFINITE,
    POY_REASON_STOPPED /* by the monitor */
} poy_solve_reason;
POY_API const char *poy_solve_reason_name(poy_solve_reason reason); /* "negative curvature" */

/* Called after each step with the residual that the recurrence gives; nonzero: stop. */
typedef int poy_solve_monitor_fn(void *user, int64_t iteration, double residual);

typedef struct poy_solve_options {
    size_t size;                   /* sizeof(poy_solve_options) */
    double tol, atol;              /* [1e-6, 0] */
    int64_t maxiter;               /* [0: as each solver says] */
    int64_t check_every;           /* [1] steps between two tests of the residual */
    int64_t restart;               /* [0: as each solver says] vectors of a basis */
    const poy_linop *precond;      /* [NULL] an approximate inverse; self-adjoint and positive for cg and minres */
    const poy_array *x0;           /* [NULL: zero, or random where that makes no sense] */
    uint64_t seed;                 /* [1] of random vectors */
    poy_solve_monitor_fn *monitor; /* [NULL] */
    void *user;
    poy_work *work;  /* [NULL] */
    double *history; /* [NULL] residuals of steps 0, 1, ... */
    int64_t history_size;
} poy_solve_options;
POY_API void poy_solve_options_init(poy_solve_options *options);

typedef struct poy_solve_result {
    poy_solve_reason reason;
    int converged;
    int64_t iterations;
    int64_t applies;      /* of the operator and of its adjoint */
    double residual;      /* by the recurrence */
    double true_residual; /* |b - A x|, or |A x - lambda x|, from x */
    double threshold;
    double eigenvalue;      /* of power iteration and of the first pair of Lanczos */
    double normal_residual; /* |A# (b - A x)|, lsqr */
    double value;           /* of the functional, minimisers */
    int64_t history_length;
} poy_solve_result;

/* ---- linear systems ---- */

/* Conjugate gradients (Hestenes, Stiefel 1952), A self-adjoint and positive. maxiter [max(10 n, 100)]. Errors: also
 * POY_ERR_ARGUMENT (A is known not to be Hermitian). */
POY_API poy_status poy_cg(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                          poy_array *x, poy_solve_result *result);
/* The same for a batch: each system stops by itself; results [members]. The worst of the members' statuses is returned,
 * after all have ended. The monitor is told the largest residual. */
POY_API poy_status poy_cg_batch(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                                poy_array *x, poy_solve_result *results);
/* Minimal residuals (Paige, Saunders 1975), A self-adjoint, perhaps indefinite. With a preconditioner K the residual of
 * the recurrence is sqrt <r, K r>, times what makes the first one |r|. */
POY_API poy_status poy_minres(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                              poy_array *x, poy_solve_result *result);
/* GMRES(m) (Saad, Schultz 1986), preconditioned from the right; restart [min(n, 30)]. */
POY_API poy_status poy_gmres(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                             poy_array *x, poy_solve_result *result);
/* BiCGSTAB (van der Vorst 1992), preconditioned from the right. */
POY_API poy_status poy_bicgstab(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                                poy_array *x, poy_solve_result *result);
/* Least squares min |A x - b| (Paige, Saunders 1982); stops where |A# r| or |r| is at most its threshold, atol + tol |b|.
 * residual: |r|. Errors: POY_ERR_UNSUPPORTED with a preconditioner. */
POY_API poy_status poy_lsqr(poy_ctx *ctx, const poy_linop *a, const poy_array *b, const poy_solve_options *options,
                            poy_array *x, poy_solve_result *result);

/* ---- eigenpairs ---- */

/* x -> A x / |A x|, A self-adjoint; stops where |A x - lambda x| <= atol + tol |lambda|. maxiter [1000]; x of norm 1.
 * Errors: also POY_ERR_ARGUMENT (x0 = 0). */
POY_API poy_status poy_power(poy_ctx *ctx, const poy_linop *a, const poy_solve_options *options, poy_array *x,
                             poy_solve_result *result);
/* The k smallest eigenvalues, rising, with eigenvectors [k, ...] of norm 1 (or NULL), of a self-adjoint A: Lanczos with
 * full reorthogonalisation and thick restarts (Wu, Simon 2000). restart [min(n, max(2 k + 20, 40))]; maxiter
 * [max(100 k, 1000)], in applications. A pair has converged where its residual is at most atol + tol max(|theta|,
 * eps^(2/3) |A|); for k > 1 a second run from a random vector looks for copies of multiple eigenvalues. */
POY_API poy_status poy_lanczos(poy_ctx *ctx, const poy_linop *a, int64_t k, const poy_solve_options *options,
                               double *values, poy_array *vectors, poy_solve_result *result);
/* The k eigenvalues of largest modulus of any A from a complex space to itself, falling, with eigenvectors (or NULL), by
 * one basis of restart [min(n, max(2 k + 20, 40))] vectors (Arnoldi 1951); residuals [k] (or NULL). Errors: also
 * POY_ERR_DTYPE (a real space). */
POY_API poy_status poy_arnoldi(poy_ctx *ctx, const poy_linop *a, int64_t k, const poy_solve_options *options,
                               poy_c128 *values, poy_array *vectors, double *residuals, poy_solve_result *result);

/* ---- functions of an operator ---- */

/* y = exp(t A) v by bases of restart [30] vectors, in as many sub-steps as the estimate of the error asks for, which is
 * held below atol + tol |y| (Saad 1992; Hochbruck, Lubich 1997). A Hermitian where it says so, else by Arnoldi. t has an
 * imaginary part only in complex spaces. maxiter [10000], in applications. residual: the estimate. */
POY_API poy_status poy_expm_apply(poy_ctx *ctx, const poy_linop *a, poy_scalar t, const poy_array *v,
                                  const poy_solve_options *options, poy_array *y, poy_solve_result *result);
/* Trace from samples of z^H A z, z of random signs (Hutchinson 1990): mean, and the standard error of its real part. */
POY_API poy_status poy_trace_estimate(poy_ctx *ctx, const poy_linop *a, int64_t samples, uint64_t seed, poy_work *work,
                                      poy_scalar *mean, double *error);
/* The k largest singular values, falling, with u [k, ...] and v [k, ...] orthonormal in the codomain and the domain:
 * A v_i = s_i u_i. Random range of k + oversample vectors, powers subspace iterations (Halko, Martinsson, Tropp 2011).
 * Errors: POY_ERR_ARGUMENT (k + oversample beyond the smaller size). */
POY_API poy_status poy_svd_random(poy_ctx *ctx, const poy_linop *a, int64_t k, int64_t oversample, int powers,
                                  uint64_t seed, poy_work *work, double *s, poy_array *u, poy_array *v);

/* ---- minimisers ---- */

/* A smooth f by L-BFGS (Liu, Nocedal 1989) with steps that obey the weak Wolfe conditions (Lewis, Overton 2013); restart:
 * pairs that are kept [10]; x0 [zero]. Stops where the gradient's norm is at most atol + tol |gradient at x0|, or, as
 * STAGNATED, where no step lowers f within rounding. maxiter [1000]; residual: |gradient|; applies: evaluations. Errors:
 * POY_ERR_NONFINITE (a value or a gradient that is not finite, at x0). */
POY_API poy_status poy_lbfgs(poy_ctx *ctx, const poy_functional *f, const poy_solve_options *options, poy_array *x,
                             poy_solve_result *result);
/* f + g, f smooth, g with a proximal map: accelerated proximal gradients with restarts (Beck, Teboulle 2009; O'Donoghue,
 * Candes 2015); the step [step; 0: 1] is shortened until f lies below its model. Stops where |x - prox(x - t grad f)| / t is
 * at most atol + tol times its first value. maxiter [10000]; value: f + g. */
POY_API poy_status poy_proximal_gradient(poy_ctx *ctx, const poy_functional *f, const poy_functional *g, double step,
                                         const poy_solve_options *options, poy_array *x, poy_solve_result *result);

#ifdef __cplusplus
}
#endif
#endif
