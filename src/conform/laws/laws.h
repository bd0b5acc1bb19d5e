/* laws.h: the laws of spaces, operators and functionals: one record that collects what came of an object, and arithmetic by
 * the public operations. */
#ifndef POYI_LAWS_H
#define POYI_LAWS_H

#include "core/core.h"
#include "poynting/conform_laws.h"

enum { POYI_LAWS_ARRAYS = 24 };

typedef struct poyi_laws {
    poy_ctx *ctx;
    poy_conform_law law;
    uint64_t seed;
    double n_u; /* 32 n u, u half of eps */
    int n_arrays;
    poy_array *arrays[POYI_LAWS_ARRAYS]; /* given back at the end */
} poyi_laws;

void poyi_laws_begin(poy_ctx *ctx, const char *name, const poy_space *s, int64_t n, uint64_t seed, poyi_laws *l);
/* "law:operator-block.f64.1": the name of the case that an object is. */
enum { POYI_LAW_CASE = 128 };
void poyi_law_case(const char *object, poy_dtype dtype, uint64_t seed, char out[POYI_LAW_CASE]);
/* Tells of the object and gives arrays back; status as it came. */
poy_status poyi_laws_end(poyi_laws *l, poy_status status, poy_conform_law_fn *fn, void *user, int *failed);
/* One case: an error that may be bound at most. */
void poyi_laws_judge(poyi_laws *l, const char *law, double error, double bound);

/* Arrays that live until the end. */
poy_status poyi_laws_random(poyi_laws *l, const poy_space *s, uint64_t seed, poy_array **out);
poy_status poyi_laws_zeros(poyi_laws *l, const poy_space *s, poy_array **out);

/* z = x + a y */
poy_status poyi_laws_combine(poyi_laws *l, const poy_array *x, poy_scalar a, const poy_array *y, poy_array *z);
/* |x - y| in the space's norm; d is scratch. */
poy_status poyi_laws_apart(poyi_laws *l, const poy_space *s, const poy_array *x, const poy_array *y, poy_array *d,
                           double *out);

#endif
