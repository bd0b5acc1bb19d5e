/* ref_compare.c: questions, comparisons, logical operations and choices, each as its formula. */
#include <math.h>

#include "backends/ref/ref.h"

typedef poyi_ref_value value;

static value truth(int is_true)
{
    return (value){0, is_true != 0};
}

/* NaN is not 0. */
static int is_nonzero(value x, poy_dtype dtype)
{
    return poyi_ref_is_whole(dtype) ? x.i != 0 : creal(x.z) != 0 || cimag(x.z) != 0;
}

static value formula_isfinite(value x, poy_dtype dtype)
{
    (void)dtype;
    return truth(isfinite(creal(x.z)) && isfinite(cimag(x.z)));
}
static value formula_isnan(value x, poy_dtype dtype)
{
    (void)dtype;
    return truth(isnan(creal(x.z)) || isnan(cimag(x.z)));
}
static value formula_logical_not(value x, poy_dtype dtype)
{
    return truth(!is_nonzero(x, dtype));
}
POYI_REF_UNARY(isfinite)
POYI_REF_UNARY(isnan)
POYI_REF_UNARY(logical_not)

static int is_equal(value x, value y, poy_dtype dtype)
{
    return poyi_ref_is_whole(dtype) ? x.i == y.i : creal(x.z) == creal(y.z) && cimag(x.z) == cimag(y.z);
}
static int is_less(value x, value y, poy_dtype dtype)
{
    return poyi_ref_is_whole(dtype) ? x.i < y.i : creal(x.z) < creal(y.z);
}

#define COMPARISON(name, formula)                                  \
    static value formula_##name(value x, value y, poy_dtype dtype) \
    {                                                              \
        return truth(formula);                                     \
    }                                                              \
    POYI_REF_BINARY(name)
COMPARISON(eq, is_equal(x, y, dtype))
COMPARISON(ne, !is_equal(x, y, dtype))
COMPARISON(lt, is_less(x, y, dtype))
COMPARISON(le, is_less(x, y, dtype) || is_equal(x, y, dtype))
COMPARISON(gt, is_less(y, x, dtype))
COMPARISON(ge, is_less(y, x, dtype) || is_equal(x, y, dtype))
COMPARISON(logical_and, is_nonzero(x, dtype) && is_nonzero(y, dtype))
COMPARISON(logical_or, is_nonzero(x, dtype) || is_nonzero(y, dtype))
COMPARISON(logical_xor, is_nonzero(x, dtype) != is_nonzero(y, dtype))

/* ---- ternary ---- */

typedef value ternary(value x, value y, value z, poy_dtype dtype);

static poy_status map3(ternary *f, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z, const poy_tensor *w)
{
    const poy_tensor *const t[4] = {x, y, z, w};
    poyi_ref_walk walk = poyi_ref_walk_over(4, t, 0, w->rank);
    while (poyi_ref_walk_next(&walk))
        poyi_ref_store(
            w, walk.at[3],
            f(poyi_ref_load(x, walk.at[0]), poyi_ref_load(y, walk.at[1]), poyi_ref_load(z, walk.at[2]), w->dtype));
    return POY_OK;
}

static value formula_where(value x, value y, value z, poy_dtype dtype)
{
    (void)dtype;
    return x.i ? y : z;
}

static double larger(double a, double b)
{
    return isnan(a) || a >= b ? a : b;
}
static double smaller(double a, double b)
{
    return isnan(a) || a <= b ? a : b;
}
static value formula_clip(value x, value y, value z, poy_dtype dtype)
{
    (void)dtype;
    int64_t i = x.i > y.i ? x.i : y.i;
    return (value){smaller(larger(creal(x.z), creal(y.z)), creal(z.z)), i < z.i ? i : z.i};
}

/* Products of f32 are exact here; those of f64 are rounded once before the sum. */
static value formula_axpy(value x, value y, value z, poy_dtype dtype)
{
    double complex product = poy_dtype_is_complex(dtype) ? x.z * y.z : creal(x.z) * creal(y.z);
    return (value){product + z.z, (int64_t)((uint64_t)x.i * (uint64_t)y.i + (uint64_t)z.i)};
}

#define TERNARY(name)                                                                                                 \
    poy_status poyi_ref_##name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z, \
                               const poy_tensor *w)                                                                   \
    {                                                                                                                 \
        (void)ctx;                                                                                                    \
        (void)be;                                                                                                     \
        return map3(formula_##name, x, y, z, w);                                                                      \
    }
TERNARY(where)
TERNARY(clip)
TERNARY(axpy)
