/* matrix_functions.c: functions of matrices that are composed of products and solutions. */
#include <math.h>

#include "ops/pade.h"
#include "ops/pool.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

/* ---- norms ---- */

/* Of the last two axes. */
typedef poy_status norm_fn(poy_ctx *ctx, const poy_array *x, double power, poy_array **y);

static poy_status operator_norm(poy_ctx *ctx, const poy_array *x, double power, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *sums = NULL;
    const int by_rows = isinf(power), summed = by_rows ? -1 : -2;
    if (fabs(power) == 2)
        POYI_TO_DONE(ctx, poy_svd(ctx, x, 0, NULL, &sums, NULL));
    else
        POYI_TO_DONE(ctx, poy_vector_norm(ctx, x, 1, summed, 0, &sums));
    /* the largest or the smallest of them, by the rules that hold of nothing, too */
    status = poy_vector_norm(ctx, sums, power > 0 ? INFINITY : -INFINITY, -1, 0, y);
done:
    poy_array_destroy(&sums);
    return status;
}

static poy_status sum_of_singular_values(poy_ctx *ctx, const poy_array *x, double power, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *s = NULL;
    const int last = -1;
    (void)power;
    POYI_TO_DONE(ctx, poy_svd(ctx, x, 0, NULL, &s, NULL));
    POYI_TO_DONE(ctx, poy_sum(ctx, s, 1, &last, 0, y));
done:
    poy_array_destroy(&s);
    return status;
}

/* The matrices' axes last, their norms, the axes back with extent 1 if they are kept. */
static poy_status norm_over(poy_ctx *ctx, const poy_array *x, norm_fn *f, double power, const int *axes, int keepdims,
                            poy_array **y)
{
    static const int last[2] = {-2, -1};
    poy_status status = POY_OK;
    poy_array *moved = NULL, *norms = NULL;

    *y = NULL;
    if (x->rank < 2)
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "matrix norm: shape %s has no matrix, needs two axes",
                         poyi_shape_print(x->rank, x->extent).text);
    axes = axes ? axes : last;
    POYI_TO_DONE(ctx, poy_array_move_axes(ctx, x, 2, axes, last, &moved));
    POYI_TO_DONE(ctx, f(ctx, moved, power, keepdims ? &norms : y));
    if (keepdims)
        POYI_TO_DONE(ctx, poy_array_expand_dims(ctx, norms, 2, axes, y));
done:
    poy_array_destroy(&norms);
    poy_array_destroy(&moved);
    return status;
}

poy_status poy_matrix_norm(poy_ctx *ctx, const poy_array *x, double power, const int *axes, int keepdims, poy_array **y)
{
    *y = NULL;
    if (fabs(power) != 1 && fabs(power) != 2 && !isinf(power))
        return POYI_FAIL(ctx, POY_ERR_ARGUMENT, "matrix norm: p is %g, needs 1, 2, an infinity, or one below 0", power);
    return norm_over(ctx, x, operator_norm, power, axes, keepdims, y);
}

poy_status poy_nuclear_norm(poy_ctx *ctx, const poy_array *x, const int *axes, int keepdims, poy_array **y)
{
    return norm_over(ctx, x, sum_of_singular_values, 1, axes, keepdims, y);
}

/* ---- exponentials ---- */

/* The largest 1-norm of a stack's matrices. */
static poy_status largest_norm(poy_ctx *ctx, const poy_array *a, double *out)
{
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};
    poy_array **norms = poyi_pool_next(&p), **largest = poyi_pool_next(&p), **wide = poyi_pool_next(&p);
    *out = 0;
    if (!a->size)
        return POY_OK;
    POYI_TO_DONE(ctx, poy_matrix_norm(ctx, a, 1, NULL, 0, norms));
    POYI_TO_DONE(ctx, poy_max(ctx, *norms, POY_ALL_AXES, NULL, 0, largest));
    POYI_TO_DONE(ctx, poy_copy(ctx, *largest, POY_F64, wide));
    POYI_TO_DONE(ctx, poy_array_read(ctx, *wide, out));
done:
    poyi_pool_fini(&p);
    return status;
}

/* c[0] t[0] + c[1] t[1] + ... */
static poy_status combine(poy_ctx *ctx, int n, const double *c, poy_array *const *t, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *factor = NULL;
    *y = NULL;
    POYI_TO_DONE(ctx, poy_fill(ctx, t[0]->be, (poy_scalar){0, 0}, t[0]->dtype, t[0]->rank, t[0]->extent, y));
    POYI_TO_DONE(ctx, poy_fill(ctx, t[0]->be, (poy_scalar){0, 0}, t[0]->dtype, 0, NULL, &factor));
    for (int k = 0; k < n; k++) {
        POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){c[k], 0}, factor));
        POYI_TO_DONE(ctx, poy_axpy_into(ctx, factor, t[k], *y, *y));
    }
done:
    poy_array_destroy(&factor);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

const double poyi_expm_pade[POYI_PADE_DEGREE + 1] = {64764752532480000.0,
                                                     32382376266240000.0,
                                                     7771770303897600.0,
                                                     1187353796428800.0,
                                                     129060195264000.0,
                                                     10559470521600.0,
                                                     670442572800.0,
                                                     33522128640.0,
                                                     1323241920.0,
                                                     40840800.0,
                                                     960960.0,
                                                     16380.0,
                                                     182.0,
                                                     1.0};

/* u, odd, and v, even, of the approximant (v + u) / (v - u) of degree 13; power: 1, a^2, a^4, a^6. */
static poy_status pade(poy_ctx *ctx, poyi_pool *p, const poy_array *a, poy_array *const *power, poy_array **u,
                       poy_array **v)
{
    const double *b = poyi_expm_pade;
    poy_array **inner = poyi_pool_next(p), **product = poyi_pool_next(p), **low = poyi_pool_next(p);
    poy_array **odd = poyi_pool_next(p), **even = poyi_pool_next(p), **rest = poyi_pool_next(p);
    poy_array **top = poyi_pool_next(p);
    const double odd_high[3] = {b[9], b[11], b[13]}, odd_low[4] = {b[1], b[3], b[5], b[7]};
    const double even_high[3] = {b[8], b[10], b[12]}, even_low[4] = {b[0], b[2], b[4], b[6]};
    POYI_TRY(ctx, combine(ctx, 3, odd_high, power + 1, inner));
    POYI_TRY(ctx, poy_matmul(ctx, power[3], *inner, product));
    POYI_TRY(ctx, combine(ctx, 4, odd_low, power, low));
    POYI_TRY(ctx, poy_add(ctx, *product, *low, odd));
    POYI_TRY(ctx, poy_matmul(ctx, a, *odd, u));
    POYI_TRY(ctx, combine(ctx, 3, even_high, power + 1, even));
    POYI_TRY(ctx, poy_matmul(ctx, power[3], *even, rest));
    POYI_TRY(ctx, combine(ctx, 4, even_low, power, top));
    POYI_TRY(ctx, poy_add(ctx, *rest, *top, v));
    return POY_OK;
}

/* Ones on the diagonals of a stack. */
static poy_status identity_like(poy_ctx *ctx, const poy_array *a, poy_array **y)
{
    poy_status status = POY_OK;
    poy_array *diagonal = NULL;
    POYI_TO_DONE(ctx, poy_fill(ctx, a->be, (poy_scalar){0, 0}, a->dtype, a->rank, a->extent, y));
    POYI_TO_DONE(ctx, poy_array_diagonal(ctx, *y, 0, &diagonal));
    POYI_TO_DONE(ctx, poy_fill_into(ctx, (poy_scalar){1, 0}, diagonal));
done:
    poy_array_destroy(&diagonal);
    return status;
}

static poy_status exponential(poy_ctx *ctx, poyi_pool *p, const poy_array *a, int squarings, poy_array **y)
{
    poy_array *power[4] = {NULL}, **factor = poyi_pool_next(p), **scaled = poyi_pool_next(p);
    poy_array **u = poyi_pool_next(p), **v = poyi_pool_next(p), **above = poyi_pool_next(p);
    poy_array **below = poyi_pool_next(p), **one = poyi_pool_next(p), **two = poyi_pool_next(p);
    poy_array **four = poyi_pool_next(p), **six = poyi_pool_next(p);
    POYI_TRY(ctx, poy_fill(ctx, a->be, (poy_scalar){ldexp(1, -squarings), 0}, a->dtype, 0, NULL, factor));
    POYI_TRY(ctx, poy_mul(ctx, a, *factor, scaled));
    POYI_TRY(ctx, identity_like(ctx, a, one));
    POYI_TRY(ctx, poy_matmul(ctx, *scaled, *scaled, two));
    POYI_TRY(ctx, poy_matmul(ctx, *two, *two, four));
    POYI_TRY(ctx, poy_matmul(ctx, *two, *four, six));
    power[0] = *one;
    power[1] = *two;
    power[2] = *four;
    power[3] = *six;
    POYI_TRY(ctx, pade(ctx, p, *scaled, power, u, v));
    POYI_TRY(ctx, poy_add(ctx, *v, *u, above));
    POYI_TRY(ctx, poy_sub(ctx, *v, *u, below));
    POYI_TRY(ctx, poy_solve(ctx, *below, *above, y));
    for (int k = 0; k < squarings; k++) {
        poy_array *square = NULL;
        POYI_TRY(ctx, poy_matmul(ctx, *y, *y, &square));
        poy_array_destroy(y);
        *y = square;
    }
    return POY_OK;
}

poy_status poy_expm(poy_ctx *ctx, const poy_array *a, poy_array **y)
{
    const double theta = 5.371920351148152; /* the largest norm for which degree 13 is exact to 2^-53 */
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};
    double norm = 0;
    int whole = a->dtype == POY_I32 || a->dtype == POY_I64 || a->dtype == POY_B8;

    *y = NULL;
    if (a->rank < 2 || a->extent[a->rank - 1] != a->extent[a->rank - 2])
        return POYI_FAIL(ctx, POY_ERR_SHAPE, "expm: shape %s is no stack of square matrices",
                         poyi_shape_print(a->rank, a->extent).text);
    poy_array **floating = poyi_pool_next(&p);
    if (whole) {
        POYI_TO_DONE(ctx, poy_copy(ctx, a, POY_F64, floating));
        a = *floating;
    }
    POYI_TO_DONE(ctx, largest_norm(ctx, a, &norm));
    if (!isfinite(norm)) {
        status = POYI_FAIL(ctx, POY_ERR_NONFINITE, "expm: the matrix has a norm of %g", norm);
        goto done;
    }
    POYI_TO_DONE(ctx, exponential(ctx, &p, a, norm > theta ? (int)ceil(log2(norm / theta)) : 0, y));
done:
    poyi_pool_fini(&p);
    if (status != POY_OK)
        poy_array_destroy(y);
    return status;
}

/* ---- powers of complex numbers ---- */

poy_status poy_power_of(poy_ctx *ctx, const poy_array *x, const poy_array *y, poy_array **z)
{
    poy_status status = POY_OK;
    poyi_pool p = {.n = 0};
    poy_dtype dtype = poy_result_type(x->dtype, y->dtype);

    *z = NULL;
    if (!poy_dtype_is_complex(dtype))
        return poy_pow(ctx, x, y, z);
    poy_array **log = poyi_pool_next(&p), **exponent = poyi_pool_next(&p), **powers = poyi_pool_next(&p);
    poy_array **zero = poyi_pool_next(&p), **one = poyi_pool_next(&p), **nan = poyi_pool_next(&p);
    poy_array **x_is_zero = poyi_pool_next(&p), **y_is_zero = poyi_pool_next(&p), **re = poyi_pool_next(&p);
    poy_array **real_zero = poyi_pool_next(&p), **rises = poyi_pool_next(&p), **of_zero = poyi_pool_next(&p);
    poy_array **of_zeros = poyi_pool_next(&p), **wide = poyi_pool_next(&p);
    POYI_TO_DONE(ctx, poy_copy(ctx, x, dtype, wide));
    POYI_TO_DONE(ctx, poy_log(ctx, *wide, log));
    POYI_TO_DONE(ctx, poy_mul(ctx, y, *log, exponent));
    POYI_TO_DONE(ctx, poy_exp(ctx, *exponent, powers));
    POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, dtype, 0, NULL, zero));
    POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){1, 0}, dtype, 0, NULL, one));
    POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){(double)NAN, (double)NAN}, dtype, 0, NULL, nan));
    POYI_TO_DONE(ctx, poy_eq(ctx, x, *zero, x_is_zero));
    POYI_TO_DONE(ctx, poy_eq(ctx, y, *zero, y_is_zero));
    POYI_TO_DONE(ctx, poy_real(ctx, y, re));
    POYI_TO_DONE(ctx, poy_fill(ctx, x->be, (poy_scalar){0, 0}, (*re)->dtype, 0, NULL, real_zero));
    POYI_TO_DONE(ctx, poy_gt(ctx, *re, *real_zero, rises));
    POYI_TO_DONE(ctx, poy_where(ctx, *rises, *zero, *nan, of_zero));
    POYI_TO_DONE(ctx, poy_where(ctx, *y_is_zero, *one, *of_zero, of_zeros));
    POYI_TO_DONE(ctx, poy_where(ctx, *x_is_zero, *of_zeros, *powers, z));
done:
    poyi_pool_fini(&p);
    return status;
}
