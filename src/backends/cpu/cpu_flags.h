/* cpu_flags.h: questions about doubles that lie side by side, 32 at a time: a compiler takes twice as many instructions to make bytes of
 * the comparisons, which memory does not hide. */
#ifndef POYI_CPU_FLAGS_H
#define POYI_CPU_FLAGS_H

#include <immintrin.h>
#include <math.h>
#include <stdint.h>

enum { FLAGS = 32 };

static inline __m256d flag_isnan(__m256d x)
{
    return _mm256_cmp_pd(x, x, _CMP_UNORD_Q);
}

static inline __m256d flag_isfinite(__m256d x)
{
    return _mm256_cmp_pd(_mm256_andnot_pd(_mm256_set1_pd(-0.0), x), _mm256_set1_pd(INFINITY), _CMP_LT_OQ);
}

static inline __m256d flag_logical_not(__m256d x)
{
    return _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_EQ_OQ);
}

/* The lower halves of eight masks: 0, 1 | 4, 5 of each lane, then 2, 3 | 6, 7. */
static inline __m256i flags_of_8(__m256d (*flag)(__m256d), const double *x)
{
    const __m256 a = _mm256_castpd_ps(flag(_mm256_loadu_pd(x))), b = _mm256_castpd_ps(flag(_mm256_loadu_pd(x + 4)));
    return _mm256_castps_si256(_mm256_shuffle_ps(a, b, 0x88));
}

/* 0 or 1 for each of the first elements, as many as come in groups of 32; how many these are. */
static inline __attribute__((always_inline)) int64_t flags_map(__m256d (*flag)(__m256d), int64_t n, const double *x,
                                                               unsigned char *y)
{
    const __m128i one = _mm_set1_epi8(1);
    int64_t i = 0;
    for (; i + FLAGS <= n; i += FLAGS) {
        const __m256i low = _mm256_packs_epi32(flags_of_8(flag, x + i), flags_of_8(flag, x + i + 8)),
                      high = _mm256_packs_epi32(flags_of_8(flag, x + i + 16), flags_of_8(flag, x + i + 24)),
                      pairs = _mm256_packs_epi16(low, high); /* of bytes: the even ones, then the odd ones */
        const __m128i even = _mm256_castsi256_si128(pairs), odd = _mm256_extracti128_si256(pairs, 1);
        _mm_storeu_si128((__m128i *)(void *)(y + i), _mm_and_si128(one, _mm_unpacklo_epi16(even, odd)));
        _mm_storeu_si128((__m128i *)(void *)(y + i + 16), _mm_and_si128(one, _mm_unpackhi_epi16(even, odd)));
    }
    return i;
}

#endif
