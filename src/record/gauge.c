/* gauge.c: the gauge of eigenvectors and its derivatives: columns of length 1; of each, the first entry among the largest
 * is real and positive. */
#include <float.h>
#include <math.h>

#include "record/builtin.h"

typedef poyi_z z;

static z element(const poyi_rec_columns *v, int64_t i)
{
    const double *x = v->data;
    return v->dtype == POY_C128 ? CMPLX(x[2 * i], x[2 * i + 1]) : CMPLX(x[i], 0.0);
}

int64_t poyi_rec_largest_row(const poy_rec_array *v, int64_t j)
{
    const int64_t n = v->spec.dims[0], k = v->spec.dims[1];
    double most = 0.0;
    int64_t i = 0;
    for (int64_t l = 0; l < n; l++)
        most = fmax(most, cabs(poyi_rec_get(v, l * k + j)));
    while (i < n - 1 && cabs(poyi_rec_get(v, i * k + j)) < most * (1.0 - 64.0 * DBL_EPSILON))
        i++;
    return i;
}

int64_t poyi_rec_fix_column(const poy_rec_array *v, int64_t j)
{
    const int64_t n = v->spec.dims[0], k = v->spec.dims[1], row = poyi_rec_largest_row(v, j);
    double square = 0.0;
    for (int64_t i = 0; i < n; i++) {
        const z x = poyi_rec_get(v, i * k + j);
        square += creal(x) * creal(x) + cimag(x) * cimag(x);
    }
    const z top = poyi_rec_get(v, row * k + j);
    const z turn = conj(top) / (cabs(top) * sqrt(square));
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(v, i * k + j, turn * poyi_rec_get(v, i * k + j));
    poyi_rec_put(v, row * k + j, creal(poyi_rec_get(v, row * k + j)));
    return row;
}

void poyi_rec_keep_gauge(const poyi_rec_columns *v, int64_t row, int64_t j, const poy_rec_array *u)
{
    const int64_t n = v->n, k = v->k, top = row * k + j;
    double along = 0.0;
    for (int64_t i = 0; i < n; i++)
        along += creal(conj(element(v, i * k + j)) * poyi_rec_get(u, i * k + j));
    const z c = CMPLX(-along, -cimag(poyi_rec_get(u, top)) / creal(element(v, top)));
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(u, i * k + j, poyi_rec_get(u, i * k + j) + c * element(v, i * k + j));
}

void poyi_rec_pull_gauge(const poyi_rec_columns *v, int64_t row, int64_t j, const poy_rec_array *g)
{
    const int64_t n = v->n, k = v->k, top = row * k + j;
    z along = 0.0;
    for (int64_t i = 0; i < n; i++)
        along += conj(poyi_rec_get(g, i * k + j)) * element(v, i * k + j);
    for (int64_t i = 0; i < n; i++)
        poyi_rec_put(g, i * k + j, poyi_rec_get(g, i * k + j) - creal(along) * element(v, i * k + j));
    poyi_rec_put(g, top, poyi_rec_get(g, top) + CMPLX(0.0, cimag(along) / creal(element(v, top))));
}

void poyi_rec_hermitian_part(const poy_rec_array *a, const poy_rec_array *to)
{
    const int64_t n = a->spec.dims[0];
    for (int64_t i = 0; i < n; i++)
        for (int64_t j = 0; j <= i; j++) {
            const z h = 0.5 * poyi_rec_get(a, i * n + j) + 0.5 * conj(poyi_rec_get(a, j * n + i));
            poyi_rec_put(to, i * n + j, i == j ? creal(h) : h);
            poyi_rec_put(to, j * n + i, i == j ? creal(h) : conj(h));
        }
}
