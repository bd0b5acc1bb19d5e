/* wigner.c: elements of Wigner's rotation matrices as Jacobi polynomials in half angles. */
#include "math/angular/wigner.h"

#include <stdlib.h>

/* P_n^{(a, b)}(x), upwards in n (DLMF 18.9.1-2), with x = 1 - 2 s2 = 2 c2 - 1: the coefficient of P_{n-1} is written in
 * s2 or c2, whichever is small, so that nothing cancels near the poles. */
static poyi_big jacobi(int n, int a, int b, poyi_xcomplex s2, poyi_xcomplex c2)
{
    const int near_zero = poyi_xsize(s2) < poyi_xsize(c2);
    poyi_xcomplex before = 1.0L;
    /* P_1 = (a + 1) - (a + b + 2) s2 = -(b + 1) + (a + b + 2) c2 */
    poyi_xcomplex p = near_zero ? (poyi_xreal)(a + 1) - (poyi_xreal)(a + b + 2) * s2
                                : (poyi_xreal)(a + b + 2) * c2 - (poyi_xreal)(b + 1);
    int64_t e = 0;
    if (n == 0)
        return (poyi_big){1.0L, 0};
    for (int k = 2; k <= n; k++) {
        const poyi_xreal t = 2 * k + a + b, product = t * (t - 2.0L), shift = (poyi_xreal)(a - b) * (a + b);
        const poyi_xcomplex middle =
            near_zero ? (product + shift) - 2.0L * product * s2 : (shift - product) + 2.0L * product * c2;
        const poyi_xreal last = 2.0L * (k + a - 1) * (k + b - 1) * t, first = 2.0L * k * (k + a + b) * (t - 2.0L);
        const poyi_xcomplex next = ((t - 1.0L) * poyi_xmul(middle, p) - last * before) / first;
        before = p;
        p = next;
        if (poyi_xsize(p) > 0x1p+8000L) {
            before *= 0x1p-8000L;
            p *= 0x1p-8000L;
            e += 8000;
        }
    }
    return poyi_big_make(p, e);
}

poyi_big poyi_wigner_d(int l, int m, int k, poyi_xcomplex theta)
{
    return poyi_wigner_d_half(l, m, k, csinl(theta / 2.0L), ccosl(theta / 2.0L));
}

poyi_big poyi_wigner_d_half(int l, int m, int k, poyi_xcomplex s, poyi_xcomplex c)
{
    const int a = abs(m - k), b = abs(m + k), n = l - (a + b) / 2, negative = m > k && (m - k) % 2;
    poyi_xreal norm = 1.0L; /* n! (n + a + b)! / ((n + a)! (n + b)!) */
    for (int i = 1; i <= a; i++)
        norm *= (poyi_xreal)(n + b + i) / (poyi_xreal)(n + i);
    const poyi_big p = jacobi(n, a, b, poyi_xmul(s, s), poyi_xmul(c, c));
    const poyi_big powers = poyi_big_mul(poyi_big_power(s, a), poyi_big_power(c, b));
    return poyi_big_times(poyi_big_mul(powers, p), negative ? -sqrtl(norm) : sqrtl(norm));
}
