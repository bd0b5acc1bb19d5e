/* dtype.h: the element type T of the kernels and its arithmetic, chosen by POY_DTYPE, the value of poy_dtype: 0 f32,
 * 1 f64, 2 c64, 3 c128, 4 i32, 5 i64, 6 b8. real is the type of its parts.
 *
 * Complex elements are (re, im) pairs in all three languages; t_mul is the plain formula, without the treatment of
 * infinities of C's own complex type. Functions named _tame are faster and right where POY_TAME holds for the larger
 * part of each operand (or it is 0, of other operands than a denominator); the others are right everywhere. */
#ifndef POYI_DTYPE_H
#define POYI_DTYPE_H

#include "dialect.h"

#ifndef POY_DTYPE
#define POY_DTYPE 1 /* for editors that open a kernel file by itself */
#endif
#define POY_COMPLEX (POY_DTYPE == 2 || POY_DTYPE == 3)
#define POY_FLOATING (POY_DTYPE <= 3)

#if POY_DTYPE == 0 || POY_DTYPE == 2
typedef float real;
#define POY_SINGLE 1
#elif POY_DTYPE == 1 || POY_DTYPE == 3
typedef double real;
#define POY_SINGLE 0
#elif POY_DTYPE == 4
typedef int real;
typedef unsigned int wrapping;
#elif POY_DTYPE == 5 && defined(__OPENCL_C_VERSION__)
typedef long real;
typedef ulong wrapping;
#elif POY_DTYPE == 5
typedef int64_t real;
typedef uint64_t wrapping;
#else
typedef unsigned char real;
#endif

/* ---- real functions under one name in every language ---- */

#if POY_FLOATING
#if POY_SINGLE && !defined(__OPENCL_C_VERSION__) && !defined(__CUDACC__)
#define POY_REAL_FUNCTION(name) name##f
#else
#define POY_REAL_FUNCTION(name) name
#endif
POY_INLINE real r_exp(real x)
{
    return POY_REAL_FUNCTION(exp)(x);
}
POY_INLINE real r_cos(real x)
{
    return POY_REAL_FUNCTION(cos)(x);
}
POY_INLINE real r_sin(real x)
{
    return POY_REAL_FUNCTION(sin)(x);
}
POY_INLINE real r_sqrt(real x)
{
    return POY_REAL_FUNCTION(sqrt)(x);
}
POY_INLINE real r_abs(real x)
{
    return POY_REAL_FUNCTION(fabs)(x);
}
POY_INLINE real r_hypot(real x, real y)
{
    return POY_REAL_FUNCTION(hypot)(x, y);
}
POY_INLINE real r_copysign(real x, real y)
{
    return POY_REAL_FUNCTION(copysign)(x, y);
}
POY_INLINE real r_ldexp(real x, int e)
{
    return POY_REAL_FUNCTION(ldexp)(x, e);
}
POY_INLINE int r_exponent(real x)
{
    return POY_REAL_FUNCTION(ilogb)(x);
}
POY_INLINE real r_log(real x)
{
    return POY_REAL_FUNCTION(log)(x);
}
POY_INLINE real r_log1p(real x)
{
    return POY_REAL_FUNCTION(log1p)(x);
}
POY_INLINE real r_atan2(real y, real x)
{
    return POY_REAL_FUNCTION(atan2)(y, x);
}
POY_INLINE real r_floor(real x)
{
    return POY_REAL_FUNCTION(floor)(x);
}
POY_INLINE int r_is_nan(real x)
{
    return x != x;
}
POY_INLINE int r_is_finite(real x)
{
    return x - x == 0;
}
POY_INLINE int r_is_infinite(real x)
{
    return !r_is_finite(x) && !r_is_nan(x);
}
/* The larger modulus of two parts; NaN where either is. */
POY_INLINE real r_larger(real x, real y)
{
    real a = r_abs(x), b = r_abs(y);
    return a > b || a != a ? a : b;
}
/* Squares and products of such numbers, and quotients of those, neither overflow nor lose digits. */
#if POY_SINGLE
#define POY_TAME(x) ((x) >= 0x1p-60f && (x) <= 0x1p60f)
#else
#define POY_TAME(x) ((x) >= 0x1p-400 && (x) <= 0x1p400)
#endif
#else
POY_INLINE int r_is_nan(real x)
{
    (void)x;
    return 0;
}
#endif

/* ---- complex ---- */

#if POY_COMPLEX

typedef struct POY_ALIGNED(2 * sizeof(real)) {
    real re, im;
} T;

POY_INLINE T t_make(real re, real im)
{
    T z;
    z.re = re;
    z.im = im;
    return z;
}
POY_INLINE T t_zero(void)
{
    return t_make(0, 0);
}
POY_INLINE T t_neg(T a)
{
    return t_make(-a.re, -a.im);
}
POY_INLINE T t_add(T a, T b)
{
    return t_make(a.re + b.re, a.im + b.im);
}
POY_INLINE T t_sub(T a, T b)
{
    return t_make(a.re - b.re, a.im - b.im);
}
POY_INLINE T t_mul(T a, T b)
{
    return t_make(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
POY_INLINE T t_scale(real s, T a)
{
    return t_make(s * a.re, s * a.im);
}
POY_INLINE T t_conj(T a)
{
    return t_make(a.re, -a.im);
}
POY_INLINE real t_re(T a)
{
    return a.re;
}
POY_INLINE real t_im(T a)
{
    return a.im;
}
POY_INLINE real t_abs2(T a)
{
    return a.re * a.re + a.im * a.im;
}
POY_INLINE real t_abs(T a)
{
    return r_hypot(a.re, a.im);
}
POY_INLINE real t_abs_tame(T a)
{
    return r_sqrt(t_abs2(a));
}

/* Numerator and denominator are scaled by powers of two, so that nothing overflows or vanishes on the way; infinities
 * and zeros as in C17, annex G. */
POY_INLINE T t_div_scaled(T a, T b, real ma, real mb)
{
    int ea = ma > 0 ? r_exponent(ma) : 0, eb = r_exponent(mb);
    T x = t_make(r_ldexp(a.re, -ea), r_ldexp(a.im, -ea)), y = t_make(r_ldexp(b.re, -eb), r_ldexp(b.im, -eb));
    real d = t_abs2(y);
    return t_make(r_ldexp((x.re * y.re + x.im * y.im) / d, ea - eb), r_ldexp((x.im * y.re - x.re * y.im) / d, ea - eb));
}
/* 1 with the sign of x where x is infinite, else 0 with it. */
POY_INLINE real r_direction(real x)
{
    return r_copysign(r_is_infinite(x) ? 1 : 0, x);
}
POY_INLINE T t_div(T a, T b)
{
    real ma = r_larger(a.re, a.im), mb = r_larger(b.re, b.im);
    if (r_is_finite(ma) && r_is_finite(mb) && mb > 0)
        return t_div_scaled(a, b, ma, mb);
    if (mb == 0 && !(r_is_nan(a.re) && r_is_nan(a.im))) {
        real infinity = r_copysign(1 / r_abs(mb), b.re);
        return t_make(infinity * a.re, infinity * a.im);
    }
    if ((r_is_infinite(a.re) || r_is_infinite(a.im)) && r_is_finite(mb)) {
        real infinity = r_is_infinite(a.re) ? r_abs(a.re) : r_abs(a.im), re = r_direction(a.re), im = r_direction(a.im);
        return t_make(infinity * (re * b.re + im * b.im), infinity * (im * b.re - re * b.im));
    }
    if ((r_is_infinite(b.re) || r_is_infinite(b.im)) && r_is_finite(ma)) {
        real re = r_direction(b.re), im = r_direction(b.im);
        return t_make(0 * (a.re * re + a.im * im), 0 * (a.im * re - a.re * im));
    }
    return t_make((a.re * b.re + a.im * b.im) / t_abs2(b), (a.im * b.re - a.re * b.im) / t_abs2(b)); /* NaN */
}
POY_INLINE T t_div_tame(T a, T b)
{
    real d = t_abs2(b);
    return t_make((a.re * b.re + a.im * b.im) / d, (a.im * b.re - a.re * b.im) / d);
}

/* sqrt z = t + i im/(2 t), t = sqrt((|re| + |z|)/2), turned by the sign of im where re < 0. */
POY_INLINE T t_sqrt_tame(T a)
{
    real t = r_sqrt((r_abs(a.re) + t_abs_tame(a)) * (real)0.5), u = a.im / (t > 0 ? 2 * t : 1);
    return a.re >= 0 ? t_make(t, u) : t_make(r_abs(u), r_copysign(t, a.im));
}
POY_INLINE T t_sqrt(T a)
{
    real m = r_larger(a.re, a.im);
    if (a.re == 0 && a.im == 0)
        return t_make(0, a.im);
    if (a.im - a.im != 0 && !r_is_nan(a.im)) /* im infinite, whatever re is */
        return t_make(r_abs(a.im), a.im);
    if (r_is_nan(m))
        return r_is_nan(a.re) || r_is_finite(a.re) ? t_make(a.re + a.im, a.re + a.im)
               : a.re > 0                          ? t_make(a.re, a.im)
                                                   : t_make(a.im, -a.re);
    if (!r_is_finite(m))
        return a.re > 0 ? t_make(a.re, r_copysign(0, a.im)) : t_make(0, r_copysign(a.re, a.im));
    int e = r_exponent(m);
    e -= e & 1; /* even, so that its half is the root's */
    T z = t_sqrt_tame(t_make(r_ldexp(a.re, -e), r_ldexp(a.im, -e)));
    return t_make(r_ldexp(z.re, e / 2), r_ldexp(z.im, e / 2));
}

/* z / |z|, scaled by a power of two first; NaN from infinities, as inf / inf is. */
POY_INLINE T t_sign(T a)
{
    real m = r_larger(a.re, a.im);
    if (m == 0)
        return t_make(0, 0);
    if (!r_is_finite(m))
        return t_make(m - m, m - m);
    int e = r_exponent(m);
    T z = t_make(r_ldexp(a.re, -e), r_ldexp(a.im, -e));
    real d = t_abs_tame(z);
    return t_make(z.re / d, z.im / d);
}

/* log |z| + i arg z. Near |z| = 1 from |z|^2 - 1 = (m - 1)(m + 1) + s^2, m and s being the larger and the smaller part;
 * very large and very small numbers are scaled first. */
#if POY_SINGLE
#define POY_LOG_SCALE 64 /* of such a power of two: log scale below */
#define POY_LOG_OF_SCALE 44.361419555836499802f
#else
#define POY_LOG_SCALE 600
#define POY_LOG_OF_SCALE 415.88830833596718565
#endif
POY_INLINE T t_log(T a)
{
    real m = r_larger(a.re, a.im), angle = r_atan2(a.im, a.re);
    real x = r_abs(a.re), y = r_abs(a.im), s = x < y ? x : y;
    if (m > (real)0.5 && m < 2)
        return t_make((real)0.5 * r_log1p((m - 1) * (m + 1) + s * s), angle);
    if (POY_TAME(m) || m == 0 || !r_is_finite(m))
        return t_make(r_log(r_hypot(a.re, a.im)), angle);
    int up = m < 1 ? POY_LOG_SCALE : -POY_LOG_SCALE;
    real scaled = r_log(r_hypot(r_ldexp(a.re, up), r_ldexp(a.im, up)));
    return t_make(m < 1 ? scaled - POY_LOG_OF_SCALE : scaled + POY_LOG_OF_SCALE, angle);
}

/* e^re (cos im + i sin im); infinities and zeros as in C17, annex G. Above POY_EXP_MAX e^re is taken in two factors, the
 * second after the cosine, which may bring the product back into range. */
#if POY_SINGLE
#define POY_EXP_MAX 88.0f
#define POY_EXP_OF_MAX 1.6516362549940018555e38f
#else
#define POY_EXP_MAX 709.0
#define POY_EXP_OF_MAX 8.2184074615549721892e307
#endif
POY_INLINE T t_exp(T a)
{
    int large = a.re > POY_EXP_MAX && r_is_finite(a.re);
    real e = r_exp(large ? a.re - POY_EXP_MAX : a.re), f = large ? POY_EXP_OF_MAX : 1;
    if (a.im == 0)
        return t_make(r_exp(a.re), a.im);
    if (!r_is_finite(a.im)) {
        if (r_is_finite(a.re) || r_is_nan(a.re))
            return t_make(a.im - a.im, a.im - a.im);
        return a.re < 0 ? t_make(0, 0) : t_make(a.re, a.im - a.im);
    }
    return t_make(e * r_cos(a.im) * f, e * r_sin(a.im) * f);
}

#else

/* ---- real, integer, boolean ---- */

typedef real T;
POY_INLINE T t_sign(T a)
{
    return r_is_nan(a) || a == 0 ? a : a > 0 ? (T)1 : (T)-1;
}
POY_INLINE T t_zero(void)
{
    return 0;
}
POY_INLINE T t_conj(T a)
{
    return a;
}
POY_INLINE real t_re(T a)
{
    return a;
}
POY_INLINE real t_im(T a)
{
    (void)a;
    return 0;
}
/* The larger and the smaller; NaN if either is. */
POY_INLINE T t_max(T a, T b)
{
    return a >= b || r_is_nan(a) ? a : b;
}
POY_INLINE T t_min(T a, T b)
{
    return a <= b || r_is_nan(a) ? a : b;
}

#if POY_FLOATING
POY_INLINE T t_neg(T a)
{
    return -a;
}
POY_INLINE T t_add(T a, T b)
{
    return a + b;
}
POY_INLINE T t_sub(T a, T b)
{
    return a - b;
}
POY_INLINE T t_mul(T a, T b)
{
    return a * b;
}
POY_INLINE T t_scale(real s, T a)
{
    return s * a;
}
POY_INLINE T t_div(T a, T b)
{
    return a / b;
}
POY_INLINE real t_abs2(T a)
{
    return a * a;
}
POY_INLINE real t_abs(T a)
{
    return r_abs(a);
}
POY_INLINE T t_sqrt(T a)
{
    return r_sqrt(a);
}
POY_INLINE T t_exp(T a)
{
    return r_exp(a);
}
POY_INLINE T t_log(T a)
{
    return r_log(a);
}
POY_INLINE T t_sin(T a)
{
    return r_sin(a);
}
POY_INLINE T t_cos(T a)
{
    return r_cos(a);
}
#elif POY_DTYPE != 6
/* Modulo 2^32 or 2^64. */
POY_INLINE T t_neg(T a)
{
    return (T)(0 - (wrapping)a);
}
POY_INLINE T t_add(T a, T b)
{
    return (T)((wrapping)a + (wrapping)b);
}
POY_INLINE T t_sub(T a, T b)
{
    return (T)((wrapping)a - (wrapping)b);
}
POY_INLINE T t_mul(T a, T b)
{
    return (T)((wrapping)a * (wrapping)b);
}
POY_INLINE real t_abs(T a)
{
    return a < 0 ? t_neg(a) : a;
}
#else
POY_INLINE real t_abs(T a)
{
    return a;
}
/* Of b8 a sum is "or", a product "and". */
POY_INLINE T t_add(T a, T b)
{
    return (T)((a != 0) | (b != 0));
}
POY_INLINE T t_mul(T a, T b)
{
    return (T)((a != 0) & (b != 0));
}
#endif

#endif
/* ---- questions, of every type ---- */

#if POY_COMPLEX
POY_INLINE int t_is_nonzero(T a)
{
    return (a.re != 0) | (a.im != 0);
}
POY_INLINE int t_is_equal(T a, T b)
{
    return (a.re == b.re) & (a.im == b.im);
}
POY_INLINE int t_is_nan(T a)
{
    return r_is_nan(a.re) | r_is_nan(a.im);
}
POY_INLINE int t_is_finite(T a)
{
    return r_is_finite(a.re) & r_is_finite(a.im);
}
#else
POY_INLINE int t_is_nonzero(T a)
{
    return a != 0;
}
POY_INLINE int t_is_equal(T a, T b)
{
    return a == b;
}
POY_INLINE int t_is_nan(T a)
{
    return r_is_nan(a);
}
POY_INLINE int t_is_finite(T a)
{
#if POY_FLOATING
    return r_is_finite(a);
#else
    (void)a;
    return 1;
#endif
}
#endif

#endif
