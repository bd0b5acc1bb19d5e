/* wave_pair.c: regular functions by ratios that come down from an order where they are negligible (Lentz; stable at every
 * z), singular ones by their recurrence upwards, scales from the Wronskian. */
#include "scatter/particle/wave_pair.h"

#include "math/bessel/bessel.h"

/* F_{k-1} + F_{k+1} = (step_k / z) F_k */
static double step_of(poyi_wave_family family, int64_t k)
{
    return (double)(family == POYI_WAVES_OF_SPHERES ? 2 * k + 1 : 2 * k);
}

/* An order from which the ratios may come down to be good to 1e-17 at n and below: beyond max(n, |z|) they are about
 * exp(-acosh(k / |z|)), and each step gains the square of that. */
static int64_t start_of(int64_t n, double size)
{
    const double top = (double)n + 1.5, edge = fmax(top, size), far = edge + 8.0 * cbrt(edge) + 8.0;
    const double near = top > size ? top + 20.0 / acosh(top / size) + 2.0 : far;
    return (int64_t)fmin(near, far);
}

/* step / z: the rounding of 1 / z alone would be a common factor of all orders, and at large z a phase. */
static double complex step_over(poyi_wave_family family, int64_t k, const poyi_two *over_z)
{
    const double step = step_of(family, k);
    return step * over_z->high + step * over_z->low;
}

static void regular_ratios(poyi_wave_family family, poyi_xcomplex z, int64_t n, poyi_wave_pair *pair)
{
    const int64_t start = start_of(n, (double)cabsl(z));
    const poyi_two over_z = poyi_two_of(poyi_xinverse(z));
    double complex ratio = (double complex)z / step_of(family, start + 1); /* F_{start+1} / F_start, to first order */
    for (int64_t k = start; k > 0; k--) {
        double complex inverse = step_over(family, k, &over_z) - ratio; /* F_{k-1} / F_k */
        if (poyi_size(inverse) < 1e-150)
            inverse = 1e-150; /* an exact zero of F_{k-1} */
        ratio = poyi_over(1.0, inverse);
        if (k > n + 1)
            continue;
        const int falls = poyi_size(inverse) >= poyi_size(ratio);
        pair[k - 1].u = falls ? 1.0 : inverse;
        pair[k - 1].up = falls ? ratio : 1.0;
    }
}

/* The larger of two becomes 1. */
static void normalise(double complex *a, double complex *b)
{
    const int first = poyi_size(*a) >= poyi_size(*b);
    const double complex small = first ? poyi_over(*b, *a) : poyi_over(*a, *b);
    *a = first ? 1.0 : small;
    *b = first ? small : 1.0;
}

static void singular_pairs(poyi_wave_family family, const poyi_two *over_z, int64_t n, poyi_wave_pair *pair)
{
    normalise(&pair[0].s, &pair[0].sp);
    for (int64_t k = 0; k < n; k++) {
        pair[k + 1].s = pair[k].sp;
        pair[k + 1].sp = poyi_times(step_over(family, k + 1, over_z), pair[k].sp) - pair[k].s;
        normalise(&pair[k + 1].s, &pair[k + 1].sp);
    }
}

/* The scale of order k + 1 from that of order k. */
static void next_scale(double complex step, const poyi_wave_pair *p, poyi_wave_pair *next)
{
    const double complex higher = poyi_times(step, p->up) - p->u;
    next->a = poyi_times(p->a, next->u == 1.0 ? p->up : higher);
    next->e = p->e;
    if (poyi_size(next->a) < 0x1p-300) {
        next->a *= 0x1p+300;
        next->e -= 300;
    }
}

/* Values of order 0 and 1: of spheres sin z and sin z / z - cos z; where z is not real times exp(iz). */
static void spherical_start(poyi_xcomplex z, poyi_wave_pair *p)
{
    if (poyi_pair_is_real(z)) {
        const poyi_xreal x = creall(z), s = sinl(x), c = cosl(x);
        p->a = (double)(p->u == 1.0 ? s : s / x - c);
        p->s = (double)c;
        p->sp = (double)(c / x + s);
        return;
    }
    const poyi_xcomplex turn = cexpl(poyi_xturn(z, 1)), square = poyi_xmul(turn, turn);
    const poyi_xcomplex sine =
        fabsl(cimagl(z)) < 1.0L ? poyi_xmul(csinl(z), turn) : poyi_xturn(0.5L * (square - 1.0L), -1);
    p->a = (double complex)(p->u == 1.0 ? sine : poyi_xmul(sine, poyi_xinverse(z)) - 0.5L * (square + 1.0L));
    p->s = CMPLX(0.0, -1.0); /* of exp(-iz) xi_0 */
    p->sp = (double complex)(-1.0L + poyi_xturn(poyi_xinverse(z), -1));
}

/* a 2^-e */
static poyi_xcomplex mantissa(poyi_big a, int64_t e)
{
    return poyi_xldexp(a.m, a.e - e);
}

/* Two neighbours at z + shift, shift a rounding: F_0' = -F_1, F_1' = F_0 - F_1 / z, with a factor exp(-i z) taken out where
 * turned. */
static void shift_start(poyi_xcomplex z, poyi_xcomplex shift, int turned, poyi_xcomplex f[2])
{
    const poyi_xcomplex zero = f[0], first = f[1], turn = turned ? CMPLXL(0.0L, 1.0L) : 0.0L;
    f[0] -= poyi_xmul(shift, first + poyi_xmul(turn, zero));
    f[1] += poyi_xmul(shift, zero - poyi_xmul(first, poyi_xinverse(z)) - poyi_xmul(turn, first));
}

/* The functions of math take doubles. */
static void cylindrical_start(poyi_xcomplex exact, poyi_wave_pair *p)
{
    const double complex z = (double complex)exact;
    const poyi_xcomplex shift = exact - poyi_x(z);
    if (poyi_pair_is_real(exact)) {
        poyi_xcomplex j[2], y[2];
        const poyi_big y1 = poyi_bessel_cylindrical(POY_BESSEL_Y, 1.0, z).value;
        for (int n = 0; n < 2; n++) { /* |Y_1| is the larger of both near 0 */
            j[n] = mantissa(poyi_bessel_cylindrical(POY_BESSEL_J, n, z).value, 0);
            y[n] = mantissa(poyi_bessel_cylindrical(POY_BESSEL_Y, n, z).value, y1.e);
        }
        shift_start(exact, shift, 0, j);
        shift_start(exact, shift, 0, y);
        p->a = (double complex)(p->u == 1.0 ? j[0] : j[1]);
        p->s = (double complex) - y[0];
        p->sp = (double complex) - y[1];
        return;
    }
    const poyi_big h0 = poyi_bessel_cylindrical(POY_BESSEL_H1, 0.0, z).value;
    const poyi_big h1 = poyi_big_normal(poyi_bessel_cylindrical(POY_BESSEL_H1, 1.0, z).value);
    poyi_xcomplex h[2] = {mantissa(h0, h1.e), h1.m};
    shift_start(exact, shift, 1, h);
    p->s = (double complex)h[0];
    p->sp = (double complex)h[1];
    /* A = omega / (B w) with what normalise() will divide by as B; all without exp(+-iz) */
    const double complex large = poyi_size(p->s) >= poyi_size(p->sp) ? p->s : p->sp;
    const double complex w = poyi_over(poyi_times(p->up, p->s) - poyi_times(p->u, p->sp), large);
    const double complex omega = CMPLX(0.0, 1.0) * poyi_pair_c(POYI_WAVES_OF_CYLINDERS, z);
    p->a = poyi_pair_ldexp(omega / (large * w), -h1.e);
}

void poyi_wave_pairs(poyi_wave_family family, poyi_xcomplex z, int64_t n, poyi_wave_pair *pair)
{
    const poyi_two over_z = poyi_two_of(poyi_xinverse(z));
    regular_ratios(family, z, n, pair);
    pair[0].e = 0;
    if (family == POYI_WAVES_OF_SPHERES)
        spherical_start(z, pair);
    else
        cylindrical_start(z, pair);
    singular_pairs(family, &over_z, n, pair);
    for (int64_t k = 0; k < n; k++)
        next_scale(step_over(family, k + 1, &over_z), pair + k, pair + k + 1);
    for (int64_t k = 0; k <= n; k++)
        pair[k].w = poyi_times(pair[k].up, pair[k].s) - poyi_times(pair[k].u, pair[k].sp);
}

double complex poyi_pair_ratio(const poyi_wave_pair *at, const poyi_wave_pair *to, poyi_xcomplex step, int64_t *e)
{
    const double complex ratio = poyi_over(at->a, to->a);
    *e += at->e - to->e;
    if (poyi_pair_is_real(step))
        return ratio;
    return poyi_times(ratio, (double complex)cexpl(poyi_xturn(step, 1))); /* falls, to 0 where it is thick */
}
