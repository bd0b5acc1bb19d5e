/* judge.c: got against wanted, by the tolerance of the row, with the rules for what is not finite and for zeros. */
#include <math.h>
#include <stdio.h>

#include "conform/conform.h"

const poyi_scale poyi_row_scales[POYI_OP_COUNT] = {
#define POY_OP(name, family, dtypes, out, tol, scale, text) [POYI_OP_##name] = POYI_SCALE_##scale,
#include "poynting/ops.def"
#undef POY_OP
};

double poyi_row_tolerance(int op, poy_dtype dtype)
{
#define POY_OP(name, family, dtypes, out, tol, scale, text) [POYI_OP_##name] = tol,
#define POY_TOL(real, complex) real
    static const double of_real[POYI_OP_COUNT] = {
#include "poynting/ops.def"
    };
#define POY_TOL(real, complex) complex
    static const double of_complex[POYI_OP_COUNT] = {
#include "poynting/ops.def"
    };
#undef POY_OP
    return (poy_dtype_is_complex(dtype) ? of_complex : of_real)[op];
}

/* Only moves values: zeros keep their signs. */
static int keeps_signs(poyi_op op)
{
    return op == POYI_OP_fill || op == POYI_OP_copy || op == POYI_OP_neg || op == POYI_OP_conj || op == POYI_OP_real ||
           op == POYI_OP_imag;
}

/* Sums of products: an infinite term may come out as NaN, since complex products are the plain formula. */
static int blurs_infinities(poyi_op op)
{
    return op == POYI_OP_mul || op == POYI_OP_cis_mul || op == POYI_OP_prod || op == POYI_OP_vdot ||
           op == POYI_OP_square || op == POYI_OP_axpy || op == POYI_OP_matmul || op == POYI_OP_spmm ||
           op == POYI_OP_fft;
}

static int class_of(poyi_wide v)
{
    return isinf(v.re) || isinf(v.im) ? 1 : isnan(v.re) || isnan(v.im) ? 2 : 0;
}

static int same_sign_of_zero(long double a, long double b)
{
    return a != 0 || !signbit(a) == !signbit(b);
}

/* The least scale, in units of the least normal number. Below it a rounding is one of half of the least number of all, whatever
 * is rounded: a sum of n products has n of them (complex: two in each part), a transform one for each of n numbers in each of
 * log2(n) stages, which add up as the line does, to the root of n. Sums and quotients have one. */
static double least_scale(const poyi_case *c)
{
    const double n = c->n > 1 ? (double)c->n : 1;
    switch (poyi_op_rows[c->op].family) {
    case POY_FAMILY_dot:
    case POY_FAMILY_matmul:
    case POY_FAMILY_sparse: return poy_dtype_is_complex(c->dtype) ? 2 * n : n;
    case POY_FAMILY_fft: return fmax(1, log2(n) * sqrt(n));
    default: return 1;
    }
}

/* The error in units of the bound; above 1, or NaN, where the element fails. */
static double error_of(const poyi_case *c, poyi_wide want, double scale, poyi_wide got)
{
    poy_dtype dtype = poyi_case_result(c)->dtype;
    const poyi_scale rule = poyi_row_scales[c->op];
    int is_floating = dtype == POY_F32 || dtype == POY_F64 || dtype == POY_C64 || dtype == POY_C128;
    int single = c->dtype == POY_F32 || c->dtype == POY_C64;

    if (class_of(want)) {
        if (!poy_dtype_is_complex(c->dtype) && !poy_dtype_is_complex(dtype))
            return got.re == want.re || (isnan(got.re) && isnan(want.re)) ? 0 : NAN;
        if (rule == POYI_SCALE_EXACT) /* each part by itself */
            return (got.re == want.re || (isnan(got.re) && isnan(want.re))) &&
                           (got.im == want.im || (isnan(got.im) && isnan(want.im)))
                       ? 0
                       : NAN;
        return blurs_infinities(c->op) ? (class_of(got) ? 0 : NAN) : (class_of(got) == class_of(want) ? 0 : NAN);
    }
    if (rule == POYI_SCALE_EXACT || !is_floating) {
        int equal = got.re == want.re && got.im == want.im;
        if (keeps_signs(c->op) && is_floating)
            equal = equal && same_sign_of_zero(want.re, got.re) && same_sign_of_zero(want.im, got.im);
        return equal ? 0 : NAN;
    }
    /* The side of a root's cut. */
    if (c->op == POYI_OP_sqrt && poy_dtype_is_complex(dtype) && !same_sign_of_zero(want.im, got.im))
        return NAN;
    double error = (double)hypotl(got.re - want.re, got.im - want.im);
    if (error == 0)
        return 0;
    const double eps = single ? 0x1p-23 : 0x1p-52, least = least_scale(c) * (single ? 0x1p-126 : 0x1p-1022);
    return error / (c->allowance * poyi_row_tolerance((int)c->op, c->dtype) * eps *
                    (scale > least ? scale : least)); /* below the normal range eps is absolute */
}

int poyi_judge(const poyi_case *c, const poyi_expected *expected, const void *got, double *worst, size_t size,
               char *text)
{
    const poyi_operand *y = poyi_case_result(c);

    *worst = 0;
    for (int64_t i = 0; i < y->size; i++) {
        if (expected->scale[i] < 0)
            continue;
        poyi_wide want = expected->value[i], have = poyi_wide_load(y->dtype, got, i);
        double error = error_of(c, want, expected->scale[i], have);
        if (error > *worst)
            *worst = error;
        if (!(error <= 1)) {
            snprintf(text, size, "element %lld of %s: got %.17Lg%+.17Lgi, want %.17Lg%+.17Lgi, %.3g times the bound",
                     (long long)i, poyi_shape_print(y->rank, y->extent).text, have.re, have.im, want.re, want.im,
                     error);
            return 0;
        }
    }
    return 1;
}
