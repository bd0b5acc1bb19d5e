/* ref.h: the parts that the reference backend is gathered from, and the way in which they walk over tensors. */
#ifndef POYI_REF_H
#define POYI_REF_H

#include "core/cmplx.h"

#include "ops/ops.h"

/* ---- the functions of ops.def ---- */

#define POY_OP(name, family, dtypes, out, tol, scale, text) poy_##family##_fn poyi_ref_##name;
#include "poynting/ops.def"
#undef POY_OP

/* Rows of programs (ref_rows.c). */
const poy_row_entry *poyi_ref_rows(size_t *n);

/* ---- elements ---- */

/* An element of any type: z of the floating ones, i of integers and b8. */
typedef struct poyi_ref_value {
    double complex z;
    int64_t i;
} poyi_ref_value;

static inline int poyi_ref_is_whole(poy_dtype dtype)
{
    return dtype == POY_I32 || dtype == POY_I64 || dtype == POY_B8;
}
/* The element at a place counted from t->mem. */
poyi_ref_value poyi_ref_load(const poy_tensor *t, int64_t at);
/* Rounds to the tensor's type: to nearest; integers wrap. The value is of the tensor's kind. */
void poyi_ref_store(const poy_tensor *t, int64_t at, poyi_ref_value v);

/* ---- walks: all elements of up to four tensors, in the order of their axes ---- */

typedef struct poyi_ref_walk {
    int n, rank, started;
    int64_t extent[POY_RANK_MAX], index[POY_RANK_MAX], stride[4][POY_RANK_MAX];
    int64_t at[4]; /* where the walk stands: places counted from each tensor's mem */
} poyi_ref_walk;
/* Over the axes first .. end-1 of n tensors, which have these extents in common. */
poyi_ref_walk poyi_ref_walk_over(int n, const poy_tensor *const *t, int first, int end);
int poyi_ref_walk_next(poyi_ref_walk *w); /* 0: past the end */

/* ---- formulas of one element, for all elements; dtype: that of the first input ---- */

typedef poyi_ref_value poyi_ref_unary(poyi_ref_value x, poy_dtype dtype);
typedef poyi_ref_value poyi_ref_binary(poyi_ref_value x, poyi_ref_value y, poy_dtype dtype);
poy_status poyi_ref_map1(poyi_ref_unary *f, const poy_tensor *x, const poy_tensor *y);
poy_status poyi_ref_map2(poyi_ref_binary *f, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z);

#define POYI_REF_UNARY(name)                                                                     \
    poy_status poyi_ref_##name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                            \
        (void)ctx;                                                                               \
        (void)be;                                                                                \
        return poyi_ref_map1(formula_##name, x, y);                                              \
    }
#define POYI_REF_BINARY(name)                                                                                         \
    poy_status poyi_ref_##name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z) \
    {                                                                                                                 \
        (void)ctx;                                                                                                    \
        (void)be;                                                                                                     \
        return poyi_ref_map2(formula_##name, x, y, z);                                                                \
    }

/* A sum with the rounding errors of its additions (Neumaier, ZAMM 54, 39 (1974)): error below 2 eps |sum| + n eps^2
 * times the sum of |terms|. Infinities and NaN come out as in a plain sum. */
typedef struct poyi_ref_total {
    double sum, lost;
} poyi_ref_total;
void poyi_ref_total_add(poyi_ref_total *s, double term);
double poyi_ref_total_end(const poyi_ref_total *s);

/* A sum of products of elements of one type, each product in binary64; of integers modulo 2^64; of b8 whether some product
 * is 1. */
typedef struct poyi_ref_products {
    poyi_ref_total re, im;
    uint64_t whole;
} poyi_ref_products;
void poyi_ref_products_add(poyi_ref_products *s, poy_dtype dtype, poyi_ref_value a, poyi_ref_value b);
poyi_ref_value poyi_ref_products_end(const poyi_ref_products *s);

#endif
