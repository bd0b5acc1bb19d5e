/* control.h: loops, branches and maps over functions of arrays.
 *
 * A carry is a list of arrays whose types and shapes stay the same from turn to turn. A body reads in and writes all of out,
 * which the library provides, with the _into functions; so a loop takes memory for two carries and none in a turn. At the end
 * carry[k] is exchanged for the last out[k] (the array that was there is given back, its memory is never written to); on
 * failure carry stays as it was. What a callback returns other than POY_OK ends the loop and is passed on.
 * Errors of all: POY_ERR_ARGUMENT (more than POY_CARRY_MAX arrays), memory, those of the callbacks. */
#ifndef POYNTING_CONTROL_H
#define POYNTING_CONTROL_H

#include "poynting/array.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { POY_CARRY_MAX = 32 };

/* Turn number i. */
typedef poy_status poy_body_fn(poy_ctx *ctx, void *user, int64_t i, poy_array *const *in, poy_array *const *out);
/* *go_on: whether there is another turn. */
typedef poy_status poy_test_fn(poy_ctx *ctx, void *user, poy_array *const *carry, int *go_on);

/* Turns low, low + 1, ... high - 1; none if high <= low. */
POY_API poy_status poy_fori(poy_ctx *ctx, int64_t low, int64_t high, poy_body_fn *body, void *user, int n,
                            poy_array **carry);
/* Turns 0, 1, ... as long as test says so, which is asked before every every-th turn (1: each one): reading a number back
 * is what makes a device wait. turns (or NULL): how many there were. Errors: POY_ERR_ARGUMENT (every < 1). */
POY_API poy_status poy_while(poy_ctx *ctx, poy_test_fn *test, poy_body_fn *body, void *user, int64_t every, int n,
                             poy_array **carry, int64_t *turns);
/* *out: whether the one element of x is not 0. Errors: POY_ERR_SHAPE (several elements, or none). */
POY_API poy_status poy_truth(poy_ctx *ctx, const poy_array *x, int *out);

/* Makes arrays of others: out [n_out] are NULL before the call. */
typedef poy_status poy_branch_fn(poy_ctx *ctx, void *user, poy_array *const *in, poy_array **out);
/* One of two branches by the one element of p; what it made is given back where it fails. Errors: those of poy_truth. */
POY_API poy_status poy_cond(poy_ctx *ctx, const poy_array *p, poy_branch_fn *then, poy_branch_fn *otherwise, void *user,
                            poy_array *const *in, int n_out, poy_array **out);

/* What an array is like: its type and shape. */
typedef struct poy_like {
    poy_dtype dtype;
    int rank;
    int64_t extent[POY_RANK_MAX];
} poy_like;

/* Turn i: in and x [n_x] are read, out and y [n_y] are written; x[k] is xs[k][i], y[k] becomes ys[k][i]. */
typedef poy_status poy_scan_fn(poy_ctx *ctx, void *user, int64_t i, poy_array *const *in, poy_array *const *out,
                               poy_array *const *x, poy_array *const *y);
/* A loop over the first axis of xs [n_x], which keeps a y of each turn: ys[k] is made, [length, like[k]...], in the order
 * of the axis also where the turns go backwards (reverse). length: of the first axes; -1: theirs. Nothing to go over is a
 * ys with a first extent of 0. be: of ys. Errors: also POY_ERR_SHAPE (lengths that differ, or are not told), POY_ERR_AXIS
 * (an xs of rank 0). */
POY_API poy_status poy_scan(poy_ctx *ctx, poy_backend *be, poy_scan_fn *f, void *user, int64_t length, int reverse,
                            int n, poy_array **carry, int n_x, poy_array *const *xs, int n_y, const poy_like *like,
                            poy_array **ys);

/* Of one member: x [n_x] read, y [n_y] written. */
typedef poy_status poy_map_fn(poy_ctx *ctx, void *user, poy_array *const *x, poy_array *const *y);
enum {
    POY_MAP_NONE = -1000, /* as an axis: the whole array goes to every member */
    POY_MAP_WHOLE = 1     /* flag: f takes all members at once, as a first axis of each mapped x and y */
};
/* f over an axis of each xs[k] (negative ones count from the end); ys[k] is made, like[k] with the members as axis
 * out_axes[k] (NULL: 0). No member is a ys with an extent of 0, and f is not called. Errors: also POY_ERR_SHAPE (other
 * numbers of members), POY_ERR_AXIS, POY_ERR_ARGUMENT (no axis at all). */
POY_API poy_status poy_vmap(poy_ctx *ctx, poy_backend *be, poy_map_fn *f, void *user, unsigned flags, int n_x,
                            poy_array *const *xs, const int *in_axes, int n_y, const poy_like *like,
                            const int *out_axes, poy_array **ys);

/* f, written for single elements or for small arrays, at every place of arrays that broadcast together.
 * signature: what f takes and makes, "(m,n),(n)->(m)": core axes by name, the last axes of each input; an axis of one name has
 * one length. The axes before them broadcast over all inputs and are the first axes of ys. NULL: single elements in and out.
 * excluded [n_x] (or NULL: none): inputs where it is not 0 go to every call as they are, and the signature is without them.
 * dtypes [n_y]: of what f makes, which is never cast; NULL: as the first call makes it. ys are on the backend of the first input
 * that is not excluded.
 * f is called in C order, once at each place, not where there is none: then ys have no elements, and what only f could tell has
 * to be known, the types by dtypes, the core axes by those of the inputs.
 * Errors: also POY_ERR_ARGUMENT (a signature that cannot be read, or is for another number of arrays; all inputs excluded),
 * POY_ERR_SHAPE (too few axes; one name for two lengths, also from call to call; ys of too many axes), POY_ERR_BROADCAST,
 * POY_ERR_DTYPE (a result of another type than told, or than in the first call), POY_ERR_EMPTY (no place, and not known what ys
 * are like), POY_ERR_CALLBACK (f made no array). */
POY_API poy_status poy_vectorize(poy_ctx *ctx, poy_branch_fn *f, void *user, const char *signature, int n_x,
                                 poy_array *const *xs, const int *excluded, int n_y, const poy_dtype *dtypes,
                                 poy_array **ys);

#ifdef __cplusplus
}
#endif
#endif
