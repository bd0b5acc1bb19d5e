/* kambe.c: Kambe's integral along a path of descent.
 *
 * With t = eta e^{d/2}, A = z^2 eta^2, B = 1 / eta^2 and v = (n + 1) / 2
 *   I_n = eta^{n+1} exp((B - A) / 2) / 2  int_0 exp(v d - (A (e^d - 1) - B (e^{-d} - 1)) / 2) dd,
 * an entire integrand, so the path may be any that ends in the right valley. It is laid downhill, step by step, and
 * integrated by Gauss's rule on each straight step; nothing large cancels on it. Downhill may lead into another valley;
 * from there to the right one the integral is complete, a Hankel function (Sommerfeld's integrals, DLMF 10.9.18):
 *   int exp(v u - z sinh u) du = i pi H_v^(1)(z) from u = -infinity - i pi, -i pi H_v^(2)(z) from -infinity + i pi,
 * both to u = infinity; here u = d + log(z eta^2), and valleys lie tilted by arg z where z is complex. */
#include <stdlib.h>

#include "math/bessel/bessel.h"
#include "math/gamma/gamma.h"
#include "math/math.h"

enum { POINTS = 12, STEPS_MAX = 20000, DIRECTIONS = 16 };

/* Gauss-Legendre on [-1, 1], the six positive nodes of twelve. */
static const poyi_xreal nodes[POINTS / 2][2] = {{0.1252334085114689154724414L, 0.2491470458134027850005624L},
                                                {0.3678314989981801937526915L, 0.2334925365383548087608499L},
                                                {0.5873179542866174472967024L, 0.2031674267230659217490645L},
                                                {0.7699026741943046870368938L, 0.1600783285433462263346525L},
                                                {0.9041172563704748566784659L, 0.1069393259953184309602547L},
                                                {0.9815606342467192506905491L, 0.0471753363865118271946160L}};

typedef struct path {
    poyi_xreal v;
    poyi_xcomplex a, b; /* A / 2, B / 2 */
    double complex a_short, b_short;
} path;

static poyi_xcomplex expm1_complex(poyi_xcomplex d)
{
    const poyi_xreal x = creall(d), y = cimagl(d), s = sinl(y / 2.0L), grown = expm1l(x);
    return CMPLXL(grown * cosl(y) - 2.0L * s * s, (grown + 1.0L) * sinl(y));
}

static double complex expm1_short(double complex d)
{
    const double x = creal(d), y = cimag(d), s = sin(y / 2.0), grown = expm1(x);
    return CMPLX(grown * cos(y) - 2.0 * s * s, (grown + 1.0) * sin(y));
}

/* The exponent above the start of the path. */
static poyi_xcomplex exponent(const path *p, poyi_xcomplex d)
{
    return p->v * d - poyi_xmul(p->a, expm1_complex(d)) + poyi_xmul(p->b, expm1_complex(-d));
}

/* Its real part above its value at d, a step farther on: enough to choose a direction. */
static double rise(const path *p, double complex up, double complex down, double complex step)
{
    return (double)p->v * creal(step) - creal(up * expm1_short(step)) + creal(down * expm1_short(-step));
}

/* The direction, of DIRECTIONS, in which a step of this length leads farthest down (there is one that does: the real
 * part is harmonic). up, down: A e^d / 2 and B e^{-d} / 2. */
static double complex downhill(const path *p, double complex up, double complex down, double length)
{
    double complex best = 0.0;
    double lowest = 0.0;
    for (int i = 0; i < DIRECTIONS; i++) {
        const double angle = 2.0 * (double)POYI_PIL * i / DIRECTIONS;
        const double complex step = length * CMPLX(cos(angle), sin(angle));
        const double change = rise(p, up, down, step);
        if (change < lowest) {
            lowest = change;
            best = step;
        }
    }
    return best;
}

static poyi_xcomplex segment(const path *p, poyi_xcomplex from, poyi_xcomplex step)
{
    poyi_xcomplex sum = 0.0L;
    for (int i = 0; i < POINTS / 2; i++)
        for (int side = -1; side <= 1; side += 2) {
            const poyi_xcomplex d = from + step * (0.5L + 0.5L * side * nodes[i][0]);
            sum += nodes[i][1] * cexpl(exponent(p, d));
        }
    return poyi_xmul(sum, step) / 2.0L;
}

/* Where a path has arrived: +1 in a valley to the right, -1 to the left, 0 in neither yet. */
static int valley(const path *p, double complex up, double complex down)
{
    const double right = cabs(up), left = cabs(down), other = 4.0 * (fabs((double)p->v) + 1.0);
    if (right > other + 4.0 * left && creal(up) > 0.0)
        return 1;
    return left > other + 4.0 * right && creal(down) < 0.0 ? -1 : 0;
}

/* Follows the path from d = 0; *sum: its integral; *side, *end: the valley and the place where it was left. 0: no valley
 * was met. */
static int descend(const path *p, poyi_xcomplex *sum, int *side, poyi_xcomplex *end)
{
    poyi_xcomplex d = 0.0L;
    poyi_xreal height = 0.0L;
    *sum = 0.0L;
    for (int i = 0; i < STEPS_MAX; i++) {
        const double complex e = cexp((double complex)d), up = p->a_short * e, down = p->b_short / e;
        const int deep = height < -48.0L;
        *side = valley(p, up, down);
        if (deep && *side) {
            *end = d;
            return 1;
        }
        /* |change of the exponent| <= 3 by its first three derivatives: Gauss's 12 points then err by 1e-20 */
        const double first = cabs((double)p->v - up - down), second = cabs(up - down), third = cabs(up + down);
        const double length = fmin(deep ? 0.5 : 0.8, fmin(1.0 / first, fmin(sqrt(2.0 / second), cbrt(6.0 / third))));
        const poyi_xcomplex step = poyi_x(downhill(p, up, down, deep ? 0.5 : length));
        if (!deep)
            *sum += segment(p, d, step);
        d += step;
        height = creall(exponent(p, d));
    }
    return 0;
}

static poyi_big whole_value(poyi_bessel f, poyi_xcomplex factor)
{
    return poyi_big_times(poyi_big_mul(f.value, poyi_big_exp(f.power)), factor);
}

/* The complete integral from a valley to the one at the right with Im u = -arg z. k: how many times 2 pi it lies above
 * the first of its side, Im u = pi + arg z (left) or -arg z (right). A shift by 2 pi i multiplies by (-1)^(n + 1). */
static poyi_big connection(int side, int k, int n, double complex z)
{
    const double v = (n + 1) / 2.0;
    const poyi_xreal shift = n % 2 ? 1.0L : -1.0L;
    poyi_big sum = {0.0L, 0};
    if (side < 0 && k >= 0) { /* to the right valley k */
        const poyi_xreal sign = k % 2 ? shift : 1.0L;
        sum = whole_value(poyi_bessel_cylindrical(POY_BESSEL_H2, v, z), CMPLXL(0.0L, -sign * POYI_PIL));
    } else if (side < 0) { /* to the right valley k + 1 */
        k++;
        const poyi_xreal sign = k % 2 ? shift : 1.0L;
        sum = whole_value(poyi_bessel_cylindrical(POY_BESSEL_H1, v, z), CMPLXL(0.0L, sign * POYI_PIL));
    }
    if (k == 0)
        return sum;
    /* From the right valley 1 to 0, by way of a left one: -i pi (e^{2 pi i v} H^(1) + H^(2)) = -2 pi i e^{i pi v} J_{-v}
     * (Schlaefli's integral, DLMF 10.9.19), and k - 1 to k - 2 the same but for the shift. */
    const poyi_big turn =
        whole_value(poyi_bessel_cylindrical(POY_BESSEL_J, -v, z), -2.0L * POYI_PIL * poyi_turn((poyi_xreal)v + 0.5L));
    for (; k > 0; k--)
        sum = poyi_big_add(sum, poyi_big_times(turn, k % 2 ? 1.0L : shift));
    for (; k < 0; k++)
        sum = poyi_big_add(sum, poyi_big_times(turn, k % 2 ? -shift : -1.0L));
    return sum;
}

/* z = 0, n <= -2: t -> 1 / t gives sum B^{k+a} / (2^{k+1} k! (k + a)), a = -(n + 1) / 2, B = 1 / eta^2. */
static poyi_big at_origin(int n, poyi_xcomplex eta)
{
    const poyi_xreal a = -(n + 1) / 2.0L;
    const poyi_xcomplex half = 0.5L / poyi_xmul(eta, eta);
    /* Kummer's form, exp(B / 2) sum (-B / 2)^k / (a)_{k+1}, where that does not cancel */
    const int kummer = creall(half) < 0.0L;
    poyi_xcomplex term = kummer ? 1.0L / a : 1.0L, sum = 0.0L;
    for (int k = 0; k < 20000; k++) {
        const poyi_xcomplex part = kummer ? term : term / (a + k);
        sum += part;
        if (poyi_xsize(part) < 1e-22L * poyi_xsize(sum) && (poyi_xreal)k > cabsl(half))
            break;
        term = poyi_xmul(term, kummer ? -half : half) / (kummer ? a + k + 1.0L : k + 1.0L);
    }
    const poyi_big front = poyi_big_times(poyi_big_power(eta, n + 1), sum / 2.0L);
    return kummer ? poyi_big_mul(front, poyi_big_exp(half)) : front;
}

poyi_big poyi_kambe(int n, double complex argument, double complex eta_short)
{
    const double complex z_short = creal(argument) < 0.0 ? -argument : argument;
    const poyi_xcomplex z = poyi_x(z_short), eta = poyi_x(eta_short);
    if (z == 0.0L)
        return at_origin(n, eta);
    const poyi_xcomplex product = poyi_xmul(z, eta), a = poyi_xmul(product, product) / 2.0L;
    const poyi_xcomplex b = 0.5L / poyi_xmul(eta, eta);
    const path p = {(n + 1) / 2.0L, a, b, (double complex)a, (double complex)b};
    poyi_xcomplex sum, end;
    int side;
    if (!descend(&p, &sum, &side, &end))
        return (poyi_big){(poyi_xreal)NAN, 0};
    const poyi_big from_eta = poyi_big_mul(poyi_big_times(poyi_big_power(eta, n + 1), sum / 2.0L), poyi_big_exp(b - a));

    const poyi_xreal tilt = cargl(z), height = cimagl(end) + tilt + 2.0L * cargl(eta);
    const int k = (int)roundl((side > 0 ? height + tilt : height - tilt - POYI_PIL) / (2.0L * POYI_PIL));
    if (side > 0 && k == 0)
        return from_eta;
    const poyi_big whole = poyi_big_mul(connection(side, k, n, z_short), poyi_big_power(csqrtl(z), -(n + 1)));
    return poyi_big_add(from_eta, poyi_big_times(whole, 0.5L));
}
