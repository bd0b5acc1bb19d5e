/* pack.h: the arithmetic of the pulse kernels: packs of POY_PACK consecutive complex numbers, each a (re, im) pair of
 * f64. Here are packs of one, which every language has; a host backend may bring wider ones (names that end in the
 * width) and include a kernel file once for each. Arrays are given by their parts: complex number i of x is at x[2i].
 * Reals that go with complex numbers are doubled: (r, r) for each pair. */
#ifndef POYI_PULSE_PACK_H
#define POYI_PULSE_PACK_H

#include "kernels/dialect.h"

#ifndef POY_PACK
#define POY_PACK 1
#endif
/* Expanded where they are used, with the width that holds there. */
#define POY_JOIN_(a, b) a##b
#define POY_JOIN(a, b) POY_JOIN_(a, b)
#define POY_PULSE(kernel) POY_JOIN(kernel##_, POY_PACK)
#define POY_PACKS(i) POY_JOIN(POY_PACKS_, POY_PACK)(i)
#define pack POY_JOIN(pack_, POY_PACK)
#define p_load POY_JOIN(p_load_, POY_PACK)
#define p_store POY_JOIN(p_store_, POY_PACK)
#define p_real POY_JOIN(p_real_, POY_PACK)
#define p_store_real POY_JOIN(p_store_real_, POY_PACK)
#define p_all POY_JOIN(p_all_, POY_PACK)
#define p_unit POY_JOIN(p_unit_, POY_PACK)
#define p_add POY_JOIN(p_add_, POY_PACK)
#define p_times POY_JOIN(p_times_, POY_PACK)
#define p_over POY_JOIN(p_over_, POY_PACK)
#define p_axpy POY_JOIN(p_axpy_, POY_PACK)
#define p_scale POY_JOIN(p_scale_, POY_PACK)
#define p_sqrt POY_JOIN(p_sqrt_, POY_PACK)
#define p_mul POY_JOIN(p_mul_, POY_PACK)
#define p_mul_conj POY_JOIN(p_mul_conj_, POY_PACK)
#define p_turn_mul_conj POY_JOIN(p_turn_mul_conj_, POY_PACK)
#define p_turn POY_JOIN(p_turn_, POY_PACK)
#define p_abs2 POY_JOIN(p_abs2_, POY_PACK)
#define p_lift POY_JOIN(p_lift_, POY_PACK)
#define p_total POY_JOIN(p_total_, POY_PACK)

/* A loop over packs; the caller's range is a multiple of the width. */
#define POY_PACKS_1(i) POY_FOR (i)

typedef struct pack_1 {
    double re, im;
} pack_1;

POY_INLINE pack_1 p_make_1(double re, double im)
{
    pack_1 z;
    z.re = re;
    z.im = im;
    return z;
}
POY_INLINE pack_1 p_load_1(POY_GLOBAL const double *x, poy_index i)
{
    return p_make_1(x[2 * i], x[2 * i + 1]);
}
POY_INLINE void p_store_1(POY_GLOBAL double *x, poy_index i, pack_1 z)
{
    x[2 * i] = z.re;
    x[2 * i + 1] = z.im;
}
/* Reals, doubled. */
POY_INLINE pack_1 p_real_1(POY_GLOBAL const double *r, poy_index i)
{
    return p_make_1(r[i], r[i]);
}
POY_INLINE void p_store_real_1(POY_GLOBAL double *r, poy_index i, pack_1 z)
{
    r[i] = z.re;
}
POY_INLINE pack_1 p_all_1(double s)
{
    return p_make_1(s, s);
}
/* 1 */
POY_INLINE pack_1 p_unit_1(void)
{
    return p_make_1(1.0, 0.0);
}

/* Part by part. */
POY_INLINE pack_1 p_add_1(pack_1 a, pack_1 b)
{
    return p_make_1(a.re + b.re, a.im + b.im);
}
POY_INLINE pack_1 p_times_1(pack_1 a, pack_1 b)
{
    return p_make_1(a.re * b.re, a.im * b.im);
}
POY_INLINE pack_1 p_over_1(pack_1 a, pack_1 b)
{
    return p_make_1(a.re / b.re, a.im / b.im);
}
POY_INLINE pack_1 p_sqrt_1(pack_1 a)
{
    return p_make_1(sqrt(a.re), sqrt(a.im));
}
/* s x + y, s x. */
POY_INLINE pack_1 p_axpy_1(double s, pack_1 x, pack_1 y)
{
    return p_make_1(s * x.re + y.re, s * x.im + y.im);
}
POY_INLINE pack_1 p_scale_1(double s, pack_1 x)
{
    return p_make_1(s * x.re, s * x.im);
}

/* Complex. */
POY_INLINE pack_1 p_mul_1(pack_1 a, pack_1 b)
{
    return p_make_1(a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re);
}
/* a conj(b) */
POY_INLINE pack_1 p_mul_conj_1(pack_1 a, pack_1 b)
{
    return p_make_1(a.re * b.re + a.im * b.im, a.im * b.re - a.re * b.im);
}
/* i a */
POY_INLINE pack_1 p_turn_1(pack_1 a)
{
    return p_make_1(-a.im, a.re);
}
/* i a conj(b) */
POY_INLINE pack_1 p_turn_mul_conj_1(pack_1 a, pack_1 b)
{
    return p_make_1(a.re * b.im - a.im * b.re, a.re * b.re + a.im * b.im);
}
/* |a|^2, doubled */
POY_INLINE pack_1 p_abs2_1(pack_1 a)
{
    double q = a.re * a.re + a.im * a.im;
    return p_make_1(q, q);
}
/* A power of two, doubled, by which a may be multiplied so that its square does not vanish. */
POY_INLINE pack_1 p_lift_1(pack_1 a)
{
    return p_all_1(fabs(a.re) + fabs(a.im) < 0x1p-400 ? 0x1p600 : 1.0);
}
/* The sum of all parts. */
POY_INLINE double p_total_1(pack_1 a)
{
    return a.re + a.im;
}

#endif
