/* test_factors.c: LU, QR and eigenvectors give the matrix back, whatever its shape and rank; what is refused. */
#include <complex.h>

#include "array_fixture.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

enum { SIDE = 6 };

/* max |x| of an array of one of the floating types. */
static double largest(const poy_array *x)
{
    double value = (double)NAN;
    poy_array *m = NULL, *wide = NULL, *modulus = NULL;
    if (!x->size)
        return 0;
    MUST(poy_abs(ctx, x, &modulus));
    MUST(poy_max(ctx, modulus, POY_ALL_AXES, NULL, 0, &m));
    MUST(poy_copy(ctx, m, POY_F64, &wide));
    MUST(poy_array_read(ctx, wide, &value));
    poy_array_destroy(&wide);
    poy_array_destroy(&m);
    poy_array_destroy(&modulus);
    return value;
}

/* max |x - y|, both given back. */
static double apart(poy_array *x, poy_array *y)
{
    poy_array *d = NULL;
    MUST(poy_sub(ctx, x, y, &d));
    double value = largest(d);
    poy_array_destroy(&d);
    poy_array_destroy(&y);
    poy_array_destroy(&x);
    return value;
}

static poy_array *product(const poy_array *x, const poy_array *y)
{
    poy_array *z = NULL;
    MUST(poy_matmul(ctx, x, y, &z));
    return z;
}

static poy_array *again(const poy_array *x)
{
    poy_array *y = NULL;
    MUST(poy_copy(ctx, x, x->dtype, &y));
    return y;
}

static poy_array *adjoint(const poy_array *x)
{
    poy_array *t = NULL, *y = NULL;
    MUST(poy_array_swap_axes(ctx, x, -1, -2, &t));
    MUST(poy_conj(ctx, t, &y));
    poy_array_destroy(&t);
    return y;
}

/* Two m x n matrices of small whole numbers; rank 1 less if deficient (the last column is the sum of the others). */
static poy_array *matrices(poy_dtype dtype, int64_t m, int64_t n, int deficient)
{
    const int64_t extent[3] = {2, m, n};
    double host[2 * SIDE * SIDE * 2];
    unsigned state = 12345;
    for (int64_t i = 0; i < 2 * m * n * 2; i++) {
        state = state * 1103515245u + 12345u;
        host[i] = (double)(state >> 16 & 31) - 15;
    }
    for (int64_t r = 0; r < 2 * m && deficient; r++)
        for (int p = 0; p < 2; p++) {
            double *row = host + 2 * r * n + p, sum = 0;
            for (int64_t c = 0; c + 1 < n; c++)
                sum += row[2 * c];
            row[2 * (n - 1)] = sum;
        }
    poy_array *wide = make(POY_C128, 3, extent, host), *re = NULL, *y = NULL;
    if (!poy_dtype_is_complex(dtype))
        MUST(poy_real(ctx, wide, &re));
    MUST(poy_copy(ctx, re ? re : wide, dtype, &y));
    poy_array_destroy(&re);
    poy_array_destroy(&wide);
    return y;
}

static double unit_of(poy_dtype dtype)
{
    return dtype == POY_F32 || dtype == POY_C64 ? 0x1p-23 : 0x1p-52;
}

/* ---- lu ---- */

static poy_array *permuted(const poy_array *a, const poy_array *perm)
{
    poy_array *out[2], *y = NULL;
    for (int b = 0; b < 2; b++) {
        poy_array *one = NULL, *flat = NULL, *order = NULL, *line = NULL;
        const int first = 0;
        MUST(poy_array_slice(ctx, a, 0, b, b + 1, 1, &one));
        MUST(poy_array_squeeze(ctx, one, 1, &first, &flat));
        MUST(poy_array_slice(ctx, perm, 0, b, b + 1, 1, &order));
        MUST(poy_array_squeeze(ctx, order, 1, &first, &line));
        MUST(poy_take(ctx, flat, line, 0, &out[b]));
        poy_array_destroy(&line);
        poy_array_destroy(&order);
        poy_array_destroy(&flat);
        poy_array_destroy(&one);
    }
    MUST(poy_stack(ctx, 2, (const poy_array *const *)out, 0, &y));
    poy_array_destroy(&out[1]);
    poy_array_destroy(&out[0]);
    return y;
}

static void check_lu(poy_dtype dtype, int64_t m, int64_t n, int deficient)
{
    poy_array *a = matrices(dtype, m, n, deficient), *l = NULL, *u = NULL, *p = NULL;
    const double bound = 16 * SIDE * unit_of(dtype) * largest(a);
    int good = poy_lu(ctx, a, &l, &u, &p) == POY_OK && l->extent[2] == u->extent[1] && p->dtype == POY_I64;
    double off = good ? apart(product(l, u), permuted(a, p)) : (double)NAN;
    const double most = dtype == POY_C64 || dtype == POY_C128 ? 1.5 : 1 + 1e-6; /* LAPACK weighs |re| + |im| */
    ok(good && off <= bound && largest(l) <= most, "lu of %s %d x %d, rank %s: off by %.2g of %.2g",
       poy_dtype_name(dtype), (int)m, (int)n, deficient ? "less" : "full", off, bound);
    poy_array_destroy(&p);
    poy_array_destroy(&u);
    poy_array_destroy(&l);
    poy_array_destroy(&a);
}

/* ---- qr ---- */

static int diagonal_rises(const poy_array *r)
{
    poy_array *d = NULL, *wide = NULL;
    double z[2 * 2 * SIDE];
    int good = 1;
    MUST(poy_array_diagonal(ctx, r, 0, &d));
    MUST(poy_copy(ctx, d, POY_C128, &wide));
    MUST(poy_array_read(ctx, wide, z));
    for (int64_t i = 0; i < d->size; i++)
        good = good && z[2 * i] >= 0 && z[2 * i + 1] == 0;
    poy_array_destroy(&wide);
    poy_array_destroy(&d);
    return good;
}

static void check_qr(poy_dtype dtype, int64_t m, int64_t n, int deficient)
{
    poy_array *a = matrices(dtype, m, n, deficient), *q = NULL, *r = NULL, *one = NULL;
    const int64_t k = m < n ? m : n;
    const double u = 16 * SIDE * unit_of(dtype), bound = u * largest(a) * SIDE;
    int good = poy_qr(ctx, a, &q, &r) == POY_OK && q->extent[2] == k && r->extent[1] == k && diagonal_rises(r);
    MUST(poy_eye(ctx, be, k, k, 0, dtype, &one));
    double off = good ? apart(product(q, r), again(a)) : (double)NAN;
    poy_array *h = good ? adjoint(q) : NULL;
    double skew = good ? apart(product(h, q), one) : (double)NAN;
    ok(good && off <= bound && skew <= u, "qr of %s %d x %d, rank %s: off by %.2g of %.2g, skew by %.2g",
       poy_dtype_name(dtype), (int)m, (int)n, deficient ? "less" : "full", off, bound, skew);
    poy_array_destroy(&h);
    poy_array_destroy(&r);
    poy_array_destroy(&q);
    poy_array_destroy(&a);
}

/* ---- eig ---- */

static int is_ordered(const poy_array *w)
{
    double complex z[2 * SIDE];
    poy_array *wide = NULL;
    int good = 1;
    MUST(poy_copy(ctx, w, POY_C128, &wide));
    MUST(poy_array_read(ctx, wide, z));
    for (int64_t i = 0; i + 1 < w->size; i++)
        if (i % SIDE != SIDE - 1)
            good = good && (creal(z[i]) < creal(z[i + 1]) || fabs(creal(z[i]) - creal(z[i + 1])) < 1e-3);
    poy_array_destroy(&wide);
    return good;
}

static void check_eig(poy_dtype dtype)
{
    poy_array *a = matrices(dtype, SIDE, SIDE, 0), *w = NULL, *v = NULL, *row = NULL, *vw = NULL, *alone = NULL;
    const int axis = 1;
    const double bound = 64 * SIDE * unit_of(dtype) * largest(a) * SIDE;
    int good = poy_eig(ctx, a, &w, &v) == POY_OK && poy_eig(ctx, a, &alone, NULL) == POY_OK && is_ordered(w);
    MUST(poy_array_expand_dims(ctx, w, 1, &axis, &row));
    MUST(poy_mul(ctx, v, row, &vw));
    double off = apart(product(a, v), vw), same = apart(alone, again(w));
    ok(good && off <= bound && same <= bound, "eig of %s: a v - v w is %.2g of %.2g", poy_dtype_name(dtype), off,
       bound);
    poy_array_destroy(&row);
    poy_array_destroy(&v);
    poy_array_destroy(&w);
    poy_array_destroy(&a);
}

/* A rotation by a right angle has +-i, in this order: real parts are equal but for rounding. */
static void rotation(void)
{
    const double a[4] = {0.5, -1, 1, 0.5}, want[4] = {0.5, -1, 0.5, 1};
    const int64_t shape[2] = {2, 2};
    poy_array *x = make(POY_F64, 2, shape, a), *w = NULL;
    ok(poy_eig(ctx, x, &w, NULL) == POY_OK && distance(w, 4, want) <= 64 * 0x1p-52, "conjugate pairs, -i first");
    poy_array_destroy(&w);
    poy_array_destroy(&x);
}

/* One chain: a e_(i + 1) = e_i, or the other way round. All values are 0 and all vectors the same one, but a v = v w. */
static void chain(int64_t n, int64_t above)
{
    const int axis = 0;
    const double bound = 16 * (double)n * 0x1p-52;
    poy_array *a = NULL, *w = NULL, *v = NULL, *row = NULL, *vw = NULL;
    MUST(poy_eye(ctx, be, n, n, above, POY_F64, &a));
    const int good = poy_eig(ctx, a, &w, &v) == POY_OK;
    double off = (double)NAN, least = 0;
    if (good) {
        MUST(poy_array_expand_dims(ctx, w, 1, &axis, &row));
        MUST(poy_mul(ctx, v, row, &vw));
        poy_array *norms = NULL, *length = NULL;
        MUST(poy_norm(ctx, v, 1, &axis, 0, &norms));
        MUST(poy_min(ctx, norms, POY_ALL_AXES, NULL, 0, &length));
        MUST(poy_array_read(ctx, length, &least));
        off = apart(product(a, v), vw);
        poy_array_destroy(&length);
        poy_array_destroy(&norms);
    }
    ok(good && off <= bound && fabs(least - 1) <= bound, "eig of a chain of %d: a v - v w is %.2g of %.2g", (int)n, off,
       bound);
    poy_array_destroy(&row);
    poy_array_destroy(&v);
    poy_array_destroy(&w);
    poy_array_destroy(&a);
}

/* Two equal rows leave the columns no part of their own beyond the rank, not even by rounding. */
static void equal_rows(void)
{
    enum { MANY = 64 };
    const int64_t shape[3] = {MANY, SIDE, SIDE};
    const int axis = 1;
    poy_array *a = NULL, *rest = NULL, *first = NULL, *u = NULL, *s = NULL, *vh = NULL, *row = NULL, *us = NULL;
    MUST(poy_random_uniform(ctx, be, 1, 0, POY_F64, 3, shape, &a));
    MUST(poy_array_slice(ctx, a, 1, 0, 1, 1, &first));
    MUST(poy_array_slice(ctx, a, 1, 1, 2, 1, &rest));
    MUST(poy_copy_into(ctx, first, rest));
    const int good = poy_svd(ctx, a, 0, &u, &s, &vh) == POY_OK;
    double off = (double)NAN;
    if (good) {
        MUST(poy_array_expand_dims(ctx, s, 1, &axis, &row));
        MUST(poy_mul(ctx, u, row, &us));
        off = apart(product(us, vh), again(a));
    }
    ok(good && off <= 16 * SIDE * 0x1p-52 * SIDE, "svd of %d matrices with equal rows: off by %.2g: %s", MANY, off,
       good ? "" : poy_ctx_cause(ctx));
    poy_array_destroy(&us);
    poy_array_destroy(&row);
    poy_array_destroy(&vh);
    poy_array_destroy(&s);
    poy_array_destroy(&u);
    poy_array_destroy(&rest);
    poy_array_destroy(&first);
    poy_array_destroy(&a);
}

static void refusals(void)
{
    const double bad[4] = {1, NAN, 2, 3}, zeros[4] = {0, 0, 0, 0};
    const int64_t shape[2] = {2, 2}, tall[2] = {3, 2}, none[2] = {3, 0}, nothing[3] = {2, 0, 0}, two = 2;
    poy_array *x = make(POY_F64, 2, shape, bad), *z = make(POY_F64, 2, shape, zeros), *t = NULL, *n = NULL, *e = NULL;
    poy_array *a = NULL, *b = NULL, *c = NULL, *v = vector_of(POY_F64, two, bad);
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, POY_F64, 2, tall, &t));
    MUST(poy_array_create(ctx, be, POY_F64, 2, none, &n));
    MUST(poy_array_create(ctx, be, POY_C64, 3, nothing, &e));
    ok(poy_lu(ctx, x, &a, &b, &c) == POY_ERR_NONFINITE && !a && !b && !c, "lu of NaN");
    ok(poy_qr(ctx, x, &a, &b) == POY_ERR_NONFINITE && !a && !b, "qr of NaN");
    ok(poy_eig(ctx, x, &a, &b) == POY_ERR_NONFINITE && !a && !b, "eig of NaN");
    ok(poy_eig(ctx, t, &a, &b) == POY_ERR_SHAPE && !a && !b, "eig of what is not square");
    ok(poy_qr(ctx, v, &a, &b) == POY_ERR_SHAPE && !a && !b, "qr of a vector");
    ok(poy_lu(ctx, z, &a, &b, &c) == POY_OK && is(b, POY_F64, 2, shape, zeros), "lu of 0 has u = 0");
    poy_array_destroy(&c);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
    const int64_t order[3] = {0, 1, 2};
    ok(poy_lu(ctx, n, &a, &b, &c) == POY_OK && a->size == 0 && b->size == 0 && is_vector(c, POY_I64, 3, order),
       "lu of no columns");
    poy_array_destroy(&c);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
    ok(poy_eig(ctx, e, &a, &b) == POY_OK && a->rank == 2 && a->dtype == POY_C64 && b->rank == 3, "eig of no rows");
    poy_array_destroy(&b);
    poy_array_destroy(&a);
    poy_array_destroy(&v);
    poy_array_destroy(&e);
    poy_array_destroy(&n);
    poy_array_destroy(&t);
    poy_array_destroy(&z);
    poy_array_destroy(&x);
}

/* One pass of x e^(i y), its types and what it refuses. */
static void phases(void)
{
    const double x[4] = {1, 2, 0, -1}, y[2] = {0.5, -2}, r[2] = {3, 4};
    double want[4], real_want[4];
    for (int i = 0; i < 2; i++) {
        const double c = cos(y[i]), t = sin(y[i]);
        want[2 * i] = x[2 * i] * c - x[2 * i + 1] * t;
        want[2 * i + 1] = x[2 * i] * t + x[2 * i + 1] * c;
        real_want[2 * i] = r[i] * c;
        real_want[2 * i + 1] = r[i] * t;
    }
    poy_array *a = vector_of(POY_C128, 2, x), *b = vector_of(POY_F64, 2, y), *c = vector_of(POY_F64, 2, r), *z = NULL;
    ok(poy_cis_mul(ctx, a, b, &z) == POY_OK && z->dtype == POY_C128 && distance(z, 4, want) <= 8 * 0x1p-52,
       "x e^(i y)");
    ok(poy_cis_mul_into(ctx, a, b, a) == POY_OK && distance(a, 4, want) <= 8 * 0x1p-52, "in place");
    ok(poy_cis_mul_into(ctx, z, a, z) == POY_ERR_COMPLEX_TO_REAL, "complex angles are refused");
    poy_array_destroy(&z);
    ok(poy_cis_mul(ctx, c, b, &z) == POY_OK && z->dtype == POY_C128 && distance(z, 4, real_want) <= 8 * 0x1p-52,
       "of real x");
    poy_array_destroy(&z);
    poy_array_destroy(&c);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
}

static void all(void)
{
    static const int64_t shapes[][2] = {{1, 1}, {SIDE, SIDE}, {SIDE, 3}, {2, 5}};
    for (poy_dtype dtype = POY_F32; dtype <= POY_C128; dtype++) {
        for (size_t s = 0; s < sizeof shapes / sizeof shapes[0]; s++)
            for (int deficient = 0; deficient < (shapes[s][1] > 1 ? 2 : 1); deficient++) {
                check_lu(dtype, shapes[s][0], shapes[s][1], deficient);
                check_qr(dtype, shapes[s][0], shapes[s][1], deficient);
            }
        check_eig(dtype);
    }
    rotation();
    chain(3, 1);
    chain(3, -1);
    chain(200, 1);
    equal_rows();
    refusals();
    phases();
}

int main(void)
{
    return on_each_backend(all);
}
