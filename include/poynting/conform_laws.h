/* conform_laws.h: conformance of spaces, linear operators and functionals to their laws, of this library's and of a
 * caller's own.
 *
 * Laws are checked on random elements, within 32 n u of the sizes that enter (n coordinates, u half of the element
 * type's epsilon), derivatives within what a central difference of step u^(1/3) allows.
 *   spaces       <x, y> = conj <y, x>; <x, y + a z> = <x, y> + a <x, z>; <x, x> = |x|^2 > 0; |x + y| <= |x| + |y|;
 *                pair(R x, y) = Re <x, y>; R^-1 R = 1; |R x|* = |x|; batches are loops; star, unit and Jordan identity
 *   operators    A (x + a y) = A x + a A y; <A x, y> = <x, A# y>; (A#)# = A; <A x, y> = <x, A y> where it says that it is
 *                Hermitian; batches are loops; x unchanged; the same bits twice
 *   functionals  D f [h] = Re <grad f, h>; the Hessian is the gradient's derivative, and self-adjoint; Moreau's identity */
#ifndef POYNTING_CONFORM_LAWS_H
#define POYNTING_CONFORM_LAWS_H

#include "poynting/conform.h"
#include "poynting/functional.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What came of one object. */
typedef struct poy_conform_law {
    char object[64]; /* "operator block" */
    poy_dtype dtype;
    int cases, failed;
    double worst;       /* largest error in units of the bound */
    char worst_law[48]; /* of which law that was */
    char failure[512];  /* the first failure; "" */
    int crashed,
        hung; /* of the failed, 1 at most: it is one case to a process. After three that do not return in time the
                         * objects left are not run */
} poy_conform_law;
typedef void poy_conform_law_fn(void *user, const poy_conform_law *law);

/* The laws of one object under a name. A failed law is a finding, not an error: *failed counts on. Errors: those of the
 * object's own functions; memory. */
POY_API poy_status poy_conform_space(poy_ctx *ctx, const poy_space *s, const char *name, uint64_t seed,
                                     poy_conform_law_fn *fn, void *user, int *failed);
POY_API poy_status poy_conform_linop(poy_ctx *ctx, poy_linop *op, const char *name, uint64_t seed,
                                     poy_conform_law_fn *fn, void *user, int *failed);
POY_API poy_status poy_conform_functional(poy_ctx *ctx, const poy_functional *f, const char *name, uint64_t seed,
                                          poy_conform_law_fn *fn, void *user, int *failed);

/* All of the library's kinds on a backend, in each element type; objects: a shell pattern of names, NULL: all. Errors:
 * as poy_conform_run's (nothing has such a name, no such case). */
POY_API poy_status poy_conform_laws(poy_ctx *ctx, const poy_conform_options *options, const char *objects,
                                    poy_conform_law_fn *fn, void *user, int *failed);

/* A caller's, from a shared object: where is "lib.so:symbol", the symbol a function of this type, which makes an operator
 * on the backend. Errors: POY_ERR_IO (no such library), POY_ERR_ARGUMENT (no such symbol), what the function returns. */
typedef poy_status poy_linop_entry_fn(poy_ctx *ctx, poy_backend *be, poy_linop **out);
POY_API poy_status poy_conform_linop_load(poy_ctx *ctx, const poy_conform_options *options, const char *where,
                                          poy_conform_law_fn *fn, void *user, int *failed);

#ifdef __cplusplus
}
#endif
#endif
