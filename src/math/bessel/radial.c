/* radial.c: poy_sf_spherical_table: sorts the arguments by the way that suits them and runs the kernels on eight at a
 * time; what suits no kernel goes to the functions of bessel.c one by one. */
#include "math/bessel/radial.h"

#include <string.h>

#include "math/batch.h"
#include "math/bessel/bessel.h"
#include "poynting/special.h"

enum { CHUNK = 256, SLOW = -1 }; /* points sorted together; the way of bessel.c */

typedef struct table {
    size_t n;
    int lmax;
    const poy_c128 *z;
    poy_c128 *out[3]; /* j, y, h^(1); each may be NULL */
    poyi_radial_kernel *kernel;
} table;

static poyi_radial_kernel *best_kernel(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return poyi_radial_avx2;
#endif
    return poyi_radial_base;
}

/* The degree at which the ratios may start for j to err by 1e-17 at every degree up to lmax, 0 for upwards, or SLOW. */
static int choose_start(int lmax, poy_c128 z)
{
    const double size = hypot(z.re, z.im), y = fabs(z.im), top = lmax + 1.5;
    if (!(size > 1e-100 && size < 1e100) || y > 690.0)
        return SLOW;
    /* upwards j loses exp(lmax^2 |y| / |z|^2) */
    if (size > top && top * top * y < size * size)
        return 0;
    /* beyond max(lmax, |z|) the ratio is about exp(-acosh(l / |z|)), and each step gains its square */
    const double edge = fmax(top, size), far = edge + 8.0 * cbrt(edge) + 8.0;
    const double near = top > size ? top + 20.0 / acosh(top / size) + 2.0 : far;
    const int start = (int)fmin(near, far);
    return start <= POYI_RADIAL_START_MAX ? start : SLOW;
}

/* Every value of point i by bessel.c; 1 if one is beyond the range. */
static int slow_point(const table *t, size_t i)
{
    poy_c128 *const out[3] = {t->out[0] ? t->out[0] + i : NULL, t->out[1] ? t->out[1] + i : NULL,
                              t->out[2] ? t->out[2] + i : NULL};
    const double complex z = poyi_c(t->z[i]);
    if (z != 0.0)
        return poyi_bessel_orders(1, t->lmax, z, out, t->n);
    for (int l = 0; out[0] && l <= t->lmax; l++) /* the others are not asked for */
        out[0][(size_t)l * t->n] = (poy_c128){l == 0 ? 1.0 : 0.0, 0.0};
    return 0;
}

/* Lane k of a block to point i, from the upper half-plane to where z is; 0 if a value is not finite. */
static int store(const table *t, size_t i, const poyi_radial_block *b, int k)
{
    const int below = signbit(t->z[i].im) != 0, real = t->z[i].im == 0.0;
    const double side = below ? -1.0 : 1.0;
    double sum = 0.0;
    for (int l = 0; l <= t->lmax; l++) {
        const size_t at = (size_t)l * t->n + i;
        const double jr = b->j[0][l][k], ji = real ? 0.0 : b->j[1][l][k], hi = b->h[1][l][k];
        const double hr = real ? jr : b->h[0][l][k]; /* on the axis h = j + iy with real j and y */
        sum += fabs(jr) + fabs(ji) + fabs(hr) + fabs(hi);
        if (t->out[0])
            t->out[0][at] = (poy_c128){jr, side * ji};
        if (t->out[1]) /* y = i (j - h) */
            t->out[1][at] = (poy_c128){hi - ji, side * (jr - hr)};
        if (t->out[2]) /* below: conj h^(2) = conj(2 j - h) */
            t->out[2][at] = below ? (poy_c128){2.0 * jr - hr, hi - 2.0 * ji} : (poy_c128){hr, hi};
    }
    return isfinite(sum);
}

static void load(poyi_radial_block *b, int k, poy_c128 z)
{
    const double y = fabs(z.im), c = cos(z.re), s = sin(z.re), fall = exp(-y), grow = exp(y);
    b->z[0][k] = z.re;
    b->z[1][k] = y;
    b->wave[0][k] = fall * c;
    b->wave[1][k] = fall * s;
    b->back[0][k] = grow * c;
    b->back[1][k] = -grow * s;
}

/* Points order[0 .. count), count <= POYI_RADIAL_LANES, with one start. */
static int run_block(const table *t, const size_t *order, int count, int start, poyi_radial_block *b)
{
    int beyond = 0;
    for (int k = 0; k < POYI_RADIAL_LANES; k++)
        load(b, k, t->z[order[k < count ? k : 0]]);
    t->kernel(b, t->lmax > 1 ? t->lmax : 1, start);
    for (int k = 0; k < count; k++)
        if (!store(t, order[k], b, k))
            beyond |= slow_point(t, order[k]);
    return beyond;
}

/* Points first .. last - 1, at most CHUNK; by rising start, so that those of a block are alike. */
static int run_chunk(const table *t, size_t first, size_t last)
{
    poyi_radial_block block;
    size_t order[CHUNK];
    int start[CHUNK], sorted[CHUNK], beyond = 0, count = 0;
    for (size_t i = first; i < last; i++) {
        const int s = choose_start(t->lmax, t->z[i]);
        if (s == SLOW) {
            beyond |= slow_point(t, i);
            continue;
        }
        start[count] = s;
        order[count++] = i;
    }
    for (int i = 0; i < count; i++) { /* insertion: chunks are short */
        const int s = start[i];
        const size_t point = order[i];
        int k = i;
        for (; k > 0 && sorted[k - 1] > s; k--) {
            sorted[k] = sorted[k - 1];
            order[k] = order[k - 1];
        }
        sorted[k] = s;
        order[k] = point;
    }
    for (int i = 0; i < count;) {
        int many = 1;
        while (many < POYI_RADIAL_LANES && i + many < count && (sorted[i + many] > 0) == (sorted[i] > 0))
            many++;
        beyond |= run_block(t, order + i, many, sorted[i + many - 1], &block);
        i += many;
    }
    return beyond;
}

poy_status poyi_radial_table(poy_ctx *ctx, poyi_radial_kernel *kernel, size_t n, int64_t lmax, const poy_c128 *z,
                             poy_c128 *j, poy_c128 *y, poy_c128 *h1)
{
    table t = {.n = n, .lmax = (int)lmax, .z = z, .out = {j, y, h1}, .kernel = kernel ? kernel : best_kernel()};
    if (lmax < 0 || lmax > POYI_RADIAL_MAX)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spherical_table: lmax = %lld, needs 0 to %d", (long long)lmax,
                         POYI_RADIAL_MAX);
    POYI_TRY(ctx, poyi_batch_finite(ctx, "spherical_table", "z", n, z));
    for (size_t i = 0; (y || h1) && i < n; i++)
        if (z[i].re == 0.0 && z[i].im == 0.0)
            return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "spherical_table: z[%zu] = 0 is a pole of y and h", i);
    const size_t chunks = (n + CHUNK - 1) / CHUNK;
    int beyond = 0;
#pragma omp parallel for schedule(static) reduction(| : beyond) num_threads(poy_ctx_threads(ctx)) if (chunks > 4)
    for (size_t c = 0; c < chunks; c++)
        beyond |= run_chunk(&t, c * CHUNK, c + 1 < chunks ? (c + 1) * CHUNK : n);
    if (beyond)
        return POYI_FAIL(ctx, POY_ERR_RANGE,
                         "spherical_table: a value is beyond the largest double; poy_sf_bessel_split has it");
    return POY_OK;
}

poy_status poy_sf_spherical_table(poy_ctx *ctx, size_t n, int64_t lmax, const poy_c128 *z, poy_c128 *j, poy_c128 *y,
                                  poy_c128 *h1)
{
    return poyi_radial_table(ctx, NULL, n, lmax, z, j, y, h1);
}
