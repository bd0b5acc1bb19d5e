/* bessel.c: Bessel functions of any kind, order and quadrant, from H^(1) and J in the first quadrant.
 *
 * In the upper half-plane H^(1) is the small and J the large solution, so every other function is a sum of the two
 * without systematic cancellation: H^(2) = 2 J - H^(1), Y = i (J - H^(1)). The lower half-plane is its mirror image. */
#include "math/bessel/bessel.h"

#include "math/bessel/bessel_start.h"
#include "math/math.h"

/* J and H^(1) with derivatives: J = j exp(j_power), H = h exp(h_power). */
typedef struct parts {
    poyi_big j, dj, h, dh;
    poyi_xreal j_power;
    poyi_xcomplex h_power;
} parts;

static poyi_big negative(poyi_big a)
{
    return (poyi_big){-a.m, a.e};
}

static poyi_big real_part(poyi_big a)
{
    return (poyi_big){creall(a.m), a.e};
}

static poyi_big imaginary_part(poyi_big a)
{
    return (poyi_big){cimagl(a.m), a.e};
}

static poyi_big turned(poyi_big a, int64_t quarters)
{
    return (poyi_big){poyi_xturn(a.m, quarters), a.e};
}

/* h_n^(1) and j_n at n = 0 and 1 (DLMF 10.49.2, 10.49.6). */
static void spherical_start(poyi_xcomplex z, poyi_ladder *s)
{
    const poyi_xcomplex over_z = 1.0L / z, square = poyi_xmul(over_z, over_z), i = CMPLXL(0.0L, 1.0L);
    *s = (poyi_ladder){.z = z, .mu = 0.5L, .wronskian = poyi_xturn(square, 1)};
    s->h[0] = poyi_xturn(over_z, -1);
    s->h[1] = -(over_z + poyi_xturn(square, 1));
    if (cabsl(z) >= (poyi_xreal)POYI_LADDER_FAR) {
        const poyi_xreal x = creall(z);
        const poyi_xcomplex phase = CMPLXL(cosl(x), sinl(x)), fading = phase * expl(-2.0L * cimagl(z));
        s->j[0] = poyi_xmul(fading - conjl(phase), poyi_xturn(over_z, -1)) / 2.0L;
        s->j[1] = (poyi_xmul(fading, s->h[1]) - poyi_xmul(conjl(phase), over_z - poyi_xmul(i, square))) / 2.0L;
    }
}

/* f' = (order / z) f - f_{+1} (DLMF 10.6.2, 10.51.2). */
static poyi_big slope(poyi_xreal order, poyi_xcomplex z, const poyi_big f[2])
{
    return poyi_big_add(poyi_big_times(f[0], order / z), negative(f[1]));
}

/* Real z: J is real and H = J + iY, where the recurrence left H's real part with the error of its imaginary one. */
static void split_on_axis(poyi_xreal x, parts *p)
{
    const poyi_xcomplex phase = CMPLXL(cosl(x), sinl(x));
    p->j = real_part(p->j);
    p->dj = real_part(p->dj);
    p->h = poyi_big_add(p->j, turned(imaginary_part(poyi_big_times(p->h, phase)), 1));
    p->dh = poyi_big_add(p->dj, turned(imaginary_part(poyi_big_times(p->dh, phase)), 1));
    p->h_power = 0.0L;
}

/* Both at z in the closed first quadrant, order v >= 0 (the n of a spherical function). */
static parts first_quadrant(int spherical, poyi_xreal v, poyi_xcomplex z)
{
    poyi_ladder start;
    poyi_big h[2], j[2];
    int n = (int)v;
    if (spherical) {
        spherical_start(z, &start);
    } else {
        n = (int)roundl(v);
        poyi_bessel_start(z, v - n, &start);
    }
    poyi_ladder_climb(&start, n, h, j);
    parts p = {j[0], slope(v, z, j), h[0], slope(v, z, h), cimagl(z), poyi_xturn(z, 1)};
    if (cimagl(z) == 0.0L)
        split_on_axis(creall(z), &p);
    return p;
}

/* From q = -conj(z) in the first quadrant to z in the second: J_v(z) = e^{i pi v} conj J_v(q) and
 * H_v^(1)(z) = -e^{-i pi v} conj H_v^(1)(q) (DLMF 10.11.1, 10.11.5); spherical: both factors (-1)^n (10.47.14-15). */
static void reflect(int spherical, poyi_xreal v, parts *p)
{
    const poyi_xcomplex turn = poyi_turn(v), turn_h = spherical ? turn : -conjl(turn);
    p->j = poyi_big_times(poyi_big_conj(p->j), turn);
    p->dj = poyi_big_times(poyi_big_conj(p->dj), -turn);
    p->h = poyi_big_times(poyi_big_conj(p->h), turn_h);
    p->dh = poyi_big_times(poyi_big_conj(p->dh), -turn_h);
    p->h_power = conjl(p->h_power);
}

/* Every function at z > 0 from J and Y of order |v|, which are real; turn = exp(i pi |v|) for v < 0, else 1
 * (DLMF 10.4.6-8). */
static void on_axis(poy_bessel_kind kind, poyi_xcomplex turn, poyi_big j, poyi_big y, poyi_big *out)
{
    const poyi_xreal c = creall(turn), s = cimagl(turn);
    const poyi_big first = poyi_big_add(poyi_big_times(j, c), poyi_big_times(y, -s));
    const poyi_big second = poyi_big_add(poyi_big_times(j, s), poyi_big_times(y, c));
    switch (kind) {
    case POY_BESSEL_J: *out = first; break;
    case POY_BESSEL_Y: *out = second; break;
    case POY_BESSEL_H1: *out = poyi_big_add(first, turned(second, 1)); break;
    default: *out = poyi_big_add(first, turned(second, -1));
    }
}

/* The function as a J + b H^(1) of order |v|: besides J and H themselves Y = i (J - H) and H^(2) = 2 J - H, and with
 * t = exp(i pi |v|) at negative orders J = t* J + i Im(t) H, H = t H, Y = i (t* J - Re(t) H), H^(2) = t* (2 J - H). */
static poyi_bessel combine(poy_bessel_kind kind, poyi_xcomplex turn, const parts *p)
{
    const poyi_xcomplex back = conjl(turn);
    poyi_xcomplex a = 0.0L, b = 0.0L;
    switch (kind) {
    case POY_BESSEL_J: a = back, b = CMPLXL(0.0L, cimagl(turn)); break;
    case POY_BESSEL_Y: a = poyi_xturn(back, 1), b = CMPLXL(0.0L, -creall(turn)); break;
    case POY_BESSEL_H1: return (poyi_bessel){poyi_big_times(p->h, turn), poyi_big_times(p->dh, turn), p->h_power};
    default: a = 2.0L * back, b = -back;
    }
    const poyi_big h_like_j = poyi_big_times(poyi_big_exp(p->h_power - p->j_power), b);
    return (poyi_bessel){poyi_big_add(poyi_big_times(p->j, a), poyi_big_mul(p->h, h_like_j)),
                         poyi_big_add(poyi_big_times(p->dj, a), poyi_big_mul(p->dh, h_like_j)), p->j_power};
}

/* Any kind at z in the closed upper half-plane from what holds in the first quadrant. */
static poyi_bessel upper_half(int spherical, poy_bessel_kind kind, poyi_xreal v, poyi_xcomplex z, parts *p)
{
    const poyi_xreal order = fabsl(v);
    const poyi_xcomplex turn = v < 0.0L ? poyi_turn(order) : 1.0L;
    poyi_bessel b = {.power = 0.0L};
    if (creall(z) < 0.0L)
        reflect(spherical, order, p);
    else if (cimagl(z) == 0.0L) {
        on_axis(kind, turn, p->j, imaginary_part(p->h), &b.value);
        on_axis(kind, turn, p->dj, imaginary_part(p->dh), &b.slope);
        return b;
    }
    return combine(kind, turn, p);
}

/* H^(1) and H^(2) change places in the lower half-plane. */
static poy_bessel_kind mirrored(poy_bessel_kind kind)
{
    return kind == POY_BESSEL_H1 ? POY_BESSEL_H2 : kind == POY_BESSEL_H2 ? POY_BESSEL_H1 : kind;
}

static poyi_bessel bessel(int spherical, poy_bessel_kind kind, poyi_xreal v, double complex argument)
{
    const int below = signbit(cimag(argument)) != 0;
    const poyi_xcomplex z = poyi_x(below ? conj(argument) : argument);
    parts p = first_quadrant(spherical, fabsl(v), CMPLXL(fabsl(creall(z)), cimagl(z)));
    const poyi_bessel b = upper_half(spherical, below ? mirrored(kind) : kind, v, z, &p);
    if (below)
        return (poyi_bessel){poyi_big_conj(b.value), poyi_big_conj(b.slope), conjl(b.power)};
    return b;
}

poyi_bessel poyi_bessel_cylindrical(poy_bessel_kind kind, double v, double complex z)
{
    /* below the normal range v is 0: no function of this room is different by 1e-308 */
    return bessel(0, kind, fabs(v) < 0x1p-1022 ? 0.0L : (poyi_xreal)v, z);
}

poyi_bessel poyi_bessel_spherical(poy_bessel_kind kind, int n, double complex z)
{
    return bessel(1, kind, n, z);
}

int poyi_bessel_orders(int spherical, int nmax, double complex argument, poy_c128 *const out[3], size_t stride)
{
    static const poy_bessel_kind kinds[3] = {POY_BESSEL_J, POY_BESSEL_Y, POY_BESSEL_H1};
    const int below = signbit(cimag(argument)) != 0;
    const poyi_xcomplex z = poyi_x(below ? conj(argument) : argument), q = CMPLXL(fabsl(creall(z)), cimagl(z));
    poyi_big h[POYI_BESSEL_TABLE_MAX + 1], j[POYI_BESSEL_TABLE_MAX + 1];
    poyi_ladder start;
    int beyond = 0;
    if (spherical)
        spherical_start(q, &start);
    else
        poyi_bessel_start(q, 0.0L, &start);
    poyi_ladder_all(&start, nmax, h, j);
    for (int k = 0; k <= nmax; k++)
        for (int i = 0; i < 3; i++) {
            const poyi_big none = {0.0L, 0};
            parts p = {j[k], none, h[k], none, cimagl(q), poyi_xturn(q, 1)};
            double complex value;
            if (!out[i])
                continue;
            if (cimagl(q) == 0.0L)
                split_on_axis(creall(q), &p);
            const poyi_bessel b = upper_half(spherical, below ? mirrored(kinds[i]) : kinds[i], k, z, &p);
            beyond |= poyi_big_round(b.power == 0.0L ? b.value : poyi_big_mul(b.value, poyi_big_exp(b.power)), &value);
            out[i][(size_t)k * stride] = (poy_c128){creal(value), below ? -cimag(value) : cimag(value)};
        }
    return beyond;
}

poyi_xcomplex poyi_bessel_scale(poy_bessel_kind kind, double complex z)
{
    switch (kind) {
    case POY_BESSEL_H1: return poyi_xturn(poyi_x(z), 1);
    case POY_BESSEL_H2: return poyi_xturn(poyi_x(z), -1);
    default: return fabsl((poyi_xreal)cimag(z));
    }
}
