/* lanes.h: a strip of samples as eight lanes, each a stretch of it, that stand side by side: sample k of lane l, the strip's
 * sample STEPS l + k, is element LANES k + l. Running sums of all lanes then advance together; what lanes before add is
 * known when the strip is through. Also the table of an ionisation rate, read point by point. Order and grouping are
 * fixed, so that bits do not depend on anything else. */
#ifndef POYI_CPU_LANES_H
#define POYI_CPU_LANES_H

#if defined(__AVX2__)
#include <immintrin.h>
#endif
#include <string.h>

#include "backends/cpu/pulse/four.h"

enum { STRIP = 256, LANES = 8, STEPS = STRIP / LANES };

/* Rows to columns. */
FOUR_INLINE void four_turn(four *y0, four *y1, four *y2, four *y3)
{
    const four a = __builtin_shufflevector(*y0, *y1, 0, 4, 2, 6), b = __builtin_shufflevector(*y0, *y1, 1, 5, 3, 7);
    const four c = __builtin_shufflevector(*y2, *y3, 0, 4, 2, 6), d = __builtin_shufflevector(*y2, *y3, 1, 5, 3, 7);
    *y0 = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    *y1 = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    *y2 = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    *y3 = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}
/* Four rows of four, apart in x and y: turned. */
FOUR_INLINE void four_rows_load(const double *x, int64_t apart, four *y0, four *y1, four *y2, four *y3)
{
    four_load(x, y0);
    four_load(x + apart, y1);
    four_load(x + 2 * apart, y2);
    four_load(x + 3 * apart, y3);
    four_turn(y0, y1, y2, y3);
}
FOUR_INLINE void four_rows_store(const four *y0, const four *y1, const four *y2, const four *y3, double *x,
                                 int64_t apart)
{
    four_store(y0, x);
    four_store(y1, x + apart);
    four_store(y2, x + 2 * apart);
    four_store(y3, x + 3 * apart);
}

/* ---- into lanes and back ---- */

FOUR_INLINE void lanes_load_strip(double scale, const double *x, double *out)
{
    for (int64_t l = 0; l < LANES; l += 4)
        for (int64_t k = 0; k < STEPS; k += 4) {
            four y0, y1, y2, y3;
            four_rows_load(x + l * STEPS + k, STEPS, &y0, &y1, &y2, &y3);
            y0 *= scale;
            y1 *= scale;
            y2 *= scale;
            y3 *= scale;
            four_rows_store(&y0, &y1, &y2, &y3, out + k * LANES + l, LANES);
        }
}

/* scale x of n samples; further ones are 0. */
static inline void lanes_load(int64_t n, double scale, const double *x, double *out)
{
    double padded[STRIP];
    if (n < STRIP) {
        memset(padded, 0, sizeof padded);
        memcpy(padded, x, (size_t)n * sizeof *x);
        x = padded;
    }
    lanes_load_strip(scale, x, out);
}

/* The same of the real parts of pairs. */
static inline void lanes_load_part(int64_t n, double scale, const double *x, double *out)
{
    double part[STRIP];
    for (int64_t i = 0; i < n; i++)
        part[i] = x[2 * i];
    lanes_load(n, scale, part, out);
}

/* Lanes to samples in their order, each lane with a straight line: offset + slope (k + 1/2). */
static inline void lanes_in_order(const double offset[LANES], const double slope[LANES], const double *lanes,
                                  double *out)
{
    for (int64_t l = 0; l < LANES; l += 4)
        for (int64_t k = 0; k < STEPS; k += 4) {
            const double first = (double)k + 0.5;
            const four place = {first, first + 1, first + 2, first + 3};
            four y0, y1, y2, y3;
            four_rows_load(lanes + k * LANES + l, LANES, &y0, &y1, &y2, &y3);
            y0 += offset[l] + slope[l] * place;
            y1 += offset[l + 1] + slope[l + 1] * place;
            y2 += offset[l + 2] + slope[l + 2] * place;
            y3 += offset[l + 3] + slope[l + 3] * place;
            four_rows_store(&y0, &y1, &y2, &y3, out + l * STEPS + k, STEPS);
        }
}

/* ---- running integrals by the trapezoidal rule, in each lane from nothing before it on ---- */

/* One half of the lanes. */
typedef struct integral {
    four sum, before;
} integral;

FOUR_INLINE void integral_step(integral *s, double half, const four *y)
{
    s->sum += half * (*y + s->before);
    s->before = *y;
}
FOUR_INLINE void integral_ends(const integral s[2], double sum[LANES], double before[LANES])
{
    four_store(&s[0].sum, sum);
    four_store(&s[1].sum, sum + 4);
    four_store(&s[0].before, before);
    four_store(&s[1].before, before + 4);
}

/* half: half the sampling. end: the integrals at the end, last: the last integrands. */
static inline void lanes_integrate(double half, const double *y, double *out, double end[LANES], double last[LANES])
{
    integral s[2] = {{{0}, {0}}, {{0}, {0}}};
    for (int64_t i = 0; i < STRIP; i += LANES) {
        four low, high;
        four_load(y + i, &low);
        four_load(y + i + 4, &high);
        integral_step(&s[0], half, &low);
        integral_step(&s[1], half, &high);
        four_store(&s[0].sum, out + i);
        four_store(&s[1].sum, out + i + 4);
    }
    integral_ends(s, end, last);
}

/* Four lanes of a step. */
FOUR_INLINE void twice_step(integral *inner, integral *outer, double half, const double *loss, double *drive)
{
    four y, more;
    four_load(drive, &y);
    integral_step(inner, half, &y);
    y = inner->sum;
    if (loss) {
        four_load(loss, &more);
        y += more;
    }
    integral_step(outer, half, &y);
    four_store(&outer->sum, drive);
}

/* drive becomes the integral of (loss + the integral of drive), loss NULL: 0; at the end of each lane: first the inner
 * integral, last the drive, end the outer integral, total its integrand. */
static inline void lanes_integrate_twice(double half, const double *loss, double *drive, double first[LANES],
                                         double last[LANES], double end[LANES], double total[LANES])
{
    integral inner[2] = {{{0}, {0}}, {{0}, {0}}}, outer[2] = {{{0}, {0}}, {{0}, {0}}};
    if (loss)
        for (int64_t i = 0; i < STRIP; i += LANES) {
            twice_step(&inner[0], &outer[0], half, loss + i, drive + i);
            twice_step(&inner[1], &outer[1], half, loss + i + 4, drive + i + 4);
        }
    else
        for (int64_t i = 0; i < STRIP; i += LANES) {
            twice_step(&inner[0], &outer[0], half, NULL, drive + i);
            twice_step(&inner[1], &outer[1], half, NULL, drive + i + 4);
        }
    integral_ends(inner, first, last);
    integral_ends(outer, end, total);
}

/* ---- exp(-x) - 1 ---- */

/* From x <= 1/32 in every place, offset of the lane added, to exp(-x) - 1, and with what came before: before =
 * exp(-x0) - 1 to exp(-x0 - x) - 1. Taylor's series to x^9, whose next term is below 1e-20 of the first. */
static const double LANES_EXPM1_MOST = 1.0 / 32.0;
static inline void lanes_expm1(double before, const double offset[LANES], double *x)
{
    for (int64_t i = 0; i < STRIP; i += 4) {
        four y, more;
        four_load(x + i, &y);
        four_load(offset + i % LANES, &more);
        y = -(y + more);
        four sum = 1.0 + y * (1.0 / 9.0);
        sum = 1.0 + y * (1.0 / 8.0) * sum;
        sum = 1.0 + y * (1.0 / 7.0) * sum;
        sum = 1.0 + y * (1.0 / 6.0) * sum;
        sum = 1.0 + y * (1.0 / 5.0) * sum;
        sum = 1.0 + y * (1.0 / 4.0) * sum;
        sum = 1.0 + y * (1.0 / 3.0) * sum;
        sum = 1.0 + y * (1.0 / 2.0) * sum;
        y = before + (1.0 + before) * (y * sum);
        four_store(&y, x + i);
    }
}

/* ---- the table of a rate ---- */

#if defined(__AVX2__)
/* The largest |x| of n, a multiple of 16; what is no number does not count. */
FOUR_INLINE double four_largest(int64_t n, const double *x)
{
    const __m256d sign = _mm256_set1_pd(-0.0);
    __m256d a = _mm256_setzero_pd(), b = a, c = a, d = a;
    double parts[4];
    for (int64_t i = 0; i < n; i += 16) {
        a = _mm256_max_pd(_mm256_andnot_pd(sign, _mm256_loadu_pd(x + i)), a);
        b = _mm256_max_pd(_mm256_andnot_pd(sign, _mm256_loadu_pd(x + i + 4)), b);
        c = _mm256_max_pd(_mm256_andnot_pd(sign, _mm256_loadu_pd(x + i + 8)), c);
        d = _mm256_max_pd(_mm256_andnot_pd(sign, _mm256_loadu_pd(x + i + 12)), d);
    }
    _mm256_storeu_pd(parts, _mm256_max_pd(_mm256_max_pd(a, b), _mm256_max_pd(c, d)));
    const double low = parts[0] > parts[1] ? parts[0] : parts[1], high = parts[2] > parts[3] ? parts[2] : parts[3];
    return low > high ? low : high;
}

/* The formula of k_log_rate (kernels/pulse/plasma.clh); each point is read whole, which gathers would not do. */
FOUR_INLINE __m256d four_log_rate(int points, double foot, double field_min, double inverse, const double *table,
                                  __m256d field)
{
    const __m256d one = _mm256_set1_pd(1.0), a = _mm256_andnot_pd(_mm256_set1_pd(-0.0), field);
    __m256d u = _mm256_mul_pd(_mm256_sub_pd(a, _mm256_set1_pd(field_min)), _mm256_set1_pd(inverse));
    u = _mm256_max_pd(u, _mm256_setzero_pd()); /* of what is no number 0 */
    u = _mm256_min_pd(u, _mm256_set1_pd(points - 1));
    const __m128i k = _mm256_cvttpd_epi32(_mm256_min_pd(u, _mm256_set1_pd(points - 2)));
    const int64_t low_k = _mm_cvtsi128_si64(k), high_k = _mm_extract_epi64(k, 1);
    const __m256d p0 = _mm256_loadu_pd(table + 2 * (low_k & INT32_MAX)),
                  p1 = _mm256_loadu_pd(table + 2 * (low_k >> 32));
    const __m256d p2 = _mm256_loadu_pd(table + 2 * (high_k & INT32_MAX)),
                  p3 = _mm256_loadu_pd(table + 2 * (high_k >> 32));
    const __m256d v01 = _mm256_unpacklo_pd(p0, p1), v23 = _mm256_unpacklo_pd(p2, p3);
    const __m256d s01 = _mm256_unpackhi_pd(p0, p1), s23 = _mm256_unpackhi_pd(p2, p3);
    const __m256d low = _mm256_permute2f128_pd(v01, v23, 0x20),
                  rise = _mm256_sub_pd(_mm256_permute2f128_pd(v01, v23, 0x31), low);
    const __m256d p = _mm256_sub_pd(_mm256_permute2f128_pd(s01, s23, 0x20), rise),
                  q = _mm256_sub_pd(rise, _mm256_permute2f128_pd(s01, s23, 0x31));
    const __m256d t = _mm256_sub_pd(u, _mm256_cvtepi32_pd(k));
    __m256d value = _mm256_fmadd_pd(t, _mm256_sub_pd(q, p), p);
    value = _mm256_fmadd_pd(_mm256_sub_pd(one, t), value, rise);
    value = _mm256_fmadd_pd(t, value, low);
    return _mm256_blendv_pd(_mm256_set1_pd(-1000.0), value, _mm256_cmp_pd(a, _mm256_set1_pd(foot), _CMP_GE_OQ));
}
#endif

#endif
