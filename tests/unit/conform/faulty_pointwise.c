/* faulty_pointwise.c: defects of fill, copy and the element-by-element operations. */
#include <math.h>

#include "backends/ref/ref.h"
#include "faulty.h"

/* ---- defects: cells that stand in for the reference's ---- */

static poy_tensor with_positive_strides(const poy_tensor *t)
{
    poy_tensor p = *t;
    for (int i = 0; i < p.rank; i++)
        if (p.stride[i] < 0) {
            p.offset += (p.extent[i] - 1) * p.stride[i];
            p.stride[i] = -p.stride[i];
        }
    return p;
}

static poy_status ignores_stride_sign(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poy_tensor p = with_positive_strides(x);
    return poyi_ref_copy(ctx, be, &p, y);
}

static poy_status casts_by_wrapping(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_copy(ctx, be, x, y);
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    while (poyi_ref_walk_next(&w))
        if (y->dtype == POY_I32 && fabs(creal(poyi_ref_load(x, w.at[0]).z)) >= 0x1p31)
            poyi_ref_store(y, w.at[1], (poyi_ref_value){0, INT32_MIN});
    return POY_OK;
}

static poy_status keeps_imaginary_sign(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    return poyi_ref_copy(ctx, be, x, y);
}

static poyi_ref_value flush(poyi_ref_value v)
{
    v.z = fabs(creal(v.z)) < 0x1p-1022 ? 0 : v.z;
    return v;
}
static poyi_ref_value single(poyi_ref_value v)
{
    v.z = (float)creal(v.z);
    return v;
}
static poyi_ref_value positive_zero(poyi_ref_value v)
{
    v.z = CMPLX(creal(v.z), fabs(cimag(v.z)));
    return v;
}

static poy_status flushes_denormals(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_abs(ctx, be, x, y);
    faulty_change_all(y, flush);
    return POY_OK;
}

static poy_status computes_in_single(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_sin(ctx, be, x, y);
    faulty_change_all(y, single);
    return POY_OK;
}

static poy_status loses_the_cut(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_sqrt(ctx, be, x, y);
    faulty_change_all(y, positive_zero);
    return POY_OK;
}

static poy_status takes_naive_modulus(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&w)) {
        double complex z = poyi_ref_load(x, w.at[0]).z;
        poyi_ref_store(y, w.at[1], (poyi_ref_value){sqrt(creal(z) * creal(z) + cimag(z) * cimag(z)), 0});
    }
    return POY_OK;
}

static poy_status divides_naively(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const poy_tensor *const t[3] = {x, y, z};
    poyi_ref_walk w = poyi_ref_walk_over(3, t, 0, z->rank);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&w)) {
        double complex a = poyi_ref_load(x, w.at[0]).z, b = poyi_ref_load(y, w.at[1]).z;
        double d = creal(b) * creal(b) + cimag(b) * cimag(b);
        poyi_ref_store(z, w.at[2],
                       (poyi_ref_value){CMPLX((creal(a) * creal(b) + cimag(a) * cimag(b)) / d,
                                              (cimag(a) * creal(b) - creal(a) * cimag(b)) / d),
                                        0});
    }
    return POY_OK;
}

static poy_status writes_beyond(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    poyi_ref_add(ctx, be, x, y, z);
    ((double *)z->mem)[z->offset + (z->extent[0] - 1) * z->stride[0] + 1] = 0;
    return POY_OK;
}

static poy_status writes_to_input(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    poyi_ref_sub(ctx, be, x, y, z);
    if (y->mem != z->mem)
        ((double *)y->mem)[y->offset] += 1;
    return POY_OK;
}

static poy_status saturates(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const poy_tensor *const t[3] = {x, y, z};
    poyi_ref_walk w = poyi_ref_walk_over(3, t, 0, z->rank);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&w)) {
        int64_t sum = poyi_ref_load(x, w.at[0]).i + poyi_ref_load(y, w.at[1]).i;
        sum = sum > INT32_MAX ? INT32_MAX : sum < INT32_MIN ? INT32_MIN : sum;
        poyi_ref_store(z, w.at[2], (poyi_ref_value){0, sum});
    }
    return POY_OK;
}

static poy_status forgets_nan(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const poy_tensor *const t[3] = {x, y, z};
    poyi_ref_walk w = poyi_ref_walk_over(3, t, 0, z->rank);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&w)) {
        double a = creal(poyi_ref_load(x, w.at[0]).z), b = creal(poyi_ref_load(y, w.at[1]).z);
        poyi_ref_store(z, w.at[2], (poyi_ref_value){a > b ? a : b, 0});
    }
    return POY_OK;
}

static poy_status depends_on_threads(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                     const poy_tensor *z)
{
    poyi_ref_mul(ctx, be, x, y, z);
    if (poy_ctx_threads(ctx) == 2 && z->dtype == POY_F64) {
        double *first = (double *)z->mem + z->offset;
        *first = nextafter(*first, INFINITY);
    }
    return POY_OK;
}

static poy_status forgets_the_imaginary_part(poy_ctx *ctx, void *be, poy_scalar value, const poy_tensor *y)
{
    value.im = 0;
    return poyi_ref_fill(ctx, be, value, y);
}

void *faulty_kept;
static poy_status keeps_memory(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    if (!faulty_kept && poyi_alloc(ctx, "kept", 64, &faulty_kept) != POY_OK)
        return POY_ERR_MEMORY;
    return poyi_ref_neg(ctx, be, x, y);
}

/* ---- more of them, as a formula for each element ---- */

typedef poyi_ref_value formula1(poyi_ref_value x);
static poy_status map1(formula1 *f, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[1], f(poyi_ref_load(x, w.at[0])));
    return POY_OK;
}

typedef poyi_ref_value formula2(poyi_ref_value x, poyi_ref_value y);
static poy_status map2(formula2 *f, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const poy_tensor *const t[3] = {x, y, z};
    poyi_ref_walk w = poyi_ref_walk_over(3, t, 0, z->rank);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(z, w.at[2], f(poyi_ref_load(x, w.at[0]), poyi_ref_load(y, w.at[1])));
    return POY_OK;
}

#define DEFECT1(name, floating, whole)                                                       \
    static poyi_ref_value formula_##name(poyi_ref_value x)                                   \
    {                                                                                        \
        return (poyi_ref_value){floating, whole};                                            \
    }                                                                                        \
    static poy_status name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                        \
        (void)ctx;                                                                           \
        (void)be;                                                                            \
        return map1(formula_##name, x, y);                                                   \
    }
#define DEFECT2(name, floating, whole)                                                                            \
    static poyi_ref_value formula_##name(poyi_ref_value x, poyi_ref_value y)                                      \
    {                                                                                                             \
        return (poyi_ref_value){floating, whole};                                                                 \
    }                                                                                                             \
    static poy_status name(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z) \
    {                                                                                                             \
        (void)ctx;                                                                                                \
        (void)be;                                                                                                 \
        return map2(formula_##name, x, y, z);                                                                     \
    }

DEFECT1(subtracts_from_zero, 0 - x.z, 0)
DEFECT1(takes_modulus_for_real_part, cabs(x.z), 0)
DEFECT1(swaps_parts, creal(x.z), 0)
DEFECT1(saturates_the_least, 0, x.i == INT32_MIN ? INT32_MAX : x.i < 0 ? -x.i : x.i)
DEFECT1(exp_flushes_denormals, exp(creal(x.z)) < 0x1p-1022 ? 0 : exp(creal(x.z)), 0)
DEFECT1(exp_stops_at_the_largest, fmin(exp(creal(x.z)), 0x1.fffffep127), 0)
DEFECT1(exp_of_parts, CMPLX(exp(creal(x.z)) * cos(cimag(x.z)), 0), 0)
DEFECT1(cos_by_a_short_pi, sin(creal(x.z) + 1.57079632679), 0)
DEFECT1(roots_of_moduli, sqrt(fabs(creal(x.z))), 0)
DEFECT2(subtracts_backwards, 0, (int64_t)((uint64_t)y.i - (uint64_t)x.i))
DEFECT2(multiplies_as_doubles, 0, (int64_t)fmax(-0x1p62, fmin(0x1p62, (double)x.i *(double)y.i)))
DEFECT2(divides_by_a_reciprocal_in_single, creal(x.z) * (double)(float)(1 / creal(y.z)), 0)
DEFECT2(conjugates_a_factor, x.z *conj(y.z), 0)
DEFECT2(sees_nan_on_the_left_only, creal(x.z) > creal(y.z) ? y.z : x.z, 0)

static poy_status leaves_out_the_last(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    poy_tensor tx = *x, ty = *y;
    if (ty.extent[ty.rank - 1] > 1) {
        tx.extent[tx.rank - 1]--;
        ty.extent[ty.rank - 1]--;
    }
    return poyi_ref_copy(ctx, be, &tx, &ty);
}

static poy_status casts_through_double(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    poyi_ref_copy(ctx, be, x, y);
    while (y->dtype == POY_I64 && poyi_ref_walk_next(&w)) {
        double d = (double)poyi_ref_load(x, w.at[0]).i;
        poyi_ref_store(y, w.at[1], (poyi_ref_value){0, d >= 0x1p63 ? INT64_MAX : (int64_t)d});
    }
    return POY_OK;
}

static poy_status casts_to_nearest(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    poyi_ref_copy(ctx, be, x, y);
    while ((y->dtype == POY_I32 || y->dtype == POY_I64) && poyi_ref_walk_next(&w)) {
        double d = creal(poyi_ref_load(x, w.at[0]).z);
        if (fabs(d) < 1e9)
            poyi_ref_store(y, w.at[1], (poyi_ref_value){0, (int64_t)nearbyint(d)});
    }
    return POY_OK;
}

static poy_status fills_in_single(poy_ctx *ctx, void *be, poy_scalar value, const poy_tensor *y)
{
    value.re = (float)value.re;
    return poyi_ref_fill(ctx, be, value, y);
}

static poy_status clears_its_output_first(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                          const poy_tensor *z)
{
    poyi_ref_fill(ctx, be, (poy_scalar){0, 0}, z);
    return poyi_ref_mul(ctx, be, x, y, z);
}

static poy_status ignores_broadcasting(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                       const poy_tensor *z)
{
    poy_tensor t = *y;
    for (int i = 0; i < t.rank; i++)
        if (t.stride[i] == 0 && t.extent[i] <= 8) /* as many as the guards of a base */
            t.stride[i] = 1;
    return poyi_ref_div(ctx, be, x, &t, z);
}

static poy_status refuses_long_lines(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    if (x->extent[x->rank - 1] > 1000)
        return POY_ERR_INTERNAL;
    return poyi_ref_cos(ctx, be, x, y);
}

const faulty_defect *faulty_pointwise(size_t *n)
{
    static const faulty_defect defects[] = {
        DEFECT(ignores_stride_sign, copy, copy, F64),
        DEFECT(casts_by_wrapping, copy, copy, F64),
        DEFECT(casts_through_double, copy, copy, I64),
        DEFECT(casts_to_nearest, copy, copy, F32),
        DEFECT(leaves_out_the_last, copy, copy, B8),
        DEFECT(forgets_the_imaginary_part, fill, fill, C128),
        DEFECT(fills_in_single, fill, fill, F64),
        DEFECT(keeps_memory, neg, unary, I32),
        DEFECT(subtracts_from_zero, neg, unary, F64),
        DEFECT(keeps_imaginary_sign, conj, unary, C64),
        DEFECT(takes_modulus_for_real_part, real, unary, C64),
        DEFECT(swaps_parts, imag, unary, C128),
        DEFECT(flushes_denormals, abs, unary, F64),
        DEFECT(takes_naive_modulus, abs, unary, C128),
        DEFECT(saturates_the_least, abs, unary, I32),
        DEFECT(loses_the_cut, sqrt, unary, C128),
        DEFECT(roots_of_moduli, sqrt, unary, F32),
        DEFECT(exp_flushes_denormals, exp, unary, F64),
        DEFECT(exp_stops_at_the_largest, exp, unary, F32),
        DEFECT(exp_of_parts, exp, unary, C128),
        DEFECT(computes_in_single, sin, unary, F64),
        DEFECT(cos_by_a_short_pi, cos, unary, F64),
        DEFECT(refuses_long_lines, cos, unary, F32),
        DEFECT(writes_beyond, add, binary, F64),
        DEFECT(saturates, add, binary, I32),
        DEFECT(writes_to_input, sub, binary, F64),
        DEFECT(subtracts_backwards, sub, binary, I64),
        DEFECT(depends_on_threads, mul, binary, F64),
        DEFECT(multiplies_as_doubles, mul, binary, I64),
        DEFECT(conjugates_a_factor, mul, binary, C64),
        DEFECT(clears_its_output_first, mul, binary, F32),
        DEFECT(divides_naively, div, binary, C128),
        DEFECT(divides_by_a_reciprocal_in_single, div, binary, F64),
        DEFECT(ignores_broadcasting, div, binary, F32),
        DEFECT(forgets_nan, maximum, binary, F32),
        DEFECT(sees_nan_on_the_left_only, minimum, binary, F64),
    };
    *n = sizeof defects / sizeof defects[0];
    return defects;
}
