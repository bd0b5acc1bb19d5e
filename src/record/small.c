/* small.c: LU and products of small matrices. A call of LAPACK on a 3 x 3 matrix takes several times as long as the arithmetic: it
 * checks, takes buffers and packs. The functions that say `w` serve both types: an element is w doubles, 1 or 2, and each caller below
 * names the number, so that the compiler makes two bodies of each. */
#include <math.h>
#include <string.h>

#include "record/small.h"

#define SPECIALIZED static inline __attribute__((always_inline))

/* |re| + |im|, by which LAPACK compares pivots (izamax). */
SPECIALIZED double size_of(int w, const double *x)
{
    return w == 2 ? fabs(x[0]) + fabs(x[1]) : fabs(x[0]);
}

/* y [n] -= t x [n], or conj(t) x. */
SPECIALIZED void subtract(int w, int conjugate, int64_t n, const double *t, const double *x, double *y)
{
    if (w == 1) {
        for (int64_t i = 0; i < n; i++)
            y[i] -= t[0] * x[i];
        return;
    }
    const double re = t[0], im = conjugate ? -t[1] : t[1];
    for (int64_t i = 0; i < n; i++) {
        const double x_re = x[2 * i], x_im = x[2 * i + 1];
        y[2 * i] -= re * x_re - im * x_im;
        y[2 * i + 1] -= re * x_im + im * x_re;
    }
}

/* x [n] /= u, or conj(u). By the reciprocal, after Smith, CACM 5, 435 (1962), of numbers that are scaled where it would leave the range
 * of doubles. */
SPECIALIZED void divide(int w, int conjugate, int64_t n, const double *u, double *x)
{
    const double size = size_of(w, u), scale = size < 0x1p-900 ? 0x1p+100 : size > 0x1p+900 ? 0x1p-100 : 1.0;
    if (w == 1) {
        const double r = 1.0 / (scale * u[0]);
        for (int64_t i = 0; i < n; i++)
            x[i] = scale * x[i] * r;
        return;
    }
    const double re = scale * u[0], im = conjugate ? -scale * u[1] : scale * u[1];
    const int wide = fabs(re) >= fabs(im);
    const double ratio = wide ? im / re : re / im, r = 1.0 / (wide ? re + im * ratio : im + re * ratio);
    const double inverse_re = wide ? r : ratio * r, inverse_im = wide ? -ratio * r : -r;
    for (int64_t i = 0; i < n; i++) {
        const double x_re = scale * x[2 * i], x_im = scale * x[2 * i + 1];
        x[2 * i] = x_re * inverse_re - x_im * inverse_im;
        x[2 * i + 1] = x_re * inverse_im + x_im * inverse_re;
    }
}

/* Elements at x and y, and so on n times, `step` elements apart. */
SPECIALIZED void exchange(int w, int64_t n, int64_t step, double *x, double *y)
{
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < w; k++) {
            const double t = x[w * step * i + k];
            x[w * step * i + k] = y[w * step * i + k];
            y[w * step * i + k] = t;
        }
}

SPECIALIZED int64_t factor(int w, int64_t n, double *m, int32_t *pivots)
{
    int64_t zero = 0;
    for (int64_t k = 0; k < n; k++) {
        double *column = m + w * k * n;
        int64_t p = k;
        for (int64_t i = k + 1; i < n; i++)
            if (size_of(w, column + w * i) > size_of(w, column + w * p))
                p = i;
        pivots[k] = (int32_t)(p + 1);
        if (size_of(w, column + w * p) == 0.0) { /* all of the column: nothing to eliminate */
            zero = zero ? zero : k + 1;
            continue;
        }
        if (p != k)
            exchange(w, n, n, m + w * k, m + w * p);
        divide(w, 0, n - k - 1, column + w * k, column + w * (k + 1));
        for (int64_t c = k + 1; c < n; c++)
            subtract(w, 0, n - k - 1, m + w * (c * n + k), column + w * (k + 1), m + w * (c * n + k + 1));
    }
    return zero;
}

/* The factors are those of M = a^T, by columns. a x = b is U^T L^T P x = b; a^H x = b is conj(L) conj(U) x = P b. */
SPECIALIZED void solve(int w, int adjoint, int64_t n, int64_t m, const double *lu, const int32_t *pivots, double *x)
{
    const int64_t along = adjoint ? n : 1, across = adjoint ? 1 : n; /* from one k, from one i to the next */
    for (int64_t k = 0; adjoint && k < n; k++)
        if (pivots[k] != k + 1)
            exchange(w, m, 1, x + w * m * k, x + w * m * (pivots[k] - 1));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t k = 0; k < i; k++)
            subtract(w, adjoint, m, lu + w * (i * across + k * along), x + w * m * k, x + w * m * i);
        if (!adjoint)
            divide(w, 0, m, lu + w * (i * n + i), x + w * m * i);
    }
    for (int64_t i = n; i-- > 0;) {
        for (int64_t k = i + 1; k < n; k++)
            subtract(w, adjoint, m, lu + w * (i * across + k * along), x + w * m * k, x + w * m * i);
        if (adjoint)
            divide(w, 1, m, lu + w * (i * n + i), x + w * m * i);
    }
    for (int64_t k = n; !adjoint && k-- > 0;)
        if (pivots[k] != k + 1)
            exchange(w, m, 1, x + w * m * k, x + w * m * (pivots[k] - 1));
}

/* A factor of a product: element (i, l) is at row i + column l, in elements. */
typedef struct operand {
    const double *x;
    int64_t row, column;
    double sign; /* of imaginary parts */
} operand;

static operand operand_of(char op, const void *x, int64_t rows, int64_t columns)
{
    return op == 'n' ? (operand){x, columns, 1, 1.0} : (operand){x, 1, rows, op == 'c' ? -1.0 : 1.0};
}

SPECIALIZED void product(int w, int64_t m, int64_t n, int64_t k, double alpha, const operand *a, const operand *b,
                         double beta, double *c)
{
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++, c += w) {
            double re = 0.0, im = 0.0;
            for (int64_t l = 0; l < k; l++) {
                const double *x = a->x + w * (i * a->row + l * a->column), *y = b->x + w * (l * b->row + j * b->column);
                if (w == 1) {
                    re += x[0] * y[0];
                    continue;
                }
                const double x_im = a->sign * x[1], y_im = b->sign * y[1];
                re += x[0] * y[0] - x_im * y_im;
                im += x[0] * y_im + x_im * y[0];
            }
            c[0] = alpha * re + (beta == 0.0 ? 0.0 : beta * c[0]);
            if (w == 2)
                c[1] = alpha * im + (beta == 0.0 ? 0.0 : beta * c[1]);
        }
}

int64_t poyi_small_factor(poy_dtype dtype, int64_t n, void *lu, int32_t *pivots)
{
    return dtype == POY_C128 ? factor(2, n, lu, pivots) : factor(1, n, lu, pivots);
}

void poyi_small_solve(poy_dtype dtype, int adjoint, int64_t n, int64_t m, const void *lu, const int32_t *pivots,
                      void *x)
{
    if (dtype == POY_C128 && adjoint)
        solve(2, 1, n, m, lu, pivots, x);
    else if (dtype == POY_C128)
        solve(2, 0, n, m, lu, pivots, x);
    else if (adjoint)
        solve(1, 1, n, m, lu, pivots, x);
    else
        solve(1, 0, n, m, lu, pivots, x);
}

void poyi_small_product(poy_dtype dtype, char op_a, char op_b, int64_t m, int64_t n, int64_t k, double alpha,
                        const void *a, const void *b, double beta, void *c)
{
    const operand left = operand_of(op_a, a, m, k), right = operand_of(op_b, b, k, n);
    if (dtype == POY_C128)
        product(2, m, n, k, alpha, &left, &right, beta, c);
    else
        product(1, m, n, k, alpha, &left, &right, beta, c);
}
