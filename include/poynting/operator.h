/* operator.h: vector spaces with their inner products, linear operators between them, and the laws both obey.
 *
 * An element of a space is an array of the space's backend, element type and shape; a batch has one more axis in front.
 * An element of a product space is one array [size]: the parts one after the other, each in C order.
 *
 *   inner product  <x, y> = x^H R y (the first argument is conjugated); R, the Gram matrix, is the space's metric
 *   Riesz map      x -> R x, from vectors to covectors, of which the pairing is Re sum(conj(xi) x)
 *   adjoint        A# with <A x, y>_Y = <x, A# y>_X, that is A# = R_X^-1 A^H R_Y
 *
 * Spaces and operators are immutable and counted: whoever stores one keeps it, and gives it back with _destroy. They may
 * be shared among threads; a poy_work belongs to one. Errors of all functions on elements: POY_ERR_BACKEND, POY_ERR_DTYPE,
 * POY_ERR_SHAPE (an array that is no element), POY_ERR_MISMATCH (spaces that differ), and those of ops.h. */
#ifndef POYNTING_OPERATOR_H
#define POYNTING_OPERATOR_H

#include "poynting/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct poy_space poy_space;
typedef struct poy_linop poy_linop;

/* ---- scratch ---- */

/* Arrays that are lent and come back: what has run once with a poy_work runs again without an allocation. NULL wherever
 * one may be given: the call makes its own. */
typedef struct poy_work poy_work;
POY_API poy_status poy_work_create(poy_ctx *ctx, poy_backend *be, poy_work **out);
POY_API void poy_work_destroy(poy_work **work);
POY_API size_t poy_work_bytes(const poy_work *work); /* held now */

/* ---- spaces ---- */

/* Coordinates with R = 1. dtype: f32, f64, c64, c128. Errors: POY_ERR_DTYPE, POY_ERR_SHAPE. */
POY_API poy_status poy_space_dense(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                                   poy_space **out);
/* R = diag(w); w real, broadcast to the shape, copied. Errors: POY_ERR_ARGUMENT (a weight that is not finite and > 0),
 * POY_ERR_BROADCAST. */
POY_API poy_status poy_space_weighted(poy_ctx *ctx, const poy_array *w, poy_dtype dtype, int rank,
                                      const int64_t *extent, poy_space **out);
/* R = M, self-adjoint and positive on M's domain, which is Euclidean; inverse: M^-1, or NULL: maps that need it are
 * refused. Errors: POY_ERR_ARGUMENT (M is known not to be Hermitian, domain and codomain differ). */
POY_API poy_status poy_space_metric(poy_ctx *ctx, poy_linop *metric, poy_linop *inverse, poy_space **out);
/* Parts one after the other; <x, y> is the sum of theirs. names [n] or NULL. Parts may be products (trees). Errors:
 * POY_ERR_ARGUMENT (none), POY_ERR_DTYPE, POY_ERR_BACKEND (parts that differ). */
POY_API poy_status poy_space_product(poy_ctx *ctx, int n, poy_space *const *parts, const char *const *names,
                                     poy_space **out);
/* k copies along a new first axis. Errors: POY_ERR_UNSUPPORTED (of a product or a metric: make a product). */
POY_API poy_status poy_space_stacked(poy_ctx *ctx, poy_space *base, int64_t k, poy_space **out);
/* Element by element: star x = conj(x), Jordan product x y, spectrum x. w as in poy_space_weighted, or NULL. */
POY_API poy_status poy_space_elementwise(poy_ctx *ctx, poy_backend *be, const poy_array *w, poy_dtype dtype, int rank,
                                         const int64_t *extent, poy_space **out);
/* Hermitian n x n matrices: R = 1 (Frobenius), star x = x, Jordan product (x y + y x) / 2, spectrum the eigenvalues.
 * A matrix is a member where |x_ij - conj(x_ji)| <= atol + rtol |x_ij|. */
POY_API poy_status poy_space_hermitian(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int64_t n, double atol,
                                       double rtol, poy_space **out);
/* A caller's: coordinates with the caller's R. riesz writes y = R x, riesz_inverse y = R^-1 x (NULL: maps that need it are
 * refused); inner, or NULL, <x, y> where that is to be had without R y; member, or NULL, judges an element from
 * POY_CHECK_STANDARD on, by POY_ERR_MISMATCH. All get single elements. Such a space is equal to itself only. Errors:
 * POY_ERR_ARGUMENT (no riesz). poynting conform --linop holds the space of a caller's operator to its axioms. */
typedef struct poy_space_user {
    size_t size; /* sizeof(poy_space_user) */
    poy_status (*riesz)(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y);
    poy_status (*riesz_inverse)(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y);
    poy_status (*inner)(poy_ctx *ctx, void *user, const poy_array *x, const poy_array *y, poy_scalar *out);
    poy_status (*member)(poy_ctx *ctx, void *user, const poy_array *x);
    void (*release)(void *user); /* or NULL */
    void *user;
} poy_space_user;
POY_API poy_status poy_space_create(poy_ctx *ctx, poy_backend *be, poy_dtype dtype, int rank, const int64_t *extent,
                                    const poy_space_user *user, poy_space **out);
POY_API poy_space *poy_space_keep(poy_space *s); /* one more holder */
POY_API void poy_space_destroy(poy_space **s);

/* What a space can do besides vector arithmetic. */
enum {
    POY_SPACE_RIESZ_INVERSE = 1, /* gradients, adjoints into it, dual norms */
    POY_SPACE_STAR = 2,
    POY_SPACE_JORDAN = 4,
    POY_SPACE_EUCLIDEAN = 8, /* R = 1 */
    POY_SPACE_DIAGONAL = 16  /* R is diagonal (R = 1 is, too) */
};
POY_API unsigned poy_space_can(const poy_space *s);
POY_API poy_dtype poy_space_dtype(const poy_space *s);
POY_API int poy_space_rank(const poy_space *s);
POY_API int64_t poy_space_extent(const poy_space *s, int axis);
POY_API int64_t poy_space_size(const poy_space *s); /* coordinates */
POY_API poy_backend *poy_space_backend(const poy_space *s);
/* Same backend, type, shape, metric (weights by value, operators by identity), algebra and parts. */
POY_API int poy_space_equal(const poy_space *a, const poy_space *b);
POY_API int poy_space_parts(const poy_space *s);                    /* 0: no product */
POY_API poy_space *poy_space_part(const poy_space *s, int i);       /* NULL: no such part; not a new holder */
POY_API const char *poy_space_part_name(const poy_space *s, int i); /* "" where parts have no names */
/* Part i of an element or a batch, in the part's shape: a view. Errors: POY_ERR_INDEX. */
POY_API poy_status poy_space_view(poy_ctx *ctx, const poy_space *s, const poy_array *x, int i, poy_array **out);

/* ---- elements ---- */

POY_API poy_status poy_space_zeros(poy_ctx *ctx, const poy_space *s, poy_array **x);
/* Coordinates uniform in (-1, 1), both parts; Hermitian where the space is. The same on each backend. */
POY_API poy_status poy_space_random(poy_ctx *ctx, const poy_space *s, uint64_t seed, poy_array **x);

typedef enum poy_check_level {
    POY_CHECK_SHAPE,    /* backend, element type, shape; no number is read */
    POY_CHECK_STANDARD, /* also membership: a Hermitian matrix is one */
    POY_CHECK_FINITE    /* also that no coordinate is infinite or NaN */
} poy_check_level;
/* Is x an element? Errors: POY_ERR_BACKEND, POY_ERR_DTYPE, POY_ERR_SHAPE, POY_ERR_MISMATCH (no member),
 * POY_ERR_NONFINITE. */
POY_API poy_status poy_space_check(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_check_level level);

/* <x, y>; of a batch: n values, one a member. Sums are in the element type, the answer is the host's. */
POY_API poy_status poy_space_inner(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x,
                                   const poy_array *y, poy_scalar *out);
/* sqrt <x, x>, without overflow or underflow on the way; of a batch likewise. */
POY_API poy_status poy_space_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, double *out);
POY_API poy_status poy_space_riesz(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x, poy_array *y);
/* Errors: POY_ERR_UNSUPPORTED (a metric without an inverse). */
POY_API poy_status poy_space_riesz_inverse(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *x,
                                           poy_array *y);
/* Re sum(conj(xi) x), of a covector and a vector; |xi| = sqrt(pair(xi, R^-1 xi)). */
POY_API poy_status poy_space_pair(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *xi,
                                  const poy_array *x, double *out);
POY_API poy_status poy_space_dual_norm(poy_ctx *ctx, const poy_space *s, poy_work *work, const poy_array *xi,
                                       double *out);

/* ---- algebras (POY_ERR_UNSUPPORTED where the space has none) ----
 *
 * A product of spaces that all have one works part by part; its spectrum is those of its parts, one after the other. */

POY_API poy_status poy_space_star(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_array *y);
POY_API poy_status poy_space_unit(poy_ctx *ctx, const poy_space *s, poy_array *y);
POY_API poy_status poy_space_jordan(poy_ctx *ctx, const poy_space *s, const poy_array *x, const poy_array *y,
                                    poy_array *z);
/* How many values a spectrum has: n of Hermitian matrices, all coordinates element by element; 0: no algebra. */
POY_API int64_t poy_space_spectrum_size(const poy_space *s);
/* lambda of a Hermitian matrix, rising; of a real elementwise space its coordinates. */
POY_API poy_status poy_space_spectrum(poy_ctx *ctx, const poy_space *s, const poy_array *x, double *lambda);
/* y = U f(lambda) U^H; element by element: f(x), real spaces only. Errors: also POY_ERR_NO_CONVERGENCE. */
typedef double poy_real_fn(void *user, double lambda);
POY_API poy_status poy_space_spectral_apply(poy_ctx *ctx, const poy_space *s, const poy_array *x, poy_real_fn *f,
                                            void *user, poy_array *y);
POY_API poy_status poy_space_trace(poy_ctx *ctx, const poy_space *s, const poy_array *x, double *out);
POY_API poy_status poy_space_determinant(poy_ctx *ctx, const poy_space *s, const poy_array *x, double *out);

/* ---- linear operators ---- */

typedef enum poy_answer { POY_NO, POY_YES, POY_UNKNOWN } poy_answer;

/* Matrix A, of shape codomain's + domain's; kept, not copied: it must not change. Its element type is the spaces'. */
POY_API poy_status poy_linop_dense(poy_ctx *ctx, const poy_array *a, poy_space *domain, poy_space *codomain,
                                   poy_linop **out);
/* The same of a sparse matrix [codomain's size, domain's size], in any format; its entries are shared with a, which may be
 * destroyed. A real matrix goes with complex spaces. */
POY_API poy_status poy_linop_sparse(poy_ctx *ctx, const poy_sparse *a, poy_space *domain, poy_space *codomain,
                                    poy_linop **out);
/* y = d x, element by element; d broadcast to the shape, kept. */
POY_API poy_status poy_linop_diagonal(poy_ctx *ctx, const poy_array *d, poy_space *space, poy_linop **out);
POY_API poy_status poy_linop_identity(poy_ctx *ctx, poy_space *space, poy_linop **out);
POY_API poy_status poy_linop_zero(poy_ctx *ctx, poy_space *domain, poy_space *codomain, poy_linop **out);
/* Discrete Fourier transform along an axis of a complex dense space: sum of x[j] exp(sign 2 pi i j k / n), times scale. */
POY_API poy_status poy_linop_fft(poy_ctx *ctx, poy_space *space, int axis, int sign, double scale, poy_linop **out);
/* y[i] = sum over j of h[i + j] x[j], i < m, j < n; h [m + n - 1]: a Hankel matrix, by transforms. Spaces: [n], [m];
 * complex. */
POY_API poy_status poy_linop_hankel(poy_ctx *ctx, const poy_array *h, poy_space *domain, poy_space *codomain,
                                    poy_linop **out);

/* A caller's operator. apply and adjoint write y; x and y are single elements, x is not to be changed. With
 * POY_LINOP_COORDINATE adjoint is A^H of the coordinates, with POY_LINOP_METRIC it is A#: one of them has to be said. */
typedef poy_status poy_linop_fn(poy_ctx *ctx, void *user, const poy_array *x, poy_array *y);
enum {
    POY_LINOP_COORDINATE = 1,
    POY_LINOP_METRIC = 2,
    POY_LINOP_HERMITIAN = 4,
    POY_LINOP_BATCH = 8,
    POY_LINOP_POSITIVE = 16, /* and so Hermitian */
    POY_LINOP_UNITARY = 32
};
typedef struct poy_linop_user {
    size_t size;                   /* sizeof(poy_linop_user) */
    poy_linop_fn *apply, *adjoint; /* adjoint may be NULL with POY_LINOP_HERMITIAN */
    void (*release)(void *user);   /* or NULL */
    void *user;
    unsigned flags; /* POY_LINOP_BATCH: apply and adjoint take batches, too */
} poy_linop_user;
/* Errors: POY_ERR_ARGUMENT (flags, no adjoint). */
POY_API poy_status poy_linop_create(poy_ctx *ctx, poy_space *domain, poy_space *codomain, const poy_linop_user *user,
                                    poy_linop **out);

/* Lazy algebra, simplified where it costs nothing: 0 A = 0, 1 A = A, a (b A) = (a b) A, sums and chains are flat, zeros
 * leave a sum and absorb a chain, identities leave it, unitary ones cancel with their adjoints, (A#)# = A. Errors: POY_ERR_MISMATCH (spaces). */
POY_API poy_status poy_linop_scale(poy_ctx *ctx, poy_scalar a, poy_linop *op, poy_linop **out);
POY_API poy_status poy_linop_sum(poy_ctx *ctx, int n, poy_linop *const *ops, poy_linop **out);
/* ops[0] ops[1] ... ops[n - 1]: the last one works first. */
POY_API poy_status poy_linop_compose(poy_ctx *ctx, int n, poy_linop *const *ops, poy_linop **out);
POY_API poy_status poy_linop_adjoint(poy_ctx *ctx, poy_linop *op, poy_linop **out);
/* ops [rows, cols], row-major, NULL: zero; between product spaces with these parts. */
POY_API poy_status poy_linop_block(poy_ctx *ctx, poy_space *domain, poy_space *codomain, poy_linop *const *ops,
                                   poy_linop **out);
POY_API poy_status poy_linop_block_diagonal(poy_ctx *ctx, poy_space *domain, poy_space *codomain, poy_linop *const *ops,
                                            poy_linop **out);
/* Multiplies out what is dense or diagonal in sums, chains and scalings; materialise: everything, by its columns.
 * Equal to op within rounding. */
POY_API poy_status poy_linop_fuse(poy_ctx *ctx, poy_linop *op, int materialise, poy_linop **out);

POY_API poy_linop *poy_linop_keep(poy_linop *op);
POY_API void poy_linop_destroy(poy_linop **op);
POY_API poy_space *poy_linop_domain(const poy_linop *op); /* not a new holder */
POY_API poy_space *poy_linop_codomain(const poy_linop *op);
POY_API const char *poy_linop_kind(const poy_linop *op); /* "dense", "sum", ... */
/* ---- what is known of an operator's structure: by its kind, its numbers where these are at hand, what its maker said, and what
 * follows from that for scalings, sums, chains, adjoints and blocks ---- */

/* Is A# = A? Of dense, sparse and diagonal ones by their numbers, |a - a#| <= 1e-8 + 1e-5 |a|. */
POY_API poy_answer poy_linop_hermitian(const poy_linop *op);
/* Is A# = A, and <A x, x> >= 0 for every x? Of diagonals by their numbers; a dense or sparse matrix with a negative diagonal
 * element is not; A# A and A# P A are. Cg refuses an operator or preconditioner that is known not to be. */
POY_API poy_answer poy_linop_positive(const poy_linop *op);
/* Is A# A = 1 and A A# = 1? Of diagonals and transforms by their numbers, within 8 u. Next to its adjoint in a chain such an
 * operator cancels. */
POY_API poy_answer poy_linop_unitary(const poy_linop *op);

/* y = A x; y = A# x. x and y do not overlap; batches likewise. Errors: also POY_ERR_CALLBACK, POY_ERR_UNSUPPORTED (a
 * domain's metric without an inverse). */
POY_API poy_status poy_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, const poy_array *x, poy_array *y);
POY_API poy_status poy_adjoint_apply(poy_ctx *ctx, const poy_linop *op, poy_work *work, const poy_array *x,
                                     poy_array *y);
/* Bytes of scratch that apply and adjoint take: found by running both on zeros, which leaves work (or NULL) warm. */
POY_API poy_status poy_linop_workspace(poy_ctx *ctx, const poy_linop *op, poy_work *work, size_t *bytes);
/* The matrix [codomain's size, domain's size]. */
POY_API poy_status poy_linop_matrix(poy_ctx *ctx, const poy_linop *op, poy_array **out);
/* The worst of n random pairs of |<A x, y> - <x, A# y>| / (|A x| |y| + |x| |A# y|); good: at most 32 n u, n the larger
 * size, u the element type's epsilon. */
POY_API poy_status poy_dottest(poy_ctx *ctx, const poy_linop *op, uint64_t seed, int n, double *worst);

#ifdef __cplusplus
}
#endif
#endif
