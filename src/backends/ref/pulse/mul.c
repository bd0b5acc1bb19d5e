/* mul.c: z = x y as a row of a program; y has one column for all columns of x, or as many. */
#include "backends/ref/pulse/rows.h"

static double complex element(const poy_step *step, int buffer, int64_t i)
{
    return poyi_ref_slot(step, buffer)->dtype == POY_C128 ? poyi_ref_c128(step, buffer)[i]
                                                          : poyi_ref_f64(step, buffer)[i];
}

static poy_status run(poy_ctx *ctx, const poy_step *step, void *be, const double *scalars)
{
    const poy_slot *z = poyi_ref_slot(step, 0), *y = poyi_ref_slot(step, 2);

    (void)ctx, (void)be, (void)scalars;
    for (int64_t i = 0; i < z->cols * z->len; i++) {
        const double complex product = element(step, 1, i) * element(step, 2, y->cols == 1 ? i % z->len : i);
        if (z->dtype == POY_C128)
            poyi_ref_c128(step, 0)[i] = product;
        else
            poyi_ref_f64(step, 0)[i] = creal(product);
    }
    return POY_OK;
}

POYI_REF_ROW(mul, run)
