/* faulty_axes.c: defects of operations along axes: reductions, products, transforms. */
#include <math.h>

#include "backends/ref/ref.h"
#include "faulty.h"

static poyi_ref_value one_more(poyi_ref_value v)
{
    v.i++;
    return v;
}
static poyi_ref_value single(poyi_ref_value v)
{
    volatile float re = (float)creal(v.z), im = (float)cimag(v.z); /* else gcc 12 drops the rounding */
    v.z = CMPLX((double)re, (double)im);
    return v;
}
static poyi_ref_value modulus(poyi_ref_value v)
{
    v.z = cabs(v.z);
    return v;
}
static poyi_ref_value number(poyi_ref_value v)
{
    v.z = isnan(creal(v.z)) ? 0 : v.z;
    return v;
}
static poyi_ref_value conjugate(poyi_ref_value v)
{
    v.z = conj(v.z);
    return v;
}
static poyi_ref_value real_part(poyi_ref_value v)
{
    v.z = creal(v.z);
    return v;
}

static poy_status adds_one_by_one(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *const t[2] = {x, y};
    int kept = x->rank - n_reduced;
    poyi_ref_walk outer = poyi_ref_walk_over(2, t, 0, kept);
    (void)ctx;
    (void)be;
    while (poyi_ref_walk_next(&outer)) {
        float sum = 0;
        poyi_ref_walk inner = poyi_ref_walk_over(1, t, kept, x->rank);
        inner.at[0] = outer.at[0];
        while (poyi_ref_walk_next(&inner))
            sum += ((const float *)x->mem)[inner.at[0]];
        ((float *)y->mem)[outer.at[1]] = sum;
    }
    return POY_OK;
}

static poy_status forgets_an_axis(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    poy_tensor shorter = *x;
    shorter.extent[x->rank - n_reduced] = 1;
    return poyi_ref_max(ctx, be, n_reduced, &shorter, y);
}

static poy_status multiplies_transposed(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                        const poy_tensor *z)
{
    poy_tensor t = *y;
    int row = t.rank - 2;
    if (t.extent[row] == t.extent[row + 1]) {
        t.stride[row] = y->stride[row + 1];
        t.stride[row + 1] = y->stride[row];
    }
    return poyi_ref_matmul(ctx, be, x, &t, z);
}

static poy_status ignores_scale(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x,
                                const poy_tensor *y)
{
    poy_fft_arg other = *arg;
    other.scale = 1;
    return poyi_ref_fft(ctx, be, &other, x, y);
}

static poy_status turns_the_sign(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x,
                                 const poy_tensor *y)
{
    poy_fft_arg other = *arg;
    other.sign = -1;
    return poyi_ref_fft(ctx, be, &other, x, y);
}

static poy_status adds_from_one(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_sum(ctx, be, n_reduced, x, y);
    faulty_change_all(y, one_more);
    return POY_OK;
}

static poy_status adds_in_single(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_sum(ctx, be, n_reduced, x, y);
    faulty_change_all(y, single);
    return POY_OK;
}

static poy_status adds_moduli(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x, const poy_tensor *y)
{
    poyi_ref_sum(ctx, be, n_reduced, x, y);
    faulty_change_all(y, modulus);
    return POY_OK;
}

static poy_status chooses_numbers_before_nan(poy_ctx *ctx, void *be, int n_reduced, const poy_tensor *x,
                                             const poy_tensor *y)
{
    poyi_ref_min(ctx, be, n_reduced, x, y);
    faulty_change_all(y, number);
    return POY_OK;
}

static poy_status conjugates_the_right(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                       const poy_tensor *z)
{
    poy_status status = poyi_ref_matmul(ctx, be, x, y, z);
    faulty_change_all(z, conjugate);
    return status;
}

static poy_status repeats_the_first_batch(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                          const poy_tensor *z)
{
    poy_tensor t = *x;
    if (t.rank > 2)
        t.stride[0] = 0;
    return poyi_ref_matmul(ctx, be, &t, y, z);
}

static poy_status multiplies_in_single(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                       const poy_tensor *z)
{
    poy_status status = poyi_ref_matmul(ctx, be, x, y, z);
    faulty_change_all(z, single);
    return status;
}

static poy_status transforms_in_single(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x,
                                       const poy_tensor *y)
{
    poy_status status = poyi_ref_fft(ctx, be, arg, x, y);
    faulty_change_all(y, single);
    return status;
}

/* Only the first bin of a real line's spectrum may be real without being so. */
static poy_status makes_spectra_real(poy_ctx *ctx, void *be, const poy_fft_arg *arg, const poy_tensor *x,
                                     const poy_tensor *y)
{
    poy_status status = poyi_ref_fft(ctx, be, arg, x, y);
    faulty_change_all(y, real_part);
    return status;
}

const faulty_defect *faulty_axes(size_t *n)
{
    static const faulty_defect defects[] = {
        DEFECT(adds_one_by_one, sum, reduce, F32),
        DEFECT(adds_from_one, sum, reduce, I64),
        DEFECT(adds_in_single, sum, reduce, F64),
        DEFECT(adds_moduli, sum, reduce, C128),
        DEFECT(forgets_an_axis, max, reduce, I64),
        DEFECT(chooses_numbers_before_nan, min, reduce, F32),
        DEFECT(multiplies_transposed, matmul, matmul, C64),
        DEFECT(conjugates_the_right, matmul, matmul, C128),
        DEFECT(repeats_the_first_batch, matmul, matmul, F32),
        DEFECT(multiplies_in_single, matmul, matmul, F64),
        DEFECT(ignores_scale, fft, fft, F32),
        DEFECT(turns_the_sign, fft, fft, C128),
        DEFECT(transforms_in_single, fft, fft, C128),
        DEFECT(makes_spectra_real, fft, fft, F64),
    };
    *n = sizeof defects / sizeof defects[0];
    return defects;
}
