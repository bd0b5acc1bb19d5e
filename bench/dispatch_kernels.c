/* dispatch_kernels.c: see the header. Compiled with ISA base and avx2. */
#include "dispatch_kernels.h"

#include <string.h>
#if defined(__SSE2__)
#include <sleef.h>

#if defined(__AVX2__)
#define DOUBLES __m256d
#define FLOATS __m256
#define LOAD_D(p) _mm256_castpd128_pd256(_mm_load_sd(p))
#define LOAD_F(p) _mm256_castps128_ps256(_mm_load_ss(p))
#define FIRST_D(v) _mm256_castpd256_pd128(v)
#define FIRST_F(v) _mm256_castps256_ps128(v)
#define D(name) Sleef_##name##d4_u10avx2
#define F(name) Sleef_##name##f8_u10avx2
#define D05(name) Sleef_##name##d4_u05avx2
#define F05(name) Sleef_##name##f8_u05avx2
typedef Sleef___m256d_2 doubles2;
typedef Sleef___m256_2 floats2;
#else
#define LOAD_D(p) _mm_load_sd(p)
#define LOAD_F(p) _mm_load_ss(p)
#define FIRST_D(v) (v)
#define FIRST_F(v) (v)
#define D(name) Sleef_##name##d2_u10sse2
#define F(name) Sleef_##name##f4_u10sse2
#define D05(name) Sleef_##name##d2_u05sse2
#define F05(name) Sleef_##name##f4_u05sse2
typedef Sleef___m128d_2 doubles2;
typedef Sleef___m128_2 floats2;
#endif
#define STORE_D(p, v) _mm_store_sd(p, FIRST_D(v))
#define STORE_F(p, v) _mm_store_ss(p, FIRST_F(v))

#define ONE(name)                             \
    static void name##_f64(void *const p[3])  \
    {                                         \
        STORE_D(p[1], D(name)(LOAD_D(p[0]))); \
    }                                         \
    static void name##_f32(void *const p[3])  \
    {                                         \
        STORE_F(p[1], F(name)(LOAD_F(p[0]))); \
    }
#define TWO(name, of_d, of_f)                                  \
    static void name##_f64(void *const p[3])                   \
    {                                                          \
        STORE_D(p[2], of_d(name)(LOAD_D(p[0]), LOAD_D(p[1]))); \
    }                                                          \
    static void name##_f32(void *const p[3])                   \
    {                                                          \
        STORE_F(p[2], of_f(name)(LOAD_F(p[0]), LOAD_F(p[1]))); \
    }
ONE(exp)
ONE(log)
ONE(expm1)
ONE(log1p)
ONE(sin)
ONE(cos)
ONE(tan)
ONE(sinh)
ONE(cosh)
ONE(tanh)
TWO(pow, D, F)
TWO(atan2, D, F)
TWO(hypot, D05, F05)

/* Complex functions of parts: the vector functions that they take, without what joins their results. */
static void exp_c128(void *const p[3])
{
    const double *x = p[0];
    double *y = p[1];
    const doubles2 sc = D(sincos)(LOAD_D(x + 1));
    STORE_D(y, D(exp)(LOAD_D(x)));
    STORE_D(y + 1, sc.x);
}
static void exp_c64(void *const p[3])
{
    const float *x = p[0];
    float *y = p[1];
    const floats2 sc = F(sincos)(LOAD_F(x + 1));
    STORE_F(y, F(exp)(LOAD_F(x)));
    STORE_F(y + 1, sc.x);
}
static void log_c128(void *const p[3]) /* of a modulus near 1: log1p, too */
{
    const double *x = p[0];
    double *y = p[1];
    STORE_D(y, D(log)(LOAD_D(x)));
    STORE_D(y, D(log1p)(LOAD_D(x)));
    STORE_D(y + 1, D(atan2)(LOAD_D(x + 1), LOAD_D(x)));
}
static void log_c64(void *const p[3])
{
    const float *x = p[0];
    float *y = p[1];
    STORE_F(y, F(log)(LOAD_F(x)));
    STORE_F(y, F(log1p)(LOAD_F(x)));
    STORE_F(y + 1, F(atan2)(LOAD_F(x + 1), LOAD_F(x)));
}
static void cis_mul_c128(void *const p[3])
{
    double *y = p[2];
    const doubles2 sc = D(sincos)(LOAD_D(p[1]));
    STORE_D(y, sc.y);
    STORE_D(y + 1, sc.x);
}
static void cis_mul_c64(void *const p[3])
{
    float *y = p[2];
    const floats2 sc = F(sincos)(LOAD_F(p[1]));
    STORE_F(y, sc.y);
    STORE_F(y + 1, sc.x);
}

#endif

#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)

dispatch_kernel *GLUE(dispatch_kernel_, ISA)(const char *row, poy_dtype dtype)
{
#if defined(__SSE2__)
#define REAL(name)                                         \
    {                                                      \
#name,                                             \
        {                                                  \
            [POY_F32] = name##_f32, [POY_F64] = name##_f64 \
        }                                                  \
    }
#define COMPLEX(name)                                        \
    {                                                        \
#name,                                               \
        {                                                    \
            [POY_C64] = name##_c64, [POY_C128] = name##_c128 \
        }                                                    \
    }
    /* clang-format off */
    static const struct {
        const char *row;
        dispatch_kernel *of[POY_DTYPE_COUNT];
    } kernels[] = {
        REAL(exp), REAL(log), REAL(expm1), REAL(log1p), REAL(sin), REAL(cos), REAL(tan), REAL(sinh), REAL(cosh), REAL(tanh),
        REAL(pow), REAL(atan2), REAL(hypot), COMPLEX(exp), COMPLEX(log), COMPLEX(cis_mul),
    };
    /* clang-format on */
    for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++)
        if (!strcmp(kernels[i].row, row) && kernels[i].of[dtype])
            return kernels[i].of[dtype];
#else
    (void)row, (void)dtype; /* calls are told as a whole there */
#endif
    return NULL;
}
