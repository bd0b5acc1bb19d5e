/* cpu_functions.c: logarithms, powers, trigonometric and hyperbolic functions of the CPU backend. Compiled once for each
 * element type (POY_DTYPE) and instruction set (POY_ISA); the object's one symbol is poyi_cpu_functions_<isa>_<dtype>;
 * integers and b8 have powers alone. */
#include "backends/cpu/cpu_object.h"
#include "backends/cpu/cpu_run.h"
#include "kernels/pointwise.clh"

#if POY_FLOATING
#include "backends/cpu/cpu_vector.h"

#if !POY_COMPLEX

/* Beyond its range SLEEF may answer with an infinity that is not one yet, and the C library takes the block. */
#if POY_SINGLE
#define EXP_RANGE 87.0f
#define LOG1P_RANGE 1e37f
#else
#define EXP_RANGE 708.0
#define LOG1P_RANGE 1e306
#endif

static int all_below(int64_t n, const T *x, real end)
{
    int beyond = 0;
#pragma omp simd reduction(| : beyond)
    for (int64_t i = 0; i < n; i++)
        beyond |= r_abs(x[i]) > end;
    return !beyond;
}

#define BLOCK1(name)                                      \
    static void block_##name(int64_t n, const T *x, T *y) \
    {                                                     \
        vector_map(vector_##name, (size_t)n, x, y);       \
    }                                                     \
    RUN_BLOCKS1(name, T)                                  \
    OPERATION1_AT(name, POYI_CPU_ARITHMETIC)
#define BLOCK1_BELOW(name, end)                           \
    static void block_##name(int64_t n, const T *x, T *y) \
    {                                                     \
        if (all_below(n, x, end))                         \
            vector_map(vector_##name, (size_t)n, x, y);   \
        else                                              \
            for (int64_t i = 0; i < n; i++)               \
                y[i] = POY_REAL_FUNCTION(name)(x[i]);     \
    }                                                     \
    RUN_BLOCKS1(name, T)                                  \
    OPERATION1_AT(name, POYI_CPU_ARITHMETIC)
#define BLOCK2(name)                                                  \
    static void block_##name(int64_t n, const T *x, const T *y, T *z) \
    {                                                                 \
        vector_map2(vector_##name, (size_t)n, x, y, z);               \
    }                                                                 \
    RUN_BLOCKS2(name, T)                                              \
    OPERATION2_AT(name, POYI_CPU_ARITHMETIC)

BLOCK1(log)
BLOCK1(tan)
BLOCK1(tanh)
BLOCK1_BELOW(expm1, EXP_RANGE)
BLOCK1_BELOW(log1p, LOG1P_RANGE)
BLOCK1_BELOW(sinh, EXP_RANGE)
BLOCK1_BELOW(cosh, EXP_RANGE)
/* Where SLEEF answers with an infinity, which may not be one yet, the C library is asked. */
static void block_pow(int64_t n, const T *x, const T *y, T *z)
{
    real in[2 * BLOCK], few[VECTOR_SIZE];
    int beyond = 0;
    if (n < VECTOR_SIZE) { /* a look at what was stored under a mask would wait for it */
        VECTOR_STORE(few, vector_pow(vector_load_first(x, (size_t)n), vector_load_first(y, (size_t)n)));
        for (int64_t i = 0; i < n; i++)
            z[i] = r_is_infinite(few[i]) ? POY_REAL_FUNCTION(pow)(x[i], y[i]) : few[i];
        return;
    }
    if (z == x || z == y) { /* they are looked at again */
        memcpy(in, x, (size_t)n * sizeof *x);
        memcpy(in + BLOCK, y, (size_t)n * sizeof *y);
        x = in;
        y = in + BLOCK;
    }
    vector_map2(vector_pow, (size_t)n, x, y, z);
#pragma omp simd reduction(| : beyond)
    for (int64_t i = 0; i < n; i++)
        beyond |= r_is_infinite(z[i]);
    for (int64_t i = 0; i < n && beyond; i++)
        if (r_is_infinite(z[i]))
            z[i] = POY_REAL_FUNCTION(pow)(x[i], y[i]);
}
RUN_BLOCKS2(pow, T)
OPERATION2_AT(pow, POYI_CPU_ARITHMETIC)
BLOCK2(atan2)
BLOCK2(hypot)
RUN1(floor, T)
OPERATION1(floor)

#else

/* Whether no larger part is outside of the tame range, and whether some are near 1. */
static int all_tame(int64_t n, const T *x, int *near)
{
    int wild = 0, close = 0;
#pragma omp simd reduction(| : wild, close)
    for (int64_t i = 0; i < n; i++) {
        real m = r_larger(x[i].re, x[i].im);
        wild |= !POY_TAME(m);
        close |= (m > (real)0.5) & (m < 2);
    }
    *near = close;
    return !wild;
}

/* The same of one element, with no more functions than it needs. */
static T log_of_one(T x)
{
    const real a = r_abs(x.re), b = r_abs(x.im), m = a > b ? a : b, s = a > b ? b : a;
    const real angle = vector_of_two(vector_atan2, x.im, x.re);
    const real twice = m > (real)0.5 && m < 2 ? vector_of_one(vector_log1p, (m - 1) * (m + 1) + s * s)
                                              : vector_of_one(vector_log, t_abs2(x));
    return t_make((real)0.5 * twice, angle);
}

/* As t_log, with the parts apart. */
static void block_log(int64_t n, const T *x, T *y)
{
    real re[BLOCK], im[BLOCK], angle[BLOCK], modulus[BLOCK], excess[BLOCK];
    int near;
    if (n == 1 && POY_TAME(r_larger(x->re, x->im))) {
        *y = log_of_one(*x);
        return;
    }
    if (!all_tame(n, x, &near)) {
        k_log(0, n, x, 1, y, 1);
        return;
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++) {
        re[i] = x[i].re;
        im[i] = x[i].im;
        modulus[i] = t_abs2(x[i]);
    }
    vector_map2(vector_atan2, (size_t)n, im, re, angle);
    vector_map(vector_log, (size_t)n, modulus, modulus);
    if (near) {
#pragma omp simd
        for (int64_t i = 0; i < n; i++) {
            real a = r_abs(re[i]), b = r_abs(im[i]), m = a > b ? a : b, s = a > b ? b : a;
            excess[i] = m > (real)0.5 && m < 2 ? (m - 1) * (m + 1) + s * s : 0;
        }
        vector_map(vector_log1p, (size_t)n, excess, excess);
        for (int64_t i = 0; i < n; i++) {
            real m = r_larger(re[i], im[i]);
            modulus[i] = m > (real)0.5 && m < 2 ? excess[i] : modulus[i];
        }
    }
#pragma omp simd
    for (int64_t i = 0; i < n; i++)
        y[i] = t_make((real)0.5 * modulus[i], angle[i]);
}
RUN_BLOCKS1(log, T)
OPERATION1_AT(log, POYI_CPU_ARITHMETIC)

/* x (cos y + i sin y), y real. */
static void run_cis_mul(void *const p[4], const int64_t s[4], int64_t n)
{
    T in[BLOCK];
    real angle[BLOCK], sine[BLOCK], cosine[BLOCK];
    for (int64_t start = 0; start < n; start += BLOCK) {
        const int64_t count = n - start < BLOCK ? n - start : BLOCK;
        const T *x = gather((const T *)p[0] + start * s[0], s[0], count, in);
        const real *y = (const real *)p[1] + start * s[1];
        T *z = (T *)p[2] + start * s[2];
        for (int64_t i = 0; i < count && s[1] != 1; i++)
            angle[i] = y[i * s[1]];
        vector_sincos((size_t)count, s[1] == 1 ? y : angle, sine, cosine);
        if (s[2] == 1) {
#pragma omp simd
            for (int64_t i = 0; i < count; i++)
                z[i] = t_mul(x[i], t_make(cosine[i], sine[i]));
        } else {
            for (int64_t i = 0; i < count; i++)
                z[i * s[2]] = t_mul(x[i], t_make(cosine[i], sine[i]));
        }
    }
}
OPERATION2_AT(cis_mul, POYI_CPU_ARITHMETIC)

#endif

#elif POY_DTYPE == 6

static void block_pow(int64_t n, const T *x, const T *y, T *z)
{
    for (int64_t i = 0; i < n; i++)
        z[i] = (T)((x[i] != 0) | (y[i] == 0));
}
RUN_BLOCKS2(pow, T)
OPERATION2_AT(pow, POYI_CPU_ARITHMETIC)

#else

/* Squares of x side by side, those that y has a bit for multiplied: modulo 2^32 or 2^64, y >= 0. */
static void block_pow(int64_t n, const T *x, const T *y, T *z)
{
    wrapping square[BLOCK], left[BLOCK], power[BLOCK], more = 0;
    for (int64_t i = 0; i < n; i++) {
        square[i] = (wrapping)x[i];
        left[i] = (wrapping)y[i];
        power[i] = 1;
        more |= left[i];
    }
    while (more) {
        more = 0;
#pragma omp simd reduction(| : more)
        for (int64_t i = 0; i < n; i++) {
            power[i] *= left[i] & 1 ? square[i] : 1;
            square[i] *= square[i];
            left[i] >>= 1;
            more |= left[i];
        }
    }
    for (int64_t i = 0; i < n; i++)
        z[i] = (T)power[i];
}
RUN_BLOCKS2(pow, T)

typedef struct search {
    poy_tensor once; /* what repeats has extent 1 */
    T *least;
} search;

static void find_smallest(const void *work, int64_t begin, int64_t end)
{
    const search *w = work;
    const int last = w->once.rank - 1;
    const int64_t step = w->once.stride[last], n = w->once.extent[last];
    const T *first = (const T *)poyi_cpu_first(&w->once);
    T least = first[0];
    for (int64_t row = begin; row < end; row++) {
        const T *from = first + poyi_cpu_place(&w->once, 0, last, row);
        for (int64_t i = 0; i < n; i++)
            least = from[i * step] < least ? from[i * step] : least;
    }
    T known = __atomic_load_n(w->least, __ATOMIC_RELAXED); /* of other threads */
    while (least < known &&
           !__atomic_compare_exchange_n(w->least, &known, least, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
}

/* The smallest of all elements, those that repeat looked at once. */
static T smallest(poy_ctx *ctx, const poy_tensor *y)
{
    const int last = y->rank - 1;
    T least = *(const T *)poyi_cpu_first(y);
    search w = {.once = *y, .least = &least};
    int64_t rows = 1;
    for (int i = 0; i <= last; i++)
        w.once.extent[i] = y->stride[i] ? y->extent[i] : 1;
    for (int i = 0; i < last; i++)
        rows *= w.once.extent[i];
    poyi_cpu_share(rows > 1 ? poyi_cpu_team(ctx, rows * w.once.extent[last]) : 1, rows, find_smallest, &w);
    return least;
}

static poy_status op_pow(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    const poy_tensor *const t[3] = {x, y, z};
    const T least = smallest(ctx, y);
    (void)be;
    if (least < 0)
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT,
                         "the exponent %lld is below 0, powers of integers are integers: copy x or y to f64",
                         (long long)least);
    poyi_cpu_walk(ctx, POYI_CPU_ARITHMETIC, 3, t, run_pow);
    return POY_OK;
}

#endif

const poyi_cpu_entry *CPU_OBJECT(functions)(size_t *n)
{
    /* clang-format off */
    static const poyi_cpu_entry entries[] = {
#if POY_FLOATING
        ENTRY_RUN(log, unary),
#if POY_COMPLEX
        ENTRY_RUN(cis_mul, binary),
#else
        ENTRY_RUN(expm1, unary), ENTRY_RUN(log1p, unary), ENTRY_RUN(tan, unary), ENTRY_RUN(sinh, unary), ENTRY_RUN(cosh, unary),
        ENTRY_RUN(tanh, unary), ENTRY_RUN(floor, unary), ENTRY_RUN(pow, binary), ENTRY_RUN(atan2, binary), ENTRY_RUN(hypot, binary),
#endif
#elif POY_DTYPE == 6
        ENTRY_RUN(pow, binary),
#else
        ENTRY(pow, binary), /* it can fail */
#endif
    };
    /* clang-format on */
    *n = sizeof entries / sizeof entries[0];
    return entries;
}
