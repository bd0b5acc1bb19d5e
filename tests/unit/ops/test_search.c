/* test_search.c: places, different elements, indices of several axes; functions of matrices. Numbers of exponentials, powers
 * and logarithms are mpmath's, of 40 digits. */
#include "array_fixture.h"
#include "poynting/arrange.h"
#include "poynting/linalg.h"

static void nonzeros(void)
{
    static const double x[6] = {0, NAN, -0.0, 2, 0, 3};
    static const int64_t want[6] = {0, 1, 1, 0, 1, 2};
    const int64_t shape[2] = {2, 3}, three[2] = {3, 2}, none[2] = {0, 2};
    poy_array *a = make(POY_F64, 2, shape, x), *y = NULL, *z = NULL;
    ok(poy_nonzero(ctx, a, &y) == POY_OK && is(y, POY_I64, 2, three, want), "places of what is not 0, NaN among them");
    poy_array_destroy(&y);
    MUST(poy_fill(ctx, be, (poy_scalar){0, 0}, POY_C64, 2, shape, &z));
    ok(poy_nonzero(ctx, z, &y) == POY_OK && is(y, POY_I64, 2, none, NULL), "nothing");
    poy_array_destroy(&y);
    poy_array_destroy(&z);
    poy_array_destroy(&a);
}

static void uniques(void)
{
    static const float x[7] = {3, NAN, 1, 3, -2, NAN, 1}, want[3] = {-2, 1, 3};
    static const int64_t counts[4] = {1, 2, 2, 2};
    static const int32_t whole[5] = {5, 5, 5, 5, 5}, five[1] = {5};
    const int64_t none = 0;
    poy_array *a = vector_of(POY_F32, 7, x), *i = vector_of(POY_I32, 5, whole), *y = NULL, *n = NULL, *e = NULL;
    float got[4];
    ok(poy_unique(ctx, a, &y, &n) == POY_OK && y->size == 4 && poy_array_read(ctx, y, got) == POY_OK &&
           !memcmp(got, want, sizeof want) && isnan(got[3]) && is_vector(n, POY_I64, 4, counts),
       "different elements with their numbers, NaN once");
    poy_array_destroy(&n);
    poy_array_destroy(&y);
    ok(poy_unique(ctx, i, &y, NULL) == POY_OK && is_vector(y, POY_I32, 1, five), "all equal");
    poy_array_destroy(&y);
    MUST(poy_array_create(ctx, be, POY_F64, 1, &none, &e));
    ok(poy_unique(ctx, e, &y, &n) == POY_OK && y->size == 0 && n->size == 0, "of nothing");
    poy_array_destroy(&n);
    poy_array_destroy(&y);
    poy_array_destroy(&e);
    MUST(poy_fill(ctx, be, (poy_scalar){0, 1}, POY_C64, 1, &(int64_t){3}, &e));
    ok(poy_unique(ctx, e, &y, &n) == POY_ERR_DTYPE && !y && !n, "complex ones have no order");
    poy_array_destroy(&e);
    poy_array_destroy(&i);
    poy_array_destroy(&a);
}

static void searches(void)
{
    static const double sorted[5] = {1, 2, 2, 4, NAN}, x[6] = {0, 2, 3, 4, INFINITY, NAN};
    static const int64_t left[6] = {0, 1, 3, 3, 4, 4}, right[6] = {0, 3, 3, 4, 4, 5};
    static const int64_t big[2] = {INT64_C(9007199254740992), INT64_C(9007199254740993)}, one[1] = {1};
    const int64_t shape[2] = {2, 3};
    poy_array *a = vector_of(POY_F64, 5, sorted), *v = make(POY_F64, 2, shape, x), *y = NULL;
    poy_array *b = vector_of(POY_I64, 2, big), *w = vector_of(POY_I64, 1, big + 1);
    ok(poy_searchsorted(ctx, a, v, 0, &y) == POY_OK && is(y, POY_I64, 2, shape, left), "places before equal ones");
    poy_array_destroy(&y);
    ok(poy_searchsorted(ctx, a, v, 1, &y) == POY_OK && is(y, POY_I64, 2, shape, right), "and behind them");
    poy_array_destroy(&y);
    ok(poy_searchsorted(ctx, b, w, 0, &y) == POY_OK && is_vector(y, POY_I64, 1, one), "integers beyond 2^53");
    poy_array_destroy(&y);
    ok(poy_searchsorted(ctx, v, a, 0, &y) == POY_ERR_SHAPE && !y, "a matrix is not sorted");
    poy_array_destroy(&w);
    poy_array_destroy(&b);
    poy_array_destroy(&v);
    poy_array_destroy(&a);
}

/* x [2, 3, 2] = 0 .. 11. */
static void several_axes(void)
{
    static const double x[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, taken[4] = {4, 8, 5, 1};
    static const double put[12] = {0, -4, 2, 3, -1, -3, 6, 7, -2, 9, 10, 11}, v[2] = {-1, 7};
    static const int64_t i[2] = {0, 1}, j[4] = {-1, 1, 2, 0}, k[4] = {0, 0, 1, 1}, row[4] = {0, 1, 0, 0},
                         twice[2] = {-1, 1};
    static const double values[4] = {-1, -2, -3, -4};
    const int64_t shape[3] = {2, 3, 2}, square[2] = {2, 2}, column[2] = {2, 1};
    const int all_axes[3] = {0, 1, 2}, two[2] = {2, 0}, again[2] = {0, -3};
    poy_array *a = make(POY_F64, 3, shape, x), *y = NULL, *r = make(POY_I64, 2, square, row);
    poy_array *c = make(POY_I64, 2, square, j), *d = make(POY_I64, 2, square, k), *w = make(POY_F64, 2, square, values);
    poy_array *t = vector_of(POY_I64, 2, twice), *o = make(POY_I64, 2, column, i), *u = vector_of(POY_F64, 2, v);
    const poy_array *const triple[3] = {r, c, d}, *const pair[2] = {t, t}, *const mixed[2] = {o, t};
    ok(poy_take_at(ctx, a, 3, all_axes, triple, &y) == POY_OK && is(y, POY_F64, 2, square, taken), "elements by three");
    poy_array_destroy(&y);
    ok(poy_put_at(ctx, a, 3, all_axes, triple, w, 0, &y) == POY_OK && is(y, POY_F64, 3, shape, put), "put there");
    poy_array_destroy(&y);
    /* places 1 of axis 2 and of axis 0, twice: x[1, :, 1] = 7, 9, 11 becomes more by -1 + 7, in each of three rows */
    const int64_t pairs[2] = {2, 1};
    poy_array *uv = make(POY_F64, 2, pairs, v);
    static const double sums[12] = {0, 1, 2, 3, 4, 5, 6, 13, 8, 15, 10, 17};
    ok(poy_put_at(ctx, a, 2, two, pair, uv, 1, &y) == POY_OK && is(y, POY_F64, 3, shape, sums),
       "added twice in one place, along the axis between");
    poy_array_destroy(&y);
    ok(poy_take_at(ctx, a, 2, two, mixed, &y) == POY_OK && y->rank == 3 && y->extent[0] == 2 && y->extent[1] == 2 &&
           y->extent[2] == 3,
       "an open mesh of two axes, the third behind");
    poy_array_destroy(&y);
    ok(poy_take_at(ctx, a, 2, again, pair, &y) == POY_ERR_AXIS && !y, "an axis twice");
    const poy_array *const only_c[1] = {c}, *const only_u[1] = {u};
    ok(poy_take_at(ctx, a, 1, all_axes, only_c, &y) == POY_ERR_INDEX && !y, "an index out of range: %s",
       poy_ctx_cause(ctx));
    ok(poy_take_at(ctx, a, 1, all_axes, only_u, &y) == POY_ERR_DTYPE && !y, "an index of numbers that are not whole");
    poy_array_destroy(&uv);
    poy_array_destroy(&u);
    poy_array_destroy(&o);
    poy_array_destroy(&t);
    poy_array_destroy(&w);
    poy_array_destroy(&d);
    poy_array_destroy(&c);
    poy_array_destroy(&r);
    poy_array_destroy(&a);
}

static void meshes(void)
{
    static const int32_t i[2] = {4, 5}, j[3] = {7, 8, 9};
    const int64_t column[2] = {2, 1}, row[2] = {1, 3};
    poy_array *a = vector_of(POY_I32, 2, i), *b = vector_of(POY_I32, 3, j), *out[2];
    const poy_array *const both[2] = {a, b};
    ok(poy_mesh(ctx, 2, both, out) == POY_OK && is(out[0], POY_I32, 2, column, i) && is(out[1], POY_I32, 2, row, j),
       "an open mesh");
    const poy_array *const wrong[2] = {a, out[0]};
    poy_array *none[2];
    ok(poy_mesh(ctx, 2, wrong, none) == POY_ERR_SHAPE && !none[0] && !none[1], "of vectors only");
    poy_array_destroy(&out[1]);
    poy_array_destroy(&out[0]);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
}

/* ---- matrices ---- */

static void norms(void)
{
    /* u diag(5, 3) v^T with rotations: singular values 5 and 3 */
    const double c = 0.6, s = 0.8;
    const double m[4] = {5 * c * s - 3 * s * c, 5 * c * c + 3 * s * s, -5 * s * s - 3 * c * c, -5 * s * c + 3 * c * s};
    const int64_t shape[2] = {2, 2};
    poy_array *x = make(POY_F64, 2, shape, m), *y = NULL;
    static const double p[3] = {2, -2, 0}, want[3] = {5, 3, 8};
    for (int k = 0; k < 3; k++) {
        poy_status status =
            p[k] != 0 ? poy_matrix_norm(ctx, x, p[k], NULL, 0, &y) : poy_nuclear_norm(ctx, x, NULL, 0, &y);
        ok(status == POY_OK && distance(y, 1, &want[k]) <= 16 * 0x1p-52, "norm %g of a matrix is %g", p[k], want[k]);
        poy_array_destroy(&y);
    }
    poy_array_destroy(&x);
}

static void exponentials(void)
{
    static const double a[18] = {1, 0, 2, -3, 0.5, 0, -4, 0, 0, 0.25, 7, 0, 3, 0, -2, 0, -6.5, 0};
    static const double want[18] = {0.2370035022346306195,   1.373377087350719437,   2.050224171394580419,
                                    0.1185853840420846631,   2.0437530962103957,     -0.1690788686238812615,
                                    -0.02515430582358238497, -0.7213096455292135637, -0.9852713540785900994,
                                    -0.05231451958933392011, -0.8864051966732015668, 0.136783294326956678,
                                    0.2892003025753417713,   0.771156463095395071,   1.10849564724141705,
                                    -0.1666259180104649537,  1.008766479333887181,   -0.2958088640489124692};
    static const double stack[8] = {0, 100, 0, 0, 0, -1, 1, 0}, zeros[4] = {0, 0, 0, 0}, one[4] = {1, 0, 0, 1};
    const double both[8] = {1, 100, 0, 1, cos(1.0), -sin(1.0), sin(1.0), cos(1.0)};
    const int64_t shape[2] = {3, 3}, two[3] = {2, 2, 2}, square[2] = {2, 2}, tall[2] = {3, 2};
    poy_array *x = make(POY_C128, 2, shape, a), *b = make(POY_F64, 3, two, stack), *z = make(POY_F64, 2, square, zeros);
    poy_array *y = NULL, *t = NULL, *n = NULL;
    /* |a| = 14 in the 1-norm, and the condition of the exponential is of its order: 64 |a| eps |e^a| */
    ok(poy_expm(ctx, x, &y) == POY_OK && distance(y, 18, want) <= 64 * 14 * 0x1p-52 * 4, "e^a: off by %.2g",
       distance(y, 18, want));
    poy_array_destroy(&y);
    ok(poy_expm(ctx, b, &y) == POY_OK && distance(y, 8, both) <= 1e-13 * 100, "of a shear and a rotation, off by %.2g",
       distance(y, 8, both));
    poy_array_destroy(&y);
    ok(poy_expm(ctx, z, &y) == POY_OK && distance(y, 4, one) <= 0x1p-52, "of 0: 1");
    poy_array_destroy(&y);
    MUST(poy_fill(ctx, be, (poy_scalar){1, 0}, POY_F64, 2, tall, &t));
    ok(poy_expm(ctx, t, &y) == POY_ERR_SHAPE && !y, "not of what is not square");
    MUST(poy_fill(ctx, be, (poy_scalar){(double)INFINITY, 0}, POY_F64, 2, square, &n));
    ok(poy_expm(ctx, n, &y) == POY_ERR_NONFINITE && !y, "nor of infinities");
    poy_array_destroy(&n);
    poy_array_destroy(&t);
    poy_array_destroy(&z);
    poy_array_destroy(&b);
    poy_array_destroy(&x);
}

/* ---- complex functions that are composed ---- */

static void complex_functions(void)
{
    static const double x[10] = {1.5, -2, 0, 1, 0, 0, 0, 0, 0, 0}, e[10] = {-0.5, 3, 0, 1, 0, 0, 2, 5, -1, 0};
    static const double z[6] = {1, 2, -3, 0.5, 0.25, -4}, sum[2] = {1.3779468903511860116, 2.0780054274943025611};
    const double want[8] = {-10.188125198838140673, -0.7238288811768443422, exp(-acos(-1.0) / 2), 0, 1, 0, 0, 0};
    double got[10];
    poy_array *a = vector_of(POY_C128, 5, x), *b = vector_of(POY_C128, 5, e), *y = NULL, *c = vector_of(POY_C128, 3, z);
    double worst = 0;
    MUST(poy_power_of(ctx, a, b, &y));
    MUST(poy_array_read(ctx, y, got));
    for (int i = 0; i < 8; i++)
        worst = fmax(worst, fabs(got[i] - want[i]));
    ok(worst <= 64 * 10.3 * 0x1p-52 && isnan(got[8]), "complex powers, of 0 too: off by %.2g", worst);
    poy_array_destroy(&y);
    ok(poy_logsumexp(ctx, c, NULL, POY_ALL_AXES, NULL, 0, &y, NULL) == POY_OK && distance(y, 2, sum) <= 8 * 0x1p-52,
       "the logarithm of a sum of complex exponentials");
    poy_array *sign = NULL;
    poy_array_destroy(&y);
    ok(poy_logsumexp(ctx, c, NULL, POY_ALL_AXES, NULL, 0, &y, &sign) == POY_ERR_DTYPE && !y, "which has no sign");
    poy_array_destroy(&c);
    poy_array_destroy(&b);
    poy_array_destroy(&a);
}

static void all(void)
{
    nonzeros();
    uniques();
    searches();
    several_axes();
    meshes();
    norms();
    exponentials();
    complex_functions();
}

int main(void)
{
    return on_each_backend(all);
}
