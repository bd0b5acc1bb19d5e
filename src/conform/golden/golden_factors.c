/* golden_factors.c: golden eigenvectors and singular vectors are judged by what they are for: the matrix they give back. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conform/golden/golden.h"
#include "core/cmplx.h"

enum { SIDE = 8 };
typedef struct matrix {
    int64_t rows, columns;
    double complex a[SIDE][SIDE];
} matrix;

static double complex part(const poyi_golden_array *t, int64_t i)
{
    return poy_dtype_is_complex(t->dtype) ? CMPLX(t->part[2 * i], t->part[2 * i + 1]) : (double complex)t->part[i];
}

static matrix input_of(const poyi_golden_array *t)
{
    matrix m = {.rows = t->extent[0], .columns = t->extent[1]};
    for (int64_t i = 0; i < m.rows; i++)
        for (int64_t j = 0; j < m.columns; j++)
            m.a[i][j] = part(t, t->offset + i * t->stride[0] + j * t->stride[1]);
    return m;
}

static int read_matrix(poy_ctx *ctx, const poy_array *a, matrix *m)
{
    unsigned char bytes[SIDE * SIDE * 16];
    poy_dtype dtype = poy_array_dtype(a);
    int step = poy_dtype_is_complex(dtype) ? 2 : 1, last = poy_array_rank(a) - 1;
    m->rows = last ? poy_array_extent(a, 0) : 1;
    m->columns = poy_array_extent(a, last);
    if (m->rows > SIDE || m->columns > SIDE || poy_array_read(ctx, a, bytes) != POY_OK)
        return 0;
    for (int64_t i = 0; i < m->rows * m->columns; i++)
        m->a[i / m->columns][i % m->columns] =
            CMPLX(poyi_golden_part(dtype, bytes, step * i), step == 2 ? poyi_golden_part(dtype, bytes, 2 * i + 1) : 0);
    return 1;
}

/* max |sum over k of x_ik s_k y_kj - z_ij|. */
static double residual(const matrix *x, const matrix *s, const matrix *y, const matrix *z)
{
    double worst = 0;
    for (int64_t i = 0; i < z->rows; i++)
        for (int64_t j = 0; j < z->columns; j++) {
            double complex sum = -z->a[i][j];
            for (int64_t k = 0; k < s->columns; k++)
                sum += x->a[i][k] * s->a[0][k] * y->a[k][j];
            worst = fmax(worst, cabs(sum));
        }
    return worst;
}

int poyi_golden_factors(poy_ctx *ctx, const poyi_golden *c, poy_array *const *out, size_t size, char *text)
{
    const int is_svd = !strcmp(c->mode, "svd");
    const poyi_golden_array *values = &c->out[is_svd ? 1 : 0];
    matrix a = input_of(&c->in[0]), left, s, right = {0};
    double worst = 0;

    if (!read_matrix(ctx, out[is_svd ? 1 : 0], &s) || !read_matrix(ctx, out[is_svd ? 0 : 1], &left) ||
        (is_svd && !read_matrix(ctx, out[2], &right)) || s.columns != values->n)
        return 0;
    if (!is_svd) { /* a = v w v^H, of the lower triangle */
        right = (matrix){.rows = left.columns, .columns = left.rows};
        for (int64_t i = 0; i < right.rows; i++)
            for (int64_t j = 0; j < right.columns; j++) {
                right.a[i][j] = conj(left.a[j][i]);
                a.a[i][j] = j > i ? conj(a.a[j][i]) : a.a[i][j];
            }
    }
    for (int64_t i = 0; i < values->n; i++)
        worst = fmax(worst, cabs(s.a[0][i] - part(values, i)));
    double back = residual(&left, &s, &right, &a);
    if (worst <= c->atol && back <= c->atol)
        return 1;
    snprintf(text, size, "values are off by %.3g, the matrix by %.3g, allowed are %.3g", worst, back, c->atol);
    return 0;
}
