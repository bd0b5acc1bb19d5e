/* legendre.c: associated Legendre functions and their companions pi and tau, right up to the poles. */
#include "math/angular/legendre.h"

#include <stdlib.h>

/* By the recurrence in the degree (DLMF 14.10.3), stable upwards. */
poyi_big poyi_legendre_reduced(int l, int m, poyi_xcomplex z)
{
    poyi_xcomplex before = 0.0L, p = 1.0L;
    int64_t e = 0;
    if (m > l)
        return (poyi_big){0.0L, 0};
    for (int k = 1; k <= m; k++)
        p *= -(2 * k - 1);
    for (int k = m + 1; k <= l; k++) {
        const poyi_xcomplex next =
            ((2 * k - 1) * poyi_xmul(z, p) - (poyi_xreal)(k + m - 1) * before) / (poyi_xreal)(k - m);
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

poyi_xreal poyi_factorial_ratio(int l, int m)
{
    poyi_xreal product = 1.0L;
    for (int k = l - abs(m) + 1; k <= l + abs(m); k++)
        product *= k;
    return m < 0 ? product : 1.0L / product;
}

poyi_angular poyi_angular_functions(int l, int m, poyi_xcomplex z, poyi_xcomplex w)
{
    const int order = abs(m);
    poyi_angular a = {{0.0L, 0}, {0.0L, 0}, {0.0L, 0}};
    if (order > l)
        return a;
    const poyi_big w_less = poyi_big_power(w, order > 0 ? order - 1 : 0),
                   w_order = order > 0 ? poyi_big_times(w_less, w) : w_less;
    const poyi_big here = poyi_legendre_reduced(l, order, z), above = poyi_legendre_reduced(l, order + 1, z);
    const poyi_big above_part = poyi_big_mul(poyi_big_times(w_order, w), above);

    a.p = poyi_big_mul(w_order, here);
    if (order == 0) {
        a.tau = above_part; /* dP_l / d(theta) = P_l^1 */
        return a;
    }
    /* 2 tau = P^{m+1} - (l + m)(l - m + 1) P^{m-1} (DLMF 14.10.5) */
    const poyi_xreal factor_below = -(poyi_xreal)((l + order) * (l - order + 1));
    const poyi_big below = poyi_big_times(poyi_legendre_reduced(l, order - 1, z), factor_below);
    a.pi = poyi_big_times(poyi_big_mul(w_less, here), order);
    a.tau = poyi_big_times(poyi_big_add(above_part, poyi_big_mul(w_less, below)), 0.5L);
    if (m < 0) { /* P^{-m} = (-1)^m (l - m)! / (l + m)! P^m (DLMF 14.9.3) */
        const poyi_xreal factor = (order % 2 ? -1.0L : 1.0L) * poyi_factorial_ratio(l, order);
        a.p = poyi_big_times(a.p, factor);
        a.pi = poyi_big_times(a.pi, -factor);
        a.tau = poyi_big_times(a.tau, factor);
    }
    return a;
}

poyi_xcomplex poyi_principal_sine(poyi_xcomplex theta, poyi_xreal *sign)
{
    const poyi_xcomplex s = csinl(theta), c = ccosl(theta);
    poyi_xcomplex root = creall(s) < 0.0L ? -s : s;
    if (creall(s) == 0.0L)
        root = csqrtl(poyi_xmul(1.0L - c, 1.0L + c));
    *sign = root == s ? 1.0L : -1.0L;
    return root;
}

poyi_xcomplex poyi_sine_of_cosine(double complex z)
{
    const poyi_xcomplex x = poyi_x(z), below = CMPLXL(1.0L - creall(x), -cimagl(x));
    return csqrtl(poyi_xmul(below, CMPLXL(1.0L + creall(x), cimagl(x))));
}
