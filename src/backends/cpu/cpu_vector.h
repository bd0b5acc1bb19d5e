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

/* The first n < VECTOR_SIZE elements, zeros after them, and back: by loads and stores of just as many bytes. A processor hands
 * a store on to the next load of the same place only where that one is no wider, and none that goes under a mask. */
#if defined(__SSE2__) && POY_SINGLE
static inline __m128 vector_load_few(const float *x, size_t n) /* n < 4 */
{
    if (n < 2)
        return n ? _mm_load_ss(x) : _mm_setzero_ps();
    const __m128 two = _mm_loadl_pi(_mm_setzero_ps(), (const __m64 *)(const void *)x);
    return n > 2 ? _mm_movelh_ps(two, _mm_load_ss(x + 2)) : two;
}
static inline void vector_store_few(float *y, __m128 v, size_t n)
{
    if (n & 2) {
        _mm_storel_pi((__m64 *)(void *)y, v);
        y += 2;
        v = _mm_movehl_ps(v, v);
    }
    if (n & 1)
        _mm_store_ss(y, v);
}
#elif defined(__SSE2__)
static inline __m128d vector_load_few(const double *x, size_t n) /* n < 2 */
{
    return n ? _mm_load_sd(x) : _mm_setzero_pd();
}
static inline void vector_store_few(double *y, __m128d v, size_t n)
{
    if (n)
        _mm_store_sd(y, v);
}
#endif
#if defined(__AVX2__) && POY_SINGLE
#define VECTOR_LOW _mm256_castps256_ps128
#define VECTOR_HIGH(v) _mm256_extractf128_ps(v, 1)
#define VECTOR_JOIN(low, high) _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1)
#define VECTOR_LOAD_LOW _mm_loadu_ps
#define VECTOR_STORE_LOW _mm_storeu_ps
#define VECTOR_ZERO _mm_setzero_ps()
#elif defined(__AVX2__)
#define VECTOR_LOW _mm256_castpd256_pd128
#define VECTOR_HIGH(v) _mm256_extractf128_pd(v, 1)
#define VECTOR_JOIN(low, high) _mm256_insertf128_pd(_mm256_castpd128_pd256(low), high, 1)
#define VECTOR_LOAD_LOW _mm_loadu_pd
#define VECTOR_STORE_LOW _mm_storeu_pd
#define VECTOR_ZERO _mm_setzero_pd()
#endif
static inline vector vector_load_first(const real *x, size_t n)
{
#if defined(__AVX2__)
    enum { HALF = VECTOR_SIZE / 2 };
    if (n < HALF)
        return VECTOR_JOIN(vector_load_few(x, n), VECTOR_ZERO);
    return VECTOR_JOIN(VECTOR_LOAD_LOW(x), vector_load_few(x + HALF, n - HALF));
#elif defined(__SSE2__)
    return vector_load_few(x, n);
#else
    real all[VECTOR_SIZE] = {0};
    memcpy(all, x, n * sizeof *x);
    return VECTOR_LOAD(all);
#endif
}
static inline void vector_store_first(real *y, vector v, size_t n)
{
#if defined(__AVX2__)
    enum { HALF = VECTOR_SIZE / 2 };
    if (n < HALF) {
        vector_store_few(y, VECTOR_LOW(v), n);
        return;
    }
    VECTOR_STORE_LOW(y, VECTOR_LOW(v));
    vector_store_few(y + HALF, VECTOR_HIGH(v), n - HALF);
#elif defined(__SSE2__)
    vector_store_few(y, v, n);
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

static inline __attribute__((always_inline)) real vector_of_one(vector (*f)(vector), real x)
{
    real y;
    vector_store_first(&y, f(vector_load_first(&x, 1)), 1);
    return y;
}
static inline __attribute__((always_inline)) real vector_of_two(vector (*f)(vector, vector), real x, real y)
{
    real z;
    vector_store_first(&z, f(vector_load_first(&x, 1), vector_load_first(&y, 1)), 1);
    return z;
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
