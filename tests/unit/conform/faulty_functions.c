/* faulty_functions.c: defects of functions, comparisons and choices. */
#include <math.h>

#include "faulty.h"

typedef poyi_ref_value value;

#define DEFECT1(name, floating, whole)                                                       \
    static value formula_##name(value x, poy_dtype dtype)                                    \
    {                                                                                        \
        (void)dtype;                                                                         \
        return (value){floating, whole};                                                     \
    }                                                                                        \
    static poy_status name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                        \
        (void)ctx;                                                                           \
        (void)be;                                                                            \
        return poyi_ref_map1(formula_##name, x, y);                                          \
    }
#define DEFECT2(name, floating, whole)                                                                            \
    static value formula_##name(value x, value y, poy_dtype dtype)                                                \
    {                                                                                                             \
        (void)dtype;                                                                                              \
        return (value){floating, whole};                                                                          \
    }                                                                                                             \
    static poy_status name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z) \
    {                                                                                                             \
        (void)ctx;                                                                                                \
        (void)be;                                                                                                 \
        return poyi_ref_map2(formula_##name, x, y, z);                                                            \
    }

/* Right where y >= 0. */
static uint64_t power_of(uint64_t x, uint64_t y)
{
    const uint64_t half = y ? power_of(x * x, y / 2) : 1;
    return y % 2 ? half * x : half;
}

DEFECT1(signs_zero, creal(x.z) < 0 ? -1 : isnan(creal(x.z)) ? x.z : 1, 0)
DEFECT1(logs_by_squares, CMPLX(log(creal(x.z) * creal(x.z) + cimag(x.z) * cimag(x.z)) / 2, carg(x.z)), 0)
DEFECT1(logs_the_modulus, log(fabs(creal(x.z))), 0)
DEFECT1(expm1_by_exp, exp(creal(x.z)) - 1, 0)
DEFECT1(log1p_by_log, log(1 + creal(x.z)), 0)
DEFECT1(tanh_by_exp, (exp(2 * creal(x.z)) - 1) / (exp(2 * creal(x.z)) + 1), 0)
DEFECT1(sinh_by_exp, (exp(creal(x.z)) - exp(-creal(x.z))) / 2, 0)
DEFECT1(truncates, trunc(creal(x.z)), 0)
DEFECT1(finite_by_real_part, 0, isfinite(creal(x.z)) != 0)
DEFECT1(infinity_is_nan, 0, !isfinite(creal(x.z)))
DEFECT2(hypot_by_squares, sqrt(creal(x.z) * creal(x.z) + creal(y.z) * creal(y.z)), 0)
DEFECT2(atan_of_quotient, atan(creal(x.z) / creal(y.z)), 0)
DEFECT2(pow_by_log, exp(creal(y.z) * log(creal(x.z))), 0)
DEFECT2(whole_pow_by_float, 0, (int64_t)pow((double)x.i, (double)y.i))
DEFECT2(negative_pow_is_zero, 0, y.i < 0 ? 0 : (int64_t)power_of((uint64_t)x.i, (uint64_t)y.i))
DEFECT2(equal_by_real_part, 0, creal(x.z) == creal(y.z))
DEFECT2(nan_is_nan, 0, creal(x.z) == creal(y.z) || (isnan(creal(x.z)) && isnan(creal(y.z))))
DEFECT2(at_least_is_more, 0, x.i > y.i)
DEFECT2(below_is_not_above, 0, !(creal(x.z) >= creal(y.z)))
DEFECT2(and_of_bits, 0, (x.i & y.i) != 0)

static poy_status chooses_the_other(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                    const poy_tensor *z, const poy_tensor *w)
{
    return poyi_ref_where(ctx, be, x, z, y, w);
}

static poy_status lower_bound_wins(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                   const poy_tensor *z, const poy_tensor *w)
{
    const poy_tensor *const t[4] = {x, y, z, w};
    poyi_ref_walk walk = poyi_ref_walk_over(4, t, 0, w->rank);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&walk)) {
        value a = poyi_ref_load(x, walk.at[0]), b = poyi_ref_load(y, walk.at[1]), c = poyi_ref_load(z, walk.at[2]);
        int64_t i = a.i < c.i ? a.i : c.i;
        poyi_ref_store(w, walk.at[3], (value){0, i > b.i ? i : b.i});
    }
    return POY_OK;
}

static poy_status forgets_the_sum(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z,
                                  const poy_tensor *w)
{
    (void)z;
    return poyi_ref_mul(ctx, be, x, y, w);
}

const faulty_defect *faulty_functions(size_t *n)
{
    static const faulty_defect defects[] = {
        DEFECT(signs_zero, sign, unary, F64),
        DEFECT(logs_by_squares, log, unary, C128),
        DEFECT(logs_the_modulus, log, unary, F32),
        DEFECT(expm1_by_exp, expm1, unary, F64),
        DEFECT(log1p_by_log, log1p, unary, F64),
        DEFECT(tanh_by_exp, tanh, unary, F64),
        DEFECT(sinh_by_exp, sinh, unary, F64),
        DEFECT(truncates, floor, unary, F32),
        DEFECT(finite_by_real_part, isfinite, unary, C64),
        DEFECT(infinity_is_nan, isnan, unary, F64),
        DEFECT(hypot_by_squares, hypot, binary, F64),
        DEFECT(atan_of_quotient, atan2, binary, F32),
        DEFECT(pow_by_log, pow, binary, F64),
        DEFECT(whole_pow_by_float, pow, binary, I64),
        DEFECT(negative_pow_is_zero, pow, binary, I32),
        DEFECT(equal_by_real_part, eq, binary, C128),
        DEFECT(nan_is_nan, eq, binary, F32),
        DEFECT(at_least_is_more, ge, binary, I64),
        DEFECT(below_is_not_above, lt, binary, F64),
        DEFECT(and_of_bits, logical_and, binary, I32),
        DEFECT(chooses_the_other, where, ternary, F64),
        DEFECT(lower_bound_wins, clip, ternary, I32),
        DEFECT(forgets_the_sum, axpy, ternary, C64),
    };
    *n = sizeof defects / sizeof defects[0];
    return defects;
}
