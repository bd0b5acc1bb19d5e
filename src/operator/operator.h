/* operator.h: spaces and operators from within: their structs, scratch, and the vector arithmetic that solvers use. */
#ifndef POYI_OPERATOR_H
#define POYI_OPERATOR_H

#include <complex.h>
#include <stdatomic.h>

#include "ops/array.h"
#include "poynting/operator.h"

/* ---- scratch ---- */

/* An array lent by work: contents as they happen to be; give it back in any order. */
poy_status poyi_work_take(poy_ctx *ctx, poy_work *work, poy_dtype dtype, int rank, const int64_t *extent,
                          poy_array **out);
void poyi_work_give(poy_work *work, poy_array **a); /* accepts NULL */
/* One like x; an element of s, or a batch of k (k = 0: one element). */
poy_status poyi_work_like(poy_ctx *ctx, poy_work *work, const poy_array *x, poy_array **out);
poy_status poyi_work_element(poy_ctx *ctx, poy_work *work, const poy_space *s, int64_t k, poy_array **out);
/* work itself, or where it is NULL a new one, which *own is, too. */
poy_status poyi_work_get(poy_ctx *ctx, poy_backend *be, poy_work **work, poy_work **own);

/* A window on x without a handle of its own, which lives no longer than x: not to be destroyed. Dense strides inside. */
poy_array poyi_window(const poy_array *x, int64_t offset, int rank, const int64_t *extent);
/* The same written in place: to return it, and to read it at once, takes 50 ns, by stores that loads have to wait for. */
void poyi_window_set(const poy_array *x, int64_t offset, int rank, const int64_t *extent, poy_array *out);
/* Member i of a batch. */
poy_array poyi_member(const poy_array *x, int64_t i);
/* An element (batch) with its coordinates along one axis, [n] or [k, n]: a window where they lie densely, else on
 * *temp, of which the numbers are x's only where copy is set. Give *temp back (it may be NULL). */
poy_status poyi_flat(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, int copy, poy_array *flat,
                     poy_array **temp);
/* Brings what was written to *temp, if there is one, to y, and gives it back. */
poy_status poyi_unflat(poy_ctx *ctx, poy_work *work, poy_array **temp, poy_array *y);

/* ---- vectors ---- */

/* k: 0 for single elements, else the members of a batch, each with its own scalar. */
poy_status poyi_axpy(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x, poy_array *y);
/* y = x + b y */
poy_status poyi_xpby(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_scalar *b, poy_array *y);
/* x += a p, then p = z + b p, in one pass where vectors are long. */
poy_status poyi_axpy_xpby(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, poy_array *x,
                          const poy_array *z, const poy_scalar *b, poy_array *p);
/* y += a x, and the sum of |y|^2 after it, likewise. */
poy_status poyi_axpy_square(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x,
                            poy_array *y, poy_scalar *square);
/* y = a x; y may be x */
poy_status poyi_scale(poy_ctx *ctx, poy_work *work, int64_t k, const poy_scalar *a, const poy_array *x, poy_array *y);
/* sum(conj(x) y) over each member. */
poy_status poyi_dot(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_array *y, poy_scalar *out);
/* The same as numbers of arrays, out [] or [k] dense, for members that are not gone through in pieces. */
poy_status poyi_dot_into(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, const poy_array *y,
                         poy_array *out);
/* max |x| over each member; NaN wins. */
poy_status poyi_max_abs(poy_ctx *ctx, poy_work *work, int64_t k, const poy_array *x, double *out);
/* Dense in the host's memory, its members so short that none of the functions above goes through them in pieces, and not worth
 * several threads where the context has them. */
int poyi_vector_is_short(const poy_ctx *ctx, int64_t k, const poy_array *x);
/* Whether the sums of such members are taken one by one: they are long enough to be worth a call each. */
int poyi_vector_by_member(int64_t k, const poy_array *x);
/* out [k or 1] from a device's [k or 1] numbers of the element type. */
poy_status poyi_read_scalars(poy_ctx *ctx, const poy_array *a, int64_t n, poy_scalar *out);
poy_status poyi_write_scalars(poy_ctx *ctx, poy_array *a, int64_t n, const poy_scalar *in);

/* A power of two near x > 0, held to what the element type can divide by. */
double poyi_scale_of(poy_dtype dtype, double x);
double poyi_eps(poy_dtype dtype);

/* ---- spaces ---- */

typedef enum poyi_geometry { POYI_EUCLIDEAN, POYI_WEIGHTED, POYI_METRIC, POYI_PARTS, POYI_USER } poyi_geometry;
typedef enum poyi_algebra { POYI_NO_ALGEBRA, POYI_ELEMENTWISE, POYI_HERMITIAN, POYI_BY_PARTS } poyi_algebra;

typedef struct poyi_part {
    poy_space *space;
    int64_t at; /* of its first coordinate */
    char name[32];
} poyi_part;

struct poy_space {
    _Atomic int holders;
    poy_backend *be; /* counted */
    poy_dtype dtype;
    int rank;
    int64_t extent[POY_RANK_MAX], size;
    poyi_geometry geometry;
    poyi_algebra algebra;
    poy_array *w, *w_inverse; /* weights and 1/weights, in dtype, that broadcast to the shape */
    double *weights;          /* the same on the host, of every coordinate */
    poy_linop *metric, *inverse;
    int n_parts;
    poyi_part *parts;
    double atol, rtol; /* of Hermitian members */
    poy_space_user user;
};

/* 0: x is an element; k: a batch of k. Errors as poy_space_check at POY_CHECK_SHAPE. what names x in the account. */
poy_status poyi_space_takes(poy_ctx *ctx, const poy_space *s, const char *what, const poy_array *x, int64_t *k);
poy_status poyi_inner(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x,
                      const poy_array *y, poy_scalar *out);
poy_status poyi_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x, double *out);
/* |x| of one element, from <x, x>, which may have left the range of numbers. */
poy_status poyi_norm_from(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, double square,
                          double *out);
/* y += a x, and <y, y> after it. */
poy_status poyi_axpy_inner(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_scalar *a,
                           const poy_array *x, poy_array *y, poy_scalar *out);
/* y += a x, and |y| after it; single elements. */
poy_status poyi_axpy_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_scalar *a, const poy_array *x,
                          poy_array *y, double *out);
poy_status poyi_riesz(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x, poy_array *y);
poy_status poyi_riesz_inverse(poy_ctx *ctx, const poy_space *s, poy_work *work, int64_t k, const poy_array *x,
                              poy_array *y);
/* A caller's functions, member by member: R x or R^-1 x; <x, y>, where there is an inner; is x an element? */
poy_status poyi_space_user_riesz(poy_ctx *ctx, const poy_space *s, int64_t k, int inverse, const poy_array *x,
                                 poy_array *y);
poy_status poyi_space_user_inner(poy_ctx *ctx, const poy_space *s, int64_t k, const poy_array *x, const poy_array *y,
                                 poy_scalar *out);
poy_status poyi_space_user_member(poy_ctx *ctx, const poy_space *s, int64_t k, const poy_array *x);
/* A space with R = 1. */
poy_status poyi_space_new(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                          poy_space **out);
/* Random coordinates as poy_space_random's, into an element. */
poy_status poyi_space_randomise(poy_ctx *ctx, const poy_space *s, uint64_t seed, poy_array *x);
/* Part i of a product's element, or of a batch of k, which lie densely inside: a window. */
poy_array poyi_part_of(const poy_space *s, const poy_array *x, int64_t k, int i);
/* A shape of s's, with a batch of k in front where k > 0; returns the rank. */
int poyi_space_shape(const poy_space *s, int64_t k, int64_t extent[POY_RANK_MAX]);

/* ---- operators ---- */

typedef struct poyi_linop_kind {
    const char *name;
    /* k as above; x and y are checked. */
    poy_status (*apply)(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x, poy_array *y);
    /* A#, or where coordinate is set A^H, around which the caller puts the Riesz maps. */
    poy_status (*adjoint)(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x,
                          poy_array *y);
    int coordinate;
    void (*release)(poy_linop *op); /* of what is the kind's own in op->own; or NULL */
} poyi_linop_kind;

struct poy_linop {
    _Atomic int holders;
    const poyi_linop_kind *kind;
    poy_space *domain, *codomain;
    poy_answer hermitian, positive, unitary;
    int not_finite;     /* its numbers were read, and one is NaN or infinite: nothing else is known of it */
    int metric_adjoint; /* a user's adjoint is A# */
    poy_array *a;       /* matrix [codomain, domain], diagonal, ... */
    int symmetric;      /* a is a matrix that equals its transpose in all bits */
    poy_array *a_h;     /* its conjugate, where the type is complex and it is needed */
    poy_scalar scalar;
    int axis; /* from the end */
    int n_ops;
    poy_linop **ops; /* counted; NULL: zero (blocks) */
    poy_linop_user user;
    void *own;
};

extern const poyi_linop_kind poyi_linop_identity, poyi_linop_zero, poyi_linop_dense, poyi_linop_diagonal,
    poyi_linop_scaled, poyi_linop_summed, poyi_linop_composed, poyi_linop_adjoined, poyi_linop_blocks;

/* A new operator, held once; the spaces are kept. */
poy_status poyi_linop_new(poy_ctx *ctx, const poyi_linop_kind *kind, poy_space *domain, poy_space *codomain,
                          poy_linop **out);
/* Room for n operands, all NULL. */
poy_status poyi_linop_operands(poy_ctx *ctx, poy_linop *op, int n);
poy_status poyi_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x, poy_array *y);
poy_status poyi_adjoint(poy_ctx *ctx, const poy_linop *op, poy_work *work, int64_t k, const poy_array *x, poy_array *y);
/* Whether applying it may run a caller's function, which a program cannot record: a caller's operator, or a space whose metric
 * is more than weights, anywhere in it. */
int poyi_linop_calls_back(const poy_linop *op);
/* What follows for an operator from its operands, where it is not known yet (linop_facts.c). */
void poyi_facts_of_scaled(poy_linop *op);
void poyi_facts_of_sum(poy_linop *op);
void poyi_facts_of_chain(poy_linop *op);
void poyi_facts_of_adjoint(poy_linop *op);
void poyi_facts_of_blocks(poy_linop *op);
/* Is a number of x [n] not finite: op->not_finite. */
int poyi_facts_not_finite(poy_linop *op, const double complex *x, int64_t n);
/* Of a diagonal, from its numbers d [n]; of a matrix, from those of its diagonal. Diagonal metrics only. */
void poyi_facts_of_diagonal(poy_linop *op, const double complex *d, int64_t n);
void poyi_facts_of_matrix(poy_linop *op, const double complex *d, int64_t n);
/* Facts that are known of from are those of op, which is from in another form. */
void poyi_facts_inherit(poy_linop *op, const poy_linop *from);
/* Is a the adjoint of b, as far as that is seen without numbers? */
int poyi_linop_is_adjoint_of(const poy_linop *a, const poy_linop *b);
poy_status poyi_linop_same(poy_ctx *ctx, const char *who, const poy_space *a, const poy_space *b);

#endif
