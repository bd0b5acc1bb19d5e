/* ref_reduce.c: reductions and matmul: sums that keep what rounding loses. */
#include <math.h>

#include "backends/ref/ref.h"

/* x with its kept axes, then the reduced ones: a walk over the former, and one over the latter from each place. */
typedef poyi_ref_value fold(const poy_tensor *x, poyi_ref_walk *w);

static poy_status reduce(fold *f, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const both[2] = {x, y};
    int kept = x->rank - n_reduced;
    poyi_ref_walk outer = poyi_ref_walk_over(2, both, 0, kept);
    while (poyi_ref_walk_next(&outer)) {
        poyi_ref_walk inner = poyi_ref_walk_over(1, both, kept, x->rank);
        inner.at[0] = outer.at[0];
        poyi_ref_store(y, outer.at[1], f(x, &inner));
    }
    return POY_OK;
}

static poyi_ref_value fold_sum(const poy_tensor *x, poyi_ref_walk *w)
{
    poyi_ref_total re = {0, 0}, im = {0, 0};
    uint64_t whole = 0;
    while (poyi_ref_walk_next(w)) {
        poyi_ref_value v = poyi_ref_load(x, w->at[0]);
        poyi_ref_total_add(&re, creal(v.z));
        poyi_ref_total_add(&im, cimag(v.z));
        whole += (uint64_t)v.i;
    }
    return (poyi_ref_value){CMPLX(poyi_ref_total_end(&re), poyi_ref_total_end(&im)), (int64_t)whole};
}

static poyi_ref_value fold_max(const poy_tensor *x, poyi_ref_walk *w)
{
    poyi_ref_value best = {0, 0};
    for (int first = 1; poyi_ref_walk_next(w); first = 0) {
        poyi_ref_value v = poyi_ref_load(x, w->at[0]);
        if (first || v.i > best.i)
            best.i = v.i;
        if (first || creal(v.z) > creal(best.z) || isnan(creal(v.z)))
            best.z = v.z;
    }
    return best;
}

static poyi_ref_value fold_min(const poy_tensor *x, poyi_ref_walk *w)
{
    poyi_ref_value best = {0, 0};
    for (int first = 1; poyi_ref_walk_next(w); first = 0) {
        poyi_ref_value v = poyi_ref_load(x, w->at[0]);
        if (first || v.i < best.i)
            best.i = v.i;
        if (first || creal(v.z) < creal(best.z) || isnan(creal(v.z)))
            best.z = v.z;
    }
    return best;
}

/* In extended precision and range. */
static poyi_ref_value fold_prod(const poy_tensor *x, poyi_ref_walk *w)
{
    long double complex product = 1;
    long double real_product = 1;
    uint64_t whole = 1;
    while (poyi_ref_walk_next(w)) {
        poyi_ref_value v = poyi_ref_load(x, w->at[0]);
        product *= v.z;
        real_product *= creal(v.z);
        whole *= (uint64_t)v.i;
    }
    return (poyi_ref_value){poy_dtype_is_complex(x->dtype) ? (double complex)product : (double)real_product,
                            (int64_t)whole};
}

static poyi_ref_value fold_mean(const poy_tensor *x, poyi_ref_walk *w)
{
    double n = 1;
    for (int i = 0; i < w->rank; i++)
        n *= (double)w->extent[i];
    poyi_ref_value v = fold_sum(x, w);
    return (poyi_ref_value){CMPLX(creal(v.z) / n, cimag(v.z) / n), 0};
}

/* Squares of all binary64 numbers are within the extended range. */
static poyi_ref_value fold_norm(const poy_tensor *x, poyi_ref_walk *w)
{
    long double sum = 0;
    while (poyi_ref_walk_next(w)) {
        double complex z = poyi_ref_load(x, w->at[0]).z;
        long double re = creal(z), im = cimag(z);
        sum += re * re + im * im;
    }
    return (poyi_ref_value){(double)sqrtl(sum), 0};
}

static int is_nonzero(const poy_tensor *x, poyi_ref_value v)
{
    return poyi_ref_is_whole(x->dtype) ? v.i != 0 : creal(v.z) != 0 || cimag(v.z) != 0;
}

static poyi_ref_value fold_any(const poy_tensor *x, poyi_ref_walk *w)
{
    int64_t found = 0;
    while (poyi_ref_walk_next(w))
        found |= is_nonzero(x, poyi_ref_load(x, w->at[0]));
    return (poyi_ref_value){0, found};
}

static poyi_ref_value fold_all(const poy_tensor *x, poyi_ref_walk *w)
{
    int64_t found = 1;
    while (poyi_ref_walk_next(w))
        found &= is_nonzero(x, poyi_ref_load(x, w->at[0]));
    return (poyi_ref_value){0, found};
}

/* The first NaN, else the first of the largest, or with sign -1 of the smallest. */
static poyi_ref_value place_of(const poy_tensor *x, poyi_ref_walk *w, int sign)
{
    poyi_ref_value best = {0, 0};
    int64_t place = 0;
    for (int64_t i = 0; poyi_ref_walk_next(w); i++) {
        poyi_ref_value v = poyi_ref_load(x, w->at[0]);
        double a = creal(v.z), b = creal(best.z);
        int is_better = poyi_ref_is_whole(x->dtype) ? (sign > 0 ? v.i > best.i : v.i < best.i)
                                                    : !isnan(b) && (isnan(a) || (sign > 0 ? a > b : a < b));
        if (i == 0 || is_better) {
            best = v;
            place = i;
        }
    }
    return (poyi_ref_value){0, place};
}
static poyi_ref_value fold_argmax(const poy_tensor *x, poyi_ref_walk *w)
{
    return place_of(x, w, 1);
}
static poyi_ref_value fold_argmin(const poy_tensor *x, poyi_ref_walk *w)
{
    return place_of(x, w, -1);
}

#define REDUCTION(name)                                                                                         \
    poy_status poyi_ref_##name(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y) \
    {                                                                                                           \
        (void)ctx;                                                                                              \
        (void)be;                                                                                               \
        return reduce(fold_##name, n_reduced, x, y);                                                            \
    }
REDUCTION(sum)
REDUCTION(prod)
REDUCTION(mean)
REDUCTION(norm)
REDUCTION(any)
REDUCTION(all)
REDUCTION(max)
REDUCTION(min)
REDUCTION(argmax)
REDUCTION(argmin)

/* z_ij = sum over k of x_ik y_kj. */
static poyi_ref_value row_times_column(const poy_tensor *x, int64_t row, const poy_tensor *y, int64_t column)
{
    int last = x->rank - 1;
    poyi_ref_products sum = {{0, 0}, {0, 0}, 0};
    for (int64_t k = 0; k < x->extent[last]; k++)
        poyi_ref_products_add(&sum, x->dtype, poyi_ref_load(x, row + k * x->stride[last]),
                              poyi_ref_load(y, column + k * y->stride[last - 1]));
    return poyi_ref_products_end(&sum);
}

poy_status poyi_ref_matmul(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y, const poy_tensor *z)
{
    (void)ctx;
    (void)be;
    const poy_tensor *const all[3] = {z, x, y};
    int row = z->rank - 2, column = z->rank - 1;
    poyi_ref_walk batch = poyi_ref_walk_over(3, all, 0, row);
    while (poyi_ref_walk_next(&batch))
        for (int64_t i = 0; i < z->extent[row]; i++)
            for (int64_t j = 0; j < z->extent[column]; j++)
                poyi_ref_store(
                    z, batch.at[0] + i * z->stride[row] + j * z->stride[column],
                    row_times_column(x, batch.at[1] + i * x->stride[row], y, batch.at[2] + j * y->stride[column]));
    return POY_OK;
}
