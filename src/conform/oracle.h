/* oracle.h: exact-enough arithmetic that the oracles share: values in extended precision, casts, sums that keep what
 * rounding loses. */
#ifndef POYI_CONFORM_ORACLE_H
#define POYI_CONFORM_ORACLE_H

#include <math.h>
#include <string.h>

#include "conform/conform.h"
#include "core/cmplx.h"

typedef long double complex extended;

static inline extended joined(poyi_wide v)
{
    return CMPLXL(v.re, v.im);
}

static inline poyi_wide parted(extended z)
{
    return (poyi_wide){creall(z), cimagl(z)};
}

/* The squares of all binary64 numbers are within range here. */
static inline long double modulus(poyi_wide v)
{
    return v.im == 0 ? fabsl(v.re) : sqrtl(v.re * v.re + v.im * v.im);
}

static inline int is_whole(poy_dtype dtype)
{
    return dtype == POY_I32 || dtype == POY_I64 || dtype == POY_B8;
}

static inline int is_single(poy_dtype dtype)
{
    return dtype == POY_F32 || dtype == POY_C64;
}

/* ---- casts ---- */

static inline long double saturated(long double x, poy_dtype to)
{
    long double end = to == POY_I32 ? 0x1p31L : 0x1p63L;
    if (isnan(x))
        return 0;
    return x >= end ? end - 1 : x < -end ? -end : truncl(x);
}

static inline poyi_wide cast(poyi_wide v, poy_dtype to)
{
    if (to == POY_B8)
        return (poyi_wide){v.re != 0 || v.im != 0, 0};
    if (is_whole(to))
        return (poyi_wide){saturated(v.re, to), 0};
    if (is_single(to))
        return (poyi_wide){(float)v.re, (float)v.im};
    return (poyi_wide){(double)v.re, (double)v.im};
}

/* An integer result modulo 2^32 or 2^64; of b8 whether it is not 0. */
static inline poyi_wide wrapped(uint64_t bits, poy_dtype dtype)
{
    if (dtype == POY_B8)
        return (poyi_wide){bits != 0, 0};
    int64_t i = dtype == POY_I32 ? (int64_t)(int32_t)(uint32_t)bits : (int64_t)bits;
    return (poyi_wide){(long double)i, 0};
}

/* The place of an operand's element that broadcasts to index of a result. */
static inline int64_t broadcast_place(const poyi_operand *o, int rank, const int64_t *index)
{
    int64_t place = o->offset;
    for (int i = 0; i < o->rank; i++)
        if (o->extent[i] != 1)
            place += index[rank - o->rank + i] * o->stride[i];
    return place;
}

/* With the rounding errors of its additions, each below 2^-64 of what is added: Neumaier's. */
typedef struct total {
    long double sum, lost;
} total;

static inline void add(total *t, long double x)
{
    long double sum = t->sum + x;
    t->lost += fabsl(t->sum) >= fabsl(x) ? (t->sum - sum) + x : (x - sum) + t->sum;
    t->sum = sum;
}

static inline long double total_of(const total *t)
{
    return isfinite(t->sum) ? t->sum + t->lost : t->sum;
}

/* As many terms as a sum of n products counts: one complex product is a sum of two. */
static inline long double terms_counted(const poyi_case *c, int64_t n)
{
    return n == 1 && poy_dtype_is_complex(c->dtype) ? 2 : (long double)n;
}

/* A sum of products of whole numbers, modulo 2^64; of b8: whether one of them is 1. */
static inline uint64_t add_whole_product(uint64_t sum, poy_dtype dtype, poyi_wide a, poyi_wide b)
{
    return dtype == POY_B8 ? sum || (a.re != 0 && b.re != 0) : sum + (uint64_t)(int64_t)a.re * (uint64_t)(int64_t)b.re;
}

static inline poyi_wide element(const poyi_case *c, const poyi_operand *o, int64_t place)
{
    poyi_wide v = poyi_wide_load(o->dtype, o->bytes, place);
    return o->dtype == c->dtype ? v : cast(v, c->dtype);
}

/* Lines, indices and dot products (oracle_lines.c). */
poy_status poyi_expect_matrices(poy_ctx *ctx, const poyi_case *c, poyi_expected *e);
poy_status poyi_expect_lines(poy_ctx *ctx, const poyi_case *c, int values, poyi_expected *e);

/* Entries of the matrices of a stack. */
static inline void poyi_matrix_store(const poyi_operand *a, int64_t batch, int64_t i, int64_t j, extended z)
{
    int64_t index[3] = {batch, i, j};
    poyi_wide_store(a->dtype, a->bytes, poyi_operand_place(a, a->rank == 3 ? index : index + 1), parted(z));
}

static inline extended poyi_matrix_load(const poyi_operand *a, int64_t batch, int64_t i, int64_t j)
{
    int64_t index[3] = {batch, i, j};
    return joined(poyi_wide_load(a->dtype, a->bytes, poyi_operand_place(a, a->rank == 3 ? index : index + 1)));
}

/* Hard matrices (hard_matrices.c): which one a case has; whether it is made of
 * k eigenvalues or singular values, and these; else all of its entries. */
poyi_structure poyi_case_structure(const poyi_case *c, poyi_choice *choice);
int poyi_hard_is_spectral(const poyi_case *c);
void poyi_hard_values(const poyi_case *c, poyi_choice *choice, int64_t k, double *w);
void poyi_hard_fill(const poyi_case *c, poyi_choice *choice, int64_t batch, int64_t m, int64_t n);
/* room: n n numbers. */
void poyi_hard_solution(const poyi_case *c, int64_t batch, extended *room, poyi_expected *e);

/* Sparse products (sparse_cases.c). */
poy_status poyi_expect_sparse(poy_ctx *ctx, const poyi_case *c, int values, poyi_expected *e);

#endif
