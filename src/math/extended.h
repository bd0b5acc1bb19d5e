/* extended.h: extended precision with a wide exponent, m 2^e, for functions whose parts leave the range of any floating
 * type: h_256(1e-30) is 10^8200. long double has 64 bits on x86-64 and 113 on aarch64; the code needs 64. */
#ifndef POYI_EXTENDED_H
#define POYI_EXTENDED_H

#include <math.h>
#include <stdint.h>

#include "core/cmplx.h"

typedef long double poyi_xreal;
typedef long double complex poyi_xcomplex;

static inline poyi_xcomplex poyi_x(double complex z)
{
    return CMPLXL((poyi_xreal)creal(z), (poyi_xreal)cimag(z));
}

/* a b of finite numbers, without C's care for infinities. */
static inline poyi_xcomplex poyi_xmul(poyi_xcomplex a, poyi_xcomplex b)
{
    const poyi_xreal ar = creall(a), ai = cimagl(a), br = creall(b), bi = cimagl(b);
    return CMPLXL(ar * br - ai * bi, ar * bi + ai * br);
}

/* 1 / a for |a| within 2^-8000 .. 2^8000, without C's care for what lies beyond. */
static inline poyi_xcomplex poyi_xinverse(poyi_xcomplex a)
{
    const poyi_xreal re = creall(a), im = cimagl(a), scale = 1.0L / (re * re + im * im);
    return CMPLXL(re * scale, -im * scale);
}

/* |re| + |im|: within sqrt(2) of the modulus. */
static inline poyi_xreal poyi_xsize(poyi_xcomplex a)
{
    return fabsl(creall(a)) + fabsl(cimagl(a));
}

static inline poyi_xcomplex poyi_xldexp(poyi_xcomplex a, int64_t e)
{
    const int n = e > 40000 ? 40000 : e < -40000 ? -40000 : (int)e;
    return CMPLXL(ldexpl(creall(a), n), ldexpl(cimagl(a), n));
}

/* i^n a */
static inline poyi_xcomplex poyi_xturn(poyi_xcomplex a, int64_t n)
{
    switch (n & 3) {
    case 0: return a;
    case 1: return CMPLXL(-cimagl(a), creall(a));
    case 2: return -a;
    default: return CMPLXL(cimagl(a), -creall(a));
    }
}

/* The number m 2^e; the larger part of m within 2^-1000 .. 2^1000, or m = 0. */
typedef struct poyi_big {
    poyi_xcomplex m;
    int64_t e;
} poyi_big;

poyi_big poyi_big_make(poyi_xcomplex m, int64_t e);
/* The same number, the larger part of m in [1/2, 1). */
poyi_big poyi_big_normal(poyi_big a);
poyi_big poyi_big_add(poyi_big a, poyi_big b);
poyi_big poyi_big_mul(poyi_big a, poyi_big b);
/* a / b; b is not 0. */
poyi_big poyi_big_div(poyi_big a, poyi_big b);
poyi_big poyi_big_conj(poyi_big a);
/* exp(w) for any finite w; a real part x costs |x| 1e-24 of relative accuracy beyond 10^4 and counts as 1e15 at most. */
poyi_big poyi_big_exp(poyi_xcomplex w);
/* base^n of a finite base (not 0 where n < 0), by squaring. */
poyi_big poyi_big_power(poyi_xcomplex base, int n);
/* The number as a double complex, parts beyond the range as infinities, below it 0; nonzero if a part is infinite. */
int poyi_big_round(poyi_big a, double complex *out);

static inline poyi_big poyi_big_times(poyi_big a, poyi_xcomplex factor)
{
    return poyi_big_make(poyi_xmul(a.m, factor), a.e);
}

/* cos(pi x) and sin(pi x), reduced exactly: zeros and ones are exact. */
void poyi_cossin_pi(poyi_xreal x, poyi_xreal *cosine, poyi_xreal *sine);
/* exp(i pi x) */
poyi_xcomplex poyi_turn(poyi_xreal x);

#endif
