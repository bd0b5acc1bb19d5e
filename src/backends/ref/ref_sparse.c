/* ref_sparse.c: products of sparse matrices, term by term. */
#include "backends/ref/ref.h"

static int64_t place(const poy_tensor *t, int64_t i)
{
    return poyi_ref_load(t, t->offset + i * t->stride[0]).i;
}

/* y_ij = sum over the entries e of row i of v_e x_(index_e, j), or of conj(v_e). */
poy_status poyi_ref_spmm(poy_ctx *ctx, void *be, const poy_sparse_arg *a, const poy_tensor *x, const poy_tensor *y)
{
    const poy_tensor *start = a->start, *index = a->index, *v = a->v;
    const int is_complex = poy_dtype_is_complex(v->dtype);
    (void)ctx;
    (void)be;
    for (int64_t i = 0; i < y->extent[0]; i++)
        for (int64_t j = 0; j < y->extent[1]; j++) {
            poyi_ref_total re = {0, 0}, im = {0, 0};
            for (int64_t e = place(start, i); e < place(start, i + 1); e++) {
                double complex w = poyi_ref_load(v, v->offset + e * v->stride[0]).z;
                double complex b = poyi_ref_load(x, x->offset + place(index, e) * x->stride[0] + j * x->stride[1]).z;
                double complex term = is_complex ? (a->conjugate ? conj(w) : w) * b : creal(w) * creal(b);
                poyi_ref_total_add(&re, creal(term));
                poyi_ref_total_add(&im, cimag(term));
            }
            poyi_ref_store(y, y->offset + i * y->stride[0] + j * y->stride[1],
                           (poyi_ref_value){CMPLX(poyi_ref_total_end(&re), poyi_ref_total_end(&im)), 0});
        }
    return POY_OK;
}
