/* cpu_leaf.h: leaves of the trees by which cpu_reduce.c joins elements, for one element type and instruction set: 128 elements in
 * 16 lanes of 8, the lanes by halves. The order does not depend on which of the functions here does it. */
#ifndef POYI_CPU_LEAF_H
#define POYI_CPU_LEAF_H

#include "kernels/dtype.h"

enum { LANES = 16, DEPTH = 8, LEAF = LANES * DEPTH };

#if POY_DTYPE != 6 && POY_DTYPE != 4
#define HAS_SUM 1
#else
#define HAS_SUM 0 /* the front end adds b8 and i32 as i64 */
#endif

/* What an operation is, for the loops that serve all: how two are joined. */
typedef enum kind { SUM, PROD, MAX, MIN } kind;

static inline __attribute__((always_inline)) T join(kind k, T a, T b)
{
#if POY_COMPLEX
    return k == PROD ? t_mul(a, b) : t_add(a, b);
#else
#if HAS_SUM
    if (k == SUM)
        return t_add(a, b);
    if (k == PROD)
        return t_mul(a, b);
#endif
    return k == MAX ? t_max(a, b) : t_min(a, b);
#endif
}

/* n >= 1 elements that lie side by side, n <= LEAF, wherever this stands in the code: see join_leaf. */
static inline __attribute__((always_inline)) T join_here(kind k, const T *x, int64_t n)
{
    T lane[LANES];
    int64_t lanes = n < LANES ? n : LANES, i = lanes;
    for (int64_t j = 0; j < lanes; j++)
        lane[j] = x[j];
    for (; i + LANES <= n; i += LANES)
        for (int64_t j = 0; j < LANES; j++)
            lane[j] = join(k, lane[j], x[i + j]);
    for (int64_t j = 0; i + j < n; j++)
        lane[j] = join(k, lane[j], x[i + j]);
    for (int64_t width = LANES / 2; width > 0; width /= 2)
        for (int64_t j = 0; j + width < lanes && j < width; j++)
            lane[j] = join(k, lane[j], lane[j + width]);
    return lane[0];
}

#if POY_COMPLEX
/* Which products of a complex one a compiler makes a part of the sum (one rounding less) is its choice in each copy of the
 * code, so that all callers share one: they have the same bits. */
static __attribute__((noinline)) T multiply_leaf(const T *x, int64_t n)
{
    return join_here(PROD, x, n);
}

static __attribute__((noinline)) T multiply_two(T a, T b)
{
    return t_mul(a, b);
}
#endif

/* Two leaves, or what leaves have become. */
static inline __attribute__((always_inline)) T join_two(kind k, T a, T b)
{
#if POY_COMPLEX
    if (k == PROD)
        return multiply_two(a, b);
#endif
    return join(k, a, b);
}

/* ---- whole leaves ---- */

/* Lanes by halves. Widths are written out and the functions are not inlined, as a compiler else goes through memory element by
 * element, or takes several leaves across. */
#define RETURN_JOINED(lane, of_two)                   \
    for (int j = 0; j < 8; j++)                       \
        (lane)[j] = of_two((lane)[j], (lane)[j + 8]); \
    for (int j = 0; j < 4; j++)                       \
        (lane)[j] = of_two((lane)[j], (lane)[j + 4]); \
    for (int j = 0; j < 2; j++)                       \
        (lane)[j] = of_two((lane)[j], (lane)[j + 2]); \
    return of_two((lane)[0], (lane)[1])

#define WHOLE_LEAF(kind)                                                \
    static inline __attribute__((always_inline)) T two_##kind(T a, T b) \
    {                                                                   \
        return join(kind, a, b);                                        \
    }                                                                   \
    static __attribute__((noinline)) T whole_##kind(const T *x)         \
    {                                                                   \
        T lane[LANES];                                                  \
        for (int j = 0; j < LANES; j++)                                 \
            lane[j] = two_##kind(x[j], x[LANES + j]);                   \
        for (int i = 2; i < DEPTH; i++)                                 \
            for (int j = 0; j < LANES; j++)                             \
                lane[j] = two_##kind(lane[j], x[i * LANES + j]);        \
        RETURN_JOINED(lane, two_##kind);                                \
    }

#if POY_FLOATING && !POY_COMPLEX
#if POY_SINGLE
typedef int32_t leaf_mask;
#else
typedef int64_t leaf_mask;
#endif
/* Without a NaN the larger (smaller) of two is one comparison, which processors have as an instruction; with one, the leaf is joined
 * again by what heeds it. */
#define EXTREME_LEAF(kind, OP)                                              \
    static inline __attribute__((always_inline)) T two_##kind(T a, T b)     \
    {                                                                       \
        return b OP a ? b : a;                                              \
    }                                                                       \
    static __attribute__((noinline)) T whole_##kind(const T *x)             \
    {                                                                       \
        T lane[LANES];                                                      \
        leaf_mask nan[LANES], any = 0;                                      \
        for (int j = 0; j < LANES; j++) {                                   \
            nan[j] = -(leaf_mask)__builtin_isunordered(x[j], x[LANES + j]); \
            lane[j] = two_##kind(x[j], x[LANES + j]);                       \
        }                                                                   \
        for (int i = 2; i < DEPTH; i += 2)                                  \
            for (int j = 0; j < LANES; j++) {                               \
                const T a = x[i * LANES + j], b = x[(i + 1) * LANES + j];   \
                nan[j] |= -(leaf_mask)__builtin_isunordered(a, b);          \
                lane[j] = two_##kind(two_##kind(lane[j], a), b);            \
            }                                                               \
        for (int j = 0; j < LANES; j++)                                     \
            any |= nan[j];                                                  \
        if (any)                                                            \
            return join_here(kind, x, LEAF);                                \
        RETURN_JOINED(lane, two_##kind);                                    \
    }
EXTREME_LEAF(MAX, >)
EXTREME_LEAF(MIN, <)
#elif !POY_COMPLEX
WHOLE_LEAF(MAX)
WHOLE_LEAF(MIN)
#endif
#if HAS_SUM
WHOLE_LEAF(SUM)
#if !POY_COMPLEX
WHOLE_LEAF(PROD)
#endif
#endif

static inline __attribute__((always_inline)) T whole_leaf(kind k, const T *x)
{
#if POY_COMPLEX
    return k == PROD ? multiply_leaf(x, LEAF) : whole_SUM(x);
#else
#if HAS_SUM
    if (k == SUM)
        return whole_SUM(x);
    if (k == PROD)
        return whole_PROD(x);
#endif
    return k == MAX ? whole_MAX(x) : whole_MIN(x);
#endif
}

/* n >= 1 elements that lie side by side, n <= LEAF. */
static inline __attribute__((always_inline)) T join_leaf(kind k, const T *x, int64_t n)
{
    if (n == LEAF)
        return whole_leaf(k, x);
#if POY_COMPLEX
    if (k == PROD)
        return multiply_leaf(x, n);
#endif
    return join_here(k, x, n);
}

#endif
