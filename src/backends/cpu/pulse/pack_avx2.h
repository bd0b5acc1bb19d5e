/* pack_avx2.h: packs of two complex numbers in AVX2 registers, for the kernels of kernels/pulse. The compilers' own
 * vector code for interleaved pairs takes up to twice the time: they gather real and imaginary parts first. */
#ifndef POYI_CPU_PACK_AVX2_H
#define POYI_CPU_PACK_AVX2_H

#include <immintrin.h>

#include "kernels/pulse/pack.h"

#define POY_PACKS_2(i) _Pragma("GCC unroll 4") for (poy_index i = begin; i < end; i += 2)

typedef __m256d pack_2;

POY_INLINE pack_2 p_load_2(const double *x, poy_index i)
{
    return _mm256_loadu_pd(x + 2 * i);
}
POY_INLINE void p_store_2(double *x, poy_index i, pack_2 z)
{
    _mm256_storeu_pd(x + 2 * i, z);
}
POY_INLINE pack_2 p_real_2(const double *r, poy_index i)
{
    return _mm256_permute4x64_pd(_mm256_castpd128_pd256(_mm_loadu_pd(r + i)), 0x50); /* 0 0 1 1 */
}
POY_INLINE void p_store_real_2(double *r, poy_index i, pack_2 z)
{
    _mm_storeu_pd(r + i, _mm256_castpd256_pd128(_mm256_permute4x64_pd(z, 0x08))); /* parts 0 and 2 */
}
POY_INLINE pack_2 p_all_2(double s)
{
    return _mm256_set1_pd(s);
}
POY_INLINE pack_2 p_unit_2(void)
{
    return _mm256_setr_pd(1.0, 0.0, 1.0, 0.0);
}
POY_INLINE pack_2 p_add_2(pack_2 a, pack_2 b)
{
    return _mm256_add_pd(a, b);
}
POY_INLINE pack_2 p_times_2(pack_2 a, pack_2 b)
{
    return _mm256_mul_pd(a, b);
}
POY_INLINE pack_2 p_over_2(pack_2 a, pack_2 b)
{
    return _mm256_div_pd(a, b);
}
POY_INLINE pack_2 p_sqrt_2(pack_2 a)
{
    return _mm256_sqrt_pd(a);
}
POY_INLINE pack_2 p_axpy_2(double s, pack_2 x, pack_2 y)
{
    return _mm256_fmadd_pd(_mm256_set1_pd(s), x, y);
}
POY_INLINE pack_2 p_scale_2(double s, pack_2 x)
{
    return _mm256_mul_pd(_mm256_set1_pd(s), x);
}
/* Real and imaginary parts exchanged. */
POY_INLINE pack_2 p_exchange_2(pack_2 a)
{
    return _mm256_permute_pd(a, 0x5);
}
POY_INLINE pack_2 p_mul_2(pack_2 a, pack_2 b)
{
    pack_2 re = _mm256_movedup_pd(b), im = _mm256_permute_pd(b, 0xf);
    return _mm256_fmaddsub_pd(a, re, _mm256_mul_pd(p_exchange_2(a), im));
}
POY_INLINE pack_2 p_mul_conj_2(pack_2 a, pack_2 b)
{
    pack_2 re = _mm256_movedup_pd(b), im = _mm256_permute_pd(b, 0xf);
    return _mm256_fmsubadd_pd(a, re, _mm256_mul_pd(p_exchange_2(a), im));
}
POY_INLINE pack_2 p_turn_mul_conj_2(pack_2 a, pack_2 b)
{
    pack_2 re = _mm256_movedup_pd(b), im = _mm256_permute_pd(b, 0xf);
    return _mm256_fmaddsub_pd(a, im, _mm256_mul_pd(p_exchange_2(a), re));
}
POY_INLINE pack_2 p_turn_2(pack_2 a)
{
    return _mm256_xor_pd(p_exchange_2(a), _mm256_setr_pd(-0.0, 0.0, -0.0, 0.0));
}
POY_INLINE pack_2 p_abs2_2(pack_2 a)
{
    pack_2 squares = _mm256_mul_pd(a, a);
    return _mm256_add_pd(squares, p_exchange_2(squares));
}
POY_INLINE pack_2 p_lift_2(pack_2 a)
{
    pack_2 moduli = _mm256_andnot_pd(_mm256_set1_pd(-0.0), a), sum = _mm256_add_pd(moduli, p_exchange_2(moduli));
    pack_2 small = _mm256_cmp_pd(sum, _mm256_set1_pd(0x1p-400), _CMP_LT_OQ);
    return _mm256_blendv_pd(_mm256_set1_pd(1.0), _mm256_set1_pd(0x1p600), small);
}
POY_INLINE double p_total_2(pack_2 a)
{
    __m128d half = _mm_add_pd(_mm256_castpd256_pd128(a), _mm256_extractf128_pd(a, 1));
    return _mm_cvtsd_f64(_mm_add_sd(half, _mm_unpackhi_pd(half, half)));
}

#endif
