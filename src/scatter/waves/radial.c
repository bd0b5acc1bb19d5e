/* radial.c: tables of spherical Bessel functions over the degree and of spherical harmonics over the degree at one order,
 * by three-term recurrences in their stable direction. */
#include "scatter/waves/radial.h"

#include <stdlib.h>

#include "math/angular/legendre.h"
#include "math/bessel/bessel.h"
#include "math/math.h"
#include "scatter/waves/waves.h"

/* f_n and f_{n-1} down to f_0 by f_{p-1} = (2 p + shift) / x f_p - f_{p+1}; the pair carries a power of 2, since
 * j_256(1e-20) is 1e-5600. */
static void downwards(int n, int shift, poyi_xcomplex x, poyi_big last, poyi_big before, poyi_xcomplex *f)
{
    int64_t e = before.e;
    poyi_xcomplex above = poyi_xldexp(last.m, last.e - e), here = before.m;
    const poyi_xcomplex over_x = 1.0L / x;
    f[n] = poyi_xldexp(last.m, last.e);
    for (int p = n - 1; p >= 0; p--) {
        f[p] = poyi_xldexp(here, e);
        const poyi_xcomplex below = poyi_xmul((2 * p + shift) * over_x, here) - above;
        above = here;
        here = below;
        if (poyi_xsize(here) > 0x1p+4000L) {
            here *= 0x1p-4000L;
            above *= 0x1p-4000L;
            e += 4000;
        }
    }
}

static void at_zero(int n, poyi_xcomplex *f)
{
    for (int p = 0; p <= n; p++)
        f[p] = p == 0 ? 1.0L : 0.0L;
}

/* A function and its slope from the double at into x, which differ by a rounding, so that the phase of a large k r is that of
 * x: f'' = -(2 - cylindrical) / x f' - (1 - squared / x^2) f, squared = n (n + 1) or n^2 (DLMF 10.2.1, 10.47.1). */
static void to_extended(double complex at, poyi_xcomplex x, int cylindrical, int n, poyi_big *f, poyi_big *slope)
{
    const poyi_xcomplex d = x - poyi_x(at), over_x = 1.0L / x;
    const poyi_xreal squared = (poyi_xreal)n * (cylindrical ? n : n + 1);
    if (d == 0.0L)
        return;
    const poyi_big before = *f,
                   curvature = poyi_big_add(poyi_big_times(*slope, (cylindrical - 2) * over_x),
                                            poyi_big_times(*f, squared * poyi_xmul(over_x, over_x) - 1.0L));
    *f = poyi_big_add(before, poyi_big_times(*slope, d));
    *slope = poyi_big_add(*slope, poyi_big_times(curvature, d));
}

/* j_{n-1} = j_n' + (n + 1) / x j_n (DLMF 10.51.1, 10.51.2) */
static void regular_table(int n, poyi_xcomplex x, poyi_xcomplex *j)
{
    const double complex at = (double complex)x;
    if (at == 0.0) {
        at_zero(n, j);
        return;
    }
    const poyi_bessel top = poyi_bessel_spherical(POY_BESSEL_J, n, at);
    const poyi_big power = poyi_big_exp(top.power);
    poyi_big last = poyi_big_mul(top.value, power), slope = poyi_big_mul(top.slope, power);
    to_extended(at, x, 0, n, &last, &slope);
    downwards(n, 1, x, last, poyi_big_add(slope, poyi_big_times(last, (n + 1) / x)), j);
}

/* J_{n-1} = J_n' + n / x J_n; H^(1) upwards from H_0 and H_1 = -H_0' (DLMF 10.6.1, 10.6.2) */
void poyi_cylindrical_table(int singular, int n, poyi_xcomplex x, poyi_xcomplex *f)
{
    const double complex at = (double complex)x;
    if (at == 0.0) {
        at_zero(n, f);
        return;
    }
    const int order = singular ? 0 : n;
    const poyi_bessel b = poyi_bessel_cylindrical(singular ? POY_BESSEL_H1 : POY_BESSEL_J, order, at);
    const poyi_big power = poyi_big_exp(b.power);
    poyi_big value = poyi_big_mul(b.value, power), slope = poyi_big_mul(b.slope, power);
    to_extended(at, x, 1, order, &value, &slope);
    const poyi_xcomplex over_x = 1.0L / x;
    if (!singular) {
        downwards(n, 0, x, value, poyi_big_add(slope, poyi_big_times(value, n * over_x)), f);
        return;
    }
    f[0] = poyi_xldexp(value.m, value.e);
    if (n > 0)
        f[1] = -poyi_xldexp(slope.m, slope.e);
    for (int p = 1; p < n; p++)
        f[p + 1] = poyi_xmul(2 * p * over_x, f[p]) - f[p - 1];
}

/* h^(1) upwards in the upper half-plane, where it is the solution that grows (DLMF 10.49.6). */
static void outgoing_table(int n, poyi_xcomplex x, poyi_xcomplex *h)
{
    const poyi_xcomplex over_x = 1.0L / x, wave = poyi_xmul(poyi_xphase(x), over_x);
    poyi_xcomplex before = poyi_xturn(wave, -1), here = -poyi_xmul(wave, 1.0L + poyi_xturn(over_x, 1));
    h[0] = before;
    for (int p = 1; p <= n; p++) {
        h[p] = here;
        const poyi_xcomplex next = poyi_xmul((2 * p + 1) * over_x, here) - before;
        before = here;
        here = next;
    }
}

void poyi_wave_radial_table(int singular, int n, poyi_xcomplex x, poyi_xcomplex *z)
{
    if (!singular) {
        regular_table(n, x, z);
        return;
    }
    const int below = cimagl(x) < 0.0L;
    outgoing_table(n, below ? conjl(x) : x, z);
    if (cimagl(x) > 0.0L)
        return;
    /* h is j + i y on the axis, and 2 j - conj h(conj x) below it */
    poyi_xcomplex j[2 * POYI_DEGREE_MAX + 2];
    regular_table(n, x, j);
    for (int p = 0; p <= n; p++)
        z[p] = below ? 2.0L * j[p] - conjl(z[p]) : CMPLXL(creall(j[p]), cimagl(z[p]));
}

poyi_direction poyi_direction_of(const double d[3], poyi_xreal *length)
{
    const poyi_xreal x = d[0], y = d[1], z = d[2], r = sqrtl(x * x + y * y + z * z);
    *length = r;
    return (poyi_direction){z / r, CMPLXL(x / r, y / r)};
}

poyi_direction poyi_direction_of_angles(double theta, double phi)
{
    const poyi_xreal sine = sinl(theta);
    return (poyi_direction){cosl(theta), CMPLXL(sine * cosl(phi), sine * sinl(phi))};
}

/* DLMF 14.10.3, normalised; Y_{l,-m} = (-1)^m conj Y_lm. */
void poyi_harmonic_column(int order, int n, poyi_direction d, poyi_xcomplex *y)
{
    const int m = abs(order);
    poyi_xcomplex before = 0.0L, here = sqrtl(0.25L / POYI_PIL);
    for (int k = 1; k <= m; k++)
        here = -sqrtl((2 * k + 1) / (2.0L * k)) * poyi_xmul(here, d.sine);
    if (order < 0)
        here = m % 2 ? -conjl(here) : conjl(here);
    for (int l = m; l <= n; l++) {
        y[l - m] = here;
        /* sqrt(((l+1)^2 - m^2) / (4 (l+1)^2 - 1)) Y_{l+1} = cos Y_l - sqrt((l^2 - m^2) / (4 l^2 - 1)) Y_{l-1} */
        const poyi_xreal up = l + 1, down = l;
        const poyi_xreal a = sqrtl((4 * up * up - 1) / ((up - m) * (up + m)));
        const poyi_xreal b = l > m ? sqrtl((down - m) * (down + m) / (4 * down * down - 1)) : 0.0L;
        const poyi_xcomplex next = a * (d.cosine * here - b * before);
        before = here;
        here = next;
    }
}
