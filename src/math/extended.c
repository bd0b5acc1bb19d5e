/* extended.c: arithmetic of numbers with a wide exponent, and trigonometric functions of multiples of pi. */
#include "math/extended.h"

#include <stdlib.h>

#include "math/math.h"

poyi_big poyi_big_normal(poyi_big a)
{
    int shift = 0;
    const poyi_xreal size = fmaxl(fabsl(creall(a.m)), fabsl(cimagl(a.m)));
    if (!(size > 0.0L) || !isfinite(size))
        return (poyi_big){a.m, 0};
    (void)frexpl(size, &shift);
    return (poyi_big){poyi_xldexp(a.m, -shift), a.e + shift};
}

poyi_big poyi_big_make(poyi_xcomplex m, int64_t e)
{
    const poyi_xreal size = poyi_xsize(m);
    if (size > 0x1p-999L && size < 0x1p+999L)
        return (poyi_big){m, e};
    return poyi_big_normal((poyi_big){m, e});
}

poyi_big poyi_big_add(poyi_big a, poyi_big b)
{
    if (poyi_xsize(a.m) == 0.0L)
        return b;
    if (poyi_xsize(b.m) == 0.0L)
        return a;
    if (a.e == b.e)
        return poyi_big_make(a.m + b.m, a.e);
    const int64_t e = a.e > b.e ? a.e : b.e;
    return poyi_big_make(poyi_xldexp(a.m, a.e - e) + poyi_xldexp(b.m, b.e - e), e);
}

poyi_big poyi_big_mul(poyi_big a, poyi_big b)
{
    return poyi_big_make(poyi_xmul(a.m, b.m), a.e + b.e);
}

poyi_big poyi_big_div(poyi_big a, poyi_big b)
{
    return poyi_big_make(a.m / b.m, a.e - b.e);
}

poyi_big poyi_big_conj(poyi_big a)
{
    return (poyi_big){conjl(a.m), a.e};
}

poyi_big poyi_big_exp(poyi_xcomplex w)
{
    /* log 2 in two parts, the first of 40 bits, so that its products with |k| < 2^24 are exact */
    static const poyi_xreal high = 0x1.62e42fefa2p-1L, low = 7.37100256516779890183404013e-13L;
    const poyi_xreal x = fminl(fmaxl(creall(w), -1e15L), 1e15L); /* beyond, any number is out of any range */
    const poyi_xreal k = roundl(x / (high + low));
    const poyi_xreal r = (x - k * high) - k * low, size = expl(r);
    return poyi_big_make(CMPLXL(size * cosl(cimagl(w)), size * sinl(cimagl(w))), (int64_t)k);
}

poyi_big poyi_big_power(poyi_xcomplex base, int n)
{
    poyi_big result = {1.0L, 0}, square = poyi_big_make(n < 0 ? 1.0L / base : base, 0);
    for (int k = abs(n); k > 0; k /= 2) {
        if (k % 2)
            result = poyi_big_mul(result, square);
        square = poyi_big_mul(square, square);
    }
    return result;
}

int poyi_big_round(poyi_big a, double complex *out)
{
    const poyi_xcomplex v = poyi_xldexp(a.m, a.e);
    const double re = (double)creall(v), im = (double)cimagl(v);
    *out = CMPLX(re, im);
    return isinf(re) || isinf(im);
}

void poyi_cossin_pi(poyi_xreal x, poyi_xreal *cosine, poyi_xreal *sine)
{
    int quarter;
    const poyi_xreal r = remquol(x, 0.5L, &quarter) * POYI_PIL; /* at most pi / 4, exact before the product */
    const poyi_xreal c = cosl(r), s = sinl(r);
    switch (quarter & 3) {
    case 0: *cosine = c, *sine = s; break;
    case 1: *cosine = -s, *sine = c; break;
    case 2: *cosine = -c, *sine = -s; break;
    default: *cosine = s, *sine = -c; break;
    }
}

poyi_xcomplex poyi_turn(poyi_xreal x)
{
    poyi_xreal c, s;
    poyi_cossin_pi(x, &c, &s);
    return CMPLXL(c, s);
}
