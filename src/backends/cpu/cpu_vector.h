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
    if (i < n) {
        real last[VECTOR_SIZE] = {0};
        memcpy(last, x + i, (n - i) * sizeof *x);
        VECTOR_STORE(last, f(VECTOR_LOAD(last)));
        memcpy(y + i, last, (n - i) * sizeof *y);
    }
}

/* z[i] = f(x[i], y[i]); z may be x or y. */
static inline __attribute__((always_inline)) void vector_map2(vector (*f)(vector, vector), size_t n, const real *x,
                                                              const real *y, real *z)
{
    size_t i = 0;
    for (; i + VECTOR_SIZE <= n; i += VECTOR_SIZE)
        VECTOR_STORE(z + i, f(VECTOR_LOAD(x + i), VECTOR_LOAD(y + i)));
    if (i < n) {
        real a[VECTOR_SIZE] = {0}, b[VECTOR_SIZE] = {0};
        memcpy(a, x + i, (n - i) * sizeof *x);
        memcpy(b, y + i, (n - i) * sizeof *y);
        VECTOR_STORE(a, f(VECTOR_LOAD(a), VECTOR_LOAD(b)));
        memcpy(z + i, a, (n - i) * sizeof *z);
    }
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
        real last[VECTOR_SIZE] = {0};
        memcpy(last, x + i, (n - i) * sizeof *x);
        vector2 sc = VECTOR_SLEEF(sincos)(VECTOR_LOAD(last));
        VECTOR_STORE(last, sc.x);
        memcpy(s + i, last, (n - i) * sizeof *s);
        VECTOR_STORE(last, sc.y);
        memcpy(c + i, last, (n - i) * sizeof *c);
    }
}

#endif
