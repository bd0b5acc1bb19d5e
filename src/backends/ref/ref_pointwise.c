/* ref_pointwise.c: fill, copy, unary and binary operations, each as its formula. Everything floating is computed in
 * binary64, which rounds f32 and c64 results correctly but for the elementary functions. */
#include <math.h>
#include <string.h>

#include "backends/ref/ref.h"

typedef poyi_ref_value value;

/* ---- fill, copy ---- */

/* Beyond the range of the type the nearest end. */
static int64_t narrow(int64_t i, poy_dtype dtype)
{
    if (dtype == POY_I32)
        return i < INT32_MIN ? INT32_MIN : i > INT32_MAX ? INT32_MAX : i;
    return i;
}

/* Towards zero, likewise; NaN becomes 0. */
static int64_t to_integer(double x, poy_dtype dtype)
{
    double low = dtype == POY_I32 ? -0x1p31 : -0x1p63, high = -low; /* high itself is beyond the range */
    int64_t last = dtype == POY_I32 ? INT32_MAX : INT64_MAX;
    if (isnan(x))
        return 0;
    if (x <= low)
        return -last - 1;
    return x >= high ? last : (int64_t)x;
}

/* An element of type from as one of type to. */
static value cast(value v, poy_dtype from, poy_dtype to)
{
    value w = v;
    if (to == POY_B8)
        w.i = poyi_ref_is_whole(from) ? v.i != 0 : v.z != 0; /* NaN is not 0 */
    else if (poyi_ref_is_whole(to))
        w.i = poyi_ref_is_whole(from) ? narrow(v.i, to) : to_integer(creal(v.z), to);
    else if (to == POY_F32 || to == POY_C64)
        w.z = poyi_ref_is_whole(from) ? (double)(float)v.i : v.z; /* one rounding */
    else if (poyi_ref_is_whole(from))
        w.z = (double)v.i;
    return w;
}

poy_status poyi_ref_fill(poy_ctx *ctx, void *be, poy_scalar x, const poy_tensor *y)
{
    (void)ctx;
    (void)be;
    value v = cast((value){CMPLX(x.re, x.im), 0}, POY_C128, y->dtype);
    poyi_ref_walk w = poyi_ref_walk_over(1, &y, 0, y->rank);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[0], v);
    return POY_OK;
}

poy_status poyi_ref_copy(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y)
{
    (void)ctx;
    (void)be;
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    size_t size = poy_dtype_size(x->dtype);
    while (poyi_ref_walk_next(&w))
        if (x->dtype == y->dtype) /* bits, also those of a NaN */
            memcpy((char *)y->mem + w.at[1] * (int64_t)size, (const char *)x->mem + w.at[0] * (int64_t)size, size);
        else
            poyi_ref_store(y, w.at[1], cast(poyi_ref_load(x, w.at[0]), x->dtype, y->dtype));
    return POY_OK;
}

/* ---- unary ---- */

poy_status poyi_ref_map1(poyi_ref_unary *f, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    poyi_ref_walk w = poyi_ref_walk_over(2, t, 0, y->rank);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(y, w.at[1], f(poyi_ref_load(x, w.at[0]), x->dtype));
    return POY_OK;
}

/* As -x does in C: 0 - x modulo 2^64 for integers. */
static value formula_neg(value x, poy_dtype dtype)
{
    (void)dtype;
    return (value){-x.z, (int64_t)(0 - (uint64_t)x.i)};
}
static value formula_conj(value x, poy_dtype dtype)
{
    (void)dtype;
    return (value){conj(x.z), x.i};
}
static value formula_real(value x, poy_dtype dtype)
{
    (void)dtype;
    return (value){creal(x.z), x.i};
}
static value formula_imag(value x, poy_dtype dtype)
{
    (void)dtype;
    return (value){cimag(x.z), 0};
}
static value formula_abs(value x, poy_dtype dtype)
{
    return (value){poy_dtype_is_complex(dtype) ? cabs(x.z) : fabs(creal(x.z)),
                   x.i < 0 ? (int64_t)(0 - (uint64_t)x.i) : x.i};
}
static value formula_sqrt(value x, poy_dtype dtype)
{
    return (value){poy_dtype_is_complex(dtype) ? csqrt(x.z) : sqrt(creal(x.z)), 0};
}
static value formula_exp(value x, poy_dtype dtype)
{
    return (value){poy_dtype_is_complex(dtype) ? cexp(x.z) : exp(creal(x.z)), 0};
}
/* Of a real x by itself; a complex one through its modulus, brought near 1 first. */
static value formula_sign(value x, poy_dtype dtype)
{
    double re = creal(x.z), im = cimag(x.z), m = fmax(fabs(re), fabs(im));
    if (poyi_ref_is_whole(dtype))
        return (value){0, (x.i > 0) - (x.i < 0)};
    if (!poy_dtype_is_complex(dtype))
        return (value){isnan(re) ? re : (re > 0) - (re < 0), 0};
    if (isnan(re) || isnan(im) || m == 0 || isinf(m)) /* inf / inf is NaN, as the quotient of parts is */
        return (value){m == 0 && !isnan(re) && !isnan(im) ? 0 : CMPLX(NAN, NAN), 0};
    int e = ilogb(m);
    double complex w = CMPLX(ldexp(re, -e), ldexp(im, -e));
    return (value){CMPLX(creal(w) / cabs(w), cimag(w) / cabs(w)), 0};
}
static value formula_square(value x, poy_dtype dtype)
{
    return (value){poy_dtype_is_complex(dtype) ? x.z * x.z : creal(x.z) * creal(x.z),
                   (int64_t)((uint64_t)x.i * (uint64_t)x.i)};
}
static value formula_log(value x, poy_dtype dtype)
{
    return (value){poy_dtype_is_complex(dtype) ? clog(x.z) : log(creal(x.z)), 0};
}

/* Functions of the C library on real numbers. */
#define REAL_FUNCTION(name)                               \
    static value formula_##name(value x, poy_dtype dtype) \
    {                                                     \
        (void)dtype;                                      \
        return (value){name(creal(x.z)), 0};              \
    }                                                     \
    POYI_REF_UNARY(name)
REAL_FUNCTION(expm1)
REAL_FUNCTION(log1p)
REAL_FUNCTION(sin)
REAL_FUNCTION(cos)
REAL_FUNCTION(tan)
REAL_FUNCTION(sinh)
REAL_FUNCTION(cosh)
REAL_FUNCTION(tanh)
REAL_FUNCTION(floor)

POYI_REF_UNARY(neg)
POYI_REF_UNARY(conj)
POYI_REF_UNARY(real)
POYI_REF_UNARY(imag)
POYI_REF_UNARY(abs)
POYI_REF_UNARY(sqrt)
POYI_REF_UNARY(exp)
POYI_REF_UNARY(sign)
POYI_REF_UNARY(square)
POYI_REF_UNARY(log)

/* ---- binary ---- */

poy_status poyi_ref_map2(poyi_ref_binary *f, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const poy_tensor *const t[3] = {x, y, z};
    poyi_ref_walk w = poyi_ref_walk_over(3, t, 0, z->rank);
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(z, w.at[2], f(poyi_ref_load(x, w.at[0]), poyi_ref_load(y, w.at[1]), x->dtype));
    return POY_OK;
}

/* Integers modulo 2^64, which poyi_ref_store takes modulo 2^32 where that is the type. */
static value formula_add(value x, value y, poy_dtype dtype)
{
    (void)dtype;
    return (value){x.z + y.z, (int64_t)((uint64_t)x.i + (uint64_t)y.i)};
}
static value formula_sub(value x, value y, poy_dtype dtype)
{
    (void)dtype;
    return (value){x.z - y.z, (int64_t)((uint64_t)x.i - (uint64_t)y.i)};
}
static value formula_mul(value x, value y, poy_dtype dtype)
{
    double complex z = poy_dtype_is_complex(dtype) ? x.z * y.z : creal(x.z) * creal(y.z);
    return (value){z, (int64_t)((uint64_t)x.i * (uint64_t)y.i)};
}
static value formula_div(value x, value y, poy_dtype dtype)
{
    /* Extended range, so that nothing overflows or vanishes on the way. */
    long double complex a = x.z, b = y.z;
    return (value){poy_dtype_is_complex(dtype) ? (double complex)(a / b) : creal(x.z) / creal(y.z), 0};
}
static value formula_maximum(value x, value y, poy_dtype dtype)
{
    (void)dtype;
    double a = creal(x.z), b = creal(y.z);
    return (value){isnan(a) || a >= b ? a : b, x.i >= y.i ? x.i : y.i};
}
static value formula_minimum(value x, value y, poy_dtype dtype)
{
    (void)dtype;
    double a = creal(x.z), b = creal(y.z);
    return (value){isnan(a) || a <= b ? a : b, x.i <= y.i ? x.i : y.i};
}

#define REAL_FUNCTION_2(name)                                      \
    static value formula_##name(value x, value y, poy_dtype dtype) \
    {                                                              \
        (void)dtype;                                               \
        return (value){name(creal(x.z), creal(y.z)), 0};           \
    }                                                              \
    POYI_REF_BINARY(name)
REAL_FUNCTION_2(atan2)
REAL_FUNCTION_2(hypot)

/* x^y = (x^(y/2))^2 x^(y mod 2) of integers modulo 2^64, x^0 = 1. */
static uint64_t whole_power(uint64_t x, uint64_t y)
{
    const uint64_t half = y ? whole_power(x, y / 2) : 1;
    return half * half * (y % 2 ? x : 1);
}
static value formula_pow(value x, value y, poy_dtype dtype)
{
    if (dtype == POY_B8)
        return (value){0, x.i || !y.i};
    if (poyi_ref_is_whole(dtype))
        return (value){0, (int64_t)whole_power((uint64_t)x.i, (uint64_t)y.i)};
    return (value){pow(creal(x.z), creal(y.z)), 0};
}
poy_status poyi_ref_pow(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    (void)be;
    poyi_ref_walk w = poyi_ref_walk_over(1, &y, 0, y->rank);
    while (poyi_ref_is_whole(y->dtype) && poyi_ref_walk_next(&w)) {
        const int64_t e = poyi_ref_load(y, w.at[0]).i;
        if (e < 0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                             "the exponent %lld is below 0, powers of integers are integers: copy x or y to f64",
                             (long long)e);
    }
    return poyi_ref_map2(formula_pow, x, y, z);
}

/* z = x (cos y + i sin y). */
static poyi_ref_value formula_cis_mul(poyi_ref_value x, poyi_ref_value y, poy_dtype dtype)
{
    const double c = cos(creal(y.z)), s = sin(creal(y.z)), re = creal(x.z), im = cimag(x.z);
    (void)dtype;
    return (poyi_ref_value){CMPLX(re * c - im * s, re * s + im * c), 0};
}
POYI_REF_BINARY(cis_mul)

POYI_REF_BINARY(add)
POYI_REF_BINARY(sub)
POYI_REF_BINARY(mul)
POYI_REF_BINARY(div)
POYI_REF_BINARY(maximum)
POYI_REF_BINARY(minimum)
