/* test_extents.c: arrays without elements and numbers without axes, in every operation that makes something of a shape, over all
 * element types: sums of nothing, bases of nothing, choices from nothing. On ref and cpu. */
#include "poynting/arrange.h"
#include "poynting/linalg.h"

#include "array_fixture.h"

#define EXTENT(...) ((const int64_t[]){__VA_ARGS__})

static poy_array *empty(poy_dtype dtype, int rank, const int64_t *extent)
{
    poy_array *a = NULL;
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, dtype, rank, extent, &a));
    return a;
}

/* Whether *a, which goes, has a type and shape. */
static int is_like(poy_status status, poy_array **a, poy_dtype dtype, int rank, const int64_t *extent)
{
    const int good =
        status == POY_OK && (*a)->dtype == dtype && poyi_shape_equal((*a)->rank, (*a)->extent, rank, extent);
    if (!good)
        note("%s: %s; %s of shape %s", poy_status_name(status), poy_ctx_message(ctx),
             *a ? poy_dtype_name((*a)->dtype) : "nothing", *a ? poyi_shape_print((*a)->rank, (*a)->extent).text : "");
    poy_array_destroy(a);
    return good;
}

/* Whether *a, which goes, is one number. */
static int is_number(poy_status status, poy_array **a, double want)
{
    double got[2] = {NAN, NAN};
    poy_array *wide = NULL;
    if (status == POY_OK && (*a)->size == 1 && poy_copy(ctx, *a, POY_C128, &wide) == POY_OK)
        (void)poy_array_read(ctx, wide, got);
    const int good = got[0] == want && got[1] == 0;
    if (!good)
        note("%s: %s; %g%+gi", poy_status_name(status), poy_ctx_message(ctx), got[0], got[1]);
    poy_array_destroy(&wide);
    poy_array_destroy(a);
    return good;
}

static int is_refused(poy_status got, poy_status want, poy_array *const *a)
{
    if (got != want)
        note("%s: %s", poy_status_name(got), poy_ctx_message(ctx));
    return got == want && !*a;
}

static int is_floating(poy_dtype t)
{
    return t <= POY_C128;
}

/* What integers and b8 are computed as where numbers are floating. */
static poy_dtype floating(poy_dtype t)
{
    return is_floating(t) ? t : POY_F64;
}

static poy_dtype summed(poy_dtype t)
{
    return t == POY_I32 || t == POY_B8 ? POY_I64 : t;
}

static void reductions(poy_dtype t)
{
    const int first = 0, last = -1;
    const int ordered = !poy_dtype_is_complex(t);
    poy_array *none = empty(t, 1, EXTENT(0)), *rows = empty(t, 2, EXTENT(0, 3)), *one = empty(t, 0, NULL), *y = NULL;
    int good = is_number(poy_sum(ctx, none, POY_ALL_AXES, NULL, 0, &y), &y, 0);
    good &= is_number(poy_prod(ctx, none, POY_ALL_AXES, NULL, 0, &y), &y, 1);
    good &= is_like(poy_sum(ctx, rows, 1, &first, 0, &y), &y, summed(t), 1, EXTENT(3));
    good &= is_like(poy_sum(ctx, rows, 1, &last, 1, &y), &y, summed(t), 2, EXTENT(0, 1));
    good &= is_number(poy_norm(ctx, none, POY_ALL_AXES, NULL, 0, &y), &y, 0);
    good &= is_number(poy_any(ctx, none, POY_ALL_AXES, NULL, 0, &y), &y, 0);
    good &= is_number(poy_all(ctx, none, POY_ALL_AXES, NULL, 0, &y), &y, 1);
    good &= is_like(poy_mean(ctx, rows, 1, &first, 0, &y), &y, floating(t), 1, EXTENT(3));
    if (ordered) {
        good &= is_refused(poy_max(ctx, none, POY_ALL_AXES, NULL, 0, &y), POY_ERR_EMPTY, &y);
        good &= is_refused(poy_argmin(ctx, rows, 1, &first, 0, &y), POY_ERR_EMPTY, &y);
        good &= is_like(poy_max(ctx, rows, 1, &last, 0, &y), &y, t, 1, EXTENT(0)); /* nothing is asked of */
        good &= is_like(poy_argmax(ctx, rows, 1, &last, 0, &y), &y, POY_I64, 1, EXTENT(0));
        good &= is_like(poy_max(ctx, one, 1, &last, 0, &y), &y, t, 0, NULL);
        good &= is_like(poy_argmax(ctx, one, 1, &first, 0, &y), &y, POY_I64, 0, NULL);
        good &= is_like(poy_logsumexp(ctx, rows, NULL, 1, &first, 0, &y, NULL), &y, floating(t), 1, EXTENT(3));
        good &= is_number(poy_logsumexp(ctx, none, NULL, POY_ALL_AXES, NULL, 0, &y, NULL), &y, -INFINITY);
    }
    good &= is_number(poy_sum(ctx, one, 1, &first, 0, &y), &y, 1);
    ok(good, "reductions of %s", poy_dtype_name(t));
    for (int i = 0; i < 3; i++)
        poy_array_destroy((poy_array **[]){&none, &rows, &one}[i]);
}

static void lines(poy_dtype t)
{
    poy_array *rows = empty(t, 2, EXTENT(0, 3)), *one = empty(t, 0, NULL), *none = empty(t, 1, EXTENT(0)), *y = NULL;
    poy_array *places = empty(POY_I64, 2, EXTENT(0, 2)), *place = empty(POY_I32, 1, EXTENT(1));
    int good = is_like(poy_cumsum(ctx, rows, 0, &y), &y, summed(t), 2, EXTENT(0, 3));
    good &= is_like(poy_cumsum(ctx, one, -1, &y), &y, summed(t), 0, NULL);
    good &= is_like(poy_take(ctx, rows, places, 1, &y), &y, t, 3, EXTENT(0, 0, 2));
    good &= is_like(poy_take(ctx, none, places, 0, &y), &y, t, 2, EXTENT(0, 2));
    good &= is_refused(poy_take(ctx, none, place, 0, &y), POY_ERR_INDEX, &y);
    good &= is_like(poy_take(ctx, one, places, POY_FLAT, &y), &y, t, 2, EXTENT(0, 2));
    good &= is_like(poy_put(ctx, rows, places, one, 1, &y), &y, t, 2, EXTENT(0, 3));
    good &= is_refused(poy_put(ctx, none, place, one, 0, &y), POY_ERR_INDEX, &y);
    good &= is_like(poy_nonzero(ctx, rows, &y), &y, POY_I64, 2, EXTENT(0, 2));
    if (!poy_dtype_is_complex(t)) {
        good &= is_like(poy_sort(ctx, rows, 1, &y), &y, t, 2, EXTENT(0, 3));
        good &= is_like(poy_argsort(ctx, rows, 0, &y), &y, POY_I64, 2, EXTENT(0, 3));
        good &= is_like(poy_sort(ctx, one, 0, &y), &y, t, 0, NULL);
        good &= is_number(poy_argsort(ctx, one, -1, &y), &y, 0);
        good &= is_like(poy_unique(ctx, none, &y, NULL), &y, t, 1, EXTENT(0));
        good &= is_like(poy_searchsorted(ctx, none, rows, 0, &y), &y, POY_I64, 2, EXTENT(0, 3));
        good &= is_number(poy_searchsorted(ctx, none, one, 0, &y), &y, 0);
    }
    good &= is_refused(poy_cumsum(ctx, one, 1, &y), POY_ERR_AXIS, &y);
    ok(good, "lines and places of %s", poy_dtype_name(t));
    for (int i = 0; i < 5; i++)
        poy_array_destroy((poy_array **[]){&rows, &one, &none, &places, &place}[i]);
}

static void shapes(poy_dtype t)
{
    poy_array *rows = empty(t, 2, EXTENT(0, 3)), *one = empty(t, 0, NULL), *three = empty(t, 2, EXTENT(2, 3)),
              *y = NULL;
    poy_array *marks = empty(POY_B8, 2, EXTENT(0, 3));
    const poy_array *const parts[2] = {rows, three}, *const numbers[2] = {one, one};
    int good = is_like(poy_concatenate(ctx, 2, parts, 0, &y), &y, t, 2, EXTENT(2, 3));
    good &= is_like(poy_stack(ctx, 2, numbers, 0, &y), &y, t, 1, EXTENT(2));
    good &= is_like(poy_array_transpose(ctx, one, NULL, &y), &y, t, 0, NULL);
    good &= is_like(poy_array_transpose(ctx, rows, NULL, &y), &y, t, 2, EXTENT(3, 0));
    good &= is_like(poy_array_reshape(ctx, rows, 3, EXTENT(5, 0, 2), &y), &y, t, 3, EXTENT(5, 0, 2));
    good &= is_refused(poy_array_reshape(ctx, rows, 2, EXTENT(0, -1), &y), POY_ERR_SHAPE, &y);
    good &= is_like(poy_array_reshape(ctx, one, 1, EXTENT(-1), &y), &y, t, 1, EXTENT(1));
    good &= is_like(poy_array_broadcast_to(ctx, one, 2, EXTENT(0, 4), &y), &y, t, 2, EXTENT(0, 4));
    good &= is_refused(poy_array_broadcast_to(ctx, three, 2, EXTENT(0, 3), &y), POY_ERR_BROADCAST, &y);
    good &= is_like(poy_tril(ctx, rows, 0, &y), &y, t, 2, EXTENT(0, 3));
    good &= is_like(poy_array_diagonal(ctx, rows, 0, &y), &y, t, 1, EXTENT(0));
    good &= is_like(poy_eye(ctx, be, 0, 0, 0, t, &y), &y, t, 2, EXTENT(0, 0));
    good &= is_number(poy_trace(ctx, rows, &y), &y, 0);
    good &= is_like(poy_eq(ctx, rows, one, &y), &y, POY_B8, 2, EXTENT(0, 3));
    good &= is_like(poy_where(ctx, marks, one, one, &y), &y, t, 2, EXTENT(0, 3));
    good &= is_like(poy_kron(ctx, rows, three, &y), &y, t, 2, EXTENT(0, 9));
    good &= is_like(poy_kron(ctx, one, three, &y), &y, t, 2, EXTENT(2, 3));
    ok(good, "shapes of %s", poy_dtype_name(t));
    for (int i = 0; i < 4; i++)
        poy_array_destroy((poy_array **[]){&rows, &one, &three, &marks}[i]);
}

static void products(poy_dtype t)
{
    poy_array *a = empty(t, 2, EXTENT(2, 0)), *b = empty(t, 2, EXTENT(0, 3)), *none = empty(t, 1, EXTENT(0)), *y = NULL;
    poy_array *one = empty(t, 0, NULL), *batch = empty(t, 3, EXTENT(0, 2, 2)), *two = empty(t, 2, EXTENT(2, 2));
    const poy_array *const pair[2] = {a, b}, *const single[1] = {a};
    int good = is_like(poy_matmul(ctx, a, b, &y), &y, t, 2, EXTENT(2, 3)); /* zeros */
    good &= is_number(poy_matmul(ctx, none, none, &y), &y, 0);
    good &= is_number(poy_vdot(ctx, none, none, &y), &y, 0);
    good &= is_refused(poy_matmul(ctx, one, a, &y), POY_ERR_SHAPE, &y);
    good &= is_like(poy_matmul(ctx, batch, two, &y), &y, t, 3, EXTENT(0, 2, 2));
    good &= is_like(poy_einsum(ctx, "ij,jk->ik", 2, pair, &y), &y, t, 2, EXTENT(2, 3));
    good &= is_like(poy_einsum(ctx, "ij->i", 1, single, &y), &y, t, 1, EXTENT(2));
    good &= is_like(poy_einsum(ctx, "ij->ji", 1, single, &y), &y, t, 2, EXTENT(0, 2));
    ok(good, "products of %s", poy_dtype_name(t));
    for (int i = 0; i < 6; i++)
        poy_array_destroy((poy_array **[]){&a, &b, &none, &one, &batch, &two}[i]);
}

static void matrices(poy_dtype t)
{
    const poy_dtype f = floating(t), real = poy_dtype_real(f), complex = poy_dtype_complex(f);
    poy_array *none = empty(t, 2, EXTENT(0, 0)), *tall = empty(t, 2, EXTENT(3, 0)),
              *batch = empty(t, 3, EXTENT(0, 2, 2));
    poy_array *b = empty(t, 2, EXTENT(0, 4)), *w = NULL, *u = NULL, *v = NULL, *y = NULL;
    int good = is_like(poy_solve(ctx, none, b, &y), &y, f, 2, EXTENT(0, 4));
    good &= is_like(poy_cholesky(ctx, none, &y), &y, f, 2, EXTENT(0, 0));
    good &= is_like(poy_cholesky(ctx, batch, &y), &y, f, 3, EXTENT(0, 2, 2));
    good &= is_like(poy_eigh(ctx, none, &w, &v), &w, real, 1, EXTENT(0)) & is_like(POY_OK, &v, f, 2, EXTENT(0, 0));
    good &= is_like(poy_eig(ctx, batch, &w, &v), &w, complex, 2, EXTENT(0, 2)) &
            is_like(POY_OK, &v, complex, 3, EXTENT(0, 2, 2));
    good &= is_like(poy_svd(ctx, tall, 0, &u, &w, &v), &u, f, 2, EXTENT(3, 0)) &
            is_like(POY_OK, &w, real, 1, EXTENT(0)) & is_like(POY_OK, &v, f, 2, EXTENT(0, 0));
    good &= is_like(poy_qr(ctx, tall, &u, &v), &u, f, 2, EXTENT(3, 0)) & is_like(POY_OK, &v, f, 2, EXTENT(0, 0));
    good &= is_like(poy_expm(ctx, none, &y), &y, f, 2, EXTENT(0, 0));
    good &= is_like(poy_expm(ctx, batch, &y), &y, f, 3, EXTENT(0, 2, 2));
    good &= is_number(poy_nuclear_norm(ctx, none, NULL, 0, &y), &y, 0);
    /* bases that nothing begins */
    double unit[2 * 9];
    good &= poy_svd(ctx, tall, 1, &u, &w, &v) == POY_OK && poy_copy(ctx, u, POY_C128, &y) == POY_OK && y->size == 9 &&
            poy_array_read(ctx, y, unit) == POY_OK;
    for (int i = 0; i < 9 && good; i++)
        good = unit[2 * i] == (i % 4 == 0) && unit[2 * i + 1] == 0;
    if (!good)
        note("%s", poy_ctx_message(ctx));
    ok(good, "matrices of %s", poy_dtype_name(t));
    for (int i = 0; i < 8; i++)
        poy_array_destroy((poy_array **[]){&none, &tall, &batch, &b, &w, &u, &v, &y}[i]);
}

static void transforms(poy_dtype t)
{
    poy_fft_options o;
    poy_array *rows = empty(t, 2, EXTENT(0, 3)), *none = empty(t, 1, EXTENT(0)), *one = empty(t, 0, NULL), *y = NULL;
    const poy_dtype complex = poy_dtype_complex(floating(t));
    poy_fft_options_init(&o);
    int good = is_like(poy_fft(ctx, rows, &o, &y), &y, complex, 2, EXTENT(0, 3));
    good &= is_refused(poy_fft(ctx, none, &o, &y), POY_ERR_EMPTY, &y);
    good &= is_refused(poy_fft(ctx, one, &o, &y), POY_ERR_AXIS, &y);
    o.n = 4;
    good &= is_like(poy_fft(ctx, none, &o, &y), &y, complex, 1, EXTENT(4)); /* of zeros */
    ok(good, "transforms of %s", poy_dtype_name(t));
    for (int i = 0; i < 3; i++)
        poy_array_destroy((poy_array **[]){&rows, &none, &one}[i]);
}

static void test(void)
{
    note("on %s", poy_backend_name(be));
    for (int t = 0; t < POY_DTYPE_COUNT; t++) {
        reductions((poy_dtype)t);
        lines((poy_dtype)t);
        shapes((poy_dtype)t);
        products((poy_dtype)t);
        matrices((poy_dtype)t);
        transforms((poy_dtype)t);
    }
}

int main(void)
{
    return on_each_backend(test);
}
