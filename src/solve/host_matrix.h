/* host_matrix.h: a dense matrix of the host as an operator, and solves with it, for records. */
#ifndef POYI_HOST_MATRIX_H
#define POYI_HOST_MATRIX_H

#include "poynting/solve.h"
#include "record/builtin.h"

typedef struct poyi_host_matrix {
    poy_ctx *ctx;
    const char *who; /* in messages */
    poy_dtype dtype;
    int64_t m, n;
    poy_backend *be;
    poy_space *x, *y; /* [n], [m] */
    poy_array *matrix;
    poy_linop *a, *h; /* A and A^H */
} poyi_host_matrix;

/* data [m, n], not copied. Close it whatever comes. */
poy_status poyi_host_matrix_open(poy_ctx *ctx, const char *who, poy_dtype dtype, int64_t m, int64_t n, void *data,
                                 poyi_host_matrix *out);
void poyi_host_matrix_close(poyi_host_matrix *a);
/* data [n] as an array; the caller destroys it. */
poy_status poyi_host_vector(const poyi_host_matrix *a, int64_t n, void *data, poy_array **out);

typedef poy_status poyi_solver_fn(poy_ctx *ctx, const poy_linop *a, const poy_array *b,
                                  const poy_solve_options *options, poy_array *x, poy_solve_result *result);
/* x from b by solve, with A or A^H. Errors: POY_ERR_NO_CONVERGENCE, except where the residual is as small as rounding
 * allows and stagnation is no failure. */
poy_status poyi_host_solve(const poyi_host_matrix *a, poyi_solver_fn *solve, int adjoint, int may_stagnate,
                           const poy_solve_options *options, void *b, void *x, poy_solve_result *result);

/* z = A x or A^H x of host arrays, x and z apart. */
void poyi_host_multiply(const poy_rec_array *a, int adjoint, const poy_rec_array *x, const poy_rec_array *z);

/* The options tol and maxiter of such records, and what they are read into. */
typedef struct poyi_host_limits {
    double tol;
    int64_t maxiter;
} poyi_host_limits;
poy_status poyi_host_limits_read(poy_ctx *ctx, const char *who, const poy_rec_value *tol, const poy_rec_value *maxiter,
                                 poyi_host_limits *out);
/* open of a record that has no other options than tol and maxiter, in this order; its close is free. */
poy_status poyi_host_limits_open(poy_ctx *ctx, const char *who, const poy_rec_value *values, void **out);
/* Solver options from them. */
poy_solve_options poyi_host_options(const poyi_host_limits *limits);
/* A vector [n] of dtype at data. */
poy_rec_array poyi_host_array(poy_dtype dtype, int64_t n, void *data);

#endif
