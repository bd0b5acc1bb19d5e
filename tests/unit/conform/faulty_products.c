/* faulty_products.c: defects of products of whole numbers, and of the outputs of factorisations that stand beside the one that
 * is known: permutations, left factors, vectors. */
#include "faulty.h"

typedef poyi_ref_value value;

/* ---- whole numbers ---- */

static poy_status adds_products_as_doubles(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                           const poy_tensor *z)
{
    const int row = z->rank - 2, column = z->rank - 1;
    const poy_tensor *const all[3] = {z, x, y};
    poyi_ref_walk w = poyi_ref_walk_over(3, all, 0, row);
    (void)ctx, (void)be;
    while (poyi_ref_walk_next(&w))
        for (int64_t i = 0; i < z->extent[row]; i++)
            for (int64_t j = 0; j < z->extent[column]; j++) {
                double sum = 0;
                for (int64_t k = 0; k < x->extent[column]; k++)
                    sum += (double)poyi_ref_load(x, w.at[1] + i * x->stride[row] + k * x->stride[column]).i *
                           (double)poyi_ref_load(y, w.at[2] + k * y->stride[row] + j * y->stride[column]).i;
                const int64_t whole = sum >= 0x1p63 ? INT64_MAX : sum < -0x1p63 ? INT64_MIN : (int64_t)sum;
                poyi_ref_store(z, w.at[0] + i * z->stride[row] + j * z->stride[column], (value){0, whole});
            }
    return POY_OK;
}

/* A sum of b8 modulo 2. */
static poy_status counts_modulo_two(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                    const poy_tensor *z)
{
    int64_t sum = 0;
    (void)ctx, (void)be;
    for (int64_t k = 0; k < x->extent[0]; k++)
        sum += poyi_ref_load(x, x->offset + k * x->stride[0]).i * poyi_ref_load(y, y->offset + k * y->stride[0]).i;
    poyi_ref_store(z, z->offset, (value){0, sum % 2});
    return POY_OK;
}

static poy_status adds_exclusively(poy_ctx *ctx, void *be, const poy_tensor *x, const poy_tensor *y,
                                   const poy_tensor *z)
{
    const poy_tensor *const all[3] = {x, y, z};
    poyi_ref_walk w = poyi_ref_walk_over(3, all, 0, z->rank);
    (void)ctx, (void)be;
    while (poyi_ref_walk_next(&w))
        poyi_ref_store(z, w.at[2], (value){0, poyi_ref_load(x, w.at[0]).i != poyi_ref_load(y, w.at[1]).i});
    return POY_OK;
}

/* ---- factors ---- */

/* Column j of every matrix of t times z. */
static void scale_column(const poy_tensor *t, int64_t j, double complex z)
{
    for (int64_t b = 0; b < t->extent[0]; b++)
        for (int64_t i = 0; i < t->extent[1]; i++) {
            const int64_t at = t->offset + b * t->stride[0] + i * t->stride[1] + j * t->stride[2];
            poyi_ref_store(t, at, (value){poyi_ref_load(t, at).z * z, 0});
        }
}

static poy_status forgets_the_exchanges(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                        const poy_tensor *out)
{
    poy_status status = poyi_ref_lu(ctx, be, arg, in, out);
    for (int64_t b = 0; b < out[2].extent[0]; b++)
        for (int64_t i = 0; i < out[2].extent[2]; i++)
            poyi_ref_store(&out[2], out[2].offset + b * out[2].stride[0] + i, (value){0, i});
    return status;
}

static poy_status divides_by_the_wrong_pivot(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                             const poy_tensor *out)
{
    poy_status status = poyi_ref_lu(ctx, be, arg, in, out);
    if (out[0].extent[1] > 1) {
        const int64_t at = out[0].offset + out[0].stride[1];
        poyi_ref_store(&out[0], at, (value){0.5 * poyi_ref_load(&out[0], at).z, 0});
    }
    return status;
}

static poy_status turns_a_column_of_q(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                      const poy_tensor *out)
{
    poy_status status = poyi_ref_qr(ctx, be, arg, in, out);
    scale_column(&out[0], 0, -1);
    return status;
}

/* The front end gives vectors their phase; what it cannot mend is their length. */
static poy_status leaves_vectors_long(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                      const poy_tensor *out)
{
    poy_status status = poyi_ref_eig(ctx, be, arg, in, out);
    scale_column(&out[1], 0, 1 + 1e-12);
    return status;
}

static poy_status gives_two_vectors_in_one(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                           const poy_tensor *out)
{
    poy_status status = poyi_ref_eigh(ctx, be, arg, in, out);
    const poy_tensor *v = &out[1];
    for (int64_t i = 0; i < v->extent[1] && v->extent[2] > 1; i++)
        poyi_ref_store(v, v->offset + i * v->stride[1] + v->stride[2], poyi_ref_load(v, v->offset + i * v->stride[1]));
    return status;
}

static poy_status loses_the_gauge(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                  const poy_tensor *out)
{
    poy_status status = poyi_ref_eigh(ctx, be, arg, in, out);
    scale_column(&out[1], out[1].extent[2] - 1, -1);
    return status;
}

static poy_status turns_u_alone(poy_ctx *ctx, void *be, const poy_linalg_arg *arg, const poy_tensor *in,
                                const poy_tensor *out)
{
    poy_status status = poyi_ref_svd(ctx, be, arg, in, out);
    scale_column(&out[0], 0, CMPLX(0, 1));
    return status;
}

const faulty_defect *faulty_products(size_t *n)
{
    static const faulty_defect defects[] = {
        DEFECT(adds_products_as_doubles, matmul, matmul, I64),
        DEFECT(counts_modulo_two, vdot, dot, B8),
        DEFECT(adds_exclusively, add, binary, B8),
        DEFECT(forgets_the_exchanges, lu, linalg, F64),
        DEFECT(divides_by_the_wrong_pivot, lu, linalg, C64),
        DEFECT(turns_a_column_of_q, qr, linalg, F32),
        DEFECT(leaves_vectors_long, eig, linalg, C128),
        DEFECT(gives_two_vectors_in_one, eigh, linalg, F64),
        DEFECT(loses_the_gauge, eigh, linalg, C128),
        DEFECT(turns_u_alone, svd, linalg, C128),
    };
    *n = sizeof defects / sizeof defects[0];
    return defects;
}
