/* cpu_vector.h: exp, sin, cos of arrays of real, by SLEEF's vector functions of 1.0 ulp, for the instruction set and the
 * precision that the including file is compiled for (POY_DTYPE). The last elements of an array go through a vector of
 * their own, so that a value does not depend on its place. */
#ifndef POYI_CPU_VECTOR_H
#define POYI_CPU_VECTOR_H

#include <sleef.h>
#include <string.h>

#include "kernels/dtype.h"

#if defined(__AVX2__) && POY_SINGLE
typedef __m256 vector;
typedef Sleef___m256_2 vector2;
#define VECTOR_LOAD _mm256_loadu_ps
#define VECTOR_STORE _mm256_storeu_ps
#define VECTOR_SLEEF(name) Sleef_##name##f8_u10avx2
#define VECTOR_SLEEF_05(name) Sleef_##name##f8_u05avx2
#elif defined(__AVX2__)
typedef __m256d vector;
typedef Sleef___m256d_2 vector2;
#define VECTOR_LOAD _mm256_loadu_pd
#define VECTOR_STORE _mm256_storeu_pd
#define VECTOR_SLEEF(name) Sleef_##name##d4_u10avx2
#define VECTOR_SLEEF_05(name) Sleef_##name##d4_u05avx2
#elif defined(__SSE2__) && POY_SINGLE
typedef __m128 vector;
typedef Sleef___m128_2 vector2;
#define VECTOR_LOAD _mm_loadu_ps
#define VECTOR_STORE _mm_storeu_ps
#define VECTOR_SLEEF(name) Sleef_##name##f4_u10sse2
#define VECTOR_SLEEF_05(name) Sleef_##name##f4_u05sse2
#elif defined(__SSE2__)
typedef __m128d vector;
typedef Sleef___m128d_2 vector2;
#define VECTOR_LOAD _mm_loadu_pd
#define VECTOR_STORE _mm_storeu_pd
#define VECTOR_SLEEF(name) Sleef_##name##d2_u10sse2
#define VECTOR_SLEEF_05(name) Sleef_##name##d2_u05sse2
#elif defined(__ARM_NEON) && POY_SINGLE
typedef float32x4_t vector;
typedef Sleef_float32x4_t_2 vector2;
#define VECTOR_LOAD vld1q_f32
#define VECTOR_STORE vst1q_f32
#define VECTOR_SLEEF(name) Sleef_##name##f4_u10advsimd
#define VECTOR_SLEEF_05(name) Sleef_##name##f4_u05advsimd
#else
typedef float64x2_t vector;
typedef Sleef_float64x2_t_2 vector2;
#define VECTOR_LOAD vld1q_f64
#define VECTOR_STORE vst1q_f64
#define VECTOR_SLEEF(name) Sleef_##name##d2_u10advsimd
#define VECTOR_SLEEF_05(name) Sleef_##name##d2_u05advsimd
#endif
enum { VECTOR_SIZE = sizeof(vector) / sizeof(real) };

/* The first n < VECTOR_SIZE elements, zeros after them, and back. */
#if defined(__AVX2__)
static inline __m256i vector_mask(size_t n)
{
    static const int32_t masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return _mm256_loadu_si256((const __m256i *)(const void *)(masks + 8 - n * (8 / VECTOR_SIZE)));
}
#endif
static inline vector vector_load_first(const real *x, size_t n)
{
#if defined(__AVX2__) && POY_SINGLE
    return _mm256_maskload_ps(x, vector_mask(n));
#elif defined(__AVX2__)
    return _mm256_maskload_pd(x, vector_mask(n));
#else
    real all[VECTOR_SIZE] = {0};
    memcpy(all, x, n * sizeof *x);
    return VECTOR_LOAD(all);
#endif
}
static inline void vector_store_first(real *y, vector v, size_t n)
{
#if defined(__AVX2__) && POY_SINGLE
    _mm256_maskstore_ps(y, vector_mask(n), v);
#elif defined(__AVX2__)
    _mm256_maskstore_pd(y, vector_mask(n), v);
#else
    real all[VECTOR_SIZE];
    VECTOR_STORE(all, v);
    memcpy(y, all, n * sizeof *y);
#endif
}

#define VECTOR_FUNCTION(name)                    \
    static inline vector vector_##name(vector x) \
    {                                            \
        return VECTOR_SLEEF(name)(x);            \
    }
#define VECTOR_FUNCTION_2(name)                            \
    static inline vector vector_##name(vector x, vector y) \
    {                                                      \
        return VECTOR_SLEEF(name)(x, y);                   \
    }
VECTOR_FUNCTION(exp)
VECTOR_FUNCTION(expm1)
VECTOR_FUNCTION(log)
VECTOR_FUNCTION(log1p)
VECTOR_FUNCTION(sin)
VECTOR_FUNCTION(cos)
VECTOR_FUNCTION(tan)
VECTOR_FUNCTION(sinh)
VECTOR_FUNCTION(cosh)
VECTOR_FUNCTION(tanh)
VECTOR_FUNCTION_2(pow)
VECTOR_FUNCTION_2(atan2)
static inline vector vector_hypot(vector x, vector y)
{
    return VECTOR_SLEEF_05(hypot)(x, y);
}

/* y[i] = f(x[i]); y may be x. */
static inline __attribute__((always_inline)) void vector_map(vector (*f)(vector), size_t n, const real *x, real *y)
{
    size_t i = 0;
    for (; i + VECTOR_SIZE <= n; i += VECTOR_SIZE)
        VECTOR_STORE(y + i, f(VECTOR_LOAD(x + i)));
    if (i < n)
        vector_store_first(y + i, f(vector_load_first(x + i, n - i)), n - i);
}

/* z[i] = f(x[i], y[i]); z may be x or y. */
static inline __attribute__((always_inline)) void vector_map2(vector (*f)(vector, vector), size_t n, const real *x,
                                                              const real *y, real *z)
{
    size_t i = 0;
    for (; i + VECTOR_SIZE <= n; i += VECTOR_SIZE)
        VECTOR_STORE(z + i, f(VECTOR_LOAD(x + i), VECTOR_LOAD(y + i)));
    if (i < n)
        vector_store_first(z + i, f(vector_load_first(x + i, n - i), vector_load_first(y + i, n - i)), n - i);
}

/* s[i] = sin x[i], c[i] = cos x[i]; s or c may be x. */
static inline void vector_sincos(size_t n, const real *x, real *s, real *c)
{
    size_t i = 0;
    for (; i + VECTOR_SIZE <= n; i += VECTOR_SIZE) {
        vector2 sc = VECTOR_SLEEF(sincos)(VECTOR_LOAD(x + i));
        VECTOR_STORE(s + i, sc.x);
        VECTOR_STORE(c + i, sc.y);
    }
    if (i < n) {
        vector2 sc = VECTOR_SLEEF(sincos)(vector_load_first(x + i, n - i));
        vector_store_first(s + i, sc.x, n - i);
        vector_store_first(c + i, sc.y, n - i);
    }
}

#endif
