/* cpu_pointwise.c: unary and binary operations of the CPU backend. Compiled once for each element type (POY_DTYPE, the
 * value of poy_dtype) and instruction set (POY_ISA: base, avx2); the object's one symbol is
 * poyi_cpu_pointwise_<isa>_<dtype>. */
#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"
#include "kernels/pointwise.clh"
#if POY_FLOATING
#include "backends/cpu/cpu_vector.h"
#endif

/* ---- kernels of the dialect ---- */

RUN1(conj, T)
RUN1(sign, T)
RUN1(real, real)
RUN1(imag, real)
RUN2(add, T)
RUN2(mul, T)
#if POY_DTYPE != 6
RUN1(neg, T)
RUN1(square, T)
RUN2(sub, T)
#endif
#if !POY_COMPLEX
RUN1(abs, real)
RUN2(maximum, T)
RUN2(minimum, T)
#endif
#if POY_FLOATING && !POY_COMPLEX
RUN1(sqrt, T)
RUN2(div, T)
#endif

/* ---- functions on dense blocks, which a run gathers and scatters where it has strides ---- */

#if POY_FLOATING

#if !POY_COMPLEX

static void block_exp(int64_t n, const T *x, T *y)
{
    vector_map(vector_exp, (size_t)n, x, y);
}
static void block_sin(int64_t n, const T *x, T *y)
{
    vector_map(vector_sin, (size_t)n, x, y);
}
static void block_cos(int64_t n, const T *x, T *y)
{
    vector_map(vector_cos, (size_t)n, x, y);
}
RUN_BLOCKS1(exp, T)
RUN_BLOCKS1(sin, T)
RUN_BLOCKS1(cos, T) /* NOLINT(clang-analyzer-core.uninitialized.Assign): vector_map writes all of a block */

#else

/* Whether all larger parts are tame, or zero. */
static int all_tame(int64_t n, const T *x)
{
    int wild = 0;
#pragma omp simd reduction(| : wild)
    for (int64_t i = 0; i < n; i++) {
        real m = r_larger(x[i].re, x[i].im);
        wild |= !(POY_TAME(m) | (m == 0));
    }
    return !wild;
}

static int any_zero(int64_t n, const T *x)
{
    int zero = 0;
#pragma omp simd reduction(| : zero)
    for (int64_t i = 0; i < n; i++)
        zero |= (x[i].re == 0) & (x[i].im == 0);
    return zero;
}

static void block_abs(int64_t n, const T *x, real *y)
{
    if (all_tame(n, x))
        k_abs_tame(0, n, x, 1, y, 1);
    else
        k_abs(0, n, x, 1, y, 1);
}

static void block_sqrt(int64_t n, const T *x, T *y)
{
    if (all_tame(n, x))
        k_sqrt_tame(0, n, x, 1, y, 1);
    else
        k_sqrt(0, n, x, 1, y, 1);
}

static void block_div(int64_t n, const T *x, const T *y, T *z)
{
    if (all_tame(n, x) && all_tame(n, y) && !any_zero(n, y))
        k_div_tame(0, n, x, 1, y, 1, z, 1);
    else
        k_div(0, n, x, 1, y, 1, z, 1);
}

/* Parts apart, for vector functions; nonzero where e^re stays within range and im is finite for all. */
static int split(int64_t n, const T *x, real *re, real *im)
{
    int wild = 0;
#pragma omp simd reduction(| : wild)
    for (int64_t i = 0; i < n; i++) {
        re[i] = x[i].re;
        im[i] = x[i].im;
        int large = r_abs(x[i].re) < POY_EXP_MAX - 8 ? 0 : 1, endless = r_is_finite(x[i].im) ? 0 : 1;
        wild |= large | endless;
    }
    return !wild;
}

static void block_exp(int64_t n, const T *x, T *y)
{
    real re[BLOCK], im[BLOCK], sine[BLOCK];
    if (!split(n, x, re, im)) {
        k_exp(0, n, x, 1, y, 1);
        return;
    }
    vector_map(vector_exp, (size_t)n, re, re);
    vector_sincos((size_t)n, im, sine, im);
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        y[i] = t_make(re[i] * im[i], re[i] * sine[i]);
}

RUN_BLOCKS1(abs, real)
RUN_BLOCKS1(sqrt, T)
RUN_BLOCKS1(exp, T)

static void run_div(void *const p[4], const int64_t s[4], int64_t n)
{
    T numerator[BLOCK], denominator[BLOCK], out[BLOCK];
    for (int64_t start = 0; start < n; start += BLOCK) {
        int64_t count = n - start < BLOCK ? n - start : BLOCK;
        const T *x = gather((const T *)p[0] + start * s[0], s[0], count, numerator);
        const T *y = gather((const T *)p[1] + start * s[1], s[1], count, denominator);
        T *z = (T *)p[2] + start * s[2];
        block_div(count, x, y, s[2] == 1 ? z : out);
        for (int64_t i = 0; i < count && s[2] != 1; i++)
            z[i * s[2]] = out[i];
    }
}

#endif
#endif

/* ---- the list ---- */

OPERATION1(conj)
OPERATION1(sign)
OPERATION1(real)
OPERATION1(imag)
OPERATION1(abs)
OPERATION2(add)
OPERATION2(mul)
#if POY_DTYPE != 6
OPERATION1(neg)
OPERATION1(square)
OPERATION2(sub)
#endif
#if POY_FLOATING
OPERATION1_AT(sqrt, POYI_CPU_ARITHMETIC)
OPERATION1_AT(exp, POYI_CPU_ARITHMETIC)
OPERATION2(div)
#endif
#if !POY_COMPLEX
OPERATION2(maximum)
OPERATION2(minimum)
#endif
#if POY_FLOATING && !POY_COMPLEX
OPERATION1_AT(sin, POYI_CPU_ARITHMETIC)
OPERATION1_AT(cos, POYI_CPU_ARITHMETIC)
#endif

const poyi_cpu_entry *CPU_OBJECT(pointwise)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
        ENTRY_RUN(conj, unary), ENTRY_RUN(sign, unary), ENTRY_RUN(real, unary), ENTRY_RUN(imag, unary), ENTRY_RUN(abs, unary),
        ENTRY_RUN(add, binary), ENTRY_RUN(mul, binary),
#if POY_DTYPE != 6
        ENTRY_RUN(neg, unary), ENTRY_RUN(square, unary), ENTRY_RUN(sub, binary),
#endif
#if POY_FLOATING
        ENTRY_RUN(sqrt, unary), ENTRY_RUN(exp, unary), ENTRY_RUN(div, binary),
#endif
#if !POY_COMPLEX
        ENTRY_RUN(maximum, binary), ENTRY_RUN(minimum, binary),
#endif
#if POY_FLOATING && !POY_COMPLEX
        ENTRY_RUN(sin, unary), ENTRY_RUN(cos, unary),
#endif
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
