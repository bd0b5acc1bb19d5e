/* test_hard_matrices.c: linear algebra on matrices that are hard: Hilbert's, graded, ill-scaled, of low rank, with equal
 * eigenvalues, far from normal, 0 and 1. Judged by what is given back, on both backends in all floating types. */
#include "array_fixture.h"
#include "core/cmplx.h"
#include "poynting/linalg.h"

enum { N = 10 };
typedef struct dense {
    long double complex a[N][N];
} dense;

/* ---- the matrices ---- */

typedef enum kind { HILBERT, GRADED, ILL_SCALED, LOW_RANK, EQUAL, CHAIN, ZERO, ONE, KINDS } kind;
static const char *const names[KINDS] = {"Hilbert's",       "graded",          "ill-scaled", "of rank 2",
                                         "of equal values", "far from normal", "0",          "1"};

static double entry(kind which, int i, int j)
{
    switch (which) {
    case HILBERT: return 1.0 / (i + j + 1);
    case GRADED: return ldexp(i == j ? 2 : 1.0 / (1 + i + 2 * j), -2 * (i + j));
    case ILL_SCALED: return ldexp(i == j ? 3 : 1.0 / (2 + i + j), i % 2 ? 20 : -20);
    case LOW_RANK: return (i + 1.0) * (j + 1) + (i % 3 == 1) * (j % 3 == 1);
    case EQUAL: return (i == j) - 2.0 / N; /* a mirror: values 1 and -1 */
    case CHAIN: return i == j ? 1 : j == i + 1 ? 8 : 0;
    case ZERO: return 0;
    case ONE:
    case KINDS: return i == j;
    }
    return 0;
}

/* The entries are those of the type; complex ones are turned by the phases i^(j - k), which keeps them Hermitian. */
static poy_array *matrix(kind which, poy_dtype dtype, dense *m)
{
    static const int turns[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    const int64_t square[2] = {N, N};
    const int parts = poy_dtype_is_complex(dtype) ? 2 : 1, is_single = dtype == POY_F32 || dtype == POY_C64;
    double wide[2 * N * N];
    float single[2 * N * N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            const int *const turn = turns[parts == 2 ? (j - i) & 3 : 0];
            const double x = is_single ? (double)(float)entry(which, i, j) : entry(which, i, j);
            m->a[i][j] = CMPLXL(turn[0] * x, turn[1] * x);
            for (int p = 0; p < parts; p++) {
                wide[(i * N + j) * parts + p] = turn[p] * x;
                single[(i * N + j) * parts + p] = (float)(turn[p] * x);
            }
        }
    return make(dtype, 2, square, is_single ? (void *)single : (void *)wide);
}

/* ---- what comes back ---- */

/* rows x columns of a result, or a vector as a row. */
static dense read_back(const poy_array *a)
{
    dense m = {{{0}}};
    poy_array *wide = NULL;
    double parts[2 * N * N];
    const int is_vector = poy_array_rank(a) == 1;
    const int64_t columns = poy_array_extent(a, is_vector ? 0 : 1);
    MUST(poy_copy(ctx, a, POY_C128, &wide));
    MUST(poy_array_read(ctx, wide, parts));
    for (int64_t k = 0; k < poy_array_size(a); k++)
        m.a[k / columns][k % columns] = CMPLXL(parts[2 * k], parts[2 * k + 1]);
    poy_array_destroy(&wide);
    return m;
}

/* max |x diag(s) y - z|, s NULL: 1. */
static double residual(const dense *x, const dense *s, const dense *y, const dense *z)
{
    long double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            long double complex sum = -z->a[i][j];
            for (int k = 0; k < N; k++)
                sum += x->a[i][k] * (s ? s->a[0][k] : 1) * y->a[k][j];
            worst = fmaxl(worst, cabsl(sum));
        }
    return (double)worst;
}

static dense adjoint(const dense *x)
{
    dense y;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            y.a[i][j] = conjl(x->a[j][i]);
    return y;
}

/* The matrix of the lower triangle, which alone is read. */
static void mirror(dense *x)
{
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++)
            x->a[i][j] = conjl(x->a[j][i]);
}

/* Frobenius' norm. */
static double norm_of(const dense *x)
{
    long double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += creall(x->a[i][j] * conjl(x->a[i][j]));
    return (double)sqrtl(sum);
}

static double eps_of(poy_dtype dtype)
{
    return dtype == POY_F32 || dtype == POY_C64 ? 0x1p-23 : 0x1p-52;
}

#define TELL(good, what) ok(good, "%s %s, %s: %.2g of the bound", what, names[which], poy_dtype_name(dtype), error)

/* |a x - b| <= 8 n eps |a| |x|, however near to singular; what is singular to the last bit may be refused. */
static void solves(kind which, poy_dtype dtype)
{
    dense a, one;
    poy_array *in = matrix(which, dtype, &a), *b = matrix(ONE, dtype, &one), *x = NULL;
    const poy_status status = poy_solve(ctx, in, b, &x);
    double error = 0;
    if (status == POY_OK) {
        const dense back = read_back(x);
        error = residual(&a, NULL, &back, &one) / (8 * N * eps_of(dtype) * norm_of(&a) * norm_of(&back));
    }
    const int may_refuse = which == ZERO || which == LOW_RANK;
    TELL((status == POY_OK && error <= 1) || (may_refuse && status == POY_ERR_SINGULAR), "solve:");
    poy_array_destroy(&x);
    poy_array_destroy(&b);
    poy_array_destroy(&in);
}

/* a v = v w and v^H v = 1 within 8 n eps, of the lower triangle. */
static void eigenvalues(kind which, poy_dtype dtype)
{
    dense a, one;
    poy_array *in = matrix(which, dtype, &a), *w = NULL, *v = NULL, *b = matrix(ONE, POY_F64, &one);
    mirror(&a);
    MUST(poy_eigh(ctx, in, &w, &v));
    const dense values = read_back(w), x = read_back(v), y = adjoint(&x);
    const double unit = 8 * N * eps_of(dtype), size = norm_of(&a) > 0 ? norm_of(&a) : 1;
    double error = residual(&x, &values, &y, &a) / (unit * size);
    TELL(error <= 1, "eigh: the product,");
    error = residual(&y, NULL, &x, &one) / unit;
    TELL(error <= 1, "eigh: vectors,");
    poy_array_destroy(&b);
    poy_array_destroy(&v);
    poy_array_destroy(&w);
    poy_array_destroy(&in);
}

static void singular_values(kind which, poy_dtype dtype)
{
    dense a, one;
    poy_array *in = matrix(which, dtype, &a), *b = matrix(ONE, POY_F64, &one), *u = NULL, *s = NULL, *vh = NULL;
    MUST(poy_svd(ctx, in, 1, &u, &s, &vh));
    const dense left = read_back(u), values = read_back(s), right = read_back(vh), turned = adjoint(&left);
    const double unit = 8 * N * eps_of(dtype), size = norm_of(&a) > 0 ? norm_of(&a) : 1;
    double error = residual(&left, &values, &right, &a) / (unit * size);
    TELL(error <= 1, "svd: the product,");
    error = residual(&turned, NULL, &left, &one) / unit;
    TELL(error <= 1, "svd: vectors,");
    poy_array_destroy(&vh);
    poy_array_destroy(&s);
    poy_array_destroy(&u);
    poy_array_destroy(&b);
    poy_array_destroy(&in);
}

/* l l^H = a within 4 n eps |a|; Hilbert's of order 10 is not positive definite to 24 bits. */
static void roots(kind which, poy_dtype dtype)
{
    dense a;
    poy_array *in = matrix(which, dtype, &a), *l = NULL;
    const poy_status status = poy_cholesky(ctx, in, &l);
    const int may_refuse = which == HILBERT && eps_of(dtype) > 1e-10;
    double error = 0;
    mirror(&a);
    if (status == POY_OK) {
        const dense x = read_back(l), y = adjoint(&x);
        error = residual(&x, NULL, &y, &a) / (4 * N * eps_of(dtype) * norm_of(&a));
    }
    TELL((status == POY_OK && error <= 1) || (may_refuse && status == POY_ERR_NOT_PD), "cholesky:");
    poy_array_destroy(&l);
    poy_array_destroy(&in);
}

static void all(void)
{
    static const poy_dtype types[] = {POY_F32, POY_F64, POY_C64, POY_C128};
    for (int t = 0; t < 4; t++)
        for (int k = 0; k < KINDS; k++) {
            solves((kind)k, types[t]);
            eigenvalues((kind)k, types[t]);
            singular_values((kind)k, types[t]);
            if (k == HILBERT || k == GRADED || k == ONE)
                roots((kind)k, types[t]);
        }
}

int main(void)
{
    return on_each_backend(all);
}
