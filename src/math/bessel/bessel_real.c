/* bessel_real.c: J_n(x) of integer order and real argument in extended precision. */
#include "math/bessel/bessel_real.h"

#include <math.h>

#include "math/math.h"

/* Hankel's expansion (DLMF 10.17.3) for n = 0 and 1; its smallest term is below 1e-20 when x > 25. */
static long double hankel_expansion(int n, long double x)
{
    long double p = 0.0L, q = 0.0L, term = 1.0L;
    for (int k = 0; k < 60 && fabsl(term) > 1e-22L; k++) {
        const int turn = k % 4;
        if (turn % 2)
            q += turn == 1 ? term : -term;
        else
            p += turn == 0 ? term : -term;
        const long double odd = 2 * k + 1;
        term *= (4.0L * n * n - odd * odd) / (8.0L * (k + 1) * x);
    }
    /* cos and sin of x - (2 n + 1) pi / 4, times sqrt(2), from those of x, which the library reduces exactly */
    const long double c = cosl(x), s = sinl(x);
    const long double cosine = n == 0 ? c + s : s - c, sine = n == 0 ? s - c : -c - s;
    return (cosine * p - sine * q) / sqrtl(POYI_PIL * x);
}

/* Upwards from J_0 and J_1: stable while the order is below x. */
static long double upwards(int n, long double x)
{
    long double before = hankel_expansion(0, x), f = hankel_expansion(1, x);
    if (n == 0)
        return before;
    for (int k = 1; k < n; k++) {
        const long double next = 2 * k / x * f - before;
        before = f;
        f = next;
    }
    return f;
}

/* Miller's algorithm: downwards from an order where J is 1e-20 of what it is at n and below, scaled by
 * J_0 + 2 J_2 + 2 J_4 + ... = 1 (DLMF 10.12.4). */
static long double miller(int n, long double x)
{
    const long double top = fmaxl((long double)n, x);
    int start = (int)(top + 9.0L * cbrtl(top) + 20.0L);
    long double above = 0.0L, f = 0x1p-8000L, sum = 0.0L, wanted = 0.0L;
    start += start % 2;
    for (int k = start; k > 0; k--) {
        if (k == n)
            wanted = f;
        if (k % 2 == 0)
            sum += f;
        const long double below = 2 * k / x * f - above;
        above = f;
        f = below;
        if (fabsl(f) > 0x1p+4000L) {
            f *= 0x1p-8000L;
            above *= 0x1p-8000L;
            sum *= 0x1p-8000L;
            wanted *= 0x1p-8000L;
        }
    }
    return (n == 0 ? f : wanted) / (f + 2.0L * sum);
}

/* The first two terms of the power series (DLMF 10.2.2), enough where x^4 is lost against 1. */
static long double series(int n, long double x)
{
    long double power = 1.0L;
    for (int k = 1; k <= n; k++)
        power *= x / (2 * k);
    return power * (1.0L - x * x / (4 * n + 4));
}

long double poyi_bessel_jn_extended(int n, long double x)
{
    if (n < -10001 || n > 10001 || !(fabsl(x) <= 1e8L))
        return (long double)NAN;
    const int order = n < 0 ? -n : n;
    const int flip = order % 2 && (n < 0) != (x < 0.0L);
    const long double r = fabsl(x);
    long double value;
    if (r < 1e-6L)
        value = series(order, r);
    else if (r > 30.0L && r > (long double)order)
        value = upwards(order, r);
    else
        value = miller(order, r);
    return flip ? -value : value;
}

double poyi_bessel_jn(int n, double x)
{
    return (double)poyi_bessel_jn_extended(n, (long double)x);
}
