/* gamma_incomplete.c: Gamma(a, z) of integer and half-integer a at any complex z.
 *
 * Four ways, each where it loses nothing: the power series of gamma(a, z) near the origin and along the cut, where its
 * terms have one phase; Kummer's series for |z| < a; the continued fraction elsewhere for a <= 1, and from there the
 * recurrence upwards in a, stable for |z| > a; the asymptotic series along the cut where exp(-z) is beyond any range. */
#include "math/gamma/gamma.h"

#include <stdlib.h>

#include "math/math.h"

poyi_big poyi_half_power(poyi_xcomplex z, int twice)
{
    const int whole = twice >= 0 ? twice / 2 : -((1 - twice) / 2); /* floor */
    const poyi_big power = poyi_big_power(z, whole);
    return twice % 2 ? poyi_big_times(power, csqrtl(z)) : power;
}

poyi_big poyi_gamma_half(int twice)
{
    poyi_xreal product = twice % 2 ? sqrtl(POYI_PIL) : 1.0L;
    for (int k = twice % 2 ? 1 : 2; k < twice; k += 2)
        product *= k / 2.0L;
    for (int k = -1; k >= twice; k -= 2) /* odd twice < 0 */
        product /= k / 2.0L;
    return poyi_big_make(product, 0);
}

/* Digamma at n + 1. */
static poyi_xreal digamma(int n)
{
    poyi_xreal sum = -0.577215664901532860606512090082402431042L;
    for (int k = n; k >= 1; k--)
        sum += 1.0L / k;
    return sum;
}

/* Gamma(a) - z^a sum (-z)^k / (k! (a + k)) (DLMF 8.7.1), and its limit for a = -n (8.4.15). */
static poyi_big series(int twice, poyi_xcomplex z)
{
    const int pole = twice % 2 == 0 && twice <= 0, n = -twice / 2;
    poyi_xcomplex term = 1.0L, sum = 0.0L;
    poyi_xreal biggest = 0.0L;
    for (int k = 0; k < 20000; k++) {
        if (!pole || k != n) {
            const poyi_xcomplex part = term / (twice / 2.0L + k);
            sum += part;
            biggest = fmaxl(biggest, poyi_xsize(sum));
            if (k > n && poyi_xsize(part) < 1e-23L * fminl(poyi_xsize(sum), biggest) && (poyi_xreal)k > cabsl(z))
                break;
        }
        term = poyi_xmul(term, -z) / (poyi_xreal)(k + 1);
    }
    const poyi_big rest = poyi_big_times(poyi_big_times(poyi_half_power(z, twice), sum), -1.0L);
    if (!pole)
        return poyi_big_add(poyi_gamma_half(twice), rest);
    poyi_xcomplex first = digamma(n) - clogl(z);
    poyi_xreal factorial = 1.0L;
    for (int k = 2; k <= n; k++)
        factorial *= -k;
    first /= n > 0 ? -factorial : factorial; /* (-1)^n / n! */
    return poyi_big_add(poyi_big_make(first, 0), rest);
}

/* Gamma(a) - z^a exp(-z) sum z^k / (a)_{k+1} (DLMF 8.7.1 and 13.2.39), a > 0. */
static poyi_big kummer(int twice, poyi_xcomplex z, poyi_big front)
{
    const poyi_xreal a = twice / 2.0L;
    poyi_xcomplex term = 1.0L / a, sum = term;
    for (int k = 1; k < 20000 && poyi_xsize(term) > 1e-22L * poyi_xsize(sum); k++) {
        term = poyi_xmul(term, z) / (a + k);
        sum += term;
    }
    return poyi_big_add(poyi_gamma_half(twice), poyi_big_times(front, -sum));
}

/* Gamma(a, z) / (z^a exp(-z)) for a <= 1: Legendre's fraction in its even part (DLMF 8.9.2), by Lentz's method. */
static poyi_xcomplex fraction(poyi_xreal a, poyi_xcomplex z)
{
    const poyi_xreal tiny = 1e-4000L;
    poyi_xcomplex b = z + 1.0L - a, c = 1.0L / tiny, d = 1.0L / b, h = d;
    for (int k = 1; k < 20000; k++) {
        const poyi_xreal numerator = -k * (k - a);
        b += 2.0L;
        d = numerator * d + b;
        c = b + numerator / c;
        d = 1.0L / (poyi_xsize(d) > 0.0L ? d : tiny);
        const poyi_xcomplex factor = poyi_xmul(d, poyi_xsize(c) > 0.0L ? c : tiny);
        h = poyi_xmul(h, factor);
        if (poyi_xsize(factor - 1.0L) < 2e-19L)
            break;
    }
    return h;
}

/* Gamma(a, z) / (z^a exp(-z)) ~ sum (a - 1) ... (a - k) / z^{k + 1} (DLMF 8.11.2). */
static poyi_xcomplex asymptotic(poyi_xreal a, poyi_xcomplex z)
{
    poyi_xcomplex term = 1.0L / z, sum = term;
    for (int k = 1; k < 500 && poyi_xsize(term) > 1e-22L * poyi_xsize(sum); k++) {
        term *= (a - k) / z;
        sum += term;
    }
    return sum;
}

/* z in the closed upper half-plane. */
static poyi_big upper_half(int twice, poyi_xcomplex z)
{
    const poyi_xreal a = twice / 2.0L, size = cabsl(z), along_cut = size + creall(z);
    const int near_cut = creall(z) < 0.0L && along_cut <= 5.0L;
    if (size < 1.5L || (near_cut && size < 5000.0L))
        return series(twice, z);
    const poyi_big front = poyi_big_mul(poyi_half_power(z, twice), poyi_big_exp(-z));
    if (near_cut)
        return poyi_big_times(front, asymptotic(a, z));
    if (a > 0.0L && size < a + 1.0L)
        return kummer(twice, z, front);
    poyi_xreal order = a <= 1.0L ? a : twice % 2 ? 0.5L : 1.0L;
    poyi_xcomplex ratio = fraction(order, z);
    for (; order < a; order += 1.0L)
        ratio = (order * ratio + 1.0L) / z;
    return poyi_big_times(front, ratio);
}

poyi_big poyi_gamma_upper(int twice, double complex z)
{
    if (signbit(cimag(z)))
        return poyi_big_conj(upper_half(twice, poyi_x(conj(z))));
    return upper_half(twice, poyi_x(z));
}
