/* conform.h: a generated case, the values it expects, and how it is judged. */
#ifndef POYI_CONFORM_H
#define POYI_CONFORM_H

#include "ops/array.h"
#include "poynting/conform.h"

/* ---- random choices, a pure function of seed, operation, type and case ---- */

typedef struct poyi_choice {
    uint64_t seed, stream, i;
} poyi_choice;
/* 0 .. n-1. */
int poyi_choose(poyi_choice *c, int n);
double poyi_choose_uniform(poyi_choice *c); /* [0, 1) */

/* ---- cases ---- */

/* A value of any type; long double holds all 64 bits of an integer on the processors that this library is built for. */
typedef struct poyi_wide {
    long double re, im;
} poyi_wide;

/* An operand: a window in a base of its own with guards around it. */
typedef struct poyi_operand {
    poy_dtype dtype;
    int rank;
    int64_t extent[POY_RANK_MAX], stride[POY_RANK_MAX];
    int64_t size, offset, base; /* elements: of the window, before its first, of all */
    unsigned char *bytes;       /* base elements, what the base holds before the call */
} poyi_operand;

/* What kind of matrix is factored (hard_matrices.c). */
typedef enum poyi_structure {
    POYI_BY_CONSTRUCTION, /* near one, or with a spectrum of its own: results are known */
    POYI_GRADED,          /* singular values from 1 down to 64 n eps */
    POYI_DEFICIENT,       /* every other singular value is 0 */
    POYI_CLUSTERED,       /* eigenvalues or singular values within some eps of each other */
    POYI_SCALED,          /* far from 1 in size */
    POYI_HILBERT,
    POYI_IDENTITY,
    POYI_ZERO,
    POYI_DEFECTIVE,
    POYI_NONNORMAL
} poyi_structure;

enum { POYI_CASE_OPERANDS = 5, POYI_CASE_SPECTRUM = 256 };
typedef struct poyi_case {
    poyi_op op;
    poy_dtype dtype; /* of the computation */
    int index;
    uint64_t seed;
    int n_in;
    poyi_operand operand[POYI_CASE_OPERANDS]; /* inputs, then the output */
    int creates;                              /* the creating form is called; the output has no window */
    int in_place;                             /* the output is the first input's window */
    poy_scalar value;                         /* fill */
    int n_axes, axes[POY_RANK_MAX], keepdims; /* reduce */
    int casts;                                /* reduce: x is cast to the output's type first */
    double allowance;                         /* bounds are this many times those of the row */
    poy_fft_options fft;
    double
        spectrum[POYI_CASE_SPECTRUM]; /* linalg: eigenvalues (of eig pairs) or singular values, matrix after matrix */
    poyi_structure structure;         /* linalg */
    int64_t places;                   /* of an axis, which the index in operand 1 names; 0: there is no index */
    int format, side;                 /* sparse: poy_sparse_format, poy_sparse_side */
    int64_t rows, columns;            /* sparse: of the matrix */
    int64_t n;                        /* terms of an element: reduced, multiplied, transformed */
} poyi_case;

/* "add.c128.17.1" */
void poyi_case_name(const poyi_case *c, size_t size, char *out);
/* Number of cases of an operation and type at a level. */
int poyi_case_count(poyi_op op, poy_conform_level level);
/* Errors: POY_ERR_MEMORY. */
poy_status poyi_case_make(poy_ctx *ctx, poyi_op op, poy_dtype dtype, int index, uint64_t seed, poyi_case *c);
void poyi_case_fini(poyi_case *c);
/* Fills in windows, bases and values, once shapes and types are set. */
poy_status poyi_case_fill(poy_ctx *ctx, poyi_case *c, poyi_choice *choice);

/* The matrices of a case of linear algebra (matrices.c): shapes, then values, once windows are there. */
void poyi_case_matrices(poyi_case *c, poyi_choice *choice);
void poyi_case_fill_matrices(poyi_case *c, poyi_choice *choice);

/* Sparse products (sparse_cases.c): likewise; and one call, which writes or makes. */
void poyi_case_sparse(poyi_case *c, poyi_choice *choice);
void poyi_case_fill_sparse(poyi_case *c, poyi_choice *choice);
poy_status poyi_run_sparse(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_array *into, poy_array **made);

static inline poyi_operand *poyi_case_output(poyi_case *c)
{
    return &c->operand[c->n_in];
}
static inline const poyi_operand *poyi_case_result(const poyi_case *c)
{
    return &c->operand[c->n_in];
}

/* ---- elements ---- */

void poyi_wide_store(poy_dtype dtype, void *bytes, int64_t at, poyi_wide v);

poyi_wide poyi_wide_load(poy_dtype dtype, const void *bytes, int64_t at);
/* A walk over a window in C order: the place of each element in its base; index starts as zeros. */
int64_t poyi_operand_place(const poyi_operand *o, const int64_t *index);
int poyi_index_next(int rank, const int64_t *extent, int64_t *index); /* 0: past the end */

/* ---- oracle and judge ---- */

/* For each element of the output in C order what it should be, and its scale: that of ops.def, so that tol eps scale is
 * the bound. A negative scale marks an element that is not judged. */
typedef struct poyi_expected {
    poyi_wide *value;
    double *scale;
} poyi_expected;
/* reference: the dense output of the reference; NULL: the formulas in extended precision, of long transforms a sample. */
poy_status poyi_oracle(poy_ctx *ctx, const poyi_case *c, const void *reference, poyi_expected *out);
void poyi_expected_fini(poyi_expected *e);

/* Judges the elements got (dense, of the output's type) against expected: the worst error in units of the bound; text:
 * what is wrong with the first that fails. Returns whether all pass. */
int poyi_judge(const poyi_case *c, const poyi_expected *expected, const void *got, double *worst, size_t size,
               char *text);

typedef enum poyi_scale {
    POYI_SCALE_EXACT,
    POYI_SCALE_EACH,
    POYI_SCALE_TERMS,
    POYI_SCALE_DOT,
    POYI_SCALE_PAIR,
    POYI_SCALE_COUNT,
    POYI_SCALE_NORM,
    POYI_SCALE_MEAN,
    POYI_SCALE_NORMWISE,
    POYI_SCALE_FFT
} poyi_scale;
extern const poyi_scale poyi_row_scales[POYI_OP_COUNT];
/* tol of ops.def, of a computation in dtype. */
double poyi_row_tolerance(int op, poy_dtype dtype);

/* ---- running ---- */

/* The case on a backend: dense result (poyi_free it); checks the properties that need no oracle, and says in text which
 * one fails ("" if none does); worst: the largest error of such a property, in units of what is allowed. The status is the
 * call's own. */
poy_status poyi_case_run(poy_ctx *ctx, poy_backend *be, const poyi_case *c, void **dense, double *worst, size_t size,
                         char *text);

/* Linear algebra (factors.c): the call; *out: the output that the oracle knows (the solution, cholesky's factor, u of lu, r of
 * qr, eigenvalues, singular values). The other outputs are checked with it, as poyi_case_run tells, and given back. */
poy_status poyi_run_factors(poy_ctx *ctx, const poyi_case *c, poy_array *const *in, poy_array **out, double *worst,
                            size_t size, char *text);

#endif
