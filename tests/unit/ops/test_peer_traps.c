/* test_peer_traps.c: traps that other array libraries have, those that no other test holds (docs/array-layer.md lists all, each
 * with its test). Each on ref and cpu. */
#include "poynting/control.h"
#include "poynting/linalg.h"
#include "poynting/sparse.h"

#include "poynting/arrange.h"

#include "array_fixture.h"

static poy_array *matrix(int64_t n, const double *host)
{
    const int64_t extent[2] = {n, n};
    return make(POY_F64, 2, extent, host);
}

static void destroy(int n, poy_array *const *all)
{
    for (int i = 0; i < n; i++) {
        poy_array *a = all[i];
        poy_array_destroy(&a);
    }
}

static double number_of(poy_status status, poy_array **y)
{
    double x = NAN;
    if (status != POY_OK || (*y)->size != 1 || poy_array_read(ctx, *y, &x) != POY_OK)
        note("%s", poy_ctx_message(ctx));
    poy_array_destroy(y);
    return x;
}

/* Torch: weighted log-sum-exp at infinities, and of negative totals. */
static void weighted_exponentials(void)
{
    const double up[2] = {INFINITY, 1}, down[2] = {-INFINITY, 0}, w[2] = {2, 3}, minus[2] = {-2, 3}, zero[2] = {0, 0};
    poy_array *a = vector_of(POY_F64, 2, up), *b = vector_of(POY_F64, 2, down), *pw = vector_of(POY_F64, 2, w);
    poy_array *pm = vector_of(POY_F64, 2, minus), *pz = vector_of(POY_F64, 2, zero), *y = NULL, *sign = NULL;
    double s = 0;
    ok(number_of(poy_logsumexp(ctx, a, pw, POY_ALL_AXES, NULL, 0, &y, NULL), &y) == HUGE_VAL, "2 e^inf + 3 e: +inf");
    ok(fabs(number_of(poy_logsumexp(ctx, b, pw, POY_ALL_AXES, NULL, 0, &y, NULL), &y) - log(3)) < 1e-15,
       "2 e^-inf + 3: ln 3");
    ok(number_of(poy_logsumexp(ctx, a, pz, POY_ALL_AXES, NULL, 0, &y, NULL), &y) == -HUGE_VAL,
       "weights of 0 drop e^inf, too: -inf");
    ok(poy_logsumexp(ctx, a, pm, POY_ALL_AXES, NULL, 0, &y, &sign) == POY_OK &&
           poy_array_read(ctx, sign, &s) == POY_OK && s == -1,
       "-2 e^inf + 3 e has the sign -1");
    poy_array_destroy(&sign);
    ok(number_of(POY_OK, &y) == HUGE_VAL, "and is infinite");
    destroy(5, (poy_array *const[]){a, b, pw, pm, pz});
}

/* Torch: no mixed types in solve, sparse products, allclose. JAX: promotion to f32. */
static void mixed_types(void)
{
    const int64_t extent[2] = {2, 2}, whole[4] = {2, 0, 0, 4};
    const float single[2] = {1, 2};
    const double same[2] = {1, 2};
    poy_array *a = make(POY_I64, 2, extent, whole), *f = vector_of(POY_F32, 2, single), *y = NULL;
    poy_array *d = vector_of(POY_F64, 2, same);
    poy_sparse *s = NULL;
    int close = 0;
    ok(poy_solve(ctx, a, f, &y) == POY_OK && is_vector(y, POY_F64, 2, (double[]){0.5, 0.5}),
       "i64 and f32 are solved in f64");
    poy_array_destroy(&y);
    ok(poy_sparse_from_dense(ctx, a, POY_SPARSE_CSR, &s) == POY_OK &&
           poy_spmm(ctx, s, POY_SPARSE_AS_IS, f, &y) == POY_OK && is_vector(y, POY_F64, 2, (double[]){2, 8}),
       "a sparse product of two types");
    poy_array_destroy(&y);
    ok(poy_allclose(ctx, f, d, 0, 0, 0, &close) == POY_OK && close, "f32 and f64 are compared");
    poy_sparse_destroy(&s);
    destroy(3, (poy_array *const[]){a, f, d});
}

/* Torch: compressed rows have no transpose. NumPy: a sparse matrix becomes an array of objects. */
static void sparse_matrices(void)
{
    const double host[6] = {1, 0, 2, 0, 3, 0}, x[2] = {1, 10};
    const int64_t extent[2] = {2, 3}, turned[2] = {3, 2};
    poy_array *a = make(POY_F64, 2, extent, host), *v = vector_of(POY_F64, 2, x), *y = NULL;
    poy_sparse *s = NULL, *t = NULL;
    MUST(poy_sparse_from_dense(ctx, a, POY_SPARSE_CSR, &s));
    ok(poy_spmm(ctx, s, POY_SPARSE_TRANSPOSED, v, &y) == POY_OK && is_vector(y, POY_F64, 3, (double[]){1, 30, 2}),
       "compressed rows, transposed in a product");
    poy_array_destroy(&y);
    ok(poy_sparse_transpose(ctx, s, &t) == POY_OK && poy_sparse_to_dense(ctx, t, &y) == POY_OK &&
           is(y, POY_F64, 2, turned, (double[]){1, 0, 0, 3, 2, 0}),
       "and by themselves; made dense they are numbers");
    poy_array_destroy(&y);
    poy_sparse_destroy(&s);
    poy_sparse_destroy(&t);
    destroy(2, (poy_array *const[]){a, v});
}

/* JAX: failures become NaN, Hermitian matrices are symmetrised. NumPy: eigenvalues of NaN are finite. All: none of 0 x 0. */
static void matrices(void)
{
    const double singular[4] = {1, 2, 2, 4}, indefinite[4] = {1, 2, 2, 1}, lower[4] = {2, 99, 1, 2},
                 nan[4] = {1, NAN, 0, 1};
    const double b[2] = {1, 1};
    const int64_t none[2] = {0, 0};
    poy_array *s = matrix(2, singular), *i = matrix(2, indefinite), *l = matrix(2, lower), *n = matrix(2, nan);
    poy_array *v = vector_of(POY_F64, 2, b), *y = NULL, *w = NULL, *empty = NULL;
    double got[4];
    ok(poy_solve(ctx, s, v, &y) == POY_ERR_SINGULAR && !y, "a singular matrix is refused, not solved to NaN");
    ok(poy_cholesky(ctx, i, &y) == POY_ERR_NOT_PD && !y, "one that is not positive definite likewise");
    ok(poy_eigh(ctx, l, &w, &y) == POY_OK && poy_array_read(ctx, w, got) == POY_OK && fabs(got[0] - 1) < 1e-15 &&
           fabs(got[1] - 3) < 4e-15,
       "eigh reads the lower triangle and no mean of both");
    poy_array_destroy(&w);
    poy_array_destroy(&y);
    ok(poy_cholesky(ctx, l, &y) == POY_OK && poy_array_read(ctx, y, got) == POY_OK && got[1] == 0 &&
           fabs(got[0] * got[2] - 1) < 1e-15,
       "and so does cholesky");
    poy_array_destroy(&y);
    double turned[4] = {nan[0], nan[2], nan[1], nan[3]};
    poy_array *m = matrix(2, turned);
    ok(poy_eigh(ctx, m, &w, &y) == POY_ERR_NONFINITE && !w && !y, "NaN below the diagonal has no eigenvalues");
    ok(poy_eigh(ctx, n, &w, NULL) == POY_OK || poy_ctx_status(ctx) == POY_ERR_NONFINITE, "above it nothing is read");
    poy_array_destroy(&w);
    MUST(poy_array_create(ctx, be, POY_F64, 2, none, &empty));
    ok(poy_eigh(ctx, empty, &w, &y) == POY_OK && w->size == 0 && w->rank == 1 && y->size == 0 && y->rank == 2,
       "0 x 0 has no eigenvalues, and that is no failure");
    poy_array_destroy(&w);
    poy_array_destroy(&y);
    destroy(7, (poy_array *const[]){s, i, l, n, v, m, empty});
}

/* ---- NumPy: maps over unequal or no members; all: a scan of length 0 ---- */

static poy_status twice(poy_ctx *c, void *user, poy_array *const *x, poy_array *const *y)
{
    ++*(int *)user;
    return poy_add_into(c, x[0], x[1], y[0]);
}

static poy_status step(poy_ctx *c, void *user, int64_t i, poy_array *const *in, poy_array *const *to,
                       poy_array *const *x, poy_array *const *y)
{
    (void)user, (void)i;
    POYI_TRY(c, poy_add_into(c, in[0], x[0], to[0]));
    POYI_TRY(c, poy_copy_into(c, to[0], y[0]));
    return POY_OK;
}

static void maps(void)
{
    const double three[3] = {1, 2, 3}, two[2] = {1, 2}, start = 5;
    const int64_t zero = 0;
    const int axes[2] = {0, 0};
    const poy_like scalar = {.dtype = POY_F64};
    poy_array *a = vector_of(POY_F64, 3, three), *b = vector_of(POY_F64, 2, two), *none = NULL, *ys = NULL;
    poy_array *carry = make(POY_F64, 0, NULL, &start);
    int calls = 0;
    MUST(poy_array_create(ctx, be, POY_F64, 1, &zero, &none));
    poy_array *unequal[2] = {a, b}, *empty[2] = {none, none};
    ok(poy_vmap(ctx, be, twice, &calls, 0, 2, unequal, axes, 1, &scalar, NULL, &ys) == POY_ERR_SHAPE && !ys && !calls,
       "three members and two are refused");
    ok(poy_vmap(ctx, be, twice, &calls, 0, 2, empty, axes, 1, &scalar, NULL, &ys) == POY_OK && ys->rank == 1 &&
           ys->extent[0] == 0 && !calls,
       "no members are an array of none");
    poy_array_destroy(&ys);
    ok(poy_scan(ctx, be, step, NULL, -1, 0, 1, &carry, 1, &none, 1, &scalar, &ys) == POY_OK && ys->rank == 1 &&
           ys->extent[0] == 0 && is(carry, POY_F64, 0, NULL, &start),
       "a scan over nothing is an array of nothing, with its carry as it was");
    poy_array_destroy(&ys);
    destroy(4, (poy_array *const[]){a, b, none, carry});
}

/* ---- what the layer tells of types; draws that are the same everywhere ---- */

static void limits(void)
{
    poy_float_limits f, g;
    int64_t low, high;
    ok(poy_dtype_float_limits(ctx, POY_C64, &f) == POY_OK && f.eps == 0x1p-23 && f.tiny == 0x1p-126 &&
           f.least == 0x1p-149 && f.largest == 0x1.fffffep127,
       "the parts of c64");
    ok(poy_dtype_float_limits(ctx, POY_F64, &g) == POY_OK && g.eps == 0x1p-52 && g.tiny == 0x1p-1022 &&
           g.least == 0x1p-1074 && g.largest == 0x1.fffffffffffffp1023,
       "f64");
    ok(poy_dtype_float_limits(ctx, POY_I32, &f) == POY_ERR_DTYPE, "integers have no eps: %s", poy_ctx_cause(ctx));
    ok(poy_dtype_whole_limits(ctx, POY_I32, &low, &high) == POY_OK && low == INT32_MIN && high == INT32_MAX, "i32");
    ok(poy_dtype_whole_limits(ctx, POY_I64, &low, &high) == POY_OK && low == INT64_MIN && high == INT64_MAX, "i64");
    ok(poy_dtype_whole_limits(ctx, POY_B8, &low, &high) == POY_OK && low == 0 && high == 1, "b8");
    ok(poy_dtype_whole_limits(ctx, POY_F32, &low, &high) == POY_ERR_DTYPE, "f32 is not whole: %s", poy_ctx_cause(ctx));
    ok(poy_dtype_complex(POY_F32) == POY_C64 && poy_dtype_complex(POY_C64) == POY_C64 &&
           poy_dtype_complex(POY_I32) == POY_C128 && poy_dtype_complex(POY_B8) == POY_C128,
       "complex companions");
}

static void draws(void)
{
    enum { N = 40001 };
    static double x[2 * N];
    static float s[N];
    const int64_t n = N, three[2] = {3, 1};
    double pair[2], sum = 0, squares = 0;
    poy_array *y = NULL;
    int good = 1;
    ok(poy_random_uniform(ctx, be, 7, 3, POY_F64, 1, &n, &y) == POY_OK && poy_array_read(ctx, y, x) == POY_OK,
       "uniform numbers");
    for (int i = 0; i < N; i++) {
        if (i % 2 == 0)
            poy_random_uniform2(7, 3, (uint64_t)i / 2, pair);
        good &= x[i] == pair[i % 2];
        sum += x[i];
    }
    ok(good && fabs(sum / N - 0.5) < 5 / sqrt(12.0 * N), "are the stream's, of mean 1/2: %.4f", sum / N);
    poy_array_destroy(&y);
    ok(poy_random_uniform(ctx, be, 7, 3, POY_F32, 1, &n, &y) == POY_OK && poy_array_read(ctx, y, s) == POY_OK,
       "in f32");
    for (int i = 0; i < N; i++)
        good &= s[i] >= 0 && s[i] < 1 && fabs((double)s[i] - x[i]) <= 0x1p-24;
    ok(good, "they are the same, cut off");
    poy_array_destroy(&y);
    ok(poy_random_normal(ctx, be, 7, 3, POY_C128, 1, &n, &y) == POY_OK && poy_array_read(ctx, y, x) == POY_OK,
       "complex normal numbers");
    sum = 0;
    for (int i = 0; i < 2 * N; i++) {
        sum += x[i];
        squares += x[i] * x[i];
    }
    ok(fabs(sum / (2 * N)) < 5 / sqrt(2.0 * N) && fabs(squares / (2 * N) - 1) < 5 * sqrt(2.0 / (2.0 * N)),
       "of mean 0 and variance 1 in each part: %.4f, %.4f", sum / (2 * N), squares / (2 * N));
    poy_array_destroy(&y);
    ok(poy_random_uniform(ctx, be, 7, 3, POY_I32, 1, &n, &y) == POY_ERR_DTYPE && !y, "no integers: %s",
       poy_ctx_cause(ctx));
    /* broadcast together */
    poy_array *column = NULL, *row = NULL, *both[2] = {NULL, NULL};
    MUST(poy_random_uniform(ctx, be, 1, 0, POY_F64, 2, three, &column));
    MUST(poy_random_uniform(ctx, be, 1, 1, POY_F64, 1, (int64_t[]){4}, &row));
    const poy_array *const given[2] = {column, row};
    ok(poy_array_broadcast_together(ctx, 2, given, both) == POY_OK && both[0]->extent[1] == 4 &&
           both[1]->extent[0] == 3 && both[0]->stride[1] == 0,
       "a column and a row together are 3 x 4");
    poy_array_destroy(&both[0]);
    poy_array_destroy(&both[1]);
    MUST(poy_random_uniform(ctx, be, 1, 1, POY_F64, 1, (int64_t[]){5}, &y));
    const poy_array *const odd[2] = {row, y};
    ok(poy_array_broadcast_together(ctx, 2, odd, both) == POY_ERR_BROADCAST && !both[0] && !both[1], "4 and 5 are not");
    ok(poy_array_broadcast_together(ctx, 0, odd, both) == POY_ERR_EMPTY, "nor is nothing");
    destroy(3, (poy_array *const[]){column, row, y});
}

static void test(void)
{
    note("on %s", poy_backend_name(be));
    weighted_exponentials();
    mixed_types();
    sparse_matrices();
    matrices();
    maps();
    limits();
    draws();
}

int main(void)
{
    return on_each_backend(test);
}
