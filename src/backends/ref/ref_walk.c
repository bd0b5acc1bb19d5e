/* ref_walk.c: elements of any type, walks over tensors, and sums that keep what rounding loses. */
#include <math.h>

#include "backends/ref/ref.h"

poyi_ref_value poyi_ref_load(const poy_tensor *t, int64_t at)
{
    poyi_ref_value v = {0, 0};
    switch (t->dtype) {
    case POY_F32: v.z = (double)((const float *)t->mem)[at]; break;
    case POY_F64: v.z = ((const double *)t->mem)[at]; break;
    case POY_C64: v.z = ((const float complex *)t->mem)[at]; break;
    case POY_C128: v.z = ((const double complex *)t->mem)[at]; break;
    case POY_I32: v.i = ((const int32_t *)t->mem)[at]; break;
    case POY_I64: v.i = ((const int64_t *)t->mem)[at]; break;
    case POY_B8: v.i = ((const unsigned char *)t->mem)[at] != 0; break;
    }
    return v;
}

void poyi_ref_store(const poy_tensor *t, int64_t at, poyi_ref_value v)
{
    switch (t->dtype) {
    case POY_F32: ((float *)t->mem)[at] = (float)creal(v.z); break;
    case POY_F64: ((double *)t->mem)[at] = creal(v.z); break;
    case POY_C64: ((float complex *)t->mem)[at] = (float complex)v.z; break;
    case POY_C128: ((double complex *)t->mem)[at] = v.z; break;
    case POY_I32: ((int32_t *)t->mem)[at] = (int32_t)(uint32_t)(uint64_t)v.i; break; /* modulo 2^32 */
    case POY_I64: ((int64_t *)t->mem)[at] = v.i; break;
    case POY_B8: ((unsigned char *)t->mem)[at] = v.i != 0; break;
    }
}

poyi_ref_walk poyi_ref_walk_over(int n, const poy_tensor *const *t, int first, int end)
{
    poyi_ref_walk w = {.n = n, .rank = end - first};
    for (int i = 0; i < w.rank; i++) {
        w.extent[i] = t[0]->extent[first + i];
        for (int k = 0; k < n; k++)
            w.stride[k][i] = t[k]->stride[first + i];
    }
    for (int k = 0; k < n; k++)
        w.at[k] = t[k]->offset;
    return w;
}

int poyi_ref_walk_next(poyi_ref_walk *w)
{
    if (!w->started) {
        w->started = 1;
        return 1;
    }
    for (int i = w->rank - 1; i >= 0; i--) {
        for (int k = 0; k < w->n; k++)
            w->at[k] += w->stride[k][i];
        if (++w->index[i] < w->extent[i])
            return 1;
        for (int k = 0; k < w->n; k++)
            w->at[k] -= w->extent[i] * w->stride[k][i];
        w->index[i] = 0;
    }
    return 0;
}

void poyi_ref_total_add(poyi_ref_total *s, double term)
{
    double sum = s->sum + term;
    s->lost += fabs(s->sum) >= fabs(term) ? (s->sum - sum) + term : (term - sum) + s->sum;
    s->sum = sum;
}

double poyi_ref_total_end(const poyi_ref_total *s)
{
    return isfinite(s->sum) ? s->sum + s->lost : s->sum;
}

void poyi_ref_products_add(poyi_ref_products *s, poy_dtype dtype, poyi_ref_value a, poyi_ref_value b)
{
    const double complex term = poy_dtype_is_complex(dtype) ? a.z * b.z : creal(a.z) * creal(b.z);
    poyi_ref_total_add(&s->re, creal(term));
    poyi_ref_total_add(&s->im, cimag(term));
    if (dtype == POY_B8)
        s->whole |= a.i && b.i;
    else
        s->whole += (uint64_t)a.i * (uint64_t)b.i;
}

poyi_ref_value poyi_ref_products_end(const poyi_ref_products *s)
{
    return (poyi_ref_value){CMPLX(poyi_ref_total_end(&s->re), poyi_ref_total_end(&s->im)), (int64_t)s->whole};
}
