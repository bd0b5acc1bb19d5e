/* field_simd.c: the sum over the spherical waves of one origin for several points side by side; compiled per instruction
 * set. Every lane runs the same recurrences; only exponentials are taken lane by lane. */
#include <math.h>

#include "core/cmplx.h"
#include "scatter/waves/field/sphere_sum.h"
#include "scatter/waves/simd.h"

#define W ((size_t)POYI_FIELD_LANES)
enum { DOWN_MAX = 4096 };

#define POYI_EACH(w) _Pragma("omp simd") for (size_t w = 0; w < W; w++)

/* Where the points are. */
typedef struct lanes {
    double x_re[W], x_im[W];         /* k r */
    double over_re[W], over_im[W];   /* 1 / (k r) */
    double wave_re[W], wave_im[W];   /* e^{i k r} */
    double c[W], s[W], cp[W], sp[W]; /* cos and sin of theta and phi */
    double largest, smallest;        /* |k r| */
    unsigned refused;
} lanes;

static void place(const poyi_sphere_sum *sum, const double *d, lanes *p)
{
    const double k_re = creal(sum->k), k_im = cimag(sum->k), size = cabs(sum->k);
    p->largest = 0.0;
    p->smallest = INFINITY;
    p->refused = 0;
    for (size_t w = 0; w < W; w++) {
        const double x = d[w], y = d[W + w], z = d[2 * W + w];
        const double flat = sqrt(x * x + y * y), r = sqrt(x * x + y * y + z * z);
        /* squares that leave the range, a sine whose powers do, and regular waves where they are their first terms only */
        const int aside = x != 0.0 || y != 0.0;
        const int odd = !(r > 1e-140 || (r == 0.0 && !aside)) || !(r < 1e140) || !(size * r > 1e-30 || r == 0.0) ||
                        !(k_im * r < 600.0) || k_im < 0.0 || (aside && flat < 1e-140) ||
                        (aside && flat < 1e-2 * r && sum->mmax * log(flat / r) < -600.0);
        const int pole = sum->singular && r == 0.0;
        const double at = odd || pole ? 1.0 : r == 0.0 ? 1e-30 / size : r, over = 1.0 / (size * at * size);
        if (odd || pole)
            p->refused |= 1u << w;
        p->x_re[w] = k_re * at;
        p->x_im[w] = k_im * at;
        p->over_re[w] = k_re * over;
        p->over_im[w] = -k_im * over;
        p->c[w] = r > 0.0 ? z / r : 1.0;
        p->s[w] = r > 0.0 ? flat / r : 0.0;
        p->cp[w] = flat > 0.0 ? x / flat : 1.0;
        p->sp[w] = flat > 0.0 ? y / flat : 0.0;
        const double fade = exp(-p->x_im[w]);
        p->wave_re[w] = fade * cos(p->x_re[w]);
        p->wave_im[w] = fade * sin(p->x_re[w]);
        p->largest = fmax(p->largest, size * at);
        p->smallest = fmin(p->smallest, size * at);
    }
}

/* next = (2 n + 1) / x here - before */
static inline void step(size_t n, const lanes *p, const double *here, const double *before, double *next)
{
    const double f = (double)(2 * n + 1);
    POYI_EACH (w) {
        const double a = f * p->over_re[w], b = f * p->over_im[w];
        next[w] = a * here[w] - b * here[W + w] - before[w];
        next[W + w] = a * here[W + w] + b * here[w] - before[W + w];
    }
}

/* h_0 = e^{ix} / (i x), h_1 = -e^{ix} (1 + i / x) / x, then up (DLMF 10.49.6, 10.51.1). */
static void outgoing(size_t n, const lanes *p, double *z)
{
    POYI_EACH (w) {
        const double a = p->wave_re[w] * p->over_re[w] - p->wave_im[w] * p->over_im[w];
        const double b = p->wave_re[w] * p->over_im[w] + p->wave_im[w] * p->over_re[w];
        const double re = 1.0 - p->over_im[w], im = p->over_re[w];
        z[w] = b;
        z[W + w] = -a;
        z[2 * W + w] = -(a * re - b * im);
        z[3 * W + w] = -(a * im + b * re);
    }
    for (size_t l = 1; l < n; l++)
        step(l, p, z + 2 * W * l, z + 2 * W * (l - 1), z + 2 * W * (l + 1));
}

/* j_0 = sin x / x and j_1 = j_0 / x - cos x / x; fine for |x| > 1, j_0 everywhere but beside its zeros. */
static void first_regular(const lanes *p, double *z)
{
    for (size_t w = 0; w < W; w++) {
        const double complex x = CMPLX(p->x_re[w], p->x_im[w]), over = CMPLX(p->over_re[w], p->over_im[w]);
        const double complex up = CMPLX(p->wave_re[w], p->wave_im[w]);
        const double grown = exp(p->x_im[w]);
        const double complex down = CMPLX(grown * cos(p->x_re[w]), -grown * sin(p->x_re[w]));
        /* sin x of a small x without the difference of the exponentials */
        const double complex sine = cabs(x) < 1.0 ? csin(x) : CMPLX(0.0, -0.5) * (up - down);
        const double complex j0 = sine * over, j1 = (j0 - 0.5 * (up + down)) * over;
        z[w] = creal(j0);
        z[W + w] = cimag(j0);
        z[2 * W + w] = creal(j1);
        z[3 * W + w] = cimag(j1);
    }
}

/* Multiplies lanes that passed 1e150 by 1e-150 and counts it. */
static inline void hold(double *here, double *above, double *level)
{
    POYI_EACH (w) {
        const int large = fabs(here[w]) + fabs(here[W + w]) > 1e150;
        const double factor = large ? 1e-150 : 1.0;
        here[w] *= factor;
        here[W + w] *= factor;
        above[w] *= factor;
        above[W + w] *= factor;
        level[w] += large ? 1.0 : 0.0;
    }
}

/* Miller's recurrence down from an order where j is negligible (Olver 1967), scaled at j_0 or j_1, whichever is larger. */
static void downwards(size_t n, size_t top, const lanes *p, double *z, double *level)
{
    double above[2 * W], here[2 * W], next[2 * W], count[W], first[4 * W];
    first_regular(p, first);
    POYI_EACH (w) {
        above[w] = above[W + w] = here[W + w] = count[w] = 0.0;
        here[w] = 1e-100;
    }
    for (size_t l = top;; l--) {
        if (l <= n) {
            POYI_EACH (w) {
                z[2 * W * l + w] = here[w];
                z[2 * W * l + W + w] = here[W + w];
                level[W * l + w] = count[w];
            }
        }
        if (l == 0)
            break;
        step(l, p, here, above, next);
        POYI_EACH (w) {
            above[w] = here[w];
            above[W + w] = here[W + w];
            here[w] = next[w];
            here[W + w] = next[W + w];
        }
        hold(here, above, count);
    }
    double scale_re[W], scale_im[W];
    for (size_t w = 0; w < W; w++) {
        const int far =
            fabs(p->x_re[w]) + fabs(p->x_im[w]) > 1.0; /* else j_1 has lost its digits, and j_0 has no zero */
        const size_t use = far && hypot(first[2 * W + w], first[3 * W + w]) > hypot(first[w], first[W + w]);
        const double complex want = CMPLX(first[2 * W * use + w], first[2 * W * use + W + w]);
        double complex got = CMPLX(z[2 * W * use + w], z[2 * W * use + W + w]);
        if (use && level[W + w] < count[w]) /* one rescaling between the two */
            got *= 1e-150;
        const double complex scale = want / got;
        scale_re[w] = creal(scale);
        scale_im[w] = cimag(scale);
    }
    for (size_t l = 0; l <= n; l++) {
        double *v = z + 2 * W * l;
        POYI_EACH (w) {
            const double steps = count[w] - level[W * l + w];
            const double factor = steps == 0.0 ? 1.0 : steps == 1.0 ? 1e-150 : steps == 2.0 ? 1e-300 : 0.0;
            const double re = v[w] * factor, im = v[W + w] * factor;
            v[w] = re * scale_re[w] - im * scale_im[w];
            v[W + w] = re * scale_im[w] + im * scale_re[w];
        }
    }
}

/* z_0 .. z_n into z[n + 1][re, im][W]; lanes that left the range are refused. */
static void radial(const poyi_sphere_sum *sum, size_t n, lanes *p, double *z, double *level)
{
    if (sum->singular) {
        outgoing(n, p, z);
        for (size_t w = 0; w < W; w++)
            if (!(fabs(z[2 * W * n + w]) + fabs(z[2 * W * n + W + w]) < 1e290))
                p->refused |= 1u << w;
        return;
    }
    if (p->smallest > (double)(n * n)) { /* degrees far below |x|: h has not grown, so nothing is lost upwards */
        first_regular(p, z);
        for (size_t l = 1; l < n; l++)
            step(l, p, z + 2 * W * l, z + 2 * W * (l - 1), z + 2 * W * (l + 1));
        return;
    }
    const double start = fmax(p->largest, (double)n);
    const double top = start + 10.0 + 8.0 * cbrt(start);
    if (top > DOWN_MAX)
        p->refused = (1u << W) - 1;
    else
        downwards(n, (size_t)top, p, z, level);
}

/* From z: z_l, z_l' + z_l / x and l (l + 1) z_l / x, for l = 1 .. lmax at wave[l][6][W]. */
static void waves(size_t lmax, const double *z, double *wave)
{
    for (size_t l = 1; l <= lmax; l++) {
        const double *below = z + 2 * W * (l - 1), *here = z + 2 * W * l, *above = z + 2 * W * (l + 1);
        const double n = (double)l, over = 1.0 / (2.0 * n + 1.0), a = (n + 1.0) * over, b = n * over,
                     c = n * (n + 1.0) * over;
        double *out = wave + 6 * W * l;
#pragma omp simd
        for (size_t w = 0; w < 2 * W; w++) {
            out[w] = here[w];
            out[2 * W + w] = a * below[w] - b * above[w];
            out[4 * W + w] = c * (below[w] + above[w]);
        }
    }
}

/* Column m of Q / sin (m = 0: Q), l = m .. lmax, into q[l][W]; start: its first element, which is moved on to m + 1. */
static void column(const poyi_sphere_sum *sum, int order, const lanes *p, double *start, double *q)
{
    const double *f = sum->ladder + 4 * poyi_sphere_place(sum->lmax, order, order);
    const double sectoral = -sqrt((2.0 * order + 3.0) / (2.0 * order + 2.0));
    const size_t m = (size_t)order, lmax = (size_t)sum->lmax;
    POYI_EACH (w) {
        q[W * m + w] = start[w];
        if (m < lmax)
            q[W * (m + 1) + w] = f[0] * p->c[w] * start[w];
        start[w] *= sectoral * (m > 0 ? p->s[w] : 1.0);
    }
    for (size_t l = m + 1; l < lmax; l++) {
        f += 4;
        POYI_EACH (w)
            q[W * (l + 1) + w] = f[0] * p->c[w] * q[W * l + w] - f[1] * q[W * (l - 1) + w];
    }
}

/* What one order adds: r, theta, phi of +m and of -m, re and im. */
typedef struct sums {
    double v[2][6][W];
} sums;

/* re and im of (a + i b)(x + i y) */
#define RE(a, b, x, y) ((a) * (x) - (b) * (y))
#define IM(a, b, x, y) ((a) * (y) + (b) * (x))

static inline void add_degree(int m, const double *f, const double *weight, const double *wave, const lanes *p,
                              const double *below, const double *here, const double *above, sums *s)
{
    for (int side = 0; side < (m > 0 ? 2 : 1); side++, weight += 4) {
        const double mr = weight[0], mi = weight[1], nr = weight[2], ni = weight[3], sign = side ? -1.0 : 1.0;
        double(*v)[W] = s->v[side];
        POYI_EACH (w) {
            const double sine = p->s[w], pi = sign * m * here[w], q = m > 0 ? sine * here[w] : here[w];
            const double tau = f[2] * sine * above[w] - f[3] * (m == 1 ? below[w] : m > 1 ? sine * below[w] : 0.0);
            const double ar = RE(mr, mi, wave[w], wave[W + w]), ai = IM(mr, mi, wave[w], wave[W + w]);
            const double br = RE(nr, ni, wave[2 * W + w], wave[3 * W + w]);
            const double bi = IM(nr, ni, wave[2 * W + w], wave[3 * W + w]);
            const double cr = RE(nr, ni, wave[4 * W + w], wave[5 * W + w]);
            const double ci = IM(nr, ni, wave[4 * W + w], wave[5 * W + w]);
            v[0][w] -= q * ci; /* i Q v */
            v[1][w] += q * cr;
            v[2][w] -= pi * ar + tau * bi; /* -pi a + i tau b */
            v[3][w] += tau * br - pi * ai;
            v[4][w] += tau * ai - pi * br; /* -i tau a - pi b */
            v[5][w] -= tau * ar + pi * bi;
        }
    }
}

/* total += e^{i m phi} s, and e^{-i m phi} of the other side. */
static void turn(int m, const double *turn_re, const double *turn_im, const sums *s, double (*total)[W])
{
    for (int side = 0; side < (m > 0 ? 2 : 1); side++)
        for (int j = 0; j < 6; j += 2) {
            const double *re = s->v[side][j], *im = s->v[side][j + 1];
            const double sign = side ? -1.0 : 1.0;
            POYI_EACH (w) {
                const double b = sign * turn_im[w];
                total[j][w] += turn_re[w] * re[w] - b * im[w];
                total[j + 1][w] += turn_re[w] * im[w] + b * re[w];
            }
        }
}

static void orders(const poyi_sphere_sum *sum, const lanes *p, const double *wave, double *columns, double (*total)[W])
{
    const size_t length = (size_t)(sum->lmax + 1) * W;
    double start[W], turn_re[W], turn_im[W];
    double *q[3] = {columns, columns + length, columns + 2 * length}; /* columns m - 1, m, m + 1 */
    POYI_EACH (w) {
        start[w] = 0.28209479177387814; /* sqrt(1 / 4 pi) */
        turn_re[w] = 1.0;
        turn_im[w] = 0.0;
    }
    column(sum, 0, p, start, q[1]);
    for (int m = 0; m <= sum->mmax; m++) {
        const double *f = sum->ladder, *weight = sum->weight;
        sums s = {{{{0.0}}}};
        if (m < sum->lmax)
            column(sum, m + 1, p, start, q[2]);
        POYI_EACH (w)
            q[2][W * (size_t)m + w] = 0.0; /* Q_m^{m+1} */
        for (int l = m > 1 ? m : 1; l <= sum->lmax; l++) {
            const size_t at = poyi_sphere_place(sum->lmax, l, m), row = W * (size_t)l;
            add_degree(m, f + 4 * at, weight + 8 * at, wave + 6 * row, p, q[0] + row, q[1] + row, q[2] + row, &s);
        }
        turn(m, turn_re, turn_im, &s, total);
        POYI_EACH (w) {
            const double re = turn_re[w] * p->cp[w] - turn_im[w] * p->sp[w];
            turn_im[w] = turn_re[w] * p->sp[w] + turn_im[w] * p->cp[w];
            turn_re[w] = re;
        }
        double *oldest = q[0];
        q[0] = q[1];
        q[1] = q[2];
        q[2] = oldest;
    }
}

unsigned POYI_ISA_NAME(sphere_field)(const poyi_sphere_sum *sum, const double *d, double *scratch, double *e)
{
    const size_t n = (size_t)sum->lmax + 1;
    double *z = scratch, *wave = z + 2 * W * (n + 1), *columns = wave + 6 * W * n, *level = columns + 3 * W * n;
    double total[6][W] = {{0.0}};
    lanes p;
    place(sum, d, &p);
    radial(sum, n, &p, z, level);
    if (p.refused == (1u << W) - 1)
        return p.refused;
    waves(n - 1, z, wave);
    orders(sum, &p, wave, columns, total);
    for (size_t j = 0; j < 2; j++) { /* re, im */
        const double *r = total[j], *t = total[2 + j], *f = total[4 + j];
        for (size_t w = 0; w < W; w++) {
            if (p.refused >> w & 1)
                continue;
            const double flat = p.s[w] * r[w] + p.c[w] * t[w];
            e[j * W + w] += p.cp[w] * flat - p.sp[w] * f[w];
            e[(2 + j) * W + w] += p.sp[w] * flat + p.cp[w] * f[w];
            e[(4 + j) * W + w] += p.c[w] * r[w] - p.s[w] * t[w];
        }
    }
    return p.refused;
}
