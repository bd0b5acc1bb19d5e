/* ref_matrix.h: matrices of the reference in extended precision: elements of stacks, room, the gauge of columns. */
#ifndef POYI_REF_MATRIX_H
#define POYI_REF_MATRIX_H

#include <math.h>

#include "backends/ref/ref.h"

typedef long double complex extended;

static inline extended times(extended a, extended b)
{
    return CMPLXL(creall(a) * creall(b) - cimagl(a) * cimagl(b), creall(a) * cimagl(b) + cimagl(a) * creall(b));
}

static inline long double abs2(extended a)
{
    return creall(a) * creall(a) + cimagl(a) * cimagl(a);
}

/* Element i, j of matrix number b of a stack. */
static inline int64_t place(const poy_tensor *t, int64_t b, int64_t i, int64_t j)
{
    return t->offset + b * t->stride[0] + i * t->stride[1] + j * t->stride[2];
}
static inline extended load(const poy_tensor *t, int64_t b, int64_t i, int64_t j)
{
    return (extended)poyi_ref_load(t, place(t, b, i, j)).z;
}
static inline void store(const poy_tensor *t, int64_t b, int64_t i, int64_t j, extended z)
{
    poyi_ref_store(t, place(t, b, i, j), (poyi_ref_value){CMPLX((double)creall(z), (double)cimagl(z)), 0});
}

/* Room for so many numbers. */
static inline poy_status take_room(poy_ctx *ctx, int64_t n, void **block)
{
    size_t bytes;
    POYI_TRY(ctx, poyi_mul_size(ctx, (size_t)n, sizeof(extended), &bytes));
    return poyi_alloc_zero(ctx, "ref.linalg", bytes, block);
}

/* The phase that makes the entry of largest modulus of a column real and positive: the first of those that are as large. */
static inline extended gauge_of(const extended *x, int64_t rows, int64_t n, int64_t column)
{
    long double largest = 0;
    int64_t at = 0;
    for (int64_t k = 0; k < rows; k++)
        largest = fmaxl(largest, sqrtl(abs2(x[k * n + column])));
    while (at < rows - 1 && sqrtl(abs2(x[at * n + column])) < largest * (1 - 1e-10L))
        at++;
    return largest > 0 ? conjl(x[at * n + column]) / sqrtl(abs2(x[at * n + column])) : 1;
}

#endif
