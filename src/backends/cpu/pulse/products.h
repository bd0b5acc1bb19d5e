/* products.h: columns of Y as sums of columns of X with the weights of a matrix: four columns of Y are made at a time in
 * registers, from terms whose samples stay in the first cache. Blocks of samples and of terms are fixed. */
#ifndef POYI_CPU_PRODUCTS_H
#define POYI_CPU_PRODUCTS_H

#include "backends/cpu/pulse/four.h"

enum { PRODUCT_BLOCK = 512, PRODUCT_TERMS = 8, PRODUCT_ROWS = 4, PRODUCT_WIDE = 8 };

typedef struct eight {
    four low, high;
} eight;

FOUR_INLINE void eight_load(const double *x, eight *out)
{
    four_load(x, &out->low);
    four_load(x + 4, &out->high);
}
FOUR_INLINE void eight_store(const eight *y, double *out)
{
    four_store(&y->low, out);
    four_store(&y->high, out + 4);
}
FOUR_INLINE void eight_add(eight *y, double weight, const eight *x)
{
    y->low += weight * x->low;
    y->high += weight * x->high;
}

/* Weight of term j in row i: at[i along + j across]. */
typedef struct weights {
    const double *at;
    int64_t along, across;
} weights;
/* From a column of X and of Y to the next, in samples. */
typedef struct apart {
    int64_t x, y;
} apart;

/* begin .. end - 1, a multiple of PRODUCT_WIDE, of `rows` columns of Y, at
 * most PRODUCT_ROWS; add: to what is there. */
FOUR_INLINE void wide_rows(int rows, int64_t terms, int add, weights w, apart n, const double *X, double *Y,
                           int64_t begin, int64_t end)
{
    const double *w0 = w.at, *w1 = w0 + w.along, *w2 = w1 + w.along, *w3 = w2 + w.along;
    for (int64_t t = begin; t < end; t += PRODUCT_WIDE) {
        eight x, y0 = {{0}, {0}}, y1 = y0, y2 = y0, y3 = y0;
        if (add)
            eight_load(Y + t, &y0);
        if (add && rows > 1)
            eight_load(Y + n.y + t, &y1);
        if (add && rows > 2)
            eight_load(Y + 2 * n.y + t, &y2);
        if (add && rows > 3)
            eight_load(Y + 3 * n.y + t, &y3);
        for (int64_t j = 0; j < terms; j++) {
            eight_load(X + j * n.x + t, &x);
            eight_add(&y0, w0[j * w.across], &x);
            if (rows > 1)
                eight_add(&y1, w1[j * w.across], &x);
            if (rows > 2)
                eight_add(&y2, w2[j * w.across], &x);
            if (rows > 3)
                eight_add(&y3, w3[j * w.across], &x);
        }
        eight_store(&y0, Y + t);
        if (rows > 1)
            eight_store(&y1, Y + n.y + t);
        if (rows > 2)
            eight_store(&y2, Y + 2 * n.y + t);
        if (rows > 3)
            eight_store(&y3, Y + 3 * n.y + t);
    }
}

static inline void some_rows(int64_t rows, int64_t terms, int add, weights w, apart n, const double *X, double *Y,
                             int64_t begin, int64_t end)
{
    const int64_t wide = begin + (end - begin) / PRODUCT_WIDE * PRODUCT_WIDE;
    if (rows == 4)
        wide_rows(4, terms, add, w, n, X, Y, begin, wide);
    else if (rows == 3)
        wide_rows(3, terms, add, w, n, X, Y, begin, wide);
    else if (rows == 2)
        wide_rows(2, terms, add, w, n, X, Y, begin, wide);
    else
        wide_rows(1, terms, add, w, n, X, Y, begin, wide);
    for (int64_t i = 0; i < rows; i++)
        for (int64_t t = wide; t < end; t++) {
            double sum = add ? Y[i * n.y + t] : 0;
            for (int64_t j = 0; j < terms; j++)
                sum += w.at[i * w.along + j * w.across] * X[j * n.x + t];
            Y[i * n.y + t] = sum;
        }
}

static inline int64_t least_of(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Samples begin .. end - 1 of `rows` columns of Y from those of `terms` columns of X; add: to what is there. */
static inline void products(int64_t rows, int64_t terms, int add, weights w, apart n, const double *X, double *Y,
                            int64_t begin, int64_t end)
{
    for (int64_t from = begin; from < end; from += PRODUCT_BLOCK)
        for (int64_t j = 0; j < terms; j += PRODUCT_TERMS)
            for (int64_t i = 0; i < rows; i += PRODUCT_ROWS) {
                const weights some = {w.at + i * w.along + j * w.across, w.along, w.across};
                some_rows(least_of(rows - i, PRODUCT_ROWS), least_of(terms - j, PRODUCT_TERMS), add || j > 0, some, n,
                          X + j * n.x, Y + i * n.y, from, least_of(from + PRODUCT_BLOCK, end));
            }
}

#endif
